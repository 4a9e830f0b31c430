//! Float-to-float conversions, with the 8-bit formats.
//!
//! `cvt` converts pairs to and from e4m3 and e5m2 on sm_89 and later. Older GPUs have none, so there (and for the formats without
//! an instruction) the bits are computed: an 8-bit float widens exactly to half precision by moving its fields.

use super::{Emitter, casts::float_of};
use crate::code::{Asm, Code, IntTest, Reg, Ty};
use crate::emit::Registers;
use tk_diag::Result;
use tk_ir::Op;
use tk_types::ScalarType;

/// `arith.extf`, `arith.truncf`, `tt.fp_to_fp`.
pub(super) fn emit_float_cast<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, toward_zero: bool) -> Result<()> {
    let types = (float_of(op.operand(0).ty()), float_of(op.result(0).ty()));
    let (Some(from), Some(to)) = types else { return Err(emitter.bug(op, "an operand is no float")) };
    if !from.is_fp8() && !to.is_fp8() {
        let ty = emitter.element_ty(op.result(0).ty())?;
        return emitter.map(op, |code, x| convert(code, x[0], ty, toward_zero));
    }
    let source = emitter.registers(op.operand(0))?;
    let native = emitter.settings.target.has_fp8_conversions();
    let registers = match &source {
        Registers::Splat(reg) => Registers::Splat(convert_run(&mut emitter.code, &[*reg], from, to, native)?[0]),
        Registers::Each(regs) => {
            let mut converted = Vec::with_capacity(regs.len());
            for pair in regs.chunks(2) {
                converted.extend(convert_run(&mut emitter.code, pair, from, to, native)?);
            }
            converted.into()
        }
    };
    emitter.define(op.result(0), registers);
    Ok(())
}

/// Between the formats that LLVM knows.
fn convert(code: &mut Code<'_>, a: Reg, ty: Ty, toward_zero: bool) -> Reg {
    if a.ty() == ty {
        return a;
    }
    if a.ty().bits() < ty.bits() {
        return code.fpext(a, ty);
    }
    if a.ty().bits() == ty.bits() {
        let wide = code.fpext(a, Ty::F32);
        return convert(code, wide, ty, toward_zero);
    }
    match (toward_zero, a.ty(), ty) {
        (true, Ty::F32, Ty::F16) => code.pure_asm("cvt.rz.f16.f32 $0, $1;", ty, &[a]),
        (true, Ty::F32, Ty::BF16) => code.pure_asm("cvt.rz.bf16.f32 $0, $1;", ty, &[a]),
        (true, Ty::F64, Ty::F32) => code.pure_asm("cvt.rz.f32.f64 $0, $1;", ty, &[a]),
        (true, Ty::F64, Ty::F16) => code.pure_asm("cvt.rz.f16.f64 $0, $1;", ty, &[a]),
        _ => code.fptrunc(a, ty),
    }
}

/// One or two elements from or to an 8-bit format.
fn convert_run(code: &mut Code<'_>, x: &[Reg], from: ScalarType, to: ScalarType, native: bool) -> Result<Vec<Reg>> {
    if from == to {
        return Ok(x.to_vec());
    }
    if from.is_fp8() {
        let halves = widen(code, x, from, native)?;
        return match to {
            ScalarType::F16 => Ok(halves),
            ScalarType::F64 => Ok(halves.into_iter().map(|half| code.fpext(half, Ty::F64)).collect()),
            to => {
                let singles: Vec<Reg> = halves.into_iter().map(|half| code.fpext(half, Ty::F32)).collect();
                match to {
                    ScalarType::F32 => Ok(singles),
                    ScalarType::BF16 => Ok(singles.into_iter().map(|single| code.fptrunc(single, Ty::BF16)).collect()),
                    to => narrow(code, &singles, to, native),
                }
            }
        };
    }
    let singles: Vec<Reg> = x.iter().map(|x| convert(code, *x, Ty::F32, false)).collect();
    narrow(code, &singles, to, native)
}

/// How `cvt` names pairs of a format that it knows.
pub(super) fn suffix(ty: ScalarType) -> Option<&'static str> {
    match ty {
        ScalarType::F8E4M3 => Some("e4m3x2"),
        ScalarType::F8E5M2 => Some("e5m2x2"),
        _ => None,
    }
}

/// Exactly to half precision.
pub(super) fn widen(code: &mut Code<'_>, x: &[Reg], from: ScalarType, native: bool) -> Result<Vec<Reg>> {
    if let (true, Some(name)) = (native && from != ScalarType::F8E5M2, suffix(from)) {
        return Ok(widen_pair(code, x, name));
    }
    Ok(x.iter().map(|x| widen_by_fields(code, *x, from)).collect())
}

/// One or two elements by `cvt`. The pair gets there in a register of 32 bits: ptxas (12.8 to 13.0) takes a number that nobody wrote for the upper half of a
/// word that it knows to be zero, as it does where a mask is false, and where that number is a NaN no product with zero takes it away.
pub(super) fn widen_pair(code: &mut Code<'_>, x: &[Reg], name: &str) -> Vec<Reg> {
    let second = x.get(1).copied().unwrap_or(x[0]);
    let pair = code.pack(&[x[0], second], Ty::Int(16));
    let word = code.zext(pair, Ty::I32);
    let text = format!("{{\n\t.reg .b16 pair;\n\tcvt.u16.u32 pair, $1;\n\tcvt.rn.f16x2.{name} $0, pair;\n\t}}");
    let wide = code.pure_asm(&text, Ty::I32, &[word]);
    code.unpack(wide, Ty::F16)[..x.len()].to_vec()
}

