//! A linear layout: a linear map over F2 from named input coordinates to named output coordinates.
//!
//! Every layout that tk uses sends powers of two to powers of two bit by bit, so it is described by the images ("bases") of
//! the input bits; the image of any input is the exclusive or of the images of its set bits (arXiv 2505.23819). An image is kept
//! packed in one `u64`, the first output coordinate in the lowest bits, which makes all algebra work on machine words.

use crate::Dim;
use std::fmt;

/// Most bits that the inputs, and the outputs, of a layout may have together.
pub const MAX_BITS: u32 = 63;

/// Plans list registers one by one, so they refuse layouts with more register bits than this.
pub(crate) const MAX_REGISTER_BITS: u32 = 20;

/// A linear map over F2 between named coordinates whose sizes are powers of two.
///
/// The order of inputs and outputs matters for flattening (the first one is the fastest) and for equality.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct LinearLayout {
    /// Inputs and their number of bits.
    pub(crate) ins: Vec<(Dim, u32)>,
    /// Outputs and their number of bits.
    pub(crate) outs: Vec<(Dim, u32)>,
    /// Packed image of each input bit, inputs in order.
    pub(crate) columns: Vec<u64>,
}

/// Log2 of a positive power of two.
pub(crate) fn log2(size: u32) -> Result<u32, String> {
    if size.is_power_of_two() { Ok(size.trailing_zeros()) } else { Err(format!("{size} is not a power of two")) }
}

impl LinearLayout {
    /// The layout of nothing: no inputs, no outputs; the unit of [`LinearLayout::product`].
    pub fn empty() -> Self {
        Self::default()
    }

    /// `input` and `output` count the same `size` things (a power of two).
    pub fn identity1d(size: u32, input: Dim, output: Dim) -> Result<Self, String> {
        Self::strided1d(size, 1, input, output)
    }

    /// `output = input * stride`; the output has size `size * stride`. Both are powers of two.
    pub fn strided1d(size: u32, stride: u32, input: Dim, output: Dim) -> Result<Self, String> {
        let (bits, shift) = (log2(size)?, log2(stride)?);
        let columns = (0..bits).map(|bit| 1u64 << (bit + shift)).collect();
        let out_bits = if bits == 0 { 0 } else { bits + shift };
        Self::from_columns(vec![(input, bits)], vec![(output, out_bits)], columns)
    }

    /// `size` inputs that all land on output 0, an output of size `out_size`.
    pub fn zeros1d(size: u32, input: Dim, output: Dim, out_size: u32) -> Result<Self, String> {
        let bits = log2(size)?;
        Self::from_columns(vec![(input, bits)], vec![(output, log2(out_size)?)], vec![0; bits as usize])
    }

    /// From explicit images: for each input, one vector (an entry per output) for each of its bits; and the size of each output.
    pub fn from_bases(ins: &[(Dim, Vec<Vec<u32>>)], outs: &[(Dim, u32)]) -> Result<Self, String> {
        let outs = outs.iter().map(|&(dim, size)| Ok((dim, log2(size)?))).collect::<Result<Vec<_>, String>>()?;
        check_dims("output", &outs)?;
        let mut columns = Vec::new();
        for (dim, bases) in ins {
            for basis in bases {
                columns.push(pack(&outs, basis).map_err(|why| format!("basis {basis:?} of {dim}: {why}"))?);
            }
        }
        let ins = ins.iter().map(|(dim, bases)| (*dim, bases.len() as u32)).collect();
        Self::from_columns(ins, outs, columns)
    }

    /// From explicit images, with the smallest output sizes that hold them.
    pub fn from_bases_inferred(ins: &[(Dim, Vec<Vec<u32>>)], outs: &[Dim]) -> Result<Self, String> {
        let mut sizes: Vec<(Dim, u32)> = outs.iter().map(|&dim| (dim, 1)).collect();
        for basis in ins.iter().flat_map(|(_, bases)| bases) {
            for ((_, size), &value) in sizes.iter_mut().zip(basis) {
                if value >= 1 << 30 {
                    return Err(format!("the basis entry {value} is too large"));
                }
                *size = (*size).max((value + 1).next_power_of_two());
            }
        }
        Self::from_bases(ins, &sizes)
    }

