//! Sums as products of values with constants, and the pairs of them that are one index.

use super::intervals::Intervals;
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// Operations behind each other that are taken apart.
const MOST_STEPS: usize = 10;

/// Operations of a sum that are taken apart.
const MOST_OPERATIONS: usize = 64;

/// Terms that a product is distributed to.
const MOST_TERMS: usize = 8;

/// Users of a value that are looked at for divisions by it.
const MOST_USERS: usize = 32;

/// A product, modulo the width of the sum. Values that are narrower than the sum are widened with their sign, and scalars in tensors repeated.
#[derive(Clone)]
pub(super) struct Term<'c> {
    /// In the order of the source.
    pub(super) factors: Vec<Value<'c>>,
    pub(super) coefficient: i64,
}

impl<'c> Term<'c> {
    fn of(factors: Vec<Value<'c>>, coefficient: i64, bits: u32) -> Self {
        Self { factors, coefficient: wrapped(coefficient, bits) }
    }

    /// The product of both.
    fn times(&self, other: &Self, bits: u32) -> Self {
        let factors = self.factors.iter().chain(&other.factors).copied().collect();
        Self::of(factors, self.coefficient.wrapping_mul(other.coefficient), bits)
    }

    /// The factors are the same, in any order.
    fn is_like(&self, other: &Self) -> bool {
        let ids = |term: &Self| {
            let mut ids: Vec<usize> = term.factors.iter().map(|factor| factor.id()).collect();
            ids.sort_unstable();
            ids
        };
        self.factors.len() == other.factors.len() && ids(self) == ids(other)
    }

    /// The other factors with the constant.
    fn without(&self, at: usize) -> Self {
        let mut rest = self.clone();
        rest.factors.remove(at);
        rest
    }

    /// Products that it takes to compute it.
    pub(super) fn operations(&self) -> usize {
        (self.factors.len() - 1) + usize::from(self.coefficient != 1)
    }

    /// The product as a value of a type of the width of the sum: what is one number for all elements is multiplied as one.
    pub(super) fn written(&self, ty: Type<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let (tensors, scalars): (Vec<Value<'c>>, Vec<Value<'c>>) =
            self.factors.iter().copied().partition(|factor| factor.ty().is_tensor());
        let mut number: Option<Value<'c>> = None;
        for scalar in scalars {
            let scalar = widened(scalar, ty.element(), builder);
            number = Some(number.map_or(scalar, |number| builder.binary(OpKind::ArithMulI, number, scalar)));
        }
        if self.coefficient != 1 || self.factors.is_empty() {
            let constant = builder.int(ty.element(), self.coefficient);
            number = Some(number.map_or(constant, |number| builder.binary(OpKind::ArithMulI, number, constant)));
        }
        let mut product = number.map(|number| if ty.is_tensor() { builder.splat(number, ty) } else { number });
        for tensor in tensors {
            let tensor = widened(tensor, ty, builder);
            product = Some(product.map_or(tensor, |product| builder.binary(OpKind::ArithMulI, tensor, product)));
        }
        product.unwrap_or_else(|| builder.int(ty, self.coefficient))
    }
}

fn widened<'c>(value: Value<'c>, ty: Type<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    if value.ty() == ty { value } else { builder.cast(OpKind::ArithExtSI, value, ty) }
}

/// The number modulo 2^`bits`, with its sign.
fn wrapped(number: i64, bits: u32) -> i64 {
    let unused = 64_u32.saturating_sub(bits);
    number.wrapping_shl(unused).wrapping_shr(unused)
}

/// Terms with the same factors as one, without those that are zero.
pub(super) fn merged(terms: Vec<Term<'_>>, bits: u32) -> Vec<Term<'_>> {
    let mut merged: Vec<Term<'_>> = Vec::new();
    for term in terms {
        match merged.iter_mut().find(|other| other.is_like(&term)) {
            Some(other) => other.coefficient = wrapped(other.coefficient.wrapping_add(term.coefficient), bits),
            None => merged.push(term),
        }
    }
    merged.retain(|term| term.coefficient != 0);
    merged
}

/// A term with a remainder: what the term with its quotient has to be, and what both are.
pub(super) struct Counterpart<'c> {
    /// The product with the divisor in place of the quotient.
    scale: Term<'c>,
    division: Division<'c>,
    pub(super) joined: Term<'c>,
}

