//! Exponentials, logarithms, powers, and hyperbolic functions.
//!
//! Each says its error in units in the last place (ulp), given exact elementary functions. Functions that cancel (`expm1`, `log1p`) use
//! Kahan's corrections, and powers of fp32 are computed in fp64. Functions that fp32 has forms of its own for are in `single`.

use super::float::Float;
use super::{Function, one, two};
use crate::checked::{BinaryOp, CompareOp, OpKind, UnaryOp, Value};
use std::f64::consts::{LOG2_10, LOG2_E};

pub(super) const TABLE: &[Function] = &[
    one("rint", |f, x| f.call(UnaryOp::RoundEven, x)),
    one("nearbyint", |f, x| f.call(UnaryOp::RoundEven, x)),
    one("round", |f, x| f.round_away(x)),
    one("exp", |f, x| f.exp(x)),
    one("expm1", |f, x| if f.is_double() { f.expm1(x) } else { f.expm1_of_single(x) }),
    one("log1p", |f, x| if f.is_double() { f.log1p(x) } else { f.log1p_of_single(x) }),
    one("log10", |f, x| f.log10(x)),
    one("fast_log10f", |f, x| f.log10(x)),
    one("exp10", |f, x| f.exp10(x)),
    one("fast_exp10f", |f, x| f.exp10(x)),
    one("tan", |f, x| f.tan(x)),
    one("fast_tanf", |f, x| f.tan(x)),
    one("sinh", |f, x| if f.is_double() { f.sinh(x) } else { f.sinh_of_single(x) }),
    one("cosh", |f, x| if f.is_double() { f.cosh(x) } else { f.cosh_of_single(x) }),
    one("asinh", |f, x| if f.is_double() { f.asinh(x) } else { f.asinh_of_single(x) }),
    one("acosh", |f, x| if f.is_double() { f.acosh(x) } else { f.acosh_of_single(x) }),
    one("atanh", |f, x| if f.is_double() { f.atanh(x) } else { f.atanh_of_single(x) }),
    one("cbrt", |f, x| f.cbrt(x)),
    one("rcp_rn", |f, x| {
        let one = f.number(1.0);
        f.op(BinaryOp::DivRnF, one, x)
    }),
    one("saturatef", |f, x| {
        let (zero, one) = (f.number(0.0), f.number(1.0));
        let raised = f.op(BinaryOp::MaxNumF, x, zero);
        f.op(BinaryOp::MinNumF, raised, one)
    }),
    two("copysign", |f, x, y| f.copy_sign(x, y)),
    two("fdim", |f, x, y| f.positive_difference(x, y)),
    two("pow", |f, x, y| f.pow(x, y)),
    two("fast_powf", |f, x, y| f.pow(x, y)),
    two("hypot", |f, x, y| f.hypot(x, y)),
];

