//! `--sanitize`, `--index-width`, `--bound` and `--allow`: what they mean, and the printing of warnings.

use crate::Output;
use crate::arguments::{IndexWidthArg, SafetyArgs, SanitizeArg};
use crate::failure::Failure;
use std::sync::Arc;
use tk::Bounds;
use tk_diag::{Diagnostic, is_allowed, render};
use tk_types::{CompileOptions, IndexWidth, Sanitize};

/// The compile options with what the command line asks for.
pub(crate) fn options(args: &SafetyArgs, options: CompileOptions) -> CompileOptions {
    let sanitize = Sanitize {
        overflow: args.sanitize_overflow || args.sanitize.contains(&SanitizeArg::Overflow),
        bounds: args.sanitize.contains(&SanitizeArg::Bounds),
    };
    let index_width = match args.index_width {
        IndexWidthArg::Written => IndexWidth::Written,
        IndexWidthArg::Auto => IndexWidth::Auto,
        IndexWidthArg::Wide => IndexWidth::Wide,
    };
    let libdevice = args.libdevice.clone().or_else(|| std::env::var("TK_LIBDEVICE").ok()).and_then(library);
    CompileOptions { sanitize, index_width, libdevice, ..options }
}

/// The file that `--libdevice` names.
fn library(given: String) -> Option<Arc<str>> {
    match given.as_str() {
        "" => None,
        "auto" => installed_library(),
        path => Some(Arc::from(path)),
    }
}

/// The library of the CUDA installation.
fn installed_library() -> Option<Arc<str>> {
    let variables = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(|name| std::env::var(name).ok());
    let folders = variables.chain(["/usr/local/cuda".into(), "/opt/cuda".into(), "/usr/lib/cuda".into()]);
    let mut files = folders.map(|folder| format!("{folder}/nvvm/libdevice/libdevice.10.bc"));
    files.find(|file| std::fs::metadata(file).is_ok_and(|found| found.is_file())).map(Arc::from)
}

/// Checks that every code of `--allow` exists.
pub(crate) fn check_codes(allow: &[String]) -> Result<(), Failure> {
    match allow.iter().find(|slug| tk_diag::find_code(slug).is_none()) {
        Some(slug) => {
            Err(Failure::usage(format!("--allow {slug}: there is no such code; `tk explain-error` lists them")))
        }
        None => Ok(()),
    }
}

/// The warnings that neither the command line nor the program silences.
pub(crate) fn heard<'w>(
    warnings: impl IntoIterator<Item = &'w Diagnostic>,
    allow: &[String],
) -> impl Iterator<Item = &'w Diagnostic> {
    warnings.into_iter().filter(|warning| !allow.iter().any(|slug| slug == warning.code.slug) && !is_allowed(warning))
}

/// Prints the warnings that are to be heard.
pub(crate) fn warn(warnings: &[Diagnostic], allow: &[String], output: &mut Output<'_>) -> Result<(), Failure> {
    for warning in heard(warnings, allow) {
        write!(output.err, "{}", render(warning, output.style))?;
    }
    Ok(())
}

/// Adds what `--bound` says. `base` is what holds for everything it does not name.
pub(crate) fn bounds(texts: &[String], base: Bounds) -> Result<Bounds, Failure> {
    tk::read_bounds(texts, base).map_err(|message| Failure::usage(format!("--bound {message}")))
}
