//! Sine and cosine: the angle is reduced to `[-π/4, π/4]` and a quadrant, and two short polynomials do the rest.
//!
//! Up to [`LIMIT`] the quadrant times π/2, in three parts, is subtracted with fused operations, which loses nothing. Larger angles need
//! more digits of π than three parts have; see [`large_angle`](super::large_angle). Where no finite angle is larger, as far as what computes it
//! says so ([`finite`](super::finite)), there is neither a test nor code for such.

use super::arithmetic::{add, bits, fma_plus, fma_scaled, magnitude, mul, plus, polynomial, scale, test};
use super::finite::largest_finite;
use super::repair::{Pair, ShortWay, Ways, in_two_ways, repair_one};
use super::{function_of, large_angle};
use crate::code::{Code, FloatTest, IntTest, Reg, Ty};
use crate::emit::family::Math;
use crate::emit::{Emitter, Registers, Settings};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};
use tk_diag::Result;
use tk_ir::{Op, Value};

/// Largest angle of the short way: the quadrant then has at most 16 bits.
const LIMIT: f64 = 1e5;

/// Warps of a multiprocessor that are few: two for each of its parts.
const FEW_WARPS: u32 = 8;

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
///
/// Those of one angle share its reduction, and the branch for large angles: the first of them in a block emits all.
pub(super) fn emit_angle_function<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, function: Angle) -> Result<()> {
    let operand = emitter.registers(op.operand(0))?;
    if operand.splat().is_some() || operand.len() == 1 || !may_be_large(op.operand(0)) {
        return emit_alone(emitter, op, function);
    }
    let together = functions_of_angle(op);
    if together.first().is_some_and(|(first, _)| *first != op) {
        return Ok(());
    }
    let ty = operand.get(0).ty();
    let wide = wide_type(ty);
    let place = place_of_short_way(&emitter.settings);
    let code = &mut emitter.code;
    let angles: Vec<Reg> = (0..operand.len()).map(|index| code.fpext(operand.get(index), wide)).collect();
    let mut distinct: Vec<Reg> = Vec::with_capacity(angles.len());
    let mut place_of: FxHashMap<Reg, usize> = FxHashMap::default();
    for angle in &angles {
        place_of.entry(*angle).or_insert_with(|| {
            distinct.push(*angle);
            distinct.len() - 1
        });
    }
    let functions: Vec<Angle> = together.iter().map(|(_, function)| *function).collect();
    let evaluate_all = |code: &mut Code<'_>, [angle, quadrant]: Pair| {
        functions.iter().map(|function| evaluate(code, angle, quadrant, *function)).collect::<Vec<Reg>>()
    };
    let ways = Ways {
        place,
        is_beyond: &any_large,
        short: &|code, angle| {
            let reduced = reduce(code, angle);
            evaluate_all(code, reduced)
        },
        general: &|code, angle| {
            let reduced = reduce_any(code, angle);
            evaluate_all(code, reduced)
        },
    };
    let values = in_two_ways(code, &distinct, &ways)?;
    for (which, (op, _)) in together.into_iter().enumerate() {
        let code = &mut emitter.code;
        let of_angle = |angle: &Reg| code.fptrunc(values[place_of[angle]][which], ty);
        let results: Vec<Reg> = angles.iter().map(of_angle).collect();
        emitter.define(op.result(0), results.into());
    }
    Ok(())
}

/// The short way goes first where the launch is known to bring few warps to a multiprocessor, which then wait for the test (docs/measurements.md, "What a branch
/// for large angles keeps").
fn place_of_short_way(settings: &Settings) -> ShortWay {
    let warps = settings.options.residency.at_most().map(|ctas| ctas.saturating_mul(settings.num_warps));
    if warps.is_some_and(|warps| warps <= FEW_WARPS) { ShortWay::First } else { ShortWay::Beside }
}

