//! Puts a barrier between accesses to shared memory that must not overtake each other.
//!
//! Threads of a CTA run at their own pace. When one thread writes bytes that another reads, reads before they are overwritten, or
//! writes them too, a `gpu.barrier` must stand between. Offsets are shared by buffers that do not live at once, and loops come
//! round again, so the question is asked of byte intervals along the control flow, loops until nothing changes.
//!
//! Scratch operations (layout conversions, reductions, …) write, wait, and read; their own barrier is made by code generation. So such
//! an operation only needs one before it when something pending touches its bytes, and leaves nothing pending but its reads.
//!
//! Asynchronous work is there when it is waited for, not where it starts, and a barrier does not hurry it. A copy (`cp.async`) asks that no thread
//! needs its bytes any more; what it wrote is a write of the thread that waits for it (`ttg.async_wait`). An asynchronous dot goes on
//! reading until `ttng.warp_group_dot_wait`. That the copies of a ring which are still in flight fill other buffers than the one that is read, and
//! that none fills what a product in flight reads, is the pipeliner's business. Here a ring is one interval, but for copies into buffers that were
//! read some iterations before ([`rings`]).
//!
//! Copies by TMA are issued by some threads for all, and an `mbarrier` that all threads wait at says that they are done: they need a barrier
//! before them where somebody still needs their bytes, and none after. What the first thread does to an `mbarrier` is in order with itself.
//! TMA does not see what threads wrote until a proxy fence, so where it overwrites their bytes a fence stands before the barrier.
//!
//! In loops with split barriers (`split-barriers`) copies and reads of rings are ordered by arrivals and waits of every thread.
//!
//! Stores to global memory that other threads load are ordered by the same barriers ([`global_memory`]), and those that TMA makes or has to
//! see ([`tma_order`]). Nobody waits for what only the first thread loads and stores ([`first_thread`]), or for
//! an atomic operation behind which nothing is accessed ([`atomic_order`]).
//!
//! 1. Find what every operation reads and writes ([`effects`]).  2. Walk the control flow with the pending accesses ([`pending`]).
//! 3. Insert.

mod atomic_order;
mod effects;
mod first_thread;
mod global_memory;
mod hand_over;
mod pending;
mod rings;
mod tma_order;

use crate::convert_to_ttg::require_ttg;
use crate::operations::control::{Control, control};
use crate::operations::memory::{SharedMemory, shared_memory};
use crate::{Pass, PassContext, tma_lowering};
use atomic_order::GlobalOrder;
use effects::{Buffers, Effect, Filling};
use pending::{MAPS, Pending, Work};
use std::ops::Range;
use tk_diag::Result;
use tk_ir::{Block, Builder, Module, Op, OpKind, OpSpec};
use tma_order::{MemoryUse, Order};

/// The pass.
pub const PASS: Pass =
    Pass { name: "insert-barriers", summary: "order accesses to shared memory, and loads after stores", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        first_thread::mark(function);
        let orders_atomics = module.functions().len() == 1 && !atomic_order::has_locks(function);
        let mut walk = BarrierWalk { buffers: Buffers::of(function), barriers: Vec::new(), orders_atomics };
        for block in function.region(0).blocks() {
            walk.block(block, Pending::default());
        }
        walk.barriers.iter().for_each(MissingBarrier::insert);
        if orders_atomics {
            atomic_order::mark_unobserved(function);
        }
        hand_over::remove_where_barriers_are(function);
    }
    Ok(())
}

struct BarrierWalk<'c> {
    buffers: Buffers,
    /// In the order they were found.
    barriers: Vec<MissingBarrier<'c>>,
    /// Nothing of the program runs behind the function, and it takes no locks.
    orders_atomics: bool,
}

/// A barrier to insert.
struct MissingBarrier<'c> {
    /// The operation that it stands before.
    before: Op<'c>,
    /// A proxy fence stands before it.
    with_fence: bool,
    /// What else stands before it.
    order: Order,
}

