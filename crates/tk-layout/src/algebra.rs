//! Operations that make layouts from layouts: product, composition, inverse, division, restriction, reordering.

use crate::f2::Span;
use crate::{Dim, LinearLayout};

impl LinearLayout {
    /// Direct product: `self` varies fastest. Inputs and outputs of the same name are joined, `self` in the lower bits.
    pub fn product(&self, outer: &Self) -> Result<Self, String> {
        let join = |a: &[(Dim, u32)], b: &[(Dim, u32)]| {
            let mut joined = a.to_vec();
            for &(dim, bits) in b {
                match joined.iter_mut().find(|(name, _)| *name == dim) {
                    Some((_, sum)) => *sum += bits,
                    None => joined.push((dim, bits)),
                }
            }
            joined
        };
        let (ins, outs) = (join(&self.ins, &outer.ins), join(&self.outs, &outer.outs));
        let frame = Self { ins: Vec::new(), outs: outs.clone(), columns: Vec::new() };
        if outs.iter().map(|(_, bits)| bits).sum::<u32>() > crate::linear::MAX_BITS {
            return Self::from_columns(ins, outs, Vec::new());
        }
        let mut columns = Vec::new();
        for (dim, _) in &ins {
            columns.extend(self.columns_of(*dim).iter().map(|&column| self.repack(column, &frame, |_| 0)));
            columns.extend(
                outer.columns_of(*dim).iter().map(|&column| outer.repack(column, &frame, |out| self.out_bits(out))),
            );
        }
        Self::from_columns(ins, outs, columns)
    }

    /// A packed image of `self` packed as `frame` packs, each output shifted up by `shift`.
    fn repack(&self, image: u64, frame: &Self, shift: impl Fn(Dim) -> u32) -> u64 {
        self.outs.iter().fold(0, |sum, (dim, _)| {
            sum | u64::from(self.unpack_dim(image, *dim)) << (frame.out_shift(*dim) + shift(*dim))
        })
    }

    /// `outer` after `self`. The outputs of `self` are the inputs of `outer` (in any order) and not larger.
    pub fn compose(&self, outer: &Self) -> Result<Self, String> {
        for (dim, bits) in &self.outs {
            if !outer.has_in(*dim) || outer.in_bits(*dim) < *bits {
                return Err(format!(
                    "cannot compose: the output {dim} is no input of the second layout, or a larger one"
                ));
            }
        }
        let columns = self.columns.iter().map(|&column| {
            self.outs.iter().fold(0, |sum, (dim, _)| sum ^ outer.apply_dim(*dim, self.unpack_dim(column, *dim)))
        });
        Self::from_columns(self.ins.clone(), outer.outs.clone(), columns.collect())
    }

    /// Number of independent images.
    pub fn rank(&self) -> usize {
        Span::of(self.columns.iter().copied()).rank()
    }

    /// Whether every output is reached.
    pub fn is_surjective(&self) -> bool {
        self.rank() == self.total_out_bits() as usize
    }

    /// Whether different inputs have different outputs.
    pub fn is_injective(&self) -> bool {
        self.rank() == self.columns.len()
    }

    /// Whether the map is a bijection.
    pub fn is_invertible(&self) -> bool {
        self.is_injective() && self.is_surjective()
    }

    /// The inverse of a bijection.
    pub fn invert(&self) -> Result<Self, String> {
        if !self.is_invertible() {
            return Err(format!("the layout {self} is no bijection"));
        }
        self.pseudo_invert()
    }

    /// A right inverse of a surjective layout: each output goes to one input that maps to it, the one that uses the lowest
    /// independent input bits (low registers first, then low lanes, then low warps, in the order of the inputs).
    pub fn pseudo_invert(&self) -> Result<Self, String> {
        let span = Span::of(self.columns.iter().copied());
        let columns = (0..self.total_out_bits())
            .map(|bit| span.solve(1 << bit).map(|solution| solution as u64))
            .collect::<Option<Vec<u64>>>()
            .ok_or_else(|| format!("the layout {self} does not reach every output"))?;
        Self::from_columns(self.outs.clone(), self.ins.clone(), columns)
    }

    /// The layout `c` with `outer ∘ c = self`: where to look in `outer` for what `self` holds. When `outer` holds an element
    /// several times, the place with the lowest independent input bits is taken. Fails when `outer` lacks an element.
    pub fn invert_and_compose(&self, outer: &Self) -> Result<Self, String> {
        let aligned = self.transpose_outs(&outer.out_dims().collect::<Vec<_>>())?;
        let span = Span::of(outer.columns.iter().copied());
        let columns = aligned.columns.iter().map(|&column| {
            let image = aligned.repack(column, outer, |_| 0);
            span.solve(image).map(|solution| solution as u64)
        });
        let columns = columns.collect::<Option<Vec<u64>>>().ok_or("the second layout lacks an element of the first")?;
        Self::from_columns(self.ins.clone(), outer.ins.clone(), columns)
    }

