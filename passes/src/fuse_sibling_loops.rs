//! Runs loops that follow each other and do not need each other as one loop.
//!
//! A loop whose iterations wait for a reduction of what the iteration before computed has nothing to do while it waits: the elimination of a
//! triangular block does so row by row. Several of them one after the other, as for the blocks of a diagonal, wait one after the other.
//! In one loop they wait together.
//!
//! The loops have the same step, and it is known how far apart their first numbers are: `range(2, min(16, n))` and `range(18, min(32, n))` are. The
//! numbers of the first loop are counted, and the others' are so much larger. Where loops end differently, the loop runs as long as the
//! longest; what a loop carries stays what it is when that loop would have ended, and its loads are masked. That is why their bodies only
//! load and compute ([`can_run_longer`]). The loops as they were stay beside it, for when most of them have no iterations ([`pays_off`]). What they
//! carry must fit into the registers of a thread together.
//!
//! 1. Find groups of such loops in each block.  2. Write one loop where the last of them stands.

use crate::attributes::LIKELY;
use crate::cloning::{Mapping, copy_op};
use crate::control_flow::loops_of;
use crate::operations::memory::{GlobalMemory, global_memory};
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp, LoadOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "fuse-sibling-loops", summary: "run loops as one that wait for their own reductions", run };

/// Bytes of a thread that the loops of a group may carry together: a quarter of its registers.
const MOST_CARRIED_BYTES: i64 = 256;
const THREADS_PER_WARP: i64 = 32;
/// Between the first numbers of two loops: far from where numbers wrap around.
const MOST_DISTANCE: i64 = 1 << 20;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    for function in module.functions() {
        for group in groups(function, i64::from(cx.options.num_warps) * THREADS_PER_WARP) {
            fuse(&group);
        }
    }
    Ok(())
}

