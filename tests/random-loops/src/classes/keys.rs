//! Loops over blocks of queries beside keys that stay, as gradients of attention by keys have them: products of few rows of which the next product reads the
//! transpose, and what is computed between, element by element and with numbers of rows and columns.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use rand::Rng;
use tk_cases::draw::Random;

/// Elements of the products are at most this, so that every sum of [`MOST_WIDTH`] products fits into what clamping leaves exact.
const MOST: i64 = 1;
/// Numbers of rows and columns are at most this. What is computed of a product is a whole number up to 40, which 16 bits hold exactly.
const MOST_NUMBER: i64 = 2;
/// Columns of queries and keys.
const MOST_WIDTH: i64 = 64;

/// How the first product is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Queries times keys; the next product reads the transpose.
    Turned,
    /// Keys times queries: the other way round from the beginning.
    Straight,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static str,
    way: Way,
    /// Keys of a program.
    keys: i64,
    /// Queries of an iteration.
    queries: i64,
    /// Columns of both.
    width: i64,
    /// A second product goes into what the keys get, as the gradient by scores does.
    has_second: bool,
    has_row_numbers: bool,
    has_column_numbers: bool,
    /// Later keys do not count.
    is_causal: bool,
    moves_pointers: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let way = random.pick(&[Way::Turned, Way::Turned, Way::Turned, Way::Straight]);
        Self {
            element: random.pick(&["float16", "float16", "bfloat16"]),
            way,
            keys: random.pick(&[32, 64, 64, 128]),
            queries: random.pick(&[16, 16, 32, 32, 64]),
            width: random.pick(&[16, 32, MOST_WIDTH]),
            has_second: random.chance(0.6),
            has_row_numbers: random.chance(0.7),
            has_column_numbers: random.chance(0.3),
            is_causal: random.chance(0.4),
            moves_pointers: random.chance(0.3),
        }
    }

    /// A number of each query, for every key.
    fn of_queries(&self, name: &str) -> String {
        let index = if self.way == Way::Turned { "[:, None]" } else { "[None, :]" };
        format!("{name}{index}")
    }

    /// A number of each key, for every query.
    fn of_keys(&self, name: &str) -> String {
        let index = if self.way == Way::Turned { "[None, :]" } else { "[:, None]" };
        format!("{name}{index}")
    }
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["m", "n"]);
    for number in ["m", "n"] {
        draft.number(number, number);
    }
    draft.constant("M", &setting.queries.to_string());
    draft.constant("N", &setting.keys.to_string());
    draft.constant("D", &setting.width.to_string());
    let mut maker = Maker { setting, draft: &mut draft };
    maker.tensors();
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    fn tensors(&mut self) {
        let Setting { element, width, has_second, has_row_numbers, has_column_numbers, .. } = self.setting;
        let mut block = |name: &str, rows: &str| {
            self.draft.tensor(name, &format!("numbers({rows} * {width}, {MOST}, torch.{element})"));
        };
        block("q_ptr", "m");
        block("k_ptr", "n");
        block("g_ptr", "m");
        if has_second {
            block("v_ptr", "n");
        }
        if has_row_numbers {
            self.draft.tensor("row_ptr", &format!("numbers(m, {MOST_NUMBER}, torch.float32)"));
        }
        if has_column_numbers {
            self.draft.tensor("column_ptr", &format!("numbers(n, {MOST_NUMBER}, torch.float32)"));
        }
        self.draft.tensor("dk_ptr", &format!("poisoned(n * {width}, torch.float32)"));
        self.draft.tensor("dv_ptr", &format!("poisoned(n * {width}, torch.float32)"));
    }

    fn body(&mut self) {
        let Setting { has_second, has_column_numbers, moves_pointers, .. } = self.setting;
        self.draft.both("at_n = program * N + @arange(0, N)");
        self.draft.both("columns = @arange(0, D)");
        self.draft.both("inside_n = at_n < n");
        for name in if has_second { ["k", "v"].iter() } else { ["k"].iter() } {
            let keys = Access::new(&format!("{name}_ptr"), "(at_n[:, None] * D + columns[None, :])");
            self.draft.load(name, &keys.masked(Some("inside_n[:, None]".to_string())).other("0"), "");
        }
        if has_column_numbers {
            let numbers = Access::new("column_ptr", "at_n").masked(Some("inside_n".to_string())).other("0");
            self.draft.load("of_key", &numbers, "");
        }
        self.draft.both("dk = @zeros((N, D), @float32)");
        self.draft.both("dv = @zeros((N, D), @float32)");
        if moves_pointers {
            self.draft.both("lanes = @arange(0, M)");
            self.draft.pointers("q_pointers", "q_ptr", "lanes[:, None] * D + columns[None, :]");
        }
        self.draft.open_loop("first", "0, m, M");
        self.iteration();
        if moves_pointers {
            self.draft.both("q_pointers += M * D");
        }
        self.draft.close();
        for name in ["dk", "dv"] {
            let place = Access::new(&format!("{name}_ptr"), "(at_n[:, None] * D + columns[None, :])");
            self.draft.store(&place.masked(Some("inside_n[:, None]".to_string())), name);
        }
    }

    fn iteration(&mut self) {
        let Setting { element, has_second, has_row_numbers, moves_pointers, .. } = self.setting;
        self.draft.both("at_m = first + @arange(0, M)");
        self.draft.both("inside_m = at_m < m");
        let whole = |tensor: &str| Access::new(tensor, "(at_m[:, None] * D + columns[None, :])");
        let inside = Some("inside_m[:, None]".to_string());
        let q = if moves_pointers { whole("q_ptr").at_pointers("q_pointers") } else { whole("q_ptr") };
        self.draft.load("q", &q.masked(inside.clone()).other("0"), "");
        self.draft.load("g", &whole("g_ptr").masked(inside).other("0"), "");
        if has_row_numbers {
            let numbers = Access::new("row_ptr", "at_m").masked(Some("inside_m".to_string())).other("0");
            self.draft.load("of_query", &numbers, "");
        }
        self.product("s", "q", "k");
        self.draft.both("s = @minimum(@maximum(s, -4.0), 4.0)");
        self.computed();
        let turned = |name: &str| match self.setting.way {
            Way::Turned => format!("@trans({name}.to(@{element}))"),
            Way::Straight => format!("{name}.to(@{element})"),
        };
        let (p, ds) = (turned("s"), turned("ds"));
        self.draft.both(&format!("dv += @dot({p}, g)"));
        if has_second {
            self.product("dp", "g", "v");
            let delta = if has_row_numbers { self.setting.of_queries("of_query") } else { "1.0".to_string() };
            self.draft.both(&format!("ds = s * (@minimum(@maximum(dp, -2.0), 2.0) - {delta})"));
            self.draft.both(&format!("dk += @dot({ds}, q)"));
        } else {
            self.draft.both(&format!("dk += @dot({p}, q)"));
        }
    }

    /// A product of a block of queries and one of keys.
    fn product(&mut self, target: &str, queries: &str, keys: &str) {
        match self.setting.way {
            Way::Turned => self.draft.both(&format!("{target} = @dot({queries}, @trans({keys}))")),
            Way::Straight => self.draft.both(&format!("{target} = @dot({keys}, @trans({queries}))")),
        }
    }

    /// What is computed of the first product before the next reads it.
    fn computed(&mut self) {
        let Setting { has_row_numbers, has_column_numbers, is_causal, .. } = self.setting;
        if has_row_numbers {
            let numbers = self.setting.of_queries("of_query");
            self.draft.both(&format!("s = s - {numbers}"));
        }
        if has_column_numbers {
            let numbers = self.setting.of_keys("of_key");
            self.draft.both(&format!("s = s + {numbers}"));
        }
        if is_causal {
            let (queries, keys) = (self.setting.of_queries("at_m"), self.setting.of_keys("at_n"));
            self.draft.both(&format!("s = @where({queries} >= {keys}, s, 0.0)"));
        }
    }

    fn launches(&mut self) {
        let Setting { keys, queries, .. } = self.setting;
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..2 {
            let programs: i64 = random.pick(&[1, 1, 2]);
            let blocks: i64 = random.pick(&[0, 1, 2, 3]);
            let cut =
                |random: &mut Random, most: i64| if random.chance(0.5) { 0 } else { random.random_range(0..most) };
            let m = (blocks * queries - cut(random, queries)).max(0);
            let n = programs * keys - cut(random, keys);
            let (warps, stages) = (random.pick(&[4, 4, 8, 2]), random.pick(&[1, 2, 3]));
            launches.push(Launch { sizes: vec![m, n], programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
