//! Which file emits which operation.

use super::*;
use tk_ir::OpKind as K;

/// Emits one operation that is no terminator.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    match op.kind() {
        K::ArithConstant => program::emit_constant(emitter, op),
        K::TtGetProgramId | K::TtGetNumPrograms => program::emit_program_id(emitter, op),
        K::TtMakeRange => program::emit_make_range(emitter, op),
        K::TtSplat => program::emit_splat(emitter, op),
        K::TtUnsplat => program::emit_unsplat(emitter, op),
        K::UbPoison => program::emit_poison(emitter, op),
        K::LlvmIntrAssume => program::emit_assume(emitter, op),
        K::GpuBarrier | K::TtgBarrier => program::emit_barrier(emitter, op),

        K::ScfFor => control::emit_for(emitter, op),
        K::ScfIf => control::emit_if(emitter, op),
        K::ScfWhile => control::emit_while(emitter, op),

        K::TtLoad => memory::emit_load(emitter, op),
        K::TtStore => memory::emit_store(emitter, op),
        K::TtAddPtr => memory::emit_addptr(emitter, op),

        K::TtExpandDims | K::TtReshape | K::TtTrans | K::TtBroadcast => shape::emit_rename(emitter, op),
        K::TtJoin => shape::emit_join(emitter, op),
        K::TtSplit => shape::emit_split(emitter, op),
        K::TtCat => shape::emit_cat(emitter, op),

        K::TtgConvertLayout => convert_layout::emit_convert_layout(emitter, op),
        K::TtReduce => reduce::emit_reduce(emitter, op),
        K::TtgLocalAlloc | K::TtgLocalLoad | K::TtgLocalStore | K::TtgLocalDealloc => local::emit_local(emitter, op),
        K::TtgMemDescIndex | K::TtgMemDescTrans | K::TtgMemDescReshape | K::TtgMemDescReinterpret => {
            local::emit_view(emitter, op)
        }
        K::TtgMemDescSubslice => memdesc::emit_subslice(emitter, op),
        K::TtgAsyncCopyGlobalToLocal => async_copy::emit_copy(emitter, op),
        K::TtgAsyncCommitGroup => async_copy::emit_commit(emitter, op),
        K::TtgAsyncWait => async_copy::emit_wait(emitter, op),
        K::TtngFenceAsyncShared => async_copy::emit_fence(emitter, op),
        K::TtngInitBarrier
        | K::TtngInvalBarrier
        | K::TtngBarrierExpect
        | K::TtngWaitBarrier
        | K::TtngArriveBarrier
        | K::TtngAsyncCopyMbarrierArrive => mbarrier::emit_mbarrier(emitter, op),
        K::TtngTakeTurn | K::TtngGiveTurn => turns::emit_turn(emitter, op),
        K::TtngAsyncTmaCopyGlobalToLocal => tma::emit_load(emitter, op),
        K::TtngAsyncTmaCopyLocalToGlobal | K::TtngAsyncTmaReduce => tma::emit_store(emitter, op),
        K::TtngAsyncTmaStoreWait => tma::emit_store_wait(emitter, op),
        K::TtngAsyncTmaPrefetch => tma::emit_prefetch(emitter, op),
        K::TtgGlobalScratchAlloc => tensor_map::emit_scratch(emitter, op),
        K::TtngTensormapCreate => tensor_map::emit_create(emitter, op),
        K::TtngTensormapFenceproxyAcquire => tensor_map::emit_acquire(emitter, op),
        K::TtngReinterpretTensorDescriptor => tensor_map::emit_reinterpret(emitter, op),

        K::TtDot => dot::emit_dot(emitter, op),
        K::TtngWarpGroupDot => wgmma::emit_dot(emitter, op),
        K::TtngWarpGroupDotWait => wgmma::emit_wait(emitter, op),
        K::TtAtomicRmw | K::TtAtomicCas => atomic::emit_atomic(emitter, op),
        K::TtScan => scan::emit_scan(emitter, op),
        K::TtHistogram => histogram::emit_histogram(emitter, op),
        K::TtGather => gather::emit_gather(emitter, op),
        K::TtElementwiseInlineAsm => inline_asm::emit_inline_asm(emitter, op),
        K::TtCall => call::emit_call(emitter, op),
        K::TtAssert | K::TtGuard | K::TtPrint => debug::emit_debug(emitter, op),

        _ => elementwise::emit_elementwise(emitter, op),
    }
}
