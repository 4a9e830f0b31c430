//! New tensors: ranges, random numbers, nested lists.

use super::array::Array;
use super::elementwise::from_vec;
use super::parallel::{self, BLOCK};
use super::{Tensor, check_work, checked_count, number};
use crate::exception::{Exception, Result};
use rand::SeedableRng;
use rand::distr::{Distribution, Uniform};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use tk_types::ScalarType;

/// A tensor whose elements `next` gives in row-major order.
pub(crate) fn generate(dtype: ScalarType, shape: Vec<usize>, mut next: impl FnMut() -> f64) -> Result<Tensor> {
    let count = checked_count(&shape)?;
    let width = dtype.bytes() as usize;
    crate::buffer::check_room(count.saturating_mul(width))?;
    let mut bytes = vec![0; count * width];
    bytes.chunks_exact_mut(width).for_each(|out| number::write_f64(dtype, next(), out));
    Ok(Tensor::from_bytes(dtype, shape, bytes))
}

/// Random numbers in row-major order. Each block of a large tensor has a generator of its own, seeded from `random`, so
/// that the numbers do not depend on how many threads draw them.
fn draw(
    dtype: ScalarType,
    shape: Vec<usize>,
    random: &mut ChaCha8Rng,
    sample: impl Fn(&mut ChaCha8Rng) -> f64 + Sync,
) -> Result<Tensor> {
    let count = checked_count(&shape)?;
    if count <= BLOCK {
        return generate(dtype, shape, || sample(random));
    }
    let width = dtype.bytes() as usize;
    crate::buffer::check_room(count.saturating_mul(width))?;
    let seeds: Vec<ChaCha8Rng> = (0..count.div_ceil(BLOCK)).map(|_| ChaCha8Rng::from_rng(random)).collect();
    let mut bytes = vec![0; count * width];
    parallel::fill(&mut bytes, width, &|block, out| {
        let mut random = seeds[block].clone();
        out.chunks_exact_mut(width).for_each(|out| number::write_f64(dtype, sample(&mut random), out));
    });
    Ok(Tensor::from_bytes(dtype, shape, bytes))
}

/// Normally distributed numbers.
pub(crate) fn randn(dtype: ScalarType, shape: Vec<usize>, random: &mut ChaCha8Rng) -> Result<Tensor> {
    draw(dtype, shape, random, |random| StandardNormal.sample(random))
}

/// Numbers in 0 to 1, 1 excluded in every type.
pub(crate) fn rand(dtype: ScalarType, shape: Vec<usize>, random: &mut ChaCha8Rng) -> Result<Tensor> {
    // Few enough bits that rounding to the type cannot reach 1.
    let bits = match dtype.bits() {
        64 => 53,
        32 => 24,
        16 if dtype == ScalarType::F16 => 11,
        16 => 8,
        _ => 3,
    };
    let steps = 1u64 << bits;
    let uniform = uniform(0, steps as i64)?;
    draw(dtype, shape, random, |random| uniform.sample(random) as f64 / steps as f64)
}

/// Integers from `low` to `high - 1`.
pub(crate) fn randint(
    dtype: ScalarType,
    shape: Vec<usize>,
    (low, high): (i64, i64),
    random: &mut ChaCha8Rng,
) -> Result<Tensor> {
    let uniform = uniform(low, high)?;
    if low.unsigned_abs().max(high.unsigned_abs()) <= 1 << 53 {
        // Such integers are exact as f64.
        return draw(dtype, shape, random, |random| uniform.sample(random) as f64);
    }
    let count = checked_count(&shape)?;
    check_work(count)?;
    let values = (0..count).map(|_| uniform.sample(random)).collect();
    Ok(Array::Int(from_vec(&shape, values)?).to_tensor(dtype))
}

/// The numbers 0 to `count - 1` in random order.
pub(crate) fn randperm(dtype: ScalarType, count: usize, random: &mut ChaCha8Rng) -> Result<Tensor> {
    checked_count(&[count])?;
    check_work(count)?;
    let mut values: Vec<i64> = (0..count as i64).collect();
    for i in (1..count).rev() {
        values.swap(i, uniform(0, i as i64 + 1)?.sample(random) as usize);
    }
    Ok(Array::Int(from_vec(&[count], values)?).to_tensor(dtype))
}

fn uniform(low: i64, high: i64) -> Result<Uniform<i64>> {
    Uniform::new(low, high).map_err(|_| Exception::value(format!("there are no integers from {low} to below {high}")))
}

/// `torch.arange` over integers.
pub(crate) fn arange_ints(dtype: ScalarType, (start, end, step): (i64, i64, i64)) -> Result<Tensor> {
    let distance = i128::from(end) - i128::from(start);
    let count = if step == 0 { 0 } else { (distance + i128::from(step - step.signum())) / i128::from(step) };
    if step == 0 || count < 0 {
        return Err(Exception::value("arange: the step does not lead from start to end"));
    }
    let count = usize::try_from(count).map_err(|_| Exception::overflow("arange is too large"))?;
    checked_count(&[count])?;
    check_work(count)?;
    let values = (0..count as i64).map(|i| start + i * step).collect();
    Ok(Array::Int(from_vec(&[count], values)?).to_tensor(dtype))
}

/// `torch.arange` over floats.
pub(crate) fn arange_floats(dtype: ScalarType, (start, end, step): (f64, f64, f64)) -> Result<Tensor> {
    let count = ((end - start) / step).ceil();
    if !count.is_finite() || count < 0.0 {
        return Err(Exception::value("arange: the step does not lead from start to end"));
    }
    let mut i = 0.0;
    generate(dtype, vec![count as usize], || {
        i += 1.0;
        start + (i - 1.0) * step
    })
}

/// `count` numbers from `start` to `end`, both included.
pub(crate) fn linspace(dtype: ScalarType, start: f64, end: f64, count: usize) -> Result<Tensor> {
    let steps = count.saturating_sub(1).max(1) as f64;
    let mut i = 0.0;
    generate(dtype, vec![count], || {
        i += 1.0;
        start + (i - 1.0) * (end - start) / steps
    })
}

/// The diagonal matrix of ones.
pub(crate) fn eye(dtype: ScalarType, rows: usize, columns: usize) -> Result<Tensor> {
    let mut at = 0;
    generate(dtype, vec![rows, columns], || {
        at += 1;
        let place = at - 1;
        f64::from(u8::from(place / columns == place % columns))
    })
}
