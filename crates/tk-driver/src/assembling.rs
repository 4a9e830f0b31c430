//! Machine code for an image: what is asked of the assembler again once it has said what it made.
//!
//! - Where it makes dots wait for each other, or its loops spill beside dots in flight, the kernel is compiled again with dots that wait
//!   ([`Assembling::with_waits`]), unless all of them do so anyway.
//! - Where it spills although it has all registers, it is asked without being told of one CTA ([`Assembling::without_asking_for_one`]).
//! - Where it delays loads although it is told of few CTAs, it is asked without being told of them ([`Assembling::not_told_of_ctas`]).
//! - Where it delays loads for the sake of more CTAs, and these gain less than the loads lose, it is told of fewer CTAs, or of those that there are
//!   ([`Assembling::with_loads_together`]).
//! - Where a stage less lets one CTA more in, the kernel is compiled again ([`Assembling::with_one_stage_fewer`]).
//! - Where it spills much and twice the warps leave each thread all registers, the kernel is compiled again for these ([`Assembling::with_more_warps`]).
//! - Where one CTA more could share a multiprocessor for a few registers less, it is asked for that ([`one_more_cta`]); where that spills, or makes dots wait,
//!   for one more with dots that wait from the start ([`Assembling::waiting_with_more`]).
//! - Where that is refused, and the grid takes as many turns with one CTA less, it is asked for that ([`Assembling::with_one_cta_less`]).
//! - Where what came of all that spills, it is asked with a text that computes addresses of rows from each other ([`Assembling::with_address_steps`]).
//! - Where multiply-adds of what came of all that read three registers of one bank, it is asked for other orders of them
//!   ([`Assembling::with_fewer_conflicts`]).
//! - Where what came of all that leaves room for more than half of the CTAs of two turns, it is asked for half of them ([`Assembling::with_even_turns`]).
//! - Where it delays loads of loops that it has registers for, it is asked with a text that keeps them together ([`Assembling::with_loads_first`]).
//!
//! What does not wait for another answer is begun beside the one before it, where there are cores for both: the machine code is the same, and comes sooner.
//!
//! Nothing is asked again where a kernel loads large blocks and adds them to rows: it takes shared memory for two CTAs at once ([`with_fewer_at_once`]).

use crate::fewer_at_once::with_fewer_at_once;
use crate::fewer_stages::FewerStages;
use crate::machine_loops::Counted;
use crate::machine_waits::memory_waits;
use crate::more_warps::MoreWarps;
use crate::one_more::{is_worth_it, one_more_cta};
use crate::products::Products;
use crate::residents::together;
use crate::{Unit, dots};
use std::num::NonZero;
use tk_diag::{Result, SourceFile};
use tk_image::KernelImage;
use tk_types::DotPolicy;

/// What an assembler made of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// The machine code, an ELF file.
    pub cubin: Vec<u8>,
    /// Registers per thread, where it says so.
    pub registers: Option<u32>,
    /// Bytes of spill stores per thread, where it says so.
    pub spill_bytes: Option<u32>,
    /// Whether it makes every asynchronous product wait for the one before it.
    pub is_serialised: bool,
}

/// Bytes that a thread spills so few of that the assembler is asked without being told of one CTA, whatever the text needs.
const FEW_SPILLS: u32 = 128;

/// Cores with which the assembler begins with dots that wait: one for each of the image, the same without CTAs, a stage less, twice the warps, and these.
const CORES_FOR_WAITS: usize = 5;

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Who makes machine code of images.
pub trait Assemble {
    /// The machine code of an image.
    ///
    /// # Errors
    /// What the assembler says against the PTX.
    fn assemble(&mut self, image: &KernelImage) -> Result<Assembled>;

    /// Begins with an image that may be asked for next, if that can go on beside other work. What comes of one that nobody asks for is lost.
    fn begin(&mut self, image: &KernelImage);
}

impl<F: FnMut(&KernelImage) -> Result<Assembled>> Assemble for F {
    fn assemble(&mut self, image: &KernelImage) -> Result<Assembled> {
        self(image)
    }

    fn begin(&mut self, _image: &KernelImage) {}
}

