//! Where the elements of a memory descriptor lie in shared memory, and the views of one.
//!
//! A view can be a part of a larger buffer. Its elements then lie where the layout of the whole buffer puts them, so offsets are
//! worked out with the shape of the allocation, and the address of the view is that of its first element.

use super::Emitter;
use crate::code::Ty;
use tk_diag::Result;
use tk_ir::ops::MemDescIndexOp;
use tk_ir::{Op, Type};
use tk_layout::{Dim, Encoding, LinearLayout};

/// The buffer behind a memory descriptor.
pub(super) struct Buffer {
    /// Axes to offset, in elements.
    offsets: LinearLayout,
    /// Bytes of one element.
    pub(super) element_bytes: u32,
    /// Elements of the whole buffer along each axis.
    pub(super) shape: Vec<i64>,
}

impl Buffer {
    /// The buffer that a memory descriptor type describes.
    pub(super) fn of<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>, ty: Type<'c>) -> Result<Self> {
        let (Some(parts), Some(encoding)) = (ty.memdesc(), ty.layout()) else {
            return Err(emitter.bug(op, format!("{ty} is no buffer with a layout")));
        };
        // Leading axes of the allocation count buffers, of which the view is one.
        let extra = parts.alloc_shape.len().saturating_sub(parts.shape.len());
        let shape = parts.alloc_shape[extra..].to_vec();
        let layout = linear(&encoding, &shape).map_err(|why| emitter.bug(op, why))?;
        let offsets = layout.invert().map_err(|why| emitter.bug(op, why))?;
        Ok(Self { offsets, element_bytes: emitter.element_ty(ty)?.bytes(), shape })
    }

    /// Bytes from the first element to the one at `position`.
    pub(super) fn offset(&self, position: &[u32]) -> u32 {
        let axes = position.iter().enumerate().map(|(axis, at)| self.offsets.apply_dim(Dim::Axis(axis as u8), *at));
        let packed = axes.fold(0, |sum, image| sum ^ image);
        self.offsets.unpack_dim(packed, Dim::Offset) * self.element_bytes
    }
}

/// Offset to axes of a buffer of `shape`.
pub(super) fn linear(encoding: &Encoding, shape: &[i64]) -> Result<LinearLayout, String> {
    match encoding {
        Encoding::PaddedShared(_) => Err("padded buffers are not emitted".into()),
        Encoding::Blocked(_)
        | Encoding::Slice(_)
        | Encoding::NvidiaMma(_)
        | Encoding::DotOp(_)
        | Encoding::Linear(_)
        | Encoding::SwizzledShared(_)
        | Encoding::NvmmaShared(_)
        | Encoding::SharedLinear(_) => encoding.to_linear(shape),
    }
}

/// `ttg.memdesc_index`: one buffer of several that follow each other.
pub(super) fn emit_index<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = MemDescIndexOp::cast(op).ok_or_else(|| emitter.bug(op, "it has no index"))?;
    let (start, index) = (emitter.scalar(view.src())?, emitter.scalar(view.index())?);
    let ty = op.result(0).ty();
    let bytes = ty.num_elements() * i64::from(emitter.element_ty(ty)?.bytes());
    let code = &mut emitter.code;
    let (index, bytes) = (code.trunc(index, Ty::I32), code.i32(bytes));
    let offset = code.mul(index, bytes);
    let address = code.ptr_add(start, offset);
    emitter.define_scalar(op.result(0), address);
    Ok(())
}

/// `ttg.memdesc_trans`, `ttg.memdesc_reshape`, `ttg.memdesc_reinterpret`: the same bytes, whose layout is that of the result's type.
pub(super) fn emit_same_bytes<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let start = emitter.scalar(op.operand(0))?;
    emitter.define_scalar(op.result(0), start);
    Ok(())
}

/// `ttg.memdesc_subslice`: the address of its first element.
pub(super) fn emit_subslice<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let start = emitter.scalar(op.operand(0))?;
    let offsets = op.attr("offsets").and_then(|offsets| offsets.as_ints()).unwrap_or_default();
    let source = op.operand(0).ty();
    let rank = source.layout().map_or(0, |layout| layout.rank());
    let offset = if rank < offsets.len() {
        // Along the leading axis there are whole buffers, one after the other.
        let inner = source.shape()[1..].iter().product::<i64>() * i64::from(emitter.element_ty(source)?.bytes());
        if offsets[1..].iter().any(|offset| *offset != 0) {
            return Err(emitter.bug(op, "it cuts buffers and counts them at once"));
        }
        offsets[0] * inner
    } else {
        let position: Vec<u32> = offsets.iter().map(|offset| *offset as u32).collect();
        Buffer::of(emitter, op, source)?.offset(&position).into()
    };
    let bytes = emitter.code.int(Ty::I32, offset);
    let address = emitter.code.ptr_add(start, bytes);
    emitter.define_scalar(op.result(0), address);
    Ok(())
}
