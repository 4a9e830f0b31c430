//! Integers of 8 bits as half precision, two at a time.
//!
//! The half whose upper byte is 0x64 is 1024 plus its lower byte. So a byte beside that one, with 1024 taken off, is the byte as a half; one with a sign has
//! its highest bit turned over before, which adds 128, and 1152 is taken off. All of these numbers are exact, and zero is positive. Two bytes of a word are
//! put beside that byte by one instruction, and one takes the number off both. Converted one by one, each byte is first taken out of its word, then converted
//! by one of the slow instructions, and the halves are put together again (docs/measurements.md, "Bytes of a word become halves together").
//!
//! True for bytes of words of 32 bits of which a thread has at least two elements, as it has where it loads four elements or more at once. A byte in a
//! register of its own is converted by itself, and so are bytes to other types: bf16 has seven bits behind its first one, and to f32 each byte is an instruction
//! of its own in either way, so that the steps above would be as many instructions as conversions are.

use super::{Emitter, Registers};
use crate::code::{Code, Lane, Reg, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::Op;

/// What the bits of an integer say.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Integers {
    Signed,
    Unsigned,
}

impl Integers {
    /// An integer in a register of its own.
    fn convert(self, code: &mut Code<'_>, byte: Reg) -> Reg {
        match self {
            Self::Signed => code.si_to_fp(byte, Ty::F16),
            Self::Unsigned => code.ui_to_fp(byte, Ty::F16),
        }
    }

    /// The word whose bytes say how far the integers are above the least one.
    fn above_least(self, code: &mut Code<'_>, word: Reg) -> Reg {
        match self {
            Self::Signed => {
                let signs = code.i32(0x8080_8080);
                code.xor(word, signs)
            }
            Self::Unsigned => word,
        }
    }

    /// Two halves that take off what was added: -1152 or -1024.
    fn taken_off(self) -> u64 {
        match self {
            Self::Signed => 0xe480_e480,
            Self::Unsigned => 0xe400_e400,
        }
    }
}

/// `arith.sitofp` and `arith.uitofp` from 8 bits to half precision.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, integers: Integers) -> Result<()> {
    let bytes = emitter.registers(op.operand(0))?;
    let halves = match &bytes {
        Registers::Splat(byte) => Registers::Splat(integers.convert(&mut emitter.code, *byte)),
        Registers::Each(bytes) => convert_each(&mut emitter.code, bytes, integers).into(),
    };
    emitter.define(op.result(0), halves);
    Ok(())
}

fn convert_each(code: &mut Code<'_>, bytes: &[Reg], integers: Integers) -> Vec<Reg> {
    let mut halves: FxHashMap<Reg, Reg> = FxHashMap::default();
    for pair in pairs_of(code, bytes) {
        let converted = pair.convert(code, integers);
        halves.extend([pair.first.byte, pair.second.byte].into_iter().zip(converted));
    }
    bytes.iter().map(|byte| halves.get(byte).copied().unwrap_or_else(|| integers.convert(code, *byte))).collect()
}

/// A byte that lies in a word with others.
#[derive(Clone, Copy)]
struct Part {
    byte: Reg,
    /// How many bytes are below it.
    place: usize,
}

/// Two bytes of one word, in the order of their registers.
struct Pair {
    word: Reg,
    first: Part,
    second: Part,
}

/// Each byte of a word with the next one that lies there, too. Registers that a layout repeats count once.
fn pairs_of(code: &mut Code<'_>, bytes: &[Reg]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut seen = FxHashSet::default();
    let mut alone: FxHashMap<Reg, Part> = FxHashMap::default();
    for byte in bytes.iter().copied().filter(|byte| seen.insert(*byte)) {
        let Some((word, place)) = code.word_with(&[byte]) else { continue };
        let part = Part { byte, place };
        match alone.remove(&word) {
            Some(first) => pairs.push(Pair { word, first, second: part }),
            None => {
                alone.insert(word, part);
            }
        }
    }
    pairs
}

impl Pair {
    fn convert(&self, code: &mut Code<'_>, integers: Integers) -> Vec<Reg> {
        let halves = Ty::Vector(2, Lane::F16);
        let word = integers.above_least(code, self.word);
        // Bytes of the result, lowest in the lowest digit; the fourth is the first one of the constant.
        let select = format!("prmt.b32 $0, $1, 0x64646464, 0x4{}4{};", self.second.place, self.first.place);
        let raised = code.pure_asm(&select, Ty::I32, &[word]);
        let raised = code.bitcast(raised, halves);
        let taken_off = code.float_bits(halves, integers.taken_off());
        let pair = code.fadd(raised, taken_off);
        code.unpack(pair, Ty::F16)
    }
}
