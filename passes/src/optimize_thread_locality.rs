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
//! What is computed of a product gets its layout from matrix instructions later, in which other threads hold an element: its partial results here
//! would be exchanged by threads after all, and be more. `carry-partial-sums` does the same for these.
//!
//! 1. Which reductions are only added up.  2. A partial result for each.

use crate::control_flow::{NewCarried, extend_for, remove_dead};
use crate::encodings::{permuted, reshaped};
use crate::operations::computations::{Identity, computation, identity};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{ForOp, ReduceOp};
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Type, Value};
use tk_layout::{Dim, Encoding};

/// The pass.
pub const PASS: Pass =
    Pass { name: "optimize-thread-locality", summary: "reduce across threads behind loops, not in them", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        split(function, |reduce| !is_of_product(reduce));
    }
    Ok(())
}

/// Splits the reductions of a function of which `takes` is true.
pub(crate) fn split<'c>(function: Op<'c>, takes: impl Fn(ReduceOp<'c>) -> bool) {
    let sums = function.descendants().into_iter().filter_map(CombinedReduction::of);
    let sums: Vec<CombinedReduction<'c>> = sums.filter(|sum| takes(sum.reduce)).collect();
    if !sums.is_empty() {
        sums.into_iter().for_each(CombinedReduction::split);
        remove_dead(function);
    }
}

/// It is of what the same iteration computes from a product, element by element.
fn is_of_product(reduce: ReduceOp<'_>) -> bool {
    let (mut open, mut seen) = (vec![reduce.op.operand(0)], FxHashSet::default());
    while let Some(value) = open.pop() {
        let Some(op) = value.defining_op() else { continue };
        if matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled) {
            return true;
        }
        let is_passed = computation(op.kind()).is_element_by_element() || op.kind() == OpKind::TtgConvertLayout;
        if is_passed && op.block() == reduce.op.block() && seen.insert(op.id()) {
            open.extend(op.operands());
        }
    }
    false
}

/// A reduction whose results a loop combines and does nothing else with.
struct CombinedReduction<'c> {
    reduce: ReduceOp<'c>,
    /// The operation that combines the carried value and the reduction.
    update: Op<'c>,
    /// Which value the loop carries it as.
    index: usize,
    steps: AxisSplit,
}

impl<'c> CombinedReduction<'c> {
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
            && identity(combiner) != Identity::None;
        let steps = AxisSplit::of(op.operand(0).ty(), reduce.axis())?;
        is_sum.then_some(Self { reduce, update, index, steps })
    }

    /// The loop carries a partial result of each thread instead.
    fn split(self) {
        let Self { reduce, update, index, steps } = self;
        let Some(view) = reduce.op.parent_op().and_then(ForOp::cast) else { return };
        let kind = update.kind();
        let mut inside = Builder::before(update);
        let spread = steps.spread(reduce.op.operand(0), &mut inside);
        let partial = copy_of(reduce, spread, steps.target.shape.len() - 1, &mut inside);
        let Some(start) = nothing(kind, partial.ty(), &mut Builder::before(view.op)) else { return };
        let view = extend_for(view, &[NewCarried { init: start, next: partial, ty: partial.ty() }]);
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
pub(crate) struct AxisSplit {
    /// Repetitions, threads and elements in place of the axis.
    split: Arrangement,
    /// Which of these come where: repetitions and elements last.
    order: Vec<i32>,
    moved: Arrangement,
    /// Threads in place of the axis, and the elements of a thread last.
    target: Arrangement,
}

/// How the elements of a tensor are arranged.
struct Arrangement {
    shape: Vec<i64>,
    layout: Encoding,
}

impl Arrangement {
    fn ty<'c>(&self, element: Type<'c>) -> Type<'c> {
        let context = element.context();
        context.tensor(&self.shape, element, Some(context.encoding_attr(&self.layout)))
    }
}

impl AxisSplit {
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
        let split = Arrangement { layout: reshaped(&encoding, &shape, &split)?, shape: split };
        let moved = Arrangement { layout: permuted(&split.layout, &split.shape, &order)?, shape: moved };
        let target = Arrangement { layout: reshaped(&moved.layout, &moved.shape, &target)?, shape: target };
        let order = order.into_iter().map(|d| d as i32).collect();
        Some(Self { split, order, moved, target })
    }

    /// The elements of each thread along a last axis of their own; no element moves to another thread.
    pub(crate) fn spread<'c>(&self, source: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let element = source.ty().element();
        let split = builder.reshape(source, self.split.ty(element), false);
        let moved = builder.trans(split, &self.order, self.moved.ty(element));
        builder.reshape(moved, self.target.ty(element), false)
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

/// A tensor of type `ty` that combining with changes nothing; `None` for what has no such number.
fn nothing<'c>(kind: OpKind, ty: Type<'c>, builder: &mut Builder<'c>) -> Option<Value<'c>> {
    let bits = ty.element().int_bits().unwrap_or(64).min(64);
    Some(match identity(kind) {
        Identity::Float(value) => builder.float(ty, value),
        Identity::Int(value) => builder.int(ty, value),
        Identity::Least => builder.int(ty, i64::MIN >> (64 - bits)),
        Identity::Greatest => builder.int(ty, i64::MAX >> (64 - bits)),
        Identity::None => return None,
    })
}
