//! Timing the configurations of an autotuning.
//!
//! A GPU that comes from rest runs faster than its power allows for long, so whoever is timed first looks best. Three rounds deal with that:
//!
//! 1. Heating: every configuration runs untimed, until the clocks are those that a busy GPU holds.
//! 2. Each configuration is timed by itself, which sorts out most.
//! 3. The finalists, those close to the fastest, are timed again in turns, forwards and backwards; the figure of a finalist is the median of
//!    these turns. Where a run is long enough to draw full power, each turn begins with untimed runs of the finalist itself: one that needs
//!    more power lowers the clocks for itself only if nothing else runs in between.
//!
//! One H200, attention with head dimension 128, without rounds 1 and 3: the configuration that came first won by 7 % at 489 TFLOP/s and
//! then ran at 426, and the one it had beaten ran at 477. With head dimension 64 and turns of 30 ms without heating of their own, one that ran
//! at 409 in its turns and at 382 afterwards won over one that runs at 405.

use crate::copies::{Copy, upload};
use crate::loaded::Loaded;
use crate::progress::{Progress, ProgressLine};
use crate::session::{Session, SessionWatcher, device_args, located};
use crate::tuning::figures;
use std::rc::Rc;
use tk_diag::{Diagnostic, Result};
use tk_host::{Candidate, Region, TuneRequest};
use tk_launch::{BenchMode, BenchSettings, Trial};

/// Milliseconds of untimed runs before the first measurement: about how long an H200 takes from rest to the clocks that it holds.
const HEATING_MS: f64 = 250.0;

/// A finalist takes at most this many times as long as the fastest. More than clocks differ between rest and work.
const FINALIST_FACTOR: f64 = 1.15;

/// Most finalists, so that many alike configurations cost no more than a few.
const MOST_FINALISTS: usize = 6;

/// Turns of each finalist.
const TURNS: usize = 3;

/// A run of at least this many milliseconds keeps a GPU busy enough for its power to decide.
const LONG_RUN_MS: f64 = 0.2;

/// Milliseconds of untimed runs of a finalist before each of its turns, where runs are long.
const OWN_HEATING_MS: f64 = 120.0;

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

/// A configuration that is timed, or why there is none.
type Contestant = Result<Rc<Loaded>>;

impl<W: SessionWatcher> Session<W> {
    /// What became of each candidate, and why the others failed.
    pub(crate) fn time_all(
        &mut self,
        request: &TuneRequest<'_>,
        mut contestants: Vec<Contestant>,
        line: &mut ProgressLine,
    ) -> Result<(Vec<Trial>, Vec<Diagnostic>)> {
        let preparation = self.preparation(request)?;
        let mut show = |phase, done, total| line.show(Progress { kernel: request.kernel, phase, done, total });
        let total = contestants.len();
        let heating = BenchSettings {
            mode: BenchMode::ColdCache,
            warmup_ms: HEATING_MS / total.max(1) as f64,
            // One run, whose time is not looked at.
            measure_ms: 0.0,
        };
        for at in 0..total {
            show("warming up", at, total);
            self.time(request, &mut contestants, at, &preparation, &heating)?;
        }
        let settings =
            BenchSettings { warmup_ms: request.options.warmup_ms, measure_ms: request.options.rep_ms, ..heating };
        let mut times = vec![Vec::new(); total];
        for (at, times) in times.iter_mut().enumerate() {
            show("timing", at, total);
            times.extend(self.time(request, &mut contestants, at, &preparation, &settings)?);
        }
        let finalists = finalists(&times.iter().map(|times| times.first().copied()).collect::<Vec<_>>());
        let is_long = finalists.first().is_some_and(|at| times[*at][0] >= LONG_RUN_MS);
        let own_heating = if is_long { OWN_HEATING_MS } else { 0.0 };
        let settings = BenchSettings { warmup_ms: settings.warmup_ms.max(own_heating), ..settings };
        let order = turns(&finalists);
        for (turn, at) in order.iter().copied().enumerate() {
            show("timing the fastest again", turn, order.len());
            times[at].extend(self.time(request, &mut contestants, at, &preparation, &settings)?);
        }
        for at in finalists {
            // What the first round said of a finalist was said in another state of the GPU.
            if times[at].len() > 1 {
                times[at].remove(0);
            }
        }
        Ok(self.trials(request, contestants, times))
    }

