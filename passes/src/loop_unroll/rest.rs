//! What copies of a body leave: fewer iterations than there are copies.
//!
//! As a loop they wait for memory once each, and often they are most of a short loop: a segment of at most twelve rows has three fours at most, and one
//! and a half rows left in the mean. In branches of half the copies, a quarter and so on the loads of each branch are under way together.
//! Branches for many copies of a long body would be as much code again. Behind them is the loop that there would be without them ([`fewer`]): one that is too short
//! for them runs as if there were none.
//!
//! Each branch waits for its loads before the next one begins. Where a row's place is loaded, too, that is the time of two loads for each branch. Such loops
//! that are short and have four copies at most leave one branch with all iterations that may be left but the last ([`Rest::Together`]):
//!
//! ```text
//! if left != 0:
//!     …first iteration…
//!     place = load(places + i, mask & left > 1)
//!     x = load(rows + place * stride, mask & left > 1)
//!     sum = select(left > 1, sum + x, sum)        # and the third
//! ```
//!
//! What does not exist accesses nothing, and what it computes is not selected. True for bodies in which an iteration loads from a place that it has loaded, and
//! that only load by masks, and compute what is defined for all numbers ([`may_run_without_need`]). Threads compute three times where one iteration is left,
//! so that is little ([`MOST_INSTRUCTIONS_TOGETHER`]).

use super::factor::{MOST_COPIES, MOST_INSTRUCTIONS_OF_ANY_LENGTH, has_known_bounds, is_plain_load};
use super::instructions::instructions_of_iteration;
use super::masks::{may_always_run, narrow};
use super::{Iteration, copy_bodies};
use crate::analysis::iterations::most_iterations;
use rustc_hash::FxHashSet;
use tk_ir::ops::{CmpI, ForOp, LoadOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// Instructions per thread of all branches, about.
const MOST_INSTRUCTIONS: i64 = 300;
/// Copies of a body that leave iterations of which all are in one branch.
const MOST_COPIES_TOGETHER: i64 = 4;
/// Instructions per thread of these iterations, about: sums of exponentials of rows that are gathered by eight, the loop that was measured, have 100.
const MOST_INSTRUCTIONS_TOGETHER: i64 = 120;

/// What becomes of the iterations that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The loop as it was.
    Loop,
    /// A branch for each power of two below the copies.
    Branches,
    /// One branch, in which loads of iterations that do not exist are masked.
    Together,
    /// A loop with [`fewer`] copies, and what that leaves.
    Copies,
}

impl Rest {
    /// Of a loop whose copies always run: where they may not, all iterations can be left.
    pub(super) fn of(copies: i64, view: ForOp<'_>) -> Self {
        let most = (copies - 1).saturating_mul(instructions_of_iteration(view));
        if copies.count_ones() != 1 || most > MOST_INSTRUCTIONS {
            let leaves_some = most_iterations(view).is_none_or(|most| most % copies != 0);
            return if copies > MOST_COPIES && leaves_some { Self::Copies } else { Self::Loop };
        }
        // Of two copies one is left, which exists. Of a known number of iterations it is known how many are left.
        let has_few = (3..=MOST_COPIES_TOGETHER).contains(&copies) && most <= MOST_INSTRUCTIONS_TOGETHER;
        if has_few && !has_known_bounds(view) && waits_for_places(view) && may_run_without_need(view) {
            Self::Together
        } else {
            Self::Branches
        }
    }
}

/// Copies of a body for what more copies leave: twice [`MOST_COPIES`] of a short one, whose own rest is short then.
pub(super) fn fewer(view: ForOp<'_>) -> i64 {
    let is_short = 2 * MOST_COPIES * instructions_of_iteration(view) <= MOST_INSTRUCTIONS_OF_ANY_LENGTH;
    if is_short { 2 * MOST_COPIES } else { MOST_COPIES }
}

/// An iteration loads from a place that it has loaded itself.
pub(crate) fn waits_for_places(view: ForOp<'_>) -> bool {
    let mut loaded: FxHashSet<usize> = FxHashSet::default();
    view.body().ops().into_iter().any(|op| {
        let is_load = op.kind() == OpKind::TtLoad;
        let mut read = op.operands();
        // What is loaded may be the mask, too, or stand in for what is masked out.
        read.truncate(if is_load { 1 } else { usize::MAX });
        let follows = read.iter().any(|operand| loaded.contains(&operand.id()));
        if is_load || follows {
            loaded.extend(op.results().iter().map(|result| result.id()));
        }
        is_load && follows
    })
}

/// The body may run where its iteration does not exist, with its loads masked, and selections may leave out what it carries on. Loads have masks anyway: others
/// would get more to do.
fn may_run_without_need(view: ForOp<'_>) -> bool {
    let has_mask = |load: LoadOp<'_>| {
        let is_by_pointers = load.ptr().ty().is_tensor() == load.op.result(0).ty().is_tensor();
        is_by_pointers && load.mask().is_some()
    };
    let may_run = |op: Op<'_>| {
        let is_load = is_plain_load(op) && LoadOp::cast(op).is_some_and(has_mask);
        is_load || op.is_terminator() || op.num_regions() == 0 && may_always_run(op)
    };
    let is_number = |value: Value<'_>| value.ty().is_int_like() || value.ty().is_float_like();
    view.body().ops().into_iter().all(may_run) && view.iter_args().into_iter().all(is_number)
}

