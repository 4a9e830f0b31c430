//! Loads of recurrences are issued iterations before the one that needs them, although the loop stores.
//!
//! A recurrence over time loads the numbers of a step, computes the next state, and stores what the step gives. Neither the assembler nor `loop-unroll`
//! starts the loads of the next step earlier: threads meet in the step, for a layout or a reduction, and no load passes a barrier; and the step stores, perhaps
//! where the next one loads. Where the grid brings few warps to a multiprocessor, nothing else runs while a step waits for memory, and steps run one after the
//! other: the wait is most of the time. With up to [`MOST_WARPS`] it is still much of it, since they all take the same steps.
//!
//! True for loops without products in launches that bring no more warps ([`brought_warps`]), innermost ones whose carried values follow from what they load, whose
//! threads meet, or scan where few warps run, and that store by [`TtStore`](OpKind::TtStore) alone, behind all loads, through other parameters. All that they
//! load follows from counters.
//! Programs pass one tensor for two parameters, so a comparison before the loop says whether what is loaded lies apart from what earlier iterations store
//! ([`apart`](crate::loop_unroll::apart)); a loop inside of another one stays as it is, since it would be compared in each iteration of that.
//!
//! ```text
//! for t in range(n):                   middle = n if apart else 0
//!     x = load(x_ptr + t)              for t in range(0, middle):      loads run ahead
//!     h = f(h, x)              →           …
//!     store(y_ptr + t, g(h))           for t in range(middle, n):      in turn
//!                                          …
//! ```
//!
//! What is loaded waits in registers. With room for several iterations, a load is issued at the end of one for the iteration [`FAR`] later, and `unroll-rotations`
//! copies the body as often, so that no move waits; a body too long for that, or with less room, loads at its start for the next iteration, where few warps
//! run ([`has_few_warps`]): beside more of them the moves cost what the loads gain.
//!
//! Triton waits in each step ([measurements](../../../docs/measurements.md#recurrences-load-steps-ahead)).
//!
//! A loop that gathers waits twice in each iteration, for the place of a row and for the row. In launches of as few warps, places that follow from counters are
//! loaded one iteration ahead ([`indices`](crate::analysis::indices_ahead)), where nothing is reduced in the loop. One that stores nothing needs no comparison,
//! and of one that stores the places are compared; rows are loaded in turn ([measurements](../../../docs/measurements.md#places-of-gathered-rows-are-loaded-ahead)).
//!
//! 1. Which loads run ahead, and how far ([`StepsAhead::of`]).  2. Compare, and mark them for the pipeliner in a copy of the loop.

use crate::analysis::few_warps::{brought_warps, has_few_warps};
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::indices_ahead::{MOST_PLACES, indices};
use crate::analysis::iterations::known_iterations;
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::loads_of_reductions::is_known_early;
use crate::analysis::shared_buffers::scratch;
use crate::analysis::{AxisFacts, axis_info};
use crate::assign_latencies::can_be_pipelined;
use crate::attributes::{ISSUED_AHEAD, LATENCY, NUM_STAGES, UNROLLED, WRITTEN_ONCE};
use crate::cloning::{Mapping, copy_op};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::loop_unroll::apart::{Pair, are_apart, pairs};
use crate::loop_unroll::{instructions, write_steps};
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::unroll_rotations::is_short;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "load-steps-ahead", summary: "issue loads of recurrences iterations ahead, where few warps run", run };

/// Warps that the grid brings to a multiprocessor, at most: eight for each of its schedulers, all of which have room. On an H200 eleven recurrences that bring
/// 16 and 32 warps are 1.01 to 1.54 times as fast with loads four steps ahead, four of them 0.996 to 1.36 times with three; with one step ahead four of eleven
/// are 3 to 14 % slower.
const MOST_WARPS: u32 = 32;
/// Registers of a thread that wait for later iterations, at most. On an H200 a recurrence that loads 6 a step is 1.54 times as fast with loads one step ahead,
/// 1.80 times with two and 2.01 times with four.
const MOST_WAITING: u32 = 32;
/// The same where few warps run, which have registers to spare. On an H200 ten scans with 36 to 96 registers of four or three iterations are 1.01 to 1.78 times as
/// fast, 1.37 in the mean; one of these with 16 registers of an iteration is 1.18 times as fast one iteration ahead, 1.25 two and 1.53 four.
const MOST_WAITING_OF_FEW: u32 = 96;
/// Of four registers that a thread can have, those that hold floats in the loop, what waits included.
const LIVE_OF_FOUR: u32 = 3;
/// Iterations that loads are ahead where the body is copied, the best first. Issued at the end of an iteration, a load for the second one after it has one to
/// arrive, as long as one for the next has that is issued at the start: two are not worth copies.
const FAR: [u32; 2] = [4, 3];
/// Instructions per thread of an iteration, about: beside more than that, the wait for a load is a small part. `loop-unroll` makes no more of copies either, where
/// few warps run.
const MOST_INSTRUCTIONS: i64 = 1600;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let is_in_turn = brought_warps(threads.num_warps, cx).is_none_or(|warps| warps > MOST_WARPS);
    if cx.options.sanitize.is_on() || is_in_turn {
        return Ok(());
    }
    for function in module.functions() {
        let facts = OnceCell::new();
        for view in loops_of(function).collect::<Vec<_>>() {
            let facts_of_function = || facts.get_or_init(|| axis_info(function));
            let plan = StepsAhead::of(function, view, threads.num_warps, cx)
                .or_else(|| StepsAhead::of_indices(function, view, facts_of_function, threads.num_warps, cx));
            plan.into_iter().for_each(StepsAhead::apply);
        }
    }
    Ok(())
}

