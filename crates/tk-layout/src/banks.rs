//! Bank conflicts of shared memory: how many wavefronts one access of a warp takes.
//!
//! Shared memory has 32 banks of 4 bytes. One wavefront delivers from each bank one 4-byte word to any number of lanes. Accesses of 8 or 16 bytes per
//! lane are done by half or quarter warps of consecutive lanes, one after the other (CUDA C++ Programming Guide, "Shared Memory").

use crate::f2::Span;

/// Bytes that all banks deliver together.
pub const LINE_BYTES: u32 = 128;

/// Parts, of consecutive lanes, into which an access of `vector_bytes` per lane is cut.
pub fn phases(vector_bytes: u32) -> u32 {
    (vector_bytes / 4).clamp(1, 4)
}

/// Wavefronts of one access in which lane `l` reads or writes `vector_bytes` at the exclusive or of the `lane_offsets` (in bytes, one for
/// each lane bit) of its set bits. The least possible is [`phases`].
pub fn wavefronts(lane_offsets: &[u32], vector_bytes: u32) -> u32 {
    let unit = vector_bytes.max(4);
    let together = lane_offsets.len().saturating_sub(phases(vector_bytes).trailing_zeros() as usize);
    let words = lane_offsets[..together].iter().map(|offset| u64::from(offset & !(unit - 1)));
    let rank = Span::of(words.clone()).rank();
    let banks = Span::of(words.map(|offset| offset % u64::from(LINE_BYTES))).rank();
    phases(vector_bytes) << (rank - banks)
}

/// Wavefronts beyond the least possible; 0 means free of bank conflicts. Arguments as for [`wavefronts`].
pub fn bank_conflicts(lane_offsets: &[u32], vector_bytes: u32) -> u32 {
    wavefronts(lane_offsets, vector_bytes) - phases(vector_bytes)
}

/// Wavefronts of one access by counting: `addresses` holds the byte address of each active lane (`None`: the lane is off).
pub fn count_wavefronts(addresses: &[Option<u32>], vector_bytes: u32) -> u32 {
    let together = (addresses.len() / phases(vector_bytes) as usize).max(1);
    let phase = |lanes: &[Option<u32>]| {
        let mut words: Vec<u32> =
            lanes.iter().flatten().flat_map(|address| (address / 4)..(address + vector_bytes).div_ceil(4)).collect();
        words.sort_unstable();
        words.dedup();
        let mut per_bank = [0u32; 32];
        for word in words {
            per_bank[(word % 32) as usize] += 1;
        }
        per_bank.into_iter().max().unwrap_or(0)
    };
    addresses.chunks(together).map(phase).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn algebra_agrees_with_counting(
            offsets in prop::collection::vec(0u32..4096, 5),
            log_bytes in 0u32..5,
        ) {
            let bytes = 1 << log_bytes;
            let offsets: Vec<u32> = offsets.into_iter().map(|offset| offset & !(bytes - 1)).collect();
            let address = |lane: u32| offsets.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1).fold(0, |sum, (_, o)| sum ^ o);
            let addresses: Vec<Option<u32>> = (0..32).map(|lane| Some(address(lane))).collect();
            prop_assert_eq!(wavefronts(&offsets, bytes), count_wavefronts(&addresses, bytes));
        }
    }
}
