//! Computations of several values in the order of the program, one instruction of each value after the other.
//!
//! What an effect needs is computed one value after the other, which needs the fewest registers, and ptxas keeps that order where a value takes
//! many instructions. Two kinds of values are better off together:
//!
//! - those that take many instructions which wait for each other, where few warps issue meanwhile: a hash of 15 instructions for each
//!   element of an operand takes a warp that is alone on its scheduler 15 latencies of arithmetic for each element;
//! - those that use many numbers one after the other, and all the same ones: the segment of a token by 128 starts of segments. The numbers
//!   would wait in registers for the last value.

use super::Code;
use super::node::Opcode;
use super::reg::{NO_NODE, Reg};
use rustc_hash::FxHashSet;
use tk_diag::Result;

/// Values that are computed at a time: a scheduler issues to one warp without a gap then, and few registers wait.
pub(crate) const VALUES_TOGETHER: usize = 8;
/// Instructions of a value from which on order matters. Fewer, as of a cast and a factor, ptxas brings together itself.
const LEAST_INSTRUCTIONS: usize = 8;
/// Numbers that values share from which on they take more registers than the values.
const LEAST_SHARED: usize = 32;

/// What some values need.
#[derive(Default)]
struct Needed {
    /// What nothing needed before.
    missing: FxHashSet<u32>,
    /// What is there and used by more than one of the values.
    shared: FxHashSet<u32>,
    used: FxHashSet<u32>,
}

impl Code<'_> {
    /// Computes values that a product is about to read where the code stands now, if each takes long.
    pub(crate) fn compute_long(&mut self, values: &[Reg]) -> Result<()> {
        let needed = self.needed(values);
        let takes_long = needed.missing.len() >= LEAST_INSTRUCTIONS * values.len();
        if takes_long && values.len() > 1 { self.in_order(needed) } else { Ok(()) }
    }

    /// Computes `values` where the code stands now, if they share many numbers.
    pub(crate) fn compute_sharing(&mut self, values: &[Reg]) -> Result<()> {
        for some in values.chunks(VALUES_TOGETHER).filter(|some| some.len() > 1) {
            let needed = self.needed(some);
            if needed.shared.len() >= LEAST_SHARED {
                self.in_order(needed)?;
            }
        }
        Ok(())
    }

    fn in_order(&mut self, needed: Needed) -> Result<()> {
        let mut nodes: Vec<u32> = needed.missing.into_iter().collect();
        // Nodes have numbers in the order of the program, in which an operation follows on another for all elements.
        nodes.sort_unstable();
        nodes.into_iter().try_for_each(|node| self.realize(node).map(|_| ()))
    }

    fn needed(&mut self, values: &[Reg]) -> Needed {
        let mut needed = Needed::default();
        for value in values {
            let mut pending = vec![self.materialise(*value)];
            let mut seen = FxHashSet::default();
            while let Some(next) = pending.pop() {
                let node = &self.nodes[next as usize];
                if node.key.opcode == Opcode::Const || !seen.insert(next) {
                    continue;
                }
                if node.value.is_none() {
                    pending.extend(node.key.args.iter().copied().filter(|arg| *arg != NO_NODE));
                    needed.missing.insert(next);
                } else if !needed.used.insert(next) {
                    needed.shared.insert(next);
                }
            }
        }
        needed
    }
}
