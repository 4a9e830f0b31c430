//! Accesses by `ldmatrix` and `stmatrix`, when registers and memory fit them.

use super::mover::{Access, Mover, Transfer, split};
use super::swizzle::Memory;

/// Addresses for `stmatrix`/`ldmatrix`: a matrix is 8 rows of 16 bytes, and lane `l` holds the 4 bytes `4 * (l % 4)` and following of row `l / 4`. With
/// `transposed` (2-byte elements only), lane `l` holds the elements at column `l / 4` of the rows `2 * (l % 4)` and the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixAccess {
    /// Matrices per instruction: 1, 2 or 4.
    pub count: u32,
    /// Whether the instruction has `.trans`.
    pub transposed: bool,
    /// Byte offset of each lane bit for the row address that the lane gives: bits 0 to 2 number the row, bits 3 and 4 the matrix.
    pub lane_offsets: Vec<u32>,
    /// Transfers per round; `registers` holds the registers of the matrices one after the other, 4 bytes each, lowest first.
    pub rounds: Vec<Vec<Transfer>>,
}

impl MatrixAccess {
    /// Twice the wavefronts plus the instructions: each matrix is a wavefront.
    pub(super) fn cost(&self) -> u64 {
        let instructions: usize = self.rounds.iter().map(Vec::len).sum();
        instructions as u64 * (1 + 2 * u64::from(self.count))
    }
}

/// What makes the accesses of `mover` matrix accesses.
struct Fragment {
    transposed: bool,
    /// Register bits (as positions in the mover's list) inside 4 bytes.
    inside: Vec<usize>,
    /// Byte offsets of the row bits.
    rows: [u32; 3],
}

impl Fragment {
    /// Neighbours in memory lie in the registers of one lane, then in lane bits 0 and 1; lane bits 2 to 4 number the rows.
    fn plain(offsets: &[u32], lanes: &[u32; 5], bytes: u32) -> Option<Self> {
        let word =
            (0..(4 / bytes).trailing_zeros()).map(|bit| offsets.iter().position(|offset| *offset == bytes << bit));
        let inside = word.collect::<Option<Vec<_>>>()?;
        (lanes[..2] == [4, 8]).then_some(Self { transposed: false, inside, rows: [lanes[2], lanes[3], lanes[4]] })
    }

    /// Neighbours in memory lie in lane bits 2 to 4; the lowest register bit and lane bits 0 and 1 number the rows.
    fn transposed(offsets: &[u32], lanes: &[u32; 5], bytes: u32) -> Option<Self> {
        let fits = bytes == 2 && lanes[2..] == [2, 4, 8];
        Some(Self { transposed: true, inside: vec![0], rows: [*offsets.first()?, lanes[0], lanes[1]] }).filter(|_| fits)
    }
}

/// The matrix accesses that do what `access` does, if there are such.
pub(super) fn access(mover: &Mover, memory: &Memory, access: &Access, bytes: u32) -> Option<MatrixAccess> {
    let lanes: &[u32; 5] = access.lane_offsets[..].try_into().ok()?;
    if bytes > 4 {
        return None;
    }
    let offsets: Vec<u32> = mover.side.registers.iter().map(|&image| memory.offset(image) * bytes).collect();
    let fragment = Fragment::plain(&offsets, lanes, bytes).or_else(|| Fragment::transposed(&offsets, lanes, bytes))?;
    let number: Vec<usize> = (0..offsets.len()).filter(|at| !fragment.inside.contains(at)).collect();
    let round_bytes = bytes << memory.bits();
    let others = number.iter().map(|&at| &offsets[at]).chain(&access.warp_offsets);
    let is_row = |offset: &u32| *offset != 0 && offset.is_multiple_of(16) && *offset < round_bytes;
    if !others.clone().all(|offset| offset.is_multiple_of(16)) || !fragment.rows.iter().all(is_row) {
        return None;
    }
    // Registers outside the 4 bytes number the matrices; up to two of them that stay in the round go into one instruction.
    let together: Vec<usize> = number.iter().copied().filter(|at| offsets[*at] < round_bytes).take(2).collect();
    let apart: Vec<usize> = number.into_iter().filter(|at| !together.contains(at)).collect();
    let mut lane_offsets = fragment.rows.to_vec();
    lane_offsets.extend(together.iter().map(|at| offsets[*at]));
    lane_offsets.resize(5, 0);
    let threads = lane_offsets.iter().chain(&access.warp_offsets).fold(0, |all, offset| all | offset);
    // Every number as registers and byte offset, by the bits at `positions`.
    let expand = |positions: &[usize]| {
        let mut all = vec![(0u32, 0u32)];
        for &at in positions {
            let moved: Vec<_> = all
                .iter()
                .map(|(register, offset)| (register | 1 << mover.register_bits[at], offset ^ offsets[at]))
                .collect();
            all.extend(moved);
        }
        all
    };
    let (matrices, words) = (expand(&together), expand(&fragment.inside));
    let mut rounds: Vec<Vec<Transfer>> = Vec::new();
    for (first, offset) in expand(&apart) {
        let round = (offset / round_bytes) as usize;
        let (xor, add) = split(offset % round_bytes, threads);
        let registers =
            matrices.iter().flat_map(|(matrix, _)| words.iter().map(move |(word, _)| first | matrix | word)).collect();
        rounds.resize_with(rounds.len().max(round + 1), Vec::new);
        rounds[round].push(Transfer { registers, xor, add });
    }
    Some(MatrixAccess { count: 1 << together.len(), transposed: fragment.transposed, lane_offsets, rounds })
}
