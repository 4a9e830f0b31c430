//! The rules of tt and ttg operations that ODS does not state: shapes, axes, permutations, combining regions.
//!
//! They run after MLIR's verifier, on text that users give and after passes, so that no pass gets an axis that is out of
//! range or a dot whose shapes do not go together. A rule says in one sentence what the operation needs.

use crate::ops::{DotOp, ExpandDimsOp, FuncOp, GatherOp, LocalGatherOp, MakeRangeOp, ReduceOp, ScanOp, TransLikeOp};
use crate::{Block, Module, Op, OpKind, Type, Value, WalkResult};

/// Most elements a tensor may have, as in Triton.
const MAX_ELEMENTS: i64 = 1 << 20;

/// What is wrong, and with which operation.
pub(crate) struct Broken<'c> {
    pub(crate) op: Op<'c>,
    pub(crate) message: String,
}

/// What an operation needs but does not have.
type Rule = Result<(), String>;

/// Checks every operation of a module that MLIR's verifier has accepted.
pub(crate) fn check<'c>(module: &Module<'c>) -> Result<(), Broken<'c>> {
    let mut broken = None;
    module.op().walk(&mut |op| match check_op(op).and_then(|()| check_types(op)) {
        Ok(()) => WalkResult::Advance,
        Err(what) => {
            broken = Some(Broken { op, message: format!("`{}` {what}", op.name()) });
            WalkResult::Stop
        }
    });
    broken.map_or(Ok(()), Err)
}

/// The operations of MLIR's own dialects, as a pattern.
#[rustfmt::skip] // as many names on a line as there is room for
macro_rules! upstream {
    () => {
        OpKind::ArithAddF | OpKind::ArithAddI | OpKind::ArithAddUIExtended | OpKind::ArithAndI | OpKind::ArithBitcast
        | OpKind::ArithCeilDivSI | OpKind::ArithCeilDivUI | OpKind::ArithCmpF | OpKind::ArithCmpI
        | OpKind::ArithConstant | OpKind::ArithDivF | OpKind::ArithDivSI | OpKind::ArithDivUI | OpKind::ArithExtF
        | OpKind::ArithExtSI | OpKind::ArithExtUI | OpKind::ArithFloorDivSI | OpKind::ArithFPToSI
        | OpKind::ArithFPToUI | OpKind::ArithIndexCast | OpKind::ArithIndexCastUI | OpKind::ArithMaximumF
        | OpKind::ArithMaxNumF | OpKind::ArithMaxSI | OpKind::ArithMaxUI | OpKind::ArithMinimumF
        | OpKind::ArithMinNumF | OpKind::ArithMinSI | OpKind::ArithMinUI | OpKind::ArithMulF | OpKind::ArithMulI
        | OpKind::ArithMulSIExtended | OpKind::ArithMulUIExtended | OpKind::ArithNegF | OpKind::ArithOrI
        | OpKind::ArithRemF | OpKind::ArithRemSI | OpKind::ArithRemUI | OpKind::ArithSelect | OpKind::ArithShLI
        | OpKind::ArithShRSI | OpKind::ArithShRUI | OpKind::ArithSIToFP | OpKind::ArithSubF | OpKind::ArithSubI
        | OpKind::ArithTruncF | OpKind::ArithTruncI | OpKind::ArithUIToFP | OpKind::ArithXOrI | OpKind::BuiltinModule
        | OpKind::BuiltinUnrealizedConversionCast | OpKind::CfAssert | OpKind::CfBranch | OpKind::CfCondBranch
        | OpKind::CfSwitch | OpKind::GpuBarrier | OpKind::GpuBlockId | OpKind::GpuThreadId | OpKind::LlvmAssume
        | OpKind::MathAbsF | OpKind::MathAbsI | OpKind::MathAcos | OpKind::MathAsin | OpKind::MathAtan
        | OpKind::MathAtan2 | OpKind::MathCbrt | OpKind::MathCeil | OpKind::MathCopySign | OpKind::MathCos
        | OpKind::MathCosh | OpKind::MathCountLeadingZeros | OpKind::MathCtPop | OpKind::MathCountTrailingZeros
        | OpKind::MathErf | OpKind::MathErfc | OpKind::MathExp | OpKind::MathExp2 | OpKind::MathExpM1
        | OpKind::MathFloor | OpKind::MathFma | OpKind::MathFPowI | OpKind::MathIPowI | OpKind::MathIsFinite
        | OpKind::MathIsInf | OpKind::MathIsNaN | OpKind::MathIsNormal | OpKind::MathLog | OpKind::MathLog10
        | OpKind::MathLog1p | OpKind::MathLog2 | OpKind::MathPowF | OpKind::MathRound | OpKind::MathRoundEven
        | OpKind::MathRsqrt | OpKind::MathSin | OpKind::MathSinh | OpKind::MathSqrt | OpKind::MathTan
        | OpKind::MathTanh | OpKind::MathTrunc | OpKind::ScfCondition | OpKind::ScfExecuteRegion | OpKind::ScfFor
        | OpKind::ScfIf | OpKind::ScfIndexSwitch | OpKind::ScfWhile | OpKind::ScfYield | OpKind::UbPoison
        | OpKind::UbUnreachable
    };
}

