//! Loops run the iterations in which the condition around their body holds, and no others.
//!
//! ```text
//! for k in range(0, N, B):                 for k in range(0, min(N, end), B):
//!     if k < end:                              …
//!         …
//! ```
//!
//! Causal attention asks so, and attention within a window from below, too. Nothing runs ahead behind a branch, and the iterations that do nothing
//! cost their turn. A comparison of what the loop counts, or of a multiple of it, with a number that does not change holds up to some iteration, or
//! from one on: it is a bound of the loop. (Triton leaves such loops.)
//!
//! Iterations that are left out must do nothing else. Besides the branch there is arithmetic, and what loads bring that only the branch
//! uses. What the loop carries is what the branch gives, and stays what it is where the branch is not taken. What moves on in every iteration, as
//! pointers do, may do so where the last iterations are left out and nobody behind the loop asks for it.
//!
//! A multiple that leaves the range of its type is compared as it would be without an end to that range.
//!
//! 1. What the branch asks ([`Guard::of`]), and which of that are bounds ([`Limit::of`]).  2. The bounds of the loop, and the body without
//!    the branch, or behind what is left of its condition.

use crate::control_flow::loops_of;
use crate::linear_numbers::{Comparison, Linear, divided_up, shifted};
use crate::operations::memory::{GlobalMemory, global_memory};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp, IfOp, LoadOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "bound-loops", summary: "make bounds of loops of the condition around their body", run };

/// Branches inside of each other that are looked at, and comparisons of one condition.
const MOST_CONDITIONS: usize = 8;
/// Operations that a bound is computed from and that are moved out of the loop.
const MOST_MOVED: usize = 32;
/// Loops of so many iterations, if that is known, are written out, and would not be with another bound.
const FEW_ITERATIONS: i64 = 8;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        // Inner loops first, since what they become belongs to the bodies of the outer ones.
        for view in loops_of(function).rev() {
            for guard in (0..MOST_CONDITIONS).map_while(|_| Guard::of(view)) {
                guard.apply();
            }
        }
    }
    Ok(())
}

/// The end of the iterations in which a comparison holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It holds from some iteration on.
    Lower,
    /// It holds up to some iteration.
    Upper,
}

/// `factor * number < bound + shift` up to the end of a loop, or `factor * number >= bound + shift` from its start.
struct Limit<'c> {
    end: End,
    factor: i64,
    bound: Value<'c>,
    shift: i64,
}

impl<'c> Limit<'c> {
    /// `None` where the condition compares anything else.
    fn of(condition: Value<'c>, view: ForOp<'c>) -> Option<Self> {
        let counted = |value: Value<'c>| Linear::of(value, view.body()).filter(|of| of.index == 0);
        let Comparison { number: of, predicate, bound } = Comparison::of(condition, counted)?;
        let (end, shift) = match predicate {
            CmpI::Slt => (End::Upper, 0),
            CmpI::Sle => (End::Upper, 1),
            CmpI::Sge => (End::Lower, 0),
            CmpI::Sgt => (End::Lower, 1),
            CmpI::Eq | CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => return None,
        };
        let shift = of.offset.checked_neg()?.checked_add(shift)?;
        let fits = i32::try_from(shift).is_ok() && i32::try_from(of.factor).is_ok();
        let is_number = bound.ty() == view.induction_var().ty() && bound.ty().element_bits() >= 32;
        let is_known = match end {
            End::Lower => starts_naturally(view),
            End::Upper => true,
        };
        (fits && is_number && is_known && moved_out(bound, view).is_some()).then_some(Self {
            end,
            factor: of.factor,
            bound,
            shift,
        })
    }

    /// The bound of the loop becomes this one where that leaves out more.
    fn apply(self, view: ForOp<'c>) {
        for op in moved_out(self.bound, view).unwrap_or_default() {
            op.move_before(view.op);
        }
        let mut builder = Builder::before(view.op);
        let end = shifted(&mut builder, self.bound, self.shift);
        let end = divided_up(&mut builder, end, self.factor);
        let (lower, upper, step) = (view.lower_bound(), view.upper_bound(), view.step());
        match self.end {
            End::Upper => view.op.set_operand(1, builder.binary(OpKind::ArithMinSI, upper, end)),
            End::Lower => {
                let end = builder.binary(OpKind::ArithMinSI, upper, end);
                let end = builder.binary(OpKind::ArithMaxSI, lower, end);
                let distance = builder.binary(OpKind::ArithSubI, end, lower);
                let steps = divided_up(&mut builder, distance, step.constant_int().unwrap_or(1));
                let moved = builder.binary(OpKind::ArithMulI, steps, step);
                view.op.set_operand(0, builder.binary(OpKind::ArithAddI, lower, moved));
            }
        }
    }
}

/// From the first number of the loop to any other is no farther than numbers go, and its steps are known.
fn starts_naturally(view: ForOp<'_>) -> bool {
    view.lower_bound().constant_int().is_some_and(|first| first >= 0)
        && view.step().constant_int().is_some_and(|step| step > 0)
}

