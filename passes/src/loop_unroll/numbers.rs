//! Values that are numbers in each copy of a body: what follows from its counter, and from what the loop carries where that starts with numbers.
//!
//! ```text
//! for _ in range(3):                                      store x, meet
//!     store x, meet                                       x += load at - 1 where at >= 1, meet
//!     x += load at - offset where at >= offset, meet      store x, meet
//!     offset *= 2                                         x += load at - 2 where at >= 2, meet, …
//! ```
//!
//! A loop that carries such a number, and asks with it for addresses, masks or places to gather from, becomes straight code also where threads meet in it
//! and stores keep the loads in turn ([`copies_of_numbers`]): offsets are part of the accesses then, and masks compare with numbers. Loops of scans and trees
//! are so, once [`count-loops`](crate::count_loops) knows how often they run. A loop whose counter alone is a number, and in which threads meet, is left to the
//! other rules.
//!
//! LLVM unrolls these loops for Triton. It allows 300 instructions, and up to four times as many where constants spare some of them
//! (`unroll-max-percent-threshold-boost`).

use super::factor::{
    BYTES_OF_ALL_ITERATIONS, bytes_per_thread, exchanged, has_known_bounds, is_straight_in_turn, meets,
    types_of_varying,
};
use super::instructions::instructions;
use crate::analysis::iterations::most_iterations;
use crate::attributes::NUM_STAGES;
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::operations::memory::{SharedMemory, shared_memory};
use rustc_hash::FxHashSet;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};

/// Copies of such a body.
const MOST_COPIES_OF_NUMBERS: i64 = 16;
/// Instructions per thread of all copies, about.
const MOST_INSTRUCTIONS_OF_NUMBERS: i64 = 1200;

/// The iterations of a loop that becomes straight code because it carries numbers that its other operations use.
pub(super) fn copies_of_numbers(view: ForOp<'_>) -> Option<i64> {
    let around = view.op.ancestors().skip(1).find(|op| is_loop(*op));
    let multiplies = |op: Op<'_>| op.descendants().into_iter().any(is_dot);
    let is_known = has_known_bounds(view) && !view.unsigned_cmp() && view.op.attr(NUM_STAGES).is_none();
    if !is_known || multiplies(around.unwrap_or(view.op)) {
        return None;
    }
    let ops = operations(view);
    let may_copy = |op: &Op<'_>| is_barrier(*op) || meets(*op) || is_straight_in_turn(*op);
    if !ops.iter().all(may_copy) || !uses_carried_numbers(view, &ops) {
        return None;
    }
    let mut numbers = Numbers::of(view);
    let of_one = |op: &Op<'_>| instructions(*op).saturating_add(exchanged(*op));
    let instructions: i64 = ops.iter().filter(|op| !numbers.take(**op)).map(of_one).sum();
    // The loads of all copies wait together, unless barriers or stores keep them in turn.
    let are_in_turn = ops.iter().any(|op| is_barrier(*op) || op.kind() == OpKind::TtStore);
    let loads: Vec<Op<'_>> = ops.iter().copied().filter(|op| op.kind() == OpKind::TtLoad && !are_in_turn).collect();
    let held: i64 = types_of_varying(view, &loads).into_iter().map(bytes_per_thread).sum();
    most_iterations(view).filter(|copies| {
        (2..=MOST_COPIES_OF_NUMBERS).contains(copies)
            && copies.saturating_mul(instructions) <= MOST_INSTRUCTIONS_OF_NUMBERS
            && copies.saturating_mul(held) <= BYTES_OF_ALL_ITERATIONS
    })
}

fn is_barrier(op: Op<'_>) -> bool {
    shared_memory(op.kind()) == SharedMemory::Barrier
}

fn operations(view: ForOp<'_>) -> Vec<Op<'_>> {
    let mut ops = view.body().ops();
    ops.pop();
    ops
}

/// Something is computed with a number that the loop carries, and is none itself.
fn uses_carried_numbers<'c>(view: ForOp<'c>, ops: &[Op<'c>]) -> bool {
    let carried = carried_numbers(view);
    let mut numbers = Numbers::with(view, &carried);
    let mut from_carried: FxHashSet<usize> = carried.iter().map(|argument| argument.id()).collect();
    ops.iter().any(|op| {
        numbers.take(*op);
        let mut read = op.descendants().into_iter().flat_map(|inner| inner.operands());
        if !read.any(|operand| from_carried.contains(&operand.id())) {
            return false;
        }
        let results = op.results();
        from_carried.extend(results.iter().map(|result| result.id()));
        results.is_empty() || !results.iter().all(|result| numbers.has(*result))
    })
}

/// What the loop carries that starts with a number, and of which each iteration makes one.
fn carried_numbers(view: ForOp<'_>) -> Vec<Value<'_>> {
    let ops = operations(view);
    let all = view.iter_args().into_iter().zip(view.init_args()).zip(view.yielded());
    let mut found: Vec<(Value<'_>, Value<'_>)> = all
        .filter(|((_, init), _)| init.constant_int().is_some())
        .map(|((argument, _), next)| (argument, next))
        .collect();
    loop {
        let carried: Vec<Value<'_>> = found.iter().map(|(argument, _)| *argument).collect();
        let mut numbers = Numbers::with(view, &carried);
        for op in &ops {
            numbers.take(*op);
        }
        found.retain(|(_, next)| numbers.has(*next));
        if found.len() == carried.len() {
            return carried;
        }
    }
}

/// Values of an iteration that are numbers once its counter is one.
pub(super) struct Numbers(FxHashSet<usize>);

impl Numbers {
    pub(super) fn of(view: ForOp<'_>) -> Self {
        Self::with(view, &carried_numbers(view))
    }

    fn with(view: ForOp<'_>, carried: &[Value<'_>]) -> Self {
        let carried = carried.iter().map(|argument| argument.id());
        Self(carried.chain(std::iter::once(view.induction_var().id())).collect())
    }

    fn has(&self, value: Value<'_>) -> bool {
        self.0.contains(&value.id()) || value.constant_int().is_some()
    }

    /// Takes the operation's result for a number, or for an address that a number is added to, where it is one: it costs no instruction.
    pub(super) fn take(&mut self, op: Op<'_>) -> bool {
        if op.kind() == OpKind::TtAddPtr {
            return self.has(op.operand(1));
        }
        let is_one = op.is_pure()
            && op.num_regions() == 0
            && !op.operands().is_empty()
            && op.operands().into_iter().all(|operand| self.has(operand));
        if is_one {
            self.0.extend(op.results().iter().map(|result| result.id()));
        }
        is_one
    }
}
