//! Runs loops over rows that an earlier loop has read from the last block to the first.
//!
//! A softmax, a norm or a cross entropy of long rows reads each row in one loop and again in the next. Caches have what was read last, and that is the end of
//! the row. From its start on, the second loop asks for what went first, and each block that comes from memory drives out one that is needed later. From its
//! end on, it finds what is still there ([measurements](../../docs/measurements.md#second-loops-begin-with-the-last-block)).
//!
//! ```text
//! for i in range(0, n, B):                     steps = cdiv(n, B);  first, by = (last, -B) if apart else (0, B)
//!     store(y + i, f(load(x + i {last use}))) →    for k in range(0, steps):
//!                                                      i = first + k * by;  store(y + i, f(load(x + i)))
//! ```
//!
//! True for loops that only load, compute and store, in blocks that `mark-last-uses` knows to be read for the last time, or of which the program says so
//! (`evict_first`, as torch.compile does) and that an earlier loop reads: nothing is carried from one iteration to the next, so each computes the same, in
//! whatever order. They count up by a number from a number that is not negative, and stand in no other loop, since
//! what is compared would be compared in each iteration of that. No iteration may access what another one stores. Programs pass one tensor for two parameters,
//! and parts of one: where numbers do not tell, a comparison before the loop says in which direction it runs
//! ([`apart`](crate::loop_unroll::apart)). Of a loop whose body is copied, copies keep their order, and what they leave is the last to run, as before.
//!
//! Rows that all stay in the cache of a multiprocessor ([`LEAST_BYTES`]) are left alone.
//!
//! 1. Which loops may run in any order, and what has to be compared ([`TurnedLoop::of`]).  2. Compare, and count from the other end.

use crate::analysis::iterations::known_iterations;
use crate::attributes::{LAST_USE, NUM_STAGES};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::loop_unroll::apart::{Pair, are_apart, pairs_of_any_order};
use crate::loop_unroll::write_steps;
use crate::mark_last_uses::was_read_by_loop;
use crate::operations::control::is_loop;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{EvictionPolicy, ForOp, LoadOp};
use tk_ir::{Builder, Module, Op, OpKind};

/// The pass.
pub const PASS: Pass = Pass {
    name: "last-blocks-first",
    summary: "run loops over rows that an earlier loop has read from the last block to the first",
    run,
};

/// Bytes of the rows of a multiprocessor: with fewer, its cache, which has 256 KiB less shared memory, has them all. On an H200 launches with 250 KiB and more are
/// 1.00 to 1.10 times as fast, one with 128 KiB is level.
const LEAST_BYTES: i64 = 192 * 1024;
/// Iterations over a row, where their number is not known. Programs of small blocks may have short rows, where a comparison costs more than it gains.
const ITERATIONS: i64 = 16;
/// Warps that a multiprocessor has room for.
const WARPS: u32 = 64;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    if cx.options.sanitize.is_on() {
        return Ok(());
    }
    let ctas = most_ctas(require_ttg(module)?.num_warps, cx);
    for function in module.functions() {
        let plans: Vec<TurnedLoop<'_>> =
            loops_of(function).filter_map(|view| TurnedLoop::of(function, view, ctas)).collect();
        plans.into_iter().for_each(TurnedLoop::apply);
    }
    Ok(())
}

/// CTAs of a multiprocessor, at most: those that the grid brings, and that have room.
fn most_ctas(num_warps: u32, cx: &PassContext) -> u32 {
    let with_room = (WARPS / num_warps).max(1);
    cx.options.residency.at_most().map_or(with_room, |brought| brought.min(with_room))
}

/// A loop that may run from its last iteration to the first.
struct TurnedLoop<'c> {
    view: ForOp<'c>,
    /// By how much it counts.
    step: i64,
    /// What the run compares; none where numbers say that the iterations keep out of each other's way.
    compared: Vec<Pair<'c>>,
}

impl<'c> TurnedLoop<'c> {
    fn of(function: Op<'c>, view: ForOp<'c>, ctas: u32) -> Option<Self> {
        let counts_from_known = view.lower_bound().constant_int().is_some_and(|lower| lower >= 0);
        let is_asked = view.op.attr(NUM_STAGES).is_some();
        let is_inside = view.op.ancestors().skip(1).any(is_loop);
        if !view.iter_args().is_empty() || !counts_from_known || is_asked || is_inside {
            return None;
        }
        let step = view.step().constant_int().filter(|step| *step > 0)?;
        let ops = view.body().ops();
        if !reads_long_rows(function, view, ctas) || !ops.iter().all(|op| is_plain(*op)) {
            return None;
        }
        Some(Self { view, step, compared: pairs_of_any_order(view, &ops)? })
    }

    fn apply(self) {
        let Self { view, step, compared } = self;
        let mut builder = Builder::before(view.op).with_location(view.op.loc());
        let (ty, lower) = (view.step().ty(), view.lower_bound());
        let [zero, one, up, down] = [0, 1, step, -step].map(|number| builder.int(ty, number));
        let steps = match known_iterations(view) {
            Some(known) => builder.int(ty, known),
            None => write_steps(view, one, &mut builder),
        };
        let before_last = builder.binary(OpKind::ArithSubI, steps, one);
        let way = builder.binary(OpKind::ArithMulI, before_last, up);
        let last = builder.binary(OpKind::ArithAddI, lower, way);
        let (first, by) = if compared.is_empty() {
            (last, down)
        } else {
            let is_apart = are_apart(&compared, steps, &mut builder);
            (builder.select(is_apart, last, lower), builder.select(is_apart, down, up))
        };
        let counter = view.induction_var();
        let mut inside = Builder::at_start(view.body(), view.op.loc());
        let way = inside.binary(OpKind::ArithMulI, counter, by);
        let place = inside.binary(OpKind::ArithAddI, first, way);
        let own: Vec<Op<'c>> = way.defining_op().into_iter().collect();
        counter.replace_all_uses_except(place, &own);
        for (at, bound) in [zero, steps, one].into_iter().enumerate() {
            view.op.set_operand(at, bound);
        }
    }
}

/// The iterations load blocks for the last time that an earlier loop has read, of rows that are long.
fn reads_long_rows<'c>(function: Op<'c>, view: ForOp<'c>, ctas: u32) -> bool {
    let loads = view.body().ops().into_iter().filter_map(LoadOp::cast);
    let last = loads.filter(|load| is_last_use(*load, function)).map(|load| load.result().ty());
    let bytes: i64 = last.map(|ty| ty.num_elements() * i64::from(ty.element_bits()) / 8).sum();
    let is_long = |steps: i64| steps > 1 && bytes.saturating_mul(steps).saturating_mul(i64::from(ctas)) >= LEAST_BYTES;
    is_long(known_iterations(view).unwrap_or(ITERATIONS))
}

/// Nobody reads the elements after this, and an earlier loop has.
fn is_last_use<'c>(load: LoadOp<'c>, function: Op<'c>) -> bool {
    let is_said = load.eviction() == EvictionPolicy::First;
    load.op.attr(LAST_USE).is_some() || is_said && was_read_by_loop(load, function)
}

/// An operation of an iteration that may run before those of earlier ones, as far as no memory that these store is concerned.
fn is_plain(op: Op<'_>) -> bool {
    let is_plain_load = || LoadOp::cast(op).is_some_and(|load| !load.is_volatile());
    let is_inner = op.descendants().into_iter().any(is_loop);
    !is_inner && (is_plain_load() || op.kind() == OpKind::TtStore || op.is_memory_effect_free())
}
