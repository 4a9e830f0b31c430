//! Names, types and shapes: syntax tree to checked kernel.

pub mod checked;
