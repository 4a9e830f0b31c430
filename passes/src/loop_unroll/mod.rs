//! Unrolls loops that carry `tt.loop_unroll_factor`, as `tl.range(…, loop_unroll_factor=n)` asks, and small loops that wait for memory
//! ([`factor`]).
//!
//! The loop becomes one with `n` copies of the body per iteration for the largest multiple of `n` of the trip count, and a second one
//! for the rest. MLIR's own unrolling is not reachable from the C API.
//!
//! A loop of at most one iteration becomes a branch (`for row in range(pid * R, min((pid + 1) * R, rows))` where `R` is 1, or
//! `for once in range(0, tl.where(start < size, 1, 0))`): there is nothing to run ahead of, and nothing is carried.

mod factor;

use crate::analysis::few_warps::has_few_warps;
use crate::attributes::{LOOP_UNROLL_FACTOR, NUM_WARPS, UNROLLED};
use crate::cloning::{Mapping, copy_op, copy_ops};
use crate::{Pass, PassContext};
use factor::Unrolling;
pub(crate) use factor::instructions;
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Builder, Module, OpKind, Type, Value};

/// The pass.
pub const PASS: Pass = Pass {
    name: "loop-unroll",
    summary: "unroll loops that ask for it, and small ones that load, and make loops of one iteration branches",
    run,
};

/// Copies of a body that make sense; more is a mistake of the kernel's author and would only exhaust memory.
const MAX_FACTOR: i64 = 64;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = module.op().int_attr(NUM_WARPS).and_then(|warps| u32::try_from(warps).ok());
    let waits_alone = num_warps.is_some_and(|warps| has_few_warps(warps, cx));
    let has_layouts = num_warps.is_some();
    for function in module.functions() {
        // Inner loops come later in program order and are unrolled first.
        for view in function.descendants().into_iter().rev().filter_map(ForOp::cast) {
            let asked = view.op.int_attr(LOOP_UNROLL_FACTOR);
            view.op.remove_attr(LOOP_UNROLL_FACTOR);
            if factor::most_iterations(view) == Some(1) {
                unroll_all(view, 1);
            } else if let Some(factor) = asked {
                // The author's word stands, also where layouts come later.
                view.op.set_attr(UNROLLED, view.op.context().unit_attr());
                if factor > 1 {
                    unroll(view, factor.min(MAX_FACTOR));
                }
            } else if has_layouts && view.op.attr(UNROLLED).is_none() {
                match factor::unrolling(view, waits_alone) {
                    Some(Unrolling { copies, is_all: true }) => unroll_all(view, copies),
                    Some(Unrolling { copies, is_all: false }) => unroll(view, copies),
                    None => {}
                }
            }
        }
    }
    Ok(())
}

/// The loop with `factor` copies of its body, and behind it the loop as it was for what is left.
pub(crate) fn unroll(view: ForOp<'_>, factor: i64) {
    let (lower, upper, step) = (view.lower_bound(), view.upper_bound(), view.step());
    let ty = lower.ty();
    let mut builder = Builder::before(view.op);
    // steps = ceil((upper - lower) / step), as many as a multiple of the factor go to the main loop.
    let factor_value = builder.int(ty, factor);
    let one = builder.int(ty, 1);
    let zero = builder.int(ty, 0);
    let distance = builder.binary(OpKind::ArithSubI, upper, lower);
    let distance =
        builder.binary(if view.unsigned_cmp() { OpKind::ArithMaxUI } else { OpKind::ArithMaxSI }, distance, zero);
    let before_step = builder.binary(OpKind::ArithSubI, step, one);
    let padded = builder.binary(OpKind::ArithAddI, distance, before_step);
    let steps = builder.binary(OpKind::ArithDivUI, padded, step);
    let rest = builder.binary(OpKind::ArithRemUI, steps, factor_value);
    let main_steps = builder.binary(OpKind::ArithSubI, steps, rest);
    let main_distance = builder.binary(OpKind::ArithMulI, main_steps, step);
    let middle = builder.binary(OpKind::ArithAddI, lower, main_distance);
    let wide_step = builder.binary(OpKind::ArithMulI, step, factor_value);

    let main = builder.for_loop(lower, middle, wide_step, &view.init_args());
    main.op.set_loc(view.op.loc());
    for (name, value) in view.op.discardable_attrs() {
        main.op.set_attr(name, value);
    }
    fill(view, main, step, factor);
    // The original loop does the rest.
    view.op.set_operand(0, middle);
    for (index, result) in main.results().into_iter().enumerate() {
        view.op.set_operand(index + 3, result);
    }
}

