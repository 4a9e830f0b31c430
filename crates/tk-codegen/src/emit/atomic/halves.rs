//! Additions to single elements of 16 bits, as additions to the words that they are in.
//!
//! The GPU adds to both elements of a word in one instruction. For one element ptxas writes a loop: it reads the word, adds, and swaps the new word for
//! the old one unless somebody has changed it in between. A warp goes round until all its lanes have succeeded, and each round waits for memory. So here
//! negative zero is added to the other element of the word. It leaves every number as it is, zeros of both signs included, and what is no number stays none.
//!
//! The loop reads and writes the same word, so no other memory is accessed than with it. Where somebody asks for the old value it stays.

use super::Atomic;
use super::combined::Update;
use crate::code::{Code, Reg};
use crate::emit::words::Words;
use tk_diag::Result;

/// An addition to one element of a word of two.
pub(super) struct HalfUpdate {
    /// The instruction that adds to both elements, up to what it adds.
    update: String,
    /// The constant part of the element's address.
    offset: i64,
}

impl HalfUpdate {
    /// For additions to a single element of 16 bits that give no value.
    pub(super) fn of(atomic: &Atomic<'_>, words: &Words, pointer: Reg) -> Option<Self> {
        let is_single = words.count == 1 && words.elements == 1 && atomic.element.bits() == 16;
        if !is_single || !atomic.operation.is_float() || !atomic.is_reduction() {
            return None;
        }
        let (qualifiers, operation) = (atomic.qualifiers(), atomic.operation(words));
        Some(Self { update: format!("red.global.{qualifiers}{operation}x2 [ place ]"), offset: pointer.offset() })
    }

    /// Adds to the element of each lane.
    pub(super) fn emit(&self, code: &mut Code<'_>, update: &Update) -> Result<()> {
        update.emit(code, self.text(update.mask.is_some()))
    }

    /// The inline PTX. Its operands are the address, the value and the mask, where there is one.
    fn text(&self, is_masked: bool) -> String {
        let Self { update, offset } = self;
        let guard = if is_masked { "@$2 " } else { "" };
        let lines = [
            "{".to_string(),
            ".reg .pred upper;".to_string(),
            ".reg .b16 nothing;".to_string(),
            ".reg .b32 low, word;".to_string(),
            ".reg .b64 place;".to_string(),
            format!("add.s64 place, $0, {offset};"),
            "cvt.u32.u64 low, place;".to_string(),
            "and.b32 low, low, 2;".to_string(),
            "setp.ne.u32 upper, low, 0;".to_string(),
            "and.b64 place, place, -4;".to_string(),
            "mov.b16 nothing, 0x8000;".to_string(),
            "mov.b32 word, { $1, nothing };".to_string(),
            "@upper mov.b32 word, { nothing, $1 };".to_string(),
            format!("{guard}{update}, word;"),
            "}".to_string(),
        ];
        lines.join("\n\t")
    }
}
