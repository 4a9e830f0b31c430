//! The targets, one row each.

use crate::{ComputeCapability, Features, PtxVersion, Target, TargetName, TensorCores};
use Features::{ArchitectureSpecific, Portable};

const KIB: u32 = 1024;

const fn name(major: u32, minor: u32, features: Features) -> TargetName {
    TargetName { capability: ComputeCapability::new(major, minor), features }
}

const fn ptx(major: u32, minor: u32) -> PtxVersion {
    PtxVersion { major, minor }
}

/// The first GPU of each generation. What all have in common is said here only.
pub(crate) const AMPERE: Target = Target {
    name: name(8, 0, Portable),
    tensor_cores: TensorCores::Ampere,
    ptx_version: ptx(8, 0),
    shared_bytes_per_sm: 164 * KIB,
    registers_per_sm: 65536,
    max_registers_per_thread: 255,
    max_warps_per_sm: 64,
    max_ctas_per_sm: 32,
    multiprocessors: 108, // A100
};
const ADA: Target = Target {
    name: name(8, 9, Portable),
    tensor_cores: TensorCores::Ada,
    ptx_version: ptx(8, 4),
    shared_bytes_per_sm: 100 * KIB,
    max_warps_per_sm: 48,
    max_ctas_per_sm: 24,
    multiprocessors: 1,
    ..AMPERE
};
const HOPPER: Target = Target {
    name: name(9, 0, Portable),
    tensor_cores: TensorCores::Hopper,
    ptx_version: ptx(8, 4),
    shared_bytes_per_sm: 228 * KIB,
    max_warps_per_sm: 64,
    max_ctas_per_sm: 32,
    multiprocessors: 132, // H100 SXM, H200
    ..AMPERE
};
const BLACKWELL: Target =
    Target { name: name(10, 0, Portable), tensor_cores: TensorCores::Blackwell, ptx_version: ptx(8, 6), ..HOPPER };
const BLACKWELL_WORKSTATION: Target = Target {
    name: name(12, 0, Portable),
    tensor_cores: TensorCores::BlackwellWorkstation,
    ptx_version: ptx(8, 7),
    ..ADA
};

/// What is compiled for when nothing else is said and no GPU is there: that of an H200, on which tk is measured.
pub(crate) const DEFAULT: Target = Target { name: name(9, 0, ArchitectureSpecific), ..HOPPER };

/// Oldest first; a GPU with architecture-specific features follows the same one without. PTX x.y needs a driver of the CUDA
/// release of that time: 8.0 of CUDA 12.0, 8.4 (8-bit floats in `mma.sync`) of CUDA 12.4, 8.6 of CUDA 12.7.
///
/// The oldest decides what needs no question: `cp.async`, `createpolicy`, `ldmatrix`, and `mma.sync` of f16, bf16, tf32, f64 and i8 are in every row.
pub(crate) static TARGETS: &[Target] = &[
    AMPERE,
    Target {
        name: name(8, 6, Portable),
        shared_bytes_per_sm: 100 * KIB,
        max_warps_per_sm: 48,
        max_ctas_per_sm: 16,
        multiprocessors: 1,
        ..AMPERE
    },
    Target { name: name(8, 7, Portable), max_warps_per_sm: 48, max_ctas_per_sm: 16, multiprocessors: 1, ..AMPERE },
    ADA,
    HOPPER,
    DEFAULT,
    BLACKWELL,
    Target { name: name(10, 0, ArchitectureSpecific), ..BLACKWELL },
    Target { name: name(10, 3, ArchitectureSpecific), ptx_version: ptx(8, 8), ..BLACKWELL },
    BLACKWELL_WORKSTATION,
    Target { name: name(12, 0, ArchitectureSpecific), ..BLACKWELL_WORKSTATION },
];
