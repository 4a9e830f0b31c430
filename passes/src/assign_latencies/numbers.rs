//! Single numbers beside blocks that threads copy.
//!
//! A decay of a chunk is one number, which all threads load, and which waits in a register for its iteration. ptxas (12.8 to 13.0) has one of its six
//! counters for such a load before the loop and in it: the first use in the loop has to wait for the one before the loop, and so waits in every iteration for
//! the load that has just been issued. Where it does not, it is free to move the register at the start of the body, which waits as well. As a copy by one
//! thread the number arrives with the blocks, and threads read it where they read these
//! ([measurements](../../../docs/measurements.md#numbers-beside-copies-are-copied)).
//!
//! ```text
//! number = load(pointer)        row = load(splat(pointer))        # one element, which becomes a copy
//!                               number = unsplat(row)
//! ```
//!
//! True for numbers of 4 or 8 bytes whose masked-out value is zero, if there is one, in loops with products and copies by `cp.async`, where no CTA less has
//! room then. Numbers of rows go along, however few registers they would wait in: only where nothing that products need waits in registers no thread waits for
//! its own loads. So nothing is done where something else has to.
//!
//! Rows are in the same place without a number beside them, since each thread loads its own. Where copies are two iterations ahead, they become copies
//! ([measurements](../../../docs/measurements.md#few-numbers-of-rows-are-copied-too)):
//!
//! - rows that **left and right operands alone are computed from**, such as scales, where few warps run, since the grid brings no more or, without products by
//!   `wgmma`, the buffers of the copies leave room for no more ([`FEW_BESIDE_COPIES`]): nobody else computes while one waits for its load, and its numbers, their
//!   addresses and masks take registers that operands converted by threads need. Right operands of `wgmma` go from threads to shared memory, and leave registers;
//!   left ones were not measured;
//! - rows that are **combined with results of products by `wgmma`**, such as the logarithms of attention's gradients, of which a thread has few bytes
//!   ([`FEW_REGISTER_BYTES`]): what it has many of it would read from shared memory one by one. Products by `wgmma` leave registers at the end of an iteration,
//!   so these loads stand there, right before the iteration that waits for them. Beside `mma.sync` they stand at the start of one, and have all of it. An
//!   iteration that computes long before it needs them, as on random numbers, has them by then, and they stay.
//!
//! Copies have to be two iterations ahead, or to go so far then ([`CopyingLoop::gains`](crate::analysis::copies_in_time::CopyingLoop)). Where they are one ahead,
//! a number arrives with blocks that are waited for, and in a register as soon: on an H200 three launches have 0.96, 0.98 and 0.99 of their speed with it, two
//! 1.02 and 1.10 times.

use super::{LoopMemory, is_copyable_row};
use crate::PassContext;
use crate::analysis::AxisFacts;
use crate::analysis::async_loads::{FEW_REGISTER_BYTES, is_zero, register_bytes};
use crate::analysis::copies_in_time::computes_until_arrival;
use crate::analysis::few_warps::has_few_warps;
use crate::analysis::rows_of_results::{RowUse, use_of_row};
use crate::attributes::Threads;
use crate::operations::is_dot;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Attribute, Builder, Op, OpKind, Type, Value};
use tk_layout::{BlockedEncoding, Encoding};

/// Warps of a multiprocessor that are few where the buffers of a loop's copies leave room for no more. With room for twelve one launch has 1.13 times its speed on an
/// H200, with room for 16 and 48 three others 1.00, 0.995 and 0.94 (docs/measurements.md, "Few numbers of rows are copied, too").
const FEW_BESIDE_COPIES: u32 = 12;

/// Bits of the numbers that one `cp.async` can copy.
const COPIED_BITS: [u32; 2] = [32, 64];

/// What the products of a loop need, but for indices.
pub(super) struct Loads<'c> {
    pub(super) copies: Vec<Op<'c>>,
    /// Those that would wait in registers, or that are not ahead.
    pub(super) others: Vec<Op<'c>>,
    /// Iterations that copies run ahead.
    pub(super) ahead: i64,
}

