//! tk as a library: compile `.tk` files and run them on a GPU or on the simulator, from Rust.
//!
//! A [`Kernel`] is compiled while the program runs and launched on streams and memory of the program: [`Kernel::from_file`], [`Kernel::on`]
//! a GPU, [`GpuKernel::launch`]. Errors are one enum, [`Error`].
//!
//! ```
//! use tk::{Kernel, runtime::Gpu};
//!
//! let text = "
//! @triton.jit
//! def scale(x, n, factor, BLOCK: tl.constexpr):
//!     at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
//!     tl.store(x + at, tl.load(x + at, mask=at < n) * factor, mask=at < n)
//! ";
//! let kernel = Kernel::from_source("scale.tk", text, "scale")?.constant("BLOCK", 256);
//! // Where there is a GPU it is compiled for it when it is launched for the first time.
//! if let Ok(gpu) = Gpu::open(0) {
//!     let on_gpu = kernel.on(&gpu)?;
//!     assert_eq!(on_gpu.compiled(), 0);
//! }
//! let wrong = Kernel::from_source("scale.tk", text, "scales").unwrap_err();
//! assert!(wrong.to_string().contains("scales"));
//! # Ok::<(), tk::Error>(())
//! ```
//!
//! A [`Session`] owns a device and everything compiled for it. It also is what the host functions of a `.tk` file launch
//! kernels through. Without one: [`compile`] a [`Unit`], [`Device::load`] the image, and [`DeviceKernel::launch`] it with [`Arg`]s,
//! of which a [`TensorDescriptor`] is one. Such a launch passes addresses alone; [`stride_warnings`] says, of the shapes and strides
//! behind them, which tensors are not contiguous where the kernel does not get their strides. Launches of host functions ask it.

mod bounds;
mod build;
mod bundled;
mod contest;
mod copies;
mod declared;
mod error;
mod kernel;
mod loaded;
mod progress;
mod record;
mod safety;
mod session;
mod timing;
mod tuned;
mod tuning;

pub use bounds::read_bounds;
pub use build::{build_name, cache_key, cache_key_with};
pub use bundled::made_from;
pub use declared::declared_params;
pub use error::Error;
pub use kernel::{Block, GpuKernel, Kernel, Remarks, Value};
pub use progress::{Progress, ProgressLine};
pub use record::LaunchRecord;
pub use session::{Session, SessionWatcher, Unwatched, assemble};
pub use tk_check::{
    CALL_LABELS, bind_signature, constants_around, kernel_named, kernels, read_constant, read_constants, read_signature,
};
pub use tk_diag::{Diagnostic, Result, SourceFile};
pub use tk_driver::{Bounds, Compilation, Interval, Unit, Until, compile};
pub use tk_grammar::parse;
pub use tk_host::{ArgShape, stride_warnings};
pub use tk_image::{Bundle, KernelImage};
pub use tk_import::{Roots, read_imports};
pub use tk_launch::{
    Arg, Buffer, Decision, Device, DeviceChoice, Figures, Kernel as DeviceKernel, LaunchReport, RunTime,
    Specialisation, TensorDescriptor, Trial, TuneReport,
};
/// Launches on GPUs: the crate without a compiler.
pub use tk_runtime as runtime;
pub use tk_target::Target;
pub use tk_types::{ArgSpec, ArgType, Argument, CompileOptions, ConstValue, Facts, NamedConstant, ScalarType};
pub use tuned::{Share, read_tunings, write_tunings};

/// The user's cache of compiled kernels, with the one of several machines that `TK_CACHE_REMOTE` names behind it.
pub fn open_cache() -> Option<tk_launch::Cache> {
    #[cfg(feature = "remote")]
    return tk_remote::open_default_cache();
    #[cfg(not(feature = "remote"))]
    return tk_launch::Cache::open_default();
}

/// The version of LLVM that is linked in.
pub const LLVM_VERSION: &str = "22.1";

/// The target of the first GPU here, else [`Target::default`].
pub fn default_target() -> Target {
    let gpus = tk_launch::list_gpus().unwrap_or_default();
    gpus.first().and_then(tk_launch::DeviceInfo::target).unwrap_or_default()
}
