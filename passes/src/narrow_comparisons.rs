//! Comparisons of indices of 64 bits become comparisons of 32.
//!
//! Block pointers, and programs that say `.to(tl.int64)`, compare `start + range < size` in 64 bits: an addition of two instructions for each
//! element, and two comparisons that wait for each other. `range < size - start` says the same. The difference is one number for the
//! whole block, and where it is outside the range the comparison has one answer for all elements; so it is clamped to the range, and 32 bits
//! hold it.
//!
//! Labels of 64 bits are compared with columns the same way, `column == label`: no column is a label that 32 bits do not hold, which is one answer
//! for the whole block.
//!
//! Facts: which terms of an index are one number for the block, and how large they are. An order is changed where the difference cannot wrap
//! around, equality everywhere; both where a thread compares several elements: clamping takes about as many instructions as three comparisons of 64 bits.

use crate::attributes::CONSTANCY;
use crate::encodings::distinct_elements_per_thread;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, ExpandDimsOp, MakeRangeOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "narrow-comparisons", summary: "compare indices of 64 bits in 32 where the rest is one number", run };

/// Elements of a thread from which on a comparison is changed.
const LEAST_ELEMENTS: i64 = 4;

/// Bits of the numbers whose difference is taken, at most, their sign left out: then nothing wraps around.
const MOST_BITS: u32 = 60;

/// Terms of an index, and operations between a number and what its size is known of, at most.
const MOST_STEPS: usize = 8;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        for op in function.descendants() {
            if let Some(plan) = Plan::of(op) {
                plan.apply(op);
            }
        }
    }
    Ok(())
}

/// `index + terms` compared with a number of 64 bits that is the same for the whole block, `size`.
struct Plan<'c> {
    comparison: Comparison,
    index: Index<'c>,
    size: Uniform<'c>,
}

/// What is asked of the index.
enum Comparison {
    /// On which side of the size it is; the elements are from `first` to `last`, the terms left out.
    Order { predicate: CmpI, above: i64, first: i64, last: i64 },
    /// Whether it is the size.
    Equality { predicate: CmpI },
}

impl<'c> Plan<'c> {
    fn of(op: Op<'c>) -> Option<Self> {
        if op.kind() != OpKind::ArithCmpI || op.attr(CONSTANCY).is_some() {
            return None;
        }
        let ty = op.operand(0).ty();
        if !ty.is_tensor() || ty.element_bits() != 64 || distinct_elements_per_thread(ty) < LEAST_ELEMENTS {
            return None;
        }
        let predicate = CmpI::from_number(op.int_attr("predicate")?)?;
        let (left, right) = (op.operand(0), op.operand(1));
        let (predicate, index, size) = match Uniform::of(right) {
            Some(size) => (predicate, left, size),
            None => (turned(predicate)?, right, Uniform::of(left)?),
        };
        // What is known of the bits of an index often answers a comparison with a constant: LLVM sees that.
        if matches!(size, Uniform::Constant(_)) {
            return None;
        }
        let index = Index::of(index)?;
        let comparison = Comparison::of(predicate, &index, &size)?;
        Some(Self { comparison, index, size })
    }

    fn apply(&self, op: Op<'c>) {
        let mut builder = Builder::before(op);
        let wide = op.operand(0).ty().element();
        let mut difference = self.size.value(&mut builder, wide);
        for term in &self.index.terms {
            let term = term.value(&mut builder, wide);
            difference = builder.binary(OpKind::ArithSubI, difference, term);
        }
        let compared = match self.comparison {
            Comparison::Order { predicate, above, first, last } => {
                // Of numbers outside the range all elements are on one side.
                let least = builder.int(wide, first - 1 + above);
                let most = builder.int(wide, last + above);
                let raised = builder.binary(OpKind::ArithMaxSI, difference, least);
                let clamped = builder.binary(OpKind::ArithMinSI, raised, most);
                let (compared, _) = self.compare(&mut builder, predicate, clamped);
                compared
            }
            Comparison::Equality { predicate } => {
                let (compared, bound) = self.compare(&mut builder, predicate, difference);
                // No element is a number that 32 bits do not hold.
                let widened = builder.cast(self.index.widening, bound, wide);
                let holds = builder.cmpi(predicate, widened, difference);
                let holds = builder.splat(holds, compared.ty());
                let join = if predicate == CmpI::Eq { OpKind::ArithAndI } else { OpKind::ArithOrI };
                builder.binary(join, compared, holds)
            }
        };
        op.result(0).replace_all_uses_with(compared);
        op.erase();
    }

    /// Compares the index, its terms left out, with the low 32 bits of a number, and says which number these are.
    fn compare(&self, builder: &mut Builder<'c>, predicate: CmpI, number: Value<'c>) -> (Value<'c>, Value<'c>) {
        let index = self.index.narrow(builder);
        let bound = builder.cast(OpKind::ArithTruncI, number, index.ty().element());
        let all = builder.splat(bound, index.ty());
        (builder.cmpi(predicate, index, all), bound)
    }
}

impl Comparison {
    /// An order is only kept by a difference that cannot wrap around, and needs the bounds of a range; two numbers that are equal stay so.
    fn of(predicate: CmpI, index: &Index<'_>, size: &Uniform<'_>) -> Option<Self> {
        if matches!(predicate, CmpI::Eq | CmpI::Ne) {
            return Some(Self::Equality { predicate });
        }
        let above = clamps_above(predicate)?;
        let is_small = |uniform: &Uniform<'_>| uniform.bits().is_some_and(|bits| bits <= MOST_BITS);
        let (first, last) = index.bounds().filter(|_| is_small(size) && index.terms.iter().all(is_small))?;
        Some(Self::Order { predicate, above, first, last })
    }
}

