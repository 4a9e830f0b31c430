//! Twice the warps, where the blocks of a kernel are larger than the registers of the threads that it is launched with.
//!
//! Four warps with 255 registers each have half of a multiprocessor's registers. Where they spill, eight have all of them, and each thread has half of
//! every block. One CTA then has the multiprocessor where two had it, which spilled at the same time.
//!
//! Of 60 recorded and generated launches that spill, with one to four warps, eight are slower with twice of these on an H200, and the mean is 1.63 times as
//! fast, the best 5.7 times; of those with one or two warps the best is 12 times as fast with four times as many (docs/measurements.md, "Spills are worth
//! twice the warps").

use crate::assembling::{Assembling, Code};
use crate::compile::{compile, depends_on_warps};
use crate::machine_loops::Counted;
use crate::{Unit, Until, Unwatched};
use tk_types::CompileOptions;

/// The part of the instructions of loops, or of all where there are none, that spills have to be. Of 60 launches twelve have less: five of these are slower
/// with twice the warps, by 5 to 25 %, and seven are 4 to 61 % faster. Of the others three are slower, by 2 to 7 %.
const MUCH: f64 = 0.03;

/// The part of the bytes that spill, beyond which twice the warps spill too much as well: one launch that kept 0.63 of them was 6 % slower.
const LEFT: u32 = 2;

impl Assembling<'_> {
    /// The code for twice the warps, and for twice of these where that spills as well, each with what else is tried.
    pub(crate) fn with_more_warps(&mut self, code: &Code) -> Option<Code> {
        let spills = code.made.spill_bytes.filter(|bytes| *bytes > 0)?;
        if !may_have_more(self.unit, code) || !spills_much(self.unit, code) {
            return None;
        }
        let options = CompileOptions { num_warps: 2 * code.image.num_warps, ..self.unit.options.clone() };
        let unit = Unit { options, ..self.unit.clone() };
        if depends_on_warps(self.unit, &unit) {
            return None;
        }
        let image = compile(&unit, Until::Ptx, &mut Unwatched).ok()?.image?;
        let mut wider = Assembling { unit: &unit, assembler: &mut *self.assembler, fewer: None };
        let first = wider.code(image).ok()?;
        let best = wider.best(first).ok()?;
        (best.made.spill_bytes? <= spills / LEFT).then_some(best)
    }
}

/// Threads of twice the warps can have as many registers, and nobody counts on the number of warps or of CTAs: warps with roles, warps that were left out,
/// and CTAs that may wait for what others write.
fn may_have_more(unit: &Unit<'_>, Code { image, .. }: &Code) -> bool {
    let registers = |warps: u32| unit.target.register_budget(warps, 1);
    let may_wait = ["atom.", "ld.acquire", "ld.volatile"].iter().any(|access| image.ptx.contains(access));
    let is_as_asked = image.num_warps == unit.options.num_warps && unit.options.maxnreg.is_none();
    is_as_asked && !may_wait && registers(2 * image.num_warps) == registers(image.num_warps)
}

fn spills_much(unit: &Unit<'_>, Code { image, made }: &Code) -> bool {
    if !unit.target.has_countable_waits() {
        return false;
    }
    let loops = Counted::of_loops(&made.cubin, &image.entry).filter(|loops| loops.instructions > 0);
    loops.or_else(|| Counted::of_all(&made.cubin, &image.entry)).is_some_and(|counted| counted.part() >= MUCH)
}
