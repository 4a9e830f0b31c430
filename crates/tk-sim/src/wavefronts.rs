//! Passes over the 32 banks of shared memory that a request takes, by rules that an H100 follows (`scripts/ncu-agreement`).
//!
//! A pass gives each bank one word of four bytes. Accesses of 8 bytes go in two halves of the warp, those of 16 bytes in four quarters.
//! Two halves of a load, and two neighbouring quarters, are taken together where each lane of the warp has the address of the lane beside it, or
//! each that of the lane two further (numbers that differ in their lowest bit, or in the next); lanes that take no part count as equal.
//! Stores are never taken together.

use crate::lanes::{Lanes, lanes_of};

/// Banks, of four bytes each.
const BANKS: usize = 32;
/// Words of a request at most: 16 bytes of each lane.
const MOST_WORDS: usize = 128;
/// Bytes of a line of global memory.
const LINE_BYTES: u64 = 128;

/// What an access does to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Load,
    /// A store or an atomic.
    Store,
}

/// Passes of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passes {
    pub(crate) taken: u64,
    /// Without two words of one bank.
    pub(crate) least: u64,
}

impl Passes {
    fn add(&mut self, other: Passes) {
        self.taken += other.taken;
        self.least += other.least;
    }
}

/// The passes of the active lanes of a warp, each with so many bytes.
pub(crate) fn of_lanes(way: Way, addresses: &Lanes, active: u32, bytes: u32) -> Passes {
    if bytes <= 4 {
        return one_group(addresses, active, bytes);
    }
    let may_join = way == Way::Load && has_pairs(addresses, active);
    let mut passes = Passes::default();
    if bytes <= 8 {
        passes.add(two_groups(may_join, addresses, [active & 0xFFFF, active & 0xFFFF_0000], bytes));
        return passes;
    }
    for half in [0, 16] {
        let groups = [active & 0xFF << half, active & 0xFF00 << half];
        passes.add(two_groups(may_join, addresses, groups, bytes));
    }
    passes
}

/// The passes of `cp.async`. Copies of 16 bytes leave L1 out and are written sector by sector as a line brings them ([`Piece`]); the
/// zeros of lanes that read nothing are written like stores. Smaller copies are written word by word.
pub(crate) fn of_copies((landing, active): (&Lanes, u32), (sources, reading): (&Lanes, u32), bytes: u32) -> Passes {
    let mut passes = Passes::default();
    if bytes < 16 {
        for word in 0..u64::from(bytes.div_ceil(4)) {
            passes.add(one_group(&landing.map(|address| address + 4 * word), active, 4));
        }
        return passes;
    }
    if active & !reading != 0 {
        passes.add(of_lanes(Way::Store, landing, active & !reading, bytes));
    }
    passes.add(of_sectors(landing, sources, active & reading));
    passes
}

/// What copies of 16 bytes move from one sector of global memory to 32 bytes of shared memory: its place among the four of its line and among
/// the four of its row of banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    line: u64,
    row: u64,
    /// The halves of the sector change places.
    swaps: bool,
    sector: u64,
    place: u64,
    /// Which halves of the sector are moved, one bit each.
    halves: u8,
}

impl Piece {
    /// Whether one pass moves both. It takes sectors of one line to one row, the same halves of all of them, and either keeps which are even
    /// and which are odd or exchanges that. An H100 counts so in 268 of 270 requests; in two, sectors 1 and 2 that change places take a
    /// pass each.
    fn goes_with(&self, other: &Piece) -> bool {
        let moves =
            |piece: &Piece| (piece.line, piece.row, piece.swaps, piece.halves, (piece.sector ^ piece.place) & 1);
        moves(self) == moves(other) && (self.sector == other.sector) == (self.place == other.place)
    }
}

/// The passes of copies of 16 bytes.
fn of_sectors(landing: &Lanes, sources: &Lanes, active: u32) -> Passes {
    let mut pieces: Vec<Piece> = Vec::new();
    for lane in lanes_of(active) {
        let (from, to) = (sources[lane] / 16, landing[lane] / 16);
        let (sector, place) = (from / 2 % 4, to / 2 % 4);
        let piece = Piece { line: from / 8, row: to / 8, swaps: (from ^ to) & 1 == 1, sector, place, halves: 0 };
        let known = pieces.iter().position(|known| Piece { halves: 0, ..*known } == piece);
        let at = known.unwrap_or_else(|| {
            pieces.push(piece);
            pieces.len() - 1
        });
        pieces[at].halves |= 1 << (from & 1);
    }
    let mut passes: Vec<Vec<Piece>> = Vec::new();
    for piece in &pieces {
        match passes.iter_mut().find(|pass| pass.iter().all(|other| other.goes_with(piece))) {
            Some(pass) => pass.push(*piece),
            None => passes.push(vec![*piece]),
        }
    }
    let taken = passes.len() as u64;
    Passes { taken, least: taken.saturating_sub(copy_conflicts(landing, sources, active)).max(u64::from(active != 0)) }
}

/// Passes that are for banks: where what a quarter of the warp copies of one line goes to several words of one bank.
fn copy_conflicts(landing: &Lanes, sources: &Lanes, active: u32) -> u64 {
    let (mut left, mut conflicts) = (active, 0);
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let beside = |lane: &usize| lane / 8 == first / 8 && sources[*lane] / LINE_BYTES == sources[first] / LINE_BYTES;
        let group = lanes_of(left).filter(beside).fold(0, |group, lane| group | 1 << lane);
        conflicts += one_group(landing, group, 16).taken - 1;
        left &= !group;
    }
    conflicts
}

