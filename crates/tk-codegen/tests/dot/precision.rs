//! How exactly f32 operands are multiplied, in one part and in several.

use crate::dot::loops::Matmul;
use crate::dot::number::{Number, product};
use crate::harness::random;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

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

/// To 10 bits of mantissa, as the multiplier reads a word.
fn tf32(value: f64) -> f64 {
    f32::from_bits((value as f32).to_bits() & !0x1fff).into()
}

#[test]
fn tf32_drops_the_lower_bits() {
    // Against what is multiplied only the roundings of the sum are left.
    assert!(error("tf32", tf32) < 96.0 * f64::from(f32::EPSILON) / 2.0);
    // Against the operands themselves the error is what 10 bits allow, and not better.
    let whole = error("tf32", |value| value);
    assert!((1e-5..1e-3).contains(&whole), "{whole}");
}

#[test]
fn ieee_is_single_precision() {
    assert!(error("ieee", |value| value) < 96.0 * f64::from(f32::EPSILON) / 2.0);
}

/// A precision of several parts, its instruction on sm_80 and sm_90a, and the error of one product that it allows: what the products
/// that are left out come to, and the rounding of the last part.
const IN_PARTS: [(&str, &str, &str, f64); 3] = [
    ("tf32x3", "f32.tf32.tf32.f32", "m64n64k8.f32.tf32.tf32", 1.25 / (1 << 20) as f64),
    ("bf16x3", "f32.bf16.bf16.f32", "m64n64k16.f32.bf16.bf16", 3.0 / (1 << 16) as f64),
    ("bf16x6", "f32.bf16.bf16.f32", "m64n64k16.f32.bf16.bf16", 4.0 / (1 << 24) as f64),
];

/// Results of a kernel for each precision and GPU; `check` gets them with the precision and the error of one product.
fn each_in_parts(a: &[f64], b: &[f64], check: impl Fn(&[f64], &str, f64)) {
    let [m, n, _] = SIZE;
    for (precision, on_80, on_90, bound) in IN_PARTS {
        for (target, instruction) in [("sm_80", on_80), ("sm_90a", on_90)] {
            let matmul =
                Matmul { types: [Number::F32; 2], result: Number::F32, block: [64, 64, 32], warps: 4, precision };
            let (_, kernel) = matmul.kernel(target);
            assert!(kernel.generated.image.ptx.contains(instruction), "{precision} on {target}");
            assert_eq!(kernel.count("fma.rn.f32"), 0, "{precision} on {target}");
            let (got, _) = matmul.run(&kernel, SIZE, [a, b, &vec![0.0; m * n]]);
            check(&got, &format!("{precision} on {target}"), bound);
        }
    }
}

fn magnitudes(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.abs()).collect()
}

/// The error is within the bound of each product plus the rounding of the sum, for numbers of one magnitude and of all that have
/// products in range.
#[test]
fn parts_are_as_precise_as_they_say() {
    let [m, n, k] = SIZE;
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for exponents in [0, 4, 30] {
        let mut values = |count| -> Vec<f64> {
            let mut value =
                || f64::from(rng.random_range(-1.0f32..1.0) * 2f32.powi(rng.random_range(-exponents..=exponents)));
            (0..count).map(|_| value()).collect()
        };
        let (a, b, zero) = (values(m * k), values(k * n), vec![0.0; m * n]);
        let wanted = product(&a, &b, &zero, SIZE);
        let scale = product(&magnitudes(&a), &magnitudes(&b), &zero, SIZE);
        each_in_parts(&a, &b, |got, name, bound| {
            let sum = 2.0 * k as f64 * f64::from(f32::EPSILON);
            let error = (0..m * n).map(|at| (got[at] - wanted[at]).abs() / scale[at]).fold(0.0, f64::max);
            assert!(error < bound + sum / 4.0, "{name}, exponents up to {exponents}: {error}");
        });
    }
}

/// One part more is worth what it says: numbers that need all bits of f32, in products without a sum.
#[test]
fn single_products_are_within_their_bound() {
    let [m, n, k] = SIZE;
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut a, mut b) = (vec![0.0; m * k], vec![0.0; k * n]);
    let mut next = || f64::from(rng.random_range(-2.0f32..2.0));
    (0..m).for_each(|row| a[row * k + row % k] = next());
    b.fill_with(next);
    let wanted = product(&a, &b, &vec![0.0; m * n], SIZE);
    each_in_parts(&a, &b, |got, name, bound| {
        for (got, wanted) in got.iter().zip(&wanted) {
            assert!(
                (got - wanted).abs() <= (bound + f64::from(f32::EPSILON)) * wanted.abs(),
                "{name}: {got}, not {wanted}"
            );
        }
    });
}

/// Infinities and what is no number come out where IEEE says.
#[test]
fn parts_of_infinities() {
    let [m, n, k] = SIZE;
    let values = |seed, count| -> Vec<f64> { random(seed, count).into_iter().map(f64::from).collect() };
    let (mut a, mut b) = (values(1, m * k), values(2, k * n));
    (a[3], a[k + 5], a[2 * k], b[5], b[2 * n + 7]) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, f64::NAN, f64::INFINITY);
    let wanted = product(&a, &b, &vec![0.0; m * n], SIZE);
    each_in_parts(&a, &b, |got, name, _| {
        for (got, wanted) in got.iter().zip(&wanted) {
            let is_same = if wanted.is_finite() { got.is_finite() } else { got.to_string() == wanted.to_string() };
            assert!(is_same, "{name}: {got}, not {wanted}");
        }
    });
}
