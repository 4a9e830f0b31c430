//! Turns what is left of descriptor accesses into copies by the tensor memory accelerator (TMA).
//!
//! The pipeliner has taken the loads that run ahead. The others copy a block into a buffer of their own and wait for an `mbarrier` that
//! counts the bytes: as slow as a load, but without registers in between for who reads shared memory anyway. A store puts its block into
//! a buffer, makes that visible to the asynchronous proxy, and starts the copy; it waits until the buffer has been read, or the buffers of all stores
//! of a block have. Who accesses the same global memory later waits until it is written (`insert-barriers`).
//! A descriptor that the kernel makes becomes a tensor map ([`crate::tensor_maps`]).
//!
//! A block whose transpose is an operand of `mma.sync` or multiply-add is read with rows for columns, from where the copy put it: the way through
//! registers of another layout would write it to shared memory a second time, between barriers. `ldmatrix` reads operands that lie along K, of
//! any width, and transposes those of 16 bits that lie across it; those of 32 bits come word by word, which two rows in the same banks make slower
//! than a conversion where four warps read the same. Bytes across K would come one by one, to be put together in registers: they stay conversions.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::async_loads::transposed_fragments;
use crate::attributes::ALL_MEMORY;
use crate::convert_to_ttg::require_ttg;
use crate::optimize_descriptor_encoding::buffer_layout;
use crate::shared_encodings::{self, buffer_type, make_views_mutable, transposed_layout, turned_view};
use crate::tensor_maps::make_maps;
use crate::{Pass, PassContext};
use std::rc::Rc;
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::{DescriptorLoadOp, DescriptorStoreLikeOp};
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Type, Value};
use tk_layout::conversion::load_from;
use tk_layout::{Dim, Encoding};

/// The pass.
pub const PASS: Pass =
    Pass { name: "tma-lowering", summary: "turn accesses by descriptors into copies by the hardware", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    if !cx.target.has_tma() {
        return Ok(());
    }
    for function in module.functions() {
        // Each kind is collected before the first is changed, because others are erased with it.
        let stores: Vec<DescriptorStoreLikeOp<'_>> =
            function.descendants().into_iter().filter_map(DescriptorStoreLikeOp::cast).collect();
        let stores: Vec<LoweredStore<'_>> = stores.into_iter().map(lower_store).collect::<Result<_>>()?;
        let loads: Vec<DescriptorLoadOp<'_>> =
            function.descendants().into_iter().filter_map(DescriptorLoadOp::cast).collect();
        loads.into_iter().try_for_each(lower_load)?;
        wait_once(&stores, function, cx)?;
        make_maps(module, function)?;
    }
    Ok(())
}

/// The buffer type for a block: a tensor of type `block` as the descriptor lays it out.
pub(crate) fn block_buffer<'c>(descriptor: Value<'c>, block: Type<'c>, mutable: bool) -> Result<Type<'c>> {
    let Some(layout) = buffer_layout(descriptor.ty(), block.rank()) else {
        return Err(Diagnostic::bug(format!("{} says no layout in shared memory", descriptor.ty())).boxed());
    };
    Ok(buffer_type(block.context(), &block.shape(), block.element(), &layout, mutable))
}

/// The type of `count` mbarriers.
pub(crate) fn mbarriers<'c>(context: &'c tk_ir::Context, count: &[i64]) -> Type<'c> {
    let order: Vec<u32> = vec![0];
    buffer_type(context, count, context.i(64), &shared_encodings::plain(&order), true)
}

/// Bytes of a tensor in shared memory.
pub(crate) fn bytes_of(block: Type<'_>) -> i64 {
    block.num_elements() * i64::from(block.element_bits().max(8)) / 8
}

fn lower_load(load: DescriptorLoadOp<'_>) -> Result<()> {
    let (context, result) = (load.op.context(), load.result());
    let mut builder = Builder::before(load.op);
    let ty = block_buffer(load.desc(), result.ty(), true)?;
    let buffer = builder.create(OpKind::TtgLocalAlloc, &[], &[ty], &[]).result(0);
    let barrier = builder.create(OpKind::TtgLocalAlloc, &[], &[mbarriers(context, &[1])], &[]).result(0);
    let always = builder.bool(true);
    init_barrier(&mut builder, barrier);
    expect(&mut builder, barrier, bytes_of(result.ty()), always);
    copy_to_shared(&mut builder, load, buffer, barrier, always);
    let phase = builder.i32(0);
    wait(&mut builder, barrier, phase);
    builder.create(OpKind::TtngInvalBarrier, &[barrier], &[], &[]);
    if let Some(next) = load.op.next() {
        read_by_users(result, buffer, next, |_| {});
    }
    load.op.erase();
    Ok(())
}

