//! Two groups of warps issue their products in turns.
//!
//! Groups that may drift apart do not have to: where both become ready at once, their products take turns on the tensor cores instruction by
//! instruction, both have their results at the same time, and the tensor cores are idle while both compute. With turns, one group issues all
//! it has for the tensor cores, the second product of this iteration and the first of the next, and only then lets the other group issue. The
//! other's products run while the first group computes (attention with head dimension 128 on an H200: 4-5 % faster, causal 3-4 %).
//!
//! ```text
//! give (second group)  take            before the loop: the first group begins
//! loop: first product  give  wait  …compute…  take  second product  copies
//! give (first group)                   behind the loop: nobody is left waiting
//! ```
//!
//! The price of a turn is that the next group issues nothing before it. Nobody may meet the other group in a turn, because that one waits for
//! its own: `insert-barriers` takes the turns back where it has to put a barrier there.

use tk_ir::ops::ForOp;
use tk_ir::{Builder, Op, OpKind};

/// Two groups, of four warps each.
pub(super) const WARPS: u32 = 8;
/// Buffers of every ring, at least. A group that waits for its turn copies for a later iteration only after it, and the group that has to give
/// the turn first waits for the copies of its next iteration: with two buffers these are the same ones.
pub(super) const BUFFERS: i64 = 3;

/// The places of turns in a loop.
#[derive(Clone, Copy)]
pub(super) struct Turns<'c> {
    /// The wait for the first product.
    finish: Op<'c>,
    second: Op<'c>,
}

impl<'c> Turns<'c> {
    /// A loop of two products, one before `finish` and one behind it.
    pub(super) fn of(view: ForOp<'c>, finish: Op<'c>) -> Option<Self> {
        let [first, second] = super::in_body(view, OpKind::TtngWarpGroupDot)?[..] else { return None };
        (first.is_before_in_block(finish) && finish.is_before_in_block(second)).then_some(Self { finish, second })
    }

    pub(super) fn apply(self, view: ForOp<'c>) {
        let mut before = Builder::before(view.op).with_location(self.finish.loc());
        give(&mut before, Some(1));
        before.create(OpKind::TtngTakeTurn, &[], &[], &[]);
        give(&mut Builder::before(self.finish).with_location(self.finish.loc()), None);
        Builder::before(self.second).with_location(self.second.loc()).create(OpKind::TtngTakeTurn, &[], &[], &[]);
        give(&mut Builder::after(view.op).with_location(self.finish.loc()), Some(0));
    }
}

fn give<'c>(builder: &mut Builder<'c>, group: Option<i32>) {
    let context = builder.context();
    let group = group.map(|group| ("group", context.i32_attr(group)));
    builder.create(OpKind::TtngGiveTurn, &[], &[], group.as_slice());
}
