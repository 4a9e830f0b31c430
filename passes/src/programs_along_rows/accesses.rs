//! Where the accesses of one program lie, and where those of the programs beside it.
//!
//! All that counts is which addresses are near each other, so integers are taken not to wrap around, and masks are left aside. What is found here decides
//! the order in which programs run, and never what they compute.

use crate::analysis::axis_flow::unit_of;
use crate::analysis::axis_rules::BinaryOp;
use crate::analysis::strides::stride_along;
use crate::analysis::{AxisFacts, axis_info};
use crate::longest_programs_first::axis_of;
use crate::operations::axis::{AxisRule, axis_rule};
use crate::operations::control::is_loop;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use rustc_hash::FxHashMap;
use tk_ir::{Op, OpKind, Value};
use tk_target::LINE_BYTES;

/// Bytes between the rows of a program, and between programs along a faster axis, at least: what was measured has rows of 4096 bytes. Of rows that are nearer
/// to each other, programs far apart touch the same part of memory in any order.
const PAGE_BYTES: u64 = 4096;
/// An access is large if a program touches more of it than this part of its largest one.
const LARGE_PART: u64 = 4;
/// Definitions that are followed from a pointer, one behind the other, at most.
const MOST_STEPS: usize = 48;

/// The axis of the grid, not x, along which all large accesses of a kernel lie side by side.
pub(super) fn axis_along_rows(function: Op<'_>) -> Option<usize> {
    let ops = function.descendants();
    if ops.iter().any(|op| is_other_work(*op)) {
        return None;
    }
    let facts = axis_info(function);
    let is_access = |op: &&Op<'_>| matches!(global_memory(op.kind()), GlobalMemory::Pointers(_));
    let accesses: Vec<_> = ops.iter().filter(is_access).map(|op| BlockAccess::of(*op, &facts)).collect();
    let most = accesses.iter().map(BlockAccess::bytes).max()?;
    let mut steps = ProgramSteps { facts: &facts, known: FxHashMap::default() };
    let large = accesses.iter().filter(|access| access.bytes() > most / LARGE_PART);
    let mut axes = large.map(|access| access.axis_of_grid(&mut steps));
    let axis = axes.next()??;
    axes.all(|other| other == Some(axis)).then_some(axis)
}

/// Loops go through rows by themselves, products share operands between programs, and what descriptors access is not looked at.
fn is_other_work(op: Op<'_>) -> bool {
    let is_other_access = match global_memory(op.kind()) {
        GlobalMemory::None | GlobalMemory::Unknown => false,
        GlobalMemory::Pointers(access) => match access {
            Access::Read | Access::Write => false,
            Access::Combine | Access::Synchronize => true,
        },
        GlobalMemory::Block(_) | GlobalMemory::Copy(_) => true,
    };
    is_other_access || is_loop(op) || matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled)
}

/// A load or a store.
struct BlockAccess<'c> {
    pointer: Value<'c>,
    element_bytes: u64,
    /// Those with more than one element.
    axes: Vec<BlockAxis>,
}

/// An axis of the block of pointers.
#[derive(Clone, Copy)]
struct BlockAxis {
    size: u64,
    /// From each element to the next, in elements, where that is one number.
    stride: Option<i64>,
}

impl<'c> BlockAccess<'c> {
    fn of(op: Op<'c>, facts: &AxisFacts) -> Self {
        let pointer = op.operand(0);
        let shape = if pointer.ty().is_tensor() { pointer.ty().shape() } else { Vec::new() };
        let axes = shape
            .into_iter()
            .enumerate()
            .map(|(axis, size)| BlockAxis { size: size.unsigned_abs(), stride: stride_along(pointer, axis, facts) });
        let moves = |axis: &BlockAxis| axis.size > 1 && axis.stride != Some(0);
        Self { pointer, element_bytes: unit_of(pointer.ty()), axes: axes.filter(moves).collect() }
    }

    /// What a program touches, as far as elements are known to be the same.
    fn bytes(&self) -> u64 {
        self.axes.iter().fold(self.element_bytes, |bytes, axis| bytes.saturating_mul(axis.size))
    }

    /// The axis of the grid along which programs have neighbouring parts of the same rows, where other programs run between them.
    fn axis_of_grid(&self, steps: &mut ProgramSteps<'_>) -> Option<usize> {
        let row = self.row()?;
        let step = steps.of(self.pointer, 0);
        let axis = (1..step.by_axis.len()).find(|axis| step.by_axis[*axis] == Some(row))?;
        let are_between = step.by_axis[..axis].iter().all(|step| step.is_some_and(|step| self.is_page(step)));
        are_between.then_some(axis)
    }

