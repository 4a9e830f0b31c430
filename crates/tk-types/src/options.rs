//! Options of one compilation, as launches and `triton.Config` give them.

use crate::Brought;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How to compile a kernel. The defaults are Triton's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct CompileOptions {
    /// Warps per CTA: a power of two, 1 to 32.
    pub num_warps: u32,
    /// Buffers of a software pipeline, 0 to 32; fewer than two are no pipeline.
    pub num_stages: u32,
    /// CTAs that a program may be spread over: a power of two, 1 to 16. [`Self::in_one_cta`] says what becomes of them.
    pub num_ctas: u32,
    /// Upper bound of registers per thread, for ptxas: 1 to 255.
    pub maxnreg: Option<u32>,
    /// Contract `x * y + z` to a fused multiply-add.
    pub fp_fusion: bool,
    /// Compile `device_assert` and overflow checks.
    pub debug: bool,
    /// What the compiled kernel checks while it runs.
    pub sanitize: Sanitize,
    /// How wide the arithmetic of addresses is.
    pub index_width: IndexWidth,
    /// How many CTAs of a launch share a multiprocessor.
    pub residency: Residency,
    /// How many CTAs a grid brings to a multiprocessor that brings more than residency tells apart.
    pub brought: Brought,
    /// Whether the CTAs of a launch come in pairs.
    pub pairs: Pairs,
    /// What kernels may be written in.
    pub language: Language,
    /// Whether the code says which lines of the program it comes from.
    pub lines: Lines,
    /// The bitcode file that the functions of libdevice come from; without one they are tk's own. Text does not name it, since text may
    /// come from anywhere.
    #[serde(skip)]
    pub libdevice: Option<Arc<str>>,
}

/// The most warps of a CTA.
const MOST_WARPS: u32 = 32;

/// The most buffers of a software pipeline.
const MOST_STAGES: u32 = 32;

/// The most CTAs of a cluster.
const MOST_CTAS: u32 = 16;

/// The most warps that stand in for those of a cluster's CTAs: more leave a thread fewer than 128 registers.
const MOST_WARPS_FOR_CLUSTERS: u32 = 16;

/// The most registers of a thread.
const MOST_REGISTERS: u32 = 255;

impl CompileOptions {
    /// Checks the numbers, wherever they come from.
    ///
    /// # Errors
    /// A sentence that names the option and says what it can be.
    pub fn check(&self) -> Result<(), String> {
        let is_power = |number: u32, most: u32| number.is_power_of_two() && number <= most;
        if !is_power(self.num_warps, MOST_WARPS) {
            return Err(format!("num_warps is {}; it must be a power of 2, at most 32", self.num_warps));
        }
        if self.num_stages > MOST_STAGES {
            return Err(format!("num_stages is {}; it can be 0 to {MOST_STAGES}", self.num_stages));
        }
        if !is_power(self.num_ctas, MOST_CTAS) {
            return Err(format!("num_ctas is {}; it can be 1, 2, 4, 8 or 16", self.num_ctas));
        }
        match self.maxnreg {
            Some(registers) if !(1..=MOST_REGISTERS).contains(&registers) => {
                Err(format!("maxnreg is {registers}; it can be 1 to {MOST_REGISTERS}"))
            }
            _ => Ok(()),
        }
    }
}

impl CompileOptions {
    /// The options with which each program is one CTA. A program that is spread over the CTAs of a cluster gives the same results as one
    /// CTA with the warps of them all, which is how tk runs it; there are as many of these warps as work well in one CTA.
    #[must_use]
    pub fn in_one_cta(&self) -> Self {
        let warps = (self.num_warps * self.num_ctas).min(MOST_WARPS_FOR_CLUSTERS).max(self.num_warps);
        Self { num_warps: warps, num_ctas: 1, ..self.clone() }
    }
}

/// What dots by `wgmma` do that the pipeliner leaves in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DotPolicy {
    /// They run on until the wait that the pipeliner gave them.
    #[default]
    Overlap,
    /// Each is waited for in the inline PTX that issues it, so that nothing can touch its registers meanwhile.
    Wait,
}

