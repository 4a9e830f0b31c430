//! Runs programs: the values that the language gives them, one element at a time.

use super::operators::{BinaryOp, CompareOp, UnaryOp};
use super::{Expr, Function, Kind, Node, Program, Stmt, Ty};

/// Elements computed, at most; larger programs are given up.
const BUDGET: usize = 3_000_000;

/// The elements of a value: integers as they are, floats as their number.
#[derive(Clone, Debug, PartialEq)]
enum Data {
    Ints(Vec<i128>),
    Floats(Vec<f64>),
}

/// Why a list of statements ended early.
enum Left {
    Break,
    Continue,
    Return(Vec<Data>),
}

/// A program is given up: a float is too large, or it does too much.
struct GivenUp;

type R<T> = Result<T, GivenUp>;

struct Run<'p> {
    program: &'p Program,
    budget: usize,
}

/// The variables of one call.
struct Frame {
    variables: Vec<Data>,
    counters: Vec<i128>,
}

/// The bits of each variable of the kernel at its end, as signed 64-bit integers; nothing for a program that has no one result.
pub(super) fn values(program: &Program) -> Option<Vec<Vec<i64>>> {
    let mut run = Run { program, budget: BUDGET };
    let mut frame = Frame { variables: Vec::new(), counters: Vec::new() };
    run.body(&program.kernel, &mut frame).ok()?;
    let kinds = program.kernel.variables.iter();
    Some(frame.variables.iter().zip(kinds).map(|(data, kind)| bits(data, kind.ty)).collect())
}

/// An integer in the range of a type.
pub(super) fn wrapped(ty: Ty, value: i128) -> i128 {
    match ty {
        Ty::I1 => value & 1,
        Ty::I8 => i128::from(value as i8),
        Ty::I16 => i128::from(value as i16),
        Ty::I32 => i128::from(value as i32),
        Ty::I64 => i128::from(value as i64),
        Ty::U8 => i128::from(value as u8),
        Ty::U32 => i128::from(value as u32),
        Ty::F16 | Ty::F32 => value,
    }
}

/// A float in the precision of a type.
fn rounded(ty: Ty, value: f64) -> R<f64> {
    let (value, largest) = match ty {
        Ty::F16 => (crate::number::Type::F16.rounded(crate::number::Number::Float(value)).float(), 3e4),
        _ => (f64::from(value as f32), 1e30),
    };
    // Denormal numbers are left out too: products by halves reach them.
    if value.abs() > largest || (value != 0.0 && value.abs() < 1e-4) { Err(GivenUp) } else { Ok(value) }
}

fn bits(data: &Data, ty: Ty) -> Vec<i64> {
    match data {
        Data::Ints(values) => values.iter().map(|value| *value as i64).collect(),
        Data::Floats(values) => {
            let type_of = if ty == Ty::F16 { crate::number::Type::F16 } else { crate::number::Type::F32 };
            let encode = |value: &f64| type_of.encode(crate::number::Number::Float(*value + 0.0)) as i64;
            let signed = |bits: i64| if ty == Ty::F16 { i64::from(bits as i16) } else { i64::from(bits as i32) };
            values.iter().map(|value| signed(encode(value))).collect()
        }
    }
}

impl Data {
    fn ints(&self) -> &[i128] {
        match self {
            Data::Ints(values) => values,
            Data::Floats(_) => &[],
        }
    }

    /// The elements at these places.
    fn at(&self, places: impl Iterator<Item = usize>) -> Data {
        match self {
            Data::Ints(values) => Data::Ints(places.map(|place| values[place]).collect()),
            Data::Floats(values) => Data::Floats(places.map(|place| values[place]).collect()),
        }
    }

    fn joined(&self, other: &Data) -> Data {
        match (self, other) {
            (Data::Ints(a), Data::Ints(b)) => Data::Ints([a.as_slice(), b].concat()),
            (Data::Floats(a), Data::Floats(b)) => Data::Floats([a.as_slice(), b].concat()),
            _ => unreachable!("both parts have one type"),
        }
    }
}

/// Elements before, along and behind an axis.
fn around(shape: &[usize], axis: usize) -> (usize, usize, usize) {
    (shape[..axis].iter().product(), shape[axis], shape[axis + 1..].iter().product())
}

