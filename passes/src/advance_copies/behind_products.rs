//! Copies by threads behind the first products of an iteration, where a multiprocessor has one group of warps, or where they are one iteration ahead.
//!
//! The pipeliner leaves the copies of later iterations at the end of the body: nearly all of the iteration passes before memory is asked. Where the grid
//! brings several CTAs to a multiprocessor, others ask meanwhile. One group of warps that is alone there waits for what it has asked for late, and
//! so do several whose next iteration begins with what this one asks for last. So the
//! copies go up over products, to the first wait behind which the products of the iteration before are over:
//!
//! ```text
//! loop: wait for copies  barrier  product 1  wait for products  …compute…  product 2  barrier  copies
//! loop: wait for copies  barrier  product 1  wait for products  barrier  copies  …compute…  product 2
//! ```
//!
//! **Which buffer is written while others are read.** In a ring of `n` buffers iteration `i` reads buffer `i mod n`, and its copies, which are `d`
//! iterations ahead, fill buffer `(i + d) mod n`. Every ring has `n > d`, so the buffer that is filled is the one of iteration `i + d - n`: the iteration
//! before, or an earlier one.
//!
//! - Iteration `i` itself reads buffer `i mod n`, which is another one, since `0 < d < n`. Its products may be under way.
//! - Iterations `i + 1` to `i + d - 1` read buffers that earlier copies fill, and none of these is filled now, for the same reason.
//! - What a thread read itself in earlier iterations stands before the copies in the order of the program.
//! - Of products of earlier iterations a warp knows, behind the wait for products ([`first_wait_for_iteration_before`]), that its own part is over.
//! - Other threads and warps may be behind. For `insert-barriers` a wait for products ends reads of those who waited, and where the buffer that is filled was read
//!   in the iteration before, or it is not known when, the copies wait for all who read the ring. So there is a barrier between these reads and the first copy
//!   into the ring. It takes the place of the barrier at the end.
//!
//! **What is waited for.** The only wait for copies of the body stands before the copies in either place, and their groups stay in order, so it leaves the
//! same groups under way. Copies of the last iterations, which are past the end, fill what nobody reads, and are waited for behind the loop.
//!
//! That nothing in the loop writes what the copies read from global memory was asked when the loads were put ahead.
//!
//! They stay where a product on the way reads what threads write in the iteration: all threads meet in front of it, and would meet once more for the copies.
//! They also stay where there is no product on the way, where the wait for copies stands at the end of the body (`advance-waits`), and where the copies
//! stand before the wait for products already ([`super::by_threads`]).
//!
//! 1. Find the place, and ask products and rings.  2. Copies with what they are computed from.  3. Move them.

use super::by_threads::{Copying, Ring};
use super::is_written_in;
use crate::control_flow::with_operands;
use crate::operations::is_dot;
use crate::pipeline_loops::first_wait_for_iteration_before;
use tk_ir::Op;
use tk_ir::ops::ForOp;

/// The copies of a loop that go behind a wait for products.
pub(super) struct CopiesBehindProducts<'c> {
    /// Behind it all products of the iteration before are over.
    finish: Op<'c>,
    /// Iterations that the copies are ahead.
    ahead: i64,
    /// The copies, their groups and what they are computed from, in order.
    moved: Vec<Op<'c>>,
}

impl<'c> CopiesBehindProducts<'c> {
    pub(super) fn of(view: ForOp<'c>) -> Option<Self> {
        let copying = Copying::of(view)?;
        let finish = first_wait_for_iteration_before(view)?;
        let first = *copying.ops.first()?;
        let ahead = copying.ahead()?;
        let is_in_order = copying.wait.is_before_in_block(finish) && finish.is_before_in_block(first);
        let are_free = copying.copies().all(|copy| fills_what_was_read(copy, view, ahead));
        if !is_in_order || !are_free || !passes_products(view, finish, first) {
            return None;
        }
        let moved = with_operands(view.body(), copying.ops, finish)?;
        Some(Self { finish, ahead, moved })
    }

    /// The next iteration begins with waiting for them.
    pub(super) fn are_next(&self) -> bool {
        self.ahead == 1
    }

    pub(super) fn apply(self) {
        self.moved.iter().rev().for_each(|op| op.move_after(self.finish));
    }
}

/// The buffer that a copy fills for `ahead` iterations later was last read by the iteration before, or by an earlier one.
fn fills_what_was_read<'c>(copy: Op<'c>, view: ForOp<'c>, ahead: i64) -> bool {
    Ring::of(copy, view).is_some_and(|ring| {
        let number = ring.filled.operand(1);
        ring.slots > ahead && ring.reads.iter().all(|read| read.operand(1) != number)
    })
}

/// Products stand between `from` and `to`, and none of them reads what threads write in the loop's body.
fn passes_products<'c>(view: ForOp<'c>, from: Op<'c>, to: Op<'c>) -> bool {
    let is_between = |op: &Op<'c>| from.is_before_in_block(*op) && op.is_before_in_block(to);
    let passed: Vec<Op<'c>> = view.body().ops().into_iter().filter(|op| is_dot(*op) && is_between(op)).collect();
    let reads_written = |dot: &Op<'c>| dot.operands().into_iter().any(|operand| is_written_in(view, operand));
    !passed.is_empty() && !passed.iter().any(reads_written)
}
