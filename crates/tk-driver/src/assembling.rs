//! Machine code for an image: what is asked of the assembler again once it has said what it made.
//!
//! - Where it makes dots wait for each other, or its loops spill beside dots in flight, the kernel is compiled again with dots that wait
//!   ([`Assembling::with_waits`]).
//! - Where it spills although it has all registers, it is asked without being told of one CTA ([`Assembling::without_asking_for_one`]).
//! - Where it delays loads for the sake of more CTAs, and these gain less than the loads lose, it is told of fewer CTAs, or of those that there are
//!   ([`Assembling::with_loads_together`]).
//! - Where a stage less lets one CTA more in, the kernel is compiled again ([`Assembling::with_one_stage_fewer`]).
//! - Where it spills much and twice the warps leave each thread all registers, the kernel is compiled again for these ([`Assembling::with_more_warps`]).
//! - Where one CTA more could share a multiprocessor for a few registers less, it is asked for that ([`one_more_cta`]); where that spills, for one more with
//!   dots that wait ([`Assembling::waiting_with_more`]).
//! - Where that is refused, and the grid takes as many turns with one CTA less, it is asked for that ([`Assembling::with_one_cta_less`]).
//! - Where multiply-adds of what came of all that read three registers of one bank, it is asked for other orders of them
//!   ([`Assembling::with_fewer_conflicts`]).
//!
//! What does not wait for another answer is begun beside the one before it, where there are cores for both: the machine code is the same, and comes sooner.
//!
//! Nothing is asked again where a kernel loads large blocks and adds them to rows: it takes shared memory for two CTAs at once ([`with_fewer_at_once`]).

use crate::fewer_at_once::with_fewer_at_once;
use crate::fewer_stages::FewerStages;
use crate::loads_together::{Requests, waves};
use crate::machine_loops::Counted;
use crate::more_warps::MoreWarps;
use crate::{Unit, dots};
use std::num::NonZero;
use tk_diag::{Result, SourceFile};
use tk_image::KernelImage;
use tk_target::Limit;
use tk_types::{DotPolicy, Residency};

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

/// How far registers may be above those with which one CTA more fits. Where the grid brought more CTAs than had room, seven kernels without products
/// ran 6 % faster with one more, one of them 1 % slower, and another one with 1.25 times the registers 9 % slower; where it did not,
/// fewer registers cost up to 38 % (docs/performance.md, "Registers and CTAs").
const NEARLY: f64 = 1.2;
/// The same of kernels that have fewer than [`ENOUGH_CTAS`], and of those whose CTAs then come in a wave less ([`Gain::Waves`]).
const NEARLY_OF_FEW: f64 = 1.25;

/// The same of kernels without products that have at most [`FEW_CTAS`], and ask memory faster with one more ([`Gain::Share`]): of seven launches, with 1.26 to
/// 1.5 times the registers, four are 7 to 32 % faster, three within 2 % (docs/measurements.md, "A third CTA is worth a third of the registers").
const NEARLY_OF_SHARES: f64 = 1.55;
/// CTAs of which one more is a quarter, at least.
const FEW_CTAS: u32 = 4;

/// With so many CTAs and more, one more brings kernels with products nothing, if they have
const ENOUGH_CTAS: u32 = 5;
/// so many warps: of nine launches with one or two warps in a CTA, eight are 2 to 36 % faster with one CTA more than five, and one 3 % slower
/// (docs/measurements.md, "A CTA more is worth a few registers").
const ENOUGH_WARPS: u32 = 20;
/// Bytes that one CTA more may spill in kernels with products, over the CTAs that there are without it: of fourteen launches the mean is 9 % faster,
/// three are 1 % slower; with more bytes others are slower by up to 35 % (docs/measurements.md, "A CTA more is worth a few registers").
pub(crate) const SPILLS_FOR_CTAS: u32 = 120;

/// Bytes that a thread spills so few of that the assembler is asked without being told of one CTA, whatever the text needs.
const FEW_SPILLS: u32 = 128;

