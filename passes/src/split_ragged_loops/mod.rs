//! Runs the iterations of a loop whose blocks are whole without the masks of the last one.
//!
//! ```text
//! for i in range(a, n, B):                  for i in range(a, a + (n - a) // B * B, B):
//!     x = load(p + i, i + range < n)   →        x = load(p + i)
//!                                           if there is more: the same once, with its masks
//! ```
//!
//! A thread has seven registers for truth values. Where a mask has more answers, ptxas gives the register of one load to the next only when the
//! first has arrived: of 64 loads seven are under way at a time (docs/measurements.md, "Whole iterations need no masks").
//!
//! True for innermost loops without products that load under masks which compare the elements of the iteration with the loop's own end, in one of two
//! forms ([`Tiling`]), so that at most the last iteration is ragged, where a thread has more than [`PREDICATES`] answers of these masks. Loops that the author
//! has asked stages or copies for stay.
//!
//! Where the grid brings one CTA to a multiprocessor, nobody computes while the last iteration waits for memory, and for its code. So only the copies of
//! the body that `loop-unroll` makes do without masks there, where a thread has as many answers in all of them and the CTA has at most [`FEW_WARPS`]; what
//! they leave is masked as before. With more CTAs ptxas takes fewer registers for them, and issues loads of copies in turns whatever their masks are.
//!
//! Other loops whose masks are those of their first iteration, as a convolution's are, are written twice, without these masks and with them
//! ([`moving_masks`]), if `loop-unroll` leaves them as loops, the masks are a good part of what they compute ([`INSTRUCTIONS_OF_ANSWER`]), and the grid
//! brings more than one CTA to a multiprocessor.
//!
//! 1. Find the comparisons.  2. End the loop where the whole iterations end, without them, and write the last iteration as a branch behind it; or mark
//!    the loop for `loop-unroll`; or test in front of the loop whether the masks hold in it.

mod moving_masks;

use crate::analysis::iterations::most_iterations;
use crate::analysis::{self, AxisFacts};
use crate::attributes::{MANY_MASKS, NUM_STAGES, UNROLLED};
use crate::cloning::{Mapping, copy_ops};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::loop_unroll::{copies_of_body, instructions_of_iteration};
use crate::masked_values::parts_of;
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::repeat_comparisons::{PREDICATES, answers_of};
use crate::widen_whole_blocks::without_views;
use crate::{Pass, PassContext};
use moving_masks::LoopOfMasks;
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp, LoadOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "split-ragged-loops", summary: "run iterations of whole blocks without masks", run };

/// Instructions per thread of a body, about, which is there twice then.
const MOST_INSTRUCTIONS: i64 = 2048;

/// Warps of a CTA that is alone on its multiprocessor, with which copies of the body do without masks: sums of segments in one warp are 3 times as fast. Of
/// six launches with four and eight warps one is 3 % faster with them, one 3 % slower, and one 7 %.
const FEW_WARPS: u32 = 2;

/// Instructions of a body for each answer of masks that are those of the first iteration, at most. An answer takes two, one that compares and one that
/// writes what is there otherwise, so that a quarter of the body goes away. In a convolution that runs 1.2 times as fast it is a third.
const INSTRUCTIONS_OF_ANSWER: i64 = 8;

/// Iterations of a loop that becomes straight code where their number is known, at most.
const MOST_WRITTEN_OUT: i64 = 64;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    for function in module.functions() {
        let facts = analysis::axis_info(function);
        let loops: Vec<ForOp<'_>> = loops_of(function).collect();
        let plans: Vec<Plan<'_, '_>> =
            loops.into_iter().filter_map(|view| Plan::of(view, &facts, num_warps, cx)).collect();
        plans.into_iter().for_each(Plan::apply);
    }
    Ok(())
}

