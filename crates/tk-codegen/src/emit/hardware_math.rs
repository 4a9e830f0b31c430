//! Functions that the GPU has an instruction for in single precision: `exp`, `exp2`, `rsqrt`. 16-bit floats are computed by them too.
//!
//! They are approximations (2 units in the last place and flushed subnormal numbers, by the PTX manual) as everywhere in this language; `exp` is off
//! by 2.0 units between -0.5 and 0.5, and by 4.1 in threads with many elements, beyond -8 and 8 by 14 to 64 in both (measured on an H200);
//! the other functions and double precision are computed by `math_functions`.

use super::float::in_single;
use crate::code::{Code, Reg, Ty};

/// `e^x` as `2^(x log2 e)`. The product is not flushed, so that small results stay subnormal.
pub(super) fn exp<'l>(code: &mut Code<'l>, x: &[Reg]) -> Reg {
    in_single(code, x, |code: &mut Code<'l>, x| {
        let log2_e = code.f32(std::f32::consts::LOG2_E);
        let scaled = code.fmul(x[0], log2_e);
        code.intrinsic("llvm.nvvm.ex2.approx.f32", Ty::F32, &[scaled])
    })
}

/// The same as the square of `2^(x log2(e) / 2)`, whose argument is never so small that its result would be subnormal. A test for that takes one of
/// seven predicates, and the exponentials of a thread with many elements wait for each other then. The error of `ex2` counts twice.
pub(super) fn exp_of_many<'l>(code: &mut Code<'l>, x: &[Reg]) -> Reg {
    in_single(code, x, |code: &mut Code<'l>, x| {
        let half = code.f32(std::f32::consts::LOG2_E / 2.0);
        let scaled = code.fmul(x[0], half);
        let root = code.intrinsic("llvm.nvvm.ex2.approx.ftz.f32", Ty::F32, &[scaled]);
        code.fmul(root, root)
    })
}

/// `2^x`.
pub(super) fn exp2<'l>(code: &mut Code<'l>, x: &[Reg]) -> Reg {
    in_single(code, x, |code: &mut Code<'l>, x| code.intrinsic("llvm.nvvm.ex2.approx.ftz.f32", Ty::F32, x))
}

/// `1 / sqrt(x)`.
pub(super) fn rsqrt<'l>(code: &mut Code<'l>, x: &[Reg]) -> Reg {
    in_single(code, x, |code: &mut Code<'l>, x| code.intrinsic("llvm.nvvm.rsqrt.approx.ftz.f", Ty::F32, x))
}
