//! Sums that a loop scales and adds to are combined across threads once, after the loop.
//!
//! `row_sum = row_sum * correction + tl.sum(p, 1)`, as attention keeps it, adds up across the threads of a row in every iteration. The factor
//! is the same for all of these, so each may scale and add a part of its own:
//!
//! ```text
//! part  = part * correction + sum of what the thread holds      in the loop
//! total = sum of the parts of the threads                       behind the loop
//! ```
//!
//! `optimize-thread-locality` does the same for sums without a factor, before matrix instructions choose layouts; this happens after, because
//! here the layout is that of a dot. So sums without a factor of what is computed from a dot are split here, too. What the loop starts with
//! becomes the part of the first thread, and all others start with nothing.
//! The order of additions changes, which the language leaves open. Factors are exponentials ([`is_exponential`]).
//!
//! What it saves: [measurements](../../docs/measurements.md#scaled-sums-that-meet-behind-the-loop-save-instructions).
//!
//! 1. Which sums are only scaled and added to.  2. Parts for each.

use crate::control_flow::{NewCarried, extend_for, remove_dead};
use crate::convert_to_ttg::require_ttg;
use crate::optimize_thread_locality::{self, AxisSplit, copy_of};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp, ReduceOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// The pass.
pub const PASS: Pass =
    Pass { name: "carry-partial-sums", summary: "add up scaled sums across threads behind loops, not in them", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        optimize_thread_locality::split(function, |_| true);
        let sums: Vec<ScaledSum<'_>> = function.descendants().into_iter().filter_map(ScaledSum::of).collect();
        if sums.is_empty() {
            continue;
        }
        sums.into_iter().for_each(ScaledSum::split);
        remove_dead(function);
    }
    Ok(())
}

/// `carried * factor + reduction`, which a loop carries and does nothing else with.
struct ScaledSum<'c> {
    reduce: ReduceOp<'c>,
    update: Op<'c>,
    factor: Value<'c>,
    /// Which value the loop carries it as.
    index: usize,
    steps: AxisSplit,
}

impl<'c> ScaledSum<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let reduce = ReduceOp::cast(op).filter(|_| op.num_operands() == 1)?;
        let view = ForOp::cast(op.parent_op()?)?;
        let [(update, side)] = op.result(0).users()[..] else { return None };
        if update.kind() != OpKind::ArithAddF {
            return None;
        }
        let scaled = update.operands().get(1 - side.min(1))?.defining_op()?;
        let is_carried = |value: &Value<'c>| view.iter_args().contains(value);
        let at = scaled.operands().iter().position(is_carried)?;
        let (carried, factor) = (scaled.operand(at), *scaled.operands().get(1 - at.min(1))?);
        let index = view.iter_args().iter().position(|argument| *argument == carried)?;
        let only_added_to = carried.has_one_use()
            && scaled.result(0).has_one_use()
            && update.result(0).has_one_use()
            && view.yielded()[index] == update.result(0);
        let in_body = [scaled, update].iter().all(|other| other.block() == Some(view.body()));
        let is_scaled_sum = reduce.single_combiner()?.kind() == OpKind::ArithAddF
            && scaled.kind() == OpKind::ArithMulF
            && is_exponential(factor)
            && op.block() == Some(view.body())
            && op.operand(0).ty().shape().len() == 2;
        let steps = AxisSplit::of(op.operand(0).ty(), reduce.axis())?;
        (only_added_to && in_body && is_scaled_sum).then_some(Self { reduce, update, factor, index, steps })
    }

    /// The loop carries a part for each thread of a row instead.
    fn split(self) {
        let Self { reduce, update, factor, index, steps } = self;
        let Some(view) = reduce.op.parent_op().and_then(ForOp::cast) else { return };
        let axis = reduce.axis();
        let mut inside = Builder::before(update);
        let spread = steps.spread(reduce.op.operand(0), &mut inside);
        let part = copy_of(reduce, spread, spread.ty().shape().len() - 1, &mut inside);
        let ty = part.ty();
        let factor = for_each_thread(factor, ty, axis, &mut inside);
        let mut before = Builder::before(view.op);
        let Some(start) = parts_of_start(view.init_args()[index], ty, axis, &mut before) else { return };
        let view = extend_for(view, &[NewCarried { init: start, next: part, ty }]);
        let last = view.results().len() - 1;
        let scaled = inside.binary(OpKind::ArithMulF, view.iter_args()[last], factor);
        let next = inside.binary(OpKind::ArithAddF, scaled, part);
        view.yield_op().set_operand(last, next);
        view.yield_op().set_operand(index, view.iter_args()[index]);
        let mut behind = Builder::after(view.op).with_location(reduce.op.loc());
        let total = copy_of(reduce, view.results()[last], axis, &mut behind);
        let wanted = reduce.op.result(0).ty();
        // Layouts of one place may have several names; a reshape moves nothing.
        let total = behind.reshape(total, wanted, false);
        view.results()[index].users().into_iter().for_each(|(user, operand)| user.set_operand(operand, total));
        update.erase();
        reduce.op.erase();
    }
}

/// It is infinite only where it overflows: an infinite factor would make NaN of a part that is zero, though the sum is not.
fn is_exponential(factor: Value<'_>) -> bool {
    factor.defining_op().is_some_and(|op| matches!(op.kind(), OpKind::MathExp | OpKind::MathExp2))
}

/// A number per row once for each thread of the row: `ty` has the threads along `axis`.
fn for_each_thread<'c>(rows: Value<'c>, ty: Type<'c>, axis: usize, builder: &mut Builder<'c>) -> Value<'c> {
    let mut shape = ty.shape();
    shape[axis] = 1;
    let column = builder.context().tensor(&shape, ty.element(), ty.encoding());
    let column = builder.reshape(rows, column, false);
    builder.broadcast(column, ty)
}

/// What the loop starts with as the part of each row's first thread.
fn parts_of_start<'c>(start: Value<'c>, ty: Type<'c>, axis: usize, builder: &mut Builder<'c>) -> Option<Value<'c>> {
    let (mut shape, context) = (ty.shape(), builder.context());
    let layout = ty.layout()?;
    let nothing = builder.float(ty, 0.0);
    let whole = for_each_thread(start, ty, axis, builder);
    let i32_of =
        |shape: &[i64], layout: &Encoding| context.tensor(shape, context.i(32), Some(context.encoding_attr(layout)));
    let (count, other) = (shape[axis], 1 - axis);
    let threads = builder.make_range(0, count as i32, i32_of(&[count], &layout.slice(other as u32)));
    shape[other] = 1;
    let threads = builder.expand_dims(threads, other, i32_of(&shape, &layout));
    let first = builder.int(threads.ty(), 0);
    let is_first = builder.cmpi(CmpI::Eq, threads, first);
    let is_first = builder.broadcast(is_first, ty.with_element(context.i(1)));
    Some(builder.select(is_first, whole, nothing))
}
