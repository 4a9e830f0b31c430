//! Compiles a plan: every kernel, signature and target is a unit of its own, and units are compiled on all cores.

use crate::plan::{KernelPlan, Plan, is_name};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tk_diag::{Diagnostic, USAGE};
use tk_driver::{Bounds, Unit, Until, Unwatched};
use tk_grammar::ast::Module;
use tk_image::{
    AtRunTime, Bundle, BundleEntry, Constant, GridLimit, KernelImage, LaunchLimits, NumberLimit, ParamKind, Variant,
};
use tk_launch::{Assembler, Cache, LookUp, find_ptxas};
use tk_target::Target;
use tk_types::{Argument, Brought, CompileOptions, NamedConstant, Residency};

/// Stack of a thread that compiles. Nesting in the input is bounded, so this is never used up.
const STACK_BYTES: usize = 512 << 20;

/// How a plan is compiled.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where compiled kernels are kept; nothing compiles everything.
    pub cache: Option<Cache>,
    /// How many kernels are compiled at the same time; 0 for one on each core.
    pub jobs: usize,
}

/// What became of a plan.
#[derive(Clone, Debug)]
pub struct Built {
    /// The kernels.
    pub bundle: Bundle,
    /// Kernels that were compiled now.
    pub compiled: usize,
    /// Kernels that were compiled before.
    pub reused: usize,
    /// Warnings about the kernels.
    pub warnings: Vec<Diagnostic>,
    /// Every file that was read, imported ones included.
    pub inputs: Vec<PathBuf>,
}

/// One compilation: an entry, a signature of it and a target.
struct Task<'p> {
    plan: &'p KernelPlan,
    module: &'p Module,
    kernel: &'p str,
    args: &'p [Argument],
    globals: &'p [NamedConstant],
    bounds: &'p Bounds,
    target: Target,
    options: CompileOptions,
}

/// What a task gave.
struct Done {
    image: KernelImage,
    warnings: Vec<Diagnostic>,
    is_new: bool,
}

/// What became of a task.
type Outcome = Result<Done, Vec<Diagnostic>>;

/// A kernel of the plan, bound to its signatures.
struct Entry<'p> {
    name: String,
    kernel: String,
    made_from: String,
    plan: &'p KernelPlan,
    module: &'p Module,
    /// The arguments, for each signature.
    bound: Vec<Vec<Argument>>,
    /// Values of variables around the kernel.
    globals: Vec<NamedConstant>,
    bounds: Bounds,
}

/// Compiles a plan. Without targets it is compiled for the first GPU here, or [`Target::default`].
///
/// # Errors
/// What is wrong with the plan or its kernels. A promise of machine code needs ptxas.
pub fn compile(plan: &Plan, settings: &Settings) -> Result<Built, Vec<Diagnostic>> {
    let one = |error: Box<Diagnostic>| vec![*error];
    plan.check().map_err(one)?;
    let ptxas = find_ptxas();
    if plan.at_run_time == AtRunTime::Nothing && ptxas.is_none() {
        let message =
            "the bundle promises that nothing is compiled at run time, and there is no ptxas to make machine code";
        return Err(vec![Diagnostic::error(USAGE, message).help("install the CUDA toolkit, or set TK_PTXAS")]);
    }
    let Sources { modules, inputs } = parse_all(plan)?;
    let entries =
        plan.kernels.iter().map(|kernel| entry(kernel, &modules[&kernel.file])).collect::<Result<Vec<_>, _>>()?;
    check_names(&entries)?;
    let targets = if plan.targets.is_empty() { vec![tk::default_target()] } else { plan.targets.clone() };
    let mut tasks = Vec::new();
    for Entry { plan, module, kernel, bound, globals, bounds, .. } in &entries {
        for args in bound {
            tasks.extend(targets.iter().map(|target| {
                let (least, most) = (bounds.least_ctas(), bounds.most_ctas());
                let residency = Residency::of_grids(least, most, target.multiprocessors());
                let brought = Brought::of_grids(least, most, target.multiprocessors());
                let options = CompileOptions { residency, brought, ..plan.options.clone() };
                Task { plan, module, kernel, args, globals, bounds, target: *target, options }
            }));
        }
    }
    let done = run_all(&tasks, settings, ptxas.as_deref())?;
    let compiled = done.iter().filter(|one| one.is_new).count();
    let (mut warnings, mut images) = (Vec::new(), Vec::with_capacity(done.len()));
    let reused = done.len() - compiled;
    for one in done {
        warnings.extend(one.warnings);
        images.push(one.image);
    }
    let bundle = bundle(plan, &entries, images, targets.len());
    bundle
        .validate()
        .map_err(|error| vec![Diagnostic::bug(format!("a bundle that was made is not valid: {error}"))])?;
    Ok(Built { bundle, compiled, reused, warnings, inputs })
}

