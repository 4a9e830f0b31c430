//! Lets a warp group issue the copies of later iterations in the middle of its product.
//!
//! In a loop whose product by `wgmma` runs into the next iteration, the pipeliner leaves everything else in one place: behind the product
//! come the wait for the one before, a barrier, the copies, the wait for earlier copies, another barrier, and only then the next product.
//! Where a CTA is a single warp group, no other keeps the tensor cores busy at its barriers and copies. So its dot is cut in two along K,
//! and the wait and the copies stand between the halves: copies are issued earlier, and each half covers a part of what else there is to do.
//!
//! Where this pays ([measurements](../../docs/measurements.md#copies-between-the-halves-of-a-dot-pay-for-one-warp-group)):
//!
//! - A half of one instruction is over before the next is issued, and the wait in the middle is for the half before it. Every half has at
//!   least two.
//! - Several groups cover each other, and their dots stay whole.
//! - All warps issue their first half right behind a barrier, so little should be left to compute there. The place of the buffers in their
//!   rings is counted at the end of the iteration before ([`rotate`]), and code generation makes descriptors of it by one addition.
//!
//! Products that take their left operand from registers (decision 11) are finished in their iteration and stay whole. They count ahead, too,
//! where they read their words between their instructions ([`READ_BETWEEN_COLUMNS`]).
//!
//! 1. Find loops with one product that stays in flight, and copies behind it.  2. Cut it.  3. Move what is behind the wait between the
//!    halves.  4. Count ahead.

use crate::cloning::{Mapping, copy_ops};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};
use tk_layout::Encoding;
use tk_target::{READ_BETWEEN_COLUMNS, WARPS_PER_GROUP};

/// The pass.
pub const PASS: Pass =
    Pass { name: "interleave-copies", summary: "issue the copies of a loop between the halves of its product", run };

/// Bits of K that one `wgmma` sums over.
const STEP_BITS: i64 = 256;
/// Instructions per half, at least.
const MIN_STEPS: i64 = 2;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    let warps = require_ttg(module)?.num_warps;
    if warps < WARPS_PER_GROUP {
        return Ok(());
    }
    for function in module.functions() {
        loops_of(function).for_each(count_ahead_of_transposed_dots);
        if warps == WARPS_PER_GROUP {
            let plans: Vec<CutDot<'_>> = loops_of(function).filter_map(CutDot::of).collect();
            plans.into_iter().for_each(CutDot::apply);
        }
    }
    Ok(())
}

struct CutDot<'c> {
    view: ForOp<'c>,
    dot: WarpGroupDotOp<'c>,
    /// Waits for the product of the iteration before.
    wait: Op<'c>,
    /// The last operation that issues copies.
    last_copy: Op<'c>,
}

