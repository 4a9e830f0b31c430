//! Loads that become asynchronous copies only where that costs a multiprocessor no CTA.
//!
//! - **Blocks whose masked-out elements are not zero** ([`MaskedOut::Selected`]): a row of a softmax, with negative infinity behind its end. A copy
//!   waits in shared memory, where such a load takes registers or is not ahead at all, for a selection of each element. On an H200 a softmax of
//!   16384 columns takes 109.1 us with copies three rows ahead, and 131.5 without. Rows that wait in registers stay there: four softmaxes of 128 to 512
//!   columns took 3 to 8 % longer with copies.
//! - **Numbers of rows or columns that operands of products are computed from**, such as scales of weights, which wait in more registers than a few and
//!   therefore for one iteration only: their loads, and what their addresses are computed from, then stand among the products. Beside copies that are
//!   further ahead they go along. On an H200 two products of bytes with scales take 98.8 us and 112.9, and 114.6 and 117.3 without.
//!
//! Where another CTA would have room without them, it computes while one waits, and they stay what they are. So do they where TMA alone copies: waits for
//! groups of copies, and the barrier behind them, would be new in the loop.
//!
//! Copies that a loop has anyway go no further ahead than it has iterations: further ones copy nothing. All blocks are asked for before the loop then. Rings
//! that threads fill have as many buffers as iterations ([`few_iterations`](crate::pipeline_loops)), those that TMA fills and `wgmma` reads one more. Where
//! it makes room for another CTA, these have as many buffers as iterations, too, and the last block is asked for in the first of them
//! ([measurements](../../../docs/measurements.md#rings-have-no-more-buffers-than-iterations)).

use super::AxisFacts;
use super::async_loads::{
    AsyncLoad, FEW_REGISTER_BYTES, MAX_REGISTER_BYTES, MaskedOut, async_load_of_any_size, is_large, register_bytes,
};
use super::iterations::{iterations_before_loop, most_iterations};
use super::product_ahead::is_row;
use super::rows_of_results::is_of_operands;
use super::shared_buffers::{Points, tensor_bytes};
use super::shared_room::SharedRoom;
use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::attributes::Threads;
use tk_ir::ops::{ForOp, LoadOp};
use tk_ir::{Op, OpKind};

/// A loop that may have room for more copies.
pub(crate) struct LoopWithRoom<'a, 'c> {
    pub(crate) function: Op<'c>,
    pub(crate) view: ForOp<'c>,
    /// What the loop copies anyway.
    pub(crate) copies: &'a [Op<'c>],
    /// Iterations that copies run ahead.
    pub(crate) ahead: i64,
    /// Each ring has a buffer to spare.
    pub(crate) has_spare: bool,
}

/// What becomes of loads that are no copies.
pub(crate) struct MoreCopies<'c> {
    /// Those that become copies.
    pub(crate) more: Vec<Op<'c>>,
    /// Those that stay.
    pub(crate) others: Vec<Op<'c>>,
    /// Iterations that all copies run ahead then.
    pub(crate) ahead: i64,
}

/// Bytes of shared memory that a function takes.
#[derive(Clone, Copy)]
struct Memory {
    all: u32,
    /// Those that it takes while the loop runs.
    in_loop: u32,
}

impl Memory {
    /// What it takes with rings of so many bytes, which are there while the loop runs.
    fn with_rings(self, bytes: i64) -> u32 {
        let in_loop = u32::try_from(bytes.saturating_add(i64::from(self.in_loop))).unwrap_or(u32::MAX);
        in_loop.max(self.all)
    }
}

