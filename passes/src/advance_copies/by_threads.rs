//! Copies by threads that run one iteration ahead, issued as soon as all threads have met.
//!
//! With two stages an iteration begins with the wait for its copies, and the pipeliner issues those of the next one at its end: every iteration
//! waits for memory. What `wgmma` reads has two buffers, so that the other one is free as soon as all threads have met behind the wait, if the
//! products of the iteration before are finished by then. The copies go there, behind the first product if it reads shared memory only, and
//! come while the iteration computes. The threads no longer meet at its end.
//!
//! What is copied for others, such as a bias or numbers of rows, has one buffer. It gets a second one where that costs no CTA.
//!
//! Products that run on over the end of an iteration are finished there, where that is better ([`RunningProducts`]).
//!
//! Linear attention stores its state at the start of an iteration, and its products need the copies behind that, so the wait stands there, too. It goes
//! in front of the store where the products of the iteration before are over: what is waited for was issued an iteration ago. Small loads for the next
//! iteration go along with the copies ([measurements](../../../docs/measurements.md#copies-start-before-a-state-is-stored)). Blocks that threads load for
//! this iteration would be asked for behind the wait, and not in front of the store, so a loop with such loads stays as it is.
//!
//! ```text
//! loop: convert state  store  wait for copies  barrier  product 1 … product 2  wait for products  barrier  copies
//! loop: wait for copies  barrier  copies  convert state  store  product 1 … product 2  wait for products
//! ```

use super::is_for_next;
use super::running_products::{RunningProducts, reads_copies};
use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::registers;
use crate::analysis::shared_room::SharedRoom;
use crate::attributes::ORDERED;
use crate::control_flow::{is_movable_arithmetic, with_operands};
use crate::operations::is_dot;
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{ForOp, WarpGroupDotOp};
use tk_ir::{Builder, MemDesc, Op, OpKind, Value};

/// Registers of the loads for the next iteration that are issued at the start of this one, at most: as many as may pass a wait for copies elsewhere.
const MOST_REGISTERS: u32 = 8;

/// The copies by threads of a loop's body, and the one wait there for earlier ones.
pub(super) struct Copying<'c> {
    /// It stands before the copies.
    pub(super) wait: Op<'c>,
    /// The copies and their groups, in order.
    pub(super) ops: Vec<Op<'c>>,
}

impl<'c> Copying<'c> {
    /// `None` where some are in branches, so that they cannot be counted, or where there are none.
    pub(super) fn of(view: ForOp<'c>) -> Option<Self> {
        let is_copying = |op: &Op<'c>| {
            use OpKind::*;
            matches!(op.kind(), TtgAsyncWait | TtgAsyncCopyGlobalToLocal | TtgAsyncCommitGroup)
        };
        let all: Vec<Op<'c>> = view.op.descendants().into_iter().filter(is_copying).collect();
        if all.iter().any(|op| op.block() != Some(view.body())) {
            return None;
        }
        let (&wait, ops) = all.split_first()?;
        let is_only_wait = wait.kind() == OpKind::TtgAsyncWait && !ops.iter().any(|op| op.kind() == wait.kind());
        // Where all copies have been started before the loop, groups with nothing in them are left.
        let has_copies = ops.iter().any(|op| op.kind() == OpKind::TtgAsyncCopyGlobalToLocal);
        (is_only_wait && has_copies).then(|| Self { wait, ops: ops.to_vec() })
    }

    pub(super) fn copies(&self) -> impl Iterator<Item = Op<'c>> {
        self.ops.iter().copied().filter(|op| op.kind() == OpKind::TtgAsyncCopyGlobalToLocal)
    }

    /// How many iterations the copies are ahead: the wait leaves the groups of all those iterations but the next one under way.
    pub(super) fn ahead(&self) -> Option<i64> {
        let groups = self.ops.iter().filter(|op| op.kind() == OpKind::TtgAsyncCommitGroup).count();
        let (groups, left) = (i64::try_from(groups).ok()?, self.wait.int_attr("num")?);
        (groups > 0 && left >= 0 && left % groups == 0).then(|| left / groups + 1)
    }
}

