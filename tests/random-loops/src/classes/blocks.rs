//! Blocks of several axes in memory, with strides of any order.

use super::draft::{Access, Draft};
use crate::draw::Choose;
use rand::Rng;
use rand::seq::SliceRandom;

/// An axis of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    /// The vector of its numbers in the kernel.
    pub(super) index: String,
    /// How many there are in memory, as the test writes it.
    pub(super) extent: String,
    /// The number that a mask ends before.
    pub(super) end: Option<String>,
}

impl Axis {
    pub(super) fn new(index: &str, extent: &str, end: Option<&str>) -> Self {
        Self { index: index.to_string(), extent: extent.to_string(), end: end.map(str::to_string) }
    }
}

/// A block whose tensor is not there yet, with its axes in the order of the kernel.
#[derive(Clone, Debug)]
pub(super) struct Block<'a> {
    /// Of the tensor.
    pub(super) name: &'a str,
    pub(super) axes: Vec<Axis>,
    /// How the test makes elements, with `#` for their number.
    pub(super) made: &'a str,
}

/// A block in memory.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    tensor: String,
    /// Where its first element is, if that is not the tensor's.
    base: Option<String>,
    axes: Vec<Axis>,
    /// Names of the strides, or 1.
    strides: Vec<String>,
}

/// A block that each iteration takes at pointers that the one before moved on.
#[derive(Clone, Debug)]
pub(super) struct Moving {
    pointers: String,
    step: String,
}

impl Moving {
    /// An access at the pointers, with the mask of another one.
    pub(super) fn access(&self, access: Access) -> Access {
        access.at_pointers(&self.pointers)
    }
}

impl Placed {
    pub(super) fn access(&self) -> Access {
        Access::new(&self.tensor, self.offsets(None)).masked(mask_of(&self.axes))
    }

    /// The same in a loop in which the numbers of an axis are all before its end.
    pub(super) fn access_of_whole(&self, index: &str) -> Access {
        let mut axes = self.axes.clone();
        axes.iter_mut().filter(|axis| axis.index == index).for_each(|axis| axis.end = None);
        self.access().masked(mask_of(&axes))
    }

    /// The same with a mask of the lanes of an iteration that begins at `first`.
    pub(super) fn access_behind(&self, index: &str, lanes: &str, first: &str) -> Access {
        let mut axes = self.axes.clone();
        for axis in axes.iter_mut().filter(|axis| axis.index == index) {
            axis.index = lanes.to_string();
            axis.end = axis.end.take().map(|end| format!("{end} - {first}"));
        }
        self.access().masked(mask_of(&axes))
    }

    /// Whether this is the index of the first axis.
    pub(super) fn begins_with(&self, index: &str) -> bool {
        self.axes.first().is_some_and(|axis| axis.index == index)
    }

    /// The offsets of the elements, with another vector for an index.
    fn offsets(&self, instead: Option<(&str, &str)>) -> String {
        let term = |(axis, Axis { index, .. }): (usize, &Axis)| {
            let index = instead.filter(|(old, _)| old == index).map_or(index.as_str(), |(_, new)| new);
            let (index, stride) = (spread(index, axis, self.axes.len()), &self.strides[axis]);
            if stride == "1" { index } else { format!("{index} * {stride}") }
        };
        let terms: Vec<String> = self.base.iter().cloned().chain(self.axes.iter().enumerate().map(term)).collect();
        terms.join(" + ")
    }
}

/// The index of an axis in a block of so many axes.
pub(super) fn spread(index: &str, axis: usize, axes: usize) -> String {
    if axes == 1 {
        return index.to_string();
    }
    let marks: Vec<&str> = (0..axes).map(|other| if other == axis { ":" } else { "None" }).collect();
    format!("{index}[{}]", marks.join(", "))
}

