//! Hand-over: of two groups of warps one issues its dots, then hands the tensor cores over to the other.
//!
//! Groups that may drift apart do not have to: where both become ready at once, the tensor cores alternate between their dots instruction by
//! instruction, both have their results at the same time, and the tensor cores are idle while both compute. With the hand-over, one group issues
//! all it has for the tensor cores, a *turn*, and only then lets the other group issue. The dots of the other group run while the first group
//! computes ([measurements](../../../docs/measurements.md#warp-groups-hand-the-tensor-cores-over)).
//!
//! A turn is what a group issues between two waits for its results: in attention the second dot of an iteration and the first of the next,
//! in sums of scaled blocks the one dot of an iteration. Loops with one turn per iteration have a hand-over:
//!
//! ```text
//! over the end of an iteration                                          within an iteration
//! give (second group)  take                                             give (second group, if there is an iteration)
//! loop: first dot  give  copies  wait  …compute…  take  second dot      loop: take  dot  give  wait  …compute…  copies
//! give (first group)                                                    the second group does not give in the last iteration
//! ```
//!
//! Copies by threads stand behind the turn where it holds all products of the iteration ([`super::finished_products`]).
//!
//! So every turn that is given is taken before another is given at the same barrier, also where another such loop follows: the second group gives
//! the first turn of a loop behind its own last one before it, which the first group has given it, behind its own last.
//!
//! **Progress.** A group that has its turn may only wait for what the other group does without one.
//!
//! 1. Both groups have the same iterations, since bounds of loops are scalars, and the dots stand in the body, not in branches.
//! 2. Barriers of both groups: where one stands in a turn, or in every iteration, `insert-barriers` removes the hand-over.
//! 3. A turn within an iteration waits for nothing but copies (where it has several dots), those of which the other group has issued before its turn
//!    in the iteration before.
//! 4. A turn over the end of an iteration holds the wait for the blocks of the next: the group that lags behind has issued these when it waits for
//!    its turn if copies are two iterations ahead ([`ITERATIONS_AHEAD`]). Copies by TMA come behind the turn ([`super::late_copies`]), others within.
//!    Before the copies, groups wait for each other's arrival behind a wait for dots, which they have issued in turns before.
//!
//! 1. Find the turns of a loop, and whether they pay ([`single_turn`]).  2. Give and take before, in and behind the loop.

use super::single_turn;
use crate::attributes::{BEHIND_WORDS, Threads};
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use crate::pipeline_loops::insert_wait;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Builder, Op, OpKind, Value};

/// Two groups, of four warps each.
const WARPS: u32 = 8;
const GROUPS: i64 = 2;
/// Terms of a dot from which on the barrier's number costs less than it may save; 64 lose 2 to 5 %.
const MANY_TERMS: i64 = 128;
/// How far ahead copies are, at least, where a turn goes over the end of an iteration.
const ITERATIONS_AHEAD: i64 = 2;

/// The turns of a loop.
pub(super) struct Turns<'c> {
    /// Those within an iteration, in order.
    within: Vec<Turn<'c>>,
    /// The one over the end of an iteration.
    over_end: Option<Turn<'c>>,
}

/// The dots that a group issues in one turn, which it takes before the first and gives behind the last.
#[derive(Clone, Copy)]
struct Turn<'c> {
    first: Op<'c>,
    last: Op<'c>,
}

impl<'c> Turn<'c> {
    fn of(dots: &[Op<'c>]) -> Option<Self> {
        Some(Self { first: *dots.first()?, last: *dots.last()? })
    }

    /// A group whose copies are its own waits behind what its first dot reads from registers; so does one in a loop over tiles, where ptxas often
    /// computes that within the turn otherwise, if the dot has many terms of 16 bits.
    fn take(self, view: ForOp<'c>, copies: Copies) {
        let wait = take(&mut Builder::before(self.first).with_location(self.first.loc()));
        let is_computed = |left: Value<'c>| {
            let is_read = left.defining_op().is_none_or(|op| op.kind() == OpKind::TtgLocalLoad);
            left.ty().is_tensor() && left.parent_block() == Some(view.body()) && !is_read
        };
        let left = self.first.operand(0);
        let has_many_terms = left.ty().element_bits() == 16 && left.ty().shape().last() >= Some(&MANY_TERMS);
        let is_in_tiles = view.op.ancestors().skip(1).any(is_loop) && has_many_terms;
        if (copies == Copies::ByThreads || is_in_tiles) && is_computed(left) {
            wait.set_attr(BEHIND_WORDS, wait.context().unit_attr());
        }
    }

