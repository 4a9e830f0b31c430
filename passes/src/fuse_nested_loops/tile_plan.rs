//! What of a tile the fused loop carries, and what it computes again.

use crate::analysis::live_registers::registers;
use crate::operations::computations::{Computation, computation};
use rustc_hash::FxHashSet;
use tk_ir::ops::ForOp;
use tk_ir::{Op, Value};

/// What becomes of the values of a tile.
#[derive(Default)]
pub(super) struct TilePlan<'c> {
    /// Carried from iteration to iteration.
    pub(super) carried: Vec<Value<'c>>,
    /// Operations before the inner loop that every iteration does again, in order.
    pub(super) again: Vec<Op<'c>>,
    /// Those that only what stands behind the inner loop needs again.
    pub(super) behind: Vec<Op<'c>>,
}

/// Registers of a thread that values of a tile may take.
const MOST_REGISTERS: u32 = 32;

/// Carries few registers: what can be computed again from less is, and what stands behind the inner loop computes all tensors that it needs.
/// `None` where too many registers are left.
pub(super) fn tile_plan<'c>(outer: ForOp<'c>, inner: ForOp<'c>, before: &[Op<'c>]) -> Option<TilePlan<'c>> {
    let (mut carried, mut again, mut behind) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
    let mut pending: Vec<(Value<'c>, bool)> = Vec::new();
    for value in before.iter().flat_map(|op| op.results()) {
        for (user, _) in value.users() {
            let Some(place) = user.ancestor_in(outer.body()) else { continue };
            // Where a carried tensor starts is said anew for each tile.
            let is_start = user == inner.op && value.ty().is_tensor();
            if (place == inner.op && !is_start) || inner.op.is_before_in_block(place) {
                pending.push((value, place == inner.op));
            }
        }
    }
    while let Some((value, is_in_loop)) = pending.pop() {
        let Some(op) = value.defining_op().filter(|op| before.contains(op)) else { continue };
        let is_known = carried.contains(&value.id()) || again.contains(&op.id());
        if is_known || (!is_in_loop && behind.contains(&op.id())) {
            continue;
        }
        let is_less = !is_in_loop || again_registers(op, before) < registers_of(value);
        if !(value.ty().is_tensor() && is_repeatable(op) && is_less) {
            carried.insert(value.id());
            continue;
        }
        let repeated = if is_in_loop { &mut again } else { &mut behind };
        repeated.insert(op.id());
        pending.extend(op.operands().into_iter().map(|operand| (operand, is_in_loop)));
    }
    let values = before.iter().flat_map(|op| op.results());
    let carried: Vec<Value<'c>> = values.filter(|value| carried.contains(&value.id())).collect();
    let is_again = |op: &&Op<'c>| again.contains(&op.id());
    let is_behind = |op: &&Op<'c>| behind.contains(&op.id()) && !again.contains(&op.id());
    let registers: u32 = carried.iter().map(|value| registers_of(*value)).sum();
    (registers <= MOST_REGISTERS).then(|| TilePlan {
        carried,
        again: before.iter().filter(is_again).copied().collect(),
        behind: before.iter().filter(is_behind).copied().collect(),
    })
}

/// Registers of a thread that hold a value.
fn registers_of(value: Value<'_>) -> u32 {
    if value.ty().is_tensor() { registers(value.ty()) } else { 1 }
}

/// Registers that hold what `op` is computed from, where that is computed before the inner loop.
fn again_registers(op: Op<'_>, before: &[Op<'_>]) -> u32 {
    let of_operand = |operand: Value<'_>| match operand.defining_op().filter(|source| before.contains(source)) {
        None => 0,
        Some(source) if operand.ty().is_tensor() && is_repeatable(source) => {
            registers_of(operand).min(again_registers(source, before))
        }
        Some(_) => registers_of(operand),
    };
    op.operands().into_iter().map(of_operand).fold(0, u32::saturating_add)
}

/// An operation of few instructions.
fn is_repeatable(op: Op<'_>) -> bool {
    match computation(op.kind()) {
        Computation::Constant
        | Computation::Repeat
        | Computation::Range
        | Computation::Arithmetic
        | Computation::Cast => true,
        Computation::Function | Computation::Load | Computation::Reduction | Computation::Other => false,
    }
}
