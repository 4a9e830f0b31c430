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
/// Axes of a block of which all deals are compared.
const MOST_AXES: usize = 4;
/// What it costs that warps meet in shared memory, without what each of them writes and reads.
pub(super) const MEETING_STEPS: u64 = 24;

/// Bytes of a whole row of several matrices that lanes read together.
const LEAST_BYTES_OF_ROW: u32 = 16;

/// What loops do with what an access reads or writes, by the identity of the access.
pub(super) type ReducedBlocks = FxHashMap<usize, ReducedBlock>;

/// What loops do with a block.
#[derive(Default)]
pub(super) struct ReducedBlock {
    /// The axes along which they reduce it, once for each reduction.
    axes: Vec<usize>,
    /// What loops compute of fewer numbers than the block has.
    lines: Vec<Line>,
    /// The loops of which the lines are counted.
    loops: FxHashSet<usize>,
}

/// Numbers that differ along some axes of a block alone, and are repeated along the others.
#[derive(Clone)]
struct Line {
    axes: Vec<usize>,
    /// Of a thread, for each of these numbers that it has.
    instructions: u64,
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
                block.lines.extend(lines.iter().cloned());
            }
        }
    }
    blocks
}

/// What a loop computes of numbers that are repeated to a block of this shape. Not counted in loops with products, whose results have layouts of their own.
fn lines(around: Op<'_>, shape: &[i64]) -> Vec<Line> {
    let has_products = |op: &Op<'_>| matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled);
    if around.descendants().iter().any(has_products) {
        return Vec::new();
    }
    let repeats = |op: &Op<'_>| op.kind() == OpKind::TtBroadcast && op.result(0).ty().shape() == shape;
    let repeated = around.descendants().into_iter().filter(repeats).map(|op| op.operand(0));
    let mut pending: Vec<(Value<'_>, Vec<usize>)> =
        repeated.filter_map(|value| Some((value, axes_of_line(value)?))).collect();
    let (mut lines, mut seen, mut carried) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
    while let Some((value, axes)) = pending.pop() {
        // What an iteration hands on to the next one is computed in the loop, too.
        if value.block_argument().is_some() && carried.insert(value.id()) {
            pending.extend(flows_from(value).into_iter().flatten().map(|from| (from, axes.clone())));
        }
        let Some(op) = value.defining_op().filter(|op| around.contains(*op) && !value.ty().is_ptr_like()) else {
            continue;
        };
        let is_counted = op.kind() == OpKind::TtLoad || is_passed(op);
        if !(is_counted || op.kind() == OpKind::TtExpandDims) || !seen.insert(op.id()) {
            continue;
        }
        lines.push(Line { axes: axes.clone(), instructions: u64::from(instructions_of_element(op.kind())) });
        if op.kind() != OpKind::TtLoad {
            pending.extend(op.operands().into_iter().map(|operand| (operand, axes.clone())));
        }
    }
    lines
}

/// The axes that the numbers of a block differ along, if it has one place along others.
fn axes_of_line(value: Value<'_>) -> Option<Vec<usize>> {
    let shape = value.ty().shape();
    let axes: Vec<usize> = (0..shape.len()).filter(|axis| shape[*axis] > 1).collect();
    (!axes.is_empty() && axes.len() < shape.len()).then_some(axes)
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
    if !(2..=MOST_AXES).contains(&shape.len()) {
        return None;
    }
    let element_bytes = u32::try_from(unit_of(access.op.operand(0).ty())).unwrap_or(u32::MAX);
    let warps = deals(threads.num_warps, &access.order);
    let layouts = deals(threads.threads_per_warp, &access.order).into_iter().flat_map(|lanes| {
        warps.iter().map(move |warps| BlockedEncoding {
            threads_per_warp: lanes.clone(),
            warps_per_cta: warps.clone(),
            ..usual.clone()
        })
    });
    let holds_once =
        |layout: &BlockedEncoding| (0..shape.len()).all(|axis| i64::from(covered(layout, axis)) <= shape[axis]);
    let keeps_sectors = |layout: &BlockedEncoding| {
        let together = layout.size_per_thread[row] * layout.threads_per_warp[row];
        // Short rows of a matrix lie one behind the other; those of several may be far apart, and half a sector each at least.
        let bytes = together.saturating_mul(element_bytes);
        let is_whole_row = i64::from(together) >= shape[row] && (shape.len() == 2 || bytes >= LEAST_BYTES_OF_ROW);
        bytes >= LEAST_BYTES_OF_LANES || is_whole_row
    };
    let steps = |layout: &BlockedEncoding| {
        let reductions = block.axes.iter().map(|axis| steps(layout, shape, *axis)).sum::<u64>();
        let of_line = |line: &Line| line.instructions * numbers(layout, shape, |axis| line.axes.contains(&axis));
        reductions + block.lines.iter().map(of_line).sum::<u64>()
    };
    let best = layouts.filter(|layout| holds_once(layout) && keeps_sectors(layout)).min_by_key(steps)?;
    (steps(&best) < steps(usual)).then_some(best)
}

/// All ways to deal lanes or warps out to axes, in powers of two: few of them along the first axis of the order first, and of those with as many along it
/// the ones that are as far as possible along the next.
fn deals(threads: u32, order: &[u32]) -> Vec<Vec<u32>> {
    let mut dealt = vec![(vec![1; order.len()], threads)];
    for (place, axis) in order.iter().enumerate() {
        let more = |(deal, left): &(Vec<u32>, u32)| {
            let mut counts: Vec<u32> = powers_of_two(*left).collect();
            if place + 1 == order.len() {
                counts = vec![*left];
            } else if place > 0 {
                counts.reverse();
            }
            let given = |count: u32| {
                let mut deal = deal.clone();
                deal[*axis as usize] = count;
                (deal, left / count)
            };
            counts.into_iter().map(given).collect::<Vec<_>>()
        };
        dealt = dealt.iter().flat_map(more).collect();
    }
    dealt.into_iter().map(|(deal, _)| deal).collect()
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

/// Numbers of a thread that differ along some axes of its block alone.
fn numbers(layout: &BlockedEncoding, shape: &[i64], differs: impl Fn(usize) -> bool) -> u64 {
    (0..shape.len()).filter(|axis| differs(*axis)).map(|axis| indices(layout, shape, axis)).product()
}

/// Steps of a thread for a reduction along an axis, without those that all layouts share.
pub(super) fn steps(layout: &BlockedEncoding, shape: &[i64], reduced: usize) -> u64 {
    let rows = numbers(layout, shape, |axis| axis != reduced);
    let levels = layout.threads_per_warp[reduced].max(1).ilog2();
    // Either every lane gets every row, or lanes share the rows out, and hand the results back.
    let shared: u64 = (1..=levels).map(|level| rows.div_ceil(1 << level)).sum();
    let exchanges = (rows * u64::from(levels)).min(2 * shared);
    let meets = layout.warps_per_cta[reduced] > 1;
    EXCHANGE_STEPS * exchanges + if meets { MEETING_STEPS + 2 * rows } else { 0 }
}
