//! Host tensors: a buffer of bytes, an element type, a shape, strides and an offset, as torch has them.
//!
//! Views share the buffer, so kernels see true strides and writes through one view show in the others.
//! Mathematics happens on `ndarray` arrays of `f64` or `i64` ([`array::Array`]) and is rounded once, at the end.

pub(crate) mod array;
pub(crate) mod compare;
pub(crate) mod create;
pub(crate) mod einsum;
pub(crate) mod elementwise;
pub(crate) mod index;
pub(crate) mod limits;
pub(crate) mod linear;
pub(crate) mod number;
pub(crate) mod parallel;
pub(crate) mod print;
pub(crate) mod rearrange;
pub(crate) mod reduce;
pub(crate) mod view;

use crate::buffer::{BufferRef, check_room};
use crate::exception::{Exception, Result};
use crate::unwritten::{self, Unwritten, UnwrittenRead};
use tk_types::ScalarType;

/// A tensor; clones share the buffer.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) buffer: BufferRef,
    pub(crate) dtype: ScalarType,
    pub(crate) shape: Vec<usize>,
    /// Elements from one index to the next, per dimension; never negative.
    pub(crate) strides: Vec<usize>,
    /// The first element.
    pub(crate) offset: usize,
}

impl Tensor {
    /// A contiguous tensor over these bytes, whose length must fit.
    pub(crate) fn from_bytes(dtype: ScalarType, shape: Vec<usize>, bytes: Vec<u8>) -> Self {
        let strides = contiguous_strides(&shape);
        Self { buffer: BufferRef::new(bytes), dtype, shape, strides, offset: 0 }
    }

    /// A contiguous tensor with the same bytes in every element.
    pub(crate) fn filled(dtype: ScalarType, shape: Vec<usize>, element: &[u8]) -> Result<Self> {
        let count = checked_count(&shape)?;
        check_room(count.saturating_mul(element.len()))?;
        let strides = contiguous_strides(&shape);
        Ok(Self { buffer: BufferRef::repeated(element, count), dtype, shape, strides, offset: 0 })
    }

    /// How many elements it has.
    pub(crate) fn count(&self) -> usize {
        self.shape.iter().product()
    }

    pub(crate) fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Bytes of one element.
    pub(crate) fn width(&self) -> usize {
        self.dtype.bytes() as usize
    }

    /// Whether its elements are in order without gaps.
    pub(crate) fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        for (size, stride) in self.shape.iter().zip(&self.strides).rev() {
            if *size != 1 {
                if *stride != expected {
                    return false;
                }
                expected *= size;
            }
        }
        true
    }

    /// Calls `f` with the element offset of every element, in row-major order.
    pub(crate) fn for_each_offset(&self, mut f: impl FnMut(usize)) {
        let count = self.count();
        if count == 0 {
            return;
        }
        if self.is_contiguous() {
            (self.offset..self.offset + count).for_each(f);
            return;
        }
        let (Some(inner_size), Some(inner_stride)) = (self.shape.last(), self.strides.last()) else {
            f(self.offset);
            return;
        };
        let outer = self.rank() - 1;
        let mut index = vec![0; outer];
        let mut base = self.offset;
        for _ in 0..count / inner_size {
            (0..*inner_size).for_each(|i| f(base + i * inner_stride));
            for axis in (0..outer).rev() {
                index[axis] += 1;
                base += self.strides[axis];
                if index[axis] < self.shape[axis] {
                    break;
                }
                base -= index[axis] * self.strides[axis];
                index[axis] = 0;
            }
        }
    }

    /// Makes every element one that nothing has written.
    pub(crate) fn unwritten(self) -> Self {
        self.buffer.set_unwritten(std::iter::once(0..self.buffer.len()).collect());
        self
    }

    /// Calls `f` with the place in row-major order of every element that nothing has written; `f` says whether to go on.
    fn unwritten_elements(&self, mut f: impl FnMut(usize) -> bool) {
        let width = self.width();
        self.buffer.with_unwritten(|unwritten| {
            let (mut place, mut goes_on) = (0, true);
            self.for_each_offset(|at| {
                if goes_on && unwritten.touches(&(at * width..(at + 1) * width)) {
                    goes_on = f(place);
                }
                place += 1;
            });
        });
    }

    /// Notes that the elements are read: one that nothing has written is an error.
    pub(crate) fn note_read(&self) {
        self.unwritten_elements(|place| {
            let element = compare::coordinates(place, &self.shape);
            unwritten::note(|| UnwrittenRead { element, shape: self.shape.clone() });
            false
        });
    }

    /// Notes that the elements are written.
    fn note_written(&self) {
        let width = self.width();
        self.buffer.with_unwritten(|unwritten| match self.is_contiguous() {
            true => unwritten.write(&(self.offset * width..(self.offset + self.count()) * width)),
            false => self.for_each_offset(|at| unwritten.write(&(at * width..(at + 1) * width))),
        });
    }

    /// A contiguous copy of this tensor's elements; those that nothing has written are such in the copy too.
    pub(crate) fn as_copied(&self, copy: Tensor) -> Tensor {
        let (width, mut ranges) = (copy.width(), Unwritten::default());
        self.unwritten_elements(|place| {
            ranges.push(place * width..(place + 1) * width);
            true
        });
        if !ranges.is_empty() {
            copy.buffer.set_unwritten(ranges.ranges().to_vec());
        }
        copy
    }

    /// The elements in row-major order.
    pub(crate) fn read<T>(&self, convert: impl Fn(ScalarType, &[u8]) -> T) -> Vec<T> {
        self.note_read();
        let bytes = self.buffer.bytes();
        let width = self.width();
        let mut values = Vec::with_capacity(self.count());
        self.for_each_offset(|offset| values.push(convert(self.dtype, &bytes[offset * width..])));
        values
    }

    /// Writes the elements in row-major order; there must be as many values as elements.
    pub(crate) fn write<T: Copy>(&self, values: &[T], convert: impl Fn(ScalarType, T, &mut [u8])) {
        let width = self.width();
        let mut bytes = self.buffer.bytes_in_part();
        let mut values = values.iter();
        self.for_each_offset(|offset| {
            if let Some(value) = values.next() {
                convert(self.dtype, *value, &mut bytes[offset * width..]);
            }
        });
        drop(bytes);
        self.note_written();
    }

    /// A contiguous copy of the elements.
    pub(crate) fn copied(&self) -> Tensor {
        let width = self.width();
        let source = self.buffer.bytes();
        let mut bytes = Vec::with_capacity(self.count() * width);
        if self.is_contiguous() {
            bytes.extend_from_slice(&source[self.offset * width..(self.offset + self.count()) * width]);
        } else {
            self.for_each_offset(|offset| bytes.extend_from_slice(&source[offset * width..(offset + 1) * width]));
        }
        drop(source);
        self.as_copied(Tensor::from_bytes(self.dtype, self.shape.clone(), bytes))
    }

    /// An axis as people count it, from the end when negative.
    pub(crate) fn axis(&self, axis: i128) -> Result<usize> {
        normal_axis(axis, self.rank())
    }
}

