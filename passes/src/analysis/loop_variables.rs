//! What a comparison of a loop's variable with the loop's own bounds gives: inside of the loop it is less than the upper one, and not less than the lower one.
//!
//! Blocks of one row ask so in every iteration (`begin + tl.arange(0, R) < length` where `R` is 1). Where a block size divides the bounds, the last block is
//! whole: then masks of larger blocks always hold, too (`k + tl.arange(0, B) < K` in `range(0, K, B)`, and `tl.arange(0, B) < K - k * B` in `range(0, tl.cdiv(K, B))`).

use super::ranges::Ranges;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Op, OpKind, Value};

/// Operations that are looked through from each side of a comparison.
const MOST_STEPS: usize = 12;

/// A bound of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Lower,
    Upper,
}

/// What `left predicate right` gives for all elements, if one side is the variable of a loop, or what is left behind it, and the other one is known.
pub(super) fn compared(comparison: Op<'_>, predicate: CmpI, ranges: &mut Ranges) -> Option<bool> {
    let (left, right) = (comparison.operand(0), comparison.operand(1));
    one_sided(left, predicate, right, ranges).or_else(|| one_sided(right, turned(predicate), left, ranges))
}

fn one_sided(left: Value<'_>, predicate: CmpI, right: Value<'_>, ranges: &mut Ranges) -> Option<bool> {
    let (sum, other) = (Sum::of(left, ranges), Sum::of(right, ranges));
    if other.most == 0
        && let Some(bound) = bound_of(sum, other.scalar, ranges)
    {
        return with_bound(predicate, bound);
    }
    let least = least_left(other.scalar, ranges).filter(|_| other.most == 0)?;
    let last = ranges.ends(left).filter(|(first, _)| *first >= 0)?.1;
    match predicate {
        CmpI::Slt if last < least => Some(true),
        CmpI::Sge if last < least => Some(false),
        CmpI::Sle if last <= least => Some(true),
        CmpI::Sgt if last <= least => Some(false),
        CmpI::Ne if last < least => Some(true),
        CmpI::Eq if last < least => Some(false),
        CmpI::Slt | CmpI::Sle | CmpI::Sgt | CmpI::Sge | CmpI::Eq | CmpI::Ne => None,
        CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => None,
    }
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

/// Which bound of its loop `other` is, if the sum is the variable of one that counts up with signs, and what is added to it.
fn bound_of<'c>(sum: Sum<'c>, other: Value<'c>, ranges: &mut Ranges) -> Option<Bound> {
    let view = loop_of(sum.scalar)?;
    if is_limit(other, view) {
        let is_below = sum.most == 0 || sum.most < i64::try_from(stride_of(view, other, ranges)?).ok()?;
        return is_below.then_some(Bound::Upper);
    }
    let counts_up = view.step().constant_int().is_some_and(|step| step > 0);
    (counts_up && sum.most == 0 && other == view.lower_bound()).then_some(Bound::Lower)
}

/// The loop whose variable this is, if it compares with signs.
fn loop_of(variable: Value<'_>) -> Option<ForOp<'_>> {
    let (block, index) = variable.block_argument()?;
    ForOp::cast(block.parent_op()?).filter(|view| index == 0 && !view.unsigned_cmp())
}

/// The upper bound, or one of two of which the lesser is the upper bound.
fn is_limit(value: Value<'_>, view: ForOp<'_>) -> bool {
    let lesser = view.upper_bound().defining_op().filter(|op| op.kind() == OpKind::ArithMinSI);
    value == view.upper_bound() || lesser.is_some_and(|op| op.operands().contains(&value))
}

/// A power of two that divides the lower bound, a limit and the step of a loop that counts up: so much is left below the limit in each of its iterations.
fn stride_of<'c>(view: ForOp<'c>, limit: Value<'c>, ranges: &mut Ranges) -> Option<u64> {
    let step = view.step().constant_int().and_then(|step| u64::try_from(step).ok()).filter(|step| *step > 0)?;
    let bounds = [view.lower_bound(), limit];
    Some(bounds.into_iter().map(|bound| ranges.divisor(bound, view.op)).fold(1 << step.trailing_zeros(), u64::min))
}

