//! `tk opt`: passes on textual IR.

use crate::Watcher;
use crate::back_end::read;
use crate::origin::Origin;
use crate::resume::{Fixed, FormRequest, Settled, position, settle};
use crate::watch::{Recorder, Verified};
use tk_diag::{Diagnostic, Result, SourceFile, USAGE};
use tk_ir::{Context, Module, PrintOptions};
use tk_passes::{PassContext, Position, Step, lookup, run_pipeline};
use tk_types::CompileOptions;

/// The printed result of [`optimize`].
#[derive(Clone, Debug)]
pub struct Optimized {
    /// IR text.
    pub text: String,
}

/// Which passes [`optimize`] runs.
#[derive(Clone, Copy, Debug)]
pub enum Steps<'a> {
    /// These, by name, separated by commas.
    Named(&'a str),
    /// Those of the pipeline from one to another, both included: otherwise from where the text stands, and to the end.
    Pipeline {
        /// The first.
        from: Option<&'a str>,
        /// The last.
        to: Option<&'a str>,
    },
}

/// The text that separates modules in one file.
const SEPARATOR: &str = "// -----";

/// Parses each part of the text, runs the passes, verifies and prints, with locations or without.
///
/// # Errors
/// Unknown pass names, text that cannot be read, and whatever a pass reports.
pub fn optimize(
    form: &FormRequest<'_>,
    steps: Steps<'_>,
    locations: bool,
    watcher: &mut dyn Watcher,
) -> Result<Optimized> {
    let source = form.source;
    check_names(steps)?;
    let mut parts = Vec::new();
    for part in source.text().split(SEPARATOR).filter(|part| !part.trim().is_empty()) {
        let offset = part.as_ptr() as usize - source.text().as_ptr() as usize;
        let line = source.line_column(offset as u32).line as usize;
        // Blank lines in front keep the line numbers of diagnostics those of the whole file.
        let text = format!("{}{part}", "\n".repeat(line - 1));
        let part = SourceFile::new(source.name(), text);
        let form = FormRequest { source: &part, ..form.clone() };
        parts.push(optimize_part(&form, steps, locations, watcher)?);
    }
    Ok(Optimized { text: parts.join(&format!("{SEPARATOR}\n")) })
}

fn check_names(steps: Steps<'_>) -> Result<()> {
    match steps {
        Steps::Named(names) => each(names).try_for_each(|name| step(name).map(|_| ())),
        Steps::Pipeline { from, to } => from.into_iter().chain(to).try_for_each(|name| step(name).map(|_| ())),
    }
}

fn optimize_part(
    form: &FormRequest<'_>,
    steps: Steps<'_>,
    locations: bool,
    watcher: &mut dyn Watcher,
) -> Result<String> {
    let context = Context::new();
    let module = read(&context, form.source)?;
    module.verify()?;
    let origin = Origin::of_module(&module)?;
    let recorder = &mut Recorder::new(watcher, Verified::All);
    let source = Some(form.source.clone());
    match steps {
        Steps::Named(names) => {
            let fallback = CompileOptions { num_warps: num_warps(&module), ..form.options.clone() };
            let form = FormRequest { options: fallback, ..form.clone() };
            let Settled { options, target, .. } = settle(&form, origin.as_ref(), None)?;
            let steps = each(names).map(step).collect::<Result<Vec<_>>>()?;
            run_pipeline(&module, &steps, &PassContext { target, options, source }, recorder)?;
            if let Some(origin) = origin.filter(|_| !steps.is_empty()) {
                // The passes need not be those that come next.
                Origin { after: None, ..origin }.stamp(&module);
            }
        }
        Steps::Pipeline { from, to } => {
            let here = position(&module, origin.as_ref())?;
            let (first, last) = places(here, from, to)?;
            let Settled { options, target, signature } =
                settle(form, origin.as_ref(), Fixed::of(&module, form.source, here)?)?;
            let name = Some(target.to_string());
            recorder
                .begin(Origin { after: None, target: name, signature, options: options.clone(), image: None }, first);
            run_pipeline(&module, &first.steps_to(last), &PassContext { target, options, source }, recorder)?;
            recorder.stamp(&module);
        }
    }
    Ok(module.print(PrintOptions { locations, ..PrintOptions::default() }))
}

/// The places before the first pass and after the last one. Of several passes of one name the first is meant that text at this place has
/// before it.
fn places(here: Position, from: Option<&str>, to: Option<&str>) -> Result<(Position, Position)> {
    let wrong = |what: String, help: &str| Diagnostic::error(USAGE, what).help(help).boxed();
    let alone = |name: &str| wrong(format!("the pipeline has no pass `{name}`"), "--passes runs it");
    let first = match from {
        None => here,
        Some(name) => here.behind(name).or_else(|| Position::START.behind(name)).ok_or_else(|| alone(name))?.previous(),
    };
    let last = match to {
        None => Position::END,
        Some(name) => first.behind(name).ok_or_else(|| match (Position::START.behind(name), from) {
            (None, _) => alone(name),
            (Some(_), Some(from)) => {
                let what = format!("`{name}` of --to runs before `{from}` of --from, and not behind it");
                wrong(what, "`tk opt --help` lists the passes in their order; --passes runs them in any")
            }
            (Some(_), None) => {
                let what = format!("`{name}` has run already: the text comes from after `{}`", first.step());
                wrong(what, "--from runs a part again, --passes any passes")
            }
        })?,
    };
    Ok((first, last))
}

fn num_warps(module: &Module<'_>) -> u32 {
    module.op().int_attr(tk_ir::attributes::NUM_WARPS).and_then(|n| u32::try_from(n).ok()).unwrap_or(4)
}

fn each(names: &str) -> impl Iterator<Item = &str> {
    names.split(',').map(str::trim).filter(|name| !name.is_empty())
}

fn step(name: &str) -> Result<Step> {
    lookup(name).ok_or_else(|| unknown("pass", name, &pass_names()))
}

/// The name in dumps and for `--print-after` of what somebody calls a pass or another step of a compilation.
///
/// # Errors
/// There is none; the error says which is spelled most like it.
pub fn find_step(name: &str) -> Result<&'static str> {
    let others = || OTHER_STEPS.iter().copied().find(|other| *other == name);
    let all = || [OTHER_STEPS, &pass_names()].concat();
    lookup(name).map(|step| step.name()).or_else(others).ok_or_else(|| unknown("step", name, &all()))
}

/// What a compilation shows besides passes.
const OTHER_STEPS: &[&str] = &["check", "guard", "lower", "emit-llvm", "llvm", "ptx"];

fn unknown(what: &str, name: &str, known: &[&'static str]) -> Box<Diagnostic> {
    let help = match tk_diag::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", known.join(", ")),
    };
    Diagnostic::error(USAGE, format!("there is no {what} `{name}`")).help(help).boxed()
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
