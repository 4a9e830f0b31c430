//! Words out of parts of two words that change places by a condition.
//!
//! A conversion through shuffles ends with such words: in some lanes of a warp what came first is the second one. Their parts are then put together
//! anew for the operand of a product. One `prmt` does both, by a selector that is the same for all words and all iterations of a loop.

use super::Code;
use super::node::Opcode;
use super::reg::{Reg, Ty};

/// A word that is one of two.
#[derive(Clone, Copy, PartialEq, Eq)]
struct OneOfTwo {
    condition: u32,
    /// The node where the condition holds.
    then: u32,
    /// And where it does not.
    otherwise: u32,
}

impl OneOfTwo {
    /// The other one of the two.
    fn partner(self) -> Self {
        Self { then: self.otherwise, otherwise: self.then, ..self }
    }
}

impl Code<'_> {
    /// The word of 32 bits out of parts of bytes, lowest first, if they are of two words that change places by a condition.
    pub(super) fn pack_swapped(&mut self, parts: &[Reg], ty: Ty) -> Option<Reg> {
        let bytes = parts[0].ty().bits() / 8;
        if ty.bits() != 32 || bytes == 0 || parts.len() as u32 * bytes != 4 {
            return None;
        }
        let (first, _) = self.part_of_one_of_two(parts[0])?;
        let mut selector = 0;
        let mut has_partner = false;
        for (index, part) in (0..).zip(parts) {
            let (word, lane) = self.part_of_one_of_two(*part)?;
            let begin = match word {
                word if word == first => 0,
                word if word == first.partner() => 4,
                _ => return None,
            };
            has_partner |= begin == 4;
            for byte in 0..bytes {
                selector |= (begin + lane * bytes + byte) << (4 * (index * bytes + byte));
            }
        }
        if !has_partner {
            return None;
        }
        let reg = |node, ty| Reg { node, ty, offset: 0 };
        // Bytes 0 to 3 are those of the one word, 4 to 7 those of the other.
        let (straight, crossed) = (self.i32(selector.into()), self.i32((selector ^ 0x4444).into()));
        let selector = self.select(reg(first.condition, Ty::BOOL), straight, crossed);
        let put_together = self.intrinsic(
            "llvm.nvvm.prmt",
            Ty::I32,
            &[reg(first.then, Ty::I32), reg(first.otherwise, Ty::I32), selector],
        );
        Some(self.bitcast(put_together, ty))
    }

    /// The word of 32 bits that a part lies in, if it is one of two, and the number of the part.
    fn part_of_one_of_two(&self, part: Reg) -> Option<(OneOfTwo, u32)> {
        let key = self.nodes.get(part.node as usize).filter(|_| part.offset == 0)?.key;
        let Opcode::Extract(lane) = key.opcode else { return None };
        let vector = self.nodes[key.args[0] as usize].key;
        let word =
            if vector.opcode == Opcode::Bitcast { self.nodes[vector.args[0] as usize].key } else { return None };
        if word.opcode != Opcode::Select || word.ty != Ty::I32 {
            return None;
        }
        let [condition, then, otherwise] = [word.args[0], word.args[1], word.args[2]];
        Some((OneOfTwo { condition, then, otherwise }, lane.into()))
    }
}
