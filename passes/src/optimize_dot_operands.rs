//! Brings the operands of matrix products closer to memory, so that loads can go to shared memory as they are.
//!
//! - A transposed operand of `wgmma` is the untransposed one read the other way round: `local_alloc(trans(x))` becomes
//!   `memdesc_trans(local_alloc(x))`, which moves nothing.
//! - An operand in registers that is loaded and then cast is converted to the operand layout before the cast: fewer bytes move when the
//!   cast widens, and the conversion stands right behind the load, which the pipeliner turns into a read of shared memory. The parts of an
//!   operand that `f32-dot-tc` splits come from one such read.

use crate::convert_to_ttg::{require_ttg, retype_constant};
use crate::encodings;
use crate::operations::layouts::LayoutRule;
use crate::{Pass, PassContext, shared_encodings};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use tk_diag::Result;
use tk_ir::ops::TransLikeOp;
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// The pass.
pub const PASS: Pass =
    Pass { name: "optimize-dot-operands", summary: "bring operands of matrix products closer to memory", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        for op in function.descendants() {
            if op.kind() == OpKind::TtgLocalAlloc {
                fold_transposition(op);
            } else if op.kind() == OpKind::TtgConvertLayout {
                hoist_conversion(op);
            }
        }
    }
    Ok(())
}

/// What a conversion converts, or the value itself.
fn unconverted(value: Value<'_>) -> Value<'_> {
    match value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout) {
        Some(conversion) => conversion.operand(0),
        None => value,
    }
}

fn fold_transposition(alloc: Op<'_>) {
    let Some(source) = (alloc.num_operands() > 0).then(|| unconverted(alloc.operand(0))) else { return };
    let Some(trans) = source.defining_op().and_then(TransLikeOp::cast).filter(|trans| trans.order() == [1, 0]) else {
        return;
    };
    let ty = alloc.result(0).ty();
    let (Some(memdesc), Some(layout)) = (ty.memdesc(), ty.layout()) else { return };
    let Encoding::NvmmaShared(outer) = &*layout else { return };
    // Only products may read it another way round; everything else would have to learn of the new layout.
    if memdesc.mutable || !alloc.result(0).users().iter().all(|(user, _)| user.kind() == OpKind::TtngWarpGroupDot) {
        return;
    }
    let inner = unconverted(trans.src());
    let (inner_ty, bits) = (inner.ty(), outer.element_bit_width);
    let order = match inner_ty.layout().filter(|_| bits == 16) {
        Some(layout) => layout.order(),
        None if outer.transposed => vec![1, 0],
        None => vec![0, 1],
    };
    let Encoding::NvmmaShared(own) = shared_encodings::nvmma(&inner_ty.shape(), &order, bits) else { return };
    let mut flipped = own.clone();
    flipped.transposed = !own.transposed;
    let context = alloc.context();
    let mut builder = Builder::before(alloc);
    let buffer = |shape: &[i64], layout| {
        shared_encodings::buffer_type(context, shape, inner_ty.element(), &Encoding::NvmmaShared(layout), false)
    };
    let memory = builder.create(OpKind::TtgLocalAlloc, &[inner], &[buffer(&inner_ty.shape(), own)], &[]).result(0);
    let order = ("order", context.i32_array(&[1, 0]));
    let view = builder.create(OpKind::TtgMemDescTrans, &[memory], &[buffer(&memdesc.shape, flipped)], &[order]);
    alloc.result(0).replace_all_uses_with(view.result(0));
    alloc.erase();
}

