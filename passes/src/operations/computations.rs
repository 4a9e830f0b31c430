//! What it takes to compute the results of an operation.

use tk_ir::OpKind;

/// What it takes to compute results once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Computation {
    /// Numbers of the code.
    Constant,
    /// Registers that repeat others.
    Repeat,
    /// The number of the thread and a constant.
    Range,
    /// An instruction for each element.
    Arithmetic,
    /// Several instructions for each element.
    Function,
    /// Element by element, in few instructions that cost models leave out.
    Cast,
    /// Reads global memory.
    Load,
    /// Combines the elements of an axis.
    Reduction,
    /// Anything else: no computation, or none that is ever repeated.
    Other,
}

/// What it takes to compute the results of operations of this kind.
#[rustfmt::skip] // as many names on a line as there is room for
pub(crate) fn computation(kind: OpKind) -> Computation {
    use OpKind::*;
    match kind {
        ArithConstant | UbPoison => Computation::Constant,
        TtSplat | TtBroadcast | TtExpandDims | TkHint => Computation::Repeat,
        TtMakeRange => Computation::Range,
        arithmetic!() | TtAddPtr => Computation::Arithmetic,
        mathematics!() => Computation::Function,
        TtBitcast | TtIntToPtr | TtPtrToInt | TtFpToFp | TtPreciseSqrt | TtPreciseDivF | TtApproxDivF | TtMulhiUI
        | TtClampF => Computation::Cast,
        TtLoad => Computation::Load,
        TtReduce => Computation::Reduction,
        BuiltinModule | BuiltinUnrealizedConversionCast | ScfCondition | ScfExecuteRegion | ScfFor | ScfIf
        | ScfIndexSwitch | ScfWhile | ScfYield | CfAssert | CfBranch | CfCondBranch | CfSwitch | UbUnreachable | GpuBarrier
        | GpuThreadId | GpuBlockId | LlvmAssume | TtFunc | TtCall | TtReturn | TtGetProgramId | TtGetNumPrograms
        | TtUnsplat | TtReshape | TtTrans | TtCat | TtJoin | TtSplit | TtStore | TtAtomicRmw | TtAtomicCas
        | TtAtomicLoad | TtAtomicStore | TtAtomicPoll | TtDot | TtDotScaled | TtReduceReturn | TtScan | TtScanReturn
        | TtMapElementwise | TtMapElementwiseReturn | TtHistogram | TtGather | TtExternElementwise
        | TtElementwiseInlineAsm | TtPrint | TtAssert | TkGuard | TtMakeTensorDescriptor | TtDescriptorLoad
        | TtDescriptorStore | TtDescriptorGather | TtDescriptorScatter | TtDescriptorReduce | TtGridDependencyWait
        | TtGridDependencyLaunchDependents | TtgConvertLayout | TtgLocalAlloc | TtgLocalLoad | TtgLocalStore
        | TtgLocalDealloc | TtgLocalGather | TtgLocalScatter | TtgLocalAtomicScatterRmw | TtgMemDescIndex
        | TtgMemDescSubslice | TtgMemDescTrans | TtgMemDescReshape | TtgMemDescReinterpret | TtgAsyncCopyGlobalToLocal
        | TtgAsyncCommitGroup | TtgAsyncWait | TtgBarrier | TtgGlobalScratchAlloc | TtgWarpSpecialize
        | TtgWarpSpecializePartitions | TtgWarpYield | TtgWarpReturn | TtgWarpId | TtgPredicateStage | TtgMask
        | TtgMaskReturn | TtgFp4ToFp | TtngWarpGroupDot | TtngWarpGroupDotWait | TkWaitHandOver | TkHandOver | TkPairBarrier
        | TtngInitBarrier | TtngInvalBarrier | TtngBarrierExpect | TtngWaitBarrier | TtngArriveBarrier
        | TtngAsyncCopyMbarrierArrive | TtngAsyncTmaCopyGlobalToLocal | TtngAsyncTmaCopyLocalToGlobal
        | TtngAsyncTmaGather | TtngAsyncTmaScatter | TtngAsyncTmaReduce | TtngAsyncTmaStoreWait | TtngAsyncTmaPrefetch
        | TtngFenceAsyncShared | TtngFenceMbarrierInitReleaseCluster | TtngClusterArrive | TtngClusterWait
        | TtngClusterBarrier | TtngTensormapCreate | TtngTensormapFenceproxyAcquire | TtngReinterpretTensorDescriptor
        | TtngTmaStoreTokenWait | Other => Computation::Other,
    }
}

impl Computation {
    /// Each element of the result depends on the elements at its place only, and everything is computed from operands.
    pub(crate) fn is_element_by_element(self) -> bool {
        match self {
            Computation::Arithmetic | Computation::Function | Computation::Cast => true,
            Computation::Constant
            | Computation::Repeat
            | Computation::Range
            | Computation::Load
            | Computation::Reduction
            | Computation::Other => false,
        }
    }
}

/// An operand that changes nothing, on the left as on the right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Identity {
    /// This float.
    Float(f64),
    /// This integer of any width.
    Int(i64),
    /// The least signed integer of the width.
    Least,
    /// The greatest signed integer of the width.
    Greatest,
    /// There is none.
    None,
}