    /// From packed images; checks names, sizes and ranges.
    pub(crate) fn from_columns(ins: Vec<(Dim, u32)>, outs: Vec<(Dim, u32)>, columns: Vec<u64>) -> Result<Self, String> {
        let in_bits = check_dims("input", &ins)?;
        let out_bits = check_dims("output", &outs)?;
        if in_bits as usize != columns.len() {
            return Err(format!("{} images for {in_bits} input bits", columns.len()));
        }
        if columns.iter().any(|column| column >> out_bits != 0) {
            return Err("an image lies outside the outputs".into());
        }
        Ok(Self { ins, outs, columns })
    }

    /// Names of the inputs, fastest first.
    pub fn in_dims(&self) -> impl ExactSizeIterator<Item = Dim> + '_ {
        self.ins.iter().map(|(dim, _)| *dim)
    }

    /// Names of the outputs, fastest first.
    pub fn out_dims(&self) -> impl ExactSizeIterator<Item = Dim> + '_ {
        self.outs.iter().map(|(dim, _)| *dim)
    }

    /// Whether `dim` is an input.
    pub fn has_in(&self, dim: Dim) -> bool {
        self.ins.iter().any(|(name, _)| *name == dim)
    }

    /// Whether `dim` is an output.
    pub fn has_out(&self, dim: Dim) -> bool {
        self.outs.iter().any(|(name, _)| *name == dim)
    }

    /// Bits of input `dim`; 0 when it is absent.
    pub fn in_bits(&self, dim: Dim) -> u32 {
        bits_of(&self.ins, dim)
    }

    /// Bits of output `dim`; 0 when it is absent.
    pub fn out_bits(&self, dim: Dim) -> u32 {
        bits_of(&self.outs, dim)
    }

    /// Number of values of input `dim`; 1 when it is absent.
    pub fn in_size(&self, dim: Dim) -> u32 {
        1 << self.in_bits(dim).min(31)
    }

    /// Number of values of output `dim`; 1 when it is absent.
    pub fn out_size(&self, dim: Dim) -> u32 {
        1 << self.out_bits(dim).min(31)
    }

    /// Bits of all inputs together.
    pub fn total_in_bits(&self) -> u32 {
        self.columns.len() as u32
    }

    /// Bits of all outputs together.
    pub fn total_out_bits(&self) -> u32 {
        self.outs.iter().map(|(_, bits)| bits).sum()
    }

    /// Position of the first bit of input `dim` among all input bits.
    pub(crate) fn in_shift(&self, dim: Dim) -> u32 {
        self.ins.iter().take_while(|(name, _)| *name != dim).map(|(_, bits)| bits).sum()
    }

    /// Position of the first bit of output `dim` in a packed image.
    pub(crate) fn out_shift(&self, dim: Dim) -> u32 {
        self.outs.iter().take_while(|(name, _)| *name != dim).map(|(_, bits)| bits).sum()
    }

    /// Packed images of the bits of input `dim`, lowest bit first; empty when it is absent.
    pub fn columns_of(&self, dim: Dim) -> &[u64] {
        let start = self.in_shift(dim) as usize;
        &self.columns[start..start + self.in_bits(dim) as usize]
    }

    /// Packed images of all input bits.
    pub fn columns(&self) -> &[u64] {
        &self.columns
    }

    /// Value of output `output` for bit `bit` of input `input`; 0 when any of them does not exist.
    pub fn basis(&self, input: Dim, bit: u32, output: Dim) -> u32 {
        let image = self.columns_of(input).get(bit as usize).copied().unwrap_or(0);
        self.unpack_dim(image, output)
    }

    /// Image of bit `bit` of input `input`, one entry per output in order.
    pub fn basis_vector(&self, input: Dim, bit: u32) -> Vec<u32> {
        self.unpack(self.columns_of(input).get(bit as usize).copied().unwrap_or(0))
    }

    /// The entry of output `dim` in a packed image.
    pub fn unpack_dim(&self, image: u64, dim: Dim) -> u32 {
        let bits = self.out_bits(dim);
        if bits == 0 { 0 } else { (image >> self.out_shift(dim) & ((1u64 << bits) - 1)) as u32 }
    }

    /// A packed image as one number per output, in order.
    pub fn unpack(&self, image: u64) -> Vec<u32> {
        let mut shift = 0;
        self.outs
            .iter()
            .map(|(_, bits)| {
                let value = (image >> shift & ((1u64 << bits) - 1)) as u32;
                shift += bits;
                value
            })
            .collect()
    }

    /// Packed image of a flat input, in which the first input coordinate fills the lowest bits.
    pub fn apply_flat(&self, input: u64) -> u64 {
        let mut rest = input;
        let mut image = 0;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            image ^= self.columns.get(bit as usize).copied().unwrap_or(0);
            rest &= rest - 1;
        }
        image
    }

    /// Packed image of the value `value` of the one input `input`, all others 0.
    pub fn apply_dim(&self, input: Dim, value: u32) -> u64 {
        self.columns_of(input)
            .iter()
            .enumerate()
            .filter(|(bit, _)| value >> bit & 1 == 1)
            .fold(0, |sum, (_, c)| sum ^ c)
    }

    /// Outputs for the given inputs; inputs that are not listed are 0.
    pub fn apply(&self, inputs: &[(Dim, u32)]) -> Vec<(Dim, u32)> {
        let image = inputs.iter().fold(0, |sum, &(dim, value)| sum ^ self.apply_dim(dim, value));
        self.out_dims().zip(self.unpack(image)).collect()
    }
}

