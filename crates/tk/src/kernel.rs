//! Kernels whose text is compiled while the program runs, and launched through `tk-runtime`.
//!
//! ```text
//! text → Kernel (constants, options) → on(gpu) → GpuKernel → launch(stream, grid, arguments)
//! ```
//!
//! A launch is specialised as Triton does it: one kernel is compiled for arguments that are alike (types, multiples of 16, ones). Later
//! launches of the kind find it without a lock and without an allocation.

mod value;
mod variants;

pub use value::{Block, Value};

use crate::bundled::{self, Bundles, Found};
use crate::{Error, assemble, declared_params};
use smallvec::SmallVec;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tk_diag::{BAD_LAUNCH, DEVICE, Diagnostic, SourceFile, UNKNOWN_NAME};
use tk_driver::{Bounds, Unit, Until, Unwatched};
use tk_grammar::ast::{FunctionDef, Module};
use tk_image::{Bundle, KernelImage};
use tk_import::Roots;
use tk_launch::{Assembler, Cache, DeclaredParam, LaunchValue, LookUp, ParamRole, Specialisation};
use tk_runtime::{Arg, Gpu, Stream};
use tk_target::Target;
use tk_types::{ArgSpec, Argument, Brought, CompileOptions, ConstValue, NamedConstant, Pairs, Residency};
use value::Key;
use variants::Variants;

/// Stack of a compiling thread: LLVM recurses over the code.
const STACK_BYTES: usize = 64 << 20;

/// The text of a kernel with its constants and options; nothing is compiled yet.
#[derive(Clone, Debug)]
pub struct Kernel {
    module: Module,
    name: String,
    constants: Vec<NamedConstant>,
    options: CompileOptions,
    /// What launches may assume of parameters, where it is not what the text says.
    specialisations: Vec<Special>,
    /// What it may be compiled for; anything when there is none.
    signatures: Vec<Vec<ArgSpec>>,
    bundles: Bundles,
}

/// What launches may assume of the values of a parameter.
#[derive(Clone, Debug)]
struct Special {
    name: String,
    specialisation: Specialisation,
}

impl Kernel {
    /// The kernel of this name in a text. `file` is what messages call the text. A kernel that is defined within a function may have a name
    /// with that of the function, `make.kernel`, and any kernel one with its line, `kernel:12`.
    ///
    /// # Errors
    /// A text that does not parse, or that has no such kernel, or several of them.
    pub fn from_source(file: &str, text: &str, kernel: &str) -> Result<Self, Error> {
        Self::of(tk_grammar::parse(&SourceFile::new(file, text))?, kernel)
    }

