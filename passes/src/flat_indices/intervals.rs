//! Between which numbers a value is where conditions are true.

use crate::analysis::loop_variables::turned;
use tk_ir::ops::{CmpI, MakeRangeOp};
use tk_ir::{Op, OpKind, Value};

/// Operations behind each other that are looked through.
const MOST_STEPS: usize = 6;

/// Conditions that are looked at.
const MOST_CONDITIONS: usize = 16;

/// Both ends are possible. Products of two numbers of 64 bits fit into it.
#[derive(Clone, Copy)]
struct Interval {
    least: i128,
    most: i128,
}

impl Interval {
    fn new(least: i128, most: i128) -> Self {
        Self { least, most }
    }

    /// All signed numbers of so many bits.
    fn of_bits(bits: u32) -> Self {
        let limit = 1_i128 << bits.clamp(1, 64).saturating_sub(1);
        Self::new(-limit, limit - 1)
    }

    fn is_within(self, other: Self) -> bool {
        self.least >= other.least && self.most <= other.most
    }

    /// What is in both; `self` where nothing is, since then no element is needed.
    fn narrowed(self, other: Self) -> Self {
        let both = Self::new(self.least.max(other.least), self.most.min(other.most));
        if both.least <= both.most { both } else { self }
    }
}

/// What conditions say of values.
pub(super) struct Intervals<'c, 'm> {
    conditions: &'m [Value<'c>],
}

impl<'c, 'm> Intervals<'c, 'm> {
    pub(super) fn where_true(conditions: &'m [Value<'c>]) -> Self {
        Self { conditions: &conditions[..conditions.len().min(MOST_CONDITIONS)] }
    }

    /// A sum, a difference or a product of signed numbers never wraps around.
    pub(super) fn holds_result(&self, op: Op<'c>) -> bool {
        self.exact(op, MOST_STEPS)
            .is_some_and(|exact| exact.is_within(Interval::of_bits(op.result(0).ty().element_bits())))
    }

    /// A number is never negative, and less than a limit.
    pub(super) fn is_natural_below(&self, value: Value<'c>, limit: u64) -> bool {
        let interval = self.of(value, MOST_STEPS);
        interval.least >= 0 && interval.most < i128::from(limit)
    }

    /// What the operands give without wrapping around.
    fn exact(&self, op: Op<'c>, steps: usize) -> Option<Interval> {
        let is_known = matches!(op.kind(), OpKind::ArithAddI | OpKind::ArithSubI | OpKind::ArithMulI);
        let steps = steps.checked_sub(1).filter(|_| is_known)?;
        let (a, b) = (self.of(op.operand(0), steps), self.of(op.operand(1), steps));
        if op.kind() == OpKind::ArithAddI {
            return Some(Interval::new(a.least + b.least, a.most + b.most));
        }
        if op.kind() == OpKind::ArithSubI {
            return Some(Interval::new(a.least - b.most, a.most - b.least));
        }
        let corners = [a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most];
        let least = corners.iter().copied().fold(corners[0], i128::min);
        let most = corners.iter().copied().fold(corners[0], i128::max);
        Some(Interval::new(least, most))
    }

    fn of(&self, value: Value<'c>, steps: usize) -> Interval {
        let all = Interval::of_bits(value.ty().element_bits());
        if let Some(constant) = value.constant_int() {
            return Interval::new(constant.into(), constant.into());
        }
        let made = value.defining_op().and_then(|op| self.made_by(op, steps));
        let bounds = self.conditions.iter().filter_map(|condition| bound_of(*condition, value));
        bounds.fold(made.filter(|made| made.is_within(all)).unwrap_or(all), Interval::narrowed)
    }

    /// What an operation can give; `None` where nothing is known of it, beyond its type where it wraps around.
    fn made_by(&self, op: Op<'c>, steps: usize) -> Option<Interval> {
        let is = |kind: OpKind| op.kind() == kind;
        if let Some(range) = MakeRangeOp::cast(op) {
            return Some(Interval::new(range.start().into(), i128::from(range.end()) - 1));
        }
        if is(OpKind::TtGetProgramId) {
            return Some(Interval::new(0, i32::MAX.into()));
        }
        if is(OpKind::ArithExtSI) || is(OpKind::TtSplat) {
            return Some(self.of(op.operand(0), steps.checked_sub(1)?));
        }
        // A condition on the operand may be about another element than the one at the place of the result.
        if (is(OpKind::TtExpandDims) || is(OpKind::TtBroadcast)) && self.conditions.is_empty() {
            return Some(self.of(op.operand(0), steps.checked_sub(1)?));
        }
        if let Some(exact) = self.exact(op, steps) {
            return Some(exact);
        }
        let steps = steps.checked_sub(1)?;
        let is_division =
            matches!(op.kind(), OpKind::ArithDivSI | OpKind::ArithRemSI | OpKind::ArithDivUI | OpKind::ArithRemUI);
        let by = is_division.then(|| op.operand(1).constant_int()).flatten().filter(|by| *by > 0)?;
        let (by, divided) = (i128::from(by), self.of(op.operand(0), steps));
        if is(OpKind::ArithDivSI) || is(OpKind::ArithDivUI) && divided.least >= 0 {
            return Some(Interval::new(divided.least / by, divided.most / by));
        }
        let rest = by - 1;
        if is(OpKind::ArithRemSI) && divided.least < 0 {
            return Some(Interval::new(-rest, rest));
        }
        if is(OpKind::ArithRemSI) || is(OpKind::ArithRemUI) {
            return Some(Interval::new(0, rest));
        }
        // An unsigned quotient of what may be negative as a signed number.
        let unsigned = (1_i128 << op.result(0).ty().element_bits()) - 1;
        Some(Interval::new(0, unsigned / by))
    }
}

/// Between which numbers a value is where a condition compares it with a constant and is true.
fn bound_of<'c>(condition: Value<'c>, value: Value<'c>) -> Option<Interval> {
    let test = condition.defining_op().filter(|op| op.kind() == OpKind::ArithCmpI)?;
    let predicate = CmpI::from_number(test.int_attr("predicate")?)?;
    let (left, right) = (test.operand(0), test.operand(1));
    let (predicate, bound) = if left == value {
        (predicate, right.constant_int()?)
    } else if right == value {
        (turned(predicate), left.constant_int()?)
    } else {
        return None;
    };
    let (all, bound) = (Interval::of_bits(value.ty().element_bits()), i128::from(bound));
    match predicate {
        CmpI::Eq => Some(Interval::new(bound, bound)),
        CmpI::Slt => Some(Interval::new(all.least, bound - 1)),
        CmpI::Sle => Some(Interval::new(all.least, bound)),
        CmpI::Sgt => Some(Interval::new(bound + 1, all.most)),
        CmpI::Sge => Some(Interval::new(bound, all.most)),
        CmpI::Ult if bound > 0 => Some(Interval::new(0, bound - 1)),
        CmpI::Ule if bound >= 0 => Some(Interval::new(0, bound)),
        CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => None,
    }
}