impl Run<'_> {
    fn body(&mut self, function: &Function, frame: &mut Frame) -> R<Vec<Data>> {
        for value in &function.first {
            let value = self.eval(value, frame)?;
            frame.variables.push(value);
        }
        if let Some(Left::Return(results)) = self.list(&function.body, frame)? {
            return Ok(results);
        }
        function.results.iter().map(|result| self.eval(result, frame)).collect()
    }

    fn list(&mut self, stmts: &[Stmt], frame: &mut Frame) -> R<Option<Left>> {
        for stmt in stmts {
            if let Some(left) = self.stmt(stmt, frame)? {
                return Ok(Some(left));
            }
        }
        Ok(None)
    }

    fn truth(&mut self, condition: &Expr, frame: &mut Frame) -> R<bool> {
        Ok(self.eval(condition, frame)?.ints()[0] != 0)
    }

    fn number(&mut self, value: &Expr, frame: &mut Frame) -> R<i128> {
        Ok(self.eval(value, frame)?.ints()[0])
    }

    fn stmt(&mut self, stmt: &Stmt, frame: &mut Frame) -> R<Option<Left>> {
        match stmt {
            Stmt::Assign(variable, value) => frame.variables[*variable] = self.eval(value, frame)?,
            Stmt::Pair(a, b, x, y) => {
                let (x, y) = (self.eval(x, frame)?, self.eval(y, frame)?);
                frame.variables[*a] = x;
                frame.variables[*b] = y;
            }
            Stmt::If(condition, body, orelse) => {
                let body = if self.truth(condition, frame)? { body } else { orelse };
                return self.list(body, frame);
            }
            Stmt::For(_, start, stop, body) => {
                let stop = self.number(stop, frame)?;
                return self.repeat((i128::from(*start)..stop).map(Some), body, frame, None);
            }
            Stmt::Unrolled(_, times, body) => return self.repeat((0..i128::from(*times)).map(Some), body, frame, None),
            Stmt::While(_, limit, condition, body) => {
                let limit = self.number(limit, frame)?;
                return self.repeat((0..limit).map(Some), body, frame, Some(condition));
            }
            Stmt::Break(condition) if self.truth(condition, frame)? => return Ok(Some(Left::Break)),
            Stmt::Continue(condition) if self.truth(condition, frame)? => return Ok(Some(Left::Continue)),
            Stmt::Break(_) | Stmt::Continue(_) => {}
            Stmt::Return(condition, values) => {
                if self.truth(condition, frame)? {
                    let values: R<Vec<Data>> = values.iter().map(|value| self.eval(value, frame)).collect();
                    return Ok(Some(Left::Return(values?)));
                }
            }
        }
        Ok(None)
    }

    fn repeat(
        &mut self,
        counts: impl Iterator<Item = Option<i128>>,
        body: &[Stmt],
        frame: &mut Frame,
        condition: Option<&Expr>,
    ) -> R<Option<Left>> {
        for count in counts.flatten() {
            if let Some(condition) = condition
                && !self.truth(condition, frame)?
            {
                break;
            }
            frame.counters.push(count);
            let left = self.list(body, frame);
            frame.counters.pop();
            match left? {
                None | Some(Left::Continue) => {}
                Some(Left::Break) => break,
                other => return Ok(other),
            }
        }
        Ok(None)
    }

    fn eval(&mut self, expr: &Expr, frame: &mut Frame) -> R<Data> {
        let count = expr.kind.count();
        self.budget = self.budget.checked_sub(count).ok_or(GivenUp)?;
        let ty = expr.kind.ty;
        let ints = |values: Vec<i128>| Data::Ints(values.into_iter().map(|value| wrapped(ty, value)).collect());
        let (a, b) = match &expr.node {
            Node::Variable(number) => return Ok(frame.variables[*number].clone()),
            Node::Argument(number) => return Ok(Data::Ints(vec![i128::from(self.program.arguments[*number])])),
            Node::Counter(depth, _) => return Ok(Data::Ints(vec![frame.counters[*depth]])),
            Node::Full(value) if ty.is_float() => return Ok(Data::Floats(vec![*value as f64; count])),
            Node::Full(value) => return Ok(ints(vec![i128::from(*value); count])),
            Node::Call(number, arguments, result) => return self.call(*number, arguments, result.unwrap_or(0), frame),
            Node::Where(condition, a, b) => {
                let condition = self.eval(condition, frame)?;
                let both = self.eval(a, frame)?.joined(&self.eval(b, frame)?);
                let place = |(i, truth): (usize, &i128)| if *truth != 0 { i } else { count + i };
                return Ok(both.at(condition.ints().iter().enumerate().map(place)));
            }
            Node::Binary(_, a, b) | Node::Compare(_, a, b) | Node::Join(a, b) | Node::Interleave(a, b) => {
                (a, Some(self.eval(b, frame)?))
            }
            Node::Gather(a, b, _) => (a, Some(self.eval(b, frame)?)),
            Node::Literal(_, a, _)
            | Node::Unary(_, a)
            | Node::Cast(a)
            | Node::Reduce(_, a, _)
            | Node::Scan(_, a, _) => (a, None),
            Node::Repeat(a, _) | Node::Transpose(a) | Node::Reshape(a) | Node::Flip(a) | Node::Sort(a) => (a, None),
            Node::Part(a, _) | Node::Load(_, a) => (a, None),
        };
        let value = self.eval(a, frame)?;
        self.apply(expr, &a.kind, value, b)
    }

    fn call(&mut self, number: usize, arguments: &[Expr], result: usize, frame: &mut Frame) -> R<Data> {
        let variables: R<Vec<Data>> = arguments.iter().map(|argument| self.eval(argument, frame)).collect();
        let mut inner = Frame { variables: variables?, counters: Vec::new() };
        let program = self.program;
        let mut results = self.body(&program.functions[number], &mut inner)?;
        Ok(results.swap_remove(result))
    }

    /// The result of a node with one or two operands; `from` is the kind of the first.
    fn apply(&self, expr: &Expr, from: &Kind, a: Data, b: Option<Data>) -> R<Data> {
        let (ty, shape, count) = (expr.kind.ty, &expr.kind.shape, expr.kind.count());
        let b = b.unwrap_or(Data::Ints(Vec::new()));
        Ok(match &expr.node {
            Node::Binary(op, ..) => each(ty, &a, &b, *op)?,
            Node::Compare(op, ..) => compared(&a, &b, *op),
            Node::Literal(op, _, number) => match &a {
                Data::Floats(values) => {
                    Data::Floats(values.iter().map(|value| rounded(ty, value * 0.5)).collect::<R<_>>()?)
                }
                Data::Ints(values) => each(ty, &a, &Data::Ints(vec![i128::from(*number); values.len()]), *op)?,
            },
            Node::Unary(op, _) => unary(ty, &a, *op),
            Node::Cast(_) => cast(from.ty, ty, &a)?,
            Node::Reduce(op, _, axis) => {
                let (outer, along, inner) = around(&from.shape, *axis);
                let mut result = a.at((0..outer).flat_map(|o| (0..inner).map(move |i| o * along * inner + i)));
                for step in 1..along {
                    let next = a.at((0..outer).flat_map(|o| (0..inner).map(move |i| (o * along + step) * inner + i)));
                    result = each(ty, &result, &next, op.op())?;
                }
                result
            }
            Node::Scan(op, _, axis) => scan(ty, &a, around(shape, *axis), op.op())?,
            Node::Repeat(_, axis) => {
                let (outer, along, inner) = around(shape, *axis);
                a.at((0..outer).flat_map(|o| (0..along).flat_map(move |_| (0..inner).map(move |i| o * inner + i))))
            }
            Node::Transpose(_) => {
                let (rows, columns) = (shape[0], shape[1]);
                a.at((0..count).map(|i| (i % columns) * rows + i / columns))
            }
            Node::Reshape(_) => a,
            Node::Flip(_) => {
                let last = shape[shape.len() - 1];
                a.at((0..count).map(|i| i / last * last + (last - 1 - i % last)))
            }
            Node::Sort(_) => {
                let mut values = a.ints().to_vec();
                values.chunks_mut(shape[shape.len() - 1]).for_each(<[i128]>::sort_unstable);
                Data::Ints(values)
            }
            Node::Gather(_, _, axis) => {
                let ((_, along, inner), source) = (around(shape, *axis), from.shape[*axis]);
                let index = |i: usize| (b.ints()[i] & (source as i128 - 1)) as usize;
                a.at((0..count).map(|i| (i / (along * inner) * source + index(i)) * inner + i % inner))
            }
            Node::Join(..) | Node::Interleave(..) => {
                let half = count / 2;
                a.joined(&b).at((0..count).map(|i| i / 2 + i % 2 * half))
            }
            Node::Part(_, part) => a.at((0..count).map(|i| 2 * i + part)),
            Node::Load(input, _) => {
                let values = &self.program.inputs[*input].1;
                let place = |index: &i128| i128::from(values[(index & (values.len() as i128 - 1)) as usize]);
                Data::Ints(a.ints().iter().map(place).collect())
            }
            Node::Variable(_)
            | Node::Argument(_)
            | Node::Counter(..)
            | Node::Full(_)
            | Node::Where(..)
            | Node::Call(..) => unreachable!("these have no operand to apply to"),
        })
    }
}

