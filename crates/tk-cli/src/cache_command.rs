//! `tk cache list|clear|verify`: the compiled kernels that are kept on the disk.

use crate::Output;
use crate::arguments::{CacheAction, CacheArgs};
use crate::failure::Failure;
use serde_json::json;
use std::time::SystemTime;
use tk_diag::{Diagnostic, FILE};
use tk_launch::{Cache, CacheEntry, Stored};

pub(crate) fn cache(args: &CacheArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let Some(cache) = Cache::open_default() else {
        return Err(Failure::usage("there is no cache: TK_CACHE is 0, or no folder is known for it"));
    };
    let folder = cache.folder().display().to_string();
    match &args.action {
        CacheAction::List(args) => list(&cache, args.json, output),
        CacheAction::Clear(args) => {
            let count = cache.clear()?;
            match args.json {
                true => writeln!(output.out, "{}", json!({ "folder": folder, "removed": count }))?,
                false => writeln!(output.out, "{folder}: {count} entries removed")?,
            }
            Ok(())
        }
        CacheAction::Verify(args) => verify(&cache, args.json, output),
    }
}

fn list(cache: &Cache, as_json: bool, output: &mut Output<'_>) -> Result<(), Failure> {
    let entries = cache.entries();
    if as_json {
        let rows: Vec<_> = entries.iter().map(|entry| entry_json(cache, entry)).collect();
        writeln!(output.out, "{}", json!({ "folder": cache.folder().display().to_string(), "entries": rows }))?;
        return Ok(());
    }
    for entry in &entries {
        writeln!(output.out, "{}", line(cache, entry))?;
    }
    let bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    writeln!(output.out, "{}: {} entries, {bytes} bytes", cache.folder().display(), entries.len())?;
    Ok(())
}

/// What an entry is, as JSON.
fn entry_json(cache: &Cache, entry: &CacheEntry) -> serde_json::Value {
    let mut row = match cache.stored(entry) {
        Stored::Kernel(image) => json!({
            "kind": "kernel",
            "kernel": image.entry,
            "target": image.target,
            "num_warps": image.num_warps,
            "has_machine_code": image.cubin.is_some(),
        }),
        Stored::Tuning(key) => json!({ "kind": "tuning", "kernel": key.lines().next() }),
        Stored::Damaged => json!({ "kind": "damaged" }),
    };
    row["file"] = json!(entry.path.display().to_string());
    row["bytes"] = json!(entry.bytes);
    row["used_seconds_ago"] = json!(age(entry));
    row
}

/// Seconds since an entry was used.
fn age(entry: &CacheEntry) -> u64 {
    SystemTime::now().duration_since(entry.used).unwrap_or_default().as_secs()
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
    let name = entry.path.file_stem().map(|name| name.to_string_lossy().chars().take(12).collect::<String>());
    format!("{} {:>9} bytes, used {} ago: {what}", name.unwrap_or_default(), entry.bytes, duration(age(entry)))
}

fn duration(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

fn verify(cache: &Cache, as_json: bool, output: &mut Output<'_>) -> Result<(), Failure> {
    let verified = cache.verify();
    let folder = cache.folder().display().to_string();
    if as_json {
        let removed: Vec<String> = verified.damaged.iter().map(|path| path.display().to_string()).collect();
        let (sound, unfinished) = (verified.sound, verified.unfinished);
        let found = json!({ "folder": folder, "sound": sound, "damaged": removed, "unfinished": unfinished });
        writeln!(output.out, "{found}")?;
    } else {
        writeln!(
            output.out,
            "{folder}: {} entries are whole, {} were damaged and are removed, {} abandoned files are removed",
            verified.sound,
            verified.damaged.len(),
            verified.unfinished
        )?;
    }
    let report = |path: &std::path::PathBuf| {
        Diagnostic::error(FILE, format!("{} was damaged, or of another version of tk", path.display()))
            .help("it is removed; what it held is compiled again when it is needed")
    };
    let damaged: Vec<Diagnostic> = verified.damaged.iter().map(report).collect();
    if damaged.is_empty() { Ok(()) } else { Err(Failure(damaged)) }
}
