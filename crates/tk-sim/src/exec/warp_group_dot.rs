//! The dot of a wgmma: 16 rows of A, in shared memory or registers, times all of B, in shared memory.
//!
//! Sums run as in `mma.sync` (see [`super::mma`]): from the accumulator on, one product after the other, each sum rounded to
//! nearest in f32, or exactly in 32-bit integers that wrap.

use super::Machine;
use super::memory::misaligned;
use super::mma::{integer, widen};
use super::undefined::{VARIANTS, filling};
use crate::clock::WHOLE_WARP;
use crate::descriptor::Descriptor;
use crate::fault::Fault;
use crate::geometry::at_rank;
use crate::lanes::Lanes;
use crate::number::F16;
use crate::ops::canonical;
use crate::program::{DotOperand, Element, Order, Sign, Slot, Sums, Wgmma};
use crate::shared::Actor;
use crate::undefined::{Source, gather, spread};
use crate::warp::Warp;
use crate::warpgroup::Issued;

/// Most columns of B.
const MOST_COLUMNS: usize = 256;
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
}

/// The operands of a product, element by element.
struct Operands {
    a: [[u32; MOST_DEPTH]; ROWS],
    b: Vec<u32>,
}

impl Machine<'_> {
    pub(super) fn multiply(&mut self, warp: &mut Warp, wgmma: &Wgmma, operation: &Issued) -> Result<(), Box<Fault>> {
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
        let actor = Actor { warp: warp.number, lane: u32::from(WHOLE_WARP) };
        let mut a = [[0u32; MOST_DEPTH]; ROWS];
        let tile = |bits: u64, operand: DotOperand| Tile {
            ask,
            descriptor: Descriptor::decode(bits),
            element: operand.element,
            order: operand.order,
            operation,
            actor,
            rank: warp.rank,
        };
        if wgmma.left.descriptor().is_some() {
            let tile = tile(operation.a, wgmma.a);
            let first = warp.in_cta as usize % 4 * ROWS;
            self.read_tile(&tile, first, ROWS, |row, k, bits| a[row][k] = bits)?;
        } else {
            let register = |slot: Slot| match ask {
                Ask::Values => *warp.reg(slot),
                Ask::Undefined => warp.undefined.bits(slot),
            };
            read_registers(register, wgmma, &mut a);
        }
        let mut b = vec![0u32; MOST_COLUMNS * MOST_DEPTH];
        let n = wgmma.n;
        let tile = tile(operation.b, wgmma.b);
        self.read_tile(&tile, 0, n, |column, k, bits| b[k * n + column] = bits)?;
        Ok(Operands { a, b })
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
            for piece in 0..2 {
                let at = tile.descriptor.k_major((first + row) as u64, piece as u64);
                let words = self.piece(tile, at)?;
                for e in 0..per_piece {
                    put(row, piece * per_piece + e, words[e / per_word] >> (e % per_word * bits) & mask);
                }
            }
        }
        Ok(())
    }

    /// 16 bytes of shared memory.
    #[inline]
    fn piece(&mut self, tile: &Tile<'_>, at: u64) -> Result<[u32; 4], Box<Fault>> {
        if !at.is_multiple_of(16) {
            return Err(misaligned(at, 16, "wgmma read"));
        }
        // Descriptors have no rank: they mean the CTA's own memory.
        let at = at_rank(at, tile.rank);
        if tile.ask == Ask::Undefined {
            let shared = &self.block.shared;
            return Ok(std::array::from_fn(|i| spread(shared.undefined(at + 4 * i as u64, 4).0) as u32));
        }
        let shared = &mut self.block.shared;
        shared
            .engine_read(at, 16, &tile.operation.issued, tile.actor)
            .map_err(|(at, wrong)| self.shared_fault(wrong, at, 16, "wgmma read"))?;
        let shared = &self.block.shared;
        Ok(std::array::from_fn(|i| shared.peek(at + 4 * i as u64, 4) as u32))
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

fn singles(warp: &mut Warp, wgmma: &Wgmma, accumulate: bool, a: &[[u32; MOST_DEPTH]; ROWS], b: &[u32]) {
    let (n, depth) = (wgmma.n, 256 / wgmma.a.element.bits());
    let factor = |sign: Sign| match sign {
        Sign::Kept => 1.0,
        Sign::Negated => -1.0,
    };
    let (sign_a, sign_b) = (factor(wgmma.a.sign), factor(wgmma.b.sign));
    let b: Vec<f32> = b[..depth * n].iter().map(|bits| widen(wgmma.b.element, u64::from(*bits)) * sign_b).collect();
    let mut sums = vec![0f32; ROWS * n];
    if accumulate {
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
    for (row, sums) in sums.chunks_exact_mut(n).enumerate() {
        for (k, b) in b.chunks_exact(n).enumerate() {
            let x = widen(wgmma.a.element, u64::from(a[row][k])) * sign_a;
            for (sum, y) in sums.iter_mut().zip(b) {
                *sum += x * y;
            }
        }
    }
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
