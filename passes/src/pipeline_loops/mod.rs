//! Rewrites scheduled loops so that the loads of later iterations run while products of earlier ones are computed.
//!
//! `schedule-loops` said which stage every operation is in. Here
//! 1. descriptors that the loop makes get maps enough for the iterations under way ([`descriptor_rings`]),
//! 2. loads that are ahead become asynchronous copies into a ring of buffers in shared memory: through pointers by `cp.async`
//!    ([`lower_loads`], rows in a layout of their own: [`copied_rows`]), by descriptors with TMA ([`lower_descriptor_loads`]),
//! 3. the loop is written anew with its iterations overlapped: a prologue starts the first ones, the body works on several at once, and
//!    copies past the end are masked, so that there is no epilogue ([`expand`]), or not written where all of them are ([`few_iterations`]),
//! 4. products by `wgmma` run asynchronously, one iteration's at a time, where what they read stays as it is ([`async_dots`]),
//! 5. stores by descriptors get a buffer that the loop keeps, so that they run on while it continues ([`tma_stores`]).
//!
//! Steps 4 and 5 are done for every loop with such products or stores. The scheme is Triton's; so are the operations it leaves behind.

mod ahead_dots;
mod async_dots;
mod copied_rows;
mod descriptor_rings;
mod expand;
mod few_iterations;
mod lower_descriptor_loads;
mod lower_loads;
mod tma_stores;
mod wait_points;

pub(crate) use async_dots::{insert_wait, wait_at_end};
pub(crate) use wait_points::first_wait_for_iteration_before;

use crate::attributes::{ISSUED_AHEAD, LOOP_STAGE, MAX_STAGE};
use crate::control_flow::{NewCarried, extend_for, first_of, loops_of};
use crate::convert_to_ttg::require_ttg;
use crate::tensor_maps::TensorMapWriter;
use crate::{Pass, PassContext, analysis};
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "pipeline", summary: "overlap the iterations of scheduled loops", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    for function in module.functions() {
        // Collected before anything changes: what is not a loop may be gone before it is looked at.
        let loops = || loops_of(function).collect::<Vec<ForOp<'_>>>();
        let scheduled: Vec<ForOp<'_>> = loops().into_iter().filter(|view| view.op.attr(MAX_STAGE).is_some()).collect();
        if !scheduled.is_empty() {
            let facts = analysis::axis_info(function);
            let mut maps = TensorMapWriter::of(module, function)?;
            for view in scheduled {
                if view.op.attr(ISSUED_AHEAD).is_some() {
                    run_only_if_any(view);
                }
                let view = descriptor_rings::run(view, &mut maps)?;
                let lowered = lower_loads::run(view, &facts, threads, cx);
                expand::run(lower_descriptor_loads::run(lowered)?);
            }
        }
        loops().into_iter().for_each(async_dots::run);
        if cx.target.has_tma() {
            let stores = loops().into_iter().map(tma_stores::run).collect::<Result<Vec<_>>>()?;
            tma_stores::part(stores.into_iter().flatten().collect(), function, cx)?;
        }
    }
    Ok(())
}

/// Puts a loop under the condition that it has an iteration.
fn run_only_if_any(view: ForOp<'_>) {
    let mut builder = Builder::before(view.op).with_location(view.op.loc());
    let is_any = builder.cmpi(CmpI::Slt, view.lower_bound(), view.upper_bound());
    let types: Vec<_> = view.results().iter().map(|result| result.ty()).collect();
    let branch = builder.if_op(is_any, &types, true);
    for (old, new) in view.results().into_iter().zip(branch.op.results()) {
        old.replace_all_uses_with(new);
    }
    let results = view.results();
    let [yes, no] = [0, 1].map(|side| branch.op.region(side).first_block());
    let (Some(yes), Some(no)) = (yes, no) else { return };
    let end = Builder::at_end(yes, view.op.loc()).yield_(&results);
    view.op.move_before(end);
    Builder::at_end(no, view.op.loc()).yield_(&view.init_args());
}

/// The stage that `schedule-loops` gave an operation.
fn stage_of(op: Op<'_>) -> Option<u32> {
    u32::try_from(op.int_attr(LOOP_STAGE)?).ok()
}

/// Gives a new operation the stage of the pipeline that it runs in.
fn set_stage(op: Op<'_>, stage: u32) {
    op.set_attr(LOOP_STAGE, op.context().i32_attr(stage as i32));
}

/// A further carried value of a loop, which it hands on as it is for now: its number among them, and what it is in an iteration.
fn carry<'c>(view: &mut ForOp<'c>, initial: Value<'c>) -> (usize, Value<'c>) {
    *view = extend_for(*view, &[NewCarried::unchanged(initial)]);
    let index = view.iter_args().len() - 1;
    (index, view.iter_args()[index])
}

/// Where a stage is in a ring.
#[derive(Clone, Copy)]
struct RingCounter<'c> {
    /// The number of the buffer.
    place: Value<'c>,
    /// Whether it is the first, after the last one.
    wraps: Value<'c>,
}

/// The place behind `current` in a ring of `count`.
fn next_place<'c>(builder: &mut Builder<'c>, current: Value<'c>, count: u32) -> RingCounter<'c> {
    let [one, zero, end] = [1, 0, count as i32].map(|number| builder.i32(number));
    let next = builder.binary(OpKind::ArithAddI, current, one);
    let wraps = builder.cmpi(CmpI::Sge, next, end);
    RingCounter { place: builder.select(wraps, zero, next), wraps }
}