/// A loop of at most `copies` iterations: one branch has all of them, the other one the loop for when there are fewer.
fn unroll_all(view: ForOp<'_>, copies: i64) {
    let (lower, upper, step) = (view.lower_bound(), view.upper_bound(), view.step());
    let mut builder = Builder::before(view.op);
    let before_last = builder.int(lower.ty(), copies - 1);
    let distance = builder.binary(OpKind::ArithMulI, step, before_last);
    let last = builder.binary(OpKind::ArithAddI, lower, distance);
    let is_below = if view.unsigned_cmp() { CmpI::Ult } else { CmpI::Slt };
    let has_all = builder.cmpi(is_below, last, upper);
    let types: Vec<Type<'_>> = view.results().iter().map(|result| result.ty()).collect();
    let choice = builder.if_op(has_all, &types, true);
    let mut inside = Builder::at_end(choice.then_block(), view.op.loc());
    let first = Iteration { induction: lower, carried: view.init_args() };
    let carried = copy_bodies(view, first, step, copies, &mut inside);
    inside.yield_(&carried);
    let Some(otherwise) = choice.else_block() else { return };
    let mut inside = Builder::at_end(otherwise, view.op.loc());
    if copies == 1 {
        inside.yield_(&view.init_args());
    } else {
        let rest = copy_op(view.op, &mut inside, &mut Mapping::default(), |location| location);
        inside.yield_(&rest.results());
    }
    for (old, new) in view.results().into_iter().zip(choice.op.results()) {
        old.replace_all_uses_with(new);
    }
    view.op.erase();
}

/// Copies the body of `view` into `main`, `factor` times.
fn fill<'c>(view: ForOp<'c>, main: ForOp<'c>, step: Value<'c>, factor: i64) {
    let mut builder = Builder::at_end(main.body(), view.op.loc());
    if let Some(terminator) = main.body().terminator() {
        terminator.erase();
    }
    let first = Iteration { induction: main.induction_var(), carried: main.iter_args() };
    let carried = copy_bodies(view, first, step, factor, &mut builder);
    builder.yield_(&carried);
}

/// What an iteration begins with.
struct Iteration<'c> {
    induction: Value<'c>,
    carried: Vec<Value<'c>>,
}

/// Copies the body of `view` for `copies` iterations from `first` on; gives what the last one yields.
fn copy_bodies<'c>(
    view: ForOp<'c>,
    first: Iteration<'c>,
    step: Value<'c>,
    copies: i64,
    builder: &mut Builder<'c>,
) -> Vec<Value<'c>> {
    let mut ops = view.body().ops();
    ops.pop();
    let Iteration { mut induction, mut carried } = first;
    for copy in 0..copies {
        if copy > 0 {
            induction = builder.binary(OpKind::ArithAddI, induction, step);
        }
        let mut mapping = Mapping::default();
        mapping.insert(view.induction_var(), induction);
        for (argument, value) in view.iter_args().into_iter().zip(&carried) {
            mapping.insert(argument, *value);
        }
        copy_ops(&ops, builder, &mut mapping, |location| location);
        carried = view.yielded().into_iter().map(|value| mapping.get(value)).collect();
    }
    carried
}
