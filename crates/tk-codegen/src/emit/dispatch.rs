//! Which file emits which operation.

use super::family::{
    AsyncCopy, Barrier, Control, Debugging, Dot, Exchange, Family, Local, Memory, Named, Program, Shape, Tma,
};
use super::four_bit_floats::Nibble;
use super::*;

/// Emits one operation that is no terminator.
pub(super) fn emit<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    match Family::of(op.kind()) {
        Family::Program(which) => emit_program(emitter, op, which),
        Family::Control(which) => emit_control(emitter, op, which),
        Family::Memory(which) => emit_memory(emitter, op, which),
        Family::Shape(which) => emit_shape(emitter, op, which),
        Family::Exchange(which) => emit_exchange(emitter, op, which),
        Family::Local(which) => emit_local(emitter, op, which),
        Family::AsyncCopy(which) => emit_async_copy(emitter, op, which),
        Family::Barrier(which) => emit_barrier(emitter, op, which),
        Family::Tma(which) => emit_tma(emitter, op, which),
        Family::Dot(which) => emit_dot(emitter, op, which),
        Family::Debugging(which) => emit_debugging(emitter, op, which),
        Family::Cast(which) => casts::emit_cast(emitter, op, which),
        Family::Integer(which) => integer::emit_integer(emitter, op, which),
        Family::Float(which) => float::emit_float(emitter, op, which),
        Family::Math(which) => math_functions::emit_math(emitter, op, which),
        Family::Named(which) => emit_named(emitter, op, which),
        Family::Terminator(_) => Err(emitter.bug(op, "it ends a block, and stands in the middle of one")),
        Family::Replaced(which) => Err(emitter.bug(op, format!("`{}` leaves no such operation", which.stage()))),
        Family::NeverMade(_) => Err(emitter.bug(op, "there is no code for this operation")),
    }
}

/// Whether the code of an operation has a branch for angles that are large.
pub(super) fn has_branch_for_large_angles(op: Op<'_>) -> bool {
    math_functions::may_branch_for_large_angles(op)
}

fn emit_program<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Program) -> Result<()> {
    match which {
        Program::ArithConstant => program::emit_constant(emitter, op),
        Program::TtGetProgramId => program::emit_program_id(emitter, op, "ctaid"),
        Program::TtGetNumPrograms => program::emit_program_id(emitter, op, "nctaid"),
        Program::TtMakeRange => program::emit_make_range(emitter, op),
        Program::TtSplat => program::emit_splat(emitter, op),
        Program::TtUnsplat => program::emit_unsplat(emitter, op),
        Program::UbPoison => program::emit_poison(emitter, op),
        Program::LlvmAssume => program::emit_assume(emitter, op),
        Program::GpuBarrier | Program::TtgBarrier => local::emit_barrier(emitter, op),
    }
}

fn emit_control<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Control) -> Result<()> {
    match which {
        Control::ScfFor => control::emit_for(emitter, op),
        Control::ScfIf => control::emit_if(emitter, op),
        Control::ScfWhile => control::emit_while(emitter, op),
        Control::TtCall => call::emit_call(emitter, op),
    }
}

fn emit_memory<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Memory) -> Result<()> {
    match which {
        Memory::TtLoad => memory::emit_load(emitter, op),
        Memory::TtStore => memory::emit_store(emitter, op),
        Memory::TtAddPtr => memory::emit_addptr(emitter, op),
        Memory::TtAtomicRmw | Memory::TtAtomicCas => atomic::emit_atomic(emitter, op),
    }
}

fn emit_shape<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Shape) -> Result<()> {
    match which {
        Shape::TtExpandDims | Shape::TtReshape => shape::emit_reshape(emitter, op),
        Shape::TtTrans => shape::emit_trans(emitter, op),
        Shape::TtBroadcast => shape::emit_broadcast(emitter, op),
        Shape::TtJoin => shape::emit_join(emitter, op),
        Shape::TtSplit => shape::emit_split(emitter, op),
        Shape::TtCat => shape::emit_cat(emitter, op),
    }
}

fn emit_exchange<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Exchange) -> Result<()> {
    match which {
        Exchange::TtgConvertLayout => convert_layout::emit_convert_layout(emitter, op),
        Exchange::TtReduce => reduce::emit_reduce(emitter, op),
        Exchange::TtScan => scan::emit_scan(emitter, op),
        Exchange::TtHistogram => histogram::emit_histogram(emitter, op),
        Exchange::TtGather => gather::emit_gather(emitter, op),
    }
}

