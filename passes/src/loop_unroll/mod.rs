//! Unrolls loops that carry `tt.loop_unroll_factor`, as `tl.range(…, loop_unroll_factor=n)` asks, and small loops that wait for memory
//! ([`factor`]). Branches around what such a loop loads and stores become masks, where the loads of its copies go first then ([`masks`]).
//!
//! The loop becomes one with `n` copies of the body per iteration for the largest multiple of `n` of the trip count, and a second one
//! for the rest, or branches ([`rest`]). MLIR's own unrolling is not reachable from the C API.
//!
//! Loops that gather and store keep one body where their places can be loaded an iteration ahead so ([`places`]).
//!
//! Loops of few iterations in another loop become straight code although threads meet in them, and what their copies load is loaded before the loop
//! around them where that leaves it as it is ([`unchanged`]). So do loops that carry numbers which are other ones in each copy ([`numbers`]).
//!
//! A loop of at most one iteration becomes a branch (`for row in range(pid * R, min((pid + 1) * R, rows))` where `R` is 1, or
//! `for once in range(0, tl.where(start < size, 1, 0))`): there is nothing to run ahead of, and nothing is carried.

pub(crate) mod apart;
mod exchanges;
mod factor;
mod instructions;
mod masks;
mod numbers;
mod places;
mod rest;
pub(crate) mod unchanged;

use crate::analysis::few_warps::brought_warps;
use crate::analysis::iterations::most_iterations;
use crate::attributes::{LOOP_UNROLL_FACTOR, MANY_MASKS, NUM_WARPS, UNROLLED, WRITTEN_ONCE};
use crate::cloning::{Mapping, copy_op, copy_ops};
use crate::mark_last_uses::unmark_straight_code;
use crate::split_ragged_loops::{Known, RaggedLoop};
use crate::{Pass, PassContext};
use apart::{Pair, are_apart};
pub(crate) use factor::LoadOrder;
use factor::{Launch, MOST_COPIES, StoreOrder, Unrolling, few_that_meet, has_known_bounds, may_wait};
pub(crate) use instructions::{instructions, instructions_of_iteration};
use masks::Branches;
use numbers::copies_of_numbers;
use rest::Left;
pub(crate) use rest::{Rest, waits_for_places};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, Type, Value};

/// The pass.
pub const PASS: Pass = Pass {
    name: "loop-unroll",
    summary: "unroll loops that ask for it, and small ones that load, and make loops of one iteration branches",
    run,
};

/// Copies of a body that make sense; more is a mistake of the kernel's author and would only exhaust memory.
const MAX_FACTOR: i64 = 64;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = module.op().int_attr(NUM_WARPS).and_then(|warps| u32::try_from(warps).ok());
    let launch = num_warps.map(|warps| Launch { warps: i64::from(warps), brought: brought_warps(warps, cx) });
    for function in module.functions() {
        let mut nests = FxHashSet::default();
        // Inner loops come later in program order and are unrolled first.
        for view in function.descendants().into_iter().rev().filter_map(ForOp::cast) {
            let asked = view.op.int_attr(LOOP_UNROLL_FACTOR);
            view.op.remove_attr(LOOP_UNROLL_FACTOR);
            if most_iterations(view) == Some(1) {
                unroll_all(view, 1, &LoadOrder::InTurn);
            } else if let Some(factor) = asked {
                // The author's word stands, also where layouts come later.
                view.op.set_attr(UNROLLED, view.op.context().unit_attr());
                if factor > 1 {
                    unroll(view, factor.min(MAX_FACTOR), &LoadOrder::InTurn, Rest::Loop);
                }
            } else if let Some(launch) = launch.filter(|_| view.op.attr(UNROLLED).is_none()) {
                let is_left = |unrolling: &Unrolling<'_>| {
                    unrolling.loads_in_turn() && places::may_come_ahead(function, view, launch.brought)
                };
                match factor::unrolling(view, launch, cx) {
                    Some(unrolling) if is_left(&unrolling) => {}
                    Some(unrolling) => unroll_as(view, &unrolling),
                    None => write_nest_out(view, launch, &mut nests, cx),
                }
            }
        }
        unmark_straight_code(function);
    }
    Ok(())
}

/// Copies the body as was decided, once its branches are what they have to be.
fn unroll_as<'c>(view: ForOp<'c>, unrolling: &Unrolling<'c>) {
    let Unrolling { copies, is_all, order, branches } = unrolling;
    match branches {
        Branches::Kept => {}
        Branches::Masks => masks::write(view),
    }
    if *is_all {
        unroll_all(view, *copies, order);
    } else {
        unroll(view, *copies, order, Rest::of(*copies, view));
    }
}

