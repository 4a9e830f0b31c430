//! The L1 and L2 caches of a GPU, run over what the CTAs of a launch asked of global memory.
//!
//! The simulator runs CTAs in an order of its own, so it writes down what each asks ([`crate::traffic`]), and afterwards this model runs
//! them again in an order that [`CacheConfig`] says: so many multiprocessors with so many CTAs each, one request of each CTA in turn.
//! docs/simulator.md says what is approximated.

use crate::cache_config::{CacheConfig, CtaOrder};
use crate::placement;
use crate::traffic::{Direction, Entry, Trace, Traffic};
use serde::Serialize;

/// Bytes of a line.
const LINE_BYTES: u64 = 128;
/// Ways of the L1 model.
const L1_WAYS: u32 = 32;
/// Bytes of a multiprocessor that L1 and shared memory divide.
const L1_AND_SHARED_BYTES: u64 = 256 << 10;
/// Spreads numbers over all bits.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
/// The bits of an address whose parity says which half of L2 is its home, of those within 2 MiB: so an H100 answers sooner or later.
const HOME_BITS: u64 = 1 << 12 | 1 << 13 | 1 << 16 | 1 << 17 | 1 << 19;
/// Bits of an address within 2 MiB. Those above are virtual.
const IN_PAGE: u32 = 21;

/// What caches did for an instruction, in sectors of 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheCounts {
    /// Sectors of reads that the L1 cache of the multiprocessor had.
    pub l1_hits: u64,
    /// Sectors that reads and atomics asked of L2.
    pub l2_reads: u64,
    /// Of these, those that the half of L2 beside the multiprocessor had.
    pub l2_hits: u64,
    /// Those that the other half had, or asked for in the same turn.
    pub l2_other_half: u64,
    /// Sectors that were written to L2, which takes them without looking at memory.
    pub l2_writes: u64,
}

impl CacheCounts {
    /// Adds another set of counts.
    pub fn add(&mut self, other: &CacheCounts) {
        self.l1_hits += other.l1_hits;
        self.l2_reads += other.l2_reads;
        self.l2_hits += other.l2_hits;
        self.l2_other_half += other.l2_other_half;
        self.l2_writes += other.l2_writes;
    }

    /// Sectors that L2 fetched from memory.
    pub fn from_memory(&self) -> u64 {
        self.l2_reads - self.l2_hits - self.l2_other_half
    }

    /// Of the sectors that reads and atomics asked of L2, the share that the half beside the multiprocessor had, from 0 to 1; 1 without
    /// any. What counters of a GPU call hits.
    pub fn l2_hit_rate(&self) -> f64 {
        if self.l2_reads == 0 { 1.0 } else { self.l2_hits as f64 / self.l2_reads as f64 }
    }
}

/// A line that a cache holds.
#[derive(Clone, Copy, Default)]
struct Held {
    line: u64,
    /// Its sectors that are there, one bit each; none for a place without a line.
    sectors: u8,
    /// When it was used last.
    used: u64,
    /// Those of the sectors that came in a turn, for multiprocessors beside the other half.
    coming: u8,
    turn: u64,
}

/// What a half of L2 had of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    ready: u8,
    /// In the same turn the other half asked for it.
    coming: u8,
}

/// A cache of lines in sets, of each of which the line that was used longest ago goes first.
struct Cache {
    held: Vec<Held>,
    ways: usize,
    sets: u64,
    time: u64,
}

impl Cache {
    fn new(bytes: u64, ways: u32) -> Self {
        let ways = u64::from(ways.max(1));
        let sets = (bytes / LINE_BYTES / ways).max(1);
        Self { held: vec![Held::default(); (sets * ways) as usize], ways: ways as usize, sets, time: 0 }
    }

    /// The sectors that were there; all that were asked for are afterwards.
    fn access(&mut self, line: u64, sectors: u8) -> u8 {
        let (found, _) = self.use_line(line, sectors);
        found
    }

    /// The same for a multiprocessor beside this half of L2. Its request arrives before those of the same turn from the other half, which
    /// have a longer way: what these bring is no hit for it.
    fn ask(&mut self, line: u64, sectors: u8, turn: u64) -> Found {
        let (found, held) = self.use_line(line, sectors);
        let coming = if held.turn == turn { found & held.coming } else { 0 };
        held.coming &= !sectors;
        Found { ready: found & !coming, coming }
    }

    /// The same for a multiprocessor beside the other half.
    fn bring(&mut self, line: u64, sectors: u8, turn: u64) -> u8 {
        let (found, held) = self.use_line(line, sectors);
        let coming = if held.turn == turn { held.coming } else { 0 };
        (held.coming, held.turn) = (coming | sectors & !found, turn);
        found
    }

