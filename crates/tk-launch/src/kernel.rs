//! A loaded kernel and its launches.

use crate::argument::{Arg, Slot, pack};
use crate::bench::{BenchResult, BenchSettings};
use crate::cuda::{CudaContext, CudaKernel};
use crate::device::{Backend, Buffer, Device, DeviceInner};
use crate::entry::hidden_parameters;
use crate::sim::SimKernel;
use crate::stream_unsafe::Stream;
use std::sync::Arc;
use std::time::Instant;
use tk_diag::{BAD_LAUNCH, Diagnostic, Result, TOO_MUCH_SHARED_MEMORY};
use tk_target::{MAX_THREADS_PER_CTA, Occupancy, Target, WARP_SIZE};
use tk_types::KernelImage;

/// Most programs by axis.
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

/// A kernel ready to launch on one device. Cheap to clone.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) device: Device,
    pub(crate) loaded: Arc<LoadedKernel>,
}

pub(crate) struct LoadedKernel {
    pub(crate) image: KernelImage,
    hidden: usize,
    code: Code,
    registers: Option<u32>,
    spill_bytes: Option<u32>,
}

enum Code {
    Cuda(CudaKernel),
    Sim(Box<SimKernel>),
}

/// What one launch says about itself.
#[derive(Debug, Default)]
pub struct LaunchReport {
    /// Registers per thread, where the device knows.
    pub registers: Option<u32>,
    /// Bytes of spill stores per thread, where the device knows.
    pub spill_bytes: Option<u32>,
    /// Milliseconds of the simulation; `None` on a GPU, where a launch returns before the kernel has run.
    pub milliseconds: Option<f64>,
    /// What the simulator counted; `None` on a GPU and for an empty grid.
    pub simulation: Option<tk_sim::Report>,
}

impl LoadedKernel {
    pub(crate) fn load(device: &DeviceInner, image: &KernelImage) -> Result<Self> {
        let hidden = hidden_parameters(image)?;
        let threads = image.num_warps.saturating_mul(WARP_SIZE);
        if threads == 0 || threads > MAX_THREADS_PER_CTA {
            let message = format!("`{}` has {} warps; a CTA has 1 to 32", image.entry, image.num_warps);
            return Err(Diagnostic::error(BAD_LAUNCH, message).help("set num_warps to 1, 2, 4, 8, 16 or 32").boxed());
        }
        let resources = &image.resources;
        let (code, registers, spill_bytes) = match &device.backend {
            Backend::Cuda(context) => {
                let kernel = load_on_gpu(context, image)?;
                let spills = resources.spill_bytes.or(kernel.spill_bytes);
                let (registers, spills) = (kernel.registers, spills.or((kernel.local_bytes == 0).then_some(0)));
                (Code::Cuda(kernel), Some(registers), spills)
            }
            Backend::Sim(simulator) => {
                check_shared(image, simulator.shared_bytes_per_cta(&image.target))?;
                (Code::Sim(Box::new(SimKernel::load(image)?)), resources.registers, resources.spill_bytes)
            }
        };
        Ok(Self { image: image.clone(), hidden, code, registers, spill_bytes })
    }
}

/// One launch on a GPU.
pub(crate) struct CudaLaunch<'a> {
    /// Where it is queued; nothing for the default stream, or the one that is captured.
    pub(crate) stream: Option<Stream>,
    /// Programs by axis.
    pub(crate) grid: [u32; 3],
    /// Threads per CTA.
    pub(crate) threads: u32,
    /// CTAs per program, along x.
    pub(crate) cluster: u32,
    /// Dynamic shared memory in bytes.
    pub(crate) shared_bytes: u32,
    /// One slot per entry parameter, hidden ones included.
    pub(crate) slots: &'a mut [Slot],
}

