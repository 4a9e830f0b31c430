//! Formats of floats: bit patterns of constants, and what the 8-bit formats are.

use half::{bf16, f16};
use tk_types::ScalarType;

/// The bits of `value` in a type, rounded to nearest even when it is not exact.
pub(crate) fn bits_of(ty: ScalarType, value: f64) -> u64 {
    match Format::of(ty) {
        Format::Double => value.to_bits(),
        Format::Single => (value as f32).to_bits().into(),
        Format::Half => f16::from_f64(value).to_bits().into(),
        Format::Brain => bf16::from_f64(value).to_bits().into(),
        Format::Byte(format) => fp8_bits(value, format),
        Format::Integer => value as i64 as u64,
    }
}

/// How the IR holds the numbers of a type.
enum Format {
    Double,
    Single,
    Half,
    Brain,
    Byte(&'static Fp8),
    Integer,
}

impl Format {
    fn of(ty: ScalarType) -> Self {
        match ty {
            ScalarType::F64 => Format::Double,
            ScalarType::F32 => Format::Single,
            ScalarType::F16 => Format::Half,
            ScalarType::BF16 => Format::Brain,
            ScalarType::F8E5M2 => Format::Byte(&E5M2),
            ScalarType::F8E4M3 => Format::Byte(&E4M3),
            ScalarType::F8E4M3B8 => Format::Byte(&E4M3B8),
            ScalarType::F8E5M2B16 => Format::Byte(&E5M2B16),
            ScalarType::I1
            | ScalarType::I8
            | ScalarType::I16
            | ScalarType::I32
            | ScalarType::I64
            | ScalarType::U8
            | ScalarType::U16
            | ScalarType::U32
            | ScalarType::U64
            // The IR holds it as an integer of 8 bits.
            | ScalarType::F8E4B15 => Format::Integer,
        }
    }
}

/// An 8-bit float format.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fp8 {
    /// Its name in PTX, when `cvt`, `mma.sync` and `wgmma` know it.
    pub(crate) ptx_name: Option<&'static str>,
    pub(crate) mantissa_bits: u32,
    pub(crate) bias: i32,
    /// Magnitude bits of the largest finite value.
    pub(crate) largest: u64,
    /// Magnitude bits of infinity, or of NaN where there is none.
    overflow: u64,
    /// The bits of NaN; its sign is free where there is a negative zero.
    pub(crate) nan: u64,
    /// Where there is none, its pattern is NaN.
    pub(crate) has_negative_zero: bool,
}

impl Fp8 {
    /// The format of a type, when it is an 8-bit float that the IR knows.
    pub(crate) fn of(ty: ScalarType) -> Option<&'static Fp8> {
        match Format::of(ty) {
            Format::Byte(format) => Some(format),
            Format::Double | Format::Single | Format::Half | Format::Brain | Format::Integer => None,
        }
    }
}

/// The format of the upper byte of a half.
pub(crate) const E5M2: Fp8 = Fp8 {
    ptx_name: Some("e5m2"),
    mantissa_bits: 2,
    bias: 15,
    largest: 0x7b,
    overflow: 0x7c,
    nan: 0x7f,
    has_negative_zero: true,
};
const E4M3: Fp8 = Fp8 {
    ptx_name: Some("e4m3"),
    mantissa_bits: 3,
    bias: 7,
    largest: 0x7e,
    overflow: 0x7f,
    nan: 0x7f,
    has_negative_zero: true,
};
const E4M3B8: Fp8 = Fp8 {
    ptx_name: None,
    mantissa_bits: 3,
    bias: 8,
    largest: 0x7f,
    overflow: 0x80,
    nan: 0x80,
    has_negative_zero: false,
};
const E5M2B16: Fp8 = Fp8 { mantissa_bits: 2, bias: 16, ..E4M3B8 };

fn fp8_bits(value: f64, format: &Fp8) -> u64 {
    if value.is_nan() {
        return format.nan;
    }
    let sign = if value.is_sign_negative() { 0x80 } else { 0 };
    let magnitude = value.abs();
    // The spacing of the values around `magnitude`, that of subnormal numbers at least.
    let exponent = if magnitude == 0.0 { i32::MIN } else { magnitude.log2().floor() as i32 };
    let exponent = exponent.max(1 - format.bias);
    let steps = (magnitude / 2f64.powi(exponent - format.mantissa_bits as i32)).round_ties_even();
    let bits = if magnitude.is_infinite() {
        u64::MAX
    } else {
        (((exponent + format.bias - 1) as u64) << format.mantissa_bits) + steps as u64
    };
    let bits = if bits > format.largest { format.overflow } else { bits };
    if bits == 0 && !format.has_negative_zero || bits & 0x80 != 0 { bits } else { bits | sign }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bit_floats_round_to_nearest() {
        let e5m2 = |value| bits_of(ScalarType::F8E5M2, value);
        let e4m3 = |value| bits_of(ScalarType::F8E4M3, value);
        assert_eq!((e5m2(1.0), e4m3(1.0), e4m3(-2.0)), (0x3c, 0x38, 0xc0));
        assert_eq!((e4m3(448.0), e4m3(1.0e9), e5m2(f64::INFINITY)), (0x7e, 0x7f, 0x7c));
        assert_eq!((e4m3(2f64.powi(-9)), e4m3(0.0), e4m3(-0.0)), (0x01, 0x00, 0x80));
        assert_eq!((e4m3(1.0625), e4m3(1.1875)), (0x38, 0x3a));
        assert_eq!(bits_of(ScalarType::F8E4M3B8, -0.0), 0);
        assert_eq!(bits_of(ScalarType::F8E5M2B16, 1.0), 0x40);
    }
}
