//! Functions of one f64.

use super::arithmetic::{
    self, add, bits, constant_if, fma_scaled, magnitude, mul, odd, plus, polynomial, scale, sub, test,
};
use crate::code::{Code, FloatTest, Reg, Ty};
use std::f64::consts::LOG2_E;

/// ln 2 cut to 32 bits, and the rest.
const LN_2: [f64; 2] = [f64::from_bits(0x3fe6_2e42_fee0_0000), f64::from_bits(0x3dea_39ef_3579_3c76)];
/// 2^52 + 2^51: added to a small number it leaves the nearest integer in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// `(e^r - 1 - r) / r²` for `|r| <= ln(2)/2`.
const EXP: [f64; 10] = [
    0.5000000000000013,
    0.16666666666666685,
    0.04166666666651151,
    0.008333333333315485,
    0.0013888888947888606,
    0.00019841269900284394,
    2.480148914601931e-05,
    2.7557231065136424e-06,
    2.76315362352081e-07,
    2.5113306291198495e-08,
];

/// The nearest integer to `x` as a float, and in the low bits of a word.
fn nearest(code: &mut Code<'_>, x: Reg) -> (Reg, Reg) {
    let sum = plus(code, x, ROUNDER);
    let word = bits(code, sum);
    let integer = plus(code, sum, -ROUNDER);
    (integer, code.trunc(word, Ty::I32))
}

/// `2^power e^(high + low)` for `|high| <= ln(2)/2` and a tiny `low`.
fn power_times_exp(code: &mut Code<'_>, power: Reg, high: Reg, low: Reg) -> Reg {
    let series = polynomial(code, high, &EXP);
    let square = mul(code, high, high);
    let tail = code.fma(square, series, low);
    let rest = add(code, high, tail);
    let one = plus(code, rest, 1.0);
    // Two factors, because 2^power itself may be no normal number.
    let first = code.i32(1);
    let first = code.ashr(power, first);
    let second = code.sub(power, first);
    let product = scale_by_power(code, one, first);
    scale_by_power(code, product, second)
}

fn scale_by_power(code: &mut Code<'_>, x: Reg, power: Reg) -> Reg {
    let bias = code.i32(1023);
    let exponent = code.add(power, bias);
    let zero = code.i32(0);
    let shift = code.i32(20);
    let word = code.shl(exponent, shift);
    let factor = code.pack(&[zero, word], Ty::I64);
    let factor = code.bitcast(factor, Ty::F64);
    mul(code, x, factor)
}

/// `x` brought between two limits; NaN stays.
fn clamp(code: &mut Code<'_>, x: Reg, low: f64, high: f64) -> Reg {
    let above = test(code, FloatTest::Ogt, x, high);
    let x = constant_if(code, above, high, x);
    let below = test(code, FloatTest::Olt, x, low);
    constant_if(code, below, low, x)
}

/// `e^x`.
pub(super) fn exp(code: &mut Code<'_>, x: Reg) -> Reg {
    let x = clamp(code, x, -746.0, 710.0);
    let quotient = scale(code, x, LOG2_E);
    let (integer, power) = nearest(code, quotient);
    let rest = fma_scaled(code, integer, -LN_2[0], x);
    let high = fma_scaled(code, integer, -LN_2[1], rest);
    let lost = sub(code, rest, high);
    let low = fma_scaled(code, integer, -LN_2[1], lost);
    power_times_exp(code, power, high, low)
}

/// `2^x`.
pub(super) fn exp2(code: &mut Code<'_>, x: Reg) -> Reg {
    let x = clamp(code, x, -1077.0, 1025.0);
    let (integer, power) = nearest(code, x);
    let fraction = sub(code, x, integer);
    let ln_2 = LN_2[0] + LN_2[1];
    let high = scale(code, fraction, ln_2);
    let negated = code.fneg(high);
    let low = fma_scaled(code, fraction, ln_2, negated);
    let low = fma_scaled(code, fraction, LN_2[0] - ln_2 + LN_2[1], low);
    power_times_exp(code, power, high, low)
}

