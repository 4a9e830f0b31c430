//! Which tile a program has, and what it touches.

use super::FlatIndex;
use super::places::{Places, division_of};
use crate::analysis::AxisFacts;
use rustc_hash::FxHashSet;
use tk_ir::{Op, OpKind};
use tk_target::SECTOR_BYTES;

/// Columns of a tile, at least: as many of two bytes are the widest access.
const LEAST_COLUMNS: i64 = 8;
/// How many times the cost of a tile that of the block is, at least. Five launches with 2.2 to 5.9 times the cost are 1.9 to 4.1 times as fast with
/// tiles (docs/measurements.md, "Flat indices of a matrix that is turned become tiles").
const LEAST_GAIN: i64 = 2;
/// What a stored sector costs beside a loaded one. A store of a part of a sector takes as long as two whole ones that are loaded.
const COST_OF_STORE: i64 = 2;

/// Programs that have the rows of a tile together, at most: fewer than half of a grid with many are left over then.
const MOST_PROGRAMS: i64 = 1024;

/// Who has the elements of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The program whose block they are.
    Same,
    /// One of the programs that have its rows.
    Other,
}

/// Rows and columns of a program. Both are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) rows: i64,
    pub(super) columns: i64,
    /// Elements of a row of the matrix, a multiple of the columns.
    pub(super) length: i64,
    pub(super) owner: Owner,
}

impl Tile {
    /// The tile that costs least, if a store is turned and it is worth it. Tiles of other elements where programs may exchange theirs.
    pub(super) fn of(ops: &[Op<'_>], index: FlatIndex<'_>, may_exchange: bool, facts: &AxisFacts) -> Option<Self> {
        let users = index.sum.result(0).users().into_iter();
        let lengths: FxHashSet<i64> =
            users.filter_map(|(user, _)| division_of(user, index)).map(|division| division.divisor).collect();
        let mut tiles = Vec::new();
        for length in lengths {
            let traffic = Traffic::of(ops, index, length);
            if traffic.is_turned() {
                tiles.push(Self::of_length(length, &traffic, index, may_exchange, facts));
            }
        }
        // Several lengths that turn a store are those of matrices that are stored in different ways.
        let [tile] = tiles[..] else { return None };
        tile
    }

    fn of_length(
        length: i64,
        traffic: &Traffic,
        index: FlatIndex<'_>,
        may_exchange: bool,
        facts: &AxisFacts,
    ) -> Option<Self> {
        let of_columns = |columns: i64, owner| Self { rows: index.elements / columns, columns, length, owner };
        let whole = Some(of_columns(length, Owner::Same)).filter(|tile| tile.is_whole_block(index, facts));
        if let Some(tile) = whole.filter(|tile| traffic.fills_sectors(tile.rows)) {
            return Some(tile);
        }
        if !may_exchange {
            return None;
        }
        let sizes = std::iter::successors(Some(LEAST_COLUMNS), |columns| columns.checked_mul(2));
        let sizes = sizes.take_while(|columns| 2 * columns <= index.elements && length % columns == 0);
        let tiles = sizes.map(|columns| of_columns(columns, Owner::Other));
        let tiles = tiles.filter(|tile| tile.programs() <= MOST_PROGRAMS);
        let best = tiles.min_by_key(|tile| traffic.cost(*tile))?;
        // The block as it is, in one row.
        let block = Self { rows: 1, columns: index.elements, ..best };
        (LEAST_GAIN * traffic.cost(best) <= traffic.cost(block)).then_some(best)
    }

    /// Blocks begin at the start of a row, and have several.
    fn is_whole_block(self, index: FlatIndex<'_>, facts: &AxisFacts) -> bool {
        let start = facts.get(index.start);
        self.columns.count_ones() == 1
            && self.columns >= LEAST_COLUMNS
            && self.rows > 1
            && start.non_negative
            && start.overall_divisor().is_multiple_of(self.columns.unsigned_abs())
    }

    /// Programs that have the rows of a tile.
    pub(super) fn programs(self) -> i64 {
        self.length / self.columns
    }
}

/// An access, as far as what it touches goes.
#[derive(Clone, Copy, Debug)]
struct Touched {
    /// Bytes from a column to the next one, and from a row to the next one.
    column: i64,
    row: i64,
    /// Bytes of an element.
    bytes: i64,
    is_store: bool,
}

impl Touched {
    /// Rows are stored as columns.
    fn is_turned(self) -> bool {
        self.is_store && self.row == self.bytes && self.column >= i64::from(SECTOR_BYTES)
    }

    /// What it costs to access so many rows and columns.
    fn cost(self, tile: Tile) -> i64 {
        let rows = if self.row == 0 { 1 } else { tile.rows };
        let columns = if self.column == 0 { 1 } else { tile.columns };
        let (to_next_column, to_next_row) = (self.column.max(self.bytes), self.row.max(self.bytes));
        // Lanes follow the axis whose neighbors are nearer.
        let runs = if to_next_column <= to_next_row {
            rows * cost_of_run(columns, to_next_column)
        } else {
            columns * cost_of_run(rows, to_next_row)
        };
        if self.is_store { COST_OF_STORE * runs } else { runs }
    }
}

/// Sectors of elements that follow each other, and one more: a run begins within a sector, or is a request of its own.
fn cost_of_run(elements: i64, step: i64) -> i64 {
    let sector = i64::from(SECTOR_BYTES);
    if step >= sector { 2 * elements } else { elements.saturating_mul(step).saturating_add(sector - 1) / sector + 1 }
}

/// What the accesses of a block touch.
struct Traffic(Vec<Touched>);

impl Traffic {
    fn of(ops: &[Op<'_>], index: FlatIndex<'_>, length: i64) -> Self {
        let places = Places::of(ops, index, length);
        let accesses = ops.iter().filter(|op| matches!(op.kind(), OpKind::TtLoad | OpKind::TtStore));
        let touched = accesses.filter(|op| op.operand(0).ty().is_tensor()).map(|op| {
            let pointer = op.operand(0);
            let bits = pointer.ty().pointee().map_or(0, |element| element.element_bits());
            let bytes = i64::from(bits.div_ceil(8).max(1));
            // What is not known is mostly a pair, or a half of the index: as far apart as the index.
            let steps = places.get(pointer).unwrap_or_else(|| places.of_index());
            let distance = |step: i64| step.saturating_mul(bytes).saturating_abs();
            let is_store = op.kind() == OpKind::TtStore;
            Touched { column: distance(steps.column), row: distance(steps.row), bytes, is_store }
        });
        Self(touched.collect())
    }

    fn is_turned(&self) -> bool {
        self.0.iter().any(|touched| touched.is_turned())
    }

    /// So many rows are a sector, or more, for what is turned.
    fn fills_sectors(&self, rows: i64) -> bool {
        let mut turned = self.0.iter().filter(|touched| touched.is_turned());
        turned.all(|touched| rows * touched.bytes >= i64::from(SECTOR_BYTES))
    }

    fn cost(&self, tile: Tile) -> i64 {
        self.0.iter().map(|touched| touched.cost(tile)).sum()
    }
}