impl MissingBarrier<'_> {
    fn insert(&self) {
        let mut builder = Builder::before(self.before);
        if self.order.completes {
            tma_lowering::wait_until_written(&mut builder);
        }
        if self.order.publishes {
            tma_lowering::fence_all_memory(&mut builder);
        } else if self.with_fence {
            tma_lowering::fence(&mut builder);
        }
        builder.insert(OpSpec::new(OpKind::GpuBarrier));
    }
}

impl<'c> BarrierWalk<'c> {
    /// The accesses that are pending after a block that starts with `pending`.
    fn block(&mut self, block: Block<'c>, mut pending: Pending) -> Pending {
        for op in block.ops() {
            pending = self.op(op, pending);
        }
        pending
    }

    fn op(&mut self, op: Op<'c>, pending: Pending) -> Pending {
        match control(op.kind()) {
            Control::For | Control::While => self.until_stable(op, pending),
            Control::If => {
                let mut joined = self.block_of(op, 0, pending.clone());
                joined.add(&self.block_of(op, 1, pending));
                joined
            }
            Control::Yield | Control::Condition | Control::Opaque | Control::Plain => self.access(op, pending),
        }
    }

    fn block_of(&mut self, op: Op<'c>, region: usize, pending: Pending) -> Pending {
        match (region < op.num_regions()).then(|| op.region(region).first_block()).flatten() {
            Some(block) => self.block(block, pending),
            None => pending,
        }
    }

