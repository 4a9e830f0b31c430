//! Reductions and scans along axes. The axes are brought to the end and copied to rows; a function then sees one row at a time.

use super::array::Array;
use super::elementwise::from_vec;
use super::{Tensor, number};
use crate::exception::{Exception, Result};
use tk_types::ScalarType::{self, *};

/// A tensor as rows: the axes to reduce are the last.
struct Rows<T> {
    outer: Vec<usize>,
    length: usize,
    values: Vec<T>,
}

impl<T> Rows<T> {
    fn new(tensor: &Tensor, axes: &[usize], convert: impl Fn(ScalarType, &[u8]) -> T) -> Result<Self> {
        let kept: Vec<usize> = (0..tensor.rank()).filter(|axis| !axes.contains(axis)).collect();
        let order: Vec<i128> = kept.iter().chain(axes).map(|axis| *axis as i128).collect();
        let outer = kept.iter().map(|axis| tensor.shape[*axis]).collect();
        let length = axes.iter().map(|axis| tensor.shape[*axis]).product();
        Ok(Self { outer, length, values: tensor.permute(&order)?.read(convert) })
    }

    /// One value per row.
    fn reduce<U>(&self, f: impl FnMut(&[T]) -> U) -> Vec<U> {
        if self.length == 0 {
            let empty: &[T] = &[];
            let count = self.outer.iter().product();
            return std::iter::repeat_with(|| empty).take(count).map(f).collect();
        }
        self.values.chunks_exact(self.length).map(f).collect()
    }
}

/// The axes that an argument names; all of them when there is none.
pub(crate) fn axes_of(tensor: &Tensor, axes: Option<&[i128]>) -> Result<Vec<usize>> {
    if tensor.rank() == 0 {
        return Ok(Vec::new());
    }
    match axes {
        None | Some([]) => Ok((0..tensor.rank()).collect()),
        Some(axes) => {
            let axes = axes.iter().map(|axis| tensor.axis(*axis)).collect::<Result<Vec<usize>>>()?;
            let repeated = axes.iter().enumerate().find(|(i, axis)| axes[..*i].contains(axis));
            match repeated {
                Some((_, axis)) => Err(Exception::value(format!("dimension {axis} is given twice"))),
                None => Ok(axes),
            }
        }
    }
}

/// The shape of a reduction's result.
fn reduced_shape(tensor: &Tensor, axes: &[usize], keep: Keep) -> Vec<usize> {
    let size = |axis: usize| match (axes.contains(&axis), keep) {
        (false, _) => Some(tensor.shape[axis]),
        (true, Keep::AsOne) => Some(1),
        (true, Keep::Drop) => None,
    };
    (0..tensor.rank()).filter_map(size).collect()
}

/// Whether a reduced axis stays with size 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Drop,
    AsOne,
}

/// `sum`, `mean`, `prod`, `amax`, `amin`, `logsumexp`, `var`, `std`, `norm`, `any`, `all`; nothing for another name.
/// `correction` is what `var` and `std` subtract from the count.
pub(crate) fn reduce(
    name: &str,
    tensor: &Tensor,
    axes: &[usize],
    keep: Keep,
    correction: f64,
) -> Option<Result<Tensor>> {
    let float: fn(&[f64], f64) -> f64 = match name {
        "sum" => |row, _| row.iter().sum(),
        "mean" => |row, _| row.iter().sum::<f64>() / row.len() as f64,
        "prod" => |row, _| row.iter().product(),
        "amax" | "max" => |row, _| extreme(row, |a, b| a > b),
        "amin" | "min" => |row, _| extreme(row, |a, b| a < b),
        "logsumexp" => |row, _| log_sum_exp(row),
        "var" => variance,
        "std" => |row, correction| variance(row, correction).sqrt(),
        "norm" => |row, _| row.iter().map(|x| x * x).sum::<f64>().sqrt(),
        "any" => |row, _| f64::from(u8::from(row.iter().any(|x| *x != 0.0))),
        "all" => |row, _| f64::from(u8::from(row.iter().all(|x| *x != 0.0))),
        _ => return None,
    };
    Some(reduce_with(name, tensor, axes, keep, |row| float(row, correction)))
}