    /// The kernel of this name in a file, with what the file imports from files around it.
    ///
    /// # Errors
    /// A file that cannot be read, and those of [`Self::from_source`].
    pub fn from_file(path: impl AsRef<Path>, kernel: &str) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::File { path: path.to_path_buf(), reason: error.to_string() })?;
        let module = tk_grammar::parse(&SourceFile::new(path.display().to_string(), text))?;
        Self::of(tk_import::read_imports(&module, path, None, Roots::Kernels)?, kernel)
    }

    fn of(module: Module, name: &str) -> Result<Self, Error> {
        if module.function(name).is_none() {
            let message = format!("{} has no kernel `{name}`", module.file.name());
            let names: Vec<&str> = tk_check::kernels(&module).iter().map(|kernel| kernel.known_as()).collect();
            let help = format!("it has {}", if names.is_empty() { "none".into() } else { names.join(", ") });
            return Err(Diagnostic::error(UNKNOWN_NAME, message).help(help).boxed().into());
        }
        // Lists of kernels and bundles have the same name for it, however it is written here.
        let name = tk_check::kernel_named(&module, name)?.known_as().to_string();
        let options = CompileOptions::default();
        let (constants, specialisations, signatures) = (Vec::new(), Vec::new(), Vec::new());
        let bundles = Bundles::default();
        Ok(Self { module, name, constants, options, specialisations, signatures, bundles })
    }

    /// Fixes a parameter to a value: those that are `tl.constexpr`, and any other. A variable of a function that the kernel is defined within,
    /// too.
    pub fn constant(mut self, name: &str, value: impl Into<ConstValue>) -> Self {
        self.constants.push(NamedConstant::new(name, value.into()));
        self
    }

    /// How it is compiled: warps, stages and so on.
    pub fn options(mut self, options: CompileOptions) -> Self {
        self.options = options;
        self
    }

    /// What launches may assume of the values of a parameter, whatever `do_not_specialize` of the text says: that it is a one or a multiple
    /// of 16, or less. Kernels that assume less are compiled for fewer kinds of launches.
    pub fn specialise(mut self, name: &str, specialisation: Specialisation) -> Self {
        self.specialisations.push(Special { name: name.to_string(), specialisation });
        self
    }

    /// The kernel is compiled for these signatures alone, as `tk compile --signature` takes them, with an entry for each argument of a launch:
    /// `"*fp32:16,*fp32:16,i32:16,fp32"`. A launch takes the first whose facts hold of its arguments; one for which none does is an error.
    ///
    /// # Errors
    /// A text that is no signature.
    pub fn signatures(mut self, texts: &[&str]) -> Result<Self, Error> {
        for text in texts {
            let wrong = |message: String| Diagnostic::error(BAD_LAUNCH, message).help("docs/rust.md shows signatures");
            self.signatures.push(tk_check::read_signature(text).map_err(|message| wrong(message).boxed())?);
        }
        Ok(self)
    }

    /// Takes the kernel from a bundle of `tk build` before anything is compiled. Where the bundle promises that nothing is compiled at run
    /// time, a launch that it has no kernel for is an error that says which, and what to add to the list of kernels.
    pub fn bundle(mut self, bundle: &Arc<Bundle>) -> Self {
        self.bundles.add(bundle.clone());
        self
    }

    /// The kernel on a GPU. It is compiled when it is launched first, or by [`GpuKernel::prepare`].
    ///
    /// # Errors
    /// Constants for parameters that the kernel has not, options that do not exist, and GPUs that tk does not know.
    pub fn on(&self, gpu: &Arc<Gpu>) -> Result<GpuKernel, Error> {
        let unknown = |message: String, help: &str| Diagnostic::error(BAD_LAUNCH, message).help(help).boxed();
        self.options.check().map_err(|message| unknown(message, "change the options of the kernel"))?;
        let function = self.function()?;
        let all = declared_params(&self.module, function);
        let around = tk_check::constants_around(&self.module, &self.name, &self.constants);
        let is_around = |name: &str| around.iter().any(|one| one.name == name);
        let fixed = self.constants.iter().map(|one| &one.name).filter(|name| !is_around(name));
        let mut named = fixed.chain(self.specialisations.iter().map(|one| &one.name));
        if let Some(other) = named.find(|name| all.iter().all(|param| param.name != **name)) {
            let names: Vec<&str> = all.iter().map(|param| param.name.as_str()).collect();
            let message = format!("`{}` has no parameter `{other}`", self.name);
            return Err(unknown(message, &format!("its parameters are {}", names.join(", "))).into());
        }
        let Some(target) = gpu.info().target() else {
            let message = format!("tk compiles nothing for {}", gpu.info());
            return Err(Diagnostic::error(DEVICE, message).help("`tk doctor` lists the GPUs").boxed().into());
        };
        let is_passed = |param: &DeclaredParam| {
            param.role != ParamRole::Constexpr && self.constants.iter().all(|one| one.name != param.name)
        };
        let special = |param: DeclaredParam| match self.specialisations.iter().rev().find(|one| one.name == param.name)
        {
            Some(one) => DeclaredParam { specialisation: one.specialisation, ..param },
            None => param,
        };
        let params = all.into_iter().filter(is_passed).map(special).collect();
        let (gpu, cache) = (gpu.clone(), crate::open_cache());
        let (kernel, variants, turn) = (self.clone(), Variants::default(), Mutex::new(()));
        let remarks = Mutex::default();
        Ok(GpuKernel(Arc::new(Inner { kernel, around, gpu, target, params, cache, variants, turn, remarks })))
    }

    fn function(&self) -> Result<&FunctionDef, Error> {
        let missing = || Diagnostic::error(UNKNOWN_NAME, format!("there is no kernel `{}`", self.name)).boxed();
        Ok(self.module.function(&self.name).ok_or_else(missing)?)
    }
}

/// A [`Kernel`] on one GPU with all that was compiled of it. Cheap to clone, and for use from several threads.
#[derive(Clone)]
pub struct GpuKernel(Arc<Inner>);

