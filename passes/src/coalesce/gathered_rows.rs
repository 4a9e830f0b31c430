//! Blocks whose rows lie where loaded numbers say: pages of a cache, tokens of an expert, neighbours of a node.
//!
//! A thread computes the address of each of its rows on its own, from a number that is brought to it, and keeps it in two registers until the row is
//! read. With all lanes along a row of 512 bytes, a thread of one warp in two has 64 rows of 128. A line of memory is 128 bytes, and memory is
//! as fast where the lanes of a warp read four lines of four rows as where they read one row: a thread has 16 rows then, and reaches the four pieces of
//! each by constant offsets.
//!
//! Where only columns lie where loaded numbers say, each element has an address of its own in any case, and a thread needs the numbers of fewer columns with whole
//! rows in the lanes: these stay there.
//!
//! So do rows that are moved once, where a thread has few of them and the grid brings many CTAs: nothing keeps their addresses, and memory brings, and takes, a
//! row that is asked for at once a little faster than its lines one after the other ([measurements](../../../docs/measurements.md#gathered-rows-are-read-by-lines)).
//!
//! Accesses that share a layout with such a load follow it.

use super::stores_apart::loops_around;
use super::{Agreement, GlobalAccess, MOST_USERS};
use crate::analysis::axis_flow::unit_of;
use crate::attributes::Threads;
use crate::operations::computations::computation;
use crate::operations::is_dot;
use rustc_hash::FxHashSet;
use tk_ir::{Op, OpKind, Value};
use tk_layout::BlockedEncoding;
use tk_target::LINE_BYTES;
use tk_types::Residency;

/// Rows of a thread whose addresses take few registers outside of loops. Four launches of many CTAs that move blocks once, with four and eight rows, are 1.002
/// to 1.022 times as fast with whole rows in the lanes; one of few CTAs, of which fewer have room then, is 0.907 times as fast.
const FEW_ROWS: i64 = 8;

/// The accesses whose rows lie where loaded numbers say, by what they share a layout with.
#[derive(Default)]
pub(super) struct GatheredRows<'a> {
    all: FxHashSet<Agreement<'a>>,
    /// Those that loops repeat, that are several, or that stand in a function that combines elements of a block, and all where a grid brings few CTAs.
    repeated: FxHashSet<Agreement<'a>>,
}

impl<'a> GatheredRows<'a> {
    pub(super) fn of(accesses: &'a [GlobalAccess<'_>], residency: Residency) -> Self {
        let mut rows = Self::default();
        let combines = || accesses.first().is_some_and(|access| stands_beside_combinations(access.op));
        let stay = residency != Residency::Many || combines();
        for access in accesses.iter().filter(|access| has_loaded_rows(access)) {
            let agreement = access.agreement(access.component);
            let is_new = rows.all.insert(agreement);
            if stay || !is_new || loops_around(access.op) > 0 {
                rows.repeated.insert(agreement);
            }
        }
        rows
    }

    /// The layout by lines, where one of these agreements is of rows that lie where loaded numbers say and that are worth it.
    pub(super) fn layout(
        &self,
        mut agreements: impl Iterator<Item = Agreement<'a>> + Clone,
        access: &GlobalAccess<'_>,
        usual: &BlockedEncoding,
        threads: Threads,
    ) -> Option<BlockedEncoding> {
        let is_repeated = agreements.clone().any(|agreement| self.repeated.contains(&agreement));
        let is_gathered = agreements.any(|agreement| self.all.contains(&agreement));
        if is_gathered && (is_repeated || rows_of_a_thread(access, usual) > FEW_ROWS) {
            layout_for_rows(access, usual, threads)
        } else {
            None
        }
    }
}

/// The function of the operation reduces, scans or multiplies blocks. Lanes along a row then exchange more of it.
fn stands_beside_combinations(op: Op<'_>) -> bool {
    let combines = |op: &Op<'_>| is_dot(*op) || matches!(op.kind(), OpKind::TtReduce | OpKind::TtScan);
    let function = op.ancestors().find(|op| op.kind() == OpKind::TtFunc);
    function.is_none_or(|function| function.descendants().iter().any(combines))
}

/// Rows of a block of which a thread has elements.
fn rows_of_a_thread(access: &GlobalAccess<'_>, layout: &BlockedEncoding) -> i64 {
    let rows = access.order.iter().skip(1).map(|axis| *axis as usize);
    rows.map(|axis| {
        let others = i64::from(layout.threads_per_warp[axis]) * i64::from(layout.warps_per_cta[axis]);
        access.shape[axis].div_euclid(others.max(1)).max(1)
    })
    .product()
}

/// Whether the addresses of a block are made of a tensor that is loaded.
pub(super) fn has_loaded_addresses(access: Op<'_>) -> bool {
    is_made_of_loads(access, |_| false)
}

/// The same of more than numbers for the columns of a block, which say nothing of where its rows lie.
fn has_loaded_rows(access: &GlobalAccess<'_>) -> bool {
    let Some((row, others)) = access.order.split_first().filter(|(_, others)| !others.is_empty()) else {
        return has_loaded_addresses(access.op);
    };
    let is_of_columns = |value: Value<'_>| {
        let shape = value.ty().shape();
        let extent = |axis: &u32| shape.get(*axis as usize).copied();
        shape.len() == access.shape.len()
            && extent(row) == access.shape.get(*row as usize).copied()
            && others.iter().all(|axis| extent(axis) == Some(1))
    };
    is_made_of_loads(access.op, is_of_columns)
}

/// Whether the addresses of a block are made of a tensor that is loaded, without what is left out.
fn is_made_of_loads<'c>(access: Op<'c>, is_left_out: impl Fn(Value<'c>) -> bool) -> bool {
    let (mut pending, mut seen) = (vec![access.operand(0)], FxHashSet::default());
    while let Some(value) = pending.pop() {
        let is_looked_at = value.ty().is_tensor() && value.ty().num_elements() > 1 && !is_left_out(value);
        let Some(op) = value.defining_op().filter(|_| is_looked_at) else { continue };
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
fn layout_for_rows(access: &GlobalAccess<'_>, usual: &BlockedEncoding, threads: Threads) -> Option<BlockedEncoding> {
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
