//! Matrix descriptors: how `wgmma` finds a tile of an operand in shared memory.
//!
//! A descriptor holds a start address, two distances and the kind of swizzle (PTX ISA, "Asynchronous Warpgroup Level Matrix Shared
//! Memory Layout"). Only the start differs between the tiles of a buffer, so a product has one descriptor per operand, and its
//! instructions add constants to it: nothing carries out of the address, which fits 14 bits in units of 16 bytes.

use super::super::Emitter;
use super::super::memdesc::Buffer;
use crate::code::{Reg, Ty};
use tk_diag::Result;
use tk_ir::ops::MemDescIndexOp;
use tk_ir::{Op, OpKind, Type, Value};
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

    /// The descriptor of the first tile of the operand `memory`, moved by `images[i]` units for each set bit `i` of the warp group's number.
    ///
    /// Where a loop carries the number of a buffer in its ring, the descriptor of the ring's first buffer does not change, and one addition
    /// makes that of the buffer: a loop that chose its buffer at the end of the iteration before should not compute long before it multiplies.
    pub(super) fn first<'c>(&self, emitter: &mut Emitter<'c, '_>, memory: Value<'c>, images: &[u32]) -> Result<Reg> {
        let address = emitter.scalar(memory)?;
        let Some((ring, number)) = carried_place(memory) else { return Ok(self.emit(emitter, address, images)) };
        let (ring, number) = (emitter.scalar(ring)?, emitter.scalar(number)?);
        let bytes = self.buffer.shape.iter().product::<i64>() * i64::from(self.buffer.element_bytes);
        if bytes % PATTERN as i64 != 0 || address.offset() % i64::from(UNIT) != 0 {
            return Ok(self.emit(emitter, address, images));
        }
        let first = self.emit(emitter, ring.base(), images);
        let code = &mut emitter.code;
        let (number, units) = (code.trunc(number, Ty::I32), code.i32(bytes / i64::from(UNIT)));
        let moved = code.mul(number, units);
        let (sum, offset) = (code.add(first, moved), code.i32(address.offset() / i64::from(UNIT)));
        Ok(code.add(sum, offset))
    }

    /// The descriptor of the tile at `address`, moved by `images[i]` units for each set bit `i` of the warp group's number.
    fn emit(&self, emitter: &mut Emitter<'_, '_>, address: Reg, images: &[u32]) -> Reg {
        let group = emitter.in_uniform_warp(2, images);
        let is_in_pair = emitter.settings.is_in_pair;
        let code = &mut emitter.code;
        let base = code.ptr_to_int(address.base());
        // In a cluster the rank of the CTA stands above the address, and the field beside that of the start would get it.
        let base = if is_in_pair {
            let within = code.i32((1 << ADDRESS_BITS) - 1);
            code.and(base, within)
        } else {
            code.assume_below(base, ADDRESS_BITS)
        };
        let base = code.assume_multiple(base, PATTERN);
        let bytes = code.i32(address.offset());
        let (start, unit) = (code.add(base, bytes), code.i32(UNIT.trailing_zeros().into()));
        let units = code.lshr(start, unit);
        let units = code.add(units, group);
        let constant = code.i32((self.constant & 0xffff_ffff) as i64);
        code.or(units, constant)
    }
}

/// The ring that a buffer lies in, and its number there, where a loop carries that.
fn carried_place(mut memory: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    loop {
        let op = memory.defining_op()?;
        if !matches!(op.kind(), OpKind::TtgMemDescTrans | OpKind::TtgMemDescSubslice) {
            let index = MemDescIndexOp::cast(op)?;
            return index.index().block_argument().map(|_| (index.src(), index.index()));
        }
        memory = op.operand(0);
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