struct Inner {
    kernel: Kernel,
    /// Those of its constants that are values of variables around it.
    around: Vec<NamedConstant>,
    gpu: Arc<Gpu>,
    target: Target,
    /// What launches pass, in order.
    params: Vec<DeclaredParam>,
    cache: Option<Cache>,
    variants: Variants<Arc<Variant>>,
    /// Held by the thread that compiles.
    turn: Mutex<()>,
    remarks: Mutex<Remarks>,
}

/// What compilations say besides their kernels.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    /// Warnings, each with its place in the text.
    pub warnings: Vec<Diagnostic>,
    /// What `tl.static_print` printed, line by line.
    pub printed: Vec<String>,
}

/// What a kernel is compiled for besides its arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Launches {
    residency: Residency,
    brought: Brought,
    pairs: Pairs,
}

impl Launches {
    /// Added to the key of a launch.
    fn add_to(self, key: &mut Key) {
        key.push(match self.residency {
            Residency::Any => 0,
            Residency::One => u64::MAX - 1,
            Residency::AtMost(ctas) => u64::from(ctas),
            Residency::Many => u64::MAX,
        });
        key.push(self.brought.at_most().map_or(0, u64::from));
        key.push(match self.pairs {
            Pairs::Unknown => 0,
            Pairs::Even => 1,
            Pairs::Eager => 2,
        });
    }
}

/// A kernel that was compiled for launches of a kind.
struct Variant {
    args: Vec<Argument>,
    launches: Launches,
    /// Which arguments of a launch the compiled kernel takes.
    passed: Vec<usize>,
    kernel: tk_runtime::Kernel,
}

