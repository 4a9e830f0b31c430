//! How often machine code waits for global memory.
//!
//! The upper half of an instruction says which of six counters it raises until its result is there (three bits from bit 46 on)
//! and which have to be down before it is issued (six bits from bit 52 on). That is all that has to be read: which instructions load from global
//! memory, and who waits for them. ptxas of CUDA 12 and 13 writes it so; the count of 896 of 919 recorded launches is that of their
//! disassembly, of the others one more or less in most.

use crate::machine_code::instructions;

/// `LDG`, with its address in a register and beside a uniform one.
const LOADS: [u64; 2] = [0x381, 0x981];
const COUNTERS: usize = 6;

/// How often a thread waits for global memory, if the instructions run once each in the order of the code: a wait is the first one for a load that
/// was issued after the wait before. Nothing where this is not the machine code of a kernel.
pub(crate) fn memory_waits(cubin: &[u8], kernel: &str) -> Option<u32> {
    let mut waits = 0;
    // The wait that what raised a counter needs.
    let mut arrivals = [0; COUNTERS];
    for instruction in instructions(cubin, kernel)? {
        for (counter, arrival) in arrivals.iter().enumerate() {
            if instruction.high >> (52 + counter) & 1 == 1 {
                waits = waits.max(*arrival);
            }
        }
        let raised = arrivals.get_mut((instruction.high >> 46 & 7) as usize);
        if let Some(arrival) = raised.filter(|_| LOADS.contains(&instruction.opcode())) {
            *arrival = waits + 1;
        }
    }
    Some(waits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine_code::tests::file;

    /// An instruction that waits for counters and raises one; 7 is none.
    fn instruction(opcode: u64, waits: u64, raises: u64) -> [u8; 16] {
        let number = u128::from(opcode) | u128::from(raises << 46 | waits << 52) << 64;
        number.to_le_bytes()
    }

    #[test]
    fn waits_are_counted_by_what_raises_and_waits_for_counters() {
        const ADD: u64 = 0x210;
        let of = |code: &[[u8; 16]]| memory_waits(&file(code), "k");
        let (load, other) = (|waits, raises| instruction(0x981, waits, raises), |waits| instruction(ADD, waits, 7));
        assert_eq!(of(&[load(0, 2), load(0, 3), other(0b100), other(0b1000)]), Some(1), "together");
        assert_eq!(of(&[load(0, 2), other(0b100), load(0, 2), other(0b100)]), Some(2), "one after the other");
        assert_eq!(of(&[load(0, 2), load(0b100, 3), load(0b1000, 4), other(0b10000)]), Some(3), "addresses");
        assert_eq!(of(&[load(0, 2), other(0b1)]), Some(0), "for something else");
        assert_eq!(memory_waits(&file(&[]), "another"), None);
        assert_eq!(memory_waits(b"no machine code", "k"), None);
    }
}
