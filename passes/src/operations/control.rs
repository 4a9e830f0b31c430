//! Which operations pass values on, and how.

use tk_ir::{Op, OpKind};

/// How control and values flow through an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// A loop that counts.
    For,
    /// A loop with a condition.
    While,
    /// A branch.
    If,
    /// Ends a region and gives values to the operation around it.
    Yield,
    /// Ends the first region of a `While`.
    Condition,
    /// Has regions, jumps or returns; passes do not follow values through it.
    Opaque,
    /// Control goes on behind it. Regions that combine elements belong to the operation.
    Plain,
}

/// How control and values flow through operations of this kind.
#[rustfmt::skip] // as many names on a line as there is room for
pub(crate) fn control(kind: OpKind) -> Control {
    use OpKind::*;
    match kind {
        ScfFor => Control::For,
        ScfWhile => Control::While,
        ScfIf => Control::If,
        ScfYield => Control::Yield,
        ScfCondition => Control::Condition,
        BuiltinModule | TtFunc | TtReturn | TtReduceReturn | TtScanReturn | TtMapElementwiseReturn | ScfExecuteRegion
        | ScfIndexSwitch | CfBranch | CfCondBranch | CfSwitch | UbUnreachable | TtgWarpSpecialize
        | TtgWarpSpecializePartitions | TtgWarpYield | TtgWarpReturn | TtgMask | TtgMaskReturn | Other
=> Control::Opaque,
        arithmetic!() | mathematics!() | BuiltinUnrealizedConversionCast | ArithConstant | CfAssert | UbPoison
        | GpuBarrier | GpuThreadId | GpuBlockId | LlvmAssume | TtCall | TtGetProgramId | TtGetNumPrograms
        | TtMakeRange | TtSplat | TtUnsplat | TtExpandDims | TtBroadcast | TtReshape | TtTrans | TtCat | TtJoin
        | TtSplit | TtAddPtr | TtLoad | TtStore | TtAtomicRmw | TtAtomicCas | TtAtomicLoad | TtAtomicStore
        | TtAtomicPoll | TtBitcast | TtIntToPtr | TtPtrToInt | TtFpToFp | TtPreciseSqrt | TtPreciseDivF | TtApproxDivF
        | TtMulhiUI | TtClampF | TtDot | TtDotScaled | TtReduce | TtScan | TtMapElementwise | TtHistogram | TtGather
        | TtExternElementwise | TtElementwiseInlineAsm | TtPrint | TtAssert | TkGuard | TkHint | TtMakeTensorDescriptor
        | TtDescriptorLoad | TtDescriptorStore | TtDescriptorGather | TtDescriptorScatter | TtDescriptorReduce
        | TtGridDependencyWait | TtGridDependencyLaunchDependents | TtgConvertLayout | TtgLocalAlloc | TtgLocalLoad
        | TtgLocalStore | TtgLocalDealloc | TtgLocalGather | TtgLocalScatter | TtgLocalAtomicScatterRmw
        | TtgMemDescIndex | TtgMemDescSubslice | TtgMemDescTrans | TtgMemDescReshape | TtgMemDescReinterpret
        | TtgAsyncCopyGlobalToLocal | TtgAsyncCommitGroup | TtgAsyncWait | TtgBarrier | TtgGlobalScratchAlloc
        | TtgWarpId | TtgPredicateStage | TtgFp4ToFp | TtngWarpGroupDot | TtngWarpGroupDotWait | TkWaitHandOver
        | TkHandOver | TkPairBarrier | TtngInitBarrier | TtngInvalBarrier | TtngBarrierExpect | TtngWaitBarrier | TtngArriveBarrier
        | TtngAsyncCopyMbarrierArrive | TtngAsyncTmaCopyGlobalToLocal | TtngAsyncTmaCopyLocalToGlobal
        | TtngAsyncTmaGather | TtngAsyncTmaScatter | TtngAsyncTmaReduce | TtngAsyncTmaStoreWait | TtngAsyncTmaPrefetch
        | TtngFenceAsyncShared | TtngFenceMbarrierInitReleaseCluster | TtngClusterArrive | TtngClusterWait
        | TtngClusterBarrier | TtngTensormapCreate | TtngTensormapFenceproxyAcquire | TtngReinterpretTensorDescriptor
        | TtngTmaStoreTokenWait => Control::Plain,
    }
}

/// It runs its regions again and again.
pub(crate) fn is_loop(op: Op<'_>) -> bool {
    matches!(control(op.kind()), Control::For | Control::While)
}

/// A loop or a branch: passes follow values through its regions.
pub(crate) fn is_structured(op: Op<'_>) -> bool {
    matches!(control(op.kind()), Control::For | Control::While | Control::If)
}
