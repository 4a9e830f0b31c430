//! What a GPU is: limits, matrix instructions, PTX version. Plain data, no driver and no IR.
//!
//! Every question about a GPU is answered here; nothing else compares compute capabilities. A new target is a row of `table.rs`.
//!
//! Sources: CUDA C++ Programming Guide, "Compute Capabilities" (limits per SM, CTA and thread); PTX ISA, "Target ISA Notes" and
//! "Release Notes" (which target and PTX version an instruction needs), "wmma/mma.sync" and "wgmma" shape tables; the CUDA
//! occupancy calculator (allocation granularities).

mod capability;
mod mma;
mod occupancy;
mod table;

pub use capability::{ComputeCapability, Features, TargetName};
use mma::TensorCores;
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
/// Columns of the `wgmma` instructions between which the words of the left operand are read from shared memory, at least: one so wide lasts
/// long enough for the words of the next to arrive (measured in docs/decisions/0011-transposed-dots.md).
pub const READ_BETWEEN_COLUMNS: u32 = 256;
/// Shared memory that the driver keeps for itself in each CTA of an SM, in bytes.
pub const RESERVED_SHARED_BYTES: u32 = 1024;
/// Shared memory that a CTA may have without asking for more, in bytes.
pub const DEFAULT_SHARED_BYTES: u32 = 48 * 1024;
/// Multiprocessors of the GPU that [`Target::default`] stands for, where there is none to ask.
pub const DEFAULT_MULTIPROCESSORS: u32 = 132;
/// Most threads of a CTA.
pub const MAX_THREADS_PER_CTA: u32 = 1024;

/// A version of the PTX language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxVersion {
    /// 8 of 8.4.
    pub major: u32,
    /// 4 of 8.4.
    pub minor: u32,
}

/// One kind of GPU as a compilation target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    name: TargetName,
    tensor_cores: TensorCores,
    ptx_version: PtxVersion,
    shared_bytes_per_sm: u32,
    registers_per_sm: u32,
    max_registers_per_thread: u32,
    max_warps_per_sm: u32,
    max_ctas_per_sm: u32,
    multiprocessors: u32,
}

impl Target {
    /// Every target that tk compiles for, oldest first.
    pub fn all() -> &'static [Target] {
        table::TARGETS
    }

    /// The oldest of them: what is written for it runs on all.
    pub fn oldest() -> Target {
        table::AMPERE
    }

    /// Reads `sm_90a`, `sm_80`, or Triton's `cuda:90` (which allows the features of exactly that chip where there are any).
    ///
    /// # Errors
    /// A sentence that names the known targets.
    pub fn parse(text: &str) -> Result<Target, String> {
        let known = || {
            let names: Vec<String> = Self::all().iter().map(Target::to_string).collect();
            format!("`{text}` is no target that tk knows; known are {}", names.join(", "))
        };
        if let Some(number) = text.strip_prefix("cuda:") {
            let capability = ComputeCapability::of_number(number.parse().map_err(|_| known())?);
            return Self::with_most_features(capability).ok_or_else(known);
        }
        Self::all().iter().find(|target| target.to_string() == text).copied().ok_or_else(known)
    }

    /// The target for a device: the chip itself with all its features when tk knows it, otherwise the newest older chip of the same
    /// generation without architecture-specific features; `None` before 8.0 and for unknown generations.
    pub fn for_device(device: ComputeCapability) -> Option<Target> {
        let is_portable =
            |target: &&Target| target.name.features == Features::Portable && target.name.machine_code_runs_on(device);
        Self::with_most_features(device).or_else(|| Self::all().iter().rev().find(is_portable).copied())
    }

    fn with_most_features(capability: ComputeCapability) -> Option<Target> {
        Self::all().iter().rev().find(|target| target.name.capability == capability).copied()
    }

    /// Triton's spelling in the `ttg.target` module attribute: `cuda:90`.
    pub fn cuda_name(&self) -> String {
        format!("cuda:{}", self.name.capability.number())
    }

    /// The version of its instruction set.
    pub fn compute_capability(&self) -> ComputeCapability {
        self.name.capability
    }

    /// PTX version to emit: the lowest one that has every instruction tk emits for the target.
    pub fn ptx_version(&self) -> PtxVersion {
        self.ptx_version
    }

    /// Most shared memory of one CTA, static and dynamic, in bytes (after opting in).
    pub fn max_shared_bytes_per_cta(&self) -> u32 {
        self.shared_bytes_per_sm - RESERVED_SHARED_BYTES
    }

    /// The same GPU with other shared memory, to ask what code would be without that limit.
    pub fn with_shared_bytes_per_cta(self, bytes: u32) -> Self {
        Self { shared_bytes_per_sm: bytes + RESERVED_SHARED_BYTES, ..self }
    }

    /// Multiprocessors of the usual data-centre GPU of this kind, for compilations that do not know the device; 1 where there is none.
    pub fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    /// 32-bit registers of one SM.
    pub fn registers_per_sm(&self) -> u32 {
        self.registers_per_sm
    }

    /// Most 32-bit registers of one thread.
    pub fn max_registers_per_thread(&self) -> u32 {
        self.max_registers_per_thread
    }

    /// tk can count how often machine code waits for memory: of this GPU alone that was compared with a disassembly.
    pub fn has_countable_waits(&self) -> bool {
        self.compute_capability() == ComputeCapability::HOPPER
    }

    /// `stmatrix`: the store that matches `ldmatrix`.
    pub fn has_stmatrix(&self) -> bool {
        self.name.capability >= ComputeCapability::HOPPER
    }

    /// Tensor copies by the TMA unit (`cp.async.bulk.tensor`), transaction barriers, and the asynchronous proxy with its fence.
    pub fn has_tma(&self) -> bool {
        self.name.capability >= ComputeCapability::HOPPER
    }

    /// The less of two magnitudes with a sign (`min.xorsign.abs`).
    pub fn has_signed_minimum(&self) -> bool {
        self.name.capability >= ComputeCapability::AMPERE_86
    }

    /// Conversions to and from 8-bit floats (`cvt.rn.satfinite.e4m3x2`).
    pub fn has_fp8_conversions(&self) -> bool {
        self.name.capability >= ComputeCapability::ADA
    }

    /// Arithmetic of two bf16 of a word: `sub.bf16x2`.
    pub fn has_bf16_pairs(&self) -> bool {
        self.name.capability >= ComputeCapability::HOPPER
    }

    /// `atom.add` of bf16.
    pub fn has_bf16_atomics(&self) -> bool {
        self.name.capability >= ComputeCapability::HOPPER
    }

    /// `atom.add` of 16 bytes of f16, bf16 or f32 (`.v2.f32`, `.v4.f32`, …) on global memory.
    pub fn has_vector_atomics(&self) -> bool {
        self.name.capability >= ComputeCapability::HOPPER
    }
}

