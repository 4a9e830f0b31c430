//! .tk text to syntax tree.
