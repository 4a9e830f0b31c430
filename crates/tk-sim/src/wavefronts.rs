//! Passes over the 32 banks of shared memory that a request takes, by rules that an H200 follows (`scripts/ncu-agreement`).
//!
//! A pass gives each bank one word of four bytes. Accesses of 8 bytes go in two halves of the warp, those of 16 bytes in four quarters.
//! Two halves of a load, and two neighbouring quarters, take one pass together where no bank has to give two words, and each lane has the
//! address of the lane beside it, or each that of the lane two further (numbers that differ in their lowest bit, or in the next); lanes
//! that take no part count as equal. Of 294 kernels of one access these rules count 288 as the GPU does; the others are 16-byte loads
//! with lanes left out, and differ by one pass. Stores are never taken together.

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
    let mut passes = Passes::default();
    match bytes {
        0..=4 => passes.add(one_group(addresses, active, bytes)),
        5..=8 => passes.add(two_groups(way, addresses, [active & 0xFFFF, active & 0xFFFF_0000], bytes)),
        _ => {
            for half in [0, 16] {
                let groups = [active & 0xFF << half, active & 0xFF00 << half];
                passes.add(two_groups(way, addresses, groups, bytes));
            }
        }
    }
    passes
}

/// The passes of `cp.async`. Copies of 16 bytes leave L1 out: what comes from one line of global memory for a quarter of the warp is
/// written together, and so are the zeros of lanes that read nothing. Smaller ones are written word by word. How lines arrive is a matter of time: of five real
/// kernels with copies of 16 bytes a GPU counts 7 where this counts 8 in one.
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
    let mut left = active & reading;
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let beside = |lane: &usize| lane / 8 == first / 8 && sources[*lane] / LINE_BYTES == sources[first] / LINE_BYTES;
        let group = lanes_of(left).filter(beside).fold(0, |group, lane| group | 1 << lane);
        passes.add(one_group(landing, group, bytes));
        left &= !group;
    }
    passes
}

fn two_groups(way: Way, addresses: &Lanes, [first, second]: [u32; 2], bytes: u32) -> Passes {
    let both = first | second;
    if way == Way::Load && first != 0 && second != 0 && has_pairs(addresses, both) {
        let together = one_group(addresses, both, bytes);
        if together.taken == 1 {
            return together;
        }
    }
    let mut passes = one_group(addresses, first, bytes);
    passes.add(one_group(addresses, second, bytes));
    passes
}

/// Whether lanes whose numbers differ in one of the two lowest bits have the same address.
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
        // Lanes 0 and 1, 4 and 5: a pair whose banks meet those of another half is not taken together.
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

    /// Of a request of one kernel: the H200's count and this one's, and whether all lanes take part.
    fn measured() -> impl Iterator<Item = (&'static str, u64, u64, bool)> {
        let table = include_str!("../tests/data/h200_wavefronts.tsv");
        table.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let offsets: Vec<u64> = fields[5].split(' ').map(|offset| offset.parse().unwrap()).collect();
            let active = u32::from_str_radix(fields[3], 16).unwrap();
            let way = if fields[1] == "load" { Way::Load } else { Way::Store };
            let passes = of_lanes(way, &offsets.try_into().unwrap(), active, fields[2].parse().unwrap());
            (fields[0], fields[4].parse().unwrap(), passes.taken, active == u32::MAX)
        })
    }

    #[test]
    fn an_h200_counts_as_many() {
        let (mut all, mut wrong) = (0, Vec::new());
        for (name, gpu, ours, is_whole) in measured() {
            all += 1;
            if gpu != ours {
                assert!(!is_whole && gpu.abs_diff(ours) == 1, "{name}: {ours}, and an H200 counts {gpu}");
                wrong.push(name);
            }
        }
        assert!(all > 300 && wrong.len() <= 6, "{} of {all}: {wrong:?}", wrong.len());
    }
}
