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
//! An access of one column, as its mask says, does not count. What is scanned
//! may also be computed from rows and columns, as sums of outer products are, so that no access reaches it element by element: then the store of the
//! result decides.
//!
//! Masks may leave one row of all accesses of a scan, as where a state is carried from chunk to chunk ([`super::fixed_axes`]). Memory then moves
//! little, wherever the lanes are. So they may lie along the scanned axis first: a warp that has a whole column combines it without the totals of
//! other warps.
//!
//! ```text
//! 256x4x4 f32, 8 warps, scan of axis 0    [1, 1, 4] per thread, lanes [8, 4, 1], warps [8, 1, 1]      4 columns · 4 · (1 row + 3 exchanges + 8 totals)
//!                                         [16, 1, 1] per thread, lanes [2, 4, 4], warps [8, 1, 1]     1 column · (16 rows + 1 exchange + 8 totals)
//!                                         [16, 1, 1] per thread, lanes [16, 2, 1], warps [1, 2, 4]    1 column · (16 rows + 4 exchanges)
//! ```
//!
//! Columns are then in several warps. Where results are reduced across columns in each iteration, or go on elsewhere, warps would have to meet for
//! that, and lanes stay along rows; parts of sums that a loop adds up meet once, behind it.
//!
//! What it saves: [measurements](../../../docs/measurements.md#scans-of-computed-blocks-have-their-columns-in-few-threads).
//!
//! 1. What a scan meets: the accesses that it is computed from or written by, element by element.  2. Which accesses ask for a layout.  3. The layout
//!    of the fewest steps.

use super::fixed_axes::fixed_axes;
use super::{GlobalAccess, MOST_USERS, is_global_access};
use crate::analysis::AxisFacts;
use crate::analysis::axis_flow::unit_of;
use crate::attributes::Threads;
use crate::operations::computations::{Computation, computation};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::{ForOp, ReduceOp, ScanOp};
use tk_ir::{Op, OpKind, Value};
use tk_layout::BlockedEncoding;

/// Bytes that neighbouring lanes touch at least: what memory moves at once.
pub(super) const LEAST_BYTES_OF_LANES: u32 = 64;
/// What an instruction that loads or stores costs, in combinations of a scan.
const ACCESS_STEPS: u64 = 2;
/// What an exchange between lanes costs.
const SHUFFLE_STEPS: u64 = 2;

/// How what an access reads or writes is scanned.
#[derive(Clone, Copy)]
pub(super) struct Scanned {
    axis: usize,
    rows: Rows,
}

/// Which rows, numbered along the scanned axis, the accesses of a scan touch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    All,
    /// One, and no columns of the result are combined with others, or only behind a loop.
    One,
}

/// The scans of what accesses read or write, by the identity of the access.
pub(super) type ScannedAxes = FxHashMap<usize, Scanned>;

/// The accesses that scans of the function meet, where a scan is of what is loaded, or of what no access reaches element by element, and none of its
/// accesses has the scanned axis side by side, or is scanned along the other one, too.
pub(super) fn scanned_axes(function: Op<'_>, accesses: &[GlobalAccess<'_>], facts: &AxisFacts) -> ScannedAxes {
    let rows: FxHashMap<usize, usize> =
        accesses.iter().map(|access| (access.op.id(), access.order[0] as usize)).collect();
    let scans: Vec<MetByScan<'_>> =
        function.descendants().into_iter().filter_map(ScanOp::cast).map(MetByScan::of).collect();
    let mut along_rows: FxHashSet<usize> = FxHashSet::default();
    for scan in &scans {
        let asking = scan.accesses.iter().filter(|access| !is_one_column(**access, scan.axis, facts));
        let ids = asking.map(|access| access.id());
        along_rows.extend(ids.filter(|id| rows.get(id) == Some(&scan.axis)));
    }
    let goes_across = |scan: &MetByScan<'_>| {
        let is_loaded = scan.accesses.iter().any(|access| access.kind() == OpKind::TtLoad);
        (is_loaded || scan.source == Source::RowsAndColumns)
            && scan.accesses.iter().all(|access| !along_rows.contains(&access.id()))
    };
    let mut found = ScannedAxes::default();
    for scan in scans.iter().filter(|scan| goes_across(scan)) {
        let scanned = Scanned { axis: scan.axis, rows: scan.rows(facts) };
        found.extend(scan.accesses.iter().map(|access| (access.id(), scanned)));
    }
    found
}

