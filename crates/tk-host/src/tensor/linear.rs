//! Matrix products. `ndarray` multiplies blocks; halves accumulate in `f32`, `f32` in `f64`, integers in `i64`.

use super::array::{Array, broadcast_shape};
use super::{Tensor, checked_count, number, show_shape};
use crate::exception::{Exception, Result};
use ndarray::{ArrayView2, LinalgScalar, s};
use tk_types::ScalarType::{self, *};

/// `left @ right` with torch's rules: vectors get an axis that the result loses, leading axes broadcast.
pub(crate) fn matmul(left: &Tensor, right: &Tensor) -> Result<Tensor> {
    if left.dtype != right.dtype {
        let types = format!("{} and {}", super::torch_name(left.dtype), super::torch_name(right.dtype));
        return Err(Exception::ty(format!("matmul needs two tensors of one type, not {types}")));
    }
    let mismatch = || {
        let shapes = format!("{} and {}", show_shape(&left.shape), show_shape(&right.shape));
        Exception::shape(format!("matmul of {shapes}: the inner dimensions differ"))
    };
    if left.rank() == 0 || right.rank() == 0 {
        return Err(Exception::shape("matmul needs tensors with at least one dimension"));
    }
    let a = if left.rank() == 1 { left.unsqueeze(0)? } else { left.clone() };
    let b = if right.rank() == 1 { right.unsqueeze(1)? } else { right.clone() };
    let (m, k) = (a.shape[a.rank() - 2], a.shape[a.rank() - 1]);
    let (k2, n) = (b.shape[b.rank() - 2], b.shape[b.rank() - 1]);
    if k != k2 {
        return Err(mismatch());
    }
    let batch = broadcast_shape(&a.shape[..a.rank() - 2], &b.shape[..b.rank() - 2])?;
    let with_batch = |rows: usize, columns: usize| -> Vec<i128> {
        batch.iter().copied().chain([rows, columns]).map(|size| size as i128).collect()
    };
    let (a, b) = (a.expand(&with_batch(m, k))?, b.expand(&with_batch(k, n))?);
    let mut shape = batch.clone();
    shape.extend([m, n]);
    let elements = checked_count(&shape)?;
    super::check_work(a.count().saturating_add(b.count()).saturating_add(elements))?;
    let flat = multiply(&a, &b, batch.iter().product(), [m, k, n])?;
    let mut product = Tensor { strides: super::contiguous_strides(&shape), shape, ..flat };
    if right.rank() == 1 {
        product = product.squeeze(Some(-1))?;
    }
    if left.rank() == 1 {
        product = product.squeeze(Some(if right.rank() == 1 { -1 } else { -2 }))?;
    }
    Ok(product)
}

/// The product of each pair of matrices, flat.
fn multiply(a: &Tensor, b: &Tensor, batches: usize, sizes: [usize; 3]) -> Result<Tensor> {
    let dtype = a.dtype;
    let array = match dtype {
        F64 | F32 => Array::Float(batched(a.read(number::read_f64), b.read(number::read_f64), batches, sizes)?),
        _ if dtype.is_float() => {
            let narrow = |dtype: ScalarType, bytes: &[u8]| number::read_f64(dtype, bytes) as f32;
            Array::Float(batched(a.read(narrow), b.read(narrow), batches, sizes)?.mapv(f64::from))
        }
        _ => Array::Int(batched(a.read(number::read_i64), b.read(number::read_i64), batches, sizes)?),
    };
    Ok(array.to_tensor(dtype))
}

fn batched<T: LinalgScalar>(a: Vec<T>, b: Vec<T>, batches: usize, [m, k, n]: [usize; 3]) -> Result<ndarray::ArrayD<T>> {
    let fail = |_| Exception::shape("the matrices do not have the sizes of their shapes");
    let mut out = ndarray::Array3::<T>::zeros((batches, m, n));
    for batch in 0..batches {
        let left = ArrayView2::from_shape((m, k), &a[batch * m * k..(batch + 1) * m * k]).map_err(fail)?;
        let right = ArrayView2::from_shape((k, n), &b[batch * k * n..(batch + 1) * k * n]).map_err(fail)?;
        out.slice_mut(s![batch, .., ..]).assign(&left.dot(&right));
    }
    Ok(out.into_dyn())
}
