//! Fewer buffers for loops whose iterations overlap already, in text that another compiler wrote, or that needs more shared memory than the
//! GPU has.
//!
//! Such a loop has a ring of `n` buffers for each block that it loads. Copies for the first `d` iterations stand before the loop; iteration
//! `i` waits for its own copies, computes, and starts those for iteration `i + d`. With `m` buffers less, iteration `i` starts the copies
//! for iteration `i + d - m`: the body computes their addresses and masks for an induction variable that is `m` steps smaller, and the values
//! that the copies carry from iteration to iteration enter the loop as they were `m` steps earlier. The last `m` steps before the loop go.
//! A slot is written as many iterations after its last reader as before.
//!
//! What the values were `m` steps earlier is read off the code before the loop, which has to be the body of the loop for earlier iterations
//! ([`same_step`]). Where that cannot be shown the loop stays as it is. Only copies by the threads (`ttg.async_copy_global_to_local`) are
//! understood, not those by TMA.

mod same_step;

use crate::control_flow::{NewCarried, extend_for, loops_of, remove_dead};
use rustc_hash::{FxHashMap, FxHashSet};
use same_step::Step;
use tk_ir::ops::arith::CmpIOp;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The most buffers that a ring of a loop has that can do with fewer; nothing where there is no such loop.
pub fn deepest(module: &Module<'_>) -> Option<u32> {
    let loops = module.functions().into_iter().flat_map(loops_of);
    let pipelines = loops.filter_map(Pipeline::of);
    let slots = pipelines.filter_map(|pipeline| pipeline.plan(pipeline.slots - 1).map(|_| pipeline.slots));
    slots.max().and_then(|slots| u32::try_from(slots).ok())
}

/// Leaves every ring at most this many buffers, or as few as it can do with.
pub fn shorten_pipelines(module: &Module<'_>, most: u32) {
    for function in module.functions() {
        let mut is_changed = false;
        for pipeline in loops_of(function).collect::<Vec<_>>().into_iter().filter_map(Pipeline::of) {
            let wanted = i64::from(most.max(2));
            if let Some(plan) = (wanted..pipeline.slots).find_map(|slots| pipeline.plan(slots)) {
                plan.apply();
                is_changed = true;
            }
        }
        if is_changed {
            remove_dead(function);
        }
    }
}

/// A ring of buffers, and who uses it.
struct Ring<'c> {
    alloc: Op<'c>,
    /// The copy in the loop.
    copy: Op<'c>,
    /// The views in the loop into which nothing is copied.
    reads: Vec<Op<'c>>,
    /// The copies before the loop, into slots 0, 1, ….
    first: Vec<Op<'c>>,
}

/// A loop whose copies run ahead.
struct Pipeline<'c> {
    view: ForOp<'c>,
    rings: Vec<Ring<'c>>,
    /// The buffers of each ring.
    slots: i64,
    /// How many iterations the copies run ahead.
    distance: usize,
    /// The groups of copies of an iteration.
    commits: Vec<Op<'c>>,
    /// The waits for them, those between the first copies and the loop included.
    waits: Vec<Op<'c>>,
}

impl<'c> Pipeline<'c> {
    fn of(view: ForOp<'c>) -> Option<Self> {
        let ops = view.body().ops();
        let of_kind = |kind: OpKind| ops.iter().copied().filter(move |op| op.kind() == kind);
        let mut allocs: Vec<Op<'c>> = Vec::new();
        for copy in of_kind(OpKind::TtgAsyncCopyGlobalToLocal) {
            allocs.push(ring_of(copy)?.1);
        }
        let rings = allocs.into_iter().map(|alloc| Ring::of(alloc, view)).collect::<Option<Vec<_>>>()?;
        let first = rings.first()?;
        let (slots, distance) = (first.slots()?, first.first.len());
        let is_alike = |ring: &Ring<'c>| ring.slots() == Some(slots) && ring.first.len() == distance;
        let is_wait = |op: &Op<'c>| op.kind() == OpKind::TtgAsyncWait;
        let has_hidden_waits =
            view.op.descendants().into_iter().filter(is_wait).count() > of_kind(OpKind::TtgAsyncWait).count();
        if slots < 3 || distance == 0 || has_hidden_waits || !rings.iter().all(is_alike) {
            return None;
        }
        let pipeline = Self {
            commits: of_kind(OpKind::TtgAsyncCommitGroup).collect(),
            waits: of_kind(OpKind::TtgAsyncWait).chain(waits_before(view, &rings)?).collect(),
            view,
            rings,
            slots,
            distance,
        };
        pipeline.has_known_slots().then_some(pipeline)
    }

