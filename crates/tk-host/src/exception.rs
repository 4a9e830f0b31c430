//! What a host function raises, and the diagnostic that it becomes when nothing catches it.

use crate::tensor::show_shape;
use crate::unwritten::UnwrittenRead;
use tk_diag::{ASSERTION_FAILED, Code, Diagnostic, HOST_ERROR, SourceFile, Span};

/// Calls named in the notes of an error, at most.
const MAX_TRACE: usize = 8;

/// An exception on its way up.
#[derive(Clone, Debug)]
pub(crate) struct Exception {
    /// The class, such as `ValueError`.
    pub(crate) class: String,
    pub(crate) message: String,
    pub(crate) code: Code,
    /// The innermost expression that raised it.
    pub(crate) span: Option<Span>,
    pub(crate) label: String,
    pub(crate) notes: Vec<String>,
    pub(crate) help: Option<String>,
    /// What a launch failed with; it has places of its own.
    pub(crate) diagnostic: Option<Box<Diagnostic>>,
    /// The calls that led here, innermost first: the function called and where.
    pub(crate) trace: Vec<(String, Span)>,
    /// Limits and bugs pass every `except`.
    pub(crate) catchable: bool,
}

/// What the interpreter returns: a value or an exception.
pub(crate) type Result<T> = std::result::Result<T, Box<Exception>>;

impl Exception {
    pub(crate) fn new(class: &str, code: Code, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            class: class.to_string(),
            message: message.into(),
            code,
            span: None,
            label: String::new(),
            notes: Vec::new(),
            help: None,
            diagnostic: None,
            trace: Vec::new(),
            catchable: true,
        })
    }

    pub(crate) fn value(message: impl Into<String>) -> Box<Self> {
        Self::new("ValueError", HOST_ERROR, message)
    }

    pub(crate) fn ty(message: impl Into<String>) -> Box<Self> {
        Self::new("TypeError", tk_diag::TYPE_MISMATCH, message)
    }

    pub(crate) fn shape(message: impl Into<String>) -> Box<Self> {
        Self::new("RuntimeError", tk_diag::SHAPE_MISMATCH, message)
    }

    pub(crate) fn argument(message: impl Into<String>) -> Box<Self> {
        Self::new("TypeError", tk_diag::BAD_ARGUMENT, message)
    }

    pub(crate) fn index(message: impl Into<String>) -> Box<Self> {
        Self::new("IndexError", HOST_ERROR, message)
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Box<Self> {
        Self::new("NotImplementedError", tk_diag::UNSUPPORTED, message)
    }

    pub(crate) fn assertion(message: impl Into<String>) -> Box<Self> {
        Self::new("AssertionError", ASSERTION_FAILED, message)
    }

    pub(crate) fn launch(message: impl Into<String>) -> Box<Self> {
        Self::new("ValueError", tk_diag::BAD_LAUNCH, message)
    }

    pub(crate) fn overflow(message: impl Into<String>) -> Box<Self> {
        Self::new("OverflowError", tk_diag::TOO_LARGE, message)
    }

    pub(crate) fn limit(message: impl Into<String>) -> Box<Self> {
        let mut exception = Self::new("RecursionError", tk_diag::RUN_LIMIT, message);
        exception.catchable = false;
        exception
    }

    /// Host code reads an element that nothing has written.
    pub(crate) fn unwritten(read: &UnwrittenRead) -> Box<Self> {
        let (element, shape) = (show_shape(&read.element), show_shape(&read.shape));
        let message = match read.shape.is_empty() {
            true => "an element that nothing has written is read".to_string(),
            false => format!("element {element} of a tensor of shape {shape} is read, and nothing has written it"),
        };
        let exception = Self::new("RuntimeError", tk_diag::UNINITIALISED, message);
        exception.help("`torch.empty` gives memory that a kernel has to fill: does the grid reach this element, and no mask leave it out?")
    }

    /// A failed launch.
    pub(crate) fn from_diagnostic(diagnostic: Box<Diagnostic>) -> Box<Self> {
        let mut exception = Self::new("RuntimeError", diagnostic.code, diagnostic.message.clone());
        exception.catchable = diagnostic.severity != tk_diag::Severity::Bug;
        exception.diagnostic = Some(diagnostic);
        exception
    }

    /// Adds a help sentence.
    pub(crate) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    /// Adds a note.
    pub(crate) fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<Self> {
        self.notes.push(note.into());
        self
    }

    /// Says where it was raised, unless something deeper inside has said so.
    pub(crate) fn at(mut self: Box<Self>, span: Span) -> Box<Self> {
        self.span.get_or_insert(span);
        self
    }

    /// The diagnostic for the person who runs the file.
    pub(crate) fn into_diagnostic(self, file: &SourceFile) -> Box<Diagnostic> {
        let mut diagnostic = match self.diagnostic {
            Some(diagnostic) => {
                let mut diagnostic = *diagnostic;
                let launch = self.span.filter(|_| diagnostic.labels.iter().all(|label| Some(label.span) != self.span));
                if let Some(span) = launch {
                    let label = if self.label.is_empty() { "launched here".to_string() } else { self.label };
                    diagnostic = diagnostic.at(file, span, label);
                }
                diagnostic
            }
            None => {
                let internal = self.code != HOST_ERROR || self.class == "AssertionError";
                let message = match internal || self.message.starts_with(&self.class) {
                    true => self.message,
                    false if self.message.is_empty() => self.class,
                    false => format!("{}: {}", self.class, self.message),
                };
                let diagnostic = Diagnostic::error(self.code, message);
                match self.span {
                    Some(span) => diagnostic.at(file, span, self.label),
                    None => diagnostic,
                }
            }
        };
        diagnostic.notes.extend(self.notes);
        for (function, span) in self.trace.iter().take(MAX_TRACE) {
            diagnostic.notes.push(format!("in `{function}`, called at {}", file.place(span.start)));
        }
        if self.trace.len() > MAX_TRACE {
            diagnostic.notes.push(format!("and {} calls further out", self.trace.len() - MAX_TRACE));
        }
        diagnostic.help = diagnostic.help.or(self.help);
        diagnostic.boxed()
    }
}