/// The copies of a loop, one iteration ahead.
pub(super) struct EarlyCopies<'c> {
    place: Place<'c>,
    /// The copies, their groups and what they are computed from, in order.
    moved: Vec<Op<'c>>,
    single: Vec<SingleBuffer<'c>>,
    /// The buffers that an iteration fills and reads.
    slots: Slots<'c>,
    /// The products that have to be finished at the end of the iteration for that.
    running: Option<RunningProducts<'c>>,
}

/// Where the copies go.
struct Place<'c> {
    /// The wait for the copies before.
    wait: Op<'c>,
    /// The wait goes in front of this operation, or stays where it is the wait itself.
    start: Op<'c>,
    /// The first product with what it is computed from, if it runs while the copies are issued. It is issued right behind the wait: what reads
    /// buffers that the copies fill has to be over before them, unless `insert-barriers` can tell these buffers apart.
    product: Vec<Op<'c>>,
}

impl<'c> Place<'c> {
    fn of(view: ForOp<'c>, wait: Op<'c>) -> Option<Self> {
        let start = start_for(wait)?;
        let first = view.body().ops().into_iter().find(|op| is_dot(*op))?;
        let product = WarpGroupDotOp::cast(first).filter(|dot| dot.is_async() && dot.a().ty().is_memdesc());
        let mut between = std::iter::successors(wait.next(), |op| op.next()).take_while(|op| *op != first);
        let is_soon = between.all(|op| is_movable_arithmetic(op) || op.kind() == OpKind::TtgLocalLoad);
        let product = product.filter(|_| start == wait && wait.is_before_in_block(first) && is_soon);
        let product = product.and_then(|dot| with_operands(view.body(), vec![dot.op], wait)).unwrap_or_default();
        Some(Self { wait, start, product })
    }

    /// The wait stands behind the start of the iteration, and goes there.
    fn moves_wait(&self) -> bool {
        self.start != self.wait
    }

    /// The copies go behind this operation.
    fn last(&self) -> Op<'c> {
        self.product.last().copied().unwrap_or(self.wait)
    }
}

/// The numbers of the buffers of a ring of two.
#[derive(Clone, Copy)]
struct Slots<'c> {
    filled: Value<'c>,
    read: Value<'c>,
}

/// A block that has one buffer.
struct SingleBuffer<'c> {
    alloc: Op<'c>,
    copy: Op<'c>,
    /// The views in the loop through which it is read.
    reads: Vec<Op<'c>>,
}

impl<'c> EarlyCopies<'c> {
    pub(super) fn of(view: ForOp<'c>) -> Option<Self> {
        let copying = Copying::of(view)?;
        // Everything has come behind the wait, which begins the iteration.
        let place = Place::of(view, copying.wait).filter(|_| copying.wait.int_attr("num") == Some(0))?;
        let running = if finishes_its_products(view) { None } else { Some(RunningProducts::of(view)?) };
        if place.moves_wait() && (running.is_some() || loads_blocks(view)) {
            return None;
        }
        let (mut single, mut slots) = (Vec::new(), None);
        for copy in copying.copies() {
            let ring = Ring::of(copy, view)?;
            match ring.slots {
                1 => single.push(SingleBuffer { alloc: ring.alloc, copy, reads: ring.reads }),
                2 => slots = slots.or(ring.numbers(place.start)),
                _ => return None,
            }
        }
        let slots = slots?;
        let mut wanted = copying.ops;
        wanted.extend(slots.filled.defining_op().filter(|op| op.block() == Some(view.body())));
        let moved = moved_to(view, &place, wanted)?;
        let moved = moved.into_iter().filter(|op| !place.product.contains(op)).collect();
        Some(Self { place, moved, single, slots, running })
    }

