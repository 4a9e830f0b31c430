//! Lets the products of a loop by `wgmma` run asynchronously.
//!
//! A product that another stage of the loop feeds from a ring of buffers may still run when the next iteration starts, as long as nothing
//! looks at its result and nothing overwrites what it reads. The first holds when the result is only the accumulator of the next
//! iteration, but perhaps for branches behind the product, which then wait for it. The second is the pipeliner's: a ring has one buffer more than iterations are under way, and of each iteration's products all
//! are finished before the copies of the next one are issued.
//!
//! The left operand may come from registers. Those must not change either, so that such products end with their iteration, while the copies
//! of later iterations are issued; or they run on where the next iteration waits for a product before it writes those registers, as attention
//! does.
//!
//! Products that add to each other's results, as those of split f32 operands do, follow each other without a wait.
//!
//! 1. Products that may stay in flight.  2. Waits: for those that may not before their results are needed ([`super::wait_points`]), or for all
//!    but this iteration's products at their end, and for the rest after the loop.

use super::ahead_dots;
use super::wait_points::WaitPoint;
use crate::control_flow::{NewResult, extend_if};
use crate::encodings::moves_nothing;
use crate::operations::memory::root;
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, IfOp, WarpGroupDotOp};
use tk_ir::{Block, Builder, Op, OpKind, Value};

pub(super) fn run(view: ForOp<'_>) {
    // Code generation waits for each of several partial sums.
    let may_be_async = |dot: &WarpGroupDotOp<'_>| !dot.is_async() && dot.terms_of_partial_sums().is_none();
    let dots: Vec<WarpGroupDotOp<'_>> =
        view.body().ops().into_iter().filter_map(WarpGroupDotOp::cast).filter(may_be_async).collect();
    if dots.is_empty() {
        return;
    }
    if let Some(dot) = ahead_dots::product_of(&dots) {
        return ahead_dots::run(view, dot);
    }
    sink_conversions_of_nothing(view);
    let plan = InFlightPlan::of(view, &dots);
    for dot in &dots {
        dot.op.set_attr("isAsync", dot.op.context().bool_attr(true));
    }
    for (dot, point) in plan.waited_for(&dots) {
        wait_for(dot, &point, &plan);
    }
    if plan.in_flight.is_empty() {
        return;
    }
    let wait = (plan.in_flight.len() == dots.len()).then(|| wait_once(view, &plan.in_flight)).flatten();
    // Branches stand before that wait or behind it, where the results are those of the wait.
    for (index, dot) in plan.in_flight.iter().enumerate() {
        wait_in_branches(view, *dot, dot.op.result(0));
        wait.into_iter().for_each(|wait| wait_in_branches(view, *dot, wait.result(index)));
    }
    wait_after_loop(view, &plan);
}

/// Conversions of carried values that leave every element in its register go to where they are needed: at the start of the iteration they would look at a product
/// of the one before. Products of bytes and of two bytes have such layouts, as attention on scores of bytes has.
fn sink_conversions_of_nothing(view: ForOp<'_>) {
    let body = view.body();
    let users = view.iter_args().into_iter().flat_map(|carried| carried.users());
    let conversions = users.map(|(user, _)| user).filter(|user| user.block() == Some(body) && moves_nothing(*user));
    for conversion in conversions.collect::<Vec<_>>() {
        let users = conversion.result(0).users().into_iter().filter_map(|(user, _)| user.ancestor_in(body));
        let first = users.reduce(|first, user| if user.is_before_in_block(first) { user } else { first });
        if let Some(first) = first {
            conversion.move_before(first);
        }
    }
}

struct InFlightPlan<'c> {
    in_flight: Vec<WarpGroupDotOp<'c>>,
    /// For each of them, the carried value that it accumulates into.
    carried: Vec<usize>,
    /// For each product, where it is waited for unless it stays in flight or the next one goes on.
    points: Vec<WaitPoint<'c>>,
    /// Products to which the next one adds, and which are waited for with that one.
    continued: Vec<WarpGroupDotOp<'c>>,
    view: ForOp<'c>,
}

