//! Operators on what is known of host values.

use crate::host::ITEMS;
use crate::known::Known;
use tk_grammar::ast::{BinaryOp, CompareOp, Expr, ExprKind, UnaryOp};
use tk_types::ConstValue;

/// `-x`, `not x`; tensors keep their elements.
pub(crate) fn negated(op: UnaryOp, value: Known) -> Known {
    match (op, value) {
        (UnaryOp::Neg, Known::Constant(ConstValue::Int(value))) => {
            Known::Constant(ConstValue::Int(value.wrapping_neg()))
        }
        (UnaryOp::Neg, Known::Constant(ConstValue::Float(value))) => Known::Constant(ConstValue::Float(-value)),
        (UnaryOp::Not, value) => {
            value.truth().map_or(Known::Unknown, |truth| Known::Constant(ConstValue::Bool(!truth)))
        }
        (_, tensor @ Known::Tensor(_)) => tensor,
        _ => Known::Unknown,
    }
}

/// Integers are computed, lists are put together, tensors have the elements of their operands.
pub(crate) fn arithmetic(op: BinaryOp, left: &Known, right: &Known) -> Known {
    match (left, right) {
        (Known::Items(a), Known::Items(b)) if op == BinaryOp::Add && a.len() + b.len() <= 4 * ITEMS => {
            Known::Items([&a[..], &b[..]].concat())
        }
        (Known::Items(items), count) if op == BinaryOp::Mul => match count.int() {
            Some(count @ 0..=8) if items.len() <= ITEMS => {
                Known::Items((0..count).flat_map(|_| items.clone()).collect())
            }
            _ => Known::Unknown,
        },
        (Known::Tensor(a), Known::Tensor(b)) => Known::Tensor(a.with(b)),
        (Known::Tensor(tensor), _) | (_, Known::Tensor(tensor)) => Known::Tensor(tensor.clone()),
        _ => match left.count().zip(right.count()).and_then(|(a, b)| integer(op, a, b)) {
            Some(value) => Known::counted(value, &[left, right]),
            None => Known::Unknown,
        },
    }
}

fn integer(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::FloorDiv => a.checked_div_euclid(b).filter(|_| b > 0),
        BinaryOp::Mod => a.checked_rem_euclid(b).filter(|_| b > 0),
        BinaryOp::Pow => a.checked_pow(u32::try_from(b).ok()?),
        BinaryOp::Shl => a.checked_mul(1_i128.checked_shl(u32::try_from(b).ok()?)?),
        _ => None,
    }
}

/// `==`, `!=`, `is`, `in` and the orders of integers; a chain of them is not followed.
pub(crate) fn compared(expr: &Expr, left: &Known, rest: &[Known]) -> Known {
    let (ExprKind::Compare { rest: written, .. }, [right]) = (&expr.kind, rest) else { return Known::Unknown };
    let same = || Some(left.constant()? == right.constant()?);
    let ints = left.int().zip(right.int());
    let truth = match written[0].0 {
        CompareOp::Eq | CompareOp::Is => same(),
        CompareOp::NotEq | CompareOp::IsNot => same().map(|same| !same),
        CompareOp::Lt => ints.map(|(a, b)| a < b),
        CompareOp::LtEq => ints.map(|(a, b)| a <= b),
        CompareOp::Gt => ints.map(|(a, b)| a > b),
        CompareOp::GtEq => ints.map(|(a, b)| a >= b),
        _ => None,
    };
    truth.map_or(Known::Unknown, |truth| Known::Constant(ConstValue::Bool(truth)))
}
