//! Elements copied to other places: gather, scatter, triangles, repetition, reversal.

use super::index::Item;
use super::{Tensor, checked_count, number};
use crate::exception::{Exception, Result};
use tk_types::ScalarType::I64;

/// `torch.gather`: along `axis`, the elements that `index` names.
pub(crate) fn gather(tensor: &Tensor, axis: usize, index: &Tensor) -> Result<Tensor> {
    let places = gather_places(tensor, axis, index)?;
    tensor.note_picked(&places);
    let source = tensor.buffer.bytes();
    let width = tensor.width();
    let bytes = places.iter().flat_map(|at| source[at * width..(at + 1) * width].iter().copied()).collect();
    Ok(Tensor::from_bytes(tensor.dtype, index.shape.clone(), bytes))
}

/// The element offsets that `gather` reads and `scatter` writes.
fn gather_places(tensor: &Tensor, axis: usize, index: &Tensor) -> Result<Vec<usize>> {
    let fits = index.rank() == tensor.rank()
        && (0..tensor.rank()).all(|other| other == axis || index.shape[other] <= tensor.shape[other]);
    if !fits {
        return Err(Exception::shape("the index tensor must have the dimensions of the tensor and be no larger"));
    }
    if tensor.rank() == 0 {
        return Ok(vec![tensor.offset]);
    }
    let mut strides = tensor.strides.clone();
    strides[axis] = 0;
    let others = Tensor { shape: index.shape.clone(), strides, ..tensor.clone() };
    let mut places = Vec::with_capacity(index.count());
    others.for_each_offset(|offset| places.push(offset));
    let size = tensor.shape[axis] as i64;
    for (place, value) in places.iter_mut().zip(index.read(number::read_i64)) {
        if !(0..size).contains(&value) {
            return Err(Exception::index(format!("index {value} is out of range for dimension {axis} of size {size}")));
        }
        *place += value as usize * tensor.strides[axis];
    }
    Ok(places)
}

/// `scatter_add_`: adds the elements of `source` at the places that `index` names along `axis`.
pub(crate) fn scatter_add(tensor: &Tensor, axis: usize, index: &Tensor, source: &Tensor) -> Result<()> {
    let places = gather_places(tensor, axis, index)?;
    let values = source.read(number::read_f64);
    if values.len() < places.len() {
        return Err(Exception::shape("scatter_add_ needs a source as large as the index"));
    }
    let width = tensor.width();
    tensor.note_picked(&places);
    let mut bytes = tensor.buffer.bytes_in_part();
    for (at, value) in places.into_iter().zip(values) {
        let element = &mut bytes[at * width..(at + 1) * width];
        let sum = number::read_f64(tensor.dtype, element) + value;
        number::write_f64(tensor.dtype, sum, element);
    }
    Ok(())
}

/// The lower or upper triangle; the rest is zero.
pub(crate) fn triangle(tensor: &Tensor, lower: bool, diagonal: i128) -> Result<Tensor> {
    if tensor.rank() < 2 {
        return Err(Exception::shape("tril and triu need at least 2 dimensions"));
    }
    let result = tensor.copied();
    let (rows, columns) = (tensor.shape[tensor.rank() - 2], tensor.shape[tensor.rank() - 1]);
    let width = tensor.width();
    let mut bytes = result.buffer.bytes_in_part();
    for (flat, element) in bytes.chunks_exact_mut(width).enumerate() {
        let (row, column) = ((flat / columns % rows) as i128, (flat % columns) as i128);
        let kept = if lower { column - row <= diagonal } else { column - row >= diagonal };
        if !kept {
            element.fill(0);
        }
    }
    drop(bytes);
    Ok(result)
}

/// `repeat`: copies side by side, as many along each axis as `counts` says.
pub(crate) fn repeat(tensor: &Tensor, counts: &[i128]) -> Result<Tensor> {
    if counts.len() < tensor.rank() || counts.iter().any(|count| *count < 0) {
        return Err(Exception::shape("`repeat` needs a count for every dimension"));
    }
    let mut source = tensor.clone();
    while source.rank() < counts.len() {
        source = source.unsqueeze(0)?;
    }
    // Each axis is a repeated axis of stride 0 in front of the real one; joined they are the result.
    let mut wide = Tensor { shape: Vec::new(), strides: Vec::new(), ..source.clone() };
    let mut sizes = Vec::new();
    for (axis, count) in counts.iter().enumerate() {
        let count = usize::try_from(*count).unwrap_or(usize::MAX);
        wide.shape.extend([count, source.shape[axis]]);
        wide.strides.extend([0, source.strides[axis]]);
        sizes.push(count.saturating_mul(source.shape[axis]) as i128);
    }
    checked_count(&wide.shape)?;
    wide.copied().reshape(&sizes)
}

/// The elements in reverse order along these axes.
pub(crate) fn flip(tensor: &Tensor, axes: &[i128]) -> Result<Tensor> {
    let mut result = tensor.clone();
    for axis in axes {
        let axis = tensor.axis(*axis)?;
        let size = tensor.shape.get(axis).copied().unwrap_or(0) as i64;
        let bytes = (0..size).rev().flat_map(i64::to_le_bytes).collect();
        let mut items = vec![Item::Slice(None, None, None); axis];
        items.push(Item::Tensor(Tensor::from_bytes(I64, vec![size as usize], bytes)));
        result = result.get(&items)?;
    }
    Ok(result)
}
