//! Rings of two that become one buffer, where that lets another CTA share the multiprocessor.
//!
//! With two stages what `wgmma` reads has two buffers, so that copies of the next iteration start while this one computes. A loop whose products are over at the
//! end of its iteration can do with one: the copies start behind the last product, as they do for products by `mma.sync`. An iteration then begins with a wait
//! for memory, which other CTAs fill. Where shared memory is what keeps one more of them away, that is worth more than the early copies
//! ([measurements](../../../docs/measurements.md#one-buffer-lets-another-cta-in)).
//!
//! True for loops whose copies by threads run one iteration ahead, stand behind all that reads their buffers, and are all that is copied, where the grid brings
//! one CTA more than has room with two buffers, and floats leave a thread a third of the registers that it can have then ([`FLOATS_OF_THREE`]). Operands of
//! `mma.sync` are no such floats: ptxas reads them from shared memory piece by piece. Where all products are by `wgmma`, one CTA more beside two or three is
//! worth less than the early copies ([`CTAS_MORE`]).
//!
//! Conversions that `permute-terms` will make free are not counted: attention in f32 by `wgmma`, whose weights stay with their threads, has room for two CTAs with
//! two buffers where it would have room for one with that conversion.
//!
//! Later passes are told for how many CTAs the buffers were given up (`tk.room_for`).

use super::by_threads::{Copying, Ring, finishes_its_products};
use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::LiveRegisters;
use crate::attributes::{ORDERED, ROOM_FOR};
use crate::operations::is_dot;
use crate::operations::memory::{SharedMemory, shared_memory};
use crate::permute_terms::free_conversions;
use tk_diag::Result;
use tk_ir::ops::ForOp;
use tk_ir::{Builder, MemDesc, Op, OpKind, Value};
use tk_layout::Encoding;

/// Of three registers that a thread can have, those that may hold floats. Loops with three of five, and one with nearly two of three, spilled nothing with
/// the registers of another CTA; one with six of seven spilled 168 bytes.
const FLOATS_OF_THREE: u32 = 2;

/// CTAs more that are worth the early copies of products that are all by `wgmma`, or twice as many. On an H200 attention with three CTAs instead of two, and
/// four instead of three, is 0.85 and 0.95 times as fast.
const CTAS_MORE: u32 = 2;

/// The rings of two of a loop.
pub(super) struct Rings<'c> {
    view: ForOp<'c>,
    allocs: Vec<Op<'c>>,
}

impl<'c> Rings<'c> {
    /// `None` where one buffer would not do, or there is one already.
    pub(super) fn of(view: ForOp<'c>) -> Option<Self> {
        let copying = Copying::of(view)?;
        // At mbarriers threads wait for what they have read of the other buffer.
        let counts_arrivals = |op: &Op<'c>| is_of_mbarriers(op.kind()) || op.attr(ORDERED).is_some();
        if copying.ahead() != Some(1)
            || !finishes_its_products(view)
            || view.op.descendants().iter().any(counts_arrivals)
        {
            return None;
        }
        let (body, first) = (view.body(), *copying.ops.first()?);
        let is_over = |op: Op<'c>| op.ancestor_in(body).is_some_and(|own| own.is_before_in_block(first));
        let (products, waits) = (OpKind::TtngWarpGroupDot, OpKind::TtngWarpGroupDotWait);
        if !body.ops().into_iter().filter(|op| op.kind() == products || op.kind() == waits).all(is_over) {
            return None;
        }
        let mut allocs: Vec<Op<'c>> = Vec::new();
        for copy in copying.copies() {
            let ring = Ring::of(copy, view)?;
            let are_over =
                ring.reads.iter().all(|read| is_over(*read) && readers(read.result(0)).into_iter().all(is_over));
            match ring.slots {
                1 => {}
                2 if are_over && !allocs.contains(&ring.alloc) => allocs.push(ring.alloc),
                _ => return None,
            }
        }
        (!allocs.is_empty()).then_some(Self { view, allocs })
    }

