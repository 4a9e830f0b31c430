//! Names, types and shapes: syntax tree to checked kernel.
//!
//! [`check`] takes one kernel and what is known of its launch, and gives a [`checked::Kernel`] or the errors of the program.
//! Every user error ends here; what comes out can be lowered without looking back. The crate knows no IR; of the GPU it asks what [`tk_target::Target`] answers.

mod around;
mod attribute;
mod branch;
mod builtin;
mod builtins;
mod call;
mod catalogue;
mod check;
pub mod checked;
mod constant;
mod context;
mod environment;
mod error;
mod expr;
mod flow;
mod globals;
mod interpret;
mod interpreter;
mod jump;
mod libdevice;
mod literals;
mod loops;
mod mangle;
mod modules;
mod names;
mod outline;
mod padding;
pub mod promote;
mod record;
mod report;
mod signature;
mod stmt;
mod syntax;
mod trace;
mod types;
mod unused;
mod value;

pub use catalogue::{Function, Library, Member, Parameter, functions, members_of_tensors, values_of_language};
pub use check::{CheckRequest, Checked, check, check_calls, check_with, trace};
pub use error::CALL_LABELS;
pub use globals::constants_read;
pub use literals::{constant_of, read_constant, read_constants, read_signature};
pub use signature::{Configuration, bind_signature, configurations, constants_around, kernel_named, kernels};
pub use trace::{Place, Role};
pub use types::annotation_type;

/// Names of `tl` functions that compile, sorted: for documentation and completion.
pub fn supported_functions() -> Vec<&'static str> {
    let mut names: Vec<&str> = builtins::language_names().filter(|name| !name.starts_with('_')).collect();
    names.sort_unstable();
    names
}

/// Names of `libdevice` functions that compile, sorted.
pub fn supported_libdevice() -> Vec<&'static str> {
    let mut names: Vec<&str> = builtins::libdevice_names().collect();
    names.sort_unstable();
    names
}
