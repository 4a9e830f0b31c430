//! The order of axes that accesses take from each other.
//!
//! Of some accesses nothing is known along several axes: a table that is read at numbers that were loaded or computed. Which of these axes goes
//! to neighboring threads is all the same to memory then, and what decides is the access of the same block that knows: a load whose values meet
//! these, element by element, or the store of what is made of them. With another order their values would be converted, and every index would be
//! computed in two layouts.

use super::MOST_USERS;
use crate::operations::computations::computation;
use rustc_hash::FxHashSet;
use tk_ir::{Op, OpKind, Type, Value};

/// The accesses that the values of `load` meet: loads of blocks with as many axes, and stores.
pub(super) fn met_by(load: Op<'_>) -> Vec<Op<'_>> {
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut pending = load.results();
    while let Some(value) = pending.pop() {
        for (user, operand) in value.users() {
            if user.kind() == OpKind::TtStore && operand == 1 {
                found.push(user);
            } else if is_by_element(user) && seen.len() < MOST_USERS && seen.insert(user.id()) {
                pending.extend(user.results().into_iter().filter(|result| has_shape_of(*result, value)));
                found.extend(user.operands().into_iter().filter_map(|operand| load_of(operand, load)));
            }
        }
    }
    found
}

/// Conversions stand between what has not chosen its layout yet.
pub(super) fn is_by_element(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtgConvertLayout || computation(op.kind()).is_element_by_element()
}

fn has_shape_of(result: Value<'_>, value: Value<'_>) -> bool {
    result.ty().is_tensor() && result.ty().shape() == value.ty().shape()
}

/// A number for each row, or for each column, says nothing of the other axis.
pub(super) fn has_two_axes(shape: &[i64]) -> bool {
    shape.iter().filter(|length| **length > 1).count() > 1
}

/// The load, but not `own`, that a value is made of in single steps.
fn load_of<'c>(value: Value<'c>, own: Op<'c>) -> Option<Op<'c>> {
    let rank = value.ty().is_tensor().then(|| value.ty().rank())?;
    let mut value = value;
    for _ in 0..MOST_USERS {
        let op = value.defining_op()?;
        if op.kind() == OpKind::TtLoad {
            let is_block = |ty: Type<'_>| ty.is_tensor() && ty.rank() == rank && has_two_axes(&ty.shape());
            return (op != own && is_block(op.operand(0).ty())).then_some(op);
        }
        let is_step = op.kind() == OpKind::TtBroadcast || is_by_element(op);
        let operands = op.operands();
        value = operands.first().copied().filter(|_| is_step && operands.len() == 1)?;
    }
    None
}
