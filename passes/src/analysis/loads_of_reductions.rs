//! Loads that a loop without products waits for at the start of every iteration, because threads meet behind them.
//!
//! An online softmax loads a block, finds its greatest element and the sum of its exponentials, and goes on. Threads meet for both, and no load of
//! the next iteration passes a barrier, so each iteration waits for memory and then for the other threads. Where other CTAs of the multiprocessor
//! have work meanwhile, that costs nothing; where the grid brings no more than fit anyway, registers for the next iteration's blocks are there.
//!
//! True for innermost loops that multiply no matrices and write nothing, in whose iterations warps meet for a reduction, and which load many numbers for
//! each thread; of these for the loads whose addresses and masks follow neither from what is exchanged nor from what is
//! loaded, in this iteration or in earlier ones.
//!
//! Fewer numbers wait where the iterations of all warps bring too much for copies of the body, and no more than twice what a multiprocessor takes under way
//! ([`brings_much`]): a log-sum-exp of long rows, whose CTAs are all there at the same time
//! ([measurements](../../../docs/measurements.md#single-blocks-of-long-rows-wait-in-registers)).

use crate::PassContext;
use crate::analysis::few_warps::{FEW_WARPS, brought_warps};
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::iterations::known_iterations;
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::analysis::shared_buffers::scratch;
use crate::attributes::Threads;
use crate::encodings::elements_per_thread;
use crate::operations::computations::{Computation, computation};
use crate::operations::is_dot;
use crate::operations::memory::{SharedMemory, shared_memory};
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, Value};

/// Registers of a thread that wait for the next iteration, and the fewest that are worth it. On an H200 three launches of other people's kernels with at
/// least so many run 19 to 34 % faster; of ten with fewer, or whose warps do not meet, the best is 2 % faster and four are 4 to 9 % slower.
const MOST_WAITING: u32 = 32;
const LEAST_WAITING: u32 = 24;
/// Numbers of a thread in a block that waits although it is fewer registers. On an H200 blocks of 8 and 16 numbers run 1.02 to 1.14 times as fast, two of 32 that
/// are loaded one by one 1.00 and 0.97 times.
const NUMBERS_OF_BLOCK: RangeInclusive<i64> = 8..=16;
/// Bytes that the warps of a multiprocessor bring in an iteration then: more than what copies of the body are made for (`loop-unroll`), and at most as much
/// as was measured.
const LEAST_BROUGHT: i64 = 24 * 1024 + 1;
const MOST_BROUGHT: i64 = 64 * 1024;
/// Warps of a multiprocessor that run at a time: all that the grid brings.
const WARPS_AT_A_TIME: u32 = 64;
/// Iterations of such a loop, at least, where their number is known: as few as were measured.
const LEAST_ITERATIONS: i64 = 8;
/// Of four registers that a thread can have, those that hold floats in the loop, what waits included.
const LIVE_OF_FOUR: u32 = 3;

/// The loads of a loop's body that wait in registers for the next iteration, in order.
pub(crate) fn loads_of_reductions<'c>(
    function: Op<'c>,
    view: ForOp<'c>,
    threads: Threads,
    cx: &PassContext,
) -> Vec<Op<'c>> {
    let Some(ctas) = cx.options.residency.at_most() else { return Vec::new() };
    let inside = view.op.descendants();
    let multiplies = inside.iter().any(|op| is_dot(*op));
    if multiplies || !inside.iter().any(|op| warps_meet(*op)) || !GlobalWrites::of(view.op).is_empty() {
        return Vec::new();
    }
    let is_plain = |op: &Op<'c>| LoadOp::cast(*op).is_some_and(|load| !load.is_volatile());
    let loads = view.body().ops().into_iter().filter(|op| is_plain(op) && is_known_early(view, *op));
    let most = cx.target.register_budget(threads.num_warps, ctas) * LIVE_OF_FOUR / 4;
    let mut room = most.saturating_sub(LiveRegisters::of_floats(function).peak(view.op)).min(MOST_WAITING);
    let fits = |load: &Op<'c>| {
        let rest = room.checked_sub(registers(load.result(0).ty()).max(1));
        room = rest.unwrap_or(room);
        rest.is_some()
    };
    let loads: Vec<Op<'c>> = loads.filter(fits).collect();
    let waiting: u32 = loads.iter().map(|load| registers(load.result(0).ty())).sum();
    if waiting >= LEAST_WAITING || brings_much(view, &loads, threads, cx) { loads } else { Vec::new() }
}

/// The loop loads one block in each iteration, which is worth waiting in registers, since nobody has other work while memory brings that of all warps.
fn brings_much<'c>(view: ForOp<'c>, loads: &[Op<'c>], threads: Threads, cx: &PassContext) -> bool {
    let loads_of_body = view.body().ops().into_iter().filter(|op| LoadOp::cast(*op).is_some()).count();
    let ([load], 1) = (loads, loads_of_body) else { return false };
    let ty = load.result(0).ty();
    let numbers = elements_per_thread(ty);
    let warps = brought_warps(threads.num_warps, cx).filter(|warps| (FEW_WARPS + 1..=WARPS_AT_A_TIME).contains(warps));
    let is_long = known_iterations(view).is_none_or(|known| known >= LEAST_ITERATIONS);
    let brings = |warps: u32| {
        let numbers_of_all = numbers.saturating_mul(i64::from(warps) * i64::from(threads.threads_per_warp));
        let bytes = numbers_of_all.saturating_mul(i64::from(ty.element_bits())) / 8;
        (LEAST_BROUGHT..=MOST_BROUGHT).contains(&bytes)
    };
    is_long && NUMBERS_OF_BLOCK.contains(&numbers) && warps.is_some_and(brings)
}

/// Warps give each other their parts of a reduction, through shared memory.
fn warps_meet(op: Op<'_>) -> bool {
    computation(op.kind()) == Computation::Reduction
        && scratch(op).ok().flatten().is_some_and(|scratch| scratch.bytes > 0)
}

/// Threads give each other something, and wait for it.
fn is_exchange(op: Op<'_>) -> bool {
    computation(op.kind()) == Computation::Reduction || matches!(shared_memory(op.kind()), SharedMemory::Scratch(_))
}

/// Where and whether a load of the body reads follows from counters alone.
pub(crate) fn is_known_early<'c>(view: ForOp<'c>, load: Op<'c>) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending: Vec<Value<'c>> = load.operands();
    while let Some(value) = pending.pop() {
        let carried = view.iter_args().iter().position(|argument| *argument == value);
        let made = match carried {
            Some(index) => view.yielded()[index].defining_op(),
            None => value.defining_op(),
        };
        let Some(op) = made.and_then(|op| op.ancestor_in(view.body())) else { continue };
        if !seen.insert(op.id()) {
            continue;
        }
        for inner in op.descendants() {
            if is_exchange(inner) || computation(inner.kind()) == Computation::Load || !inner.is_memory_effect_free() {
                return false;
            }
            pending.extend(inner.operands());
        }
    }
    true
}
