//! The dot of a wgmma: 16 rows of A, in shared memory or registers, times all of B, in shared memory.
//!
//! Sums run as in `mma.sync` (see [`super::mma`]): from the accumulator on, one product after the other, each sum rounded to
//! nearest in f32, or exactly in 32-bit integers that wrap.

use super::Machine;
use super::memory::misaligned;
use super::mma::{integer, widen};
use super::undefined::{VARIANTS, filling};
use crate::clock::WHOLE_WARP;
use crate::cluster::Block;
use crate::descriptor::Descriptor;
use crate::fault::Fault;
use crate::geometry::at_rank;
use crate::lanes::Lanes;
use crate::number::F16;
use crate::ops::{DotSizes, add_products, canonical};
use crate::program::{DotOperand, Element, Order, Sign, Slot, Sums, Wgmma};
use crate::shared::Actor;
use crate::undefined::{Source, gather, spread};
use crate::warp::Warp;
use crate::warpgroup::{Issued, SharedTile};
use std::sync::Arc;

/// Most elements along K: 32 bytes of 8-bit ones.
const MOST_DEPTH: usize = 32;
/// Rows of one warp.
const ROWS: usize = 16;

/// An operand tile being read.
struct Tile<'a> {
    descriptor: Descriptor,
    element: Element,
    order: Order,
    operation: &'a Issued,
    actor: Actor,
    /// Of the CTA in its cluster.
    rank: u32,
    /// What is asked of the memory.
    ask: Ask,
}

/// What a tile is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Values,
    /// All bits of the bytes that nothing wrote.
    Undefined,
    /// Nothing: the reads are checked and noted.
    Check,
}

/// The operands of a product, element by element.
struct Operands {
    a: [[u32; MOST_DEPTH]; ROWS],
    b: Vec<u32>,
}

/// Most tiles that are kept.
const MOST_TILES: usize = 8;

