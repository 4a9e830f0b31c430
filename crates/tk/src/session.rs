//! A device and everything compiled for it; the [`Launcher`] of host functions.

use crate::LaunchRecord;
use crate::bundled::{Bundles, Found};
use crate::copies::{Copy, Queue, upload};
use crate::loaded::{Form, Loaded, LoadedKernels};
use crate::safety::{Warned, compile_bounds, guard_args};
use crate::tuned::Share;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::rc::Rc;
use tk_diag::{ASSERTION_FAILED, BAD_LAUNCH, DEVICE, Diagnostic, MISALIGNED, OUT_OF_BOUNDS, Result, SourceFile};
use tk_driver::{Assemble, Assembled, Bounds, FormRequest, Given, Guards, Step, Unit, Until, Watcher};
use tk_host::{
    BenchOptions, BufferRef, DeviceProperty, LaunchArg, LaunchRequest, Launcher, Newest, TuneRequest, WeakBufferRef,
};
use tk_image::KernelImage;
use tk_launch::{
    Arg, Assembler, Assembly, BenchSettings, Cache, DeclaredParam, Device, DeviceChoice, LaunchReport, LaunchValue,
    LookUp, SimOptions, TensorDescriptor, TuneReport, WholeBlocks,
};
use tk_target::{Target, WARP_SIZE};
use tk_types::{Argument, Brought, CompileOptions, ConstValue, NamedConstant, Pairs, Residency};

/// Watches the compilations of a session.
pub trait SessionWatcher: Watcher {
    /// A compilation of this kernel begins.
    fn begin(&mut self, kernel: &str);

    /// Whether compilations must really happen, because their steps are looked at.
    fn is_looking(&self) -> bool;
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn wants_text(&self, _: &str) -> bool {
        false
    }

    fn step(&mut self, _: &Step<'_>, _: Option<&str>) -> Result<()> {
        Ok(())
    }
}

impl SessionWatcher for Unwatched {
    fn begin(&mut self, _: &str) {}

    fn is_looking(&self) -> bool {
        false
    }
}

/// A device and the kernels loaded on it.
pub struct Session<W: SessionWatcher> {
    pub(crate) device: Device,
    pub(crate) target: Target,
    pub(crate) kernels: LoadedKernels,
    pub(crate) cache: Option<Cache>,
    pub(crate) queue: Rc<Queue>,
    /// Buffers whose addresses the program knows: any kernel may reach them.
    reachable: Vec<WeakBufferRef>,
    /// The place of the winner by tuning key.
    pub(crate) tuned: FxHashMap<String, usize>,
    pub(crate) tunings: Vec<TuneReport>,
    /// Kernels that came with a program.
    pub(crate) bundles: Bundles,
    /// Forms that take the place of kernels, by the names of these.
    replacements: FxHashMap<String, SourceFile>,
    /// Results that came with a program.
    pub(crate) shipped_tunings: Vec<TuneReport>,
    /// Which of the kernels and keys that come are tuned here.
    pub(crate) share: Share,
    /// How many kernels and keys have come.
    pub(crate) come: usize,
    /// Whether the simulator ranks configurations by what it counts.
    pub(crate) counts_configurations: bool,
    records: Vec<LaunchRecord>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) warned: Warned,
    printed: Vec<String>,
    /// Sees every compilation that is not one of many of an autotuning.
    pub watcher: W,
}

/// A launch after compilation: the kernel, and the device copy of each argument that is a tensor.
pub(crate) struct Prepared {
    pub(crate) loaded: Rc<Loaded>,
    pub(crate) copies: Vec<Option<Rc<Copy>>>,
}