    /// Where the group gives.
    fn end(self) -> Builder<'c> {
        Builder::after(self.last).with_location(self.first.loc())
    }
}

/// Who copies the blocks of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Copies {
    ByThreads,
    ByTma,
}

/// What stands in the body of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event<'c> {
    Dot(Op<'c>),
    /// A wait behind which threads compute on results of dots.
    Wait,
}

impl<'c> Turns<'c> {
    /// The turns of a loop, if there are two groups and turns pay; copies are so many iterations `ahead`.
    pub(super) fn of(view: ForOp<'c>, ahead: i64, threads: Threads) -> Option<Self> {
        super::in_body(view, OpKind::TtngWarpGroupDot)?;
        // A loop whose blocks are copied by threads and by TMA has them already.
        if view.body().ops().iter().any(|op| op.kind() == OpKind::TkHandOver) {
            return None;
        }
        let runs = runs_of_dots(&events(view));
        let [head, within @ .., tail] = &runs[..] else { return None };
        let between: Vec<Turn<'c>> = within.iter().filter_map(|dots| Turn::of(dots)).collect();
        let turns = match (Turn::of(head), Turn::of(tail)) {
            (Some(head), Some(tail)) if between.is_empty() && ahead >= ITERATIONS_AHEAD => {
                Self { within: Vec::new(), over_end: Some(Turn { first: tail.first, last: head.last }) }
            }
            (Some(_), Some(_)) => return None,
            (head, tail) => {
                let within: Vec<Turn<'c>> = head.into_iter().chain(between).chain(tail).collect();
                Self { within, over_end: None }
            }
        };
        let pays = turns.number() > 1 || single_turn::pays(view, GROUPS, threads);
        (threads.num_warps == WARPS && computes_on_results(view) && pays).then_some(turns)
    }

    /// How many there are in an iteration.
    fn number(&self) -> usize {
        self.within.len() + usize::from(self.over_end.is_some())
    }

    /// The last product of the last turn, where an iteration has several.
    pub(super) fn last_of_several(&self) -> Option<Op<'c>> {
        let [_, .., last] = &self.within[..] else { return None };
        Some(last.last)
    }

    pub(super) fn apply(&self, view: ForOp<'c>, copies: Copies) {
        self.within.iter().for_each(|turn| compute_before(view, turn.first));
        self.within.iter().for_each(|turn| turn.take(view, copies));
        if let Some(turn) = self.over_end {
            let mut before = Builder::before(view.op).with_location(turn.first.loc());
            give(&mut before, Some(1), None);
            take(&mut before);
            compute_operands_before(view, turn.first);
            turn.take(view, copies);
            give(&mut turn.end(), None, None);
            give(&mut Builder::after(view.op).with_location(turn.first.loc()), Some(0), None);
        } else if let Some((last, others)) = self.within.split_last() {
            let mut before = Builder::before(view.op).with_location(last.first.loc());
            let any = before.cmpi(CmpI::Slt, view.lower_bound(), view.upper_bound());
            give(&mut before, Some(1), Some(any));
            others.iter().for_each(|turn| give(&mut turn.end(), None, None));
            let before_last = before.binary(OpKind::ArithSubI, view.upper_bound(), view.step());
            let mut end = last.end();
            let more = end.cmpi(CmpI::Slt, view.induction_var(), before_last);
            give(&mut end, None, Some(more));
        }
    }
}

/// Threads compute on what they have waited for.
fn computes_on_results(view: ForOp<'_>) -> bool {
    let passes_on = |op: Op<'_>| {
        matches!(op.kind(), OpKind::TtngWarpGroupDot | OpKind::TtngWarpGroupDotWait) || op == view.yield_op()
    };
    let is_computed_on =
        |value: Value<'_>| value.ty().is_tensor() && value.users().iter().any(|(user, _)| !passes_on(*user));
    let waits = view.body().ops().into_iter().filter(|op| op.kind() == OpKind::TtngWarpGroupDotWait);
    waits.flat_map(|wait| wait.results()).any(is_computed_on)
}

/// The dots that still run when the next iteration starts.
pub(super) fn dots_over_the_end(view: ForOp<'_>) -> Vec<Op<'_>> {
    runs_of_dots(&events(view)).pop().unwrap_or_default()
}

/// Dots between two waits: those before the first, and so on to those behind the last.
fn runs_of_dots<'c>(events: &[Event<'c>]) -> Vec<Vec<Op<'c>>> {
    let dot = |event: &Event<'c>| if let Event::Dot(dot) = event { Some(*dot) } else { None };
    events.split(|event| *event == Event::Wait).map(|run| run.iter().filter_map(dot).collect()).collect()
}