/// One where the least bound that no element is below is the first element, zero where it is the number before; nothing for comparisons that
/// are not by order.
fn clamps_above(predicate: CmpI) -> Option<i64> {
    match predicate {
        CmpI::Slt | CmpI::Sge => Some(1),
        CmpI::Sle | CmpI::Sgt => Some(0),
        CmpI::Eq | CmpI::Ne | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => None,
    }
}

/// The comparison with its sides exchanged.
fn turned(predicate: CmpI) -> Option<CmpI> {
    match predicate {
        CmpI::Eq | CmpI::Ne => Some(predicate),
        CmpI::Slt => Some(CmpI::Sgt),
        CmpI::Sle => Some(CmpI::Sge),
        CmpI::Sgt => Some(CmpI::Slt),
        CmpI::Sge => Some(CmpI::Sle),
        CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => None,
    }
}

/// A number of 32 bits for each element that is widened, and numbers that are added to all of them.
struct Index<'c> {
    number: Value<'c>,
    /// How it is widened.
    widening: OpKind,
    terms: Vec<Uniform<'c>>,
    /// What gives it its shape after it is widened, the last operation first.
    shaping: Vec<Op<'c>>,
}

impl<'c> Index<'c> {
    fn of(value: Value<'c>) -> Option<Self> {
        let (mut terms, mut shaping, mut value) = (Vec::new(), Vec::new(), value);
        for _ in 0..MOST_STEPS {
            let op = value.defining_op()?;
            if is_shaping(op) {
                shaping.push(op);
                value = op.operand(0);
            } else if op.kind() == OpKind::ArithAddI {
                let (left, right) = (op.operand(0), op.operand(1));
                let (term, rest) = match Uniform::of(right) {
                    Some(term) => (term, left),
                    None => (Uniform::of(left)?, right),
                };
                terms.push(term);
                value = rest;
            } else if matches!(op.kind(), OpKind::ArithExtSI | OpKind::ArithExtUI) {
                let number = op.operand(0);
                return (number.ty().element_bits() == 32).then_some(Self {
                    number,
                    widening: op.kind(),
                    terms,
                    shaping,
                });
            } else {
                return None;
            }
        }
        None
    }

    /// First and last number, the terms left out, where it is a range.
    fn bounds(&self) -> Option<(i64, i64)> {
        let range = before_shaping(self.number).defining_op().and_then(MakeRangeOp::cast)?;
        let (first, last) = (range.start(), range.end() - 1);
        (self.widening == OpKind::ArithExtSI || first >= 0).then_some((first, last))
    }

    /// The number in its last shape, of 32 bits.
    fn narrow(&self, builder: &mut Builder<'c>) -> Value<'c> {
        self.shaping.iter().rev().fold(self.number, |number, op| {
            let ty = op.result(0).ty().with_element(number.ty().element());
            match ExpandDimsOp::cast(*op) {
                Some(expand) => builder.expand_dims(number, expand.axis(), ty),
                None => builder.broadcast(number, ty),
            }
        })
    }
}

fn is_shaping(op: Op<'_>) -> bool {
    matches!(op.kind(), OpKind::TtExpandDims | OpKind::TtBroadcast)
}

fn before_shaping(mut value: Value<'_>) -> Value<'_> {
    while let Some(op) = value.defining_op().filter(|op| is_shaping(*op)) {
        value = op.operand(0);
    }
    value
}

/// A number of 64 bits that all elements of a block have.
#[derive(Clone, Copy)]
enum Uniform<'c> {
    Constant(i64),
    Value(Value<'c>),
}

impl<'c> Uniform<'c> {
    fn of(value: Value<'c>) -> Option<Self> {
        let value = before_shaping(value);
        if let Some(number) = value.constant_int() {
            return Some(Self::Constant(number));
        }
        let scalar = value.splat_source()?;
        Some(scalar.constant_int().map_or(Self::Value(scalar), Self::Constant))
    }

    fn value(self, builder: &mut Builder<'c>, ty: Type<'c>) -> Value<'c> {
        match self {
            Self::Constant(number) => builder.int(ty, number),
            Self::Value(value) => value,
        }
    }

    fn bits(self) -> Option<u32> {
        match self {
            Self::Constant(number) => Some(bits_of(number)),
            Self::Value(value) => bits_of_value(value, MOST_STEPS),
        }
    }
}

fn bits_of(number: i64) -> u32 {
    i64::BITS - number.unsigned_abs().leading_zeros()
}

/// Bits of the largest number that a value can be, its sign left out; nothing where that is not known.
fn bits_of_value(value: Value<'_>, steps: usize) -> Option<u32> {
    if let Some(number) = value.constant_int() {
        return Some(bits_of(number));
    }
    let op = value.defining_op().filter(|_| steps > 0)?;
    let of = |index: usize| bits_of_value(op.operand(index), steps - 1);
    let kind = op.kind();
    if matches!(kind, OpKind::ArithExtSI | OpKind::ArithExtUI) {
        Some(op.operand(0).ty().element_bits())
    } else if matches!(kind, OpKind::ArithAddI | OpKind::ArithSubI) {
        Some(of(0)?.max(of(1)?) + 1)
    } else if kind == OpKind::ArithMulI {
        Some(of(0)? + of(1)?)
    } else if matches!(kind, OpKind::ArithMinSI | OpKind::ArithMaxSI) {
        Some(of(0)?.max(of(1)?))
    } else {
        None
    }
}