/// The operations of which ODS states all that is checked here, as a pattern.
#[rustfmt::skip] // as many names on a line as there is room for
macro_rules! stated_by_ods {
    () => {
        OpKind::TkGuard | OpKind::TkHandOver | OpKind::TkHint | OpKind::TkPairBarrier | OpKind::TkWaitHandOver | OpKind::TtAddPtr
        | OpKind::TtApproxDivF | OpKind::TtAssert | OpKind::TtAtomicCas | OpKind::TtAtomicLoad
        | OpKind::TtAtomicPoll | OpKind::TtAtomicRmw | OpKind::TtAtomicStore
        | OpKind::TtCall | OpKind::TtClampF | OpKind::TtDescriptorGather
        | OpKind::TtDescriptorLoad | OpKind::TtDescriptorReduce | OpKind::TtDescriptorScatter
        | OpKind::TtDescriptorStore | OpKind::TtDotScaled | OpKind::TtElementwiseInlineAsm
        | OpKind::TtExternElementwise | OpKind::TtFpToFp | OpKind::TtGetNumPrograms | OpKind::TtGetProgramId
        | OpKind::TtGridDependencyLaunchDependents | OpKind::TtGridDependencyWait | OpKind::TtIntToPtr
        | OpKind::TtLoad | OpKind::TtMakeTensorDescriptor | OpKind::TtMapElementwise | OpKind::TtMapElementwiseReturn
        | OpKind::TtMulhiUI | OpKind::TtPreciseDivF | OpKind::TtPreciseSqrt | OpKind::TtPrint | OpKind::TtPtrToInt
        | OpKind::TtReduceReturn | OpKind::TtReturn | OpKind::TtScanReturn | OpKind::TtStore
        | OpKind::TtgAsyncCommitGroup | OpKind::TtgAsyncWait | OpKind::TtgBarrier | OpKind::TtgConvertLayout
        | OpKind::TtgFp4ToFp | OpKind::TtgGlobalScratchAlloc | OpKind::TtgLocalAtomicScatterRmw
        | OpKind::TtgLocalDealloc | OpKind::TtgLocalScatter | OpKind::TtgMask
        | OpKind::TtgMaskReturn | OpKind::TtgMemDescReinterpret | OpKind::TtgPredicateStage | OpKind::TtgWarpId
        | OpKind::TtgWarpReturn | OpKind::TtgWarpSpecialize | OpKind::TtgWarpSpecializePartitions
        | OpKind::TtgWarpYield | OpKind::TtngArriveBarrier | OpKind::TtngAsyncCopyMbarrierArrive
        | OpKind::TtngAsyncTmaCopyGlobalToLocal | OpKind::TtngAsyncTmaCopyLocalToGlobal | OpKind::TtngAsyncTmaGather
        | OpKind::TtngAsyncTmaPrefetch | OpKind::TtngAsyncTmaReduce | OpKind::TtngAsyncTmaScatter
        | OpKind::TtngAsyncTmaStoreWait | OpKind::TtngBarrierExpect | OpKind::TtngClusterArrive
        | OpKind::TtngClusterBarrier | OpKind::TtngClusterWait | OpKind::TtngFenceAsyncShared
        | OpKind::TtngFenceMbarrierInitReleaseCluster | OpKind::TtngInitBarrier | OpKind::TtngInvalBarrier
        | OpKind::TtngReinterpretTensorDescriptor | OpKind::TtngTensormapCreate
        | OpKind::TtngTensormapFenceproxyAcquire | OpKind::TtngTmaStoreTokenWait | OpKind::TtngWaitBarrier
        | OpKind::TtngWarpGroupDot | OpKind::TtngWarpGroupDotWait | OpKind::TtgLocalAlloc
    };
}

