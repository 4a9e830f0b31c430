//! Which accesses to shared memory are ordered, and which race.
//!
//! Race detection keeps, for each word, who wrote it last and when each warp last read it; "when" counts synchronisations of
//! the CTA. A vector clock per warp says which accesses of other warps are ordered before now (FastTrack, Flanagan and Freund
//! 2009, at warp granularity). One write per word is remembered, so a race on bytes of one word may be missed; none is invented.
//!
//! Engines (wgmma, bulk copies) work in another proxy: a second clock says which ordinary writes a `fence.proxy.async` has
//! handed over. `cp.async` writes in the ordinary proxy as well, but compilers have fed wgmma without a fence after it and the hardware
//! obliged, so that rule can be lifted.
//! What engines write carries the number of an actor of its own per mbarrier, so that waiting for another mbarrier is no excuse.

use crate::clock::{Clock, FencedMemory, Foreign, MANY, Mark, Until, WHOLE_WARP, each_run};
use crate::global_races::Accessor;
use crate::launch::Checks;
use crate::memory_order::Numbered;
use crate::records::{Executed, Records};
use crate::shared::{Actor, Wrong};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Actors that stand for bulk copies, told apart by their mbarrier.
const ENGINES: usize = 32;
/// Actors that stand for what products of warpgroups read, where one warp's wait counts for all four.
const GROUPS: usize = 24;
/// Whose access met whose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    pub(crate) wrote: bool,
    /// The other one is a bulk copy, not a thread.
    pub(crate) engine: bool,
}

/// The marks and clocks of the CTAs of one cluster.
pub(crate) struct Races {
    /// Of the cluster.
    warps: usize,
    warps_per_cta: usize,
    words_per_cta: usize,
    /// Data of `cp.async` needs a proxy fence too.
    copy_fences: bool,
    /// Each warp of a warpgroup waits for its own part of a product.
    warpgroup_waits: bool,
    time: u32,
    seen: Vec<Clock>,
    writes: Vec<Mark>,
    /// By warps of the CTA whose memory it is: for each of them, all words.
    reads: Vec<Mark>,
    /// By warps of other CTAs.
    remote_reads: FxHashMap<usize, Vec<Mark>>,
    /// When each warp last updated a word by an atomic.
    atomics: FxHashMap<usize, Vec<Mark>>,
    /// Of each warp, what its last fence released: a relaxed write after it hands that on.
    released: Vec<Foreign>,
    /// Of each warp, what its relaxed reads have met: the next fence acquires it.
    met: Vec<Foreign>,
    /// Of accesses to global memory.
    pub(crate) executed: Executed,
}

impl Races {
    /// For CTAs of so many words and warps each.
    pub(crate) fn new(words_per_cta: usize, warps_per_cta: usize, ctas: usize, checks: &Checks) -> Self {
        let (words, warps) = (words_per_cta * ctas, warps_per_cta * ctas);
        Self {
            copy_fences: checks.copy_fences,
            warpgroup_waits: checks.warpgroup_waits,
            warps,
            warps_per_cta,
            words_per_cta,
            time: 1,
            seen: vec![Clock::sized(warps + ENGINES + GROUPS); warps],
            writes: vec![Mark::default(); words],
            reads: vec![Mark::default(); words * warps_per_cta],
            remote_reads: FxHashMap::default(),
            atomics: FxHashMap::default(),
            released: vec![Foreign::default(); warps],
            met: vec![Foreign::default(); warps],
            executed: Executed::default(),
        }
    }

    #[inline]
    fn ordered(&self, mark: Mark, warp: u32, actor: Actor) -> bool {
        let same = warp == actor.warp && (u32::from(mark.lane) == actor.lane || mark.lane == WHOLE_WARP);
        same || self.seen[actor.warp as usize].seen[warp as usize].covers(mark)
    }