fn each(ty: Ty, a: &Data, b: &Data, op: BinaryOp) -> R<Data> {
    let int = |x: i128, y: i128| match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::Minimum => x.min(y),
        BinaryOp::Maximum => x.max(y),
        BinaryOp::ShiftLeft => x << y,
        BinaryOp::ShiftRight => x >> y,
        BinaryOp::Divide => x / y,
        BinaryOp::Remainder => x % y,
    };
    let float = |x: f64, y: f64| match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Minimum => x.min(y),
        BinaryOp::Maximum => x.max(y),
        BinaryOp::Mul
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::Divide
        | BinaryOp::Remainder => unreachable!("floats have no operators that round or need integers"),
    };
    Ok(match (a, b) {
        (Data::Ints(a), Data::Ints(b)) => Data::Ints(a.iter().zip(b).map(|(x, y)| wrapped(ty, int(*x, *y))).collect()),
        (Data::Floats(a), Data::Floats(b)) => {
            Data::Floats(a.iter().zip(b).map(|(x, y)| rounded(ty, float(*x, *y))).collect::<R<_>>()?)
        }
        _ => unreachable!("operands have one type"),
    })
}

fn compared(a: &Data, b: &Data, op: CompareOp) -> Data {
    fn holds<T: PartialOrd>(op: CompareOp, x: T, y: T) -> i128 {
        i128::from(match op {
            CompareOp::Less => x < y,
            CompareOp::LessOrEqual => x <= y,
            CompareOp::Greater => x > y,
            CompareOp::GreaterOrEqual => x >= y,
            CompareOp::Equal => x == y,
            CompareOp::NotEqual => x != y,
        })
    }
    Data::Ints(match (a, b) {
        (Data::Ints(a), Data::Ints(b)) => a.iter().zip(b).map(|(x, y)| holds(op, x, y)).collect(),
        (Data::Floats(a), Data::Floats(b)) => a.iter().zip(b).map(|(x, y)| holds(op, x, y)).collect(),
        _ => unreachable!("operands have one type"),
    })
}

