//! Numbers of rows that inner loops find, and blocks that are made of them: sums, counts, the best of some scores and its place, which are stored, spread over
//! columns, compared with them, or say which rows of a table are loaded; blocks that are scaled so are operands of products, too.
//!
//! All numbers are whole, or multiples of a quarter, and small enough for f32; how large the sum of blocks may become is followed.

use super::blocks::{Axis, Block, Placed};
use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use rand::Rng;
use tk_cases::draw::Random;

/// Iterations of the outer and of the inner loop, at most.
const MOST_TURNS: i64 = 3;
const MOST_CELLS: i64 = 8;
/// The greatest number that is loaded.
const MOST: i64 = 3;
/// A sum of multiples of a quarter may be as large, and so may a number of a row.
const LARGEST: i64 = 1 << 21;
/// Rows of results beside the block.
const SLOTS: usize = 8;

/// What an inner loop carries for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Sum,
    Largest,
    Last,
    /// How many scores are positive.
    Count,
    /// A sum of the loop's counter.
    Places,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Float,
    Int,
}

/// A number of each row.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    kind: Kind,
    /// How large it may be.
    most: i64,
}

/// What is made of the rows behind an inner loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Store,
    /// Rows of a table that whole numbers name.
    Table,
    Factor,
    Power,
    Compare,
    RowSum,
    Mask,
    Turned,
    Product,
}

#[derive(Clone, Debug)]
struct Setting {
    rows: usize,
    columns: usize,
    has_outer: bool,
    /// Scores are those of blocks, which are reduced.
    reduces: bool,
    has_product: bool,
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
    /// What the outer loop carries.
    outer: Vec<Row>,
    /// How large the sum of blocks may be, in one turn.
    most: i64,
    slots: usize,
    block: Placed,
    turned: Placed,
    table: Placed,
    scores: &'static str,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let rows = random.pick(&[4, 8, 16, 16, 32, 64]);
    let columns = random.pick(&[16, 32, 64, 128]);
    let has_product = rows >= 16 && columns <= 64 && random.chance(0.4);
    let setting = Setting { rows, columns, has_outer: random.chance(0.75), reduces: random.chance(0.25), has_product };
    let scores = random.pick(&["float32", "float32", "float16", "bfloat16", "int32"]);
    let element = random.pick(&["float32", "float32", "float16", "bfloat16"]);
    let mut draft = Draft::new(random, &["m", "d", "T", "C"]);
    for number in ["m", "d", "T", "C"] {
        draft.number(number, number);
    }
    draft.constant("M", &rows.to_string());
    draft.constant("D", &columns.to_string());
    let made = format!("numbers(#, {MOST}, torch.{element})");
    let axis = |size: &str| Axis::new(&format!("at_{size}"), size, Some(size));
    let block = draft.place(Block { name: "x_ptr", axes: vec![axis("m"), axis("d")], made: &made });
    let turned = draft.place(Block { name: "z_ptr", axes: vec![axis("d"), axis("m")], made: &made });
    let axes = vec![Axis::new("cell", "8", None), axis("d")];
    let table = draft.place(Block { name: "table_ptr", axes, made: &made });
    let count = format!("(m * max(T, 1) * C + {MOST_CELLS}) * {}", if setting.reduces { "d" } else { "1" });
    draft.tensor("scores_ptr", &format!("numbers({count}, {MOST}, torch.{scores})"));
    draft.tensor("rows_ptr", &format!("poisoned(m * {SLOTS}, torch.float32)"));
    let mut maker =
        Maker { setting, draft: &mut draft, outer: Vec::new(), most: 0, slots: 0, block, turned, table, scores };
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    fn body(&mut self) {
        self.draft.both("at_m = program * M + @arange(0, M)");
        self.draft.both("at_d = @arange(0, D)");
        self.draft.both("inside = at_m < m");
        let access = self.block.access().other("0.0");
        self.draft.load("x", &access, ".to(tl.float32)");
        if self.setting.has_product {
            let axes = vec![Axis::new("at_d", "D", None), Axis::new("lanes", "D", None)];
            self.draft.set("D", &self.setting.columns.to_string());
            self.draft.both("lanes = @arange(0, D)");
            let placed = self.draft.place(Block { name: "w_ptr", axes, made: "numbers(#, 2, torch.float16)" });
            self.draft.load("w", &placed.access(), "");
        }
        self.draft.both("total = @zeros((M, D), @float32)");
        if self.setting.has_outer {
            self.outer_loop();
        } else {
            self.inner_loop("0", 0);
            if self.draft.random.chance(0.3) {
                self.inner_loop("0", 0);
            }
        }
        for row in self.outer.clone() {
            self.slot(&row.name);
            if row.most * MOST < LARGEST && self.draft.random.chance(0.5) {
                self.draft.both(&format!("total += {}[:, None] * x", row.name));
            }
        }
        let axes = ["m", "d"].map(|size| Axis::new(&format!("at_{size}"), size, Some(size))).to_vec();
        let placed = self.draft.place(Block { name: "out_ptr", axes, made: "poisoned(#, torch.float32)" });
        self.draft.store(&placed.access(), "total");
    }