/// Makes straight code of a loop with few iterations in another loop, or around one that this was done to: `nests` has these. The same of a loop that
/// carries numbers, wherever it stands.
fn write_nest_out(view: ForOp<'_>, launch: Launch, nests: &mut FxHashSet<usize>, cx: &PassContext) {
    let few = few_that_meet(view, nests.contains(&view.op.id()));
    let Some(copies) = few.or_else(|| copies_of_numbers(view)) else { return };
    let Some(block) = view.op.block() else { return };
    let around = view.op.parent_op();
    let before: FxHashSet<usize> = block.ops().iter().map(|op| op.id()).collect();
    unroll_all(view, copies, &LoadOrder::InTurn);
    nests.extend(around.map(|around| around.id()));
    if let Some(around) = around.and_then(ForOp::cast) {
        let copied: Vec<Op<'_>> = block.ops().into_iter().filter(|op| !before.contains(&op.id())).collect();
        unchanged::move_before(around, &copied, launch, cx);
    }
}

/// How many copies of the body the pass makes for a loop that is left, 1 where it leaves the loop as it is or takes it apart.
pub(crate) fn copies_of_body(view: ForOp<'_>, num_warps: u32, cx: &PassContext) -> i64 {
    let launch = Launch { warps: i64::from(num_warps), brought: brought_warps(num_warps, cx) };
    factor::unrolling(view, launch, cx).filter(|unrolling| !unrolling.is_all).map_or(1, |unrolling| unrolling.copies)
}

/// Writes how often a loop runs, `ceil((upper - lower) / step)`, before it; `one` is that of its type.
pub(crate) fn write_steps<'c>(view: ForOp<'c>, one: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    let (lower, upper, step) = (view.lower_bound(), view.upper_bound(), view.step());
    // The difference of numbers far apart is one without a sign.
    let most = if view.unsigned_cmp() { OpKind::ArithMaxUI } else { OpKind::ArithMaxSI };
    let end = builder.binary(most, upper, lower);
    let distance = builder.binary(OpKind::ArithSubI, end, lower);
    let before_step = builder.binary(OpKind::ArithSubI, step, one);
    let padded = builder.binary(OpKind::ArithAddI, distance, before_step);
    builder.binary(OpKind::ArithDivUI, padded, step)
}

/// The loop with `factor` copies of its body, and behind it what is left: for everything, as the loop it was, where the pairs do not lie apart.
pub(crate) fn unroll<'c>(view: ForOp<'c>, factor: i64, order: &LoadOrder<'c>, left: Rest) {
    let apart = order.compared();
    let (lower, step) = (view.lower_bound(), view.step());
    let ty = lower.ty();
    let mut builder = Builder::before(view.op);
    // steps = ceil((upper - lower) / step), as many as a multiple of the factor go to the main loop.
    let factor_value = builder.int(ty, factor);
    let one = builder.int(ty, 1);
    let steps = write_steps(view, one, &mut builder);
    let ragged = view.op.attr(MANY_MASKS).and_then(|_| RaggedLoop::of(view));
    view.op.remove_attr(MANY_MASKS);
    let (copied, known) = match &ragged {
        Some(ragged) => (ragged.whole_steps(&mut builder), ragged.known(&mut builder)),
        None => (steps, Vec::new()),
    };
    let over = builder.binary(OpKind::ArithRemUI, copied, factor_value);
    let mut main_steps = builder.binary(OpKind::ArithSubI, copied, over);
    if !apart.is_empty() {
        main_steps = none_unless_apart(main_steps, apart, steps, &mut builder);
    }
    let main_distance = builder.binary(OpKind::ArithMulI, main_steps, step);
    let middle = builder.binary(OpKind::ArithAddI, lower, main_distance);
    let wide_step = builder.binary(OpKind::ArithMulI, step, factor_value);

    let main = builder.for_loop(lower, middle, wide_step, &view.init_args());
    main.op.set_loc(view.op.loc());
    for (name, value) in view.op.discardable_attrs() {
        main.op.set_attr(name, value);
    }
    fill(view, main, step, factor, &known);
    if factor > MOST_COPIES && !has_known_bounds(view) {
        // ptxas would copy these once more, and wait for them in turn where registers are short.
        main.op.set_attr(WRITTEN_ONCE, view.op.context().unit_attr());
    }
    arrange(main.body(), view, factor, order);
    let is_loop = match left {
        Rest::Loop | Rest::Copies => true,
        Rest::Branches | Rest::Together => !apart.is_empty(),
    };
    if !is_loop {
        let mut builder = Builder::before(view.op);
        let first = Iteration { induction: middle, carried: main.results() };
        let carried = match ragged {
            Some(_) => {
                let steps = builder.binary(OpKind::ArithSubI, steps, main_steps);
                rest::in_branches(view, first, Left { steps, may_be_all: true }, factor, &mut builder)
            }
            None if left == Rest::Together => rest::in_one_branch(view, first, over, factor, &mut builder),
            None => rest::in_branches(view, first, Left { steps: over, may_be_all: false }, factor, &mut builder),
        };
        for (old, new) in view.results().into_iter().zip(carried) {
            old.replace_all_uses_with(new);
        }
        view.op.erase();
        return;
    }
    // The original loop does the rest. ptxas makes copies of it where it reduces what it loads, which is worth the registers: the rest is often all of it.
    if !view.body().ops().iter().any(|op| op.kind() == OpKind::TtReduce) {
        view.op.set_attr(WRITTEN_ONCE, view.op.context().unit_attr());
    }
    view.op.set_operand(0, middle);
    for (index, result) in main.results().into_iter().enumerate() {
        view.op.set_operand(index + 3, result);
    }
    if left == Rest::Copies && apart.is_empty() {
        // Fewer iterations than the copies above: what ptxas would copy once more would seldom run.
        view.op.set_attr(WRITTEN_ONCE, view.op.context().unit_attr());
        let fewer = rest::fewer(view);
        unroll(view, fewer, order, Rest::of(fewer, view));
    }
}

