//! The interface to devices: what the interpreter asks for when a `.tk` file launches a kernel. Others implement it.

use crate::buffer::BufferRef;
use std::rc::Rc;
use tk_diag::{Diagnostic, Result, Span};
use tk_grammar::ast::Module;
use tk_types::{CompileOptions, ConstValue, DescriptorType, NamedConstant, ScalarType};

/// Compiles and runs kernels for the host functions of a file.
pub trait Launcher {
    /// Compiles the kernel for these arguments (or finds it in a cache) and runs it.
    ///
    /// A launcher may return before the kernel has run when it marks the buffers as newer on the device
    /// ([`BufferRef::set_newest`]); otherwise their bytes are what the kernel left.
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()>;

    /// Chooses one of the candidates of `@triton.autotune` and returns its place. Buffers are afterwards what they were.
    /// It is asked once per kernel and key of a run; without a device to measure on, the first candidate is as good as any.
    fn tune(&mut self, request: &TuneRequest<'_>) -> Result<usize> {
        let _ = request;
        Ok(0)
    }

    /// Runs the launches, in this order, many times and measures the whole.
    /// Returns the time of each repetition in milliseconds, at least one. The buffers' contents do not matter afterwards.
    fn bench(&mut self, requests: &[LaunchRequest<'_>], options: &BenchOptions) -> Result<Vec<f64>>;

    /// The device address of a buffer, for tables of pointers: every later launch may read and write the buffer. Without a
    /// device it is a number that no other buffer has.
    fn address(&mut self, buffer: &BufferRef) -> Result<u64> {
        Ok(buffer.id() << 40)
    }

    /// What went wrong since the last call while a kernel ran or its results were fetched. Asked often, so it is cheap.
    fn fault(&mut self) -> Option<Box<Diagnostic>> {
        None
    }

    /// Waits for every launch; called when the program ends. The error is a fault that nothing has told yet.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

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

/// What a measurement times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timing {
    /// Each run alone, after the caches were flushed: `triton.testing.do_bench`.
    #[default]
    Alone,
    /// A graph of many runs, without what launching costs: `triton.testing.do_bench_cudagraph`.
    BackToBack,
}

/// What to measure, and how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchOptions {
    /// What is timed.
    pub timing: Timing,
    /// Milliseconds to run before measuring.
    pub warmup_ms: f64,
    /// Milliseconds to measure; of each replay when back to back.
    pub rep_ms: f64,
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self { timing: Timing::Alone, warmup_ms: 25.0, rep_ms: 100.0 }
    }
}

/// One launch of a kernel.
#[derive(Clone, Debug)]
pub struct LaunchRequest<'a> {
    /// The file that holds the kernel and what it calls.
    pub module: &'a Module,
    /// The `@triton.jit` function: [`tk_grammar::ast::FunctionDef::known_as`].
    pub kernel: &'a str,
    /// Programs along each axis; none is 0.
    pub grid: [u32; 3],
    /// One entry per parameter, in the order of the parameters.
    pub args: Vec<(&'a str, LaunchArg)>,
    /// `num_warps`, `num_stages` and the like.
    pub options: CompileOptions,
    /// Module-level constants that the kernel may read, by name.
    pub globals: Vec<NamedConstant>,
    /// The configuration of `@triton.autotune` that is in the arguments and options, as [`Candidate::settings`] has it.
    pub configuration: Option<Settings>,
    /// What the user should hear about the arguments, such as a tensor whose strides the kernel does not get.
    pub warnings: Vec<Diagnostic>,
    /// The launch in the source.
    pub call_span: Span,
}

/// The names and values of a configuration: the constexpr parameters in their order, then `num_warps`, `num_stages`, and
/// `num_ctas` and `maxnreg` where they are not the default.
pub type Settings = Rc<[(String, String)]>;

/// A kernel with several configurations, one of which is to be chosen.
#[derive(Clone, Debug)]
pub struct TuneRequest<'a> {
    /// The file that holds the kernel.
    pub module: &'a Module,
    /// The kernel, as a launch names it.
    pub kernel: &'a str,
    /// What the choice may depend on: the values of the arguments that `key` names, and the types of the tensors.
    pub key: String,
    /// The configurations that are left after pruning, at least two, each as the launch it would be.
    pub candidates: Vec<Candidate<'a>>,
    /// Memory that is set to zero before each timed run.
    pub reset_to_zero: Vec<Region>,
    /// Memory that gets its contents back before each timed run.
    pub restore_value: Vec<Region>,
    /// How long to measure each candidate.
    pub options: BenchOptions,
    /// The launch in the source.
    pub call_span: Span,
}

/// One configuration of a [`TuneRequest`].
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// What the configuration says.
    pub settings: Settings,
    /// The launch with this configuration.
    pub launch: LaunchRequest<'a>,
}

/// The part of a buffer that a tensor lies in.
#[derive(Clone, Debug)]
pub struct Region {
    /// The storage.
    pub buffer: BufferRef,
    /// The first byte.
    pub start: usize,
    /// How many bytes.
    pub bytes: usize,
}

impl LaunchArg {
    /// The storage that the kernel can reach through this argument.
    pub fn buffer(&self) -> Option<&BufferRef> {
        match self {
            LaunchArg::Buffer { buffer, .. } | LaunchArg::Descriptor { buffer, .. } => Some(buffer),
            _ => None,
        }
    }
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
    /// A tensor descriptor: blocks of the tensor that starts `byte_offset` bytes into the buffer.
    Descriptor {
        /// The storage.
        buffer: BufferRef,
        /// Where the tensor starts in it.
        byte_offset: usize,
        /// Element type, block and padding, which the kernel is compiled for.
        ty: DescriptorType,
        /// Elements along each dimension of the tensor.
        shape: Vec<i64>,
        /// Elements from one index to the next along each dimension; the last is 1.
        strides: Vec<i64>,
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
