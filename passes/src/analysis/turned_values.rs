//! Values of attention in f32 that are copied to shared memory element by element.
//!
//! `wgmma` reads 32-bit numbers along K alone, so values, whose rows are contiguous in memory, lie in their buffer the other way round. A copy moves a
//! single number then. A thread that loads four at once and writes them to the buffer takes fewer requests, and products of blocks that come from memory
//! are faster so. In attention that write stands between the two products of an iteration: all threads fence it and meet behind it, and the second
//! product, whose buffer is the only one, has to end in its iteration. Where other CTAs share the multiprocessor, they multiply meanwhile. Where none does,
//! copies by elements are faster: they are under way for iterations, no thread writes for a product, and the second one goes over the end of
//! the iteration ([measurements](../../../docs/measurements.md#values-in-f32-are-copied-by-elements-where-one-cta-has-the-multiprocessor)). Weights stay in
//! their lanes all the same ([`crate::permute_terms`]).
//!
//! True for the right operand of a product by `wgmma`, where
//!
//! - **weights are computed in the iteration**: the left operand is what another product gave, in registers. One that is loaded, too, as in plain
//!   products and in chunks of linear attention, leaves nothing to wait for between products;
//! - **only this product needs the values**: for another use they would be read from shared memory again;
//! - **a thread has few of them** ([`MAX_REGISTER_BYTES`]), each of which takes an instruction: 64x64 in four warps are loaded;
//! - **threads write nothing else for a product of the loop**, or fence and barrier stay: other operands are copied by threads, or do not change;
//! - **one CTA of at most eight warps has the multiprocessor**, by the grid or by what shared memory it takes, and has room for the buffers in addition.

use super::AxisFacts;
use super::async_loads::{MAX_REGISTER_BYTES, async_load, is_large, is_zero, register_bytes};
use super::few_warps::FEW_WARPS;
use super::shared_buffers::{MATRIX_ALIGNMENT, Points, SharedBuffer, tensor_bytes};
use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::vectorize_memory::contiguous_axis;
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, LoadOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind};
use tk_layout::Encoding;

/// Bits of a number that `wgmma` reads along K alone, and a copy can move by itself.
const BITS: u32 = 32;
/// Of four bytes of shared memory that a CTA can have, those that are left for buffers that nobody knows of yet.
const RESERVE_OF_FOUR: u32 = 1;

/// A loop that may copy values.
pub(crate) struct LoopOfValues<'c> {
    pub(crate) function: Op<'c>,
    pub(crate) view: ForOp<'c>,
    /// Iterations that copies run ahead.
    pub(crate) ahead: i64,
    /// Each ring has a buffer to spare.
    pub(crate) has_spare: bool,
}

/// The loads of a loop whose blocks products read from shared memory.
struct Operands<'c> {
    /// Those that are copied anyway.
    copied: Vec<Op<'c>>,
    /// Values that threads would turn.
    values: Vec<Op<'c>>,
}

impl<'c> LoopOfValues<'c> {
    /// The loads that are better copied by elements, of those for which `runs_ahead` holds.
    pub(crate) fn values(
        &self,
        runs_ahead: impl Fn(Op<'c>) -> bool,
        facts: &AxisFacts,
        num_warps: u32,
        cx: &PassContext,
    ) -> Vec<Op<'c>> {
        let are_few = self.ahead > 0 && num_warps <= FEW_WARPS;
        let operands = if are_few { self.operands(runs_ahead, facts, cx) } else { None };
        let operands = operands.filter(|operands| self.is_alone(operands, num_warps, cx));
        operands.map_or_else(Vec::new, |operands| operands.values)
    }

    /// `None` where there are no values, or threads write something else for a product.
    fn operands(
        &self,
        runs_ahead: impl Fn(Op<'c>) -> bool,
        facts: &AxisFacts,
        cx: &PassContext,
    ) -> Option<Operands<'c>> {
        let mut found = Operands { copied: Vec::new(), values: Vec::new() };
        for buffer in self.view.op.descendants().into_iter().filter(|op| op.kind() == OpKind::TtgLocalAlloc) {
            let load = LoadOp::cast(buffer.operands().first()?.defining_op()?)?;
            let is_in_body = [load.op, buffer].iter().all(|op| op.block() == Some(self.view.body()));
            if !is_in_body || !runs_ahead(load.op) {
                return None;
            }
            if async_load(load, facts, cx).is_some() {
                found.copied.push(load.op);
            } else if self.are_values(load, buffer) {
                found.values.push(load.op);
            } else {
                return None;
            }
        }
        found.copied.sort_unstable_by_key(|load| load.id());
        found.copied.dedup();
        (!found.values.is_empty()).then_some(found)
    }

