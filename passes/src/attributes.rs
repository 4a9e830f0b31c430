//! The attributes that passes leave for each other and for code generation: every name is written here once.

use tk_diag::{Diagnostic, Result};
use tk_ir::{Module, Op};

/// Module: warps of a CTA, `i32`.
pub const NUM_WARPS: &str = "ttg.num-warps";
/// Module: CTAs of a cluster, `i32`.
pub const NUM_CTAS: &str = "ttg.num-ctas";
/// Module: threads of a warp, `i32`.
pub const THREADS_PER_WARP: &str = "ttg.threads-per-warp";
/// Module: `"cuda:90"`.
pub const TARGET: &str = "ttg.target";
/// Module: bytes of shared memory of a CTA, `i32`; set by `allocate-shared-memory`.
pub const SHARED: &str = "ttg.shared";
/// Operation: byte offset of its shared memory, `i32`; set by `allocate-shared-memory`.
pub const ALLOCATION_OFFSET: &str = "allocation.offset";
/// Operation: bytes of its shared memory, `i32`; set by `allocate-shared-memory`.
pub const ALLOCATION_SIZE: &str = "allocation.size";
/// Tensor `tt.load`, `tt.store`, `tt.atomic_*`: elements that one access may move, `i32`; set by `vectorize-memory`.
pub const VECTOR: &str = "tk.vector";
/// `arith.cmpi` on tensors: elements along each axis that share their result, in aligned runs, `array<i32>`; set by `vectorize-memory`.
pub const CONSTANCY: &str = "tk.constancy";
/// Parameter, or operation with integer or pointer results: what a hint says divides the first value of every run, `i32` or `array<i32>`.
pub const DIVISIBILITY: &str = "tt.divisibility";
/// Likewise: the length of runs of consecutive values.
pub const CONTIGUITY_HINT: &str = "tt.contiguity";
/// Likewise: the length of runs of equal values.
pub const CONSTANCY_HINT: &str = "tt.constancy";
/// Operation: what axis info knows of its results, as text; set by `test-print-axis-info`.
pub const AXIS_INFO: &str = "axis_info";
/// Loop: how often to copy its body, `i32`.
pub const LOOP_UNROLL_FACTOR: &str = "tt.loop_unroll_factor";

/// Loop: to be made one with the loop inside it, unit.
pub const FLATTEN: &str = "tt.flatten";
/// Loop: stages of its software pipeline, `i32`; the option counts without it.
pub const NUM_STAGES: &str = "tt.num_stages";
/// Operation in a loop: iterations that it should run ahead of its users, `i32`; set by `assign-latencies`.
pub const LATENCY: &str = "tt.latency";
/// Load in a loop: its ring has a buffer more than it needs, unit; set by `assign-latencies`, gone after `pipeline`.
pub const SPARE: &str = "tk.spare_buffer";
/// `ttng.warp_group_dot` with its left operand in registers: each instruction starts as soon as its own words are there, unit; set by
/// `advance-waits`.
pub const BY_STEP: &str = "tk.by_step";
/// Operation in a loop: its stage in the software pipeline, `i32`; set by `schedule-loops`, gone after `pipeline`.
pub const LOOP_STAGE: &str = "loop.stage";
/// Operation in a loop: its place among the stages of the new body, `i32`; set by `schedule-loops`, gone after `pipeline`.
pub const LOOP_CLUSTER: &str = "loop.cluster";
/// Loop: its last stage, `i32`; set by `schedule-loops`, gone after `pipeline`.
pub const MAX_STAGE: &str = "tt.scheduled_max_stage";
/// `ttng.arrive_barrier`: every thread arrives for itself, and not one for all, unit; set by `split-barriers`.
pub const EVERY_THREAD: &str = "tk.every_thread";
/// Copies to shared memory and what announces them: an `mbarrier` says that nobody needs the buffer any more, so the copy needs no barrier before it, unit; set by
/// `split-barriers`.
pub const ORDERED: &str = "tk.ordered";
/// Copy to shared memory in a pipelined loop: where the scalar of its mask is false there is no such iteration, and nobody reads what it would write, unit; set by
/// `pipeline`, and left by `gather-copies` where a branch shall pass by the copy.
pub const SKIPPABLE: &str = "tk.skippable";
/// `ttng.tensormap_create` and `ttng.tensormap_fenceproxy_acquire`: the warp that makes the tensor map, `i32`.
pub const WARP: &str = "tk.warp";

/// The threads a module is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Warps of a CTA.
    pub num_warps: u32,
    /// Threads of a warp.
    pub threads_per_warp: u32,
}

impl Threads {
    /// Reads the module's attributes; an error where `convert-to-ttg` has not run.
    pub fn of(module: &Module<'_>) -> Result<Self> {
        Ok(Self {
            num_warps: required(module.op(), NUM_WARPS)?,
            threads_per_warp: module.op().int_attr(THREADS_PER_WARP).map_or(32, |value| value.clamp(1, 1024) as u32),
        })
    }

    /// Threads of a CTA.
    pub fn total(self) -> u32 {
        self.num_warps * self.threads_per_warp
    }
}

fn required(module: Op<'_>, name: &str) -> Result<u32> {
    match module.int_attr(name).and_then(|value| u32::try_from(value).ok()) {
        Some(value @ 1..=64) if value.is_power_of_two() => Ok(value),
        Some(value) => {
            Err(Diagnostic::error(tk_diag::BAD_IR, format!("`{name} = {value}` is not a power of two of at most 64"))
                .boxed())
        }
        None => Err(Diagnostic::error(tk_diag::BAD_IR, format!("the module has no `{name}` attribute"))
            .help("this pass works on ttg IR; run `convert-to-ttg` first")
            .boxed()),
    }
}
