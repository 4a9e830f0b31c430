//! Compiling on from text of any stage: MLIR of tk or of Triton, LLVM IR, PTX.
//!
//! What the text is decides its contents: the language by its first line, the place in the pipeline by what it says of itself
//! ([`Origin`]) or, where it says nothing, by the traces that passes left in it ([`mod@tk_passes::reached`]).

use crate::back_end::{self, Job, Made, Start};
use crate::compile::timed;
use crate::origin::{Origin, bad};
use crate::watch::{Form, Recorder, Verified};
use crate::{Compilation, Guards, Until, Watcher, foreign, stages};
use tk_codegen::LlvmText;
use tk_diag::{BAD_IR, Diagnostic, Result, Severity, SourceFile, Span, USAGE};
use tk_image::{ImageParam, KernelImage, LaunchLimits, ParamKind, ResourceUse};
use tk_ir::ops::FuncOp;
use tk_ir::{Context, Module, attributes};
use tk_passes::{Position, reached::reached};
use tk_ptx::Requirement;
use tk_target::Target;
use tk_types::{CompileOptions, DotPolicy, Facts};

/// What somebody says of a form, which counts more than what the form says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// Warps per CTA.
    pub num_warps: Option<u32>,
    /// Buffers of a software pipeline.
    pub num_stages: Option<u32>,
    /// The GPU.
    pub target: Option<Target>,
}

/// A form to compile on.
#[derive(Clone, Debug)]
pub struct FormRequest<'a> {
    /// Its text.
    pub source: &'a SourceFile,
    /// What counts more than what it says.
    pub given: Given,
    /// The options where nothing is said of them.
    pub options: CompileOptions,
    /// The GPU where nothing is said of it.
    pub target: Target,
}

impl Form {
    /// What a file is written in, by the first line that is no comment; nothing for a program.
    pub fn of(source: &SourceFile) -> Option<Form> {
        let is_alias = |line: &str| {
            line.starts_with(['#', '!']) && line.split_once(" = ").is_some_and(|(name, _)| !name.contains(' '))
        };
        let is_text = |line: &&str| {
            !line.is_empty()
                && !line.starts_with("//")
                && !line.starts_with(';')
                && (!line.starts_with('#') || is_alias(line))
        };
        let line = source.text().lines().map(str::trim).find(is_text)?;
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        if is_alias(line)
            || begins(&["module {", "module @", "module attributes", "tt.func", "\"builtin.module\"", "builtin.module"])
        {
            Some(Form::Mlir)
        } else if begins(&[".version", ".target", ".address_size"]) {
            Some(Form::Ptx)
        } else if begins(&[
            "source_filename",
            "target datalayout",
            "target triple",
            "define ",
            "declare ",
            "attributes #",
            "@",
            "%",
        ]) && !line.starts_with("@triton")
        {
            Some(Form::Llvm)
        } else {
            None
        }
    }
}

impl Form {
    /// What a file with such a name is mostly written in; nothing where its first line has to say it.
    pub fn by_ending(name: &str) -> Option<Form> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending {
            "mlir" | "ttir" | "ttgir" | "ttg" => Some(Form::Mlir),
            "ll" | "llir" => Some(Form::Llvm),
            "ptx" => Some(Form::Ptx),
            _ => None,
        }
    }
}

/// Compiles a form on as far as `until`.
///
/// # Errors
/// Text that cannot be read, or that is past `until`; what it says and what is said of it contradict each other; and what a later stage
/// says against it.
pub fn compile_form(request: &FormRequest<'_>, until: Until, watcher: &mut dyn Watcher) -> Result<Compilation> {
    let mut recorder = Recorder::new(watcher, Verified::Shown);
    let made = match Form::of(request.source).or_else(|| Form::by_ending(request.source.name())) {
        Some(Form::Ptx) => from_ptx(request, until, &mut recorder),
        Some(Form::Llvm) => from_llvm(request, until, &mut recorder),
        Some(Form::Mlir | Form::Checked) | None => from_mlir(request, until, &mut recorder),
    };
    let Made { text, image, warning } = made.map_err(|error| not_ours(error, request.source))?;
    let warnings = warning.into_iter().collect();
    Ok(Compilation { text, image, warnings, printed: Vec::new(), guards: Guards::default() })
}

