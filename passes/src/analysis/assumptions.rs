//! What `tl.assume` says of integers, read off its condition.

use tk_ir::ops::CmpI;
use tk_ir::{Op, OpKind, Value};

/// What an assumption says of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Said<'c> {
    /// It is not negative.
    NotNegative,
    /// This divides it, a power of two.
    Multiple(u64),
    /// It is the same number as another value.
    Equal(Value<'c>),
}

/// Values and what the assumption `op` says of each.
pub(crate) fn said_by(op: Op<'_>) -> Vec<(Value<'_>, Said<'_>)> {
    let mut said = Vec::new();
    let mut pending = op.operands();
    pending.truncate(1);
    while let Some(condition) = pending.pop() {
        let Some(op) = condition.defining_op() else { continue };
        if op.kind() == OpKind::ArithAndI {
            // Both sides of a conjunction hold.
            pending.extend(op.operands());
        } else if op.kind() == OpKind::ArithCmpI {
            collect(op, &mut said);
        }
    }
    said
}

fn collect<'c>(compare: Op<'c>, said: &mut Vec<(Value<'c>, Said<'c>)>) {
    let Some(predicate) = compare.int_attr("predicate").and_then(CmpI::from_number) else { return };
    let (left, right) = (compare.operand(0), compare.operand(1));
    let bounds = (left.constant_int(), right.constant_int());
    match (predicate, bounds) {
        (CmpI::Eq, (_, Some(0))) => said.extend(divided(left).map(|(value, by)| (value, Said::Multiple(by)))),
        (CmpI::Eq, (Some(0), _)) => said.extend(divided(right).map(|(value, by)| (value, Said::Multiple(by)))),
        (CmpI::Sge, (_, Some(bound))) if bound >= 0 => said.push((left, Said::NotNegative)),
        (CmpI::Sgt, (_, Some(bound))) if bound >= -1 => said.push((left, Said::NotNegative)),
        (CmpI::Sle, (Some(bound), _)) if bound >= 0 => said.push((right, Said::NotNegative)),
        (CmpI::Slt, (Some(bound), _)) if bound >= -1 => said.push((right, Said::NotNegative)),
        _ => {}
    }
    if predicate == CmpI::Eq {
        said.extend([(left, Said::Equal(right)), (right, Said::Equal(left))]);
    }
}

/// The value whose remainder this is, and the power of two that divides it where the remainder is zero.
fn divided(remainder: Value<'_>) -> Option<(Value<'_>, u64)> {
    let op = remainder.defining_op()?;
    let divisor = |value: Value<'_>| value.constant_int().filter(|divisor| *divisor != 0);
    let (value, power) = if matches!(op.kind(), OpKind::ArithRemSI | OpKind::ArithRemUI) {
        (op.operand(0), divisor(op.operand(1))?.trailing_zeros())
    } else if op.kind() == OpKind::ArithAndI {
        // The lowest bits, as many as the mask has ones at its end.
        let (value, mask) = match (divisor(op.operand(1)), divisor(op.operand(0))) {
            (Some(mask), _) => (op.operand(0), mask),
            (None, mask) => (op.operand(1), mask?),
        };
        (value, mask.trailing_ones())
    } else {
        return None;
    };
    Some((unwidened(value), 1 << power.min(62)))
}

/// The value whose bits these are: wider integers, and addresses as integers, have the divisors of what they are made from.
fn unwidened(value: Value<'_>) -> Value<'_> {
    match value.defining_op().map(|op| (op, op.kind())) {
        Some((op, OpKind::ArithExtSI | OpKind::ArithExtUI | OpKind::TtPtrToInt)) => unwidened(op.operand(0)),
        _ => value,
    }
}