/// A loop whose loads run ahead.
struct StepsAhead<'c> {
    view: ForOp<'c>,
    /// The loads that do.
    loads: Vec<Op<'c>>,
    iterations: u32,
    /// Loads and stores that the run compares; none where the loop stores nothing.
    compared: Vec<Pair<'c>>,
}

impl<'c> StepsAhead<'c> {
    fn of(function: Op<'c>, view: ForOp<'c>, num_warps: u32, cx: &PassContext) -> Option<Self> {
        let loads = loads_of_steps(view, has_few_warps(num_warps, cx))?;
        let compared = pairs_to_compare(view, &loads)?;
        let iterations = iterations_ahead(function, view, &loads, num_warps, cx)?;
        Some(Self { view, loads, iterations, compared })
    }

    /// Where the loop gathers, and the places of what it gathers can be loaded an iteration ahead.
    fn of_indices<'f>(
        function: Op<'c>,
        view: ForOp<'c>,
        facts: impl Fn() -> &'f AxisFacts,
        num_warps: u32,
        cx: &PassContext,
    ) -> Option<Self> {
        let multiplies = view.op.descendants().into_iter().any(is_dot);
        if view.op.attr(NUM_STAGES).is_some() || multiplies || !can_be_pipelined(view) {
            return None;
        }
        let loads = indices(view, facts)?;
        let stores_nothing = GlobalWrites::of(view.op).is_empty();
        let compared = if stores_nothing { Vec::new() } else { pairs_to_compare(view, &loads)? };
        let waiting = waiting_registers(&loads);
        let runs_often = known_iterations(view).is_none_or(|known| known > 1);
        let has_room = waiting <= free_registers(function, view, num_warps, cx)?.min(MOST_PLACES);
        (runs_often && has_room).then_some(Self { view, loads, iterations: 1, compared })
    }

    /// A copy of the loop, whose loads are marked, runs where all pairs lie apart, and the loop as it was elsewhere. With nothing to compare the loop itself is
    /// marked.
    fn apply(self) {
        if self.compared.is_empty() {
            return self.mark();
        }
        let view = self.view;
        let mut builder = Builder::before(view.op).with_location(view.op.loc());
        let one = builder.int(view.step().ty(), 1);
        let steps = write_steps(view, one, &mut builder);
        let is_apart = are_apart(&self.compared, steps, &mut builder);
        let middle = builder.select(is_apart, view.upper_bound(), view.lower_bound());
        self.mark();
        let ahead = copy_op(view.op, &mut builder, &mut Mapping::default(), |location| location);
        ahead.set_operand(1, middle);
        for load in self.loads {
            load.remove_attr(LATENCY);
            load.remove_attr(ISSUED_AHEAD);
        }
        view.op.set_operand(0, middle);
        for (index, result) in ahead.results().into_iter().enumerate() {
            view.op.set_operand(index + 3, result);
        }
        view.op.set_attr(WRITTEN_ONCE, view.op.context().unit_attr());
    }

    /// Tells the pipeliner which loads run ahead.
    fn mark(&self) {
        let context = self.view.op.context();
        for load in &self.loads {
            load.set_attr(LATENCY, context.i32_attr(self.iterations as i32));
            load.set_attr(ISSUED_AHEAD, context.unit_attr());
        }
    }
}

/// The loads of such a loop, all of which follow from counters; `None` for any other loop.
fn loads_of_steps<'c>(view: ForOp<'c>, is_of_few: bool) -> Option<Vec<Op<'c>>> {
    let inside = view.op.descendants();
    let ops = view.body().ops();
    let is_open = view.op.attr(NUM_STAGES).is_none() && can_be_pipelined(view);
    let multiplies = inside.iter().any(|op| is_dot(*op));
    let is_long = ops.iter().map(|op| instructions(*op)).sum::<i64>() > MOST_INSTRUCTIONS;
    if !is_open || multiplies || is_long || !ops.iter().any(|op| meets(*op, is_of_few)) || !carries_what_is_loaded(view)
    {
        return None;
    }
    let loads: Vec<Op<'c>> = inside.into_iter().filter(|op| computation(op.kind()) == Computation::Load).collect();
    let runs_ahead = |load: &Op<'c>| {
        let is_plain = LoadOp::cast(*load).is_some_and(|load| !load.is_volatile());
        is_plain && load.block() == Some(view.body()) && is_known_early(view, *load)
    };
    (!loads.is_empty() && loads.iter().all(runs_ahead)).then_some(loads)
}

