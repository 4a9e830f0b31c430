//! Puts a barrier between accesses to shared memory that must not overtake each other.
//!
//! Threads of a CTA run at their own pace. When one thread writes bytes that another reads, reads before they are overwritten, or
//! writes them too, a `gpu.barrier` must stand between. Offsets are shared by buffers that do not live at once, and loops come
//! round again, so the question is asked of byte intervals along the control flow, loops until nothing changes.
//!
//! Scratch operations (layout conversions, reductions, …) write, wait, and read; their own barrier is made by code generation. So such
//! an operation only needs one before it when something pending touches its bytes, and leaves nothing pending but its reads.
//!
//! Asynchronous work is there when it is waited for, not where it starts, and a barrier does not hurry it. A copy (`cp.async`) asks that nobody
//! needs its bytes any more; what it wrote is a write of the thread that waits for it (`ttg.async_wait`). An asynchronous product goes on
//! reading until `ttng.warp_group_dot_wait`. Which buffer of a ring is meant, and that those still in flight are others, is the
//! pipeliner's business: here a ring is one interval.
//!
//! Copies by TMA are issued by some threads for all, and an `mbarrier` that everybody waits at says that they are done: they need a barrier
//! before them where somebody still needs their bytes, and none after. What the first thread does to an `mbarrier` is in order with itself.
//! TMA does not see what threads wrote until a proxy fence, so where it overwrites their bytes a fence stands before the barrier.
//!
//! In loops with split barriers (`split-barriers`) copies and reads of rings are ordered by arrivals and waits of every thread.
//!
//! 1. Find what every operation reads and writes.  2. Walk the control flow with the pending accesses.  3. Insert.

use crate::analysis::shared_buffers::views_of;
use crate::attributes::{ALLOCATION_OFFSET, ALLOCATION_SIZE, EVERY_THREAD, ORDERED};
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext, tma_lowering};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tk_diag::Result;
use tk_ir::{Block, Builder, Module, Op, OpKind, OpSpec, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "insert-barriers", summary: "order accesses to shared memory", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let mut walk = Walk { buffers: buffers_of(function), barriers: Vec::new() };
        for block in function.region(0).blocks() {
            walk.block(block, Pending::default());
        }
        for (op, with_fence) in walk.barriers {
            let mut builder = Builder::before(op);
            if with_fence {
                tma_lowering::fence(&mut builder);
            }
            builder.insert(OpSpec::new(OpKind::GpuBarrier));
        }
    }
    Ok(())
}

/// The bytes behind every memory descriptor: those of all allocations it may be a view of.
fn buffers_of(function: Op<'_>) -> FxHashMap<usize, Vec<Range<u32>>> {
    let mut buffers: FxHashMap<usize, Vec<Range<u32>>> = FxHashMap::default();
    for op in function.descendants() {
        if let Some(bytes) = bytes_of(op).filter(|_| op.kind() == OpKind::TtgLocalAlloc) {
            for view in views_of(op.result(0)) {
                buffers.entry(view.id()).or_default().push(bytes.clone());
            }
        }
    }
    buffers
}

/// The bytes that `allocate-shared-memory` gave an operation.
fn bytes_of(op: Op<'_>) -> Option<Range<u32>> {
    let start = u32::try_from(op.int_attr(ALLOCATION_OFFSET)?).ok()?;
    let size = u32::try_from(op.int_attr(ALLOCATION_SIZE)?).ok()?;
    Some(start..start.saturating_add(size))
}

/// The tensor maps that the kernel makes, all of them, as if they were bytes of shared memory: one warp writes a map and every thread reads it.
const MAPS: Range<u32> = u32::MAX - 1..u32::MAX;

/// Accesses since the last barrier, and what is under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pending {
    reads: Vec<Range<u32>>,
    writes: Vec<Range<u32>>,
    /// Writes of copies that may not have been waited for.
    copies: Vec<Range<u32>>,
    /// Reads of products that may not have been waited for.
    products: Vec<Range<u32>>,
    /// Reads of TMA stores that may not have been waited for.
    stores: Vec<Range<u32>>,
    /// Writes of the first thread to mbarriers.
    leader: Vec<Range<u32>>,
    /// Writes of threads since the last proxy fence, also those that a barrier has followed.
    unfenced: Vec<Range<u32>>,
}

