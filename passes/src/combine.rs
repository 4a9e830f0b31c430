//! Merges pairs of operations into one that does both.
//!
//! - `(p + a) + b` becomes `p + (a + b)` where the offsets are 64 bits wide or constant. (With 32 bits the sum could wrap around although
//!   neither step does.)
//! - `dot(a, b, 0) + d` becomes `dot(a, b, d)`: the accumulator starts with `d`.
//! - `select(mask, load(p, mask), x)` becomes `load(p, mask, x)`.
//! - `select(mask, f(load(p, mask, 0)), f(0))` becomes `f(load(p, mask, 0))` ([`masked_values`]).
//! - `(x / y) * y + x % y` becomes `x`, as in `tl.swizzle2d(pid // columns, pid % columns, …)`: that `x` is not negative is then known of the sum.
//!   `(x / y) * y * z + x % y * z` becomes `x * z`, as in the place of a head of a token in rows of heads; also among other terms of a sum or of the
//!   offsets of a pointer ([`flat_indices`]).
//! - Behind that, `(start + i) / 16` becomes `start / 16 + i / 16` and `(start + i) % 16` becomes `i % 16`, where the block begins at a multiple of 16
//!   ([`aligned_blocks`]): not merged, but every index that could be put together was.
//! - `sum(x[:, :, None] * y[None, :, :], axis=1)` becomes `dot(x, y)` ([`sums_of_products`]).
//! - A block of a descriptor that is reshaped to lose leading axes of size 1 is loaded without them, so that products read it in place.

use crate::flat_indices::{self, aligned_blocks};
use crate::{Pass, PassContext, masked_values, sums_of_products};
use tk_diag::Result;
use tk_ir::ops::{DotOp, LoadOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "combine", summary: "merge pointer steps, accumulators and masked loads", run };

fn run(module: &Module<'_>, context: &PassContext) -> Result<()> {
    for function in module.functions() {
        for op in function.descendants() {
            let is = |kind: OpKind| op.kind() == kind;
            if is(OpKind::TtAddPtr) {
                combine_pointers(op);
            } else if is(OpKind::ArithAddF) || is(OpKind::ArithAddI) {
                combine_accumulator(op);
            } else if is(OpKind::ArithSelect) {
                combine_masked_load(op);
            } else if is(OpKind::TtReduce) {
                if context.options.fp_fusion {
                    sums_of_products::as_dot(op, context);
                }
            } else if is(OpKind::TtReshape) {
                combine_block(op);
            }
        }
        flat_indices::put_together(function);
        aligned_blocks::take_apart(function);
    }
    Ok(())
}

fn replace<'c>(op: Op<'c>, value: Value<'c>) {
    op.result(0).replace_all_uses_with(value);
    op.erase();
}

fn combine_pointers(op: Op<'_>) {
    let Some(inner) = op.operand(0).defining_op().filter(|inner| inner.kind() == OpKind::TtAddPtr) else { return };
    let (first, second) = (inner.operand(1), op.operand(1));
    let has_room = first.ty().element_bits() == 64;
    let small = |value: Value<'_>| value.constant_int().is_some_and(|value| value.abs() < 1 << 30);
    if first.ty() != second.ty()
        || !(has_room || small(first) && small(second))
        || inner.discardable_attrs().len() + op.discardable_attrs().len() > 0
    {
        return;
    }
    let mut builder = Builder::before(op);
    let offset = builder.binary(OpKind::ArithAddI, first, second);
    let pointer = builder.addptr(inner.operand(0), offset);
    replace(op, pointer);
}

fn combine_accumulator(op: Op<'_>) {
    // Of two products the later one adds to the earlier, whose operands nobody needs from then on.
    let mut results = [op.operand(0), op.operand(1)];
    if is_earlier(results[0], results[1]) {
        results.reverse();
    }
    for (result, addend) in [(results[0], results[1]), (results[1], results[0])] {
        let Some(dot) = result.defining_op().and_then(DotOp::cast) else { continue };
        let starts_at_zero = dot.c().constant_float() == Some(0.0) || dot.c().constant_int() == Some(0);
        if starts_at_zero && result.has_one_use() && dot.op.block() == op.block() && dot.max_num_imprecise_acc() == 0 {
            // The addend may be defined after the dot, so the dot moves down.
            dot.op.move_before(op);
            dot.op.set_operand(2, addend);
            return replace(op, result);
        }
    }
}

/// Both are made in one block, `first` before `second`.
fn is_earlier(first: Value<'_>, second: Value<'_>) -> bool {
    let (Some(first), Some(second)) = (first.defining_op(), second.defining_op()) else { return false };
    first.block() == second.block() && first.is_before_in_block(second)
}

fn combine_masked_load(op: Op<'_>) {
    let (condition, loaded, otherwise) = (op.operand(0), op.operand(1), op.operand(2));
    if masked_values::selects_nothing(op) {
        return replace(op, loaded);
    }
    let Some(load) = loaded.defining_op().and_then(LoadOp::cast) else { return };
    if load.mask() != Some(condition) || load.is_volatile() || !loaded.has_one_use() || !otherwise.dominates(load.op) {
        return;
    }
    load.op.set_operands(&[load.ptr(), condition, otherwise]);
    load.op.set_attr("operandSegmentSizes", op.context().i32_array(&[1, 1, 1]));
    replace(op, loaded);
}

fn combine_block(op: Op<'_>) {
    let (block, ty) = (op.operand(0), op.result(0).ty());
    let is_load = block.defining_op().is_some_and(|load| load.kind() == OpKind::TtDescriptorLoad);
    let (whole, shape) = (block.ty().shape(), ty.shape());
    let Some(leading) = whole.len().checked_sub(shape.len()).filter(|_| is_load && block.has_one_use()) else { return };
    if whole[leading..] == shape && whole[..leading].iter().all(|size| *size == 1) {
        block.set_type(ty);
        replace(op, block);
    }
}
