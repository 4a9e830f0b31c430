//! Functions of fp32 in fp32: exponentials less one, logarithms of one more, hyperbolic functions and angles.
//!
//! Each has about as many instructions as the function of CUDA's libdevice, and at most the error that CUDA states for that. Polynomials
//! interpolate at Chebyshev nodes; their errors, relative to the function, are below 2^-26.

use super::float::Float;
use crate::checked::{BinaryOp, CastKind, CompareOp, OpKind, UnaryOp, Value};
use std::f64::consts::{FRAC_PI_2, LN_2, LOG2_E, PI};
use tk_types::ScalarType;

/// Highest power first, as all tables here: `(log(1 + f) - f + f²/2) / f³` for `|f| <= 1/3`.
const LOG: [f64; 8] = [
    -0.12839174270629883,
    0.13994267582893372,
    -0.12196756899356842,
    0.14003565907478333,
    -0.16679546236991882,
    0.20010575652122498,
    -0.24999819695949554,
    0.3333321213722229,
];

/// `(e^f - 1 - f) / f²` for `|f| <= log(2) / 2`.
const EXP: [f64; 6] = [
    0.00019890988450674672,
    0.0013933647862766664,
    0.00833331092762119,
    0.041666464944507264,
    0.16666666681621084,
    0.5000000013463886,
];

/// `(sinh(x)/x - 1) / x²` in `x²` up to 1, by its Taylor series.
const SINH: [f64; 4] = [1.0 / 362_880.0, 1.0 / 5_040.0, 1.0 / 120.0, 1.0 / 6.0];

/// `(atan(z)/z - 1) / z²` in `z²` up to 1.
const ATAN: [f64; 9] = [
    -0.002386997316380705,
    0.013507771425664474,
    -0.03587153897987907,
    0.06250169444571202,
    -0.08656880430074311,
    0.11033764115294446,
    -0.14278568748208526,
    0.19999739329835498,
    -0.33333331733063515,
];

/// `(asin(z)/z - 1) / z²` in `z²` up to 1/4.
const ASIN: [f64; 6] = [
    0.03369084720666796,
    0.017149238354988636,
    0.03110066273615194,
    0.044599401528446984,
    0.07500094543497647,
    0.16666666337430905,
];

/// Adding it rounds a float to an integer.
const ROUNDER: f64 = 12_582_912.0;

/// log 2 in two parts, both positive.
const LN_2_PARTS: [f64; 2] = [0.693_147_122_859_954_8, LN_2 - 0.693_147_122_859_954_8];

/// `x = 2^exponent mantissa`, the mantissa from 2/3 to 4/3.
pub(super) struct Split {
    /// A whole number, as a float.
    pub(super) exponent: Value,
    pub(super) mantissa: Value,
}

