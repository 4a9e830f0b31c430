//! Computes the layouts of an operation's results from those of its operands and the other way round, by its
//! [rule](crate::operations::layouts).

use crate::operations::layouts::{LayoutRule, ShapeChange, layout_rule};
use std::sync::Arc;
use tk_ir::ops::{ExpandDimsOp, ReduceOp, TransLikeOp};
use tk_ir::{Attribute, Op, OpKind, Type};
use tk_layout::{BlockedEncoding, Dim, Encoding, LinearLayout};

/// How layouts pass through `op`.
pub(crate) fn rule(op: Op<'_>) -> LayoutRule {
    layout_rule(op.kind())
}

/// The layout of the results when the first tensor operand has `layout`; `None` when it cannot be said.
pub(crate) fn forward<'c>(op: Op<'c>, layout: Attribute<'c>) -> Option<Attribute<'c>> {
    let change = match rule(op) {
        LayoutRule::Same | LayoutRule::Access => return Some(layout),
        LayoutRule::Shape(change) => change,
        LayoutRule::Conversion | LayoutRule::Any | LayoutRule::Own | LayoutRule::Fixed => return None,
    };
    let context = op.context();
    let encoding = layout.encoding()?;
    let derived = match change {
        ShapeChange::ExpandDims => encoding.expand(ExpandDimsOp::cast(op)?.axis() as u32)?.clone(),
        ShapeChange::Reduce => encoding.slice(ReduceOp::cast(op)?.axis() as u32),
        ShapeChange::Trans => permuted(&encoding, &op.operand(0).ty().shape(), &TransLikeOp::cast(op)?.order())?,
        ShapeChange::Reshape => reshaped(&encoding, &op.operand(0).ty().shape(), &op.result(0).ty().shape())?,
        ShapeChange::Split => without_pairs(&encoding, &op.operand(0).ty().shape())?,
        ShapeChange::Join => with_pairs(&encoding, &op.operand(0).ty().shape())?,
    };
    Some(context.encoding_attr(&derived))
}

/// The layout that the tensor operands need for the results to have `layout`; `None` when it cannot be said.
pub(crate) fn backward<'c>(op: Op<'c>, layout: Attribute<'c>) -> Option<Attribute<'c>> {
    let change = match rule(op) {
        LayoutRule::Same | LayoutRule::Access => return Some(layout),
        LayoutRule::Shape(change) => change,
        LayoutRule::Conversion | LayoutRule::Any | LayoutRule::Own | LayoutRule::Fixed => return None,
    };
    let context = op.context();
    let encoding = layout.encoding()?;
    let derived = match change {
        ShapeChange::ExpandDims => encoding.slice(ExpandDimsOp::cast(op)?.axis() as u32),
        ShapeChange::Reduce => encoding.expand(ReduceOp::cast(op)?.axis() as u32)?.clone(),
        ShapeChange::Trans => {
            let order = TransLikeOp::cast(op)?.order();
            let mut inverse = vec![0; order.len()];
            order.iter().enumerate().for_each(|(to, from)| inverse[*from] = to);
            permuted(&encoding, &op.result(0).ty().shape(), &inverse)?
        }
        ShapeChange::Reshape => reshaped(&encoding, &op.result(0).ty().shape(), &op.operand(0).ty().shape())?,
        ShapeChange::Split => with_pairs(&encoding, &op.result(0).ty().shape())?,
        ShapeChange::Join => without_pairs(&encoding, &op.result(0).ty().shape())?,
    };
    Some(context.encoding_attr(&derived))
}

/// Two layouts put every element of a tensor of `shape` into the same threads and, registers that repeat others aside, into the same
/// registers: as those of two `wgmma` of different widths do with a number per row.
pub(crate) fn same_places(shape: &[i64], a: Attribute<'_>, b: Attribute<'_>) -> bool {
    let places = |layout: Attribute<'_>| {
        let linear = layout.linear_layout(shape).ok()?;
        let registers: Vec<u64> =
            linear.columns_of(Dim::Register).iter().copied().filter(|image| *image != 0).collect();
        let threads = [Dim::Lane, Dim::Warp, Dim::Block].map(|input| linear.columns_of(input).to_vec());
        Some((registers, threads, linear.out_dims().collect::<Vec<Dim>>()))
    };
    a == b || places(a).is_some_and(|here| places(b).is_some_and(|there| here == there))
}

