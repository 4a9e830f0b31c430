//! Quotients and remainders of numbers in a block that begins at a multiple of the divisor: `(start + i) / 16` becomes `start / 16 + i / 16`, and
//! `(start + i) % 16` becomes `i % 16`. In a block that lies within one multiple, they are `start / 16` and `start % 16 + i`.
//!
//! Programs that look up a page of a table for each element, or a scale of a group, count the elements from the start of their block and divide. What
//! is left to divide is then the same for all programs and iterations: it leaves loops, code generation computes it for each register, and
//! elements of one page have one address, whose neighbours are a number of bytes behind it. Or there is one quotient for the block.
//!
//! The divisor is a power of two, as sizes of blocks and pages are. `start` is a sum of numbers that are the same for all elements, of which axis info
//! says that `d` divides each, a power of two; `i` is between 0 and `d - 1`. So the sum of both never wraps around, and shares no bits. Either `d` is a
//! multiple of the divisor, or the divisor one of `d` ([`Fit`]). Shifts, masks and divisions of unsigned numbers round down: that is exact for all of
//! them. Signed division rounds to zero, so `start` must not be negative, which axis info says where it follows from numbers of programs, loops and
//! `range` (it takes for granted that integers of 32 bits do not wrap around; see [`axis_rules`](crate::analysis::axis_rules)).
//!
//! 1. Find divisions of sums in tensors.  2. Ask what divides the starts, and between which numbers the rest is.  3. Write quotients and remainders.
//!
//! Indices that are put together again have been so before: the parts do not show any more that they belong together.

use super::intervals::Intervals;
use crate::analysis::{self, AxisFacts, AxisInfo};
use crate::control_flow::remove_dead;
use tk_ir::ops::ExpandDimsOp;
use tk_ir::{Builder, Op, OpKind, Value};

/// Addends of a start, at most.
const MOST_STARTS: usize = 4;

/// Changes of shape between a sum and its division, at most.
const MOST_VIEWS: usize = 4;

/// Takes the divisions of a function apart.
pub(crate) fn take_apart(function: Op<'_>) {
    let dividends: Vec<Dividend<'_>> = function.descendants().into_iter().filter_map(Dividend::of).collect();
    if dividends.is_empty() {
        return;
    }
    let facts = analysis::axis_info(function);
    let plans: Vec<Plan<'_>> = dividends.into_iter().filter_map(|dividend| Plan::of(dividend, &facts)).collect();
    if plans.is_empty() {
        return;
    }
    plans.iter().for_each(Plan::apply);
    remove_dead(function);
}

/// What an operation gives of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Quotient,
    Remainder,
}

/// Where quotients that are no integers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rounding {
    /// Signed numbers: those below zero go up.
    ToZero,
    /// Signed numbers.
    Down,
    /// Unsigned numbers go down.
    Unsigned,
}

/// A division by a power of two, also one that is written as a shift or a mask.
#[derive(Clone, Copy, Debug)]
struct Division {
    part: Part,
    rounding: Rounding,
    /// The power.
    shift: u32,
}

impl Division {
    /// `None` for other operations, other divisors, and one as the divisor.
    fn of(op: Op<'_>) -> Option<Self> {
        let kinds = [
            (OpKind::ArithDivSI, Part::Quotient, Rounding::ToZero),
            (OpKind::ArithRemSI, Part::Remainder, Rounding::ToZero),
            (OpKind::ArithDivUI, Part::Quotient, Rounding::Unsigned),
            (OpKind::ArithRemUI, Part::Remainder, Rounding::Unsigned),
            (OpKind::ArithShRSI, Part::Quotient, Rounding::Down),
            (OpKind::ArithShRUI, Part::Quotient, Rounding::Unsigned),
            (OpKind::ArithAndI, Part::Remainder, Rounding::Down),
        ];
        let (kind, part, rounding) = kinds.into_iter().find(|(kind, ..)| *kind == op.kind())?;
        let bits = op.result(0).ty().element_bits();
        let by = op.operand(1).constant_int().filter(|by| *by > 0 && bits >= 8)?;
        let shift = if matches!(kind, OpKind::ArithShRSI | OpKind::ArithShRUI) {
            u32::try_from(by).ok()?
        } else if kind == OpKind::ArithAndI {
            power_of_two(by.checked_add(1)?)?
        } else {
            power_of_two(by)?
        };
        // The sign is none of the bits of a quotient.
        (1..bits - 1).contains(&shift).then_some(Self { part, rounding, shift })
    }
}

