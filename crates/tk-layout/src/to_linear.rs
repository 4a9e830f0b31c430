//! From a named encoding and a tensor shape to the linear layout that it stands for.
//!
//! Distributed encodings give register, lane, warp, block → axes; shared ones give offset, block → axes. The result always has
//! exactly the size of the shape: a layout that is too small is repeated in further registers (or offsets), one that is too
//! large holds elements several times.

use crate::{Dim, Encoding, LinearLayout, SliceEncoding};

impl Encoding {
    /// The layout of a tensor of `shape` (powers of two, one per axis).
    pub fn to_linear(&self, shape: &[i64]) -> Result<LinearLayout, String> {
        self.verify()?;
        let shape = check_shape(shape)?;
        if shape.len() != self.rank() {
            return Err(format!("the encoding has {} axes and the shape {shape:?} has {}", self.rank(), shape.len()));
        }
        self.to_linear_checked(&shape)
    }

    fn to_linear_checked(&self, shape: &[u32]) -> Result<LinearLayout, String> {
        match self {
            Encoding::Blocked(e) => fit_distributed(&e.cta_tile()?, shape, true),
            Encoding::Slice(e) => slice_to_linear(e, shape),
            Encoding::Linear(e) => fit_linear(e, shape),
            Encoding::NvidiaMma(e) => fit_distributed(&e.cta_tile()?, shape, false),
            Encoding::DotOp(e) => fit_distributed(&e.cta_tile(shape)?, shape, false),
            Encoding::SwizzledShared(e) => e.to_linear(shape),
            Encoding::NvmmaShared(e) => e.to_linear(shape),
            Encoding::PaddedShared(e) => fit_shared(&e.linear, shape),
            Encoding::SharedLinear(e) => fit_shared(&e.layout, shape),
        }
    }
}

fn slice_to_linear(slice: &SliceEncoding, shape: &[u32]) -> Result<LinearLayout, String> {
    let mut parent_shape = shape.to_vec();
    parent_shape.insert(slice.dim as usize, 1);
    let parent = slice.parent.to_linear_checked(&parent_shape)?;
    slice_layout(&parent, slice.dim as usize)
}

/// The layout without axis `axis`: what the slice of a tensor of layout `parent` looks like. Later axes move down by one, and
/// registers that only told positions along the axis apart are dropped.
pub fn slice_layout(parent: &LinearLayout, axis: usize) -> Result<LinearLayout, String> {
    let dims: Vec<Dim> = parent.in_dims().collect();
    let kept: Vec<Dim> = parent.out_dims().filter(|dim| *dim != Dim::Axis(axis as u8)).collect();
    let sliced = parent.sublayout(&dims, &kept)?;
    let registers = sliced.columns_of(Dim::Register);
    let kept_registers: Vec<u64> = registers.iter().copied().filter(|column| *column != 0).collect();
    let mut columns = sliced.columns.clone();
    let start = sliced.in_shift(Dim::Register) as usize;
    columns.splice(start..start + registers.len(), kept_registers.iter().copied());
    let resize =
        |&(dim, bits): &(Dim, u32)| if dim == Dim::Register { (dim, kept_registers.len() as u32) } else { (dim, bits) };
    let ins = sliced.ins.iter().map(resize).collect();
    let outs = sliced.outs.iter().zip(Dim::axes(kept.len())).map(|((_, bits), dim)| (dim, *bits)).collect();
    LinearLayout::from_columns(ins, outs, columns)
}

/// Sizes as `u32`, after checking that they are powers of two.
fn check_shape(shape: &[i64]) -> Result<Vec<u32>, String> {
    let size = |&size: &i64| u32::try_from(size).ok().filter(|size| size.is_power_of_two() && *size <= 1 << 30);
    shape
        .iter()
        .map(size)
        .collect::<Option<_>>()
        .ok_or_else(|| format!("the sizes {shape:?} are no powers of two up to 2^30"))
}

/// Brings one CTA tile to the size of the tensor and to the standard inputs and outputs. Where the tile is larger than the tensor, matrix
/// fragments keep the registers that hold copies (the instruction wants them), other layouts drop them.
pub(crate) fn fit_distributed(
    tile: &LinearLayout,
    shape: &[u32],
    drop_registers: bool,
) -> Result<LinearLayout, String> {
    let fitted = not_larger(&not_smaller(tile, Dim::Register, shape)?, shape, drop_registers)?;
    standard_distributed(&fitted, shape.len())
}

/// An explicit shared layout fits exactly one shape.
fn fit_shared(layout: &LinearLayout, shape: &[u32]) -> Result<LinearLayout, String> {
    let own: Vec<u32> = layout.out_dims().map(|dim| layout.out_size(dim)).collect();
    if own != shape {
        return Err(format!("the encoding is for the shape {own:?}, the tensor has {shape:?}"));
    }
    with_inputs(layout, &[Dim::Offset, Dim::Block])
}

