//! Runs loops over rows that an earlier loop has read from the last block to the first.
//!
//! A softmax, a norm or a cross entropy of long rows reads each row in one loop and again in the next. Caches have what was read last, and that is the end of
//! the row. From its start on, the second loop asks for what went first, and each block that comes from memory drives out one that is needed later. From its
//! end on, it finds what is still there ([measurements](../../docs/measurements.md#second-loops-begin-with-the-last-block)).
//!
//! ```text
//! for i in range(0, n, B):                     steps = cdiv(n, B);  from, by = ((steps - 1) * B, -1) if n > bound and apart else (0, 1)
//!     store(y + i, f(load(x + i {last use}))) →    for k in range(0, n, B):
//!                                                      i = from + by * k;  store(y + i, f(load(x + i)))
//! ```
//!
//! True for loops that only load, compute and store, in blocks that `mark-last-uses` knows to be read for the last time, or of which the program says so
//! (`evict_first`, as torch.compile does) and that an earlier loop reads: nothing is carried from one iteration to the next, so each computes the same, in
//! whatever order. They count up by a number from a number that is not negative, and stand in no other loop, since
//! what is compared would be compared in each iteration of that. No iteration may access what another one stores. Programs pass one tensor for two parameters,
//! and parts of one: where numbers do not tell, a comparison before the loop says in which direction it runs
//! ([`apart`](crate::loop_unroll::apart)). Of a loop whose body is copied, copies keep their order, and what they leave is the last to run, as before.
//!
//! Rows that all stay in the cache of a multiprocessor ([`LEAST_BYTES`]) are left alone. Where only the run knows how long they are, it compares addresses of
//! long ones only: a program for a row of one block has few instructions, of which the comparison would be a sixth.
//!
//! 1. Which loops may run in any order, and what has to be compared ([`TurnedLoop::of`]).  2. Compare, and count from the other end.

use crate::analysis::iterations::known_iterations;
use crate::attributes::{LAST_USE, NUM_STAGES};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::loop_unroll::apart::{Pair, are_apart, pairs_of_any_order};
use crate::loop_unroll::write_steps;
use crate::mark_last_uses::was_read_by_loop;
use crate::operations::control::is_loop;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, EvictionPolicy, ForOp, LoadOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};

/// The pass.
pub const PASS: Pass = Pass {
    name: "last-blocks-first",
    summary: "run loops over rows that an earlier loop has read from the last block to the first",
    run,
};

/// Bytes of the rows of a multiprocessor: with fewer, its cache, which has 256 KiB less shared memory, has them all. On an H200 launches with 250 KiB and more are
/// 1.00 to 1.10 times as fast, one with 128 KiB is level.
const LEAST_BYTES: i64 = 192 * 1024;
/// Iterations over a row, where their number is not known. Programs of small blocks may have short rows, where a comparison costs more than it gains.
const ITERATIONS: i64 = 16;
/// Warps that a multiprocessor has room for.
const WARPS: u32 = 64;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    if cx.options.sanitize.is_on() {
        return Ok(());
    }
    let ctas = most_ctas(require_ttg(module)?.num_warps, cx);
    for function in module.functions() {
        let plans: Vec<TurnedLoop<'_>> =
            loops_of(function).filter_map(|view| TurnedLoop::of(function, view, ctas)).collect();
        plans.into_iter().for_each(TurnedLoop::apply);
    }
    Ok(())
}

/// CTAs of a multiprocessor, at most: those that the grid brings, and that have room.
fn most_ctas(num_warps: u32, cx: &PassContext) -> u32 {
    let with_room = (WARPS / num_warps).max(1);
    cx.options.residency.at_most().map_or(with_room, |brought| brought.min(with_room))
}

/// A loop that may run from its last iteration to the first.
struct TurnedLoop<'c> {
    view: ForOp<'c>,
    /// By how much it counts.
    step: i64,
    /// From where it counts.
    lower: i64,
    /// Up to which number the loop counts over a row that is short.
    bound: i64,
    /// What the run compares; none where numbers say that the iterations keep out of each other's way.
    compared: Vec<Pair<'c>>,
}

impl<'c> TurnedLoop<'c> {
    fn of(function: Op<'c>, view: ForOp<'c>, ctas: u32) -> Option<Self> {
        let lower = view.lower_bound().constant_int().filter(|lower| *lower >= 0)?;
        let is_asked = view.op.attr(NUM_STAGES).is_some();
        let is_inside = view.op.ancestors().skip(1).any(is_loop);
        if !view.iter_args().is_empty() || is_asked || is_inside {
            return None;
        }
        let step = view.step().constant_int().filter(|step| *step > 0)?;
        let ops = view.body().ops();
        let least = least_iterations(function, view, ctas)?;
        if known_iterations(view).unwrap_or(ITERATIONS) < least || !ops.iter().all(|op| is_plain(*op)) {
            return None;
        }
        let bound = (least - 1).checked_mul(step)?.checked_add(lower)?;
        let bound = i32::try_from(bound).ok().map(i64::from)?;
        Some(Self { view, step, lower, bound, compared: pairs_of_any_order(view, &ops)? })
    }

