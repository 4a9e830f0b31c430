//! Folds conversions locally: to the layout a value already has, of another conversion, and of what costs nothing to make anew.

use crate::convert_to_ttg::retype_constant;
use crate::encodings;
use crate::operations::computations::{Computation, computation};
use crate::operations::layouts::{LayoutRule, ShapeChange};
use tk_ir::ops::ReduceOp;
use tk_ir::{Op, OpKind, Type, Value};

/// Folds every conversion of `function` that can be folded without cost.
pub(super) fn run(function: Op<'_>) {
    for op in function.descendants() {
        match encodings::rule(op) {
            LayoutRule::Conversion => fold_conversion(op),
            LayoutRule::Any | LayoutRule::Shape(ShapeChange::Reduce) => drop_operand_conversions(op),
            LayoutRule::Same | LayoutRule::Access | LayoutRule::Shape(_) | LayoutRule::Own | LayoutRule::Fixed => {}
        }
    }
}

fn fold_conversion(op: Op<'_>) {
    // Look through conversions of conversions.
    let mut source = op.operand(0);
    while let Some(inner) = source.defining_op().filter(|inner| inner.kind() == OpKind::TtgConvertLayout) {
        source = inner.operand(0);
    }
    let ty = op.result(0).ty();
    if source.ty() == ty {
        return replace(op, source);
    }
    if source != op.operand(0) {
        op.set_operand(0, source);
    }
    let Some(definition) = source.defining_op() else { return };
    if is_free_to_remake(definition, ty) {
        let copy = definition.clone_op();
        if let Some(block) = definition.block() {
            block.insert_after(Some(definition), copy);
        }
        copy.result(0).set_type(ty);
        retype_constant(copy);
        replace(op, copy.result(0));
    }
}

fn replace<'c>(op: Op<'c>, value: Value<'c>) {
    op.result(0).replace_all_uses_with(value);
    op.erase();
}

/// Splats are registers copied, and so are broadcasts of what lies alike in both layouts (a number per row, for two matrix instructions of
/// different widths); ranges are arithmetic on the thread's number.
fn is_free_to_remake(op: Op<'_>, ty: Type<'_>) -> bool {
    match computation(op.kind()) {
        Computation::Constant => {
            op.kind() == OpKind::UbPoison || op.attr("value").is_some_and(|value| value.as_splat().is_some())
        }
        Computation::Repeat if op.kind() == OpKind::TtBroadcast => {
            let source = op.operand(0).ty();
            let layouts = source.encoding().zip(ty.encoding());
            layouts.is_some_and(|(has, wanted)| encodings::same_places(&source.shape(), has, wanted))
        }
        Computation::Repeat => op.kind() == OpKind::TtSplat,
        Computation::Range => true,
        Computation::Arithmetic
        | Computation::Function
        | Computation::Cast
        | Computation::Load
        | Computation::Reduction
        | Computation::Other => false,
    }
}

/// What works in any layout takes its operands before they are converted, when all of them come from one layout.
fn drop_operand_conversions(op: Op<'_>) {
    if ReduceOp::cast(op).is_some() && op.results().iter().any(|result| result.ty().is_tensor()) {
        return;
    }
    if op.kind() == OpKind::TtgLocalStore || op.kind() == OpKind::TtgLocalAlloc {
        // Matrix layouts write to swizzled memory with the instructions made for it, others are as good as their source.
        if op.num_operands() == 0 {
            return;
        }
    }
    let tensors: Vec<(usize, Value<'_>)> =
        op.operands().into_iter().enumerate().filter(|(_, operand)| operand.ty().is_tensor()).collect();
    let sources: Vec<Option<Value<'_>>> = tensors
        .iter()
        .map(|(_, operand)| {
            operand.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout).map(|op| op.operand(0))
        })
        .collect();
    let Some(Some(first)) = sources.first().copied() else { return };
    if sources.iter().all(|source| source.is_some_and(|source| source.ty().encoding() == first.ty().encoding())) {
        for ((index, _), source) in tensors.into_iter().zip(sources.into_iter().flatten()) {
            op.set_operand(index, source);
        }
    }
}
