//! Copies for iterations that a loop never has.
//!
//! A loop that has at most as many iterations as its copies run ahead starts all of them before it begins. What its body would copy belongs to iterations
//! that do not exist: the copy of iteration `i + d` stands in iteration `i`, and `d` is past the end. A mask that is false everywhere keeps such a copy from
//! reading memory, but not from taking its instructions, a barrier of all warps before it, and a buffer.
//!
//! So the copy is not written. No buffer is filled twice then, and a ring has no more of them than there are iterations. The group of the copy stays,
//! with nothing in it: waits count groups, and let those of later iterations be under way.
//!
//! True for copies by threads (`cp.async`), where the number of iterations is known or has a known limit ([`iterations_before_loop`]). A copy by TMA that does
//! nothing is a condition of one thread, and stays
//! ([measurements](../../../docs/measurements.md#copies-of-iterations-that-do-not-exist-are-not-written)).

use crate::analysis::iterations::iterations_before_loop;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};

/// A copy by threads for iteration number `iteration` of the loop, or for one so many iterations ahead, which the loop never has. Nothing but groups knows
/// of it.
pub(super) fn is_past_end(copy: Op<'_>, view: ForOp<'_>, iteration: u32) -> bool {
    let is_group = |(user, _): (Op<'_>, usize)| user.kind() == OpKind::TtgAsyncCommitGroup;
    copy.kind() == OpKind::TtgAsyncCopyGlobalToLocal
        && iterations_before_loop(view, iteration.into()).is_some()
        && copy.results().into_iter().all(|token| token.users().into_iter().all(is_group))
}

/// The buffers of a ring that would have `wanted`, and whose copies run `ahead` iterations before the last stage.
pub(super) fn buffers_of_ring(view: ForOp<'_>, ahead: u32, wanted: u32) -> u32 {
    let iterations = iterations_before_loop(view, ahead.into()).and_then(|most| u32::try_from(most).ok());
    iterations.map_or(wanted, |iterations| wanted.min(iterations))
}

/// Takes the copies that are not written out of `written`, which is `group` for iteration number `iteration`.
pub(super) fn leave_out_copies<'c>(group: Op<'c>, written: Op<'c>, view: ForOp<'c>, iteration: u32) {
    if group.kind() != OpKind::TtgAsyncCommitGroup {
        return;
    }
    let is_left_out = |token: &Value<'c>| token.defining_op().is_some_and(|copy| is_past_end(copy, view, iteration));
    let tokens = group.operands().into_iter().zip(written.operands());
    let kept: Vec<Value<'c>> = tokens.filter(|(own, _)| !is_left_out(own)).map(|(_, token)| token).collect();
    written.set_operands(&kept);
}
