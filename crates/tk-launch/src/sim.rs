//! The simulator as a device: its memory, kernels decoded from PTX text, and launches with checks and counts.

use crate::argument::Arg;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};
use tk_diag::{DEVICE, Diagnostic, Result, SourceFile, UNSUPPORTED};
use tk_image::{KernelImage, ParamKind};
use tk_runtime::{DeviceInfo, Slot};
use tk_sim::{CacheConfig, Checks, DeviceMemory, LaunchConfig, Limits, Program, Report};
use tk_target::{Target, WARP_SIZE};

/// Largest buffer of the simulator in bytes; the machine's own memory ends somewhere above.
const MAX_BUFFER_BYTES: usize = 8 << 30;

/// How the simulator runs kernels.
#[derive(Clone, Debug)]
pub struct SimOptions {
    /// What stops a kernel besides accesses outside buffers and misaligned ones.
    pub checks: Checks,
    /// When to give up.
    pub limits: Limits,
    /// The `.tk` files kernels come from: messages and the memory report quote their lines.
    pub sources: Vec<SourceFile>,
    /// Worker threads; 0 for one per core.
    pub threads: usize,
    /// The caches through which memory reports run the traffic to global memory; none to leave them out.
    pub caches: Option<CacheConfig>,
}

impl Default for SimOptions {
    /// All checks but the one that tk's own kernels do not meet: `wgmma` reads what `cp.async` copied without a proxy fence
    /// (docs/decisions/0007).
    fn default() -> Self {
        let checks = Checks { copy_fences: false, ..Checks::default() };
        Self { checks, limits: Limits::default(), sources: Vec::new(), threads: 0, caches: None }
    }
}

/// A simulated GPU.
#[derive(Default)]
pub(crate) struct SimDevice(Mutex<State>);

#[derive(Default)]
struct State {
    memory: DeviceMemory,
    buffers: HashMap<u64, tk_sim::Buffer>,
    options: SimOptions,
}

/// A kernel the simulator can run.
pub(crate) struct SimKernel {
    program: Program,
}

/// One launch.
pub(crate) struct SimLaunch<'l, 'a> {
    pub(crate) kernel: &'l SimKernel,
    pub(crate) image: &'l KernelImage,
    /// Programs by axis.
    pub(crate) grid: [u32; 3],
    /// The arguments: buffers take the names of their parameters, so that messages speak of them.
    pub(crate) args: &'l [Arg<'a>],
    /// The same, packed.
    pub(crate) slots: &'l [Slot],
}

impl SimKernel {
    /// Reads and decodes the PTX. An instruction the simulator does not know is an error with its place in the text.
    pub(crate) fn load(image: &KernelImage) -> Result<Self> {
        if image.num_ctas > 1 {
            let message =
                format!("`{}` wants clusters of {} CTAs, which the simulator has not", image.entry, image.num_ctas);
            return Err(Diagnostic::error(UNSUPPORTED, message).help("set num_ctas to 1, or run on a GPU").boxed());
        }
        let text = SourceFile::new(format!("{}.ptx", image.entry), image.ptx.as_str());
        Ok(Self { program: Program::compile(&tk_ptx::parse(&text)?, &image.entry)? })
    }
}

impl SimDevice {
    pub(crate) fn info(&self) -> DeviceInfo {
        let target = Target::default();
        DeviceInfo {
            name: "simulator".into(),
            ordinal: None,
            compute_capability: None,
            multiprocessors: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            memory_bytes: 0,
            shared_bytes_per_cta: target.max_shared_bytes_per_cta(),
            registers_per_multiprocessor: target.registers_per_sm(),
            l2_bytes: 0,
            driver_version: None,
        }
    }

    /// Most shared memory that a CTA has on this target, in bytes.
    pub(crate) fn shared_bytes_per_cta(&self, target: &str) -> u32 {
        Target::parse(target).unwrap_or_default().max_shared_bytes_per_cta()
    }

    pub(crate) fn set_options(&self, options: SimOptions) {
        self.state().options = options;
    }

