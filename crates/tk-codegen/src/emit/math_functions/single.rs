//! Functions of one f32.

use super::arithmetic::{
    self, add, bits, constant_if, fma_plus, fma_scaled, magnitude, mul, plus, polynomial, scale, test, with_sign,
};
use crate::code::{Code, FloatTest, IntTest, Reg, Ty};
use std::f64::consts::LN_2;

/// `2^x` by the hardware's approximation.
fn exp2(code: &mut Code<'_>, x: Reg) -> Reg {
    code.intrinsic("llvm.nvvm.ex2.approx.f32", Ty::F32, &[x])
}

/// `(log(1 + f) - f + f²/2) / f³` for `|f| <= 1/3`.
const LOG: [f64; 8] = [
    0.3333321213722229,
    -0.24999819695949554,
    0.20010575652122498,
    -0.16679546236991882,
    0.14003565907478333,
    -0.12196756899356842,
    0.13994267582893372,
    -0.12839174270629883,
];

/// `2^bias x = 2^e (1 + f)` with `1 + f` in [2/3, 4/3): the exponent `e` and `log(1 + f)`.
fn split_log(code: &mut Code<'_>, x: Reg, bias: Reg) -> (Reg, Reg) {
    let word = bits(code, x);
    let (two_thirds, exponent_bits) = (code.i32(0x3f2a_aaab), code.i32(-0x0080_0000));
    let above = code.sub(word, two_thirds);
    let shifted = code.and(above, exponent_bits);
    let mantissa = code.sub(word, shifted);
    let mantissa = code.bitcast(mantissa, Ty::F32);
    let exponent = code.si_to_fp(shifted, Ty::F32);
    let exponent = fma_scaled(code, exponent, 1.0 / 8_388_608.0, bias);
    let f = plus(code, mantissa, -1.0);
    let series = polynomial(code, f, &LOG);
    let series = fma_plus(code, series, f, -0.5);
    let square = mul(code, f, f);
    (exponent, code.fma(square, series, f))
}

/// The logarithm where there is one: -inf of 0, NaN of negative numbers, what it is given of inf and NaN.
fn defined_log(code: &mut Code<'_>, x: Reg, log: Reg) -> Reg {
    // As words without a sign, all of these but zero are above the largest finite number: few predicates are few that ptxas packs.
    let (word, largest) = (bits(code, x), code.i32(0x7f7f_ffff));
    let special = code.icmp(IntTest::Ugt, word, largest);
    let infinity = code.f32(f32::INFINITY);
    let value = code.fma(x, infinity, infinity);
    let log = code.select(special, value, log);
    let zero = test(code, FloatTest::Oeq, x, 0.0);
    constant_if(code, zero, f64::NEG_INFINITY, log)
}

/// The same with one predicate: as words less one, zeros and all of the others are above the largest finite number, and the hardware's logarithm,
/// which is slower than what it stands for, knows what they give.
fn defined_log_by_one_test(code: &mut Code<'_>, x: Reg, log: Reg) -> Reg {
    let (word, one, largest) = (bits(code, x), code.i32(1), code.i32(0x7f7f_fffe));
    let below = code.sub(word, one);
    let special = code.icmp(IntTest::Ugt, below, largest);
    let value = code.intrinsic("llvm.nvvm.lg2.approx.f", Ty::F32, &[x]);
    code.select(special, value, log)
}

/// The logarithm of a number that is not positive and denormal: `log`, which is that of normal ones, or what is no finite number, the same for all bases. The
/// hardware's takes denormal numbers for zeros: scaled, negative ones are normal, and zeros, infinities and NaN are what they were.
pub(super) fn finite_or_special(code: &mut Code<'_>, x: Reg, log: Reg) -> Reg {
    let (word, one, largest) = (bits(code, x), code.i32(1), code.i32(0x7f7f_fffe));
    let below = code.sub(word, one);
    let special = code.icmp(IntTest::Ugt, below, largest);
    let scaled = scale(code, x, 8_388_608.0);
    let value = code.intrinsic("llvm.nvvm.lg2.approx.ftz.f", Ty::F32, &[scaled]);
    code.select(special, value, log)
}

/// The logarithm of a number that is not denormal: `log`, which is that of normal positive ones, or what is no finite number, the same for all bases. The
/// hardware's logarithm of such a number is finite where there is one. A test of the number itself would share a difference with the test for the branch,
/// which LLVM would keep in a register of each number up to here.
pub(super) fn finite_or_special_of_not_denormal(code: &mut Code<'_>, x: Reg, log: Reg) -> Reg {
    let value = code.intrinsic("llvm.nvvm.lg2.approx.ftz.f", Ty::F32, &[x]);
    let size = magnitude(code, value);
    let finite = test(code, FloatTest::Olt, size, f64::INFINITY);
    code.select(finite, log, value)
}

/// Which logarithm.
#[derive(Clone, Copy)]
pub(super) enum Base {
    E,
    Two,
}

/// The logarithm of any number.
pub(super) fn logarithm(code: &mut Code<'_>, x: Reg, base: Base) -> Reg {
    let log = logarithm_of_positive(code, x, base);
    defined_log(code, x, log)
}

/// The logarithm of any number, one of many of a thread that has other predicates, too.
pub(super) fn logarithm_of_many(code: &mut Code<'_>, x: Reg, base: Base) -> Reg {
    let log = logarithm_of_positive(code, x, base);
    defined_log_by_one_test(code, x, log)
}

