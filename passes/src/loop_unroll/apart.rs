//! Whether what a loop stores lies apart from what its later iterations load, or store by other operations.
//!
//! Programs pass one tensor for two parameters, and two parts of one, so parameters alone do not tell. Where both addresses move by a number in each
//! iteration, their first ones, that number and the number of iterations say before the loop which memory each of them reaches.
//!
//! A loop that stores where it loaded, and moves on by more than it stores, needs no comparison: both addresses are a known distance apart.
//!
//! Stores are compared with each other where those of several iterations fill each other's gaps ([`pairs_of_stores`]), and all accesses with all stores where
//! iterations run in another order ([`pairs_of_any_order`]).
//!
//! How far a block reaches may be a number of the run, too: `range * stride` of a column reaches as far as the last element times the stride, up from the
//! first one or down. What is known of the widths of such numbers has to say that the sums of 64 bits do not wrap around ([`MOST_EXTENT`]).
//!
//! 1. How each address moves ([`Moved::of`]).  2. What is known of a pair ([`Pair::is_known_apart`]).  3. A number that says, before the loop, whether all
//!    other pairs lie apart ([`are_apart`]).

use crate::analysis::axis_flow::unit_of;
use crate::operations::computations::{Computation, computation};
use tk_ir::ops::{CmpI, ForOp, LoadOp, MakeRangeOp, StoreOp};
use tk_ir::{Builder, Op, OpKind, Value};

/// How deep the arithmetic of an address may be nested.
const MOST_DEPTH: u32 = 16;
/// Loads and stores of a loop that are compared, at most, and as many stores with each other.
const MOST_PAIRS: usize = 12;
/// How far the elements of a block are from each other, at most: with an address, and the way that a loop goes, that stays in 64 bits.
const MOST_EXTENT: i64 = 1 << 60;
/// Bits of a number with which extents are multiplied, at most.
const MOST_BITS: u32 = 32;

