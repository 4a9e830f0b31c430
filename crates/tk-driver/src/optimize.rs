//! `tk opt`: passes on textual IR.

use crate::Watcher;
use crate::watch::Recorder;
use tk_diag::{Diagnostic, Result, SourceFile, USAGE};
use tk_ir::{Context, Module, PrintOptions};
use tk_passes::{PassContext, Step, lookup, run_pipeline};
use tk_target::Target;
use tk_types::CompileOptions;

/// The printed result of [`optimize`].
#[derive(Clone, Debug)]
pub struct Optimized {
    /// IR text.
    pub text: String,
}

/// What [`optimize`] runs.
#[derive(Clone, Copy, Debug)]
pub struct OptimizeRequest<'a> {
    /// The passes by name, separated by commas.
    pub passes: &'a str,
    /// The GPU.
    pub target: &'a Target,
    /// Buffers of a software pipeline.
    pub num_stages: u32,
    /// Print locations.
    pub locations: bool,
}

/// The text that separates modules in one file.
const SEPARATOR: &str = "// -----";

/// Parses each part of `source`, runs the passes, verifies and prints.
///
/// # Errors
/// Unknown pass names, text that cannot be read, and whatever a pass reports.
pub fn optimize(source: &SourceFile, request: &OptimizeRequest<'_>, watcher: &mut dyn Watcher) -> Result<Optimized> {
    let steps = steps(request.passes)?;
    let mut parts = Vec::new();
    for part in source.text().split(SEPARATOR).filter(|part| !part.trim().is_empty()) {
        let offset = part.as_ptr() as usize - source.text().as_ptr() as usize;
        let line = source.line_column(offset as u32).line as usize;
        // Blank lines in front keep the line numbers of diagnostics those of the whole file.
        let text = format!("{}{part}", "\n".repeat(line - 1));
        let part = SourceFile::new(source.name(), text);
        parts.push(optimize_part(&part, &steps, request, watcher)?);
    }
    Ok(Optimized { text: parts.join(&format!("{SEPARATOR}\n")) })
}

fn optimize_part(
    source: &SourceFile,
    steps: &[Step],
    request: &OptimizeRequest<'_>,
    watcher: &mut dyn Watcher,
) -> Result<String> {
    let context = Context::new();
    let module = Module::parse(&context, source)?;
    module.verify()?;
    let options =
        CompileOptions { num_warps: num_warps(&module), num_stages: request.num_stages, ..CompileOptions::default() };
    options.check().map_err(|message| Diagnostic::error(USAGE, message).boxed())?;
    let pass_context = PassContext { target: *request.target, options, source: Some(source.clone()) };
    run_pipeline(&module, steps, &pass_context, &mut Recorder::new(watcher))?;
    Ok(module.print(PrintOptions { locations: request.locations, generic: false }))
}

fn num_warps(module: &Module<'_>) -> u32 {
    module.op().int_attr(tk_ir::attributes::NUM_WARPS).and_then(|n| u32::try_from(n).ok()).unwrap_or(4)
}

fn steps(passes: &str) -> Result<Vec<Step>> {
    passes.split(',').map(str::trim).filter(|name| !name.is_empty()).map(step).collect()
}

fn step(name: &str) -> Result<Step> {
    lookup(name).ok_or_else(|| {
        let help = match tk_diag::nearest(name, pass_names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the passes are: {}", pass_names().join(", ")),
        };
        Diagnostic::error(USAGE, format!("there is no pass `{name}`")).help(help).boxed()
    })
}

/// All passes, each with a line that says what it does: tk's in pipeline order, then MLIR's.
pub fn passes() -> Vec<(&'static str, &'static str)> {
    let ours = tk_passes::pipeline::ALL.iter().map(|pass| pass.name);
    let steps = ours.chain(["cse", "licm", "sccp", "symbol-dce"]).filter_map(lookup);
    steps.map(|step| (step.name(), step.summary())).collect()
}

/// The names of all passes.
fn pass_names() -> Vec<&'static str> {
    passes().into_iter().map(|(name, _)| name).collect()
}
