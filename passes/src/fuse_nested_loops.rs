//! Makes one loop of a loop over tiles and the loop inside it (`tl.range(…, flatten=True)`).
//!
//! In a persistent kernel, the pipeline of the inner loop would run empty at the end of every tile and fill again at the start of the next. In
//! one loop it never does: the first blocks of the next tile are under way while this one is stored. With `n` inner iterations per tile and a
//! carried `k` that counts through them, an iteration of the new loop is
//!
//! ```text
//! tile values = if k == 0 { what stood before the inner loop, for the next tile } else { as before }
//! the inner body; its carried values start anew when k == 0
//! outer values = if k == n - 1 { what stood behind the inner loop } else { as before }
//! k = if k == n - 1 { 0 } else { k + 1 }
//! ```
//!
//! An accumulator of `wgmma` that starts at zero needs nothing to start anew: the product ignores it. When `n` may be zero, there is a second
//! loop for that, without the inner one.
//!
//! It is done where it helps: the inner loop loads by descriptors, or all that both loops do is done on scalars, so that nothing is carried in
//! more than a few registers. (Pointers to blocks would have to be carried from iteration to iteration, which takes the registers of the
//! accumulators.) The trip count of the inner loop is the same for every tile, and what stands before it has no effects and does not wait for
//! what stands behind it, so that the pipeliner can run it ahead.

use crate::attributes::{FLATTEN, NUM_STAGES};
use crate::cloning::{Mapping, copy_op};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::is_loop;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp, WarpGroupDotOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "fuse-nested-loops", summary: "make one loop of a loop over tiles and the loop inside it", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let marked = loops_of(function);
        let marked: Vec<ForOp<'_>> = marked.filter(|view| view.op.attr(FLATTEN).is_some()).collect();
        // From the inside to the outside: a loop is gone with the one around it.
        for outer in marked.into_iter().rev() {
            if let Some(nest) = Nest::of(outer) {
                nest.fuse();
            }
        }
    }
    Ok(())
}

/// A loop over tiles with one loop inside it.
struct Nest<'c> {
    outer: ForOp<'c>,
    inner: ForOp<'c>,
    before: Vec<Op<'c>>,
    after: Vec<Op<'c>>,
    /// Values of a tile that the inner loop, or what stands behind it, uses.
    of_tile: Vec<Value<'c>>,
}

impl<'c> Nest<'c> {
    fn of(outer: ForOp<'c>) -> Option<Self> {
        let mut ops = outer.body().ops();
        ops.pop();
        let place = ops.iter().position(|op| op.kind() == OpKind::ScfFor)?;
        let (inner, after) = (ForOp::cast(ops[place])?, ops.split_off(place + 1));
        ops.pop();
        let nest = Self { outer, inner, of_tile: of_tile(outer, inner, &ops), before: ops, after };
        nest.can_be_fused().then_some(nest)
    }

