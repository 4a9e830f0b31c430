//! How many CTAs fit on one SM, and what limits them.

use crate::{RESERVED_SHARED_BYTES, Target, WARP_SIZE};

/// Registers are given to warps in such pieces.
const REGISTER_GRANULARITY: u32 = 256;
/// An SM has four partitions; the warps that registers allow are counted in multiples of it.
const WARP_GRANULARITY: u32 = 4;
/// Shared memory is given to CTAs in pieces of so many bytes.
const SHARED_GRANULARITY: u32 = 128;

/// The resource that ends first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Registers of the SM.
    Registers,
    /// Shared memory of the SM.
    SharedMemory,
    /// Resident warps.
    Warps,
    /// Resident CTAs.
    Ctas,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Limit::Registers => "registers",
            Limit::SharedMemory => "shared memory",
            Limit::Warps => "warps",
            Limit::Ctas => "CTAs",
        })
    }
}

/// Result of [`Target::occupancy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// CTAs that run on one SM at the same time; 0 when the kernel cannot be launched.
    pub ctas_per_sm: u32,
    /// Warps of these CTAs.
    pub warps_per_sm: u32,
    /// What keeps one more CTA away.
    pub limit: Limit,
}

impl Target {
    /// CTAs per SM of a kernel with `registers` per thread, `shared_bytes` per CTA and `warps` per CTA.
    pub fn occupancy(&self, registers: u32, shared_bytes: u32, warps: u32) -> Occupancy {
        let warps = warps.max(1);
        let per_warp = registers.max(1).saturating_mul(WARP_SIZE).next_multiple_of(REGISTER_GRANULARITY);
        let warps_by_registers = self.registers_per_sm / per_warp / WARP_GRANULARITY * WARP_GRANULARITY;
        let by_registers = if registers > self.max_registers_per_thread { 0 } else { warps_by_registers / warps };
        let by_shared = if shared_bytes > self.max_shared_bytes_per_cta() {
            0
        } else {
            self.shared_bytes_per_sm / (shared_bytes + RESERVED_SHARED_BYTES).next_multiple_of(SHARED_GRANULARITY)
        };
        let limits = [
            (self.max_ctas_per_sm, Limit::Ctas),
            (self.max_warps_per_sm / warps, Limit::Warps),
            (by_registers, Limit::Registers),
            (by_shared, Limit::SharedMemory),
        ];
        let (ctas, limit) = limits.into_iter().min_by_key(|(ctas, _)| *ctas).unwrap_or((0, Limit::Ctas));
        Occupancy { ctas_per_sm: ctas, warps_per_sm: ctas * warps, limit }
    }

    /// Most registers per thread with which `ctas` CTAs of `warps` warps still fit by registers, at most the thread's limit.
    pub fn register_budget(&self, warps: u32, ctas: u32) -> u32 {
        let warps = warps.max(1).saturating_mul(ctas.max(1)).next_multiple_of(WARP_GRANULARITY);
        let per_warp = self.registers_per_sm / warps / REGISTER_GRANULARITY * REGISTER_GRANULARITY;
        (per_warp / WARP_SIZE).min(self.max_registers_per_thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hopper() -> Target {
        Target::parse("sm_90a").unwrap_or_else(|why| panic!("{why}"))
    }

    #[test]
    fn each_resource_can_be_the_limit() {
        let target = hopper();
        let cases = [
            ((32, 0, 1), (32, Limit::Ctas)),
            ((32, 0, 4), (16, Limit::Warps)),
            ((128, 0, 4), (4, Limit::Registers)),
            ((168, 0, 4), (3, Limit::Registers)),
            ((255, 0, 8), (1, Limit::Registers)),
            ((64, 196_608, 4), (1, Limit::SharedMemory)),
            ((64, 100 * 1024, 4), (2, Limit::SharedMemory)),
            ((64, 227 * 1024, 4), (1, Limit::SharedMemory)),
            ((64, 227 * 1024 + 1, 4), (0, Limit::SharedMemory)),
            ((256, 0, 4), (0, Limit::Registers)),
            ((255, 0, 16), (0, Limit::Registers)),
        ];
        for ((registers, shared, warps), (ctas, limit)) in cases {
            let occupancy = target.occupancy(registers, shared, warps);
            assert_eq!((occupancy.ctas_per_sm, occupancy.limit), (ctas, limit), "{registers} {shared} {warps}");
        }
    }

    #[test]
    fn the_register_budget_is_the_largest_that_fits() {
        for target in Target::all() {
            for warps in [1, 2, 4, 8, 16, 32] {
                for ctas in [1, 2, 3, 4] {
                    let fits = |registers| target.occupancy(registers, 0, warps).ctas_per_sm >= ctas;
                    let budget = target.register_budget(warps, ctas);
                    if warps * ctas <= target.max_warps_per_sm {
                        assert!(fits(budget), "{target} {warps} {ctas} {budget}");
                        assert!(budget == 255 || !fits(budget + 1), "{target} {warps} {ctas} {budget}");
                    }
                }
            }
        }
    }
}
