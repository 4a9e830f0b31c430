//! Twice the warps, where the blocks of a kernel are larger than the registers of the threads that it is launched with.
//!
//! Four warps with 255 registers each have half of a multiprocessor's registers. Where they spill, eight have all of them, and each thread has half of
//! every block. One CTA then has the multiprocessor where two had it, which spilled at the same time.
//!
//! Of 60 recorded and generated launches that spill, with one to four warps, eight are slower with twice of these on an H200, and the mean is 1.63 times as
//! fast, the best 5.7 times; of those with one or two warps the best is 12 times as fast with four times as many (docs/measurements.md, "Spills are worth
//! twice the warps").
//!
//! Fewer spills count where they are not the only thing that more warps save. A loop of f64 has so many instructions for each number that spills are a
//! small part of them. If it moves half as many bytes to local memory and back as it loads, and is longer than a cache for instructions can hold for
//! each of two CTAs, twice the warps take the spills away, and each runs through half of the code. Code without loops is run through once, so no cache
//! saves any of it: there a multiprocessor has to have more warps in all, not as many in one CTA less.

use crate::assembling::{Assembling, Code};
use crate::compile::{compile, depends_on_warps};
use crate::machine_loops::Counted;
use crate::{Unit, Until, Unwatched};
use tk_image::KernelImage;
use tk_types::CompileOptions;

/// The part of the instructions of loops, or of all where there are none, that spills have to be. Of 60 launches twelve have less: five of these are slower
/// with twice the warps, by 5 to 25 %, and seven are 4 to 61 % faster. Of the others three are slower, by 2 to 7 %.
const MUCH: f64 = 0.03;

/// Instructions that are long code: 64 KiB, half of the cache for instructions that two CTAs at different places share. A sum of exponentials of doubles with
/// 6027 of them, 2.07 % of which spill, is 2.6 times as fast with eight warps instead of four, whose loop has 2986; without the second copy of its loop, which
/// keeps most of the spills, it is 2.15 times as fast as with it, and without spills, but as long, 1.4 times (docs/measurements.md, "Spills are worth twice
/// the warps").
const LONG: u32 = 4096;

/// The part of the instructions of long code that spills have to be. The loop above, written once, has 1.70 %, and takes 1.23 times as long as with
/// eight warps, its gradient 1.4 % and 1.5 times as long; nobody has timed less.
const MUCH_OF_LONG: f64 = 0.0125;

/// The part of the bytes that long code loads which it has to move to local memory and back: one in so many.
const LOADED_TO_SPILLED: u32 = 2;

/// Quarters of long code that may be left with twice the warps.
const QUARTERS_LEFT: u32 = 3;

/// The part of the bytes that spill, beyond which twice the warps spill too much as well: one launch that kept 0.63 of them was 6 % slower.
const LEFT: u32 = 2;

/// A kernel with twice the warps of a unit.
pub(crate) struct MoreWarps {
    /// `None` where the kernel says something else with other warps, or does not compile for them.
    image: Option<KernelImage>,
}

impl MoreWarps {
    fn compiled(unit: &Unit<'_>, wider: &Unit<'_>) -> Self {
        let is_same = !depends_on_warps(unit, wider);
        let compilation = is_same.then(|| compile(wider, Until::Ptx, &mut Unwatched).ok()).flatten();
        Self { image: compilation.and_then(|compilation| compilation.image) }
    }
}

