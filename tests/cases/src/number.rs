//! Element types and their numbers: exact encoding and decoding, written once here and independent of the compiler and of
//! the simulator.
//!
//! A float is an `f64`, an integer an `i128`; encoding rounds to nearest even, once. The 8-bit formats saturate, as the
//! conversion instructions of the GPU do (`cvt.rn.satfinite`, PTX ISA).

use std::cmp::Ordering;

/// A number before it is rounded to an element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Of the integer types and `int1`.
    Int(i128),
    /// Of the floating-point types.
    Float(f64),
}

impl Number {
    /// As `f64`; integers beyond 2^53 are rounded.
    pub fn float(self) -> f64 {
        match self {
            // No instruction converts 128 bits, and few numbers need more than 64.
            Number::Int(value) => i64::try_from(value).map_or_else(|_| value as f64, |value| value as f64),
            Number::Float(value) => value,
        }
    }

    /// As an integer; floats are truncated and saturate.
    pub fn int(self) -> i128 {
        match self {
            Number::Int(value) => value,
            Number::Float(value) => value as i128,
        }
    }

    /// Whether it is a float that is not a number.
    pub fn is_nan(self) -> bool {
        matches!(self, Number::Float(value) if value.is_nan())
    }

    /// The order of numbers of one kind.
    pub fn order(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.partial_cmp(&b),
            (a, b) => a.float().partial_cmp(&b.float()),
        }
    }
}

/// An element type of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Type {
    B1,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    E4M3,
    E5M2,
    F16,
    BF16,
    F32,
    F64,
}

use Type::*;

/// (type, name in tables, `tl` name, torch name, bits)
const TYPES: &[(Type, &str, &str, &str, u32)] = &[
    (B1, "i1", "int1", "bool", 1),
    (I8, "i8", "int8", "int8", 8),
    (I16, "i16", "int16", "int16", 16),
    (I32, "i32", "int32", "int32", 32),
    (I64, "i64", "int64", "int64", 64),
    (U8, "u8", "uint8", "uint8", 8),
    (U16, "u16", "uint16", "uint16", 16),
    (U32, "u32", "uint32", "uint32", 32),
    (U64, "u64", "uint64", "uint64", 64),
    (E4M3, "e4m3", "float8e4nv", "float8_e4m3fn", 8),
    (E5M2, "e5m2", "float8e5", "float8_e5m2", 8),
    (F16, "f16", "float16", "float16", 16),
    (BF16, "bf16", "bfloat16", "bfloat16", 16),
    (F32, "f32", "float32", "float32", 32),
    (F64, "f64", "float64", "float64", 64),
];

/// Exponent bits, fraction bits, and whether the largest exponent holds infinities.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
    infinite: bool,
}

impl Type {
    /// Every type.
    pub fn all() -> impl Iterator<Item = Type> {
        TYPES.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (Type, &'static str, &'static str, &'static str, u32) {
        TYPES.iter().find(|row| row.0 == self).unwrap_or(&TYPES[0])
    }

    /// From its name in the tables (`f16`, `u32`) or in `triton.language` (`float16`).
    pub fn parse(name: &str) -> Option<Type> {
        TYPES.iter().find(|row| row.1 == name || row.2 == name).map(|row| row.0)
    }

    /// Its name in the tables and in the names of cases.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Its name after `tl.`.
    pub fn tl(self) -> &'static str {
        self.row().2
    }

