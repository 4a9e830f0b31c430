//! Matrix descriptors: how `wgmma` finds a tile of an operand in shared memory.
//!
//! A descriptor holds a start address, two distances and the kind of swizzle (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared
//! Memory Layout"). Only the start differs between the tiles of a buffer, so a product has one descriptor per operand, and its
//! instructions add constants to it: nothing carries out of the address, which fits 14 bits in units of 16 bytes.

use super::super::Emitter;
use super::super::memdesc::Buffer;
use crate::code::Reg;
use tk_diag::Result;
use tk_ir::{Op, Type};
use tk_layout::{Encoding, NvmmaSharedEncoding};

/// Bits of an address in shared memory: no CTA has more than 256 KiB.
const ADDRESS_BITS: u32 = 18;
/// What the start address is counted in.
const UNIT: u32 = 16;
/// The swizzle patterns repeat after this many bytes, and buffers are aligned to it.
const PATTERN: u64 = 1024;

/// An operand in shared memory.
pub(super) struct SharedOperand {
    buffer: Buffer,
    /// The contiguous axis is the one that is summed over.
    pub(super) is_k_major: bool,
    /// Which axis is summed over.
    k_axis: usize,
    /// Everything but the start address.
    constant: u64,
}

impl SharedOperand {
    /// The high word of every descriptor.
    pub(super) fn high_word(&self) -> u32 {
        (self.constant >> 32) as u32
    }
}

impl SharedOperand {
    /// The operand whose axis `k_axis` is summed over.
    pub(super) fn of<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>, ty: Type<'c>, k_axis: usize) -> Result<Self> {
        let buffer = Buffer::of(emitter, op, ty)?;
        let Some(Encoding::NvmmaShared(encoding)) = ty.layout().as_deref().cloned() else {
            return Err(emitter.bug(op, "an operand in shared memory has no `nvmma_shared` layout"));
        };
        let contiguous = if encoding.transposed { 0 } else { 1 };
        let is_k_major = contiguous == k_axis;
        let constant = distances(&encoding, &buffer, contiguous, is_k_major).map_err(|why| emitter.bug(op, why))?;
        Ok(Self { buffer, is_k_major, k_axis, constant })
    }

    /// The start of the tile at `outer` along M or N and `k` along K, in units of 16 bytes from the start of the buffer.
    pub(super) fn start(&self, outer: u32, k: u32) -> u32 {
        let position = if self.k_axis == 0 { [k, outer] } else { [outer, k] };
        self.buffer.offset(&position) / UNIT
    }

    /// The descriptor of the tile at `address`, moved by `images[i]` units for each set bit `i` of the warp group's number.
    pub(super) fn emit(&self, emitter: &mut Emitter<'_, '_>, address: Reg, images: &[u32]) -> Reg {
        let group = emitter.in_uniform_warp(2, images);
        let code = &mut emitter.code;
        let base = code.ptr_to_int(address.base());
        let base = code.assume_below(base, ADDRESS_BITS);
        let base = code.assume_multiple(base, PATTERN);
        let bytes = code.i32(address.offset());
        let (start, unit) = (code.add(base, bytes), code.i32(UNIT.trailing_zeros().into()));
        let units = code.lshr(start, unit);
        let units = code.add(units, group);
        let constant = code.i32((self.constant & 0xffff_ffff) as i64);
        code.or(units, constant)
    }
}

/// The distances and the swizzle in their places.
fn distances(
    encoding: &NvmmaSharedEncoding,
    buffer: &Buffer,
    contiguous: usize,
    is_k_major: bool,
) -> Result<u64, String> {
    let width = encoding.swizzling_byte_width;
    let rows = buffer.shape[1 - contiguous] as u64;
    let row_bytes = buffer.shape[contiguous] as u64 * u64::from(buffer.element_bytes);
    let place = |leading: u64, stride: u64, kind: u64| ((leading / 16) << 16) | ((stride / 16) << 32) | (kind << 62);
    // Eight rows of the swizzle's width are one piece; pieces follow each other along the rows first.
    let (piece, next_column) = (8 * u64::from(width), rows * u64::from(width));
    let leading = if is_k_major || row_bytes <= u64::from(width) { 0 } else { next_column };
    match width {
        128 => Ok(place(leading, piece, 1)),
        64 => Ok(place(leading, piece, 2)),
        32 => Ok(place(leading, piece, 3)),
        0 if !is_k_major && row_bytes == 16 => Ok(place(128, 128, 0)),
        _ => Err(format!("rows of {row_bytes} bytes without a swizzle are no tiles of `wgmma`")),
    }
}
