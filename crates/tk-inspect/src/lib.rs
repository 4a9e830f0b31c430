//! What a file's kernels have to say for themselves, without signatures: the one place that knows how a file is checked.
//!
//! A kernel in a file has no types. What the file launches it with is checked; where it launches nothing, launches are guessed from
//! how the body uses the parameters ([`tk_guess`]), a few of them, until one checks. Where none does, the guess with the fewest
//! errors is told, since it is the one nearest to what is meant, without those that another guess shows to be the guess's own.
//! Before that, guesses near the best one are tried. What only constants that were guessed make false is not told at all, and what
//! comes from a file that is not there is a warning.

mod doubt;
mod near;
mod portable;
mod verdict;
mod waits;

use std::collections::{HashMap, HashSet};
use tk_diag::{Diagnostic, Severity};
use tk_grammar::ast::{FunctionDef, Module};
use tk_grammar::functions::Named;
use tk_guard::Bounds;
use tk_guess::Guesses;
use tk_types::Argument;
use verdict::{Guessed, one_kernel};

/// Diagnostics of one kind that are kept of one line: files that programs write have lines with thousands of statements.
pub const MAX_PER_LINE: usize = 20;

/// What to look at.
pub struct Request<'r> {
    /// The parsed file with what it imports.
    pub module: &'r Module,
    /// The only kernel to look at, as [`tk_grammar::functions::choose`] takes it, or all.
    pub kernel: Option<&'r str>,
    /// What is known of sizes at run time.
    pub bounds: &'r Bounds,
    /// Whether what Triton would refuse is told, too.
    pub is_portable: bool,
    /// Asked between guesses: whether nobody waits for the answer any more.
    pub is_stopped: &'r dyn Fn() -> bool,
}

/// Who says the arguments of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A launch in the file says everything.
    Said,
    /// A launch in the file says a part, and the rest is guessed.
    PartlySaid,
    /// Nothing in the file says them.
    Guessed,
}

/// Arguments that a function of the file was looked at with.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The function, as its file knows it: [`FunctionDef::known_as`].
    pub kernel: String,
    /// Every parameter.
    pub args: Vec<Argument>,
    /// Where they come from.
    pub origin: Origin,
    /// Whether the function checks with them.
    pub checks: bool,
}

impl Launch {
    /// As messages write it: `add(x_ptr: *fp32, n: i32, BLOCK=64)`.
    pub fn described(&self) -> String {
        format!("{}({})", self.kernel, verdict::described(&self.args))
    }
}

/// What was found in one file.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// How many kernels were looked at.
    pub kernels: usize,
    /// Jit functions that nothing in the file launches or calls.
    pub functions: usize,
    /// Kernels that no guess fits.
    pub unknown: Vec<String>,
    /// Errors and warnings, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// What the functions were looked at with.
    pub launches: Vec<Launch>,
    /// How many more there are of what is kept: on a line that has [`MAX_PER_LINE`] of one kind already.
    pub left_out: usize,
    known: HashSet<Place>,
    /// How many of one kind are on a line.
    on_line: HashMap<Place, usize>,
}

/// A kind of diagnostic at a place, or on a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    code: &'static str,
    start: u32,
    end: u32,
}

impl Findings {
    /// Adds what one kernel has; two kernels that call one function find its faults twice.
    pub fn add(&mut self, diagnostics: Vec<Diagnostic>) {
        for diagnostic in diagnostics {
            let label = diagnostic.labels.first();
            let span = label.map(|label| label.span).unwrap_or_default();
            let code = diagnostic.code.slug;
            if !self.known.insert(Place { code, start: span.start, end: span.end }) {
                continue;
            }
            if let Some(part) = label.and_then(|label| label.file.as_ref()).map(|file| file.part_at(span.start)) {
                let line = Place { code, start: part.span().start, end: part.line(span.start) };
                let count = self.on_line.entry(line).or_default();
                *count += 1;
                if *count > MAX_PER_LINE {
                    self.left_out += 1;
                    continue;
                }
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// How many diagnostics are of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }
}

/// Looks at the kernels of a file. Nothing when it was stopped.
pub fn inspect_file(request: &Request<'_>) -> Option<Findings> {
    let Request { module, kernel: wanted, bounds, is_portable, is_stopped } = *request;
    let mut findings = Findings::default();
    let found: Vec<&FunctionDef> = match wanted {
        Some(wanted) => wanted_kernels(module, wanted).unwrap_or_else(|error| {
            findings.add(vec![*error]);
            Vec::new()
        }),
        None => tk_guess::kernels(module),
    };
    let guesses = Guesses::of(module);
    for function in found.iter().copied() {
        findings.kernels += 1;
        let verdict = one_kernel(&Guessed { module, guesses: &guesses, function, bounds, is_stopped });
        if is_stopped() {
            return None;
        }
        findings.launches.extend(verdict.launches);
        findings.add(verdict.diagnostics);
        if verdict.is_unknown {
            findings.unknown.push(function.name.text.clone());
        }
    }
    if wanted.is_none() {
        for function in tk_guess::functions(module) {
            findings.functions += 1;
            let function = Guessed { module, guesses: &guesses, function, bounds, is_stopped };
            findings.add(function.names());
            if is_stopped() {
                return None;
            }
            let args = guesses.arguments(function.function, None, 0);
            findings.launches.extend(args.ok().map(|args| function.launch(&args, None, false)));
        }
    }
    if wanted.is_none() {
        findings.add(guesses.faults().to_vec());
    }
    for function in tk_check::kernels(module) {
        if wanted.is_some() && found.iter().all(|one| one.name.span != function.name.span) {
            continue;
        }
        findings.add(waits::deleted(module, function));
        if is_portable {
            let launches = findings.launches.iter().filter(|one| one.kernel == function.known_as());
            let said: Vec<Launch> = launches.filter(|one| one.origin == Origin::Said).cloned().collect();
            let sizes = said.first().map_or(&[][..], |launch| &launch.args);
            findings.add(portable::refused(module, function, sizes));
        }
    }
    findings.diagnostics.sort_by_key(|one| one.labels.first().map(|label| label.span));
    Some(findings)
}

/// The kernels that a name means: one, but for definitions of branches.
fn wanted_kernels<'m>(module: &'m Module, wanted: &str) -> tk_diag::Result<Vec<&'m FunctionDef>> {
    let named: Vec<&FunctionDef> =
        tk_check::kernels(module).into_iter().filter(|function| function.name.text == *wanted).collect();
    match module.choose(wanted) {
        Named::One(function) if function.is_jit() => Ok(vec![function]),
        Named::Several(_) => tk_check::kernel_named(module, wanted).map(|function| vec![function]),
        // A function of the host may have the name of the kernel that it makes.
        Named::One(_) | Named::Nothing if !named.is_empty() => Ok(named),
        Named::One(_) | Named::Nothing => Err(no_such_kernel(module, wanted).boxed()),
    }
}

fn no_such_kernel(module: &Module, wanted: &str) -> Diagnostic {
    let message = format!("{} has no kernel `{wanted}`", module.file.name());
    let known: Vec<&str> = tk_check::kernels(module).iter().map(|function| function.known_as()).collect();
    let error = Diagnostic::error(tk_diag::UNKNOWN_NAME, message);
    match known.is_empty() {
        true => error.help("It has no function with `@triton.jit`."),
        false => error.help(format!("Its jit functions are: {}.", known.join(", "))),
    }
}
