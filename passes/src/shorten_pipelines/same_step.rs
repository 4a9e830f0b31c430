//! Whether code before a loop is the body of the loop for an earlier iteration.
//!
//! Values are compared by the operations that make them. Scalar integers are compared as sums of products with constants, since code before
//! the loop has been simplified with a known induction variable: `K - 128` there is `K - (i + 3) * 128` for `i = -2`.

use rustc_hash::FxHashMap;
use tk_ir::ops::arith::CmpIOp;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Op, OpKind, Value};

/// What a copy is computed from: all operands but its place in shared memory.
pub(super) fn sources(copy: Op<'_>) -> impl ExactSizeIterator<Item = Value<'_>> {
    let operands = copy.operands();
    (0..operands.len()).filter(|at| *at != 1).map(move |at| operands[at]).collect::<Vec<_>>().into_iter()
}

/// An iteration of a loop that code before it may be.
pub(super) struct Step<'c> {
    view: ForOp<'c>,
    /// The induction variable of that iteration.
    induction: i64,
    /// What the values are that it carries, by number, as far as they have been found.
    carried: FxHashMap<usize, Value<'c>>,
}

/// A sum of products of values with constants, modulo `2^64`; `bits` says how much of it counts.
struct Sum {
    bits: u32,
    constant: i64,
    factors: FxHashMap<usize, i64>,
}

impl Sum {
    fn of_constant(bits: u32, constant: i64) -> Self {
        Self { bits, constant, factors: FxHashMap::default() }
    }

    /// `self + other * factor`.
    fn plus(mut self, other: &Sum, factor: i64) -> Self {
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor));
        for (value, own) in &other.factors {
            let sum = self.factors.entry(*value).or_insert(0);
            *sum = sum.wrapping_add(own.wrapping_mul(factor));
        }
        self
    }

    fn is_zero(&self) -> bool {
        let shift = 64 - self.bits.clamp(1, 64);
        std::iter::once(&self.constant).chain(self.factors.values()).all(|number| number << shift == 0)
    }
}

impl<'c> Step<'c> {
    pub(super) fn new(view: ForOp<'c>, induction: i64) -> Self {
        Self { view, induction, carried: FxHashMap::default() }
    }

    /// What the value of this number was in the iteration, where a comparison found it.
    pub(super) fn carried(&self, number: usize) -> Option<Value<'c>> {
        self.carried.get(&number).copied()
    }

    /// Whether a copy of the loop and one before it copy the same.
    pub(super) fn is_same_copy(&mut self, inside: Op<'c>, before: Op<'c>) -> bool {
        let is_alike = inside.kind() == before.kind() && has_same_attributes(inside, before);
        let (inside, before) = (sources(inside), sources(before));
        is_alike
            && inside.len() == before.len()
            && inside.zip(before).all(|(inside, before)| self.is_same(inside, before))
    }

    /// Whether a value of the loop is in this iteration what a value before the loop is.
    pub(super) fn is_same(&mut self, inside: Value<'c>, before: Value<'c>) -> bool {
        if inside.ty() != before.ty() {
            return false;
        }
        if let Some(number) = self.number(inside) {
            return *self.carried.entry(number).or_insert(before) == before;
        }
        let Some(op) = inside.defining_op().filter(|op| op.block() == Some(self.view.body())) else {
            let is_induction = inside == self.view.induction_var();
            let known = if is_induction { Some(self.induction) } else { inside.constant_int() };
            return !is_induction && inside == before || known.is_some() && known == before.constant_int();
        };
        if self.is_same_sum(inside, before) || self.is_same_test(inside, before) {
            return true;
        }
        let Some(other) = before.defining_op() else { return false };
        op.kind() == other.kind()
            && inside.result_number() == before.result_number()
            && op.num_operands() == other.num_operands()
            && has_same_attributes(op, other)
            && op.operands().into_iter().zip(other.operands()).all(|(inside, before)| self.is_same(inside, before))
    }

    /// The number of a carried value.
    fn number(&self, value: Value<'c>) -> Option<usize> {
        let (block, index) = value.block_argument()?;
        index.checked_sub(1).filter(|_| block == self.view.body())
    }

    fn is_same_sum(&self, inside: Value<'c>, before: Value<'c>) -> bool {
        let sums = self.sum(inside).zip(self.sum(before));
        sums.is_some_and(|(inside, before)| inside.plus(&before, -1).is_zero())
    }

    /// Whether both are comparisons that ask for the sign of the same sum.
    fn is_same_test(&self, inside: Value<'c>, before: Value<'c>) -> bool {
        let tests = self.positive(inside).zip(self.positive(before));
        tests.is_some_and(|(inside, before)| inside.plus(&before, -1).is_zero())
    }

    /// The sum that a comparison of scalars says is positive.
    fn positive(&self, value: Value<'c>) -> Option<Sum> {
        let test = CmpIOp::cast(value.defining_op()?)?;
        let (left, right) = (self.sum(test.op.operand(0))?, self.sum(test.op.operand(1))?);
        let one = Sum::of_constant(left.bits, 1);
        match test.predicate() {
            CmpI::Slt => Some(right.plus(&left, -1)),
            CmpI::Sgt => Some(left.plus(&right, -1)),
            CmpI::Sle => Some(right.plus(&left, -1).plus(&one, 1)),
            CmpI::Sge => Some(left.plus(&right, -1).plus(&one, 1)),
            CmpI::Eq | CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => None,
        }
    }

    /// A scalar integer as a sum; nothing for one that depends on a carried value that is not known yet.
    fn sum(&self, value: Value<'c>) -> Option<Sum> {
        let bits =
            Some(value.ty()).filter(|ty| !ty.is_tensor()).and_then(|ty| ty.int_bits()).filter(|bits| *bits > 1)?;
        if value == self.view.induction_var() {
            return Some(Sum::of_constant(bits, self.induction));
        }
        if let Some(number) = self.number(value) {
            return self.sum(self.carried(number)?);
        }
        if let Some(constant) = value.constant_int() {
            return Some(Sum::of_constant(bits, constant));
        }
        let of_operands = |op: Op<'c>| Some((self.sum(op.operand(0))?, self.sum(op.operand(1))?));
        match value.defining_op().map(|op| (op, op.kind())) {
            Some((op, OpKind::ArithAddI)) => of_operands(op).map(|(left, right)| left.plus(&right, 1)),
            Some((op, OpKind::ArithSubI)) => of_operands(op).map(|(left, right)| left.plus(&right, -1)),
            Some((op, OpKind::ArithMulI)) => {
                let (left, right) = of_operands(op)?;
                match (left.factors.is_empty(), right.factors.is_empty()) {
                    (_, true) => Some(Sum::of_constant(bits, 0).plus(&left, right.constant)),
                    (true, false) => Some(Sum::of_constant(bits, 0).plus(&right, left.constant)),
                    (false, false) => None,
                }
            }
            Some((op, _)) if op.block() == Some(self.view.body()) => None,
            Some(_) | None => Some(Sum { bits, constant: 0, factors: FxHashMap::from_iter([(value.id(), 1)]) }),
        }
    }
}

/// The attributes say the same; names of places in the program are no attributes.
fn has_same_attributes(a: Op<'_>, b: Op<'_>) -> bool {
    let (a, b) = (a.attrs(), b.attrs());
    a.len() == b.len() && a.iter().all(|one| b.contains(one))
}
