//! One side of a movement through shared memory: its registers and threads, and the accesses that follow from a memory layout.

use super::matrix::MatrixAccess;
use super::swizzle::{Memory, Side};
use crate::{Dim, LinearLayout, banks};

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

impl Transfer {
    /// Words of 4 bytes, unless they are neighbours in a thread in the order of memory.
    fn moved_words(&self, bytes: u32) -> u64 {
        let follow_each_other = self.registers.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if follow_each_other { 0 } else { (self.registers.len() as u64 * u64::from(bytes)).div_ceil(4) }
    }
}

/// One side with the names of its registers.
pub(super) struct Mover {
    pub(super) side: Side,
    /// Register number of each vector of `side.registers`.
    pub(super) register_bits: Vec<u32>,
}

impl Mover {
    /// `skipped` masks the register, lane and warp bits that take no part.
    pub(super) fn of(layout: &LinearLayout, skipped: [u32; 3]) -> Self {
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

    pub(super) fn access(&self, memory: &Memory, bytes: u32, width: usize) -> Access {
        let offsets = |images: &[u64]| images.iter().map(|&image| memory.offset(image) * bytes).collect::<Vec<_>>();
        let lane_offsets = offsets(&self.side.lanes);
        let conflicts = banks::bank_conflicts(&lane_offsets, bytes << width);
        Access { vector: 1 << width, conflicts, warp_offsets: offsets(&self.side.warps), lane_offsets, matrix: None }
    }

    /// Twice the wavefronts plus the instructions.
    pub(super) fn cost(&self, access: &Access, bytes: u32) -> u64 {
        let instructions = (1u64 << self.register_bits.len()) / u64::from(access.vector);
        instructions * (1 + 2 * u64::from(banks::wavefronts(&access.lane_offsets, bytes * access.vector)))
    }

    /// Accesses of each thread, by matrices where these are cheaper.
    pub(super) fn instructions(&self, access: &Access, bytes: u32) -> u64 {
        let by_matrices = access.matrix.as_ref().filter(|matrix| matrix.cost() <= self.cost(access, bytes));
        let plain = (1u64 << self.register_bits.len()) / u64::from(access.vector);
        by_matrices.map_or(plain, |matrix| matrix.rounds.iter().map(Vec::len).sum::<usize>() as u64)
    }

    /// Words of registers that have to be moved because an access takes them together and they do not follow each other in a thread.
    pub(super) fn moved_words(&self, memory: &Memory, access: &Access, bytes: u32) -> u64 {
        let by_matrices = access.matrix.as_ref().filter(|matrix| matrix.cost() <= self.cost(access, bytes));
        let rounds = by_matrices.map_or_else(|| self.transfers(memory, access, bytes), |matrix| matrix.rounds.clone());
        rounds.iter().flatten().map(|transfer| transfer.moved_words(bytes)).sum()
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
    pub(super) fn transfers(&self, memory: &Memory, access: &Access, bytes: u32) -> Vec<Vec<Transfer>> {
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
}

/// Constant byte offset as the part to combine by exclusive or with what threads use and the part to add.
pub(super) fn split(offset: u32, threads: u32) -> (u32, u32) {
    (offset & threads, offset & !threads)
}
