//! Loads that ptxas issues one after the other, to let more CTAs in.
//!
//! With few registers a load is issued when another one was waited for, so that a thread waits for memory again and again. A multiprocessor answers its
//! CTAs at the same time: how many of them ask, over how often each waits, says how fast memory is asked ([`Requests`]). CTAs come in waves. Where a grid
//! brings eight to each multiprocessor, six that have room are no better than four: both times the eight take two turns.
//!
//! ptxas is asked, each time with its waits counted:
//!
//! 1. for one CTA, with all registers. Where that waits as often, nothing else is asked.
//! 2. for as many CTAs as there are, where it left registers of these unused. That costs no CTA, and what follows has to be better still.
//! 3. for a number between: where the grid brings few CTAs, for the least that saves a wave over what came of the first, and else for a quarter less
//!    than there are, if the first leaves too few.
//!
//! Loads that keep the L1 cache busy while others wait are not worth half of the CTAs ([`Assembling::leaves_cache_idle`]).
//!
//! Only kernels without products, whose loads are asked for by instructions of their own.

use crate::Unit;
use crate::assembling::{Assembling, Code, FASTER, one_more_cta};
use crate::machine_waits::{load_cycles, memory_waits};
use tk_diag::SourceFile;
use tk_image::KernelImage;
use tk_types::Residency;

/// How many times as many waits for memory there must be under way with loads together. On an H200 77 kernels of other people were timed with and
/// without: of 43 with at least this the mean is 4.2 % faster, three are slower (5.6, 2.7 and 0.8 %); the others, which lose CTAs for
/// little, are 2 % slower, the worst 38 % (docs/measurements.md, "Loads together are worth some CTAs").
const MORE_UNDER_WAY: f64 = 1.4;

/// One in so many CTAs is given up for loads together, where all but one are too many: a layer norm has three waits instead of six with six CTAs
/// instead of eight, and runs 9 % faster (docs/measurements.md, "Loads together are worth some CTAs").
const FEWER_FOR_LOADS: u32 = 4;

/// The part of the rate that code with more CTAs, and a wave less, needs to be the better one. Three launches with the same rate are 8, 13 and 24 % faster
/// with the CTAs, one with 0.83 of it is 2 % faster (docs/measurements.md, "CTAs come in waves").
const WITH_A_WAVE_LESS: f64 = 0.9;

/// Cycles that a warp waits for memory: those of DRAM on an H200, rounded.
const MEMORY_CYCLES: f64 = 800.0;

/// Registers below which nothing more can be under way: those of one load of 16 bytes.
const OF_A_LOAD: u32 = 4;

/// What an assembler made when it was asked for CTAs, and how fast that asks memory.
struct Tried {
    code: Code,
    requests: Requests,
}

