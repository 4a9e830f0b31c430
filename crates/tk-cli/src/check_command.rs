//! `tk check FILE…`: errors and warnings in the kernels of files, without signatures.
//!
//! A kernel in a file has no types. What the file launches it with is checked; where it launches nothing, launches are guessed from
//! how the body uses the parameters ([`tk_guess`]), a few of them, until one checks. Where none does, the guess with the fewest
//! errors is told, since it is the one nearest to what is meant, without those that another guess shows to be the guess's own.
//! Before that, guesses near the best one are tried ([`Neighbours`]). What only constants that were guessed make false is not told at
//! all, and what comes from a file that is not there is a warning.

use crate::arguments::CheckArgs;
use crate::check_near::Neighbours;
use crate::failure::Failure;
use crate::show::diagnostic_json;
use crate::{Output, files, safety};
use std::path::Path;
use tk::{Bounds, CALL_LABELS, Unit};
use tk_diag::{Diagnostic, Severity, render};
use tk_grammar::ast::{FunctionDef, Module};
use tk_guess::{DISTINCT, Given, Guesses};
use tk_types::{ArgType, Argument, CompileOptions, ConstValue};

/// Guesses tried for one kernel.
const ATTEMPTS: u64 = 24;
/// Guesses near the best one that are tried for one kernel, in all rounds.
const NEAR: usize = 240;
/// Parameters that change one after the other.
const ROUNDS: usize = 5;

/// What was found in one file.
#[derive(Default)]
struct Findings {
    kernels: usize,
    /// Jit functions that nothing in the file launches or calls.
    functions: usize,
    /// Kernels that no guess fits.
    unknown: Vec<String>,
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
            let unknown = match findings.unknown.join(", ") {
                names if names.is_empty() => names,
                names => format!("; not checked, since its arguments cannot be guessed: {names}"),
            };
            let kernels = counted(findings.kernels, "kernel");
            let functions = match findings.functions {
                0 => String::new(),
                count => format!(", {} that nothing here calls", counted(count, "function")),
            };
            writeln!(output.out, "{}: {kernels}{functions}, {verdict}{unknown}", file.display())?;
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
    let found: Vec<&FunctionDef> = match &args.kernel {
        Some(wanted) => tk::kernels(&module).into_iter().filter(|function| function.name.text == *wanted).collect(),
        None => tk_guess::kernels(&module),
    };
    if let (Some(wanted), true) = (&args.kernel, found.is_empty()) {
        let message = format!("{} has no kernel `{wanted}`", path.display());
        let known: Vec<&str> = tk::kernels(&module).iter().map(|function| function.name.text.as_str()).collect();
        let error = Diagnostic::error(tk_diag::UNKNOWN_NAME, message);
        findings.add(vec![match known.is_empty() {
            true => error.help("It has no function with `@triton.jit`."),
            false => error.help(format!("Its jit functions are: {}.", known.join(", "))),
        }]);
    }
    let guesses = Guesses::of(&module);
    for function in found {
        findings.kernels += 1;
        match one_kernel(&module, &guesses, function, bounds) {
            Verdict::Checked(diagnostics) => findings.add(diagnostics),
            Verdict::Unknown(missing) => {
                findings.unknown.push(function.name.text.clone());
                findings.add(missing);
            }
        }
    }
    if args.kernel.is_none() {
        for function in tk_guess::functions(&module) {
            findings.functions += 1;
            findings.add(Guessed { module: &module, guesses: &guesses, function, bounds }.names());
        }
    }
    findings.diagnostics.sort_by_key(|one| one.labels.first().map(|label| label.span));
    findings
}

/// What a guess finds, and what was guessed.
struct Attempt<'g> {
    errors: Vec<Diagnostic>,
    args: Vec<Argument>,
    given: Option<&'g Given>,
}

/// How far a guess gets: the place of its first error, then how few there are.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Progress {
    first: Option<Vec<u32>>,
    errors: std::cmp::Reverse<usize>,
}

