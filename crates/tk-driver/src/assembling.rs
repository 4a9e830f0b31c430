//! Machine code for an image: what is asked of the assembler again once it has said what it made.
//!
//! - Where it makes dots wait for each other, the kernel is compiled again ([`dots::that_wait`]).
//! - Where one CTA more could share a multiprocessor for a few registers less, it is asked for that ([`one_more_cta`]).

use crate::{Unit, dots};
use tk_diag::Result;
use tk_image::KernelImage;
use tk_target::Limit;
use tk_types::{DotPolicy, Residency};

/// What an assembler made of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembled {
    /// The machine code, an ELF file.
    pub cubin: Vec<u8>,
    /// Registers per thread, where it says so.
    pub registers: Option<u32>,
    /// Bytes of spill stores per thread, where it says so.
    pub spill_bytes: Option<u32>,
    /// Whether it makes every asynchronous product wait for the one before it.
    pub is_serialised: bool,
}

/// How far registers may be above those with which one CTA more fits. Where the grid brought more CTAs than had room, seven kernels of other
/// people ran 6 % faster with one more, one of them 1 % slower, and another one with 1.25 times the registers 9 % slower; where it did not,
/// fewer registers cost up to 38 % (docs/performance.md, "Registers and CTAs").
const NEARLY: f64 = 1.2;

/// How much longer the machine code may be.
const LONGER: f64 = 1.03;

/// Machine code for the image of a unit. The image becomes that of the code: its PTX says what the assembler was told.
///
/// # Errors
/// Those of the assembler, and of compiling again.
pub fn assemble(
    unit: &Unit<'_>,
    image: &mut KernelImage,
    assembler: &mut dyn FnMut(&KernelImage) -> Result<Assembled>,
) -> Result<Assembled> {
    let mut made = assembler(image)?;
    if made.is_serialised && image.resources.dots != DotPolicy::Wait {
        *image = dots::that_wait(unit)?;
        made = assembler(image)?;
    }
    let Some(with_more) = one_more_cta(unit, image, &made) else { return Ok(made) };
    // The assembler may refuse what it is asked for; it has not refused the kernel.
    match assembler(&with_more) {
        Ok(with_less) if is_better(&made, &with_less) => {
            *image = with_more;
            Ok(with_less)
        }
        _ => Ok(made),
    }
}

/// The image whose PTX asks for one CTA more on a multiprocessor, where registers are what keeps it away, and few of them, and where the grid
/// brings it. Grids that bring many times as many are left alone, since they gain nothing. So are kernels with `wgmma`: with more registers
/// they read what they need earlier.
fn one_more_cta(unit: &Unit<'_>, image: &KernelImage, made: &Assembled) -> Option<KernelImage> {
    let Residency::AtMost(most) = unit.options.residency else { return None };
    let registers = made.registers?;
    let now = unit.target.occupancy(registers, image.shared_bytes, image.num_warps);
    let budget = unit.target.register_budget(image.num_warps, now.ctas_per_sm + 1);
    let is_near = now.limit == Limit::Registers && f64::from(registers) <= NEARLY * f64::from(budget);
    if !is_near
        || now.ctas_per_sm == 0
        || now.ctas_per_sm >= most
        || made.spill_bytes != Some(0)
        || image.ptx.contains("wgmma.")
    {
        return None;
    }
    let ptx = tk_codegen::with_resident_ctas(&image.ptx, now.ctas_per_sm + 1)?;
    Some(KernelImage { ptx, ..image.clone() })
}

fn is_better(made: &Assembled, with_less: &Assembled) -> bool {
    let is_as_short = with_less.cubin.len() as f64 <= LONGER * made.cubin.len() as f64;
    with_less.registers < made.registers && with_less.spill_bytes == Some(0) && is_as_short
}