/// What of the body `value` is computed from, in the order of the body; `None` where it changes with the iterations.
fn moved_out<'c>(value: Value<'c>, view: ForOp<'c>) -> Option<Vec<Op<'c>>> {
    let (mut pending, mut moved) = (vec![value], Vec::new());
    while let Some(value) = pending.pop() {
        if value.dominates(view.op) {
            continue;
        }
        let op = value.defining_op().filter(|op| op.block() == Some(view.body()) && op.is_pure())?;
        if op.num_regions() > 0 || moved.len() == MOST_MOVED {
            return None;
        }
        if !moved.contains(&op) {
            moved.push(op);
            pending.extend(op.operands());
        }
    }
    Some(view.body().ops().into_iter().filter(|op| moved.contains(op)).collect())
}

/// The branch around what a loop does.
struct Guard<'c> {
    view: ForOp<'c>,
    branch: IfOp<'c>,
    limits: Vec<Limit<'c>>,
    /// What else must hold.
    others: Vec<Value<'c>>,
}

impl<'c> Guard<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let ops = view.body().ops();
        let mut branches = ops.iter().copied().filter_map(IfOp::cast).filter(|branch| !branch.op.is_pure());
        let branch = branches.next().filter(|_| branches.next().is_none())?;
        let does_nothing_else = ops.iter().all(|op| *op == branch.op || op.is_terminator() || may_be_left_out(*op));
        let is_plain = does_nothing_else && !view.unsigned_cmp() && !has_few_iterations(view);
        let does_nothing_instead = branch.else_block().is_none_or(|block| block.ops().len() == 1);
        if !is_plain || !does_nothing_instead {
            return None;
        }
        let moves_on = moves_on(view, branch)?;
        let (mut limits, mut others) = (Vec::new(), Vec::new());
        for condition in conditions(branch.op.operand(0)) {
            match Limit::of(condition, view).filter(|limit| !moves_on || limit.end == End::Upper) {
                Some(limit) => limits.push(limit),
                None => others.push(condition),
            }
        }
        (!limits.is_empty()).then_some(Self { view, branch, limits, others })
    }

    fn apply(self) {
        let Self { view, branch, limits, others } = self;
        for limit in limits {
            limit.apply(view);
        }
        let mut builder = Builder::before(branch.op);
        if let Some(left) = others.into_iter().reduce(|all, one| builder.binary(OpKind::ArithAndI, all, one)) {
            branch.op.set_operand(0, left);
            return;
        }
        let mut ops = branch.then_block().ops();
        let terminator = ops.pop();
        for op in ops {
            op.move_before(branch.op);
        }
        for (old, new) in branch.op.results().into_iter().zip(terminator.map(|op| op.operands()).unwrap_or_default()) {
            old.replace_all_uses_with(new);
        }
        branch.op.erase();
    }
}

/// It computes, or loads what may as well not be loaded.
fn may_be_left_out(op: Op<'_>) -> bool {
    let computes = op.is_pure() && global_memory(op.kind()) == GlobalMemory::None;
    computes || LoadOp::cast(op).is_some_and(|load| !load.is_volatile())
}

fn has_few_iterations(view: ForOp<'_>) -> bool {
    let [first, end, step] = [0, 1, 2].map(|index| view.op.operand(index).constant_int());
    let distance = first.zip(end).and_then(|(first, end)| end.checked_sub(first));
    distance.zip(step).is_some_and(|(distance, step)| step > 0 && distance <= step.saturating_mul(FEW_ITERATIONS))
}

/// Whether anything that the loop carries changes where the branch is not taken; `None` where somebody behind the loop asks for that.
fn moves_on(view: ForOp<'_>, branch: IfOp<'_>) -> Option<bool> {
    let instead = branch.else_yield().map(|op| op.operands()).unwrap_or_default();
    let mut moves_on = false;
    for (index, (argument, next)) in view.iter_args().into_iter().zip(view.yielded()).enumerate() {
        let given = branch.op.results().iter().position(|result| *result == next);
        let untaken = given.and_then(|at| instead.get(at).copied()).unwrap_or(next);
        if untaken == argument {
            continue;
        }
        if view.op.result(index).has_uses() {
            return None;
        }
        moves_on = true;
    }
    Some(moves_on)
}

/// The conditions that hold where `condition` does, and together are it.
fn conditions(condition: Value<'_>) -> Vec<Value<'_>> {
    let (mut pending, mut found) = (vec![condition], Vec::new());
    while let Some(condition) = pending.pop() {
        let op = condition.defining_op().filter(|_| pending.len() + found.len() < MOST_CONDITIONS);
        match op.map(|op| (op, op.kind())) {
            Some((op, OpKind::ArithAndI)) => pending.extend([op.operand(1), op.operand(0)]),
            Some((op, OpKind::ArithSelect)) if op.operand(2).constant_int() == Some(0) => {
                pending.extend([op.operand(1), op.operand(0)]);
            }
            Some(_) | None => found.push(condition),
        }
    }
    found
}
