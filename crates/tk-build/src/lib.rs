//! Kernels compiled ahead of time: what `tk build` does, and what build scripts call.
//!
//! 1. A [`Plan`] says which kernels are compiled, and for what. It comes from a TOML file, or from a block of comments in the file of
//!    the kernels ([`Plan::read`]), or is put together by the caller.
//! 2. [`compile`] compiles it to a [`Bundle`](tk_image::Bundle), on all cores. What was compiled before comes from a cache.
//! 3. [`write`] writes the bundle (`NAME.tkb`), a Rust module (`NAME.rs`), and a C header with its source (`NAME.h`, `NAME.c`).
//!
//! A build script calls [`build_script`], which does all three: `tk_build::build_script(&["kernels.toml"])`. The crate then has
//! `mod kernels { include!(concat!(env!("OUT_DIR"), "/kernels.rs")); }`.

mod compile;
mod declaration;
mod generate;
mod output;
mod plan;
mod script;
mod tuned;

pub use compile::{Built, Settings, compile};
pub use output::write;
pub use plan::{KernelPlan, Plan};
pub use script::build_script;
