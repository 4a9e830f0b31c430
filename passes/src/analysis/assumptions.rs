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

/// Steps from the end of a loop to the numbers that it is computed from, at most.
const MOST_STEPS: usize = 8;

/// Values that are not negative where a loop from a number that is not negative to `upper` runs: then `upper` is above zero.
pub(crate) fn said_by_running(upper: Value<'_>) -> Vec<Value<'_>> {
    let (mut said, mut pending) = (Vec::new(), vec![upper]);
    while let Some(value) = pending.pop() {
        if said.len() == MOST_STEPS {
            break;
        }
        said.push(value);
        let Some(op) = value.defining_op() else { continue };
        let positive = |index: usize| op.operand(index).constant_int().filter(|number| *number > 0);
        if op.kind() == OpKind::ArithMinSI {
            // Both are at least the smaller one.
            pending.extend(op.operands());
        } else if op.kind() == OpKind::ArithExtSI || op.kind() == OpKind::ArithMulI && positive(1).is_some() {
            pending.push(op.operand(0));
        } else if op.kind() == OpKind::ArithDivSI
            && let Some(divisor) = positive(1)
        {
            // What is divided is at least the divisor where the quotient is above zero, also before less than the divisor was added.
            pending.push(op.operand(0));
            pending.extend(less_at_most(op.operand(0), divisor));
        }
    }
    said
}

/// `x` of `x + c` with a constant `c` of at most `most`.
fn less_at_most(sum: Value<'_>, most: i64) -> Option<Value<'_>> {
    let op = sum.defining_op().filter(|op| op.kind() == OpKind::ArithAddI)?;
    match (op.operand(0).constant_int(), op.operand(1).constant_int()) {
        (None, Some(added)) if added <= most => Some(op.operand(0)),
        (Some(added), None) if added <= most => Some(op.operand(1)),
        _ => None,
    }
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