impl<'c> CutDot<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let (ops, inner) = (view.body().ops(), view.op.descendants());
        let only = |ops: &[Op<'c>], kind: OpKind| {
            let mut found = ops.iter().filter(|op| op.kind() == kind);
            found.next().copied().filter(|_| found.next().is_none())
        };
        // Branches behind the copies may wait for the product.
        let wait = only(&ops, OpKind::TtngWarpGroupDotWait)?;
        let dot = only(&inner, OpKind::TtngWarpGroupDot).and_then(WarpGroupDotOp::cast)?;
        // A group may have no copies, where all of them have been started before the loop.
        let has_copies = |op: &Op<'c>| op.kind() == OpKind::TtgAsyncCommitGroup && op.num_operands() > 0;
        let last_copy = ops.iter().copied().rfind(has_copies)?;
        // What is copied to may need what was copied before, such as indices: the second half should not wait for that.
        let waits = ops.iter().filter(|op| op.kind() == OpKind::TtgAsyncWait);
        if waits.into_iter().any(|other| wait.is_before_in_block(*other)) {
            return None;
        }
        let plan = Self { view, dot, wait, last_copy };
        (plan.runs_on() && plan.can_be_cut()).then_some(plan)
    }

    /// The product runs into the next iteration, and nobody looks at its result before the copies were issued.
    fn runs_on(&self) -> bool {
        let Self { view, dot, wait, last_copy } = self;
        let is_in_body = dot.op.block() == Some(view.body()) && wait.is_before_in_block(*last_copy);
        let result = dot.op.result(0);
        let is_in_flight = dot.is_async() && wait.int_attr("pendings") == Some(1) && wait.operand(0) == result;
        let is_later = |(user, _): (Op<'c>, usize)| {
            user.ancestor_in(view.body()).is_some_and(|own| last_copy.is_before_in_block(own))
        };
        let only_wait = |(user, _): (Op<'c>, usize)| user == *wait;
        is_in_body
            && is_in_flight
            && result.users().into_iter().all(only_wait)
            && wait.result(0).users().into_iter().all(is_later)
    }

    fn can_be_cut(&self) -> bool {
        let (a, b) = (self.dot.a().ty(), self.dot.b().ty());
        let has_all_terms =
            self.dot.op.inside().and_then(|inside| inside.terms()).is_none_or(|terms| terms >= a.shape()[1]);
        has_all_terms
            && a.is_memdesc()
            && b.is_memdesc()
            && a.shape()[1] * i64::from(a.element_bits()) >= 2 * MIN_STEPS * STEP_BITS
    }

    fn apply(self) {
        let Self { view, dot, wait, last_copy } = self;
        let buffers = [dot.a(), dot.b()];
        let half = dot.a().ty().shape()[1] / 2;
        let mut before = Builder::before(dot.op);
        let [first, second] = [0, half].map(|start| {
            let a = part(&mut before, dot.a(), 1, start, half);
            [a, part(&mut before, dot.b(), 0, start, half)]
        });
        // Behind the copies everybody sees the second half's result. Whether the accumulators count is the first half's question.
        let (sums, ty, attributes) = (wait.result(0), dot.op.result(0).ty(), dot.op.attrs());
        let operands = [second[0], second[1], sums];
        let mut behind = Builder::after(last_copy).with_location(dot.op.loc());
        let second_half = behind.create(OpKind::TtngWarpGroupDot, &operands, &[ty], &attributes);
        sums.replace_all_uses_except(second_half.result(0), &[second_half]);
        first.into_iter().enumerate().for_each(|(index, part)| dot.op.set_operand(index, part));
        buffers.into_iter().filter_map(place_in_ring).for_each(|place| rotate(view, place));
    }
}

/// A product with its left operand in registers ends with its iteration, so the tensor cores idle from there to the next product: its operands are
/// found by a number that was counted before. Only those count ahead whose dot reads its words itself.
fn count_ahead_of_transposed_dots(view: ForOp<'_>) {
    let is_transposed = |dot: &WarpGroupDotOp<'_>| {
        dot.is_async()
            && reads_between(dot)
            && dot.a().defining_op().is_some_and(|op| op.kind() == OpKind::TtgLocalLoad)
    };
    for dot in view.body().ops().into_iter().filter_map(WarpGroupDotOp::cast).filter(is_transposed) {
        let read = dot.a().defining_op().map(|load| load.operand(0));
        let places: Vec<Value<'_>> = read.into_iter().chain([dot.b()]).filter_map(place_in_ring).collect();
        places.into_iter().for_each(|place| rotate(view, place));
    }
}

/// The instructions of the product are wide enough for what is read between them.
fn reads_between(dot: &WarpGroupDotOp<'_>) -> bool {
    let layout = dot.op.result(0).ty().layout();
    layout.is_some_and(
        |layout| matches!(&*layout, Encoding::NvidiaMma(mma) if mma.instr_shape[1] >= READ_BETWEEN_COLUMNS),
    )
}

