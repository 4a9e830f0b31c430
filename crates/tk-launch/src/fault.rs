//! What the CUDA driver can refuse, in words that a kernel's author understands.
//!
//! `cuda.rs` names the driver's status codes; here stands what they mean and what to do about them.

use crate::descriptor::TensorMap;
use tk_diag::{ASSERTION_FAILED, BAD_LAUNCH, BAD_PTX, Code, DEVICE, Diagnostic, MISALIGNED, OUT_OF_BOUNDS, TOO_LARGE};

/// A refusal of the driver, or a fault of a kernel that ran before.
pub(crate) enum Fault {
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

impl Fault {
    /// The diagnostic; `what` was asked of the driver and follows "cannot".
    pub(crate) fn diagnostic(self, what: &str) -> Box<Diagnostic> {
        let on_simulator = "run it with `--device sim` to see the line, the thread and the address";
        let (code, message, help): (Code, &str, &str) = match self {
            Fault::Address => (OUT_OF_BOUNDS, "a kernel accessed GPU memory outside every buffer", on_simulator),
            Fault::Misaligned => {
                let message = "a kernel accessed an address that is not a multiple of the access's width";
                (MISALIGNED, message, on_simulator)
            }
            Fault::Assertion => (ASSERTION_FAILED, "a device assertion failed", "the message above says which"),
            Fault::Ptx => {
                (BAD_PTX, "the driver cannot read this PTX", "update the driver, or compile for an older target")
            }
            Fault::OtherGpu => {
                (BAD_LAUNCH, "the machine code is for another GPU", "compile with `--target` of this GPU")
            }
            Fault::NoDevice => (DEVICE, "the CUDA driver shows no GPU", "check CUDA_VISIBLE_DEVICES"),
            Fault::Other(reason) => {
                let help = "`tk doctor` shows the state of the GPU and its driver";
                return Diagnostic::error(DEVICE, format!("cannot {what}: {reason}")).help(help).boxed();
            }
        };
        Diagnostic::error(code, message).help(help).boxed()
    }
}

/// The GPU's memory is full.
pub(crate) fn no_room(bytes: usize) -> Box<Diagnostic> {
    let help = "use smaller tensors, or free the memory that other programs hold";
    Diagnostic::error(TOO_LARGE, format!("the GPU has no room for another {bytes} bytes")).help(help).boxed()
}

/// The registers of a CTA's threads are more than a multiprocessor has.
pub(crate) fn too_many_registers(threads: u32, registers: u32) -> Box<Diagnostic> {
    let message = format!("a CTA of {threads} threads with {registers} registers each does not fit the GPU");
    Diagnostic::error(BAD_LAUNCH, message).help("use fewer warps or a smaller block").boxed()
}

/// `ordinal` is not below `count`.
pub(crate) fn no_such_gpu(ordinal: usize, count: usize) -> Box<Diagnostic> {
    let message = format!("there is no GPU {ordinal}; the driver shows {count}");
    Diagnostic::error(DEVICE, message).help("set TK_DEVICE to a smaller number").boxed()
}

/// Drivers before CUDA 12 make no tensor maps.
pub(crate) fn no_tensor_maps() -> Box<Diagnostic> {
    let error = Diagnostic::error(DEVICE, "the driver is too old for tensor descriptors");
    error.help("update it to one for CUDA 12 or newer").boxed()
}

/// The hardware cannot copy blocks of this tensor.
pub(crate) fn no_tensor_map(map: &TensorMap<'_>, reason: &str) -> Box<Diagnostic> {
    let message = format!("this is no tensor that the hardware can copy blocks of: {reason}");
    Diagnostic::error(BAD_LAUNCH, message).note(format!("{map:?}")).boxed()
}

/// The machine code is not of the kernel that was asked for.
pub(crate) fn no_entry(entry: &str) -> Box<Diagnostic> {
    Diagnostic::error(BAD_LAUNCH, format!("the compiled code has no entry point `{entry}`")).boxed()
}
