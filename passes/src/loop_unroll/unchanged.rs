//! What the copies of a body load that is the same in each iteration of the loop around them moves before that loop, with what is computed from it.
//!
//! ```text
//! for c in range(4):                                   q0 … q3 = load, convert, scale
//!     k = load at c                                    for c in range(4):
//!     for g in range(4):                                   k = load at c
//!         q = load at g, convert, scale                    sum k * q0, …, sum k * q3
//!         sum k * q
//! ```
//!
//! A counter is a number in each copy, so that the rows of `q` do not change in the loop over `c`. MLIR moves no loads, and has moved out of loops what it could
//! before the inner loop was copied. Only what leads to such a load or follows from it is moved: other numbers of the counter (masks, addresses) cost less
//! where they are than the registers that would keep them.
//!
//! True where the loop around leaves global memory alone ([`leaves_memory_alone`]) and what its iterations read of that keeps few registers of a thread
//! ([`MOST_KEPT`], [`OF_A_THREAD`]).
//!
//! 1. What does not change ([`unchanged`]).  2. What of it hangs on loads ([`around_loads`]).  3. Move.

use super::factor::{Launch, has_known_bounds};
use crate::PassContext;
use crate::analysis::iterations::most_iterations;
use crate::hoist_unchanged_loads::{leaves_memory_alone, move_before as move_load_before};
use crate::sink_loads::kept;
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, Value};

/// Registers of a thread that keep through the loop what moves before it.
const MOST_KEPT: u32 = 32;
/// One of so many registers that a thread can have.
const OF_A_THREAD: u32 = 4;
/// Steps from a value to what it repeats.
const STEPS: u32 = 8;

/// Moves what `copied`, operations of its body in order, have of this before `around`.
pub(super) fn move_before<'c>(around: ForOp<'c>, copied: &[Op<'c>], launch: Launch, cx: &PassContext) {
    let counts_up = !around.unsigned_cmp() && around.step().constant_int().is_some_and(|step| step > 0);
    if cx.options.sanitize.is_on() || !counts_up || !leaves_memory_alone(around.op) {
        return;
    }
    let moved = around_loads(&unchanged(around, copied));
    let warps = u32::try_from(launch.warps).unwrap_or(u32::MAX);
    let budget = cx.target.register_budget(warps, cx.options.residency.at_most().unwrap_or(1));
    if kept_by(&moved) > MOST_KEPT.min(budget / OF_A_THREAD) {
        return;
    }
    write(&moved, around);
}

/// Moves operations of its body, in order, before `around`.
pub(crate) fn write<'c>(ops: &[Op<'c>], around: ForOp<'c>) {
    for op in ops {
        match LoadOp::cast(*op) {
            Some(load) => move_load_before(load, around),
            None => op.move_before(around.op),
        }
    }
}

/// Operations of `ops` whose results are the same in each iteration of `around`.
pub(crate) fn unchanged<'c>(around: ForOp<'c>, ops: &[Op<'c>]) -> Vec<Op<'c>> {
    let runs = has_known_bounds(around) && most_iterations(around).is_some_and(|most| most > 0);
    let mut found = Vec::new();
    let mut ids: FxHashSet<usize> = FxHashSet::default();
    for op in ops {
        let is_own = |value: Value<'c>| {
            value.parent_block().and_then(|block| block.parent_op()).is_some_and(|holder| op.contains(holder))
        };
        let is_unchanged = |value: Value<'c>| {
            let is_moved = value.defining_op().is_some_and(|from| ids.contains(&from.id()));
            is_moved || value.dominates(around.op) || is_own(value)
        };
        // The mask of a load says whether the loop runs; a number has none that fits.
        let is_load =
            LoadOp::cast(*op).is_some_and(|load| !load.is_volatile() && (runs || load.ptr().ty().is_tensor()));
        let mut read = op.descendants().into_iter().flat_map(|inner| inner.operands());
        if (is_load || op.is_pure()) && read.all(is_unchanged) {
            ids.insert(op.id());
            found.push(*op);
        }
    }
    found
}

/// Those that loads need, loads, and those that need loads.
fn around_loads<'c>(ops: &[Op<'c>]) -> Vec<Op<'c>> {
    let loads = ops.iter().filter(|op| LoadOp::cast(**op).is_some()).map(|op| op.id()).collect();
    with_sources(ops, with_readers(ops, loads))
}

/// `ids`, and those of `ops` that are computed from them.
pub(crate) fn with_readers(ops: &[Op<'_>], mut ids: FxHashSet<usize>) -> FxHashSet<usize> {
    for op in ops {
        if sources_of(*op).iter().any(|from| ids.contains(from)) {
            ids.insert(op.id());
        }
    }
    ids
}

/// Those of `ops` that have `ids`, and those that they are computed from.
pub(crate) fn with_sources<'c>(ops: &[Op<'c>], mut ids: FxHashSet<usize>) -> Vec<Op<'c>> {
    for op in ops.iter().rev() {
        if ids.contains(&op.id()) {
            ids.extend(sources_of(*op));
        }
    }
    ops.iter().copied().filter(|op| ids.contains(&op.id())).collect()
}

/// What makes the operands of an operation and of those inside of it.
fn sources_of(op: Op<'_>) -> Vec<usize> {
    let read = op.descendants().into_iter().flat_map(|inner| inner.operands());
    read.filter_map(|value| value.defining_op()).map(|from| from.id()).collect()
}

/// Registers of a thread for what others read of the results of `ops`.
pub(crate) fn kept_by<'c>(ops: &[Op<'c>]) -> u32 {
    let is_inside = |user: Op<'c>| ops.iter().any(|op| op.contains(user));
    let results = ops.iter().flat_map(|op| op.results());
    results
        .filter(|value| value.users().into_iter().any(|(user, _)| !is_inside(user)))
        .map(|value| kept(value, STEPS))
        .sum()
}
