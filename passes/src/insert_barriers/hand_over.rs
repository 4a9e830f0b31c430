//! The hand-over of warp groups (`split-barriers`) is removed where a barrier of both groups would stand while one group holds the tensor cores:
//! the group that waits for them never comes to that barrier. A hand-over only says who multiplies first, so a loop without it computes the same.

use super::effects::bytes_of;
use crate::control_flow::loops_of;
use crate::operations::memory::{SharedMemory, shared_memory};
use tk_ir::{Op, OpKind};

/// Removes the hand-over of loops with a barrier of both groups while one of the groups holds the tensor cores.
pub(super) fn remove_where_barriers_are(function: Op<'_>) {
    for view in loops_of(function) {
        let ops = view.body().ops();
        let own: Vec<usize> = (0..ops.len()).filter(|at| is_hand_over(&ops[*at])).collect();
        let [give, take] = own[..] else { continue };
        if ops[..give].iter().chain(&ops[take..]).all(|op| is_quiet(*op)) {
            continue;
        }
        let before = std::iter::successors(view.op.prev(), |op| op.prev()).filter(is_hand_over).take(2);
        let behind = std::iter::successors(view.op.next(), |op| op.next()).find(is_hand_over);
        let all: Vec<Op<'_>> = before.chain(behind).chain([ops[give], ops[take]]).collect();
        all.into_iter().for_each(Op::erase);
    }
}

fn is_hand_over(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TkWaitHandOver || op.kind() == OpKind::TkHandOver
}

/// Code generation puts no barrier there.
fn is_quiet(op: Op<'_>) -> bool {
    let meets = matches!(shared_memory(op.kind()), SharedMemory::Barrier | SharedMemory::Call);
    !meets && op.regions().is_empty() && bytes_of(op).is_none()
}
