//! ttg IR to LLVM IR to PTX. The only crate that names inkwell.
//!
//! There is no LLVM dialect in between: [`generate`] walks the `tt.func` once and writes LLVM IR through LLVM's own builder, which
//! folds constants as it goes, so that no second IR is built, verified and translated, and LLVM gets few instructions to begin with.
//!
//! Where dots overlap, the PTX is read again to check that no instruction uses their registers meanwhile ([`generate`]).
//!
//! `code/` is the LLVM function under construction as one thread sees it, `emit/` the walk with one file per family of operations,
//! `machine` the target machine with its passes, `long_code` what it does without for functions that are long, `kernel` the function
//! around the code.

mod beside_products;
mod bit_sums;
mod code;
mod conditions;
mod emit;
mod float_format;
mod function;
mod kernel;
mod late_extensions;
mod launch_bounds;
mod library;
mod long_code;
mod machine;
mod narrow_divisions;
mod near_products;
mod selected_terms;
mod text;
mod wide_sums;

pub use emit::has_code;
use launch_bounds::Room;
pub use launch_bounds::{resident_ctas, with_resident_ctas, without_resident_ctas};
pub use text::{LlvmText, resume};

use std::time::{Duration, Instant};
use tk_diag::{Result, SourceFile};
use tk_image::KernelImage;
use tk_ir::OpKind;
use tk_ir::ops::WarpGroupDotOp;
use tk_layout::Encoding;
use tk_ptx::rewrite::Rewrite;
use tk_types::{CompileOptions, DotPolicy};

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
    /// What dots do that the pipeliner leaves in flight.
    pub dots: DotPolicy,
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
    /// How long each step took: `emit-llvm`, `llvm`, `ptx`.
    pub timings: Vec<(&'static str, Duration)>,
    /// The PTX touches registers of a dot that may still run there, so it may not be used: LLVM moved them, which takes several
    /// accumulators of which one becomes another, or part of another, in a loop.
    pub touches_dot_in_flight: bool,
}

/// Compiles the one public function of a module to PTX.
///
/// The module has layouts on all tensors, `ttg.num-warps`, and after allocation `ttg.shared` and `allocation.offset`; loads and stores
/// may carry `tk.vector`.
///
/// Dots by `wgmma` run on while a loop goes on, and nothing may touch their registers until they are waited for. Inline PTX for the
/// dot and for the wait ties the same registers to both, and LLVM has no reason to move them in between, but no rule against it. So
/// the PTX is checked: [`Generated::touches_dot_in_flight`] says whether it is wrong, and the kernel has to be compiled anew with dots
/// that wait.
///
/// # Errors
/// Only faults of tk's own: an operation or a layout that earlier stages should not have let through.
pub fn generate(module: &tk_ir::Module<'_>, context: &CodegenContext) -> Result<Generated> {
    let mut generated = generate_unchecked(module, context)?;
    if context.dots == DotPolicy::Overlap && has_overlap(module) {
        let start = Instant::now();
        generated.touches_dot_in_flight = touches_dot_in_flight(&generated.image.ptx);
        generated.add_time("ptx", start.elapsed());
    }
    Ok(generated)
}

impl Generated {
    /// Adds to the time of a step.
    pub fn add_time(&mut self, step: &str, more: Duration) {
        self.timings.iter_mut().filter(|(name, _)| *name == step).for_each(|(_, time)| *time += more);
    }
}

/// Whether tensor cores multiply somewhere.
fn has_products(module: &tk_ir::Module<'_>) -> bool {
    let is_of_matrix =
        |op: &tk_ir::Op<'_>| matches!(op.result(0).ty().layout().as_deref(), Some(Encoding::NvidiaMma(_)));
    let is_product = |op: &tk_ir::Op<'_>| match op.kind() {
        OpKind::TtngWarpGroupDot => true,
        OpKind::TtDot | OpKind::TtDotScaled => is_of_matrix(op),
        _ => false,
    };
    module.functions().into_iter().flat_map(|function| function.descendants()).any(|op| is_product(&op))
}

fn generate_unchecked(module: &tk_ir::Module<'_>, context: &CodegenContext) -> Result<Generated> {
    let llvm = inkwell::context::Context::create();
    let start = Instant::now();
    let machine = machine::Machine::new(&context.target)?;
    let kernel = kernel::emit(module, context, &llvm, &machine)?;
    let llvm_module = kernel.module;
    library::link(&llvm_module, &llvm, &machine, context.options.libdevice.as_deref())?;
    let emitted = start.elapsed();
    let llvm_ir_before = context.keep_llvm_ir.then(|| llvm_module.print_to_string().to_string());
    let start = Instant::now();
    machine.optimise(&llvm_module, has_products(module))?;
    let optimised = start.elapsed();
    let llvm_ir = context.keep_llvm_ir.then(|| llvm_module.print_to_string().to_string());
    let start = Instant::now();
    let mut image = kernel.image;
    let ptx = rewritten(machine.ptx(&llvm_module)?, context);
    let room = Room::of(context, image.num_warps, image.shared_bytes);
    let ptx = launch_bounds::with_chosen_ctas(ptx, &room);
    image.resources.instructions = machine::count_instructions(&ptx);
    image.ptx = ptx;
    let timings = vec![("emit-llvm", emitted), ("llvm", optimised), ("ptx", start.elapsed())];
    Ok(Generated { llvm_ir_before, llvm_ir, image, timings, touches_dot_in_flight: false })
}

/// The text that LLVM has written, in the order and the blocks that its assembler needs.
fn rewritten(ptx: String, context: &CodegenContext) -> String {
    let brings_few_ctas = context.options.residency.at_most().is_some();
    tk_ptx::rewrite::rewritten(ptx, Rewrite::before_assembling(brings_few_ctas))
}

/// A dot stays in flight behind the inline PTX that issues it.
fn has_overlap(module: &tk_ir::Module<'_>) -> bool {
    let dots = module.op().descendants().into_iter().filter_map(WarpGroupDotOp::cast);
    dots.into_iter().any(|dot| dot.is_async())
}

/// Whether something touches the registers of a dot that may still run. Of PTX that cannot be read, which takes inline assembly of the
/// user's that `tk-ptx` does not know, it is not known, so yes.
fn touches_dot_in_flight(ptx: &str) -> bool {
    match tk_ptx::parse(&SourceFile::new("kernel.ptx", ptx)) {
        Ok(module) => module.functions.iter().any(|function| function.touches_dot_in_flight().is_some()),
        Err(_) => true,
    }
}
