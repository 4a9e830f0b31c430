//! What has to hold of the numbers of a program for the addresses of an access to be aligned.
//!
//! An address is a sum. Some of its terms are known to be multiples of the alignment, and constants say by how much the sum misses one. The others are
//! numbers of the program, as where a row starts, or products with them, as an index times a stride. Where those numbers are multiples too, every
//! address misses the alignment by what the constants say, in all threads. Nothing is said of addresses with terms that differ from thread to thread
//! in any other way: some would be aligned and others not.
//!
//! A sum or product that wraps around misses a power of two by as much as one that does not, and so does one that is negative. True for integers that
//! count to the alignment, which truth values do not.

use super::MOST_STEPS;
use crate::analysis::AxisFacts;
use crate::analysis::axis_flow::unit_of;
use tk_ir::ops::CmpI;
use tk_ir::{Builder, OpKind, Value};

/// Numbers that are tested for one branch.
const MOST_TESTED: usize = 4;
/// Operations between a number and the factors of the elements that it becomes.
const MOST_VIEWS: usize = 8;
/// Bits of integers that count to any alignment.
const LEAST_BITS: u32 = 8;
/// Bits of an address as a number.
const POINTER_BITS: u32 = 64;

/// When addresses are aligned.
pub(super) struct Alignment<'c> {
    /// Bytes, a power of two of at most 16.
    pub(super) size: u64,
    /// By how many bytes the addresses miss a multiple of `size` if the numbers are as tested.
    pub(super) missed: u64,
    tested: Vec<Tested<'c>>,
}

/// A number or pointer, the same in all threads, that has to be a multiple of a power of two.
struct Tested<'c> {
    number: Value<'c>,
    multiple: u64,
}

/// A part of a sum, and what it is multiplied by. Both wrap around.
#[derive(Clone, Copy)]
struct Part<'c> {
    value: Value<'c>,
    factor: u64,
}

impl<'c> Alignment<'c> {
    /// `None` where nothing, or too much, is to be tested, or where no test of numbers says it.
    pub(super) fn of(pointer: Value<'c>, size: u64, facts: &AxisFacts) -> Option<Self> {
        let mut alignment = Self { size, missed: 0, tested: Vec::new() };
        let mut pending = vec![Part { value: pointer, factor: 1 }];
        for _ in 0..MOST_STEPS {
            let Some(part) = pending.pop() else {
                return (!alignment.tested.is_empty()).then_some(alignment);
            };
            pending.extend(alignment.take(part, facts)?);
        }
        None
    }

