//! One CTA more on a multiprocessor, where registers are what keeps it away: when it is asked for, and what it may cost.
//!
//! What it is for ([`Gain`]) says how many registers may be given up for it before ptxas is asked, and what its code has to be like then. What it may cost
//! ([`Cost`]) are spills and longer code.

use crate::Unit;
use crate::assembling::{Assembled, Code, Requests};
use crate::machine_loops::Counted;
use crate::products::{Products, starts_in_steps};
use crate::residents::{halves_waves, is_last_of_few, waves, without_one_too_many};
use tk_image::KernelImage;
use tk_target::Limit;
use tk_types::Residency;

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

/// The same of kernels with products that have fewer. What it costs are spills and longer loops, which are seen afterwards and say more: of three launches with
/// more than 1.25 times the registers that are taken by these two are 6 and 9 % faster, and one is level (docs/measurements.md, "A CTA more is worth a few
/// registers").
const NEARLY_WITH_PRODUCTS: f64 = 1.3;

/// With so many CTAs and more, one more has to be free of spills in kernels with products: without any 24 launches are 1.03 times as fast in the mean, the worst
/// 1 % slower; of fifteen with 4 to 52 bytes ten are slower, by up to 22 %. That is if they have
const ENOUGH_CTAS: u32 = 5;
/// so many warps: of nine launches with one or two warps in a CTA, eight are 2 to 36 % faster with one CTA more than five, and one 3 % slower
/// (docs/measurements.md, "A CTA more is worth a few registers").
const ENOUGH_WARPS: u32 = 20;
/// Bytes that one CTA more may spill in kernels with products, over the CTAs that there are without it: of fourteen launches the mean is 9 % faster,
/// three are 1 % slower; with more bytes others are slower by up to 35 % (docs/measurements.md, "A CTA more is worth a few registers").
pub(crate) const SPILLS_FOR_CTAS: u32 = 120;

/// Bytes that a second CTA may spill in kernels without products, where one would be alone and the grid comes in half as many waves with two: of two launches
/// one with 44 bytes runs 1.18 times as fast, one with 64 1.22 times. Beside products more bytes gain and lose: 360 and 476 are 1.08 and 1.1 times as
/// fast, 376, 540 and 968 take 1.2 to 1.6 times as long (docs/measurements.md, "A second CTA is worth a few spills").
const SPILLS_FOR_A_SECOND: u32 = 64;

/// How much longer the machine code may be, spills included. What it is measured by holds the PTX as well, as machine code that ptxas makes of a file does.
const LONGER: f64 = 1.03;
/// The same of kernels with products, and of those that wait for memory.
const LONGER_WITH_PRODUCTS: f64 = 1.06;
/// How much longer loops may be for a fourth CTA or a later one that spills: up to 1.075 times ten of thirteen launches are 1.01 to 1.2 times as fast; with 1.089 to
/// 1.111 times three take 1.07 to 1.16 times as long (docs/measurements.md, "The last CTA of a grid is not worth spills").
const LONGER_WITH_SPILLS: f64 = 1.08;

/// How many times as many waits for memory there must be under way with one CTA more. On an H200 thirty launches of other people are 2.5 % faster in the
/// mean with it, the best 9 %, one 1 % slower (docs/measurements.md, "A CTA more is worth a few registers").
pub(crate) const FASTER: f64 = 1.1;

/// CTAs up to which one more is asked for beside products in flight. With two, a third one brought nothing. One that is alone leaves the tensor cores idle
/// wherever it waits for anything else: gradients of linear attention with 129 registers in eight warps are 1.6 times as fast with 128.
const CTAS_IN_FLIGHT: u32 = 2;

/// The image whose PTX asks for one CTA more on a multiprocessor, where registers are what keeps it away, and few of them, and where the grid
/// brings it. Kernels without products gain from grids that bring many times as many where memory is asked faster ([`asks_faster`]), and kernels whose
/// `wgmma` are in flight all the time gain nothing from a third: with more registers they read what they need earlier. Those that wait for their products gain the more the
/// longer they wait (docs/measurements.md, "A CTA more is worth a few registers").
pub(crate) fn one_more_cta(unit: &Unit<'_>, code: &Code) -> Option<KernelImage> {
    let Code { image, made } = code;
    let registers = made.registers.filter(|_| made.spill_bytes == Some(0))?;
    let now = unit.target.occupancy(registers, image.shared_bytes, image.num_warps);
    let budget = unit.target.register_budget(image.num_warps, now.ctas_per_sm + 1);
    // Both may keep the next one away.
    let then = unit.target.occupancy(budget, image.shared_bytes, image.num_warps).ctas_per_sm;
    let is_kept_away = now.limit == Limit::Registers && then > now.ctas_per_sm;
    // One CTA alone has all registers, and ptxas takes more of them than it needs, but for products in flight.
    let is_in_flight = matches!(Products::of(&image.ptx), Products::InFlight);
    let is_alone = now.ctas_per_sm == 1 && !is_in_flight;
    let is_near = is_alone || f64::from(registers) <= nearly(unit, code, now.ctas_per_sm) * f64::from(budget);
    if !is_kept_away || !is_near || !is_brought(unit, &image.ptx, now.ctas_per_sm, then) {
        return None;
    }
    let ptx = tk_codegen::with_resident_ctas(&image.ptx, now.ctas_per_sm + 1)?;
    Some(KernelImage { ptx, ..image.clone() })
}

