//! How many iterations copies to shared memory run ahead where a launch leaves shared memory idle.
//!
//! Where several CTAs share a multiprocessor, others multiply while one waits for its blocks, and the stages that a program asks for are mostly
//! enough. Where the grid brings one CTA, or few, nobody does. An iteration then lasts as long as a block takes to arrive, over the iterations that it
//! is copied ahead, however little is computed: on an H200, where 128 CTAs multiplied blocks of 64x128x32, 760 cycles with copies two iterations
//! ahead, of which 128 were products. With copies three iterations ahead the kernel took 13.2 us instead of 16.7
//! ([measurements](../../../docs/measurements.md#copies-go-further-ahead-where-shared-memory-is-idle)).
//!
//! So copies run as many iterations ahead as a block takes to arrive ([`ARRIVAL`]), where these last as long as what they do beside waiting: products
//! and what else threads compute, or the transfer of all bytes ([`BYTES_PER_CYCLE`]), for all CTAs of the multiprocessor together.
//!
//! True for loops with products that wait for memory by these copies alone, or load scales of results beside them ([`scaled_products`](super::scaled_products)),
//! where the grid is known to bring few CTAs:
//!
//! - **Few warps wait in turns** ([`MOST_WARPS`]).
//! - **Little is hidden as it is**: at most two thirds of the time that a block takes to arrive. Otherwise more buffers bring little.
//! - **All CTAs that the grid brings have room** beside each other, with a reserve for buffers that later passes make ([`RESERVE_OF_FOUR`]).
//! - **The loop has iterations for it**, where their number is known.
//! - **Nothing wraps around**: the step is a small number, and the counter begins near zero, so that an iteration a few steps later has a number, too.
//! - **It costs few instructions**: copies before the loop ([`MOST_MORE_COPIES`]), and registers for what copies are computed from and the iteration
//!   needs later, too ([`MOST_MORE_REGISTERS`]), each of which is moved in every iteration.
//!
//! Where the grid is known to bring more warps, and the stages of the launch put copies one iteration ahead, the next block is asked for when this one
//! has been read, and each iteration begins with waiting for it: its time is that of a copy and of all else that the iteration waits for, such as scales
//! that its products' results are multiplied by. Two iterations ahead, the copies arrive meanwhile. On an H200 products of experts with such scales,
//! five CTAs of four warps on a multiprocessor, have 1.28 times the speed so
//! ([measurements](../../../docs/measurements.md#a-buffer-more-that-costs-no-cta)). Products by `wgmma` are in the same place where the grid brings few warps:
//! a CTA begins to copy when all its warps have multiplied, and others do not hide that. True for loops
//!
//! - whose products need **nothing that the loop loads but copies by threads**: what waits in registers stays one iteration
//!   ahead, or is not ahead at all, and would be waited for all the same (states of linear attention whose gates do so have 0.98 of their speed);
//! - whose products are **by `mma.sync`**, or **by `wgmma` and do not need each other**;
//! - in whose iterations one CTA computes **for at most two thirds** of the time that a block takes to arrive;
//! - with **enough iterations**, or an unknown number of them ([`LEAST_ITERATIONS`]), whose counter does not wrap around, and with low costs, as above;
//! - where one buffer more for each block **costs no CTA** by what is known of registers, or, beside `mma.sync`, leaves room for [`ENOUGH_WARPS`]. Products by
//!   `wgmma` that lost a CTA by it were up to 19 % slower, also with 24 warps left.
//!
//! Loops that copy a number of each iteration, as the decay of a state, are judged so where the grid brings few CTAs, and not by the rule for these: copies
//! one iteration ahead start behind the products that read the buffer, so what the iteration computes hides nothing of them. On an H200 states of linear
//! attention, two CTAs of two warps on a multiprocessor, have 1.19 times the speed with copies two iterations ahead
//! ([measurements](../../../docs/measurements.md#numbers-beside-copies-are-copied)).

use super::AxisFacts;
use super::async_loads::async_load_of_any_size;
use super::dot_work::{cycles_of, instructions_of_warp};
use super::iterations::{known_iterations, most_iterations};
use super::live_registers::registers;
use super::rows_of_results::{computed_from, is_computed_from};
use super::scaled_products::{is_scale, products_are_apart};
use super::shared_buffers::{Points, tensor_bytes};
use super::shared_room::SharedRoom;
use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::attributes::Threads;
use crate::encodings::elements_per_thread;
use crate::operations::computations::instructions_of_element;
use crate::operations::is_dot;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, LoadOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Type, Value};
use tk_layout::Encoding;
use tk_types::Residency;

