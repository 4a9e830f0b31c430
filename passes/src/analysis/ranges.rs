//! The least and the greatest number that an integer, or any element of a tensor of integers, can be.
//!
//! Ranges come from `make_range`, from program ids, from loops whose bounds are numbers, and from constants; arithmetic keeps them while nothing can
//! wrap around. What a loop carries, what is loaded and what a kernel is given has none.

use crate::analysis::axis_rules::BinaryOp;
use crate::analysis::{AxisFacts, axis_info, loop_variables};
use crate::operations::axis::{AxisRule, axis_rule};
use rustc_hash::FxHashMap;
use tk_ir::ops::{CmpI, ForOp, MakeRangeOp};
use tk_ir::{Op, OpKind, Value};

/// Operations behind each other that are looked through.
const MOST_STEPS: usize = 48;

/// Both ends are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    least: i64,
    most: i64,
}

impl Range {
    fn new(least: i64, most: i64) -> Option<Self> {
        (least <= most).then_some(Self { least, most })
    }

    /// All signed numbers of so many bits.
    fn of_bits(bits: u32) -> Option<Self> {
        let most = 1_i64.checked_shl(bits.checked_sub(1)?).filter(|_| bits < 64).map_or(i64::MAX, |limit| limit - 1);
        Some(Self { least: -most - 1, most })
    }

    fn is_negative(self) -> bool {
        self.least < 0
    }

    fn natural(self) -> Option<Self> {
        Some(self).filter(|range| !range.is_negative())
    }

    fn joined(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    fn with(self, other: Self, combine: impl Fn(i64, i64) -> Option<i64>) -> Option<Self> {
        let corners =
            [(self.least, other.least), (self.least, other.most), (self.most, other.least), (self.most, other.most)];
        let mut least = i64::MAX;
        let mut most = i64::MIN;
        for (a, b) in corners {
            let corner = combine(a, b)?;
            (least, most) = (least.min(corner), most.max(corner));
        }
        Self::new(least, most)
    }

    fn mapped(self, map: impl Fn(i64) -> i64) -> Option<Self> {
        Self::new(map(self.least), map(self.most))
    }

    /// What a comparison of any two numbers of both ranges gives, if it is always the same.
    fn compared(self, predicate: CmpI, other: Self) -> Option<bool> {
        let is_natural = !self.is_negative() && !other.is_negative();
        let always = |is_true: bool, is_false: bool| (is_true || is_false).then_some(is_true);
        let less = || always(self.most < other.least, self.least >= other.most);
        let at_most = || always(self.most <= other.least, self.least > other.most);
        let is_equal = || {
            let is_one = self.least == self.most && other == self;
            always(is_one, self.most < other.least || other.most < self.least)
        };
        match predicate {
            CmpI::Eq => is_equal(),
            CmpI::Ne => is_equal().map(|equal| !equal),
            CmpI::Slt => less(),
            CmpI::Sle => at_most(),
            CmpI::Sgt => at_most().map(|is| !is),
            CmpI::Sge => less().map(|is| !is),
            CmpI::Ult => less().filter(|_| is_natural),
            CmpI::Ule => at_most().filter(|_| is_natural),
            CmpI::Ugt => at_most().filter(|_| is_natural).map(|is| !is),
            CmpI::Uge => less().filter(|_| is_natural).map(|is| !is),
        }
    }
}

/// Ranges of values of a function that does not change meanwhile.
#[derive(Default)]
pub(crate) struct Ranges {
    known: FxHashMap<usize, Option<Range>>,
    /// Of axes, since something asked for a divisor.
    facts: Option<AxisFacts>,
}

impl Ranges {
    /// What `arith.cmpi` gives for every element, if that is known.
    pub(crate) fn outcome(&mut self, comparison: Op<'_>) -> Option<bool> {
        if comparison.kind() != OpKind::ArithCmpI {
            return None;
        }
        let predicate = CmpI::from_number(comparison.int_attr("predicate")?)?;
        let (left, right) = (comparison.operand(0), comparison.operand(1));
        let of_ranges = match (self.of(left, 0), self.of(right, 0)) {
            (Some(left), Some(right)) => left.compared(predicate, right),
            (None, _) | (_, None) => None,
        };
        of_ranges.or_else(|| loop_variables::compared(comparison, predicate, self))
    }

    /// The least and the greatest number that any element can be.
    pub(super) fn ends(&mut self, value: Value<'_>) -> Option<(i64, i64)> {
        self.of(value, 0).map(|range| (range.least, range.most))
    }

