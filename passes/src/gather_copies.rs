//! Lets one branch pass by all copies that an iteration makes for a later one.
//!
//! The last iterations of a pipelined loop have nothing left to copy, and the pipeliner masks their copies ([`SKIPPABLE`]). Masks that hold for all
//! threads alike can as well be a branch, which code generation makes around copies that stand together. It costs no more than the masks, and
//! ptxas keeps the arithmetic of the copies behind it; otherwise it moves that up to between a barrier and the product behind it, into registers
//! that copies under way still read, and the product waits for those.
//!
//! Dots of one warp group take fewer cycles so; several groups, and loops with operands in registers, keep their masks
//! ([measurements](../../docs/measurements.md#one-branch-around-all-copies-is-faster-for-one-warp-group)).
//!
//! Copies by TMA, with what announces them, stand behind a branch in loops whose warp groups take turns: `split-barriers` marks them.
//!
//! 1. Find the loops.  2. Move what stands between their copies, in order: what they are computed from before them, their groups behind them.

use crate::attributes::SKIPPABLE;
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Module, Op, OpKind};
use tk_target::WARPS_PER_GROUP;

/// The pass.
pub const PASS: Pass = Pass { name: "gather-copies", summary: "pass by the copies of a loop in one branch", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    let is_one_group = require_ttg(module)?.num_warps == WARPS_PER_GROUP;
    for function in module.functions() {
        for view in loops_of(function) {
            if !is_one_group || !multiplies_from_shared_memory(view) {
                copies(view).into_iter().filter(|copy| copy.kind() == OpKind::TtgAsyncCopyGlobalToLocal).for_each(
                    |copy| {
                        copy.remove_attr(SKIPPABLE);
                    },
                );
            }
            runs_of_copies(view).into_iter().for_each(gather);
        }
    }
    Ok(())
}

fn multiplies_from_shared_memory(view: ForOp<'_>) -> bool {
    let dots: Vec<WarpGroupDotOp<'_>> = view.op.descendants().into_iter().filter_map(WarpGroupDotOp::cast).collect();
    !dots.is_empty() && dots.iter().all(|dot| dot.a().ty().is_memdesc())
}

/// The copies of the body that may be passed by, in order.
fn copies(view: ForOp<'_>) -> Vec<Op<'_>> {
    view.body().ops().into_iter().filter(|op| op.attr(SKIPPABLE).is_some()).collect()
}

/// Copies with nothing between them but what they are computed from and their groups.
fn runs_of_copies(view: ForOp<'_>) -> Vec<Vec<Op<'_>>> {
    let mut runs: Vec<Vec<Op<'_>>> = Vec::new();
    let mut is_open = false;
    for op in view.body().ops() {
        if op.attr(SKIPPABLE).is_some() {
            match runs.last_mut().filter(|_| is_open) {
                Some(run) => run.push(op),
                None => runs.push(vec![op]),
            }
            is_open = true;
        } else if !may_stand_between(op) {
            is_open = false;
        }
    }
    runs
}

fn may_stand_between(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtgAsyncCommitGroup | OpKind::TtgMemDescIndex)
        || op.is_memory_effect_free() && op.num_regions() == 0
}

/// Moves the copies of a run down to its last one, and their groups behind it.
fn gather(run: Vec<Op<'_>>) {
    let Some((&last, earlier)) = run.split_last() else { return };
    let Some(&first) = earlier.first() else { return };
    let between = std::iter::successors(Some(first), |op| op.next()).take_while(|op| *op != last);
    let groups: Vec<Op<'_>> = between.filter(|op| op.kind() == OpKind::TtgAsyncCommitGroup).collect();
    // From the last to the first, each right behind the last copy, so that they stay in order.
    groups.into_iter().rev().for_each(|group| group.move_after(last));
    earlier.iter().for_each(|copy| copy.move_before(last));
}