/// Machine code for the image of a unit. The image becomes that of the code: its PTX says what the assembler was told.
///
/// # Errors
/// Those of the assembler, and of compiling again.
pub fn assemble(unit: &Unit<'_>, image: &mut KernelImage, assembler: &mut dyn Assemble) -> Result<Assembled> {
    let mut assembling = Assembling::new(unit, assembler);
    assembling.assembler.begin(image);
    assembling.expect_spills(image);
    let first = assembling.code(image.clone())?;
    let best = assembling.best(first)?;
    let best = assembling.with_address_steps(best);
    let best = assembling.with_fewer_conflicts(best);
    let best = assembling.with_even_turns(best);
    let best = with_fewer_at_once(unit, assembling.with_loads_first(best));
    *image = best.image;
    Ok(best.made)
}

/// An image, and what the assembler made of it.
pub(crate) struct Code {
    pub(crate) image: KernelImage,
    pub(crate) made: Assembled,
}

impl Code {
    /// CTAs that have room on a multiprocessor; `None` where nothing says how many registers they have.
    pub(crate) fn resident(&self, unit: &Unit<'_>) -> Option<u32> {
        let Self { image, made } = self;
        Some(unit.target.occupancy(made.registers?, image.shared_bytes, image.num_warps).ctas_per_sm)
    }
}

/// What an assembler made of a text.
struct Answer {
    ptx: String,
    made: Assembled,
}

/// What else is tried of a unit's code, and who assembles it.
pub(crate) struct Assembling<'a> {
    pub(crate) unit: &'a Unit<'a>,
    pub(crate) assembler: &'a mut dyn Assemble,
    /// What was asked, and what the assembler made of it: different ways lead to one text at times.
    answers: Vec<Answer>,
    /// The kernel with dots that wait, once it was compiled so.
    waiting: Option<KernelImage>,
    /// What was compiled with a stage less before it was asked for.
    pub(crate) fewer: Option<FewerStages>,
    /// What was compiled for twice the warps before it was asked for.
    pub(crate) wider: Option<MoreWarps>,
}

impl<'a> Assembling<'a> {
    /// Nothing is tried yet.
    pub(crate) fn new(unit: &'a Unit<'a>, assembler: &'a mut dyn Assemble) -> Self {
        Self { unit, assembler, answers: Vec::new(), waiting: None, fewer: None, wider: None }
    }
}