impl<'c> Loads<'c> {
    /// The others among the copies, where they are numbers, numbers and rows, or rows that are better copied, no CTA less has room then, and that is a gain;
    /// `ctas` says how many have room beside so many copies.
    pub(super) fn with_numbers(
        self,
        view: ForOp<'c>,
        ctas: impl Fn(&[Op<'c>]) -> u32,
        gain: impl FnOnce(&[Op<'c>]) -> bool,
        facts: &AxisFacts,
        threads: Threads,
        cx: &PassContext,
    ) -> Self {
        if self.others.is_empty() {
            return self;
        }
        let all = [&self.copies[..], &self.others[..]].concat();
        let function = view.op.ancestors().find(|op| op.kind() == OpKind::TtFunc).unwrap_or(view.op);
        let resident = LoopMemory::of(function, view, &all).warps_beside(self.ahead, threads, cx);
        if !self.are_copyable(view, resident, facts, threads, cx) || ctas(&all) != ctas(&self.copies) || !gain(&all) {
            return self;
        }
        self.others.iter().for_each(|load| load_as_row(*load, threads));
        Self { copies: all, others: Vec::new(), ..self }
    }

    fn are_copyable(
        &self,
        view: ForOp<'c>,
        resident: u32,
        facts: &AxisFacts,
        threads: Threads,
        cx: &PassContext,
    ) -> bool {
        let is_copyable = |load: &Op<'c>| is_copyable_number(*load) || is_copyable_row(*load, facts, cx);
        let has_number = self.others.iter().any(|load| is_copyable_number(*load));
        self.copies.iter().any(|load| load.kind() == OpKind::TtLoad)
            && self.others.iter().all(is_copyable)
            && (has_number || self.are_better_copied(view, resident, threads, cx))
            && view.op.descendants().into_iter().any(is_dot)
    }

    /// There are others, each of which would wait in registers for longer than one copied so far ahead; `resident` are the warps that the buffers
    /// leave room for.
    fn are_better_copied(&self, view: ForOp<'c>, resident: u32, threads: Threads, cx: &PassContext) -> bool {
        let by_groups = view.op.descendants().into_iter().any(|op| op.kind() == OpKind::TtngWarpGroupDot);
        let is_few = |load: Op<'c>| LoadOp::cast(load).is_some_and(|load| register_bytes(load) <= FEW_REGISTER_BYTES);
        let arrive_meanwhile = || {
            let loads = [&self.copies[..], &self.others[..]].concat();
            computes_until_arrival(view, &loads, threads)
        };
        let few_run = has_few_warps(threads.num_warps, cx) || !by_groups && resident <= FEW_BESIDE_COPIES;
        let is_better = |load: &Op<'c>| match use_of_row(view, *load) {
            RowUse::Operands { of_sum } => !of_sum && few_run,
            RowUse::Results => by_groups && is_few(*load) && !arrive_meanwhile(),
            RowUse::Other => false,
        };
        self.ahead > 1 && !self.others.is_empty() && self.others.iter().all(is_better)
    }
}

/// A load of a number that a copy of one element can stand for.
fn is_copyable_number(load: Op<'_>) -> bool {
    LoadOp::cast(load).is_some_and(|load| {
        let ty = load.result().ty();
        let is_number = !ty.is_tensor() && (ty.is_int() || ty.is_float());
        is_number && COPIED_BITS.contains(&ty.element_bits()) && !load.is_volatile() && load.other().is_none_or(is_zero)
    })
}

/// Lets a number be loaded as a row of one element; rows stay as they are.
fn load_as_row(load: Op<'_>, threads: Threads) {
    let Some(load) = LoadOp::cast(load).filter(|load| !load.result().ty().is_tensor()) else { return };
    let context = load.op.context();
    let blocked = BlockedEncoding::for_shape(&[1], &[1], &[0], threads.num_warps, threads.threads_per_warp);
    let layout = context.encoding_attr(&Encoding::Blocked(blocked));
    let number = load.result().ty();
    let operands: Vec<Value<'_>> =
        load.op.operands().into_iter().map(|operand| row_of(operand, layout, load)).collect();
    load.op.set_operands(&operands);
    let row = load.result();
    row.set_type(context.tensor(&[1], number, Some(layout)));
    let unsplat = Builder::after(load.op).create(OpKind::TtUnsplat, &[row], &[number], &[]);
    row.replace_all_uses_except(unsplat.result(0), &[unsplat]);
}

/// A tensor of one element: an operand of the load. What masked-out elements are has to be seen to be zero.
fn row_of<'c>(operand: Value<'c>, layout: Attribute<'c>, load: LoadOp<'c>) -> Value<'c> {
    let ty: Type<'c> = load.op.context().tensor(&[1], operand.ty(), Some(layout));
    let mut builder = Builder::before(load.op);
    if load.other() != Some(operand) {
        builder.splat(operand, ty)
    } else if operand.ty().is_float() {
        builder.float(ty, 0.0)
    } else {
        builder.int(ty, 0)
    }
}
