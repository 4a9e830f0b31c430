//! Writes of loaded operands behind the products that do not read them.
//!
//! Attention that loads its values beside its keys, and has to turn them, writes them before the product of queries and keys: all threads wait for the
//! values, write them and meet, and tensor cores have no work. Directly before the product that reads them, they arrive while that of the scores and the
//! exponentials are computed.
//!
//! True for a buffer of a block that is loaded in the same iteration, whose first reader is a product behind the wait for another one, where a thread has
//! registers for the block until then, and where one CTA has the multiprocessor: others would compute meanwhile. Behind the start of the first product
//! it gains nothing: what follows waits for memory as before
//! ([measurements](../../../docs/measurements.md#values-that-are-turned-are-written-before-their-product)). Warp groups that take turns have an order of their
//! own.
//!
//! 1. Buffers whose reader is behind a product.  2. Registers on the way.  3. Move the write.

use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::{LiveRegisters, registers};
use crate::operations::computations::computation;
use tk_diag::Result;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, OpKind, Value};

/// Of eight registers that a thread can have, those that are left for addresses and masks.
const SPARE_OF_EIGHT: u32 = 1;
/// Operations between a load and its buffer that are looked at.
const MOST_STEPS: usize = 16;

/// Moves the writes of a function, compiled for so many warps in a CTA.
pub(super) fn move_behind_products(function: Op<'_>, num_warps: u32, most: u32, cx: &PassContext) -> Result<()> {
    let late: Vec<LateWrite<'_>> = function.descendants().into_iter().filter_map(LateWrite::of).collect();
    if late.is_empty() || !is_alone(function, num_warps, cx)? {
        return Ok(());
    }
    let room = most - most * SPARE_OF_EIGHT / 8;
    let live = LiveRegisters::of_floats_once(function);
    // Blocks that wait already.
    let mut held = 0;
    for write in late {
        let taken = registers(write.buffer.operand(0).ty());
        if write.most_on_the_way(&live) + held + taken <= room {
            write.buffer.move_before(write.reader);
            held += taken;
        }
    }
    Ok(())
}

/// One CTA has the multiprocessor.
fn is_alone(function: Op<'_>, num_warps: u32, cx: &PassContext) -> Result<bool> {
    let bytes = total_bytes(&buffers_of_module(function)?);
    let ctas = cx.target.occupancy(1, bytes, num_warps).ctas_per_sm;
    Ok(ctas.min(cx.options.residency.at_most().unwrap_or(u32::MAX)) == 1)
}

/// A buffer that is written before a product, and the one that reads it.
struct LateWrite<'c> {
    buffer: Op<'c>,
    reader: Op<'c>,
}

impl<'c> LateWrite<'c> {
    fn of(buffer: Op<'c>) -> Option<Self> {
        let is_written = buffer.kind() == OpKind::TtgLocalAlloc && buffer.num_operands() == 1;
        let block = buffer.block().filter(|_| is_written)?;
        let takes_turns = |op: &Op<'c>| matches!(op.kind(), OpKind::TkHandOver | OpKind::TkWaitHandOver);
        block.parent_op().and_then(ForOp::cast).filter(|_| !block.ops().iter().any(takes_turns))?;
        let readers = buffer.result(0).users().into_iter().map(|(user, _)| user.ancestor_in(block));
        let readers = readers.collect::<Option<Vec<Op<'c>>>>()?;
        let reader =
            readers.into_iter().reduce(|first, other| if other.is_before_in_block(first) { other } else { first })?;
        let is_product = reader.kind() == OpKind::TtngWarpGroupDot;
        let waits = between(buffer, reader).any(|op| op.kind() == OpKind::TtngWarpGroupDotWait);
        (is_product && waits && is_loaded_here(buffer)).then_some(Self { buffer, reader })
    }

    /// Registers at the fullest place between the write and the reader.
    fn most_on_the_way(&self, live: &LiveRegisters) -> u32 {
        let at = |op: Op<'c>| live.at(op).saturating_sub(taken_over(op));
        between(self.buffer, self.reader).map(at).max().unwrap_or(0)
    }
}

/// Registers of what is computed element by element in those of an operand that nobody needs any longer.
fn taken_over(op: Op<'_>) -> u32 {
    if op.num_results() != 1 || !computation(op.kind()).is_element_by_element() {
        return 0;
    }
    let count = registers(op.result(0).ty());
    let ends = |operand: &Value<'_>| {
        let is_last = |user: Op<'_>| {
            let place = op.block().and_then(|block| user.ancestor_in(block));
            place.is_some_and(|place| place == op || place.is_before_in_block(op))
        };
        registers(operand.ty()) >= count
            && operand.parent_block() == op.block()
            && operand.users().into_iter().all(|(user, _)| is_last(user))
    };
    if op.operands().iter().any(ends) { count } else { 0 }
}

/// The operations of a block between two of it.
fn between<'c>(first: Op<'c>, last: Op<'c>) -> impl Iterator<Item = Op<'c>> {
    std::iter::successors(first.next(), |op| op.next()).take_while(move |op| *op != last)
}

/// The block that is written was loaded in this iteration, and nobody else keeps it.
fn is_loaded_here(buffer: Op<'_>) -> bool {
    let mut value = buffer.operand(0);
    for _ in 0..MOST_STEPS {
        let made = value.defining_op().filter(|made| value.has_one_use() && made.block() == buffer.block());
        let Some(made) = made else { return false };
        if LoadOp::cast(made).is_some() {
            return true;
        }
        if !matches!(made.kind(), OpKind::TtReshape | OpKind::TtTrans) {
            return false;
        }
        value = made.operand(0);
    }
    false
}
