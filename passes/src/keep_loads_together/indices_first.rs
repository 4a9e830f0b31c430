//! Loads of indices before rows that wait for nothing.
//!
//! A program loads rows, then a block of indices, and what a table has for each. Indices of eight bits come sixteen at a time, and each of them has a load of its own
//! that waits. A thread that asks for rows first asks for all of these a little later, and entries that are in a cache come back behind rows from
//! memory. ptxas mixes these loads as it likes, whatever the order of the text. A barrier of the warp behind the indices, which is no instruction, lets it
//! put rows no further up than that.
//!
//! ```text
//! x = load(row)                  i = load(indices)
//! i = load(indices)              barrier of the warp
//! t = load(table + i)       →    x = load(row)
//! …                              t = load(table + i)
//! ```
//!
//! True for straight code without products, where rows stand before indices, and at least [`LEAST_FOR_EACH`] accesses wait for each access of indices. Fewer
//! are soon asked for. Nothing is written and no thread waits before.
//!
//! 1. Read the loads of the block ([`Loads`]).  2. Move indices before the first row ([`Plan`]), which is marked: code generation writes the barrier.

use super::{Step, step};
use crate::attributes::{BEHIND_LOADS, JOINED, LATE, VECTOR};
use crate::control_flow::{move_arithmetic, with_operands};
use crate::encodings::distinct_elements_per_thread;
use crate::operations::control::{Control, control};
use crate::operations::is_product;
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::LoadOp;
use tk_ir::{Block, Op};

/// Accesses that wait for each access of indices. Measured: of sixteen launches with eight and more none was slower, of fourteen with four to six two
/// were (docs/measurements.md, "Indices are loaded before rows").
const LEAST_FOR_EACH: i64 = 8;
/// Bits of the widest access.
const WIDEST_BITS: i64 = 128;

/// Moves the indices of a function's block, if it is one of these.
pub(super) fn apply(function: Op<'_>) -> Result<()> {
    let mut blocks = function.regions().into_iter().flat_map(|region| region.blocks());
    let (Some(block), None) = (blocks.next(), blocks.next()) else { return Ok(()) };
    if !is_straight(block) {
        return Ok(());
    }
    if let Some(plan) = Loads::of(block)?.plan(block) {
        plan.apply();
    }
    Ok(())
}

/// The block has no loops, branches and products.
fn is_straight(block: Block<'_>) -> bool {
    block.ops().iter().all(|op| op.is_terminator() || (control(op.kind()) == Control::Plain && !is_product(*op)))
}

/// The loads of a block before anything is written and any thread waits, in their order.
#[derive(Default)]
struct Loads<'c> {
    all: Vec<Op<'c>>,
    /// Those whose pointers or masks are computed from what others load.
    waiting: Vec<Op<'c>>,
}

/// Loads and the arithmetic of their addresses, in their order, that move before a row.
struct Plan<'c> {
    row: Op<'c>,
    moved: Vec<Op<'c>>,
}

impl<'c> Loads<'c> {
    fn of(block: Block<'c>) -> Result<Self> {
        let mut found = Self::default();
        // Values that are computed from what is loaded.
        let mut loaded: FxHashSet<usize> = FxHashSet::default();
        for op in block.ops() {
            let is_load = LoadOp::cast(op).is_some_and(|load| !load.is_volatile());
            let is_free = is_load || (op.is_memory_effect_free() && step(op)? == Step::Free);
            if op.is_terminator() || !is_free || !op.regions().is_empty() {
                break;
            }
            let waits = op.operands().into_iter().any(|value| loaded.contains(&value.id()));
            if is_load {
                found.all.push(op);
            }
            if is_load && waits {
                found.waiting.push(op);
            }
            if is_load || waits {
                loaded.extend(op.results().into_iter().map(|result| result.id()));
            }
        }
        Ok(found)
    }

    fn plan(self, block: Block<'c>) -> Option<Plan<'c>> {
        let indices = self.indices();
        let is_row = |load: &Op<'c>| !self.waiting.contains(load) && !indices.contains(load);
        let row = self.all.iter().copied().find(|load| is_row(load) && load.result(0).ty().is_tensor())?;
        let (first, last) = (*self.waiting.first()?, *indices.last()?);
        // What waits would end up between indices, or is in the way already.
        if last.is_before_in_block(row) || first.is_before_in_block(row) {
            return None;
        }
        if !indices.iter().all(|load| self.may_move(*load)) {
            return None;
        }
        let accesses_of = |loads: &[Op<'c>]| loads.iter().map(|load| accesses(*load)).sum::<i64>();
        if accesses_of(&self.waiting) < accesses_of(&indices).saturating_mul(LEAST_FOR_EACH) {
            return None;
        }
        Some(Plan { row, moved: with_operands(block, indices, row)? })
    }

    /// Accesses that are written with others or stand where they are needed have places of their own. Single indices and indices of indices were not measured.
    fn may_move(&self, index: Op<'c>) -> bool {
        let is_placed = index.attr(JOINED).is_some() || index.attr(LATE).is_some();
        index.result(0).ty().is_tensor() && !is_placed && !self.waiting.contains(&index)
    }

    /// The loads that others wait for.
    fn indices(&self) -> Vec<Op<'c>> {
        let operands = |op: Op<'c>| op.operands().into_iter().filter_map(|value| value.defining_op());
        let mut pending: Vec<Op<'c>> = self.waiting.iter().copied().flat_map(operands).collect();
        let mut seen = FxHashSet::default();
        while let Some(op) = pending.pop() {
            if seen.insert(op.id()) {
                pending.extend(operands(op));
            }
        }
        self.all.iter().copied().filter(|load| seen.contains(&load.id())).collect()
    }
}

impl Plan<'_> {
    fn apply(self) {
        move_arithmetic(self.moved, self.row);
        self.row.set_attr(BEHIND_LOADS, self.row.context().unit_attr());
    }
}

/// Instructions of a thread that load.
fn accesses(load: Op<'_>) -> i64 {
    let ty = load.result(0).ty();
    if !ty.is_tensor() {
        return 1;
    }
    let widest = (WIDEST_BITS / i64::from(ty.element_bits()).max(1)).max(1);
    let width = load.int_attr(VECTOR).unwrap_or(1).clamp(1, widest);
    (distinct_elements_per_thread(ty) / width).max(1)
}
