//! How large the finite elements of a value may be, as far as its type and the operations that make it say it.
//!
//! Angles up to some limit need no slow way ([`trigonometry`](super::trigonometry)). Programs cast to f32 before they call a sine, so the type of the angle alone says
//! little: what it was cast from, or computed by, does. Infinities and NaN are left out: the short way makes NaN of both, as it should.
//!
//! Bounds are computed in f64, so those of arithmetic that rounds are right up to the rounding, a part in 2^23 for each operation on the way. Arithmetic on fewer
//! bits than 32 rounds more, and is not looked at.

use super::{is_linked, library_function};
use crate::emit::casts::float_of;
use crate::emit::family::{Family, Math};
use tk_ir::ops::MakeRangeOp;
use tk_ir::{Op, OpKind, Value};
use tk_types::ScalarType;

/// Operations that are looked at for one value.
const MOST_OPERATIONS: u32 = 48;

/// The largest finite half. All 8-bit floats are smaller.
const LARGEST_HALF: f64 = 65504.0;

/// No finite logarithm is larger: that of the least f64 is -745 by e and -1074 by 2.
const LARGEST_LOGARITHM: f64 = 1100.0;

/// The widest integers that are small whatever they hold.
const SMALL_INTEGER_BITS: u32 = 16;

/// What no finite element of a value exceeds in size; infinity where nothing is known.
pub(super) fn largest_finite(value: Value<'_>) -> f64 {
    Search { left: MOST_OPERATIONS }.of(value).size()
}

/// Bounds of those elements that are finite numbers. An infinite bound is none.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    least: f64,
    greatest: f64,
}

/// How an integer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Signed,
    Unsigned,
}

impl Bounds {
    const ANY: Self = Self { least: f64::NEG_INFINITY, greatest: f64::INFINITY };
    const NATURAL: Self = Self { least: 0.0, greatest: f64::INFINITY };

    fn within(size: f64) -> Self {
        Self { least: -size, greatest: size }
    }

    /// Those of a constant.
    fn of_number(number: f64) -> Self {
        if number.is_finite() { Self { least: number, greatest: number } } else { Self::ANY }
    }

    /// Those that a type has.
    fn of_type(value: Value<'_>) -> Self {
        let is_small = matches!(
            float_of(value.ty()),
            Some(
                ScalarType::F16
                    | ScalarType::F8E4M3
                    | ScalarType::F8E5M2
                    | ScalarType::F8E4M3B8
                    | ScalarType::F8E5M2B16
            )
        );
        if is_small { Self::within(LARGEST_HALF) } else { Self::ANY }
    }

    /// Those of the results of a function.
    fn of_function(which: Math) -> Self {
        match which {
            Math::MathSin | Math::MathCos | Math::MathTanh | Math::MathErf => Self::within(1.0),
            Math::MathExp | Math::MathExp2 | Math::MathRsqrt => Self::NATURAL,
            Math::MathLog | Math::MathLog2 => Self::within(LARGEST_LOGARITHM),
        }
    }

    fn size(self) -> f64 {
        self.least.abs().max(self.greatest.abs())
    }

    fn magnitude(self) -> Self {
        Self { least: 0.0, greatest: self.size() }
    }

    fn negated(self) -> Self {
        Self { least: -self.greatest, greatest: -self.least }
    }

    /// Of elements of either.
    fn either(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }

    /// Of elements of both.
    fn both(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), greatest: self.greatest.min(other.greatest) }
    }

    /// Bounds that were computed: where all finite elements would lie beyond the greatest f64, there are none.
    fn computed(least: f64, greatest: f64) -> Self {
        Self { least: least.min(f64::MAX), greatest: greatest.max(f64::MIN) }
    }

    /// A finite sum has finite terms.
    fn plus(self, other: Self) -> Self {
        Self::computed(self.least + other.least, self.greatest + other.greatest)
    }

    /// A finite product has finite factors, so zero times a bound that there is not is zero.
    fn times(self, other: Self) -> Self {
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let corners = [
            product(self.least, other.least),
            product(self.least, other.greatest),
            product(self.greatest, other.least),
            product(self.greatest, other.greatest),
        ];
        Self::computed(
            corners.into_iter().fold(f64::INFINITY, f64::min),
            corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
        )
    }

    /// By what is above zero. What is divided by infinity is zero, which lies within, too.
    fn over(self, divisor: Self) -> Self {
        if divisor.least > 0.0 { Self::within(self.size() / divisor.least) } else { Self::ANY }
    }
}

/// A walk from a value to what it is computed from.
struct Search {
    /// Operations that may still be looked at.
    left: u32,
}

impl Search {
    fn of(&mut self, value: Value<'_>) -> Bounds {
        if let Some(number) = value.constant_float() {
            return Bounds::of_number(number);
        }
        let of_type = Bounds::of_type(value);
        let Some(op) = value.defining_op() else { return of_type };
        if self.left == 0 {
            return of_type;
        }
        self.left -= 1;
        of_type.both(self.of_result(op))
    }

