//! Copies by TMA behind the first products of the next iteration.
//!
//! Before its copies a group waits until the other has read the buffers that they fill. At the end of an iteration that wait stands before the first
//! products of the next one: a group that is ahead cannot issue them until the other has its results, and the tensor cores may run out of work
//! meanwhile. Copies that are two iterations ahead or more have time. So they go behind the first products of the next iteration (and behind what
//! gives the turn), where the group would wait for results anyway.
//!
//! ```text
//! loop: product 1  wait  arrive at free  …compute…  product 2  wait at free  copies
//! loop: product 1  wait at free  copies  wait  arrive at free  …compute…  product 2         of the iteration before
//! ```
//!
//! The loop carries what the copies are computed from. The first iteration copies nothing, and its wait passes a phase that is over before anybody
//! arrives; the copies of the last iterations are past the end. Nobody waits for the last phase.
//!
//! 1. The place, and the numbers that are carried.  2. Carry them.  3. Copies and wait in the new place.

use super::TmaCopies;
use crate::cloning::{Mapping, copy_op};
use crate::control_flow::{NewCarried, extend_for};
use tk_ir::ops::ForOp;
use tk_ir::{Builder, Op, OpKind, Value};

/// Copies are so many iterations ahead, at least.
const ITERATIONS_AHEAD: usize = 2;

pub(super) struct LateCopies<'c> {
    /// What goes, in order: the wait, views of buffers and barriers, announcements and copies.
    moved: Vec<Op<'c>>,
    /// Numbers of an iteration that are needed in the next.
    numbers: Vec<Value<'c>>,
    /// The operation that they go in front of.
    place: Op<'c>,
    /// What the wait waits for.
    phase: Value<'c>,
}

impl<'c> LateCopies<'c> {
    /// `None` where the copies are too late then, no product is issued before the first wait, or what copies need is not a number. `wait` is that
    /// for the buffers.
    pub(super) fn of(view: ForOp<'c>, copies: &TmaCopies<'c>, wait: Op<'c>) -> Option<Self> {
        let body = view.body();
        let ops = body.ops();
        let product = ops.iter().rfind(|op| is_product(op) && op.is_before_in_block(copies.finish))?;
        let goes_on = ops.iter().any(|op| is_product(op) && copies.finish.is_before_in_block(*op));
        let place = std::iter::successors(product.next(), |op| op.next()).find(|op| op.kind() != OpKind::TkHandOver)?;
        if copies.ahead < ITERATIONS_AHEAD || !goes_on {
            return None;
        }
        let effects = || copies.ops.iter().copied().chain([wait]);
        let is_view = |value: &Value<'c>| value.parent_block() == Some(body) && value.ty().is_memdesc();
        let views: Vec<Op<'c>> = effects()
            .flat_map(|op| op.operands())
            .filter(is_view)
            .map(|value| value.defining_op().filter(|op| op.kind() == OpKind::TtgMemDescIndex))
            .collect::<Option<_>>()?;
        let moved: Vec<Op<'c>> =
            ops.into_iter().filter(|op| views.contains(op) || effects().any(|effect| effect == *op)).collect();
        let mut numbers: Vec<Value<'c>> = Vec::new();
        for value in moved.iter().flat_map(|op| op.operands()) {
            let is_own = value.parent_block() == Some(body) && !is_view(&value);
            if is_own && !numbers.contains(&value) {
                value.ty().int_bits().filter(|_| !value.ty().is_tensor())?;
                numbers.push(value);
            }
        }
        let is_condition = |value: &Value<'c>| value.ty().int_bits() == Some(1) && numbers.contains(value);
        let is_conditional = copies.ops.iter().all(|op| op.operands().iter().any(is_condition));
        is_conditional.then_some(Self { moved, numbers, place, phase: wait.operand(1) })
    }

    /// Gives the loop as it is then.
    pub(super) fn apply(self, view: ForOp<'c>) -> ForOp<'c> {
        let mut outside = Builder::before(view.op).with_location(self.place.loc());
        let before_first = |value: &Value<'c>| {
            // No phase is over but the one before the first.
            let init = outside.int(value.ty(), i64::from(*value == self.phase));
            NewCarried { init, next: *value, ty: value.ty() }
        };
        let carried: Vec<NewCarried<'c>> = self.numbers.iter().map(before_first).collect();
        let view = extend_for(view, &carried);
        let first = view.iter_args().len() - carried.len();
        let mut mapping = Mapping::default();
        for (number, argument) in self.numbers.iter().zip(&view.iter_args()[first..]) {
            mapping.insert(*number, *argument);
        }
        let mut builder = Builder::before(self.place);
        for op in &self.moved {
            copy_op(*op, &mut builder, &mut mapping, |location| location);
        }
        self.moved
            .iter()
            .rev()
            .filter(|op| op.results().iter().all(|result| !result.has_uses()))
            .for_each(|op| op.erase());
        view
    }
}

fn is_product(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TtngWarpGroupDot
}