/// The mask leaves one column of what is scanned, which is little memory, whatever the layout is.
fn is_one_column(access: Op<'_>, axis: usize, facts: &AxisFacts) -> bool {
    let shape = access.operand(0).ty().shape();
    let fixed = fixed_axes(access, facts);
    let mut others = (0..shape.len()).filter(|other| *other != axis && shape[*other] > 1).peekable();
    !fixed.contains(&axis) && others.peek().is_some() && others.all(|other| fixed.contains(&other))
}

/// What a scan meets.
struct MetByScan<'c> {
    axis: usize,
    /// What is reached from operands against the flow of data, and from results with it, element by element.
    accesses: Vec<Op<'c>>,
    source: Source,
    results: Results,
}

/// What is scanned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// It is computed from blocks that are repeated along axes, and constants.
    RowsAndColumns,
    Other,
}

/// Where the results of a scan go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    /// Each column by itself, or into sums that a loop adds up.
    ByColumns,
    Other,
}

impl<'c> MetByScan<'c> {
    fn of(scan: ScanOp<'c>) -> Self {
        let mut met = Self {
            axis: scan.axis(),
            accesses: Vec::new(),
            source: Source::RowsAndColumns,
            results: Results::ByColumns,
        };
        let mut seen = FxHashSet::default();
        met.look_before(scan, &mut seen);
        met.look_behind(scan, &mut seen);
        met
    }

    fn look_before(&mut self, scan: ScanOp<'c>, seen: &mut FxHashSet<usize>) {
        let mut before: Vec<Value<'c>> = scan.op.operands();
        while let Some(value) = before.pop() {
            let op = value.defining_op().filter(|op| seen.len() < MOST_USERS || seen.contains(&op.id()));
            let Some(op) = op else {
                self.source = Source::Other;
                continue;
            };
            if !seen.insert(op.id()) {
                continue;
            }
            if is_passed(op) {
                before.extend(op.operands());
                continue;
            }
            if is_global_access(op) {
                self.accesses.push(op);
            }
            if !is_repeated(op) {
                self.source = Source::Other;
            }
        }
    }

    fn look_behind(&mut self, scan: ScanOp<'c>, seen: &mut FxHashSet<usize>) {
        let mut behind: Vec<Value<'c>> = scan.op.results();
        while let Some(value) = behind.pop() {
            for (user, operand) in value.users() {
                if seen.len() >= MOST_USERS {
                    self.results = Results::Other;
                    continue;
                }
                if !seen.insert(user.id()) {
                    continue;
                }
                if is_passed(user) {
                    behind.extend(user.results());
                } else if is_global_access(user) && operand > 0 {
                    self.accesses.push(user);
                } else if !self.keeps_columns(user) {
                    self.results = Results::Other;
                }
            }
        }
    }

    /// A reduction of each column, or one whose columns meet behind a loop.
    fn keeps_columns(&self, user: Op<'c>) -> bool {
        ReduceOp::cast(user).is_some_and(|reduce| reduce.axis() == self.axis || is_added_up(reduce))
    }

    /// The rows that its accesses touch.
    fn rows(&self, facts: &AxisFacts) -> Rows {
        let is_one = self.results == Results::ByColumns
            && self.accesses.iter().all(|access| fixed_axes(*access, facts).contains(&self.axis));
        if is_one { Rows::One } else { Rows::All }
    }
}

/// What fills a block with fewer elements than it has.
fn is_repeated(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtBroadcast | OpKind::TtSplat) || computation(op.kind()) == Computation::Constant
}

/// A loop adds the results of a reduction up, and does nothing else with them: its threads combine their parts behind it.
fn is_added_up(reduce: ReduceOp<'_>) -> bool {
    let Some(view) = reduce.op.parent_op().and_then(ForOp::cast) else { return false };
    let Some(combiner) = reduce.single_combiner() else { return false };
    let [mut value] = reduce.op.results()[..] else { return false };
    for _ in 0..MOST_USERS {
        let [(user, _)] = value.users()[..] else { return false };
        if user.kind() != OpKind::TtgConvertLayout {
            let carried = view.iter_args();
            return user.kind() == combiner.kind()
                && user.operands().iter().any(|operand| carried.contains(operand))
                && user.result(0).has_one_use()
                && view.yielded().contains(&user.result(0));
        }
        value = user.result(0);
    }
    false
}

