//! About how many instructions a thread runs for an operation, before there is code.
//!
//! Rules that copy a body, or write it twice, compare this with what caches of instructions and registers take. Most operations are one instruction for each
//! element that a thread has, loads and stores one for each access, and functions [`FUNCTION`]. What takes several times as many is counted as that, since it decides:
//!
//! - exponentials, logarithms and the like of f64 ([`FUNCTION_OF_DOUBLES`]), which hardware has no instruction for, and the greater of two, and selections, of f64,
//!   which have two registers for each number: a loop over 128 doubles for each thread with one exponential of each is 6000 instructions;
//! - functions whose code has a branch for angles that may be large ([`may_branch`]).
//!
//! Longer functions without branches count as others do, but where launches of few warps have limits in real numbers ([`more_of_long_function`]).

use super::factor::{ACCESS_BYTES, bytes_per_thread, inside_of_branch};
use crate::encodings::elements_per_thread;
use crate::operations::computations::{Computation, computation};
use tk_ir::ops::{ForOp, ReduceOp};
use tk_ir::{Op, OpKind, Type, Value};
use tk_layout::Encoding;
use tk_types::ScalarType;

/// Instructions that bring a number of each lane together, about: five exchanges, and what follows each.
const EXCHANGES: i64 = 10;
/// Instructions of a function of one element, about.
const FUNCTION: i64 = 8;
/// The same for f64: a polynomial of a dozen terms, and what finds its argument and puts the exponent back.
const FUNCTION_OF_DOUBLES: i64 = 40;
/// The same for functions of angles with the branch for large ones.
const FUNCTION_WITH_BRANCH: i64 = 80;
/// The same for functions of angles that are never large.
const FUNCTION_OF_SMALL_ANGLES: i64 = 25;
/// The same for long functions without branches.
const LONG_FUNCTION: i64 = 40;
/// Instructions of the greater, or the smaller, of two numbers of f64: a comparison, a selection for each half, and one for what is no number.
const EXTREME_OF_DOUBLES: i64 = 4;
/// Instructions that select one of two numbers of f64.
const SELECTION_OF_DOUBLES: i64 = 2;

/// Operations between an angle and what says how large it is, at most.
const MOST_STEPS: usize = 8;

/// Those of one iteration, about.
pub(crate) fn instructions_of_iteration(view: ForOp<'_>) -> i64 {
    view.body().ops().into_iter().map(instructions).sum()
}

/// Instructions per thread, about.
pub(crate) fn instructions(op: Op<'_>) -> i64 {
    if op.kind() == OpKind::ScfIf {
        return inside_of_branch(op).map(instructions).sum();
    }
    let accesses = |ty| (bytes_per_thread(ty).max(1) as u64).div_ceil(ACCESS_BYTES as u64) as i64;
    if matches!(op.kind(), OpKind::ArithBitcast | OpKind::TtBitcast) {
        return 0;
    }
    if matches!(op.kind(), OpKind::MathFma | OpKind::MathAbsF) {
        return elements_per_thread(op.result(0).ty());
    }
    match computation(op.kind()) {
        Computation::Constant | Computation::Repeat | Computation::Range => 0,
        Computation::Load => accesses(op.result(0).ty()),
        Computation::Function => elements_per_thread(op.result(0).ty()).saturating_mul(of_function(op)),
        Computation::Arithmetic | Computation::Cast => {
            elements_per_thread(op.result(0).ty()).saturating_mul(of_arithmetic(op))
        }
        Computation::Reduction => {
            let (reduced, kept) = (elements_per_thread(op.operand(0).ty()), elements_per_thread(op.result(0).ty()));
            let combined = reduced.saturating_mul(of_combination(op));
            if is_within_thread(op) { combined } else { combined + kept.saturating_mul(EXCHANGES) }
        }
        Computation::Other if op.kind() == OpKind::TtStore => accesses(op.operand(1).ty()),
        Computation::Other if op.kind() == OpKind::TtDot => multiply_adds(op),
        Computation::Other => 0,
    }
}

/// Those of a product that no matrix instruction computes.
fn multiply_adds(dot: Op<'_>) -> i64 {
    let product = dot.result(0).ty();
    let is_by_threads = product.layout().is_some_and(|layout| matches!(*layout, Encoding::Blocked(_)));
    let depth = dot.operand(0).ty().shape().last().copied().unwrap_or(1);
    if is_by_threads { elements_per_thread(product).saturating_mul(depth) } else { 0 }
}

