//! Floats of four bits (e2m1), two in a byte, as bf16: by tables in registers.
//!
//! A number without its sign is one of eight. So the lower bytes of the bf16 numbers are a table of eight bytes, the higher bytes are another one, and one
//! instruction that selects four bytes looks up four numbers in a table. Signs are looked up in a table of two bytes. Both numbers of a byte of memory then
//! are the halves of one word, as products and stores want them: 17 instructions for the eight numbers of a word. Computed with comparisons and selections,
//! each number takes eight (docs/measurements.md, "Four-bit floats by tables").
//!
//! The operation is `tt.extern_elementwise` with a symbol of tk's own: one for the lower numbers of all bytes, and one for the higher numbers. Both compute the
//! same words, which the code has once. Bytes that lie in no word of four are put together first, up to four of them.

use super::{Emitter, Registers};
use crate::code::{Code, Reg, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::Op;

/// Bytes of a word.
const WORD: usize = 4;

/// Which of the two numbers of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nibble {
    Low,
    High,
}

impl Nibble {
    /// The number that a `tt.extern_elementwise` takes, if it is one of these. The checker of the language writes these symbols (`dot_scaled`).
    pub(super) fn of(op: Op<'_>) -> Option<Self> {
        match op.str_attr("symbol")? {
            "__tk_e2m1_low" => Some(Self::Low),
            "__tk_e2m1_high" => Some(Self::High),
            _ => None,
        }
    }

    /// Its place in the word of both.
    fn index(self) -> usize {
        match self {
            Self::Low => 0,
            Self::High => 1,
        }
    }
}

/// One number of each byte as bf16.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, nibble: Nibble) -> Result<()> {
    let is_fitting = op.operand(0).ty().element().int_bits() == Some(8);
    if !is_fitting || emitter.element_ty(op.result(0).ty())? != Ty::BF16 {
        return Err(emitter.bug(op, "it makes bf16 of bytes, and its types are others"));
    }
    let bytes = emitter.registers(op.operand(0))?;
    let numbers = match &bytes {
        Registers::Splat(byte) => Registers::Splat(numbers_of(&mut emitter.code, &[*byte], nibble)[0]),
        Registers::Each(bytes) => numbers_of(&mut emitter.code, bytes, nibble).into(),
    };
    emitter.define(op.result(0), numbers);
    Ok(())
}

fn numbers_of(code: &mut Code<'_>, bytes: &[Reg], nibble: Nibble) -> Vec<Reg> {
    let places = places_of(code, bytes);
    let number_of = |byte: &Reg| {
        let place = places.get(byte).copied().unwrap_or_else(|| Place::of_some(code, &[*byte])[0]);
        let pair = place.pair(code);
        code.unpack(pair, Ty::BF16)[nibble.index()]
    };
    bytes.iter().map(number_of).collect()
}

/// Where a byte is.
#[derive(Clone, Copy)]
struct Place {
    word: Reg,
    /// How many bytes of the word are below it.
    below: usize,
}

/// The place of each byte. Registers that a layout repeats count once.
fn places_of(code: &mut Code<'_>, bytes: &[Reg]) -> FxHashMap<Reg, Place> {
    let mut places = FxHashMap::default();
    let mut alone = Vec::new();
    let mut seen = FxHashSet::default();
    for byte in bytes.iter().copied().filter(|byte| seen.insert(*byte)) {
        match code.word_with(&[byte]) {
            Some((word, below)) => {
                places.insert(byte, Place { word, below });
            }
            None => alone.push(byte),
        }
    }
    for some in alone.chunks(WORD) {
        places.extend(some.iter().copied().zip(Place::of_some(code, some)));
    }
    places
}

impl Place {
    /// The places of up to four bytes in a new word.
    fn of_some(code: &mut Code<'_>, bytes: &[Reg]) -> Vec<Self> {
        let mut parts = bytes.to_vec();
        parts.resize(WORD, code.int(Ty::Int(8), 0));
        let word = code.pack(&parts, Ty::I32);
        (0..bytes.len()).map(|below| Self { word, below }).collect()
    }

    /// Both numbers of the byte, the lower one in the lower half of a word. All but the last step are for two bytes, which share it.
    fn pair(self, code: &mut Code<'_>) -> Reg {
        let [all_but_signs, all_signs] = [0x7777_7777, 0x8888_8888].map(|mask| {
            let mask = code.i32(mask);
            code.and(self.word, mask)
        });
        // An instruction looks up the four numbers in the lower half of a word.
        let down = if self.below < WORD / 2 { 0 } else { 16 };
        let sizes = shifted_down(code, all_but_signs, down);
        let signs = shifted_down(code, all_signs, down + 3);
        // 0, 0.5, 1, 1.5, 2, 3, 4 and 6 are 0x0000, 0x3f00, 0x3f80, 0x3fc0, 0x4000, 0x4040, 0x4080 and 0x40c0.
        let lower = code.pure_asm("prmt.b32 $0, 0xc0800000, 0xc0804000, $1;", Ty::I32, &[sizes]);
        let higher = code.pure_asm("prmt.b32 $0, 0x3f3f3f00, 0x40404040, $1;", Ty::I32, &[sizes]);
        let sign = code.pure_asm("prmt.b32 $0, 0x00008000, 0, $1;", Ty::I32, &[signs]);
        let higher = code.or(higher, sign);
        let select = if self.below.is_multiple_of(2) { "0x5140" } else { "0x7362" };
        code.pure_asm(&format!("prmt.b32 $0, $1, $2, {select};"), Ty::I32, &[lower, higher])
    }
}

fn shifted_down(code: &mut Code<'_>, word: Reg, by: i64) -> Reg {
    if by == 0 {
        return word;
    }
    let by = code.i32(by);
    code.lshr(word, by)
}
