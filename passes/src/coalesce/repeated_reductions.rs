//! Accesses of blocks that a loop reduces again and again without loading them: the largest numbers of a row one after the other, rows and columns
//! that are brought to one sum in turns.
//!
//! The layout of an access deals lanes, and then warps, out along a row. Warps then meet in shared memory for each reduction of a row. Where the block is
//! loaded once and reduced many times, lanes and warps go to where the reductions take the fewest steps, as far as a warp still reads whole
//! sectors of memory:
//!
//! ```text
//! 8x128 f32, 4 warps, rows    lanes [1, 32], warps [1, 4]    8 rows · 5 exchanges, and 4 parts in shared memory
//!                             lanes [2, 16], warps [4, 1]    1 row · 4 exchanges
//! ```
//!
//! Numbers of rows and columns that the loop computes (gates and keys of a recurrence, one step of time after the other) count as well: every thread has those of all
//! its rows and columns.
//!
//! 1. Which accesses a block in such a loop is computed from or written by, element by element.  2. The layout of the fewest steps.

use super::scans::{LEAST_BYTES_OF_LANES, is_passed, powers_of_two};
use super::{GlobalAccess, MOST_USERS, is_global_access};
use crate::analysis::axis_flow::unit_of;
use crate::attributes::Threads;
use crate::control_flow::{flows_from, flows_into};
use crate::operations::computations::instructions_of_element;
use crate::operations::control::is_loop;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::ReduceOp;
use tk_ir::{Op, OpKind, Value};
use tk_layout::BlockedEncoding;

/// What an exchange between lanes costs, in operations of a thread.
const EXCHANGE_STEPS: u64 = 2;
/// What it costs that warps meet in shared memory, without what each of them writes and reads.
const MEETING_STEPS: u64 = 24;

/// What loops do with what an access reads or writes, by the identity of the access.
pub(super) type ReducedBlocks = FxHashMap<usize, ReducedBlock>;

/// What loops do with a block.
#[derive(Default)]
pub(super) struct ReducedBlock {
    /// The axes along which they reduce it, once for each reduction.
    axes: Vec<usize>,
    /// Instructions for each index along an axis, of numbers that differ along it alone.
    lines: [u64; 2],
    /// The loops of which the lines are counted.
    loops: FxHashSet<usize>,
}

/// The accesses that meet reductions of a function in loops that load nothing of what they reduce.
pub(super) fn reduced_blocks(function: Op<'_>) -> ReducedBlocks {
    let mut blocks = ReducedBlocks::default();
    for reduce in function.descendants().into_iter().filter_map(ReduceOp::cast) {
        let Some(around) = reduce.op.ancestors().skip(1).find(|op| is_loop(*op)) else { continue };
        let accesses = accesses_of(reduce);
        if accesses.iter().any(|access| access.kind() == OpKind::TtLoad && around.contains(*access)) {
            continue;
        }
        let lines = lines(around, &reduce.op.operand(0).ty().shape());
        for access in accesses {
            let block = blocks.entry(access.id()).or_default();
            block.axes.push(reduce.axis());
            if block.loops.insert(around.id()) {
                block.lines = std::array::from_fn(|axis| block.lines[axis] + lines[axis]);
            }
        }
    }
    blocks
}

