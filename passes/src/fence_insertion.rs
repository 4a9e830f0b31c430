//! Puts `ttng.fence_async_shared` between ordinary writes to shared memory and the matrix instructions that read them.
//!
//! `wgmma` reads shared memory through the asynchronous proxy, which does not see what the ordinary one wrote until a proxy fence. Writes are
//! stores to allocations and `ttg.local_store`. The fence goes before the product, or before the loop around it where only what was written
//! before the loop needs it; the barrier that `insert-barriers` adds goes behind the fence: each thread publishes its own writes before
//! it.
//!
//! Copies by `cp.async` get no fence: they are complete when they have been waited for (docs/decisions/0007). Those of `copy-operands` have one of their own.
//!
//! One walk along the control flow knows which buffers were written since the last fence. A product that only reads others needs none: a
//! fence waits for the writes, and what a later product reads is often written before an earlier one. Nor does one that only reads what TMA
//! or `cp.async` wrote.

use crate::analysis::shared_buffers::views_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::{Control, control};
use crate::operations::memory::{SharedMemory, shared_memory};
use crate::{Pass, PassContext};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::{Block, Builder, Module, Op, OpKind, OpSpec, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "fence-insertion", summary: "make writes to shared memory visible to matrix instructions", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    if !cx.target.has_tma() {
        return Ok(());
    }
    for function in module.functions() {
        let mut walk = FenceWalk { written: written_by_threads(function), before: Vec::new() };
        for block in function.region(0).blocks() {
            walk.block(block, Unfenced::default());
        }
        for op in walk.before {
            let context = op.context();
            Builder::before(op)
                .insert(OpSpec::new(OpKind::TtngFenceAsyncShared).attr("bCluster", context.bool_attr(false)));
        }
    }
    Ok(())
}

/// Memory descriptors whose contents threads write, each with its buffer: views of allocations that start with a tensor or are stored to.
fn written_by_threads(function: Op<'_>) -> FxHashMap<usize, Vec<usize>> {
    let mut written: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for alloc in function.descendants() {
        if alloc.kind() != OpKind::TtgLocalAlloc {
            continue;
        }
        let views = views_of(alloc.result(0));
        let is_target = |(user, target): (Op<'_>, usize)| shared_memory(user.kind()) == SharedMemory::Write { target };
        if alloc.num_operands() > 0 || views.iter().any(|view| view.users().into_iter().any(is_target)) {
            // What a loop carries may be a view of several buffers.
            views.iter().for_each(|view| written.entry(view.id()).or_default().push(alloc.id()));
        }
    }
    written
}

/// Buffers that threads wrote since the last fence.
type Unfenced = FxHashSet<usize>;

/// The body of a loop, run once.
struct Body<'c> {
    /// Operations that need a fence before them.
    before: Vec<Op<'c>>,
    /// What is unfenced behind it.
    unfenced: Unfenced,
}

struct FenceWalk<'c> {
    /// The buffers of each memory descriptor.
    written: FxHashMap<usize, Vec<usize>>,
    /// Operations that need a fence before them.
    before: Vec<Op<'c>>,
}

impl<'c> FenceWalk<'c> {
    /// What is unfenced after a block that starts with `unfenced`.
    fn block(&mut self, block: Block<'c>, mut unfenced: Unfenced) -> Unfenced {
        for op in block.ops() {
            unfenced = self.op(op, unfenced);
        }
        unfenced
    }

    fn op(&mut self, op: Op<'c>, unfenced: Unfenced) -> Unfenced {
        match control(op.kind()) {
            Control::For | Control::While => self.repeated(op, unfenced),
            Control::If => {
                let blocks = op.regions().into_iter().map(|region| region.first_block());
                let side = |block: Option<Block<'c>>| match block {
                    Some(block) => self.block(block, unfenced.clone()),
                    None => unfenced.clone(),
                };
                blocks.flat_map(side).collect()
            }
            Control::Yield | Control::Condition | Control::Opaque | Control::Plain => self.access(op, unfenced),
        }
    }

    fn access(&mut self, op: Op<'c>, mut unfenced: Unfenced) -> Unfenced {
        match shared_memory(op.kind()) {
            SharedMemory::Write { target } => unfenced.extend(self.buffers(op.operand(target))),
            SharedMemory::Allocate if op.num_operands() > 0 => {
                unfenced.insert(op.id());
            }
            SharedMemory::Fence => unfenced.clear(),
            SharedMemory::StartDot if self.reads(op, &unfenced) => {
                self.before.push(op);
                unfenced.clear();
            }
            // TMA reads too; who starts a store by it puts a fence before it.
            SharedMemory::None
            | SharedMemory::Scratch(_)
            | SharedMemory::Call
            | SharedMemory::Allocate
            | SharedMemory::Free
            | SharedMemory::View
            | SharedMemory::Read
            | SharedMemory::StartCopy
            | SharedMemory::WaitForCopies
            | SharedMemory::StartDot
            | SharedMemory::WaitForDots
            | SharedMemory::StartStore
            | SharedMemory::StartLoad
            | SharedMemory::WaitForStores
            | SharedMemory::InitMbarrier
            | SharedMemory::Announce
            | SharedMemory::Arrive
            | SharedMemory::WaitAtMbarrier
            | SharedMemory::Barrier => {}
        }
        unfenced
    }

    /// A loop, which may run its body any number of times.
    fn repeated(&mut self, op: Op<'c>, unfenced: Unfenced) -> Unfenced {
        // Writes of one iteration reach the products of the next one. A fence in the body changes what else is unfenced behind it.
        let mut carried = Unfenced::default();
        let own = loop {
            let body = self.body(op, &carried);
            let known = carried.len();
            carried.extend(body.unfenced);
            if carried.len() == known {
                break body.before;
            }
        };
        // What was written before the loop only gets its fence there.
        let is_needed = self.body(op, &carried.union(&unfenced).copied().collect()).before != own;
        self.before.extend(own);
        if is_needed {
            self.before.push(op);
            return carried;
        }
        carried.union(&unfenced).copied().collect()
    }

    /// The body of a loop that starts with `unfenced`.
    fn body(&mut self, op: Op<'c>, unfenced: &Unfenced) -> Body<'c> {
        let found_before = self.before.len();
        let mut after = unfenced.clone();
        for block in op.regions().into_iter().filter_map(|region| region.first_block()) {
            after = self.block(block, after);
        }
        Body { before: self.before.split_off(found_before), unfenced: after }
    }

    fn buffers(&self, view: Value<'c>) -> &[usize] {
        self.written.get(&view.id()).map_or(&[], Vec::as_slice)
    }

    fn reads(&self, op: Op<'c>, unfenced: &Unfenced) -> bool {
        op.operands().into_iter().flat_map(|operand| self.buffers(operand)).any(|buffer| unfenced.contains(buffer))
    }
}
