//! Which tile a program has, and what it touches.

use super::FlatIndex;
use super::places::{Distance, Places, division_of};
use crate::analysis::AxisFacts;
use rustc_hash::FxHashSet;
use tk_ir::{Op, OpKind, Value};
use tk_target::SECTOR_BYTES;

/// Columns of a tile, at least: as many of two bytes are the widest access.
const LEAST_COLUMNS: i64 = 8;
/// How many times the cost of a tile that of the block is, at least. Five launches with 2.2 to 5.9 times the cost are 1.9 to 4.1 times as fast with
/// tiles (docs/measurements.md, "Flat indices of a matrix that is turned become tiles").
const LEAST_GAIN: i64 = 2;
/// What a stored sector costs beside a loaded one. A store of a part of a sector takes as long as two whole ones that are loaded.
const COST_OF_STORE: i64 = 2;
/// The same of a load that is turned, where no store is. Ten launches get the tiles with which nine were 1.14 to 3.6 times as fast and one was level; another one
/// that was 4 % slower stays as it is.
const COST_OF_TURNED_LOAD: i64 = 3;

/// Who has the elements of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The program whose block they are.
    Same,
    /// One of the programs that have its rows.
    Other,
}

/// A tile, and what a launch has to say for it.
#[derive(Clone, Debug)]
pub(super) struct Choice<'c> {
    pub(super) tile: Tile,
    /// How far columns are apart at least where tiles are for other programs than blocks are. Where blocks have whole rows, that fill a sector, columns that are
    /// nearer would overwrite each other, or are loaded from few sectors in any order.
    pub(super) distances: Vec<LeastDistance<'c>>,
}

/// A number of the launch that has to be so large, or negative, for a store or a load to be a turned one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LeastDistance<'c> {
    pub(super) number: Value<'c>,
    pub(super) least: i64,
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
    /// The tile that costs least, if a store is turned, or a load where no store is, and it is worth it. Tiles of other elements where programs may exchange
    /// theirs: so many of them at most.
    pub(super) fn of<'c>(
        ops: &[Op<'c>],
        index: FlatIndex<'c>,
        exchange: Option<i64>,
        facts: &AxisFacts,
    ) -> Option<Choice<'c>> {
        let users = index.sum.result(0).users().into_iter();
        let lengths: FxHashSet<i64> =
            users.filter_map(|(user, _)| division_of(user, index)).map(|division| division.divisor).collect();
        let traffic = lengths.into_iter().map(|length| (length, Traffic::of(ops, index, length)));
        let turned: Vec<(i64, Traffic<'c>)> = traffic.filter(|(_, traffic)| !traffic.turned.is_empty()).collect();
        let turns_a_store = turned.iter().any(|(_, traffic)| traffic.turns_a_store());
        let mut turned = turned.into_iter().filter(|(_, traffic)| traffic.turns_a_store() == turns_a_store);
        // Several lengths that turn something are those of matrices that lie in different ways.
        let (length, traffic) = turned.next().filter(|_| turned.next().is_none())?;
        let tile = Self::of_length(length, &traffic, index, exchange, facts)?;
        Some(Choice { tile, distances: traffic.distances() })
    }

    fn of_length(
        length: i64,
        traffic: &Traffic<'_>,
        index: FlatIndex<'_>,
        exchange: Option<i64>,
        facts: &AxisFacts,
    ) -> Option<Self> {
        let of_columns = |columns: i64, owner| Self { rows: index.elements / columns, columns, length, owner };
        let whole = Some(of_columns(length, Owner::Same)).filter(|tile| tile.is_whole_block(index, facts));
        if let Some(tile) = whole.filter(|tile| traffic.fills_sectors(tile.rows)) {
            return Some(tile);
        }
        let most_programs = exchange?;
        let sizes = std::iter::successors(Some(LEAST_COLUMNS), |columns| columns.checked_mul(2));
        let sizes = sizes.take_while(|columns| 2 * columns <= index.elements && length % columns == 0);
        let tiles = sizes.map(|columns| of_columns(columns, Owner::Other));
        let tiles = tiles.filter(|tile| tile.programs() <= most_programs);
        let best = tiles.min_by_key(|tile| traffic.cost(*tile))?;
        // The block as it is, in one row.
        let block = Self { rows: 1, columns: index.elements, ..best };
        (LEAST_GAIN * traffic.cost(best) <= traffic.cost_of_block(block)).then_some(best)
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
struct Touched<'c> {
    /// Bytes from a column to the next one, and from a row to the next one.
    column: i64,
    row: i64,
    /// What says how many elements a column is away from the next one, where that is a number of the launch. It counts as a sector.
    number: Option<Value<'c>>,
    /// Bytes of an element.
    bytes: i64,
    is_store: bool,
    /// What a sector costs.
    cost: i64,
}

