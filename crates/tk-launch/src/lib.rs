//! Devices, buffers and launches: the last stage of a kernel.
//!
//! [`Device::open`] gives a GPU or the simulator, [`Device::load`] takes a [`tk_image::KernelImage`], and
//! [`Kernel::launch`] runs it; [`Device::load_entry`] does so for what `tk build` made. [`specialise`] turns a launch's values into the signature to compile for, [`Cache`] keeps
//! compiled images on disk, and [`Assembler`] runs NVIDIA's `ptxas` where there is one.
//!
//! Nothing here compiles, and the CUDA driver is behind [`tk_runtime`].
//! Environment: `TK_DEVICE` (number of the GPU, or `sim`), `TK_PTXAS`, `TK_CACHE_DIR`, `TK_CACHE_SIZE`, `TK_CACHE=0`.

mod argument;
mod assembler;
mod assembly;
mod bench;
mod cache;
mod descriptor;
mod device;
mod entry;
mod fault;
mod flush;
mod kernel;
mod memory_unsafe;
mod sample;
mod sim;
mod specialise;
mod spills;
mod tuning;

pub use argument::Arg;
pub use assembler::Assembler;
pub use assembly::{
    Assembly, assemble, disassemble, disassemble_with_lines, find_ptxas, ptxas_identity, ptxas_version,
};
pub use bench::{BenchMode, BenchResult, BenchSettings};
pub use cache::{Cache, CacheEntry, LookUp, Remote, Stored, Turn, Verified};
pub use descriptor::{TensorDescriptor, tensor_element};
pub use device::{Buffer, Device, DeviceChoice, list_gpus};
pub use entry::Entry;
pub use kernel::{Kernel, LaunchReport};
pub use sample::{Pace, Sample, SampleSettings};
pub use sim::SimOptions;
pub use specialise::{DeclaredParam, LaunchValue, ParamRole, Specialisation, WholeBlocks, specialise, whole_blocks};
pub use spills::{spills_by_line, spills_of};
pub use tk_image::digest;
pub use tk_runtime::{Arg as DeviceArg, DeviceAddress, DeviceInfo, Stream};
pub use tk_sim::{
    AccessRow, CacheConfig as SimCaches, Checks as SimChecks, Limits as SimLimits, MemoryReport, Report as SimReport,
    Runs,
};
pub use tuning::{Decision, Figures, RunTime, Trial, TuneReport, Work};