/// How many times the registers of one CTA more the code may have.
fn nearly(unit: &Unit<'_>, code: &Code, resident: u32) -> f64 {
    let has_enough = resident >= enough_ctas(code.image.num_warps);
    match (Gain::of_one_more(unit, code), Products::of(&code.image.ptx)) {
        (Gain::Share, _) => NEARLY_OF_SHARES,
        (Gain::Ctas, Products::OfWarps | Products::WaitedFor) if !has_enough => NEARLY_WITH_PRODUCTS,
        (Gain::Ctas, Products::None | Products::InFlight) if has_enough => NEARLY,
        (Gain::Ctas | Gain::Memory | Gain::Waves, _) => NEARLY_OF_FEW,
    }
}

/// CTAs that a grid brings, of which others follow whenever one ends: eight launches with products that come in as many waves are level to 6 % faster with one
/// CTA more. Of grids that bring four and eight, sixteen are 4 % slower in the mean (docs/measurements.md, "A CTA more is worth a few registers").
const MANY_BROUGHT: u32 = 16;

/// The grid brings another CTA than the `now` that have room. Where it brings few, those of kernels with products have to come in a wave less with `then`, and
/// the last one of a kernel without products must not be one too many.
fn is_brought(unit: &Unit<'_>, ptx: &str, now: u32, then: u32) -> bool {
    match (Products::of(ptx), unit.options.residency) {
        (Products::InFlight, _) if now >= CTAS_IN_FLIGHT => false,
        (Products::None, Residency::AtMost(most)) => {
            (1..most).contains(&now) && without_one_too_many(most, then).is_none()
        }
        (Products::OfWarps | Products::WaitedFor | Products::InFlight, Residency::AtMost(most)) => {
            (1..most).contains(&now) && (most >= MANY_BROUGHT || waves(most, then) < waves(most, now))
        }
        // How fast that asks memory is seen afterwards.
        (Products::None, Residency::Many) => now > 0 && unit.target.has_countable_waits(),
        (Products::OfWarps | Products::WaitedFor | Products::InFlight, Residency::Many) => now > 0,
        (_, Residency::Any | Residency::One) => false,
    }
}

