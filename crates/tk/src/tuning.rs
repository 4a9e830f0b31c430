//! Choosing among the configurations of `@triton.autotune`.
//!
//! On a GPU all configurations are compiled in parallel, those that work are timed (`timing.rs`), and the fastest is kept on disk for this
//! device, driver and source. On the simulator the first that fits the device is taken.

use crate::build_name;
use crate::loaded::Loaded;
use crate::progress::{Progress, ProgressLine};
use crate::safety::compile_bounds;
use crate::session::{Session, SessionWatcher, assembled, assembler_of, first, located};
use crate::timing::Timed;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::{Mutex, mpsc};
use std::time::Instant;
use tk_diag::{ASSERTION_FAILED, Diagnostic, Result, Severity, TOO_MUCH_SHARED_MEMORY};
use tk_driver::{Bounds, Guards, Unit, Until};
use tk_host::{Newest, Timing, TuneRequest};
use tk_launch::{Cache, Decision, Device, Figures, Kernel, LookUp, RunTime, Trial, TuneReport};
use tk_target::Target;
use tk_types::{Argument, CompileOptions, NamedConstant};

/// A run that takes at most this many times as long as the fastest is level with it: measurements of one configuration differ as much.
const LEVEL: f64 = 1.01;

/// Of the configurations that are level with the fastest, the one with the fewest programs, the faster of two with as many. Larger programs read
/// less, which decides where the kernel is not alone on the GPU, as it is while it is timed.
fn fewest_programs(times: &[Option<RunTime>], programs: &[u64], fastest: usize) -> usize {
    let Some(Some(best)) = times.get(fastest).copied() else { return fastest };
    let is_level = |time: &RunTime| time.round == best.round && time.ms <= best.ms * LEVEL;
    let level = times.iter().zip(programs).enumerate();
    let level = level.filter_map(|(at, (time, programs))| Some((at, (*time).filter(is_level)?.ms, *programs)));
    let chosen = level.min_by(|a, b| a.2.cmp(&b.2).then(a.1.total_cmp(&b.1)));
    chosen.map_or(fastest, |(at, ..)| at)
}

/// Stack of a compiling thread: LLVM recurses over the code.
const STACK_BYTES: usize = 64 << 20;

/// One compilation of an autotuning, free of anything that is bound to the thread of the program.
struct Job {
    args: Vec<Argument>,
    globals: Vec<NamedConstant>,
    options: CompileOptions,
    bounds: Bounds,
}

/// What a compiling thread shares with the others.
struct Shared<'a> {
    request: Parts<'a>,
    cache: Option<&'a Cache>,
    device: &'a Device,
    target: &'a Target,
}

/// The parts of a request that threads may share.
#[derive(Clone, Copy)]
struct Parts<'a> {
    module: &'a tk_grammar::ast::Module,
    kernel: &'a str,
}

impl<W: SessionWatcher> Session<W> {
    /// The place of the chosen candidate.
    pub(crate) fn choose(&mut self, request: &TuneRequest<'_>) -> Result<usize> {
        let key = self.tuning_key(request);
        if let Some(winner) = self.tuned.get(&key).filter(|winner| **winner < request.candidates.len()) {
            return Ok(*winner);
        }
        let place = self.come;
        self.come += 1;
        if !self.share.has(place) {
            let known = self.cache.as_ref().and_then(|cache| cache.find_tuning(&key));
            let fitting = known.filter(|report| report.trials.len() == request.candidates.len());
            let winner = match fitting {
                Some(report) => report.winner,
                None => self.first_that_fits(request)?.winner,
            };
            self.tuned.insert(key, winner);
            return Ok(winner);
        }
        // A kernel with checks is looked at, not timed.
        let is_checked = request.candidates.iter().any(|candidate| candidate.launch.options.sanitize.is_on());
        let can_rank = !is_checked && (!self.device.is_simulator() || self.counts_configurations);
        let shipped = self.shipped(request).filter(|_| !is_checked);
        let report = match (shipped, can_rank) {
            (Some(report), _) => TuneReport { decision: Decision::Remembered, ..report },
            (None, false) => self.first_that_fits(request)?,
            (None, true) if self.device.is_simulator() => self.count(request)?,
            (None, true) => match self.cache.as_ref().and_then(|cache| cache.find_tuning(&key)) {
                Some(report) if report.trials.len() == request.candidates.len() => {
                    TuneReport { decision: Decision::Remembered, ..report }
                }
                _ => {
                    let report = self.measure(request)?;
                    if let Some(cache) = &self.cache {
                        // A cache that cannot be written only costs time.
                        let _ = cache.store_tuning(&key, &report);
                    }
                    report
                }
            },
        };
        let winner = report.winner;
        self.tuned.insert(key, winner);
        self.tunings.push(report);
        Ok(winner)
    }