/// Checks that a kernel makes while it runs; a launch reports the first thing they find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sanitize {
    /// 32-bit arithmetic that feeds an address does not wrap around.
    pub overflow: bool,
    /// Every access lies in the memory of the pointer argument it comes from.
    pub bounds: bool,
}

impl Sanitize {
    /// Whether anything is checked.
    pub fn is_on(self) -> bool {
        self.overflow || self.bounds
    }
}

/// What kernels may be written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Language {
    /// All that tk takes.
    #[default]
    Full,
    /// What Triton takes, too: kernels that it refuses for a reason of its language are errors here.
    Portable,
}

/// Whether machine code, PTX and LLVM IR say which lines of the program they come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Lines {
    /// They do: for profilers and debuggers.
    #[default]
    Kept,
    /// They do not.
    Dropped,
}

/// How many CTAs of a launch share a multiprocessor, which registers are weighed against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Residency {
    /// Nothing is known of the grid: fewer registers may let more CTAs run at the same time.
    #[default]
    Any,
    /// The launch has one program.
    One,
    /// This number at most, since the grid has no more CTAs: saving registers for further ones gains nothing.
    AtMost(u32),
    /// More than have room: the grid has more than [`Self::MOST_TOLD_APART`] for each multiprocessor.
    Many,
}

impl Residency {
    /// CTAs for each multiprocessor up to which grids are told apart.
    pub const MOST_TOLD_APART: u64 = 16;

    /// That of a launch with so many CTAs on a GPU with so many multiprocessors. Grids are told apart as long as they bring at most 16 to
    /// each, as one, two, three, four, eight and sixteen, so that a kernel that is launched with many grids is compiled a few times only.
    pub fn of_grid(ctas: u64, multiprocessors: u32) -> Self {
        Self::of_grids(ctas, ctas, multiprocessors)
    }

    /// That of launches with at least and at most so many CTAs.
    pub fn of_grids(least: u64, most: u64, multiprocessors: u32) -> Self {
        let each = |ctas: u64| ctas.div_ceil(u64::from(multiprocessors.max(1))).max(1);
        if most <= 1 {
            Self::One
        } else if each(most) <= Self::MOST_TOLD_APART {
            Self::AtMost(told_apart(each(most) as u32))
        } else if each(least) > Self::MOST_TOLD_APART {
            Self::Many
        } else {
            Self::Any
        }
    }

    /// How many CTAs grids bring that are told as this number at most.
    pub fn brought_by(most: u32) -> RangeInclusive<u32> {
        let mut fewer = (1..most).rev().skip_while(|ctas| told_apart(*ctas) == most);
        fewer.next().unwrap_or(0) + 1..=most
    }

    /// CTAs that the grid brings to a multiprocessor at most, where it is known to bring few.
    pub fn at_most(self) -> Option<u32> {
        match self {
            Self::One => Some(1),
            Self::AtMost(ctas) => Some(ctas),
            Self::Any | Self::Many => None,
        }
    }
}

/// What so many CTAs for each multiprocessor are told as. Three are not four: with three, two CTAs that have room need two turns, and three need one.
fn told_apart(ctas: u32) -> u32 {
    match ctas {
        3 => 3,
        _ => ctas.next_power_of_two(),
    }
}

/// Whether the first axis of a grid has an even number of programs, so that programs 2i and 2i + 1 can be a cluster. A kernel in clusters of two cannot
/// be launched with an odd number, so this is part of what a kernel is compiled for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pairs {
    /// Nothing is known of the grid, or the number is odd.
    #[default]
    Unknown,
    /// The number is even.
    Even,
    /// The number is even, and pairs share copies however few programs and iterations there are: for tests.
    Eager,
}

impl Pairs {
    /// What a launch with so many programs along the first axis asks for. Only kernels with `wgmma` in grids of many programs can be pairs; others need no
    /// second kernel for odd grids.
    pub fn of_launch(programs: u64, residency: Residency, has_wgmma: bool) -> Self {
        if residency == Residency::Many && has_wgmma { Self::of_grid(programs) } else { Self::Unknown }
    }

    /// That of grids with so many programs along the first axis.
    pub fn of_grid(programs: u64) -> Self {
        if programs > 0 && programs.is_multiple_of(2) { Self::Even } else { Self::Unknown }
    }
}

