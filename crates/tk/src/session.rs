//! A device and everything compiled for it; the [`Launcher`] of host functions.

use crate::declared::declared_params;
use crate::{FALLBACK_TARGET, LaunchRecord};
use rustc_hash::FxHashMap;
use tk_diag::{BAD_LAUNCH, Diagnostic, Result, SourceFile};
use tk_driver::{Step, Unit, Until, Watcher};
use tk_grammar::ast::FunctionDef;
use tk_host::{BenchOptions, BufferRef, DeviceProperty, LaunchArg, LaunchRequest, Launcher};
use tk_launch::{Arg, BenchMode, BenchSettings, Buffer, Cache, Device, DeviceChoice, Kernel, LaunchValue, SimOptions};
use tk_target::Target;
use tk_types::{ArgSpec, ArgType, ConstValue, KernelImage};

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

/// A device, the kernels loaded on it, and the device copies of host buffers.
pub struct Session<W: SessionWatcher> {
    device: Device,
    target: Target,
    kernels: FxHashMap<String, Kernel>,
    copies: FxHashMap<u64, DeviceCopy>,
    cache: Option<Cache>,
    records: Vec<LaunchRecord>,
    warnings: Vec<Diagnostic>,
    printed: Vec<String>,
    /// Sees every compilation.
    pub watcher: W,
}

struct DeviceCopy {
    version: u64,
    buffer: Buffer,
}

/// A launch after compilation: the kernel, its packed arguments by position, and the buffers it may write.
struct Prepared {
    kernel: Kernel,
    signature: String,
    /// Positions in the request of the arguments that remain at run time.
    runtime: Vec<usize>,
}

impl<W: SessionWatcher> Session<W> {
    /// Opens a device. Kernels are compiled for it; the simulator runs what an H200 would (`sm_90a`) and quotes the lines
    /// of `source` in what it reports.
    ///
    /// # Errors
    /// The device was named and is not there.
    pub fn open(choice: DeviceChoice, watcher: W, source: &SourceFile) -> Result<Self> {
        let device = Device::open(choice)?;
        device.set_sim_options(SimOptions { sources: vec![source.clone()], ..SimOptions::default() });
        let target = match device.info().target() {
            Some(target) => target,
            None => Target::parse(FALLBACK_TARGET).map_err(|e| Diagnostic::bug(e).boxed())?,
        };
        // On the simulator compilation is what is being looked at, so nothing is taken from the disk there.
        let cache = if device.is_simulator() { None } else { Cache::open_default() };
        Ok(Self {
            device,
            target,
            kernels: FxHashMap::default(),
            copies: FxHashMap::default(),
            cache,
            records: Vec::new(),
            warnings: Vec::new(),
            printed: Vec::new(),
            watcher,
        })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Launches since the last call, oldest first.
    pub fn take_records(&mut self) -> Vec<LaunchRecord> {
        std::mem::take(&mut self.records)
    }

    /// Warnings of compilations since the last call.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings)
    }