    fn outer_loop(&mut self) {
        for (kind, share) in [(Kind::Float, 0.5), (Kind::Int, 0.3)] {
            if self.draft.random.chance(share) {
                let row = self.start("o", kind);
                self.outer.push(row);
            }
        }
        let bounds = self.draft.random.pick(&["T", "0, T", "1, T"]);
        self.draft.open_loop("t", bounds);
        let has_branch = self.draft.random.chance(0.15);
        if has_branch {
            self.draft.open("if t > 0:");
        }
        self.inner_loop("t", 0);
        if has_branch {
            self.draft.close();
        } else if self.draft.random.chance(0.2) {
            self.inner_loop("t", 0);
        }
        self.draft.close();
    }

    /// A row of zeros.
    fn start(&mut self, letter: &str, kind: Kind) -> Row {
        let name = self.draft.fresh(letter);
        let element = match kind {
            Kind::Float => "float32",
            Kind::Int => "int32",
        };
        self.draft.both(&format!("{name} = @zeros((M,), @{element})"));
        Row { name, kind, most: 0 }
    }

    /// An inner loop, and what is made of the rows that it gives.
    fn inner_loop(&mut self, turn: &str, depth: usize) {
        let mut rows = self.cells(turn, depth);
        let uses = [
            Use::Store,
            Use::Store,
            Use::Table,
            Use::Table,
            Use::Factor,
            Use::Factor,
            Use::Power,
            Use::Compare,
            Use::RowSum,
            Use::Mask,
            Use::Turned,
            Use::Product,
        ];
        for _ in 0..self.draft.random.random_range(1..=3) {
            let one = self.draft.random.pick(&uses);
            self.make(one, &rows);
        }
        if depth > 0 {
            return;
        }
        for index in 0..self.outer.len() {
            let Row { name, kind, .. } = self.outer[index].clone();
            rows.retain(|row| row.name != name);
            let same: Vec<Row> = rows.iter().filter(|row| row.kind == kind).cloned().collect();
            if !same.is_empty() && self.draft.random.chance(0.7) {
                let row = self.draft.random.pick(&same);
                self.draft.both(&format!("{name} += {}", row.name));
                self.outer[index].most += MOST_TURNS * row.most;
            }
        }
    }

