//! Loads of rows before the numbers that a chain of functions starts from.
//!
//! Programs that merge the partial results of a split attention load a few numbers and a row of each part. The numbers go through a chain of exponentials, in which
//! each part waits for the one before, and at its end the rows are scaled and added up. ptxas issues what the chain starts with, waits for it, and loads most
//! rows behind the wait, into registers that have become free: the launch waits for memory twice. It moves no load over a barrier of the block, so one
//! between the rows and the numbers keeps all loads before the first wait. Behind the last load it would not help: what the chain computes goes before it.
//!
//! ```text
//! a = load(m); x = load(row)                     a = load(m); x = load(row); y = load(row + n)
//! b = load(m + 1); y = load(row + n)       →     barrier
//! …exp(a - b)…                                   b = load(m + 1)
//! ```
//!
//! True for straight code in which threads meet nowhere, of a launch that brings few warps, in blocks of [`WARPS`] warps: other warps would wait for memory meanwhile, and
//! more warps longer for each other. At least [`LEAST_ROWS`] rows, which take at most [`MOST_WORDS`] registers, are loaded before anything is written, and
//! [`LEAST_FUNCTIONS`] functions of single numbers follow from each other. What rows are loaded from does not follow from what is loaded.
//!
//! 1. Read the block ([`Straight`]).  2. Move the rows before the first number that is loaded behind one of them, and a barrier between.

use super::{Step, step};
use crate::PassContext;
use crate::analysis::few_warps::has_few_warps;
use crate::analysis::live_registers::registers;
use crate::control_flow::{arithmetic_behind, move_arithmetic};
use crate::operations::computations::{Computation, computation};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::LoadOp;
use tk_ir::{Block, Builder, Op, OpKind, OpSpec};

/// Warps of a block. Measured with two, which meet in about twenty cycles; one warp has no other to meet.
const WARPS: u32 = 2;
/// Rows, as in what was measured.
const LEAST_ROWS: usize = 5;
/// Registers of a thread that wait for the end of the chain: few beside what a launch of few warps has.
const MOST_WORDS: u32 = 16;
/// Functions in a row, as in what was measured, of about 170 cycles with what is around each. Behind a shorter chain less of a second wait is to be saved.
const LEAST_FUNCTIONS: u32 = 4;

/// Moves the rows of a function's block, if it is one of these.
pub(super) fn apply(function: Op<'_>, num_warps: u32, cx: &PassContext) -> Result<()> {
    if num_warps != WARPS || !has_few_warps(num_warps, cx) {
        return Ok(());
    }
    let mut blocks = function.regions().into_iter().flat_map(|region| region.blocks());
    let (Some(block), None) = (blocks.next(), blocks.next()) else { return Ok(()) };
    if let Some(plan) = Straight::of(block)?.and_then(|straight| straight.plan()) {
        plan.apply();
    }
    Ok(())
}

/// The loads of straight code.
#[derive(Default)]
struct Straight<'c> {
    /// Loads of tensors, in their order.
    rows: Vec<Op<'c>>,
    /// The first load of a number behind the first row.
    number: Option<Op<'c>>,
    /// Functions of single numbers on the longest way to an end.
    functions: u32,
}

/// Rows that move before a number, with the arithmetic of their addresses.
struct Plan<'c> {
    number: Op<'c>,
    rows: Vec<Op<'c>>,
    arithmetic: Vec<Op<'c>>,
}

impl<'c> Straight<'c> {
    /// `None` where there are branches, or threads meet, or anything is written before the last load.
    fn of(block: Block<'c>) -> Result<Option<Self>> {
        let mut found = Self::default();
        let mut functions_before: FxHashMap<usize, u32> = FxHashMap::default();
        let mut is_written = false;
        for op in block.ops() {
            if op.is_terminator() {
                break;
            }
            if let Some(load) = LoadOp::cast(op) {
                if is_written || load.is_volatile() {
                    return Ok(None);
                }
                found.add(op);
                continue;
            }
            if step(op)? != Step::Free || !op.regions().is_empty() {
                return Ok(None);
            }
            is_written |= !op.is_memory_effect_free();
            let functions = op.operands().into_iter().filter_map(|value| functions_before.get(&value.id()).copied());
            let is_function = computation(op.kind()) == Computation::Function;
            let functions = functions.max().unwrap_or(0) + u32::from(is_function);
            for result in op.results().into_iter().filter(|result| !result.ty().is_tensor()) {
                functions_before.insert(result.id(), functions);
                found.functions = found.functions.max(functions);
            }
        }
        Ok(Some(found))
    }

    fn add(&mut self, load: Op<'c>) {
        if load.result(0).ty().is_tensor() {
            self.rows.push(load);
        } else if !self.rows.is_empty() && self.number.is_none() {
            self.number = Some(load);
        }
    }

    fn plan(self) -> Option<Plan<'c>> {
        let number = self.number?;
        let words: u32 = self.rows.iter().map(|row| registers(row.result(0).ty())).sum();
        if self.rows.len() < LEAST_ROWS || words > MOST_WORDS || self.functions < LEAST_FUNCTIONS {
            return None;
        }
        let rows: Vec<Op<'c>> = self.rows.into_iter().filter(|row| number.is_before_in_block(*row)).collect();
        let mut arithmetic = Vec::new();
        for row in &rows {
            arithmetic.extend(arithmetic_behind(number, *row)?);
        }
        Some(Plan { number, rows, arithmetic })
    }
}

impl Plan<'_> {
    fn apply(self) {
        move_arithmetic(self.arithmetic, self.number);
        self.rows.iter().for_each(|row| row.move_before(self.number));
        Builder::before(self.number).insert(OpSpec::new(OpKind::GpuBarrier));
    }
}
