//! Draws the statements of a program without products, and writes each into the kernel and into the reference.

use super::setting::{Form, MOST_STEPS, MOST_TILES, Setting};
use super::source::{Source, Target};
use super::value::{Expression, Kind, Range, Shape, Value};
use crate::draw::Choose;
use rand::Rng;
use tk_cases::draw::Random;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement {
    Load,
    Parts,
    Unary,
    Binary,
    Select,
    Cast,
    Integers,
    Function,
    Quotient,
    Reduction,
    Place,
    Pair,
    Scan,
    Recurrence,
    Gathers,
    Groups,
    Softmax,
    Norm,
    Meeting,
    Turn,
    Sort,
    Branch,
    Store,
    Atomic,
}

/// How often each is.
const WEIGHTS: [(Statement, f64); 24] = [
    (Statement::Load, 6.0),
    (Statement::Parts, 2.0),
    (Statement::Unary, 5.0),
    (Statement::Binary, 12.0),
    (Statement::Select, 6.0),
    (Statement::Cast, 4.0),
    (Statement::Integers, 4.0),
    (Statement::Function, 5.0),
    (Statement::Quotient, 2.0),
    (Statement::Reduction, 9.0),
    (Statement::Place, 3.0),
    (Statement::Pair, 1.0),
    (Statement::Scan, 3.0),
    (Statement::Recurrence, 1.0),
    (Statement::Gathers, 2.0),
    (Statement::Groups, 2.0),
    (Statement::Softmax, 2.0),
    (Statement::Norm, 2.0),
    (Statement::Meeting, 4.0),
    (Statement::Turn, 2.0),
    (Statement::Sort, 1.0),
    (Statement::Branch, 3.0),
    (Statement::Store, 2.0),
    (Statement::Atomic, 1.5),
];

/// A line of both texts, behind so many indents.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) indent: usize,
    pub(super) kernel: Option<String>,
    pub(super) host: Option<String>,
}

/// What was drawn.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) lines: Vec<Line>,
    pub(super) sources: Vec<Source>,
    pub(super) targets: Vec<Target>,
}

/// Draws one body.
pub(super) struct Maker<'s> {
    pub(super) setting: &'s Setting,
    pub(super) random: &'s mut Random,
    pub(super) body: Body,
    /// What may be read.
    pub(super) values: Vec<Value>,
    /// Names that something reads.
    used: Vec<String>,
    indent: usize,
    names: usize,
    weights: Vec<(Statement, f64)>,
    /// What a loop makes of what it carries.
    ranges: Vec<(String, Range)>,
    /// There are columns: `cols` and their mask are those of the values.
    pub(super) has_columns: bool,
    /// There is a tile.
    pub(super) has_tile: bool,
}

impl<'s> Maker<'s> {
    pub(super) fn new(setting: &'s Setting, random: &'s mut Random) -> Self {
        let mut weights = WEIGHTS.to_vec();
        // Some programs have many of one kind.
        let much = random.random_range(0..weights.len());
        weights[much].1 *= 4.0;
        Self {
            setting,
            random,
            body: Body { lines: Vec::new(), sources: Vec::new(), targets: Vec::new() },
            values: Vec::new(),
            used: Vec::new(),
            indent: 0,
            names: 0,
            weights,
            ranges: Vec::new(),
            has_columns: false,
            has_tile: false,
        }
    }

    pub(super) fn body(mut self) -> Body {
        match self.setting.form {
            Form::Straight => {
                self.both("tile = program");
                self.start_tile();
                self.start_columns("0");
                self.statements(4, 14);
                self.store_what_is_left();
            }
            Form::Columns => {
                self.both("tile = program");
                self.start_tile();
                self.columns_loop();
            }
            Form::Tiles => self.tiles_loop(),
        }
        self.body
    }

    /// A loop over blocks of columns that carries sums, statements on these, and mostly a second loop that uses them.
    fn columns_loop(&mut self) {
        let carried = self.carried(Shape::Block);
        let before = self.values.clone();
        self.open_loop("start", "0, n_cols, C");
        self.start_columns("start");
        self.statements(1, 8);
        self.go_on(&carried, MOST_STEPS);
        if self.random.chance(0.3) {
            self.store_what_is_left();
        }
        self.close(before.clone());
        self.finish(&carried);
        self.statements(0, 5);
        if self.random.chance(0.6) {
            let before = self.values.clone();
            self.open_loop("start", "0, n_cols, C");
            self.start_columns("start");
            self.statements(1, 7);
            self.store_what_is_left();
            self.close(before);
        }
        self.store_what_is_left();
    }

