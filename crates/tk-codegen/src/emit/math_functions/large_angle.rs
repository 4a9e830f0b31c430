//! Reduction of huge angles (Payne and Hanek, 1983): the angle's integer mantissa times just those digits of 2/π that matter.
//!
//! Digits of weight 4 and more only add whole turns. Of the others, three words are kept, which leaves more than a mantissa's digits
//! even for the angles that come closest to a multiple of π/2.

use super::arithmetic::{bits, fma_scaled, mul, scale};
use super::repair::Pair;
use crate::code::{Code, IntTest, Reg, Ty};
use std::f64::consts::FRAC_PI_2;

/// 2/π: the first 18 words of 64 bits after the binary point.
const TWO_OVER_PI: [u64; 18] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
];
/// The part of π/2 that an f64 of it lacks.
const HALF_PI_LOW: f64 = 6.123_233_995_736_766e-17;

/// Reduces an f32 of at least 2: the rest in [-π/4, π/4], and the multiple of π/2.
pub(super) fn reduce_single(code: &mut Code<'_>, angle: Reg) -> Pair {
    let word = bits(code, angle);
    let (eight, low, top) = (code.i32(8), code.i32(0x7fff_ff00), code.i32(1 << 31));
    let mantissa = code.shl(word, eight);
    let mantissa = code.and(mantissa, low);
    let mantissa = code.or(mantissa, top);
    let (amount, field, bias) = (code.i32(23), code.i32(255), code.i32(-128));
    let exponent = code.lshr(word, amount);
    let exponent = code.and(exponent, field);
    // The mantissa is an integer of 32 bits and a word of zeros precedes the digits, so that the digit of weight 2 comes here.
    let start = code.add(exponent, bias);
    let halves = TWO_OVER_PI[..3].iter().flat_map(|word| [(word >> 32) as i64, i64::from(*word as u32)]);
    let digits: Vec<Reg> = std::iter::once(0).chain(halves).map(|word| code.i32(word)).collect();
    let window = window(code, &digits, start);

    let wide = |code: &mut Code<'_>, word: Reg| code.zext(word, Ty::I64);
    let (mantissa, high) = (wide(code, mantissa), wide(code, window[0]));
    let (middle, low) = (wide(code, window[1]), wide(code, window[2]));
    let amount = code.int(Ty::I64, 32);
    let lowest = code.mul(mantissa, low);
    let carry = code.lshr(lowest, amount);
    let second = code.mul(mantissa, middle);
    let sum = code.add(second, carry);
    let highest = code.mul(mantissa, high);
    let highest = code.shl(highest, amount);
    let turns = code.add(sum, highest);

    let quadrant = nearest_quarter(code, turns);
    let amount = code.int(Ty::I64, 2);
    let fraction = code.shl(turns, amount);
    let fraction = code.si_to_fp(fraction, Ty::F64);
    // The fraction counts 2^-64 of a quarter.
    let rest = scale(code, fraction, FRAC_PI_2 / 18_446_744_073_709_551_616.0);
    let rest = code.fptrunc(rest, Ty::F32);
    with_sign_of(code, word, rest, quadrant)
}

/// Reduces an f64 of at least 2: the rest in [-π/4, π/4], and the multiple of π/2.
pub(super) fn reduce_double(code: &mut Code<'_>, angle: Reg) -> Pair {
    let word = bits(code, angle);
    let long = |code: &Code<'_>, value: i64| code.int(Ty::I64, value);
    let (eleven, top) = (long(code, 11), long(code, i64::MIN));
    let mantissa = code.shl(word, eleven);
    let mantissa = code.or(mantissa, top);
    let high_word = code.unpack(word, Ty::I32)[1];
    let (amount, field, bias) = (code.i32(20), code.i32(2047), code.i32(-1024));
    let exponent = code.lshr(high_word, amount);
    let exponent = code.and(exponent, field);
    let start = code.add(exponent, bias);
    let digits = std::iter::once(0).chain(TWO_OVER_PI).map(|word| long(code, word as i64)).collect::<Vec<_>>();
    let window = window(code, &digits, start);

    let carry = high_product(code, mantissa, window[2]);
    let (middle_low, middle_high) = (code.mul(mantissa, window[1]), high_product(code, mantissa, window[1]));
    let low = code.add(middle_low, carry);
    let overflow = code.icmp(IntTest::Ult, low, carry);
    let overflow = code.zext(overflow, Ty::I64);
    let highest = code.mul(mantissa, window[0]);
    let high = code.add(highest, middle_high);
    let high = code.add(high, overflow);

    let quadrant = nearest_quarter(code, high);
    let two = long(code, 2);
    let fraction_high = code.overloaded("llvm.fshl", Ty::I64, &[high, low, two]);
    let fraction_low = code.shl(low, two);
    let rest = quarters_to_angle(code, fraction_high, fraction_low);
    with_sign_of(code, high_word, rest, quadrant)
}