    /// The products of the iteration are over at its end, or had better be.
    pub(super) fn may_finish(&self, function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<bool> {
        self.running.as_ref().map_or(Ok(true), |running| running.leave_few_warps(function, num_warps, cx))
    }

    /// Whether shared memory has room for second buffers.
    pub(super) fn have_room(&self, function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<bool> {
        if self.single.is_empty() {
            return Ok(true);
        }
        let buffers = buffers_of_module(function)?;
        let mut with = buffers.clone();
        for buffer in &mut with {
            if self.single.iter().any(|single| single.alloc == buffer.op) {
                buffer.bytes = buffer.bytes.saturating_mul(2);
            }
        }
        Ok(SharedRoom::of(function, num_warps, cx).allows(total_bytes(&buffers), total_bytes(&with)))
    }

    /// The barrier before the first product is the only one that the copies need.
    fn order(&self) {
        let is_copy = |op: &Op<'c>| op.kind() == OpKind::TtgAsyncCopyGlobalToLocal;
        let copies: Vec<Op<'c>> = self.moved.iter().copied().filter(is_copy).collect();
        if self.place.product.last().is_some_and(|product| reads_copies(*product, &copies)) {
            copies.iter().for_each(|copy| copy.set_attr(ORDERED, copy.context().unit_attr()));
        }
    }

    pub(super) fn apply(self) {
        if let Some(running) = &self.running {
            running.finish();
            self.order();
        }
        if self.place.moves_wait() {
            self.place.wait.move_before(self.place.start);
        }
        self.place.product.iter().rev().for_each(|op| op.move_after(self.place.wait));
        self.moved.iter().rev().for_each(|op| op.move_after(self.place.last()));
        for SingleBuffer { alloc, copy, reads } in self.single {
            let ring = alloc.result(0);
            if let Some(parts) = ring.ty().memdesc() {
                let twice = |shape: &[i64]| [&[2], &shape[1..]].concat();
                let (shape, alloc_shape) = (twice(&parts.shape), twice(&parts.alloc_shape));
                ring.set_type(alloc.context().memdesc(&MemDesc { shape, alloc_shape, ..parts }));
            }
            let one = copy.operand(1).ty();
            let operands = [ring, self.slots.filled];
            let target = Builder::before(copy).create(OpKind::TtgMemDescIndex, &operands, &[one], &[]);
            copy.set_operand(1, target.result(0));
            reads.into_iter().for_each(|read| read.set_operand(1, self.slots.read));
        }
    }
}

/// Where the wait begins the iteration: it stays if nothing but arithmetic stands before it, and goes in front of the first conversion if a store stands
/// there, too. `None` where something else does, such as a product or a branch.
fn start_for(wait: Op<'_>) -> Option<Op<'_>> {
    let before: Vec<Op<'_>> = std::iter::successors(wait.prev(), |op| op.prev()).collect();
    if before.iter().all(|op| is_movable_arithmetic(*op)) {
        return Some(wait);
    }
    let is_for_store = |op: &Op<'_>| {
        use OpKind::*;
        matches!(op.kind(), TtgConvertLayout | TtgLocalAlloc | TtgLocalLoad | TtStore)
    };
    let may_pass = before.iter().all(|op| is_movable_arithmetic(*op) || is_for_store(op));
    let stores = before.iter().any(|op| op.kind() == OpKind::TtStore);
    let are_known =
        |op: Op<'_>| op.operands().iter().all(|value| value.defining_op().is_none_or(|by| by.block() != op.block()));
    before.into_iter().rev().find(is_for_store).filter(|_| may_pass && stores && are_known(wait))
}

/// Threads load a block for this iteration. On an H200 two loops whose state is stored in front of such a load have 0.88 and 0.89 of their speed with the wait
/// in front of both, a third one 1.06 times.
fn loads_blocks(view: ForOp<'_>) -> bool {
    let ops = view.body().ops();
    ops.into_iter().any(|op| op.kind() == OpKind::TtLoad && op.result(0).ty().rank() > 1 && !is_for_next(view, op))
}

/// The operations that go to the place of the copies, in order, and what they are computed from: those that are `wanted`, and, where the wait moves,
/// small loads for the next iteration if they can. `None` where something is computed from what the wait goes in front of.
fn moved_to<'c>(view: ForOp<'c>, place: &Place<'c>, wanted: Vec<Op<'c>>) -> Option<Vec<Op<'c>>> {
    let reach = |ops: Vec<Op<'c>>| {
        let moved = with_operands(view.body(), ops, place.start)?;
        let needs_start = |op: &Op<'c>| op.operands().iter().any(|value| value.defining_op() == Some(place.start));
        (!place.moves_wait() || !moved.iter().any(needs_start)).then_some(moved)
    };
    if place.moves_wait() {
        let loads: Vec<Op<'c>> = view.body().ops().into_iter().filter(|op| is_for_next(view, *op)).collect();
        let are_small = loads.iter().map(|load| registers(load.result(0).ty()).max(1)).sum::<u32>() <= MOST_REGISTERS;
        let with_loads = are_small.then(|| reach([&wanted[..], &loads].concat())).flatten();
        return with_loads.or_else(|| reach(wanted));
    }
    reach(wanted)
}

