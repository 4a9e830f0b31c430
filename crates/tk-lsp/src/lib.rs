//! A language server for kernels: diagnostics as one types, types and shapes, definitions, completion, inlay hints.
//!
//! [`serve`] speaks the Language Server Protocol over a connection; `tk lsp` gives it standard input and output. Files are checked in the
//! background by the same code as `tk check` ([`tk_inspect`]), and requests are answered from the last checked version, whose places
//! move along with the text. Outside of kernels the server says nothing, so it goes beside one for Python.
//!
//! What only a compiler knows, layouts and the width of accesses, comes through an [`Explainer`]; the crate has no compiler itself.

mod analysis;
mod background;
mod completion;
mod cursor;
mod diagnostics;
mod docs;
mod document;
mod explain;
mod hints;
mod hover;
mod requests;
mod resolve;
mod server;
mod shift;
mod stdio;
mod symbols;
mod text;
mod tree;

pub use explain::{Explainer, LineFact, Subject, Unexplained};
/// The protocol's transport, for whoever starts a server.
pub use lsp_server;
pub use server::{End, serve};
pub use stdio::{Threads, connect};
