//! Turns of warp groups (`split-barriers`) are taken back where threads of both groups would meet during one: the group that waits for its
//! turn never comes to that meeting. Turns only say who multiplies first, so a loop without them computes the same.

use super::effects::bytes_of;
use crate::control_flow::loops_of;
use tk_ir::{Op, OpKind};

/// Removes the turns of loops in which threads of both groups meet during a turn.
pub(super) fn give_up_where_threads_meet(function: Op<'_>) {
    for view in loops_of(function) {
        let ops = view.body().ops();
        let is_turn = |op: &Op<'_>| matches!(op.kind(), OpKind::TtngTakeTurn | OpKind::TtngGiveTurn);
        let own: Vec<usize> = (0..ops.len()).filter(|at| is_turn(&ops[*at])).collect();
        let [give, take] = own[..] else { continue };
        if ops[..give].iter().chain(&ops[take..]).all(|op| is_quiet(*op)) {
            continue;
        }
        let before = std::iter::successors(view.op.prev(), |op| op.prev()).filter(is_turn).take(2);
        let behind = std::iter::successors(view.op.next(), |op| op.next()).find(is_turn);
        let all: Vec<Op<'_>> = before.chain(behind).chain([ops[give], ops[take]]).collect();
        all.into_iter().for_each(Op::erase);
    }
}

/// Code generation puts no barrier there.
fn is_quiet(op: Op<'_>) -> bool {
    let meets = matches!(op.kind(), OpKind::GpuBarrier | OpKind::TtgBarrier | OpKind::TtCall);
    !meets && op.regions().is_empty() && bytes_of(op).is_none()
}
