//! What a block computes from many results, one after the other, is computed where it stands.
//!
//! Computations become instructions when an effect needs them. A least error, and where it was found, that go from one reduction to the next
//! are needed behind the last one; so is a sum to which each product of a block adds, times a scale of its own. What all the reductions or products gave
//! would live until then, in a register each.

use super::Emitter;
use crate::beside_products::is_product;
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::{Block, Op, OpKind};

/// With so many reductions in a block their results take more registers than what is computed from them saves by being computed late.
const LEAST_REDUCTIONS: usize = 16;

/// The values of a block that are results of its reductions or products, or were computed from them element by element.
pub(super) struct ResultChain {
    /// The operations whose results these are.
    sources: FxHashSet<usize>,
    values: FxHashSet<usize>,
    /// Values of the block that lead to one of its reductions or products, which needs them soon: stages of a sort, blocks of a solution, scores.
    needed: FxHashSet<usize>,
}

impl ResultChain {
    /// Of a block with many reductions, or with products whose results no thread has registers for.
    pub(super) fn of<'c>(emitter: &mut Emitter<'c, '_>, block: Block<'c>) -> Result<Option<Self>> {
        let ops = block.ops();
        let reductions: Vec<Op<'c>> = ops.iter().filter(|op| op.kind() == OpKind::TtReduce).copied().collect();
        let (kind, sources): (fn(&Op<'_>) -> bool, _) = if reductions.len() >= LEAST_REDUCTIONS {
            (|op| op.kind() == OpKind::TtReduce, reductions)
        } else {
            (is_product, last_products(emitter, &ops)?)
        };
        if sources.is_empty() {
            return Ok(None);
        }
        let mut needed = FxHashSet::default();
        for op in ops.iter().rev() {
            if kind(op) || op.results().iter().any(|result| needed.contains(&result.id())) {
                needed.extend(op.operands().iter().map(|operand| operand.id()));
            }
        }
        let sources = sources.iter().map(|op| op.id()).collect();
        Ok(Some(Self { sources, values: FxHashSet::default(), needed }))
    }

    /// Computes what `op`, which was just emitted, makes of results.
    pub(super) fn follow(&mut self, emitter: &mut Emitter<'_, '_>, op: Op<'_>) -> Result<()> {
        if self.sources.contains(&op.id()) {
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

/// The products of a block that no other one of it adds to or waits for, where a thread has more of their results than registers.
fn last_products<'c>(emitter: &mut Emitter<'c, '_>, ops: &[Op<'c>]) -> Result<Vec<Op<'c>>> {
    let goes_on =
        |op: &Op<'c>| op.results().iter().flat_map(|result| result.users()).any(|(user, _)| is_product(&user));
    let products: Vec<Op<'c>> = ops.iter().filter(|op| is_product(op) && !goes_on(op)).copied().collect();
    let mut results = 0;
    for result in products.iter().flat_map(|op| op.results()).filter(|result| result.ty().is_tensor()) {
        results += emitter.tensor(result.ty())?.registers;
    }
    let most = emitter.settings.target.max_registers_per_thread() as usize;
    Ok(if products.len() > 1 && results > most { products } else { Vec::new() })
}
