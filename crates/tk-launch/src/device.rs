//! A device: a GPU or the simulator, with its memory and the kernels loaded into it.
//!
//! Both are one type so that everything above (host functions, the facade, the command line) is written once; the match
//! on what is behind it stays in this file and in `kernel.rs`.

use crate::bench::{BenchResult, BenchSettings, TimedGpu, Work};
use crate::fault::OrDiagnostic;
use crate::flush::Flush;
use crate::kernel::{Kernel, LoadedKernel};
use crate::memory_unsafe::address;
use crate::sample::{Sample, SampleSettings};
use crate::sim::{SimDevice, SimOptions};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};
use tk_diag::{BAD_LAUNCH, Diagnostic, Result, USAGE};
use tk_image::KernelImage;
use tk_runtime::{DeviceInfo, Gpu, Memory, Stream};

/// Which device to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The GPU when there is one, else the simulator.
    #[default]
    Auto,
    /// The GPU, or an error that says what is missing.
    Cuda,
    /// The simulator.
    Sim,
}

impl std::str::FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "cuda" => Ok(Self::Cuda),
            "sim" => Ok(Self::Sim),
            other => Err(format!("`{other}` is not a device; write auto, cuda or sim")),
        }
    }
}

/// A GPU or the simulator. Cheap to clone; clones are the same device.
#[derive(Clone)]
pub struct Device {
    pub(crate) inner: Arc<DeviceInner>,
}

pub(crate) struct DeviceInner {
    pub(crate) backend: Backend,
    info: DeviceInfo,
    why_simulated: Option<Box<Diagnostic>>,
    kernels: Mutex<LoadedKernels>,
    flush: Flush,
}

/// Loaded kernels by the digest of their image.
type LoadedKernels = HashMap<u64, Vec<Arc<LoadedKernel>>>;

pub(crate) enum Backend {
    Cuda(Arc<Gpu>),
    Sim(SimDevice),
}

/// Every GPU of this machine, or why there is none; for `tk doctor`.
pub fn list_gpus() -> Result<Vec<DeviceInfo>> {
    tk_runtime::list_gpus().or_diagnostic()
}

impl Device {
    /// Opens a device. The GPU is number 0, or the one that `TK_DEVICE` names; where that says `sim`, [`DeviceChoice::Auto`] is the
    /// simulator.
    pub fn open(choice: DeviceChoice) -> Result<Self> {
        match choice {
            DeviceChoice::Sim => Ok(Self::simulator(None)),
            DeviceChoice::Cuda => Self::open_gpu(chosen_ordinal()?),
            DeviceChoice::Auto if is_simulator_chosen() => Ok(Self::simulator(None)),
            DeviceChoice::Auto => match chosen_ordinal().and_then(Self::open_gpu) {
                Err(error) if error.code != USAGE => Ok(Self::simulator(Some(error))),
                result => result,
            },
        }
    }

    /// Opens the GPU with this number.
    pub fn open_gpu(ordinal: usize) -> Result<Self> {
        let context = Gpu::open(ordinal).or_diagnostic()?;
        let info = context.info().clone();
        Ok(Self::new(Backend::Cuda(context), info, None))
    }

    fn simulator(why: Option<Box<Diagnostic>>) -> Self {
        let simulator = SimDevice::default();
        let info = simulator.info();
        Self::new(Backend::Sim(simulator), info, why)
    }

    fn new(backend: Backend, info: DeviceInfo, why_simulated: Option<Box<Diagnostic>>) -> Self {
        let (kernels, flush) = (Mutex::default(), Flush::default());
        Self { inner: Arc::new(DeviceInner { backend, info, why_simulated, kernels, flush }) }
    }

    /// What the device is.
    pub fn info(&self) -> &DeviceInfo {
        &self.inner.info
    }

    /// Whether this is the simulator.
    pub fn is_simulator(&self) -> bool {
        matches!(self.inner.backend, Backend::Sim(_))
    }

    /// Why [`DeviceChoice::Auto`] fell back to the simulator.
    pub fn why_simulated(&self) -> Option<&Diagnostic> {
        self.inner.why_simulated.as_deref()
    }

