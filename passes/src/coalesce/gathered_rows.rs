//! Blocks whose rows lie where loaded numbers say: pages of a cache, tokens of an expert, neighbours of a node.
//!
//! A thread computes the address of each of its rows on its own, from a number that is brought to it, and keeps it in two registers until the row is
//! read. With all lanes along a row of 512 bytes, a thread of one warp in two has 64 rows of 128. A line of memory is 128 bytes, and memory is
//! as fast where the lanes of a warp read four lines of four rows as where they read one row: a thread has 16 rows then, and reaches the four pieces of
//! each by constant offsets.
//!
//! Accesses that share a layout with such a load follow it.

use super::{GlobalAccess, MOST_USERS};
use crate::analysis::axis_flow::unit_of;
use crate::attributes::Threads;
use crate::operations::computations::computation;
use rustc_hash::FxHashSet;
use tk_ir::{Op, OpKind};
use tk_layout::BlockedEncoding;
use tk_target::LINE_BYTES;

/// Whether the addresses of a block are made of a tensor that is loaded.
pub(super) fn has_loaded_addresses(access: Op<'_>) -> bool {
    let (mut pending, mut seen) = (vec![access.operand(0)], FxHashSet::default());
    while let Some(value) = pending.pop() {
        let is_tensor = value.ty().is_tensor() && value.ty().num_elements() > 1;
        let Some(op) = value.defining_op().filter(|_| is_tensor) else { continue };
        if op.kind() == OpKind::TtLoad {
            return true;
        }
        if is_passed(op) && seen.len() < MOST_USERS && seen.insert(op.id()) {
            pending.extend(op.operands());
        }
    }
    false
}

fn is_passed(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtBroadcast | OpKind::TtExpandDims | OpKind::TtAddPtr)
        || computation(op.kind()).is_element_by_element()
}

/// The layout in which lanes cover no more of a row than a line, and more rows instead; `None` where the usual one does so, or too few rows are there.
pub(super) fn layout_for_rows(
    access: &GlobalAccess<'_>,
    usual: &BlockedEncoding,
    threads: Threads,
) -> Option<BlockedEncoding> {
    let row = access.order[0] as usize;
    let line = i64::from(LINE_BYTES) / unit_of(access.op.operand(0).ty()).max(1) as i64;
    let covered = |layout: &BlockedEncoding, axis: usize| {
        i64::from(layout.size_per_thread[axis] * layout.threads_per_warp[axis] * layout.warps_per_cta[axis])
    };
    let usual_piece = covered(usual, row).min(access.shape[row]);
    let pieces = std::iter::successors(Some(line.max(1)), |piece| piece.checked_mul(2));
    pieces.take_while(|piece| *piece < usual_piece).find_map(|piece| {
        let mut shape = access.shape.clone();
        shape[row] = piece;
        let size = &usual.size_per_thread;
        let layout =
            BlockedEncoding::for_shape(&shape, size, &access.order, threads.num_warps, threads.threads_per_warp);
        (0..shape.len()).all(|axis| covered(&layout, axis) <= access.shape[axis]).then_some(layout)
    })
}
