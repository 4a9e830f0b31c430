//! Which accesses to global memory are ordered, and which race.
//!
//! Each word that was touched knows its last write and two reads, of two CTAs where there are two: by number of [`Records`], which say
//! when and by which warp. Two accesses of one warp count as ordered; others are ordered by the clock of the warp
//! ([`crate::races`]), which learns of other CTAs through releases and acquires of global memory. Of atomic updates that nothing orders
//! two are known, the last and one before. What is remembered of a word is little, so a race may be missed; none is invented. Memory that no thread touches costs nothing.
//!
//! Let pass: a write of the value that the memory has, with reads and with such writes (programs that write one value to one
//! place do no harm, and what they read back is that value); two atomic or volatile accesses whose scopes hold each other; loads that
//! several warps of a CTA make by the same instructions, when one of these warps then stores.

use crate::clock::{Clock, Foreign, MANY, Mark};
use crate::memory::{DeviceMemory, Saved};
use crate::memory_order::MemoryScope;
use crate::records::{Executed, Record, Records, Strength};
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Words of a page.
const PAGE_WORDS: usize = 1024;
/// Which bits of an address are within a page.
const PAGE_BITS: u32 = 12;
const SHARDS: usize = 256;

/// The memory kept the value it had.
const SILENT: u8 = 1;
/// Several warps of one CTA wrote the value.
const WARPS: u8 = 2;
/// Several CTAs did.
const CTAS: u8 = 4;

/// What two accesses do that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clash {
    /// Both write, different values.
    Writes,
    /// A read of what the other wrote.
    ReadOfWritten,
    /// A write of what the other read.
    WriteOfRead,
    /// `ld.global.nc` of what the kernel wrote.
    Constant,
    /// A bulk copy meets what a thread wrote, and no proxy fence is between them.
    NoFence,
}

/// The access that another one meets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met {
    pub(crate) clash: Clash,
    pub(crate) other: Record,
}

/// An access that is going on.
pub(crate) struct Accessor<'a> {
    pub(crate) number: u32,
    pub(crate) record: Record,
    /// What is ordered before it.
    pub(crate) clock: &'a Clock,
    pub(crate) records: &'a Records,
    /// What the warps of its CTA have executed; nothing for engines.
    pub(crate) executed: Option<&'a Executed>,
}

impl Accessor<'_> {
    /// Whether nothing is wrong with these two meeting.
    fn may_meet(&self, other: &Record) -> bool {
        let (mine, mark) = (&self.record, mark(other));
        if other.cta == mine.cta {
            let strong = mine.strength != Strength::Weak && other.strength != Strength::Weak;
            // A warp is behind what its threads did, bulk copies that it has waited for among it.
            let behind = !mine.by_engine && (!other.by_engine || other.waited);
            return strong || behind && other.warp == mine.warp || self.has_seen(&other.actor, mark);
        }
        mine.strength == Strength::Wide && other.strength == Strength::Wide
            || self.clock.foreign.covers(other.cta, mark)
    }

    /// An atomic or volatile access, which may meet others.
    fn is_update(&self) -> bool {
        self.record.strength != Strength::Weak
    }

    /// Whether something orders another access before this one.
    fn is_after(&self, other: &Record) -> bool {
        let mark = mark(other);
        match other.cta == self.record.cta {
            true => other.warp == self.record.warp || self.has_seen(&other.actor, mark),
            false => self.clock.foreign.covers(other.cta, mark),
        }
    }

    fn has_seen(&self, actor: &u8, mark: Mark) -> bool {
        self.clock.seen.get(usize::from(*actor)).is_some_and(|until| until.covers(mark))
    }

    /// Whether this is a bulk copy that a write of a thread is not handed over to.
    fn lacks_fence(&self, other: &Record) -> bool {
        let mark = mark(other);
        let is_handed = || match other.cta == self.record.cta {
            true => self.clock.handed.get(usize::from(other.actor)).is_some_and(|until| until.covers(mark)),
            false => self.clock.foreign.hands(other.cta, mark),
        };
        let strong = self.record.strength != Strength::Weak && other.strength != Strength::Weak;
        self.record.by_engine && !other.by_engine && !strong && !is_handed()
    }
}

