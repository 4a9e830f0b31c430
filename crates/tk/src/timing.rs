//! Timing the configurations of an autotuning on a GPU: what the contest (`contest.rs`) asks for, measured.

use crate::contest::{self, Slice, Standing};
use crate::copies::{Copy, upload};
use crate::loaded::Loaded;
use crate::progress::{Progress, ProgressLine};
use crate::session::{Session, SessionWatcher, device_args, located};
use crate::tuning::figures;
use std::rc::Rc;
use std::time::Instant;
use tk_diag::{Diagnostic, Result};
use tk_host::{BenchOptions, Candidate, Region, Timing, TuneRequest};
use tk_launch::{BenchMode, Pace, RunTime, Sample, SampleSettings, Trial};

/// Milliseconds that timing may take, all configurations together.
const BUDGET_MS: f64 = 1000.0;

/// The `rep` of `@triton.autotune` that the budget is for; a longer one lengthens the budget in proportion.
const USUAL_REP_MS: f64 = 100.0;

/// The budget grows to no more than this many times.
const MOST_TIMES: f64 = 10.0;

/// Memory that gets its contents back before each run.
struct Snapshot<'r> {
    copy: Rc<Copy>,
    region: &'r Region,
    saved: tk_launch::Buffer,
}

/// What goes before each run of a configuration.
struct Preparation<'r> {
    reset: Vec<(Rc<Copy>, &'r Region)>,
    restore: Vec<Snapshot<'r>>,
}

/// A configuration that is timed, or why there is none; and how long its runs are, once that is known.
struct Contestant {
    loaded: Result<Rc<Loaded>>,
    pace: Option<Pace>,
}

/// What became of the configurations.
pub(crate) struct Timed {
    /// All of them, in the order of the program.
    pub trials: Vec<Trial>,
    /// The place of the fastest; `None` when none runs.
    pub winner: Option<usize>,
    /// Why the others failed.
    pub failures: Vec<Diagnostic>,
}

impl<W: SessionWatcher> Session<W> {
    /// Times the candidates that were compiled.
    pub(crate) fn time_all(
        &mut self,
        request: &TuneRequest<'_>,
        compiled: Vec<Result<Rc<Loaded>>>,
        line: &mut ProgressLine,
    ) -> Result<Timed> {
        let preparation = self.preparation(request)?;
        let budget_ms = budget_ms(&request.options);
        let mut contestants: Vec<Contestant> =
            compiled.into_iter().map(|loaded| Contestant { loaded, pace: None }).collect();
        let start = Instant::now();
        let elapsed_ms = || start.elapsed().as_secs_f64() * 1e3;
        let count = contestants.len();
        let (outcome, _) = contest::play::<Box<Diagnostic>>(count, budget_ms, &mut |slice| {
            let (kernel, done, total) = (request.kernel, elapsed_ms() as usize, budget_ms as usize);
            line.show(Progress { kernel, phase: "timing", done, total, unit: "milliseconds" });
            let times = self.time(request, &mut contestants, slice, &preparation)?;
            Ok((times, elapsed_ms()))
        })?;
        let (trials, failures) = self.trials(request, contestants, &outcome.standings);
        Ok(Timed { trials, winner: outcome.winner, failures })
    }

    /// The times of a slice in milliseconds; none for a candidate that fails, which takes the reason with it.
    fn time(
        &self,
        request: &TuneRequest<'_>,
        contestants: &mut [Contestant],
        slice: &Slice,
        preparation: &Preparation<'_>,
    ) -> Result<Vec<f64>> {
        let (candidate, contestant) = (&request.candidates[slice.at], &mut contestants[slice.at]);
        let Ok(loaded) = &contestant.loaded else { return Ok(Vec::new()) };
        let mode = bench_mode(request.options.timing);
        let (heat_ms, measure_ms) = (slice.heat_ms, slice.measure_ms);
        let settings = SampleSettings { mode, heat_ms, measure_ms, pace: contestant.pace };
        let sample = self.sample(candidate, loaded, preparation, &settings);
        // A fault inside a kernel leaves the device unusable, so it cannot be one configuration's failure.
        self.device.synchronise().map_err(|error| located(error, &request.module.file, &candidate.launch))?;
        Ok(match sample {
            Ok(sample) => {
                contestant.pace = Some(sample.pace);
                sample.times_ms
            }
            Err(error) => {
                contestant.loaded = Err(error);
                Vec::new()
            }
        })
    }