impl<'c> InFlightPlan<'c> {
    fn of(view: ForOp<'c>, dots: &[WarpGroupDotOp<'c>]) -> Self {
        let points: Vec<_> = dots.iter().map(|dot| WaitPoint::of(view, *dot, dots)).collect();
        let candidates: Vec<_> = dots
            .iter()
            .filter_map(|dot| Some((*dot, only_carried(view, *dot)?)))
            .filter(|(dot, index)| operands_stay(view, *dot) && adds_to_own(view, *dot, *index))
            .collect();
        // The first product that is waited for makes everything before it safe to use.
        let is_candidate = |dot: &WarpGroupDotOp<'c>| candidates.iter().any(|(other, _)| other == dot);
        let goes_on = |dot: &WarpGroupDotOp<'c>| {
            !is_candidate(dot)
                && next_of(*dot, dots)
                    .is_some_and(|(at, next)| !is_candidate(&next) && points[at].stays_until(*dot, dots))
        };
        let continued: Vec<_> = dots.iter().copied().filter(goes_on).collect();
        let is_waited_for = |dot: &WarpGroupDotOp<'c>| !is_candidate(dot) && !continued.contains(dot);
        let first_wait = dots.iter().zip(&points).find(|(dot, _)| is_waited_for(dot)).map(|(_, point)| *point);
        let mut plan = Self { in_flight: Vec::new(), carried: Vec::new(), points, continued, view };
        for (dot, index) in candidates {
            let users = early_users(view, dot, index);
            let are_after_wait = |user: &Op<'c>| {
                user.ancestor_in(view.body()).zip(first_wait).is_some_and(|(user, wait)| wait.is_before(user))
            };
            if users.iter().all(are_after_wait) {
                plan.in_flight.push(dot);
                plan.carried.push(index);
            }
        }
        plan.keep_those_whose_registers_stay(dots);
        plan
    }

    /// Where some products are waited for, nothing waits at the end of the iteration: the next one goes on writing registers until its
    /// first wait.
    fn keep_those_whose_registers_stay(&mut self, dots: &[WarpGroupDotOp<'c>]) {
        let Some((_, first_wait)) = self.waited_for(dots).next() else { return };
        let body = self.view.body();
        let stays = |dot: &WarpGroupDotOp<'c>| {
            !is_written_in(self.view, dot.a()) || {
                let writer = dot.a().defining_op().and_then(|writer| writer.ancestor_in(body));
                writer.is_some_and(|writer| first_wait.is_before(writer))
            }
        };
        let kept =
            self.in_flight.iter().zip(&self.carried).filter(|(dot, _)| stays(dot)).map(|(dot, index)| (*dot, *index));
        (self.in_flight, self.carried) = kept.collect();
    }

    /// The products that a wait of their own ends, and where, in order.
    fn waited_for<'a>(
        &'a self,
        dots: &'a [WarpGroupDotOp<'c>],
    ) -> impl Iterator<Item = (WarpGroupDotOp<'c>, WaitPoint<'c>)> + 'a {
        let all = dots.iter().copied().zip(self.points.iter().copied());
        all.filter(|(dot, _)| !self.in_flight.contains(dot) && !self.continued.contains(dot))
    }
}

/// Registers that the loop writes anew in every iteration.
fn is_written_in<'c>(view: ForOp<'c>, value: Value<'c>) -> bool {
    let owner = value.parent_block().and_then(|block| block.parent_op());
    value.ty().is_tensor() && owner.is_none_or(|owner| view.op.contains(owner))
}

/// The product that adds to the result of `dot`, by the same instruction, when nobody else uses it; and which of `dots` it is.
fn next_of<'c>(dot: WarpGroupDotOp<'c>, dots: &[WarpGroupDotOp<'c>]) -> Option<(usize, WarpGroupDotOp<'c>)> {
    let [(user, 2)] = dot.op.result(0).users()[..] else { return None };
    let at = dots.iter().position(|other| other.op == user)?;
    let next = dots[at];
    let is_same =
        next.op.result(0).ty() == dot.op.result(0).ty() && next.a().ty().element_bits() == dot.a().ty().element_bits();
    is_same.then_some((at, next))
}

