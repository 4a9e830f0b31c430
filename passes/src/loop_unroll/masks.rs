//! Masks instead of branches around what an iteration loads and stores.
//!
//! ```text
//! for i in range(n):                       for i in range(n):
//!     if first + i < rows:                     is_inside = first + i < rows
//!         x = load(p + i, mask)        →       x = load(p + i, mask & is_inside)
//!         store(q + i, x, mask)                store(q + i, x, mask & is_inside)
//! ```
//!
//! A load in a branch cannot start before the stores of earlier iterations: it would take its branch along. With a mask it can, and takes no more addresses
//! than before.
//!
//! True for branches that give nothing, have nothing on their other side, and only compute, load and store ([`ops_to_mask`]). What they compute is used in them
//! alone, so nobody looks at it where the condition does not hold, and loads need no values for that. What they compute may run although the condition
//! does not hold, as long as it is defined for all numbers, which divisions by unknown numbers are not.
//!
//! The condition compares numbers for which the loop loads nothing ([`asks_about_numbers`]): what is loaded chooses iterations, and may choose few. Nor is the
//! condition of the counter alone, which straight code knows in each copy.
//!
//! Masks alone gain nothing (86.54 us instead of 86.29 for a transposition of 16 rows in each CTA), so branches become masks in loops whose loads go first
//! then, and in no others.

use crate::operations::computations::{Computation, computation};
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, IfOp, LoadOp, StoreOp};
use tk_ir::{Block, Builder, Op, OpKind, Value};

/// Branches inside of each other.
const MOST_DEPTH: u32 = 4;
/// Operations that a condition is computed from, at most.
const MOST_OF_CONDITION: usize = 32;

/// What becomes of the branches in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branches {
    /// They stay.
    Kept,
    /// Those around loads and stores become masks.
    Masks,
}

/// The operations of an iteration once branches are masks, in order, without the one that ends it; `None` where no branch can be one.
pub(super) fn without_branches<'c>(view: ForOp<'c>) -> Option<Vec<Op<'c>>> {
    let mut is_changed = false;
    let mut ops = Vec::new();
    for op in before_end(view.body()) {
        match branch_to_mask(op, view) {
            Some(branch) => {
                is_changed = true;
                ops.extend(branch.ops);
            }
            None => ops.push(op),
        }
    }
    is_changed.then_some(ops)
}

/// Writes masks instead of the branches of which [`without_branches`] gives the operations.
pub(super) fn write(view: ForOp<'_>) {
    for op in before_end(view.body()) {
        if let Some(branch) = branch_to_mask(op, view) {
            dissolve(branch.branch);
        }
    }
}

/// Puts the operations of a branch in its place, and what is in branches in it.
fn dissolve(branch: IfOp<'_>) {
    before_end(branch.then_block()).into_iter().filter_map(IfOp::cast).for_each(dissolve);
    let condition = branch.condition();
    for op in before_end(branch.then_block()) {
        op.move_before(branch.op);
        narrow(op, condition);
    }
    branch.op.erase();
}

fn before_end(block: Block<'_>) -> Vec<Op<'_>> {
    block.ops().into_iter().filter(|op| !op.is_terminator()).collect()
}

/// A branch that can be masks instead.
struct MaskedBranch<'c> {
    branch: IfOp<'c>,
    /// The operations in it and in branches in it, in order.
    ops: Vec<Op<'c>>,
}

fn branch_to_mask<'c>(op: Op<'c>, view: ForOp<'c>) -> Option<MaskedBranch<'c>> {
    let branch = IfOp::cast(op)?;
    let ops = ops_to_mask(branch, view, 0)?;
    ops.iter().any(|op| op.kind() == OpKind::TtStore).then_some(MaskedBranch { branch, ops })
}

/// The operations in a branch that can be masks instead, and in branches in it.
fn ops_to_mask<'c>(branch: IfOp<'c>, view: ForOp<'c>, depth: u32) -> Option<Vec<Op<'c>>> {
    let does_nothing_instead = branch.else_block().is_none_or(|block| before_end(block).is_empty());
    let is_guard = branch.results().is_empty() && does_nothing_instead && depth < MOST_DEPTH;
    if !is_guard || !asks_about_numbers(branch.condition(), view) {
        return None;
    }
    let mut ops = Vec::new();
    for op in before_end(branch.then_block()) {
        if takes_mask(op) || may_always_run(op) {
            ops.push(op);
        } else {
            ops.extend(ops_to_mask(IfOp::cast(op)?, view, depth + 1)?);
        }
    }
    Some(ops)
}

/// A load or store that can be masked.
fn takes_mask(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtStore || LoadOp::cast(op).is_some_and(|load| !load.is_volatile())
}

/// It computes, and is defined for all numbers. A remainder by a number that may be zero is not, though MLIR says that it may run anywhere.
pub(super) fn may_always_run(op: Op<'_>) -> bool {
    let is_remainder = matches!(op.kind(), OpKind::ArithRemSI | OpKind::ArithRemUI);
    let may_divide_by_zero = is_remainder && op.operand(1).constant_int().is_none_or(|divisor| divisor == 0);
    computes(op) && op.is_pure() && !may_divide_by_zero
}

fn computes(op: Op<'_>) -> bool {
    match computation(op.kind()) {
        Computation::Constant
        | Computation::Repeat
        | Computation::Range
        | Computation::Arithmetic
        | Computation::Function
        | Computation::Cast => true,
        Computation::Load | Computation::Reduction | Computation::Other => false,
    }
}

/// Whether the condition is computed from the counter and numbers before the loop, and not from the counter alone.
fn asks_about_numbers<'c>(condition: Value<'c>, view: ForOp<'c>) -> bool {
    let mut pending = vec![condition];
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    let mut asks_more = false;
    while let Some(value) = pending.pop() {
        if value.dominates(view.op) {
            asks_more |= value.constant().is_none();
        } else if value != view.induction_var() && seen.insert(value.id()) {
            match value.defining_op().filter(|op| computes(*op)) {
                Some(op) if seen.len() <= MOST_OF_CONDITION => pending.extend(op.operands()),
                // What the loop carries may come from what it loads.
                Some(_) | None => return false,
            }
        }
    }
    asks_more
}

/// Lets a load or store take no addresses unless `condition` holds.
pub(super) fn narrow<'c>(op: Op<'c>, condition: Value<'c>) {
    let context = op.context();
    let both = |pointer: Value<'c>, mask: Option<Value<'c>>| {
        let mut builder = Builder::before(op);
        let pointers = pointer.ty();
        let repeated = if pointers.is_tensor() {
            builder.splat(condition, pointers.with_element(context.i(1)))
        } else {
            condition
        };
        mask.map_or(repeated, |mask| builder.binary(OpKind::ArithAndI, repeated, mask))
    };
    if let Some(load) = LoadOp::cast(op) {
        let (mask, other) = (both(load.ptr(), load.mask()), load.other());
        let operands: Vec<Value<'c>> = [Some(load.ptr()), Some(mask), other].into_iter().flatten().collect();
        op.set_operands(&operands);
        op.set_attr("operandSegmentSizes", context.i32_array(&[1, 1, other.is_some().into()]));
    } else if let Some(store) = StoreOp::cast(op) {
        let mask = both(store.ptr(), store.mask());
        op.set_operands(&[store.ptr(), store.value(), mask]);
    }
}
