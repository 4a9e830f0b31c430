//! The operation at which something that an access needs was lost.
//!
//! Axis info says of every value what is known of it. From the address or the mask of an access, the walk goes to the operand that lacks what
//! its operation needs of it, and from there on; it ends at an operation whose operands have all that they can have, at an argument, or at a
//! number. Where several operands are at fault, those that an argument explains come first: a promise about an argument helps.

use super::place;
use crate::analysis::AxisFacts;
use crate::analysis::axis_flow::unit_of;
use crate::analysis::axis_rules::BinaryOp;
use crate::control_flow::flows_from;
use crate::operations::axis::{AxisRule, axis_rule};
use tk_ir::ops::{CmpI, ExpandDimsOp, ForOp, MakeRangeOp, TransLikeOp};
use tk_ir::{Op, OpKind, Value};
use tk_why::{Place, Reason};

/// What has to be known of a value along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// So many elements follow each other.
    Neighbours(u64),
    /// The first of each run of `run` elements is a multiple of this; of addresses, in bytes.
    Multiple {
        /// Of what.
        of: u64,
        /// Elements of a run.
        run: u64,
    },
    /// So many elements are equal.
    Equal(u64),
}

/// Where and why it was lost.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    pub(super) reason: Reason,
    pub(super) place: Place,
}

/// How deep the walk goes.
const MOST_DEPTH: u32 = 64;
/// Values that it looks at; each may have two operands at fault.
const MOST_STEPS: u32 = 500;
/// Operations that a search without a goal looks at.
const MOST_SEARCHED: u32 = 100;

/// Where `value`, which `user` needs for something, lost it along an axis.
pub(super) fn lost(facts: &AxisFacts, user: Op<'_>, value: Value<'_>, axis: usize, need: Need) -> Lost {
    let mut walk = Walk { facts, steps: MOST_STEPS, seen: Vec::new() };
    walk.lost(user, value, axis, need, 0)
}

struct Walk<'f> {
    facts: &'f AxisFacts,
    /// Values that may still be looked at.
    steps: u32,
    /// Values on the way, by their numbers: loops lead back.
    seen: Vec<usize>,
}

fn told(reason: Reason, op: Op<'_>) -> Lost {
    Lost { reason, place: place(op.loc()) }
}

/// Reasons that a promise of the program removes are worth more than others.
fn rank(lost: &Lost) -> u32 {
    match lost.reason {
        Reason::UnknownMultiple { .. } | Reason::UnknownAddress { .. } => 0,
        Reason::NoMultiple { .. } => 1,
        Reason::Loaded => 2,
        Reason::ProgramNumber { .. } => 4,
        Reason::Stride { .. }
        | Reason::UnknownStride { .. }
        | Reason::Descends
        | Reason::Repeats
        | Reason::PerElement
        | Reason::Inclusive
        | Reason::MayBeNegative
        | Reason::Clamped
        | Reason::Chosen
        | Reason::Combined
        | Reason::Carried
        | Reason::Reshaped
        | Reason::Computed { .. }
        | Reason::FewElements { .. }
        | Reason::FewInThread { .. }
        | Reason::OtherOrder => 3,
    }
}

impl<'f> Walk<'f> {
    /// Whether a value has it.
    fn has(&self, value: Value<'_>, axis: usize, need: Need) -> bool {
        let info = self.facts.get(value);
        let at = axis.min(info.rank().saturating_sub(1));
        if !value.ty().is_tensor() {
            return match need {
                Need::Equal(_) => true,
                Need::Neighbours(_) => false,
                Need::Multiple { of, .. } => info.divisibility[0] >= of,
            };
        }
        let equal = info.constancy[at];
        match need {
            Need::Neighbours(count) => info.contiguity[at] >= count,
            Need::Equal(count) => equal >= count,
            Need::Multiple { of, run } => info.divisor_of_shorter_runs(at, run, unit_of(value.ty())) >= of,
        }
    }