/// Cycles from the issue of a copy until its block is multiplied: two iterations of 760.
const ARRIVAL: i64 = 1500;
/// Bytes that a multiprocessor gets from the L2 cache per cycle while all of them copy.
const BYTES_PER_CYCLE: i64 = 40;
/// Warps that the grid brings to a multiprocessor at most: four for each scheduler. With 64 of them a product of 12 us was 4 % slower with three stages more.
const MOST_WARPS: u32 = 16;
/// Iterations ahead at most: with six buffers.
const MOST_AHEAD: i64 = 5;
/// Iterations that a loop beside many CTAs has at least, where their number is known: four times those that its copies run ahead then.
const LEAST_ITERATIONS: i64 = 8;
/// Warps of a multiprocessor that are enough, though shared memory left room for more before: registers of loops with products seldom let others in.
/// Those of the products of experts that were timed let 20 in.
const ENOUGH_WARPS: u32 = 20;
/// Registers of a thread beside accumulators, at least, in loops of `wgmma` whose threads copy: addresses, descriptors and counters.
const BESIDE_ACCUMULATORS: u32 = 24;
/// Of four bytes of shared memory that a CTA can have, those that are left for buffers that nobody knows of yet.
const RESERVE_OF_FOUR: i64 = 1;
/// Copies of a thread that come before the loop in addition.
const MOST_MORE_COPIES: i64 = 32;
/// Registers of a thread that hold what copies are computed from for the iterations in addition.
const MOST_MORE_REGISTERS: i64 = 8;
/// The greatest step of a loop's counter, its fewest bits, and how far from zero it begins at most: a few steps more do not wrap around.
const MOST_STEP: i64 = 1 << 20;
const LEAST_BITS: u32 = 32;
const MOST_FIRST: i64 = 1 << 30;
/// Programs of a grid at most that brings a known number of CTAs to a multiprocessor: 16 to each of 1024.
const MOST_PROGRAMS: i64 = 1 << 14;
/// How deep the arithmetic may be nested by which a counter begins.
const MOST_DEPTH: u32 = 6;
/// Warps that a multiprocessor issues instructions of at the same time.
const SCHEDULERS: u32 = 4;
/// Cycles of a scheduler's tensor core for one `mma.sync`.
const CYCLES_OF_INSTRUCTION: i64 = 8;
/// Instructions of a thread for one multiply-add of a product without tensor cores: itself, and the read of what it multiplies.
const FOR_MULTIPLY_ADD: i64 = 2;

/// A loop whose loads of blocks become copies.
pub(crate) struct CopyingLoop<'l, 'c> {
    pub(crate) function: Op<'c>,
    pub(crate) view: ForOp<'c>,
    /// The loads.
    pub(crate) copies: &'l [Op<'c>],
}

