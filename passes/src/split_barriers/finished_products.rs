//! Copies by threads behind products that their own iteration finishes.
//!
//! Where one wait finishes all products of an iteration, warps arrive at *free* there, for the buffers that this very iteration has read. What it
//! copies goes where the iteration before has read, since rings have a buffer to spare: it needs the phase before. A wait for the phase of the
//! iteration itself, right behind the arrival, is a barrier of all warps. Without it groups of warps may be an iteration apart, and the wait and the
//! copies go behind the issue of the last product, where threads would wait for its result anyway:
//!
//! ```text
//! loop: product  wait  arrive at free  sum  wait at free (this iteration's)        copies
//! loop: product  wait at free (that of the iteration before)  copies  wait  arrive at free  sum
//! ```
//!
//! The first iteration's wait passes a phase that is over before anybody arrives. Nobody waits for the last one: what ends the mbarriers comes behind
//! a barrier of all threads.
//!
//! True where nothing is issued or read from the rings behind the arrival. Attention and gradients, whose products go over the end of an iteration,
//! arrive for the iteration before, and stay as they are
//! ([measurements](../../../docs/measurements.md#products-that-an-iteration-finishes-do-not-wait-for-all-warps)).
//!
//! 1. The last product, and what goes behind it.  2. Move it.

use super::{in_body, ring_of};
use crate::control_flow::with_operands;
use crate::operations::memory::{is_view, root};
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};

pub(super) struct FinishedProducts<'c> {
    /// The copies, their groups, and what they are computed from, in order.
    moved: Vec<Op<'c>>,
    /// The last product of the iteration.
    product: Op<'c>,
}

impl<'c> FinishedProducts<'c> {
    /// `finish` is the wait behind which warps arrive. `None` where copies need something that stands behind the products, or that is more than
    /// arithmetic.
    pub(super) fn of(view: ForOp<'c>, finish: Op<'c>, copies: &[Op<'c>]) -> Option<Self> {
        let products = in_body(view, OpKind::TtngWarpGroupDot)?;
        let product = *products.last()?;
        let are_finished = finish.int_attr("pendings") == Some(0) && product.is_before_in_block(finish);
        if !are_finished || reads_behind(finish, copies) {
            return None;
        }
        let groups = in_body(view, OpKind::TtgAsyncCommitGroup)?;
        let moved = with_operands(view.body(), [copies, &groups[..]].concat(), product)?;
        Some(Self { moved, product })
    }

    pub(super) fn apply(&self) {
        self.moved.iter().rev().for_each(|op| op.move_after(self.product));
    }
}

/// Something behind `finish` takes a buffer of the rings that the copies fill, other than they do.
fn reads_behind<'c>(finish: Op<'c>, copies: &[Op<'c>]) -> bool {
    let rings: Vec<Value<'c>> = copies.iter().filter_map(|copy| ring_of(*copy)).collect();
    let is_of_ring = |value: &Value<'c>| value.ty().is_memdesc() && rings.contains(&buffer_of(*value));
    let behind = std::iter::successors(finish.next(), |op| op.next());
    let mut all = behind.flat_map(|op| op.descendants().into_iter().chain([op]));
    all.any(|op| !copies.contains(&op) && !is_view(op) && op.operands().iter().any(is_of_ring))
}

/// The buffer that a value is a view of. A wait for products gives the buffers that those read once more.
fn buffer_of(mut memory: Value<'_>) -> Value<'_> {
    loop {
        memory = root(memory);
        match memory.defining_op().filter(|op| op.kind() == OpKind::TtngWarpGroupDotWait) {
            Some(wait) => memory = wait.operand(memory.result_number()),
            None => return memory,
        }
    }
}