/// Loads the machine code where the GPU can run it, else the PTX.
fn load_on_gpu(context: &Arc<CudaContext>, image: &KernelImage) -> Result<CudaKernel> {
    let info = context.info();
    check_shared(image, info.shared_bytes_per_cta)?;
    if let Some(cubin) = image.cubin.as_ref().filter(|_| info.runs_machine_code_of(&image.target)) {
        return context.load(cubin, &image.entry, image.shared_bytes);
    }
    if !info.runs_ptx_of(&image.target) {
        let here = info.compute_capability.map_or_else(|| "none".to_string(), |capability| capability.to_string());
        let message =
            format!("`{}` was compiled for {}, and this GPU has compute capability {here}", image.entry, image.target);
        let mut diagnostic = Diagnostic::error(BAD_LAUNCH, message);
        if let Some(here) = info.target() {
            diagnostic = diagnostic.help(format!("compile with `--target {here}`"));
        }
        return Err(diagnostic.boxed());
    }
    context.load(image.ptx.as_bytes(), &image.entry, image.shared_bytes)
}

fn check_shared(image: &KernelImage, limit: u32) -> Result<()> {
    if image.shared_bytes <= limit {
        return Ok(());
    }
    let message = format!(
        "`{}` needs {} bytes of shared memory; a CTA of this device has {limit}",
        image.entry, image.shared_bytes
    );
    let mut diagnostic = Diagnostic::error(TOO_MUCH_SHARED_MEMORY, message);
    for (name, offset, bytes) in &image.resources.shared_buffers {
        diagnostic = diagnostic.note(format!("{bytes} bytes at {offset}: {name}"));
    }
    Err(diagnostic.help("use a smaller block or fewer stages").boxed())
}

impl Kernel {
    /// The image it was loaded from.
    pub fn image(&self) -> &KernelImage {
        &self.loaded.image
    }

    /// Registers per thread, where the device knows.
    pub fn registers(&self) -> Option<u32> {
        self.loaded.registers
    }

    /// Bytes of spill stores per thread, where the device knows.
    pub fn spill_bytes(&self) -> Option<u32> {
        self.loaded.spill_bytes
    }

    /// How many CTAs share a multiprocessor of `target`, where the registers are known.
    pub fn occupancy(&self, target: &Target) -> Option<Occupancy> {
        let image = &self.loaded.image;
        Some(target.occupancy(self.registers()?, image.shared_bytes, image.num_warps))
    }