fn reduce_with(
    name: &str,
    tensor: &Tensor,
    axes: &[usize],
    keep: Keep,
    float: impl Fn(&[f64]) -> f64,
) -> Result<Tensor> {
    let shape = reduced_shape(tensor, axes, keep);
    let empty = axes.iter().any(|axis| tensor.shape[*axis] == 0);
    if empty && matches!(name, "max" | "min" | "amax" | "amin") {
        return Err(Exception::value(format!("{name} of a tensor without elements")));
    }
    let dtype = match name {
        "any" | "all" => I1,
        "sum" | "prod" if tensor.dtype.is_int() => I64,
        _ => tensor.dtype,
    };
    if tensor.dtype.is_int() && !matches!(name, "any" | "all") {
        let int: fn(&[i64]) -> i64 = match name {
            "sum" => |row| row.iter().fold(0, |sum, x| sum.wrapping_add(*x)),
            "prod" => |row| row.iter().fold(1, |product, x| product.wrapping_mul(*x)),
            "max" | "amax" => |row| row.iter().copied().max().unwrap_or(0),
            "min" | "amin" => |row| row.iter().copied().min().unwrap_or(0),
            _ => {
                let message = format!("{name} needs a float tensor, not {}", super::torch_name(tensor.dtype));
                return Err(Exception::ty(message).help("convert it with `.float()`"));
            }
        };
        let values = Rows::new(tensor, axes, number::read_i64)?.reduce(int);
        return Ok(Array::Int(from_vec(&shape, values)?).to_tensor(dtype));
    }
    let values = Rows::new(tensor, axes, number::read_f64)?.reduce(float);
    Ok(Array::Float(from_vec(&shape, values)?).to_tensor(dtype))
}

/// The greatest by `better`; a NaN wins, as in torch.
fn extreme(row: &[f64], better: fn(f64, f64) -> bool) -> f64 {
    row.iter()
        .copied()
        .fold(None, |best: Option<f64>, x| match best {
            Some(best) if best.is_nan() || !(x.is_nan() || better(x, best)) => Some(best),
            _ => Some(x),
        })
        .unwrap_or(f64::NAN)
}

fn log_sum_exp(row: &[f64]) -> f64 {
    let max = extreme(row, |a, b| a > b);
    if max.is_infinite() {
        return max;
    }
    max + row.iter().map(|x| (x - max).exp()).sum::<f64>().ln()
}

fn variance(row: &[f64], correction: f64) -> f64 {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (row.len() as f64 - correction)
}

/// Where the greatest (or least) element of each row is: the first one, a NaN before all.
pub(crate) fn arg_extreme(tensor: &Tensor, axes: &[usize], keep: Keep, greatest: bool) -> Result<Tensor> {
    if tensor.count() == 0 {
        return Err(Exception::value("argmax or argmin of a tensor without elements"));
    }
    let shape = reduced_shape(tensor, axes, keep);
    let position = |better: &dyn Fn(usize, usize) -> bool, length: usize| {
        (1..length).fold(0, |best, i| if better(i, best) { i } else { best }) as i64
    };
    let values = if tensor.dtype.is_float() {
        Rows::new(tensor, axes, number::read_f64)?.reduce(|row| {
            let better = |a: usize, b: usize| {
                !row[b].is_nan() && (row[a].is_nan() || if greatest { row[a] > row[b] } else { row[a] < row[b] })
            };
            position(&better, row.len())
        })
    } else {
        Rows::new(tensor, axes, number::read_i64)?.reduce(|row| {
            let better = |a: usize, b: usize| if greatest { row[a] > row[b] } else { row[a] < row[b] };
            position(&better, row.len())
        })
    };
    Ok(Array::Int(from_vec(&shape, values)?).to_tensor(I64))
}

/// Replaces every row along `axis` by what `f` makes of it.
pub(crate) fn map_rows(tensor: &Tensor, axis: usize, dtype: ScalarType, f: impl Fn(&mut [f64])) -> Result<Tensor> {
    let axes = if tensor.rank() == 0 { vec![] } else { vec![axis] };
    let mut rows = Rows::new(tensor, &axes, number::read_f64)?;
    if rows.length > 0 {
        rows.values.chunks_exact_mut(rows.length).for_each(f);
    }
    from_rows(tensor, axis, rows, |shape, values| Ok(Array::Float(from_vec(shape, values)?).to_tensor(dtype)))
}

