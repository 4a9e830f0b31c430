//! The promotion table, exhaustively: every operator, every pair of element types, and Python scalars.
//!
//! `promotion.table` holds what Triton 3.9 makes of each: `expression | left type | result for each right type`, or
//! `expression | scalar | result for each type`. An `error` must be refused by the checker, too ([`refusals`]).

use crate::casts::converted;
use crate::draw::{draw, seeded};
use crate::file::{Array, EXACT, File, Kernel, Tolerance};
use crate::number::{Number, Type};
use crate::reference;

/// Elements of a case: few, because the types matter here.
const ELEMENTS: usize = 32;

/// A line of the table.
struct Line<'t> {
    expression: &'t str,
    /// None for a scalar operand.
    left: Option<Type>,
    /// By the type of the right operand, or of the only one; none where Triton reports an error.
    results: Vec<Option<Type>>,
}

fn read(text: &str) -> Result<Vec<Line<'_>>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| read_line(line).ok_or_else(|| format!("promotion.table: {line}"))).collect()
}

fn read_line(line: &str) -> Option<Line<'_>> {
    let mut cells = line.rsplitn(3, " | ");
    let (results, left, expression) = (cells.next()?, cells.next()?, cells.next()?);
    let results = results.split_whitespace().map(|name| match name {
        "error" => Some(None),
        name => Type::parse(name).map(Some),
    });
    let results: Vec<Option<Type>> = results.collect::<Option<_>>()?;
    let left = if left == "scalar" { None } else { Some(Type::parse(left)?) };
    (results.len() == Type::all().count()).then_some(Line { expression, left, results })
}

/// The reference of an expression.
fn operation(expression: &str) -> &'static str {
    match expression {
        "x + y" | "x + 1" | "True + x" | "x + True" | "x + 1e300" | "x + 3000000000" => "add",
        "x - y" | "x - 1.5" | "1 - x" | "x - 1" => "sub",
        "x * y" | "x * 2" | "2.5 * x" | "x * 200" => "mul",
        "x / y" | "x / 2" => "div",
        "x // y" | "x // 2" => "floordiv",
        "x % y" | "x % 2" => "mod",
        "x & y" | "x & 1" => "and",
        "x | y" => "or",
        "x ^ y" => "xor",
        "x << y" | "x << 1" => "shl",
        "x >> y" => "shr",
        "x < y" | "x < 1" => "lt",
        "x == y" | "x == 0.5" => "eq",
        "tl.where(x < y, x, y)" => "where_lt",
        "tl.where(c, x, y)" | "tl.where(c, x, 1.0)" | "tl.where(c, x, 0)" => "select",
        "tl.maximum(x, y)" | "tl.maximum(x, 1)" => "max",
        "tl.minimum(x, y)" => "min",
        "-x" => "neg",
        _ => "invert",
    }
}

/// The scalar of an expression and whether it stands on the left.
fn scalar(expression: &str) -> Option<(Number, bool)> {
    let (left, right) = match expression.strip_prefix("tl.") {
        None => (expression.split(' ').next()?, expression.split(' ').next_back()?),
        Some(call) => ("", call.rsplit([',', ' ']).next()?.trim_end_matches(')')),
    };
    let number = |text: &str| match text {
        "True" => Some(Number::Int(1)),
        text => text.parse().map(Number::Int).ok().or_else(|| text.parse().map(Number::Float).ok()),
    };
    number(left).map(|value| (value, true)).or_else(|| number(right).map(|value| (value, false)))
}

/// The file: one kernel per pair of types, and one per type for scalars.
pub fn files(text: &str) -> Result<Vec<File>, String> {
    let lines = read(text)?;
    let mut kernels = Vec::new();
    for (at, right) in Type::all().enumerate() {
        for left in Type::all().map(Some).chain([None]) {
            let mut kernel = match left {
                Some(left) => Kernel::new(format!("promote_{}_{}", left.name(), right.name())),
                None => Kernel::new(format!("promote_{}_scalar", right.name())),
            };
            // A comparison happens at the type of the sum; `int1` has no sum.
            let meeting = lines.iter().find(|line| line.left == left && line.expression == "x + y");
            let meeting = meeting.and_then(|line| line.results[at]);
            let sides = Sides::new(left, right)?;
            sides.declare(&mut kernel);
            for line in lines.iter().filter(|line| line.left == left) {
                if let Some(result) = line.results[at] {
                    sides.case(&mut kernel, line, result, meeting)?;
                }
            }
            if kernel.cases() > 0 {
                kernels.push(kernel);
            }
        }
    }
    // Four files, so that they can run side by side.
    let quarter = kernels.len().div_ceil(4);
    let file = |(part, kernels): (usize, &[Kernel])| File {
        name: format!("promotion_{part}"),
        about: "Types and values of operators for all pairs of element types".into(),
        kernels: kernels.to_vec(),
        triton: true,
    };
    Ok(kernels.chunks(quarter).enumerate().map(file).collect())
}

/// The operands of a kernel.
struct Sides {
    left: Option<Type>,
    right: Type,
    x: Vec<Number>,
    y: Vec<Number>,
    shift: Vec<Number>,
    choice: Vec<Number>,
}

