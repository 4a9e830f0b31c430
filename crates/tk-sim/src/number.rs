//! Floating-point formats that Rust does not have, and rounding to any of them.
//!
//! Everything goes through `f64`: an exact result is first rounded to odd ([`odd_sum`], [`odd_product_sum`]), which
//! keeps enough of it for one correct rounding to any format of at most 51 significant bits (Boldo and Melquiond,
//! "When double rounding is odd").

/// An IEEE half, by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct F16(pub(crate) u16);

/// A bfloat16, by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BF16(pub(crate) u16);

/// Rounding modes of PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// To nearest, ties to even.
    Nearest,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Toward zero.
    Zero,
    /// Toward minus infinity.
    Down,
    /// Toward plus infinity.
    Up,
}

/// A binary format below 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// Exponent bits.
    pub(crate) exponent: u32,
    /// Stored mantissa bits.
    pub(crate) mantissa: u32,
    /// Has infinities (and NaNs with any mantissa); without them only the all-ones code is NaN.
    pub(crate) infinite: bool,
}

pub(crate) const HALF: Format = Format { exponent: 5, mantissa: 10, infinite: true };
pub(crate) const BRAIN: Format = Format { exponent: 8, mantissa: 7, infinite: true };
pub(crate) const SINGLE: Format = Format { exponent: 8, mantissa: 23, infinite: true };
pub(crate) const TENSOR: Format = Format { exponent: 8, mantissa: 10, infinite: true };
pub(crate) const E5M2: Format = Format { exponent: 5, mantissa: 2, infinite: true };
pub(crate) const E4M3: Format = Format { exponent: 4, mantissa: 3, infinite: false };

impl Format {
    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    fn sign_bit(self) -> u64 {
        1 << (self.exponent + self.mantissa)
    }

    /// The code of plus infinity, or the NaN code of a format without.
    fn infinity(self) -> u64 {
        if self.infinite { ((1 << self.exponent) - 1) << self.mantissa } else { self.sign_bit() - 1 }
    }

    /// The code of the largest finite number.
    fn largest(self) -> u64 {
        self.infinity() - 1
    }

    /// The code that NVIDIA's conversions give for NaN: all ones below the sign.
    fn nan(self) -> u64 {
        self.sign_bit() - 1
    }

    /// The code nearest to `value`. Too large values become infinity (or the NaN code of a format without), or the
    /// largest number with `saturate` and in modes that round toward it.
    pub(crate) fn encode(self, value: f64, round: Round, saturate: bool) -> u64 {
        if value.is_nan() {
            return self.nan();
        }
        let negative = value.is_sign_negative();
        let sign = if negative { self.sign_bit() } else { 0 };
        let overflow = match round {
            _ if saturate => self.largest(),
            _ if value.is_infinite() => self.infinity(),
            Round::Zero => self.largest(),
            Round::Down if !negative => self.largest(),
            Round::Up if negative => self.largest(),
            _ => self.infinity(),
        };
        if value.is_infinite() {
            return sign | overflow;
        }
        sign | self.magnitude(value.to_bits() & !(1 << 63), negative, round).min(overflow)
    }

    /// The code of a magnitude given as the bits of an f64, not yet limited to the largest number.
    fn magnitude(self, bits: u64, negative: bool, round: Round) -> u64 {
        let field = (bits >> 52) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (significand, exponent) = if field == 0 { (fraction, -1022) } else { (fraction | 1 << 52, field - 1023) };
        let least = 1 - self.bias();
        let mantissa = self.mantissa as i32;
        let quantum = exponent.max(least) - mantissa;
        let shift = (quantum - (exponent - 52)).clamp(1, 63) as u32;
        let (kept, rest, half) = (significand >> shift, significand & ((1 << shift) - 1), 1u64 << (shift - 1));
        let up = match round {
            Round::Nearest => rest > half || (rest == half && kept & 1 == 1),
            Round::NearestAway => rest >= half,
            Round::Zero => false,
            Round::Down => negative && rest != 0,
            Round::Up => !negative && rest != 0,
        };
        let kept = kept + u64::from(up);
        // A carry out of the mantissa runs into the exponent field, which is exactly right.
        let binade = (exponent.max(least) - least) as u64;
        (binade << self.mantissa) + kept
    }

