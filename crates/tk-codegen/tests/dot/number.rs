//! Element types of matrices: their name in the IR, and small whole numbers in them, whose products and sums are exact.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// An element type of a matrix.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    F16,
    BF16,
    F32,
    F64,
    I8,
    I32,
    E4M3,
    E5M2,
}

impl Number {
    /// The name in the IR.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Number::F16 => "f16",
            Number::BF16 => "bf16",
            Number::F32 => "f32",
            Number::F64 => "f64",
            Number::I8 => "i8",
            Number::I32 => "i32",
            Number::E4M3 => "f8E4M3FN",
            Number::E5M2 => "f8E5M2",
        }
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Number::I8 | Number::E4M3 | Number::E5M2 => 1,
            Number::F16 | Number::BF16 => 2,
            Number::F32 | Number::I32 => 4,
            Number::F64 => 8,
        }
    }

    /// The element as it lies in memory; `value` is one of the type's.
    pub(crate) fn encode(self, value: f64) -> Vec<u8> {
        match self {
            Number::F16 => half::f16::from_f64(value).to_le_bytes().to_vec(),
            Number::BF16 => half::bf16::from_f64(value).to_le_bytes().to_vec(),
            Number::F32 => (value as f32).to_le_bytes().to_vec(),
            Number::F64 => value.to_le_bytes().to_vec(),
            Number::I8 => (value as i8).to_le_bytes().to_vec(),
            Number::I32 => (value as i32).to_le_bytes().to_vec(),
            Number::E4M3 | Number::E5M2 => {
                let pattern = (0..=255u8).find(|pattern| self.decode(&[*pattern]) == value);
                vec![pattern.expect("the value is one of the type's")]
            }
        }
    }

    /// The value of an element in memory.
    pub(crate) fn decode(self, bytes: &[u8]) -> f64 {
        match self {
            Number::F16 => half::f16::from_le_bytes(bytes.try_into().unwrap()).to_f64(),
            Number::BF16 => half::bf16::from_le_bytes(bytes.try_into().unwrap()).to_f64(),
            Number::F32 => f32::from_le_bytes(bytes.try_into().unwrap()).into(),
            Number::F64 => f64::from_le_bytes(bytes.try_into().unwrap()),
            Number::I8 => f64::from(bytes[0] as i8),
            Number::I32 => i32::from_le_bytes(bytes.try_into().unwrap()).into(),
            Number::E4M3 => eight_bits(bytes[0], 3, 7),
            Number::E5M2 => eight_bits(bytes[0], 2, 15),
        }
    }

    /// A random whole number, small enough for sums of a few hundred products to be exact in the result type.
    pub(crate) fn random(self, rng: &mut ChaCha8Rng) -> f64 {
        match self {
            Number::I8 => rng.random_range(-128..=127).into(),
            Number::I32 => rng.random_range(-100_000..=100_000).into(),
            Number::F16 => rng.random_range(-2..=2).into(),
            _ => rng.random_range(-8..=8).into(),
        }
    }

    /// `count` of them.
    pub(crate) fn randoms(self, rng: &mut ChaCha8Rng, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.random(rng)).collect()
    }
}

/// Finite numbers with `mantissa` bits and an exponent of this bias.
fn eight_bits(pattern: u8, mantissa: i32, bias: i32) -> f64 {
    let fraction = f64::from(pattern & ((1 << mantissa) - 1)) / f64::from(1 << mantissa);
    let exponent = i32::from(pattern & 0x7f) >> mantissa;
    let magnitude =
        if exponent == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(exponent - bias) };
    if pattern & 0x80 == 0 { magnitude } else { -magnitude }
}

/// `start + a * b` for row-major matrices of `m` by `k` and `k` by `n`.
pub(crate) fn product(a: &[f64], b: &[f64], start: &[f64], [m, n, k]: [usize; 3]) -> Vec<f64> {
    let mut out = start.to_vec();
    for i in 0..m {
        for l in 0..k {
            for j in 0..n {
                out[i * n + j] += a[i * k + l] * b[l * n + j];
            }
        }
    }
    out
}
