//! A pointer as code generation has it in registers: what is added up in 64 bits, and a number of bytes.
//!
//! The registers of two such pointers with the same terms differ by a constant, whatever sums wrap around. A sum of fewer bits may wrap around before it
//! is widened, so it is a term as it stands: `p + (i + 1)` is no neighbour of `p + i` where `i` has 32 bits.

use super::{MOST_STEPS, MOST_TERMS};
use crate::analysis::AxisFacts;
use crate::analysis::axis_flow::unit_of;
use tk_ir::{OpKind, Value};

/// Bits of a pointer.
const POINTER_BITS: u32 = 64;

/// A pointer as a sum.
pub(super) struct Address<'c> {
    terms: Vec<Term<'c>>,
    pub(super) bytes: i64,
}

/// What is multiplied by a number of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Term<'c> {
    value: Value<'c>,
    bytes: i64,
}

impl<'c> Address<'c> {
    /// `None` where too much is added up.
    pub(super) fn of(pointer: Value<'c>, facts: &AxisFacts) -> Option<Self> {
        let (mut address, mut pointer) = (Self { terms: Vec::new(), bytes: 0 }, pointer);
        for _ in 0..MOST_STEPS {
            match pointer.defining_op() {
                Some(op) if op.kind() == OpKind::TtAddPtr => {
                    address.add(op.operand(1), i64::try_from(unit_of(pointer.ty())).ok()?, facts)?;
                    pointer = op.operand(0);
                }
                Some(op) if repeats_registers(op.kind()) => pointer = op.operand(0),
                Some(_) | None => {
                    address.terms.push(Term { value: pointer, bytes: 1 });
                    return Some(address);
                }
            }
        }
        None
    }

    /// Both are the same registers but for the constants.
    pub(super) fn has_terms_of(&self, other: &Self) -> bool {
        self.terms == other.terms
    }

    /// Adds an offset of elements that have so many `bytes`.
    fn add(&mut self, offset: Value<'c>, bytes: i64, facts: &AxisFacts) -> Option<()> {
        let mut pending = vec![offset];
        for _ in 0..MOST_STEPS {
            let Some(value) = pending.pop() else { return (self.terms.len() <= MOST_TERMS).then_some(()) };
            if let Some(constant) = facts.get(value).constant {
                self.bytes = self.bytes.checked_add(constant.checked_mul(bytes)?)?;
                continue;
            }
            let is_wide = value.ty().element_bits() == POINTER_BITS;
            match value.defining_op() {
                Some(op) if is_wide && op.kind() == OpKind::ArithAddI => {
                    pending.extend([op.operand(1), op.operand(0)]);
                }
                Some(op) if repeats_registers(op.kind()) => pending.push(op.operand(0)),
                Some(_) | None => self.terms.push(Term { value, bytes }),
            }
        }
        None
    }
}

/// The registers of the result are those of the operand.
fn repeats_registers(kind: OpKind) -> bool {
    matches!(kind, OpKind::TtSplat | OpKind::TtBroadcast | OpKind::TtExpandDims | OpKind::TkHint)
}
