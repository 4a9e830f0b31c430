//! Dots that wait where they are issued, for the sake of one CTA more.
//!
//! While a dot is in flight, its operands and results keep their registers: the left side of one product beside the sums of the next. Where one CTA more
//! would spill for that, it may spill nothing if each dot is waited for before the next one starts. What dots in flight gain, tensor cores that have
//! work while threads compute, another CTA brings as well.
//!
//! Where all dots wait anyway, nothing is asked: the text would be the one that was asked for already.
//!
//! True for grids that are known to bring few CTAs and come in fewer waves with one more, whichever number of those that are told as one it is, and for
//! kernels that wait for all of their dots in each iteration. Two launches that then spill nothing are 1.35 and 1.5 times as fast. Where something is spilled
//! it is not known what is faster: of five launches with 8 to 88 bytes three are 1.02 to 1.08 times as fast, and two take 1.11 times as long
//! (docs/measurements.md, "Dots wait where that saves a wave").

use crate::assembling::{Assembling, Code};
use crate::dots;
use crate::one_more::keeps_loops;
use crate::products::Products;
use crate::residents::saves_a_wave;
use tk_diag::Result;
use tk_types::DotPolicy;

impl Assembling<'_> {
    /// The code with dots that wait, and with one CTA more than `code` has, where that saves a wave and spills nothing.
    pub(crate) fn waiting_with_more(&mut self, code: &Code) -> Result<Option<Code>> {
        let Code { image, made } = code;
        let Some(now) = code.resident(self.unit) else { return Ok(None) };
        let overlaps = image.resources.dots == DotPolicy::Overlap;
        let waits_for_all = matches!(Products::of(&image.ptx), Products::WaitedFor);
        if !overlaps || !waits_for_all || !saves_a_wave(self.unit.options.residency, now) {
            return Ok(None);
        }
        if dots::wait_anyway(image) {
            return Ok(None);
        }
        let mut waiting = self.that_waits()?;
        let Some(ptx) = tk_codegen::with_resident_ctas(&waiting.ptx, now + 1) else { return Ok(None) };
        if waiting.shared_bytes != image.shared_bytes {
            return Ok(None);
        }
        waiting.ptx = ptx;
        // The assembler may refuse what it is asked for; it has not refused the kernel.
        let waiting = self.code(waiting).ok();
        Ok(waiting.filter(|waiting| {
            let then = &waiting.made;
            let is_clean = then.spill_bytes == Some(0) && !then.is_serialised;
            is_clean && then.registers < made.registers && keeps_loops(code, waiting)
        }))
    }
}
