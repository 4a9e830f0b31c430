//! Source files, spans and diagnostics: what every stage reports to users with.
//!
//! A stage returns [`Diagnostic`] values (plain data); only [`render`] knows what they look like on a terminal.
//! A user's mistake is an [`Severity::Error`]; a mistake of tk's own is an [`Severity::Bug`], built with [`Diagnostic::bug`].

mod allow;
mod codes;
mod diagnostic;
mod render;
mod source;
mod spelling;

pub use allow::is_allowed;
pub use codes::*;
pub use codes::{Code, all as all_codes, find as find_code};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use render::{Style, render, render_short};
pub use source::{LineColumn, SourceFile, SourcePart, Span};
pub use spelling::nearest;

/// What a stage returns: its result, or the one diagnostic that stopped it.
pub type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;
