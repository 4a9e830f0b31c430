//! Selects that change nothing: `select(mask, f(load(p, mask, 0)), f(0))` is `f(load(p, mask, 0))`.
//!
//! Programs mask what they reduce, although what they load is masked already. Without the select, the values need neither the mask nor another
//! instruction, and truth values that are loaded stay numbers.

use tk_ir::ops::LoadOp;
use tk_ir::{Op, OpKind, Value};

/// Operations between the load and the select that are looked through.
const MOST_STEPS: usize = 16;

/// A number that every element has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    fn of(value: Value<'_>) -> Option<Self> {
        value.constant_int().map(Number::Int).or_else(|| value.constant_float().map(Number::Float))
    }

    /// Whether it is this value, and not another one that compares equal to it.
    fn is(self, other: Option<Self>) -> bool {
        match (self, other) {
            (Number::Int(a), Some(Number::Int(b))) => a == b,
            (Number::Float(a), Some(Number::Float(b))) => a.to_bits() == b.to_bits(),
            _ => false,
        }
    }

    fn is_zero(self) -> bool {
        self.is(Some(Number::Int(0))) || self.is(Some(Number::Float(0.0)))
    }
}

/// Whether the operation is a select that gives its first choice in either case.
pub(crate) fn selects_nothing(select: Op<'_>) -> bool {
    let Some(mut number) = Number::of(select.operand(2)) else { return false };
    // The parts of the condition of which it is not known yet that the value is the number wherever they are false.
    let mut parts = parts_of(select.operand(0));
    let mut value = select.operand(1);
    for _ in 0..MOST_STEPS {
        let Some(op) = value.defining_op() else { return false };
        if let Some(load) = LoadOp::cast(op) {
            let is_masked_by_it = load.other().is_some_and(|other| number.is(Number::of(other)));
            return is_masked_by_it && load.mask().is_some_and(|mask| all_are_among(&parts, &parts_of(mask)));
        }
        if op.kind() == OpKind::ArithSelect && number.is(Number::of(op.operand(2))) {
            let known = parts_of(op.operand(0));
            parts.retain(|part| !known.contains(part));
            if parts.is_empty() {
                return true;
            }
            value = op.operand(1);
            continue;
        }
        let Some(before) = number_before(op, number) else { return false };
        (value, number) = (op.operand(0), before);
    }
    false
}

fn all_are_among<'c>(parts: &[Value<'c>], known: &[Value<'c>]) -> bool {
    parts.iter().all(|part| known.contains(part))
}

/// The number that the first operand has where the result has `number`, for operations that make it of that.
fn number_before(op: Op<'_>, number: Number) -> Option<Number> {
    let is_zero_of_ints = matches!(number, Number::Float(_)) && number.is_zero();
    let is_one_of = |kinds: &[OpKind]| kinds.contains(&op.kind());
    if is_one_of(&[OpKind::TtBroadcast, OpKind::ArithExtF, OpKind::ArithExtSI]) {
        Some(number)
    } else if is_one_of(&[OpKind::ArithExtUI]) || is_truth_of_number(op) {
        Some(number).filter(|number| number.is_zero())
    } else if is_one_of(&[OpKind::ArithSIToFP, OpKind::ArithUIToFP]) {
        is_zero_of_ints.then_some(Number::Int(0))
    } else {
        None
    }
}

/// `x != 0`, which is false where `x` is zero.
fn is_truth_of_number(op: Op<'_>) -> bool {
    const NOT_EQUAL: i64 = 1;
    let is_test = op.kind() == OpKind::ArithCmpI && op.int_attr("predicate") == Some(NOT_EQUAL);
    is_test && op.operand(1).constant_int() == Some(0)
}

/// What has to be true for a condition to be true, without the broadcasts that lead there.
pub(crate) fn parts_of(condition: Value<'_>) -> Vec<Value<'_>> {
    let (mut parts, mut pending) = (Vec::new(), vec![condition]);
    while let Some(value) = pending.pop() {
        match value.defining_op() {
            Some(op) if op.kind() == OpKind::ArithAndI => pending.extend(op.operands()),
            Some(op) if op.kind() == OpKind::TtBroadcast => pending.push(op.operand(0)),
            _ => parts.push(value),
        }
    }
    parts
}
