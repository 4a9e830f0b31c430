//! Powers, roots and angles of two numbers, of fp32 in fp32.

use super::float::Float;
use super::single::Split;
use crate::checked::{BinaryOp, CompareOp, UnaryOp, Value};
use std::f64::consts::{FRAC_PI_2, LN_2, LOG2_E, PI};

/// `(atanh(v)/v - 1) / v²` in `v²`, for v up to 1/5.
const ATANH: [f64; 5] =
    [0.09907782077789307, 0.1108192577958107, 0.14286135137081146, 0.19999997317790985, 0.3333333432674408];

/// `sin(π r) / (π r)` in `r²`, for r up to 1/4.
const SIN_PI: [f64; 4] = [-0.18831586837768555, 0.8116854429244995, -1.644933819770813, 1.0];

/// `cos(π r)` in `r²`, for r up to 1/4.
const COS_PI: [f64; 5] = [0.2321254163980484, -1.3351378440856934, 4.05871057510376, -4.934802055358887, 1.0];

/// Adding it rounds a float to an integer.
const ROUNDER: f64 = 12_582_912.0;

impl Float<'_> {
    /// `log2 m` of the mantissa of x, from 2/3 to 4/3, as a sum of two numbers with 35 bits, and the exponent. For positive x.
    fn log2_parts_of_single(&mut self, x: Value) -> [Value; 3] {
        let Split { exponent, mantissa } = self.split_of_single(x);
        // 2 atanh(v) with v = f / (m + 1), and what the quotient lacks.
        let f = self.shifted(mantissa, -1.0);
        let above = self.shifted(mantissa, 1.0);
        let one = self.number(1.0);
        let inverse = self.op(BinaryOp::DivF, one, above);
        let v = self.mul(f, inverse);
        // f - v (m + 1) = (f - 2 v) - v f
        let rest = self.fma_of(v, -2.0, f);
        let negative = self.call(UnaryOp::NegF, v);
        let rest = self.fma(negative, f, rest);
        let lacking = self.mul(rest, inverse);
        let square = self.mul(v, v);
        let series = self.polynomial(&ATANH, square);
        let series = self.mul(series, square);
        let tail = self.fma(series, v, lacking);
        // Times 2 / log 2.
        let factor = 2.0 * LOG2_E;
        let coarse = f64::from(factor as f32);
        let zero = self.number(0.0);
        // Not a product, which might be fused with the sums below and then be another number there.
        let high = self.fma_of(v, coarse, zero);
        let less = self.call(UnaryOp::NegF, high);
        let low = self.fma_of(v, coarse, less);
        let low = self.fma_of(v, factor - coarse, low);
        let low = self.fma_of(tail, factor, low);
        let sum = self.add(high, low);
        let taken = self.sub(sum, high);
        let low = self.sub(low, taken);
        [exponent, sum, low]
    }

    /// `2^(y log2 |x|)` for finite positive magnitudes. 6 ulp.
    fn power_of_magnitude(&mut self, magnitude: Value, y: Value) -> Value {
        let [exponent, mantissa, rest] = self.log2_parts_of_single(magnitude);
        // The exponent is 0 or at least as large as the logarithm of the mantissa.
        let high = self.add(exponent, mantissa);
        let lost = self.sub(high, exponent);
        let lost = self.sub(mantissa, lost);
        let low = self.add(rest, lost);
        let product = self.mul(y, high);
        let (lowest, highest) = (self.number(-200.0), self.number(200.0));
        let limited = self.op(BinaryOp::MaxNumF, product, lowest);
        let limited = self.op(BinaryOp::MinNumF, limited, highest);
        let negative = self.call(UnaryOp::NegF, product);
        let error = self.fma(y, high, negative);
        let error = self.fma(y, low, error);
        let rounder = self.number(ROUNDER);
        let whole = self.add(limited, rounder);
        let whole = self.sub(whole, rounder);
        let fraction = self.sub(limited, whole);
        let power = self.call(UnaryOp::Exp2, fraction);
        // Errors of what over- or underflows anyway may be infinite.
        let (small, large) = (self.number(-1.0), self.number(1.0));
        let error = self.op(BinaryOp::MaxNumF, error, small);
        let error = self.op(BinaryOp::MinNumF, error, large);
        let correction = self.scaled(error, LN_2);
        let power = self.fma(power, correction, power);
        // Half of the exponent at a time: the whole may be beyond the exponents of fp32 where the result is not.
        let half = self.scaled(whole, 0.5);
        let half = self.call(UnaryOp::Floor, half);
        let other = self.sub(whole, half);
        let scales = [half, other].map(|part| self.call(UnaryOp::Exp2, part));
        let power = self.mul(power, scales[0]);
        self.mul(power, scales[1])
    }

    /// `2^(y log2 magnitude)`, right where one of them is 0 or infinite, too, unless the magnitude is 1.
    pub(super) fn magnitude_of_power(&mut self, magnitude: Value, y: Value) -> Value {
        let power = self.power_of_magnitude(magnitude, y);
        let (zero, infinity) = (self.number(0.0), self.number(f64::INFINITY));
        let is_rising = self.compare(CompareOp::GtF, y, zero);
        // 0 and infinity, and their inverses.
        let inverse = self.select(is_rising, infinity, zero);
        let same = self.select(is_rising, zero, infinity);
        let is_zero = self.is(magnitude, 0.0);
        let is_endless = self.is(magnitude, f64::INFINITY);
        let power = self.select(is_zero, same, power);
        let power = self.select(is_endless, inverse, power);
        // An infinite exponent: as the magnitude is above or below 1.
        let size = self.magnitude(y);
        let is_limit = self.is(size, f64::INFINITY);
        let one = self.number(1.0);
        let is_above = self.compare(CompareOp::GtF, magnitude, one);
        let above = self.select(is_above, inverse, same);
        let power = self.select(is_limit, above, power);
        let sum = self.add(magnitude, size);
        let is_number = self.compare(CompareOp::EqF, sum, sum);
        self.select(is_number, power, sum)
    }

    /// `large sqrt(1 + (small / large)²)`. 3 ulp.
    pub(super) fn hypot_of_single(&mut self, x: Value, y: Value) -> Value {
        let (a, b) = (self.magnitude(x), self.magnitude(y));
        let large = self.op(BinaryOp::MaximumF, a, b);
        let small = self.op(BinaryOp::MinNumF, a, b);
        let ratio = self.op(BinaryOp::DivF, small, large);
        let one = self.number(1.0);
        let square = self.fma(ratio, ratio, one);
        let root = self.call(UnaryOp::Sqrt, square);
        let result = self.mul(large, root);
        let is_nothing = self.is(large, 0.0);
        let result = self.select(is_nothing, large, result);
        // An infinite side makes the result infinite even next to NaN.
        let infinite = [a, b].map(|side| self.is(side, f64::INFINITY));
        let infinite = self.both(BinaryOp::Or, infinite[0], infinite[1]);
        let infinity = self.number(f64::INFINITY);
        self.select(infinite, infinity, result)
    }

    /// `2^(log2 |x| / 3)` and one step of Newton's method, with the sign of x. 1 ulp.
    pub(super) fn cbrt_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let log = self.call(UnaryOp::Log2, magnitude);
        let third = self.scaled(log, 1.0 / 3.0);
        let root = self.call(UnaryOp::Exp2, third);
        let square = self.mul(root, root);
        let quotient = self.op(BinaryOp::DivF, magnitude, square);
        let error = self.sub(quotient, root);
        let better = self.fma_of(error, 1.0 / 3.0, root);
        // Zero and infinity have no step.
        let moves = self.compare(CompareOp::EqF, error, error);
        let root = self.select(moves, better, root);
        self.copy_sign(root, x)
    }

    /// The angle of the smaller over the larger side, turned into the right octant. 3 ulp.
    pub(super) fn atan2_of_single(&mut self, y: Value, x: Value) -> Value {
        let (height, width) = (self.magnitude(y), self.magnitude(x));
        let small = self.op(BinaryOp::MinNumF, height, width);
        let large = self.op(BinaryOp::MaxNumF, height, width);
        let ratio = self.op(BinaryOp::DivF, small, large);
        // 0 / 0 is the angle 0, and infinity over infinity is that of 1.
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let is_nothing = self.is(large, 0.0);
        let ratio = self.select(is_nothing, zero, ratio);
        let is_endless = self.is(small, f64::INFINITY);
        let ratio = self.select(is_endless, one, ratio);
        let angle = self.small_atan_of_single(ratio);
        let is_steep = self.compare(CompareOp::GtF, height, width);
        let turned = self.turn_less(FRAC_PI_2, angle);
        let angle = self.select(is_steep, turned, angle);
        let mirrored = self.turn_less(PI, angle);
        let sign = self.copy_sign(one, x);
        let is_left = self.compare(CompareOp::LtF, sign, zero);
        let angle = self.select(is_left, mirrored, angle);
        let result = self.copy_sign(angle, y);
        let sum = self.add(height, width);
        let is_number = self.compare(CompareOp::EqF, sum, sum);
        self.select(is_number, result, sum)
    }

    /// `turn - x`, with what the turn lacks as a float.
    fn turn_less(&mut self, turn: f64, x: Value) -> Value {
        let coarse = f64::from(turn as f32);
        let low = self.number(turn - coarse);
        let rest = self.sub(low, x);
        self.shifted(rest, coarse)
    }

    /// `sin(π r)` for r from -1/2 to 1/2: as a cosine beyond 1/4, which is exactly 1 at the right angle. 2 ulp.
    fn sine_of_part(&mut self, r: Value) -> Value {
        let (magnitude, half, quarter) = (self.magnitude(r), self.number(0.5), self.number(0.25));
        let lacking = self.sub(half, magnitude);
        let part = self.op(BinaryOp::MinNumF, magnitude, lacking);
        let square = self.mul(part, part);
        let ratio = self.polynomial(&SIN_PI, square);
        let angle = self.scaled(part, PI);
        let sine = self.mul(angle, ratio);
        let cosine = self.polynomial(&COS_PI, square);
        let is_steep = self.compare(CompareOp::GtF, magnitude, quarter);
        let result = self.select(is_steep, cosine, sine);
        self.copy_sign(result, r)
    }

    /// sin(π x). 2 ulp.
    pub(super) fn sine_of_pi_of_single(&mut self, x: Value) -> Value {
        let rest = self.half_turns(x);
        let (magnitude, one) = (self.magnitude(rest), self.number(1.0));
        let mirrored = self.sub(one, magnitude);
        let folded = self.op(BinaryOp::MinNumF, magnitude, mirrored);
        let sine = self.sine_of_part(folded);
        self.copy_sign(sine, rest)
    }

    /// cos(π x) as the sine of what lacks to a right angle. 2 ulp.
    pub(super) fn cosine_of_pi_of_single(&mut self, x: Value) -> Value {
        let rest = self.half_turns(x);
        let (magnitude, half) = (self.magnitude(rest), self.number(0.5));
        let lacking = self.sub(half, magnitude);
        self.sine_of_part(lacking)
    }
}