/// Compiles a form that takes the place of a kernel, whose image says how it is launched.
///
/// # Errors
/// Those of [`compile_form`]; the form takes other arguments, or was compiled for facts that do not hold of these.
pub fn replace_code(image: &KernelImage, request: &FormRequest<'_>, watcher: &mut dyn Watcher) -> Result<KernelImage> {
    let made = compile_form(request, Until::Ptx, watcher)?;
    let form = made.image.ok_or_else(|| Diagnostic::bug("a compilation to PTX gave no kernel image").boxed())?;
    replaced(image, form).map_err(|what| {
        let error = Diagnostic::error(USAGE, format!("{} cannot take the place of `{}`: {what}", request.source.name(), image.entry));
        error.help("a form has the parameters that the launch passes, in their order; what the launch knows at compile time is none").boxed()
    })
}

/// The image of a form in the place of another one; says what does not fit.
fn replaced(image: &KernelImage, mut form: KernelImage) -> std::result::Result<KernelImage, String> {
    if form.params.is_empty() {
        let (ours, theirs) = (parameters(image)?, parameters(&form)?);
        let bytes = |all: &[Passed]| all.iter().map(|one| one.bytes).collect::<Vec<_>>();
        let fits = bytes(&theirs).starts_with(&bytes(&ours)) && theirs[ours.len()..].iter().all(Passed::is_spare);
        if !fits {
            let (ours, theirs) = (bytes(&ours), bytes(&theirs));
            return Err(format!("its parameters have {theirs:?} bytes, and the launch passes {ours:?}"));
        }
        // What is known of the registers and the slow lines of the kernel says nothing of other code.
        let KernelImage { entry, ptx, num_warps, resources, .. } = form;
        return Ok(KernelImage { entry, ptx, num_warps, resources, ..image.clone() });
    }
    let (ours, places): (Vec<_>, Vec<_>) = (image.arguments().collect(), form.arguments().map(|(at, _)| at).collect());
    for (number, ((_, ours), at)) in ours.iter().zip(&places).enumerate() {
        fits(ours, &form.params[*at]).map_err(|what| format!("parameter {} {what}", number + 1))?;
    }
    if ours.len() != places.len() {
        return Err(format!("it has {} parameters, and the launch passes {}", places.len(), ours.len()));
    }
    for ((_, ours), at) in ours.iter().zip(places) {
        form.params[at].facts = ours.facts;
    }
    Ok(form)
}

/// A parameter of machine code.
pub(crate) struct Passed {
    pub(crate) bytes: u32,
    /// The code reads it.
    pub(crate) is_read: bool,
}

impl Passed {
    /// Whether nothing has to be passed: Triton's kernels end with pointers to scratch memory, whether they use it or not.
    pub(crate) fn is_spare(&self) -> bool {
        self.bytes == 8 && !self.is_read
    }
}

/// The parameters of an image's PTX, hidden ones included.
pub(crate) fn parameters(image: &KernelImage) -> std::result::Result<Vec<Passed>, String> {
    let entry = entry(&SourceFile::new("kernel.ptx", image.ptx.clone())).map_err(|error| error.message)?;
    let text = image.ptx.replace(' ', "");
    let is_read = |name: &str| text.contains(&format!("[{name}]")) || text.contains(&format!("[{name}+"));
    let all = entry.parameters().into_iter();
    Ok(all.map(|one| Passed { bytes: one.bytes, is_read: is_read(&one.name) }).collect())
}

/// Says what of two parameters differs, of which the first is that of the launch.
fn fits(ours: &ImageParam, theirs: &ImageParam) -> std::result::Result<(), String> {
    let is_like = match (&ours.kind, &theirs.kind) {
        (ParamKind::Scalar(ours), ParamKind::Scalar(theirs)) => ours.mlir_name() == theirs.mlir_name(),
        (ParamKind::Pointer(ours), ParamKind::Pointer(theirs)) => {
            ours.zip(*theirs).is_none_or(|(ours, theirs)| ours.mlir_name() == theirs.mlir_name())
        }
        (ParamKind::TensorMap(ours), ParamKind::TensorMap(theirs)) => {
            ours.element.mlir_name() == theirs.element.mlir_name() && ours.block.len() == theirs.block.len()
        }
        (ours, theirs) => ours == theirs,
    };
    if !is_like {
        return Err(format!("is {}, and the launch passes `{}`, {}", kind(&theirs.kind), ours.name, kind(&ours.kind)));
    }
    let (known, needed) = (ours.facts, theirs.facts);
    if known.multiple_of % needed.multiple_of != 0 || needed.is_positive && !known.is_positive {
        return Err(format!("was compiled for {needed}, and the launch's `{}` is {known}", ours.name));
    }
    Ok(())
}

