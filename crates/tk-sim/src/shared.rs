//! Shared memory of the CTAs of one cluster, with the bytes ever written and the order of accesses. An address has the rank of its CTA in
//! its upper bits ([`crate::geometry`]).
//!
//! Asynchronous engines read and write through [`Shared::engine_read`] and [`Shared::engine_write`], which judge an access by what
//! was ordered before the operation was issued, not by what is ordered before the moment it happens to run.

use crate::clock::{Clock, FencedMemory, Mark};
use crate::geometry::RANK_SHIFT;
use crate::launch::Checks;
use crate::races::{Conflict, Races};
use crate::undefined::Source;
use again::{MOST_WRITES, Versions};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tk_diag::Code;

mod again;
pub(crate) use again::PastRead;

/// What is wrong with an access.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wrong {
    Outside,
    Unwritten,
    /// Read while a `cp.async` is about to write it.
    TooEarly,
    /// Read or written though an mbarrier lies there.
    Mbarrier,
    Race(Conflict),
    /// Written while a `cp.async` is about to write it too.
    InFlight,
    /// An engine meets a write that no proxy fence precedes.
    NoFence(Conflict),
    /// Written after the operation that accesses it was issued.
    Overwritten(Conflict),
}

impl Wrong {
    pub(crate) fn code(self) -> Code {
        match self {
            Wrong::Outside => tk_diag::OUT_OF_BOUNDS,
            Wrong::Unwritten | Wrong::TooEarly => tk_diag::UNINITIALISED,
            Wrong::Mbarrier => tk_diag::BAD_PTX,
            Wrong::Race(_) | Wrong::InFlight | Wrong::NoFence(_) | Wrong::Overwritten(_) => tk_diag::DATA_RACE,
        }
    }
}

/// Who accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    pub(crate) warp: u32,
    pub(crate) lane: u32,
}

/// The bits of an address within the memory of a CTA.
const IN_CTA: u64 = (1 << RANK_SHIFT) - 1;
/// Set in `written` for a word that a `cp.async` in flight will overwrite.
const IN_FLIGHT: u8 = 0x80;
/// What the memory of an mbarrier holds before its first use.
const UNUSED_MBARRIER: u64 = 0x7265_6972_7261_626D;
/// Set in `written`, alone, for a word of an mbarrier.
const MBARRIER: u8 = 0x40;

pub(crate) struct Shared {
    words: Vec<u32>,
    written: Vec<u8>,
    start: u32,
    words_per_cta: usize,
    check_written: bool,
    /// Bytes of words that were written with what nothing wrote.
    undefined: FxHashMap<usize, (u8, Source)>,
    races: Option<Races>,
    /// How often a word got another value.
    changes: u64,
    versions: Versions,
}

impl Shared {
    /// Memory from `start` to `end` in each of so many CTAs, which have so many warps.
    pub(crate) fn new(start: u32, end: u32, (ctas, warps): (u32, u32), checks: &Checks) -> Self {
        let words_per_cta = (end.saturating_sub(start) as usize).div_ceil(4);
        let (ctas, warps) = (ctas as usize, warps as usize);
        let races = checks.shared_races.then(|| Races::new(words_per_cta, warps, ctas, checks));
        let check_written = checks.uninitialised_shared;
        let words = words_per_cta * ctas;
        let (undefined, versions) = (FxHashMap::default(), Versions::new(words));
        let (words, written) = (vec![0xCDCD_CDCD; words], vec![0; words]);
        Self { words, written, start, words_per_cta, check_written, undefined, races, changes: 0, versions }
    }

    /// Checks that `bytes` from `address` lie inside.
    #[inline]
    pub(crate) fn inside(&self, address: u64, bytes: u32) -> bool {
        let rank = (address >> RANK_SHIFT) as usize;
        let (start, at) = (u64::from(self.start), address & IN_CTA);
        let end = self.words_per_cta as u64 * 4;
        at >= start
            && at - start + u64::from(bytes) <= end
            && (rank == 0 || rank * self.words_per_cta < self.words.len())
    }

