//! The report of a race, which does not depend on how fast the workers were.
//!
//! Which of two accesses comes second, and which of several races is found first, depends on the workers. So a launch that several workers
//! have run to a race is undone and run again by one, whose order the seed alone decides: the same program has the same report on every
//! run and every machine. Memory is restored from what pages of [`crate::global_races`] held when they were first touched.

use crate::fault_report::LaunchError;
use crate::global_races::GlobalRaces;
use crate::memory::DeviceMemory;
use tk_diag::DATA_RACE;

/// Warp instructions of the second run. It costs seconds at most; a race behind more of them keeps its first report.
pub(crate) const MOST_STEPS: u64 = 50_000_000;

/// Undoes a launch that has ended with a race; false where it ended otherwise, or where not all is known that it changed.
pub(crate) fn undo(error: &LaunchError, global: Option<GlobalRaces>, memory: &DeviceMemory) -> bool {
    let global = global.filter(|_| error.diagnostic().code == DATA_RACE);
    let Some(before) = global.and_then(GlobalRaces::into_memory) else { return false };
    before.iter().for_each(|page| memory.restore(page));
    true
}
