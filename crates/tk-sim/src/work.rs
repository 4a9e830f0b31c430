//! Makes the report of what a launch did besides its accesses: instructions by class, occupancy, the roofs.

use crate::classes::{InstructionClass, Operations};
use crate::launch::Environment;
use crate::report::{Counters, MemoryReport};
use crate::residency::MORE_REGISTERS;
use crate::roofline::{ClassCounts, MULTIPROCESSORS, OccupancyReport, Roof, WorkReport, bound, is_arithmetic, peak};
use tk_target::Target;

const SECTOR_BYTES: u64 = 32;
/// Bytes of a wavefront of shared memory.
const WAVEFRONT_BYTES: u64 = 128;

impl Environment<'_> {
    /// What the launch did.
    pub(crate) fn work(&self, counters: &Counters, memory: &MemoryReport) -> WorkReport {
        let classes = counters.classes(self.program);
        let occupancy = self.occupancy();
        let memory_bytes = self.global.as_ref().and_then(|global| global.touched_sectors()).map(|n| n * SECTOR_BYTES);
        let operations: u64 = classes.iter().filter(|c| is_arithmetic(c.class)).map(|c| c.operations).sum();
        let intensity = memory_bytes.filter(|bytes| *bytes > 0).map(|bytes| operations as f64 / bytes as f64);
        let share = f64::from(occupancy.multiprocessors) / f64::from(MULTIPROCESSORS);
        let mut roofs: Vec<Roof> = Vec::new();
        let mut add = |part, amount: u64, name: &str, share: f64| {
            if let Some(peak) = peak(name).filter(|_| amount > 0) {
                let per_second = peak * share;
                roofs.push(Roof { part, amount, per_second, seconds: amount as f64 / per_second });
            }
        };
        add("memory", memory_bytes.unwrap_or(0), "memory_read", 1.0);
        if memory.caches.is_some() {
            let totals = memory.cache_totals();
            add("L2", (totals.l2_reads + totals.l2_writes) * SECTOR_BYTES, "l2_read", share);
        }
        add("shared memory", memory.totals().wavefronts * WAVEFRONT_BYTES, "shared_read", share);
        for counts in &classes {
            if let Some((name, each)) = bound(counts.class) {
                let amount = each.map_or(counts.operations, |each| each * counts.warps);
                add(counts.class.name(), amount, name, share);
            }
        }
        roofs.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        WorkReport { classes, occupancy, memory_bytes, intensity, roofs }
    }

    fn occupancy(&self) -> OccupancyReport {
        let known = self.program.max_registers;
        let registers = known.unwrap_or(self.program.peak_registers + MORE_REGISTERS);
        let shared = self.config.shared_bytes + self.program.static_shared;
        let warps = self.config.threads_per_cta.div_ceil(32);
        let target = Target::default();
        let found = target.occupancy(registers.min(target.max_registers_per_thread()), shared, warps);
        let ctas = self.geometry.count() * u64::from(self.geometry.size());
        OccupancyReport {
            ctas: found.ctas_per_sm,
            warps: found.warps_per_sm,
            // CTAs of 32 warps fill it.
            most_warps: target.occupancy(1, 0, 32).warps_per_sm,
            limit: match found.limit {
                tk_target::Limit::Registers => "registers",
                tk_target::Limit::SharedMemory => "shared memory",
                tk_target::Limit::Warps => "warps",
                tk_target::Limit::Ctas => "CTAs",
            },
            registers,
            is_register_count_known: known.is_some(),
            multiprocessors: u64::from(MULTIPROCESSORS).min(ctas) as u32,
        }
    }
}

impl Counters {
    /// What each class did.
    fn classes(&self, program: &crate::program::Program) -> Vec<ClassCounts> {
        let zero = |class| ClassCounts { class, warps: 0, lanes: 0, operations: 0 };
        let mut classes = InstructionClass::ALL.map(zero);
        for (ran, weight) in self.runs.iter().zip(&program.weights) {
            let Some(weight) = weight else { continue };
            let counts = &mut classes[weight.class as usize];
            counts.warps += ran.warps;
            counts.lanes += ran.lanes;
            counts.operations += match weight.operations {
                Operations::OfLane(each) => u64::from(each) * ran.lanes,
                Operations::OfWarp(each) => u64::from(each) * ran.warps,
            };
        }
        classes.into_iter().filter(|counts| counts.warps > 0).collect()
    }
}