fn two_groups(may_join: bool, addresses: &Lanes, [first, second]: [u32; 2], bytes: u32) -> Passes {
    if may_join && first != 0 && second != 0 {
        return one_group(addresses, first | second, bytes);
    }
    let mut passes = one_group(addresses, first, bytes);
    passes.add(one_group(addresses, second, bytes));
    passes
}

/// Whether lanes of the warp whose numbers differ in the lowest bit have the same address, or all whose numbers differ in the next.
fn has_pairs(addresses: &Lanes, active: u32) -> bool {
    [1, 2].into_iter().any(|bit| {
        lanes_of(active).all(|lane| active >> (lane ^ bit) & 1 == 0 || addresses[lane ^ bit] == addresses[lane])
    })
}

/// The most distinct words that one bank must give.
fn one_group(addresses: &Lanes, active: u32, bytes: u32) -> Passes {
    if active == 0 {
        return Passes::default();
    }
    let mut words = [u64::MAX; MOST_WORDS];
    let mut count = 0;
    for lane in lanes_of(active) {
        let first = addresses[lane] / 4;
        for word in first..first + u64::from(bytes.div_ceil(4)) {
            if count < words.len() {
                words[count] = word;
                count += 1;
            }
        }
    }
    let words = &mut words[..count];
    let mut straight = [u64::MAX; BANKS];
    let mut has_conflict = false;
    for word in words.iter() {
        let bank = (word % BANKS as u64) as usize;
        has_conflict |= straight[bank] != u64::MAX && straight[bank] != *word;
        straight[bank] = *word;
    }
    if !has_conflict {
        return Passes { taken: 1, least: 1 };
    }
    words.sort_unstable();
    let mut seen = [0u64; BANKS];
    let mut previous = u64::MAX;
    for word in words.iter() {
        if *word != previous {
            seen[(word % BANKS as u64) as usize] += 1;
        }
        previous = *word;
    }
    Passes { taken: seen.into_iter().max().unwrap_or(1), least: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loads(bytes: u32, active: u32, address: impl Fn(u64) -> u64) -> u64 {
        of_lanes(Way::Load, &std::array::from_fn(|lane| address(lane as u64)), active, bytes).taken
    }

    #[test]
    fn wide_loads_of_equal_pairs_take_one_pass_together() {
        let all = u32::MAX;
        assert_eq!(
            [loads(8, all, |lane| 8 * lane), loads(8, all, |_| 0), loads(8, all, |lane| lane / 2 * 8)],
            [2, 1, 1]
        );
        assert_eq!(loads(8, all, |lane| lane % 16 * 8), 2, "the same addresses in both halves, but not in pairs");
        assert_eq!(
            [loads(16, all, |lane| 16 * lane), loads(16, all, |_| 0), loads(16, all, |lane| lane / 4 * 16)],
            [4, 2, 2]
        );
        assert_eq!([loads(16, 0xFFFF, |lane| 16 * lane), loads(16, 0xFFFF, |_| 0)], [2, 1]);
        // A bank that both halves ask for another word of gives them one after the other.
        assert_eq!(loads(8, all, |lane| if lane < 16 { 0 } else { 128 }), 2);
        let stores = of_lanes(Way::Store, &[0; 32], all, 16);
        assert_eq!(stores, Passes { taken: 4, least: 4 });
    }

    #[test]
    fn copies_are_written_line_by_line_or_word_by_word() {
        let landing: Lanes = std::array::from_fn(|lane| 16 * lane as u64);
        let copies = |bytes: u32, step: u64, reading: u32| {
            let sources: Lanes = std::array::from_fn(|lane| step * lane as u64);
            of_copies((&landing, u32::MAX), (&sources, reading), bytes).taken
        };
        assert_eq!([copies(16, 16, u32::MAX), copies(4, 4, u32::MAX), copies(8, 32, u32::MAX)], [4, 4, 8]);
        assert_eq!(copies(16, 16, 0), 4);
    }

    fn lanes(text: &str) -> Lanes {
        let all: Vec<u64> = text.split(' ').map(|offset| offset.parse().unwrap()).collect();
        all.try_into().unwrap()
    }

    /// The lines of a table, field by field.
    fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
        table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
    }

    fn counted(fields: &[&str]) -> (u64, u64) {
        let active = u32::from_str_radix(fields[3], 16).unwrap();
        let way = if fields[1] == "load" { Way::Load } else { Way::Store };
        let passes = of_lanes(way, &lanes(fields[5]), active, fields[2].parse().unwrap());
        (passes.taken, fields[4].parse().unwrap())
    }

    #[test]
    fn a_gpu_counts_as_many_for_loads_and_stores() {
        for fields in rows(include_str!("../tests/data/h100_wavefronts.tsv")) {
            let (ours, gpu) = counted(&fields);
            assert_eq!(ours, gpu, "{}", fields[0]);
        }
        for fields in rows(include_str!("../tests/data/probe_wavefronts.tsv")) {
            let (ours, gpu) = counted(&fields);
            assert_eq!(ours, gpu, "{}", fields[0]);
        }
    }

    #[test]
    fn a_gpu_counts_as_many_for_copies() {
        let (mut all, mut wrong) = (0, 0);
        for fields in rows(include_str!("../tests/data/h100_copies.tsv")) {
            let active = u32::from_str_radix(fields[0], 16).unwrap();
            let (sources, landing) = (lanes(fields[2]), lanes(fields[3]));
            let passes = of_copies((&landing, active), (&sources, active), 16);
            let gpu: u64 = fields[1].parse().unwrap();
            assert!(passes.least <= passes.taken && passes.taken.abs_diff(gpu) <= 1, "{fields:?}: {passes:?}");
            wrong += u32::from(passes.taken != gpu);
            all += 1;
        }
        assert!(all == 270 && wrong <= 2, "{wrong} of {all}");
    }
}
