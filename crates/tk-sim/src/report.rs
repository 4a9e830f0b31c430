//! Counters of memory accesses and the report made of them.

use crate::cache::CacheCounts;
use crate::cache_report::CacheReport;
use crate::fault::find_source;
use crate::lanes::{Lanes, lanes_of};
use crate::printed::Printed;
use crate::program::Program;
use crate::roofline::WorkReport;
use crate::wavefronts::{self, Passes, Way};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};
use tk_diag::SourceFile;

/// What a memory instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessKind {
    /// `ld`, `ldmatrix`.
    Load,
    /// `st`, `stmatrix`.
    Store,
    /// `atom`, `red`.
    Atomic,
    /// `cp.async`.
    Copy,
    /// Operands that `wgmma` reads from shared memory.
    Wgmma,
    /// `cp.async.bulk` and its tensor forms.
    Bulk,
}

impl AccessKind {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
            AccessKind::Atomic => "atomic",
            AccessKind::Copy => "copy",
            AccessKind::Wgmma => "wgmma",
            AccessKind::Bulk => "bulk",
        }
    }
}

/// Counts of one memory instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Warp-level requests to global memory.
    pub requests: u64,
    /// 32-byte sectors that the requests touch.
    pub sectors: u64,
    /// Fewest sectors that could hold the distinct bytes of each request.
    pub least_sectors: u64,
    /// Bytes that active lanes asked for.
    pub bytes: u64,
    /// Warp-level requests to shared memory; each matrix of `ldmatrix` is one.
    pub shared_requests: u64,
    /// Passes over the 32 banks that they take.
    pub wavefronts: u64,
    /// Passes without bank conflicts.
    pub least_wavefronts: u64,
}

impl Counts {
    /// Adds another set of counts.
    pub fn add(&mut self, other: &Counts) {
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.least_sectors += other.least_sectors;
        self.bytes += other.bytes;
        self.shared_requests += other.shared_requests;
        self.wavefronts += other.wavefronts;
        self.least_wavefronts += other.least_wavefronts;
    }

    /// Wavefronts beyond the least.
    pub fn bank_conflicts(&self) -> u64 {
        self.wavefronts - self.least_wavefronts
    }

    /// Least sectors over sectors, from 0 to 1; 1 without any.
    pub fn efficiency(&self) -> f64 {
        if self.sectors == 0 { 1.0 } else { self.least_sectors as f64 / self.sectors as f64 }
    }
}

/// How often a line of the PTX ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Runs {
    /// The line in the text, from 1.
    pub ptx_line: u32,
    /// Times that a warp ran it with a thread that took part, 0 for never. Of a line that is several operations, the one that ran most counts;
    /// a wait runs again until it is over.
    pub warps: u64,
}

/// How often an operation ran.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ran {
    /// With a thread that took part.
    pub(crate) warps: u64,
    pub(crate) lanes: u64,
}

/// What one worker counts.
#[derive(Default)]
pub(crate) struct Counters {
    sites: Vec<Counts>,
    pub(crate) steps: u64,
    /// Of each operation, by its number.
    pub(crate) runs: Vec<Ran>,
    /// What kernels printed.
    pub(crate) printed: Printed,
}

impl Counters {
    pub(crate) fn new(program: &Program) -> Self {
        let sites = vec![Counts::default(); program.sites.len().max(1)];
        Self { sites, runs: vec![Ran::default(); program.code.len()], ..Self::default() }
    }

    pub(crate) fn merge(&mut self, other: Counters) {
        for (mine, theirs) in self.sites.iter_mut().zip(&other.sites) {
            mine.add(theirs);
        }
        for (mine, theirs) in self.runs.iter_mut().zip(&other.runs) {
            mine.warps += theirs.warps;
            mine.lanes += theirs.lanes;
        }
        self.steps += other.steps;
        self.printed.merge(other.printed);
    }

