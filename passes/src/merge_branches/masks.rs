//! Masks that a branch narrows: `if window > 0: mask = mask & (columns > rows - window)`.
//!
//! A thread has seven predicates. What a branch gives as truth values, one for each element, is moved into registers before the branch ends and
//! tested again behind it: more instructions than the comparisons that the branch spares. So both sides are computed where that takes few
//! comparisons, and the condition becomes a term of the mask.
//!
//! Only operations without effects that are defined for all numbers leave their branch.

use super::before_yield;
use crate::operations::computations::{Computation, computation};
use tk_ir::ops::IfOp;
use tk_ir::{Block, Builder, Op, OpKind, Value};

/// Operations on each element of the masks that are computed although their side may not be taken.
const MOST_OPERATIONS: i64 = 2;

/// The most terms of a mask that are looked through. A mask that is used twice in another is met twice.
const MOST_TERMS: usize = 16;

/// Computes the masks that an `if` gives without it; whether it did.
pub(super) fn flatten(view: IfOp<'_>) -> bool {
    let Some(otherwise) = view.else_block().filter(|_| gives_masks(view)) else { return false };
    let then = view.then_block();
    if !are_cheap([then, otherwise], elements_of(view.op.result(0))) {
        return false;
    }
    let Some(last) = view.else_yield() else { return false };
    let (yielded, others) = (view.then_yield().operands(), last.operands());
    let moved = [before_yield(then), before_yield(otherwise)].concat();
    moved.iter().for_each(|op| op.move_before(view.op));
    for ((result, then), otherwise) in view.op.results().into_iter().zip(yielded).zip(others) {
        let mut builder = Builder::before(view.op);
        let chosen = choose(&mut builder, view.condition(), then, otherwise);
        result.replace_all_uses_with(chosen);
    }
    view.op.erase();
    true
}

fn gives_masks(view: IfOp<'_>) -> bool {
    let results = view.op.results();
    let is_mask = |value: &Value<'_>| value.ty().is_tensor() && value.ty().element_bits() == 1;
    !results.is_empty() && results.iter().all(is_mask)
}

fn elements_of(value: Value<'_>) -> i64 {
    if value.ty().is_tensor() { value.ty().shape().into_iter().product() } else { 1 }
}

/// Whether both sides together take few operations for each element of a mask.
fn are_cheap(sides: [Block<'_>; 2], elements: i64) -> bool {
    let ops = sides.into_iter().flat_map(before_yield);
    let mut operations = 0;
    for op in ops {
        match computation(op.kind()) {
            Computation::Constant | Computation::Repeat | Computation::Range => {}
            Computation::Arithmetic if is_defined_everywhere(op) => operations += elements_of(op.result(0)),
            Computation::Arithmetic
            | Computation::Function
            | Computation::Cast
            | Computation::Load
            | Computation::Reduction
            | Computation::Other => return false,
        }
    }
    // What rows or columns alone need counts for nothing.
    operations / elements <= MOST_OPERATIONS
}

/// Integers are compared, combined and added; a division by zero would be met although no program asks for it.
fn is_defined_everywhere(op: Op<'_>) -> bool {
    use OpKind::*;
    matches!(op.kind(), ArithCmpI | ArithAndI | ArithOrI | ArithXOrI | ArithAddI | ArithSubI | ArithMulI)
}

/// One of two masks. Where one is the other and something more, only that depends on the condition: a comparison takes it along as a term.
fn choose<'c>(builder: &mut Builder<'c>, condition: Value<'c>, then: Value<'c>, otherwise: Value<'c>) -> Value<'c> {
    if then == otherwise {
        return then;
    }
    let ty = then.ty();
    if let Some(more) = beyond(builder, then, otherwise) {
        let always = builder.bool(true);
        let is_other = builder.binary(OpKind::ArithXOrI, condition, always);
        let is_other = builder.splat(is_other, ty);
        let passes = builder.binary(OpKind::ArithOrI, more, is_other);
        return builder.binary(OpKind::ArithAndI, otherwise, passes);
    }
    if let Some(more) = beyond(builder, otherwise, then) {
        let is_first = builder.splat(condition, ty);
        let passes = builder.binary(OpKind::ArithOrI, more, is_first);
        return builder.binary(OpKind::ArithAndI, then, passes);
    }
    builder.select(condition, then, otherwise)
}

/// What `narrow` asks beyond `wide`, where it is `wide & …` and has few terms.
fn beyond<'c>(builder: &mut Builder<'c>, narrow: Value<'c>, wide: Value<'c>) -> Option<Value<'c>> {
    let mut terms = Vec::new();
    let mut pending = vec![narrow];
    while let Some(value) = pending.pop() {
        if terms.len() + pending.len() >= MOST_TERMS {
            return None;
        }
        match value.defining_op().filter(|op| op.kind() == OpKind::ArithAndI && value != wide) {
            Some(op) => pending.extend(op.operands().into_iter().rev()),
            None => terms.push(value),
        }
    }
    let at = terms.iter().position(|term| *term == wide)?;
    terms.remove(at);
    terms.into_iter().reduce(|all, term| builder.binary(OpKind::ArithAndI, all, term))
}
