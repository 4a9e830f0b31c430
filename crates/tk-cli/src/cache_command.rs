//! `tk cache list|clear|verify`: the compiled kernels that are kept on the disk.

use crate::Output;
use crate::arguments::{CacheAction, CacheArgs};
use crate::failure::Failure;
use std::time::SystemTime;
use tk_diag::{Diagnostic, FILE};
use tk_launch::{Cache, CacheEntry, Stored};

pub(crate) fn cache(args: &CacheArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let Some(cache) = Cache::open_default() else {
        return Err(Failure::usage("there is no cache: TK_CACHE is 0, or no folder is known for it"));
    };
    match args.action {
        CacheAction::List => list(&cache, output),
        CacheAction::Clear => {
            let count = cache.clear()?;
            writeln!(output.out, "{}: {count} entries removed", cache.folder().display())?;
            Ok(())
        }
        CacheAction::Verify => verify(&cache, output),
    }
}

fn list(cache: &Cache, output: &mut Output<'_>) -> Result<(), Failure> {
    let entries = cache.entries();
    for entry in &entries {
        writeln!(output.out, "{}", line(cache, entry))?;
    }
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    writeln!(output.out, "{}: {} entries, {bytes} bytes", cache.folder().display(), entries.len())?;
    Ok(())
}

/// What an entry is, the one used last first.
fn line(cache: &Cache, entry: &CacheEntry) -> String {
    let what = match cache.stored(entry) {
        Stored::Kernel(image) => {
            let code = if image.cubin.is_some() { "machine code and PTX" } else { "PTX" };
            format!("{} for {}, {} warps, {code}", image.entry, image.target, image.num_warps)
        }
        Stored::Tuning(key) => format!("tuning of {}", key.lines().next().unwrap_or_default()),
        Stored::Damaged => "damaged, or of another version".to_string(),
    };
    let age = SystemTime::now().duration_since(entry.used).unwrap_or_default().as_secs();
    let name = entry.path.file_stem().map(|name| name.to_string_lossy().chars().take(12).collect::<String>());
    format!("{} {:>9} bytes, used {} ago: {what}", name.unwrap_or_default(), entry.bytes, duration(age))
}

fn duration(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

fn verify(cache: &Cache, output: &mut Output<'_>) -> Result<(), Failure> {
    let verified = cache.verify();
    writeln!(
        output.out,
        "{}: {} entries are whole, {} were damaged and are removed, {} abandoned files are removed",
        cache.folder().display(),
        verified.sound,
        verified.damaged.len(),
        verified.unfinished
    )?;
    let report = |path: &std::path::PathBuf| {
        Diagnostic::error(FILE, format!("{} was damaged, or of another version of tk", path.display()))
            .help("it is removed; what it held is compiled again when it is needed")
    };
    let damaged: Vec<Diagnostic> = verified.damaged.iter().map(report).collect();
    if damaged.is_empty() { Ok(()) } else { Err(Failure(damaged)) }
}
