//! Matrix products by multiply-add: each thread computes its own elements of the result.
//!
//! Half-precision and 8-bit operands are widened once and summed in f32; k is the outer loop, so that an operand is needed for one
//! step only and the sums of a step do not wait for each other.

use super::Tensors;
use super::form::widen;
use super::plan::{FmaPlan, Sides};
use crate::code::{Code, Reg, Ty};
use crate::emit::Emitter;
use tk_diag::Result;
use tk_ir::Value;
use tk_ir::ops::DotOp;

/// The registers of the result.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, dot: DotOp<'c>) -> Result<Vec<Reg>> {
    let Tensors { left, right, result } = Tensors::of(emitter, dot)?;
    let plan = FmaPlan::of(&Sides { left: &left.held, right: &right.held, result: &result.held });
    let plan = plan.map_err(|why| emitter.bug(dot.op, why))?;
    let ty = emitter.element_ty(dot.result().ty())?;
    let sum_ty = if ty.is_float() && ty.bits() < 32 { Ty::F32 } else { ty };
    let left = in_width(emitter, dot.a(), &left.values, sum_ty)?;
    let right = in_width(emitter, dot.b(), &right.values, sum_ty)?;

    let code = &mut emitter.code;
    let mut sums: Vec<Reg> = Vec::with_capacity(plan.accumulators.len());
    for register in &plan.accumulators {
        let start = result.values[*register as usize];
        sums.push(if ty == sum_ty { start } else { code.fpext(start, sum_ty) });
    }
    for step in &plan.steps {
        for (sum, operands) in sums.iter_mut().zip(step) {
            *sum = multiply_add(code, left[operands.left as usize], right[operands.right as usize], *sum);
        }
        for sum in &sums {
            code.force(*sum)?;
        }
    }
    if ty != sum_ty {
        sums = sums.into_iter().map(|sum| code.fptrunc(sum, ty)).collect();
    }
    Ok(plan.results.iter().map(|at| sums[*at as usize]).collect())
}

fn multiply_add(code: &mut Code<'_>, a: Reg, b: Reg, sum: Reg) -> Reg {
    if sum.ty().is_float() {
        return code.fma(a, b, sum);
    }
    let product = code.mul(a, b);
    code.add(product, sum)
}

/// The registers of an operand, as wide as the sums.
fn in_width<'c>(emitter: &mut Emitter<'c, '_>, operand: Value<'c>, values: &[Reg], sum_ty: Ty) -> Result<Vec<Reg>> {
    let float = operand.ty().element().float();
    if let Some(scalar) = float.filter(|scalar| scalar.is_fp8()) {
        let halves = widen(emitter, operand, values, scalar)?;
        return Ok(halves.into_iter().map(|half| emitter.code.fpext(half, sum_ty)).collect());
    }
    let code = &mut emitter.code;
    match float {
        Some(_) => Ok(values.iter().map(|value| code.fpext(*value, sum_ty)).collect()),
        None => Ok(values.iter().map(|value| code.sext(*value, sum_ty)).collect()),
    }
}
