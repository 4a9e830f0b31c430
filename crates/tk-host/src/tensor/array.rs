//! Elements ready for mathematics: `ndarray` arrays of `f64` or `i64`, and torch's rules for the type of a result.

use super::{Tensor, number, parallel, show_shape};
use crate::exception::{Exception, Result};
use crate::unwritten;
use ndarray::{ArrayD, IxDyn};
use tk_types::ScalarType::{self, *};

/// The elements of a tensor. Floats of every width are `f64`; integers and booleans are `i64`.
#[derive(Clone, Debug)]
pub(crate) enum Array {
    Float(ArrayD<f64>),
    Int(ArrayD<i64>),
}

impl Array {
    /// A new tensor with these elements, rounded to its type.
    pub(crate) fn to_tensor(&self, dtype: ScalarType) -> Tensor {
        let shape = match self {
            Array::Float(array) => array.shape().to_vec(),
            Array::Int(array) => array.shape().to_vec(),
        };
        let width = dtype.bytes() as usize;
        let count: usize = shape.iter().product();
        let mut bytes = vec![0; count * width];
        match self {
            Array::Float(array) => {
                array.iter().zip(bytes.chunks_exact_mut(width)).for_each(|(v, out)| number::write_f64(dtype, *v, out));
            }
            Array::Int(array) => {
                array.iter().zip(bytes.chunks_exact_mut(width)).for_each(|(v, out)| number::write_i64(dtype, *v, out));
            }
        }
        Tensor::from_bytes(dtype, shape, bytes)
    }
}

impl Tensor {
    /// The elements as floats.
    pub(crate) fn floats(&self) -> ArrayD<f64> {
        shaped(&self.shape, self.read(number::read_f64))
    }

    /// The elements as integers.
    pub(crate) fn ints(&self) -> ArrayD<i64> {
        shaped(&self.shape, self.read(number::read_i64))
    }

    /// The elements as their kind has them.
    pub(crate) fn array(&self) -> Array {
        if self.dtype.is_float() { Array::Float(self.floats()) } else { Array::Int(self.ints()) }
    }

    /// The same elements as another type, rounded; the tensor itself when nothing changes.
    pub(crate) fn to_dtype(&self, dtype: ScalarType) -> Tensor {
        if dtype == self.dtype {
            return self.clone();
        }
        // Conversions hand on what nothing has written.
        let noted = unwritten::take();
        let result = match self.count() > parallel::BLOCK && self.is_contiguous() {
            true => self.converted(dtype),
            false => self.array().to_tensor(dtype),
        };
        unwritten::take();
        noted.into_iter().for_each(|read| unwritten::note(|| read));
        self.as_copied(result)
    }

    /// [`Self::to_dtype`] of a large contiguous tensor.
    fn converted(&self, dtype: ScalarType) -> Tensor {
        let (own, from, to) = (self.dtype, self.width(), dtype.bytes() as usize);
        let source = self.buffer.bytes();
        let source = &source[self.offset * from..(self.offset + self.count()) * from];
        let mut bytes = vec![0; self.count() * to];
        parallel::fill(&mut bytes, to, &|block, out| {
            let elements = source[block * parallel::BLOCK * from..].chunks_exact(from);
            for (element, out) in elements.zip(out.chunks_exact_mut(to)) {
                match own.is_float() {
                    true => number::write_f64(dtype, number::read_f64(own, element), out),
                    false => number::write_i64(dtype, number::read_i64(own, element), out),
                }
            }
        });
        Tensor::from_bytes(dtype, self.shape.clone(), bytes)
    }

    /// Writes the elements of `value`, broadcast, into this view.
    pub(crate) fn assign(&self, value: &Tensor) -> Result<()> {
        let sizes: Vec<i128> = self.shape.iter().map(|size| *size as i128).collect();
        let mut value = value.clone();
        while value.rank() > self.rank() && value.shape[0] == 1 {
            value = value.select(0, 0)?;
        }
        let value = value.expand(&sizes)?;
        match value.dtype.is_float() {
            true => self.write(&value.read(number::read_f64), number::write_f64),
            false => self.write(&value.read(number::read_i64), number::write_i64),
        }
        Ok(())
    }
}

fn shaped<T>(shape: &[usize], values: Vec<T>) -> ArrayD<T> {
    let count = values.len();
    // `read` gives as many values as the shape has, so the shape always fits.
    ArrayD::from_shape_vec(IxDyn(shape), values).unwrap_or_else(|_| unreachable!("{count} values for {shape:?}"))
}

/// The shape that two shapes broadcast to.
pub(crate) fn broadcast_shape(left: &[usize], right: &[usize]) -> Result<Vec<usize>> {
    let rank = left.len().max(right.len());
    let size = |shape: &[usize], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |axis| shape[axis]);
    (0..rank)
        .map(|axis| match (size(left, axis), size(right, axis)) {
            (a, b) if a == b => Ok(a),
            (1, b) => Ok(b),
            (a, 1) => Ok(a),
            (a, b) => {
                let shapes = format!("{} and {}", show_shape(left), show_shape(right));
                let message = format!("shapes {shapes} do not broadcast: dimension {axis} is {a} and {b}");
                Err(Exception::shape(message))
            }
        })
        .collect()
}

/// The type of a result of two tensors of these types.
pub(crate) fn promote(left: ScalarType, right: ScalarType) -> ScalarType {
    if left == right {
        return left;
    }
    match (left.kind(), right.kind()) {
        (a, b) if a < b => right,
        (a, b) if a > b => left,
        _ if left.is_float() => match (left.bits(), right.bits()) {
            (a, b) if a > b => left,
            (a, b) if a < b => right,
            // Two different floats of one width: neither holds the other.
            (8, _) => F16,
            _ => F32,
        },
        _ => promote_int(left, right),
    }
}

fn promote_int(left: ScalarType, right: ScalarType) -> ScalarType {
    let (wide, narrow) = if left.bits() >= right.bits() { (left, right) } else { (right, left) };
    if wide.is_signed_int() == narrow.is_signed_int() {
        return wide;
    }
    if wide.is_signed_int() && wide.bits() > narrow.bits() {
        return wide;
    }
    // An unsigned type beside a signed one of no more bits needs the next wider signed type.
    match wide.bits() {
        8 => I16,
        16 => I32,
        _ => I64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_tensors_convert_like_small_ones() {
        let count = parallel::BLOCK + 1000;
        let bytes: Vec<u8> = (0..count as u32).flat_map(|i| ((i as f32 - 3e4) * 0.37).to_le_bytes()).collect();
        let large = Tensor::from_bytes(F32, vec![count], bytes);
        for dtype in [F16, BF16, F8E5M2, F8E4M3, I8, I32, F64, I1] {
            let small = large.array().to_tensor(dtype);
            assert_eq!(*large.to_dtype(dtype).buffer.bytes(), *small.buffer.bytes(), "{dtype}");
        }
    }
}
