//! `sum(x[:, :, None] * y[None, :, :], axis=1)`, which is a product of matrices: as one, no thread has to hold the block of three dimensions.
//!
//! Threads share the elements of the result of a product, and those of the whole block of a sum; a product has its factors in shared memory. So
//! it stays a sum where threads outnumber the elements of the result, and where the factors take much of the shared memory.

use crate::PassContext;
use tk_ir::ops::{InputPrecision, ReduceOp};
use tk_ir::{Builder, Op, OpKind, Value};
use tk_types::ScalarType;

/// The least size of each of the three dimensions. Smaller blocks are summed up in registers.
const LEAST: i64 = 16;

/// Most bytes of the two factors: what every GPU gives a CTA that does not ask for more.
const MOST_BYTES: i64 = 48 << 10;

/// The operand of a product before it was repeated along `axis`, of which it has one element.
fn without_axis(value: Value<'_>, axis: usize) -> Option<Value<'_>> {
    let repeated = value.defining_op().filter(|op| op.kind() == OpKind::TtBroadcast)?;
    let expanded = repeated.operand(0).defining_op().filter(|op| op.kind() == OpKind::TtExpandDims)?;
    let is_along = expanded.int_attr("axis") == i64::try_from(axis).ok();
    let block = expanded.operand(0);
    // It is repeated along this axis alone.
    let mut shape = value.ty().shape();
    shape.remove(axis);
    (is_along && block.ty().shape() == shape).then_some(block)
}

/// Whether a product of `rows`×`depth` and `depth`×`columns` matrices takes fewer instructions than the sum. (Counted in PTX for sm_90a, they
/// are half as many for cubes of 16 to 64, and twice as many for 16×1024×16 by 512 threads.)
fn is_better_as_dot([rows, depth, columns]: [i64; 3], context: &PassContext) -> bool {
    let threads = i64::from(context.options.num_warps) * 32;
    [rows, depth, columns].iter().all(|size| *size >= LEAST)
        && rows * columns >= threads
        && (rows + columns) * depth * 4 <= MOST_BYTES
}

/// A sum over the middle axis of products of an element of each of two matrices, in f32, becomes their product with exact factors.
pub(crate) fn as_dot(op: Op<'_>, context: &PassContext) {
    let Some(reduce) = ReduceOp::cast(op).filter(|view| op.num_operands() == 1 && view.axis() == 1) else { return };
    let shape = op.operand(0).ty().shape();
    let is_better = <[i64; 3]>::try_from(shape).is_ok_and(|shape| is_better_as_dot(shape, context));
    let is_sum = reduce.single_combiner().is_some_and(|combiner| combiner.kind() == OpKind::ArithAddF);
    let product = op.operand(0).defining_op().filter(|op| op.kind() == OpKind::ArithMulF);
    let Some(product) = product.filter(|product| is_better && is_sum && product.result(0).has_one_use()) else {
        return;
    };
    if op.result(0).ty().element().float() != Some(ScalarType::F32) {
        return;
    }
    let sides = [[product.operand(0), product.operand(1)], [product.operand(1), product.operand(0)]];
    let found = sides.into_iter().find_map(|[left, right]| Some((without_axis(left, 2)?, without_axis(right, 0)?)));
    let Some((left, right)) = found else { return };
    let mut builder = Builder::before(op);
    let zero = builder.float(op.result(0).ty(), 0.0);
    let dot = builder.dot(left, right, zero, InputPrecision::Ieee);
    // The sum, which nobody uses any more, stays until the next clean-up: whoever walks over the kernel may be at its combining operation next.
    op.result(0).replace_all_uses_with(dot);
}