    /// An access to something else that shared memory holds the place of (an mbarrier, a tensor map).
    pub(crate) fn stamp(&self, actor: Actor) -> Mark {
        Mark { time: self.time, warp: actor.warp as u8, lane: actor.lane as u8, bytes: 0xF, copied: false }
    }

    /// Whose access it was when nothing orders it before now.
    pub(crate) fn unordered(&self, mark: Mark, actor: Actor) -> Option<Conflict> {
        (!self.ordered(mark, u32::from(mark.warp), actor)).then(|| self.conflict(mark, true))
    }

    /// Whether a warp knows of anything that the warps of a CTA did.
    pub(crate) fn knows_of(&self, warp: u32, rank: u32) -> bool {
        let first = rank as usize * self.warps_per_cta;
        let seen = &self.seen[warp as usize].seen[first..first + self.warps_per_cta];
        seen.iter().any(|until| until.is_something())
    }

    /// Whether some warp of a CTA knows that an access is over.
    pub(crate) fn known_in(&self, rank: u32, mark: Mark) -> bool {
        let first = rank as usize * self.warps_per_cta;
        let clocks = &self.seen[first..first + self.warps_per_cta];
        clocks.iter().any(|clock| clock.seen[usize::from(mark.warp)].covers(mark))
    }

    /// A write of a word that nothing can race with, except for what comes later.
    pub(crate) fn overwrite(&mut self, index: usize, actor: Actor) {
        // Engines need no proxy fence after it.
        self.writes[index] = Mark { copied: true, ..self.stamp(actor) };
    }

    /// Forgets what was written to a word.
    pub(crate) fn forget(&mut self, index: usize) {
        self.writes[index] = Mark::default();
    }

    /// An atomic update that nothing orders before an access.
    #[inline]
    fn unordered_atomic(&self, index: usize, mask: u8, actor: Actor) -> Option<Conflict> {
        if self.atomics.is_empty() {
            return None;
        }
        let unordered = |mark: &&Mark| mark.bytes & mask != 0 && !self.ordered(**mark, u32::from(mark.warp), actor);
        self.atomics.get(&index)?.iter().find(unordered).map(|mark| self.conflict(*mark, true))
    }

    /// An atomic update, which races with accesses that are none.
    pub(crate) fn atomic(&mut self, index: usize, mask: u8, actor: Actor) -> Option<Conflict> {
        let write = self.writes[index];
        if write.bytes & mask != 0 && !self.ordered(write, u32::from(write.warp), actor) {
            return Some(self.conflict(write, true));
        }
        if let Some(conflict) = self.unordered_read(index, mask, actor) {
            return Some(conflict);
        }
        let (time, warps) = (self.time, self.warps);
        let marks = self.atomics.entry(index).or_insert_with(|| vec![Mark::default(); warps]);
        let mark = &mut marks[actor.warp as usize];
        let again = mark.time == time && u32::from(mark.lane) != actor.lane;
        let lane = if again { MANY } else { actor.lane as u8 };
        *mark = Mark { time, warp: actor.warp as u8, lane, bytes: mask, copied: false };
        None
    }

    /// The first warp of the CTA in whose memory a word is.
    #[inline]
    fn first_warp(&self, index: usize) -> usize {
        if self.warps == self.warps_per_cta { 0 } else { index / self.words_per_cta * self.warps_per_cta }
    }

    /// Where the last read of a word by a warp is noted.
    #[inline(always)]
    fn read_mark(&mut self, index: usize, warp: u32) -> &mut Mark {
        let local = (warp as usize).wrapping_sub(self.first_warp(index));
        if local < self.warps_per_cta {
            return &mut self.reads[local * self.writes.len() + index];
        }
        self.remote_mark(index, warp)
    }

    #[cold]
    fn remote_mark(&mut self, index: usize, warp: u32) -> &mut Mark {
        let warps = self.warps;
        &mut self.remote_reads.entry(index).or_insert_with(|| vec![Mark::default(); warps])[warp as usize]
    }

