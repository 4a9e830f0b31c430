//! How checking stops: an error to report, or silence because the value in hand already failed.

use tk_diag::Diagnostic;

/// Why an expression has no value.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something is wrong here; the diagnostic says what.
    Error(Box<Diagnostic>),
    /// A value that an earlier, reported error left without meaning.
    Poisoned,
}

/// A result of checking.
pub(crate) type R<T> = Result<T, Stop>;

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Stop::Error(Box::new(diagnostic))
    }
}

/// What stands under the calls that lead to an error: the innermost, and those around it.
pub const CALL_LABELS: [&str; 2] = ["in this call", "which is called here"];