fn unary(ty: Ty, a: &Data, op: UnaryOp) -> Data {
    match a {
        Data::Ints(values) => {
            let one = |value: &i128| match op {
                UnaryOp::Negative => -value,
                UnaryOp::Not => !value,
                UnaryOp::Abs => value.abs(),
            };
            Data::Ints(values.iter().map(|value| wrapped(ty, one(value))).collect())
        }
        Data::Floats(values) => {
            let one = |value: &f64| match op {
                UnaryOp::Negative => -value,
                UnaryOp::Abs => value.abs(),
                UnaryOp::Not => unreachable!("floats have no bits to invert"),
            };
            Data::Floats(values.iter().map(one).collect())
        }
    }
}

fn cast(from: Ty, to: Ty, a: &Data) -> R<Data> {
    Ok(match (a, to.is_float()) {
        (Data::Ints(values), false) if to == Ty::I1 => Data::Ints(values.iter().map(|v| i128::from(*v != 0)).collect()),
        (Data::Ints(values), false) => Data::Ints(values.iter().map(|value| wrapped(to, *value)).collect()),
        (Data::Ints(values), true) => Data::Floats(values.iter().map(|v| rounded(to, *v as f64)).collect::<R<_>>()?),
        (Data::Floats(values), true) => Data::Floats(values.iter().map(|v| rounded(to, *v)).collect::<R<_>>()?),
        (Data::Floats(values), false) => {
            debug_assert!(from.is_float());
            let whole = |value: &f64| if value.abs() < 2e9 { Ok(value.trunc() as i128) } else { Err(GivenUp) };
            Data::Ints(values.iter().map(whole).collect::<R<_>>()?)
        }
    })
}

fn scan(ty: Ty, a: &Data, (outer, along, inner): (usize, usize, usize), op: BinaryOp) -> R<Data> {
    let mut values = a.ints().to_vec();
    for o in 0..outer {
        for step in 1..along {
            for i in 0..inner {
                let (at, before) = ((o * along + step) * inner + i, (o * along + step - 1) * inner + i);
                let pair = (Data::Ints(vec![values[before]]), Data::Ints(vec![values[at]]));
                values[at] = each(ty, &pair.0, &pair.1, op)?.ints()[0];
            }
        }
    }
    Ok(Data::Ints(values))
}
