//! Gives every tensor a layout: the step from tt IR to ttg IR.
//!
//! No layout is clever yet. Every tensor gets the default one for its shape (one element per thread, row-major), and the few
//! operations that tie layouts of different ranks together (`tt.expand_dims`, `tt.reduce`, `tt.dot`, `tt.trans`, `tt.broadcast`) get
//! what they demand, with `ttg.convert_layout` around them. Later passes decide; this one only makes the IR well-formed, with
//! the same choices as Triton so that dumps can be compared line by line.
//!
//! 1. Write the module attributes.  2. Retype every value and constant.  3. Fix up the operations that tie layouts.

use crate::attributes::{self, NUM_CTAS, NUM_WARPS, TARGET, THREADS_PER_WARP, Threads, WARPS_WITH_WORK};
use crate::encodings;
use crate::operations::layouts::{LayoutRule, ShapeChange};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ConstantOp, DotOp, ExpandDimsOp, FuncOp};
use tk_ir::{Attribute, Builder, Module, Op, OpKind, Type, Value};
use tk_layout::{BlockedEncoding, DotOpEncoding, Encoding, default_blocked};

/// The pass.
pub const PASS: Pass = Pass { name: "convert-to-ttg", summary: "give every tensor a default layout", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    if has_layouts(module) {
        // Text that already is ttg IR.
        return Threads::of(module).map(|_| ());
    }
    write_module_attributes(module, cx);
    let threads = Threads::of(module)?;
    for function in module.functions() {
        let ops = function.descendants();
        for op in &ops {
            retype(*op, threads);
        }
        for op in ops {
            tie_layouts(op, threads)?;
        }
    }
    Ok(())
}

/// Whether the module is ttg IR: it says how many warps it has, and its tensors have layouts. A module may say the first alone, for those who
/// compile it on.
pub(crate) fn has_layouts(module: &Module<'_>) -> bool {
    let values = || {
        let ops = module.functions().into_iter().flat_map(|function| function.descendants());
        ops.flat_map(|op| op.results()).map(|value| value.ty()).filter(|ty| ty.is_tensor())
    };
    let is_bare = values().next().is_some() && values().all(|ty| ty.encoding().is_none());
    module.op().attr(NUM_WARPS).is_some() && !is_bare
}

fn write_module_attributes(module: &Module<'_>, cx: &PassContext) {
    let (op, context) = (module.op(), module.context());
    op.set_attr(NUM_CTAS, context.i32_attr(cx.options.num_ctas as i32));
    op.set_attr(
        NUM_WARPS,
        context.i32_attr(warps_with_work(op).unwrap_or(cx.options.num_warps).min(cx.options.num_warps) as i32),
    );
    op.remove_attr(WARPS_WITH_WORK);
    op.set_attr(TARGET, context.string_attr(&cx.target.cuda_name()));
    op.set_attr(THREADS_PER_WARP, context.i32_attr(tk_target::WARP_SIZE as i32));
}

/// What `drop-idle-warps` has found.
fn warps_with_work(module: Op<'_>) -> Option<u32> {
    u32::try_from(module.int_attr(WARPS_WITH_WORK)?).ok().filter(|warps| warps.is_power_of_two())
}

/// The default type of a tensor that has no layout; other types stay as they are.
fn default_type<'c>(ty: Type<'c>, threads: Threads) -> Type<'c> {
    if !ty.is_tensor() || ty.encoding().is_some() {
        return ty;
    }
    ty.with_layout(&default_blocked(&ty.shape(), threads.num_warps, threads.threads_per_warp))
}

/// Default types for the results and block arguments of one operation, and for its constant.
fn retype(op: Op<'_>, threads: Threads) {
    for result in op.results() {
        result.set_type(default_type(result.ty(), threads));
    }
    for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
        for argument in block.arguments() {
            argument.set_type(default_type(argument.ty(), threads));
        }
    }
    if let Some(constant) = ConstantOp::cast(op) {
        retype_constant(constant.op);
    }
    if let Some((function, ty)) = FuncOp::cast(op).and_then(|function| Some((function, function.ty()?))) {
        let inputs: Vec<Type<'_>> = ty.function_inputs().into_iter().map(|ty| default_type(ty, threads)).collect();
        let results: Vec<Type<'_>> = ty.function_results().into_iter().map(|ty| default_type(ty, threads)).collect();
        let ty = op.context().function_type(&inputs, &results);
        function.op.set_attr("function_type", op.context().type_attr(ty));
    }
}

/// Makes the value of an `arith.constant` agree with the type of its result.
pub(crate) fn retype_constant(op: Op<'_>) {
    let (Some(value), ty) = (op.attr("value"), op.result(0).ty()) else { return };
    if !ty.is_tensor() || value.ty() == ty {
        return;
    }
    let retyped = match value.as_splat() {
        Some(scalar) => op.context().splat_attr(ty, scalar),
        None => {
            let elements: Vec<Attribute<'_>> =
                (0..value.dense_len().unwrap_or(0)).map(|index| value.dense_element(index)).collect();
            op.context().dense_attr(ty, &elements)
        }
    };
    op.set_attr("value", retyped);
}