    /// Whether it holds, as the program finds out; `None` does not happen.
    pub(super) fn condition(&self, builder: &mut Builder<'c>) -> Option<Value<'c>> {
        let conditions: Vec<Value<'c>> = self.tested.iter().map(|tested| tested.condition(builder)).collect();
        conditions.into_iter().reduce(|all, one| builder.binary(OpKind::ArithAndI, all, one))
    }

    /// Says what has to hold of a part, or gives the parts that it is the sum of.
    fn take(&mut self, part: Part<'c>, facts: &AxisFacts) -> Option<Vec<Part<'c>>> {
        let Part { value, factor } = part;
        if value.ty().is_int_like() && value.ty().element_bits() < LEAST_BITS {
            return None;
        }
        if let Some(constant) = constant_of(value, facts) {
            self.missed = self.missed.wrapping_add(constant.wrapping_mul(factor)) & (self.size - 1);
            return Some(Vec::new());
        }
        let multiple = self.multiple_of(factor);
        if is_multiple(value, multiple, facts) {
            return Some(Vec::new());
        }
        let parts = part.summands(facts);
        if value.ty().is_tensor() {
            return parts.or_else(|| self.test_factor(value, multiple, facts).map(|()| Vec::new()));
        }
        // The sum of two numbers of which nothing is known is tested, and not each of them.
        let is_known = |part: &Part<'c>| {
            constant_of(part.value, facts).is_some() || is_multiple(part.value, self.multiple_of(part.factor), facts)
        };
        let parts = parts.filter(|parts| parts.len() == 1 || parts.iter().any(is_known));
        parts.or_else(|| self.test(value, multiple, facts).map(|()| Vec::new()))
    }

    /// Of what power of two a number has to be a multiple for `factor` times the number to be one of the size.
    fn multiple_of(&self, factor: u64) -> u64 {
        self.size >> factor.trailing_zeros().min(self.size.trailing_zeros())
    }

    /// Tests the number that is a factor of all elements of a tensor.
    fn test_factor(&mut self, product: Value<'c>, multiple: u64, facts: &AxisFacts) -> Option<()> {
        let op = product.defining_op().filter(|op| op.kind() == OpKind::ArithMulI)?;
        let (left, right) = (op.operand(0), op.operand(1));
        let (number, others) = match (number_of(left), number_of(right)) {
            (Some(number), _) => (number, right),
            (None, Some(number)) => (number, left),
            (None, None) => return None,
        };
        let known = facts.get(others).overall_divisor().min(multiple);
        self.test(number, multiple / known, facts)
    }

    fn test(&mut self, number: Value<'c>, multiple: u64, facts: &AxisFacts) -> Option<()> {
        if is_multiple(number, multiple, facts) {
            return Some(());
        }
        let counts_to_it = number.ty().int_bits().is_some_and(|bits| bits >= LEAST_BITS);
        if !counts_to_it && !number.ty().is_ptr() {
            return None;
        }
        match self.tested.iter_mut().find(|tested| tested.number == number) {
            Some(tested) => tested.multiple = tested.multiple.max(multiple),
            None => self.tested.push(Tested { number, multiple }),
        }
        (self.tested.len() <= MOST_TESTED).then_some(())
    }
}

impl<'c> Tested<'c> {
    fn condition(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let number = if self.number.ty().is_ptr() {
            let ty = builder.context().i(POINTER_BITS);
            builder.cast(OpKind::TtPtrToInt, self.number, ty)
        } else {
            self.number
        };
        let low_bits = builder.int(number.ty(), self.multiple as i64 - 1);
        let rest = builder.binary(OpKind::ArithAndI, number, low_bits);
        let zero = builder.int(number.ty(), 0);
        builder.cmpi(CmpI::Eq, rest, zero)
    }
}

impl<'c> Part<'c> {
    /// The parts that it is the sum of, or the one that it is a multiple or a copy of; `None` for anything else.
    fn summands(self, facts: &AxisFacts) -> Option<Vec<Self>> {
        let op = self.value.defining_op()?;
        let kind = op.kind();
        let part = |index: usize, by: u64| Self { value: op.operand(index), factor: self.factor.wrapping_mul(by) };
        let constant = |index: usize| constant_of(op.operand(index), facts);
        if kind == OpKind::TtAddPtr {
            return Some(vec![part(0, 1), part(1, unit_of(self.value.ty()))]);
        }
        if kind == OpKind::ArithAddI {
            return Some(vec![part(0, 1), part(1, 1)]);
        }
        if kind == OpKind::ArithSubI {
            return Some(vec![part(0, 1), part(1, 1u64.wrapping_neg())]);
        }
        if kind == OpKind::ArithMulI {
            return match (constant(0), constant(1)) {
                (_, Some(by)) => Some(vec![part(0, by)]),
                (Some(by), None) => Some(vec![part(1, by)]),
                (None, None) => None,
            };
        }
        if kind == OpKind::ArithShLI {
            let places = constant(1).filter(|places| *places < u64::from(self.value.ty().element_bits()))?;
            return Some(vec![part(0, 1 << places)]);
        }
        is_view(kind).then(|| vec![part(0, 1)])
    }
}

/// The number that all elements of a tensor are.
fn number_of(tensor: Value<'_>) -> Option<Value<'_>> {
    let mut value = tensor;
    for _ in 0..MOST_VIEWS {
        let op = value.defining_op()?;
        if op.kind() == OpKind::TtSplat {
            return Some(op.operand(0));
        }
        value = Some(op).filter(|op| is_view(op.kind()))?.operand(0);
    }
    None
}

/// The low bits of the result are those of the operand, in the same elements or in others.
fn is_view(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::TtSplat
            | OpKind::TtBroadcast
            | OpKind::TtExpandDims
            | OpKind::TtgConvertLayout
            | OpKind::TkHint
            | OpKind::ArithExtSI
            | OpKind::ArithExtUI
    )
}

/// The bits of an integer that is the same everywhere.
fn constant_of(value: Value<'_>, facts: &AxisFacts) -> Option<u64> {
    facts.get(value).constant.filter(|_| !value.ty().is_ptr_like()).map(|constant| constant as u64)
}

fn is_multiple(value: Value<'_>, multiple: u64, facts: &AxisFacts) -> bool {
    multiple == 1 || facts.get(value).overall_divisor() >= multiple
}
