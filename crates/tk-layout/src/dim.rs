//! The names of coordinates: hardware places (register, lane, warp, block), memory offsets, and tensor axes.
//!
//! One enum serves both sides of a layout, because inverting or composing layouts turns inputs into outputs.

use std::fmt;

/// One coordinate of a layout's input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dim {
    /// Number of a value within one thread.
    Register,
    /// Thread within a warp, 0 to 31.
    Lane,
    /// Warp within a CTA.
    Warp,
    /// CTA within a cluster.
    Block,
    /// Position in memory, in elements unless said otherwise.
    Offset,
    /// Axis of a tensor, counted from the slowest in row-major order; printed `dim0`, `dim1`, …
    Axis(u8),
}

impl Dim {
    /// Axes 0 to `rank - 1` in order, the standard outputs of a tensor layout.
    pub fn axes(rank: usize) -> Vec<Dim> {
        (0..rank.min(256)).map(|axis| Dim::Axis(axis as u8)).collect()
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Register => f.write_str("register"),
            Dim::Lane => f.write_str("lane"),
            Dim::Warp => f.write_str("warp"),
            Dim::Block => f.write_str("block"),
            Dim::Offset => f.write_str("offset"),
            Dim::Axis(axis) => write!(f, "dim{axis}"),
        }
    }
}