/// The mask of a block, where an axis has an end.
fn mask_of(axes: &[Axis]) -> Option<String> {
    let ends = axes.iter().enumerate().filter_map(|(axis, Axis { index, end, .. })| {
        end.as_ref().map(|end| format!("({} < {end})", spread(index, axis, axes.len())))
    });
    let ends: Vec<String> = ends.collect();
    (!ends.is_empty()).then(|| ends.join(" & "))
}

impl Draft<'_> {
    /// A tensor for a block, whose axes lie in memory in any order, with gaps perhaps, and perhaps one from its end to its beginning.
    pub(super) fn place(&mut self, block: Block<'_>) -> Placed {
        let Block { name, axes, made } = block;
        let mut order: Vec<usize> = (0..axes.len()).collect();
        if self.random.chance(0.4) {
            order.shuffle(self.random);
        }
        let reversed = if self.random.chance(0.06) { Some(self.random.random_range(0..order.len())) } else { None };
        self.set_strides(name, &axes, &order);
        let (count, base) = (format!("{name}_count"), format!("{name}_base"));
        self.tensor(name, &made.replace('#', &count));
        if let Some(axis) = reversed {
            self.number(&base, &format!("(max({}, 1) - 1) * {}", axes[axis].extent, stride_name(name, axis)));
        }
        let mut strides = Vec::new();
        for axis in 0..axes.len() {
            let is_innermost = order.last() == Some(&axis) && reversed != Some(axis);
            if is_innermost && self.random.chance(0.5) {
                strides.push("1".to_string());
                continue;
            }
            let (stride, sign) = (stride_name(name, axis), if reversed == Some(axis) { "-" } else { "" });
            self.number(&stride, &format!("{sign}{stride}"));
            strides.push(stride);
        }
        Placed { tensor: name.to_string(), base: reversed.map(|_| base), axes, strides }
    }

    /// The test computes strides, from the axis whose elements lie beside each other to the outermost, and how many elements there are.
    fn set_strides(&mut self, name: &str, axes: &[Axis], order: &[usize]) {
        let gap = self.random.pick(&[0, 0, 0, 0, 0, 0, 1, 3, 8]);
        // Asynchronous copies and wide accesses need rows that begin at multiples of 16 bytes.
        let is_whole = self.random.chance(0.6);
        let (mut step, mut last) = ("1".to_string(), Vec::new());
        for (place, axis) in order.iter().rev().enumerate() {
            let (stride, extent) = (stride_name(name, *axis), format!("max({}, 1)", axes[*axis].extent));
            self.set(&stride, &step);
            last.push(format!("({extent} - 1) * {stride}"));
            step = match place {
                0 if is_whole => format!("triton.cdiv({extent} + {gap}, 16) * 16"),
                0 if gap > 0 => format!("{extent} + {gap}"),
                _ => format!("{stride} * {extent}"),
            };
        }
        self.set(&format!("{name}_count"), &format!("{} + 1", last.join(" + ")));
    }

    /// Pointers to the block of the first iteration of a loop, whose index has `lanes` in it, and each iteration is `step` further.
    pub(super) fn start_moving(&mut self, placed: &Placed, index: &str, lanes: &str, step: &str) -> Moving {
        let pointers = format!("{}_pointers", placed.tensor);
        self.pointers(&pointers, &placed.tensor, &placed.offsets(Some((index, lanes))));
        let stride = placed.axes.iter().position(|axis| axis.index == index).map(|axis| &placed.strides[axis]);
        let step = match stride {
            Some(stride) if stride != "1" => format!("{step} * {stride}"),
            _ => step.to_string(),
        };
        Moving { pointers, step }
    }

    /// The end of an iteration.
    pub(super) fn move_on(&mut self, moving: &Moving) {
        self.both(&format!("{} += {}", moving.pointers, moving.step));
    }
}

/// What a test calls a stride.
fn stride_name(tensor: &str, axis: usize) -> String {
    format!("{tensor}_stride_{axis}")
}
