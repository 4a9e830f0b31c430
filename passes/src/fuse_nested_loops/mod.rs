//! Makes one loop of a loop over tiles and the loop inside it (`tl.range(…, flatten=True)`, or `warp_specialize=True`, which asks for the same:
//! that copies go on while a tile is finished).
//!
//! In a persistent kernel, the pipeline of the inner loop would run empty at the end of every tile and fill again at the start of the next. In
//! one loop it never does: the first blocks of the next tile are under way while this one is stored. With `n` inner iterations per tile and a
//! carried `k` that counts through them, an iteration of the new loop is
//!
//! ```text
//! tile values = if k == 0 { what stood before the inner loop, for the next tile } else { as before }
//! the inner body; its carried values start anew when k == 0, or, sums that start with a number of the code, behind k == n - 1
//! outer values = if k == n - 1 { what stood behind the inner loop } else { as before }
//! k = if k == n - 1 { 0 } else { k + 1 }
//! ```
//!
//! An accumulator of `wgmma` that starts at zero needs nothing to start anew: the product ignores it. When `n` may be zero, there is a second
//! loop for that, without the inner one.
//!
//! It is done where it helps: the trip count of the inner loop is the same for every tile, what stands before it has no effects and does not
//! wait for what stands behind it, so that the pipeliner can run it ahead, and the values of a tile take few registers. Offsets into
//! descriptors do, and all that a nest of scalars has. Where the inner loop loads through pointers, of tensors only what is small is carried
//! ([`tile_plan`]): a column of row offsets, and not the pointers to a block that are computed from it, which each iteration computes again.
//! Their epilogues exchange results through shared memory, which must have room for that beside the blocks that run ahead ([`has_room`]).

use crate::attributes::{FLATTEN, NUM_STAGES, WARP_SPECIALIZE};
use crate::cloning::{Mapping, copy_op};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::fuse_nested_loops::tile_plan::{TilePlan, tile_plan};
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp, WarpGroupDotOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};

mod tile_plan;

/// The pass.
pub const PASS: Pass =
    Pass { name: "fuse-nested-loops", summary: "make one loop of a loop over tiles and the loop inside it", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let marked = loops_of(function);
        let is_marked = |view: &ForOp<'_>| [FLATTEN, WARP_SPECIALIZE].iter().any(|name| view.op.attr(name).is_some());
        let marked: Vec<ForOp<'_>> = marked.filter(is_marked).collect();
        // From the inside to the outside: a loop is gone with the one around it.
        for outer in marked.into_iter().rev() {
            if let Some(nest) = Nest::of(outer, cx) {
                nest.fuse();
            }
        }
    }
    Ok(())
}

/// Whether no operation of a nest makes or takes a tensor, and none is a barrier or a call.
fn is_scalar(outer: ForOp<'_>) -> bool {
    let is_plain = |value: &Value<'_>| value.ty().is_int() || value.ty().is_float() || value.ty().is_ptr();
    let mut inside = outer.op.descendants().into_iter().filter(|op| *op != outer.op);
    inside.all(|op| {
        let values = [op.operands(), op.results()].concat();
        values.iter().all(is_plain) && !matches!(op.kind(), OpKind::TtCall | OpKind::GpuBarrier)
    })
}

/// A loop over tiles with one loop inside it.
struct Nest<'c> {
    outer: ForOp<'c>,
    inner: ForOp<'c>,
    before: Vec<Op<'c>>,
    after: Vec<Op<'c>>,
    tile: TilePlan<'c>,
}

impl<'c> Nest<'c> {
    fn of(outer: ForOp<'c>, cx: &PassContext) -> Option<Self> {
        let mut ops = outer.body().ops();
        ops.pop();
        let place = ops.iter().position(|op| op.kind() == OpKind::ScfFor)?;
        let (inner, after) = (ForOp::cast(ops[place])?, ops.split_off(place + 1));
        ops.pop();
        let loads_by = |kind: OpKind| inner.body().ops().iter().any(|op| op.kind() == kind);
        let tile = match (loads_by(OpKind::TtDescriptorLoad), loads_by(OpKind::TtLoad)) {
            _ if outer.op.attr(FLATTEN).is_some() && is_scalar(outer) => {
                TilePlan { carried: of_tile(outer, inner, &ops), ..TilePlan::default() }
            }
            (true, _) if outer.op.attr(FLATTEN).is_some() || starts_from_zero(inner) => {
                TilePlan { carried: of_tile(outer, inner, &ops), ..TilePlan::default() }
            }
            (false, true) if starts_from_zero(inner) && has_room(outer, inner, &after, cx) => {
                tile_plan(outer, inner, &ops)?
            }
            (true | false, _) => return None,
        };
        let nest = Self { outer, inner, tile, before: ops, after };
        nest.can_be_fused().then_some(nest)
    }

