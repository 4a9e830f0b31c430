//! Conversions between element types.

use super::Emitter;
use crate::code::{Code, FloatTest, IntTest, Reg, Ty};
use tk_diag::Result;
use tk_ir::ops::{FpToFpOp, RoundingMode};
use tk_ir::{Op, OpKind, Type};
use tk_types::ScalarType;

/// Whether the operation changes the element type and nothing else.
pub(super) fn is_cast(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::ArithExtF
            | OpKind::ArithTruncF
            | OpKind::TtFpToFp
            | OpKind::ArithExtSI
            | OpKind::ArithExtUI
            | OpKind::ArithTruncI
            | OpKind::ArithIndexCast
            | OpKind::ArithIndexCastUI
            | OpKind::ArithSIToFP
            | OpKind::ArithUIToFP
            | OpKind::ArithFPToSI
            | OpKind::ArithFPToUI
            | OpKind::ArithBitcast
            | OpKind::TtBitcast
            | OpKind::TtPtrToInt
            | OpKind::TtIntToPtr
    )
}

/// Any conversion.
pub(super) fn emit_cast<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let (from, to) = (op.operand(0).ty(), op.result(0).ty());
    let ty = emitter.element_ty(to)?;
    match op.kind() {
        OpKind::ArithExtF | OpKind::ArithTruncF | OpKind::TtFpToFp => {
            let toward_zero = FpToFpOp::cast(op).and_then(FpToFpOp::rounding) == Some(RoundingMode::TowardZero);
            super::fp8::emit_float_cast(emitter, op, toward_zero)
        }
        OpKind::ArithExtSI => emitter.map(op, |code, x| code.sext(x[0], ty)),
        OpKind::ArithExtUI => emitter.map(op, |code, x| code.zext(x[0], ty)),
        OpKind::ArithTruncI => emitter.map(op, |code, x| code.trunc(x[0], ty)),
        OpKind::ArithIndexCast => emitter.map(op, |code, x| resize(code, x[0], ty, true)),
        OpKind::ArithIndexCastUI => emitter.map(op, |code, x| resize(code, x[0], ty, false)),
        OpKind::ArithSIToFP => emitter.map(op, |code, x| code.si_to_fp(x[0], ty)),
        OpKind::ArithUIToFP => emitter.map(op, |code, x| code.ui_to_fp(x[0], ty)),
        OpKind::ArithFPToSI => emitter.map(op, |code, x| float_to_int(code, x[0], ty, true)),
        OpKind::ArithFPToUI => emitter.map(op, |code, x| float_to_int(code, x[0], ty, false)),
        OpKind::TtPtrToInt => emitter.map(op, |code, x| {
            let address = code.ptr_to_int(x[0]);
            resize(code, address, ty, false)
        }),
        OpKind::TtIntToPtr => emitter.map(op, |code, x| {
            let address = resize(code, x[0], Ty::I64, false);
            code.int_to_ptr(address)
        }),
        _ if is_ptr(from) && is_ptr(to) => emitter.map(op, |_, x| x[0]),
        _ => emitter.map(op, |code, x| code.bitcast(x[0], ty)),
    }
}

fn is_ptr(ty: Type<'_>) -> bool {
    ty.is_ptr_like()
}

fn resize(code: &mut Code<'_>, a: Reg, ty: Ty, signed: bool) -> Reg {
    match a.ty().bits().cmp(&ty.bits()) {
        std::cmp::Ordering::Greater => code.trunc(a, ty),
        std::cmp::Ordering::Equal => a,
        std::cmp::Ordering::Less if signed => code.sext(a, ty),
        std::cmp::Ordering::Less => code.zext(a, ty),
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

/// `value != 0` for integers; kept beside the other conversions because `to(int1)` means it.
#[allow(dead_code, reason = "used by operations that read truth values from memory")]
pub(super) fn to_bool(code: &mut Code<'_>, value: Reg) -> Reg {
    let zero = code.int(value.ty(), 0);
    code.icmp(IntTest::Ne, value, zero)
}

/// The float type of a type's elements; `None` for others.
pub(super) fn float_of(ty: Type<'_>) -> Option<ScalarType> {
    ty.element().float()
}
