//! What becomes of operations in a loop whose iterations overlap.

use tk_ir::OpKind;

/// What becomes of an operation where iterations overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// The loop keeps its order: threads meet, wait for others, or run another loop in it.
    Obstacle,
    /// Ahead of its iteration it gets a mask, so that it does nothing past the end.
    Mask,
    /// Ahead of its iteration the condition that is its last operand says whether there is such an iteration.
    Condition,
    /// Computes past the end what nobody uses, or stays in its own iteration.
    Free,
}

/// What becomes of operations of this kind where iterations overlap.
#[rustfmt::skip] // as many names on a line as there is room for
pub(crate) fn overlap(kind: OpKind) -> Overlap {
    use OpKind::*;
    match kind {
        ScfFor | ScfWhile | TtCall | GpuBarrier | TtgBarrier | TtgWarpSpecialize | TtgWarpSpecializePartitions
        | TtGridDependencyWait | TtAtomicPoll | TtngClusterArrive | TtngClusterWait | TtngClusterBarrier
=> Overlap::Obstacle,
        TtLoad | TtgAsyncCopyGlobalToLocal => Overlap::Mask,
        TtngBarrierExpect | TtngAsyncTmaCopyGlobalToLocal | TtngAsyncTmaGather | TtngAsyncTmaPrefetch
=> Overlap::Condition,
        arithmetic!() | mathematics!() | BuiltinModule | BuiltinUnrealizedConversionCast | ArithConstant
        | ScfCondition | ScfExecuteRegion | ScfIf | ScfIndexSwitch | ScfYield | CfAssert | CfBranch | CfCondBranch | CfSwitch
        | UbPoison | UbUnreachable | GpuThreadId | GpuBlockId | LlvmAssume | TtFunc | TtReturn | TtGetProgramId
        | TtGetNumPrograms | TtMakeRange | TtSplat | TtUnsplat | TtExpandDims | TtBroadcast | TtReshape | TtTrans
        | TtCat | TtJoin | TtSplit | TtAddPtr | TtStore | TtAtomicRmw | TtAtomicCas | TtAtomicLoad | TtAtomicStore
        | TtBitcast | TtIntToPtr | TtPtrToInt | TtFpToFp | TtPreciseSqrt | TtPreciseDivF | TtApproxDivF | TtMulhiUI
        | TtClampF | TtDot | TtDotScaled | TtReduce | TtReduceReturn | TtScan | TtScanReturn | TtMapElementwise
        | TtMapElementwiseReturn | TtHistogram | TtGather | TtExternElementwise | TtElementwiseInlineAsm | TtPrint
        | TtAssert | TkGuard | TkHint | TtMakeTensorDescriptor | TtDescriptorLoad | TtDescriptorStore | TtDescriptorGather
        | TtDescriptorScatter | TtDescriptorReduce | TtGridDependencyLaunchDependents | TtgConvertLayout
        | TtgLocalAlloc | TtgLocalLoad | TtgLocalStore | TtgLocalDealloc | TtgLocalGather | TtgLocalScatter
        | TtgLocalAtomicScatterRmw | TtgMemDescIndex | TtgMemDescSubslice | TtgMemDescTrans | TtgMemDescReshape
        | TtgMemDescReinterpret | TtgAsyncCommitGroup | TtgAsyncWait | TtgGlobalScratchAlloc | TtgWarpYield
        | TtgWarpReturn | TtgWarpId | TtgPredicateStage | TtgMask | TtgMaskReturn | TtgFp4ToFp | TtngWarpGroupDot
        | TtngWarpGroupDotWait | TkWaitHandOver | TkHandOver | TkPairBarrier | TtngInitBarrier | TtngInvalBarrier | TtngWaitBarrier
        | TtngArriveBarrier | TtngAsyncCopyMbarrierArrive | TtngAsyncTmaCopyLocalToGlobal | TtngAsyncTmaScatter
        | TtngAsyncTmaReduce | TtngAsyncTmaStoreWait | TtngFenceAsyncShared | TtngFenceMbarrierInitReleaseCluster
        | TtngTensormapCreate | TtngTensormapFenceproxyAcquire | TtngReinterpretTensorDescriptor
        | TtngTmaStoreTokenWait | Other => Overlap::Free,
    }
}
