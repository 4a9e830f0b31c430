//! Whether a launch leaves each warp to wait for its own loads.

use crate::PassContext;
use tk_types::Residency;

/// Warps of a multiprocessor that are too few to wait for memory in turns: two for each of its schedulers.
const FEW_WARPS: u32 = 8;

/// The grid brings so few CTAs of `num_warps` warps to a multiprocessor that none computes while another waits, and registers are plenty.
pub(crate) fn has_few_warps(num_warps: u32, cx: &PassContext) -> bool {
    match cx.options.residency {
        Residency::AtMost(ctas) => ctas.saturating_mul(num_warps) <= FEW_WARPS,
        Residency::Any | Residency::Many => false,
    }
}
