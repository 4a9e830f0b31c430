//! Where the rows and columns that a load reads end: what its mask says.
//!
//! `(rows < m) & (columns < k)`, of the numbers that the block's rows and columns have, is what a tensor map of `m` rows and `k` columns does:
//! what lies behind them arrives as zeros. The TMA takes long for rows that do not exist, so that only the axis along which the loop runs may end within
//! a block ([measurements](../../../docs/measurements.md#masked-blocks-gain-most-by-tma)).

use crate::analysis::async_loads::is_zero;
use crate::analysis::axis_flow::AxisFacts;
use crate::attributes::DIVISIBILITY;
use crate::copy_blocks_by_tma::block::{BlockOfMemory, parameter};
use crate::copy_blocks_by_tma::linear::{LinearForm, Simple};
use crate::copy_blocks_by_tma::mask::{always_holds, counts_to};
use tk_ir::attributes::POSITIVE;
use tk_ir::ops::{CmpI, ForOp, FuncOp, LoadOp};
use tk_ir::{Op, OpKind, Value};

/// How many terms of a mask are looked at. A mask that is used twice in another is met twice.
const MOST_TERMS: usize = 16;

/// Where a block's memory ends along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    /// The program asks for nothing outside of it.
    #[default]
    Nowhere,
    /// Behind so many elements, at least one.
    At(i64),
    /// Behind as many elements as this parameter says. Without `may_be_empty` they are known to be at least one.
    Parameter { index: usize, may_be_empty: bool },
}

/// A part of a mask, and which axes of the mask its own axes are.
struct Part<'c> {
    value: Value<'c>,
    axes: Vec<usize>,
}

/// The ends of a block along its axes; `None` where the mask asks for anything else.
pub(super) fn ends<'c>(
    function: FuncOp<'c>,
    view: ForOp<'c>,
    load: LoadOp<'c>,
    block: &BlockOfMemory<'c>,
    facts: &AxisFacts,
) -> Option<[End; 2]> {
    let mut ends = [End::Nowhere; 2];
    let Some(mask) = load.mask() else { return Some(ends) };
    // The one axis of a row's part is that of its columns.
    let axes = if block.is_single_row() { vec![1] } else { vec![0, 1] };
    for comparison in comparisons(mask, axes)? {
        if always_holds(comparison.value, view, facts) {
            continue;
        }
        let op = comparison.value.defining_op()?;
        let limited = Limited::of(op, &comparison.axes, block, facts)?;
        let end = limited.end(function, view, block)?;
        if ends[limited.axis] != End::Nowhere && ends[limited.axis] != end {
            return None;
        }
        ends[limited.axis] = end;
    }
    let has_end = ends.iter().any(|end| *end != End::Nowhere);
    (!has_end || load.other().is_none_or(is_zero)).then_some(ends)
}

/// What a mask consists of; `None` where it is more than comparisons that all have to hold.
fn comparisons(mask: Value<'_>, axes: Vec<usize>) -> Option<Vec<Part<'_>>> {
    let mut found = Vec::new();
    let mut pending = vec![Part { value: mask, axes }];
    while let Some(Part { value, axes }) = pending.pop() {
        if value.constant_int().is_some_and(|truth| truth != 0) {
            continue;
        }
        let op = value.defining_op()?;
        let operand = |at: usize, axes: &[usize]| Part { value: op.operand(at), axes: axes.to_vec() };
        let kind = op.kind();
        if kind == OpKind::ArithCmpI {
            found.push(Part { value, axes });
        } else if kind == OpKind::ArithAndI {
            pending.extend([operand(0, &axes), operand(1, &axes)]);
        } else if kind == OpKind::TtBroadcast {
            pending.push(operand(0, &axes));
        } else if kind == OpKind::TtExpandDims {
            pending.push(operand(0, &without_new_axis(op, &axes)?));
        } else {
            return None;
        }
        if found.len() + pending.len() > MOST_TERMS {
            return None;
        }
    }
    Some(found)
}

fn without_new_axis(op: Op<'_>, axes: &[usize]) -> Option<Vec<usize>> {
    let new = usize::try_from(op.int_attr("axis")?).ok().filter(|new| *new < axes.len())?;
    Some([&axes[..new], &axes[new + 1..]].concat())
}

/// Consecutive numbers along an axis that have to be below a limit.
struct Limited<'c> {
    axis: usize,
    numbers: Value<'c>,
    limit: Value<'c>,
}

impl<'c> Limited<'c> {
    fn of(comparison: Op<'c>, axes: &[usize], block: &BlockOfMemory<'c>, facts: &AxisFacts) -> Option<Self> {
        let (first, second) = (comparison.operand(0), comparison.operand(1));
        let (numbers, limit) = match comparison.int_attr("predicate").and_then(CmpI::from_number)? {
            CmpI::Slt => (first, second),
            CmpI::Sgt => (second, first),
            CmpI::Eq | CmpI::Ne | CmpI::Sle | CmpI::Sge | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => return None,
        };
        let mut axes = axes.to_vec();
        let mut numbers = numbers;
        let repeats = |op: &Op<'c>| matches!(op.kind(), OpKind::TtBroadcast | OpKind::TkHint | OpKind::TtExpandDims);
        while let Some(op) = numbers.defining_op().filter(repeats) {
            if op.kind() == OpKind::TtExpandDims {
                axes = without_new_axis(op, &axes)?;
            }
            numbers = op.operand(0);
        }
        let (shape, info) = (numbers.ty().shape(), facts.get(numbers));
        let mut long = (0..shape.len()).filter(|own| shape[*own] > 1);
        let (own, others) = (long.next()?, long.next());
        let axis = *axes.get(own)?;
        let is_run = others.is_none() && shape[own] == block.length(axis) && info.contiguity[own] >= shape[own] as u64;
        (is_run && is_same_everywhere(limit)).then_some(Self { axis, numbers, limit })
    }

    /// Where that is the number of a row or column.
    fn end(&self, function: FuncOp<'c>, view: ForOp<'c>, block: &BlockOfMemory<'c>) -> Option<End> {
        let beyond = LinearForm::of(self.numbers, view)?.plus(&LinearForm::of(self.limit, view)?, -1)?;
        let first = block.first(self.axis, view)?;
        // The loop comes to the end of what it runs along once; a row's part is one row, wherever it ends.
        let may_end = first.has(view.induction_var()) || block.is_single_row();
        match beyond.plus(&first, -1)?.simple()? {
            Simple::Constant(number) => {
                let end = number.checked_neg().filter(|end| (1..=i64::from(i32::MAX)).contains(end))?;
                (may_end || end % block.length(self.axis) == 0).then_some(End::At(end))
            }
            Simple::Minus(size) => {
                let index = parameter(function, size)?;
                let said = |name| function.arg_attr(index, name).and_then(|attribute| attribute.as_int()).unwrap_or(0);
                let is_whole = said(POSITIVE) == 1 && said(DIVISIBILITY) % block.length(self.axis) == 0;
                let is_positive = said(POSITIVE) == 1 || counts_to(view, size);
                (may_end || is_whole).then_some(End::Parameter { index, may_be_empty: !is_positive })
            }
        }
    }
}

/// Whether a tensor is one number, by how it is made.
fn is_same_everywhere(value: Value<'_>) -> bool {
    let mut value = value;
    while let Some(op) =
        value.defining_op().filter(|op| matches!(op.kind(), OpKind::TtBroadcast | OpKind::TtExpandDims))
    {
        value = op.operand(0);
    }
    value.constant_int().is_some() || value.defining_op().is_some_and(|op| op.kind() == OpKind::TtSplat)
}
