//! Reductions that a loop adds up are combined across threads once, after the loop.
//!
//! `sum += tl.sum(x, axis)` reduces across the threads of a row in every iteration, and through shared memory where the row lies across warps.
//! Only what a thread holds itself has to be combined there: the loop carries one partial result per thread, and the threads combine
//! theirs when it has ended. For that the axis is split into the elements of a thread and the threads, without moving anything:
//!
//! ```text
//! x: [M, N]  N = repetitions · threads · elements      reshape  [M, repetitions, threads, elements]
//!                                                      trans    [M, threads, repetitions, elements]
//!                                                      reshape  [M, threads, repetitions · elements]
//!                                                      reduce   [M, threads]      in the loop, within each thread
//!                                                      reduce   [M]               behind the loop
//! ```
//!
//! The order in which elements are combined changes, which the language leaves open. What the loop started with is combined last; the partial
//! results start with the identity of the operation: -0.0 for sums of floats, NaN for a maximum that ignores NaN.
//!
//! 1. Which reductions are only added up.  2. A partial result for each.

use crate::control_flow::{extend_for, remove_dead};
use crate::encodings::{permuted, reshaped};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ForOp, ReduceOp};
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Type, Value};
use tk_layout::{Dim, Encoding};

/// The pass.
pub const PASS: Pass =
    Pass { name: "optimize-thread-locality", summary: "reduce across threads behind loops, not in them", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        let sums: Vec<Sum<'_>> = function.descendants().into_iter().filter_map(Sum::of).collect();
        if sums.is_empty() {
            continue;
        }
        sums.into_iter().for_each(Sum::split);
        remove_dead(function);
    }
    Ok(())
}

/// A reduction whose results a loop combines and does nothing else with.
struct Sum<'c> {
    reduce: ReduceOp<'c>,
    /// The operation that combines the carried value and the reduction.
    update: Op<'c>,
    /// Which value the loop carries it as.
    index: usize,
    steps: Steps,
}

impl<'c> Sum<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        let reduce = ReduceOp::cast(op).filter(|_| op.num_operands() == 1)?;
        let combiner = reduce.single_combiner()?.kind();
        let view = ForOp::cast(op.parent_op()?)?;
        let [(update, side)] = op.result(0).users()[..] else { return None };
        let acc = update.operands().get(1 - side.min(1)).copied()?;
        let index = view.iter_args().iter().position(|argument| *argument == acc)?;
        let is_sum = update.kind() == combiner
            && update.block() == op.block()
            && acc.has_one_use()
            && update.result(0).has_one_use()
            && view.yielded()[index] == update.result(0)
            && identity(combiner, reduce.op.result(0).ty()).is_some();
        let steps = Steps::of(op.operand(0).ty(), reduce.axis())?;
        is_sum.then_some(Self { reduce, update, index, steps })
    }

    /// The loop carries a partial result of each thread instead.
    fn split(self) {
        let Self { reduce, update, index, steps } = self;
        let Some(view) = reduce.op.parent_op().and_then(ForOp::cast) else { return };
        let kind = update.kind();
        let mut inside = Builder::before(update);
        let spread = steps.spread(reduce.op.operand(0), &mut inside);
        let partial = copy_of(reduce, spread, steps.target.len() - 1, &mut inside);
        let Some(identity) = identity(kind, partial.ty()) else { return };
        let mut before = Builder::before(view.op);
        let start = match identity {
            Identity::Float(value) => before.float(partial.ty(), value),
            Identity::Int(value) => before.int(partial.ty(), value),
        };
        let view = extend_for(view, &[(start, partial, partial.ty())]);
        let last = view.results().len() - 1;
        let next = inside.binary(kind, view.iter_args()[last], partial);
        view.yield_op().set_operand(last, next);
        view.yield_op().set_operand(index, view.iter_args()[index]);
        update.erase();
        let mut behind = Builder::after(view.op).with_location(reduce.op.loc());
        let total = copy_of(reduce, view.results()[last], reduce.axis(), &mut behind);
        let wanted = reduce.op.result(0).ty();
        let total = if total.ty() == wanted { total } else { behind.convert_layout(total, wanted) };
        let result = view.results()[index];
        let users = result.users();
        let whole = behind.binary(kind, view.init_args()[index], total);
        users.into_iter().for_each(|(user, operand)| user.set_operand(operand, whole));
        reduce.op.erase();
    }
}

/// How an axis comes apart into repetitions, threads and elements.
pub(crate) struct Steps {
    /// Repetitions, threads and elements in place of the axis.
    split: (Vec<i64>, Encoding),
    /// Which of these come where: repetitions and elements last.
    order: Vec<i32>,
    moved: (Vec<i64>, Encoding),
    /// The shape with threads in place of the axis, and the elements of a thread last.
    target: Vec<i64>,
    layout: Encoding,
}

