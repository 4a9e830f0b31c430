//! Conversions between element types.

use super::Emitter;
use super::family::Cast;
use super::fp8::{Rounding, emit_float_cast};
use super::halves_of_bytes::{self, Integers};
use super::paired_casts::Narrow;
use crate::code::{Code, FloatTest, Reg, Ty};
use std::cmp::Ordering;
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::{FpToFpOp, RoundingMode};
use tk_ir::{Op, OpKind, Type, Value};
use tk_types::ScalarType;

/// Any conversion.
pub(super) fn emit_cast<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Cast) -> Result<()> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let ty = emitter.element_ty(to)?;
    if let Some(byte) = truth_byte(op, which, ty) {
        let bytes = emitter.registers(byte)?;
        let registers = bytes.try_map(|byte| Ok::<_, Box<Diagnostic>>(number_of_truth(&mut emitter.code, byte, ty)))?;
        emitter.define(op.result(0), registers);
        return Ok(());
    }
    match which {
        Cast::ArithExtF | Cast::ArithTruncF | Cast::TtFpToFp => {
            let rounding = match FpToFpOp::cast(op).and_then(FpToFpOp::rounding) {
                Some(RoundingMode::TowardZero) => Rounding::TowardZero,
                Some(RoundingMode::NearestEven) | None => Rounding::NearestEven,
            };
            emit_float_cast(emitter, op, rounding)
        }
        Cast::ArithExtSI => emitter.map(op, |code, x| code.sext(x[0], ty)),
        Cast::ArithExtUI => emitter.map(op, |code, x| code.zext(x[0], ty)),
        Cast::ArithTruncI => emitter.map(op, |code, x| code.trunc(x[0], ty)),
        Cast::ArithIndexCast => emitter.map(op, |code, x| resize(code, x[0], ty, Extension::Sign)),
        Cast::ArithIndexCastUI => emitter.map(op, |code, x| resize(code, x[0], ty, Extension::Zero)),
        Cast::ArithSIToFP if is_of_bytes(from, ty, Ty::F16) => {
            halves_of_bytes::emit(emitter, op, Integers::Signed, Narrow::Half)
        }
        Cast::ArithSIToFP if emitter.settings.target.has_bf16_pairs() && is_of_bytes(from, ty, Ty::BF16) => {
            halves_of_bytes::emit(emitter, op, Integers::Signed, Narrow::Brain)
        }
        Cast::ArithUIToFP if is_of_bytes(from, ty, Ty::F16) => {
            halves_of_bytes::emit(emitter, op, Integers::Unsigned, Narrow::Half)
        }
        Cast::ArithSIToFP => emitter.map(op, |code, x| code.si_to_fp(x[0], ty)),
        Cast::ArithUIToFP => emitter.map(op, |code, x| code.ui_to_fp(x[0], ty)),
        Cast::ArithFPToSI => emitter.map(op, |code, x| float_to_int(code, x[0], ty, true)),
        Cast::ArithFPToUI => emitter.map(op, |code, x| float_to_int(code, x[0], ty, false)),
        Cast::TtPtrToInt => emitter.map(op, |code, x| {
            let address = code.ptr_to_int(x[0]);
            resize(code, address, ty, Extension::Zero)
        }),
        Cast::TtIntToPtr => emitter.map(op, |code, x| {
            let address = resize(code, x[0], Ty::I64, Extension::Zero);
            code.int_to_ptr(address)
        }),
        Cast::ArithBitcast | Cast::TtBitcast if from.is_ptr_like() && to.is_ptr_like() => emitter.map(op, |_, x| x[0]),
        Cast::ArithBitcast | Cast::TtBitcast => emitter.map(op, |code, x| code.bitcast(x[0], ty)),
    }
}

/// The cast makes numbers of type `asked` of a block of bytes.
fn is_of_bytes(from: Type<'_>, to: Ty, asked: Ty) -> bool {
    from.is_tensor() && from.element().int_bits() == Some(8) && to == asked
}

/// The byte of which the operation makes a number, where it converts `byte != 0` to an integer or to f32.
fn truth_byte<'c>(op: Op<'c>, which: Cast, ty: Ty) -> Option<Value<'c>> {
    const NOT_EQUAL: i64 = 1;
    let is_number = which == Cast::ArithExtUI || which == Cast::ArithUIToFP && ty == Ty::F32;
    let test = op.operand(0).defining_op().filter(|test| is_number && test.kind() == OpKind::ArithCmpI)?;
    let is_truth = test.int_attr("predicate") == Some(NOT_EQUAL) && test.operand(1).constant_int() == Some(0);
    Some(test.operand(0)).filter(|byte| is_truth && byte.ty().is_tensor() && byte.ty().element_bits() == 8)
}

/// 1 where a byte is not zero, else 0. Through a predicate it would be shorter, but ptxas does not keep many of these: it then loads a byte,
/// waits for it and packs its truth into a register before it loads the next one.
fn number_of_truth(code: &mut Code<'_>, byte: Reg, ty: Ty) -> Reg {
    let half = code.zext(byte, Ty::Int(16));
    let truth = code.pure_asm("min.u16 $0, $1, 1;", Ty::Int(16), &[half]);
    if ty != Ty::F32 {
        return resize(code, truth, ty, Extension::Zero);
    }
    // All bits of a one are taken or none.
    const ONE: i64 = 0x3f80_0000;
    let word = code.zext(truth, Ty::I32);
    let zero = code.int(Ty::I32, 0);
    let mask = code.sub(zero, word);
    let one = code.int(Ty::I32, ONE);
    let bits = code.and(mask, one);
    code.bitcast(bits, Ty::F32)
}

/// What fills the new bits of a wider integer.
enum Extension {
    Sign,
    Zero,
}

fn resize(code: &mut Code<'_>, a: Reg, ty: Ty, extension: Extension) -> Reg {
    match (a.ty().bits().cmp(&ty.bits()), extension) {
        (Ordering::Greater, _) => code.trunc(a, ty),
        (Ordering::Equal, _) => a,
        (Ordering::Less, Extension::Sign) => code.sext(a, ty),
        (Ordering::Less, Extension::Zero) => code.zext(a, ty),
    }
}

/// A float to an integer, rounded to zero. Truth values tell zero from the rest; 8-bit results go through 32 bits, as PTX has no
/// narrower conversion.
fn float_to_int(code: &mut Code<'_>, a: Reg, ty: Ty, signed: bool) -> Reg {
    if ty == Ty::BOOL {
        let zero = code.zero(a.ty());
        return code.fcmp(FloatTest::Une, a, zero);
    }
    let wide = if ty.bits() < 16 { Ty::I32 } else { ty };
    let value = if signed { code.fp_to_si(a, wide) } else { code.fp_to_ui(a, wide) };
    code.trunc(value, ty)
}

/// The float type of a type's elements; `None` for others.
pub(super) fn float_of(ty: Type<'_>) -> Option<ScalarType> {
    ty.element().float()
}
