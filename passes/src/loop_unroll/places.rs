//! Loops that gather and store, of which `load-steps-ahead` loads the places ahead if they are left as they are.
//!
//! An iteration waits for a place and then for a row. What the run can compare with stores are places, and not rows, so the loads of copies stay in turn: each
//! copy waits twice, as an iteration does, and a comparison for an iteration ahead would be one of each place with each store. With one body it is one of each, the
//! place is there when the iteration starts, and it waits once.
//!
//! True where few warps run, for loops in no other loop that only load and store beside what they compute, and that `load-steps-ahead` can compare
//! ([`indices`], [`pairs`]).

use super::apart::pairs;
use crate::analysis::axis_info;
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::indices_ahead::{MOST_PLACES, indices};
use crate::analysis::live_registers::registers;
use crate::operations::control::is_loop;
use std::cell::OnceCell;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind};

/// Warps that the grid brings to a multiprocessor, at most: those beside which places are loaded ahead.
const MOST_WARPS: u32 = 32;

/// The loop waits for places that can be loaded an iteration ahead, although it stores, where the grid brings `brought` warps to a multiprocessor.
pub(super) fn may_come_ahead<'c>(function: Op<'c>, view: ForOp<'c>, brought: Option<u32>) -> bool {
    let ops = view.body().ops();
    let stores = ops.iter().any(|op| op.kind() == OpKind::TtStore);
    let writes_otherwise = |op: &Op<'c>| op.kind() != OpKind::TtStore && !GlobalWrites::of(*op).is_empty();
    let is_inside = view.op.ancestors().skip(1).any(is_loop);
    if brought.is_none_or(|warps| warps > MOST_WARPS) || !stores || is_inside || ops.iter().any(writes_otherwise) {
        return false;
    }
    let facts = OnceCell::new();
    let Some(places) = indices(view, || facts.get_or_init(|| axis_info(function))) else { return false };
    let waiting: u32 = places.iter().map(|load| registers(load.result(0).ty()).max(1)).sum();
    let compared: Vec<Op<'c>> =
        ops.into_iter().filter(|op| op.kind() != OpKind::TtLoad || places.contains(op)).collect();
    waiting <= MOST_PLACES && pairs(view, &compared).is_some()
}
