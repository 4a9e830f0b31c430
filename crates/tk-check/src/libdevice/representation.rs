//! Functions on the representation of floats, norms, and remainders. Exact or rounded once, except where a sentence says otherwise.

use super::float::Float;
use super::{Function, many, one, two};
use crate::checked::OpKind;
use crate::checked::{BinaryOp, CastKind, CompareOp, UnaryOp, Value};
use tk_types::ScalarType;

pub(super) const TABLE: &[Function] = &[
    two("nextafter", |f, x, y| f.next_after(x, y)),
    two("remainder", |f, x, y| f.in_double([x, y], |f, [x, y]| f.ieee_remainder(x, y))),
    one("logb", |f, x| f.in_double([x], |f, [x]| f.exponent_of(x))),
    two("rhypot", |f, x, y| f.norm(&[x, y], true)),
    many("norm3d", &["x", "y", "z"], |f, parts| f.norm(parts, false)),
    many("rnorm3d", &["x", "y", "z"], |f, parts| f.norm(parts, true)),
    many("norm4d", &["x", "y", "z", "t"], |f, parts| f.norm(parts, false)),
    many("rnorm4d", &["x", "y", "z", "t"], |f, parts| f.norm(parts, true)),
    one("rcbrt", |f, x| {
        f.in_double([x], |f, [x]| {
            let root = f.cbrt(x);
            let one = f.number(1.0);
            f.div(one, root)
        })
    }),
];

