//! Bessel functions of order 0 and 1, and of constant orders (up to 32: relative error 1e-12 in fp64, absolute next to zeros). fp32 is
//! computed in fp64 (modified ones in `special_single`): 1 ulp away from zeros of the function, 1e-14 absolute next to them.
//! In fp64: relative errors about 1e-14 away from zeros, absolute ones next to them, growing with x as those of the phase.

use super::float::Float;
use super::polynomials::*;
use super::{Function, one};
use crate::checked::{CompareOp, UnaryOp, Value};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_4};

pub(super) const TABLE: &[Function] = &[
    one("cyl_bessel_i0", |f, x| if f.is_double() { f.modified(x, 0) } else { f.modified_of_single(x, 0) }),
    one("cyl_bessel_i1", |f, x| if f.is_double() { f.modified(x, 1) } else { f.modified_of_single(x, 1) }),
    one("j0", |f, x| f.in_double([x], |f, [x]| f.first_kind(x, 0))),
    one("j1", |f, x| f.in_double([x], |f, [x]| f.first_kind(x, 1))),
    one("y0", |f, x| f.in_double([x], |f, [x]| f.second_kind(x, 0))),
    one("y1", |f, x| f.in_double([x], |f, [x]| f.second_kind(x, 1))),
];

/// Where the polynomials in x give way to those in 1 / x.
const LIMIT: f64 = 8.0;

impl Float<'_> {
    /// I0 and I1: exp(x) times a polynomial.
    fn modified(&mut self, x: Value, order: u32) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let (near, far) = if order == 0 { (I0_SMALL, I0_LARGE) } else { (I1_SMALL, I1_LARGE) };
        let scaled = self.scaled(magnitude, 0.25);
        let t = self.shifted(scaled, -1.0);
        let mut small = self.polynomial(near, t);
        if order == 1 {
            small = self.mul(small, magnitude);
        }
        let sixteen = self.number(16.0);
        let quotient = self.div(sixteen, magnitude);
        let t = self.shifted(quotient, -1.0);
        let large = self.polynomial(far, t);
        let root = self.call(UnaryOp::SqrtRn, magnitude);
        let large = self.div(large, root);
        let limit = self.number(LIMIT);
        let is_large = self.compare(CompareOp::GtF, magnitude, limit);
        let factor = self.select(is_large, large, small);
        // Half of the exponential at a time overflows no earlier than the product.
        let half = self.scaled(magnitude, 0.5);
        let power = self.call(UnaryOp::Exp, half);
        let part = self.mul(factor, power);
        let result = self.mul(part, power);
        let endless = self.is(magnitude, f64::INFINITY);
        let result = self.select(endless, magnitude, result);
        if order == 0 { result } else { self.copy_sign(result, x) }
    }

    /// The square of the magnitude as an argument of the polynomials up to 8.
    fn near_argument(&mut self, magnitude: Value) -> Value {
        let square = self.mul(magnitude, magnitude);
        let scaled = self.scaled(square, 1.0 / 32.0);
        self.shifted(scaled, -1.0)
    }

    /// sqrt(2 / (π x)) (P cos - Q sin) and (P sin + Q cos) of the phase x - (2 order + 1) π / 4.
    fn asymptotic(&mut self, magnitude: Value, order: u32) -> (Value, Value) {
        let (p, q) = if order == 0 { (P0, Q0) } else { (P1, Q1) };
        let eight = self.number(LIMIT);
        let inverse = self.div(eight, magnitude);
        let square = self.mul(inverse, inverse);
        let double = self.scaled(square, 2.0);
        let t = self.shifted(double, -1.0);
        let amplitude = self.polynomial(p, t);
        let other = self.polynomial(q, t);
        let other = self.mul(other, inverse);
        let phase = self.shifted(magnitude, -f64::from(2 * order + 1) * FRAC_PI_4);
        let (sine, cosine) = (self.call(UnaryOp::Sin, phase), self.call(UnaryOp::Cos, phase));
        let ratio = self.number(FRAC_2_PI);
        let ratio = self.div(ratio, magnitude);
        let root = self.call(UnaryOp::SqrtRn, ratio);
        let products = [(amplitude, cosine), (other, sine), (amplitude, sine), (other, cosine)];
        let [a, b, c, d] = products.map(|(x, y)| self.mul(x, y));
        let (first, second) = (self.sub(a, b), self.add(c, d));
        let first = self.mul(root, first);
        let second = self.mul(root, second);
        // At infinity the phase has no sine, and both vanish.
        let zero = self.number(0.0);
        let endless = self.is(magnitude, f64::INFINITY);
        (self.select(endless, zero, first), self.select(endless, zero, second))
    }

    fn is_far(&mut self, magnitude: Value) -> Value {
        let limit = self.number(LIMIT);
        self.compare(CompareOp::GtF, magnitude, limit)
    }

    fn near_first_kind(&mut self, magnitude: Value, order: u32) -> Value {
        let t = self.near_argument(magnitude);
        if order == 0 {
            return self.polynomial(J0_SMALL, t);
        }
        let ratio = self.polynomial(J1_SMALL, t);
        self.mul(ratio, magnitude)
    }

    /// J0 and J1.
    fn first_kind(&mut self, x: Value, order: u32) -> Value {
        let magnitude = self.call(UnaryOp::AbsF, x);
        let near = self.near_first_kind(magnitude, order);
        let (far, _) = self.asymptotic(magnitude, order);
        let is_far = self.is_far(magnitude);
        let result = self.select(is_far, far, near);
        if order == 0 {
            return result;
        }
        let negative = self.call(UnaryOp::NegF, result);
        let zero = self.number(0.0);
        let left = self.compare(CompareOp::LtF, x, zero);
        self.select(left, negative, result)
    }

    /// Y0 and Y1: minus infinity at zero, NaN below.
    fn second_kind(&mut self, x: Value, order: u32) -> Value {
        let t = self.near_argument(x);
        let regular = self.near_first_kind(x, order);
        let half = self.scaled(x, 0.5);
        let log = self.call(UnaryOp::Log, half);
        let mut singular = self.mul(log, regular);
        let rest = if order == 0 {
            self.polynomial(Y0_SMALL, t)
        } else {
            let one = self.number(1.0);
            let inverse = self.div(one, x);
            singular = self.sub(singular, inverse);
            let ratio = self.polynomial(Y1_SMALL, t);
            self.mul(ratio, x)
        };
        let singular = self.scaled(singular, FRAC_2_PI);
        let near = self.add(singular, rest);
        let (_, far) = self.asymptotic(x, order);
        let is_far = self.is_far(x);
        let result = self.select(is_far, far, near);
        let lowest = self.number(f64::NEG_INFINITY);
        let origin = self.is(x, 0.0);
        self.select(origin, lowest, result)
    }
}