    /// Runs one program per point of the grid. An empty grid runs nothing.
    ///
    /// On a GPU this returns once the launch is queued; a fault inside the kernel shows at the next
    /// [`Device::synchronise`] or [`Device::download`]. On the simulator the kernel has run.
    /// Arguments that do not fit the kernel and grids beyond the GPU's limits are [`BAD_LAUNCH`].
    pub fn launch(&self, grid: [u32; 3], args: &[Arg<'_>]) -> Result<LaunchReport> {
        self.launch_with(None, grid, args)
    }

    /// Like [`Self::launch`], queued on a stream that somebody else made. The simulator has no streams.
    pub fn launch_on(&self, stream: Stream, grid: [u32; 3], args: &[Arg<'_>]) -> Result<LaunchReport> {
        self.launch_with(Some(stream), grid, args)
    }

    fn launch_with(&self, stream: Option<Stream>, grid: [u32; 3], args: &[Arg<'_>]) -> Result<LaunchReport> {
        let loaded = &*self.loaded;
        let image = &loaded.image;
        check_buffers(&self.device, image, args)?;
        let mut slots = match &self.device.inner.backend {
            Backend::Cuda(context) => pack(image, args, &|map| context.encode(map))?,
            Backend::Sim(_) => pack(image, args, &|map| map.encode_for_simulator())?,
        };
        check_grid(image, grid)?;
        let mut report =
            LaunchReport { registers: loaded.registers, spill_bytes: loaded.spill_bytes, ..LaunchReport::default() };
        if grid.contains(&0) {
            return Ok(report);
        }
        let scratch = Scratch::for_launch(&self.device, stream, image, grid)?;
        // Hidden parameters beyond scratch memory are pointers that nothing uses.
        slots.extend((0..loaded.hidden).map(|index| Slot::Word(if index == 0 { scratch.address() } else { 0 })));
        let threads = image.num_warps * WARP_SIZE;
        match (&loaded.code, &self.device.inner.backend) {
            (Code::Cuda(kernel), _) => {
                let (cluster, shared_bytes) = (image.num_ctas.max(1), image.shared_bytes);
                kernel.launch(CudaLaunch { stream, grid, threads, cluster, shared_bytes, slots: &mut slots })?;
            }
            (Code::Sim(kernel), Backend::Sim(simulator)) => {
                let start = Instant::now();
                report.simulation = Some(simulator.launch(kernel, image, grid, (args, &slots))?);
                report.milliseconds = Some(start.elapsed().as_secs_f64() * 1e3);
            }
            (Code::Sim(_), Backend::Cuda(_)) => {
                return Err(Diagnostic::bug("a simulated kernel was launched on a GPU").boxed());
            }
        }
        Ok(report)
    }

    /// Times the kernel with these arguments.
    pub fn bench(&self, grid: [u32; 3], args: &[Arg<'_>], settings: &BenchSettings) -> Result<BenchResult> {
        self.device.bench(settings, &mut || self.launch(grid, args).map(|_| ()))
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernel({})", self.loaded.image.entry)
    }
}

/// The scratch memory of one launch: a part for every CTA of the grid.
enum Scratch {
    /// The kernel asks for none.
    None,
    /// Memory that every launch on the GPU shares: launches run one after the other.
    Shared(u64),
    /// Memory of this launch alone, so that the simulator sees what was never written.
    Own(Buffer),
}

impl Scratch {
    fn for_launch(device: &Device, stream: Option<Stream>, image: &KernelImage, grid: [u32; 3]) -> Result<Self> {
        if image.global_scratch_bytes == 0 {
            return Ok(Scratch::None);
        }
        let ctas = grid.iter().fold(u64::from(image.num_ctas.max(1)), |n, size| n.saturating_mul(u64::from(*size)));
        let bytes = ctas.saturating_mul(u64::from(image.global_scratch_bytes));
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        match &device.inner.backend {
            Backend::Cuda(context) => context.scratch(stream, bytes).map(Scratch::Shared),
            Backend::Sim(_) => device.allocate(bytes).map(Scratch::Own),
        }
    }

    fn address(&self) -> u64 {
        match self {
            Scratch::None => 0,
            Scratch::Shared(address) => *address,
            Scratch::Own(buffer) => buffer.address(),
        }
    }
}

fn check_buffers(device: &Device, image: &KernelImage, args: &[Arg<'_>]) -> Result<()> {
    let stranger = args.iter().position(|arg| arg.buffer().is_some_and(|buffer| !buffer.is_on(device)));
    let Some(index) = stranger else { return Ok(()) };
    let name = image.arguments().nth(index).map_or("", |(_, param)| param.name.as_str());
    let message = format!("`{}`, argument `{name}`: the buffer belongs to another device", image.entry);
    Err(Diagnostic::error(BAD_LAUNCH, message).help("upload it to the device the kernel runs on").boxed())
}

fn check_grid(image: &KernelImage, grid: [u32; 3]) -> Result<()> {
    let x_limit = MAX_GRID[0] / image.num_ctas.max(1);
    for (axis, (programs, limit)) in grid.into_iter().zip([x_limit, MAX_GRID[1], MAX_GRID[2]]).enumerate() {
        if programs > limit {
            let message = format!(
                "`{}`: the grid has {programs} programs along axis {axis}, where a GPU takes at most {limit}",
                image.entry
            );
            return Err(Diagnostic::error(BAD_LAUNCH, message).help("move the largest extent to axis 0").boxed());
        }
    }
    Ok(())
}
