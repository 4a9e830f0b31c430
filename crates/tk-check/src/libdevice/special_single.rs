//! Special functions of fp32 in fp32: the error function and its inverse, the logarithm of the gamma function, modified Bessel
//! functions.
//!
//! The forms are those of the functions for fp64, with shorter polynomials: they interpolate at Chebyshev nodes, with relative errors below
//! 2^-26. All cases are computed and one is selected, since threads of a warp would take different branches.

use super::float::Float;
use super::single::Split;
use crate::checked::{BinaryOp, CompareOp, UnaryOp, Value};
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E, PI};

/// `(1 + 2x) erfcx(x)` in `(x - 3) / (x + 3)`, for x up to 10.1.
const ERFCX: [f64; 11] = [
    -0.00027732690796256065,
    -0.0007983391406014562,
    0.001994474558159709,
    0.0025794347748160362,
    -0.023790234699845314,
    0.0682935118675232,
    -0.11927264928817749,
    0.12964656949043274,
    -0.04756227880716324,
    -0.13562114536762238,
    1.2530080080032349,
];

/// `erfinv(x) / x` in `w - 2.5`, where `w = -log(1 - x²)` is up to 5.
const ERFINV_NEAR: [f64; 10] = [
    -8.931926309685423e-09,
    2.333596782477798e-08,
    4.681313612309168e-07,
    -3.4639851946849376e-06,
    -4.972419901605463e-06,
    0.00021834939252585173,
    -0.0012527264188975096,
    -0.004177392926067114,
    0.24664027988910675,
    1.5014094114303589,
];

/// `erfinv(x) / x` in `sqrt(w) - 3`, for w from 5 to 17.
const ERFINV_FAR: [f64; 10] = [
    0.0001074866158887744,
    -0.0003011099761351943,
    -4.503476884565316e-05,
    0.0014741307822987437,
    -0.0036035170778632164,
    0.005691407714039087,
    -0.007635962683707476,
    0.009444721043109894,
    1.0016748905181885,
    2.832976818084717,
];

/// `lgamma(x) / ((x - 1) (x - 2))` in `x - 2.5`, for x from 1 to 4.
const LGAMMA: [f64; 15] = [
    3.1253668453246064e-07,
    -8.222999099416484e-07,
    -4.668021631459851e-07,
    1.1899902574441512e-06,
    5.877107923879521e-06,
    -1.5780255125719123e-05,
    2.7387177397031337e-05,
    -7.629578612977639e-05,
    0.00022999290376901627,
    -0.0006610985728912055,
    0.0019488574471324682,
    -0.006018245127052069,
    0.01990516670048237,
    -0.07466360926628113,
    0.3795771598815918,
];

/// `I0(x)` in `x²`, for x up to 8.
const I0_NEAR: [f64; 11] = [
    1.481667885190004e-19,
    1.6166194552970984e-17,
    1.0543685709403765e-14,
    2.339176812318766e-12,
    4.731728342477481e-10,
    6.776729577495644e-08,
    6.782369837310398e-06,
    0.00043402225128374994,
    0.01562502235174179,
    0.2499999701976776,
    1.0,
];

/// `I0(x) sqrt(x) exp(-x)` in `1 / x`, for x from 8 to 200.
const I0_FAR: [f64; 6] = [
    0.39641818404197693,
    -0.017246367409825325,
    0.03429154306650162,
    0.02786480262875557,
    0.049870558083057404,
    0.3989422619342804,
];

/// `I1(x) / x` in `x²`, for x up to 8.
const I1_NEAR: [f64; 11] = [
    6.3589024913873835e-21,
    9.338660252619013e-19,
    5.678116596259132e-16,
    1.47632150645019e-13,
    3.3728023846046895e-11,
    5.6494275924023896e-09,
    6.781957040402631e-07,
    5.425325070973486e-05,
    0.002604167675599456,
    0.0625,
    0.5,
];

/// `I1(x) sqrt(x) exp(-x)` in `1 / x`, for x from 8 to 200.
const I1_FAR: [f64; 6] = [
    -0.4596688151359558,
    0.01282599475234747,
    -0.04665026813745499,
    -0.046540889889001846,
    -0.14960649609565735,
    0.3989422917366028,
];

