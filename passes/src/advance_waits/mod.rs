//! Lets an iteration of a pipelined loop wait for its copies at the end of the one before.
//!
//! The pipeliner leaves a wait for copies at the start of the body, and the copies of later iterations at its end. Then there
//! are two barriers per iteration: behind the wait, because the copies of all threads must be there, and before the copies, because all threads
//! must have finished with the buffer that they fill. When the wait moves to just before the copies, one barrier serves both.
//!
//! The price is that a copy is only issued when the one before has arrived, so that fewer bytes are under way. Loops whose dots run into the
//! next iteration are short, and would starve; in loops that wait for a dot and work on it, as attention does, the barriers cost more
//! ([measurements](../../../docs/measurements.md#a-cta-that-finishes-its-dots-waits-for-copies-one-iteration-early)).
//!
//! So does a loop whose iteration multiplies once and loads nothing else, or would have no copy under way behind the wait ([`lives_on_copies`]): its wait
//! stays, too. So does that of an iteration that multiplies several times, if no product needs another one and it loads scales alone. With one group of warps, whose
//! barriers cost least, it also stays where nothing is left to do while it lasts ([`waits_idly`]).
//! And where a multiprocessor has no other group of warps ([`is_only_group`]), it stays if no copy would be under way behind it: then the copies of an
//! iteration are asked for when those of the one before are there, and nobody computes meanwhile.
//!
//! With one group of warps that has others beside it, it stays for the same reason, unless the iteration reduces, as a softmax does ([`reduces`]), or has
//! a buffer to spare: copies have two iterations to arrive instead of one, which is worth more than the barrier where the iteration is short.
//!
//! A wait leaves the `num` groups committed last under way. At the end of the body the groups of this iteration are not yet committed, so as
//! many fewer may be left; where there are none to leave out, the copies waited for are only just issued, and the wait stays where it is.
//!
//! Where every ring has a buffer to spare (`assign-latencies`), wait and copies go on to the first dot of the next iteration: the barrier and the
//! copies come while it runs, and the second dot of the iteration before may run, too, since copies fill the buffer of the iteration before that
//! one. No group of warps then waits for another before it multiplies. Where each CTA has one group of warps, and others run beside it, only the copies go
//! there, and the wait stays: each copy has an iteration more to arrive ([`behind_dot`]). The second dot starts in steps
//! ([`BY_STEP`](crate::attributes::BY_STEP)), so that it and the exponentials before it overlap. With several groups of warps so do others that
//! need no wait between their steps, wherever the copies are waited for ([`by_step`]).
//!
//! 1. Find the loops.  2. Say whether the wait goes, where, and what it leaves under way.  3. Move it, with a copy before the loop for the first
//!    iteration, or the copies.

mod behind_dot;
mod by_step;

use crate::analysis::few_warps::brought_warps;
use crate::analysis::scaled_products::{is_scale, products_are_apart};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::is_dot;
use crate::{Pass, PassContext};
use behind_dot::BehindDot;
use tk_diag::Result;
use tk_ir::ops::ForOp;
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Value};
use tk_target::WARPS_PER_GROUP;

/// The pass.
pub const PASS: Pass = Pass { name: "advance-waits", summary: "wait for copies one iteration early", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let warp_groups = WarpGroups::of(require_ttg(module)?.num_warps, cx);
    for function in module.functions() {
        let plans: Vec<Plan<'_>> = loops_of(function).filter_map(|view| Plan::of(view, warp_groups)).collect();
        plans.into_iter().for_each(Plan::apply);
        match warp_groups {
            WarpGroups::Several => loops_of(function).for_each(by_step::mark),
            WarpGroups::Only | WarpGroups::One => {}
        }
    }
    Ok(())
}

/// What happens in a loop.
enum Plan<'c> {
    /// It waits earlier.
    Wait(AdvancedWait<'c>),
    /// The copies go behind the first dot, and the wait stays.
    Copies { wait: Op<'c>, behind: BehindDot<'c> },
}

impl<'c> Plan<'c> {
    fn of(view: ForOp<'c>, warp_groups: WarpGroups) -> Option<Self> {
        let mut advanced = AdvancedWait::of(view, warp_groups)?;
        let is_enough = |behind: &BehindDot<'c>| behind.needs_one_barrier(view, advanced.wait);
        let stays = warp_groups == WarpGroups::One && advanced.behind_dot.as_ref().is_some_and(is_enough);
        match advanced.behind_dot.take_if(|_| stays) {
            Some(behind) => Some(Self::Copies { wait: advanced.wait, behind }),
            None => Some(Self::Wait(advanced)),
        }
    }

