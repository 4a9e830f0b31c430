//! Kernels of bundles on either kind of device, so that what was built for GPUs also runs on the simulator.

use crate::argument::{Arg, on_device};
use crate::device::Device;
use crate::kernel::{Kernel, LaunchReport};
use tk_diag::{BAD_LAUNCH, Diagnostic, Result};
use tk_image::{BundleEntry, KernelImage, TENSOR_MAP_BYTES, Variant};
use tk_runtime::{MapBytes, Slots, pack};
use tk_target::TargetName;

/// A kernel of a bundle on a device. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Entry {
    name: String,
    variants: Vec<Kernel>,
}

impl Device {
    /// Loads a kernel of a bundle: each variant for this GPU, or for the newest target where this is the simulator, which runs PTX of any.
    ///
    /// # Errors
    /// No code for this GPU.
    pub fn load_entry(&self, entry: &BundleEntry) -> Result<Entry> {
        let load = |variant: &Variant| self.load(self.choose(entry, variant)?);
        Ok(Entry { name: entry.name.clone(), variants: entry.variants.iter().map(load).collect::<Result<_>>()? })
    }

    fn choose<'v>(&self, entry: &BundleEntry, variant: &'v Variant) -> Result<&'v KernelImage> {
        let info = self.info();
        let runs = |image: &&KernelImage| {
            info.runs_ptx_of(&image.target) || image.cubin.is_some() && info.runs_machine_code_of(&image.target)
        };
        let newest = |image: &&KernelImage| TargetName::parse(&image.target).map(|target| target.capability.number());
        variant.images.iter().filter(runs).max_by_key(newest).ok_or_else(|| {
            let message = format!("`{}` was not compiled for {}", entry.name, info.name);
            Diagnostic::error(BAD_LAUNCH, message).help("build it for the target of this GPU").boxed()
        })
    }
}

impl Entry {
    /// Launches the first variant whose facts hold of the arguments.
    ///
    /// # Errors
    /// Those of [`Kernel::launch`], and arguments that no variant was compiled for.
    pub fn launch(&self, grid: [u32; 3], args: &[Arg<'_>]) -> Result<LaunchReport> {
        let mut last = None;
        for kernel in &self.variants {
            let image = kernel.image();
            // Only the facts are asked for here; the launch makes the maps of its device.
            let no_map = MapBytes([0; TENSOR_MAP_BYTES as usize]);
            let packed = pack(image, &on_device(image, args)?, &|_| Ok(no_map), &mut Slots::new());
            match packed {
                Err(refusal) if refusal.is_promise() => last = Some(refusal.error(image).to_string()),
                Ok(()) if !image.limits.hold_of_grid(grid) => {
                    last = Some(format!("`{}` was compiled for a smaller grid", image.entry));
                }
                Ok(()) | Err(_) => return kernel.launch(grid, args),
            }
        }
        let message = format!("nothing was compiled for this launch of `{}`: {}", self.name, last.unwrap_or_default());
        Err(Diagnostic::error(BAD_LAUNCH, message).help("add a signature for it to what is built").boxed())
    }
}
