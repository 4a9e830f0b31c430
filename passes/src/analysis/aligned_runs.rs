//! What divides the values of a tensor at the start of its runs, where neighbours of a run differ by any one number.
//!
//! Axis info knows runs whose neighbours differ by one. Of `2 * i` it knows that two divides every value; that 16 divides every eighth one is
//! known here.

use super::axis_flow::unit_of;
use super::axis_info::{MAX_DIVISOR, gcd, power_of_two_divisor};
use super::strides::is_copy;
use super::{AxisFacts, AxisInfo};
use tk_ir::{Op, OpKind, Value};

/// How deep the arithmetic of an index may be nested.
const MOST_DEPTH: u32 = 12;

/// Runs along one axis, each of which starts at a multiple of its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AlignedRuns {
    /// Elements of a run, a power of two.
    pub(crate) length: u64,
    /// What an element has more than the one before it in its run; for pointers, in bytes.
    pub(crate) stride: i64,
    /// A power of two that divides the first value of every run; for pointers, in bytes.
    pub(crate) divisor: u64,
}

impl AlignedRuns {
    /// Those of an integer or pointer, scalar or tensor.
    pub(crate) fn of(value: Value<'_>, axis: usize, facts: &AxisFacts) -> Self {
        Self::within(value, axis, facts, 0)
    }

    fn within(value: Value<'_>, axis: usize, facts: &AxisFacts, depth: u32) -> Self {
        let info = facts.get(value);
        let known = Self::known(&info, axis, unit_of(value.ty()));
        let op = value.defining_op().filter(|_| known.length == 1 && value.ty().is_tensor() && depth < MOST_DEPTH);
        let computed = op.and_then(|op| Self::computed(op, axis, facts, depth + 1));
        computed.filter(|runs| runs.length > 1).unwrap_or(known)
    }

    fn known(info: &AxisInfo, axis: usize, unit: u64) -> Self {
        let Some(((contiguity, constancy), divisor)) =
            info.contiguity.get(axis).zip(info.constancy.get(axis)).zip(info.divisibility.get(axis))
        else {
            return Self { length: 1, stride: 0, divisor: 1 };
        };
        match (*contiguity, *constancy) {
            (2.., _) => Self { length: *contiguity, stride: unit as i64, divisor: *divisor },
            (_, constancy) => Self { length: constancy.max(1), stride: 0, divisor: *divisor },
        }
    }

    fn computed(op: Op<'_>, axis: usize, facts: &AxisFacts, depth: u32) -> Option<Self> {
        let of = |index: usize| Self::within(op.operand(index), axis, facts, depth);
        let constant = |index: usize| facts.get(op.operand(index)).constant;
        let kind = op.kind();
        if kind == OpKind::TtAddPtr {
            let bytes = i64::try_from(unit_of(op.result(0).ty())).ok()?;
            return of(0).plus(of(1).times(bytes)?);
        }
        if kind == OpKind::ArithAddI {
            return of(0).plus(of(1));
        }
        if kind == OpKind::ArithMulI {
            return match (constant(0), constant(1)) {
                (_, Some(factor)) => of(0).times(factor),
                (Some(factor), None) => of(1).times(factor),
                (None, None) => None,
            };
        }
        if kind == OpKind::ArithShLI {
            let places = u32::try_from(constant(1)?).ok().filter(|places| *places < 32)?;
            return of(0).times(1 << places);
        }
        if kind == OpKind::TtExpandDims {
            let added = usize::try_from(op.attr("axis")?.as_int()?).ok()?;
            let inner = if axis < added { axis } else { axis.checked_sub(1)? };
            return (axis != added).then(|| Self::within(op.operand(0), inner, facts, depth));
        }
        is_copy(kind).then(|| of(0))
    }

    /// Runs of at most `length` elements, a power of two.
    pub(crate) fn cut(self, length: u64) -> Self {
        if length >= self.length {
            return self;
        }
        let step = i64::try_from(length).ok().and_then(|length| self.stride.checked_mul(length));
        Self { length, divisor: gcd(self.divisor, step.map_or(1, power_of_two_divisor)), ..self }
    }

    fn plus(self, other: Self) -> Option<Self> {
        let length = self.length.min(other.length);
        let (one, other) = (self.cut(length), other.cut(length));
        Some(Self { length, stride: one.stride.checked_add(other.stride)?, divisor: gcd(one.divisor, other.divisor) })
    }

    fn times(self, factor: i64) -> Option<Self> {
        let divisor = self.divisor.saturating_mul(power_of_two_divisor(factor)).min(MAX_DIVISOR);
        Some(Self { stride: self.stride.checked_mul(factor)?, divisor, ..self })
    }
}
