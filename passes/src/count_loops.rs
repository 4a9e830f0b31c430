//! `while` loops that count are `for` loops.
//!
//! ```text
//! i = start                                for i from start to end step n:
//! while i < end: …; i += n                     …
//! ```
//!
//! Nothing runs ahead in a `while` loop, since nobody knows how often it runs. Where the condition compares a number that each iteration moves by a
//! constant with one that does not change, the loop counts, and everything that holds for loops that count holds for it: copies ahead, blocks by TMA,
//! copies of the body. (Triton leaves such loops; LLVM unrolls those of few steps.)
//!
//! 1. What the loop counts ([`Count::of`]).  2. A `for` loop in its place. What the loop counts is carried on where it is used behind the loop.

use crate::cloning::{Mapping, copy_ops};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, WhileOp};
use tk_ir::{Builder, Module, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "count-loops", summary: "make for loops of while loops that count", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        // Inner loops come later in program order and are rewritten first.
        let loops = function.descendants().into_iter().rev().filter_map(WhileOp::cast);
        loops.filter_map(Count::of).collect::<Vec<_>>().into_iter().for_each(Count::apply);
    }
    Ok(())
}

/// A `while` loop that counts.
struct Count<'c> {
    view: WhileOp<'c>,
    /// Which of the carried values is the number.
    index: usize,
    end: Value<'c>,
    step: i64,
}

impl<'c> Count<'c> {
    /// `None` where the condition computes anything else, or hands on anything but what the loop carries.
    fn of(view: WhileOp<'c>) -> Option<Self> {
        let (before, after) = (view.before(), view.after());
        let [compared, condition] = before.ops()[..] else { return None };
        let handed_on = &condition.operands()[1..];
        if condition.operand(0).defining_op() != Some(compared) || handed_on != before.arguments() {
            return None;
        }
        if compared.kind() != OpKind::ArithCmpI {
            return None;
        }
        let (left, right) = (compared.operand(0), compared.operand(1));
        let (number, end) = match CmpI::from_number(compared.int_attr("predicate")?)? {
            CmpI::Slt => (left, right),
            CmpI::Sgt => (right, left),
            CmpI::Eq | CmpI::Ne | CmpI::Sle | CmpI::Sge | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => return None,
        };
        let index = before.arguments().iter().position(|argument| *argument == number)?;
        let next = after.terminator()?.operand(index).defining_op().filter(|op| op.kind() == OpKind::ArithAddI)?;
        let own = after.argument(index);
        let step = match (next.operand(0) == own, next.operand(1) == own) {
            (true, false) => next.operand(1).constant_int(),
            (false, true) => next.operand(0).constant_int(),
            (true, true) | (false, false) => None,
        };
        let step = step.filter(|step| *step > 0)?;
        (!number.ty().is_tensor() && end.dominates(view.op)).then_some(Self { view, index, end, step })
    }

    fn apply(self) {
        let Self { view, index, end, step } = self;
        let after = view.after();
        let init = view.op.operands();
        // What nothing behind the loop uses is not carried.
        let is_carried = |at: &usize| *at != index || view.op.result(index).has_uses();
        let carried: Vec<usize> = (0..init.len()).filter(is_carried).collect();
        let of = |values: &[Value<'c>]| -> Vec<Value<'c>> { carried.iter().map(|at| values[*at]).collect() };
        let mut builder = Builder::before(view.op);
        let step = builder.int(end.ty(), step);
        let counted = builder.for_loop(init[index], end, step, &of(&init));
        counted.op.set_loc(view.op.loc());
        for (name, value) in view.op.discardable_attrs() {
            counted.op.set_attr(name, value);
        }
        if let Some(terminator) = counted.body().terminator() {
            terminator.erase();
        }
        let mut mapping = Mapping::default();
        for (argument, value) in of(&after.arguments()).into_iter().zip(counted.iter_args()) {
            mapping.insert(argument, value);
        }
        mapping.insert(after.argument(index), counted.induction_var());
        let mut ops = after.ops();
        ops.pop();
        let mut inside = Builder::at_end(counted.body(), view.op.loc());
        copy_ops(&ops, &mut inside, &mut mapping, |location| location);
        let next = view.yield_op().operands().into_iter().map(|value| mapping.get(value)).collect::<Vec<_>>();
        inside.yield_(&of(&next));
        for (old, new) in of(&view.op.results()).into_iter().zip(counted.results()) {
            old.replace_all_uses_with(new);
        }
        view.op.erase();
    }
}
