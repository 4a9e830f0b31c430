//! Numbers that a loop carries and adds the same to in every iteration, as `offsets += 64` does.

use crate::control_flow::flows_from;
use tk_ir::ops::ForOp;
use tk_ir::{OpKind, Value};

/// A number, or a tensor of numbers, in an iteration: `first + per_count * induction variable`.
pub(super) struct Counted<'c> {
    pub(super) first: Value<'c>,
    pub(super) per_count: i64,
}

impl<'c> Counted<'c> {
    /// `None` for what the loop does not carry, or changes otherwise.
    pub(super) fn of(view: ForOp<'c>, value: Value<'c>) -> Option<Self> {
        if !view.iter_args().contains(&value) || !counts_from_zero(view) {
            return None;
        }
        let [first, next] = flows_from(value)?[..] else { return None };
        let op = next.defining_op()?;
        let (left, right) = (op.operands().first().copied()?, op.operands().get(1).copied()?);
        let way = if op.kind() == OpKind::ArithAddI && (left == value || right == value) {
            if left == value { right.constant_int()? } else { left.constant_int()? }
        } else if op.kind() == OpKind::ArithSubI && left == value {
            right.constant_int()?.checked_neg()?
        } else {
            return None;
        };
        let counts = view.step().constant_int()?;
        let is_narrow = i32::try_from(way).is_ok() && view.induction_var().ty().int_bits() == Some(32);
        (is_narrow && way % counts == 0).then_some(Self { first, per_count: way / counts })
    }
}

/// Whether a loop counts up from 0.
pub(super) fn counts_from_zero(view: ForOp<'_>) -> bool {
    let counts_up = view.step().constant_int().is_some_and(|step| step > 0);
    view.lower_bound().constant_int() == Some(0) && !view.unsigned_cmp() && counts_up
}