    fn can_be_fused(&self) -> bool {
        let (outer, inner) = (self.outer, self.inner);
        let is_invariant = |value: Value<'c>| !is_inside(value, outer);
        let has_loop = |op: &Op<'c>| op.descendants().into_iter().any(is_loop);
        let is_scalar = self.is_scalar();
        let users_are_behind = |argument: Value<'c>| {
            let users = argument.users();
            users.into_iter().all(|(user, _)| {
                let user = user.ancestor_in(outer.body());
                // Of scalars nothing is run ahead, so they may be used in the inner loop, too.
                user.is_some_and(|user| inner.op.is_before_in_block(user) || is_scalar && user == inner.op)
            })
        };
        let i32 = outer.op.context().i(32);
        [outer, inner].iter().all(|view| view.lower_bound().ty() == i32 && !view.unsigned_cmp())
            && [inner.lower_bound(), inner.upper_bound(), inner.step()].into_iter().all(is_invariant)
            && !self.before.iter().chain(&self.after).chain(&inner.body().ops()).any(has_loop)
            && self.before.iter().all(|op| op.is_memory_effect_free())
            && outer.iter_args().into_iter().all(users_are_behind)
            && (is_scalar || inner.body().ops().iter().any(|op| op.kind() == OpKind::TtDescriptorLoad))
    }

    /// Whether no operation of the nest makes or takes a tensor, and none is a barrier or a call.
    fn is_scalar(&self) -> bool {
        let all = self.outer.op.descendants().into_iter();
        let values = |op: &Op<'c>| [op.operands(), op.results()].concat();
        let is_plain = |value: &Value<'c>| value.ty().is_int() || value.ty().is_float() || value.ty().is_ptr();
        all.filter(|op| *op != self.outer.op)
            .all(|op| values(&op).iter().all(is_plain) && !matches!(op.kind(), OpKind::TtCall | OpKind::GpuBarrier))
    }

    /// Whether the inner loop runs at least once wherever the outer one does, since both count the same way.
    fn counts_as_outer(&self) -> bool {
        let is_same = |one: Value<'c>, other: Value<'c>| {
            one == other || one.constant_int().is_some_and(|number| other.constant_int() == Some(number))
        };
        let (outer, inner) = (self.outer, self.inner);
        is_same(outer.lower_bound(), inner.lower_bound()) && is_same(outer.upper_bound(), inner.upper_bound())
    }

    fn fuse(&self) {
        let mut builder = Builder::before(self.outer.op);
        let count = trip_count(&mut builder, self.inner);
        let results = if count.constant_int().is_some_and(|count| count > 0) || self.counts_as_outer() {
            self.write(&mut builder, count)
        } else {
            // What runs is the first branch, whose code follows at once: at its start a kernel has to fetch what it jumps to.
            let zero = builder.i32(0);
            let has_steps = builder.cmpi(CmpI::Sgt, count, zero);
            let types: Vec<Type<'c>> = self.outer.results().iter().map(|result| result.ty()).collect();
            let choice = builder.if_op(has_steps, &types, true);
            let mut fused = Builder::at_end(choice.then_block(), self.outer.op.loc());
            let results = self.write(&mut fused, count);
            fused.yield_(&results);
            if let Some(block) = choice.else_block() {
                let mut without = Builder::at_end(block, self.outer.op.loc());
                let results = self.write_without_inner(&mut without);
                without.yield_(&results);
            }
            choice.op.results()
        };
        for (old, new) in self.outer.results().into_iter().zip(results) {
            old.replace_all_uses_with(new);
        }
        self.outer.op.erase();
    }

    /// The outer loop for when the inner one does nothing.
    fn write_without_inner(&self, builder: &mut Builder<'c>) -> Vec<Value<'c>> {
        let copy = copy_op(self.outer.op, builder, &mut Mapping::default(), |location| location);
        copy.remove_attr(FLATTEN);
        if let Some(inner) = ForOp::cast(copy).and_then(|view| view.body().ops().into_iter().find_map(ForOp::cast)) {
            for (result, init) in inner.results().into_iter().zip(inner.init_args()) {
                result.replace_all_uses_with(init);
            }
            inner.op.erase();
        }
        copy.results()
    }

    /// The new loop, for an inner loop of `count > 0` iterations; gives what the outer loop's results are.
    fn write(&self, builder: &mut Builder<'c>, count: Value<'c>) -> Vec<Value<'c>> {
        let (outer, inner) = (self.outer, self.inner);
        let tiles = trip_count(builder, outer);
        let [zero, one] = [0, 1].map(|number| builder.i32(number));
        let total = self.total(builder, tiles, count);
        let last = builder.binary(OpKind::ArithSubI, count, one);
        let mut inits = vec![zero, builder.binary(OpKind::ArithSubI, outer.lower_bound(), outer.step())];
        inits.extend(self.of_tile.iter().map(|value| nothing(builder, value.ty())));
        for init in inner.init_args() {
            let init = if is_inside(init, outer) { nothing(builder, init.ty()) } else { init };
            inits.push(init);
        }
        inits.extend(outer.init_args());
        let [start, step] = [0, 1].map(|number| builder.int(total.ty(), number));
        let new = builder.for_loop(start, total, step, &inits);
        let stages = inner.op.attr(NUM_STAGES).or_else(|| outer.op.attr(NUM_STAGES));
        for (name, value) in inner.op.discardable_attrs().into_iter().chain(stages.map(|stages| (NUM_STAGES, stages))) {
            new.op.set_attr(name, value);
        }
        self.write_body(new, last);
        let first_of_outer = inits.len() - outer.init_args().len();
        new.results().split_off(first_of_outer)
    }

    /// Iterations of the new loop. Of tiles 32 bits count more than any run has; of scalars they count some seconds of a run.
    fn total(&self, builder: &mut Builder<'c>, tiles: Value<'c>, count: Value<'c>) -> Value<'c> {
        if !self.is_scalar() {
            return builder.binary(OpKind::ArithMulI, tiles, count);
        }
        let wide = builder.context().i(64);
        let [tiles, count] = [tiles, count].map(|value| builder.cast(OpKind::ArithExtSI, value, wide));
        builder.binary(OpKind::ArithMulI, tiles, count)
    }

    fn write_body(&self, new: ForOp<'c>, last: Value<'c>) {
        let (outer, inner) = (self.outer, self.inner);
        let mut builder = Builder::at_end(new.body(), inner.op.loc());
        let arguments = new.iter_args();
        let (k, tile) = (arguments[0], arguments[1]);
        let (of_tile, rest) = arguments[2..].split_at(self.of_tile.len());
        let (carried, of_outer) = rest.split_at(inner.init_args().len());
        let [zero, one] = [0, 1].map(|number| builder.i32(number));
        let is_first = builder.cmpi(CmpI::Eq, k, zero);
        let mut mapping = Mapping::default();
        let started = self.write_before(&mut builder, is_first, tile, of_tile, &mut mapping);
        outer.iter_args().into_iter().zip(of_outer).for_each(|(old, new)| mapping.insert(old, *new));
        let j = position(&mut builder, inner, k);
        mapping.insert(inner.induction_var(), j);
        let dots = self.start_anew(&mut builder, is_first, carried, &mut mapping);
        let mut ops = inner.body().ops();
        ops.pop();
        for op in ops {
            let copy = copy_op(op, &mut builder, &mut mapping, |location| location);
            if dots.contains(&op.id()) {
                let mut operands = copy.operands();
                operands.push(Builder::before(copy).cmpi(CmpI::Ne, k, zero));
                copy.set_operands(&operands);
            }
        }
        let results: Vec<Value<'c>> = inner.yielded().into_iter().map(|value| mapping.get(value)).collect();
        for (result, value) in inner.results().into_iter().zip(&results) {
            mapping.insert(result, *value);
        }
        builder.set_location(outer.op.loc());
        let is_last = builder.cmpi(CmpI::Eq, k, last);
        let ended = self.write_after(&mut builder, is_last, of_outer, &mut mapping);
        let following = builder.binary(OpKind::ArithAddI, k, one);
        let following = builder.select(is_last, zero, following);
        let yielded = [vec![following], started, results, ended].concat();
        builder.yield_(&yielded);
    }

    /// What stands before the inner loop; gives the tile and its values.
    fn write_before(
        &self,
        builder: &mut Builder<'c>,
        is_first: Value<'c>,
        tile: Value<'c>,
        of_tile: &[Value<'c>],
        mapping: &mut Mapping<'c>,
    ) -> Vec<Value<'c>> {
        let kept: Vec<Value<'c>> = [&[tile], of_tile].concat();
        let types: Vec<Type<'c>> = kept.iter().map(|value| value.ty()).collect();
        let choice = builder.if_op(is_first, &types, true);
        let mut inside = Builder::at_end(choice.then_block(), self.outer.op.loc());
        let next = inside.binary(OpKind::ArithAddI, tile, self.outer.step());
        let mut within = Mapping::default();
        within.insert(self.outer.induction_var(), next);
        for op in &self.before {
            copy_op(*op, &mut inside, &mut within, |location| location);
        }
        let made: Vec<Value<'c>> = self.of_tile.iter().map(|value| within.get(*value)).collect();
        inside.yield_(&[vec![next], made].concat());
        if let Some(block) = choice.else_block() {
            Builder::at_end(block, self.outer.op.loc()).yield_(&kept);
        }
        let results = choice.op.results();
        mapping.insert(self.outer.induction_var(), results[0]);
        self.of_tile.iter().zip(&results[1..]).for_each(|(old, new)| mapping.insert(*old, *new));
        results
    }

    /// Maps the carried values of the inner loop; gives the products that start from zero in the first iteration of a tile.
    fn start_anew(
        &self,
        builder: &mut Builder<'c>,
        is_first: Value<'c>,
        carried: &[Value<'c>],
        mapping: &mut Mapping<'c>,
    ) -> FxHashSet<usize> {
        let mut dots = FxHashSet::default();
        let inits = self.inner.init_args();
        for ((argument, init), own) in self.inner.iter_args().into_iter().zip(inits).zip(carried) {
            if let Some(dot) = accumulates_from_zero(self.inner, argument, init) {
                dots.insert(dot.id());
                mapping.insert(argument, *own);
            } else {
                let init = mapping.get(init);
                let value = builder.select(is_first, init, *own);
                mapping.insert(argument, value);
            }
        }
        dots
    }

    /// What stands behind the inner loop; gives the carried values of the outer loop.
    fn write_after(
        &self,
        builder: &mut Builder<'c>,
        is_last: Value<'c>,
        of_outer: &[Value<'c>],
        mapping: &mut Mapping<'c>,
    ) -> Vec<Value<'c>> {
        let types: Vec<Type<'c>> = of_outer.iter().map(|value| value.ty()).collect();
        let choice = builder.if_op(is_last, &types, true);
        let mut inside = Builder::at_end(choice.then_block(), self.outer.op.loc());
        for op in &self.after {
            copy_op(*op, &mut inside, mapping, |location| location);
        }
        let yielded: Vec<Value<'c>> = self.outer.yielded().into_iter().map(|value| mapping.get(value)).collect();
        inside.yield_(&yielded);
        if let Some(block) = choice.else_block() {
            Builder::at_end(block, self.outer.op.loc()).yield_(of_outer);
        }
        choice.op.results()
    }
}

/// Defined in the body of a loop, or carried by it.
fn is_inside(value: Value<'_>, view: ForOp<'_>) -> bool {
    match value.defining_op() {
        Some(op) => op != view.op && view.op.contains(op),
        None => value.parent_block().and_then(|block| block.parent_op()).is_some_and(|op| view.op.contains(op)),
    }
}

/// Values made before the inner loop that are used in it or behind it, or that its carried values start with.
fn of_tile<'c>(outer: ForOp<'c>, inner: ForOp<'c>, before: &[Op<'c>]) -> Vec<Value<'c>> {
    let is_needed = |value: &Value<'c>| {
        value.users().into_iter().any(|(user, _)| {
            let user = user.ancestor_in(outer.body());
            user.is_some_and(|user| user == inner.op || inner.op.is_before_in_block(user))
        })
    };
    before.iter().flat_map(|op| op.results()).filter(is_needed).collect()
}

