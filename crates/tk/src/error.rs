//! What can go wrong between the text of a kernel and its launches, in one type.

use std::path::PathBuf;
use tk_diag::{Diagnostic, Style, render};

/// Why a kernel cannot be compiled, loaded or launched.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be read.
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The text of the kernel does not compile for these arguments; one message for each mistake, with its place.
    Compile(Vec<Diagnostic>),
    /// The GPU, its driver or the arguments of a launch.
    Launch(tk_runtime::Error),
}

impl std::fmt::Display for Error {
    /// As `tk` prints it, lines of the text included.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::File { path, reason } => write!(f, "{}: {reason}", path.display()),
            Error::Compile(all) => {
                let texts: Vec<String> = all.iter().map(|one| render(one, Style::Plain)).collect();
                f.write_str(texts.join("\n").trim_end())
            }
            Error::Launch(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Launch(error) => Some(error),
            Error::File { .. } | Error::Compile(_) => None,
        }
    }
}

impl From<tk_runtime::Error> for Error {
    fn from(error: tk_runtime::Error) -> Self {
        Error::Launch(error)
    }
}

impl From<Vec<Diagnostic>> for Error {
    fn from(all: Vec<Diagnostic>) -> Self {
        Error::Compile(all)
    }
}

impl From<Box<Diagnostic>> for Error {
    fn from(one: Box<Diagnostic>) -> Self {
        Error::Compile(vec![*one])
    }
}
