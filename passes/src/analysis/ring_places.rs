//! Which buffers of a ring an iteration of a loop reads, and which ones its copies fill.
//!
//! A loop that copies ahead has a ring of buffers and counts round it twice: one number is the buffer that the iteration reads, the other one the buffer
//! that its copies fill. Where both counts go on by as many buffers in each iteration, their distance round the ring stays the same, and says which
//! iteration has read the buffer that is filled now. With copies `d` iterations ahead in a ring of `n` buffers it is the one `n - d` iterations
//! before: the last one where the ring has a buffer more than iterations are under way, the last but one where it has two more.
//!
//! A count is followed to where it begins ([`Place`]). Each step has to be `x + 1`, or 0 where that is the number of buffers. A count begins at a constant,
//! or where that of an earlier loop ended: nobody knows how often that ran, but where both counts went on in it, they did so together. What cannot be
//! followed is not known, and may be any buffer.
//!
//! Nothing is said of loops that start several products before their copies: with the barrier that this would save, copies start when all threads have started
//! their products, which is worth more than the barrier costs (docs/measurements.md, "An iteration fills another buffer than it reads").
//!
//! 1. Copies and reads of the ring in the body of a loop.  2. Their places.  3. Reads whose buffers no copy fills in the same iteration, and how
//!    long that is so ([`RingUses`]).

use super::shared_buffers::views_of;
use crate::operations::memory::shared_memory;
use rustc_hash::FxHashSet;
use tk_ir::ops::{CmpI, ForOp, WarpGroupDotOp};
use tk_ir::{Op, OpKind, Value};

/// Steps round a ring that are followed from a number to where its count begins, or an iteration begins with it. A loop whose body stands there several times
/// takes one for each.
const MOST_STEPS: i64 = 64;
/// Products under way beside which copies need no barrier. With two, products that share an operand have 0.97 of their speed without it (three launches, and
/// one level); with one or none 150 launches are 1.01 times as fast in the mean.
const MOST_PRODUCTS: i64 = 1;

/// The copies into a ring in the body of a loop, and what the iteration reads of it, as far as it is known that these are different buffers.
pub(crate) struct RingUses<'c> {
    /// The ring.
    pub(crate) alloc: Op<'c>,
    /// Copies by threads, with known places.
    pub(crate) copies: Vec<Op<'c>>,
    /// Views of buffers that are only read, with known places.
    pub(crate) reads: Vec<Value<'c>>,
    /// For so many iterations, the one that reads among them, none of these copies fills what was read. At least one.
    pub(crate) iterations: i64,
    /// Nothing else accesses the ring in the loop.
    pub(crate) are_all: bool,
}

/// The rings that copies by threads in the body of a loop fill.
pub(crate) fn ring_uses(view: ForOp<'_>) -> Vec<RingUses<'_>> {
    let ops = view.body().ops();
    if products_under_way(&ops) > MOST_PRODUCTS {
        return Vec::new();
    }
    let mut seen = FxHashSet::default();
    let copies = ops.into_iter().filter(is_copy);
    let buffers = copies.filter_map(|copy| copy.operand(1).defining_op()).filter(is_buffer);
    let rings = buffers.filter_map(|buffer| buffer.operand(0).defining_op());
    let rings = rings.filter(|alloc| alloc.kind() == OpKind::TtgLocalAlloc && seen.insert(alloc.id()));
    rings.filter_map(|alloc| RingUses::of(view, alloc)).collect()
}

/// Products that the body, whose operations these are, has started and not waited for when its first copy starts.
fn products_under_way(ops: &[Op<'_>]) -> i64 {
    let mut under_way = 0;
    for op in ops.iter().take_while(|op| !is_copy(op)) {
        if WarpGroupDotOp::cast(*op).is_some_and(|dot| dot.is_async()) {
            under_way += 1;
        } else if op.kind() == OpKind::TtngWarpGroupDotWait {
            under_way = under_way.min(op.int_attr("pendings").unwrap_or(0));
        }
    }
    under_way
}

fn is_copy(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TtgAsyncCopyGlobalToLocal
}

/// One buffer of a ring, by its number.
fn is_buffer(op: &Op<'_>) -> bool {
    op.kind() == OpKind::TtgMemDescIndex
}

/// A buffer that the body reads.
struct ReadBuffer<'c> {
    views: Vec<Value<'c>>,
    place: Place,
}

impl<'c> RingUses<'c> {
    /// `None` where nothing is known to be apart.
    fn of(view: ForOp<'c>, alloc: Op<'c>) -> Option<Self> {
        let buffers = *alloc.result(0).ty().shape().first()?;
        let (mut copies, mut filled, mut read) = (Vec::new(), Vec::new(), Vec::new());
        let mut are_all = true;
        for (user, _) in alloc.result(0).users() {
            if !view.op.contains(user) {
                are_all &= is_buffer(&user) || user.kind() == OpKind::TtgLocalDealloc;
                continue;
            }
            let is_in_body = is_buffer(&user) && user.block() == Some(view.body());
            let place = is_in_body.then(|| Place::of(user.operand(1), view, buffers)).flatten();
            match (place, copies_into(view, user), views_of_iteration(view, user)) {
                (Some(place), Some(into), _) => {
                    copies.extend(into);
                    filled.push(place);
                }
                (Some(place), None, Some(views)) => read.push(ReadBuffer { views, place }),
                (Some(_), None, None) | (None, _, _) => are_all = false,
            }
        }
        let known = read.len();
        let apart = |buffer: ReadBuffer<'c>| {
            let iterations = filled.iter().map(|place| buffer.place.iterations_before(place, buffers)).min()?;
            (iterations > 0).then_some((buffer.views, iterations))
        };
        let apart: Vec<(Vec<Value<'c>>, i64)> = read.into_iter().filter_map(apart).collect();
        are_all &= apart.len() == known;
        let iterations = apart.iter().map(|(_, iterations)| *iterations).min()?;
        let reads = apart.into_iter().flat_map(|(views, _)| views).collect();
        Some(Self { alloc, copies, reads, iterations, are_all })
    }
}

/// The copies into a buffer, if nothing but copies of the body uses it.
fn copies_into<'c>(view: ForOp<'c>, buffer: Op<'c>) -> Option<Vec<Op<'c>>> {
    let users = buffer.results().into_iter().flat_map(Value::users);
    let fills = |(user, operand): (Op<'c>, usize)| {
        (is_copy(&user) && operand == 1 && user.block() == Some(view.body())).then_some(user)
    };
    users.map(fills).collect::<Option<Vec<_>>>().filter(|copies| !copies.is_empty())
}

/// A buffer and its views, if nothing but the iteration knows them, and nobody writes there.
fn views_of_iteration<'c>(view: ForOp<'c>, buffer: Op<'c>) -> Option<Vec<Value<'c>>> {
    let views = buffer.results().into_iter().flat_map(views_of).collect::<Vec<_>>();
    let is_inside = |value: &Value<'c>| {
        let made = value.defining_op();
        made.is_some_and(|op| view.op.contains(op) && op.kind() != OpKind::ArithSelect && op.num_regions() == 0)
    };
    let is_read =
        |value: &Value<'c>| value.users().into_iter().all(|(user, _)| shared_memory(user.kind()).only_reads());
    views.iter().all(|value| is_inside(value) && is_read(value)).then_some(views)
}