fn fit_linear(layout: &LinearLayout, shape: &[u32]) -> Result<LinearLayout, String> {
    let order: Vec<Dim> = layout_order(layout).into_iter().map(|axis| Dim::Axis(axis as u8)).collect();
    let fitted = not_smaller(&layout.transpose_outs(&order)?, Dim::Register, shape)?;
    standard_distributed(&not_larger(&fitted, shape, true)?, shape.len())
}

/// Axes of a distributed layout in the order in which registers, then lanes, then warps first move along them.
pub(crate) fn layout_order(layout: &LinearLayout) -> Vec<u32> {
    let rank = layout.outs.len() as u32;
    let mut order = Vec::new();
    for column in layout.columns() {
        for (axis, value) in layout.unpack(*column).into_iter().enumerate() {
            if value != 0 && !order.contains(&(axis as u32)) {
                order.push(axis as u32);
            }
        }
    }
    order.extend((0..rank).rev().filter(|axis| !order.contains(axis)).collect::<Vec<_>>());
    order
}

/// Inputs register, lane, warp, block and outputs dim0, dim1, …, all present.
fn standard_distributed(layout: &LinearLayout, rank: usize) -> Result<LinearLayout, String> {
    let dims = [Dim::Register, Dim::Lane, Dim::Warp, Dim::Block];
    with_inputs(layout, &dims)?.transpose_outs(&Dim::axes(rank))
}

/// The layout with exactly the inputs `dims`, missing ones of size 1.
pub(crate) fn with_inputs(layout: &LinearLayout, dims: &[Dim]) -> Result<LinearLayout, String> {
    let ins = dims.iter().map(|&dim| (dim, layout.in_bits(dim))).collect();
    let columns = dims.iter().flat_map(|&dim| layout.columns_of(dim)).copied().collect();
    LinearLayout::from_columns(ins, layout.outs.clone(), columns)
}

/// Repeats the layout along each axis that is longer than it, in further values of `input`.
pub(crate) fn not_smaller(layout: &LinearLayout, input: Dim, shape: &[u32]) -> Result<LinearLayout, String> {
    let mut layout = layout.clone();
    for dim in layout.out_dims().collect::<Vec<_>>() {
        let (size, wanted) = (layout.out_size(dim), axis_size(shape, dim));
        if size < wanted {
            layout = layout.product(&LinearLayout::identity1d(wanted / size, input, dim)?)?;
        }
    }
    Ok(layout)
}

/// Cuts axes that are longer than the shape: the inputs that moved furthest along them now hold copies.
/// `drop_registers` removes register bits that become redundant this way instead of keeping copies in them.
pub(crate) fn not_larger(layout: &LinearLayout, shape: &[u32], drop_registers: bool) -> Result<LinearLayout, String> {
    let mut outs = layout.outs.clone();
    let mut columns = layout.columns.clone();
    let mut cut = vec![false; columns.len()];
    for (dim, bits) in &mut outs {
        let wanted = axis_size(shape, *dim).trailing_zeros();
        let shift = layout.out_shift(*dim);
        for bit in (wanted..*bits).rev() {
            for (column, cut) in columns.iter_mut().zip(&mut cut) {
                if *column >> (shift + bit) & 1 == 1 {
                    *column &= !(((1u64 << layout.out_bits(*dim)) - 1) << shift);
                    *cut = true;
                }
            }
        }
        *bits = (*bits).min(wanted);
    }
    let frame = LinearLayout { ins: Vec::new(), outs: outs.clone(), columns: Vec::new() };
    let narrowed = |column: u64| {
        outs.iter().fold(0, |sum, (dim, _)| sum | u64::from(layout.unpack_dim(column, *dim)) << frame.out_shift(*dim))
    };
    let mut ins = layout.ins.clone();
    let (start, end) = (layout.in_shift(Dim::Register), layout.in_shift(Dim::Register) + layout.in_bits(Dim::Register));
    let dropped =
        |at: usize| drop_registers && cut[at] && (start as usize..end as usize).contains(&at) && columns[at] == 0;
    let kept: Vec<u64> = (0..columns.len()).filter(|&at| !dropped(at)).map(|at| narrowed(columns[at])).collect();
    if let Some((_, bits)) = ins.iter_mut().find(|(dim, _)| *dim == Dim::Register) {
        *bits -= (columns.len() - kept.len()) as u32;
    }
    LinearLayout::from_columns(ins, outs, kept)
}

fn axis_size(shape: &[u32], dim: Dim) -> u32 {
    if let Dim::Axis(axis) = dim { shape.get(axis as usize).copied().unwrap_or(1) } else { 1 }
}
