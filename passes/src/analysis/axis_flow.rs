//! Axis info for every value of a function: the rules of [`super::axis_rules`] and [`super::axis_shapes`] along the control flow.
//!
//! Structured control flow is walked directly. Loop-carried values start optimistically with what enters the loop; the body is
//! walked again with the join of what enters and what the last walk yielded, until nothing changes. Facts only
//! shrink, and a fact is a power of two of at most 62 bits, so this ends; in practice after the second walk.
//!
//! What `tl.assume` says of a value of its own block holds for the value everywhere, since who comes to the one comes to the other; the
//! function is walked again with what the first walk found of this kind. What it says of a value from outside, its block alone may use.
//!
//! A body that runs says something of the values from outside, too: `range(0, cdiv(n, 64))` runs for positive `n` only, and what stands
//! under `if n > 0` does. The body alone may use it, also of what was computed from `n` before.
//!
//! A number that a `while` loop counts up to a bound does not fall below zero, whatever its step is ([`CountsUp`]).

use super::assumptions::{Said, said_by, said_by_running};
use super::axis_info::{AxisInfo, Hints};
use super::axis_rules as rules;
use super::axis_shapes as shapes;
use super::quotients::is_remainder;
use crate::attributes::{CONSTANCY_HINT, CONTIGUITY_HINT, DIVISIBILITY};
use crate::linear_numbers::Comparison;
use crate::operations::axis::{AxisRule, axis_rule};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::{
    CmpI, ConstantOp, ExpandDimsOp, ForOp, FuncOp, IfOp, LoadOp, MakeRangeOp, ReshapeOp, TransLikeOp, WhileOp,
};
use tk_ir::{Block, Op, OpKind, Type, Value};

/// Facts about the integer and pointer values of the functions that were analyzed.
#[derive(Debug, Default)]
pub struct AxisFacts {
    known: FxHashMap<usize, AxisInfo>,
    /// What assumptions say, by value.
    promised: FxHashMap<usize, AxisInfo>,
    /// Hints about tensors are not facts.
    doubts_tensor_hints: bool,
}

/// How often a function is walked at most, for facts of assumptions that follow from each other.
const MOST_WALKS: usize = 3;

/// Analyzes one function.
pub fn analyze(function: Op<'_>) -> AxisFacts {
    facts_of(function, AxisFacts::default())
}

/// As [`analyze`], without what hints such as `tl.max_contiguous` say of tensors. Programs give them freely where vectors are all that
/// can come of it: `tl.max_contiguous(tl.multiple_of(rows % M, BLOCK), BLOCK)` of rows that do wrap around inside of a block.
pub fn analyze_without_tensor_hints(function: Op<'_>) -> AxisFacts {
    facts_of(function, AxisFacts { doubts_tensor_hints: true, ..AxisFacts::default() })
}

fn facts_of(function: Op<'_>, mut facts: AxisFacts) -> AxisFacts {
    let Some(view) = FuncOp::cast(function) else { return facts };
    for _ in 0..MOST_WALKS {
        let promised = facts.promised.clone();
        for (index, argument) in view.args().into_iter().enumerate() {
            let attributes = view.arg_attrs(index);
            let is_positive = attributes.iter().any(|(name, _)| *name == tk_ir::attributes::POSITIVE);
            let info = AxisInfo::unknown(rank_of(argument.ty())).with_non_negative(is_positive);
            facts.set(argument, info.with_hints(&hints_from(&attributes)));
        }
        for block in function.region(0).blocks() {
            facts.walk(block);
        }
        if facts.promised == promised {
            break;
        }
    }
    facts
}

/// Axes of a tensor; one for a scalar.
fn rank_of(ty: Type<'_>) -> usize {
    if ty.is_tensor() { ty.rank() } else { 1 }
}

/// Sizes of the axes; `[1]` for a scalar.
fn shape_of(ty: Type<'_>) -> Vec<u64> {
    if ty.is_tensor() { ty.shape().into_iter().map(|size| size.max(1) as u64).collect() } else { vec![1] }
}

/// What one step of a contiguous run adds: bytes for pointers, 1 for numbers.
pub fn unit_of(ty: Type<'_>) -> u64 {
    ty.pointee().map_or(1, |pointee| u64::from(pointee.element_bits().div_ceil(8)).max(1))
}

