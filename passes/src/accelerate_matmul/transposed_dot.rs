//! Dots of f32 whose right operand lies along N: computed transposed, as `Cᵀ = Bᵀ Aᵀ`.
//!
//! `wgmma` reads 32-bit operands from shared memory along K only, but its left operand may come from registers. So `Bᵀ` becomes the left
//! operand: a buffer of rows of B, which `cp.async` fills as they lie in memory, is read by ordinary loads, each lane its own elements, and
//! `Aᵀ` is the right one, which lies along K. Nothing is transposed in memory (docs/decisions/0011).
//!
//! The result is transposed in its layout only. Where a loop carries it, the loop carries the transposed one, so that nothing stands
//! between the dots of two iterations.

use crate::attributes::INSIDE;
use crate::control_flow::{NewCarried, extend_for};
use crate::encodings::permuted;
use crate::shared_encodings::{buffer_type, nvmma, swizzled};
use std::sync::Arc;
use tk_ir::ops::{DotOp, ForOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};
use tk_layout::{DotOpEncoding, Encoding, MmaEncoding};

const TRANSPOSED: [i32; 2] = [1, 0];

/// Whether the right operand lies along N in memory and the left one along K, both of 32 bits.
pub(super) fn is_along_n(dot: DotOp<'_>) -> bool {
    [dot.a(), dot.b()].into_iter().all(|operand| {
        let loaded = operand.before_conversion();
        let is_load = loaded.defining_op().is_some_and(|op| op.kind() == OpKind::TtLoad);
        let order = loaded.ty().layout().map(|layout| layout.order());
        is_load && loaded.ty().element_bits() == 32 && order.as_deref() == Some(&[1, 0])
    })
}

/// `tt.dot` becomes `ttng.warp_group_dot` of the transposed operands; `layout` is that of the transposed result.
pub(super) fn apply(dot: DotOp<'_>, layout: MmaEncoding) {
    let old = dot.result().ty();
    let (m, n) = (old.shape()[0], old.shape()[1]);
    let layout = Encoding::NvidiaMma(layout);
    let transposed = old.with_shape(&[n, m]).with_layout(&layout);
    let left = left_operand(dot, &layout);
    let right = right_operand(dot);
    let carried = CarriedSum::of(dot);
    let sum = match &carried {
        Some(carried) => carried.start(transposed),
        None => transposed_sum(Builder::before(dot.op), dot.c(), transposed),
    };
    // Rows and columns change places, and only columns of padding are left out.
    let is_kept = |name: &str| name != "operandSegmentSizes" && name != INSIDE;
    let attributes: Vec<_> = dot.op.attrs().into_iter().filter(|(name, _)| is_kept(name)).collect();
    let mut builder = Builder::before(dot.op);
    let result = builder.create(OpKind::TtngWarpGroupDot, &[left, right, sum], &[transposed], &attributes).result(0);
    match carried {
        Some(carried) => carried.finish(result, old),
        None => dot.result().replace_all_uses_with(transposed_back(builder, result, old)),
    }
    dot.op.erase();
}

/// `Bᵀ` in registers: B goes to shared memory as it is, and is read the other way round.
fn left_operand<'c>(dot: DotOp<'c>, layout: &Encoding) -> Value<'c> {
    let source = dot.b().before_conversion();
    let (ty, context) = (source.ty(), dot.op.context());
    let shape = ty.shape();
    let transposed: Vec<i64> = shape.iter().rev().copied().collect();
    let operand = DotOpEncoding { op_idx: 0, parent: Arc::new(layout.clone()), k_width: 1 };
    let buffer = |shape: &[i64], transposed: &[i64], order: &[u32]| {
        let mut layout = swizzled(&operand, transposed, &[0, 1], ty.element_bits());
        if let Encoding::SwizzledShared(parts) = &mut layout {
            parts.order = order.to_vec();
        }
        buffer_type(context, shape, ty.element(), &layout, false)
    };
    let mut builder = Builder::after_value(source);
    let memory =
        builder.create(OpKind::TtgLocalAlloc, &[source], &[buffer(&shape, &transposed, &[1, 0])], &[]).result(0);
    let view = transposed_view(&mut builder, memory, buffer(&transposed, &transposed, &[0, 1]));
    let registers = ty.with_shape(&transposed).with_layout(&Encoding::DotOp(operand.clone()));
    builder.create(OpKind::TtgLocalLoad, &[view], &[registers], &[]).result(0)
}

