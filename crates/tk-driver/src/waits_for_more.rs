//! Dots that wait where they are issued, for the sake of one CTA more.
//!
//! While a dot is in flight, its operands and results keep their registers: the left side of one product beside the sums of the next. Where one CTA more
//! would spill for that, it may spill nothing if each dot is waited for before the next one starts. What dots in flight gain, tensor cores that have
//! work while threads compute, another CTA brings as well.
//!
//! True for grids that are known to bring few CTAs and come in fewer waves with one more, whichever number of those that are told as one it is, and for
//! kernels that wait for all of their dots in each iteration. Two launches that then spill nothing are 1.35 and 1.5 times as fast. Where something is spilled
//! it is not known what is faster: of five launches with 8 to 88 bytes three are 1.02 to 1.08 times as fast, and two take 1.11 times as long
//! (docs/measurements.md, "Dots wait where that saves a wave").

use crate::assembling::{Assembling, Code, Products, keeps_loops};
use crate::dots;
use crate::loads_together::waves;
use tk_diag::Result;
use tk_types::{DotPolicy, Residency};

impl Assembling<'_> {
    /// The code with dots that wait, and with one CTA more than `code` has, where that saves a wave and spills nothing.
    pub(crate) fn waiting_with_more(&mut self, code: &Code) -> Result<Option<Code>> {
        let Code { image, made } = code;
        let Some(registers) = made.registers else { return Ok(None) };
        let now = self.unit.target.occupancy(registers, image.shared_bytes, image.num_warps).ctas_per_sm;
        let overlaps = image.resources.dots == DotPolicy::Overlap;
        let waits_for_all = matches!(Products::of(&image.ptx), Products::WaitedFor);
        if !overlaps || !waits_for_all || !saves_a_wave(self.unit.options.residency, now) {
            return Ok(None);
        }
        let mut waiting = dots::that_wait(self.unit)?;
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

/// Every grid that is told as this one comes in fewer waves with one CTA more than `now`.
fn saves_a_wave(residency: Residency, now: u32) -> bool {
    residency.at_most().is_some_and(|most| {
        let mut grids = Residency::brought_by(most);
        now > 0 && grids.all(|brought| waves(brought, now + 1) < waves(brought, now))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_is_saved_whichever_grid_it_is() {
        let saves = |residency, now| saves_a_wave(residency, now);
        assert!(
            saves(Residency::AtMost(4), 3) && saves(Residency::AtMost(4), 1),
            "397 to 528 programs for 132 multiprocessors"
        );
        assert!(!saves(Residency::AtMost(4), 2), "two and two, or three and one");
        assert!(!saves(Residency::AtMost(8), 3), "five and six come in two waves with three as with four");
        assert!(saves(Residency::AtMost(8), 1) && saves(Residency::AtMost(2), 1));
        assert!(!saves(Residency::Many, 3) && !saves(Residency::Any, 3) && !saves(Residency::One, 1));
    }
}