/// A number before the loop, in 64 bits.
#[derive(Clone, Debug, PartialEq)]
enum Sum<'c> {
    Known(i64),
    Value(Value<'c>),
    Plus(Box<[Sum<'c>; 2]>),
    Times(Box<[Sum<'c>; 2]>),
    /// The number where it is negative, zero elsewhere.
    Negative(Box<Sum<'c>>),
    /// The number without its sign.
    Magnitude(Box<Sum<'c>>),
}

impl<'c> Sum<'c> {
    fn of(value: Value<'c>) -> Self {
        value.constant_int().map_or(Sum::Value(value), Sum::Known)
    }

    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Sum::Known(left), Sum::Known(right)) => Sum::Known(left.wrapping_add(right)),
            (Sum::Known(0), sum) | (sum, Sum::Known(0)) => sum,
            (left, right) => Sum::Plus(Box::new([left, right])),
        }
    }

    fn times(self, other: Self) -> Self {
        match (self, other) {
            (Sum::Known(left), Sum::Known(right)) => Sum::Known(left.wrapping_mul(right)),
            (Sum::Known(0), _) | (_, Sum::Known(0)) => Sum::Known(0),
            (Sum::Known(1), sum) | (sum, Sum::Known(1)) => sum,
            (left, right) => Sum::Times(Box::new([left, right])),
        }
    }

    fn negative(self) -> Self {
        match self {
            Sum::Known(number) => Sum::Known(number.min(0)),
            Sum::Magnitude(_) => Sum::Known(0),
            sum @ (Sum::Value(_) | Sum::Plus(_) | Sum::Times(_) | Sum::Negative(_)) => Sum::Negative(Box::new(sum)),
        }
    }

    fn magnitude(self) -> Self {
        match self {
            Sum::Known(number) => Sum::Known(number.saturating_abs()),
            sum @ Sum::Magnitude(_) => sum,
            sum @ (Sum::Value(_) | Sum::Plus(_) | Sum::Times(_) | Sum::Negative(_)) => Sum::Magnitude(Box::new(sum)),
        }
    }

    /// How far from zero it is at most, by the widths of the numbers that it is made of; `None` where these say nothing.
    fn most(&self) -> Option<i64> {
        match self {
            Sum::Known(number) => number.checked_abs(),
            Sum::Value(value) => most_of(*value),
            Sum::Plus(both) => both[0].most()?.checked_add(both[1].most()?),
            Sum::Times(both) => both[0].most()?.checked_mul(both[1].most()?),
            Sum::Negative(sum) | Sum::Magnitude(sum) => sum.most(),
        }
    }

    /// `self - other`, where it is known.
    fn distance_from(&self, other: &Self) -> Option<i64> {
        let (mut terms, mut number) = (Vec::new(), 0_i64);
        self.add_to(1, &mut terms, &mut number)?;
        other.add_to(-1, &mut terms, &mut number)?;
        terms.iter().all(|(_, factor)| *factor == 0).then_some(number)
    }

    /// Adds `factor` times the sum to a sum of terms and a number.
    fn add_to<'s>(&'s self, factor: i64, terms: &mut Vec<(&'s Self, i64)>, number: &mut i64) -> Option<()> {
        match self {
            Sum::Known(known) => *number = number.checked_add(known.checked_mul(factor)?)?,
            Sum::Plus(both) => both.iter().try_for_each(|part| part.add_to(factor, terms, number))?,
            Sum::Times(both) => match &**both {
                [Sum::Known(known), sum] | [sum, Sum::Known(known)] => {
                    sum.add_to(factor.checked_mul(*known)?, terms, number)?;
                }
                [_, _] => self.add_term(factor, terms)?,
            },
            Sum::Value(_) | Sum::Negative(_) | Sum::Magnitude(_) => self.add_term(factor, terms)?,
        }
        Some(())
    }

    fn add_term<'s>(&'s self, factor: i64, terms: &mut Vec<(&'s Self, i64)>) -> Option<()> {
        match terms.iter_mut().find(|(term, _)| *term == self) {
            Some((_, known)) => *known = known.checked_add(factor)?,
            None => terms.push((self, factor)),
        }
        Some(())
    }

    fn write(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let wide = builder.context().i(64);
        match self {
            Sum::Known(number) => builder.int(wide, *number),
            Sum::Value(value) if value.ty() == wide => *value,
            Sum::Value(value) => builder.cast(OpKind::ArithExtSI, *value, wide),
            Sum::Plus(both) => write_both(builder, OpKind::ArithAddI, both),
            Sum::Times(both) => write_both(builder, OpKind::ArithMulI, both),
            Sum::Negative(sum) => {
                let number = sum.write(builder);
                let zero = builder.int(wide, 0);
                builder.binary(OpKind::ArithMinSI, number, zero)
            }
            Sum::Magnitude(sum) => {
                let number = sum.write(builder);
                let zero = builder.int(wide, 0);
                let turned = builder.binary(OpKind::ArithSubI, zero, number);
                builder.binary(OpKind::ArithMaxSI, number, turned)
            }
        }
    }
}

/// How far from zero a number is at most; `None` for one of many bits.
fn most_of(value: Value<'_>) -> Option<i64> {
    let extended = value.defining_op().filter(|op| op.kind() == OpKind::ArithExtSI);
    let bits = extended.map_or(value, |op| op.operand(0)).ty().int_bits()?;
    (1..=MOST_BITS).contains(&bits).then(|| 1_i64 << (bits - 1))
}

fn write_both<'c>(builder: &mut Builder<'c>, kind: OpKind, both: &[Sum<'c>; 2]) -> Value<'c> {
    let [left, right] = [both[0].write(builder), both[1].write(builder)];
    builder.binary(kind, left, right)
}

/// A number or a tensor of numbers that all iterations move by the same. Arithmetic is taken not to wrap around, as in all of the analysis of addresses.
#[derive(Clone, Debug, PartialEq)]
struct Moved<'c> {
    /// The least element in the first iteration.
    first: Sum<'c>,
    /// What an iteration adds.
    step: Sum<'c>,
    /// How far the greatest element is from the least: not negative, and at most [`MOST_EXTENT`].
    extent: Sum<'c>,
}

impl<'c> Moved<'c> {
    const fn fixed(first: Sum<'c>) -> Self {
        Self { first, step: Sum::Known(0), extent: Sum::Known(0) }
    }

    /// Of the first `most` elements. `None` where an iteration moves it otherwise, or its elements are not known to be near.
    fn of(value: Value<'c>, view: ForOp<'c>, most: i64, depth: u32) -> Option<Self> {
        if let Some(number) = value.constant_int() {
            return Some(Self::fixed(Sum::Known(number)));
        }
        if value == view.induction_var() {
            let step = Sum::of(view.step());
            return Some(Self { step, ..Self::fixed(Sum::of(view.lower_bound())) });
        }
        let is_number = !value.ty().is_tensor();
        if is_number && value.dominates(view.op) {
            return Some(Self::fixed(Sum::Value(value)));
        }
        let op = value.defining_op().filter(|_| depth < MOST_DEPTH)?;
        if let Some(range) = MakeRangeOp::cast(op) {
            let length = (range.end() - range.start()).min(most);
            return Some(Self { extent: Sum::Known(length - 1), ..Self::fixed(Sum::Known(range.start())) });
        }
        let operand = |at: usize| Self::of(op.operand(at), view, most, depth + 1);
        let kind = op.kind();
        if kind == OpKind::ArithAddI {
            operand(0)?.plus(operand(1)?)
        } else if kind == OpKind::ArithSubI {
            operand(0)?.plus(operand(1)?.times(Self::fixed(Sum::Known(-1)))?)
        } else if kind == OpKind::ArithMulI {
            operand(0)?.times(operand(1)?)
        } else if matches!(kind, OpKind::ArithExtSI | OpKind::TtgConvertLayout)
            || computation(kind) == Computation::Repeat
        {
            operand(0)
        } else {
            None
        }
    }

    fn plus(self, other: Self) -> Option<Self> {
        let most = self.extent.most()?.checked_add(other.extent.most()?)?;
        (most <= MOST_EXTENT).then(|| Self {
            first: self.first.plus(other.first),
            step: self.step.plus(other.step),
            extent: self.extent.plus(other.extent),
        })
    }

    fn times(self, other: Self) -> Option<Self> {
        let (moved, factor) = if other.is_fixed() { (self, other.first) } else { (other, self.fixed_number()?) };
        let Self { first, step, extent } = moved;
        let (first, step) = (first.times(factor.clone()), step.times(factor.clone()));
        if extent == Sum::Known(0) {
            return Some(Self { first, step, extent });
        }
        let most = extent.most()?.checked_mul(factor.most()?)?;
        if most > MOST_EXTENT {
            return None;
        }
        // What was the greatest element is the least one behind a negative factor.
        let first = first.plus(extent.clone().times(factor.clone().negative()));
        Some(Self { first, step, extent: extent.times(factor.magnitude()) })
    }

    fn is_fixed(&self) -> bool {
        self.step == Sum::Known(0) && self.extent == Sum::Known(0)
    }

    fn fixed_number(self) -> Option<Sum<'c>> {
        self.is_fixed().then_some(self.first)
    }
}

/// The addresses of an access.
#[derive(Clone, Debug, PartialEq)]
struct Reach<'c> {
    /// A pointer before the loop.
    base: Value<'c>,
    /// Bytes from there to the first byte; its extent goes to the first byte behind the last one.
    bytes: Moved<'c>,
}

impl<'c> Reach<'c> {
    /// Of a load or store in the body.
    fn of_access(op: Op<'c>, view: ForOp<'c>) -> Option<Self> {
        Self::of(op.operand(0), most_of_access(op), view)
    }

    /// Of the first `most` elements.
    fn of(pointer: Value<'c>, most: i64, view: ForOp<'c>) -> Option<Self> {
        let unit = i64::try_from(unit_of(pointer.ty())).ok()?;
        let mut bytes = Moved { extent: Sum::Known(unit), ..Moved::fixed(Sum::Known(0)) };
        let mut pointer = pointer;
        for _ in 0..MOST_DEPTH {
            if !pointer.ty().is_tensor() && pointer.dominates(view.op) {
                return Some(Self { base: pointer, bytes });
            }
            if let Some(at) = view.iter_args().iter().position(|argument| *argument == pointer) {
                let next = view.yielded()[at].defining_op().filter(|op| op.kind() == OpKind::TtAddPtr)?;
                let step = Moved::of(next.operand(1), view, most, 0).filter(|_| next.operand(0) == pointer)?;
                let step = step.times(Moved::fixed(Sum::Known(unit)))?.fixed_number()?;
                bytes = bytes.plus(Moved { step, ..Moved::fixed(Sum::Known(0)) })?;
                pointer = view.init_args()[at];
                continue;
            }
            let op = pointer.defining_op()?;
            if op.kind() == OpKind::TtAddPtr {
                let offset = Moved::of(op.operand(1), view, most, 0)?;
                bytes = bytes.plus(offset.times(Moved::fixed(Sum::Known(unit)))?)?;
            } else if op.kind() != OpKind::TtgConvertLayout && computation(op.kind()) != Computation::Repeat {
                return None;
            }
            pointer = op.operand(0);
        }
        None
    }

    /// That of both, as one: they start from one pointer, a known distance apart that stays, and reach as far as numbers say.
    fn joined(&self, other: &Self) -> Option<Self> {
        let is_alike = self.base == other.base && self.bytes.step == other.bytes.step;
        let (Sum::Known(own), Sum::Known(others)) = (&self.bytes.extent, &other.bytes.extent) else { return None };
        let behind = other.bytes.first.distance_from(&self.bytes.first).filter(|_| is_alike)?;
        let end = behind.checked_add(*others)?.max(*own);
        let first = if behind < 0 { &other.bytes.first } else { &self.bytes.first };
        let extent = Sum::Known(end.checked_sub(behind.min(0))?);
        let bytes = Moved { first: first.clone(), step: self.bytes.step.clone(), extent };
        Some(Self { base: self.base, bytes })
    }

    /// The elements of `store`, whose reach it is, leave gaps, and the next iteration fills part of them: neighbors are an even number of elements apart,
    /// as those of a wide access have to be.
    fn is_filled_by_next(&self, store: Op<'c>) -> bool {
        let ty = store.operand(0).ty();
        let unit = unit_of(ty) as i64;
        let elements = if ty.is_tensor() { ty.num_elements().min(most_of_access(store)) } else { 1 };
        let Sum::Known(extent) = &self.bytes.extent else { return false };
        let way = extent.saturating_sub(unit);
        let steps_by_one = matches!(self.bytes.step, Sum::Known(step) if step.saturating_abs() == unit);
        steps_by_one && way >= (elements - 1).saturating_mul(2 * unit) && way % (2 * unit) == 0
    }

    /// The first byte that any iteration reaches, and the first one behind all of them.
    fn write(&self, builder: &mut Builder<'c>, before_last: Value<'c>) -> [Value<'c>; 2] {
        let wide = builder.context().i(64);
        let base = builder.cast(OpKind::TtPtrToInt, self.base, wide);
        let offset = self.bytes.first.write(builder);
        let first = builder.binary(OpKind::ArithAddI, base, offset);
        let step = self.bytes.step.write(builder);
        let way = builder.binary(OpKind::ArithMulI, step, before_last);
        let last = builder.binary(OpKind::ArithAddI, first, way);
        let low = builder.binary(OpKind::ArithMinSI, first, last);
        let high = builder.binary(OpKind::ArithMaxSI, first, last);
        let extent = self.bytes.extent.write(builder);
        [low, builder.binary(OpKind::ArithAddI, high, extent)]
    }
}

/// Elements that a load or store accesses at most, from its first one on.
fn most_of_access(op: Op<'_>) -> i64 {
    let mask = LoadOp::cast(op).map_or_else(|| StoreOp::cast(op)?.mask(), |load| load.mask());
    most_elements(op.operand(0), mask)
}

/// Elements of a vector that a mask lets through at most: those before a number. All of any other mask or tensor.
fn most_elements(pointer: Value<'_>, mask: Option<Value<'_>>) -> i64 {
    let is_vector = pointer.ty().is_tensor() && pointer.ty().rank() == 1;
    let Some(op) = mask.and_then(Value::defining_op).filter(|_| is_vector) else { return i64::MAX };
    if op.kind() == OpKind::ArithAndI {
        return op.operands().into_iter().map(|part| most_elements(pointer, Some(part))).min().unwrap_or(i64::MAX);
    }
    let is_below =
        op.kind() == OpKind::ArithCmpI && op.int_attr("predicate").and_then(CmpI::from_number) == Some(CmpI::Slt);
    let range = || op.operand(0).defining_op().and_then(MakeRangeOp::cast);
    let number = || op.operand(1).constant_int();
    match (is_below.then(range).flatten(), is_below.then(number).flatten()) {
        (Some(range), Some(end)) => end.saturating_sub(range.start()).max(1),
        (Some(_) | None, Some(_) | None) => i64::MAX,
    }
}

/// A store and an access before it in the body, a load or another store, that are compared before the loop runs: the access of an iteration is to go before
/// the stores of earlier ones.
pub(crate) struct Pair<'c> {
    access: Reach<'c>,
    store: Reach<'c>,
}

