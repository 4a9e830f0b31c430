//! Lets groups of warps drift apart in pipelined loops that compute on the results of products.
//!
//! Where a barrier stands in every iteration, all groups of warps work on their results at the same time, and the tensor cores are idle meanwhile. In
//! such loops the two things that a barrier is for get an `mbarrier` each, at which threads arrive early and wait late, so that one group of four
//! warps can be half an iteration ahead of the other and multiply while the other computes:
//!
//! - *filled*, one for each buffer of a ring: every thread's copies arrive when they are done, and it waits before it reads the buffer. This
//!   takes the place of `ttg.async_wait`.
//! - *free*: every warp arrives when its products of the iteration before are done, which is known behind the first wait for all products,
//!   and waits before it copies into the buffer that those have read. Where the iteration finishes its own products, every warp arrives for
//!   those, and copies wait for the arrivals of the iteration before ([`finished_products`]).
//!
//! Copies by TMA arrive at mbarriers anyway; their loops only get the second.
//!
//! A loop qualifies when it waits for all products somewhere, its copies and their wait stand in its body, and every ring has one buffer more than
//! iterations are under way. One group of warps has no other to drift from, and several CTAs on a multiprocessor drift anyway: with four
//! warps, or with rings so small that another CTA is there too, `advance-waits` does better. That is for `cp.async`, where every thread arrives
//! for its copies ([measurements](../../../docs/measurements.md#split-barriers-pay-where-one-cta-has-the-multiprocessor)). Beside blocks that are
//! computed early, such as a mask that is added, products have to last long enough ([`computed_blocks`]).
//!
//! Two groups then issue their dots one after the other where that pays ([`hand_over`]). Copies by TMA that one warp issues then stand behind a branch
//! (`gather-copies`).
//!
//! 1. Find the loops.  2. Barriers, and arrivals of the copies before the loop.  3. Arrivals and waits in the body.  4. Behind the loop, wait for
//!    the arrivals of copies past the end, and end the barriers.

mod computed_blocks;
mod early_copies;
mod early_waits;
mod finished_products;
mod hand_over;
mod late_copies;
mod single_turn;
mod tma_copies;
mod waits_for_later;

pub(crate) use tma_copies::TmaCopies;

use crate::attributes::{EACH_WARP, ORDERED, SKIPPABLE, Threads};
use crate::control_flow::{NewCarried, extend_for, loops_of};
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::is_structured;
use crate::pipeline_loops::first_wait_for_iteration_before;
use crate::tma_lowering::{mbarriers, wait};
use crate::{Pass, PassContext};
use early_copies::EarlyCopies;
use early_waits::EarlyWaits;
use finished_products::FinishedProducts;
use hand_over::{Copies, Turns};
use late_copies::LateCopies;
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Value};
use tk_target::WARPS_PER_GROUP;

/// The pass.
pub const PASS: Pass =
    Pass { name: "split-barriers", summary: "arrive early and wait late in loops of several warp groups", run };

/// Rings of more than a third of the shared memory are those of a CTA that is alone: there are queries and registers too.
const SHARE_OF_ONE: i64 = 3;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    if !cx.target.has_tma() || threads.num_warps <= WARPS_PER_GROUP {
        return Ok(());
    }
    for function in module.functions() {
        let groups = i64::from(threads.num_warps / WARPS_PER_GROUP);
        let pays = |plan: &SplitBarriers<'_>| {
            fills_multiprocessor(&plan.rings(), cx) && computed_blocks::leave_time(plan.view, groups)
        };
        let plans: Vec<SplitBarriers<'_>> = loops_of(function).filter_map(SplitBarriers::of).filter(pays).collect();
        plans.into_iter().for_each(|plan| plan.apply(threads));
        let plans: Vec<SplitTmaBarriers<'_>> = loops_of(function).filter_map(SplitTmaBarriers::of).collect();
        plans.into_iter().for_each(|plan| plan.apply(threads));
    }
    Ok(())
}

/// The rings of a loop take so much of the shared memory that hardly a second CTA is there beside this one.
fn fills_multiprocessor(rings: &[Value<'_>], cx: &PassContext) -> bool {
    let mut seen = FxHashSet::default();
    let bytes = |ring: &Value<'_>| ring.ty().num_elements() * i64::from(ring.ty().element_bits().max(8)) / 8;
    is_alone(rings.iter().filter(|ring| seen.insert(ring.id())).map(bytes).sum(), cx)
}

/// A CTA with rings of so many bytes has hardly a second one beside it.
pub(crate) fn is_alone(bytes: i64, cx: &PassContext) -> bool {
    bytes.saturating_mul(SHARE_OF_ONE) > i64::from(cx.target.max_shared_bytes_per_cta())
}

struct SplitBarriers<'c> {
    view: ForOp<'c>,
    /// The wait for this iteration's copies.
    wait: Op<'c>,
    /// The first wait for all products.
    finish: Op<'c>,
    copies: Vec<Op<'c>>,
    /// The last group of the body.
    last_group: Op<'c>,
    /// The first copy before the loop, and the last group there of each iteration.
    first_copy: Op<'c>,
    groups_before: Vec<Op<'c>>,
    /// Buffers of every ring.
    buffers: i64,
    /// The iteration finishes all its products: copies go behind those.
    finished: Option<FinishedProducts<'c>>,
}

