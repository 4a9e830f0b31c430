//! Accesses that a later one may still have to wait for: byte intervals of shared memory, by who made them and how they end, and stores to
//! global memory.

use super::atomic_order::SinceMeeting;
use super::global_memory::{Direction, GlobalAccess};
use super::tma_order::Unordered;
use std::ops::Range;
use tk_ir::Op;

/// The tensor maps that the kernel makes, all of them, as if they were bytes of shared memory: one warp writes a map and every thread reads it.
pub(super) const MAPS: Range<u32> = u32::MAX - 1..u32::MAX;

/// Work that goes on beside the threads until they wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// `cp.async` writes.
    Copies,
    /// Asynchronous dots read.
    Dots,
    /// TMA stores read.
    Stores,
}

/// How much of some work has been waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// All that was started.
    All,
    /// What was started first; the rest goes on.
    Some,
}

impl Work {
    /// What it does to `bytes`.
    pub(super) fn accesses(self, bytes: Vec<Range<u32>>) -> Pending {
        match self {
            Work::Copies => Pending::writes(bytes),
            Work::Dots | Work::Stores => Pending::reads(bytes),
        }
    }
}

/// Accesses since the last barrier, and what is under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) reads: Vec<Range<u32>>,
    pub(super) writes: Vec<Range<u32>>,
    /// For each kind of [`Work`], the bytes of what may not have been waited for.
    under_way: [Vec<Range<u32>>; 3],
    /// Writes of the first thread to mbarriers.
    leader: Vec<Range<u32>>,
    /// Writes of threads since the last proxy fence, also those that a barrier has followed.
    unfenced: Vec<Range<u32>>,
    /// Stores to global memory, sorted and each once.
    stored: Vec<GlobalAccess>,
    /// Loads from it.
    loaded: Vec<GlobalAccess>,
    /// Writes to it that TMA makes or has to see.
    pub(super) unordered: Unordered,
    /// What atomic operations order.
    pub(super) since_meeting: SinceMeeting,
}

impl Pending {
    pub(super) fn reads(reads: Vec<Range<u32>>) -> Self {
        Pending { reads, ..Pending::default() }
    }

    pub(super) fn writes(writes: Vec<Range<u32>>) -> Self {
        Pending { writes, ..Pending::default() }
    }

    /// Somebody must wait before `accesses`.
    pub(super) fn conflicts_with(&self, accesses: &Pending) -> bool {
        self.conflicts_with_leader(accesses)
            || overlap(&self.leader, &accesses.reads)
            || overlap(&self.leader, &accesses.writes)
    }

    /// The same for accesses of the first thread alone.
    pub(super) fn conflicts_with_leader(&self, accesses: &Pending) -> bool {
        overlap(&self.writes, &accesses.reads)
            || overlap(&self.writes, &accesses.writes)
            || overlap(&self.reads, &accesses.writes)
    }

    /// Threads wrote some of `bytes` and no fence followed.
    pub(super) fn is_unfenced(&self, bytes: &[Range<u32>]) -> bool {
        overlap(&self.unfenced, bytes)
    }

    /// Somebody reads a tensor map that the kernel makes.
    pub(super) fn reads_maps(&self) -> bool {
        overlap(&self.reads, &[MAPS])
    }

    /// Both may be pending.
    pub(super) fn add(&mut self, accesses: &Pending) {
        insert(&mut self.reads, &accesses.reads);
        insert(&mut self.writes, &accesses.writes);
        for (own, more) in self.under_way.iter_mut().zip(&accesses.under_way) {
            insert(own, more);
        }
        insert(&mut self.leader, &accesses.leader);
        insert(&mut self.unfenced, &accesses.unfenced);
        insert(&mut self.unfenced, &accesses.writes);
        self.add_global(Direction::Store, &accesses.stored);
        self.add_global(Direction::Load, &accesses.loaded);
        self.unordered.add(&accesses.unordered);
        self.since_meeting.add(accesses.since_meeting);
    }

    /// Threads access global memory.
    pub(super) fn add_global(&mut self, direction: Direction, accesses: &[GlobalAccess]) {
        let own = match direction {
            Direction::Load => &mut self.loaded,
            Direction::Store => &mut self.stored,
        };
        own.extend_from_slice(accesses);
        own.sort_unstable();
        own.dedup();
    }

    /// The loop `around` comes round again.
    pub(super) fn begin_iteration(&mut self, around: Op<'_>) {
        for accesses in [&mut self.stored, &mut self.loaded] {
            accesses.iter_mut().for_each(|access| *access = access.of_earlier_iteration(around));
            accesses.sort_unstable();
            accesses.dedup();
        }
    }

    /// Reads of some bytes, and products that read them, become reads of other bytes.
    pub(super) fn change_reads(&mut self, change: impl Fn(&Range<u32>) -> Option<Range<u32>>) {
        for reads in [&mut self.reads, &mut self.under_way[Work::Dots as usize]] {
            let changed: Vec<Range<u32>> = reads.drain(..).map(|read| change(&read).unwrap_or(read)).collect();
            insert(reads, &changed);
        }
    }

    /// What threads did to global memory since they met that an access in this direction may have to wait for.
    pub(super) fn before_global(&self, direction: Direction) -> &[GlobalAccess] {
        match direction {
            Direction::Load => &self.stored,
            Direction::Store => &self.loaded,
        }
    }

    /// An operation wrote `bytes`, let all threads meet, and read them.
    pub(super) fn add_scratch(&mut self, bytes: Range<u32>) {
        self.meet();
        insert(&mut self.unfenced, std::slice::from_ref(&bytes));
        self.reads.push(bytes);
    }

    /// The first thread writes mbarriers.
    pub(super) fn add_leader(&mut self, bytes: &[Range<u32>]) {
        insert(&mut self.leader, bytes);
    }

    /// Work on `bytes` starts.
    pub(super) fn start(&mut self, work: Work, bytes: &[Range<u32>]) {
        if work == Work::Dots {
            insert(&mut self.reads, bytes);
        }
        insert(&mut self.under_way[work as usize], bytes);
    }

    /// Work has been waited for: what it did is done by the threads that waited.
    pub(super) fn wait(&mut self, work: Work, waited: Waited) {
        let done = match waited {
            Waited::All => std::mem::take(&mut self.under_way[work as usize]),
            Waited::Some => self.under_way[work as usize].clone(),
        };
        let accesses = work.accesses(done);
        insert(&mut self.reads, &accesses.reads);
        insert(&mut self.writes, &accesses.writes);
        insert(&mut self.unfenced, &accesses.writes);
    }

    /// All threads met.
    pub(super) fn meet(&mut self) {
        self.reads.clear();
        self.writes.clear();
        self.leader.clear();
        self.stored.clear();
        self.loaded.clear();
        self.since_meeting = SinceMeeting::default();
    }

    /// What threads wrote is visible to TMA.
    pub(super) fn fence(&mut self) {
        self.unfenced.clear();
    }
}

fn overlap(a: &[Range<u32>], b: &[Range<u32>]) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.start < b.end && b.start < a.end))
}

fn insert(own: &mut Vec<Range<u32>>, more: &[Range<u32>]) {
    own.extend_from_slice(more);
    own.sort_by_key(|range| (range.start, range.end));
    own.dedup();
}
