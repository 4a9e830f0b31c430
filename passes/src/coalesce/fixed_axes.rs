//! Axes of an access of which its mask leaves one value.
//!
//! Kernels that work in chunks read the state of the chunk before into the first row of a block, and write their own from the last one:
//!
//! ```text
//! tl.load(state + rows[:, None] + columns[None, :], mask=(rows == 0)[:, None] & (columns < n)[None, :])
//! ```
//!
//! The addresses of the rows follow each other, but no two rows are accessed. So nothing lies side by side along this axis, and memory moves one row
//! of the block, whatever the layout is.
//!
//! What is found only chooses layouts: no program depends on it for its results.

use super::MOST_USERS;
use crate::analysis::{AxisFacts, AxisInfo};
use crate::vectorize_memory::mask_of;
use tk_ir::ops::{CmpI, ExpandDimsOp};
use tk_ir::{Op, OpKind, Value};

/// The axes along which the mask of an access is true for at most one number, which is the same everywhere.
pub(super) fn fixed_axes(access: Op<'_>, facts: &AxisFacts) -> Vec<usize> {
    let mut fixed = Vec::new();
    let mut pending: Vec<Condition<'_>> = mask_of(access).and_then(Condition::of_mask).into_iter().collect();
    for _ in 0..MOST_USERS {
        let Some(condition) = pending.pop() else { break };
        fixed.extend(condition.fixed_axis(facts));
        pending.extend(condition.parts());
    }
    fixed
}

/// Elements follow each other along this axis, of which the mask leaves one, and also along another axis, of which it leaves several. Which elements
/// lie side by side is then a question of the other axis.
pub(super) fn is_left_out(access: Op<'_>, axis: usize, facts: &AxisFacts) -> bool {
    let contiguity = facts.get(access.operand(0)).contiguity;
    let others: Vec<usize> = (0..contiguity.len()).filter(|other| *other != axis && contiguity[*other] > 1).collect();
    if contiguity[axis] <= 1 || others.is_empty() {
        return false;
    }
    let fixed = fixed_axes(access, facts);
    fixed.contains(&axis) && others.iter().any(|other| !fixed.contains(other))
}

/// A part of a mask that is true wherever the mask is.
struct Condition<'c> {
    value: Value<'c>,
    /// Which axes of the access its own ones are.
    axes: Vec<usize>,
}

impl<'c> Condition<'c> {
    fn of_mask(mask: Value<'c>) -> Option<Self> {
        mask.ty().is_tensor().then(|| Self { value: mask, axes: (0..mask.ty().rank()).collect() })
    }

    /// The conditions that it consists of.
    fn parts(&self) -> Vec<Self> {
        let Some(op) = self.value.defining_op() else { return Vec::new() };
        if let Some(expansion) = ExpandDimsOp::cast(op) {
            let kept = self.axes.iter().enumerate().filter(|(at, _)| *at != expansion.axis());
            return vec![Self { value: op.operand(0), axes: kept.map(|(_, axis)| *axis).collect() }];
        }
        if !matches!(op.kind(), OpKind::ArithAndI | OpKind::TtBroadcast | OpKind::TtgConvertLayout) {
            return Vec::new();
        }
        op.operands().into_iter().map(|value| Self { value, axes: self.axes.clone() }).collect()
    }

    /// The axis of the access whose number it compares with one value.
    fn fixed_axis(&self, facts: &AxisFacts) -> Option<usize> {
        let test = self.value.defining_op().filter(|op| op.kind() == OpKind::ArithCmpI)?;
        if test.int_attr("predicate").and_then(CmpI::from_number) != Some(CmpI::Eq) {
            return None;
        }
        let (left, right) = (test.operand(0), test.operand(1));
        let axis = counted_axis(left, right, facts).or_else(|| counted_axis(right, left, facts))?;
        self.axes.get(axis).copied()
    }
}

/// The only axis along which `number` changes, where each of its numbers is another one, and `value` is the same everywhere.
fn counted_axis(number: Value<'_>, value: Value<'_>, facts: &AxisFacts) -> Option<usize> {
    if !number.ty().is_tensor() {
        return None;
    }
    let lengths: Vec<u64> = number.ty().shape().into_iter().map(|length| length.max(1) as u64).collect();
    let (number, value) = (facts.get(number), facts.get(value));
    let stays = |info: &AxisInfo, axis: usize| info.constancy[axis] >= lengths[axis];
    let axis = (0..lengths.len()).find(|axis| lengths[*axis] > 1 && number.contiguity[*axis] >= lengths[*axis])?;
    let is_only_one = (0..lengths.len()).all(|other| other == axis || stays(&number, other));
    let is_one_value = (0..lengths.len()).all(|any| stays(&value, any));
    (is_only_one && is_one_value).then_some(axis)
}
