//! Addresses of rows that take the registers which a kernel lacks.
//!
//! A thread that loads many rows in a loop keeps an address for each of them, two registers all the time. Beside a large product it spills then, what stands
//! outside of the loop as well, and ptxas orders all else by the few registers that are left. So code that spills is asked for once more with a text in which each
//! address is computed from the one before (`tk_ptx`'s `address_steps`), and that is taken where it spills half as much at most, loops are not much longer,
//! and no CTA goes.
//!
//! Of 103 recorded launches that spill the texts of seven have such addresses. Five of them spill half as much or nothing then, and are 1.005 to 1.14 times as
//! fast; six that spill nothing anyway are 0.95 to 1.04 times as fast, so they are not asked for
//! (docs/measurements.md, "Addresses of rows are computed from each other").

use crate::assembling::{Assembling, Code};
use crate::one_more::has_loops_within;
use tk_diag::SourceFile;
use tk_image::KernelImage;
use tk_ptx::rewrite::Rewrite;

/// How much longer loops may be: up to 1.12 times is measured, with 0.88 of the time.
const LONGER: f64 = 1.15;

impl Assembling<'_> {
    /// The code with addresses that are computed from each other, where it spills half as much at most.
    pub(crate) fn with_address_steps(&mut self, code: Code) -> Code {
        self.address_steps(&code).unwrap_or(code)
    }

    fn address_steps(&mut self, code: &Code) -> Option<Code> {
        let Code { image, made } = code;
        let spills = made.spill_bytes.filter(|bytes| *bytes > 0 && self.unit.target.has_countable_waits())?;
        let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok()?;
        let stepped = KernelImage { ptx: module.rewritten(Rewrite::AddressSteps)?, ..image.clone() };
        // The assembler may refuse what it is asked for; it has not refused the kernel.
        let stepped = self.code(stepped).ok()?;
        let spills_less =
            stepped.made.spill_bytes? <= spills / 2 && (made.is_serialised || !stepped.made.is_serialised);
        let keeps_ctas = stepped.resident(self.unit)? >= code.resident(self.unit)?;
        (spills_less && keeps_ctas && has_loops_within(code, &stepped, LONGER)).then_some(stepped)
    }
}
