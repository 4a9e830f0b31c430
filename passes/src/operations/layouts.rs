//! How the layouts of an operation's operands and results are tied to each other. [`crate::encodings`] computes with the answers.

use tk_ir::OpKind;

/// How layouts pass through an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayoutRule {
    /// All tensor operands and results have one layout, and any will do.
    Same,
    /// All tensor operands and results have one layout, which decides how fast memory is accessed.
    Access,
    /// The layouts of operands and results follow from each other.
    Shape(ShapeChange),
    /// From any layout to any layout.
    Conversion,
    /// Tensor operands in any layout, and no tensor results.
    Any,
    /// Layouts of its own, which are worth keeping.
    Own,
    /// Layouts that are not tied to each other, or no tensors at all.
    Fixed,
}

/// How an operation changes the shape of its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapeChange {
    /// A new axis of size 1.
    ExpandDims,
    /// An axis less.
    Reduce,
    /// Axes in another order.
    Trans,
    /// Other axes, in row-major order.
    Reshape,
    /// Two tensors become one with a last axis of size 2.
    Join,
    /// The inverse of a join.
    Split,
}

/// How layouts pass through operations of this kind.
#[rustfmt::skip] // as many names on a line as there is room for
pub(crate) fn layout_rule(kind: OpKind) -> LayoutRule {
    use OpKind::*;
    match kind {
        arithmetic!() | mathematics!() | ArithConstant | UbPoison | TtMakeRange | TtSplat | TtBroadcast | TtAddPtr | TkHint
        | TtBitcast | TtIntToPtr | TtPtrToInt | TtFpToFp | TtPreciseSqrt | TtPreciseDivF | TtApproxDivF | TtMulhiUI
        | TtClampF | TtExternElementwise | TtElementwiseInlineAsm | TtMapElementwise | TtScan => LayoutRule::Same,
        TtLoad | TtStore | TtAtomicRmw | TtAtomicCas => LayoutRule::Access,
        TtExpandDims => LayoutRule::Shape(ShapeChange::ExpandDims),
        TtReduce => LayoutRule::Shape(ShapeChange::Reduce),
        TtTrans => LayoutRule::Shape(ShapeChange::Trans),
        TtReshape => LayoutRule::Shape(ShapeChange::Reshape),
        TtJoin => LayoutRule::Shape(ShapeChange::Join),
        TtSplit => LayoutRule::Shape(ShapeChange::Split),
        TtgConvertLayout => LayoutRule::Conversion,
        TtAssert | TkGuard | TtPrint | TtgLocalAlloc | TtgLocalStore => LayoutRule::Any,
        TtDot | TtDotScaled | TtngWarpGroupDot | TtngWarpGroupDotWait | TtGather | TtHistogram => LayoutRule::Own,
        BuiltinModule | BuiltinUnrealizedConversionCast | ScfCondition | ScfExecuteRegion | ScfFor | ScfIf
        | ScfIndexSwitch | ScfWhile | ScfYield | CfAssert | CfBranch | CfCondBranch | CfSwitch | UbUnreachable | GpuBarrier
        | GpuThreadId | GpuBlockId | LlvmAssume | TtFunc | TtCall | TtReturn | TtGetProgramId | TtGetNumPrograms
        | TtUnsplat | TtCat | TtAtomicLoad | TtAtomicStore | TtAtomicPoll | TtReduceReturn | TtScanReturn
        | TtMapElementwiseReturn | TtMakeTensorDescriptor | TtDescriptorLoad | TtDescriptorStore | TtDescriptorGather
        | TtDescriptorScatter | TtDescriptorReduce | TtGridDependencyWait | TtGridDependencyLaunchDependents
        | TtgLocalLoad | TtgLocalDealloc | TtgLocalGather | TtgLocalScatter | TtgLocalAtomicScatterRmw
        | TtgMemDescIndex | TtgMemDescSubslice | TtgMemDescTrans | TtgMemDescReshape | TtgMemDescReinterpret
        | TtgAsyncCopyGlobalToLocal | TtgAsyncCommitGroup | TtgAsyncWait | TtgBarrier | TtgGlobalScratchAlloc
        | TtgWarpSpecialize | TtgWarpSpecializePartitions | TtgWarpYield | TtgWarpReturn | TtgWarpId
        | TtgPredicateStage | TtgMask | TtgMaskReturn | TtgFp4ToFp | TkWaitHandOver | TkHandOver | TkPairBarrier | TtngInitBarrier
        | TtngInvalBarrier | TtngBarrierExpect | TtngWaitBarrier | TtngArriveBarrier | TtngAsyncCopyMbarrierArrive
        | TtngAsyncTmaCopyGlobalToLocal | TtngAsyncTmaCopyLocalToGlobal | TtngAsyncTmaGather | TtngAsyncTmaScatter
        | TtngAsyncTmaReduce | TtngAsyncTmaStoreWait | TtngAsyncTmaPrefetch | TtngFenceAsyncShared
        | TtngFenceMbarrierInitReleaseCluster | TtngClusterArrive | TtngClusterWait | TtngClusterBarrier
        | TtngTensormapCreate | TtngTensormapFenceproxyAcquire | TtngReinterpretTensorDescriptor
        | TtngTmaStoreTokenWait | Other => LayoutRule::Fixed,
    }
}
