//! Conversions through shared memory: who stores what where, who loads what from where.
//!
//! Addresses are linear in lane and warp: the byte offset of an access is `base ^ xor + add`, where `base` is the exclusive or of the thread's lane and warp
//! offsets, `xor` is constant and touches bits that threads use too, and `add` is constant and touches only other bits, so it can be an immediate offset.

use super::swizzle::{self, Memory, Side, Vectors};
use crate::f2::Span;
use crate::{Dim, LinearLayout, banks};

/// The plan: in each round, the active threads store, the CTA waits, all threads load, and, before another round, the CTA waits again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPlan {
    /// Scratch bytes, to be aligned to 128 (16 would be right, but 128 keeps the bank arithmetic).
    pub bytes: u32,
    /// Bytes of one element in memory.
    pub element_bytes: u32,
    /// How stores are addressed.
    pub store: Access,
    /// How loads are addressed.
    pub load: Access,
    /// Lanes with a bit of this mask set hold copies and do not store.
    pub skip_lanes: u32,
    /// Warps with a bit of this mask set hold copies and do not store.
    pub skip_warps: u32,
    /// Stores and loads of each round; the same scratch memory is used in each.
    pub rounds: Vec<SharedRound>,
    /// Destination registers that repeat another one: `(register, register it equals)`.
    pub copies: Vec<(u32, u32)>,
}

/// Addresses of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Elements per access, neighbours in memory.
    pub vector: u32,
    /// Byte offset of each lane bit, to be combined by exclusive or.
    pub lane_offsets: Vec<u32>,
    /// Byte offset of each warp bit.
    pub warp_offsets: Vec<u32>,
    /// Wavefronts of one access of a warp beyond the least possible; 0: no bank conflicts.
    pub conflicts: u32,
    /// The same transfers by `stmatrix` or `ldmatrix`, when the fragments fit.
    pub matrix: Option<MatrixAccess>,
}

/// Addresses for `stmatrix`/`ldmatrix` of 16-bit elements without transposition: a matrix is 8 rows of 16 bytes; lane `l` holds the elements
/// `2 * (l % 4)` and the next of row `l / 4` in one 32-bit register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixAccess {
    /// Matrices per instruction: 1, 2 or 4.
    pub count: u32,
    /// Byte offset of each lane bit for the row address that the lane gives: bits 0 to 2 number the row, bits 3 and 4 the matrix.
    pub lane_offsets: Vec<u32>,
    /// Transfers per round; `registers` holds the register pairs of the matrices one after the other.
    pub rounds: Vec<Vec<Transfer>>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRound {
    /// Stores of source registers.
    pub stores: Vec<Transfer>,
    /// Loads to destination registers.
    pub loads: Vec<Transfer>,
}

/// One access of each thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Registers in the order of memory.
    pub registers: Vec<u32>,
    /// Constant part of the byte offset to combine with the thread's base by exclusive or.
    pub xor: u32,
    /// Constant part of the byte offset to add afterwards.
    pub add: u32,
}

/// The plan with the fewest wavefronts and instructions among the choices of vectors.
pub(super) fn plan(
    src: &LinearLayout,
    dst: &LinearLayout,
    element_bits: u32,
    scratch_bytes: u32,
) -> Result<SharedPlan, String> {
    let bytes = element_bits / 8;
    let positions = src.total_out_bits();
    let masks = [Dim::Register, Dim::Lane, Dim::Warp].map(|dim| src.free_mask(dim));
    let storing = Mover::of(src, masks);
    let repeated = register_copies(dst);
    let loading = Mover::of(dst, [repeated.iter().fold(0, |mask, (bit, _)| mask | 1 << bit), 0, 0]);
    let choices = swizzle::candidates(&storing.side, &loading.side, bytes, positions, scratch_bytes);
    let build = |vectors: &Vectors| {
        let memory = swizzle::memory(&storing.side, &loading.side, vectors, bytes, positions)?;
        let store = storing.access(&memory, bytes, vectors.store);
        let load = loading.access(&memory, bytes, vectors.load);
        let cost = storing.cost(&store, bytes) + loading.cost(&load, bytes);
        Some((cost, memory, store, load))
    };
    let best = choices.iter().filter_map(build).min_by_key(|(cost, ..)| *cost);
    let (_, memory, mut store, mut load) = best.ok_or("no layout of scratch memory suits both sides")?;
    let (stores, loads) = (storing.transfers(&memory, &store, bytes), loading.transfers(&memory, &load, bytes));
    store.matrix = if masks[1] | masks[2] == 0 { storing.matrix(&memory, &store, bytes) } else { None };
    load.matrix = loading.matrix(&memory, &load, bytes);
    Ok(SharedPlan {
        bytes: bytes << memory.bits(),
        element_bytes: bytes,
        store,
        load,
        skip_lanes: masks[1],
        skip_warps: masks[2],
        rounds: stores.into_iter().zip(loads).map(|(stores, loads)| SharedRound { stores, loads }).collect(),
        copies: expand_copies(dst.in_size(Dim::Register), &repeated),
    })
}

