//! Functions that the GPU has an instruction for in single precision: `exp`, `exp2`, `rsqrt`.
//!
//! They are approximations (2 units in the last place and flushed subnormal numbers, by the PTX manual) as everywhere in this language;
//! the other functions and double precision are computed by `math_functions`.

use crate::code::{Code, Reg, Ty};
use tk_ir::OpKind;

/// The instruction for a function of operands of type `ty`, if there is one. 16-bit floats are computed in single precision.
pub(super) fn function<'l>(kind: OpKind, ty: Ty) -> Option<fn(&mut Code<'l>, &[Reg]) -> Reg> {
    if !matches!(ty, Ty::F32 | Ty::F16 | Ty::BF16) {
        return None;
    }
    Some(match kind {
        OpKind::MathExp => |code, x| super::elementwise::in_single(code, x, exp),
        OpKind::MathExp2 => |code, x| super::elementwise::in_single(code, x, exp2),
        OpKind::MathRsqrt => |code, x| super::elementwise::in_single(code, x, rsqrt),
        _ => return None,
    })
}

/// `2^(x log2 e)`. The product is not flushed, so that small results stay subnormal.
fn exp(code: &mut Code<'_>, x: &[Reg]) -> Reg {
    let log2_e = code.f32(std::f32::consts::LOG2_E);
    let scaled = code.fmul(x[0], log2_e);
    code.intrinsic("llvm.nvvm.ex2.approx.f32", Ty::F32, &[scaled])
}

fn exp2(code: &mut Code<'_>, x: &[Reg]) -> Reg {
    code.intrinsic("llvm.nvvm.ex2.approx.ftz.f32", Ty::F32, x)
}

fn rsqrt(code: &mut Code<'_>, x: &[Reg]) -> Reg {
    code.intrinsic("llvm.nvvm.rsqrt.approx.ftz.f", Ty::F32, x)
}
