//! Functions of libdevice on the representation of floats, norms, and remainders.
//!
//! Exact or rounded once, except where a sentence says otherwise.

use super::special::{Float, one, two};
use super::{Args, Builtin, function};
use crate::check::Checker;
use crate::checked::{BinaryOp, CastKind, CompareOp, Literal, OpKind, UnaryOp, Value};
use crate::error::R;
use crate::value::Val;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    two!("nextafter", |f, x, y| f.next_after(x, y)),
    two!("remainder", |f, x, y| f.in_double([x, y], |f, [x, y]| f.ieee_remainder(x, y))),
    one!("logb", |f, x| f.in_double([x], |f, [x]| f.exponent_of(x))),
    function("ilogb", &["x"], ilogb),
    function("llround", &["x"], llround),
    function("ldexp", &["x", "n"], ldexp),
    function("scalbn", &["x", "n"], ldexp),
    two!("rhypot", |f, x, y| f.norm(&[x, y], true)),
    function("norm3d", &["x", "y", "z"], |c, a| norm(c, a, false)),
    function("rnorm3d", &["x", "y", "z"], |c, a| norm(c, a, true)),
    function("norm4d", &["x", "y", "z", "t"], |c, a| norm(c, a, false)),
    function("rnorm4d", &["x", "y", "z", "t"], |c, a| norm(c, a, true)),
    one!("rcbrt", |f, x| f.in_double([x], |f, [x]| {
        let root = f.cbrt(x);
        let one = f.number(1.0);
        f.div(one, root)
    })),
];

fn norm<'a>(checker: &mut Checker<'a>, args: &Args<'a>, inverse: bool) -> R<Val<'a>> {
    let (mut values, scalar) = super::special::float_arguments(checker, args)?;
    let ty = checker.ty(values[0]).clone();
    let result = Float::new(checker, ty).norm(&std::mem::take(&mut values), inverse);
    checker.cast_scalar(result, scalar, args.span).map(Val::Value)
}

/// To the nearest integer, ties away from zero, as int64.
fn llround<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (values, _) = super::special::float_arguments(checker, args)?;
    let ty = checker.ty(values[0]).clone();
    let rounded = Float::new(checker, ty).round_away(values[0]);
    checker.cast_scalar(rounded, ScalarType::I64, args.span).map(Val::Value)
}

/// The exponent as int32; the least integer for 0 and NaN, the greatest for infinity.
fn ilogb<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (values, _) = super::special::float_arguments(checker, args)?;
    let x = checker.cast_scalar(values[0], ScalarType::F64, args.span)?;
    let ty = checker.ty(x).clone();
    let mut float = Float::new(checker, ty.clone());
    let exponent = float.exponent_of(x);
    let magnitude = float.call(UnaryOp::AbsF, x);
    let largest = float.number(f64::MAX);
    let finite = float.compare(CompareOp::LeF, magnitude, largest);
    let zero = float.is(x, 0.0);
    let endless = float.is(magnitude, f64::INFINITY);
    let word = checker.cast_scalar(exponent, ScalarType::I32, args.span)?;
    let word_ty = checker.ty(word).clone();
    let limit = |checker: &mut Checker<'a>, number: i128| checker.literal(Literal::Int(number), word_ty.clone());
    let (least, greatest) = (limit(checker, i32::MIN.into()), limit(checker, i32::MAX.into()));
    let word = checker.emit(OpKind::Select, &[finite, word, least], word_ty.clone());
    let word = checker.emit(OpKind::Select, &[zero, least, word], word_ty.clone());
    Ok(Val::Value(checker.emit(OpKind::Select, &[endless, greatest, word], word_ty)))
}

/// `x 2^n`. fp32 goes through fp64; in fp64, results that are denormal are rounded twice.
fn ldexp<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (x_arg, n_arg) = (args.at(0), args.at(1));
    let x = checker.value_of("the argument of `ldexp`", &x_arg)?;
    let n = checker.value_of("the exponent of `ldexp`", &n_arg)?;
    let scalar = checker.float_argument(args.builtin.name, x, x_arg.span)?;
    if !checker.ty(n).number().is_some_and(ScalarType::is_int) {
        let found = checker.ty(n).to_string();
        let message = format!("the exponent of `{}` must be an integer, not {found}", args.builtin.name);
        let error = checker.error(tk_diag::TYPE_MISMATCH, n_arg.span, message, found);
        return Err(error.help("Cast with `.to(tl.int32)`.").into());
    }
    let (x, n) = checker.broadcast_pair("`ldexp`", (x, x_arg.span), (n, n_arg.span))?;
    let x = checker.cast_scalar(x, ScalarType::F64, x_arg.span)?;
    let n = checker.cast_scalar(n, ScalarType::I64, n_arg.span)?;
    let ty = checker.ty(n).clone();
    let clamped = |checker: &mut Checker<'a>, value: Value, limit: i128| {
        let (low, high) = (checker.int_literal(-limit, ty.clone()), checker.int_literal(limit, ty.clone()));
        let raised = checker.scalar_op(BinaryOp::MaxS, value, low);
        checker.scalar_op(BinaryOp::MinS, raised, high)
    };
    // Three factors reach from the greatest number to the least.
    let mut rest = clamped(checker, n, 3000);
    let mut result = x;
    for _ in 0..3 {
        let part = clamped(checker, rest, 1000);
        rest = checker.scalar_op(BinaryOp::SubI, rest, part);
        let bias = checker.int_literal(1023, ty.clone());
        let exponent = checker.scalar_op(BinaryOp::AddI, part, bias);
        let shift = checker.int_literal(52, ty.clone());
        let bits = checker.scalar_op(BinaryOp::Shl, exponent, shift);
        let factor = checker.reinterpret(bits, ScalarType::F64);
        result = checker.scalar_op(BinaryOp::MulF, result, factor);
    }
    checker.cast_scalar(result, scalar, args.span).map(Val::Value)
}

impl Float<'_, '_> {
    /// The root of the sum of squares, or its inverse, in fp64. 1 ulp; squares of fp64 overflow from 1e154 on.
    fn norm(&mut self, parts: &[Value], inverse: bool) -> Value {
        let squares = |f: &mut Float<'_, '_>, parts: &[Value]| {
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
        let bits = self.checker.reinterpret(normal, ScalarType::I64);
        let ty = self.checker.ty(bits).clone();
        let shift = self.checker.int_literal(52, ty);
        let biased = self.checker.scalar_op(BinaryOp::ShrU, bits, shift);
        let float = self.checker.emit(OpKind::Cast(CastKind::SIToFp), &[biased], self.ty.clone());
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
        let bits = self.checker.reinterpret(x, word);
        let ty = self.checker.ty(bits).clone();
        let zero = self.number(0.0);
        let up = self.compare(CompareOp::LtF, x, y);
        let negative = self.compare(CompareOp::LtF, x, zero);
        // The bits of the magnitude grow when x moves away from zero.
        let grows = self.both(BinaryOp::Xor, up, negative);
        let (plus, minus) = (self.checker.int_literal(1, ty.clone()), self.checker.int_literal(-1, ty.clone()));
        let step = self.checker.emit(OpKind::Select, &[grows, plus, minus], ty.clone());
        let moved = self.checker.scalar_op(BinaryOp::AddI, bits, step);
        let moved = self.checker.reinterpret(moved, scalar);
        let least = self.checker.reinterpret(plus, scalar);
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
}