/// A number of a buffer, as steps round the ring.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// Steps behind buffer 0 in the first iteration, besides those of earlier loops.
    steps: i64,
    /// Steps in each iteration.
    each: i64,
    /// Loops that the count went through before.
    earlier: Vec<EarlierLoop>,
}

/// A loop that a count went through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EarlierLoop {
    id: usize,
    /// Steps in each of its iterations.
    each: i64,
}

impl Place {
    fn of<'c>(number: Value<'c>, view: ForOp<'c>, buffers: i64) -> Option<Self> {
        let (begin, steps) = steps_before(number, buffers)?;
        match view.iter_args().iter().position(|argument| *argument == begin) {
            Some(index) => {
                let each = steps_of_iteration(view, index, buffers)?;
                let before = Self::unchanged(*view.init_args().get(index)?, view, buffers)?;
                Some(Self { steps: before.steps + steps, each, earlier: before.earlier })
            }
            None => Self::unchanged(number, view, buffers),
        }
    }

    /// The place of a number that does not change in a loop: a constant, or what an earlier loop has counted to.
    fn unchanged<'c>(number: Value<'c>, in_loop: ForOp<'c>, buffers: i64) -> Option<Self> {
        let (begin, steps) = steps_before(number, buffers)?;
        if let Some(constant) = begin.constant_int() {
            // The number before the first one steps to 0, as that of the last buffer does.
            let is_in_ring = (-1..buffers).contains(&constant);
            return is_in_ring.then(|| Self { steps: constant + steps, each: 0, earlier: Vec::new() });
        }
        let view = ForOp::cast(begin.defining_op()?).filter(|view| !in_loop.op.contains(view.op))?;
        let index = begin.result_number();
        let each = steps_of_iteration(view, index, buffers)?;
        let mut place = Self::unchanged(*view.init_args().get(index)?, in_loop, buffers)?;
        place.earlier.push(EarlierLoop { id: view.op.id(), each });
        place.steps += steps;
        Some(place)
    }

    /// After how many iterations the buffer that is read here is the one at `filled`; zero where that is not known.
    fn iterations_before(&self, filled: &Self, buffers: i64) -> i64 {
        if self.each != filled.each || self.earlier != filled.earlier {
            return 0;
        }
        let meets = |later: &i64| (filled.steps - self.steps + later * filled.each).rem_euclid(buffers) == 0;
        // Where it never is, as many as there are buffers is long enough.
        (0..buffers).find(meets).unwrap_or(buffers)
    }
}

/// How far carried value `index` of a loop goes round the ring in an iteration.
fn steps_of_iteration(view: ForOp<'_>, index: usize, buffers: i64) -> Option<i64> {
    let (begin, steps) = steps_before(*view.yielded().get(index)?, buffers)?;
    (view.iter_args().get(index) == Some(&begin)).then_some(steps)
}

/// The number that `number` is steps behind, and how many.
fn steps_before(number: Value<'_>, buffers: i64) -> Option<(Value<'_>, i64)> {
    let mut begin = number;
    let mut steps = 0;
    while let Some(before) = number_before(begin, buffers) {
        begin = before;
        steps += 1;
        if steps > MOST_STEPS {
            return None;
        }
    }
    Some((begin, steps))
}

/// `next` is one more than this number, or the first one behind the last of `buffers`.
fn number_before(next: Value<'_>, buffers: i64) -> Option<Value<'_>> {
    let is_constant = |value: Value<'_>, wanted: i64| value.constant_int() == Some(wanted);
    let choice = next.defining_op().filter(|op| op.kind() == OpKind::ArithSelect)?;
    let comparison = choice.operand(0).defining_op().filter(|op| op.kind() == OpKind::ArithCmpI)?;
    let sum = choice.operand(2).defining_op().filter(|op| op.kind() == OpKind::ArithAddI)?;
    let is_end = comparison.int_attr("predicate").and_then(CmpI::from_number) == Some(CmpI::Sge)
        && comparison.operand(0) == sum.result(0)
        && is_constant(comparison.operand(1), buffers);
    (is_end && is_constant(choice.operand(1), 0) && is_constant(sum.operand(1), 1)).then(|| sum.operand(0))
}
