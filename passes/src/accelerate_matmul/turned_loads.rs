//! Loads of blocks that threads turn on their way to shared memory.
//!
//! `wgmma` reads numbers of 32 and of 8 bits along K alone. A block that lies across K in memory, as the values of attention in f32 do, is loaded in units of 16 bytes
//! and written to shared memory along K. With the layout of coalesced accesses all lanes of a warp have one term of many rows of the buffer, whose swizzle
//! tells eight rows apart: they write one word each, and sixteen of them meet in a bank. Values of 64x128 took shared memory 4096 cycles in each
//! iteration of an attention whose two products take the tensor cores 1024.
//!
//! So a thread has a tile: as many terms as the widest write takes of words, or a word takes of bytes, of as many columns as one access loads. It writes
//! what follows each other at once, and the lanes that write together differ in what the swizzle tells apart:
//!
//! ```text
//! registers   columns of one access, terms of one write, the rest
//! lanes       columns up to eight, terms of other units of the swizzle, columns up to a line of memory, other terms
//! warps       terms, then columns
//! ```
//!
//! A warp reads several rows of memory for that, a line of each, so it touches as many lines as before. Where [`permute_terms`](crate::permute_terms)
//! will exchange terms, a thread has those that it makes neighbours.
//!
//! True for a load whose block, or what arithmetic of its elements with rows, columns and numbers makes of it, is written for products and for nothing
//! else, if a thread has a whole tile and the write takes at most half the cycles. With less than a tile warps would read parts of lines, which costs
//! what a write of words gains; bytes are loaded in narrower units then ([measurements](../../../docs/measurements.md#what-threads-turn-is-loaded-in-tiles)).
//!
//! 1. Buffers of products whose block is loaded across K.  2. The layout, and what the write costs with and without it.  3. Rebuild the load.

use crate::attributes::Threads;
use crate::coalesce::rebuild;
use crate::encodings::{from_images, permuted};
use crate::operations::computations::{Computation, computation};
use crate::permute_terms::{follows_threads, turned_rows};
use crate::vectorize_memory::contiguous_axis;
use rustc_hash::FxHashSet;
use tk_ir::ops::{LoadOp, TransLikeOp, WarpGroupDotOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};
use tk_layout::banks::{LINE_BYTES as BANKS_BYTES, phases, wavefronts};
use tk_layout::conversion::store_to;
use tk_layout::{Dim, Encoding};
use tk_target::{LINE_BYTES, SECTOR_BYTES};

/// Bits of numbers that `wgmma` reads along K alone.
const BYTE: u32 = 8;
const WORD: u32 = 32;
/// Terms that a thread has of each column: four words are the widest write, and of bytes a thread makes a word.
const TERMS: u32 = 4;
/// Rows of the buffer that its swizzle tells apart.
const SWIZZLED_ROWS: u32 = 8;
/// Terms that change places together where terms are permuted, as bits: their order in the buffer.
const PERMUTED_TERMS: [u32; 3] = [2, 4, 1];
/// Lane bits of a warp.
const LANE_BITS: usize = 5;
/// The write has to be so many times as fast.
const FASTER: u32 = 2;
/// Operations between a load and its buffer, or two products, that are looked at.
const MOST_STEPS: usize = 64;

/// Gives the loads of a function their layouts.
pub(super) fn run(function: Op<'_>, threads: Threads) {
    let buffers = function.descendants().into_iter().filter(|op| op.kind() == OpKind::TtgLocalAlloc);
    let turned: Vec<TurnedLoad<'_>> = buffers.filter_map(|buffer| TurnedLoad::of(buffer, threads)).collect();
    turned.into_iter().for_each(TurnedLoad::apply);
}

/// A load that gets another layout, and the buffers that its block is written to.
struct TurnedLoad<'c> {
    load: Op<'c>,
    of_load: Encoding,
    buffers: Vec<Op<'c>>,
    of_buffers: Encoding,
}

/// Where the block of a buffer comes from.
struct Source<'c> {
    load: LoadOp<'c>,
    /// Rows of memory are columns of the buffer.
    is_transposed: bool,
}

/// The tile that threads share out.
struct Tile {
    /// Sizes along K and across it.
    terms: u32,
    columns: u32,
    /// Columns of one access.
    width: u32,
    /// Of a number in the buffer, and in global memory.
    bits: u32,
    bits_in_memory: u32,
    is_permuted: bool,
}

/// A bit of the place of an element in the tile.
#[derive(Clone, Copy)]
enum Bit {
    Term(u32),
    Column(u32),
}

