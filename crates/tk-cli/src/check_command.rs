//! `tk check FILE…`: errors and warnings in the kernels of files, without signatures ([`tk_inspect`] says how).

use crate::arguments::CheckArgs;
use crate::failure::Failure;
use crate::show::diagnostic_json;
use crate::{Output, capacity, files, safety};
use std::path::Path;
use tk::Bounds;
use tk_diag::{Diagnostic, Severity, render};
use tk_inspect::{Findings, Request, inspect_file};

pub(crate) fn check(args: &CheckArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    safety::check_codes(&args.allow)?;
    let bounds = safety::bounds(&args.bound, Bounds::assumed())?;
    let (mut errors, mut warnings, mut bugs) = (0, 0, Vec::new());
    let mut files = Vec::new();
    for file in &args.files {
        let mut findings = in_file(file, args, &bounds);
        let heard: Vec<Diagnostic> = safety::heard(&findings.diagnostics, &args.allow).cloned().collect();
        findings.diagnostics = heard;
        for diagnostic in &findings.diagnostics {
            if !args.json {
                write!(output.err, "{}", render(diagnostic, output.style))?;
            }
        }
        bugs.extend(findings.diagnostics.iter().filter(|one| one.severity == Severity::Bug).cloned());
        let (wrong, doubtful) = (findings.count(Severity::Error), findings.count(Severity::Warning));
        if args.json {
            let told: Vec<_> = findings.diagnostics.iter().map(diagnostic_json).collect();
            files.push(serde_json::json!({
                "file": file.display().to_string(),
                "kernels": findings.kernels,
                "functions": findings.functions,
                "not_checked": findings.unknown,
                "left_out": findings.left_out,
                "diagnostics": told,
            }));
        } else {
            let verdict = match (wrong, doubtful) {
                (0, 0) => "nothing to report".to_string(),
                _ => format!("{}, {}", counted(wrong, "error"), counted(doubtful, "warning")),
            };
            let unknown = match findings.unknown.join(", ") {
                names if names.is_empty() => names,
                names => format!("; not checked, since its arguments or what it calls are not known: {names}"),
            };
            let kernels = counted(findings.kernels, "kernel");
            let functions = match findings.functions {
                0 => String::new(),
                count => format!(", {} that nothing here calls", counted(count, "function")),
            };
            let left_out = match findings.left_out {
                0 => String::new(),
                count => format!("; {count} more on lines that have many"),
            };
            writeln!(output.out, "{}: {kernels}{functions}, {verdict}{left_out}{unknown}", file.display())?;
        }
        errors += wrong;
        warnings += doubtful;
    }
    if args.json {
        writeln!(output.out, "{}", serde_json::json!({ "files": files }))?;
    }
    match (bugs.is_empty(), errors) {
        (false, _) => Err(Failure(bugs)),
        (_, 0) if warnings == 0 || !args.deny_warnings => Ok(()),
        // Everything has been said.
        _ => Err(Failure(Vec::new())),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn in_file(path: &Path, args: &CheckArgs, bounds: &Bounds) -> Findings {
    match files::parse(path, &args.imports, tk::Roots::Kernels) {
        Ok(module) => {
            let request = Request {
                module: &module,
                kernel: args.kernel.as_deref(),
                bounds,
                is_portable: args.portable,
                is_stopped: &|| false,
            };
            let mut findings = inspect_file(&request).unwrap_or_default();
            findings.add(capacity::too_much(&module, &findings.launches));
            findings
        }
        Err(failure) => {
            let mut findings = Findings::default();
            findings.add(failure.0);
            findings
        }
    }
}