    fn lost<'c>(&mut self, user: Op<'c>, value: Value<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        if depth > MOST_DEPTH || self.steps == 0 || self.seen.contains(&value.id()) {
            return told(Reason::Carried, user);
        }
        self.steps -= 1;
        self.seen.push(value.id());
        let lost = match value.defining_op() {
            Some(op) => self.lost_by(user, op, value, axis, need, depth + 1),
            None => self.lost_before(user, value, axis, need, depth + 1),
        };
        self.seen.pop();
        lost
    }

    /// Block arguments: what a loop carries or counts, or an argument of the kernel.
    fn lost_before<'c>(&mut self, user: Op<'c>, value: Value<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        let owner = value.parent_block().and_then(|block| block.parent_op());
        let counting = owner.and_then(ForOp::cast).filter(|view| view.induction_var() == value);
        let values = counting.map(|view| vec![view.step(), view.lower_bound()]).or_else(|| flows_from(value));
        match (owner, values) {
            (Some(owner), Some(values)) => self.lost_by_one(owner, &values, axis, need, depth),
            (Some(_) | None, _) => self.argument(user, value, need),
        }
    }

    /// The first of several values that lacks it.
    fn lost_by_one<'c>(&mut self, op: Op<'c>, values: &[Value<'c>], axis: usize, need: Need, depth: u32) -> Lost {
        let lacking = values.iter().filter(|value| !self.has(**value, axis, need)).copied().collect::<Vec<_>>();
        let lost = lacking.into_iter().map(|value| self.lost(op, value, axis, need, depth));
        lost.min_by_key(rank).unwrap_or_else(|| told(Reason::Carried, op))
    }

    fn argument(&self, user: Op<'_>, value: Value<'_>, need: Need) -> Lost {
        let name = value.loc().name().unwrap_or("an argument").to_string();
        let reason = match need {
            Need::Multiple { of, .. } if value.ty().is_ptr_like() => Reason::UnknownAddress { name, bytes: of },
            Need::Multiple { of, .. } => Reason::UnknownMultiple { name, of },
            Need::Neighbours(_) | Need::Equal(_) => Reason::Repeats,
        };
        told(reason, user)
    }

    fn lost_by<'c>(&mut self, user: Op<'c>, op: Op<'c>, value: Value<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        let along =
            |operand: usize, axis: usize, walk: &mut Self| walk.lost(op, op.operand(operand), axis, need, depth);
        match axis_rule(op.kind()) {
            AxisRule::Binary(binary) => self.arithmetic(op, binary, axis, need, depth),
            AxisRule::AddPtr => self.sum(op, axis, need, unit_of(value.ty()), depth),
            AxisRule::Constant => self.constant(user, value, need),
            AxisRule::Range => range(user, op, need),
            AxisRule::ProgramNumber => match need {
                Need::Multiple { of, .. } => told(Reason::ProgramNumber { of }, user),
                Need::Neighbours(_) | Need::Equal(_) => told(Reason::Repeats, user),
            },
            AxisRule::Splat => match need {
                Need::Neighbours(_) => told(Reason::Repeats, user),
                Need::Multiple { .. } | Need::Equal(_) => along(0, 0, self),
            },
            AxisRule::ExpandDims => {
                let added = ExpandDimsOp::cast(op).map_or(0, |view| view.axis());
                if axis == added { told(Reason::Repeats, op) } else { along(0, axis - usize::from(axis > added), self) }
            }
            AxisRule::Broadcast => {
                let is_repeated = op.operand(0).ty().shape().get(axis) == Some(&1);
                match need {
                    Need::Neighbours(_) if is_repeated => told(Reason::Repeats, op),
                    Need::Neighbours(_) | Need::Multiple { .. } | Need::Equal(_) => along(0, axis, self),
                }
            }
            AxisRule::Trans => {
                let order = TransLikeOp::cast(op).map(|view| view.order()).unwrap_or_default();
                along(0, order.get(axis).copied().unwrap_or(axis), self)
            }
            AxisRule::Copy | AxisRule::SignedCast | AxisRule::UnsignedCast => along(0, axis, self),
            AxisRule::Bitcast | AxisRule::IntToPtr | AxisRule::PtrToInt => self.cast(op, axis, need, depth),
            AxisRule::Reshape => match need {
                Need::Multiple { of, .. } => {
                    let source = op.operand(0);
                    let need = Need::Multiple { of, run: 1 };
                    let last = source.ty().rank().saturating_sub(1);
                    if self.has(source, last, need) { told(Reason::Reshaped, op) } else { along(0, last, self) }
                }
                Need::Neighbours(_) | Need::Equal(_) => told(Reason::Reshaped, op),
            },
            AxisRule::Load => told(Reason::Loaded, op),
            AxisRule::Compare => self.compare(op, axis, need, depth),
            AxisRule::Select => self.select(op, axis, need, depth),
            AxisRule::For | AxisRule::While | AxisRule::If => {
                let values = flows_from(value).unwrap_or_default();
                self.lost_by_one(op, &values, axis, need, depth)
            }
            AxisRule::Poison | AxisRule::Assume | AxisRule::Unknown => computed(op),
        }
    }

    fn constant(&self, user: Op<'_>, value: Value<'_>, need: Need) -> Lost {
        match (need, self.facts.get(value).constant) {
            (Need::Multiple { of, .. }, Some(value)) => told(Reason::NoMultiple { value, of }, user),
            (Need::Multiple { .. } | Need::Neighbours(_) | Need::Equal(_), _) => told(Reason::Repeats, user),
        }
    }

    fn cast<'c>(&mut self, op: Op<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        let units = [unit_of(op.operand(0).ty()), unit_of(op.result(0).ty())];
        match need {
            Need::Neighbours(_) if units[0] != units[1] => told(Reason::Stride { bytes: units[0] }, op),
            Need::Neighbours(_) | Need::Multiple { .. } | Need::Equal(_) => {
                self.lost(op, op.operand(0), axis, need, depth)
            }
        }
    }

    fn arithmetic<'c>(&mut self, op: Op<'c>, binary: BinaryOp, axis: usize, need: Need, depth: u32) -> Lost {
        match binary {
            BinaryOp::Add | BinaryOp::Sub => self.sum(op, axis, need, 1, depth),
            BinaryOp::Mul => self.product(op, axis, need, depth),
            BinaryOp::Shl => match (need, self.facts.get(op.operand(1)).constant) {
                (Need::Neighbours(_), Some(places)) if (0..32).contains(&places) => {
                    told(Reason::Stride { bytes: self.bytes(op).saturating_mul(1 << places) }, op)
                }
                (Need::Neighbours(_) | Need::Equal(_) | Need::Multiple { .. }, _) => {
                    self.operands(op, axis, need, depth, Reason::Combined)
                }
            },
            BinaryOp::DivS | BinaryOp::DivU | BinaryOp::ShrS | BinaryOp::ShrU => self.quotient(op, axis, need, depth),
            BinaryOp::RemS | BinaryOp::RemU => self.remainder(op, axis, need, depth),
            BinaryOp::MinS | BinaryOp::MaxS | BinaryOp::MinU | BinaryOp::MaxU => match need {
                Need::Neighbours(_) => told(Reason::Clamped, op),
                Need::Multiple { .. } | Need::Equal(_) => self.operands(op, axis, need, depth, Reason::Clamped),
            },
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => self.operands(op, axis, need, depth, Reason::Combined),
        }
    }

    /// Bytes of the elements that the number of an element leads to; 1 where that is not known.
    fn bytes(&self, op: Op<'_>) -> u64 {
        let (mut pending, mut steps) = (vec![op], 0);
        while let Some(op) = pending.pop().filter(|_| steps < MOST_SEARCHED) {
            steps += 1;
            for (user, operand) in op.results().into_iter().flat_map(|result| result.users()) {
                if user.kind() == OpKind::TtAddPtr && operand == 1 {
                    return unit_of(user.result(0).ty());
                }
                let rule = axis_rule(user.kind());
                let passes_on = rule.moves() || matches!(rule, AxisRule::Binary(_));
                if passes_on {
                    pending.push(user);
                }
            }
        }
        1
    }

    /// Any operand that lacks it, else the operation.
    fn operands<'c>(&mut self, op: Op<'c>, axis: usize, need: Need, depth: u32, own: Reason) -> Lost {
        let lacking: Vec<Value<'c>> =
            op.operands().into_iter().filter(|operand| !self.has(*operand, axis, need)).collect();
        match need {
            // An operation that leaves no runs is at fault itself.
            Need::Neighbours(_) => told(own, op),
            Need::Multiple { .. } | Need::Equal(_) => {
                let lost = lacking.into_iter().map(|value| self.lost(op, value, axis, need, depth));
                lost.min_by_key(rank).unwrap_or_else(|| told(own, op))
            }
        }
    }

    /// `a + b`, `a - b`, and addresses, whose offsets count `unit` bytes.
    fn sum<'c>(&mut self, op: Op<'c>, axis: usize, need: Need, unit: u64, depth: u32) -> Lost {
        let (left, right) = (op.operand(0), op.operand(1));
        match need {
            Need::Neighbours(_) if op.kind() == OpKind::ArithSubI && self.has(right, axis, need) => {
                told(Reason::Descends, op)
            }
            Need::Neighbours(count) => {
                let same = Need::Equal(count);
                let follow = |walk: &Self, value| walk.has(value, axis, need);
                let equal = |walk: &Self, value| walk.has(value, axis, same);
                if equal(self, left) && !equal(self, right) || follow(self, left) && !follow(self, right) {
                    let missing = if follow(self, left) { same } else { need };
                    self.lost(op, right, axis, missing, depth)
                } else if equal(self, right) || follow(self, right) {
                    let missing = if follow(self, right) { same } else { need };
                    self.lost(op, left, axis, missing, depth)
                } else {
                    told(Reason::Combined, op)
                }
            }
            Need::Equal(_) => self.operands(op, axis, need, depth, Reason::Combined),
            Need::Multiple { of, run } => {
                let needs = [Need::Multiple { of, run }, Need::Multiple { of: (of / unit).max(1), run }];
                let mut losses = Vec::new();
                for (value, need) in [left, right].into_iter().zip(needs) {
                    if !self.has(value, axis, need) {
                        losses.push(self.lost(op, value, axis, need, depth));
                    }
                }
                losses.into_iter().min_by_key(rank).unwrap_or_else(|| told(Reason::Combined, op))
            }
        }
    }

    fn product<'c>(&mut self, op: Op<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        let sides = [op.operand(0), op.operand(1)];
        match need {
            Need::Neighbours(count) => {
                let factor = sides.into_iter().find(|side| self.has(*side, axis, Need::Equal(count)));
                let Some(factor) = factor else { return told(Reason::Combined, op) };
                match self.facts.get(factor).constant {
                    Some(factor) => {
                        told(Reason::Stride { bytes: factor.unsigned_abs().saturating_mul(self.bytes(op)) }, op)
                    }
                    None => told(Reason::UnknownStride { name: name_of(factor) }, op),
                }
            }
            Need::Equal(_) => self.operands(op, axis, need, depth, Reason::Combined),
            Need::Multiple { of, .. } => {
                let divisor = |value: Value<'_>| {
                    let info = self.facts.get(value);
                    info.divisor_of_shorter_runs(axis.min(info.rank() - 1), 1, 1)
                };
                let others = [divisor(sides[1]), divisor(sides[0])];
                let mut losses = Vec::new();
                for (side, other) in sides.into_iter().zip(others) {
                    let need = Need::Multiple { of: (of / other).max(2), run: 1 };
                    if !self.has(side, axis, need) {
                        losses.push(self.lost(op, side, axis, need, depth));
                    }
                }
                losses.into_iter().min_by_key(rank).unwrap_or_else(|| told(Reason::Combined, op))
            }
        }
    }

    fn quotient<'c>(&mut self, op: Op<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        match need {
            Need::Neighbours(_) => told(Reason::Repeats, op),
            Need::Multiple { of, .. } => told(self.no_multiple(op, of), op),
            Need::Equal(count) => self.between_multiples(op, axis, count, depth),
        }
    }

    fn remainder<'c>(&mut self, op: Op<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        match need {
            Need::Neighbours(count) => self.between_multiples(op, axis, count, depth),
            Need::Multiple { .. } => self.operands(op, axis, need, depth, Reason::Combined),
            Need::Equal(_) => self.operands(op, axis, need, depth, Reason::PerElement),
        }
    }

    /// The result of a division is a multiple of nothing that is known.
    fn no_multiple(&self, op: Op<'_>, of: u64) -> Reason {
        let name = op.result(0).loc().name().map_or_else(|| "a quotient".to_string(), str::to_string);
        Reason::UnknownMultiple { name, of }
    }

    /// A quotient is the same, and a remainder goes on, between multiples of the divisor: the dividend has to begin at one, and the divisor
    /// has to be large enough.
    fn between_multiples<'c>(&mut self, op: Op<'c>, axis: usize, count: u64, depth: u32) -> Lost {
        let (dividend, divisor) = (op.operand(0), op.operand(1));
        let needs = [
            (dividend, Need::Neighbours(count)),
            (divisor, Need::Equal(count)),
            (divisor, Need::Multiple { of: count, run: 1 }),
            (dividend, Need::Multiple { of: count, run: count }),
        ];
        match needs.into_iter().find(|(value, need)| !self.has(*value, axis, *need)) {
            Some((value, need)) => self.lost(op, value, axis, need, depth),
            None => told(Reason::MayBeNegative, op),
        }
    }

    /// A comparison has the same result for all of a vector where its varying side begins at a multiple and its bound is one.
    fn compare<'c>(&mut self, op: Op<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        let (Need::Equal(count), Some(predicate)) = (need, op.int_attr("predicate").and_then(CmpI::from_number)) else {
            return computed(op);
        };
        use CmpI::*;
        let (varying, bound) = match predicate {
            Slt | Sge | Ult | Uge => (op.operand(0), op.operand(1)),
            Sgt | Sle | Ugt | Ule => (op.operand(1), op.operand(0)),
            Eq | Ne => return self.equality(op, axis, count, depth),
        };
        let (same, multiple) = (Need::Equal(count), Need::Multiple { of: count, run: 1 });
        let begins = Need::Multiple { of: count, run: count };
        if self.has(varying, axis, same) && !self.has(bound, axis, same) {
            // `offsets <= last` and `first > offsets` end one behind a multiple.
            return if self.has(bound, axis, Need::Neighbours(count)) {
                told(Reason::Inclusive, op)
            } else {
                self.lost(op, bound, axis, Need::Neighbours(count), depth)
            };
        }
        let needs = [(varying, Need::Neighbours(count)), (bound, same), (bound, multiple), (varying, begins)];
        match needs.into_iter().find(|(value, need)| !self.has(*value, axis, *need)) {
            Some((value, need)) => Lost { place: place(op.loc()), ..self.lost(op, value, axis, need, depth) },
            None => told(Reason::PerElement, op),
        }
    }

    fn equality<'c>(&mut self, op: Op<'c>, axis: usize, count: u64, depth: u32) -> Lost {
        let need = Need::Equal(count);
        let varying = op.operands().into_iter().find(|operand| !self.has(*operand, axis, need));
        let lost = varying.map(|value| self.lost(op, value, axis, need, depth));
        lost.filter(|lost| lost.reason == Reason::Loaded).unwrap_or_else(|| told(Reason::PerElement, op))
    }

    fn select<'c>(&mut self, op: Op<'c>, axis: usize, need: Need, depth: u32) -> Lost {
        let sides = [op.operand(1), op.operand(2)];
        let lacking = sides.into_iter().find(|side| !self.has(*side, axis, need));
        match lacking {
            Some(side) if self.has(side, axis, Need::Equal(2)) => told(Reason::Chosen, op),
            Some(side) => self.lost(op, side, axis, need, depth),
            None => told(Reason::Chosen, op),
        }
    }
}

