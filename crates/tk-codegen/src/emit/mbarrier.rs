//! Barriers in shared memory that count arrivals and bytes (`mbarrier`): how asynchronous copies say that they are done.
//!
//! One thread arrives for all, unless the operation says that every thread does; where the others have to be done first, `insert-barriers` has put a barrier of the CTA.

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
            by_one_thread(emitter, &format!("mbarrier.init.shared::cta.b64 {place}, {count};"), base, None)
        }
        OpKind::TtngInvalBarrier => {
            by_one_thread(emitter, &format!("mbarrier.inval.shared::cta.b64 {place};"), base, None)
        }
        OpKind::TtngBarrierExpect => {
            let bytes = op.int_attr("size").unwrap_or(0);
            let condition = emitter.scalar(op.operand(1))?;
            let text = format!("mbarrier.arrive.expect_tx.shared::cta.b64 _, {place}, {bytes};");
            by_one_thread(emitter, &text, base, Some(condition))
        }
        OpKind::TtngArriveBarrier => {
            let condition = if op.num_operands() > 1 { Some(emitter.scalar(op.operand(1))?) } else { None };
            if op.attr("tk.every_thread").is_some() {
                let text = format!("mbarrier.arrive.shared::cta.b64 _, {place};");
                return emitter.code.asm(Asm::new(text).input(base)).map(drop);
            }
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