    /// Its name after `torch.`.
    pub fn torch(self) -> &'static str {
        self.row().3
    }

    /// Bits of a number; `int1` has one.
    pub fn bits(self) -> u32 {
        self.row().4
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        self >= E4M3
    }

    /// Whether it is one of the 8-bit floating-point types.
    pub fn is_fp8(self) -> bool {
        matches!(self, E4M3 | E5M2)
    }

    /// Whether it is a signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64)
    }

    fn format(self) -> Format {
        let (exponent, fraction, infinite) = match self {
            E4M3 => (4, 3, false),
            E5M2 => (5, 2, true),
            F16 => (5, 10, true),
            BF16 => (8, 7, true),
            F32 => (8, 23, true),
            _ => (11, 52, true),
        };
        Format { exponent, fraction, infinite }
    }

    /// The integer that remains of `value` in this many bits.
    pub fn wrap(self, value: i128) -> i128 {
        let modulus = 1i128 << self.bits();
        let low = value & (modulus - 1);
        if self.is_signed() && low >= modulus / 2 { low - modulus } else { low }
    }

    /// The smallest and the largest integer of an integer type.
    pub fn integer_range(self) -> (i128, i128) {
        let modulus = 1i128 << self.bits();
        if self.is_signed() { (-modulus / 2, modulus / 2 - 1) } else { (0, modulus - 1) }
    }

    /// The largest finite number of a floating-point type.
    pub fn largest(self) -> f64 {
        let Format { exponent, fraction, infinite } = self.format();
        let bias = (1i32 << (exponent - 1)) - 1;
        match infinite {
            true => (2.0 - 2f64.powi(-(fraction as i32))) * 2f64.powi(bias),
            false => 448.0,
        }
    }

    /// The smallest positive normal number of a floating-point type.
    pub fn smallest_normal(self) -> f64 {
        2f64.powi(2 - (1i32 << (self.format().exponent - 1)))
    }

    /// The distance from 1 to the next number of a floating-point type.
    pub fn epsilon(self) -> f64 {
        2f64.powi(-(self.format().fraction as i32))
    }

    /// The bits of a number, rounded to nearest even.
    pub fn encode(self, number: Number) -> u64 {
        self.encode_rounded(number, false)
    }

    /// The bits of a number, rounded towards zero when asked.
    pub fn encode_rounded(self, number: Number, towards_zero: bool) -> u64 {
        if !self.is_float() {
            let value = match number {
                Number::Int(value) if self == B1 => i128::from(value != 0),
                Number::Float(value) if self == B1 => i128::from(value != 0.0),
                number => number.int(),
            };
            return (value as u64) & (u64::MAX >> (64 - self.bits()));
        }
        match number {
            Number::Float(value) if self == F64 => value.to_bits(),
            Number::Int(value) if self == F64 => (value as f64).to_bits(),
            // Integers beyond 2^53 must not be rounded twice: the sticky bit keeps what was cut off.
            Number::Int(value) if value.unsigned_abs() >= 1 << 53 => {
                let cut = 128 - value.unsigned_abs().leading_zeros() - 53;
                let kept = (value.unsigned_abs() >> cut) << cut;
                let sticky = if kept == value.unsigned_abs() { 0 } else { 1u128 << cut };
                let odd = (kept | sticky) as f64;
                self.round(if value < 0 { -odd } else { odd }, towards_zero)
            }
            number => self.round(number.float(), towards_zero),
        }
    }

    fn round(self, value: f64, towards_zero: bool) -> u64 {
        let Format { exponent, fraction, infinite } = self.format();
        let sign = u64::from(value.is_sign_negative()) << (exponent + fraction);
        let all_ones = ((1u64 << exponent) - 1) << fraction;
        if value.is_nan() {
            return if infinite { all_ones | 1 << (fraction - 1) } else { 0x7f };
        }
        let magnitude = value.abs();
        let bias = (1i32 << (exponent - 1)) - 1;
        let scale = exponent_of(magnitude).max(1 - bias);
        // The significand in units of the last place; exact, because both factors are powers of two.
        let units = magnitude * 2f64.powi(fraction as i32 - scale);
        let rounded = if towards_zero { units.floor() } else { units.round_ties_even() };
        let beyond = rounded * 2f64.powi(scale - fraction as i32) > self.largest();
        if beyond || magnitude.is_infinite() {
            let largest = if infinite { all_ones - 1 } else { all_ones | 6 };
            let stays_finite = self.is_fp8() || (towards_zero && magnitude.is_finite());
            return sign | if stays_finite { largest } else { all_ones };
        }
        // A significand that rounds up to the next power of two carries into the exponent by itself.
        let biased = (scale + bias - 1) as u64;
        sign | ((biased << fraction) + rounded as u64)
    }

    /// The number that these bits are.
    pub fn decode(self, bits: u64) -> Number {
        if !self.is_float() {
            return Number::Int(self.wrap(i128::from(bits)));
        }
        if self == F64 {
            return Number::Float(f64::from_bits(bits));
        }
        let Format { exponent, fraction, infinite } = self.format();
        let sign = if bits >> (exponent + fraction) & 1 == 1 { -1.0 } else { 1.0 };
        let biased = (bits >> fraction & ((1 << exponent) - 1)) as i32;
        let significand = bits & ((1 << fraction) - 1);
        let largest_exponent = biased == (1 << exponent) - 1;
        if largest_exponent && infinite {
            return Number::Float(if significand == 0 { sign * f64::INFINITY } else { f64::NAN });
        }
        if largest_exponent && significand == (1 << fraction) - 1 {
            return Number::Float(f64::NAN);
        }
        let bias = (1 << (exponent - 1)) - 1;
        let hidden = if biased == 0 { 0 } else { 1u64 << fraction };
        let power = biased.max(1) - bias - fraction as i32;
        Number::Float(sign * (hidden | significand) as f64 * 2f64.powi(power))
    }

    /// What a number becomes when it is stored as this type and read back.
    pub fn rounded(self, number: Number) -> Number {
        self.decode(self.encode(number))
    }

    /// The bits as the signed integer of the same width, as the generated files write them.
    pub fn signed_bits(self, bits: u64) -> i64 {
        match self.bits() {
            64 => bits as i64,
            1 => bits as i64,
            width => ((bits << (64 - width)) as i64) >> (64 - width),
        }
    }
}

