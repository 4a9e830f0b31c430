//! What `mma.sync` multiplies: the operands in a type that it takes.

use crate::code::{Reg, Ty, bug};
use crate::emit::{Emitter, fp8};
use crate::float_format::Fp8;
use tk_diag::Result;
use tk_ir::Value;
use tk_types::ScalarType;

/// How the operands are given to the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As they are.
    Whole,
    /// 8-bit floats as halves.
    Half,
    /// f32, of which the multiplier reads the upper 19 bits: what it does with the words of `wgmma`, too, and what Triton has. Rounded to the nearest,
    /// an element would cost two instructions more, as many as a product of few columns has for everything else.
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
            widen(emitter, operand, values, scalar)
        }
        Form::Tf32 => Ok(values.iter().map(|value| code.bitcast(*value, Ty::I32)).collect()),
    }
}

/// 8-bit floats, the registers of `operand`, as halves of the same values.
pub(super) fn widen<'c>(
    emitter: &mut Emitter<'c, '_>,
    operand: Value<'c>,
    values: &[Reg],
    from: ScalarType,
) -> Result<Vec<Reg>> {
    let format = Fp8::of(from).ok_or_else(|| bug(format!("{from:?} is no 8-bit float of the IR")))?;
    let means = fp8::Means::of(emitter, operand);
    Ok(values.chunks(2).flat_map(|pair| fp8::widen(&mut emitter.code, pair, format, means)).collect())
}
