//! Writes the operations of a block for two axes, each where it stood.

use super::FlatIndex;
use super::places::{Part, division_of};
use super::tile::Tile;
use crate::cloning::Mapping;
use tk_ir::ops::MakeRangeOp;
use tk_ir::{Block, Builder, Op, OpKind, OpSpec, Type, Value};

/// The block as it is written.
pub(super) struct Tiled<'c> {
    builder: Builder<'c>,
    index: FlatIndex<'c>,
    tile: Tile,
    /// The number of the program, where it has a tile of the rows of several.
    number: Option<Value<'c>>,
    /// What becomes of tensors.
    mapping: Mapping<'c>,
    /// The row and the column of each element in the matrix, once the index is there.
    parts: Option<Parts<'c>>,
}

/// Tensors of two axes.
#[derive(Clone, Copy)]
struct Parts<'c> {
    row: Value<'c>,
    column: Value<'c>,
}

/// Where a tile begins in the matrix.
#[derive(Clone, Copy)]
struct Corner<'c> {
    row: Value<'c>,
    /// Nothing where it is the first column.
    column: Option<Value<'c>>,
}

impl<'c> Tiled<'c> {
    /// Replaces all operations on tensors.
    pub(super) fn write(block: Block<'c>, index: FlatIndex<'c>, tile: Tile, number: Option<Value<'c>>) {
        let has_tensors =
            |op: &Op<'c>| op.operands().into_iter().chain(op.results()).any(|value| value.ty().is_tensor());
        let old: Vec<Op<'c>> = block.ops().into_iter().filter(has_tensors).collect();
        let builder = Builder::before(index.sum);
        let mut tiled = Self { builder, index, tile, number, mapping: Mapping::default(), parts: None };
        for op in &old {
            tiled.builder.move_before(*op);
            tiled.builder.set_location(op.loc());
            tiled.write_op(*op);
        }
        old.into_iter().rev().for_each(Op::erase);
    }

    fn write_op(&mut self, op: Op<'c>) {
        if op == self.index.sum {
            self.write_index();
            return;
        }
        let division = division_of(op, self.index).filter(|division| division.divisor == self.tile.length);
        if let Some((division, parts)) = division.zip(self.parts) {
            let value = match division.part {
                Part::Row => parts.row,
                Part::Column => parts.column,
            };
            self.mapping.insert(op.result(0), value);
            return;
        }
        if let Some(range) = MakeRangeOp::cast(op) {
            let start = range.start();
            let value = self.numbers_of_block(op.result(0).ty(), start as i32);
            self.mapping.insert(op.result(0), value);
            return;
        }
        let constant = Some(op).filter(|op| op.kind() == OpKind::ArithConstant).and_then(|op| op.result(0).constant());
        if let Some(value) = constant.and_then(|constant| constant.as_splat()) {
            let ty = self.reshaped(op.result(0).ty());
            let tiled = self.builder.constant(op.context().splat_attr(ty, value));
            self.mapping.insert(op.result(0), tiled);
            return;
        }
        self.write_elements(op);
    }

    /// An operation whose tensors get another shape, and nothing else.
    fn write_elements(&mut self, op: Op<'c>) {
        let operands: Vec<Value<'c>> = op.operands().into_iter().map(|operand| self.mapping.get(operand)).collect();
        let results: Vec<Type<'c>> = op.results().into_iter().map(|result| self.reshaped(result.ty())).collect();
        let spec = OpSpec::new(op.kind()).operands(&operands).results(&results).attrs(&op.attrs());
        let tiled = self.builder.insert(spec);
        for (old, new) in op.results().into_iter().zip(tiled.results()) {
            self.mapping.insert(old, new);
        }
    }

    /// The index, as the number of a row times its length and the number of a column.
    fn write_index(&mut self) {
        let ty = self.index.sum.result(0).ty();
        let (rows_type, columns_type) = (ty.with_shape(&[self.tile.rows]), ty.with_shape(&[self.tile.columns]));
        let corner = self.corner();
        let first = self.builder.splat(corner.row, rows_type);
        let rows = self.builder.make_range(0, self.tile.rows as i32, rows_type);
        let rows = self.builder.binary(OpKind::ArithAddI, first, rows);
        let mut columns = self.builder.make_range(0, self.tile.columns as i32, columns_type);
        if let Some(first) = corner.column {
            let first = self.builder.splat(first, columns_type);
            columns = self.builder.binary(OpKind::ArithAddI, first, columns);
        }
        let length = self.builder.int(rows_type, self.tile.length);
        let starts = self.builder.binary(OpKind::ArithMulI, rows, length);
        let column = self.along_rows(columns);
        let (row, starts) = (self.along_columns(rows), self.along_columns(starts));
        let index = self.builder.binary(OpKind::ArithAddI, starts, column);
        self.parts = Some(Parts { row, column });
        self.mapping.insert(self.index.sum.result(0), index);
    }

    /// Programs of one group have the same rows, and a program of its own block begins at the start of a row.
    fn corner(&mut self) -> Corner<'c> {
        let start = self.index.start;
        let Some(number) = self.number else {
            let length = self.builder.int(start.ty(), self.tile.length);
            return Corner { row: self.builder.binary(OpKind::ArithDivSI, start, length), column: None };
        };
        let programs = self.builder.int(number.ty(), self.tile.programs());
        let group = self.builder.binary(OpKind::ArithDivUI, number, programs);
        let place = self.builder.binary(OpKind::ArithRemUI, number, programs);
        let (rows, columns) =
            (self.builder.int(number.ty(), self.tile.rows), self.builder.int(number.ty(), self.tile.columns));
        let row = self.builder.binary(OpKind::ArithMulI, group, rows);
        let column = self.builder.binary(OpKind::ArithMulI, place, columns);
        Corner { row, column: Some(column) }
    }

    /// The numbers from `start` on, row by row, in a block that has whole rows.
    fn numbers_of_block(&mut self, ty: Type<'c>, start: i32) -> Value<'c> {
        let (rows_type, columns_type) = (ty.with_shape(&[self.tile.rows]), ty.with_shape(&[self.tile.columns]));
        let rows = self.builder.make_range(0, self.tile.rows as i32, rows_type);
        let length = self.builder.int(rows_type, self.tile.columns);
        let starts = self.builder.binary(OpKind::ArithMulI, rows, length);
        let columns = self.builder.make_range(start, start.wrapping_add(self.tile.columns as i32), columns_type);
        let (starts, columns) = (self.along_columns(starts), self.along_rows(columns));
        self.builder.binary(OpKind::ArithAddI, starts, columns)
    }

    /// One number for each row, in all its columns.
    fn along_columns(&mut self, rows: Value<'c>) -> Value<'c> {
        let (ty, one) = (rows.ty().with_shape(&self.shape()), rows.ty().with_shape(&[self.tile.rows, 1]));
        let column = self.builder.expand_dims(rows, 1, one);
        self.builder.broadcast(column, ty)
    }

    /// One number for each column, in all rows.
    fn along_rows(&mut self, columns: Value<'c>) -> Value<'c> {
        let (ty, one) = (columns.ty().with_shape(&self.shape()), columns.ty().with_shape(&[1, self.tile.columns]));
        let row = self.builder.expand_dims(columns, 0, one);
        self.builder.broadcast(row, ty)
    }

    fn shape(&self) -> [i64; 2] {
        [self.tile.rows, self.tile.columns]
    }

    fn reshaped(&self, ty: Type<'c>) -> Type<'c> {
        if ty.is_tensor() { ty.with_shape(&self.shape()) } else { ty }
    }
}
