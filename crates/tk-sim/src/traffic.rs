//! What the CTAs of a launch asked of global memory, in the order of each, for the model of caches. Kept only when it is asked for.

use crate::lanes::{Lanes, lanes_of};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most lines that are kept, of all CTAs together: 1 GiB.
const MOST_ENTRIES: u64 = 1 << 26;
const LINE_BYTES: u64 = 128;
const SECTOR_BYTES: u64 = 32;
/// Most lanes of a request, each of which may have a line of its own.
const LANES: usize = 32;

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Read,
    /// A read that does not look into L1: of bulk copies, with `.cg` and the like, and ordered ones.
    ReadPastL1,
    Write,
    /// An atomic.
    Update,
}

/// An instruction that asks, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// The number of its counters.
    pub(crate) site: u32,
    pub(crate) direction: Direction,
}

/// Sectors of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Address over 128.
    pub(crate) line: u64,
    pub(crate) site: u32,
    /// One bit each.
    pub(crate) sectors: u8,
    pub(crate) direction: Direction,
    /// It is the first of its request.
    pub(crate) begins: bool,
}

/// What a cluster of CTAs asked.
#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) entries: Vec<Entry>,
}

impl Trace {
    /// Adds what the active lanes of a warp ask, so many bytes each.
    pub(crate) fn add_lanes(&mut self, request: Request, (addresses, active): (&Lanes, u32), bytes: u32) {
        let first = self.entries.len();
        for lane in lanes_of(active) {
            self.add_bytes(first, request, addresses[lane], u64::from(bytes));
        }
    }

    /// Adds runs of bytes, with their sizes, as one request.
    pub(crate) fn add_runs(&mut self, request: Request, runs: &[(u64, u32)]) {
        let first = self.entries.len();
        for (address, bytes) in runs {
            self.add_bytes(first, request, *address, u64::from(*bytes));
        }
    }

    /// Adds a run of bytes to the request that began with the entry `first`.
    fn add_bytes(&mut self, first: usize, Request { site, direction }: Request, start: u64, bytes: u64) {
        let end = start.saturating_add(bytes);
        let mut at = start / SECTOR_BYTES * SECTOR_BYTES;
        while at < end {
            let (line, sector) = (at / LINE_BYTES, at % LINE_BYTES / SECTOR_BYTES);
            let known = self.entries[first..].iter_mut().rev().take(LANES).find(|entry| entry.line == line);
            match known {
                Some(entry) => entry.sectors |= 1 << sector,
                None => {
                    let begins = self.entries.len() == first;
                    self.entries.push(Entry { line, site, sectors: 1 << sector, direction, begins });
                }
            }
            at += SECTOR_BYTES;
        }
    }
}

/// What all CTAs of a launch asked.
#[derive(Default)]
pub(crate) struct Traffic {
    traces: Mutex<Vec<(u64, Trace)>>,
    entries: AtomicU64,
}

impl Traffic {
    /// A cluster has ended. Of launches that ask for too much, the clusters that end later are left out.
    pub(crate) fn add(&self, index: u64, trace: Trace) {
        let size = trace.entries.len() as u64;
        if self.entries.fetch_add(size, Ordering::Relaxed) + size <= MOST_ENTRIES {
            self.traces_mut().push((index, trace));
        }
    }

    /// Whether clusters were left out.
    pub(crate) fn is_cut(&self) -> bool {
        self.entries.load(Ordering::Relaxed) > MOST_ENTRIES
    }

    /// The traces by number of the cluster.
    pub(crate) fn traces(&self) -> MutexGuard<'_, Vec<(u64, Trace)>> {
        let mut traces = self.traces_mut();
        traces.sort_unstable_by_key(|(index, _)| *index);
        traces
    }

    fn traces_mut(&self) -> MutexGuard<'_, Vec<(u64, Trace)>> {
        self.traces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_lines_with_their_sectors() {
        let mut trace = Trace::default();
        let addresses: Lanes = std::array::from_fn(|lane| 1024 + 36 * lane as u64);
        trace.add_lanes(Request { site: 3, direction: Direction::Read }, (&addresses, 0b1011), 4);
        trace.add_runs(Request { site: 4, direction: Direction::Write }, &[(1024 + 64, 64), (1024 + 128, 32)]);
        let found: Vec<(u64, u8, bool)> = trace.entries.iter().map(|e| (e.line, e.sectors, e.begins)).collect();
        assert_eq!(found, [(8, 0b1011, true), (8, 0b1100, true), (9, 1, false)]);
    }
}
