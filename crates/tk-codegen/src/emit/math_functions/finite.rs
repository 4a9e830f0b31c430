//! How large the finite elements of a value may be, as far as its type and the operations that make it say it.
//!
//! Angles up to some limit need no slow way ([`trigonometry`](super::trigonometry)). Programs cast to f32 before they call a sine, so the type of the angle alone says
//! little: what it was cast from, or computed by, does. Infinities and NaN are left out: the short way makes NaN of both, as it should.
//!
//! Bounds are computed in f64, so those of arithmetic that rounds are right up to the rounding, a part in 2^23 for each operation on the way. Arithmetic on fewer
//! bits than 32 rounds more, and is not looked at.
//!
//! A sum along an axis has as many terms as the axis has elements, so sums of what is bounded are bounded, too, as means of rows are. What a loop adds up is not.
//! Roots are bounded by what they are given, and squares are not negative: the angle `rsqrt(x * x + 1)` needs no test. That an exponential of what is not positive
//! is at most one is left out: without the branch ptxas took 32 registers for a scan of such cosines, and loaded behind the first of them (measurements).

use super::{is_linked, library_function};
use crate::emit::casts::float_of;
use crate::emit::family::{Family, Math};
use rustc_hash::FxHashMap;
use tk_ir::ops::{MakeRangeOp, ReduceOp, ScanOp};
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
    Search { left: MOST_OPERATIONS, found: FxHashMap::default() }.of(value).size()
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

    /// Of square roots.
    fn root(self) -> Self {
        Self { least: self.least.max(0.0).sqrt(), greatest: self.greatest.max(0.0).sqrt() }
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

    /// Of sums of at most so many elements. Each addition rounds.
    fn added_up(self, terms: f64) -> Self {
        let terms = terms * (1.0 + terms * f64::from(f32::EPSILON));
        Self::computed((self.least * terms).min(self.least), (self.greatest * terms).max(self.greatest))
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
    /// What was found of the results of others: several operations may read one.
    found: FxHashMap<usize, Bounds>,
}

impl Search {
    fn of(&mut self, value: Value<'_>) -> Bounds {
        if let Some(number) = value.constant_float() {
            return Bounds::of_number(number);
        }
        let of_type = Bounds::of_type(value);
        let Some(op) = value.defining_op() else { return of_type };
        if let Some(bounds) = self.found.get(&value.id()) {
            return *bounds;
        }
        if self.left == 0 {
            return of_type;
        }
        self.left -= 1;
        let bounds = of_type.both(self.of_result(op));
        self.found.insert(value.id(), bounds);
        bounds
    }

    fn of_result(&mut self, op: Op<'_>) -> Bounds {
        if let Family::Math(which) = Family::of(op.kind()) {
            return self.of_function(op, which);
        }
        match op.kind() {
            OpKind::TtExternElementwise if !is_linked(op) => {
                let which = op.str_attr("symbol").and_then(library_function);
                which.map_or(Bounds::ANY, |which| self.of_function(op, which))
            }
            OpKind::ArithExtF | OpKind::TtFpToFp if widens(op) => self.of(op.operand(0)),
            OpKind::ArithSIToFP => self.of_integer(op.operand(0), Sign::Signed),
            OpKind::ArithUIToFP => self.of_integer(op.operand(0), Sign::Unsigned),
            OpKind::ArithNegF => self.of(op.operand(0)).negated(),
            OpKind::MathAbsF => self.of(op.operand(0)).magnitude(),
            OpKind::MathSqrt | OpKind::TtPreciseSqrt => Bounds::NATURAL.both(self.of_given(op).root()),
            OpKind::MathFloor | OpKind::MathCeil | OpKind::MathTrunc | OpKind::MathRoundEven => {
                self.of(op.operand(0)).plus(Bounds::within(1.0))
            }
            OpKind::ArithMaximumF | OpKind::ArithMaxNumF => self.of_greater(op),
            OpKind::ArithMinimumF | OpKind::ArithMinNumF => self.of_smaller(op),
            OpKind::TtClampF => of_clamp(op),
            OpKind::ArithSelect => self.of(op.operand(1)).either(self.of(op.operand(2))),
            OpKind::TtReduce => self.of_combined(op, ReduceOp::cast(op).and_then(ReduceOp::single_combiner)),
            OpKind::TtScan => self.of_combined(op, ScanOp::cast(op).and_then(ScanOp::single_combiner)),
            kind if is_repeated(kind) => self.of_operands(op, Self::of),
            _ => self.of_arithmetic(op),
        }
    }

    /// Those of a function by what it is given: 1/√x is at most one from one on.
    fn of_function(&mut self, op: Op<'_>, which: Math) -> Bounds {
        let known = Bounds::of_function(which);
        match which {
            Math::MathRsqrt => Bounds { greatest: 1.0 / self.of_given(op).root().least, ..known },
            Math::MathSin
            | Math::MathCos
            | Math::MathTanh
            | Math::MathErf
            | Math::MathExp
            | Math::MathExp2
            | Math::MathLog
            | Math::MathLog2 => known,
        }
    }

    /// Of what a function of one number in f32 or f64 is given.
    fn of_given(&mut self, op: Op<'_>) -> Bounds {
        let is_wide = op.num_operands() == 1 && op.result(0).ty().element_bits() >= 32;
        if is_wide { self.of(op.operand(0)) } else { Bounds::ANY }
    }

    /// Arithmetic in f32 and f64.
    fn of_arithmetic(&mut self, op: Op<'_>) -> Bounds {
        if op.num_results() != 1 || op.result(0).ty().element_bits() < 32 {
            return Bounds::ANY;
        }
        match op.kind() {
            OpKind::ArithAddF => self.of(op.operand(0)).plus(self.of(op.operand(1))),
            OpKind::ArithSubF => self.of(op.operand(0)).plus(self.of(op.operand(1)).negated()),
            OpKind::ArithMulF if op.operand(0) == op.operand(1) => {
                let factor = self.of(op.operand(0)).magnitude();
                factor.times(factor)
            }
            OpKind::ArithMulF => self.of(op.operand(0)).times(self.of(op.operand(1))),
            OpKind::MathFma => self.of(op.operand(0)).times(self.of(op.operand(1))).plus(self.of(op.operand(2))),
            OpKind::ArithDivF | OpKind::TtPreciseDivF | OpKind::TtApproxDivF => {
                self.of(op.operand(0)).over(self.of(op.operand(1)))
            }
            _ => Bounds::ANY,
        }
    }

    /// Elements of an axis that `combiner` combines, two at a time.
    fn of_combined(&mut self, op: Op<'_>, combiner: Option<Op<'_>>) -> Bounds {
        let Some(combiner) = combiner.filter(|_| op.num_operands() == 1) else { return Bounds::ANY };
        let source = op.operand(0);
        match combiner.kind() {
            OpKind::ArithMaximumF | OpKind::ArithMaxNumF | OpKind::ArithMinimumF | OpKind::ArithMinNumF => {
                self.of(source)
            }
            OpKind::ArithAddF if source.ty().element_bits() >= 32 => {
                let axis = op.int_attr("axis").and_then(|axis| usize::try_from(axis).ok());
                let terms = axis.and_then(|axis| source.ty().shape().get(axis).copied());
                terms.map_or(Bounds::ANY, |terms| self.of(source).added_up(terms as f64))
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
pub(super) fn widens(op: Op<'_>) -> bool {
    op.operand(0).ty().element_bits() < op.result(0).ty().element_bits()
}

/// Each element of the results is one of the operands'.
pub(super) fn is_repeated(kind: OpKind) -> bool {
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
pub(super) fn constant(value: Value<'_>) -> Option<f64> {
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