    /// A loop over tiles that carries sums of columns.
    fn tiles_loop(&mut self) {
        self.start_columns("0");
        let mut carried = Vec::new();
        if self.random.chance(0.8) {
            carried = self.carried(if self.setting.is_flat { Shape::Block } else { Shape::Columns });
        }
        let before = self.values.clone();
        let counts_itself = self.random.chance(0.3);
        if counts_itself {
            self.open_while("tile", ["program", "tiles", "programs"]);
        } else {
            self.open_loop("tile", "program, tiles, programs");
        }
        self.start_tile();
        if !self.setting.is_flat {
            self.both("mask = row_mask[:, None] & col_mask[None, :]");
        }
        self.statements(3, 10);
        self.go_on(&carried, MOST_TILES);
        self.store_what_is_left();
        if counts_itself {
            self.line("tile += programs", "");
        }
        self.close(before);
        self.has_tile = false;
        for value in carried.iter().flat_map(|carried| carried.results.clone()) {
            let range = self.range_of(&value.name).unwrap_or(value.range);
            self.store_of_program(&Value { range, ..value });
        }
    }

    /// The rows of a tile.
    fn start_tile(&mut self) {
        self.has_tile = true;
        if self.setting.is_flat {
            return;
        }
        self.line(
            "rows = tile * R + tl.arange(0, R)",
            "rows = torch.arange(tile * R, (tile + 1) * R, device=DEVICE, dtype=torch.int64)",
        );
        self.both("row_mask = rows < n_rows");
        let most = (MOST_TILES * self.setting.height) as f64;
        self.known("rows", Shape::Rows, Kind::Int, Range::whole(most));
    }

    /// The columns of a block.
    fn start_columns(&mut self, start: &str) {
        self.has_columns = true;
        let host = format!("cols = torch.arange({start}, {start} + C, device=DEVICE, dtype=torch.int64)");
        self.line(&format!("cols = {start} + tl.arange(0, C)"), &host);
        self.line("", &format!("column = {start}"));
        self.both("col_mask = cols < n_cols");
        if self.setting.is_flat {
            self.both("mask = col_mask");
        } else if self.has_tile {
            self.both("mask = row_mask[:, None] & col_mask[None, :]");
        }
        let most = (MOST_STEPS * self.setting.width) as f64;
        let shape = if self.setting.is_flat { Shape::Block } else { Shape::Columns };
        self.known("cols", shape, Kind::Int, Range::whole(most));
    }

    /// Some statements. The first ones load blocks.
    pub(super) fn statements(&mut self, least: usize, most: usize) {
        let count = self.random.random_range(least..=most);
        if self.has_columns {
            for _ in 0..self.random.pick(&[1, 1, 2, 3]) {
                self.load_block();
            }
        }
        let mut drawn = 0;
        for _ in 0..8 * count {
            if drawn == count {
                break;
            }
            let statement = self.random.weighted(&self.weights);
            drawn += usize::from(self.statement(statement).is_some());
        }
    }

    /// Draws one, where there is something to make it of.
    fn statement(&mut self, statement: Statement) -> Option<()> {
        match statement {
            Statement::Load => self.load(),
            Statement::Parts => self.parts()?,
            Statement::Unary => self.unary()?,
            Statement::Binary => self.binary()?,
            Statement::Select => self.select()?,
            Statement::Cast => self.cast()?,
            Statement::Integers => self.integers()?,
            Statement::Function => self.function()?,
            Statement::Quotient => self.quotient()?,
            Statement::Reduction => self.reduction()?,
            Statement::Place => self.place()?,
            Statement::Pair => self.pair()?,
            Statement::Scan => self.scan()?,
            Statement::Recurrence => self.recurrence()?,
            Statement::Gathers => self.gathers()?,
            Statement::Groups => self.groups()?,
            Statement::Softmax => self.softmax()?,
            Statement::Norm => self.norm()?,
            Statement::Meeting => self.meeting()?,
            Statement::Turn => self.turn()?,
            Statement::Sort => self.sort()?,
            Statement::Branch => self.branch()?,
            Statement::Store => self.store_one()?,
            Statement::Atomic => self.atomic()?,
        }
        Some(())
    }

    // Texts.

