//! A stage fewer, where the shared memory that it takes keeps another CTA away.
//!
//! Both hide the time that copies take: a stage by a block that is copied earlier, a CTA by its blocks and by everything else that it does, such as
//! its start and its end. So a stage is given up where
//!
//! - what is under way does not get less: blocks ahead of their iteration, over the CTAs of a multiprocessor,
//! - the grid comes in fewer waves, counted for the end of its step, and
//! - ptxas spills no more than another CTA may cost in kernels with products.
//!
//! A CTA that has a multiprocessor for itself and waits for its products gets another one whatever registers it takes ([`is_alone`]). Where four CTAs with `wgmma` have
//! room, another one hides nothing ([`ENOUGH_CTAS`]).
//!
//! On an H200 133 launches of products (17 blocks, 2 to 8 warps, 2 to 128 iterations, 3 to 5 stages) were timed with a stage less, where that lets more CTAs
//! in: of 86 that this rule takes the mean is 9 % faster, and none with fewer than 32 iterations is slower by 1 %; with more, ten are, by up to 7 %.
//! The others are level in the mean, the worst 22 % slower (docs/measurements.md, "A CTA more is worth a stage"). Products by `mma.sync` read their operands into
//! registers, for which another CTA computes meanwhile; there less has to stay under way, and so it has where all CTAs of the grid run at once then.

use crate::assembling::{Assembling, Code};
use crate::compile::compile_with;
use crate::one_more::SPILLS_FOR_CTAS;
use crate::products::Products;
use crate::residents::{waves, without_one_too_many};
use crate::{Unit, Until, Unwatched};
use tk_image::KernelImage;
use tk_types::{CompileOptions, DotPolicy, Residency};

/// The share of the blocks under way that stay at least. With 0.86 to 1 of them 15 of 17 launches were level or up to 17 % faster, with 0.75
/// to 0.83 half of them slower.
const UNDER_WAY: f64 = 0.85;
/// The same beside `mma.sync`, where threads read their operands from shared memory themselves, and another CTA multiplies meanwhile: of nine launches with 0.82
/// to 0.89 of them seven are 2 to 8 % faster, one is level, and one 1 % slower; six with 0.67 to 0.83, and one or two CTAs more, are 2 to 16 % faster
/// (docs/measurements.md, "A CTA more is worth a stage").
///
/// So it is where the grid runs at once then, and takes two turns before: three products by `wgmma` with 0.67 of them are 1.20, 1.11 and 1.00 times as fast.
const TWO_THIRDS_UNDER_WAY: f64 = 0.66;

/// The part of the registers that ptxas may give up by itself: gradients of linear attention have 122 instead of 148 with a stage less.
const FEWER_REGISTERS: u32 = 6;

/// CTAs beside which another one hides nothing in kernels with `wgmma`, unless all that the grid brings run at once then. Two launches with four CTAs and four stages,
/// and six with three (a product of 64x32x64, and a batch of products in blocks of another project), have 0.94 and 0.95 of their speed; one with six and three,
/// whose grid comes at once with nine and two, 1.21 times (docs/measurements.md, "A CTA more is worth a stage").
const ENOUGH_CTAS: u32 = 4;

/// Stages of which one may go: with two left the blocks of the next iteration are still copied while this one multiplies.
const FEWEST: u32 = 3;

/// A kernel with a stage less than the options say, and what of the code with all stages led to it.
pub(crate) struct FewerStages {
    /// Registers of a thread.
    registers: u32,
    /// How its dots wait.
    dots: DotPolicy,
    /// `None` where a stage less does not pay.
    image: Option<KernelImage>,
}