impl<W: SessionWatcher> Session<W> {
    /// Opens a device. Kernels are compiled for it; the simulator runs what [`Target::default`] would and quotes the lines
    /// of `source` in what it reports.
    ///
    /// # Errors
    /// The device was named and is not there.
    pub fn open(choice: DeviceChoice, watcher: W, source: &SourceFile) -> Result<Self> {
        let device = Device::open(choice)?;
        device.set_sim_options(SimOptions { sources: vec![source.clone()], ..SimOptions::default() });
        let target = device.info().target().unwrap_or_default();
        // On the simulator compilation is what is being looked at, so nothing is taken from the disk there.
        let cache = if device.is_simulator() { None } else { crate::open_cache() };
        Ok(Self {
            device,
            target,
            kernels: LoadedKernels::default(),
            cache,
            queue: Rc::default(),
            reachable: Vec::new(),
            tuned: FxHashMap::default(),
            tunings: Vec::new(),
            bundles: Bundles::default(),
            replacements: FxHashMap::default(),
            shipped_tunings: Vec::new(),
            share: Share::ALL,
            come: 0,
            counts_configurations: false,
            records: Vec::new(),
            warnings: Vec::new(),
            warned: Warned::default(),
            printed: Vec::new(),
            watcher,
        })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Takes kernels from a bundle before anything is compiled. Where the bundle promises that nothing is compiled at run time, a launch that
    /// it has no kernel for is an error that says which, and what to add to the list of kernels.
    pub fn use_bundle(&mut self, bundle: std::sync::Arc<tk_image::Bundle>) {
        self.bundles.add(bundle);
    }

    /// Launches a form in the place of the kernel of this name: IR or PTX with the parameters of the launch, which is an error otherwise.
    pub fn replace(&mut self, kernel: &str, form: SourceFile) {
        self.replacements.insert(kernel.to_string(), form);
    }

    /// Launches and timed launches since the last call, oldest first.
    pub fn take_records(&mut self) -> Vec<LaunchRecord> {
        std::mem::take(&mut self.records)
    }

    /// Warnings of compilations since the last call.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }

    /// What `static_print` printed, and on the simulator `device_print`, since the last call.
    pub fn take_printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.printed)
    }

    /// What autotuning found since the last call, oldest first: one report per kernel and key.
    pub fn take_tunings(&mut self) -> Vec<TuneReport> {
        std::mem::take(&mut self.tunings)
    }

    /// Compiles (or finds) the kernel of a request and brings its tensors to the device.
    pub(crate) fn prepare(&mut self, request: &LaunchRequest<'_>) -> Result<Prepared> {
        for buffer in self.reachable() {
            upload(&self.device, &self.queue, &buffer)?;
        }
        let copies = self.upload_all(request)?;
        let args = self.arguments_of(request, &copies)?;
        let globals = self.kernels.globals(request.module, &request.globals);
        let options = CompileOptions {
            index_width: self.fitting_width(request, &args),
            residency: self.of_grid(request, Residency::of_grid),
            brought: self.of_grid(request, Brought::of_grid),
            pairs: self.pairs(request),
            ..request.options.clone()
        };
        let bounds = compile_bounds(request, &options);
        let form = Form { options: &options, ..form(request, &args, &globals, &bounds) };
        let loaded = match self.kernels.find(form) {
            Some(loaded) => loaded,
            None => {
                let loaded = self.load(request, form)?;
                self.kernels.insert(form, loaded.clone());
                loaded
            }
        };
        Ok(Prepared { loaded, copies })
    }

    /// What a grid of so many CTAs is to so many multiprocessors. The simulator runs what launches with large grids run.
    fn of_grid<T: Default>(&self, request: &LaunchRequest<'_>, of_grid: fn(u64, u32) -> T) -> T {
        if self.device.is_simulator() {
            return T::default();
        }
        let ctas = request.grid.iter().map(|size| u64::from(*size)).fold(1, u64::saturating_mul);
        of_grid(ctas, self.device.info().multiprocessors)
    }

    /// Whether its CTAs come in pairs. The simulator knows no residency, so it asks for none.
    fn pairs(&self, request: &LaunchRequest<'_>) -> Pairs {
        let residency = self.of_grid(request, Residency::of_grid);
        Pairs::of_launch(request.grid[0].into(), residency, self.target.has_wgmma())
    }

    /// The current device copies of the arguments that are tensors.
    pub(crate) fn upload_all(&self, request: &LaunchRequest<'_>) -> Result<Vec<Option<Rc<Copy>>>> {
        let copy = |(_, arg): &(&str, LaunchArg)| match arg.buffer() {
            Some(buffer) => upload(&self.device, &self.queue, buffer).map(Some),
            None => Ok(None),
        };
        request.args.iter().map(copy).collect()
    }

    /// An error of the device that shows now and comes from an earlier launch gets the place of that launch.
    fn blamed(&self, error: Box<Diagnostic>) -> Box<Diagnostic> {
        let is_late = matches!(error.code, OUT_OF_BOUNDS | MISALIGNED | ASSERTION_FAILED | DEVICE);
        if is_late && error.labels.is_empty() { self.queue.blame(error) } else { error }
    }

    /// The arguments that a request is compiled for, whose tensors are brought to the device for it.
    pub(crate) fn arguments(&mut self, request: &LaunchRequest<'_>) -> Result<Vec<Argument>> {
        let copies = self.upload_all(request)?;
        self.arguments_of(request, &copies)
    }

    fn arguments_of(&mut self, request: &LaunchRequest<'_>, copies: &[Option<Rc<Copy>>]) -> Result<Vec<Argument>> {
        let function = request.module.function(request.kernel).ok_or_else(|| {
            Diagnostic::error(tk_diag::UNKNOWN_NAME, format!("there is no kernel `{}`", request.kernel)).boxed()
        })?;
        let values: Vec<LaunchValue> =
            request.args.iter().zip(copies).map(|((_, arg), copy)| launch_value(arg, copy.as_deref())).collect();
        let declared = self.kernels.declared(request.module, function);
        // The parts of a tuple share the declaration of their parameter.
        let each: Vec<DeclaredParam>;
        let mut declared: &[DeclaredParam] = &declared;
        if declared.len() != values.len() {
            let of = |name: &str| declared.iter().find(|param| param.name == name).cloned().unwrap_or_default();
            each = request.args.iter().map(|(name, _)| of(name)).collect();
            declared = &each;
        }
        let mut args =
            tk_launch::specialise(&values, declared).map_err(|error| located(error, &request.module.file, request))?;
        if self.target.has_wgmma() {
            self.notice_whole_blocks(request, &values, &mut args);
        }
        Ok(args)
    }

    /// Adds what whole blocks there are to the facts of a kernel that is compiled otherwise for them: one with a single dot. (Loops with
    /// several, such as attention's, are not, and need not be compiled anew.)
    fn notice_whole_blocks(&mut self, request: &LaunchRequest<'_>, values: &[LaunchValue], args: &mut [Argument]) {
        let whole = tk_launch::whole_blocks(args, values);
        if whole.is_empty() {
            return;
        }
        let globals = self.kernels.globals(request.module, &request.globals);
        let (bounds, target) = (Bounds::any(), self.target);
        let form = form(request, args, &globals, &bounds);
        let unit = || Unit {
            module: request.module,
            kernel: request.kernel,
            args: form.args,
            globals: form.globals,
            options: request.options.clone(),
            target,
            bounds: Bounds::any(),
        };
        if self.kernels.wants_whole_blocks(form, || tk_driver::count_dots(&unit()) == Some(1)) {
            whole.into_iter().for_each(|WholeBlocks { argument, facts }| args[argument].facts = facts);
        }
    }

    /// Takes the kernel from the disk, or compiles it.
    fn load(&mut self, request: &LaunchRequest<'_>, form: Form<'_>) -> Result<Rc<Loaded>> {
        let unit = Unit {
            module: request.module,
            kernel: request.kernel,
            args: form.args,
            globals: form.globals,
            options: form.options.clone(),
            target: self.target,
            bounds: form.bounds.clone(),
        };
        if let Some(source) = self.replacements.get(request.kernel).cloned() {
            let image = self.compile_replacement(&unit, &source)?;
            return Ok(Loaded::new(self.device.load(&image)?, form.args, Guards::default()));
        }
        if let Some(Found { image, args }) = self.bundles.find(&unit, self.device.info())? {
            return Ok(Loaded::new(self.device.load(&image)?, &args, Guards::default()));
        }
        // What checks mean is not kept on the disk, so a kernel with checks is compiled anew.
        let looking = self.watcher.is_looking() || unit.options.sanitize.is_on();
        let key = self.cache.is_some().then(|| crate::cache_key(&unit));
        let cache = self.cache.clone();
        let stored = cache.as_ref().zip(key.as_deref()).filter(|_| !looking);
        let (image, guards) = match stored.map(|(cache, key)| cache.look_up(key)) {
            Some(LookUp::Found(image)) => (*image, Guards::default()),
            Some(LookUp::Missing(turn)) => {
                let (image, guards) = self.compile(&unit)?;
                if guards.is_empty() {
                    // A cache that cannot be written only costs time.
                    let _ = turn.store(&image);
                }
                (image, guards)
            }
            None => self.compile(&unit)?,
        };
        Ok(Loaded::new(self.device.load(&image)?, form.args, guards))
    }

    /// The buffers, still alive, that kernels reach through addresses in memory.
    pub(crate) fn reachable(&mut self) -> Vec<BufferRef> {
        self.reachable.retain(|buffer| buffer.upgrade().is_some());
        self.reachable.iter().filter_map(WeakBufferRef::upgrade).collect()
    }

    /// What a kernel may have written is on the device from now on.
    fn written(&mut self, request: &LaunchRequest<'_>) {
        for (_, arg) in &request.args {
            if let Some(buffer) = arg.buffer() {
                buffer.set_newest(Newest::Device);
            }
        }
        self.reachable().iter().for_each(|buffer| buffer.set_newest(Newest::Device));
    }

    fn remember(&mut self, request: &LaunchRequest<'_>, loaded: &Loaded, report: LaunchReport) {
        self.records.push(LaunchRecord {
            kernel: request.kernel.to_string(),
            signature: loaded.signature.clone(),
            grid: request.grid,
            image: loaded.summary.clone(),
            num_stages: request.options.num_stages,
            occupancy: loaded.kernel.occupancy(&self.target),
            configuration: request.configuration.clone(),
            report,
        });
    }

    /// The image of a form in the place of a kernel. The kernel is compiled, too, since that says how it is launched.
    fn compile_replacement(&mut self, unit: &Unit<'_>, source: &SourceFile) -> Result<KernelImage> {
        let compilation = tk_driver::compile(unit, Until::Ptx, &mut tk_driver::Unwatched).map_err(first)?;
        let image = compilation.image.ok_or_else(|| Diagnostic::bug("a compilation to PTX gave no kernel image"))?;
        self.watcher.begin(unit.kernel);
        let given = Given { target: Some(unit.target), ..Given::default() };
        let request = FormRequest { source, given, options: unit.options.clone(), target: unit.target };
        let mut image = tk_driver::replace_code(&image, &request, &mut self.watcher)?;
        if let Some(ptxas) = tk_launch::find_ptxas().filter(|_| !self.device.is_simulator()) {
            let assembly = tk_launch::assemble(&ptxas, &image.ptx, &image.target, &unit.options)?;
            (image.resources.registers, image.resources.spill_bytes) = (assembly.registers, assembly.spill_bytes);
            image.resources.why.spills = spills(&ptxas, assembly.spill_bytes, &assembly.cubin);
            image.cubin = Some(assembly.cubin);
        }
        Ok(image)
    }

    fn compile(&mut self, unit: &Unit<'_>) -> Result<(KernelImage, Guards)> {
        self.watcher.begin(unit.kernel);
        let assembler = assembler_of(unit, &self.device);
        let compilation = tk_driver::compile(unit, Until::Ptx, &mut self.watcher).map_err(first)?;
        compilation.warnings.into_iter().for_each(|warning| self.warn_once(warning));
        self.printed.extend(compilation.printed);
        Ok((assembled(compilation.image, unit, assembler)?, compilation.guards))
    }
}