impl Machine<'_> {
    /// Runs products of one warp that add to the same accumulators, one after the other. An error is that of the product at its place.
    pub(super) fn multiply(&mut self, warp: &mut Warp, operations: &[Issued]) -> Result<(), Box<Fault>> {
        let program = self.env.program;
        let Some(first) = operations.first() else { return Ok(()) };
        let wgmma = &program.wgmmas[first.index as usize];
        let (n, is_integer) = (wgmma.n, matches!(wgmma.a.element, Element::S8 | Element::U8));
        let is_undefined = |slot: &Slot| warp.undefined.lanes(*slot) != 0;
        let undefined = operations.iter().any(|operation| {
            let wgmma = &program.wgmmas[operation.index as usize];
            operation.accumulate && wgmma.d.iter().any(is_undefined) || wgmma.left.registers().iter().any(is_undefined)
        });
        if is_integer || undefined || !self.block.shared.is_defined() {
            return operations.iter().try_for_each(|operation| {
                let wgmma = &program.wgmmas[operation.index as usize];
                self.multiply_one(warp, wgmma, operation).map_err(|fault| fault.at(operation.pc))
            });
        }
        let mut sums = vec![0f32; ROWS * n];
        if first.accumulate {
            read_sums(warp, wgmma, &mut sums);
        }
        for (i, operation) in operations.iter().enumerate() {
            if i > 0 && !operation.accumulate {
                sums.fill(0.0);
            }
            let wgmma = &program.wgmmas[operation.index as usize];
            self.add_product(warp, wgmma, operation, &mut sums).map_err(|fault| fault.at(operation.pc))?;
        }
        write_sums(warp, wgmma, &sums);
        Ok(())
    }

    /// Adds one product to sums, row after row.
    fn add_product(
        &mut self,
        warp: &Warp,
        wgmma: &Wgmma,
        operation: &Issued,
        sums: &mut [f32],
    ) -> Result<(), Box<Fault>> {
        let depth = 256 / wgmma.a.element.bits();
        let bits = self.left(warp, wgmma, operation, Ask::Values)?;
        let mut a = [0f32; ROWS * MOST_DEPTH];
        for (row, bits) in bits.iter().enumerate() {
            numbers(wgmma.a, &bits[..depth], &mut a[row * depth..(row + 1) * depth]);
        }
        let b = self.right_numbers(warp, wgmma, operation, depth)?;
        self.count_product(warp, wgmma);
        let exact = !matches!(wgmma.a.element, Element::BF16 | Element::TF32);
        let sizes = DotSizes { rows: ROWS, depth, columns: wgmma.n };
        add_products(&a[..ROWS * depth], &b, sums, sizes, exact);
        Ok(())
    }

    /// B in numbers, row after row. The reads are checked and noted for each warp.
    fn right_numbers(
        &mut self,
        warp: &Warp,
        wgmma: &Wgmma,
        operation: &Issued,
        depth: usize,
    ) -> Result<Arc<[f32]>, Box<Fault>> {
        let n = wgmma.n;
        let DotOperand { element, sign, order } = wgmma.b;
        let actor = Actor { warp: warp.number, lane: u32::from(WHOLE_WARP) };
        let Block { tiles, shared, .. } = &mut *self.block;
        let known = |tile: &&SharedTile| {
            (tile.descriptor, tile.rank, tile.columns) == (operation.b, warp.rank, n)
                && (tile.element, tile.sign, tile.order) == (element, sign, order)
                && shared.is_unchanged(&tile.read)
        };
        if let Some(tile) = tiles.iter().find(known) {
            let numbers = Arc::clone(&tile.numbers);
            if !shared.read_again(&tile.read, &operation.issued, actor) {
                let tile = self.tile(warp, wgmma.b, operation, (operation.b, Ask::Check));
                self.read_tile(&tile, 0, n, |_, _, _| {})?;
            }
            return Ok(numbers);
        }
        let bits = self.right(warp, wgmma, operation, Ask::Values)?;
        let mut values = vec![0f32; depth * n];
        numbers(wgmma.b, &bits[..depth * n], &mut values);
        let numbers: Arc<[f32]> = Arc::from(values);
        if self.block.tiles.len() == MOST_TILES {
            self.block.tiles.pop_front();
        }
        let (descriptor, rank, columns) = (operation.b, warp.rank, n);
        let read = self.block.shared.remember(pieces(&Descriptor::decode(descriptor), rank, order, n));
        let numbers_of_all = Arc::clone(&numbers);
        let tile = SharedTile { descriptor, rank, columns, element, sign, order, read, numbers: numbers_of_all };
        self.block.tiles.push_back(tile);
        Ok(numbers)
    }

    fn multiply_one(&mut self, warp: &mut Warp, wgmma: &Wgmma, operation: &Issued) -> Result<(), Box<Fault>> {
        let operands = self.operands(warp, wgmma, operation, Ask::Values)?;
        let registers = wgmma.d.iter().filter(|_| operation.accumulate).chain(wgmma.left.registers());
        let defined = registers.fold(0, |lanes, slot| lanes | warp.undefined.lanes(*slot)) == 0;
        if !defined || !self.block.shared.is_defined() {
            return self.multiply_undefined(warp, wgmma, operation, &operands);
        }
        self.count_product(warp, wgmma);
        product(warp, wgmma, operation.accumulate, &operands);
        Ok(())
    }

    /// Notes what a product reads of shared memory.
    fn count_product(&mut self, warp: &Warp, wgmma: &Wgmma) {
        if wgmma.left.descriptor().is_some() {
            self.counters.engine_shared(wgmma.site, 16 * 32);
        }
        if warp.in_cta.is_multiple_of(4) {
            // The four warps share one pass over B.
            self.counters.engine_shared(wgmma.site, 32 * wgmma.n as u64);
        }
    }

    /// A product of operands some of which nothing wrote: it runs several times, and what changes is undefined.
    #[cold]
    fn multiply_undefined(
        &mut self,
        warp: &mut Warp,
        wgmma: &Wgmma,
        operation: &Issued,
        operands: &Operands,
    ) -> Result<(), Box<Fault>> {
        self.count_product(warp, wgmma);
        let unknown = self.operands(warp, wgmma, operation, Ask::Undefined)?;
        let d: Vec<(Lanes, Lanes)> =
            wgmma.d.iter().map(|slot| (*warp.reg(*slot), warp.undefined.bits(*slot))).collect();
        let mut own = wgmma.d.iter().filter(|_| operation.accumulate).chain(wgmma.left.registers());
        let own = own
            .find(|slot| warp.undefined.lanes(**slot) != 0)
            .map(|slot| warp.undefined.source(*slot, warp.undefined.lanes(*slot).trailing_zeros() as usize & 31));
        let source = own.or(self.block.shared.any_source()).unwrap_or(Source::Predicate);
        product(warp, wgmma, operation.accumulate, operands);
        let results: Vec<Lanes> = wgmma.d.iter().map(|slot| *warp.reg(*slot)).collect();
        let mut differ = vec![[0u64; 32]; results.len()];
        for variant in 0..VARIANTS {
            let mut other = Operands { a: operands.a, b: operands.b.clone() };
            let mix = |value: &mut u32, bits: u32, place: usize| {
                *value = *value & !bits | filling(variant, place as u64) as u32 & bits;
            };
            for (row, unknown) in unknown.a.iter().enumerate() {
                unknown.iter().enumerate().for_each(|(k, bits)| mix(&mut other.a[row][k], *bits, row * MOST_DEPTH + k));
            }
            unknown.b.iter().enumerate().for_each(|(i, bits)| mix(&mut other.b[i], *bits, 1 << 20 | i));
            for (slot, (value, bits)) in wgmma.d.iter().zip(&d) {
                let mixed = |lane: usize| filling(variant, u64::from(*slot) << 8 | lane as u64) & bits[lane];
                warp.regs[*slot as usize] = std::array::from_fn(|lane| value[lane] & !bits[lane] | mixed(lane));
            }
            product(warp, wgmma, operation.accumulate, &other);
            for ((slot, result), differ) in wgmma.d.iter().zip(&results).zip(&mut differ) {
                let now = warp.reg(*slot);
                (0..32).for_each(|lane| differ[lane] |= now[lane] ^ result[lane]);
            }
        }
        for ((slot, result), differ) in wgmma.d.iter().zip(&results).zip(&differ) {
            warp.set_reg(*slot, result, u32::MAX);
            (0..32).for_each(|lane| warp.undefined.set(*slot, lane, gather(differ[lane]), source));
        }
        Ok(())
    }

    /// The operands of a product, or the bits of them that nothing wrote.
    fn operands(&mut self, warp: &Warp, wgmma: &Wgmma, operation: &Issued, ask: Ask) -> Result<Operands, Box<Fault>> {
        let a = self.left(warp, wgmma, operation, ask)?;
        Ok(Operands { a, b: self.right(warp, wgmma, operation, ask)? })
    }

    fn tile<'a>(&self, warp: &Warp, operand: DotOperand, operation: &'a Issued, (bits, ask): (u64, Ask)) -> Tile<'a> {
        let actor = Actor { warp: warp.number, lane: u32::from(WHOLE_WARP) };
        let (descriptor, rank) = (Descriptor::decode(bits), warp.rank);
        Tile { ask, descriptor, element: operand.element, order: operand.order, operation, actor, rank }
    }

    /// The warp's rows of A.
    fn left(
        &mut self,
        warp: &Warp,
        wgmma: &Wgmma,
        operation: &Issued,
        ask: Ask,
    ) -> Result<[[u32; MOST_DEPTH]; ROWS], Box<Fault>> {
        let mut a = [[0u32; MOST_DEPTH]; ROWS];
        if wgmma.left.descriptor().is_some() {
            let tile = self.tile(warp, wgmma.a, operation, (operation.a, ask));
            let first = warp.in_cta as usize % 4 * ROWS;
            self.read_tile(&tile, first, ROWS, |row, k, bits| a[row][k] = bits)?;
            return Ok(a);
        }
        let register = |slot: Slot| match ask {
            Ask::Values | Ask::Check => *warp.reg(slot),
            Ask::Undefined => warp.undefined.bits(slot),
        };
        read_registers(register, wgmma, &mut a);
        Ok(a)
    }

    /// B, row after row.
    fn right(&mut self, warp: &Warp, wgmma: &Wgmma, operation: &Issued, ask: Ask) -> Result<Vec<u32>, Box<Fault>> {
        let n = wgmma.n;
        let mut b = vec![0u32; n * MOST_DEPTH];
        let tile = self.tile(warp, wgmma.b, operation, (operation.b, ask));
        self.read_tile(&tile, 0, n, |column, k, bits| b[k * n + column] = bits)?;
        Ok(b)
    }

    /// Reads `rows` rows of M or N from row `first` on and calls `put(row, k, bits)` for every element.
    fn read_tile(
        &mut self,
        tile: &Tile<'_>,
        first: usize,
        rows: usize,
        mut put: impl FnMut(usize, usize, u32),
    ) -> Result<(), Box<Fault>> {
        if tile.order == Order::OuterFirst {
            // Only 16-bit elements come with M or N first, 16 of them along K.
            for k in 0..16 {
                for piece in 0..rows / 8 {
                    let at = tile.descriptor.mn_major(k as u64, (first / 8 + piece) as u64);
                    let words = self.piece(tile, at)?;
                    if tile.ask == Ask::Check {
                        continue;
                    }
                    for e in 0..8 {
                        put(8 * piece + e, k, words[e / 2] >> (16 * (e % 2)) & 0xFFFF);
                    }
                }
            }
            return Ok(());
        }
        let bits = tile.element.bits();
        let (per_word, per_piece) = (32 / bits, 128 / bits);
        let mask = u32::MAX >> (32 - bits);
        for row in 0..rows {
            let pieces = [0, 1].map(|piece| tile.descriptor.k_major((first + row) as u64, piece));
            // Mostly the two lie side by side, and are checked as one.
            let are_one = pieces[0] ^ pieces[1] == 16 && pieces[0].is_multiple_of(16);
            if are_one && tile.ask != Ask::Undefined {
                self.check_pieces(tile, pieces[0] & !16, 32)?;
            }
            for (piece, at) in pieces.into_iter().enumerate() {
                let words = if are_one { self.looked_at(tile, at) } else { self.piece(tile, at)? };
                if tile.ask == Ask::Check {
                    continue;
                }
                for e in 0..per_piece {
                    put(row, piece * per_piece + e, words[e / per_word] >> (e % per_word * bits) & mask);
                }
            }
        }
        Ok(())
    }

    /// 16 bytes of shared memory, checked.
    #[inline]
    fn piece(&mut self, tile: &Tile<'_>, at: u64) -> Result<[u32; 4], Box<Fault>> {
        if tile.ask != Ask::Undefined {
            self.check_pieces(tile, at, 16)?;
        }
        Ok(self.looked_at(tile, at))
    }

    /// Checks and notes a read of whole pieces.
    #[inline]
    fn check_pieces(&mut self, tile: &Tile<'_>, at: u64, bytes: u32) -> Result<(), Box<Fault>> {
        if !at.is_multiple_of(16) {
            return Err(misaligned(at, 16, "wgmma read"));
        }
        let read = self.block.shared.engine_read(at_rank(at, tile.rank), bytes, &tile.operation.issued, tile.actor);
        read.map_err(|(at, wrong)| self.shared_fault(wrong, at, 16, "wgmma read"))
    }

    /// What is asked of 16 bytes that were checked. Descriptors have no rank: they mean the CTA's own memory.
    #[inline]
    fn looked_at(&self, tile: &Tile<'_>, at: u64) -> [u32; 4] {
        let (at, shared) = (at_rank(at, tile.rank), &self.block.shared);
        match tile.ask {
            Ask::Values => shared.piece(at),
            Ask::Undefined => std::array::from_fn(|i| spread(shared.undefined(at + 4 * i as u64, 4).0) as u32),
            Ask::Check => [0; 4],
        }
    }
}

