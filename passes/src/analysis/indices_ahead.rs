//! Loads of a loop that say where its other loads read, as those of a gather do.
//!
//! An iteration of a gather waits for memory twice, one time after the other: for the place of a row, and for the row. Where the place follows from a counter,
//! it can be asked for an iteration earlier.

use super::AxisFacts;
use super::loads_of_reductions::is_known_early;
use crate::operations::computations::{Computation, computation};
use rustc_hash::FxHashSet;
use tk_ir::Op;
use tk_ir::ops::{ForOp, LoadOp};

/// Registers of a thread for places of gathered rows that wait for the next iteration, at most. On an H200 twelve loops with 1 to 16 registers of them are 0.95 to
/// 1.42 times as fast with places loaded ahead, eleven of them 8 % and more; one with 20 has 0.83 of its speed.
pub(crate) const MOST_PLACES: u32 = 16;

/// The loads of a loop's body that follow from counters and say where, or whether, another one reads. `None` where there are none, where lines of memory that one
/// reads hold what later iterations need, too, or where the loop reduces: threads then wait for each other in each iteration, too.
pub(crate) fn indices<'c, 'f>(view: ForOp<'c>, facts: impl Fn() -> &'f AxisFacts) -> Option<Vec<Op<'c>>> {
    let ops = view.body().ops();
    let is_reduction = |op: &Op<'c>| computation(op.kind()) == Computation::Reduction;
    if view.op.descendants().iter().any(is_reduction) {
        return None;
    }
    let loads: Vec<Op<'c>> = ops.into_iter().filter(|op| LoadOp::cast(*op).is_some()).collect();
    let mut needed: FxHashSet<usize> = FxHashSet::default();
    loads.iter().for_each(|load| needed.extend(loads_before(view, *load)));
    let mut found = loads;
    found.retain(|load| needed.contains(&load.id()) && is_known_early(view, *load));
    let is_plain = |op: &Op<'c>| LoadOp::cast(*op).is_some_and(|load| !load.is_volatile() && is_in_a_row(load, &facts));
    (!found.is_empty() && found.iter().all(is_plain)).then_some(found)
}

/// A number, or numbers beside each other. The lines of memory of those that lie apart hold the ones of later iterations, too, which are in a cache by then.
fn is_in_a_row<'f>(load: LoadOp<'_>, facts: impl Fn() -> &'f AxisFacts) -> bool {
    let ty = load.ptr().ty();
    let elements = ty.num_elements().unsigned_abs();
    !ty.is_tensor() || facts().get(load.ptr()).contiguity.iter().any(|together| *together >= elements)
}

/// The loads of the same iteration that `load` is computed from.
fn loads_before<'c>(view: ForOp<'c>, load: Op<'c>) -> FxHashSet<usize> {
    let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
    let mut pending = load.operands();
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op().and_then(|op| op.ancestor_in(view.body())) else { continue };
        if !seen.insert(op.id()) {
            continue;
        }
        if computation(op.kind()) == Computation::Load {
            found.insert(op.id());
        } else {
            pending.extend(op.descendants().into_iter().flat_map(|inner| inner.operands()));
        }
    }
    found
}
