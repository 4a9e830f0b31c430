//! Elements in memory words: how many words an access has, and how elements are packed into them.

use crate::code::{Code, IntTest, Reg, Ty};

/// How one access is cut into PTX words.
pub(super) struct Words {
    /// Type of one word, an integer.
    pub(super) word: Ty,
    /// Words per access: 1, 2 or 4.
    pub(super) count: usize,
    /// Elements per word.
    pub(super) elements: usize,
}

impl Words {
    /// `elements` values of type `ty` (at most 16 bytes) in as few words as possible, of at most 32 bits unless they are wider.
    pub(super) fn of(ty: Ty, elements: usize) -> Words {
        let bits = ty.bytes() * 8;
        let total = bits * elements as u32;
        let word = bits.max(total.min(32));
        Words { word: Ty::Int(word), count: (total / word) as usize, elements: (word / bits) as usize }
    }

    /// `.v4.b32`, `.b16`, ….
    pub(super) fn suffix(&self) -> String {
        let vector = if self.count > 1 { format!(".v{}", self.count) } else { String::new() };
        format!("{vector}.b{}", self.word.bits())
    }

    /// The type of all words together, for LLVM's own loads and stores.
    pub(super) fn vector(&self) -> Ty {
        match self.word.lane().filter(|_| self.count > 1) {
            Some(lane) => Ty::Vector(self.count as u8, lane),
            None => self.word,
        }
    }

    /// Bytes of the access.
    pub(super) fn bytes(&self) -> u32 {
        self.word.bytes() * self.count as u32
    }

    /// The words that hold `values`, which are as memory holds them.
    pub(super) fn pack(&self, code: &mut Code<'_>, values: &[Reg]) -> Vec<Reg> {
        values.chunks(self.elements).map(|run| code.pack(run, self.word)).collect()
    }
}

/// The type that memory holds for an element: truth values are bytes, pointers integers.
pub(super) fn stored_type(element: Ty) -> Ty {
    match element {
        Ty::BOOL => Ty::Int(8),
        Ty::Ptr(_) => Ty::Int(element.bits()),
        Ty::Int(_) | Ty::F16 | Ty::BF16 | Ty::F32 | Ty::F64 | Ty::Vector(..) => element,
    }
}

/// A value as memory holds it.
pub(super) fn to_stored(code: &mut Code<'_>, value: Reg) -> Reg {
    match value.ty() {
        Ty::BOOL => code.zext(value, Ty::Int(8)),
        Ty::Ptr(_) => code.ptr_to_int(value),
        Ty::Int(_) | Ty::F16 | Ty::BF16 | Ty::F32 | Ty::F64 | Ty::Vector(..) => value,
    }
}

/// The elements of a word from memory.
pub(super) fn from_word(code: &mut Code<'_>, word: Reg, element: Ty) -> Vec<Reg> {
    match element {
        Ty::BOOL => {
            let bytes = code.unpack(word, Ty::Int(8));
            let zero = code.int(Ty::Int(8), 0);
            bytes.into_iter().map(|byte| code.icmp(IntTest::Ne, byte, zero)).collect()
        }
        Ty::Ptr(_) => vec![code.int_to_ptr(word)],
        Ty::Int(_) | Ty::F16 | Ty::BF16 | Ty::F32 | Ty::F64 | Ty::Vector(..) => code.unpack(word, element),
    }
}

/// A value as 32-bit words for a shuffle, lowest first; narrower values are extended.
pub(super) fn to_shuffled(code: &mut Code<'_>, value: Reg) -> Vec<Reg> {
    let stored = to_stored(code, value);
    let width = stored.ty().bits();
    let bits = code.bitcast(stored, Ty::Int(width));
    if width > 32 { code.unpack(bits, Ty::I32) } else { vec![code.zext(bits, Ty::I32)] }
}

/// The inverse of [`to_shuffled`].
pub(super) fn from_shuffled(code: &mut Code<'_>, words: &[Reg], element: Ty) -> Reg {
    let stored = stored_type(element);
    let bits = match words {
        [word] => code.trunc(*word, Ty::Int(stored.bits())),
        _ => code.pack(words, Ty::I64),
    };
    match element {
        Ty::BOOL => {
            let zero = code.int(bits.ty(), 0);
            code.icmp(IntTest::Ne, bits, zero)
        }
        Ty::Ptr(_) => code.int_to_ptr(bits),
        Ty::Int(_) | Ty::F16 | Ty::BF16 | Ty::F32 | Ty::F64 | Ty::Vector(..) => code.bitcast(bits, element),
    }
}