/// Two layouts put every element of a tensor of `shape` into the same registers of the same threads.
pub(crate) fn same_registers(shape: &[i64], a: Attribute<'_>, b: Attribute<'_>) -> bool {
    let columns = |layout: Attribute<'_>| {
        let linear = layout.linear_layout(shape).ok()?;
        let inputs = [Dim::Register, Dim::Lane, Dim::Warp, Dim::Block].map(|input| linear.columns_of(input).to_vec());
        Some((inputs, linear.out_dims().collect::<Vec<Dim>>()))
    };
    a == b || columns(a).is_some_and(|here| columns(b).is_some_and(|there| here == there))
}

/// A conversion between layouts that put every element into the same register of the same thread.
pub(crate) fn moves_nothing(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtgConvertLayout && {
        let (from, to) = (op.operand(0).ty(), op.result(0).ty());
        let layouts = from.encoding().zip(to.encoding());
        layouts.is_some_and(|(from, layout)| same_registers(&to.shape(), from, layout))
    }
}

/// The layout of a transposed tensor: result axis `d` is axis `order[d]`.
pub(crate) fn permuted(encoding: &Encoding, shape: &[i64], order: &[usize]) -> Option<Encoding> {
    let mut inverse = vec![0u32; order.len()];
    for (to, &from) in order.iter().enumerate() {
        *inverse.get_mut(from)? = to as u32;
    }
    let pick = |values: &[u32]| order.iter().map(|&axis| values[axis]).collect::<Vec<u32>>();
    if let Encoding::Blocked(blocked) = encoding {
        return Some(Encoding::Blocked(BlockedEncoding {
            size_per_thread: pick(&blocked.size_per_thread),
            threads_per_warp: pick(&blocked.threads_per_warp),
            warps_per_cta: pick(&blocked.warps_per_cta),
            order: blocked.order.iter().map(|&axis| inverse[axis as usize]).collect(),
        }));
    }
    let linear = encoding.to_linear(shape).ok()?;
    rebuild(&linear, |image| order.iter().map(|&axis| image[axis]).collect(), &pick_shape(shape, order))
}

/// Elements of a tensor that a thread has; 1 of a scalar, and of a tensor without a layout.
pub(crate) fn elements_per_thread(ty: Type<'_>) -> i64 {
    ty.linear_layout().map_or(1, |linear| i64::from(linear.in_size(Dim::Register)))
}

/// Different elements of a tensor that a thread has: some layouts repeat an element in several of its registers.
pub(crate) fn distinct_elements_per_thread(ty: Type<'_>) -> i64 {
    let linear = ty.linear_layout();
    linear.map_or_else(
        || elements_per_thread(ty),
        |linear| (1 << linear.in_bits(Dim::Register)) >> linear.free_mask(Dim::Register).count_ones(),
    )
}

fn pick_shape(shape: &[i64], order: &[usize]) -> Vec<i64> {
    order.iter().map(|&axis| shape[axis]).collect()
}

/// The layout of a tensor reshaped in row-major order.
pub(crate) fn reshaped(encoding: &Encoding, from: &[i64], to: &[i64]) -> Option<Encoding> {
    let linear = encoding.to_linear(from).ok()?;
    let move_image = |image: Vec<u32>| {
        let mut flat = image.iter().zip(from).fold(0u64, |flat, (&index, &size)| flat * size as u64 + u64::from(index));
        let mut moved = vec![0; to.len()];
        for (index, &size) in moved.iter_mut().zip(to).rev() {
            *index = (flat % size as u64) as u32;
            flat /= size as u64;
        }
        moved
    };
    let linear = rebuild(&linear, move_image, to)?;
    Some(as_blocked(&linear, to).unwrap_or(linear))
}

/// The layout of each half of a tensor of `shape` whose last axis of size 2 lies in one register bit; `None` when it lies across
/// threads or moves together with another axis.
pub(crate) fn without_pairs(encoding: &Encoding, shape: &[i64]) -> Option<Encoding> {
    let (_, half) = shape.split_last()?;
    let mut images = images(&encoding.to_linear(shape).ok()?);
    let registers = &mut images.first_mut()?.1;
    let pair = registers.iter().position(|image| image.last() == Some(&1))?;
    if registers.remove(pair).iter().filter(|index| **index != 0).count() != 1 {
        return None;
    }
    let mut tied = false;
    for image in images.iter_mut().flat_map(|(_, images)| images) {
        tied |= image.pop()? != 0;
    }
    let linear = from_images(images, half)?;
    (!tied).then(|| as_blocked(&linear, half).unwrap_or(linear))
}

