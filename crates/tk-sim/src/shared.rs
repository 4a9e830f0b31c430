//! Shared memory of one CTA, with the bytes ever written and the order of accesses.
//!
//! Race detection keeps, for each word, who wrote it last and when each warp last read it; "when" counts synchronisations of
//! the CTA. A vector clock per warp says which accesses of other warps are ordered before now (FastTrack, Flanagan and Freund
//! 2009, at warp granularity). One write per word is remembered, so a race on bytes of one word may be missed; none is invented.

use tk_diag::Code;

/// Whose access met whose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict {
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    pub(crate) wrote: bool,
}

/// What is wrong with an access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrong {
    Outside,
    Unwritten { in_flight: bool },
    Race(Conflict),
}

impl Wrong {
    pub(crate) fn code(self) -> Code {
        match self {
            Wrong::Outside => tk_diag::OUT_OF_BOUNDS,
            Wrong::Unwritten { .. } => tk_diag::UNINITIALISED,
            Wrong::Race(_) => tk_diag::DATA_RACE,
        }
    }
}

/// Who accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    pub(crate) warp: u32,
    pub(crate) lane: u32,
}

#[derive(Clone, Copy, Default)]
struct Mark {
    /// 1 + the time; 0 for never.
    time: u32,
    warp: u8,
    /// `MANY` when several lanes read.
    lane: u8,
    bytes: u8,
}

const MANY: u8 = 0xFF;
/// Set in `written` for a word that a `cp.async` in flight will overwrite.
const IN_FLIGHT: u8 = 0x80;

/// Vector clock of one warp, barrier or mbarrier.
pub(crate) type Clock = Vec<u32>;

pub(crate) struct Shared {
    words: Vec<u32>,
    written: Vec<u8>,
    start: u32,
    check_written: bool,
    races: Option<Races>,
}

struct Races {
    warps: usize,
    time: u32,
    seen: Vec<Clock>,
    writes: Vec<Mark>,
    reads: Vec<Mark>,
}

impl Shared {
    /// Memory from `start` to `end`, for so many warps.
    pub(crate) fn new(start: u32, end: u32, warps: usize, check_written: bool, check_races: bool) -> Self {
        let words = (end.saturating_sub(start) as usize).div_ceil(4);
        let races = check_races.then(|| Races {
            warps,
            time: 1,
            seen: vec![vec![0; warps]; warps],
            writes: vec![Mark::default(); words],
            reads: vec![Mark::default(); words * warps],
        });
        Self { words: vec![0xCDCD_CDCD; words], written: vec![0; words], start, check_written, races }
    }

    /// Checks that `bytes` from `address` lie inside.
    #[inline]
    pub(crate) fn inside(&self, address: u64, bytes: u32) -> bool {
        let start = u64::from(self.start);
        address >= start && address - start + u64::from(bytes) <= self.words.len() as u64 * 4
    }

    /// First address and size in bytes.
    pub(crate) fn extent(&self) -> (u32, u32) {
        (self.start, self.words.len() as u32 * 4)
    }

    #[inline]
    fn index(&self, address: u64) -> usize {
        ((address - u64::from(self.start)) / 4) as usize
    }

    /// Reads 1, 2, 4 or 8 bytes from an aligned address inside.
    #[inline]
    pub(crate) fn peek(&self, address: u64, size: u32) -> u64 {
        let index = self.index(address);
        let word = self.words[index];
        match size {
            4 => u64::from(word),
            8 => u64::from(self.words[index + 1]) << 32 | u64::from(word),
            2 => u64::from(word >> (8 * (address & 2)) & 0xFFFF),
            _ => u64::from(word >> (8 * (address & 3)) & 0xFF),
        }
    }

    #[inline]
    fn poke(&mut self, address: u64, size: u32, value: u64) {
        let index = self.index(address);
        match size {
            4 => self.words[index] = value as u32,
            8 => {
                self.words[index] = value as u32;
                self.words[index + 1] = (value >> 32) as u32;
            }
            _ => {
                let shift = 8 * (address & 3) as u32;
                let mask = (if size == 2 { 0xFFFF } else { 0xFFu32 }) << shift;
                self.words[index] = self.words[index] & !mask | (value as u32) << shift & mask;
            }
        }
    }

    /// A checked read of an aligned address.
    #[inline]
    pub(crate) fn load(&mut self, address: u64, size: u32, actor: Actor, strong: bool) -> Result<u64, Wrong> {
        if !self.inside(address, size) {
            return Err(Wrong::Outside);
        }
        let first = self.index(address);
        let (words, mask) = span(address, size);
        for index in first..first + words {
            if self.check_written && self.written[index] & mask != mask {
                return Err(Wrong::Unwritten { in_flight: self.written[index] & IN_FLIGHT != 0 });
            }
            if let Some(races) = self.races.as_mut().filter(|_| !strong) {
                races.read(index, mask, actor).map_or(Ok(()), |conflict| Err(Wrong::Race(conflict)))?;
            }
        }
        Ok(self.peek(address, size))
    }

