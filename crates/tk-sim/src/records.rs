//! Who accessed global memory: a table of the accesses of a launch, which words of memory refer to by number.
//!
//! An access is an instruction that a warp executes between two synchronisations; repeated ones share a number. Several workers add
//! and look up at the same time.

use crate::memory_order::{MemoryOrder, MemoryScope};
use rustc_hash::FxHashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

const CHUNK: u32 = 1 << 14;
/// Most chunks, so 1 GiB at most. Accesses beyond are not followed: races are missed, and none is invented.
const CHUNKS: u32 = 1 << 12;

/// How strongly an access is ordered with others that meet it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    Weak,
    /// Atomic or volatile, for the threads of the CTA.
    Cta,
    /// Atomic or volatile, for all threads.
    Wide,
}

impl Strength {
    pub(crate) fn new(order: MemoryOrder, scope: MemoryScope) -> Self {
        match (order, scope) {
            (MemoryOrder::Weak, _) => Strength::Weak,
            (_, MemoryScope::Cta) => Strength::Cta,
            (_, MemoryScope::Wide) => Strength::Wide,
        }
    }
}

/// An access of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) cta: u32,
    pub(crate) warp: u8,
    /// As the CTA counts time.
    pub(crate) time: u32,
    pub(crate) pc: u32,
    pub(crate) strength: Strength,
    /// Made by a bulk copy, for its warp.
    pub(crate) by_engine: bool,
    /// Its thread has waited for the copy.
    pub(crate) waited: bool,
    /// Whose place in clocks it has: its warp's, or that of the mbarrier which says that the copy is over.
    pub(crate) actor: u8,
}

#[derive(Default)]
struct Cell {
    cta_and_time: AtomicU64,
    rest: AtomicU64,
}

/// Which instructions of a program that access global memory the warps of a CTA have executed.
#[derive(Default)]
pub(crate) struct Executed(FxHashSet<(u8, u32)>);

impl Executed {
    pub(crate) fn add(&mut self, warp: u8, pc: u32) {
        self.0.insert((warp, pc));
    }

    pub(crate) fn has(&self, warp: u8, pc: u32) -> bool {
        self.0.contains(&(warp, pc))
    }
}

/// The table. Number 0 is no access.
pub(crate) struct Records {
    chunks: Box<[OnceLock<Box<[Cell]>>]>,
    next: AtomicU32,
}

impl Records {
    pub(crate) fn new() -> Self {
        Self { chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(), next: AtomicU32::new(1) }
    }

    /// The number of a new access; nothing when the table is full.
    pub(crate) fn add(&self, record: Record) -> Option<u32> {
        let full = |next: u32| (next < CHUNK * CHUNKS).then_some(next + 1);
        let number = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, full).ok()?;
        let chunk =
            self.chunks[(number / CHUNK) as usize].get_or_init(|| (0..CHUNK).map(|_| Cell::default()).collect());
        let cell = &chunk[(number % CHUNK) as usize];
        let strength = match record.strength {
            Strength::Weak => 0,
            Strength::Cta => 1,
            Strength::Wide => 2,
        };
        cell.cta_and_time.store(u64::from(record.time) << 32 | u64::from(record.cta), Ordering::Relaxed);
        let flags = u64::from(record.waited) << 3 | u64::from(record.by_engine) << 2 | strength;
        let whose = u64::from(record.actor) << 16 | u64::from(record.warp) << 8;
        let rest = u64::from(record.pc) << 32 | whose | flags;
        // Others get the number through the lock of a page, after this.
        cell.rest.store(rest, Ordering::Release);
        Some(number)
    }

    /// No access can be added.
    pub(crate) fn is_full(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= CHUNK * CHUNKS
    }

    /// The access of a number that [`Records::add`] gave.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Record {
        let cell = self.chunks[(number / CHUNK) as usize].get().map(|chunk| &chunk[(number % CHUNK) as usize]);
        let (place, rest) =
            cell.map_or((0, 0), |cell| (cell.cta_and_time.load(Ordering::Relaxed), cell.rest.load(Ordering::Acquire)));
        Record {
            cta: place as u32,
            time: (place >> 32) as u32,
            pc: (rest >> 32) as u32,
            warp: (rest >> 8) as u8,
            strength: match rest & 3 {
                0 => Strength::Weak,
                1 => Strength::Cta,
                _ => Strength::Wide,
            },
            by_engine: rest >> 2 & 1 == 1,
            waited: rest >> 3 & 1 == 1,
            actor: (rest >> 16) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_found() {
        let records = Records::new();
        let strengths = [Strength::Weak, Strength::Cta, Strength::Wide];
        let record = |i: u32| Record {
            cta: u32::MAX - i,
            warp: (i % 32) as u8,
            time: i.wrapping_mul(77_777),
            pc: i * 3,
            strength: strengths[i as usize % 3],
            by_engine: i.is_multiple_of(5),
            waited: i.is_multiple_of(7),
            actor: (i % 251) as u8,
        };
        let numbers: Vec<u32> = (0..40_000).map(|i| records.add(record(i)).unwrap()).collect();
        for (i, number) in numbers.into_iter().enumerate() {
            let (found, wanted) = (records.get(number), record(i as u32));
            assert!(number > 0);
            assert_eq!(found, wanted);
        }
    }
}
