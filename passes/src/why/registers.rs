//! Where the tensors of a function take most registers, and which these are.
//!
//! Counted are tensors of floats, and of integers that memory or another thread gave; addresses and masks are computed where they are needed.
//! A tensor lives from the operation that makes it up to its last use, which may put its result into the same registers; other shapes of a
//! tensor are its own registers. What is computed from one register, and operands that products read from shared memory, are made where they are
//! needed. It is an upper estimate, since ptxas computes more than that element by element where it can.

use super::conversions::is_free;
use super::{place, tensor_text};
use crate::analysis::live_registers::{lifetime, registers};
use crate::analysis::shared_buffers::Points;
use crate::control_flow::flows_from;
use crate::operations::computations::{Computation, computation};
use crate::operations::layouts::{LayoutRule, ShapeChange, layout_rule};
use rustc_hash::FxHashSet;
use tk_ir::ops::ForOp;
use tk_ir::{Op, OpKind, Value};
use tk_why::{Held, Registers};

/// A tensor and the program points at which it is needed, without the last.
struct Life<'c> {
    value: Value<'c>,
    from: u32,
    to: u32,
    registers: u32,
}

/// The place with most registers; `limit` is how many a thread can have.
pub(super) fn of(function: Op<'_>, limit: u32) -> Option<Registers> {
    let points = Points::of(function);
    let lives = lives(function, &points);
    let ops = function.descendants();
    let live_at = |point: u32| lives.iter().filter(move |life| (life.from..life.to).contains(&point));
    let mut changes: Vec<i64> = vec![0; *points.range(function).end() as usize + 2];
    for life in &lives {
        changes[life.from as usize] += i64::from(life.registers);
        changes[life.to as usize] -= i64::from(life.registers);
    }
    let mut live = 0;
    let at: Vec<i64> = changes
        .iter()
        .map(|change| {
            live += change;
            live
        })
        .collect();
    let count = |op: &Op<'_>| at.get(*points.range(*op).start() as usize).copied().unwrap_or(0);
    // Among equals the first counts, and operations without a place say nothing.
    let known = ops.into_iter().filter(|op| place(op.loc()).is_known());
    let peak = known.rev().max_by_key(count)?;
    let mut held: Vec<Held> = live_at(*points.range(peak).start()).map(held).collect();
    held.sort_by_key(|held| std::cmp::Reverse(held.bytes));
    let estimate = u32::try_from(count(&peak)).unwrap_or(0);
    (estimate > 0).then(|| Registers { place: place(peak.loc()), estimate, limit, held })
}

fn held(life: &Life<'_>) -> Held {
    let made = maker(life.value);
    Held {
        name: made.loc().name().unwrap_or_default().to_string(),
        place: place(made.loc()),
        tensor: tensor_text(life.value.ty()),
        bytes: life.registers * 4,
    }
}

