//! Layouts of shared memory: from the offset (in elements) to the tensor's axes.
//!
//! Swizzles exchange vectors within a row by exclusive or with bits of the row number, so they are linear. Padding is not: a
//! padded layout is a linear one followed by [`PaddedSharedEncoding::pad`], an affine step on the offset.

use crate::text::row_walk;
use crate::{Dim, LinearLayout, NvmmaSharedEncoding, PaddedSharedEncoding, SwizzledSharedEncoding};

impl SwizzledSharedEncoding {
    pub(crate) fn to_linear(&self, shape: &[u32]) -> Result<LinearLayout, String> {
        if shape.len() < 2 {
            return row_walk(&self.order, shape);
        }
        let (column_axis, row_axis) = (self.order[0] as usize, self.order[1] as usize);
        let columns = shape[column_axis];
        let walk = row_walk(&self.order, shape)?;
        let shift = walk.out_shift(Dim::Axis(column_axis as u8));
        let first_row = columns.trailing_zeros();
        let mut images = walk.columns.clone();
        for bit in 0..shape[row_axis].trailing_zeros() {
            let exchange = u64::from(self.vec) * u64::from(((1u32 << bit) / self.per_phase) % self.max_phase);
            images[(first_row + bit) as usize] |= (exchange % u64::from(columns)) << shift;
        }
        LinearLayout::from_columns(walk.ins, walk.outs, images)
    }
}

impl NvmmaSharedEncoding {
    /// Elements of one swizzled row.
    fn row_elements(&self) -> u32 {
        self.swizzling_byte_width * 8 / self.element_bit_width
    }

    /// Tiles of 8 rows of the swizzle width, first down all rows, then along the columns. Without swizzle: plain rows.
    pub(crate) fn to_linear(&self, shape: &[u32]) -> Result<LinearLayout, String> {
        if self.fp4_padded {
            return Err("4-bit padding has no linear layout".into());
        }
        let rank = shape.len();
        if self.transposed && rank != 2 {
            return Err("a transposed nvmma_shared layout has two axes".into());
        }
        let mut order: Vec<u32> = (0..rank as u32).rev().collect();
        if self.transposed {
            order.reverse();
        }
        let walk = row_walk(&order, shape)?;
        if self.swizzling_byte_width == 0 {
            return Ok(walk);
        }
        let column_axis = order[0];
        let (columns, row) = (shape[column_axis as usize].trailing_zeros(), self.row_elements().trailing_zeros());
        let rows = walk.in_bits(Dim::Offset) - columns;
        if columns < row || rows < 3 {
            return Err(format!(
                "the shape {shape:?} is smaller than a swizzle tile of 8 rows of {} bytes",
                self.swizzling_byte_width
            ));
        }
        // A vector is 16 bytes; rows that share one 128-byte line share the exchange.
        let vector = 128 / self.element_bit_width;
        let (per_phase, max_phase) = (128 / self.swizzling_byte_width, self.swizzling_byte_width / 16);
        let shift = walk.out_shift(Dim::Axis(column_axis as u8));
        let (in_row, rest) = walk.columns.split_at(columns as usize);
        let mut images = in_row[..row as usize].to_vec();
        for (bit, image) in rest.iter().enumerate() {
            let exchange = if bit < 3 { vector * ((1 << bit) / per_phase % max_phase) } else { 0 };
            images.push(image | u64::from(exchange) << shift);
        }
        images.extend(&in_row[row as usize..]);
        LinearLayout::from_columns(walk.ins, walk.outs, images)
    }
}

impl PaddedSharedEncoding {
    /// Offset in memory of the element at `offset` of the linear layout: every interval passed adds its padding.
    pub fn pad(&self, offset: u32) -> u32 {
        self.intervals.iter().fold(offset, |sum, (interval, padding)| sum + offset / interval * padding)
    }

    /// Elements of memory that `elements` elements take, without padding behind the last one.
    pub fn padded_size(&self, elements: u32) -> u32 {
        elements.checked_sub(1).map_or(0, |last| self.pad(last) + 1)
    }
}
