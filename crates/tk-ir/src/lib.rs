//! The only crate that names melior.
