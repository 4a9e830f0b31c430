//! Layouts of matrix instructions: accumulators of `mma.sync` and `wgmma`, and the operands that they take from registers.
//!
//! All of them repeat one pattern (PTX ISA, "Matrix fragments for mma.m16n8k16" and the wgmma register fragment): a lane holds a few
//! consecutive elements along the fast axis, four lanes share a row, eight rows make a core matrix, and further registers hold further
//! core matrices.

use crate::blocked::walk;
use crate::{Dim, DotOpEncoding, Encoding, LinearLayout, MmaEncoding};

impl MmaEncoding {
    /// Axes of the warps, fastest first: along N for `mma.sync`, along M for `wgmma` (whose warps of a group stack along M).
    fn warp_order(&self) -> Vec<u32> {
        let rank = self.warps_per_cta.len() as u32;
        if self.version_major == 3 { (0..rank).collect() } else { (0..rank).rev().collect() }
    }

    /// One CTA tile of the accumulator.
    pub(crate) fn cta_tile(&self) -> Result<LinearLayout, String> {
        let rank = self.warps_per_cta.len();
        let order: Vec<u32> = (0..rank as u32).rev().collect();
        let mut tile = vec![1; rank];
        let rows_and_columns =
            if self.version_major == 3 { &self.instr_shape[..2] } else { &self.instr_shape[rank - 2..] };
        tile[rank - 2..].copy_from_slice(rows_and_columns);
        let tile = fragment(&tile, 2, &order)?;
        tile.product(&walk(Dim::Warp, &self.warps_per_cta, &self.warp_order())?)
    }
}

impl DotOpEncoding {
    /// One CTA tile of the operand; `shape` is needed because a blocked parent holds all of K in each thread.
    pub(crate) fn cta_tile(&self, shape: &[u32]) -> Result<LinearLayout, String> {
        let rank = shape.len();
        if rank < 2 {
            return Err("a dot operand has at least two axes".into());
        }
        let k_axis = if self.op_idx == 0 { rank - 1 } else { rank - 2 };
        match &*self.parent {
            Encoding::NvidiaMma(mma) => {
                let mut order: Vec<u32> = (0..rank as u32).rev().collect();
                let mut tile = vec![1; rank];
                if self.op_idx == 0 {
                    tile[rank - 2] = 16;
                } else {
                    order.swap(0, 1);
                    tile[rank - 1] = 8;
                }
                tile[k_axis] = self.k_width * 8;
                let tile = fragment(&tile, self.k_width, &order)?;
                tile.product(&walk_except(Dim::Warp, &mma.warps_per_cta, &mma.warp_order(), k_axis)?)
            }
            Encoding::Blocked(parent) => {
                let mut elements = parent.size_per_thread.clone();
                elements[k_axis] = shape[k_axis];
                let tile = walk(Dim::Register, &elements, &parent.order)?;
                let tile = tile.product(&walk_except(Dim::Lane, &parent.threads_per_warp, &parent.order, k_axis)?)?;
                tile.product(&walk_except(Dim::Warp, &parent.warps_per_cta, &parent.order, k_axis)?)
            }
            other => Err(format!("`{other}` is no parent of a dot operand")),
        }
    }
}

/// Core matrices of 8 rows by `4 * width` elements, tiled by registers to `tile`: along the slow axis first, then along the fast one.
fn fragment(tile: &[u32], width: u32, order: &[u32]) -> Result<LinearLayout, String> {
    let (fast, slow) = (order[0] as usize, order[1] as usize);
    let axis = |axis: usize| Dim::Axis(axis as u8);
    let mut layout = LinearLayout::identity1d(width, Dim::Register, axis(fast))?
        .product(&LinearLayout::identity1d(4, Dim::Lane, axis(fast))?)?
        .product(&LinearLayout::identity1d(8, Dim::Lane, axis(slow))?)?
        .product(&LinearLayout::identity1d(tile[slow] / 8, Dim::Register, axis(slow))?)?
        .product(&LinearLayout::identity1d(tile[fast] / (width * 4), Dim::Register, axis(fast))?)?;
    for &other in &order[2..] {
        layout = layout.product(&LinearLayout::identity1d(1, Dim::Register, axis(other as usize))?)?;
    }
    Ok(layout)
}

/// [`walk`], in which movement along `axis` changes nothing: those threads hold copies.
fn walk_except(input: Dim, shape: &[u32], order: &[u32], axis: usize) -> Result<LinearLayout, String> {
    let mut layout = LinearLayout::empty();
    for &each in order {
        let (size, dim) = (shape[each as usize], Dim::Axis(each as u8));
        let part = if each as usize == axis {
            LinearLayout::zeros1d(size, input, dim, 1)?
        } else {
            LinearLayout::identity1d(size, input, dim)?
        };
        layout = layout.product(&part)?;
    }
    Ok(layout)
}
