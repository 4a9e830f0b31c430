//! Short stretches of runs, for comparing kernels that run alternately on a GPU.
//!
//! Unlike a measurement by `triton.testing.do_bench` (`bench.rs`) a stretch wastes nothing on finding out how long a run takes: what one
//! stretch learns of that ([`Pace`]) goes into the next one of the same kernel. Times come in the order of the runs, so that one sees
//! where clocks go. Where the host is much slower than the GPU, as under compute-sanitizer, the host's clock plans the first stretch
//! ([`Pace::seen_by_host`]) and ends the later ones, whose pace is that of events ([`Patience`]).

use crate::bench::{BenchMode, MAX_RUNS, Patience, Queueing, TimedGpu, Work, capture, time_each};
use crate::fault::OrDiagnostic;
use std::time::Instant;
use tk_diag::Result;
use tk_runtime::Event;

/// How long one run takes, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// From one back-to-back run to the next.
    pub queued_ms: f64,
    /// From one timed run to the next, with the flush of the cache between them.
    pub timed_ms: f64,
}

/// Beyond so many times what events say and so many milliseconds, the host's clock says how long a run takes.
const SLOW_HOST: (f64, f64) = (10.0, 5.0);

impl Pace {
    /// The pace where one timed run took the host `host_ms`: compute-sanitizer works between runs, which events do not show.
    fn seen_by_host(self, host_ms: f64) -> Self {
        let (times, more_ms) = SLOW_HOST;
        match host_ms > times * self.timed_ms + more_ms {
            true => Self { queued_ms: host_ms, timed_ms: host_ms },
            false => self,
        }
    }
}

/// A stretch of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleSettings {
    /// What is timed: each run alone after a flush of the cache, or graphs of runs back to back.
    pub mode: BenchMode,
    /// Milliseconds of back-to-back runs that are not timed; none when this is less than half a run.
    pub heat_ms: f64,
    /// Milliseconds of runs that are timed; at least one run. Short runs that are timed alone are waited for one by one.
    pub measure_ms: f64,
    /// What an earlier stretch of this kernel learnt; without it one more run goes before, which loads the code.
    pub pace: Option<Pace>,
}

/// What a stretch gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Milliseconds of each timed run, or of a run of each replay when back to back, in the order of the runs. Never empty.
    pub times_ms: Vec<f64>,
    /// How long runs take, for the next stretch.
    pub pace: Pace,
}

/// Runs below this many milliseconds are timed one by one.
const SHORT_MS: f64 = 0.1;

/// Milliseconds of one replay, and the most runs in its graph: many short runs, so that the start of a replay does not count.
const REPLAY_MS: f64 = 1.0;
const RUNS_OF_GRAPH: usize = 1000;

pub(crate) fn on_gpu(gpu: TimedGpu<'_>, settings: &SampleSettings, work: &mut Work<'_>) -> Result<Sample> {
    match settings.mode {
        BenchMode::ColdCache => alone(gpu, settings, work),
        BenchMode::BackToBack => back_to_back(gpu, settings, work),
    }
}

/// A graph of runs with what goes before each, replayed. Restoring what a run changes is timed with it, as Triton does with `use_cuda_graph`.
fn back_to_back(gpu: TimedGpu<'_>, settings: &SampleSettings, work: &mut Work<'_>) -> Result<Sample> {
    let context = gpu.context;
    let mut pace = match settings.pace {
        Some(pace) => pace,
        None => {
            work.untimed()?;
            context.synchronise().or_diagnostic()?;
            let clock = Instant::now();
            let start = context.record().or_diagnostic()?;
            work.untimed()?;
            let run_ms = start.milliseconds_until(&context.record().or_diagnostic()?).or_diagnostic()?;
            Pace { queued_ms: run_ms, timed_ms: run_ms }.seen_by_host(clock.elapsed().as_secs_f64() * 1e3)
        }
    };
    let runs = runs_in(settings.measure_ms.min(REPLAY_MS), pace.queued_ms).clamp(1, RUNS_OF_GRAPH);
    let graph = capture(context, runs, &mut || work.untimed())?;
    // The first replay brings the graph to the GPU and the operands to the caches.
    graph.replay().or_diagnostic()?;
    let replay_ms = pace.queued_ms * runs as f64;
    let heating = runs_in(settings.heat_ms, replay_ms);
    Patience::of(settings.heat_ms).repeat(heating, &mut || graph.replay().or_diagnostic())?;
    let replays = runs_in(settings.measure_ms, replay_ms).max(1);
    let mut marks = vec![context.record().or_diagnostic()?];
    Patience::of(settings.measure_ms).repeat(replays, &mut || {
        graph.replay().or_diagnostic()?;
        marks.push(context.record().or_diagnostic()?);
        Ok(())
    })?;
    let between = |pair: &[Event]| pair[0].milliseconds_until(&pair[1]).or_diagnostic();
    let replayed = marks.windows(2).map(between).collect::<Result<Vec<f64>>>()?;
    let times_ms: Vec<f64> = replayed.iter().map(|ms| ms / runs as f64).collect();
    pace.queued_ms = times_ms.iter().sum::<f64>() / times_ms.len() as f64;
    pace.timed_ms = pace.queued_ms;
    Ok(Sample { times_ms, pace })
}