    /// A power of two that divides all elements of a value of the function that `op` is in.
    pub(crate) fn divisor(&mut self, value: Value<'_>, op: Op<'_>) -> u64 {
        if self.facts.is_none() {
            self.facts = op.ancestors().find(|op| op.kind() == OpKind::TtFunc).map(axis_info);
        }
        let info = self.facts.as_ref().and_then(|facts| facts.find(value));
        info.map_or(1, |info| info.overall_divisor())
    }

    fn of(&mut self, value: Value<'_>, steps: usize) -> Option<Range> {
        if let Some(known) = self.known.get(&value.id()) {
            return *known;
        }
        if steps > MOST_STEPS {
            return None;
        }
        let range = match value.defining_op() {
            Some(op) => self.of_result(op, steps + 1),
            None => self.of_argument(value, steps + 1),
        };
        self.known.insert(value.id(), range);
        range
    }

    /// The variable of a loop.
    fn of_argument(&mut self, value: Value<'_>, steps: usize) -> Option<Range> {
        let (block, index) = value.block_argument()?;
        let view = ForOp::cast(block.parent_op()?).filter(|view| index == 0 && !view.unsigned_cmp())?;
        let step = view.step().constant_int().filter(|step| *step > 0)?;
        let lower = self.of(view.lower_bound(), steps)?;
        let bits = Range::of_bits(bits_of(value))?;
        let upper = self.of(view.upper_bound(), steps).map_or(bits.most, |upper| upper.most);
        let last = upper.checked_sub(1)?;
        let steps_to_last = last.checked_sub(lower.least)?.checked_div(step)?;
        let last =
            if lower.least == lower.most { lower.least.checked_add(steps_to_last.checked_mul(step)?)? } else { last };
        Range::new(lower.least, last)
    }