    /// The value of a code.
    pub(crate) fn decode(self, code: u64) -> f64 {
        let negative = code & self.sign_bit() != 0;
        let code = code & (self.sign_bit() - 1);
        let (field, fraction) = ((code >> self.mantissa) as i32, code & ((1 << self.mantissa) - 1));
        let magnitude = if code >= self.infinity() {
            if !self.infinite || code != self.infinity() {
                return f64::from_bits(0x7FF8_0000_0000_0000);
            }
            f64::INFINITY
        } else if field == 0 {
            fraction as f64 * power_of_two(1 - self.bias() - self.mantissa as i32)
        } else {
            (fraction | 1 << self.mantissa) as f64 * power_of_two(field - self.bias() - self.mantissa as i32)
        };
        if negative { -magnitude } else { magnitude }
    }
}

/// 2^n for n in the normal range of f64.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

impl F16 {
    /// Exact; without a branch, so that loops over it use vectors.
    #[inline(always)]
    pub(crate) fn to_f32(self) -> f32 {
        /// Infinity, where an f16 has it after the shift.
        const INFINITE: u32 = 0x7C00 << 13;
        let magnitude = u32::from(self.0 & 0x7FFF) << 13;
        // The exponents differ by 112, and subnormal numbers come out right by this product.
        let finite = (f32::from_bits(magnitude) * f32::from_bits(0x7780_0000)).to_bits();
        let quiet = if magnitude > INFINITE { 0x0040_0000 } else { 0 };
        let bits = if magnitude >= INFINITE { magnitude | 0x7F80_0000 | quiet } else { finite };
        f32::from_bits(bits | u32::from(self.0 & 0x8000) << 16)
    }

    #[inline]
    pub(crate) fn from_f32(value: f32) -> Self {
        if value.is_nan() { F16(0x7FFF) } else { F16(half::f16::from_f32(value).to_bits()) }
    }

    pub(crate) fn from_f64(value: f64) -> Self {
        F16(HALF.encode(value, Round::Nearest, false) as u16)
    }
}