    fn use_line(&mut self, line: u64, sectors: u8) -> (u8, &mut Held) {
        self.time += 1;
        // Lines are spread over the sets by all of their bits, as on hardware.
        let set = (line.wrapping_mul(MIX) >> 32) % self.sets;
        let first = set as usize * self.ways;
        let ways = &mut self.held[first..first + self.ways];
        let place = ways.iter().position(|held| held.sectors != 0 && held.line == line);
        let place = place.unwrap_or_else(|| oldest(ways));
        let held = &mut ways[place];
        if held.sectors == 0 || held.line != line {
            *held = Held { line, ..Held::default() };
        }
        let found = held.sectors & sectors;
        held.sectors |= sectors;
        held.used = self.time;
        (found, held)
    }

    /// These sectors are there no longer.
    fn forget(&mut self, line: u64, sectors: u8) {
        let set = (line.wrapping_mul(MIX) >> 32) % self.sets;
        let first = set as usize * self.ways;
        if let Some(held) = self.held[first..first + self.ways].iter_mut().find(|held| held.line == line) {
            held.sectors &= !sectors;
        }
    }
}

fn oldest(ways: &[Held]) -> usize {
    ways.iter().enumerate().min_by_key(|(_, held)| held.used).map_or(0, |(place, _)| place)
}

/// A cluster of CTAs on a multiprocessor, and how far it is.
struct Running<'a> {
    trace: &'a Trace,
    next: usize,
    multiprocessor: usize,
}

/// The CTAs of a launch, as multiprocessors run them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Residency {
    /// Of a multiprocessor at once.
    pub(crate) ctas: u32,
    /// Shared memory of each, bytes.
    pub(crate) shared_bytes: u32,
    /// CTAs of a cluster, which begin together and whose requests the model gives one multiprocessor.
    pub(crate) cluster: u32,
}

/// Runs the traffic of a launch through the caches: counts by number of the instruction.
pub(crate) fn replay(config: &CacheConfig, traffic: &Traffic, sites: usize, residency: Residency) -> Vec<CacheCounts> {
    let traces = traffic.traces();
    let mut waiting = order(config.order, traces.len()).into_iter().map(|index| &traces[index].1);
    let shared = u64::from(residency.ctas) * u64::from(residency.shared_bytes);
    let mut caches = Caches {
        l1: (0..config.multiprocessors)
            .map(|_| Cache::new(L1_AND_SHARED_BYTES.saturating_sub(shared), L1_WAYS))
            .collect(),
        l2: (0..config.halves)
            .map(|_| Cache::new(config.l2_bytes / u64::from(config.halves), config.l2_ways))
            .collect(),
        turn: 0,
        counts: vec![CacheCounts::default(); sites],
    };
    let clusters =
        (u64::from(residency.ctas) * u64::from(config.multiprocessors) / u64::from(residency.cluster)).max(1);
    let begin = placement::order(config.multiprocessors as usize, waiting.len() * residency.cluster as usize);
    let places = (0..clusters).map(|place| begin[(place * u64::from(residency.cluster)) as usize % begin.len()]);
    let mut running: Vec<Running<'_>> = places
        .zip(waiting.by_ref())
        .map(|(multiprocessor, trace)| Running { trace, next: 0, multiprocessor })
        .collect();
    let in_a_round = (config.multiprocessors / residency.cluster).max(1) as usize;
    while !running.is_empty() {
        // Those that began at the same time on different multiprocessors are as far as each other.
        for round in running.chunks_mut(in_a_round) {
            caches.turn += 1;
            for cta in round {
                while cta.next >= cta.trace.entries.len() {
                    let Some(trace) = waiting.next() else { break };
                    (cta.trace, cta.next) = (trace, 0);
                }
                caches.request(cta);
            }
        }
        running.retain(|cta| cta.next < cta.trace.entries.len() || waiting.len() > 0);
    }
    caches.counts
}

/// The order in which CTAs begin.
fn order(order: CtaOrder, count: usize) -> Vec<usize> {
    match order {
        CtaOrder::Forwards => (0..count).collect(),
        CtaOrder::Backwards => (0..count).rev().collect(),
        CtaOrder::Strided(by) => {
            let by = (by.max(1) as usize).min(count.max(1));
            (0..by).flat_map(|first| (first..count).step_by(by)).collect()
        }
    }
}

/// All caches of a GPU.
struct Caches {
    l1: Vec<Cache>,
    /// The halves of L2, or the whole.
    l2: Vec<Cache>,
    /// Requests of CTAs that began together have the same.
    turn: u64,
    counts: Vec<CacheCounts>,
}

impl Caches {
    /// One request of a CTA: an instruction of a warp, or a bulk copy.
    fn request(&mut self, cta: &mut Running<'_>) {
        let entries = &cta.trace.entries;
        while let Some(entry) = entries.get(cta.next) {
            self.access(entry, cta.multiprocessor);
            cta.next += 1;
            if entries.get(cta.next).is_some_and(|next| next.begins) {
                return;
            }
        }
    }

