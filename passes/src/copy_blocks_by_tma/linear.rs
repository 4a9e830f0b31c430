//! Indices as sums: a constant, and values that are not looked into, each times a constant.
//!
//! Arithmetic is taken not to wrap around, as in all of the analysis of addresses.

use crate::copy_blocks_by_tma::counted::Counted;
use crate::operations::computations::{Computation, computation};
use tk_ir::ops::{ForOp, MakeRangeOp};
use tk_ir::{OpKind, Value};

/// How deep the arithmetic of an index may be nested.
const MOST_DEPTH: u32 = 12;
/// How many values a sum may have.
const MOST_TERMS: usize = 8;

/// `constant + factor * value + …`.
#[derive(Clone, Debug)]
pub(super) struct LinearForm<'c> {
    constant: i64,
    terms: Vec<Term<'c>>,
}

#[derive(Clone, Copy, Debug)]
struct Term<'c> {
    value: Value<'c>,
    factor: i64,
}

/// What is left of a sum where it is as simple as can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Simple<'c> {
    Constant(i64),
    /// The negative of a value.
    Minus(Value<'c>),
}

impl<'c> LinearForm<'c> {
    /// A number, or the first element of a tensor, in an iteration of a loop.
    pub(super) fn of(value: Value<'c>, view: ForOp<'c>) -> Option<Self> {
        Self::of_nested(value, view, 0)
    }

    pub(super) fn constant(constant: i64) -> Self {
        Self { constant, terms: Vec::new() }
    }

    fn of_nested(value: Value<'c>, view: ForOp<'c>, depth: u32) -> Option<Self> {
        if let Some(constant) = value.constant_int() {
            return Some(Self::constant(constant));
        }
        let whole_of = |value| Self { constant: 0, terms: vec![Term { value, factor: 1 }] };
        let whole = || whole_of(value);
        if let Some(counted) = Counted::of(view, value).filter(|_| depth < MOST_DEPTH) {
            let first = Self::of_nested(counted.first, view, depth + 1)?;
            return first.plus(&whole_of(view.induction_var()), counted.per_count);
        }
        let Some(op) = value.defining_op().filter(|_| depth < MOST_DEPTH) else { return Some(whole()) };
        let operand = |at: usize| Self::of_nested(op.operand(at), view, depth + 1);
        if let Some(range) = MakeRangeOp::cast(op) {
            return Some(Self::constant(range.start()));
        }
        let kind = op.kind();
        if kind == OpKind::ArithAddI || kind == OpKind::ArithSubI {
            operand(0)?.plus(&operand(1)?, if kind == OpKind::ArithAddI { 1 } else { -1 })
        } else if kind == OpKind::ArithMulI {
            Some(operand(0)?.product(&operand(1)?).unwrap_or_else(whole))
        } else if computation(kind) == Computation::Repeat {
            operand(0)
        } else {
            Some(whole())
        }
    }

    /// `None` where one has too many terms.
    pub(super) fn plus(mut self, other: &Self, factor: i64) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for term in &other.terms {
            let more = term.factor.checked_mul(factor)?;
            match self.terms.iter_mut().find(|known| known.value == term.value) {
                Some(known) => known.factor = known.factor.checked_add(more)?,
                None => self.terms.push(Term { value: term.value, factor: more }),
            }
        }
        self.terms.retain(|term| term.factor != 0);
        (self.terms.len() <= MOST_TERMS).then_some(self)
    }

    /// `None` where neither is a constant.
    pub(super) fn product(&self, other: &Self) -> Option<Self> {
        let (sum, factor) = match (self.terms.is_empty(), other.terms.is_empty()) {
            (_, true) => (self, other.constant),
            (true, _) => (other, self.constant),
            (false, false) => return None,
        };
        Self::constant(0).plus(sum, factor)
    }

    pub(super) fn has(&self, value: Value<'c>) -> bool {
        self.terms.iter().any(|term| term.value == value)
    }

    pub(super) fn simple(&self) -> Option<Simple<'c>> {
        match self.terms[..] {
            [] => Some(Simple::Constant(self.constant)),
            [Term { value, factor: -1 }] if self.constant == 0 => Some(Simple::Minus(value)),
            _ => None,
        }
    }
}