impl Assembling<'_> {
    /// The assembler begins with what may be asked of it next, the likeliest first: as much of that as cores are left beside the one for what it is
    /// asked now.
    pub(crate) fn begin_beside(&mut self, images: impl IntoIterator<Item = KernelImage>) {
        images.into_iter().take(cores() - 1).for_each(|image| self.assembler.begin(&image));
    }

    /// What the assembler makes of an image. It is asked each text once.
    pub(crate) fn code(&mut self, image: KernelImage) -> Result<Code> {
        if let Some(known) = self.answers.iter().find(|known| known.ptx == image.ptx) {
            return Ok(Code { image, made: known.made.clone() });
        }
        let made = self.assembler.assemble(&image)?;
        self.answers.push(Answer { ptx: image.ptx.clone(), made: made.clone() });
        Ok(Code { image, made })
    }

    /// The code that runs fastest of those that are tried.
    pub(crate) fn best(&mut self, mut code: Code) -> Result<Code> {
        if let Some(waiting) = self.with_waits(&code)? {
            code = waiting;
        }
        if let Some(free) = self.without_asking_for_one(&code) {
            code = free;
        }
        if let Some(free) = self.not_told_of_ctas(&code) {
            code = free;
        }
        if let Some(together) = self.with_loads_together(&code) {
            return Ok(together);
        }
        if let Some(roomy) = self.with_room(&code) {
            return Ok(roomy);
        }
        let mut has_its_cta = false;
        if let Some(fewer) = self.with_one_stage_fewer(&code) {
            // A CTA that was let in by a stage hides what another one would: of eight launches by `mma.sync` six are 1 to 13 % slower with one more.
            has_its_cta = matches!(Products::of(&fewer.image.ptx), Products::OfWarps);
            code = fewer;
        }
        if let Some(wider) = self.with_more_warps(&code) {
            return Ok(wider);
        }
        let Some(asked) = one_more_cta(self.unit, &code).filter(|_| !has_its_cta) else {
            return Ok(self.with_one_cta_less(&code).unwrap_or(code));
        };
        // The assembler may refuse what it is asked for; it has not refused the kernel.
        let with_more = self.code(asked).ok().filter(|more| is_worth_it(self.unit, &code, more));
        let Some(with_more) = with_more else {
            let other = self.waiting_with_more(&code)?.or_else(|| self.with_one_cta_less(&code));
            return Ok(other.unwrap_or(code));
        };
        if with_more.made.is_serialised && !code.made.is_serialised {
            return Ok(self.waiting_with_more(&code)?.unwrap_or(with_more));
        }
        Ok(self.with_waits(&with_more)?.unwrap_or(with_more))
    }

    /// The code with dots that wait where they are issued, where that is better: registers of a dot in flight are taken, and what else a loop keeps in
    /// registers meanwhile may have no room.
    fn with_waits(&mut self, code: &Code) -> Result<Option<Code>> {
        let Code { image, made } = code;
        let spilled = spills_of_loops(self.unit, code).filter(|loops| loops.spills >= worth(*loops));
        if image.resources.dots == DotPolicy::Wait || !made.is_serialised && spilled.is_none() {
            return Ok(None);
        }
        if dots::wait_anyway(image) {
            return Ok(None);
        }
        let Some(waiting) = self.waiting_as(image)? else { return Ok(None) };
        let waiting = self.code(waiting)?;
        let is_better = match (made.is_serialised, spilled) {
            // What the assembler makes wait is as slow, unless it spills less.
            (true, _) => waiting.made.spill_bytes <= made.spill_bytes,
            (false, Some(loops)) => spills_of_loops(self.unit, &waiting)
                .is_some_and(|then| then.spills + worth(loops) <= loops.spills && !waiting.made.is_serialised),
            (false, None) => false,
        };
        Ok(is_better.then_some(waiting))
    }

    /// An image with dots that wait, which gets what this one has: as many CTAs, and as many stages. Nothing where that is the same one.
    fn waiting_as(&mut self, image: &KernelImage) -> Result<Option<KernelImage>> {
        let mut waiting = self.that_waits()?;
        let ctas = tk_codegen::resident_ctas(&image.ptx);
        if let Some(ptx) = ctas.and_then(|ctas| tk_codegen::with_resident_ctas(&waiting.ptx, ctas)) {
            waiting.ptx = ptx;
        }
        let is_other = waiting.ptx != image.ptx && waiting.shared_bytes == image.shared_bytes;
        Ok(is_other.then_some(waiting))
    }

    /// The kernel with dots that wait, compiled once.
    pub(crate) fn that_waits(&mut self) -> Result<KernelImage> {
        let waiting = match self.waiting.take() {
            Some(waiting) => waiting,
            None => dots::that_wait(self.unit)?,
        };
        self.waiting = Some(waiting.clone());
        Ok(waiting)
    }

    /// The code that asks for no CTAs, where the one that asks for one alone spills twice as much. With all registers ptxas issues early what it has
    /// registers for, and at times more than that: of 2,386 recorded launches 42 spill and are asked for CTAs, and three of these spill nothing without;
    /// two products of a cross entropy are 5 % faster then (docs/measurements.md, "ptxas spills at times because it has all registers"). Few spills are less than
    /// loads that wait for each other instead ([`Self::takes_loads_apart`]).
    fn without_asking_for_one(&mut self, code: &Code) -> Option<Code> {
        let Code { image, made } = code;
        let spills = made.spill_bytes.filter(|bytes| *bytes > 0)?;
        let ptx = tk_codegen::without_resident_ctas(&image.ptx, 1)?;
        // What needs more registers than there are spills in any case, and much more where ptxas then takes few: fifteen of 50 recorded launches spill at
        // most so few bytes, and none of these much more without. The order of a text with `wgmma` does not say that.
        if spills > FEW_SPILLS && !ptx.contains("wgmma.") && needs_more_registers(self.unit, image) {
            return None;
        }
        let free = KernelImage { ptx, ..image.clone() };
        // It is seldom better, and what comes next then takes its time beside it.
        self.assembler.begin(&free);
        self.begin_one_stage_fewer(code);
        self.begin_more_warps(code);
        let free = self.code(free).ok()?;
        let is_better = free.made.spill_bytes? <= spills / 2 && (made.is_serialised || !free.made.is_serialised);
        let takes_loads_apart = spills <= FEW_SPILLS && self.takes_loads_apart(code, &free);
        (is_better && !takes_loads_apart).then_some(free)
    }

    /// The assembler begins with what will be asked of it once it has said that an image spills, beside that image: one that computes on more than a thread
    /// can have, and does not ask for more CTAs than one.
    fn expect_spills(&mut self, image: &KernelImage) {
        let takes_all = tk_codegen::resident_ctas(&image.ptx).is_none_or(|ctas| ctas == 1);
        if !takes_all || !needs_more_registers(self.unit, image) {
            return;
        }
        // Others are asked for where few bytes spill, which nobody knows before.
        let free = tk_codegen::without_resident_ctas(&image.ptx, 1).filter(|ptx| ptx.contains("wgmma."));
        free.into_iter().for_each(|ptx| self.assembler.begin(&KernelImage { ptx, ..image.clone() }));
        self.expect_one_stage_fewer(image);
        self.expect_more_warps(image);
        self.expect_waits(image);
    }

    /// The assembler begins with dots that wait beside an image that it has begun with and whose loops probably spill beside dots in flight, where there is a
    /// core for each of what is begun.
    fn expect_waits(&mut self, image: &KernelImage) {
        let overlaps = image.ptx.contains("wgmma.") && image.resources.dots == DotPolicy::Overlap;
        if cores() < CORES_FOR_WAITS || !overlaps || dots::wait_anyway(image) {
            return;
        }
        // Where it does not compile so, it is asked for once more, and says why.
        if let Ok(Some(waiting)) = self.waiting_as(image) {
            self.assembler.begin(&waiting);
        }
    }

    /// The code with half of the CTAs, where ptxas spills a few registers for more of them that nobody has asked for: all chains of a reduction, one after the
    /// other in 32 registers. Five launches are 4 % faster in the mean, the best 12 %, one 2 % slower (docs/measurements.md, "ptxas spills for CTAs").
    fn with_room(&mut self, code: &Code) -> Option<Code> {
        let Code { image, made } = code;
        made.registers.filter(|registers| 2 * registers <= self.unit.target.max_registers_per_thread())?;
        made.spill_bytes.filter(|bytes| *bytes > 0)?;
        let ptx = tk_codegen::with_resident_ctas(&image.ptx, (code.resident(self.unit)? / 2).max(1))?;
        let roomy = self.code(KernelImage { ptx, ..image.clone() }).ok()?;
        (roomy.made.spill_bytes == Some(0)).then_some(roomy)
    }

    /// The code that asks for so many CTAs.
    pub(crate) fn asked_for(&mut self, Code { image, .. }: &Code, ctas: u32) -> Option<Code> {
        let ptx = tk_codegen::with_resident_ctas(&image.ptx, ctas)?;
        self.code(KernelImage { ptx, ..image.clone() }).ok().filter(|code| code.made.spill_bytes == Some(0))
    }
}