impl<'c> CopyingLoop<'_, 'c> {
    /// Iterations that the copies run ahead, which the stages of the launch put `asked` iterations ahead: as many or more.
    pub(crate) fn iterations_ahead(&self, asked: i64, facts: &AxisFacts, threads: Threads, cx: &PassContext) -> i64 {
        if asked <= 0 || self.copies.is_empty() || !self.counts_in_range() {
            return asked;
        }
        let warps = |ctas: u32| ctas.saturating_mul(threads.num_warps);
        let few = cx.options.residency.at_most().filter(|ctas| warps(*ctas) <= MOST_WARPS);
        let judged_as_few = few.filter(|_| !self.copies_numbers());
        let in_time = judged_as_few.map_or(asked, |ctas| self.ahead_of_few(ctas, asked, facts, threads, cx));
        let may_have_more = in_time == asked && (judged_as_few.is_none() || self.multiplies_by_groups());
        in_time + i64::from(may_have_more && self.has_free_buffers(asked, facts, threads, cx))
    }

    /// Threads wait less with these copies, so many iterations ahead, than where some of them are loads to registers: others arrive earlier than those, or go
    /// further ahead with them where the grid brings few CTAs.
    pub(crate) fn gains(&self, asked: i64, facts: &AxisFacts, threads: Threads, cx: &PassContext) -> bool {
        let goes_further = || {
            let warps = cx.options.residency.at_most().map(|ctas| ctas.saturating_mul(threads.num_warps));
            warps.is_some_and(|warps| warps <= MOST_WARPS)
                && self.counts_in_range()
                && self.has_free_buffers(asked, facts, threads, cx)
        };
        asked > 1 || goes_further()
    }

    /// Iterations ahead where the grid brings so many CTAs to a multiprocessor, which are few.
    fn ahead_of_few(&self, ctas: u32, asked: i64, facts: &AxisFacts, threads: Threads, cx: &PassContext) -> i64 {
        if !self.waits_for_copies_alone() {
            return asked;
        }
        let sources = self.sources();
        let cycles = self.cycles(&sources, threads).saturating_mul(i64::from(ctas));
        let iterations = known_iterations(self.view).unwrap_or(i64::MAX);
        let most = in_time(asked, cycles).min(iterations.saturating_sub(1));
        if most <= asked {
            return asked;
        }
        let costs = self.costs(&sources, facts, cx);
        let Some(others) = self.other_bytes() else { return asked };
        let fits = |ahead: i64| {
            let bytes = self.bytes().saturating_mul(ahead + 1).saturating_add(others);
            let bytes = u32::try_from(bytes.saturating_mul(4) / (4 - RESERVE_OF_FOUR)).unwrap_or(u32::MAX);
            cx.target.occupancy(1, bytes, threads.num_warps).ctas_per_sm >= ctas
        };
        (asked + 1..=most).rev().find(|ahead| costs.are_low(ahead - asked) && fits(*ahead)).unwrap_or(asked)
    }

    /// Blocks that are copied one iteration ahead may be copied two: one buffer more for each costs no CTA.
    fn has_free_buffers(&self, asked: i64, facts: &AxisFacts, threads: Threads, cx: &PassContext) -> bool {
        let is_long = most_iterations(self.view).is_none_or(|most| most >= LEAST_ITERATIONS);
        let is_in_class = asked == 1 && is_long && cx.options.residency != Residency::Any;
        if !is_in_class || !self.multiplies_only_copies_by_threads() {
            return false;
        }
        let sources = self.sources();
        in_time(asked, self.cycles(&sources, threads)) > asked
            && self.costs(&sources, facts, cx).are_low(1)
            && self.leaves_ctas(asked, threads, cx)
    }

    /// It has products by `wgmma`.
    fn multiplies_by_groups(&self) -> bool {
        self.view.op.descendants().iter().any(|op| op.kind() == OpKind::TtngWarpGroupDot)
    }

    /// A number of each iteration is among the copies.
    fn copies_numbers(&self) -> bool {
        self.copies.iter().any(|load| load.result(0).ty().num_elements() == 1)
    }

    /// What its products need of the loop's loads is copied by threads, and those by `wgmma` do not need each other.
    fn multiplies_only_copies_by_threads(&self) -> bool {
        let dots: Vec<Op<'c>> = self.view.op.descendants().into_iter().filter(|op| is_dot(*op)).collect();
        let is_other_load =
            |op: Op<'c>| matches!(op.kind(), OpKind::TtLoad | OpKind::TtDescriptorLoad) && !self.copies.contains(&op);
        let are_apart = products_are_apart(self.view);
        let multiplies_copies = |dot: &Op<'c>| {
            let is_of_class = instructions_of_warp(*dot) > 0 || are_apart && dot.kind() == OpKind::TtngWarpGroupDot;
            is_of_class && !is_computed_from(self.view, *dot, is_other_load)
        };
        let are_by_threads = self.copies.iter().all(|load| load.kind() == OpKind::TtLoad);
        are_by_threads && !dots.is_empty() && dots.iter().all(multiplies_copies)
    }

    /// With one buffer more for each block as many CTAs have room as before, or as many warps as registers seldom let in.
    fn leaves_ctas(&self, asked: i64, threads: Threads, cx: &PassContext) -> bool {
        let Ok(mut buffers) = buffers_of_module(self.function) else { return false };
        buffers.retain(|buffer| !self.is_of_ring(buffer.op));
        let all = total_bytes(&buffers);
        let range = Points::of(self.function).range(self.view.op);
        buffers.retain(|buffer| buffer.live.start() <= range.end() && range.start() <= buffer.live.end());
        let in_loop = i64::from(total_bytes(&buffers));
        let bytes = |ahead: i64| {
            let with_rings = self.ring_bytes(ahead).saturating_add(in_loop);
            u32::try_from(with_rings).unwrap_or(u32::MAX).max(all)
        };
        let (now, more) = (bytes(asked), bytes(asked + 1));
        let room = SharedRoom::of(self.function, threads.num_warps, cx);
        match self.multiplies_by_groups() {
            true => {
                room.with_registers(self.registers_of_products().saturating_add(BESIDE_ACCUMULATORS)).allows(now, more)
            }
            false => room.allows(now, more) || room.leaves_warps(more, ENOUGH_WARPS),
        }
    }

    /// Registers of a thread that products take at least: for accumulators that the loop carries, and for one result that starts at zero beside them.
    fn registers_of_products(&self) -> u32 {
        let is_of_product = |ty: Type<'c>| {
            let layout = ty.layout().filter(|_| ty.is_tensor() && ty.element_bits() <= 32);
            layout.is_some_and(|layout| matches!(&*layout, Encoding::NvidiaMma(_)))
        };
        let carried = self.view.iter_args().into_iter().map(|value| value.ty()).filter(|ty| is_of_product(*ty));
        let dots = self.view.op.descendants().into_iter().filter_map(WarpGroupDotOp::cast);
        let fresh = dots.filter(|dot| dot.c().constant().is_some()).map(|dot| registers(dot.op.result(0).ty()));
        carried.map(registers).fold(0, u32::saturating_add).saturating_add(fresh.max().unwrap_or(0))
    }

    /// What `op` takes of shared memory is in the ring of a block: it reads the block there.
    fn is_of_ring(&self, op: Op<'c>) -> bool {
        let source = op.operands().first().and_then(|value| value.defining_op());
        matches!(op.kind(), OpKind::TtgLocalAlloc | OpKind::TtgConvertLayout)
            && source.is_some_and(|load| self.copies.contains(&load))
    }

    /// Bytes of the rings of blocks that are copied so many iterations ahead: what is read in place is still read while the next copy starts.
    fn ring_bytes(&self, ahead: i64) -> i64 {
        let is_read_in_place =
            |load: &Op<'c>| load.result(0).users().into_iter().any(|(user, _)| user.kind() == OpKind::TtgLocalAlloc);
        let bytes = |load: &Op<'c>| {
            let buffers = ahead + i64::from(is_read_in_place(load));
            i64::from(tensor_bytes(load.result(0).ty())).saturating_mul(buffers)
        };
        self.copies.iter().map(bytes).fold(0, i64::saturating_add)
    }

    /// It multiplies, and what it reads of global memory are its copies, and scales of results if its products do not need each other.
    fn waits_for_copies_alone(&self) -> bool {
        let inside = self.view.op.descendants();
        let are_apart = products_are_apart(self.view);
        let is_beside = |op: Op<'c>| self.copies.contains(&op) || are_apart && is_scale(self.view, op);
        let waits = |op: &Op<'c>| match global_memory(op.kind()) {
            GlobalMemory::None => false,
            GlobalMemory::Unknown => !op.is_memory_effect_free(),
            GlobalMemory::Pointers(access) | GlobalMemory::Block(access) | GlobalMemory::Copy(access) => match access {
                Access::Read => !is_beside(*op),
                Access::Write => false,
                Access::Combine => op.results().iter().any(|result| result.has_uses()),
                Access::Synchronize => true,
            },
        };
        inside.iter().any(|op| is_dot(*op)) && !inside.iter().any(waits)
    }

    /// The counter of an iteration a few steps ahead is among the numbers of its type.
    fn counts_in_range(&self) -> bool {
        let has_bits = self.view.induction_var().ty().int_bits().is_some_and(|bits| bits >= LEAST_BITS);
        let step = self.view.step().constant_int();
        has_bits
            && step.is_some_and(|step| (1..=MOST_STEP).contains(&step))
            && most_distance(self.view.lower_bound(), 0).is_some_and(|first| first <= MOST_FIRST)
    }

    /// The operations of the body that copies are computed from, in this iteration and in earlier ones, and the copies, by their identities.
    fn sources(&self) -> FxHashSet<usize> {
        sources_of(self.view, self.copies)
    }

    /// Cycles of an iteration of one CTA that waits for nothing.
    fn cycles(&self, sources: &FxHashSet<usize>, threads: Threads) -> i64 {
        let body = self.view.body();
        let turns = i64::from(threads.num_warps.div_ceil(SCHEDULERS));
        let is_source = |op: Op<'c>| op.ancestor_in(body).is_some_and(|own| sources.contains(&own.id()));
        let inside = self.view.op.descendants().into_iter().skip(1);
        let computed = inside.filter(|op| !is_source(*op)).map(|op| cycles_of_operation(op, turns));
        computed.fold(0, i64::saturating_add).max(self.bytes() / BYTES_PER_CYCLE)
    }

    /// Bytes that an iteration copies.
    fn bytes(&self) -> i64 {
        self.copies.iter().map(|load| i64::from(tensor_bytes(load.result(0).ty()))).sum()
    }

    fn costs(&self, sources: &FxHashSet<usize>, facts: &AxisFacts, cx: &PassContext) -> Costs {
        Costs { instructions: self.instructions(facts, cx), registers: self.waiting_registers(sources) }
    }

    /// Instructions of a thread that start the copies of an iteration.
    fn instructions(&self, facts: &AxisFacts, cx: &PassContext) -> i64 {
        let of = |copy: &Op<'c>| match LoadOp::cast(*copy) {
            Some(load) => {
                let width = async_load_of_any_size(load, facts, cx).map_or(1, |plan| plan.width.max(1));
                (elements_per_thread(load.ptr().ty()) / i64::from(width)).max(1)
            }
            None => 1,
        };
        self.copies.iter().map(of).sum()
    }

    /// Registers of a thread that another iteration ahead takes: for what copies are computed from and something else needs in its own iteration.
    fn waiting_registers(&self, sources: &FxHashSet<usize>) -> i64 {
        let (view, body, end) = (self.view, self.view.body(), self.view.yield_op());
        let is_source = |op: &Op<'c>| sources.contains(&op.id()) && !self.copies.contains(op);
        let is_late = |(user, _): (Op<'c>, usize)| {
            user != end && user.ancestor_in(body).is_none_or(|own| !sources.contains(&own.id()))
        };
        let mut values: Vec<Value<'c>> = body.ops().into_iter().filter(is_source).flat_map(|op| op.results()).collect();
        for (index, next) in view.yielded().into_iter().enumerate() {
            if next.defining_op().is_some_and(|op| is_source(&op)) {
                values.extend([view.iter_args()[index], view.op.result(index)]);
            }
        }
        let waits = |value: &Value<'c>| value.users().into_iter().any(is_late);
        values.into_iter().filter(waits).map(|value| i64::from(registers(value.ty()).max(1))).sum()
    }

    /// Bytes of shared memory that the function takes without rings: what it is known to need, with a buffer for each block that another access by a
    /// descriptor brings or takes. `None` where that cannot be said.
    fn other_bytes(&self) -> Option<i64> {
        let buffers = buffers_of_module(self.function).ok()?;
        let is_block = |op: &Op<'c>| matches!(global_memory(op.kind()), GlobalMemory::Block(_));
        let others = self.function.descendants().into_iter().filter(|op| is_block(op) && !self.copies.contains(op));
        let bytes = |op: Op<'c>| {
            let tensors = tensors_of(op).map(|value| i64::from(tensor_bytes(value.ty())));
            tensors.max().unwrap_or(0)
        };
        Some(others.map(bytes).fold(i64::from(total_bytes(&buffers)), i64::saturating_add))
    }
}

