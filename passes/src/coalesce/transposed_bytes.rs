//! Blocks that are loaded by rows, and stored by columns as bytes: quantised matrices with their transposes.
//!
//! Shared memory turns words of two bytes on the way into registers, and words of four go there one by one; bytes would, too, and are four times as
//! many. A thread that has four rows, one below the other, puts the bytes of a column together in a register and writes a word. Memory does not
//! mind: lanes read whole rows as before.

use super::neighbors::is_by_element;
use super::{GlobalAccess, MOST_USERS, is_global_access};
use crate::attributes::Threads;
use crate::operations::is_turned;
use rustc_hash::FxHashSet;
use tk_ir::{Op, OpKind, Value};
use tk_layout::BlockedEncoding;

/// Bytes of a word of shared memory.
const WORD_BYTES: u32 = 4;

/// Loads of blocks from which bytes are computed, element by element, that are transposed, and the stores of what is computed from them as it lies. By
/// identity.
pub(super) fn accesses_of_turned_bytes(function: Op<'_>) -> FxHashSet<usize> {
    let is_block = |op: &Op<'_>| {
        op.kind() == OpKind::TtLoad && op.result(0).ty().rank() == 2 && op.result(0).ty().element_bits() >= 16
    };
    function.descendants().into_iter().filter(is_block).flat_map(turned_accesses).collect()
}

fn turned_accesses(load: Op<'_>) -> Vec<usize> {
    let (mut pending, mut seen) = (vec![load.result(0)], FxHashSet::default());
    let (mut accesses, mut has_turned) = (vec![load.id()], false);
    while let Some(value) = pending.pop() {
        for (user, operand) in value.users() {
            has_turned |= is_bytes(value) && is_turned(user);
            if is_global_access(user) && operand > 0 {
                accesses.push(user.id());
            } else if is_by_element(user) && seen.len() < MOST_USERS && seen.insert(user.id()) {
                pending.extend(user.results());
            }
        }
    }
    if has_turned { accesses } else { Vec::new() }
}

fn is_bytes(value: Value<'_>) -> bool {
    value.ty().is_tensor() && value.ty().element_bits() == 8
}

/// The layout with four rows in each thread; `None` where there are too few rows.
pub(super) fn layout_for_bytes(
    access: &GlobalAccess<'_>,
    usual: &BlockedEncoding,
    threads: Threads,
) -> Option<BlockedEncoding> {
    let rows = *access.order.get(1)? as usize;
    let mut size = usual.size_per_thread.clone();
    size[rows] = WORD_BYTES;
    let elements = size.iter().product::<u32>();
    if usual.size_per_thread[rows] != 1 || elements > access.share(threads) {
        return None;
    }
    let layout =
        BlockedEncoding::for_shape(&access.shape, &size, &access.order, threads.num_warps, threads.threads_per_warp);
    let covered = layout.size_per_thread[rows] * layout.threads_per_warp[rows] * layout.warps_per_cta[rows];
    (i64::from(covered) <= access.shape[rows]).then_some(layout)
}