impl Float<'_> {
    pub(super) fn fma(&mut self, a: Value, b: Value, c: Value) -> Value {
        self.builder.emit(OpKind::Fma, &[a, b, c], self.ty.clone())
    }

    /// `a * factor + term`.
    pub(super) fn fma_of(&mut self, a: Value, factor: f64, term: Value) -> Value {
        let factor = self.number(factor);
        self.fma(a, factor, term)
    }

    pub(super) fn magnitude(&mut self, x: Value) -> Value {
        self.call(UnaryOp::AbsF, x)
    }

    /// `z + z³ polynomial(z²)`, given the square.
    fn odd_series(&mut self, coefficients: &[f64], z: Value, square: Value) -> Value {
        let series = self.polynomial(coefficients, square);
        let ratio = self.mul(series, square);
        self.fma(ratio, z, z)
    }

    pub(super) fn bits(&mut self, x: Value) -> Value {
        self.builder.reinterpret(x, ScalarType::I32)
    }

    /// An operation on bits with a constant on its right.
    pub(super) fn with_bits(&mut self, op: BinaryOp, a: Value, b: i128) -> Value {
        let ty = self.ty.with_scalar(ScalarType::I32);
        let b = self.builder.int(b, ty.clone());
        self.builder.emit(OpKind::Binary(op), &[a, b], ty)
    }

    /// `float(a - b)` of bits.
    pub(super) fn of_difference(&mut self, a: Value, b: Value) -> Value {
        let ty = self.ty.with_scalar(ScalarType::I32);
        let bits = self.builder.emit(OpKind::Binary(BinaryOp::SubI), &[a, b], ty);
        self.builder.reinterpret(bits, ScalarType::F32)
    }

    /// The logarithm of `1 + f`, for `|f| <= 1/3`.
    pub(super) fn log_of_one_and(&mut self, f: Value) -> Value {
        let square = self.mul(f, f);
        let series = self.polynomial(&LOG, f);
        let half = self.number(-0.5);
        let series = self.fma(series, f, half);
        self.fma(square, series, f)
    }

    /// Of a positive finite number; of others some parts.
    pub(super) fn split_of_single(&mut self, x: Value) -> Split {
        let least = self.number(f64::from(f32::MIN_POSITIVE));
        let is_subnormal = self.compare(CompareOp::LtF, x, least);
        let scaled = self.scaled(x, 2_f64.powi(24));
        let normal = self.select(is_subnormal, scaled, x);
        let word = self.bits(normal);
        let from_two_thirds = self.with_bits(BinaryOp::SubI, word, 0x3f2a_aaab);
        let exponent = self.with_bits(BinaryOp::And, from_two_thirds, -0x0080_0000);
        let mantissa = self.of_difference(word, exponent);
        let exponent = self.builder.cast(CastKind::SIToFp, exponent, self.ty.clone());
        let (lower, none) = (self.number(-24.0), self.number(0.0));
        let start = self.select(is_subnormal, lower, none);
        Split { exponent: self.fma_of(exponent, 2_f64.powi(-23), start), mantissa }
    }

    /// `1 + x = 2^e (1 + f)` with `1 + f` from 2/3 to 4/3, where `f` is exact; then as the logarithm. 1 ulp.
    pub(super) fn log1p_of_single(&mut self, x: Value) -> Value {
        let above = self.shifted(x, 1.0);
        let word = self.bits(above);
        let from_two_thirds = self.with_bits(BinaryOp::SubI, word, 0x3f2a_aaab);
        let exponent = self.with_bits(BinaryOp::And, from_two_thirds, -0x0080_0000);
        let own = self.bits(x);
        let scaled = self.of_difference(own, exponent);
        let four = self.builder.int(0x4080_0000, self.ty.with_scalar(ScalarType::I32));
        let scale = self.of_difference(four, exponent);
        let less = self.number(-1.0);
        let rest = self.fma_of(scale, 0.25, less);
        let f = self.add(scaled, rest);
        let mantissa = self.log_of_one_and(f);
        let exponent = self.builder.cast(CastKind::SIToFp, exponent, self.ty.clone());
        let log = self.fma_of(exponent, LN_2 / 8_388_608.0, mantissa);
        let (infinity, zero) = (self.number(f64::INFINITY), self.number(0.0));
        let is_finite = self.compare(CompareOp::LtF, above, infinity);
        let log = self.select(is_finite, log, above);
        let (nan, lowest) = (self.number(f64::NAN), self.number(f64::NEG_INFINITY));
        let is_negative = self.compare(CompareOp::LtF, above, zero);
        let log = self.select(is_negative, nan, log);
        let is_zero = self.is(above, 0.0);
        let log = self.select(is_zero, lowest, log);
        // The logarithm of 1 is 0 with the sign of x.
        let is_nothing = self.is(x, 0.0);
        self.select(is_nothing, x, log)
    }

    /// `2^(factor x)`: `2^j` by its bits, and `2^f` of the rest, for a factor with as many digits as two numbers have. `j` is from -126 to
    /// 126 and what is beyond is in the rest, so that nothing has to be chosen: the truth values of many elements at once would keep
    /// ptxas from issuing their loads together. 2 ulp.
    pub(super) fn power_of_single(&mut self, x: Value, factor: f64) -> Value {
        let coarse = f64::from(factor as f32);
        let half = self.number(0.5);
        let share = self.fma_of(x, coarse / 252.0, half);
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let share = self.op(BinaryOp::MaxNumF, share, zero);
        let share = self.op(BinaryOp::MinNumF, share, one);
        // The bits end in the exponent of `2^j`, which is `j + 127`.
        let rounder = self.number(ROUNDER + 1.0);
        let rounded = self.fma_of(share, 252.0, rounder);
        let power = self.bits(rounded);
        let power = self.with_bits(BinaryOp::Shl, power, 23);
        let power = self.builder.reinterpret(power, ScalarType::F32);
        let whole = self.shifted(rounded, -ROUNDER - 127.0);
        let negative = self.call(UnaryOp::NegF, whole);
        let rest = self.fma_of(x, coarse, negative);
        let rest = self.fma_of(x, factor - coarse, rest);
        let fraction = self.call(UnaryOp::Exp2, rest);
        self.mul(fraction, power)
    }

    /// `x = j log 2 + f`: `2^j (e^f - 1) + (2^j - 1)`, halved because `2^j` may overflow where the result does not. 1 ulp.
    pub(super) fn expm1_of_single(&mut self, x: Value) -> Value {
        let (highest, lowest) = (self.number(88.8), self.number(-30.0));
        let limited = self.op(BinaryOp::MinNumF, x, highest);
        let limited = self.op(BinaryOp::MaxNumF, limited, lowest);
        let rounder = self.number(ROUNDER);
        let whole = self.fma_of(limited, LOG2_E, rounder);
        let whole = self.shifted(whole, -ROUNDER);
        let f = self.fma_of(whole, -LN_2_PARTS[0], limited);
        let f = self.fma_of(whole, -LN_2_PARTS[1], f);
        let square = self.mul(f, f);
        let series = self.polynomial(&EXP, f);
        let near = self.fma(square, series, f);
        let exponent = self.shifted(whole, -1.0);
        let power = self.call(UnaryOp::Exp2, exponent);
        let rest = self.shifted(power, -0.5);
        let half = self.fma(near, power, rest);
        let far = self.add(half, half);
        let is_near = self.is(whole, 0.0);
        let result = self.select(is_near, near, far);
        // Zero keeps its sign, and NaN stays.
        let (magnitude, zero) = (self.magnitude(x), self.number(0.0));
        let is_other = self.compare(CompareOp::GtF, magnitude, zero);
        self.select(is_other, result, x)
    }

    /// `e^x / 2` of a number that is not negative. 3 ulp.
    fn half_exponential_of_single(&mut self, x: Value) -> Value {
        let limit = self.number(100.0);
        let is_large = self.compare(CompareOp::GtF, x, limit);
        let x = self.select(is_large, limit, x);
        let coarse = f64::from(std::f32::consts::LOG2_E);
        let less = self.number(-1.0);
        // Rounded once: a product that is then lessened may be fused or not, and its error would be another one's.
        let exponent = self.fma_of(x, coarse, less);
        let negative = self.call(UnaryOp::NegF, exponent);
        let one_more = self.fma_of(x, coarse, negative);
        let error = self.shifted(one_more, -1.0);
        let error = self.fma_of(x, LOG2_E - coarse, error);
        let power = self.call(UnaryOp::Exp2, exponent);
        let one = self.number(1.0);
        let correction = self.fma_of(error, LN_2, one);
        self.mul(power, correction)
    }

    /// A polynomial below 1, `e^x / 2 - e^-x / 2` elsewhere. 3 ulp.
    pub(super) fn sinh_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let rising = self.half_exponential_of_single(magnitude);
        let quarter = self.number(0.25);
        let falling = self.op(BinaryOp::DivF, quarter, rising);
        let far = self.sub(rising, falling);
        let far = self.copy_sign(far, x);
        let square = self.mul(x, x);
        let near = self.odd_series(&SINH, x, square);
        let one = self.number(1.0);
        let is_near = self.compare(CompareOp::LtF, magnitude, one);
        self.select(is_near, near, far)
    }

    /// `e^x / 2 + e^-x / 2`. 3 ulp.
    pub(super) fn cosh_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let rising = self.half_exponential_of_single(magnitude);
        let quarter = self.number(0.25);
        let falling = self.op(BinaryOp::DivF, quarter, rising);
        self.add(rising, falling)
    }

    /// `log1p` of `small`, or `log x + log 2` for a large x.
    fn log1p_or_log_of_double(&mut self, x: Value, small: Value) -> Value {
        let limit = self.number(2_f64.powi(28));
        let is_large = self.compare(CompareOp::GtF, x, limit);
        let argument = self.select(is_large, x, small);
        let log = self.log1p_of_single(argument);
        let more = self.shifted(log, LN_2);
        self.select(is_large, more, log)
    }

    /// As for fp64, with one logarithm. 3 ulp.
    pub(super) fn asinh_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let one = self.number(1.0);
        let square = self.mul(magnitude, magnitude);
        let above = self.fma(magnitude, magnitude, one);
        let root = self.call(UnaryOp::Sqrt, above);
        let divisor = self.shifted(root, 1.0);
        let quotient = self.op(BinaryOp::DivF, square, divisor);
        let sum = self.add(magnitude, quotient);
        let result = self.log1p_or_log_of_double(magnitude, sum);
        self.copy_sign(result, x)
    }

    /// `log1p(t + sqrt(t² + 2 t))` with `t = x - 1`; NaN below 1, where the square may overflow. 4 ulp.
    pub(super) fn acosh_of_single(&mut self, x: Value) -> Value {
        let t = self.shifted(x, -1.0);
        let twice = self.add(t, t);
        let product = self.fma(t, t, twice);
        let root = self.call(UnaryOp::Sqrt, product);
        let sum = self.add(t, root);
        let log = self.log1p_or_log_of_double(x, sum);
        let (one, nan) = (self.number(1.0), self.number(f64::NAN));
        let is_outside = self.compare(CompareOp::LtF, x, one);
        self.select(is_outside, nan, log)
    }

    /// `log1p(2 |x| / (1 - |x|)) / 2`. 3 ulp.
    pub(super) fn atanh_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let double = self.add(magnitude, magnitude);
        let one = self.number(1.0);
        let rest = self.sub(one, magnitude);
        let quotient = self.op(BinaryOp::DivF, double, rest);
        let log = self.log1p_of_single(quotient);
        let half = self.scaled(log, 0.5);
        self.copy_sign(half, x)
    }

    /// `π / 2 + factor x`.
    fn quarter_turn_and(&mut self, factor: f64, x: Value) -> Value {
        let coarse = f64::from(std::f32::consts::FRAC_PI_2);
        let low = self.number(FRAC_PI_2 - coarse);
        let rest = self.fma_of(x, factor, low);
        self.shifted(rest, coarse)
    }

    /// Of numbers up to 1.
    pub(super) fn small_atan_of_single(&mut self, z: Value) -> Value {
        let square = self.mul(z, z);
        self.odd_series(&ATAN, z, square)
    }

    /// `π / 2 - atan(1 / x)` above 1. 2 ulp.
    pub(super) fn atan_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let one = self.number(1.0);
        let is_large = self.compare(CompareOp::GtF, magnitude, one);
        let inverse = self.op(BinaryOp::DivF, one, magnitude);
        let z = self.select(is_large, inverse, magnitude);
        let angle = self.small_atan_of_single(z);
        let other = self.quarter_turn_and(-1.0, angle);
        let result = self.select(is_large, other, angle);
        self.copy_sign(result, x)
    }

    /// The angle of a magnitude up to 1/2, or half of what lacks to a right angle, and whether it is the latter.
    fn folded_asin(&mut self, magnitude: Value) -> (Value, Value) {
        let half = self.number(0.5);
        let is_large = self.compare(CompareOp::GtF, magnitude, half);
        let folded = self.fma_of(magnitude, -0.5, half);
        let root = self.call(UnaryOp::Sqrt, folded);
        let z = self.select(is_large, root, magnitude);
        let own = self.mul(magnitude, magnitude);
        let square = self.select(is_large, folded, own);
        (self.odd_series(&ASIN, z, square), is_large)
    }

    /// `π / 2 - 2 asin(sqrt((1 - x) / 2))` above 1/2. 2 ulp.
    pub(super) fn asin_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let (angle, is_large) = self.folded_asin(magnitude);
        let other = self.quarter_turn_and(-2.0, angle);
        let result = self.select(is_large, other, angle);
        self.copy_sign(result, x)
    }

    /// `2 asin(sqrt((1 - x) / 2))` above 1/2, what that lacks to π below -1/2. 2 ulp.
    pub(super) fn acos_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let (angle, is_large) = self.folded_asin(magnitude);
        let signed = self.copy_sign(angle, x);
        let near = self.quarter_turn_and(-1.0, signed);
        let twice = self.add(angle, angle);
        let coarse = f64::from(std::f32::consts::PI);
        let low = self.number(PI - coarse);
        let rest = self.sub(low, twice);
        let mirrored = self.shifted(rest, coarse);
        let zero = self.number(0.0);
        let is_negative = self.compare(CompareOp::LtF, x, zero);
        let far = self.select(is_negative, mirrored, twice);
        self.select(is_large, far, near)
    }
}
