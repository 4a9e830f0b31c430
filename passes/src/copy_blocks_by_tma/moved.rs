//! Blocks of pointers or offsets that a loop carries and moves by the same in every iteration, as `a_ptrs += 64` and `b_offsets += 64 * stride` do.

use crate::control_flow::flows_from;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};

/// The part of a sum that a loop carries: none, or one of its terms.
pub(super) struct Moving<'c> {
    view: ForOp<'c>,
    by: Option<Value<'c>>,
}

impl<'c> Moving<'c> {
    /// Nothing, as long as no term is known.
    pub(super) fn none(view: ForOp<'c>) -> Self {
        Self { view, by: None }
    }

    /// A term in the first iteration. `None` where it is the second that the loop carries.
    pub(super) fn at_first(&mut self, term: Value<'c>) -> Option<Value<'c>> {
        let Some((first, by)) = carried(self.view, term) else { return Some(term) };
        self.by.replace(by).is_none().then_some(first)
    }

    /// What every iteration adds for the next one.
    pub(super) fn by(&self) -> Option<Value<'c>> {
        self.by
    }
}

/// A block as it enters the loop that carries it, and what is added to it. Offsets may be extended after they were carried: they are taken not to wrap
/// around.
fn carried<'c>(view: ForOp<'c>, block: Value<'c>) -> Option<(Value<'c>, Value<'c>)> {
    let block = without_hints(block);
    let extension = block.defining_op().filter(|op| op.kind() == OpKind::ArithExtSI);
    let block = extension.map_or(block, |op| without_hints(op.operand(0)));
    if !view.iter_args().contains(&block) {
        return None;
    }
    let [first, next] = flows_from(block)?[..] else { return None };
    let is_sum = |op: &Op<'c>| matches!(op.kind(), OpKind::TtAddPtr | OpKind::ArithAddI);
    let sum = without_hints(next).defining_op().filter(is_sum)?;
    let [left, right] = [sum.operand(0), sum.operand(1)];
    let by = if without_hints(left) == block { right } else { Some(left).filter(|_| without_hints(right) == block)? };
    Some((first, by))
}

/// The value itself, without what hints say of it.
pub(super) fn without_hints(value: Value<'_>) -> Value<'_> {
    match value.defining_op().filter(|op| op.kind() == OpKind::TkHint) {
        Some(hint) => without_hints(hint.operand(0)),
        None => value,
    }
}
