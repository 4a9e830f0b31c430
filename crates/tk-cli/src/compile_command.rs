//! `tk compile FILE --kernel K --signature … --constexpr …`.

use crate::arguments::{CompileArgs, EmitArg, KernelArgs, SafetyArgs};
use crate::failure::Failure;
use crate::show::{Show, diagnostic_json, image_json};
use crate::{Output, files, form_command, safety};
use base64::prelude::{BASE64_STANDARD, Engine};
use clap::ValueEnum;
use serde_json::json;
use std::path::{Path, PathBuf};
use tk_diag::{Diagnostic, USAGE};
use tk_driver::{Unit, Until};
use tk_grammar::ast;
use tk_image::KernelImage;
use tk_launch::Assembler;
use tk_target::Target;
use tk_types::{Argument, Brought, CompileOptions, NamedConstant, Pairs, Residency};
use tk_why::Measured;

pub(crate) fn compile(args: &CompileArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let mut show = Show::new(&args.show)?;
    if let Some(source) = files::read_form(&args.file)? {
        return form_command::compile(&source, args, output);
    }
    let module = files::parse(&args.file, &args.imports, tk::Roots::Kernels)?;
    safety::check_codes(&args.safety.allow)?;
    let chosen = chosen(&module, &args.kernel)?;
    let bounds = safety::bounds(&args.bound, tk::Bounds::any())?;
    let mut unit = Unit { bounds, ..unit(&module, &args.kernel, &chosen, &args.safety)? };
    let (least, most) = (unit.bounds.least_ctas(), unit.bounds.most_ctas());
    unit.options.residency = Residency::of_grids(least, most, unit.target.multiprocessors());
    unit.options.brought = Brought::of_grids(least, most, unit.target.multiprocessors());
    unit.options.pairs = unit.bounds.programs().map_or(Pairs::Unknown, Pairs::of_grid);
    let assembler = assembler(args.emit, &unit);
    let result = tk_driver::compile(&unit, until(args.emit), &mut show);
    write!(output.err, "{}{}", show.printed, show.time_table())?;
    let mut compilation = result?;
    for line in &compilation.printed {
        writeln!(output.err, "{line}")?;
    }
    safety::warn(&compilation.warnings, &args.safety.allow, output)?;
    let bytes = match (args.emit, &mut compilation.image) {
        (EmitArg::Cubin | EmitArg::Sass, Some(image)) => machine_code(args.emit, assembler, image, &unit)?,
        _ => compilation.text.into_bytes(),
    };
    let made = Made { bytes, image: compilation.image.as_ref(), warnings: &compilation.warnings };
    made.deliver(args, output)
}

/// What a compilation came to.
pub(crate) struct Made<'c> {
    /// The form that was asked for.
    pub(crate) bytes: Vec<u8>,
    pub(crate) image: Option<&'c KernelImage>,
    pub(crate) warnings: &'c [Diagnostic],
}

impl Made<'_> {
    /// Writes it to where the command line says, with what is known of it as far as that is asked for.
    pub(crate) fn deliver(&self, args: &CompileArgs, output: &mut Output<'_>) -> Result<(), Failure> {
        if let Some(path) = &args.output {
            files::write(path, &self.bytes)?;
        }
        if let (Some(image), true) = (self.image, args.why) {
            write!(output.err, "{}", image.resources.why.report(&Measured::default()))?;
        }
        if args.show.json {
            writeln!(output.out, "{}", self.document(args))?;
        } else if args.output.is_none() {
            output.out.write_all(&self.bytes)?;
        }
        Ok(())
    }

    /// The image with its form: the file that it was written to, else its text, or base64 where it is none.
    fn document(&self, args: &CompileArgs) -> serde_json::Value {
        let mut document = self.image.map_or_else(|| json!({}), image_json);
        document["form"] = json!(args.emit.to_possible_value().map(|value| value.get_name().to_string()));
        match (&args.output, std::str::from_utf8(&self.bytes)) {
            (Some(path), _) => document["file"] = json!(path.display().to_string()),
            (None, Ok(text)) => document["text"] = json!(text),
            (None, Err(_)) => document["base64"] = json!(BASE64_STANDARD.encode(&self.bytes)),
        }
        let heard = safety::heard(self.warnings, &args.safety.allow);
        document["warnings"] = heard.map(diagnostic_json).collect();
        document
    }
}

/// The kernel that the command line names, and what it says of its launches.
pub(crate) struct Chosen {
    kernel: String,
    args: Vec<Argument>,
    /// Values of variables of functions that the kernel is defined within.
    globals: Vec<NamedConstant>,
}

