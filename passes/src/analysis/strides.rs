//! How far neighbors along an axis are from each other, where that is one number known at compile time.

use super::AxisFacts;
use crate::control_flow::flows_from;
use crate::operations::control::is_loop;
use std::cell::Cell;
use tk_ir::{Op, OpKind, Value};

/// How deep the arithmetic of an index may be nested.
const MOST_DEPTH: u32 = 24;

/// How many operations are looked at for one stride: what is used twice is looked at twice.
const MOST_STEPS: u32 = 1 << 10;

/// What an element has more than the one before it along an axis, everywhere in the tensor; for pointers, in elements.
pub fn stride_along(value: Value<'_>, axis: usize, facts: &AxisFacts) -> Option<i64> {
    Strides { facts, of: Neighbors::All, steps: Cell::new(0) }.along(value, axis, 0)
}

/// The same for most neighbors: remainders are taken to be smaller than their divisors, quotients to change seldom. An estimate to
/// choose by, which proves nothing. The `x % width` of a convolution, whose next row begins elsewhere, has stride 1.
pub fn usual_stride_along(value: Value<'_>, axis: usize, facts: &AxisFacts) -> Option<i64> {
    Strides { facts, of: Neighbors::Most, steps: Cell::new(0) }.along(value, axis, 0)
}

/// Of which neighbors a stride is told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbors {
    All,
    Most,
}

/// Finds the stride of a value in the operations that compute it.
struct Strides<'a> {
    facts: &'a AxisFacts,
    of: Neighbors,
    steps: Cell<u32>,
}

impl Strides<'_> {
    fn along(&self, value: Value<'_>, axis: usize, depth: u32) -> Option<i64> {
        let (info, size) = (self.facts.get(value), *value.ty().shape().get(axis)? as u64);
        if info.constancy[axis] >= size {
            return Some(0);
        }
        if info.contiguity[axis] >= size {
            return Some(1);
        }
        self.steps.set(self.steps.get() + 1);
        if depth >= MOST_DEPTH || self.steps.get() > MOST_STEPS {
            return None;
        }
        let Some(op) = value.defining_op().filter(|op| !is_loop(*op)) else {
            return self.carried(value, axis, depth);
        };
        let of = |index: usize| self.along(op.operand(index), axis, depth + 1);
        let kind = op.kind();
        if matches!(kind, OpKind::ArithAddI | OpKind::TtAddPtr) {
            return of(0)?.checked_add(of(1)?);
        }
        if kind == OpKind::ArithSubI {
            return of(0)?.checked_sub(of(1)?);
        }
        if kind == OpKind::ArithMulI {
            return self.product(op, axis, depth);
        }
        if kind == OpKind::ArithShLI {
            let places = u32::try_from(self.facts.get(op.operand(1)).constant?).ok().filter(|places| *places < 63)?;
            return of(0)?.checked_mul(1 << places);
        }
        if kind == OpKind::TtExpandDims {
            return self.expanded(op, axis, depth);
        }
        if is_copy(kind) { of(0) } else { self.usual(op, axis, depth) }
    }

    /// A value that a loop carries has the stride with which it enters; that all iterations keep it is not proved.
    fn carried(&self, value: Value<'_>, axis: usize, depth: u32) -> Option<i64> {
        let enters = flows_from(value).filter(|_| self.of == Neighbors::Most)?;
        self.along(*enters.first()?, axis, depth + 1)
    }

    fn product(&self, op: Op<'_>, axis: usize, depth: u32) -> Option<i64> {
        let of = |index: usize| self.along(op.operand(index), axis, depth + 1);
        let factor = |index: usize| self.facts.get(op.operand(index)).constant;
        match (factor(0), factor(1)) {
            (_, Some(factor)) => of(0)?.checked_mul(factor),
            (Some(factor), None) => of(1)?.checked_mul(factor),
            // What seldom changes, times what does not change, seldom changes.
            (None, None) => (self.of == Neighbors::Most && of(0)? == 0 && of(1)? == 0).then_some(0),
        }
    }

    /// What holds of most neighbors only.
    fn usual(&self, op: Op<'_>, axis: usize, depth: u32) -> Option<i64> {
        let of = |index: usize| self.along(op.operand(index), axis, depth + 1);
        if self.of == Neighbors::All {
            return None;
        }
        let kind = op.kind();
        if matches!(kind, OpKind::ArithRemSI | OpKind::ArithRemUI) {
            return (of(1)? == 0).then(|| of(0)).flatten();
        }
        if matches!(kind, OpKind::ArithDivSI | OpKind::ArithDivUI) {
            return (of(1)? == 0 && of(0)?.unsigned_abs() <= 1).then_some(0);
        }
        if kind == OpKind::ArithSelect {
            return moving(of(1)?, of(2)?);
        }
        let is_bound =
            matches!(kind, OpKind::ArithMinSI | OpKind::ArithMinUI | OpKind::ArithMaxSI | OpKind::ArithMaxUI);
        is_bound.then(|| moving(of(0)?, of(1)?)).flatten()
    }

    /// The axis of the operand is one less behind the axis that was put in, along which there is one element.
    fn expanded(&self, op: Op<'_>, axis: usize, depth: u32) -> Option<i64> {
        let added = usize::try_from(op.attr("axis")?.as_int()?).ok()?;
        match axis.cmp(&added) {
            std::cmp::Ordering::Less => self.along(op.operand(0), axis, depth + 1),
            std::cmp::Ordering::Equal => Some(0),
            std::cmp::Ordering::Greater => self.along(op.operand(0), axis - 1, depth + 1),
        }
    }
}

/// The stride of what is one of two values, of which one is a bound or a substitute.
fn moving(one: i64, other: i64) -> Option<i64> {
    if one == other || other == 0 { Some(one) } else { (one == 0).then_some(other) }
}

/// Whether neighbors of the result are as far apart as those of the operand. Neither sums nor products of indices overflow.
pub(super) fn is_copy(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::ArithExtSI | OpKind::ArithExtUI | OpKind::TtBroadcast | OpKind::TkHint | OpKind::TtgConvertLayout
    )
}