impl Sides {
    fn new(left: Option<Type>, right: Type) -> Result<Sides, String> {
        let mut random = seeded(&format!("{left:?} {right:?}"));
        let first = left.unwrap_or(right);
        let mut y = draw(right, "small", ELEMENTS, &mut random)?;
        // Divisors are not zero, also after conversion.
        y.iter_mut().filter(|value| value.float().abs() < 1.0).for_each(|value| *value = right.rounded(Number::Int(1)));
        Ok(Sides {
            left,
            right,
            // A negative number as a huge unsigned one would leave `%` of floats nothing but rounding.
            x: draw(
                first,
                if first.is_float() || first.is_signed() { "small" } else { "range(0,20)" },
                ELEMENTS,
                &mut random,
            )?,
            y,
            // One bit cannot be shifted by one.
            shift: draw(right, if right == Type::B1 { "range(0,1)" } else { "range(0,7)" }, ELEMENTS, &mut random)?,
            choice: draw(Type::I8, "bool", ELEMENTS, &mut random)?,
        })
    }

    fn declare(&self, kernel: &mut Kernel) {
        kernel.warps = 1;
        kernel.arrays.push(Array::input("x_ptr", self.left.unwrap_or(self.right), &self.x));
        kernel.line(format!("i = tl.arange(0, {ELEMENTS})"));
        kernel.line("x = tl.load(x_ptr + i)");
        if self.left.is_some() {
            kernel.arrays.push(Array::input("y_ptr", self.right, &self.y));
            kernel.line("v = tl.load(y_ptr + i)");
            kernel.arrays.push(Array::input("shift_ptr", self.right, &self.shift));
            kernel.line("s = tl.load(shift_ptr + i)");
        }
        kernel.arrays.push(Array::input("choice_ptr", Type::I8, &self.choice));
        kernel.line("c = tl.load(choice_ptr + i) != 0");
    }

    fn case(&self, kernel: &mut Kernel, line: &Line<'_>, result: Type, meeting: Option<Type>) -> Result<(), String> {
        let name = operation(line.expression);
        let first = self.left.unwrap_or(self.right);
        let comparison = ["lt", "eq"].contains(&name);
        let compute = match (comparison, self.left) {
            (true, Some(_)) => meeting.unwrap_or(Type::B1),
            (true, None) if line.expression == "x == 0.5" && !first.is_float() => Type::F32,
            (true, None) => first,
            (false, _) => result,
        };
        // Of two 8-bit floats a comparison may happen at either type; both hold these numbers exactly.
        let at = |value: Number| compute.rounded(converted(value, compute));
        let scalar = scalar(line.expression);
        let shifts = ["shl", "shr"].contains(&name) && self.left.is_some();
        let mut expected = Vec::new();
        for i in 0..ELEMENTS {
            let y = if shifts { self.shift[i] } else { self.y[i] };
            let values = match (self.left, scalar) {
                (Some(_), _) => vec![at(self.x[i]), at(y)],
                (None, Some((value, true))) => vec![at(value), at(self.x[i])],
                (None, Some((value, false))) => vec![at(self.x[i]), at(value)],
                (None, None) => vec![at(self.x[i])],
            };
            let value = match name {
                // The sign of the left operand decides how a right shift fills, whatever type they meet at.
                "shr" if first.is_signed() && !compute.is_signed() => {
                    let half = 1i128 << (compute.bits() - 1);
                    let signed = (values[0].int() ^ half) - half;
                    Some(Number::Int(signed >> values[1].int()))
                }
                "select" => Some(values[usize::from(self.choice[i] == Number::Int(0))]),
                // Where integers and narrow floats divide, both are f32 first; the pair is no pair of integers then.
                name => reference::apply(name, &values, compute, result),
            };
            expected.push(value.ok_or_else(|| format!("{} has no reference for {compute:?}", line.expression))?);
        }
        let ulps = if name == "div" && result == Type::F32 { 2 } else { 0 };
        let left = self.left.map_or("", Type::name);
        let case = format!("{} of {left} {}", line.expression, self.right.name());
        if self.left.is_some() {
            kernel.line(if shifts { "y = s" } else { "y = v" });
        }
        let output = kernel.output(result);
        let out = output.name.clone();
        let start = output.expect(case, expected, Tolerance { ulps, ..EXACT });
        kernel.line(format!("r = {}", line.expression));
        kernel.line(format!("tl.static_assert(r.dtype == tl.{})", result.tl()));
        kernel.line(format!("tl.store({out} + {start} + i, r)"));
        Ok(())
    }
}

/// Kernels that must be refused, with a name each. The sum of two bools is not among them: tk gives it as `x - y` has it.
pub fn refusals(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut kernels = Vec::new();
    for line in read(text)? {
        for (ty, _) in Type::all().zip(&line.results).filter(|(_, result)| result.is_none()) {
            let left = line.left.unwrap_or(ty);
            if line.expression == "x + y" && left == Type::B1 && ty == Type::B1 {
                continue;
            }
            let name = format!("{} of {} and {}", line.expression, left.name(), ty.name());
            let kernel = format!(
                "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(p):\n    i = tl.arange(0, 32)\n    \
                 x = tl.load(p + i).to(tl.int64).to(tl.float32).to(tl.{})\n    y = tl.load(p + i).to(tl.int64).to(tl.float32).to(tl.{})\n    \
                 c = i < 7\n    r = {}\n",
                left.tl(),
                ty.tl(),
                line.expression
            );
            kernels.push((name, kernel));
        }
    }
    Ok(kernels)
}
