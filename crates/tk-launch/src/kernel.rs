//! A loaded kernel and its launches.

use crate::argument::{Arg, DeviceArgs, on_device};
use crate::assembly::AssemblyLog;
use crate::bench::{BenchResult, BenchSettings};
use crate::descriptor::encode_for_simulator;
use crate::device::{Backend, Buffer, Device, DeviceInner};
use crate::fault::{self, OrDiagnostic};
use crate::sim::{SimKernel, SimLaunch};
use std::sync::Arc;
use std::time::Instant;
use tk_diag::{BAD_LAUNCH, Diagnostic, Result};
use tk_image::KernelImage;
use tk_runtime::{Arg as DeviceArg, DeviceInfo, Error, Slot, Slots, Stream, check_grid, pack};
use tk_target::{Occupancy, Target};

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
    Cuda(tk_runtime::Kernel),
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
        let hidden = image.validate().and_then(|()| image.hidden_parameters()).map_err(Error::Image);
        let hidden = hidden.or_diagnostic_of(image)?;
        let resources = &image.resources;
        let (code, registers, spill_bytes) = match &device.backend {
            Backend::Cuda(gpu) => {
                let kernel = gpu.load(image).map_err(|error| loading(error, image, gpu.info()))?;
                let spills = resources.spill_bytes.or(AssemblyLog::parse(kernel.compiler_log()).spill_bytes);
                let (registers, spills) = (kernel.registers(), spills.or((kernel.local_bytes() == 0).then_some(0)));
                (Code::Cuda(kernel), Some(registers), spills)
            }
            Backend::Sim(simulator) => {
                let limit = simulator.shared_bytes_per_cta(&image.target);
                if image.shared_bytes > limit {
                    let (entry, bytes) = (image.entry.clone(), image.shared_bytes);
                    Err(Error::SharedMemory { entry, bytes, limit }).or_diagnostic_of(image)?;
                }
                (Code::Sim(Box::new(SimKernel::load(image)?)), resources.registers, resources.spill_bytes)
            }
        };
        Ok(Self { image: image.clone(), hidden, code, registers, spill_bytes })
    }
}

/// An error of the driver about a kernel; for another GPU it says what to compile for.
fn loading(error: Error, image: &KernelImage, gpu: &DeviceInfo) -> Box<Diagnostic> {
    let is_other = matches!(error, Error::OtherGpu { .. });
    let diagnostic = fault::diagnostic(error, image);
    match gpu.target() {
        Some(here) if is_other => diagnostic.help(format!("compile with `--target {here}`")).boxed(),
        _ => diagnostic,
    }
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

    /// Queues the kernel on a stream of its GPU, with arguments that are addresses and numbers already.
    ///
    /// # Errors
    /// As for [`Self::launch`]; a kernel of the simulator.
    pub fn queue(&self, stream: Stream, grid: [u32; 3], args: &[DeviceArg<'_>]) -> Result<()> {
        match &self.loaded.code {
            Code::Cuda(kernel) => kernel.launch(Some(stream), grid, args).or_diagnostic_of(&self.loaded.image),
            Code::Sim(_) => Err(Diagnostic::bug("a simulated kernel was queued on a stream").boxed()),
        }
    }

    fn launch_with(&self, stream: Option<Stream>, grid: [u32; 3], args: &[Arg<'_>]) -> Result<LaunchReport> {
        let loaded = &*self.loaded;
        let image = &loaded.image;
        check_buffers(&self.device, image, args)?;
        let on_device = on_device(image, args)?;
        let mut report =
            LaunchReport { registers: loaded.registers, spill_bytes: loaded.spill_bytes, ..LaunchReport::default() };
        match &loaded.code {
            Code::Cuda(kernel) => kernel.launch(stream, grid, &on_device).or_diagnostic_of(image)?,
            Code::Sim(kernel) => {
                let start = Instant::now();
                report.simulation = self.simulate(kernel, grid, args, &on_device)?;
                report.milliseconds = report.simulation.as_ref().map(|_| start.elapsed().as_secs_f64() * 1e3);
            }
        }
        Ok(report)
    }

    /// Runs the grid on the simulator; nothing for an empty one.
    fn simulate(
        &self,
        kernel: &SimKernel,
        grid: [u32; 3],
        args: &[Arg<'_>],
        on_device: &DeviceArgs<'_>,
    ) -> Result<Option<tk_sim::Report>> {
        let Backend::Sim(simulator) = &self.device.inner.backend else {
            return Err(Diagnostic::bug("a simulated kernel was launched on a GPU").boxed());
        };
        let (image, mut slots) = (&self.loaded.image, Slots::new());
        pack(image, on_device, &encode_for_simulator, &mut slots)
            .map_err(|refusal| refusal.error(image))
            .and_then(|()| check_grid(image, grid))
            .or_diagnostic_of(image)?;
        if grid.contains(&0) {
            return Ok(None);
        }
        // Memory of this launch alone, so that the simulator sees what was never written.
        let scratch = scratch(&self.device, image, grid)?;
        let address = scratch.as_ref().map_or(0, Buffer::address);
        (0..self.loaded.hidden).for_each(|index| slots.push_word(if index == 0 { address } else { 0 }));
        let slots: Vec<Slot> = slots.iter().collect();
        simulator.launch(SimLaunch { kernel, image, grid, args, slots: &slots }).map(Some)
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

/// The scratch memory of one launch, a part for every CTA of the grid, where the kernel asks for some.
fn scratch(device: &Device, image: &KernelImage, grid: [u32; 3]) -> Result<Option<Buffer>> {
    if image.global_scratch_bytes == 0 {
        return Ok(None);
    }
    let ctas = grid.iter().fold(u64::from(image.num_ctas.max(1)), |n, size| n.saturating_mul(u64::from(*size)));
    let bytes = ctas.saturating_mul(u64::from(image.global_scratch_bytes));
    device.allocate(usize::try_from(bytes).unwrap_or(usize::MAX)).map(Some)
}

fn check_buffers(device: &Device, image: &KernelImage, args: &[Arg<'_>]) -> Result<()> {
    let stranger = args.iter().position(|arg| arg.buffer().is_some_and(|buffer| !buffer.is_on(device)));
    let Some(index) = stranger else { return Ok(()) };
    let name = image.arguments().nth(index).map_or("", |(_, param)| param.name.as_str());
    let message = format!("`{}`, argument `{name}`: the buffer belongs to another device", image.entry);
    Err(Diagnostic::error(BAD_LAUNCH, message).help("upload it to the device the kernel runs on").boxed())
}
