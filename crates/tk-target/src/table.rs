//! The targets, one row each.

use crate::Target;

const KIB: u32 = 1024;

/// A row: capability, `a` features, PTX version, shared KiB per SM, warps and CTAs per SM. What is the same everywhere is filled in.
const fn row(sm: u32, arch_specific: bool, ptx_version: (u32, u32), shared_kib: u32, warps: u32, ctas: u32) -> Target {
    Target {
        sm,
        arch_specific,
        ptx_version,
        max_shared_bytes_per_cta: (shared_kib - 1) * KIB,
        shared_bytes_per_sm: shared_kib * KIB,
        registers_per_sm: 65536,
        max_registers_per_thread: 255,
        max_warps_per_sm: warps,
        max_ctas_per_sm: ctas,
    }
}

/// Oldest first; a chip with `a` features follows the chip without. PTX x.y needs a driver of the CUDA
/// release of that time: 8.0 of CUDA 12.0, 8.4 (8-bit floats in `mma.sync`) of CUDA 12.4, 8.6 of CUDA 12.7.
pub(crate) static TARGETS: [Target; 11] = [
    row(80, false, (8, 0), 164, 64, 32),
    row(86, false, (8, 0), 100, 48, 16),
    row(87, false, (8, 0), 164, 48, 16),
    row(89, false, (8, 4), 100, 48, 24),
    row(90, false, (8, 4), 228, 64, 32),
    row(90, true, (8, 4), 228, 64, 32),
    row(100, false, (8, 6), 228, 64, 32),
    row(100, true, (8, 6), 228, 64, 32),
    row(103, true, (8, 8), 228, 64, 32),
    row(120, false, (8, 7), 100, 48, 24),
    row(120, true, (8, 7), 100, 48, 24),
];
