//! What can go wrong between a file of kernels and their launches, in one type.

use crate::ArgumentFault;
use tk_image::ImageError;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why kernels cannot be loaded or launched. Its text is a sentence for the person who wrote the launch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are no kernels.
    Image(ImageError),
    /// There is no CUDA driver, or it does not start.
    NoDriver(String),
    /// The driver has no GPU with this number.
    NoSuchGpu {
        /// The number.
        ordinal: usize,
        /// How many there are.
        count: usize,
    },
    /// The memory of the GPU is full.
    NoRoom {
        /// What was asked for.
        bytes: usize,
    },
    /// A copy of more bytes than the memory has.
    OutsideMemory {
        /// How many bytes were to be copied.
        bytes: usize,
        /// How many there are.
        size: usize,
    },
    /// The driver refused a call, or reports the fault of a kernel that ran before.
    Driver {
        /// What was asked of it; follows "cannot".
        doing: &'static str,
        /// Its answer.
        fault: Fault,
    },
    /// The driver's compiler refused the PTX.
    Ptx {
        /// What it said.
        log: String,
    },
    /// The code has no such entry point.
    NoEntry(String),
    /// There is no code for this GPU.
    OtherGpu {
        /// The entry point.
        entry: String,
        /// What it was compiled for.
        targets: Vec<String>,
        /// The compute capability of the GPU.
        here: String,
        /// Whether the bundle has PTX that the driver could compile and promises not to.
        is_promised: bool,
    },
    /// A CTA needs more shared memory than the GPU has.
    SharedMemory {
        /// The entry point.
        entry: String,
        /// What it needs, in bytes.
        bytes: u32,
        /// What a CTA has, in bytes.
        limit: u32,
    },
    /// The registers of a CTA's threads are more than a multiprocessor has.
    Registers {
        /// Threads of a CTA.
        threads: u32,
        /// Registers of each.
        registers: u32,
    },
    /// Drivers before CUDA 12 make no tensor maps.
    OldDriver,
    /// The hardware cannot copy blocks of this tensor.
    TensorMap(String),
    /// A tensor of another library that kernels cannot use, or memory that cannot become one.
    Dlpack(String),
    /// The bundle has no kernel of this name.
    NoKernel {
        /// What was asked for.
        name: String,
        /// What there is.
        names: Vec<String>,
    },
    /// The bundle has no result of autotuning for this.
    NotTuned {
        /// What programs call the kernel.
        kernel: String,
        /// What was asked for.
        key: String,
        /// What there is.
        keys: Vec<String>,
    },
    /// A launch gives too many or too few arguments.
    ArgumentCount {
        /// The entry point.
        entry: String,
        /// The arguments that it takes.
        names: Vec<String>,
        /// How many came.
        given: usize,
    },
    /// An argument does not fit its parameter.
    Argument {
        /// The entry point.
        entry: String,
        /// The argument.
        argument: String,
        /// What is wrong with it.
        fault: Box<ArgumentFault>,
    },
    /// A grid that the GPU does not have, or that the kernel was not compiled for.
    Grid {
        /// The entry point.
        entry: String,
        /// The axis, 0 to 2.
        axis: usize,
        /// Programs along it.
        programs: u32,
        /// The most that there can be.
        limit: u32,
        /// Whether the kernel was compiled for so many, rather than the GPU limiting them.
        is_promised: bool,
    },
    /// No variant of a kernel was compiled for these arguments, and nothing is compiled at run time.
    NoVariant {
        /// The kernel.
        entry: String,
        /// The signatures that it was compiled for.
        compiled: Vec<String>,
        /// What keeps the last of them from running.
        last: Box<Error>,
    },
}

