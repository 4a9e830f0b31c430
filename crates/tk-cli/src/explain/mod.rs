//! `tk explain FILE`: one HTML file that shows what tk makes of a kernel, or the same as JSON.
//!
//! A compilation is watched (here), what was seen becomes facts ([`gather`], [`facts`]), and the facts go into a page ([`page`]), whose
//! script shows source, IR, PTX and SASS side by side. The file needs nothing else: style, script and data are in it.

mod facts;
mod figures;
mod gather;
mod layouts;
mod lines;
mod notes;
mod page;
mod places;

use crate::arguments::ExplainArgs;
use crate::compile_command::{chosen, unit};
use crate::failure::Failure;
use crate::{Output, files, safety};
use std::path::Path;
use std::time::Duration;
use tk::{DeviceChoice, LaunchRecord, Session, SessionWatcher, Until};
use tk_diag::Diagnostic;
use tk_driver::{Form, Step, Watcher};
use tk_grammar::functions::{Named, own_name};
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
    disassembly: Disassembly,
}

/// What `nvdisasm` says of the machine code.
enum Disassembly {
    /// Its text, with lines of the source.
    Text(String),
    /// Why there is none.
    Missing(String),
}

/// What the page says where nothing can assemble.
const NO_PTXAS: &str = "There is no ptxas here, so nothing is known of machine code and registers. Install the CUDA toolkit, or set TK_PTXAS or CUDA_HOME; `tk doctor` says what was looked for.";

impl Explained {
    /// Machine code, registers and spills, where there is a `ptxas` to say them. What it refuses is said in the page.
    fn assemble(&mut self) {
        let Some(ptxas) = tk_launch::find_ptxas() else { return };
        self.disassembly = match self.machine_code(&ptxas) {
            Ok(text) => Disassembly::Text(text),
            Err(error) => Disassembly::Missing(error.message.clone()),
        };
    }

    fn machine_code(&mut self, ptxas: &Path) -> tk::Result<String> {
        let ptx = self.stages.iter().rfind(|stage| stage.form == Form::Ptx);
        let (Some(ptx), Some(image)) = (ptx, &mut self.image) else { return Ok(String::new()) };
        let assembly = tk_launch::assemble(ptxas, &ptx.text, &image.target, &CompileOptions::default())?;
        image.resources.registers = assembly.registers;
        image.resources.spill_bytes = assembly.spill_bytes;
        let text = tk_launch::disassemble_with_lines(ptxas, &assembly.cubin)?;
        if assembly.spill_bytes.is_some_and(|bytes| bytes > 0) {
            image.resources.why.spills = tk_launch::spills_of(&text);
        }
        Ok(text)
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
        let disassembly = Disassembly::Missing(NO_PTXAS.to_string());
        let (kernel, stages) = (kernel.to_string(), Vec::new());
        self.kernels.push(Explained { kernel, stages, image: None, record: None, disassembly });
    }

    fn is_looking(&self) -> bool {
        true
    }
}

pub(crate) fn explain(args: &ExplainArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let module = files::parse(&args.file, &args.imports, tk::Roots::All)?;
    let source = module.file.clone();
    let mut seen = match &args.kernel.signature {
        Some(_) => compiled(args, &module)?,
        None => launched(args, module, output)?,
    };
    if seen.kernels.is_empty() {
        return Err(Failure::usage(
            "no kernel was compiled: main() launches none; name one with --kernel and --signature",
        ));
    }
    seen.kernels.iter_mut().for_each(Explained::assemble);
    let facts = gather::facts(&source, &seen.kernels, &seen.warnings);
    if args.json {
        serde_json::to_writer(&mut *output.out, &facts).map_err(std::io::Error::from)?;
        writeln!(output.out)?;
        return Ok(());
    }
    let html = page::page(facts)?;
    let path = args.output.clone().unwrap_or_else(|| args.file.with_extension("html"));
    files::write(&path, html.as_bytes())?;
    let count = seen.kernels.len();
    let count = if count == 1 { "1 kernel".to_string() } else { format!("{count} kernels") };
    writeln!(output.out, "{} ({count}, {} KiB)", path.display(), html.len() / 1024)?;
    Ok(())
}

/// The compilations of a command, and what tk warned of meanwhile.
struct Seen {
    kernels: Vec<Explained>,
    warnings: Vec<Diagnostic>,
}

/// The one kernel that the command line names.
fn compiled(args: &ExplainArgs, module: &tk_grammar::ast::Module) -> Result<Seen, Failure> {
    let chosen = chosen(module, &args.kernel)?;
    let unit = unit(module, &args.kernel, &chosen, &args.safety)?;
    let mut collector = Collector::default();
    collector.begin(unit.kernel);
    let compilation = tk_driver::compile(&unit, Until::Ptx, &mut collector)?;
    if let Some(explained) = collector.kernels.last_mut() {
        explained.image = compilation.image;
    }
    let warnings = safety::heard(&compilation.warnings, &args.safety.allow).cloned().collect();
    Ok(Seen { kernels: collector.kernels, warnings })
}

/// The kernels that `main` launches, run on the simulator.
fn launched(args: &ExplainArgs, module: tk_grammar::ast::Module, output: &mut Output<'_>) -> Result<Seen, Failure> {
    let definitions = crate::host_command::definitions(&args.define)?;
    // Kernels of imported files have the names that these know them by.
    let wanted = args.kernel.name.as_deref().map(|name| match module.choose(name) {
        Named::One(function) => function.known_as().to_string(),
        Named::Several(_) | Named::Nothing => name.to_string(),
    });
    let mut session = Session::open(DeviceChoice::Sim, Collector::default(), &module.file)?;
    let options = safety::options(&args.safety, CompileOptions::default());
    let program = HostProgram::new(module).with_options(options);
    let result = program.run_main(&definitions, &mut session, output.program());
    let warnings = session.take_warnings();
    safety::warn(&warnings, &args.safety.allow, output)?;
    result?;
    let mut kernels = std::mem::take(&mut session.watcher.kernels);
    if let Some(wanted) = wanted {
        let is_known = kernels.iter().any(|kernel| kernel.kernel == wanted);
        kernels.retain(|kernel| kernel.kernel == wanted || !is_known && own_name(&kernel.kernel) == wanted);
    }
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
    let warnings = safety::heard(&warnings, &args.safety.allow).cloned().collect();
    Ok(Seen { kernels, warnings })
}
