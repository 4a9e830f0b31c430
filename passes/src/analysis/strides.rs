//! How far neighbors along an axis are from each other, where that is one number known at compile time.

use super::AxisFacts;
use tk_ir::{Op, OpKind, Value};

/// How deep the arithmetic of an index may be nested.
const MOST_DEPTH: u32 = 24;

/// What an element has more than the one before it along an axis, everywhere in the tensor; for pointers, in elements.
pub fn stride_along(value: Value<'_>, axis: usize, facts: &AxisFacts) -> Option<i64> {
    stride(value, axis, facts, 0)
}

fn stride(value: Value<'_>, axis: usize, facts: &AxisFacts, depth: u32) -> Option<i64> {
    let (info, size) = (facts.get(value), *value.ty().shape().get(axis)? as u64);
    if info.constancy[axis] >= size {
        return Some(0);
    }
    if info.contiguity[axis] >= size {
        return Some(1);
    }
    let op = value.defining_op().filter(|_| depth < MOST_DEPTH)?;
    let of = |index: usize| stride(op.operand(index), axis, facts, depth + 1);
    let kind = op.kind();
    if matches!(kind, OpKind::ArithAddI | OpKind::TtAddPtr) {
        return of(0)?.checked_add(of(1)?);
    }
    if kind == OpKind::ArithSubI {
        return of(0)?.checked_sub(of(1)?);
    }
    if kind == OpKind::ArithMulI {
        let factor = |index: usize| facts.get(op.operand(index)).constant;
        return match (factor(0), factor(1)) {
            (_, Some(factor)) => of(0)?.checked_mul(factor),
            (Some(factor), None) => of(1)?.checked_mul(factor),
            (None, None) => None,
        };
    }
    if kind == OpKind::ArithShLI {
        let places = u32::try_from(facts.get(op.operand(1)).constant?).ok().filter(|places| *places < 63)?;
        return of(0)?.checked_mul(1 << places);
    }
    if kind == OpKind::TtExpandDims {
        return expanded(op, axis, facts, depth);
    }
    is_copy(kind).then(|| of(0)).flatten()
}

/// Whether neighbors of the result are as far apart as those of the operand. Neither sums nor products of indices overflow.
fn is_copy(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::ArithExtSI | OpKind::ArithExtUI | OpKind::TtBroadcast | OpKind::TkHint | OpKind::TtgConvertLayout
    )
}

/// The axis of the operand is one less behind the axis that was put in, along which there is one element.
fn expanded(op: Op<'_>, axis: usize, facts: &AxisFacts, depth: u32) -> Option<i64> {
    let added = usize::try_from(op.attr("axis")?.as_int()?).ok()?;
    match axis.cmp(&added) {
        std::cmp::Ordering::Less => stride(op.operand(0), axis, facts, depth + 1),
        std::cmp::Ordering::Equal => Some(0),
        std::cmp::Ordering::Greater => stride(op.operand(0), axis - 1, facts, depth + 1),
    }
}
