//! Numbers that are a multiple of what a loop counts: what a comparison of them says about the count itself.

use crate::analysis::loop_variables::turned;
use tk_ir::ops::CmpI;
use tk_ir::{Block, Builder, OpKind, Value};

/// Operations of a condition that are looked at.
const MOST_STEPS: usize = 8;

/// A positive multiple of a number that a loop counts, plus a constant.
#[derive(Clone, Copy)]
pub(crate) struct Linear {
    /// Which argument of the block is the number.
    pub(crate) index: usize,
    pub(crate) factor: i64,
    pub(crate) offset: i64,
}

impl Linear {
    /// `None` where `value` is made of anything but the arguments of `block` and constants.
    pub(crate) fn of(value: Value<'_>, block: Block<'_>) -> Option<Self> {
        Self::within(value, block, MOST_STEPS)
    }

    fn within(value: Value<'_>, block: Block<'_>, steps: usize) -> Option<Self> {
        if let Some(index) = block.arguments().iter().position(|argument| *argument == value) {
            return Some(Self { index, factor: 1, offset: 0 });
        }
        let op = value.defining_op().filter(|op| op.block() == Some(block) && op.num_operands() == 2)?;
        let steps = steps.checked_sub(1)?;
        let (operand, constant) = match (op.operand(0).constant_int(), op.operand(1).constant_int()) {
            (_, Some(constant)) => (op.operand(0), constant),
            (Some(constant), None) if op.kind() != OpKind::ArithSubI => (op.operand(1), constant),
            (Some(_) | None, None) => return None,
        };
        let of = Self::within(operand, block, steps)?;
        let (factor, offset) = if op.kind() == OpKind::ArithAddI {
            (of.factor, of.offset.checked_add(constant)?)
        } else if op.kind() == OpKind::ArithSubI {
            (of.factor, of.offset.checked_sub(constant)?)
        } else if op.kind() == OpKind::ArithMulI {
            (of.factor.checked_mul(constant)?, of.offset.checked_mul(constant)?)
        } else {
            return None;
        };
        (factor > 0).then_some(Self { factor, offset, ..of })
    }
}

/// A comparison of such a number with one that is not, with the number on the left.
pub(crate) struct Comparison<'c, Number = Linear> {
    pub(crate) number: Number,
    pub(crate) predicate: CmpI,
    pub(crate) bound: Value<'c>,
}

impl<'c, Number> Comparison<'c, Number> {
    /// `None` where `value` is no comparison, or both of its sides, or neither, are what `read` takes for such a number.
    pub(crate) fn of(value: Value<'c>, read: impl Fn(Value<'c>) -> Option<Number>) -> Option<Self> {
        let compared = value.defining_op().filter(|op| op.kind() == OpKind::ArithCmpI)?;
        let (left, right) = (compared.operand(0), compared.operand(1));
        let predicate = CmpI::from_number(compared.int_attr("predicate")?)?;
        match (read(left), read(right)) {
            (Some(number), None) => Some(Self { number, predicate, bound: right }),
            (None, Some(number)) => Some(Self { number, predicate: turned(predicate), bound: left }),
            (Some(_), Some(_)) | (None, None) => None,
        }
    }
}

/// `value + shift`, or the greatest or least number of its type where that would not fit.
pub(crate) fn shifted<'c>(builder: &mut Builder<'c>, value: Value<'c>, shift: i64) -> Value<'c> {
    if shift == 0 {
        return value;
    }
    let most = i64::MAX >> (64 - value.ty().element_bits());
    let (kind, limit) =
        if shift > 0 { (OpKind::ArithMinSI, most - shift) } else { (OpKind::ArithMaxSI, -most - shift) };
    let limit = builder.int(value.ty(), limit);
    let within = builder.binary(kind, value, limit);
    let shift = builder.int(value.ty(), shift);
    builder.binary(OpKind::ArithAddI, within, shift)
}

/// `value / by`, rounded up, for a positive constant.
pub(crate) fn divided_up<'c>(builder: &mut Builder<'c>, value: Value<'c>, by: i64) -> Value<'c> {
    if by == 1 {
        return value;
    }
    let (zero, by) = (builder.int(value.ty(), 0), builder.int(value.ty(), by));
    let whole = builder.binary(OpKind::ArithDivSI, value, by);
    let rest = builder.binary(OpKind::ArithRemSI, value, by);
    let has_more = builder.cmpi(CmpI::Sgt, rest, zero);
    let more = builder.cast(OpKind::ArithExtUI, has_more, value.ty());
    builder.binary(OpKind::ArithAddI, whole, more)
}
