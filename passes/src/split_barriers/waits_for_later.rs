//! Waits for blocks of later products before what is computed behind a reduction.
//!
//! A wait is a loop of its own in machine code, and what stands before it and behind it is not mixed. Attention waits for the values between its
//! exponentials and the product of the values. Where lanes exchange the weights before that product, as those of 8 bits, all exponentials came before the
//! wait; the sum was scaled behind it, where nothing else was left to compute, and not in the time that the special functions take. Behind the
//! largest scores, exponentials, exchange and scaling are one piece:
//!
//! ```text
//! loop: product 1  its results  largest of rows  exponentials  exchange  wait for blocks  scale the sum  product 2
//! loop: product 1  its results  largest of rows  wait for blocks  exponentials, exchange, scale the sum  product 2
//! ```
//!
//! The blocks are those of this iteration, whose copies have been started an iteration ago or earlier, beside those of the first product. Before the
//! reduction the wait was slower ([measurements](../../../docs/measurements.md#attention-of-bytes-waits-for-values-before-its-exponentials)).
//!
//! 1. The waits, and what stands between them and the reduction.  2. Move them.

use super::viewed;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind};

/// A wait for blocks, and what of the body it is computed from.
struct LaterBlocks<'c> {
    /// What moves, in order; the last is the wait.
    moved: Vec<Op<'c>>,
    /// The reduction that they go behind.
    place: Op<'c>,
}

/// Moves the waits of a loop.
pub(super) fn wait_behind_reductions(view: ForOp<'_>) {
    let is_of_blocks = |op: &Op<'_>| op.kind() == OpKind::TtngWaitBarrier && viewed(op.operand(0)).is_some();
    for wait in view.body().ops().into_iter().filter(is_of_blocks) {
        if let Some(blocks) = LaterBlocks::of(wait) {
            blocks.apply();
        }
    }
}

impl<'c> LaterBlocks<'c> {
    /// `None` where something else than arithmetic stands between a reduction and the wait.
    fn of(wait: Op<'c>) -> Option<Self> {
        let before = || std::iter::successors(wait.prev(), |op| op.prev());
        let is_passed = |op: &Op<'c>| op.is_memory_effect_free() && op.kind() != OpKind::TtReduce;
        let passed: Vec<Op<'c>> = before().take_while(is_passed).collect();
        let place = before().nth(passed.len()).filter(|op| op.kind() == OpKind::TtReduce)?;
        let mut moved = vec![wait];
        // From the wait up, so that users come before what they use.
        for op in passed {
            let is_needed =
                moved.iter().any(|user| user.operands().iter().any(|value| value.defining_op() == Some(op)));
            if is_needed {
                moved.push(op);
            }
        }
        moved.reverse();
        // Where a block is depends on numbers, not on results.
        let is_number = |op: &Op<'c>| op.results().iter().all(|result| !result.ty().is_tensor());
        moved.iter().all(is_number).then_some(Self { moved, place })
    }

    fn apply(self) {
        let mut place = self.place;
        for op in self.moved {
            op.move_after(place);
            place = op;
        }
    }
}