    /// A loop may run its regions any number of times, also never. What one walk finds only counts when the accesses that it
    /// started with are all that can be pending there.
    fn until_stable(&mut self, op: Op<'c>, mut pending: Pending) -> Pending {
        let waits = |inner: Op<'c>| {
            global_memory::accesses_of(inner).is_some_and(|(direction, accesses)| {
                global_memory::must_wait(direction, &accesses, pending.before_global(direction))
            })
        };
        let inside = op.descendants();
        let acquired = inside.iter().any(|inner| pending.since_meeting.must_meet_before(GlobalOrder::of(*inner)));
        let uses = inside.iter().filter_map(|inner| MemoryUse::of(*inner));
        let order = uses.fold(Order::default(), |order, next| order.and(pending.unordered.before(&next)));
        if acquired || !order.is_empty() || inside.into_iter().any(waits) {
            // Once, and not in every iteration.
            self.put_barrier(op, false);
            self.put_order(op, order, &mut pending);
            pending.meet();
        }
        let found_before = self.barriers.len();
        loop {
            self.barriers.truncate(found_before);
            let mut after = pending.clone();
            for region in 0..op.num_regions() {
                after = self.block_of(op, region, after);
            }
            after.begin_iteration(op);
            self.buffers.rings.end_iteration(op, &mut after);
            after.add(&pending);
            if after == pending {
                self.buffers.rings.leave(op, &mut pending);
                return pending;
            }
            pending = after;
        }
    }

    fn access(&mut self, op: Op<'c>, mut pending: Pending) -> Pending {
        let global_order = GlobalOrder::of(op);
        if pending.since_meeting.must_meet_before(global_order) {
            self.put_barrier(op, false);
            pending.meet();
        }
        if let Some((direction, accesses)) = global_memory::accesses_of(op) {
            if global_memory::must_wait(direction, &accesses, pending.before_global(direction)) {
                self.put_barrier(op, false);
                pending.meet();
            }
            pending.add_global(direction, &accesses);
        }
        if let Some(memory) = MemoryUse::of(op) {
            let order = pending.unordered.before(&memory);
            if !order.is_empty() {
                let start = start_of_copies(op);
                self.put_barrier(start, false);
                self.put_order(start, order, &mut pending);
                pending.meet();
            }
            pending.unordered.access(&memory);
        }
        // Where threads meet in an operation, they do so behind its access.
        if self.orders_atomics {
            pending.since_meeting.mark(op, global_order);
        }
        match self.buffers.effect(op) {
            Effect::None => {}
            Effect::Barrier => pending.meet(),
            Effect::Fence => pending.fence(),
            Effect::Access(accesses) => {
                self.order(op, &mut pending, &accesses);
                pending.add(&accesses);
            }
            Effect::Scratch(bytes) => {
                self.order(op, &mut pending, &Pending::writes(vec![bytes.clone()]));
                pending.add_scratch(bytes);
            }
            Effect::Start(work, bytes) => {
                self.order(op, &mut pending, &work.accesses(bytes.clone()));
                pending.start(work, &bytes);
            }
            Effect::StartOrdered(work, bytes) => pending.start(work, &bytes),
            Effect::Fill(Filling { needed, written }) => {
                self.order(op, &mut pending, &Pending::writes(needed));
                pending.start(Work::Copies, &written);
            }
            Effect::Wait(work, waited) => pending.wait(work, waited),
            Effect::Leader(bytes) => {
                self.order_leader(op, &mut pending, &Pending::writes(bytes.clone()));
                pending.add_leader(&bytes);
            }
            Effect::Arrive(bytes) => self.order_leader(op, &mut pending, &Pending::writes(bytes)),
            Effect::MakeMap(bytes) => self.make_map(op, &mut pending, bytes),
            Effect::TmaLoad(accesses) => self.order_tma(op, &mut pending, &accesses),
            Effect::OrderedTmaLoad => self.order(op, &mut pending, &Pending::reads(vec![MAPS])),
        }
        if self.orders_atomics {
            let meets = matches!(self.buffers.effect(op), Effect::Scratch(_));
            pending.since_meeting.run(global_order, meets);
        }
        pending
    }

    fn put_barrier(&mut self, before: Op<'c>, with_fence: bool) {
        match self.barriers.iter_mut().find(|known| known.before == before) {
            Some(known) => known.with_fence |= with_fence,
            None => self.barriers.push(MissingBarrier { before, with_fence, order: Order::default() }),
        }
    }

    /// Lets the barrier before `before` order accesses of threads and of TMA.
    fn put_order(&mut self, before: Op<'c>, order: Order, pending: &mut Pending) {
        if let Some(known) = self.barriers.iter_mut().find(|known| known.before == before) {
            known.order = known.order.and(order);
        }
        pending.unordered.apply(order);
        if order.publishes {
            pending.fence();
        }
    }

    /// Lets all threads meet before `op` when something pending must come before it.
    fn order(&mut self, op: Op<'c>, pending: &mut Pending, accesses: &Pending) {
        if pending.conflicts_with(accesses) {
            self.put_barrier(op, false);
            pending.meet();
        }
    }

    /// The same where only the first thread accesses anything.
    fn order_leader(&mut self, op: Op<'c>, pending: &mut Pending, accesses: &Pending) {
        if pending.conflicts_with_leader(accesses) {
            self.put_barrier(start_of_copies(op), false);
            pending.meet();
        }
    }

    /// Warps that make different maps need not wait for each other, only for who reads one.
    fn make_map(&mut self, op: Op<'c>, pending: &mut Pending, bytes: Vec<Range<u32>>) {
        let with_maps = Pending::writes([bytes.clone(), vec![MAPS]].concat());
        let accesses = if pending.reads_maps() { with_maps.clone() } else { Pending::writes(bytes) };
        self.order(op, pending, &accesses);
        pending.add(&with_maps);
    }

    /// Copies by TMA and what announces them stand in a row, before which there is one barrier.
    fn order_tma(&mut self, op: Op<'c>, pending: &mut Pending, accesses: &Pending) {
        let needs_fence = pending.is_unfenced(&accesses.writes);
        if needs_fence || pending.conflicts_with(accesses) {
            self.put_barrier(start_of_copies(op), needs_fence);
            pending.meet();
        }
        if needs_fence {
            pending.fence();
        }
    }
}

/// The first of the operations in a row before `op`, or `op` itself, that announce or start copies by TMA.
fn start_of_copies(op: Op<'_>) -> Op<'_> {
    let mut start = op;
    let mut before = op.prev();
    while let Some(op) = before {
        let is_of_copy = matches!(shared_memory(op.kind()), SharedMemory::Announce | SharedMemory::StartLoad);
        if is_of_copy {
            start = op;
        } else if !op.is_pure() {
            break;
        }
        before = op.prev();
    }
    start
}