fn hints_from(attributes: &[(&str, tk_ir::Attribute<'_>)]) -> Hints {
    let mut hints = Hints::default();
    for (name, value) in attributes {
        let slot = match *name {
            CONTIGUITY_HINT => &mut hints.contiguity,
            DIVISIBILITY => &mut hints.divisibility,
            CONSTANCY_HINT => &mut hints.constancy,
            _ => continue,
        };
        let values = value.as_ints().or_else(|| value.as_int().map(|value| vec![value]));
        *slot = values.map(|values| values.into_iter().map(largest_power_of_two_divisor).collect());
    }
    hints
}

/// Hints may be any number; only its power of two counts.
fn largest_power_of_two_divisor(value: i64) -> u64 {
    if value <= 0 { 1 } else { super::axis_info::power_of_two_divisor(value) }
}

impl AxisFacts {
    /// What is known of a value; nothing where the analysis did not come.
    pub fn get(&self, value: Value<'_>) -> AxisInfo {
        self.known.get(&value.id()).cloned().unwrap_or_else(|| AxisInfo::unknown(rank_of(value.ty())))
    }

    /// As [`Self::get`], without a copy, where something is known.
    pub fn find(&self, value: Value<'_>) -> Option<&AxisInfo> {
        self.known.get(&value.id())
    }

    fn set(&mut self, value: Value<'_>, info: AxisInfo) {
        let info = match self.promised.get(&value.id()) {
            Some(promised) => info.with_also(promised),
            None => info,
        };
        self.known.insert(value.id(), info);
    }

    fn walk(&mut self, block: Block<'_>) {
        let mut before = Vec::new();
        for op in block.ops() {
            if axis_rule(op.kind()) == AxisRule::Assume {
                self.visit_assume(op, &mut before);
            } else {
                self.visit(op);
            }
        }
        for (value, info) in before.into_iter().rev() {
            self.set(value, info);
        }
    }

    fn visit(&mut self, op: Op<'_>) {
        let rule = axis_rule(op.kind());
        if rule == AxisRule::For {
            self.visit_for(op);
        } else if rule == AxisRule::If {
            self.visit_if(op);
        } else if rule == AxisRule::While {
            self.visit_while(op);
        } else {
            self.visit_plain(op, rule);
        }
    }

    fn visit_plain(&mut self, op: Op<'_>, rule: AxisRule) {
        if op.num_results() == 0 {
            return;
        }
        let hints = hints_from(&op.discardable_attrs());
        let info = self.transfer(op, rule);
        for result in op.results() {
            let ty = result.ty();
            if !(ty.is_int_like() || ty.is_ptr_like() || ty.element().is_index() || ty.is_float_like()) {
                continue;
            }
            let info = match &info {
                Some(info) if info.rank() == rank_of(ty) => info.clone(),
                Some(_) | None => AxisInfo::unknown(rank_of(ty)),
            };
            let is_doubted = self.doubts_tensor_hints && ty.is_tensor();
            self.set(result, if hints.is_empty() || is_doubted { info } else { info.with_hints(&hints) });
        }
    }

    /// The facts of the results of an operation without regions that matter; `None` when nothing is known of them.
    fn transfer(&self, op: Op<'_>, rule: AxisRule) -> Option<AxisInfo> {
        let operand = |index: usize| self.get(op.operand(index));
        let ty_of = |index: usize| op.operand(index).ty();
        let result_ty = op.result(0).ty();
        let shape = shape_of(result_ty);
        match rule {
            AxisRule::Binary(binary) => {
                let info = rules::binary(binary, &operand(0), &operand(1), &shape, result_ty.element_bits());
                // A remainder has the sign of what is divided.
                let is_kept = || op.kind() == OpKind::ArithSubI && operand(0).non_negative && is_remainder(op);
                let non_negative = info.non_negative || is_kept();
                Some(info.with_non_negative(non_negative))
            }
            AxisRule::Constant => constant(op, &shape),
            AxisRule::Poison => Some(poison(&shape)),
            AxisRule::ProgramNumber => Some(AxisInfo::unknown(1).with_non_negative(true)),
            AxisRule::Range => MakeRangeOp::cast(op).map(|range| AxisInfo::range(range.start(), range.end())),
            AxisRule::Splat => Some(shapes::splat(&operand(0), &shape)),
            AxisRule::ExpandDims => ExpandDimsOp::cast(op).map(|view| shapes::expand_dims(&operand(0), view.axis())),
            AxisRule::Broadcast => Some(shapes::broadcast(&operand(0), &shape_of(ty_of(0)), &shape)),
            AxisRule::Trans => TransLikeOp::cast(op).map(|view| shapes::transpose(&operand(0), &view.order())),
            AxisRule::Reshape => {
                let view = ReshapeOp::cast(op).filter(|view| !view.allow_reorder())?;
                let from = shape_of(view.src().ty());
                Some(shapes::reshape(&operand(0), &from, &shape, unit_of(result_ty)))
            }
            AxisRule::Copy => Some(operand(0)),
            AxisRule::AddPtr => Some(rules::addptr(&operand(0), &operand(1), unit_of(result_ty))),
            AxisRule::Load => LoadOp::cast(op).map(|load| self.loaded(load)),
            AxisRule::Bitcast => {
                let is_pointer = result_ty.is_ptr_like();
                is_pointer.then(|| rules::pointer_bitcast(&operand(0), unit_of(ty_of(0)), unit_of(result_ty)))
            }
            AxisRule::IntToPtr => Some(rules::pointer_bitcast(&operand(0), 1, unit_of(result_ty))),
            AxisRule::PtrToInt => Some(rules::pointer_bitcast(&operand(0), unit_of(ty_of(0)), 1)),
            AxisRule::SignedCast | AxisRule::UnsignedCast => {
                let (from, to) = (ty_of(0).element_bits(), result_ty.element_bits());
                Some(rules::cast(&operand(0), &shape, from, to, rule == AxisRule::UnsignedCast))
            }
            AxisRule::Compare => {
                let predicate = CmpI::from_number(op.int_attr("predicate")?)?;
                Some(rules::compare(predicate, &operand(0), &operand(1), &shape, ty_of(0).element_bits()))
            }
            AxisRule::Select => {
                let is_scalar = !ty_of(0).is_tensor();
                Some(rules::select(&operand(0), is_scalar, [&operand(1), &operand(2)], unit_of(result_ty)))
            }
            AxisRule::For | AxisRule::While | AxisRule::If | AxisRule::Assume | AxisRule::Unknown => None,
        }
    }

    fn loaded(&self, load: LoadOp<'_>) -> AxisInfo {
        let optional = |value: Option<Value<'_>>| value.map(|value| self.get(value));
        rules::load(&self.get(load.ptr()), optional(load.mask()).as_ref(), optional(load.other()).as_ref())
    }

    fn visit_for(&mut self, op: Op<'_>) {
        let Some(view) = ForOp::cast(op) else { return };
        let outside: Vec<AxisInfo> = view.init_args().into_iter().map(|value| self.get(value)).collect();
        let lower = self.get(view.lower_bound());
        let said = if lower.non_negative { said_by_running(view.upper_bound()) } else { Vec::new() };
        let before = self.assume_in_regions(op, said);
        self.visit_for_body(op, view);
        self.restore(before);
        // Without an iteration the results are what entered, of which less is known here.
        for (result, outside) in op.results().into_iter().zip(outside) {
            let joined = self.get(result).join(&outside, unit_of(result.ty()));
            self.set(result, joined);
        }
    }

    /// Facts about values from outside which hold in the regions of `op`, and of what precedes it and is computed from them. Returns what
    /// was known before.
    fn assume_in_regions<'c>(&mut self, op: Op<'c>, not_negative: Vec<Value<'c>>) -> Vec<(Value<'c>, AxisInfo)> {
        let (mut before, mut changed) = (Vec::new(), FxHashSet::default());
        for value in not_negative {
            let known = self.get(value);
            if !known.non_negative {
                before.push((value, known.clone()));
                changed.insert(value.id());
                self.set(value, known.with_non_negative(true));
            }
        }
        if changed.is_empty() {
            return before;
        }
        let mut levels: Vec<Op<'c>> = op.ancestors().take_while(|level| level.kind() != OpKind::TtFunc).collect();
        levels.reverse();
        for level in levels {
            let Some(block) = level.block() else { continue };
            for earlier in block.ops().into_iter().take_while(|earlier| *earlier != level) {
                if earlier.num_regions() > 0 || !earlier.operands().iter().any(|value| changed.contains(&value.id())) {
                    continue;
                }
                let known: Vec<AxisInfo> = earlier.results().into_iter().map(|value| self.get(value)).collect();
                self.visit_plain(earlier, axis_rule(earlier.kind()));
                for (value, known) in earlier.results().into_iter().zip(known) {
                    if self.get(value) != known {
                        before.push((value, known));
                        changed.insert(value.id());
                    }
                }
            }
        }
        before
    }

    fn restore(&mut self, before: Vec<(Value<'_>, AxisInfo)>) {
        for (value, info) in before.into_iter().rev() {
            self.known.insert(value.id(), info);
        }
    }

    fn visit_for_body(&mut self, op: Op<'_>, view: ForOp<'_>) {
        let (lower, step) = (self.get(view.lower_bound()), self.get(view.step()));
        let unit = 1;
        let mut induction = AxisInfo::unknown(1);
        induction.divisibility[0] =
            super::axis_info::gcd(lower.divisor_of_shorter_runs(0, 1, unit), step.divisor_of_shorter_runs(0, 1, unit));
        // `range` with a negative step counts down, below zero only when its end is there.
        let counts_up = step.non_negative || step.constant.is_none();
        induction.non_negative = lower.non_negative && counts_up;
        let hints = hints_from(&op.discardable_attrs());
        self.set(view.induction_var(), induction.with_hints(&Hints { constancy: None, ..hints }));
        let entering: Vec<AxisInfo> = view.init_args().into_iter().map(|value| self.get(value)).collect();
        let arguments = view.iter_args();
        let body = view.body();
        let yielded = view.yielded();
        let carried = self.until_stable(&arguments, entering, |facts| {
            facts.walk(body);
            yielded.iter().map(|value| facts.get(*value)).collect()
        });
        for (result, info) in op.results().into_iter().zip(carried) {
            self.set(result, info);
        }
    }

    /// Walks a loop until the facts of its carried values no longer change; `walk` gives what one iteration yields.
    fn until_stable(
        &mut self,
        arguments: &[Value<'_>],
        entering: Vec<AxisInfo>,
        walk: impl Fn(&mut Self) -> Vec<AxisInfo>,
    ) -> Vec<AxisInfo> {
        let mut carried = entering;
        loop {
            for (argument, info) in arguments.iter().zip(&carried) {
                self.set(*argument, info.clone());
            }
            let yielded = walk(self);
            let joined: Vec<AxisInfo> = carried
                .iter()
                .zip(&yielded)
                .zip(arguments)
                .map(|((before, after), argument)| before.join(after, unit_of(argument.ty())))
                .collect();
            if joined == carried {
                return carried;
            }
            carried = joined;
        }
    }

    fn visit_if(&mut self, op: Op<'_>) {
        let Some(view) = IfOp::cast(op) else { return };
        let said =
            said_by(op).into_iter().filter(|(_, said)| matches!(said, Said::NotNegative)).map(|(value, _)| value);
        let before = self.assume_in_regions(op, said.collect());
        self.walk(view.then_block());
        let then: Vec<AxisInfo> = view.then_yield().operands().into_iter().map(|value| self.get(value)).collect();
        self.restore(before);
        if let Some(block) = view.else_block() {
            self.walk(block);
        }
        let Some(otherwise) = view.else_yield() else { return };
        let condition = self.get(view.condition());
        for (index, result) in op.results().into_iter().enumerate() {
            let otherwise = self.get(otherwise.operand(index));
            let info = rules::select(&condition, true, [&then[index], &otherwise], unit_of(result.ty()));
            self.set(result, info);
        }
    }

    fn visit_while(&mut self, op: Op<'_>) {
        let Some(view) = WhileOp::cast(op) else { return };
        let entering: Vec<AxisInfo> = view.inits().into_iter().map(|value| self.get(value)).collect();
        let (before, after) = (view.before(), view.after());
        let passed = view.condition().args();
        let next = view.yield_op().operands();
        let counts_up = CountsUp::of(view).filter(|counts_up| entering[counts_up.index].non_negative);
        let said = counts_up.as_ref().map(CountsUp::said_by_running).unwrap_or_default();
        self.until_stable(&before.arguments(), entering, |facts| {
            facts.walk(before);
            for (argument, value) in after.arguments().into_iter().zip(&passed) {
                let info = facts.get(*value);
                facts.set(argument, info);
            }
            // What decides runs once more than the rest, so it may not use what running says.
            let known = facts.assume_in_regions(op, said.clone());
            facts.walk(after);
            let mut yielded: Vec<AxisInfo> = next.iter().map(|value| facts.get(*value)).collect();
            facts.restore(known);
            if let Some(counts_up) = &counts_up {
                yielded[counts_up.index].non_negative = true;
            }
            yielded
        });
        for (result, value) in op.results().into_iter().zip(&passed) {
            let info = self.get(*value);
            self.set(result, info);
        }
    }

    /// What an assumption says. `before` gets what was known of values from outside of its block.
    fn visit_assume<'c>(&mut self, op: Op<'c>, before: &mut Vec<(Value<'c>, AxisInfo)>) {
        for (value, said) in said_by(op) {
            let known = self.get(value);
            let mut more = AxisInfo::unknown(known.rank());
            match said {
                Said::NotNegative => more.non_negative = true,
                Said::Multiple(divisor) => more.divisibility.fill(divisor),
                // In a loop, what is known of the other may be what is hoped for until the loop was walked again.
                Said::Equal(other) if op.parent_op().is_some_and(|parent| parent.kind() == OpKind::TtFunc) => {
                    more = self.get(other);
                }
                Said::Equal(_) => continue,
            }
            if value.parent_block() == op.block() {
                let promised = self.promised.remove(&value.id()).unwrap_or_else(|| AxisInfo::unknown(known.rank()));
                self.promised.insert(value.id(), promised.with_also(&more));
                self.set(value, known);
            } else {
                before.push((value, known.clone()));
                self.set(value, known.with_also(&more));
            }
        }
    }
}

/// A `while` loop that goes on as long as a number is below a bound, and then adds a step to it: `while tile < tiles: …; tile += programs`.
/// Bound and step are from outside.
///
/// Such a number does not fall below where it starts. With a step below zero, of which only the run knows, the condition would hold until the
/// number wraps around, and integers of 32 bits and more are taken not to. A step of zero leaves the number as it is. Where the condition asks for anything else,
/// too, the loop may end while the number falls.
struct CountsUp<'c> {
    /// Of the number among what the loop carries.
    index: usize,
    bound: Value<'c>,
    /// The number may be the bound.
    reaches_bound: bool,
}

impl<'c> CountsUp<'c> {
    fn of(view: WhileOp<'c>) -> Option<Self> {
        let condition = view.condition();
        let carried = view.before().arguments();
        let index_of = |value: Value<'c>| carried.iter().position(|argument| *argument == value);
        let Comparison { number: index, predicate, bound } = Comparison::of(condition.op.operand(0), index_of)?;
        let reaches_bound = match predicate {
            CmpI::Slt => false,
            CmpI::Sle => true,
            CmpI::Sgt | CmpI::Sge | CmpI::Eq | CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => return None,
        };
        let number = carried[index];
        let next = view.yield_op().operand(index).defining_op().filter(|op| op.kind() == OpKind::ArithAddI)?;
        let (inside, passed) = (view.after().arguments(), condition.args());
        let is_number =
            |value: Value<'c>| inside.iter().zip(&passed).any(|(own, from)| *own == value && *from == number);
        let step = match (is_number(next.operand(0)), is_number(next.operand(1))) {
            (true, false) => next.operand(1),
            (false, true) => next.operand(0),
            (true, true) | (false, false) => return None,
        };
        let are_from_outside = bound.dominates(view.op) && step.dominates(view.op);
        let is_wide = number.ty().element_bits() >= rules::LEAST_TO_OVERFLOW;
        let falls = step.constant_int().is_some_and(|step| step < 0);
        (are_from_outside && is_wide && !falls).then_some(Self { index, bound, reaches_bound })
    }

    /// Values that are not negative in the body, where the number is not: the bound is above zero then, unless the number may be the bound.
    fn said_by_running(&self) -> Vec<Value<'c>> {
        if self.reaches_bound { Vec::new() } else { said_by_running(self.bound) }
    }
}

fn constant(op: Op<'_>, shape: &[u64]) -> Option<AxisInfo> {
    let constant = ConstantOp::cast(op)?;
    if let Some(value) = constant.int() {
        return Some(AxisInfo::constant(value, shape));
    }
    // A float has no alignment, but a splat of it is the same everywhere.
    constant.value().as_splat_float()?;
    let rank = shape.len();
    Some(AxisInfo::new(vec![1; rank], vec![1; rank], shape.to_vec()))
}

/// Any value will do, so every fact holds.
fn poison(shape: &[u64]) -> AxisInfo {
    let everything = vec![super::axis_info::MAX_DIVISOR; shape.len()];
    AxisInfo::new(everything.clone(), everything.clone(), everything).with_non_negative(true)
}