    /// What `static_print` printed since the last call.
    pub fn take_printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.printed)
    }

    /// Compiles (or finds) the kernel of a request.
    fn prepare(&mut self, request: &LaunchRequest<'_>) -> Result<Prepared> {
        let function = request.module.function(request.kernel).ok_or_else(|| {
            Diagnostic::error(tk_diag::UNKNOWN_NAME, format!("there is no kernel `{}`", request.kernel)).boxed()
        })?;
        for (_, arg) in &request.args {
            if let LaunchArg::Buffer { buffer, .. } = arg {
                self.upload(buffer)?;
            }
        }
        let args = self.signature(function, request)?;
        let runtime = (0..args.len()).filter(|i| !matches!(args[*i].1.ty, ArgType::Constexpr(_))).collect();
        let signature: Vec<String> = args.iter().map(|(name, spec)| format!("{name}: {spec}")).collect();
        let unit = Unit {
            module: request.module,
            kernel: request.kernel,
            args: &args,
            options: request.options.clone(),
            target: self.target.clone(),
        };
        let kernel = self.kernel(&unit)?;
        Ok(Prepared { kernel, signature: signature.join(", "), runtime })
    }

    fn signature(&self, function: &FunctionDef, request: &LaunchRequest<'_>) -> Result<Vec<(String, ArgSpec)>> {
        let values: Vec<LaunchValue> = request.args.iter().map(|(_, arg)| self.launch_value(arg)).collect();
        let specs = tk_launch::specialise(&values, &declared_params(function))
            .map_err(|error| located(error, &request.module.file, request))?;
        Ok(request.args.iter().map(|(name, _)| name.clone()).zip(specs).collect())
    }

    fn launch_value(&self, arg: &LaunchArg) -> LaunchValue {
        match arg {
            LaunchArg::Buffer { buffer, byte_offset, dtype } => {
                let base = self.copies.get(&buffer.id()).map_or(0, |copy| copy.buffer.address());
                LaunchValue::Tensor { dtype: *dtype, address: base + *byte_offset as u64 }
            }
            LaunchArg::Int(value) => LaunchValue::Value(ConstValue::Int(*value)),
            LaunchArg::Float(value) => LaunchValue::Value(ConstValue::Float(*value)),
            LaunchArg::Bool(value) => LaunchValue::Value(ConstValue::Bool(*value)),
            LaunchArg::Constexpr(value) => LaunchValue::Value(value.clone()),
        }
    }

    fn kernel(&mut self, unit: &Unit<'_>) -> Result<Kernel> {
        let key = unit.cache_key(&build_name());
        if let Some(kernel) = self.kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let looking = self.watcher.is_looking();
        let stored = self.cache.as_ref().filter(|_| !looking).and_then(|cache| cache.find(&key));
        let image = match stored {
            Some(image) => image,
            None => {
                let image = self.compile(unit)?;
                if let Some(cache) = &self.cache {
                    // A cache that cannot be written only costs time.
                    let _ = cache.store(&key, &image);
                }
                image
            }
        };
        let kernel = self.device.load(&image)?;
        self.kernels.insert(key, kernel.clone());
        Ok(kernel)
    }

    fn compile(&mut self, unit: &Unit<'_>) -> Result<KernelImage> {
        self.watcher.begin(unit.kernel);
        let compilation = tk_driver::compile(unit, Until::Ptx, &mut self.watcher).map_err(first)?;
        self.warnings.extend(compilation.warnings);
        self.printed.extend(compilation.printed);
        let mut image =
            compilation.image.ok_or_else(|| Diagnostic::bug("a compilation to PTX gave no kernel image").boxed())?;
        if let Some(ptxas) = tk_launch::find_ptxas().filter(|_| !self.device.is_simulator()) {
            let assembly = tk_launch::assemble(&ptxas, &image.ptx, &image.target, &unit.options)?;
            image.resources.registers = assembly.registers;
            image.resources.spill_bytes = assembly.spill_bytes;
            image.cubin = Some(assembly.cubin);
        }
        Ok(image)
    }

    /// Makes the device copy of a host buffer current.
    fn upload(&mut self, buffer: &BufferRef) -> Result<()> {
        let version = buffer.version();
        match self.copies.get_mut(&buffer.id()) {
            Some(copy) if copy.version == version => {}
            Some(copy) => {
                self.device.write(&copy.buffer, 0, &buffer.bytes())?;
                copy.version = version;
            }
            None => {
                let copy = DeviceCopy { version, buffer: self.device.upload(&buffer.bytes())? };
                self.copies.insert(buffer.id(), copy);
            }
        }
        Ok(())
    }

    fn download(&mut self, buffer: &BufferRef) -> Result<()> {
        let Some(copy) = self.copies.get_mut(&buffer.id()) else { return Ok(()) };
        let bytes = self.device.download(&copy.buffer)?;
        buffer.bytes_mut().copy_from_slice(&bytes);
        copy.version = buffer.version();
        Ok(())
    }

    fn device_args<'s>(&'s self, request: &LaunchRequest<'_>, prepared: &Prepared) -> Result<Vec<Arg<'s>>> {
        prepared.runtime.iter().map(|index| self.device_arg(&request.args[*index].1)).collect()
    }

    fn device_arg(&self, arg: &LaunchArg) -> Result<Arg<'_>> {
        Ok(match arg {
            LaunchArg::Buffer { buffer, byte_offset, .. } => {
                let copy = self.copies.get(&buffer.id());
                let copy = copy.ok_or_else(|| Diagnostic::bug("a tensor has no copy on the device").boxed())?;
                Arg::Buffer(&copy.buffer, *byte_offset)
            }
            LaunchArg::Int(value) | LaunchArg::Constexpr(ConstValue::Int(value)) => match i64::try_from(*value) {
                Ok(value) => Arg::I64(value),
                Err(_) => Arg::Scalar(tk_types::ScalarType::U64, *value as u64),
            },
            LaunchArg::Float(value) | LaunchArg::Constexpr(ConstValue::Float(value)) => Arg::F64(*value),
            LaunchArg::Bool(value) | LaunchArg::Constexpr(ConstValue::Bool(value)) => Arg::Bool(*value),
            LaunchArg::Constexpr(_) => Arg::Null,
        })
    }
}

