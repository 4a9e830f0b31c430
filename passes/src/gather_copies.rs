//! Lets one branch pass by all copies that an iteration makes for a later one.
//!
//! The last iterations of a pipelined loop have nothing left to copy, and the pipeliner masks their copies ([`SKIPPABLE`]). Masks that hold for all
//! threads alike can as well be a branch, which code generation makes around copies that stand together. It costs no more than the masks, and
//! ptxas keeps the arithmetic of the copies behind it; otherwise it moves that up to between a barrier and the product behind it, into registers
//! that copies under way still read, and the product waits for those.
//!
//! Dots of one warp group take fewer cycles so; several groups, and loops with operands in registers, keep their masks
//! ([measurements](../../docs/measurements.md#one-branch-around-all-copies-is-faster-for-one-warp-group)). Loops with products by `mma.sync` get the
//! branch where they copy much for each of them: ptxas moves instructions of copies between products that are masked, and none across a branch.
//!
//! Copies by TMA, with what announces them, stand behind a branch in loops whose warp groups take turns: `split-barriers` marks them.
//!
//! 1. Find the loops.  2. Move what stands between their copies, in order: what they are computed from before them, their groups behind them.

use crate::analysis::dot_work::instructions_of_warp;
use crate::analysis::{AxisFacts, axis_info};
use crate::attributes::SKIPPABLE;
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::encodings::elements_per_thread;
use crate::vectorize_memory::width_of;
use crate::{Pass, PassContext};
use std::cell::OnceCell;
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Module, Op, OpKind};
use tk_target::WARPS_PER_GROUP;

/// The pass.
pub const PASS: Pass = Pass { name: "gather-copies", summary: "pass by the copies of a loop in one branch", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let is_one_group = require_ttg(module)?.num_warps == WARPS_PER_GROUP;
    for function in module.functions() {
        let facts = OnceCell::new();
        for view in loops_of(function) {
            let copies = async_copies(view);
            let is_better = match Products::of(view) {
                Products::None => false,
                Products::ByWarpGroups { from_shared_memory } => is_one_group && from_shared_memory,
                Products::ByWarps { instructions } => {
                    !copies.is_empty()
                        && instructions_of(&copies, facts.get_or_init(|| axis_info(function)), cx)
                            .saturating_mul(MOST_PRODUCTS_FOR_A_COPY)
                            >= instructions
                }
            };
            if !is_better {
                copies.iter().for_each(|copy| {
                    copy.remove_attr(SKIPPABLE);
                });
            }
            runs_of_copies(view).into_iter().for_each(gather);
        }
    }
    Ok(())
}

/// The `mma.sync` of a warp for each copy of a thread, at most, with which a branch is better than masks: 59 recorded launches are 2.5 % faster in the
/// mean, the best 19 %, one 2.5 % slower; 102 with fewer copies are level in the mean, 17 of them 2 to 9 % slower
/// ([measurements](../../docs/measurements.md#one-branch-around-many-copies-beside-mmasync)).
const MOST_PRODUCTS_FOR_A_COPY: i64 = 2;

/// How a loop multiplies.
enum Products {
    None,
    ByWarpGroups {
        /// All of them read their left operands there.
        from_shared_memory: bool,
    },
    ByWarps {
        /// Matrix instructions of a warp in an iteration.
        instructions: i64,
    },
}

impl Products {
    fn of(view: ForOp<'_>) -> Self {
        let inside = view.op.descendants();
        let groups: Vec<WarpGroupDotOp<'_>> = inside.iter().copied().filter_map(WarpGroupDotOp::cast).collect();
        let instructions: i64 = view.body().ops().into_iter().map(instructions_of_warp).sum();
        if !groups.is_empty() {
            Self::ByWarpGroups { from_shared_memory: groups.iter().all(|dot| dot.a().ty().is_memdesc()) }
        } else if instructions > 0 {
            Self::ByWarps { instructions }
        } else {
            Self::None
        }
    }
}

/// Copies of a thread in an iteration.
fn instructions_of(copies: &[Op<'_>], facts: &AxisFacts, cx: &PassContext) -> i64 {
    let each = |copy: &Op<'_>| {
        elements_per_thread(copy.operand(0).ty()) / i64::from(width_of(*copy, facts, &cx.target).max(1))
    };
    copies.iter().map(each).sum()
}

/// The copies without TMA that may be passed by.
fn async_copies(view: ForOp<'_>) -> Vec<Op<'_>> {
    copies(view).into_iter().filter(|copy| copy.kind() == OpKind::TtgAsyncCopyGlobalToLocal).collect()
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