/// What a request's kernel is compiled for.
pub(crate) fn form<'r>(
    request: &'r LaunchRequest<'_>,
    args: &'r [Argument],
    globals: &'r [NamedConstant],
    bounds: &'r Bounds,
) -> Form<'r> {
    Form { module: request.module, kernel: request.kernel, args, globals, options: &request.options, bounds }
}

/// The assembler of a unit, started ahead, where the device can use what it makes and there is one.
pub(crate) fn assembler_of(unit: &Unit<'_>, device: &Device) -> Option<Assembler> {
    let ptxas = tk_launch::find_ptxas().filter(|_| !device.is_simulator())?;
    Some(Assembler::ahead(&ptxas, &unit.target.to_string(), &unit.options))
}

/// A compiled image with its machine code, where there is an assembler.
pub(crate) fn assembled(
    image: Option<KernelImage>,
    unit: &Unit<'_>,
    assembler: Option<Assembler>,
) -> Result<KernelImage> {
    let mut image = image.ok_or_else(|| Diagnostic::bug("a compilation to PTX gave no kernel image").boxed())?;
    if let Some(assembler) = assembler {
        image.cubin = Some(assemble(assembler, &mut image, unit)?);
    }
    Ok(image)
}

/// The machine code of an image, which learns its registers and spills. The driver compiles the kernel again where ptxas says that its
/// dots have to wait. The assembler is one for the unit's target and options.
///
/// # Errors
/// What ptxas says against the PTX.
pub fn assemble(mut assembler: Assembler, image: &mut KernelImage, unit: &Unit<'_>) -> Result<Vec<u8>> {
    let made = tk_driver::assemble(unit, image, &mut Ptxas(&mut assembler))?;
    image.resources.registers = made.registers;
    image.resources.spill_bytes = made.spill_bytes;
    image.resources.why.spills = spills(assembler.ptxas(), made.spill_bytes, &made.cubin);
    Ok(made.cubin)
}