/// `main_steps`, or zero where the pairs do not lie apart. Nothing is compared for loops that are too short for the copies.
fn none_unless_apart<'c>(
    main_steps: Value<'c>,
    apart: &[Pair<'c>],
    steps: Value<'c>,
    builder: &mut Builder<'c>,
) -> Value<'c> {
    let zero = builder.int(main_steps.ty(), 0);
    let has_some = builder.cmpi(CmpI::Ne, main_steps, zero);
    let choice = builder.if_op(has_some, &[main_steps.ty()], true);
    let mut inside = Builder::at_end(choice.then_block(), builder.location());
    let may_run = are_apart(apart, steps, &mut inside);
    let chosen = inside.select(may_run, main_steps, zero);
    inside.yield_(&[chosen]);
    if let Some(otherwise) = choice.else_block() {
        Builder::at_end(otherwise, builder.location()).yield_(&[main_steps]);
    }
    choice.op.result(0)
}

/// A loop of at most `copies` iterations: one branch has all of them, the other one the loop for when there are fewer, or the pairs do not lie apart.
fn unroll_all<'c>(view: ForOp<'c>, copies: i64, order: &LoadOrder<'c>) {
    let apart = order.compared();
    let (lower, upper, step) = (view.lower_bound(), view.upper_bound(), view.step());
    let mut builder = Builder::before(view.op);
    if matches!(order, LoadOrder::InTurn) && has_exactly(view, copies) {
        let first = Iteration { induction: lower, carried: view.init_args() };
        let carried = copy_bodies(view, first, step, copies, &[], &mut builder);
        for (old, new) in view.results().into_iter().zip(carried) {
            old.replace_all_uses_with(new);
        }
        view.op.erase();
        return;
    }
    let before_last = builder.int(lower.ty(), copies - 1);
    let distance = builder.binary(OpKind::ArithMulI, step, before_last);
    let last = builder.binary(OpKind::ArithAddI, lower, distance);
    let is_below = if view.unsigned_cmp() { CmpI::Ult } else { CmpI::Slt };
    let mut has_all = builder.cmpi(is_below, last, upper);
    if !apart.is_empty() {
        let steps = builder.int(lower.ty(), copies);
        let may_run = are_apart(apart, steps, &mut builder);
        has_all = builder.binary(OpKind::ArithAndI, has_all, may_run);
    }
    let types: Vec<Type<'_>> = view.results().iter().map(|result| result.ty()).collect();
    let choice = builder.if_op(has_all, &types, true);
    let mut inside = Builder::at_end(choice.then_block(), view.op.loc());
    let first = Iteration { induction: lower, carried: view.init_args() };
    let carried = copy_bodies(view, first, step, copies, &[], &mut inside);
    inside.yield_(&carried);
    arrange(choice.then_block(), view, copies, order);
    let Some(otherwise) = choice.else_block() else { return };
    let mut inside = Builder::at_end(otherwise, view.op.loc());
    if copies == 1 {
        inside.yield_(&view.init_args());
    } else {
        let rest = copy_op(view.op, &mut inside, &mut Mapping::default(), |location| location);
        inside.yield_(&rest.results());
    }
    for (old, new) in view.results().into_iter().zip(choice.op.results()) {
        old.replace_all_uses_with(new);
    }
    view.op.erase();
}

