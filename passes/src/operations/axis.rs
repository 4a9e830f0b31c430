//! Which rule of axis info derives the facts of an operation's results. [`crate::analysis::axis_flow`] applies it.

use crate::analysis::axis_rules::BinaryOp;
use tk_ir::OpKind;

/// The rule for the results of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AxisRule {
    /// Arithmetic on two integers.
    Binary(BinaryOp),
    /// A number of the code.
    Constant,
    /// Any value will do.
    Poison,
    /// A number of the grid: not negative.
    ProgramNumber,
    /// Consecutive numbers.
    Range,
    /// A scalar for every element.
    Splat,
    /// A new axis of size 1.
    ExpandDims,
    /// Axes of size 1 are repeated.
    Broadcast,
    /// Axes in another order.
    Trans,
    /// Other axes in row-major order.
    Reshape,
    /// The values of its operand.
    Copy,
    /// Pointers and offsets.
    AddPtr,
    /// What memory holds.
    Load,
    /// Pointers to elements of another size; integers and floats get no facts.
    Bitcast,
    /// Bytes become pointers.
    IntToPtr,
    /// Pointers become bytes.
    PtrToInt,
    /// Integers of another width that keep their sign.
    SignedCast,
    /// Integers of another width that are not negative.
    UnsignedCast,
    /// A comparison of integers.
    Compare,
    /// One of two values.
    Select,
    /// A loop that counts.
    For,
    /// A loop with a condition.
    While,
    /// A branch.
    If,
    /// Says something of a value that was there before.
    Assume,
    /// Nothing is known of its results, or there are none.
    Unknown,
}

impl AxisRule {
    /// Whether the elements of the result are those of the one operand, wherever they are.
    pub(crate) fn moves(self) -> bool {
        match self {
            Self::Splat
            | Self::ExpandDims
            | Self::Broadcast
            | Self::Trans
            | Self::Reshape
            | Self::Copy
            | Self::SignedCast
            | Self::UnsignedCast => true,
            Self::Binary(_)
            | Self::Constant
            | Self::Poison
            | Self::ProgramNumber
            | Self::Range
            | Self::AddPtr
            | Self::Load
            | Self::Bitcast
            | Self::IntToPtr
            | Self::PtrToInt
            | Self::Compare
            | Self::Select
            | Self::For
            | Self::While
            | Self::If
            | Self::Assume
            | Self::Unknown => false,
        }
    }
}

/// The rule for the results of operations of this kind.
#[rustfmt::skip] // as many names on a line as there is room for
pub(crate) fn axis_rule(kind: OpKind) -> AxisRule {
    use OpKind::*;
    match kind {
        ArithAddI => AxisRule::Binary(BinaryOp::Add),
        ArithSubI => AxisRule::Binary(BinaryOp::Sub),
        ArithMulI => AxisRule::Binary(BinaryOp::Mul),
        ArithDivSI => AxisRule::Binary(BinaryOp::DivS),
        ArithDivUI => AxisRule::Binary(BinaryOp::DivU),
        ArithRemSI => AxisRule::Binary(BinaryOp::RemS),
        ArithRemUI => AxisRule::Binary(BinaryOp::RemU),
        ArithAndI => AxisRule::Binary(BinaryOp::And),
        ArithOrI => AxisRule::Binary(BinaryOp::Or),
        ArithXOrI => AxisRule::Binary(BinaryOp::Xor),
        ArithShLI => AxisRule::Binary(BinaryOp::Shl),
        ArithShRSI => AxisRule::Binary(BinaryOp::ShrS),
        ArithShRUI => AxisRule::Binary(BinaryOp::ShrU),
        ArithMinSI => AxisRule::Binary(BinaryOp::MinS),
        ArithMaxSI => AxisRule::Binary(BinaryOp::MaxS),
        ArithMinUI => AxisRule::Binary(BinaryOp::MinU),
        ArithMaxUI => AxisRule::Binary(BinaryOp::MaxU),
        ArithConstant => AxisRule::Constant,
        UbPoison => AxisRule::Poison,
        TtGetProgramId | TtGetNumPrograms => AxisRule::ProgramNumber,
        TtMakeRange => AxisRule::Range,
        TtSplat => AxisRule::Splat,
        TtExpandDims => AxisRule::ExpandDims,
        TtBroadcast => AxisRule::Broadcast,
        TtTrans => AxisRule::Trans,
        TtReshape => AxisRule::Reshape,
        TtgConvertLayout | TkHint => AxisRule::Copy,
        TtAddPtr => AxisRule::AddPtr,
        TtLoad => AxisRule::Load,
        TtBitcast => AxisRule::Bitcast,
        TtIntToPtr => AxisRule::IntToPtr,
        TtPtrToInt => AxisRule::PtrToInt,
        ArithExtSI | ArithTruncI | ArithIndexCast => AxisRule::SignedCast,
        ArithExtUI | ArithIndexCastUI => AxisRule::UnsignedCast,
        ArithCmpI => AxisRule::Compare,
        ArithSelect => AxisRule::Select,
        ScfFor => AxisRule::For,
        ScfWhile => AxisRule::While,
        ScfIf => AxisRule::If,
        LlvmAssume => AxisRule::Assume,
        mathematics!() | BuiltinModule | BuiltinUnrealizedConversionCast | ArithAddF | ArithAddUIExtended
        | ArithBitcast | ArithCeilDivSI | ArithCeilDivUI | ArithCmpF | ArithDivF | ArithExtF | ArithFloorDivSI
        | ArithFPToSI | ArithFPToUI | ArithMaximumF | ArithMaxNumF | ArithMinimumF | ArithMinNumF | ArithMulF
        | ArithMulSIExtended | ArithMulUIExtended | ArithNegF | ArithRemF | ArithSIToFP | ArithSubF | ArithTruncF
        | ArithUIToFP | ScfCondition | ScfExecuteRegion | ScfIndexSwitch | ScfYield | CfAssert | CfBranch | CfCondBranch
        | CfSwitch | UbUnreachable | GpuBarrier | GpuThreadId | GpuBlockId | TtFunc | TtCall | TtReturn | TtUnsplat
        | TtCat | TtJoin | TtSplit | TtStore | TtAtomicRmw | TtAtomicCas | TtAtomicLoad | TtAtomicStore | TtAtomicPoll
        | TtFpToFp | TtPreciseSqrt | TtPreciseDivF | TtApproxDivF | TtMulhiUI | TtClampF | TtDot | TtDotScaled
        | TtReduce | TtReduceReturn | TtScan | TtScanReturn | TtMapElementwise | TtMapElementwiseReturn | TtHistogram
        | TtGather | TtExternElementwise | TtElementwiseInlineAsm | TtPrint | TtAssert | TkGuard
        | TtMakeTensorDescriptor | TtDescriptorLoad | TtDescriptorStore | TtDescriptorGather | TtDescriptorScatter
        | TtDescriptorReduce | TtGridDependencyWait | TtGridDependencyLaunchDependents | TtgLocalAlloc | TtgLocalLoad
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
=> AxisRule::Unknown,
    }
}
