//! What a block computes from many reductions, one after the other, is computed where it stands.
//!
//! Computations become instructions when an effect needs them. A least error, and where it was found, that go from one reduction to the next
//! are needed behind the last one; what all the reductions gave would live until then, in a register each.

use super::Emitter;
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::{Block, Op, OpKind};

/// With so many reductions in a block their results take more registers than what is computed from them saves by being computed late.
const LEAST_REDUCTIONS: usize = 16;

/// The values of a block that are reductions' or were computed from them element by element.
pub(super) struct ReductionChain {
    values: FxHashSet<usize>,
    /// Values of the block that lead to one of its reductions, which needs them soon: stages of a sort, blocks of a solution.
    needed: FxHashSet<usize>,
}

impl ReductionChain {
    /// Of a block with many reductions.
    pub(super) fn of(block: Block<'_>) -> Option<Self> {
        let ops = block.ops();
        let is_reduction = |op: &Op<'_>| op.kind() == OpKind::TtReduce;
        if ops.iter().filter(|op| is_reduction(op)).take(LEAST_REDUCTIONS).count() < LEAST_REDUCTIONS {
            return None;
        }
        let mut needed = FxHashSet::default();
        for op in ops.iter().rev() {
            if is_reduction(op) || op.results().iter().any(|result| needed.contains(&result.id())) {
                needed.extend(op.operands().iter().map(|operand| operand.id()));
            }
        }
        Some(Self { values: FxHashSet::default(), needed })
    }

    /// Computes what `op`, which was just emitted, makes of reductions.
    pub(super) fn follow(&mut self, emitter: &mut Emitter<'_, '_>, op: Op<'_>) -> Result<()> {
        if op.kind() == OpKind::TtReduce {
            self.values.extend(op.results().iter().map(|result| result.id()));
            return Ok(());
        }
        if !self.continues(op) {
            return Ok(());
        }
        for result in op.results() {
            self.values.insert(result.id());
            let registers = emitter.registers(result)?;
            for at in 0..registers.len() {
                emitter.code.compute_here(registers.get(at))?;
            }
        }
        Ok(())
    }

    /// Element by element, from a value of the chain.
    fn continues(&self, op: Op<'_>) -> bool {
        let of_chain = op.operands().into_iter().find(|operand| self.values.contains(&operand.id()));
        let is_alike = |operand: tk_ir::Value<'_>| {
            let (has, shape) = (operand.ty().encoding(), operand.ty().shape());
            op.results().iter().all(|result| result.ty().encoding() == has && result.ty().shape() == shape)
        };
        let is_for_later = !op.results().iter().any(|result| self.needed.contains(&result.id()));
        op.num_results() > 0 && op.is_memory_effect_free() && is_for_later && of_chain.is_some_and(is_alike)
    }
}
