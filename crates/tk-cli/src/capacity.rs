//! What `tk check` says of shared memory: launches of a file whose kernel needs more than the GPU has.
//!
//! How much a kernel needs is known when it is compiled, which is not done for every kernel of a file: only products of large
//! blocks, in launches that say everything, are.

use crate::compile_command;
use tk::Bounds;
use tk_diag::{Diagnostic, Severity, TOO_MUCH_SHARED_MEMORY};
use tk_driver::{Unit, Until, Unwatched, compile, count_dots};
use tk_grammar::ast::{ExprKind, Module};
use tk_inspect::{Launch, Origin};
use tk_types::{CompileOptions, ConstValue};

/// Launches of one file that are compiled.
const MOST: usize = 4;
/// Elements of a block from which on it is worth a look: those of smaller ones fit whatever is done with them.
const LARGE: i128 = 1 << 14;

/// A warning for each launch that the file says and that needs too much.
pub(crate) fn too_much(module: &Module, launches: &[Launch]) -> Vec<Diagnostic> {
    let Ok(target) = compile_command::target(None) else { return Vec::new() };
    let said = launches.iter().filter(|launch| launch.origin == Origin::Said && launch.checks && is_large(launch));
    let mut found = Vec::new();
    for launch in said.filter(|launch| !is_tuned(module, launch)).take(MOST) {
        let unit = Unit {
            module,
            kernel: &launch.kernel,
            args: &launch.args,
            globals: &[],
            options: CompileOptions::default(),
            target,
            bounds: Bounds::any(),
        };
        if count_dots(&unit).unwrap_or(0) == 0 {
            continue;
        }
        let errors = compile(&unit, Until::Ttg, &mut Unwatched).err().unwrap_or_default();
        let told = errors.into_iter().filter(|error| error.code == TOO_MUCH_SHARED_MEMORY);
        found.extend(told.map(|error| Diagnostic {
            severity: Severity::Warning,
            ..error.note(format!("compiled for {target} as {}", launch.described()))
        }));
    }
    found
}

/// Whether a decorator tunes the kernel: it leaves out what does not fit.
fn is_tuned(module: &Module, launch: &Launch) -> bool {
    let function = module.function(&launch.kernel);
    function.is_none_or(|function| {
        function.decorators.iter().any(|decorator| {
            let callee = match &decorator.kind {
                ExprKind::Call { func, .. } => func,
                _ => decorator,
            };
            callee.dotted_name().is_none_or(|name| name.contains("tune"))
        })
    })
}

/// Whether a block of the largest size of the launch in both dimensions is large.
fn is_large(launch: &Launch) -> bool {
    launch.args.iter().any(|arg| match arg.constant() {
        Some(ConstValue::Int(size)) => size.saturating_mul(*size) >= LARGE,
        _ => false,
    })
}
