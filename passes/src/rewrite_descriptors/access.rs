//! Accesses by descriptors as accesses through tensors of pointers.
//!
//! Along every axis there are offsets: consecutive ones from the index of the block, or the rows that a gather names. An element's address is
//! the base plus the sum of offset times stride; it is accessed when every offset is inside the tensor.

use super::parts::{Padding, Parts};
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::{CmpI, DescriptorGatherOp, DescriptorLoadOp, DescriptorScatterOp, DescriptorStoreLikeOp};
use tk_ir::ops::{MemScope, MemSemantic, RmwOp};
use tk_ir::{AccessHints, Builder, Op, OpKind, Type, Value};
use tk_target::Target;

/// Pointers to a block, and which of them are inside the tensor.
pub(super) struct Accesses<'c> {
    pointers: Value<'c>,
    mask: Value<'c>,
    padding: Padding<Value<'c>>,
}

impl<'c> Accesses<'c> {
    /// Replaces one access by a descriptor.
    pub(super) fn rewrite(op: Op<'c>, parts: &Parts<'c>) -> Result<()> {
        let mut builder = Builder::before(op);
        if let Some(load) = DescriptorLoadOp::cast(op) {
            let accesses = Self::to_block(&mut builder, parts, load.desc(), &load.indices());
            let loaded = accesses.load(&mut builder, op);
            replace_by(&mut builder, load.result(), loaded);
        } else if let Some(store) = DescriptorStoreLikeOp::cast(op) {
            let mut accesses = Self::to_block(&mut builder, parts, store.desc(), &store.indices());
            accesses.leave_padding_out(&mut builder, op);
            accesses.store(&mut builder, op, store.src())?;
        } else if let Some(gather) = DescriptorGatherOp::cast(op) {
            let accesses = Self::to_rows(&mut builder, parts, gather.rows(), gather.column(), gather.result().ty());
            let loaded = accesses.load(&mut builder, op);
            replace_by(&mut builder, gather.result(), loaded);
        } else if let Some(scatter) = DescriptorScatterOp::cast(op) {
            let rows = (scatter.rows(), scatter.column());
            let accesses = Self::to_rows(&mut builder, parts, rows.0, rows.1, scatter.src().ty());
            accesses.store(&mut builder, op, scatter.src())?;
        }
        op.erase();
        Ok(())
    }

    /// The block that starts at `indices`.
    fn to_block(builder: &mut Builder<'c>, parts: &Parts<'c>, descriptor: Value<'c>, indices: &[Value<'c>]) -> Self {
        let shape = descriptor.ty().descriptor_block().map(|block| block.shape()).unwrap_or_default();
        let offsets: Vec<Value<'c>> =
            indices.iter().zip(&shape).map(|(index, size)| consecutive(builder, *index, *size)).collect();
        Self::new(builder, parts, &offsets, &shape)
    }

    /// The rows with these numbers, from `column` on.
    fn to_rows(
        builder: &mut Builder<'c>,
        parts: &Parts<'c>,
        rows: Value<'c>,
        column: Value<'c>,
        block: Type<'c>,
    ) -> Self {
        let shape = block.shape();
        let i64 = builder.context().i(64);
        let rows = builder.cast(OpKind::ArithExtSI, rows, rows.ty().with_element(i64));
        let columns = consecutive(builder, column, shape[1]);
        Self::new(builder, parts, &[rows, columns], &shape)
    }

    /// Pointers and mask from the offsets along each axis.
    fn new(builder: &mut Builder<'c>, parts: &Parts<'c>, offsets: &[Value<'c>], shape: &[i64]) -> Self {
        let context = builder.context();
        let (whole, truth) = (context.tensor(shape, context.i(64), None), context.tensor(shape, context.i(1), None));
        let pointer = context.tensor(shape, parts.base.ty(), None);
        let mut pointers = builder.splat(parts.base, pointer);
        let mut mask: Option<Value<'c>> = None;
        for (axis, offsets) in offsets.iter().enumerate() {
            let spread = along(builder, *offsets, axis, shape.len());
            let steps = match parts.strides.get(axis) {
                Some(stride) => {
                    let stride = builder.splat(*stride, spread.ty());
                    builder.binary(OpKind::ArithMulI, spread, stride)
                }
                None => spread,
            };
            let steps = builder.broadcast(steps, whole);
            pointers = builder.addptr(pointers, steps);
            let zero = builder.int(spread.ty(), 0);
            let end = builder.splat(parts.shape[axis], spread.ty());
            let (from, to) = (builder.cmpi(CmpI::Sge, spread, zero), builder.cmpi(CmpI::Slt, spread, end));
            let inside = builder.binary(OpKind::ArithAndI, from, to);
            let inside = builder.broadcast(inside, truth);
            mask = Some(mask.map_or(inside, |mask| builder.binary(OpKind::ArithAndI, mask, inside)));
        }
        let mask = mask.unwrap_or_else(|| builder.int(truth, 1));
        Self { pointers, mask, padding: parts.padding }
    }

    /// Of a block whose dimensions were padded to powers of two, only what is the program's may be written.
    fn leave_padding_out(&mut self, builder: &mut Builder<'c>, write: Op<'c>) {
        let Some(inside) = write.inside() else { return };
        let (context, shape) = (builder.context(), self.mask.ty().shape());
        for (axis, &size) in inside.axes().iter().enumerate().filter(|(axis, size)| shape.get(*axis) > Some(*size)) {
            let range = builder.make_range(0, shape[axis] as i32, context.tensor(&[shape[axis]], context.i(32), None));
            let end = builder.int(range.ty(), size);
            let inside = builder.cmpi(CmpI::Slt, range, end);
            let inside = along(builder, inside, axis, shape.len());
            let inside = builder.broadcast(inside, self.mask.ty());
            self.mask = builder.binary(OpKind::ArithAndI, self.mask, inside);
        }
    }

    fn load(&self, builder: &mut Builder<'c>, op: Op<'c>) -> Value<'c> {
        let element = op.result(0).ty().element();
        let ty = self.pointers.ty().with_element(element);
        let outside = match self.padding {
            Padding::Nan if element.is_float() => builder.float(ty, f64::NAN),
            Padding::Either(is_nan) if element.is_float() => {
                let (nan, zero) = (builder.float(element, f64::NAN), builder.float(element, 0.0));
                let outside = builder.select(is_nan, nan, zero);
                builder.splat(outside, ty)
            }
            Padding::Zero | Padding::Nan | Padding::Either(_) => builder.int(ty, 0),
        };
        let load = builder.load(self.pointers, Some(self.mask), Some(outside), AccessHints::default());
        for name in ["cache", "evict", "cachePolicy"] {
            if let Some(value) = op.attr(name) {
                load.op.set_attr(name, value);
            }
        }
        load.result()
    }

    /// Stores a block, or adds it to what is there.
    fn store(&self, builder: &mut Builder<'c>, op: Op<'c>, block: Value<'c>) -> Result<()> {
        let ty = self.pointers.ty().with_element(block.ty().element());
        let block = if block.ty() == ty { block } else { builder.reshape(block, ty, false) };
        if op.kind() != OpKind::TtDescriptorReduce {
            builder.store(self.pointers, block, Some(self.mask), AccessHints::default());
            return Ok(());
        }
        let descriptor = op.operand(0).ty().descriptor_block().map(|block| block.element());
        let Some(kind) = op.int_attr("kind").zip(descriptor).and_then(|(kind, element)| reduction(kind, element))
        else {
            return Err(no_reduction(op));
        };
        builder.atomic_rmw(kind, self.pointers, block, Some(self.mask), (MemSemantic::Relaxed, MemScope::Gpu));
        Ok(())
    }
}

