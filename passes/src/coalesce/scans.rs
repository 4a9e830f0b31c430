//! Accesses whose blocks are scanned along another axis than the one that lies side by side in memory.
//!
//! The layout of an access gives each thread 16 neighbouring bytes, lanes the rest of a row, and warps the rows. A scan down the columns then has
//! each row in another warp, so every thread combines the totals of all rows before its own, for each of its columns. Fewer columns of each
//! thread, and several rows one after the other, need fewer combinations, and a warp still reads whole sectors of memory:
//!
//! ```text
//! 64x128 f32, 32 warps, scan of columns    [1, 4] per thread, warps [32, 1]    4 columns · 64 totals
//!                                          [8, 1] per thread, warps [8, 4]     1 column · (8 rows + 8 totals)
//! ```
//!
//! Where one of a scan's accesses has the scanned axis side by side, the block is converted in any case, and all keep their layouts.
//!
//! 1. Which accesses a scan is computed from or written by, element by element.  2. The layout of the fewest steps.

use super::{GlobalAccess, MOST_USERS, is_global_access};
use crate::analysis::axis_flow::unit_of;
use crate::attributes::Threads;
use crate::operations::computations::computation;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::ScanOp;
use tk_ir::{Op, OpKind, Value};
use tk_layout::BlockedEncoding;

/// Bytes that neighbouring lanes touch at least: what memory moves at once.
pub(super) const LEAST_BYTES_OF_LANES: u32 = 64;
/// What an instruction that loads or stores costs, in combinations of a scan.
const ACCESS_STEPS: u64 = 2;
/// What an exchange between lanes costs.
const SHUFFLE_STEPS: u64 = 2;

/// The axes along which what an access reads or writes is scanned, by the identity of the access.
pub(super) type ScannedAxes = FxHashMap<usize, usize>;

/// The accesses that scans of the function meet, where a scan is of what is loaded, and none of its accesses has the scanned axis side by side, or is
/// scanned along the other one, too.
pub(super) fn scanned_axes(function: Op<'_>, accesses: &[GlobalAccess<'_>]) -> ScannedAxes {
    let rows: FxHashMap<usize, usize> =
        accesses.iter().map(|access| (access.op.id(), access.order[0] as usize)).collect();
    let scans: Vec<(usize, Vec<Op<'_>>)> = function
        .descendants()
        .into_iter()
        .filter_map(ScanOp::cast)
        .map(|scan| (scan.axis(), accesses_of(scan)))
        .collect();
    let along_rows: FxHashSet<usize> = scans
        .iter()
        .flat_map(|(axis, met)| met.iter().map(|access| access.id()).filter(|id| rows.get(id) == Some(axis)))
        .collect();
    let goes_across = |met: &[Op<'_>]| {
        met.iter().any(|access| access.kind() == OpKind::TtLoad)
            && met.iter().all(|access| !along_rows.contains(&access.id()))
    };
    let across = scans.into_iter().filter(|(_, met)| goes_across(met));
    across.flat_map(|(axis, met)| met.into_iter().map(move |access| (access.id(), axis))).collect()
}

/// What is reached from operands against the flow of data, and from results with it, element by element.
fn accesses_of(scan: ScanOp<'_>) -> Vec<Op<'_>> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut before: Vec<Value<'_>> = scan.op.operands();
    while let Some(op) = before.pop().map(|value| value.defining_op()) {
        let Some(op) = op.filter(|op| seen.len() < MOST_USERS && seen.insert(op.id())) else { continue };
        if is_passed(op) {
            before.extend(op.operands());
        } else if is_global_access(op) {
            found.push(op);
        }
    }
    let mut behind: Vec<Value<'_>> = scan.op.results();
    while let Some(value) = behind.pop() {
        for (user, operand) in value.users() {
            if seen.len() >= MOST_USERS || !seen.insert(user.id()) {
                continue;
            }
            if is_passed(user) {
                behind.extend(user.results());
            } else if is_global_access(user) && operand > 0 {
                found.push(user);
            }
        }
    }
    found
}

pub(super) fn is_passed(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtElementwiseInlineAsm)
        || computation(op.kind()).is_element_by_element()
}

/// The layout in which an access that would have `usual` is scanned along `axis` in fewer steps; `None` where that is the usual one.
pub(super) fn layout_for_scan(
    access: &GlobalAccess<'_>,
    usual: &BlockedEncoding,
    axis: usize,
    threads: Threads,
) -> Option<BlockedEncoding> {
    let row = access.order[0] as usize;
    if axis == row || access.shape[axis] <= 1 {
        return None;
    }
    let share = access.share(threads);
    let element_bytes = u32::try_from(unit_of(access.op.operand(0).ty())).unwrap_or(u32::MAX);
    let widths = powers_of_two(usual.size_per_thread[row]);
    let candidates = widths.flat_map(|width| powers_of_two(share / width).map(move |length| (width, length)));
    let layouts = candidates.filter(|(_, length)| i64::from(*length) <= access.shape[axis]).map(|(width, length)| {
        let mut size = vec![1; access.shape.len()];
        (size[row], size[axis]) = (width, length);
        BlockedEncoding::for_shape(&access.shape, &size, &access.order, threads.num_warps, threads.threads_per_warp)
    });
    let keeps_sectors = |layout: &BlockedEncoding| {
        let together = layout.size_per_thread[row] * layout.threads_per_warp[row];
        together.saturating_mul(element_bytes) >= LEAST_BYTES_OF_LANES || i64::from(together) >= access.shape[row]
    };
    let steps = |layout: &BlockedEncoding| steps(layout, &access.shape, axis, row);
    let best =
        layouts.filter(keeps_sectors).min_by_key(|layout| (steps(layout), u32::MAX - layout.size_per_thread[row]))?;
    (steps(&best) < steps(usual)).then_some(best)
}

pub(super) fn powers_of_two(most: u32) -> impl Iterator<Item = u32> + Clone {
    (0..=most.max(1).ilog2()).map(|bit| 1 << bit)
}

/// Steps of a thread for a scan along `axis` and an access whose neighbours lie along `row`.
fn steps(layout: &BlockedEncoding, shape: &[i64], axis: usize, row: usize) -> u64 {
    let (length, lanes, warps) =
        (layout.size_per_thread[axis], layout.threads_per_warp[axis], layout.warps_per_cta[axis]);
    let whole = |of: usize| {
        let covered = layout.size_per_thread[of] * layout.threads_per_warp[of] * layout.warps_per_cta[of];
        (shape[of].unsigned_abs()).div_ceil(u64::from(covered.max(1)))
    };
    let runs = whole(axis);
    let columns: u64 =
        (0..shape.len()).filter(|of| *of != axis).map(|of| whole(of) * u64::from(layout.size_per_thread[of])).product();
    let exchanged = runs * SHUFFLE_STEPS * u64::from(lanes.max(1).ilog2());
    let totals = if warps > 1 || runs > 1 { runs * u64::from(warps) } else { 0 };
    let scan = columns * (runs * u64::from(length) + exchanged + totals);
    let accesses = columns * runs * u64::from(length) / u64::from(layout.size_per_thread[row].max(1));
    scan + ACCESS_STEPS * accesses
}
