//! Whether what a loop stores lies apart from what its later iterations load.
//!
//! Programs pass one tensor for two parameters, and two parts of one, so parameters alone do not tell. Where both addresses move by a number in each
//! iteration, their first ones, that number and the number of iterations say before the loop which memory each of them reaches.
//!
//! 1. How each address moves ([`Moved::of`]).  2. A number that says, before the loop, whether all stores lie apart from all loads ([`are_apart`]).

use crate::analysis::axis_flow::unit_of;
use crate::operations::computations::{Computation, computation};
use tk_ir::ops::{CmpI, ForOp, MakeRangeOp};
use tk_ir::{Builder, Op, OpKind, Value};

/// How deep the arithmetic of an address may be nested.
const MOST_DEPTH: u32 = 16;
/// Loads and stores of a loop that are compared, at most.
const MOST_PAIRS: usize = 12;

/// A number before the loop, in 64 bits.
#[derive(Clone, Debug, PartialEq)]
enum Sum<'c> {
    Known(i64),
    Value(Value<'c>),
    Plus(Box<[Sum<'c>; 2]>),
    Times(Box<[Sum<'c>; 2]>),
}

impl<'c> Sum<'c> {
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

    fn write(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let wide = builder.context().i(64);
        match self {
            Sum::Known(number) => builder.int(wide, *number),
            Sum::Value(value) if value.ty() == wide => *value,
            Sum::Value(value) => builder.cast(OpKind::ArithExtSI, *value, wide),
            Sum::Plus(both) => write_both(builder, OpKind::ArithAddI, both),
            Sum::Times(both) => write_both(builder, OpKind::ArithMulI, both),
        }
    }
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
    /// How far the greatest element is from the least.
    extent: i64,
}

impl<'c> Moved<'c> {
    const fn fixed(first: Sum<'c>) -> Self {
        Self { first, step: Sum::Known(0), extent: 0 }
    }

    /// `None` where an iteration moves it otherwise, or its elements are not known to be near.
    fn of(value: Value<'c>, view: ForOp<'c>, depth: u32) -> Option<Self> {
        if let Some(number) = value.constant_int() {
            return Some(Self::fixed(Sum::Known(number)));
        }
        if value == view.induction_var() {
            return Some(Self { first: Sum::Value(view.lower_bound()), step: Sum::Value(view.step()), extent: 0 });
        }
        let is_number = !value.ty().is_tensor();
        if is_number && value.dominates(view.op) {
            return Some(Self::fixed(Sum::Value(value)));
        }
        let op = value.defining_op().filter(|_| depth < MOST_DEPTH)?;
        if let Some(range) = MakeRangeOp::cast(op) {
            return Some(Self { extent: range.end() - range.start() - 1, ..Self::fixed(Sum::Known(range.start())) });
        }
        let operand = |at: usize| Self::of(op.operand(at), view, depth + 1);
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
        let extent = self.extent.checked_add(other.extent)?;
        Some(Self { first: self.first.plus(other.first), step: self.step.plus(other.step), extent })
    }

    fn times(self, other: Self) -> Option<Self> {
        let is_fixed = |moved: &Self| moved.step == Sum::Known(0) && moved.extent == 0;
        let (moved, factor) =
            if is_fixed(&other) { (self, other.first) } else { (other, self.clone().fixed_number()?) };
        let extent = match (&factor, moved.extent) {
            (_, 0) => 0,
            (Sum::Known(factor @ 0..), extent) => extent.checked_mul(*factor)?,
            _ => return None,
        };
        Some(Self { first: moved.first.times(factor.clone()), step: moved.step.times(factor), extent })
    }

    fn fixed_number(self) -> Option<Sum<'c>> {
        (self.step == Sum::Known(0) && self.extent == 0).then_some(self.first)
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
    fn of(pointer: Value<'c>, view: ForOp<'c>) -> Option<Self> {
        let unit = i64::try_from(unit_of(pointer.ty())).ok()?;
        let mut bytes = Moved { extent: unit, ..Moved::fixed(Sum::Known(0)) };
        let mut pointer = pointer;
        for _ in 0..MOST_DEPTH {
            if !pointer.ty().is_tensor() && pointer.dominates(view.op) {
                return Some(Self { base: pointer, bytes });
            }
            if let Some(at) = view.iter_args().iter().position(|argument| *argument == pointer) {
                let next = view.yielded()[at].defining_op().filter(|op| op.kind() == OpKind::TtAddPtr)?;
                let step = Moved::of(next.operand(1), view, 0).filter(|_| next.operand(0) == pointer)?;
                let step = step.times(Moved::fixed(Sum::Known(unit)))?.fixed_number()?;
                bytes = bytes.plus(Moved { first: Sum::Known(0), step, extent: 0 })?;
                pointer = view.init_args()[at];
                continue;
            }
            let op = pointer.defining_op()?;
            if op.kind() == OpKind::TtAddPtr {
                let offset = Moved::of(op.operand(1), view, 0)?;
                bytes = bytes.plus(offset.times(Moved::fixed(Sum::Known(unit)))?)?;
            } else if op.kind() != OpKind::TtgConvertLayout && computation(op.kind()) != Computation::Repeat {
                return None;
            }
            pointer = op.operand(0);
        }
        None
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
        let extent = builder.int(wide, self.bytes.extent);
        [low, builder.binary(OpKind::ArithAddI, high, extent)]
    }
}

/// A store and a load before it in the body that are compared before the loop runs.
pub(crate) struct Pair<'c> {
    load: Reach<'c>,
    store: Reach<'c>,
}

/// What has to be compared; `None` where it cannot be.
pub(super) fn pairs<'c>(view: ForOp<'c>) -> Option<Vec<Pair<'c>>> {
    // The bounds of a loop that counts without signs are no numbers with signs.
    if view.unsigned_cmp() {
        return None;
    }
    let ops = view.body().ops();
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
    let reach = |op: &Op<'c>| Reach::of(op.operand(0), view);
    let loads: Vec<Reach<'c>> = loads.iter().map(reach).collect::<Option<_>>()?;
    let stores: Vec<Reach<'c>> = stores.iter().map(reach).collect::<Option<_>>()?;
    Some(
        loads
            .iter()
            .flat_map(|load| stores.iter().map(|store| Pair { load: load.clone(), store: store.clone() }))
            .collect(),
    )
}

/// Writes, before the loop, whether no iteration of `steps` stores what a later one loads.
pub(super) fn are_apart<'c>(pairs: &[Pair<'c>], steps: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
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
        let [low, high] = self.load.write(builder, before_last);
        let [low_stored, high_stored] = self.store.write(builder, before_last);
        let is_before = builder.cmpi(CmpI::Sle, high, low_stored);
        let is_behind = builder.cmpi(CmpI::Sle, high_stored, low);
        let is_apart = builder.binary(OpKind::ArithOrI, is_before, is_behind);
        if self.load.bytes != self.store.bytes {
            return is_apart;
        }
        // Each iteration stores where it loaded, and the next one is somewhere else.
        let wide = builder.context().i(64);
        let is_same = builder.cmpi(CmpI::Eq, low, low_stored);
        let step = self.load.bytes.step.write(builder);
        let zero = builder.int(wide, 0);
        let back = builder.binary(OpKind::ArithSubI, zero, step);
        let distance = builder.binary(OpKind::ArithMaxSI, step, back);
        let extent = builder.int(wide, self.load.bytes.extent);
        let moves_on = builder.cmpi(CmpI::Sge, distance, extent);
        let is_in_place = builder.binary(OpKind::ArithAndI, is_same, moves_on);
        builder.binary(OpKind::ArithOrI, is_apart, is_in_place)
    }
}
