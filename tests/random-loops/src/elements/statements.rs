//! Statements on elements: arithmetic, choices, casts, functions, branches.

use super::maker::Maker;
use super::source::ELEMENTS;
use super::value::{Expression, Kind, Range, Shape, Value};
use crate::draw::Choose;
use rand::Rng;

/// Types that a value goes through and comes back from, with what they hold exactly.
const NARROW: [&str; 4] = ["float16", "bfloat16", "int8", "float8e4nv"];
/// Of a number in f16 how far it is off.
const ROUNDING_OF_HALF: f64 = 1e-3;

/// A function of floats.
struct Function {
    /// Its text, with `#` for the argument and `@` for the module.
    text: &'static str,
    /// How it grows: at most so many times as much as its argument.
    slope: f64,
    /// How large it is, from how large its argument is.
    most: fn(f64) -> f64,
}

const FUNCTIONS: [Function; 11] = [
    Function { text: "@exp(@clamp(#, -4.0, 4.0))", slope: 54.6, most: |_| 54.6 },
    Function { text: "@exp2(@clamp(#, -4.0, 4.0))", slope: 11.1, most: |_| 16.0 },
    Function { text: "@sin(#)", slope: 1.0, most: |_| 1.0 },
    Function { text: "@cos(#)", slope: 1.0, most: |_| 1.0 },
    Function { text: "@sigmoid(#)", slope: 0.25, most: |_| 1.0 },
    Function { text: "@erf(#)", slope: 1.13, most: |_| 1.0 },
    Function { text: "@log(@abs(#) + 1.0)", slope: 1.0, most: |most| (most + 1.0).ln() },
    Function { text: "@sqrt(@abs(#) + 1.0)", slope: 0.5, most: |most| (most + 1.0).sqrt() },
    Function { text: "@rsqrt(@abs(#) + 1.0)", slope: 0.5, most: |_| 1.0 },
    Function { text: "(# * @sigmoid(#))", slope: 1.1, most: |most| most },
    Function { text: "(0.5 * # * (1.0 + @erf(# * 0.70710678)))", slope: 1.2, most: |most| most },
];

