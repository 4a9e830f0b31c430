//! Loads that give the same in each iteration move before the loop.
//!
//! Programs load what does not change where they use it: the queries of attention beside its keys, a row of weights beside each block of rows. MLIR
//! moves the address and the mask out of the loop, but not the load, since memory could change. It does not where nothing in the loop writes to
//! global memory or meets other threads. A block that stays there is copied in each iteration, and its buffers take the room of a pipeline.
//!
//! ```text
//! loop from %a to %b:                  %runs = %a < %b
//!     %q = load %p, %mask              %q = load %p, %mask & %runs
//!     dot %q, …                        loop from %a to %b: dot %q, …
//! ```
//!
//! True for large operands of products, which go to shared memory. A block that is computed on would keep its registers through the loop; a small
//! one takes little room where it is copied ahead beside the others, and before the loop everybody waits for it. Only loads that every iteration comes to, in loops whose step is known to be positive. Where the loop may not run the mask says so: no address is read that the program
//! does not read. Where accesses are checked, a load stays behind its check.
//!
//! When tensors have layouts, loads move whose elements threads exchange in every iteration ([`exchanged`]).
//!
//! 1. Find loops that leave memory alone, inner ones first.  2. Find their loads.  3. Move.

mod exchanged;

use crate::attributes::NUM_WARPS;
use crate::control_flow::loops_of;
use crate::operations::is_dot;
use crate::operations::memory::{GlobalMemory, global_memory};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp, LoadOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass {
    name: "hoist-unchanged-loads",
    summary: "move loads that are the same in each iteration before the loop",
    run,
};

/// Bytes of a block that moves, at least: of 14 launches three with 64 KiB are 24 to 44 % faster, two with 16 KiB 2 %, and nine with 512 bytes to 8 KiB
/// 1 to 8 % slower (docs/measurements.md, "Operands that do not change are loaded before the loop").
const LEAST_BYTES: i64 = 16 * 1024;

/// Operations between a load and a product, at most.
const MOST_STEPS: usize = 16;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    if cx.options.sanitize.is_on() {
        return Ok(());
    }
    let num_warps = module.op().int_attr(NUM_WARPS).and_then(|warps| u32::try_from(warps).ok());
    for function in module.functions() {
        for view in loops_of(function).rev() {
            let counts_up = !view.unsigned_cmp() && view.step().constant_int().is_some_and(|step| step > 0);
            if !counts_up || !leaves_memory_alone(view.op) {
                continue;
            }
            if let Some(num_warps) = num_warps {
                exchanged::move_before(view, num_warps, cx);
                continue;
            }
            let unchanged: Vec<_> = view.body().ops().into_iter().filter_map(|op| unchanged_load(op, view)).collect();
            for load in unchanged {
                move_before(load, view);
            }
        }
    }
    Ok(())
}

/// Whether nothing in the loop changes global memory, waits for others who may, or stops the program.
pub(crate) fn leaves_memory_alone(op: Op<'_>) -> bool {
    use OpKind::{CfAssert, GpuBarrier, TtAssert, TtGridDependencyWait, TtgBarrier};
    op.descendants().into_iter().all(|inner| {
        let kind = inner.kind();
        let waits_or_stops = matches!(kind, GpuBarrier | TtgBarrier | TtGridDependencyWait | TtAssert | CfAssert);
        let memory = global_memory(kind);
        let is_known = memory != GlobalMemory::Unknown || inner.is_memory_effect_free();
        !waits_or_stops && is_known && memory.access().is_none_or(|access| !access.is_ordered())
    })
}

fn unchanged_load<'c>(op: Op<'c>, view: ForOp<'c>) -> Option<LoadOp<'c>> {
    let load = LoadOp::cast(op)?;
    let is_unchanged = op.operands().into_iter().all(|operand| operand.dominates(view.op));
    let ty = load.result().ty();
    let bytes = ty.shape().iter().product::<i64>() * i64::from(ty.element_bits()) / 8;
    let is_large = ty.is_tensor() && bytes >= LEAST_BYTES;
    (is_unchanged && !load.is_volatile() && is_large && is_operand(load.result())).then_some(load)
}

/// Whether products alone read the value, as it is or in another shape.
fn is_operand(value: Value<'_>) -> bool {
    let (mut pending, mut steps) = (vec![value], 0);
    while let Some(value) = pending.pop() {
        for (user, operand) in value.users() {
            steps += 1;
            if is_dot(user) && operand < 2 {
                continue;
            }
            let is_same = matches!(user.kind(), OpKind::TtTrans | OpKind::TtReshape | OpKind::TtBitcast);
            if !is_same || steps > MOST_STEPS {
                return false;
            }
            pending.push(user.result(0));
        }
    }
    steps > 0
}

/// Moves a load of a loop that counts with signs before it. Where the loop may not run, its mask says so.
pub(crate) fn move_before<'c>(load: LoadOp<'c>, view: ForOp<'c>) {
    let (lower, upper) = (view.lower_bound(), view.upper_bound());
    load.op.move_before(view.op);
    if let (Some(lower), Some(upper)) = (lower.constant_int(), upper.constant_int())
        && lower < upper
    {
        return;
    }
    let mut builder = Builder::before(load.op);
    let runs = builder.cmpi(CmpI::Slt, lower, upper);
    let truth = load.ptr().ty().with_element(builder.context().i(1));
    let runs = builder.splat(runs, truth);
    let mask = load.mask().map_or(runs, |mask| builder.binary(OpKind::ArithAndI, mask, runs));
    let operands: Vec<Value<'c>> = [Some(load.ptr()), Some(mask), load.other()].into_iter().flatten().collect();
    let segments = builder.context().i32_array(&[1, 1, load.other().is_some().into()]);
    load.op.set_operands(&operands);
    load.op.set_attr("operandSegmentSizes", segments);
}
