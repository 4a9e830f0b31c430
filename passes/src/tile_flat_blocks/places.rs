//! Where the elements of a block lie: how numbers and pointers change from one column to the next, and from one row to the next.

use super::FlatIndex;
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

/// What a number has more in the next column, and in the next row; pointers, so many elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Steps {
    pub(super) row: i64,
    pub(super) column: i64,
}

impl Steps {
    fn plus(self, other: Self) -> Option<Self> {
        Some(Self { row: self.row.checked_add(other.row)?, column: self.column.checked_add(other.column)? })
    }

    fn times(self, factor: i64) -> Option<Self> {
        Some(Self { row: self.row.checked_mul(factor)?, column: self.column.checked_mul(factor)? })
    }
}

/// The steps of tensors, by the length of a row; `None` for those whose elements differ in any other way.
pub(super) struct Places {
    steps: FxHashMap<usize, Option<Steps>>,
    length: i64,
}

impl Places {
    /// Those of the tensors that the operations of a block give.
    pub(super) fn of(ops: &[Op<'_>], index: FlatIndex<'_>, length: i64) -> Self {
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
    pub(super) fn of_index(&self) -> Steps {
        Steps { row: self.length, column: 1 }
    }

    /// A scalar is one number for the block.
    pub(super) fn get(&self, value: Value<'_>) -> Option<Steps> {
        if value.ty().is_tensor() { self.steps.get(&value.id()).copied().flatten() } else { Some(Steps::default()) }
    }

    fn of_operation(&self, op: Op<'_>, index: FlatIndex<'_>) -> Option<Steps> {
        let kind = op.kind();
        let of = |at: usize| self.get(op.operand(at));
        let constant = |at: usize| op.operand(at).constant_int();
        if op == index.sum || kind == OpKind::TtMakeRange {
            return Some(self.of_index());
        }
        if let Some(division) = division_of(op, index).filter(|division| division.divisor == self.length) {
            return Some(match division.part {
                Part::Row => Steps { row: 1, column: 0 },
                Part::Column => Steps { row: 0, column: 1 },
            });
        }
        if matches!(kind, OpKind::ArithAddI | OpKind::TtAddPtr) {
            return of(0)?.plus(of(1)?);
        }
        if kind == OpKind::ArithSubI {
            return of(0)?.plus(of(1)?.times(-1)?);
        }
        if kind == OpKind::ArithMulI {
            let (tensor, factor) = constant(1).map(|factor| (0, factor)).or(constant(0).map(|factor| (1, factor)))?;
            return of(tensor)?.times(factor);
        }
        if matches!(kind, OpKind::ArithConstant | OpKind::TtSplat) {
            return Some(Steps::default());
        }
        if kind == OpKind::ArithExtSI { of(0) } else { None }
    }
}