impl<W: SessionWatcher> Launcher for Session<W> {
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()> {
        let prepared = self.prepare(request)?;
        let args = self.device_args(request, &prepared)?;
        let at = |error| located(error, &request.module.file, request);
        let report = prepared.kernel.launch(request.grid, &args).map_err(at)?;
        self.device.synchronise().map_err(at)?;
        for (_, arg) in &request.args {
            if let LaunchArg::Buffer { buffer, .. } = arg {
                self.download(buffer)?;
            }
        }
        let image = prepared.kernel.image();
        let image = KernelImage { ptx: String::new(), cubin: None, ..image.clone() };
        let kernel = request.kernel.to_string();
        self.records.push(LaunchRecord { kernel, signature: prepared.signature, grid: request.grid, image, report });
        Ok(())
    }

    fn bench(&mut self, requests: &[LaunchRequest<'_>], options: &BenchOptions) -> Result<Vec<f64>> {
        let prepared: Vec<Prepared> = requests.iter().map(|request| self.prepare(request)).collect::<Result<_>>()?;
        let mut work = Vec::new();
        for (request, prepared) in requests.iter().zip(&prepared) {
            work.push((&prepared.kernel, request.grid, self.device_args(request, prepared)?));
        }
        let settings =
            BenchSettings { mode: BenchMode::ColdCache, warmup_ms: options.warmup_ms, measure_ms: options.rep_ms };
        let result = self.device.bench(&settings, &mut || {
            work.iter().try_for_each(|(kernel, grid, args)| kernel.launch(*grid, args).map(|_| ()))
        });
        let times = result?.times_ms;
        // What the kernels wrote stayed on the device, so the copies no longer hold what the host believes.
        for (_, arg) in requests.iter().flat_map(|request| &request.args) {
            if let LaunchArg::Buffer { buffer, .. } = arg {
                self.copies.remove(&buffer.id());
            }
        }
        Ok(times)
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
            DeviceProperty::WarpSize => 32,
            DeviceProperty::ComputeCapability => i128::from(self.target.sm),
        })
    }
}

/// A launch error without a place gets that of the launch.
fn located(error: Box<Diagnostic>, file: &SourceFile, request: &LaunchRequest<'_>) -> Box<Diagnostic> {
    if error.code == BAD_LAUNCH && error.labels.is_empty() {
        return error.at(file, request.call_span, "in this launch").boxed();
    }
    error
}

/// The first diagnostic, with the others as notes.
fn first(diagnostics: Vec<Diagnostic>) -> Box<Diagnostic> {
    let mut all = diagnostics.into_iter();
    let first = all.next().unwrap_or_else(|| Diagnostic::bug("a compilation failed without a message"));
    all.fold(first, |first, other| first.note(format!("also: {other}"))).boxed()
}

/// A name of this build of tk: its version and the time and size of its executable, so that a rebuilt tk never reads
/// what an older one cached.
fn build_name() -> String {
    let executable = std::env::current_exe().and_then(std::fs::metadata);
    let stamp = executable.ok().and_then(|file| {
        let modified = file.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(format!("{}.{}", modified.as_nanos(), file.len()))
    });
    format!("{}-{}", env!("CARGO_PKG_VERSION"), stamp.unwrap_or_default())
}
