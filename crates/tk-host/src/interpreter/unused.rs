//! Options of launches, configurations and decorators that Triton knows and tk does nothing with: the first use of each is told.

use super::{Args, Interpreter};
use crate::value::Value;
use std::rc::Rc;
use tk_diag::{Diagnostic, Span, UNUSED_OPTION};

/// Options of a launch, or of a configuration among the parameters, that nothing reads.
pub(super) const LAUNCH_OPTIONS: &[&str] = &[
    "grid",
    "warmup",
    "stream",
    "launch_cooperative_grid",
    "launch_pdl",
    "waves_per_eu",
    "matrix_instr_nonkdim",
    "kpack",
    "allow_flush_denorm",
    "num_consumer_groups",
    "num_buffers_warp_spec",
    "sanitize_overflow",
    "instrumentation_mode",
    "max_num_imprecise_acc_default",
    "arch",
    "noinline",
    "loop_scheduling",
];

/// Options of `triton.Config` that nothing reads.
const CONFIG_OPTIONS: &[&str] = &[
    "ir_override",
    "num_buffers_warp_spec",
    "num_consumer_groups",
    "reg_dec_producer",
    "reg_inc_consumer",
    "minRegAutoWS",
    "maxRegAutoWS",
];

/// Options of `triton.autotune` that choose how Triton measures and stores; the launcher has one way of its own.
const AUTOTUNE_OPTIONS: &[&str] = &["do_bench", "cache_results"];

/// What was told of options, and what is still to tell.
#[derive(Default)]
pub(crate) struct UnusedOptions {
    told: Vec<Rc<str>>,
    warnings: Vec<Diagnostic>,
}

impl UnusedOptions {
    /// The warnings since the last call.
    pub(crate) fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }
}

impl<'a> Interpreter<'a, '_> {
    /// Takes what nothing reads out of the arguments of `triton.Config`.
    pub(super) fn used_of_config(&mut self, args: Args<'a>) -> Args<'a> {
        self.used(args, CONFIG_OPTIONS)
    }

    /// Takes what nothing reads out of the arguments of `triton.autotune`.
    pub(super) fn used_of_autotune(&mut self, args: Args<'a>) -> Args<'a> {
        self.used(args, AUTOTUNE_OPTIONS)
    }

    fn used(&mut self, mut args: Args<'a>, options: &[&str]) -> Args<'a> {
        let (unused, named) = args.named.into_iter().partition(|(name, _)| options.contains(&&**name));
        args.named = named;
        let unused: Vec<(Rc<str>, Value<'a>)> = unused;
        unused.iter().for_each(|(name, value)| self.unused_option(name, value, args.span));
        args
    }

    /// Warns of an option that nothing reads, the first time that it asks for something.
    pub(super) fn unused_option(&mut self, name: &Rc<str>, value: &Value<'a>, span: Span) {
        let asks = value.truth().unwrap_or(true);
        if !asks || self.unused.told.contains(name) {
            return;
        }
        self.unused.told.push(name.clone());
        let warning = Diagnostic::warning(UNUSED_OPTION, format!("tk does nothing with `{name}` yet"))
            .at(&self.module.file, span, "given here")
            .help(format!("Remove `{name}` where only tk runs the file; it changes no result."));
        self.unused.warnings.push(warning);
    }
}
