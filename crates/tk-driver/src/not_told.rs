//! Loads that ptxas delays although it is told that few CTAs come.
//!
//! Where a grid brings few CTAs, the text says so (`tk-codegen`'s `launch_bounds.rs`), and most code then waits for memory less often: there are registers
//! for what is loaded. Some waits more often: ptxas then puts loads one by one among long computations on what others bring, with registers left. Told nothing,
//! it issues them first. So the text is asked for once more without the directive where it waits more often than it has to. That code is taken if it waits
//! so much less often, in loops not more often, loads as many words, spills nothing and costs no CTA that the grid brings.
//!
//! Told nothing, ptxas also takes fewer registers, and instructions may wait for each other. Few warps run, so what one of them takes to issue its code is
//! seen: that must not be longer (docs/measurements.md, "Loads wait for each other although ptxas is told of few CTAs").

use crate::assembling::{Assembling, Code, Requests};
use crate::loads_together::fewest_waits;
use crate::machine_waits::{issue_cycles, loaded_words, memory_waits_in_loops};
use tk_diag::SourceFile;
use tk_image::KernelImage;

/// How many times as often code that is told of CTAs has to wait.
const FEWER: f64 = 1.3;

/// Waits of which one can go away.
const LEAST: f64 = 2.0;

/// How many times as long a warp may take to issue the code: seven launches with 0.89 to 1.06 are 1.003 to 1.59 times as fast, two with 1.38 and 1.49 have 0.94
/// of their speed.
const LONGER: f64 = 1.1;

impl Assembling<'_> {
    /// The code that is not told of CTAs, where loads wait for each other because it is.
    pub(crate) fn not_told_of_ctas(&mut self, code: &Code) -> Option<Code> {
        let Code { image, made } = code;
        if !self.unit.target.has_countable_waits() || made.spill_bytes != Some(0) || image.ptx.contains("mma.") {
            return None;
        }
        let ptx = tk_codegen::without_resident_ctas(&image.ptx, tk_codegen::resident_ctas(&image.ptx)?)?;
        let now = Requests::of(self.unit, code).filter(|now| now.waits >= LEAST)?;
        let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok()?;
        if now.waits < FEWER * f64::from(fewest_waits(&module)) {
            return None;
        }
        // The assembler may refuse what it is asked for; it has not refused the kernel.
        let free = self.code(KernelImage { ptx, ..image.clone() }).ok();
        let free = free.filter(|free| free.made.spill_bytes == Some(0))?;
        let then = Requests::of(self.unit, &free)?;
        let waits_less = now.waits >= FEWER * then.waits && in_loops(&free)? <= in_loops(code)?;
        let keeps_loads = then.brought >= now.brought && words(&free)? >= words(code)?;
        let is_as_short = f64::from(issue(&free)?) <= LONGER * f64::from(issue(code)?);
        (waits_less && keeps_loads && is_as_short).then_some(free)
    }
}

fn words(Code { image, made }: &Code) -> Option<u32> {
    loaded_words(&made.cubin, &image.entry)
}

fn in_loops(Code { image, made }: &Code) -> Option<f64> {
    memory_waits_in_loops(&made.cubin, &image.entry)
}

fn issue(Code { image, made }: &Code) -> Option<u32> {
    issue_cycles(&made.cubin, &image.entry)
}
