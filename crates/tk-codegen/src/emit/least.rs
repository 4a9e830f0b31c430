//! What floats are at least, as far as the operations that make them say it: a sum of a constant and a power, the greater of a number and a constant, that
//! divided by a constant.
//!
//! Logarithms and quotients of such numbers need no tests for what is zero, subnormal or negative (docs/measurements.md, "A sum of at least one
//! divides without tests", "Logarithms of what is not near zero need no tests").

use super::kept::known_where_kept;
use tk_ir::ops::{ForOp, ReduceOp};
use tk_ir::{Op, OpKind, Value};

/// Operations that are looked at for one value.
const MOST_OPERATIONS: u32 = 48;

/// How far a quotient may be below what is exact, as a part of that: the hardware divides with two units in the last place, and by a constant it may be
/// multiplied by a reciprocal, which is rounded, too.
const QUOTIENT_ERROR: f64 = 1e-6;

/// What each element of an operand of `op` is at least, if it is not NaN, wherever the result of `op` is kept.
pub(super) fn least_where_kept(op: Op<'_>, operand: usize) -> Option<f64> {
    Search { left: MOST_OPERATIONS, natural: Vec::new(), known: known_where_kept(op) }.of(op.operand(operand))
}

/// A number of which something else than what it is computed from says how small it is.
pub(super) struct Known<'c> {
    pub value: Value<'c>,
    /// What it is at least, if it is not NaN.
    pub least: f64,
}

/// A walk from a value to what it is computed from.
struct Search<'c> {
    /// Operations that may still be looked at.
    left: u32,
    /// Values that loops carry and that are taken to be no less than zero while what the next iteration gets is looked at.
    natural: Vec<Value<'c>>,
    /// What is known where the result is kept.
    known: Vec<Known<'c>>,
}

impl<'c> Search<'c> {
    fn of(&mut self, value: Value<'c>) -> Option<f64> {
        let known = self.known.iter().filter(|known| known.value == value).map(|known| known.least).reduce(f64::max);
        greatest(known, self.of_computed(value))
    }

    fn of_computed(&mut self, value: Value<'c>) -> Option<f64> {
        if let Some(constant) = value.constant_float() {
            return (!constant.is_nan()).then_some(constant);
        }
        self.left = self.left.checked_sub(1)?;
        let Some(op) = value.defining_op() else { return self.elsewhere(|search| search.of_carried(value)) };
        match op.kind() {
            OpKind::MathExp | OpKind::MathExp2 | OpKind::MathAbsF | OpKind::MathSqrt => Some(0.0),
            OpKind::ArithMulF if op.operand(0) == op.operand(1) => Some(0.0),
            // Rounding keeps the order of numbers, so that of f32 is asked about in f32.
            OpKind::ArithAddF if is_single(value) => in_single(self.of(op.operand(0))? + self.of(op.operand(1))?),
            OpKind::ArithMulF if is_single(value) => {
                in_single(positive(self.of(op.operand(0))?)? * positive(self.of(op.operand(1))?)?)
            }
            OpKind::ArithDivF => self.of_quotient(op),
            OpKind::ArithMaximumF => {
                let sides = [0, 1].map(|index| self.of(op.operand(index)));
                greatest(sides[0], sides[1])
            }
            OpKind::ArithMaxNumF => self.of_greater_number(op),
            OpKind::ArithSelect => Some(self.of(op.operand(1))?.min(self.of(op.operand(2))?)),
            OpKind::TtClampF => self.of(op.operand(1)),
            OpKind::ArithExtF => self.of(op.operand(0)),
            OpKind::TtReduce => self.elsewhere(|search| search.of_reduction(op)),
            OpKind::TtSplat
            | OpKind::TtBroadcast
            | OpKind::TtExpandDims
            | OpKind::TtReshape
            | OpKind::TtTrans
            | OpKind::TtgConvertLayout => self.elsewhere(|search| search.of(op.operand(0))),
            _ => None,
        }
    }

    /// What `look` finds of other elements, or of other iterations: what is known where the result is kept is known of the same element only.
    fn elsewhere(&mut self, look: impl FnOnce(&mut Self) -> Option<f64>) -> Option<f64> {
        let known = std::mem::take(&mut self.known);
        let least = look(self);
        self.known = known;
        least
    }

    /// The greater of two, or the one that is a number: a constant, of which nobody asks what the other one is, or either of two that are known.
    fn of_greater_number(&mut self, op: Op<'c>) -> Option<f64> {
        let sides = [op.operand(0), op.operand(1)];
        let constant = sides.into_iter().find_map(Value::constant_float).filter(|constant| !constant.is_nan());
        match constant {
            Some(constant) => Some(constant),
            None => Some(self.of(sides[0])?.min(self.of(sides[1])?)),
        }
    }

    /// A quotient of numbers that are no less than zero is not, either. By a constant, in single precision, it keeps the order of numbers but for
    /// [`QUOTIENT_ERROR`].
    fn of_quotient(&mut self, op: Op<'c>) -> Option<f64> {
        let dividend = positive(self.of(op.operand(0))?)?;
        let constant = op.operand(1).constant_float().filter(|constant| constant.is_finite() && *constant > 0.0);
        if let Some(constant) = constant.filter(|_| is_single(op.result(0))) {
            let quotient = (dividend / constant * (1.0 - QUOTIENT_ERROR)).min(f64::from(f32::MAX));
            // What is subnormal has fewer digits, or none.
            return in_single(if quotient < f64::from(f32::MIN_POSITIVE) { 0.0 } else { quotient });
        }
        // A root may be -0, and what is divided by that, or its own reciprocal, is -inf.
        self.of(op.operand(1)).filter(|divisor| *divisor > 0.0).map(|_| 0.0)
    }

    /// A sum of numbers that are no less than zero is not, either.
    fn of_reduction(&mut self, op: Op<'c>) -> Option<f64> {
        let combiner = ReduceOp::cast(op).filter(|_| op.num_operands() == 1)?.single_combiner()?;
        match combiner.kind() {
            OpKind::ArithAddF => positive(self.of(op.operand(0))?).map(|_| 0.0),
            OpKind::ArithMaximumF | OpKind::ArithMaxNumF | OpKind::ArithMinimumF | OpKind::ArithMinNumF => {
                self.of(op.operand(0))
            }
            _ => None,
        }
    }

    /// What a loop carries is no less than zero if it enters the loop so, and if each iteration that gets such numbers hands such on.
    fn of_carried(&mut self, value: Value<'c>) -> Option<f64> {
        if self.natural.contains(&value) {
            return Some(0.0);
        }
        let (block, index) = value.block_argument()?;
        let view = ForOp::cast(block.parent_op()?)?;
        let index = index.checked_sub(1)?;
        positive(self.of(*view.init_args().get(index)?)?)?;
        let known = self.natural.len();
        self.natural.push(value);
        let next = self.of(view.yield_op().operand(index)).and_then(positive);
        if next.is_none() {
            self.natural.truncate(known);
        }
        next.map(|_| 0.0)
    }
}

pub(super) fn is_single(value: Value<'_>) -> bool {
    let ty = value.ty();
    let element = if ty.is_tensor() { ty.element() } else { ty };
    element.is_float() && element.element_bits() == 32
}

fn in_single(number: f64) -> Option<f64> {
    (!number.is_nan()).then_some(f64::from(number as f32))
}

fn positive(number: f64) -> Option<f64> {
    (number >= 0.0).then_some(number)
}

/// The greater of two numbers, of which one may be anything.
fn greatest(left: Option<f64>, right: Option<f64>) -> Option<f64> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.max(right)),
        (one, other) => one.or(other),
    }
}
