//! What copies of a body leave: fewer iterations than there are copies.
//!
//! As a loop they wait for memory once each, and often they are most of a short loop: a segment of at most twelve rows has three fours at most, and one
//! and a half rows left in the mean. In branches of half the copies, a quarter and so on the loads of each branch are under way together.

use super::{Iteration, copy_bodies};
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Builder, OpKind, Type, Value};

/// Instructions per thread of all branches, about.
const MOST_INSTRUCTIONS: i64 = 300;

/// What becomes of the iterations that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The loop as it was.
    Loop,
    /// A branch for each power of two below the copies.
    Branches,
}

impl Rest {
    /// Of a loop whose copies always run: where they may not, all iterations can be left.
    pub(super) fn of(copies: i64, instructions: i64) -> Self {
        let fits = copies.count_ones() == 1 && (copies - 1).saturating_mul(instructions) <= MOST_INSTRUCTIONS;
        if fits { Self::Branches } else { Self::Loop }
    }
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