/// Below this the first term of the series is all there is in fp64.
const TINY: f64 = 1e-8;
/// What the downward recurrence is scaled by when it passes the inverse.
const SCALE: f64 = 1e-100;

impl Float<'_> {
    /// `2 k / x b - a`: from orders k - 1 and k to k + 1, or the other way.
    fn recurrence(&mut self, x: Value, k: u32, a: Value, b: Value) -> Value {
        let factor = self.number(f64::from(2 * k));
        let factor = self.div(factor, x);
        let product = self.mul(factor, b);
        self.sub(product, a)
    }

    /// J of an order from 0 on.
    pub(crate) fn bessel_first_kind(&mut self, x: Value, order: u32) -> Value {
        self.in_double([x], |f, [x]| f.first_kind_of(x, order))
    }

    /// Y of an order from 0 on.
    pub(crate) fn bessel_second_kind(&mut self, x: Value, order: u32) -> Value {
        self.in_double([x], |f, [x]| f.second_kind_of(x, order))
    }

    /// J of any order: upward from J0 and J1 where x passes the order, else downward (Miller's algorithm).
    fn first_kind_of(&mut self, x: Value, order: u32) -> Value {
        if order < 2 {
            return self.first_kind(x, order);
        }
        let magnitude = self.call(UnaryOp::AbsF, x);
        let (mut a, mut b) = (self.first_kind(magnitude, 0), self.first_kind(magnitude, 1));
        for k in 1..order {
            let next = self.recurrence(magnitude, k, a, b);
            (a, b) = (b, next);
        }
        let down = self.downward(magnitude, order);
        let limit = self.number(f64::from(order));
        let is_far = self.compare(CompareOp::GtF, magnitude, limit);
        let result = self.select(is_far, b, down);
        if order.is_multiple_of(2) { result } else { self.odd(result, x) }
    }

    /// The function of `|x|` as an odd one of x.
    fn odd(&mut self, result: Value, x: Value) -> Value {
        let negative = self.call(UnaryOp::NegF, result);
        let zero = self.number(0.0);
        let left = self.compare(CompareOp::LtF, x, zero);
        self.select(left, negative, result)
    }

    /// The recurrence from far above the order down to zero, where J0 + 2 J2 + 2 J4 + … = 1 says the scale.
    fn downward(&mut self, x: Value, order: u32) -> Value {
        let root = f64::from(order).sqrt().ceil() as u32;
        let start = (order + 8 * root + 16) & !1;
        let (mut above, mut now) = (self.number(0.0), self.number(1.0));
        let mut sum = self.number(2.0);
        let mut wanted = self.number(0.0);
        for k in (1..=start).rev() {
            let below = self.recurrence(x, k, above, now);
            (above, now) = (now, below);
            let part = self.scaled(now, if k == 1 { 1.0 } else { 2.0 });
            if (k - 1) % 2 == 0 {
                sum = self.add(sum, part);
            }
            if k - 1 == order {
                wanted = now;
            }
            // Four steps grow by less than 1e42.
            if k % 4 == 0 {
                let size = self.call(UnaryOp::AbsF, now);
                let limit = self.number(1.0 / SCALE);
                let is_large = self.compare(CompareOp::GtF, size, limit);
                for value in [&mut above, &mut now, &mut sum, &mut wanted] {
                    let small = self.scaled(*value, SCALE);
                    *value = self.select(is_large, small, *value);
                }
            }
        }
        let result = self.div(wanted, sum);
        let half = self.scaled(x, 0.5);
        let mut term = self.number(1.0);
        for k in 1..=order {
            let part = self.scaled(half, 1.0 / f64::from(k));
            term = self.mul(term, part);
        }
        let tiny = self.number(TINY);
        let is_tiny = self.compare(CompareOp::LtF, x, tiny);
        self.select(is_tiny, term, result)
    }

    /// Y of any order, upward from Y0 and Y1.
    fn second_kind_of(&mut self, x: Value, order: u32) -> Value {
        if order < 2 {
            return self.second_kind(x, order);
        }
        let (mut a, mut b) = (self.second_kind(x, 0), self.second_kind(x, 1));
        for k in 1..order {
            let next = self.recurrence(x, k, a, b);
            // What is minus infinity stays it.
            let endless = self.is(b, f64::NEG_INFINITY);
            let next = self.select(endless, b, next);
            (a, b) = (b, next);
        }
        b
    }
}