/// The dots of a body, and the waits for them, in order.
fn events<'c>(view: ForOp<'c>) -> Vec<Event<'c>> {
    let ops = view.body().ops();
    let mut events = Vec::new();
    under_way_behind(&ops, left_under_way(&ops), &mut events);
    events
}

/// How many dots are under way at the start of an iteration: those that the one before has left.
fn left_under_way(body: &[Op<'_>]) -> i64 {
    under_way_behind(body, 0, &mut Vec::new())
}

/// How many dots are under way behind `ops` if so many are before them; with what is among them.
fn under_way_behind<'c>(ops: &[Op<'c>], before: i64, events: &mut Vec<Event<'c>>) -> i64 {
    let mut under_way = before;
    for op in ops {
        if op.kind() == OpKind::TtngWarpGroupDot {
            under_way += 1;
            events.push(Event::Dot(*op));
        } else if op.kind() == OpKind::TtngWarpGroupDotWait {
            let left = op.int_attr("pendings").unwrap_or(0);
            if left < under_way {
                under_way = left;
                events.push(Event::Wait);
            }
        }
    }
    under_way
}

/// What has been computed on results before a turn passes through a wait that leaves under way what is. Otherwise it would be computed behind the turn,
/// and the next result would need registers of its own.
fn compute_before<'c>(view: ForOp<'c>, dot: Op<'c>) {
    let body = view.body();
    let is_behind = |user: Op<'c>| user.ancestor_in(body).is_some_and(|own| own == dot || dot.is_before_in_block(own));
    // What starts a sum anew is no part of it; a branch may do that later.
    let is_choice = |op: &Op<'c>| op.kind() == OpKind::ArithSelect && !op.operand(0).ty().is_tensor();
    for op in body.ops().into_iter().rev().filter(is_choice).filter(|op| op.result(0).ty() == dot.result(0).ty()) {
        let is_later = |(user, _): (Op<'c>, usize)| user != dot && is_behind(user);
        if op.is_before_in_block(dot) && op.result(0).users().into_iter().all(is_later) {
            op.move_after(dot);
        }
    }
    let ops = body.ops();
    let Some(at) = ops.iter().position(|op| *op == dot) else { return };
    let is_needed = |value: &Value<'c>| {
        value.ty() == dot.result(0).ty() && value.users().iter().any(|(user, _)| *user != dot && is_behind(*user))
    };
    let arithmetic = ops[..at].iter().filter(|op| computation(op.kind()) == Computation::Arithmetic);
    let values: Vec<Value<'c>> = arithmetic.map(|op| op.result(0)).filter(is_needed).collect();
    if values.is_empty() {
        return;
    }
    pass_through_wait(view, dot, values);
}

/// What the iteration computes for the first dot of a turn passes through a wait in front of it, too: a group that computes in its turn keeps the tensor
/// cores from the other.
fn compute_operands_before<'c>(view: ForOp<'c>, dot: Op<'c>) {
    let is_computed = |value: &Value<'c>| value.ty().is_tensor() && value.parent_block() == Some(view.body());
    let mut values: Vec<Value<'c>> = Vec::new();
    for value in dot.operands().into_iter().filter(is_computed).filter(|value| value.defining_op().is_some()) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if !values.is_empty() {
        pass_through_wait(view, dot, values);
    }
}

/// From `dot` on, `values` are those behind a wait in front of it that leaves all dots under way.
fn pass_through_wait<'c>(view: ForOp<'c>, dot: Op<'c>, values: Vec<Value<'c>>) {
    let body = view.body();
    let ops = body.ops();
    let Some(at) = ops.iter().position(|op| *op == dot) else { return };
    let is_behind = |user: Op<'c>| user.ancestor_in(body).is_some_and(|own| own == dot || dot.is_before_in_block(own));
    let pendings = under_way_behind(&ops[..at], left_under_way(&ops), &mut Vec::new());
    let wait = insert_wait(Builder::before(dot).with_location(dot.loc()), &values, pendings as usize);
    for (index, value) in values.into_iter().enumerate() {
        value.replace_uses_if(wait.result(index), |user, _| user != wait && is_behind(user));
    }
}

fn take<'c>(builder: &mut Builder<'c>) -> Op<'c> {
    builder.create(OpKind::TkWaitHandOver, &[], &[], &[])
}

fn give<'c>(builder: &mut Builder<'c>, group: Option<i32>, more: Option<Value<'c>>) {
    let context = builder.context();
    let group = group.map(|group| ("group", context.i32_attr(group)));
    builder.create(OpKind::TkHandOver, more.as_slice(), &[], group.as_slice());
}