    /// First address and size in bytes, of each CTA.
    pub(crate) fn extent(&self) -> (u32, u32) {
        (self.start, self.words_per_cta as u32 * 4)
    }

    #[inline]
    fn index(&self, address: u64) -> usize {
        let rank = (address >> RANK_SHIFT) as usize;
        rank * self.words_per_cta + (((address & IN_CTA) - u64::from(self.start)) / 4) as usize
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

    /// 16 bytes from an aligned address inside.
    #[inline]
    pub(crate) fn piece(&self, address: u64) -> [u32; 4] {
        let index = self.index(address);
        [self.words[index], self.words[index + 1], self.words[index + 2], self.words[index + 3]]
    }

    /// How often a word got another value.
    pub(crate) fn changes(&self) -> u64 {
        self.changes
    }

    #[inline]
    fn poke(&mut self, address: u64, size: u32, value: u64) {
        let index = self.index(address);
        let before = (self.words[index], if size == 8 { self.words[index + 1] } else { 0 });
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
        let after = (self.words[index], if size == 8 { self.words[index + 1] } else { 0 });
        self.changes += u64::from(before != after);
    }

    /// Why a word that is not all written cannot be read.
    #[cold]
    fn unwritten(&self, index: usize) -> Wrong {
        match self.written[index] {
            state if state & MBARRIER != 0 => Wrong::Mbarrier,
            state if state & IN_FLIGHT != 0 => Wrong::TooEarly,
            _ => Wrong::Unwritten,
        }
    }

    /// An mbarrier is initialised at an address, which is a write to it.
    pub(crate) fn place_mbarrier(&mut self, address: u64, actor: Actor) -> Result<(), Wrong> {
        self.store(address, 8, UNUSED_MBARRIER, actor, false)?;
        let first = self.index(address);
        if let Some(races) = &mut self.races {
            (first..first + 2).for_each(|index| races.forget(index));
        }
        Ok(())
    }

    /// An mbarrier is used for the first time: from now on until [`Shared::free_mbarrier`] nothing else may access its memory. Before, data
    /// may overwrite it, because compilers initialise mbarriers that they then do without. False when data has.
    pub(crate) fn claim_mbarrier(&mut self, address: u64) -> bool {
        let first = self.index(address);
        let whole = self.peek(address, 8) == UNUSED_MBARRIER;
        self.versions.advance(first..first + 2);
        self.written[first..first + 2].fill(MBARRIER);
        whole
    }

    /// The memory of an mbarrier is free again, with nothing in it, for accesses after this one.
    pub(crate) fn free_mbarrier(&mut self, address: u64, actor: Actor) {
        let first = self.index(address);
        self.versions.advance(first..first + 2);
        self.written[first..first + 2].fill(0);
        if let Some(races) = &mut self.races {
            (first..first + 2).for_each(|index| races.overwrite(index, actor));
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
                return Err(self.unwritten(index));
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
        self.store_as(address, size, value, actor, (strong, false))
    }

    /// A checked write; `copied` says that `cp.async` made it, so that no proxy fence is needed after it.
    #[inline]
    pub(crate) fn store_as(
        &mut self,
        address: u64,
        size: u32,
        value: u64,
        actor: Actor,
        (strong, copied): (bool, bool),
    ) -> Result<(), Wrong> {
        if !self.inside(address, size) {
            return Err(Wrong::Outside);
        }
        let first = self.index(address);
        let (words, mask) = span(address, size);
        self.versions.advance(first..first + words);
        let bits = if size == 8 { u64::MAX } else { (1 << (8 * size)) - 1 };
        let same = self.races.is_some() && self.peek(address, size) == value & bits;
        for index in first..first + words {
            if self.written[index] & (IN_FLIGHT | MBARRIER) != 0 {
                if self.written[index] & MBARRIER != 0 {
                    return Err(Wrong::Mbarrier);
                }
                if !copied && self.races.is_some() {
                    return Err(Wrong::InFlight);
                }
            }
            self.written[index] = self.written[index] & !IN_FLIGHT | mask;
            if let Some(races) = &mut self.races {
                let conflict = match strong {
                    true => races.atomic(index, mask, actor),
                    false => races.write(index, mask, actor, copied),
                };
                // Threads that write one value to one place do no harm, and replicated data is stored so.
                let harmless = conflict.is_some_and(|c| c.wrote) && same;
                conflict.filter(|_| !harmless).map_or(Ok(()), |conflict| Err(Wrong::Race(conflict)))?;
            }
        }
        self.poke(address, size, value);
        if !self.undefined.is_empty() {
            self.define(address, size);
        }
        Ok(())
    }

    /// Bytes from an address were written.
    fn define(&mut self, address: u64, size: u32) {
        let first = self.index(address);
        let (words, mask) = span(address, size);
        for index in first..first + words {
            let Some((bytes, _)) = self.undefined.get_mut(&index) else { continue };
            *bytes &= !mask;
            if *bytes == 0 {
                self.undefined.remove(&index);
            }
        }
    }

    /// Whether all that was written was defined.
    #[inline]
    pub(crate) fn is_defined(&self) -> bool {
        self.undefined.is_empty()
    }

    /// Where some of what is undefined comes from.
    pub(crate) fn any_source(&self) -> Option<Source> {
        self.undefined.values().next().map(|(_, source)| *source)
    }

    /// Says which of 1, 2, 4 or 8 bytes from an aligned address, which were just written, are undefined, one bit each.
    #[cold]
    pub(crate) fn set_undefined(&mut self, address: u64, size: u32, bytes: u8, source: Source) {
        let first = self.index(address);
        let bytes = u32::from(bytes) & ((1 << size) - 1);
        let bits = if size < 4 { bytes << (address & 3) } else { bytes };
        for word in 0..2 {
            let mask = (bits >> (4 * word) & 0xF) as u8;
            if mask != 0 {
                let known = self.undefined.entry(first + word).or_insert((0, source));
                *known = (known.0 | mask, source);
            }
        }
    }

    /// Which of 1, 2, 4 or 8 bytes from an aligned address are undefined though written, and where the first comes from.
    #[inline]
    pub(crate) fn undefined(&self, address: u64, size: u32) -> (u8, Source) {
        if self.undefined.is_empty() {
            return (0, Source::Predicate);
        }
        let first = self.index(address);
        let word = |index: usize| self.undefined.get(&index).copied();
        let (low, high) = (word(first), if size == 8 { word(first + 1) } else { None });
        let bits = u32::from(low.map_or(0, |w| w.0)) | u32::from(high.map_or(0, |w| w.0)) << 4;
        let bytes = if size < 4 { bits >> (address & 3) } else { bits } & ((1 << size) - 1);
        (bytes as u8, low.or(high).map_or(Source::Predicate, |w| w.1))
    }

    /// Applies an atomic update and gives the old value.
    pub(crate) fn update(
        &mut self,
        address: u64,
        size: u32,
        actor: Actor,
        f: impl Fn(u64) -> u64,
    ) -> Result<u64, Wrong> {
        if !self.inside(address, size) {
            return Err(Wrong::Outside);
        }
        let first = self.index(address);
        let (words, mask) = span(address, size);
        self.versions.advance(first..first + words);
        for index in first..first + words {
            if self.check_written && self.written[index] & mask != mask {
                return Err(self.unwritten(index));
            }
            let conflict = self.races.as_mut().and_then(|races| races.atomic(index, mask, actor));
            conflict.map_or(Ok(()), |conflict| Err(Wrong::Race(conflict)))?;
        }
        let old = self.peek(address, size);
        self.poke(address, size, f(old));
        Ok(old)
    }

    /// Says that a copy in flight will overwrite these words: until it lands, they may not be read.
    pub(crate) fn start_copy(&mut self, address: u64, bytes: u32) -> Result<(), Wrong> {
        let first = self.index(address);
        self.versions.advance(first..first + (bytes / 4) as usize);
        for index in first..first + (bytes / 4) as usize {
            if self.written[index] & MBARRIER != 0 {
                return Err(Wrong::Mbarrier);
            }
            self.written[index] = IN_FLIGHT;
        }
        Ok(())
    }

    /// Whether a `cp.async` is about to write some word of aligned bytes.
    pub(crate) fn is_in_flight(&self, address: u64, bytes: u32) -> bool {
        let first = self.index(address);
        self.written[first..first + (bytes / 4) as usize].iter().any(|state| state & IN_FLIGHT != 0)
    }

    /// What these lanes of a warp did becomes visible to a barrier or mbarrier.
    pub(crate) fn release(&mut self, warp: u32, lanes: u32, clock: &mut Clock) {
        if let Some(races) = &mut self.races {
            races.release(warp, lanes, clock);
        }
    }

    /// A relaxed arrival says that the products that a warp has waited for have read their operands.
    pub(crate) fn release_products(&mut self, warp: u32, clock: &mut Clock) {
        if let Some(races) = &mut self.races {
            races.release_products(warp, clock);
        }
    }

    /// What a barrier or mbarrier has collected becomes visible to a warp.
    pub(crate) fn acquire(&mut self, warp: u32, clock: &Clock) {
        if let Some(races) = &mut self.races {
            races.acquire(warp, clock);
        }
    }

    /// Orders the lanes of one warp.
    pub(crate) fn synchronise_warp(&mut self, warp: u32) {
        if let Some(races) = &mut self.races {
            races.synchronise_warp(warp);
        }
    }

    /// `fence.proxy.async` of these lanes: every write that is ordered before now may be met by an engine.
    pub(crate) fn fence_proxy(&mut self, warp: u32, lanes: u32, memory: FencedMemory) {
        if let Some(races) = &mut self.races {
            races.fence_proxy(warp, lanes, memory);
        }
    }

    /// All warps of a warpgroup have completed the products that a warp waits for.
    pub(crate) fn meet_group(&mut self, warp: u32) {
        if let Some(races) = &mut self.races {
            races.meet_group(warp);
        }
    }

    /// What is ordered before an operation that these lanes of a warp issue now.
    pub(crate) fn issue(&mut self, warp: u32, lanes: u32) -> Clock {
        self.races.as_mut().map_or_else(Clock::default, |races| races.issue(warp, lanes))
    }

    /// Notes that something beside the words (an mbarrier, a tensor map) is accessed now.
    pub(crate) fn stamp(&self, actor: Actor) -> Mark {
        self.races.as_ref().map_or_else(Mark::default, |races| races.stamp(actor))
    }

    /// Whose access it was when nothing orders it before now.
    pub(crate) fn unordered(&self, mark: Mark, actor: Actor) -> Option<Conflict> {
        self.races.as_ref().and_then(|races| races.unordered(mark, actor))
    }

    /// The order of the CTA's accesses, when races are looked for.
    #[inline]
    pub(crate) fn races(&self) -> Option<&Races> {
        self.races.as_ref()
    }

    /// The same, to change.
    #[inline]
    pub(crate) fn races_mut(&mut self) -> Option<&mut Races> {
        self.races.as_mut()
    }

    /// What an engine wrote becomes visible to an mbarrier.
    pub(crate) fn engine_release(&mut self, engine: u32, clock: &mut Clock) {
        if let Some(races) = &mut self.races {
            races.engine_release(engine, clock);
        }
    }

    /// Checks a read of whole words by an operation that `actor` issued when `issued` was ordered before it, and notes it as
    /// a read of that thread now. The bytes are there for [`Shared::peek`].
    #[inline]
    pub(crate) fn engine_read(
        &mut self,
        address: u64,
        bytes: u32,
        issued: &Clock,
        actor: Actor,
    ) -> Result<(), (u64, Wrong)> {
        if !self.inside(address, bytes) {
            return Err((address, Wrong::Outside));
        }
        let first = self.index(address);
        let words = first..first + (bytes / 4) as usize;
        let at = |index: usize| address + 4 * (index - first) as u64;
        if self.check_written
            && !all_written(&self.written[words.clone()])
            && let Some(hole) = words.clone().find(|index| self.written[*index] & 0xF != 0xF)
        {
            return Err((at(hole), self.unwritten(hole)));
        }
        let races = self.races.as_mut();
        races
            .map_or(Ok(()), |races| races.engine_read(words, issued, actor))
            .map_err(|(index, wrong)| (at(index), wrong))
    }

    /// Says that an engine will overwrite whole words: until then they may not be read. An error when an access before it is not
    /// ordered before `issued`.
    pub(crate) fn start_engine_write(&mut self, address: u64, bytes: u32, issued: &Clock) -> Result<(), (u64, Wrong)> {
        if !self.inside(address, bytes) {
            return Err((address, Wrong::Outside));
        }
        let first = self.index(address);
        let words = first..first + (bytes / 4) as usize;
        let at = |index: usize| address + 4 * (index - first) as u64;
        self.versions.advance(words.clone());
        for index in words.clone() {
            if self.written[index] & MBARRIER != 0 {
                return Err((at(index), Wrong::Mbarrier));
            }
            if self.written[index] & IN_FLIGHT != 0 && self.races.is_some() {
                return Err((at(index), Wrong::InFlight));
            }
            self.written[index] = IN_FLIGHT;
        }
        let races = self.races.as_ref();
        races.map_or(Ok(()), |races| races.may_overwrite(words, issued)).map_err(|(index, wrong)| (at(index), wrong))
    }

    /// A write of whole words by an engine, started by [`Shared::start_engine_write`].
    pub(crate) fn engine_write(
        &mut self,
        address: u64,
        words: &[u32],
        engine: u32,
        issued: &Clock,
    ) -> Result<(), (u64, Wrong)> {
        let first = self.index(address);
        let all = first..first + words.len();
        self.versions.advance(all.clone());
        if let Some(races) = &mut self.races {
            let at = |index: usize| address + 4 * (index - first) as u64;
            races.engine_write(all.clone(), engine, issued).map_err(|(index, wrong)| (at(index), wrong))?;
        }
        self.words[all.clone()].copy_from_slice(words);
        self.written[all.clone()].fill(0xF);
        self.changes += words.len() as u64;
        if !self.undefined.is_empty() {
            all.for_each(|index| _ = self.undefined.remove(&index));
        }
        Ok(())
    }
}

/// Whether all bytes of words were written.
#[inline]
fn all_written(states: &[u8]) -> bool {
    let (eights, rest) = states.as_chunks::<8>();
    let both = |all: u64, states: u64| all & states;
    let eights = eights.iter().map(|eight| u64::from_le_bytes(*eight)).fold(u64::MAX, both);
    let rest = rest.iter().fold(0xF, |all, state| all & state);
    eights & 0x0F0F_0F0F_0F0F_0F0F == 0x0F0F_0F0F_0F0F_0F0F && rest & 0xF == 0xF
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

impl Shared {
    /// Remembers a read of pieces of 16 bytes.
    pub(crate) fn remember(&self, mut pieces: Vec<u64>) -> PastRead {
        pieces.sort_unstable();
        let mut runs: Vec<Range<usize>> = Vec::new();
        for at in pieces {
            let first = self.index(at);
            match runs.last_mut() {
                Some(run) if (run.start..=run.end).contains(&first) => run.end = run.end.max(first + 4),
                _ => runs.push(first..first + 4),
            }
        }
        let extent = runs.first().map_or(0, |run| run.start)..runs.last().map_or(0, |run| run.end);
        let writes = self.races.as_ref().map_or(Some(Vec::new()), |races| races.writes_in(&runs, MOST_WRITES));
        let version = self.versions.sum(&extent);
        PastRead { runs, extent, writes, version }
    }

    /// Whether nothing was written since where a read was.
    pub(crate) fn is_unchanged(&self, read: &PastRead) -> bool {
        self.versions.sum(&read.extent) == read.version
    }

    /// Makes a read again for another operation, as [`Shared::engine_read`] would. False when that has to tell what is wrong, or whether.
    pub(crate) fn read_again(&mut self, read: &PastRead, issued: &Clock, actor: Actor) -> bool {
        let Some(writes) = read.writes.as_ref().filter(|_| self.is_unchanged(read)) else { return false };
        let Some(races) = &mut self.races else { return true };
        if !races.may_meet(writes, issued) {
            return false;
        }
        read.runs.iter().for_each(|run| races.note_engine_read(run.clone(), actor));
        true
    }
}