fn power_of_two(number: i64) -> Option<u32> {
    (number.count_ones() == 1).then(|| number.trailing_zeros())
}

/// A division of a sum in a tensor.
struct Dividend<'c> {
    op: Op<'c>,
    division: Division,
    /// What gives the sum the shape in which it is divided, the last operation first.
    views: Vec<Op<'c>>,
    addends: Addends<'c>,
}

impl<'c> Dividend<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let division = Division::of(op)?;
        let ty = op.result(0).ty();
        if !ty.is_tensor() || ty.encoding().is_some() || !op.discardable_attrs().is_empty() {
            return None;
        }
        let (mut views, mut divided) = (Vec::new(), op.operand(0));
        while let Some(view) = divided.defining_op().filter(|op| is_view(*op)) {
            views.push(view);
            divided = view.operand(0);
            if views.len() > MOST_VIEWS {
                return None;
            }
        }
        let addends = Addends::of(plain_sum(divided)?)?;
        Some(Self { op, division, views, addends })
    }
}

/// It repeats elements or adds an axis; no hint says anything of its result.
fn is_view(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtBroadcast | OpKind::TtExpandDims) && op.discardable_attrs().is_empty()
}

/// The sum that a value is, without hints.
fn plain_sum(value: Value<'_>) -> Option<Op<'_>> {
    value.defining_op().filter(|op| op.kind() == OpKind::ArithAddI && op.discardable_attrs().is_empty())
}

/// What a sum adds up.
struct Addends<'c> {
    /// Tensors that repeat one number.
    starts: Vec<Value<'c>>,
    /// The one other addend.
    rest: Value<'c>,
}

impl<'c> Addends<'c> {
    /// `None` where not exactly one addend differs between elements, or where the start is a number of the code: LLVM takes that apart.
    fn of(sum: Op<'c>) -> Option<Self> {
        let (mut starts, mut rest, mut pending) = (Vec::new(), None, sum.operands());
        while let Some(value) = pending.pop() {
            if value.constant_int().is_some() || repeated_scalar(value).is_some() {
                starts.push(value);
            } else if let Some(inner) = plain_sum(value) {
                pending.extend(inner.operands());
            } else if rest.replace(value).is_some() {
                return None;
            }
            if starts.len() > MOST_STARTS {
                return None;
            }
        }
        let varies = starts.iter().any(|start| start.constant_int().is_none());
        rest.filter(|_| varies).map(|rest| Self { starts, rest })
    }
}

/// The scalar that a tensor repeats.
fn repeated_scalar(value: Value<'_>) -> Option<Value<'_>> {
    let splat = value.defining_op().filter(|op| op.kind() == OpKind::TtSplat && op.discardable_attrs().is_empty())?;
    Some(splat.operand(0))
}

/// How the numbers of a block lie among the multiples of the divisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// They begin at one, and may go beyond the next.
    Several,
    /// They begin at one, and end before the next.
    One,
    /// They lie between two.
    Within,
}

impl Fit {
    /// `divisor` and what divides the start, `of_start`, are powers of two.
    fn of(divisor: u64, of_start: u64, rest: Value<'_>) -> Option<Self> {
        let intervals = Intervals::where_true(&[]);
        let is_below = |limit: u64| intervals.is_natural_below(rest, limit);
        if of_start < divisor {
            is_below(of_start).then_some(Self::Within)
        } else if is_below(divisor) {
            Some(Self::One)
        } else {
            is_below(of_start).then_some(Self::Several)
        }
    }
}

