//! What a GPU is: limits, matrix shapes, PTX version. Plain data, no driver and no IR.
//!
//! Sources: CUDA C++ Programming Guide, "Compute Capabilities" (limits per SM, CTA and thread); PTX ISA, "Target ISA Notes" and
//! "Release Notes" (which target and PTX version an instruction needs), "wmma/mma.sync" and "wgmma" shape tables; the CUDA
//! occupancy calculator (allocation granularities).

mod mma;
mod occupancy;
mod table;

pub use mma::{MmaOperand, MmaShape};
pub use occupancy::{Limit, Occupancy};

use std::fmt;

/// Threads of a warp.
pub const WARP_SIZE: u32 = 32;
/// Banks of shared memory.
pub const SHARED_BANKS: u32 = 32;
/// Bytes that one bank delivers per cycle.
pub const BANK_BYTES: u32 = 4;
/// Bytes of a sector, the unit of global memory traffic.
pub const SECTOR_BYTES: u32 = 32;
/// Bytes of a cache line: four sectors.
pub const LINE_BYTES: u32 = 128;
/// Widest access of one thread in bytes.
pub const MAX_ACCESS_BYTES: u32 = 16;
/// Warps that issue a `wgmma` together.
pub const WARPS_PER_GROUP: u32 = 4;
/// Columns of the `wgmma` instructions between which the words of the left operand are worth reading from shared memory, at least.
///
/// An instruction of 32-bit operands with so many columns lasts 128 cycles, and the words of the next one are there before it ends. Half as wide,
/// it lasts 64: reading and the fence behind it probably do not fit in, so that the tensor cores wait between all instructions instead of before the first one.
/// (H200, tf32 at 4096: 256 columns, 256x128x32 with 8 warps, 4 % fewer cycles; 128 columns, 128x256x32 with 8 warps, 3 % more, and
/// 128x64x64 with 4 warps, whose only group has nobody to cover for it, 21 % more.)
pub const READ_BETWEEN_COLUMNS: u32 = 256;
/// Shared memory that the driver keeps for itself in each CTA of an SM, in bytes.
pub const RESERVED_SHARED_BYTES: u32 = 1024;
/// Shared memory that a CTA may have without asking for more, in bytes.
pub const DEFAULT_SHARED_BYTES: u32 = 48 * 1024;
/// Most threads of a CTA.
pub const MAX_THREADS_PER_CTA: u32 = 1024;

/// One kind of GPU as a compilation target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Compute capability, ten times major plus minor: 80, 86, 90, 100, ….
    pub sm: u32,
    /// Whether the features of exactly this chip may be used (`sm_90a`): such code runs on no other chip.
    pub arch_specific: bool,
    /// PTX version to emit as (major, minor): the lowest one that has every instruction tk emits for the target.
    pub ptx_version: (u32, u32),
    /// Most shared memory of one CTA, static and dynamic, in bytes (after opting in).
    pub max_shared_bytes_per_cta: u32,
    /// Shared memory of one SM in bytes.
    pub shared_bytes_per_sm: u32,
    /// 32-bit registers of one SM.
    pub registers_per_sm: u32,
    /// Most 32-bit registers of one thread.
    pub max_registers_per_thread: u32,
    /// Most warps resident on one SM.
    pub max_warps_per_sm: u32,
    /// Most CTAs resident on one SM.
    pub max_ctas_per_sm: u32,
}