/// Branches for `steps` iterations from `first` on, fewer than `copies`, a power of two, or as many at most; gives what the last one yields.
pub(super) fn in_branches<'c>(
    view: ForOp<'c>,
    first: Iteration<'c>,
    left: Left<'c>,
    copies: i64,
    builder: &mut Builder<'c>,
) -> Vec<Value<'c>> {
    let (mut steps, mut at) = (left.steps, first);
    let ty = steps.ty();
    if left.may_be_all {
        let all = builder.int(ty, copies);
        let has_all = builder.cmpi(CmpI::Eq, steps, all);
        let taken = builder.cast(OpKind::ArithExtUI, has_all, ty);
        at = in_branch(view, at, has_all, taken, 1, builder);
        steps = builder.binary(OpKind::ArithSubI, steps, taken);
    }
    let mut count = copies / 2;
    while count > 0 {
        let bit = builder.int(ty, count);
        let taken = builder.binary(OpKind::ArithAndI, steps, bit);
        let zero = builder.int(ty, 0);
        let is_taken = builder.cmpi(CmpI::Ne, taken, zero);
        at = in_branch(view, at, is_taken, taken, count, builder);
        count /= 2;
    }
    at.carried
}

/// Iterations that are left.
pub(super) struct Left<'c> {
    pub(super) steps: Value<'c>,
    /// They can be as many as there are copies, and not only fewer.
    pub(super) may_be_all: bool,
}

/// A branch for `count` iterations, which are `taken` if it is taken, and what follows begins with.
fn in_branch<'c>(
    view: ForOp<'c>,
    first: Iteration<'c>,
    is_taken: Value<'c>,
    taken: Value<'c>,
    count: i64,
    builder: &mut Builder<'c>,
) -> Iteration<'c> {
    let Iteration { induction, carried } = first;
    let types: Vec<Type<'_>> = carried.iter().map(|value| value.ty()).collect();
    let choice = builder.if_op(is_taken, &types, true);
    let mut inside = Builder::at_end(choice.then_block(), view.op.loc());
    let first = Iteration { induction, carried: carried.clone() };
    let copied = copy_bodies(view, first, view.step(), count, &[], &mut inside);
    inside.yield_(&copied);
    if let Some(otherwise) = choice.else_block() {
        Builder::at_end(otherwise, view.op.loc()).yield_(&carried);
    }
    let carried = choice.op.results();
    let distance = builder.binary(OpKind::ArithMulI, taken, view.step());
    let induction = builder.binary(OpKind::ArithAddI, induction, distance);
    Iteration { induction, carried }
}

/// One branch for `steps` iterations from `first` on, fewer than `copies`; gives what the last one of them yields.
pub(super) fn in_one_branch<'c>(
    view: ForOp<'c>,
    first: Iteration<'c>,
    steps: Value<'c>,
    copies: i64,
    builder: &mut Builder<'c>,
) -> Vec<Value<'c>> {
    let types: Vec<Type<'_>> = first.carried.iter().map(|value| value.ty()).collect();
    let zero = builder.int(steps.ty(), 0);
    let has_some = builder.cmpi(CmpI::Ne, steps, zero);
    let choice = builder.if_op(has_some, &types, true);
    if let Some(otherwise) = choice.else_block() {
        Builder::at_end(otherwise, view.op.loc()).yield_(&first.carried);
    }
    let mut inside = Builder::at_end(choice.then_block(), view.op.loc());
    let mut induction = first.induction;
    let mut carried = copy_bodies(view, first, view.step(), 1, &[], &mut inside);
    for copy in 1..copies - 1 {
        let before = inside.int(steps.ty(), copy);
        let exists = inside.cmpi(CmpI::Ugt, steps, before);
        induction = inside.binary(OpKind::ArithAddI, induction, view.step());
        let ops_before = choice.then_block().ops().len();
        let next = Iteration { induction, carried: carried.clone() };
        let copied = copy_bodies(view, next, view.step(), 1, &[], &mut inside);
        let loads = choice.then_block().ops().into_iter().skip(ops_before).filter(|op| op.kind() == OpKind::TtLoad);
        loads.for_each(|load| narrow(load, exists));
        let pairs = copied.into_iter().zip(carried);
        carried = pairs.map(|(new, old)| new_if(exists, new, old, &mut inside)).collect();
    }
    inside.yield_(&carried);
    choice.op.results()
}

/// `new` where `exists` holds, and `old` elsewhere.
fn new_if<'c>(exists: Value<'c>, new: Value<'c>, old: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    if new == old {
        return new;
    }
    let ty = new.ty();
    let is_taken = if ty.is_tensor() { builder.splat(exists, ty.with_element(builder.context().i(1))) } else { exists };
    builder.select(is_taken, new, old)
}
