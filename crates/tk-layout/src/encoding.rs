//! Named layouts of Triton's text: plain data, each with the meaning that [`Encoding::to_linear`] gives it.

use crate::LinearLayout;
use std::sync::Arc;

/// How a tensor lies in registers (distributed encodings) or in shared memory (shared encodings).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `#ttg.blocked`: rectangular tiles per thread, warp and CTA.
    Blocked(BlockedEncoding),
    /// `#ttg.slice`: a parent layout with one axis squeezed out.
    Slice(SliceEncoding),
    /// `#ttg.nvidia_mma`: the accumulator of `mma.sync` (version 2) or `wgmma` (version 3).
    NvidiaMma(MmaEncoding),
    /// `#ttg.dot_op`: an operand of a dot whose result has the parent layout.
    DotOp(DotOpEncoding),
    /// `#ttg.linear`: explicit bases from register, lane, warp, block to the tensor's axes.
    Linear(LinearLayout),
    /// `#ttg.swizzled_shared`: rows whose vectors are exchanged by exclusive or.
    SwizzledShared(SwizzledSharedEncoding),
    /// `#ttg.nvmma_shared`: the swizzles that wgmma and TMA know.
    NvmmaShared(NvmmaSharedEncoding),
    /// `#ttg.padded_shared`: unused elements after every so many elements.
    PaddedShared(PaddedSharedEncoding),
    /// `#ttg.shared_linear`: explicit bases from the offset to the tensor's axes.
    SharedLinear(SharedLinearEncoding),
}

/// Fields of `#ttg.blocked`; all vectors have one entry per axis, `order` lists the axes fastest first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlockedEncoding {
    /// Elements per thread along each axis.
    pub size_per_thread: Vec<u32>,
    /// Threads of a warp along each axis.
    pub threads_per_warp: Vec<u32>,
    /// Warps of a CTA along each axis.
    pub warps_per_cta: Vec<u32>,
    /// Axes, fastest first.
    pub order: Vec<u32>,
}

/// Fields of `#ttg.slice`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SliceEncoding {
    /// The axis of the parent that is gone.
    pub dim: u32,
    /// The layout with one more axis.
    pub parent: Arc<Encoding>,
}

/// Fields of `#ttg.nvidia_mma`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MmaEncoding {
    /// 2 for `mma.sync` of sm_80 and later, 3 for `wgmma` of sm_90a.
    pub version_major: u32,
    /// 0 except for historic variants.
    pub version_minor: u32,
    /// Warps of a CTA along each axis.
    pub warps_per_cta: Vec<u32>,
    /// Instruction tile: `[16, 8]` for version 2 (with leading 1s for batch axes), `[16, n, k]` for version 3.
    pub instr_shape: Vec<u32>,
}

/// Fields of `#ttg.dot_op`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DotOpEncoding {
    /// 0 for the left operand, 1 for the right one.
    pub op_idx: u32,
    /// Layout of the dot's result.
    pub parent: Arc<Encoding>,
    /// Consecutive elements along K that a thread holds; 0 for blocked parents.
    pub k_width: u32,
}

/// Fields of `#ttg.swizzled_shared`: vector `v` of row `r` lies at vector `v ^ (r / per_phase % max_phase)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SwizzledSharedEncoding {
    /// Elements that move together.
    pub vec: u32,
    /// Consecutive rows with the same exchange.
    pub per_phase: u32,
    /// Number of different exchanges.
    pub max_phase: u32,
    /// Axes, fastest first.
    pub order: Vec<u32>,
}

/// Fields of `#ttg.nvmma_shared`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NvmmaSharedEncoding {
    /// Bytes of the swizzled row: 0, 32, 64 or 128.
    pub swizzling_byte_width: u32,
    /// Whether the first axis is the contiguous one.
    pub transposed: bool,
    /// Bits of an element: 8, 16, 32 or 64.
    pub element_bit_width: u32,
    /// Whether two 4-bit values are padded to 16 bytes; kept for the text, not given a linear map.
    pub fp4_padded: bool,
    /// Number of axes, 2 unless the text says otherwise.
    pub rank: u32,
}

/// Fields of `#ttg.padded_shared`: after every `interval` elements come `padding` unused ones; an affine, not a linear, layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PaddedSharedEncoding {
    /// `(interval, padding)` in elements, powers of two.
    pub intervals: Vec<(u32, u32)>,
    /// From the unpadded offset (and block) to the tensor's axes.
    pub linear: LinearLayout,
}

/// Fields of `#ttg.shared_linear`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SharedLinearEncoding {
    /// From offset (and block) to the tensor's axes.
    pub layout: LinearLayout,
    /// Alignment of the allocation in bytes.
    pub alignment: u32,
}

impl Encoding {
    /// The slice of `self` without axis `dim`.
    pub fn slice(&self, dim: u32) -> Encoding {
        Encoding::Slice(SliceEncoding { dim, parent: Arc::new(self.clone()) })
    }

    /// Whether the encoding says which thread holds an element (otherwise it is one of shared memory).
    pub fn is_distributed(&self) -> bool {
        match self {
            Encoding::Blocked(_)
            | Encoding::Slice(_)
            | Encoding::NvidiaMma(_)
            | Encoding::DotOp(_)
            | Encoding::Linear(_) => true,
            Encoding::SwizzledShared(_)
            | Encoding::NvmmaShared(_)
            | Encoding::PaddedShared(_)
            | Encoding::SharedLinear(_) => false,
        }
    }

    /// Number of tensor axes.
    pub fn rank(&self) -> usize {
        match self {
            Encoding::Blocked(e) => e.order.len(),
            Encoding::Slice(e) => e.parent.rank().saturating_sub(1),
            Encoding::NvidiaMma(e) => e.warps_per_cta.len(),
            Encoding::DotOp(e) => e.parent.rank(),
            Encoding::Linear(e) => e.outs.len(),
            Encoding::SwizzledShared(e) => e.order.len(),
            Encoding::NvmmaShared(e) => e.rank as usize,
            Encoding::PaddedShared(e) => e.linear.outs.len(),
            Encoding::SharedLinear(e) => e.layout.outs.len(),
        }
    }
}
