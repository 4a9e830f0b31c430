//! What functions of the language need, and nothing of the interpreter: the builder of operations, the options and the target,
//! places and errors.
//!
//! Everything that works on meanings of values alone is a method of [`Context`], in the files of this folder: promotion, casts,
//! broadcasting, operators, indices. What runs statements or calls functions of the program is the interpreter's, which owns a
//! context: see [`crate::check`].

mod broadcast;
mod cast;
mod extremum;
mod index;
mod meaning;
mod number;
mod operators;
mod portable;
mod shape;
mod text;

pub(crate) use cast::Rounding;
pub(crate) use extremum::{Extremum, NanRule};
pub(crate) use number::int_range;
pub(crate) use shape::TAKE_THE_NEXT;
pub(crate) use text::find as string_method;

use crate::checked::{Builder, LoopHints, Param};
use crate::error::Stop;
use tk_diag::{Code, Diagnostic, SourceFile, Span};
use tk_target::Target;
use tk_types::CompileOptions;

/// See the [module](self).
pub(crate) struct Context {
    pub(crate) builder: Builder,
    /// The text that places are in.
    pub(crate) file: SourceFile,
    pub(crate) options: CompileOptions,
    pub(crate) target: Target,
    /// The run-time parameters of the kernel so far.
    pub(crate) params: Vec<Param>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// What `tl.static_print` printed.
    pub(crate) printed: Vec<String>,
    /// What `tl.condition` says of the `while` whose test it is.
    pub(crate) while_hints: LoopHints,
    /// The shape of a tensor whose elements a function is mapped over: see [`crate::builtins::map`].
    pub(crate) mapped: Option<Vec<u32>>,
}

impl Context {
    pub(crate) fn new(file: SourceFile, options: CompileOptions, target: Target) -> Self {
        Self {
            builder: Builder::default(),
            file,
            options,
            target,
            params: Vec::new(),
            warnings: Vec::new(),
            printed: Vec::new(),
            while_hints: LoopHints::default(),
            mapped: None,
        }
    }

    /// A new error at a place, with words for its caret.
    pub(crate) fn error(
        &self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        under: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::error(code, message).at(&self.file, span, under)
    }

    /// The error for Python that kernels do not have.
    pub(crate) fn unsupported(&self, span: Span, what: &str, help: &str) -> Stop {
        let message = format!("{what} is not part of the kernel language");
        self.error(tk_diag::UNSUPPORTED, span, message, "").help(help).into()
    }
}