impl Steps {
    /// `None` where the axis lies in one thread, or in several that hold the same, or where the threads of an element depend on more than it.
    pub(crate) fn of(ty: Type<'_>, axis: usize) -> Option<Self> {
        let encoding = ty.layout()?;
        let shape = ty.shape();
        let (elements, threads) = elements_and_threads(&encoding, &shape, axis)?;
        let repetitions = shape[axis] / (elements * threads);
        let mut split = shape.clone();
        split.splice(axis..=axis, [repetitions, threads, elements]);
        let mut order: Vec<usize> = (0..split.len()).filter(|d| *d != axis && *d != axis + 2).collect();
        order.extend([axis, axis + 2]);
        let moved: Vec<i64> = order.iter().map(|d| split[*d]).collect();
        let mut target = moved.clone();
        target.truncate(moved.len() - 2);
        target.push(repetitions * elements);
        let split_layout = reshaped(&encoding, &shape, &split)?;
        let moved_layout = permuted(&split_layout, &split, &order)?;
        let layout = reshaped(&moved_layout, &moved, &target)?;
        let order = order.into_iter().map(|d| d as i32).collect();
        Some(Self { split: (split, split_layout), order, moved: (moved, moved_layout), target, layout })
    }

    /// The elements of each thread along a last axis of their own; no element moves to another thread.
    pub(crate) fn spread<'c>(&self, source: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let (context, element) = (builder.context(), source.ty().element());
        let ty = |shape: &[i64], layout: &Encoding| context.tensor(shape, element, Some(context.encoding_attr(layout)));
        let split = builder.reshape(source, ty(&self.split.0, &self.split.1), false);
        let moved = builder.trans(split, &self.order, ty(&self.moved.0, &self.moved.1));
        builder.reshape(moved, ty(&self.target, &self.layout), false)
    }
}

/// How many neighbors along `axis` a thread holds, and how many threads share the axis before the first has the next ones.
fn elements_and_threads(encoding: &Encoding, shape: &[i64], axis: usize) -> Option<(i64, i64)> {
    let linear = encoding.to_linear(shape).ok()?;
    let bits = shape[axis].trailing_zeros() as usize;
    let mut is_thread: Vec<Option<bool>> = vec![None; bits];
    for input in [Dim::Register, Dim::Lane, Dim::Warp, Dim::Block] {
        for bit in 0..linear.in_bits(input) {
            let image = linear.basis(input, bit, Dim::Axis(axis as u8));
            if image == 0 {
                continue;
            }
            let moves = linear.basis_vector(input, bit).iter().filter(|image| **image != 0).count();
            let place = &mut is_thread[image.trailing_zeros() as usize];
            if !image.is_power_of_two() || moves != 1 || place.replace(input != Dim::Register).is_some() {
                return None;
            }
        }
    }
    let is_thread: Vec<bool> = is_thread.into_iter().collect::<Option<_>>()?;
    let first = is_thread.iter().position(|thread| *thread)?;
    let count = is_thread[first..].iter().take_while(|thread| **thread).count();
    let has_more = is_thread[first + count..].contains(&true);
    (!has_more).then_some((1 << first, 1 << count))
}

/// The same reduction of another value along another axis.
pub(crate) fn copy_of<'c>(
    reduce: ReduceOp<'c>,
    source: Value<'c>,
    axis: usize,
    builder: &mut Builder<'c>,
) -> Value<'c> {
    let context = builder.context();
    let mut shape = source.ty().shape();
    shape.remove(axis);
    let layout = source.ty().layout().map(|layout| context.encoding_attr(&layout.slice(axis as u32)));
    let element = source.ty().element();
    let ty = if shape.is_empty() { element } else { context.tensor(&shape, element, layout) };
    let copy = reduce.op.clone_op();
    let region = context.region();
    region.take_body(copy.region(0));
    copy.erase();
    let spec = OpSpec::new(OpKind::TtReduce).operands(&[source]).results(&[ty]).region(region);
    builder.insert(spec.attr("axis", context.i32_attr(axis as i32))).result(0)
}

/// What combining with changes nothing.
enum Identity {
    Float(f64),
    Int(i64),
}

fn identity(kind: OpKind, ty: Type<'_>) -> Option<Identity> {
    let bits = ty.element().int_bits().unwrap_or(64).min(64);
    let (least, most) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    Some(match kind {
        OpKind::ArithAddF => Identity::Float(-0.0),
        OpKind::ArithMulF => Identity::Float(1.0),
        OpKind::ArithMaximumF => Identity::Float(f64::NEG_INFINITY),
        OpKind::ArithMinimumF => Identity::Float(f64::INFINITY),
        OpKind::ArithMaxNumF | OpKind::ArithMinNumF => Identity::Float(f64::NAN),
        OpKind::ArithAddI | OpKind::ArithOrI | OpKind::ArithXOrI | OpKind::ArithMaxUI => Identity::Int(0),
        OpKind::ArithMulI => Identity::Int(1),
        OpKind::ArithAndI | OpKind::ArithMinUI => Identity::Int(-1),
        OpKind::ArithMaxSI => Identity::Int(least),
        OpKind::ArithMinSI => Identity::Int(most),
        _ => return None,
    })
}
