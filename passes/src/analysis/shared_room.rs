//! How much shared memory a CTA may take before fewer of them share a multiprocessor.

use super::live_registers::LiveRegisters;
use crate::PassContext;
use crate::attributes::ROOM_FOR;
use tk_ir::Op;
use tk_target::Target;

/// What else limits how many CTAs share a multiprocessor.
pub(crate) struct SharedRoom {
    target: Target,
    num_warps: u32,
    /// Registers of a thread, at least: those of accumulators and operands.
    registers: u32,
    /// CTAs that the grid brings to a multiprocessor at most.
    brought: u32,
}

impl SharedRoom {
    /// The room of a kernel, or of a function that it calls.
    pub(crate) fn of(function: Op<'_>, num_warps: u32, cx: &PassContext) -> Self {
        let most = cx.options.maxnreg.unwrap_or(u32::MAX).min(cx.target.max_registers_per_thread());
        let brought = cx.options.residency.at_most().unwrap_or(u32::MAX);
        let registers = LiveRegisters::of(function).peak(function).clamp(1, most.max(1));
        // Where a buffer was given up for so many CTAs, a count that is greater than what ptxas needs gives it to nobody else.
        let wanted = function.int_attr(ROOM_FOR).and_then(|ctas| u32::try_from(ctas).ok());
        let budget = wanted.map_or(u32::MAX, |ctas| cx.target.register_budget(num_warps, ctas).max(1));
        Self { target: cx.target, num_warps, registers: registers.min(budget), brought }
    }

    /// The same, where so many registers of a thread are known.
    pub(crate) fn with_registers(self, registers: u32) -> Self {
        let most = self.target.max_registers_per_thread();
        Self { registers: registers.clamp(1, most), ..self }
    }

    /// A CTA that takes `more` bytes instead of `bytes` leaves as many CTAs on a multiprocessor.
    pub(crate) fn allows(&self, bytes: u32, more: u32) -> bool {
        self.ctas(more) > 0 && self.ctas(more) >= self.ctas(bytes)
    }

    /// CTAs that take so many bytes leave a multiprocessor at least so many warps.
    pub(crate) fn leaves_warps(&self, bytes: u32, warps: u32) -> bool {
        self.ctas(bytes).saturating_mul(self.num_warps) >= warps
    }

    fn ctas(&self, bytes: u32) -> u32 {
        self.target.occupancy(self.registers, bytes, self.num_warps).ctas_per_sm.min(self.brought)
    }
}
