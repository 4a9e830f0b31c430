//! Tensors in memory from which the loop loads block after block.

use crate::element::Element;
use crate::value::{Shape, Size};

/// How a block is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By a tensor descriptor.
    Descriptor,
    /// By pointers that are computed in every iteration.
    Pointers,
    /// The same with a mask.
    Masked,
    /// By pointers that each iteration moves on.
    Moving,
    /// The same, with a hint about them in each iteration.
    Hinted,
    /// By pointers to rows whose numbers are loaded.
    Gathered,
    /// By pointers that are computed in every iteration, from numbers of 64 bits.
    Wide,
    /// The same, of rows whose length is no multiple of what a load takes at once: each element has a pointer.
    Uneven,
    /// By a block pointer that each iteration advances.
    Block,
}

impl Way {
    /// The loop carries the pointers.
    pub(crate) fn is_carried(self) -> bool {
        match self {
            Way::Moving | Way::Hinted | Way::Block => true,
            Way::Descriptor | Way::Pointers | Way::Masked | Way::Gathered | Way::Wide | Way::Uneven => false,
        }
    }
}

/// A block of memory has rows and columns exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transposition {
    None,
    /// The strides of the addresses exchange them back.
    Strides,
    /// `.T` does.
    Method,
    /// `tl.trans` does.
    Function,
}

/// Along which axis the blocks of memory follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    Rows,
    Columns,
}

impl Axis {
    /// Its number.
    pub(crate) fn number(self) -> usize {
        match self {
            Axis::Rows => 0,
            Axis::Columns => 1,
        }
    }
}

/// A tensor of blocks one behind the other.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    /// The shape of a block as the kernel uses it.
    pub(crate) shape: Shape,
    pub(crate) axis: Axis,
    pub(crate) transposition: Transposition,
    pub(crate) way: Way,
    /// Elements at the end that the mask leaves out.
    pub(crate) cut: usize,
}

/// Addresses of a block, and the index along which the blocks follow each other.
struct Addresses {
    pointers: String,
    index: String,
}

impl Source {
    pub(crate) fn is_transposed(&self) -> bool {
        self.transposition != Transposition::None
    }

    /// Rows and columns of a block in memory.
    pub(crate) fn stored(&self) -> (Size, Size) {
        if self.is_transposed() { self.shape.transposed().ends() } else { self.shape.ends() }
    }

    /// The size of a block in memory along the axis of the blocks.
    pub(crate) fn step(&self) -> Size {
        match self.axis {
            Axis::Rows => self.stored().0,
            Axis::Columns => self.stored().1,
        }
    }

    /// What the kernel writes to load the block with a number.
    pub(crate) fn load(&self, at: &str, element: &Element) -> String {
        let (name, (rows, columns)) = (&self.name, self.stored());
        let at = if at.contains(' ') { format!("({at})") } else { at.to_string() };
        let text = match self.way {
            Way::Descriptor => match self.axis {
                Axis::Rows => format!("{name}.load([{at} * {rows}, 0])"),
                Axis::Columns => format!("{name}.load([0, {at} * {columns}])"),
            },
            Way::Moving | Way::Block => format!("tl.load({name}_pointers)"),
            // Rows begin at multiples of 16 elements.
            Way::Hinted => format!("tl.load(tl.multiple_of({name}_pointers, [16, 16]))"),
            Way::Pointers | Way::Gathered | Way::Wide | Way::Uneven => {
                format!("tl.load({})", self.addresses(&format!("{at} * ")).pointers)
            }
            Way::Masked => {
                let Addresses { pointers, index } = self.addresses(&format!("{at} * "));
                format!("tl.load({pointers}, mask={index} < {name}_end, other={})", element.number(0))
            }
        };
        match self.transposition {
            Transposition::None | Transposition::Strides => text,
            Transposition::Method => format!("{text}.T"),
            Transposition::Function => format!("tl.trans({text})"),
        }
    }

    /// The pointers to the first block.
    pub(crate) fn first_pointers(&self) -> String {
        if self.way == Way::Block { self.block_pointer() } else { self.addresses("").pointers }
    }

    /// How the pointers go on to the next block, from `NAME_pointers`.
    pub(crate) fn next_pointers(&self) -> String {
        let (name, step) = (&self.name, self.step());
        match (self.way, self.axis) {
            (Way::Block, axis) => {
                let is_first = (axis == Axis::Rows) != (self.transposition == Transposition::Strides);
                let steps = if is_first { format!("({step}, 0)") } else { format!("(0, {step})") };
                format!("{name}_pointers = tl.advance({name}_pointers, {steps})")
            }
            (_, Axis::Rows) => format!("{name}_pointers += {step} * {name}_stride"),
            (_, Axis::Columns) => format!("{name}_pointers += {step}"),
        }
    }

    /// A block pointer to the first block. Nobody asks for its bounds.
    fn block_pointer(&self) -> String {
        let (name, (rows, columns)) = (&self.name, self.stored());
        if self.transposition == Transposition::Strides {
            format!(
                "tl.make_block_ptr({name}, ({columns}, {rows}), (1, {name}_stride), (0, 0), ({columns}, {rows}), (0, 1))"
            )
        } else {
            format!(
                "tl.make_block_ptr({name}, ({rows}, {columns}), ({name}_stride, 1), (0, 0), ({rows}, {columns}), (1, 0))"
            )
        }
    }

    /// `at` is the number of the block and ` * `, or nothing for the first.
    fn addresses(&self, at: &str) -> Addresses {
        let (rows, columns) = self.stored();
        let lane = |axis: Axis, size: Size| {
            let lane = format!("lane_{size}") + if self.way == Way::Wide { ".to(tl.int64)" } else { "" };
            if axis == self.axis && !at.is_empty() { format!("({at}{size} + {lane})") } else { lane }
        };
        let marks = match self.transposition {
            Transposition::Strides => ["[None, :]", "[:, None]"],
            Transposition::None | Transposition::Method | Transposition::Function => ["[:, None]", "[None, :]"],
        };
        let row = lane(Axis::Rows, rows);
        let row = match self.way {
            Way::Gathered => format!("tl.load({}_order + {row})", self.name),
            _ => row,
        } + marks[0];
        let column = lane(Axis::Columns, columns) + marks[1];
        let pointers = format!("{0} + {row} * {0}_stride + {column}", self.name);
        let index = match self.axis {
            Axis::Rows => row,
            Axis::Columns => column,
        };
        Addresses { pointers, index }
    }
}
