//! A block of B that goes by TMA alone, since threads compute the other operand.
//!
//! Where threads compute A in every iteration, a large block of B costs them many copies beside it. One thread of the CTA asks TMA for all of it. This
//! holds for `mma.sync` as for `wgmma`: 256x128 f16 of four warps, whose A of 32 rows is a normalized row of another matrix, is 10 % faster.

use crate::PassContext;
use crate::copy_blocks_by_tma::operand::Origin;
use crate::copy_blocks_by_tma::{BlockCopy, LEAST_ROWS, is_for_tensor_cores, one_group_gains, stages_of};
use tk_ir::ops::{DotOp, ForOp};
use tk_target::{WARP_SIZE, WARPS_PER_GROUP};

/// Rows of the smallest product of a warp.
const LEAST_ROWS_OF_WARP: i64 = 16;
/// Bytes that a thread copies by one instruction.
const BYTES_OF_COPY: i64 = 16;
/// Copies of a thread in an iteration from which on TMA spares more than its `mbarrier` costs.
const LEAST_COPIES: i64 = 8;

/// Whether a product whose A is computed gains by a B that TMA copies.
pub(super) fn gains<'c>(view: ForOp<'c>, dot: DotOp<'c>, b: &BlockCopy<'c>, cx: &PassContext) -> bool {
    let is_computed = Origin::of(dot.a()).is_some_and(|origin| origin.is_computed(view));
    let threads = i64::from(cx.options.num_warps) * i64::from(WARP_SIZE);
    let is_large = b.bytes() >= LEAST_COPIES * BYTES_OF_COPY * threads;
    is_computed
        && stages_of(view, cx) > 1
        && is_large
        && b.fills_lines()
        && is_read_as_it_lies(dot, b)
        && (cx.options.num_warps > WARPS_PER_GROUP || one_group_gains(dot, None, b))
}

/// Whether instructions of the tensor cores read B from where TMA writes it.
fn is_read_as_it_lies<'c>(dot: DotOp<'c>, b: &BlockCopy<'c>) -> bool {
    let (left, right) = (dot.a().ty(), dot.b().ty());
    // Only operands of 16 bits may lie with the other axis contiguous, and are read by a warp alone as they are by a warp group.
    let has_16_bits = right.element_bits() == 16;
    left.element() == right.element()
        && is_for_tensor_cores(dot)
        && left.shape()[0] >= if has_16_bits { LEAST_ROWS_OF_WARP } else { LEAST_ROWS }
        && (has_16_bits || b.reads_along(0, dot.b()))
        && Origin::of(dot.b()).is_some_and(|origin| !origin.is_narrowed)
}
