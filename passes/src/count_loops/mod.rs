//! `while` loops that count are `for` loops.
//!
//! ```text
//! i = start                                for i from start to end step n:
//! while i < end: …; i += n                     …
//! ```
//!
//! Nothing runs ahead in a `while` loop, since nobody knows how often it runs. Where the condition compares a number that each iteration moves by a
//! constant, or a multiple of it as in `while k * BLOCK < size`, with one that does not change, the loop counts, and everything that holds for loops
//! that count holds for it: copies ahead, blocks by TMA, copies of the body. A loop that counts down to a constant counts its iterations instead.
//! (Triton leaves such loops; LLVM unrolls those of few steps.)
//!
//! A product that leaves the range of its type ends the loop here, where it wrapped around before.
//!
//! A loop that does not count, and whose condition follows from constants all the same, as `while offset < 256: …; offset *= 2` does, is one of a known
//! number of iterations ([`evolution`]). It carries what it carried, and [`loop-unroll`](crate::loop_unroll) makes straight code of it if it is short. One of no
//! iterations is what it starts with.
//!
//! 1. What the condition compares ([`Condition::of`]), and what the loop counts ([`Count::of`]).  2. How often other loops run ([`Iterations::of`]).
//! 3. A `for` loop in its place. What the loop counts is carried on where it is used behind the loop.

mod evolution;

use crate::cloning::{Mapping, copy_ops};
use crate::linear_numbers::{Comparison, Linear, divided_up, shifted};
use crate::{Pass, PassContext};
use evolution::Iterations;
use tk_diag::Result;
use tk_ir::ops::{CmpI, WhileOp};
use tk_ir::{Builder, Module, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "count-loops", summary: "make for loops of while loops that count", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        // Inner loops come later in program order and are rewritten first.
        let loops = function.descendants().into_iter().rev().filter_map(WhileOp::cast);
        loops.filter_map(Counted::of).collect::<Vec<_>>().into_iter().for_each(Counted::apply);
    }
    Ok(())
}