    /// Lanes of all operations.
    pub(crate) fn lane_steps(&self) -> u64 {
        self.runs.iter().map(|ran| ran.lanes).sum()
    }

    /// The lines of the PTX with instructions, in order.
    pub(crate) fn runs_by_line(&self, program: &Program) -> Vec<Runs> {
        let ran = (0..).zip(&self.runs);
        let rows = ran.map(|(pc, ran)| Runs { ptx_line: program.ptx_line(pc), warps: ran.warps });
        let mut found: Vec<Runs> = rows.filter(|runs| runs.ptx_line > 0).collect();
        found.sort_by_key(|runs| (runs.ptx_line, std::cmp::Reverse(runs.warps)));
        found.dedup_by_key(|runs| runs.ptx_line);
        found
    }

    /// Counts a request to global memory of `bytes` bytes per active lane.
    pub(crate) fn global(&mut self, site: u32, addresses: &Lanes, active: u32, bytes: u32) {
        if active == 0 {
            return;
        }
        let (sectors, distinct) = footprint(addresses, active, u64::from(bytes));
        let counts = &mut self.sites[site as usize];
        counts.requests += 1;
        counts.sectors += sectors;
        counts.least_sectors += distinct.div_ceil(32);
        counts.bytes += u64::from(active.count_ones() * bytes);
    }

    /// Counts an atomic of global memory: lanes with the same address take turns, each of which touches the sector again.
    pub(crate) fn atomic(&mut self, site: u32, addresses: &Lanes, active: u32, bytes: u32) {
        self.global(site, addresses, active, bytes);
        self.sites[site as usize].sectors += repeated_sectors(addresses, active);
    }

    /// Counts an access of an engine to shared memory, which moves 128 bytes at once and never conflicts in its own layouts.
    pub(crate) fn engine_shared(&mut self, site: u32, bytes: u64) {
        let counts = &mut self.sites[site as usize];
        counts.shared_requests += 1;
        counts.wavefronts += bytes.div_ceil(128);
        counts.least_wavefronts += bytes.div_ceil(128);
    }

    /// Counts an access of an engine to global memory: sectors touched, and bytes of them that were wanted.
    pub(crate) fn engine_global(&mut self, site: u32, sectors: u64, bytes: u64) {
        let counts = &mut self.sites[site as usize];
        counts.requests += 1;
        counts.sectors += sectors;
        counts.least_sectors += bytes.div_ceil(32);
        counts.bytes += bytes;
    }

    /// Counts a request to shared memory.
    pub(crate) fn shared(&mut self, site: u32, way: Way, (addresses, active): (&Lanes, u32), bytes: u32) {
        let passes = wavefronts::of_lanes(way, addresses, active, bytes);
        self.shared_passes(site, passes);
    }

    /// Counts what `cp.async` writes to shared memory: `reading` are the lanes that read something.
    pub(crate) fn shared_copy(&mut self, site: u32, landing: (&Lanes, u32), sources: (&Lanes, u32), bytes: u32) {
        self.shared_passes(site, wavefronts::of_copies(landing, sources, bytes));
    }

    fn shared_passes(&mut self, site: u32, passes: Passes) {
        let counts = &mut self.sites[site as usize];
        counts.shared_requests += 1;
        counts.wavefronts += passes.taken;
        counts.least_wavefronts += passes.least;
    }
}

/// Sectors touched and distinct bytes asked for.
fn footprint(addresses: &Lanes, active: u32, bytes: u64) -> (u64, u64) {
    let (mut sectors, mut distinct) = (0, 0);
    let (mut next_sector, mut next_byte) = (0, 0);
    let mut last = 0;
    for lane in lanes_of(active) {
        let start = addresses[lane];
        if start < last {
            return unordered(addresses, active, bytes);
        }
        last = start;
        let end = start.saturating_add(bytes);
        let (first, past) = ((start / 32).max(next_sector), end.div_ceil(32));
        sectors += past.saturating_sub(first);
        next_sector = next_sector.max(past);
        distinct += end.saturating_sub(start.max(next_byte));
        next_byte = next_byte.max(end);
    }
    (sectors, distinct)
}

