//! Copies behind the first dot of an iteration, where every ring has a buffer to spare.
//!
//! The barrier before them may stand behind the issue of that dot, or in front of it:
//!
//! ```text
//! loop: dot 1  wait for copies  barrier  copies  wait for dot 1  …compute…  dot 2     the copies of the next iteration are waited for
//! loop: wait for copies  barrier  dot 1  copies  wait for dot 1  …compute…  dot 2     those of this one are
//! ```
//!
//! In the first form no warp waits for others before it multiplies. In the second one a copy has an iteration more to arrive. Four warps that
//! multiply together meet for each `wgmma` anyway, so that a barrier in front of it costs next to nothing, and the second form is for them
//! ([measurements](../../../docs/measurements.md#copies-have-an-iteration-more-to-arrive-where-a-buffer-is-free)).
//!
//! **Why one barrier is enough in the second form.** A ring of `n` buffers whose copies are `n - 2` iterations ahead is filled where the iteration
//! before the last one has read. For its first dot each warp has waited in that iteration, and for its second dot in the one behind, with the first
//! dot of that one. Both waits stand before the barrier of this iteration. What may be under way behind it, the first dot of this iteration and the
//! second one of the iteration before, reads two other buffers. `insert-barriers` finds the same by itself ([`ring_uses`]). Where it would not, a second
//! barrier would cost more than the first form, and that one is taken.

use super::finishes_dots;
use crate::analysis::ring_places::ring_uses;
use crate::attributes::BY_STEP;
use crate::control_flow::with_operands;
use crate::operations::memory::root;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind};

/// Iterations in which a buffer must not be filled that an iteration reads: its second dot may still run in the next one.
const ITERATIONS: i64 = 2;

/// What may move up to the first dot of the iteration.
pub(super) struct BehindDot<'c> {
    first: Op<'c>,
    /// The wait for that dot.
    pub(super) finish: Op<'c>,
    second: Op<'c>,
    /// The copies, their groups and what they are computed from, in order.
    moved: Vec<Op<'c>>,
}

impl<'c> BehindDot<'c> {
    /// `copying` are all copies and groups of the body, and `ahead` how many iterations they are ahead.
    pub(super) fn of(view: ForOp<'c>, copying: &[Op<'c>], ahead: i64) -> Option<Self> {
        let ops = view.body().ops();
        let finish = *ops.iter().find(|op| finishes_dots(op))?;
        let mut dots = ops.iter().filter(|op| op.kind() == OpKind::TtngWarpGroupDot);
        let (first, second) = (*dots.next()?, *dots.next()?);
        let in_order = first.is_before_in_block(finish) && finish.is_before_in_block(second);
        let has_spare = |op: &Op<'c>| !is_copy(op) || ring_size(*op) == Some(ahead + 2);
        if dots.next().is_some() || !in_order || !copying.iter().all(has_spare) {
            return None;
        }
        let moved = with_operands(view.body(), copying.to_vec(), finish)?;
        Some(Self { first, finish, second, moved })
    }

    /// A barrier between `wait` and the first dot is the only one that the copies need, and stands there for what the dot reads.
    pub(super) fn needs_one_barrier(&self, view: ForOp<'c>, wait: Op<'c>) -> bool {
        let rings = ring_uses(view);
        let is_filled = |alloc: Op<'c>| rings.iter().any(|ring| ring.alloc == alloc);
        let is_known = |copy: &Op<'c>| {
            rings.iter().any(|ring| ring.copies.contains(copy) && ring.are_all && ring.iterations >= ITERATIONS)
        };
        let read = self.first.operands().into_iter().filter(|operand| operand.ty().is_memdesc());
        let reads_copies = read.filter_map(|operand| root(operand).defining_op()).any(is_filled);
        let begins = std::iter::successors(self.first.prev(), |op| op.prev()).any(|op| op == wait);
        let mut copies = self.moved.iter().filter(|op| is_copy(op));
        begins && reads_copies && copies.all(is_known)
    }

    /// The wait stays in its iteration. It goes behind what is computed for the first dot, since threads have the time for that meanwhile.
    pub(super) fn apply_behind(self, wait: Op<'c>) {
        let between = std::iter::successors(wait.next(), |op| op.next()).take_while(|op| *op != self.first);
        if between.into_iter().all(|op| op.is_pure()) {
            wait.move_before(self.first);
        }
        self.apply();
    }

    /// The copies move, and the second dot starts in steps.
    pub(super) fn apply(self) {
        self.moved.iter().for_each(|op| op.move_before(self.finish));
        self.second.set_attr(BY_STEP, self.second.context().unit_attr());
    }
}

fn is_copy(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TtgAsyncCopyGlobalToLocal
}

/// Buffers of the ring that a copy fills one of.
fn ring_size(copy: Op<'_>) -> Option<i64> {
    let view = copy.operand(1).defining_op().filter(|op| op.kind() == OpKind::TtgMemDescIndex)?;
    view.operand(0).ty().shape().first().copied()
}
