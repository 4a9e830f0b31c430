//! From a checked kernel, or from text of a later stage, to PTX.

use crate::compile::{Until, timed};
use crate::origin::Origin;
use crate::stages::Stages;
use crate::watch::{Form, Recorder, WITH_LOCATIONS};
use crate::{dots, foreign};
use tk_check::checked::Kernel;
use tk_codegen::{CodegenContext, Generated};
use tk_diag::{Diagnostic, Result, SourceFile};
use tk_image::{KernelImage, ResourceUse};
use tk_ir::{Context, Module, Op};
use tk_passes::{PassContext, Position, run_pipeline, why};
use tk_target::Target;
use tk_types::{Argument, CompileOptions, DotPolicy};
use tk_why::Why;

/// The places between steps at which the back end stops: what may be asked for, and where why widths are lost can be told.
const ENDS: [(Position, Option<Until>); 3] =
    [(Position::TT, Some(Until::Tt)), (Position::TTG, None), (Position::END, Some(Until::Ttg))];

/// What the back end begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<'a> {
    /// A checked kernel.
    Kernel(&'a Kernel),
    /// MLIR, and the place in the pipeline that it has come to.
    Text(&'a SourceFile, Position),
}

impl Start<'_> {
    fn module<'c>(&self, context: &'c Context) -> Result<Module<'c>> {
        match self {
            Start::Kernel(kernel) => tk_lower::lower(context, kernel),
            Start::Text(text, _) => foreign::read(context, text),
        }
    }

    fn position(&self) -> Position {
        match self {
            Start::Kernel(_) => Position::START,
            Start::Text(_, position) => *position,
        }
    }
}

/// Reads MLIR.
pub(crate) fn read<'c>(context: &'c Context, text: &SourceFile) -> Result<Module<'c>> {
    let module = Module::parse(context, text)?;
    place_terminators(&module, text.name());
    Ok(module)
}

/// MLIR does not print the ends of loops that pass nothing on, so they come back with a place in the text. They get that of their loop.
fn place_terminators(module: &Module<'_>, file: &str) {
    let is_in_text = |op: Op<'_>| op.loc().file_line_col().is_some_and(|(name, _, _)| name == file);
    for op in module.op().descendants().into_iter().filter(|op| op.is_terminator() && is_in_text(*op)) {
        if let Some(parent) = op.parent_op() {
            op.set_loc(parent.loc());
        }
    }
}

/// One way through the back end.
pub(crate) struct Job<'a> {
    pub(crate) start: Start<'a>,
    /// The arguments; none where they are only known from the text.
    pub(crate) args: &'a [Argument],
    /// As [`Origin::signature`].
    pub(crate) signature: String,
    /// What diagnostics show the lines of.
    pub(crate) source: SourceFile,
    pub(crate) target: Target,
    pub(crate) options: CompileOptions,
    pub(crate) dots: DotPolicy,
    pub(crate) until: Until,
}

/// What the back end made.
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) image: Option<KernelImage>,
    pub(crate) warning: Option<Diagnostic>,
}

/// From the start to `until`. `stages` limits the stages of its loops; of a kernel that does not fit, it becomes the number that may.
pub(crate) fn back_end(job: &Job<'_>, stages: &mut Stages, recorder: &mut Recorder<'_>) -> Result<Made> {
    let (context, elapsed) = timed(Context::new);
    recorder.record("mlir-context", Form::Mlir, elapsed, String::new)?;
    let (module, elapsed) = timed(|| job.start.module(&context));
    let module = module?;
    let mut options = job.options.clone();
    if options.sanitize.is_on() {
        // The checks stand between the loads and the products of a loop, so there is nothing to pipeline.
        options.num_stages = 1;
    }
    stages.limit(&module, &mut options);
    let origin = job.origin(options.clone());
    recorder.begin(origin, job.start.position());
    match job.start {
        Start::Kernel(_) => recorder.record_module("lower", elapsed, &module)?,
        Start::Text(..) => recorder.record("read", Form::Mlir, elapsed, String::new)?,
    }
    module.verify()?;
    let passes = PassContext { target: job.target, options, source: Some(job.source.clone()) };
    let mut at = job.start.position();
    let mut accesses = Vec::new();
    for (end, until) in ENDS {
        let ran = run_pipeline(&module, &at.steps_to(end), &passes, recorder);
        ran.inspect_err(|error| stages.lower(error, &module, &passes))?;
        at = at.max(end);
        if end == Position::TTG {
            accesses = why::of_accesses(&module, &passes);
        }
        if Some(job.until) == until {
            recorder.stamp(&module);
            return Ok(Made { text: module.print(WITH_LOCATIONS), image: None, warning: None });
        }
    }
    let keep_llvm_ir = job.keeps_llvm_ir(recorder);
    let why = Why { accesses, ..why::of_layouts(&module, &passes) };
    let mut generated = dots::generate(&module, job.codegen(keep_llvm_ir))?;
    generated.image.resources.why = why;
    match job.start {
        Start::Kernel(_) => generated.image.promise(job.args),
        Start::Text(..) => crate::resume::promise(&mut generated.image, &module),
    }
    finish(job, generated, recorder)
}

impl Job<'_> {
    /// What forms say of themselves.
    pub(crate) fn origin(&self, options: CompileOptions) -> Origin {
        let (target, signature) = (Some(self.target.to_string()), self.signature.clone());
        Origin { after: None, target, signature, options, image: None }
    }

    pub(crate) fn keeps_llvm_ir(&self, recorder: &Recorder<'_>) -> bool {
        self.until == Until::Llvm || recorder.wants_text("llvm") || recorder.wants_text("emit-llvm")
    }

    /// What code generation has to know.
    pub(crate) fn codegen(&self, keep_llvm_ir: bool) -> CodegenContext {
        CodegenContext {
            target: self.target,
            options: self.options.clone(),
            source: Some(self.source.clone()),
            keep_llvm_ir,
            dots: self.dots,
        }
    }
}

/// What a launch needs beside the text of a form.
fn without_code(image: &KernelImage) -> KernelImage {
    let resources = ResourceUse { why: Why::default(), ..image.resources.clone() };
    KernelImage { ptx: String::new(), cubin: None, resources, ..image.clone() }
}

/// Shows the forms that code generation made.
pub(crate) fn finish(job: &Job<'_>, generated: Generated, recorder: &mut Recorder<'_>) -> Result<Made> {
    let image = || without_code(&generated.image);
    let marked = |after: &str, begin: &str, text: &str| {
        let origin = Origin { after: Some(after.to_string()), image: Some(image()), ..job.origin(job.options.clone()) };
        origin.comment(begin) + text
    };
    for (name, elapsed) in &generated.timings {
        let (form, begin, text) = match *name {
            "emit-llvm" => (Form::Llvm, ";", generated.llvm_ir_before.as_deref()),
            "ptx" => (Form::Ptx, "//", Some(generated.image.ptx.as_str())),
            _ => (Form::Llvm, ";", generated.llvm_ir.as_deref()),
        };
        let is_marked = recorder.wants_origins();
        let text = || text.map(|text| if is_marked { marked(name, begin, text) } else { text.to_string() });
        recorder.record(name, form, *elapsed, || text().unwrap_or_default())?;
    }
    let text = match job.until {
        Until::Llvm => marked("llvm", ";", generated.llvm_ir.as_deref().unwrap_or_default()),
        Until::Checked | Until::Tt | Until::Ttg | Until::Ptx => generated.image.ptx.clone(),
    };
    Ok(Made { text, image: Some(generated.image), warning: None })
}
