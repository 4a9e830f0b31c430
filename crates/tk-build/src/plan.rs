//! What is compiled ahead of time, and the TOML that says so.

use crate::{declaration, tuned};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use tk_diag::{Diagnostic, FILE, Result, SourceFile, Span, USAGE};
use tk_image::{AtRunTime, BundledTuning};
use tk_target::Target;
use tk_types::{CompileOptions, NamedConstant};

/// The largest list of kernels that is read, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The most kernels of one bundle.
const MAX_KERNELS: usize = 10_000;

/// Kernels to compile into one bundle.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the bundle is called: an identifier of Rust and C.
    pub name: String,
    /// The GPUs that it is for.
    pub targets: Vec<Target>,
    /// What it promises.
    pub at_run_time: AtRunTime,
    /// Which entries autotuning chose.
    pub tunings: Vec<BundledTuning>,
    /// The kernels.
    pub kernels: Vec<KernelPlan>,
    /// The files that said so.
    pub files: Vec<PathBuf>,
}

/// One kernel with its compile-time arguments, and what it is compiled for.
#[derive(Clone, Debug)]
pub struct KernelPlan {
    /// The file with the kernel.
    pub file: PathBuf,
    /// The function, as [`tk_grammar::functions::choose`] takes it; nothing when the file has one kernel.
    pub kernel: Option<String>,
    /// What programs call it; nothing for the name of the function.
    pub name: Option<String>,
    /// Types of the run-time arguments with their facts, as `--signature` takes them: the most special first.
    pub signatures: Vec<String>,
    /// Compile-time arguments.
    pub constants: Vec<NamedConstant>,
    /// Warps, stages and so on.
    pub options: CompileOptions,
    /// Ranges that every launch keeps, as `--bound` takes them.
    pub bounds: Vec<String>,
}

