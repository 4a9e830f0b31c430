//! Sine and cosine: the angle is reduced to `[-π/4, π/4]` and a quadrant, and two short polynomials do the rest.
//!
//! Up to [`LIMIT`] the quadrant times π/2, in three parts, is subtracted with fused operations, which loses nothing. Larger angles need
//! more digits of π than three parts have; see [`large_angle`](super::large_angle). Where no finite angle is larger, as far as what computes it
//! says so ([`finite`](super::finite)), there is neither a test nor code for such.

use super::arithmetic::{add, bits, fma_plus, fma_scaled, magnitude, mul, plus, polynomial, scale, test};
use super::finite::largest_finite;
use super::large_angle;
use super::repair::{Pair, repair};
use crate::code::{Code, FloatTest, IntTest, Reg, Ty};
use crate::emit::{Emitter, Registers};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};
use tk_diag::Result;
use tk_ir::Op;

/// Largest angle of the short way: the quadrant then has at most 16 bits.
const LIMIT: f64 = 1e5;

/// π/2 in three parts, each an f32. None is negative, so that an angle of -0 stays what it is.
const HALF_PI_SINGLE: [f64; 3] = [1.570796251296997, 7.549789415861596e-08, 5.390302529957765e-15];
/// π/2 in three parts, each an f64.
const HALF_PI_DOUBLE: [f64; 3] = [FRAC_PI_2, 6.123233995736765e-17, 1.0828566739219139e-32];

/// `(sin(r)/r - 1) / r²` in `r²`.
const SIN_SINGLE: [f64; 4] =
    [-0.1666666716337204, 0.008333380334079266, -0.0001985350390896201, 2.8373631266731536e-06];
/// `(cos(r) - 1 + r²/2) / r⁴` in `r²`.
const COS_SINGLE: [f64; 3] = [0.04166664555668831, -0.0013887310633435845, 2.4432552891084924e-05];
const SIN_DOUBLE: [f64; 6] = [
    -0.16666666666666632,
    0.008333333333322491,
    -0.0001984126982985922,
    2.7557313707385037e-06,
    -2.5050760278837013e-08,
    1.5896910041361212e-10,
];
const COS_DOUBLE: [f64; 6] = [
    0.0416666666666666,
    -0.0013888888888874476,
    2.4801587289673255e-05,
    -2.755731440151955e-07,
    2.0875729340348763e-09,
    -1.1359936785733953e-11,
];

/// A function of an angle.
#[derive(Clone, Copy)]
pub(super) enum Angle {
    Sine,
    Cosine,
}

/// `math.sin`, `math.cos`.
pub(super) fn emit_angle_function<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, function: Angle) -> Result<()> {
    let operand = emitter.registers(op.operand(0))?;
    let code = &mut emitter.code;
    let ty = operand.get(0).ty();
    let wide = if ty.bits() == 16 { Ty::F32 } else { ty };
    let angles: Vec<Reg> = (0..operand.len()).map(|index| code.fpext(operand.get(index), wide)).collect();
    let reduced: Vec<Pair> = angles.iter().map(|angle| reduce(code, *angle)).collect();
    let reduced = if largest_finite(op.operand(0)) <= LIMIT {
        reduced
    } else {
        let large: Vec<Reg> = angles.iter().map(|angle| is_large(code, *angle)).collect();
        let slow = if wide == Ty::F64 { large_angle::reduce_double } else { large_angle::reduce_single };
        repair(code, &large, &angles, &reduced, slow)?
    };
    let values: Vec<Reg> = reduced
        .into_iter()
        .map(|[angle, quadrant]| {
            let value = evaluate(code, angle, quadrant, function);
            code.fptrunc(value, ty)
        })
        .collect();
    let registers = if operand.splat().is_some() { Registers::Splat(values[0]) } else { values.into() };
    emitter.define(op.result(0), registers);
    Ok(())
}

/// Whether the short way does not do; infinities and NaN come out of it as NaN, as they should.
fn is_large(code: &mut Code<'_>, angle: Reg) -> Reg {
    let size = magnitude(code, angle);
    let large = test(code, FloatTest::Ogt, size, LIMIT);
    let finite = test(code, FloatTest::Olt, size, f64::INFINITY);
    code.and(large, finite)
}

/// The angle less the nearest multiple of π/2, and which multiple that was.
fn reduce(code: &mut Code<'_>, angle: Reg) -> Pair {
    let double = angle.ty() == Ty::F64;
    let parts = if double { HALF_PI_DOUBLE } else { HALF_PI_SINGLE };
    // Adding 1.5 · 2^52 (or 2^23) leaves the nearest integer in the low bits.
    let rounder = if double { 6_755_399_441_055_744.0 } else { 12_582_912.0 };
    let turns = scale(code, angle, FRAC_2_PI);
    let rounded = plus(code, turns, rounder);
    let word = bits(code, rounded);
    let quadrant = code.trunc(word, Ty::I32);
    let turns = plus(code, rounded, -rounder);
    let rest = parts.iter().fold(angle, |rest, part| fma_scaled(code, turns, -part, rest));
    [rest, quadrant]
}

/// The sine or cosine of `quadrant · π/2 + angle`.
fn evaluate(code: &mut Code<'_>, angle: Reg, quadrant: Reg, function: Angle) -> Reg {
    let double = angle.ty() == Ty::F64;
    let square = mul(code, angle, angle);
    // With this zero added, a zero keeps its sign up to the end.
    let cube = fma_plus(code, square, angle, 0.0);
    let series = polynomial(code, square, if double { &SIN_DOUBLE } else { &SIN_SINGLE });
    let sine = code.fma(series, cube, angle);
    let series = polynomial(code, square, if double { &COS_DOUBLE } else { &COS_SINGLE });
    let one = code.float(angle.ty(), 1.0);
    let head = fma_scaled(code, square, -0.5, one);
    let fourth = mul(code, square, square);
    let cosine_value = if double {
        // What the head lost is too much for the last digit of an f64.
        let negated = code.fneg(head);
        let lost = add(code, one, negated);
        let lost = fma_scaled(code, square, -0.5, lost);
        let tail = code.fma(fourth, series, lost);
        add(code, head, tail)
    } else {
        code.fma(fourth, series, head)
    };
    // A cosine is the sine of a quarter more.
    let shift = code.i32(match function {
        Angle::Sine => 0,
        Angle::Cosine => 1,
    });
    let quadrant = code.add(quadrant, shift);
    let (one, two, zero) = (code.i32(1), code.i32(2), code.i32(0));
    let odd = code.and(quadrant, one);
    let odd = code.icmp(IntTest::Ne, odd, zero);
    let value = code.select(odd, cosine_value, sine);
    let half = code.and(quadrant, two);
    let half = code.icmp(IntTest::Ne, half, zero);
    let negated = code.fneg(value);
    code.select(half, negated, value)
}
