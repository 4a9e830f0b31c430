//! Diagnostics as Python exceptions, with the text that the command line prints.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tk_check::CALL_LABELS;
use tk_diag::{Code, Diagnostic, Label, Severity, Style, render};

/// The exception of `tk.errors` for a fault.
fn class_of(code: Code) -> &'static str {
    match code {
        tk_diag::TOO_MUCH_SHARED_MEMORY => "OutOfResources",
        tk_diag::BAD_LAUNCH => "LaunchError",
        tk_diag::OUT_OF_BOUNDS => "OutOfBoundsError",
        tk_diag::MISALIGNED => "MisalignedError",
        tk_diag::UNINITIALISED => "UninitialisedError",
        tk_diag::DATA_RACE => "DataRaceError",
        tk_diag::DEADLOCK => "DeadlockError",
        tk_diag::RUN_LIMIT => "RunLimitError",
        tk_diag::OFFSET_OVERFLOW => "OffsetOverflowError",
        tk_diag::ASSERTION_FAILED => "AssertionFailedError",
        tk_diag::DEVICE => "DeviceError",
        tk_diag::BAD_PTX => "PTXASError",
        tk_diag::INTERNAL => "InternalError",
        tk_diag::UNSUPPORTED => "UnsupportedLanguageConstruct",
        _ => "CompilationError",
    }
}

/// The exception of a compilation. An assertion that is false then is told apart from those of launches.
pub(crate) fn of_compilation(py: Python<'_>, diagnostics: &[Diagnostic]) -> PyErr {
    let places = diagnostics.first().map(places).unwrap_or_default();
    match diagnostics.first() {
        Some(first) if first.code == tk_diag::ASSERTION_FAILED => {
            made(py, diagnostics, "CompileTimeAssertionFailure", places)
        }
        _ => made(py, diagnostics, class(diagnostics), places),
    }
}

/// One exception for the diagnostics of one failure.
pub(crate) fn exception(py: Python<'_>, diagnostics: &[Diagnostic]) -> PyErr {
    made(py, diagnostics, class(diagnostics), Vec::new())
}

fn class(diagnostics: &[Diagnostic]) -> &'static str {
    diagnostics.first().map_or("InternalError", |one| match one.severity {
        Severity::Bug => "InternalError",
        Severity::Error | Severity::Warning => class_of(one.code),
    })
}

/// Where the statement of the error is in its function, and before it the calls that led there, the outermost first.
fn places(diagnostic: &Diagnostic) -> Vec<String> {
    let mut labels = diagnostic.labels.iter();
    let innermost = labels.next();
    let calls = labels.filter(|label| CALL_LABELS.contains(&label.text.as_str()));
    innermost.into_iter().chain(calls).filter_map(place).rev().collect()
}

/// `at LINE:COLUMN`, as Triton says it: the line counts from the function's `def`, the column from its indentation.
fn place(label: &Label) -> Option<String> {
    let file = label.file.as_ref()?;
    let part = file.part_at(label.span.start);
    let line = file.line_column(label.span.start).line;
    let within = line.checked_sub(part.first_line())?;
    let indentation = |text: &str| text.chars().take_while(|one| *one == ' ' || *one == '\t').count();
    let mut lines = part.text().lines();
    let first = indentation(lines.next()?);
    let statement = match within {
        0 => first,
        more => indentation(lines.nth(more as usize - 1)?),
    };
    Some(format!("at {}:{}", within + 1, statement.saturating_sub(first)))
}

fn made(py: Python<'_>, diagnostics: &[Diagnostic], class: &str, places: Vec<String>) -> PyErr {
    let text: Vec<String> = diagnostics.iter().map(|one| render(one, Style::Plain).trim_end().to_string()).collect();
    let first = diagnostics.first();
    let code = first.map_or("internal", |one| one.code.slug);
    let made = || -> PyResult<PyErr> {
        let class = py.import("tk.errors")?.getattr(class)?;
        let reason = first.map(|one| one.message.as_str());
        Ok(PyErr::from_value(class.call_method1("of_tk", (text.join("\n\n"), code, reason, places))?))
    };
    made().unwrap_or_else(|_| PyRuntimeError::new_err(text.join("\n\n")))
}

/// The exception of one diagnostic.
pub(crate) fn one(py: Python<'_>, diagnostic: &Diagnostic) -> PyErr {
    exception(py, std::slice::from_ref(diagnostic))
}