impl BF16 {
    #[inline]
    pub(crate) fn to_f32(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    #[inline]
    pub(crate) fn from_f32(value: f32) -> Self {
        if value.is_nan() {
            return BF16(0x7FFF);
        }
        let bits = value.to_bits();
        BF16(((bits + 0x7FFF + (bits >> 16 & 1)) >> 16) as u16)
    }

    pub(crate) fn from_f64(value: f64) -> Self {
        BF16(BRAIN.encode(value, Round::Nearest, false) as u16)
    }
}

/// The f32 nearest to `value` in a rounding mode.
pub(crate) fn single(value: f64, round: Round) -> f32 {
    match round {
        Round::Nearest => value as f32,
        _ => f32::from_bits(SINGLE.encode(value, round, false) as u32),
    }
}

/// `a + b` rounded to odd.
pub(crate) fn odd_sum(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    // Two-sum (Knuth): the exact error of the addition.
    let x = sum - b;
    let error = (a - x) + (b - (sum - x));
    to_odd(sum, error)
}

/// `a * b + c` rounded to odd, for factors of at most 26 significant bits (their product is exact).
pub(crate) fn odd_product_sum(a: f64, b: f64, c: f64) -> f64 {
    odd_sum(a * b, c)
}

/// `a / b` rounded to odd, for operands of at most 24 bits.
pub(crate) fn odd_quotient(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if !quotient.is_finite() || quotient == 0.0 {
        return quotient;
    }
    let rest = (-quotient).mul_add(b, a);
    to_odd(quotient, if b.is_sign_negative() { -rest } else { rest })
}

/// The square root rounded to odd, for operands of at most 24 bits.
pub(crate) fn odd_root(a: f64) -> f64 {
    let root = a.sqrt();
    if !root.is_finite() || root == 0.0 {
        return root;
    }
    to_odd(root, (-root).mul_add(root, a))
}

/// An integer rounded to odd.
pub(crate) fn odd_integer(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let width = 128 - magnitude.leading_zeros();
    let shift = width.saturating_sub(53);
    let sticky = u128::from(shift > 0 && magnitude & ((1u128 << shift) - 1) != 0);
    let kept = ((magnitude >> shift) | sticky) as u64 as f64 * power_of_two(shift as i32);
    if value < 0 { -kept } else { kept }
}

/// Moves an inexact, nearest-rounded value to its odd neighbour on the side of the error.
fn to_odd(value: f64, error: f64) -> f64 {
    let bits = value.to_bits();
    if error == 0.0 || error.is_nan() || bits & 1 == 1 {
        return value;
    }
    if value == 0.0 {
        return f64::from_bits(1 | (error.to_bits() & 1 << 63));
    }
    let away = (error > 0.0) == (value > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn every_half_and_brain_code_survives() {
        for code in 0..=u16::MAX {
            let value = half::f16::from_bits(code).to_f64();
            let brain = half::bf16::from_bits(code).to_f64();
            if !value.is_nan() {
                assert_eq!(HALF.decode(u64::from(code)), value);
                assert_eq!(HALF.encode(value, Round::Nearest, false), u64::from(code));
            }
            if !brain.is_nan() {
                assert_eq!(BRAIN.decode(u64::from(code)), brain);
                assert_eq!(BRAIN.encode(brain, Round::Zero, false), u64::from(code));
            }
        }
    }

    #[test]
    fn rounding_agrees_with_the_half_crate_and_with_hardware() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..200_000 {
            let value = f32::from_bits(random.random());
            if value.is_nan() {
                continue;
            }
            let wide = f64::from(value);
            assert_eq!(HALF.encode(wide, Round::Nearest, false), u64::from(half::f16::from_f32(value).to_bits()));
            assert_eq!(BRAIN.encode(wide, Round::Nearest, false), u64::from(half::bf16::from_f32(value).to_bits()));
            assert_eq!(BF16::from_f32(value), BF16::from_f64(wide));
            let double = f64::from_bits(random.random());
            if !double.is_nan() {
                assert_eq!(SINGLE.encode(double, Round::Nearest, false) as u32, (double as f32).to_bits());
            }
            let (down, up) = (HALF.encode(wide, Round::Down, false), HALF.encode(wide, Round::Up, false));
            assert!(HALF.decode(down) <= wide && wide <= HALF.decode(up), "{value}");
        }
    }

    #[test]
    fn small_formats_have_their_limits() {
        assert_eq!(E4M3.encode(448.0, Round::Nearest, true), 0x7E);
        assert_eq!(E4M3.encode(1e9, Round::Nearest, true), 0x7E);
        assert_eq!(E4M3.encode(-1e9, Round::Nearest, true), 0xFE);
        assert_eq!(E4M3.encode(f64::NAN, Round::Nearest, true), 0x7F);
        assert_eq!(E4M3.decode(0x01), 2f64.powi(-9));
        assert_eq!(E5M2.encode(57344.0, Round::Nearest, true), 0x7B);
        assert_eq!(E5M2.encode(1e9, Round::Nearest, false), 0x7C);
        assert_eq!(E5M2.decode(0x7C), f64::INFINITY);
        assert_eq!(TENSOR.encode(1.0 + 2f64.powi(-11), Round::NearestAway, false), (127 << 10) + 1);
        assert_eq!(TENSOR.encode(1.0 + 2f64.powi(-11), Round::Nearest, false), 127 << 10);
    }

    #[test]
    fn fused_sums_round_once() {
        let mut random = ChaCha8Rng::seed_from_u64(99);
        for _ in 0..200_000 {
            let mut next = || f32::from_bits(random.random());
            let (a, b, c) = (next(), next(), next());
            let wanted = a.mul_add(b, c);
            let got = odd_product_sum(f64::from(a), f64::from(b), f64::from(c)) as f32;
            assert!(wanted == got || wanted.is_nan() && got.is_nan(), "{a} {b} {c}: {wanted} {got}");
            let quotient = odd_quotient(f64::from(a), f64::from(b)) as f32;
            assert!(a / b == quotient || quotient.is_nan(), "{a} / {b}: {} {quotient}", a / b);
        }
    }
}