    /// Iteration `i` reads slot `i`, and copies into slot `i + distance`.
    fn has_known_slots(&self) -> bool {
        let slot = |index: Op<'c>| counter(self.view, index.operand(1), self.slots);
        let ahead = Some(self.distance as i64 % self.slots);
        self.rings.iter().all(|ring| {
            let (written, _) = ring_of(ring.copy).unzip();
            written.and_then(slot) == ahead && ring.reads.iter().all(|read| slot(*read) == Some(0))
        })
    }

    /// What has to change for rings of this many buffers; nothing where the loop has them, or where it cannot be shown to be the same.
    fn plan(&self, slots: i64) -> Option<Plan<'_, 'c>> {
        let fewer = usize::try_from(self.slots - slots).ok().filter(|fewer| *fewer > 0 && *fewer < self.distance)?;
        let kept = self.distance - fewer;
        let (lower, step) = (self.view.op.operand(0).constant_int()?, self.view.op.operand(2).constant_int()?);
        let producer = Producer::of(self)?;
        let mut carried: FxHashMap<usize, Value<'c>> =
            producer.carried.iter().map(|index| (*index, self.view.op.operand(3 + index))).collect();
        for number in (kept..self.distance).rev() {
            let induction = lower.checked_add(step.checked_mul(number as i64 - self.distance as i64)?)?;
            let mut one = Step::new(self.view, induction);
            let copies = self.rings.iter().map(|ring| (ring.copy, ring.first[number]));
            let is_same = carried.iter().all(|(index, value)| one.is_same(self.view.yielded()[*index], *value))
                && copies.into_iter().all(|(inside, before)| one.is_same_copy(inside, before));
            if !is_same {
                return None;
            }
            carried =
                producer.carried.iter().map(|index| Some((*index, one.carried(*index)?))).collect::<Option<_>>()?;
        }
        let groups = i64::try_from(self.commits.len() * fewer).ok()?;
        let has_room = |wait: &Op<'c>| wait.int_attr("num").is_some_and(|num| num >= groups);
        self.waits.iter().all(has_room).then_some(())?;
        let dropped = self.dropped_commits(kept)?;
        Some(Plan { pipeline: self, producer, carried, kept, slots, groups, dropped })
    }

    /// The groups before the loop that hold the copies of steps that go, and nothing else.
    fn dropped_commits(&self, kept: usize) -> Option<Vec<Op<'c>>> {
        let copies: Vec<Op<'c>> = self.rings.iter().flat_map(|ring| ring.first[kept..].iter().copied()).collect();
        let users = copies.iter().flat_map(|copy| copy.result(0).users()).map(|(user, _)| user);
        let commits: FxHashMap<usize, Op<'c>> = users.map(|user| (user.id(), user)).collect();
        let is_own = |value: Value<'c>| value.defining_op().is_some_and(|op| copies.contains(&op));
        let is_whole =
            |commit: &Op<'c>| commit.kind() == OpKind::TtgAsyncCommitGroup && commit.operands().into_iter().all(is_own);
        let expected = self.commits.len() * (self.distance - kept);
        let dropped: Vec<Op<'c>> = commits.into_values().collect();
        (dropped.len() == expected && dropped.iter().all(is_whole)).then_some(dropped)
    }
}