    fn of_result(&mut self, op: Op<'_>, steps: usize) -> Option<Range> {
        let result = op.result(0);
        let bits = bits_of(result);
        let all = Range::of_bits(bits)?;
        let fits = |range: &Range| range.least >= all.least && range.most <= all.most;
        let mut operand = |index: usize| self.of(op.operand(index), steps);
        match axis_rule(op.kind()) {
            AxisRule::Constant => {
                result.constant_int().filter(|_| bits > 1).and_then(|number| Range::new(number, number))
            }
            AxisRule::Range => MakeRangeOp::cast(op).and_then(|view| Range::new(view.start(), view.end() - 1)),
            AxisRule::ProgramNumber => Range::new(0, all.most),
            AxisRule::Splat
            | AxisRule::ExpandDims
            | AxisRule::Broadcast
            | AxisRule::Trans
            | AxisRule::Reshape
            | AxisRule::Copy
            | AxisRule::SignedCast => operand(0).filter(fits),
            AxisRule::UnsignedCast => operand(0).and_then(Range::natural).filter(fits).or_else(|| {
                let wider = Range::of_bits(bits_of(op.operand(0)) + 1)?;
                Range::new(0, wider.most).filter(fits)
            }),
            AxisRule::Select => Some(operand(1)?.joined(operand(2)?)),
            AxisRule::Binary(binary) => {
                let (left, right) = (operand(0), operand(1));
                combined(binary, left, right).filter(fits)
            }
            AxisRule::Poison
            | AxisRule::AddPtr
            | AxisRule::Load
            | AxisRule::Bitcast
            | AxisRule::IntToPtr
            | AxisRule::PtrToInt
            | AxisRule::Compare
            | AxisRule::For
            | AxisRule::While
            | AxisRule::If
            | AxisRule::Assume
            | AxisRule::Unknown => None,
        }
    }
}

fn bits_of(value: Value<'_>) -> u32 {
    let ty = value.ty();
    if ty.element().is_index() { 64 } else { ty.element_bits() }
}

/// The range of an operation of two integers. A remainder, and what `and` leaves, may be known although the left side is not.
fn combined(operation: BinaryOp, left: Option<Range>, right: Option<Range>) -> Option<Range> {
    use BinaryOp::*;
    let number = right.filter(|right| right.least == right.most).map(|right| right.least);
    match operation {
        Add => left?.with(right?, i64::checked_add),
        Sub => left?.with(right?, i64::checked_sub),
        Mul => left?.with(right?, i64::checked_mul),
        MinS => left?.with(right?, |a, b| Some(a.min(b))),
        MaxS => left?.with(right?, |a, b| Some(a.max(b))),
        MinU => left?.natural()?.with(right?.natural()?, |a, b| Some(a.min(b))),
        MaxU => left?.natural()?.with(right?.natural()?, |a, b| Some(a.max(b))),
        DivS => number.filter(|by| *by > 0).and_then(|by| left?.mapped(|a| a / by)),
        DivU => number.filter(|by| *by > 0).and_then(|by| left?.natural()?.mapped(|a| a / by)),
        RemS => number.filter(|by| *by > 0).and_then(|by| match left.and_then(Range::natural) {
            Some(left) => {
                Some(Range { least: if left.most < by { left.least } else { 0 }, most: left.most.min(by - 1) })
            }
            None => Range::new(1 - by, by - 1),
        }),
        RemU => number.filter(|by| *by > 0).and_then(|by| Range::new(0, by - 1)),
        Shl => {
            number.filter(|by| (0..32).contains(by)).and_then(|by| left?.with(right?, |a, _| a.checked_mul(1 << by)))
        }
        ShrS => number.filter(|by| (0..64).contains(by)).and_then(|by| left?.mapped(|a| a >> by)),
        ShrU => number.filter(|by| (0..64).contains(by)).and_then(|by| left?.natural()?.mapped(|a| a >> by)),
        And => [left, right]
            .into_iter()
            .flatten()
            .filter_map(Range::natural)
            .map(|range| range.most)
            .min()
            .and_then(|most| Range::new(0, most)),
        Or => {
            let (left, right) = (left?.natural()?, right?.natural()?);
            let most = left.most | right.most;
            let all = most.checked_ilog2().map_or(0, |bit| (1_i64 << bit) - 1 + (1_i64 << bit));
            Range::new(left.least.max(right.least), all)
        }
        Xor => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOp::*;

    type Operation = fn(i64, i64) -> Option<i64>;
    type Predicate = fn(i64, i64) -> bool;

    /// Every number of small ranges, by every operation, lies in the range of the result, and every comparison that has an outcome has it.
    #[test]
    fn ranges_hold_all_numbers() {
        let ranges: Vec<Range> = (-5..6).flat_map(|a| (a..6).filter_map(move |b| Range::new(a, b))).collect();
        let operations: [(BinaryOp, Operation); 10] = [
            (Add, |a, b| Some(a + b)),
            (Sub, |a, b| Some(a - b)),
            (Mul, |a, b| Some(a * b)),
            (MinS, |a, b| Some(a.min(b))),
            (MaxS, |a, b| Some(a.max(b))),
            (DivS, |a, b| a.checked_div(b)),
            (RemS, |a, b| a.checked_rem(b)),
            (And, |a, b| Some(a & b)),
            (Or, |a, b| Some(a | b)),
            (ShrS, |a, b| u32::try_from(b).ok().map(|b| a >> b)),
        ];
        let predicates: [(CmpI, Predicate); 8] = [
            (CmpI::Eq, |a, b| a == b),
            (CmpI::Ne, |a, b| a != b),
            (CmpI::Slt, |a, b| a < b),
            (CmpI::Sle, |a, b| a <= b),
            (CmpI::Sgt, |a, b| a > b),
            (CmpI::Sge, |a, b| a >= b),
            (CmpI::Ult, |a, b| (a as u64) < b as u64),
            (CmpI::Uge, |a, b| a as u64 >= b as u64),
        ];
        for left in &ranges {
            for right in &ranges {
                for a in left.least..=left.most {
                    for b in right.least..=right.most {
                        for (kind, run) in operations {
                            if let (Some(range), Some(number)) = (combined(kind, Some(*left), Some(*right)), run(a, b))
                            {
                                assert!((range.least..=range.most).contains(&number), "{kind:?} {a} {b} {range:?}");
                            }
                        }
                        for (predicate, run) in predicates {
                            assert!(
                                left.compared(predicate, *right).is_none_or(|is| is == run(a, b)),
                                "{predicate:?} {a} {b}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_wraps_around_has_no_range() {
        let all = Range::of_bits(32);
        assert_eq!(all, Range::new(i32::MIN.into(), i32::MAX.into()));
        assert_eq!(combined(Mul, Range::of_bits(64), Range::new(2, 2)), None);
        assert_eq!(combined(RemU, None, Range::new(8, 8)), Range::new(0, 7));
        assert_eq!(combined(And, None, Range::new(15, 15)), Range::new(0, 15));
    }
}
