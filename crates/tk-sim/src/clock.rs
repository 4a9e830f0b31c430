//! Vector clocks: which accesses of whom are ordered before now, or before an operation was issued.
//!
//! Time counts the synchronisations of a CTA. Clocks know warps and engines; of a warp they also know the case that only some lanes took part
//! in what orders (one elected thread arrives, fences or issues a copy): then the accesses of the other lanes are ordered only up to the
//! last time that the whole warp took part. Joining two such cases keeps one set of lanes, so an unordered access may be missed; none is invented.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// Which writes a proxy fence hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FencedMemory {
    All,
    /// `fence.proxy.async.global`
    Global,
    /// `fence.proxy.async.shared::cta` and `.shared::cluster`
    Shared,
}

impl FencedMemory {
    pub(crate) fn has_shared(self) -> bool {
        self != FencedMemory::Global
    }

    pub(crate) fn has_global(self) -> bool {
        self != FencedMemory::Shared
    }
}

/// A lane number that stands for several lanes.
pub(crate) const MANY: u8 = 0xFF;
/// A lane number that stands for an instruction that the whole warp executed and has waited for.
pub(crate) const WHOLE_WARP: u8 = 0xFE;

/// When and by whom a place was accessed. The order of its fields makes it one number of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
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

impl Mark {
    #[inline(always)]
    fn number(self) -> u64 {
        let [t0, t1, t2, t3] = self.time.to_le_bytes();
        u64::from_le_bytes([t0, t1, t2, t3, self.warp, self.lane, self.bytes, u8::from(self.copied)])
    }
}

impl PartialEq for Mark {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number()
    }
}

impl Eq for Mark {}

/// Calls `f` with the first place of each run of equal marks, until it objects.
#[inline]
pub(crate) fn each_run<E>(marks: &[Mark], mut f: impl FnMut(usize, Mark) -> Result<(), E>) -> Result<(), E> {
    let mut at = 0;
    while let Some(first) = marks.get(at) {
        f(at, *first)?;
        at += 1 + equal_to(*first, &marks[at + 1..]);
    }
    Ok(())
}

/// How many marks from the first on are equal to one. Eight are compared at a time.
#[inline]
fn equal_to(mark: Mark, marks: &[Mark]) -> usize {
    let number = mark.number();
    let is_whole = |eight: &&[Mark]| eight.iter().fold(0, |other, mark| other | mark.number() ^ number) == 0;
    let whole = 8 * marks.chunks_exact(8).take_while(is_whole).count();
    whole + marks[whole..].iter().take_while(|mark| mark.number() == number).count()
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

    /// Some access counts.
    pub(crate) fn is_something(self) -> bool {
        self.all.max(self.some) > 0
    }

    /// From now on, accesses of these lanes count up to `time`.
    pub(crate) fn advance(&mut self, time: u32, lanes: u32) {
        self.join(match lanes {
            u32::MAX => Until { all: time, some: 0, lanes: 0 },
            _ => Until { all: 0, some: time, lanes },
        });
    }

    pub(crate) fn join(&mut self, other: Until) {
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

/// Most CTAs of which a clock knows something. Beyond, it counts as knowing everything: accesses are then missed, and none is invented.
const MOST_FOREIGN: usize = 1024;

/// What is ordered before, of all warps and engines of a CTA.
type Actors = Arc<[Until]>;

/// What is known of another CTA.
#[derive(Clone, Debug)]
struct Heard {
    /// Its accesses.
    seen: Actors,
    /// Its writes to global memory that a proxy fence has handed over to bulk copies.
    handed: Actors,
}

/// What is known of other CTAs, through global memory. Clocks share what they have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foreign(Option<Arc<Known>>);

#[derive(Clone, Debug)]
enum Known {
    Ctas(FxHashMap<u32, Heard>),
    Everything,
}

impl Foreign {
    /// Whether an access of a CTA is ordered before.
    pub(crate) fn covers(&self, cta: u32, mark: Mark) -> bool {
        self.says(cta, mark, |heard| &heard.seen)
    }

    /// Whether a write of a CTA is handed over to bulk copies.
    pub(crate) fn hands(&self, cta: u32, mark: Mark) -> bool {
        self.says(cta, mark, |heard| &heard.handed)
    }

    fn says(&self, cta: u32, mark: Mark, part: impl Fn(&Heard) -> &Actors) -> bool {
        match self.0.as_deref() {
            None => false,
            Some(Known::Everything) => true,
            Some(Known::Ctas(ctas)) => {
                let until = ctas.get(&cta).and_then(|heard| part(heard).get(usize::from(mark.warp)));
                until.is_some_and(|until| until.covers(mark))
            }
        }
    }

    /// A proxy fence: what is known of all CTAs is handed over.
    fn hand_over(&mut self) {
        let Some(known) = &mut self.0 else { return };
        let Known::Ctas(ctas) = known.as_ref() else { return };
        if ctas.values().all(|heard| Arc::ptr_eq(&heard.seen, &heard.handed)) {
            return;
        }
        if let Known::Ctas(ctas) = Arc::make_mut(known) {
            ctas.values_mut().for_each(|heard| heard.handed = Arc::clone(&heard.seen));
        }
    }

    pub(crate) fn join(&mut self, other: &Foreign) {
        let Some(theirs) = &other.0 else { return };
        let Some(mine) = &mut self.0 else {
            self.0 = Some(Arc::clone(theirs));
            return;
        };
        if Arc::ptr_eq(mine, theirs) {
            return;
        }
        match (Arc::make_mut(mine), theirs.as_ref()) {
            (Known::Everything, _) => {}
            (mine, Known::Everything) => *mine = Known::Everything,
            (Known::Ctas(mine), Known::Ctas(theirs)) => {
                theirs.iter().for_each(|(cta, heard)| join_heard(mine, *cta, heard));
            }
        }
        self.bound();
    }

    /// The same, knowing of a CTA what it has seen and handed over too.
    pub(crate) fn with(&self, cta: u32, seen: &[Until], handed: &[Until]) -> Foreign {
        let mut known = self.clone();
        let heard = Heard { seen: Arc::from(seen), handed: Arc::from(handed) };
        let own = Known::Ctas(FxHashMap::from_iter([(cta, heard)]));
        known.join(&Foreign(Some(Arc::new(own))));
        known
    }

    /// Nothing is known of any CTA.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Only what is known of one CTA.
    pub(crate) fn only(&self, cta: u32) -> Foreign {
        let one = |heard: &Heard| Arc::new(Known::Ctas(FxHashMap::from_iter([(cta, heard.clone())])));
        Foreign(self.of(cta).map(one))
    }

    /// What is known of one CTA.
    fn of(&self, cta: u32) -> Option<&Heard> {
        match self.0.as_deref() {
            Some(Known::Ctas(ctas)) => ctas.get(&cta),
            Some(Known::Everything) | None => None,
        }
    }

    fn bound(&mut self) {
        if let Some(Known::Ctas(ctas)) = self.0.as_deref()
            && ctas.len() > MOST_FOREIGN
        {
            self.0 = Some(Arc::new(Known::Everything));
        }
    }
}

fn join_heard(known: &mut FxHashMap<u32, Heard>, cta: u32, theirs: &Heard) {
    match known.entry(cta) {
        Entry::Vacant(entry) => {
            entry.insert(theirs.clone());
        }
        Entry::Occupied(entry) => {
            let mine = entry.into_mut();
            join_actors(&mut mine.seen, &theirs.seen);
            join_actors(&mut mine.handed, &theirs.handed);
        }
    }
}

fn join_actors(mine: &mut Actors, theirs: &Actors) {
    if Arc::ptr_eq(mine, theirs) {
        return;
    }
    let mut joined = mine.to_vec();
    join_all(&mut joined, theirs);
    *mine = Arc::from(joined);
}

fn join_all(mine: &mut [Until], theirs: &[Until]) {
    mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| mine.join(*theirs));
}

/// Vector clock of one warp, barrier, mbarrier or issued operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    /// Accesses of each actor that are ordered before.
    pub(crate) seen: Vec<Until>,
    /// Writes to shared memory of each actor that a proxy fence has handed over.
    pub(crate) fenced: Vec<Until>,
    /// The same of writes to global memory.
    pub(crate) handed: Vec<Until>,
    /// Reads by products that were waited for, of each warp. Relaxed arrivals hand on these, too; empty where there are none.
    pub(crate) products: Vec<Until>,
    /// Accesses of other CTAs.
    pub(crate) foreign: Foreign,
}