    fn access(&mut self, entry: &Entry, multiprocessor: usize) {
        let counts = &mut self.counts[entry.site as usize];
        let mut sectors = entry.sectors;
        match entry.direction {
            Direction::Read => {
                let found = self.l1[multiprocessor].access(entry.line, sectors);
                counts.l1_hits += u64::from(found.count_ones());
                sectors &= !found;
            }
            // What L1 has of it is old then.
            Direction::Write | Direction::Update => self.l1[multiprocessor].forget(entry.line, sectors),
            Direction::ReadPastL1 => {}
        }
        if sectors == 0 {
            return;
        }
        let asked = u64::from(sectors.count_ones());
        let home = home_of(entry.line, self.l2.len());
        let beside = placement::side_of(multiprocessor, self.l1.len()) % self.l2.len();
        match entry.direction {
            Direction::Write => {
                counts.l2_writes += asked;
                self.write(entry.line, sectors, home);
            }
            // Atomics are done where the line is at home.
            Direction::Update => {
                let found = self.l2[home].access(entry.line, sectors);
                counts.l2_reads += asked;
                counts.l2_hits += u64::from(found.count_ones());
                self.write(entry.line, sectors, home);
            }
            Direction::Read | Direction::ReadPastL1 => {
                counts.l2_reads += asked;
                let found = self.l2[beside].ask(entry.line, sectors, self.turn);
                counts.l2_hits += u64::from(found.ready.count_ones());
                counts.l2_other_half += u64::from(found.coming.count_ones());
                let missing = sectors & !found.ready & !found.coming;
                if beside != home && missing != 0 {
                    let found = self.l2[home].bring(entry.line, missing, self.turn);
                    counts.l2_other_half += u64::from(found.count_ones());
                }
            }
        }
    }

    /// The home of a line takes what is written; copies elsewhere are old then.
    fn write(&mut self, line: u64, sectors: u8, home: usize) {
        for (half, cache) in self.l2.iter_mut().enumerate() {
            if half == home {
                cache.access(line, sectors);
            } else {
                cache.forget(line, sectors);
            }
        }
    }
}

/// The half of L2 whose memory has a line.
fn home_of(line: u64, halves: usize) -> usize {
    let address = line * LINE_BYTES;
    let (inside, page) = ((address & HOME_BITS).count_ones() as u64, (address >> IN_PAGE).wrapping_mul(MIX) >> 40);
    ((inside ^ page) & 1) as usize % halves.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_was_used_longest_ago_goes_first() {
        let mut cache = Cache::new(2 * LINE_BYTES, 2);
        assert_eq!([cache.access(1, 0xF), cache.access(2, 0x3), cache.access(1, 0x1)], [0, 0, 1]);
        // The third line takes the place of the second; of a line only the sectors are there that were asked for.
        assert_eq!([cache.access(3, 0x1), cache.access(1, 0xF), cache.access(2, 0x3)], [0, 0xF, 0]);
        assert_eq!([cache.access(1, 0x8), cache.access(2, 0xF)], [8, 0x3]);
    }

    #[test]
    fn what_comes_for_the_other_half_is_no_hit_before_it_is_there() {
        let mut cache = Cache::new(2 * LINE_BYTES, 2);
        assert_eq!([cache.bring(1, 0x3, 9), cache.bring(1, 0x6, 9)], [0, 0x2]);
        assert_eq!(cache.ask(1, 0x9, 9), Found { ready: 0, coming: 0x1 });
        assert_eq!(cache.ask(1, 0xF, 9), Found { ready: 0x9, coming: 0x6 });
        assert_eq!(cache.ask(1, 0xF, 9), Found { ready: 0xF, coming: 0 });
        assert_eq!([cache.bring(2, 0x3, 9), cache.bring(2, 0xF, 10)], [0, 0x3]);
        assert_eq!(cache.ask(2, 0xF, 10), Found { ready: 0x3, coming: 0xC });
        assert_eq!([cache.bring(3, 0xF, 9), cache.bring(3, 0xF, 10)], [0, 0xF]);
        assert_eq!(cache.ask(3, 0xF, 10), Found { ready: 0xF, coming: 0 });
    }

    #[test]
    fn homes_of_neighbours_take_turns() {
        let homes: Vec<usize> = (0..8).map(|piece| home_of(32 * piece, 2)).collect();
        assert_eq!(homes.iter().map(|home| home ^ homes[0]).collect::<Vec<usize>>(), [0, 1, 1, 0, 0, 1, 1, 0]);
        assert_eq!(home_of(77, 1), 0);
    }

    #[test]
    fn orders_have_every_cta_once() {
        for which in [CtaOrder::Forwards, CtaOrder::Backwards, CtaOrder::Strided(3), CtaOrder::Strided(0)] {
            let mut all = order(which, 10);
            all.sort_unstable();
            assert_eq!(all, (0..10).collect::<Vec<usize>>(), "{which:?}");
        }
        assert_eq!(order(CtaOrder::Strided(3), 7), [0, 3, 6, 1, 4, 2, 5]);
    }
}
