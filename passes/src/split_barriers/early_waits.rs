//! Waits for the blocks of the next iteration while the last product of this one runs.
//!
//! Where an iteration has several turns, a group multiplies in each, waits, and scales and adds. From its last sum to its next product nobody multiplies
//! for it, and the other group has one product under way at most. The wait for blocks stood there, and what counts where they are in their rings:
//!
//! ```text
//! loop: wait for blocks i  take  product 1  give  wait  sum 1  take  product 2  give  wait  sum 2
//! loop: take  product 1  give  wait  sum 1  take  product 2  give  wait for blocks i + 1  wait  sum 2
//! ```
//!
//! **Progress.** The wait stands outside of turns, as before. The blocks of the next iteration are announced at the end of an earlier one than this, as
//! copies are [`ITERATIONS_AHEAD`] iterations ahead at least. Past the last iteration nobody waits.
//!
//! 1. The waits and what they count.  2. Count ahead.  3. Wait before the loop, and for the next blocks.

use super::{TmaCopies, viewed};
use crate::interleave_copies::rotate_together;
use crate::tma_lowering::wait_if;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Builder, Op, OpKind, Value};

/// Copies are so many iterations ahead, at least.
const ITERATIONS_AHEAD: usize = 2;

pub(super) struct EarlyWaits<'c> {
    waits: Vec<WaitForBlocks<'c>>,
    /// The wait for the last product.
    last: Op<'c>,
}

/// A wait for blocks of the iteration.
#[derive(Clone, Copy)]
struct WaitForBlocks<'c> {
    op: Op<'c>,
    /// Which of the mbarriers of a ring it waits at.
    barrier: Op<'c>,
}

impl<'c> WaitForBlocks<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let barrier = viewed(op.operand(0)).and_then(|_| op.operand(0).defining_op())?;
        (op.num_operands() == 2).then_some(Self { op, barrier })
    }

    fn place(self) -> Value<'c> {
        self.barrier.operand(1)
    }

    fn phase(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// The same at another place of the ring, under a condition.
    fn again(self, builder: &mut Builder<'c>, place: Value<'c>, phase: Value<'c>, condition: Value<'c>) {
        let (ring, ty) = (self.barrier.operand(0), self.barrier.result(0).ty());
        let barrier = builder.create(OpKind::TtgMemDescIndex, &[ring, place], &[ty], &[]).result(0);
        wait_if(builder, barrier, phase, condition);
    }
}

impl<'c> EarlyWaits<'c> {
    /// `product` is the last of the last turn.
    pub(super) fn of(view: ForOp<'c>, product: Op<'c>, copies: &TmaCopies<'c>) -> Option<Self> {
        let ops = view.body().ops();
        let first_turn = ops.iter().position(|op| op.kind() == OpKind::TkWaitHandOver)?;
        let is_wait = |op: &&Op<'c>| op.kind() == OpKind::TtngWaitBarrier;
        let waits: Option<Vec<_>> = ops[..first_turn].iter().filter(is_wait).map(|op| WaitForBlocks::of(*op)).collect();
        let mut behind = std::iter::successors(product.next(), |op| op.next());
        let last = behind.find(|op| op.kind() == OpKind::TtngWarpGroupDotWait)?;
        let waits = waits.filter(|waits| copies.ahead >= ITERATIONS_AHEAD && !waits.is_empty())?;
        Some(Self { waits, last })
    }

    pub(super) fn apply(self, view: ForOp<'c>) {
        let mut counts: Vec<Value<'c>> = Vec::new();
        for count in self.waits.iter().flat_map(|wait| [wait.place(), wait.phase()]) {
            if !counts.contains(&count) {
                counts.push(count);
            }
        }
        // From here on the waits use what the loop carries.
        if !rotate_together(view, &counts, self.last) {
            return;
        }
        let mut before = Builder::before(view.op).with_location(self.last.loc());
        let any = before.cmpi(CmpI::Slt, view.lower_bound(), view.upper_bound());
        let before_last = before.binary(OpKind::ArithSubI, view.upper_bound(), view.step());
        let mut late = Builder::before(self.last).with_location(self.last.loc());
        let more = late.cmpi(CmpI::Slt, view.induction_var(), before_last);
        let (inits, yielded) = (view.init_args(), view.yielded());
        let index_of = |carried: Value<'c>| view.iter_args().iter().position(|argument| *argument == carried);
        for wait in self.waits {
            let Some((place, phase)) = index_of(wait.place()).zip(index_of(wait.phase())) else { continue };
            wait.again(&mut before, inits[place], inits[phase], any);
            wait.again(&mut late, yielded[place], yielded[phase], more);
            wait.op.erase();
        }
    }
}