    pub(crate) fn set_caches(&self, caches: CacheConfig) {
        self.state().options.caches = Some(caches);
    }

    /// Allocates bytes that count as never written, and returns their address.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<u64> {
        if bytes > MAX_BUFFER_BYTES {
            let message = format!("{bytes} bytes are more than the simulator allocates at once ({MAX_BUFFER_BYTES})");
            return Err(Diagnostic::error(DEVICE, message).help("use smaller tensors, or a GPU").boxed());
        }
        let mut state = self.state();
        let buffer = state.memory.allocate(bytes as u64);
        state.buffers.insert(buffer.address(), buffer);
        Ok(buffer.address())
    }

    pub(crate) fn free(&self, address: u64) {
        let mut state = self.state();
        if let Some(buffer) = state.buffers.remove(&address) {
            state.memory.free(buffer);
        }
    }

    /// Copies `bytes` into the buffer at `address`, from byte `offset` on.
    pub(crate) fn write(&self, address: u64, offset: usize, bytes: &[u8]) -> Result<()> {
        let state = &mut *self.state();
        state.memory.write_at(state.find(address)?, offset as u64, bytes)
    }

    /// Declares bytes of the buffer at `address` unwritten.
    pub(crate) fn forget(&self, address: u64, bytes: Range<usize>) -> Result<()> {
        let state = &mut *self.state();
        state.memory.forget(state.find(address)?, bytes.start as u64..bytes.end as u64)
    }

    /// The ranges of bytes of the buffer at `address` that nothing has written.
    pub(crate) fn unwritten(&self, address: u64) -> Result<Vec<Range<usize>>> {
        let state = self.state();
        let ranges = state.memory.unwritten(state.find(address)?)?;
        Ok(ranges.into_iter().map(|range| range.start as usize..range.end as usize).collect())
    }

    /// All bytes of the buffer at `address`.
    pub(crate) fn read(&self, address: u64) -> Result<Vec<u8>> {
        let state = self.state();
        state.memory.read(state.find(address)?)
    }

    /// Runs the grid to its end.
    pub(crate) fn launch(&self, launch: SimLaunch<'_, '_>) -> Result<Report> {
        let SimLaunch { kernel, image, grid, args, slots } = launch;
        let state = &mut *self.state();
        for ((_, param), arg) in image.arguments().zip(args) {
            if let Some(buffer) = arg.buffer()
                && let Ok(buffer) = state.find(buffer.address())
            {
                state.memory.set_name(buffer, &param.name);
                state.memory.set_element_bytes(buffer, element_bytes(&param.kind));
            }
        }
        let bytes_of =
            |(slot, parameter): (&Slot, &tk_ptx::Parameter)| tk_sim::Arg(slot.bytes(parameter.bytes as usize));
        let config = LaunchConfig {
            grid,
            threads_per_cta: image.num_warps * WARP_SIZE,
            shared_bytes: image.shared_bytes,
            args: slots.iter().zip(kernel.program.parameters()).map(bytes_of).collect(),
            limits: state.options.limits,
            checks: state.options.checks,
            sources: state.options.sources.clone(),
            threads: state.options.threads,
            caches: state.options.caches.clone(),
            ..LaunchConfig::default()
        };
        tk_sim::launch(&kernel.program, &mut state.memory, &config)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Bytes of an element of an argument; 0 when unknown.
fn element_bytes(kind: &ParamKind) -> u32 {
    match kind {
        ParamKind::Pointer(Some(element)) | ParamKind::DescriptorBase { element, .. } => element.bytes(),
        ParamKind::TensorMap(spec) => spec.element.bytes(),
        ParamKind::Pointer(None) | ParamKind::Scalar(_) | ParamKind::MapOfPointer { .. } => 0,
    }
}

impl State {
    fn find(&self, address: u64) -> Result<tk_sim::Buffer> {
        let missing = || Diagnostic::bug("the simulator does not know a buffer that is alive").boxed();
        self.buffers.get(&address).copied().ok_or_else(missing)
    }
}