/// Addresses of the pieces of 16 bytes of a tile's first rows.
fn pieces(descriptor: &Descriptor, rank: u32, order: Order, rows: usize) -> Vec<u64> {
    let (rows, place) = (rows as u64, |at: u64| at_rank(at, rank));
    match order {
        Order::InnerFirst => (0..2 * rows).map(|piece| place(descriptor.k_major(piece / 2, piece % 2))).collect(),
        // Only 16-bit elements come so, 16 of them along K.
        Order::OuterFirst => (0..2 * rows).map(|piece| place(descriptor.mn_major(piece % 16, piece / 16))).collect(),
    }
}

/// A fragment as in `mma.sync` with 16 rows: register r has rows of half r % 2 and depths of half r / 2.
fn read_registers(register: impl Fn(Slot) -> Lanes, wgmma: &Wgmma, a: &mut [[u32; MOST_DEPTH]; ROWS]) {
    let bits = wgmma.a.element.bits();
    let per = 32 / bits;
    let mask = u32::MAX >> (32 - bits);
    for (r, slot) in wgmma.left.registers().iter().enumerate() {
        for (lane, value) in register(*slot).iter().enumerate() {
            let (row, column) = (lane / 4 + 8 * (r % 2), lane % 4 * per + r / 2 * 4 * per);
            for e in 0..per {
                a[row][column + e] = *value as u32 >> (e * bits) & mask;
            }
        }
    }
}

