//! ttg IR to LLVM IR to PTX. The only crate that names inkwell.
//!
//! There is no LLVM dialect in between: [`generate`] walks the `tt.func` once and writes LLVM IR through LLVM's own builder, which
//! folds constants as it goes, so that no second IR is built, verified and translated, and LLVM gets few instructions to begin with.
//!
//! `code/` is the LLVM function under construction as one thread sees it, `emit/` the walk with one file per family of operations,
//! `machine` the target machine with its passes, `kernel` the function around the code.

mod code;
mod emit;
mod float_format;
mod kernel;
mod machine;

use std::time::{Duration, Instant};
use tk_diag::{Result, SourceFile};
use tk_types::{CompileOptions, KernelImage};

/// What code generation has to know besides the module.
#[derive(Clone, Debug)]
pub struct CodegenContext {
    /// The GPU to compile for.
    pub target: tk_target::Target,
    /// The user's options.
    pub options: CompileOptions,
    /// The text that the module's locations point into, for faults.
    pub source: Option<SourceFile>,
    /// Keep LLVM IR as text, before and after LLVM's passes.
    pub keep_llvm_ir: bool,
}

/// Name of the hidden last parameter of kernels that need scratch memory in global memory: a pointer to
/// [`Generated::global_scratch_bytes`] for each CTA, aligned to 128.
pub const GLOBAL_SCRATCH: &str = "global_scratch";

/// A parameter that is a tensor map by value (`.param .align 64 .b8 x[128]`): what its map has to say besides address, sizes and
/// strides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorMapParam {
    /// Number of the parameter.
    pub index: usize,
    /// Element type.
    pub element: tk_types::ScalarType,
    /// Elements of the box along each axis of the tensor, the contiguous axis last.
    pub block: Vec<u32>,
    /// Bytes of a row of the swizzle: 0, 32, 64 or 128.
    pub swizzle_bytes: u32,
}

/// A kernel as PTX.
#[derive(Clone, Debug)]
pub struct Generated {
    /// LLVM IR as it was emitted, when it was asked for.
    pub llvm_ir_before: Option<String>,
    /// LLVM IR after LLVM's passes, when it was asked for.
    pub llvm_ir: Option<String>,
    /// The kernel, its PTX and what it uses.
    pub image: KernelImage,
    /// Scratch memory per CTA that a launch passes as [`GLOBAL_SCRATCH`]; 0 when there is no such parameter.
    pub global_scratch_bytes: u32,
    /// The parameters that are tensor maps.
    pub tensor_maps: Vec<TensorMapParam>,
    /// How long each step took: `emit-llvm`, `llvm`, `ptx`.
    pub timings: Vec<(&'static str, Duration)>,
}

/// Compiles the one public function of a module to PTX.
///
/// The module has layouts on all tensors, `ttg.num-warps`, and after allocation `ttg.shared` and `allocation.offset`; loads and stores
/// may carry `tk.vector`.
///
/// # Errors
/// Only faults of tk's own: an operation or a layout that earlier stages should not have let through.
pub fn generate(module: &tk_ir::Module<'_>, context: &CodegenContext) -> Result<Generated> {
    let llvm = inkwell::context::Context::create();
    let start = Instant::now();
    let machine = machine::Machine::new(&context.target)?;
    let kernel = kernel::emit(module, context, &llvm, &machine)?;
    let (llvm_module, global_scratch_bytes, tensor_maps) =
        (kernel.module, kernel.global_scratch_bytes, kernel.tensor_maps);
    let emitted = start.elapsed();
    let llvm_ir_before = context.keep_llvm_ir.then(|| llvm_module.print_to_string().to_string());
    let start = Instant::now();
    machine.optimise(&llvm_module)?;
    let optimised = start.elapsed();
    let llvm_ir = context.keep_llvm_ir.then(|| llvm_module.print_to_string().to_string());
    let start = Instant::now();
    let ptx = machine.ptx(&llvm_module)?;
    let mut image = kernel.image;
    image.resources.instructions = machine::count_instructions(&ptx);
    image.ptx = ptx;
    let timings = vec![("emit-llvm", emitted), ("llvm", optimised), ("ptx", start.elapsed())];
    Ok(Generated { llvm_ir_before, llvm_ir, image, global_scratch_bytes, tensor_maps, timings })
}