impl Attempt<'_> {
    fn progress(&self) -> Progress {
        Progress { first: self.errors.iter().map(path).min(), errors: std::cmp::Reverse(self.errors.len()) }
    }
}

/// What one kernel has.
enum Verdict {
    /// What there is to say of it.
    Checked(Vec<Diagnostic>),
    /// No guess fits it, and nothing is wrong with it under every guess. With warnings of imports that are not there.
    Unknown(Vec<Diagnostic>),
}

/// What is found in a kernel: it has to be right in every launch that the file says, or else in one that can be guessed.
fn one_kernel(module: &Module, guesses: &Guesses<'_>, function: &FunctionDef, bounds: &Bounds) -> Verdict {
    let kernel = Guessed { module, guesses, function, bounds };
    let complete = guesses.complete(function);
    let mut found = Vec::new();
    if complete.is_empty() {
        let partial = guesses.partial(function).into_iter().map(Some);
        match kernel.verdict(&partial.chain([None]).collect::<Vec<_>>()) {
            Verdict::Checked(diagnostics) => found = diagnostics,
            Verdict::Unknown(missing) => return Verdict::Unknown(missing),
        }
    }
    for given in complete {
        match kernel.verdict(&[Some(given)]) {
            Verdict::Checked(diagnostics) => found.extend(diagnostics),
            Verdict::Unknown(missing) => return Verdict::Unknown(missing),
        }
    }
    if found.iter().all(|one| one.severity == Severity::Warning) {
        found.extend(kernel.by_chance());
    }
    Verdict::Checked(found)
}

/// A kernel and where its arguments come from.
struct Guessed<'g> {
    module: &'g Module,
    guesses: &'g Guesses<'g>,
    function: &'g FunctionDef,
    bounds: &'g Bounds,
}