/// The angle of a signed fraction of a quarter turn, whose 128 bits are `high` and `low`. No f64 comes so close to a multiple of π/2
/// that `high` is all zeros or ones.
fn quarters_to_angle(code: &mut Code<'_>, high: Reg, low: Reg) -> Reg {
    let amount = code.int(Ty::I64, 63);
    let sign = code.ashr(high, amount);
    // The complement is the negative less one unit, which is far below the last digit.
    let (high, low) = (code.xor(high, sign), code.xor(low, sign));
    let undefined_at_zero = code.bool(true);
    let zeros = code.overloaded("llvm.ctlz", Ty::I64, &[high, undefined_at_zero]);
    let digits = code.overloaded("llvm.fshl", Ty::I64, &[high, low, zeros]);
    let digits = code.ui_to_fp(digits, Ty::F64);
    let (bias, shift) = (code.int(Ty::I64, 1023 - 64), code.int(Ty::I64, 52));
    let exponent = code.sub(bias, zeros);
    let unit = code.shl(exponent, shift);
    let sign_bit = code.int(Ty::I64, i64::MIN);
    let sign = code.and(sign, sign_bit);
    let unit = code.or(unit, sign);
    let unit = code.bitcast(unit, Ty::F64);
    let quarters = mul(code, digits, unit);
    let low = scale(code, quarters, HALF_PI_LOW);
    fma_scaled(code, quarters, FRAC_PI_2, low)
}

/// Three words of the digits, from bit `start` on.
fn window(code: &mut Code<'_>, digits: &[Reg], start: Reg) -> [Reg; 3] {
    let ty = digits[0].ty();
    let (width, zero) = (ty.bits(), code.i32(0));
    let amount = code.i32(width.trailing_zeros().into());
    let index = code.lshr(start, amount);
    let mut rows: Vec<Vec<Reg>> = (0..4).map(|word| digits[word..digits.len() - 3 + word].to_vec()).collect();
    let mut bit = 1;
    while rows[0].len() > 1 {
        let mask = code.i32(bit);
        let set = code.and(index, mask);
        let set = code.icmp(IntTest::Ne, set, zero);
        for row in &mut rows {
            *row = row.chunks(2).map(|pair| code.select(set, pair[pair.len() - 1], pair[0])).collect();
        }
        bit *= 2;
    }
    let within = code.i32(i64::from(width) - 1);
    let within = code.and(start, within);
    let within = code.zext(within, ty);
    [0, 1, 2].map(|word| code.overloaded("llvm.fshl", ty, &[rows[word][0], rows[word + 1][0], within]))
}

/// The nearest integer to a fixed-point number with two bits before the point.
fn nearest_quarter(code: &mut Code<'_>, turns: Reg) -> Reg {
    let (half, amount) = (code.int(Ty::I64, 1 << 61), code.int(Ty::I64, 62));
    let rounded = code.add(turns, half);
    let quarters = code.lshr(rounded, amount);
    code.trunc(quarters, Ty::I32)
}

/// The upper half of an unsigned product.
fn high_product(code: &mut Code<'_>, a: Reg, b: Reg) -> Reg {
    code.pure_asm("mul.hi.u64 $0, $1, $2;", Ty::I64, &[a, b])
}

/// Both negated if `word` is negative.
fn with_sign_of(code: &mut Code<'_>, word: Reg, rest: Reg, quadrant: Reg) -> Pair {
    let zero = code.i32(0);
    let negative = code.icmp(IntTest::Slt, word, zero);
    let (opposite, backward) = (code.fneg(rest), code.sub(zero, quadrant));
    [code.select(negative, opposite, rest), code.select(negative, backward, quadrant)]
}
