//! Loops over blocks of rows beside what does not change from block to block: weights of each column that every iteration loads, as in norms, their
//! gradients and sums of columns. A program has some columns, or all of them.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::elements::{ELEMENTS, Element};
use rand::Rng;
use tk_cases::draw::Random;

/// The greatest number that is loaded. Products of three of them over all rows and columns stay exact in f32.
const MOST: i64 = 5;
/// Rows of a launch, at most.
const MOST_ROWS: i64 = 90;

/// What an iteration does with its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Sums of columns, in a block whose rows are added behind the loop.
    Block,
    /// Sums of columns, added in each iteration.
    Columns,
    /// Sums of rows, stored in each iteration.
    Rows,
    /// The block itself, stored.
    Store,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    /// Of the weights.
    other: &'static Element,
    way: Way,
    /// Rows of a block.
    rows: i64,
    /// Columns of a program.
    columns: i64,
    /// Weights that iterations load.
    weights: usize,
    /// Each row has a number of its own, which is loaded, too.
    has_row_numbers: bool,
    /// Rows follow each other in memory, or columns do.
    is_turned: bool,
    moves_pointers: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(|element| element.exact >= MOST).collect();
        let way = random.pick(&[Way::Block, Way::Block, Way::Columns, Way::Rows, Way::Store]);
        Self {
            element: random.pick(&exact),
            other: random.pick(&exact),
            way,
            rows: random.pick(&[1, 2, 4, 8, 16]),
            columns: random.pick(&[4, 8, 16, 32, 64, 128]),
            weights: random.pick(&[1, 1, 1, 2]),
            has_row_numbers: random.chance(0.3),
            is_turned: random.chance(0.2),
            moves_pointers: random.chance(0.3),
        }
    }

    /// The place of the elements of a block whose first row is `first`.
    fn place(&self, first: &str) -> String {
        let rows = if first.is_empty() { "rows_of_block".to_string() } else { format!("({first} + rows_of_block)") };
        let (along_rows, along_columns) = if self.is_turned { ("1", "m") } else { ("c", "1") };
        format!("({rows}[:, None] * {along_rows} + columns[None, :] * {along_columns})")
    }
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["m", "c"]);
    for number in ["m", "c"] {
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
    fn tensors(&mut self) {
        let Setting { element, other, way, weights, .. } = self.setting;
        self.draft.tensor("x_ptr", &format!("numbers(m * c, {MOST}, torch.{})", element.torch));
        for number in 0..weights {
            self.draft.tensor(&weight(number), &format!("numbers(c, {MOST}, torch.{})", other.torch));
        }
        if self.setting.has_row_numbers {
            self.draft.tensor("row_ptr", &format!("numbers(m, {MOST}, torch.{})", other.torch));
        }
        let count = match way {
            Way::Block | Way::Columns => "c",
            Way::Rows => "m * programs",
            Way::Store => "m * c",
        };
        self.draft.tensor("y_ptr", &format!("poisoned({count}, torch.float32)"));
    }

    fn body(&mut self) {
        let Setting { way, moves_pointers, .. } = self.setting;
        self.draft.both("columns = program * C + @arange(0, C)");
        self.draft.both("rows_of_block = @arange(0, R)");
        self.draft.both("inside_columns = columns < c");
        match way {
            Way::Block => self.draft.both("sums = @zeros((R, C), @float32)"),
            Way::Columns => self.draft.both("sums = @zeros((C,), @float32)"),
            Way::Rows | Way::Store => {}
        }
        if moves_pointers {
            let place = self.setting.place("");
            self.draft.pointers("x_pointers", "x_ptr", &place);
        }
        let bounds = self.draft.random.pick(&["0, m, R", "0, m, R", "0, m, R", "3, m, R"]);
        self.draft.open_loop("first", bounds);
        self.iteration(bounds.starts_with('3'));
        self.draft.close();
        match way {
            Way::Block => self.draft.both("result = @sum(sums, axis=0)"),
            Way::Columns => self.draft.both("result = sums"),
            Way::Rows | Way::Store => return,
        }
        self.draft.store(&Access::new("y_ptr", "columns").masked(Some("inside_columns".to_string())), "result");
    }

    /// Loads the block and its weights, and uses them.
    fn iteration(&mut self, begins_later: bool) {
        let Setting { weights, has_row_numbers, moves_pointers, .. } = self.setting;
        self.draft.both("inside_rows = first + rows_of_block < m");
        self.draft.both("inside = inside_rows[:, None] & inside_columns[None, :]");
        let block = Access::new("x_ptr", self.setting.place("first"));
        // Pointers that the loop moves begin at the first row of all.
        let block = if moves_pointers && !begins_later { block.at_pointers("x_pointers") } else { block };
        let inside = Some("inside".to_string());
        let other = self.draft.random.pick(&["0", "0", "1"]);
        let loads_first = self.draft.random.chance(0.5);
        if loads_first {
            self.draft.load("x", &block.clone().masked(inside.clone()).other(other), ".to(tl.float32)");
        }
        for number in 0..weights {
            let mask = Some("inside_columns".to_string());
            let access = Access::new(&weight(number), "columns").masked(mask).other("2");
            self.draft.load(&format!("w{number}"), &access, ".to(tl.float32)");
        }
        if has_row_numbers {
            let access =
                Access::new("row_ptr", "(first + rows_of_block)").masked(Some("inside_rows".to_string())).other("0");
            self.draft.load("r", &access, ".to(tl.float32)");
        }
        if !loads_first {
            self.draft.load("x", &block.masked(inside).other(other), ".to(tl.float32)");
        }
        self.use_block();
        if moves_pointers && !begins_later {
            let step = if self.setting.is_turned { "R" } else { "R * c" };
            self.draft.both(&format!("x_pointers += {step}"));
        }
    }

    fn use_block(&mut self) {
        let Setting { way, weights, has_row_numbers, .. } = self.setting;
        let used = self.draft.random.pick(&[
            "x * w0[None, :]",
            "(x - w0[None, :]) * w0[None, :]",
            "x + w0[None, :]",
            "@maximum(x, w0[None, :])",
        ]);
        let used = if weights == 2 { format!("{used} + w1[None, :]") } else { used.to_string() };
        let used = if has_row_numbers { format!("({used}) * r[:, None]") } else { used };
        self.draft.both(&format!("y = {used}"));
        let kept = "@where(inside, y, 0)";
        match way {
            Way::Block => self.draft.both(&format!("sums += {kept}")),
            Way::Columns => self.draft.both(&format!("sums += @sum({kept}, axis=0)")),
            Way::Rows => {
                self.draft.both(&format!("result = @sum({kept}, axis=1)"));
                let access = Access::new("y_ptr", "program * m + first + rows_of_block");
                self.draft.store(&access.masked(Some("inside_rows".to_string())), "result");
            }
            Way::Store => {
                let access = Access::new("y_ptr", self.setting.place("first"));
                self.draft.store(&access.masked(Some("inside".to_string())), "y");
            }
        }
    }

    fn launches(&mut self) {
        let columns = self.setting.columns;
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..3 {
            let programs: i64 = random.pick(&[1, 1, 2, 3]);
            let whole = programs * columns;
            let cut = if random.chance(0.5) { 0 } else { random.random_range(0..columns) };
            let rows = random.random_range(0..=(MOST_ROWS * 128 / whole.max(128)).max(5));
            let (warps, stages) = (random.pick(&[1, 1, 2, 4, 8]), random.pick(&[1, 2, 3]));
            launches.push(Launch { sizes: vec![rows, whole - cut], programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}

/// The parameter with the weights of a number.
fn weight(number: usize) -> String {
    format!("w{number}_ptr")
}
