//! Reductions and scans with a combining region.

use super::CmpI;
use super::{ReduceOp, ScanOp};
use crate::attributes::{FEW_PARTS, HALVINGS, TOLD_BY_OWNER, TOLD_BY_SCRATCH};
use crate::{Block, Op, OpKind, Value};
use tk_layout::reduction::{Loading, Sharing, Telling};

impl<'c> ReduceOp<'c> {
    /// The block that combines: arguments are the left values, then the right values.
    pub fn combine(self) -> Option<Block<'c>> {
        self.op.region(0).first_block()
    }

    /// The one operation that combines, when the region is `combine(left, right); return`.
    pub fn single_combiner(self) -> Option<Op<'c>> {
        single_combiner(self.combine()?)
    }

    /// How lanes share out the results (`halve-reductions`).
    pub fn sharing(self) -> Sharing {
        let halvings = self.op.int_attr(HALVINGS).map_or(0, |steps| u32::try_from(steps).unwrap_or(u32::MAX));
        let telling = if self.op.attr(TOLD_BY_OWNER).is_some() {
            Telling::ByOwner
        } else if self.op.attr(TOLD_BY_SCRATCH).is_some() {
            Telling::ByScratch
        } else {
            Telling::ByLanes
        };
        let is_narrow = self.op.attr(FEW_PARTS).is_some();
        Sharing { halvings, telling, loading: if is_narrow { Loading::Narrow } else { Loading::Wide } }
    }
}

/// What `sum(where(range == index, x, 0))` selects along the axis of the sum: the position `index`, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'c> {
    /// For each element whether it is selected; it depends on the position along the axis alone.
    pub mask: Value<'c>,
    /// What is elsewhere.
    pub otherwise: Value<'c>,
    /// The number that positions are compared with, 32 bits.
    pub index: Value<'c>,
    /// Positions begin with `start`, and with this number added to it.
    pub base: Option<Value<'c>>,
    /// See `base`.
    pub start: i64,
}

impl<'c> ReduceOp<'c> {
    /// What it selects, if it adds up one operand that is `otherwise` but for one position; the caller asks whether that is 0.
    pub fn selection(self) -> Option<Selection<'c>> {
        let adds = [OpKind::ArithAddF, OpKind::ArithAddI].contains(&self.single_combiner()?.kind());
        let [source] = self.srcs()[..] else { return None };
        let select = source.defining_op().filter(|op| adds && op.kind() == OpKind::ArithSelect)?;
        let mask = select.operand(0);
        let comparison = along(mask, self.axis())?.defining_op().filter(|op| op.kind() == OpKind::ArithCmpI)?;
        if CmpI::from_number(comparison.int_attr("predicate")?) != Some(CmpI::Eq) {
            return None;
        }
        let (left, right) = (comparison.operand(0), comparison.operand(1));
        let (positions, index) = match (number_of(left), number_of(right)) {
            (None, Some(index)) => (left, index),
            (Some(index), None) => (right, index),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let (range, base) = range_and_base(positions)?;
        let is_word = index.ty().element_bits() == 32;
        let start = range.int_attr("start")?;
        is_word.then_some(Selection { mask, otherwise: select.operand(2), index, base, start })
    }
}

/// What a mask of all elements was before it was spread over the other axes: one value for each position along `axis`.
fn along(mask: Value<'_>, axis: usize) -> Option<Value<'_>> {
    let wide = unconverted(mask);
    let narrow = match wide.defining_op() {
        Some(op) if op.kind() == OpKind::TtBroadcast => op.operand(0),
        Some(_) | None => wide,
    };
    let shape = narrow.ty().shape();
    let is_line = shape.iter().enumerate().all(|(at, size)| at == axis || *size == 1);
    is_line.then(|| flat(narrow))
}

/// The value before its axes of one position were inserted.
fn flat(value: Value<'_>) -> Value<'_> {
    let mut value = unconverted(value);
    while let Some(op) = value.defining_op().filter(|op| op.kind() == OpKind::TtExpandDims) {
        value = unconverted(op.operand(0));
    }
    value
}

/// The value in the layout that it was computed in.
fn unconverted(mut value: Value<'_>) -> Value<'_> {
    while let Some(op) = value.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout) {
        value = op.operand(0);
    }
    value
}

/// The number that a tensor repeats, in whatever layout.
fn number_of(value: Value<'_>) -> Option<Value<'_>> {
    unconverted(value).splat_source()
}

/// A range of numbers, and what is added to all of them.
fn range_and_base<'c>(positions: Value<'c>) -> Option<(Op<'c>, Option<Value<'c>>)> {
    let range = |value: Value<'c>| flat(value).defining_op().filter(|op| op.kind() == OpKind::TtMakeRange);
    if let Some(range) = range(positions) {
        return Some((range, None));
    }
    let sum = flat(positions).defining_op().filter(|op| op.kind() == OpKind::ArithAddI)?;
    let (left, right) = (sum.operand(0), sum.operand(1));
    range(left).zip(number_of(right)).or_else(|| range(right).zip(number_of(left))).map(|(op, base)| (op, Some(base)))
}

impl<'c> ScanOp<'c> {
    /// The block that combines: arguments are the left values, then the right values.
    pub fn combine(self) -> Option<Block<'c>> {
        self.op.region(0).first_block()
    }

    /// The one operation that combines, when the region is `combine(left, right); return`.
    pub fn single_combiner(self) -> Option<Op<'c>> {
        single_combiner(self.combine()?)
    }
}

fn single_combiner(block: Block<'_>) -> Option<Op<'_>> {
    let [combiner, last] = block.ops()[..] else { return None };
    let returns = matches!(last.kind(), OpKind::TtReduceReturn | OpKind::TtScanReturn);
    let [left, right] = block.arguments()[..] else { return None };
    let operands = combiner.operands();
    let combines = operands == [left, right] || operands == [right, left];
    (returns && combines && last.operands() == combiner.results()).then_some(combiner)
}