    fn apply(self) {
        match self {
            Self::Wait(advanced) => advanced.apply(),
            Self::Copies { wait, behind } => behind.apply_behind(wait),
        }
    }
}

struct AdvancedWait<'c> {
    view: ForOp<'c>,
    wait: Op<'c>,
    /// The first copy of the body.
    copy: Op<'c>,
    /// What the wait of the next iteration waits for.
    next: Vec<Value<'c>>,
    /// Groups that it leaves under way.
    pending: i64,
    behind_dot: Option<BehindDot<'c>>,
}

/// Behind this wait no dot is under way.
fn finishes_dots(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TtngWarpGroupDotWait && op.int_attr("pendings") == Some(0)
}

/// Behind the wait for its products the body multiplies no more, and all of its memory comes by copies, or no copy would be under way behind the wait for
/// them. Such an iteration is short, and its one product starts with what is waited for: a copy that is only issued when the one before has
/// arrived would bound it by the latency of memory.
/// The same is true of several products that do not need each other, beside loads of scales alone.
/// Where several groups of warps read words of an operand from shared memory first, as those of tf32 by columns, they meet before that, and the wait is
/// better over by then, if copies run on behind it (`pending` groups of them).
fn lives_on_copies(view: ForOp<'_>, pending: i64, warp_groups: WarpGroups) -> bool {
    let ops = view.body().ops();
    let multiplies_again = ops.iter().skip_while(|op| !finishes_dots(op)).any(|op| is_dot(*op));
    let loads = ops.iter().flat_map(|op| op.descendants()).any(|op| op.kind() == OpKind::TtLoad);
    let is_words = |op: &Op<'_>| op.kind() == OpKind::TtgLocalLoad && op.result(0).ty().element_bits() == 32;
    let reads_words = warp_groups == WarpGroups::Several && pending > 0 && ops.iter().any(is_words);
    let is_other = |op: &Op<'_>| op.kind() == OpKind::TtLoad && !is_scale(view, *op);
    let loads_scales = || loads && !view.op.descendants().iter().any(is_other);
    let multiplies_in_turn = || loads_scales() && products_are_apart(view);
    (!multiplies_again || multiplies_in_turn()) && (!loads || pending == 0) && !reads_words
}

/// Nothing is left to do while the wait lasts at the end of the body: no product is under way. Or there is more to do at its start: what is loaded
/// there into registers is waited for at the same time.
fn waits_idly(view: ForOp<'_>) -> bool {
    let ops = view.body().ops();
    let loads = || view.op.descendants().into_iter().any(|op| op.kind() == OpKind::TtLoad);
    let behind = ops.iter().rev().take_while(|op| !finishes_dots(op));
    !behind.into_iter().any(|op| is_dot(*op)) || loads()
}

/// The iteration combines elements of a tensor, as a softmax does: arithmetic waits for that, and the iteration takes longer.
fn reduces(view: ForOp<'_>) -> bool {
    view.op.descendants().into_iter().any(|op| matches!(op.kind(), OpKind::TtReduce | OpKind::TtScan))
}

/// Groups of warps of a CTA, which multiply together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WarpGroups {
    /// One, and the multiprocessor has no other.
    Only,
    /// One in each CTA.
    One,
    Several,
}

impl WarpGroups {
    fn of(num_warps: u32, cx: &PassContext) -> Self {
        if num_warps > WARPS_PER_GROUP {
            Self::Several
        } else if is_only_group(num_warps, cx) {
            Self::Only
        } else {
            Self::One
        }
    }

    /// Whether the wait stays where it is. At its new place it would leave `pending` groups of copies under way.
    fn keep_wait(self, view: ForOp<'_>, pending: i64, behind_dot: Option<&BehindDot<'_>>) -> bool {
        let is_idle = || behind_dot.is_none() && waits_idly(view);
        match self {
            Self::Only => pending == 0 || is_idle(),
            Self::One => is_idle() || (pending == 0 && behind_dot.is_none() && !reduces(view)),
            Self::Several => false,
        }
    }
}

/// The grid brings no more than one group of warps to a multiprocessor: while that waits nothing else runs there.
pub(crate) fn is_only_group(num_warps: u32, cx: &PassContext) -> bool {
    brought_warps(num_warps, cx).is_some_and(|warps| warps <= WARPS_PER_GROUP)
}

