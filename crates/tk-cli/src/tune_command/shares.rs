//! Tuning on all GPUs of a machine at once: a process for each GPU runs the whole program and measures its share of what there is to tune.
//!
//! Programs are the same in every process, so they come to the same kernels and keys in the same order, and the share is every n-th of
//! them. GPUs of different models have shares of their own, since results are for a model.

use crate::Output;
use crate::failure::Failure;
use std::process::{Command, Stdio};
use tk::{Share, TuneReport};
use tk_diag::{DEVICE, Diagnostic};
use tk_launch::DeviceInfo;

/// Tells a process its share: `1/4`.
const VARIABLE: &str = "TK_TUNE_SHARE";

/// The share of this process, when another one started it.
pub(super) fn own() -> Option<Share> {
    let text = std::env::var(VARIABLE).ok()?;
    let (at, of) = text.split_once('/')?;
    let share = Share { at: at.parse().ok()?, of: of.parse().ok()? };
    (share.at < share.of).then_some(share)
}

/// A process, the GPU that it measures on and its share.
struct Worker {
    /// The number of the GPU; nothing for the simulator.
    ordinal: Option<usize>,
    /// What results are for.
    model: String,
    share: Share,
}

/// One process for each GPU, with shares among those of one model.
fn on_gpus(gpus: &[DeviceInfo]) -> Vec<Worker> {
    let of_model = |name: &str, gpus: &[DeviceInfo]| gpus.iter().filter(|gpu| gpu.name == name).count();
    let worker = |(at, gpu): (usize, &DeviceInfo)| Worker {
        ordinal: gpu.ordinal,
        model: gpu.name.clone(),
        share: Share { at: of_model(&gpu.name, &gpus[..at]), of: of_model(&gpu.name, gpus) },
    };
    gpus.iter().enumerate().map(worker).collect()
}

fn on_the_simulator(processes: usize) -> Vec<Worker> {
    let worker = |at| Worker { ordinal: None, model: String::new(), share: Share { at, of: processes } };
    (0..processes).map(worker).collect()
}

/// How the work is shared: nothing when this process does all of it.
pub(super) enum Plan {
    /// This process does all.
    Here,
    /// Processes do.
    Shared(Processes),
}

/// The processes that share the work.
pub(super) struct Processes(Vec<Worker>);

/// How many processes there are when the user says `asked`: without a word one for each GPU.
pub(super) fn plan(is_simulator: bool, asked: Option<usize>) -> Plan {
    // TK_DEVICE names the one GPU that is to be used.
    let is_named = std::env::var_os("TK_DEVICE").is_some();
    let mut workers = match (is_simulator, asked) {
        (true, _) => on_the_simulator(asked.unwrap_or(1)),
        (false, None) if is_named => Vec::new(),
        (false, _) => {
            let gpus = tk_launch::list_gpus().unwrap_or_default();
            on_gpus(&gpus[..asked.unwrap_or(gpus.len()).min(gpus.len())])
        }
    };
    if workers.len() < 2 {
        workers.clear();
    }
    if workers.is_empty() || own().is_some() { Plan::Here } else { Plan::Shared(Processes(workers)) }
}

impl Processes {
    /// Runs this program again in every process, with the same arguments, and gives all results in the order of the program.
    ///
    /// # Errors
    /// A process that fails, with what it says.
    pub(super) fn run(self, output: &mut Output<'_>) -> Result<Vec<TuneReport>, Failure> {
        let failed = |what: String| Failure(vec![Diagnostic::error(DEVICE, what)]);
        let program = std::env::current_exe().map_err(|error| failed(format!("tk does not find itself: {error}")))?;
        writeln!(output.err, "tuning in {} processes", self.0.len())?;
        let mut started = Vec::new();
        for worker in self.0 {
            let mut command = Command::new(&program);
            command.args(std::env::args_os().skip(1)).env(VARIABLE, format!("{}/{}", worker.share.at, worker.share.of));
            if let Some(ordinal) = worker.ordinal {
                command.env("TK_DEVICE", ordinal.to_string());
            }
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let process = command.spawn().map_err(|error| failed(format!("a process does not start: {error}")))?;
            started.push((worker, std::thread::spawn(move || process.wait_with_output())));
        }
        let mut results = Vec::new();
        for (worker, process) in started {
            let name = worker.ordinal.map_or_else(String::new, |ordinal| format!(" for GPU {ordinal}"));
            let done = process.join().ok().and_then(Result::ok);
            let done = done.ok_or_else(|| failed(format!("the process{name} cannot be waited for")))?;
            if !done.status.success() {
                let said = String::from_utf8_lossy(&done.stderr).into_owned();
                return Err(failed(format!("the process{name} failed: {}", said.trim())));
            }
            if results.is_empty() {
                // Every process runs the same program, so one of them says all.
                output.err.write_all(&done.stderr)?;
            }
            let reports = tk::read_tunings(&format!("the process{name}"), &String::from_utf8_lossy(&done.stdout))?;
            results.push((worker, reports));
        }
        Ok(in_order(results))
    }
}

/// The results of all models, each in the order of the program: of `of` shares, the first has the first, the second the second.
fn in_order(results: Vec<(Worker, Vec<TuneReport>)>) -> Vec<TuneReport> {
    let mut placed: Vec<(String, usize, TuneReport)> = Vec::new();
    for (worker, reports) in results {
        let Share { at, of } = worker.share;
        let place = |(number, report)| (worker.model.clone(), number * of + at, report);
        placed.extend(reports.into_iter().enumerate().map(place));
    }
    placed.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    placed.into_iter().map(|(_, _, report)| report).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_of_one_model_share_the_work() {
        let gpu = |ordinal: usize, name: &str| DeviceInfo {
            name: name.into(),
            ordinal: Some(ordinal),
            compute_capability: None,
            multiprocessors: 1,
            memory_bytes: 0,
            shared_bytes_per_cta: 0,
            registers_per_multiprocessor: 0,
            l2_bytes: 0,
            driver_version: None,
        };
        let workers = on_gpus(&[gpu(0, "A"), gpu(1, "B"), gpu(2, "A"), gpu(3, "A")]);
        let shares: Vec<String> =
            workers.iter().map(|worker| format!("{}/{}", worker.share.at, worker.share.of)).collect();
        assert_eq!(shares, ["0/3", "0/1", "1/3", "2/3"]);
    }
}
