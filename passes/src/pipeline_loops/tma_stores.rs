//! Lets stores by descriptors run on while their loop continues.
//!
//! A store copies from a buffer that lies outside of the loop, so only the next one that needs the buffer has to wait until it has been read:
//! right before it writes, not right after the copy has started. Stores of blocks of one type share a buffer. After the loop all are waited for.
//!
//! Where a block has two such stores in a row, as a product has that leaves in halves, the second would wait for the first. It gets a buffer of its
//! own instead, if shared memory has room for it and as many CTAs as before share a multiprocessor. This is done when all loops have their
//! buffers, so that none takes what another needs.

use crate::PassContext;
use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::operations::control::is_loop;
use crate::operations::memory::{SharedMemory, shared_memory};
use crate::tma_lowering::{block_buffer, copy_to_global, erase_store, fence, store_wait};
use tk_diag::Result;
use tk_ir::ops::{DescriptorStoreLikeOp, ForOp};
use tk_ir::{Block, Builder, Op, OpKind, Type, Value};

/// A store that waits for another one before it in its block.
pub(super) struct Follower<'c> {
    view: ForOp<'c>,
    wait: Op<'c>,
    write: Op<'c>,
    copy: Op<'c>,
}

/// Gives the stores of a loop buffers outside of it, and says which of them wait for one that stands before them in their block.
pub(super) fn run<'c>(view: ForOp<'c>) -> Result<Vec<Follower<'c>>> {
    let mut buffers: Vec<(Type<'c>, Value<'c>)> = Vec::new();
    let mut users: Vec<(Value<'c>, Option<Block<'c>>)> = Vec::new();
    let mut followers = Vec::new();
    for store in stores(view) {
        let source = store.src().before_conversion();
        let ty = block_buffer(store.desc(), source.ty(), true)?;
        let known = buffers.iter().find(|(known, _)| *known == ty).map(|(_, buffer)| *buffer);
        let buffer = known.unwrap_or_else(|| {
            let buffer = allocate(view, store.op, ty);
            buffers.push((ty, buffer));
            buffer
        });
        let user = (buffer, store.op.block());
        let is_follower = users.contains(&user);
        let wait = match last_dot_wait(store.op).filter(|_| !is_follower) {
            Some(end) => {
                let mut early = Builder::before(end);
                let wait = store_wait(&mut early);
                early.create(OpKind::GpuBarrier, &[], &[], &[]);
                wait
            }
            None => store_wait(&mut Builder::before(store.op)),
        };
        let mut builder = Builder::before(store.op);
        let write = builder.create(OpKind::TtgLocalStore, &[source, buffer], &[], &[]);
        fence(&mut builder);
        let copy = copy_to_global(&mut builder, store, buffer);
        if is_follower {
            followers.push(Follower { view, wait, write, copy });
        }
        users.push(user);
        erase_store(store);
    }
    if !buffers.is_empty() {
        let mut behind = Builder::after(view.op);
        store_wait(&mut behind);
        for (_, buffer) in buffers {
            behind.create(OpKind::TtgLocalDealloc, &[buffer], &[], &[]);
        }
    }
    Ok(followers)
}

/// Gives each of these stores a buffer that it need not wait for, as far as there is room. The first store of the block still waits for all.
pub(super) fn part(followers: Vec<Follower<'_>>, function: Op<'_>, cx: &PassContext) -> Result<()> {
    if followers.is_empty() {
        return Ok(());
    }
    let mut bytes = total_bytes(&buffers_of_module(function)?);
    let ctas = |bytes| cx.target.occupancy(1, bytes, cx.options.num_warps).ctas_per_sm;
    for Follower { view, wait, write, copy } in followers {
        let shared = write.operand(1);
        let own = allocate(view, write, shared.ty());
        let source = copy.num_operands() - 1;
        write.set_operand(1, own);
        copy.set_operand(source, own);
        let dealloc = after_stores(view).create(OpKind::TtgLocalDealloc, &[own], &[], &[]);
        let more = total_bytes(&buffers_of_module(function)?);
        if ctas(more) > 0 && ctas(more) == ctas(bytes) {
            wait.erase();
            bytes = more;
        } else {
            write.set_operand(1, shared);
            copy.set_operand(source, shared);
            dealloc.erase();
            own.defining_op().into_iter().for_each(Op::erase);
        }
    }
    Ok(())
}

/// The wait for a product between which and a store, in its block, nothing else is stored: threads can meet there for the store's buffer while the
/// product still runs, and not when it has ended.
fn last_dot_wait<'c>(store: Op<'c>) -> Option<Op<'c>> {
    let ops = store.block()?.ops();
    let before = ops.into_iter().take_while(|op| *op != store).collect::<Vec<_>>();
    let is_end = |op: &&Op<'c>| {
        matches!(shared_memory(op.kind()), SharedMemory::WaitForDots | SharedMemory::StartStore) || op.num_regions() > 0
    };
    before.iter().rev().find(is_end).copied().filter(|op| op.kind() == OpKind::TtngWarpGroupDotWait)
}

/// Behind the wait for the stores of a loop.
fn after_stores(view: ForOp<'_>) -> Builder<'_> {
    Builder::after(view.op.next().unwrap_or(view.op))
}

/// A buffer for a store of a loop, outside of it.
fn allocate<'c>(view: ForOp<'c>, store: Op<'c>, ty: Type<'c>) -> Value<'c> {
    let mut outside = Builder::before(view.op).with_location(store.loc());
    outside.create(OpKind::TtgLocalAlloc, &[], &[ty], &[]).result(0)
}

/// The stores whose innermost loop is `view`.
fn stores(view: ForOp<'_>) -> Vec<DescriptorStoreLikeOp<'_>> {
    let stores = view.op.descendants().into_iter().filter_map(DescriptorStoreLikeOp::cast);
    stores.filter(|store| innermost_loop(store.op) == Some(view.op)).collect()
}

fn innermost_loop(op: Op<'_>) -> Option<Op<'_>> {
    op.ancestors().skip(1).find(|op| is_loop(*op))
}