/// `(log((1 + s)/(1 - s))/s - 2) / s²` in `s²`, for `|s| <= 3 - 2 sqrt(2)`.
const LOG: [f64; 7] = [
    0.6666666666666734,
    0.39999999999416713,
    0.28571428742010563,
    0.22222198606565094,
    0.18183562796142216,
    0.15314085589771595,
    0.1479563265514244,
];

/// The parts of `log(x) = exponent log(2) + f - (half_square - product)`, where `x = 2^exponent (1 + f)`.
struct LogParts {
    exponent: Reg,
    f: Reg,
    /// `f²/2`.
    half_square: Reg,
    /// `s (f²/2 + R)`.
    product: Reg,
}

/// Splits with `1 + f` in [sqrt(1/2), sqrt(2)) and sums the series of `s = f / (2 + f)`, as the C library of 4.4BSD does:
/// log(1 + f) = f - f²/2 + s (f²/2 + R(s²)).
fn split_log(code: &mut Code<'_>, x: Reg) -> LogParts {
    let denormal = test(code, FloatTest::Olt, x, f64::MIN_POSITIVE);
    let two_to_54 = 18_014_398_509_481_984.0;
    let scaled = scale(code, x, two_to_54);
    let normal = code.select(denormal, scaled, x);
    let bias = code.f64(0.0);
    let bias = constant_if(code, denormal, -54.0, bias);
    let word = bits(code, normal);
    let root = code.int(Ty::I64, std::f64::consts::FRAC_1_SQRT_2.to_bits() as i64);
    let above = code.sub(word, root);
    let exponent_bits = code.int(Ty::I64, -1 << 52);
    let shifted = code.and(above, exponent_bits);
    let mantissa = code.sub(word, shifted);
    let mantissa = code.bitcast(mantissa, Ty::F64);
    let high = code.unpack(shifted, Ty::I32)[1];
    let exponent = code.si_to_fp(high, Ty::F64);
    let exponent = fma_scaled(code, exponent, 1.0 / 1_048_576.0, bias);
    let f = plus(code, mantissa, -1.0);
    let denominator = plus(code, f, 2.0);
    let s = code.fdiv(f, denominator);
    let z = mul(code, s, s);
    let series = polynomial(code, z, &LOG);
    let series = mul(code, series, z);
    let square = mul(code, f, f);
    let half_square = scale(code, square, 0.5);
    let sum = add(code, half_square, series);
    let product = mul(code, s, sum);
    LogParts { exponent, f, half_square, product }
}

fn defined_log(code: &mut Code<'_>, x: Reg, log: Reg) -> Reg {
    let finite = test(code, FloatTest::Olt, x, f64::INFINITY);
    let log = code.select(finite, log, x);
    let zero = test(code, FloatTest::Oeq, x, 0.0);
    let log = constant_if(code, zero, f64::NEG_INFINITY, log);
    let negative = test(code, FloatTest::Olt, x, 0.0);
    constant_if(code, negative, f64::NAN, log)
}

/// The natural logarithm.
pub(super) fn log(code: &mut Code<'_>, x: Reg) -> Reg {
    let parts = split_log(code, x);
    let tail = fma_scaled(code, parts.exponent, LN_2[1], parts.product);
    let correction = sub(code, parts.half_square, tail);
    let correction = sub(code, correction, parts.f);
    let negated = code.fneg(correction);
    let log = fma_scaled(code, parts.exponent, LN_2[0], negated);
    defined_log(code, x, log)
}

