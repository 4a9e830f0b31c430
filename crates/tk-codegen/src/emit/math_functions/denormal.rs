//! Whether elements may be denormal numbers of f32, as far as types and the operations that make them say it.
//!
//! Programs cast to f32 before they call a logarithm. The denormal numbers of all narrower floats but bf16 are normal ones of f32, and integers are never denormal:
//! logarithms of such need no code for denormal numbers.

use super::finite::{constant, is_repeated, widens};
use crate::emit::casts::float_of;
use tk_ir::{OpKind, Value};
use tk_types::ScalarType;

/// Operations that are looked at for one value.
const MOST_OPERATIONS: u32 = 48;

/// Whether an element, as a number of f32, may be denormal.
pub(super) fn may_be_denormal(value: Value<'_>) -> bool {
    let mut left = MOST_OPERATIONS;
    may_be(value, &mut left)
}

fn may_be(value: Value<'_>, left: &mut u32) -> bool {
    let is_narrow = matches!(
        float_of(value.ty()),
        Some(ScalarType::F16 | ScalarType::F8E4M3 | ScalarType::F8E5M2 | ScalarType::F8E4M3B8 | ScalarType::F8E5M2B16)
    );
    if is_narrow {
        return false;
    }
    if let Some(number) = constant(value) {
        return number != 0.0 && number.abs() < f64::from(f32::MIN_POSITIVE);
    }
    let Some(op) = value.defining_op() else { return true };
    let Some(rest) = left.checked_sub(1) else { return true };
    *left = rest;
    match op.kind() {
        OpKind::ArithSIToFP | OpKind::ArithUIToFP => false,
        OpKind::ArithExtF | OpKind::TtFpToFp if widens(op) => may_be(op.operand(0), left),
        OpKind::ArithSelect => [1, 2].into_iter().any(|side| may_be(op.operand(side), left)),
        OpKind::ArithNegF
        | OpKind::MathAbsF
        | OpKind::ArithMaximumF
        | OpKind::ArithMaxNumF
        | OpKind::ArithMinimumF
        | OpKind::ArithMinNumF => op.operands().into_iter().any(|operand| may_be(operand, left)),
        kind if is_repeated(kind) => op.operands().into_iter().any(|operand| may_be(operand, left)),
        _ => true,
    }
}
