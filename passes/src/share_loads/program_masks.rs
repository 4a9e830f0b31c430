//! Selections in loops by a truth value of the whole program.
//!
//! Sums that torch.compile writes keep what they had where a mask is false: `sum = where(row & column, sum + x, sum)`. A program has one row, so the first
//! half of the mask is true of all its elements, or of none of them, and then nothing is stored. Where the loop is copied, the first sum is a number: LLVM
//! made one selection of those of `x`, the row and the sum, by another truth value than in the other copies, and ptxas waited for these loads before it
//! issued the last ones.
//!
//! `select(p & q, x, y)` is `select(q, x, y)`, and `select(p, x, y)` is `x`, where `y` is what a loop carries, `p` is one truth value, computed outside of
//! loops and branches, and all that is made of the result is stored under masks that `p` is a part of. True through loops, arithmetic on elements,
//! reductions and changes of shape; division of integers aside, which must not divide by what the selection keeps away.
//!
//! Selections outside of loops stay: they are one instruction for each element, and without them ptxas takes other numbers of registers, more or fewer.
//!
//! So do those of which a part is left, in loops that store under the whole condition: it is needed behind the selection in any case, which is one instruction
//! by either, and a thread would have a second truth value to keep.
//!
//! 1. Parts of conditions that hold for a program.  2. Follow the result to what is stored.  3. Leave the parts out.

use crate::control_flow::flows_into;
use crate::masked_values::parts_of;
use crate::operations::computations::computation;
use crate::operations::control::is_loop;
use crate::operations::divides_integers;
use rustc_hash::FxHashSet;
use tk_ir::{Builder, Op, OpKind, Value};

/// Uses of what is made of a selection that are looked at.
const MOST_USES: usize = 256;

/// Leaves such parts out of the selections of a function.
pub(super) fn leave_out(function: Op<'_>) {
    let keeps = |op: &Op<'_>| op.kind() == OpKind::ArithSelect && loop_of(op.operand(2)).is_some();
    for select in function.descendants().into_iter().filter(keeps) {
        let needless: Vec<Value<'_>> = parts_of(select.operand(0))
            .into_iter()
            .filter(|part| of_program(*part, function).is_some_and(|truth| is_stored_under(select.result(0), truth)))
            .collect();
        if needless.is_empty() || !is_left_out(select.operand(0), &needless) && is_stored_in_loop(select, &needless) {
            continue;
        }
        match without(select.operand(0), &needless, &mut Builder::before(select)) {
            Some(rest) => select.set_operand(0, rest),
            None => {
                select.result(0).replace_all_uses_with(select.operand(1));
                select.erase();
            }
        }
    }
}

/// The loop that carries the value from one iteration to the next.
fn loop_of(value: Value<'_>) -> Option<Op<'_>> {
    value.block_argument().and_then(|(block, _)| block.parent_op()).filter(|around| is_loop(*around))
}

/// Nothing is left of the condition without these parts.
fn is_left_out(condition: Value<'_>, parts: &[Value<'_>]) -> bool {
    parts_of(condition).iter().all(|part| parts.contains(part))
}

/// What the loop of a selection stores has one of these parts in its mask.
fn is_stored_in_loop(select: Op<'_>, parts: &[Value<'_>]) -> bool {
    let is_under = |mask: &Value<'_>| parts_of(*mask).iter().any(|part| parts.contains(part));
    let is_masked = |op: Op<'_>| op.kind() == OpKind::TtStore && op.operands().get(2).is_some_and(is_under);
    loop_of(select.operand(2)).is_some_and(|around| around.descendants().into_iter().any(is_masked))
}

/// The one value that all elements of a part of a mask are, where it does not change while a program runs.
fn of_program<'c>(part: Value<'c>, function: Op<'c>) -> Option<Value<'c>> {
    let truth = part.splat_source().unwrap_or(part);
    let is_one = !truth.ty().is_tensor() || truth.ty().num_elements() == 1;
    let around = match truth.defining_op() {
        Some(made) => made.parent_op(),
        None => truth.block_argument().and_then(|(block, _)| block.parent_op()),
    };
    (is_one && around == Some(function)).then_some(truth)
}

/// All that is made of a value is stored under masks that `truth` is a part of.
fn is_stored_under<'c>(value: Value<'c>, truth: Value<'c>) -> bool {
    let holds = |mask: Value<'c>| {
        let is_it = |part: Value<'c>| part.splat_source() == Some(truth);
        parts_of(mask).into_iter().any(|part| part == truth || is_it(part))
    };
    let (mut pending, mut seen) = (value.users(), FxHashSet::default());
    while let Some((user, operand)) = pending.pop() {
        if !seen.insert((user.id(), operand)) {
            continue;
        }
        let is_selected = || user.kind() == OpKind::ArithSelect && operand == 1 && holds(user.operand(0));
        let is_stored = || {
            user.kind() == OpKind::TtStore && operand == 1 && user.operands().get(2).is_some_and(|mask| holds(*mask))
        };
        if is_selected() || is_stored() {
            continue;
        }
        let carried = flows_into(user, operand);
        if seen.len() > MOST_USES || carried.is_empty() && !is_passed_on(user) {
            return false;
        }
        let made = if carried.is_empty() { user.results() } else { carried };
        pending.extend(made.into_iter().flat_map(Value::users));
    }
    true
}

/// The operation does nothing but give results, whatever it is given.
fn is_passed_on(op: Op<'_>) -> bool {
    let is_computed = |op: Op<'_>| computation(op.kind()).is_element_by_element() && !divides_integers(op.kind());
    if op.kind() == OpKind::TtReduce {
        let mut inner = op.descendants().into_iter().filter(|inner| *inner != op);
        return inner.all(|inner| inner.kind() == OpKind::TtReduceReturn || is_computed(inner));
    }
    let is_repeated = matches!(
        op.kind(),
        OpKind::TtBroadcast | OpKind::TtSplat | OpKind::TtExpandDims | OpKind::TtReshape | OpKind::TtTrans
    );
    is_repeated || is_computed(op)
}

/// A condition without some of its parts; `None` where nothing is left.
fn without<'c>(condition: Value<'c>, parts: &[Value<'c>], builder: &mut Builder<'c>) -> Option<Value<'c>> {
    if parts.contains(&condition) {
        return None;
    }
    let Some(made) = condition.defining_op() else { return Some(condition) };
    if made.kind() == OpKind::TtBroadcast {
        let inner = without(made.operand(0), parts, builder)?;
        return Some(if inner == made.operand(0) { condition } else { builder.broadcast(inner, condition.ty()) });
    }
    if made.kind() != OpKind::ArithAndI {
        return Some(condition);
    }
    let left = without(made.operand(0), parts, builder);
    let right = without(made.operand(1), parts, builder);
    match (left, right) {
        (Some(left), Some(right)) if left == made.operand(0) && right == made.operand(1) => Some(condition),
        (Some(left), Some(right)) => Some(builder.binary(OpKind::ArithAndI, left, right)),
        (left, right) => left.or(right),
    }
}
