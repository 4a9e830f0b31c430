//! .tk text to syntax tree.

pub mod ast;