fn emit_local<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Local) -> Result<()> {
    match which {
        Local::TtgLocalAlloc => local::emit_alloc(emitter, op),
        Local::TtgLocalLoad => local::emit_load(emitter, op),
        Local::TtgLocalGather => gather::emit_local_gather(emitter, op),
        Local::TtgLocalStore => local::emit_store(emitter, op),
        // Where buffers lie is planned, so nothing happens at their end.
        Local::TtgLocalDealloc => Ok(()),
        Local::TtgMemDescIndex => memdesc::emit_index(emitter, op),
        Local::TtgMemDescSubslice => memdesc::emit_subslice(emitter, op),
        Local::TtgMemDescTrans | Local::TtgMemDescReshape | Local::TtgMemDescReinterpret => {
            memdesc::emit_same_bytes(emitter, op)
        }
    }
}

fn emit_async_copy<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: AsyncCopy) -> Result<()> {
    match which {
        AsyncCopy::TtgAsyncCopyGlobalToLocal => async_copy::emit_copy(emitter, op),
        AsyncCopy::TtgAsyncCommitGroup => async_copy::emit_commit(emitter, op),
        AsyncCopy::TtgAsyncWait => async_copy::emit_wait(emitter, op),
        AsyncCopy::TtngFenceAsyncShared => async_copy::emit_fence(emitter, op),
    }
}

fn emit_barrier<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Barrier) -> Result<()> {
    match which {
        Barrier::TtngInitBarrier => mbarrier::emit_init(emitter, op),
        Barrier::TtngInvalBarrier => mbarrier::emit_invalidate(emitter, op),
        Barrier::TtngBarrierExpect => mbarrier::emit_expect(emitter, op),
        Barrier::TtngWaitBarrier => mbarrier::emit_wait(emitter, op),
        Barrier::TtngArriveBarrier => mbarrier::emit_arrive(emitter, op),
        Barrier::TtngAsyncCopyMbarrierArrive => mbarrier::emit_copy_arrive(emitter, op),
        Barrier::TkWaitHandOver => hand_over::emit_wait(emitter, op),
        Barrier::TkHandOver => hand_over::emit_give(emitter, op),
        Barrier::TkPairBarrier => pair::emit_barrier(emitter, op),
        Barrier::TtngFenceMbarrierInitReleaseCluster => pair::emit_fence(emitter),
        Barrier::TtngClusterBarrier => pair::emit_cluster_barrier(emitter, op),
    }
}

fn emit_tma<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Tma) -> Result<()> {
    match which {
        Tma::TtngAsyncTmaCopyGlobalToLocal => tma::emit_load(emitter, op),
        Tma::TtngAsyncTmaCopyLocalToGlobal => tma::emit_store(emitter, op),
        Tma::TtngAsyncTmaReduce => tma::emit_reduce(emitter, op),
        Tma::TtngAsyncTmaStoreWait => tma::emit_store_wait(emitter, op),
        Tma::TtngAsyncTmaPrefetch => tma::emit_prefetch(emitter, op),
        Tma::TtgGlobalScratchAlloc => tensor_map::emit_scratch(emitter, op),
        Tma::TtngTensormapCreate => tensor_map::emit_create(emitter, op),
        Tma::TtngTensormapFenceproxyAcquire => tensor_map::emit_acquire(emitter, op),
        Tma::TtngReinterpretTensorDescriptor => tensor_map::emit_reinterpret(emitter, op),
    }
}

fn emit_dot<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Dot) -> Result<()> {
    match which {
        Dot::TtDot => dot::emit_dot(emitter, op),
        Dot::TtngWarpGroupDot => wgmma::emit_dot(emitter, op),
        Dot::TtngWarpGroupDotWait => wgmma::emit_wait(emitter, op),
    }
}

fn emit_debugging<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Debugging) -> Result<()> {
    match which {
        Debugging::TtAssert => debug::emit_assert(emitter, op),
        Debugging::TkGuard => debug::emit_guard(emitter, op),
        Debugging::TtPrint => debug::emit_print(emitter, op),
    }
}

fn emit_named<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, which: Named) -> Result<()> {
    match which {
        // Symbols of tk's own are in no library, whichever the program names.
        Named::TtExternElementwise => match Nibble::of(op) {
            Some(nibble) => four_bit_floats::emit(emitter, op, nibble),
            None => math_functions::emit_named(emitter, op),
        },
        Named::TtElementwiseInlineAsm => inline_asm::emit_inline_asm(emitter, op),
    }
}
