//! The process that tries inputs. It writes each one to a file before it runs it, so that an abort leaves it behind.

use crate::mutate::mutate;
use crate::seeds::{self, Seed};
use rand::Rng;
use rand::seq::IndexedRandom;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tk_cases::draw::seeded;

/// What can be fuzzed.
pub(crate) const TARGETS: &[&str] =
    &["bundles", "check", "forms", "grammar", "imports", "llvm", "opt", "programs", "ptx"];

/// One input may take this long, on a busy machine.
const SLOW: Duration = Duration::from_secs(20);

/// Tries a batch. Ends the process with code 1 when something failed.
pub(crate) fn run(target: &str, seed: u64, batch: u64, keep: &Path) -> Result<(), String> {
    if target == "programs" {
        return programs(seed, batch, keep);
    }
    if target == "bundles" {
        return bundles(seed, batch, keep);
    }
    let (seeds, extension, words_only) = match target {
        "grammar" => (seeds::sources(), "tk", false),
        "check" => (seeds::kernels()?, "tk", true),
        "forms" => (seeds::forms("mlir")?, "mlir", true),
        "llvm" => (seeds::forms("ll")?, "ll", true),
        "imports" => (seeds::packages(), "tk", false),
        "opt" => (seeds::modules(), "mlir", false),
        _ => (seeds::programs()?, "ptx", true),
    };
    let mut failed = false;
    for turn in 0..batch {
        let mut random = seeded(&format!("{target} {seed} {turn}"));
        let mut drawn = || seeds.choose(&mut random).ok_or_else(|| format!("there are no seeds for {target}"));
        let (chosen, other) = (drawn()?, drawn()?);
        let text = mutate(&chosen.text, &other.text, words_only, &mut random);
        let path = keep.join(format!("{target}-{seed}-{turn}.{extension}"));
        let first = write(chosen, &text, &path).map_err(|e| e.to_string())?;
        match trouble(chosen, &first) {
            Some(what) => {
                failed = true;
                println!("{what}\n  input: {}", path.display());
            }
            None if path.is_dir() => std::fs::remove_dir_all(&path).map_err(|e| e.to_string())?,
            None => std::fs::remove_file(&path).map_err(|e| e.to_string())?,
        }
    }
    if failed { std::process::exit(1) } else { Ok(()) }
}

/// Reads bundles of which some bytes are changed, under checksums that fit: what is read must be valid.
fn bundles(seed: u64, batch: u64, keep: &Path) -> Result<(), String> {
    // Where the checksum is, and where the data begins.
    const CHECKSUM: usize = 12;
    const DATA: usize = 28;
    let whole = seeds::bundle();
    for turn in 0..batch * 50 {
        let mut random = seeded(&format!("bundles {seed} {turn}"));
        let mut data = whole[DATA..].to_vec();
        for _ in 0..random.random_range(1..5) {
            let at = random.random_range(0..data.len());
            match random.random_range(0..4) {
                0 => data[at] = random.random(),
                1 => data[at] ^= 1 << random.random_range(0..8),
                2 => data.truncate(at.max(1)),
                _ => data.insert(at, 0xff),
            }
        }
        let mut bytes = whole[..CHECKSUM].to_vec();
        bytes.extend(tk_image::checksum(&data).to_le_bytes());
        bytes.extend(data);
        let path = keep.join(format!("bundles-{seed}-{turn}.tkb"));
        std::fs::write(&path, &bytes).map_err(|e| e.to_string())?;
        if tk_image::Bundle::from_bytes(&bytes).is_ok_and(|bundle| bundle.validate().is_err()) {
            println!("a bundle that was read is not valid\n  input: {}", path.display());
            std::process::exit(1);
        }
        std::fs::remove_file(&path).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Runs random programs, which must compute what they say.
fn programs(seed: u64, batch: u64, keep: &Path) -> Result<(), String> {
    let mut failed = false;
    for turn in 0..batch {
        let text = tk_cases::programs::program(&mut seeded(&format!("programs {seed} {turn}")));
        let path = keep.join(format!("programs-{seed}-{turn}.tk"));
        std::fs::write(&path, &text).map_err(|e| e.to_string())?;
        let file = path.display().to_string();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let start = Instant::now();
        let exit = tk_cli::run(&["test".into(), file, "--device".into(), "sim".into()], &mut out, &mut err);
        if exit == 0 && start.elapsed() < SLOW {
            std::fs::remove_file(&path).map_err(|e| e.to_string())?;
            continue;
        }
        failed = true;
        let said =
            String::from_utf8_lossy(&err).lines().next().unwrap_or("too slow").chars().take(300).collect::<String>();
        println!("{said}\n  input: {}", path.display());
    }
    if failed { std::process::exit(1) } else { Ok(()) }
}

/// Writes an input: a file, or a folder of the files that belong together. Gives the file to begin with.
fn write(seed: &Seed, text: &str, path: &Path) -> std::io::Result<PathBuf> {
    let Some((first, _)) = seed.files.first() else {
        std::fs::write(path, text)?;
        return Ok(path.to_path_buf());
    };
    for (place, (name, unchanged)) in seed.files.iter().enumerate() {
        let file = path.join(name);
        std::fs::create_dir_all(file.parent().unwrap_or(path))?;
        std::fs::write(&file, if place == seed.place { text } else { unchanged })?;
    }
    Ok(path.join(first))
}

/// What is wrong with the way tk took an input.
fn trouble(seed: &Seed, path: &Path) -> Option<String> {
    let file = path.display().to_string();
    let arguments: Vec<String> = seed.arguments.iter().map(|word| word.replace("$FILE", &file)).collect();
    let start = Instant::now();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let exit = tk_cli::run(&arguments, &mut out, &mut err);
    let text = String::from_utf8_lossy(&err);
    let first: String = text.lines().next().unwrap_or_default().chars().take(300).collect();
    let line = format!("tk {}", seed.arguments.join(" "));
    match exit {
        0 | 1 if start.elapsed() > SLOW => Some(format!("took {:.0} s: {line}", start.elapsed().as_secs_f64())),
        0 => None,
        1 if text.contains("error[") => None,
        1 => Some(format!("no error code: {first}\n  {line}")),
        _ => Some(format!("exit code {exit}: {first}\n  {line}")),
    }
}
