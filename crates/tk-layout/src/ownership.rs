//! Questions that passes ask about an encoding: the order of its axes, and how much of a tensor one thread holds.

use crate::{Dim, Encoding, LinearLayout, SliceEncoding, to_linear};

impl Encoding {
    /// Axes, fastest first.
    pub fn order(&self) -> Vec<u32> {
        let row_major = |rank: usize| (0..rank as u32).rev().collect::<Vec<_>>();
        match self {
            Encoding::Blocked(e) => e.order.clone(),
            Encoding::Slice(e) => {
                let parent = e.parent.order();
                parent.into_iter().filter(|axis| *axis != e.dim).map(|axis| axis - u32::from(axis > e.dim)).collect()
            }
            Encoding::NvidiaMma(e) => row_major(e.warps_per_cta.len()),
            Encoding::DotOp(e) => {
                let mut order = row_major(self.rank());
                if e.op_idx == 1 && order.len() >= 2 {
                    order.swap(0, 1);
                }
                order
            }
            Encoding::Linear(e) => to_linear::layout_order(e),
            Encoding::SwizzledShared(e) => e.order.clone(),
            Encoding::NvmmaShared(e) if e.transposed => row_major(e.rank as usize).into_iter().rev().collect(),
            Encoding::NvmmaShared(e) => row_major(e.rank as usize),
            Encoding::PaddedShared(e) => to_linear::layout_order(&e.linear),
            Encoding::SharedLinear(e) => to_linear::layout_order(&e.layout),
        }
    }

    /// Registers that one thread has for a tensor of `shape`, copies included.
    pub fn total_elements_per_thread(&self, shape: &[i64]) -> Result<u32, String> {
        Ok(self.to_linear(shape)?.in_size(Dim::Register))
    }

    /// For each axis, the length of the runs of consecutive elements that one thread holds of a tensor of `shape`.
    pub fn contiguous_per_thread(&self, shape: &[i64]) -> Result<Vec<u32>, String> {
        Ok(contiguous_per_thread(&self.to_linear(shape)?))
    }

    /// Number of warps that the encoding is for; `None` for shared encodings.
    pub fn num_warps(&self) -> Option<u32> {
        match self {
            Encoding::Blocked(e) => Some(e.warps_per_cta.iter().product()),
            Encoding::NvidiaMma(e) => Some(e.warps_per_cta.iter().product()),
            Encoding::Slice(e) => e.parent.num_warps(),
            Encoding::DotOp(e) => e.parent.num_warps(),
            Encoding::Linear(e) => Some(e.in_size(Dim::Warp)),
            Encoding::SwizzledShared(_)
            | Encoding::NvmmaShared(_)
            | Encoding::PaddedShared(_)
            | Encoding::SharedLinear(_) => None,
        }
    }

    /// The encoding with a new axis `axis` of size 1 such that slicing it off gives `self`, when the encoding says which:
    /// the parent of a slice along the same axis.
    pub fn expand(&self, axis: u32) -> Option<&Encoding> {
        let Encoding::Slice(SliceEncoding { dim, parent }) = self else { return None };
        (*dim == axis).then_some(parent)
    }
}

/// For each axis, the length of the runs of consecutive elements that one thread holds.
pub fn contiguous_per_thread(layout: &LinearLayout) -> Vec<u32> {
    let registers = layout.columns_of(Dim::Register);
    let run = |dim: Dim| {
        let shift = layout.out_shift(dim);
        1 << (0..layout.out_bits(dim)).take_while(|bit| registers.contains(&(1 << (shift + bit)))).count()
    };
    layout.out_dims().map(run).collect()
}