    /// The loop itself; it gives the rows that it carries.
    fn cells(&mut self, turn: &str, depth: usize) -> Vec<Row> {
        let has_best = self.draft.random.chance(0.5);
        let (best, place) = (self.draft.fresh("best"), self.draft.fresh("place"));
        if has_best {
            self.draft.both(&format!("{best} = @full((M,), -100.0, @float32)"));
            self.draft.both(&format!("{place} = @zeros((M,), @int32)"));
        }
        let ways = [Way::Sum, Way::Sum, Way::Largest, Way::Last, Way::Count, Way::Places];
        let least = usize::from(!has_best);
        let mut carried = Vec::new();
        for _ in 0..self.draft.random.random_range(least..=3) {
            let way = self.draft.random.pick(&ways);
            let kind = if matches!(way, Way::Count | Way::Places) { Kind::Int } else { Kind::Float };
            carried.push((way, self.start("r", kind)));
        }
        // The loop goes on with what the outer one carries.
        let outer = if self.draft.random.chance(0.25) { self.outer.first().cloned() } else { None };
        if let Some(row) = &outer {
            let way = if row.kind == Kind::Int { Way::Places } else { Way::Sum };
            carried.push((way, row.clone()));
        }
        let cell = self.draft.fresh("c");
        let from_turn = format!("{turn}, C");
        let bounds = self.draft.random.pick(&["C", "0, C", "0, C", "C - 1, -1, -1", "0, C, 2", "0, 3", &from_turn]);
        self.draft.open_loop(&cell, bounds);
        let most = self.score(turn, &cell);
        if has_best {
            self.draft.both(&format!("better = s > {best}"));
            self.draft.both(&format!("{best} = @where(better, s, {best})"));
            self.draft.both(&format!("{place} = @where(better, {cell}, {place})"));
        }
        for (way, row) in &mut carried {
            let name = &row.name;
            let (text, most) = match way {
                Way::Sum => (format!("{name} += s"), MOST_CELLS * most),
                Way::Largest => (format!("{name} = @maximum({name}, s)"), most),
                Way::Last => (format!("{name} = s"), most),
                Way::Count => (format!("{name} += (s > 0.0).to(@int32)"), MOST_CELLS),
                Way::Places => (format!("{name} = {name} + {cell}"), MOST_CELLS * MOST_CELLS),
            };
            self.draft.both(&text);
            row.most = most;
        }
        if depth == 0 && self.draft.random.chance(0.12) {
            self.inner_loop(&cell, 1);
        }
        self.draft.close();
        if let (Some(_), Some((_, row))) = (&outer, carried.last_mut()) {
            // Each turn has up to two loops, of which each may have another one.
            row.most *= 2 * MOST_TURNS * (MOST_CELLS + 1);
            self.outer[0].most += row.most;
        }
        let mut rows: Vec<Row> = carried.into_iter().map(|(_, row)| row).collect();
        if has_best {
            rows.push(Row { name: best, kind: Kind::Float, most: most.max(100) });
            rows.push(Row { name: place, kind: Kind::Int, most: MOST_CELLS });
        }
        rows
    }

    /// The score of each row, and how large it may be.
    fn score(&mut self, turn: &str, cell: &str) -> i64 {
        let turn = if turn.starts_with('c') { "0" } else { turn };
        let row = format!("(at_m * T + {turn}) * C + {cell}");
        let is_int = self.scores == "int32";
        let cast = if self.scores == "float32" { "" } else { ".to(tl.float32)" };
        let other = match (is_int, self.draft.random.chance(0.5)) {
            (true, _) => "-9",
            (false, true) => "0.0",
            (false, false) => "-9.0",
        };
        if !self.setting.reduces {
            let row = if self.setting.has_outer { row } else { format!("at_m * C + {cell}") };
            let access = Access::new("scores_ptr", row).masked(Some("inside".to_string())).other(other);
            self.draft.load("s", &access, cast);
            return 9;
        }
        let row = if self.setting.has_outer {
            format!("((at_m[:, None] * T + {turn}) * C + {cell}) * d + at_d[None, :]")
        } else {
            format!("(at_m[:, None] * C + {cell}) * d + at_d[None, :]")
        };
        let mask = "inside[:, None] & (at_d < d)[None, :]".to_string();
        let access = Access::new("scores_ptr", row).masked(Some(mask)).other(other);
        self.draft.load("scores", &access, cast);
        let (reduction, most) =
            self.draft.random.pick(&[("max", 9), ("min", 9), ("sum", 9 * self.setting.columns as i64)]);
        self.draft.both(&format!("s = @{reduction}(scores, axis=1)"));
        most
    }

    // What is made of rows.

    fn pick(&mut self, rows: &[Row], kind: Option<Kind>) -> Option<Row> {
        let found: Vec<Row> = rows.iter().filter(|row| kind.is_none_or(|kind| row.kind == kind)).cloned().collect();
        if found.is_empty() { None } else { Some(self.draft.random.pick(&found)) }
    }

    /// Whether the sum of blocks may become larger by this much in a turn.
    fn has_room(&mut self, more: i64) -> bool {
        // Two inner loops stand in each iteration of the outer one, and one may stand in one of them.
        let most = self.most + more * MOST_TURNS * MOST_CELLS;
        let has_room = most < LARGEST;
        if has_room {
            self.most = most;
        }
        has_room
    }

