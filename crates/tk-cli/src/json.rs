//! `--json`: one document on standard output, and everything else beside it.
//!
//! A command that has a document writes it itself. One that fails before it has come to that leaves its errors, so that whoever reads
//! standard output always finds JSON there.

use crate::arguments::{CacheAction, Command};
use crate::failure::Failure;
use crate::show::diagnostic_json;
use std::io::Write;

impl Command {
    /// Whether standard output is for one JSON document.
    pub fn has_json(&self) -> bool {
        match self {
            Self::Run(args) => args.show.json,
            Self::Test(args) => args.show.json,
            // Requests are answered line by line.
            Self::Bench(args) => args.files.show.json && !args.requests,
            Self::Tune(args) => args.json,
            Self::Check(args) => args.json,
            Self::Compile(args) => args.show.json,
            Self::Build(args) => args.json,
            Self::Cache(args) => match &args.action {
                CacheAction::List(args) | CacheAction::Clear(args) | CacheAction::Verify(args) => args.json,
            },
            Self::Explain(args) => args.json,
            Self::Opt(args) => args.show.json,
            Self::Layout(args) => args.json,
            Self::Sim(args) => args.json,
            // Standard output is the connection to the editor.
            Self::Lsp(_) => false,
            Self::Doctor(args) => args.json,
            Self::ExplainError(args) => args.json,
        }
    }
}

/// Standard output, and whether anything was written to it.
pub(crate) struct Document<'w> {
    out: &'w mut (dyn Write + Send),
    pub(crate) is_begun: bool,
}

impl<'w> Document<'w> {
    pub(crate) fn new(out: &'w mut (dyn Write + Send)) -> Self {
        Self { out, is_begun: false }
    }
}

impl Write for Document<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.is_begun |= !bytes.is_empty();
        self.out.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// The document of a command that has failed: `{"errors": […]}`.
pub(crate) fn of_failure(failure: &Failure) -> serde_json::Value {
    serde_json::json!({ "errors": failure.0.iter().map(diagnostic_json).collect::<Vec<_>>() })
}
