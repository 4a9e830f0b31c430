//! Elements as bytes: every element type to and from `f64` and `i64`, rounded to nearest even.

use half::{bf16, f16};
use tk_types::ScalarType::{self, *};

/// An 8-bit float format.
#[derive(Clone, Copy)]
struct SmallFloat {
    mantissa_bits: u32,
    bias: i32,
    specials: Specials,
}

/// What the top codes of an 8-bit float mean.
#[derive(Clone, Copy, PartialEq)]
enum Specials {
    /// Infinities and NaNs as in IEEE 754.
    Ieee,
    /// No infinity; all exponent and mantissa bits set is NaN.
    OnlyNan,
    /// No infinity and no negative zero, whose code is the NaN.
    Unsigned,
    /// Every code is a number.
    None,
}

fn small_float(dtype: ScalarType) -> Option<SmallFloat> {
    let (mantissa_bits, bias, specials) = match dtype {
        F8E4M3 => (3, 7, Specials::OnlyNan),
        F8E5M2 => (2, 15, Specials::Ieee),
        F8E4B15 => (3, 15, Specials::None),
        F8E4M3B8 => (3, 8, Specials::Unsigned),
        F8E5M2B16 => (2, 16, Specials::Unsigned),
        _ => return None,
    };
    Some(SmallFloat { mantissa_bits, bias, specials })
}

impl SmallFloat {
    fn decode(self, code: u8) -> f64 {
        let sign = if code & 0x80 != 0 { -1.0 } else { 1.0 };
        let magnitude = u32::from(code & 0x7F);
        let nan = match self.specials {
            Specials::OnlyNan => magnitude == 0x7F,
            Specials::Unsigned => code == 0x80,
            Specials::Ieee | Specials::None => false,
        };
        let exponent = magnitude >> self.mantissa_bits;
        let mantissa = f64::from(magnitude & ((1 << self.mantissa_bits) - 1));
        let scale = f64::from(1u32 << self.mantissa_bits);
        let top = 0x7F >> self.mantissa_bits;
        if nan || (self.specials == Specials::Ieee && exponent == top && mantissa != 0.0) {
            f64::NAN
        } else if self.specials == Specials::Ieee && exponent == top {
            sign * f64::INFINITY
        } else if exponent == 0 {
            sign * mantissa / scale * 2f64.powi(1 - self.bias)
        } else {
            sign * (1.0 + mantissa / scale) * 2f64.powi(exponent as i32 - self.bias)
        }
    }

    /// The greatest finite code without its sign.
    fn greatest(self) -> u8 {
        match self.specials {
            Specials::Ieee => 0x7F - (1 << self.mantissa_bits),
            Specials::OnlyNan => 0x7E,
            Specials::Unsigned | Specials::None => 0x7F,
        }
    }

    /// Codes grow with their value, so the nearest is found by bisection; ties go to the even code.
    /// Overflow gives the infinity or the NaN of the format, as torch's conversions do.
    fn encode(self, value: f64) -> u8 {
        let sign = if value.is_sign_negative() { 0x80 } else { 0 };
        let overflow = match self.specials {
            Specials::Ieee => sign | (self.greatest() + 1),
            Specials::OnlyNan => sign | 0x7F,
            Specials::Unsigned => 0x80,
            Specials::None => sign | self.greatest(),
        };
        if value.is_nan() {
            return match self.specials {
                Specials::Ieee => sign | 0x7F,
                _ => overflow,
            };
        }
        let magnitude = value.abs();
        let (mut low, mut high) = (0u8, self.greatest());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.decode(middle) <= magnitude { low = middle } else { high = middle - 1 }
        }
        let below = self.decode(low);
        if low == self.greatest() {
            let step = below - self.decode(low - 1);
            let odd = low & 1 == 1;
            let half = below + step / 2.0;
            return if magnitude > half || (magnitude == half && odd) { overflow } else { sign | low };
        }
        let above = self.decode(low + 1);
        let half = below + (above - below) / 2.0;
        let code = if magnitude > half || (magnitude == half && low & 1 == 1) { low + 1 } else { low };
        if code == 0 && self.specials == Specials::Unsigned { 0 } else { sign | code }
    }
}

/// The element at the start of `bytes` as a float; integers are converted.
pub(crate) fn read_f64(dtype: ScalarType, bytes: &[u8]) -> f64 {
    match dtype {
        F16 => f16::from_le_bytes(array(bytes)).to_f64(),
        BF16 => bf16::from_le_bytes(array(bytes)).to_f64(),
        F32 => f64::from(f32::from_le_bytes(array(bytes))),
        F64 => f64::from_le_bytes(array(bytes)),
        U64 => u64::from_le_bytes(array(bytes)) as f64,
        _ => match small_float(dtype) {
            Some(format) => format.decode(bytes[0]),
            None => read_i64(dtype, bytes) as f64,
        },
    }
}

/// The element at the start of `bytes` as an integer; floats are cut towards zero. `u64` wraps.
pub(crate) fn read_i64(dtype: ScalarType, bytes: &[u8]) -> i64 {
    match dtype {
        I1 => i64::from(bytes[0] != 0),
        I8 => i64::from(bytes[0] as i8),
        U8 => i64::from(bytes[0]),
        I16 => i64::from(i16::from_le_bytes(array(bytes))),
        U16 => i64::from(u16::from_le_bytes(array(bytes))),
        I32 => i64::from(i32::from_le_bytes(array(bytes))),
        U32 => i64::from(u32::from_le_bytes(array(bytes))),
        I64 | U64 => i64::from_le_bytes(array(bytes)),
        _ => read_f64(dtype, bytes) as i64,
    }
}

