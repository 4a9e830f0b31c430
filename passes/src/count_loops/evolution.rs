//! How often a `while` loop runs whose condition follows from constants.
//!
//! ```text
//! offset = 1
//! while offset < 16: …; offset *= 2          1, 2, 4, 8: four iterations
//! ```
//!
//! Scans and trees double or halve a number until it reaches the size of a block. What the loop carries starts with constants, at least in part, and the
//! condition and what an iteration makes of these values are arithmetic: it is computed, iteration by iteration, in the bits of each type, until the condition
//! is false. Values that anything else goes into are not known. Where the condition asks for one, or a result is undefined (a division by zero), or
//! the loop goes on for longer than [`MOST_ITERATIONS`], it stays.
//!
//! LLVM's `ScalarEvolution` does the same for Triton's loops (`computeExitCountExhaustively`).

use super::{hands_on_what_is_carried, write};
use crate::analysis::axis_rules::{evaluate, holds, wrap};
use crate::operations::axis::{AxisRule, axis_rule};
use rustc_hash::FxHashMap;
use tk_ir::ops::{CmpI, WhileOp};
use tk_ir::{Builder, Op, OpKind, Value};

/// Iterations of a loop that is followed to its end: a block of 65536 elements is doubled up to in so many.
const MOST_ITERATIONS: i32 = 16;
/// Operations that are looked at for one value.
const MOST_OPERATIONS: usize = 64;

/// A `while` loop with a known number of iterations.
pub(super) struct Iterations<'c> {
    view: WhileOp<'c>,
    number: i32,
}

impl<'c> Iterations<'c> {
    /// `None` where the condition does more than compute, or the number is not known.
    pub(super) fn of(view: WhileOp<'c>) -> Option<Self> {
        let mut condition = view.before().ops();
        condition.pop();
        let is_arithmetic = condition.iter().all(|op| op.is_memory_effect_free() && op.num_regions() == 0);
        if !is_arithmetic || !hands_on_what_is_carried(view) {
            return None;
        }
        let mut carried = Numbers::default().all(&view.op.operands());
        for number in 0..=MOST_ITERATIONS {
            let mut numbers = Numbers::of_iteration(view, &carried);
            if numbers.get(view.condition().op.operand(0))? == 0 {
                return Some(Self { view, number });
            }
            carried = numbers.all(&view.yield_op().operands());
        }
        None
    }

    /// Writes a `for` loop of so many iterations, or no loop.
    pub(super) fn apply(self) {
        let view = self.view;
        if self.number == 0 {
            for (result, start) in view.op.results().into_iter().zip(view.op.operands()) {
                result.replace_all_uses_with(start);
            }
            view.op.erase();
            return;
        }
        let mut builder = Builder::before(view.op);
        let bounds = [0, self.number, 1].map(|bound| builder.i32(bound));
        let all: Vec<usize> = (0..view.op.num_operands()).collect();
        write(view, bounds, &all, |_, _, _| {});
    }
}

/// What values are in an iteration: integers with the sign of their type's first bit, `None` for what is not known.
#[derive(Default)]
struct Numbers {
    known: FxHashMap<usize, Option<i64>>,
    looked_at: usize,
}

impl Numbers {
    /// Those of an iteration that begins with `carried`.
    fn of_iteration(view: WhileOp<'_>, carried: &[Option<i64>]) -> Self {
        let mut numbers = Self::default();
        for block in [view.before(), view.after()] {
            let ids = block.arguments().into_iter().map(|argument| argument.id());
            numbers.known.extend(ids.zip(carried.iter().copied()));
        }
        numbers
    }

    fn all(&mut self, values: &[Value<'_>]) -> Vec<Option<i64>> {
        let of = |value: &Value<'_>| {
            self.looked_at = 0;
            self.get(*value)
        };
        values.iter().map(of).collect()
    }

    fn get(&mut self, value: Value<'_>) -> Option<i64> {
        if let Some(known) = self.known.get(&value.id()) {
            return *known;
        }
        let found = self.compute(value);
        self.known.insert(value.id(), found);
        found
    }

    fn compute(&mut self, value: Value<'_>) -> Option<i64> {
        let bits = bits_of(value)?;
        if let Some(constant) = value.constant_int() {
            // Truth values are given as 0 and 1.
            return Some(wrap(constant.into(), bits));
        }
        let op = value.defining_op()?;
        self.looked_at += 1;
        if self.looked_at > MOST_OPERATIONS {
            return None;
        }
        let (kind, first) = (op.kind(), self.get(op.operands().first().copied()?)?);
        if let AxisRule::Binary(kind) = axis_rule(kind) {
            evaluate(kind, first, self.get(op.operand(1))?, bits)
        } else if kind == OpKind::ArithCmpI {
            self.compared(op).map(|is_true| wrap(is_true.into(), bits))
        } else if kind == OpKind::ArithSelect {
            self.get(op.operand(if first == 0 { 2 } else { 1 }))
        } else if matches!(kind, OpKind::ArithExtSI | OpKind::ArithTruncI) {
            Some(wrap(first.into(), bits))
        } else if kind == OpKind::ArithExtUI {
            let mask = (1i128 << bits_of(op.operand(0))?) - 1;
            Some(wrap(i128::from(first) & mask, bits))
        } else {
            None
        }
    }

    fn compared(&mut self, comparison: Op<'_>) -> Option<bool> {
        let predicate = CmpI::from_number(comparison.int_attr("predicate")?)?;
        let (left, right) = (self.get(comparison.operand(0))?, self.get(comparison.operand(1))?);
        Some(holds(predicate, left, right, bits_of(comparison.operand(0))?))
    }
}

/// The bits of a scalar integer that is computed with.
fn bits_of(value: Value<'_>) -> Option<u32> {
    value.ty().int_bits().filter(|bits| (1..=64).contains(bits))
}