/// A thread has all that is reduced to a number.
pub(super) fn is_within_thread(reduce: Op<'_>) -> bool {
    let Some(view) = ReduceOp::cast(reduce) else { return false };
    let length = reduce.operand(0).ty().shape().get(view.axis()).copied().unwrap_or(1);
    elements_per_thread(reduce.operand(0).ty()) == elements_per_thread(reduce.result(0).ty()).saturating_mul(length)
}

/// For one element.
fn of_arithmetic(op: Op<'_>) -> i64 {
    use OpKind::{ArithMaxNumF, ArithMaximumF, ArithMinNumF, ArithMinimumF, ArithSelect};
    if !is_double(op.result(0).ty()) {
        1
    } else if matches!(op.kind(), ArithMaxNumF | ArithMaximumF | ArithMinNumF | ArithMinimumF) {
        EXTREME_OF_DOUBLES
    } else if op.kind() == ArithSelect {
        SELECTION_OF_DOUBLES
    } else {
        1
    }
}

/// For one element that a reduction adds to the others: what its one operation takes.
fn of_combination(reduce: Op<'_>) -> i64 {
    ReduceOp::cast(reduce).and_then(ReduceOp::single_combiner).map_or(1, of_arithmetic)
}

/// For one element.
fn of_function(op: Op<'_>) -> i64 {
    if may_branch(op) {
        FUNCTION_WITH_BRANCH
    } else if is_double(op.result(0).ty()) && !is_short(op.kind()) {
        FUNCTION_OF_DOUBLES
    } else {
        FUNCTION
    }
}

fn is_double(ty: Type<'_>) -> bool {
    ty.element().float() == Some(ScalarType::F64)
}

/// Functions that few instructions compute also for f64.
fn is_short(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(
        kind,
        MathCeil
            | MathFloor
            | MathTrunc
            | MathRound
            | MathRoundEven
            | MathCopySign
            | MathIsFinite
            | MathIsInf
            | MathIsNaN
            | MathIsNormal
    )
}

/// Functions of angles, which are reduced to a quadrant first, and powers.
fn is_of_angles(kind: OpKind) -> bool {
    use OpKind::{MathCos, MathPowF, MathSin, MathTan};
    matches!(kind, MathSin | MathCos | MathTan | MathPowF)
}

/// The code of the function may have a branch: the angle may be large. Behind it nothing is under way that stands in front of it in the program only
/// because a loop was copied.
pub(super) fn may_branch(op: Op<'_>) -> bool {
    is_of_angles(op.kind()) && (op.kind() == OpKind::MathPowF || !is_small_angle(op.operand(0)))
}

/// No finite angle is large, by its type or what it was computed from. Code generation knows more such angles (`math_functions/finite.rs`): this is an estimate.
fn is_small_angle(angle: Value<'_>) -> bool {
    use OpKind::{
        ArithExtF, ArithNegF, ArithSIToFP, ArithUIToFP, MathAbsF, MathCos, MathErf, MathErfc, MathSin, MathTanh,
        TtBroadcast, TtExpandDims, TtFpToFp, TtReshape, TtSplat, TtTrans, TtgConvertLayout,
    };
    let mut angle = angle;
    for _ in 0..MOST_STEPS {
        // Half precision ends at 65504, and floats of 8 bits do before.
        let float = angle.ty().element().float();
        let is_narrow = float == Some(ScalarType::F16) || angle.ty().is_float_like() && angle.ty().element_bits() == 8;
        if is_narrow {
            return true;
        }
        let Some(op) = angle.defining_op() else { return false };
        if matches!(op.kind(), MathSin | MathCos | MathTanh | MathErf | MathErfc) {
            return true;
        }
        if matches!(op.kind(), ArithSIToFP | ArithUIToFP) {
            return op.operand(0).ty().element_bits() <= 16;
        }
        let keeps_size = matches!(
            op.kind(),
            ArithExtF
                | ArithNegF
                | MathAbsF
                | TtBroadcast
                | TtExpandDims
                | TtFpToFp
                | TtReshape
                | TtSplat
                | TtTrans
                | TtgConvertLayout
        );
        if !keeps_size {
            return false;
        }
        angle = op.operand(0);
    }
    false
}

/// What a function of many instructions takes beyond what [`instructions`] counts.
pub(super) fn more_of_long_function(op: Op<'_>) -> i64 {
    use OpKind::{MathErf, MathErfc, MathLog1p, MathTanh};
    let length = if matches!(op.kind(), MathErf | MathErfc | MathTanh | MathLog1p) {
        LONG_FUNCTION
    } else if is_of_angles(op.kind()) {
        FUNCTION_OF_SMALL_ANGLES
    } else {
        return 0;
    };
    elements_per_thread(op.result(0).ty()).saturating_mul(length.saturating_sub(of_function(op)).max(0))
}
