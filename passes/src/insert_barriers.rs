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
//! 1. Find what every operation reads and writes.  2. Walk the control flow with the pending accesses.  3. Insert.

use crate::analysis::shared_buffers::views_of;
use crate::attributes::{ALLOCATION_OFFSET, ALLOCATION_SIZE};
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
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
        for op in walk.barriers {
            Builder::before(op).insert(OpSpec::new(OpKind::GpuBarrier));
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

/// Accesses since the last barrier, and what is under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pending {
    reads: Vec<Range<u32>>,
    writes: Vec<Range<u32>>,
    /// Writes of copies that may not have been waited for.
    copies: Vec<Range<u32>>,
    /// Reads of products that may not have been waited for.
    products: Vec<Range<u32>>,
}

impl Pending {
    fn conflicts_with(&self, accesses: &Pending) -> bool {
        let overlap =
            |a: &[Range<u32>], b: &[Range<u32>]| a.iter().any(|a| b.iter().any(|b| a.start < b.end && b.start < a.end));
        overlap(&self.writes, &accesses.reads)
            || overlap(&self.writes, &accesses.writes)
            || overlap(&self.reads, &accesses.writes)
    }

    fn add(&mut self, accesses: &Pending) {
        insert(&mut self.reads, &accesses.reads);
        insert(&mut self.writes, &accesses.writes);
        insert(&mut self.copies, &accesses.copies);
        insert(&mut self.products, &accesses.products);
    }

    /// All threads met.
    fn meet(&mut self) {
        self.reads.clear();
        self.writes.clear();
    }
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
    /// Waits for copies; `true` when for all of them.
    WaitForCopies(bool),
    /// Starts to read these bytes.
    Product(Vec<Range<u32>>),
    /// Waits for products; `true` when for all of them.
    WaitForProducts(bool),
}

struct Walk<'c> {
    buffers: FxHashMap<usize, Vec<Range<u32>>>,
    /// Operations that need a barrier before them, in the order they were found.
    barriers: Vec<Op<'c>>,
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
                pending.reads.push(bytes);
            }
            Effect::Copy(bytes) => {
                self.order(op, &mut pending, &writes(bytes.clone()));
                insert(&mut pending.copies, &bytes);
            }
            Effect::WaitForCopies(all) => {
                let copies = std::mem::take(&mut pending.copies);
                insert(&mut pending.writes, &copies);
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
        }
        pending
    }

    /// Lets all threads meet before `op` when something pending must come before it.
    fn order(&mut self, op: Op<'c>, pending: &mut Pending, accesses: &Pending) {
        if pending.conflicts_with(accesses) {
            self.barriers.push(op);
            pending.meet();
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
            OpKind::TtgAsyncCopyGlobalToLocal => Effect::Copy(of(op.operand(1))),
            OpKind::TtgAsyncWait => Effect::WaitForCopies(op.int_attr("num") == Some(0)),
            OpKind::TtngWarpGroupDot if op.int_attr("isAsync") == Some(1) => {
                Effect::Product(op.operands().into_iter().flat_map(of).collect())
            }
            OpKind::TtngWarpGroupDotWait => Effect::WaitForProducts(op.int_attr("pendings") == Some(0)),
            OpKind::TtngWarpGroupDot | OpKind::TtgLocalGather => {
                Effect::Access(reads(op.operands().into_iter().flat_map(of).collect()))
            }
            _ => match bytes_of(op) {
                Some(bytes) => Effect::Scratch(bytes),
                None => Effect::None,
            },
        }
    }
}