/// A function of one angle, or of angles that are never large.
fn emit_alone<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, function: Angle) -> Result<()> {
    let operand = emitter.registers(op.operand(0))?;
    let code = &mut emitter.code;
    let ty = operand.get(0).ty();
    let wide = wide_type(ty);
    let mut values = Vec::with_capacity(operand.len());
    let can_be_large = may_be_large(op.operand(0));
    for index in 0..operand.len() {
        let angle = code.fpext(operand.get(index), wide);
        let mut reduced = reduce(code, angle);
        if can_be_large {
            let large = is_large(code, angle);
            reduced = repair_one(code, large, angle, reduced, reduce_large)?;
        }
        let value = evaluate(code, reduced[0], reduced[1], function);
        values.push(code.fptrunc(value, ty));
    }
    let registers = if operand.splat().is_some() { Registers::Splat(values[0]) } else { values.into() };
    emitter.define(op.result(0), registers);
    Ok(())
}

/// Whether code of angles has a branch for large ones.
pub(super) fn may_be_large(angle: Value<'_>) -> bool {
    largest_finite(angle) > LIMIT
}

/// The functions of the angle of `op` in its block, in their order.
fn functions_of_angle(op: Op<'_>) -> Vec<(Op<'_>, Angle)> {
    let mut found: Vec<(Op<'_>, Angle)> = op
        .operand(0)
        .users()
        .into_iter()
        .filter_map(|(user, _)| {
            let is_beside = user.block() == op.block();
            angle_function(user).filter(|_| is_beside).map(|function| (user, function))
        })
        .collect();
    found.sort_by(|(a, _), (b, _)| match (a == b, a.is_before_in_block(*b)) {
        (true, _) => Ordering::Equal,
        (false, true) => Ordering::Less,
        (false, false) => Ordering::Greater,
    });
    found
}

/// The function of an angle that an operation is.
fn angle_function(op: Op<'_>) -> Option<Angle> {
    let which = function_of(op)?;
    if which == Math::MathSin {
        return Some(Angle::Sine);
    }
    (which == Math::MathCos).then_some(Angle::Cosine)
}

/// 16-bit floats are computed in f32.
fn wide_type(ty: Ty) -> Ty {
    if ty.bits() == 16 { Ty::F32 } else { ty }
}

/// Whether the short way does not do for one of the angles, or one is infinite: a test of the largest size. Of a number and NaN the greater one is the number.
///
/// The greater of two doubles takes as much as a test.
fn any_large(code: &mut Code<'_>, angles: &[Reg]) -> Reg {
    let sizes: Vec<Reg> = angles.iter().map(|angle| magnitude(code, *angle)).collect();
    let is_double = angles.iter().any(|angle| angle.ty() == Ty::F64);
    if is_double {
        let none = code.bool(false);
        return sizes.into_iter().fold(none, |any, size| {
            let large = test(code, FloatTest::Ogt, size, LIMIT);
            code.or(any, large)
        });
    }
    let mut sizes = sizes;
    while sizes.len() > 1 {
        let greater = |pair: &[Reg]| match pair {
            [a, b] => code.overloaded("llvm.maxnum", a.ty(), &[*a, *b]),
            _ => pair[0],
        };
        sizes = sizes.chunks(2).map(greater).collect();
    }
    test(code, FloatTest::Ogt, sizes[0], LIMIT)
}

/// The angle less the nearest multiple of π/2, of any angle.
fn reduce_any(code: &mut Code<'_>, angle: Reg) -> Pair {
    let large = is_large(code, angle);
    let [short, short_quadrant] = reduce(code, angle);
    let [long, long_quadrant] = reduce_large(code, angle);
    [code.select(large, long, short), code.select(large, long_quadrant, short_quadrant)]
}

fn reduce_large(code: &mut Code<'_>, angle: Reg) -> Pair {
    match angle.ty() == Ty::F64 {
        true => large_angle::reduce_double(code, angle),
        false => large_angle::reduce_single(code, angle),
    }
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