/// Register bits that repeat lower ones, and which.
fn register_copies(layout: &LinearLayout) -> Vec<(u32, u32)> {
    let mut span = Span::default();
    let mut copies = Vec::new();
    for (bit, &image) in layout.columns_of(Dim::Register).iter().enumerate() {
        let repeated = span.solve(image);
        if !span.insert(image) {
            copies.push((bit as u32, repeated.unwrap_or(0) as u32));
        }
    }
    copies
}

fn expand_copies(registers: u32, copies: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let resolve = |register| {
        copies
            .iter()
            .rev()
            .fold(register, |at: u32, (bit, equal)| if at >> bit & 1 == 1 { at ^ 1 << bit ^ equal } else { at })
    };
    (0..registers).map(|register| (register, resolve(register))).filter(|(register, equal)| register != equal).collect()
}

/// One side with the names of its registers.
struct Mover {
    side: Side,
    /// Register number of each vector of `side.registers`.
    register_bits: Vec<u32>,
}

impl Mover {
    /// `skipped` masks the register, lane and warp bits that take no part.
    fn of(layout: &LinearLayout, skipped: [u32; 3]) -> Self {
        let columns = layout.columns_of(Dim::Register);
        let register_bits: Vec<u32> = (0..columns.len() as u32).filter(|bit| skipped[0] >> bit & 1 == 0).collect();
        let active = |dim: Dim, skipped: u32| {
            let image = |(bit, &image): (usize, &u64)| if skipped >> bit & 1 == 1 { 0 } else { image };
            layout.columns_of(dim).iter().enumerate().map(image).collect()
        };
        let side = Side {
            registers: register_bits.iter().map(|bit| columns[*bit as usize]).collect(),
            lanes: active(Dim::Lane, skipped[1]),
            warps: active(Dim::Warp, skipped[2]),
        };
        Self { side, register_bits }
    }

    fn access(&self, memory: &Memory, bytes: u32, width: usize) -> Access {
        let offsets = |images: &[u64]| images.iter().map(|&image| memory.offset(image) * bytes).collect::<Vec<_>>();
        let lane_offsets = offsets(&self.side.lanes);
        let conflicts = banks::bank_conflicts(&lane_offsets, bytes << width);
        Access { vector: 1 << width, conflicts, warp_offsets: offsets(&self.side.warps), lane_offsets, matrix: None }
    }

    /// Twice the wavefronts plus the instructions.
    fn cost(&self, access: &Access, bytes: u32) -> u64 {
        let instructions = (1u64 << self.register_bits.len()) / u64::from(access.vector);
        instructions * (1 + 2 * u64::from(banks::wavefronts(&access.lane_offsets, bytes * access.vector)))
    }

    /// Register number and memory element (round above) of every register that takes part.
    fn elements(&self, memory: &Memory) -> Vec<(u32, u32)> {
        let offsets: Vec<u32> = self.side.registers.iter().map(|&image| memory.offset(image)).collect();
        let mut elements = vec![(0, 0)];
        for (bit, offset) in self.register_bits.iter().zip(offsets) {
            let moved: Vec<_> =
                elements.iter().map(|(register, element)| (register | 1 << bit, element ^ offset)).collect();
            elements.extend(moved);
        }
        elements
    }

