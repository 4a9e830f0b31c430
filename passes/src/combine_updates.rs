//! Says of atomic operations that neighbouring lanes may update the same element, so that one lane does it for all of them.
//!
//! Gradients of a table, counts and sums of groups are added where loaded numbers say. The GPU combines updates of one element one after the other, and
//! where numbers repeat, as those of parents in a tree, that is all that the program waits for. Neighbours with one address are combined by shuffles first,
//! and memory has one update for them (docs/measurements.md, "Lanes that update one element do it together").
//!
//! ```text
//! %number = load %numbers, ...
//! %place = addptr %table, %number
//! atomic_rmw fadd, relaxed, %place, %x             atomic_rmw fadd, relaxed, %place, %x {tk.combines}
//! ```
//!
//! Whether numbers repeat is not known here. Code generation looks before it combines, so where they do not a shuffle, a vote and a branch are added, and
//! this is for operations for which they may:
//!
//! - Lanes differ by what they have loaded, and by nothing else. An address with a term of its own in each lane, as in a row that is added to a row of a table,
//!   is never that of a neighbour.
//! - Each lane has elements of its own. With copies among them few neighbours are left.
//! - Nobody asks for the old value, and the operation orders nothing: one update stands for several, and it may be combined in any order.
//!
//! Shuffles need all lanes, so nothing is marked in kernels that threads leave early (`leave-early`).

use crate::attributes::{COMBINES, LEAVE};
use crate::control_flow::flows_from;
use crate::convert_to_ttg::require_ttg;
use crate::encodings::distinct_elements_per_thread;
use crate::operations::computations::{Computation, computation};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{AtomicRmwOp, MemSemantic, RmwOp};
use tk_ir::{Module, Op, OpKind, Value};
use tk_layout::Dim;

/// The pass.
pub const PASS: Pass =
    Pass { name: "combine-updates", summary: "let lanes that update one element do it together", run };

/// Elements of a thread that the updates of a block of code have together, at most. Each takes up to 60 instructions more. A loop with eight whose numbers
/// seldom repeat is 4 % slower (docs/measurements.md, "Lanes that update one element do it together").
const MOST_ELEMENTS: i64 = 4;
/// Values that an address is computed from, at most.
const MOST_VALUES: usize = 256;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let ops = function.descendants();
        let threads_leave = ops.iter().any(|op| op.attr(LEAVE).is_some());
        let updates: Vec<Op<'_>> = ops.into_iter().filter_map(AtomicRmwOp::cast).map(|update| update.op).collect();
        for update in &updates {
            update.remove_attr(COMBINES);
        }
        if threads_leave {
            continue;
        }
        let is_candidate = |update: &Op<'_>| {
            let is_possible = AtomicRmwOp::cast(*update).is_some_and(may_be_combined);
            is_possible && has_own_elements(*update) && has_loaded_places(*update)
        };
        let candidates: Vec<Op<'_>> = updates.into_iter().filter(is_candidate).collect();
        for update in &candidates {
            let beside = candidates.iter().filter(|other| other.block() == update.block());
            if beside.map(|other| elements_of(*other)).sum::<i64>() <= MOST_ELEMENTS {
                update.set_attr(COMBINES, module.context().unit_attr());
            }
        }
    }
    Ok(())
}

/// One update with the combined values does what several do, and nobody sees the difference.
fn may_be_combined(update: AtomicRmwOp<'_>) -> bool {
    let is_combination = match update.atomic_rmw_op() {
        RmwOp::And
        | RmwOp::Or
        | RmwOp::Xor
        | RmwOp::Add
        | RmwOp::FAdd
        | RmwOp::Max
        | RmwOp::Min
        | RmwOp::UMax
        | RmwOp::UMin => true,
        RmwOp::Exchange => false,
    };
    let bits = update.op.operand(0).ty().pointee().map_or(0, |pointee| pointee.element_bits());
    let is_relaxed = match update.sem() {
        MemSemantic::Relaxed => true,
        MemSemantic::Acquire | MemSemantic::Release | MemSemantic::AcquireRelease => false,
    };
    is_combination && is_relaxed && matches!(bits, 32 | 64) && !update.op.result(0).has_uses()
}

/// Elements of a thread.
fn elements_of(update: Op<'_>) -> i64 {
    distinct_elements_per_thread(update.operand(0).ty())
}

/// Each lane has elements that no other lane has.
fn has_own_elements(update: Op<'_>) -> bool {
    let ty = update.operand(0).ty();
    let Some(layout) = ty.linear_layout() else { return false };
    layout.free_mask(Dim::Lane) == 0
}

/// Where elements lie is computed from what was loaded element by element, and from numbers that all elements share.
fn has_loaded_places(update: Op<'_>) -> bool {
    let (mut seen, mut pending) = (FxHashSet::default(), vec![update.operand(0)]);
    let mut is_loaded = false;
    while let Some(value) = pending.pop() {
        // A single number is the same for all elements.
        if !value.ty().is_tensor() || !seen.insert(value.id()) {
            continue;
        }
        if seen.len() > MOST_VALUES {
            return false;
        }
        match source_of(value) {
            Source::Load => is_loaded = true,
            Source::Computed(operands) => pending.extend(operands),
            Source::Other => return false,
        }
    }
    is_loaded
}

/// Where the elements of a tensor come from.
enum Source<'c> {
    /// Each was loaded.
    Load,
    /// They differ only where these do.
    Computed(Vec<Value<'c>>),
    /// Their place in the tensor says what they are, or it is not known.
    Other,
}

fn source_of(value: Value<'_>) -> Source<'_> {
    if let Some(sources) = flows_from(value) {
        return Source::Computed(sources);
    }
    let Some(op) = value.defining_op() else { return Source::Other };
    match computation(op.kind()) {
        Computation::Load => Source::Load,
        // What a condition chooses from counts, and not the condition: masks are comparisons of places.
        Computation::Arithmetic if op.kind() == OpKind::ArithSelect => {
            Source::Computed(op.operands().into_iter().skip(1).collect())
        }
        Computation::Constant
        | Computation::Repeat
        | Computation::Arithmetic
        | Computation::Function
        | Computation::Cast => Source::Computed(op.operands()),
        Computation::Other if is_copied(op.kind()) => Source::Load,
        Computation::Other if is_other_view(op.kind()) => Source::Computed(op.operands()),
        Computation::Range | Computation::Reduction | Computation::Other => Source::Other,
    }
}

/// What was copied to shared memory ahead is loaded from there.
fn is_copied(kind: OpKind) -> bool {
    kind == OpKind::TtgLocalLoad
}

/// The same elements in another shape, or in other threads.
fn is_other_view(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(kind, TtReshape | TtTrans | TtgConvertLayout)
}
