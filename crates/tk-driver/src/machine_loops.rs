//! What machine code, and its loops, spend on registers that have no room, beside what they load.
//!
//! A loop is what lies between a branch and the instruction before it that it goes back to. A branch of sm_90 says how far, in words of four bytes from
//! its end: the lowest eight bits from bit 16 on, the others from bit 34 on, the sign in bit 81.

use crate::machine_code::{Instruction, LOADS, instructions};

const BRANCH: u64 = 0x947;
/// `STL` and `LDL`: registers that wait in memory.
const SPILLS: [u64; 2] = [0x387, 0x983];
/// Words of an instruction.
const WORDS: i64 = 4;
/// Bytes of an access, by the three bits from bit 73 on: `U8`, `S8`, `U16`, `S16`, 32, 64 and 128 bits.
const BYTES: [u32; 7] = [1, 1, 2, 2, 4, 8, 16];

/// Instructions of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) instructions: u32,
    /// Those that write registers to memory, or read them back.
    pub(crate) spills: u32,
    /// Bytes that these move.
    pub(crate) spilled_bytes: u32,
    /// Bytes that loads bring from global memory to registers; copies to shared memory are not among them.
    pub(crate) loaded_bytes: u32,
}

impl Counted {
    fn of<'a>(code: impl Iterator<Item = &'a Instruction> + Clone) -> Self {
        let of_kind = |kind: [u64; 2]| code.clone().filter(move |instruction| kind.contains(&instruction.opcode()));
        Self {
            instructions: code.clone().count() as u32,
            spills: of_kind(SPILLS).count() as u32,
            spilled_bytes: of_kind(SPILLS).map(bytes).sum(),
            loaded_bytes: of_kind(LOADS).map(bytes).sum(),
        }
    }

    /// Of all the machine code of a kernel. Nothing where this is no machine code of it.
    pub(crate) fn of_all(cubin: &[u8], kernel: &str) -> Option<Self> {
        Some(Self::of(instructions(cubin, kernel)?.iter()))
    }

    /// Of the loops in it; loops inside others count once.
    pub(crate) fn of_loops(cubin: &[u8], kernel: &str) -> Option<Self> {
        let code = instructions(cubin, kernel)?;
        let inside =
            code.iter().zip(are_in_loops(&code)).filter(|(_, inside)| *inside).map(|(instruction, _)| instruction);
        Some(Self::of(inside))
    }

    /// The part of the instructions that spill.
    pub(crate) fn part(self) -> f64 {
        f64::from(self.spills) / f64::from(self.instructions.max(1))
    }
}

/// Which instructions are in loops.
pub(crate) fn are_in_loops(code: &[Instruction]) -> Vec<bool> {
    are_in(code, |_| true)
}

/// Which instructions are in loops that load from global memory.
pub(crate) fn are_in_loops_that_load(code: &[Instruction]) -> Vec<bool> {
    are_in(code, |body| body.iter().any(|instruction| LOADS.contains(&instruction.opcode())))
}

/// Which instructions are in loops whose instructions are so.
fn are_in(code: &[Instruction], is_so: impl Fn(&[Instruction]) -> bool) -> Vec<bool> {
    let mut are_in = vec![false; code.len()];
    for (at, first) in code.iter().enumerate().filter_map(|(at, branch)| Some((at, target(*branch, at)?))) {
        // A branch to itself ends the code.
        if first < at && is_so(&code[first..=at]) {
            are_in[first..=at].fill(true);
        }
    }
    are_in
}

/// Bytes that an access moves.
fn bytes(access: &Instruction) -> u32 {
    BYTES.get((access.high >> 9 & 7) as usize).copied().unwrap_or(0)
}

/// The instruction that the branch at a place goes to.
fn target(branch: Instruction, at: usize) -> Option<usize> {
    let bits = u128::from(branch.high) << 64 | u128::from(branch.low);
    // Bits 34 to 81, with their sign.
    let upper = ((bits << 46) as i128 >> 80) as i64;
    let words = upper << 8 | (branch.low >> 16 & 0xff) as i64;
    let place = at as i64 + 1 + words / WORDS;
    (branch.opcode() == BRANCH).then(|| usize::try_from(place).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine_code::tests::file;

    fn instruction(opcode: u64) -> [u8; 16] {
        u128::from(opcode).to_le_bytes()
    }

    /// A branch to an instruction so many further than the next one.
    fn branch(by: i64) -> [u8; 16] {
        let words = (by * WORDS) as u128 & ((1 << 56) - 1);
        (u128::from(BRANCH) | (words & 0xff) << 16 | words >> 8 << 34).to_le_bytes()
    }

    /// Branches as ptxas 12.8 wrote them, and how far they go.
    #[test]
    fn branches_are_read_as_they_are_written() {
        let of = |low, high| target(Instruction { low, high }, 0x1000).map(|to| (to as i64 - 0x1001) * 16);
        assert_eq!(of(0x4c_0034_9947, 0x000f_ea00_0380_0000), Some(0x4cd0));
        assert_eq!(of(0xffff_ffbc_003c_a947, 0x010f_ec00_0383_ffff), Some(-0x4310));
        assert_eq!(of(0xffff_fffc_00fc_7947, 0x000f_c000_0383_ffff), Some(-0x10));
        assert_eq!(of(0x983, 0), None, "no branch");
    }

    #[test]
    fn spills_count_in_loops() {
        let [load, store, other] = [0x983, 0x387, 0x210].map(instruction);
        let of =
            |code: &[[u8; 16]]| Counted::of_loops(&file(code), "k").map(|loops| (loops.instructions, loops.spills));
        assert_eq!(of(&[store, other, load]), Some((0, 0)), "no loop");
        let all = Counted::of_all(&file(&[store, other, load]), "k");
        assert_eq!(all, Some(Counted { instructions: 3, spills: 2, spilled_bytes: 2, loaded_bytes: 0 }));
        assert_eq!(of(&[store, other, load, store, branch(-3), load, branch(-1)]), Some((3, 2)));
        assert_eq!(of(&[other, branch(1), load, other, branch(-5), other]), Some((5, 1)), "with a branch inside");
        assert_eq!(of(&[load, other, load, branch(-2), store, branch(-6)]), Some((6, 3)), "one in another");
        assert_eq!(Counted::of_loops(b"no machine code", "k"), None);
    }

    #[test]
    fn accesses_say_how_wide_they_are() {
        let wide = |opcode: u64, width: u32| (u128::from(opcode) | u128::from(width) << 73).to_le_bytes();
        let code = [wide(0x983, 4), wide(0x387, 5), wide(0x981, 6), wide(0x381, 2), wide(0x210, 6)];
        let counted = Counted { instructions: 5, spills: 2, spilled_bytes: 12, loaded_bytes: 18 };
        assert_eq!(Counted::of_all(&file(&code), "k"), Some(counted));
    }
}
