//! Small tensors of reference numbers, and how a kernel names the places of their elements.

use crate::draw::seeded;
use crate::number::{Number, Type};
use rand::Rng;
use rand::seq::SliceRandom;

/// A row-major tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its dimensions; none for a scalar.
    pub shape: Vec<usize>,
    /// Its elements.
    pub data: Vec<Number>,
}

impl Tensor {
    /// A tensor whose element at an index is what the function says.
    pub fn of(shape: &[usize], mut element: impl FnMut(&[usize]) -> Number) -> Tensor {
        let count: usize = shape.iter().product();
        let data = (0..count).map(|flat| element(&unflatten(shape, flat))).collect();
        Tensor { shape: shape.to_vec(), data }
    }

    /// Small whole numbers, which every type holds and whose sums of a few hundred terms every type holds, too.
    pub fn whole(ty: Type, shape: &[usize], seed: &str) -> Tensor {
        let mut random = seeded(&format!("{} {shape:?} {seed}", ty.name()));
        let signed = ty.is_float() || ty.is_signed();
        Tensor::of(shape, |_| {
            let magnitude = if random.random_ratio(1, 4) { random.random_range(0..3) } else { 0 };
            let value = if signed && random.random() { -magnitude } else { magnitude };
            ty.rounded(Number::Int(value))
        })
    }

    /// Numbers that are all different, where the type has as many.
    pub fn distinct(ty: Type, shape: &[usize], seed: &str) -> Tensor {
        let mut random = seeded(&format!("{} {shape:?} {seed}", ty.name()));
        let count: usize = shape.iter().product();
        let mut order: Vec<usize> = (0..count).collect();
        order.shuffle(&mut random);
        let least = if ty.is_float() || ty.is_signed() { count as i128 / 2 } else { 0 };
        let value = |i: usize| ty.rounded(Number::Int(i as i128 - least));
        Tensor { shape: shape.to_vec(), data: order.into_iter().map(value).collect() }
    }

    /// The element at an index.
    pub fn at(&self, index: &[usize]) -> Number {
        self.data[flatten(&self.shape, index)]
    }

    /// The elements along an axis through an index, whose entry there does not matter.
    pub fn along(&self, axis: usize, index: &[usize]) -> Vec<Number> {
        let mut index = index.to_vec();
        (0..self.shape[axis])
            .map(|i| {
                index[axis] = i;
                self.at(&index)
            })
            .collect()
    }

    /// The same elements in another shape.
    pub fn reshaped(&self, shape: &[usize]) -> Tensor {
        Tensor { shape: shape.to_vec(), data: self.data.clone() }
    }

    /// Every element changed.
    pub fn map(&self, change: impl Fn(Number) -> Number) -> Tensor {
        Tensor { shape: self.shape.clone(), data: self.data.iter().map(|value| change(*value)).collect() }
    }
}

/// The index of a flat position.
pub fn unflatten(shape: &[usize], mut flat: usize) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for axis in (0..shape.len()).rev() {
        index[axis] = flat % shape[axis];
        flat /= shape[axis];
    }
    index
}

/// The flat position of an index.
pub fn flatten(shape: &[usize], index: &[usize]) -> usize {
    shape.iter().zip(index).fold(0, |flat, (size, i)| flat * size + i)
}

/// The expression of a kernel for the row-major positions of a tensor of this shape; `0` for a scalar.
pub fn offsets(shape: &[usize]) -> String {
    let rank = shape.len();
    let mut terms = Vec::new();
    let mut stride = 1;
    for (axis, size) in shape.iter().enumerate().rev() {
        let mut subscript = vec!["None"; rank];
        subscript[axis] = ":";
        let place = if rank == 1 { String::new() } else { format!("[{}]", subscript.join(", ")) };
        let factor = if stride == 1 { String::new() } else { format!(" * {stride}") };
        terms.push(format!("tl.arange(0, {size}){place}{factor}"));
        stride *= size;
    }
    terms.reverse();
    if terms.is_empty() { "0".into() } else { terms.join(" + ") }
}

/// `(4, 8)`, as Python writes it.
pub fn tuple(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    if sizes.len() == 1 { format!("({},)", sizes[0]) } else { format!("({})", sizes.join(", ")) }
}