impl Guessed<'_> {
    /// What the best guess finds under one of these launches.
    fn verdict<'a>(&'a self, given: &[Option<&'a Given>]) -> Verdict {
        let mut attempts: Vec<Attempt<'a>> = Vec::new();
        for (given, attempt) in (0..ATTEMPTS).flat_map(|attempt| given.iter().map(move |given| (*given, attempt))) {
            let Ok(args) = self.guesses.arguments(self.function, given, attempt) else { continue };
            if is_trivial(&args, given) || attempts.iter().any(|other| other.args == args) {
                continue;
            }
            match self.inspect(&args) {
                Ok(warnings) => return Verdict::Checked(warnings),
                Err(errors) => attempts.push(Attempt { errors, args, given }),
            }
        }
        if attempts.is_empty() {
            let unbound = self.guesses.arguments(self.function, None, 0);
            return Verdict::Checked(unbound.err().unwrap_or_default());
        }
        attempts.sort_by_key(|attempt| attempt.errors.len());
        // What is near a guess is less likely than the guess: it takes errors away and adds none.
        let likely = attempts.len();
        if let Some(warnings) = self.near(&mut attempts) {
            return Verdict::Checked(warnings);
        }
        let complete = self.guesses.complete(self.function);
        let is_said = given.iter().all(|given| given.is_some_and(|given| complete.contains(&given)));
        let certain = |error: &&Diagnostic| {
            (is_said || !self.hangs_on_constants(error))
                && error.code != tk_diag::UNKNOWN_IMPORT
                && attempts.iter().take(likely).all(|other| !is_refuted(error, &other.errors))
                && attempts.iter().skip(likely).all(|other| !is_cured(self.module, error, &other.errors))
        };
        let told = attempts
            .iter()
            .take(likely)
            .map(|one| (one, one.errors.iter().filter(certain).cloned().collect::<Vec<_>>()));
        let missing = missing_imports(&attempts[..likely]);
        let Some((best, mut errors)) = told.into_iter().find(|(_, errors)| !errors.is_empty()) else {
            return Verdict::Unknown(missing);
        };
        if let Some(last) = errors.last_mut() {
            last.notes.push(format!("checked as {}({})", self.function.name.text, described(&best.args)));
        }
        errors.extend(missing);
        Verdict::Checked(errors)
    }

    /// Follows the best guess: changes one parameter that no launch says, keeps what gets furthest, and so on. The warnings of a guess
    /// that checks; what does not is added to the attempts, where it can show an error to be the guess's own.
    fn near<'a>(&'a self, attempts: &mut Vec<Attempt<'a>>) -> Option<Vec<Diagnostic>> {
        let best = attempts.first()?;
        let (mut args, mut progress, given) = (best.args.clone(), best.progress(), best.given);
        let mut left = NEAR;
        for _ in 0..ROUNDS {
            let mut furthest = None;
            for near in Neighbours::of(self.module, self.function, given).all(&args).into_iter().take(left) {
                left -= 1;
                match self.inspect(&near) {
                    Ok(warnings) => return Some(warnings),
                    Err(errors) => {
                        let attempt = Attempt { errors, args: near, given };
                        if attempt.progress() > progress {
                            progress = attempt.progress();
                            furthest = Some(attempt.args.clone());
                        }
                        attempts.push(attempt);
                    }
                }
            }
            args = furthest?;
        }
        None
    }

    /// Names that a function uses and that are nowhere. Nothing says what it is called with, so the rest may be the guess's fault.
    fn names(&self) -> Vec<Diagnostic> {
        let attempts = (0..ATTEMPTS).filter_map(|attempt| self.guesses.arguments(self.function, None, attempt).ok());
        let mut found: Option<Vec<Diagnostic>> = None;
        for args in attempts {
            let errors = self.inspect(&args).err().unwrap_or_default();
            let is_name = |one: &Diagnostic| one.code == tk_diag::UNKNOWN_NAME && !self.hangs_on_constants(one);
            match &mut found {
                None => found = Some(errors.into_iter().filter(is_name).collect()),
                Some(found) => found.retain(|one| errors.iter().any(|other| is_same(one, other))),
            }
        }
        found.unwrap_or_default()
    }

    /// Whether other constants than those that were guessed, here or in host code that runs on import, can make an error none.
    fn hangs_on_constants(&self, error: &Diagnostic) -> bool {
        let has_constants = self.function.params.iter().any(|param| self.module.is_constexpr_param(param));
        let named = error.message.split('`').nth(1).unwrap_or_default();
        let place = error.labels.first().map_or(0, |label| label.span.start);
        match error.code {
            tk_diag::ASSERTION_FAILED | tk_diag::TOO_LARGE => has_constants,
            tk_diag::UNKNOWN_NAME => {
                has_constants && tk_guess::assigns_before(self.module, named, place)
                    || error.message.starts_with(&ConstValue::None.to_string())
            }
            _ => false,
        }
    }

    /// Shapes that go together only where sizes are the same, as they are in the first guess and in many tests.
    fn by_chance(&self) -> Vec<Diagnostic> {
        let guesses = [0, DISTINCT].map(|attempt| self.guesses.arguments(self.function, None, attempt));
        let [Ok(same), Ok(args)] = guesses else { return Vec::new() };
        let is_size = |arg: &&Argument| same.iter().any(|was| was.name == arg.name && was.ty != arg.ty);
        let sizes: Vec<Argument> = args.iter().filter(is_size).cloned().collect();
        // The blocks of descriptors are guessed too, and nothing says which sizes they follow.
        let has_descriptor = args.iter().any(|arg| matches!(arg.ty, ArgType::Descriptor(_)));
        if sizes.is_empty() || has_descriptor || self.inspect(&same).is_err() {
            return Vec::new();
        }
        let errors = self.inspect(&args).err().unwrap_or_default();
        let first = errors.into_iter().next().filter(|error| error.code == tk_diag::SHAPE_MISMATCH);
        let note = format!("checked with {}", described(&sizes));
        first.into_iter().map(|error| Diagnostic { severity: Severity::Warning, ..error.note(note.clone()) }).collect()
    }

    fn inspect(&self, args: &[Argument]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        tk::inspect(&Unit {
            module: self.module,
            kernel: &self.function.name.text,
            args,
            globals: &[],
            options: CompileOptions::default(),
            target: tk_target::Target::default(),
            bounds: self.bounds.clone(),
        })
    }
}

