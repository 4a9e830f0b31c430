//! Which device a launch runs on: the simulator where `TK_DEVICE` says so or there is no GPU, else the caller's current GPU and stream.

use crate::error;
use crate::exchange_unsafe::Exchange;
use crate::memory_unsafe;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use tk::Target;
use tk_launch::{Device, DeviceChoice, Stream};
use tk_types::{Language, Lines};

/// The devices that were opened, and what the program chose.
#[derive(Default)]
struct Devices {
    simulator: Option<Device>,
    gpus: BTreeMap<usize, Device>,
    /// The GPU of programs without torch.
    chosen: usize,
    /// The memory report of the last simulated launch.
    report: String,
}

static DEVICES: Mutex<Option<Devices>> = Mutex::new(None);

fn with<T>(work: impl FnOnce(&mut Devices) -> T) -> T {
    let mut devices: MutexGuard<'_, Option<Devices>> = DEVICES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    work(devices.get_or_insert_with(Devices::default))
}

/// What torch answers about the thread that asks.
struct Torch {
    device: Py<PyAny>,
    stream: Py<PyAny>,
    /// What answers for the stream without a call of Python's, in versions of torch that have it.
    exchange: Option<Exchange>,
}

impl Torch {
    /// The GPU and the stream of the calling thread.
    fn spot(&self, py: Python<'_>) -> PyResult<Spot> {
        let ordinal: usize = self.device.call0(py)?.extract(py)?;
        let stream = match self.exchange.and_then(|exchange| exchange.stream(py, ordinal)) {
            Some(stream) => stream,
            None => self.stream.call1(py, (ordinal,))?.extract(py)?,
        };
        Ok(Spot { ordinal, stream: memory_unsafe::stream(stream) })
    }
}

/// torch's functions, once the program has imported torch; nothing where torch finds no GPU.
static TORCH: PyOnceLock<Option<Torch>> = PyOnceLock::new();

/// `sys.modules`.
static MODULES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

fn torch(py: Python<'_>) -> PyResult<Option<&Torch>> {
    if let Some(known) = TORCH.get(py) {
        return Ok(known.as_ref());
    }
    let modules = MODULES.get_or_try_init(py, || -> PyResult<_> {
        let modules = py.import("sys")?.getattr("modules")?;
        Ok(modules.cast_into::<PyDict>().map_err(PyErr::from)?.unbind())
    })?;
    let Some(torch) = modules.bind(py).get_item(intern!(py, "torch"))? else { return Ok(None) };
    // A torch that is being imported has not everything yet.
    let (Some(cuda), Some(functions)) = (torch.getattr_opt("cuda")?, torch.getattr_opt("_C")?) else { return Ok(None) };
    if !cuda.call_method0("is_available")?.is_truthy()? {
        return Ok(TORCH.get_or_init(py, || None).as_ref());
    }
    // The current device exists after torch has started CUDA.
    cuda.call_method0("init")?;
    let (device, stream) = (functions.getattr("_cuda_getDevice")?, functions.getattr("_cuda_getCurrentRawStream")?);
    let exchange = match torch.getattr_opt("Tensor")?.map(|ty| ty.cast_into::<PyType>()) {
        Some(Ok(ty)) => Exchange::of(&ty)?,
        _ => None,
    };
    let known = Torch { device: device.unbind(), stream: stream.unbind(), exchange };
    Ok(TORCH.get_or_init(py, || Some(known)).as_ref())
}

/// The GPU and the stream that the calling thread has chosen.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    /// The number of the GPU.
    pub(crate) ordinal: usize,
    pub(crate) stream: Stream,
}

impl Spot {
    /// Where a launch by the calling thread goes; nothing for the simulator.
    pub(crate) fn current(py: Python<'_>) -> PyResult<Option<Self>> {
        if simulated(py)? {
            return Ok(None);
        }
        Ok(Some(match torch(py)? {
            Some(torch) => torch.spot(py)?,
            None => Self { ordinal: with(|devices| devices.chosen), stream: memory_unsafe::stream(0) },
        }))
    }
}