    /// The same map with its outputs in the order `dims` (the same names).
    pub fn transpose_outs(&self, dims: &[Dim]) -> Result<Self, String> {
        if dims.len() != self.outs.len() || dims.iter().any(|dim| !self.has_out(*dim)) {
            return Err(format!("{dims:?} is no order of the outputs"));
        }
        let outs: Vec<_> = dims.iter().map(|&dim| (dim, self.out_bits(dim))).collect();
        let frame = Self { ins: Vec::new(), outs: outs.clone(), columns: Vec::new() };
        let columns = self.columns.iter().map(|&column| self.repack(column, &frame, |_| 0)).collect();
        Self::from_columns(self.ins.clone(), outs, columns)
    }

    /// The same map with its inputs in the order `dims` (the same names).
    pub fn transpose_ins(&self, dims: &[Dim]) -> Result<Self, String> {
        if dims.len() != self.ins.len() || dims.iter().any(|dim| !self.has_in(*dim)) {
            return Err(format!("{dims:?} is no order of the inputs"));
        }
        let ins = dims.iter().map(|&dim| (dim, self.in_bits(dim))).collect();
        let columns = dims.iter().flat_map(|&dim| self.columns_of(dim)).copied().collect();
        Self::from_columns(ins, self.outs.clone(), columns)
    }

    /// The part of the map from the inputs `ins` to the outputs `outs`; other inputs are held at 0 and other outputs dropped.
    pub fn sublayout(&self, ins: &[Dim], outs: &[Dim]) -> Result<Self, String> {
        if let Some(dim) = ins.iter().find(|dim| !self.has_in(**dim)).or(outs.iter().find(|dim| !self.has_out(**dim))) {
            return Err(format!("the layout has no {dim}"));
        }
        let new_ins: Vec<_> = self.ins.iter().copied().filter(|(dim, _)| ins.contains(dim)).collect();
        let new_outs: Vec<_> = self.outs.iter().copied().filter(|(dim, _)| outs.contains(dim)).collect();
        let frame = Self { ins: Vec::new(), outs: new_outs.clone(), columns: Vec::new() };
        let keep = |column: &u64| {
            new_outs
                .iter()
                .fold(0, |sum, (dim, _)| sum | u64::from(self.unpack_dim(*column, *dim)) << frame.out_shift(*dim))
        };
        let columns = new_ins.iter().flat_map(|(dim, _)| self.columns_of(*dim)).map(keep).collect();
        Self::from_columns(new_ins, new_outs, columns)
    }

    /// Whether inputs `ins` have no effect on outputs `outs`.
    pub fn sublayout_is_zero(&self, ins: &[Dim], outs: &[Dim]) -> bool {
        ins.iter()
            .flat_map(|dim| self.columns_of(*dim))
            .all(|&column| outs.iter().all(|out| self.unpack_dim(column, *out) == 0))
    }

    /// All inputs joined to the one input `dim`, the first one fastest.
    pub fn flatten_ins(&self, dim: Dim) -> Result<Self, String> {
        self.reshape_ins(&[(dim, self.total_in_bits())])
    }

    /// All outputs joined to the one output `dim`, the first one fastest.
    pub fn flatten_outs(&self, dim: Dim) -> Result<Self, String> {
        self.reshape_outs(&[(dim, self.total_out_bits())])
    }

    /// The flat inputs cut into other ones; `ins` gives names and numbers of bits.
    pub fn reshape_ins(&self, ins: &[(Dim, u32)]) -> Result<Self, String> {
        Self::from_columns(ins.to_vec(), self.outs.clone(), self.columns.clone())
    }

    /// The flat outputs cut into other ones; `outs` gives names and numbers of bits.
    pub fn reshape_outs(&self, outs: &[(Dim, u32)]) -> Result<Self, String> {
        if outs.iter().map(|(_, bits)| bits).sum::<u32>() != self.total_out_bits() {
            return Err("a reshape keeps the number of elements".into());
        }
        Self::from_columns(self.ins.clone(), outs.to_vec(), self.columns.clone())
    }

