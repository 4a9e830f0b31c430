//! The complementary error function, its relatives and inverses. fp32 has forms of its own
//! (`special_single`), or is computed in fp64 and rounded once: 1 ulp.
//! In fp64: 5 ulp for `erfc`, `erfcx` and `normcdf`, 20 for the inverses.

use super::float::Float;
use super::polynomials::ERFCX;
use super::{Function, one};
use crate::checked::{CompareOp, OpKind, UnaryOp, Value};
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

pub(super) const TABLE: &[Function] = &[
    one("erfc", |f, x| if f.is_double() { f.erfc(x) } else { f.erfc_of_single(x) }),
    one("erfcx", |f, x| if f.is_double() { f.erfcx(x) } else { f.erfcx_of_single(x) }),
    one("erfinv", |f, x| if f.is_double() { f.erfinv(x) } else { f.erfinv_of_single(x) }),
    one("erfcinv", |f, x| f.in_double([x], |f, [x]| f.erfcinv(x))),
    one("normcdf", |f, x| if f.is_double() { f.normcdf(x) } else { f.normcdf_of_single(x) }),
    one("normcdfinv", |f, x| {
        f.in_double([x], |f, [x]| {
            let double = f.scaled(x, 2.0);
            let inverse = f.erfcinv(double);
            f.scaled(inverse, -SQRT_2)
        })
    }),
];

/// Half the square root of π: the slope of the inverse at zero.
const SLOPE: f64 = 0.886_226_925_452_758;

