//! Divisions that a load goes before, since code generation writes them with a branch, and what stands behind is issued when they know.

use super::dependence::follows_load;
use super::{FEW_REGISTERS, words};
use tk_ir::ops::LoadOp;
use tk_ir::{Op, OpKind, Value};

/// Which divisions a load goes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PassedDivisions {
    /// None: it takes too many registers, waits for another load itself, or stands in a branch or loop, where code generation divides
    /// without looking first.
    None,
    /// Those with a branch.
    WithBranch,
    /// All, since one with a branch stands behind.
    All,
}

impl PassedDivisions {
    pub(super) fn of(load: LoadOp<'_>) -> Self {
        let is_outside = load.op.parent_op().is_some_and(|parent| parent.kind() == OpKind::TtFunc);
        let is_small = words(load.result().ty()) <= FEW_REGISTERS;
        if is_outside && is_small && !follows_load(load) { Self::WithBranch } else { Self::None }
    }

    /// The load goes before this operation, and says so of what stands before it.
    pub(super) fn passes(&mut self, op: Op<'_>) -> bool {
        match self {
            Self::None => false,
            Self::WithBranch if is_with_branch(op) => {
                *self = Self::All;
                true
            }
            Self::WithBranch => false,
            Self::All => is_division(op),
        }
    }
}

/// A quotient or remainder of two numbers for the whole block, of which neither is known.
fn is_division(op: Op<'_>) -> bool {
    use OpKind::{ArithDivSI, ArithDivUI, ArithRemSI, ArithRemUI};
    matches!(op.kind(), ArithDivSI | ArithDivUI | ArithRemSI | ArithRemUI)
        && !op.result(0).ty().is_tensor()
        && op.operands().into_iter().all(|value| value.constant_int().is_none())
}

/// Code generation looks first whether such a division has a known result: one by the lesser of something and a power of two, or of the number of the
/// program (`emit/division.rs`).
fn is_with_branch(op: Op<'_>) -> bool {
    let is_signed = matches!(op.kind(), OpKind::ArithDivSI | OpKind::ArithRemSI);
    let is_power = |number: i64| number > 1 && number.count_ones() == 1;
    let has_power = |least: Op<'_>| least.operands().into_iter().filter_map(Value::constant_int).any(is_power);
    let made_by = |index: usize, kind: OpKind| op.operand(index).defining_op().filter(|made| made.kind() == kind);
    is_signed
        && is_division(op)
        && (made_by(1, OpKind::ArithMinSI).is_some_and(has_power) || made_by(0, OpKind::TtGetProgramId).is_some())
}