/// What has to be compared so that all loads of `ops`, those of an iteration, may go before the stores; `None` where it cannot be.
pub(crate) fn pairs<'c>(view: ForOp<'c>, ops: &[Op<'c>]) -> Option<Vec<Pair<'c>>> {
    // The bounds of a loop that counts without signs are no numbers with signs.
    if view.unsigned_cmp() {
        return None;
    }
    // A load in a branch would move with the branch, and is not compared.
    let loads_in_branch = |op: &Op<'c>| op.descendants().iter().skip(1).any(|inner| inner.kind() == OpKind::TtLoad);
    if ops.iter().any(loads_in_branch) {
        return None;
    }
    let is = |kind| move |op: &&Op<'c>| op.kind() == kind;
    let first_store = ops.iter().position(|op| op.kind() == OpKind::TtStore)?;
    if ops[first_store..].iter().any(|op| op.kind() == OpKind::TtLoad) {
        return None;
    }
    let loads: Vec<Op<'c>> = ops.iter().filter(is(OpKind::TtLoad)).copied().collect();
    let stores: Vec<Op<'c>> = ops.iter().filter(is(OpKind::TtStore)).copied().collect();
    if loads.len() * stores.len() > MOST_PAIRS {
        return None;
    }
    let reach = |op: &Op<'c>| Reach::of_access(*op, view);
    let loads: Vec<Reach<'c>> = loads.iter().map(reach).collect::<Option<_>>()?;
    let stores: Vec<Reach<'c>> = stores.iter().map(reach).collect::<Option<_>>()?;
    Some(
        loads
            .iter()
            .flat_map(|load| stores.iter().map(|store| Pair { access: load.clone(), store: store.clone() }))
            .collect(),
    )
}

/// What has to be compared so that, behind all loads, the stores of one operation of the body in all copies may go before those of the next operation.
/// `None` where they gain nothing by it, or cannot be compared, as those of one tensor that are a known distance apart and not known to lie apart.
pub(super) fn pairs_of_stores<'c>(view: ForOp<'c>, ops: &[Op<'c>]) -> Option<Vec<Pair<'c>>> {
    let stores: Vec<Op<'c>> = ops.iter().copied().filter(|op| op.kind() == OpKind::TtStore).collect();
    if stores.len() < 2 || stores.len() * (stores.len() - 1) / 2 > MOST_PAIRS {
        return None;
    }
    let written: Vec<Reach<'c>> = stores.iter().map(|store| Reach::of_access(*store, view)).collect::<Option<_>>()?;
    if !stores.iter().zip(&written).any(|(store, reach)| reach.is_filled_by_next(*store)) {
        return None;
    }
    let all = written.iter().enumerate().flat_map(|(at, access)| {
        let behind = &written[at + 1..];
        behind.iter().map(|store| Pair { access: access.clone(), store: store.clone() })
    });
    let pairs: Vec<Pair<'c>> = all.filter(|pair| !pair.is_known_apart()).collect();
    pairs.iter().all(|pair| pair.distance().is_none()).then_some(pairs)
}

/// What has to be compared so that the iterations may run in any order, each as it is written: none accesses what another one stores. `None` where it cannot
/// be, or is known not to be so. Accesses of copies of the body that lie side by side count as one.
pub(crate) fn pairs_of_any_order<'c>(view: ForOp<'c>, ops: &[Op<'c>]) -> Option<Vec<Pair<'c>>> {
    if view.unsigned_cmp() {
        return None;
    }
    let loads = joined_reaches(view, ops, OpKind::TtLoad)?;
    let stores = joined_reaches(view, ops, OpKind::TtStore)?;
    let of_store = |(at, store)| loads.iter().chain(&stores[at..]).map(move |access| (access, store));
    let all: Vec<(&Reach<'c>, &Reach<'c>)> = stores.iter().enumerate().flat_map(of_store).collect();
    if all.len() > MOST_PAIRS {
        return None;
    }
    let both_ways = all.into_iter().flat_map(|(access, store)| [(access, store), (store, access)]);
    let pairs = both_ways.map(|(access, store)| Pair { access: access.clone(), store: store.clone() });
    let pairs: Vec<Pair<'c>> = pairs.filter(|pair| !pair.is_known_apart()).collect();
    pairs.iter().all(|pair| pair.distance().is_none()).then_some(pairs)
}

/// What the operations of this kind reach.
fn joined_reaches<'c>(view: ForOp<'c>, ops: &[Op<'c>], kind: OpKind) -> Option<Vec<Reach<'c>>> {
    let mut found: Vec<Reach<'c>> = Vec::new();
    for op in ops.iter().filter(|op| op.kind() == kind) {
        let reach = Reach::of_access(*op, view)?;
        let joined = found.iter().enumerate().find_map(|(at, known)| Some((at, known.joined(&reach)?)));
        match joined {
            Some((at, both)) => found[at] = both,
            None => found.push(reach),
        }
    }
    Some(found)
}

/// Writes, before the loop, whether no iteration of `steps` stores what a later one accesses.
pub(crate) fn are_apart<'c>(pairs: &[Pair<'c>], steps: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    let wide = builder.context().i(64);
    let steps = if steps.ty() == wide { steps } else { builder.cast(OpKind::ArithExtUI, steps, wide) };
    let one = builder.int(wide, 1);
    let before_last = builder.binary(OpKind::ArithSubI, steps, one);
    let mut all = builder.bool(true);
    for pair in pairs {
        let is_apart = pair.write(builder, before_last);
        all = builder.binary(OpKind::ArithAndI, all, is_apart);
    }
    all
}

impl<'c> Pair<'c> {
    fn write(&self, builder: &mut Builder<'c>, before_last: Value<'c>) -> Value<'c> {
        let [low, high] = self.access.write(builder, before_last);
        let [low_stored, high_stored] = self.store.write(builder, before_last);
        let is_before = builder.cmpi(CmpI::Sle, high, low_stored);
        let is_behind = builder.cmpi(CmpI::Sle, high_stored, low);
        let is_apart = builder.binary(OpKind::ArithOrI, is_before, is_behind);
        if self.access.bytes.step != self.store.bytes.step {
            return is_apart;
        }
        // The distance of both stays, and each iteration moves on from what the one before stored: up to behind it, or down to before it.
        let wide = builder.context().i(64);
        let step = self.access.bytes.step.write(builder);
        let distance = builder.binary(OpKind::ArithSubI, low, low_stored);
        let next = builder.binary(OpKind::ArithAddI, distance, step);
        let stored = self.store.bytes.extent.write(builder);
        let is_next_behind = builder.cmpi(CmpI::Sge, next, stored);
        let before = self.access.bytes.extent.clone().times(Sum::Known(-1)).write(builder);
        let is_next_before = builder.cmpi(CmpI::Sle, next, before);
        let zero = builder.int(wide, 0);
        let goes_up = builder.cmpi(CmpI::Sgt, step, zero);
        let moves_on = builder.select(goes_up, is_next_behind, is_next_before);
        builder.binary(OpKind::ArithOrI, is_apart, moves_on)
    }

    /// Both start from one pointer, a known distance apart that stays, and an iteration moves on from what the one before stored.
    pub(super) fn is_known_apart(&self) -> bool {
        let (Some(distance), Sum::Known(step)) = (self.distance(), &self.access.bytes.step) else { return false };
        if self.store.bytes.step != Sum::Known(*step) {
            return false;
        }
        let next = distance.saturating_add(*step);
        if *step > 0 {
            matches!(self.store.bytes.extent, Sum::Known(stored) if next >= stored)
        } else {
            matches!(self.access.bytes.extent, Sum::Known(accessed) if next.saturating_add(accessed) <= 0)
        }
    }

    /// How many bytes the access is behind the store in the first iteration, where both start from one pointer and that is known.
    fn distance(&self) -> Option<i64> {
        let is_of_one = self.access.base == self.store.base;
        is_of_one.then(|| self.access.bytes.first.distance_from(&self.store.bytes.first)).flatten()
    }
}