/// The code with one CTA more is better: it costs no more than that is worth, and brings what it is for.
pub(crate) fn is_worth_it(unit: &Unit<'_>, code: &Code, more: &Code) -> bool {
    let is_allowed = Cost::of(unit, code).allows(&code.made, &more.made) && keeps_products(unit, code, more);
    is_allowed
        && match Gain::of_one_more(unit, code) {
            Gain::Ctas => true,
            Gain::Memory => asks_faster(unit, code, more) && keeps_loops(code, more),
            Gain::Waves => asks_faster(unit, code, more) && is_as_short(code, more),
            Gain::Share => asks_faster(unit, code, more) && is_little_longer(code, more),
        }
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
fn is_far_for_a_share(unit: &Unit<'_>, code: &Code) -> bool {
    let Code { image, made } = code;
    let counted = made.registers.zip(code.resident(unit)).filter(|_| unit.target.has_countable_waits());
    let Some((registers, now)) = counted else { return false };
    let budget = unit.target.register_budget(image.num_warps, now + 1);
    let is_far = f64::from(registers) > NEARLY_OF_FEW * f64::from(budget);
    (2..=FEW_CTAS).contains(&now) && is_far && matches!(Products::of(&image.ptx), Products::None)
}

/// A kernel without products whose grid brings more CTAs than have room: others only ask memory sooner.
fn is_for_memory(unit: &Unit<'_>, Code { image, .. }: &Code) -> bool {
    matches!((Products::of(&image.ptx), unit.options.residency), (Products::None, Residency::Many))
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
pub(crate) fn has_loops_within(code: &Code, more: &Code, most: f64) -> bool {
    let loops =
        |Code { image, made }: &Code| Counted::of_loops(&made.cubin, &image.entry).map(|loops| loops.instructions);
    let (now, then) = (loops(code).unwrap_or(0), loops(more).unwrap_or(0));
    f64::from(then) <= most * f64::from(now)
}

/// The loops of a kernel with products are short enough with one CTA more: where it is one more than three or more and spills ([`LONGER_WITH_SPILLS`]), and
/// where there are enough, which gain at most what they are more.
fn keeps_products(unit: &Unit<'_>, code: &Code, more: &Code) -> bool {
    let Some((now, then)) = code.resident(unit).zip(more.resident(unit)) else { return true };
    let spills = more.made.spill_bytes != Some(0);
    if matches!(Products::of(&code.image.ptx), Products::None) {
        true
    } else if now >= enough_ctas(code.image.num_warps) {
        has_loops_within(code, more, f64::from(then) / f64::from(now))
    } else {
        now <= 2 || !spills || has_loops_within(code, more, LONGER_WITH_SPILLS)
    }
}

/// The code has no more instructions with one CTA more.
fn is_as_short(code: &Code, more: &Code) -> bool {
    let all = |Code { image, made }: &Code| Counted::of_all(&made.cubin, &image.entry).map(|all| all.instructions);
    all(code).zip(all(more)).is_some_and(|(now, then)| then <= now) && keeps_loops(code, more)
}

/// The code has few more instructions with one CTA more. Loops alone say little here: the one for large angles seldom runs.
pub(crate) fn is_little_longer(code: &Code, more: &Code) -> bool {
    let all = |Code { image, made }: &Code| Counted::of_all(&made.cubin, &image.entry).map(|all| all.instructions);
    all(code).zip(all(more)).is_some_and(|(now, then)| f64::from(then) <= LONGER_WITH_PRODUCTS * f64::from(now))
}

/// With so many CTAs of so many warps, one more has to be free of spills in kernels with products.
fn enough_ctas(num_warps: u32) -> u32 {
    ENOUGH_CTAS.max(ENOUGH_WARPS / num_warps.max(1))
}

/// What one CTA more may cost.
struct Cost {
    /// Bytes of spills.
    spills: u32,
    /// The same where the assembler makes products wait for each other for it, which few CTAs make up for; `None` where there are enough, and where a product
    /// starts in steps. Up to four CTAs eight launches are 1.01 to 1.13 times as fast with one more, with five and more six of eight are 3 to 15 % slower.
    /// So are five launches with products that start in steps, by 3 to 18 %: threads then wait for each step instead of computing beside it
    /// (docs/measurements.md, "A CTA more is worth a few registers").
    spills_of_serialised: Option<u32>,
    /// How much longer the code may be, with its text beside it.
    longer: f64,
    /// Bytes of the text.
    text: usize,
}

impl Cost {
    fn of(unit: &Unit<'_>, code: &Code) -> Self {
        let text = code.image.ptx.len();
        match (Products::of(&code.image.ptx), code.resident(unit)) {
            (Products::OfWarps | Products::WaitedFor, Some(resident)) => {
                let spills = spills_for_products(unit.options.residency, resident, code.image.num_warps);
                let is_few = resident < enough_ctas(code.image.num_warps);
                let spills_of_serialised = (is_few && !starts_in_steps(&code.image.ptx)).then_some(spills / 2);
                Self { spills, spills_of_serialised, longer: LONGER_WITH_PRODUCTS, text }
            }
            (Products::None, Some(resident)) if halves_waves(unit.options.residency, resident) => {
                Self { spills: SPILLS_FOR_A_SECOND, spills_of_serialised: None, longer: LONGER_WITH_PRODUCTS, text }
            }
            // Where memory is asked faster, addresses that are computed anew cost little.
            (Products::None, _) if is_for_memory(unit, code) => {
                Self { spills: 0, spills_of_serialised: None, longer: LONGER_WITH_PRODUCTS, text }
            }
            (Products::OfWarps | Products::WaitedFor, None) | (Products::None | Products::InFlight, _) => {
                Self { spills: 0, spills_of_serialised: None, longer: LONGER, text }
            }
        }
    }

    fn allows(&self, made: &Assembled, with_less: &Assembled) -> bool {
        let bytes = |made: &Assembled| (made.cubin.len() + self.text) as f64;
        let is_as_short = bytes(with_less) <= self.longer * bytes(made);
        let spills_little = with_less.spill_bytes.is_some_and(|bytes| bytes <= self.spills);
        let has_less = with_less.registers < made.registers && spills_little;
        let is_serialised = with_less.is_serialised && !made.is_serialised;
        let may_wait =
            !is_serialised || self.spills_of_serialised.is_some_and(|most| with_less.spill_bytes <= Some(most));
        has_less && is_as_short && may_wait
    }
}

/// Bytes that one CTA more than `resident` may spill in a kernel with products.
fn spills_for_products(residency: Residency, resident: u32, num_warps: u32) -> u32 {
    let is_free = resident >= enough_ctas(num_warps) || is_last_of_few(residency, resident);
    if is_free { 0 } else { SPILLS_FOR_CTAS / resident.max(1) }
}
