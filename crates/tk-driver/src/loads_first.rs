//! Loads that ptxas delays although there are registers for what they bring.
//!
//! Where loads of a loop stand among computations of what others bring, ptxas puts some of them behind those at times, and then each iteration waits for
//! memory again. With more registers it may do the same. A text with a branch behind the loads of each run (`tk_ptx`'s `loads_first`) keeps them together. So
//! what came of all else that was asked of the assembler is asked for once more in this way, and taken if it takes no CTA away, spills nothing, and loops wait
//! less.
//!
//! It is not asked for where the text says before that loops cannot wait enough less ([`may_wait_less`]): of 566 recorded launches that were asked 136 took it.
//! 352 of them are still asked, all of the 136 among them but one, which was level (docs/measurements.md, "Loads stay before a branch that is never taken").
//!
//! Outside of loops a wait more or less is worth nothing: of 54 launches that wait less there the mean is 0.3 % faster. ptxas writes small loops out
//! several times, but not with a branch in them. The loads of several iterations wait once then, which is as good, so code that loads less at a time is
//! not taken.
//!
//! Only kernels without products, whose loads are asked for by instructions of their own (docs/measurements.md, "Loads stay before a branch that is never
//! taken").

use crate::assembling::{Assembling, Code, Requests};
use crate::loads_together::fewest_waits;
use crate::machine_waits::{loaded_words, loaded_words_in_loops, memory_waits_in_loops};
use crate::one_more::FASTER;
use tk_diag::SourceFile;
use tk_image::KernelImage;
use tk_ptx::rewrite::Rewrite;
use tk_ptx::{Function, Module};

/// How many times as often loops have to wait without the branches. Of 83 launches with at least this, the mean is 1.15 times as fast, and ten are 2 to
/// 9 % slower; of twelve with less, three that were faster than Triton's code are 6 to 10 % slower, and two of these slower than it.
const FEWER: f64 = 1.3;

/// How many times what their text loads loops load in machine code that ptxas has written out, at least. A loop is there twice then, beside others that are not.
const WRITTEN_OUT: f64 = 1.5;

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
        if in_loops < LEAST {
            return None;
        }
        let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok()?;
        if now.waits < FASTER * f64::from(fewest_waits(&module)) || !may_wait_less(&module, code, in_loops) {
            return None;
        }
        let first = KernelImage { ptx: module.rewritten(Rewrite::LoadsFirst)?, ..image.clone() };
        // The assembler may refuse what it is asked for; it has not refused the kernel.
        let first = self.code(first).ok().filter(|first| first.made.spill_bytes == Some(0))?;
        let then = Requests::of(self.unit, &first)?;
        let words = |Code { image, made }: &Code| loaded_words(&made.cubin, &image.entry);
        let keeps_loads = words(&first)? >= words(code)?;
        let waits_less = now.waits >= FASTER * then.waits && in_loops >= FEWER * waits_in_loops(&first)?;
        (keeps_loads && waits_less && then.brought >= now.brought).then_some(first)
    }
}

/// What of the text alone says that loops may wait as much less often as they have to: they wait at least for addresses that they load, and behind what they
/// store. Loops that ptxas has written out several times load more than their text, and with branches they would not.
fn may_wait_less(module: &Module, Code { image, made }: &Code, in_loops: f64) -> bool {
    let text = module.entries().map(Function::loop_loads).max_by_key(|loads| loads.waits).unwrap_or_default();
    let words = loaded_words_in_loops(&made.cubin, &image.entry).unwrap_or_default();
    in_loops >= FEWER * f64::from(text.waits) && f64::from(words) <= WRITTEN_OUT * f64::from(text.words)
}

fn waits_in_loops(Code { image, made }: &Code) -> Option<f64> {
    memory_waits_in_loops(&made.cubin, &image.entry)
}
