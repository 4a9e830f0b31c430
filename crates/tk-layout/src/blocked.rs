//! Blocked encodings: how they are built for a shape, and their linear form.

use crate::{BlockedEncoding, Dim, Encoding, LinearLayout};

impl BlockedEncoding {
    /// The blocked encoding of a CTA of `num_warps` warps of `threads_per_warp` lanes over `shape`, given the elements per
    /// thread and the order. Lanes, then warps, are dealt out along `order`, no more per axis than it needs; the slowest axis takes all
    /// that are left (replicating data when the shape is too small for them).
    pub fn for_shape(
        shape: &[i64],
        size_per_thread: &[u32],
        order: &[u32],
        num_warps: u32,
        threads_per_warp: u32,
    ) -> Self {
        let rank = order.len();
        let (mut threads, mut warps) = (vec![1; rank], vec![1; rank]);
        let (mut lanes_left, mut warps_left) = (threads_per_warp.max(1), num_warps.max(1));
        for &axis in &order[..rank.saturating_sub(1)] {
            let axis = axis as usize;
            let needed = (shape[axis].max(1) as u64 / u64::from(size_per_thread[axis].max(1))).max(1);
            let of_cta = u64::from(lanes_left) * u64::from(warps_left);
            let here = needed.min(of_cta) as u32;
            threads[axis] = here.clamp(1, lanes_left);
            warps[axis] = (here / threads[axis]).clamp(1, warps_left);
            lanes_left /= threads[axis];
            warps_left /= warps[axis];
        }
        if let Some(&last) = order.last() {
            threads[last as usize] = lanes_left;
            warps[last as usize] = warps_left;
        }
        Self {
            size_per_thread: size_per_thread.to_vec(),
            threads_per_warp: threads,
            warps_per_cta: warps,
            order: order.to_vec(),
        }
    }

    /// The encoding that conversion to the GPU dialect starts from: one element per thread, row-major order.
    pub fn default_for(shape: &[i64], num_warps: u32, threads_per_warp: u32) -> Self {
        let order: Vec<u32> = (0..shape.len() as u32).rev().collect();
        Self::for_shape(shape, &vec![1; shape.len()], &order, num_warps, threads_per_warp)
    }

    /// One CTA tile: registers fastest, then lanes, then warps, each walking the axes in `order`.
    pub(crate) fn cta_tile(&self) -> Result<LinearLayout, String> {
        let tile = walk(Dim::Register, &self.size_per_thread, &self.order)?;
        let tile = tile.product(&walk(Dim::Lane, &self.threads_per_warp, &self.order)?)?;
        tile.product(&walk(Dim::Warp, &self.warps_per_cta, &self.order)?)
    }
}

/// [`BlockedEncoding::default_for`] as an encoding.
pub fn default_blocked(shape: &[i64], num_warps: u32, threads_per_warp: u32) -> Encoding {
    Encoding::Blocked(BlockedEncoding::default_for(shape, num_warps, threads_per_warp))
}

/// `input` walks a box of `shape`, the first axis of `order` fastest.
pub(crate) fn walk(input: Dim, shape: &[u32], order: &[u32]) -> Result<LinearLayout, String> {
    let mut layout = LinearLayout::empty();
    for &axis in order {
        layout = layout.product(&LinearLayout::identity1d(shape[axis as usize], input, Dim::Axis(axis as u8))?)?;
    }
    Ok(layout)
}
