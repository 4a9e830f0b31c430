//! Blocks that an iteration computes from indices alone, such as 0 and negative infinity of a mask, and that its results are added to.
//!
//! They need no product, so ptxas computes them before the first one is issued, and spreads them over the instructions of the one before. Past a wait
//! for an mbarrier, which is a branch, it does not: threads compute them at the start of an iteration, and only the products that go over the end of
//! the one before are under way meanwhile. Where these are short, the tensor cores are idle then
//! ([measurements](../../../docs/measurements.md#split-barriers-pay-where-one-cta-has-the-multiprocessor)).
//!
//! What is computed from loads is none of them, because there threads wait for memory, and groups that may drift apart gain more. Neither are
//! conditions: there are too few predicates to compute them early.

use super::hand_over::dots_over_the_end;
use crate::analysis::dot_work::cycles_of;
use crate::operations::control::is_structured;
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Value};

/// Cycles of the tensor cores for products that go over the end of an iteration, at least, beside such blocks. Measured: with 512 mbarriers gain,
/// with 256 they lose.
const CYCLES_BESIDE_BLOCKS: i64 = 512;

/// The tensor cores have enough to do while threads compute such blocks, or none of their products was to run meanwhile.
pub(super) fn leave_time(view: ForOp<'_>, groups: i64) -> bool {
    let over_the_end: Vec<WarpGroupDotOp<'_>> =
        dots_over_the_end(view).into_iter().filter_map(WarpGroupDotOp::cast).collect();
    if over_the_end.is_empty() || cycles_of(over_the_end.into_iter()) / groups >= CYCLES_BESIDE_BLOCKS {
        return true;
    }
    let Some(first) = view.body().ops().into_iter().find_map(WarpGroupDotOp::cast) else { return true };
    !is_one_added(view, first)
}

/// Something that needs a product has an operand of the product's type that is computed from indices alone.
fn is_one_added<'c>(view: ForOp<'c>, product: WarpGroupDotOp<'c>) -> bool {
    let from_indices = computed_from_indices(view);
    let is_block = |value: &Value<'c>| value.ty() == product.op.result(0).ty() && from_indices.contains(&value.id());
    let others = view
        .body()
        .ops()
        .into_iter()
        .filter(|op| !op.results().iter().any(|result| from_indices.contains(&result.id())));
    others.flat_map(|op| op.operands()).any(|operand| is_block(&operand))
}

/// Results of the body that need no load, no product and no block of an iteration before.
fn computed_from_indices(view: ForOp<'_>) -> FxHashSet<usize> {
    let body = view.body();
    let mut found = FxHashSet::default();
    for op in body.ops() {
        let inner = op.descendants();
        let is_pure = |op: &Op<'_>| is_structured(*op) || op.kind() == OpKind::ScfYield || op.is_memory_effect_free();
        let is_known = |value: &Value<'_>| {
            let is_own = value.parent_block() == Some(body);
            let is_outside = !is_own && value.defining_op().is_none_or(|op| !view.op.contains(op));
            let is_inside = !is_own && value.defining_op().is_some_and(|op| view.op.contains(op));
            let is_number = value.block_argument().is_some() && !value.ty().is_tensor();
            is_outside || is_inside || is_number || found.contains(&value.id())
        };
        let mut all = inner.iter().copied().chain([op]);
        let is_product =
            |op: &Op<'_>| matches!(op.kind(), OpKind::TtngWarpGroupDot | OpKind::TtngWarpGroupDotWait | OpKind::TtDot);
        let is_from_indices =
            all.clone().all(|op| is_pure(&op) && !is_product(&op)) && all.all(|op| op.operands().iter().all(is_known));
        if is_from_indices {
            found.extend(op.results().iter().map(|result| result.id()));
        }
    }
    found
}