/// Bytes that a second CTA may spill in kernels without products, where one would be alone and the grid comes in half as many waves with two: of two launches
/// one with 44 bytes runs 1.18 times as fast, one with 64 1.22 times. Beside products more bytes gain and lose: 360 and 476 are 1.08 and 1.1 times as
/// fast, 376, 540 and 968 take 1.2 to 1.6 times as long (docs/measurements.md, "A second CTA is worth a few spills").
const SPILLS_FOR_A_SECOND: u32 = 64;

/// How much longer the machine code may be, spills included. What it is measured by holds the PTX as well, as machine code that ptxas makes of a file does.
const LONGER: f64 = 1.03;
/// The same of kernels with products, and of those that wait for memory.
const LONGER_WITH_PRODUCTS: f64 = 1.06;
/// How much longer loops may be for a fourth CTA or a later one that spills: with 1.074 times the instructions gradients of attention are 1.05 times as fast,
/// with 1.089 times they take 1.14 times as long (docs/measurements.md, "The last CTA of a grid is not worth spills").
const LONGER_WITH_SPILLS: f64 = 1.08;

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
    let best = with_fewer_at_once(unit, assembling.with_fewer_conflicts(best));
    *image = best.image;
    Ok(best.made)
}

/// An image, and what the assembler made of it.
pub(crate) struct Code {
    pub(crate) image: KernelImage,
    pub(crate) made: Assembled,
}

/// What else is tried of a unit's code, and who assembles it.
pub(crate) struct Assembling<'a> {
    pub(crate) unit: &'a Unit<'a>,
    pub(crate) assembler: &'a mut dyn Assemble,
    /// What was compiled with a stage less before it was asked for.
    pub(crate) fewer: Option<FewerStages>,
    /// What was compiled for twice the warps before it was asked for.
    pub(crate) wider: Option<MoreWarps>,
}

impl<'a> Assembling<'a> {
    /// Nothing is tried yet.
    pub(crate) fn new(unit: &'a Unit<'a>, assembler: &'a mut dyn Assemble) -> Self {
        Self { unit, assembler, fewer: None, wider: None }
    }
}

