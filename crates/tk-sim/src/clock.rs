//! Vector clocks: which accesses of whom are ordered before now, or before an operation was issued.
//!
//! Time counts the synchronisations of a CTA. Clocks know warps and engines; of a warp they also know the case that only some lanes took part
//! in what orders (one elected thread arrives, fences or issues a copy): then the accesses of the other lanes are ordered only up to the
//! last time that the whole warp took part. Joining two such cases keeps one set of lanes, so an unordered access may be missed; none is invented.

/// A lane number that stands for several lanes.
pub(crate) const MANY: u8 = 0xFF;
/// A lane number that stands for an instruction that the whole warp executed and has waited for.
pub(crate) const WHOLE_WARP: u8 = 0xFE;

/// When and by whom a place was accessed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    /// From 1 on; 0 for never.
    pub(crate) time: u32,
    pub(crate) warp: u8,
    /// [`MANY`] when several lanes read, [`WHOLE_WARP`] when an instruction of all lanes did.
    pub(crate) lane: u8,
    /// Which bytes of the word.
    pub(crate) bytes: u8,
    /// Written by `cp.async`.
    pub(crate) copied: bool,
}

/// Up to when the accesses of one warp or engine count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Until {
    /// Of all its lanes.
    all: u32,
    /// Of the lanes `lanes`; later than `all`, or 0.
    some: u32,
    lanes: u32,
}

impl Until {
    #[inline]
    pub(crate) fn covers(self, mark: Mark) -> bool {
        mark.time <= self.all || mark.time <= self.some && (mark.lane >= 32 || self.lanes >> mark.lane & 1 == 1)
    }

    /// From now on, accesses of these lanes count up to `time`.
    pub(crate) fn advance(&mut self, time: u32, lanes: u32) {
        self.join(match lanes {
            u32::MAX => Until { all: time, some: 0, lanes: 0 },
            _ => Until { all: 0, some: time, lanes },
        });
    }

    fn join(&mut self, other: Until) {
        self.all = self.all.max(other.all);
        if other.some > self.all {
            self.lanes = if self.some > self.all { self.lanes | other.lanes } else { other.lanes };
            self.some = self.some.max(other.some);
        }
        if self.some <= self.all {
            (self.some, self.lanes) = (0, 0);
        } else if self.lanes == u32::MAX {
            *self = Until { all: self.some, some: 0, lanes: 0 };
        }
    }
}

/// Vector clock of one warp, barrier, mbarrier or issued operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    /// Accesses of each actor that are ordered before.
    pub(crate) seen: Vec<Until>,
    /// Writes of each actor that a proxy fence has handed over.
    pub(crate) fenced: Vec<Until>,
}

impl Clock {
    pub(crate) fn sized(actors: usize) -> Self {
        Self { seen: vec![Until::default(); actors], fenced: vec![Until::default(); actors] }
    }

    pub(crate) fn resize(&mut self, actors: usize) {
        self.seen.resize(actors, Until::default());
        self.fenced.resize(actors, Until::default());
    }

    pub(crate) fn join(&mut self, other: &Clock) {
        for (mine, theirs) in [(&mut self.seen, &other.seen), (&mut self.fenced, &other.fenced)] {
            if mine.len() < theirs.len() {
                mine.resize(theirs.len(), Until::default());
            }
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                mine.join(*theirs);
            }
        }
    }

    /// A proxy fence: what is ordered before now is handed over.
    pub(crate) fn hand_over(&mut self) {
        for (fenced, seen) in self.fenced.iter_mut().zip(&self.seen) {
            fenced.join(*seen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn mark(time: u32, lane: u8) -> Mark {
        Mark { time, warp: 0, lane, bytes: 0xF, copied: false }
    }

    #[test]
    fn lanes_that_took_no_part_are_not_ordered() {
        let mut until = Until::default();
        until.advance(4, u32::MAX);
        until.advance(7, 1 << 3);
        assert!(until.covers(mark(4, 0)) && !until.covers(mark(5, 0)));
        assert!(until.covers(mark(7, 3)) && !until.covers(mark(8, 3)));
        // Of several lanes nobody knows which, so the access counts.
        assert!(until.covers(mark(7, MANY)));
        until.advance(9, u32::MAX);
        assert!(until.covers(mark(9, 0)) && !until.covers(mark(10, 3)));
    }

    #[test]
    fn halves_make_a_whole() {
        let mut until = Until::default();
        until.advance(5, 0xFFFF);
        assert!(!until.covers(mark(5, 20)));
        until.advance(6, 0xFFFF_0000);
        assert!(until.covers(mark(6, 20)) && until.covers(mark(5, 1)));
    }

    /// Joining is commutative, and what either side covers the join covers.
    #[test]
    fn joins_cover_both_sides() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut next = || random.random::<u32>();
        for _ in 0..2000 {
            let mut pair = [Until::default(); 2];
            for until in &mut pair {
                until.advance(next() % 8, u32::MAX);
                until.advance(next() % 12, next());
            }
            let [a, b] = pair;
            let (mut ab, mut ba) = (a, b);
            ab.join(b);
            ba.join(a);
            for time in 0..14 {
                for lane in (0..32).chain([MANY, WHOLE_WARP]) {
                    let mark = mark(time, lane);
                    assert_eq!(ab.covers(mark), ba.covers(mark), "{a:?} {b:?} {mark:?}");
                    assert!(ab.covers(mark) || !(a.covers(mark) || b.covers(mark)), "{a:?} {b:?} {mark:?}");
                }
            }
        }
    }
}
