//! The dialects tt, ttg, ttng and tk, as MLIR sees them.
//!
//! `td/` declares operations, types and attributes in ODS; `build.rs` generates C++ from it and compiles that with the thin
//! pieces in `cpp/`: parsing and printing where ODS has no words for Triton's syntax, and C accessors. No decision about
//! kernels is taken in C++. Only tk-ir uses this crate.

pub mod raw;