/// Instructions of a loop for each index along an axis, of numbers that differ along it alone and are repeated along the other one of a block. Not counted
/// in loops with products, whose results have layouts of their own.
fn lines(around: Op<'_>, shape: &[i64]) -> [u64; 2] {
    let has_products = |op: &Op<'_>| matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled);
    if around.descendants().iter().any(has_products) {
        return [0, 0];
    }
    let repeats = |op: &Op<'_>| op.kind() == OpKind::TtBroadcast && op.result(0).ty().shape() == shape;
    let repeated = around.descendants().into_iter().filter(repeats).map(|op| op.operand(0));
    let mut pending: Vec<(Value<'_>, usize)> =
        repeated.filter_map(|value| Some((value, axis_of_line(value)?))).collect();
    let (mut lines, mut seen) = ([0, 0], FxHashSet::default());
    while let Some((value, axis)) = pending.pop() {
        let Some(op) = value.defining_op().filter(|op| around.contains(*op) && !value.ty().is_ptr_like()) else {
            continue;
        };
        let is_counted = op.kind() == OpKind::TtLoad || is_passed(op);
        if !(is_counted || op.kind() == OpKind::TtExpandDims) || !seen.insert(op.id()) {
            continue;
        }
        lines[axis] += u64::from(instructions_of_element(op.kind()));
        if op.kind() != OpKind::TtLoad {
            pending.extend(op.operands().into_iter().map(|operand| (operand, axis)));
        }
    }
    lines
}

/// The axis that the numbers of a block with one row or one column differ along.
fn axis_of_line(value: Value<'_>) -> Option<usize> {
    match value.ty().shape()[..] {
        [1, 1] => None,
        [1, _] => Some(1),
        [_, 1] => Some(0),
        _ => None,
    }
}

/// What the operands of a reduction are computed from or written by, element by element, in loops and over them.
fn accesses_of(reduce: ReduceOp<'_>) -> Vec<Op<'_>> {
    let shape = reduce.op.operand(0).ty().shape();
    let (mut found, mut pending) = (Vec::new(), reduce.op.operands());
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut met: FxHashSet<usize> = FxHashSet::default();
    while let Some(value) = pending.pop() {
        let is_block = value.ty().is_tensor() && value.ty().shape() == shape && !value.ty().is_ptr_like();
        if !is_block || seen.len() >= MOST_USERS || !seen.insert(value.id()) {
            continue;
        }
        pending.extend(flows_from(value).into_iter().flatten());
        let made_by = value.defining_op().into_iter();
        let used_by = value.users().into_iter().map(|(user, operand)| {
            pending.extend(flows_into(user, operand));
            user
        });
        for op in made_by.chain(used_by.collect::<Vec<_>>()) {
            if is_global_access(op) && met.insert(op.id()) {
                found.push(op);
            } else if is_passed(op) && met.insert(op.id()) {
                pending.extend(op.operands().into_iter().chain(op.results()));
            }
        }
    }
    found
}

/// The layout in which loops need fewer steps for a block that an access would have in `usual`; `None` where that is the usual one.
pub(super) fn layout_for_reductions(
    access: &GlobalAccess<'_>,
    usual: &BlockedEncoding,
    block: &ReducedBlock,
    threads: Threads,
) -> Option<BlockedEncoding> {
    let (row, shape) = (access.order[0] as usize, &access.shape);
    if shape.len() != 2 {
        return None;
    }
    let element_bytes = u32::try_from(unit_of(access.op.operand(0).ty())).unwrap_or(u32::MAX);
    let other = 1 - row;
    let deals = powers_of_two(threads.threads_per_warp)
        .flat_map(|lanes| powers_of_two(threads.num_warps).map(move |warps| (lanes, warps)));
    let layouts = deals.map(|(lanes, warps)| {
        let mut layout = usual.clone();
        (layout.threads_per_warp[row], layout.threads_per_warp[other]) = (lanes, threads.threads_per_warp / lanes);
        (layout.warps_per_cta[row], layout.warps_per_cta[other]) = (warps, threads.num_warps / warps);
        layout
    });
    let holds_once = |layout: &BlockedEncoding| (0..2).all(|axis| i64::from(covered(layout, axis)) <= shape[axis]);
    let keeps_sectors = |layout: &BlockedEncoding| {
        let together = layout.size_per_thread[row] * layout.threads_per_warp[row];
        together.saturating_mul(element_bytes) >= LEAST_BYTES_OF_LANES || i64::from(together) >= shape[row]
    };
    let steps = |layout: &BlockedEncoding| {
        let reductions = block.axes.iter().map(|axis| steps(layout, shape, *axis)).sum::<u64>();
        let lines = (0..2).map(|axis| block.lines[axis] * indices(layout, shape, axis)).sum::<u64>();
        reductions + lines
    };
    let best = layouts.filter(|layout| holds_once(layout) && keeps_sectors(layout)).min_by_key(steps)?;
    (steps(&best) < steps(usual)).then_some(best)
}

/// Elements along an axis that all threads have together, without repeating.
fn covered(layout: &BlockedEncoding, axis: usize) -> u32 {
    layout.size_per_thread[axis] * layout.threads_per_warp[axis] * layout.warps_per_cta[axis]
}

/// Indices along an axis of which a thread has elements.
fn indices(layout: &BlockedEncoding, shape: &[i64], axis: usize) -> u64 {
    let repeats = shape[axis].unsigned_abs().div_ceil(u64::from(covered(layout, axis).max(1)));
    repeats * u64::from(layout.size_per_thread[axis])
}

/// Steps of a thread for a reduction along `axis`, without those that all layouts share.
fn steps(layout: &BlockedEncoding, shape: &[i64], axis: usize) -> u64 {
    let rows = indices(layout, shape, 1 - axis);
    let levels = layout.threads_per_warp[axis].max(1).ilog2();
    // Either every lane gets every row, or lanes share the rows out, and hand the results back.
    let shared: u64 = (1..=levels).map(|level| rows.div_ceil(1 << level)).sum();
    let exchanges = (rows * u64::from(levels)).min(2 * shared);
    let meets = layout.warps_per_cta[axis] > 1;
    EXCHANGE_STEPS * exchanges + if meets { MEETING_STEPS + 2 * rows } else { 0 }
}
