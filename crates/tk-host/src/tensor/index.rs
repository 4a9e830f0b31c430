//! `tensor[index]`: views for integers, slices, `None` and `...`; picked elements for index and mask tensors.

use super::array::broadcast_shape;
use super::{Tensor, number, show_shape};
use crate::exception::{Exception, Result};
use crate::unwritten::{self, UnwrittenRead};
use tk_types::ScalarType;

/// One part of an index.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Int(i128),
    /// `start:stop:step`.
    Slice(Option<i128>, Option<i128>, Option<i128>),
    /// `None`: a new axis.
    NewAxis,
    Ellipsis,
    /// Integers to pick, or a mask.
    Tensor(Tensor),
}

/// What an index names.
pub(crate) enum Place {
    /// A part of the tensor, sharing its buffer.
    View(Tensor),
    /// Elements anywhere in the buffer, with the shape that they make.
    Picked { shape: Vec<usize>, offsets: Vec<usize> },
}

impl Tensor {
    /// Finds what an index names.
    pub(crate) fn place(&self, items: &[Item]) -> Result<Place> {
        let used: usize = items.iter().map(axes_used).sum();
        if used > self.rank() {
            let message = format!("{used} indices for a tensor of shape {}", show_shape(&self.shape));
            return Err(Exception::index(message));
        }
        let mut view = self.clone();
        let mut axis = 0;
        let mut picks: Vec<(usize, Tensor)> = Vec::new();
        for item in items {
            match item {
                Item::Int(index) => view = view.select(axis, *index)?,
                Item::Slice(start, stop, step) => {
                    view = view.slice(axis, (*start, *stop, *step))?;
                    axis += 1;
                }
                Item::NewAxis => {
                    view = view.unsqueeze(axis as i128)?;
                    axis += 1;
                }
                Item::Ellipsis => axis += self.rank() - used,
                Item::Tensor(mask) if mask.dtype == ScalarType::I1 => {
                    for index in nonzero(mask, &view.shape[axis..])? {
                        picks.push((axis, index));
                        axis += 1;
                    }
                }
                Item::Tensor(index) if index.dtype.is_int() => {
                    picks.push((axis, index.clone()));
                    axis += 1;
                }
                Item::Tensor(_) => return Err(Exception::ty("an index tensor holds integers or booleans")),
            }
        }
        if picks.is_empty() { Ok(Place::View(view)) } else { view.pick(&picks) }
    }

    /// The elements at a place, copied unless the place is a view.
    pub(crate) fn get(&self, items: &[Item]) -> Result<Tensor> {
        match self.place(items)? {
            Place::View(view) => Ok(view),
            Place::Picked { shape, offsets } => {
                let width = self.width();
                self.note_picked(&offsets);
                let source = self.buffer.bytes();
                let mut bytes = Vec::with_capacity(offsets.len() * width);
                offsets.iter().for_each(|at| bytes.extend_from_slice(&source[at * width..(at + 1) * width]));
                Ok(Tensor::from_bytes(self.dtype, shape, bytes))
            }
        }
    }

    /// Writes `value`, broadcast, to a place.
    pub(crate) fn set(&self, items: &[Item], value: &Tensor) -> Result<()> {
        match self.place(items)? {
            Place::View(view) => view.assign(value),
            Place::Picked { shape, offsets } => {
                let sizes: Vec<i128> = shape.iter().map(|size| *size as i128).collect();
                let value = value.to_dtype(self.dtype).expand(&sizes)?.copied();
                let width = self.width();
                let source = value.buffer.bytes();
                let mut bytes = self.buffer.bytes_in_part();
                for (i, at) in offsets.iter().enumerate() {
                    bytes[at * width..(at + 1) * width].copy_from_slice(&source[i * width..(i + 1) * width]);
                }
                drop(bytes);
                self.buffer.with_unwritten(|unwritten| {
                    offsets.iter().for_each(|at| unwritten.write(&(at * width..(at + 1) * width)));
                });
                Ok(())
            }
        }
    }

    /// Notes that the elements at these offsets are read.
    pub(crate) fn note_picked(&self, offsets: &[usize]) {
        let width = self.width();
        self.buffer.with_unwritten(|bytes| {
            if let Some(at) = offsets.iter().find(|at| bytes.touches(&(*at * width..(*at + 1) * width))) {
                unwritten::note(|| UnwrittenRead { element: vec![*at], shape: vec![self.buffer.len() / width] });
            }
        });
    }

