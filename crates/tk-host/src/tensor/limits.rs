//! What types can hold: the numbers of `torch.finfo` and `torch.iinfo`.

use tk_types::ScalarType::{self, *};

/// The values of a type of floats.
pub(crate) struct FloatLimits {
    /// The largest finite value.
    pub(crate) largest: f64,
    /// The distance from 1 to the next value.
    pub(crate) epsilon: f64,
    /// The smallest positive value with a full fraction.
    pub(crate) tiny: f64,
}

/// Of a type of floats; nothing for another.
pub(crate) fn floats(dtype: ScalarType) -> Option<FloatLimits> {
    // Bits of the fraction, the exponents of the largest value and of the smallest with a full fraction, and how many units of the
    // last place the largest value is below the next power of two.
    let (fraction, most, least, missing) = match dtype {
        F64 => (52, 1023, -1022, 1.0),
        F32 => (23, 127, -126, 1.0),
        F16 => (10, 15, -14, 1.0),
        BF16 => (7, 127, -126, 1.0),
        // The largest code is NaN.
        F8E4M3 => (3, 8, -6, 2.0),
        F8E5M2 => (2, 15, -14, 1.0),
        F8E4M3B8 => (3, 7, -7, 1.0),
        F8E5M2B16 => (2, 15, -15, 1.0),
        _ => return None,
    };
    let epsilon = 2f64.powi(-fraction);
    Some(FloatLimits { largest: (2.0 - missing * epsilon) * 2f64.powi(most), epsilon, tiny: 2f64.powi(least) })
}

/// The least and the largest value of a type of integers; nothing for another.
pub(crate) fn integers(dtype: ScalarType) -> Option<(i128, i128)> {
    if dtype.is_float() || dtype == I1 {
        return None;
    }
    let bits = dtype.bits();
    Some(match dtype.is_signed_int() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    })
}
