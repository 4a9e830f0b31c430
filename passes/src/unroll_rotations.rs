//! Copies the bodies of loops in which what is loaded waits in registers for several iterations.
//!
//! Such a loop hands what it loaded from one carried value to the next, which is a move of registers, and a move waits for the load: it would arrive
//! one iteration ahead at most, however many it was issued before. In a loop of as many copies of the body as a load waits iterations, each copy
//! has registers of its own, and nothing is moved.
//!
//! True for innermost loops that carry what a load of theirs brings for 2 to [`MOST_COPIES`] iterations, of at most [`MOST_INSTRUCTIONS`]
//! for each of these, beside copies and products, for which the author has asked for no number of copies. Others last longer than a load, and computations of one
//! copy that ptxas moves to another cost registers.
//!
//! 1. Find how many iterations loads wait.  2. Copy the body as often.

use crate::attributes::UNROLLED;
use crate::control_flow::loops_of;
use crate::loop_unroll::{LoadOrder, Rest, instructions, unroll};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::ForOp;
use tk_ir::{Module, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "unroll-rotations", summary: "copy bodies of loops that carry loads for iterations", run };

/// Copies of a body.
const MOST_COPIES: usize = 8;
/// Instructions per thread of an iteration, about, for each iteration that a load waits. On an H200 14 launches of up to 443 are 10 % faster in the mean, the best
/// 24 %, and none is slower; two whose loads wait three iterations, of 582 and 685, are 18 and 20 % faster, and two whose loads wait two, of 528 and 600, are 4 and
/// 13 % slower.
const MOST_INSTRUCTIONS: i64 = 256;
/// Instructions of an iteration at most: two of 2611 and 3747 spill two and three times as much.
const MOST_OF_ALL: i64 = 768;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        let loops: Vec<ForOp<'_>> = loops_of(function).collect();
        for view in loops {
            let copies = iterations_of_loads(view);
            let is_asked = view.op.attr(UNROLLED).is_some();
            if !is_asked && (2..=MOST_COPIES).contains(&copies) && is_short(view, copies) {
                unroll(view, copies as i64, &LoadOrder::InTurn, Rest::Loop);
            }
        }
    }
    Ok(())
}

/// An iteration lasts less than a load, about.
pub(crate) fn is_short(view: ForOp<'_>, copies: usize) -> bool {
    let most = (MOST_INSTRUCTIONS * copies as i64).clamp(2 * MOST_INSTRUCTIONS, MOST_OF_ALL);
    view.body().ops().into_iter().map(instructions).sum::<i64>() <= most
}

/// Iterations that what a load of the loop brings is carried for, at most.
fn iterations_of_loads(view: ForOp<'_>) -> usize {
    let (carried, yielded) = (view.iter_args(), view.yielded());
    // Where a value goes that the iteration ends with.
    let next = |value: Value<'_>| yielded.iter().position(|end| *end == value);
    let waits = |load: Value<'_>| {
        let mut place = next(load);
        let mut iterations = 0;
        while let Some(at) = place.filter(|_| iterations <= carried.len()) {
            iterations += 1;
            place = next(carried[at]).filter(|to| *to != at);
        }
        iterations
    };
    let loads = view.body().ops().into_iter().filter(|op| op.kind() == OpKind::TtLoad);
    loads.map(|load| waits(load.result(0))).max().unwrap_or(0)
}