/// e5m2 is the upper half of a half. The others are moved to half's fields, where the exponent is off by the difference of the
/// biases: a product with a power of two puts it right, subnormal numbers included.
fn widen_by_fields(code: &mut Code<'_>, x: Reg, from: ScalarType) -> Reg {
    let ty = Ty::Int(16);
    let wide = code.zext(x, ty);
    let eight = code.int(ty, 8);
    if from == ScalarType::F8E5M2 {
        let bits = code.shl(wide, eight);
        return code.bitcast(bits, Ty::F16);
    }
    let (mantissa, scale) = match from {
        ScalarType::F8E4M3 => (3, 0x5c00),   // 2^(15-7)
        ScalarType::F8E4M3B8 => (3, 0x5800), // 2^(15-8)
        _ => (2, 0x3800),                    // 2^(15-16)
    };
    let (low, amount) = (code.int(ty, 0x7f), code.int(ty, 10 - mantissa));
    let magnitude = code.and(wide, low);
    let moved = code.shl(magnitude, amount);
    let unscaled = code.bitcast(moved, Ty::F16);
    let scale = code.float_bits(Ty::F16, scale);
    let scaled = code.fmul(unscaled, scale);
    let bits = code.bitcast(scaled, ty);
    let sign_bit = code.int(ty, 0x80);
    let sign = code.and(wide, sign_bit);
    let sign = code.shl(sign, eight);
    let signed = code.or(bits, sign);
    let nan_pattern = code.int(ty, if from == ScalarType::F8E4M3 { 0x7f } else { 0x80 });
    let tested = if from == ScalarType::F8E4M3 { magnitude } else { wide };
    let is_nan = code.icmp(IntTest::Eq, tested, nan_pattern);
    // The pattern that `cvt` gives, its sign aside.
    let nan = code.int(ty, 0x7fff);
    let result = code.select(is_nan, nan, signed);
    code.bitcast(result, Ty::F16)
}

/// Rounded to nearest even; what is too large becomes the largest finite value, as `cvt.satfinite` does.
fn narrow(code: &mut Code<'_>, x: &[Reg], to: ScalarType, native: bool) -> Result<Vec<Reg>> {
    if let (true, Some(name)) = (native, suffix(to)) {
        let second = x.get(1).copied().unwrap_or(x[0]);
        let text = format!("cvt.rn.satfinite.{name}.f32 $0, $2, $1;");
        let pair = code.asm(Asm::new(text).output(Ty::Int(16)).input(x[0]).input(second).without_effects())?;
        return Ok(code.unpack(pair[0], Ty::Int(8))[..x.len()].to_vec());
    }
    Ok(x.iter().map(|x| narrow_by_fields(code, *x, to)).collect())
}

fn narrow_by_fields(code: &mut Code<'_>, x: Reg, to: ScalarType) -> Reg {
    let (mantissa, bias, largest, nan) = match to {
        ScalarType::F8E4M3 => (3i64, 7i64, 0x7ei64, 0x7fi64),
        ScalarType::F8E5M2 => (2, 15, 0x7b, 0x7f),
        ScalarType::F8E4M3B8 => (3, 8, 0x7f, 0x80),
        _ => (2, 16, 0x7f, 0x80),
    };
    let ty = Ty::I32;
    let bits = code.bitcast(x, ty);
    let magnitude_mask = code.int(ty, 0x7fff_ffff);
    let magnitude = code.and(bits, magnitude_mask);
    // Normal results: round the mantissa to nearest even and rebase the exponent.
    let drop = 23 - mantissa;
    let (amount, one) = (code.int(ty, drop), code.int(ty, 1));
    let odd = code.lshr(magnitude, amount);
    let odd = code.and(odd, one);
    let half = code.int(ty, (1 << (drop - 1)) - 1);
    let rounded = code.add(magnitude, odd);
    let rounded = code.add(rounded, half);
    let rebased = code.lshr(rounded, amount);
    let rebase = code.int(ty, (127 - bias) << mantissa);
    let normal = code.sub(rebased, rebase);
    // Subnormal results: adding a power of two lets the hardware round at the right bit.
    let step = code.int(ty, (127 + 23 - (bias - 1) - mantissa) << 23);
    let (unsigned, step_float) = (code.bitcast(magnitude, Ty::F32), code.bitcast(step, Ty::F32));
    let sum = code.fadd(unsigned, step_float);
    let sum = code.bitcast(sum, ty);
    let subnormal = code.sub(sum, step);
    let smallest_normal = code.int(ty, (128 - bias) << 23);
    let is_small = code.icmp(IntTest::Ult, magnitude, smallest_normal);
    let value = code.select(is_small, subnormal, normal);
    let limit = code.int(ty, largest);
    let value = code.int_extreme(IntTest::Ult, value, limit);
    let (shift, sign_mask) = (code.int(ty, 24), code.int(ty, 0x80));
    let sign = code.lshr(bits, shift);
    let sign = code.and(sign, sign_mask);
    let mut signed = code.or(value, sign);
    if nan == 0x80 {
        // These formats have no negative zero: its pattern is NaN.
        let zero = code.int(ty, 0);
        let is_zero = code.icmp(IntTest::Eq, value, zero);
        signed = code.select(is_zero, zero, signed);
    }
    let infinity = code.int(ty, 0x7f80_0000);
    let is_nan = code.icmp(IntTest::Ugt, magnitude, infinity);
    let nan = code.int(ty, nan);
    let result = code.select(is_nan, nan, signed);
    code.trunc(result, Ty::Int(8))
}
