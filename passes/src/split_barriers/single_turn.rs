//! Where one turn per iteration pays: where tensor cores take long beside what threads compute on their results.
//!
//! While one group computes, the other has the tensor cores. With one turn per iteration a group that has computed for longer than the other's products
//! take finds the tensor cores idle, and in turn the other group waits for it: groups in turns are only as fast as each of them alone. Without turns
//! the hardware mixes their products as they come. With several turns per iteration a group computes on one product while its next waits for its turn,
//! and those pay.
//!
//! The measure is the number of results that a thread computes on in an iteration, over the cycles that the tensor cores need for the products of one
//! group ([measurements](../../../docs/measurements.md#warp-groups-hand-the-tensor-cores-over)). Results are those of products that begin in
//! the iteration. An accumulator that goes from one iteration to the next is at most multiplied by a number for its row.

use crate::analysis::async_loads::is_zero;
use crate::analysis::dot_work::cycles_of;
use crate::attributes::Threads;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Value};

/// Cycles of the tensor cores for each result that a thread computes on, at least. Measured: with 16 turns pay, with 8 they lose, except where operands
/// have 8 bits.
const CYCLES_PER_RESULT: i64 = 12;
const CYCLES_PER_RESULT_OF_BYTES: i64 = 8;

/// What an iteration has to do.
struct Work {
    /// Results that a thread computes on.
    results: i64,
    /// Cycles that the tensor cores need for the products of one group.
    cycles: i64,
    /// As many as it takes for each result.
    least: i64,
}

/// One turn per iteration pays in a loop of so many `groups`.
pub(super) fn pays(view: ForOp<'_>, groups: i64, threads: Threads) -> bool {
    let work = Work::of(view, groups, threads);
    work.results.saturating_mul(work.least) <= work.cycles
}

impl Work {
    fn of(view: ForOp<'_>, groups: i64, threads: Threads) -> Self {
        let dots: Vec<WarpGroupDotOp<'_>> = view.body().ops().into_iter().filter_map(WarpGroupDotOp::cast).collect();
        let begins = dots.iter().filter(|dot| !is_accumulator(view, **dot));
        let results: i64 = begins.map(|dot| dot.op.result(0).ty().num_elements()).sum();
        let are_bytes = dots.iter().all(|dot| dot.a().ty().element_bits() == 8);
        let least = if are_bytes { CYCLES_PER_RESULT_OF_BYTES } else { CYCLES_PER_RESULT };
        let cycles = cycles_of(dots.iter().copied()) / groups;
        Self { results: results / i64::from(threads.total()), cycles, least }
    }
}

/// A product goes on a sum that the iteration before has left, which may be scaled on the way.
fn is_accumulator<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>) -> bool {
    !dot.use_c().is_some_and(is_zero) && comes_from_iteration_before(view, dot.c())
}

/// A block is carried, or the body computes it from a carried block of its type.
fn comes_from_iteration_before<'c>(view: ForOp<'c>, block: Value<'c>) -> bool {
    let mut pending = vec![block];
    let mut seen: Vec<Op<'c>> = Vec::new();
    while let Some(value) = pending.pop() {
        if view.iter_args().contains(&value) {
            return true;
        }
        let Some(op) = value.defining_op().filter(|op| view.op.contains(*op) && !seen.contains(op)) else { continue };
        if op.kind() == OpKind::TtngWarpGroupDotWait {
            pending.push(op.operand(value.result_number()));
        } else {
            // What branches yield stands in them.
            seen.push(op);
            let operands = op.descendants().into_iter().chain([op]).flat_map(|inner| inner.operands());
            pending.extend(operands.filter(|operand| operand.ty() == block.ty()));
        }
    }
    false
}