fn kind(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Scalar(ty) => format!("a number of type {ty}"),
        ParamKind::Pointer(Some(ty)) => format!("a pointer to {ty}"),
        ParamKind::Pointer(None) => "a pointer".to_string(),
        ParamKind::TensorMap(map) => format!("a descriptor of {} with {} dimensions", map.element, map.block.len()),
        ParamKind::DescriptorBase { element, rank } => {
            format!("a descriptor of {element} with {rank} dimensions, without TMA")
        }
        ParamKind::MapOfPointer { .. } => "a tensor map of a pointer".to_string(),
    }
}

/// A fault that text from elsewhere led to need not be one of tk's: somebody may have edited it.
fn not_ours(error: Box<Diagnostic>, source: &SourceFile) -> Box<Diagnostic> {
    if error.severity != Severity::Bug {
        return error;
    }
    let message = format!("{} cannot be compiled on: {}", source.name(), error.message);
    let mut told = Diagnostic::error(BAD_IR, message).at(source, Span::default(), "");
    told.notes = error.notes;
    told.help("IR that was changed has to keep what later passes rely on; if nothing was changed, this is a bug in tk")
        .boxed()
}

/// The options and the target of a form.
pub(crate) struct Settled {
    pub(crate) options: CompileOptions,
    pub(crate) target: Target,
    pub(crate) signature: String,
}

/// Puts together what is given, what the form says, and what counts without either.
pub(crate) fn settle(request: &FormRequest<'_>, origin: Option<&Origin>, fixed: Option<Fixed>) -> Result<Settled> {
    let wrong = |what: String| Diagnostic::error(USAGE, format!("{}: {what}", request.source.name())).boxed();
    let mut options = origin.map_or(&request.options, |origin| &origin.options).clone();
    options.libdevice = request.options.libdevice.clone();
    options.num_stages = request.given.num_stages.unwrap_or(options.num_stages);
    options.num_warps = request.given.num_warps.unwrap_or(options.num_warps);
    let named = origin.and_then(|origin| origin.target.as_deref()).map(Target::parse).transpose().map_err(wrong)?;
    let mut target = request.given.target.or(named).unwrap_or(request.target);
    if let Some(Fixed { num_warps, target: own, has_layouts }) = fixed {
        let given = if has_layouts { None } else { request.given.num_warps };
        if let Some(given) = request.given.num_warps.filter(|given| has_layouts && *given != num_warps) {
            return Err(wrong(format!("its layouts are for {num_warps} warps, not {given}")));
        }
        options.num_warps = given.unwrap_or(num_warps);
        let is_chosen = !has_layouts && request.given.target.is_some();
        let own = own.filter(|_| !is_chosen).map(|name| Target::parse(&name)).transpose().map_err(wrong)?;
        if let Some(own) = own.filter(|own| own.cuda_name() != target.cuda_name()) {
            if let Some(given) = request.given.target {
                return Err(wrong(format!("its layouts are for {own}, not {given}")));
            }
            target = own;
        }
    }
    options.check().map_err(wrong)?;
    Ok(Settled { options, target, signature: origin.map(|origin| origin.signature.clone()).unwrap_or_default() })
}

/// What a module says of its launch. It can no longer be chosen once tensors have layouts.
pub(crate) struct Fixed {
    num_warps: u32,
    target: Option<String>,
    has_layouts: bool,
}

impl Fixed {
    pub(crate) fn of(module: &Module<'_>, source: &SourceFile, position: Position) -> Result<Option<Self>> {
        let Some(num_warps) = module.op().int_attr(attributes::NUM_WARPS) else { return Ok(None) };
        let is = |name: &str, wanted: i64| module.op().int_attr(name).is_none_or(|number| number == wanted);
        for (name, wanted) in [(attributes::NUM_CTAS, 1), (attributes::THREADS_PER_WARP, 32)] {
            if !is(name, wanted) {
                let error = Diagnostic::error(BAD_IR, format!("`{name}` has to be {wanted}"));
                return Err(error.at(source, Span::default(), "").boxed());
            }
        }
        let target = module.op().str_attr(attributes::TARGET).map(str::to_string);
        let has_layouts = position > Position::TT;
        Ok(Some(Self { num_warps: u32::try_from(num_warps).unwrap_or(0), target, has_layouts }))
    }
}

