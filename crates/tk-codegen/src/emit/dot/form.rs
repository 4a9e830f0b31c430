//! What `mma.sync` multiplies: the operands in a type that it takes.

use crate::code::{Reg, Ty, bug};
use crate::emit::{Emitter, fp8};
use crate::float_format::Fp8;
use tk_diag::Result;
use tk_ir::ops::ElementwiseInlineAsmOp;
use tk_ir::{OpKind, Value};
use tk_types::ScalarType;

/// To the nearest tf32 number, ties away from zero.
const ROUND_TO_TF32: &str = "cvt.rna.tf32.f32 $0, $1;";

/// How the operands are given to the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As they are.
    Whole,
    /// 8-bit floats as halves.
    Half,
    /// f32 rounded to tf32.
    Tf32,
}

/// An operand's registers in the type that packs into words.
pub(super) fn in_form<'c>(
    emitter: &mut Emitter<'c, '_>,
    operand: Value<'c>,
    values: &[Reg],
    form: Form,
) -> Result<Vec<Reg>> {
    let code = &mut emitter.code;
    match form {
        Form::Whole => Ok(values.to_vec()),
        Form::Half => {
            let scalar = operand.ty().element().float().unwrap_or(ScalarType::F8E5M2);
            widen(emitter, values, scalar)
        }
        Form::Tf32 if is_tf32(operand) => Ok(values.iter().map(|value| code.bitcast(*value, Ty::I32)).collect()),
        Form::Tf32 => Ok(values.iter().map(|value| code.pure_asm(ROUND_TO_TF32, Ty::I32, &[*value])).collect()),
    }
}

/// Whether f32 values are tf32 values already: widened from 16 bits or less, or rounded by the kernel or `f32-dot-tc`.
fn is_tf32(value: Value<'_>) -> bool {
    /// Only conversions between layouts are expected in between.
    const STEPS: usize = 8;
    let mut value = value;
    for _ in 0..STEPS {
        let Some(op) = value.defining_op() else { return false };
        if !moves_elements(op.kind()) {
            let is_widened = matches!(op.kind(), OpKind::ArithExtF | OpKind::TtFpToFp);
            let is_rounded =
                ElementwiseInlineAsmOp::cast(op).is_some_and(|assembly| assembly.asm_string() == ROUND_TO_TF32);
            return is_rounded || is_widened && op.operand(0).ty().element_bits() <= 16;
        }
        value = op.operand(0);
    }
    false
}

/// Operations that leave elements as they are.
fn moves_elements(kind: OpKind) -> bool {
    matches!(kind, OpKind::TtgConvertLayout | OpKind::TtTrans | OpKind::TtReshape | OpKind::TtBroadcast)
}

/// 8-bit floats as halves of the same values.
pub(super) fn widen(emitter: &mut Emitter<'_, '_>, values: &[Reg], from: ScalarType) -> Result<Vec<Reg>> {
    let format = Fp8::of(from).ok_or_else(|| bug(format!("{from:?} is no 8-bit float of the IR")))?;
    let native = emitter.settings.target.has_fp8_conversions();
    Ok(values.chunks(2).flat_map(|pair| fp8::widen(&mut emitter.code, pair, format, native)).collect())
}
