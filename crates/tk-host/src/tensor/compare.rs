//! `torch.testing.assert_close`, `allclose` and `equal`.

use super::{Tensor, show_shape, torch_name};
use crate::exception::{Exception, Result};
use tk_types::ScalarType::{self, *};

/// How close is close.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerance {
    pub(crate) relative: f64,
    pub(crate) absolute: f64,
    pub(crate) nan_equals_nan: bool,
}

/// The tolerances that `assert_close` takes for a type: torch's.
pub(crate) fn default_tolerance(dtype: ScalarType) -> (f64, f64) {
    match dtype {
        F16 => (1e-3, 1e-5),
        BF16 => (1.6e-2, 1e-5),
        F32 => (1.3e-6, 1e-5),
        F64 => (1e-7, 1e-7),
        _ => (0.0, 0.0),
    }
}

/// Where and how much two tensors of one shape differ.
struct Difference {
    count: usize,
    total: usize,
    /// The greatest difference, with its flat index and the two values.
    worst: Option<(f64, usize, f64, f64)>,
    greatest_relative: f64,
}

fn difference(actual: &Tensor, expected: &Tensor, tolerance: Tolerance) -> Result<Difference> {
    let sizes: Vec<i128> = actual.shape.iter().map(|size| *size as i128).collect();
    super::check_work(actual.count().saturating_mul(2))?;
    let (a, b) = (actual.floats(), expected.expand(&sizes)?.floats());
    let mut result = Difference { count: 0, total: a.len(), worst: None, greatest_relative: 0.0 };
    for (flat, (a, b)) in a.iter().zip(b.iter()).enumerate() {
        let same = a == b || (tolerance.nan_equals_nan && a.is_nan() && b.is_nan());
        let distance = (a - b).abs();
        // A comparison with NaN is false, so NaN against a number differs.
        let close = same || (distance <= tolerance.absolute + tolerance.relative * b.abs() && b.is_finite());
        if close {
            continue;
        }
        result.count += 1;
        let distance = if distance.is_nan() { f64::INFINITY } else { distance };
        result.greatest_relative = result.greatest_relative.max(distance / b.abs());
        if result.worst.is_none_or(|worst| distance > worst.0) {
            result.worst = Some((distance, flat, *a, *b));
        }
    }
    Ok(result)
}

/// Whether all elements are close.
pub(crate) fn allclose(actual: &Tensor, expected: &Tensor, tolerance: Tolerance) -> Result<bool> {
    let shape = super::array::broadcast_shape(&actual.shape, &expected.shape)?;
    let sizes: Vec<i128> = shape.iter().map(|size| *size as i128).collect();
    Ok(difference(&actual.expand(&sizes)?, expected, tolerance)?.count == 0)
}

/// Whether shape and elements are the same.
pub(crate) fn equal(left: &Tensor, right: &Tensor) -> Result<bool> {
    let exact = Tolerance { relative: 0.0, absolute: 0.0, nan_equals_nan: false };
    Ok(left.shape == right.shape && difference(left, right, exact)?.count == 0)
}

/// An `AssertionError` that says how many elements differ, and where the greatest difference is.
pub(crate) fn assert_close(
    actual: &Tensor,
    expected: &Tensor,
    tolerance: Tolerance,
    check_dtype: CheckDtype,
) -> Result<()> {
    if actual.shape != expected.shape {
        let shapes = format!("{} and {}", show_shape(&actual.shape), show_shape(&expected.shape));
        return Err(Exception::assertion(format!("the tensors have different shapes: {shapes}")));
    }
    if check_dtype == CheckDtype::Yes && actual.dtype != expected.dtype {
        let types = format!("{} and {}", torch_name(actual.dtype), torch_name(expected.dtype));
        let exception = Exception::assertion(format!("the tensors have different types: {types}"));
        return Err(exception.help("convert one of them, or pass check_dtype=False"));
    }
    let difference = difference(actual, expected, tolerance)?;
    let Some((distance, flat, a, b)) = difference.worst else { return Ok(()) };
    let share = 100.0 * difference.count as f64 / difference.total as f64;
    let counts = format!("{} of {} elements differ ({share:.1} %)", difference.count, difference.total);
    let at = show_shape(&coordinates(flat, &actual.shape));
    let (relative, absolute) = (tolerance.relative, tolerance.absolute);
    let mut exception = Exception::assertion(format!("the tensors are not close: {counts}"))
        .note(format!("the greatest difference is {distance:?} at index {at}: {a:?} where {b:?} is expected"))
        .note(format!("the greatest relative difference is {:?}", difference.greatest_relative))
        .note(format!("allowed are atol={absolute:?} and rtol={relative:?}"));
    if a.is_nan() && !b.is_nan() {
        exception = exception.help("NaN here may be memory that nothing wrote: torch.empty is filled with NaN");
    }
    Err(exception)
}

/// Whether `assert_close` also compares element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckDtype {
    Yes,
    No,
}

/// The index of the element at a place in row-major order.
pub(crate) fn coordinates(flat: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = flat;
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|size| {
            let place = rest % size;
            rest /= size;
            place
        })
        .collect();
    index.reverse();
    index
}
