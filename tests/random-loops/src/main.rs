//! `random-loops`: random kernels whose loops overlap iterations, with products, accumulators that are copied, swapped and mixed,
//! branches, and early stores; random kernels without products ([`elements`]); and random kernels of classes, each about one kind of statement
//! ([`classes`]).
//!
//! A seed and a bias make one program: a `.tk` file with one kernel, a reference and a test for each launch (steps of the loop, warps,
//! stages). Kernel and reference come from one list of statements. All values are small whole numbers whose bounds are followed
//! through every iteration, so that each type holds them exactly and results must be equal; but for what functions make of them.

mod bias;
mod classes;
mod draw;
mod element;
mod elements;
mod make;
mod program;
mod run;
mod setting;
mod source;
mod statement;
mod text;
mod value;

use bias::Programs;
use clap::{Parser, ValueEnum};
use run::{Finding, Outcome, Runner};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Runs random kernels whose loops overlap iterations, without products, or of a class, and compares with their references.
///
/// A program of which tk says that it is beyond the device (shared memory, registers) counts as refused; all else that is not a pass
/// has failed: a wrong number, a data race, a message about a bug, a crash, no end. Files of failures stay in the folder of --out, with
/// what tk said beside them. The exit code is 1 if a program failed.
#[derive(Debug, Parser)]
#[command(name = "random-loops")]
struct Options {
    /// The program to test; without it $TK, or the `tk` beside this program.
    #[arg(long)]
    tk: Option<PathBuf>,
    /// Where kernels run.
    #[arg(long, default_value = "sim", value_parser = ["sim", "cuda"])]
    device: String,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many programs; a single one is printed, and so is what tk says about it.
    #[arg(long, default_value_t = 20)]
    count: u64,
    /// Which statements are frequent.
    #[arg(long, default_value = "even")]
    bias: Programs,
    /// Print the names that --bias takes, a line each, and run nothing.
    #[arg(long)]
    list: bool,
    /// Folder for programs and logs.
    #[arg(long, default_value = "random-loops")]
    out: PathBuf,
    /// Programs at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Seconds for a program.
    #[arg(long, default_value_t = 120)]
    timeout: u64,
    /// Keep the files of programs that agree.
    #[arg(long)]
    keep: bool,
}

impl Options {
    /// The program to test.
    fn tk(&self) -> Result<PathBuf, String> {
        let named = self.tk.clone().or_else(|| std::env::var_os("TK").map(PathBuf::from));
        let beside = || std::env::current_exe().ok().map(|this| this.with_file_name("tk"));
        let path = named.or_else(beside).unwrap_or_default();
        let found = path.canonicalize().ok().filter(|path| path.is_file());
        found.ok_or_else(|| format!("{} is not there; build it with cargo, or say --tk", path.display()))
    }

