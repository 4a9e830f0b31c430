//! Which type an operator computes in.
//!
//! The rules are those of `triton.language`: floats win over integers, wider wins over narrower, unsigned wins at equal width,
//! and a Python number takes part only when its kind (bool < int < float) is above that of the run-time operand.

use tk_types::ScalarType::{self, *};

/// Why two types have no common one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCommonType {
    /// An 8-bit float with an integer.
    Fp8WithInt,
    /// A division of a signed by an unsigned integer.
    MixedSignedness,
}

/// One operand of a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The element type, or the natural type of a number.
    pub ty: ScalarType,
    /// A Python number, as opposed to a run-time scalar or tensor.
    pub is_number: bool,
}

/// The type that `a op b` computes in; `division` for `/`, `//` and `%`.
pub fn common_type(a: Side, b: Side, division: bool) -> Result<ScalarType, NoCommonType> {
    let (mut x, mut y) = (a.ty, b.ty);
    if a.is_number != b.is_number {
        let (number, tensor) = if a.is_number { (x, y) } else { (y, x) };
        if number.kind() <= tensor.kind() {
            (x, y) = (tensor, tensor);
        }
    }
    let either = |ty| x == ty || y == ty;
    if either(F64) {
        return Ok(F64);
    }
    if division && (x.is_float() || y.is_float()) || either(F32) {
        return Ok(F32);
    }
    if either(F16) {
        return Ok(F16);
    }
    if either(BF16) {
        return Ok(if x == y { BF16 } else { F32 });
    }
    if x.is_fp8() && y.is_fp8() {
        return Ok(if x == y { x } else { F16 });
    }
    if x.is_float() || y.is_float() {
        return Err(NoCommonType::Fp8WithInt);
    }
    if division && x.is_signed_int() != y.is_signed_int() {
        return Err(NoCommonType::MixedSignedness);
    }
    Ok(common_int(x, y))
}

/// The integer type that holds both as C would have it: the wider, the unsigned one at equal width. `i1` counts as unsigned.
pub fn common_int(a: ScalarType, b: ScalarType) -> ScalarType {
    let (wide, narrow) = if a.bits() > b.bits() { (a, b) } else { (b, a) };
    if a.bits() == b.bits() && narrow.is_unsigned_int() { narrow } else { wide }
}