    /// Everything that decides which configuration is best.
    fn tuning_key(&mut self, request: &TuneRequest<'_>) -> String {
        let launch = request.candidates.first().map(|candidate| &candidate.launch);
        let globals = launch.map(|launch| self.kernels.globals(launch.module, &launch.globals)).unwrap_or_default();
        let info = self.device.info();
        let source = tk_launch::digest(&request.module.file.whole());
        let mut key = format!(
            "{}\n{} driver {:?}\n{}\n{source} {}\n{}\n{:?}\n",
            build_name(),
            info.name,
            info.driver_version,
            self.target,
            request.kernel,
            request.key,
            request.options.timing
        );
        for NamedConstant { name, value } in globals {
            key.push_str(&format!("{name} = {value}\n"));
        }
        for candidate in &request.candidates {
            for (name, value) in candidate.settings.iter() {
                key.push_str(&format!("{name}={value} "));
            }
            key.push('\n');
        }
        key
    }

    /// The driver and the build of tk, which results depend on besides the GPU.
    pub(crate) fn found_with(&self) -> String {
        let driver = self.device.info().driver_version;
        let driver = driver.map_or_else(String::new, |(major, minor)| format!("driver for CUDA {major}.{minor}, "));
        format!("{driver}tk {}", build_name())
    }

    pub(crate) fn report(
        &self,
        request: &TuneRequest<'_>,
        decision: Decision,
        trials: Vec<Trial>,
        winner: usize,
    ) -> TuneReport {
        TuneReport {
            kernel: request.kernel.to_string(),
            key: request.key.clone(),
            device: tk_host::Launcher::device_name(self),
            found_with: self.found_with(),
            decision,
            trials,
            winner,
            seconds: 0.0,
        }
    }