fn tie_layouts(op: Op<'_>, threads: Threads) -> Result<()> {
    match encodings::rule(op) {
        LayoutRule::Shape(ShapeChange::ExpandDims) => expand_dims(op),
        LayoutRule::Same if op.kind() == OpKind::TtBroadcast => {
            let encoding = op.operand(0).ty().encoding();
            give_result(op, 0, op.result(0).ty().with_encoding(encoding));
        }
        LayoutRule::Shape(ShapeChange::Reduce | ShapeChange::Trans) => {
            let Some(layout) = op.operand(0).ty().encoding().and_then(|layout| encodings::forward(op, layout)) else {
                return Err(cannot_infer(op));
            };
            for (index, result) in op.results().into_iter().enumerate() {
                if result.ty().is_tensor() {
                    give_result(op, index, result.ty().with_encoding(Some(layout)));
                }
            }
        }
        LayoutRule::Shape(ShapeChange::Join | ShapeChange::Split) => pair_axis(op, threads),
        // Row-major order puts the elements where the default layout has them.
        LayoutRule::Shape(ShapeChange::Reshape) => {}
        LayoutRule::Own => dot(op, threads),
        LayoutRule::Same | LayoutRule::Access | LayoutRule::Conversion | LayoutRule::Any | LayoutRule::Fixed => {}
    }
    Ok(())
}

fn cannot_infer(op: Op<'_>) -> Box<tk_diag::Diagnostic> {
    tk_diag::Diagnostic::bug(format!("no layout can be inferred for the result of `{op:?}`")).boxed()
}

/// Result `index` becomes `ty`; its users go on with the default type through a conversion.
fn give_result<'c>(op: Op<'c>, index: usize, ty: Type<'c>) {
    let result = op.result(index);
    let default = result.ty();
    if ty == default {
        return;
    }
    result.set_type(ty);
    if result.has_uses() {
        let converted = Builder::after(op).convert_layout(result, default);
        let Some(conversion) = converted.defining_op() else { return };
        result.replace_all_uses_except(converted, &[conversion]);
    }
}

/// Operand `index` becomes a value of type `ty`.
fn give_operand<'c>(op: Op<'c>, index: usize, ty: Type<'c>) {
    let operand = op.operand(index);
    if operand.ty() != ty {
        let converted = Builder::before(op).convert_layout(operand, ty);
        op.set_operand(index, converted);
    }
}

/// The operand becomes a slice of a layout that has the new axis.
fn expand_dims(op: Op<'_>) {
    let Some(view) = ExpandDimsOp::cast(op) else { return };
    let (axis, source) = (view.axis(), op.operand(0).ty());
    let Some(Encoding::Blocked(blocked)) = source.layout().as_deref().cloned() else { return };
    let with_axis = |values: &[u32]| {
        let mut values = values.to_vec();
        values.insert(axis.min(values.len()), 1);
        values
    };
    let parent = Encoding::Blocked(BlockedEncoding {
        size_per_thread: with_axis(&blocked.size_per_thread),
        threads_per_warp: with_axis(&blocked.threads_per_warp),
        warps_per_cta: with_axis(&blocked.warps_per_cta),
        order: (0..=blocked.order.len() as u32).collect(),
    });
    give_operand(op, 0, source.with_layout(&encodings::slice_of(&parent, axis as u32)));
    give_result(op, 0, op.result(0).ty().with_layout(&parent));
}

/// For a dot, a blocked result with tiles that give each thread something to multiply, and operands to match.
fn dot(op: Op<'_>, threads: Threads) {
    let Some(view) = DotOp::cast(op) else { return };
    let result_ty = view.result().ty();
    let shape = result_ty.shape();
    let rank = shape.len();
    let per_thread = result_ty.num_elements() / i64::from(threads.total());
    let mut size = vec![1; rank];
    let tile = match per_thread {
        16.. => 4,
        4.. => 2,
        _ => 1,
    };
    size[rank - 2..].fill(tile);
    let order: Vec<u32> = (0..rank as u32).rev().collect();
    let blocked = BlockedEncoding::for_shape(&shape, &size, &order, threads.num_warps, threads.threads_per_warp);
    let parent = std::sync::Arc::new(Encoding::Blocked(blocked));
    for (index, operand) in [view.a(), view.b()].into_iter().enumerate() {
        let layout = DotOpEncoding { op_idx: index as u32, parent: parent.clone(), k_width: 0 };
        give_operand(op, index, operand.ty().with_layout(&Encoding::DotOp(layout)));
    }
    give_operand(op, 2, result_ty.with_layout(&parent));
    give_result(op, 0, result_ty.with_layout(&parent));
}

/// `tt.join` and `tt.split`: each thread holds both halves of the last axis.
fn pair_axis(op: Op<'_>, threads: Threads) {
    let joined: Value<'_> = if op.kind() == OpKind::TtJoin { op.result(0) } else { op.operand(0) };
    let shape = joined.ty().shape();
    let Some((_, outer)) = shape.split_last() else { return };
    let mut blocked = BlockedEncoding::default_for(outer, threads.num_warps, threads.threads_per_warp);
    blocked.size_per_thread.push(2);
    blocked.threads_per_warp.push(1);
    blocked.warps_per_cta.push(1);
    blocked.order.insert(0, outer.len() as u32);
    let ty = joined.ty().with_layout(&Encoding::Blocked(blocked));
    if op.kind() == OpKind::TtJoin { give_result(op, 0, ty) } else { give_operand(op, 0, ty) }
}

/// Reads a module that must be ttg IR.
pub(crate) fn require_ttg(module: &Module<'_>) -> Result<Threads> {
    attributes::Threads::of(module)
}
