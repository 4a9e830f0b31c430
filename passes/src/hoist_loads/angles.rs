//! Functions that a load goes before, since code generation writes them with a branch for large angles.
//!
//! What stands behind such a function is computed behind its branch. LLVM moves no load over it, and ptxas some and others not: it moves those of the copies of a
//! loop's body, but not always the second, and none over a branch with two sides. Each of them is waited for alone then.
//!
//! Code generation leaves the branch out where no angle can be large. Nothing holds a load up there, and moving it changes no more than the order in which LLVM and
//! ptxas find it.

use crate::analysis::live_registers::registers;
use tk_ir::{Op, OpKind};

/// Registers of a tensor of angles from which on code generation writes one branch for all of them (`math_functions/trigonometry.rs`).
const SEVERAL: u32 = 2;

/// A sine or cosine of several numbers of a thread.
pub(super) fn has_branch_for_angles(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::MathSin | OpKind::MathCos) && registers(op.result(0).ty()) >= SEVERAL
}