/// Where a module of MLIR stands.
pub(crate) fn position(module: &Module<'_>, origin: Option<&Origin>) -> Result<Position> {
    match origin.and_then(|origin| origin.after.as_deref()) {
        None => Ok(reached(module)),
        Some(step) => Position::after(step).ok_or_else(|| {
            let error =
                Diagnostic::error(BAD_IR, format!("the text comes from after `{step}`, and tk has no such step"));
            error
                .help(
                    "another version of tk wrote it; take `after` out of `tk.origin` to go on from what the text shows",
                )
                .boxed()
        }),
    }
}

fn from_mlir(request: &FormRequest<'_>, until: Until, recorder: &mut Recorder<'_>) -> Result<Made> {
    let context = Context::new();
    let module = foreign::read(&context, request.source)?;
    one_kernel(&module, request.source)?;
    let origin = Origin::of_module(&module)?;
    let position = position(&module, origin.as_ref())?;
    let ends = [(Position::START, Until::Checked), (Position::TT, Until::Tt)];
    if let Some((_, asked)) = ends
        .into_iter()
        .find(|(end, asked)| until == *asked && position >= *end && (*asked == Until::Checked || position > *end))
    {
        return Err(too_late(request.source, asked, if position > Position::TT { "ttg IR" } else { "tt IR" }));
    }
    let Settled { options, target, signature } =
        settle(request, origin.as_ref(), Fixed::of(&module, request.source, position)?)?;
    let start = Start::Text(request.source, position);
    let source = request.source.clone();
    let job = Job { start, args: &[], signature, source, target, options, dots: DotPolicy::Overlap, until };
    stages::back_end(&job, recorder)
}

/// A form is compiled for its one kernel.
fn one_kernel(module: &Module<'_>, source: &SourceFile) -> Result<()> {
    let kernels = module.functions().into_iter().filter_map(FuncOp::cast);
    let count = kernels.filter(|function| function.is_public() && function.body().is_some()).count();
    if count == 1 {
        return Ok(());
    }
    let (what, help) = match count {
        _ if source.text().trim().is_empty() => ("the file is empty".to_string(), "a form has one kernel"),
        0 => ("the module has no kernel".to_string(), "the kernel is a function that is public and has a body"),
        _ => (
            format!("the module has {count} public functions with bodies, not one"),
            "a module is compiled for its one kernel; make the others private",
        ),
    };
    Err(Diagnostic::error(BAD_IR, what).at(source, Span::default(), "").help(help).boxed())
}

fn too_late(source: &SourceFile, asked: Until, is: &str) -> Box<Diagnostic> {
    let asked = match asked {
        Until::Checked => "the checked kernel comes",
        Until::Tt => "tt IR comes",
        Until::Ttg => "ttg IR comes",
        Until::Llvm => "LLVM IR comes",
        Until::Ptx => "PTX comes",
    };
    Diagnostic::error(USAGE, format!("{} is {is} already, and {asked} before that", source.name())).boxed()
}

/// Facts that are left in the attributes of parameters.
pub(crate) fn promise(image: &mut KernelImage, module: &Module<'_>) {
    let kernel = module.functions().into_iter().filter_map(FuncOp::cast).find(|function| function.is_public());
    let Some(kernel) = kernel else { return };
    let number = |at: usize, name: &str| kernel.arg_attr(at, name).and_then(|attribute| attribute.as_int());
    for (at, param) in image.params.iter_mut().enumerate() {
        let multiple_of = number(at, attributes::DIVISIBILITY).and_then(|factor| u32::try_from(factor).ok());
        let is_positive = kernel.arg_attr(at, attributes::POSITIVE).is_some();
        param.facts = Facts { multiple_of: multiple_of.unwrap_or(1).max(1), is_positive };
    }
}