impl Maker<'_> {
    pub(super) fn unary(&mut self) -> Option<()> {
        let value = self.pick(|_| true)?;
        let Value { name, shape, kind, range } = &value;
        let low: i32 = self.random.random_range(-6..2);
        let high: i32 = low + self.random.random_range(1..8);
        let (text, range) = match self.random.random_range(0..4) {
            0 => (format!("@abs({name})"), *range),
            1 => (format!("-{name}"), *range),
            2 if *kind == Kind::Float => {
                let most = range.most.min(f64::from(low.abs().max(high.abs())));
                (format!("@clamp({name}, {low}.0, {high}.0)"), Range { most, ..*range })
            }
            // Half of a whole number, rounded down, is whole again.
            3 if *kind == Kind::Float && value.is_whole() => {
                (format!("@floor({name} * 0.5)"), Range::whole(range.most / 2.0 + 1.0))
            }
            _ => {
                let factor = self.random.pick(&[2, 3, -1]);
                let range = range.times(3);
                (format!("{name} * {}", kind.number(factor)), range)
            }
        };
        self.define(Expression::alike(&text, *shape, *kind, range).possible()?);
        Some(())
    }

    pub(super) fn binary(&mut self) -> Option<()> {
        let left = self.pick(|_| true)?;
        let right = self.pick(|value| value.kind == left.kind && value.name != left.name)?;
        let shape = left.shape.with(right.shape);
        let (a, b) = (left.spread(shape), right.spread(shape));
        let (one, other) = (left.range, right.range);
        let (text, range) = match self.random.random_range(0..6) {
            0 | 1 => (format!("{a} + {b}"), one.plus(other)),
            2 => (format!("{a} - {b}"), one.plus(other)),
            3 => (format!("{a} * {b}"), one.product(other)),
            4 => (format!("@maximum({a}, {b})"), one.or(other)),
            _ => (format!("@minimum({a}, {b})"), one.or(other)),
        };
        self.define(Expression::alike(&text, shape, left.kind, range).possible()?);
        Some(())
    }

    /// One of two values, or of a value and a number, by a condition.
    pub(super) fn select(&mut self) -> Option<()> {
        let first = self.pick(|_| true)?;
        let condition = self.condition()?;
        let second = if self.random.chance(0.6) { self.pick(|value| value.kind == first.kind) } else { None };
        let number = self.random.random_range(-4i64..5);
        let other = second.as_ref().map_or(Shape::Number, |second| second.shape);
        let shape = first.shape.with(other).with(condition.shape);
        let range = first.range.or(second.as_ref().map_or(Range::whole(number.abs() as f64), |second| second.range));
        let b = second.map_or(first.kind.number(number), |second| second.spread(shape));
        let text = format!("@where({}, {}, {b})", condition.spread(shape), first.spread(shape));
        self.define(Expression::alike(&text, shape, first.kind, range).possible()?);
        Some(())
    }

    /// A truth value of each element, or each row or column, which is no variable. What is not exact is not compared.
    fn condition(&mut self) -> Option<Condition> {
        let one = self.comparison()?;
        if self.random.chance(0.6) {
            return Some(one);
        }
        let two = self.comparison()?;
        let shape = one.shape.with(two.shape);
        let operator = self.random.pick(&["&", "|"]);
        Some(Condition { text: format!("({} {operator} {})", one.spread(shape), two.spread(shape)), shape })
    }

    fn comparison(&mut self) -> Option<Condition> {
        let masks = [("mask", Shape::Block), ("col_mask", Shape::Columns)];
        if self.has_columns && self.has_tile && self.random.chance(0.25) {
            let (text, shape) = if self.setting.is_flat { masks[0] } else { self.random.pick(&masks) };
            return Some(Condition { text: text.to_string(), shape });
        }
        let left = self.pick(Value::is_whole)?;
        let operator = self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
        if self.random.chance(0.5) {
            let number = left.kind.number(self.random.random_range(-3..6));
            return Some(Condition { text: format!("({} {operator} {number})", left.name), shape: left.shape });
        }
        let right = self.pick(|value| value.is_whole() && value.kind == left.kind && value.name != left.name)?;
        let shape = left.shape.with(right.shape);
        Some(Condition { text: format!("({} {operator} {})", left.spread(shape), right.spread(shape)), shape })
    }

    /// Through another type and back, or into the other type that is computed in.
    pub(super) fn cast(&mut self) -> Option<()> {
        let value = self.pick(|_| true)?;
        let Value { name, shape, kind, range } = &value;
        if value.is_whole() && self.random.chance(0.5) {
            let other = if *kind == Kind::Int { Kind::Float } else { Kind::Int };
            let (kernel, host) = (format!("{name}.to({})", other.kernel()), format!("{name}.to({})", other.host()));
            self.define(Expression::new(kernel, host, *shape, other, *range).possible()?);
            return Some(());
        }
        let narrow = self.random.pick(&NARROW);
        let element = ELEMENTS.iter().find(|element| element.kernel == narrow)?;
        let range = match value.is_whole() {
            true if range.most <= element.exact as f64 => *range,
            false if narrow == "float16" && range.most < 1000.0 => {
                Range { error: range.error + ROUNDING_OF_HALF * range.most, ..*range }
            }
            true | false => return None,
        };
        let kernel = format!("{name}.to(tl.{narrow}).to({})", kind.kernel());
        self.define(Expression::new(kernel, name.clone(), *shape, *kind, range).possible()?);
        Some(())
    }

    /// Division, remainder and bits of whole numbers.
    pub(super) fn integers(&mut self) -> Option<()> {
        let value = self.pick(|value| value.kind == Kind::Int)?;
        let Value { name, shape, range, .. } = &value;
        let divisor = self.random.pick(&[2, 3, 5, 8, 17]);
        let (text, most) = match self.random.random_range(0..5) {
            0 => (format!("@abs({name}) // {divisor}"), range.most),
            1 => (format!("@abs({name}) % {divisor}"), f64::from(divisor)),
            2 => (format!("({name} & 255) >> 3"), 32.0),
            3 => (format!("({name} & 7) << 2"), 32.0),
            _ => {
                let other = self.pick(|other| other.kind == Kind::Int && other.shape == *shape)?;
                let operator = self.random.pick(&["&", "|", "^"]);
                let most = range.most.max(other.range.most).max(1.0);
                (format!("{name} {operator} {}", other.name), 2.0f64.powi(most.log2().floor() as i32 + 1))
            }
        };
        self.define(Expression::alike(&text, *shape, Kind::Int, Range::whole(most)).possible()?);
        Some(())
    }

    pub(super) fn function(&mut self) -> Option<()> {
        let value = self.pick(|value| value.kind == Kind::Float)?;
        let Function { text, slope, most } = &FUNCTIONS[self.random.random_range(0..FUNCTIONS.len())];
        let range = value.range.through(*slope, most(value.range.most));
        self.define(Expression::alike(&text.replace('#', &value.name), value.shape, Kind::Float, range).possible()?);
        Some(())
    }

    /// A division by something that is at least one.
    pub(super) fn quotient(&mut self) -> Option<()> {
        let left = self.pick(|value| value.kind == Kind::Float)?;
        let right = self.pick(|value| value.kind == Kind::Float)?;
        let shape = left.shape.with(right.shape);
        let text = format!("{} / (@abs({}) + 1.0)", left.spread(shape), right.spread(shape));
        let error = left.range.error + left.range.most * right.range.error;
        let range = Range { most: left.range.most, error }.through(1.0, left.range.most);
        self.define(Expression::alike(&text, shape, Kind::Float, range).possible()?);
        Some(())
    }

    /// A value becomes another one where a condition of the whole program holds.
    pub(super) fn branch(&mut self) -> Option<()> {
        if !self.has_tile {
            return None;
        }
        let first = self.pick(|_| true)?;
        let second =
            self.pick(|value| value.kind == first.kind && value.shape == first.shape && value.name != first.name)?;
        let condition = self.random.pick(&["tile % 2 == 0", "n_cols > 40", "tile == 0", "n_rows > tile + 1"]);
        let product = self.random.chance(0.5);
        let range = if product { first.range.product(second.range) } else { first.range.plus(second.range) };
        let range = range.or(first.range);
        let (a, b) = (&first.name, &second.name);
        let started = Expression::alike(a, first.shape, first.kind, range).possible()?;
        let result = self.define(started).name;
        self.open(&format!("if {condition}:"));
        self.both(&format!("{result} = {a} {} {b}", if product { "*" } else { "-" }));
        self.close_branch();
        Some(())
    }
}

/// The text of a truth value.
struct Condition {
    text: String,
    shape: Shape,
}

impl Condition {
    fn spread(&self, shape: Shape) -> String {
        match (self.shape, shape) {
            (Shape::Rows, Shape::Block) => format!("{}[:, None]", self.text),
            (Shape::Columns, Shape::Block) => format!("{}[None, :]", self.text),
            _ => self.text.clone(),
        }
    }
}