    /// Appends the inputs of `other`, which has the same outputs (names and sizes) and other inputs.
    pub fn concat_ins(&self, other: &Self) -> Result<Self, String> {
        if self.outs != other.outs {
            return Err("layouts with different outputs cannot be put side by side".into());
        }
        let ins = self.ins.iter().chain(&other.ins).copied().collect();
        Self::from_columns(ins, self.outs.clone(), self.columns.iter().chain(&other.columns).copied().collect())
    }

    /// Appends the outputs of `other`, which has the same inputs (names and sizes) and other outputs.
    pub fn concat_outs(&self, other: &Self) -> Result<Self, String> {
        if self.ins != other.ins {
            return Err("layouts with different inputs cannot be stacked".into());
        }
        let shift = self.total_out_bits();
        if shift + other.total_out_bits() > crate::linear::MAX_BITS {
            return Err("the outputs are too large together".into());
        }
        let columns = self.columns.iter().zip(&other.columns).map(|(a, b)| a | b << shift).collect();
        Self::from_columns(self.ins.clone(), self.outs.iter().chain(&other.outs).copied().collect(), columns)
    }

    /// For each input, the mask of its redundant bits: flipping such a bit and suitable lower bits reaches the same element.
    /// Lower bits are preferred, so keeping only inputs with all masked bits 0 visits every element exactly once.
    pub fn free_masks(&self) -> Vec<(Dim, u32)> {
        let mut span = Span::default();
        self.ins
            .iter()
            .map(|&(dim, bits)| {
                let columns = self.columns_of(dim);
                (dim, (0..bits).filter(|&bit| !span.insert(columns[bit as usize])).fold(0, |mask, bit| mask | 1 << bit))
            })
            .collect()
    }

    /// The mask of redundant bits of input `dim`, see [`LinearLayout::free_masks`].
    pub fn free_mask(&self, dim: Dim) -> u32 {
        self.free_masks().into_iter().find(|(name, _)| *name == dim).map_or(0, |(_, mask)| mask)
    }

    /// Number of consecutive values of the first input that go to consecutive values of the first output.
    pub fn num_consecutive(&self) -> u32 {
        let Some(&(dim, _)) = self.ins.first() else { return 1 };
        let columns = self.columns_of(dim);
        let run = columns.iter().enumerate().take_while(|(bit, column)| **column == 1 << bit).count() as u32;
        1 << run.min(self.outs.first().map_or(0, |(_, bits)| *bits))
    }

    /// `c` with `inner × c = self`, when there is one: `self` starts with `inner`.
    pub fn divide_left(&self, inner: &Self) -> Option<Self> {
        self.divide(inner, true)
    }

    /// `c` with `c × outer = self`, when there is one: `self` ends with `outer`.
    pub fn divide_right(&self, outer: &Self) -> Option<Self> {
        self.divide(outer, false)
    }

    fn divide(&self, divisor: &Self, left: bool) -> Option<Self> {
        let rest = |dims: &[(Dim, u32)], of: &[(Dim, u32)]| -> Option<Vec<(Dim, u32)>> {
            of.iter().all(|(dim, _)| dims.iter().any(|(name, _)| name == dim)).then_some(())?;
            dims.iter()
                .map(|&(dim, bits)| {
                    let taken = of.iter().find(|(name, _)| *name == dim).map_or(0, |(_, bits)| *bits);
                    Some((dim, bits.checked_sub(taken)?))
                })
                .collect()
        };
        let (ins, outs) = (rest(&self.ins, &divisor.ins)?, rest(&self.outs, &divisor.outs)?);
        let frame = Self { ins: Vec::new(), outs: outs.clone(), columns: Vec::new() };
        let mut columns = Vec::new();
        for &(dim, bits) in &ins {
            let own = self.columns_of(dim);
            let kept = if left { &own[(own.len() - bits as usize)..] } else { &own[..bits as usize] };
            for &column in kept {
                columns.push(self.outs.iter().fold(0, |sum, (out, _)| {
                    let value = u64::from(self.unpack_dim(column, *out));
                    let value = if left { value >> divisor.out_bits(*out) } else { value };
                    let mask = (1u64 << frame.out_bits(*out)) - 1;
                    sum | (value & mask) << frame.out_shift(*out)
                }));
            }
        }
        let quotient = Self::from_columns(ins, outs, columns).ok()?;
        let product = if left { divisor.product(&quotient) } else { quotient.product(divisor) }.ok()?;
        let product = product.transpose_ins(&self.in_dims().collect::<Vec<_>>()).ok()?;
        (product.transpose_outs(&self.out_dims().collect::<Vec<_>>()).ok()? == *self).then_some(quotient)
    }
}