/// The logarithm of a positive number, which may be denormal.
fn logarithm_of_positive(code: &mut Code<'_>, x: Reg, base: Base) -> Reg {
    let denormal = test(code, FloatTest::Olt, x, f64::from(f32::MIN_POSITIVE));
    let scaled = scale(code, x, 8_388_608.0);
    let normal = code.select(denormal, scaled, x);
    let bias = code.f32(0.0);
    let bias = constant_if(code, denormal, -23.0, bias);
    logarithm_with_exponent(code, normal, bias, base)
}

/// The logarithm of a normal positive number.
pub(super) fn logarithm_of_normal(code: &mut Code<'_>, x: Reg, base: Base) -> Reg {
    let none = code.f32(0.0);
    logarithm_with_exponent(code, x, none, base)
}

/// The logarithm of a positive number that is not denormal, or of NaN. What stands beside the exponent vanishes beside any but zero, where the last sum
/// takes it for zero, and is infinite or NaN where `x` is.
pub(super) fn logarithm_of_not_small(code: &mut Code<'_>, x: Reg, base: Base) -> Reg {
    let beside = scale(code, x, f64::from(f32::from_bits(1)));
    let (exponent, mantissa) = split_log(code, x, beside);
    match base {
        Base::E => {
            let log_of_two = code.f32(LN_2 as f32);
            code.intrinsic("llvm.nvvm.fma.rn.ftz.f", Ty::F32, &[exponent, log_of_two, mantissa])
        }
        Base::Two => with_exponent_of_two(code, exponent, mantissa, |code, exponent, product| {
            code.intrinsic("llvm.nvvm.add.rn.ftz.f", Ty::F32, &[exponent, product])
        }),
    }
}

/// The logarithm of `2^bias x`.
fn logarithm_with_exponent(code: &mut Code<'_>, x: Reg, bias: Reg, base: Base) -> Reg {
    let (exponent, mantissa) = split_log(code, x, bias);
    match base {
        Base::E => fma_scaled(code, exponent, LN_2, mantissa),
        Base::Two => with_exponent_of_two(code, exponent, mantissa, add),
    }
}

/// The logarithm of base two, from the exponent and the natural logarithm of the mantissa.
fn with_exponent_of_two<'l>(
    code: &mut Code<'l>,
    exponent: Reg,
    mantissa: Reg,
    add_exponent: impl FnOnce(&mut Code<'l>, Reg, Reg) -> Reg,
) -> Reg {
    let high = f64::from(std::f32::consts::LOG2_E);
    let product = scale(code, mantissa, high);
    let negated = code.fneg(product);
    let error = fma_scaled(code, mantissa, high, negated);
    let error = fma_scaled(code, mantissa, std::f64::consts::LOG2_E - high, error);
    let log = add_exponent(code, exponent, product);
    add(code, log, error)
}

/// `(tanh(x)/x - 1) / x²` in `x²`, for `|x| < 3/4`.
const TANH: [f64; 6] = [
    -0.3333333213635708,
    0.13333179635256898,
    -0.05393585355057515,
    0.021615318898064825,
    -0.007933807623095337,
    0.0019095024519544168,
];

/// The hyperbolic tangent: a polynomial near 0, `1 - 2 / (e^2x + 1)` elsewhere, which is 1 when the power is infinite.
pub(super) fn tanh(code: &mut Code<'_>, x: Reg) -> Reg {
    let square = mul(code, x, x);
    let series = polynomial(code, square, &TANH);
    // A sum with zero, which is positive where `x` is a zero of either sign: the last sum then keeps that sign.
    let ratio = fma_plus(code, series, square, 0.0);
    let near = code.fma(ratio, x, x);
    let positive = magnitude(code, x);
    let exponent = scale(code, positive, 2.0 * std::f64::consts::LOG2_E);
    let power = code.intrinsic("llvm.nvvm.ex2.approx.ftz.f32", Ty::F32, &[exponent]);
    let denominator = plus(code, power, 1.0);
    let quotient = code.pure_asm("rcp.approx.ftz.f32 $0, $1;", Ty::F32, &[denominator]);
    let one = code.f32(1.0);
    let far = fma_scaled(code, quotient, -2.0, one);
    let far = with_sign(code, far, x);
    let is_near = test(code, FloatTest::Olt, positive, 0.75);
    code.select(is_near, near, far)
}

/// `erf(x)/x - 1` in `x²`, for `|x| < 1`.
const ERF: [f64; 7] = [
    0.12837916612625122,
    -0.3761262595653534,
    0.11283580213785172,
    -0.026853470131754875,
    0.005187502130866051,
    -0.0008001705864444375,
    7.822300540283322e-05,
];

/// `log2(1 - erf(x))` for x in [1, 4].
const LOG2_ERFC: [f64; 8] = [
    0.00027330481680110097,
    -1.6296460628509521,
    -0.9135268330574036,
    -0.1564313769340515,
    0.036377523094415665,
    -0.00606926204636693,
    0.0006373478681780398,
    -3.133773134322837e-05,
];

/// The error function: a polynomial near 0, `1 - 2^polynomial` elsewhere; beyond 4 it is 1.
pub(super) fn erf(code: &mut Code<'_>, x: Reg) -> Reg {
    arithmetic::erf(code, x, [&ERF, &LOG2_ERFC], 4.0, exp2)
}