/// Imports that a kernel needs and that are not there, as warnings: the file can be right where the others are.
fn missing_imports(attempts: &[Attempt<'_>]) -> Vec<Diagnostic> {
    let all = attempts.iter().flat_map(|attempt| &attempt.errors);
    let mut found: Vec<Diagnostic> = Vec::new();
    for error in all.filter(|error| error.code == tk_diag::UNKNOWN_IMPORT) {
        if !found.iter().any(|other| is_same(error, other)) {
            found.push(Diagnostic { severity: Severity::Warning, ..error.clone() });
        }
    }
    found
}

/// Whether another guess gets past the place of an error without any: then it is the guess that is wrong, not the kernel.
fn is_refuted(error: &Diagnostic, others: &[Diagnostic]) -> bool {
    let at = path(error);
    others.iter().all(|other| path(other) > at)
}

/// Whether a type that a parameter can have instead takes an error of types away and gets past the whole statement. Other errors hang
/// on types too little. An error inside of a function counts for nothing: the call can stand behind what is wrong, and come before it.
fn is_cured(module: &Module, error: &Diagnostic, others: &[Diagnostic]) -> bool {
    let mut at = path(error);
    if let Some(place) = at.last_mut() {
        *place = tk_guess::statement_end(module, *place);
    }
    let is_past = |other: &Diagnostic| path(other) > at && path(other).len() <= at.len();
    matches!(error.code, tk_diag::TYPE_MISMATCH | tk_diag::UNKNOWN_NAME) && others.iter().all(is_past)
}

fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.code == other.code && path(one) == path(other) && one.message == other.message
}

/// The calls from the kernel to the place of an error, and that place. The paths of one kernel are in the order in which it is checked.
fn path(error: &Diagnostic) -> Vec<u32> {
    let calls = error.labels.iter().skip(1).rev().filter(|label| CALL_LABELS.contains(&label.text.as_str()));
    calls.chain(error.labels.first()).map(|label| label.span.start).collect()
}

/// With blocks of one element, many mistakes about shapes are none. What a launch says is not in doubt.
fn is_trivial(args: &[Argument], given: Option<&Given>) -> bool {
    let is_one = |arg: &Argument| arg.constant() == Some(&ConstValue::Int(1));
    given.is_none() && args.iter().any(|arg| arg.name.to_uppercase().contains("BLOCK") && is_one(arg))
}

fn described(args: &[Argument]) -> String {
    let mut rest = args.iter().peekable();
    let mut parts = Vec::new();
    while let Some(arg) = rest.next() {
        parts.push(match (rest.peek().is_some_and(|next| next.name == arg.name), arg.constant()) {
            (true, _) => format!("{}: {}", arg.name, tuple(arg, &mut rest)),
            (false, Some(value)) => format!("{}={value}", arg.name),
            (false, None) => arg.to_string(),
        });
    }
    parts.join(", ")
}

/// A tuple, whose parts follow the constant that says how many they are.
fn tuple(arg: &Argument, rest: &mut dyn Iterator<Item = &Argument>) -> String {
    match arg.constant() {
        Some(ConstValue::Tuple(items)) => {
            let parts: Vec<String> =
                items.iter().map_while(|_| rest.next().map(|part| tuple(part, &mut *rest))).collect();
            format!("({})", parts.join(", "))
        }
        Some(value) => value.to_string(),
        None => arg.spec().to_string(),
    }
}
