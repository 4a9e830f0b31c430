//! By what the steps from neighbor to neighbor along an axis are divisible, where no single stride is known.
//!
//! A launch tells of its integers whether 16 divides them. A stride of which this is known is not 1, and one of which it is not may be:
//! of two axes with strides of the host, the second kind is the one that is contiguous, if any is.

use super::AxisFacts;
use super::axis_info::{MAX_DIVISOR, gcd, power_of_two_divisor};
use super::strides::is_copy;
use crate::control_flow::flows_from;
use crate::operations::control::is_loop;
use std::cell::Cell;
use tk_ir::{OpKind, Value};

/// How deep the arithmetic of an index may be nested.
const MOST_DEPTH: u32 = 24;

/// How many operations are looked at for one axis: what is used twice is looked at twice.
const MOST_STEPS: u32 = 1 << 10;

/// What the steps along an axis have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There is none: neighbors are the same element.
    None,
    /// Each is a multiple of this power of two; for pointers, of so many elements.
    MultipleOf(u64),
}

/// The steps from each element to the next along `axis`. A value that a loop carries is taken to keep the steps with which it enters,
/// so this is to choose by, and proves nothing.
pub fn step_along(value: Value<'_>, axis: usize, facts: &AxisFacts) -> Step {
    match (Steps { facts, looked_at: Cell::new(0) }).divisor(value, axis, 0) {
        MAX_DIVISOR => Step::None,
        divisor => Step::MultipleOf(divisor),
    }
}

struct Steps<'a> {
    facts: &'a AxisFacts,
    looked_at: Cell<u32>,
}

impl Steps<'_> {
    /// A power of two that divides every step; [`MAX_DIVISOR`] where all are zero.
    fn divisor(&self, value: Value<'_>, axis: usize, depth: u32) -> u64 {
        let info = self.facts.get(value);
        let Some(&size) = value.ty().shape().get(axis) else { return MAX_DIVISOR };
        if info.constancy[axis] >= size as u64 {
            return MAX_DIVISOR;
        }
        self.looked_at.set(self.looked_at.get() + 1);
        if depth >= MOST_DEPTH || self.looked_at.get() > MOST_STEPS {
            return 1;
        }
        let Some(op) = value.defining_op().filter(|op| !is_loop(*op)) else {
            let enters = flows_from(value).and_then(|values| values.first().copied());
            return enters.map_or(1, |value| self.divisor(value, axis, depth + 1));
        };
        let of = |index: usize| self.divisor(op.operand(index), axis, depth + 1);
        let kind = op.kind();
        if matches!(kind, OpKind::ArithAddI | OpKind::ArithSubI | OpKind::TtAddPtr) {
            return gcd(of(0), of(1));
        }
        if kind == OpKind::ArithMulI {
            // a'b' - ab = (a' - a) b' + a (b' - b)
            let by = |index: usize, other: usize| product(of(index), self.all_values(op.operand(other)));
            return gcd(by(0, 1), by(1, 0));
        }
        if kind == OpKind::ArithShLI {
            let places = self.facts.get(op.operand(1)).constant.filter(|places| (0..62).contains(places));
            return places.map_or(1, |places| product(of(0), 1 << places));
        }
        if kind == OpKind::TtExpandDims {
            // Along the axis that was put in there is one element: that axis is told of above.
            let added = op.attr("axis").and_then(|axis| axis.as_int()).and_then(|axis| usize::try_from(axis).ok());
            return added.map_or(1, |added| self.divisor(op.operand(0), axis - usize::from(axis > added), depth + 1));
        }
        if is_copy(kind) {
            return of(0);
        }
        // What divides all numbers divides their differences. Of pointers bytes are known, and the tensor may begin anywhere.
        if value.ty().is_ptr_like() { 1 } else { self.all_values(value) }
    }

    /// A power of two that divides all values of a tensor, hence their differences.
    fn all_values(&self, value: Value<'_>) -> u64 {
        let info = self.facts.get(value);
        info.constant.map_or_else(|| info.overall_divisor(), power_of_two_divisor)
    }
}

/// The product of two powers of two, of which the greatest stands for zero.
fn product(a: u64, b: u64) -> u64 {
    a.saturating_mul(b).min(MAX_DIVISOR)
}
