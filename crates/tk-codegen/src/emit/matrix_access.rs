//! Operands of `mma.sync` through shared memory by `ldmatrix`.
//!
//! The layout of scratch memory that tk-layout finds for any conversion has wide accesses without bank conflicts, but no room for
//! matrices: their rows of 16 bytes must stay whole in memory. For operands of `mma.sync` the known swizzle does both: vectors of 16
//! bytes along the axis that is contiguous in the source, exchanged within 128 bytes from row to row. `ldmatrix` then brings every
//! pair of 16-bit elements as one word, transposed where the source is contiguous along the other axis.

use super::convert_layout::{load_side, store_side};
use super::words::stored_type;
use super::{Emitter, TensorType};
use crate::code::{Reg, bug};
use tk_diag::Result;
use tk_layout::conversion::{BufferAccess, load_from, store_to};
use tk_layout::{Dim, Encoding, LinearLayout, SwizzledSharedEncoding};

/// Bytes of one row of a matrix.
const ROW_BYTES: u32 = 16;
/// Bytes that all banks deliver together.
const LINE_BYTES: u32 = 128;

/// Stores to a swizzled buffer and matrix loads from it.
pub(super) struct MatrixRoute {
    store: BufferAccess,
    load: BufferAccess,
}

impl MatrixRoute {
    /// The route from one layout to another, if the second is that of a matrix operand, `ldmatrix` can load it, and the buffer
    /// fits into `scratch_bytes`.
    pub(super) fn of(
        emitter: &Emitter<'_, '_>,
        from: &TensorType,
        to: &TensorType,
        scratch_bytes: u32,
    ) -> Option<Self> {
        let Encoding::DotOp(operand) = &*to.encoding else { return None };
        let is_mma = matches!(&*operand.parent, Encoding::NvidiaMma(mma) if mma.version_major == 2);
        let bytes = stored_type(from.element).bytes();
        let size = from.shape.iter().product::<i64>() * i64::from(bytes);
        if !is_mma || !emitter.settings.target.has_ldmatrix() || size > i64::from(scratch_bytes) {
            return None;
        }
        let buffer =
            Encoding::SwizzledShared(swizzle(&from.layout, &from.shape, bytes)?).to_linear(&from.shape).ok()?;
        let load = load_from(&to.layout, &buffer, 8 * bytes).ok().filter(|load| load.access.matrix.is_some())?;
        let store = store_to(&from.layout, &buffer, 8 * bytes).ok()?;
        Some(Self { store, load })
    }

    /// Moves `source` to the `registers` registers of the operand, through shared memory at `scratch`.
    pub(super) fn emit(
        &self,
        emitter: &mut Emitter<'_, '_>,
        scratch: Reg,
        source: &[Reg],
        registers: usize,
    ) -> Result<Vec<Reg>> {
        let Self { store, load } = self;
        let predicate = emitter.not_skipped(store.skip_lanes, store.skip_warps);
        store_side(emitter, &store.access, 0, &store.transfers, scratch, source, predicate)?;
        emitter.code.barrier()?;
        let mut values: Vec<Option<Reg>> = vec![None; registers];
        load_side(emitter, &load.access, 0, &load.transfers, scratch, source[0].ty(), &mut |register, value| {
            values[register as usize] = Some(value);
        })?;
        for (to, from) in &load.copies {
            values[*to as usize] = values[*from as usize];
        }
        let values: Option<Vec<Reg>> = values.into_iter().collect();
        values.ok_or_else(|| bug("matrix loads leave a register empty"))
    }
}

/// The swizzle for a matrix whose neighbours in the source are neighbours in memory; `None` when a row is shorter than 16 bytes.
fn swizzle(source: &LinearLayout, shape: &[i64], bytes: u32) -> Option<SwizzledSharedEncoding> {
    let [rows, columns] = shape else { return None };
    let columns_first = contiguous_axis(source)? == 1;
    let line = if columns_first { *columns } else { *rows } as u32 * bytes;
    let (order, vectors) = (if columns_first { vec![1, 0] } else { vec![0, 1] }, line / ROW_BYTES);
    let per_phase = (LINE_BYTES / line).max(1);
    let max_phase = (LINE_BYTES / ROW_BYTES / per_phase).min(vectors);
    (vectors > 0).then(|| SwizzledSharedEncoding { vec: ROW_BYTES / bytes, per_phase, max_phase, order })
}

/// The axis along which the lowest register or lane bit moves by one element.
fn contiguous_axis(layout: &LinearLayout) -> Option<u8> {
    let first = |dim: Dim, axis: u8| (0..layout.in_bits(dim)).any(|bit| layout.basis_vector(dim, bit) == unit(axis));
    [Dim::Register, Dim::Lane].into_iter().find_map(|dim| (0..2).rev().find(|axis| first(dim, *axis)))
}

/// One step along an axis of a matrix.
fn unit(axis: u8) -> Vec<u32> {
    (0..2).map(|each| u32::from(each == axis)).collect()
}