impl Pending {
    fn conflicts_with(&self, accesses: &Pending) -> bool {
        self.conflicts_with_leader(accesses)
            || overlap(&self.leader, &accesses.reads)
            || overlap(&self.leader, &accesses.writes)
    }

    /// The same for accesses of the first thread alone.
    fn conflicts_with_leader(&self, accesses: &Pending) -> bool {
        overlap(&self.writes, &accesses.reads)
            || overlap(&self.writes, &accesses.writes)
            || overlap(&self.reads, &accesses.writes)
    }

    fn add(&mut self, accesses: &Pending) {
        insert(&mut self.reads, &accesses.reads);
        insert(&mut self.writes, &accesses.writes);
        insert(&mut self.copies, &accesses.copies);
        insert(&mut self.products, &accesses.products);
        insert(&mut self.stores, &accesses.stores);
        insert(&mut self.leader, &accesses.leader);
        insert(&mut self.unfenced, &accesses.unfenced);
        insert(&mut self.unfenced, &accesses.writes);
    }

    /// All threads met.
    fn meet(&mut self) {
        self.reads.clear();
        self.writes.clear();
        self.leader.clear();
    }
}

fn overlap(a: &[Range<u32>], b: &[Range<u32>]) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.start < b.end && b.start < a.end))
}

fn insert(own: &mut Vec<Range<u32>>, more: &[Range<u32>]) {
    own.extend_from_slice(more);
    own.sort_by_key(|range| (range.start, range.end));
    own.dedup();
}

fn reads(reads: Vec<Range<u32>>) -> Pending {
    Pending { reads, ..Pending::default() }
}

fn writes(writes: Vec<Range<u32>>) -> Pending {
    Pending { writes, ..Pending::default() }
}

/// What one operation does to shared memory.
enum Effect {
    None,
    /// Everything before is visible to everyone after.
    Barrier,
    /// Plain accesses.
    Access(Pending),
    /// Writes, waits for all threads, reads.
    Scratch(Range<u32>),
    /// Starts to copy to these bytes.
    Copy(Vec<Range<u32>>),
    /// The same, when nobody needs the bytes any more.
    OrderedCopy(Vec<Range<u32>>),
    /// Waits for copies; `true` when for all of them.
    WaitForCopies(bool),
    /// Starts to read these bytes.
    Product(Vec<Range<u32>>),
    /// Waits for products; `true` when for all of them.
    WaitForProducts(bool),
    /// The first thread makes or ends an mbarrier.
    Leader(Vec<Range<u32>>),
    /// The first thread arrives at an mbarrier.
    Arrive(Vec<Range<u32>>),
    /// One warp makes a tensor map by way of these bytes, while others make others.
    MakeMap(Vec<Range<u32>>),
    /// TMA starts to write the first bytes, and to count at the mbarrier in the second; it reads a map too.
    TmaLoad(Vec<Range<u32>>, Vec<Range<u32>>),
    /// The same, when nobody needs the bytes any more and the mbarrier is known.
    OrderedTmaLoad,
    /// TMA starts to read these bytes.
    TmaStore(Vec<Range<u32>>),
    /// Waits for TMA stores; `true` when for all of them.
    WaitForStores(bool),
    /// What threads wrote becomes visible to TMA.
    Fence,
}

struct Walk<'c> {
    buffers: FxHashMap<usize, Vec<Range<u32>>>,
    /// Operations that need a barrier before them, in the order they were found, and whether it needs a proxy fence.
    barriers: Vec<(Op<'c>, bool)>,
}

impl<'c> Walk<'c> {
    /// The accesses that are pending after a block that starts with `pending`.
    fn block(&mut self, block: Block<'c>, mut pending: Pending) -> Pending {
        for op in block.ops() {
            pending = self.op(op, pending);
        }
        pending
    }

