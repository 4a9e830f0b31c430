//! Numbers that every element type holds exactly, so that products have one right answer.

use crate::harness::upload;
use half::{bf16, f16};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_sim::{Buffer, DeviceMemory};

/// What the elements of a tensor are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    F16,
    BF16,
    F32,
    E4M3,
    E5M2,
    I8,
    I32,
}

impl Kind {
    /// Random numbers: whole ones for integers and wherever `whole` asks for them, otherwise quarters.
    pub(crate) fn numbers(self, seed: u64, count: usize, whole: bool) -> Vec<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut next = || match self {
            Kind::I8 => f64::from(random.random_range(-128..128)),
            _ if whole => f64::from(random.random_range(-1..=1)),
            _ => f64::from(random.random_range(-8..=8)) / 4.0,
        };
        (0..count).map(|_| next()).collect()
    }

    /// A buffer with these numbers.
    pub(crate) fn upload(self, memory: &mut DeviceMemory, values: &[f64]) -> Buffer {
        match self {
            Kind::F16 => upload(memory, &values.iter().map(|x| f16::from_f64(*x)).collect::<Vec<_>>()),
            Kind::BF16 => upload(memory, &values.iter().map(|x| bf16::from_f64(*x)).collect::<Vec<_>>()),
            Kind::F32 => upload(memory, &values.iter().map(|x| *x as f32).collect::<Vec<_>>()),
            Kind::E4M3 => upload(memory, &values.iter().map(|x| float8(*x, 3, 7)).collect::<Vec<_>>()),
            Kind::E5M2 => upload(memory, &values.iter().map(|x| float8(*x, 2, 15)).collect::<Vec<_>>()),
            Kind::I8 => upload(memory, &values.iter().map(|x| *x as i8).collect::<Vec<_>>()),
            Kind::I32 => upload(memory, &values.iter().map(|x| *x as i32).collect::<Vec<_>>()),
        }
    }

    /// The numbers in a buffer.
    pub(crate) fn download(self, memory: &DeviceMemory, buffer: Buffer) -> Vec<f64> {
        let bytes = memory.read(buffer).unwrap();
        let number = |bytes: &[u8]| match self {
            Kind::F16 => f16::from_le_bytes(bytes.try_into().unwrap()).to_f64(),
            Kind::BF16 => bf16::from_le_bytes(bytes.try_into().unwrap()).to_f64(),
            Kind::F32 => f32::from_le_bytes(bytes.try_into().unwrap()).into(),
            _ => i32::from_le_bytes(bytes.try_into().unwrap()).into(),
        };
        bytes.chunks(self.bytes()).map(number).collect()
    }

    /// The nearest number of this kind.
    pub(crate) fn round(self, value: f64) -> f64 {
        match self {
            Kind::F16 => f16::from_f64(value).to_f64(),
            Kind::BF16 => bf16::from_f64(value).to_f64(),
            Kind::F32 => f64::from(value as f32),
            _ => value,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Kind::F16 | Kind::BF16 => 2,
            Kind::F32 | Kind::I32 => 4,
            _ => 1,
        }
    }
}

/// The 8-bit float with `mantissa` bits and this exponent bias that is exactly `value`.
fn float8(value: f64, mantissa: u32, bias: i32) -> u8 {
    let decode = |bits: u8| {
        let (exponent, fraction) = (i32::from(bits >> mantissa), f64::from(bits & ((1 << mantissa) - 1)));
        let fraction = fraction / f64::from(1 << mantissa);
        if exponent == 0 { fraction * 2f64.powi(1 - bias) } else { (1.0 + fraction) * 2f64.powi(exponent - bias) }
    };
    let bits = (0..128u8).find(|bits| decode(*bits) == value.abs()).expect("an exact 8-bit float");
    if value < 0.0 { bits | 128 } else { bits }
}