impl Float<'_> {
    /// The root of the sum of squares, or its inverse, in fp64. 1 ulp; squares of fp64 overflow from 1e154 on.
    fn norm(&mut self, parts: &[Value], inverse: bool) -> Value {
        let squares = |f: &mut Float<'_>, parts: &[Value]| {
            let mut sum = f.number(0.0);
            for part in parts {
                let square = f.mul(*part, *part);
                sum = f.add(sum, square);
            }
            let root = f.call(UnaryOp::SqrtRn, sum);
            let one = f.number(1.0);
            if inverse { f.div(one, root) } else { root }
        };
        match *parts {
            [x, y] => self.in_double([x, y], |f, parts| squares(f, &parts)),
            [x, y, z] => self.in_double([x, y, z], |f, parts| squares(f, &parts)),
            [x, y, z, t] => self.in_double([x, y, z, t], |f, parts| squares(f, &parts)),
            _ => self.number(f64::NAN),
        }
    }

    /// The exponent of an fp64 number as a float; that of 0 is minus infinity.
    fn exponent_of(&mut self, x: Value) -> Value {
        // Denormal numbers are made normal by 2^54.
        let magnitude = self.call(UnaryOp::AbsF, x);
        let least = self.number(f64::MIN_POSITIVE);
        let denormal = self.compare(CompareOp::LtF, magnitude, least);
        let raised = self.scaled(magnitude, 2_f64.powi(54));
        let normal = self.select(denormal, raised, magnitude);
        let bits = self.builder.reinterpret(normal, ScalarType::I64);
        let ty = self.builder.ty(bits).clone();
        let shift = self.builder.int(52, ty);
        let biased = self.builder.binary(BinaryOp::ShrU, bits, shift);
        let float = self.builder.emit(OpKind::Cast(CastKind::SIToFp), &[biased], self.ty.clone());
        let exponent = self.shifted(float, -1023.0);
        let lowered = self.shifted(exponent, -54.0);
        let exponent = self.select(denormal, lowered, exponent);
        let lowest = self.number(f64::NEG_INFINITY);
        let zero = self.is(x, 0.0);
        let exponent = self.select(zero, lowest, exponent);
        let largest = self.number(f64::MAX);
        let finite = self.compare(CompareOp::LeF, magnitude, largest);
        self.select(finite, exponent, magnitude)
    }

    /// The neighbour of x on the way to y: one step of its bits.
    fn next_after(&mut self, x: Value, y: Value) -> Value {
        let (word, scalar) =
            if self.is_double() { (ScalarType::I64, ScalarType::F64) } else { (ScalarType::I32, ScalarType::F32) };
        let bits = self.builder.reinterpret(x, word);
        let ty = self.builder.ty(bits).clone();
        let zero = self.number(0.0);
        let up = self.compare(CompareOp::LtF, x, y);
        let negative = self.compare(CompareOp::LtF, x, zero);
        // The bits of the magnitude grow when x moves away from zero.
        let grows = self.both(BinaryOp::Xor, up, negative);
        let (plus, minus) = (self.builder.int(1, ty.clone()), self.builder.int(-1, ty.clone()));
        let step = self.builder.emit(OpKind::Select, &[grows, plus, minus], ty.clone());
        let moved = self.builder.binary(BinaryOp::AddI, bits, step);
        let moved = self.builder.reinterpret(moved, scalar);
        let least = self.builder.reinterpret(plus, scalar);
        let least = self.copy_sign(least, y);
        let at_zero = self.is(x, 0.0);
        let moved = self.select(at_zero, least, moved);
        let same = self.compare(CompareOp::EqF, x, y);
        let result = self.select(same, y, moved);
        let sum = self.add(x, y);
        let defined = {
            let ordered = [x, y].map(|value| self.compare(CompareOp::EqF, value, value));
            self.both(BinaryOp::And, ordered[0], ordered[1])
        };
        self.select(defined, result, sum)
    }

    /// `x - y n` with n the integer nearest to `x / y`, even in the middle. The quotient must be below 2^53.
    fn ieee_remainder(&mut self, x: Value, y: Value) -> Value {
        let (a, b) = (self.call(UnaryOp::AbsF, x), self.call(UnaryOp::AbsF, y));
        let double = self.scaled(b, 2.0);
        let rest = self.op(BinaryOp::RemF, a, double);
        // A divisor that cannot be doubled is larger than every rest.
        let endless = self.is(double, f64::INFINITY);
        let rest = self.select(endless, a, rest);
        let half = self.scaled(b, 0.5);
        let above = self.compare(CompareOp::GtF, rest, half);
        let less = self.sub(rest, b);
        let still = self.compare(CompareOp::GeF, less, half);
        let lesser = self.sub(less, b);
        let reduced = self.select(still, lesser, less);
        let result = self.select(above, reduced, rest);
        let negative = self.call(UnaryOp::NegF, result);
        let zero = self.number(0.0);
        let left = self.compare(CompareOp::LtF, x, zero);
        let result = self.select(left, negative, result);
        // x itself where y is infinite and x is not.
        let unbounded = self.is(b, f64::INFINITY);
        let largest = self.number(f64::MAX);
        let finite = self.compare(CompareOp::LeF, a, largest);
        let unbounded = self.both(BinaryOp::And, unbounded, finite);
        self.select(unbounded, x, result)
    }

    /// The exponent of an fp64 number as int32; the least integer for 0 and NaN, the greatest for infinity.
    pub(crate) fn integer_exponent(&mut self, x: Value) -> Value {
        let exponent = self.exponent_of(x);
        let magnitude = self.call(UnaryOp::AbsF, x);
        let largest = self.number(f64::MAX);
        let finite = self.compare(CompareOp::LeF, magnitude, largest);
        let zero = self.is(x, 0.0);
        let endless = self.is(magnitude, f64::INFINITY);
        let word = self.builder.cast_number(CastKind::FpToSI, exponent, ScalarType::I32);
        let ty = self.builder.ty(word).clone();
        let [least, greatest] = [i32::MIN, i32::MAX].map(|limit| self.builder.int(limit.into(), ty.clone()));
        let word = self.builder.select(finite, word, least);
        let word = self.builder.select(zero, least, word);
        self.builder.select(endless, greatest, word)
    }

    /// An int64 cut off at `limit` on both sides.
    fn clamped(&mut self, value: Value, limit: i128) -> Value {
        let ty = self.builder.ty(value).clone();
        let (low, high) = (self.builder.int(-limit, ty.clone()), self.builder.int(limit, ty));
        let raised = self.builder.binary(BinaryOp::MaxS, value, low);
        self.builder.binary(BinaryOp::MinS, raised, high)
    }

    /// `x 2^n` of fp64 and int64. Results that are denormal are rounded twice.
    pub(crate) fn scaled_by_power(&mut self, x: Value, n: Value) -> Value {
        let ty = self.builder.ty(n).clone();
        // Three factors reach from the greatest number to the least.
        let mut rest = self.clamped(n, 3000);
        let mut result = x;
        for _ in 0..3 {
            let part = self.clamped(rest, 1000);
            rest = self.builder.binary(BinaryOp::SubI, rest, part);
            let bias = self.builder.int(1023, ty.clone());
            let exponent = self.builder.binary(BinaryOp::AddI, part, bias);
            let shift = self.builder.int(52, ty.clone());
            let bits = self.builder.binary(BinaryOp::Shl, exponent, shift);
            let factor = self.builder.reinterpret(bits, ScalarType::F64);
            result = self.builder.binary(BinaryOp::MulF, result, factor);
        }
        result
    }
}
