//! One kernel without a signature: guesses of its launch, and what is said of it.

use crate::near::Neighbours;
use crate::{Launch, Origin};
use tk_check::{CALL_LABELS, CheckRequest, Checked};
use tk_diag::{Diagnostic, Label, Severity};
use tk_grammar::ast::{FunctionDef, Module};
use tk_guard::{Bounds, Interval};
use tk_guess::{DISTINCT, Given, Guesses, Sizes};
use tk_types::{ArgType, Argument, CompileOptions, ConstValue};

/// Guesses tried for one kernel.
const ATTEMPTS: u64 = 24;
/// Guesses near the best one that are tried for one kernel, in all rounds.
const NEAR: usize = 240;
/// Parameters that change one after the other.
const ROUNDS: usize = 5;

/// What a guess finds, and what was guessed.
pub(crate) struct Attempt<'g> {
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) args: Vec<Argument>,
    pub(crate) given: Option<&'g Given>,
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
pub(crate) struct Verdict {
    /// What there is to say of it.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether no guess fits it, and nothing is wrong with it under every guess; then only imports that are not there are said.
    pub(crate) is_unknown: bool,
    /// The launches that it was looked at under: those that the file says, or else the best guess.
    pub(crate) launches: Vec<Launch>,
}

/// Arguments under which a kernel checks, with its warnings.
struct Passed {
    warnings: Vec<Diagnostic>,
    args: Vec<Argument>,
}

/// What is found in a kernel: it has to be right in every launch that the file says, or else in one that can be guessed.
pub(crate) fn one_kernel(kernel: &Guessed<'_>) -> Verdict {
    let complete = kernel.guesses.complete(kernel.function);
    if complete.is_empty() {
        let partial = kernel.guesses.partial(kernel.function).into_iter().map(Some);
        let mut verdict = kernel.verdict(&partial.chain([None]).collect::<Vec<_>>());
        kernel.add_chances(&mut verdict);
        return verdict;
    }
    let mut whole = Verdict { diagnostics: Vec::new(), is_unknown: false, launches: Vec::new() };
    for given in complete {
        let verdict = kernel.verdict(&[Some(given)]);
        whole.launches.extend(verdict.launches);
        if verdict.is_unknown {
            return Verdict { diagnostics: verdict.diagnostics, is_unknown: true, ..whole };
        }
        whole.diagnostics.extend(verdict.diagnostics);
    }
    kernel.add_chances(&mut whole);
    whole
}