/// A refusal of the driver, or a fault of a kernel that ran before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// An access outside every buffer.
    Address,
    /// An access whose address is not a multiple of its width.
    Misaligned,
    /// A device assertion.
    Assertion,
    /// PTX that the driver cannot read.
    Ptx,
    /// Machine code of another architecture.
    OtherGpu,
    /// No GPU.
    NoDevice,
    /// Any other, as the driver describes it.
    Other(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Fault::Address => "a kernel accessed GPU memory outside every buffer",
            Fault::Misaligned => "a kernel accessed an address that is not a multiple of the access's width",
            Fault::Assertion => "a device assertion failed",
            Fault::Ptx => "the driver cannot read this PTX",
            Fault::OtherGpu => "the machine code is for another GPU",
            Fault::NoDevice => "the CUDA driver shows no GPU",
            Fault::Other(reason) => reason,
        })
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Image(error) => error.fmt(f),
            Error::NoDriver(reason) => f.write_str(reason),
            Error::NoSuchGpu { ordinal, count } => write!(f, "there is no GPU {ordinal}; the driver shows {count}"),
            Error::NoRoom { bytes } => write!(f, "the GPU has no room for another {bytes} bytes"),
            Error::OutsideMemory { bytes, size } => write!(f, "{bytes} bytes of a memory of {size} bytes"),
            Error::Driver { doing, fault: Fault::Other(reason) } => write!(f, "cannot {doing}: {reason}"),
            Error::Driver { fault, .. } => fault.fmt(f),
            Error::Ptx { log } => {
                let line = log.lines().map(str::trim).find(|line| !line.is_empty());
                write!(f, "the driver's JIT refused the PTX: {}", line.unwrap_or("it did not say why"))
            }
            Error::NoEntry(entry) => write!(f, "the compiled code has no entry point `{entry}`"),
            Error::OtherGpu { entry, targets, here, is_promised } => {
                let targets = targets.join(", ");
                write!(f, "`{entry}` was compiled for {targets}, and this GPU has compute capability {here}")?;
                let promise = "; the bundle promises that nothing is compiled at run time, so build it with machine code for this GPU";
                if *is_promised { f.write_str(promise) } else { Ok(()) }
            }
            Error::SharedMemory { entry, bytes, limit } => {
                write!(f, "`{entry}` needs {bytes} bytes of shared memory; a CTA of this device has {limit}")
            }
            Error::Registers { threads, registers } => {
                write!(f, "a CTA of {threads} threads with {registers} registers each does not fit the GPU")
            }
            Error::OldDriver => f.write_str("the driver is too old for tensor descriptors"),
            Error::TensorMap(reason) => {
                write!(f, "this is no tensor that the hardware can copy blocks of: {reason}")
            }
            Error::Dlpack(what) => write!(f, "no tensor of DLPack: {what}"),
            Error::NoKernel { name, names } => {
                write!(f, "the bundle has no kernel `{name}`; it has {}", names.join(", "))
            }
            Error::NotTuned { kernel, key, keys } if keys.is_empty() => {
                write!(f, "the bundle has no result of autotuning for `{kernel}`, so none for {key}")
            }
            Error::NotTuned { kernel, key, keys } => {
                write!(
                    f,
                    "the bundle has no result of autotuning of `{kernel}` for {key}; it has those for {}",
                    keys.join(" | ")
                )
            }
            Error::ArgumentCount { entry, names, given } => {
                write!(f, "`{entry}` takes {} run-time arguments, but the launch gives {given}", names.len())
            }
            Error::Argument { entry, argument, fault } => write!(f, "`{entry}`, argument `{argument}`: {fault}"),
            Error::Grid { entry, axis, programs, limit, is_promised } => {
                let who = if *is_promised { "the kernel was compiled for" } else { "a GPU takes" };
                write!(f, "`{entry}`: the grid has {programs} programs along axis {axis}, where {who} at most {limit}")
            }
            Error::NoVariant { entry, compiled, last } => {
                let compiled = compiled.join("; ");
                write!(f, "nothing was compiled for this launch of `{entry}`: {last}. It was compiled for: {compiled}")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<ImageError> for Error {
    fn from(error: ImageError) -> Self {
        Error::Image(error)
    }
}