/// The files of a plan.
struct Sources {
    /// Those with kernels, each parsed once.
    modules: HashMap<PathBuf, Module>,
    /// All that were read.
    inputs: Vec<PathBuf>,
}

fn parse_all(plan: &Plan) -> Result<Sources, Vec<Diagnostic>> {
    let (mut modules, mut inputs) = (HashMap::new(), plan.files.clone());
    for kernel in &plan.kernels {
        if modules.contains_key(&kernel.file) {
            continue;
        }
        let source = crate::plan::read(&kernel.file).map_err(|error| vec![*error])?;
        let module = tk::parse(&source)?;
        let module = tk::read_imports(&module, &kernel.file, None, tk::Roots::Kernels).map_err(|error| vec![*error])?;
        inputs.push(kernel.file.clone());
        inputs.extend(module.file.parts().map(|part| PathBuf::from(part.name())));
        modules.insert(kernel.file.clone(), module);
    }
    inputs.retain(|path| path.is_file());
    inputs.sort();
    inputs.dedup();
    Ok(Sources { modules, inputs })
}

fn entry<'p>(plan: &'p KernelPlan, module: &'p Module) -> Result<Entry<'p>, Vec<Diagnostic>> {
    let file = plan.file.display();
    let wrong = |message: String, help: &str| vec![Diagnostic::error(USAGE, format!("{file}: {message}")).help(help)];
    let names: Vec<&str> = tk::kernels(module).iter().map(|function| function.known_as()).collect();
    let kernel = match (&plan.kernel, names.as_slice()) {
        (Some(kernel), _) => kernel.clone(),
        (None, [only]) => (*only).to_string(),
        (None, []) => return Err(wrong("it has no @triton.jit function".into(), "name a file with kernels")),
        (None, several) => {
            let help = format!(
                "write kernel = {}",
                several.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" or ")
            );
            return Err(wrong("it has several kernels".into(), &help));
        }
    };
    let function = tk::kernel_named(module, &kernel).map_err(|error| vec![*error])?;
    let name = plan.name.clone().unwrap_or_else(|| function.name.text.clone());
    // However the list writes it, a program that brings the bundle along has this name for it.
    let kernel = function.known_as().to_string();
    if !is_name(&name) {
        return Err(wrong(format!("`{name}` is no name of Rust and C"), "give the kernel another name"));
    }
    let bind = |text: Option<&String>| {
        let specs =
            text.map(|text| tk::read_signature(text).map_err(|error| wrong(error, "docs/rust.md shows signatures")));
        tk::bind_signature(module, &kernel, specs.transpose()?.as_deref(), &plan.constants)
    };
    let bound = match plan.signatures.as_slice() {
        [] => vec![bind(None)?],
        signatures => signatures.iter().map(|text| bind(Some(text))).collect::<Result<_, _>>()?,
    };
    let bounds =
        tk::read_bounds(&plan.bounds, Bounds::any()).map_err(|error| wrong(error, "bounds are ranges of integers"))?;
    let is_known = |name: &str| bound[0].iter().any(|arg| arg.name == name && arg.is_runtime());
    if let Some((name, _)) = bounds.args.iter().find(|(name, _)| !is_known(name)) {
        return Err(wrong(
            format!("`{kernel}` has no run-time argument `{name}`"),
            "bounds name integers among the arguments",
        ));
    }
    let made_from = tk::made_from(module, &kernel, &plan.options);
    let globals = tk::constants_around(module, &kernel, &plan.constants);
    Ok(Entry { name, kernel, made_from, plan, module, bound, globals, bounds })
}

fn check_names(entries: &[Entry<'_>]) -> Result<(), Vec<Diagnostic>> {
    let mut known: HashMap<&str, &Entry<'_>> = HashMap::new();
    for entry in entries {
        if let Some(other) = known.insert(&entry.name, entry) {
            let (a, b) = (other.plan.file.display(), entry.plan.file.display());
            let message = format!("two kernels are called `{}`, of {a} and {b}", entry.name);
            return Err(vec![Diagnostic::error(USAGE, message).help("give one of them another `name`")]);
        }
    }
    Ok(())
}

/// Runs all tasks, in order of their numbers, on several threads. The errors are those of the first task that has some.
fn run_all(tasks: &[Task<'_>], settings: &Settings, ptxas: Option<&Path>) -> Result<Vec<Done>, Vec<Diagnostic>> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let jobs = if settings.jobs == 0 { cores } else { settings.jobs }.min(tasks.len()).max(1);
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Outcome>>> = Mutex::new(tasks.iter().map(|_| None).collect());
    let work = || {
        while let Some((at, task)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, tasks.get(at)?)))
        {
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(task, settings, ptxas)));
            let done = done
                .unwrap_or_else(|_| Err(vec![Diagnostic::bug("an internal check failed while a kernel was compiled")]));
            results.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[at] = Some(done);
        }
    };
    std::thread::scope(|scope| {
        for number in 0..jobs {
            let thread = std::thread::Builder::new().name(format!("tk-build-{number}")).stack_size(STACK_BYTES);
            if thread.spawn_scoped(scope, work).is_err() {
                break;
            }
        }
    });
    let results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let missing = || Err(vec![Diagnostic::bug("a kernel was not compiled: no thread could be started")]);
    results.into_iter().map(|result| result.unwrap_or_else(missing)).collect()
}