    fn of_result(&mut self, op: Op<'_>) -> Bounds {
        if let Family::Math(which) = Family::of(op.kind()) {
            return Bounds::of_function(which);
        }
        match op.kind() {
            OpKind::TtExternElementwise if !is_linked(op) => {
                let which = op.str_attr("symbol").and_then(library_function);
                which.map_or(Bounds::ANY, Bounds::of_function)
            }
            OpKind::ArithExtF | OpKind::TtFpToFp if widens(op) => self.of(op.operand(0)),
            OpKind::ArithSIToFP => self.of_integer(op.operand(0), Sign::Signed),
            OpKind::ArithUIToFP => self.of_integer(op.operand(0), Sign::Unsigned),
            OpKind::ArithNegF => self.of(op.operand(0)).negated(),
            OpKind::MathAbsF => self.of(op.operand(0)).magnitude(),
            OpKind::MathSqrt | OpKind::TtPreciseSqrt => Bounds::NATURAL,
            OpKind::MathFloor | OpKind::MathCeil | OpKind::MathTrunc | OpKind::MathRoundEven => {
                self.of(op.operand(0)).plus(Bounds::within(1.0))
            }
            OpKind::ArithMaximumF | OpKind::ArithMaxNumF => self.of_greater(op),
            OpKind::ArithMinimumF | OpKind::ArithMinNumF => self.of_smaller(op),
            OpKind::TtClampF => of_clamp(op),
            OpKind::ArithSelect => self.of(op.operand(1)).either(self.of(op.operand(2))),
            kind if is_repeated(kind) => self.of_operands(op, Self::of),
            _ => self.of_arithmetic(op),
        }
    }

    /// Arithmetic in f32 and f64.
    fn of_arithmetic(&mut self, op: Op<'_>) -> Bounds {
        if op.num_results() != 1 || op.result(0).ty().element_bits() < 32 {
            return Bounds::ANY;
        }
        match op.kind() {
            OpKind::ArithAddF => self.of(op.operand(0)).plus(self.of(op.operand(1))),
            OpKind::ArithSubF => self.of(op.operand(0)).plus(self.of(op.operand(1)).negated()),
            OpKind::ArithMulF => self.of(op.operand(0)).times(self.of(op.operand(1))),
            OpKind::MathFma => self.of(op.operand(0)).times(self.of(op.operand(1))).plus(self.of(op.operand(2))),
            OpKind::ArithDivF | OpKind::TtPreciseDivF | OpKind::TtApproxDivF => {
                self.of(op.operand(0)).over(self.of(op.operand(1)))
            }
            _ => Bounds::ANY,
        }
    }

    /// The greater of a number and a constant is at least the constant, also where the number is none. Of two others it is one of them.
    fn of_greater(&mut self, op: Op<'_>) -> Bounds {
        let bounds = self.of_operands(op, Self::of);
        of_constant_side(op).map_or(bounds, |least| Bounds { least, ..bounds })
    }

    fn of_smaller(&mut self, op: Op<'_>) -> Bounds {
        let bounds = self.of_operands(op, Self::of);
        of_constant_side(op).map_or(bounds, |greatest| Bounds { greatest, ..bounds })
    }

    /// Elements of any operand.
    fn of_operands(&mut self, op: Op<'_>, of: impl Fn(&mut Self, Value<'_>) -> Bounds) -> Bounds {
        let operands = op.operands().into_iter().map(|operand| of(self, operand));
        operands.reduce(Bounds::either).unwrap_or(Bounds::ANY)
    }

    /// Of integers, read with or without their sign.
    fn of_integer(&mut self, value: Value<'_>, sign: Sign) -> Bounds {
        let bits = value.ty().element_bits();
        if (1..=SMALL_INTEGER_BITS).contains(&bits) {
            let values = f64::from(1u32 << bits);
            return match sign {
                Sign::Signed => Bounds::within(values / 2.0),
                Sign::Unsigned => Bounds { least: 0.0, greatest: values - 1.0 },
            };
        }
        let Some(op) = value.defining_op().filter(|_| self.left > 0) else { return Bounds::ANY };
        self.left -= 1;
        match op.kind() {
            OpKind::ArithExtUI => self.of_integer(op.operand(0), Sign::Unsigned),
            // A negative number without its sign is large.
            OpKind::ArithExtSI if sign == Sign::Signed => self.of_integer(op.operand(0), Sign::Signed),
            OpKind::TtMakeRange => of_range(op),
            kind if is_repeated(kind) => self.of_operands(op, |search, operand| search.of_integer(operand, sign)),
            _ => Bounds::ANY,
        }
    }
}

/// The cast keeps every number as it is.
fn widens(op: Op<'_>) -> bool {
    op.operand(0).ty().element_bits() < op.result(0).ty().element_bits()
}

/// Each element of the results is one of the operands'.
fn is_repeated(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::TtSplat
            | OpKind::TtUnsplat
            | OpKind::TtBroadcast
            | OpKind::TtExpandDims
            | OpKind::TtReshape
            | OpKind::TtTrans
            | OpKind::TtJoin
            | OpKind::TtSplit
            | OpKind::TtCat
            | OpKind::TtgConvertLayout
    )
}

/// The finite number that every element is.
fn constant(value: Value<'_>) -> Option<f64> {
    let splat = value.defining_op().filter(|op| op.kind() == OpKind::TtSplat);
    splat.map_or(value, |op| op.operand(0)).constant_float().filter(|number| number.is_finite())
}

/// The one of two operands that is a constant.
fn of_constant_side(op: Op<'_>) -> Option<f64> {
    [op.operand(0), op.operand(1)].into_iter().find_map(constant)
}

/// Between two constants, whichever is greater.
fn of_clamp(op: Op<'_>) -> Bounds {
    match (constant(op.operand(1)), constant(op.operand(2))) {
        (Some(low), Some(high)) => Bounds::of_number(low).either(Bounds::of_number(high)),
        (Some(_), None) | (None, Some(_) | None) => Bounds::ANY,
    }
}

fn of_range(op: Op<'_>) -> Bounds {
    // Numbers of an i32, which are the same with and without their sign.
    let range = MakeRangeOp::cast(op).filter(|range| range.start() >= 0);
    range.map_or(Bounds::ANY, |range| Bounds { least: range.start() as f64, greatest: range.end() as f64 })
}
