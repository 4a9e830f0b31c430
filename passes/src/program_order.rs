//! Programs run in another order than the GPU starts them in.
//!
//! The GPU starts programs in the order of their numbers, those along x first. The number of programs that are started before, `x + count of x * (y + ...)`,
//! is divided by the count of a slow axis: the remainder is the program's number along it, and the quotient is divided by the count of the next one. Every program
//! is run once, as before. How many programs there are is known at run time only, and all threads divide the same numbers. Grids of 2^31 programs or more
//! stay in their order, since 32 bits have no room for such a place.
//!
//! Who renumbers programs makes sure that they are independent (`are_independent` of `longest-programs-first`).

use crate::longest_programs_first::axis_of;
use tk_ir::ops::{CmpI, FuncOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// Numbers of programs are below it.
const MOST_PROGRAMS: i64 = 1 << 31;

/// No other function of the module, of which `all` are the operations, asks for the number of its program.
pub(crate) fn has_all_ids(function: Op<'_>, all: &[Op<'_>]) -> bool {
    all.iter().filter(|op| op.kind() == OpKind::TtGetProgramId).all(|id| function.contains(*id))
}

/// The axis `slow` becomes the fastest one, and x the slowest of those up to it, where `is_worth` says so of how many programs there are along these axes.
pub(crate) fn renumber<'c>(
    function: Op<'c>,
    slow: usize,
    is_worth: impl FnOnce(&mut Builder<'c>, &[Value<'c>]) -> Option<Value<'c>>,
) {
    let Some(body) = FuncOp::cast(function).and_then(FuncOp::body) else { return };
    let is_id = |op: &Op<'_>| op.kind() == OpKind::TtGetProgramId;
    let ids: Vec<_> = function.descendants().into_iter().filter(is_id).collect();
    let mut builder = Builder::at_start(body, function.loc());
    let started = Started::read(&mut builder, slow);
    let is_worth = is_worth(&mut builder, &started.programs);
    let numbers = started.renumbered(is_worth, &mut builder);
    for id in ids {
        if let Some(number) = axis_of(id).and_then(|axis| numbers.get(axis)) {
            id.result(0).replace_all_uses_with(*number);
        }
    }
}

/// A program as the GPU starts it, along x and what follows up to the axis that becomes the fastest one.
struct Started<'c> {
    ids: Vec<Value<'c>>,
    programs: Vec<Value<'c>>,
}

impl<'c> Started<'c> {
    fn read(builder: &mut Builder<'c>, slow: usize) -> Self {
        let ids = (0..=slow).map(|axis| builder.program_id(axis as i32)).collect();
        let programs = (0..=slow).map(|axis| builder.num_programs(axis as i32)).collect();
        Self { ids, programs }
    }

    /// The numbers along x and what follows with which it runs instead, where `is_worth` holds, if it is given. Only then programs divide.
    fn renumbered(self, is_worth: Option<Value<'c>>, builder: &mut Builder<'c>) -> Vec<Value<'c>> {
        let are_few = self.are_few(builder);
        let Some(is_worth) = is_worth else {
            let pairs = self.divided(builder).into_iter().zip(&self.ids);
            return pairs.map(|(number, id)| builder.select(are_few, number, *id)).collect();
        };
        let condition = builder.binary(OpKind::ArithAndI, are_few, is_worth);
        let types: Vec<Type<'c>> = self.ids.iter().map(|id| id.ty()).collect();
        let branch = builder.if_op(condition, &types, true);
        let mut renumbering = Builder::at_end(branch.then_block(), branch.op.loc());
        let numbers = self.divided(&mut renumbering);
        renumbering.yield_(&numbers);
        if let Some(otherwise) = branch.else_block() {
            Builder::at_end(otherwise, branch.op.loc()).yield_(&self.ids);
        }
        branch.op.results()
    }

    /// The number of programs that are started before it, taken apart with the last axis first.
    fn divided(&self, builder: &mut Builder<'c>) -> Vec<Value<'c>> {
        let mut rest = self.place(builder);
        let mut numbers = Vec::new();
        for programs in self.programs.iter().skip(1).rev() {
            numbers.push(builder.binary(OpKind::ArithRemUI, rest, *programs));
            rest = builder.binary(OpKind::ArithDivUI, rest, *programs);
        }
        numbers.push(rest);
        numbers.reverse();
        numbers
    }

    /// How many programs are started before it.
    fn place(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let mut axes: Vec<(Value<'c>, Value<'c>)> =
            self.ids.iter().copied().zip(self.programs.iter().copied()).collect();
        let slowest = axes.pop().map_or_else(|| builder.i32(0), |(id, _)| id);
        axes.into_iter().rev().fold(slowest, |before, (id, programs)| {
            let rows = builder.binary(OpKind::ArithMulI, before, programs);
            builder.binary(OpKind::ArithAddI, rows, id)
        })
    }

    /// Whether 32 bits have room for the number of programs. With at most 2^31 - 1 along x and 2^16 - 1 along the others their product is below 2^63.
    fn are_few(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let wide = builder.context().i(64);
        let one = builder.int(wide, 1);
        let all = self.programs.iter().fold(one, |all, programs| {
            let programs = builder.cast(OpKind::ArithExtUI, *programs, wide);
            builder.binary(OpKind::ArithMulI, all, programs)
        });
        let limit = builder.int(wide, MOST_PROGRAMS);
        builder.cmpi(CmpI::Ult, all, limit)
    }
}
