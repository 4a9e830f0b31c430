//! Copies by TMA behind the first product of an iteration of several turns.
//!
//! A group goes from its last sum to its next product while the other multiplies for one turn. At the end of an iteration the wait for free
//! buffers and the copies lengthen that way: it waits for the other group's last product, which is under way. Behind its own first product
//! it has nothing to do until the result is there, and by then the other's last product of the iteration before is done.
//!
//! ```text
//! loop: product 1  give  wait  arrive at free  sum 1  product 2  give  wait  sum 2  wait at free  copies
//! loop: product 1  give  wait at free  copies  wait  sum 1  product 2  give  wait  arrive at free  sum 2
//! ```
//!
//! What is filled is what the iteration before has read, where rings have a buffer to spare: copies are as far ahead as before. The first iteration's
//! wait passes a phase that is over before anybody arrives, and nobody waits for the last one.
//!
//! Numbers of rows that threads load into registers keep their wait behind the first product: with copies there ptxas waits for those of the next
//! iteration, too, which have just been asked for
//! ([measurements](../../../docs/measurements.md#copies-behind-the-first-of-several-products-pay-where-numbers-of-rows-are-copied-too)).
//!
//! Single numbers that are loaded for the next iteration, such as the scale of a block, go behind the last product: on the way from its sum to the next
//! product there is less to compute then.
//!
//! 1. The place, and what goes there.  2. Move it; arrive behind the last product.

use super::{TmaCopies, tma_copies::Filled};
use crate::control_flow::with_operands;
use tk_ir::ops::ForOp;
use tk_ir::{Builder, Op, OpKind};

/// Operands of a loop before the values that it starts with: its bounds and its step.
const FIRST_INIT: usize = 3;

pub(super) struct EarlyCopies<'c> {
    /// The wait for free buffers, the copies, and what they are computed from, in order.
    moved: Vec<Op<'c>>,
    /// They go behind this, which gives the first turn.
    place: Op<'c>,
    /// Loads of single numbers for the next iteration, which go behind what gives the last turn.
    numbers: Vec<Op<'c>>,
    last_given: Op<'c>,
    /// Behind this wait the group has read all buffers of the iteration.
    last: Op<'c>,
    /// Which of the carried values is the phase that the first waits for.
    phase: usize,
}

impl<'c> EarlyCopies<'c> {
    /// `until_free` is the wait for the buffers, `product` the last of the last turn.
    pub(super) fn of(view: ForOp<'c>, copies: &TmaCopies<'c>, until_free: Op<'c>, product: Op<'c>) -> Option<Self> {
        let ops = view.body().ops();
        let loads_rows = ops.iter().any(|op| op.kind() == OpKind::TtLoad && op.result(0).ty().is_tensor());
        let place = *ops.iter().find(|op| op.kind() == OpKind::TkHandOver)?;
        let mut behind = std::iter::successors(product.next(), |op| op.next());
        let last_given = behind.clone().find(|op| op.kind() == OpKind::TkHandOver)?;
        let last = behind.find(|op| op.kind() == OpKind::TtngWarpGroupDotWait)?;
        let moved = with_operands(view.body(), copies.ops.iter().copied().chain([until_free]).collect(), place)?;
        let is_possible = copies.filled == Filled::ReadBefore && !loads_rows && last.int_attr("pendings") == Some(0);
        let phase = view.iter_args().iter().position(|argument| *argument == until_free.operand(1))?;
        let is_for_next = |op: &Op<'c>| op.result(0).users().iter().all(|(user, _)| *user == view.yield_op());
        let loads = ops.into_iter().filter(|op| op.kind() == OpKind::TtLoad && op.is_before_in_block(last_given));
        let numbers = loads.filter(is_for_next).collect();
        is_possible.then_some(Self { moved, place, numbers, last_given, last, phase })
    }

    /// `arrival` says that buffers are free.
    pub(super) fn apply(self, view: ForOp<'c>, arrival: Op<'c>) {
        let mut outside = Builder::before(view.op).with_location(self.place.loc());
        let before_first = outside.i32(1);
        view.op.set_operand(FIRST_INIT + self.phase, before_first);
        self.moved.iter().rev().for_each(|op| op.move_after(self.place));
        self.numbers.iter().for_each(|load| load.move_after(self.last_given));
        arrival.move_after(self.last);
    }
}