impl Assembling<'_> {
    /// The code whose loads are issued together, where that asks memory so much faster that CTAs may be lost for it.
    pub(crate) fn with_loads_together(&mut self, code: &Code) -> Option<Code> {
        let Code { image, made } = code;
        if !self.unit.target.has_countable_waits() || made.spill_bytes != Some(0) || image.ptx.contains("mma.") {
            return None;
        }
        let now = Requests::of(self.unit, code)?;
        let fewest = f64::from(fewest_waits(image));
        if !now.may_wait_less(fewest) {
            return None;
        }
        self.begin_beside_alone(code, now);
        // With all registers loads wait as little as they can; most kernels wait as often then.
        let alone = self.tried(code, 1).filter(|alone| now.waits >= FASTER * alone.requests.waits)?;
        let free = self.with_registers_to_spare(code, now);
        let best = free.as_ref().map_or(now, |free| free.requests);
        let fewer = if best.may_wait_less(fewest) { self.with_fewer_ctas(code, best, alone) } else { None };
        let fewer = fewer.filter(|fewer| !self.leaves_cache_idle(code, now, fewer.requests));
        fewer.or(free).map(|tried| tried.code)
    }

    /// The assembler begins with what it is asked for behind the code of one CTA: one CTA more, where that waits as often, and else the CTAs that there are
    /// and a number between, as far as they are known before.
    fn begin_beside_alone(&mut self, code: &Code, now: Requests) {
        let alone = tk_codegen::with_resident_ctas(&code.image.ptx, 1);
        let all = self.unit.target.max_registers_per_thread();
        let resident = self.unit.target.occupancy(all, code.image.shared_bytes, code.image.num_warps).ctas_per_sm;
        let spare = self.has_registers_to_spare(code, now).then_some(now.brought);
        let between = self.between(now, resident, false).filter(|ctas| (resident + 1..now.brought).contains(ctas));
        let texts = [spare, between].into_iter().flatten();
        let texts = texts.filter_map(|ctas| tk_codegen::with_resident_ctas(&code.image.ptx, ctas));
        let more = one_more_cta(self.unit, code).map(|image| image.ptx);
        let texts = more.into_iter().chain(texts).filter(|ptx| Some(ptx) != alone.as_ref());
        self.begin_beside(texts.map(|ptx| KernelImage { ptx, ..code.image.clone() }));
    }

    /// ptxas left registers unused that the CTAs could have.
    fn has_registers_to_spare(&self, code: &Code, now: Requests) -> bool {
        let budget = self.unit.target.register_budget(code.image.num_warps, now.brought);
        code.made.registers.is_some_and(|registers| registers + OF_A_LOAD <= budget)
    }

    /// How many CTAs between `now` and one alone, which has room for `resident` of them, may be enough, and whether one alone is already enough faster.
    fn between(&self, now: Requests, resident: u32, is_faster: bool) -> Option<u32> {
        match (self.unit.options.residency.at_most(), is_faster) {
            (Some(most), _) => least_with_fewer_waves(most, resident),
            (None, false) => Some(now.resident - now.resident.div_ceil(FEWER_FOR_LOADS)),
            (None, true) => None,
        }
    }

    /// The code that asks for as many CTAs as there are already, if ptxas left registers of these unused and waits less with them.
    fn with_registers_to_spare(&mut self, code: &Code, now: Requests) -> Option<Tried> {
        if !self.has_registers_to_spare(code, now) {
            return None;
        }
        let free = self.tried(code, now.brought)?;
        (free.requests.rate() >= FASTER * now.rate()).then_some(free)
    }

    /// The code with all registers, which is `alone`, or with those of a number of CTAs between, if either asks enough faster than `now`.
    fn with_fewer_ctas(&mut self, code: &Code, now: Requests, alone: Tried) -> Option<Tried> {
        let then = alone.requests;
        let is_faster = then.is_faster_than(now);
        // Where loads come together and CTAs are what is missing, some registers less may do for both.
        let has_fewer_waits = now.waits >= MORE_UNDER_WAY * then.waits;
        let ctas = self.between(now, then.resident, is_faster);
        let ctas = ctas.filter(|ctas| has_fewer_waits && (then.resident + 1..now.brought).contains(ctas));
        let between = ctas.and_then(|ctas| self.tried(code, ctas)).filter(|between| {
            let keeps_rate = between.requests.rate() >= WITH_A_WAVE_LESS * then.rate();
            if is_faster { keeps_rate } else { between.requests.is_faster_than(now) }
        });
        between.or(is_faster.then_some(alone))
    }

    /// At most half of the CTAs are left, although the loads of all take the L1 cache as long as one of them waits for memory: it is never idle then, and
    /// asked sooner by fewer it answers no sooner. A window of sixteen pixels with 88 loads and sixteen CTAs of four warps is 1.32 times as fast as
    /// with three, whose loads come together (docs/measurements.md, "Loads that keep the L1 cache busy need no fewer CTAs").
    fn leaves_cache_idle(&self, Code { image, made }: &Code, now: Requests, then: Requests) -> bool {
        let Some(cycles) = load_cycles(&made.cubin, &image.entry) else { return false };
        let of_all = f64::from(cycles) * f64::from(image.num_warps) * f64::from(now.brought);
        2 * then.resident <= now.brought && of_all >= MEMORY_CYCLES * now.waits
    }

    /// What the assembler makes of the code if it is asked for so many CTAs, unless that spills.
    fn tried(&mut self, code: &Code, ctas: u32) -> Option<Tried> {
        let code = self.asked_for(code, ctas)?;
        let requests = Requests::of(self.unit, &code)?;
        Some(Tried { code, requests })
    }
}