    /// Elements of a row, where they are less than a line of memory and each row is in a page of its own.
    fn row(&self) -> Option<i64> {
        let (along, across): (Vec<BlockAxis>, Vec<BlockAxis>) =
            self.axes.iter().copied().partition(|axis| axis.stride == Some(1));
        let [row] = along[..] else { return None };
        let are_apart = across.iter().all(|axis| axis.stride.is_some_and(|stride| self.is_page(stride)));
        let is_short = row.size.saturating_mul(self.element_bytes) < u64::from(LINE_BYTES);
        i64::try_from(row.size).ok().filter(|_| are_apart && is_short)
    }

    fn is_page(&self, elements: i64) -> bool {
        elements.unsigned_abs().saturating_mul(self.element_bytes) >= PAGE_BYTES
    }
}

/// What a value has more in the next program along each axis of the grid, in elements of pointers, the same for all elements of a block; `None` where that is
/// not one number.
#[derive(Clone, Copy)]
struct ProgramStep {
    by_axis: [Option<i64>; 3],
}

impl ProgramStep {
    const NONE: Self = Self { by_axis: [Some(0); 3] };
    const UNKNOWN: Self = Self { by_axis: [None; 3] };

    fn along(axis: Option<usize>) -> Self {
        let Some(axis) = axis else { return Self::UNKNOWN };
        Self { by_axis: std::array::from_fn(|other| Some(i64::from(other == axis))) }
    }

    fn with(self, other: Self, combine: impl Fn(i64, i64) -> Option<i64>) -> Self {
        let pair = |axis: usize| self.by_axis[axis].zip(other.by_axis[axis]);
        Self { by_axis: std::array::from_fn(|axis| pair(axis).and_then(|(one, other)| combine(one, other))) }
    }

    fn times(self, factor: i64) -> Self {
        Self { by_axis: self.by_axis.map(|step| step.and_then(|step| step.checked_mul(factor))) }
    }

    /// Of what is computed of both in a way that is not looked at: the same where both are.
    fn mixed(self, other: Self) -> Self {
        self.with(other, |one, other| (one == 0 && other == 0).then_some(0))
    }
}

/// The steps of values of one function.
struct ProgramSteps<'f> {
    facts: &'f AxisFacts,
    known: FxHashMap<usize, ProgramStep>,
}

impl ProgramSteps<'_> {
    fn of(&mut self, value: Value<'_>, depth: usize) -> ProgramStep {
        if let Some(known) = self.known.get(&value.id()) {
            return *known;
        }
        if depth == MOST_STEPS {
            return ProgramStep::UNKNOWN;
        }
        let step = match value.defining_op() {
            Some(op) => self.of_result(op, depth + 1),
            None if is_parameter(value) => ProgramStep::NONE,
            None => ProgramStep::UNKNOWN,
        };
        self.known.insert(value.id(), step);
        step
    }

    fn of_result(&mut self, op: Op<'_>, depth: usize) -> ProgramStep {
        if op.kind() == OpKind::TtGetProgramId {
            return ProgramStep::along(axis_of(op));
        }
        if op.num_regions() > 0 {
            return ProgramStep::UNKNOWN;
        }
        let operands: Vec<_> = op.operands().into_iter().map(|operand| self.of(operand, depth)).collect();
        let rule = axis_rule(op.kind());
        match operands[..] {
            [only] if rule.moves() => only,
            [left, right] if rule == AxisRule::AddPtr || rule == AxisRule::Binary(BinaryOp::Add) => {
                left.with(right, i64::checked_add)
            }
            [left, right] if rule == AxisRule::Binary(BinaryOp::Sub) => left.with(right, i64::checked_sub),
            [left, right] if rule == AxisRule::Binary(BinaryOp::Mul) => {
                match (self.constant(op, 0), self.constant(op, 1)) {
                    (_, Some(factor)) => left.times(factor),
                    (Some(factor), None) => right.times(factor),
                    (None, None) => left.mixed(right),
                }
            }
            [left, right] if rule == AxisRule::Binary(BinaryOp::Shl) => {
                let places = self.constant(op, 1).filter(|places| (0..32).contains(places));
                places.map_or_else(|| left.mixed(right), |places| left.times(1 << places))
            }
            _ => operands.iter().copied().fold(ProgramStep::NONE, ProgramStep::mixed),
        }
    }

    fn constant(&self, op: Op<'_>, index: usize) -> Option<i64> {
        self.facts.find(op.operand(index))?.constant
    }
}

/// An argument of the kernel.
fn is_parameter(value: Value<'_>) -> bool {
    let around = value.block_argument().and_then(|(block, _)| block.parent_op());
    around.is_some_and(|op| op.kind() == OpKind::TtFunc)
}
