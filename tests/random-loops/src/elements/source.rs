//! Tensors in memory that programs without products load from and store to.

use super::value::{Kind, Range, Shape};

/// An element type in memory.
#[derive(Debug)]
pub(crate) struct Element {
    /// Its name in a kernel, behind `tl.`.
    pub(crate) kernel: &'static str,
    /// Its name on the host, behind `torch.`.
    pub(crate) torch: &'static str,
    /// Whole numbers up to this are exact.
    pub(crate) exact: i64,
    pub(crate) is_int: bool,
}

/// All of them.
pub(crate) const ELEMENTS: [Element; 8] = [
    Element { kernel: "float32", torch: "float32", exact: 1 << 22, is_int: false },
    Element { kernel: "float16", torch: "float16", exact: 2048, is_int: false },
    Element { kernel: "bfloat16", torch: "bfloat16", exact: 256, is_int: false },
    Element { kernel: "float8e4nv", torch: "float8_e4m3fn", exact: 16, is_int: false },
    Element { kernel: "float64", torch: "float64", exact: 1 << 40, is_int: false },
    Element { kernel: "int8", torch: "int8", exact: 127, is_int: true },
    Element { kernel: "int32", torch: "int32", exact: 1 << 30, is_int: true },
    Element { kernel: "int64", torch: "int64", exact: 1 << 40, is_int: true },
];

/// How a tensor is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// With a mask, and a number where it is false.
    Masked,
    /// With a mask, and the number chosen behind the load.
    Chosen,
    /// The columns are those that a tensor of numbers says.
    Gathered,
    /// Its columns follow each other in memory.
    Turned,
}

/// A tensor that is loaded.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) element: &'static Element,
    pub(super) shape: Shape,
    pub(super) way: Way,
    /// What is computed in.
    pub(super) kind: Kind,
    /// The largest number in it.
    pub(super) most: i64,
    /// What stands for elements that are not there.
    pub(super) other: i64,
    /// A hint for the cache.
    pub(super) hint: &'static str,
}

impl Source {
    pub(super) fn range(&self) -> Range {
        Range::whole(self.most.max(self.other.abs()) as f64)
    }
}

/// What a kernel does to a tensor of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Store,
    /// Adds to it at the same time as others.
    Add,
    /// Makes it the greatest at the same time as others.
    Max,
}

/// How many numbers a tensor of results has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// Rows and columns.
    Whole,
    /// One for each row.
    Rows,
    /// One for each column.
    Columns,
    /// One for each column and tile.
    TileColumns,
    /// One for each tile.
    Tiles,
    /// One for each column and program.
    ProgramColumns,
}

/// A tensor of results.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) name: String,
    pub(super) element: &'static Element,
    pub(super) extent: Extent,
    pub(super) effect: Effect,
    pub(super) range: Range,
}
