//! Operators on compile-time values, as Python defines them: `//` floors, `%` takes the sign of the divisor.

use crate::builtins::version;
use crate::value::{Number, Val};
use std::cmp::Ordering;
use std::rc::Rc;
use tk_grammar::ast::{BinaryOp, CompareOp};

/// Why a compile-time operation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The operator does not take these operands.
    Operands,
    DivisionByZero,
    /// An integer beyond 128 bits, or a negative shift.
    OutOfRange,
    /// A tuple or string of more than [`MAX_ITEMS`].
    TooLong,
}

/// Most items of a tuple, and bytes of a string, that an operator makes.
pub(crate) const MAX_ITEMS: usize = 1 << 14;

impl Fault {
    /// What to tell the user.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Fault::Operands => "does not work on these constants",
            Fault::DivisionByZero => "divides by zero",
            Fault::OutOfRange => "has a result beyond 128 bits",
            Fault::TooLong => "makes a tuple or string that is too long",
        }
    }
}

/// `a op b` of two compile-time values.
pub(crate) fn binary<'a>(op: BinaryOp, a: &Val<'a>, b: &Val<'a>) -> Result<Val<'a>, Fault> {
    match (op, a, b) {
        (BinaryOp::Add, Val::Tuple(x), Val::Tuple(y)) => {
            if !(a.fits(MAX_ITEMS / 2) && b.fits(MAX_ITEMS / 2)) {
                return Err(Fault::TooLong);
            }
            Ok(Val::tuple(x.iter().chain(y.iter()).cloned().collect::<Vec<_>>()))
        }
        (BinaryOp::Mul, Val::Tuple(items), Val::Int(n)) | (BinaryOp::Mul, Val::Int(n), Val::Tuple(items)) => {
            let times = usize::try_from((*n).max(0)).unwrap_or(usize::MAX);
            if items.is_empty() || times == 0 {
                return Ok(Val::tuple(Vec::new()));
            }
            if times > MAX_ITEMS || !Val::Tuple(items.clone()).fits(MAX_ITEMS / times + 2) {
                return Err(Fault::TooLong);
            }
            Ok(Val::tuple(std::iter::repeat_n(items.iter().cloned(), times).flatten().collect::<Vec<_>>()))
        }
        (BinaryOp::Add, Val::Str(x), Val::Str(y)) if x.len() + y.len() > MAX_ITEMS => Err(Fault::TooLong),
        (BinaryOp::Add, Val::Str(x), Val::Str(y)) => Ok(Val::str(&format!("{x}{y}"))),
        _ => match (a.number(), b.number()) {
            (Some(x), Some(y)) => numbers(op, x, y).map(to_val),
            _ => Err(Fault::Operands),
        },
    }
}

fn to_val<'a>(number: Number) -> Val<'a> {
    match number {
        Number::Bool(b) => Val::Bool(b),
        Number::Int(i) => Val::Int(i),
        Number::Float(f) => Val::Float(f),
    }
}

fn numbers(op: BinaryOp, a: Number, b: Number) -> Result<Number, Fault> {
    if let (Number::Bool(x), Number::Bool(y)) = (a, b) {
        match op {
            BinaryOp::BitAnd => return Ok(Number::Bool(x & y)),
            BinaryOp::BitOr => return Ok(Number::Bool(x | y)),
            BinaryOp::BitXor => return Ok(Number::Bool(x ^ y)),
            _ => {}
        }
    }
    match (a.as_int(), b.as_int()) {
        (Some(x), Some(y)) if !(op == BinaryOp::Pow && y < 0) => integers(op, x, y),
        _ => floats(op, a.as_f64(), b.as_f64()).map(Number::Float),
    }
}

fn integers(op: BinaryOp, a: i128, b: i128) -> Result<Number, Fault> {
    let value = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div if b == 0 => return Err(Fault::DivisionByZero),
        BinaryOp::Div => return Ok(Number::Float(a as f64 / b as f64)),
        BinaryOp::FloorDiv | BinaryOp::Mod if b == 0 => return Err(Fault::DivisionByZero),
        BinaryOp::FloorDiv => a.checked_div(b).map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }),
        BinaryOp::Mod => a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
        BinaryOp::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        BinaryOp::MatMul => return Err(Fault::Operands),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Shl => shift(a, b),
        BinaryOp::Shr if b >= 0 => Some(a >> b.min(127)),
        BinaryOp::Shr => None,
    };
    value.map(Number::Int).ok_or(Fault::OutOfRange)
}

fn shift(a: i128, b: i128) -> Option<i128> {
    let by = u32::try_from(b).ok().filter(|by| *by < 127)?;
    a.checked_mul(1i128.checked_shl(by)?)
}

fn floats(op: BinaryOp, a: f64, b: f64) -> Result<f64, Fault> {
    Ok(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if b == 0.0 => return Err(Fault::DivisionByZero),
        BinaryOp::Div => a / b,
        BinaryOp::FloorDiv => (a / b).floor(),
        BinaryOp::Mod => {
            let r = a % b;
            if r != 0.0 && (r < 0.0) != (b < 0.0) { r + b } else { r }
        }
        BinaryOp::Pow => a.powf(b),
        _ => return Err(Fault::Operands),
    })
}