/// `ptxas` for what tk asks of it.
struct Ptxas<'a>(&'a mut Assembler);

impl Assemble for Ptxas<'_> {
    fn assemble(&mut self, image: &KernelImage) -> Result<Assembled> {
        let Assembly { cubin, registers, spill_bytes, serialised } = self.0.assemble(&image.ptx)?;
        Ok(Assembled { cubin, registers, spill_bytes, is_serialised: serialised.is_some() })
    }

    fn begin(&mut self, image: &KernelImage) {
        self.0.begin(&image.ptx);
    }
}

/// The lines that spill, where there are spills.
fn spills(ptxas: &Path, spill_bytes: Option<u32>, cubin: &[u8]) -> Vec<tk_why::Spill> {
    if spill_bytes.is_some_and(|bytes| bytes > 0) { tk_launch::spills_by_line(ptxas, cubin) } else { Vec::new() }
}

fn launch_value(arg: &LaunchArg, copy: Option<&Copy>) -> LaunchValue {
    match arg {
        LaunchArg::Buffer { byte_offset, dtype, .. } => {
            let base = copy.map_or(0, |copy| copy.buffer.address());
            LaunchValue::Tensor { dtype: *dtype, address: base + *byte_offset as u64 }
        }
        LaunchArg::Descriptor { ty, .. } => LaunchValue::Descriptor(ty.clone()),
        LaunchArg::Int(value) => LaunchValue::Value(ConstValue::Int(*value)),
        LaunchArg::Float(value) => LaunchValue::Value(ConstValue::Float(*value)),
        LaunchArg::Bool(value) => LaunchValue::Value(ConstValue::Bool(*value)),
        LaunchArg::Constexpr(value) => LaunchValue::Value(value.clone()),
    }
}