/// `Aᵀ` in shared memory, along K.
fn right_operand<'c>(dot: DotOp<'c>) -> Value<'c> {
    let source = dot.a().before_conversion();
    let (ty, context) = (source.ty(), dot.op.context());
    let shape = ty.shape();
    let transposed: Vec<i64> = shape.iter().rev().copied().collect();
    let buffer = |shape: &[i64], order: &[u32]| {
        let layout = nvmma(shape, order, ty.element_bits());
        buffer_type(context, shape, ty.element(), &layout, false)
    };
    let mut builder = Builder::after_value(source);
    let memory = builder.create(OpKind::TtgLocalAlloc, &[source], &[buffer(&shape, &[1, 0])], &[]).result(0);
    transposed_view(&mut builder, memory, buffer(&transposed, &[0, 1]))
}

fn transposed_view<'c>(builder: &mut Builder<'c>, memory: Value<'c>, ty: Type<'c>) -> Value<'c> {
    let order = ("order", builder.context().i32_array(&TRANSPOSED));
    builder.create(OpKind::TtgMemDescTrans, &[memory], &[ty], &[order]).result(0)
}

/// A sum that a loop carries for this dot only.
struct CarriedSum<'c> {
    view: ForOp<'c>,
    index: usize,
}

impl<'c> CarriedSum<'c> {
    fn of(dot: DotOp<'c>) -> Option<Self> {
        let (body, argument) = dot.c().block_argument()?;
        let view = body.parent_op().and_then(ForOp::cast).filter(|view| view.body() == body && argument > 0)?;
        let index = argument - 1;
        let is_own = dot.op.block() == Some(body)
            && only_user(dot.c()) == Some((dot.op, 2))
            && only_user(dot.result()) == Some((view.yield_op(), index));
        is_own.then_some(Self { view, index })
    }

    /// Lets the loop carry the transposed sum too, and gives it. Until [`Self::finish`], the next iteration gets what this one had.
    fn start(&self, transposed: Type<'c>) -> Value<'c> {
        let init = self.view.op.operand(3 + self.index);
        let init = transposed_sum(Builder::before(self.view.op), init, transposed);
        let view = extend_for(self.view, &[NewCarried { init, next: init, ty: transposed }]);
        view.body().argument(view.iter_args().len())
    }

    /// The loop carries the result of the dot, and no longer the sum as it was.
    fn finish(&self, result: Value<'c>, old: Type<'c>) {
        let Some(view) = result.defining_op().and_then(Op::parent_op).and_then(ForOp::cast) else { return };
        let last = view.iter_args().len() - 1;
        view.yield_op().set_operand(last, result);
        view.yield_op().set_operand(self.index, view.iter_args()[self.index]);
        let back = transposed_back(Builder::after(view.op), view.op.result(last), old);
        view.op.result(self.index).replace_all_uses_with(back);
    }
}

fn only_user<'c>(value: Value<'c>) -> Option<(Op<'c>, usize)> {
    match value.users()[..] {
        [user] => Some(user),
        _ => None,
    }
}

fn transposed_sum<'c>(mut builder: Builder<'c>, sum: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if let Some(constant) = sum.constant_float() {
        return builder.float(ty, constant);
    }
    let order = sum.ty().layout().and_then(|layout| permuted(&layout, &sum.ty().shape(), &[1, 0]));
    let own = order.map_or(ty, |layout| ty.with_layout(&layout));
    let transposed = builder.trans(sum, &TRANSPOSED, own);
    builder.convert_layout(transposed, ty)
}

fn transposed_back<'c>(mut builder: Builder<'c>, result: Value<'c>, old: Type<'c>) -> Value<'c> {
    let ty = result.ty();
    let own = ty.layout().and_then(|layout| permuted(&layout, &ty.shape(), &[1, 0]));
    let transposed = builder.trans(result, &TRANSPOSED, own.map_or(old, |layout| old.with_layout(&layout)));
    builder.convert_layout(transposed, old)
}