    /// A line that both sides write alike.
    pub(super) fn both(&mut self, text: &str) {
        self.line(text, text);
    }

    /// The same, with `@` for the module of functions.
    pub(super) fn both_at(&mut self, text: &str) {
        self.line(&text.replace('@', "tl."), &text.replace('@', "torch."));
    }

    /// A line of each side; empty where a side has none.
    pub(super) fn line(&mut self, kernel: &str, host: &str) {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_string());
        self.body.lines.push(Line { indent: self.indent, kernel: given(kernel), host: given(host) });
    }

    pub(super) fn open(&mut self, header: &str) {
        self.both(header);
        self.indent += 1;
    }

    /// A loop, at times with stages of its own.
    fn open_loop(&mut self, counter: &str, range: &str) {
        let stages: Option<u32> = self.random.pick(&[None, None, Some(2), Some(3)]);
        let plain = format!("for {counter} in range({range}):");
        match stages {
            Some(stages) => self.line(&format!("for {counter} in tl.range({range}, num_stages={stages}):"), &plain),
            None => self.both(&plain),
        }
        self.indent += 1;
    }

    /// A loop of which the kernel counts the iterations itself.
    fn open_while(&mut self, counter: &str, [first, end, step]: [&str; 3]) {
        self.line(&format!("{counter} = {first}"), "");
        self.line(&format!("while {counter} < {end}:"), &format!("for {counter} in range({first}, {end}, {step}):"));
        self.indent += 1;
    }

    /// Ends what was opened; only `values` are known behind it.
    pub(super) fn close(&mut self, values: Vec<Value>) {
        self.indent -= 1;
        self.has_columns = self.setting.form != Form::Columns;
        self.values = values;
    }

    /// Ends a branch.
    pub(super) fn close_branch(&mut self) {
        self.indent -= 1;
    }

    // Values.

    pub(super) fn fresh(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn known(&mut self, name: &str, shape: Shape, kind: Kind, range: Range) {
        self.values.push(Value { name: name.to_string(), shape, kind, range });
        self.used.push(name.to_string());
    }

    pub(super) fn carried_ranges(&mut self, found: Vec<(String, Range)>) {
        self.ranges.extend(found);
    }

    pub(super) fn range_of(&self, name: &str) -> Option<Range> {
        self.ranges.iter().find(|(known, _)| known == name).map(|(_, range)| *range)
    }

    /// A new variable.
    pub(super) fn define(&mut self, made: Expression) -> Value {
        let name = self.fresh();
        self.line(&format!("{name} = {}", made.kernel), &format!("{name} = {}", made.host));
        let value = Value { name, shape: made.shape, kind: made.kind, range: made.range };
        self.values.push(value.clone());
        value
    }

    /// One of the values that are as they should be, mostly one of the last.
    pub(super) fn pick(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        let all: Vec<Value> = self.values.iter().filter(|value| is_wanted(value)).cloned().collect();
        let recent = &all[all.len().saturating_sub(4)..];
        let found = if self.random.chance(0.7) { self.one_of(recent) } else { self.one_of(&all) }?;
        self.used.push(found.name.clone());
        Some(found)
    }

    fn one_of(&mut self, values: &[Value]) -> Option<Value> {
        if values.is_empty() { None } else { Some(self.random.pick(values)) }
    }

    /// Stores values that nothing reads, so that all that was computed is compared.
    fn store_what_is_left(&mut self) {
        let left: Vec<Value> = self.values.iter().filter(|value| !self.used.contains(&value.name)).cloned().collect();
        let skipped = left.len().saturating_sub(6);
        for value in left.into_iter().skip(skipped) {
            self.store(&value);
            self.used.push(value.name);
        }
    }

    /// The number of the axis along a row.
    pub(super) fn row_axis(&self) -> usize {
        usize::from(!self.setting.is_flat)
    }

    /// What a reduction of a block along its rows gives.
    pub(super) fn of_row(&self) -> Shape {
        if self.setting.is_flat { Shape::Number } else { Shape::Rows }
    }

    /// The text of a number of each row where a block is made of it.
    pub(super) fn over_row(&self, name: &str) -> String {
        if self.setting.is_flat { name.to_string() } else { format!("{name}[:, None]") }
    }

    /// Rows and columns as a kernel and the reference write them.
    pub(super) fn block_shape(&self) -> &'static str {
        if self.setting.is_flat { "(C,)" } else { "(R, C)" }
    }
}