    fn slice(&self, axis: usize, (start, stop, step): (Option<i128>, Option<i128>, Option<i128>)) -> Result<Tensor> {
        let size = self.shape[axis] as i128;
        let step = step.unwrap_or(1);
        if step <= 0 {
            return Err(Exception::value("the step of a tensor slice must be greater than 0"));
        }
        let clamp = |bound: i128| (if bound < 0 { bound + size } else { bound }).clamp(0, size);
        let start = clamp(start.unwrap_or(0));
        let stop = clamp(stop.unwrap_or(size)).max(start);
        let step = step.min(size.max(1));
        let count = (stop - start + step - 1) / step;
        Ok(self.narrow(axis, if count == 0 { 0 } else { start as usize }, count as usize, step as usize))
    }

    /// Picks by index tensors that stand on these axes of the view; their shapes broadcast together.
    fn pick(&self, picks: &[(usize, Tensor)]) -> Result<Place> {
        let mut shape: Vec<usize> = Vec::new();
        for (_, index) in picks {
            shape = broadcast_shape(&shape, &index.shape)?;
        }
        let sizes: Vec<i128> = shape.iter().map(|size| *size as i128).collect();
        let mut starts = vec![self.offset; shape.iter().product()];
        for (axis, index) in picks {
            let size = self.shape[*axis] as i64;
            let values = index.expand(&sizes)?.read(number::read_i64);
            for (start, value) in starts.iter_mut().zip(values) {
                let place = if value < 0 { value + size } else { value };
                if place < 0 || place >= size {
                    let message = format!("index {value} is out of range for dimension {axis} of size {size}");
                    return Err(Exception::index(message));
                }
                *start += place as usize * self.strides[*axis];
            }
        }
        // The picked axes come together where the first stands, or in front when others lie between them.
        let adjacent = picks.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1);
        let front = if adjacent { picks[0].0 } else { 0 };
        let rest: Vec<usize> = (0..self.rank()).filter(|axis| picks.iter().all(|(picked, _)| picked != axis)).collect();
        let part = |axes: &[usize]| Tensor {
            offset: 0,
            shape: axes.iter().map(|axis| self.shape[*axis]).collect(),
            strides: axes.iter().map(|axis| self.strides[*axis]).collect(),
            ..self.clone()
        };
        let (before, after) = rest.split_at(front.min(rest.len()));
        let (before, after) = (part(before), part(after));
        let mut offsets = Vec::new();
        before.for_each_offset(|outer| {
            for start in &starts {
                after.for_each_offset(|inner| offsets.push(outer + start + inner));
            }
        });
        let mut full = before.shape.clone();
        full.extend(&shape);
        full.extend(&after.shape);
        Ok(Place::Picked { shape: full, offsets })
    }
}

fn axes_used(item: &Item) -> usize {
    match item {
        Item::Int(_) | Item::Slice(..) => 1,
        Item::NewAxis | Item::Ellipsis => 0,
        Item::Tensor(mask) if mask.dtype == ScalarType::I1 => mask.rank(),
        Item::Tensor(_) => 1,
    }
}

/// The coordinates of the true elements of a mask, one tensor per axis.
fn nonzero(mask: &Tensor, shape: &[usize]) -> Result<Vec<Tensor>> {
    if shape.get(..mask.rank()) != Some(&mask.shape) {
        let message = format!("a mask of shape {} does not fit {}", show_shape(&mask.shape), show_shape(shape));
        return Err(Exception::shape(message));
    }
    let mut coordinates = vec![Vec::new(); mask.rank()];
    for (flat, value) in mask.read(number::read_i64).into_iter().enumerate() {
        if value != 0 {
            let mut rest = flat;
            for axis in (0..mask.rank()).rev() {
                coordinates[axis].push((rest % mask.shape[axis]) as i64);
                rest /= mask.shape[axis];
            }
        }
    }
    Ok(coordinates.into_iter().map(|values| from_ints(&values)).collect())
}

fn from_ints(values: &[i64]) -> Tensor {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    Tensor::from_bytes(ScalarType::I64, vec![values.len()], bytes)
}
