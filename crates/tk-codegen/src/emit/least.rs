//! What floats are at least, as far as the operations that make them say it: a sum of a constant and a power, the greater of a number and a constant.
//!
//! Logarithms and quotients of such numbers need no tests for what is zero, subnormal or negative (docs/measurements.md, "A sum of at least one
//! divides without tests", "Logarithms of what is not near zero need no tests").

use tk_ir::{OpKind, Value};

/// Operations that are followed back from a value on each way.
const STEPS: u32 = 6;

/// What each element of a value is at least, if it is not NaN.
pub(super) fn least(value: Value<'_>) -> Option<f64> {
    within(value, STEPS)
}

fn within(value: Value<'_>, steps: u32) -> Option<f64> {
    if let Some(constant) = value.constant_float() {
        return (!constant.is_nan()).then_some(constant);
    }
    let steps = steps.checked_sub(1)?;
    let op = value.defining_op()?;
    let of = |index| within(op.operand(index), steps);
    match op.kind() {
        OpKind::MathExp | OpKind::MathExp2 | OpKind::MathAbsF | OpKind::MathSqrt => Some(0.0),
        OpKind::ArithMulF if op.operand(0) == op.operand(1) => Some(0.0),
        // Rounding keeps the order of numbers, so that of f32 is asked about in f32.
        OpKind::ArithAddF if is_single(value) => in_single(of(0)? + of(1)?),
        OpKind::ArithMulF if is_single(value) => in_single(positive(of(0)?)? * positive(of(1)?)?),
        // A root may be -0, and what is divided by that, or its own reciprocal, is -inf.
        OpKind::ArithDivF => positive(of(0)?).filter(|_| of(1).is_some_and(|least| least > 0.0)).map(|_| 0.0),
        OpKind::ArithMaximumF | OpKind::ArithMaxNumF => greatest(of(0), of(1)),
        OpKind::ArithSelect => Some(of(1)?.min(of(2)?)),
        OpKind::TtClampF => of(1),
        OpKind::ArithExtF
        | OpKind::TtSplat
        | OpKind::TtBroadcast
        | OpKind::TtExpandDims
        | OpKind::TtReshape
        | OpKind::TtTrans
        | OpKind::TtgConvertLayout => of(0),
        _ => None,
    }
}

pub(super) fn is_single(value: Value<'_>) -> bool {
    let ty = value.ty();
    let element = if ty.is_tensor() { ty.element() } else { ty };
    element.is_float() && element.element_bits() == 32
}

fn in_single(number: f64) -> Option<f64> {
    (!number.is_nan()).then_some(f64::from(number as f32))
}

fn positive(number: f64) -> Option<f64> {
    (number >= 0.0).then_some(number)
}

/// The greater of two numbers, of which one may be anything.
fn greatest(left: Option<f64>, right: Option<f64>) -> Option<f64> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.max(right)),
        (one, other) => one.or(other),
    }
}