/// What becomes of a loop.
enum Plan<'c, 'f> {
    /// Its last iteration is one of its own.
    Split(RaggedLoop<'c>),
    /// It is written twice, without the masks that hold in all iterations or in none.
    Tested(LoopOfMasks<'c, 'f>),
    /// Copies of its body are made for whole blocks.
    Marked(ForOp<'c>),
}

impl<'c, 'f> Plan<'c, 'f> {
    fn of(view: ForOp<'c>, facts: &'f AxisFacts, num_warps: u32, cx: &PassContext) -> Option<Self> {
        let is_asked = view.op.attr(NUM_STAGES).is_some() || view.op.attr(UNROLLED).is_some();
        let is_obstacle = |op: Op<'c>| is_loop(op) || is_dot(op);
        if is_asked || view.op.descendants().into_iter().skip(1).any(is_obstacle) {
            return None;
        }
        match RaggedLoop::of(view) {
            Some(ragged) => Self::of_ragged(ragged, facts, num_warps, cx),
            None => Self::of_moving_masks(view, facts, num_warps, cx),
        }
    }

    fn of_ragged(ragged: RaggedLoop<'c>, facts: &AxisFacts, num_warps: u32, cx: &PassContext) -> Option<Self> {
        let view = ragged.view;
        let ops = view.body().ops();
        let masks = ops.iter().filter_map(|op| LoadOp::cast(*op)?.mask());
        let parts: Vec<Value<'c>> = masks.flat_map(parts_of).map(without_views).collect();
        let loaded_under = ragged.comparisons.iter().map(|op| op.result(0)).filter(|answer| parts.contains(answer));
        let answers: i64 = loaded_under.map(|answer| answers_of(answer, facts)).sum();
        if cx.options.residency.at_most() == Some(1) {
            let of_copies = || answers.saturating_mul(copies_of_body(view, num_warps, cx));
            return (num_warps <= FEW_WARPS && of_copies() > PREDICATES).then_some(Self::Marked(view));
        }
        let is_short = instructions_of_iteration(view) <= MOST_INSTRUCTIONS;
        (answers > PREDICATES && is_short).then_some(Self::Split(ragged))
    }

    fn of_moving_masks(view: ForOp<'c>, facts: &'f AxisFacts, num_warps: u32, cx: &PassContext) -> Option<Self> {
        let is_alone = cx.options.residency.at_most() == Some(1);
        let is_written_out = most_iterations(view).is_some_and(|steps| steps <= MOST_WRITTEN_OUT);
        if is_alone || is_written_out || copies_of_body(view, num_warps, cx) > 1 {
            return None;
        }
        let masked = LoopOfMasks::of(view, facts)?;
        let answers = masked.answers(facts);
        let most = answers.saturating_mul(INSTRUCTIONS_OF_ANSWER).min(MOST_INSTRUCTIONS);
        (answers > PREDICATES && instructions_of_iteration(view) <= most).then_some(Self::Tested(masked))
    }

    fn apply(self) {
        match self {
            Self::Split(ragged) => ragged.split(),
            Self::Tested(masked) => masked.apply(),
            Self::Marked(view) => view.op.set_attr(MANY_MASKS, view.op.context().unit_attr()),
        }
    }
}

/// A loop, and the comparisons that hold in all of its iterations but a ragged last one.
pub(crate) struct RaggedLoop<'c> {
    view: ForOp<'c>,
    comparisons: Vec<Op<'c>>,
    tiling: Tiling<'c>,
}

/// An operation whose result is known.
pub(crate) struct Known<'c> {
    pub(crate) op: Op<'c>,
    pub(crate) result: Value<'c>,
}

/// How the blocks of the iterations lie side by side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tiling<'c> {
    /// `i + range(0, step) < n` in `range(a, n, step)`.
    Steps,
    /// `i * size + range(0, size) < n` in `range(a, cdiv(n, size))`, where `a` is no less than zero.
    Blocks { length: Value<'c>, size: i64 },
}

impl<'c> RaggedLoop<'c> {
    /// `None` where nothing compares so.
    pub(crate) fn of(view: ForOp<'c>) -> Option<Self> {
        let ops = view.body().ops();
        let mut tiled = ops.iter().filter_map(|op| Some((*op, Tiling::of(view, *op)?)));
        let (first, tiling) = tiled.next()?;
        let others = tiled.filter(|(_, other)| *other == tiling).map(|(op, _)| op);
        let comparisons = std::iter::once(first).chain(others).collect();
        (!view.unsigned_cmp()).then_some(Self { view, comparisons, tiling })
    }

    /// The comparisons, which hold in whole iterations.
    pub(crate) fn known(&self, builder: &mut Builder<'c>) -> Vec<Known<'c>> {
        let mut holds = |op: &Op<'c>| {
            let context = op.context();
            builder.constant(context.splat_attr(op.result(0).ty(), context.bool_attr(true)))
        };
        self.comparisons.iter().map(|op| Known { op: *op, result: holds(op) }).collect()
    }

    /// How many iterations are whole.
    pub(crate) fn whole_steps(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let (lower, end) = (self.view.lower_bound(), self.tiling.end_of_whole(self.view, builder));
        let distance = builder.binary(OpKind::ArithSubI, end, lower);
        builder.binary(OpKind::ArithDivUI, distance, self.view.step())
    }

    /// Ends the loop where the whole iterations end, and writes the last one behind it.
    fn split(self) {
        let (view, results) = (self.view, self.view.results());
        let end = view.upper_bound();
        let mut builder = Builder::before(view.op);
        let end_of_whole = self.tiling.end_of_whole(view, &mut builder);
        let known = self.known(&mut builder);
        let mut builder = Builder::after(view.op);
        let is_left = builder.cmpi(CmpI::Slt, end_of_whole, end);
        let types: Vec<Type<'c>> = results.iter().map(|result| result.ty()).collect();
        let rest = builder.if_op(is_left, &types, true);
        results.iter().zip(rest.op.results()).for_each(|(old, new)| old.replace_all_uses_with(new));
        let mut last = Builder::at_end(rest.then_block(), view.op.loc());
        let mut mapping = Mapping::default();
        mapping.insert(view.induction_var(), end_of_whole);
        view.iter_args().into_iter().zip(&results).for_each(|(argument, value)| mapping.insert(argument, *value));
        let mut ops = view.body().ops();
        ops.pop();
        copy_ops(&ops, &mut last, &mut mapping, |location| location);
        let carried: Vec<Value<'c>> = view.yielded().into_iter().map(|value| mapping.get(value)).collect();
        last.yield_(&carried);
        if let Some(otherwise) = rest.else_block() {
            Builder::at_end(otherwise, view.op.loc()).yield_(&results);
        }
        view.op.set_operand(1, end_of_whole);
        for Known { op, result } in known {
            op.result(0).replace_all_uses_with(result);
            op.erase();
        }
    }
}