/// Sum of the bits, after checking that names are distinct and the sum small enough.
fn check_dims(side: &str, dims: &[(Dim, u32)]) -> Result<u32, String> {
    for (at, (dim, bits)) in dims.iter().enumerate() {
        if dims[..at].iter().any(|(other, _)| other == dim) {
            return Err(format!("the {side} {dim} is there twice"));
        }
        if *bits > 31 {
            return Err(format!("the {side} {dim} is larger than 2^31"));
        }
    }
    let sum = dims.iter().map(|(_, bits)| bits).sum();
    if sum > MAX_BITS { Err(format!("the {side}s have {sum} bits, more than {MAX_BITS}")) } else { Ok(sum) }
}

fn bits_of(dims: &[(Dim, u32)], dim: Dim) -> u32 {
    dims.iter().find(|(name, _)| *name == dim).map_or(0, |(_, bits)| *bits)
}

fn pack(outs: &[(Dim, u32)], basis: &[u32]) -> Result<u64, String> {
    if basis.len() != outs.len() {
        return Err(format!("it has {} entries for {} dimensions", basis.len(), outs.len()));
    }
    let (mut image, mut shift) = (0, 0);
    for (&(dim, bits), &value) in outs.iter().zip(basis) {
        if u64::from(value) >> bits != 0 {
            return Err(format!("{value} is outside {dim} of size {}", 1u64 << bits));
        }
        image |= u64::from(value) << shift;
        shift += bits;
    }
    Ok(image)
}

impl fmt::Display for LinearLayout {
    /// `{register = [[0, 1]], lane = [], warp = [], block = []}`, the bases as Triton prints them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, (dim, bits)) in self.ins.iter().enumerate() {
            let bases: Vec<_> = (0..*bits).map(|bit| self.basis_vector(*dim, bit)).collect();
            write!(f, "{}{dim} = {bases:?}", if at == 0 { "" } else { ", " })?;
        }
        f.write_str("}")
    }
}