/// The waits between the copies before the loop and the loop; nothing where one stands among the copies.
fn waits_before<'c>(view: ForOp<'c>, rings: &[Ring<'c>]) -> Option<Vec<Op<'c>>> {
    let copies: Vec<Op<'c>> = rings.iter().flat_map(|ring| ring.first.iter().copied()).collect();
    let commits: Vec<Op<'c>> = copies
        .iter()
        .flat_map(|copy| copy.result(0).users())
        .map(|(user, _)| user)
        .filter(|user| user.block() == view.op.block())
        .collect();
    let between = view.op.block()?.ops().into_iter().filter(|op| {
        op.kind() == OpKind::TtgAsyncWait
            && op.is_before_in_block(view.op)
            && copies.iter().any(|copy| copy.is_before_in_block(*op))
    });
    let is_behind = |wait: &Op<'c>| commits.iter().all(|commit| commit.is_before_in_block(*wait));
    between.map(|wait| Some(wait).filter(is_behind)).collect()
}

/// The view that a copy writes to, and the ring that it is a part of.
fn ring_of(copy: Op<'_>) -> Option<(Op<'_>, Op<'_>)> {
    let index = copy.operand(1).defining_op().filter(|op| op.kind() == OpKind::TtgMemDescIndex)?;
    let alloc = index.operand(0).defining_op()?;
    (alloc.kind() == OpKind::TtgLocalAlloc && alloc.num_operands() == 0).then_some((index, alloc))
}

impl<'c> Ring<'c> {
    /// Nothing where something else than this loop and the copies before it uses the buffers.
    fn of(alloc: Op<'c>, view: ForOp<'c>) -> Option<Self> {
        let mut copies = Vec::new();
        let mut ring = Ring { alloc, copy: alloc, reads: Vec::new(), first: Vec::new() };
        for (user, _) in alloc.result(0).users() {
            let copied = user.results().first().map(|view| view.users()).unwrap_or_default().into_iter();
            let mut copies_of = copied.filter(|(op, _)| op.kind() == OpKind::TtgAsyncCopyGlobalToLocal);
            let copy = copies_of.next().map(|(copy, _)| copy);
            let is_inside = user.block() == Some(view.body());
            match (user.kind(), copy) {
                (OpKind::TtgLocalDealloc, _) => {}
                (OpKind::TtgMemDescIndex, Some(copy)) if is_inside && copy.block() == user.block() => copies.push(copy),
                (OpKind::TtgMemDescIndex, None) if is_inside => ring.reads.push(user),
                (OpKind::TtgMemDescIndex, Some(copy))
                    if copy.block() == view.op.block() && copy.is_before_in_block(view.op) =>
                {
                    ring.first.push(copy);
                }
                _ => return None,
            }
        }
        let slot = |copy: &Op<'c>| ring_of(*copy).and_then(|(index, _)| index.operand(1).constant_int());
        ring.first.sort_by_key(slot);
        let is_ordered = ring.first.iter().enumerate().all(|(number, copy)| slot(copy) == Some(number as i64));
        let [copy] = copies[..] else { return None };
        (is_ordered && !ring.reads.is_empty()).then_some(Ring { copy, ..ring })
    }

    fn slots(&self) -> Option<i64> {
        let shape = self.alloc.result(0).ty().shape();
        shape.first().copied().filter(|_| shape.len() > 2)
    }
}

/// The slot of the first iteration, where `value` counts slots: `x + 1`, or 0 where that is not below `slots`, of the `x` that the iteration
/// before counted.
fn counter(view: ForOp<'_>, value: Value<'_>, slots: i64) -> Option<i64> {
    let select = value.defining_op().filter(|op| op.kind() == OpKind::ArithSelect)?;
    let test = CmpIOp::cast(select.operand(0).defining_op()?)?;
    let next = select.operand(2);
    let is_wrapped = test.predicate() == CmpI::Sge
        && test.op.operand(0) == next
        && test.op.operand(1).constant_int() == Some(slots)
        && select.operand(1).constant_int() == Some(0);
    let add = next.defining_op().filter(|op| is_wrapped && op.kind() == OpKind::ArithAddI)?;
    let (block, index) = add.operand(0).block_argument()?;
    let carried = index.checked_sub(1).filter(|_| block == view.body() && add.operand(1).constant_int() == Some(1))?;
    let init = view.op.operand(3 + carried).constant_int()?;
    (view.yielded()[carried] == value).then(|| (init + 1).rem_euclid(slots))
}

/// What the copies of an iteration are computed from.
struct Producer<'c> {
    /// In the order of the body, without the copies.
    ops: Vec<Op<'c>>,
    /// The values of the loop that only they carry.
    carried: Vec<usize>,
}

