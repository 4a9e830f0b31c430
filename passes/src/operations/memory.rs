//! What operations do to global memory and to shared memory.

use tk_ir::{Op, OpKind, Value};

/// What an operation does to global memory. Operand 0 says where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GlobalMemory {
    /// Nothing that the program could see.
    None,
    /// An access through a pointer or a tensor of pointers.
    Pointers(Access),
    /// An access to a block of a tensor descriptor.
    Block(Access),
    /// A copy by TMA between a block of a tensor descriptor and shared memory.
    Copy(Access),
    /// What MLIR says of its effects is all that is known.
    Unknown,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It reads, combines and writes.
    Combine,
    /// It reads or writes one element, in order with what other threads do.
    Synchronize,
}

impl Access {
    /// Others see that it was there, or it sees what others did meanwhile.
    pub(crate) fn is_ordered(self) -> bool {
        match self {
            Access::Read => false,
            Access::Write | Access::Combine | Access::Synchronize => true,
        }
    }
}

/// What operations of this kind do to global memory.
#[rustfmt::skip] // as many names on a line as there is room for
pub(crate) fn global_memory(kind: OpKind) -> GlobalMemory {
    use OpKind::*;
    match kind {
        TtLoad | TtgAsyncCopyGlobalToLocal => GlobalMemory::Pointers(Access::Read),
        TtStore => GlobalMemory::Pointers(Access::Write),
        TtAtomicRmw => GlobalMemory::Pointers(Access::Combine),
        TtAtomicCas | TtAtomicLoad | TtAtomicStore | TtAtomicPoll => GlobalMemory::Pointers(Access::Synchronize),
        TtDescriptorLoad | TtDescriptorGather => GlobalMemory::Block(Access::Read),
        TtDescriptorStore | TtDescriptorScatter => GlobalMemory::Block(Access::Write),
        TtDescriptorReduce => GlobalMemory::Block(Access::Combine),
        TtngAsyncTmaCopyGlobalToLocal | TtngAsyncTmaGather => GlobalMemory::Copy(Access::Read),
        TtngAsyncTmaCopyLocalToGlobal | TtngAsyncTmaScatter => GlobalMemory::Copy(Access::Write),
        TtngAsyncTmaReduce => GlobalMemory::Copy(Access::Combine),
        TtCall | TtElementwiseInlineAsm | Other => GlobalMemory::Unknown,
        // Tensor maps and records of failed checks are memory that the program does not read.
        arithmetic!() | mathematics!() | BuiltinModule | BuiltinUnrealizedConversionCast | ArithConstant
        | ScfCondition | ScfExecuteRegion | ScfFor | ScfIf | ScfIndexSwitch | ScfWhile | ScfYield | CfAssert | CfBranch
        | CfCondBranch | CfSwitch | UbPoison | UbUnreachable | GpuBarrier | GpuThreadId | GpuBlockId | LlvmAssume
        | TtFunc | TtReturn | TtGetProgramId | TtGetNumPrograms | TtMakeRange | TtSplat | TtUnsplat | TtExpandDims
        | TtBroadcast | TtReshape | TtTrans | TtCat | TtJoin | TtSplit | TtAddPtr | TtBitcast | TtIntToPtr
        | TtPtrToInt | TtFpToFp | TtPreciseSqrt | TtPreciseDivF | TtApproxDivF | TtMulhiUI | TtClampF | TtDot
        | TtDotScaled | TtReduce | TtReduceReturn | TtScan | TtScanReturn | TtMapElementwise | TtMapElementwiseReturn
        | TtHistogram | TtGather | TtExternElementwise | TtPrint | TtAssert | TkGuard | TkHint | TtMakeTensorDescriptor
        | TtGridDependencyWait | TtGridDependencyLaunchDependents | TtgConvertLayout | TtgLocalAlloc | TtgLocalLoad
        | TtgLocalStore | TtgLocalDealloc | TtgLocalGather | TtgLocalScatter | TtgLocalAtomicScatterRmw
        | TtgMemDescIndex | TtgMemDescSubslice | TtgMemDescTrans | TtgMemDescReshape | TtgMemDescReinterpret
        | TtgAsyncCommitGroup | TtgAsyncWait | TtgBarrier | TtgGlobalScratchAlloc | TtgWarpSpecialize
        | TtgWarpSpecializePartitions | TtgWarpYield | TtgWarpReturn | TtgWarpId | TtgPredicateStage | TtgMask
        | TtgMaskReturn | TtgFp4ToFp | TtngWarpGroupDot | TtngWarpGroupDotWait | TkWaitHandOver | TkHandOver | TkPairBarrier
        | TtngInitBarrier | TtngInvalBarrier | TtngBarrierExpect | TtngWaitBarrier | TtngArriveBarrier
        | TtngAsyncCopyMbarrierArrive | TtngAsyncTmaStoreWait | TtngAsyncTmaPrefetch | TtngFenceAsyncShared
        | TtngFenceMbarrierInitReleaseCluster | TtngClusterArrive | TtngClusterWait | TtngClusterBarrier
        | TtngTensormapCreate | TtngTensormapFenceproxyAcquire | TtngReinterpretTensorDescriptor
        | TtngTmaStoreTokenWait => GlobalMemory::None,
    }
}