pub(super) fn is_passed(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtElementwiseInlineAsm)
        || computation(op.kind()).is_element_by_element()
}

/// The layout in which an access that would have `usual` is scanned in fewer steps; `None` where that is the usual one.
pub(super) fn layout_for_scan(
    access: &GlobalAccess<'_>,
    usual: &BlockedEncoding,
    scanned: Scanned,
    threads: Threads,
) -> Option<BlockedEncoding> {
    let (axis, row) = (scanned.axis, access.order[0] as usize);
    if axis == row || access.shape[axis] <= 1 {
        return None;
    }
    let element_bytes = u32::try_from(unit_of(access.op.operand(0).ty())).unwrap_or(u32::MAX);
    let keeps_sectors = |layout: &BlockedEncoding| {
        let together = layout.size_per_thread[row] * layout.threads_per_warp[row];
        scanned.rows == Rows::One
            || together.saturating_mul(element_bytes) >= LEAST_BYTES_OF_LANES
            || i64::from(together) >= access.shape[row]
    };
    let steps = |layout: &BlockedEncoding| steps(layout, access, scanned);
    // Of equal ones the first: warps that have whole columns need no barrier, which is not counted.
    let best = candidates(access, usual, scanned, threads)
        .into_iter()
        .filter(keeps_sectors)
        .min_by_key(|layout| (steps(layout), u32::MAX - layout.size_per_thread[row]))?;
    (steps(&best) < steps(usual)).then_some(best)
}

/// Layouts with several rows in a thread.
fn candidates(
    access: &GlobalAccess<'_>,
    usual: &BlockedEncoding,
    scanned: Scanned,
    threads: Threads,
) -> Vec<BlockedEncoding> {
    let (axis, row) = (scanned.axis, access.order[0] as usize);
    let share = access.share(threads);
    let widths = powers_of_two(usual.size_per_thread[row]);
    let all_sizes = widths.flat_map(|width| powers_of_two(share / width).map(move |length| (width, length)));
    let sizes: Vec<Vec<u32>> = all_sizes
        .filter(|(_, length)| i64::from(*length) <= access.shape[axis])
        .map(|(width, length)| {
            let mut size = vec![1; access.shape.len()];
            (size[row], size[axis]) = (width, length);
            size
        })
        .collect();
    let deals = match scanned.rows {
        Rows::All => vec![access.order.clone()],
        Rows::One => vec![scanned_axis_first(access, axis), access.order.clone()],
    };
    let mut layouts = Vec::new();
    for deal in &deals {
        for size in &sizes {
            let dealt =
                BlockedEncoding::for_shape(&access.shape, size, deal, threads.num_warps, threads.threads_per_warp);
            layouts.push(BlockedEncoding { order: access.order.clone(), ..dealt });
        }
    }
    layouts
}

/// Lanes go along the scanned axis, and those that are left along the axis whose elements are furthest apart: they share what is computed of a row.
fn scanned_axis_first(access: &GlobalAccess<'_>, axis: usize) -> Vec<u32> {
    let (first, others): (Vec<u32>, Vec<u32>) = access.order.iter().rev().copied().partition(|of| *of as usize == axis);
    [first, others].concat()
}

pub(super) fn powers_of_two(most: u32) -> impl Iterator<Item = u32> + Clone {
    (0..=most.max(1).ilog2()).map(|bit| 1 << bit)
}

/// Steps of a thread for a scan and an access. Of an access that touches one row, a thread has one instruction for each group of columns.
fn steps(layout: &BlockedEncoding, access: &GlobalAccess<'_>, scanned: Scanned) -> u64 {
    let (axis, row, shape) = (scanned.axis, access.order[0] as usize, &access.shape);
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
    let rows = match scanned.rows {
        Rows::All => runs * u64::from(length),
        Rows::One => 1,
    };
    scan + ACCESS_STEPS * (columns * rows / u64::from(layout.size_per_thread[row].max(1)))
}
