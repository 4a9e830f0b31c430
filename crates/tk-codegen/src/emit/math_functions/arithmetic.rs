//! Arithmetic that stays as it is written: LLVM may fuse the kernel's own multiplications and additions, but error terms and exact
//! products here must not be.

use crate::code::{Code, FloatTest, Reg, Ty};

/// `a * b`, rounded.
pub(super) fn mul(code: &mut Code<'_>, a: Reg, b: Reg) -> Reg {
    let name = if a.ty() == Ty::F64 { "llvm.nvvm.mul.rn.d" } else { "llvm.nvvm.mul.rn.f" };
    code.intrinsic(name, a.ty(), &[a, b])
}

/// `a + b`, rounded.
pub(super) fn add(code: &mut Code<'_>, a: Reg, b: Reg) -> Reg {
    let name = if a.ty() == Ty::F64 { "llvm.nvvm.add.rn.d" } else { "llvm.nvvm.add.rn.f" };
    code.intrinsic(name, a.ty(), &[a, b])
}

/// `a - b`, rounded.
pub(super) fn sub(code: &mut Code<'_>, a: Reg, b: Reg) -> Reg {
    let b = code.fneg(b);
    add(code, a, b)
}

/// `a * factor`, rounded.
pub(super) fn scale(code: &mut Code<'_>, a: Reg, factor: f64) -> Reg {
    let factor = code.float(a.ty(), factor);
    mul(code, a, factor)
}

/// `a + term`, rounded.
pub(super) fn plus(code: &mut Code<'_>, a: Reg, term: f64) -> Reg {
    let term = code.float(a.ty(), term);
    add(code, a, term)
}

/// `a * b + term`, rounded once.
pub(super) fn fma_plus(code: &mut Code<'_>, a: Reg, b: Reg, term: f64) -> Reg {
    let term = code.float(a.ty(), term);
    code.fma(a, b, term)
}

/// `a * factor + c`, rounded once.
pub(super) fn fma_scaled(code: &mut Code<'_>, a: Reg, factor: f64, c: Reg) -> Reg {
    let factor = code.float(a.ty(), factor);
    code.fma(a, factor, c)
}

/// The polynomial in `x` with these coefficients, that of the constant term first.
pub(super) fn polynomial(code: &mut Code<'_>, x: Reg, coefficients: &[f64]) -> Reg {
    let mut terms = coefficients.iter().rev();
    let highest = code.float(x.ty(), terms.next().copied().unwrap_or(0.0));
    terms.fold(highest, |sum, coefficient| fma_plus(code, sum, x, *coefficient))
}

/// The same by pairs of terms, then pairs of these (Estrin): the chain of operations that wait for each other has as many as the number of terms has
/// bits, for some more products, the powers of `x`.
pub(super) fn polynomial_by_pairs(code: &mut Code<'_>, x: Reg, coefficients: &[f64]) -> Reg {
    let mut terms: Vec<Reg> = coefficients.iter().map(|coefficient| code.float(x.ty(), *coefficient)).collect();
    let mut power = x;
    while terms.len() > 1 {
        terms = terms.chunks(2).map(|pair| sum_of_pair(code, pair, power)).collect();
        power = mul(code, power, power);
    }
    terms.first().copied().unwrap_or_else(|| code.float(x.ty(), 0.0))
}

/// Two neighbouring terms of a polynomial in `power`; the last one may be alone.
fn sum_of_pair(code: &mut Code<'_>, pair: &[Reg], power: Reg) -> Reg {
    let [low, high] = pair else { return pair[0] };
    code.fma(*high, power, *low)
}

/// `|x|`.
pub(super) fn magnitude(code: &mut Code<'_>, x: Reg) -> Reg {
    code.overloaded("llvm.fabs", x.ty(), &[x])
}

/// `|a|` with the sign of `b`.
pub(super) fn with_sign(code: &mut Code<'_>, a: Reg, b: Reg) -> Reg {
    code.overloaded("llvm.copysign", a.ty(), &[a, b])
}

/// An odd function of `x`: `near` where `|x|` is below `limit`, else `far` with the sign of `x`. Zero keeps
/// its sign, which the sum of a polynomial loses.
pub(super) fn odd(code: &mut Code<'_>, x: Reg, [near, far]: [Reg; 2], limit: f64) -> Reg {
    let positive = magnitude(code, x);
    let far = with_sign(code, far, x);
    let is_near = test(code, FloatTest::Olt, positive, limit);
    let result = code.select(is_near, near, far);
    let is_zero = test(code, FloatTest::Oeq, x, 0.0);
    code.select(is_zero, x, result)
}

/// The error function by two polynomials: `erf(x)/x - 1` in `x²` for `|x| < 1`, and the logarithm of `1 - erf(x)` up to `one_from`,
/// where `power` undoes the logarithm. Beyond it is 1.
pub(super) fn erf(
    code: &mut Code<'_>,
    x: Reg,
    [near, log_rest]: [&[f64]; 2],
    one_from: f64,
    power: fn(&mut Code<'_>, Reg) -> Reg,
) -> Reg {
    let square = mul(code, x, x);
    let series = polynomial(code, square, near);
    let near = code.fma(series, x, x);
    let positive = magnitude(code, x);
    let last = code.float(x.ty(), one_from);
    let beyond = code.fcmp(FloatTest::Ogt, positive, last);
    let clamped = code.select(beyond, last, positive);
    let exponent = polynomial(code, clamped, log_rest);
    let rest = power(code, exponent);
    let one = code.float(x.ty(), 1.0);
    let far = sub(code, one, rest);
    odd(code, x, [near, far], 1.0)
}

/// A comparison with a constant.
pub(super) fn test(code: &mut Code<'_>, test: FloatTest, a: Reg, limit: f64) -> Reg {
    let limit = code.float(a.ty(), limit);
    code.fcmp(test, a, limit)
}

/// `condition ? value : otherwise`.
pub(super) fn constant_if(code: &mut Code<'_>, condition: Reg, value: f64, otherwise: Reg) -> Reg {
    let value = code.float(otherwise.ty(), value);
    code.select(condition, value, otherwise)
}

/// The bits as an integer of the same width.
pub(super) fn bits(code: &mut Code<'_>, x: Reg) -> Reg {
    code.bitcast(x, Ty::Int(x.ty().bits()))
}