impl Float<'_> {
    /// erfcx of numbers from 0 on: a polynomial in (x - 3) / (x + 3), over 1 + 2 x.
    fn scaled_tail(&mut self, x: Value) -> Value {
        let (below, above) = (self.shifted(x, -3.0), self.shifted(x, 3.0));
        let t = self.div(below, above);
        // At infinity t is 1.
        let one = self.number(1.0);
        let endless = self.is(x, f64::INFINITY);
        let t = self.select(endless, one, t);
        let numerator = self.polynomial(ERFCX, t);
        let double = self.scaled(x, 2.0);
        let divisor = self.shifted(double, 1.0);
        self.div(numerator, divisor)
    }

    /// exp(sign x²), with the part of the square that rounding loses.
    fn exponential_of_square(&mut self, x: Value, sign: f64) -> Value {
        let square = self.mul(x, x);
        let negative = self.call(UnaryOp::NegF, square);
        let lost = self.builder.emit(OpKind::Fma, &[x, x, negative], self.ty.clone());
        let power = self.scaled(square, sign);
        let power = self.call(UnaryOp::Exp, power);
        let correction = self.scaled(lost, sign);
        let corrected = self.builder.emit(OpKind::Fma, &[power, correction, power], self.ty.clone());
        // Where the square is infinite there is nothing lost.
        let finite = self.number(f64::MAX);
        let finite = self.compare(CompareOp::LeF, square, finite);
        self.select(finite, corrected, power)
    }

    pub(super) fn erfc(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let scaled = self.scaled_tail(magnitude);
        let power = self.exponential_of_square(magnitude, -1.0);
        let tail = self.mul(scaled, power);
        let two = self.number(2.0);
        let other = self.sub(two, tail);
        let zero = self.number(0.0);
        let negative = self.compare(CompareOp::LtF, x, zero);
        self.select(negative, other, tail)
    }

    fn erfcx(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let tail = self.scaled_tail(magnitude);
        let power = self.exponential_of_square(magnitude, 1.0);
        let double = self.scaled(power, 2.0);
        let other = self.sub(double, tail);
        let zero = self.number(0.0);
        let negative = self.compare(CompareOp::LtF, x, zero);
        self.select(negative, other, tail)
    }

    fn normcdf(&mut self, x: Value) -> Value {
        let scaled = self.scaled(x, -FRAC_1_SQRT_2);
        let twice = self.erfc(scaled);
        self.scaled(twice, 0.5)
    }

    /// One step of Halley's method from y: `step` is the residue over the slope.
    fn halley(&mut self, y: Value, step: Value) -> Value {
        let product = self.mul(y, step);
        let divisor = self.shifted(product, 1.0);
        let change = self.div(step, divisor);
        self.sub(y, change)
    }

    /// The inverse of erf around zero: the start of its series, then two steps on erf.
    fn central_inverse(&mut self, x: Value) -> Value {
        let square = self.mul(x, x);
        let series = [7.0 * PI * PI / 480.0, PI / 12.0, 1.0];
        let factor = self.polynomial(&series, square);
        let factor = self.scaled(factor, SLOPE);
        let mut y = self.mul(x, factor);
        for _ in 0..2 {
            let reached = self.call(UnaryOp::Erf, y);
            let residue = self.sub(reached, x);
            let power = self.exponential_of_square(y, 1.0);
            let step = self.mul(residue, power);
            let step = self.scaled(step, SLOPE);
            y = self.halley(y, step);
        }
        y
    }

    /// The y with erfc(y) = p for p up to 1/2: Winitzki's approximation, then three steps on erfcx.
    fn tail_inverse(&mut self, p: Value) -> Value {
        const A: f64 = 0.147;
        let two = self.number(2.0);
        let rest = self.sub(two, p);
        let (log_p, log_rest) = (self.call(UnaryOp::Log, p), self.call(UnaryOp::Log, rest));
        let log = self.add(log_p, log_rest);
        let half = self.scaled(log, 0.5);
        let centre = self.shifted(half, 2.0 / (PI * A));
        let square = self.mul(centre, centre);
        let scaled = self.scaled(log, 1.0 / A);
        let inner = self.sub(square, scaled);
        let root = self.call(UnaryOp::SqrtRn, inner);
        let difference = self.sub(root, centre);
        let mut y = self.call(UnaryOp::SqrtRn, difference);
        for _ in 0..3 {
            let tail = self.scaled_tail(y);
            let exponent = self.builder.emit(OpKind::Fma, &[y, y, log_p], self.ty.clone());
            let wanted = self.call(UnaryOp::Exp, exponent);
            let residue = self.sub(tail, wanted);
            let step = self.scaled(residue, -SLOPE);
            y = self.halley(y, step);
        }
        y
    }

    fn erfinv(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let one = self.number(1.0);
        let p = self.sub(one, magnitude);
        let central = self.central_inverse(magnitude);
        let tail = self.tail_inverse(p);
        let half = self.number(0.5);
        let near = self.compare(CompareOp::LtF, magnitude, half);
        let result = self.select(near, central, tail);
        let result = self.limits(result, p);
        self.copy_sign(result, x)
    }

    fn erfcinv(&mut self, p: Value) -> Value {
        let (one, two) = (self.number(1.0), self.number(2.0));
        let x = self.sub(one, p);
        let central = self.central_inverse(x);
        let upper = self.compare(CompareOp::GtF, p, one);
        let other = self.sub(two, p);
        let small = self.select(upper, other, p);
        let tail = self.tail_inverse(small);
        let tail = self.limits(tail, small);
        let negative = self.call(UnaryOp::NegF, tail);
        let tail = self.select(upper, negative, tail);
        let half = self.number(0.5);
        let magnitude = self.call(UnaryOp::AbsF, x);
        let near = self.compare(CompareOp::LtF, magnitude, half);
        self.select(near, central, tail)
    }

    /// Infinity where nothing is left of the distribution, NaN outside.
    fn limits(&mut self, y: Value, p: Value) -> Value {
        let (infinity, nan, zero) = (self.number(f64::INFINITY), self.number(f64::NAN), self.number(0.0));
        let ends = self.is(p, 0.0);
        let y = self.select(ends, infinity, y);
        let inside = self.compare(CompareOp::GeF, p, zero);
        self.select(inside, y, nan)
    }
}
