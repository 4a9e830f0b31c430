//! Results of autotuning as a file that comes with a program, and ranking on the simulator, by what it counts.

use crate::session::{Session, SessionWatcher, device_args, located};
use crate::tuning::{figures, none_works};
use std::time::Instant;
use tk_diag::{ASSERTION_FAILED, Diagnostic, FILE, Result, TOO_MUCH_SHARED_MEMORY};
use tk_host::{Newest, TuneRequest};
use tk_launch::{Decision, Trial, TuneReport, Work};

/// What the first lines of such a file say it is.
const FORMAT: &str = "tk-tunings";
const VERSION: u64 = 1;

/// The most bytes of such a file that are read.
const MOST_BYTES: usize = 64 << 20;

/// Results as the text of a file that [`read_tunings`] reads: JSON.
pub fn write_tunings(reports: &[TuneReport]) -> String {
    let reports = serde_json::to_value(reports).unwrap_or_default();
    format!("{:#}\n", serde_json::json!({ "format": FORMAT, "version": VERSION, "tunings": reports }))
}

/// The results in the text of a file. `name` is what messages call it.
///
/// # Errors
/// A text that is none, is of another version, or whose winners did not run.
pub fn read_tunings(name: &str, text: &str) -> Result<Vec<TuneReport>> {
    let wrong =
        |what: String| Diagnostic::error(FILE, format!("{name} holds no results of autotuning: {what}")).boxed();
    if text.len() > MOST_BYTES {
        return Err(wrong(format!("it has {} bytes", text.len())));
    }
    let mut value: serde_json::Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    if value["format"] != FORMAT || value["version"] != VERSION {
        return Err(wrong(format!("its format is {} and its version {}", value["format"], value["version"])));
    }
    let reports: Vec<TuneReport> =
        serde_json::from_value(value["tunings"].take()).map_err(|error| wrong(error.to_string()))?;
    match reports.iter().find(|report| !report.is_sound()) {
        Some(report) => Err(wrong(format!("the winner of `{}` did not run", report.kernel))),
        None => Ok(reports),
    }
}

/// A part of what a program tunes: of the kernels and keys in the order in which they come, every `of`-th from the one at `at`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The place of the first.
    pub at: usize,
    /// How many shares there are; at least one.
    pub of: usize,
}

impl Share {
    /// Everything.
    pub const ALL: Self = Self { at: 0, of: 1 };

    /// Whether the kernel and key at a place are part of it.
    pub fn has(self, place: usize) -> bool {
        place % self.of.max(1) == self.at
    }
}

impl<W: SessionWatcher> Session<W> {
    /// Tunes a share alone. For the others the result that is known is taken, or the first configuration that works, and not reported.
    pub fn tune_share(&mut self, share: Share) {
        self.share = share;
    }

    /// Takes results that came with the program: a launch with the same kernel, key, configurations and GPU takes the winner, and nothing
    /// is measured.
    pub fn use_tunings(&mut self, reports: Vec<TuneReport>) {
        self.shipped_tunings.extend(reports);
    }

    /// Lets the simulator run every configuration and rank them by what it counts, where it otherwise takes the first that fits.
    pub fn count_configurations(&mut self) {
        self.counts_configurations = true;
    }

    /// The result that came with the program for this request.
    pub(crate) fn shipped(&self, request: &TuneRequest<'_>) -> Option<TuneReport> {
        let device = tk_host::Launcher::device_name(self);
        let is_it = |report: &&TuneReport| {
            let candidates = request.candidates.iter().map(|candidate| &*candidate.settings);
            report.kernel == request.kernel
                && report.key == request.key
                && report.device == device
                && report.trials.len() == request.candidates.len()
                && report.trials.iter().zip(candidates).all(|(trial, settings)| trial.settings == settings)
        };
        // One that was found with this driver and this tk goes before others, which are as right and perhaps slower.
        let found_with = self.found_with();
        let all = || self.shipped_tunings.iter().rev().filter(is_it);
        all().find(|report| report.found_with == found_with).or_else(|| all().next()).cloned()
    }

    /// Runs every configuration on the simulator once and takes the one with the least work.
    pub(crate) fn count(&mut self, request: &TuneRequest<'_>) -> Result<TuneReport> {
        let start = Instant::now();
        let (mut trials, mut failures) = (Vec::new(), Vec::new());
        let mut best: Option<(u64, usize)> = None;
        for (at, candidate) in request.candidates.iter().enumerate() {
            let settings = candidate.settings.to_vec();
            let outcome = match self.work(request, at) {
                Ok((figures, work)) => {
                    if best.is_none_or(|(least, _)| work.amount() < least) {
                        best = Some((work.amount(), at));
                    }
                    Ok(figures)
                }
                Err(error) if matches!(error.code, TOO_MUCH_SHARED_MEMORY | ASSERTION_FAILED) => {
                    let message = error.message.clone();
                    failures.push(*error);
                    Err(message)
                }
                Err(error) => return Err(error),
            };
            trials.push(Trial { settings, outcome });
        }
        let Some((_, winner)) = best else { return Err(none_works(request, failures)) };
        let report = self.report(request, Decision::Counted, trials, winner);
        Ok(TuneReport { seconds: start.elapsed().as_secs_f64(), ..report })
    }

    /// What the simulator counts of one configuration. Memory has its contents back afterwards.
    fn work(&mut self, request: &TuneRequest<'_>, at: usize) -> Result<(tk_launch::Figures, Work)> {
        let launch = &request.candidates[at].launch;
        let buffers = self.hold_contents(request)?;
        let prepared = self.prepare(launch)?;
        let at = |error| located(error, &request.module.file, launch);
        let args = device_args(launch, &prepared.loaded, &prepared.copies).map_err(at)?;
        let launched = prepared.loaded.kernel.launch(launch.grid, &args).map_err(at);
        buffers.iter().for_each(|buffer| buffer.set_newest(Newest::Host));
        let simulation = launched?.simulation;
        let work = simulation.map_or(Work { warp_instructions: 0, sectors: 0 }, |report| Work {
            warp_instructions: report.warp_instructions,
            sectors: report.memory.totals().sectors,
        });
        let figures = figures(&prepared.loaded.kernel, &self.target, None);
        Ok((tk_launch::Figures { work: Some(work), ..figures }, work))
    }
}
