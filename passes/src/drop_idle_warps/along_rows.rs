//! Programs that run along rows of memory have one warp where its threads have few elements.
//!
//! Such a program has a few columns of some rows ([`crate::programs_along_rows`]). With a warp more for each 32 elements, its threads have one element each:
//! addresses, masks and what belongs to a row are computed by each warp again, and scans down the columns meet in shared memory. One warp has a quarter of the
//! instructions of four, and memory is asked for the same lines by programs that run beside each other.
//!
//! Only where programs run in this order: on an H200 a scan of 8x4x4 blocks took 354 us in four warps, 380 in one, 287 in four along rows, and 188 in one
//! along rows. So the rule ends at what was measured, four elements of a thread, in at most 32 bits.

use tk_ir::{Op, Type};

/// Elements of the largest block that a thread has at most in one warp.
const MOST_ELEMENTS: u64 = 4;

/// One warp, if it is enough for a program that runs along rows and whose largest block has so many `elements`.
pub(super) fn warps_along_rows(ops: &[Op<'_>], elements: u64) -> Option<u64> {
    let is_wide = |ty: Type<'_>| ty.is_tensor() && ty.element().is_float() && ty.element_bits() > 32;
    let has_wide = ops.iter().flat_map(|op| op.results()).any(|result| is_wide(result.ty()));
    (elements <= MOST_ELEMENTS * u64::from(tk_target::WARP_SIZE) && !has_wide).then_some(1)
}