/// The same for integers.
pub(crate) fn map_int_rows(tensor: &Tensor, axis: usize, dtype: ScalarType, f: impl Fn(&mut [i64])) -> Result<Tensor> {
    let axes = if tensor.rank() == 0 { vec![] } else { vec![axis] };
    let mut rows = Rows::new(tensor, &axes, number::read_i64)?;
    if rows.length > 0 {
        rows.values.chunks_exact_mut(rows.length).for_each(f);
    }
    from_rows(tensor, axis, rows, |shape, values| Ok(Array::Int(from_vec(shape, values)?).to_tensor(dtype)))
}

/// Puts the last axis of the rows back to its place.
fn from_rows<T>(
    tensor: &Tensor,
    axis: usize,
    rows: Rows<T>,
    build: impl Fn(&[usize], Vec<T>) -> Result<Tensor>,
) -> Result<Tensor> {
    if tensor.rank() == 0 {
        return build(&[], rows.values);
    }
    let mut shape = rows.outer;
    shape.push(rows.length);
    let moved = build(&shape, rows.values)?;
    let last = tensor.rank() as i128 - 1;
    let mut order: Vec<i128> = (0..last).collect();
    order.insert(axis, last);
    Ok(moved.permute(&order)?.copied())
}

/// `softmax` along an axis, computed in `f64`.
pub(crate) fn softmax(tensor: &Tensor, axis: usize, dtype: ScalarType) -> Result<Tensor> {
    map_rows(tensor, axis, dtype, |row| {
        let max = extreme(row, |a, b| a > b);
        row.iter_mut().for_each(|x| *x = (*x - max).exp());
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|x| *x /= sum);
    })
}

/// `log_softmax` along an axis.
pub(crate) fn log_softmax(tensor: &Tensor, axis: usize, dtype: ScalarType) -> Result<Tensor> {
    map_rows(tensor, axis, dtype, |row| {
        let total = log_sum_exp(row);
        row.iter_mut().for_each(|x| *x -= total);
    })
}

/// `cumsum` or `cumprod` along an axis.
pub(crate) fn scan(tensor: &Tensor, axis: usize, product: bool) -> Result<Tensor> {
    if tensor.dtype.is_int() {
        return map_int_rows(tensor, axis, I64, |row| {
            for i in 1..row.len() {
                row[i] = if product { row[i].wrapping_mul(row[i - 1]) } else { row[i].wrapping_add(row[i - 1]) };
            }
        });
    }
    map_rows(tensor, axis, tensor.dtype, |row| {
        for i in 1..row.len() {
            row[i] = if product { row[i] * row[i - 1] } else { row[i] + row[i - 1] };
        }
    })
}

/// The order that sorts each row along an axis, stable; NaN counts as the greatest.
pub(crate) fn argsort(tensor: &Tensor, axis: usize, descending: bool) -> Result<Tensor> {
    let axes = if tensor.rank() == 0 { vec![] } else { vec![axis] };
    let order = |length: usize, compare: &dyn Fn(usize, usize) -> std::cmp::Ordering| {
        let mut order: Vec<usize> = (0..length).collect();
        order.sort_by(|a, b| if descending { compare(*b, *a) } else { compare(*a, *b) });
        order.into_iter().map(|i| i as i64).collect::<Vec<i64>>()
    };
    let (outer, length, values) = if tensor.dtype.is_float() {
        let rows = Rows::new(tensor, &axes, number::read_f64)?;
        let sorted = rows.reduce(|row| {
            let key = |i: usize| (row[i].is_nan(), row[i]);
            order(row.len(), &|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal))
        });
        (rows.outer, rows.length, sorted)
    } else {
        let rows = Rows::new(tensor, &axes, number::read_i64)?;
        let sorted = rows.reduce(|row| order(row.len(), &|a, b| row[a].cmp(&row[b])));
        (rows.outer, rows.length, sorted)
    };
    let rows = Rows { outer, length, values: values.concat() };
    from_rows(tensor, axis, rows, |shape, values| Ok(Array::Int(from_vec(shape, values)?).to_tensor(I64)))
}
