//! Forms on the command line: `tk compile FILE.ttgir`, `tk run FILE --override KERNEL=FILE.ptx`.

use crate::arguments::{CompileArgs, EmitArg, IndexWidthArg, KernelArgs, OptArgs};
use crate::compile_command::{Made, finished, ptxas, until};
use crate::failure::Failure;
use crate::rehearsal::rehearse;
use crate::show::Show;
use crate::{Output, files, safety};
use std::path::Path;
use tk::Session;
use tk_diag::{Diagnostic, SourceFile, USAGE};
use tk_driver::{Form, FormRequest, Given};
use tk_target::Target;
use tk_types::CompileOptions;

/// `tk compile` of a form.
pub(crate) fn compile(source: &SourceFile, args: &CompileArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    safety::check_codes(&args.safety.allow)?;
    refuse_options_of_programs(args, source)?;
    refuse_late_options(args, source)?;
    rehearse(source, &args.file, &args.kernel.form_options())?;
    let mut request = request(source, args.kernel.given()?);
    request.options = safety::options(&args.safety, request.options);
    let mut show = Show::new(&args.show)?;
    let result = tk_driver::compile_form(&request, until(args.emit), &mut show);
    write!(output.err, "{}{}", show.printed, show.time_table())?;
    let compilation = result?;
    safety::warn(&compilation.warnings, &args.safety.allow, output)?;
    let bytes = match (args.emit, &compilation.image) {
        (EmitArg::Cubin | EmitArg::Sass, Some(image)) => {
            let ptxas = ptxas(args.emit)?;
            let assembly = tk_launch::assemble(&ptxas, &image.ptx, &image.target, &request.options)?;
            finished(args.emit, &ptxas, assembly.cubin)?
        }
        _ => compilation.text.into_bytes(),
    };
    let made = Made { bytes, image: compilation.image.as_ref(), warnings: &compilation.warnings };
    made.deliver(args, output)
}

/// What says something about a program has no meaning for a form, which has its types and checks.
fn refuse_options_of_programs(args: &CompileArgs, source: &SourceFile) -> Result<(), Failure> {
    let options = [
        ("--kernel", args.kernel.name.is_some()),
        ("--signature", args.kernel.signature.is_some()),
        ("--constexpr", !args.kernel.constexpr.is_empty()),
        ("--bound", !args.bound.is_empty()),
        ("--root", args.imports.root.is_some()),
        ("--sanitize", !args.safety.sanitize.is_empty() || args.safety.sanitize_overflow),
        ("--index-width", args.safety.index_width != IndexWidthArg::Written),
    ];
    match options.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            let what = format!("{option} says something about a program, and {} is past that", source.name());
            Err(Diagnostic::error(USAGE, what).help("compile the .tk file with it").boxed().into())
        }
    }
}

/// What a form has chosen already: warps and stages once there are threads, the GPU once there is PTX.
fn refuse_late_options(args: &CompileArgs, source: &SourceFile) -> Result<(), Failure> {
    let is_ptx = match files::form(&args.file, source) {
        Some(Form::Ptx) => true,
        Some(Form::Llvm) => false,
        Some(Form::Mlir | Form::Checked) | None => return Ok(()),
    };
    let options = [
        ("--num-warps", args.kernel.num_warps.is_some()),
        ("--num-stages", args.kernel.num_stages.is_some()),
        ("--target", is_ptx && args.kernel.target.is_some()),
    ];
    let Some((option, _)) = options.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    let language = if is_ptx { Form::Ptx } else { Form::Llvm }.language();
    let error = Diagnostic::error(USAGE, format!("{option} comes too late: {} is {language} already", source.name()));
    Err(error.help("compile the program or its MLIR with it").boxed().into())
}

/// The request for a form without options of its own.
pub(crate) fn request(source: &SourceFile, given: Given) -> FormRequest<'_> {
    FormRequest { source, given, options: CompileOptions::default(), target: tk::default_target() }
}

fn given(num_warps: Option<u32>, num_stages: Option<u32>, target: Option<&str>) -> Result<Given, Failure> {
    let target = target.map(Target::parse).transpose().map_err(Failure::usage)?;
    Ok(Given { num_warps, num_stages, target })
}

impl KernelArgs {
    /// What the command line says of a form.
    fn given(&self) -> Result<Given, Failure> {
        given(self.num_warps, self.num_stages, self.target.as_deref())
    }
}

impl KernelArgs {
    /// The same as options.
    fn form_options(&self) -> Vec<String> {
        let number = |name: &str, value: Option<u32>| value.map(|value| format!("--{name}={value}"));
        let target = self.target.as_ref().map(|target| format!("--target={target}"));
        let given = [number("num-warps", self.num_warps), number("num-stages", self.num_stages), target];
        given.into_iter().flatten().collect()
    }
}

impl OptArgs {
    /// What the command line says of a form.
    pub(crate) fn given(&self) -> Result<Given, Failure> {
        given(self.num_warps, self.num_stages, self.target.as_deref())
    }
}

/// Gives the forms of `--override` to a session; the names of their kernels.
pub(crate) fn overrides(options: &[String], session: &mut Session<Show>) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for option in options {
        let Some((kernel, file)) =
            option.split_once('=').filter(|(kernel, file)| !kernel.is_empty() && !file.is_empty())
        else {
            return Err(Failure::usage(format!("--override {option}: write KERNEL=FILE, such as matmul=edited.ttgir")));
        };
        if names.iter().any(|name| name == kernel) {
            return Err(Failure::usage(format!("--override names `{kernel}` twice")));
        }
        let (path, source) = (Path::new(file), files::read(Path::new(file))?);
        rehearse(&source, path, &[])?;
        session.replace(kernel, source);
        names.push(kernel.to_string());
    }
    Ok(names)
}

/// An override of a kernel that was not launched is a mistake.
pub(crate) fn check_overridden(names: &[String], records: &[tk::LaunchRecord]) -> Result<(), Failure> {
    let launched = || records.iter().map(|record| record.kernel.as_str());
    let Some(missing) = names.iter().find(|name| launched().all(|kernel| kernel != *name)) else { return Ok(()) };
    let error = Diagnostic::error(USAGE, format!("--override: the program launched no kernel `{missing}`"));
    let mut kernels: Vec<&str> = launched().collect();
    kernels.sort_unstable();
    kernels.dedup();
    let help = match tk_diag::nearest(missing, kernels.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it launched: {}", kernels.join(", ")),
    };
    Err(error.help(help).boxed().into())
}
