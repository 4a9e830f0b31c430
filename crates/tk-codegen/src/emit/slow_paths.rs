//! Arithmetic that has a branch: a call that ptxas writes for the numbers that the short way gets wrong, or a way of its own for angles that are large.
//!
//! LLVM takes such a root or quotient for one instruction, and schedules what a block loads where it has registers for it: behind it, too. ptxas moves no load
//! over the branch, so that load is asked for when the root is there, and no earlier. Behind the branch of a sine LLVM sinks what only the block there uses.
//! Loads that keep their order in LLVM stay before it.

use super::Emitter;
use super::dispatch::has_branch_for_large_angles;
use tk_ir::{Block, Op, OpKind};

/// Whether a load stands in a block with such arithmetic.
pub(super) fn is_beside_slow_path<'c>(emitter: &mut Emitter<'c, '_>, load: Op<'c>) -> bool {
    let Some(block) = load.block() else { return false };
    let known = emitter.slow_paths.get(&block.id()).copied();
    known.unwrap_or_else(|| {
        let has = has_slow_path(block);
        emitter.slow_paths.insert(block.id(), has);
        has
    })
}

fn has_slow_path(block: Block<'_>) -> bool {
    let mut next = block.first_op();
    while let Some(op) = next {
        if is_slow(op) {
            return true;
        }
        next = op.next();
    }
    false
}

/// Roots and quotients that are rounded to nearest, and those of fp64, and functions of angles that may be large.
fn is_slow(op: Op<'_>) -> bool {
    let is_double = || op.result(0).ty().element_bits() == 64;
    match op.kind() {
        OpKind::TtPreciseSqrt | OpKind::TtPreciseDivF => true,
        OpKind::MathSqrt | OpKind::ArithDivF => is_double(),
        _ => has_branch_for_large_angles(op),
    }
}