/// A kernel and where its arguments come from.
pub(crate) struct Guessed<'g> {
    pub(crate) module: &'g Module,
    pub(crate) guesses: &'g Guesses<'g>,
    pub(crate) function: &'g FunctionDef,
    pub(crate) bounds: &'g Bounds,
    /// Says that nobody waits for the answer any more: what is found afterwards means nothing.
    pub(crate) is_stopped: &'g dyn Fn() -> bool,
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
            match self.inspect_sizes(&args, given.map_or(&[], Given::sizes)) {
                Ok(warnings) => return self.passed(Passed { warnings, args }, given),
                Err(errors) => attempts.push(Attempt { errors, args, given }),
            }
        }
        if attempts.is_empty() {
            let unbound = self.guesses.arguments(self.function, None, 0);
            let diagnostics = unbound.err().unwrap_or_default();
            return Verdict { diagnostics, is_unknown: false, launches: Vec::new() };
        }
        attempts.sort_by_key(|attempt| attempt.errors.len());
        // What is near a guess is less likely than the guess: it takes errors away and adds none.
        let likely = attempts.len();
        let best_given = attempts.first().and_then(|best| best.given);
        if let Some(passed) = self.near(&mut attempts) {
            return self.passed(passed, best_given);
        }
        let complete = self.guesses.complete(self.function);
        let is_said = given.iter().all(|given| given.is_some_and(|given| complete.contains(&given)));
        let certain = |error: &&Diagnostic| {
            (is_said || !self.hangs_on_constants(error))
                && !is_elsewhere(error)
                && attempts.iter().take(likely).all(|other| !is_refuted(error, &other.errors))
                && attempts.iter().skip(likely).all(|other| !is_cured(self.module, error, &other.errors))
        };
        let told = attempts.iter().take(likely).map(|one| {
            let told = one.errors.iter().filter(certain).filter(|error| !self.is_doubtful(one, error));
            (one, told.cloned().collect::<Vec<_>>())
        });
        let missing = elsewhere(&attempts[..likely]);
        let Some((best, mut errors)) = told.into_iter().find(|(_, errors)| !errors.is_empty()) else {
            let launches =
                attempts.first().map(|best| self.launch(&best.args, best.given, false)).into_iter().collect();
            return Verdict { diagnostics: missing, is_unknown: true, launches };
        };
        if let Some(last) = errors.last_mut() {
            last.notes.push(format!("checked as {}({})", self.function.name.text, described(&best.args)));
        }
        errors.extend(missing);
        let launches = vec![self.launch(&best.args, best.given, false)];
        Verdict { diagnostics: errors, is_unknown: false, launches }
    }

    fn passed(&self, passed: Passed, given: Option<&Given>) -> Verdict {
        let launches = vec![self.launch(&passed.args, given, true)];
        Verdict { diagnostics: passed.warnings, is_unknown: false, launches }
    }

    pub(crate) fn launch(&self, args: &[Argument], given: Option<&Given>, checks: bool) -> Launch {
        let origin = match given {
            None => Origin::Guessed,
            Some(given) if self.guesses.complete(self.function).contains(&given) => Origin::Said,
            Some(_) => Origin::PartlySaid,
        };
        Launch { kernel: self.function.known_as().to_string(), args: args.to_vec(), origin, checks }
    }

    /// Adds shapes that go together by chance to a kernel without errors.
    fn add_chances(&self, verdict: &mut Verdict) {
        if !verdict.is_unknown && verdict.diagnostics.iter().all(|one| one.severity == Severity::Warning) {
            verdict.diagnostics.extend(self.by_chance());
        }
    }

    /// Follows the best guess: changes one parameter that no launch says, keeps what gets furthest, and so on. The warnings of a guess
    /// that checks; what does not is added to the attempts, where it can show an error to be the guess's own.
    fn near<'a>(&'a self, attempts: &mut Vec<Attempt<'a>>) -> Option<Passed> {
        let best = attempts.first()?;
        let (mut args, mut progress, given) = (best.args.clone(), best.progress(), best.given);
        let mut left = NEAR;
        for _ in 0..ROUNDS {
            let mut furthest = None;
            for near in Neighbours::of(self.module, self.function, given).all(&args).into_iter().take(left) {
                left -= 1;
                match self.inspect(&near) {
                    Ok(warnings) => return Some(Passed { warnings, args: near }),
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
    pub(crate) fn names(&self) -> Vec<Diagnostic> {
        let attempts = (0..ATTEMPTS).filter_map(|attempt| self.guesses.arguments(self.function, None, attempt).ok());
        let mut found: Option<Vec<Diagnostic>> = None;
        for args in attempts {
            let attempt = Attempt { errors: self.inspect(&args).err().unwrap_or_default(), args, given: None };
            let is_name = |one: &Diagnostic| {
                one.code == tk_diag::UNKNOWN_NAME && !self.hangs_on_constants(one) && !self.is_doubtful(&attempt, one)
            };
            let errors = attempt.errors.clone();
            match &mut found {
                None => found = Some(errors.into_iter().filter(is_name).collect()),
                Some(found) => found.retain(|one| errors.iter().any(|other| is_same(one, other))),
            }
        }
        found.unwrap_or_default()
    }

    /// Whether other constants than those that were guessed, here or in host code that runs on import, can make an error none.
    pub(crate) fn hangs_on_constants(&self, error: &Diagnostic) -> bool {
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

    pub(crate) fn inspect(&self, args: &[Argument]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.inspect_sizes(args, &[])
    }

    /// The warnings of a kernel, also for the sizes of these launches, or its errors.
    fn inspect_sizes(&self, args: &[Argument], sizes: &[Sizes]) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if (self.is_stopped)() {
            return Err(Vec::new());
        }
        let Checked { kernel, mut warnings, .. } = tk_check::check(&CheckRequest {
            module: self.module,
            kernel: self.function.known_as(),
            args,
            options: CompileOptions::default(),
            target: tk_target::Target::default(),
        })?;
        let sizes = if *self.bounds == Bounds::assumed() { sizes } else { &[] };
        let said = sizes.iter().filter(|sizes| sizes.says_offsets()).map(bounds_of);
        for bounds in said.chain([self.bounds.clone()]) {
            warnings.extend(tk_guard::all_warnings(&kernel, &bounds).map_err(|error| vec![*error])?);
        }
        Ok(warnings)
    }
}

/// What the host code says of a launch; the rest is assumed.
fn bounds_of(sizes: &Sizes) -> Bounds {
    let args = sizes.args.iter().map(|(name, value)| (name.clone(), Interval::of(*value))).collect();
    let mut bounds = Bounds { args, source: "in a launch of this file", ..Bounds::assumed() };
    for (range, size) in bounds.grid.iter_mut().zip(sizes.grid) {
        *range = size.map_or(*range, Interval::of);
    }
    bounds
}

/// Whether an error is about what is not in these files: an import that is not there, or an operation of another compiler.
fn is_elsewhere(error: &Diagnostic) -> bool {
    matches!(error.code, tk_diag::UNKNOWN_IMPORT | tk_diag::FOREIGN_OPERATION)
}

/// What a kernel needs and is not there, as warnings: the file can be right where it is.
fn elsewhere(attempts: &[Attempt<'_>]) -> Vec<Diagnostic> {
    let all = attempts.iter().flat_map(|attempt| &attempt.errors);
    let mut found: Vec<Diagnostic> = Vec::new();
    for error in all.filter(|error| is_elsewhere(error)) {
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
pub(crate) fn is_cured(module: &Module, error: &Diagnostic, others: &[Diagnostic]) -> bool {
    matches!(error.code, tk_diag::TYPE_MISMATCH | tk_diag::UNKNOWN_NAME) && gets_past(module, error, others)
}

/// Whether all other errors come behind the whole statement of this one, and in no function that is called there.
pub(crate) fn gets_past(module: &Module, error: &Diagnostic, others: &[Diagnostic]) -> bool {
    let mut at = path(error);
    if let Some(place) = at.last_mut() {
        *place = tk_guess::statement_end(module, *place);
    }
    others.iter().all(|other| path(other) > at && path(other).len() <= at.len())
}

/// Whether another error stands in a later statement of the kernel, or in a function that is called there.
pub(crate) fn stands_later(module: &Module, error: &Diagnostic, other: &Diagnostic) -> bool {
    let end = path(error).first().map(|place| tk_guess::statement_end(module, *place));
    path(other).first().copied() > end
}

pub(crate) fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.code == other.code && path(one) == path(other) && one.message == other.message
}

/// The calls that lead out of the place of an error to the kernel, the innermost first.
pub(crate) fn calls(error: &Diagnostic) -> impl Iterator<Item = &Label> {
    error.labels.iter().skip(1).filter(|label| CALL_LABELS.contains(&label.text.as_str()))
}

/// The calls from the kernel to the place of an error, and that place. The paths of one kernel are in the order in which it is checked:
/// a call stands where it ends, since its arguments come before it.
fn path(error: &Diagnostic) -> Vec<u32> {
    let calls: Vec<&Label> = calls(error).collect();
    calls.iter().rev().map(|label| label.span.end).chain(error.labels.first().map(|label| label.span.start)).collect()
}

/// With blocks of one element, many mistakes about shapes are none. What a launch says is not in doubt.
fn is_trivial(args: &[Argument], given: Option<&Given>) -> bool {
    let is_one = |arg: &Argument| arg.constant() == Some(&ConstValue::Int(1));
    given.is_none() && args.iter().any(|arg| arg.name.to_uppercase().contains("BLOCK") && is_one(arg))
}

/// Arguments as messages write them: `x_ptr: *fp32, n: i32, BLOCK=64`.
pub(crate) fn described(args: &[Argument]) -> String {
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
