//! Masks that hold in all iterations of a loop if they hold in the first one.
//!
//! ```text
//! for r in range(rows):                            if start + last < n - rows + 1:    (and no sum wraps around until the end)
//!     x = load(p + r,                                  for r in range(rows): x = load(p + r)
//!              start + r + range < n - rows + r + 1)   →  else:
//!                                                      the loop as it was
//! ```
//!
//! A convolution that leaves the edge out compares a place and the end of the places, and both move by one in each iteration. Then the comparison gives the
//! same in each of them, but is computed again, and all but the blocks at the edge are whole. One test of numbers in front of the loop says so for all threads.
//!
//! A mask is one of these if all of its parts are comparisons between sums of numbers and ranges whose two sides the counter moves by the same multiple, at
//! least one of them by more than nothing. Parts that stand still may be among them: of a mask that stands still altogether the answers are packed into
//! bits once, and taken out by one instruction for seven of them.
//!
//! Numbers have 32 bits, and the test is computed in 64: the greatest elements of both sides, and how far the counter moves them, are less than what an integer
//! holds. Both sides then have in each iteration what they have in the first one and the same more, without wrapping around.

use crate::analysis::AxisFacts;
use crate::cloning::{Mapping, copy_op};
use crate::masked_values::parts_of;
use crate::repeat_comparisons::answers_of;
use crate::widen_whole_blocks::{Difference, Part, without_views};
use tk_ir::ops::{CmpI, ForOp, LoadOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// Bits of the numbers that are compared, and of the counter.
const BITS: u32 = 32;
/// By how much one more of the counter may move what is compared: the test stays far below what 64 bits hold.
const MOST_MOVED: i64 = 1 << 16;
/// Operations between what is compared and the counter.
const MOST_DEPTH: u32 = 16;

/// A loop, and what of it depends on masks that are those of its first iteration.
pub(super) struct LoopOfMasks<'c, 'f> {
    view: ForOp<'c>,
    masks: Vec<Value<'c>>,
    parts: Vec<MovingPart<'c, 'f>>,
}

/// A comparison, and by how much the counter moves both of its sides.
struct MovingPart<'c, 'f> {
    comparison: Op<'c>,
    part: Part<'c, 'f>,
    moved_by: i64,
}

impl<'c, 'f> LoopOfMasks<'c, 'f> {
    /// `None` where no load of the loop has such a mask.
    pub(super) fn of(view: ForOp<'c>, facts: &'f AxisFacts) -> Option<Self> {
        let counts_in_words = is_word(view.induction_var().ty()) && !view.unsigned_cmp();
        if !counts_in_words {
            return None;
        }
        let mut found = Self { view, masks: Vec::new(), parts: Vec::new() };
        for mask in view.body().ops().into_iter().filter_map(|op| LoadOp::cast(op)?.mask()) {
            found.add(mask, facts);
        }
        (!found.masks.is_empty()).then_some(found)
    }

    /// Different answers of the masks that a thread has.
    pub(super) fn answers(&self, facts: &AxisFacts) -> i64 {
        self.masks.iter().map(|mask| answers_of(*mask, facts)).sum()
    }

    /// Takes the mask, if it is one of these.
    fn add(&mut self, mask: Value<'c>, facts: &'f AxisFacts) {
        if !mask.ty().is_tensor() || self.masks.contains(&mask) {
            return;
        }
        let comparisons = parts_of(mask).into_iter().flat_map(|part| parts_of(without_views(part))).map(without_views);
        let parts: Option<Vec<MovingPart<'c, 'f>>> =
            comparisons.map(|answer| MovingPart::of(answer, self.view, facts)).collect();
        let Some(parts) = parts.filter(|parts| parts.iter().any(|part| part.moved_by > 0)) else { return };
        self.masks.push(mask);
        for part in parts {
            if !self.parts.iter().any(|known| known.comparison == part.comparison) {
                self.parts.push(part);
            }
        }
    }

    /// Writes the loop without the masks beside the loop as it is, and the test that chooses one of them.
    pub(super) fn apply(self) {
        let view = self.view;
        let mut builder = Builder::before(view.op);
        let Some(holds) = self.holds(&mut builder) else { return };
        let types: Vec<Type<'c>> = view.results().iter().map(|result| result.ty()).collect();
        let branch = builder.if_op(holds, &types, true);
        let Some(otherwise) = branch.else_block() else { return };
        let mut whole = Builder::at_end(branch.then_block(), view.op.loc());
        let context = view.op.context();
        let always: Vec<Value<'c>> = self
            .masks
            .iter()
            .map(|mask| whole.constant(context.splat_attr(mask.ty(), context.bool_attr(true))))
            .collect();
        let copy = copy_op(view.op, &mut whole, &mut Mapping::default(), |location| location);
        whole.yield_(&copy.results());
        self.write_answers(copy, &always);
        view.results().iter().zip(branch.op.results()).for_each(|(old, new)| old.replace_all_uses_with(new));
        let end = Builder::at_end(otherwise, view.op.loc()).yield_(&view.results());
        view.op.move_before(end);
    }

    /// What is masked in the copy of the loop has these answers instead.
    fn write_answers(&self, copy: Op<'c>, always: &[Value<'c>]) {
        let Some(copied) = ForOp::cast(copy) else { return };
        for (old, new) in self.view.body().ops().into_iter().zip(copied.body().ops()) {
            for (index, operand) in old.operands().into_iter().enumerate() {
                if let Some(at) = self.masks.iter().position(|mask| *mask == operand) {
                    new.set_operand(index, always[at]);
                }
            }
        }
    }

    /// Whether the masks hold everywhere and always.
    fn holds(&self, builder: &mut Builder<'c>) -> Option<Value<'c>> {
        let view = self.view;
        let long = view.op.context().i(64);
        let [lower, upper] = [view.lower_bound(), view.upper_bound()].map(|end| wide(end, long, builder));
        let distance = builder.binary(OpKind::ArithSubI, upper, lower);
        let mut first = FirstIteration { view, known: Mapping::default() };
        first.known.insert(view.induction_var(), view.lower_bound());
        let mut conditions = Vec::new();
        for part in &self.parts {
            let mut here = part.builder(view);
            for condition in part.part.conditions(&mut here)? {
                conditions.push(first.write(condition, builder));
            }
            if part.moved_by == 0 {
                continue;
            }
            let greatest = part.part.greatest(&mut here)?;
            let factor = builder.int(long, part.moved_by);
            let moved = builder.binary(OpKind::ArithMulI, distance, factor);
            let most = builder.int(long, i64::from(i32::MAX));
            for end in greatest {
                let end = first.write(end, builder);
                let end = wide(end, long, builder);
                let last = builder.binary(OpKind::ArithAddI, end, moved);
                conditions.push(builder.cmpi(CmpI::Sle, last, most));
            }
        }
        conditions.into_iter().reduce(|all, one| builder.binary(OpKind::ArithAndI, all, one))
    }
}

impl<'c, 'f> MovingPart<'c, 'f> {
    /// `None` where it is another comparison, or may be true here and false there, or always partial.
    fn of(answer: Value<'c>, view: ForOp<'c>, facts: &'f AxisFacts) -> Option<Self> {
        let comparison = answer.defining_op().filter(|op| op.kind() == OpKind::ArithCmpI)?;
        let sides = [comparison.operand(0), comparison.operand(1)];
        if !sides.iter().all(|side| is_word(side.ty().element())) {
            return None;
        }
        let [left, right] = sides.map(|side| moved_by(side, view, 0));
        let moved_by = left.filter(|left| right == Some(*left) && (0..=MOST_MOVED).contains(left))?;
        let part = Part::of(answer, facts)?;
        let is_often_whole = part.difference() == Difference::Counted;
        is_often_whole.then_some(Self { comparison, part, moved_by })
    }

    /// Where its sides are known.
    fn builder(&self, view: ForOp<'c>) -> Builder<'c> {
        let is_inside = view.op.contains(self.comparison);
        Builder::before(if is_inside { self.comparison } else { view.op })
    }
}

/// Numbers of a loop as they are in its first iteration.
struct FirstIteration<'c> {
    view: ForOp<'c>,
    known: Mapping<'c>,
}

impl<'c> FirstIteration<'c> {
    /// Computes the number in front of the loop, if it is computed inside, and all that it follows from: sums and multiples, see [`moved_by`].
    fn write(&mut self, value: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let known = self.known.get(value);
        let inside = value.defining_op().filter(|op| known == value && self.view.op.contains(*op));
        let Some(op) = inside else { return known };
        for operand in op.operands() {
            self.write(operand, builder);
        }
        copy_op(op, builder, &mut self.known, |location| location);
        self.known.get(value)
    }
}

/// By how much each element moves when the counter of the loop is one more; `None` where that is not known, or differs.
fn moved_by<'c>(value: Value<'c>, view: ForOp<'c>, depth: u32) -> Option<i64> {
    if value == view.induction_var() {
        return Some(1);
    }
    let Some(op) = value.defining_op() else {
        return (value.parent_block() != Some(view.body())).then_some(0);
    };
    if !view.op.contains(op) {
        return Some(0);
    }
    if depth == MOST_DEPTH {
        return None;
    }
    let of = |index: usize| moved_by(op.operand(index), view, depth + 1);
    let kind = op.kind();
    let is_view =
        matches!(kind, OpKind::TtSplat | OpKind::TtExpandDims | OpKind::TtBroadcast | OpKind::TtgConvertLayout);
    if matches!(kind, OpKind::ArithConstant | OpKind::TtMakeRange) {
        Some(0)
    } else if is_view {
        of(0)
    } else if kind == OpKind::ArithAddI {
        of(0)?.checked_add(of(1)?)
    } else if kind == OpKind::ArithSubI {
        of(0)?.checked_sub(of(1)?)
    } else if kind == OpKind::ArithMulI {
        match (op.operand(0).constant_int(), op.operand(1).constant_int()) {
            (_, Some(factor)) => of(0)?.checked_mul(factor),
            (Some(factor), None) => of(1)?.checked_mul(factor),
            (None, None) => None,
        }
    } else {
        None
    }
}

fn is_word(ty: Type<'_>) -> bool {
    ty.is_int() && ty.element_bits() == BITS
}

fn wide<'c>(number: Value<'c>, long: Type<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    builder.cast(OpKind::ArithExtSI, number, long)
}