/// The number of the buffer that an operand of the product is, in its ring.
fn place_in_ring(mut memory: Value<'_>) -> Option<Value<'_>> {
    loop {
        let op = memory.defining_op()?;
        if op.kind() == OpKind::TtgMemDescIndex {
            return Some(op.operand(1));
        }
        memory = (op.kind() == OpKind::TtgMemDescTrans).then(|| op.operand(0))?;
    }
}

/// Lets an iteration find `count` among the values that the loop carries, where it was computed from the one before: then the end of each
/// iteration computes it for the next, and the first one's is computed before the loop.
fn rotate<'c>(view: ForOp<'c>, count: Value<'c>) {
    rotate_together(view, &[count], view.yield_op());
}

/// The same for several counts that are computed together, in front of `place`. False, and nothing is changed, where there is more to them.
pub(crate) fn rotate_together<'c>(view: ForOp<'c>, counts: &[Value<'c>], place: Op<'c>) -> bool {
    let yielded = view.yielded();
    let indices: Option<Vec<usize>> =
        counts.iter().map(|count| yielded.iter().position(|value| value == count)).collect();
    let Some(indices) = indices else { return false };
    let carried: Vec<Value<'c>> = indices.iter().map(|index| view.iter_args()[*index]).collect();
    let Some(steps) = steps_from(view, &carried, counts) else { return false };
    let is_ours = |user: &Op<'c>| steps.contains(user);
    let is_apart = |value: Value<'c>| value.users().iter().all(|(user, _)| is_ours(user));
    let mut inner = steps.iter().flat_map(|op| op.results()).filter(|value| !counts.contains(value));
    let are_apart = carried.iter().all(|value| is_apart(*value)) && inner.all(is_apart);
    if indices.iter().any(|index| view.results()[*index].has_uses()) || !are_apart {
        return false;
    }
    let mut mapping = Mapping::default();
    for (carried, index) in carried.iter().zip(&indices) {
        mapping.insert(*carried, view.init_args()[*index]);
    }
    copy_ops(&steps, &mut Builder::before(view.op), &mut mapping, |location| location);
    let first_carried = view.op.num_operands() - view.iter_args().len();
    for ((count, carried), index) in counts.iter().zip(&carried).zip(&indices) {
        view.op.set_operand(first_carried + index, mapping.get(*count));
        count.replace_uses_if(*carried, |user, _| user != view.yield_op() && !is_ours(&user));
    }
    steps.iter().for_each(|op| op.move_before(place));
    true
}

/// The operations of the body, in order, that compute `counts` from `carried` and from what lies outside; `None` when there is more to it.
fn steps_from<'c>(view: ForOp<'c>, carried: &[Value<'c>], counts: &[Value<'c>]) -> Option<Vec<Op<'c>>> {
    let body = view.body();
    let (mut steps, mut pending) = (Vec::new(), counts.to_vec());
    while let Some(value) = pending.pop() {
        if carried.contains(&value) || value.parent_block() != Some(body) {
            continue;
        }
        let op = value.defining_op().filter(|op| op.is_memory_effect_free() && op.num_regions() == 0)?;
        if !steps.contains(&op) {
            steps.push(op);
            pending.extend(op.operands());
        }
    }
    steps.sort_by(|a, b| if a.is_before_in_block(*b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater });
    Some(steps)
}

/// Of a buffer, what lies at `start` along an axis, `length` long.
pub(crate) fn part<'c>(
    builder: &mut Builder<'c>,
    memory: Value<'c>,
    axis: usize,
    start: i64,
    length: i64,
) -> Value<'c> {
    let Some(mut parts) = memory.ty().memdesc() else { return memory };
    let mut offsets = vec![0; parts.shape.len()];
    offsets[axis] = start as i32;
    parts.shape[axis] = length;
    let context = builder.context();
    let offsets = ("offsets", context.i32_array(&offsets));
    builder.create(OpKind::TtgMemDescSubslice, &[memory], &[context.memdesc(&parts)], &[offsets]).result(0)
}
