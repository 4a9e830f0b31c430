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

use crate::shared::{Actor, Wrong};

/// Actors that stand for bulk copies, told apart by their mbarrier.
const ENGINES: usize = 32;
const MANY: u8 = 0xFF;

/// Whose access met whose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    pub(crate) wrote: bool,
    /// The other one is a bulk copy, not a thread.
    pub(crate) engine: bool,
}

#[derive(Clone, Copy, Default)]
struct Mark {
    /// 1 + the time; 0 for never.
    time: u32,
    warp: u8,
    /// `MANY` when several lanes read.
    lane: u8,
    bytes: u8,
    /// Written by `cp.async`.
    copied: bool,
}

/// Vector clock of one warp, barrier, mbarrier or issued operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    /// Accesses of each actor that are ordered before.
    seen: Vec<u32>,
    /// Writes of each actor that a proxy fence has handed over.
    fenced: Vec<u32>,
}

impl Clock {
    fn sized(warps: usize) -> Self {
        Self { seen: vec![0; warps + ENGINES], fenced: vec![0; warps + ENGINES] }
    }

    fn resize(&mut self, warps: usize) {
        self.seen.resize(warps + ENGINES, 0);
        self.fenced.resize(warps + ENGINES, 0);
    }

    fn join(&mut self, other: &Clock) {
        for (mine, theirs) in [(&mut self.seen, &other.seen), (&mut self.fenced, &other.fenced)] {
            if mine.len() < theirs.len() {
                mine.resize(theirs.len(), 0);
            }
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                *mine = (*mine).max(*theirs);
            }
        }
    }
}

/// The marks and clocks of one CTA.
pub(crate) struct Races {
    warps: usize,
    /// Data of `cp.async` needs a proxy fence too.
    copy_fences: bool,
    time: u32,
    seen: Vec<Clock>,
    writes: Vec<Mark>,
    reads: Vec<Mark>,
}

impl Races {
    pub(crate) fn new(words: usize, warps: usize, copy_fences: bool) -> Self {
        Self {
            copy_fences,
            warps,
            time: 1,
            seen: vec![Clock::sized(warps); warps],
            writes: vec![Mark::default(); words],
            reads: vec![Mark::default(); words * warps],
        }
    }

    #[inline]
    fn ordered(&self, mark: Mark, warp: u32, actor: Actor) -> bool {
        let same = warp == actor.warp && u32::from(mark.lane) == actor.lane;
        mark.time == 0 || same || mark.time <= self.seen[actor.warp as usize].seen[warp as usize]
    }

    #[inline]
    pub(crate) fn read(&mut self, index: usize, mask: u8, actor: Actor) -> Option<Conflict> {
        let write = self.writes[index];
        let warp = u32::from(write.warp);
        if write.bytes & mask != 0 && !self.ordered(write, warp, actor) {
            return Some(self.conflict(write, true));
        }
        let time = self.time;
        let place = actor.warp as usize * self.writes.len() + index;
        let read = &mut self.reads[place];
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
        for warp in 0..self.warps {
            let read = self.reads[warp * self.writes.len() + index];
            if read.bytes & mask != 0 && !self.ordered(read, warp as u32, actor) {
                return Some(self.conflict(read, false));
            }
        }
        let (warp, lane) = (actor.warp as u8, actor.lane as u8);
        self.writes[index] = Mark { time: self.time, warp, lane, bytes: mask, copied };
        None
    }

    pub(crate) fn release(&mut self, warp: u32, clock: &mut Clock) {
        clock.join(&self.seen[warp as usize]);
        clock.seen[warp as usize] = self.time;
        self.time += 1;
    }

    pub(crate) fn acquire(&mut self, warp: u32, clock: &Clock) {
        self.seen[warp as usize].join(clock);
    }

    pub(crate) fn synchronise_warp(&mut self, warp: u32) {
        self.seen[warp as usize].seen[warp as usize] = self.time;
        self.time += 1;
    }

    pub(crate) fn fence_proxy(&mut self, warp: u32) {
        let time = self.time;
        let clock = &mut self.seen[warp as usize];
        for (fenced, seen) in clock.fenced.iter_mut().zip(&clock.seen) {
            *fenced = (*fenced).max(*seen);
        }
        clock.fenced[warp as usize] = time;
        self.time += 1;
    }

    pub(crate) fn issue(&mut self, warp: u32) -> Clock {
        let mut clock = self.seen[warp as usize].clone();
        clock.seen[warp as usize] = self.time;
        self.time += 1;
        clock
    }

    pub(crate) fn engine_release(&mut self, engine: u32, clock: &mut Clock) {
        let actor = self.engine(engine);
        clock.resize(self.warps);
        clock.seen[actor] = self.time;
        self.time += 1;
    }

    /// The actor that stands for an engine: they come after the warps.
    fn engine(&self, engine: u32) -> usize {
        self.warps + engine as usize % ENGINES
    }

    fn conflict(&self, mark: Mark, wrote: bool) -> Conflict {
        let lane = if mark.lane == MANY { 0 } else { u32::from(mark.lane) };
        let engine = usize::from(mark.warp) >= self.warps;
        Conflict { warp: u32::from(mark.warp), lane, wrote, engine }
    }

    /// Why an operation issued with `issued` may not meet the last write of a word.
    #[inline]
    fn meets_write(&self, index: usize, issued: &Clock) -> Option<Wrong> {
        let write = self.writes[index];
        if write.time == 0 {
            return None;
        }
        let warp = usize::from(write.warp);
        if write.time > issued.seen[warp] {
            return Some(Wrong::Overwritten(self.conflict(write, true)));
        }
        if (self.copy_fences || !write.copied) && warp < self.warps && write.time > issued.fenced[warp] {
            return Some(Wrong::NoFence(self.conflict(write, true)));
        }
        None
    }

    #[inline]
    pub(crate) fn engine_read(&mut self, index: usize, issued: &Clock, actor: Actor) -> Result<(), Wrong> {
        if let Some(wrong) = self.meets_write(index, issued) {
            return Err(wrong);
        }
        let place = actor.warp as usize * self.writes.len() + index;
        let (time, lane) = (self.time, actor.lane as u8);
        self.reads[place] = Mark { time, warp: actor.warp as u8, lane, bytes: 0xF, copied: false };
        Ok(())
    }

    pub(crate) fn may_overwrite(&self, index: usize, issued: &Clock) -> Result<(), Wrong> {
        if let Some(wrong) = self.meets_write(index, issued) {
            return Err(wrong);
        }
        for warp in 0..self.warps {
            let read = self.reads[warp * self.writes.len() + index];
            if read.time > issued.seen[warp] {
                return Err(Wrong::Race(self.conflict(read, false)));
            }
        }
        Ok(())
    }

    pub(crate) fn engine_write(&mut self, index: usize, engine: u32, issued: &Clock) -> Result<(), Wrong> {
        let write = self.writes[index];
        let actor = self.engine(engine);
        let after = write.time > issued.seen[usize::from(write.warp)];
        if write.time != 0 && after && usize::from(write.warp) != actor {
            return Err(Wrong::Overwritten(self.conflict(write, true)));
        }
        self.writes[index] = Mark { time: self.time, warp: actor as u8, lane: 0, bytes: 0xF, copied: false };
        Ok(())
    }
}
