//! The hand-over of warp groups (`split-barriers`) is removed where a barrier of both groups would stand while one group holds the tensor cores:
//! the group that waits for them never comes to that barrier. A turn over the end of an iteration begins before the loop and ends behind it, so
//! barriers beside the loop count. So do those of every iteration: groups that meet cannot be half an iteration apart. A hand-over only says who
//! multiplies first, so a loop without it computes the same.

use super::effects::bytes_of;
use crate::control_flow::loops_of;
use crate::operations::memory::{SharedMemory, shared_memory};
use tk_ir::{Op, OpKind};

/// Removes the hand-over of loops with a barrier of both groups while one of the groups holds the tensor cores, or in every iteration.
pub(super) fn remove_where_barriers_are(function: Op<'_>) {
    for view in loops_of(function) {
        let ops = view.body().ops();
        let own: Vec<usize> = (0..ops.len()).filter(|at| is_hand_over(&ops[*at])).collect();
        // What stands around a loop in this one names the group that gives.
        let gives = |at: &usize| ops[*at].kind() == OpKind::TkHandOver && ops[*at].attr("group").is_none();
        let Some(first) = own.first().filter(|_| own.iter().any(gives)) else { continue };
        // Turns within an iteration, or one over its end: then another take stands before the loop, and a give behind it.
        let starts_in_turn = ops[*first].kind() == OpKind::TkHandOver;
        let is_in_turn = |at: usize| own.iter().filter(|own| **own < at).count() % 2 == usize::from(!starts_in_turn);
        // Branches outside of turns may have barriers: they are not in every iteration.
        let is_quiet_inside = |op: Op<'_>| op.descendants().into_iter().all(is_quiet);
        let body_is_quiet = (0..ops.len()).all(|at| is_quiet(ops[at]) && (!is_in_turn(at) || is_quiet_inside(ops[at])));
        // A turn over the end of an iteration begins before the loop and ends behind it.
        let before_loop = std::iter::successors(view.op.prev(), |op| op.prev()).take_while(|op| !is_hand_over(op));
        let behind_loop = std::iter::successors(view.op.next(), |op| op.next()).take_while(|op| !is_hand_over(op));
        if body_is_quiet && (!starts_in_turn || before_loop.chain(behind_loop).all(is_quiet_inside)) {
            continue;
        }
        let [before, behind] = if starts_in_turn { [2, 1] } else { [1, 0] };
        let before = std::iter::successors(view.op.prev(), |op| op.prev()).filter(is_hand_over).take(before);
        let behind = std::iter::successors(view.op.next(), |op| op.next()).filter(is_hand_over).take(behind);
        let all: Vec<Op<'_>> = before.chain(behind).chain(own.iter().map(|at| ops[*at])).collect();
        all.into_iter().for_each(Op::erase);
    }
}

fn is_hand_over(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TkWaitHandOver || op.kind() == OpKind::TkHandOver
}

/// Code generation puts no barrier there, but perhaps inside of it.
fn is_quiet(op: Op<'_>) -> bool {
    !matches!(shared_memory(op.kind()), SharedMemory::Barrier | SharedMemory::Call) && bytes_of(op).is_none()
}
