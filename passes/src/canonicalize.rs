//! Brings operations into their simplest form: our folds for tt and ttg, MLIR's for arith and scf.
//!
//! Constants move through splats and shapes so that MLIR can fold arithmetic on them, masks that are always true or false
//! disappear, also those that compare numbers of known [`Ranges`], remainders of what is divided go, and shape changes that do nothing go. One walk in program order sees producers first; MLIR's greedy driver does
//! the rest, and what that uncovers gets another walk.

use crate::analysis::ranges::Ranges;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ConstantOp, LoadOp, MakeRangeOp, StoreOp, TransLikeOp};
use tk_ir::{Builder, Module, Op, OpKind, OpSpec, Type, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "canonicalize", summary: "fold constants, masks and shapes (ours, then MLIR's)", run };

/// Operations behind a remainder that are looked at for assumptions.
const MOST_USERS: usize = 32;

/// Rounds of our folds and MLIR's; real kernels need two.
const MAX_ROUNDS: usize = 4;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    fold_all(module);
    for _ in 0..MAX_ROUNDS {
        module.run_mlir_passes("canonicalize")?;
        if fold_all(module) == 0 {
            break;
        }
    }
    Ok(())
}

/// Folds every operation once, in program order; returns how many folded.
fn fold_all(module: &Module<'_>) -> usize {
    let mut folded = 0;
    for function in module.functions() {
        folded += fold_outcomes(function);
        for op in function.descendants() {
            folded += usize::from(fold(op));
        }
    }
    folded
}

/// Comparisons and remainders that have one outcome become constants, as masks do whose last block is whole.
fn fold_outcomes(function: Op<'_>) -> usize {
    let mut ranges = Ranges::default();
    let mut known = Vec::new();
    for op in function.descendants() {
        known.extend(ranges.outcome(op).map(|outcome| (op, i64::from(outcome))));
        known.extend(leaves_nothing(op, &mut ranges).then_some((op, 0)));
    }
    for (op, outcome) in &known {
        let value = Builder::before(*op).int(op.result(0).ty(), *outcome);
        op.result(0).replace_all_uses_with(value);
        op.erase();
    }
    known.len()
}

/// A remainder of one number by a power of two that divides it. One that an assumption says this of stays: nothing else says it.
fn leaves_nothing(op: Op<'_>, ranges: &mut Ranges) -> bool {
    let is_remainder = matches!(op.kind(), OpKind::ArithRemSI | OpKind::ArithRemUI);
    if !is_remainder || op.result(0).ty().is_tensor() || is_assumed(op) {
        return false;
    }
    let divisor = op.operand(1).constant_int().and_then(|divisor| u64::try_from(divisor).ok());
    divisor.is_some_and(|divisor| divisor.is_power_of_two() && ranges.divisor(op.operand(0), op) >= divisor)
}

/// An assumption is computed from it.
fn is_assumed(op: Op<'_>) -> bool {
    let (mut pending, mut seen) = (vec![op], 0);
    while let Some(op) = pending.pop() {
        seen += 1;
        let mut users = op.results().into_iter().flat_map(|result| result.users()).map(|(user, _)| user);
        if seen > MOST_USERS || users.any(|user| user.kind() == OpKind::LlvmAssume) {
            return true;
        }
        let conditions = op.results().into_iter().flat_map(|result| result.users()).map(|(user, _)| user);
        pending.extend(
            conditions.filter(|user| user.is_pure() && user.results().iter().all(|result| !result.ty().is_tensor())),
        );
    }
    false
}

/// Folds one operation; true when it is gone or changed.
fn fold(op: Op<'_>) -> bool {
    if let Some(load) = LoadOp::cast(op) {
        return fold_load(load);
    }
    if let Some(store) = StoreOp::cast(op) {
        return fold_store(store);
    }
    let Some(value) = folded(op) else { return false };
    op.result(0).replace_all_uses_with(value);
    op.erase();
    true
}

