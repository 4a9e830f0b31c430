//! Inverse trigonometric functions, and sines of multiples of π. fp32 has forms of its own (`single`,
//! `powers_single`).
//! In fp64: 2 ulp for `atan`, 4 for the others.

use super::float::Float;
use super::polynomials::ATAN;
use super::{Function, one, two};
use crate::checked::{BinaryOp, CompareOp, UnaryOp, Value};
use std::f64::consts::{FRAC_PI_2, PI};

pub(super) const TABLE: &[Function] = &[
    one("atan", |f, x| if f.is_double() { f.atan(x) } else { f.atan_of_single(x) }),
    one("asin", |f, x| if f.is_double() { f.asin(x) } else { f.asin_of_single(x) }),
    one("acos", |f, x| if f.is_double() { f.acos(x) } else { f.acos_of_single(x) }),
    two("atan2", |f, y, x| if f.is_double() { f.atan2(y, x) } else { f.atan2_of_single(y, x) }),
    one("sinpi", |f, x| if f.is_double() { f.sine_of_pi(x) } else { f.sine_of_pi_of_single(x) }),
    one("cospi", |f, x| if f.is_double() { f.cosine_of_pi(x) } else { f.cosine_of_pi_of_single(x) }),
];

/// What π / 2 as fp64 lacks.
const HALF_PI_REST: f64 = 6.123233995736766e-17;

impl Float<'_> {
    /// Of numbers up to 1, by a polynomial in the square.
    fn small_atan(&mut self, z: Value) -> Value {
        let square = self.mul(z, z);
        let ratio = self.polynomial(ATAN, square);
        self.mul(z, ratio)
    }

    /// `π / 2 - x`.
    fn complement(&mut self, x: Value) -> Value {
        let (high, low) = (self.number(FRAC_PI_2), self.number(HALF_PI_REST));
        let rest = self.sub(low, x);
        self.add(high, rest)
    }

    /// `π / 2 - atan(1 / x)` above 1.
    pub(super) fn atan(&mut self, x: Value) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let one = self.number(1.0);
        let large = self.compare(CompareOp::GtF, magnitude, one);
        let inverse = self.div(one, magnitude);
        let z = self.select(large, inverse, magnitude);
        let angle = self.small_atan(z);
        let other = self.complement(angle);
        let result = self.select(large, other, angle);
        self.copy_sign(result, x)
    }

    /// `atan(x / sqrt((1 - x) (1 + x)))`.
    fn asin(&mut self, x: Value) -> Value {
        let one = self.number(1.0);
        let (below, above) = (self.sub(one, x), self.add(one, x));
        let product = self.mul(below, above);
        let root = self.call(UnaryOp::SqrtRn, product);
        let ratio = self.div(x, root);
        self.atan(ratio)
    }

    /// `2 atan(sqrt((1 - x) / (1 + x)))`.
    fn acos(&mut self, x: Value) -> Value {
        let one = self.number(1.0);
        let (below, above) = (self.sub(one, x), self.add(one, x));
        let ratio = self.div(below, above);
        let root = self.call(UnaryOp::SqrtRn, ratio);
        let half = self.atan(root);
        self.scaled(half, 2.0)
    }

    /// The angle of the smaller over the larger side, turned into the right octant.
    fn atan2(&mut self, y: Value, x: Value) -> Value {
        let (height, width) = (self.call(UnaryOp::AbsF, y), self.call(UnaryOp::AbsF, x));
        let steep = self.compare(CompareOp::GtF, height, width);
        let (small, large) = (self.select(steep, width, height), self.select(steep, height, width));
        let ratio = self.div(small, large);
        // 0 / 0 is the angle 0, and infinity over infinity is that of 1.
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let nothing = self.is(large, 0.0);
        let ratio = self.select(nothing, zero, ratio);
        let endless = self.is(small, f64::INFINITY);
        let ratio = self.select(endless, one, ratio);
        let angle = self.small_atan(ratio);
        let turned = self.complement(angle);
        let angle = self.select(steep, turned, angle);
        let sign = self.copy_sign(one, x);
        let left = self.compare(CompareOp::LtF, sign, zero);
        let (high, low) = (self.number(PI), self.number(2.0 * HALF_PI_REST));
        let rest = self.sub(low, angle);
        let mirrored = self.add(high, rest);
        let angle = self.select(left, mirrored, angle);
        let result = self.copy_sign(angle, y);
        let unordered = [x, y].map(|side| self.compare(CompareOp::NeF, side, side));
        let undefined = self.both(BinaryOp::Or, unordered[0], unordered[1]);
        let nan = self.number(f64::NAN);
        self.select(undefined, nan, result)
    }

    /// What is left of x after whole turns of 2, from -1 to 1. Exact.
    pub(super) fn half_turns(&mut self, x: Value) -> Value {
        let turns = self.scaled(x, 0.5);
        let whole = self.call(UnaryOp::RoundEven, turns);
        let whole = self.scaled(whole, 2.0);
        self.sub(x, whole)
    }

    /// sin(π x).
    pub(super) fn sine_of_pi(&mut self, x: Value) -> Value {
        let rest = self.half_turns(x);
        let (magnitude, half, one) = (self.call(UnaryOp::AbsF, rest), self.number(0.5), self.number(1.0));
        let beyond = self.compare(CompareOp::GtF, magnitude, half);
        let mirrored = self.sub(one, magnitude);
        let folded = self.select(beyond, mirrored, magnitude);
        let angle = self.scaled(folded, PI);
        let sine = self.call(UnaryOp::Sin, angle);
        self.copy_sign(sine, rest)
    }

    /// cos(π x) as the sine of what lacks to a right angle.
    fn cosine_of_pi(&mut self, x: Value) -> Value {
        let rest = self.half_turns(x);
        let (magnitude, half) = (self.call(UnaryOp::AbsF, rest), self.number(0.5));
        let lacking = self.sub(half, magnitude);
        let angle = self.scaled(lacking, PI);
        self.call(UnaryOp::Sin, angle)
    }
}
