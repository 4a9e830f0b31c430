//! Clusters of two CTAs: where their threads meet.

use super::Emitter;
use crate::code::Asm;
use tk_diag::Result;
use tk_ir::Op;

/// `tk.pair_barrier`: all threads of both CTAs meet where the operand holds, and those of the CTA otherwise.
///
/// The arrival is relaxed. A releasing one is a fence of all memory in machine code, in each iteration of a loop. What stands before this barrier has
/// read shared memory by products that were waited for, so these reads are over.
pub(super) fn emit_barrier<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let together = emitter.scalar(op.operand(0))?;
    if together.constant() == Some(0) {
        return emitter.code.barrier();
    }
    let text = "@$0 barrier.cluster.arrive.relaxed.aligned;\n\t@$0 barrier.cluster.wait.aligned;\n\t@!$0 bar.sync 0;";
    emitter.code.asm(Asm::new(text).input(together)).map(drop)
}

/// `ttng.cluster_barrier`.
pub(super) fn emit_cluster_barrier<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let order = if op.int_attr("relaxed").unwrap_or(0) != 0 { ".relaxed" } else { "" };
    let text = format!("barrier.cluster.arrive{order}.aligned;\n\tbarrier.cluster.wait.aligned;");
    emitter.code.asm(Asm::new(text)).map(drop)
}

/// `ttng.fence_mbarrier_init_release_cluster`.
pub(super) fn emit_fence(emitter: &mut Emitter<'_, '_>) -> Result<()> {
    emitter.code.asm(Asm::new("fence.mbarrier_init.release.cluster;")).map(drop)
}