impl<'c> SplitBarriers<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let of_kind = |kind: OpKind| in_body(view, kind);
        let copies = of_kind(OpKind::TtgAsyncCopyGlobalToLocal)?;
        let groups = of_kind(OpKind::TtgAsyncCommitGroup)?;
        let [wait] = of_kind(OpKind::TtgAsyncWait)?[..] else { return None };
        let finish = finish_of(view)?;
        let (first, last_group) = (*copies.first()?, *groups.last()?);
        let in_order = [wait, finish, first].windows(2).all(|pair| pair[0].is_before_in_block(pair[1]));
        let per_iteration = i64::try_from(groups.len()).ok()?;
        let under_way = wait.int_attr("num")?;
        let ahead = under_way / per_iteration + 1;
        let buffers = ahead + 1;
        let fits = |copy: &Op<'c>| ring_of(*copy).is_some_and(|ring| ring.ty().shape().first() == Some(&buffers));
        let qualifies = in_order
            && under_way % per_iteration == 0
            && copies.iter().all(fits)
            && wait.results().iter().all(|token| !token.has_uses());
        let before = groups_before(view.op, groups.len() * usize::try_from(ahead).ok()?)?;
        let first_copy = before.first()?.operands().first()?.defining_op()?;
        let groups_before = before.chunks(groups.len()).filter_map(|chunk| chunk.last().copied()).collect();
        let finished = FinishedProducts::of(view, finish, &copies);
        qualifies.then_some(Self {
            view,
            wait,
            finish,
            copies,
            last_group,
            first_copy,
            groups_before,
            buffers,
            finished,
        })
    }

    fn rings(&self) -> Vec<Value<'c>> {
        self.copies.iter().filter_map(|copy| ring_of(*copy)).collect()
    }

    fn apply(mut self, threads: Threads) {
        if let Some(finished) = &self.finished {
            finished.apply();
        }
        let (filled, free) = self.make_barriers(threads);
        for (buffer, group) in self.groups_before.iter().enumerate() {
            let mut builder = Builder::after(*group);
            let index = builder.i32(buffer as i32);
            arrive_with_copies(&mut builder, filled, index);
        }
        let mut outside = Builder::before(self.view.op).with_location(self.wait.loc());
        // Who waits for the iteration before waits first for a phase that is over before anybody arrives.
        let first_phase = i32::from(self.finished.is_some());
        let [zero, before_first, until_free] = [0, -1, first_phase].map(|number| outside.i32(number));
        let carried = [before_first, zero, until_free].map(NewCarried::unchanged);
        self.view = extend_for(self.view, &carried);
        let first_new = self.view.iter_args().len() - carried.len();
        let own = &self.view.iter_args()[first_new..];

        let mut builder = Builder::before(self.wait).with_location(self.wait.loc());
        let read = self.next(&mut builder, RingPlace { buffer: own[0], phase: own[1] });
        wait_for(&mut builder, filled, read);
        arrive(self.finish, free);
        let mut builder = Builder::before(self.copies[0]).with_location(self.wait.loc());
        wait(&mut builder, free, own[2]);
        let mut builder = Builder::after(self.last_group);
        let fill = self.fill(&mut builder, read.buffer);
        arrive_with_copies(&mut builder, filled, fill);
        let one = builder.i32(1);
        let other = builder.binary(OpKind::ArithXOrI, own[2], one);
        for (offset, value) in [read.buffer, read.phase, other].into_iter().enumerate() {
            self.view.yield_op().set_operand(first_new + offset, value);
        }
        self.copies.iter().for_each(|copy| copy.set_attr(ORDERED, self.unit()));
        if let Some(turns) = Turns::of(self.view, self.buffers - 1, threads) {
            turns.apply(self.view, Copies::ByThreads);
        }
        self.end(filled, free, first_new);
        self.wait.erase();
    }

    fn unit(&self) -> tk_ir::Attribute<'c> {
        self.view.op.context().unit_attr()
    }

    /// One barrier for each buffer, and one for all of them together; everybody has seen them when the first copy starts.
    fn make_barriers(&self, threads: Threads) -> (Value<'c>, Value<'c>) {
        let mut builder = Builder::before(self.first_copy).with_location(self.wait.loc());
        let context = builder.context();
        let filled =
            builder.create(OpKind::TtgLocalAlloc, &[], &[mbarriers(context, &[self.buffers, 1])], &[]).result(0);
        let free = builder.create(OpKind::TtgLocalAlloc, &[], &[mbarriers(context, &[1])], &[]).result(0);
        for barrier in each(&mut builder, filled, self.buffers) {
            init(&mut builder, barrier, threads.total());
        }
        init(&mut builder, free, threads.num_warps);
        builder.insert(OpSpec::new(OpKind::GpuBarrier));
        (filled, free)
    }

    /// The next buffer of the rings; its phase is another each time round.
    fn next(&self, builder: &mut Builder<'c>, place: RingPlace<'c>) -> RingPlace<'c> {
        let [zero, one, end] = [0, 1, self.buffers as i32].map(|number| builder.i32(number));
        let next = builder.binary(OpKind::ArithAddI, place.buffer, one);
        let wraps = builder.cmpi(CmpI::Sge, next, end);
        let other = builder.binary(OpKind::ArithXOrI, place.phase, one);
        let buffer = builder.select(wraps, zero, next);
        RingPlace { buffer, phase: builder.select(wraps, other, place.phase) }
    }

    /// The buffer that is filled while `read` is read: the one before it.
    fn fill(&self, builder: &mut Builder<'c>, read: Value<'c>) -> Value<'c> {
        let [zero, one, last] = [0, 1, self.buffers as i32 - 1].map(|number| builder.i32(number));
        let is_first = builder.cmpi(CmpI::Eq, read, zero);
        let before = builder.binary(OpKind::ArithSubI, read, one);
        builder.select(is_first, last, before)
    }

    /// Copies past the end have arrived before the barriers end.
    fn end(&self, filled: Value<'c>, free: Value<'c>, first_new: usize) {
        let mut anchor = self.view.op;
        while let Some(next) = anchor.next().filter(|_| anchor.kind() != OpKind::TtgAsyncWait) {
            anchor = next;
        }
        let anchor = if anchor.kind() == OpKind::TtgAsyncWait { anchor } else { self.view.op };
        let mut builder = Builder::after(anchor).with_location(self.wait.loc());
        let [buffer, phase] = [0, 1].map(|offset| self.view.op.result(first_new + offset));
        let mut place = RingPlace { buffer, phase };
        for _ in &self.groups_before {
            place = self.next(&mut builder, place);
            wait_for(&mut builder, filled, place);
        }
        for barrier in each(&mut builder, filled, self.buffers).into_iter().chain([free]) {
            builder.create(OpKind::TtngInvalBarrier, &[barrier], &[], &[]);
        }
    }
}

