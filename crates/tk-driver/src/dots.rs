//! The policy of dots in flight: which kernels are compiled with dots that wait, and who finds out.
//!
//! Dots by `wgmma` overlap with what follows them, and nothing may touch their registers until they are waited for. Two stages may find
//! that something does: code generation in its PTX ([`Generated::touches_dot_in_flight`]), and ptxas, which then makes all dots wait
//! for each other, as it does where registers are short. Both only report it. Here it is decided: the kernel is compiled again with dots
//! that wait where they are issued.

use crate::compile::compile_with;
use crate::{Unit, Until, Unwatched};
use tk_codegen::{CodegenContext, Generated};
use tk_diag::{Diagnostic, Result};
use tk_image::KernelImage;
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

/// Machine code for the image of a unit. Where the assembler makes dots wait for each other, because it has too few registers for them or
/// touches those that they own, the kernel is compiled again with dots that wait where they are issued, and the image is that one's:
/// what waits anyway needs no registers meanwhile. `is_serialised` says so of what the assembler gave.
///
/// # Errors
/// Those of the assembler, and of compiling again.
pub fn assemble<T>(
    unit: &Unit<'_>,
    image: &mut KernelImage,
    assembler: &mut dyn FnMut(&KernelImage) -> Result<T>,
    is_serialised: fn(&T) -> bool,
) -> Result<T> {
    let first = assembler(image)?;
    if !is_serialised(&first) || image.resources.dots == DotPolicy::Wait {
        return Ok(first);
    }
    let compilation = compile_with(unit, DotPolicy::Wait, Until::Ptx, &mut Unwatched);
    let again = compilation.map_err(|errors| errors.into_iter().next().unwrap_or_else(no_image).boxed())?.image;
    *image = again.ok_or_else(|| no_image().boxed())?;
    assembler(image)
}

fn no_image() -> Diagnostic {
    Diagnostic::bug("a compilation to PTX gave no kernel image")
}