impl Assembling<'_> {
    /// The code for twice the warps, and for twice of these where that spills as well, each with what else is tried.
    pub(crate) fn with_more_warps(&mut self, code: &Code) -> Option<Code> {
        let reason = self.reason_for_more_warps(code)?;
        let unit = with_twice_the_warps(self.unit);
        let known = self.wider.take();
        let image = known.unwrap_or_else(|| MoreWarps::compiled(self.unit, &unit)).image?;
        let mut wider = Assembling::new(&unit, &mut *self.assembler);
        let first = wider.code(image).ok()?;
        let best = wider.best(first).ok()?;
        let is_worth_it =
            best.made.spill_bytes? <= code.made.spill_bytes? / LEFT && reason.is_met_by(self.unit, code, &best);
        is_worth_it.then_some(best)
    }

    /// The assembler begins with twice the warps beside an image that it has begun with and that needs more registers than there are: most of these spill
    /// enough to be asked for more warps.
    pub(crate) fn expect_more_warps(&mut self, image: &KernelImage) {
        if may_have_more(self.unit, image) {
            self.begin_wider();
        }
    }

    /// The assembler begins with what [`with_more_warps`](Self::with_more_warps) will ask for.
    pub(crate) fn begin_more_warps(&mut self, code: &Code) {
        if self.reason_for_more_warps(code).is_some() {
            self.begin_wider();
        }
    }

    fn begin_wider(&mut self) {
        if self.wider.is_none() {
            let wider = MoreWarps::compiled(self.unit, &with_twice_the_warps(self.unit));
            self.begin_beside(wider.image.clone());
            self.wider = Some(wider);
        }
    }

    fn reason_for_more_warps(&self, code: &Code) -> Option<Reason> {
        code.made.spill_bytes.filter(|bytes| *bytes > 0)?;
        if may_have_more(self.unit, &code.image) { Reason::of(self.unit, code) } else { None }
    }
}

/// The same kernel for twice the warps.
fn with_twice_the_warps<'a>(unit: &Unit<'a>) -> Unit<'a> {
    let options = CompileOptions { num_warps: 2 * unit.options.num_warps, ..unit.options.clone() };
    Unit { options, ..unit.clone() }
}

/// Threads of twice the warps can have as many registers, and nobody counts on the number of warps or of CTAs: warps with roles, warps that were left out,
/// and CTAs that may wait for what others write.
fn may_have_more(unit: &Unit<'_>, image: &KernelImage) -> bool {
    let registers = |warps: u32| unit.target.register_budget(warps, 1);
    let may_wait = ["atom.", "ld.acquire", "ld.volatile"].iter().any(|access| image.ptx.contains(access));
    let is_as_asked = image.num_warps == unit.options.num_warps && unit.options.maxnreg.is_none();
    is_as_asked && !may_wait && registers(2 * image.num_warps) == registers(image.num_warps)
}

/// Why code is compiled for twice the warps.
enum Reason {
    /// It spills much.
    Spills,
    /// It is long and spills: so many instructions.
    LongCode(u32),
}

impl Reason {
    fn of(unit: &Unit<'_>, code: &Code) -> Option<Self> {
        let counted = counted(code).filter(|_| unit.target.has_countable_waits())?;
        let is_long = counted.instructions >= LONG && counted.part() >= MUCH_OF_LONG;
        let moves_much = LOADED_TO_SPILLED * counted.spilled_bytes >= counted.loaded_bytes;
        match counted.part() >= MUCH {
            true => Some(Self::Spills),
            false => (is_long && moves_much).then_some(Self::LongCode(counted.instructions)),
        }
    }

    /// What a thread runs through has become as much shorter as it has to. Code without loops is only divided among more warps, and where these push
    /// a CTA away, nothing runs while the one that is left waits: sums over 16 steps of 32x512 numbers, written one after the other, run at 0.84 of their
    /// speed with eight warps of one CTA instead of four of each of two, although 2.6 % spilled before.
    fn is_met_by(&self, unit: &Unit<'_>, code: &Code, wider: &Code) -> bool {
        match self {
            Self::Spills => true,
            Self::LongCode(before) => {
                let is_shorter = counted(wider).is_some_and(|then| 4 * then.instructions <= QUARTERS_LEFT * before);
                is_shorter && (has_loops(code) || warps_together(unit, wider) > warps_together(unit, code))
            }
        }
    }
}

fn has_loops(Code { image, made }: &Code) -> bool {
    Counted::of_loops(&made.cubin, &image.entry).is_some_and(|loops| loops.instructions > 0)
}

/// Warps that run on a multiprocessor at the same time; `None` where nothing says how many registers they have.
fn warps_together(unit: &Unit<'_>, code: &Code) -> Option<u32> {
    let resident = code.resident(unit)?;
    let brought = unit.options.residency.at_most().map_or(resident, |most| resident.min(most));
    Some(brought * code.image.num_warps)
}

/// What the loops of machine code spend, or all of it where there are none.
fn counted(Code { image, made }: &Code) -> Option<Counted> {
    let loops = Counted::of_loops(&made.cubin, &image.entry).filter(|loops| loops.instructions > 0);
    loops.or_else(|| Counted::of_all(&made.cubin, &image.entry))
}
