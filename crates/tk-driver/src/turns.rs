//! One CTA less, where a grid takes as many turns without it.
//!
//! Where a grid brings eight CTAs to each multiprocessor and seven have room, seven run at first, and then one alone, which waits for memory and for its own
//! results as long as seven do. With six, two run at the end, and each thread has the registers of a CTA more meanwhile: loads and chains of a thread stand
//! beside each other.
//!
//! Grids are told apart by steps, of which the end is counted here as in [`crate::residents`]. A grid that brings exactly what has room would take two
//! turns instead of one. Of 842 recorded launches that bring five to sixteen, 649 bring eight or sixteen, and 125 of the others six or twelve, three quarters
//! of a step: where so many have room, they stay.
//!
//! On an H200 nine launches are 1.03 times as fast in the mean with a CTA less, the best 1.13, and none is more than 0.3 % slower. With half of what is
//! brought, others are 0.95 to 1.08 times as fast (docs/measurements.md, "A CTA less takes as many turns"). For the same reason [`crate::one_more`] does not ask
//! for a CTA that would be one too many.

use crate::Unit;
use crate::assembling::{Assembling, Code};
use crate::products::Products;
use crate::residents::without_one_too_many;
use tk_target::Limit;

impl Assembling<'_> {
    /// The code for one CTA less, if ptxas gives its registers to the others, and the grid takes as many turns.
    pub(crate) fn with_one_cta_less(&mut self, code: &Code) -> Option<Code> {
        let ctas = one_less(self.unit, code)?;
        let fewer = self.asked_for(code, ctas)?;
        (fewer.made.registers > code.made.registers).then_some(fewer)
    }
}

/// One CTA less than registers let in, where each thread may have more registers then.
fn one_less(unit: &Unit<'_>, Code { image, made }: &Code) -> Option<u32> {
    if !matches!(Products::of(&image.ptx), Products::None) || made.spill_bytes != Some(0) {
        return None;
    }
    let now = unit.target.occupancy(made.registers?, image.shared_bytes, image.num_warps);
    let budget = |ctas| unit.target.register_budget(image.num_warps, ctas);
    let ctas = without_one_too_many(unit.options.residency.at_most()?, now.ctas_per_sm)?;
    (now.limit == Limit::Registers && budget(ctas) > budget(now.ctas_per_sm)).then_some(ctas)
}
