//! Lets stores by descriptors run on while their loop continues.
//!
//! A store copies from a buffer that lies outside of the loop, so only the next one that needs the buffer has to wait until it has been read:
//! right before it writes, not right after the copy has started. Stores of blocks of one type share a buffer. After the loop all are waited for.

use crate::tma_lowering::{block_buffer, copy_to_global, erase_store, fence, store_wait, unconverted};
use tk_diag::Result;
use tk_ir::ops::{DescriptorStoreOp, ForOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};

pub(super) fn run(view: ForOp<'_>) -> Result<()> {
    let mut buffers: Vec<(Type<'_>, Value<'_>)> = Vec::new();
    for store in stores(view) {
        let source = unconverted(store.src());
        let ty = block_buffer(store.desc(), source.ty(), true)?;
        let known = buffers.iter().find(|(known, _)| *known == ty).map(|(_, buffer)| *buffer);
        let buffer = known.unwrap_or_else(|| {
            let mut outside = Builder::before(view.op).with_location(store.op.loc());
            let buffer = outside.create(OpKind::TtgLocalAlloc, &[], &[ty], &[]).result(0);
            buffers.push((ty, buffer));
            buffer
        });
        let mut builder = Builder::before(store.op);
        store_wait(&mut builder);
        builder.create(OpKind::TtgLocalStore, &[source, buffer], &[], &[]);
        fence(&mut builder);
        copy_to_global(&mut builder, store, buffer);
        erase_store(store);
    }
    if !buffers.is_empty() {
        let mut behind = Builder::after(view.op);
        store_wait(&mut behind);
        for (_, buffer) in buffers {
            behind.create(OpKind::TtgLocalDealloc, &[buffer], &[], &[]);
        }
    }
    Ok(())
}

/// The stores whose innermost loop is `view`.
fn stores(view: ForOp<'_>) -> Vec<DescriptorStoreOp<'_>> {
    let stores = view.op.descendants().into_iter().filter_map(DescriptorStoreOp::cast);
    stores.filter(|store| innermost_loop(store.op) == Some(view.op)).collect()
}

fn innermost_loop(op: Op<'_>) -> Option<Op<'_>> {
    op.ancestors().skip(1).find(|op| matches!(op.kind(), OpKind::ScfFor | OpKind::ScfWhile))
}