/// Iterations of a loop whose step is positive.
fn trip_count<'c>(builder: &mut Builder<'c>, view: ForOp<'c>) -> Value<'c> {
    if let [Some(lower), Some(upper), Some(step)] =
        [view.lower_bound(), view.upper_bound(), view.step()].map(Value::constant_int)
    {
        let distance = upper.saturating_sub(lower).max(0) as u64;
        return builder.i32(distance.div_ceil(step.max(1) as u64) as i32);
    }
    let zero = builder.i32(0);
    let distance = match view.lower_bound().constant_int() {
        Some(0) => view.upper_bound(),
        _ => builder.binary(OpKind::ArithSubI, view.upper_bound(), view.lower_bound()),
    };
    let count = match view.step().constant_int() {
        Some(1) => distance,
        _ => builder.binary(OpKind::ArithCeilDivSI, distance, view.step()),
    };
    builder.binary(OpKind::ArithMaxSI, count, zero)
}

/// The induction variable of the inner loop in iteration `k`.
fn position<'c>(builder: &mut Builder<'c>, inner: ForOp<'c>, k: Value<'c>) -> Value<'c> {
    let steps = match inner.step().constant_int() {
        Some(1) => k,
        _ => builder.binary(OpKind::ArithMulI, k, inner.step()),
    };
    match inner.lower_bound().constant_int() {
        Some(0) => steps,
        _ => builder.binary(OpKind::ArithAddI, inner.lower_bound(), steps),
    }
}

/// A value that nothing looks at before it is replaced.
fn nothing<'c>(builder: &mut Builder<'c>, ty: Type<'c>) -> Value<'c> {
    if ty.is_int() {
        return builder.int(ty, 0);
    }
    builder.create(OpKind::UbPoison, &[], &[ty], &[]).result(0)
}

/// The product that alone uses a carried value which starts at zero, as its accumulator.
fn accumulates_from_zero<'c>(inner: ForOp<'c>, argument: Value<'c>, init: Value<'c>) -> Option<Op<'c>> {
    let zero = init.constant()?.as_splat()?;
    let is_zero = zero.as_int() == Some(0) || zero.as_float().is_some_and(|number| number == 0.0);
    let users = argument.users();
    let [(user, 2)] = users[..] else { return None };
    let dot = WarpGroupDotOp::cast(user).filter(|dot| dot.use_c().is_none())?;
    (is_zero && dot.op.block() == Some(inner.body())).then_some(dot.op)
}
