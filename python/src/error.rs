//! Diagnostics as Python exceptions, with the text that the command line prints.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tk_diag::{Code, Diagnostic, Severity, Style, render};

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
        _ => "CompilationError",
    }
}

/// The exception of a compilation. An assertion that is false then is told apart from those of launches.
pub(crate) fn of_compilation(py: Python<'_>, diagnostics: &[Diagnostic]) -> PyErr {
    match diagnostics.first() {
        Some(first) if first.code == tk_diag::ASSERTION_FAILED => made(py, diagnostics, "CompileTimeAssertionFailure"),
        _ => exception(py, diagnostics),
    }
}

/// One exception for the diagnostics of one failure.
pub(crate) fn exception(py: Python<'_>, diagnostics: &[Diagnostic]) -> PyErr {
    let class = diagnostics.first().map_or("InternalError", |one| match one.severity {
        Severity::Bug => "InternalError",
        Severity::Error | Severity::Warning => class_of(one.code),
    });
    made(py, diagnostics, class)
}

fn made(py: Python<'_>, diagnostics: &[Diagnostic], class: &str) -> PyErr {
    let text: Vec<String> = diagnostics.iter().map(|one| render(one, Style::Plain).trim_end().to_string()).collect();
    let first = diagnostics.first();
    let code = first.map_or("internal", |one| one.code.slug);
    let made = || -> PyResult<PyErr> {
        let class = py.import("tk.errors")?.getattr(class)?;
        let reason = first.map(|one| one.message.as_str());
        Ok(PyErr::from_value(class.call_method1("of_tk", (text.join("\n\n"), code, reason))?))
    };
    made().unwrap_or_else(|_| PyRuntimeError::new_err(text.join("\n\n")))
}

/// The exception of one diagnostic.
pub(crate) fn one(py: Python<'_>, diagnostic: &Diagnostic) -> PyErr {
    exception(py, std::slice::from_ref(diagnostic))
}
