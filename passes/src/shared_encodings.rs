//! Layouts of shared memory for operands of matrix instructions, and the types of buffers that have them.
//!
//! `mma.sync` reads 8-bit elements across K by single bytes: a register takes eight neighbours of each of four rows. A swizzle keeps these in different
//! banks, in units of 16 bytes where rows have as many of them as it exchanges, and of 8 bytes else. A copy of 16 bytes is two copies then, and both
//! touch all sectors of their rows. In what is copied so whole rows change places instead of units ([`copied`]).

use crate::operations::memory::is_view;
use tk_ir::{Builder, Context, MemDesc, OpKind, Type, Value};
use tk_layout::banks::LINE_BYTES;
use tk_layout::{
    Dim, DotOpEncoding, Encoding, LinearLayout, NvmmaSharedEncoding, SharedLinearEncoding, SwizzledSharedEncoding,
};

/// Rows of a swizzle tile; fewer rows cannot be swizzled.
const TILE_ROWS: i64 = 8;

/// The layout that `wgmma` reads and that is free of bank conflicts: the widest swizzle that the contiguous extent fills. `order` lists
/// the axes, contiguous one first.
pub(crate) fn nvmma(shape: &[i64], order: &[u32], element_bits: u32) -> Encoding {
    let inner = shape[order[0] as usize];
    let rows: i64 = shape.iter().product::<i64>() / inner.max(1);
    let bytes = inner * i64::from(element_bits) / 8;
    let swizzle = [128, 64, 32].into_iter().find(|width| bytes >= *width && rows >= TILE_ROWS).unwrap_or(0);
    Encoding::NvmmaShared(NvmmaSharedEncoding {
        swizzling_byte_width: swizzle as u32,
        transposed: order[0] == 0,
        element_bit_width: element_bits.max(8),
        fp4_padded: false,
        rank: shape.len() as u32,
    })
}

/// Bits that the widest copy moves for a thread.
const COPY_BITS: u32 = 128;

/// The layout from which the fragments of `mma.sync` are read without bank conflicts (`ldmatrix`: eight rows of 16 bytes at once).
pub(crate) fn swizzled(operand: &DotOpEncoding, shape: &[i64], order: &[u32], element_bits: u32) -> Encoding {
    let inner = shape[order[0] as usize].max(1) as u32;
    let per_phase = (1024 / (element_bits * inner).max(1)).max(1);
    let k_axis = k_axis(operand, shape.len());
    // A core matrix has 8 rows (or columns) of 4 lanes times `k_width` elements along K.
    let (along_k, across) = (4 * operand.k_width.max(1), 8);
    let is_along_k = order[0] as usize == k_axis;
    // Elements that a product multiplies as longer ones take fewer than 16 bytes of each row. Units of 16 bytes are as free of bank conflicts,
    // and one copy fills one.
    if is_along_k && along_k * element_bits < COPY_BITS {
        return row_swizzled(shape, order, element_bits);
    }
    let (vec, stride) = if is_along_k { (along_k, across) } else { (across, along_k) };
    // Rows along N of elements that `ldmatrix` does not transpose: a register's lanes read rows that lie `k_width` apart.
    let transposes = is_along_k || element_bits == 16;
    let per_phase = if transposes { per_phase } else { per_phase.max(operand.k_width) };
    let max_phase = (stride / per_phase).max(1);
    // Where bytes are read across and rows are long enough, a copy moves 16 of them: the reads of a warp take eight of each unit.
    let fits_wide = !transposes && element_bits == 8 && inner >= 16 * max_phase;
    let vec = if fits_wide { vec.max(16) } else { vec.min(inner) };
    Encoding::SwizzledShared(SwizzledSharedEncoding { vec, per_phase, max_phase, order: order.to_vec() })
}

/// The axis of an operand that a product sums over.
fn k_axis(operand: &DotOpEncoding, rank: usize) -> usize {
    if operand.op_idx == 0 { rank - 1 } else { rank - 2 }
}

/// The layout that [`swizzled`] gives for what copies of `width` elements write and nothing but this operand reads. Where the swizzle would cut these
/// copies, whole rows change places instead.
pub(crate) fn copied(operand: &DotOpEncoding, shape: &[i64], order: &[u32], element_bits: u32, width: u32) -> Encoding {
    let layout = swizzled(operand, shape, order, element_bits);
    let is_cut = matches!(&layout, Encoding::SwizzledShared(parts) if parts.max_phase > 1 && parts.vec < width);
    let reordered = if is_cut { rows_in_another_order(operand, shape, order, element_bits) } else { None };
    reordered.unwrap_or(layout)
}

