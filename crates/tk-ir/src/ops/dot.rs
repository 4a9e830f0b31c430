//! Matrix products.

use super::WarpGroupDotOp;
use tk_types::ScalarType;

impl WarpGroupDotOp<'_> {
    /// How many terms the tensor cores may add up on their own, where they add 8-bit floats with few bits and a block has as many terms or
    /// more. Every so many terms are then a sum of their own, which is added to the accumulators outside; code generation waits for each.
    /// A block of exactly as many is one such sum: added to the accumulators by the tensor cores, it would go on the sums of earlier blocks.
    pub fn terms_of_partial_sums(self) -> Option<u32> {
        let (a, result) = (self.a().ty(), self.op.result(0).ty());
        let is_imprecise = a.element().float().is_some_and(ScalarType::is_fp8) && result.element_bits() == 32;
        let depth = a.shape().last().copied()?;
        let terms =
            self.op.int_attr("maxNumImpreciseAcc").filter(|terms| is_imprecise && *terms > 0 && *terms <= depth)?;
        u32::try_from(terms).ok()
    }
}