/// What another iteration ahead costs a thread.
#[derive(Clone, Copy)]
struct Costs {
    /// Copies before the loop.
    instructions: i64,
    /// Registers over the loop.
    registers: i64,
}

impl Costs {
    fn are_low(self, more: i64) -> bool {
        more.saturating_mul(self.instructions) <= MOST_MORE_COPIES
            && more.saturating_mul(self.registers) <= MOST_MORE_REGISTERS
    }
}

/// Iterations ahead with which blocks arrive in time, where an iteration of all CTAs of a multiprocessor takes so many cycles without waiting; those
/// that are asked for where they hide most of it.
fn in_time(asked: i64, cycles: i64) -> i64 {
    let cycles = cycles.max(1);
    if asked.saturating_mul(cycles).saturating_mul(3) > 2 * ARRIVAL {
        return asked;
    }
    let hiding = (ARRIVAL - 1) / cycles + 1;
    // Twice the buffers that were asked for, at most.
    hiding.min(MOST_AHEAD).min(2 * asked + 1).max(asked)
}

/// How far from zero a number is at most that is computed from constants and the number of the program, where the grid brings a known number of CTAs to
/// a multiprocessor. `None` where it is computed from something else.
fn most_distance(value: Value<'_>, depth: u32) -> Option<i64> {
    use OpKind::*;
    if let Some(constant) = value.constant_int() {
        return constant.checked_abs();
    }
    let op = value.defining_op().filter(|_| depth < MOST_DEPTH)?;
    let of = |index: usize| most_distance(op.operand(index), depth + 1);
    let kind = op.kind();
    if matches!(kind, TtGetProgramId | TtGetNumPrograms) {
        Some(MOST_PROGRAMS)
    } else if kind == ArithMulI {
        of(0)?.checked_mul(of(1)?)
    } else if matches!(kind, ArithAddI | ArithSubI) {
        of(0)?.checked_add(of(1)?)
    } else if matches!(kind, ArithMinSI | ArithMaxSI) {
        Some(of(0)?.max(of(1)?))
    } else if matches!(kind, ArithDivSI | ArithRemSI | ArithExtSI) {
        of(0)
    } else {
        None
    }
}

