//! Copies by TMA that one thread issues behind a branch, with what announces them.
//!
//! A copy whose condition is a predicate costs every warp a dozen instructions: the hardware takes its operands from registers that are one for the
//! warp, and ptxas fills these for whatever threads the predicate names. In a loop whose threads compute all the time, other warps have something
//! better to do. So copies that stand together ([`SKIPPABLE`]) are passed by in one branch, and behind a second one a single thread of the first warp
//! announces and starts all of them.

use super::Emitter;
use super::{mbarrier, tma};
use crate::code::{Asm, IntTest, Ty};
use tk_diag::Result;
use tk_ir::attributes::SKIPPABLE;
use tk_ir::{Op, OpKind, Value};

/// Who issues a copy, or announces it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Issuer {
    /// Every thread comes here, and one is chosen.
    Chosen,
    /// Only one thread comes here.
    Only,
}

/// Emits what stands together with `op` behind one branch, with the first of it; `false` where it has none.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<bool> {
    let Some(condition) = condition_of(op) else { return Ok(false) };
    let shares_branch = |op: &Op<'c>| condition_of(*op) == Some(condition);
    let back = std::iter::successors(Some(op), |op| op.prev()).take_while(shares_branch);
    let first = back.last().unwrap_or(op);
    let run: Vec<Op<'c>> = std::iter::successors(Some(first), |op| op.next()).take_while(shares_branch).collect();
    let is_issued_by_one = |op: &Op<'c>| op.kind() == OpKind::TtngBarrierExpect || tma::is_one_copy(emitter, *op);
    if !run.iter().all(is_issued_by_one) {
        return Ok(false);
    }
    if first != op {
        return Ok(true);
    }
    let there_is_one = emitter.scalar(condition)?;
    let thread = emitter.threads().thread;
    let code = &mut emitter.code;
    let warp = code.i32(32);
    let is_first_warp = code.icmp(IntTest::Ult, thread, warp);
    let issues = code.and(is_first_warp, there_is_one);
    let [warps, leader, together, behind] = [(); 4].map(|()| code.label());
    code.branch(issues, warps, behind)?;
    code.open_scope(warps, false);
    let text = "{\n\t.reg .b32 leader;\n\t.reg .pred go;\n\telect.sync leader|go, -1;\n\tselp.b32 $0, 1, 0, go;\n\t}";
    let chosen = code.asm(Asm::new(text).output(Ty::Int(32)))?;
    let zero = code.i32(0);
    let is_leader = code.icmp(IntTest::Ne, chosen[0], zero);
    code.branch(is_leader, leader, together)?;
    code.open_scope(leader, false);
    for op in run {
        match op.kind() {
            OpKind::TtngBarrierExpect => mbarrier::emit_expect_by(emitter, op, Issuer::Only)?,
            _ => tma::emit_load_by(emitter, op, Issuer::Only)?,
        }
    }
    emitter.code.jump(together)?;
    emitter.code.close_scope();
    emitter.code.continue_at(together);
    // Products are issued by warps whose threads are together.
    emitter.code.asm(Asm::new("bar.warp.sync -1;"))?;
    emitter.code.jump(behind)?;
    emitter.code.close_scope();
    emitter.code.continue_at(behind);
    Ok(true)
}

/// The condition of a copy, or of what announces it, that may stand behind a branch.
fn condition_of<'c>(op: Op<'c>) -> Option<Value<'c>> {
    op.attr(SKIPPABLE)?;
    match op.kind() {
        OpKind::TtngBarrierExpect => Some(op.operand(1)),
        OpKind::TtngAsyncTmaCopyGlobalToLocal => op.segment(5).first().copied(),
        _ => None,
    }
}