/// Threads give each other something, and `loop-unroll` leaves the loop: its copies would meet as often. It copies no scans either, also where one warp has
/// whole rows: then no barrier holds the loads of the next iteration back, but the store of this one does. Where few warps run, eighteen of these are 1.01 to 2.56
/// times as fast by hand, and thirteen 0.61 to 1.68 times, 1.20 in the mean, as compiled; with sixteen warps three are 0.90, 0.98 and 1.21 times as fast, the slow ones with more registers than all of their CTAs have.
fn meets(op: Op<'_>, is_of_few: bool) -> bool {
    op.kind() == OpKind::TtgConvertLayout
        || op.kind() == OpKind::TtScan && is_of_few
        || scratch(op).ok().flatten().is_some_and(|scratch| scratch.bytes > 0)
}

/// A value of the next iteration is computed from that of this one and from what this one loads.
fn carries_what_is_loaded(view: ForOp<'_>) -> bool {
    view.iter_args().into_iter().zip(view.yielded()).any(|(carried, end)| is_recurrence(view, carried, end))
}

fn is_recurrence<'c>(view: ForOp<'c>, carried: Value<'c>, end: Value<'c>) -> bool {
    let (mut pending, mut seen) = (vec![end], FxHashSet::default());
    let (mut is_carried, mut is_loaded) = (false, false);
    while let Some(value) = pending.pop() {
        is_carried |= value == carried;
        let Some(op) = value.defining_op().and_then(|op| op.ancestor_in(view.body())) else { continue };
        if !seen.insert(op.id()) {
            continue;
        }
        for inner in op.descendants() {
            is_loaded |= computation(inner.kind()) == Computation::Load;
            pending.extend(inner.operands());
        }
    }
    is_carried && is_loaded
}

/// What the run compares to know whether the loads may go before stores of earlier iterations; `None` where a comparison does not say, or does not pay.
fn pairs_to_compare<'c>(view: ForOp<'c>, loads: &[Op<'c>]) -> Option<Vec<Pair<'c>>> {
    let ops = view.body().ops();
    let writes_otherwise = |op: &Op<'c>| op.kind() != OpKind::TtStore && !GlobalWrites::of(*op).is_empty();
    // The pipeliner leaves a load where it is that reads through the parameter of a store.
    let writes = GlobalWrites::of(view.op);
    if ops.iter().any(writes_otherwise) || loads.iter().any(|load| writes.may_change(*load)) {
        return None;
    }
    if view.op.ancestors().skip(1).any(is_loop) {
        return None;
    }
    let accesses: Vec<Op<'c>> =
        ops.into_iter().filter(|op| op.kind() != OpKind::TtLoad || loads.contains(op)).collect();
    pairs(view, &accesses)
}

/// How many iterations the loads run ahead, as registers allow.
fn iterations_ahead<'c>(
    function: Op<'c>,
    view: ForOp<'c>,
    loads: &[Op<'c>],
    num_warps: u32,
    cx: &PassContext,
) -> Option<u32> {
    let fits = free_registers(function, view, num_warps, cx)? / waiting_registers(loads).max(1);
    let runs_often = |ahead: u32| known_iterations(view).is_none_or(|known| known >= 2 * i64::from(ahead));
    let is_copied = |ahead: u32| view.op.attr(UNROLLED).is_none() && is_short(view, ahead as usize);
    let far = FAR.into_iter().find(|ahead| *ahead <= fits && runs_often(*ahead) && is_copied(*ahead));
    far.or_else(|| (has_few_warps(num_warps, cx) && fits > 0 && runs_often(1)).then_some(1))
}

/// Registers of a thread for what waits for later iterations; `None` where the grid brings an unknown number of CTAs.
fn free_registers<'c>(function: Op<'c>, view: ForOp<'c>, num_warps: u32, cx: &PassContext) -> Option<u32> {
    let ctas = cx.options.residency.at_most()?;
    let budget = cx.target.register_budget(num_warps, ctas).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    let live = LiveRegisters::of_floats(function).peak(view.op);
    let most = if has_few_warps(num_warps, cx) { MOST_WAITING_OF_FEW } else { MOST_WAITING };
    Some((budget * LIVE_OF_FOUR / 4).saturating_sub(live).min(most))
}

/// Registers of a thread that wait for one iteration.
fn waiting_registers(loads: &[Op<'_>]) -> u32 {
    loads.iter().map(|load| registers(load.result(0).ty()).max(1)).sum()
}
