//! How often a loop runs: exactly, or at most.

use tk_ir::ops::ForOp;
use tk_ir::{OpKind, Value};

/// The iterations of a loop whose bounds are known.
pub(crate) fn known_iterations(view: ForOp<'_>) -> Option<i64> {
    let [lower, upper, step] = [view.lower_bound(), view.upper_bound(), view.step()].map(Value::constant_int);
    let step = step.filter(|step| *step > 0)?;
    let distance = upper?.checked_sub(lower?)?.max(0);
    Some(distance / step + i64::from(distance % step > 0))
}

/// The iterations that a loop has at most: those of bounds that are known, or of an end that is at most a number behind the start. `None` where neither
/// is known.
pub(crate) fn most_iterations(view: ForOp<'_>) -> Option<i64> {
    let step = view.step().constant_int().filter(|step| *step > 0)?;
    let end = view.upper_bound();
    let of_least = end.defining_op().filter(|op| op.kind() == OpKind::ArithMinSI);
    let ends = of_least.map_or_else(|| vec![end], |op| op.operands());
    let distance = ends.into_iter().filter_map(|end| distance_to(view, end)).min()?.max(0);
    Some(distance / step + i64::from(distance % step > 0))
}

/// The iterations of a loop that are all under way before it where its copies run `ahead` of them: those that it has at most, if these are not more.
pub(crate) fn iterations_before_loop(view: ForOp<'_>, ahead: i64) -> Option<i64> {
    most_iterations(view).map(|most| most.max(1)).filter(|most| *most <= ahead)
}

/// How far an end is behind the start of the loop.
fn distance_to<'c>(view: ForOp<'c>, end: Value<'c>) -> Option<i64> {
    let start = view.lower_bound();
    if let (Some(start), Some(end)) = (start.constant_int(), most(end)) {
        return end.checked_sub(start);
    }
    let sum = end.defining_op().filter(|op| op.kind() == OpKind::ArithAddI && op.operand(0) == start)?;
    sum.operand(1).constant_int()
}

/// What a number is at most, as its operation tells: one of two known numbers, or a truth value (`for once in range(where(is_inside, 1, 0))`).
fn most(value: Value<'_>) -> Option<i64> {
    if let Some(known) = value.constant_int() {
        return Some(known);
    }
    let op = value.defining_op()?;
    if op.kind() == OpKind::ArithSelect {
        return Some(most(op.operand(1))?.max(most(op.operand(2))?));
    }
    let is_truth = op.kind() == OpKind::ArithExtUI && op.operand(0).ty().element_bits() == 1;
    is_truth.then_some(1)
}
