//! Puts `ttng.fence_async_shared` between ordinary writes to shared memory and the matrix instructions that read them.
//!
//! `wgmma` reads shared memory through the asynchronous proxy, which does not see what the ordinary one wrote until a proxy fence. Writes are
//! stores to allocations and `ttg.local_store`. The fence goes before the product, or before the loop around it where only what was written
//! before the loop needs it; the barrier that `insert-barriers` adds goes behind the fence: each thread publishes its own writes before
//! it.
//!
//! Copies by `cp.async` get no fence: they are complete when they have been waited for (docs/decisions/0007).
//!
//! One walk along the control flow knows whether anything was written since the last fence. A product that only reads what TMA or
//! `cp.async` wrote needs none.

use crate::analysis::shared_buffers::views_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::{Control, control};
use crate::operations::memory::{SharedMemory, shared_memory};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::{Block, Builder, Module, Op, OpKind, OpSpec};

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
            walk.block(block, false);
        }
        for op in walk.before {
            let context = op.context();
            Builder::before(op)
                .insert(OpSpec::new(OpKind::TtngFenceAsyncShared).attr("bCluster", context.bool_attr(false)));
        }
    }
    Ok(())
}

/// Memory descriptors whose contents threads write: views of allocations that start with a tensor or are stored to.
fn written_by_threads(function: Op<'_>) -> FxHashSet<usize> {
    let mut written = FxHashSet::default();
    for alloc in function.descendants() {
        if alloc.kind() != OpKind::TtgLocalAlloc {
            continue;
        }
        let views = views_of(alloc.result(0));
        let is_target = |(user, target): (Op<'_>, usize)| shared_memory(user.kind()) == SharedMemory::Write { target };
        if alloc.num_operands() > 0 || views.iter().any(|view| view.users().into_iter().any(is_target)) {
            written.extend(views.iter().map(|view| view.id()));
        }
    }
    written
}

struct FenceWalk<'c> {
    written: FxHashSet<usize>,
    /// Operations that need a fence before them.
    before: Vec<Op<'c>>,
}

impl<'c> FenceWalk<'c> {
    /// Whether writes are unfenced after a block that starts with `unfenced` ones.
    fn block(&mut self, block: Block<'c>, mut unfenced: bool) -> bool {
        for op in block.ops() {
            unfenced = self.op(op, unfenced);
        }
        unfenced
    }

    fn op(&mut self, op: Op<'c>, unfenced: bool) -> bool {
        match control(op.kind()) {
            Control::For | Control::While => self.repeated(op, unfenced),
            Control::If => {
                let blocks = op.regions().into_iter().map(|region| region.first_block());
                let sides: Vec<bool> =
                    blocks.map(|block| block.map_or(unfenced, |block| self.block(block, unfenced))).collect();
                sides.into_iter().any(|side| side)
            }
            Control::Yield | Control::Condition | Control::Opaque | Control::Plain => self.access(op, unfenced),
        }
    }

    fn access(&mut self, op: Op<'c>, unfenced: bool) -> bool {
        match shared_memory(op.kind()) {
            SharedMemory::Write { .. } => true,
            SharedMemory::Allocate => unfenced || op.num_operands() > 0,
            SharedMemory::Fence => false,
            SharedMemory::StartDot if unfenced && self.reads_written(op) => {
                self.before.push(op);
                false
            }
            // TMA reads too; who starts a store by it puts a fence before it.
            SharedMemory::None
            | SharedMemory::Scratch(_)
            | SharedMemory::Call
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
            | SharedMemory::Barrier => unfenced,
        }
    }

    /// A loop, which may run its body any number of times.
    fn repeated(&mut self, op: Op<'c>, unfenced: bool) -> bool {
        let found_before = self.before.len();
        if self.regions(op, false) {
            // Writes of one iteration reach the products of the next one.
            self.before.truncate(found_before);
            self.regions(op, true);
            return true;
        }
        if !unfenced {
            return false;
        }
        let own = self.before.split_off(found_before);
        self.regions(op, true);
        let is_needed = self.before.len() > found_before + own.len();
        self.before.truncate(found_before);
        self.before.extend(own);
        if is_needed {
            self.before.push(op);
        }
        !is_needed
    }

    fn regions(&mut self, op: Op<'c>, mut unfenced: bool) -> bool {
        for block in op.regions().into_iter().filter_map(|region| region.first_block()) {
            unfenced = self.block(block, unfenced);
        }
        unfenced
    }

    fn reads_written(&self, op: Op<'c>) -> bool {
        op.operands().into_iter().any(|operand| self.written.contains(&operand.id()))
    }
}
