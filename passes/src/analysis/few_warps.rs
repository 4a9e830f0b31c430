//! Whether a launch leaves each warp to wait for its own loads.

use crate::PassContext;

/// Warps of a multiprocessor that are too few to wait for memory in turns: two for each of its schedulers.
pub(crate) const FEW_WARPS: u32 = 8;

/// The grid brings so few CTAs of `num_warps` warps to a multiprocessor that none computes while another waits, and registers are plenty.
pub(crate) fn has_few_warps(num_warps: u32, cx: &PassContext) -> bool {
    brought_warps(num_warps, cx).is_some_and(|warps| warps <= FEW_WARPS)
}

/// Warps that the grid brings to a multiprocessor at most, in CTAs of `num_warps`, where that is known.
pub(crate) fn brought_warps(num_warps: u32, cx: &PassContext) -> Option<u32> {
    cx.options.residency.at_most().map(|ctas| ctas.saturating_mul(num_warps))
}