/// What a pure operation folds to.
fn folded(op: Op<'_>) -> Option<Value<'_>> {
    let is = |kind: OpKind| op.kind() == kind;
    if let Some(range) = MakeRangeOp::cast(op) {
        // A range of one number is that number.
        let is_one = range.end() - range.start() == 1;
        is_one.then(|| Builder::before(op).int(op.result(0).ty(), range.start()))
    } else if repeats_or_moves(op) {
        fold_shape(op)
    } else if is(OpKind::ArithSelect) {
        fold_select(op)
    } else {
        let is_conversion = is(OpKind::TtgConvertLayout);
        if is_conversion && let Some(scalar) = op.operand(0).constant().and_then(|constant| constant.as_splat()) {
            // One number is the same number in every layout.
            let ty = op.result(0).ty();
            return Some(Builder::before(op).constant(op.context().splat_attr(ty, scalar)));
        }
        let adds_nothing = is(OpKind::TtAddPtr) && op.operand(1).constant_int() == Some(0);
        let converts_nothing = is_conversion && op.operand(0).ty() == op.result(0).ty();
        (adds_nothing || converts_nothing).then(|| op.operand(0))
    }
}

/// Every element of the result is one of the operand's: a splat gives a splat of another shape.
fn repeats_or_moves(op: Op<'_>) -> bool {
    use OpKind::*;
    matches!(op.kind(), TtSplat | TtBroadcast | TtExpandDims | TtReshape | TtTrans)
}

fn fold_shape<'c>(op: Op<'c>) -> Option<Value<'c>> {
    let (source, ty) = (op.operand(0), op.result(0).ty());
    if let Some(constant) = source.constant() {
        // A constant scalar or splat is a constant of the new shape.
        let scalar = if source.ty().is_tensor() { constant.as_splat()? } else { constant };
        return Some(Builder::before(op).constant(op.context().splat_attr(ty, scalar)));
    }
    if op.kind() == OpKind::TtSplat {
        return None;
    }
    if let Some(scalar) = source.splat_source() {
        return Some(Builder::before(op).splat(scalar, ty));
    }
    if source.ty() == ty && (op.kind() != OpKind::TtTrans || is_identity(&TransLikeOp::cast(op)?.order())) {
        return Some(source);
    }
    let inner = source.defining_op()?;
    if inner.kind() != op.kind() {
        return None;
    }
    if let (Some(outer), Some(first)) = (TransLikeOp::cast(op), TransLikeOp::cast(inner)) {
        let (outer, first) = (outer.order(), first.order());
        let both: Vec<usize> = outer.iter().map(|&axis| first[axis]).collect();
        return (ty == inner.operand(0).ty() && is_identity(&both)).then(|| inner.operand(0));
    }
    let is = |kind: OpKind| op.kind() == kind;
    if is(OpKind::TtBroadcast) {
        return Some(Builder::before(op).broadcast(inner.operand(0), ty));
    }
    (is(OpKind::TtReshape) && may_merge(op, inner)).then(|| merged_reshape(op, inner, ty))
}

fn is_identity(order: &[usize]) -> bool {
    order.iter().enumerate().all(|(index, axis)| index == *axis)
}

/// Two reshapes that both keep the order of elements, before layouts exist.
fn may_merge(outer: Op<'_>, inner: Op<'_>) -> bool {
    let keeps_order = |op: Op<'_>| op.attr("allow_reorder").is_none();
    keeps_order(outer) && keeps_order(inner) && outer.result(0).ty().encoding().is_none()
}

fn merged_reshape<'c>(op: Op<'c>, inner: Op<'c>, ty: Type<'c>) -> Value<'c> {
    if inner.operand(0).ty() == ty {
        inner.operand(0)
    } else {
        Builder::before(op).reshape(inner.operand(0), ty, false)
    }
}

/// The value of a mask that is the same everywhere.
fn known_mask(mask: Value<'_>) -> Option<bool> {
    mask.constant_int().map(|value| value != 0)
}

fn fold_load(load: LoadOp<'_>) -> bool {
    let op = load.op;
    match load.mask().and_then(known_mask) {
        None => false,
        Some(true) => {
            op.set_operands(&[load.ptr()]);
            op.set_attr("operandSegmentSizes", op.context().i32_array(&[1, 0, 0]));
            true
        }
        Some(false) if load.is_volatile() => false,
        Some(false) => {
            let value = match load.other() {
                Some(other) => other,
                // Nothing says what unloaded elements are.
                None => {
                    Builder::before(op).insert(OpSpec::new(OpKind::UbPoison).results(&[load.result().ty()])).result(0)
                }
            };
            load.result().replace_all_uses_with(value);
            op.erase();
            true
        }
    }
}

fn fold_store(store: StoreOp<'_>) -> bool {
    let op = store.op;
    match store.mask().and_then(known_mask) {
        None => false,
        Some(true) => {
            op.set_operands(&[store.ptr(), store.value()]);
            true
        }
        Some(false) => {
            op.erase();
            true
        }
    }
}

fn fold_select(op: Op<'_>) -> Option<Value<'_>> {
    let (condition, yes, no) = (op.operand(0), op.operand(1), op.operand(2));
    if yes == no {
        return Some(yes);
    }
    // A condition that is a splat of one bit chooses a whole tensor.
    if let Some(scalar) = condition.splat_source() {
        op.set_operand(0, scalar);
        return None;
    }
    ConstantOp::cast(condition.defining_op()?)?.int().map(|value| if value != 0 { yes } else { no })
}