fn mark(record: &Record) -> Mark {
    Mark { time: record.time, warp: record.actor, lane: MANY, bytes: 0xF, copied: false }
}

/// What is known of four bytes.
#[derive(Clone, Copy, Default)]
struct Word {
    /// Numbers of accesses.
    write: u32,
    /// An atomic update that nothing orders before `write`, which is one too; or 0.
    earlier: u32,
    reads: [u32; 2],
    /// Which bytes they touched.
    write_bytes: u8,
    read_bytes: [u8; 2],
    state: u8,
    /// Which warps read it by which instructions, of the CTA of the first read.
    readers: Readers,
}

/// Warps with the instructions by which they read a word: a bit for each pair, which others may share. So one that has read is always found, and one
/// that has not is mostly not.
#[derive(Clone, Copy, Default)]
struct Readers([u32; 2]);

impl Readers {
    #[inline]
    fn add(&mut self, warp: u8, pc: u32) {
        let (half, bit) = Self::place(warp, pc);
        self.0[half] |= bit;
    }

    #[inline]
    fn has(self, warp: u8, pc: u32) -> bool {
        let (half, bit) = Self::place(warp, pc);
        self.0[half] & bit != 0
    }

    /// Multiplied by 2^32 over the golden ratio, neighboring pairs are far from each other in the upper bits.
    #[inline]
    fn place(warp: u8, pc: u32) -> (usize, u32) {
        let mixed = (pc << 5 ^ u32::from(warp)).wrapping_mul(0x9E37_79B9) >> 26;
        ((mixed >> 5) as usize, 1 << (mixed & 31))
    }
}

impl Word {
    fn is_touched(&self) -> bool {
        self.write != 0 || self.reads[0] != 0
    }

    #[inline]
    fn read(&mut self, bytes: u8, by: &Accessor<'_>, constant: bool) -> Result<(), Met> {
        self.meets_write(bytes, by, constant)?;
        self.note_read(bytes, by, |number| by.records.get(number).cta);
        Ok(())
    }

    #[inline]
    fn meets_write(&self, bytes: u8, by: &Accessor<'_>, constant: bool) -> Result<(), Met> {
        if self.write_bytes & bytes != 0 && self.state & SILENT == 0 && self.write != by.number {
            let other = by.records.get(self.write);
            if constant {
                return Err(Met { clash: Clash::Constant, other });
            }
            let same_value = self.state & CTAS != 0 || self.state & WARPS != 0 && other.cta == by.record.cta;
            if !same_value && !by.may_meet(&other) && !self.is_replicated(&other, &by.record, by) {
                return Err(Met { clash: Clash::ReadOfWritten, other });
            }
            if !same_value && by.lacks_fence(&other) {
                return Err(Met { clash: Clash::NoFence, other });
            }
            self.meets_earlier(by, Clash::ReadOfWritten)?;
        }
        Ok(())
    }

    /// `cta_of` says whose an access is.
    #[inline]
    fn note_read(&mut self, bytes: u8, by: &Accessor<'_>, cta_of: impl FnOnce(u32) -> u32) {
        for i in 0..2 {
            if self.reads[i] == by.number {
                self.read_bytes[i] |= bytes;
                return;
            }
        }
        if self.reads[0] != 0 && cta_of(self.reads[0]) != by.record.cta {
            (self.reads[1], self.read_bytes[1]) = (self.reads[0], self.read_bytes[0]);
            self.readers = Readers::default();
        }
        if !by.record.by_engine {
            self.readers.add(by.record.warp, by.record.pc);
        }
        (self.reads[0], self.read_bytes[0]) = (by.number, bytes);
    }

    /// Compilers let all warps load what one of them then stores, such as a counter, and use only that one's value. So a read is let pass
    /// where the writer, of the same CTA, read the word too, by the instruction of the read. That it read the word by another one says nothing:
    /// two loads of one block may give each word to other threads.
    fn is_replicated(&self, writer: &Record, reader: &Record, by: &Accessor<'_>) -> bool {
        let reads_are_of = |cta: u32| self.reads[0] != 0 && by.records.get(self.reads[0]).cta == cta;
        writer.cta == reader.cta
            && self.readers.has(writer.warp, reader.pc)
            && reads_are_of(writer.cta)
            && by.executed.is_some_and(|executed| executed.has(writer.warp, reader.pc))
    }