/// What the other operand may be without changing anything, for operations of this kind on two operands.
#[rustfmt::skip] // as many names on a line as there is room for
pub(crate) fn identity(kind: OpKind) -> Identity {
    use OpKind::*;
    match kind {
        ArithAddF => Identity::Float(-0.0),
        ArithMulF => Identity::Float(1.0),
        ArithMaximumF => Identity::Float(f64::NEG_INFINITY),
        ArithMinimumF => Identity::Float(f64::INFINITY),
        ArithMaxNumF | ArithMinNumF => Identity::Float(f64::NAN),
        ArithAddI | ArithOrI | ArithXOrI | ArithMaxUI => Identity::Int(0),
        ArithMulI => Identity::Int(1),
        ArithAndI | ArithMinUI => Identity::Int(-1),
        ArithMaxSI => Identity::Least,
        ArithMinSI => Identity::Greatest,
        // Also those that tk never finds as the combination of a reduction.
        mathematics!() | BuiltinModule | BuiltinUnrealizedConversionCast | ArithAddUIExtended | ArithBitcast
        | ArithCeilDivSI | ArithCeilDivUI | ArithCmpF | ArithCmpI | ArithConstant | ArithDivF | ArithDivSI
        | ArithDivUI | ArithExtF | ArithExtSI | ArithExtUI | ArithFloorDivSI | ArithFPToSI | ArithFPToUI
        | ArithIndexCast | ArithIndexCastUI | ArithMulSIExtended | ArithMulUIExtended | ArithNegF | ArithRemF
        | ArithRemSI | ArithRemUI | ArithSelect | ArithShLI | ArithShRSI | ArithShRUI | ArithSIToFP | ArithSubF
        | ArithSubI | ArithTruncF | ArithTruncI | ArithUIToFP | ScfCondition | ScfExecuteRegion | ScfFor | ScfIf
        | ScfIndexSwitch | ScfWhile | ScfYield | CfAssert | CfBranch | CfCondBranch | CfSwitch | UbPoison | UbUnreachable
        | GpuBarrier | GpuThreadId | GpuBlockId | LlvmAssume | TtFunc | TtCall | TtReturn | TtGetProgramId
        | TtGetNumPrograms | TtMakeRange | TtSplat | TtUnsplat | TtExpandDims | TtBroadcast | TtReshape | TtTrans
        | TtCat | TtJoin | TtSplit | TtAddPtr | TtLoad | TtStore | TtAtomicRmw | TtAtomicCas | TtAtomicLoad
        | TtAtomicStore | TtAtomicPoll | TtBitcast | TtIntToPtr | TtPtrToInt | TtFpToFp | TtPreciseSqrt
        | TtPreciseDivF | TtApproxDivF | TtMulhiUI | TtClampF | TtDot | TtDotScaled | TtReduce | TtReduceReturn
        | TtScan | TtScanReturn | TtMapElementwise | TtMapElementwiseReturn | TtHistogram | TtGather
        | TtExternElementwise | TtElementwiseInlineAsm | TtPrint | TtAssert | TkGuard | TkHint | TtMakeTensorDescriptor
        | TtDescriptorLoad | TtDescriptorStore | TtDescriptorGather | TtDescriptorScatter | TtDescriptorReduce
        | TtGridDependencyWait | TtGridDependencyLaunchDependents | TtgConvertLayout | TtgLocalAlloc | TtgLocalLoad
        | TtgLocalStore | TtgLocalDealloc | TtgLocalGather | TtgLocalScatter | TtgLocalAtomicScatterRmw
        | TtgMemDescIndex | TtgMemDescSubslice | TtgMemDescTrans | TtgMemDescReshape | TtgMemDescReinterpret
        | TtgAsyncCopyGlobalToLocal | TtgAsyncCommitGroup | TtgAsyncWait | TtgBarrier | TtgGlobalScratchAlloc
        | TtgWarpSpecialize | TtgWarpSpecializePartitions | TtgWarpYield | TtgWarpReturn | TtgWarpId
        | TtgPredicateStage | TtgMask | TtgMaskReturn | TtgFp4ToFp | TtngWarpGroupDot | TtngWarpGroupDotWait
        | TkWaitHandOver | TkHandOver | TkPairBarrier | TtngInitBarrier | TtngInvalBarrier | TtngBarrierExpect | TtngWaitBarrier
        | TtngArriveBarrier | TtngAsyncCopyMbarrierArrive | TtngAsyncTmaCopyGlobalToLocal
        | TtngAsyncTmaCopyLocalToGlobal | TtngAsyncTmaGather | TtngAsyncTmaScatter | TtngAsyncTmaReduce
        | TtngAsyncTmaStoreWait | TtngAsyncTmaPrefetch | TtngFenceAsyncShared | TtngFenceMbarrierInitReleaseCluster
        | TtngClusterArrive | TtngClusterWait | TtngClusterBarrier | TtngTensormapCreate
        | TtngTensormapFenceproxyAcquire | TtngReinterpretTensorDescriptor | TtngTmaStoreTokenWait | Other
=> Identity::None,
    }
}

/// Instructions for one element, about.
pub(crate) fn instructions_of_element(kind: OpKind) -> u32 {
    /// Of a function and of a division.
    const SEVERAL: u32 = 8;
    if matches!(kind, OpKind::ArithDivF | OpKind::TtPreciseDivF | OpKind::ArithDivSI | OpKind::ArithDivUI) {
        return SEVERAL;
    }
    match computation(kind) {
        Computation::Function => SEVERAL,
        Computation::Arithmetic | Computation::Cast | Computation::Load | Computation::Reduction => 1,
        Computation::Constant | Computation::Repeat | Computation::Range | Computation::Other => 0,
    }
}