    /// Allocates memory that nothing has written. The simulator reports reads of it; on a GPU every byte is 0xff
    /// (NaN in every float type, -1 in every integer), so that a missing store shows.
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        let address = match &self.inner.backend {
            Backend::Cuda(gpu) => {
                let memory = gpu.allocate(bytes).or_diagnostic()?;
                gpu.fill(memory.address(), 0xff, bytes).or_diagnostic()?;
                return Ok(self.on_gpu(memory));
            }
            Backend::Sim(simulator) => simulator.allocate(bytes)?,
        };
        Ok(Buffer { device: self.inner.clone(), address, bytes, owner: Owner::Simulator })
    }

    /// Allocates memory and copies `bytes` to it.
    pub fn upload(&self, bytes: &[u8]) -> Result<Buffer> {
        let buffer = match &self.inner.backend {
            Backend::Cuda(gpu) => self.on_gpu(gpu.allocate(bytes.len()).or_diagnostic()?),
            Backend::Sim(simulator) => {
                let address = simulator.allocate(bytes.len())?;
                Buffer { device: self.inner.clone(), address, bytes: bytes.len(), owner: Owner::Simulator }
            }
        };
        self.write(&buffer, 0, bytes)?;
        Ok(buffer)
    }

    /// Lets a stream of the GPU wait for what is queued on another one now. The simulator has no streams.
    pub fn wait_for(&self, stream: Stream, other: Stream) -> Result<()> {
        match &self.inner.backend {
            Backend::Cuda(gpu) => gpu.wait_for(stream, other).or_diagnostic(),
            Backend::Sim(_) => Ok(()),
        }
    }

    /// Memory of the GPU that somebody else owns, for as long as kernels use it.
    pub fn borrow(&self, address: u64, bytes: usize) -> Buffer {
        Buffer { device: self.inner.clone(), address, bytes, owner: Owner::Caller }
    }

    /// Allocates `bytes` bytes and repeats the element in them. A GPU fills its memory itself, without a copy from the host.
    pub fn upload_repeated(&self, element: &[u8], bytes: usize) -> Result<Buffer> {
        let Backend::Cuda(context) = &self.inner.backend else {
            return self.upload(&element.repeat(bytes / element.len().max(1)));
        };
        let buffer = self.on_gpu(context.allocate(bytes).or_diagnostic()?);
        let start = address(buffer.address);
        match *element {
            _ if bytes == 0 => {}
            [first, ref rest @ ..] if rest.iter().all(|byte| *byte == first) => {
                context.fill(start, first, bytes).or_diagnostic()?
            }
            [a, b] => context.fill_16(start, u16::from_le_bytes([a, b]), bytes / 2).or_diagnostic()?,
            [a, b, c, d] => context.fill_32(start, u32::from_le_bytes([a, b, c, d]), bytes / 4).or_diagnostic()?,
            _ => self.write(&buffer, 0, &element.repeat(bytes / element.len().max(1)))?,
        }
        Ok(buffer)
    }

    /// Copies `bytes` to the buffer from byte `offset` on.
    pub fn write(&self, buffer: &Buffer, offset: usize, bytes: &[u8]) -> Result<()> {
        let start = self.address_of(buffer, offset, bytes.len())?;
        match &self.inner.backend {
            _ if bytes.is_empty() => Ok(()),
            Backend::Cuda(context) => context.write(address(start), bytes).or_diagnostic(),
            Backend::Sim(simulator) => simulator.write(buffer.address, offset, bytes),
        }
    }

    /// Says that nothing has written a range of the buffer, whatever it holds. A GPU takes no notice.
    pub fn forget(&self, buffer: &Buffer, range: Range<usize>) -> Result<()> {
        self.address_of(buffer, range.start, range.len())?;
        match &self.inner.backend {
            Backend::Cuda(_) => Ok(()),
            Backend::Sim(simulator) => simulator.forget(buffer.address, range),
        }
    }

    /// The ranges of the buffer that nothing has written, in order; none on a GPU, which does not know.
    pub fn unwritten(&self, buffer: &Buffer) -> Result<Vec<Range<usize>>> {
        match &self.inner.backend {
            Backend::Cuda(_) => Ok(Vec::new()),
            Backend::Sim(simulator) => simulator.unwritten(buffer.address),
        }
    }

    /// The whole buffer, after every earlier launch. Bytes that nothing wrote are unspecified.
    pub fn download(&self, buffer: &Buffer) -> Result<Vec<u8>> {
        let mut bytes = vec![0; buffer.len()];
        self.read(buffer, &mut bytes)?;
        Ok(bytes)
    }

    /// Copies the buffer's first bytes to `bytes`, after every earlier launch.
    pub fn read(&self, buffer: &Buffer, bytes: &mut [u8]) -> Result<()> {
        let start = self.address_of(buffer, 0, bytes.len())?;
        match &self.inner.backend {
            Backend::Cuda(context) => {
                context.synchronise().or_diagnostic()?;
                if bytes.is_empty() { Ok(()) } else { context.read(address(start), bytes).or_diagnostic() }
            }
            Backend::Sim(_) if bytes.is_empty() => Ok(()),
            Backend::Sim(simulator) => {
                bytes.copy_from_slice(&simulator.read(start)?[..bytes.len()]);
                Ok(())
            }
        }
    }

    /// Sets every byte of the buffer.
    pub fn fill(&self, buffer: &Buffer, value: u8) -> Result<()> {
        self.fill_range(buffer, 0..buffer.len(), value)
    }

    /// Sets the bytes of a range of the buffer.
    pub fn fill_range(&self, buffer: &Buffer, range: Range<usize>, value: u8) -> Result<()> {
        let start = self.address_of(buffer, range.start, range.len())?;
        match &self.inner.backend {
            _ if range.is_empty() => Ok(()),
            Backend::Cuda(context) => context.fill(address(start), value, range.len()).or_diagnostic(),
            Backend::Sim(simulator) => simulator.write(buffer.address, range.start, &vec![value; range.len()]),
        }
    }

    /// Copies `bytes` bytes from one place on the device to another; the two do not overlap.
    pub fn copy(&self, from: (&Buffer, usize), to: (&Buffer, usize), bytes: usize) -> Result<()> {
        let source = self.address_of(from.0, from.1, bytes)?;
        let target = self.address_of(to.0, to.1, bytes)?;
        match &self.inner.backend {
            _ if bytes == 0 => Ok(()),
            Backend::Cuda(context) => context.copy(address(source), address(target), bytes).or_diagnostic(),
            Backend::Sim(simulator) => {
                let all = simulator.read(from.0.address)?;
                simulator.write(to.0.address, to.1, &all[from.1..from.1 + bytes])
            }
        }
    }

    /// Bytes of a GPU's memory that nobody uses, other programs included; all of it on the simulator.
    pub fn free_bytes(&self) -> Result<u64> {
        match &self.inner.backend {
            Backend::Cuda(gpu) => gpu.free_bytes().or_diagnostic(),
            Backend::Sim(_) => Ok(self.info().memory_bytes),
        }
    }

    /// Copies memory of another GPU, which somebody owns, into a buffer of this one, after everything that is queued there.
    pub fn copy_from(&self, other: &Device, from: u64, to: (&Buffer, usize), bytes: usize) -> Result<()> {
        let target = self.address_of(to.0, to.1, bytes)?;
        match (&self.inner.backend, &other.inner.backend) {
            _ if bytes == 0 => Ok(()),
            (Backend::Cuda(gpu), Backend::Cuda(other)) => {
                gpu.copy_from(other, address(from), address(target), bytes).or_diagnostic()
            }
            _ => Err(Diagnostic::error(BAD_LAUNCH, "only a GPU copies from another one").boxed()),
        }
    }

    /// Sets how the simulator runs kernels from now on; a GPU takes no notice.
    pub fn set_sim_options(&self, options: SimOptions) {
        if let Backend::Sim(simulator) = &self.inner.backend {
            simulator.set_options(options);
        }
    }

    /// Runs the traffic to global memory of later launches through these caches, for the memory report. A GPU has its own.
    pub fn set_sim_caches(&self, caches: tk_sim::CacheConfig) {
        if let Backend::Sim(simulator) = &self.inner.backend {
            simulator.set_caches(caches);
        }
    }

    /// Waits for every launch and reports the first fault among them.
    pub fn synchronise(&self) -> Result<()> {
        match &self.inner.backend {
            Backend::Cuda(context) => context.synchronise().or_diagnostic(),
            Backend::Sim(_) => Ok(()),
        }
    }

    /// Loads a kernel; an image loaded before is not loaded again.
    pub fn load(&self, image: &KernelImage) -> Result<Kernel> {
        let digest = digest(image);
        let known = self.kernels().get(&digest).and_then(|same| same.iter().find(|k| k.image == *image).cloned());
        if let Some(loaded) = known {
            return Ok(Kernel { device: self.clone(), loaded });
        }
        let loaded = Arc::new(LoadedKernel::load(&self.inner, image)?);
        self.kernels().entry(digest).or_default().push(loaded.clone());
        Ok(Kernel { device: self.clone(), loaded })
    }

    /// Times a piece of work that launches kernels on this device.
    pub fn bench(&self, settings: &BenchSettings, work: &mut dyn FnMut() -> Result<()>) -> Result<BenchResult> {
        self.bench_prepared(settings, &mut || Ok(()), work)
    }

    /// The same with something that goes before each run and is not timed, such as writing back what a run changes.
    pub fn bench_prepared(
        &self,
        settings: &BenchSettings,
        prepare: &mut dyn FnMut() -> Result<()>,
        run: &mut dyn FnMut() -> Result<()>,
    ) -> Result<BenchResult> {
        let work = &mut Work { prepare, run };
        match &self.inner.backend {
            Backend::Cuda(context) => crate::bench::on_gpu(self.timed(context), settings, work),
            Backend::Sim(_) => crate::bench::on_simulator(work),
        }
    }

    /// Times a stretch of runs. `prepare` goes before each run and is not timed, such as writing back what a run changes.
    pub fn sample(
        &self,
        settings: &SampleSettings,
        prepare: &mut dyn FnMut() -> Result<()>,
        run: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Sample> {
        let work = &mut Work { prepare, run };
        match &self.inner.backend {
            Backend::Cuda(context) => crate::sample::on_gpu(self.timed(context), settings, work),
            Backend::Sim(_) => crate::sample::on_simulator(work),
        }
    }

    /// The buffer that owns memory of the GPU.
    fn on_gpu(&self, memory: Memory) -> Buffer {
        let (address, bytes) = (memory.address().raw(), memory.len());
        Buffer { device: self.inner.clone(), address, bytes, owner: Owner::Gpu(memory) }
    }

    fn timed<'d>(&'d self, context: &'d Arc<Gpu>) -> TimedGpu<'d> {
        TimedGpu { context, flush: &self.inner.flush }
    }

    fn kernels(&self) -> MutexGuard<'_, LoadedKernels> {
        self.inner.kernels.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn address_of(&self, buffer: &Buffer, offset: usize, bytes: usize) -> Result<u64> {
        if !buffer.is_on(self) {
            return Err(Diagnostic::error(BAD_LAUNCH, "the buffer belongs to another device").boxed());
        }
        match offset.checked_add(bytes) {
            Some(end) if end <= buffer.bytes => Ok(buffer.address + offset as u64),
            _ => {
                let message =
                    format!("bytes {offset} to {offset}+{bytes} are outside a buffer of {} bytes", buffer.bytes);
                Err(Diagnostic::error(BAD_LAUNCH, message).boxed())
            }
        }
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Device").field("info", &self.inner.info).finish_non_exhaustive()
    }
}