impl Clock {
    pub(crate) fn sized(actors: usize) -> Self {
        let none = vec![Until::default(); actors];
        Self {
            seen: none.clone(),
            fenced: none.clone(),
            handed: none,
            products: Vec::new(),
            foreign: Foreign::default(),
        }
    }

    pub(crate) fn resize(&mut self, actors: usize) {
        self.seen.resize(actors, Until::default());
        self.fenced.resize(actors, Until::default());
        self.handed.resize(actors, Until::default());
    }

    pub(crate) fn join(&mut self, other: &Clock) {
        self.foreign.join(&other.foreign);
        let (fenced, handed) = ((&mut self.fenced, &other.fenced), (&mut self.handed, &other.handed));
        let products = (&mut self.products, &other.products);
        for (mine, theirs) in [(&mut self.seen, &other.seen), fenced, handed, products] {
            if mine.len() < theirs.len() {
                mine.resize(theirs.len(), Until::default());
            }
            join_all(mine, theirs);
        }
    }

    /// Joins what global memory has told a CTA of others and of itself.
    pub(crate) fn learn(&mut self, cta: u32, told: &Foreign) {
        if let Some(heard) = told.of(cta) {
            join_all(&mut self.seen, &heard.seen);
            join_all(&mut self.handed, &heard.handed);
        }
        self.foreign.join(told);
    }

    /// A proxy fence: what is ordered before now is handed over.
    pub(crate) fn hand_over(&mut self, memory: FencedMemory) {
        if memory.has_shared() {
            join_all(&mut self.fenced, &self.seen);
        }
        if memory.has_global() {
            join_all(&mut self.handed, &self.seen);
            self.foreign.hand_over();
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

    #[test]
    fn runs_of_marks_are_found() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for length in [0usize, 1, 7, 8, 9, 40, 100] {
            let mut marks = vec![mark(1, 0); length];
            for i in 1..length {
                marks[i] = marks[i - 1];
                match random.random_range(0..30) {
                    0 => marks[i].time += 1,
                    1 => marks[i].warp += 1,
                    2 => marks[i].lane += 1,
                    3 => marks[i].bytes ^= 1,
                    4 => marks[i].copied = !marks[i].copied,
                    _ => {}
                }
            }
            let mut found = Vec::new();
            let all: Result<(), ()> = each_run(&marks, |at, mark| {
                assert_eq!(mark, marks[at]);
                found.push(at);
                Ok(())
            });
            let differs = |i: &usize| *i == 0 || format!("{:?}", marks[*i]) != format!("{:?}", marks[*i - 1]);
            assert_eq!((all, found), (Ok(()), (0..length).filter(differs).collect()));
        }
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
