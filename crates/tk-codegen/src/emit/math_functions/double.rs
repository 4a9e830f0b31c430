//! Functions of one f64.
//!
//! Programs on f64 often have few threads, as recurrences do: what an exponential or a logarithm takes there is its chain of operations that wait for
//! each other. So their polynomials are summed by pairs, the argument is reduced as it comes, nothing branches, and where there is no finite result one
//! is selected at the end, by tests that wait for the argument only.
//!
//! Programs with many warps wait for the units that compute f64 instead, of which a scheduler has half as many as a warp has threads: there each operation
//! counts, and those that wait are other warps' turns. Pairs need two powers of the argument more. So exponentials take the order of their terms from the
//! launch ([`Order`](super::terms::Order)).

use super::arithmetic::{
    self, add, bits, constant_if, fma_plus, fma_scaled, magnitude, mul, odd, plus, polynomial, polynomial_by_pairs,
    scale, sub, test,
};
use super::terms::Order;
use crate::code::{Code, FloatTest, IntTest, Reg, Ty};
use std::f64::consts::{LN_2, LOG2_E};

/// ln 2 cut to 32 bits, and the rest.
const PARTS_OF_LN_2: [f64; 2] = [f64::from_bits(0x3fe6_2e42_fee0_0000), f64::from_bits(0x3dea_39ef_3579_3c76)];
/// What `LN_2` lacks of ln 2.
const REST_OF_LN_2: f64 = f64::from_bits(0x3c7a_bc9e_3b39_803f);
/// What `LOG2_E` lacks of log2(e).
const REST_OF_LOG2_E: f64 = 2.035_527_374_093_103e-17;
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

/// `(2^f - 1 - f ln(2)) / f²` for `|f| <= 1/2`.
const EXP2: [f64; 10] = [
    0.24022650695910122,
    0.05550410866482074,
    0.009618129107596992,
    0.0013333558146686048,
    0.00015403530454056658,
    1.5252733546924631e-05,
    1.3215436614253785e-06,
    1.0178184639304059e-07,
    7.073578412768098e-09,
    4.436304384779057e-10,
];

/// A whole number.
struct Whole {
    float: Reg,
    word: Reg,
}

/// The whole number nearest to what `ROUNDER` was added to.
fn nearest(code: &mut Code<'_>, sum: Reg) -> Whole {
    let word = bits(code, sum);
    Whole { float: plus(code, sum, -ROUNDER), word: code.trunc(word, Ty::I32) }
}

/// `low + x² series(x)`. By pairs, the first four terms take `low`, so that no addition waits for the sum of all.
fn tail(code: &mut Code<'_>, x: Reg, low: Reg, series: &[f64; 10], order: Order) -> Reg {
    if order == Order::InTurn {
        let (sum, square) = (polynomial(code, x, series), mul(code, x, x));
        return code.fma(square, sum, low);
    }
    let (first, last) = series.split_at(4);
    let first = polynomial_by_pairs(code, x, first);
    let last = polynomial_by_pairs(code, x, last);
    let square = mul(code, x, x);
    let fourth = mul(code, square, square);
    let sixth = mul(code, fourth, square);
    let first = code.fma(square, first, low);
    code.fma(sixth, last, first)
}

/// `2^power (1 + part)`. Two factors, because 2^power itself may be no normal number.
fn scaled_by_power(code: &mut Code<'_>, part: Reg, power: Reg) -> Reg {
    let one = code.i32(1);
    let first = code.ashr(power, one);
    let second = code.sub(power, first);
    let (first, second) = (power_of_two(code, first), power_of_two(code, second));
    let product = code.fma(part, first, first);
    mul(code, product, second)
}

/// `2^power`, a normal number.
fn power_of_two(code: &mut Code<'_>, power: Reg) -> Reg {
    let bias = code.i32(1023);
    let exponent = code.add(power, bias);
    let zero = code.i32(0);
    let shift = code.i32(20);
    let word = code.shl(exponent, shift);
    let factor = code.pack(&[zero, word], Ty::I64);
    code.bitcast(factor, Ty::F64)
}

/// `power` up to a `limit` of `|x|` beyond which powers are infinite or zero; NaN stays.
fn limited_power(code: &mut Code<'_>, x: Reg, power: Reg, limit: f64) -> Reg {
    let size = magnitude(code, x);
    let beyond = test(code, FloatTest::Ogt, size, limit);
    let negative = test(code, FloatTest::Olt, x, 0.0);
    let infinity = code.f64(f64::INFINITY);
    let end = constant_if(code, negative, 0.0, infinity);
    code.select(beyond, end, power)
}