impl Assembling<'_> {
    /// The code with a stage less than the options say, where that lets more CTAs share a multiprocessor and pays.
    pub(crate) fn with_one_stage_fewer(&mut self, code: &Code) -> Option<Code> {
        let (unit, Code { image, made }) = (self.unit, code);
        let again = self.one_stage_fewer(image, made.registers?).image?;
        let now = resident(unit, image, made.registers?, image.shared_bytes);
        let fewer = self.code(again).ok()?;
        // ptxas takes what leaves as many CTAs as before, unless it is told of another one.
        let has_more =
            |code: &Code| code.made.registers.map(|many| resident(unit, image, many, code.image.shared_bytes) > now);
        let fewer = match (has_more(&fewer)?, is_alone(image, now)) {
            (true, _) => fewer,
            (false, false) => self.asked_for(&fewer, now + 1)?,
            // A second CTA is worth spills (below).
            (false, true) => {
                let ptx = tk_codegen::with_resident_ctas(&fewer.image.ptx, now + 1)?;
                self.code(KernelImage { ptx, ..fewer.image }).ok()?
            }
        };
        let fewer = self.without_the_last(&fewer, now).unwrap_or(fewer);
        let spills = made.spill_bytes.map(|bytes| bytes.max(SPILLS_FOR_CTAS / now.max(1)));
        let is_as_good = fewer.made.spill_bytes <= spills && fewer.made.is_serialised == made.is_serialised;
        let then = resident(unit, image, fewer.made.registers?, fewer.image.shared_bytes);
        (is_as_good && pays(unit, image, now, then)).then_some(fewer)
    }

    /// The code for one CTA less, but more than `now`, where that takes as many waves.
    fn without_the_last(&mut self, code: &Code, now: u32) -> Option<Code> {
        let brought = self.unit.options.residency.at_most()?;
        let less = without_one_too_many(brought, code.resident(self.unit)?).filter(|less| *less > now)?;
        self.asked_for(code, less)
    }

    /// The assembler begins with a stage less beside an image that it has begun with and that takes all registers, which are known before.
    pub(crate) fn expect_one_stage_fewer(&mut self, image: &KernelImage) {
        let all = self.unit.target.max_registers_per_thread();
        if may_pay(self.unit, image, all) {
            self.begin(image, all);
        }
    }

    /// The assembler begins with what [`with_one_stage_fewer`](Self::with_one_stage_fewer) will ask for.
    pub(crate) fn begin_one_stage_fewer(&mut self, Code { image, made }: &Code) {
        made.registers.into_iter().for_each(|registers| self.begin(image, registers));
    }

    fn begin(&mut self, image: &KernelImage, registers: u32) {
        let fewer = self.one_stage_fewer(image, registers);
        fewer.image.iter().for_each(|image| self.assembler.begin(image));
        self.fewer = Some(fewer);
    }

    /// What was compiled before, or is now.
    fn one_stage_fewer(&mut self, image: &KernelImage, registers: u32) -> FewerStages {
        let dots = image.resources.dots;
        let known = self.fewer.take().filter(|known| (known.registers, known.dots) == (registers, dots));
        known.unwrap_or_else(|| FewerStages { registers, dots, image: compiled(self.unit, image, registers) })
    }
}

/// The image with a stage less, where that may pay and takes less shared memory.
fn compiled(unit: &Unit<'_>, image: &KernelImage, registers: u32) -> Option<KernelImage> {
    if !may_pay(unit, image, registers) {
        return None;
    }
    let options = CompileOptions { num_stages: unit.options.num_stages - 1, ..unit.options.clone() };
    let fewer = Unit { options, ..unit.clone() };
    let again = compile_with(&fewer, image.resources.dots, Until::Ptx, &mut Unwatched).ok()?.image?;
    (again.shared_bytes < image.shared_bytes).then_some(again)
}

/// Whether a stage less may pay, as far as the code with all of them says.
fn may_pay(unit: &Unit<'_>, image: &KernelImage, registers: u32) -> bool {
    let stages = unit.options.num_stages;
    if stages < FEWEST || !image.ptx.contains("mma.") {
        return false;
    }
    let now = resident(unit, image, registers, image.shared_bytes);
    let is_alone = is_alone(image, now);
    // Not all of it need be stages, and ptxas may take fewer registers where more CTAs have room. Beside `mma.sync` copies are one iteration less ahead, so
    // there is a buffer less than stages; so there may be for operands of `wgmma`, where threads read them.
    let reads_itself = is_alone || !image.ptx.contains("wgmma.");
    let buffers = if reads_itself { stages - 1 } else { stages };
    let least_shared = image.shared_bytes / buffers * (buffers - 1);
    let least_registers = if is_alone { 1 } else { registers - registers / FEWER_REGISTERS };
    let most = resident(unit, image, least_registers, least_shared);
    resident(unit, image, 1, image.shared_bytes) <= now && pays(unit, image, now, most)
}

/// One CTA is alone, and waits for its `wgmma`. It has all registers, and ptxas takes more of them than it needs: eight warps of 129 registers and of 255 leave
/// no other CTA room. So a second one is asked for, whatever they take, and may spill what [`SPILLS_FOR_CTAS`] says: four launches of 153 to 192 registers and
/// then 128, which spill 0, 0, 4 and 68 bytes, are 1.08 to 1.24 times as fast. Four whose products ptxas makes wait for each other then are 0.89 to 1.07
/// times as fast, and stay as they are (docs/measurements.md, "A second CTA is worth a stage and registers").
fn is_alone(image: &KernelImage, ctas: u32) -> bool {
    ctas == 1 && matches!(Products::of(&image.ptx), Products::WaitedFor)
}