impl<'c> Producer<'c> {
    fn of(pipeline: &Pipeline<'c>) -> Option<Self> {
        let (view, body) = (pipeline.view, pipeline.view.body());
        let mut queue: Vec<Value<'c>> = pipeline.rings.iter().flat_map(|ring| same_step::sources(ring.copy)).collect();
        let (mut ops, mut carried) = (FxHashSet::default(), Vec::new());
        while let Some(value) = queue.pop() {
            match (value.defining_op(), value.block_argument()) {
                (Some(op), _) if op.block() == Some(body) && ops.insert(op.id()) => {
                    // What is computed for another iteration must not do anything else.
                    (op.is_pure() && op.num_regions() == 0).then_some(())?;
                    queue.extend(op.operands());
                }
                (None, Some((block, index))) if block == body && index > 0 && !carried.contains(&(index - 1)) => {
                    carried.push(index - 1);
                    queue.push(view.yielded()[index - 1]);
                }
                _ => {}
            }
        }
        let in_order = body.ops().into_iter().filter(|op| ops.contains(&op.id())).collect();
        let producer = Producer { ops: in_order, carried };
        producer.is_alone(view).then_some(producer)
    }

    /// Nobody else sees how far the carried values are.
    fn is_alone(&self, view: ForOp<'c>) -> bool {
        self.carried.iter().all(|index| {
            let users = view.iter_args()[*index].users();
            let is_own = |(user, operand): (Op<'c>, usize)| {
                self.ops.contains(&user) || user.kind() == OpKind::TtgAsyncCopyGlobalToLocal || {
                    user == view.yield_op() && self.carried.contains(&operand)
                }
            };
            !view.op.result(*index).has_uses() && users.into_iter().all(is_own)
        })
    }
}

struct Plan<'p, 'c> {
    pipeline: &'p Pipeline<'c>,
    producer: Producer<'c>,
    /// What the values of the producer are before the loop now.
    carried: FxHashMap<usize, Value<'c>>,
    /// How many iterations the copies will run ahead.
    kept: usize,
    slots: i64,
    /// How many groups of copies fewer are under way.
    groups: i64,
    /// The groups before the loop that go.
    dropped: Vec<Op<'c>>,
}

