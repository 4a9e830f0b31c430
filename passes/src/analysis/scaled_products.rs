//! Loops of products that do not need each other, and the numbers that their results are scaled by.
//!
//! Products with scales of blocks multiply each result by a number for each row and one for each column, and add it to a sum. The numbers are needed behind the
//! product: they are asked for where the iteration begins, and come while it waits for its copies and multiplies. So they are not what such a loop
//! waits for, if they are few, and if where they lie follows from counters.
//!
//! Where a product needs the result of another one, as in attention, what lies between the two is another matter.

use super::async_loads::{MAX_REGISTER_BYTES, register_bytes};
use super::product_ahead::is_row_load;
use super::rows_of_results::{is_computed_from, is_made_from};
use crate::operations::is_dot;
use crate::operations::memory::{GlobalMemory, global_memory};
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, OpKind, Value};

/// No product of the loop multiplies what is computed from results of its products, in this iteration or in an earlier one.
pub(crate) fn products_are_apart(view: ForOp<'_>) -> bool {
    !products_multiply(view, is_dot)
}

/// The load gives a number for each row, each column or all of a product, few of which a thread has; no product multiplies it, and where it lies follows from
/// counters and from what does not change.
pub(crate) fn is_scale<'c>(view: ForOp<'c>, op: Op<'c>) -> bool {
    let Some(load) = LoadOp::cast(op).filter(|_| op.block() == Some(view.body()) && is_row_load(op)) else {
        return false;
    };
    let reads = |other: Op<'c>| !matches!(global_memory(other.kind()), GlobalMemory::None);
    is_few(load)
        && !is_computed_from(view, op, |other| is_dot(other) || reads(other))
        && !products_multiply(view, |other| other == op)
}

/// A thread has few numbers of it, or one that all elements are.
fn is_few(load: LoadOp<'_>) -> bool {
    let is_splat = |value: Value<'_>| value.defining_op().is_some_and(|op| op.kind() == OpKind::TtSplat);
    !load.is_volatile() && (register_bytes(load) <= MAX_REGISTER_BYTES || is_splat(load.ptr()))
}

/// A product of the loop multiplies what is computed from operations that `is_source` names.
fn products_multiply<'c>(view: ForOp<'c>, is_source: impl Fn(Op<'c>) -> bool) -> bool {
    let mut dots = view.op.descendants().into_iter().filter(|op| is_dot(*op));
    dots.any(|dot| is_made_from(view, dot.operands().into_iter().take(2).collect(), &is_source))
}