/// `a op b` of two compile-time values; `None` when Python would refuse to order them.
pub(crate) fn compare(op: CompareOp, a: &Val, b: &Val) -> Option<bool> {
    if let (Some(x), Some(y)) = (a.number(), b.number()) {
        let ordering = match (x.as_int(), y.as_int()) {
            (Some(x), Some(y)) => Some(x.cmp(&y)),
            _ => x.as_f64().partial_cmp(&y.as_f64()),
        };
        return Some(match op {
            CompareOp::Eq => ordering == Some(std::cmp::Ordering::Equal),
            CompareOp::NotEq => ordering != Some(std::cmp::Ordering::Equal),
            CompareOp::Lt => ordering.is_some_and(std::cmp::Ordering::is_lt),
            CompareOp::LtEq => ordering.is_some_and(std::cmp::Ordering::is_le),
            CompareOp::Gt => ordering.is_some_and(std::cmp::Ordering::is_gt),
            CompareOp::GtEq => ordering.is_some_and(std::cmp::Ordering::is_ge),
            CompareOp::Is => a.same(b),
            CompareOp::IsNot => !a.same(b),
            CompareOp::In | CompareOp::NotIn => return None,
        });
    }
    if let Some(ordering) = order_of_versions(a, b) {
        return ordered(op, ordering);
    }
    let equal = match (a, b) {
        (Val::Tuple(x), Val::Tuple(y)) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| compare(CompareOp::Eq, x, y) == Some(true))
        }
        _ => same_type(a, b).unwrap_or_else(|| a.same(b)),
    };
    match op {
        CompareOp::Eq | CompareOp::Is => Some(equal),
        CompareOp::NotEq | CompareOp::IsNot => Some(!equal),
        CompareOp::In | CompareOp::NotIn => {
            let found = match b {
                Val::Tuple(items) => items.iter().any(|item| compare(CompareOp::Eq, a, item) == Some(true)),
                Val::Str(text) => matches!(a, Val::Str(part) if text.contains(&**part)),
                _ => return None,
            };
            Some(found == (op == CompareOp::In))
        }
        _ => match (a, b) {
            (Val::Str(x), Val::Str(y)) => ordered(op, x.cmp(y)),
            (Val::Tuple(x), Val::Tuple(y)) => compare_tuples(op, x, y),
            _ => None,
        },
    }
}

/// How two versions compare, of which one may be written as a string; `None` if neither is a version.
fn order_of_versions(a: &Val, b: &Val) -> Option<Ordering> {
    let numbers = |val: &Val| -> Option<Rc<[i128]>> {
        match val {
            Val::Version(numbers) => Some(numbers.clone()),
            Val::Str(text) => version::numbers(text).map(Rc::from),
            _ => None,
        }
    };
    match (a, b) {
        (Val::Version(_), _) | (_, Val::Version(_)) => Some(numbers(a)?.cmp(&numbers(b)?)),
        _ => None,
    }
}

/// What a comparison says of two things in this order.
fn ordered(op: CompareOp, ordering: Ordering) -> Option<bool> {
    Some(match op {
        CompareOp::Eq => ordering.is_eq(),
        CompareOp::NotEq => ordering.is_ne(),
        CompareOp::Lt => ordering.is_lt(),
        CompareOp::LtEq => ordering.is_le(),
        CompareOp::Gt => ordering.is_gt(),
        CompareOp::GtEq => ordering.is_ge(),
        CompareOp::Is | CompareOp::IsNot | CompareOp::In | CompareOp::NotIn => return None,
    })
}

/// The order of two tuples is that of the first items that differ, or of their lengths.
fn compare_tuples(op: CompareOp, a: &[Val], b: &[Val]) -> Option<bool> {
    let differ = |(x, y): &(&Val, &Val)| compare(CompareOp::Eq, x, y) != Some(true);
    match a.iter().zip(b).find(differ) {
        Some((x, y)) => compare(op, x, y),
        None => ordered(op, a.len().cmp(&b.len())),
    }
}

/// Whether a dtype equals a dtype written as a string or a Python class (`x.dtype == "fp16"`).
fn same_type(a: &Val, b: &Val) -> Option<bool> {
    let (Val::Type(ty), other) = (match (a, b) {
        (Val::Type(_), _) => (a, b),
        _ => (b, a),
    }) else {
        return None;
    };
    match other {
        Val::Str(name) => {
            Some(tk_types::ScalarType::parse(name).is_some_and(|scalar| ty.number() == Some(scalar) && !ty.is_tensor()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
        match binary(op, &Val::Int(a), &Val::Int(b)) {
            Ok(Val::Int(i)) => Some(i),
            _ => None,
        }
    }

    #[test]
    fn division_floors_as_in_python() {
        assert_eq!(int(BinaryOp::FloorDiv, -7, 2), Some(-4));
        assert_eq!(int(BinaryOp::FloorDiv, 7, -2), Some(-4));
        assert_eq!(int(BinaryOp::Mod, -7, 2), Some(1));
        assert_eq!(int(BinaryOp::Mod, 7, -2), Some(-1));
        for a in -20..20 {
            for b in (-5..6).filter(|b| *b != 0) {
                let (q, r) = (int(BinaryOp::FloorDiv, a, b).unwrap(), int(BinaryOp::Mod, a, b).unwrap());
                assert_eq!(q * b + r, a);
                assert!(r == 0 || (r < 0) == (b < 0));
                assert!(r.abs() < b.abs());
            }
        }
    }

    #[test]
    fn overflow_and_zero_are_faults_not_panics() {
        let fault = |op, a, b| binary(op, &Val::Int(a), &Val::Int(b)).unwrap_err();
        assert_eq!(fault(BinaryOp::FloorDiv, 1, 0), Fault::DivisionByZero);
        assert_eq!(fault(BinaryOp::FloorDiv, i128::MIN, -1), Fault::OutOfRange);
        assert_eq!(fault(BinaryOp::Pow, 10, 100), Fault::OutOfRange);
        assert_eq!(fault(BinaryOp::Shl, 1, 1000), Fault::OutOfRange);
        assert_eq!(fault(BinaryOp::Shr, 1, -1), Fault::OutOfRange);
    }
}