/// `x erfcx(x)` in `1 / x²`, the asymptotic series, for x from 10.1 on.
const ERFCX_FAR: [f64; 5] = [
    3.702_494_142_032_151,
    -1.057_855_469_152_043,
    0.423_142_187_660_817_2,
    -0.282_094_791_773_878_1,
    0.564_189_583_547_756_3,
];
/// Where the polynomial for erfcx gives way to the series.
const ERFCX_LIMIT: f64 = 10.1;
/// Where w passes from the first table of erfinv to the second.
const ERFINV_LIMIT: f64 = 5.0;
/// Where the polynomial for lgamma gives way to Stirling's series.
const LGAMMA_LIMIT: f64 = 4.0;
/// Stirling's series in 1 / z², from the highest power down.
const STIRLING: [f64; 4] = [-1.0 / 1680.0, 1.0 / 1260.0, -1.0 / 360.0, 1.0 / 12.0];
/// `(log(2 π) - 1) / 2`.
const HALF_LOG_TWO_PI_LESS: f64 = 0.418_938_533_204_672_7;
/// Where the polynomials in x² give way to those in 1 / x.
const BESSEL_LIMIT: f64 = 8.0;
/// By how many powers of 2 exponentials are shifted that are far from 1.
const SHIFT: f64 = 64.0;

/// A number as the sum of two, of which the second is small.
#[derive(Clone, Copy)]
struct Pair {
    high: Value,
    low: Value,
}

/// Where an exponential would leave the normal numbers: it is computed larger or smaller, and scaled at last.
#[derive(Clone, Copy)]
enum Shift {
    Up,
    Down,
}

/// `power * scale`.
struct Scaled {
    power: Value,
    scale: Value,
}