    /// On the simulator compilation is what is being looked at, so a configuration that fails for any reason but its size
    /// stops the program.
    fn first_that_fits(&mut self, request: &TuneRequest<'_>) -> Result<TuneReport> {
        let start = Instant::now();
        let mut trials = Vec::new();
        let mut failures = Vec::new();
        for (at, candidate) in request.candidates.iter().enumerate() {
            let settings = candidate.settings.to_vec();
            match self.prepare(&candidate.launch) {
                Ok(prepared) => {
                    trials.push(Trial { settings, outcome: Ok(figures(&prepared.loaded.kernel, &self.target, None)) });
                    let report = self.report(request, Decision::FirstThatFits, trials, at);
                    return Ok(TuneReport { seconds: start.elapsed().as_secs_f64(), ..report });
                }
                Err(error) if matches!(error.code, TOO_MUCH_SHARED_MEMORY | ASSERTION_FAILED) => {
                    trials.push(Trial { settings, outcome: Err(error.message.clone()) });
                    failures.push(*error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(none_works(request, failures))
    }

    /// Compiles every candidate, times those that work, and takes the fastest.
    pub(crate) fn measure(&mut self, request: &TuneRequest<'_>) -> Result<TuneReport> {
        let start = Instant::now();
        let buffers = self.hold_contents(request)?;
        let mut line = ProgressLine::new();
        let compiled = self.compile_all(request, &mut line)?;
        let timed = self.time_all(request, compiled, &mut line);
        drop(line);
        // The contents are on the host; what the timed runs left on the device is out of date.
        buffers.iter().for_each(|buffer| buffer.set_newest(Newest::Host));
        let Timed { trials, winner, failures } = timed?;
        let Some(winner) = winner else { return Err(none_works(request, failures)) };
        for bug in failures.into_iter().filter(|failure| failure.severity == Severity::Bug) {
            self.warnings.push(Diagnostic { severity: Severity::Warning, ..bug });
        }
        let grids = request.candidates.iter().map(|candidate| candidate.launch.grid);
        let programs: Vec<u64> = grids.map(|grid| grid.into_iter().map(u64::from).product()).collect();
        let times: Vec<Option<RunTime>> =
            trials.iter().map(|trial| trial.outcome.as_ref().ok().and_then(|figures| figures.time)).collect();
        let winner = match request.options.timing {
            Timing::Alone => fewest_programs(&times, &programs, winner),
            // What they read from caches is in the figures.
            Timing::BackToBack => winner,
        };
        let report = self.report(request, Decision::Measured, trials, winner);
        Ok(TuneReport { seconds: start.elapsed().as_secs_f64(), ..report })
    }

    /// Brings the bytes of every buffer of the request to the host, from where they are restored after the timed runs.
    pub(crate) fn hold_contents(&mut self, request: &TuneRequest<'_>) -> Result<Vec<tk_host::BufferRef>> {
        let mut buffers = self.reachable();
        buffers.iter().for_each(|buffer| drop(buffer.bytes()));
        for (_, arg) in request.candidates.iter().flat_map(|candidate| &candidate.launch.args) {
            if let Some(buffer) = arg.buffer()
                && buffers.iter().all(|known: &tk_host::BufferRef| known.id() != buffer.id())
            {
                drop(buffer.bytes());
                buffers.push(buffer.clone());
            }
        }
        match self.queue.take_fault() {
            Some(fault) => Err(fault),
            None => Ok(buffers),
        }
    }

    /// The kernel of each candidate, or why there is none.
    fn compile_all(&mut self, request: &TuneRequest<'_>, line: &mut ProgressLine) -> Result<Vec<Result<Rc<Loaded>>>> {
        let mut results: Vec<Option<Result<Rc<Loaded>>>> = Vec::new();
        let mut jobs = VecDeque::new();
        for (at, candidate) in request.candidates.iter().enumerate() {
            let launch = &candidate.launch;
            let args = self.arguments(launch)?;
            let globals = self.kernels.globals(launch.module, &launch.globals);
            let bounds = compile_bounds(launch, &launch.options);
            let known = self.kernels.find(crate::session::form(launch, &args, &globals, &bounds));
            if known.is_none() {
                jobs.push_back((at, Job { args, globals, options: launch.options.clone(), bounds }));
            }
            results.push(known.map(Ok));
        }
        let total = jobs.len();
        let shared = Shared {
            request: Parts { module: request.module, kernel: request.kernel },
            cache: self.cache.as_ref(),
            device: &self.device,
            target: &self.target,
        };
        let mut fresh = Vec::new();
        in_parallel(&shared, jobs, &mut |finished| {
            fresh.push(finished);
            line.show(Progress {
                kernel: request.kernel,
                phase: "compiling",
                done: fresh.len(),
                total,
                unit: "configurations",
            });
        })?;
        // The watcher wants to see the winner being compiled, so nothing is kept for it.
        let looking = self.watcher.is_looking();
        for (at, job, result) in fresh {
            results[at] = Some(result.map(|kernel| {
                let loaded = Loaded::new(kernel, &job.args, Guards::default());
                if !looking {
                    let launch = &request.candidates[at].launch;
                    self.kernels
                        .insert(crate::session::form(launch, &job.args, &job.globals, &job.bounds), loaded.clone());
                }
                loaded
            }));
        }
        let lost = || Err(Diagnostic::bug("a configuration was not compiled").boxed());
        Ok(results.into_iter().map(|result| result.unwrap_or_else(lost)).collect())
    }
}

type Finished = (usize, Job, Result<Kernel>);

/// Runs the jobs on all cores and hands each result to `done` as it comes.
fn in_parallel(shared: &Shared<'_>, jobs: VecDeque<(usize, Job)>, done: &mut dyn FnMut(Finished)) -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = cores.min(jobs.len());
    let jobs = Mutex::new(jobs);
    let (sender, receiver) = mpsc::channel::<Finished>();
    let work = |sender: mpsc::Sender<Finished>| {
        loop {
            let next = jobs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_front();
            let Some((at, job)) = next else { return };
            let result = compile(shared, &job);
            if sender.send((at, job, result)).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let sender = sender.clone();
            let thread = std::thread::Builder::new().name("tk-tune".into()).stack_size(STACK_BYTES);
            let work = &work;
            thread.spawn_scoped(scope, move || work(sender)).map_err(|error| {
                Diagnostic::error(tk_diag::DEVICE, format!("cannot start a compiling thread: {error}")).boxed()
            })?;
        }
        drop(sender);
        receiver.iter().for_each(done);
        Ok(())
    })
}

/// One candidate as a kernel on the device: from the cache, or compiled.
fn compile(shared: &Shared<'_>, job: &Job) -> Result<Kernel> {
    let unit = Unit {
        module: shared.request.module,
        kernel: shared.request.kernel,
        args: &job.args,
        globals: &job.globals,
        options: job.options.clone(),
        target: *shared.target,
        bounds: job.bounds.clone(),
    };
    let key = crate::cache_key(&unit);
    let turn = match shared.cache.map(|cache| cache.look_up(&key)) {
        Some(LookUp::Found(image)) => return shared.device.load(&image),
        Some(LookUp::Missing(turn)) => Some(turn),
        None => None,
    };
    let assembler = assembler_of(&unit, shared.device);
    let compilation = tk_driver::compile(&unit, Until::Ptx, &mut tk_driver::Unwatched).map_err(first)?;
    let image = assembled(compilation.image, &unit, assembler)?;
    let kernel = shared.device.load(&image)?;
    if let Some(turn) = turn {
        // A cache that cannot be written only costs time.
        let _ = turn.store(&image);
    }
    Ok(kernel)
}

pub(crate) fn figures(kernel: &Kernel, target: &Target, time: Option<RunTime>) -> Figures {
    let figures = Figures {
        time,
        registers: kernel.registers(),
        spill_bytes: kernel.spill_bytes(),
        shared_bytes: kernel.image().shared_bytes,
        ..Figures::default()
    };
    figures.with_occupancy(kernel.occupancy(target))
}

/// The first failure with a note for each of the others that says something else.
pub(crate) fn none_works(request: &TuneRequest<'_>, failures: Vec<Diagnostic>) -> Box<Diagnostic> {
    let mut all = failures.into_iter();
    let first = all.next().unwrap_or_else(|| Diagnostic::bug("an autotuning failed without a message"));
    let mut messages = vec![first.message.clone()];
    let count = request.candidates.len();
    let note = format!("none of the {count} configurations of `{}` can run; this is the first failure", request.kernel);
    let mut diagnostic = first.note(note);
    for other in all {
        if !messages.contains(&other.message) {
            messages.push(other.message.clone());
            diagnostic = diagnostic.note(format!("also: {}", other.message));
        }
    }
    located(diagnostic.boxed(), &request.module.file, &request.candidates[0].launch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_level_configurations_the_one_with_the_fewest_programs_is_taken() {
        let time = |ms: f64, round: usize| Some(RunTime { ms, round, runs: 10, spread: 0.01, winner_ms: 1.0 });
        let times = [time(1.0, 3), time(1.008, 3), time(1.02, 3), time(0.9, 1), None, time(1.004, 3)];
        let chosen = |programs: [u64; 6]| fewest_programs(&times, &programs, 0);
        assert_eq!(
            chosen([256, 128, 64, 32, 16, 256]),
            1,
            "the others are behind, from another round or have no figure"
        );
        assert_eq!(chosen([256, 256, 64, 32, 16, 256]), 0, "the fastest of those with as many programs");
        assert_eq!(chosen([256, 128, 64, 32, 16, 128]), 5, "the faster of two with as many");
        assert_eq!(fewest_programs(&[None], &[1], 0), 0, "nothing was timed");
    }
}