/// A `while` loop of which something says how often it runs.
enum Counted<'c> {
    /// A number that it moves.
    Number(Count<'c>),
    /// Constants alone.
    Constants(Iterations<'c>),
}

impl<'c> Counted<'c> {
    fn of(view: WhileOp<'c>) -> Option<Self> {
        match Count::of(view) {
            Some(count) => Some(Self::Number(count)),
            None => Iterations::of(view).map(Self::Constants),
        }
    }

    fn apply(self) {
        match self {
            Self::Number(count) => count.apply(),
            Self::Constants(iterations) => iterations.apply(),
        }
    }
}

/// The condition hands on what the loop carries, all of it in its order.
fn hands_on_what_is_carried(view: WhileOp<'_>) -> bool {
    view.condition().op.operands()[1..] == view.before().arguments()
}

/// Writes a `for` loop in the place of `view`. It carries what `view` carries at the places `carried`; `begin` says what the other arguments of the body are,
/// from what the loop counts.
fn write<'c>(
    view: WhileOp<'c>,
    [first, end, step]: [Value<'c>; 3],
    carried: &[usize],
    begin: impl FnOnce(&mut Builder<'c>, Value<'c>, &mut Mapping<'c>),
) {
    let after = view.after();
    let of = |values: &[Value<'c>]| -> Vec<Value<'c>> { carried.iter().map(|at| values[*at]).collect() };
    let mut builder = Builder::before(view.op);
    let counted = builder.for_loop(first, end, step, &of(&view.op.operands()));
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
    let mut ops = after.ops();
    ops.pop();
    let mut inside = Builder::at_end(counted.body(), view.op.loc());
    begin(&mut inside, counted.induction_var(), &mut mapping);
    copy_ops(&ops, &mut inside, &mut mapping, |location| location);
    let next = view.yield_op().operands().into_iter().map(|value| mapping.get(value)).collect::<Vec<_>>();
    inside.yield_(&of(&next));
    for (old, new) in of(&view.op.results()).into_iter().zip(counted.results()) {
        old.replace_all_uses_with(new);
    }
    view.op.erase();
}

/// Whether the number grows or falls towards its bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// The loop goes on while `factor * number < bound + shift` going up, or `number > bound + shift` going down.
struct Condition<'c> {
    way: Way,
    index: usize,
    factor: i64,
    bound: Value<'c>,
    shift: i64,
}

impl<'c> Condition<'c> {
    /// `None` where the condition computes anything else, or hands on anything but what the loop carries.
    fn of(view: WhileOp<'c>) -> Option<Self> {
        let before = view.before();
        let ops = before.ops();
        let condition = ops.last()?;
        let compared = condition.operand(0).defining_op().filter(|op| op.kind() == OpKind::ArithCmpI)?;
        let is_arithmetic = ops[..ops.len() - 1].iter().all(|op| {
            matches!(
                op.kind(),
                OpKind::ArithCmpI | OpKind::ArithAddI | OpKind::ArithSubI | OpKind::ArithMulI | OpKind::ArithConstant
            )
        });
        if compared.block() != Some(before) || !hands_on_what_is_carried(view) || !is_arithmetic {
            return None;
        }
        let Comparison { number: of, predicate, bound } =
            Comparison::of(condition.operand(0), |value| Linear::of(value, before))?;
        let (way, shift) = match predicate {
            CmpI::Slt => (Way::Up, 0),
            CmpI::Sle => (Way::Up, 1),
            CmpI::Sgt => (Way::Down, 0),
            CmpI::Sge => (Way::Down, -1),
            CmpI::Eq | CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => return None,
        };
        let shift = of.offset.checked_neg()?.checked_add(shift)?;
        let fits = i32::try_from(shift).is_ok() && i32::try_from(of.factor).is_ok();
        let is_number = bound.ty().is_int() && bound.ty().element_bits() >= 32 && bound.dominates(view.op);
        (fits && is_number).then_some(Self { way, index: of.index, factor: of.factor, bound, shift })
    }
}

/// A `while` loop that counts.
struct Count<'c> {
    view: WhileOp<'c>,
    condition: Condition<'c>,
    /// What each iteration adds going up, or takes away going down.
    step: i64,
}

impl<'c> Count<'c> {
    fn of(view: WhileOp<'c>) -> Option<Self> {
        let condition = Condition::of(view)?;
        let after = view.after();
        let next = after.terminator()?.operand(condition.index).defining_op()?;
        let own = after.argument(condition.index);
        let moved = match (next.kind(), next.operands().as_slice()) {
            (OpKind::ArithAddI, [number, by] | [by, number]) if *number == own && *by != own => by.constant_int()?,
            (OpKind::ArithSubI, [number, by]) if *number == own => by.constant_int()?.checked_neg()?,
            _ => return None,
        };
        let step = match condition.way {
            Way::Up => moved,
            Way::Down => moved.checked_neg()?,
        };
        let is_counted = match condition.way {
            Way::Up => true,
            Way::Down => condition.factor == 1 && condition.down_to().is_some(),
        };
        (step > 0 && is_counted).then_some(Self { view, condition, step })
    }

    /// The first number, the number that ends it, and the step of the `for` loop.
    fn bounds(&self, builder: &mut Builder<'c>) -> [Value<'c>; 3] {
        let Condition { way, index, factor, bound, shift } = self.condition;
        let (first, ty) = (self.view.op.operand(index), bound.ty());
        match way {
            Way::Up => {
                let end = shifted(builder, bound, shift);
                [first, divided_up(builder, end, factor), builder.int(ty, self.step)]
            }
            Way::Down => {
                let distance = shifted(builder, first, -self.condition.down_to().unwrap_or(0));
                [builder.int(ty, 0), divided_up(builder, distance, self.step), builder.int(ty, 1)]
            }
        }
    }

    /// The number of an iteration, from what the `for` loop counts.
    fn number(&self, builder: &mut Builder<'c>, counted: Value<'c>) -> Value<'c> {
        match self.condition.way {
            Way::Up => counted,
            Way::Down => {
                let step = builder.int(counted.ty(), self.step);
                let moved = builder.binary(OpKind::ArithMulI, counted, step);
                builder.binary(OpKind::ArithSubI, self.view.op.operand(self.condition.index), moved)
            }
        }
    }

    fn apply(self) {
        let (view, index) = (self.view, self.condition.index);
        // What nothing behind the loop uses is not carried.
        let is_carried = |at: &usize| *at != index || view.op.result(index).has_uses();
        let carried: Vec<usize> = (0..view.op.num_operands()).filter(is_carried).collect();
        let bounds = self.bounds(&mut Builder::before(view.op));
        write(view, bounds, &carried, |inside, counted, mapping| {
            mapping.insert(view.after().argument(index), self.number(inside, counted));
        });
    }
}

impl Condition<'_> {
    /// Going down, the constant that the number is greater than.
    fn down_to(&self) -> Option<i64> {
        self.bound.constant_int()?.checked_add(self.shift).filter(|end| i32::try_from(*end).is_ok())
    }
}
