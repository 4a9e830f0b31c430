//! Unrolls loops that carry `tt.loop_unroll_factor`, as `tl.range(…, loop_unroll_factor=n)` asks.
//!
//! The loop becomes one with `n` copies of the body per iteration for the largest multiple of `n` of the trip count, and a second one
//! for the rest. MLIR's own unrolling is not reachable from the C API.

use crate::attributes::LOOP_UNROLL_FACTOR;
use crate::cloning::{Mapping, copy_ops};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::ForOp;
use tk_ir::{Builder, Module, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "loop-unroll", summary: "unroll loops with tt.loop_unroll_factor", run };

/// Copies of a body that make sense; more is a mistake of the kernel's author and would only exhaust memory.
const MAX_FACTOR: i64 = 64;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        // Inner loops come later in program order and are unrolled first.
        for view in function.descendants().into_iter().rev().filter_map(ForOp::cast) {
            if let Some(factor) = view.op.int_attr(LOOP_UNROLL_FACTOR) {
                view.op.remove_attr(LOOP_UNROLL_FACTOR);
                if factor > 1 {
                    unroll(view, factor.min(MAX_FACTOR));
                }
            }
        }
    }
    Ok(())
}

fn unroll(view: ForOp<'_>, factor: i64) {
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

/// Copies the body of `view` into `main`, `factor` times.
fn fill<'c>(view: ForOp<'c>, main: ForOp<'c>, step: Value<'c>, factor: i64) {
    let mut ops = view.body().ops();
    ops.pop();
    let mut carried = main.iter_args();
    let mut builder = Builder::at_end(main.body(), view.op.loc());
    if let Some(terminator) = main.body().terminator() {
        terminator.erase();
    }
    let mut induction = main.induction_var();
    for copy in 0..factor {
        if copy > 0 {
            induction = builder.binary(OpKind::ArithAddI, induction, step);
        }
        let mut mapping = Mapping::default();
        mapping.insert(view.induction_var(), induction);
        for (argument, value) in view.iter_args().into_iter().zip(&carried) {
            mapping.insert(argument, *value);
        }
        copy_ops(&ops, &mut builder, &mut mapping, |location| location);
        carried = view.yielded().into_iter().map(|value| mapping.get(value)).collect();
    }
    builder.yield_(&carried);
}