fn run(task: &Task<'_>, settings: &Settings, ptxas: Option<&Path>) -> Result<Done, Vec<Diagnostic>> {
    let one = |error: Box<Diagnostic>| vec![*error];
    let unit = Unit {
        module: task.module,
        kernel: task.kernel,
        args: task.args,
        globals: task.globals,
        options: task.options.clone(),
        target: task.target,
        bounds: task.bounds.clone(),
    };
    let key = format!("ahead of time\n{}", tk::cache_key_with(&unit, ptxas));
    let mut new: Option<Vec<Diagnostic>> = None;
    let compile = || {
        let assembler = ptxas.map(|ptxas| Assembler::ahead(ptxas, &unit.target.to_string(), &unit.options));
        let compilation = tk_driver::compile(&unit, Until::Ptx, &mut Unwatched)?;
        let mut image =
            compilation.image.ok_or_else(|| vec![Diagnostic::bug("a compilation to PTX gave no kernel image")])?;
        if let Some(assembler) = assembler {
            image.cubin = Some(tk::assemble(assembler, &mut image, &unit).map_err(one)?);
        }
        Ok::<_, Vec<Diagnostic>>((image, compilation.warnings))
    };
    let mut make = || {
        let (image, warnings) = compile()?;
        new = Some(warnings);
        Ok::<_, Vec<Diagnostic>>(image)
    };
    let mut image = match settings.cache.as_ref() {
        Some(cache) => match cache.look_up(&key) {
            LookUp::Found(image) => *image,
            LookUp::Missing(turn) => {
                let image = make()?;
                // A cache that cannot be written only costs time.
                let _ = turn.store(&image);
                image
            }
        },
        None => make()?,
    };
    image.limits = limits(&image, task.bounds, &task.plan.bounds);
    // A program that launches it does not ask why.
    image.resources.why = Default::default();
    Ok(Done { image, is_new: new.is_some(), warnings: new.unwrap_or_default() })
}

/// What the bounds of a kernel say of its parameters and its grid.
fn limits(image: &KernelImage, bounds: &Bounds, texts: &[String]) -> LaunchLimits {
    if texts.is_empty() {
        return LaunchLimits::default();
    }
    let number = |(at, param): (usize, &tk_image::ImageParam)| {
        let (_, range) = bounds.args.iter().rev().find(|(name, _)| *name == param.name)?;
        let is_number = matches!(param.kind, ParamKind::Scalar(_));
        is_number.then_some(NumberLimit { param: at as u32, low: range.low, high: range.high })
    };
    let any = Bounds::any();
    let grid = std::array::from_fn(|axis| {
        let high = u32::try_from(bounds.grid[axis].high.max(0)).unwrap_or(u32::MAX);
        (bounds.grid[axis] != any.grid[axis]).then_some(GridLimit { high })
    });
    LaunchLimits { numbers: image.arguments().filter_map(number).collect(), grid }
}

fn bundle(plan: &Plan, entries: &[Entry<'_>], images: Vec<KernelImage>, targets: usize) -> Bundle {
    let mut images = images.into_iter();
    let constants = |args: &[Argument]| {
        let constant = |arg: &Argument| Some(Constant { name: arg.name.clone(), value: arg.constant()?.to_string() });
        args.iter().filter_map(constant).collect()
    };
    let mut made = Vec::with_capacity(entries.len());
    for entry in entries {
        let variant = |args: &Vec<Argument>| {
            let texts: Vec<String> = args.iter().filter(|arg| arg.is_runtime()).map(Argument::to_string).collect();
            Variant { signature: texts.join(", "), images: images.by_ref().take(targets).collect() }
        };
        let variants: Vec<Variant> = entry.bound.iter().map(variant).collect();
        let arguments = variants.first().and_then(|variant| variant.images.first()).map(BundleEntry::arguments_of);
        made.push(BundleEntry {
            name: entry.name.clone(),
            kernel: entry.kernel.clone(),
            made_from: entry.made_from.clone(),
            constants: entry.bound.first().map(|args| constants(args)).unwrap_or_default(),
            arguments: arguments.unwrap_or_default(),
            variants,
        });
    }
    Bundle {
        name: plan.name.clone(),
        compiler: format!("tk {}", env!("CARGO_PKG_VERSION")),
        at_run_time: plan.at_run_time,
        entries: made,
        tunings: plan.tunings.clone(),
    }
}
