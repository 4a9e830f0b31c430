//! Puts `ttng.fence_async_shared` between ordinary writes to shared memory and the matrix instructions that read them.
//!
//! `wgmma` reads shared memory through the asynchronous proxy, which does not see what the ordinary one wrote until a proxy fence. Writes are
//! stores to allocations and `ttg.local_store`. The fence goes before the product, or before the loop around it where only what was written
//! before the loop needs it; the barrier that `insert-barriers` adds goes behind the fence: each thread publishes its own writes, then
//! all meet.
//!
//! Copies by `cp.async` get no fence: they are complete when they have been waited for (docs/decisions/0007).
//!
//! One walk along the control flow knows whether anything was written since the last fence. A product that only reads what TMA or
//! `cp.async` wrote needs none.

use crate::analysis::shared_buffers::views_of;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::{Block, Builder, Module, Op, OpKind, OpSpec};

/// The pass.
pub const PASS: Pass =
    Pass { name: "fence-insertion", summary: "make writes to shared memory visible to matrix instructions", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    if cx.target.sm < 90 {
        return Ok(());
    }
    for function in module.functions() {
        let mut walk = Walk { written: written_by_threads(function), before: Vec::new() };
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
        let is_target = |(user, operand): (Op<'_>, usize)| {
            operand == 1 && user.kind() == OpKind::TtgLocalStore
                || operand == 0 && user.kind() == OpKind::TtgLocalScatter
        };
        if alloc.num_operands() > 0 || views.iter().any(|view| view.users().into_iter().any(is_target)) {
            written.extend(views.iter().map(|view| view.id()));
        }
    }
    written
}

struct Walk<'c> {
    written: FxHashSet<usize>,
    /// Operations that need a fence before them.
    before: Vec<Op<'c>>,
}

impl<'c> Walk<'c> {
    /// Whether writes are unfenced after a block that starts with `unfenced` ones.
    fn block(&mut self, block: Block<'c>, mut unfenced: bool) -> bool {
        for op in block.ops() {
            unfenced = self.op(op, unfenced);
        }
        unfenced
    }

    fn op(&mut self, op: Op<'c>, unfenced: bool) -> bool {
        match op.kind() {
            OpKind::ScfFor | OpKind::ScfWhile => self.repeated(op, unfenced),
            OpKind::ScfIf => {
                let blocks = op.regions().into_iter().map(|region| region.first_block());
                let sides: Vec<bool> =
                    blocks.map(|block| block.map_or(unfenced, |block| self.block(block, unfenced))).collect();
                sides.into_iter().any(|side| side)
            }
            OpKind::TtgLocalStore | OpKind::TtgLocalScatter => true,
            OpKind::TtgLocalAlloc => unfenced || op.num_operands() > 0,
            OpKind::TtngFenceAsyncShared => false,
            OpKind::TtngWarpGroupDot if unfenced && self.reads_written(op) => {
                self.before.push(op);
                false
            }
            _ => unfenced,
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