    /// `same`: the memory has the value already.
    fn write(&mut self, bytes: u8, by: &Accessor<'_>, same: bool) -> Result<(), Met> {
        let mut state = if same { SILENT } else { 0 };
        if self.write == by.number {
            if !same {
                self.state &= !SILENT;
            }
            self.write_bytes |= bytes;
            return self.meets_reads(bytes, by, same);
        }
        if self.write_bytes & bytes != 0 {
            let other = by.records.get(self.write);
            let here = other.cta == by.record.cta;
            if !by.may_meet(&other) {
                if !same {
                    return Err(Met { clash: Clash::Writes, other });
                }
                state = self.state | if here { WARPS } else { CTAS };
            } else if self.earlier != 0 && !by.is_update() {
                self.meets_earlier(by, Clash::Writes)?;
            } else if !same && self.state & SILENT == 0 && by.lacks_fence(&other) {
                return Err(Met { clash: Clash::NoFence, other });
            } else if same && here && other.warp == by.record.warp {
                state = self.state;
            }
        }
        self.meets_reads(bytes, by, same)?;
        self.keep_earlier(by);
        (self.write, self.write_bytes, self.state) = (by.number, bytes, state);
        Ok(())
    }

    /// Whether an atomic update that the last write did not follow is ordered before this access.
    fn meets_earlier(&self, by: &Accessor<'_>, clash: Clash) -> Result<(), Met> {
        if self.earlier == 0 || self.earlier == by.number {
            return Ok(());
        }
        let other = by.records.get(self.earlier);
        if by.may_meet(&other) { Ok(()) } else { Err(Met { clash, other }) }
    }

    /// Before this access becomes the last write: of the updates that nothing orders before it one is kept.
    fn keep_earlier(&mut self, by: &Accessor<'_>) {
        let is_unordered = |number: u32| number != 0 && number != by.number && !by.is_after(&by.records.get(number));
        if !is_unordered(self.earlier) {
            self.earlier = if by.is_update() && is_unordered(self.write) { self.write } else { 0 };
        }
    }

    fn meets_reads(&self, bytes: u8, by: &Accessor<'_>, same: bool) -> Result<(), Met> {
        if same {
            return Ok(());
        }
        for i in 0..2 {
            if self.read_bytes[i] & bytes != 0 && self.reads[i] != by.number {
                let other = by.records.get(self.reads[i]);
                if !by.may_meet(&other) && !self.is_replicated(&by.record, &other, by) {
                    return Err(Met { clash: Clash::WriteOfRead, other });
                }
            }
        }
        Ok(())
    }
}

/// The words of a page.
pub(crate) struct Page {
    words: Box<[Word; PAGE_WORDS]>,
    /// What the memory held before the launch touched it; nothing where nobody will ask.
    before: Option<Saved>,
}

impl Page {
    fn new(before: Option<Saved>) -> Self {
        Self { words: Box::new([Word::default(); PAGE_WORDS]), before }
    }

    /// A read of 1, 2, 4 or 8 bytes at an aligned address of this page.
    #[inline]
    pub(crate) fn read(&mut self, address: u64, size: u32, by: &Accessor<'_>, constant: bool) -> Result<(), Met> {
        let (first, count, bytes) = span(address, size);
        self.words[first..first + count].iter_mut().try_for_each(|word| word.read(bytes, by, constant))
    }

    /// Reads of whole words from an address on; the first that is wrong. Neighbours were mostly read by the same access before.
    pub(crate) fn read_words(&mut self, address: u64, words: usize, by: &Accessor<'_>) -> Result<(), (Met, u64)> {
        let (first, ..) = span(address, 4);
        let mut known = (0, 0);
        for (i, word) in self.words[first..first + words].iter_mut().enumerate() {
            word.meets_write(0xF, by, false).map_err(|met| (met, address + 4 * i as u64))?;
            word.note_read(0xF, by, |number| {
                if known.0 != number {
                    known = (number, by.records.get(number).cta);
                }
                known.1
            });
        }
        Ok(())
    }

