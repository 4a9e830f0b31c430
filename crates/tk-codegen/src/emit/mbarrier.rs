//! Barriers in shared memory that count arrivals and bytes (`mbarrier`): how asynchronous copies say that they are done.
//!
//! One thread arrives for all, unless the operation says that one of each warp does; where the others have to be done first, `insert-barriers` has put a barrier of the CTA.

use super::Emitter;
use super::memory::with_mask;
use super::tma_branch::{self, Issuer};
use crate::code::{Asm, IntTest, Reg};
use tk_diag::Result;
use tk_ir::{Op, OpKind};

/// Where an mbarrier lies, as inline PTX names it: `$0` is the base.
struct Mbarrier {
    base: Reg,
    place: String,
}

impl Mbarrier {
    fn of<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>) -> Result<Self> {
        let address = emitter.scalar(op.operand(0))?;
        Ok(Self { base: address.base(), place: format!("[ $0 + {} ]", address.offset()) })
    }
}

/// How many arrivals an operation stands for.
fn count(op: Op<'_>) -> i64 {
    op.int_attr("count").unwrap_or(1)
}

/// `ttng.init_barrier`, with those beside it. One branch passes all of them by: of single instructions under a predicate ptxas makes a branch and a
/// fence each.
pub(super) fn emit_init<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let start = std::iter::successors(Some(op), |op| op.prev()).take_while(|op| is_init(*op)).last().unwrap_or(op);
    let row: Vec<Op<'c>> = std::iter::successors(Some(start), |op| op.next()).take_while(|op| is_init(*op)).collect();
    let mbarriers: Vec<Mbarrier> = row.iter().map(|op| Mbarrier::of(emitter, *op)).collect::<Result<_>>()?;
    let text_of =
        |op: Op<'c>, mbarrier: &Mbarrier| format!("mbarrier.init.shared::cta.b64 {}, {};", mbarrier.place, count(op));
    let own = Mbarrier::of(emitter, op)?;
    if row.len() == 1 || mbarriers.iter().any(|mbarrier| mbarrier.base != own.base) {
        return by_one_thread(emitter, &text_of(op, &own), own.base, None);
    }
    if op != start {
        return Ok(());
    }
    let lines: Vec<String> = row.iter().zip(&mbarriers).map(|(op, mbarrier)| text_of(*op, mbarrier)).collect();
    let first = is_first_thread(emitter);
    let text = format!("{{\n\t@!$1 bra initialized;\n\t{}\n\tinitialized:\n\t}}", lines.join("\n\t"));
    emitter.code.asm(Asm::new(text).input(own.base).input(first)).map(drop)
}

fn is_init(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtngInitBarrier
}

/// `ttng.inval_barrier`.
pub(super) fn emit_invalidate<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    if op.attr(tk_ir::attributes::WITH_KERNEL).is_some() {
        return Ok(());
    }
    let mbarrier = Mbarrier::of(emitter, op)?;
    by_one_thread(emitter, &format!("mbarrier.inval.shared::cta.b64 {};", mbarrier.place), mbarrier.base, None)
}

/// `ttng.barrier_expect`: an arrival that announces bytes.
pub(super) fn emit_expect<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    if tma_branch::emit(emitter, op)? { Ok(()) } else { emit_expect_by(emitter, op, Issuer::Chosen) }
}

/// `ttng.barrier_expect`, by one thread.
pub(super) fn emit_expect_by<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, issuer: Issuer) -> Result<()> {
    let mbarrier = Mbarrier::of(emitter, op)?;
    let bytes = op.int_attr("size").unwrap_or(0);
    let condition = emitter.scalar(op.operand(1))?;
    let text = format!("mbarrier.arrive.expect_tx.shared::cta.b64 _, {}, {bytes};", mbarrier.place);
    match issuer {
        Issuer::Chosen => by_one_thread(emitter, &text, mbarrier.base, Some(condition)),
        Issuer::Only => emitter.code.asm(Asm::new(text).input(mbarrier.base)).map(drop),
    }
}

/// `ttng.arrive_barrier`.
pub(super) fn emit_arrive<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let mbarrier = Mbarrier::of(emitter, op)?;
    let condition = if op.num_operands() > 1 { Some(emitter.scalar(op.operand(1))?) } else { None };
    if op.attr(tk_ir::attributes::EACH_WARP).is_some() {
        return emit_arrive_by_warps(emitter, &mbarrier);
    }
    let text = format!("mbarrier.arrive.shared::cta.b64 _, {}, {};", mbarrier.place, count(op));
    by_one_thread(emitter, &text, mbarrier.base, condition)
}

/// One thread of each warp arrives, behind what the others of the warp have read and written. 32 arrivals of a warp are made one after the other.
fn emit_arrive_by_warps(emitter: &mut Emitter<'_, '_>, mbarrier: &Mbarrier) -> Result<()> {
    let text = format!(
        "{{\n\t.reg .b32 leader;\n\t.reg .pred go;\n\tbar.warp.sync -1;\n\telect.sync leader|go, -1;\n\t@go mbarrier.arrive.shared::cta.b64 _, {};\n\t}}",
        mbarrier.place
    );
    emitter.code.asm(Asm::new(text).input(mbarrier.base)).map(drop)
}

/// `ttng.async_copy_mbarrier_arrive`: each thread arrives when its copies have landed.
pub(super) fn emit_copy_arrive<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let mbarrier = Mbarrier::of(emitter, op)?;
    let kind = if op.attr("noIncrement").is_some() { ".noinc" } else { "" };
    let text = format!("cp.async.mbarrier.arrive{kind}.shared::cta.b64 {};", mbarrier.place);
    emitter.code.asm(Asm::new(text).input(mbarrier.base)).map(drop)
}

/// `ttng.wait_barrier`: all threads go round until the phase of this parity is over.
pub(super) fn emit_wait<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let Mbarrier { base, place } = Mbarrier::of(emitter, op)?;
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
    let first = is_first_thread(emitter);
    let condition = condition.filter(|condition| condition.constant() != Some(-1));
    if condition.and_then(Reg::constant) == Some(0) {
        return Ok(());
    }
    let predicate = with_mask(emitter, condition, Some(first)).unwrap_or(first);
    emitter.code.asm(Asm::new(format!("@$1 {text}")).input(address).input(predicate))?;
    Ok(())
}

/// The first thread of the CTA is running.
pub(super) fn is_first_thread(emitter: &mut Emitter<'_, '_>) -> Reg {
    let thread = emitter.threads().thread;
    let zero = emitter.code.i32(0);
    emitter.code.icmp(IntTest::Eq, thread, zero)
}
