//! Views: other shapes and strides over the same buffer, as torch makes them.

use super::{Tensor, checked_count, contiguous_strides, element_count, show_shape};
use crate::buffer::check_room;
use crate::exception::{Exception, Result};

impl Tensor {
    /// The tensor with its axes in this order.
    pub(crate) fn permute(&self, axes: &[i128]) -> Result<Tensor> {
        let axes = axes.iter().map(|axis| self.axis(*axis)).collect::<Result<Vec<usize>>>()?;
        let mut sorted = axes.clone();
        sorted.sort_unstable();
        if sorted != (0..self.rank()).collect::<Vec<_>>() {
            let message = format!("permute of a tensor of {} dimensions needs each of them once", self.rank());
            return Err(Exception::shape(message));
        }
        let shape = axes.iter().map(|axis| self.shape[*axis]).collect();
        let strides = axes.iter().map(|axis| self.strides[*axis]).collect();
        Ok(Tensor { shape, strides, ..self.clone() })
    }

    /// The tensor with two axes exchanged.
    pub(crate) fn transpose(&self, first: i128, second: i128) -> Result<Tensor> {
        let (first, second) = (self.axis(first)?, self.axis(second)?);
        let mut view = self.clone();
        if !view.shape.is_empty() {
            view.shape.swap(first, second);
            view.strides.swap(first, second);
        }
        Ok(view)
    }

    /// The shape with its one `-1` replaced by what the number of elements asks for.
    fn resolve_shape(&self, sizes: &[i128]) -> Result<Vec<usize>> {
        let count = self.count();
        let asked = || {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            let message = format!("shape ({}) is not possible for {count} elements", sizes.join(", "));
            Exception::shape(format!("{message} (the tensor is {})", show_shape(&self.shape)))
        };
        let open = sizes.iter().filter(|size| **size == -1).count();
        if open > 1 || sizes.iter().any(|size| *size < -1) {
            return Err(asked());
        }
        let known = sizes.iter().filter(|size| **size >= 0).try_fold(1i128, |product, size| product.checked_mul(*size));
        let known = known.ok_or_else(asked)?;
        let missing = match open {
            0 => 0,
            _ if known != 0 && count as i128 % known == 0 => count as i128 / known,
            _ => return Err(asked()),
        };
        let shape: Vec<usize> = sizes.iter().map(|size| if *size < 0 { missing } else { *size } as usize).collect();
        if element_count(&shape)? != count { Err(asked()) } else { Ok(shape) }
    }

    /// The same elements under another shape without copying; nothing when the strides do not allow it.
    fn try_view(&self, shape: &[usize]) -> Option<Tensor> {
        if self.count() == 0 {
            return Some(Tensor { shape: shape.to_vec(), strides: contiguous_strides(shape), ..self.clone() });
        }
        // Axes that follow each other without a gap act as one; the new axes must cut those, never join them.
        let old: Vec<(usize, usize)> =
            self.shape.iter().copied().zip(self.strides.iter().copied()).filter(|(size, _)| *size != 1).collect();
        let mut strides = vec![0; shape.len()];
        let mut axis = shape.len();
        let mut end = old.len();
        while end > 0 {
            let mut start = end - 1;
            let mut chunk = old[start].0;
            while start > 0 && old[start - 1].1 == old[start].0 * old[start].1 {
                start -= 1;
                chunk *= old[start].0;
            }
            let mut stride = old[end - 1].1;
            let mut covered = 1;
            while axis > 0 && (covered < chunk || shape[axis - 1] == 1) {
                axis -= 1;
                strides[axis] = stride;
                covered *= shape[axis];
                stride *= shape[axis];
            }
            if covered != chunk {
                return None;
            }
            end = start;
        }
        while axis > 0 {
            axis -= 1;
            strides[axis] = strides.get(axis + 1).map_or(1, |stride| stride * shape[axis + 1]);
        }
        Some(Tensor { shape: shape.to_vec(), strides, ..self.clone() })
    }

    /// Another shape over the same buffer; an error when a copy would be needed.
    pub(crate) fn view_as(&self, sizes: &[i128]) -> Result<Tensor> {
        let shape = self.resolve_shape(sizes)?;
        self.try_view(&shape).ok_or_else(|| {
            let message = format!("view of shape {} does not fit the strides of the tensor", show_shape(&shape));
            Exception::shape(message).help("use reshape, which copies when it must")
        })
    }