impl Float<'_> {
    /// Kahan's `(u - 1) * x / log u` with `u = exp x`: errors of `u` cancel. 3 ulp.
    pub(super) fn expm1(&mut self, x: Value) -> Value {
        let u = self.call(UnaryOp::Exp, x);
        let less = self.shifted(u, -1.0);
        let log = self.call(UnaryOp::Log, u);
        let quotient = self.div(x, log);
        let result = self.mul(less, quotient);
        let tiny = self.is(u, 1.0);
        let result = self.select(tiny, x, result);
        let lowest = self.number(-1.0);
        let vanishes = self.compare(CompareOp::EqF, less, lowest);
        let result = self.select(vanishes, lowest, result);
        let overflows = self.is(u, f64::INFINITY);
        self.select(overflows, u, result)
    }

    /// Kahan's `x * log u / (u - 1)` with `u = 1 + x`. 3 ulp.
    pub(super) fn log1p(&mut self, x: Value) -> Value {
        let u = self.shifted(x, 1.0);
        let less = self.shifted(u, -1.0);
        let log = self.call(UnaryOp::Log, u);
        let quotient = self.div(x, less);
        let result = self.mul(log, quotient);
        let tiny = self.is(u, 1.0);
        let result = self.select(tiny, x, result);
        let overflows = self.is(u, f64::INFINITY);
        self.select(overflows, u, result)
    }

    /// 2 ulp.
    pub(super) fn log10(&mut self, x: Value) -> Value {
        let log = self.call(UnaryOp::Log2, x);
        self.scaled(log, std::f64::consts::LOG10_2)
    }

    /// The exponential; that of fp32 keeps the digits of large arguments. 2 ulp.
    pub(super) fn exp(&mut self, x: Value) -> Value {
        if self.is_double() { self.call(UnaryOp::Exp, x) } else { self.power_of_single(x, LOG2_E) }
    }

    /// In fp32 2 ulp, in fp64 4.
    pub(super) fn exp10(&mut self, x: Value) -> Value {
        if self.is_double() { self.power_of_ten(x) } else { self.power_of_single(x, LOG2_10) }
    }

    /// `2^h * 2^l` of the product with log2 10 in two parts, so that large arguments keep their digits.
    fn power_of_ten(&mut self, x: Value) -> Value {
        let coarse = self.number(LOG2_10);
        let whole = self.mul(x, coarse);
        let negative = self.call(UnaryOp::NegF, whole);
        let error = self.builder.emit(OpKind::Fma, &[x, coarse, negative], self.ty.clone());
        // What fp64 leaves out of log2 10.
        let fine = self.number(1.661_617_516_973_592e-16);
        let error = self.builder.emit(OpKind::Fma, &[x, fine, error], self.ty.clone());
        let high = self.call(UnaryOp::Exp2, whole);
        let low = self.call(UnaryOp::Exp2, error);
        let product = self.mul(high, low);
        // Infinite arguments and results have no error part.
        let saturated = [f64::INFINITY, 0.0].map(|limit| self.is(high, limit));
        let saturated = self.both(BinaryOp::Or, saturated[0], saturated[1]);
        self.select(saturated, high, product)
    }

    /// 3 ulp away from the zeros of the cosine.
    pub(super) fn tan(&mut self, x: Value) -> Value {
        let (sine, cosine) = (self.call(UnaryOp::Sin, x), self.call(UnaryOp::Cos, x));
        self.div(sine, cosine)
    }

    /// `(e + e / (e + 1)) / 2` with `e = expm1 |x|`; from 40 on, half of the square of `exp(|x| / 2)`, which overflows later. 6 ulp.
    pub(super) fn sinh(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let e = self.expm1(magnitude);
        let above = self.shifted(e, 1.0);
        let quotient = self.div(e, above);
        let sum = self.add(e, quotient);
        let small = self.scaled(sum, 0.5);
        let large = self.half_exponential(magnitude);
        let limit = self.number(40.0);
        let is_large = self.compare(CompareOp::GtF, magnitude, limit);
        let result = self.select(is_large, large, small);
        self.copy_sign(result, x)
    }

    /// `exp(x) / 2` without overflow of the exponential.
    pub(super) fn half_exponential(&mut self, x: Value) -> Value {
        let half = self.scaled(x, 0.5);
        let root = self.call(UnaryOp::Exp, half);
        let scaled = self.scaled(root, 0.5);
        self.mul(scaled, root)
    }

    /// 4 ulp.
    pub(super) fn cosh(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let rising = self.half_exponential(magnitude);
        let quarter = self.number(0.25);
        let falling = self.div(quarter, rising);
        self.add(rising, falling)
    }

    /// `log1p(|x| + x² / (1 + sqrt(x² + 1)))`, and `log |x| + log 2` where the square would overflow. 6 ulp.
    pub(super) fn asinh(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let square = self.mul(magnitude, magnitude);
        let above = self.shifted(square, 1.0);
        let root = self.call(UnaryOp::SqrtRn, above);
        let divisor = self.shifted(root, 1.0);
        let quotient = self.div(square, divisor);
        let sum = self.add(magnitude, quotient);
        let small = self.log1p(sum);
        let result = self.or_log_of_double(magnitude, small);
        self.copy_sign(result, x)
    }

    /// `small`, or `log x + log 2` for a large x.
    pub(super) fn or_log_of_double(&mut self, x: Value, small: Value) -> Value {
        let log = self.call(UnaryOp::Log, x);
        let large = self.shifted(log, std::f64::consts::LN_2);
        let limit = self.number(2_f64.powi(28));
        let is_large = self.compare(CompareOp::GtF, x, limit);
        self.select(is_large, large, small)
    }

    /// `log1p(t + sqrt t sqrt(t + 2))` with `t = x - 1`; below 1 the root of `t` is NaN. 6 ulp.
    pub(super) fn acosh(&mut self, x: Value) -> Value {
        let t = self.shifted(x, -1.0);
        let above = self.shifted(t, 2.0);
        let roots = [t, above].map(|part| self.call(UnaryOp::SqrtRn, part));
        let root = self.mul(roots[0], roots[1]);
        let sum = self.add(t, root);
        let small = self.log1p(sum);
        self.or_log_of_double(x, small)
    }

    /// `log1p(2 |x| / (1 - |x|)) / 2`. 5 ulp.
    pub(super) fn atanh(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let double = self.add(magnitude, magnitude);
        let one = self.number(1.0);
        let rest = self.sub(one, magnitude);
        let quotient = self.div(double, rest);
        let log = self.log1p(quotient);
        let half = self.scaled(log, 0.5);
        self.copy_sign(half, x)
    }

    /// The maximum of `x - y` and 0; NaN stays NaN.
    pub(super) fn positive_difference(&mut self, x: Value, y: Value) -> Value {
        let less = self.compare(CompareOp::LeF, x, y);
        let difference = self.sub(x, y);
        let zero = self.number(0.0);
        self.select(less, zero, difference)
    }

    /// The root of the sum of squares. 1 ulp in fp64, where squares overflow from 1e154 on.
    pub(super) fn hypot(&mut self, x: Value, y: Value) -> Value {
        if !self.is_double() {
            return self.hypot_of_single(x, y);
        }
        let (a, b) = (self.mul(x, x), self.mul(y, y));
        let sum = self.add(a, b);
        let root = self.call(UnaryOp::SqrtRn, sum);
        // An infinite side makes the result infinite even next to NaN.
        let infinite = [a, b].map(|square| self.is(square, f64::INFINITY));
        let infinite = self.both(BinaryOp::Or, infinite[0], infinite[1]);
        let infinity = self.number(f64::INFINITY);
        self.select(infinite, infinity, root)
    }

    /// `2^(log2 |x| / 3)` and one step of Newton's method, with the sign of x. 1 ulp.
    pub(super) fn cbrt(&mut self, x: Value) -> Value {
        if !self.is_double() {
            return self.cbrt_of_single(x);
        }
        let magnitude = self.call(UnaryOp::AbsF, x);
        let log = self.call(UnaryOp::Log2, magnitude);
        let third = self.scaled(log, 1.0 / 3.0);
        let root = self.call(UnaryOp::Exp2, third);
        let square = self.mul(root, root);
        let quotient = self.div(magnitude, square);
        let error = self.sub(root, quotient);
        let step = self.scaled(error, 1.0 / 3.0);
        let better = self.sub(root, step);
        // Zero and infinity have no step.
        let moves = self.compare(CompareOp::EqF, step, step);
        let root = self.select(moves, better, root);
        self.copy_sign(root, x)
    }

    /// `x^exponent` by squares, as libdevice's `powi` multiplies; one over that where the exponent is negative.
    pub(crate) fn whole_power(&mut self, x: Value, exponent: i32) -> Value {
        let mut left = exponent.unsigned_abs();
        let (mut square, mut power) = (x, None);
        while left > 0 {
            if left % 2 == 1 {
                power = Some(power.map_or(square, |known| self.mul(known, square)));
            }
            left /= 2;
            if left > 0 {
                square = self.mul(square, square);
            }
        }
        let one = self.number(1.0);
        match power {
            None => one,
            Some(power) if exponent < 0 => self.op(BinaryOp::DivRnF, one, power),
            Some(power) => power,
        }
    }

    /// `2^(y log2 |x|)`, with the sign and the special cases of C's `pow`. fp64 loses digits of large powers.
    pub(super) fn pow(&mut self, x: Value, y: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let power = if self.is_double() {
            let log = self.call(UnaryOp::Log2, magnitude);
            let exponent = self.mul(y, log);
            self.call(UnaryOp::Exp2, exponent)
        } else {
            self.magnitude_of_power(magnitude, y)
        };
        let one = self.number(1.0);
        let unit = self.is(magnitude, 1.0);
        let power = self.select(unit, one, power);
        let whole = self.call(UnaryOp::Floor, y);
        let is_whole = self.compare(CompareOp::EqF, whole, y);
        let half = self.scaled(y, 0.5);
        let half_floor = self.call(UnaryOp::Floor, half);
        let is_half = self.compare(CompareOp::NeF, half_floor, half);
        let odd = self.both(BinaryOp::And, is_whole, is_half);
        let signed = self.copy_sign(power, x);
        let result = self.select(odd, signed, power);
        let fraction = self.compare(CompareOp::NeF, whole, y);
        let (zero, lowest) = (self.number(0.0), self.number(f64::NEG_INFINITY));
        let negative = self.compare(CompareOp::LtF, x, zero);
        let finite = self.compare(CompareOp::GtF, x, lowest);
        let undefined = self.both(BinaryOp::And, negative, finite);
        let undefined = self.both(BinaryOp::And, undefined, fraction);
        let nan = self.number(f64::NAN);
        let result = self.select(undefined, nan, result);
        let no_power = self.is(y, 0.0);
        let base_one = self.is(x, 1.0);
        let always = self.both(BinaryOp::Or, no_power, base_one);
        self.select(always, one, result)
    }
}