    /// A checked write to an aligned address.
    #[inline]
    pub(crate) fn store(
        &mut self,
        address: u64,
        size: u32,
        value: u64,
        actor: Actor,
        strong: bool,
    ) -> Result<(), Wrong> {
        if !self.inside(address, size) {
            return Err(Wrong::Outside);
        }
        let first = self.index(address);
        let (words, mask) = span(address, size);
        let bits = if size == 8 { u64::MAX } else { (1 << (8 * size)) - 1 };
        let same = self.races.is_some() && self.peek(address, size) == value & bits;
        for index in first..first + words {
            self.written[index] = self.written[index] & !IN_FLIGHT | mask;
            if let Some(races) = self.races.as_mut().filter(|_| !strong) {
                let conflict = races.write(index, mask, actor);
                // Threads that write one value to one place do no harm, and replicated data is stored so.
                let harmless = conflict.is_some_and(|c| c.wrote) && same;
                conflict.filter(|_| !harmless).map_or(Ok(()), |conflict| Err(Wrong::Race(conflict)))?;
            }
        }
        self.poke(address, size, value);
        Ok(())
    }

    /// Applies an atomic update and gives the old value.
    pub(crate) fn update(&mut self, address: u64, size: u32, f: impl Fn(u64) -> u64) -> Result<u64, Wrong> {
        if !self.inside(address, size) {
            return Err(Wrong::Outside);
        }
        let first = self.index(address);
        let (words, mask) = span(address, size);
        for index in first..first + words {
            if self.check_written && self.written[index] & mask != mask {
                return Err(Wrong::Unwritten { in_flight: self.written[index] & IN_FLIGHT != 0 });
            }
        }
        let old = self.peek(address, size);
        self.poke(address, size, f(old));
        Ok(old)
    }

    /// Says that a copy in flight will overwrite these words: until it lands, they may not be read.
    pub(crate) fn start_copy(&mut self, address: u64, bytes: u32) {
        let first = self.index(address);
        for index in first..first + (bytes / 4) as usize {
            self.written[index] = IN_FLIGHT;
        }
    }

    /// What one warp did becomes visible to a barrier or mbarrier.
    pub(crate) fn release(&mut self, warp: u32, clock: &mut Clock) {
        let Some(races) = &mut self.races else { return };
        clock.resize(races.warps, 0);
        for (mine, theirs) in clock.iter_mut().zip(&races.seen[warp as usize]) {
            *mine = (*mine).max(*theirs);
        }
        clock[warp as usize] = races.time;
        races.time += 1;
    }

    /// What a barrier or mbarrier has collected becomes visible to a warp.
    pub(crate) fn acquire(&mut self, warp: u32, clock: &Clock) {
        let Some(races) = &mut self.races else { return };
        for (mine, theirs) in races.seen[warp as usize].iter_mut().zip(clock) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Orders the lanes of one warp.
    pub(crate) fn synchronise_warp(&mut self, warp: u32) {
        let Some(races) = &mut self.races else { return };
        races.seen[warp as usize][warp as usize] = races.time;
        races.time += 1;
    }
}

/// How many words an access covers, and which bytes of each.
#[inline]
fn span(address: u64, size: u32) -> (usize, u8) {
    match size {
        8 => (2, 0xF),
        4 => (1, 0xF),
        _ => (1, ((1u8 << size) - 1) << (address & 3)),
    }
}

impl Races {
    #[inline]
    fn ordered(&self, mark: Mark, warp: u32, actor: Actor) -> bool {
        let same = warp == actor.warp && u32::from(mark.lane) == actor.lane;
        mark.time == 0 || same || mark.time <= self.seen[actor.warp as usize][warp as usize]
    }

    #[inline]
    fn read(&mut self, index: usize, mask: u8, actor: Actor) -> Option<Conflict> {
        let write = self.writes[index];
        let warp = u32::from(write.warp);
        if write.bytes & mask != 0 && !self.ordered(write, warp, actor) {
            return Some(Conflict { warp, lane: u32::from(write.lane), wrote: true });
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
        *read = Mark { time, warp: actor.warp as u8, lane, bytes };
        None
    }

    #[inline]
    fn write(&mut self, index: usize, mask: u8, actor: Actor) -> Option<Conflict> {
        let write = self.writes[index];
        let warp = u32::from(write.warp);
        if write.bytes & mask != 0 && !self.ordered(write, warp, actor) {
            return Some(Conflict { warp, lane: u32::from(write.lane), wrote: true });
        }
        for warp in 0..self.warps {
            let read = self.reads[warp * self.writes.len() + index];
            if read.bytes & mask != 0 && !self.ordered(read, warp as u32, actor) {
                let lane = if read.lane == MANY { 0 } else { u32::from(read.lane) };
                return Some(Conflict { warp: warp as u32, lane, wrote: false });
            }
        }
        self.writes[index] = Mark { time: self.time, warp: actor.warp as u8, lane: actor.lane as u8, bytes: mask };
        None
    }
}
