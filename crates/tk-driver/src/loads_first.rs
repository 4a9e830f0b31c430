//! Loads that ptxas delays although there are registers for what they bring.
//!
//! Where loads of a loop stand among computations of what others bring, ptxas puts some of them behind those at times, and then each iteration waits for
//! memory again. With more registers it may do the same. A text with a branch behind the loads of each run (`tk_ptx`'s `loads_first`) keeps them together. So
//! what came of all else that was asked of the assembler is asked for once more in this way, and taken if it takes no CTA away, spills nothing, and loops wait
//! less.
//!
//! Outside of loops a wait more or less is worth nothing: of 54 launches that wait less there the mean is 0.3 % faster. ptxas writes small loops out
//! several times, but not with a branch in them. The loads of several iterations wait once then, which is as good, so code that loads less at a time is
//! not taken.
//!
//! Only kernels without products, whose loads are asked for by instructions of their own (docs/measurements.md, "Loads stay before a branch that is never
//! taken").

use crate::assembling::{Assembling, Code, Requests};
use crate::loads_together::fewest_waits;
use crate::machine_waits::{loaded_words, memory_waits_in_loops};
use crate::one_more::FASTER;
use tk_diag::SourceFile;
use tk_image::KernelImage;

/// How many times as often loops have to wait without the branches. Of 83 launches with at least this, the mean is 1.15 times as fast, and ten are 2 to
/// 9 % slower; of twelve with less, three that were faster than Triton's code are 6 to 10 % slower, and two of these slower than it.
const FEWER: f64 = 1.3;

/// Waits of loops of which one can go away.
const LEAST: f64 = 2.0;

impl Assembling<'_> {
    /// The code with the loads of each run first, where its loops wait for memory less often so.
    pub(crate) fn with_loads_first(&mut self, code: Code) -> Code {
        self.loads_first(&code).unwrap_or(code)
    }

    fn loads_first(&mut self, code: &Code) -> Option<Code> {
        let Code { image, made } = code;
        if !self.unit.target.has_countable_waits() || made.spill_bytes != Some(0) || image.ptx.contains("mma.") {
            return None;
        }
        let (now, in_loops) = (Requests::of(self.unit, code)?, waits_in_loops(code)?);
        if in_loops < LEAST || now.waits < FASTER * f64::from(fewest_waits(image)) {
            return None;
        }
        let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok()?;
        let first = KernelImage { ptx: module.with_loads_first()?, ..image.clone() };
        // The assembler may refuse what it is asked for; it has not refused the kernel.
        let first = self.code(first).ok().filter(|first| first.made.spill_bytes == Some(0))?;
        let then = Requests::of(self.unit, &first)?;
        let words = |Code { image, made }: &Code| loaded_words(&made.cubin, &image.entry);
        let keeps_loads = words(&first)? >= words(code)?;
        let waits_less = now.waits >= FASTER * then.waits && in_loops >= FEWER * waits_in_loops(&first)?;
        (keeps_loads && waits_less && then.brought >= now.brought).then_some(first)
    }
}

fn waits_in_loops(Code { image, made }: &Code) -> Option<f64> {
    memory_waits_in_loops(&made.cubin, &image.entry)
}
