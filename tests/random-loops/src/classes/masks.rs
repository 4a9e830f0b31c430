//! Masks of blocks in loops with products, as attention has them: most blocks are whole, some have the end of the keys, the diagonal or an edge of a window in
//! them, and some have no element that counts.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use rand::Rng;
use rand::seq::SliceRandom;
use tk_cases::draw::Random;

/// Elements of the products are at most this, so that clamping leaves whole numbers that 16 bits hold exactly.
const MOST: i64 = 1;
/// What of the first product the second one reads is at most this.
const LIMIT: &str = "4.0";
/// Blocks of keys of a launch, at most. Sums over them are exact.
const MOST_BLOCKS: i64 = 5;

/// What a mask says of a row and a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The key is one of those that there are.
    End,
    /// The key is no later than the row.
    Causal,
    /// The key is no later than so many behind the row.
    Shifted,
    /// The key is not long before the row.
    Window,
    /// The key is none of the first.
    Begin,
    /// The key is another one than that of the launch, which is no question of order.
    Other,
}

const PARTS: [Part; 6] = [Part::End, Part::Causal, Part::Shifted, Part::Window, Part::Begin, Part::Other];

/// Where the loop over keys begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    All,
    /// Up to the last key that a row of the program has.
    ToDiagonal,
    /// From the first key of the window.
    Window,
    /// From the second block on.
    Later,
}

