//! How exactly f32 operands are multiplied.

use crate::harness::random;
use crate::loops::Matmul;
use crate::number::{Number, product};

const SIZE: [usize; 3] = [64, 64, 96];

/// The largest error over the sum of magnitudes of the products, for random operands.
fn error(precision: &'static str, round: impl Fn(f64) -> f64) -> f64 {
    let matmul = Matmul { types: [Number::F32; 2], result: Number::F32, block: [32, 32, 32], warps: 4, precision };
    let (_, kernel) = matmul.kernel("sm_80");
    let [m, n, k] = SIZE;
    let values = |seed, count| -> Vec<f64> { random(seed, count).into_iter().map(f64::from).collect() };
    let (a, b, c) = (values(1, m * k), values(2, k * n), vec![0.0; m * n]);
    let (got, _) = matmul.run(&kernel, SIZE, [&a, &b, &c]);
    let rounded = |values: &[f64]| values.iter().map(|value| round(*value)).collect::<Vec<_>>();
    let magnitude = |values: &[f64]| values.iter().map(|value| value.abs()).collect::<Vec<_>>();
    let wanted = product(&rounded(&a), &rounded(&b), &c, SIZE);
    let scale = product(&magnitude(&a), &magnitude(&b), &c, SIZE);
    (0..m * n).map(|at| (got[at] - wanted[at]).abs() / scale[at]).fold(0.0, f64::max)
}

/// To 10 bits of mantissa, ties away from zero.
fn tf32(value: f64) -> f64 {
    let bits = (value as f32).to_bits() + 0x1000;
    f32::from_bits(bits & !0x1fff).into()
}

#[test]
fn tf32_rounds_to_nearest() {
    // Against the rounded operands only the roundings of the sum are left.
    assert!(error("tf32", tf32) < 96.0 * f64::from(f32::EPSILON) / 2.0);
    // Against the operands themselves the error is what 10 bits allow, and not better.
    let whole = error("tf32", |value| value);
    assert!((1e-5..1e-3).contains(&whole), "{whole}");
}

#[test]
fn ieee_is_single_precision() {
    assert!(error("ieee", |value| value) < 96.0 * f64::from(f32::EPSILON) / 2.0);
}
