//! How many CTAs are held at once: by a GPU, and by the memory of this machine.

use crate::exec::MOST_STACK;
use crate::launch::Environment;
use crate::program::Op;
use crate::roofline::MULTIPROCESSORS;
use tk_diag::{Diagnostic, Result, TOO_LARGE};
use tk_target::Target;

/// Memory that unfinished CTAs may take together, bytes.
const RESIDENT_BYTES: u64 = 2 << 30;
/// The same for the few CTAs that kernels expect to run at once.
const MOST_RESIDENT_BYTES: u64 = 4 << 30;
/// As many CTAs run at once where memory does not forbid it: kernels let CTAs wait for each other.
const FEW_CTAS: u64 = 16;
/// Most CTAs that are held at once.
const MANY_CTAS: u64 = 4096;
/// Registers that a compiler needs besides those whose values are needed at the same time.
pub(crate) const MORE_REGISTERS: u32 = 8;
/// Registers of a thread of a small kernel.
const FEW_REGISTERS: u32 = 16;

impl Environment<'_> {
    /// An error when a CTA takes more memory than this machine should give.
    pub(crate) fn check_residency(&self) -> Result<()> {
        let bytes = self.cta_bytes().saturating_mul(u64::from(self.geometry.size()));
        if bytes <= MOST_RESIDENT_BYTES {
            return Ok(());
        }
        let gib = bytes as f64 / f64::from(1 << 30);
        let message =
            format!("the simulator needs {gib:.1} GiB for the registers and the local memory of one CTA or cluster");
        let help = "launch fewer threads, or declare fewer registers and less local memory";
        Err(Diagnostic::error(TOO_LARGE, message).help(help).boxed())
    }

    /// Clusters that may run at once: those that a GPU holds, or fewer where they take too much memory of this machine.
    pub(crate) fn most_resident(&self) -> u64 {
        let (cta, size) = (self.cta_bytes(), u64::from(self.geometry.size()));
        let few = FEW_CTAS.min(MOST_RESIDENT_BYTES / cta).max(1);
        ((RESIDENT_BYTES / cta).clamp(few, MANY_CTAS).min(self.on_gpu()) / size).max(1)
    }

    /// Bytes that a CTA takes while it runs.
    fn cta_bytes(&self) -> u64 {
        let (program, warps) = (self.program, u64::from(self.geometry.warps_per_cta));
        let is_recursive = program.code.iter().any(|instruction| matches!(instruction.op, Op::PutAway { .. }));
        let stacks = if is_recursive { 160 * MOST_STACK as u64 } else { 0 };
        let per_warp = u64::from(program.slots) * 256 + u64::from(program.local_bytes) * 32 + stacks;
        let shared = u64::from(self.config.shared_bytes + program.static_shared);
        warps * per_warp + shared * (2 + 3 * warps) + 4096
    }

    /// CTAs that a GPU holds at once, when each thread has few registers: PTX does not say how many.
    pub(crate) fn on_gpu(&self) -> u64 {
        u64::from(MULTIPROCESSORS) * u64::from(self.ctas_per_multiprocessor(FEW_REGISTERS))
    }

    /// CTAs that a multiprocessor runs at once; a thread has so many registers where the kernel does not say.
    pub(crate) fn ctas_per_multiprocessor(&self, registers: u32) -> u32 {
        let registers = self.program.max_registers.unwrap_or(registers);
        let shared = self.config.shared_bytes + self.program.static_shared;
        let warps = self.config.threads_per_cta.div_ceil(32);
        Target::default().occupancy(registers, shared, warps).ctas_per_sm.max(1)
    }
}