/// Bits of the number of a lane that tell its row along K, in the fragments of `mma.sync`.
const LANE_BITS_ALONG_K: u32 = 2;

/// Bytes across K in whole rows, of which the four that lanes read at once, `k_width` apart in the block, lie side by side. `None` where a line of all banks
/// has no four rows, or elements are read otherwise than one by one.
///
/// Rows that follow each other in memory are written to the same banks, in as many passes as two copies of half the size took. Rows that lie further apart, as
/// most do, are written one by one anyway: there this order is 4 % faster than one that exchanges rows within a line
/// (docs/measurements.md, "Rows of bytes change places whole").
fn rows_in_another_order(operand: &DotOpEncoding, shape: &[i64], order: &[u32], element_bits: u32) -> Option<Encoding> {
    let (inner, rows) = (*order.first()?, *order.get(1)?);
    let rank = shape.len();
    let is_across_k = rows as usize == k_axis(operand, rank) && inner as usize + 2 >= rank;
    let row_bytes = u32::try_from(shape[inner as usize]).ok().filter(|_| is_across_k && element_bits == 8)?;
    let row_bits = LINE_BYTES.checked_div(row_bytes)?.checked_ilog2()?;
    if row_bits < LANE_BITS_ALONG_K {
        return None;
    }
    let first = operand.k_width.max(1).trailing_zeros();
    let at_once = first..first + LANE_BITS_ALONG_K;
    let bits = |axis: u32| 0..shape[axis as usize].trailing_zeros();
    let plain = |axis: u32| bits(axis).map(move |bit| AxisPlace { axis, at: 1 << bit });
    let others = order[2..].iter().flat_map(|axis| plain(*axis));
    let (beside, apart): (Vec<u32>, Vec<u32>) = bits(rows).partition(|bit| at_once.contains(bit));
    let row_bits = beside.into_iter().chain(apart).map(|bit| AxisPlace { axis: rows, at: 1 << bit });
    let places = plain(inner).chain(row_bits).chain(others).map(|place| place.basis(rank)).collect();
    let sizes: Option<Vec<u32>> = shape.iter().map(|size| u32::try_from(*size).ok()).collect();
    let axes: Vec<(Dim, u32)> = Dim::axes(rank).into_iter().zip(sizes?).collect();
    let layout = LinearLayout::from_bases(&[(Dim::Offset, places), (Dim::Block, Vec::new())], &axes).ok()?;
    Some(Encoding::SharedLinear(SharedLinearEncoding { layout, alignment: COPY_BITS / 8 }))
}

/// A place along one axis.
#[derive(Clone, Copy)]
struct AxisPlace {
    axis: u32,
    at: u32,
}

impl AxisPlace {
    /// Along all axes.
    fn basis(self, rank: usize) -> Vec<u32> {
        (0..rank).map(|axis| if axis == self.axis as usize { self.at } else { 0 }).collect()
    }
}

/// A layout that only exchanges nothing: rows one after the other.
pub(crate) fn plain(order: &[u32]) -> Encoding {
    Encoding::SwizzledShared(SwizzledSharedEncoding { vec: 1, per_phase: 1, max_phase: 1, order: order.to_vec() })
}

/// A swizzled layout in which eight rows can be read at once, 16 bytes of each, without bank conflicts.
pub(crate) fn row_swizzled(shape: &[i64], order: &[u32], element_bits: u32) -> Encoding {
    const BANK_BITS: u32 = 1024;
    let inner = u32::try_from(shape[order[0] as usize]).unwrap_or(u32::MAX).max(1);
    let vec = (128 / element_bits.max(8)).clamp(1, inner);
    let per_phase = (BANK_BITS / element_bits.saturating_mul(inner).max(1)).max(1);
    let max_phase = (8 / per_phase).clamp(1, inner / vec);
    Encoding::SwizzledShared(SwizzledSharedEncoding { vec, per_phase, max_phase, order: order.to_vec() })
}

/// The type of a buffer in shared memory.
pub(crate) fn buffer_type<'c>(
    context: &'c Context,
    shape: &[i64],
    element: Type<'c>,
    layout: &Encoding,
    mutable: bool,
) -> Type<'c> {
    let Some(memory_space) = context.parse_attr("#ttg.shared_memory") else {
        panic!("tk's own text of the shared memory space is not an attribute")
    };
    context.memdesc(&MemDesc {
        shape: shape.to_vec(),
        element,
        encoding: context.encoding_attr(layout),
        memory_space,
        mutable,
        alloc_shape: shape.to_vec(),
    })
}