/// Moves a conversion to a layout of `mma` operands over casts and arithmetic, up to the load.
fn hoist_conversion(conversion: Op<'_>) {
    let wanted = conversion.result(0).ty();
    let is_operand =
        |layout: &Encoding| matches!(layout, Encoding::DotOp(e) if !matches!(*e.parent, Encoding::Blocked(_)));
    let Some(encoding) = wanted.encoding().filter(|_| wanted.layout().is_some_and(|layout| is_operand(&layout))) else {
        return;
    };
    let Some(slice) = arithmetic_on_one_load(conversion.operand(0), wanted) else { return };
    let mut made: FxHashMap<usize, Value<'_>> = FxHashMap::default();
    // From the load to the conversion, each operation is made again in the operand layout.
    for op in slice {
        let copy = op.clone_op();
        Builder::before(conversion).place(copy);
        for (index, operand) in op.operands().into_iter().enumerate() {
            if !operand.ty().is_tensor() {
                continue;
            }
            let converted = made.get(&operand.id()).copied().unwrap_or_else(|| {
                let ty = operand.ty().with_encoding(Some(encoding));
                let converted = Builder::before(copy).convert_layout(operand, ty);
                fold_constant(converted)
            });
            copy.set_operand(index, converted);
            made.insert(operand.id(), converted);
        }
        copy.result(0).set_type(op.result(0).ty().with_encoding(Some(encoding)));
        made.insert(op.result(0).id(), copy.result(0));
    }
    if let Some(value) = made.get(&conversion.operand(0).id()) {
        conversion.result(0).replace_all_uses_with(*value);
        conversion.erase();
    }
}

/// A converted constant is a constant.
fn fold_constant(value: Value<'_>) -> Value<'_> {
    let Some(conversion) = value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout) else { return value };
    let Some(constant) = conversion.operand(0).defining_op().filter(|op| op.kind() == OpKind::ArithConstant) else {
        return value;
    };
    let copy = constant.clone_op();
    Builder::before(conversion).place(copy);
    copy.result(0).set_type(value.ty());
    retype_constant(copy);
    value.replace_all_uses_with(copy.result(0));
    conversion.erase();
    copy.result(0)
}

/// Casts and arithmetic with constants that make `value` of one load, first to last; `None` when there is anything else, when there is
/// nothing, or when somebody needs them in their own layout.
fn arithmetic_on_one_load<'c>(value: Value<'c>, wanted: Type<'c>) -> Option<Vec<Op<'c>>> {
    let (mut slice, mut seen) = (Vec::new(), FxHashSet::default());
    let (mut load, mut pending) = (None, vec![value]);
    while let Some(value) = pending.pop() {
        let op = value.defining_op()?;
        if matches!(op.kind(), OpKind::TtLoad | OpKind::TtgLocalLoad) {
            if load.is_some_and(|load: Op<'c>| load != op) {
                return None;
            }
            load = Some(op);
        } else if seen.insert(op.id()) {
            if !is_arithmetic(op) || !only_feeds(op, wanted) {
                return None;
            }
            slice.push(op);
            let tensors = op.operands().into_iter().filter(|operand| operand.ty().is_tensor());
            pending.extend(tensors.filter(|operand| operand.constant().and_then(|c| c.as_splat()).is_none()));
        }
    }
    let block = load?.block();
    if slice.is_empty() || slice.iter().any(|op| op.block() != block) {
        return None;
    }
    slice.sort_by(|a, b| if a.is_before_in_block(*b) { Ordering::Less } else { Ordering::Greater });
    Some(slice)
}

fn is_arithmetic(op: Op<'_>) -> bool {
    encodings::rule(op) == LayoutRule::Same && op.is_pure() && op.num_results() == 1
}

/// Everything made of the operation's result ends in conversions to one layout.
fn only_feeds<'c>(op: Op<'c>, wanted: Type<'c>) -> bool {
    let (mut seen, mut pending) = (FxHashSet::from_iter([op.id()]), vec![op]);
    while let Some(op) = pending.pop() {
        for (user, _) in op.result(0).users() {
            let is_wanted =
                user.kind() == OpKind::TtgConvertLayout && user.result(0).ty().encoding() == wanted.encoding();
            if !is_wanted && !is_arithmetic(user) {
                return false;
            }
            if !is_wanted && seen.insert(user.id()) {
                pending.push(user);
            }
        }
    }
    true
}