/// Loops of one block, in order, that can be one.
fn groups(function: Op<'_>, threads: i64) -> Vec<Vec<ForOp<'_>>> {
    let mut groups: Vec<Vec<ForOp<'_>>> = Vec::new();
    for view in loops_of(function).filter(|view| waits_for_itself(*view) && can_run_longer(*view)) {
        let carried = |group: &[ForOp<'_>]| group.iter().map(|view| carried_bytes(*view, threads)).sum::<i64>();
        let joins = |group: &&mut Vec<ForOp<'_>>| {
            distance(group[0], view).is_some()
                && carried(group) + carried_bytes(view, threads) <= MOST_CARRIED_BYTES
                && can_move_to(group, view)
        };
        match groups.last_mut().filter(joins) {
            Some(group) => group.push(view),
            None => groups.push(vec![view]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Each iteration reduces or scans something, and the loop has results. That the reduction needs what the iteration before computed is
/// not asked: a loop that does not wait gains nothing, and where its loads are masked it loses little.
fn waits_for_itself(view: ForOp<'_>) -> bool {
    view.body().ops().iter().any(|op| matches!(op.kind(), OpKind::TtReduce | OpKind::TtScan))
        && !view.results().is_empty()
}

/// Further iterations would do no harm: nothing is written, nothing fails, and what is loaded can be masked.
fn can_run_longer(view: ForOp<'_>) -> bool {
    let only_computes = |op: Op<'_>| {
        let combines = matches!(op.kind(), OpKind::TtReduce | OpKind::TtScan) && op.is_memory_effect_free();
        let is_product = matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled);
        let computes = op.is_pure() && op.num_regions() == 0 && global_memory(op.kind()) == GlobalMemory::None;
        combines || computes && !is_product || is_plain_load(op)
    };
    let body = view.body().ops();
    body.iter().all(|op| op.is_terminator() || only_computes(*op)) && view.op.discardable_attrs().is_empty()
}

/// A load that may be done by one thread more or less.
fn is_plain_load(op: Op<'_>) -> bool {
    LoadOp::cast(op).is_some_and(|load| !load.is_volatile())
}

/// How much larger the numbers of `other` are; `None` when that is not known, they are smaller, or the steps differ.
fn distance(one: ForOp<'_>, other: ForOp<'_>) -> Option<i64> {
    let constants =
        |index: usize| Some((one.op.operand(index).constant_int()?, other.op.operand(index).constant_int()?));
    let is_one_value = |index: usize| one.op.operand(index) == other.op.operand(index);
    let has_same_step = is_one_value(2) || constants(2).is_some_and(|(a, b)| a == b);
    let is_alike = one.op.block() == other.op.block()
        && one.op.operand(0).ty() == other.op.operand(0).ty()
        && one.unsigned_cmp() == other.unsigned_cmp()
        && has_same_step;
    let distance = if is_one_value(0) { Some(0) } else { constants(0).and_then(|(a, b)| b.checked_sub(a)) };
    distance.filter(|distance| is_alike && (0..=MOST_DISTANCE).contains(distance))
}

fn carried_bytes(view: ForOp<'_>, threads: i64) -> i64 {
    let bytes = |value: &Value<'_>| {
        let ty = value.ty();
        let bits = ty.num_elements().max(1).saturating_mul(i64::from(ty.element_bits().max(8)));
        if ty.is_tensor() { bits / 8 / threads } else { bits / 8 }
    };
    view.iter_args().iter().map(bytes).fold(0, i64::saturating_add)
}

/// Nothing up to `view`, and not `view` itself, needs the results of the loops, or writes what they may read.
fn can_move_to(group: &[ForOp<'_>], view: ForOp<'_>) -> bool {
    let Some(first) = group.first() else { return false };
    let results: FxHashSet<usize> = group.iter().flat_map(|view| view.results()).map(|result| result.id()).collect();
    let uses_them = |op: Op<'_>| {
        op.descendants().into_iter().any(|op| op.operands().iter().any(|operand| results.contains(&operand.id())))
    };
    let is_in_group = |op: Op<'_>| group.iter().any(|view| view.op == op);
    let may_write = |op: Op<'_>| !op.is_memory_effect_free() && !is_plain_load(op) && !is_in_group(op);
    let mut next = first.op.next();
    while let Some(op) = next {
        if uses_them(op) {
            return false;
        }
        if op == view.op {
            return true;
        }
        if may_write(op) {
            return false;
        }
        next = op.next();
    }
    false
}

/// A loop of a group, and where it is in the fused one.
struct Sibling<'c> {
    view: ForOp<'c>,
    /// What its numbers are larger by; absent where they are those of the fused loop.
    distance: Option<Value<'c>>,
    /// Its end, in the numbers of the fused loop; absent where it ends with that.
    end: Option<Value<'c>>,
}

fn fuse(group: &[ForOp<'_>]) {
    let Some(last) = group.last() else { return };
    let mut builder = Builder::before(last.op);
    let Some((siblings, end)) = align(group, &mut builder) else { return };
    let old: Vec<Value<'_>> = group.iter().flat_map(|view| view.results()).collect();
    if siblings.iter().all(|sibling| sibling.end.is_none()) {
        let results = write_fused(&siblings, end, &mut builder);
        replace(&old, &results);
        group.iter().for_each(|view| view.op.erase());
        return;
    }
    let pays_off = pays_off(&siblings, end, &mut builder);
    let types: Vec<Type<'_>> = old.iter().map(|value| value.ty()).collect();
    let choice = builder.if_op(pays_off, &types, true);
    choice.op.set_attr(LIKELY, last.op.context().unit_attr());
    let mut inside = Builder::at_end(choice.then_block(), last.op.loc());
    let results = write_fused(&siblings, end, &mut inside);
    inside.yield_(&results);
    replace(&old, &choice.op.results());
    let Some(otherwise) = choice.else_block() else { return };
    let mut inside = Builder::at_end(otherwise, last.op.loc());
    for view in group {
        inside.place(view.op.detach());
    }
    inside.yield_(&old);
}

fn replace<'c>(old: &[Value<'c>], new: &[Value<'c>]) {
    old.iter().zip(new).for_each(|(old, new)| old.replace_all_uses_with(*new));
}

/// The fused loop takes less time than the loops one after the other: together they have more than one and a half times as many iterations
/// as the longest. The last chunk of a sequence may leave all but one of them without any.
fn pays_off<'c>(siblings: &[Sibling<'c>], end: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    let Some(first) = siblings.first() else { return builder.bool(true) };
    let (begin, is_unsigned) = (first.view.op.operand(0), first.view.unsigned_cmp());
    let larger = if is_unsigned { OpKind::ArithMaxUI } else { OpKind::ArithMaxSI };
    let iterations = |end: Value<'c>, builder: &mut Builder<'c>| {
        let reached = builder.binary(larger, end, begin);
        builder.binary(OpKind::ArithSubI, reached, begin)
    };
    let longest = iterations(end, builder);
    let all = siblings.iter().fold(None, |sum, sibling| {
        let own = sibling.end.map_or(longest, |end| iterations(end, builder));
        Some(sum.map_or(own, |sum| builder.binary(OpKind::ArithAddI, sum, own)))
    });
    // Numbers that wrap around would only choose the slower way.
    let mut times = |value: Value<'c>, factor: i64| {
        let factor = builder.int(begin.ty(), factor);
        builder.binary(OpKind::ArithMulI, value, factor)
    };
    let (one_after_the_other, together) = (times(all.unwrap_or(longest), 2), times(longest, 3));
    builder.cmpi(if is_unsigned { CmpI::Ugt } else { CmpI::Sgt }, one_after_the_other, together)
}