/// `ttng.init_barrier`, for one arrival: that of the thread which says how many bytes will come.
pub(crate) fn init_barrier<'c>(builder: &mut Builder<'c>, barrier: Value<'c>) {
    let count = ("count", builder.context().i32_attr(1));
    builder.create(OpKind::TtngInitBarrier, &[barrier], &[], &[count]);
}

/// `ttng.barrier_expect`.
pub(crate) fn expect<'c>(builder: &mut Builder<'c>, barrier: Value<'c>, bytes: i64, condition: Value<'c>) -> Op<'c> {
    let size = ("size", builder.context().i32_attr(bytes as i32));
    builder.create(OpKind::TtngBarrierExpect, &[barrier, condition], &[], &[size])
}

/// `ttng.wait_barrier`.
pub(crate) fn wait<'c>(builder: &mut Builder<'c>, barrier: Value<'c>, phase: Value<'c>) -> Op<'c> {
    let segments = ("operandSegmentSizes", builder.context().i32_array(&[1, 1, 0, 0]));
    builder.create(OpKind::TtngWaitBarrier, &[barrier, phase], &[], &[segments])
}

/// `ttng.wait_barrier` where `condition` holds.
pub(crate) fn wait_if<'c>(
    builder: &mut Builder<'c>,
    barrier: Value<'c>,
    phase: Value<'c>,
    condition: Value<'c>,
) -> Op<'c> {
    let segments = ("operandSegmentSizes", builder.context().i32_array(&[1, 1, 1, 0]));
    builder.create(OpKind::TtngWaitBarrier, &[barrier, phase, condition], &[], &[segments])
}

/// `ttng.async_tma_copy_global_to_local` of the block that `load` names.
pub(crate) fn copy_to_shared<'c>(
    builder: &mut Builder<'c>,
    load: DescriptorLoadOp<'c>,
    buffer: Value<'c>,
    barrier: Value<'c>,
    condition: Value<'c>,
) -> Op<'c> {
    let context = builder.context();
    let indices = load.indices();
    let mut operands = vec![load.desc()];
    operands.extend(&indices);
    operands.extend([barrier, buffer, condition]);
    let segments = context.i32_array(&[1, indices.len() as i32, 0, 1, 1, 1, 0]);
    let mut spec = OpSpec::new(OpKind::TtngAsyncTmaCopyGlobalToLocal)
        .operands(&operands)
        .attr("operandSegmentSizes", segments)
        .attr("isVolatile", context.bool_attr(false));
    for name in ["cache", "evict", "cachePolicy"] {
        if let Some(value) = load.op.attr(name) {
            spec = spec.attr(name, value);
        }
    }
    builder.insert(spec)
}

/// Lets the users of a loaded block read `buffer`: matrix products in place, everything else through registers. Conversions become loads
/// of the layout they convert to, those to operands behind a transposition loads of the buffer with rows for columns; the others' common load
/// stands before `anchor`. `mark` sees each view and each load that is made.
pub(crate) fn read_by_users<'c>(block: Value<'c>, buffer: Value<'c>, anchor: Op<'c>, mark: impl FnMut(Op<'c>)) {
    let mut readers = Readers { block, buffer, anchor, mark };
    for (user, _) in block.users() {
        if user.kind() == OpKind::TtgLocalAlloc && reads_in_place(user, buffer.ty()) {
            readers.replace(user, buffer);
        } else if user.kind() == OpKind::TtgConvertLayout {
            readers.load_for(user, buffer);
        } else if let Some((fragments, layout)) = readers.fragments_of_turned(user) {
            let view = readers.turn_before(user, &layout);
            fragments.into_iter().for_each(|fragment| readers.load_for(fragment, view));
            readers.erase(user);
        }
    }
    make_views_mutable(buffer);
    if block.has_uses() {
        let anchor = readers.anchor;
        let loaded = readers.load_before(anchor, buffer, block.ty());
        block.replace_all_uses_with(loaded);
    }
}