impl<'c> Tiling<'c> {
    /// `None` where the comparison is another one.
    fn of(view: ForOp<'c>, comparison: Op<'c>) -> Option<Self> {
        if comparison.kind() != OpKind::ArithCmpI || !comparison.operand(0).ty().is_tensor() {
            return None;
        }
        let (left, right) = match CmpI::from_number(comparison.int_attr("predicate")?)? {
            CmpI::Slt => (comparison.operand(0), comparison.operand(1)),
            CmpI::Sgt => (comparison.operand(1), comparison.operand(0)),
            CmpI::Sle | CmpI::Sge | CmpI::Eq | CmpI::Ne => return None,
            CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => return None,
        };
        let length = number_of(right)?;
        let sum = defining_view(left).filter(|op| op.kind() == OpKind::ArithAddI)?;
        let sides = [sum.operand(0), sum.operand(1)];
        let (first, size) = match sides.map(size_of_range) {
            [None, Some(size)] => (number_of(sides[0])?, size),
            [Some(size), None] => (number_of(sides[1])?, size),
            [Some(_), Some(_)] | [None, None] => return None,
        };
        if first == view.induction_var() {
            let is_tiled = length == view.upper_bound() && view.step().constant_int() == Some(size);
            return is_tiled.then_some(Self::Steps);
        }
        let is_multiple = multiple_of(first).is_some_and(|(number, by)| number == view.induction_var() && by == size);
        let counts =
            view.step().constant_int() == Some(1) && view.lower_bound().constant_int().is_some_and(|at| at >= 0);
        let is_tiled = is_multiple && counts && divided_up_by(view.upper_bound()) == Some((length, size));
        is_tiled.then_some(Self::Blocks { length, size })
    }

    /// Where the iterations end whose blocks are whole.
    fn end_of_whole(self, view: ForOp<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let (lower, upper) = (view.lower_bound(), view.upper_bound());
        match self {
            Self::Steps => {
                // The difference of numbers far apart is one without a sign.
                let end = builder.binary(OpKind::ArithMaxSI, upper, lower);
                let distance = builder.binary(OpKind::ArithSubI, end, lower);
                let ragged = builder.binary(OpKind::ArithRemUI, distance, view.step());
                builder.binary(OpKind::ArithSubI, end, ragged)
            }
            Self::Blocks { length, size } => {
                let size = builder.int(length.ty(), size);
                // Where the sum that is rounded up wraps around, the loop has no iteration.
                let blocks = builder.binary(OpKind::ArithDivSI, length, size);
                let blocks = builder.binary(OpKind::ArithMinSI, blocks, upper);
                builder.binary(OpKind::ArithMaxSI, blocks, lower)
            }
        }
    }
}

/// The operation that makes a tensor, behind what only changes its shape or layout.
fn defining_view(value: Value<'_>) -> Option<Op<'_>> {
    without_views(value).defining_op()
}

/// The number that all elements are.
fn number_of(value: Value<'_>) -> Option<Value<'_>> {
    without_views(value).splat_source()
}

/// How long a range is that begins at zero.
fn size_of_range(value: Value<'_>) -> Option<i64> {
    let is_wider = |op: &Op<'_>| matches!(op.kind(), OpKind::ArithExtSI | OpKind::ArithExtUI);
    let widened = defining_view(value).filter(is_wider).map_or(value, |op| op.operand(0));
    let op = defining_view(widened).filter(|op| op.kind() == OpKind::TtMakeRange)?;
    op.int_attr("end").filter(|_| op.int_attr("start") == Some(0))
}

/// The number that a product with a constant multiplies, and the constant.
fn multiple_of(value: Value<'_>) -> Option<(Value<'_>, i64)> {
    let op = value.defining_op().filter(|op| op.kind() == OpKind::ArithMulI)?;
    let of = |number: usize, factor: usize| Some((op.operand(number), op.operand(factor).constant_int()?));
    of(0, 1).or_else(|| of(1, 0))
}

/// `x` and `d` of `(x + d - 1) / d`.
fn divided_up_by(value: Value<'_>) -> Option<(Value<'_>, i64)> {
    let quotient = value.defining_op().filter(|op| op.kind() == OpKind::ArithDivSI)?;
    let divisor = quotient.operand(1).constant_int().filter(|divisor| *divisor > 0)?;
    let padded = quotient.operand(0).defining_op().filter(|op| op.kind() == OpKind::ArithAddI)?;
    let of = |number: usize, padding: usize| {
        (padded.operand(padding).constant_int() == Some(divisor - 1)).then_some(padded.operand(number))
    };
    Some((of(0, 1).or_else(|| of(1, 0))?, divisor))
}