/// Row and column of element `e` of a lane's accumulators.
#[inline(always)]
fn place(lane: usize, e: usize) -> (usize, usize) {
    (lane / 4 + 8 * (e / 2 % 2), e / 4 * 8 + lane % 4 * 2 + e % 2)
}

fn product(warp: &mut Warp, wgmma: &Wgmma, accumulate: bool, Operands { a, b }: &Operands) {
    match wgmma.a.element {
        Element::S8 | Element::U8 => integers(warp, wgmma, accumulate, a, b),
        Element::F16 | Element::BF16 | Element::TF32 | Element::E4M3 | Element::E5M2 | Element::F64 => {
            singles(warp, wgmma, accumulate, a, b);
        }
    }
}

/// Elements as numbers, with the sign of their operand.
fn numbers(operand: DotOperand, bits: &[u32], out: &mut [f32]) {
    let sign = match operand.sign {
        Sign::Kept => 1.0,
        Sign::Negated => -1.0,
    };
    match operand.element {
        Element::F16 => {
            out.iter_mut().zip(bits).for_each(|(out, bits)| *out = F16(*bits as u16).to_f32() * sign);
        }
        element => out.iter_mut().zip(bits).for_each(|(out, bits)| *out = widen(element, u64::from(*bits)) * sign),
    }
}

