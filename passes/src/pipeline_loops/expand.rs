//! Writes a loop anew with its iterations overlapped.
//!
//! Step `t` runs the operations of stage `s` for iteration `t - s`. With last stage `n`, steps 0 to `n - 1` are the prologue: straight-line
//! code for the stages that have begun. The body of the new loop is one step with all stages, by cluster, the last stage first; its induction
//! variable is that of the last stage; stage `s` works `n - s` iterations ahead. Iterations past the end do nothing but arithmetic: loads and
//! copies are masked. Copies for iterations that there never are ([`few_iterations`]) are not written.
//!
//! A value that a later stage uses is carried in as many new loop-carried values as steps lie between ("versions"). A carried value of the
//! old loop is the yielded value one iteration earlier, and its initial value before the first iteration.

use super::lower_loads::Lowered;
use super::{few_iterations, lower_descriptor_loads, stage_of};
use crate::analysis::dot_work::instructions_of_warp;
use crate::attributes::{ISSUED_AHEAD, LATENCY, LOOP_CLUSTER, LOOP_STAGE, MAX_STAGE, NUM_STAGES, SKIPPABLE};
use crate::cloning::{Mapping, copy_op};
use crate::operations::overlap::{Overlap, overlap};
use crate::schedule_loops::cluster_around_product;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::{AsyncCopyGlobalToLocalOp, CmpI, ForOp, LoadOp, WarpGroupDotOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};

pub(super) fn run(lowered: Lowered<'_>) {
    let Some(pipeline) = ScheduledLoop::of(lowered.view) else { return };
    pipeline.write();
    finish_copies(&lowered);
    // Uses inside the old body go with it.
    lowered.view.op.erase();
}

/// After the loop no copy is under way, and the rings are free. Copies by TMA have all been waited for.
fn finish_copies(lowered: &Lowered<'_>) {
    let old = lowered.view.op;
    let context = old.context();
    // What takes the place of the old loop stands before it.
    let mut builder = Builder::before(old);
    if lowered.has_groups {
        let num = ("num", context.i32_attr(0));
        builder.create(OpKind::TtgAsyncWait, &[], &[context.token()], &[num]);
    }
    for barriers in &lowered.barriers {
        for barrier in lower_descriptor_loads::each_barrier(&mut builder, *barriers) {
            builder.create(OpKind::TtngInvalBarrier, &[barrier], &[], &[]);
        }
    }
    for ring in lowered.barriers.iter().chain(&lowered.rings).rev() {
        builder.create(OpKind::TtgLocalDealloc, &[*ring], &[], &[]);
    }
}

/// Where a value of the old body comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueSource<'c> {
    /// The induction variable.
    Induction,
    /// Loop-carried value with this index.
    Carried(usize),
    /// Made by an operation of the body in this stage.
    Made(Value<'c>, u32),
    /// From outside of the loop.
    Outside,
}

/// Which value lives over steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ValueKey {
    /// Carried value number `0` of the old loop.
    Carried(usize),
    /// A value of the body, by its identity, that a later stage uses.
    Made(usize),
}

/// A value that lives over steps.
struct LivingValue<'c> {
    key: ValueKey,
    /// The value of the old body; of a carried value, the one that is yielded.
    value: Value<'c>,
    /// The stage that makes it.
    stage: u32,
    /// How many steps it lives over.
    versions: u32,
}

/// A commit of a group of copies.
struct Commit<'c> {
    op: Op<'c>,
    /// Its place in the order of the new body.
    place: usize,
    stage: u32,
}

struct ScheduledLoop<'c> {
    view: ForOp<'c>,
    /// The operations of the body with their stages, in the order of the new body.
    ops: Vec<(Op<'c>, u32)>,
    stages: FxHashMap<usize, u32>,
    last: u32,
    /// A product that is issued one iteration before its result is needed.
    ahead: Option<WarpGroupDotOp<'c>>,
}

