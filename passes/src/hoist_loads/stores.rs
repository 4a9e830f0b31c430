//! Stores of a loop that loads for its products pass.
//!
//! Linear attention stores its state at the start of an iteration, in the layout of the store, so threads meet for it. What the iteration loads stands behind
//! that, and is asked for when the store is done. In front of it, memory answers while the threads convert and store
//! ([measurements](../../../docs/measurements.md#loads-for-products-pass-stores)).
//!
//! Memory behind different parameters is taken to be different where a loop loads for its products, as in Triton: with more than one stage the pipeliner
//! issues such a load iterations ahead, over the stores of all iterations between, unless the loop writes through the parameter that is loaded from. So the load
//! may pass the stores of its own iteration, too. A program with one stage may have it because it relies on that order, and keeps it. Barriers of the program
//! stay in the way. Other loads stay behind stores: programs pass one tensor for two parameters.
//!
//! A load for the next iteration has that one to arrive, and stays: seven launches with such loads in front of the store are 0.93 to 1.03 times as fast.
//!
//! What is loaded is held while the result of the conversion is, too. It may be as much as registers leave beside the most that the loop holds at
//! any time ([`has_room`]).

use super::room::peak;
use super::{LIVE_OF_FOUR, is_for_next_iteration};
use crate::analysis::live_registers::LiveRegisters;
use crate::analysis::rows_of_results::is_computed_from;
use crate::operations::is_dot;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, OpKind};

/// The load may pass `store`, an operation of the same body that writes to nothing that the load reads.
pub(super) fn may_pass<'c>(store: Op<'c>, load: LoadOp<'c>) -> bool {
    let body = load.op.parent_op().and_then(ForOp::cast).filter(|_| store.block() == load.op.block());
    store.kind() == OpKind::TtStore
        && !is_for_next_iteration(load)
        && body.is_some_and(|view| is_for_products(view, load))
}

/// A product of the loop, in this iteration or in a later one, is computed from what is loaded.
fn is_for_products<'c>(view: ForOp<'c>, load: LoadOp<'c>) -> bool {
    let mut ops = view.body().ops().into_iter();
    ops.any(|dot| is_dot(dot) && is_computed_from(view, dot, |op| op == load.op))
}

/// The load may pass this conversion, since only stores that it may pass need it, with all of which `hoisted` registers are held there; a thread can have
/// `budget`.
///
/// On an H200 nine states of linear attention whose loops hold at most 116 registers of tensors are 1.00 to 1.31 times as fast with 16 to 53 registers of
/// loads; one whose loop fills all registers spills for them, and has 0.80 of its speed.
pub(super) fn has_room<'c>(passed: Op<'c>, load: LoadOp<'c>, hoisted: u32, live: &LiveRegisters, budget: u32) -> bool {
    let users: Vec<Op<'c>> =
        passed.results().into_iter().flat_map(|value| value.users()).map(|(user, _)| user).collect();
    passed.kind() == OpKind::TtgConvertLayout
        && !users.is_empty()
        && users.into_iter().all(|user| may_pass(user, load))
        && load.op.parent_op().is_some_and(|around| peak(around, live) + hoisted <= budget * LIVE_OF_FOUR / 4)
}