/// A short form of the parts of an image that tell most images apart; the rest is compared in full.
fn digest(image: &KernelImage) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&image.entry, &image.ptx, image.num_warps).hash(&mut hasher);
    hasher.finish()
}

/// Whether `TK_DEVICE` says `sim`.
fn is_simulator_chosen() -> bool {
    std::env::var("TK_DEVICE").is_ok_and(|text| text.trim() == "sim")
}

/// The GPU that `TK_DEVICE` names, else 0.
fn chosen_ordinal() -> Result<usize> {
    let Ok(text) = std::env::var("TK_DEVICE") else { return Ok(0) };
    text.trim().parse().map_err(|_| {
        let message = format!("TK_DEVICE is `{text}`, which is not the number of a GPU");
        Diagnostic::error(USAGE, message).help("set it to 0, 1, … or sim, or unset it").boxed()
    })
}

/// Memory of one device, freed when dropped unless it is borrowed.
pub struct Buffer {
    device: Arc<DeviceInner>,
    address: u64,
    bytes: usize,
    owner: Owner,
}

/// Who frees a buffer.
enum Owner {
    /// The memory itself, on a GPU.
    Gpu(#[allow(dead_code, reason = "it is freed when it is dropped")] Memory),
    /// The buffer, on the simulator.
    Simulator,
    /// Somebody else.
    Caller,
}

impl Buffer {
    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Where it starts on its device; launches are specialised on it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Whether it is memory of this device.
    pub fn is_on(&self, device: &Device) -> bool {
        Arc::ptr_eq(&self.device, &device.inner)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        match (&self.owner, &self.device.backend) {
            (Owner::Simulator, Backend::Sim(simulator)) => simulator.free(self.address),
            (Owner::Simulator | Owner::Gpu(_) | Owner::Caller, _) => {}
        }
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({:#x}, {} bytes)", self.address, self.bytes)
    }
}