/// The arguments that remain at run time, as the device takes them.
pub(crate) fn device_args<'s>(
    request: &'s LaunchRequest<'_>,
    loaded: &Loaded,
    copies: &'s [Option<Rc<Copy>>],
) -> Result<Vec<Arg<'s>>> {
    let arg = |index: &usize| device_arg(&request.args[*index].1, copies[*index].as_deref());
    loaded.runtime.iter().map(arg).collect()
}

fn device_arg<'s>(arg: &'s LaunchArg, copy: Option<&'s Copy>) -> Result<Arg<'s>> {
    let copy = || copy.ok_or_else(|| Diagnostic::bug("a tensor has no copy on the device").boxed());
    Ok(match arg {
        LaunchArg::Buffer { byte_offset, .. } => Arg::Buffer(&copy()?.buffer, *byte_offset),
        LaunchArg::Descriptor { byte_offset, ty, shape, strides, .. } => Arg::Descriptor(TensorDescriptor {
            buffer: &copy()?.buffer,
            offset: *byte_offset,
            element: ty.element,
            shape,
            strides,
        }),
        LaunchArg::Int(value) | LaunchArg::Constexpr(ConstValue::Int(value)) => {
            match (i64::try_from(*value), u64::try_from(*value)) {
                (Ok(value), _) => Arg::I64(value),
                (_, Ok(value)) => Arg::Scalar(tk_types::ScalarType::U64, value),
                _ => {
                    let message = format!("the argument {value} does not fit 64 bits");
                    return Err(Diagnostic::error(BAD_LAUNCH, message).boxed());
                }
            }
        }
        LaunchArg::Float(value) | LaunchArg::Constexpr(ConstValue::Float(value)) => Arg::F64(*value),
        LaunchArg::Bool(value) | LaunchArg::Constexpr(ConstValue::Bool(value)) => Arg::Bool(*value),
        LaunchArg::Constexpr(_) => Arg::Null,
    })
}