impl Default for Target {
    /// What is compiled for when nothing else is said and no GPU is there.
    fn default() -> Self {
        table::DEFAULT
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_are_distinct() {
        for (at, target) in Target::all().iter().enumerate() {
            assert_eq!(Target::parse(&target.to_string()), Ok(*target));
            assert!(Target::all()[..at].iter().all(|other| other.name < target.name), "{target}");
        }
    }

    #[test]
    fn documentation_lists_every_target() {
        let page = include_str!("../../../docs/language.md");
        assert!(page.contains(&format!("`--target` is one of `{}`.", names(|_| true))));
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
        let name =
            |major, minor| Target::for_device(ComputeCapability::new(major, minor)).map(|target| target.to_string());
        assert_eq!(name(9, 0), Some("sm_90a".into()));
        assert_eq!(name(8, 6), Some("sm_86".into()));
        assert_eq!(name(8, 8), Some("sm_87".into()));
        assert_eq!(name(12, 1), Some("sm_120".into()));
        assert_eq!(name(7, 5), None);
        assert_eq!(name(u32::MAX, 1), None);
    }

    /// Targets for which something is true.
    fn names(is: impl Fn(&Target) -> bool) -> String {
        let names: Vec<String> = Target::all().iter().filter(|target| is(target)).map(Target::to_string).collect();
        names.join(" ")
    }

    #[test]
    fn instructions_exist_from_their_capability_on() {
        let hopper_and_later = "sm_90 sm_90a sm_100 sm_100a sm_103a sm_120 sm_120a";
        for is in [Target::has_tma, Target::has_stmatrix, Target::has_bf16_atomics, Target::has_vector_atomics] {
            assert_eq!(names(is), hopper_and_later);
        }
        assert_eq!(names(Target::has_fp8_conversions), format!("sm_89 {hopper_and_later}"));
        assert_eq!(names(Target::has_signed_minimum), format!("sm_86 sm_87 sm_89 {hopper_and_later}"));
    }

    #[test]
    fn code_for_the_oldest_runs_on_all() {
        assert!(Target::all().iter().all(|target| Target::oldest().name.ptx_runs_on(target.compute_capability())));
    }

    #[test]
    fn the_default_is_an_h200_with_all_its_features() {
        let target = Target::default();
        assert_eq!(target.to_string(), "sm_90a");
        assert_eq!((target.max_shared_bytes_per_cta(), target.registers_per_sm()), (232_448, 65_536));
        assert_eq!(target.with_shared_bytes_per_cta(1 << 24).max_shared_bytes_per_cta(), 1 << 24);
    }

    #[test]
    fn limits_are_consistent() {
        for target in Target::all() {
            assert_eq!(target.max_shared_bytes_per_cta() + RESERVED_SHARED_BYTES, target.shared_bytes_per_sm);
            assert_eq!(target.max_warps_per_sm % 16, 0);
            assert!(target.ptx_version >= PtxVersion { major: 8, minor: 0 });
        }
    }
}