/// Row-major strides.
pub(crate) fn contiguous_strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1usize; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(shape[axis].max(1));
    }
    strides
}

/// The number of elements of a shape, if 64 bits count them.
pub(crate) fn element_count(shape: &[usize]) -> Result<usize> {
    let count = shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size));
    count
        .filter(|count| i64::try_from(*count).is_ok())
        .ok_or_else(|| Exception::overflow(format!("a tensor of shape {} is too large", show_shape(shape))))
}

/// The number of elements of a shape, if it can be allocated.
pub(crate) fn checked_count(shape: &[usize]) -> Result<usize> {
    let count = element_count(shape)?;
    // An element takes at least a byte; the exact size is checked where it is known, and before the next step.
    check_room(count)?;
    Ok(count)
}

/// Whether there is room to compute with so many elements, each of which takes 8 bytes meanwhile.
pub(crate) fn check_work(elements: usize) -> Result<()> {
    check_room(elements.saturating_mul(8))
}

/// An axis as people count it, from the end when negative.
pub(crate) fn normal_axis(axis: i128, rank: usize) -> Result<usize> {
    let bound = (rank as i128).max(1);
    if axis < -bound || axis >= bound {
        let message = format!("dimension {axis} is out of range for a tensor of {rank} dimensions");
        return Err(Exception::index(message));
    }
    Ok(if axis < 0 { axis + bound } else { axis } as usize)
}

/// `(2, 3)`, `(4,)`, `()`.
pub(crate) fn show_shape(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    match sizes.len() {
        1 => format!("({},)", sizes[0]),
        _ => format!("({})", sizes.join(", ")),
    }
}

/// The name torch has for an element type.
pub(crate) fn torch_name(dtype: ScalarType) -> &'static str {
    use ScalarType::*;
    match dtype {
        I1 => "torch.bool",
        I8 => "torch.int8",
        I16 => "torch.int16",
        I32 => "torch.int32",
        I64 => "torch.int64",
        U8 => "torch.uint8",
        U16 => "torch.uint16",
        U32 => "torch.uint32",
        U64 => "torch.uint64",
        F8E4M3 => "torch.float8_e4m3fn",
        F8E5M2 => "torch.float8_e5m2",
        F8E4B15 => "torch.float8_e4b15",
        F8E4M3B8 => "torch.float8_e4m3fnuz",
        F8E5M2B16 => "torch.float8_e5m2fnuz",
        F16 => "torch.float16",
        BF16 => "torch.bfloat16",
        F32 => "torch.float32",
        F64 => "torch.float64",
    }
}

/// The element type that torch has under this name, aliases included.
pub(crate) fn from_torch_name(name: &str) -> Option<ScalarType> {
    use ScalarType::*;
    let alias = match name {
        "half" => F16,
        "float" => F32,
        "double" => F64,
        "short" => I16,
        "int" => I32,
        "long" => I64,
        _ => return ScalarType::all().find(|dtype| torch_name(*dtype).strip_prefix("torch.") == Some(name)),
    };
    Some(alias)
}