impl Assembling<'_> {
    /// The assembler begins with what may be asked of it next, the likeliest first: as much of that as cores are left beside the one for what it is
    /// asked now.
    pub(crate) fn begin_beside(&mut self, images: impl IntoIterator<Item = KernelImage>) {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        images.into_iter().take(cores - 1).for_each(|image| self.assembler.begin(&image));
    }

    pub(crate) fn code(&mut self, image: KernelImage) -> Result<Code> {
        let made = self.assembler.assemble(&image)?;
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
        if let Some(together) = self.with_loads_together(&code) {
            return Ok(together);
        }
        if let Some(roomy) = self.with_room(&code) {
            return Ok(roomy);
        }
        if let Some(fewer) = self.with_one_stage_fewer(&code) {
            code = fewer;
        }
        if let Some(wider) = self.with_more_warps(&code) {
            return Ok(wider);
        }
        let Some(with_more) = one_more_cta(self.unit, &code) else {
            return Ok(self.with_one_cta_less(&code).unwrap_or(code));
        };
        // The assembler may refuse what it is asked for; it has not refused the kernel.
        let unit = self.unit;
        let is_allowed =
            |more: &Code| Cost::of(unit, &code).allows(&code.made, &more.made) && is_worth_spills(unit, &code, more);
        let with_more = self.code(with_more).ok().filter(is_allowed);
        let with_more = with_more.filter(|more| match Gain::of_one_more(self.unit, &code) {
            Gain::Ctas => true,
            Gain::Memory => asks_faster(self.unit, &code, more) && keeps_loops(&code, more),
            Gain::Waves => asks_faster(self.unit, &code, more) && is_as_short(&code, more),
            Gain::Share => asks_faster(self.unit, &code, more) && is_little_longer(&code, more),
        });
        let Some(with_more) = with_more else {
            let other = self.waiting_with_more(&code)?.or_else(|| self.with_one_cta_less(&code));
            return Ok(other.unwrap_or(code));
        };
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
        let mut waiting = dots::that_wait(self.unit)?;
        // It gets what the image has: as many CTAs, and as many stages.
        let ctas = tk_codegen::resident_ctas(&image.ptx);
        if let Some(ptx) = ctas.and_then(|ctas| tk_codegen::with_resident_ctas(&waiting.ptx, ctas)) {
            waiting.ptx = ptx;
        }
        if waiting.ptx == image.ptx || waiting.shared_bytes != image.shared_bytes {
            return Ok(None);
        }
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

    /// The code that asks for no CTAs, where the one that asks for one alone spills twice as much. With all registers ptxas issues early what it has
    /// registers for, and at times more than that: of 2,386 recorded launches 42 spill and are asked for CTAs, and three of these spill nothing without;
    /// two products of a cross entropy are 5 % faster then (docs/measurements.md, "ptxas spills at times because it has all registers").
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
        is_better.then_some(free)
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
    }

    /// The code with half of the CTAs, where ptxas spills a few registers for more of them that nobody has asked for: all chains of a reduction, one after the
    /// other in 32 registers. Five launches are 4 % faster in the mean, the best 12 %, one 2 % slower (docs/measurements.md, "ptxas spills for CTAs").
    fn with_room(&mut self, code: &Code) -> Option<Code> {
        let Code { image, made } = code;
        let registers =
            made.registers.filter(|registers| 2 * registers <= self.unit.target.max_registers_per_thread())?;
        made.spill_bytes.filter(|bytes| *bytes > 0)?;
        let now = self.unit.target.occupancy(registers, image.shared_bytes, image.num_warps).ctas_per_sm;
        let ptx = tk_codegen::with_resident_ctas(&image.ptx, (now / 2).max(1))?;
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

/// How many times as many waits for memory there must be under way with one CTA more. On an H200 thirty launches of other people are 2.5 % faster in the
/// mean with it, the best 9 %, one 1 % slower (docs/measurements.md, "A CTA more is worth a few registers").
pub(crate) const FASTER: f64 = 1.1;

/// What the products of a kernel are to another CTA.
pub(crate) enum Products {
    None,
    /// By `mma.sync`, each of which a warp waits for where it needs it.
    OfWarps,
    /// By `wgmma`, all of which are done where a warp group waits: it computes on them, or writes its operands to shared memory, and the tensor cores
    /// are another CTA's meanwhile.
    WaitedFor,
    /// By `wgmma`, of which some run on behind a wait, beside all that the group does. Another CTA finds the tensor cores taken.
    InFlight,
}

impl Products {
    pub(crate) fn of(ptx: &str) -> Self {
        if !ptx.contains("wgmma.") {
            return if ptx.contains("mma.sync.") { Self::OfWarps } else { Self::None };
        }
        // What follows each wait, up to the next one. A wait for some, with one for all right behind it, is one for all.
        let mut waits = ptx.split("wgmma.wait_group.sync.aligned ").skip(1).peekable();
        while let Some(rest) = waits.next() {
            let goes_on = waits.peek().is_none() || rest.lines().skip(1).any(is_instruction);
            if goes_on && !rest.starts_with("0;") {
                return Self::InFlight;
            }
        }
        Self::WaitedFor
    }
}

/// Not an empty line, a comment, or a directive such as `.loc`.
fn is_instruction(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && !text.starts_with("//") && !text.starts_with('.')
}

/// CTAs up to which one more is asked for beside products in flight. With two, a third one brought nothing. One that is alone leaves the tensor cores idle
/// wherever it waits for anything else: gradients of linear attention with 129 registers in eight warps are 1.6 times as fast with 128.
const CTAS_IN_FLIGHT: u32 = 2;

/// The image whose PTX asks for one CTA more on a multiprocessor, where registers are what keeps it away, and few of them, and where the grid
/// brings it. Kernels without products gain from grids that bring many times as many where memory is asked faster ([`asks_faster`]), and kernels whose
/// `wgmma` are in flight all the time gain nothing from a third: with more registers they read what they need earlier. Those that wait for their products gain the more the
/// longer they wait (docs/measurements.md, "A CTA more is worth a few registers").
pub(crate) fn one_more_cta(unit: &Unit<'_>, code: &Code) -> Option<KernelImage> {
    let Code { image, made } = code;
    let enough = enough_ctas(image.num_warps);
    let most = match (Products::of(&image.ptx), unit.options.residency) {
        (Products::None, Residency::AtMost(most)) => most,
        (Products::OfWarps | Products::WaitedFor, Residency::AtMost(most)) => most.min(enough),
        (Products::OfWarps | Products::WaitedFor, Residency::Many) => enough,
        (Products::InFlight, Residency::AtMost(most)) => most.min(CTAS_IN_FLIGHT),
        (Products::InFlight, Residency::Many) => CTAS_IN_FLIGHT,
        // How fast that asks memory is seen afterwards.
        (Products::None, Residency::Many) if unit.target.has_countable_waits() => u32::MAX,
        (Products::None, Residency::Many) | (_, Residency::Any | Residency::One) => return None,
    };
    let registers = made.registers?;
    let now = unit.target.occupancy(registers, image.shared_bytes, image.num_warps);
    let budget = unit.target.register_budget(image.num_warps, now.ctas_per_sm + 1);
    let nearly = match Gain::of_one_more(unit, code) {
        Gain::Ctas if now.ctas_per_sm >= enough => NEARLY,
        Gain::Ctas | Gain::Memory | Gain::Waves => NEARLY_OF_FEW,
        Gain::Share => NEARLY_OF_SHARES,
    };
    // Both may keep the next one away.
    let has_room = unit.target.occupancy(budget, image.shared_bytes, image.num_warps).ctas_per_sm > now.ctas_per_sm;
    // One CTA alone has all registers, and ptxas takes more of them than it needs, but for products in flight.
    let is_in_flight = matches!(Products::of(&image.ptx), Products::InFlight);
    let is_few = now.ctas_per_sm == 1 && !is_in_flight || f64::from(registers) <= nearly * f64::from(budget);
    let is_near = now.limit == Limit::Registers && has_room && is_few;
    if !is_near || !(1..most).contains(&now.ctas_per_sm) || made.spill_bytes != Some(0) {
        return None;
    }
    // As many waves of CTAs as before, the last one at most half full: what the first ones share lasts longer.
    let with_more = now.ctas_per_sm + 1;
    let ends_idle = |brought: u32| {
        let (waves, then) = (brought.div_ceil(now.ctas_per_sm), brought.div_ceil(with_more));
        let last = brought - (then.max(1) - 1) * with_more;
        waves == then && 2 * last <= with_more
    };
    let products = !matches!(Products::of(&image.ptx), Products::None);
    if let Residency::AtMost(brought) = unit.options.residency
        && products
        && ends_idle(brought)
    {
        return None;
    }
    let ptx = tk_codegen::with_resident_ctas(&image.ptx, now.ctas_per_sm + 1)?;
    Some(KernelImage { ptx, ..image.clone() })
}

/// What one CTA more is for.
enum Gain {
    /// It computes beside the others.
    Ctas,
    /// It asks memory, beside others of a kernel without products whose grid brings many.
    Memory,
    /// The few CTAs of a grid come in a wave less, and have to give up many registers for it. That may cost more than the wave, so only code that is
    /// no longer is taken. A product with a vector, 39 registers and then 32 with as many instructions, runs 1.23 times as fast with eight CTAs
    /// instead of six, where the grid brings sixteen (docs/measurements.md, "CTAs come in waves").
    Waves,
    /// A kernel without products has few CTAs, and has to give up many registers for another one. It is a larger part of all than the registers are of those
    /// of a thread, if nothing spills and loads do not wait for each other then.
    Share,
}

impl Gain {
    fn of_one_more(unit: &Unit<'_>, code: &Code) -> Self {
        if is_far_for_a_share(unit, code) {
            return Self::Share;
        }
        match unit.options.residency {
            Residency::AtMost(brought) if is_far_for_a_wave(unit, code, brought) => Self::Waves,
            Residency::Many if is_for_memory(unit, code) => Self::Memory,
            Residency::Any | Residency::One | Residency::AtMost(_) | Residency::Many => Self::Ctas,
        }
    }
}

/// A kernel without products that has many CTAs and more registers than [`NEARLY`] says, and whose grid comes in a wave less with the next number of CTAs
/// that registers let in.
fn is_far_for_a_wave(unit: &Unit<'_>, code: &Code, brought: u32) -> bool {
    let Code { image, made } = code;
    let Some(registers) = made.registers.filter(|_| unit.target.has_countable_waits()) else { return false };
    let ctas = |registers| unit.target.occupancy(registers, image.shared_bytes, image.num_warps).ctas_per_sm;
    let now = ctas(registers);
    let budget = unit.target.register_budget(image.num_warps, now + 1);
    let is_far = now >= enough_ctas(image.num_warps) && f64::from(registers) > NEARLY * f64::from(budget);
    let has_products = !matches!(Products::of(&image.ptx), Products::None);
    is_far && !has_products && waves(brought, ctas(budget)) < waves(brought, now)
}

/// A kernel without products that has several CTAs, but few, and more registers than [`NEARLY_OF_FEW`] says.
fn is_far_for_a_share(unit: &Unit<'_>, Code { image, made }: &Code) -> bool {
    let Some(registers) = made.registers.filter(|_| unit.target.has_countable_waits()) else { return false };
    let now = unit.target.occupancy(registers, image.shared_bytes, image.num_warps).ctas_per_sm;
    let budget = unit.target.register_budget(image.num_warps, now + 1);
    let is_far = f64::from(registers) > NEARLY_OF_FEW * f64::from(budget);
    (2..=FEW_CTAS).contains(&now) && is_far && matches!(Products::of(&image.ptx), Products::None)
}

/// A kernel without products whose grid brings more CTAs than have room: others only ask memory sooner.
fn is_for_memory(unit: &Unit<'_>, Code { image, .. }: &Code) -> bool {
    matches!((Products::of(&image.ptx), unit.options.residency), (Products::None, Residency::Many))
}

/// One CTA has a multiprocessor for itself, and those that the grid brings come in half as many waves with another one beside it.
fn halves_waves(unit: &Unit<'_>, resident: u32) -> bool {
    let brought = unit.options.residency.at_most();
    resident == 1 && brought.is_some_and(|brought| brought > 1 && 2 * waves(brought, 2) == waves(brought, 1))
}

/// With one CTA more than three or more, all that the grid brings run at once. Without it the last one of a multiprocessor comes when others end, and has more
/// of it than it would have from the start: the wave that is saved is a short one. Of four launches that spill 16 to 36 bytes for that three take 1.02 to 1.13
/// times as long, and one is level; where grids bring more, eight of ten with 8 to 44 bytes are 1.02 to 1.2 times as fast (docs/measurements.md, "The last
/// CTA of a grid is not worth spills").
fn is_last_of_few(residency: Residency, resident: u32) -> bool {
    resident > 2 && residency.at_most() == Some(resident + 1)
}

/// With one CTA more, a multiprocessor asks memory [`FASTER`] than without.
fn asks_faster(unit: &Unit<'_>, code: &Code, more: &Code) -> bool {
    let rate = |code| Requests::of(unit, code).map(|requests| requests.rate());
    rate(code).zip(rate(more)).is_some_and(|(now, then)| then >= FASTER * now)
}

/// The loops are about as long with one CTA more. Where addresses are computed anew in each iteration, warps that issue instructions all the time lose what
/// memory gives them: a product by multiply-add whose loop has 1307 instructions instead of 1191 is 8 % slower on an H200.
pub(crate) fn keeps_loops(code: &Code, more: &Code) -> bool {
    has_loops_within(code, more, LONGER_WITH_PRODUCTS)
}

/// The loops have at most so many times the instructions with one CTA more.
fn has_loops_within(code: &Code, more: &Code, most: f64) -> bool {
    let loops =
        |Code { image, made }: &Code| Counted::of_loops(&made.cubin, &image.entry).map(|loops| loops.instructions);
    let (now, then) = (loops(code).unwrap_or(0), loops(more).unwrap_or(0));
    f64::from(then) <= most * f64::from(now)
}

/// One CTA more than three or more, which spills, leaves the loops of a kernel with products about as long ([`LONGER_WITH_SPILLS`]). Without spills, or where
/// it is a half of those that there are or more, that does not matter.
fn is_worth_spills(unit: &Unit<'_>, code: &Code, more: &Code) -> bool {
    let Code { image, made } = code;
    let resident = |registers| unit.target.occupancy(registers, image.shared_bytes, image.num_warps).ctas_per_sm;
    let is_small = made.registers.is_some_and(|registers| resident(registers) > 2);
    let multiplies = !matches!(Products::of(&image.ptx), Products::None);
    let spills = more.made.spill_bytes != Some(0);
    !(is_small && multiplies && spills) || has_loops_within(code, more, LONGER_WITH_SPILLS)
}

/// The code has no more instructions with one CTA more.
fn is_as_short(code: &Code, more: &Code) -> bool {
    let all = |Code { image, made }: &Code| Counted::of_all(&made.cubin, &image.entry).map(|all| all.instructions);
    all(code).zip(all(more)).is_some_and(|(now, then)| then <= now) && keeps_loops(code, more)
}

/// The code has few more instructions with one CTA more. Loops alone say little here: the one for large angles seldom runs.
fn is_little_longer(code: &Code, more: &Code) -> bool {
    let all = |Code { image, made }: &Code| Counted::of_all(&made.cubin, &image.entry).map(|all| all.instructions);
    all(code).zip(all(more)).is_some_and(|(now, then)| f64::from(then) <= LONGER_WITH_PRODUCTS * f64::from(now))
}

/// With so many CTAs of so many warps, one more brings kernels with products nothing.
fn enough_ctas(num_warps: u32) -> u32 {
    ENOUGH_CTAS.max(ENOUGH_WARPS / num_warps.max(1))
}

/// What one CTA more may cost.
struct Cost {
    /// Bytes of spills.
    spills: u32,
    /// How much longer the code may be, with its text beside it.
    longer: f64,
    /// Bytes of the text.
    text: usize,
}

impl Cost {
    fn of(unit: &Unit<'_>, code: &Code) -> Self {
        let Code { image, made } = code;
        let resident = |registers| unit.target.occupancy(registers, image.shared_bytes, image.num_warps).ctas_per_sm;
        let text = image.ptx.len();
        match (Products::of(&image.ptx), made.registers) {
            (Products::OfWarps | Products::WaitedFor, Some(registers)) => {
                let resident = resident(registers).max(1);
                let spills =
                    if is_last_of_few(unit.options.residency, resident) { 0 } else { SPILLS_FOR_CTAS / resident };
                Self { spills, longer: LONGER_WITH_PRODUCTS, text }
            }
            (Products::None, Some(registers)) if halves_waves(unit, resident(registers)) => {
                Self { spills: SPILLS_FOR_A_SECOND, longer: LONGER_WITH_PRODUCTS, text }
            }
            // Where memory is asked faster, addresses that are computed anew cost little.
            (Products::None, _) if is_for_memory(unit, code) => Self { spills: 0, longer: LONGER_WITH_PRODUCTS, text },
            (Products::OfWarps | Products::WaitedFor, None) | (Products::None | Products::InFlight, _) => {
                Self { spills: 0, longer: LONGER, text }
            }
        }
    }

    fn allows(&self, made: &Assembled, with_less: &Assembled) -> bool {
        let bytes = |made: &Assembled| (made.cubin.len() + self.text) as f64;
        let is_as_short = bytes(with_less) <= self.longer * bytes(made);
        let spills_little = with_less.spill_bytes.is_some_and(|bytes| bytes <= self.spills);
        let has_less = with_less.registers < made.registers && spills_little;
        has_less && is_as_short && (made.is_serialised || !with_less.is_serialised)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_cta_of_a_grid_comes_when_others_end() {
        assert!(is_last_of_few(Residency::AtMost(4), 3));
        assert!(
            !is_last_of_few(Residency::AtMost(3), 2) && !is_last_of_few(Residency::AtMost(2), 1),
            "half of the work"
        );
        assert!(!is_last_of_few(Residency::AtMost(8), 3) && !is_last_of_few(Residency::Many, 3), "others follow");
    }
}