    /// The load gives values that weights of the iteration are multiplied by, and nothing but their turn keeps it from being a copy.
    fn are_values(&self, load: LoadOp<'c>, buffer: Op<'c>) -> bool {
        let [(reader, _)] = buffer.result(0).users()[..] else { return false };
        let Some(dot) = WarpGroupDotOp::cast(reader).filter(|dot| dot.b() == buffer.result(0)) else { return false };
        let is_turned = contiguous_axis(buffer.result(0).ty()) != contiguous_axis(load.ptr().ty());
        load.result().ty().element_bits() == BITS
            && load.result().has_one_use()
            && register_bytes(load) <= MAX_REGISTER_BYTES
            && is_large(load)
            && load.other().is_none_or(is_zero)
            && is_turned
            && self.multiplies_weights(dot)
    }

    /// The left operand of a product of the body is converted from the layout of another one's result, and computed from that in the same iteration.
    fn multiplies_weights(&self, dot: WarpGroupDotOp<'c>) -> bool {
        let body = self.view.body();
        let conversion = dot.a().defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout);
        let is_result = |op: &Op<'c>| {
            let source = op.operand(0).ty();
            source.element_bits() == BITS && matches!(source.layout().as_deref(), Some(Encoding::NvidiaMma(_)))
        };
        let Some(conversion) = conversion.filter(is_result).filter(|_| dot.op.block() == Some(body)) else {
            return false;
        };
        let mut pending = vec![conversion];
        let mut seen = FxHashSet::default();
        while let Some(op) = pending.pop() {
            if op.kind() == OpKind::TtngWarpGroupDot {
                return true;
            }
            if seen.insert(op.id()) {
                let operands = op.descendants().into_iter().flat_map(|inner| inner.operands());
                let made = operands.filter_map(|value| value.defining_op());
                pending.extend(made.filter_map(|op| op.ancestor_in(body)));
            }
        }
        false
    }

    /// One CTA has the multiprocessor while threads write the values, and has room for rings of them.
    fn is_alone(&self, operands: &Operands<'c>, num_warps: u32, cx: &PassContext) -> bool {
        let all: Vec<Op<'c>> = operands.copied.iter().chain(&operands.values).copied().collect();
        let Some((now, then)) = self.bytes(&operands.copied).zip(self.bytes(&all)) else { return false };
        let ctas = |bytes: u32| cx.target.occupancy(1, bytes, num_warps).ctas_per_sm;
        let brought = cx.options.residency.at_most().unwrap_or(u32::MAX);
        ctas(now).min(brought) == 1 && ctas(then.saturating_mul(4) / (4 - RESERVE_OF_FOUR)) > 0
    }

    /// Bytes of shared memory that the function takes where the blocks of `rings` have rings, with one buffer more than iterations are under way: `wgmma`
    /// still reads one while the next copy starts. `None` where they are not known.
    fn bytes(&self, rings: &[Op<'c>]) -> Option<u32> {
        let is_of_ring = |buffer: Op<'c>| {
            let source = buffer.operands().first().and_then(|value| value.defining_op());
            buffer.kind() == OpKind::TtgLocalAlloc && source.is_some_and(|load| rings.contains(&load))
        };
        let mut needed = buffers_of_module(self.function).ok()?;
        needed.retain(|buffer| !is_of_ring(buffer.op));
        let live = Points::of(self.function).range(self.view.op);
        let buffers = u32::try_from(self.ahead + 1 + i64::from(self.has_spare)).ok()?;
        needed.extend(rings.iter().map(|load| SharedBuffer {
            op: *load,
            bytes: tensor_bytes(load.result(0).ty()).saturating_mul(buffers),
            alignment: MATRIX_ALIGNMENT,
            purpose: "ring",
            live: live.clone(),
        }));
        Some(total_bytes(&needed))
    }
}