    fn runner(&self) -> Result<Runner, String> {
        std::fs::create_dir_all(&self.out).map_err(|error| format!("{}: {error}", self.out.display()))?;
        Ok(Runner {
            tk: self.tk()?,
            device: self.device.clone(),
            bias: self.bias,
            out: self.out.clone(),
            patience: Duration::from_secs(self.timeout),
            keeps: self.keep,
            prints: self.count == 1,
        })
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.list {
        Programs::value_variants().iter().for_each(|programs| println!("{}", programs.name()));
        return ExitCode::SUCCESS;
    }
    let findings = options.runner().and_then(|runner| {
        let findings = run_all(&runner, &options);
        findings.map_err(|error| format!("{}: {error}", options.out.display()))
    });
    match findings {
        Ok(findings) => {
            print!("\n{}", summary(&findings));
            let failed = findings.iter().any(|finding| finding.outcome == Outcome::Failed);
            if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the programs of all seeds, some at a time, and prints those that do not agree.
fn run_all(runner: &Runner, options: &Options) -> io::Result<Vec<Finding>> {
    let (next, end) = (AtomicU64::new(options.seed), options.seed + options.count);
    let findings = Mutex::new(Vec::new());
    let work = || -> io::Result<()> {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return Ok(());
            }
            let finding = runner.run(seed)?;
            if finding.outcome != Outcome::Agrees {
                println!("{finding}");
            }
            findings.lock().expect("no thread panics with the list").push(finding);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no thread panics"))
    })?;
    Ok(findings.into_inner().expect("no thread panics with the list"))
}

/// How many programs ended how, and the seeds of each kind of refusal and failure.
fn summary(findings: &[Finding]) -> String {
    let count = |outcome: Outcome| findings.iter().filter(|finding| finding.outcome == outcome).count();
    let mut text = format!(
        "{} of {} programs agree with their references, {} were refused, {} failed\n",
        count(Outcome::Agrees),
        findings.len(),
        count(Outcome::Refused),
        count(Outcome::Failed)
    );
    let mut kinds: BTreeMap<(Outcome, &str), Vec<u64>> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.outcome != Outcome::Agrees) {
        kinds.entry((finding.outcome, &finding.said)).or_default().push(finding.seed);
    }
    for ((outcome, said), mut seeds) in kinds {
        seeds.sort_unstable();
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        text += &format!("{outcome}: {} times {said}\n  seeds {}\n", seeds.len(), seeds.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use bias::Bias;
    use program::Program;

    #[test]
    fn a_seed_and_a_bias_make_one_program() {
        let text = |seed, bias| Program::new(seed, bias).text();
        assert_eq!(text(3, Bias::Even), text(3, Bias::Even));
        assert_ne!(text(3, Bias::Even), text(4, Bias::Even));
        assert_ne!(text(3, Bias::Even), text(3, Bias::Mixing));
    }

    /// Every kind of statement and every way to load is drawn, and every program has a product and a test.
    #[test]
    fn programs_have_everything() {
        let mut all = String::new();
        for bias in Bias::value_variants() {
            for seed in 0..60 {
                let text = Program::new(seed, *bias).text();
                assert!(text.contains("tl.dot(") && text.contains("def test_"), "{text}");
                all += &text;
            }
        }
        let pieces = [
            ".load([",
            "mask=",
            "_pointers +=",
            "_pointers = ",
            ".T",
            "tl.trans(",
            "tl.where(",
            "tl.clamp(",
            "tl.max(",
            "tl.sum(",
            "tl.abs(",
            "else:",
            "if k",
            "for j",
            "tl.static_range",
            "early",
            "index",
            "count",
            "flatten=True",
            "warp_specialize=True",
            "element // K",
            "num_stages=",
            "float8e4nv",
            "int8",
            "bfloat16",
            "input_precision='ieee'",
            "out_dtype",
            "acc1, acc0 =",
            "-= tl.dot",
            "+= tl.dot",
            "out.store(",
            "rows_out",
            "last - ",
            "tl.minimum(",
            "* -1",
            "row0",
            "tl.multiple_of(",
            "_order + ",
        ];
        let missing: Vec<&str> = pieces.into_iter().filter(|piece| !all.contains(piece)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    /// Programs without products have every kind of statement, way to load and loop.
    #[test]
    fn programs_of_elements_have_everything() {
        let all: String = (0..400).map(|seed| Programs::Elements.text(seed)).collect();
        assert_eq!(Programs::Elements.text(3), Programs::Elements.text(3));
        assert!(!all.contains("tl.dot("));
        let pieces = [
            "other=-3",
            "tl.where(mask, tl.load(",
            "_at[None, :]",
            "mask=mask & (cols < ",
            "rows[:, None] + cols[None, :] * x",
            "evict_first",
            ".to(tl.float8e4nv)",
            "float64",
            "int64",
            "tl.sum(",
            "tl.argmin(",
            "return_indices=True",
            "sum_and_max)",
            "reverse=True",
            "larger)",
            "linear)",
            "tl.reshape(tl.broadcast_to(tl.max(",
            "_powers",
            "tl.rsqrt(tl.sum(",
            "tl.sin(",
            "tl.erf(",
            "tl.sort(",
            "tl.trans(",
            "tl.flip(",
            "tl.xor_sum(",
            "if tile % 2 == 0:",
            "tl.atomic_add(",
            "tl.atomic_max(",
            "for start in range(0, n_cols, C):",
            "for tile in range(program, tiles, programs):",
            "for start in tl.range(0, n_cols, C, num_stages=2):",
            "for tile in tl.range(program, tiles, programs, num_stages=3):",
            " + start, ",
        ];
        let missing: Vec<&str> = pieces.into_iter().filter(|piece| !all.contains(piece)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn the_summary_counts_by_kind() {
        let finding =
            |seed, outcome, said: &str| Finding { seed, outcome, time: Duration::ZERO, said: said.to_string() };
        let findings = [
            finding(2, Outcome::Failed, "wrong"),
            finding(1, Outcome::Failed, "wrong"),
            finding(3, Outcome::Agrees, ""),
            finding(4, Outcome::Refused, "large"),
        ];
        let wanted = "1 of 4 programs agree with their references, 1 were refused, 2 failed\nrefused: 1 times large\n  seeds 4\n\
                      FAILED: 2 times wrong\n  seeds 1 2\n";
        assert_eq!(summary(&findings), wanted);
    }
}
