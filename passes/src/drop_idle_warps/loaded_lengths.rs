//! Programs whose loops run as often as they have loaded run in few warps, where the grid brings many of them.
//!
//! A program adds up the rows of a segment: it loads how many there are, then their places, then the rows, eight or 32 in an iteration. Each of these waits
//! for the one before. In many warps a thread has an element or a few of a block. What there is for each row (addresses, exponentials of its weight) is done by
//! each warp again, and their sums meet behind the loop. Such a CTA takes as long as its chain of loads, whatever its warps, and no other CTA has their
//! places meanwhile.
//!
//! A multiprocessor has places for 32 CTAs and for 64 warps. CTAs of two warps fill both. With more of them fewer CTAs wait for their chains at the same time.
//! With one there would be half as many warps, and blocks would take twice the registers of a thread: 0.83 to 1.13 times as fast as two. How many iterations
//! there are is not known before the kernel runs, but the grid is: where it brings more CTAs than have room, these hide what a CTA waits for.
//!
//! The rule is for what was measured ([measurements](../../../docs/measurements.md#programs-of-loaded-lengths-are-in-few-warps)):
//!
//! - No products, updates of memory or floats of 64 bits. At least one loop loads blocks. All that do stand in no other loop, and something that was loaded
//!   before says how often they run.
//! - Threads reduce a block, or a loop loads from a place that it has loaded, or computes functions of numbers that all threads have. Loops that only add or
//!   store rows in their order gain nothing.
//! - The grid brings 16 CTAs to a multiprocessor, or more.

use super::short_rows::is_unmeasured;
use crate::PassContext;
use crate::control_flow::loop_depth;
use crate::loop_unroll::waits_for_places;
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use rustc_hash::FxHashSet;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};
use tk_types::Residency;

/// Elements of the largest block that a thread has at most in fewer warps. Blocks of 1024 elements in two warps are 1.24 and 1.26 times as fast as in four.
const MOST_ELEMENTS: u64 = 16;
/// Warps that a multiprocessor has places for.
const PLACES_FOR_WARPS: u64 = 64;
/// CTAs that it has places for.
const PLACES_FOR_CTAS: u64 = 32;
/// Values that a bound is computed from, at most; one of more is not looked at.
const MOST_VALUES: usize = 256;

/// The warps for loops over loaded numbers of iterations, in a kernel whose largest block has so many `elements`; `None` where it is none of these.
pub(super) fn warps_of_loaded_lengths(ops: &[Op<'_>], elements: u64, cx: &PassContext) -> Option<u64> {
    let least = least_warps(cx.options.residency)?;
    let loads_blocks = |op: &Op<'_>| op.kind() == OpKind::TtLoad && op.result(0).ty().is_tensor();
    let loops: Vec<Op<'_>> =
        ops.iter().copied().filter(|op| is_loop(*op) && op.descendants().iter().any(loads_blocks)).collect();
    let outermost: Option<Vec<ForOp<'_>>> =
        loops.into_iter().map(|op| ForOp::cast(op).filter(|_| loop_depth(op) == 0)).collect();
    let outermost = outermost.filter(|found| !found.is_empty())?;
    let is_of_class = outermost.iter().all(|view| runs_by_load(*view))
        && (ops.iter().any(|op| reduces_block(*op)) || outermost.iter().any(|view| waits_or_repeats(*view)))
        && !ops.iter().any(|op| is_unmeasured(*op));
    let enough = elements.div_ceil(MOST_ELEMENTS * u64::from(tk_target::WARP_SIZE)).next_power_of_two();
    is_of_class.then_some(enough.max(least))
}

/// Warps of a CTA with which those that the grid brings fill a multiprocessor; `None` where it brings few, or nothing is known of it.
fn least_warps(residency: Residency) -> Option<u64> {
    match residency {
        Residency::Any | Residency::One => None,
        Residency::AtMost(ctas) => {
            let brought = u64::from(ctas);
            (brought >= Residency::MOST_TOLD_APART).then(|| PLACES_FOR_WARPS.div_ceil(brought.min(PLACES_FOR_CTAS)))
        }
        Residency::Many => Some(PLACES_FOR_WARPS / PLACES_FOR_CTAS),
    }
}

/// How often the loop runs follows from what was loaded before it.
fn runs_by_load(view: ForOp<'_>) -> bool {
    let mut pending: Vec<Value<'_>> = vec![view.lower_bound(), view.upper_bound(), view.step()];
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    while let Some(value) = pending.pop() {
        if !seen.insert(value.id()) {
            continue;
        }
        if seen.len() > MOST_VALUES {
            return false;
        }
        match value.defining_op() {
            Some(op) if op.kind() == OpKind::TtLoad => return true,
            Some(op) => pending.extend(op.operands()),
            None => {}
        }
    }
    false
}

/// Threads give each other what they have of a block.
fn reduces_block(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtReduce | OpKind::TtScan)
}

/// An iteration waits for a place and then for what is there, or each warp computes functions of numbers that all have.
fn waits_or_repeats(view: ForOp<'_>) -> bool {
    let is_repeated = |op: Op<'_>| {
        computation(op.kind()) == Computation::Function && op.results().iter().all(|result| !result.ty().is_tensor())
    };
    waits_for_places(view) || view.op.descendants().into_iter().any(is_repeated)
}