/// A loaded block may have lost leading axes of size 1.
fn replace_by<'c>(builder: &mut Builder<'c>, result: Value<'c>, loaded: Value<'c>) {
    let loaded = if loaded.ty() == result.ty() { loaded } else { builder.reshape(loaded, result.ty(), false) };
    result.replace_all_uses_with(loaded);
}

/// `index`, `index + 1`, … as a tensor of `i64`.
fn consecutive<'c>(builder: &mut Builder<'c>, index: Value<'c>, size: i64) -> Value<'c> {
    let context = builder.context();
    let (narrow, wide) = (context.tensor(&[size], context.i(32), None), context.tensor(&[size], context.i(64), None));
    let range = builder.make_range(0, size as i32, narrow);
    let range = builder.cast(OpKind::ArithExtSI, range, wide);
    let index = builder.cast(OpKind::ArithExtSI, index, context.i(64));
    let start = builder.splat(index, wide);
    builder.binary(OpKind::ArithAddI, start, range)
}

/// A tensor of one axis as one of `rank` axes, all others of size 1.
fn along<'c>(builder: &mut Builder<'c>, offsets: Value<'c>, axis: usize, rank: usize) -> Value<'c> {
    let mut value = offsets;
    for other in (0..rank).filter(|other| *other != axis) {
        let mut shape = value.ty().shape();
        shape.insert(other, 1);
        let ty = builder.context().tensor(&shape, value.ty().element(), None);
        value = builder.expand_dims(value, other, ty);
    }
    value
}

/// The atomic operation of a reduction, by its number in `tt.descriptor_reduce`.
pub(super) fn reduction(kind: i64, element: Type<'_>) -> Option<RmwOp> {
    let (is_float, is_unsigned) = (element.is_float(), element.is_unsigned());
    Some(match kind {
        1 if is_float => RmwOp::FAdd,
        _ if is_float => return None,
        1 => RmwOp::Add,
        2 if is_unsigned => RmwOp::UMin,
        2 => RmwOp::Min,
        3 if is_unsigned => RmwOp::UMax,
        3 => RmwOp::Max,
        6 => RmwOp::And,
        7 => RmwOp::Or,
        8 => RmwOp::Xor,
        _ => return None,
    })
}

fn no_reduction(op: Op<'_>) -> Box<Diagnostic> {
    let element = op.operand(1).ty().element();
    let message =
        format!("this reduction into a tensor of {element} by a descriptor needs TMA, which has none for it here");
    let newer = Target::all().iter().find(|target| target.has_tma()).copied().unwrap_or_default();
    let help = format!("use `atomic_add`, or integers, or compile for {newer} or later");
    Diagnostic::error(tk_diag::BAD_IR, message).help(help).boxed()
}
