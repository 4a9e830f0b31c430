//! What passes have to know of every operation: one table per question.
//!
//! A table is a function from [`OpKind`](tk_ir::OpKind) to an enum, and names every kind: an operation that is new does not compile until every
//! table says something of it. Passes ask these tables and match their answers without wildcards, too. What depends on the operands or
//! attributes of an operation, and not on its kind alone, is decided by the pass that asks.
//!
//! | question | table |
//! |---|---|
//! | How are the layouts of its operands and results tied? | [`layouts`] |
//! | What does it do to global memory, and to shared memory? | [`memory`] |
//! | Where do its operands flow to? | [`control`] |
//! | What does it cost to compute its results again? | [`computations`] |
//! | What happens to it where iterations of a loop overlap? | [`overlap`] |
//! | Which facts has axis analysis of its results? | [`axis`] |

/// Division of integers, which is undefined where the divisor is zero, even where nobody uses the result.
pub(crate) fn divides_integers(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(
        kind,
        ArithDivSI | ArithDivUI | ArithRemSI | ArithRemUI | ArithCeilDivSI | ArithCeilDivUI | ArithFloorDivSI
    )
}

/// The operations of `arith` but constants, as a pattern: pure, element by element, all tensors of one shape.
#[rustfmt::skip] // as many names on a line as there is room for
macro_rules! arithmetic {
    () => {
        OpKind::ArithAddF | OpKind::ArithAddI | OpKind::ArithAddUIExtended | OpKind::ArithAndI | OpKind::ArithBitcast
        | OpKind::ArithCeilDivSI | OpKind::ArithCeilDivUI | OpKind::ArithCmpF | OpKind::ArithCmpI | OpKind::ArithDivF
        | OpKind::ArithDivSI | OpKind::ArithDivUI | OpKind::ArithExtF | OpKind::ArithExtSI | OpKind::ArithExtUI
        | OpKind::ArithFloorDivSI | OpKind::ArithFPToSI | OpKind::ArithFPToUI | OpKind::ArithIndexCast
        | OpKind::ArithIndexCastUI | OpKind::ArithMaximumF | OpKind::ArithMaxNumF | OpKind::ArithMaxSI
        | OpKind::ArithMaxUI | OpKind::ArithMinimumF | OpKind::ArithMinNumF | OpKind::ArithMinSI | OpKind::ArithMinUI
        | OpKind::ArithMulF | OpKind::ArithMulI | OpKind::ArithMulSIExtended | OpKind::ArithMulUIExtended
        | OpKind::ArithNegF | OpKind::ArithOrI | OpKind::ArithRemF | OpKind::ArithRemSI | OpKind::ArithRemUI
        | OpKind::ArithSelect | OpKind::ArithShLI | OpKind::ArithShRSI | OpKind::ArithShRUI | OpKind::ArithSIToFP
        | OpKind::ArithSubF | OpKind::ArithSubI | OpKind::ArithTruncF | OpKind::ArithTruncI | OpKind::ArithUIToFP
        | OpKind::ArithXOrI
    };
}

/// The operations of `math`, as a pattern: pure, element by element, all tensors of one shape.
#[rustfmt::skip] // as many names on a line as there is room for
macro_rules! mathematics {
    () => {
        OpKind::MathAbsF | OpKind::MathAbsI | OpKind::MathAcos | OpKind::MathAsin | OpKind::MathAtan
        | OpKind::MathAtan2 | OpKind::MathCbrt | OpKind::MathCeil | OpKind::MathCos | OpKind::MathCosh
        | OpKind::MathCopySign | OpKind::MathCountLeadingZeros | OpKind::MathCtPop | OpKind::MathCountTrailingZeros | OpKind::MathErf
        | OpKind::MathErfc | OpKind::MathExp | OpKind::MathExp2 | OpKind::MathExpM1 | OpKind::MathFloor
        | OpKind::MathFma | OpKind::MathFPowI | OpKind::MathIPowI | OpKind::MathIsFinite | OpKind::MathIsInf
        | OpKind::MathIsNaN | OpKind::MathIsNormal | OpKind::MathLog | OpKind::MathLog10 | OpKind::MathLog1p
        | OpKind::MathLog2 | OpKind::MathPowF | OpKind::MathRound | OpKind::MathRoundEven | OpKind::MathRsqrt
        | OpKind::MathSin | OpKind::MathSinh | OpKind::MathSqrt | OpKind::MathTan | OpKind::MathTanh
        | OpKind::MathTrunc
    };
}

pub(crate) mod axis;
pub(crate) mod computations;
pub(crate) mod control;
pub(crate) mod layouts;
pub(crate) mod memory;
pub(crate) mod overlap;

use tk_ir::ops::TransLikeOp;
use tk_ir::{Op, OpKind};

/// Rows become columns.
pub(crate) fn is_turned(op: Op<'_>) -> bool {
    TransLikeOp::cast(op).is_some_and(|turned| turned.order() == [1, 0])
}

/// A product of matrices in whatever form, also of numbers with scales.
pub(crate) fn is_product(op: Op<'_>) -> bool {
    is_dot(op) || op.kind() == OpKind::TtDotScaled
}

/// A dot in registers or by warp groups.
pub(crate) fn is_dot(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtDot || op.kind() == OpKind::TtngWarpGroupDot
}