fn alone(gpu: TimedGpu<'_>, settings: &SampleSettings, work: &mut Work<'_>) -> Result<Sample> {
    let mut times_ms = Vec::new();
    let mut pace = match settings.pace {
        Some(pace) => pace,
        None => {
            work.untimed()?;
            gpu.context.synchronise().or_diagnostic()?;
            let clock = Instant::now();
            let start = gpu.context.record().or_diagnostic()?;
            times_ms = time_each(gpu, 1, Queueing::Ahead, Patience::endless(), work)?;
            let timed_ms = start.milliseconds_until(&gpu.context.record().or_diagnostic()?).or_diagnostic()?;
            let queued_ms = times_ms.iter().sum();
            Pace { queued_ms, timed_ms }.seen_by_host(clock.elapsed().as_secs_f64() * 1e3)
        }
    };
    let heating = runs_in(settings.heat_ms, pace.queued_ms);
    if heating > 0 {
        // Times of before the heating are those of another state of the GPU.
        times_ms.clear();
    }
    let timed = runs_in(settings.measure_ms, pace.timed_ms).saturating_sub(times_ms.len());
    let timed = timed.max(usize::from(times_ms.is_empty()));
    let start = gpu.context.record().or_diagnostic()?;
    let heating = Patience::of(settings.heat_ms).repeat(heating, &mut || work.untimed())?;
    let heated = gpu.context.record().or_diagnostic()?;
    let queueing = if pace.queued_ms < SHORT_MS { Queueing::OneByOne } else { Queueing::Ahead };
    let mut fresh_ms = Vec::new();
    if timed > 0 {
        fresh_ms = time_each(gpu, timed, queueing, Patience::of(settings.measure_ms), work)?;
    }
    let end = gpu.context.record().or_diagnostic()?;
    if heating > 0 {
        pace.queued_ms = start.milliseconds_until(&heated).or_diagnostic()? / heating as f64;
    }
    if !fresh_ms.is_empty() {
        pace.timed_ms = heated.milliseconds_until(&end).or_diagnostic()? / fresh_ms.len() as f64;
    }
    times_ms.append(&mut fresh_ms);
    Ok(Sample { times_ms, pace })
}

/// One run: the simulator's time is not the GPU's, and more runs would not make it so.
pub(crate) fn on_simulator(work: &mut Work<'_>) -> Result<Sample> {
    (work.prepare)()?;
    let start = Instant::now();
    (work.run)()?;
    let ms = start.elapsed().as_secs_f64() * 1e3;
    Ok(Sample { times_ms: vec![ms], pace: Pace { queued_ms: ms, timed_ms: ms } })
}

/// How many runs come nearest to this time.
fn runs_in(ms: f64, run_ms: f64) -> usize {
    // A float-to-integer cast saturates, and makes nothing of what is not a number.
    ((ms / run_ms).round() as usize).min(MAX_RUNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_host_sets_the_pace() {
        let pace = Pace { queued_ms: 0.01, timed_ms: 0.2 };
        assert_eq!(pace.seen_by_host(6.9), pace);
        assert_eq!(pace.seen_by_host(30.0), Pace { queued_ms: 30.0, timed_ms: 30.0 });
    }

    #[test]
    fn the_nearest_number_of_runs_is_taken() {
        assert_eq!([0.0, 3.0, 5.0, 11.0, 20.0].map(|ms| runs_in(ms, 10.0)), [0, 0, 1, 1, 2]);
        assert_eq!((runs_in(1.0, 0.0), runs_in(0.0, 0.0)), (MAX_RUNS, 0));
    }
}