/// Writes a float as an element, rounded once to nearest even; for integers cut towards zero.
pub(crate) fn write_f64(dtype: ScalarType, value: f64, bytes: &mut [u8]) {
    match dtype {
        F16 => bytes[..2].copy_from_slice(&f16::from_f32(round_to_odd(value)).to_le_bytes()),
        BF16 => bytes[..2].copy_from_slice(&bf16::from_f32(round_to_odd(value)).to_le_bytes()),
        F32 => bytes[..4].copy_from_slice(&(value as f32).to_le_bytes()),
        F64 => bytes[..8].copy_from_slice(&value.to_le_bytes()),
        I1 => bytes[0] = u8::from(value != 0.0),
        U64 if value > 0.0 => bytes[..8].copy_from_slice(&(value as u64).to_le_bytes()),
        _ => match small_float(dtype) {
            Some(format) => bytes[0] = format.encode(value),
            None => write_i64(dtype, value as i64, bytes),
        },
    }
}

/// Writes an integer as an element; it wraps to the width.
pub(crate) fn write_i64(dtype: ScalarType, value: i64, bytes: &mut [u8]) {
    match dtype {
        I1 => bytes[0] = u8::from(value != 0),
        _ if dtype.is_float() => write_f64(dtype, value as f64, bytes),
        _ => {
            let width = dtype.bytes() as usize;
            bytes[..width].copy_from_slice(&value.to_le_bytes()[..width]);
        }
    }
}

/// The `f32` on the way to a narrower float. An inexact value gets an odd last bit, which keeps it off the ties of the
/// narrower format, so that the second rounding gives what one rounding would (Boldo and Melquiond, 2008).
fn round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    if back == value || value.is_nan() {
        return nearest;
    }
    let towards_zero = if back.abs() > value.abs() { nearest.to_bits() - 1 } else { nearest.to_bits() };
    f32::from_bits(towards_zero | 1)
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| bytes[i])
}

/// The bytes of one element that stands out when nothing wrote it: NaN for floats, the least or greatest integer.
pub(crate) fn poison(dtype: ScalarType) -> Vec<u8> {
    let mut bytes = vec![0; dtype.bytes() as usize];
    match dtype {
        F8E4B15 => bytes[0] = 0x7F,
        _ if dtype.is_float() => write_f64(dtype, f64::NAN, &mut bytes),
        I1 => bytes[0] = 1,
        _ if dtype.is_signed_int() => {
            if let Some(last) = bytes.last_mut() {
                *last = 0x80;
            }
        }
        _ => bytes.fill(0xFF),
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_float_code_survives_a_round_trip() {
        for dtype in [F8E4M3, F8E5M2, F8E4B15, F8E4M3B8, F8E5M2B16] {
            for code in 0..=255u8 {
                let value = read_f64(dtype, &[code]);
                let mut back = [0];
                write_f64(dtype, value, &mut back);
                assert!(
                    back[0] == code || (value.is_nan() && read_f64(dtype, &back).is_nan()),
                    "{dtype} {code:#x} {value}"
                );
            }
        }
        assert_eq!(read_f64(F8E4M3, &[0x7E]), 448.0);
        assert_eq!(read_f64(F8E5M2, &[0x7B]), 57344.0);
        assert_eq!(read_f64(F8E4M3B8, &[0x7F]), 240.0);
    }

    #[test]
    fn small_floats_round_to_nearest_even_and_overflow() {
        let encode = |dtype, value| {
            let mut bytes = [0];
            write_f64(dtype, value, &mut bytes);
            read_f64(dtype, &bytes)
        };
        assert_eq!(encode(F8E4M3, 17.0), 16.0);
        assert_eq!(encode(F8E4M3, 19.0), 20.0);
        assert_eq!(encode(F8E4M3, 464.0), 448.0);
        assert!(encode(F8E4M3, 480.0).is_nan());
        assert_eq!(encode(F8E5M2, 1e9), f64::INFINITY);
        assert_eq!(encode(F8E4M3, -1e-9), 0.0);
    }

    #[test]
    fn half_precision_rounds_once() {
        // Between two f16 values, just above the tie; rounding to f32 first would make it the tie.
        let tie = 1.0 + 2f64.powi(-11);
        let mut bytes = [0; 2];
        write_f64(F16, tie + 2f64.powi(-40), &mut bytes);
        assert_eq!(read_f64(F16, &bytes), 1.0 + 2f64.powi(-10));
        let tie = 1.0 + 2f64.powi(-8);
        write_f64(BF16, tie + 2f64.powi(-40), &mut bytes);
        assert_eq!(read_f64(BF16, &bytes), 1.0 + 2f64.powi(-7));
    }

    #[test]
    fn poison_stands_out() {
        for dtype in ScalarType::all() {
            let bytes = poison(dtype);
            if dtype.is_float() && dtype != F8E4B15 {
                assert!(read_f64(dtype, &bytes).is_nan(), "{dtype}");
            } else {
                assert_ne!(read_i64(dtype, &bytes), 0, "{dtype}");
            }
        }
        assert_eq!(read_i64(I32, &poison(I32)), i64::from(i32::MIN));
    }
}
