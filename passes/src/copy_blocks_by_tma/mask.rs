//! Masks that leave nothing out: those of the last iteration of a loop over whole blocks.
//!
//! `range < K - k * 64` in `for k in range(cdiv(K, 64))`, `k * 64 + range < K` there, and the same with `for k in range(0, K, 64)`.

use crate::analysis::axis_flow::AxisFacts;
use crate::copy_blocks_by_tma::counted::counts_from_zero;
use tk_ir::ops::{CmpI, ForOp, MakeRangeOp};
use tk_ir::{Op, OpKind, Value};

/// Whether a mask is true everywhere in every iteration.
pub(super) fn always_holds(mask: Value<'_>, view: ForOp<'_>, facts: &AxisFacts) -> bool {
    if mask.constant_int().is_some_and(|truth| truth != 0) {
        return true;
    }
    let whole = WholeBlocks::of(view, facts);
    let compare = stripped(mask).defining_op().filter(|op| op.kind() == OpKind::ArithCmpI);
    let is_less = |op: &Op<'_>| op.int_attr("predicate").and_then(CmpI::from_number) == Some(CmpI::Slt);
    match (whole, compare.filter(is_less)) {
        (Some(whole), Some(compare)) => whole.leaves_room(compare, view),
        _ => false,
    }
}

/// Whether a loop from 0 runs only where `size` is positive: it counts to it, or to how many blocks it has.
pub(super) fn counts_to(view: ForOp<'_>, size: Value<'_>) -> bool {
    let upper = view.upper_bound();
    counts_from_zero(view) && (upper == size || rounded_up(upper).is_some_and(|(total, _)| total == size))
}

/// A loop from 0 that takes one block of `total` things per iteration, with none left over.
struct WholeBlocks<'c> {
    total: Value<'c>,
    block: i64,
    /// What the loop counts by: 1, or the block.
    step: i64,
}

impl<'c> WholeBlocks<'c> {
    fn of(view: ForOp<'c>, facts: &AxisFacts) -> Option<Self> {
        if view.lower_bound().constant_int() != Some(0) || view.unsigned_cmp() {
            return None;
        }
        let step = view.step().constant_int()?;
        let (total, block) = match step {
            1 => rounded_up(view.upper_bound())?,
            _ => (view.upper_bound(), step),
        };
        let divisor = i64::try_from(facts.get(total).overall_divisor()).ok()?;
        (block > 0 && divisor % block == 0).then_some(Self { total, block, step })
    }

    /// `compare` asks whether the things of an iteration are among all.
    fn leaves_room(&self, compare: Op<'c>, view: ForOp<'c>) -> bool {
        let (numbers, limit) = (stripped(compare.operand(0)), stripped(compare.operand(1)));
        let Some(limit) = limit.splat_source() else { return false };
        if limit == self.total {
            // k * block + range < total
            let sum = numbers.defining_op().filter(|op| op.kind() == OpKind::ArithAddI);
            return sum.is_some_and(|sum| {
                let is_sum = |start: Value<'c>, range: Value<'c>| {
                    let start = stripped(start).splat_source();
                    start.is_some_and(|start| self.is_start(start, view)) && self.is_in_block(range)
                };
                is_sum(sum.operand(0), sum.operand(1)) || is_sum(sum.operand(1), sum.operand(0))
            });
        }
        // range < total - k * block
        let rest = limit.defining_op().filter(|op| op.kind() == OpKind::ArithSubI);
        rest.is_some_and(|rest| rest.operand(0) == self.total && self.is_start(rest.operand(1), view))
            && self.is_in_block(numbers)
    }

    /// The first thing of an iteration.
    fn is_start(&self, value: Value<'c>, view: ForOp<'c>) -> bool {
        if self.step == self.block {
            return value == view.induction_var();
        }
        let multiplication = value.defining_op().filter(|op| op.kind() == OpKind::ArithMulI);
        multiplication.is_some_and(|op| {
            let is =
                |k: Value<'c>, block: Value<'c>| k == view.induction_var() && block.constant_int() == Some(self.block);
            is(op.operand(0), op.operand(1)) || is(op.operand(1), op.operand(0))
        })
    }

    fn is_in_block(&self, value: Value<'c>) -> bool {
        let range = stripped(value).defining_op().and_then(MakeRangeOp::cast);
        range.is_some_and(|range| range.end() <= self.block)
    }
}

/// The total and the block of `(total + block - 1) / block`.
fn rounded_up(count: Value<'_>) -> Option<(Value<'_>, i64)> {
    let division = count.defining_op().filter(|op| op.kind() == OpKind::ArithDivSI)?;
    let block = division.operand(1).constant_int().filter(|block| *block > 0)?;
    if block == 1 {
        return Some((division.operand(0), 1));
    }
    let sum = division.operand(0).defining_op().filter(|op| op.kind() == OpKind::ArithAddI)?;
    (sum.operand(1).constant_int() == Some(block - 1)).then(|| (sum.operand(0), block))
}

/// A tensor before it was spread over more axes.
fn stripped(value: Value<'_>) -> Value<'_> {
    let mut value = value;
    while let Some(op) =
        value.defining_op().filter(|op| matches!(op.kind(), OpKind::TtBroadcast | OpKind::TtExpandDims))
    {
        value = op.operand(0);
    }
    value
}
