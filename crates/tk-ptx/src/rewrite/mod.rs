//! Texts that are written again, for what ptxas makes of them.
//!
//! What ptxas does with a text depends on the order and the blocks of it, which LLVM IR cannot say. A pass here takes a parsed text, gathers facts about the
//! lines of its functions (`body.rs`, `effect.rs`, `sums.rs`), makes a plan, and writes the text again by its lines. What it does not know leaves the text as it is.
//!
//! [`Rewrite`] names the passes, and [`rewritten`] applies them one after the other. Two of them are for every text ([`Rewrite::before_assembling`]); the
//! others are asked for where machine code says that they may help.

mod address_steps;
mod beside_loads;
mod body;
mod effect;
mod held_registers;
mod lines;
mod loads_first;
mod loads_once;
mod multiply_adds;
mod sums;

pub use multiply_adds::Order;

use crate::{Module, parse};
use tk_diag::SourceFile;

/// A way to write a text again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// What needs no load gets a block behind the loads.
    BesideLoads,
    /// What a wider load brings is not loaded again.
    LoadsOnce,
    /// Loads stand before a branch that is never taken.
    LoadsFirst,
    /// A block that is never run needs so many registers.
    HeldRegisters(u32),
    /// Multiply-adds of a product stand in another order.
    MultiplyAdds(Order),
    /// Addresses of rows are computed from each other.
    AddressSteps,
}

/// How an instruction begins that loads from global memory.
const LOAD: &str = "ld.global";

impl Rewrite {
    /// The passes of a text that no assembler has seen, in their order. What needs no load is worth a block where a grid brings few CTAs.
    pub fn before_assembling(brings_few_ctas: bool) -> &'static [Self] {
        if brings_few_ctas { &[Self::BesideLoads, Self::LoadsOnce] } else { &[Self::LoadsOnce] }
    }

    /// Whether a text may be one that the pass changes. It is read for that.
    fn may_change(self, ptx: &str) -> bool {
        match self {
            Self::BesideLoads => beside_loads::may_change(ptx),
            Self::LoadsOnce => loads_once::may_change(ptx),
            Self::LoadsFirst => ptx.matches(LOAD).nth(1).is_some(),
            Self::HeldRegisters(_) => true,
            Self::MultiplyAdds(_) => ptx.contains("fma.rn."),
            Self::AddressSteps => address_steps::may_change(ptx),
        }
    }
}

impl Module {
    /// The text that a pass makes of this one's. Nothing where it leaves it as it is.
    pub fn rewritten(&self, rewrite: Rewrite) -> Option<String> {
        match rewrite {
            Rewrite::BesideLoads => beside_loads::rewritten(self),
            Rewrite::LoadsOnce => loads_once::rewritten(self),
            Rewrite::LoadsFirst => loads_first::rewritten(self),
            Rewrite::HeldRegisters(registers) => held_registers::rewritten(self, registers),
            Rewrite::MultiplyAdds(order) => multiply_adds::rewritten(self, order),
            Rewrite::AddressSteps => address_steps::rewritten(self),
        }
    }
}

/// The text behind these passes. One that cannot be read stays as it is.
pub fn rewritten(mut ptx: String, rewrites: &[Rewrite]) -> String {
    let mut read = None;
    for rewrite in rewrites {
        if !rewrite.may_change(&ptx) {
            continue;
        }
        let module = read.take().or_else(|| parse(&SourceFile::new("kernel.ptx", &ptx)).ok());
        match module.as_ref().and_then(|module| module.rewritten(*rewrite)) {
            Some(text) => ptx = text,
            None => read = module,
        }
    }
    ptx
}