/// The layout of two tensors of `shape` side by side along a new last axis: each thread holds both elements of a pair.
pub(crate) fn with_pairs(encoding: &Encoding, shape: &[i64]) -> Option<Encoding> {
    let mut images = images(&encoding.to_linear(shape).ok()?);
    images.iter_mut().flat_map(|(_, images)| images).for_each(|image| image.push(0));
    let mut pair = vec![0; shape.len()];
    pair.push(1);
    images.first_mut()?.1.insert(0, pair);
    let joined: Vec<i64> = shape.iter().copied().chain([2]).collect();
    let linear = from_images(images, &joined)?;
    Some(as_blocked(&linear, &joined).unwrap_or(linear))
}

/// The same threads and registers with every image moved; axes are counted from the slowest.
fn rebuild(linear: &LinearLayout, move_image: impl Fn(Vec<u32>) -> Vec<u32>, shape: &[i64]) -> Option<Encoding> {
    let moved =
        images(linear).into_iter().map(|(input, images)| (input, images.into_iter().map(&move_image).collect()));
    from_images(moved.collect(), shape)
}

/// What each bit of each input moves along each axis, registers first; axes are counted from the slowest, whatever the order of the
/// layout's outputs.
fn images(linear: &LinearLayout) -> Vec<(Dim, Vec<Vec<u32>>)> {
    let axes: Vec<Dim> = linear.out_dims().collect();
    let image = |input: Dim, bit: u32| {
        let mut image = vec![0; axes.len()];
        axes.iter().zip(linear.basis_vector(input, bit)).for_each(|(axis, value)| {
            if let Dim::Axis(axis) = axis {
                image[*axis as usize] = value;
            }
        });
        image
    };
    [Dim::Register, Dim::Lane, Dim::Warp, Dim::Block]
        .map(|input| (input, (0..linear.in_bits(input)).map(|bit| image(input, bit)).collect()))
        .to_vec()
}

/// The layout with these images for a tensor of `shape`.
pub(crate) fn from_images(images: Vec<(Dim, Vec<Vec<u32>>)>, shape: &[i64]) -> Option<Encoding> {
    let outs: Vec<(Dim, u32)> = Dim::axes(shape.len()).into_iter().zip(shape.iter().map(|&size| size as u32)).collect();
    LinearLayout::from_bases(&images, &outs).ok().map(Encoding::Linear)
}

/// The blocked layout that places a tensor of `shape` exactly as a linear layout does, if there is one: easier to read, and it
/// propagates further.
fn as_blocked(encoding: &Encoding, shape: &[i64]) -> Option<Encoding> {
    let Encoding::Linear(linear) = encoding else { return None };
    let rank = shape.len();
    let count = |input: Dim, axis: usize| -> u32 {
        (0..linear.in_bits(input)).filter(|&bit| linear.basis(input, bit, Dim::Axis(axis as u8)) != 0).count() as u32
    };
    let threads: Vec<u32> = (0..rank).map(|axis| 1 << count(Dim::Lane, axis)).collect();
    let warps: Vec<u32> = (0..rank).map(|axis| 1 << count(Dim::Warp, axis)).collect();
    let size: Vec<u32> = tk_layout::contiguous_per_thread(linear);
    let order: Vec<u32> = (0..rank as u32).rev().collect();
    let blocked = Encoding::Blocked(BlockedEncoding {
        size_per_thread: size,
        threads_per_warp: threads,
        warps_per_cta: warps,
        order,
    });
    (blocked.to_linear(shape).ok()? == *linear).then_some(blocked)
}

/// The product of a slice and its parent's missing axis, for operands of `tt.expand_dims` that are no slices.
pub(crate) fn slice_of(parent: &Encoding, dim: u32) -> Encoding {
    Encoding::Slice(tk_layout::SliceEncoding { dim, parent: Arc::new(parent.clone()) })
}