    fn can_be_fused(&self) -> bool {
        let (outer, inner) = (self.outer, self.inner);
        let is_invariant = |value: Value<'c>| !is_inside(value, outer);
        let has_loop = |op: &Op<'c>| op.descendants().into_iter().any(is_loop);
        let is_scalar = is_scalar(self.outer);
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
        for name in [FLATTEN, WARP_SPECIALIZE] {
            copy.remove_attr(name);
        }
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
        inits.extend(self.tile.carried.iter().map(|value| nothing(builder, value.ty())));
        for init in inner.init_args() {
            let number = init.defining_op().filter(|op| is_inside(init, outer) && op.kind() == OpKind::ArithConstant);
            inits.push(match number.and_then(|op| op.attr("value")) {
                Some(number) => builder.constant(number),
                None if is_inside(init, outer) => nothing(builder, init.ty()),
                None => init,
            });
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
        if !is_scalar(self.outer) {
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
        let (of_tile, rest) = arguments[2..].split_at(self.tile.carried.len());
        let (carried, of_outer) = rest.split_at(inner.init_args().len());
        let [zero, one] = [0, 1].map(|number| builder.i32(number));
        let is_first = builder.cmpi(CmpI::Eq, k, zero);
        let mut mapping = Mapping::default();
        let kept = [&[tile], of_tile].concat();
        let started = self.write_before(&mut builder, is_first, &kept, carried, &mut mapping);
        outer.iter_args().into_iter().zip(of_outer).for_each(|(old, new)| mapping.insert(old, *new));
        for op in &self.tile.again {
            copy_op(*op, &mut builder, &mut mapping, |location| location);
        }
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
        let mut results: Vec<Value<'c>> = inner.yielded().into_iter().map(|value| mapping.get(value)).collect();
        for (result, value) in inner.results().into_iter().zip(&results) {
            mapping.insert(result, *value);
        }
        builder.set_location(outer.op.loc());
        let is_last = builder.cmpi(CmpI::Eq, k, last);
        for (index, result) in results.iter_mut().enumerate().filter(|(index, _)| self.starts_behind(*index)) {
            let number = inner.init_args()[index].defining_op().and_then(|op| op.attr("value"));
            let start = number.map(|number| builder.constant(number));
            *result = start.map_or(*result, |start| builder.select(is_last, start, *result));
        }
        let ended = self.write_after(&mut builder, is_last, of_outer, &mut mapping);
        let following = builder.binary(OpKind::ArithAddI, k, one);
        let following = builder.select(is_last, zero, following);
        let yielded = [vec![following], started, results, ended].concat();
        builder.yield_(&yielded);
    }

    /// What stands before the inner loop; gives the tile and its values. `kept` is what they were, `carried` what the inner loop carries.
    fn write_before(
        &self,
        builder: &mut Builder<'c>,
        is_first: Value<'c>,
        kept: &[Value<'c>],
        carried: &[Value<'c>],
        mapping: &mut Mapping<'c>,
    ) -> Vec<Value<'c>> {
        let starting: Vec<usize> = (0..carried.len()).filter(|index| self.starts_in_tile(*index)).collect();
        let otherwise: Vec<Value<'c>> =
            kept.iter().copied().chain(starting.iter().map(|index| carried[*index])).collect();
        let types: Vec<Type<'c>> = otherwise.iter().map(|value| value.ty()).collect();
        let choice = builder.if_op(is_first, &types, true);
        let mut inside = Builder::at_end(choice.then_block(), self.outer.op.loc());
        let next = inside.binary(OpKind::ArithAddI, kept[0], self.outer.step());
        let mut within = Mapping::default();
        within.insert(self.outer.induction_var(), next);
        for op in &self.before {
            copy_op(*op, &mut inside, &mut within, |location| location);
        }
        let made: Vec<Value<'c>> = self.tile.carried.iter().map(|value| within.get(*value)).collect();
        let starts: Vec<Value<'c>> = starting.iter().map(|index| within.get(self.inner.init_args()[*index])).collect();
        inside.yield_(&[vec![next], made, starts].concat());
        if let Some(block) = choice.else_block() {
            Builder::at_end(block, self.outer.op.loc()).yield_(&otherwise);
        }
        let mut results = choice.op.results();
        let started = results.split_off(kept.len());
        mapping.insert(self.outer.induction_var(), results[0]);
        self.tile.carried.iter().zip(&results[1..]).for_each(|(old, new)| mapping.insert(*old, *new));
        for (index, value) in starting.into_iter().zip(started) {
            mapping.insert(self.inner.iter_args()[index], value);
        }
        results
    }

    /// A carried tensor of the inner loop that each tile computes the start of.
    fn starts_in_tile(&self, index: usize) -> bool {
        let init = self.inner.init_args()[index];
        init.ty().is_tensor() && is_inside(init, self.outer) && !self.tile.carried.contains(&init)
    }

    /// A carried tensor that starts every tile with a number of the code. It is set to that at the end of a tile, where a branch can do it
    /// (`choose-in-branches`): a choice at the start of the body is made in every iteration, for each element. (A product in flight stays what the
    /// next iteration adds to.)
    fn starts_behind(&self, index: usize) -> bool {
        let (init, argument) = (self.inner.init_args()[index], self.inner.iter_args()[index]);
        let next = self.inner.yielded()[index].defining_op();
        init.ty().is_tensor()
            && init.constant().is_some_and(|number| number.as_splat().is_some())
            && accumulates_from_zero(self.inner, argument, init).is_none()
            && next.is_some_and(|op| op.block() == Some(self.inner.body()) && !is_dot(op))
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
        for (index, ((argument, init), own)) in self.inner.iter_args().into_iter().zip(inits).zip(carried).enumerate() {
            if self.starts_in_tile(index) {
                continue;
            }
            if let Some(dot) = accumulates_from_zero(self.inner, argument, init) {
                dots.insert(dot.id());
                mapping.insert(argument, *own);
            } else if self.starts_behind(index) {
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
        for op in self.tile.behind.iter().chain(&self.after) {
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

/// The blocks that run ahead of the inner loop and what stands behind it have room in shared memory together: in one loop, both are there at
/// the same time.
fn has_room(outer: ForOp<'_>, inner: ForOp<'_>, after: &[Op<'_>], cx: &PassContext) -> bool {
    let bytes = |ty: Type<'_>| ty.num_elements().saturating_mul(i64::from(ty.element_bits().max(8))) / 8;
    let own = inner.op.int_attr(NUM_STAGES).or_else(|| outer.op.int_attr(NUM_STAGES));
    let stages = own.unwrap_or(i64::from(cx.options.num_stages));
    let blocks = inner.body().ops().into_iter().filter(|op| op.kind() == OpKind::TtgLocalAlloc);
    let ahead: i64 = blocks.map(|op| bytes(op.result(0).ty())).sum();
    let behind = after.iter().flat_map(|op| op.descendants()).filter(|op| op.kind() == OpKind::TtgConvertLayout);
    let scratch = behind.map(|op| bytes(op.result(0).ty())).max().unwrap_or(0);
    ahead.saturating_mul(stages).saturating_add(scratch) <= i64::from(cx.target.max_shared_bytes_per_cta())
}

/// The products of a loop take carried values that start at zero as their accumulators, and there are some.
fn starts_from_zero(inner: ForOp<'_>) -> bool {
    let (arguments, inits) = (inner.iter_args(), inner.init_args());
    let accumulates = |dot: &Op<'_>| {
        let carried = arguments.iter().zip(&inits).find(|(argument, _)| **argument == dot.operand(2));
        carried.is_some_and(|(argument, init)| accumulates_from_zero(inner, *argument, *init).is_some())
    };
    let mut dots = inner.body().ops().into_iter().filter(|op| is_dot(*op)).peekable();
    dots.peek().is_some() && dots.all(|dot| accumulates(&dot))
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
        _ => {
            let end = builder.binary(OpKind::ArithMaxSI, view.upper_bound(), view.lower_bound());
            builder.binary(OpKind::ArithSubI, end, view.lower_bound())
        }
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