/// The value that a loop, a branch or a wait passes on: itself, or what the program computes for it.
fn maker(value: Value<'_>) -> Value<'_> {
    let mut value = value;
    for _ in 0..MOST_NESTED {
        let waiting = value.defining_op().filter(|op| op.kind() == OpKind::TtngWarpGroupDotWait);
        let awaited = waiting.map(|op| op.operand(value.result_number()));
        match awaited.or_else(|| flows_from(value).and_then(|values| values.last().copied())) {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}

/// Loops, branches and waits inside each other that are looked through.
const MOST_NESTED: u32 = 8;

/// The last use of a value, of its other shapes, and of what is computed from it element by element.
fn last_use(value: Value<'_>, op: Op<'_>, points: &Points) -> u32 {
    let mut pending = vec![Made { value, op }];
    let mut seen = FxHashSet::default();
    let mut last = 0;
    while let Some(Made { value, op }) = pending.pop().filter(|_| seen.len() < MOST_FOLLOWED) {
        if !seen.insert(value.id()) {
            continue;
        }
        last = last.max(*lifetime(value, op, points).end());
        for (user, operand) in value.users() {
            if is_shape(user) || user.results().iter().any(|result| is_passing(user, *result)) {
                let results = same_registers(user, operand).into_iter();
                pending.extend(results.map(|value| Made { value, op: user }));
            }
        }
    }
    last
}

/// A value and the operation that makes it.
struct Made<'c> {
    value: Value<'c>,
    op: Op<'c>,
}

/// Values that one walk looks at.
const MOST_FOLLOWED: usize = 200;

/// Each element of the result is computed from one register where it is needed, or is read from shared memory there.
fn is_passing(op: Op<'_>, result: Value<'_>) -> bool {
    let users = result.users();
    let is_here = |user: Op<'_>| user.block() == op.block();
    if op.kind() == OpKind::TtgLocalLoad {
        return users.iter().all(|(user, _)| user.kind() == OpKind::TtDot && is_here(*user));
    }
    let is_by_element = |op: Op<'_>| computation(op.kind()).is_element_by_element();
    let mut operands: Vec<Value<'_>> = op.operands();
    operands.retain(|operand| operand.ty().is_tensor() && operand.defining_op().is_none_or(|from| !is_repeated(from)));
    operands.dedup();
    is_by_element(op) && operands.len() == 1 && users.iter().all(|(user, _)| is_by_element(*user) && is_here(*user))
}

/// One number for many elements.
fn is_repeated(op: Op<'_>) -> bool {
    match computation(op.kind()) {
        Computation::Constant | Computation::Repeat | Computation::Range => true,
        Computation::Arithmetic
        | Computation::Function
        | Computation::Cast
        | Computation::Load
        | Computation::Reduction
        | Computation::Other => false,
    }
}

/// The results that are the registers of an operand; those who wait for a product pass each operand on.
fn same_registers(op: Op<'_>, operand: usize) -> Vec<Value<'_>> {
    if op.kind() == OpKind::TtngWarpGroupDotWait { vec![op.result(operand)] } else { op.results() }
}

/// The results are the registers of the operands.
fn is_shape(op: Op<'_>) -> bool {
    match layout_rule(op.kind()) {
        LayoutRule::Shape(ShapeChange::Reduce) => false,
        LayoutRule::Shape(
            ShapeChange::ExpandDims
            | ShapeChange::Trans
            | ShapeChange::Reshape
            | ShapeChange::Join
            | ShapeChange::Split,
        ) => true,
        LayoutRule::Same => computation(op.kind()) == Computation::Repeat,
        LayoutRule::Own => op.kind() == OpKind::TtngWarpGroupDotWait,
        LayoutRule::Conversion => is_free(op),
        LayoutRule::Access | LayoutRule::Any | LayoutRule::Fixed => false,
    }
}

fn lives<'c>(function: Op<'c>, points: &Points) -> Vec<Life<'c>> {
    let mut lives = Vec::new();
    for op in function.descendants() {
        let carried = ForOp::cast(op).map(|view| view.iter_args()).unwrap_or_default();
        for value in op.results().into_iter().chain(carried) {
            let registers = if counts(op, value) { registers(value.ty()) } else { 0 };
            if registers > 0 {
                let from = *lifetime(value, op, points).start();
                let to = last_use(value, op, points);
                lives.push(Life { value, from, to, registers });
            }
        }
    }
    lives
}

/// Whether a value that `op` makes takes registers of its own.
fn counts(op: Op<'_>, value: Value<'_>) -> bool {
    let ty = value.ty();
    if !ty.is_tensor() || is_shape(op) || is_passing(op, value) {
        return false;
    }
    match computation(op.kind()) {
        Computation::Constant | Computation::Repeat | Computation::Range => false,
        Computation::Arithmetic | Computation::Function | Computation::Cast => ty.element().is_float(),
        Computation::Load | Computation::Reduction | Computation::Other => {
            !ty.is_ptr_like() && (ty.element().is_float() || ty.element_bits() > 1 && op.num_regions() == 0)
        }
    }
}
