//! Halves of bytes that are put together, four bytes at a time where these lie in one word.
//!
//! `low | high << 4` of bytes takes six instructions for each: two that take the bytes out of their words, a shift, a disjunction, and those that put four of
//! them together again. Of a whole word the disjunction is one instruction, and the shift two: what would come of the byte below is masked out
//! (docs/measurements.md, "Bytes of a word are shifted together"). What takes such bytes apart is not computed so: there each byte is converted afterwards.
//!
//! True where each operand is a constant or has the four bytes in one word of 32 bits, in their order, as it has where a thread loads four elements or more at
//! once. Others are computed one by one.

use super::{Emitter, Registers};
use crate::code::{Code, Reg, Ty};
use tk_diag::Result;
use tk_ir::{Op, OpKind};

/// Bytes of a word.
const BYTES: usize = 4;
/// A byte in each byte of a word.
const EACH: i64 = 0x0101_0101;

/// What is computed of each byte without a look at the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bits {
    Or,
    ShiftLeft,
}

impl Bits {
    fn of(op: Op<'_>) -> Option<Self> {
        match op.kind() {
            OpKind::ArithOrI => Some(Self::Or),
            OpKind::ArithShLI => Some(Self::ShiftLeft),
            _ => None,
        }
    }

    fn of_bytes(self, code: &mut Code<'_>, x: [Reg; 2]) -> Reg {
        match self {
            Self::Or => code.or(x[0], x[1]),
            Self::ShiftLeft => code.shl(x[0], x[1]),
        }
    }

    /// `None` where it takes more than the operands of a word.
    fn of_words(self, code: &mut Code<'_>, x: [Operand; 2]) -> Option<Reg> {
        let [left, right] = x.map(|operand| operand.word(code));
        match (self, x[1]) {
            (Self::Or, _) => Some(code.or(left, right)),
            (Self::ShiftLeft, Operand::Constant(by)) if by < 8 => {
                let (by, kept) = (code.i32(i64::from(by)), code.i32(i64::from(u8::MAX << by) * EACH));
                let shifted = code.shl(left, by);
                Some(code.and(shifted, kept))
            }
            (Self::ShiftLeft, Operand::Constant(_) | Operand::Word(_)) => None,
        }
    }
}

/// Four bytes of an operand.
#[derive(Clone, Copy)]
enum Operand {
    Word(Reg),
    /// The same one four times.
    Constant(u8),
}

impl Operand {
    fn of(code: &mut Code<'_>, registers: &Registers, first: usize) -> Option<Self> {
        if let Some(byte) = registers.splat() {
            return byte.constant().map(|byte| Self::Constant(byte as u8));
        }
        let bytes: [Reg; BYTES] = std::array::from_fn(|index| registers.get(first + index));
        code.word_with(&bytes).filter(|(_, place)| *place == 0).map(|(word, _)| Self::Word(word))
    }

    fn word(self, code: &mut Code<'_>) -> Reg {
        match self {
            Self::Word(word) => word,
            Self::Constant(byte) => code.i32(i64::from(byte) * EACH),
        }
    }
}

/// Emits a shift or a disjunction of bytes of which some are computed as words, and says whether it was one.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<bool> {
    let ty = op.result(0).ty();
    let Some(bits) = Bits::of(op).filter(|_| ty.is_tensor() && ty.element_bits() == 8) else { return Ok(false) };
    let operands = [emitter.registers(op.operand(0))?, emitter.registers(op.operand(1))?];
    if operands.iter().all(|registers| registers.splat().is_some()) {
        return Ok(false);
    }
    let count = emitter.tensor(ty)?.registers;
    let code = &mut emitter.code;
    let (mut results, mut has_words) = (Vec::with_capacity(count), false);
    for first in (0..count).step_by(BYTES) {
        match word_of_bits(code, bits, &operands, first, count) {
            Some(word) => {
                has_words = true;
                results.extend(code.unpack(word, Ty::Int(8)));
            }
            None => {
                let one = |index: usize| bits.of_bytes(code, [operands[0].get(index), operands[1].get(index)]);
                results.extend((first..count.min(first + BYTES)).map(one));
            }
        }
    }
    if has_words {
        emitter.define(op.result(0), results.into());
    }
    Ok(has_words)
}

/// The word of the results that begin with `first`, of `count` in all.
fn word_of_bits(code: &mut Code<'_>, bits: Bits, operands: &[Registers; 2], first: usize, count: usize) -> Option<Reg> {
    if first + BYTES > count {
        return None;
    }
    let [left, right] = operands;
    let words = [Operand::of(code, left, first)?, Operand::of(code, right, first)?];
    bits.of_words(code, words)
}
