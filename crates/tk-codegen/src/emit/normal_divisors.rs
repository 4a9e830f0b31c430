//! Divisors whose reciprocals are normal numbers, as far as their types say it: counts, lengths and what was of half precision.
//!
//! `div.full` compares the divisor with 2^126 and with the least normal number, and scales both numbers where it lies beyond. An integer of 64 bits or
//! fewer is zero or has a size from 1 to 2^64, and a half is zero, infinite or from 2^-24 to 65504. Of none of these numbers a reciprocal is subnormal. What
//! is divided by zero, by infinity or by what is no number is the same with the scaling and without it (docs/measurements.md, "Integers divide without tests").

use super::casts::float_of;
use tk_ir::{OpKind, Value};
use tk_types::ScalarType;

/// Operations that repeat, move or widen numbers, one after the other.
const MOST_STEPS: usize = 8;

/// Whether each element of a float of at most 32 bits is zero, infinite, not a number, or has a reciprocal in single precision that is a normal number.
pub(super) fn has_normal_reciprocal(divisor: Value<'_>) -> bool {
    let is_in_single = matches!(float_of(divisor.ty()), Some(ScalarType::F32 | ScalarType::F16 | ScalarType::BF16));
    is_in_single && was_integer_or_half(divisor)
}

/// Rounding to fewer bits leaves a whole number zero or at least one.
fn was_integer_or_half(divisor: Value<'_>) -> bool {
    let mut value = divisor;
    for _ in 0..MOST_STEPS {
        if float_of(value.ty()) == Some(ScalarType::F16) {
            return true;
        }
        let Some(op) = value.defining_op() else { return false };
        match op.kind() {
            OpKind::ArithSIToFP | OpKind::ArithUIToFP => return true,
            OpKind::ArithExtF
            | OpKind::TtSplat
            | OpKind::TtBroadcast
            | OpKind::TtExpandDims
            | OpKind::TtReshape
            | OpKind::TtTrans
            | OpKind::TtgConvertLayout => value = op.operand(0),
            _ => return false,
        }
    }
    false
}