    /// The last reads of a word by each warp.
    #[inline]
    fn reads_of(&self, index: usize) -> impl Iterator<Item = (usize, Mark)> {
        let (first, words) = (self.first_warp(index), self.writes.len());
        let own = (0..self.warps_per_cta).map(move |local| (first + local, self.reads[local * words + index]));
        let remote = if self.remote_reads.is_empty() { None } else { self.remote_reads.get(&index) };
        own.chain(remote.into_iter().flat_map(|marks| marks.iter().copied().enumerate()))
    }

    /// A read that nothing orders before a write.
    #[inline]
    fn unordered_read(&self, index: usize, mask: u8, actor: Actor) -> Option<Conflict> {
        let unordered = |(warp, read): &(usize, Mark)| {
            read.bytes & mask != 0
                && !self.ordered(*read, *warp as u32, actor)
                && !self.has_met(&self.seen[actor.warp as usize], *read)
        };
        self.reads_of(index).find(unordered).map(|(warp, read)| self.conflict_of(warp, read))
    }

    /// Whether a product made a read, and a clock knows that it is over.
    #[inline]
    fn has_met(&self, clock: &Clock, read: Mark) -> bool {
        let owner = usize::from(read.warp);
        let is_told = || clock.products.get(owner).is_some_and(|until| until.covers(read));
        owner >= self.warps && clock.seen[owner].covers(read) || read.lane == WHOLE_WARP && is_told()
    }

    /// A relaxed arrival of a warp: products that it has waited for have read their operands. Nothing else of the warp is handed on.
    pub(crate) fn release_products(&mut self, warp: u32, clock: &mut Clock) {
        let (warp, group) = (warp as usize, self.group(warp));
        clock.resize(self.warps + ENGINES + GROUPS);
        clock.products.resize(self.warps, Until::default());
        clock.products[warp].advance(self.time, u32::MAX);
        let of_group = self.seen[warp].seen[group];
        clock.seen[group].join(of_group);
        self.time += 1;
    }

    /// The conflict with a read of a warp, whoever it was made for.
    fn conflict_of(&self, warp: usize, read: Mark) -> Conflict {
        self.conflict(Mark { warp: warp as u8, ..read }, false)
    }

    /// The actor of what the products of a warp's warpgroup read.
    fn group(&self, warp: u32) -> usize {
        let (rank, in_cta) = (warp as usize / self.warps_per_cta, warp as usize % self.warps_per_cta);
        self.warps + ENGINES + (rank * self.warps_per_cta.div_ceil(4) + in_cta / 4) % GROUPS
    }

    /// All warps of a warpgroup have completed the products that a warp waits for.
    pub(crate) fn meet_group(&mut self, warp: u32) {
        let group = self.group(warp);
        self.seen[warp as usize].seen[group].advance(self.time, u32::MAX);
        self.time += 1;
    }

    #[inline]
    pub(crate) fn read(&mut self, index: usize, mask: u8, actor: Actor) -> Option<Conflict> {
        let write = self.writes[index];
        let warp = u32::from(write.warp);
        if write.bytes & mask != 0 && !self.ordered(write, warp, actor) {
            return Some(self.conflict(write, true));
        }
        if let Some(conflict) = self.unordered_atomic(index, mask, actor) {
            return Some(conflict);
        }
        let time = self.time;
        let read = self.read_mark(index, actor.warp);
        let known = read.time == time && read.bytes & mask == mask;
        if known && (read.lane == MANY || u32::from(read.lane) == actor.lane) {
            return None;
        }
        let (lane, bytes) = match read.time == time {
            true if u32::from(read.lane) != actor.lane => (MANY, read.bytes | mask),
            true => (read.lane, read.bytes | mask),
            false => (actor.lane as u8, mask),
        };
        *read = Mark { time, warp: actor.warp as u8, lane, bytes, copied: false };
        None
    }

