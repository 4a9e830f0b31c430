//! Loads whose elements threads exchange in every iteration of a loop over rows.
//!
//! A row of weights beside each block of rows is the same in each iteration. Where few threads load it and others need it, threads meet for it every time, and the
//! loads of the next iteration wait until they have: the body is not copied, and one block of rows is under way.
//!
//! ```text
//! loop:                                %weights = convert_layout (load %p, %mask & %runs)
//!     %x = load                        loop:
//!     %w = convert_layout (load %p)        %x = load
//!     … %x, %w                             … %x, %weights
//! ```
//!
//! True where nothing else that threads meet for is left in the loop, and registers keep the row: [`MOST_KEPT`], or the part [`OF_A_THREAD`] of what a thread may
//! have. What is computed from the row alone moves along if that leaves it as small. Loops with products stay as they are: their registers are scarce, and
//! their loads run ahead by other rules. So do loops of fewer than [`LEAST_ITERATIONS`] known iterations: the row is waited for before the loop, not beside the first
//! rows, so that with two iterations as many loads are waited for in turn as before.
//!
//! 1. What does not change, and what of it threads meet for.  2. What moves with that.  3. Move.

use crate::PassContext;
use crate::analysis::iterations::most_iterations;
use crate::loop_unroll::unchanged::{kept_by, unchanged, with_readers, with_sources, write};
use crate::operations::is_product;
use crate::sink_loads::has_barriers;
use rustc_hash::FxHashSet;
use tk_ir::Op;
use tk_ir::ops::{ForOp, LoadOp};

/// Registers of a thread that keep through the loop what moves before it.
const MOST_KEPT: u32 = 16;
/// One of so many registers that a thread can have.
const OF_A_THREAD: u32 = 4;
/// Iterations of a loop with known bounds, at least.
const LEAST_ITERATIONS: i64 = 3;

/// Moves such loads of a loop that counts up and leaves global memory alone before it, with what they are exchanged by.
pub(super) fn move_before(view: ForOp<'_>, num_warps: u32, cx: &PassContext) {
    let is_short = most_iterations(view).is_some_and(|most| most < LEAST_ITERATIONS);
    if is_short || view.op.descendants().iter().any(|op| is_product(*op)) {
        return;
    }
    let mut ops = view.body().ops();
    ops.pop();
    let unchanged = unchanged(view, &ops);
    let Some(exchanges) = exchanges(view, &unchanged) else { return };
    let budget = cx.target.register_budget(num_warps, cx.options.residency.at_most().unwrap_or(1));
    let most = MOST_KEPT.min(budget / OF_A_THREAD);
    let with_all = with_sources(&unchanged, with_readers(&unchanged, exchanges.clone()));
    let moved = [with_all, with_sources(&unchanged, exchanges)];
    if let Some(ops) = moved.iter().find(|ops| kept_by(ops) <= most) {
        write(ops, view);
    }
}

/// What threads meet for in the loop, if all of it is of `unchanged` and computed from loads; `None` where they do not meet, or for something else, too.
fn exchanges<'c>(view: ForOp<'c>, unchanged: &[Op<'c>]) -> Option<FxHashSet<usize>> {
    let loads = unchanged.iter().filter(|op| LoadOp::cast(**op).is_some()).map(|op| op.id()).collect();
    let of_loads = with_readers(unchanged, loads);
    let mut found: FxHashSet<usize> = FxHashSet::default();
    for op in view.op.descendants() {
        if has_barriers(op).is_ok_and(|meets| !meets) {
            continue;
        }
        if !of_loads.contains(&op.id()) {
            return None;
        }
        found.insert(op.id());
    }
    (!found.is_empty()).then_some(found)
}
