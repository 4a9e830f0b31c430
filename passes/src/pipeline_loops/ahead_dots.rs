//! Waits of a loop that issues its product one iteration before the result is needed.
//!
//! The product runs over the end of an iteration, and is waited for in the next one, before the first operation that reads its registers. What the
//! iteration hands on is computed before its copies, for which threads wait until nobody reads the buffer any more.
//!
//! 1. Where it is waited for.  2. The wait in the next iteration.  3. What comes before the copies.  4. The wait behind the loop.

use super::async_dots::{insert_wait, only_carried, operands_stay};
use super::first_of;
use crate::attributes::ISSUED_AHEAD;
use crate::operations::is_dot;
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Builder, Op, OpKind, Value};

/// The product of a loop that issues it ahead. `dots` are all products of the body.
pub(super) fn product_of<'c>(dots: &[WarpGroupDotOp<'c>]) -> Option<WarpGroupDotOp<'c>> {
    let [dot] = dots else { return None };
    dot.op.attr(ISSUED_AHEAD).map(|_| *dot)
}

/// A product that cannot run over the end of an iteration stays one that code generation waits for.
pub(super) fn run<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>) {
    let Some(place) = WaitPlace::of(view, dot) else { return };
    dot.op.set_attr("isAsync", dot.op.context().bool_attr(true));
    let value = view.iter_args()[place.carried];
    // Nobody reads the registers before the wait, since they pass through it.
    let wait = insert_wait(Builder::before(place.before).with_location(dot.op.loc()), &[value], 0);
    value.replace_all_uses_except(wait.result(0), &[wait]);
    compute_before_copies(view);
    let result = view.op.result(place.carried);
    let wait = insert_wait(Builder::after(view.op), &[result], 0);
    result.replace_all_uses_except(wait.result(0), &[wait]);
}

/// Where a product is waited for in the iteration behind its own.
struct WaitPlace<'c> {
    /// The carried value that it becomes.
    carried: usize,
    /// The operation of the body before which the wait stands.
    before: Op<'c>,
}

impl<'c> WaitPlace<'c> {
    fn of(view: ForOp<'c>, dot: WarpGroupDotOp<'c>) -> Option<Self> {
        let body = view.body();
        let carried = only_carried(view, dot).filter(|_| dot.op.result(0).users().len() == 1)?;
        let value = view.iter_args()[carried];
        let users: Vec<Op<'c>> =
            value.users().into_iter().map(|(user, _)| user.ancestor_in(body)).collect::<Option<_>>()?;
        let is_before = |user: &Op<'c>| *user == dot.op || user.is_before_in_block(dot.op);
        let writer = Some(dot.a()).filter(|a| a.ty().is_tensor()).and_then(|a| a.defining_op()?.ancestor_in(body));
        if !dot.c().comes_from(value, body) || !users.iter().all(is_before) || !operands_stay(view, dot) {
            return None;
        }
        Some(Self { carried, before: first_of(users.into_iter().chain(writer).chain([dot.op]))? })
    }
}

/// Before the first copy of an iteration threads wait for each other. What the iteration has computed for the next one by then passes through a wait that
/// leaves the product under way. Otherwise code generation would compute it at the end of the iteration, behind the copies.
fn compute_before_copies(view: ForOp<'_>) {
    use OpKind::{TtngAsyncTmaCopyGlobalToLocal, TtngBarrierExpect};
    let ops = view.body().ops();
    let is_copy = |op: &Op<'_>| matches!(op.kind(), TtngBarrierExpect | TtngAsyncTmaCopyGlobalToLocal);
    let Some(first) = ops.into_iter().find(is_copy) else { return };
    let values = computed_before(view, first);
    if values.is_empty() {
        return;
    }
    let wait = insert_wait(Builder::before(first), &values, 1);
    for (index, value) in values.into_iter().enumerate() {
        value.replace_uses_if(wait.result(index), |user, _| user == view.yield_op());
    }
}

/// Tensors of floats that the iteration hands on, and has computed before `end`.
fn computed_before<'c>(view: ForOp<'c>, end: Op<'c>) -> Vec<Value<'c>> {
    let is_arithmetic =
        |op: &Op<'c>| op.is_memory_effect_free() && op.kind() != OpKind::TtngWarpGroupDotWait && !is_dot(*op);
    let is_computed = |value: &Value<'c>| {
        let is_of_floats = value.ty().is_tensor() && value.ty().element().is_float();
        let made = value.defining_op().filter(|made| made.block() == Some(view.body()));
        is_of_floats && made.filter(is_arithmetic).is_some_and(|made| made.is_before_in_block(end))
    };
    let mut seen = FxHashSet::default();
    view.yielded().into_iter().filter(is_computed).filter(|value| seen.insert(value.id())).collect()
}