    #[inline]
    pub(crate) fn write(&mut self, index: usize, mask: u8, actor: Actor, copied: bool) -> Option<Conflict> {
        let write = self.writes[index];
        let warp = u32::from(write.warp);
        if write.bytes & mask != 0 && !self.ordered(write, warp, actor) {
            return Some(self.conflict(write, true));
        }
        if let Some(conflict) =
            self.unordered_read(index, mask, actor).or_else(|| self.unordered_atomic(index, mask, actor))
        {
            return Some(conflict);
        }
        self.atomics.remove(&index);
        let (warp, lane) = (actor.warp as u8, actor.lane as u8);
        self.writes[index] = Mark { time: self.time, warp, lane, bytes: mask, copied };
        None
    }

    /// What these lanes of a warp did, and what is ordered before it, becomes visible to a barrier.
    pub(crate) fn release(&mut self, warp: u32, lanes: u32, clock: &mut Clock) {
        clock.join(&self.seen[warp as usize]);
        clock.seen[warp as usize].advance(self.time, lanes);
        self.time += 1;
    }

    pub(crate) fn acquire(&mut self, warp: u32, clock: &Clock) {
        self.seen[warp as usize].join(clock);
    }

    pub(crate) fn synchronise_warp(&mut self, warp: u32) {
        self.seen[warp as usize].seen[warp as usize].advance(self.time, u32::MAX);
        self.time += 1;
    }

    pub(crate) fn fence_proxy(&mut self, warp: u32, lanes: u32, memory: FencedMemory) {
        let clock = &mut self.seen[warp as usize];
        clock.hand_over(memory);
        if memory.has_shared() {
            clock.fenced[warp as usize].advance(self.time, lanes);
        }
        if memory.has_global() {
            clock.handed[warp as usize].advance(self.time, lanes);
        }
        self.time += 1;
    }

    pub(crate) fn issue(&mut self, warp: u32, lanes: u32) -> Clock {
        let mut clock = self.seen[warp as usize].clone();
        clock.seen[warp as usize].advance(self.time, lanes);
        self.time += 1;
        clock
    }

    pub(crate) fn engine_release(&mut self, engine: u32, clock: &mut Clock) {
        let actor = self.engine(engine);
        clock.resize(self.warps + ENGINES + GROUPS);
        clock.seen[actor].advance(self.time, u32::MAX);
        self.time += 1;
    }

    /// The time of an access now.
    #[inline]
    pub(crate) fn time(&self) -> u32 {
        self.time
    }

    /// An access of a warp to global memory.
    #[inline]
    pub(crate) fn accessor<'a>(&'a self, warp: u32, numbered: Numbered, records: &'a Records) -> Accessor<'a> {
        let Numbered { number, record } = numbered;
        Accessor { number, record, clock: self.clock(warp), records, executed: Some(&self.executed) }
    }

    /// What is ordered before the next access of a warp.
    #[inline]
    pub(crate) fn clock(&self, warp: u32) -> &Clock {
        &self.seen[warp as usize]
    }

    /// A release to global memory by a warp of a CTA: what is ordered before now, the warp's own accesses among it.
    pub(crate) fn publish(&mut self, warp: u32, cta: u32) -> Foreign {
        let clock = &self.seen[warp as usize];
        let mut seen = clock.seen.clone();
        seen[warp as usize].advance(self.time, u32::MAX);
        self.time += 1;
        clock.foreign.with(cta, &seen, &clock.handed)
    }

    /// An acquire from global memory.
    pub(crate) fn learn(&mut self, warp: u32, cta: u32, told: &Foreign) {
        self.seen[warp as usize].learn(cta, told);
    }

    /// A fence between memory accesses of a warp, wide enough for other CTAs.
    pub(crate) fn fence(&mut self, warp: u32, cta: u32) {
        let met = std::mem::take(&mut self.met[warp as usize]);
        self.learn(warp, cta, &met);
        self.released[warp as usize] = self.publish(warp, cta);
    }