impl<'c> LoopWithRoom<'_, 'c> {
    /// Iterations that the loop's copies run ahead: as many as were asked for, or fewer where the loop has few iterations.
    pub(crate) fn ahead_of_iterations(&self, threads: Threads, cx: &PassContext) -> i64 {
        let Some(iterations) = most_iterations(self.view).filter(|iterations| *iterations <= self.ahead) else {
            return self.ahead;
        };
        let most = iterations.max(1).min(self.ahead);
        let is_larger = most > 1 && self.copies.iter().any(|load| self.buffers(*load, most) > most);
        let Some(memory) = is_larger.then(|| self.memory()).flatten() else { return most };
        let bytes = |ahead: i64| memory.with_rings(self.rings(self.copies, ahead));
        let room = SharedRoom::of(self.function, threads.num_warps, cx);
        if room.allows(bytes(most - 1), bytes(most)) { most } else { most - 1 }
    }

    /// Which of `loads` become copies; those for which `waits_long` holds are as far ahead in few registers.
    pub(crate) fn more_copies(
        &self,
        loads: Vec<Op<'c>>,
        waits_long: impl Fn(&Op<'c>) -> bool,
        facts: &AxisFacts,
        threads: Threads,
        cx: &PassContext,
    ) -> MoreCopies<'c> {
        let gains = |load: &Op<'c>| {
            let plan = LoadOp::cast(*load).and_then(|view| Some((view, async_load_of_any_size(view, facts, cx)?)));
            plan.is_some_and(|(view, plan)| self.gains(view, &plan, &waits_long))
        };
        let (more, others): (Vec<Op<'c>>, Vec<Op<'c>>) = loads.iter().copied().partition(gains);
        match self.most_ahead(&more, threads, cx) {
            Some(ahead) => MoreCopies { more, others, ahead },
            None => MoreCopies { more: Vec::new(), others: loads, ahead: self.ahead },
        }
    }

    /// A load that can be a copy, by this plan, is better one.
    fn gains(&self, load: LoadOp<'c>, plan: &AsyncLoad, waits_long: impl Fn(&Op<'c>) -> bool) -> bool {
        match (plan.masked_out, is_large(load)) {
            // What is ahead in registers needs no way through shared memory.
            (MaskedOut::Selected, true) => !self.copies.is_empty() || register_bytes(load) > MAX_REGISTER_BYTES,
            (MaskedOut::Zeros | MaskedOut::Selected, false) => {
                !self.copies.is_empty()
                    && self.ahead > 1
                    && is_row(load.result().ty())
                    && register_bytes(load) > FEW_REGISTER_BYTES
                    && !waits_long(&load.op)
                    && is_of_operands(self.view, load.op)
            }
            // It is a copy anyway.
            (MaskedOut::Zeros, true) => false,
        }
    }

    /// Iterations that `more` can be copied ahead without a CTA less: as many as the loop's other copies, or, where there are none, up to as many as
    /// were asked for. `None` where there is nothing to copy, or no room.
    fn most_ahead(&self, more: &[Op<'c>], threads: Threads, cx: &PassContext) -> Option<i64> {
        let copies_by_threads = self.copies.iter().any(|load| load.kind() == OpKind::TtLoad);
        if more.is_empty() || !copies_by_threads && !self.copies.is_empty() {
            return None;
        }
        let room = SharedRoom::of(self.function, threads.num_warps, cx);
        let (memory, rings) = (self.memory()?, self.rings(self.copies, self.ahead));
        let fits = |ahead: &i64| {
            let with_more = rings.saturating_add(self.rings(more, *ahead));
            room.allows(memory.with_rings(rings), memory.with_rings(with_more))
        };
        let least = if self.copies.is_empty() { 1 } else { self.ahead.max(1) };
        (least..=self.ahead).rev().find(fits)
    }

    /// What the function takes without the rings of the loop.
    fn memory(&self) -> Option<Memory> {
        let mut buffers = buffers_of_module(self.function).ok()?;
        buffers.retain(|buffer| !self.is_in_ring(buffer.op));
        let all = total_bytes(&buffers);
        let range = Points::of(self.function).range(self.view.op);
        buffers.retain(|buffer| buffer.live.start() <= range.end() && range.start() <= buffer.live.end());
        Some(Memory { all, in_loop: total_bytes(&buffers) })
    }

    /// A buffer for what is copied: the product reads the ring.
    fn is_in_ring(&self, buffer: Op<'c>) -> bool {
        let source = buffer.operands().first().and_then(|value| value.defining_op());
        buffer.kind() == OpKind::TtgLocalAlloc && source.is_some_and(|load| self.copies.contains(&load))
    }

    /// Bytes of the rings of blocks that are copied so many iterations ahead.
    fn rings(&self, loads: &[Op<'c>], ahead: i64) -> i64 {
        let bytes =
            |load: &Op<'c>| i64::from(tensor_bytes(load.result(0).ty())).saturating_mul(self.buffers(*load, ahead));
        loads.iter().map(bytes).fold(0, i64::saturating_add)
    }

    /// Buffers of the ring of a block. `wgmma` still reads one while the next copy starts, unless threads have started all copies before the loop.
    fn buffers(&self, load: Op<'c>, ahead: i64) -> i64 {
        let is_by_threads = load.kind() == OpKind::TtLoad;
        if let Some(iterations) = iterations_before_loop(self.view, ahead).filter(|_| is_by_threads) {
            return iterations;
        }
        let users = load.result(0).users();
        let is_read_in_place = users.into_iter().any(|(user, _)| user.kind() == OpKind::TtgLocalAlloc);
        ahead + i64::from(is_read_in_place) + i64::from(self.has_spare)
    }
}