    /// The median time of one candidate in milliseconds; `None` for one that fails, which takes the reason with it.
    fn time(
        &self,
        request: &TuneRequest<'_>,
        contestants: &mut [Contestant],
        at: usize,
        preparation: &Preparation<'_>,
        settings: &BenchSettings,
    ) -> Result<Option<f64>> {
        let (candidate, contestant) = (&request.candidates[at], &mut contestants[at]);
        let Ok(loaded) = contestant else { return Ok(None) };
        let time = self.time_one(candidate, loaded, preparation, settings);
        // A fault inside a kernel leaves the device unusable, so it cannot be one configuration's failure.
        self.device.synchronise().map_err(|error| located(error, &request.module.file, &candidate.launch))?;
        Ok(match time {
            Ok(time) => Some(time),
            Err(error) => {
                *contestant = Err(error);
                None
            }
        })
    }

    fn time_one(
        &self,
        candidate: &Candidate<'_>,
        loaded: &Rc<Loaded>,
        preparation: &Preparation<'_>,
        settings: &BenchSettings,
    ) -> Result<f64> {
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
        Ok(device.bench_prepared(settings, &mut prepare, &mut run)?.median_ms())
    }

    fn trials(
        &self,
        request: &TuneRequest<'_>,
        contestants: Vec<Contestant>,
        times: Vec<Vec<f64>>,
    ) -> (Vec<Trial>, Vec<Diagnostic>) {
        let mut failures = Vec::new();
        let outcomes = contestants.into_iter().zip(times).map(|(contestant, times)| match contestant {
            Ok(loaded) => Ok(figures(&loaded.kernel, &self.target, median(times))),
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

/// The places of those that are close to the fastest, fastest first; none where the first round has decided.
fn finalists(times: &[Option<f64>]) -> Vec<usize> {
    let mut ranked: Vec<(usize, f64)> =
        times.iter().enumerate().filter_map(|(at, time)| Some((at, time.filter(|time| time.is_finite())?))).collect();
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let limit = ranked.first().map_or(0.0, |(_, fastest)| fastest * FINALIST_FACTOR);
    let close = ranked.iter().take_while(|(_, time)| *time <= limit).take(MOST_FINALISTS);
    let finalists: Vec<usize> = close.map(|(at, _)| *at).collect();
    if finalists.len() > 1 { finalists } else { Vec::new() }
}

/// The order in which finalists are timed: forwards, backwards, and so on, so that none always follows the same one.
fn turns(finalists: &[usize]) -> Vec<usize> {
    let turn = |turn: usize| -> Vec<usize> {
        if turn.is_multiple_of(2) { finalists.to_vec() } else { finalists.iter().rev().copied().collect() }
    };
    (0..TURNS).flat_map(turn).collect()
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    match times.len() {
        0 => None,
        count if count % 2 == 0 => Some((times[middle - 1] + times[middle]) / 2.0),
        _ => Some(times[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finalists_are_close_to_the_fastest() {
        let times = [Some(2.0), None, Some(1.1), Some(1.0), Some(1.14), Some(f64::NAN), Some(1.16)];
        assert_eq!(finalists(&times), [3, 2, 4]);
        assert_eq!(finalists(&[Some(1.0), Some(1.2)]), [0usize; 0]);
        assert_eq!(finalists(&[None, None]), [0usize; 0]);
        assert_eq!(finalists(&[Some(1.0); 20]).len(), MOST_FINALISTS);
    }

    #[test]
    fn turns_go_to_and_fro() {
        let order = turns(&[4, 7]);
        assert_eq!(order, [4, 7, 7, 4, 4, 7]);
    }

    #[test]
    fn the_figure_is_the_middle_of_all_turns() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }
}