    fn apply(self) {
        let view = self.view;
        let mut builder = Builder::before(view.op).with_location(view.op.loc());
        let way = self.write_way(&mut builder);
        let counter = view.induction_var();
        let mut inside = Builder::at_start(view.body(), view.op.loc());
        let turned = inside.binary(OpKind::ArithMulI, counter, way.by);
        let place = inside.binary(OpKind::ArithAddI, way.from, turned);
        let own: Vec<Op<'c>> = turned.defining_op().into_iter().collect();
        counter.replace_all_uses_except(place, &own);
    }

    /// Writes in which direction the run goes.
    fn write_way(&self, builder: &mut Builder<'c>) -> Way<'c> {
        let (view, ty) = (self.view, self.view.step().ty());
        if self.compared.is_empty() {
            let steps = self.write_steps(builder);
            return self.write_backwards(steps, builder);
        }
        if known_iterations(view).is_some() {
            return self.write_compared(builder);
        }
        // Above this bound rows are long.
        let bound = builder.int(ty, self.bound);
        let predicate = if view.unsigned_cmp() { CmpI::Ugt } else { CmpI::Sgt };
        let is_long = builder.cmpi(predicate, view.upper_bound(), bound);
        let branch = builder.if_op(is_long, &[ty, ty], true);
        let mut long = Builder::at_end(branch.then_block(), view.op.loc());
        let way = self.write_compared(&mut long);
        long.yield_(&[way.from, way.by]);
        if let Some(otherwise) = branch.else_block() {
            let mut short = Builder::at_end(otherwise, view.op.loc());
            let way = Way::forwards(ty, &mut short);
            short.yield_(&[way.from, way.by]);
        }
        Way { from: branch.op.result(0), by: branch.op.result(1) }
    }

    /// Backwards if what the iterations access lies apart.
    fn write_compared(&self, builder: &mut Builder<'c>) -> Way<'c> {
        let steps = self.write_steps(builder);
        let is_apart = are_apart(&self.compared, steps, builder);
        let (backwards, forwards) = (self.write_backwards(steps, builder), Way::forwards(steps.ty(), builder));
        let from = builder.select(is_apart, backwards.from, forwards.from);
        Way { from, by: builder.select(is_apart, backwards.by, forwards.by) }
    }

    fn write_steps(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let ty = self.view.step().ty();
        match known_iterations(self.view) {
            Some(known) => builder.int(ty, known),
            None => {
                let one = builder.int(ty, 1);
                write_steps(self.view, one, builder)
            }
        }
    }

    /// `first + last - counter`.
    fn write_backwards(&self, steps: Value<'c>, builder: &mut Builder<'c>) -> Way<'c> {
        let Self { view, step, lower, .. } = self;
        let ty = view.step().ty();
        let [step, from] = [*step, lower.wrapping_mul(2).wrapping_sub(*step)].map(|number| builder.int(ty, number));
        let all = builder.binary(OpKind::ArithMulI, steps, step);
        let from = builder.binary(OpKind::ArithAddI, all, from);
        Way { from, by: builder.int(ty, -1) }
    }
}

/// Where an iteration is: `from + by * counter`.
struct Way<'c> {
    from: Value<'c>,
    by: Value<'c>,
}

impl<'c> Way<'c> {
    fn forwards(ty: Type<'c>, builder: &mut Builder<'c>) -> Self {
        Self { from: builder.int(ty, 0), by: builder.int(ty, 1) }
    }
}

/// Iterations over a row whose blocks an earlier loop has read and these load for the last time, from which on the row is long; `None` where they load no such
/// blocks.
fn least_iterations<'c>(function: Op<'c>, view: ForOp<'c>, ctas: u32) -> Option<i64> {
    let loads = view.body().ops().into_iter().filter_map(LoadOp::cast);
    let last = loads.filter(|load| is_last_use(*load, function)).map(|load| load.result().ty());
    let bytes: i64 = last.map(|ty| ty.num_elements() * i64::from(ty.element_bits()) / 8).sum();
    let of_all = bytes.saturating_mul(i64::from(ctas));
    (of_all > 0).then(|| LEAST_BYTES.saturating_add(of_all - 1).checked_div(of_all).unwrap_or(i64::MAX).max(2))
}

/// Nobody reads the elements after this, and an earlier loop has.
fn is_last_use<'c>(load: LoadOp<'c>, function: Op<'c>) -> bool {
    let is_said = load.eviction() == EvictionPolicy::First;
    load.op.attr(LAST_USE).is_some() || is_said && was_read_by_loop(load, function)
}

/// An operation of an iteration that may run before those of earlier ones, as far as no memory that these store is concerned.
fn is_plain(op: Op<'_>) -> bool {
    let is_plain_load = || LoadOp::cast(op).is_some_and(|load| !load.is_volatile());
    let is_inner = op.descendants().into_iter().any(is_loop);
    !is_inner && (is_plain_load() || op.kind() == OpKind::TtStore || op.is_memory_effect_free())
}
