//! How long a kernel takes: the measuring rule of `triton.testing.do_bench`, and a back-to-back rule.
//!
//! The two answer different questions, and figures of one must not be compared with figures of the other:
//! [`BenchMode::ColdCache`] times each run alone after flushing the L2 cache, as a kernel finds its inputs in a larger
//! program; [`BenchMode::BackToBack`] times a graph of runs, which leaves out what launching costs and keeps the cache warm.
//! These are the rules of `triton.testing.do_bench` and of `triton.testing.do_bench_cudagraph`.

use crate::fault::OrDiagnostic;
use crate::flush::Flush;
use std::sync::Arc;
use std::time::Instant;
use tk_diag::Result;
use tk_runtime::{Gpu, Graph};

/// Runs that estimate how long one takes.
const ESTIMATE_RUNS: u32 = 5;

/// Most timed runs or batches of one measurement, which bounds the events that are alive at once.
pub(crate) const MAX_RUNS: usize = 10_000;

/// How often the graph of a back-to-back measurement is replayed.
const REPLAYS: usize = 10;

/// What is timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BenchMode {
    /// Each run alone, after the L2 cache was flushed.
    #[default]
    ColdCache,
    /// One graph of many runs, replayed; a figure is the time of a replay divided by its runs.
    BackToBack,
}

/// How to measure. The defaults are those of `triton.testing.do_bench`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchSettings {
    /// What is timed.
    pub mode: BenchMode,
    /// Milliseconds of unmeasured runs; there are none when back to back, as in Triton's rule.
    pub warmup_ms: f64,
    /// Milliseconds of measured runs; of each replay when back to back.
    pub measure_ms: f64,
}

impl Default for BenchSettings {
    fn default() -> Self {
        Self { mode: BenchMode::ColdCache, warmup_ms: 25.0, measure_ms: 100.0 }
    }
}

/// The result of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchResult {
    /// Milliseconds of one run, ascending: one figure per run, or per replay when back to back. Never empty.
    pub times_ms: Vec<f64>,
    /// The times are those of the simulation and say nothing about a GPU.
    pub simulated: bool,
}

impl BenchResult {
    fn of(mut times_ms: Vec<f64>, simulated: bool) -> Self {
        times_ms.sort_by(f64::total_cmp);
        Self { times_ms, simulated }
    }

    /// The middle of the times, in milliseconds.
    pub fn median_ms(&self) -> f64 {
        self.quantile_ms(0.5)
    }

    /// The time that this fraction of the runs stays below, in milliseconds: 0 is the fastest run, 1 the slowest.
    pub fn quantile_ms(&self, fraction: f64) -> f64 {
        let position = fraction.clamp(0.0, 1.0) * self.times_ms.len().saturating_sub(1) as f64;
        let at = |index: f64| self.times_ms.get(index as usize).copied().unwrap_or(f64::NAN);
        let (low, high) = (at(position.floor()), at(position.ceil()));
        low + (high - low) * position.fract()
    }

    /// The mean of the times, in milliseconds.
    pub fn mean_ms(&self) -> f64 {
        self.times_ms.iter().sum::<f64>() / self.times_ms.len() as f64
    }
}

/// A GPU whose runs are timed, and how its L2 cache is overwritten.
#[derive(Clone, Copy)]
pub(crate) struct TimedGpu<'d> {
    pub(crate) context: &'d Arc<Gpu>,
    pub(crate) flush: &'d Flush,
}

impl TimedGpu<'_> {
    fn overwrite_cache(&self, times: usize) -> Result<()> {
        (0..times).try_for_each(|_| self.flush.queue(self.context))
    }
}

/// What is measured: `prepare` goes before each run (before each replay when back to back) and is not timed.
pub(crate) struct Work<'w> {
    pub(crate) prepare: &'w mut dyn FnMut() -> Result<()>,
    pub(crate) run: &'w mut dyn FnMut() -> Result<()>,
}

impl Work<'_> {
    pub(crate) fn untimed(&mut self) -> Result<()> {
        (self.prepare)()?;
        (self.run)()
    }
}

/// Measures on a GPU with events in its stream.
pub(crate) fn on_gpu(gpu: TimedGpu<'_>, settings: &BenchSettings, work: &mut Work<'_>) -> Result<BenchResult> {
    let context = gpu.context;
    // The first run loads code and grows pools; it is not measured.
    work.untimed()?;
    context.synchronise().or_diagnostic()?;
    let flushes = usize::from(settings.mode == BenchMode::ColdCache);
    let start = context.record().or_diagnostic()?;
    for _ in 0..ESTIMATE_RUNS {
        gpu.overwrite_cache(flushes)?;
        work.untimed()?;
    }
    let estimate_ms =
        start.milliseconds_until(&context.record().or_diagnostic()?).or_diagnostic()? / f64::from(ESTIMATE_RUNS);
    if settings.mode == BenchMode::ColdCache {
        for _ in 0..runs_in(settings.warmup_ms, estimate_ms) {
            work.untimed()?;
        }
    }
    let runs = runs_in(settings.measure_ms, estimate_ms);
    let times = match settings.mode {
        BenchMode::ColdCache => time_each(gpu, runs, Queueing::Ahead, Patience::endless(), work)?,
        BenchMode::BackToBack => time_replays(context, runs, work)?,
    };
    Ok(BenchResult::of(times, false))
}

/// Whether the GPU is waited for before each run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queueing {
    /// All runs are queued before the first time is read, so that the host does not stall the stream between them.
    Ahead,
    /// Each run has an idle GPU. Runs that are queued ahead meet one of two states 0.6 microseconds apart, and all runs of a measurement
    /// the same one, so short runs of two kernels cannot be compared.
    OneByOne,
}

