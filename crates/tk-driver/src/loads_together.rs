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
//! 4. for one CTA more than have room with all registers, where these are the best so far and the grid brings many.
//!
//! Loads that keep the L1 cache busy while others wait are worth no CTAs ([`Assembling::leaves_cache_idle`]).
//!
//! Only kernels without products, whose loads are asked for by instructions of their own.

use crate::assembling::{Assembling, Code, Requests};
use crate::machine_waits::global_loads;
use crate::one_more::{FASTER, is_little_longer, one_more_cta};
use crate::residents::least_with_fewer_waves;
use tk_diag::SourceFile;
use tk_image::KernelImage;
use tk_ptx::{Function, Module};
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

/// Cycles of a wait for memory that the requests of all CTAs have to fill, a cycle for each at least: three quarters of those that DRAM takes on an H200. Of
/// windows and packed weights with 0.78 to 0.84 of a wait four are 1.01 to 1.32 times as fast with their CTAs; with 0.5 to 0.68 five are 1.001 to 1.06
/// times as fast, and seven 0.94 to 0.997 times (docs/measurements.md, "Loads that keep the L1 cache busy need no fewer CTAs").
const BUSY_CYCLES: f64 = 600.0;

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
        let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx)).ok();
        let fewest = f64::from(module.as_ref().map_or(1, fewest_waits));
        if !now.may_wait_less(fewest) {
            return None;
        }
        self.begin_beside_alone(code, now);
        // With all registers loads wait as little as they can; most kernels wait as often then.
        let alone = self.tried(code, 1).filter(|alone| now.waits >= FASTER * alone.requests.waits)?;
        let free = self.with_registers_to_spare(code, now);
        let best = free.as_ref().map_or(now, |free| free.requests);
        let fewer = if best.may_wait_less(fewest) { self.with_fewer_ctas(code, best, alone) } else { None };
        let fewer = fewer.filter(|fewer| !Self::leaves_cache_idle(code, now, fewer.requests));
        fewer.or(free).map(|tried| tried.code)
    }

    /// What the assembler made without being told of CTAs asks memory so much slower than `code`, which spills, that its loads are worth a few spills. It takes
    /// fewer registers then, for CTAs that the grid may not bring: attention over pages with 8 bytes spilled waits for memory 11 times in 255 registers, and
    /// without 33 times in 167, at 0.59 of its speed (docs/measurements.md, "Few spills are less than loads one after the other").
    pub(crate) fn takes_loads_apart(&self, code: &Code, free: &Code) -> bool {
        if !self.unit.target.has_countable_waits() || code.image.ptx.contains("mma.") {
            return false;
        }
        let requests = Requests::of(self.unit, code).zip(Requests::of(self.unit, free));
        requests.is_some_and(|(now, then)| now.rate() >= MORE_UNDER_WAY * then.rate())
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
        between.or_else(|| is_faster.then(|| self.with_registers_left(code, alone)))
    }

    /// The code with the next number of CTAs that registers let in, where the grid brings many and that asks memory faster; otherwise the code with all registers.
    /// ptxas takes more of these than loads need that come together, and nobody else asks for the CTAs that have no room for that. On an H200 twenty launches are
    /// 0.990 to 1.132 times as fast so, 1.026 in the mean (docs/measurements.md, "Loads together are worth some CTAs").
    fn with_registers_left(&mut self, code: &Code, alone: Tried) -> Tried {
        let resident = alone.requests.resident;
        let room = self.unit.target.occupancy(1, code.image.shared_bytes, code.image.num_warps).ctas_per_sm;
        if self.unit.options.residency != Residency::Many || room <= resident {
            return alone;
        }
        let more = self.tried(code, resident + 1).filter(|more| {
            more.requests.rate() >= FASTER * alone.requests.rate() && is_little_longer(&alone.code, &more.code)
        });
        more.unwrap_or(alone)
    }

    /// CTAs are given up although the requests of all keep the L1 cache busy while one of them waits for memory: asked sooner by fewer it answers no sooner.
    /// Many loads of a thread that are narrow lie side by side, as those of a window do, and ask the cache for the same lines. Those of 16 bytes are few
    /// requests: memory is what they wait for (docs/measurements.md, "Loads that keep the L1 cache busy need no fewer CTAs").
    fn leaves_cache_idle(Code { image, made }: &Code, now: Requests, then: Requests) -> bool {
        let Some(loads) = global_loads(&made.cubin, &image.entry) else { return false };
        let of_all = f64::from(loads) * f64::from(image.num_warps) * f64::from(now.brought);
        then.resident < now.brought && of_all >= BUSY_CYCLES * now.waits
    }

    /// What the assembler makes of the code if it is asked for so many CTAs, unless that spills.
    fn tried(&mut self, code: &Code, ctas: u32) -> Option<Tried> {
        let code = self.asked_for(code, ctas)?;
        let requests = Requests::of(self.unit, &code)?;
        Some(Tried { code, requests })
    }
}

/// How often a thread has to wait for global memory, at least once.
pub(crate) fn fewest_waits(module: &Module) -> u32 {
    module.entries().map(Function::least_memory_waits).max().unwrap_or(1).max(1)
}

impl Requests {
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