impl<'c> Counterpart<'c> {
    /// The term is the quotient times the factor of the remainder times the divisor.
    pub(super) fn is_whole(&self, term: &Term<'c>) -> bool {
        term.coefficient == self.scale.coefficient
            && term.factors.len() == self.scale.factors.len() + 1
            && (0..term.factors.len())
                .any(|at| self.division.has_quotient(term.factors[at]) && term.without(at).is_like(&self.scale))
    }
}

/// What is divided, and by what.
#[derive(Clone, Copy)]
struct Division<'c> {
    dividend: Value<'c>,
    divisor: Value<'c>,
    /// The operation that gives the quotient.
    kind: OpKind,
}

impl<'c> Division<'c> {
    /// The division that a value is the remainder of.
    fn with_remainder(value: Value<'c>) -> Option<Self> {
        let op = value.defining_op().filter(|op| op.discardable_attrs().is_empty())?;
        let pairs = [(OpKind::ArithRemSI, OpKind::ArithDivSI), (OpKind::ArithRemUI, OpKind::ArithDivUI)];
        let (_, kind) = pairs.into_iter().find(|(remainder, _)| *remainder == op.kind())?;
        Some(Self { dividend: op.operand(0), divisor: op.operand(1), kind })
    }

    /// The value is the quotient: also `x / 128` of the dividend `x / 16` and the divisor 8.
    fn has_quotient(&self, value: Value<'c>) -> bool {
        let Some(op) = quotient(value, self.kind) else { return false };
        if op.operand(0) == self.dividend && op.operand(1) == self.divisor {
            return true;
        }
        let positive = |divisor: Value<'_>| divisor.constant_int().filter(|divisor| *divisor > 0);
        let Some(inner) = quotient(self.dividend, self.kind).filter(|inner| inner.operand(0) == op.operand(0)) else {
            return false;
        };
        let product = positive(inner.operand(1)).zip(positive(self.divisor)).and_then(|(a, b)| a.checked_mul(b));
        product.is_some() && product == positive(op.operand(1))
    }
}

/// The division of this kind that gives the value.
fn quotient<'c>(value: Value<'c>, kind: OpKind) -> Option<Op<'c>> {
    value.defining_op().filter(|op| op.kind() == kind && op.discardable_attrs().is_empty())
}

/// Takes values apart.
pub(super) struct Expansion<'c, 'm> {
    /// The width of the sum.
    bits: u32,
    intervals: Intervals<'c, 'm>,
    operations: usize,
}