/// Where a launch goes.
pub(crate) struct Place {
    pub(crate) device: Device,
    /// The number of the GPU; nothing for the simulator.
    pub(crate) ordinal: Option<usize>,
    /// The caller's stream; nothing for the simulator.
    pub(crate) stream: Option<Stream>,
}

impl Place {
    /// The place of a launch by the calling thread.
    pub(crate) fn current(py: Python<'_>) -> PyResult<Self> {
        Self::at(py, Spot::current(py)?)
    }

    /// The place of a launch on a GPU, or on the simulator.
    pub(crate) fn at(py: Python<'_>, spot: Option<Spot>) -> PyResult<Self> {
        match spot {
            None => Ok(Self { device: simulator(py)?, ordinal: None, stream: None }),
            Some(Spot { ordinal, stream }) => {
                Ok(Self { device: gpu(py, ordinal)?, ordinal: Some(ordinal), stream: Some(stream) })
            }
        }
    }

    /// What kernels are compiled for here.
    pub(crate) fn target(&self) -> Target {
        self.device.info().target().unwrap_or_default()
    }
}

/// Whether launches go to the simulator, once that is known.
static SIMULATED: OnceLock<bool> = OnceLock::new();

pub(crate) fn simulated(py: Python<'_>) -> PyResult<bool> {
    if let Some(known) = SIMULATED.get() {
        return Ok(*known);
    }
    let device = Device::open(DeviceChoice::Auto).map_err(|fault| error::one(py, &fault))?;
    let is_simulator = device.is_simulator();
    with(|devices| {
        if is_simulator {
            devices.simulator = Some(device);
        } else if let Some(ordinal) = device.info().ordinal {
            devices.chosen = ordinal;
            devices.gpus.insert(ordinal, device);
        }
    });
    Ok(*SIMULATED.get_or_init(|| is_simulator))
}

fn simulator(py: Python<'_>) -> PyResult<Device> {
    match with(|devices| devices.simulator.clone()) {
        Some(device) => Ok(device),
        None => {
            let device = Device::open(DeviceChoice::Sim).map_err(|fault| error::one(py, &fault))?;
            Ok(with(|devices| devices.simulator.get_or_insert(device).clone()))
        }
    }
}

/// The GPU with this number, opened once.
pub(crate) fn gpu(py: Python<'_>, ordinal: usize) -> PyResult<Device> {
    match with(|devices| devices.gpus.get(&ordinal).cloned()) {
        Some(device) => Ok(device),
        None => {
            let device = Device::open_gpu(ordinal).map_err(|fault| error::one(py, &fault))?;
            keep_gpu(ordinal, device);
            gpu(py, ordinal)
        }
    }
}

/// Keeps a GPU that was opened, where that was not done before; gives its number back.
pub(crate) fn keep_gpu(ordinal: usize, device: Device) -> usize {
    with(|devices| {
        devices.gpus.entry(ordinal).or_insert(device);
    });
    ordinal
}

/// The target of a compute capability such as 90. Asks no driver, so that it works in a process that was forked from one with a GPU.
pub(crate) fn target_of(arch: u32) -> PyResult<Target> {
    let wanted = Target::parse(&format!("cuda:{arch}")).map_err(PyValueError::new_err)?;
    // A device that was opened knows more of itself than its name says.
    let name = wanted.to_string();
    let opened = with(|devices| {
        let devices = devices.simulator.iter().chain(devices.gpus.values());
        devices.filter_map(|device| device.info().target()).find(|target| target.to_string() == name)
    });
    Ok(opened.unwrap_or(wanted))
}

/// Whether products and sums are contracted where a launch does not say.
static FP_FUSION: AtomicBool = AtomicBool::new(true);

pub(crate) fn default_fp_fusion() -> bool {
    FP_FUSION.load(Ordering::Relaxed)
}

/// Sets whether products and sums are contracted where a launch does not say.
#[pyfunction]
pub(crate) fn set_default_fp_fusion(wanted: bool) {
    FP_FUSION.store(wanted, Ordering::Relaxed);
}

