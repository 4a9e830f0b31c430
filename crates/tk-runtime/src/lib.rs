//! Loads kernels that `tk build` compiled and launches them on NVIDIA GPUs. The CUDA driver is all that it needs: no compiler, no LLVM,
//! no CUDA toolkit. The driver is opened at run time, so programs start where there is none, and [`Gpu::open`] says so.
//!
//! 1. [`Bundle::from_bytes`] reads what `tk build` wrote, such as an `include_bytes!`.
//! 2. [`Gpu::open`] opens a GPU; [`Gpu::load_entry`] loads a kernel of the bundle with the code that fits the GPU.
//! 3. [`Entry::launch`] launches it on a stream of the caller with [`Arg`]s. The Rust module that `tk build` writes wraps these three
//!    steps with a type for each kernel.
//!
//! A warm launch allocates nothing and takes no lock, unless the kernel uses scratch memory ([`Entry::reserve_scratch`]) or has more than
//! 32 parameters or 8 tensor maps. Launches leave the current context of the thread as it was, and can be captured into graphs; load
//! kernels before.
//!
//! ```
//! use tk_runtime::{Arg, Bundle, Error, Gpu, Stream};
//!
//! /// Launches `scale(x, n, factor)` of a bundle on 1000 floats.
//! fn scale(bundle: &[u8], x: &mut [u8; 4000]) -> Result<(), Error> {
//!     let bundle = Bundle::from_bytes(bundle)?;
//!     let gpu = Gpu::open(0)?;
//!     let kernel = gpu.load_entry(&bundle, "scale")?;
//!     let memory = gpu.allocate(x.len())?;
//!     memory.write(&x[..])?;
//!     kernel.launch(Stream::DEFAULT, [4, 1, 1], &[Arg::Address(memory.address()), Arg::I32(1000), Arg::F32(2.5)])?;
//!     memory.read(&mut x[..])
//! }
//!
//! // Bytes that are no bundle are an error, on every machine.
//! assert!(matches!(scale(b"no bundle", &mut [0; 4000]), Err(Error::Image(_))));
//! ```
//!
//! Nothing outside `cuda.rs` knows the driver.

mod argument;
mod code_parameters;
mod cuda;
mod descriptor;
mod dlpack_unsafe;
mod entry;
mod error;
mod handles_unsafe;
mod info;
mod kernel;
mod memory;
mod typed;

pub use argument::{Arg, ArgumentFault, MapMaker, Refusal, Slot, Slots, pack};
#[cfg(feature = "slices")]
pub use cuda::slices;
pub use cuda::{Event, Gpu, Graph, list_gpus};
pub use descriptor::{Descriptor, MapBytes, TensorMap};
pub use dlpack_unsafe::{DlManagedTensor, DlpackTensor};
pub use entry::Entry;
pub use error::{Error, Fault, Result};
pub use half;
pub use handles_unsafe::{DeviceAddress, Stream};
pub use info::DeviceInfo;
pub use kernel::{Kernel, check_grid};
pub use memory::Memory;
pub use tk_image::{AtRunTime, Bundle, ImageError, KernelImage};
pub use tk_types::ScalarType;
pub use typed::{Element, Pointer};
