//! `tk explain FILE`: one HTML file that shows what tk makes of a kernel.
//!
//! It holds the IR after every pass as differences to the pass before, pictures of the layouts, what the kernel takes of a
//! multiprocessor and asks of memory, and the PTX. Each line of the source is linked to the lines of IR and PTX that come from
//! it. The file needs nothing else: style and script are in it.

mod difference;
mod layouts;
mod lines;
mod page;
mod why;

use crate::arguments::ExplainArgs;
use crate::compile_command::{bound, unit};
use crate::failure::Failure;
use crate::{Output, files, safety};
use std::time::Duration;
use tk::{DeviceChoice, LaunchRecord, Session, SessionWatcher, Until};
use tk_driver::{Form, Step, Watcher};
use tk_host::HostProgram;
use tk_image::KernelImage;
use tk_types::CompileOptions;

/// One form of a kernel on its way.
pub(crate) struct Stage {
    name: String,
    form: Form,
    elapsed: Duration,
    text: String,
}

/// One compilation with everything that is known of it.
pub(crate) struct Explained {
    kernel: String,
    stages: Vec<Stage>,
    image: Option<KernelImage>,
    /// The launch on the simulator, where there was one.
    record: Option<LaunchRecord>,
}

impl Explained {
    /// Registers and spills, where there is a `ptxas` to say them.
    fn assemble(&mut self) -> Result<(), Failure> {
        let ptx = self.stages.iter().rfind(|stage| stage.form == Form::Ptx);
        if let (Some(ptxas), Some(ptx), Some(image)) = (tk_launch::find_ptxas(), ptx, &mut self.image) {
            let assembly = tk_launch::assemble(&ptxas, &ptx.text, &image.target, &CompileOptions::default())?;
            image.resources.registers = assembly.registers;
            image.resources.spill_bytes = assembly.spill_bytes;
            if assembly.spill_bytes.is_some_and(|bytes| bytes > 0) {
                image.resources.why.spills = tk_launch::spills_by_line(&ptxas, &assembly.cubin);
            }
        }
        Ok(())
    }
}

/// Collects every form of every compilation.
#[derive(Default)]
struct Collector {
    kernels: Vec<Explained>,
}

impl Watcher for Collector {
    fn wants_text(&self, _: &str) -> bool {
        true
    }

    fn step(&mut self, step: &Step<'_>, text: Option<&str>) -> tk_diag::Result<()> {
        if let (Some(kernel), Some(text)) = (self.kernels.last_mut(), text.filter(|text| !text.is_empty())) {
            let (name, text) = (step.name.to_string(), text.to_string());
            kernel.stages.push(Stage { name, form: step.form, elapsed: step.elapsed, text });
        }
        Ok(())
    }
}

impl SessionWatcher for Collector {
    fn begin(&mut self, kernel: &str) {
        self.kernels.push(Explained { kernel: kernel.to_string(), stages: Vec::new(), image: None, record: None });
    }

    fn is_looking(&self) -> bool {
        true
    }
}

pub(crate) fn explain(args: &ExplainArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let module = files::parse(&args.file, &args.imports, tk::Roots::All)?;
    let source = module.file.clone();
    let mut kernels = match &args.kernel.signature {
        Some(_) => compiled(args, &module)?,
        None => launched(args, module, output)?,
    };
    if kernels.is_empty() {
        return Err(Failure::usage(
            "no kernel was compiled: main() launches none; name one with --kernel and --signature",
        ));
    }
    for kernel in &mut kernels {
        kernel.assemble()?;
    }
    let html = page::page(&source, &kernels);
    let path = args.output.clone().unwrap_or_else(|| args.file.with_extension("html"));
    files::write(&path, html.as_bytes())?;
    let count = if kernels.len() == 1 { "1 kernel".to_string() } else { format!("{} kernels", kernels.len()) };
    writeln!(output.out, "{} ({count}, {} KiB)", path.display(), html.len() / 1024)?;
    Ok(())
}

/// The one kernel that the command line names.
fn compiled(args: &ExplainArgs, module: &tk_grammar::ast::Module) -> Result<Vec<Explained>, Failure> {
    let bound = bound(module, &args.kernel)?;
    let unit = unit(module, &args.kernel, &bound, &args.safety)?;
    let mut collector = Collector::default();
    collector.begin(unit.kernel);
    let compilation = tk_driver::compile(&unit, Until::Ptx, &mut collector)?;
    if let Some(explained) = collector.kernels.last_mut() {
        explained.image = compilation.image;
    }
    Ok(collector.kernels)
}

/// The kernels that `main` launches, run on the simulator.
fn launched(
    args: &ExplainArgs,
    module: tk_grammar::ast::Module,
    output: &mut Output<'_>,
) -> Result<Vec<Explained>, Failure> {
    let definitions = crate::host_command::definitions(&args.define)?;
    let mut session = Session::open(DeviceChoice::Sim, Collector::default(), &module.file)?;
    let options = safety::options(&args.safety, CompileOptions::default());
    let program = HostProgram::new(module).with_options(options);
    let result = program.run_main(&definitions, &mut session, &mut *output.out);
    safety::warn(&session.take_warnings(), &args.safety.allow, output)?;
    result?;
    let mut kernels = std::mem::take(&mut session.watcher.kernels);
    kernels.retain(|kernel| args.kernel.name.as_ref().is_none_or(|wanted| *wanted == kernel.kernel));
    // A compilation belongs to the first launch of its kernel that no earlier compilation has taken.
    let mut records = session.take_records();
    for kernel in &mut kernels {
        let Some(at) = records.iter().position(|record| record.kernel == kernel.kernel) else { continue };
        let record = records.remove(at);
        let same = (record.kernel.clone(), record.signature.clone());
        records.retain(|other| (other.kernel.clone(), other.signature.clone()) != same);
        kernel.image = Some((*record.image).clone());
        kernel.record = Some(record);
    }
    Ok(kernels)
}