impl GlobalMemory {
    /// What an access does, whatever it is by; `None` for what is no access.
    pub(crate) fn access(self) -> Option<Access> {
        match self {
            GlobalMemory::Pointers(access) | GlobalMemory::Block(access) | GlobalMemory::Copy(access) => Some(access),
            GlobalMemory::None | GlobalMemory::Unknown => None,
        }
    }
}

/// It changes global memory through pointers or descriptors, or looks at it in order with what other threads do.
pub(crate) fn is_ordered_access(op: Op<'_>) -> bool {
    global_memory(op.kind()).access().is_some_and(Access::is_ordered)
}

/// Whether an operation is a copy by the unit for tensor memory accesses (TMA).
pub fn is_copy_by_tma(op: Op<'_>) -> bool {
    matches!(global_memory(op.kind()), GlobalMemory::Copy(_))
}

/// What an operation does to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SharedMemory {
    /// Nothing.
    None,
    /// It may need bytes of its own while it runs.
    Scratch(Scratch),
    /// What the function that it calls does.
    Call,
    /// A buffer, perhaps with contents.
    Allocate,
    /// The end of a buffer.
    Free,
    /// Its result is another view of its first operand.
    View,
    /// Threads read the buffers among its operands.
    Read,
    /// Threads write the buffer that is this operand.
    Write {
        /// The number of the operand.
        target: usize,
    },
    /// `cp.async` starts to write operand 1.
    StartCopy,
    /// Waits for `cp.async`.
    WaitForCopies,
    /// A dot reads its operands, perhaps until it is waited for.
    StartDot,
    /// Waits for dots.
    WaitForDots,
    /// TMA starts to read the last operand.
    StartStore,
    /// TMA starts to write a buffer and arrives at an mbarrier.
    StartLoad,
    /// Waits for stores by TMA.
    WaitForStores,
    /// The first thread makes or ends an mbarrier.
    InitMbarrier,
    /// The first thread announces copies by TMA.
    Announce,
    /// Threads arrive at an mbarrier.
    Arrive,
    /// Waits at an mbarrier.
    WaitAtMbarrier,
    /// What threads wrote becomes visible to TMA and `wgmma`.
    Fence,
    /// All threads meet.
    Barrier,
}

impl SharedMemory {
    /// Buffers hold what they held, and nobody is waited for who changes them.
    pub(crate) fn leaves_contents(self) -> bool {
        match self {
            SharedMemory::None
            | SharedMemory::Scratch(_)
            | SharedMemory::Allocate
            | SharedMemory::View
            | SharedMemory::Read => true,
            SharedMemory::Call
            | SharedMemory::Free
            | SharedMemory::Write { .. }
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
            | SharedMemory::Fence
            | SharedMemory::Barrier => false,
        }
    }

    /// What is done to the buffers among the operands is to read them.
    pub(crate) fn only_reads(self) -> bool {
        match self {
            SharedMemory::View | SharedMemory::Read | SharedMemory::StartDot | SharedMemory::WaitForDots => true,
            SharedMemory::None
            | SharedMemory::Scratch(_)
            | SharedMemory::Call
            | SharedMemory::Allocate
            | SharedMemory::Free
            | SharedMemory::Write { .. }
            | SharedMemory::StartCopy
            | SharedMemory::WaitForCopies
            | SharedMemory::StartStore
            | SharedMemory::StartLoad
            | SharedMemory::WaitForStores
            | SharedMemory::InitMbarrier
            | SharedMemory::Announce
            | SharedMemory::Arrive
            | SharedMemory::WaitAtMbarrier
            | SharedMemory::Fence
            | SharedMemory::Barrier => false,
        }
    }

    /// A dot by warp groups, or the wait for some.
    pub(crate) fn is_of_dots(self) -> bool {
        matches!(self, SharedMemory::StartDot | SharedMemory::WaitForDots)
    }

    /// It asks for what shared memory gets without registers.
    pub(crate) fn starts_copy(self) -> bool {
        matches!(self, SharedMemory::StartCopy | SharedMemory::StartLoad)
    }
}

/// What an operation needs bytes of shared memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the operations")]
pub(crate) enum Scratch {
    Conversion,
    Reduction,
    Scan,
    Atomic,
    Histogram,
    Gather,
    TensorMap,
}