    fn sample(
        &self,
        candidate: &Candidate<'_>,
        loaded: &Rc<Loaded>,
        preparation: &Preparation<'_>,
        settings: &SampleSettings,
    ) -> Result<Sample> {
        let launch = &candidate.launch;
        let copies = self.upload_all(launch)?;
        let args = device_args(launch, loaded, &copies)?;
        let device = &self.device;
        let mut prepare = || {
            for (copy, region) in &preparation.reset {
                device.fill_range(&copy.buffer, region.start..region.start + region.bytes, 0)?;
            }
            for Snapshot { copy, region, saved } in &preparation.restore {
                device.copy((saved, 0), (&copy.buffer, region.start), region.bytes)?;
            }
            Ok(())
        };
        let mut run = || loaded.kernel.launch(launch.grid, &args).map(|_| ());
        device.sample(settings, &mut prepare, &mut run)
    }

    fn trials(
        &self,
        request: &TuneRequest<'_>,
        contestants: Vec<Contestant>,
        standings: &[Option<Standing>],
    ) -> (Vec<Trial>, Vec<Diagnostic>) {
        let mut failures = Vec::new();
        let outcomes = contestants.into_iter().zip(standings).map(|(contestant, standing)| match contestant.loaded {
            Ok(loaded) => Ok(figures(&loaded.kernel, &self.target, standing.as_ref().map(run_time))),
            Err(error) => {
                let why = format!("{} ({})", error.message, error.code.slug);
                failures.push(*error);
                Err(why)
            }
        });
        let settings = request.candidates.iter().map(|candidate| candidate.settings.to_vec());
        let trials = settings.zip(outcomes).map(|(settings, outcome)| Trial { settings, outcome }).collect();
        (trials, failures)
    }

    fn preparation<'r>(&self, request: &'r TuneRequest<'_>) -> Result<Preparation<'r>> {
        let snapshot = |(copy, region): (Rc<Copy>, &'r Region)| {
            let saved = self.device.upload(&region.buffer.bytes()[region.start..region.start + region.bytes])?;
            Ok(Snapshot { copy, region, saved })
        };
        let restore = self.regions(&request.restore_value)?.into_iter().map(snapshot).collect::<Result<_>>()?;
        Ok(Preparation { reset: self.regions(&request.reset_to_zero)?, restore })
    }

    fn regions<'r>(&self, regions: &'r [Region]) -> Result<Vec<(Rc<Copy>, &'r Region)>> {
        let copy = |region: &'r Region| Ok((upload(&self.device, &self.queue, &region.buffer)?, region));
        regions.iter().map(copy).collect()
    }
}

fn run_time(standing: &Standing) -> RunTime {
    let Standing { round, figure_ms, runs, spread, winner_ms } = *standing;
    RunTime { ms: figure_ms, round, runs, spread, winner_ms }
}

/// The rule of the device for what the program wants timed.
pub(crate) fn bench_mode(timing: Timing) -> BenchMode {
    match timing {
        Timing::Alone => BenchMode::ColdCache,
        Timing::BackToBack => BenchMode::BackToBack,
    }
}

/// How long a contest may take: longer where the program asks for longer measurements than usual.
fn budget_ms(options: &BenchOptions) -> f64 {
    let times = options.rep_ms / USUAL_REP_MS;
    BUDGET_MS * if times.is_nan() { 1.0 } else { times.clamp(1.0, MOST_TIMES) }
}

#[cfg(test)]
mod side_effects;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_measurements_make_a_longer_contest() {
        let budget = |rep_ms: f64| budget_ms(&BenchOptions { rep_ms, ..BenchOptions::default() });
        assert_eq!([15.0, 100.0, 250.0, 1e9].map(budget), [1000.0, 1000.0, 2500.0, 10_000.0]);
        assert_eq!(budget(f64::NAN), 1000.0);
    }
}