/// How often the cache is overwritten before a run that nothing is queued ahead of. Once takes 60 microseconds, and a host that is later than that with
/// the launch is measured as if the run took longer. `benches/gpu_contestants.py` does the same for Triton and the libraries.
const FLUSHES_OF_SINGLE_RUN: usize = 3;

/// How long the host may be busy with runs that take the GPU `planned_ms`. A tool that watches every launch, such as compute-sanitizer, makes
/// milliseconds of a launch that takes the GPU microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    start: Instant,
    limit_ms: f64,
}

impl Patience {
    /// For a measurement that is asked for by name, however long it takes.
    pub(crate) fn endless() -> Self {
        Self { start: Instant::now(), limit_ms: f64::INFINITY }
    }

    pub(crate) fn of(planned_ms: f64) -> Self {
        Self { start: Instant::now(), limit_ms: 3.0 * planned_ms + 50.0 }
    }

    fn is_over(&self) -> bool {
        self.start.elapsed().as_secs_f64() * 1e3 > self.limit_ms
    }

    /// Does something so many times, or until patience is over, and says how often: at least once unless `times` is 0.
    pub(crate) fn repeat(&self, times: usize, act: &mut dyn FnMut() -> Result<()>) -> Result<usize> {
        for done in 0..times {
            if done > 0 && self.is_over() {
                return Ok(done);
            }
            act()?;
        }
        Ok(times)
    }
}

/// Milliseconds of each run, alone after a flush; of fewer runs where the host loses patience.
pub(crate) fn time_each(
    gpu: TimedGpu<'_>,
    runs: usize,
    queueing: Queueing,
    patience: Patience,
    work: &mut Work<'_>,
) -> Result<Vec<f64>> {
    let context = gpu.context;
    let flushes = if runs == 1 || queueing == Queueing::OneByOne { FLUSHES_OF_SINGLE_RUN } else { 1 };
    let mut pairs = Vec::with_capacity(runs);
    patience.repeat(runs, &mut || {
        if queueing == Queueing::OneByOne {
            context.synchronise().or_diagnostic()?;
        }
        (work.prepare)()?;
        gpu.overwrite_cache(flushes)?;
        let start = context.record().or_diagnostic()?;
        (work.run)()?;
        pairs.push((start, context.record().or_diagnostic()?));
        Ok(())
    })?;
    pairs.iter().map(|(start, end)| start.milliseconds_until(end).or_diagnostic()).collect()
}

/// Replays are waited for one by one, as Triton's rule does.
fn time_replays(context: &Arc<Gpu>, runs: usize, work: &mut Work<'_>) -> Result<Vec<f64>> {
    let graph = capture(context, runs, work.run)?;
    let mut times = Vec::with_capacity(REPLAYS);
    for _ in 0..REPLAYS {
        (work.prepare)()?;
        let start = context.record().or_diagnostic()?;
        graph.replay().or_diagnostic()?;
        times.push(start.milliseconds_until(&context.record().or_diagnostic()?).or_diagnostic()? / runs as f64);
    }
    Ok(times)
}

/// A graph of so many runs.
pub(crate) fn capture(context: &Arc<Gpu>, runs: usize, run: &mut dyn FnMut() -> Result<()>) -> Result<Graph> {
    let mut queued = Ok(());
    let captured = context.capture(&mut || queued = (0..runs).try_for_each(|_| run())).or_diagnostic();
    queued?;
    captured
}

fn runs_in(budget_ms: f64, estimate_ms: f64) -> usize {
    // A float-to-integer cast saturates, so an estimate of zero gives the most runs.
    ((budget_ms / estimate_ms) as usize).clamp(1, MAX_RUNS)
}

/// One run: the simulator's time is not the GPU's, and more runs would not make it so.
pub(crate) fn on_simulator(work: &mut Work<'_>) -> Result<BenchResult> {
    (work.prepare)()?;
    let start = Instant::now();
    (work.run)()?;
    Ok(BenchResult::of(vec![start.elapsed().as_secs_f64() * 1e3], true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_between_the_middle_two() {
        let result = BenchResult::of(vec![4.0, 1.0, 3.0, 2.0], false);
        assert_eq!((result.median_ms(), result.mean_ms()), (2.5, 2.5));
        assert_eq!((result.quantile_ms(0.0), result.quantile_ms(1.0), result.quantile_ms(0.25)), (1.0, 4.0, 1.75));
        assert_eq!(BenchResult::of(vec![7.0], true).median_ms(), 7.0);
    }

    #[test]
    fn a_slow_host_ends_a_stretch_early() {
        let slow = &mut || {
            std::thread::sleep(std::time::Duration::from_millis(1));
            Ok(())
        };
        let patience = Patience { start: Instant::now(), limit_ms: 5.0 };
        assert!(
            (1..=6).contains(&patience.repeat(1000, slow).expect("it sleeps")),
            "each takes a millisecond at least"
        );
        let over = Patience { start: Instant::now(), limit_ms: -1.0 };
        assert_eq!([0, 1, 7].map(|times| over.repeat(times, slow).expect("it sleeps")), [0, 1, 1]);
        assert_eq!(Patience::endless().repeat(3, slow).expect("it sleeps"), 3);
    }

    #[test]
    fn runs_follow_the_budget() {
        assert_eq!(runs_in(100.0, 1.0), 100);
        assert_eq!(runs_in(100.0, 1000.0), 1);
        assert_eq!(runs_in(100.0, 0.0), MAX_RUNS);
    }
}