/// The exponent of the leading bit of a positive finite number.
fn exponent_of(magnitude: f64) -> i32 {
    if magnitude == 0.0 {
        return i32::MIN / 2;
    }
    let bits = magnitude.to_bits();
    match (bits >> 52) as i32 {
        // A subnormal: its leading bit is 52 - (zeros - 11) places above 2^-1074.
        0 => -1011 - bits.leading_zeros() as i32,
        biased => biased - 1023,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn every_bit_pattern_of_small_types_survives() {
        for ty in Type::all().filter(|ty| ty.bits() <= 16) {
            for bits in 0..1u64 << ty.bits() {
                let number = ty.decode(bits);
                let saturates = ty.is_fp8() && number.float().is_infinite();
                let bits = if number.is_nan() || saturates { ty.encode(number) } else { bits };
                assert_eq!(ty.encode(number), bits, "{ty:?} {bits:#x} {number:?}");
            }
        }
    }

    #[test]
    fn rounding_agrees_with_the_crate_half_and_with_rust() {
        let mut random = crate::draw::seeded("rounding");
        for _ in 0..200_000 {
            let value = f32::from_bits(random.random());
            if value.is_nan() {
                continue;
            }
            let wide = Number::Float(f64::from(value));
            assert_eq!(F32.encode(wide), u64::from(value.to_bits()));
            assert_eq!(F16.encode(wide), u64::from(half::f16::from_f32(value).to_bits()), "{value}");
            assert_eq!(BF16.encode(wide), u64::from(half::bf16::from_f32(value).to_bits()), "{value}");
            let double = f64::from_bits(random.random());
            if !double.is_nan() {
                assert_eq!(F32.encode(Number::Float(double)), u64::from((double as f32).to_bits()), "{double}");
            }
            let integer: i64 = random.random();
            assert_eq!(F32.encode(Number::Int(integer.into())), u64::from((integer as f32).to_bits()), "{integer}");
        }
    }

    #[test]
    fn formats_have_their_published_limits() {
        assert_eq!((E4M3.largest(), E5M2.largest(), F16.largest()), (448.0, 57344.0, 65504.0));
        assert_eq!(F32.largest(), f64::from(f32::MAX));
        assert_eq!(F16.encode(Number::Float(65520.0)), 0x7c00);
        assert_eq!(F16.encode_rounded(Number::Float(65520.0), true), 0x7bff);
        assert_eq!(E4M3.encode(Number::Float(1e9)), 0x7e);
        assert_eq!(E5M2.encode(Number::Float(f64::INFINITY)), 0x7b);
    }
}
