//! Updates of one element by neighbouring lanes, as one update.
//!
//! The GPU combines equal addresses of an instruction one after the other, and so it does those of all warps that update the element at a time. Lanes
//! tell each other what they have instead. The lanes of a warp fall into runs of neighbours with one address. Five shuffles combine each run, and its first
//! lane updates the element for all of it. A lane whose mask is false has an address that no other lane has, so it is a run of its own, updates nothing,
//! and parts its neighbours.
//!
//! Where no lane has the address of the lane before it, as with numbers that are all different, a shuffle, a vote and a branch have been added. That
//! comparison is of the lower halves of addresses. Where some of these are equal, the upper halves are compared, too.
//!
//! A thread that accesses the element before or behind the update finds what it would have found: lanes meet on both sides of an update that one of them makes
//! for others.
//!
//! All lanes of the warp have to be here: the branch goes one way for all of them, and `combine-updates` marks nothing in kernels that single threads leave.

use super::Atomic;
use crate::code::{Asm, Code, Reg, Ty};
use crate::emit::words::Words;
use tk_diag::Result;
use tk_ir::attributes::COMBINES;

/// Distances of the shuffles that combine runs of a warp.
const DISTANCES: [u32; 5] = [1, 2, 4, 8, 16];

/// What lanes did to memory before comes before what others do behind it. Where warps are together it is no instruction.
const MEET: &str = "bar.warp.sync -1;";

/// How an element is updated.
pub(super) struct CombinedUpdate {
    bits: u32,
    /// The instruction that combines two elements in registers, such as `add.rn.f32`.
    combine: String,
    /// The instruction that updates the element in memory, up to its value.
    update: String,
}

/// What the lanes of a warp update.
pub(super) struct Update {
    /// The address, whose constant part is in the instruction.
    pub(super) pointer: Reg,
    /// What the element is combined with.
    pub(super) value: Reg,
    /// Where it is false nothing is updated.
    pub(super) mask: Option<Reg>,
}

impl Update {
    /// Inline PTX of which the operands are the address, the value and the mask, where there is one.
    pub(super) fn emit(&self, code: &mut Code<'_>, text: String) -> Result<()> {
        let asm = Asm::new(text).input(self.pointer.base()).input(self.value);
        let asm = match self.mask {
            Some(mask) => asm.input(mask),
            None => asm,
        };
        code.asm(asm).map(drop)
    }
}

impl CombinedUpdate {
    /// For an atomic operation that is marked, if it gives no value, orders nothing by itself and has a single element of 32 or 64 bits. Those are the
    /// elements that PTX combines in registers as it does in memory.
    pub(super) fn of(atomic: &Atomic<'_>, words: &Words, pointer: Reg) -> Option<Self> {
        let bits = atomic.element.bits();
        let is_single = words.count == 1 && words.elements == 1 && matches!(bits, 32 | 64);
        let is_plain = atomic.is_reduction() && atomic.order() == "relaxed";
        if atomic.op.attr(COMBINES).is_none() || !is_single || !is_plain {
            return None;
        }
        let (name, letter) = (atomic.operation.name(), atomic.operation.letter());
        let rounding = if atomic.operation.is_float() { ".rn" } else { "" };
        let (qualifiers, operation) = (atomic.qualifiers(), atomic.operation(words));
        Some(Self {
            bits,
            combine: format!("{name}{rounding}.{letter}{bits}"),
            update: format!("red.global.{qualifiers}{operation} [ $0 + {} ]", pointer.offset()),
        })
    }

    /// Updates the elements of a warp.
    pub(super) fn emit(&self, code: &mut Code<'_>, update: &Update) -> Result<()> {
        update.emit(code, self.text(update.mask.is_some()))
    }

    /// The inline PTX. Its operands are the address, the value and the mask, where there is one.
    fn text(&self, is_masked: bool) -> String {
        let Self { bits, combine, update } = self;
        let guard = if is_masked { "@$2 " } else { "" };
        let mut lines = vec![
            "{".to_string(),
            ".reg .pred head, inside, alone, longer;".to_string(),
            ".reg .b32 lane, low, high, other, heads, length;".to_string(),
            format!(".reg .b{bits} sum, next;"),
            "mov.u32 lane, %laneid;".to_string(),
            "mov.b64 { low, high }, $0;".to_string(),
        ];
        // No element lies at the last addresses of all, so these are for lanes without one.
        if is_masked {
            lines.push("selp.b32 low, low, lane, $2;".to_string());
        }
        lines.push("shfl.sync.up.b32 other|inside, low, 1, 0, -1;".to_string());
        lines.push("setp.ne.or.u32 head, other, low, !inside;".to_string());
        lines.push("vote.sync.all.pred alone, head, -1;".to_string());
        lines.push("@alone bra.uni single;".to_string());
        lines.push(MEET.to_string());
        if is_masked {
            lines.push("selp.b32 high, high, -1, $2;".to_string());
        }
        lines.push("shfl.sync.up.b32 other, high, 1, 0, -1;".to_string());
        lines.push("setp.ne.or.u32 head, other, high, head;".to_string());
        lines.extend(lanes_that_follow().map(str::to_string));
        lines.push(format!("mov.b{bits} sum, $1;"));
        for distance in DISTANCES {
            lines.push(format!("setp.gt.u32 longer, length, {distance};"));
            lines.extend(self.receive(distance));
            lines.push(format!("@longer {combine} sum, sum, next;"));
        }
        if is_masked {
            lines.push("and.pred head, head, $2;".to_string());
        }
        lines.push(format!("@head {update}, sum;"));
        lines.push(MEET.to_string());
        lines.push("bra.uni done;".to_string());
        lines.push("single:".to_string());
        lines.push(format!("{guard}{update}, $1;"));
        lines.push("done:".to_string());
        lines.push("}".to_string());
        lines.join("\n\t")
    }

    /// Gives `next` what the lane so much higher has in `sum`.
    fn receive(&self, distance: u32) -> Vec<String> {
        let shuffle = |to: &str, from: &str| format!("shfl.sync.down.b32 {to}, {from}, {distance}, 31, -1;");
        if Ty::I32.bits() == self.bits {
            return vec![shuffle("next", "sum")];
        }
        vec![
            "mov.b64 { low, high }, sum;".to_string(),
            shuffle("low", "low"),
            shuffle("high", "high"),
            "mov.b64 next, { low, high };".to_string(),
        ]
    }
}

/// Gives `length` the lanes from this one to the end of its run: to the next lane that begins one, or to the end of the warp.
fn lanes_that_follow() -> impl Iterator<Item = &'static str> {
    [
        "vote.sync.ballot.b32 heads, head, -1;",
        "mov.u32 length, %lanemask_gt;",
        "and.b32 heads, heads, length;",
        "brev.b32 heads, heads;",
        // Without a next one it gives the greatest number.
        "bfind.shiftamt.u32 length, heads;",
        "min.u32 length, length, 32;",
        "sub.u32 length, length, lane;",
    ]
    .into_iter()
}
