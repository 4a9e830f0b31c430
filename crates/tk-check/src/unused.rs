//! Options that Triton knows and tk does nothing with, in kernels and their decorators: each is told once in a kernel. What Triton deprecates.

use crate::context::Context;
use tk_diag::{DEPRECATED, Diagnostic, Span, UNUSED_OPTION};
use tk_grammar::ast::{Argument, Expr, ExprKind, FunctionDef};

/// Options of `@triton.jit` that nothing reads.
const JIT_OPTIONS: [&str; 5] = ["version", "repr", "launch_metadata", "debug", "pre_run_hooks"];

impl Context {
    /// Warns of an option that nothing reads.
    pub(crate) fn unused_option(&mut self, name: &str, span: Span) {
        let message = format!("tk does nothing with `{name}` yet");
        if self.warnings.iter().any(|told| told.message == message) {
            return;
        }
        let warning = Diagnostic::warning(UNUSED_OPTION, message).at(&self.file, span, "given here");
        let help = format!("Remove `{name}` where only tk compiles the file; it changes no result.");
        self.warnings.push(warning.help(help));
    }

    /// Warns of what Triton will not accept for ever; once for each place.
    pub(crate) fn deprecated(&mut self, message: &str, span: Span, help: &str) {
        let is_same =
            |told: &Diagnostic| told.message == message && told.labels.first().is_some_and(|one| one.span == span);
        if !self.warnings.iter().any(is_same) {
            self.warnings.push(Diagnostic::warning(DEPRECATED, message).at(&self.file, span, "").help(help));
        }
    }

    /// Warns of what nothing reads in the decorators of a kernel.
    pub(crate) fn unused_jit_options(&mut self, function: &FunctionDef) {
        for decorator in &function.decorators {
            let ExprKind::Call { func, args } = &decorator.kind else { continue };
            if !func.dotted_name().is_some_and(|name| name == "jit" || name.ends_with(".jit")) {
                continue;
            }
            for arg in args {
                if let Argument::Keyword(name, value) = arg
                    && JIT_OPTIONS.contains(&name.text.as_str())
                    && asks(value)
                {
                    self.unused_option(&name.text, name.span);
                }
            }
        }
    }
}

/// Whether a value asks for something.
fn asks(value: &Expr) -> bool {
    !matches!(value.kind, ExprKind::None | ExprKind::Bool(false))
}
