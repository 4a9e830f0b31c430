//! How often machine code waits for global memory.
//!
//! The upper half of an instruction says which of six counters it raises until its result is there (three bits from bit 46 on)
//! and which have to be down before it is issued (six bits from bit 52 on). That is all that has to be read: which instructions load from global
//! memory, from which addresses, and who waits for them. ptxas of CUDA 12 and 13 writes it so; the count of 896 of 919 recorded launches is that of their
//! disassembly, of the others one more or less in most.

use crate::machine_code::{Instruction, LOADS, instructions};
use crate::machine_loops::are_in_loops_that_load;
use std::collections::HashMap;

const COUNTERS: usize = 6;

/// What memory brings at a time: 2^5 bytes.
const SECTOR_BITS: u32 = 5;

/// So many times as long as the L1 cache takes what lies behind it: between 6.5 (the L2 cache: 263 cycles against 40.7 on an H800, Luo et al. 2024) and
/// the 12 of DRAM.
const MEMORY: u32 = 8;

/// How often a thread waits for global memory, if the instructions run once each in the order of the code: a wait is the first one for a load that
/// was issued after the wait before. What lies in a sector that an earlier load asks for comes with that, and is in the L1 cache once that was waited
/// for: then the wait is a [`MEMORY`]th of one. Nothing where this is not the machine code of a kernel.
pub(crate) fn memory_waits(cubin: &[u8], kernel: &str) -> Option<f64> {
    let code = instructions(cubin, kernel)?;
    Some(f64::from(waits_of_each(&code).iter().sum::<u32>()) / f64::from(MEMORY))
}

/// How many of these waits are in loops that load.
pub(crate) fn memory_waits_in_loops(cubin: &[u8], kernel: &str) -> Option<f64> {
    let code = instructions(cubin, kernel)?;
    let waits = waits_of_each(&code);
    let inside = waits.iter().zip(are_in_loops_that_load(&code)).filter(|(_, is_inside)| *is_inside);
    Some(f64::from(inside.map(|(wait, _)| wait).sum::<u32>()) / f64::from(MEMORY))
}

/// Cycles after which each instruction lets the next one of its warp be issued, together, if they run once each: four bits from bit 41 on of the upper half.
pub(crate) fn issue_cycles(cubin: &[u8], kernel: &str) -> Option<u32> {
    Some(instructions(cubin, kernel)?.iter().map(|instruction| (instruction.high >> 41 & 0xf) as u32).sum())
}

/// How long each instruction waits for global memory, in accesses of the L1 cache.
fn waits_of_each(code: &[Instruction]) -> Vec<u32> {
    // Time, in accesses of the L1 cache.
    let mut now = 0;
    // When what raised a counter is there.
    let mut arrivals = [0; COUNTERS];
    let mut asked: HashMap<Sector, u32> = HashMap::new();
    let mut waits = Vec::with_capacity(code.len());
    for instruction in code {
        let before = now;
        for (counter, arrival) in arrivals.iter().enumerate() {
            if instruction.high >> (52 + counter) & 1 == 1 {
                now = now.max(*arrival);
            }
        }
        waits.push(now - before);
        let is_load = LOADS.contains(&instruction.opcode());
        let sector = Sector::of(*instruction);
        if let Some(arrival) = arrivals.get_mut((instruction.high >> 46 & 7) as usize).filter(|_| is_load) {
            let sector = *asked.entry(sector).or_insert(now + MEMORY);
            *arrival = (*arrival).max(sector).max(now + 1);
        }
        let written = Sector::written_by(*instruction);
        asked.retain(|sector, _| !(sector.base..=sector.base + 1).any(|register| written.contains(&register)));
    }
    waits
}

/// Loads from global memory.
pub(crate) fn global_loads(cubin: &[u8], kernel: &str) -> Option<u32> {
    let code = instructions(cubin, kernel)?;
    Some(code.iter().filter(|instruction| LOADS.contains(&instruction.opcode())).count() as u32)
}

/// Words that the loads from global memory bring to each thread, if they run once each.
pub(crate) fn loaded_words(cubin: &[u8], kernel: &str) -> Option<u32> {
    Some(words(instructions(cubin, kernel)?.into_iter()))
}

/// The words among these that loads in loops bring.
pub(crate) fn loaded_words_in_loops(cubin: &[u8], kernel: &str) -> Option<u32> {
    let code = instructions(cubin, kernel)?;
    let inside = code.iter().zip(are_in_loops_that_load(&code)).filter(|(_, is_inside)| *is_inside);
    Some(words(inside.map(|(instruction, _)| *instruction)))
}