impl GpuKernel {
    /// Queues one program per point of the grid on a stream of the GPU. The arguments are those parameters that are neither
    /// `tl.constexpr` nor fixed by [`Kernel::constant`], in their order.
    ///
    /// The first launch of a kind compiles, or takes the kernel from the cache on the disk.
    ///
    /// # Errors
    /// What the compiler says against the text or the types, and what [`tk_runtime::Kernel::launch`] does.
    pub fn launch(&self, stream: Stream, grid: [u32; 3], args: &[Value<'_>]) -> Result<(), Error> {
        let key = self.key(grid, args);
        let added;
        let variant = match self.0.variants.find(&key) {
            Some(variant) => variant,
            None => {
                added = self.add(key, grid, args)?;
                &added
            }
        };
        let passed: SmallVec<[Arg<'_>; 24]> = variant.passed.iter().map(|at| args[*at].arg()).collect();
        Ok(variant.kernel.launch(Some(stream), grid, &passed)?)
    }

    /// Compiles for launches of this kind without launching, and gives the loaded kernel: before a graph is captured, say. Of another kind are grids
    /// whose first axis is odd where this one is even: what is compiled for even ones may run as clusters of two, which the driver refuses there.
    ///
    /// # Errors
    /// Those of [`Self::launch`].
    pub fn prepare(&self, grid: [u32; 3], args: &[Value<'_>]) -> Result<tk_runtime::Kernel, Error> {
        let key = self.key(grid, args);
        let known = self.0.variants.find(&key).cloned();
        Ok(known.map_or_else(|| self.add(key, grid, args), Ok)?.kernel.clone())
    }

    /// What the compiler said since the last call: warnings and what it printed. Nothing for kernels that come from the cache or a bundle.
    pub fn take_remarks(&self) -> Remarks {
        std::mem::take(&mut *self.0.remarks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// How many kernels were compiled or taken from the cache so far.
    pub fn compiled(&self) -> usize {
        let mut all: Vec<*const Variant> = self.0.variants.values().map(Arc::as_ptr).collect();
        all.sort();
        all.dedup();
        all.len()
    }

    fn launches(&self, grid: [u32; 3]) -> Launches {
        let ctas = grid.iter().map(|size| u64::from(*size)).fold(1, u64::saturating_mul);
        let multiprocessors = self.0.gpu.info().multiprocessors;
        let residency = Residency::of_grid(ctas, multiprocessors);
        let pairs = Pairs::of_launch(grid[0].into(), residency, self.0.target.has_wgmma());
        Launches { residency, brought: Brought::of_grid(ctas, multiprocessors), pairs }
    }

    fn key(&self, grid: [u32; 3], args: &[Value<'_>]) -> Key {
        let mut key = Key::new();
        self.launches(grid).add_to(&mut key);
        args.iter().for_each(|arg| arg.add_to(&mut key));
        key
    }

    /// Finds or compiles the kernel of a launch whose key is new.
    fn add(&self, key: Key, grid: [u32; 3], args: &[Value<'_>]) -> Result<Arc<Variant>, Error> {
        let _turn = self.0.turn.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // Another thread may have been first.
        if let Some(variant) = self.0.variants.find(&key) {
            return Ok(variant.clone());
        }
        let bound = self.0.bind(args)?;
        let launches = self.launches(grid);
        let known = self.0.variants.values().find(|one| one.args == bound && one.launches == launches).cloned();
        let variant = match known {
            Some(variant) => variant,
            None => {
                let (found, made) = (self.0.bundled(&bound, launches, args)?, bound.clone());
                let Found { image, args: made } = match found {
                    Some(found) => found,
                    None => Found { image: self.0.image(&bound, launches)?, args: made },
                };
                let (passed, kernel) = (self.0.passed(&made)?, self.0.gpu.load(&image)?);
                Arc::new(Variant { args: bound, launches, passed, kernel })
            }
        };
        self.0.variants.add(key, variant.clone());
        Ok(variant)
    }
}

impl std::fmt::Debug for GpuKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GpuKernel({} for {})", self.0.kernel.name, self.0.target)
    }
}

impl Inner {
    /// What a launch is compiled for.
    fn bind(&self, args: &[Value<'_>]) -> Result<Vec<Argument>, Error> {
        if args.len() > self.params.len() {
            let names = self.params.iter().map(|param| param.name.clone()).collect();
            let entry = self.kernel.name.clone();
            return Err(tk_runtime::Error::ArgumentCount { entry, names, given: args.len() }.into());
        }
        let params = &self.params[..args.len()];
        let values: Vec<LaunchValue> = args.iter().map(Value::launch_value).collect();
        let specs: Vec<ArgSpec> = tk_launch::specialise(&values, params)?.iter().map(Argument::spec).collect();
        let (module, name, constants) = (&self.kernel.module, &self.kernel.name, &self.kernel.constants);
        let mut bound = tk_check::bind_signature(module, name, Some(&specs), constants)?;
        if self.kernel.signatures.is_empty() {
            self.notice_whole_blocks(&mut bound, &values);
            return Ok(bound);
        }
        self.permitted(&with_all_facts(bound, params, args))
    }

    /// The first of the signatures that a launch may be compiled for.
    fn permitted(&self, wanted: &[Argument]) -> Result<Vec<Argument>, Error> {
        let (module, name, constants) = (&self.kernel.module, &self.kernel.name, &self.kernel.constants);
        for specs in &self.kernel.signatures {
            let known = tk_check::bind_signature(module, name, Some(specs), constants)?;
            let serves = |(known, wanted): (&Argument, &Argument)| bundled::serves(known, wanted).is_some();
            if known.len() == wanted.len() && known.iter().zip(wanted).all(serves) {
                return Ok(known);
            }
        }
        let of = |args: &[Argument]| args.iter().map(Argument::to_string).collect::<Vec<_>>().join(", ");
        let message = format!("`{name}` is compiled for none of its signatures when a launch has {}", of(wanted));
        let listed = |specs: &Vec<ArgSpec>| specs.iter().map(ArgSpec::to_string).collect::<Vec<_>>().join(",");
        let all: Vec<String> = self.kernel.signatures.iter().map(listed).collect();
        let help = format!("add a signature; there are {}", all.join(" and "));
        Err(Diagnostic::error(BAD_LAUNCH, message).help(help).boxed().into())
    }

    /// The kernel of a bundle for a launch; nothing when it has to be compiled.
    fn bundled(&self, bound: &[Argument], launches: Launches, args: &[Value<'_>]) -> Result<Option<Found>, Error> {
        if self.kernel.bundles.is_empty() {
            return Ok(None);
        }
        let wanted = match self.kernel.signatures.is_empty() {
            true => with_all_facts(bound.to_vec(), &self.params, args),
            false => bound.to_vec(),
        };
        Ok(self.kernel.bundles.find(&self.unit(&wanted, launches), self.gpu.info())?)
    }

    /// Which arguments of a launch a kernel takes that was compiled for these.
    fn passed(&self, made: &[Argument]) -> Result<Vec<usize>, Error> {
        let (params, name) = (&self.params, &self.kernel.name);
        let mut passed = Vec::new();
        for arg in made.iter().filter(|arg| arg.is_runtime()) {
            match params.iter().position(|param| param.name == arg.name) {
                Some(at) => passed.push(at),
                None => {
                    let message = format!("the launch of `{name}` gives no argument for `{}`", arg.name);
                    return Err(Diagnostic::error(BAD_LAUNCH, message).help("pass it").boxed().into());
                }
            }
        }
        Ok(passed)
    }

    /// As sessions do it: a kernel with one dot is compiled otherwise for sizes that are whole blocks.
    fn notice_whole_blocks(&self, bound: &mut [Argument], values: &[LaunchValue]) {
        if !self.target.has_wgmma() {
            return;
        }
        let value_of = |arg: &Argument| {
            let at = self.params.iter().position(|param| param.name == arg.name);
            at.and_then(|at| values.get(at)).cloned().unwrap_or(LaunchValue::Constant(ConstValue::None))
        };
        let aligned: Vec<LaunchValue> = bound.iter().map(value_of).collect();
        let whole = tk_launch::whole_blocks(bound, &aligned);
        if !whole.is_empty() && tk_driver::count_dots(&self.unit(bound, Launches::default())) == Some(1) {
            whole.into_iter().for_each(|one| bound[one.argument].facts = one.facts);
        }
    }

    fn unit<'u>(&'u self, args: &'u [Argument], launches: Launches) -> Unit<'u> {
        let Launches { residency, brought, pairs } = launches;
        Unit {
            module: &self.kernel.module,
            kernel: &self.kernel.name,
            args,
            globals: &self.around,
            options: CompileOptions { residency, brought, pairs, ..self.kernel.options.clone() },
            target: self.target,
            bounds: Bounds::any(),
        }
    }

    /// From the cache, or compiled.
    fn image(&self, args: &[Argument], launches: Launches) -> Result<KernelImage, Error> {
        let unit = self.unit(args, launches);
        let key = crate::cache_key(&unit);
        match self.cache.as_ref().map(|cache| cache.look_up(&key)) {
            Some(LookUp::Found(image)) => Ok(*image),
            Some(LookUp::Missing(turn)) => {
                let image = self.compile(&unit)?;
                // A cache that cannot be written only costs time.
                let _ = turn.store(&image);
                Ok(image)
            }
            None => self.compile(&unit),
        }
    }

    /// Compiles, and keeps what the compiler says besides.
    fn compile(&self, unit: &Unit<'_>) -> Result<KernelImage, Error> {
        let (image, new) = compile(unit)?;
        let mut remarks = self.remarks.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        remarks.warnings.extend(new.warnings);
        remarks.printed.extend(new.printed);
        Ok(image)
    }
}

/// The arguments with all that the values of a launch say of them.
fn with_all_facts(mut bound: Vec<Argument>, params: &[DeclaredParam], args: &[Value<'_>]) -> Vec<Argument> {
    for arg in &mut bound {
        let at = params.iter().position(|param| param.name == arg.name);
        if let (true, Some(value)) = (arg.is_runtime(), at.and_then(|at| args.get(at))) {
            arg.facts = value.facts();
        }
    }
    bound
}

/// Compiles on a stack that is large enough, with machine code where there is a `ptxas`.
fn compile(unit: &Unit<'_>) -> Result<(KernelImage, Remarks), Error> {
    let work = || {
        let assembler =
            tk_launch::find_ptxas().map(|ptxas| Assembler::ahead(&ptxas, &unit.target.to_string(), &unit.options));
        let compilation = tk_driver::compile(unit, Until::Ptx, &mut Unwatched)?;
        let none = || vec![Diagnostic::bug("a compilation to PTX gave no kernel image")];
        let mut image = compilation.image.ok_or_else(none)?;
        if let Some(assembler) = assembler {
            image.cubin = Some(assemble(assembler, &mut image, unit).map_err(|error| vec![*error])?);
        }
        Ok((image, Remarks { warnings: compilation.warnings, printed: compilation.printed }))
    };
    let stopped = |what: &str| Error::Compile(vec![Diagnostic::bug(format!("the compiling thread {what}"))]);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("tk-compile".into()).stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, work) {
            Ok(thread) => thread.join().map_err(|_| stopped("ended by a panic"))?.map_err(Error::Compile),
            Err(error) => Err(stopped(&format!("does not start: {error}"))),
        }
    })
}
