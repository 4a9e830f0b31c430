//! Runs PTX: warps, shared memory, barriers, asynchronous copies and tensor cores, with checks and counts of every memory access.
//!
//! Allocate buffers in a [`DeviceMemory`], decode a kernel with [`Program::compile`], run it with [`launch`]. A program error
//! (an access outside every buffer, a race, a deadlock) stops the run with a diagnostic that names the source line and the thread;
//! otherwise the [`Report`] says what each line of the kernel asked of memory. The simulator answers "is it right?" and
//! "are its accesses good?"; it does not estimate time.
//!
//! ```
//! use tk_diag::SourceFile;
//! use tk_sim::{Arg, DeviceMemory, LaunchConfig, Program, launch};
//!
//! const PTX: &str = "
//! .version 8.7
//! .target sm_90a
//! .address_size 64
//! .visible .entry double(.param .u64 data)
//! {
//!     .reg .b32 %r<3>;
//!     .reg .b64 %rd<3>;
//!     ld.param.u64 %rd1, [data];
//!     mov.u32 %r1, %tid.x;
//!     mad.wide.u32 %rd2, %r1, 4, %rd1;
//!     ld.global.b32 %r2, [%rd2];
//!     shl.b32 %r2, %r2, 1;
//!     st.global.b32 [%rd2], %r2;
//!     ret;
//! }";
//!
//! # fn main() -> tk_diag::Result<()> {
//! let module = tk_ptx::parse(&SourceFile::new("double.ptx", PTX))?;
//! let program = Program::compile(&module, "double")?;
//! let mut memory = DeviceMemory::new();
//! let data = memory.allocate(128);
//! memory.write(data, &[1, 0, 0, 0].repeat(32))?;
//! let args = vec![Arg::from(data)];
//! let config = LaunchConfig { grid: [1, 1, 1], threads_per_cta: 32, args, ..LaunchConfig::default() };
//! let report = launch(&program, &mut memory, &config)?;
//! assert_eq!(memory.read(data)?, [2, 0, 0, 0].repeat(32));
//! assert_eq!(report.memory.rows[0].counts.sectors, 4);
//! # Ok(())
//! # }
//! ```
//!
//! For programs, [`try_launch`] says errors of the kernel as data, and reports and errors are `serde::Serialize`:
//!
//! ```
//! # use tk_diag::SourceFile;
//! use tk_sim::{DeviceMemory, LaunchConfig, Program, try_launch};
//!
//! # const PTX: &str = "
//! # .version 8.7
//! # .target sm_90a
//! # .address_size 64
//! # .visible .entry racy()
//! # {
//! #     .reg .b32 %r<3>;
//! #     .shared .b32 word;
//! #     mov.u32 %r1, %tid.x;
//! #     st.shared.b32 [word], %r1;
//! #     ret;
//! # }";
//! # fn main() -> tk_diag::Result<()> {
//! # let module = tk_ptx::parse(&SourceFile::new("racy.ptx", PTX))?;
//! // Each thread stores its number to one word of shared memory.
//! let program = Program::compile(&module, "racy")?;
//! let config = LaunchConfig { grid: [1, 1, 1], threads_per_cta: 64, ..LaunchConfig::default() };
//! let error = try_launch(&program, &mut DeviceMemory::new(), &config).unwrap_err();
//! let fault = error.fault().expect("it is the kernel's");
//! assert_eq!(fault.kind, "data-race");
//! let place = fault.place.as_ref().unwrap();
//! assert_eq!((place.ptx_line, place.ptx.as_str()), (10, "st.shared.b32 [word], %r1"));
//! assert_eq!(fault.thread.cta, [0, 0, 0]);
//! assert!(serde_json::to_string(fault).unwrap().starts_with(r#"{"kind":"data-race","message":"a write races"#));
//! # Ok(())
//! # }
//! ```
//!
//! `examples/` has programs that say which kernels of files are known (`decodes`) and how fast the simulator is (`throughput`).
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
mod cache;
mod cache_config;
mod cache_report;
mod changed_maps;
mod classes;
mod clock;
mod cluster;
mod cluster_barrier;
mod deadlock;
mod decode;
mod descriptor;
mod engine;
mod exec;
mod fault;
mod fault_report;
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
mod placement;
mod printed;
mod program;
mod progress;
mod races;
mod records;
mod registers;
mod repeat;
mod report;
mod residency;
mod roofline;
mod shared;
mod special;
mod tensor_map;
mod traffic;
mod undefined;
mod uses;
mod warp;
mod warpgroup;
mod wavefronts;
mod work;
mod zeroed_unsafe;

pub use cache::CacheCounts;
pub use cache_config::{CacheConfig, CtaOrder};
pub use cache_report::CacheReport;
pub use classes::InstructionClass;
pub use fault_report::{CodePlace, FaultReport, FaultThread, LaunchError, OtherPlace, SourcePlace};
pub use launch::{Arg, Checks, LaunchConfig, Limits, Report, launch, try_launch};
pub use memory::{Buffer, DeviceMemory};
pub use program::Program;
pub use progress::{Progress, ProgressHook};
pub use report::{AccessKind, AccessRow, Counts, MemoryReport, Runs};
pub use roofline::{ClassCounts, OccupancyReport, Roof, WorkReport};
pub use tensor_map::{TENSOR_MAP_BYTES, TensorElement, TensorMap, encode_tensor_map};
