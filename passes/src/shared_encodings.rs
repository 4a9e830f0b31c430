//! Layouts of shared memory for operands of matrix instructions, and the types of buffers that have them.

use crate::operations::memory::is_view;
use tk_ir::{Builder, Context, MemDesc, OpKind, Type, Value};
use tk_layout::{DotOpEncoding, Encoding, NvmmaSharedEncoding, SwizzledSharedEncoding};

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
    let k_axis = if operand.op_idx == 0 { shape.len() - 1 } else { shape.len() - 2 };
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
        Encoding::Blocked(_)
        | Encoding::Slice(_)
        | Encoding::NvidiaMma(_)
        | Encoding::DotOp(_)
        | Encoding::Linear(_)
        | Encoding::PaddedShared(_)
        | Encoding::SharedLinear(_) => None,
    }
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
    use tk_layout::Dim;

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
