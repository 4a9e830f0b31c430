//! The door to devices: what the interpreter asks for when a `.tk` file launches a kernel. Others implement it.

use crate::buffer::BufferRef;
use tk_diag::{Result, Span};
use tk_grammar::ast::Module;
use tk_types::{CompileOptions, ConstValue, ScalarType};

/// Compiles and runs kernels for the host functions of a file.
pub trait Launcher {
    /// Compiles the kernel for these arguments (or finds it in a cache) and runs it to its end.
    /// Buffers are read and written in place: when this returns, their bytes are what the kernel left.
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()>;

    /// Runs the launches, in this order, many times and measures the whole.
    /// Returns the time of each repetition in milliseconds, at least one. The buffers' contents do not matter afterwards.
    fn bench(&mut self, requests: &[LaunchRequest<'_>], options: &BenchOptions) -> Result<Vec<f64>>;

    /// The device, in words, such as `NVIDIA H200` or `simulator (sm_90a)`.
    fn device_name(&self) -> String;

    /// A number that `triton.runtime` or `torch.cuda` tells about the device, if it is known.
    fn property(&self, property: DeviceProperty) -> Option<i128>;
}

/// What host code may ask of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceProperty {
    /// Streaming multiprocessors.
    Multiprocessors,
    /// Bytes of shared memory that one CTA can have.
    MaxSharedMemory,
    /// 32-bit registers of one multiprocessor.
    MaxRegisters,
    /// Threads of a warp.
    WarpSize,
    /// Compute capability, `major * 10 + minor`.
    ComputeCapability,
}

/// How long to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchOptions {
    /// Milliseconds to run before measuring.
    pub warmup_ms: f64,
    /// Milliseconds to measure.
    pub rep_ms: f64,
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self { warmup_ms: 25.0, rep_ms: 100.0 }
    }
}

/// One launch of a kernel.
#[derive(Clone, Debug)]
pub struct LaunchRequest<'a> {
    /// The file that holds the kernel and what it calls.
    pub module: &'a Module,
    /// The name of the `@triton.jit` function.
    pub kernel: &'a str,
    /// Programs along each axis; none is 0.
    pub grid: [u32; 3],
    /// One entry per parameter, in the order of the parameters.
    pub args: Vec<(String, LaunchArg)>,
    /// `num_warps`, `num_stages` and the like.
    pub options: CompileOptions,
    /// Module-level constants that the kernel may read, by name.
    pub globals: Vec<(String, ConstValue)>,
    /// The launch in the source.
    pub call_span: Span,
}

/// The value of one parameter.
#[derive(Clone, Debug)]
pub enum LaunchArg {
    /// A tensor: its first element is `byte_offset` bytes into the buffer.
    Buffer {
        /// The storage, shared with every view of the tensor.
        buffer: BufferRef,
        /// Where the tensor starts in it.
        byte_offset: usize,
        /// Element type.
        dtype: ScalarType,
    },
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A `tl.constexpr` parameter, or `None` for any parameter.
    Constexpr(ConstValue),
}
