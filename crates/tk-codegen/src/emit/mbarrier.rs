//! Barriers in shared memory that count arrivals and bytes (`mbarrier`): how asynchronous copies say that they are done.
//!
//! One thread arrives for all; a barrier of the CTA before it stands in the program where the others have to be done first.

use super::Emitter;
use super::memory::with_mask;
use crate::code::{Asm, IntTest, Reg};
use tk_diag::Result;
use tk_ir::{Op, OpKind};

/// `ttng.init_barrier`, `ttng.inval_barrier`, `ttng.barrier_expect`, `ttng.wait_barrier`, `ttng.arrive_barrier`,
/// `ttng.async_copy_mbarrier_arrive`.
pub(super) fn emit_mbarrier<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let count = op.int_attr("count").unwrap_or(1);
    let address = emitter.scalar(op.operand(0))?;
    let place = format!("[ $0 + {} ]", address.offset());
    let base = address.base();
    match op.kind() {
        OpKind::TtngInitBarrier => {
            by_one_thread(emitter, &format!("mbarrier.init.shared::cta.b64 {place}, {count};"), base, None)?;
            barrier_after_last(emitter, op)
        }
        OpKind::TtngInvalBarrier => {
            barrier_before_first(emitter, op)?;
            by_one_thread(emitter, &format!("mbarrier.inval.shared::cta.b64 {place};"), base, None)
        }
        OpKind::TtngBarrierExpect => {
            barrier_before_copies(emitter, op)?;
            let bytes = op.int_attr("size").unwrap_or(0);
            let condition = emitter.scalar(op.operand(1))?;
            let text = format!("mbarrier.arrive.expect_tx.shared::cta.b64 _, {place}, {bytes};");
            by_one_thread(emitter, &text, base, Some(condition))
        }
        OpKind::TtngArriveBarrier => {
            let condition = if op.num_operands() > 1 { Some(emitter.scalar(op.operand(1))?) } else { None };
            let text = format!("mbarrier.arrive.shared::cta.b64 _, {place}, {count};");
            by_one_thread(emitter, &text, base, condition)
        }
        OpKind::TtngAsyncCopyMbarrierArrive => {
            let kind = if op.attr("noIncrement").is_some() { ".noinc" } else { "" };
            let text = format!("cp.async.mbarrier.arrive{kind}.shared::cta.b64 {place};");
            emitter.code.asm(Asm::new(text).input(base)).map(drop)
        }
        _ => emit_wait(emitter, op, &place, base),
    }
}

/// All threads go round until the phase of this parity is over.
fn emit_wait<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, place: &str, base: Reg) -> Result<()> {
    let parity = emitter.scalar(op.operand(1))?;
    let condition = match op.segment(2).first() {
        Some(condition) => Some(emitter.scalar(*condition)?).filter(|condition| condition.constant() != Some(-1)),
        None => None,
    };
    if condition.and_then(Reg::constant) == Some(0) {
        return Ok(());
    }
    let skip = if condition.is_some() { "@!$2 bra.uni waited;\n\t" } else { "" };
    let text = format!(
        "{{\n\t.reg .pred done;\n\t{skip}wait:\n\tmbarrier.try_wait.parity.shared::cta.b64 done, {place}, $1;\n\t@!done bra.uni wait;\n\twaited:\n\t}}"
    );
    let asm = Asm::new(text).input(base).input(parity);
    emitter.code.asm(match condition {
        Some(condition) => asm.input(condition),
        None => asm,
    })?;
    Ok(())
}

/// An instruction on `address` (`$0`) that the first thread executes, if `condition` holds.
fn by_one_thread(emitter: &mut Emitter<'_, '_>, text: &str, address: Reg, condition: Option<Reg>) -> Result<()> {
    let thread = emitter.threads().thread;
    let zero = emitter.code.i32(0);
    let first = emitter.code.icmp(IntTest::Eq, thread, zero);
    let condition = condition.filter(|condition| condition.constant() != Some(-1));
    if condition.and_then(Reg::constant) == Some(0) {
        return Ok(());
    }
    let predicate = with_mask(emitter, condition, Some(first)).unwrap_or(first);
    emitter.code.asm(Asm::new(format!("@$1 {text}")).input(address).input(predicate))?;
    Ok(())
}

/// The other threads must not touch a barrier before it is ready; barriers that are made in a row are ready together.
fn barrier_after_last<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let next = neighbour(op, Op::next);
    match next.map(Op::kind) {
        Some(OpKind::TtngInitBarrier | OpKind::GpuBarrier | OpKind::TtgBarrier) => Ok(()),
        _ => emitter.code.barrier(),
    }
}

/// The other threads may still wait at a barrier that is about to go.
fn barrier_before_first<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let before = neighbour(op, Op::prev);
    match before.map(Op::kind) {
        Some(OpKind::TtngInvalBarrier | OpKind::GpuBarrier | OpKind::TtgBarrier) => Ok(()),
        _ => emitter.code.barrier(),
    }
}

/// Copies by the hardware overwrite what all threads may have read, so these have to be done. What announces and makes copies
/// stands in a row, which needs one barrier.
pub(super) fn barrier_before_copies<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let before = neighbour(op, Op::prev);
    match before.map(Op::kind) {
        Some(
            OpKind::TtngInitBarrier
            | OpKind::TtngBarrierExpect
            | OpKind::TtngAsyncTmaCopyGlobalToLocal
            | OpKind::GpuBarrier
            | OpKind::TtgBarrier,
        ) => Ok(()),
        _ => emitter.code.barrier(),
    }
}

/// What all threads wrote, and fenced, has to be there before the hardware reads it.
pub(super) fn barrier_before_stores<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let before = neighbour(op, Op::prev);
    match before.map(Op::kind) {
        Some(
            OpKind::TtngAsyncTmaCopyLocalToGlobal
            | OpKind::TtngAsyncTmaReduce
            | OpKind::GpuBarrier
            | OpKind::TtgBarrier,
        ) => Ok(()),
        _ => emitter.code.barrier(),
    }
}

/// The nearest operation in a direction that is not pure.
fn neighbour<'c>(op: Op<'c>, step: impl Fn(Op<'c>) -> Option<Op<'c>>) -> Option<Op<'c>> {
    let mut found = step(op);
    while let Some(op) = found.filter(|op| op.is_pure()) {
        found = step(op);
    }
    found
}
