//! A kernel on a GPU and its launches.

use crate::argument::{Arg, Plain, Refusal, Slots, pack, pack_plain};
use crate::code_parameters::parameters_of;
use crate::cuda::{Function, Launch};
use crate::{Error, Gpu, Result, Stream};
use std::sync::Arc;
use tk_image::KernelImage;
use tk_target::WARP_SIZE;

/// Most programs by axis.
const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

/// Bytes of a hidden parameter, which is a pointer.
const HIDDEN_BYTES: u32 = 8;

/// A kernel that is loaded on one GPU. Cheap to clone.
#[derive(Clone)]
pub struct Kernel(Arc<Loaded>);

struct Loaded {
    gpu: Arc<Gpu>,
    image: KernelImage,
    /// How many pointers follow the parameters of the image.
    hidden: usize,
    /// What the parameters ask, where all are plain.
    plain: Option<Box<[Plain]>>,
    function: Function,
}

impl Gpu {
    /// Loads a kernel: the machine code where the GPU can run it, else the PTX, which the driver compiles.
    ///
    /// # Errors
    /// An image that is not valid, for another GPU, or that does not fit this one.
    pub fn load(self: &Arc<Self>, image: &KernelImage) -> Result<Kernel> {
        image.validate()?;
        let (info, entry) = (self.info(), &image.entry);
        if image.shared_bytes > info.shared_bytes_per_cta {
            let (bytes, limit) = (image.shared_bytes, info.shared_bytes_per_cta);
            return Err(Error::SharedMemory { entry: entry.clone(), bytes, limit });
        }
        let code = match &image.cubin {
            Some(cubin) if info.runs_machine_code_of(&image.target) => cubin.as_slice(),
            _ if info.runs_ptx_of(&image.target) => image.ptx.as_bytes(),
            _ => {
                let here = info.compute_capability.map_or_else(|| "none".to_string(), |here| here.to_string());
                let (targets, is_promised) = (vec![image.target.clone()], false);
                return Err(Error::OtherGpu { entry: entry.clone(), targets, here, is_promised });
            }
        };
        let function = self.load_function(code, entry, image.shared_bytes)?;
        let hidden = image.hidden_parameters()?;
        let own = image.params.iter().map(|param| param.kind.bytes());
        let bytes: Vec<u32> = own.chain(std::iter::repeat_n(HIDDEN_BYTES, hidden)).collect();
        function.check_parameters(&bytes, parameters_of(code, entry), info.driver_version)?;
        let plain = Plain::all_of(image);
        Ok(Kernel(Arc::new(Loaded { gpu: self.clone(), image: image.clone(), hidden, plain, function })))
    }
}

impl Kernel {
    /// The image it was loaded from.
    pub fn image(&self) -> &KernelImage {
        &self.0.image
    }

    /// Registers per thread.
    pub fn registers(&self) -> u32 {
        self.0.function.registers
    }

    /// Local memory per thread in bytes: stack and spills.
    pub fn local_bytes(&self) -> u32 {
        self.0.function.local_bytes
    }

    /// What the driver's compiler said of PTX; empty for machine code.
    pub fn compiler_log(&self) -> &str {
        &self.0.function.log
    }

    /// Queues one program per point of the grid on a stream, or on the default stream. An empty grid runs nothing.
    ///
    /// This returns before the kernel has run; a fault inside it shows at the next call that waits.
    ///
    /// # Errors
    /// Arguments that do not fit the kernel or that it was not compiled for, grids beyond the limits, and what the driver says.
    pub fn launch(&self, stream: Option<Stream>, grid: [u32; 3], args: &[Arg<'_>]) -> Result<()> {
        let mut slots = Slots::new();
        self.pack(args, &mut slots).map_err(|refusal| refusal.error(self.image()))?;
        self.launch_packed(stream, grid, &mut slots)
    }

    pub(crate) fn pack(&self, args: &[Arg<'_>], slots: &mut Slots) -> Result<(), Refusal> {
        if let Some(plain) = &self.0.plain {
            if pack_plain(plain, args, slots) {
                return Ok(());
            }
            slots.clear();
        }
        pack(&self.0.image, args, &|map| self.0.gpu.encode(map), slots)
    }

    pub(crate) fn launch_packed(&self, stream: Option<Stream>, grid: [u32; 3], slots: &mut Slots) -> Result<()> {
        let image = &self.0.image;
        check_grid(image, grid)?;
        if grid.contains(&0) {
            return Ok(());
        }
        let scratch = self.reserve_scratch(stream, grid)?;
        // Hidden parameters beyond scratch memory are pointers that nothing uses.
        (0..self.0.hidden).for_each(|index| slots.push_word(if index == 0 { scratch } else { 0 }));
        let (cluster, shared_bytes) = (image.num_ctas.max(1), image.shared_bytes);
        let threads = image.num_warps * WARP_SIZE;
        self.0.function.launch(Launch { stream, grid, threads, cluster, shared_bytes, slots })
    }

    /// Allocates the scratch memory of launches on a stream with grids up to this one, as the first launch would: before a graph is
    /// captured, say. Kernels without scratch memory need none. The answer is its address.
    ///
    /// # Errors
    /// A GPU that is full.
    pub fn reserve_scratch(&self, stream: Option<Stream>, grid: [u32; 3]) -> Result<u64> {
        let image = &self.0.image;
        if image.global_scratch_bytes == 0 {
            return Ok(0);
        }
        let ctas = grid.iter().fold(u64::from(image.num_ctas.max(1)), |n, size| n.saturating_mul(u64::from(*size)));
        let bytes = ctas.saturating_mul(u64::from(image.global_scratch_bytes));
        self.0.gpu.scratch(stream, usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

impl std::fmt::Debug for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernel({})", self.0.image.entry)
    }
}

/// Checks a grid against the limits of GPUs and what the kernel was compiled for. An empty grid is right for every kernel.
///
/// # Errors
/// An [`Error::Grid`].
pub fn check_grid(image: &KernelImage, grid: [u32; 3]) -> Result<()> {
    let wrong = |axis, programs, limit, is_promised| {
        Err(Error::Grid { entry: image.entry.clone(), axis, programs, limit, is_promised })
    };
    let x_limit = MAX_GRID[0] / image.num_ctas.max(1);
    for (axis, (programs, limit)) in grid.into_iter().zip([x_limit, MAX_GRID[1], MAX_GRID[2]]).enumerate() {
        if programs > limit {
            return wrong(axis, programs, limit, false);
        }
        if let Some(promised) = image.limits.grid[axis]
            && programs > promised.high
        {
            return wrong(axis, programs, promised.high, true);
        }
    }
    Ok(())
}