impl<'c> ScheduledLoop<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let last = u32::try_from(view.op.int_attr(MAX_STAGE)?).ok()?;
        let mut body = view.body().ops();
        body.pop();
        let mut ops: Vec<(Op<'c>, u32)> = body.into_iter().map(|op| (op, stage_of(op).unwrap_or(last))).collect();
        let ahead = view.op.attr(ISSUED_AHEAD).and_then(|_| {
            let is_ahead = |op: &&(Op<'c>, u32)| op.0.attr(ISSUED_AHEAD).is_some();
            ops.iter().filter(is_ahead).find_map(|(op, _)| WarpGroupDotOp::cast(*op))
        });
        let cluster = |op: Op<'c>, stage: u32| match ahead {
            Some(_) => cluster_around_product(op, stage, last),
            None => last - stage,
        };
        ops.sort_by_key(|(op, stage)| op.int_attr(LOOP_CLUSTER).unwrap_or(i64::from(cluster(*op, *stage))));
        let stages = ops.iter().map(|(op, stage)| (op.id(), *stage)).collect();
        Some(Self { view, ops, stages, last, ahead })
    }

    /// Its products are by matrix instructions.
    fn multiplies_on_tensor_cores(&self) -> bool {
        self.ops.iter().any(|(op, _)| op.kind() == OpKind::TtngWarpGroupDot || instructions_of_warp(*op) > 0)
    }

    fn source(&self, value: Value<'c>) -> ValueSource<'c> {
        let body = self.view.body();
        match (value.defining_op(), value.block_argument()) {
            (Some(op), _) if op.block() == Some(body) => {
                ValueSource::Made(value, self.stages.get(&op.id()).copied().unwrap_or(self.last))
            }
            (None, Some((block, 0))) if block == body => ValueSource::Induction,
            (None, Some((block, index))) if block == body => ValueSource::Carried(index - 1),
            (Some(_) | None, _) => ValueSource::Outside,
        }
    }

    /// The yielded value that becomes carried value `index`, and the stage that makes it.
    fn yielded(&self, index: usize) -> (Value<'c>, u32) {
        let value = self.view.yield_op().operand(index);
        match self.source(value) {
            ValueSource::Made(_, stage) => (value, stage),
            ValueSource::Induction | ValueSource::Carried(_) | ValueSource::Outside => (value, self.last),
        }
    }

    /// The values of the body and from outside that `op` and everything in it use.
    fn uses(&self, op: Op<'c>) -> Vec<Value<'c>> {
        let mut seen = FxHashSet::default();
        let uses = op.descendants().into_iter().flat_map(|inner| inner.operands());
        uses.filter(|value| seen.insert(value.id())).collect()
    }

    /// Writes what takes the place of the loop, before it.
    fn write(&self) {
        let mut prologue = Prologue { pipeline: self, made: FxHashMap::default(), predicates: FxHashMap::default() };
        let mut builder = Builder::before(self.view.op);
        for step in 0..self.last {
            // A product before the loop waits for its blocks, so copies are issued before it.
            let waits = |stage: u32| self.ahead.is_some() && stage + 1 == self.last;
            for late in [false, true] {
                for &(op, stage) in self.ops.iter().filter(|(_, stage)| *stage <= step && waits(*stage) == late) {
                    prologue.emit(op, stage, step, &mut builder);
                }
            }
        }
        self.write_loop(&self.living_values(), &prologue, builder)
    }

    /// For every value that lives over steps, how many.
    fn living_values(&self) -> Vec<LivingValue<'c>> {
        let mut living: Vec<LivingValue<'c>> = Vec::new();
        let mut place: FxHashMap<ValueKey, usize> = FxHashMap::default();
        let mut need = |key: ValueKey, value: Value<'c>, stage: u32, count: u32| {
            if count > 0 {
                let index = *place.entry(key).or_insert_with(|| {
                    living.push(LivingValue { key, value, stage, versions: 0 });
                    living.len() - 1
                });
                living[index].versions = living[index].versions.max(count);
            }
        };
        for (index, result) in self.view.results().into_iter().enumerate() {
            let (value, stage) = self.yielded(index);
            if result.has_uses() {
                need(ValueKey::Carried(index), value, stage, self.last + 1 - stage);
            }
        }
        for &(op, use_stage) in &self.ops {
            for used in self.uses(op) {
                match self.source(used) {
                    ValueSource::Carried(index) => {
                        let (value, stage) = self.yielded(index);
                        need(ValueKey::Carried(index), value, stage, use_stage + 1 - stage.min(use_stage + 1));
                    }
                    ValueSource::Made(value, stage) => {
                        need(ValueKey::Made(value.id()), value, stage, use_stage - stage)
                    }
                    ValueSource::Induction | ValueSource::Outside => {}
                }
            }
        }
        living
    }

    fn write_loop(&self, living: &[LivingValue<'c>], prologue: &Prologue<'_, 'c>, mut builder: Builder<'c>) {
        let mut inits = Vec::new();
        for value in living {
            inits.extend((1..=value.versions).map(|version| prologue.initial(value, version)));
        }
        let view = self.view;
        let mut ends = vec![view.upper_bound(); self.last as usize + 1];
        for ahead in 1..=self.last {
            let distance = self.distance(&mut builder, ahead);
            ends[ahead as usize] = builder.binary(OpKind::ArithSubI, view.upper_bound(), distance);
        }
        builder.set_location(view.op.loc());
        // A product past the end would wait for blocks that never come, so the last iteration follows the loop.
        let end = match self.ahead {
            Some(_) => {
                let end = builder.binary(OpKind::ArithMaxSI, view.upper_bound(), view.lower_bound());
                builder.binary(OpKind::ArithSubI, end, view.step())
            }
            None => view.upper_bound(),
        };
        let new = builder.for_loop(view.lower_bound(), end, view.step(), &inits);
        for (name, value) in view.op.discardable_attrs() {
            if ![MAX_STAGE, NUM_STAGES, ISSUED_AHEAD].contains(&name) {
                new.op.set_attr(name, value);
            }
        }
        let mut body = OverlappedBody::new(self, new.induction_var(), by_key(living, new.iter_args()), ends);
        let mut builder = Builder::at_end(new.body(), view.op.loc());
        self.ops.iter().for_each(|(op, stage)| body.emit(*op, *stage, &mut builder));
        if let Some(dot) = self.ahead {
            body.fill_same_registers(dot);
        }
        let mut yielded = Vec::new();
        for LivingValue { key, value, versions, .. } in living {
            yielded.push(body.made.get(*value));
            yielded.extend(body.arguments[key].iter().take(*versions as usize - 1));
        }
        builder.yield_(&yielded);
        match self.ahead {
            Some(_) => self.write_last_iteration(living, new),
            None => self.replace_results(living, new),
        }
    }

    /// The last stage for the last iteration, behind the loop.
    fn write_last_iteration(&self, living: &[LivingValue<'c>], new: ForOp<'c>) {
        let mut builder = Builder::after(new.op).with_location(self.view.op.loc());
        let induction = self.last_induction(&mut builder);
        let mut tail = OverlappedBody::new(self, induction, by_key(living, new.results()), Vec::new());
        let of_last = self.ops.iter().filter(|(_, stage)| *stage == self.last);
        of_last.for_each(|(op, stage)| tail.emit(*op, *stage, &mut builder));
        for (index, result) in self.view.results().into_iter().enumerate().filter(|(_, result)| result.has_uses()) {
            let (value, stage) = self.yielded(index);
            result.replace_all_uses_with(tail.version(ValueKey::Carried(index), value, self.last - stage));
        }
    }

    /// The induction variable of the last iteration, where there is one.
    fn last_induction(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let (lower, upper, step) = (self.view.lower_bound(), self.view.upper_bound(), self.view.step());
        let one = builder.int(step.ty(), 1);
        let before_end = builder.binary(OpKind::ArithSubI, upper, one);
        if step.constant_int() == Some(1) {
            return before_end;
        }
        let way = builder.binary(OpKind::ArithSubI, before_end, lower);
        let count = builder.binary(OpKind::ArithDivSI, way, step);
        let distance = builder.binary(OpKind::ArithMulI, count, step);
        builder.binary(OpKind::ArithAddI, lower, distance)
    }

    fn replace_results(&self, living: &[LivingValue<'c>], new: ForOp<'c>) {
        let mut first = 0;
        for value in living {
            if let ValueKey::Carried(index) = value.key
                && self.view.op.result(index).has_uses()
            {
                let version = (self.last + 1 - value.stage) as usize;
                self.view.op.result(index).replace_all_uses_with(new.op.result(first + version - 1));
            }
            first += value.versions as usize;
        }
    }

    /// What the induction variable grows by in `iterations` iterations.
    fn distance(&self, builder: &mut Builder<'c>, iterations: u32) -> Value<'c> {
        let step = self.view.step();
        if let Some(known) = step.constant_int() {
            return builder.int(step.ty(), known.wrapping_mul(i64::from(iterations)));
        }
        let count = builder.int(step.ty(), iterations.into());
        builder.binary(OpKind::ArithMulI, step, count)
    }

    /// How many groups may still be under way at step `step` for a wait to have what it waits for: those committed after the last one
    /// it needs.
    fn groups_behind(&self, wait: Op<'c>, stage: u32, step: u32) -> i64 {
        let numbered = self.ops.iter().enumerate().map(|(place, (op, stage))| Commit { op: *op, place, stage: *stage });
        let commits: Vec<Commit<'c>> =
            numbered.filter(|commit| commit.op.kind() == OpKind::TtgAsyncCommitGroup).collect();
        let here = self.ops.iter().position(|(op, _)| *op == wait).unwrap_or(0);
        let needed = wait.operands().into_iter().filter_map(|token| token.defining_op()).map(|group| {
            let Some(needed) = commits.iter().find(|commit| commit.op == group) else { return 0 };
            let issued = (step + needed.stage - stage, needed.place);
            let is_behind = |at: u32, place: usize| (at, place) > issued && (at, place) < (step, here);
            let steps = (issued.0..=step).flat_map(|at| commits.iter().map(move |commit| (at, commit)));
            steps.filter(|(at, commit)| *at >= commit.stage && is_behind(*at, commit.place)).count() as i64
        });
        needed.min().unwrap_or(0)
    }
}

/// The first steps as straight-line code.
struct Prologue<'p, 'c> {
    pipeline: &'p ScheduledLoop<'c>,
    /// By value of the old body and iteration.
    made: FxHashMap<(usize, u32), Value<'c>>,
    predicates: FxHashMap<u32, Value<'c>>,
}

impl<'c> Prologue<'_, 'c> {
    fn emit(&mut self, op: Op<'c>, stage: u32, step: u32, builder: &mut Builder<'c>) {
        let iteration = step - stage;
        if few_iterations::is_past_end(op, self.pipeline.view, iteration) {
            return;
        }
        builder.set_location(op.loc());
        let mut mapping = Mapping::default();
        for used in self.pipeline.uses(op) {
            let value = match self.pipeline.source(used) {
                ValueSource::Outside => continue,
                ValueSource::Induction => self.induction(iteration, builder),
                ValueSource::Carried(index) => self.carried(index, iteration),
                ValueSource::Made(value, _) => self.made.get(&(value.id(), iteration)).copied().unwrap_or(value),
            };
            mapping.insert(used, value);
        }
        let copy = copied(op, builder, &mut mapping);
        few_iterations::leave_out_copies(op, copy, self.pipeline.view, iteration);
        if needs_mask(copy) {
            let predicate = self.predicate(iteration, copy);
            mask(copy, predicate);
        }
        if op.kind() == OpKind::TtgAsyncWait {
            set_pending(copy, self.pipeline.groups_behind(op, stage, step));
        }
        copy.remove_attr(ISSUED_AHEAD);
        for (old, new) in op.results().into_iter().zip(copy.results()) {
            self.made.insert((old.id(), iteration), new);
        }
    }

    fn carried(&self, index: usize, iteration: u32) -> Value<'c> {
        let (value, _) = self.pipeline.yielded(index);
        match iteration.checked_sub(1) {
            Some(before) => self.made.get(&(value.id(), before)).copied().unwrap_or(value),
            None => self.pipeline.view.init_args()[index],
        }
    }

    fn induction(&self, iteration: u32, builder: &mut Builder<'c>) -> Value<'c> {
        let lower = self.pipeline.view.lower_bound();
        if iteration == 0 {
            return lower;
        }
        let distance = self.pipeline.distance(builder, iteration);
        builder.binary(OpKind::ArithAddI, lower, distance)
    }

    /// Whether there is such an iteration.
    fn predicate(&mut self, iteration: u32, before: Op<'c>) -> Value<'c> {
        if let Some(known) = self.predicates.get(&iteration) {
            return *known;
        }
        let mut builder = Builder::before(before).with_location(self.pipeline.view.op.loc());
        let induction = self.induction(iteration, &mut builder);
        let predicate = builder.cmpi(CmpI::Slt, induction, self.pipeline.view.upper_bound());
        self.predicates.insert(iteration, predicate);
        predicate
    }

    /// What version `version` of a value is when the new loop starts.
    fn initial(&self, living: &LivingValue<'c>, version: u32) -> Value<'c> {
        let iterations = (self.pipeline.last + 1).saturating_sub(version + living.stage);
        match (iterations.checked_sub(1), living.key) {
            (Some(before), _) => self.made.get(&(living.value.id(), before)).copied().unwrap_or(living.value),
            (None, ValueKey::Carried(index)) => self.pipeline.view.init_args()[index],
            (None, ValueKey::Made(_)) => living.value,
        }
    }
}

/// Values of a loop by what they are of the old one.
fn by_key<'c>(living: &[LivingValue<'c>], values: Vec<Value<'c>>) -> FxHashMap<ValueKey, Vec<Value<'c>>> {
    let mut next = values.into_iter();
    living.iter().map(|value| (value.key, next.by_ref().take(value.versions as usize).collect())).collect()
}

/// One step with all stages.
struct OverlappedBody<'p, 'c> {
    pipeline: &'p ScheduledLoop<'c>,
    /// The induction variable of the last stage.
    own: Value<'c>,
    /// What lives over steps, as it is at the start of this one.
    arguments: FxHashMap<ValueKey, Vec<Value<'c>>>,
    /// What was made in this step.
    made: Mapping<'c>,
    /// The induction variable of stages that are so many iterations ahead.
    inductions: FxHashMap<u32, Value<'c>>,
    /// Whether they have such an iteration.
    predicates: FxHashMap<u32, Value<'c>>,
    /// For each number of iterations ahead, where the induction variable of the last stage must stop for there to be such an iteration.
    ends: Vec<Value<'c>>,
}

impl<'p, 'c> OverlappedBody<'p, 'c> {
    fn new(
        pipeline: &'p ScheduledLoop<'c>,
        own: Value<'c>,
        arguments: FxHashMap<ValueKey, Vec<Value<'c>>>,
        ends: Vec<Value<'c>>,
    ) -> Self {
        Self {
            pipeline,
            own,
            arguments,
            made: Mapping::default(),
            inductions: FxHashMap::default(),
            predicates: FxHashMap::default(),
            ends,
        }
    }

    /// A product that is issued ahead fills the registers of the one before, which have been read by then.
    fn fill_same_registers(&self, dot: WarpGroupDotOp<'c>) {
        let result = dot.op.result(0);
        let before = self.arguments.get(&ValueKey::Made(result.id())).and_then(|versions| versions.first());
        let (Some(copy), Some(before)) = (self.made.get(result).defining_op(), before) else { return };
        let never = Builder::before(copy).bool(false);
        copy.set_operands(&[copy.operand(0), copy.operand(1), *before, never]);
    }

    fn emit(&mut self, op: Op<'c>, stage: u32, builder: &mut Builder<'c>) {
        let ahead = self.pipeline.last - stage;
        if few_iterations::is_past_end(op, self.pipeline.view, ahead) {
            return;
        }
        builder.set_location(op.loc());
        let mut mapping = Mapping::default();
        for used in self.pipeline.uses(op) {
            let value = match self.pipeline.source(used) {
                ValueSource::Outside => continue,
                ValueSource::Induction => self.induction(ahead, builder),
                ValueSource::Carried(index) => {
                    let (value, made_in) = self.pipeline.yielded(index);
                    let version = (stage + 1).saturating_sub(made_in);
                    self.version(ValueKey::Carried(index), value, version)
                }
                ValueSource::Made(value, made_in) => self.version(ValueKey::Made(value.id()), value, stage - made_in),
            };
            mapping.insert(used, value);
        }
        let copy = copied(op, builder, &mut mapping);
        few_iterations::leave_out_copies(op, copy, self.pipeline.view, ahead);
        if ahead > 0 && needs_mask(copy) {
            let predicate = self.predicate(ahead, copy);
            mask(copy, predicate);
            if copy.kind() == OpKind::TtgAsyncCopyGlobalToLocal && self.pipeline.multiplies_on_tensor_cores() {
                copy.set_attr(SKIPPABLE, copy.context().unit_attr());
            }
        }
        if op.kind() == OpKind::TtgAsyncWait {
            let last = self.pipeline.last;
            let pending = (last..=2 * last + 1).map(|step| self.pipeline.groups_behind(op, stage, step)).min();
            set_pending(copy, pending.unwrap_or(0));
        }
        for (old, new) in op.results().into_iter().zip(copy.results()) {
            self.made.insert(old, new);
        }
    }

    fn version(&self, key: ValueKey, value: Value<'c>, version: u32) -> Value<'c> {
        match version.checked_sub(1) {
            None => self.made.get(value),
            Some(index) => self.arguments[&key][index as usize],
        }
    }

    fn induction(&mut self, ahead: u32, builder: &mut Builder<'c>) -> Value<'c> {
        let own = self.own;
        if ahead == 0 {
            return own;
        }
        if let Some(known) = self.inductions.get(&ahead) {
            return *known;
        }
        let distance = self.pipeline.distance(builder, ahead);
        let value = builder.binary(OpKind::ArithAddI, own, distance);
        self.inductions.insert(ahead, value);
        value
    }

    fn predicate(&mut self, ahead: u32, before: Op<'c>) -> Value<'c> {
        if let Some(known) = self.predicates.get(&ahead) {
            return *known;
        }
        let mut builder = Builder::before(before).with_location(self.pipeline.view.op.loc());
        let predicate = builder.cmpi(CmpI::Slt, self.own, self.ends[ahead as usize]);
        self.predicates.insert(ahead, predicate);
        predicate
    }
}

/// A copy of `op` at the builder's place, without the marks of the schedule.
fn copied<'c>(op: Op<'c>, builder: &mut Builder<'c>, mapping: &mut Mapping<'c>) -> Op<'c> {
    let placed = copy_op(op, builder, mapping, |location| location);
    for name in [LOOP_STAGE, LOOP_CLUSTER, LATENCY] {
        placed.remove_attr(name);
    }
    if placed.kind() != OpKind::TtngWarpGroupDot {
        placed.remove_attr(ISSUED_AHEAD);
    }
    placed
}

fn set_pending(wait: Op<'_>, groups: i64) {
    wait.set_attr("num", wait.context().i32_attr(groups as i32));
}

fn needs_mask(op: Op<'_>) -> bool {
    match overlap(op.kind()) {
        Overlap::Mask | Overlap::Condition => true,
        Overlap::Obstacle | Overlap::Free => false,
    }
}

/// The operand that says whether an operation of TMA does anything.
fn condition_of(op: Op<'_>) -> Option<usize> {
    (overlap(op.kind()) == Overlap::Condition).then(|| op.num_operands() - 1)
}

/// Lets a load or copy do nothing unless `predicate` holds.
fn mask<'c>(op: Op<'c>, predicate: Value<'c>) {
    let context = op.context();
    if let Some(operand) = condition_of(op) {
        let own = op.operand(operand);
        let both = match own.constant_int() {
            Some(0) => own,
            Some(_) => predicate,
            None => Builder::before(op).binary(OpKind::ArithAndI, own, predicate),
        };
        return op.set_operand(operand, both);
    }
    let copy = AsyncCopyGlobalToLocalOp::cast(op);
    let load = LoadOp::cast(op);
    let old = copy.and_then(AsyncCopyGlobalToLocalOp::mask).or_else(|| load.and_then(LoadOp::mask));
    let other = copy.and_then(AsyncCopyGlobalToLocalOp::other).or_else(|| load.and_then(LoadOp::other));
    let pointer = op.operand(0).ty();
    let mut builder = Builder::before(op);
    let whole: Type<'c> = if pointer.is_tensor() { pointer.with_element(context.i(1)) } else { context.i(1) };
    let everywhere = if pointer.is_tensor() { builder.splat(predicate, whole) } else { predicate };
    let mask = old.map_or(everywhere, |old| builder.binary(OpKind::ArithAndI, everywhere, old));
    let mut operands = vec![op.operand(0)];
    operands.extend(copy.map(AsyncCopyGlobalToLocalOp::result));
    let mut segments = vec![1; operands.len()];
    operands.push(mask);
    operands.extend(other);
    segments.extend([1, other.is_some().into()]);
    op.set_operands(&operands);
    op.set_attr("operandSegmentSizes", context.i32_array(&segments));
}