impl<'c> TurnedLoad<'c> {
    /// Of the first buffer of a block.
    fn of(buffer: Op<'c>, threads: Threads) -> Option<Self> {
        let block = (buffer.num_operands() == 1).then(|| buffer.operand(0))?;
        let shared = buffer.result(0).ty();
        let bits = shared.element_bits();
        let buffers: Vec<Op<'c>> = block.users().into_iter().map(|(user, _)| user).collect();
        let are_operands = buffers.iter().all(|other| is_operand(*other) && other.result(0).ty() == shared);
        if !are_operands || buffers.first() != Some(&buffer) || ![BYTE, WORD].contains(&bits) || shared.rank() != 2 {
            return None;
        }
        let Source { load, is_transposed } = Source::of(block)?;
        let terms = contiguous_axis(shared)?;
        let across = if is_transposed { terms } else { 1 - terms };
        let in_memory = load.ptr().ty();
        let Some(Encoding::Blocked(usual)) = in_memory.layout().as_deref().cloned() else { return None };
        if *usual.order.first()? as usize != across {
            return None;
        }
        let shape = in_memory.shape();
        let size = |axis: usize| u32::try_from(*shape.get(axis)?).ok();
        let tile = Tile {
            terms: size(1 - across)?,
            columns: size(across)?,
            width: *usual.size_per_thread.get(across)?,
            bits,
            bits_in_memory: load.result().ty().element_bits().max(BYTE),
            is_permuted: buffers.len() == 1 && are_permuted(buffer),
        };
        let of_load = tile.narrowed(threads)?.layout(threads, across)?;
        let of_buffers = if is_transposed { permuted(&of_load, &shape, &[1, 0])? } else { of_load.clone() };
        let write = |block: Type<'c>| Write::of(block, shared, tile.is_permuted);
        let (usual, turned) = (write(block.ty())?, write(block.ty().with_layout(&of_buffers))?);
        let is_faster = !usual.is_by_matrices && turned.cycles.checked_mul(FASTER)? <= usual.cycles;
        is_faster.then_some(Self { load: load.op, of_load, buffers, of_buffers })
    }

    fn apply(self) {
        rebuild(self.load, self.load.context().encoding_attr(&self.of_load));
        for buffer in self.buffers {
            let block = buffer.operand(0);
            let turned = Builder::before(buffer).convert_layout(block, block.ty().with_layout(&self.of_buffers));
            buffer.set_operand(0, turned);
        }
    }
}

/// A buffer that is made of a block and that only products by `wgmma` read.
fn is_operand(buffer: Op<'_>) -> bool {
    let is_buffer = buffer.kind() == OpKind::TtgLocalAlloc && buffer.result(0).has_uses();
    is_buffer && buffer.result(0).users().iter().all(|(user, _)| user.kind() == OpKind::TtngWarpGroupDot)
}

impl<'c> Source<'c> {
    /// `None` where the block is not loaded, or somebody else takes what it is computed from.
    fn of(block: Value<'c>) -> Option<Self> {
        let (mut value, mut is_transposed) = (block, false);
        for _ in 0..MOST_STEPS {
            let made = value.defining_op().filter(|_| value == block || value.has_one_use())?;
            if let Some(load) = LoadOp::cast(made) {
                return (load.ptr().ty().is_tensor()).then_some(Self { load, is_transposed });
            }
            if let Some(turned) = TransLikeOp::cast(made).filter(|turned| turned.order() == [1, 0]) {
                is_transposed = !is_transposed;
                value = turned.src();
            } else {
                value = only_block(made)?;
            }
        }
        None
    }
}