    /// What a relaxed write of a warp hands on.
    pub(crate) fn released(&self, warp: u32) -> &Foreign {
        &self.released[warp as usize]
    }

    /// A relaxed read has met a release.
    pub(crate) fn meets(&mut self, warp: u32, told: &Foreign) {
        self.met[warp as usize].join(told);
    }

    /// The actor that stands for an engine: they come after the warps.
    pub(crate) fn engine(&self, engine: u32) -> usize {
        self.warps + engine as usize % ENGINES
    }

    fn conflict(&self, mark: Mark, wrote: bool) -> Conflict {
        let lane = if mark.lane < 32 { u32::from(mark.lane) } else { 0 };
        let engine = usize::from(mark.warp) >= self.warps;
        Conflict { warp: u32::from(mark.warp), lane, wrote, engine }
    }

    /// The same for atomic updates of a word.
    fn meets_atomic(&self, marks: &[Mark], issued: &Clock) -> Option<Wrong> {
        let late = |clock: &[Until], mark: &&Mark| mark.time > 0 && !clock[usize::from(mark.warp)].covers(**mark);
        let overwritten = marks.iter().find(|mark| late(&issued.seen, mark));
        let unfenced = marks.iter().find(|mark| late(&issued.fenced, mark));
        let overwritten = overwritten.map(|mark| Wrong::Overwritten(self.conflict(*mark, true)));
        overwritten.or(unfenced.map(|mark| Wrong::NoFence(self.conflict(*mark, true))))
    }

    /// Why an operation issued with `issued` may not meet the last write of a word.
    #[inline]
    fn meets_write(&self, index: usize, issued: &Clock) -> Option<Wrong> {
        let atomics = if self.atomics.is_empty() { None } else { self.atomics.get(&index) };
        if let Some(wrong) = atomics.and_then(|marks| self.meets_atomic(marks, issued)) {
            return Some(wrong);
        }
        let write = self.writes[index];
        if write.time == 0 {
            return None;
        }
        let warp = usize::from(write.warp);
        if !issued.seen[warp].covers(write) {
            return Some(Wrong::Overwritten(self.conflict(write, true)));
        }
        if (self.copy_fences || !write.copied) && warp < self.warps && !issued.fenced[warp].covers(write) {
            return Some(Wrong::NoFence(self.conflict(write, true)));
        }
        None
    }

    /// Why an operation may not meet the last writes of words; the first that is wrong. Neighbours mostly have one writer.
    #[inline]
    fn meets_writes(&self, words: Range<usize>, issued: &Clock) -> Result<(), (usize, Wrong)> {
        let meets = |index: usize| self.meets_write(index, issued).map_or(Ok(()), |wrong| Err((index, wrong)));
        if !self.atomics.is_empty() {
            return words.into_iter().try_for_each(meets);
        }
        each_run(&self.writes[words.clone()], |at, _| meets(words.start + at))
    }

    /// Reads of words of one CTA by an engine for a thread. The word that is wrong, if one is.
    #[inline]
    pub(crate) fn engine_read(
        &mut self,
        words: Range<usize>,
        issued: &Clock,
        actor: Actor,
    ) -> Result<(), (usize, Wrong)> {
        self.meets_writes(words.clone(), issued)?;
        self.note_engine_read(words, actor);
        Ok(())
    }

    /// Of each write that a read of words meets, a word. Nothing where there are more than `most`, or atomic updates.
    pub(crate) fn writes_in(&self, runs: &[Range<usize>], most: usize) -> Option<Vec<usize>> {
        let mut found: Vec<usize> = Vec::new();
        let mut add = |index: usize, write: Mark| {
            if !found.iter().any(|known| self.writes[*known] == write) {
                found.push(index);
            }
            if found.len() > most { Err(()) } else { Ok(()) }
        };
        let mut runs = runs.iter();
        let all = runs.try_for_each(|run| each_run(&self.writes[run.clone()], |at, write| add(run.start + at, write)));
        (all.is_ok() && self.atomics.is_empty()).then_some(found)
    }