impl Float<'_> {
    /// `e^(high + low)` as `power * scale`, whose exponent `shift` keeps in the range of normal numbers. 3 ulp.
    fn exponential_of_pair(&mut self, Pair { high, low }: Pair, shift: Shift) -> Scaled {
        let coarse = f64::from(std::f32::consts::LOG2_E);
        let zero = self.number(0.0);
        // Not a product, which might be fused with the sum below and then be another number there.
        let exponent = self.fma_of(high, coarse, zero);
        let negative = self.call(UnaryOp::NegF, exponent);
        let error = self.fma_of(high, coarse, negative);
        let error = self.fma_of(high, LOG2_E - coarse, error);
        let error = self.fma_of(low, LOG2_E, error);
        let (compare, by) = match shift {
            Shift::Up => (CompareOp::LtF, SHIFT),
            Shift::Down => (CompareOp::GtF, -SHIFT),
        };
        let limit = self.number(-by);
        let is_far = self.compare(compare, exponent, limit);
        let shifted = self.shifted(exponent, by);
        let exponent = self.select(is_far, shifted, exponent);
        let (back, one) = (self.number((-by).exp2()), self.number(1.0));
        let scale = self.select(is_far, back, one);
        let power = self.call(UnaryOp::Exp2, exponent);
        let correction = self.scaled(error, LN_2);
        Scaled { power: self.fma(power, correction, power), scale }
    }

    /// `erfcx(a)`, for a from 0 to 10.1.
    fn scaled_tail_of_single(&mut self, a: Value) -> Value {
        let (below, above) = (self.shifted(a, -3.0), self.shifted(a, 3.0));
        let t = self.op(BinaryOp::DivF, below, above);
        let numerator = self.polynomial(&ERFCX, t);
        let one = self.number(1.0);
        let divisor = self.fma_of(a, 2.0, one);
        self.op(BinaryOp::DivF, numerator, divisor)
    }

    /// `erfcx(a) e^exponent`, for a from 0 to 10.1: erfc(a) where the exponent is -a². 5 ulp.
    fn tail_of_single(&mut self, a: Value, exponent: Pair) -> Value {
        let scaled = self.scaled_tail_of_single(a);
        let Scaled { power, scale } = self.exponential_of_pair(exponent, Shift::Up);
        let product = self.mul(scaled, power);
        self.mul(product, scale)
    }

    /// The magnitude of x, at most `limit`; NaN stays.
    fn limited_magnitude(&mut self, x: Value, limit: f64) -> Value {
        let magnitude = self.magnitude(x);
        let limit = self.number(limit);
        let is_beyond = self.compare(CompareOp::GtF, magnitude, limit);
        self.select(is_beyond, limit, magnitude)
    }

    /// `-factor x²` with what rounding loses.
    fn negative_square(&mut self, x: Value, factor: f64) -> Pair {
        let scaled = self.scaled(x, -factor);
        let high = self.mul(x, scaled);
        let negative = self.call(UnaryOp::NegF, high);
        Pair { high, low: self.fma(x, scaled, negative) }
    }

    /// `whole - tail` left of zero, else the tail.
    fn tail_or_rest(&mut self, is_left: Value, tail: Value, whole: f64) -> Value {
        let whole = self.number(whole);
        let rest = self.sub(whole, tail);
        self.select(is_left, rest, tail)
    }

    /// 5 ulp.
    pub(super) fn erfc_of_single(&mut self, x: Value) -> Value {
        let a = self.limited_magnitude(x, ERFCX_LIMIT);
        let exponent = self.negative_square(a, 1.0);
        let tail = self.tail_of_single(a, exponent);
        let zero = self.number(0.0);
        let is_left = self.compare(CompareOp::LtF, x, zero);
        self.tail_or_rest(is_left, tail, 2.0)
    }

    /// Up to 10.1 as the tail of erfc, above it the start of the asymptotic series; left of zero `2 e^(x²)` less that. 5 ulp.
    pub(super) fn erfcx_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.magnitude(x);
        let a = self.limited_magnitude(x, ERFCX_LIMIT);
        let near = self.scaled_tail_of_single(a);
        let one = self.number(1.0);
        let inverse = self.div(one, magnitude);
        let square = self.mul(inverse, inverse);
        let series = self.polynomial(&ERFCX_FAR, square);
        let far = self.mul(inverse, series);
        let limit = self.number(ERFCX_LIMIT);
        let is_far = self.compare(CompareOp::GtF, magnitude, limit);
        let tail = self.select(is_far, far, near);
        // From there on the power is infinite, and so is the result.
        let limited = self.limited_magnitude(x, 11.0);
        let exponent = self.negative_square(limited, -1.0);
        let Scaled { power, scale } = self.exponential_of_pair(exponent, Shift::Down);
        let twice = self.scaled(power, 2.0);
        let twice = self.mul(twice, scale);
        let other = self.sub(twice, tail);
        let zero = self.number(0.0);
        let is_left = self.compare(CompareOp::LtF, x, zero);
        self.select(is_left, other, tail)
    }

    /// `erfc(-x / sqrt 2) / 2`, its exponent from x itself. 5 ulp.
    pub(super) fn normcdf_of_single(&mut self, x: Value) -> Value {
        let magnitude = self.limited_magnitude(x, 14.28);
        let exponent = self.negative_square(magnitude, 0.5);
        let a = self.scaled(magnitude, FRAC_1_SQRT_2);
        let twice = self.tail_of_single(a, exponent);
        let tail = self.scaled(twice, 0.5);
        let zero = self.number(0.0);
        let is_right = self.compare(CompareOp::GtF, x, zero);
        self.tail_or_rest(is_right, tail, 1.0)
    }

    /// x times a polynomial in `w = -log(1 - x²)`, or in its root (Giles, Approximating the erfinv function, 2010). 4 ulp.
    pub(super) fn erfinv_of_single(&mut self, x: Value) -> Value {
        let negative = self.call(UnaryOp::NegF, x);
        let one = self.number(1.0);
        let rest = self.fma(negative, x, one);
        let log = self.call(UnaryOp::Log, rest);
        let w = self.call(UnaryOp::NegF, log);
        let t = self.shifted(w, -2.5);
        let near = self.polynomial(&ERFINV_NEAR, t);
        let root = self.call(UnaryOp::Sqrt, w);
        let t = self.shifted(root, -3.0);
        let far = self.polynomial(&ERFINV_FAR, t);
        let limit = self.number(ERFINV_LIMIT);
        let is_near = self.compare(CompareOp::LtF, w, limit);
        let factor = self.select(is_near, near, far);
        let (ends, infinity) = (self.is(rest, 0.0), self.number(f64::INFINITY));
        let factor = self.select(ends, infinity, factor);
        self.mul(x, factor)
    }

    /// The logarithm of a positive number. 1 ulp; of infinity some large number, of zero and NaN anything.
    fn log_of_single(&mut self, x: Value) -> Value {
        let Split { exponent, mantissa } = self.split_of_single(x);
        let f = self.shifted(mantissa, -1.0);
        let log = self.log_of_one_and(f);
        self.fma_of(exponent, LN_2, log)
    }

    /// `(z - 1/2) (log z - 1) + (log(2 π) - 1) / 2 + series`, for z from 4 on.
    fn stirling_of_single(&mut self, z: Value, log: Value) -> Value {
        let one = self.number(1.0);
        let inverse = self.op(BinaryOp::DivF, one, z);
        let square = self.mul(inverse, inverse);
        let series = self.polynomial(&STIRLING, square);
        let constant = self.number(HALF_LOG_TWO_PI_LESS);
        let rest = self.fma(series, inverse, constant);
        let (less, below) = (self.shifted(log, -1.0), self.shifted(z, -0.5));
        self.fma(below, less, rest)
    }

    /// Right of zero: below 4 a polynomial that has the zeros at 1 and 2 as factors (below 1 of `x + 1`, less `log x`), above it Stirling's
    /// series. Left of it: `log(π / |x sin πx|) - lgamma(-x)`. 4 ulp; absolute next to the zeros left of -2.
    pub(super) fn lgamma_of_single(&mut self, x: Value) -> Value {
        let a = self.magnitude(x);
        let log = self.log_of_single(a);
        let one = self.number(1.0);
        let is_small = self.compare(CompareOp::LtF, a, one);
        let next = self.shifted(a, 1.0);
        let y = self.select(is_small, next, a);
        let below = self.shifted(a, -1.0);
        // Exact, unlike `y - 1` where y is rounded.
        let first = self.select(is_small, a, below);
        let second = self.shifted(first, -1.0);
        let t = self.shifted(y, -2.5);
        let factor = self.polynomial(&LGAMMA, t);
        let product = self.mul(first, second);
        // At the zeros positive, too.
        let zero = self.number(0.0);
        let near = self.fma(product, factor, zero);
        let far = self.stirling_of_single(a, log);
        let limit = self.number(LGAMMA_LIMIT);
        let is_near = self.compare(CompareOp::LtF, a, limit);
        let whole = self.select(is_near, near, far);
        let lower = self.sub(near, log);
        let right = self.select(is_small, lower, whole);
        // Left of zero, where `sin(π a) / π` is that of the distance to the nearest integer.
        let sine = self.sine_of_pi_of_single(a);
        let sine = self.magnitude(sine);
        let share = self.scaled(sine, 1.0 / PI);
        let log_share = self.log_of_single(share);
        let above_one = self.add(right, log);
        // The two logarithms of a small number are one of 1.
        let sum = self.select(is_small, near, above_one);
        let sum = self.add(sum, log_share);
        let mirrored = self.call(UnaryOp::NegF, sum);
        let is_left = self.compare(CompareOp::LtF, x, zero);
        let result = self.select(is_left, mirrored, right);
        let is_pole = self.is(sine, 0.0);
        let is_not_right = self.compare(CompareOp::LeF, x, zero);
        let is_pole = self.both(BinaryOp::And, is_pole, is_not_right);
        let infinity = self.number(f64::INFINITY);
        let is_endless = self.is(a, f64::INFINITY);
        let is_endless = self.both(BinaryOp::Or, is_pole, is_endless);
        let result = self.select(is_endless, infinity, result);
        let is_number = self.compare(CompareOp::EqF, x, x);
        self.select(is_number, result, x)
    }

    /// I0 and I1: a polynomial in x² up to 8, one in 1 / x times `e^x / sqrt x` above. 5 ulp.
    pub(super) fn modified_of_single(&mut self, x: Value, order: u32) -> Value {
        let magnitude = self.magnitude(x);
        let (near, far): (&[f64], &[f64]) = if order == 0 { (&I0_NEAR, &I0_FAR) } else { (&I1_NEAR, &I1_FAR) };
        let square = self.mul(magnitude, magnitude);
        let mut near = self.polynomial(near, square);
        if order == 1 {
            near = self.mul(near, magnitude);
        }
        let limited = self.limited_magnitude(x, 100.0);
        let one = self.number(1.0);
        let inverse = self.op(BinaryOp::DivF, one, limited);
        let factor = self.polynomial(far, inverse);
        let root = self.call(UnaryOp::Rsqrt, limited);
        let factor = self.mul(factor, root);
        let low = self.number(0.0);
        let Scaled { power, scale } = self.exponential_of_pair(Pair { high: limited, low }, Shift::Down);
        let far = self.mul(power, factor);
        let far = self.mul(far, scale);
        let limit = self.number(BESSEL_LIMIT);
        let is_near = self.compare(CompareOp::LeF, magnitude, limit);
        let result = self.select(is_near, near, far);
        if order == 0 { result } else { self.copy_sign(result, x) }
    }
}