/// The users of a loaded block while they are replaced by reads of its buffer.
struct Readers<'c, M> {
    block: Value<'c>,
    buffer: Value<'c>,
    /// The operation before which the block is loaded for all users that have no read of their own.
    anchor: Op<'c>,
    mark: M,
}

impl<'c, M: FnMut(Op<'c>)> Readers<'c, M> {
    fn load_before(&mut self, user: Op<'c>, memory: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let mut builder = Builder::before(user).with_location(self.block.loc());
        let load = builder.create(OpKind::TtgLocalLoad, &[memory], &[ty], &[]);
        (self.mark)(load);
        load.result(0)
    }

    /// A load of `memory` takes the place of `conversion`.
    fn load_for(&mut self, conversion: Op<'c>, memory: Value<'c>) {
        let loaded = self.load_before(conversion, memory, conversion.result(0).ty());
        self.replace(conversion, loaded);
    }

    fn replace(&mut self, user: Op<'c>, replacement: Value<'c>) {
        user.result(0).replace_all_uses_with(replacement);
        self.erase(user);
    }

    fn erase(&mut self, user: Op<'c>) {
        if let Some(next) = user.next().filter(|_| user == self.anchor) {
            self.anchor = next;
        }
        user.erase();
    }

    /// The operands that are all there is of a transposition of the block, where each can be read from the buffer with rows for columns; and the
    /// layout of the buffer. What stands in a branch may come behind the next copy to the buffer, so the block is loaded before it. Blocks of a batch are
    /// loaded, too: the layouts that TMA writes have no turned form for three axes.
    fn fragments_of_turned(&self, user: Op<'c>) -> Option<(Vec<Op<'c>>, Rc<Encoding>)> {
        let fragments = transposed_fragments(user)?;
        let layout = self.buffer.ty().layout()?;
        if self.block.ty().rank() != 2 {
            return None;
        }
        let (turned, around) = (transposed_layout(&layout)?, self.anchor.block());
        let is_read = |op: &Op<'c>| op.block() == around && is_read_as_fast(op.result(0).ty(), &turned);
        (user.block() == around && fragments.iter().all(is_read)).then_some((fragments, layout))
    }

    fn turn_before(&mut self, transposition: Op<'c>, layout: &Encoding) -> Value<'c> {
        let mut builder = Builder::before(transposition).with_location(self.block.loc());
        let view = turned_view(&mut builder, self.buffer, layout, transposition.result(0).ty());
        if let Some(op) = view.defining_op() {
            (self.mark)(op);
        }
        view
    }
}

/// Bytes of a register.
const WORD_BYTES: u32 = 4;

/// Times that a conversion through scratch memory moves each element before the operand is read: out of the buffer, and into that memory.
const MOVES_BEFORE: u32 = 2;

/// Threads read an operand of type `ty` from a buffer of layout `memory` in whole registers: by `ldmatrix`, or by loads whose bank conflicts, in all
/// warps that read the same elements, take no longer than what a conversion does before.
fn is_read_as_fast(ty: Type<'_>, memory: &Encoding) -> bool {
    let (Some(registers), Ok(memory)) = (ty.linear_layout(), memory.to_linear(&ty.shape())) else { return false };
    let Ok(plan) = load_from(&registers, &memory, ty.element_bits()) else { return false };
    let access = &plan.access;
    let warps = 1u32 << registers.free_mask(Dim::Warp).count_ones();
    let is_by_words = access.vector * plan.element_bytes >= WORD_BYTES;
    access.matrix.is_some() || is_by_words && access.conflicts * warps <= MOVES_BEFORE
}

/// The user's own buffer would be laid out as this one.
pub(crate) fn reads_in_place(alloc: Op<'_>, buffer: Type<'_>) -> bool {
    let own = alloc.result(0).ty();
    own.encoding() == buffer.encoding() && own.memdesc().is_some_and(|memdesc| !memdesc.mutable)
}

/// A store that was lowered: the copy of its buffer, and the wait until that has been read. (Of a block that was loaded, the buffer is that of the load,
/// once that is lowered, too.)
struct LoweredStore<'c> {
    copy: Op<'c>,
    wait: Op<'c>,
}

