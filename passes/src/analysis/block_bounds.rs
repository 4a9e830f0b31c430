//! The least and the greatest element of a tensor of integers, as numbers that a program computes.

use super::AxisFacts;
use super::strides::is_copy;
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// How deep the arithmetic of an index may be nested.
const MOST_DEPTH: u32 = 8;
/// Farther apart the two could be in the wrong order, where sums of 32 bits wrap around twice.
const MOST_SPAN: i64 = 1 << 30;

/// A tensor, or a number, whose least and greatest element are known by the way it is computed: sums of numbers and ranges, and their multiples.
#[derive(Clone, Copy)]
pub(crate) struct BlockBounds<'c, 'f> {
    value: Value<'c>,
    facts: &'f AxisFacts,
    /// What the greatest element has more than the least, if no sum wraps around.
    pub(crate) span: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

impl End {
    fn other(self) -> Self {
        match self {
            Self::Least => Self::Greatest,
            Self::Greatest => Self::Least,
        }
    }
}

impl<'c, 'f> BlockBounds<'c, 'f> {
    /// `None` where `value` is computed in another way.
    pub(crate) fn of(value: Value<'c>, facts: &'f AxisFacts) -> Option<Self> {
        let span = span_of(value, facts, 0)?;
        Some(Self { value, facts, span })
    }

    /// Its elements are known when it is compiled.
    pub(crate) fn is_fixed(&self) -> bool {
        is_fixed(self.value, self.facts, 0)
    }

    /// The least element, a number.
    pub(crate) fn least(&self, builder: &mut Builder<'c>) -> Option<Value<'c>> {
        self.end(self.value, End::Least, builder)
    }

    /// The greatest element, a number. It is less than the least where sums wrap around.
    pub(crate) fn greatest(&self, builder: &mut Builder<'c>) -> Option<Value<'c>> {
        self.end(self.value, End::Greatest, builder)
    }

    fn end(&self, value: Value<'c>, end: End, builder: &mut Builder<'c>) -> Option<Value<'c>> {
        if !value.ty().is_tensor() {
            return Some(value);
        }
        let ty = number_of(value.ty());
        if let Some(constant) = self.facts.get(value).constant {
            return Some(builder.int(ty, constant));
        }
        let op = value.defining_op()?;
        let kind = op.kind();
        if kind == OpKind::TtSplat {
            return Some(op.operand(0));
        }
        if kind == OpKind::TtMakeRange {
            let (start, behind) = range_of(op)?;
            return Some(builder.int(ty, if end == End::Least { start } else { behind - 1 }));
        }
        let left = self.end(op.operand(0), end, builder)?;
        if matches!(kind, OpKind::ArithAddI | OpKind::ArithSubI) {
            let of_right = if kind == OpKind::ArithAddI { end } else { end.other() };
            let right = self.end(op.operand(1), of_right, builder)?;
            return Some(builder.binary(kind, left, right));
        }
        if kind == OpKind::ArithMulI {
            let factor = builder.int(ty, self.facts.get(op.operand(1)).constant?);
            return Some(builder.binary(kind, left, factor));
        }
        Some(if kind == OpKind::ArithExtSI { builder.cast(kind, left, ty) } else { left })
    }
}

fn number_of(ty: Type<'_>) -> Type<'_> {
    if ty.is_tensor() { ty.element() } else { ty }
}

fn is_fixed(value: Value<'_>, facts: &AxisFacts, depth: u32) -> bool {
    if facts.get(value).constant.is_some() {
        return true;
    }
    let Some(op) = value.defining_op().filter(|op| depth < MOST_DEPTH && op.kind() != OpKind::TtGetProgramId) else {
        return false;
    };
    let operands = op.operands();
    op.kind() == OpKind::TtMakeRange
        || !operands.is_empty() && operands.into_iter().all(|operand| is_fixed(operand, facts, depth + 1))
}

fn range_of(op: Op<'_>) -> Option<(i64, i64)> {
    Some((op.int_attr("start")?, op.int_attr("end")?))
}

fn span_of(value: Value<'_>, facts: &AxisFacts, depth: u32) -> Option<i64> {
    if !value.ty().is_tensor() || facts.get(value).constant.is_some() {
        return Some(0);
    }
    let op = value.defining_op().filter(|_| depth < MOST_DEPTH)?;
    let of = |index: usize| span_of(op.operand(index), facts, depth + 1);
    let kind = op.kind();
    let span = if kind == OpKind::TtSplat {
        0
    } else if kind == OpKind::TtMakeRange {
        let (start, behind) = range_of(op)?;
        behind.checked_sub(start)?.checked_sub(1)?
    } else if matches!(kind, OpKind::ArithAddI | OpKind::ArithSubI) {
        of(0)?.checked_add(of(1)?)?
    } else if kind == OpKind::ArithMulI {
        let factor = facts.get(op.operand(1)).constant.filter(|factor| *factor >= 0)?;
        of(0)?.checked_mul(factor)?
    } else if kind == OpKind::TtExpandDims || is_copy(kind) && kind != OpKind::ArithExtUI {
        of(0)?
    } else {
        return None;
    };
    (0..=MOST_SPAN).contains(&span).then_some(span)
}
