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
    /// Those with a branch, and others behind one of these.
    WithBranch,
    /// The same, and others have been passed: whether they stand behind one with a branch is not known yet.
    Tentative,
    /// All, since one with a branch stands behind.
    All,
}

/// What an operation is to a load that goes before divisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// No division that it goes before.
    Closed,
    /// A division that it goes before if one with a branch stands further up.
    Tentative,
    /// A division that it goes before.
    Open,
}

impl PassedDivisions {
    pub(super) fn of(load: LoadOp<'_>) -> Self {
        let is_outside = load.op.parent_op().is_some_and(|parent| parent.kind() == OpKind::TtFunc);
        let is_small = words(load.result().ty()) <= FEW_REGISTERS;
        if is_outside && is_small && !follows_load(load) { Self::WithBranch } else { Self::None }
    }

    /// Whether the load goes before this operation, which is said of one after the other, upwards.
    pub(super) fn passage(&mut self, op: Op<'_>, looks_at_programs: bool) -> Passage {
        match self {
            Self::None => Passage::Closed,
            Self::WithBranch | Self::Tentative if is_with_branch(op, looks_at_programs) => {
                *self = Self::All;
                Passage::Open
            }
            // Remainders are pure, and in nobody's way.
            Self::WithBranch | Self::Tentative if is_division(op) && !op.is_pure() => {
                *self = Self::Tentative;
                Passage::Tentative
            }
            Self::All if is_division(op) => Passage::Open,
            Self::WithBranch | Self::Tentative | Self::All => Passage::Closed,
        }
    }

    /// The load has been carried over divisions that it goes before only if one with a branch stands further up.
    pub(super) fn is_tentative(self) -> bool {
        self == Self::Tentative
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
fn is_with_branch(op: Op<'_>, looks_at_programs: bool) -> bool {
    let is_signed = matches!(op.kind(), OpKind::ArithDivSI | OpKind::ArithRemSI);
    let is_power = |number: i64| number > 1 && number.count_ones() == 1;
    let has_power = |least: Op<'_>| least.operands().into_iter().filter_map(Value::constant_int).any(is_power);
    let made_by = |index: usize, kind: OpKind| op.operand(index).defining_op().filter(|made| made.kind() == kind);
    let is_of_program = || looks_at_programs && made_by(0, OpKind::TtGetProgramId).is_some();
    is_signed && is_division(op) && (made_by(1, OpKind::ArithMinSI).is_some_and(has_power) || is_of_program())
}