/// What is left behind the variable of a loop at least: of `K - k` up to its upper bound `K`, and of `K - k * B` where it counts the blocks of `B` in `K`.
fn least_left(value: Value<'_>, ranges: &mut Ranges) -> Option<i64> {
    let difference = value.defining_op().filter(|op| op.kind() == OpKind::ArithSubI)?;
    let (all, taken) = (difference.operand(0), Sum::of(difference.operand(1), ranges));
    let taken = Some(taken).filter(|taken| taken.most == 0)?.scalar;
    if let Some(view) = loop_of(taken).filter(|view| is_limit(all, *view)) {
        // Behind a negative number there may be more than an integer holds.
        let is_natural = ranges.ends(view.lower_bound()).is_some_and(|(least, _)| least >= 0);
        return i64::try_from(stride_of(view, all, ranges)?).ok().filter(|_| is_natural);
    }
    let product = taken.defining_op().filter(|op| op.kind() == OpKind::ArithMulI)?;
    let factors =
        [(0, 1), (1, 0)].map(|(number, size)| (product.operand(number), product.operand(size).constant_int()));
    let (number, size) =
        factors.into_iter().find_map(|(number, size)| Some((number, size.filter(|size| *size > 0)?)))?;
    let view = loop_of(number)?;
    let counts = view.step().constant_int().is_some_and(|step| step > 0)
        && view.lower_bound().constant_int().is_some_and(|first| first >= 0);
    let divides = size.unsigned_abs().is_power_of_two() && ranges.divisor(all, view.op) >= size.unsigned_abs();
    (counts && divides && is_number_of_blocks(view.upper_bound(), all, size)).then_some(size)
}

/// `(all + size - 1) / size` or `all / size`.
fn is_number_of_blocks(value: Value<'_>, all: Value<'_>, size: i64) -> bool {
    let Some(quotient) = value.defining_op().filter(|op| op.kind() == OpKind::ArithDivSI) else { return false };
    let dividend = quotient.operand(0);
    let is_rounded_up = || {
        let sum = dividend.defining_op().filter(|op| op.kind() == OpKind::ArithAddI);
        sum.is_some_and(|sum| {
            let more = |index: usize| sum.operand(index).constant_int() == Some(size - 1);
            sum.operand(0) == all && more(1) || sum.operand(1) == all && more(0)
        })
    };
    quotient.operand(1).constant_int() == Some(size) && (dividend == all || is_rounded_up())
}

/// A scalar and what is added to it: each element is the scalar, or up to `most` more.
#[derive(Clone, Copy)]
struct Sum<'c> {
    scalar: Value<'c>,
    most: i64,
}

impl<'c> Sum<'c> {
    /// The scalar has the sign that it has in more bits.
    fn of(value: Value<'c>, ranges: &mut Ranges) -> Self {
        let mut sum = Self { scalar: value, most: 0 };
        for _ in 0..MOST_STEPS {
            let Some(op) = sum.scalar.defining_op() else { break };
            let is_sum = op.kind() == OpKind::ArithAddI;
            let mut added = |index: usize| {
                let term = is_sum.then(|| op.operand(index))?;
                let most = ranges.ends(term).filter(|(first, _)| *first == 0)?.1;
                sum.most.checked_add(most)
            };
            sum = if repeats(op.kind()) {
                Self { scalar: op.operand(0), ..sum }
            } else if let Some(most) = added(1) {
                Self { scalar: op.operand(0), most }
            } else if let Some(most) = added(0) {
                Self { scalar: op.operand(1), most }
            } else {
                break;
            };
        }
        sum
    }
}

/// Every element of the result is one of the operand's, with the same sign.
fn repeats(kind: OpKind) -> bool {
    use OpKind::{ArithExtSI, TtBroadcast, TtExpandDims, TtReshape, TtSplat, TtgConvertLayout};
    matches!(kind, TtSplat | TtExpandDims | TtBroadcast | TtReshape | TtgConvertLayout | ArithExtSI)
}