/// The least number of CTAs with room, with which so many come in fewer waves than with `resident` of them.
fn least_with_fewer_waves(brought: u32, resident: u32) -> Option<u32> {
    let waves = waves(brought, resident);
    (waves > 1).then(|| brought.div_ceil(waves - 1))
}

/// Turns in which so many CTAs come.
pub(crate) fn waves(brought: u32, resident: u32) -> u32 {
    brought.div_ceil(resident.max(1))
}

/// How often a thread has to wait for global memory, at least once.
fn fewest_waits(image: &KernelImage) -> u32 {
    let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok();
    let fewest = module.and_then(|module| module.entries().map(|entry| entry.least_memory_waits()).max());
    fewest.unwrap_or(1).max(1)
}

/// How fast a multiprocessor asks memory.
#[derive(Clone, Copy)]
pub(crate) struct Requests {
    /// Waits of a warp for memory.
    waits: f64,
    /// CTAs that have room on a multiprocessor.
    resident: u32,
    /// CTAs of these that the grid brings.
    brought: u32,
    /// CTAs that ask at the same time, in the mean of the waves that a grid of few takes.
    asking: f64,
}

impl Requests {
    pub(crate) fn of(unit: &Unit<'_>, Code { image, made }: &Code) -> Option<Self> {
        let waits = memory_waits(&made.cubin, &image.entry)?;
        let resident = unit.target.occupancy(made.registers?, image.shared_bytes, image.num_warps).ctas_per_sm;
        let brought = unit.options.residency.at_most().map_or(resident, |most| resident.min(most));
        Some(Self { waits, resident, brought, asking: asking(unit.options.residency, resident) })
    }

    /// CTAs that ask at the same time, over how often each waits.
    pub(crate) fn rate(&self) -> f64 {
        self.asking / self.waits.max(1.0)
    }

    /// With at most as many CTAs the rate grows by the waits that go away, and those for addresses stay.
    fn may_wait_less(&self, fewest: f64) -> bool {
        self.waits >= 2.0 && self.waits >= MORE_UNDER_WAY * fewest
    }

    /// Whether loads that come together ask enough faster. While one CTA waits at a barrier another one loads; one alone does not, however its loads are.
    fn is_faster_than(&self, now: Self) -> bool {
        let stays_alone = self.resident < 2 && now.resident > 1;
        !stays_alone && self.rate() >= MORE_UNDER_WAY * now.rate()
    }
}

/// CTAs that ask at the same time, where so many have room. Grids are told apart by steps, and most bring as many as the step says: of 289 recorded launches
/// that bring five to sixteen, 212 bring eight or sixteen.
fn asking(residency: Residency, resident: u32) -> f64 {
    match residency.at_most() {
        Some(brought) => f64::from(brought) / f64::from(waves(brought, resident).max(1)),
        None => f64::from(resident),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_ctas_ask_in_waves() {
        let at_most = |most, resident| asking(Residency::AtMost(most), resident);
        assert_eq!([2, 3, 4, 5].map(|resident| at_most(4, resident)), [2.0, 2.0, 4.0, 4.0]);
        assert_eq!([3, 4, 7, 8, 16].map(|resident| at_most(8, resident)), [8.0 / 3.0, 4.0, 4.0, 8.0, 8.0]);
        assert_eq!((at_most(3, 2), at_most(1, 4)), (1.5, 1.0));
        assert_eq!([Residency::Any, Residency::Many].map(|residency| asking(residency, 7)), [7.0; 2]);
        assert_eq!(asking(Residency::One, 7), 1.0);
    }

    #[test]
    fn a_wave_is_saved_by_the_least_ctas_that_do() {
        let least = least_with_fewer_waves;
        assert_eq!(
            [1, 2, 3, 4, 7, 8].map(|resident| least(8, resident)),
            [Some(2), Some(3), Some(4), Some(8), Some(8), None]
        );
        assert_eq!([4, 6, 12].map(|resident| least(16, resident)), [Some(6), Some(8), Some(16)]);
        assert_eq!(least(1, 1), None);
    }
}
