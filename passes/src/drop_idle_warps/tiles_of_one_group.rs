//! Attention whose tiles have the rows of one warp group runs in one, where a multiprocessor has one CTA at most.
//!
//! A `wgmma` takes 64 rows in four warps. Of a tile with 64 rows, eight warps have half of the columns in each group. The maximum and the sum of a row then
//! go through shared memory, and so do the weights that both groups multiply by: the groups meet several times in each iteration, and compute on half as many
//! columns in between. With four warps rows stay in their warp, and weights in their registers.
//!
//! Other CTAs would compute while one exchanges, and the groups of several CTAs would share what a multiprocessor has. With one CTA nobody does. Arithmetic
//! takes as many instructions of each scheduler either way, of one warp instead of two, so the rule ends near what was measured:
//!
//! - Eight warps were asked for, with all registers, and the grid brings one CTA to a multiprocessor at most.
//! - Every product has 64 rows and operands of 16 bits, and stands in a loop that reduces results of its products along their rows.
//! - Results of a loop's products have few columns ([`MOST_COLUMNS`]), and blocks that the loop loads are operands, which are copied.
//!
//! ([measurements](../../../docs/measurements.md#tiles-of-64-rows-take-one-warp-group-where-a-multiprocessor-has-one-cta))

use crate::PassContext;
use crate::operations::control::is_loop;
use rustc_hash::FxHashSet;
use tk_ir::ops::{DotOp, ReduceOp};
use tk_ir::{Module, Op, OpKind, Value};
use tk_target::WARPS_PER_GROUP;

/// Rows of a `wgmma`.
const ROWS: i64 = 64;

/// Columns of the results of a loop's products: a thread of four warps has 64 registers of them then, as much as weights, addresses and fragments take beside
/// them in half of a thread's registers. The launch that was measured has 64 of scores and 16 of the sum.
const MOST_COLUMNS: i64 = 128;

/// One warp group, if that is enough for a kernel with products.
pub(super) fn warps_of_one_group(module: &Module<'_>, ops: &[Op<'_>], cx: &PassContext) -> Option<u64> {
    let options = &cx.options;
    let is_asked = options.num_warps == 2 * WARPS_PER_GROUP && options.maxnreg.is_none();
    // Kernels that call functions have no `wgmma`.
    let has_groups = cx.target.has_wgmma() && module.functions().len() == 1;
    if !(is_asked && has_groups && options.residency.at_most() == Some(1)) {
        return None;
    }
    let dots: Vec<DotOp<'_>> = ops.iter().filter_map(|op| DotOp::cast(*op)).collect();
    let loops: Option<Vec<Op<'_>>> =
        dots.iter().map(|dot| dot.op.ancestors().nth(1).filter(|op| is_loop(*op))).collect();
    let loops = loops?;
    let are_of_one_group = dots.iter().all(|dot| is_of_one_group(*dot)) && loops.iter().all(|op| exchanges(*op));
    (!dots.is_empty() && are_of_one_group).then_some(u64::from(WARPS_PER_GROUP))
}

/// It has the rows of one `wgmma`, for which two groups share the columns.
fn is_of_one_group(dot: DotOp<'_>) -> bool {
    let shape = dot.result().ty().shape();
    let is_of_halves =
        [dot.a(), dot.b()].iter().all(|operand| operand.ty().element().is_float() && operand.ty().element_bits() == 16);
    shape.len() == 2 && shape[0] == ROWS && is_of_halves
}

/// The loop has no loops in it, loads nothing but operands beside single rows, and reduces what its products give along rows.
fn exchanges(around: Op<'_>) -> bool {
    let ops = around.descendants();
    let is_innermost = !ops.iter().skip(1).any(|op| is_loop(*op));
    let columns =
        ops.iter().filter_map(|op| DotOp::cast(*op)).filter_map(|dot| dot.result().ty().shape().last().copied());
    let loads_operands = ops.iter().filter(|op| op.kind() == OpKind::TtLoad).all(|load| is_operand_or_row(*load));
    let reduces = ops.iter().filter_map(|op| ReduceOp::cast(*op)).any(|reduce| is_of_product(reduce, around));
    is_innermost && loads_operands && reduces && columns.fold(0, i64::saturating_add) <= MOST_COLUMNS
}

/// Products multiply by what is loaded, or by its transpose, and nothing else uses it.
fn is_operand_or_row(load: Op<'_>) -> bool {
    let is_row = |value: Value<'_>| value.ty().shape().iter().filter(|size| **size > 1).count() <= 1;
    let is_multiplied = |user: Op<'_>, operand: usize| user.kind() == OpKind::TtDot && operand < 2;
    let is_operand = |(user, operand): (Op<'_>, usize)| {
        let turned = user.kind() == OpKind::TtTrans;
        is_multiplied(user, operand)
            || turned && user.result(0).users().into_iter().all(|(next, operand)| is_multiplied(next, operand))
    };
    is_row(load.result(0)) || load.result(0).users().into_iter().all(is_operand)
}

/// It reduces along rows what is computed from a product of the loop, element by element.
fn is_of_product(reduce: ReduceOp<'_>, around: Op<'_>) -> bool {
    let sources: Vec<Value<'_>> = reduce.op.operands();
    let is_along_rows = reduce.axis() == 1 && sources.iter().all(|source| source.ty().rank() == 2);
    let shape = sources.first().map(|source| source.ty().shape());
    let (mut seen, mut pending) = (FxHashSet::default(), sources);
    while let Some(value) = pending.pop() {
        let made = value.defining_op().filter(|op| around.contains(*op) && seen.insert(op.id()));
        let Some(op) = made.filter(|_| Some(value.ty().shape()) == shape) else { continue };
        if op.kind() == OpKind::TtDot {
            return is_along_rows;
        }
        pending.extend(op.operands().into_iter().filter(|operand| operand.ty().is_tensor()));
    }
    false
}
