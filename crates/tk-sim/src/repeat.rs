//! The report of a race, which does not depend on how fast the workers were.
//!
//! Which of two accesses comes second, and which of several races is found first, depends on the workers. So a launch that several workers
//! have run to a race is undone and run again by one, whose order the seed alone decides: the same program has the same report on every
//! run and every machine. Memory is restored from what pages of [`crate::global_races`] held when they were first touched.

use crate::changed_maps::ChangedMaps;
use crate::fault_report::LaunchError;
use crate::global_races::GlobalRaces;
use crate::launch::{Environment, run};
use crate::traffic::Traffic;
use std::sync::atomic::AtomicU64;
use tk_diag::DATA_RACE;

/// Warp instructions of the second run. It costs seconds at most; a race behind more of them keeps its first report.
const MOST_STEPS: u64 = 50_000_000;

/// The error as one worker finds it. The first report stays where that is not a race between CTAs, or where one worker finds none.
pub(crate) fn repeated(env: &mut Environment<'_>, error: LaunchError) -> LaunchError {
    if error.diagnostic().code != DATA_RACE {
        return error;
    }
    let Some(before) = env.global.take().and_then(GlobalRaces::into_memory) else { return error };
    before.iter().for_each(|page| env.memory.restore(page));
    env.global = Some(GlobalRaces::new());
    env.maps = ChangedMaps::default();
    env.traffic = env.traffic.is_some().then(Traffic::default);
    env.failed = AtomicU64::new(u64::MAX);
    env.most_steps = MOST_STEPS;
    match run(env, 1) {
        Ok(_) => error,
        Err(again) => again,
    }
}