/// The carried value that a product's result becomes, when it becomes nothing else, outside of branches behind the product.
pub(super) fn only_carried<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>) -> Option<usize> {
    let users: Vec<(Op<'c>, usize)> =
        dot.op.result(0).users().into_iter().filter(|(user, _)| branch_of(view, *user).is_none()).collect();
    match users[..] {
        [(user, operand)] if user == view.yield_op() => Some(operand),
        _ => None,
    }
}

/// The side of a branch of the loop's body that an operation is in.
fn branch_of<'c>(view: ForOp<'c>, op: Op<'c>) -> Option<Block<'c>> {
    let branch = op.ancestor_in(view.body()).filter(|own| *own != op && own.kind() == OpKind::ScfIf)?;
    let sides = branch.regions().into_iter().filter_map(|region| region.first_block());
    sides.into_iter().find(|side| op.ancestor_in(*side).is_some())
}

/// Branches that look at `value`, the result of a product in flight, wait for it first. What they waited for goes on as the result, so that
/// it need not be copied, which is also a look.
fn wait_in_branches<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>, mut value: Value<'c>) {
    let body = view.body();
    loop {
        let users = value.users().into_iter().map(|(user, _)| user).filter(|user| branch_of(view, *user).is_some());
        let branches = users.filter_map(|user| user.ancestor_in(body));
        let first = branches.reduce(|a, b| if b.is_before_in_block(a) { b } else { a });
        let Some(branch) = first.and_then(IfOp::cast) else { return };
        let otherwise = branch.else_block().unwrap_or_else(|| empty_else(branch));
        let [yes, no] = [branch.then_block(), otherwise].map(|side| waited_in(side, value, dot));
        let new = extend_if(branch, &[NewResult { then: yes, otherwise: no, ty: value.ty() }]).op;
        let merged = new.result(new.num_results() - 1);
        replace_behind(view, new, value, merged);
        value = merged;
    }
}

/// Behind `op`, an operation of the loop's body, `new` is used in the place of `old`.
fn replace_behind<'c>(view: ForOp<'c>, op: Op<'c>, old: Value<'c>, new: Value<'c>) {
    let body = view.body();
    old.replace_uses_if(new, |user, _| user.ancestor_in(body).is_some_and(|own| op.is_before_in_block(own)));
}

/// The result of a product at the end of one side of a branch, waited for if that side looks at it.
fn waited_in<'c>(side: Block<'c>, value: Value<'c>, dot: WarpGroupDotOp<'c>) -> Value<'c> {
    if !value.users().into_iter().any(|(user, _)| user.ancestor_in(side).is_some()) {
        return value;
    }
    let mut waited = vec![value];
    waited.extend([dot.a(), dot.b()].into_iter().filter(|value| value.ty().is_memdesc()));
    let wait = insert_wait(Builder::at_start(side, dot.op.loc()), &waited, 0);
    value.replace_uses_if(wait.result(0), |user, _| user != wait && user.ancestor_in(side).is_some());
    wait.result(0)
}

/// The other side of a branch that has none.
fn empty_else<'c>(branch: IfOp<'c>) -> Block<'c> {
    let block = branch.op.region(1).new_block(&[], branch.op.loc());
    Builder::at_end(block, branch.op.loc()).yield_(&[]);
    block
}

/// Users of the carried value in the loop, but for the product that adds to it.
fn early_users<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>, index: usize) -> Vec<Op<'c>> {
    let users = view.iter_args()[index].users();
    users.into_iter().filter(|(user, operand)| *user != dot.op || *operand != 2).map(|(user, _)| user).collect()
}

/// A product adds to the carried value that its result becomes, which nobody needs behind it: one set of registers holds both. Otherwise
/// the result would be copied at the end of the iteration, while the product still writes it.
fn adds_to_own<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>, index: usize) -> bool {
    let (body, carried) = (view.body(), view.iter_args()[index]);
    let is_before =
        |user: Op<'c>| user.ancestor_in(body).is_some_and(|own| own == dot.op || own.is_before_in_block(dot.op));
    dot.c().comes_from(carried, body) && carried.users().into_iter().all(|(user, _)| is_before(user))
}

/// What a product reads from shared memory is a buffer of a ring, or does not change in the loop.
pub(super) fn operands_stay<'c>(view: ForOp<'c>, dot: WarpGroupDotOp<'c>) -> bool {
    let stays = |value: Value<'c>| root(value).defining_op().is_some_and(|alloc| !view.op.contains(alloc));
    [dot.a(), dot.b()].into_iter().filter(|value| value.ty().is_memdesc()).all(stays)
}