    /// Whether an operation may meet the last writes of these words.
    pub(crate) fn may_meet(&self, words: &[usize], issued: &Clock) -> bool {
        words.iter().all(|index| self.meets_write(*index, issued).is_none())
    }

    /// Notes reads of words of one CTA by an engine for a thread.
    #[inline]
    pub(crate) fn note_engine_read(&mut self, words: Range<usize>, actor: Actor) {
        let (time, lane) = (self.time, actor.lane as u8);
        // Whole warps read for products.
        let is_shared = !self.warpgroup_waits && lane == WHOLE_WARP;
        let owner = if is_shared { self.group(actor.warp) as u8 } else { actor.warp as u8 };
        let mark = Mark { time, warp: owner, lane, bytes: 0xF, copied: false };
        let local = (actor.warp as usize).wrapping_sub(self.first_warp(words.start));
        if local < self.warps_per_cta {
            let base = local * self.writes.len();
            self.reads[base + words.start..base + words.end].fill(mark);
        } else {
            words.for_each(|index| *self.read_mark(index, actor.warp) = mark);
        }
    }

    /// Whether all accesses of words of one CTA are ordered before an operation that overwrites them.
    pub(crate) fn may_overwrite(&self, words: Range<usize>, issued: &Clock) -> Result<(), (usize, Wrong)> {
        if self.meets_writes(words.clone(), issued).is_err() {
            words.clone().try_for_each(|index| match self.meets_write(index, issued) {
                Some(wrong) if !self.is_read_since(index, issued) => Err((index, wrong)),
                Some(_) | None => Ok(()),
            })?;
        }
        let first = self.first_warp(words.start);
        for local in 0..self.warps_per_cta {
            let (base, clock) = (local * self.writes.len(), &issued.seen[first + local]);
            each_run(&self.reads[base + words.start..base + words.end], |at, read| {
                match clock.covers(read) || self.has_met(issued, read) {
                    true => Ok(()),
                    false => Err((words.start + at, Wrong::Race(self.conflict_of(first + local, read)))),
                }
            })?;
        }
        if self.remote_reads.is_empty() {
            return Ok(());
        }
        for index in words {
            let mut unordered = self
                .reads_of(index)
                .filter(|(warp, read)| !issued.seen[*warp].covers(*read) && !self.has_met(issued, *read));
            if let Some((warp, read)) = unordered.next() {
                return Err((index, Wrong::Race(self.conflict_of(warp, read))));
            }
        }
        Ok(())
    }

    /// Whether a product has read what was last written to a word, and a clock knows that this read is over: then the write is, too.
    fn is_read_since(&self, index: usize, issued: &Clock) -> bool {
        let written = self.writes[index].time;
        self.reads_of(index).any(|(_, read)| read.time > written && self.has_met(issued, read))
    }

    /// Writes of words by an engine. The word that is wrong, if one is.
    #[inline]
    pub(crate) fn engine_write(
        &mut self,
        words: Range<usize>,
        engine: u32,
        issued: &Clock,
    ) -> Result<(), (usize, Wrong)> {
        let actor = self.engine(engine);
        let is_over =
            |write: Mark| issued.seen[usize::from(write.warp)].covers(write) || usize::from(write.warp) == actor;
        if each_run(&self.writes[words.clone()], |_, write| if is_over(write) { Ok(()) } else { Err(()) }).is_err() {
            let is_wrong = |index: &usize| !is_over(self.writes[*index]) && !self.is_read_since(*index, issued);
            if let Some(index) = words.clone().find(is_wrong) {
                return Err((index, Wrong::Overwritten(self.conflict(self.writes[index], true))));
            }
        }
        self.writes[words].fill(Mark { time: self.time, warp: actor as u8, lane: 0, bytes: 0xF, copied: false });
        Ok(())
    }
}
