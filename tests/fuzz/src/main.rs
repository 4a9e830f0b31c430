//! `tk-fuzz [--seconds N] [--seed S] [--target NAME] [--keep FOLDER]`: mutated valid input for every reader of tk.
//!
//! Targets: `bundles` (what `tk build` writes), `grammar` (bytes of `.tk` files), `check` (words of kernels, compiled to PTX), `imports` (one of several files), `opt`
//! (textual IR through its pass), `forms` and `llvm` (dumps, compiled on), `ptx` (generated PTX, parsed and run on the simulator), and `programs`: random valid programs,
//! whose results on the simulator must be right. Nothing may panic, overflow the stack, take more memory
//! than the limit or more time than the limit; wrong input must be refused with exit code 1.
//!
//! A plain program with seeds instead of a coverage-guided fuzzer: it needs no nightly compiler, runs wherever the tests
//! run, and the same seed gives the same inputs. Inputs run in a child process, so that an abort is found like a panic.

mod child;
mod mutate;
mod seeds;

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Inputs that one child tries.
const BATCH: u64 = 40;

/// Address space of a child, in KiB: the stack of tk's worker is 512 MiB of it.
const MEMORY_KIB: u64 = 6 << 20;

/// What a child may take for its batch before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// The command line.
struct Options {
    seconds: u64,
    seed: u64,
    target: Option<String>,
    keep: PathBuf,
    /// Only in a child: how many inputs it tries.
    batch: Option<u64>,
}

fn options() -> Result<Options, String> {
    let mut options =
        Options { seconds: 10, seed: 1, target: None, keep: std::env::temp_dir().join("tk-fuzz"), batch: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse().map_err(|_| format!("{word} {value}: not a number"));
        match word.as_str() {
            "--seconds" => options.seconds = number()?,
            "--seed" => options.seed = number()?,
            "--batch" => options.batch = Some(number()?),
            "--target" => options.target = Some(value),
            "--keep" => options.keep = value.into(),
            _ => return Err(format!("{word} is no option; there are --seconds, --seed, --target and --keep")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    if std::env::var_os(tk_cli::REHEARSAL).is_some() {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let exit = tk_cli::run(&words, &mut std::io::sink(), &mut std::io::stderr());
        return ExitCode::from(u8::try_from(exit).unwrap_or(u8::MAX));
    }
    if let Ok(program) = std::env::current_exe() {
        tk_cli::rehearse_with(program);
    }
    match options().and_then(|options| match options.batch {
        Some(batch) => child::run(&target(&options, 0)?, options.seed, batch, &options.keep).map(|()| 0),
        None => parent(&options),
    }) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn target(options: &Options, round: u64) -> Result<String, String> {
    let all = child::TARGETS;
    match &options.target {
        Some(name) if all.contains(&name.as_str()) => Ok(name.clone()),
        Some(name) => Err(format!("`{name}` is no target; there are {}", all.join(", "))),
        None => Ok(all[(round % all.len() as u64) as usize].to_string()),
    }
}

/// Starts children until the time is over; gives the number of failures.
fn parent(options: &Options) -> Result<usize, String> {
    std::fs::create_dir_all(&options.keep).map_err(|e| format!("{}: {e}", options.keep.display()))?;
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let start = Instant::now();
    let (mut failures, mut round) = (0, 0);
    while start.elapsed() < Duration::from_secs(options.seconds) {
        let (name, seed) = (target(options, round)?, options.seed.wrapping_add(round).wrapping_mul(1_000_003));
        round += 1;
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\"")])
            .arg(&program)
            .args(["--target", &name, "--seed", &seed.to_string(), "--batch", &BATCH.to_string(), "--keep"])
            .arg(&options.keep)
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        failures += supervise(command, &name, seed)?;
    }
    println!("{} inputs, {failures} failures in {:.0} s", round * BATCH, start.elapsed().as_secs_f64());
    Ok(failures)
}

/// Waits for a child; says what went wrong when it died or did not end.
fn supervise(mut command: Command, name: &str, seed: u64) -> Result<usize, String> {
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) if status.success() => return Ok(0),
            Some(status) if status.code() == Some(1) => return Ok(1),
            Some(status) => {
                println!("{name} seed {seed}: the process ended with {status}; its input is kept");
                return Ok(1);
            }
            None if start.elapsed() > PATIENCE => {
                child.kill().map_err(|e| e.to_string())?;
                child.wait().map_err(|e| e.to_string())?;
                println!("{name} seed {seed}: no end after {} s; its input is kept", PATIENCE.as_secs());
                return Ok(1);
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
