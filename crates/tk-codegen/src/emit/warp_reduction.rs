//! `redux.sync`: all 32 lanes of a warp combine one integer in one instruction, where a butterfly takes five shuffles that wait for each other.
//!
//! It adds, takes the least or the greatest, or combines bits, of 32 bits. Shorter integers are extended: the low bits of the result are theirs.

use crate::code::{Code, Reg, Ty};
use tk_diag::Result;
use tk_ir::OpKind;
use tk_ir::ops::ReduceOp;
use tk_layout::reduction::ReductionPlan;

/// The steps of a butterfly over a whole warp.
const STEPS_OF_WARP: usize = 5;

/// How integers become 32 bits.
#[derive(Clone, Copy, Debug)]
enum Extension {
    Signed,
    Unsigned,
}

/// What the instruction computes.
#[derive(Clone, Copy, Debug)]
pub(super) struct WarpReduction {
    name: &'static str,
    extension: Extension,
}

/// The instruction for all lane steps of the plan: each warp combines one integer of at most 32 bits by one operation, and no step shares
/// results out.
pub(super) fn of(view: ReduceOp<'_>, plan: &ReductionPlan) -> Option<WarpReduction> {
    if plan.lane_steps.len() != STEPS_OF_WARP || plan.lane_steps.iter().any(|step| step.halves) {
        return None;
    }
    let [source] = view.srcs()[..] else { return None };
    let element = source.ty().element();
    if !element.is_int() || element.element_bits() > 32 {
        return None;
    }
    let (name, extension) = match view.single_combiner()?.kind() {
        OpKind::ArithAddI => ("llvm.nvvm.redux.sync.add", Extension::Unsigned),
        OpKind::ArithMinSI => ("llvm.nvvm.redux.sync.min", Extension::Signed),
        OpKind::ArithMaxSI => ("llvm.nvvm.redux.sync.max", Extension::Signed),
        OpKind::ArithMinUI => ("llvm.nvvm.redux.sync.umin", Extension::Unsigned),
        OpKind::ArithMaxUI => ("llvm.nvvm.redux.sync.umax", Extension::Unsigned),
        OpKind::ArithAndI => ("llvm.nvvm.redux.sync.and", Extension::Unsigned),
        OpKind::ArithOrI => ("llvm.nvvm.redux.sync.or", Extension::Unsigned),
        OpKind::ArithXOrI => ("llvm.nvvm.redux.sync.xor", Extension::Unsigned),
        _ => return None,
    };
    Some(WarpReduction { name, extension })
}

impl WarpReduction {
    /// What all lanes hold together, in every lane.
    pub(super) fn emit(self, code: &mut Code<'_>, value: Reg) -> Result<Reg> {
        let ty = value.ty();
        let wide = match self.extension {
            _ if ty == Ty::I32 => value,
            Extension::Signed => code.sext(value, Ty::I32),
            Extension::Unsigned => code.zext(value, Ty::I32),
        };
        let all = code.i32(-1);
        let combined = code.effect_value(self.name, Ty::I32, &[wide, all])?;
        Ok(if ty == Ty::I32 { combined } else { code.trunc(combined, ty) })
    }
}