/// Sectors that are touched again since several lanes have one address: of each sector, one less than lanes share its busiest address.
fn repeated_sectors(addresses: &Lanes, active: u32) -> u64 {
    let mut sorted: Vec<u64> = lanes_of(active).map(|lane| addresses[lane]).collect();
    sorted.sort_unstable();
    let sectors = sorted.chunk_by(|a, b| a / 32 == b / 32);
    let turns = sectors.map(|sector| sector.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(1));
    turns.map(|turns| turns as u64 - 1).sum()
}

fn unordered(addresses: &Lanes, active: u32, bytes: u64) -> (u64, u64) {
    let mut sorted = [u64::MAX; 32];
    for (place, lane) in sorted.iter_mut().zip(lanes_of(active)) {
        *place = addresses[lane];
    }
    sorted.sort_unstable();
    let count = active.count_ones();
    footprint(&sorted, if count == 32 { u32::MAX } else { (1 << count) - 1 }, bytes)
}

/// One memory instruction of the PTX.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccessRow {
    /// Source file of the `.loc` in force; empty when unknown.
    pub file: String,
    /// Line in it; 0 when unknown.
    pub line: u32,
    /// Column in it.
    pub column: u32,
    /// Line in the PTX text.
    pub ptx_line: u32,
    /// What it does.
    pub kind: AccessKind,
    /// Bits one thread accesses at once.
    pub width: u32,
    /// Its counts.
    #[serde(flatten)]
    pub counts: Counts,
    /// What caches did for it, where the launch had a model of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheCounts>,
}

impl AccessRow {
    /// Adds the counts of another row.
    fn add(&mut self, other: &AccessRow) {
        self.counts.add(&other.counts);
        if let (Some(mine), Some(theirs)) = (&mut self.cache, &other.cache) {
            mine.add(theirs);
        }
    }
}

/// Memory accesses of a launch, one row per memory instruction that ran, sorted by source line.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MemoryReport {
    /// The rows.
    pub rows: Vec<AccessRow>,
    /// What the launch did besides, and what bounds its time.
    pub work: WorkReport,
    /// The caches of which the rows tell, where the launch had a model of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caches: Option<CacheReport>,
    /// The texts of the lines that the rows name, by file and line.
    #[serde(skip)]
    lines: BTreeMap<(String, u32), String>,
}

impl MemoryReport {
    pub(crate) fn new(
        program: &Program,
        counters: &Counters,
        sources: &[SourceFile],
        caches: Option<(CacheReport, Vec<CacheCounts>)>,
    ) -> Self {
        let mut rows = Vec::new();
        let (caches, cached) = caches.unzip();
        for (number, (site, counts)) in program.sites.iter().zip(&counters.sites).enumerate().skip(1) {
            let cache = cached.as_ref().map(|counts| counts[number]);
            if counts.requests + counts.shared_requests == 0 {
                continue;
            }
            let (file, line, column) = program.place(site.origin.location).unwrap_or(("", 0, 0));
            let ptx_line = program.source.line_column(site.origin.span.start).line;
            let (kind, width) = (site.kind, site.width);
            rows.push(AccessRow {
                file: file.to_string(),
                line,
                column,
                ptx_line,
                kind,
                width,
                counts: *counts,
                cache,
            });
        }
        rows.sort_by(|a, b| (&a.file, a.line, a.column, a.ptx_line).cmp(&(&b.file, b.line, b.column, b.ptx_line)));
        let mut lines = BTreeMap::new();
        for row in rows.iter().filter(|row| !row.file.is_empty()) {
            if let Some((_, part)) = find_source(sources, &row.file, row.line) {
                lines.insert((row.file.clone(), row.line), part.line_text(row.line).trim().to_string());
            }
        }
        Self { rows, work: WorkReport::default(), caches, lines }
    }