fn lower_store(store: DescriptorStoreLikeOp<'_>) -> Result<LoweredStore<'_>> {
    let mut builder = Builder::before(store.op);
    // Shared memory can be written from any layout.
    let source = store.src().before_conversion();
    let ty = block_buffer(store.desc(), source.ty(), false)?;
    let buffer = builder.create(OpKind::TtgLocalAlloc, &[source], &[ty], &[]).result(0);
    fence(&mut builder);
    let copy = copy_to_global(&mut builder, store, buffer);
    let wait = store_wait(&mut builder);
    erase_store(store);
    Ok(LoweredStore { copy, wait })
}

/// Lets stores of one block, such as the halves of a product, be waited for once, behind the last: each keeps its buffer until then, as long as
/// that takes no CTA from a multiprocessor.
fn wait_once(stores: &[LoweredStore<'_>], function: Op<'_>, cx: &PassContext) -> Result<()> {
    let has_next = |pair: &[LoweredStore<'_>]| pair[0].wait.block() == pair[1].wait.block();
    if !stores.windows(2).any(has_next) {
        return Ok(());
    }
    let ctas = || -> Result<u32> {
        let bytes = total_bytes(&buffers_of_module(function)?);
        Ok(cx.target.occupancy(1, bytes, cx.options.num_warps).ctas_per_sm)
    };
    let before = ctas()?;
    for block in stores.chunk_by(|a, b| a.wait.block() == b.wait.block()) {
        let Some((last, earlier)) = block.split_last() else { continue };
        for LoweredStore { copy, wait } in earlier {
            let buffer = copy.operand(copy.num_operands() - 1);
            let kept = Builder::after(last.wait).create(OpKind::TtgLocalDealloc, &[buffer], &[], &[]);
            if ctas()? != before.max(1) {
                kept.erase();
                break;
            }
            wait.erase();
        }
    }
    Ok(())
}

/// Erases a store, and the conversion before it that nothing else needs.
pub(crate) fn erase_store(store: DescriptorStoreLikeOp<'_>) {
    let stored = store.src();
    store.op.erase();
    if let Some(op) = stored.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout && !stored.has_uses()) {
        op.erase();
    }
}

/// `ttng.fence_async_shared` of this CTA.
pub(crate) fn fence(builder: &mut Builder<'_>) {
    let own_cta = ("bCluster", builder.context().bool_attr(false));
    builder.create(OpKind::TtngFenceAsyncShared, &[], &[], &[own_cta]);
}

/// The copy or reduction of a buffer that `store` names.
pub(crate) fn copy_to_global<'c>(
    builder: &mut Builder<'c>,
    store: DescriptorStoreLikeOp<'c>,
    buffer: Value<'c>,
) -> Op<'c> {
    let mut operands = vec![store.desc()];
    operands.extend(store.indices());
    operands.push(buffer);
    match store.op.attr("kind").filter(|_| store.op.kind() == OpKind::TtDescriptorReduce) {
        Some(kind) => builder.create(OpKind::TtngAsyncTmaReduce, &operands, &[], &[("kind", kind)]),
        None => builder.create(OpKind::TtngAsyncTmaCopyLocalToGlobal, &operands, &[], &[]),
    }
}

/// `ttng.fence_async_shared` of this CTA that orders accesses to global memory, too.
pub(crate) fn fence_all_memory(builder: &mut Builder<'_>) {
    let context = builder.context();
    let attributes = [("bCluster", context.bool_attr(false)), (ALL_MEMORY, context.unit_attr())];
    builder.create(OpKind::TtngFenceAsyncShared, &[], &[], &attributes);
}

/// `ttng.async_tma_store_wait` for every copy, until its buffer has been read.
pub(crate) fn store_wait<'c>(builder: &mut Builder<'c>) -> Op<'c> {
    let context = builder.context();
    let attributes = [("pendings", context.i32_attr(0)), ("read_only", context.unit_attr())];
    builder.create(OpKind::TtngAsyncTmaStoreWait, &[], &[], &attributes)
}

/// The same, until all copies have written global memory.
pub(crate) fn wait_until_written(builder: &mut Builder<'_>) {
    let pendings = ("pendings", builder.context().i32_attr(0));
    builder.create(OpKind::TtngAsyncTmaStoreWait, &[], &[], &[pendings]);
}