/// An iteration computes for as long as a block takes to arrive on nothing that it loads or multiplies, as random numbers are computed: what it has asked for
/// before that, and waits for in registers, is there then. What `loads` are computed from does not count, since it comes at the end.
pub(crate) fn computes_until_arrival<'c>(view: ForOp<'c>, loads: &[Op<'c>], threads: Threads) -> bool {
    let turns = i64::from(threads.num_warps.div_ceil(SCHEDULERS));
    let is_awaited = |op: &Op<'c>| is_dot(*op) || global_memory(op.kind()).access().is_some();
    let awaited: Vec<Op<'c>> = view.op.descendants().into_iter().filter(is_awaited).collect();
    let (late, sources) = (computed_from(view, &awaited), sources_of(view, loads));
    let is_own = |op: &Op<'c>| !late.contains(&op.id()) && !sources.contains(&op.id()) && !awaited.contains(op);
    let own = view.body().ops().into_iter().filter(is_own);
    own.map(|op| cycles_of_operation(op, turns)).fold(0, i64::saturating_add) >= ARRIVAL
}

/// The operations of the body that loads are computed from, in this iteration and in earlier ones, and the loads, by their identities.
fn sources_of<'c>(view: ForOp<'c>, loads: &[Op<'c>]) -> FxHashSet<usize> {
    let (body, yielded) = (view.body(), view.yielded());
    let made_by = |value: Value<'c>| {
        let made = match value.block_argument() {
            Some((block, index)) if block == body => yielded.get(index.checked_sub(1)?)?.defining_op(),
            Some(_) => None,
            None => value.defining_op(),
        };
        made.filter(|op| op.block() == Some(body))
    };
    let mut found = FxHashSet::default();
    let mut pending: Vec<Op<'c>> = loads.to_vec();
    while let Some(op) = pending.pop() {
        if found.insert(op.id()) {
            let operands = op.descendants().into_iter().flat_map(|inner| inner.operands());
            pending.extend(operands.filter_map(made_by));
        }
    }
    found
}