/// A view of memory that may be written is one itself.
pub(crate) fn make_views_mutable(buffer: Value<'_>) {
    for (user, operand) in buffer.users() {
        let view = if is_view(user) {
            user.result(0)
        } else if user.kind() == OpKind::TtngWarpGroupDotWait {
            user.result(operand)
        } else {
            continue;
        };
        if let Some(parts) = view.ty().memdesc().filter(|parts| !parts.mutable) {
            view.set_type(buffer.ty().context().memdesc(&MemDesc { mutable: true, ..parts }));
            make_views_mutable(view);
        }
    }
}

/// Where `axis` of a block is when the last two of its `rank` axes change places.
fn turned_axis(axis: u32, rank: usize) -> u32 {
    let rank = rank as u32;
    if rank >= 2 && axis + 2 >= rank { 2 * rank - 3 - axis } else { axis }
}

/// The axes of a block, in the order of those of the block read with rows for columns.
pub(crate) fn turned_axes(axes: &[u32]) -> Vec<u32> {
    axes.iter().map(|axis| turned_axis(*axis, axes.len())).collect()
}

/// A transposition in this order reads rows for columns: the last two axes change places, and others stay where they are.
pub(crate) fn exchanges_rows_and_columns(order: &[usize]) -> bool {
    let axes: Vec<u32> = (0..order.len() as u32).collect();
    order.len() >= 2 && turned_axes(&axes).into_iter().map(|axis| axis as usize).eq(order.iter().copied())
}

/// Whether [`transposed_layout`] has a layout for this one.
pub(crate) fn is_turnable(layout: &Encoding) -> bool {
    transposed_layout(layout).is_some()
}

/// The layout of a buffer when it is read with rows for columns: its last two axes change places. What TMA writes has one with two axes only.
pub(crate) fn transposed_layout(layout: &Encoding) -> Option<Encoding> {
    match layout {
        Encoding::SwizzledShared(swizzled) => {
            let order = turned_axes(&swizzled.order);
            let is_block = order.len() >= 2;
            is_block.then(|| Encoding::SwizzledShared(SwizzledSharedEncoding { order, ..swizzled.clone() }))
        }
        Encoding::NvmmaShared(nvmma) => (nvmma.rank == 2)
            .then(|| Encoding::NvmmaShared(NvmmaSharedEncoding { transposed: !nvmma.transposed, ..nvmma.clone() })),
        Encoding::SharedLinear(shared) => {
            let layout = turned_linear(&shared.layout)?;
            Some(Encoding::SharedLinear(SharedLinearEncoding { layout, ..shared.clone() }))
        }
        Encoding::Blocked(_)
        | Encoding::Slice(_)
        | Encoding::NvidiaMma(_)
        | Encoding::DotOp(_)
        | Encoding::Linear(_)
        | Encoding::PaddedShared(_) => None,
    }
}

/// The layout whose last two axes change places.
fn turned_linear(layout: &LinearLayout) -> Option<LinearLayout> {
    let last = layout.out_dims().len().checked_sub(1).filter(|last| *last > 0)?;
    let bases = |input: Dim| {
        let turned = |bit: u32| {
            let mut basis = layout.basis_vector(input, bit);
            basis.swap(last - 1, last);
            basis
        };
        (input, (0..layout.in_bits(input)).map(turned).collect::<Vec<_>>())
    };
    let mut sizes: Vec<u32> = layout.out_dims().map(|axis| layout.out_size(axis)).collect();
    sizes.swap(last - 1, last);
    let inputs: Vec<_> = layout.in_dims().map(bases).collect();
    let axes: Vec<(Dim, u32)> = layout.out_dims().zip(sizes).collect();
    LinearLayout::from_bases(&inputs, &axes).ok()
}

