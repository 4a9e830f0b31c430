//! What one copy of the tensor memory accelerator moves: a box no larger than the hardware allows.
//!
//! A block of a tensor is copied in as many boxes as it takes. The box is written into the tensor map, by the host or by the kernel, and
//! every copy repeats it, so both ask here.

use crate::Encoding;

/// Most elements of a box along an axis.
pub const MOST_ELEMENTS: i64 = 256;
/// Fewest bytes of a box along its contiguous axis.
const LEAST_BYTES: i64 = 16;
/// Most axes of a tensor map.
const MOST_AXES: usize = 5;

/// Elements along each axis of a copy, and the bytes of one row of the swizzle, for a block with the layout that it has in shared memory.
/// `None` when the hardware cannot copy to such a layout.
pub fn copy_box(layout: &Encoding, shape: &[i64], element_bits: u32) -> Option<(Vec<i64>, u32)> {
    let width = match layout {
        Encoding::NvmmaShared(encoding) if !encoding.transposed => encoding.swizzling_byte_width,
        Encoding::SwizzledShared(encoding) if encoding.max_phase == 1 => 0,
        Encoding::NvmmaShared(_)
        | Encoding::SwizzledShared(_)
        | Encoding::PaddedShared(_)
        | Encoding::SharedLinear(_)
        | Encoding::Blocked(_)
        | Encoding::Slice(_)
        | Encoding::NvidiaMma(_)
        | Encoding::DotOp(_)
        | Encoding::Linear(_) => return None,
    };
    let mut block: Vec<i64> = shape.iter().map(|size| (*size).min(MOST_ELEMENTS)).collect();
    let mut rows = block.len();
    if let Some(last) = block.last_mut().filter(|_| width > 0) {
        // Rows of the swizzle lie below each other, so a row that is cut off leaves no gap.
        *last = (*last).min(i64::from(width * 8 / element_bits.max(8)));
        rows -= 1;
    }
    // A copy writes shared memory without gaps: where it does not reach along one axis, it cannot go on along those outside of it.
    let mut is_cut = false;
    for axis in (0..rows).rev() {
        if is_cut {
            block[axis] = 1;
        }
        is_cut |= block[axis] < shape[axis];
    }
    Some((block, width))
}

/// The hardware can copy blocks of this shape: few enough axes, and rows of at least 16 bytes.
pub fn can_copy(shape: &[i64], element_bits: u32) -> bool {
    let row = shape.last().map_or(0, |last| last * i64::from(element_bits) / 8);
    (1..=MOST_AXES).contains(&shape.len()) && row >= LEAST_BYTES && matches!(element_bits, 8 | 16 | 32 | 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_the_swizzle_bounds_the_box() {
        let layout =
            Encoding::parse("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>");
        let layout = layout.expect("a layout");
        assert_eq!(copy_box(&layout, &[512, 128], 16), Some((vec![256, 64], 128)));
        assert_eq!(copy_box(&layout, &[64, 32], 32), Some((vec![64, 32], 128)));
    }

    #[test]
    fn a_copy_leaves_no_gaps() {
        let plain = Encoding::parse("#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>");
        let plain = plain.expect("a layout");
        assert_eq!(copy_box(&plain, &[2, 512], 16), Some((vec![1, 256], 0)));
        assert_eq!(copy_box(&plain, &[512, 16], 16), Some((vec![256, 16], 0)));
        assert_eq!(copy_box(&plain, &[4, 512, 16], 16), Some((vec![1, 256, 16], 0)));
        let swizzled =
            Encoding::parse("#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>");
        let swizzled = swizzled.expect("a layout");
        assert_eq!(copy_box(&swizzled, &[4, 512, 64], 16), Some((vec![1, 256, 32], 64)));
        assert_eq!(copy_box(&swizzled, &[512, 4, 64], 16), Some((vec![256, 4, 32], 64)));
    }

    #[test]
    fn short_rows_cannot_be_copied() {
        assert!(can_copy(&[128, 8], 16));
        assert!(!can_copy(&[128, 4], 16));
        assert!(!can_copy(&[1; 6], 64));
    }
}
