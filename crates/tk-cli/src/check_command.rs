//! `tk check FILE…`: everything that is wrong with the kernels of files, and what may go wrong, without signatures.
//!
//! A kernel in a file has no types. Launches are guessed from how its body uses the parameters ([`tk::guess`]), a few of them,
//! until one checks; where none does, the guess with the fewest errors is told, since it is the one nearest to what is meant.

use crate::arguments::CheckArgs;
use crate::failure::Failure;
use crate::show::diagnostic_json;
use crate::{Output, files, safety};
use std::path::Path;
use tk::{Bounds, Unit};
use tk_diag::{Diagnostic, Severity, render};
use tk_grammar::ast::Module;
use tk_types::{ArgSpec, CompileOptions, ConstValue};

/// Guesses tried for one kernel.
const ATTEMPTS: u64 = 24;

/// What was found in one file.
#[derive(Default)]
struct Findings {
    kernels: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Findings {
    /// Adds what one kernel has; two kernels that call one function find its faults twice.
    fn add(&mut self, diagnostics: Vec<Diagnostic>) {
        for diagnostic in diagnostics {
            let place = |one: &Diagnostic| one.labels.first().map(|label| label.span);
            let known = |other: &Diagnostic| other.code == diagnostic.code && place(other) == place(&diagnostic);
            if !self.diagnostics.iter().any(known) {
                self.diagnostics.push(diagnostic);
            }
        }
    }

    fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }
}

pub(crate) fn check(args: &CheckArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    safety::check_codes(&args.allow)?;
    let bounds = safety::bounds(&args.bound, Bounds::assumed())?;
    let (mut errors, mut warnings, mut bugs) = (0, 0, Vec::new());
    for file in &args.files {
        let mut findings = in_file(file, args, &bounds);
        let heard: Vec<Diagnostic> = safety::heard(&findings.diagnostics, &args.allow).cloned().collect();
        findings.diagnostics = heard;
        for diagnostic in &findings.diagnostics {
            if args.json {
                writeln!(output.out, "{}", diagnostic_json(diagnostic))?;
            } else {
                write!(output.err, "{}", render(diagnostic, output.style))?;
            }
        }
        bugs.extend(findings.diagnostics.iter().filter(|one| one.severity == Severity::Bug).cloned());
        let (wrong, doubtful) = (findings.count(Severity::Error), findings.count(Severity::Warning));
        if !args.json {
            let verdict = match (wrong, doubtful) {
                (0, 0) => "nothing to report".to_string(),
                _ => format!("{}, {}", counted(wrong, "error"), counted(doubtful, "warning")),
            };
            writeln!(output.out, "{}: {}, {verdict}", file.display(), counted(findings.kernels, "kernel"))?;
        }
        errors += wrong;
        warnings += doubtful;
    }
    match (bugs.is_empty(), errors) {
        (false, _) => Err(Failure(bugs)),
        (_, 0) if warnings == 0 || !args.deny_warnings => Ok(()),
        // Everything has been said.
        _ => Err(Failure(Vec::new())),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn in_file(path: &Path, args: &CheckArgs, bounds: &Bounds) -> Findings {
    let mut findings = Findings::default();
    let module = match files::parse(path, &args.imports, tk::Roots::Kernels) {
        Ok(module) => module,
        Err(failure) => {
            findings.add(failure.0);
            return findings;
        }
    };
    let found = match &args.kernel {
        Some(wanted) => tk::kernels(&module).into_iter().filter(|function| function.name.text == *wanted).collect(),
        None => tk::guess::kernels(&module),
    };
    let names: Vec<&str> = found.into_iter().map(|function| function.name.text.as_str()).collect();
    if let (Some(wanted), true) = (&args.kernel, names.is_empty()) {
        let message = format!("{} has no kernel `{wanted}`", path.display());
        let known: Vec<&str> = tk::kernels(&module).iter().map(|function| function.name.text.as_str()).collect();
        let error = Diagnostic::error(tk_diag::UNKNOWN_NAME, message);
        findings.add(vec![match known.is_empty() {
            true => error.help("It has no function with `@triton.jit`."),
            false => error.help(format!("Its jit functions are: {}.", known.join(", "))),
        }]);
    }
    for name in names {
        findings.kernels += 1;
        findings.add(one_kernel(&module, name, bounds));
    }
    findings.diagnostics.sort_by_key(|one| one.labels.first().map(|label| label.span));
    findings
}

/// What a guess finds, and the signature that was guessed.
type Attempt = (Vec<Diagnostic>, Vec<(String, ArgSpec)>);

/// What the best guess finds.
fn one_kernel(module: &Module, name: &str, bounds: &Bounds) -> Vec<Diagnostic> {
    let mut best: Option<Attempt> = None;
    for attempt in 0..ATTEMPTS {
        let Some(args) = guessed(module, name, attempt) else { continue };
        let Ok(target) = tk_target::Target::parse("sm_90a") else { break };
        let unit = Unit {
            module,
            kernel: name,
            args: &args,
            globals: &[],
            options: CompileOptions::default(),
            target,
            bounds: bounds.clone(),
        };
        match tk::inspect(&unit) {
            Ok(warnings) => return warnings,
            Err(errors) if best.as_ref().is_none_or(|(fewest, _)| errors.len() < fewest.len()) => {
                best = Some((errors, args));
            }
            Err(_) => {}
        }
    }
    let Some((mut errors, args)) = best else { return unguessable(module, name) };
    if let Some(last) = errors.last_mut() {
        last.notes.push(format!("checked as {name}({})", described(&args)));
    }
    errors
}

/// The errors of binding the first guess, where no guess could be bound.
fn unguessable(module: &Module, name: &str) -> Vec<Diagnostic> {
    let Some(function) = module.function(name) else { return Vec::new() };
    let (specs, constexprs) = tk::guess::launch(module, function, 0);
    tk::bind_signature(module, name, Some(&specs), &constexprs).err().unwrap_or_default()
}

fn guessed(module: &Module, name: &str, attempt: u64) -> Option<Vec<(String, ArgSpec)>> {
    let function = module.function(name)?;
    let (specs, constexprs) = tk::guess::launch(module, function, attempt);
    // With blocks of one element, many mistakes about shapes are none.
    let is_trivial =
        |(name, value): &(String, ConstValue)| name.to_uppercase().contains("BLOCK") && *value == ConstValue::Int(1);
    if constexprs.iter().any(is_trivial) {
        return None;
    }
    tk::bind_signature(module, name, Some(&specs), &constexprs).ok()
}

fn described(args: &[(String, ArgSpec)]) -> String {
    let one = |(name, spec): &(String, ArgSpec)| match spec.to_string() {
        constant if constant.starts_with('=') => format!("{name}{constant}"),
        ty => format!("{name}: {ty}"),
    };
    args.iter().map(one).collect::<Vec<_>>().join(", ")
}