    /// The accesses of each round, in the order of their lowest register.
    fn transfers(&self, memory: &Memory, access: &Access, bytes: u32) -> Vec<Vec<Transfer>> {
        let threads = access.lane_offsets.iter().chain(&access.warp_offsets).fold(0, |all, offset| all | offset);
        self.grouped(memory, access.vector, |element| split(element * bytes, threads))
    }

    fn grouped(&self, memory: &Memory, size: u32, split: impl Fn(u32) -> (u32, u32)) -> Vec<Vec<Transfer>> {
        let mut elements = self.elements(memory);
        elements.sort_unstable_by_key(|(_, element)| *element);
        let mut rounds: Vec<Vec<Transfer>> = Vec::new();
        let round_bits = memory.bits();
        for group in elements.chunk_by(|(_, a), (_, b)| a / size == b / size) {
            let (round, element) = (group[0].1 >> round_bits, group[0].1 & ((1 << round_bits) - 1));
            rounds.resize_with(rounds.len().max(round as usize + 1), Vec::new);
            let (xor, add) = split(element);
            rounds[round as usize].push(Transfer {
                registers: group.iter().map(|(register, _)| *register).collect(),
                xor,
                add,
            });
        }
        rounds.iter_mut().for_each(|round| round.sort_by_key(|transfer| transfer.registers.iter().min().copied()));
        rounds
    }

    /// The same accesses by matrix instructions: possible when a 16-byte row of memory is held by one register bit and lane bits 0 and 1.
    fn matrix(&self, memory: &Memory, access: &Access, bytes: u32) -> Option<MatrixAccess> {
        let lanes = &access.lane_offsets;
        let others = |offsets: &[u32]| offsets.iter().all(|offset| offset % 16 == 0 && *offset != 0);
        let pair = self.side.registers.iter().position(|&image| memory.offset(image) == 1)?;
        if bytes != 2
            || lanes.len() != 5
            || lanes[..2] != [4, 8]
            || !others(&lanes[2..])
            || access.warp_offsets.iter().any(|offset| offset % 16 != 0)
        {
            return None;
        }
        // Registers other than the pair number the matrices; up to two of them that stay in the round go into one instruction.
        let in_round = |at: &usize| memory.offset(self.side.registers[*at]) >> memory.bits() == 0;
        let number: Vec<usize> = (0..self.register_bits.len()).filter(|at| *at != pair).collect();
        if number.iter().any(|at| memory.offset(self.side.registers[*at]) % 8 != 0) {
            return None;
        }
        let together: Vec<usize> = number.iter().copied().filter(in_round).take(2).collect();
        let apart: Vec<usize> = number.iter().copied().filter(|at| !together.contains(at)).collect();
        let offset = |at: usize| memory.offset(self.side.registers[at]);
        let mut lane_offsets = lanes[2..].to_vec();
        lane_offsets.extend(together.iter().map(|&at| offset(at) * bytes));
        lane_offsets.resize(5, 0);
        let threads = lane_offsets.iter().chain(&access.warp_offsets).fold(0, |all, offset| all | offset);
        let register = |at: usize| 1u32 << self.register_bits[at];
        let mut rounds: Vec<Vec<Transfer>> = Vec::new();
        for number in 0..1u32 << apart.len() {
            let chosen = || apart.iter().enumerate().filter(move |(bit, _)| number >> bit & 1 == 1).map(|(_, at)| *at);
            let (first, element) = chosen().fold((0, 0), |(r, e), at| (r | register(at), e ^ offset(at)));
            let matrices = (0..1u32 << together.len()).map(|matrix| {
                together
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| matrix >> bit & 1 == 1)
                    .fold(first, |r, (_, at)| r | register(*at))
            });
            let round = (element >> memory.bits()) as usize;
            let (xor, add) = split((element & ((1 << memory.bits()) - 1)) * bytes, threads);
            rounds.resize_with(rounds.len().max(round + 1), Vec::new);
            let registers = matrices.flat_map(|matrix| [matrix, matrix | register(pair)]).collect();
            rounds[round].push(Transfer { registers, xor, add });
        }
        Some(MatrixAccess { count: 1 << together.len(), lane_offsets, rounds })
    }
}

/// Constant byte offset as the part to combine by exclusive or with what threads use and the part to add.
fn split(offset: u32, threads: u32) -> (u32, u32) {
    (offset & threads, offset & !threads)
}
