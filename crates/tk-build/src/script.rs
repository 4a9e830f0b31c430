//! For build scripts of cargo.

use crate::{Plan, Settings, compile, write};
use std::path::{Path, PathBuf};
use tk_diag::{Diagnostic, Style, render};
use tk_launch::Cache;

/// Bytes that the kernels of one crate may take in its build folder.
const CACHE_BYTES: u64 = 256 << 20;

/// Compiles what these files list, with paths from the folder of the crate, and writes the results to `OUT_DIR`. cargo runs the script
/// again when one of the files changes, imported ones included; kernels that stay the same are not compiled again.
///
/// Ends the process with a message for cargo to show when something is wrong.
pub fn build_script(files: &[&str]) {
    if let Err(errors) = run(files) {
        for error in &errors {
            eprint!("{}", render(error, Style::Plain));
        }
        std::process::exit(1);
    }
}

fn run(files: &[&str]) -> Result<(), Vec<Diagnostic>> {
    let folder = |name: &str| {
        let missing =
            || vec![Diagnostic::error(tk_diag::USAGE, format!("{name} is not set; cargo sets it for build scripts"))];
        std::env::var_os(name).map(PathBuf::from).ok_or_else(missing)
    };
    let (own, out) = (folder("CARGO_MANIFEST_DIR")?, folder("OUT_DIR")?);
    let files: Vec<PathBuf> = files.iter().map(|file| own.join(file)).collect();
    // Also when something is wrong, so that repairing it runs the script again.
    files.iter().for_each(|file| rerun_for(file));
    println!("cargo::rerun-if-env-changed=TK_PTXAS");
    let plan = Plan::read(&files).map_err(|error| vec![*error])?;
    plan.kernels.iter().for_each(|kernel| rerun_for(&kernel.file));
    let settings = Settings { cache: Some(Cache::open(out.join("tk-cache"), CACHE_BYTES)), jobs: jobs() };
    let built = compile(&plan, &settings)?;
    built.inputs.iter().for_each(|file| rerun_for(file));
    for warning in &built.warnings {
        println!("cargo::warning={}", warning.to_string().replace('\n', " "));
    }
    write(&built.bundle, &out).map(|_| ()).map_err(|error| vec![*error])
}

fn rerun_for(file: &Path) {
    println!("cargo::rerun-if-changed={}", file.display());
}

/// As many as cargo lets a build script use.
fn jobs() -> usize {
    std::env::var("NUM_JOBS").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}