/// What operations of this kind do to shared memory.
#[rustfmt::skip] // as many names on a line as there is room for
pub(crate) fn shared_memory(kind: OpKind) -> SharedMemory {
    use OpKind::*;
    match kind {
        TtgConvertLayout => SharedMemory::Scratch(Scratch::Conversion),
        TtReduce => SharedMemory::Scratch(Scratch::Reduction),
        TtScan => SharedMemory::Scratch(Scratch::Scan),
        TtAtomicRmw | TtAtomicCas => SharedMemory::Scratch(Scratch::Atomic),
        TtHistogram => SharedMemory::Scratch(Scratch::Histogram),
        TtGather => SharedMemory::Scratch(Scratch::Gather),
        TtngTensormapCreate => SharedMemory::Scratch(Scratch::TensorMap),
        TtCall => SharedMemory::Call,
        TtgLocalAlloc => SharedMemory::Allocate,
        TtgLocalDealloc => SharedMemory::Free,
        TtgMemDescIndex | TtgMemDescSubslice | TtgMemDescTrans | TtgMemDescReshape | TtgMemDescReinterpret
=> SharedMemory::View,
        TtgLocalLoad | TtgLocalGather => SharedMemory::Read,
        TtgLocalStore => SharedMemory::Write { target: 1 },
        TtgLocalScatter | TtgLocalAtomicScatterRmw => SharedMemory::Write { target: 0 },
        TtgAsyncCopyGlobalToLocal => SharedMemory::StartCopy,
        TtgAsyncWait => SharedMemory::WaitForCopies,
        TtngWarpGroupDot => SharedMemory::StartDot,
        TtngWarpGroupDotWait => SharedMemory::WaitForDots,
        TtngAsyncTmaCopyLocalToGlobal | TtngAsyncTmaReduce | TtngAsyncTmaScatter => SharedMemory::StartStore,
        TtngAsyncTmaCopyGlobalToLocal | TtngAsyncTmaGather => SharedMemory::StartLoad,
        TtngAsyncTmaStoreWait | TtngTmaStoreTokenWait => SharedMemory::WaitForStores,
        TtngInitBarrier | TtngInvalBarrier => SharedMemory::InitMbarrier,
        TtngBarrierExpect => SharedMemory::Announce,
        TtngArriveBarrier => SharedMemory::Arrive,
        TtngWaitBarrier => SharedMemory::WaitAtMbarrier,
        TtngFenceAsyncShared => SharedMemory::Fence,
        GpuBarrier | TtgBarrier | TkPairBarrier => SharedMemory::Barrier,
        // `ttng.async_copy_mbarrier_arrive` arrives when copies are done. That threads of a cluster meet is not
        // used.
        arithmetic!() | mathematics!() | BuiltinModule | BuiltinUnrealizedConversionCast | ArithConstant
        | ScfCondition | ScfExecuteRegion | ScfFor | ScfIf | ScfIndexSwitch | ScfWhile | ScfYield | CfAssert | CfBranch
        | CfCondBranch | CfSwitch | UbPoison | UbUnreachable | GpuThreadId | GpuBlockId | LlvmAssume | TtFunc
        | TtReturn | TtGetProgramId | TtGetNumPrograms | TtMakeRange | TtSplat | TtUnsplat | TtExpandDims
        | TtBroadcast | TtReshape | TtTrans | TtCat | TtJoin | TtSplit | TtAddPtr | TtLoad | TtStore | TtAtomicLoad
        | TtAtomicStore | TtAtomicPoll | TtBitcast | TtIntToPtr | TtPtrToInt | TtFpToFp | TtPreciseSqrt
        | TtPreciseDivF | TtApproxDivF | TtMulhiUI | TtClampF | TtDot | TtDotScaled | TtReduceReturn | TtScanReturn
        | TtMapElementwise | TtMapElementwiseReturn | TtExternElementwise | TtElementwiseInlineAsm | TtPrint
        | TtAssert | TkGuard | TkHint | TtMakeTensorDescriptor | TtDescriptorLoad | TtDescriptorStore | TtDescriptorGather
        | TtDescriptorScatter | TtDescriptorReduce | TtGridDependencyWait | TtGridDependencyLaunchDependents
        | TtgAsyncCommitGroup | TtgGlobalScratchAlloc | TtgWarpSpecialize | TtgWarpSpecializePartitions | TtgWarpYield
        | TtgWarpReturn | TtgWarpId | TtgPredicateStage | TtgMask | TtgMaskReturn | TtgFp4ToFp | TkWaitHandOver
        | TkHandOver | TtngAsyncCopyMbarrierArrive | TtngAsyncTmaPrefetch | TtngFenceMbarrierInitReleaseCluster
        | TtngClusterArrive | TtngClusterWait | TtngClusterBarrier | TtngTensormapFenceproxyAcquire
        | TtngReinterpretTensorDescriptor | Other => SharedMemory::None,
    }
}

/// Another view of a buffer.
pub(crate) fn is_view(op: Op<'_>) -> bool {
    shared_memory(op.kind()) == SharedMemory::View
}

/// The buffer that a value is a view of.
pub(crate) fn root(mut memory: Value<'_>) -> Value<'_> {
    while let Some(op) = memory.defining_op().filter(|op| is_view(*op)) {
        memory = op.operand(0);
    }
    memory
}
