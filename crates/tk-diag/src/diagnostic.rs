//! One diagnostic: what is wrong, where, why, and what to do.

use crate::{Code, SourceFile, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Compilation goes on.
    Warning,
    /// The user's input cannot be used; exit code 1.
    Error,
    /// tk itself is wrong; exit code 2 and a reproducer.
    Bug,
}

/// A place in a source file with a few words under its caret.
#[derive(Clone, Debug)]
pub struct Label {
    /// The file, when it is known.
    pub file: Option<SourceFile>,
    /// The place.
    pub span: Span,
    /// Words under the caret; may be empty.
    pub text: String,
}

/// One message for a person. The first label is the primary place.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The stable slug, such as `shape-mismatch`.
    pub code: Code,
    /// One sentence without a final full stop, in the user's terms.
    pub message: String,
    /// Places; the first one is where the error is.
    pub labels: Vec<Label>,
    /// Further facts, one sentence each.
    pub notes: Vec<String>,
    /// The one helpful sentence.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without a place yet.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// A warning without a place yet.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// A bug of tk's own: something that can only happen when tk is wrong.
    pub fn bug(message: impl Into<String>) -> Self {
        Self { severity: Severity::Bug, ..Self::error(crate::INTERNAL, message) }
    }

    /// Adds a place in a known file.
    pub fn at(mut self, file: &SourceFile, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { file: Some(file.clone()), span, text: text.into() });
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the helpful sentence.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Boxed, as [`crate::Result`] carries it.
    pub fn boxed(self) -> Box<Self> {
        Box::new(self)
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::render_short(self))
    }
}

impl std::error::Error for Diagnostic {}