/// The buffer `memory` of this layout, which [`is_turnable`], read with rows for columns, in the shape of `ty`. It may be written where the buffer may.
pub(crate) fn turned_view<'c>(
    builder: &mut Builder<'c>,
    memory: Value<'c>,
    layout: &Encoding,
    ty: Type<'c>,
) -> Value<'c> {
    let turned = transposed_layout(layout).unwrap_or_else(|| layout.clone());
    let context = builder.context();
    let mutable = memory.ty().memdesc().is_some_and(|parts| parts.mutable);
    let buffer = buffer_type(context, &ty.shape(), ty.element(), &turned, mutable);
    let rank = ty.rank();
    let order: Vec<i32> = (0..rank as u32).map(|axis| turned_axis(axis, rank) as i32).collect();
    builder.create(OpKind::TtgMemDescTrans, &[memory], &[buffer], &[("order", context.i32_array(&order))]).result(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tk_layout::MmaEncoding;
    use tk_layout::banks::bank_conflicts;

    fn swizzle(shape: &[i64], order: &[u32], bits: u32) -> (u32, bool) {
        let encoding = nvmma(shape, order, bits);
        let Encoding::NvmmaShared(e) = &encoding else { panic!("{encoding}") };
        (e.swizzling_byte_width, e.transposed)
    }

    #[test]
    fn the_widest_swizzle_that_fits() {
        assert_eq!(swizzle(&[128, 64], &[1, 0], 16), (128, false));
        assert_eq!(swizzle(&[128, 32], &[1, 0], 16), (64, false));
        assert_eq!(swizzle(&[128, 16], &[1, 0], 16), (32, false));
        assert_eq!(swizzle(&[128, 8], &[1, 0], 16), (0, false));
        assert_eq!(swizzle(&[64, 128], &[0, 1], 8), (64, true));
        assert_eq!(swizzle(&[32, 128], &[0, 1], 32), (128, true));
    }

    #[test]
    fn every_layout_is_well_formed() {
        for bits in [8, 16, 32] {
            for (rows, columns) in [(16, 16), (64, 8), (64, 64), (16, 256), (256, 32)] {
                for order in [[0, 1], [1, 0]] {
                    let layout = nvmma(&[rows, columns], &order, bits);
                    layout.to_linear(&[rows, columns]).unwrap_or_else(|why| panic!("{layout}: {why}"));
                }
            }
        }
    }

    /// For each offset, the place along each axis of the element there.
    fn places(layout: &Encoding, shape: &[i64]) -> Vec<Vec<u32>> {
        let linear = layout.to_linear(shape).unwrap_or_else(|why| panic!("{layout}: {why}"));
        let place = |offset| {
            let image = linear.apply_dim(Dim::Offset, offset);
            (0..shape.len()).map(|axis| linear.unpack_dim(image, Dim::Axis(axis as u8))).collect()
        };
        (0..shape.iter().product::<i64>() as u32).map(place).collect()
    }

    #[test]
    fn turned_layouts_leave_elements_where_they_are() {
        let blocks: [(&[i64], &[u32]); 5] = [
            (&[16, 64], &[1, 0]),
            (&[16, 64], &[0, 1]),
            (&[4, 16, 64], &[2, 1, 0]),
            (&[4, 16, 64], &[1, 2, 0]),
            (&[4, 16, 64], &[2, 0, 1]),
        ];
        for (shape, order) in blocks {
            for bits in [8, 16, 32] {
                let layout = row_swizzled(shape, order, bits);
                let last = shape.len() - 1;
                let mut turned_shape = shape.to_vec();
                turned_shape.swap(last - 1, last);
                let turned_layout = transposed_layout(&layout).expect("rows and columns change places");
                let mut turned = places(&turned_layout, &turned_shape);
                turned.iter_mut().for_each(|place| place.swap(last - 1, last));
                assert_eq!(places(&layout, shape), turned, "{layout} of {shape:?}");
            }
        }
    }

    /// An operand of one warp that has `k_width` elements along K side by side.
    fn operand(op_idx: u32, k_width: u32) -> DotOpEncoding {
        let mma =
            MmaEncoding { version_major: 2, version_minor: 0, warps_per_cta: vec![1, 1], instr_shape: vec![16, 8] };
        DotOpEncoding { op_idx, parent: Arc::new(Encoding::NvidiaMma(mma)), k_width }
    }

    /// The order of a block of 64 rows of bytes across K, and its shape.
    fn bytes_across(op_idx: u32, row: i64) -> ([i64; 2], [u32; 2]) {
        if op_idx == 0 { ([row, 64], [0, 1]) } else { ([64, row], [1, 0]) }
    }

    /// Passes over the banks beyond the first that the lanes of a warp take for their first bytes.
    fn conflicts(layout: &Encoding, operand: &DotOpEncoding, shape: &[i64]) -> u32 {
        let linear = |layout: &Encoding| layout.to_linear(shape).unwrap_or_else(|why| panic!("{layout}: {why}"));
        let lanes = linear(&Encoding::DotOp(operand.clone()));
        let memory = linear(layout).invert().unwrap_or_else(|why| panic!("{layout}: {why}"));
        let offset = |bit: u32| {
            let place = lanes.basis_vector(Dim::Lane, bit);
            let axes = place.iter().enumerate().map(|(axis, at)| memory.apply_dim(Dim::Axis(axis as u8), *at));
            memory.unpack_dim(axes.fold(0, |sum, image| sum ^ image), Dim::Offset)
        };
        let offsets: Vec<u32> = (0..5).map(offset).collect();
        bank_conflicts(&offsets, 1)
    }

    /// Runs of 16 bytes of a row lie side by side.
    fn can_be_copied_at_once(layout: &Encoding, shape: &[i64; 2], order: &[u32; 2]) -> bool {
        let row = shape[order[0] as usize] as u32;
        let walk = |place: &Vec<u32>| place[order[1] as usize] * row + place[order[0] as usize];
        let places: Vec<u32> = places(layout, shape).iter().map(walk).collect();
        let is_run = |run: &[u32]| run.iter().enumerate().all(|(number, place)| *place == run[0] + number as u32);
        places.chunks(16).all(is_run)
    }

    #[test]
    fn bytes_across_are_copied_whole_and_read_without_conflicts() {
        for op_idx in [0, 1] {
            for k_width in [1, 2, 4, 8] {
                for row in [16, 32, 64, 128] {
                    let operand = operand(op_idx, k_width);
                    let (shape, order) = bytes_across(op_idx, row);
                    let layout = copied(&operand, &shape, &order, 8, 16);
                    assert_eq!(conflicts(&layout, &operand, &shape), 0, "{layout} of {shape:?}");
                    assert!(can_be_copied_at_once(&layout, &shape, &order), "{layout} of {shape:?}");
                    let is_reordered = matches!(layout, Encoding::SharedLinear(_));
                    assert_eq!(is_reordered, k_width >= 4 && row <= 32, "{layout} of {shape:?}");
                }
            }
        }
    }

    #[test]
    fn copies_that_no_swizzle_cuts_keep_it() {
        let operand = operand(1, 4);
        for (shape, order, bits, width) in [
            ([64, 32], [1, 0], 8, 8),
            ([64, 32], [1, 0], 16, 8),
            ([64, 32], [1, 0], 32, 4),
            ([64, 32], [0, 1], 8, 16),
            ([64, 64], [1, 0], 8, 16),
        ] {
            let layout = copied(&operand, &shape, &order, bits, width);
            assert_eq!(layout, swizzled(&operand, &shape, &order, bits), "{shape:?}");
        }
    }

    #[test]
    fn rows_in_another_order_are_turned() {
        for (op_idx, shape, order) in [(1, vec![64, 32], vec![1, 0]), (1, vec![2, 64, 16], vec![2, 1, 0])] {
            let layout = copied(&operand(op_idx, 4), &shape, &order, 8, 16);
            assert!(matches!(layout, Encoding::SharedLinear(_)), "{layout}");
            let (last, mut turned_shape) = (shape.len() - 1, shape.clone());
            turned_shape.swap(last - 1, last);
            let turned_layout = transposed_layout(&layout).expect("rows and columns change places");
            let mut turned = places(&turned_layout, &turned_shape);
            turned.iter_mut().for_each(|place| place.swap(last - 1, last));
            assert_eq!(places(&layout, &shape), turned, "{layout} of {shape:?}");
        }
    }

    #[test]
    fn only_rows_and_columns_are_exchanged() {
        let turned: [&[usize]; 3] = [&[1, 0], &[0, 2, 1], &[0, 1, 3, 2]];
        assert!(turned.into_iter().all(exchanges_rows_and_columns));
        let others: [&[usize]; 8] = [&[], &[0], &[0, 1], &[0, 1, 2], &[1, 0, 2], &[2, 1, 0], &[1, 2, 0], &[2, 0, 1]];
        assert!(!others.into_iter().any(exchanges_rows_and_columns));
    }

    #[test]
    fn blocks_of_tma_with_three_axes_are_not_turned() {
        assert!(is_turnable(&nvmma(&[64, 64], &[1, 0], 16)));
        assert!(!is_turnable(&nvmma(&[4, 64, 64], &[2, 1, 0], 16)));
    }
}