/// A loop whose copies are by TMA.
struct SplitTmaBarriers<'c> {
    view: ForOp<'c>,
    copies: TmaCopies<'c>,
    /// The first mbarrier that ends behind the loop.
    end: Op<'c>,
}

impl<'c> SplitTmaBarriers<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let copies = TmaCopies::of(view)?;
        let end =
            std::iter::successors(view.op.next(), |op| op.next()).find(|op| op.kind() == OpKind::TtngInvalBarrier)?;
        Some(Self { view, copies, end })
    }

    fn apply(self, threads: Threads) {
        let copies = &self.copies;
        let mut outside = Builder::before(copies.first_before).with_location(copies.finish.loc());
        let context = outside.context();
        let free = outside.create(OpKind::TtgLocalAlloc, &[], &[mbarriers(context, &[1])], &[]).result(0);
        init(&mut outside, free, threads.num_warps);
        outside.insert(OpSpec::new(OpKind::GpuBarrier));
        let zero = outside.i32(0);
        let view = extend_for(self.view, &[NewCarried::unchanged(zero)]);
        let index = view.iter_args().len() - 1;
        let phase = view.iter_args()[index];
        let arrival = arrive(copies.finish, free);
        let Some(first) = copies.first() else { return };
        let mut builder = Builder::before(first);
        let until_free = wait(&mut builder, free, phase);
        let one = builder.i32(1);
        let other = builder.binary(OpKind::ArithXOrI, phase, one);
        view.yield_op().set_operand(index, other);
        copies.ops.iter().for_each(|copy| copy.set_attr(ORDERED, context.unit_attr()));
        Builder::before(self.end).create(OpKind::TtngInvalBarrier, &[free], &[], &[]);
        let turns = Turns::of(view, self.copies.ahead as i64, threads);
        let last_of_several = turns.as_ref().and_then(Turns::last_of_several);
        if let Some(turns) = turns {
            turns.apply(view, Copies::ByTma);
            let waits = last_of_several.and_then(|product| EarlyWaits::of(view, product, copies));
            waits.into_iter().for_each(|waits| waits.apply(view));
            let early = last_of_several.and_then(|product| EarlyCopies::of(view, copies, until_free, product));
            early.into_iter().for_each(|early| early.apply(view, arrival));
            // A group that does not multiply computes: its warps pass by the copies, where one warp issues them all.
            let passed_by = copies.ops.iter().filter(|_| copies.are_single());
            passed_by.for_each(|copy| copy.set_attr(SKIPPABLE, context.unit_attr()));
        }
        // Of several turns they stand behind the first one already, or the last one's product hides them.
        let late = if last_of_several.is_none() { LateCopies::of(view, copies, until_free) } else { None };
        // The loop is another one where copies are late.
        let view = late.map_or(view, |late| late.apply(view));
        waits_for_later::wait_behind_reductions(view);
    }
}

