//! One compilation: check, guard, lower, tt passes, ttg passes, preparation, code generation.

use crate::back_end::{Job, Made, Start};
use crate::watch::{Form, Recorder, Verified};
use crate::{Unit, Watcher, stages};
use std::time::{Duration, Instant};
use tk_check::checked::Kernel;
use tk_check::{CheckRequest, Checked};
use tk_diag::Diagnostic;
use tk_guard::{Bounds, Guards, Ranges};
use tk_image::KernelImage;
use tk_types::{DotPolicy, IndexWidth};

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Until {
    /// The checked kernel.
    Checked,
    /// tt IR after its passes.
    Tt,
    /// ttg IR after its passes and the preparation for code generation.
    Ttg,
    /// LLVM IR.
    Llvm,
    /// PTX.
    Ptx,
}

/// What a compilation made.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// The text of the last form that was asked for.
    pub text: String,
    /// The image, when the compilation went to PTX.
    pub image: Option<KernelImage>,
    /// Warnings for the user.
    pub warnings: Vec<Diagnostic>,
    /// What `static_print` printed.
    pub printed: Vec<String>,
    /// What the checks of the kernel mean, and what a launch passes for them.
    pub guards: Guards,
}

/// Compiles a unit as far as `until`.
///
/// # Errors
/// The user's errors from the checker (all that were found), or one error from a later stage: too much shared memory, or a
/// bug in tk.
pub fn compile(unit: &Unit<'_>, until: Until, watcher: &mut dyn Watcher) -> Result<Compilation, Vec<Diagnostic>> {
    compile_with(unit, DotPolicy::Overlap, until, watcher)
}

/// Compiles a unit with dots that overlap or wait.
pub(crate) fn compile_with(
    unit: &Unit<'_>,
    dots: DotPolicy,
    until: Until,
    watcher: &mut dyn Watcher,
) -> Result<Compilation, Vec<Diagnostic>> {
    let unit = &Unit { options: unit.options.in_one_cta(), ..unit.clone() };
    let mut recorder = Recorder::new(watcher, Verified::Shown);
    let (checked, elapsed) = timed(|| check(unit));
    let Checked { kernel, mut warnings, printed } = checked?;
    let one = |error: Box<Diagnostic>| vec![*error];
    recorder.record("check", Form::Checked, elapsed, || kernel.to_string()).map_err(one)?;
    warnings.extend(warnings_of(&kernel, unit).map_err(one)?);
    let (kernel, guards) = if has_guards(unit) {
        let kernel = kernel.inlined().map_err(one)?;
        let ((kernel, guards), elapsed) = timed(|| tk_guard::protect(kernel, &unit.bounds));
        recorder.record("guard", Form::Checked, elapsed, || kernel.to_string()).map_err(one)?;
        (kernel, guards)
    } else {
        (kernel, Guards::default())
    };
    if until == Until::Checked {
        return Ok(Compilation { text: kernel.to_string(), image: None, warnings, printed, guards });
    }
    let signature: Vec<String> = unit.args.iter().map(ToString::to_string).collect();
    let job = Job {
        start: Start::Kernel(&kernel),
        args: unit.args,
        signature: signature.join(", "),
        source: unit.module.file.clone(),
        target: unit.target,
        options: unit.options.clone(),
        dots,
        until,
    };
    let Made { text, image, warning } = stages::back_end(&job, &mut recorder).map_err(one)?;
    warnings.extend(warning);
    Ok(Compilation { text, image, warnings, printed, guards })
}

/// What the text of a unit shows of overflows under its bounds, and nothing else.
///
/// # Errors
/// The user's errors, all that were found.
pub fn overflows(unit: &Unit<'_>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let kernel = check(unit)?.kernel.inlined().map_err(|error| vec![*error])?;
    Ok(tk_guard::overflow_warnings(&kernel, &Ranges::new(&kernel, &unit.bounds), &unit.bounds))
}

/// How many dots the kernel of a unit has, those of the functions that it calls included; nothing for a unit that does not check, whose
/// compilation tells why.
pub fn count_dots(unit: &Unit<'_>) -> Option<u64> {
    check(unit).ok().map(|checked| checked.kernel.dots())
}

/// Whether the kernel of a unit says something of its threads, or is another one with the warps of `other`, as where it asks how many they are. One
/// that does not check is compiled to tell why.
pub(crate) fn depends_on_warps(unit: &Unit<'_>, other: &Unit<'_>) -> bool {
    let kernel = |unit| check(unit).ok().map(|checked| checked.kernel).filter(|kernel| !kernel.depends_on_warps());
    match (kernel(unit), kernel(other)) {
        (Some(kernel), Some(other)) => kernel.to_string() != other.to_string(),
        (Some(_), None) | (None, _) => true,
    }
}

/// Whether `--index-width auto` changes anything under the bounds of the unit. A unit that does not check needs nothing: its
/// compilation tells why.
pub fn can_overflow(unit: &Unit<'_>) -> bool {
    let kernel = check(unit).ok().and_then(|checked| checked.kernel.inlined().ok());
    kernel.is_some_and(|kernel| tk_guard::can_overflow(&kernel, &unit.bounds))
}

/// Overflows are told only where nothing else sees to them.
fn warnings_of(kernel: &Kernel, unit: &Unit<'_>) -> tk_diag::Result<Vec<Diagnostic>> {
    let unguarded = unit.options.index_width == IndexWidth::Written && !unit.options.sanitize.overflow;
    match unguarded {
        true => tk_guard::all_warnings(kernel, &unit.bounds),
        false => tk_guard::all_warnings(kernel, &Bounds::any()),
    }
}

fn has_guards(unit: &Unit<'_>) -> bool {
    unit.options.sanitize.is_on() || unit.options.index_width != IndexWidth::Written
}

/// The first IR of a unit, for readers: as Triton writes it, with calls of the functions that are inlined in what is compiled. With
/// `named_values`, values have the names of the program's variables, and operations their places.
///
/// # Errors
/// The user's errors, all that were found.
pub fn first_text(unit: &Unit<'_>, named_values: bool) -> Result<String, Vec<Diagnostic>> {
    let kernel = tk_check::check_calls(&request(unit), unit.globals)?.kernel;
    let context = tk_ir::Context::new();
    let module = tk_lower::lower(&context, &kernel).map_err(|error| vec![*error])?;
    let options = tk_ir::PrintOptions { locations: named_values, generic: false, is_anonymous: !named_values };
    Ok(module.print(options))
}

fn check(unit: &Unit<'_>) -> Result<Checked, Vec<Diagnostic>> {
    tk_check::check_with(&request(unit), unit.globals)
}

fn request<'a>(unit: &Unit<'a>) -> CheckRequest<'a> {
    CheckRequest {
        module: unit.module,
        kernel: unit.kernel,
        args: unit.args,
        options: unit.options.clone(),
        target: unit.target,
    }
}

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