/// The block that a conversion, or arithmetic of its elements and what is the same for many of them, makes another one of.
fn only_block(op: Op<'_>) -> Option<Value<'_>> {
    if op.kind() != OpKind::TtgConvertLayout && !computation(op.kind()).is_element_by_element() {
        return None;
    }
    let mut blocks = op.operands().into_iter().filter(|operand| !is_repeated(*operand));
    let block = blocks.next()?;
    blocks.next().is_none().then_some(block)
}

/// The value is a number, or repeats a row, a column or a number.
fn is_repeated(value: Value<'_>) -> bool {
    let made = value.defining_op().map_or(Computation::Other, |made| computation(made.kind()));
    !value.ty().is_tensor() || matches!(made, Computation::Constant | Computation::Repeat)
}

/// `permute-terms` will exchange the terms of the only product that reads a buffer: its left operand is computed from another product, and stays with
/// its threads.
fn are_permuted(buffer: Op<'_>) -> bool {
    let [(reader, _)] = buffer.result(0).users()[..] else { return false };
    let Some(dot) = WarpGroupDotOp::cast(reader).filter(|dot| dot.b() == buffer.result(0)) else { return false };
    let weights = dot.a();
    let is_in_registers = weights.ty().is_tensor()
        && dot.b().ty().element_bits() == WORD
        && weights.ty().element_bits() == WORD
        && dot.op.inside().is_none();
    is_in_registers && result_behind(weights).is_some_and(|result| follows_threads(result, weights.ty()))
}

/// The type of a product's result, in its layout, that a block of the same shape is computed from element by element.
fn result_behind(weights: Value<'_>) -> Option<Type<'_>> {
    let shape = weights.ty().shape();
    let (mut pending, mut seen) = (vec![weights], FxHashSet::default());
    while let Some(value) = pending.pop() {
        let Some(made) = value.defining_op().filter(|_| value.ty().is_tensor() && value.ty().shape() == shape) else {
            continue;
        };
        if made.kind() == OpKind::TtngWarpGroupDot {
            return Some(value.ty());
        }
        let is_passed = made.kind() == OpKind::TtgConvertLayout || computation(made.kind()).is_element_by_element();
        if is_passed && seen.len() < MOST_STEPS && seen.insert(made.id()) {
            pending.extend(made.operands());
        }
    }
    None
}

/// What it takes to write a block to its buffer.
struct Write {
    /// Those in which shared memory takes what a warp writes.
    cycles: u32,
    /// `stmatrix` can write it.
    is_by_matrices: bool,
}

impl Write {
    fn of(block: Type<'_>, buffer: Type<'_>, is_permuted: bool) -> Option<Self> {
        let written = if is_permuted { turned_rows(block)? } else { block };
        let bits = buffer.element_bits();
        let plan = store_to(&*written.linear_layout()?, &*buffer.linear_layout()?, bits).ok()?;
        let of_access = wavefronts(&plan.access.lane_offsets, plan.access.vector.checked_mul(bits / BYTE)?);
        let cycles = of_access.checked_mul(u32::try_from(plan.transfers.len()).ok()?)?;
        Some(Self { cycles, is_by_matrices: plan.access.matrix.is_some() })
    }
}

impl Tile {
    /// The tile with columns for which a thread has all terms of a write. Bytes are loaded in narrower units for that, of a word at least.
    fn narrowed(&self, threads: Threads) -> Option<Self> {
        let of_thread = self.terms.checked_mul(self.columns)?.checked_div(threads.total())?;
        let least = if self.bits == BYTE { self.width.min(WORD / BYTE) } else { self.width };
        let width = self.width.min(of_thread / TERMS);
        (width >= least).then_some(Self { width, ..*self })
    }

    /// `None` where a thread has less than a tile, or elements twice.
    fn layout(&self, threads: Threads, across: usize) -> Option<Encoding> {
        let sizes = [self.terms, self.columns, self.width, threads.num_warps];
        let is_whole = sizes.iter().all(|size| size.is_power_of_two()) && threads.threads_per_warp == 1 << LANE_BITS;
        let of_thread = self.terms.checked_mul(self.columns)?.checked_div(threads.total())?;
        if !is_whole || self.terms < TERMS || self.columns < self.width || of_thread < TERMS.checked_mul(self.width)? {
            return None;
        }
        let mut terms = self.bits_of_terms();
        let mut columns: Vec<Bit> = bits(self.columns).map(Bit::Column).collect();
        let mut registers = take(&mut columns, bits(self.width).len());
        registers.extend(take(&mut terms, bits(TERMS).len()));
        let mut lanes = self.lanes_of_write(&mut terms, &mut columns);
        let of_line = self.lanes_along(LINE_BYTES).saturating_sub(columns_in(&lanes));
        lanes.extend(take(&mut columns, of_line.min(LANE_BITS - lanes.len())));
        fill(&mut lanes, LANE_BITS, &mut terms, &mut columns);
        let mut warps = Vec::new();
        fill(&mut warps, bits(threads.num_warps).len(), &mut terms, &mut columns);
        registers.extend(terms.into_iter().chain(columns));
        self.encoding(
            across,
            [(Dim::Register, registers), (Dim::Lane, lanes), (Dim::Warp, warps), (Dim::Block, Vec::new())],
        )
    }

    fn encoding(&self, across: usize, places: [(Dim, Vec<Bit>); 4]) -> Option<Encoding> {
        let image = |bit: &Bit| {
            let (axis, value) = match bit {
                Bit::Term(value) => (1 - across, *value),
                Bit::Column(value) => (across, *value),
            };
            let mut image = vec![0; 2];
            image[axis] = value;
            image
        };
        let images = places.map(|(dim, bits)| (dim, bits.iter().map(image).collect()));
        let mut shape = [i64::from(self.terms); 2];
        shape[across] = i64::from(self.columns);
        from_images(images.to_vec(), &shape)
    }

    /// Bits of the lanes that read so many bytes of a row together.
    fn lanes_along(&self, bytes: u32) -> usize {
        bits((bytes * 8 / self.bits_in_memory / self.width).max(1)).len()
    }

    /// The bits of a term by those of its place in the buffer.
    fn bits_of_terms(&self) -> Vec<Bit> {
        let terms = bits(self.terms);
        let places: Vec<u32> = if self.is_permuted && terms.len() >= PERMUTED_TERMS.len() {
            PERMUTED_TERMS.into_iter().chain(terms.skip(PERMUTED_TERMS.len())).collect()
        } else {
            terms.collect()
        };
        places.into_iter().map(Bit::Term).collect()
    }

    /// The lanes that write together: rows of the buffer that its swizzle tells apart, then units of a row, as long as a sector of memory is read at once.
    fn lanes_of_write(&self, terms: &mut Vec<Bit>, columns: &mut Vec<Bit>) -> Vec<Bit> {
        let bytes = TERMS * self.bits / BYTE;
        let together = LANE_BITS - bits(phases(bytes)).len();
        let rows = bits(SWIZZLED_ROWS).len().saturating_sub(bits(self.width).len());
        let mut lanes = take(columns, rows.min(together));
        let of_row = bits((BANKS_BYTES / bytes).min(self.terms / TERMS)).len();
        let of_sector = self.lanes_along(SECTOR_BYTES).saturating_sub(lanes.len());
        let most = (together - lanes.len()).min(LANE_BITS.saturating_sub(lanes.len() + of_sector));
        lanes.extend(take(terms, of_row.min(most)));
        lanes
    }
}

/// The bits that tell `size` things apart.
fn bits(size: u32) -> impl ExactSizeIterator<Item = u32> {
    (0..size.trailing_zeros() as usize).map(|bit| 1 << bit)
}

/// The first bits, at most `count`.
fn take(bits: &mut Vec<Bit>, count: usize) -> Vec<Bit> {
    bits.drain(..count.min(bits.len())).collect()
}

/// Terms, then columns, up to `count` bits.
fn fill(filled: &mut Vec<Bit>, count: usize, terms: &mut Vec<Bit>, columns: &mut Vec<Bit>) {
    for left in [terms, columns] {
        let missing = count - filled.len();
        filled.extend(take(left, missing));
    }
}

fn columns_in(bits: &[Bit]) -> usize {
    bits.iter().filter(|bit| matches!(bit, Bit::Column(_))).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared_encodings::nvmma;

    fn tile(terms: u32, columns: u32, width: u32, bits: [u32; 2]) -> Tile {
        Tile { terms, columns, width, bits: bits[0], bits_in_memory: bits[1], is_permuted: false }
    }

    /// Writes of a thread, and cycles of shared memory for each of a warp.
    fn writes(tile: &Tile, num_warps: u32) -> Option<[u32; 2]> {
        let shape = [i64::from(tile.terms), i64::from(tile.columns)];
        let threads = Threads { num_warps, threads_per_warp: 32 };
        let registers = tile.narrowed(threads)?.layout(threads, 1)?.to_linear(&shape).ok()?;
        assert!(registers.is_invertible(), "{registers}");
        let buffer = nvmma(&shape, &[0, 1], tile.bits).to_linear(&shape).ok()?;
        let plan = store_to(&registers, &buffer, tile.bits).ok()?;
        let cycles = wavefronts(&plan.access.lane_offsets, plan.access.vector * tile.bits / BYTE);
        Some([u32::try_from(plan.transfers.len()).ok()?, cycles])
    }

    #[test]
    fn words_are_written_without_bank_conflicts() {
        assert_eq!(writes(&tile(64, 128, 4, [32, 32]), 4), Some([16, 4]));
        assert_eq!(writes(&tile(32, 64, 4, [32, 32]), 4), Some([4, 4]));
        assert_eq!(writes(&tile(64, 128, 8, [32, 16]), 4), Some([16, 4]));
        assert_eq!(writes(&tile(64, 64, 1, [32, 32]), 4), Some([8, 4]));
    }

    #[test]
    fn bytes_are_written_as_words() {
        assert_eq!(writes(&tile(128, 64, 16, [8, 8]), 4), Some([16, 2]));
        assert_eq!(writes(&tile(64, 256, 16, [8, 8]), 8), Some([16, 2]));
        assert_eq!(writes(&tile(32, 64, 16, [8, 8]), 4).map(|[writes, _]| writes), Some(4), "units of four bytes");
    }

    #[test]
    fn less_than_a_tile_stays() {
        assert_eq!(writes(&tile(64, 32, 8, [32, 16]), 4), None);
        assert_eq!(writes(&tile(32, 32, 16, [8, 8]), 4), None);
    }
}
