//! Issues copies by TMA as soon as their buffers are free, in loops that would wait for them.
//!
//! The pipeliner leaves the copies of later iterations at the end of the body. Where they are one iteration ahead, the next one begins at once, and
//! waits for memory; and where a store by TMA stands before them, they wait for that as well, because the unit works through its requests
//! one after the other. In loops that wait for products, as the gradients of attention do, their buffers are free behind the first wait for
//! the products of the iteration before. So they go up to a product behind it:
//!
//! - the first that reads what threads wrote in between, before which all threads meet anyway;
//! - where there is none, the first, if threads arrive at an mbarrier of their own (`split-barriers`): nobody waits for long there, since the
//!   others have computed meanwhile, too. The copies then go behind its issue, so that it does not wait for the others, unless ptxas would
//!   make the product wait: loads go along that write registers beside those that it reads.
//!
//! Loads into registers for the next iteration go along. That nothing in the loop writes what they read was asked when they were chosen.
//!
//! Copies by threads that are one iteration ahead go up, too: [`by_threads`], and, in loops whose last product runs on, [`behind_products`]. Where a
//! multiprocessor has one group of warps, so do those that are further ahead. Where it has few, the last product need not run on ([`running_products`]).
//!
//! Where a buffer less for each block lets another CTA in, those by threads stay behind the last product instead ([`one_buffer`]).
//!
//! 1. Find the loops, and the place.  2. Copies with what they are computed from.  3. Move them.

mod behind_products;
mod by_threads;
mod one_buffer;
mod running_products;

use crate::advance_waits::is_only_group;
use crate::attributes::ORDERED;
use crate::control_flow::{is_movable_arithmetic, loops_of, with_operands};
use crate::convert_to_ttg::require_ttg;
use crate::operations::memory::{SharedMemory, root, shared_memory};
use crate::split_barriers::{TmaCopies, in_body};
use crate::{Pass, PassContext};
use behind_products::CopiesBehindProducts;
use by_threads::EarlyCopies;
use one_buffer::Rings;
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "advance-copies", summary: "issue copies as soon as their buffers are free", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    for function in module.functions() {
        let plans: Vec<AdvancedCopies<'_>> = loops_of(function).filter_map(AdvancedCopies::of).collect();
        plans.into_iter().for_each(AdvancedCopies::apply);
        for rings in loops_of(function).filter_map(Rings::of).collect::<Vec<_>>() {
            if let Some(ctas) = rings.ctas(function, num_warps, cx)? {
                rings.apply(function, ctas);
            }
        }
        for copies in loops_of(function).filter_map(EarlyCopies::of).collect::<Vec<_>>() {
            if copies.may_finish(function, num_warps, cx)? && copies.have_room(function, num_warps, cx)? {
                copies.apply();
            }
        }
        let is_alone = is_only_group(num_warps, cx);
        let plans =
            loops_of(function).filter_map(CopiesBehindProducts::of).filter(|copies| is_alone || copies.are_next());
        plans.collect::<Vec<_>>().into_iter().for_each(CopiesBehindProducts::apply);
    }
    Ok(())
}

struct AdvancedCopies<'c> {
    /// The product that they go in front of, or behind.
    place: Op<'c>,
    /// It reads what threads wrote, which they publish before they meet: copies go in front of it.
    is_meeting: bool,
    /// The copies, loads and what they are computed from, in order.
    moved: Vec<Op<'c>>,
}

