//! The copies by TMA of a pipelined loop.

use super::{finish_of, in_body, viewed};
use crate::attributes::ISSUED_AHEAD;
use crate::control_flow::first_of;
use crate::operations::control::is_structured;
use crate::operations::memory::{SharedMemory, is_view, root, shared_memory};
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Value};
use tk_layout::tensor_map::copy_box;

/// What copies of an iteration fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filled {
    /// What the iteration before has read: all rings have a buffer to spare.
    ReadBefore,
    /// What the iteration itself has read, in one of the rings at least.
    ReadInIteration,
}

/// What announces and starts copies by TMA in a loop, all of them behind a wait for the products that have read what they fill. That is
/// what the iteration before has read where a ring has one buffer more than iterations are under way, and what this iteration has read where it
/// has as many.
pub(crate) struct TmaCopies<'c> {
    /// Behind this wait nobody reads what is filled.
    pub(crate) finish: Op<'c>,
    /// The announcements, and then the copies.
    pub(crate) ops: Vec<Op<'c>>,
    /// The first announcement before the loop.
    pub(crate) first_before: Op<'c>,
    /// How many iterations the copies are ahead, at least.
    pub(crate) ahead: usize,
    pub(super) filled: Filled,
}

impl<'c> TmaCopies<'c> {
    /// `None` where some are in branches, or are not such copies.
    pub(crate) fn of(view: ForOp<'c>) -> Option<Self> {
        let mut ops = in_body(view, OpKind::TtngBarrierExpect)?;
        let announced: Vec<Value<'c>> = ops.iter().filter_map(|expect| viewed(expect.operand(0))).collect();
        let loads = in_body(view, OpKind::TtngAsyncTmaCopyGlobalToLocal)?;
        let before: Vec<Op<'c>> = std::iter::successors(view.op.prev(), |op| op.prev())
            .take_while(|op| !is_structured(*op) || !announces(*op))
            .filter(|op| op.kind() == OpKind::TtngBarrierExpect)
            .collect();
        let ahead = |barriers: &Value<'c>| before.iter().filter(|op| viewed(op.operand(0)) == Some(*barriers)).count();
        let mut finish = finish_of(view)?;
        let mut filled = Filled::ReadBefore;
        for load in &loads {
            let [ring, barriers] = [4, 3].map(|segment| load.segment(segment).first().and_then(|value| viewed(*value)));
            let (ring, barriers) = ring.zip(barriers).filter(|(_, barriers)| announced.contains(barriers))?;
            let spare = ring.ty().shape().first()?.checked_sub(i64::try_from(ahead(&barriers)).ok()?)?;
            finish = match spare {
                1 if !is_read_ahead(view, ring) => finish,
                // A product that is issued ahead reads the buffer that would be next, and the one before it is done.
                0 if is_read_ahead(view, ring) => finish,
                0 => end_of_reads(view, ring, finish)?,
                _ => return None,
            };
            if spare == 0 {
                filled = Filled::ReadInIteration;
            }
        }
        let qualifies = !loads.is_empty()
            && announced.len() == ops.len()
            && ops.iter().chain(&loads).all(|op| finish.is_before_in_block(*op));
        let ahead = announced.iter().map(ahead).min()?;
        ops.extend(loads);
        let first_before = first_of(before)?;
        qualifies.then_some(Self { finish, ops, first_before, ahead, filled })
    }

    /// Each block is copied by one instruction: it reaches no further than one row of the swizzle.
    pub(super) fn are_single(&self) -> bool {
        let is_single = |copy: &Op<'c>| {
            let Some(ty) = copy.segment(4).first().map(|buffer| buffer.ty()) else { return false };
            let shape = ty.shape();
            ty.layout()
                .and_then(|layout| copy_box(&layout, &shape, ty.element_bits()))
                .is_some_and(|(of, _)| of == shape)
        };
        let mut copies = self.ops.iter().filter(|op| op.kind() == OpKind::TtngAsyncTmaCopyGlobalToLocal);
        copies.all(is_single)
    }

    /// The first of them in the body.
    pub(crate) fn first(&self) -> Option<Op<'c>> {
        first_of(self.ops.iter().copied())
    }
}

/// A loop or a branch that announces copies of its own; one that computes which tile comes next has none.
fn announces(op: Op<'_>) -> bool {
    op.descendants().into_iter().any(|inner| inner.kind() == OpKind::TtngBarrierExpect)
}

/// A product of the body that is issued ahead reads a buffer of `ring`.
fn is_read_ahead<'c>(view: ForOp<'c>, ring: Value<'c>) -> bool {
    let dots =
        view.body().ops().into_iter().filter(|op| op.attr(ISSUED_AHEAD).is_some()).filter_map(WarpGroupDotOp::cast);
    dots.flat_map(|dot| [dot.a(), dot.b()]).any(|operand| operand.ty().is_memdesc() && root(operand) == ring)
}

/// The first wait from `finish` on behind which this iteration's products have read `ring`. `None` where others read it, or nobody waits.
fn end_of_reads<'c>(view: ForOp<'c>, ring: Value<'c>, finish: Op<'c>) -> Option<Op<'c>> {
    let ops = view.body().ops();
    let reads =
        |op: &Op<'c>| op.operands().into_iter().any(|operand| operand.ty().is_memdesc() && root(operand) == ring);
    let is_product = |op: Op<'c>| op.kind() == OpKind::TtngWarpGroupDot;
    let is_of_products = |op: &Op<'c>| {
        let is_copy_or_wait = matches!(shared_memory(op.kind()), SharedMemory::StartLoad | SharedMemory::WaitForDots);
        is_product(*op) || is_view(*op) || is_copy_or_wait
    };
    let last = ops.iter().rposition(|op| is_product(*op) && reads(op))?;
    let is_known = view.op.descendants().iter().filter(|op| reads(op)).all(is_of_products);
    let is_finish = |at: &usize| {
        let left = ops[*at].int_attr("pendings").unwrap_or(0);
        let issued_later = ops[last + 1..*at].iter().filter(|op| is_product(**op)).count();
        let waits = ops[*at].kind() == OpKind::TtngWarpGroupDotWait && left <= issued_later as i64;
        waits && (ops[*at] == finish || finish.is_before_in_block(ops[*at]))
    };
    (last + 1..ops.len()).find(is_finish).filter(|_| is_known).map(|at| ops[at])
}
