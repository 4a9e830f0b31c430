//! What the memory report says of caches.

use crate::cache::{CacheCounts, Residency, replay};
use crate::cache_config::CacheConfig;
use crate::launch::Environment;
use crate::report::{AccessRow, MemoryReport};
use crate::residency::MORE_REGISTERS;
use serde::Serialize;
use std::fmt::Formatter;

/// Bytes of a sector.
const SECTOR_BYTES: u64 = 32;

/// The model of caches of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CacheReport {
    /// The caches, with the CTAs that a multiprocessor runs at once.
    pub config: CacheConfig,
    /// The launch asked for so much that the CTAs that ended last are left out.
    pub is_cut: bool,
}

impl Environment<'_> {
    /// Runs the launch through its caches: what they are, and counts by number of the instruction.
    pub(crate) fn caches(&self) -> Option<(CacheReport, Vec<CacheCounts>)> {
        let traffic = self.traffic.as_ref()?;
        let mut config = self.config.caches.clone()?;
        let ctas =
            config.ctas.unwrap_or_else(|| self.ctas_per_multiprocessor(self.program.peak_registers + MORE_REGISTERS));
        config.ctas = Some(ctas);
        let shared_bytes = self.config.shared_bytes + self.program.static_shared;
        let residency = Residency { ctas, shared_bytes, cluster: self.geometry.size() };
        let counts = replay(&config, traffic, self.program.sites.len(), residency);
        Some((CacheReport { config, is_cut: traffic.is_cut() }, counts))
    }
}

impl MemoryReport {
    /// What caches did for the whole launch.
    pub fn cache_totals(&self) -> CacheCounts {
        let mut total = CacheCounts::default();
        self.rows.iter().filter_map(|row| row.cache.as_ref()).for_each(|counts| total.add(counts));
        total
    }

    /// The table of caches, where the launch had a model of them.
    pub(crate) fn write_caches(&self, lines: &[AccessRow], f: &mut Formatter<'_>) -> std::fmt::Result {
        let Some(report) = &self.caches else { return Ok(()) };
        writeln!(f, "caches             kind   bits    L1 hits    L2 reads     hits  from memory  L2 writes  source")?;
        for row in lines {
            let Some(cache) = row.cache.filter(|cache| *cache != CacheCounts::default()) else { continue };
            let (kind, width) = (row.kind.name(), row.width);
            write!(f, "{:<18} {kind:<6} {width:>4} {:>10} {:>11}", self.place(row), cache.l1_hits, cache.l2_reads)?;
            let hits = match cache.l2_reads {
                0 => "-".to_string(),
                _ => format!("{:.1} %", 100.0 * cache.l2_hit_rate()),
            };
            writeln!(f, " {hits:>8} {:>12} {:>10}  {}", cache.from_memory(), cache.l2_writes, self.text(row))?;
        }
        let totals = self.cache_totals();
        let kib = |sectors: u64| sectors as f64 * SECTOR_BYTES as f64 / 1024.0;
        writeln!(f, "L2 of {}", report.config)?;
        write!(f, "L2: reads of {} KiB, {:.1} % hits", kib(totals.l2_reads), 100.0 * totals.l2_hit_rate())?;
        writeln!(f, ", {} KiB from memory; writes of {} KiB", kib(totals.from_memory()), kib(totals.l2_writes))?;
        if report.is_cut {
            writeln!(
                f,
                "these are counts of the CTAs that ended first: the launch asks for more than the model keeps"
            )?;
        }
        Ok(())
    }
}
