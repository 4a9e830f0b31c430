//! The policy of dots in flight: which kernels are compiled with dots that wait, and who finds out.
//!
//! Dots by `wgmma` overlap with what follows them, and nothing may touch their registers until they are waited for. Two stages may find
//! that something does: code generation in its PTX ([`Generated::touches_dot_in_flight`]), and ptxas, which then makes all dots wait
//! for each other, as it does where registers are short. Both only report it. Here it is decided: the kernel is compiled again with dots
//! that wait where they are issued.

use crate::compile::compile_with;
use crate::{Unit, Until, Unwatched};
use tk_codegen::{CodegenContext, Generated};
use tk_diag::{Diagnostic, Result, SourceFile};
use tk_image::KernelImage;
use tk_ptx::Function;
use tk_types::DotPolicy;

/// PTX in which nothing touches registers of a dot in flight.
pub(crate) fn generate(module: &tk_ir::Module<'_>, mut context: CodegenContext) -> Result<Generated> {
    let mut generated = tk_codegen::generate(module, &context)?;
    if generated.touches_dot_in_flight {
        let first = generated.timings;
        context.dots = DotPolicy::Wait;
        generated = tk_codegen::generate(module, &context)?;
        first.into_iter().for_each(|(step, time)| generated.add_time(step, time));
    }
    generated.image.resources.dots = context.dots;
    Ok(generated)
}

/// The image of a unit with dots that wait where they are issued: what waits anyway needs no registers meanwhile.
///
/// # Errors
/// Those of compiling again.
pub(crate) fn that_wait(unit: &Unit<'_>) -> Result<KernelImage> {
    let compilation = compile_with(unit, DotPolicy::Wait, Until::Ptx, &mut Unwatched);
    let again = compilation.map_err(|errors| errors.into_iter().next().unwrap_or_else(no_image).boxed())?.image;
    again.ok_or_else(|| no_image().boxed())
}

/// All dots of an image wait where they are issued, whatever the policy is. A text with dots that wait has the same instructions then, and copies of sums at
/// most: of 36 such pairs that were assembled 35 have as many spills in their loops, and one has more (docs/measurements.md, "Dots that wait anyway are not asked to wait").
pub(crate) fn wait_anyway(image: &KernelImage) -> bool {
    let module = tk_ptx::parse(&SourceFile::new("kernel.ptx", &image.ptx));
    module.is_ok_and(|module| module.functions.iter().all(Function::waits_for_each_dot))
}

fn no_image() -> Diagnostic {
    Diagnostic::bug("a compilation to PTX gave no kernel image")
}