impl Target {
    /// Every target that tk compiles for, oldest first.
    pub fn all() -> &'static [Target] {
        &table::TARGETS
    }

    /// Reads `sm_90a`, `sm_80`, or Triton's `cuda:90` (which allows the features of exactly that chip where there are any).
    pub fn parse(text: &str) -> Result<Target, String> {
        let known = || {
            let names: Vec<String> = Self::all().iter().map(Target::to_string).collect();
            format!("`{text}` is no target that tk knows; known are {}", names.join(", "))
        };
        if let Some(sm) = text.strip_prefix("cuda:") {
            return Self::newest_of(sm.parse().map_err(|_| known())?).ok_or_else(known);
        }
        Self::all().iter().find(|target| target.to_string() == text).copied().ok_or_else(known)
    }

    /// The target for a device of compute capability `major.minor`: the chip itself with all its features when tk knows it, otherwise
    /// the newest older chip of the same family without chip-specific features; `None` before 8.0 and for unknown families.
    pub fn for_device(major: u32, minor: u32) -> Option<Target> {
        let sm = major.checked_mul(10)?.checked_add(minor)?;
        let portable = |target: &&Target| target.sm / 10 == major && target.sm <= sm && !target.arch_specific;
        Self::newest_of(sm).or_else(|| Self::all().iter().rev().find(portable).copied())
    }

    fn newest_of(sm: u32) -> Option<Target> {
        Self::all().iter().rev().find(|target| target.sm == sm).copied()
    }

    /// Triton's spelling in the `ttg.target` module attribute: `cuda:90`.
    pub fn cuda_name(&self) -> String {
        format!("cuda:{}", self.sm)
    }

    /// `cp.async`: copies from global to shared memory that do not pass registers.
    pub fn has_cp_async(&self) -> bool {
        self.sm >= 80
    }

    /// `ldmatrix`: loads 8x8 matrices of 16-bit elements from shared memory in fragment layout.
    pub fn has_ldmatrix(&self) -> bool {
        self.sm >= 75
    }

    /// `stmatrix`: the store that matches `ldmatrix`.
    pub fn has_stmatrix(&self) -> bool {
        self.sm >= 90
    }

    /// Tensor copies by the TMA unit (`cp.async.bulk.tensor`) and transaction barriers.
    pub fn has_tma(&self) -> bool {
        self.sm >= 90
    }

    /// `wgmma`: matrix instructions of four warps with operands in shared memory; only `sm_90a`.
    pub fn has_wgmma(&self) -> bool {
        self.sm == 90 && self.arch_specific
    }

    /// `setmaxnreg`: registers moved between warp groups at run time.
    pub fn has_setmaxnreg(&self) -> bool {
        self.sm >= 90 && self.arch_specific
    }

    /// Thread block clusters and distributed shared memory.
    pub fn has_clusters(&self) -> bool {
        self.sm >= 90
    }

    /// Conversions to and from 8-bit floats (`cvt.rn.satfinite.e4m3x2`).
    pub fn has_fp8_conversions(&self) -> bool {
        self.sm >= 89
    }

    /// `add`, `mul`, `sub` of bf16 (`fma` of bf16 exists from sm_80).
    pub fn has_bf16_arithmetic(&self) -> bool {
        self.sm >= 90
    }

    /// `atom.add` of f32 vectors (`.v2.f32`, `.v4.f32`) on global memory.
    pub fn has_vector_atomics(&self) -> bool {
        self.sm >= 90
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.sm, if self.arch_specific { "a" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_are_distinct() {
        for (at, target) in Target::all().iter().enumerate() {
            assert_eq!(Target::parse(&target.to_string()), Ok(*target));
            assert!(
                Target::all()[..at]
                    .iter()
                    .all(|other| (other.sm, other.arch_specific) < (target.sm, target.arch_specific))
            );
        }
    }

    #[test]
    fn tritons_names_mean_the_chip_with_all_its_features() {
        assert_eq!(Target::parse("cuda:90").map(|target| target.to_string()), Ok("sm_90a".into()));
        assert_eq!(Target::parse("cuda:80").map(|target| target.to_string()), Ok("sm_80".into()));
        assert_eq!(Target::parse("sm_90a").map(|target| target.cuda_name()), Ok("cuda:90".into()));
    }

    #[test]
    fn unknown_names_say_what_is_known() {
        for text in ["", "sm_", "sm_70", "sm_090a", "cuda:", "cuda:-1", "cuda:99999999999", "hip:gfx942", "sm_80a"] {
            assert!(Target::parse(text).is_err_and(|why| why.contains("sm_90a")), "{text}");
        }
    }

    #[test]
    fn devices_find_their_family() {
        let name = |major, minor| Target::for_device(major, minor).map(|target| target.to_string());
        assert_eq!(name(9, 0), Some("sm_90a".into()));
        assert_eq!(name(8, 6), Some("sm_86".into()));
        assert_eq!(name(8, 8), Some("sm_87".into()));
        assert_eq!(name(12, 1), Some("sm_120".into()));
        assert_eq!(name(7, 5), None);
        assert_eq!(name(u32::MAX, 1), None);
    }

    #[test]
    fn limits_are_consistent() {
        for target in Target::all() {
            assert_eq!(target.max_shared_bytes_per_cta + RESERVED_SHARED_BYTES, target.shared_bytes_per_sm);
            assert_eq!(target.max_warps_per_sm % 16, 0);
            assert!(target.ptx_version >= (7, 0));
        }
    }
}
