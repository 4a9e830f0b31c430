//! A compiled kernel: what code generation makes and what a launch (GPU or simulator) needs.

use crate::ScalarType;

/// One parameter of the PTX entry point, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageParam {
    /// The name in the `.tk` file.
    pub name: String,
    /// `None` for a pointer, else the scalar type passed by value.
    pub scalar: Option<ScalarType>,
    /// Element type of a pointer.
    pub pointee: Option<ScalarType>,
}

/// What a kernel uses of a multiprocessor, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceUse {
    /// Registers per thread, known after ptxas or the driver's JIT.
    pub registers: Option<u32>,
    /// Bytes of spill stores per thread.
    pub spill_bytes: Option<u32>,
    /// PTX instructions in the entry.
    pub instructions: u32,
    /// Shared memory by buffer: name of what it is for, offset and size in bytes.
    pub shared_buffers: Vec<(String, u32, u32)>,
}

/// A kernel ready to launch.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelImage {
    /// Entry point in the PTX.
    pub entry: String,
    /// PTX text.
    pub ptx: String,
    /// Machine code, when ptxas made it.
    pub cubin: Option<Vec<u8>>,
    /// Parameters in order.
    pub params: Vec<ImageParam>,
    /// Threads per CTA divided by 32.
    pub num_warps: u32,
    /// CTAs per cluster.
    pub num_ctas: u32,
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
    /// `sm_90a`, `sm_80`, …
    pub target: String,
    /// What it uses.
    pub resources: ResourceUse,
}