fn from_llvm(request: &FormRequest<'_>, until: Until, recorder: &mut Recorder<'_>) -> Result<Made> {
    if until < Until::Llvm {
        return Err(too_late(request.source, until, "LLVM IR"));
    }
    let (origin, _) = Origin::of_text(request.source.text())?;
    let Settled { options, target, signature } = settle(request, origin.as_ref(), None)?;
    let known = origin.as_ref().and_then(|origin| origin.image.clone());
    let is_optimised = origin.as_ref().is_some_and(|origin| origin.after.as_deref() == Some("llvm"));
    let has_image = known.is_some();
    let image = known.unwrap_or_else(|| bare_image(&target, options.num_warps));
    // What comes first in an LLVM job is of no use to it.
    let start = Start::Text(request.source, Position::END);
    let source = request.source.clone();
    let job = Job { start, args: &[], signature, source, target, options, dots: DotPolicy::Overlap, until };
    let text = LlvmText { source: request.source, is_optimised, image };
    let mut generated = tk_codegen::resume(text, &job.codegen(job.keeps_llvm_ir(recorder)))?;
    if has_image {
        generated.image.validate().map_err(|error| bad(error.to_string()))?;
    } else {
        let ptx =
            SourceFile::new(format!("PTX of {}", request.source.name()), std::mem::take(&mut generated.image.ptx));
        generated.image = bare_code(&ptx, &job.target)?;
    }
    back_end::finish(&job, generated, recorder)
}

fn from_ptx(request: &FormRequest<'_>, until: Until, recorder: &mut Recorder<'_>) -> Result<Made> {
    if until != Until::Ptx {
        return Err(too_late(request.source, until, "PTX"));
    }
    let (origin, text) = Origin::of_text(request.source.text())?;
    let (module, elapsed) = timed(|| tk_ptx::parse(request.source));
    let named = module?.target.first().cloned().unwrap_or_default();
    let target = Target::parse(&named).unwrap_or(request.target);
    let own = SourceFile::new(request.source.name(), text);
    let mut image = bare_code(&own, &target)?;
    if let Some(known) = origin.and_then(|origin| origin.image).filter(|known| known.entry == image.entry) {
        let resources = ResourceUse { instructions: image.resources.instructions, ..known.resources };
        image = KernelImage { ptx: image.ptx, num_warps: image.num_warps, resources, ..known };
        image.validate().map_err(|error| bad(error.to_string()))?;
    }
    recorder.record("ptx", Form::Ptx, elapsed, || text.to_string())?;
    Ok(Made { text: text.to_string(), image: Some(image), warning: None })
}

fn bare_image(target: &Target, num_warps: u32) -> KernelImage {
    KernelImage {
        entry: String::new(),
        ptx: String::new(),
        cubin: None,
        params: Vec::new(),
        num_warps,
        num_ctas: 1,
        shared_bytes: 0,
        global_scratch_bytes: 0,
        target: target.to_string(),
        resources: ResourceUse::default(),
        limits: LaunchLimits::default(),
    }
}

/// The code of an image of which only PTX is known: it has no parameters, since PTX does not say enough of them.
fn bare_code(ptx: &SourceFile, target: &Target) -> Result<KernelImage> {
    let entry = entry(ptx)?;
    let num_warps = match entry.threads() {
        Requirement::Exactly(threads) | Requirement::AtMost(threads) => threads.div_ceil(tk_target::WARP_SIZE),
        Requirement::Any => CompileOptions::default().num_warps,
    };
    let instructions = u32::try_from(entry.instruction_count()).unwrap_or(u32::MAX);
    let resources = ResourceUse { instructions, ..ResourceUse::default() };
    Ok(KernelImage { entry: entry.name, ptx: ptx.text().to_string(), resources, ..bare_image(target, num_warps) })
}

/// The one entry of PTX.
fn entry(ptx: &SourceFile) -> Result<tk_ptx::Function> {
    let mut entries: Vec<_> =
        tk_ptx::parse(ptx)?.functions.into_iter().filter(|one| one.is_entry && one.body.is_some()).collect();
    match (entries.pop(), entries.len()) {
        (Some(entry), 0) => Ok(entry),
        (_, more) => Err(wrong(
            ptx,
            format!("the PTX has {} entries with bodies, not one", if more == 0 { 0 } else { more + 1 }),
        )),
    }
}

fn wrong(source: &SourceFile, what: String) -> Box<Diagnostic> {
    Diagnostic::error(BAD_IR, what).at(source, Span::default(), "").boxed()
}