    fn op(&mut self, op: Op<'c>, pending: Pending) -> Pending {
        match op.kind() {
            OpKind::ScfFor | OpKind::ScfWhile => self.until_stable(op, pending),
            OpKind::ScfIf => {
                let mut joined = self.block_of(op, 0, pending.clone());
                joined.add(&self.block_of(op, 1, pending));
                joined
            }
            _ => self.access(op, pending),
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
        let found_before = self.barriers.len();
        loop {
            self.barriers.truncate(found_before);
            let mut after = pending.clone();
            for region in 0..op.num_regions() {
                after = self.block_of(op, region, after);
            }
            after.add(&pending);
            if after == pending {
                return pending;
            }
            pending = after;
        }
    }

    fn access(&mut self, op: Op<'c>, mut pending: Pending) -> Pending {
        match self.effect(op) {
            Effect::None => {}
            Effect::Barrier => pending.meet(),
            Effect::Access(accesses) => {
                self.order(op, &mut pending, &accesses);
                pending.add(&accesses);
            }
            Effect::Scratch(bytes) => {
                self.order(op, &mut pending, &writes(vec![bytes.clone()]));
                pending.meet();
                insert(&mut pending.unfenced, std::slice::from_ref(&bytes));
                pending.reads.push(bytes);
            }
            Effect::Copy(bytes) => {
                self.order(op, &mut pending, &writes(bytes.clone()));
                insert(&mut pending.copies, &bytes);
            }
            Effect::OrderedCopy(bytes) => insert(&mut pending.copies, &bytes),
            Effect::WaitForCopies(all) => {
                let copies = std::mem::take(&mut pending.copies);
                insert(&mut pending.writes, &copies);
                insert(&mut pending.unfenced, &copies);
                pending.copies = if all { Vec::new() } else { copies };
            }
            Effect::Product(bytes) => {
                self.order(op, &mut pending, &reads(bytes.clone()));
                insert(&mut pending.reads, &bytes);
                insert(&mut pending.products, &bytes);
            }
            Effect::WaitForProducts(all) => {
                let products = std::mem::take(&mut pending.products);
                insert(&mut pending.reads, &products);
                pending.products = if all { Vec::new() } else { products };
            }
            Effect::Leader(bytes) => {
                self.order_leader(op, &mut pending, &writes(bytes.clone()));
                insert(&mut pending.leader, &bytes);
            }
            Effect::Arrive(bytes) => self.order_leader(op, &mut pending, &writes(bytes)),
            Effect::MakeMap(bytes) => {
                let mut accesses = writes(bytes.clone());
                if overlap(&pending.reads, &[MAPS]) {
                    accesses.writes.push(MAPS);
                }
                self.order(op, &mut pending, &accesses);
                pending.add(&writes(bytes));
                insert(&mut pending.writes, &[MAPS]);
            }
            Effect::TmaLoad(bytes, barrier) => self.order_tma(op, &mut pending, bytes, barrier),
            Effect::OrderedTmaLoad => self.order(op, &mut pending, &reads(vec![MAPS])),
            Effect::TmaStore(mut bytes) => {
                bytes.push(MAPS);
                self.order(op, &mut pending, &reads(bytes.clone()));
                insert(&mut pending.stores, &bytes);
            }
            Effect::WaitForStores(all) => {
                let stores = std::mem::take(&mut pending.stores);
                insert(&mut pending.reads, &stores);
                pending.stores = if all { Vec::new() } else { stores };
            }
            Effect::Fence => pending.unfenced.clear(),
        }
        pending
    }

    fn put_barrier(&mut self, op: Op<'c>, with_fence: bool) {
        match self.barriers.iter_mut().find(|(known, _)| *known == op) {
            Some((_, has_fence)) => *has_fence |= with_fence,
            None => self.barriers.push((op, with_fence)),
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

    /// Copies by TMA and what announces them stand in a row, before which there is one barrier.
    fn order_tma(&mut self, op: Op<'c>, pending: &mut Pending, bytes: Vec<Range<u32>>, barrier: Vec<Range<u32>>) {
        let needs_fence = overlap(&pending.unfenced, &bytes);
        let accesses = Pending { reads: barrier, writes: bytes, ..Pending::default() };
        if needs_fence || pending.conflicts_with(&accesses) {
            self.put_barrier(start_of_copies(op), needs_fence);
            pending.meet();
        }
        if needs_fence {
            pending.unfenced.clear();
        }
    }

    fn effect(&self, op: Op<'c>) -> Effect {
        let of = |value: Value<'c>| self.buffers.get(&value.id()).cloned().unwrap_or_default();
        match op.kind() {
            OpKind::GpuBarrier | OpKind::TtgBarrier => Effect::Barrier,
            OpKind::TtgLocalAlloc if op.num_operands() == 0 => Effect::None,
            OpKind::TtgLocalAlloc => Effect::Access(writes(of(op.result(0)))),
            OpKind::TtgLocalLoad => Effect::Access(reads(of(op.operand(0)))),
            OpKind::TtgLocalStore => Effect::Access(writes(of(op.operand(1)))),
            OpKind::TtgAsyncCopyGlobalToLocal if op.attr(ORDERED).is_some() => Effect::OrderedCopy(of(op.operand(1))),
            OpKind::TtgAsyncCopyGlobalToLocal => Effect::Copy(of(op.operand(1))),
            OpKind::TtgAsyncWait => Effect::WaitForCopies(op.int_attr("num") == Some(0)),
            OpKind::TtngWarpGroupDot if op.int_attr("isAsync") == Some(1) => {
                Effect::Product(op.operands().into_iter().flat_map(of).collect())
            }
            OpKind::TtngWarpGroupDotWait => Effect::WaitForProducts(op.int_attr("pendings") == Some(0)),
            OpKind::TtngInitBarrier | OpKind::TtngInvalBarrier => Effect::Leader(of(op.operand(0))),
            OpKind::TtngArriveBarrier if op.attr(EVERY_THREAD).is_some() => Effect::None,
            OpKind::TtngBarrierExpect if op.attr(ORDERED).is_some() => Effect::None,
            OpKind::TtngAsyncTmaCopyGlobalToLocal if op.attr(ORDERED).is_some() => Effect::OrderedTmaLoad,
            OpKind::TtngBarrierExpect | OpKind::TtngArriveBarrier => Effect::Arrive(of(op.operand(0))),
            OpKind::TtngWaitBarrier => Effect::Access(reads(of(op.operand(0)))),
            OpKind::TtngAsyncTmaCopyGlobalToLocal => {
                let bytes = |segment| op.segment(segment).into_iter().flat_map(of).collect::<Vec<_>>();
                Effect::TmaLoad(bytes(4), [bytes(3), vec![MAPS]].concat())
            }
            OpKind::TtngAsyncTmaCopyLocalToGlobal | OpKind::TtngAsyncTmaReduce => {
                Effect::TmaStore(of(op.operand(op.num_operands() - 1)))
            }
            OpKind::TtngAsyncTmaStoreWait => Effect::WaitForStores(op.int_attr("pendings") == Some(0)),
            OpKind::TtngFenceAsyncShared => Effect::Fence,
            OpKind::TtngTensormapCreate => Effect::MakeMap(bytes_of(op).into_iter().collect()),
            OpKind::TtngWarpGroupDot | OpKind::TtgLocalGather => {
                Effect::Access(reads(op.operands().into_iter().flat_map(of).collect()))
            }
            // What the function does with its bytes is not looked at; it may also wait nowhere.
            OpKind::TtCall => match bytes_of(op) {
                Some(bytes) => {
                    Effect::Access(Pending { reads: vec![bytes.clone()], writes: vec![bytes], ..Pending::default() })
                }
                None => Effect::None,
            },
            _ => match bytes_of(op) {
                Some(bytes) => Effect::Scratch(bytes),
                None => Effect::None,
            },
        }
    }
}

/// The first of the operations in a row before `op`, or `op` itself, that announce or start copies by TMA.
fn start_of_copies(op: Op<'_>) -> Op<'_> {
    let mut start = op;
    let mut before = op.prev();
    while let Some(op) = before {
        match op.kind() {
            OpKind::TtngBarrierExpect | OpKind::TtngAsyncTmaCopyGlobalToLocal => start = op,
            _ if op.is_pure() => {}
            _ => break,
        }
        before = op.prev();
    }
    start
}