/// The logarithm to base 2.
pub(super) fn log2(code: &mut Code<'_>, x: Reg) -> Reg {
    let parts = split_log(code, x);
    // log(1 + f) as high + low.
    let correction = sub(code, parts.half_square, parts.product);
    let high = sub(code, parts.f, correction);
    let lost = sub(code, parts.f, high);
    let low = sub(code, lost, correction);
    let product = scale(code, high, LOG2_E);
    let negated = code.fneg(product);
    let error = fma_scaled(code, high, LOG2_E, negated);
    // What LOG2_E lacks of log2(e).
    let error = fma_scaled(code, high, 2.035_527_374_093_103e-17, error);
    let error = fma_scaled(code, low, LOG2_E, error);
    let log = add(code, parts.exponent, product);
    let lost = sub(code, parts.exponent, log);
    let lost = add(code, lost, product);
    let error = add(code, error, lost);
    let log = add(code, log, error);
    defined_log(code, x, log)
}

/// `(tanh(x)/x - 1) / x²` in `x²`, for `|x| < 0.55`.
const TANH: [f64; 11] = [
    -0.333333333333333,
    0.13333333333326602,
    -0.053968253963758823,
    0.02186948838596683,
    -0.00886323260495656,
    0.003592092076979145,
    -0.0014555431910571244,
    0.0005884460245980386,
    -0.00023338565656234067,
    8.332244128512719e-05,
    -1.9498412885195836e-05,
];

/// The hyperbolic tangent: a polynomial near 0, `1 - 2 / (e^2x + 1)` elsewhere.
pub(super) fn tanh(code: &mut Code<'_>, x: Reg) -> Reg {
    let square = mul(code, x, x);
    let series = polynomial(code, square, &TANH);
    let series = mul(code, series, square);
    let near = code.fma(series, x, x);
    let positive = magnitude(code, x);
    let twice = scale(code, positive, 2.0);
    let power = exp(code, twice);
    let denominator = plus(code, power, 1.0);
    let two = code.f64(2.0);
    let quotient = code.fdiv(two, denominator);
    let one = code.f64(1.0);
    let far = sub(code, one, quotient);
    odd(code, x, [near, far], 0.55)
}

/// `erf(x)/x - 1` in `x²`, for `|x| < 1`.
const ERF: [f64; 13] = [
    0.1283791670955126,
    -0.3761263890318408,
    0.11283791670969827,
    -0.026866170647750712,
    0.005223977649747734,
    -0.0008548328359759446,
    0.00012055379651733695,
    -1.4926723384989312e-05,
    1.6478531571352717e-06,
    -1.6530600131773208e-07,
    1.583741624642992e-08,
    -1.5797780653508123e-09,
    1.3239740885354695e-10,
];

/// `log(1 - erf(x))` for x in [1, 6].
const LOG_ERFC: [f64; 20] = [
    -2.727821434133784e-08,
    -1.1283789210494861,
    -0.6366207088348745,
    -0.10277089069312108,
    0.01912819924435644,
    0.000202068982784365,
    -0.0016746889487046397,
    0.0005521059109176732,
    2.219573171736517e-05,
    -0.00011089483205431634,
    6.481420738415928e-05,
    -2.4300682182768487e-05,
    6.790452511429488e-06,
    -1.471253506922043e-06,
    2.4843705874612505e-07,
    -3.2238687471765546e-08,
    3.1129771829530674e-09,
    -2.1089066096967985e-10,
    8.946010131714364e-12,
    -1.7876704370678856e-13,
];

/// The error function: a polynomial near 0, `1 - e^polynomial` elsewhere; beyond 6 it is 1.
pub(super) fn erf(code: &mut Code<'_>, x: Reg) -> Reg {
    arithmetic::erf(code, x, [&ERF, &LOG_ERFC], 6.0, exp)
}

/// `1 / sqrt(x)`: the quotient of correctly rounded operations.
pub(super) fn rsqrt(code: &mut Code<'_>, x: Reg) -> Reg {
    let root = code.overloaded("llvm.sqrt", Ty::F64, &[x]);
    let one = code.f64(1.0);
    code.fdiv(one, root)
}
