//! Program ids, constants, ranges, assumptions: values that come from no tensor.

use super::{Emitter, Registers};
use crate::code::{Reg, Ty};
use tk_diag::Result;
use tk_ir::ops::{ConstantOp, MakeRangeOp, ProgramLikeOp};
use tk_ir::{Op, Type};
use tk_layout::Dim;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Programs along y, and along z, at most (CUDA C++ Programming Guide, "Compute Capabilities").
const MOST_PROGRAMS: i64 = 65535;

/// `tt.get_program_id`, `tt.get_num_programs`: a special register of the grid.
pub(super) fn emit_program_id<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, register: &str) -> Result<()> {
    let number = ProgramLikeOp::cast(op).map_or(0, ProgramLikeOp::axis);
    let axis = AXES.get(number).ok_or_else(|| emitter.bug(op, "the axis is not 0, 1 or 2"))?;
    let code = &mut emitter.code;
    let id = code.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{register}.{axis}"), Ty::I32, &[]);
    // The grid has at most 2^31 - 1 CTAs along x.
    let id = code.assume_below(id, 31);
    if number > 0 {
        code.assume_between(id, 0, MOST_PROGRAMS);
    }
    emitter.define_scalar(op.result(0), id);
    Ok(())
}

/// `arith.constant`.
pub(super) fn emit_constant<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let ty = op.result(0).ty();
    let Some(constant) = ConstantOp::cast(op).and_then(|op| constant(emitter, op, ty)) else {
        return Err(emitter.bug(op, "the constant is neither a number nor the same number everywhere"));
    };
    emitter.define_scalar(op.result(0), constant);
    Ok(())
}

fn constant<'c>(emitter: &Emitter<'c, '_>, op: ConstantOp<'c>, ty: Type<'c>) -> Option<Reg> {
    let machine = emitter.element_ty(ty).ok()?;
    if let Some(scalar) = ty.element().float() {
        return Some(emitter.code.float_bits(machine, crate::float_format::bits_of(scalar, op.float()?)));
    }
    // A pointer constant is the null pointer written as an integer.
    Some(if machine == Ty::BOOL { emitter.code.bool(op.int()? != 0) } else { emitter.code.int(machine, op.int()?) })
}

/// `tt.make_range`.
pub(super) fn emit_make_range<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let start = MakeRangeOp::cast(op).map_or(0, MakeRangeOp::start);
    let tensor = emitter.tensor(op.result(0).ty())?;
    let base = emitter.thread_coordinate(&tensor.layout, Dim::Axis(0));
    let registers: Vec<Reg> = (0..tensor.registers)
        .map(|index| {
            let code = &mut emitter.code;
            let part = code.i32(tensor.layout.apply_dim(Dim::Register, index as u32) as i64);
            let position = code.xor(base, part);
            let start = code.i32(start);
            code.add(position, start)
        })
        .collect();
    emitter.define(op.result(0), registers.into());
    Ok(())
}

/// `tt.splat`.
pub(super) fn emit_splat<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let value = emitter.scalar(op.operand(0))?;
    emitter.define(op.result(0), Registers::Splat(value));
    Ok(())
}

/// `tt.unsplat`: the only element of a tensor.
pub(super) fn emit_unsplat<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let value = emitter.registers(op.operand(0))?.get(0);
    emitter.define_scalar(op.result(0), value);
    Ok(())
}

/// `ub.poison`: any value will do, so zero.
pub(super) fn emit_poison<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let ty = emitter.element_ty(op.result(0).ty())?;
    let zero = emitter.code.zero(ty);
    emitter.define_scalar(op.result(0), zero);
    Ok(())
}

/// `llvm.intr.assume`.
pub(super) fn emit_assume<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let condition = emitter.scalar(op.operand(0))?;
    if condition.constant().is_none() {
        emitter.code.effect("llvm.assume", None, &[condition])?;
    }
    Ok(())
}
