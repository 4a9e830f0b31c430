//! Where the products of a loop's body are waited for that do not stay in flight.
//!
//! Right behind a product nothing is left to the tensor cores but the product itself. Where others are issued before its result is needed, the
//! wait stands before the first need, and leaves those under way: tensor cores finish products in the order of their issue. So gradients of
//! attention compute on the scores while the next product runs. So do products by `mma.sync`, in gradients with few queries in the loop.

use super::first_of;
use crate::attributes::ISSUED_AHEAD;
use crate::operations::control::is_loop;
use crate::operations::memory::{SharedMemory, root, shared_memory};
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Value};

/// The place of the wait for a product.
#[derive(Clone, Copy)]
pub(super) struct WaitPoint<'c> {
    /// The operation of the body before which the wait stands.
    before: Op<'c>,
    /// Products issued between the one that is waited for and the wait.
    pub(super) pendings: usize,
}

impl<'c> WaitPoint<'c> {
    /// `dots` are the asynchronous products of the body in order, `dot` among them.
    pub(super) fn of(view: ForOp<'c>, dot: WarpGroupDotOp<'c>, dots: &[WarpGroupDotOp<'c>]) -> Self {
        let body = view.body();
        let behind = Self { before: dot.op.next().unwrap_or(view.yield_op()), pendings: 0 };
        let users = dot.op.result(0).users().into_iter().filter_map(|(user, _)| user.ancestor_in(body));
        let Some(need) = first_of(users) else { return behind };
        let is_between = |op: Op<'c>| dot.op.is_before_in_block(op) && op.is_before_in_block(need);
        let pendings = dots.iter().filter(|other| is_between(other.op)).count();
        let mut between = std::iter::successors(dot.op.next(), |op| op.next()).take_while(|op| *op != need);
        if pendings > 0 && between.clone().all(|op| leaves_alone(op, dot, dots)) {
            return Self { before: need, pendings };
        }
        // Products by `mma.sync` take what the warps multiply meanwhile, up to the next product by `wgmma`.
        let is_next = |op: &Op<'c>| op.kind() == OpKind::TtngWarpGroupDot || !leaves_alone(*op, dot, dots);
        let before = between.find(is_next).unwrap_or(need);
        let mut meanwhile = std::iter::successors(dot.op.next(), |op| op.next()).take_while(|op| *op != before);
        if meanwhile.any(|op| op.kind() == OpKind::TtDot) { Self { before, pendings: 0 } } else { behind }
    }

    /// Whether something stands between the product and the wait.
    pub(super) fn is_later(&self, dot: WarpGroupDotOp<'c>) -> bool {
        dot.op.next() != Some(self.before)
    }

    pub(super) fn builder(&self, dot: WarpGroupDotOp<'c>) -> tk_ir::Builder<'c> {
        tk_ir::Builder::before(self.before).with_location(dot.op.loc())
    }

    /// Whether what an earlier `dot` reads stays as it is until the wait, too.
    pub(super) fn stays_until(&self, dot: WarpGroupDotOp<'c>, dots: &[WarpGroupDotOp<'c>]) -> bool {
        let mut between = std::iter::successors(dot.op.next(), |op| op.next()).take_while(|op| *op != self.before);
        between.all(|op| leaves_alone(op, dot, dots))
    }

    /// Whether an operation of the body stands behind the wait.
    pub(super) fn is_before(&self, op: Op<'c>) -> bool {
        op == self.before || self.before.is_before_in_block(op)
    }
}

/// Whether an operation changes nothing that `dot` reads from shared memory, and neither issues products that are not among `dots` nor waits for any,
/// nor copies for later iterations: the wait also says that the products of the iteration before have read what those overwrite.
fn leaves_alone<'c>(op: Op<'c>, dot: WarpGroupDotOp<'c>, dots: &[WarpGroupDotOp<'c>]) -> bool {
    let is_known = dots.iter().any(|other| other.op == op);
    let is_read = |memory: Value<'c>| [dot.a(), dot.b()].into_iter().any(|read| root(read) == root(memory));
    !is_loop(op)
        && op.descendants().into_iter().chain([op]).all(|inner| match shared_memory(inner.kind()) {
            SharedMemory::StartDot => is_known,
            SharedMemory::WaitForDots | SharedMemory::Call | SharedMemory::StartCopy | SharedMemory::StartLoad => false,
            SharedMemory::Write { target } => !is_read(inner.operand(target)),
            SharedMemory::Free | SharedMemory::InitMbarrier => {
                !inner.operands().into_iter().any(|operand| operand.ty().is_memdesc() && is_read(operand))
            }
            SharedMemory::None
            | SharedMemory::Scratch(_)
            | SharedMemory::Allocate
            | SharedMemory::View
            | SharedMemory::Read
            | SharedMemory::WaitForCopies
            | SharedMemory::StartStore
            | SharedMemory::WaitForStores
            | SharedMemory::Announce
            | SharedMemory::Arrive
            | SharedMemory::WaitAtMbarrier
            | SharedMemory::Fence
            | SharedMemory::Barrier => true,
        })
}

/// In a loop that waits for products of its own iterations: the first wait of the body behind which all products of the iteration before are done.
pub(crate) fn first_wait_for_iteration_before(view: ForOp<'_>) -> Option<Op<'_>> {
    let (mut issued, mut first, mut waits_for_own) = (0, None, false);
    for op in view.body().ops() {
        if op.kind() == OpKind::TtngWarpGroupDot {
            issued += 1;
            // The iteration computes on one that was issued ahead of it.
            waits_for_own |= op.attr(ISSUED_AHEAD).is_some();
        } else if op.kind() == OpKind::TtngWarpGroupDotWait {
            let left = op.int_attr("pendings").unwrap_or(0);
            first = first.or((left <= issued).then_some(op));
            waits_for_own |= left < issued;
        }
    }
    first.filter(|_| waits_for_own)
}
