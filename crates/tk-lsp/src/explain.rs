//! What only the compiler knows of a kernel: layouts, and how wide its accesses are. Whoever starts the server brings a compiler along;
//! this crate has none, so it builds and tests without LLVM.

use tk_grammar::ast::Module;
use tk_inspect::Launch;

/// Something that can compile a kernel and tell what became of its variables and accesses.
pub trait Explainer: Send + Sync {
    /// What became of the lines of one kernel. Slow: it is asked in the background, after a pause.
    ///
    /// # Errors
    /// A sentence that says why there is nothing to tell.
    fn explain(&self, module: &Module, launch: &Launch) -> Result<Vec<LineFact>, String>;
}

/// What became of something in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFact {
    /// The line in the file, from 1.
    pub line: u32,
    /// What of the line it is about.
    pub subject: Subject,
    /// A sentence or two of Markdown.
    pub text: String,
}

/// What a fact of a line is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The variable of this name that the line binds.
    Variable(String),
    /// The call that begins at this column, in characters from 1.
    Call(u32),
}

/// What the compiler says of one kernel.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    /// Which launch of the analysis it was compiled for.
    pub(crate) launch: usize,
    /// The lines, or why there are none.
    pub(crate) lines: Result<Vec<LineFact>, String>,
}

/// No compiler: nothing is told of layouts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unexplained;

impl Explainer for Unexplained {
    fn explain(&self, _: &Module, _: &Launch) -> Result<Vec<LineFact>, String> {
        Ok(Vec::new())
    }
}