    /// Another shape, a view when possible.
    pub(crate) fn reshape(&self, sizes: &[i128]) -> Result<Tensor> {
        let shape = self.resolve_shape(sizes)?;
        if let Some(view) = self.try_view(&shape) {
            return Ok(view);
        }
        check_room(self.count().saturating_mul(self.width()))?;
        Ok(Tensor { strides: contiguous_strides(&shape), shape, ..self.copied() })
    }

    /// The tensor with repeated elements for axes of size 1; `-1` keeps a size.
    pub(crate) fn expand(&self, sizes: &[i128]) -> Result<Tensor> {
        let fail = || {
            let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            let message = format!("cannot expand {} to ({})", show_shape(&self.shape), sizes.join(", "));
            Exception::shape(message)
        };
        let new = sizes.len().checked_sub(self.rank()).ok_or_else(fail)?;
        let mut view = Tensor { shape: Vec::new(), strides: Vec::new(), ..self.clone() };
        for (axis, size) in sizes.iter().enumerate() {
            let (old, stride) = match axis.checked_sub(new) {
                Some(axis) => (self.shape[axis], self.strides[axis]),
                None => (1, 0),
            };
            let size = if *size == -1 && axis >= new { old } else { usize::try_from(*size).map_err(|_| fail())? };
            if size != old && old != 1 {
                return Err(fail());
            }
            view.shape.push(size);
            view.strides.push(if size == old && axis >= new { stride } else { 0 });
        }
        checked_count(&view.shape)?;
        Ok(view)
    }

    /// A new axis of size 1.
    pub(crate) fn unsqueeze(&self, axis: i128) -> Result<Tensor> {
        let axis = super::normal_axis(axis, self.rank() + 1)?;
        let mut view = self.clone();
        let stride = match self.shape.get(axis) {
            Some(size) => size * self.strides[axis],
            None => 1,
        };
        view.shape.insert(axis, 1);
        view.strides.insert(axis, stride);
        Ok(view)
    }

    /// Without one axis of size 1, or without all of them.
    pub(crate) fn squeeze(&self, axis: Option<i128>) -> Result<Tensor> {
        let only = axis.map(|axis| self.axis(axis)).transpose()?;
        let mut view = Tensor { shape: Vec::new(), strides: Vec::new(), ..self.clone() };
        for (axis, size) in self.shape.iter().enumerate() {
            if *size != 1 || only.is_some_and(|only| only != axis) {
                view.shape.push(*size);
                view.strides.push(self.strides[axis]);
            }
        }
        Ok(view)
    }

    /// `flatten(start, end)`: the axes in between become one.
    pub(crate) fn flatten(&self, start: i128, end: i128) -> Result<Tensor> {
        let (start, end) = (self.axis(start)?, self.axis(end)?);
        if self.rank() == 0 {
            return self.reshape(&[1]);
        }
        let joined: usize = self.shape.get(start..=end).unwrap_or(&[]).iter().product();
        let mut sizes: Vec<i128> = self.shape[..start].iter().map(|size| *size as i128).collect();
        sizes.push(joined as i128);
        sizes.extend(self.shape[end.max(start) + 1..].iter().map(|size| *size as i128));
        self.reshape(&sizes)
    }

    /// The part of an axis from `start`, `size` long, every `step`-th.
    pub(crate) fn narrow(&self, axis: usize, start: usize, size: usize, step: usize) -> Tensor {
        let mut view = self.clone();
        view.offset += start * self.strides[axis];
        view.shape[axis] = size;
        view.strides[axis] *= step;
        view
    }

    /// One index of an axis, without the axis.
    pub(crate) fn select(&self, axis: usize, index: i128) -> Result<Tensor> {
        let size = self.shape[axis];
        let place = if index < 0 { index + size as i128 } else { index };
        if place < 0 || place >= size as i128 {
            let message = format!("index {index} is out of range for dimension {axis} of size {size}");
            return Err(Exception::index(message));
        }
        let mut view = self.narrow(axis, place as usize, 1, 1);
        view.shape.remove(axis);
        view.strides.remove(axis);
        Ok(view)
    }
}