/// The loop runs `copies` times whenever it runs, as its bounds say.
fn has_exactly(view: ForOp<'_>, copies: i64) -> bool {
    !view.unsigned_cmp() && has_known_bounds(view) && most_iterations(view) == Some(copies)
}

/// Gives the accesses of a block, which has copies of the body, their order.
fn arrange<'c>(block: Block<'c>, view: ForOp<'c>, copies: i64, order: &LoadOrder<'c>) {
    match order {
        LoadOrder::InTurn => {}
        LoadOrder::First { stores: StoreOrder::InTurn, .. } => start_loads_first(block),
        LoadOrder::First { stores: StoreOrder::Together, .. } => {
            start_loads_first(block);
            if may_wait(&view.body().ops(), copies) {
                bring_stores_together(block, stores_of(view.body()).len());
            }
        }
    }
}

fn stores_of(block: Block<'_>) -> Vec<Op<'_>> {
    block.ops().into_iter().filter(|op| op.kind() == OpKind::TtStore).collect()
}

/// Moves the stores of a block, of which each copy of a body has `of_body`, to the last one: all that one operation of the body became, in their order,
/// then those of the next operation.
fn bring_stores_together(block: Block<'_>, of_body: usize) {
    let stores = stores_of(block);
    let Some(last) = stores.last().copied() else { return };
    for first in 0..of_body {
        let of_one = stores.iter().skip(first).step_by(of_body);
        of_one.filter(|store| **store != last).for_each(|store| store.move_before(last));
    }
}

/// Moves the loads of a block before its first store, with what they are computed from.
fn start_loads_first(block: Block<'_>) {
    let ops = block.ops();
    let Some(first) = ops.iter().position(|op| op.kind() == OpKind::TtStore) else { return };
    let mut needed: Vec<Op<'_>> = Vec::new();
    let mut ids: FxHashSet<usize> = FxHashSet::default();
    for op in ops[first..].iter().rev() {
        if op.kind() == OpKind::TtLoad || ids.contains(&op.id()) {
            let read = op.descendants().into_iter().flat_map(|inner| inner.operands());
            ids.extend(read.filter_map(|operand| operand.defining_op()).map(|from| from.id()));
            needed.push(*op);
        }
    }
    needed.into_iter().rev().for_each(|op| op.move_before(ops[first]));
}

/// Copies the body of `view` into `main`, `factor` times.
fn fill<'c>(view: ForOp<'c>, main: ForOp<'c>, step: Value<'c>, factor: i64, known: &[Known<'c>]) {
    let mut builder = Builder::at_end(main.body(), view.op.loc());
    if let Some(terminator) = main.body().terminator() {
        terminator.erase();
    }
    let first = Iteration { induction: main.induction_var(), carried: main.iter_args() };
    let carried = copy_bodies(view, first, step, factor, known, &mut builder);
    builder.yield_(&carried);
}

/// What an iteration begins with.
struct Iteration<'c> {
    induction: Value<'c>,
    carried: Vec<Value<'c>>,
}

/// Copies the body of `view` for `copies` iterations from `first` on, without the operations whose results are known; gives what the last one yields.
fn copy_bodies<'c>(
    view: ForOp<'c>,
    first: Iteration<'c>,
    step: Value<'c>,
    copies: i64,
    known: &[Known<'c>],
    builder: &mut Builder<'c>,
) -> Vec<Value<'c>> {
    let mut ops = view.body().ops();
    ops.pop();
    ops.retain(|op| known.iter().all(|known| known.op != *op));
    let Iteration { mut induction, mut carried } = first;
    for copy in 0..copies {
        if copy > 0 {
            induction = builder.binary(OpKind::ArithAddI, induction, step);
        }
        let mut mapping = Mapping::default();
        mapping.insert(view.induction_var(), induction);
        known.iter().for_each(|known| mapping.insert(known.op.result(0), known.result));
        for (argument, value) in view.iter_args().into_iter().zip(&carried) {
            mapping.insert(argument, *value);
        }
        copy_ops(&ops, builder, &mut mapping, |location| location);
        carried = view.yielded().into_iter().map(|value| mapping.get(value)).collect();
    }
    carried
}
