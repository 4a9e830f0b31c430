//! Reads of shared memory that an engine makes again: the warps of a warpgroup, and warpgroups with one operand, all read the same tile.
//!
//! Where nothing was written there since, the words need not be looked at again. What is asked of each reader is only whether
//! it may meet the writes, of which there are few, and the read is noted for it.

use std::ops::Range;

/// Words that have one version.
const BLOCK_WORDS: usize = 256;
/// Most writes that a tile is remembered with. Tiles that more copies or stores made are checked word by word each time.
pub(super) const MOST_WRITES: usize = 16;

/// How often something was written, or a write was begun, in each block of words.
pub(crate) struct Versions(Vec<u32>);

impl Versions {
    pub(super) fn new(words: usize) -> Self {
        Self(vec![0; words.div_ceil(BLOCK_WORDS)])
    }

    #[inline]
    pub(super) fn advance(&mut self, words: Range<usize>) {
        let blocks = words.start / BLOCK_WORDS..words.end.div_ceil(BLOCK_WORDS);
        self.0[blocks].iter_mut().for_each(|version| *version = version.wrapping_add(1));
    }

    /// Versions only grow, so equal sums are equal versions.
    pub(super) fn sum(&self, words: &Range<usize>) -> u64 {
        let blocks = words.start / BLOCK_WORDS..words.end.div_ceil(BLOCK_WORDS);
        self.0[blocks].iter().map(|version| u64::from(*version)).sum()
    }
}

/// A read of a tile that was found right.
pub(crate) struct PastRead {
    /// The words, in runs.
    pub(super) runs: Vec<Range<usize>>,
    /// From the first word to the last.
    pub(super) extent: Range<usize>,
    /// A word of each write that the read met; nothing where they are many.
    pub(super) writes: Option<Vec<usize>>,
    pub(super) version: u64,
}

#[cfg(test)]
mod tests {
    use crate::clock::{Clock, WHOLE_WARP};
    use crate::launch::Checks;
    use crate::shared::{Actor, Shared};

    fn actor(warp: u32, lane: u32) -> Actor {
        Actor { warp, lane }
    }

    /// What the first warp has read and the second reads again is read by the second, and found wrong for it where it would have been.
    #[test]
    fn reads_again_are_reads() {
        let mut shared = Shared::new(0, 4096, (1, 3), &Checks::default());
        for at in (0..512).step_by(4) {
            shared.store(at, 4, at, actor(0, 0), false).unwrap();
        }
        shared.fence_proxy(0, u32::MAX, crate::clock::FencedMemory::All);
        let mut barrier = Clock::default();
        shared.release(0, u32::MAX, &mut barrier);
        shared.acquire(1, &barrier);
        let pieces: Vec<u64> = (0..16).rev().map(|piece| 32 * piece).collect();
        let issued: Vec<Clock> = (0..3).map(|warp| shared.issue(warp, u32::MAX)).collect();
        for at in &pieces {
            shared.engine_read(*at, 16, &issued[0], actor(0, u32::from(WHOLE_WARP))).unwrap();
        }
        let read = shared.remember(pieces);
        // Warp 2 knows nothing of the stores.
        assert!(!shared.read_again(&read, &issued[2], actor(2, u32::from(WHOLE_WARP))));
        assert!(shared.store(0, 4, 1, actor(0, 0), false).is_ok(), "no other warp has read it");
        assert!(!shared.is_unchanged(&read) && !shared.read_again(&read, &issued[1], actor(1, u32::from(WHOLE_WARP))));
        let read = shared.remember((0..16).map(|piece| 32 * piece).collect());
        shared.fence_proxy(0, u32::MAX, crate::clock::FencedMemory::All);
        let issued = shared.issue(0, u32::MAX);
        assert!(shared.read_again(&read, &issued, actor(1, u32::from(WHOLE_WARP))));
        assert!(
            shared.store(64, 4, 1, actor(0, 0), false).is_err(),
            "nothing orders the store behind the read of warp 1"
        );
        assert!(shared.store(16, 4, 1, actor(0, 0), false).is_ok(), "no piece lies there");
    }

    #[test]
    fn each_change_is_another_version() {
        let mut shared = Shared::new(0, 8192, (1, 1), &Checks::default());
        let read = shared.remember(vec![4096, 4112]);
        shared.store(0, 4, 0, actor(0, 0), false).unwrap();
        assert!(shared.is_unchanged(&read), "another block of words");
        let clock = shared.issue(0, 1);
        let changes: [fn(&mut Shared, &Clock); 4] = [
            |shared, _| shared.store(4096, 8, 0, actor(0, 0), false).unwrap(),
            |shared, _| _ = shared.update(4096, 4, actor(0, 0), |old| old).unwrap(),
            |shared, _| shared.start_copy(4112, 16).unwrap(),
            |shared, clock| shared.start_engine_write(4128, 16, clock).unwrap(),
        ];
        for change in changes {
            let read = shared.remember(vec![4096, 4112]);
            assert!(shared.is_unchanged(&read));
            change(&mut shared, &clock);
            assert!(!shared.is_unchanged(&read));
        }
    }
}