fn check_op(op: Op<'_>) -> Rule {
    match op.kind() {
        OpKind::TtMakeRange => make_range(op),
        OpKind::TtSplat => need(!op.operand(0).ty().is_tensor(), "needs a scalar operand"),
        OpKind::TtExpandDims => expand_dims(op),
        OpKind::TtBroadcast => broadcast(op),
        OpKind::TtReshape | OpKind::TtgMemDescReshape => {
            need(source(op).num_elements() == target(op).num_elements(), "needs as many elements after as before")
        }
        OpKind::TtTrans | OpKind::TtgMemDescTrans => trans(op),
        OpKind::TtJoin => join(op.operand(0).ty(), target(op)),
        OpKind::TtSplit => join(target(op), source(op)),
        OpKind::TtCat => need(target(op).num_elements() == 2 * source(op).num_elements(), "needs twice the elements"),
        OpKind::TtBitcast => {
            need(source(op).element_bits() == target(op).element_bits(), "needs element types of one width")
        }
        OpKind::TtReduce => reduce(op),
        OpKind::TtScan => scan(op),
        OpKind::TtGather => gather(op),
        OpKind::TtgLocalGather => local_gather(op),
        OpKind::TtHistogram => need(target(op).rank() == 1, "needs a result of one dimension"),
        OpKind::TtDot => dot(op),
        OpKind::TtUnsplat => need(source(op).num_elements() == 1, "needs a tensor of one element"),
        OpKind::TtgMemDescIndex => need(
            source(op).shape().get(1..) == Some(&target(op).shape()[..]),
            "needs the shape of its operand without the first dimension",
        ),
        OpKind::TtgMemDescSubslice => subslice(op),
        OpKind::TtgLocalAlloc if op.num_operands() > 0 => same_data(source(op), target(op)),
        OpKind::TtgLocalLoad => same_data(source(op), target(op)),
        OpKind::TtgLocalStore => same_data(source(op), op.operand(1).ty()),
        OpKind::TtgAsyncCopyGlobalToLocal => {
            need(source(op).shape() == op.operand(1).ty().shape(), "needs one shape for pointers and memory")
        }
        OpKind::TtFunc => func(op),
        upstream!() | stated_by_ods!() | OpKind::Other => Ok(()),
    }
}

fn need(holds: bool, what: &str) -> Rule {
    if holds { Ok(()) } else { Err(what.to_string()) }
}

