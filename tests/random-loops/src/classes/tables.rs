//! Rows that a table names, one by one or a page at a time, and rows between two places that are loaded: how many there are only memory says.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::elements::{ELEMENTS, Element};
use rand::Rng;
use tk_cases::draw::Random;

/// The greatest number that is loaded. Sums of products of two of them over all rows stay exact in f32.
const MOST: i64 = 5;
/// Rows of a segment, at most.
const MOST_ROWS: i64 = 40;

/// What says which rows there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    /// An element of the table for each row.
    Rows,
    /// One for each block of rows that lie together.
    Pages,
    /// Where the rows of a program begin and end.
    Segments,
}

/// What is done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Sums of columns.
    Sums,
    /// The greatest of each column.
    Greatest,
    /// Each row is stored, in the order of the table.
    Stores,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    /// Of the table.
    places: &'static str,
    table: Table,
    way: Way,
    /// Rows of an iteration.
    rows: i64,
    columns: i64,
    has_weights: bool,
    /// Rows that the table names as -1 are left out.
    has_holes: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(|element| element.exact >= MOST).collect();
        let table = random.pick(&[Table::Rows, Table::Pages, Table::Segments]);
        Self {
            element: random.pick(&exact),
            places: random.pick(&["int32", "int32", "int64"]),
            table,
            way: random.pick(&[Way::Sums, Way::Greatest, Way::Stores]),
            rows: random.pick(&[1, 2, 4, 8, 16, 32]),
            columns: random.pick(&[4, 8, 16, 32, 64, 128]),
            has_weights: random.chance(0.3),
            has_holes: table == Table::Rows && random.chance(0.3),
        }
    }
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["m", "c", "count"]);
    for number in ["m", "c", "count"] {
        draft.number(number, number);
    }
    draft.constant("R", &setting.rows.to_string());
    draft.constant("C", &setting.columns.to_string());
    let mut maker = Maker { setting, draft: &mut draft };
    maker.tensors();
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    /// A launch of `count` programs has `m` places for each in the table, or up to [`MOST_ROWS`] rows between two places.
    fn tensors(&mut self) {
        let Setting { element, places, table, way, rows, has_weights, has_holes, .. } = self.setting;
        let tables = match table {
            Table::Rows => format!("places(m * count, 50, torch.{places})"),
            Table::Pages => format!("places(m * count, 6, torch.{places})"),
            Table::Segments => format!("ends(count + 1, {MOST_ROWS}, torch.{places})"),
        };
        let tables = if has_holes { format!("holes({tables})") } else { tables };
        self.draft.tensor("table_ptr", &tables);
        let held = match table {
            Table::Rows => "50".to_string(),
            Table::Pages => format!("6 * {rows}"),
            Table::Segments => format!("(count + 1) * {MOST_ROWS}"),
        };
        self.draft.tensor("x_ptr", &format!("numbers({held} * c, {MOST}, torch.{})", element.torch));
        if has_weights {
            self.draft.tensor("w_ptr", &format!("numbers({held}, {MOST}, torch.float32)"));
        }
        let stored = match (way, table) {
            (Way::Sums | Way::Greatest, _) => "count * c".to_string(),
            (Way::Stores, Table::Rows) => "m * count * c".to_string(),
            (Way::Stores, Table::Pages) => format!("m * count * {rows} * c"),
            (Way::Stores, Table::Segments) => format!("{held} * c"),
        };
        self.draft.tensor("y_ptr", &format!("poisoned({stored}, torch.float32)"));
    }

    fn body(&mut self) {
        let Setting { table, way, .. } = self.setting;
        self.draft.both("columns = @arange(0, C)");
        self.draft.both("inside_columns = columns < c");
        match way {
            Way::Sums => self.draft.both("sums = @zeros((C,), @float32)"),
            Way::Greatest => self.draft.both("sums = @full((C,), -100.0, @float32)"),
            Way::Stores => {}
        }
        match table {
            Table::Rows => self.named_rows(),
            Table::Pages => self.named_pages(),
            Table::Segments => self.segments(),
        }
        self.draft.close();
        if way != Way::Stores {
            let place = Access::new("y_ptr", "(program * c + columns)");
            self.draft.store(&place.masked(Some("inside_columns".to_string())), "sums");
        }
    }

    fn named_rows(&mut self) {
        let has_holes = self.setting.has_holes;
        self.draft.open_loop("first", "0, m, R");
        self.draft.both("number = first + @arange(0, R)");
        self.draft.both("inside = number < m");
        let table = Access::new("table_ptr", "(program * m + number)").masked(Some("inside".to_string())).other("0");
        self.draft.load("row", &table, "");
        if has_holes {
            self.draft.both("inside = inside & (row >= 0)");
        }
        self.rows("program * m + number");
    }

    fn named_pages(&mut self) {
        self.draft.open_loop("number", "0, m");
        self.draft.load_number("page", "table_ptr", "program * m + number");
        self.draft.both("row = page * R + @arange(0, R)");
        self.draft.both("inside = row >= 0");
        self.rows("(program * m + number) * R + @arange(0, R)");
    }

    fn segments(&mut self) {
        self.draft.load_number("begin", "table_ptr", "program");
        self.draft.load_number("end", "table_ptr", "program + 1");
        self.draft.open_loop("first", "begin, end, R");
        self.draft.both("row = first + @arange(0, R)");
        self.draft.both("inside = row < end");
        self.rows("row");
    }

    /// What an iteration does with its rows; `place` says which of the result are theirs.
    fn rows(&mut self, place: &str) {
        let Setting { way, has_weights, .. } = self.setting;
        let other = if way == Way::Greatest { "-100" } else { "0" };
        let both = Some("inside[:, None] & inside_columns[None, :]".to_string());
        let block = Access::new("x_ptr", "(row[:, None] * c + columns[None, :])").masked(both.clone());
        self.draft.load("x", &block.other(other), ".to(tl.float32)");
        if has_weights {
            let weights = Access::new("w_ptr", "row").masked(Some("inside".to_string())).other("1");
            self.draft.load("w", &weights, "");
            self.draft.both("x = x * w[:, None]");
        }
        match way {
            Way::Sums => self.draft.both("sums += @sum(x, axis=0)"),
            Way::Greatest => self.draft.both("sums = @maximum(sums, @max(x, axis=0))"),
            Way::Stores => {
                self.draft.both(&format!("place = {place}"));
                let rows = Access::new("y_ptr", "(place[:, None] * c + columns[None, :])").masked(both);
                self.draft.store(&rows, "x");
            }
        }
    }

    fn launches(&mut self) {
        let Setting { columns, .. } = self.setting;
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..3 {
            let programs: i64 = random.pick(&[1, 2, 3]);
            let cut = if random.chance(0.5) { 0 } else { random.random_range(0..columns) };
            let m = random.pick(&[0, 1, 2, 3, 4, 7, 17]);
            let (warps, stages) = (random.pick(&[1, 2, 4, 4, 8]), random.pick(&[1, 2, 3]));
            launches.push(Launch { sizes: vec![m, columns - cut, programs], programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