    /// How many CTAs share a multiprocessor with one buffer, if these are more than with two.
    pub(super) fn ctas(&self, function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<Option<u32>> {
        let free = free_conversions(function);
        let mut buffers = buffers_of_module(function)?;
        buffers.retain(|buffer| !free.contains(&buffer.op));
        let mut with = buffers.clone();
        for buffer in with.iter_mut().filter(|buffer| self.allocs.contains(&buffer.op)) {
            buffer.bytes /= 2;
        }
        let brought = cx.options.residency.at_most().unwrap_or(u32::MAX);
        let room = |bytes: u32| cx.target.occupancy(1, bytes, num_warps).ctas_per_sm.min(brought);
        let (two, one) = (room(total_bytes(&buffers)), room(total_bytes(&with)));
        let floats = self.floats(function);
        let has_registers = |ctas: &u32| {
            let budget = cx.target.register_budget(num_warps, *ctas).min(cx.options.maxnreg.unwrap_or(u32::MAX));
            floats.saturating_mul(3) <= budget.saturating_mul(FLOATS_OF_THREE)
        };
        let ctas = (two + 1..=one).rev().find(has_registers);
        Ok(ctas.filter(|ctas| *ctas >= two + CTAS_MORE || *ctas >= 2 * two || self.multiplies_by_warps()))
    }

    /// Products by `mma.sync` take so long that early copies are worth little.
    fn multiplies_by_warps(&self) -> bool {
        self.view.op.descendants().into_iter().any(|op| is_dot(op) && op.kind() != OpKind::TtngWarpGroupDot)
    }

    /// Registers of a thread for floats while products are under way: what is computed between them, ptxas computes element by element.
    fn floats(&self, function: Op<'c>) -> u32 {
        let live = LiveRegisters::of_floats_but(function, is_operand);
        let is_place = |op: &Op<'c>| is_dot(*op) || op.kind() == OpKind::TtngWarpGroupDotWait;
        let places = self.view.body().ops().into_iter().filter(is_place);
        places.map(|op| live.at(op)).max().unwrap_or(0)
    }

    /// Leaves one buffer of each ring, for so many CTAs.
    pub(super) fn apply(self, function: Op<'c>, ctas: u32) {
        function.set_attr(ROOM_FOR, function.context().i32_attr(ctas as i32));
        for alloc in self.allocs {
            let ring = alloc.result(0);
            let Some(parts) = ring.ty().memdesc() else { continue };
            let one = |shape: &[i64]| [&[1], &shape[1..]].concat();
            let (shape, alloc_shape) = (one(&parts.shape), one(&parts.alloc_shape));
            ring.set_type(alloc.context().memdesc(&MemDesc { shape, alloc_shape, ..parts }));
            let views = ring.users().into_iter().map(|(user, _)| user);
            for view in views.filter(|user| user.kind() == OpKind::TtgMemDescIndex) {
                let first = Builder::before(view).with_location(view.loc()).i32(0);
                view.set_operand(1, first);
            }
        }
    }
}

/// What reads a buffer, through views of it, too.
fn readers(buffer: Value<'_>) -> Vec<Op<'_>> {
    let (mut pending, mut found) = (vec![buffer], Vec::new());
    while let Some(value) = pending.pop() {
        for (user, _) in value.users() {
            if !found.contains(&user) {
                found.push(user);
                pending.extend(user.results().into_iter().filter(|result| result.ty().is_memdesc()));
            }
        }
    }
    found
}

/// It has to do with mbarriers, or with copies that arrive at them.
fn is_of_mbarriers(kind: OpKind) -> bool {
    use SharedMemory::*;
    matches!(shared_memory(kind), InitMbarrier | Announce | Arrive | WaitAtMbarrier | StartLoad)
}

/// Operands of `mma.sync`.
fn is_operand(op: Op<'_>) -> bool {
    let is_dot_operand = |value: &Value<'_>| {
        let layout = value.ty().layout().filter(|_| value.ty().is_tensor());
        layout.is_some_and(|layout| matches!(&*layout, Encoding::DotOp(_)))
    };
    !op.results().is_empty() && op.results().iter().all(is_dot_operand)
}
