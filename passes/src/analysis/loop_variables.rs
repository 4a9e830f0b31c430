//! What a comparison of a loop's variable with the loop's own bounds gives: inside of the loop it is less than the upper one, and not less than the lower one.
//!
//! Blocks of one row ask so in every iteration (`begin + tl.arange(0, R) < length` where `R` is 1).

use super::ranges::Ranges;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{OpKind, Value};

/// Operations that are looked through from each side of a comparison.
const MOST_STEPS: usize = 12;

/// A bound of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Lower,
    Upper,
}

/// What `left predicate right` gives for all elements, if one side is the variable of a loop and the other one of its bounds.
pub(super) fn compared(left: Value<'_>, predicate: CmpI, right: Value<'_>, ranges: &mut Ranges) -> Option<bool> {
    let (left, right) = (number(left, ranges), number(right, ranges));
    if let Some(bound) = bound_of(left, right) {
        return with_bound(predicate, bound);
    }
    with_bound(turned(predicate), bound_of(right, left)?)
}

/// What a comparison of the variable with the bound gives. Numbers without a sign may be in another order.
fn with_bound(predicate: CmpI, bound: Bound) -> Option<bool> {
    match (bound, predicate) {
        (Bound::Upper, CmpI::Slt | CmpI::Sle | CmpI::Ne) | (Bound::Lower, CmpI::Sge) => Some(true),
        (Bound::Upper, CmpI::Sge | CmpI::Sgt | CmpI::Eq) | (Bound::Lower, CmpI::Slt) => Some(false),
        (Bound::Upper | Bound::Lower, CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge)
        | (Bound::Lower, CmpI::Sle | CmpI::Sgt | CmpI::Eq | CmpI::Ne) => None,
    }
}

/// The comparison that says the same with its sides exchanged.
pub(crate) fn turned(predicate: CmpI) -> CmpI {
    match predicate {
        CmpI::Eq | CmpI::Ne => predicate,
        CmpI::Slt => CmpI::Sgt,
        CmpI::Sle => CmpI::Sge,
        CmpI::Sgt => CmpI::Slt,
        CmpI::Sge => CmpI::Sle,
        CmpI::Ult => CmpI::Ugt,
        CmpI::Ule => CmpI::Uge,
        CmpI::Ugt => CmpI::Ult,
        CmpI::Uge => CmpI::Ule,
    }
}

/// Which bound of its loop `other` is, if `variable` is the variable of one that counts up with signs.
fn bound_of<'c>(variable: Value<'c>, other: Value<'c>) -> Option<Bound> {
    let (block, index) = variable.block_argument()?;
    let view = ForOp::cast(block.parent_op()?).filter(|view| index == 0 && !view.unsigned_cmp())?;
    let counts_up = view.step().constant_int().is_some_and(|step| step > 0);
    if other == view.upper_bound() {
        Some(Bound::Upper)
    } else {
        (counts_up && other == view.lower_bound()).then_some(Bound::Lower)
    }
}

/// The scalar that all elements are, with the sign that it has in more bits; zeros that are added are left out.
fn number<'c>(value: Value<'c>, ranges: &mut Ranges) -> Value<'c> {
    let mut number = value;
    for _ in 0..MOST_STEPS {
        let Some(op) = number.defining_op() else { break };
        let is_sum = op.kind() == OpKind::ArithAddI;
        let with_zero = |index: usize, ranges: &mut Ranges| is_sum && ranges.is_zero(op.operand(index));
        number = if repeats(op.kind()) || with_zero(1, ranges) {
            op.operand(0)
        } else if with_zero(0, ranges) {
            op.operand(1)
        } else {
            break;
        };
    }
    number
}

/// Every element of the result is one of the operand's, with the same sign.
fn repeats(kind: OpKind) -> bool {
    use OpKind::{ArithExtSI, TtBroadcast, TtExpandDims, TtReshape, TtSplat, TtgConvertLayout};
    matches!(kind, TtSplat | TtExpandDims | TtBroadcast | TtReshape | TtgConvertLayout | ArithExtSI)
}
