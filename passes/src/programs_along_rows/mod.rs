//! Runs programs one after the other whose blocks lie side by side in memory.
//!
//! The GPU starts programs in the order of their numbers, those along x first. Where the columns of a matrix are dealt out along a slower axis, the programs
//! that share a line of memory are as many programs apart as there are along the faster axes:
//!
//! ```text
//! x = load(p + program_id(0) * 4 * 1024 + rows * 1024 + program_id(1) * 4 + columns)        a program has 16 bytes of each of its rows of 4096
//! ```
//!
//! Each then asks for a part of a line whose other parts are asked for at another time. With the slowest of these axes first, programs that run at the same
//! time read and write whole rows. So the number of programs that are started before, `x + count of x * (y + ...)`, is divided by the count of that axis:
//! the remainder is the program's number along it, and the quotient is divided by the count of the next one. Every program is run once, as before. How many
//! programs there are is known at run time only, and all threads divide the same numbers. Grids of 2^31 programs or more stay in their order, since 32 bits
//! have no room for such a place.
//!
//! True for kernels without loops and products whose programs are independent (`are_independent` of `longest-programs-first`) and too many to run at once,
//! where all large accesses lie in rows by the rules of [`accesses`]: less than a line of each row, rows at least a page apart, side by side along one axis,
//! and at least a page apart along each faster one. A large block that programs along a faster axis share, or have side by side, leaves the order as it is.
//!
//! A program of this kind has few elements for each of its rows, and `drop-idle-warps` is told of it ([`PROGRAMS_ALONG_ROWS`]): fewer warps pay only in this
//! order.
//!
//! What it saves: [measurements](../../../docs/measurements.md#programs-that-share-lines-of-memory-run-one-after-the-other).
//!
//! 1. The axis along which large accesses lie side by side ([`accesses::axis_along_rows`]).  2. From it on, numbers are taken apart anew.

mod accesses;

use self::accesses::axis_along_rows;
use crate::attributes::PROGRAMS_ALONG_ROWS;
use crate::longest_programs_first::{are_independent, axis_of};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, FuncOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};
use tk_types::Residency;

/// The pass.
pub const PASS: Pass = Pass {
    name: "programs-along-rows",
    summary: "run programs one after the other whose blocks lie side by side in memory",
    run,
};

/// Numbers of programs are below it.
const MOST_PROGRAMS: i64 = 1 << 31;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let ops: Vec<_> = module.functions().into_iter().flat_map(|function| function.descendants()).collect();
    // The CTAs of a cluster have numbers of their own.
    let is_one_cta = cx.options.num_ctas == 1;
    if cx.options.residency != Residency::Many || !is_one_cta || !are_independent(&ops, &cx.options) {
        return Ok(());
    }
    for function in module.functions() {
        // Functions that are called see the same numbers.
        if let Some(slow) = axis_along_rows(function).filter(|_| has_all_ids(function, &ops)) {
            renumber(function, slow);
            module.op().set_attr(PROGRAMS_ALONG_ROWS, module.context().unit_attr());
        }
    }
    Ok(())
}

/// No other function of the module, of which `all` are the operations, asks for the number of its program.
fn has_all_ids(function: Op<'_>, all: &[Op<'_>]) -> bool {
    all.iter().filter(|op| op.kind() == OpKind::TtGetProgramId).all(|id| function.contains(*id))
}

/// The axis `slow` becomes the fastest one, and x the slowest of those up to it.
fn renumber(function: Op<'_>, slow: usize) {
    let Some(body) = FuncOp::cast(function).and_then(FuncOp::body) else { return };
    let is_id = |op: &Op<'_>| op.kind() == OpKind::TtGetProgramId;
    let ids: Vec<_> = function.descendants().into_iter().filter(is_id).collect();
    let mut builder = Builder::at_start(body, function.loc());
    let numbers = Started::read(&mut builder, slow).renumbered(&mut builder);
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

    /// The numbers along x and what follows with which it runs instead.
    fn renumbered(self, builder: &mut Builder<'c>) -> Vec<Value<'c>> {
        let is_renumbered = self.are_few(builder);
        let mut rest = self.place(builder);
        let mut numbers = Vec::new();
        for programs in self.programs.iter().skip(1).rev() {
            numbers.push(builder.binary(OpKind::ArithRemUI, rest, *programs));
            rest = builder.binary(OpKind::ArithDivUI, rest, *programs);
        }
        numbers.push(rest);
        let pairs = numbers.into_iter().rev().zip(self.ids);
        pairs.map(|(number, id)| builder.select(is_renumbered, number, id)).collect()
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