impl<'c> Plan<'_, 'c> {
    fn apply(self) {
        self.shorten_tokens();
        self.drop_steps();
        let Plan { pipeline, carried, groups, .. } = &self;
        let context = pipeline.view.op.context();
        for (index, value) in carried {
            pipeline.view.op.set_operand(3 + index, *value);
        }
        for wait in &pipeline.waits {
            let num = wait.int_attr("num").unwrap_or(0) - groups;
            wait.set_attr("num", context.i32_attr(i32::try_from(num).unwrap_or(0)));
        }
        self.shift_producer();
        for ring in &pipeline.rings {
            let mut shape = ring.alloc.result(0).ty().shape();
            shape[0] = self.slots;
            let value = ring.alloc.result(0);
            value.set_type(value.ty().with_shape(&shape));
        }
        self.count_slots();
    }

    /// Tokens wait in a row of carried values; it becomes shorter.
    fn shorten_tokens(&self) {
        let view = self.pipeline.view;
        let arguments = view.iter_args();
        for commit in &self.pipeline.commits {
            let mut row = Vec::new();
            let mut token = commit.result(0);
            while let Some(index) = view.yielded().into_iter().position(|value| value == token) {
                row.push(index);
                token = arguments[index];
            }
            row.reverse();
            if let (true, Some(last)) = (row.len() == self.pipeline.distance, row.get(self.kept - 1)) {
                view.yield_op().set_operand(*last, commit.result(0));
            }
        }
    }

    /// Takes away the copies before the loop that the loop makes now.
    fn drop_steps(&self) {
        let rings = &self.pipeline.rings;
        for commit in &self.dropped {
            let copy = commit.operand(0).defining_op();
            let ring = rings.iter().find(|ring| copy.is_some_and(|copy| ring.first.contains(&copy)));
            // A token that nobody waits for any more has to be some token.
            let kept = ring.and_then(|ring| ring.first[self.kept - 1].result(0).users().first().copied());
            if let Some((kept, _)) = kept {
                commit.result(0).replace_all_uses_with(kept.result(0));
            }
            commit.erase();
        }
        for copy in rings.iter().flat_map(|ring| &ring.first[self.kept..]) {
            let index = ring_of(*copy).map(|(index, _)| index);
            copy.erase();
            index.into_iter().filter(|index| !index.result(0).has_uses()).for_each(Op::erase);
        }
    }

    /// Lets the copies compute with an earlier induction variable.
    fn shift_producer(&self) {
        let view = self.pipeline.view;
        let Some(first) = view.body().first_op() else { return };
        let induction = view.induction_var();
        let step = view.op.operand(2).constant_int().unwrap_or(1);
        let mut builder = Builder::before(first);
        let back = builder.int(induction.ty(), step * (self.pipeline.distance - self.kept) as i64);
        let earlier = builder.binary(OpKind::ArithSubI, induction, back);
        let mut changed: FxHashMap<Value<'c>, Value<'c>> = FxHashMap::from_iter([(induction, earlier)]);
        for op in &self.producer.ops {
            if op.operands().iter().any(|operand| changed.contains_key(operand)) {
                let mut map = changed.clone();
                builder.move_after(*op);
                let copy = builder.place(op.clone_with(&mut map));
                changed.extend(op.results().into_iter().zip(copy.results()));
            }
        }
        let end = view.yield_op();
        for ring in &self.pipeline.rings {
            let sources: Vec<Value<'c>> = same_step::sources(ring.copy).collect();
            for (at, operand) in
                ring.copy.operands().into_iter().enumerate().filter(|(_, value)| sources.contains(value))
            {
                ring.copy.set_operand(at, changed.get(&operand).copied().unwrap_or(operand));
            }
        }
        for index in &self.producer.carried {
            let next = end.operand(*index);
            end.set_operand(*index, changed.get(&next).copied().unwrap_or(next));
        }
    }

    /// Counts the slots anew.
    fn count_slots(&self) {
        let rings = &self.pipeline.rings;
        let mut builder = Builder::before(self.pipeline.view.op);
        let (read, written) = (builder.i32(0), builder.i32((self.kept as i64 % self.slots) as i32));
        let view = extend_for(self.pipeline.view, &[NewCarried::unchanged(read), NewCarried::unchanged(written)]);
        let (arguments, end) = (view.iter_args(), view.yield_op());
        let own = arguments.len() - 2;
        let mut builder = Builder::before(end);
        for at in [own, own + 1] {
            let one = builder.i32(1);
            let next = builder.binary(OpKind::ArithAddI, arguments[at], one);
            let (slots, zero) = (builder.i32(self.slots as i32), builder.i32(0));
            let is_past = builder.cmpi(CmpI::Sge, next, slots);
            let wrapped = builder.select(is_past, zero, next);
            end.set_operand(at, wrapped);
        }
        for ring in rings {
            ring.reads.iter().for_each(|index| index.set_operand(1, arguments[own]));
            if let Some((index, _)) = ring_of(ring.copy) {
                index.set_operand(1, arguments[own + 1]);
            }
        }
    }
}