/// A division that can be taken apart.
struct Plan<'c> {
    dividend: Dividend<'c>,
    fit: Fit,
}

impl<'c> Plan<'c> {
    fn of(dividend: Dividend<'c>, facts: &AxisFacts) -> Option<Self> {
        let Addends { starts, rest } = &dividend.addends;
        let known: Vec<&AxisInfo> = starts.iter().filter_map(|start| facts.find(*start)).collect();
        let has_sign = dividend.division.rounding != Rounding::ToZero || known.iter().all(|info| info.non_negative);
        if known.len() < starts.len() || !has_sign {
            return None;
        }
        let of_start = known.iter().map(|info| info.overall_divisor()).min()?;
        let fit = Fit::of(1 << dividend.division.shift, of_start, *rest)?;
        Some(Self { dividend, fit })
    }

    fn apply(&self) {
        let op = self.dividend.op;
        let mut builder = Builder::before(op);
        let of_start = self.of_start(&mut builder);
        let of_rest = self.of_rest(&mut builder);
        let value = match (of_start, of_rest) {
            (Some(start), Some(rest)) => builder.binary(OpKind::ArithAddI, start, rest),
            (Some(part), None) | (None, Some(part)) => part,
            (None, None) => return,
        };
        op.result(0).replace_all_uses_with(value);
    }

    /// What the division gives of the start, for all elements; `None` for nothing. The start has no bits below the divisor, or is not negative, or is rounded
    /// down: a shift and a mask are exact.
    fn of_start(&self, builder: &mut Builder<'c>) -> Option<Value<'c>> {
        let Division { part, rounding, shift } = self.dividend.division;
        let ty = self.dividend.op.result(0).ty();
        let element = ty.element();
        let (kind, by) = match (part, self.fit) {
            (Part::Remainder, Fit::Several | Fit::One) => return None,
            (Part::Remainder, Fit::Within) => (OpKind::ArithAndI, (1_i64 << shift) - 1),
            (Part::Quotient, Fit::Several | Fit::One | Fit::Within) => match rounding {
                Rounding::ToZero | Rounding::Down => (OpKind::ArithShRSI, i64::from(shift)),
                Rounding::Unsigned => (OpKind::ArithShRUI, i64::from(shift)),
            },
        };
        let mut sum: Option<Value<'c>> = None;
        for start in &self.dividend.addends.starts {
            let number = match repeated_scalar(*start) {
                Some(scalar) => scalar,
                None => builder.int(element, start.constant_int()?),
            };
            sum = Some(sum.map_or(number, |sum| builder.binary(OpKind::ArithAddI, sum, number)));
        }
        let by = builder.int(element, by);
        let number = builder.binary(kind, sum?, by);
        Some(builder.splat(number, ty))
    }

    /// What the division gives of the rest, in the shape of the dividend; `None` for nothing.
    fn of_rest(&self, builder: &mut Builder<'c>) -> Option<Value<'c>> {
        let Dividend { op, division, views, addends } = &self.dividend;
        match (division.part, self.fit) {
            (Part::Quotient, Fit::One | Fit::Within) => return None,
            (Part::Quotient, Fit::Several) | (Part::Remainder, Fit::Several | Fit::One | Fit::Within) => {}
        }
        let rest = views.iter().rev().fold(addends.rest, |rest, view| {
            let ty = view.result(0).ty();
            match ExpandDimsOp::cast(*view) {
                Some(expansion) => builder.expand_dims(rest, expansion.axis(), ty),
                None => builder.broadcast(rest, ty),
            }
        });
        Some(match self.fit {
            Fit::Several => builder.binary(op.kind(), rest, op.operand(1)),
            Fit::One | Fit::Within => rest,
        })
    }
}