/// The buffers that a copy fills one of.
pub(super) struct Ring<'c> {
    pub(super) alloc: Op<'c>,
    pub(super) slots: i64,
    /// The view that the copy fills.
    pub(super) filled: Op<'c>,
    /// The other views in the loop.
    pub(super) reads: Vec<Op<'c>>,
}

impl<'c> Ring<'c> {
    /// `None` where something behind the loop reads it, or it is used in another way than by views.
    pub(super) fn of(copy: Op<'c>, view: ForOp<'c>) -> Option<Self> {
        let filled = copy.operand(1).defining_op().filter(|op| op.kind() == OpKind::TtgMemDescIndex)?;
        let alloc = filled.operand(0).defining_op().filter(|op| op.kind() == OpKind::TtgLocalAlloc)?;
        let slots = *alloc.result(0).ty().shape().first()?;
        let mut reads = Vec::new();
        for (user, _) in alloc.result(0).users() {
            let is_filled = |(by, _): (Op<'c>, usize)| by.kind() == OpKind::TtgAsyncCopyGlobalToLocal;
            if user.kind() == OpKind::TtgLocalDealloc {
                continue;
            }
            if user.kind() != OpKind::TtgMemDescIndex {
                return None;
            }
            if user.result(0).users().into_iter().all(is_filled) {
                continue;
            }
            if user.block() != Some(view.body()) {
                return None;
            }
            reads.push(user);
        }
        Some(Self { alloc, slots, filled, reads })
    }

    /// The numbers of its buffers in an iteration, if the one that is read is known before `wait`.
    fn numbers(&self, wait: Op<'c>) -> Option<Slots<'c>> {
        let (filled, read) = (self.filled.operand(1), self.reads.first()?.operand(1));
        let is_known = |value: Value<'c>| {
            value.defining_op().is_none_or(|op| op.block() != wait.block() || op.is_before_in_block(wait))
        };
        (is_known(read) && filled != read).then_some(Slots { filled, read })
    }
}

/// No product by `wgmma` runs on into the next iteration.
pub(super) fn finishes_its_products(view: ForOp<'_>) -> bool {
    let ops = view.op.descendants();
    let products: FxHashSet<usize> =
        ops.iter().filter(|op| op.kind() == OpKind::TtngWarpGroupDot).map(|op| op.id()).collect();
    let body = view.body().ops();
    let is_product = |op: &Op<'_>| products.contains(&op.id());
    let is_end = |op: &Op<'_>| op.kind() == OpKind::TtngWarpGroupDotWait && op.int_attr("pendings") == Some(0);
    let are_in_body = body.iter().filter(|op| is_product(op)).count() == products.len();
    are_in_body && body.iter().rposition(is_end) > body.iter().rposition(is_product)
}
