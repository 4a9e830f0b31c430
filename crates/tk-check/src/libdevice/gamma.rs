//! The gamma function and its logarithm, by Stirling's series above 10 and the recurrence below. fp32 is computed in fp64: 1 ulp
//! (the logarithm in fp32, `special_single`). In fp64: relative errors up to 3e-13, absolute ones next to zeros.

use super::float::Float;
use super::{Function, one};
use crate::checked::{BinaryOp, CompareOp, UnaryOp, Value};
use std::f64::consts::PI;

pub(super) const TABLE: &[Function] = &[
    one("lgamma", |f, x| if f.is_double() { f.lgamma(x) } else { f.lgamma_of_single(x) }),
    one("tgamma", |f, x| f.in_double([x], |f, [x]| f.tgamma(x))),
];

/// Stirling's series in 1 / z², from the highest power down: Bernoulli numbers B(2k) over 2k (2k - 1).
const STIRLING: &[f64] = &[
    -3617.0 / 122_400.0,
    1.0 / 156.0,
    -691.0 / 360_360.0,
    1.0 / 1188.0,
    -1.0 / 1680.0,
    1.0 / 1260.0,
    -1.0 / 360.0,
    1.0 / 12.0,
];
/// Half the logarithm of 2 π.
const HALF_LOG_TWO_PI: f64 = 0.918_938_533_204_672_8;
const LEAST: f64 = 10.0;

impl Float<'_> {
    /// For x from 1/2 on: a number z from 10 on that differs from it by a whole number, and the product of the steps between.
    fn risen(&mut self, x: Value) -> (Value, Value) {
        let (mut z, mut product) = (x, self.number(1.0));
        let limit = self.number(LEAST);
        for _ in 0..LEAST as u32 {
            let low = self.compare(CompareOp::LtF, z, limit);
            let larger = self.mul(product, z);
            product = self.select(low, larger, product);
            let next = self.shifted(z, 1.0);
            z = self.select(low, next, z);
        }
        (z, product)
    }

    /// `(z - 1/2) log z - z + log(2 π) / 2 + series`.
    fn stirling(&mut self, z: Value) -> Value {
        let log = self.call(UnaryOp::Log, z);
        let below = self.shifted(z, -0.5);
        let main = self.mul(below, log);
        let main = self.sub(main, z);
        let one = self.number(1.0);
        let inverse = self.div(one, z);
        let square = self.mul(inverse, inverse);
        let series = self.polynomial(STIRLING, square);
        let series = self.mul(series, inverse);
        let rest = self.shifted(series, HALF_LOG_TWO_PI);
        self.add(main, rest)
    }

    /// Whether x is below 1/2, and x or its mirror 1 - x.
    fn reflected(&mut self, x: Value) -> (Value, Value) {
        let (half, one) = (self.number(0.5), self.number(1.0));
        let low = self.compare(CompareOp::LtF, x, half);
        let mirrored = self.sub(one, x);
        (low, self.select(low, mirrored, x))
    }

    fn lgamma(&mut self, x: Value) -> Value {
        let (low, positive) = self.reflected(x);
        let (z, product) = self.risen(positive);
        let upper = self.stirling(z);
        let log_product = self.call(UnaryOp::Log, product);
        let value = self.sub(upper, log_product);
        let zero = self.number(0.0);
        let ones = [1.0, 2.0].map(|root| self.is(positive, root));
        let root = self.both(BinaryOp::Or, ones[0], ones[1]);
        let value = self.select(root, zero, value);
        // log π - log |sin π x| - lgamma(1 - x); the sine vanishes at the poles.
        let sine = self.sine_of_pi(x);
        let sine = self.call(UnaryOp::AbsF, sine);
        let log_sine = self.call(UnaryOp::Log, sine);
        let log_pi = self.number(PI.ln());
        let difference = self.sub(log_pi, log_sine);
        let mirrored = self.sub(difference, value);
        let result = self.select(low, mirrored, value);
        let magnitude = self.call(UnaryOp::AbsF, x);
        let endless = self.is(magnitude, f64::INFINITY);
        self.select(endless, magnitude, result)
    }

    fn tgamma(&mut self, x: Value) -> Value {
        let (low, positive) = self.reflected(x);
        let (z, product) = self.risen(positive);
        let log = self.stirling(z);
        // Half at a time, since the quotient may be finite where the whole overflows.
        let half = self.scaled(log, 0.5);
        let root = self.call(UnaryOp::Exp, half);
        let part = self.div(root, product);
        let value = self.mul(part, root);
        // π / (sin(π x) Γ(1 - x)).
        let sine = self.sine_of_pi(x);
        let divisor = self.mul(sine, part);
        let divisor = self.mul(divisor, root);
        let pi = self.number(PI);
        let mirrored = self.div(pi, divisor);
        let result = self.select(low, mirrored, value);
        // Poles: zero has the sign of its side, negative integers have none.
        let whole = self.call(UnaryOp::Floor, x);
        let is_whole = self.compare(CompareOp::EqF, whole, x);
        let zero = self.number(0.0);
        let negative = self.compare(CompareOp::LtF, x, zero);
        let pole = self.both(BinaryOp::And, is_whole, negative);
        let nan = self.number(f64::NAN);
        let result = self.select(pole, nan, result);
        let infinity = self.number(f64::INFINITY);
        let signed = self.copy_sign(infinity, x);
        let origin = self.is(x, 0.0);
        let result = self.select(origin, signed, result);
        let endless = self.is(x, f64::INFINITY);
        self.select(endless, infinity, result)
    }
}
