//! Computes before replicating: arithmetic on splats becomes a splat of scalar arithmetic, arithmetic on broadcasts a broadcast of
//! arithmetic on the small tensors.
//!
//! Rows times a stride get their second axis before the product: `(rows * stride)[:, None]` becomes `rows[:, None] * stride`, as most programs say it.
//! Both compute the same in each thread, and what looks for the rows and strides of blocks finds one form.

use crate::operations::computations::computation;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Type, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "reorder-broadcast", summary: "move arithmetic before splats and broadcasts", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        for op in function.descendants() {
            if op.kind() == OpKind::TtExpandDims {
                move_before_product(op);
            } else if is_elementwise(op) && !move_before_splat(op) {
                move_before_broadcast(op);
            }
        }
    }
    Ok(())
}

/// Pure, one tensor result, each element of which depends on the elements at the same place only.
fn is_elementwise(op: Op<'_>) -> bool {
    computation(op.kind()).is_element_by_element()
        && op.num_results() == 1
        && op.result(0).ty().is_tensor()
        && op.num_regions() == 0
        && op.discardable_attrs().is_empty()
        && op.is_memory_effect_free()
}

/// The splat constant, as a scalar or a tensor of another shape.
fn constant_as<'c>(builder: &mut Builder<'c>, value: Value<'c>, shape: Option<&[i64]>) -> Option<Value<'c>> {
    let scalar = value.constant()?.as_splat()?;
    let attribute = match shape {
        Some(shape) => builder.context().splat_attr(value.ty().with_shape(shape), scalar),
        None => scalar,
    };
    Some(builder.constant(attribute))
}

/// The same operation on other operands.
fn rebuild<'c>(builder: &mut Builder<'c>, op: Op<'c>, operands: &[Value<'c>], result: Type<'c>) -> Value<'c> {
    let spec = OpSpec::new(op.kind()).operands(operands).results(&[result]).attrs(&op.attrs());
    builder.insert(spec).result(0)
}

fn replace<'c>(op: Op<'c>, value: Value<'c>) -> bool {
    op.result(0).replace_all_uses_with(value);
    op.erase();
    true
}

fn is_splat_constant(value: Value<'_>) -> bool {
    value.constant().is_some_and(|constant| constant.as_splat().is_some())
}

fn move_before_splat(op: Op<'_>) -> bool {
    let tensors: Vec<Value<'_>> = op.operands().into_iter().filter(|operand| operand.ty().is_tensor()).collect();
    let all = tensors.iter().all(|value| value.splat_source().is_some() || is_splat_constant(*value));
    if !all || !tensors.iter().any(|value| value.splat_source().is_some()) {
        return false;
    }
    let mut builder = Builder::before(op);
    let scalars: Option<Vec<Value<'_>>> = op
        .operands()
        .into_iter()
        .map(|value| {
            if value.ty().is_tensor() {
                value.splat_source().or_else(|| constant_as(&mut builder, value, None))
            } else {
                Some(value)
            }
        })
        .collect();
    let Some(scalars) = scalars else { return false };
    let ty = op.result(0).ty();
    let scalar = rebuild(&mut builder, op, &scalars, ty.element());
    let splat = builder.splat(scalar, ty);
    replace(op, splat)
}

/// The second axis of rows that are multiplied by a number of the run, and by nobody else needed: before the product.
fn move_before_product(expansion: Op<'_>) -> bool {
    let product = expansion.operand(0);
    let op = product.defining_op().filter(|op| op.kind() == OpKind::ArithMulI && op.discardable_attrs().is_empty());
    let Some(op) = op.filter(|_| product.users().len() == 1 && expansion.discardable_attrs().is_empty()) else {
        return false;
    };
    let (rows, stride) = match [op.operand(0), op.operand(1)].map(Value::splat_source) {
        [None, Some(stride)] => (op.operand(0), stride),
        [Some(stride), None] => (op.operand(1), stride),
        [None, None] | [Some(_), Some(_)] => return false,
    };
    let mut builder = Builder::before(expansion);
    let ty = expansion.result(0).ty();
    let rows = rebuild(&mut builder, expansion, &[rows], ty);
    let stride = builder.splat(stride, ty);
    let value = rebuild(&mut builder, op, &[rows, stride], ty);
    replace(expansion, value)
}

fn broadcast_source(value: Value<'_>) -> Option<Value<'_>> {
    value.defining_op().filter(|op| op.kind() == OpKind::TtBroadcast).map(|op| op.operand(0))
}

fn move_before_broadcast(op: Op<'_>) -> bool {
    let tensors: Vec<Value<'_>> = op.operands().into_iter().filter(|operand| operand.ty().is_tensor()).collect();
    let Some(first) = tensors.iter().find_map(|value| broadcast_source(*value)) else { return false };
    let (shape, layout) = (first.ty().shape(), first.ty().encoding());
    let fits = |value: &Value<'_>| match broadcast_source(*value) {
        Some(source) => source.ty().shape() == shape && source.ty().encoding() == layout,
        None => value.splat_source().is_some() || is_splat_constant(*value),
    };
    if !tensors.iter().all(fits) {
        return false;
    }
    let mut builder = Builder::before(op);
    let small: Option<Vec<Value<'_>>> = op
        .operands()
        .into_iter()
        .map(|value| {
            if !value.ty().is_tensor() {
                return Some(value);
            }
            let splat = value.splat_source();
            broadcast_source(value)
                .or_else(|| splat.map(|scalar| builder.splat(scalar, value.ty().with_shape(&shape))))
                .or_else(|| constant_as(&mut builder, value, Some(&shape)))
        })
        .collect();
    let Some(small) = small else { return false };
    let ty = op.result(0).ty();
    let value = rebuild(&mut builder, op, &small, ty.with_shape(&shape));
    let broadcast = builder.broadcast(value, ty);
    replace(op, broadcast)
}