impl<'c> AdvancedWait<'c> {
    fn of(view: ForOp<'c>, warp_groups: WarpGroups) -> Option<Self> {
        let is_copying = |op: &Op<'c>| {
            use OpKind::*;
            matches!(op.kind(), TtgAsyncWait | TtgAsyncCopyGlobalToLocal | TtgAsyncCommitGroup)
        };
        // Copies inside of branches cannot be counted.
        let all: Vec<Op<'c>> = view.op.descendants().into_iter().filter(is_copying).collect();
        if all.iter().any(|op| op.block() != Some(view.body())) {
            return None;
        }
        let (&wait, rest) = all.split_first()?;
        let is_only_wait =
            wait.kind() == OpKind::TtgAsyncWait && rest.iter().all(|op| op.kind() != OpKind::TtgAsyncWait);
        let copy = *rest.first()?;
        if rest.iter().all(|op| op.kind() != OpKind::TtgAsyncCopyGlobalToLocal) {
            // All copies have been started before the loop: there is one barrier as it is.
            return None;
        }
        let groups = rest.iter().filter(|op| op.kind() == OpKind::TtgAsyncCommitGroup).count();
        let pending = wait.int_attr("num")? - i64::try_from(groups).ok()?;
        let next: Option<Vec<Value<'c>>> = wait.operands().into_iter().map(|token| in_next(view, token)).collect();
        if !view.body().ops().iter().any(finishes_dots) || lives_on_copies(view, pending, warp_groups) {
            return None;
        }
        let is_possible = is_only_wait && pending >= 0 && wait.results().iter().all(|token| !token.has_uses());
        let per_iteration = i64::try_from(groups).ok()?.max(1);
        let behind_dot = BehindDot::of(view, rest, wait.int_attr("num")? / per_iteration + 1);
        if warp_groups.keep_wait(view, pending, behind_dot.as_ref()) {
            return None;
        }
        is_possible.then_some(Self { view, wait, copy, next: next?, pending, behind_dot })
    }

    fn apply(self) {
        let first: Vec<Value<'c>> = self.wait.operands().into_iter().map(|token| in_first(self.view, token)).collect();
        let mut outside = Builder::before(self.view.op).with_location(self.wait.loc());
        let left = self.wait.int_attr("num").unwrap_or(0);
        wait(&mut outside, &first, left);
        // Without it the first iteration's meeting would be in the body, for every iteration.
        outside.insert(OpSpec::new(OpKind::GpuBarrier));
        let anchor = match &self.behind_dot {
            Some(behind) => behind.finish,
            None => self.copy,
        };
        wait(&mut Builder::before(anchor).with_location(self.wait.loc()), &self.next, self.pending);
        if let Some(behind) = self.behind_dot {
            behind.apply();
        }
        self.wait.erase();
    }
}

fn wait<'c>(builder: &mut Builder<'c>, tokens: &[Value<'c>], num: i64) {
    let context = builder.context();
    let num = ("num", context.i32_attr(num as i32));
    builder.create(OpKind::TtgAsyncWait, tokens, &[context.token()], &[num]);
}

/// The value that `value` is one iteration later, when that is known at the start of this one.
fn in_next<'c>(view: ForOp<'c>, value: Value<'c>) -> Option<Value<'c>> {
    let Some((_, index)) = value.block_argument().filter(|(block, _)| *block == view.body()) else {
        return is_outside(view, value).then_some(value);
    };
    let next = view.yield_op().operand(index.checked_sub(1)?);
    let is_known = next.block_argument().is_some_and(|(block, _)| block == view.body()) || is_outside(view, next);
    is_known.then_some(next)
}

/// The value that `value`, which [`in_next`] knows, is in the first iteration.
fn in_first<'c>(view: ForOp<'c>, value: Value<'c>) -> Value<'c> {
    let own = value.block_argument().filter(|(block, index)| *block == view.body() && *index > 0);
    own.map_or(value, |(_, index)| view.init_args()[index - 1])
}

fn is_outside<'c>(view: ForOp<'c>, value: Value<'c>) -> bool {
    match value.defining_op() {
        Some(op) => !view.op.contains(op),
        None => {
            value.parent_block().and_then(|block| block.parent_op()).is_some_and(|parent| !view.op.contains(parent))
        }
    }
}