fn pays(unit: &Unit<'_>, image: &KernelImage, ctas: u32, ctas_then: u32) -> bool {
    let is_of_groups = image.ptx.contains("wgmma.");
    let under_way = if is_of_groups { UNDER_WAY } else { TWO_THIRDS_UNDER_WAY };
    let has_enough = is_of_groups && ctas >= ENOUGH_CTAS;
    (1..ctas_then).contains(&ctas)
        && Change { stages: unit.options.num_stages, ctas, ctas_then, under_way, has_enough }
            .pays(unit.options.residency)
}

/// CTAs that have room with so many registers and bytes of shared memory.
fn resident(unit: &Unit<'_>, image: &KernelImage, registers: u32, shared_bytes: u32) -> u32 {
    unit.target.occupancy(registers, shared_bytes, image.num_warps).ctas_per_sm
}

/// CTAs of a multiprocessor with so many stages, and with one fewer.
#[derive(Clone, Copy)]
struct Change {
    stages: u32,
    ctas: u32,
    ctas_then: u32,
    /// The share of the blocks under way that has to stay.
    under_way: f64,
    /// Another CTA hides nothing.
    has_enough: bool,
}

impl Change {
    fn pays(self, residency: Residency) -> bool {
        let Self { stages, ctas, ctas_then, under_way, has_enough } = self;
        let (before, ahead) = (f64::from((stages - 1) * ctas), f64::from(stages - 2));
        let keeps_under_way = |brought: u32| ahead * f64::from(ctas_then.min(brought)) >= under_way * before;
        match residency {
            Residency::Any | Residency::One => false,
            Residency::AtMost(brought) if self.brings_all(brought) => true,
            Residency::Many | Residency::AtMost(_) if has_enough => false,
            Residency::Many => keeps_under_way(u32::MAX),
            Residency::AtMost(brought) => waves(brought, ctas_then) < waves(brought, ctas) && keeps_under_way(brought),
        }
    }

    /// So many CTAs, as most grids bring that are told so, take two turns before and run at once then.
    fn brings_all(self, most: u32) -> bool {
        let Self { stages, ctas, ctas_then, under_way: _, has_enough: _ } = self;
        let (before, then) = (f64::from((stages - 1) * ctas), f64::from((stages - 2) * most));
        ctas < most && most <= 2 * ctas && most <= ctas_then && then >= TWO_THIRDS_UNDER_WAY * before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_goes_for_ctas_that_come_and_copy_as_much() {
        let pays = |stages, ctas, ctas_then, residency| {
            Change { stages, ctas, ctas_then, under_way: UNDER_WAY, has_enough: false }.pays(residency)
        };
        let (many, at_most) = (Residency::Many, Residency::AtMost);
        assert!(pays(3, 1, 2, many), "two blocks under way, then two");
        assert!(!pays(3, 2, 3, many), "four blocks, then three");
        assert!(pays(4, 2, 3, many) && pays(4, 3, 4, many), "six and six, nine and eight");
        assert!(!pays(3, 1, 2, Residency::Any), "perhaps no other CTA comes");
        assert!(pays(3, 1, 2, at_most(2)) && pays(3, 1, 2, at_most(4)));
        assert!(!pays(3, 1, 2, at_most(1)), "one CTA for each multiprocessor");
        assert!(!pays(4, 2, 3, at_most(4)), "four take two turns with two and with three");
        assert!(pays(4, 2, 3, at_most(3)), "three take one turn with three");
        assert!(pays(4, 2, 3, at_most(8)) && pays(5, 3, 4, at_most(8)), "eight take four or three, then three or two");
        assert!(
            !pays(5, 4, 5, at_most(8)) && pays(5, 3, 4, at_most(16)),
            "two with four and with five; six, then four"
        );
        assert!(!pays(4, 2, 2, many), "as many");
        assert!(!pays(4, 4, 5, many), "twelve blocks, then ten");
        assert!(pays(3, 6, 9, at_most(8)) && pays(3, 3, 4, at_most(4)), "all at once");
        assert!(!pays(3, 5, 6, at_most(8)), "two turns before and then");
        let by_warps = |stages, ctas, ctas_then, residency| {
            Change { stages, ctas, ctas_then, under_way: TWO_THIRDS_UNDER_WAY, has_enough: false }.pays(residency)
        };
        assert!(by_warps(4, 4, 5, many) && by_warps(3, 3, 4, many), "twelve blocks, then ten; six, then four");
        assert!(!by_warps(3, 5, 6, many), "ten blocks, then six");
        let with_enough = |stages, ctas, ctas_then, residency| {
            Change { stages, ctas, ctas_then, under_way: UNDER_WAY, has_enough: true }.pays(residency)
        };
        assert!(!with_enough(4, 4, 6, many) && !with_enough(4, 4, 6, at_most(16)), "twelve blocks, then twelve");
        assert!(with_enough(3, 6, 9, at_most(8)), "all at once");
    }
}