impl<W: SessionWatcher> Launcher for Session<W> {
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()> {
        let at = |error| located(error, &request.module.file, request);
        let Prepared { loaded, copies } = self.prepare(request).map_err(|error| self.blamed(error))?;
        self.warn_about(request);
        let record = self.record_for(&loaded)?;
        let mut args = device_args(request, &loaded, &copies).map_err(at)?;
        args.extend(guard_args(request, &loaded, &copies, record.as_ref()));
        let report = loaded.kernel.launch(request.grid, &args).map_err(|error| self.blamed(at(error)))?;
        if let Some(record) = &record {
            self.read_record(request, &loaded, record)?;
        }
        if !self.device.is_simulator() {
            self.queue.add(&request.module.file, request.call_span);
        }
        self.written(request);
        // A GPU's driver writes to standard output itself.
        let printed = report.simulation.iter().flat_map(|simulation| &simulation.printed);
        self.printed.extend(printed.map(|line| line.strip_suffix('\n').unwrap_or(line).to_string()));
        self.remember(request, &loaded, report);
        Ok(())
    }

    fn tune(&mut self, request: &TuneRequest<'_>) -> Result<usize> {
        let mut request = request.clone();
        for candidate in &mut request.candidates {
            let args = self.arguments(&candidate.launch)?;
            candidate.launch.options.index_width = self.fitting_width(&candidate.launch, &args);
            candidate.launch.options.residency = self.of_grid(&candidate.launch, Residency::of_grid);
            candidate.launch.options.brought = self.of_grid(&candidate.launch, Brought::of_grid);
            candidate.launch.options.pairs = self.pairs(&candidate.launch);
        }
        self.choose(&request).map_err(|error| self.blamed(error))
    }