/// The fused loop; gives the results of all loops.
fn write_fused<'c>(siblings: &[Sibling<'c>], end: Value<'c>, builder: &mut Builder<'c>) -> Vec<Value<'c>> {
    let Some(first) = siblings.first().map(|sibling| sibling.view.op) else { return Vec::new() };
    let inits: Vec<Value<'c>> =
        siblings.iter().flat_map(|sibling| sibling.view.op.operands().into_iter().skip(3)).collect();
    let fused = builder.for_loop(first.operand(0), end, first.operand(2), &inits);
    for (name, value) in first.attrs() {
        if fused.op.attr(name).is_none() {
            fused.op.set_attr(name, value);
        }
    }
    let mut inner = Builder::at_end(fused.body(), builder.location());
    let mut carried = fused.iter_args().into_iter();
    let mut yielded = Vec::new();
    for sibling in siblings {
        let arguments: Vec<Value<'c>> = carried.by_ref().take(sibling.view.iter_args().len()).collect();
        yielded.extend(sibling.copy_body(fused, &arguments, &mut inner));
    }
    inner.yield_(&yielded);
    fused.results()
}

/// How each loop stands to the first, and where the longest of them ends, in the numbers of the first.
fn align<'c>(group: &[ForOp<'c>], builder: &mut Builder<'c>) -> Option<(Vec<Sibling<'c>>, Value<'c>)> {
    let first = *group.first()?;
    let larger = if first.unsigned_cmp() { OpKind::ArithMaxUI } else { OpKind::ArithMaxSI };
    let mut siblings = Vec::new();
    for &view in group {
        let (begin, end) = (view.op.operand(0), view.op.operand(1));
        let distance = Some(distance(first, view)?).filter(|distance| *distance != 0);
        let distance = distance.map(|distance| builder.int(begin.ty(), distance));
        // A loop that does not run at all ends where it begins, so that the difference cannot wrap around.
        let aligned = distance.map_or(end, |distance| {
            let reached = builder.binary(larger, end, begin);
            builder.binary(OpKind::ArithSubI, reached, distance)
        });
        siblings.push(Sibling { view, distance, end: Some(aligned) });
    }
    let ends = siblings.iter().filter_map(|sibling| sibling.end);
    let end = ends.reduce(|a, b| if a == b { a } else { builder.binary(larger, a, b) })?;
    for sibling in &mut siblings {
        sibling.end = sibling.end.filter(|own| *own != end);
    }
    Some((siblings, end))
}

impl<'c> Sibling<'c> {
    /// Copies what the loop does into the fused one, where it carries `arguments`, and gives what it yields. Past its end that is what it carried.
    fn copy_body(&self, fused: ForOp<'c>, arguments: &[Value<'c>], builder: &mut Builder<'c>) -> Vec<Value<'c>> {
        let view = self.view;
        let counted = fused.induction_var();
        let number = self.distance.map_or(counted, |distance| builder.binary(OpKind::ArithAddI, counted, distance));
        let mut mapping = Mapping::default();
        mapping.insert(view.induction_var(), number);
        for (old, new) in view.iter_args().into_iter().zip(arguments) {
            mapping.insert(old, *new);
        }
        let predicate = if view.unsigned_cmp() { CmpI::Ult } else { CmpI::Slt };
        let runs = self.end.map(|end| builder.cmpi(predicate, counted, end));
        for op in view.body().ops().into_iter().filter(|op| !op.is_terminator()) {
            let copy = copy_op(op, builder, &mut mapping, |location| location);
            if let (Some(runs), Some(load)) = (runs, LoadOp::cast(copy)) {
                mask(load, runs);
            }
        }
        let keep = |(new, old): (Value<'c>, &Value<'c>)| match runs {
            Some(runs) => builder.select(runs, new, *old),
            None => new,
        };
        view.yielded().into_iter().map(|value| mapping.get(value)).zip(arguments).map(keep).collect()
    }
}

/// Nothing is loaded unless `runs` holds.
fn mask<'c>(load: LoadOp<'c>, runs: Value<'c>) {
    let mut builder = Builder::before(load.op);
    let pointers = load.ptr().ty();
    let repeated = if pointers.is_tensor() { builder.splat(runs, pointers.with_element(runs.ty())) } else { runs };
    let mask = match load.mask() {
        Some(mask) => builder.binary(OpKind::ArithAndI, mask, repeated),
        None => repeated,
    };
    let other = load.other();
    let operands: Vec<Value<'c>> = [Some(load.ptr()), Some(mask), other].into_iter().flatten().collect();
    load.op.set_operands(&operands);
    load.op.set_attr("operandSegmentSizes", load.op.context().i32_array(&[1, 1, other.is_some().into()]));
}
