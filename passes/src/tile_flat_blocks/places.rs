//! Where the elements of a block lie: how numbers and pointers change from one column to the next, and from one row to the next. How far the next column
//! is away may be a number of the launch ([`Distance::OfLaunch`]), as `total // columns` is.

use super::FlatIndex;
use crate::operations::computations::{Computation, computation};
use rustc_hash::FxHashMap;
use tk_ir::{Op, OpKind, Value};

/// What is taken of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Row,
    Column,
}

/// A division of the index by a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Division {
    pub(super) part: Part,
    pub(super) divisor: i64,
}

/// `None` for other operations. The index is not negative, so signed divisions are those of unsigned numbers.
pub(super) fn division_of(op: Op<'_>, index: FlatIndex<'_>) -> Option<Division> {
    let kinds = [
        (OpKind::ArithDivSI, Part::Row),
        (OpKind::ArithDivUI, Part::Row),
        (OpKind::ArithRemSI, Part::Column),
        (OpKind::ArithRemUI, Part::Column),
    ];
    let (_, part) = kinds.into_iter().find(|(kind, _)| *kind == op.kind())?;
    let divides = op.operand(0) == index.sum.result(0) && op.discardable_attrs().is_empty();
    let divisor = op.operand(1).constant_int().filter(|divisor| divides && *divisor > 1)?;
    Some(Division { part, divisor })
}

/// What a number has more in the next column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Distance<'c> {
    Known(i64),
    /// This scalar, of which only a launch says what it is ([`operations_of_launch`]).
    OfLaunch(Value<'c>),
}

/// What a number has more in the next column, and in the next row; pointers, so many elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steps<'c> {
    pub(super) row: i64,
    pub(super) column: Distance<'c>,
}

impl<'c> Steps<'c> {
    /// Those of a number that is the same in the whole block.
    const NONE: Self = Self { row: 0, column: Distance::Known(0) };

    fn plus(self, other: Self) -> Option<Self> {
        let column = match (self.column, other.column) {
            (Distance::Known(left), Distance::Known(right)) => Distance::Known(left.checked_add(right)?),
            (distance @ Distance::OfLaunch(_), Distance::Known(0))
            | (Distance::Known(0), distance @ Distance::OfLaunch(_)) => distance,
            (Distance::OfLaunch(_), Distance::Known(_) | Distance::OfLaunch(_))
            | (Distance::Known(_), Distance::OfLaunch(_)) => return None,
        };
        Some(Self { row: self.row.checked_add(other.row)?, column })
    }

    fn times(self, factor: i64) -> Option<Self> {
        let column = match self.column {
            Distance::Known(column) => Distance::Known(column.checked_mul(factor)?),
            Distance::OfLaunch(_) => return None,
        };
        Some(Self { row: self.row.checked_mul(factor)?, column })
    }

    /// Times a number of the launch: of the number of a column only.
    fn times_number(self, number: Value<'c>) -> Option<Self> {
        let is_column = self == Self { row: 0, column: Distance::Known(1) };
        is_column.then_some(Self { row: 0, column: Distance::OfLaunch(number) })
    }
}

/// How deep the arithmetic of a number of the launch may be nested.
const MOST_DEPTH: u32 = 16;

/// What computes a scalar from parameters and constants, each operation behind those that it needs; nothing of other scalars. It is the same number for all
/// programs.
pub(super) fn operations_of_launch(number: Value<'_>) -> Option<Vec<Op<'_>>> {
    let mut found = Vec::new();
    add_operations(number, MOST_DEPTH, &mut found).then_some(found)
}

fn add_operations<'c>(number: Value<'c>, depth: u32, found: &mut Vec<Op<'c>>) -> bool {
    let Some(op) = number.defining_op() else { return true };
    if found.contains(&op) {
        return true;
    }
    let is_arithmetic = match computation(op.kind()) {
        Computation::Constant | Computation::Arithmetic => op.num_regions() == 0 && op.is_memory_effect_free(),
        Computation::Repeat
        | Computation::Range
        | Computation::Function
        | Computation::Cast
        | Computation::Load
        | Computation::Reduction
        | Computation::Other => false,
    };
    let mut operands = op.operands().into_iter();
    let is_of_launch = depth > 0
        && is_arithmetic
        && operands.all(|operand| !operand.ty().is_tensor() && add_operations(operand, depth - 1, found));
    if is_of_launch {
        found.push(op);
    }
    is_of_launch
}

/// The integer that all elements of a tensor are, if it is one of the launch.
fn number_of_launch(tensor: Value<'_>) -> Option<Value<'_>> {
    let splat = tensor.defining_op().filter(|op| op.kind() == OpKind::TtSplat)?;
    let number = Some(splat.operand(0)).filter(|number| number.ty().is_int_like())?;
    operations_of_launch(number).map(|_| number)
}

/// The steps of tensors, by the length of a row; `None` for those whose elements differ in any other way.
pub(super) struct Places<'c> {
    steps: FxHashMap<usize, Option<Steps<'c>>>,
    length: i64,
}

impl<'c> Places<'c> {
    /// Those of the tensors that the operations of a block give.
    pub(super) fn of(ops: &[Op<'c>], index: FlatIndex<'c>, length: i64) -> Self {
        let mut places = Self { steps: FxHashMap::default(), length };
        for op in ops {
            let steps = places.of_operation(*op, index);
            for result in op.results() {
                places.steps.insert(result.id(), steps);
            }
        }
        places
    }

    /// Those of the index itself.
    pub(super) fn of_index(&self) -> Steps<'c> {
        Steps { row: self.length, column: Distance::Known(1) }
    }

    /// A scalar is one number for the block.
    pub(super) fn get(&self, value: Value<'c>) -> Option<Steps<'c>> {
        if value.ty().is_tensor() { self.steps.get(&value.id()).copied().flatten() } else { Some(Steps::NONE) }
    }

    fn of_operation(&self, op: Op<'c>, index: FlatIndex<'c>) -> Option<Steps<'c>> {
        let kind = op.kind();
        let of = |at: usize| self.get(op.operand(at));
        let constant = |at: usize| op.operand(at).constant_int();
        if op == index.sum || kind == OpKind::TtMakeRange {
            return Some(self.of_index());
        }
        if let Some(division) = division_of(op, index).filter(|division| division.divisor == self.length) {
            return Some(match division.part {
                Part::Row => Steps { row: 1, column: Distance::Known(0) },
                Part::Column => Steps { row: 0, column: Distance::Known(1) },
            });
        }
        if matches!(kind, OpKind::ArithAddI | OpKind::TtAddPtr) {
            return of(0)?.plus(of(1)?);
        }
        if kind == OpKind::ArithSubI {
            return of(0)?.plus(of(1)?.times(-1)?);
        }
        if kind == OpKind::ArithMulI {
            let known = constant(1).map(|factor| (0, factor)).or(constant(0).map(|factor| (1, factor)));
            if let Some((tensor, factor)) = known {
                return of(tensor)?.times(factor);
            }
            let number = |at: usize| number_of_launch(op.operand(at));
            let (tensor, number) = number(1).map(|number| (0, number)).or(number(0).map(|number| (1, number)))?;
            return of(tensor)?.times_number(number);
        }
        if matches!(kind, OpKind::ArithConstant | OpKind::TtSplat) {
            return Some(Steps::NONE);
        }
        if kind == OpKind::ArithExtSI { of(0) } else { None }
    }
}