/// Whether kernels are only what Triton takes, too.
static IS_PORTABLE: AtomicBool = AtomicBool::new(false);

pub(crate) fn language() -> Language {
    if IS_PORTABLE.load(Ordering::Relaxed) { Language::Portable } else { Language::Full }
}

/// Sets whether kernels are only what Triton takes, too. What was linked before may be out of date.
#[pyfunction]
pub(crate) fn set_portable(wanted: bool) {
    if IS_PORTABLE.swap(wanted, Ordering::Relaxed) != wanted {
        text_changed();
    }
}

/// Whether what is compiled now says its lines: Triton's variable takes them out.
pub(crate) fn lines() -> Lines {
    let wanted = std::env::var("TRITON_DISABLE_LINE_INFO").unwrap_or_default();
    if matches!(wanted.as_str(), "" | "0" | "false" | "off" | "no") { Lines::Kept } else { Lines::Dropped }
}

/// How often a function got another text: what was linked before may be out of date.
static TEXTS: AtomicU64 = AtomicU64::new(0);

pub(crate) fn texts() -> u64 {
    TEXTS.load(Ordering::Relaxed)
}

/// Says that a function got another text.
#[pyfunction]
pub(crate) fn text_changed() {
    TEXTS.fetch_add(1, Ordering::Relaxed);
}

/// Whether `tk._hooks` wants to be told of launches.
static LAUNCH_HOOKS: AtomicBool = AtomicBool::new(false);

pub(crate) fn has_launch_hooks() -> bool {
    LAUNCH_HOOKS.load(Ordering::Relaxed)
}

/// Says whether launches call the hooks of `tk._hooks`.
#[pyfunction]
pub(crate) fn set_launch_hooks(wanted: bool) {
    LAUNCH_HOOKS.store(wanted, Ordering::Relaxed);
}

/// Keeps the memory report of a simulated launch.
pub(crate) fn keep_report(report: String) {
    with(|devices| devices.report = report);
}

/// The memory report of the last launch on the simulator.
#[pyfunction]
pub(crate) fn simulator_report() -> String {
    with(|devices| devices.report.clone())
}

/// Whether launches go to the simulator.
#[pyfunction]
pub(crate) fn is_simulator(py: Python<'_>) -> PyResult<bool> {
    simulated(py)
}

/// Sets the GPU of launches of programs without torch.
#[pyfunction]
pub(crate) fn set_device(ordinal: usize) {
    with(|devices| devices.chosen = ordinal);
}

/// What kernels are compiled for here: `sm_90a`.
#[pyfunction]
pub(crate) fn target(py: Python<'_>) -> PyResult<String> {
    Ok(Place::current(py)?.target().to_string())
}

/// The number of the current device, and its compute capability: what programs ask in every call.
#[pyfunction]
pub(crate) fn current_device(py: Python<'_>) -> PyResult<(usize, u32)> {
    let place = Place::current(py)?;
    Ok((place.ordinal.unwrap_or(0), place.target().compute_capability().number()))
}

/// What the current device is, by the names that Triton's driver has for it.
#[pyfunction]
pub(crate) fn device_properties(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let place = Place::current(py)?;
    let (info, properties) = (place.device.info(), PyDict::new(py));
    properties.set_item("name", &info.name)?;
    properties.set_item("ordinal", place.ordinal.unwrap_or(0))?;
    properties.set_item("multiprocessor_count", info.multiprocessors)?;
    properties.set_item("max_shared_mem", info.shared_bytes_per_cta)?;
    properties.set_item("max_num_regs", info.registers_per_multiprocessor)?;
    properties.set_item("warpSize", 32)?;
    properties.set_item("memory_bytes", info.memory_bytes)?;
    properties.set_item("capability", place.target().compute_capability().number())?;
    let driver = info.driver_version.map_or_else(String::new, |(major, minor)| format!("{major}.{minor}"));
    properties.set_item("driver_version", driver)?;
    properties.set_item("is_simulator", place.ordinal.is_none())?;
    Ok(properties)
}