impl<'c> Touched<'c> {
    /// What an operation accesses.
    fn of(op: Op<'c>, places: &Places<'c>) -> Self {
        let pointer = op.operand(0);
        let bits = pointer.ty().pointee().map_or(0, |element| element.element_bits());
        let bytes = i64::from(bits.div_ceil(8).max(1));
        // What is not known is mostly a pair, or a half of the index: as far apart as the index.
        let steps = places.get(pointer).unwrap_or_else(|| places.of_index());
        let distance = |step: i64| step.saturating_mul(bytes).saturating_abs();
        let (column, number) = match steps.column {
            Distance::Known(column) => (distance(column), None),
            Distance::OfLaunch(number) => (i64::from(SECTOR_BYTES), Some(number)),
        };
        let is_store = op.kind() == OpKind::TtStore;
        let cost = if is_store { COST_OF_STORE } else { 1 };
        Self { column, row: distance(steps.row), number, bytes, is_store, cost }
    }

    /// Rows lie as columns.
    fn is_turned(self) -> bool {
        self.row == self.bytes && self.column >= i64::from(SECTOR_BYTES)
    }

    /// What a launch has to say for that.
    fn distance(self) -> Option<LeastDistance<'c>> {
        let least = (i64::from(SECTOR_BYTES) + self.bytes - 1) / self.bytes;
        self.number.map(|number| LeastDistance { number, least })
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
        self.cost * runs
    }

    /// What it costs to access a block, which counts as one row. Where it has several whole rows, each finds what the first one loaded turned in L1.
    fn cost_of_block(self, block: Tile) -> i64 {
        let rows = block.columns / block.length;
        let is_found_again = self.is_turned() && !self.is_store && rows > 1;
        self.cost(if is_found_again { Tile { rows, columns: block.length, ..block } } else { block })
    }
}

/// Sectors of elements that follow each other, and one more: a run begins within a sector, or is a request of its own.
fn cost_of_run(elements: i64, step: i64) -> i64 {
    let sector = i64::from(SECTOR_BYTES);
    if step >= sector { 2 * elements } else { elements.saturating_mul(step).saturating_add(sector - 1) / sector + 1 }
}

/// What the accesses of a block touch.
struct Traffic<'c> {
    all: Vec<Touched<'c>>,
    /// The stores that are turned, or the loads where no store is.
    turned: Vec<Touched<'c>>,
}

impl<'c> Traffic<'c> {
    fn of(ops: &[Op<'c>], index: FlatIndex<'c>, length: i64) -> Self {
        let places = Places::of(ops, index, length);
        let accesses = ops.iter().filter(|op| matches!(op.kind(), OpKind::TtLoad | OpKind::TtStore));
        let accesses = accesses.filter(|op| op.operand(0).ty().is_tensor());
        let mut all: Vec<Touched<'c>> = accesses.map(|op| Touched::of(*op, &places)).collect();
        let turns_a_store = all.iter().any(|touched| touched.is_store && touched.is_turned());
        let counts = |touched: &Touched<'c>| touched.is_turned() && touched.is_store == turns_a_store;
        if !turns_a_store {
            all.iter_mut().filter(|touched| counts(touched)).for_each(|touched| touched.cost = COST_OF_TURNED_LOAD);
        }
        let turned = all.iter().copied().filter(counts).collect();
        Self { all, turned }
    }

    fn turns_a_store(&self) -> bool {
        self.turned.iter().any(|touched| touched.is_store)
    }

    /// What a launch has to say, each once.
    fn distances(&self) -> Vec<LeastDistance<'c>> {
        let mut all: Vec<LeastDistance<'c>> = Vec::new();
        for distance in self.turned.iter().filter_map(|touched| touched.distance()) {
            if !all.contains(&distance) {
                all.push(distance);
            }
        }
        all
    }

    /// So many rows are a sector, or more, for what is turned.
    fn fills_sectors(&self, rows: i64) -> bool {
        self.turned.iter().all(|touched| rows * touched.bytes >= i64::from(SECTOR_BYTES))
    }

    fn cost(&self, tile: Tile) -> i64 {
        self.all.iter().map(|touched| touched.cost(tile)).sum()
    }

    fn cost_of_block(&self, block: Tile) -> i64 {
        self.all.iter().map(|touched| touched.cost_of_block(block)).sum()
    }
}
