//! The families of operations: every operation of tk-ir is in one, and each family is an enum that its file matches in full.
//!
//! So a new operation is a row of compile errors: the table below lacks it, and once it is there, the `match` of its family does.

use tk_ir::OpKind;

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident { $($op:ident)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[allow(clippy::enum_variant_names, reason = "the names of operations begin with those of their dialects")]
            pub(super) enum $family { $($op,)* }
        )*

        /// The family of an operation, and which of the family it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Family { $($(#[$doc])* $family($family),)* }

        impl Family {
            /// The family of every kind of operation.
            pub(super) fn of(kind: OpKind) -> Self {
                match kind {
                    $($(OpKind::$op => Family::$family($family::$op),)*)*
                }
            }
        }
    };
}

families! {
    /// Values that come from no tensor, and barriers (`program`).
    Program {
        ArithConstant TtGetProgramId TtGetNumPrograms TtMakeRange TtSplat TtUnsplat UbPoison LlvmAssume GpuBarrier TtgBarrier
    }
    /// Loops, branches and calls (`control`, `call`).
    Control { ScfFor ScfIf ScfWhile TtCall }
    /// Accesses to global memory and pointer arithmetic (`memory`, `atomic`).
    Memory { TtLoad TtStore TtAddPtr TtAtomicRmw TtAtomicCas }
    /// Other names for the registers of a tensor (`shape`).
    Shape { TtExpandDims TtReshape TtTrans TtBroadcast TtJoin TtSplit TtCat }
    /// Elements that go from thread to thread (`convert_layout`, `reduce`, `scan`, `histogram`, `gather`).
    Exchange { TtgConvertLayout TtReduce TtScan TtHistogram TtGather }
    /// Buffers in shared memory and their views (`local`, `memdesc`).
    Local {
        TtgLocalAlloc TtgLocalLoad TtgLocalStore TtgLocalDealloc TtgLocalGather
        TtgMemDescIndex TtgMemDescTrans TtgMemDescReshape TtgMemDescReinterpret TtgMemDescSubslice
    }
    /// Copies by each thread (`async_copy`).
    AsyncCopy { TtgAsyncCopyGlobalToLocal TtgAsyncCommitGroup TtgAsyncWait TtngFenceAsyncShared }
    /// Barriers that count arrivals and bytes (`mbarrier`), those at which warp groups hand over (`hand_over`), and those of clusters (`pair`).
    Barrier {
        TtngInitBarrier TtngInvalBarrier TtngBarrierExpect TtngWaitBarrier TtngArriveBarrier TtngAsyncCopyMbarrierArrive
        TkWaitHandOver TkHandOver TkPairBarrier TtngFenceMbarrierInitReleaseCluster TtngClusterBarrier
    }
    /// Copies by the tensor memory accelerator, and its tensor maps (`tma`, `tensor_map`).
    Tma {
        TtngAsyncTmaCopyGlobalToLocal TtngAsyncTmaCopyLocalToGlobal TtngAsyncTmaReduce TtngAsyncTmaStoreWait TtngAsyncTmaPrefetch
        TtgGlobalScratchAlloc TtngTensormapCreate TtngTensormapFenceproxyAcquire TtngReinterpretTensorDescriptor
    }
    /// Matrix products (`dot`, `wgmma`).
    Dot { TtDot TtngWarpGroupDot TtngWarpGroupDotWait }
    /// Assertions, prints and the checks of sanitizers (`debug`).
    Debugging { TtAssert TkGuard TtPrint }
    /// Conversions of the element type (`casts`).
    Cast {
        ArithExtF ArithTruncF TtFpToFp ArithExtSI ArithExtUI ArithTruncI ArithIndexCast ArithIndexCastUI
        ArithSIToFP ArithUIToFP ArithFPToSI ArithFPToUI ArithBitcast TtBitcast TtPtrToInt TtIntToPtr
    }
    /// Integers and selections, element by element (`integer`).
    Integer {
        ArithAddI ArithSubI ArithMulI ArithDivSI ArithDivUI ArithRemSI ArithRemUI ArithCeilDivSI ArithCeilDivUI ArithFloorDivSI
        ArithAndI ArithOrI ArithXOrI ArithShLI ArithShRSI ArithShRUI ArithMaxSI ArithMinSI ArithMaxUI ArithMinUI ArithSelect
        ArithCmpI ArithMulSIExtended ArithMulUIExtended TtMulhiUI MathAbsI MathCtPop MathCountLeadingZeros MathCountTrailingZeros
    }
    /// Floats, element by element (`float`).
    Float {
        ArithAddF ArithSubF ArithMulF ArithNegF ArithDivF TtApproxDivF TtPreciseDivF ArithRemF
        ArithMaxNumF ArithMinNumF ArithMaximumF ArithMinimumF ArithCmpF TtClampF
        MathAbsF MathCeil MathFloor MathTrunc MathRoundEven MathCopySign MathFma MathIsNaN MathSqrt TtPreciseSqrt
    }
    /// Functions of one float (`math_functions`).
    Math { MathExp MathExp2 MathRsqrt MathLog MathLog2 MathSin MathCos MathTanh MathErf }
    /// Functions and assembly that the program names (`math_functions`, `inline_asm`), and functions of tk's own (`four_bit_floats`).
    Named { TtExternElementwise TtElementwiseInlineAsm }
    /// Ends of blocks, which the operation around the block emits.
    Terminator { ScfYield ScfCondition CfBranch CfCondBranch TtReturn TtReduceReturn TtScanReturn }
    /// Operations that an earlier stage replaces: [`Replaced::stage`] says which.
    Replaced {
        TtMakeTensorDescriptor TtDescriptorLoad TtDescriptorStore TtDescriptorReduce TtDescriptorGather TtDescriptorScatter
        BuiltinUnrealizedConversionCast TkHint
    }
    /// Operations that no stage of tk makes: only IR that was given as text has them.
    NeverMade {
        BuiltinModule TtFunc ArithAddUIExtended
        MathAcos MathAsin MathAtan MathAtan2 MathCbrt MathCosh MathErfc MathExpM1 MathFPowI MathIPowI MathIsFinite MathIsInf
        MathIsNormal MathLog10 MathLog1p MathPowF MathRound MathSinh MathTan
        ScfExecuteRegion ScfIndexSwitch CfAssert CfSwitch UbUnreachable GpuThreadId GpuBlockId
        TtAtomicLoad TtAtomicStore TtAtomicPoll TtDotScaled TtMapElementwise TtMapElementwiseReturn
        TtGridDependencyWait TtGridDependencyLaunchDependents
        TtgLocalScatter TtgLocalAtomicScatterRmw
        TtgWarpSpecialize TtgWarpSpecializePartitions TtgWarpYield TtgWarpReturn TtgWarpId
        TtgPredicateStage TtgMask TtgMaskReturn TtgFp4ToFp
        TtngAsyncTmaGather TtngAsyncTmaScatter TtngTmaStoreTokenWait
        TtngClusterArrive TtngClusterWait
        Other
    }
}

/// Whether some stage of tk knows what to make of an operation: there is code for it, or a pass replaces it.
pub fn has_code(kind: OpKind) -> bool {
    !matches!(Family::of(kind), Family::NeverMade(_))
}

impl Replaced {
    /// The pass that leaves none of these operations.
    pub(super) fn stage(self) -> &'static str {
        match self {
            Replaced::TtDescriptorGather
            | Replaced::TtDescriptorScatter
            | Replaced::BuiltinUnrealizedConversionCast => "rewrite-descriptors",
            Replaced::TkHint => "vectorize-memory",
            Replaced::TtMakeTensorDescriptor
            | Replaced::TtDescriptorLoad
            | Replaced::TtDescriptorStore
            | Replaced::TtDescriptorReduce => "tma-lowering",
        }
    }
}
