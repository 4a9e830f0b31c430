//! Accesses to shared memory, and exchanges within a warp: the steps that layout changes, reductions and scans are made of.

use super::Emitter;
use super::words::{Words, from_shuffled, from_word, stored_type, to_shuffled, to_stored};
use crate::code::{Asm, Code, IntTest, MemoryAccess, Reg, Ty};
use tk_diag::Result;

/// Stores consecutive elements (at most 16 bytes) at `address`, which is a multiple of their size; only where `predicate` holds.
pub(super) fn store_shared(code: &mut Code<'_>, address: Reg, values: &[Reg], predicate: Option<Reg>) -> Result<()> {
    let values: Vec<Reg> = values.iter().map(|value| to_stored(code, *value)).collect();
    let words = Words::of(values[0].ty(), values.len());
    let packed = words.pack(code, &values);
    let Some(predicate) = predicate.filter(|predicate| predicate.constant() != Some(-1)) else {
        let value = if words.count > 1 { code.pack(&packed, words.vector()) } else { packed[0] };
        return code.store(value, address, MemoryAccess { align: words.bytes(), volatile: false });
    };
    let list = Asm::word_or_vector(1, words.count);
    let text = format!("@${} st.shared{} [ $0 + {} ], {list};", words.count + 1, words.suffix(), address.offset());
    let wide: Vec<Reg> = packed.iter().map(|word| at_least_16_bits(code, *word)).collect();
    code.asm(Asm::new(text).input(address.base()).inputs(&wide).input(predicate))?;
    Ok(())
}

/// PTX has no 8-bit registers for inline assembly.
fn at_least_16_bits(code: &mut Code<'_>, word: Reg) -> Reg {
    if word.ty().bits() < 16 { code.zext(word, Ty::Int(16)) } else { word }
}

/// Loads `count` consecutive elements (at most 16 bytes) from `address`, which is a multiple of their size.
pub(super) fn load_shared(code: &mut Code<'_>, address: Reg, element: Ty, count: usize) -> Result<Vec<Reg>> {
    let words = Words::of(stored_type(element), count);
    let value = code.load(words.vector(), address, MemoryAccess { align: words.bytes(), volatile: false })?;
    let words: Vec<Reg> = (0..words.count).map(|index| code.extract(value, index as u8)).collect();
    Ok(words.into_iter().flat_map(|word| from_word(code, word, element)).collect())
}

/// The way a shuffle finds the lane to receive from.
#[derive(Clone, Copy)]
pub(super) enum Shuffle {
    /// The own lane with these bits flipped.
    Flip(u32),
    /// The lane with this number.
    From(Reg),
    /// The lane whose number is lower by so much; the own value where there is none.
    Up(u32),
    /// The lane whose number is higher by so much; the own value where there is none.
    Down(u32),
}

/// The value that another lane of the warp holds; all lanes take part.
pub(super) fn shuffle(code: &mut Code<'_>, value: Reg, way: Shuffle) -> Result<Reg> {
    let (name, selector, clamp) = match way {
        Shuffle::Flip(mask) => ("llvm.nvvm.shfl.sync.bfly.i32", code.i32(mask.into()), 31),
        Shuffle::From(lane) => ("llvm.nvvm.shfl.sync.idx.i32", lane, 31),
        Shuffle::Up(distance) => ("llvm.nvvm.shfl.sync.up.i32", code.i32(distance.into()), 0),
        Shuffle::Down(distance) => ("llvm.nvvm.shfl.sync.down.i32", code.i32(distance.into()), 31),
    };
    let (all, clamp) = (code.i32(-1), code.i32(clamp));
    let mut received = Vec::new();
    for word in to_shuffled(code, value) {
        received.push(code.effect_value(name, Ty::I32, &[all, word, selector, clamp])?);
    }
    Ok(from_shuffled(code, &received, value.ty()))
}

impl Emitter<'_, '_> {
    /// Whether this thread has none of these lane and warp bits set: it is no mere copy. `None` when that holds for all threads.
    pub(super) fn not_skipped(&mut self, lanes: u32, warps: u32) -> Option<Reg> {
        let skipped = lanes | warps << 5;
        if skipped == 0 {
            return None;
        }
        let thread = self.threads().thread;
        let code = &mut self.code;
        let (mask, zero) = (code.i32(skipped.into()), code.i32(0));
        let bits = code.and(thread, mask);
        Some(code.icmp(IntTest::Eq, bits, zero))
    }

    /// The exclusive or of `lanes[i]` over the set bits `i` of the lane and of `warps[i]` over those of the warp.
    pub(super) fn linear_offset(&mut self, lanes: &[u32], warps: &[u32]) -> Reg {
        let mut images = lanes.to_vec();
        images.resize(5, 0);
        images.extend_from_slice(warps);
        self.linear_in_thread(&images)
    }
}

/// `(base ^ xor) + add` bytes after `start`.
pub(super) fn shared_at(code: &mut Code<'_>, start: Reg, base: Reg, xor: u32, add: u32) -> Reg {
    let xor = code.i32(xor.into());
    let offset = code.xor(base, xor);
    let add = code.i32(add.into());
    let offset = code.add(offset, add);
    code.ptr_add(start, offset)
}
