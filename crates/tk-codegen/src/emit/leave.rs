//! Threads that leave at the start of a kernel: a branch to its end behind the comparison that `leave-early` marks.
//!
//! The pass has seen that nothing which threads do together follows, and that nobody sees what a thread without a true answer would do.

use super::Emitter;
use crate::code::Reg;
use tk_diag::Result;
use tk_ir::attributes::LEAVE;
use tk_ir::ops::FuncOp;
use tk_ir::{Op, OpKind};

/// Ends the kernel for threads all of whose answers are false, behind a marked comparison. In those that stay an answer that is the only one is true, so
/// that accesses under it need no mask.
pub(super) fn leave_behind<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    if op.kind() != OpKind::ArithCmpI || op.attr(LEAVE).is_none() || !is_in_kernel(op) {
        return Ok(());
    }
    let answers = emitter.registers(op.result(0))?;
    let mut different: Vec<Reg> = Vec::new();
    for answer in (0..answers.len()).map(|register| answers.get(register)) {
        if !different.contains(&answer) {
            different.push(answer);
        }
    }
    let code = &mut emitter.code;
    let none = code.bool(false);
    let any = different.iter().fold(none, |any, answer| code.or(any, *answer));
    if any.constant().is_some() {
        return Ok(());
    }
    let (stay, leave) = (code.label(), code.label());
    code.branch(any, stay, leave)?;
    code.continue_at(leave);
    code.finish()?;
    code.continue_at(stay);
    if different.len() == 1 {
        let yes = code.bool(true);
        let known: Result<_> = answers.try_map(|_| Ok(yes));
        emitter.define(op.result(0), known?);
    }
    Ok(())
}

/// It stands in a block of a kernel, outside of loops and branches. Other functions go back to whom they were called by.
fn is_in_kernel(op: Op<'_>) -> bool {
    op.parent_op().and_then(FuncOp::cast).is_some_and(FuncOp::is_public)
}
