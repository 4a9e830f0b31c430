//! What is left of a number when multiples of its divisor are taken away.
//!
//! Programs number their tiles in groups: `group = pid // (GROUP * columns)`, `first = group * GROUP`, and what is left is `pid - first * columns` as
//! often as `pid % (GROUP * columns)`. The first is the same number, so it has the sign of `pid`, whatever the divisor is.

use tk_ir::{Op, OpKind, Value};

/// Factors of a product, at most.
const MOST_FACTORS: usize = 8;

/// Whether the difference is the remainder of its left side: `x - (x / d) * d`, the factors of `d` in any order.
pub(crate) fn is_remainder(difference: Op<'_>) -> bool {
    let (dividend, taken) = (difference.operand(0), difference.operand(1));
    let Some(taken) = Product::of(taken) else { return false };
    taken.factors.iter().enumerate().any(|(index, factor)| {
        let is_quotient =
            |op: &Op<'_>| matches!(op.kind(), OpKind::ArithDivSI | OpKind::ArithDivUI) && op.operand(0) == dividend;
        let quotient = factor.defining_op().filter(is_quotient);
        let divisor = quotient.and_then(|quotient| Product::of(quotient.operand(1)));
        divisor.is_some_and(|divisor| taken.without(index).is_equal(&divisor))
    })
}

/// A product of values and a constant.
struct Product<'c> {
    constant: i64,
    factors: Vec<Value<'c>>,
}

impl<'c> Product<'c> {
    /// The factors of a value; nothing where there are too many.
    fn of(value: Value<'c>) -> Option<Self> {
        let (mut product, mut pending) = (Self { constant: 1, factors: Vec::new() }, vec![value]);
        while let Some(value) = pending.pop() {
            if let Some(constant) = value.constant_int() {
                product.constant = product.constant.checked_mul(constant)?;
            } else if let Some(op) = value.defining_op().filter(|op| op.kind() == OpKind::ArithMulI) {
                pending.extend(op.operands());
            } else {
                product.factors.push(value);
            }
            if pending.len() + product.factors.len() > MOST_FACTORS {
                return None;
            }
        }
        product.factors.sort_by_key(|factor| factor.id());
        Some(product)
    }

    fn without(&self, index: usize) -> Self {
        let mut factors = self.factors.clone();
        factors.remove(index);
        Self { constant: self.constant, factors }
    }

    fn is_equal(&self, other: &Self) -> bool {
        self.constant == other.constant && self.factors == other.factors
    }
}
