//! What a launch on the simulator and an assembler say of lines, and what shared memory is used for.

use crate::Place;
use serde::{Deserialize, Serialize};

/// What a launch counted, beside what a compilation knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// Lines with bank conflicts.
    pub conflicts: Vec<Conflict>,
}

/// Bank conflicts of the accesses of a line to shared memory, of a launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Conflict {
    /// The line.
    pub place: Place,
    /// What the accesses do: `load`, `store`, `atomic`.
    pub kind: String,
    /// Passes through the banks.
    pub wavefronts: u64,
    /// Passes that it would take without conflicts.
    pub least_wavefronts: u64,
}

/// Registers that are kept in memory at a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Spill {
    /// The line.
    pub place: Place,
    /// Instructions that write registers to local memory.
    pub stores: u32,
    /// Instructions that read them again.
    pub loads: u32,
}

/// An operation that uses shared memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SharedUse {
    /// Where it stands.
    pub place: Place,
    /// What it does.
    pub work: SharedWork,
    /// The tensor, as `128x64xf16`.
    pub tensor: String,
}

/// What shared memory is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedWork {
    /// Elements at places that the program computes.
    Gather,
    /// Counters that values choose.
    Histogram,
    /// A block that threads read or write where it lies.
    Buffer,
    /// A conversion between layouts.
    Conversion,
    /// Partial results of a reduction.
    Reduction,
    /// Partial results of a scan.
    Scan,
    /// Results of atomic accesses.
    Atomic,
    /// Tensor maps and mbarriers.
    Control,
}

impl SharedWork {
    /// Why its accesses conflict.
    pub fn reason(self) -> &'static str {
        match self {
            SharedWork::Gather => "the gather reads elements at places that the kernel computes",
            SharedWork::Histogram => "values choose the counters of the histogram",
            SharedWork::Buffer => "the block lies otherwise than threads read or write it",
            SharedWork::Conversion => "no order of the elements suits both layouts of the conversion",
            SharedWork::Reduction => "threads exchange partial results of the reduction",
            SharedWork::Scan => "threads exchange partial results of the scan",
            SharedWork::Atomic => "threads exchange results of the atomic access",
            SharedWork::Control => "tensor maps and mbarriers are written",
        }
    }
}

impl Conflict {
    /// It in words; `uses` are the operations of the kernel that use shared memory.
    pub fn text(&self, uses: &[SharedUse]) -> String {
        let mut works: Vec<&SharedUse> = uses.iter().filter(|one| one.place == self.place).collect();
        if works.is_empty() {
            let at = |one: &&SharedUse| (&one.place.file, one.place.line) == (&self.place.file, self.place.line);
            works = uses.iter().filter(at).collect();
        }
        works.sort_by_key(|one| one.work);
        works.dedup_by_key(|one| one.work);
        let reasons: Vec<String> = works.iter().map(|one| format!("{} ({})", one.work.reason(), one.tensor)).collect();
        let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
        let (extra, least) = (self.wavefronts - self.least_wavefronts, self.least_wavefronts);
        format!("{extra} bank conflicts of shared {}s that need {least} wavefronts{reasons}", self.kind)
    }
}

impl Spill {
    /// It in words.
    pub fn text(&self) -> String {
        format!("registers spill: {} stores and {} loads of local memory", self.stores, self.loads)
    }
}