impl<'c, 'm> Expansion<'c, 'm> {
    /// `conditions` are true wherever the sum is needed.
    pub(super) fn new(bits: u32, conditions: &'m [Value<'c>]) -> Self {
        Self { bits, intervals: Intervals::where_true(conditions), operations: 0 }
    }

    /// Sums and products that were taken apart.
    pub(super) fn operations(&self) -> usize {
        self.operations
    }

    pub(super) fn terms_of(&mut self, value: Value<'c>) -> Vec<Term<'c>> {
        let terms = self.taken_apart(value, MOST_STEPS);
        merged(terms, self.bits)
    }

    fn taken_apart(&mut self, value: Value<'c>, steps: usize) -> Vec<Term<'c>> {
        if let Some(constant) = value.constant_int() {
            return vec![Term::of(Vec::new(), constant, self.bits)];
        }
        let has_room = steps > 0 && self.operations < MOST_OPERATIONS;
        let op = value.defining_op().filter(|op| has_room && op.discardable_attrs().is_empty());
        let Some(op) = op else { return self.whole(value) };
        let is = |kind: OpKind| op.kind() == kind;
        if is(OpKind::ArithExtSI) && op.operand(0).ty().element_bits() >= 8 {
            return self.taken_apart(op.operand(0), steps - 1);
        }
        let is_sum = is(OpKind::ArithAddI) || is(OpKind::ArithSubI);
        let is_taken_apart = is(OpKind::ArithMulI) || is_sum && !is_divisor(value);
        if !is_taken_apart || !self.is_exact(op) {
            return self.whole(value);
        }
        self.operations += 1;
        let left = self.taken_apart(op.operand(0), steps - 1);
        let right = self.taken_apart(op.operand(1), steps - 1);
        if is(OpKind::ArithMulI) {
            if left.len() * right.len() > MOST_TERMS {
                return self.whole(value);
            }
            let bits = self.bits;
            return left.iter().flat_map(|a| right.iter().map(move |b| a.times(b, bits))).collect();
        }
        let sign = Term::of(Vec::new(), if is(OpKind::ArithSubI) { -1 } else { 1 }, self.bits);
        let right = right.iter().map(|term| term.times(&sign, self.bits));
        left.iter().cloned().chain(right).collect()
    }

    /// The value as one factor. A tensor that repeats a scalar is that scalar, and what is widened is what it was.
    fn whole(&self, value: Value<'c>) -> Vec<Term<'c>> {
        vec![Term::of(vec![source_of(value)], 1, self.bits)]
    }

    /// The widened result is what widened operands give.
    fn is_exact(&self, op: Op<'c>) -> bool {
        op.result(0).ty().element_bits() == self.bits || self.intervals.holds_result(op)
    }

    /// For each remainder in a term, what it may be joined with.
    pub(super) fn counterparts(&mut self, term: &Term<'c>) -> Vec<Counterpart<'c>> {
        let mut counterparts = Vec::new();
        for (at, factor) in term.factors.iter().enumerate() {
            let Some(division) = Division::with_remainder(*factor) else { continue };
            let is_widened = factor.ty().element_bits() < self.bits;
            let constant = division.divisor.constant_int();
            // Unsigned parts are not widened with a sign, and the quotient of the least number by -1 is not in range.
            if constant == Some(0)
                || is_widened && (division.kind != OpKind::ArithDivSI || constant.is_some_and(|by| by < 0))
            {
                continue;
            }
            let others = term.without(at);
            let divisor = self.terms_of(division.divisor);
            let [divisor] = &divisor[..] else { continue };
            let index = Term::of(vec![source_of(division.dividend)], 1, self.bits);
            counterparts.push(Counterpart {
                scale: others.times(divisor, self.bits),
                division,
                joined: index.times(&others, self.bits),
            });
        }
        counterparts
    }
}

/// The value before it was widened with its sign and repeated, in one order or the other.
fn source_of(value: Value<'_>) -> Value<'_> {
    unwidened(without_repetition(unwidened(value)))
}

fn without_repetition(value: Value<'_>) -> Value<'_> {
    let repetition = value.defining_op().filter(|op| op.kind() == OpKind::TtSplat && op.discardable_attrs().is_empty());
    repetition.map_or(value, |op| op.operand(0))
}

/// Truth values stay as they are: they are no numbers of a sum.
fn unwidened(value: Value<'_>) -> Value<'_> {
    let is_extension = |op: &Op<'_>| op.kind() == OpKind::ArithExtSI && op.discardable_attrs().is_empty();
    let extension = value.defining_op().filter(is_extension).filter(|op| op.operand(0).ty().element_bits() >= 8);
    extension.map_or(value, |op| op.operand(0))
}

/// Something is divided by the value: in products it stays what it is there.
fn is_divisor(value: Value<'_>) -> bool {
    value.users().into_iter().take(MOST_USERS).any(|(user, operand)| {
        let divides =
            matches!(user.kind(), OpKind::ArithDivSI | OpKind::ArithDivUI | OpKind::ArithRemSI | OpKind::ArithRemUI);
        divides && operand == 1
    })
}