/// Consecutive numbers are never equal; their first one may not be a multiple.
fn range(user: Op<'_>, op: Op<'_>, need: Need) -> Lost {
    let start = MakeRangeOp::cast(op).map_or(0, |range| range.start());
    match need {
        Need::Multiple { of, .. } => told(Reason::NoMultiple { value: start, of }, op),
        Need::Neighbours(_) | Need::Equal(_) => told(Reason::PerElement, user),
    }
}

/// An operation that axis info does not follow: what it computes comes from memory, or from nowhere in particular.
fn computed(op: Op<'_>) -> Lost {
    let mut pending = vec![op];
    let mut count = 0;
    while let Some(next) = pending.pop() {
        if axis_rule(next.kind()) == AxisRule::Load || next.kind() == OpKind::TtgLocalLoad {
            return told(Reason::Loaded, next);
        }
        count += 1;
        if count < MOST_SEARCHED {
            pending.extend(next.operands().into_iter().filter_map(|operand| operand.defining_op()));
        }
    }
    told(Reason::Computed { operation: op.name().to_string() }, op)
}

/// What the program calls a value, through operations that only move it.
fn name_of(value: Value<'_>) -> String {
    let mut value = value;
    loop {
        if let Some(name) = value.loc().name() {
            return name.to_string();
        }
        match value.defining_op() {
            Some(op) if axis_rule(op.kind()).moves() => value = op.operand(0),
            Some(_) | None => return String::new(),
        }
    }
}
