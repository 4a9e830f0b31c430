//! PTX as a value.