impl<'c> AdvancedCopies<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let copies = TmaCopies::of(view)?;
        let first = copies.first()?;
        let is_ordered = copies.ops.iter().all(|op| op.attr(ORDERED).is_some());
        let free = if is_ordered { Some(wait_before(first)?) } else { None };
        // Where threads say at an mbarrier that the buffers are free, nobody may wait for that before they have said so.
        let freed = free.and_then(|wait| arrival_at(view, wait.operand(0)));
        let is_behind = |op: Op<'c>, earlier: Op<'c>| earlier.is_before_in_block(op);
        let is_between = |op: Op<'c>| {
            let is_free = is_behind(op, copies.finish) && freed.is_none_or(|arrival| is_behind(op, arrival));
            is_free && op.is_before_in_block(first)
        };
        let stores = |op: &Op<'c>| shared_memory(op.kind()) == SharedMemory::StartStore && is_between(*op);
        if copies.ahead > 1 && !view.body().ops().iter().any(stores) {
            return None;
        }
        let dots: Vec<WarpGroupDotOp<'c>> = in_body(view, OpKind::TtngWarpGroupDot)?
            .into_iter()
            .filter(|op| is_between(*op))
            .filter_map(WarpGroupDotOp::cast)
            .collect();
        let meeting = dots.iter().find(|dot| [dot.a(), dot.b()].into_iter().any(|read| is_written_in(view, read)));
        let place = meeting.or(dots.first().filter(|_| is_ordered))?.op;
        let mut moved = copies.ops.clone();
        moved.extend(free);
        // Loads of the next iteration go along where they can.
        let loads = view.body().ops().into_iter().filter(|op| place.is_before_in_block(*op) && is_for_next(view, *op));
        let with_loads = with_operands(view.body(), moved.iter().copied().chain(loads).collect(), place);
        let moved = with_loads.or_else(|| with_operands(view.body(), moved, place))?;
        Some(Self { place, is_meeting: meeting.is_some(), moved })
    }

    fn apply(self) {
        if self.is_meeting {
            let mut builder = Builder::before(self.place);
            let fence = OpSpec::new(OpKind::TtngFenceAsyncShared);
            let in_cluster = builder.context().bool_attr(false);
            builder.insert(fence.attr("bCluster", in_cluster));
        }
        if self.is_meeting || self.loads_beside_registers() {
            self.moved.iter().for_each(|op| op.move_before(self.place));
            return;
        }
        let mut last = self.place;
        while let Some(next) = last.next().filter(|op| op.kind() == OpKind::TkHandOver) {
            last = next;
        }
        self.moved.iter().rev().for_each(|op| op.move_after(last));
    }
}

impl AdvancedCopies<'_> {
    /// Loads go along, and the product reads registers.
    fn loads_beside_registers(&self) -> bool {
        let reads_registers = WarpGroupDotOp::cast(self.place).is_some_and(|dot| dot.a().ty().is_tensor());
        reads_registers && self.moved.iter().any(|op| op.kind() == OpKind::TtLoad)
    }
}

/// A load into registers that only the next iteration uses.
fn is_for_next<'c>(view: ForOp<'c>, op: Op<'c>) -> bool {
    op.kind() == OpKind::TtLoad && op.result(0).users().into_iter().all(|(user, _)| user == view.yield_op())
}

/// Where threads arrive at an mbarrier in the body.
fn arrival_at<'c>(view: ForOp<'c>, barrier: Value<'c>) -> Option<Op<'c>> {
    let ops = view.body().ops();
    ops.into_iter().rfind(|op| op.kind() == OpKind::TtngArriveBarrier && op.operand(0) == barrier)
}

/// The wait until the buffers are free, before the first copy.
fn wait_before(first: Op<'_>) -> Option<Op<'_>> {
    let mut before = std::iter::successors(first.prev(), |op| op.prev()).skip_while(|op| is_movable_arithmetic(*op));
    before.next().filter(|op| op.kind() == OpKind::TtngWaitBarrier)
}

/// A buffer that threads write in the loop's body.
fn is_written_in<'c>(view: ForOp<'c>, read: Value<'c>) -> bool {
    let alloc = Some(read).filter(|value| value.ty().is_memdesc()).and_then(|value| root(value).defining_op());
    alloc.is_some_and(|alloc| alloc.block() == Some(view.body()) && alloc.num_operands() > 0)
}
