//! What the tests of this folder ask of the checker: the kernel `k` of a module, with the usual options and target.

use tk_check::{CheckRequest, Checked, check};
use tk_diag::Diagnostic;
use tk_grammar::ast::Module;
use tk_target::Target;
use tk_types::{Argument, CompileOptions};

/// Checks the kernel `k` with these arguments.
pub(crate) fn check_k(module: &Module, args: &[Argument]) -> Result<Checked, Vec<Diagnostic>> {
    check_kernel(module, "k", args)
}

/// Checks a kernel with these arguments.
pub(crate) fn check_kernel(module: &Module, kernel: &str, args: &[Argument]) -> Result<Checked, Vec<Diagnostic>> {
    check(&CheckRequest { module, kernel, args, options: CompileOptions::default(), target: Target::default() })
}
