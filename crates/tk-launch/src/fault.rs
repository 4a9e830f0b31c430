//! What the runtime and the driver refuse, as diagnostics: their codes, and what to do about them.

use crate::assembly::ptx_diagnostic;
use tk_diag::{
    ASSERTION_FAILED, BAD_LAUNCH, BAD_PTX, Code, DEVICE, Diagnostic, MISALIGNED, OUT_OF_BOUNDS, TOO_LARGE,
    TOO_MUCH_SHARED_MEMORY,
};
use tk_image::KernelImage;
use tk_runtime::{ArgumentFault, Error, Fault};

/// Results of the runtime as those of the compiler.
pub(crate) trait OrDiagnostic<T> {
    /// With a diagnostic that is about no kernel.
    fn or_diagnostic(self) -> tk_diag::Result<T>;

    /// With a diagnostic that may quote a kernel.
    fn or_diagnostic_of(self, image: &KernelImage) -> tk_diag::Result<T>;
}

impl<T> OrDiagnostic<T> for tk_runtime::Result<T> {
    fn or_diagnostic(self) -> tk_diag::Result<T> {
        self.map_err(|error| coded(&error).boxed())
    }

    fn or_diagnostic_of(self, image: &KernelImage) -> tk_diag::Result<T> {
        self.map_err(|error| diagnostic(error, image))
    }
}

/// The diagnostic of an error about a kernel.
pub(crate) fn diagnostic(error: Error, image: &KernelImage) -> Box<Diagnostic> {
    match &error {
        Error::Ptx { log } => ptx_diagnostic("the driver's JIT refused the PTX", log, &image.ptx),
        Error::SharedMemory { .. } => {
            let note = |diagnostic: Diagnostic, (name, offset, bytes): &(String, u32, u32)| {
                diagnostic.note(format!("{bytes} bytes at {offset}: {name}"))
            };
            image.resources.shared_buffers.iter().fold(coded(&error), note).boxed()
        }
        _ => coded(&error).boxed(),
    }
}

fn coded(error: &Error) -> Diagnostic {
    let of = |code: Code| Diagnostic::error(code, error.to_string());
    match error {
        Error::Image(_) => of(BAD_LAUNCH).help("launch the kernel with the image it was compiled into"),
        Error::NoDriver(_) => of(DEVICE).help("run on the simulator with `--device sim`, or install an NVIDIA driver"),
        Error::NoSuchGpu { .. } => of(DEVICE).help("set TK_DEVICE to a smaller number"),
        Error::NoRoom { .. } => of(TOO_LARGE).help("use smaller tensors, or free the memory that other programs hold"),
        Error::Driver { fault, .. } => of_driver(error, fault),
        Error::Ptx { .. } => of(BAD_PTX),
        Error::OtherGpu { .. } => of(BAD_LAUNCH).help("compile with `--target` of this GPU"),
        Error::SharedMemory { .. } => of(TOO_MUCH_SHARED_MEMORY).help("use a smaller block or fewer stages"),
        Error::Registers { .. } => of(BAD_LAUNCH).help("use fewer warps or a smaller block"),
        Error::OldDriver => of(DEVICE).help("update it to one for CUDA 12 or newer"),
        Error::ArgumentCount { names, given, .. } => match names.get(*given..) {
            Some(missing) if !missing.is_empty() => of(BAD_LAUNCH).help(format!("missing: {}", missing.join(", "))),
            _ => of(BAD_LAUNCH).help(format!("the arguments are: {}", names.join(", "))),
        },
        Error::Argument { fault, .. } => match help_about(fault) {
            Some(help) => of(BAD_LAUNCH).help(help),
            None => of(BAD_LAUNCH),
        },
        Error::Grid { .. } => of(BAD_LAUNCH).help("move the largest extent to axis 0"),
        _ => of(BAD_LAUNCH),
    }
}

fn of_driver(error: &Error, fault: &Fault) -> Diagnostic {
    let on_simulator = "run it with `--device sim` to see the line, the thread and the address";
    let (code, help) = match fault {
        Fault::Address => (OUT_OF_BOUNDS, on_simulator),
        Fault::Misaligned => (MISALIGNED, on_simulator),
        Fault::Assertion => (ASSERTION_FAILED, "the message above says which"),
        Fault::Ptx => (BAD_PTX, "update the driver, or compile for an older target"),
        Fault::OtherGpu => (BAD_LAUNCH, "compile with `--target` of this GPU"),
        Fault::NoDevice => (DEVICE, "check CUDA_VISIBLE_DEVICES"),
        _ => (DEVICE, "`tk doctor` shows the state of the GPU and its driver"),
    };
    Diagnostic::error(code, error.to_string()).help(help)
}

fn help_about(fault: &ArgumentFault) -> Option<&'static str> {
    if fault.is_promise() {
        Some("launch it with what its signature promises, or compile it without that promise")
    } else if fault.is_descriptor() {
        Some(
            "descriptors need rows that start at multiples of 16 bytes and a contiguous last dimension; \
             pad the tensor, or use pointers",
        )
    } else {
        (*fault == ArgumentFault::NotDescriptor).then_some("pass a TensorDescriptor")
    }
}
