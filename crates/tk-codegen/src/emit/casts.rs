//! Conversions between element types.

use super::Emitter;
use super::family::Cast;
use super::fp8::{Rounding, emit_float_cast};
use crate::code::{Code, FloatTest, Reg, Ty};
use std::cmp::Ordering;
use tk_diag::Result;
use tk_ir::ops::{FpToFpOp, RoundingMode};
use tk_ir::{Op, Type};
use tk_types::ScalarType;

/// Any conversion.
pub(super) fn emit_cast<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Cast) -> Result<()> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let ty = emitter.element_ty(to)?;
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
