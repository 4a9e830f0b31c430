//! Hand-over: of two groups of warps one issues its dots, then hands the tensor cores over to the other.
//!
//! Groups that may drift apart do not have to: where both become ready at once, the tensor cores alternate between their dots instruction by
//! instruction, both have their results at the same time, and the tensor cores are idle while both compute. With the hand-over, one group issues
//! all it has for the tensor cores, the second dot of this iteration and the first of the next, and only then lets the other group issue. The
//! dots of the other group run while the first group computes ([measurements](../../../docs/measurements.md#warp-groups-hand-the-tensor-cores-over)).
//!
//! ```text
//! give (second group)  take            before the loop: the first group begins
//! loop: first dot  give  wait  …compute…  take  second dot  copies
//! give (first group)                   behind the loop: no group is left waiting
//! ```
//!
//! The price is that a group issues nothing before it has taken over. Until it gives, no barrier may stand between it and the other group, which waits to take over:
//! `insert-barriers` removes the hand-over where it has to put a barrier there.
//!
//! 1. Find a loop of two dots, one before the wait for the first and one behind it.  2. Give and take before, in and behind the loop.

use tk_ir::ops::ForOp;
use tk_ir::{Builder, Op, OpKind};

/// Two groups, of four warps each.
pub(super) const WARPS: u32 = 8;
/// Buffers of every ring, at least. A group that waits to take over copies for a later iteration only after it, and the group that has to give
/// first waits for the copies of its next iteration: with two buffers these are the same ones.
pub(super) const BUFFERS: i64 = 3;

/// Where a loop takes and gives.
#[derive(Clone, Copy)]
pub(super) struct HandOver<'c> {
    /// The wait for the first dot.
    finish: Op<'c>,
    second: Op<'c>,
}

impl<'c> HandOver<'c> {
    /// A loop of two dots, one before `finish` and one behind it.
    pub(super) fn of(view: ForOp<'c>, finish: Op<'c>) -> Option<Self> {
        let [first, second] = super::in_body(view, OpKind::TtngWarpGroupDot)?[..] else { return None };
        (first.is_before_in_block(finish) && finish.is_before_in_block(second)).then_some(Self { finish, second })
    }

    pub(super) fn apply(self, view: ForOp<'c>) {
        let mut before = Builder::before(view.op).with_location(self.finish.loc());
        give(&mut before, Some(1));
        before.create(OpKind::TkWaitHandOver, &[], &[], &[]);
        give(&mut Builder::before(self.finish).with_location(self.finish.loc()), None);
        Builder::before(self.second).with_location(self.second.loc()).create(OpKind::TkWaitHandOver, &[], &[], &[]);
        give(&mut Builder::after(view.op).with_location(self.finish.loc()), Some(0));
    }
}

fn give<'c>(builder: &mut Builder<'c>, group: Option<i32>) {
    let context = builder.context();
    let group = group.map(|group| ("group", context.i32_attr(group)));
    builder.create(OpKind::TkHandOver, &[], &[], group.as_slice());
}