/// Waits for a product, and so for all before it. Accumulators of products in flight pass through the wait, so that nobody reads them before.
fn wait_for<'c>(dot: WarpGroupDotOp<'c>, point: &WaitPoint<'c>, plan: &InFlightPlan<'c>) {
    let result = dot.op.result(0);
    let mut waited = vec![result];
    let is_kept =
        |value: &Value<'c>| value.ty().is_memdesc() || point.is_later(dot) && is_written_in(plan.view, *value);
    waited.extend([dot.a(), dot.b()].into_iter().filter(is_kept));
    let added_to = |dot: &WarpGroupDotOp<'c>| {
        dot.c().defining_op().and_then(WarpGroupDotOp::cast).filter(|before| plan.continued.contains(before))
    };
    let before = std::iter::successors(added_to(&dot), added_to).flat_map(|dot| [dot.a(), dot.b()]);
    for value in before {
        if !waited.contains(&value) {
            waited.push(value);
        }
    }
    let first_carried = waited.len();
    let body = plan.view.body();
    let is_used_after = |index: &usize| {
        let users = plan.view.iter_args()[*index].users();
        users.into_iter().all(|(user, _)| user.ancestor_in(body).is_some_and(|user| point.is_before(user)))
    };
    let passing: Vec<usize> = plan.carried.iter().copied().filter(is_used_after).collect();
    waited.extend(passing.iter().map(|index| plan.view.iter_args()[*index]));
    let wait = insert_wait(point.builder(dot), &waited, point.pendings);
    result.replace_all_uses_except(wait.result(0), &[wait]);
    for (offset, index) in passing.into_iter().enumerate() {
        plan.view.iter_args()[index].replace_all_uses_except(wait.result(first_carried + offset), &[wait]);
    }
}

/// The one wait of an iteration that waits for no product of its own at once.
fn wait_once<'c>(view: ForOp<'c>, in_flight: &[WarpGroupDotOp<'c>]) -> Option<Op<'c>> {
    if in_flight.iter().any(|dot| is_written_in(view, dot.a())) {
        Some(wait_at_end(view, in_flight))
    } else {
        wait_for_iteration_before(view, in_flight)
    }
}

/// Behind the last product: those of the iteration before are finished, this iteration's may go on.
fn wait_for_iteration_before<'c>(view: ForOp<'c>, in_flight: &[WarpGroupDotOp<'c>]) -> Option<Op<'c>> {
    let last = in_flight.last()?;
    let results: Vec<_> = in_flight.iter().map(|dot| dot.op.result(0)).collect();
    let mut waited = results.clone();
    let mut seen = FxHashSet::default();
    for dot in in_flight {
        let memory = [dot.a(), dot.b()].into_iter().filter(|value| value.ty().is_memdesc());
        waited.extend(memory.filter(|value| seen.insert(value.id())));
    }
    let wait = insert_wait(Builder::after(last.op), &waited, in_flight.len());
    for (index, result) in results.into_iter().enumerate() {
        replace_behind(view, wait, result, wait.result(index));
    }
    Some(wait)
}

/// At the end of the body: products that read registers are finished before the next iteration fills those anew.
pub(crate) fn wait_at_end<'c>(view: ForOp<'c>, in_flight: &[WarpGroupDotOp<'c>]) -> Op<'c> {
    let mut waited: Vec<Value<'c>> = in_flight.iter().map(|dot| dot.op.result(0)).collect();
    let mut seen = FxHashSet::default();
    waited.extend(in_flight.iter().flat_map(|dot| [dot.a(), dot.b()]).filter(|value| seen.insert(value.id())));
    let wait = insert_wait(Builder::before(view.yield_op()), &waited, 0);
    for (index, dot) in in_flight.iter().enumerate() {
        replace_behind(view, wait, dot.op.result(0), wait.result(index));
    }
    wait
}

fn wait_after_loop<'c>(view: ForOp<'c>, plan: &InFlightPlan<'c>) {
    let results: Vec<Value<'c>> = plan.carried.iter().map(|index| view.op.result(*index)).collect();
    let wait = insert_wait(Builder::after(view.op), &results, 0);
    for (index, result) in results.into_iter().enumerate() {
        result.replace_all_uses_except(wait.result(index), &[wait]);
    }
}

pub(crate) fn insert_wait<'c>(mut builder: Builder<'c>, values: &[Value<'c>], pendings: usize) -> Op<'c> {
    let types: Vec<_> = values.iter().map(|value| value.ty()).collect();
    let pendings = ("pendings", builder.context().i32_attr(pendings as i32));
    builder.create(OpKind::TtngWarpGroupDotWait, values, &types, &[pendings])
}