/// The text of an image computes on more than a thread can have.
fn needs_more_registers(unit: &Unit<'_>, image: &KernelImage) -> bool {
    let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok();
    let registers = unit.target.max_registers_per_thread();
    module.is_some_and(|module| module.entries().any(|entry| entry.peak_registers() > registers))
}

/// The part of the instructions of loops that spills have to save. Of 27 launches that spill beside dots in flight, 16 save as much by waiting: these
/// are 9 % faster in the mean, one of them 6 % slower. The others are 2 % slower, and five of these spill outside of their loops (docs/measurements.md, "Products wait where loops spill beside them").
const WORTH_WAITING: f64 = 0.015;

/// Spills that have to go away.
fn worth(loops: Counted) -> u32 {
    ((WORTH_WAITING * f64::from(loops.instructions)).ceil() as u32).max(1)
}

/// The loops of a kernel with dots by `wgmma`, if it spills.
fn spills_of_loops(unit: &Unit<'_>, Code { image, made }: &Code) -> Option<Counted> {
    let may_spill = unit.target.has_countable_waits() && made.spill_bytes.is_some() && image.ptx.contains("wgmma.");
    if may_spill { Counted::of_loops(&made.cubin, &image.entry) } else { None }
}

/// How fast a multiprocessor asks memory.
#[derive(Clone, Copy)]
pub(crate) struct Requests {
    /// Waits of a warp for memory.
    pub(crate) waits: f64,
    /// CTAs that have room on a multiprocessor.
    pub(crate) resident: u32,
    /// CTAs of these that the grid brings.
    pub(crate) brought: u32,
    /// CTAs that ask at the same time, in the mean of the waves that a grid of few takes.
    asking: f64,
}

impl Requests {
    pub(crate) fn of(unit: &Unit<'_>, code: &Code) -> Option<Self> {
        let waits = memory_waits(&code.made.cubin, &code.image.entry)?;
        let resident = code.resident(unit)?;
        let brought = unit.options.residency.at_most().map_or(resident, |most| resident.min(most));
        Some(Self { waits, resident, brought, asking: together(unit.options.residency, resident) })
    }

    /// CTAs that ask at the same time, over how often each waits.
    pub(crate) fn rate(&self) -> f64 {
        self.asking / self.waits.max(1.0)
    }
}