    fn make(&mut self, one: Use, rows: &[Row]) -> Option<()> {
        match one {
            Use::Store => {
                let name = self.pick(rows, None)?.name;
                let more = self.draft.random.pick(&["", "", " * 2", " + 1"]);
                self.slot(&format!("{name}{more}"));
            }
            Use::Table => self.table(rows)?,
            Use::Factor => {
                let Row { name, most, .. } = self.pick(rows, None)?;
                if self.has_room(most * MOST) {
                    self.draft.both(&format!("total += {name}[:, None] * x"));
                }
            }
            Use::Power => {
                let Row { name, .. } = self.pick(rows, Some(Kind::Float))?;
                if self.has_room(4 * MOST) {
                    self.draft.both(&format!("power = @exp2(@minimum(@maximum({name}, -2.0), 2.0))"));
                    self.draft.both("total += x * power[:, None]");
                }
            }
            Use::Compare => {
                let Row { name, .. } = self.pick(rows, Some(Kind::Int))?;
                if self.has_room(1) {
                    let same = format!("{name}[:, None] == (at_d & 7)[None, :]");
                    self.draft.both(&format!("total = @where({same}, total + 1.0, total)"));
                }
            }
            Use::RowSum => {
                let Row { name, most, .. } = self.pick(rows, None)?;
                if self.has_room(most * MOST * self.setting.columns as i64) {
                    self.draft.both(&format!("along = @sum(x * {name}[:, None], axis=1)"));
                    self.draft.both("total += along[:, None]");
                }
            }
            Use::Mask => {
                let Row { name, .. } = self.pick(rows, Some(Kind::Int))?;
                if self.has_room(MOST) {
                    let access = self.block.access();
                    let mask = access.mask.clone().map(|mask| format!("{mask} & ({name}[:, None] > 1)"));
                    self.draft.load("some", &access.masked(mask).other("1.0"), ".to(tl.float32)");
                    self.draft.both("total += some");
                }
            }
            Use::Turned => {
                let Row { name, most, .. } = self.pick(rows, None)?;
                if self.has_room(most * MOST) {
                    let access = self.turned.access().other("0.0");
                    self.draft.load("turned", &access, ".to(tl.float32)");
                    self.draft.both(&format!("total += @trans(turned) * {name}[:, None]"));
                }
            }
            Use::Product => self.product(rows)?,
        }
        Some(())
    }

    /// Rows of a table, scaled perhaps.
    fn table(&mut self, rows: &[Row]) -> Option<()> {
        let Row { name, .. } = self.pick(rows, Some(Kind::Int))?;
        let factor = if self.draft.random.chance(0.5) { self.pick(rows, Some(Kind::Float)) } else { None };
        let most = factor.as_ref().map_or(1, |row| row.most);
        if !self.has_room(most * MOST) {
            return None;
        }
        self.draft.both(&format!("cell = {name} & 7"));
        self.draft.load("code", &self.table.access().other("0.0"), ".to(tl.float32)");
        let factor = factor.map(|row| format!(" * {}[:, None]", row.name)).unwrap_or_default();
        self.draft.both(&format!("total += code{factor}"));
        Some(())
    }

    /// A product whose left operand is scaled with a row.
    fn product(&mut self, rows: &[Row]) -> Option<()> {
        let Row { name, .. } = self.pick(rows, None)?;
        if !self.setting.has_product || !self.has_room(16 * self.setting.columns as i64) {
            return None;
        }
        let scaled = format!("@minimum(@maximum(x * {name}[:, None], -8.0), 8.0)");
        self.draft.both(&format!("left = {scaled}.to(@float16)"));
        let text = self.draft.random.pick(&["total += @dot(left, w)", "total = @dot(left, w, total)"]);
        self.draft.both(text);
        Some(())
    }

    /// Stores a number of each row.
    fn slot(&mut self, value: &str) {
        let at = format!("{} * m + at_m", self.slots % SLOTS);
        self.slots += 1;
        self.draft.store(&Access::new("rows_ptr", at).masked(Some("inside".to_string())), value);
    }

    fn launches(&mut self) {
        let (rows, columns) = (self.setting.rows as i64, self.setting.columns as i64);
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..3 {
            let programs = random.pick(&[1, 1, 2, 3]);
            let cut = if random.chance(0.6) { random.random_range(0..rows) } else { 0 };
            let d = random.pick(&[columns, columns, columns - 1, 5]);
            let sizes =
                vec![programs * rows - cut, d, random.random_range(0..=MOST_TURNS), random.pick(&[0, 1, 2, 4, 7, 8])];
            let (warps, stages) = (random.pick(&[1, 2, 4, 4, 8]), random.pick(&[1, 2, 3, 4]));
            launches.push(Launch { sizes, programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