/// `e^x`.
pub(super) fn exp(code: &mut Code<'_>, x: Reg, order: Order) -> Reg {
    let log2_e = code.f64(LOG2_E);
    let sum = fma_plus(code, x, log2_e, ROUNDER);
    let whole = nearest(code, sum);
    let rest = fma_scaled(code, whole.float, -PARTS_OF_LN_2[0], x);
    let high = fma_scaled(code, whole.float, -PARTS_OF_LN_2[1], rest);
    let lost = sub(code, rest, high);
    let low = fma_scaled(code, whole.float, -PARTS_OF_LN_2[1], lost);
    let tail = tail(code, high, low, &EXP, order);
    let part = add(code, high, tail);
    let power = scaled_by_power(code, part, whole.word);
    limited_power(code, x, power, 750.0)
}

/// `2^x`.
pub(super) fn exp2(code: &mut Code<'_>, x: Reg, order: Order) -> Reg {
    let sum = plus(code, x, ROUNDER);
    let whole = nearest(code, sum);
    let fraction = sub(code, x, whole.float);
    let low = scale(code, fraction, REST_OF_LN_2);
    let tail = tail(code, fraction, low, &EXP2, order);
    let part = fma_scaled(code, fraction, LN_2, tail);
    let power = scaled_by_power(code, part, whole.word);
    limited_power(code, x, power, 1100.0)
}

/// `(log((2 + u)/(2 - u)) - u) / u³` in `u²`, for `|u| <= 6 - 4 sqrt(2)`.
const LOG: [f64; 7] = [
    0.08333333333333418,
    0.012499999999817723,
    0.0022321428704695752,
    0.0004340273165344745,
    8.878692771553817e-05,
    1.8693952135951654e-05,
    4.515268754621106e-06,
];

/// The parts of `log(x) = exponent log(2) + u + missing reciprocal + cube series`, where `x = 2^exponent (1 + f)`.
struct LogParts {
    exponent: Reg,
    /// `2f / (2 + f)`, rounded.
    u: Reg,
    /// `2f - u (2 + f)`: what rounding left of the quotient.
    missing: Reg,
    /// `1 / (2 + f)`, to some 20 bits.
    reciprocal: Reg,
    /// `u³`.
    cube: Reg,
    series: Reg,
    /// The upper word of `x`, or of `2^54 x` where that is denormal, zero or negative.
    word: Reg,
}

/// The upper word of sqrt(1/2), from which mantissas are counted.
const WORD_OF_ROOT: i64 = 0x3fe6_a09e;
/// That of the least normal number.
const WORD_OF_LEAST: i64 = 0x0010_0000;
/// That of the greatest number.
const WORD_OF_GREATEST: i64 = 0x7fef_ffff;

/// A positive number as `2^exponent mantissa`, the mantissa in [sqrt(1/2), sqrt(2)), up to the lower words of these limits.
struct Split {
    exponent: Reg,
    mantissa: Reg,
    /// As in [`LogParts`].
    word: Reg,
}

/// Takes any number; the mantissa is one within these limits, too, where there is no logarithm.
fn split(code: &mut Code<'_>, x: Reg) -> Split {
    let (word, least) = (code.unpack(x, Ty::I32)[1], code.i32(WORD_OF_LEAST));
    let denormal = code.icmp(IntTest::Slt, word, least);
    let two_to_54 = 18_014_398_509_481_984.0;
    let scaled = scale(code, x, two_to_54);
    let normal = code.select(denormal, scaled, x);
    let words = code.unpack(normal, Ty::I32);
    let (root, fraction_bits, shift) = (code.i32(WORD_OF_ROOT), code.i32(0x000f_ffff), code.i32(20));
    let above = code.sub(words[1], root);
    let fraction = code.and(above, fraction_bits);
    let high = code.add(fraction, root);
    let mantissa = code.pack(&[words[0], high], Ty::I64);
    let mantissa = code.bitcast(mantissa, Ty::F64);
    let exponent = code.ashr(above, shift);
    let (scaled_by, nothing) = (code.i32(-54), code.i32(0));
    let bias = code.select(denormal, scaled_by, nothing);
    let exponent = code.add(exponent, bias);
    Split { exponent: code.si_to_fp(exponent, Ty::F64), mantissa, word: words[1] }
}