/// The operations of a kind in a loop; `None` when some are in branches, where they cannot be counted.
pub(crate) fn in_body<'c>(view: ForOp<'c>, kind: OpKind) -> Option<Vec<Op<'c>>> {
    let all: Vec<Op<'c>> = view.op.descendants().into_iter().filter(|op| op.kind() == kind).collect();
    all.iter().all(|op| op.block() == Some(view.body())).then_some(all)
}

/// Behind this wait all products of the iteration before are done; `None` where some wait in branches.
fn finish_of(view: ForOp<'_>) -> Option<Op<'_>> {
    in_body(view, OpKind::TtngWarpGroupDotWait)?;
    first_wait_for_iteration_before(view)
}

/// Every warp arrives behind `op`.
fn arrive<'c>(op: Op<'c>, barrier: Value<'c>) -> Op<'c> {
    let mut builder = Builder::after(op);
    let context = builder.context();
    let count = ("count", context.i32_attr(1));
    let arrival = builder.create(OpKind::TtngArriveBarrier, &[barrier], &[], &[count]);
    arrival.set_attr(EACH_WARP, context.unit_attr());
    arrival
}

/// A barrier for so many arrivals.
fn init<'c>(builder: &mut Builder<'c>, barrier: Value<'c>, arrivals: u32) {
    let count = ("count", builder.context().i32_attr(arrivals as i32));
    builder.create(OpKind::TtngInitBarrier, &[barrier], &[], &[count]);
}

/// The ring, or the barriers, that a view shows one of.
fn viewed(view: Value<'_>) -> Option<Value<'_>> {
    view.defining_op().filter(|op| op.kind() == OpKind::TtgMemDescIndex).map(|op| op.operand(0))
}

/// A buffer of the rings, and the phase of its barrier in which it is filled.
#[derive(Clone, Copy)]
struct RingPlace<'c> {
    buffer: Value<'c>,
    phase: Value<'c>,
}

/// The ring that a copy fills one buffer of.
fn ring_of(copy: Op<'_>) -> Option<Value<'_>> {
    viewed(copy.operand(1))
}

/// The last `count` groups before the loop, in order; `None` when there are others or somebody waits for them.
fn groups_before(view: Op<'_>, count: usize) -> Option<Vec<Op<'_>>> {
    let mut found = Vec::new();
    let mut before = view.prev();
    while let Some(op) = before.filter(|_| found.len() < count) {
        if op.kind() == OpKind::TtgAsyncCommitGroup {
            found.push(op);
        } else if op.kind() == OpKind::TtgAsyncWait || is_structured(op) {
            return None;
        }
        before = op.prev();
    }
    found.reverse();
    (found.len() == count).then_some(found)
}

fn each<'c>(builder: &mut Builder<'c>, barriers: Value<'c>, count: i64) -> Vec<Value<'c>> {
    let indices: Vec<Value<'c>> = (0..count).map(|index| builder.i32(index as i32)).collect();
    indices.into_iter().map(|index| one(builder, barriers, index)).collect()
}

fn one<'c>(builder: &mut Builder<'c>, barriers: Value<'c>, index: Value<'c>) -> Value<'c> {
    let ty = mbarriers(builder.context(), &[1]);
    builder.create(OpKind::TtgMemDescIndex, &[barriers, index], &[ty], &[]).result(0)
}

fn wait_for<'c>(builder: &mut Builder<'c>, barriers: Value<'c>, place: RingPlace<'c>) {
    let barrier = one(builder, barriers, place.buffer);
    wait(builder, barrier, place.phase);
}

/// The thread's copies so far arrive when they are done.
fn arrive_with_copies<'c>(builder: &mut Builder<'c>, barriers: Value<'c>, index: Value<'c>) {
    let barrier = one(builder, barriers, index);
    let no_increment = ("noIncrement", builder.context().unit_attr());
    builder.create(OpKind::TtngAsyncCopyMbarrierArrive, &[barrier], &[], &[no_increment]);
}