/// A list of kernels as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    bundle: BundleTable,
    #[serde(default)]
    kernel: Vec<KernelTable>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BundleTable {
    name: Option<String>,
    #[serde(default)]
    targets: Vec<String>,
    /// What may be compiled where the bundle runs.
    at_run_time: Option<AtRunTimeWord>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AtRunTimeWord {
    DriverMayCompile,
    Nothing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KernelTable {
    file: Option<PathBuf>,
    kernel: Option<String>,
    name: Option<String>,
    signature: Option<String>,
    #[serde(default)]
    signatures: Vec<String>,
    #[serde(default)]
    constexpr: toml::Table,
    num_warps: Option<u32>,
    num_stages: Option<u32>,
    num_ctas: Option<u32>,
    maxnreg: Option<u32>,
    fp_fusion: Option<bool>,
    #[serde(default)]
    bounds: Vec<String>,
    /// Results of autotuning, whose configurations are compiled.
    tuned: Option<PathBuf>,
}

impl Plan {
    /// Reads what files say: `.toml` files are lists, others have a list in a block of comments.
    ///
    /// # Errors
    /// A file that cannot be read, or that is no list of kernels, with the place.
    pub fn read(files: &[PathBuf]) -> Result<Self> {
        let name = files.first().and_then(|file| file.file_stem()).map(|stem| stem.to_string_lossy().into_owned());
        let mut plan = Self {
            name: name.unwrap_or_default(),
            targets: Vec::new(),
            at_run_time: AtRunTime::default(),
            tunings: Vec::new(),
            kernels: Vec::new(),
            files: files.to_vec(),
        };
        let mut is_named = false;
        for path in files {
            let source = read(path)?;
            let is_list = path.extension().is_some_and(|extension| extension == "toml");
            let list = match is_list {
                true => source.text().to_string(),
                false => declaration::block(&source, path)?,
            };
            let list: List = toml::from_str(&list).map_err(|error| not_a_list(&source, &error))?;
            let bundle = list.bundle;
            if let (Some(name), false) = (&bundle.name, is_named) {
                (plan.name, is_named) = (name.clone(), true);
            }
            for target in &bundle.targets {
                let target = Target::parse(target).map_err(|message| wrong(path, &message))?;
                if !plan.targets.contains(&target) {
                    plan.targets.push(target);
                }
            }
            if matches!(bundle.at_run_time, Some(AtRunTimeWord::Nothing)) {
                plan.at_run_time = AtRunTime::Nothing;
            }
            let own = (!is_list).then_some(path.as_path());
            for kernel in list.kernel {
                let tuned = kernel.tuned.as_ref().map(|file| path.parent().unwrap_or(Path::new("")).join(file));
                let kernel = kernel.plan(path, own)?;
                match tuned {
                    Some(file) => tuned::add(&mut plan, &kernel, &file)?,
                    None => plan.kernels.push(kernel),
                }
            }
        }
        Ok(plan)
    }

    /// Checks what can be wrong before anything is compiled.
    ///
    /// # Errors
    /// A sentence about the name, the targets or the number of kernels.
    pub fn check(&self) -> Result<()> {
        let refuse = |message: String, help: &str| Err(Diagnostic::error(USAGE, message).help(help).boxed());
        if !is_name(&self.name) {
            let help = "give it another name: letters, digits and `_`, and no digit first";
            return refuse(
                format!("`{}` is no name for a bundle, whose name becomes one of Rust and C", self.name),
                help,
            );
        }
        if self.kernels.is_empty() {
            return refuse("there is no kernel to compile".into(), "add a `[[kernel]]` with its signature");
        }
        if self.kernels.len() > MAX_KERNELS {
            let message = format!("{} kernels are more than a bundle has ({MAX_KERNELS})", self.kernels.len());
            return refuse(message, "write several bundles");
        }
        Ok(())
    }
}

impl KernelTable {
    /// The plan of a kernel that is listed in `list`; `own` is the file itself where the list is one of its comments.
    fn plan(self, list: &Path, own: Option<&Path>) -> Result<KernelPlan> {
        let file = match (self.file, own) {
            (Some(file), _) => list.parent().unwrap_or(Path::new("")).join(file),
            (None, Some(own)) => own.to_path_buf(),
            (None, None) => return Err(wrong(list, "a `[[kernel]]` of a list needs `file = \"…\"`")),
        };
        let mut signatures = self.signatures;
        signatures.extend(self.signature);
        let constant = |(name, value): (&String, &toml::Value)| {
            let text = constant_text(value)
                .ok_or_else(|| wrong(list, &format!("constexpr `{name}` is no constant of a kernel")))?;
            Ok(NamedConstant::new(name.clone(), tk::read_constant(&text)?))
        };
        let usual = CompileOptions::default();
        let options = CompileOptions {
            num_warps: self.num_warps.unwrap_or(usual.num_warps),
            num_stages: self.num_stages.unwrap_or(usual.num_stages),
            num_ctas: self.num_ctas.unwrap_or(usual.num_ctas),
            maxnreg: self.maxnreg,
            fp_fusion: self.fp_fusion.unwrap_or(usual.fp_fusion),
            ..usual
        };
        options.check().map_err(|message| wrong(list, &message))?;
        Ok(KernelPlan {
            file,
            kernel: self.kernel,
            name: self.name,
            signatures,
            constants: self.constexpr.iter().map(constant).collect::<Result<_>>()?,
            options,
            bounds: self.bounds,
        })
    }
}

/// A value as `--constexpr` takes it; lists are tuples.
fn constant_text(value: &toml::Value) -> Option<String> {
    Some(match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => format!("{number:?}"),
        toml::Value::Boolean(true) => "True".to_string(),
        toml::Value::Boolean(false) => "False".to_string(),
        toml::Value::Array(items) => {
            let items: Vec<String> = items.iter().map(constant_text).collect::<Option<_>>()?;
            format!("({},)", items.join(","))
        }
        toml::Value::Datetime(_) | toml::Value::Table(_) => return None,
    })
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<SourceFile> {
    let failed = |reason: String| Diagnostic::error(FILE, format!("{}: {reason}", path.display())).boxed();
    let size = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?;
    if !size.is_file() || size.len() > MAX_BYTES {
        return Err(failed(format!("it is no file of at most {MAX_BYTES} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    Ok(SourceFile::new(path.display().to_string(), text))
}

/// What toml says, at its place where the text is the file.
fn not_a_list(source: &SourceFile, error: &toml::de::Error) -> Box<Diagnostic> {
    let message = format!("{} is no list of kernels: {}", source.name(), error.message());
    let diagnostic = Diagnostic::error(USAGE, message).help("docs/rust.md shows one");
    match error.span() {
        Some(span) if span.end <= source.text().len() => {
            diagnostic.at(source, Span::new(span.start, span.end), "").boxed()
        }
        _ => diagnostic.boxed(),
    }
}

fn wrong(path: &Path, message: &str) -> Box<Diagnostic> {
    Diagnostic::error(USAGE, format!("{}: {message}", path.display())).boxed()
}

/// Whether a name can stand in Rust and C.
pub(crate) fn is_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_part) && name.len() <= 200
}