pub(crate) fn chosen(module: &ast::Module, args: &KernelArgs) -> Result<Chosen, Failure> {
    let kernel = kernel_name(module, args.name.as_deref())?.to_string();
    let specs = args.signature.as_deref().map(tk::read_signature).transpose().map_err(Failure::usage)?;
    let constexprs = constexprs(&args.constexpr)?;
    let args = tk::bind_signature(module, &kernel, specs.as_deref(), &constexprs)?;
    let globals = tk::constants_around(module, &kernel, &constexprs);
    Ok(Chosen { kernel, args, globals })
}

/// The kernel with these arguments, to be compiled as the command line says.
pub(crate) fn unit<'a>(
    module: &'a ast::Module,
    args: &KernelArgs,
    chosen: &'a Chosen,
    safety: &SafetyArgs,
) -> Result<Unit<'a>, Failure> {
    Ok(Unit {
        module,
        kernel: &chosen.kernel,
        args: &chosen.args,
        globals: &chosen.globals,
        options: safety::options(safety, options(args)?),
        target: target(args.target.as_deref())?,
        bounds: tk::Bounds::any(),
    })
}

pub(crate) fn until(emit: EmitArg) -> Until {
    match emit {
        EmitArg::Checked => Until::Checked,
        EmitArg::Tt => Until::Tt,
        EmitArg::Ttg => Until::Ttg,
        EmitArg::Llvm => Until::Llvm,
        EmitArg::Ptx | EmitArg::Cubin | EmitArg::Sass => Until::Ptx,
    }
}

fn kernel_name<'a>(module: &'a ast::Module, wanted: Option<&str>) -> Result<&'a str, Failure> {
    if let Some(wanted) = wanted {
        return Ok(tk::kernel_named(module, wanted)?.known_as());
    }
    let names: Vec<&str> = tk::kernels(module).iter().map(|function| function.known_as()).collect();
    match names.as_slice() {
        [only] => Ok(only),
        [] => Err(Failure::usage(format!("{} has no @triton.jit function", module.file.name()))),
        several => Err(Failure::usage(format!("say which kernel to compile: --kernel {}", several.join(" | ")))),
    }
}

/// `A=1,B=tl.float16`, and the option again.
fn constexprs(options: &[String]) -> Result<Vec<NamedConstant>, Failure> {
    let read = options.iter().map(|text| tk::read_constants("--constexpr", text)).collect::<tk::Result<Vec<_>>>()?;
    Ok(read.concat())
}

fn options(args: &KernelArgs) -> Result<CompileOptions, Failure> {
    let usual = CompileOptions::default();
    let num_warps = args.num_warps.unwrap_or(usual.num_warps);
    let options = CompileOptions { num_warps, num_stages: args.num_stages.unwrap_or(usual.num_stages), ..usual };
    options.check().map_err(Failure::usage)?;
    Ok(options)
}

/// The target named on the command line, else that of the GPU here, else the default of tk.
pub(crate) fn target(name: Option<&str>) -> Result<Target, Failure> {
    match name {
        Some(name) => Target::parse(name).map_err(Failure::usage),
        None => Ok(tk::default_target()),
    }
}

/// The assembler of a form of machine code, started ahead. Where there is none, the kernel is compiled before that is said.
fn assembler(emit: EmitArg, unit: &Unit<'_>) -> Option<Assembler> {
    let ptxas = tk_launch::find_ptxas().filter(|_| matches!(emit, EmitArg::Cubin | EmitArg::Sass))?;
    Some(Assembler::ahead(&ptxas, &unit.target.to_string(), &unit.options))
}

/// What ptxas makes of the kernel; the image learns its registers and spills.
fn machine_code(
    emit: EmitArg,
    assembler: Option<Assembler>,
    image: &mut KernelImage,
    unit: &Unit<'_>,
) -> Result<Vec<u8>, Failure> {
    let ptxas = ptxas(emit)?;
    let assembler = assembler.unwrap_or_else(|| Assembler::new(&ptxas, &image.target, &unit.options));
    let cubin = tk::assemble(assembler, image, unit)?;
    finished(emit, &ptxas, cubin)
}

/// The assembler that a form of machine code needs.
pub(crate) fn ptxas(emit: EmitArg) -> Result<PathBuf, Failure> {
    let form = if emit == EmitArg::Sass { "sass" } else { "cubin" };
    let missing = Diagnostic::error(USAGE, format!("--emit {form} needs ptxas, which is not here"));
    let help = "install the CUDA toolkit or set CUDA_HOME; `tk doctor` says what was looked for";
    Ok(tk_launch::find_ptxas().ok_or_else(|| missing.help(help).boxed())?)
}

/// Machine code, disassembled where that was asked for.
pub(crate) fn finished(emit: EmitArg, ptxas: &Path, cubin: Vec<u8>) -> Result<Vec<u8>, Failure> {
    if emit == EmitArg::Cubin {
        return Ok(cubin);
    }
    let text = tk_launch::disassemble(ptxas, &cubin)?;
    Ok(text.into_bytes())
}