/// The width of integers that feed an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum IndexWidth {
    /// As the program has it: 32 bits unless it casts.
    #[default]
    Written,
    /// 64 bits for the expressions whose range may pass 32 bits.
    Auto,
    /// 64 bits for every sum and product.
    Wide,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            num_warps: 4,
            num_stages: 3,
            num_ctas: 1,
            maxnreg: None,
            fp_fusion: true,
            debug: false,
            sanitize: Sanitize::default(),
            index_width: IndexWidth::default(),
            residency: Residency::default(),
            brought: Brought::default(),
            pairs: Pairs::default(),
            language: Language::default(),
            lines: Lines::default(),
            libdevice: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_warps_of_a_cluster_are_those_of_one_cta() {
        let warps_of = |num_warps, num_ctas| {
            let one = CompileOptions { num_warps, num_ctas, ..CompileOptions::default() }.in_one_cta();
            (one.num_warps, one.num_ctas)
        };
        assert_eq!(warps_of(4, 1), (4, 1));
        assert_eq!(warps_of(4, 2), (8, 1));
        assert_eq!(warps_of(8, 4), (16, 1));
        assert_eq!(warps_of(32, 2), (32, 1));
    }

    #[test]
    fn grids_of_few_ctas_are_told_apart() {
        let of_grid = |ctas| Residency::of_grid(ctas, 132);
        assert_eq!([of_grid(0), of_grid(1)], [Residency::One; 2]);
        assert_eq!([of_grid(2), of_grid(132)], [Residency::AtMost(1); 2]);
        assert_eq!([of_grid(133), of_grid(264)], [Residency::AtMost(2); 2]);
        assert_eq!([of_grid(265), of_grid(396)], [Residency::AtMost(3); 2]);
        assert_eq!([of_grid(397), of_grid(528)], [Residency::AtMost(4); 2]);
        assert_eq!([1, 2, 3, 4, 8, 16].map(Residency::brought_by), [1..=1, 2..=2, 3..=3, 4..=4, 5..=8, 9..=16]);
        assert_eq!([of_grid(529), of_grid(16 * 132)], [Residency::AtMost(8), Residency::AtMost(16)]);
        assert_eq!([of_grid(16 * 132 + 1), of_grid(u64::MAX)], [Residency::Many; 2]);
        let of_grids = |least, most| Residency::of_grids(least, most, 132);
        assert_eq!([of_grids(1, 132), of_grids(1, 16 * 132)], [Residency::AtMost(1), Residency::AtMost(16)]);
        assert_eq!([of_grids(1, u64::MAX), of_grids(5000, u64::MAX)], [Residency::Any, Residency::Many]);
    }

    #[test]
    fn an_odd_grid_has_no_pairs() {
        let of_grids = [0, 1, 2, 3, 4096, u64::MAX].map(Pairs::of_grid);
        let (none, even) = (Pairs::Unknown, Pairs::Even);
        assert_eq!(of_grids, [none, none, even, none, even, none]);
        let of_launch = |residency, has_wgmma| Pairs::of_launch(4096, residency, has_wgmma);
        assert_eq!([of_launch(Residency::Many, true), of_launch(Residency::Many, false)], [even, none]);
        assert_eq!(of_launch(Residency::AtMost(16), true), none);
    }

    #[test]
    fn options_have_limits() {
        let usual = CompileOptions::default();
        assert_eq!(usual.check(), Ok(()));
        let wrong = [
            (CompileOptions { num_warps: 3, ..usual.clone() }, "num_warps is 3; it must be a power of 2, at most 32"),
            (CompileOptions { num_warps: 64, ..usual.clone() }, "num_warps is 64; it must be a power of 2, at most 32"),
            (CompileOptions { num_stages: 33, ..usual.clone() }, "num_stages is 33; it can be 0 to 32"),
            (CompileOptions { num_ctas: 0, ..usual.clone() }, "num_ctas is 0; it can be 1, 2, 4, 8 or 16"),
            (CompileOptions { maxnreg: Some(0), ..usual.clone() }, "maxnreg is 0; it can be 1 to 255"),
        ];
        for (options, message) in wrong {
            assert_eq!(options.check(), Err(message.to_string()));
        }
    }
}