fn source(op: Op<'_>) -> Type<'_> {
    op.operand(0).ty()
}

fn target(op: Op<'_>) -> Type<'_> {
    op.result(0).ty()
}

/// Tensors have static power-of-two dimensions and layouts of their rank.
fn check_types(op: Op<'_>) -> Rule {
    op.results().into_iter().try_for_each(check_type)?;
    let arguments = op.regions().into_iter().flat_map(|region| region.blocks()).flat_map(Block::arguments);
    arguments.into_iter().try_for_each(check_type)
}

fn check_type(value: Value<'_>) -> Rule {
    let ty = value.ty();
    if !ty.is_tensor() {
        return Ok(());
    }
    let shape = ty.shape();
    if shape.iter().any(|size| *size < 1 || !(*size as u64).is_power_of_two()) {
        return Err(format!("has a value of type {ty}, whose dimensions are not all powers of two"));
    }
    if ty.num_elements() > MAX_ELEMENTS {
        return Err(format!("has a value of type {ty}, which has more than {MAX_ELEMENTS} elements"));
    }
    match ty.layout() {
        Some(layout) if layout.rank() != shape.len() => {
            Err(format!("has a value of type {ty}, whose layout has {} dimensions", layout.rank()))
        }
        Some(_) | None => Ok(()),
    }
}

fn make_range(op: Op<'_>) -> Rule {
    let Some(range) = MakeRangeOp::cast(op) else { return Ok(()) };
    need(range.end() > range.start(), "needs an end after its start")?;
    let ty = target(op);
    need(ty.shape() == [range.end() - range.start()], "needs a result of one dimension with `end - start` elements")?;
    need(ty.element_bits() == 32, "needs a result of i32")
}

fn expand_dims(op: Op<'_>) -> Rule {
    let Some(view) = ExpandDimsOp::cast(op) else { return Ok(()) };
    let (axis, mut shape) = (view.axis(), source(op).shape());
    need(axis <= shape.len(), "needs an axis within its result")?;
    shape.insert(axis, 1);
    need(target(op).shape() == shape, "needs a result with one more dimension of size 1 at its axis")
}

fn broadcast(op: Op<'_>) -> Rule {
    let (from, to) = (source(op).shape(), target(op).shape());
    let fits = from.len() == to.len() && from.iter().zip(&to).all(|(from, to)| from == to || *from == 1);
    need(fits, "may only change dimensions of size 1")
}

fn trans(op: Op<'_>) -> Rule {
    let Some(view) = TransLikeOp::cast(op) else { return Ok(()) };
    let (order, from) = (view.order(), source(op).shape());
    let mut sorted = order.clone();
    sorted.sort_unstable();
    need(sorted.into_iter().eq(0..from.len()), "needs an order that names each dimension once")?;
    let to: Vec<i64> = order.iter().map(|dim| from[*dim]).collect();
    need(target(op).shape() == to, "needs a result whose shape is permuted by its order")
}

fn join(part: Type<'_>, whole: Type<'_>) -> Rule {
    let mut shape = part.shape();
    shape.push(2);
    need(whole.shape() == shape, "needs a last dimension of size 2 for the two parts")
}

fn gather(op: Op<'_>) -> Rule {
    let Some(view) = GatherOp::cast(op) else { return Ok(()) };
    gathered(op, view.axis(), view.indices().ty())
}

fn local_gather(op: Op<'_>) -> Rule {
    let Some(view) = LocalGatherOp::cast(op) else { return Ok(()) };
    need(source(op).element() == target(op).element(), "needs one element type for tensor and memory")?;
    gathered(op, view.axis(), view.indices().ty())
}

fn gathered(op: Op<'_>, axis: usize, indices: Type<'_>) -> Rule {
    let (from, to) = (source(op), target(op));
    need(axis < from.rank() && from.rank() == indices.rank(), "needs indices of its rank and an axis within it")?;
    let is_alike = to.shape() == indices.shape() && to.layout() == indices.layout();
    need(is_alike, "needs a result with the shape and the layout of its indices")?;
    let (from, indices) = (from.shape(), indices.shape());
    let others = (0..from.len()).filter(|dim| *dim != axis);
    need(others.into_iter().all(|dim| from[dim] == indices[dim]), "needs indices of its size but along the axis")
}

fn dot(op: Op<'_>) -> Rule {
    let Some(view) = DotOp::cast(op) else { return Ok(()) };
    let (a, b, c) = (view.a().ty().shape(), view.b().ty().shape(), view.c().ty().shape());
    let rank = a.len();
    need(matches!(rank, 2 | 3) && b.len() == rank && c.len() == rank, "needs operands of two or three dimensions")?;
    let (m, k, n) = (a[rank - 2], a[rank - 1], b[rank - 1]);
    let batch = a[..rank - 2] == b[..rank - 2] && a[..rank - 2] == c[..rank - 2];
    let fits = batch && b[rank - 2] == k && c[rank - 2..] == [m, n];
    need(fits, "needs operands of shapes M×K, K×N and M×N")
}

fn subslice(op: Op<'_>) -> Rule {
    let (from, to) = (source(op).shape(), target(op).shape());
    let offsets = op.attr("offsets").and_then(|offsets| offsets.as_ints()).unwrap_or_default();
    need(offsets.len() == from.len() && to.len() == from.len(), "needs an offset for each dimension")?;
    let fits = (0..from.len()).all(|dim| offsets[dim] >= 0 && offsets[dim] + to[dim] <= from[dim]);
    need(fits, "reaches outside its operand")
}

fn same_data(a: Type<'_>, b: Type<'_>) -> Rule {
    need(a.shape() == b.shape() && a.element() == b.element(), "needs one shape and element type for tensor and memory")
}

fn reduce(op: Op<'_>) -> Rule {
    let Some(view) = ReduceOp::cast(op) else { return Ok(()) };
    let first = first_operand(op)?;
    let axis = view.axis();
    need(axis < first.rank(), "needs an axis within its operand")?;
    let mut shape = first.shape();
    shape.remove(axis);
    need(op.num_results() == op.num_operands(), "needs one result per operand")?;
    for (operand, result) in op.operands().into_iter().zip(op.results()) {
        let fits = result.ty().shape() == shape && result.ty().element() == operand.ty().element();
        need(fits && result.ty().is_tensor() != shape.is_empty(), "needs results without the reduced dimension")?;
    }
    combining_region(op, view.combine())
}

fn scan(op: Op<'_>) -> Rule {
    let Some(view) = ScanOp::cast(op) else { return Ok(()) };
    need(view.axis() < first_operand(op)?.rank(), "needs an axis within its operand")?;
    let types = |values: Vec<Value<'_>>| values.into_iter().map(|value| value.ty().id()).collect::<Vec<_>>();
    need(types(op.operands()) == types(op.results()), "needs results of the types of its operands")?;
    combining_region(op, view.combine())
}

fn first_operand(op: Op<'_>) -> Result<Type<'_>, String> {
    need(op.num_operands() > 0, "needs an operand")?;
    Ok(source(op))
}

/// The region takes two sets of elements and returns one.
fn combining_region(op: Op<'_>, block: Option<Block<'_>>) -> Rule {
    let elements: Vec<usize> = op.operands().into_iter().map(|operand| operand.ty().element().id()).collect();
    let ids = |values: Vec<Value<'_>>| values.into_iter().map(|value| value.ty().id()).collect::<Vec<_>>();
    let Some(block) = block else { return Err("needs a region that combines".into()) };
    need(
        ids(block.arguments()) == [&elements[..], &elements[..]].concat(),
        "needs a region of two elements per operand",
    )?;
    let returns =
        block.terminator().filter(|last| matches!(last.kind(), OpKind::TtReduceReturn | OpKind::TtScanReturn));
    need(returns.is_some_and(|last| ids(last.operands()) == elements), "needs a region that returns its elements")
}

fn func(op: Op<'_>) -> Rule {
    let Some(view) = FuncOp::cast(op) else { return Ok(()) };
    let Some(ty) = view.ty() else { return Err("needs a function type".into()) };
    ty.function_results().into_iter().chain(ty.function_inputs()).try_for_each(|ty| {
        need(!ty.is_tensor() || ty.shape().iter().all(|size| *size > 0), "needs tensors of static shapes")
    })
}
