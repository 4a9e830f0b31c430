//! `guided-fuzz --target ptx|npy --corpus FOLDER [--seconds N] [--seed S] [FILE…]`: inputs that are changed, and kept where they reach
//! an edge of the program that none before reached, or one more often (`scripts/guided-fuzz` builds it with counters of edges).
//!
//! FILEs and what is in the folder are where it begins. Nothing may panic, overflow the stack, or take more memory or time than
//! the limits: such inputs are kept in the folder as `failed-…`. The search runs in a child process, so that an abort is found like a panic.

mod counters_unsafe;
mod mutate;
mod search;
mod targets;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};
use targets::Target;

/// Address space of a child, in KiB.
const MEMORY_KIB: u64 = 4 << 20;
/// What one input may take, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// Set for the child.
const CHILD: &str = "TK_GUIDED_FUZZ_CHILD";

/// The command line.
pub(crate) struct Options {
    pub(crate) target: Target,
    pub(crate) corpus: PathBuf,
    pub(crate) seconds: u64,
    pub(crate) seed: u64,
    pub(crate) files: Vec<PathBuf>,
}

fn options() -> Result<Options, String> {
    let mut options = Options { target: Target::Ptx, corpus: PathBuf::new(), seconds: 60, seed: 1, files: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let Some(name) = word.strip_prefix("--") else {
            options.files.push(word.into());
            continue;
        };
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{word} {value}: not a number"));
        match name {
            "target" => options.target = Target::parse(&value).ok_or_else(|| format!("no target `{value}`"))?,
            "corpus" => options.corpus = value.into(),
            "seconds" => options.seconds = number()?,
            "seed" => options.seed = number()?,
            _ => return Err(format!("{word} is no option")),
        }
    }
    match options.corpus.as_os_str().is_empty() {
        true => Err("--corpus FOLDER says where inputs are kept".to_string()),
        false => Ok(options),
    }
}

fn main() -> ExitCode {
    let done = options().and_then(|options| {
        std::fs::create_dir_all(&options.corpus).map_err(|error| error.to_string())?;
        match std::env::var_os(CHILD) {
            Some(seconds) => {
                let left = seconds.to_str().and_then(|text| text.parse().ok()).unwrap_or(options.seconds);
                search::run(&options, Duration::from_secs(left)).map(|()| 0)
            }
            None => parent(&options),
        }
    });
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failures) => {
            println!("{failures} failures");
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Where a child has the input that it tries.
pub(crate) fn current(corpus: &Path) -> PathBuf {
    corpus.join("current")
}

/// Starts a child again and again until the time is over; gives the number of failures.
fn parent(options: &Options) -> Result<usize, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let (start, seconds) = (Instant::now(), Duration::from_secs(options.seconds));
    let mut failures = 0;
    // What an earlier run left would count as an input that does not end.
    drop(std::fs::remove_file(current(&options.corpus)));
    while let Some(left) = seconds.checked_sub(start.elapsed()).filter(|left| left.as_secs() > 0) {
        let child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\"")])
            .arg(&program)
            .args(std::env::args_os().skip(1))
            .env(CHILD, left.as_secs().to_string())
            .stdin(Stdio::null())
            .spawn();
        let mut child = child.map_err(|e| e.to_string())?;
        let Some(why) = supervise(&mut child, &options.corpus)? else { continue };
        failures += 1;
        let kept = options.corpus.join(format!("failed-{}-{failures}", std::process::id()));
        std::fs::rename(current(&options.corpus), &kept).map_err(|e| e.to_string())?;
        println!("{why}: {}", kept.display());
    }
    Ok(failures)
}

/// Waits for a child; says what went wrong when it died or did not end an input.
fn supervise(child: &mut Child, corpus: &Path) -> Result<Option<String>, String> {
    let ended = |status: ExitStatus| (!status.success()).then(|| format!("the process ended with {status}"));
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(ended(status));
        }
        let written = std::fs::metadata(current(corpus)).and_then(|data| data.modified());
        let age = written.ok().and_then(|time| SystemTime::now().duration_since(time).ok()).unwrap_or_default();
        if age > PATIENCE {
            child.kill().map_err(|e| e.to_string())?;
            child.wait().map_err(|e| e.to_string())?;
            return Ok(Some(format!("no end after {} s", age.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}
