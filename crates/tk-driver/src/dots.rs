//! The policy of dots in flight: which kernels are compiled with dots that wait, and who finds out.
//!
//! Dots by `wgmma` overlap with what follows them, and nothing may touch their registers until they are waited for. Two stages may find
//! that something does: code generation in its PTX ([`Generated::touches_dot_in_flight`]), and ptxas, which then makes all dots wait
//! for each other. Both only report it. Here it is decided: the kernel is compiled again with dots that wait where they are issued.

use crate::compile::compile_with;
use crate::{Unit, Until, Unwatched};
use tk_codegen::{CodegenContext, Generated};
use tk_diag::{Diagnostic, Result, SERIALISED, Severity};
use tk_types::{DotPolicy, KernelImage};

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

/// Machine code for the image of a unit. Where the assembler reports that it makes dots wait for each other because it touches their
/// registers, the kernel is compiled again, and the image is that one's.
///
/// # Errors
/// Those of the assembler, and of compiling again.
pub fn assemble<T>(
    unit: &Unit<'_>,
    image: &mut KernelImage,
    assembler: &mut dyn FnMut(&KernelImage) -> Result<T>,
) -> Result<T> {
    match assembler(image) {
        Err(error) if touches_registers(&error) && image.resources.dots == DotPolicy::Overlap => {
            let compilation = compile_with(unit, DotPolicy::Wait, Until::Ptx, &mut Unwatched);
            let again = compilation.map_err(|errors| errors.into_iter().next().unwrap_or_else(no_image).boxed())?.image;
            *image = again.ok_or_else(|| no_image().boxed())?;
            assembler(image)
        }
        result => result,
    }
}

/// Whether an assembler says that it touches registers of dots in flight; with too few registers, waiting does not help.
fn touches_registers(error: &Diagnostic) -> bool {
    error.code == SERIALISED && error.severity == Severity::Bug
}

fn no_image() -> Diagnostic {
    Diagnostic::bug("a compilation to PTX gave no kernel image")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_touched_registers_are_a_reason_to_compile_again() {
        let few = Diagnostic::error(SERIALISED, "too few registers");
        let touched = Diagnostic { code: SERIALISED, ..Diagnostic::bug("registers are touched") };
        assert!(touches_registers(&touched) && !touches_registers(&few) && !touches_registers(&no_image()));
    }
}
