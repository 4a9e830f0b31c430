//! A kernel of a bundle on a GPU, with all variants that it was compiled for.

use crate::argument::{Arg, Slots};
use crate::kernel::check_grid;
use crate::{DeviceInfo, Error, Gpu, Kernel, Result, Stream};
use std::sync::Arc;
use tk_image::{AtRunTime, Bundle, BundleEntry, KernelImage, Variant};
use tk_target::TargetName;

/// A kernel of a bundle that is loaded on one GPU. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Entry(Arc<Loaded>);

#[derive(Debug)]
struct Loaded {
    name: String,
    variants: Vec<LoadedVariant>,
}

#[derive(Debug)]
struct LoadedVariant {
    signature: String,
    kernel: Kernel,
}

impl Gpu {
    /// Loads a kernel of a bundle: for each variant, the code that fits the GPU best.
    ///
    /// # Errors
    /// A bundle without this kernel, or without code for this GPU; what [`Gpu::load`] says.
    pub fn load_entry(self: &Arc<Self>, bundle: &Bundle, name: &str) -> Result<Entry> {
        let entry = bundle.entry(name).ok_or_else(|| Error::NoKernel {
            name: name.to_string(),
            names: bundle.entries.iter().map(|entry| entry.name.clone()).collect(),
        })?;
        self.load_found(bundle, entry)
    }

    /// Loads the configuration of a kernel that autotuning chose for a key, such as `M=512 N=512`: on this GPU, or where the bundle has no
    /// result for it, on another one.
    ///
    /// # Errors
    /// A bundle without a result for this key, or without code for this GPU; what [`Gpu::load`] says.
    pub fn load_tuned(self: &Arc<Self>, bundle: &Bundle, kernel: &str, key: &str) -> Result<Entry> {
        let entry = bundle.tuned(kernel, key, &self.info().name).ok_or_else(|| Error::NotTuned {
            kernel: kernel.to_string(),
            key: key.to_string(),
            keys: bundle.tunings.iter().filter(|one| one.kernel == kernel).map(|one| one.key.clone()).collect(),
        })?;
        self.load_found(bundle, entry)
    }

    fn load_found(self: &Arc<Self>, bundle: &Bundle, entry: &BundleEntry) -> Result<Entry> {
        let load = |variant: &Variant| {
            let image = choose(entry, variant, self.info(), bundle.at_run_time)?;
            Ok(LoadedVariant { signature: variant.signature.clone(), kernel: self.load(image)? })
        };
        let variants = entry.variants.iter().map(load).collect::<Result<_>>()?;
        Ok(Entry(Arc::new(Loaded { name: entry.name.clone(), variants })))
    }
}

/// The image with machine code for a GPU, else with PTX that the driver may compile; of several the one for the newest target.
fn choose<'v>(
    entry: &BundleEntry,
    variant: &'v Variant,
    gpu: &DeviceInfo,
    at_run_time: AtRunTime,
) -> Result<&'v KernelImage> {
    let newest = |images: &mut dyn Iterator<Item = &'v KernelImage>| {
        images.max_by_key(|image| TargetName::parse(&image.target).map(|target| target.capability.number()))
    };
    let has_machine_code = |image: &&KernelImage| image.cubin.is_some() && gpu.runs_machine_code_of(&image.target);
    if let Some(image) = newest(&mut variant.images.iter().filter(has_machine_code)) {
        return Ok(image);
    }
    match (newest(&mut variant.images.iter().filter(|image| gpu.runs_ptx_of(&image.target))), at_run_time) {
        (Some(image), AtRunTime::DriverMayCompile) => Ok(image),
        (found, _) => Err(Error::OtherGpu {
            entry: entry.name.clone(),
            targets: variant.images.iter().map(|image| image.target.clone()).collect(),
            here: gpu.compute_capability.map_or_else(|| "none".to_string(), |here| here.to_string()),
            is_promised: found.is_some(),
        }),
    }
}

impl Entry {
    /// Its name in the bundle.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The kernels, the most special first.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.0.variants.iter().map(|variant| &variant.kernel)
    }

    /// Queues one program per point of the grid on a stream, by the first variant whose facts hold of the arguments.
    ///
    /// # Errors
    /// What [`Kernel::launch`] says, and [`Error::NoVariant`] where nothing was compiled for these arguments.
    pub fn launch(&self, stream: Stream, grid: [u32; 3], args: &[Arg<'_>]) -> Result<()> {
        let mut last = None;
        for LoadedVariant { kernel, .. } in &self.0.variants {
            let mut slots = Slots::new();
            match kernel.pack(args, &mut slots) {
                Ok(()) if !kernel.image().limits.hold_of_grid(grid) => last = Some((kernel, None)),
                Ok(()) => return kernel.launch_packed(Some(stream), grid, &mut slots),
                Err(refusal) if refusal.is_promise() => last = Some((kernel, Some(refusal))),
                Err(refusal) => return Err(refusal.error(kernel.image())),
            }
        }
        Err(Error::NoVariant {
            entry: self.0.name.clone(),
            compiled: self.0.variants.iter().map(|variant| variant.signature.clone()).collect(),
            last: Box::new(match last {
                Some((kernel, Some(refusal))) => refusal.error(kernel.image()),
                Some((kernel, None)) => match check_grid(kernel.image(), grid) {
                    Err(error) => error,
                    Ok(()) => Error::NoEntry(self.0.name.clone()),
                },
                None => Error::NoEntry(self.0.name.clone()),
            }),
        })
    }

    /// Allocates the scratch memory of launches on a stream with grids up to this one: before a graph is captured, say.
    ///
    /// # Errors
    /// A GPU that is full.
    pub fn reserve_scratch(&self, stream: Stream, grid: [u32; 3]) -> Result<()> {
        self.kernels().try_for_each(|kernel| kernel.reserve_scratch(Some(stream), grid).map(|_| ()))
    }
}
