//! The threads that a module is compiled for, and the names of attributes by which passes speak to each other.

use tk_diag::{Diagnostic, Result};
pub use tk_ir::attributes::*;
use tk_ir::{Module, Op};

/// The threads a module is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Warps of a CTA.
    pub num_warps: u32,
    /// Threads of a warp.
    pub threads_per_warp: u32,
}

impl Threads {
    /// Reads the module's attributes; an error where `convert-to-ttg` has not run.
    pub fn of(module: &Module<'_>) -> Result<Self> {
        Ok(Self {
            num_warps: required(module.op(), NUM_WARPS)?,
            threads_per_warp: module.op().int_attr(THREADS_PER_WARP).map_or(32, |value| value.clamp(1, 1024) as u32),
        })
    }

    /// Threads of a CTA.
    pub fn total(self) -> u32 {
        self.num_warps * self.threads_per_warp
    }
}

fn required(module: Op<'_>, name: &str) -> Result<u32> {
    match module.int_attr(name).and_then(|value| u32::try_from(value).ok()) {
        Some(value @ 1..=64) if value.is_power_of_two() => Ok(value),
        Some(value) => {
            Err(Diagnostic::error(tk_diag::BAD_IR, format!("`{name} = {value}` is not a power of two of at most 64"))
                .boxed())
        }
        None => Err(Diagnostic::error(tk_diag::BAD_IR, format!("the module has no `{name}` attribute"))
            .help("this pass works on ttg IR; run `convert-to-ttg` first")
            .boxed()),
    }
}