/// What becomes of what the mask leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Sums of each row.
    Sums,
    /// The greatest of each row.
    Greatest,
    /// A product with values.
    Product,
    /// All of them.
    All,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static str,
    parts: Vec<Part>,
    bounds: Bounds,
    way: Way,
    /// What stands where the mask is false.
    fill: &'static str,
    /// Rows of a program.
    rows: i64,
    /// Keys of an iteration.
    keys: i64,
    /// Columns of both.
    width: i64,
    /// Keys before the row that count, in windows.
    window: i64,
    /// Rows are columns of the first product.
    is_turned: bool,
    /// Indices of 64 bits.
    is_wide: bool,
    /// The mask is asked for a second time.
    masks_twice: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let mut parts = PARTS;
        parts.shuffle(random);
        let number = random.pick(&[1, 1, 2, 2, 3]);
        Self {
            element: random.pick(&["float16", "float16", "bfloat16"]),
            parts: parts[..number].to_vec(),
            bounds: random.pick(&[Bounds::All, Bounds::All, Bounds::ToDiagonal, Bounds::Window, Bounds::Later]),
            way: random.pick(&[Way::Sums, Way::Greatest, Way::Product, Way::All]),
            fill: random.pick(&["-100.0", "-100.0", "0.0", "3.0"]),
            rows: random.pick(&[16, 32, 64, 64, 128]),
            keys: random.pick(&[16, 32, 64, 64, 128]),
            width: random.pick(&[16, 32, 64]),
            window: random.pick(&[0, 1, 16, 40, 100]),
            is_turned: random.chance(0.25),
            is_wide: random.chance(0.2),
            masks_twice: random.chance(0.3),
        }
    }

    fn multiplies(&self) -> bool {
        matches!(self.way, Way::Product | Way::All)
    }

    fn sums(&self) -> bool {
        matches!(self.way, Way::Sums | Way::All)
    }

    fn keeps_greatest(&self) -> bool {
        matches!(self.way, Way::Greatest | Way::All)
    }

    /// Numbers of rows, for every key.
    fn of_rows(&self, name: &str) -> String {
        let index = if self.is_turned { "[None, :]" } else { "[:, None]" };
        format!("{name}{index}")
    }

    /// Numbers of keys, for every row.
    fn of_keys(&self, name: &str) -> String {
        let index = if self.is_turned { "[:, None]" } else { "[None, :]" };
        format!("{name}{index}")
    }

    /// A condition for each row and key.
    fn condition(&self, part: Part) -> String {
        let (rows, keys) = (self.of_rows("at_m"), self.of_keys("at_n"));
        match part {
            Part::End => format!("({keys} < n)"),
            Part::Causal => format!("({rows} >= {keys})"),
            Part::Shifted => format!("({keys} <= {rows} + shift)"),
            Part::Window => format!("({rows} - {keys} <= W)"),
            Part::Begin => format!("({keys} >= begin)"),
            Part::Other => format!("({keys} != begin)"),
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
    let mut draft = Draft::new(random, &["m", "n", "shift", "begin"]);
    for number in ["m", "n", "shift", "begin"] {
        draft.number(number, number);
    }
    draft.constant("M", &setting.rows.to_string());
    draft.constant("N", &setting.keys.to_string());
    draft.constant("D", &setting.width.to_string());
    draft.constant("W", &setting.window.to_string());
    let mut maker = Maker { setting, draft: &mut draft };
    maker.tensors();
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    fn tensors(&mut self) {
        let Setting { element, width, .. } = self.setting;
        let (multiplies, sums, keeps_greatest) =
            (self.setting.multiplies(), self.setting.sums(), self.setting.keeps_greatest());
        self.draft.tensor("q_ptr", &format!("numbers(m * {width}, {MOST}, torch.{element})"));
        self.draft.tensor("k_ptr", &format!("numbers(n * {width}, {MOST}, torch.{element})"));
        if multiplies {
            self.draft.tensor("v_ptr", &format!("numbers(n * {width}, {MOST}, torch.{element})"));
            self.draft.tensor("acc_ptr", &format!("poisoned(m * {width}, torch.float32)"));
        }
        if sums {
            self.draft.tensor("total_ptr", "poisoned(m, torch.float32)");
        }
        if keeps_greatest {
            self.draft.tensor("most_ptr", "poisoned(m, torch.float32)");
        }
    }

    fn body(&mut self) {
        let cast = if self.setting.is_wide { ".to(tl.int64)" } else { "" };
        self.draft
            .line(&format!("at_m = program * M + tl.arange(0, M){cast}"), "at_m = program * M + host.arange(0, M)");
        self.draft.both("columns = @arange(0, D)");
        self.draft.both("inside_m = at_m < m");
        let block = Access::new("q_ptr", "(at_m[:, None] * D + columns[None, :])");
        self.draft.load("q", &block.masked(Some("inside_m[:, None]".to_string())).other("0"), "");
        if self.setting.multiplies() {
            self.draft.both("acc = @zeros((M, D), @float32)");
        }
        if self.setting.sums() {
            self.draft.both("total = @zeros((M,), @float32)");
        }
        if self.setting.keeps_greatest() {
            self.draft.both("most = @full((M,), -200.0, @float32)");
        }
        let bounds = self.bounds();
        self.draft.open_loop("first", bounds);
        self.iteration(cast);
        self.draft.close();
        self.results();
    }

    /// Writes what the loop begins and ends with.
    fn bounds(&mut self) -> &'static str {
        match self.setting.bounds {
            Bounds::All => "0, n, N",
            Bounds::Later => "N, n, N",
            Bounds::ToDiagonal => {
                self.draft.line("end = tl.minimum((program + 1) * M, n)", "end = min((program + 1) * M, n)");
                "0, end, N"
            }
            Bounds::Window => {
                self.draft
                    .line("low = tl.maximum(program * M - W, 0) // N * N", "low = max(program * M - W, 0) // N * N");
                "low, n, N"
            }
        }
    }

    fn iteration(&mut self, cast: &str) {
        let Setting { element, fill, is_turned, masks_twice, .. } = self.setting;
        self.draft.line(&format!("at_n = first + tl.arange(0, N){cast}"), "at_n = first + host.arange(0, N)");
        let keys = |tensor: &str| {
            let block = Access::new(tensor, "(at_n[:, None] * D + columns[None, :])");
            block.masked(Some("(at_n < n)[:, None]".to_string())).other("0")
        };
        self.draft.load("k", &keys("k_ptr"), "");
        self.draft.both(if is_turned { "s = @dot(k, @trans(q))" } else { "s = @dot(q, @trans(k))" });
        let before = self.draft.random.pick(&["", "s = s * 2.0", "s = @minimum(s, 5.0)"]);
        if !before.is_empty() {
            self.draft.both(before);
        }
        let conditions: Vec<String> = self.setting.parts.iter().map(|part| self.setting.condition(*part)).collect();
        self.draft.both(&format!("mask = {}", conditions.join(" & ")));
        self.draft.both(&format!("s = @where(mask, s, {fill})"));
        let axis = if is_turned { 0 } else { 1 };
        if self.setting.keeps_greatest() {
            self.draft.both(&format!("most = @maximum(most, @max(s, axis={axis}))"));
        }
        if masks_twice {
            self.draft.both("s = s - 1.0");
            self.draft.both("s = @where(mask, s, 0.0)");
        }
        if self.setting.sums() {
            self.draft.both(&format!("total += @sum(s, axis={axis})"));
        }
        if self.setting.multiplies() {
            self.draft.load("v", &keys("v_ptr"), "");
            self.draft.both(&format!("p = @minimum(@maximum(s, -{LIMIT}), {LIMIT}).to(@{element})"));
            self.draft.both(if is_turned { "acc += @dot(@trans(p), v)" } else { "acc += @dot(p, v)" });
        }
    }

    fn results(&mut self) {
        if self.setting.multiplies() {
            let place = Access::new("acc_ptr", "(at_m[:, None] * D + columns[None, :])");
            self.draft.store(&place.masked(Some("inside_m[:, None]".to_string())), "acc");
        }
        let rows = |tensor: &str| Access::new(tensor, "at_m").masked(Some("inside_m".to_string()));
        if self.setting.sums() {
            self.draft.store(&rows("total_ptr"), "total");
        }
        if self.setting.keeps_greatest() {
            self.draft.store(&rows("most_ptr"), "most");
        }
    }

    fn launches(&mut self) {
        let Setting { rows, keys, .. } = self.setting;
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..2 {
            let programs: i64 = random.pick(&[1, 2, 2, 3]);
            let blocks = random.random_range(0..=MOST_BLOCKS);
            let cut =
                |random: &mut Random, most: i64| if random.chance(0.5) { 0 } else { random.random_range(0..most) };
            let m = programs * rows - cut(random, rows);
            let n = (blocks * keys - cut(random, keys)).max(0);
            let (shift, begin) = (random.pick(&[-70, -16, -1, 0, 1, 16, 100]), random.pick(&[0, 1, 5, 16, 64]));
            let (warps, stages) = (random.pick(&[4, 4, 8, 2, 1]), random.pick(&[1, 2, 3]));
            launches.push(Launch { sizes: vec![m, n, shift, begin], programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