    fn bench(&mut self, requests: &[LaunchRequest<'_>], options: &BenchOptions) -> Result<Vec<f64>> {
        let prepared: Vec<Prepared> = requests.iter().map(|request| self.prepare(request)).collect::<Result<_>>()?;
        let records = prepared.iter().map(|one| self.record_for(&one.loaded)).collect::<Result<Vec<_>>>()?;
        let mut work = Vec::new();
        for ((request, prepared), record) in requests.iter().zip(&prepared).zip(&records) {
            let mut args = device_args(request, &prepared.loaded, &prepared.copies)?;
            args.extend(guard_args(request, &prepared.loaded, &prepared.copies, record.as_ref()));
            work.push((&prepared.loaded.kernel, request.grid, args));
        }
        let mode = crate::timing::bench_mode(options.timing);
        let settings = BenchSettings { mode, warmup_ms: options.warmup_ms, measure_ms: options.rep_ms };
        let result = self.device.bench(&settings, &mut || {
            work.iter().try_for_each(|(kernel, grid, args)| kernel.launch(*grid, args).map(|_| ()))
        });
        requests.iter().for_each(|request| self.written(request));
        for (request, Prepared { loaded, .. }) in requests.iter().zip(&prepared) {
            let (registers, spill_bytes) = (loaded.kernel.registers(), loaded.kernel.spill_bytes());
            self.remember(request, loaded, LaunchReport { registers, spill_bytes, ..LaunchReport::default() });
        }
        for ((request, prepared), record) in requests.iter().zip(&prepared).zip(&records) {
            if let Some(record) = record {
                self.read_record(request, &prepared.loaded, record)?;
            }
        }
        Ok(result.map_err(|error| self.blamed(error))?.times_ms)
    }

    fn address(&mut self, buffer: &BufferRef) -> Result<u64> {
        if self.reachable().iter().all(|known| known.id() != buffer.id()) {
            self.reachable.push(buffer.downgrade());
        }
        Ok(upload(&self.device, &self.queue, buffer)?.buffer.address())
    }

    fn fault(&mut self) -> Option<Box<Diagnostic>> {
        self.queue.take_fault()
    }

    fn finish(&mut self) -> Result<()> {
        if let Some(fault) = self.queue.take_fault() {
            return Err(fault);
        }
        match self.device.synchronise() {
            Err(error) if self.queue.was_told(&error) => Ok(()),
            result => self.queue.waited(result),
        }
    }

    fn device_name(&self) -> String {
        format!("{} ({})", self.device.info().name, self.target)
    }

    fn property(&self, property: DeviceProperty) -> Option<i128> {
        let info = self.device.info();
        Some(match property {
            DeviceProperty::Multiprocessors => i128::from(info.multiprocessors),
            DeviceProperty::MaxSharedMemory => i128::from(info.shared_bytes_per_cta),
            DeviceProperty::MaxRegisters => i128::from(info.registers_per_multiprocessor),
            DeviceProperty::WarpSize => i128::from(WARP_SIZE),
            DeviceProperty::ComputeCapability => i128::from(self.target.compute_capability().number()),
        })
    }
}

/// A launch error without a place gets that of the launch.
pub(crate) fn located(error: Box<Diagnostic>, file: &SourceFile, request: &LaunchRequest<'_>) -> Box<Diagnostic> {
    if error.code == BAD_LAUNCH && error.labels.is_empty() {
        return error.at(file, request.call_span, "in this launch").boxed();
    }
    error
}

/// The first diagnostic, with the others as notes.
pub(crate) fn first(diagnostics: Vec<Diagnostic>) -> Box<Diagnostic> {
    let mut all = diagnostics.into_iter();
    let first = all.next().unwrap_or_else(|| Diagnostic::bug("a compilation failed without a message"));
    all.fold(first, |first, other| first.note(format!("also: {other}"))).boxed()
}