/// Cycles in which an operation keeps the schedulers or the tensor cores of a multiprocessor, each of which has `turns` warps of the CTA.
fn cycles_of_operation(op: Op<'_>, turns: i64) -> i64 {
    if let Some(dot) = WarpGroupDotOp::cast(op) {
        return cycles_of(std::iter::once(dot));
    }
    let cycles = if is_dot(op) {
        match instructions_of_warp(op) {
            0 => {
                let terms = op.operand(0).ty().shape().last().copied().unwrap_or(1);
                elements_per_thread(op.result(0).ty()).saturating_mul(terms).saturating_mul(FOR_MULTIPLY_ADD)
            }
            instructions => instructions.saturating_mul(CYCLES_OF_INSTRUCTION),
        }
    } else {
        let elements = tensors_of(op).map(|value| elements_per_thread(value.ty())).max().unwrap_or(0);
        elements.saturating_mul(i64::from(instructions_of_element(op.kind())))
    };
    cycles.saturating_mul(turns)
}

/// The operands and results of an operation that are tensors.
fn tensors_of(op: Op<'_>) -> impl Iterator<Item = Value<'_>> {
    op.operands().into_iter().chain(op.results()).filter(|value| value.ty().is_tensor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_go_ahead_as_far_as_blocks_take_to_arrive() {
        assert_eq!(in_time(2, 307), 5, "12 KiB in an iteration");
        assert_eq!(in_time(2, 410), 4);
        assert_eq!(in_time(2, 614), 2, "most of it is hidden");
        assert_eq!([in_time(1, 410), in_time(1, 128), in_time(1, 0)], [3, 3, 3], "twice the buffers");
        assert_eq!([in_time(1, 900), in_time(1, 1100)], [2, 1]);
        assert_eq!([in_time(4, 128), in_time(5, 128), in_time(9, 1)], [5, 5, 9], "six buffers, or what was asked for");
    }
}