    /// All rows of a source line and kind added up: file, line, kind, width, counts. Sorted by line.
    pub fn lines(&self) -> Vec<AccessRow> {
        let mut out: Vec<AccessRow> = Vec::new();
        for row in &self.rows {
            let same = |r: &&mut AccessRow| {
                (&r.file, r.line, r.kind, r.width) == (&row.file, row.line, row.kind, row.width)
                    && (r.counts.requests == 0) == (row.counts.requests == 0)
            };
            match out.iter_mut().rev().take(64).find(same) {
                Some(sum) if row.line > 0 => sum.add(row),
                _ => out.push(row.clone()),
            }
        }
        out
    }

    /// Counts of the whole launch.
    pub fn totals(&self) -> Counts {
        self.rows.iter().fold(Counts::default(), |mut sum, row| {
            sum.add(&row.counts);
            sum
        })
    }

    /// Least sectors over sectors of the whole launch, from 0 to 1.
    pub fn sector_efficiency(&self) -> f64 {
        self.totals().efficiency()
    }

    /// The text of a source line that a row names, when the launch had it.
    pub fn source_line(&self, file: &str, line: u32) -> Option<&str> {
        self.lines.get(&(file.to_string(), line)).map(String::as_str)
    }
}

impl Display for MemoryReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let lines = self.lines();
        let global: Vec<&AccessRow> = lines.iter().filter(|r| r.counts.requests > 0).collect();
        let shared: Vec<&AccessRow> = lines.iter().filter(|r| r.counts.shared_requests > 0).collect();
        if global.is_empty() && shared.is_empty() {
            return writeln!(f, "no memory accesses");
        }
        if !global.is_empty() {
            writeln!(f, "global memory      kind   bits   requests  sectors/req  least  efficiency  source")?;
            for row in &global {
                let c = &row.counts;
                let per = |n: u64| n as f64 / c.requests as f64;
                let (kind, width) = (row.kind.name(), row.width);
                write!(f, "{:<18} {kind:<6} {width:>4} {:>10}", self.place(row), c.requests)?;
                write!(f, "  {:>11.2}  {:>5.2}", per(c.sectors), per(c.least_sectors))?;
                writeln!(f, "  {:>8.1} %  {}", 100.0 * c.efficiency(), self.text(row))?;
            }
        }
        if !shared.is_empty() {
            writeln!(f, "shared memory      kind   bits   requests   wavefronts  least   conflicts  source")?;
            for row in &shared {
                let c = &row.counts;
                let (kind, width) = (row.kind.name(), row.width);
                write!(f, "{:<18} {kind:<6} {width:>4} {:>10}", self.place(row), c.shared_requests)?;
                write!(f, "  {:>11} {:>6}  {:>10}", c.wavefronts, c.least_wavefronts, c.bank_conflicts())?;
                writeln!(f, "  {}", self.text(row))?;
            }
        }
        self.write_caches(&lines, f)?;
        let totals = self.totals();
        write!(f, "total: {} global requests, {} sectors", totals.requests, totals.sectors)?;
        write!(f, " ({} least), {:.1} % sector efficiency", totals.least_sectors, 100.0 * totals.efficiency())?;
        writeln!(f, ", {} bytes; {} bank conflicts", totals.bytes, totals.bank_conflicts())
    }
}

impl MemoryReport {
    pub(crate) fn place(&self, row: &AccessRow) -> String {
        if row.line == 0 {
            return format!("ptx:{}", row.ptx_line);
        }
        let name = row.file.rsplit('/').next().unwrap_or(&row.file);
        format!("{name}:{}", row.line)
    }

    pub(crate) fn text(&self, row: &AccessRow) -> String {
        let text = self.source_line(&row.file, row.line).unwrap_or("");
        text.chars().take(70).collect()
    }
}