/// Sums the series of `u = 2f / (2 + f)`. The quotient is no division, which has a branch for numbers that are too large or too small for its steps:
/// the hardware's reciprocal has some 20 bits, and the factor `1 + e + e²` leaves `e³` of its error `e`. What the quotient then lacks is added apart, so
/// that its last bits do not matter.
fn log_parts(code: &mut Code<'_>, x: Reg) -> LogParts {
    let Split { exponent, mantissa, word } = split(code, x);
    let two = code.f64(2.0);
    let denominator = plus(code, mantissa, 1.0);
    let f = plus(code, mantissa, -1.0);
    let twice = fma_plus(code, mantissa, two, -2.0);
    // It ignores the lower half of the argument, and that of the result is zero.
    let reciprocal = code.pure_asm("rcp.approx.ftz.f64 $0, $1;", Ty::F64, &[denominator]);
    let negated = code.fneg(denominator);
    let error = fma_plus(code, negated, reciprocal, 1.0);
    let error = code.fma(error, error, error);
    let quotient = mul(code, twice, reciprocal);
    let u = code.fma(quotient, error, quotient);
    let missing = fma_scaled(code, u, -2.0, twice);
    let negated = code.fneg(u);
    let missing = code.fma(negated, f, missing);
    let square = mul(code, u, u);
    let series = polynomial_by_pairs(code, square, &LOG);
    let cube = mul(code, u, square);
    LogParts { exponent, u, missing, reciprocal, cube, series, word }
}

/// The logarithm where there is one: -inf of 0, NaN of negative numbers, what it is given of inf and NaN.
fn defined_log(code: &mut Code<'_>, x: Reg, word: Reg, log: Reg) -> Reg {
    // As words without a sign, less one, zeros and all of the others are above the greatest number.
    let (one, last) = (code.i32(1), code.i32(WORD_OF_GREATEST - 1));
    let below = code.sub(word, one);
    let special = code.icmp(IntTest::Ugt, below, last);
    let infinity = code.f64(f64::INFINITY);
    let value = code.fma(x, infinity, infinity);
    let zero = test(code, FloatTest::Oeq, x, 0.0);
    let value = constant_if(code, zero, f64::NEG_INFINITY, value);
    code.select(special, value, log)
}

/// The natural logarithm.
pub(super) fn log(code: &mut Code<'_>, x: Reg) -> Reg {
    let LogParts { exponent, u, missing, reciprocal, cube, series, word } = log_parts(code, x);
    let low = scale(code, exponent, REST_OF_LN_2);
    let low = code.fma(reciprocal, missing, low);
    let high = fma_scaled(code, exponent, LN_2, u);
    let rounded = fma_scaled(code, exponent, -LN_2, high);
    let lost = sub(code, u, rounded);
    let low = add(code, low, lost);
    let low = code.fma(cube, series, low);
    let log = add(code, high, low);
    defined_log(code, x, word, log)
}

/// The logarithm to base 2.
pub(super) fn log2(code: &mut Code<'_>, x: Reg) -> Reg {
    let LogParts { exponent, u, missing, reciprocal, cube, series, word } = log_parts(code, x);
    let product = scale(code, u, LOG2_E);
    let negated = code.fneg(product);
    let error = fma_scaled(code, u, LOG2_E, negated);
    let error = fma_scaled(code, u, REST_OF_LOG2_E, error);
    let high = add(code, exponent, product);
    let rounded = sub(code, high, exponent);
    let lost = sub(code, product, rounded);
    let error = add(code, error, lost);
    let rest = mul(code, reciprocal, missing);
    let rest = code.fma(cube, series, rest);
    let low = fma_scaled(code, rest, LOG2_E, error);
    let log = add(code, high, low);
    defined_log(code, x, word, log)
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
    let power = exp(code, twice, Order::ByPairs);
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
    arithmetic::erf(code, x, [&ERF, &LOG_ERFC], 6.0, |code, x| exp(code, x, Order::ByPairs))
}

/// `1 / sqrt(x)`: the quotient of correctly rounded operations.
pub(super) fn rsqrt(code: &mut Code<'_>, x: Reg) -> Reg {
    let root = code.overloaded("llvm.sqrt", Ty::F64, &[x]);
    let one = code.f64(1.0);
    code.fdiv(one, root)
}