fn words(code: impl Iterator<Item = Instruction>) -> u32 {
    code.filter(|instruction| LOADS.contains(&instruction.opcode())).map(words_of).sum()
}

/// Registers that a load writes.
fn words_of(load: Instruction) -> u32 {
    match load.high >> 9 & 7 {
        0..=4 => 1,
        5 => 2,
        _ => 4,
    }
}

/// The sector that a load begins in, as far as its registers tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sector {
    base: u64,
    uniform: u64,
    number: u64,
}

impl Sector {
    fn of(load: Instruction) -> Self {
        Self { base: load.low >> 24 & 0xff, uniform: load.low >> 32 & 0xff, number: load.low >> (40 + SECTOR_BITS) }
    }

    /// Registers that an instruction may write: of a load as many as it is wide, of others the one that they name and that behind it.
    fn written_by(instruction: Instruction) -> std::ops::Range<u64> {
        let first = instruction.low >> 16 & 0xff;
        let width = match (LOADS.contains(&instruction.opcode()), instruction.high >> 9 & 7) {
            (true, 0..=4) => 1,
            (true, 6..) => 4,
            (true, 5) | (false, _) => 2,
        };
        first..first + width
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine_code::tests::file;

    /// An instruction that waits for counters and raises one; 7 is none. It writes its address, the last register.
    fn instruction(opcode: u64, waits: u64, raises: u64) -> [u8; 16] {
        let number = u128::from(opcode | 0xffff << 16) | u128::from(raises << 46 | waits << 52) << 64;
        number.to_le_bytes()
    }

    #[test]
    fn waits_are_counted_by_what_raises_and_waits_for_counters() {
        const ADD: u64 = 0x210;
        let of = |code: &[[u8; 16]]| memory_waits(&file(code), "k");
        let (load, other) = (|waits, raises| instruction(0x981, waits, raises), |waits| instruction(ADD, waits, 7));
        assert_eq!(of(&[load(0, 2), load(0, 3), other(0b100), other(0b1000)]), Some(1.0), "together");
        assert_eq!(of(&[load(0, 2), other(0b100), load(0, 2), other(0b100)]), Some(2.0), "one after the other");
        assert_eq!(of(&[load(0, 2), load(0b100, 3), load(0b1000, 4), other(0b10000)]), Some(3.0), "addresses");
        assert_eq!(of(&[load(0, 2), other(0b1)]), Some(0.0), "for something else");
        assert_eq!(memory_waits(&file(&[]), "another"), None);
        // From R4, with an offset; the second number is the register that is written.
        let at = |offset: u64, to: u64, waits: u64, raises: u64| {
            let number = u128::from_le_bytes(instruction(0x981, waits, raises)) & !(0xffff << 16);
            // One word.
            (number | u128::from(to << 16 | 4 << 24 | offset << 40) | 4 << 73).to_le_bytes()
        };
        let (first, next) = (at(0, 8, 0, 2), |offset, to| at(offset, to, 0, 3));
        let waiting = [other(0b100), other(0b1000)];
        assert_eq!(
            of(&[first, waiting[0], next(12, 12), waiting[1]]),
            Some(1.125),
            "of the same sector, which the L1 cache has"
        );
        assert_eq!(of(&[first, waiting[0], next(32, 12), waiting[1]]), Some(2.0), "of the next one");
        assert_eq!(of(&[at(0, 4, 0, 2), waiting[0], next(12, 12), waiting[1]]), Some(2.0), "from another address");
        assert_eq!(memory_waits(b"no machine code", "k"), None);
        let back = |by: i64| {
            let words = (4 * by) as u128 & ((1 << 56) - 1);
            (0x947 | 7 << (64 + 46) | (words & 0xff) << 16 | words >> 8 << 34).to_le_bytes()
        };
        let code = [load(0, 2), other(0b100), load(0, 2), other(0b100), back(-3), other(0), back(-2)];
        assert_eq!((of(&code), memory_waits_in_loops(&file(&code), "k")), (Some(2.0), Some(1.0)));
        assert_eq!((loaded_words(&file(&code), "k"), loaded_words_in_loops(&file(&code), "k")), (Some(2), Some(1)));
        let stalls = |cycles: u128| (u128::from_le_bytes(other(0)) | cycles << (64 + 41)).to_le_bytes();
        assert_eq!(issue_cycles(&file(&[stalls(4), load(0, 2), stalls(15)]), "k"), Some(19));
        let wide = (u128::from_le_bytes(load(0, 2)) | 6 << 73).to_le_bytes();
        let file = file(&[first, other(0), wide]);
        assert_eq!((global_loads(&file, "k"), loaded_words(&file, "k")), (Some(2), Some(5)), "a word and four");
    }
}