/// The accumulators of a warp, row after row.
fn read_sums(warp: &Warp, wgmma: &Wgmma, sums: &mut [f32]) {
    let n = wgmma.n;
    for (r, slot) in wgmma.d.iter().enumerate() {
        for (lane, value) in warp.reg(*slot).iter().enumerate() {
            if wgmma.sums == Sums::Half {
                for e in 0..2 {
                    let (row, column) = place(lane, 2 * r + e);
                    sums[row * n + column] = F16((*value >> (16 * e)) as u16).to_f32();
                }
            } else {
                let (row, column) = place(lane, r);
                sums[row * n + column] = f32::from_bits(*value as u32);
            }
        }
    }
}

fn write_sums(warp: &mut Warp, wgmma: &Wgmma, sums: &[f32]) {
    let n = wgmma.n;
    write(warp, wgmma, |lane, r| {
        if wgmma.sums == Sums::Half {
            let half = |e: usize| {
                let (row, column) = place(lane, 2 * r + e);
                u64::from(F16::from_f32(sums[row * n + column]).0)
            };
            half(1) << 16 | half(0)
        } else {
            let (row, column) = place(lane, r);
            canonical(sums[row * n + column])
        }
    });
}

fn singles(warp: &mut Warp, wgmma: &Wgmma, accumulate: bool, a: &[[u32; MOST_DEPTH]; ROWS], b: &[u32]) {
    let (n, depth) = (wgmma.n, 256 / wgmma.a.element.bits());
    let (mut left, mut right) = (vec![0f32; ROWS * depth], vec![0f32; depth * n]);
    for (row, bits) in a.iter().enumerate() {
        numbers(wgmma.a, &bits[..depth], &mut left[row * depth..(row + 1) * depth]);
    }
    numbers(wgmma.b, &b[..depth * n], &mut right);
    let mut sums = vec![0f32; ROWS * n];
    if accumulate {
        read_sums(warp, wgmma, &mut sums);
    }
    let exact = !matches!(wgmma.a.element, Element::BF16 | Element::TF32);
    add_products(&left, &right, &mut sums, DotSizes { rows: ROWS, depth, columns: n }, exact);
    write_sums(warp, wgmma, &sums);
}

fn integers(warp: &mut Warp, wgmma: &Wgmma, accumulate: bool, a: &[[u32; MOST_DEPTH]; ROWS], b: &[u32]) {
    let n = wgmma.n;
    let b: Vec<i32> = b[..MOST_DEPTH * n].iter().map(|bits| integer(wgmma.b.element, (*bits).into())).collect();
    let mut sums = vec![0i64; ROWS * n];
    if accumulate {
        for (r, slot) in wgmma.d.iter().enumerate() {
            for (lane, value) in warp.reg(*slot).iter().enumerate() {
                let (row, column) = place(lane, r);
                sums[row * n + column] = i64::from(*value as u32 as i32);
            }
        }
    }
    for (row, sums) in sums.chunks_exact_mut(n).enumerate() {
        for (k, b) in b.chunks_exact(n).enumerate() {
            let x = integer(wgmma.a.element, a[row][k].into());
            for (sum, y) in sums.iter_mut().zip(b) {
                *sum += i64::from(x * y);
            }
        }
    }
    write(warp, wgmma, |lane, r| {
        let (row, column) = place(lane, r);
        wgmma.sums.integer(sums[row * n + column])
    });
}

fn write(warp: &mut Warp, wgmma: &Wgmma, value: impl Fn(usize, usize) -> u64) {
    for (r, slot) in wgmma.d.iter().enumerate() {
        let out: Lanes = std::array::from_fn(|lane| value(lane, r));
        warp.set_reg(*slot, &out, u32::MAX);
    }
}
