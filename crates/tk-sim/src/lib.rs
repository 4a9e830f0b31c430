//! Runs PTX: warps, shared memory, barriers, asynchronous copies and tensor cores, with checks and counts of every memory access.
//!
//! Allocate buffers in a [`DeviceMemory`], decode a kernel with [`Program::compile`], run it with [`launch`]. A program error
//! (an access outside every buffer, a race, a deadlock) stops the run with a diagnostic that names the source line and the thread;
//! otherwise the [`Report`] says what each line of the kernel asked of memory. The simulator answers "is it right?" and
//! "are its accesses good?"; it does not estimate time.
//!
//! Asynchronous work completes late: `cp.async` when its thread waits, `wgmma` at the `wait_group` that covers it, bulk (TMA) copies
//! in an order that [`LaunchConfig::seed`] decides. Registers and shared memory that such work still owns, and accesses that no wait,
//! barrier or fence orders, stop the run: `wgmma.fence` orders registers, `fence.proxy.async` what other lanes and warps wrote before a copy
//! or a product, `fence.proxy.tensormap` tensor maps that a kernel changed. So does wrong use of mbarriers: a second initialisation, ordinary
//! accesses, counts that do not fit, phases that pass unseen. Host-made tensor maps are the bytes of [`encode_tensor_map`].
//!
//! What hardware has been seen to forgive, and compilers do, is let pass: no proxy fence after `mbarrier.init`, none between ordinary reads
//! and a copy that overwrites what they read, mbarriers that are initialised twice or overwritten before anybody uses them, and, unless
//! [`Checks::copy_fences`] asks for it, none after `cp.async`. When one lane of a warp waits for an mbarrier, all lanes of the warp see what
//! it saw.
//!
//! In global memory, accesses of warps and CTAs that no barrier, release and acquire order stop the run (docs/simulator.md says what is let pass).
//!
//! CTAs of a cluster run together, access each other's shared memory and meet at its barrier; their accesses have to be ordered, too.
//!
//! What is not there: im2col tensor maps, sparse wgmma, textures. An instruction
//! the simulator does not know is an error when the kernel is decoded, never a wrong result.

mod asynchronous;
mod changed_maps;
mod clock;
mod cluster;
mod cluster_barrier;
mod deadlock;
mod decode;
mod descriptor;
mod engine;
mod exec;
mod fault;
mod geometry;
mod global_races;
mod lanes;
mod launch;
mod mbarrier;
mod memory;
mod memory_order;
mod number;
mod operations;
mod ops;
mod program;
mod progress;
mod races;
mod records;
mod registers;
mod report;
mod shared;
mod special;
mod tensor_map;
mod undefined;
mod uses;
mod warp;
mod warpgroup;

pub use launch::{Arg, Checks, LaunchConfig, Limits, Report, launch};
pub use memory::{Buffer, DeviceMemory};
pub use program::Program;
pub use progress::{Progress, ProgressHook};
pub use report::{AccessKind, AccessRow, Counts, MemoryReport, Runs};
pub use tensor_map::{TENSOR_MAP_BYTES, TensorElement, TensorMap, encode_tensor_map};
