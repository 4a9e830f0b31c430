//! What a command that did not work says, and with which exit code.

use crate::Output;
use crate::arguments::ExplainErrorArgs;
use std::any::Any;
use std::hash::{DefaultHasher, Hash, Hasher};
use tk_diag::{Diagnostic, Severity, render};

/// The diagnostics that stopped a command.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) Vec<Diagnostic>);

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self(vec![*diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self(diagnostics)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(vec![Diagnostic::error(tk_diag::FILE, format!("output cannot be written: {error}"))])
    }
}

impl Failure {
    /// A wrong command line that clap could not see.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self(vec![Diagnostic::error(tk_diag::USAGE, message)])
    }

    /// A panic is a bug in tk.
    pub(crate) fn from_panic(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Self(vec![Diagnostic::bug(format!("an internal check failed: {text}"))])
    }

    /// Prints the diagnostics; for a bug, writes a reproducer too. Returns the exit code.
    pub(crate) fn report(&self, args: &[String], output: &mut Output<'_>) -> i32 {
        for diagnostic in &self.0 {
            let _ = write!(output.err, "{}", render(diagnostic, output.style));
        }
        let bug = self.0.iter().find(|diagnostic| diagnostic.severity == Severity::Bug);
        match bug {
            None => 1,
            Some(bug) => {
                match write_reproducer(args, bug) {
                    Ok(path) => {
                        let _ = writeln!(output.err, "This is a bug in tk. {path} has what is needed to reproduce it.");
                    }
                    Err(error) => {
                        let _ = writeln!(output.err, "This is a bug in tk. (No reproducer: {error})");
                    }
                }
                2
            }
        }
    }
}

/// Writes the command, the version and the input files into one file in the temporary folder.
fn write_reproducer(args: &[String], bug: &Diagnostic) -> std::io::Result<String> {
    let mut text = format!("tk {}\ncommand: tk {}\n{}\n", env!("CARGO_PKG_VERSION"), args.join(" "), bug);
    for note in &bug.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    for arg in args {
        if let Ok(file) = std::fs::read_to_string(arg) {
            text.push_str(&format!("\n===== {arg}\n{file}"));
        }
    }
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let path = std::env::temp_dir().join(format!("tk-bug-{:016x}.txt", hasher.finish()));
    std::fs::write(&path, text)?;
    Ok(path.display().to_string())
}

/// What clap says, on the right stream, with tk's exit codes.
pub(crate) fn report_usage(error: &clap::Error, output: &mut Output<'_>) -> i32 {
    use clap::error::ErrorKind;
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = write!(output.out, "{text}");
            0
        }
        _ => {
            let _ = write!(output.err, "{text}");
            1
        }
    }
}

/// `tk explain-error [CODE]`.
pub(crate) fn explain(args: &ExplainErrorArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let codes = tk_diag::all_codes();
    let as_json = |code: &tk_diag::Code| serde_json::json!({ "code": code.slug, "summary": code.summary, "explanation": code.explanation });
    let Some(slug) = &args.code else {
        if args.json {
            let codes: Vec<_> = codes.iter().map(as_json).collect();
            writeln!(output.out, "{}", serde_json::json!({ "codes": codes }))?;
            return Ok(());
        }
        for code in codes {
            writeln!(output.out, "{:<24} {}", code.slug, code.summary)?;
        }
        return Ok(());
    };
    let found = tk_diag::find_code(slug).ok_or_else(|| {
        Failure::usage(format!("there is no diagnostic code `{slug}`; `tk explain-error` lists them"))
    })?;
    if args.json {
        writeln!(output.out, "{}", as_json(&found))?;
        return Ok(());
    }
    writeln!(output.out, "{}: {}\n", found.slug, found.summary)?;
    let mut in_example = false;
    for line in found.explanation.lines() {
        match line.strip_prefix("```") {
            Some(_) => in_example = !in_example,
            None if in_example && !line.is_empty() => writeln!(output.out, "    {line}")?,
            None => writeln!(output.out, "{line}")?,
        }
    }
    Ok(())
}