    /// A write, or an atomic update.
    #[inline]
    pub(crate) fn write(&mut self, address: u64, size: u32, by: &Accessor<'_>, same: bool) -> Result<(), Met> {
        let (first, count, bytes) = span(address, size);
        self.words[first..first + count].iter_mut().try_for_each(|word| word.write(bytes, by, same))
    }
}

/// First word in its page, number of words, and which bytes of each.
#[inline]
fn span(address: u64, size: u32) -> (usize, usize, u8) {
    let first = (address / 4) as usize % PAGE_WORDS;
    match size {
        8 => (first, 2, 0xF),
        4 => (first, 1, 0xF),
        _ => (first, 1, ((1u8 << size) - 1) << (address & 3)),
    }
}

type Pages = FxHashMap<u64, Page>;
/// What releases left at an address, for threads of a CTA or for all.
type Releases = FxHashMap<ReleaseKey, Foreign>;

/// Where a release is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ReleaseKey {
    pub(crate) address: u64,
    /// Only for threads of this CTA.
    pub(crate) cta: Option<u32>,
}

impl ReleaseKey {
    pub(crate) fn new(address: u64, scope: MemoryScope, cta: u32) -> Self {
        Self { address, cta: (scope == MemoryScope::Cta).then_some(cta) }
    }
}

/// What a launch knows of its accesses to global memory.
pub(crate) struct GlobalRaces {
    pub(crate) records: Records,
    /// Pages know what their memory held before.
    saves: bool,
    pages: Box<[Mutex<Pages>]>,
    releases: Box<[Mutex<Releases>]>,
}

impl GlobalRaces {
    pub(crate) fn new() -> Self {
        Self {
            records: Records::new(),
            saves: false,
            pages: (0..SHARDS).map(|_| Mutex::default()).collect(),
            releases: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    /// The same, for a launch that may have to be undone.
    pub(crate) fn saving() -> Self {
        Self { saves: true, ..Self::new() }
    }

    /// What the memory that was touched held before the launch; nothing where that is not known of all of it.
    pub(crate) fn into_memory(self) -> Option<Vec<Saved>> {
        let is_known = self.saves && !self.records.is_full();
        let pages = self.pages.into_iter().map(|pages| pages.into_inner().unwrap_or_else(PoisonError::into_inner));
        is_known.then(|| pages.flat_map(Pages::into_values).filter_map(|page| page.before).collect())
    }

    /// How many sectors of 32 bytes were accessed; nothing where not all accesses are known.
    pub(crate) fn touched_sectors(&self) -> Option<u64> {
        let in_page = |page: &Page| page.words.chunks(8).filter(|sector| sector.iter().any(Word::is_touched)).count();
        let in_shard = |pages: &Mutex<Pages>| locked(pages).values().map(in_page).sum::<usize>();
        (!self.records.is_full()).then(|| self.pages.iter().map(in_shard).sum::<usize>() as u64)
    }

    /// The page of an address.
    #[inline]
    pub(crate) fn page_of(address: u64) -> u64 {
        address >> PAGE_BITS
    }

    /// The first address behind the page of one.
    #[inline]
    pub(crate) fn end_of_page(address: u64) -> u64 {
        (Self::page_of(address) + 1) << PAGE_BITS
    }

    /// Calls `f` with a page of this memory, which no other worker has meanwhile.
    #[inline]
    pub(crate) fn with_page<T>(&self, memory: &DeviceMemory, page: u64, f: impl FnOnce(&mut Page) -> T) -> T {
        let mut pages = locked(&self.pages[page as usize % SHARDS]);
        let addresses = || page << PAGE_BITS..(page + 1) << PAGE_BITS;
        let saved = || if self.saves { memory.save(addresses()) } else { None };
        f(pages.entry(page).or_insert_with(|| Page::new(saved())))
    }

    /// The releases at an address, with those of neighbours: nobody else reads or writes there meanwhile in an ordered way.
    pub(crate) fn releases(&self, address: u64) -> MutexGuard<'_, Releases> {
        locked(&self.releases[(address / 4) as usize % SHARDS])
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
