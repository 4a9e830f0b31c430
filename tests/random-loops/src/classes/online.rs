//! Loops that keep numbers of rows: greatest scores, sums and scales, which scale the blocks that are multiplied and added, as in softmax over blocks of keys.
//! The keys may have rows of numbers of their own, which each iteration makes.
//!
//! Scores are small whole numbers, so that their powers of two and all sums of them are exact; a few programs scale scores by a fraction, and results are
//! compared with a bound.

use super::blocks::{Axis, Block, Moving, Placed};
use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use rand::Rng;
use tk_cases::draw::Random;

/// Multiplications of an iteration, at most.
const LARGEST: usize = 1 << 18;
/// Keys of a launch, at most.
const MOST_KEYS: usize = 256;
/// How far results are off that were divided, and those of which scores were scaled by a fraction.
const ERROR_OF_QUOTIENT: f64 = 2e-5;
const ERROR_OF_POWERS: f64 = 3e-2;

/// What becomes of scores before they are multiplied with values, and which rows the loop keeps for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Powers of the distance to the greatest score so far, and their sum: both change scale when the greatest score does.
    Softmax,
    /// The sum of all scores, whose sign turns them.
    Sum,
    /// The greatest score so far, and which scores are the same.
    Max,
}

/// How the powers of a softmax are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Powers {
    /// Of two, of whole numbers.
    Whole,
    /// Natural ones of scaled scores.
    Natural,
    /// Of two, of scores that were scaled before the greatest is known.
    Scaled,
}

/// Numbers of keys that scale a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scaled {
    Keys,
    Scores,
    Values,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static str,
    /// Queries and keys are whole numbers of 8 bits, whose products are scaled as floats.
    is_quantized: bool,
    queries: usize,
    keys: usize,
    depth: usize,
    width: usize,
    /// Keys are rows of the scores, and queries columns.
    is_turned: bool,
    is_masked: bool,
    is_causal: bool,
    kept: Kept,
    powers: Powers,
    /// Scores are clamped; else queries have few numbers that are not zero.
    is_clamped: bool,
    scaled: Vec<Scaled>,
    /// Whole blocks have a loop of their own, without masks.
    has_two_loops: bool,
    /// A factor of the scores that changes in every iteration.
    has_factor: bool,
    /// A factor of what was added, loaded for each iteration.
    has_decay: bool,
    /// The rows of each iteration are stored.
    has_history: bool,
    /// A number is added to each score: of its key, of its query, of both.
    biases: [bool; 3],
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let is_quantized = random.chance(0.1);
        let element = random.pick(&["float16", "float16", "bfloat16", "float32"]);
        let kept = random.pick(&[Kept::Softmax, Kept::Softmax, Kept::Softmax, Kept::Sum, Kept::Max]);
        let powers =
            random.pick(&[Powers::Whole, Powers::Whole, Powers::Whole, Powers::Whole, Powers::Natural, Powers::Scaled]);
        let is_masked = random.chance(0.7);
        let mut scaled = Vec::new();
        for (one, share) in [(Scaled::Keys, 0.3), (Scaled::Scores, 0.15), (Scaled::Values, 0.15)] {
            if random.chance(share) && (one != Scaled::Keys || !is_quantized) {
                scaled.push(one);
            }
        }
        let [queries, keys, depth, width] = loop {
            let sizes = [
                random.pick(&[16, 16, 32, 64, 64, 128]),
                random.pick(&[16, 32, 32, 64, 128]),
                random.pick(&[16, 32, 64]),
                random.pick(&[16, 32, 64]),
            ];
            if (!is_quantized || sizes[2] >= 32) && sizes[0] * sizes[1] * (sizes[2] + sizes[3]) <= LARGEST {
                break sizes;
            }
        };
        Self {
            element,
            is_quantized,
            queries,
            keys,
            depth,
            width,
            is_turned: random.chance(0.25),
            is_masked,
            is_causal: random.chance(0.2),
            kept,
            powers: if kept == Kept::Softmax { powers } else { Powers::Whole },
            is_clamped: random.chance(0.4),
            scaled,
            has_two_loops: is_masked && random.chance(0.25),
            has_factor: kept != Kept::Softmax && random.chance(0.3),
            has_decay: random.chance(0.15),
            has_history: random.chance(0.25),
            biases: [0.25, 0.1, 0.1].map(|share| random.chance(share)),
        }
    }

    /// The end of a mask, where there are masks.
    fn end(&self, size: &'static str) -> Option<&'static str> {
        self.is_masked.then_some(size)
    }
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
}

/// A block that iterations load, at pointers that the loop carries perhaps.
struct Loaded {
    placed: Placed,
    moving: Option<Moving>,
}

/// What iterations load.
struct Loads {
    keys: Loaded,
    values: Loaded,
    /// Rows of numbers of keys, with their names, and the block of biases.
    rows: Vec<(&'static str, Access)>,
    bias: Option<Placed>,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["m", "n", "d", "e"]);
    let Setting { queries, keys, depth, width, .. } = setting;
    for (name, block) in [("M", queries), ("N", keys), ("D", depth), ("E", width)] {
        draft.constant(name, &block.to_string());
    }
    for size in ["m", "n", "d", "e"] {
        draft.number(size, size);
    }
    let mut maker = Maker { setting, draft: &mut draft };
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    /// A number of each query, where a block is made of it.
    fn over_queries(&self, name: &str) -> String {
        if self.setting.is_turned { format!("{name}[None, :]") } else { format!("{name}[:, None]") }
    }

    /// The same of each key.
    fn over_keys(&self, name: &str) -> String {
        if self.setting.is_turned { format!("{name}[:, None]") } else { format!("{name}[None, :]") }
    }

    /// The axis of the keys in a block of scores.
    fn axis(&self) -> usize {
        usize::from(!self.setting.is_turned)
    }

    fn body(&mut self) {
        self.draft.both("at_m = program * M + @arange(0, M)");
        self.draft.both("lanes_n = @arange(0, N)");
        self.draft.both("at_d = @arange(0, D)");
        self.draft.both("at_e = @arange(0, E)");
        self.queries();
        let loads = self.place();
        if self.setting.biases[1] {
            self.draft.tensor("bias_m_ptr", "numbers(m, 1, torch.float32)");
            let mask = self.setting.end("m").map(|end| format!("at_m < {end}"));
            let access = Access::new("bias_m_ptr", "at_m").masked(mask).other("0.0");
            self.draft.load("bias_m", &access, "");
        }
        self.start();
        let end = if self.setting.is_causal && self.draft.random.chance(0.5) {
            self.draft.line("end = tl.minimum(n, (program + 1) * M)", "end = min(n, (program + 1) * M)");
            "end"
        } else {
            "n"
        };
        if self.setting.has_two_loops {
            self.draft.both(&format!("split = {end} // N * N"));
            self.iterations("0, split, N", &loads, false);
            self.iterations(&format!("split, {end}, N"), &loads, true);
        } else {
            self.iterations(&format!("0, {end}, N"), &loads, self.setting.is_masked);
        }
        self.finish();
    }

    /// Loads the block of queries, as the product takes it.
    fn queries(&mut self) {
        let Setting { element, is_quantized, is_clamped, is_turned, .. } = self.setting;
        let element = if is_quantized { "int8" } else { element };
        let made = if is_clamped {
            format!("numbers(#, 1, torch.{element})")
        } else {
            format!("few(#, m, min(d, 4), q_ptr_stride_0, q_ptr_stride_1, torch.{element})")
        };
        let axes = vec![Axis::new("at_m", "m", self.setting.end("m")), Axis::new("at_d", "d", self.setting.end("d"))];
        let placed = self.draft.place(Block { name: "q_ptr", axes, made: &made });
        self.draft.load("q", &placed.access().other("0"), "");
        if is_turned {
            self.draft.both("q = @trans(q)");
        }
    }

    /// The tensors that iterations load from.
    fn place(&mut self) -> Loads {
        let Setting { element, is_quantized, is_masked, .. } = self.setting;
        let [keys, depth, width] = [("at_n", "n"), ("at_d", "d"), ("at_e", "e")]
            .map(|(index, size)| Axis::new(index, size, self.setting.end(size)));
        let scales = |one: Scaled| self.setting.scaled.contains(&one);
        let (scales_keys, scales_values) = (scales(Scaled::Keys), scales(Scaled::Values));
        let random = &mut *self.draft.random;
        // What is scaled is of fewer bytes, mostly.
        let mut loads = |is_scaled: bool| match element {
            "float32" if is_scaled => random.pick(&["float16", "bfloat16", "float32"]),
            _ if is_scaled => random.pick(&["int8", element]),
            _ => element,
        };
        let key_type = if is_quantized { "int8" } else { loads(scales_keys) };
        let value_type = loads(scales_values);
        let mut order = |first: &Axis, second: &Axis| {
            if random.chance(0.6) { vec![first.clone(), second.clone()] } else { vec![second.clone(), first.clone()] }
        };
        let (key_axes, value_axes) = (order(&keys, &depth), order(&keys, &width));
        let made = format!("numbers(#, 1, torch.{key_type})");
        let placed_keys = self.draft.place(Block { name: "k_ptr", axes: key_axes, made: &made });
        let made = format!("numbers(#, {}, torch.{value_type})", if scales_values { 2 } else { 3 });
        let placed_values = self.draft.place(Block { name: "v_ptr", axes: value_axes, made: &made });
        let mask = is_masked.then(|| "at_n < n".to_string());
        let mut rows = Vec::new();
        for (one, name) in [(Scaled::Keys, "key_row"), (Scaled::Scores, "score_row"), (Scaled::Values, "value_row")] {
            if self.setting.scaled.contains(&one) {
                rows.push((name, self.row_of_keys(name, "squares", mask.clone())));
            }
        }
        if self.setting.biases[0] {
            rows.push(("bias_n", self.row_of_keys("bias_n", "numbers", mask)));
        }
        let axes = if self.setting.is_turned { ["n", "m"] } else { ["m", "n"] };
        let axes = axes.map(|size| Axis::new(&format!("at_{size}"), size, self.setting.end(size))).to_vec();
        let bias = self.setting.biases[2]
            .then(|| self.draft.place(Block { name: "bias_ptr", axes, made: "numbers(#, 1, torch.float16)" }));
        let [keys, values] = [placed_keys, placed_values].map(|placed| self.loaded(placed));
        Loads { keys, values, rows, bias }
    }

    fn loaded(&mut self, placed: Placed) -> Loaded {
        let is_moving = self.draft.random.chance(0.2);
        let moving = is_moving.then(|| self.draft.start_moving(&placed, "at_n", "lanes_n", "N"));
        Loaded { placed, moving }
    }

    /// A tensor with a number of each key, which are zero and one in magnitude.
    fn row_of_keys(&mut self, name: &str, function: &str, mask: Option<String>) -> Access {
        let element = self.draft.random.pick(&["float32", "float32", "float16", "bfloat16"]);
        let tensor = format!("{name}_ptr");
        self.draft.tensor(&tensor, &format!("{function}(n, 1, torch.{element})"));
        Access::new(&tensor, "at_n").masked(mask).other("0.0")
    }

    /// Rows and sums before the loop.
    fn start(&mut self) {
        let Setting { kept, is_turned, has_factor, has_decay, has_history, .. } = self.setting;
        let shape = if is_turned { "(E, M)" } else { "(M, E)" };
        self.draft.both(&format!("acc = @zeros({shape}, @float32)"));
        let lowest = self.draft.random.pick(&["float('-inf')", "float('-inf')", "-1.0e4"]);
        match kept {
            Kept::Softmax => {
                self.draft.both(&format!("most = @full((M,), {lowest}, @float32)"));
                self.draft.both("total = @zeros((M,), @float32)");
            }
            Kept::Max => self.draft.both(&format!("most = @full((M,), {lowest}, @float32)")),
            Kept::Sum => self.draft.both("total = @zeros((M,), @float32)"),
        }
        if has_factor {
            self.draft.both("factor = @full((M,), 1.0, @float32)");
        }
        if has_decay {
            self.draft.tensor("decay_ptr", "numbers(triton.cdiv(n, N) * m, 1, torch.float32)");
        }
        if has_history {
            self.draft.tensor("history_ptr", "poisoned(triton.cdiv(n, N) * m, torch.float32)");
        }
        if has_decay || has_history {
            self.draft.set("N", &self.setting.keys.to_string());
        }
    }

    /// One loop.
    fn iterations(&mut self, bounds: &str, loads: &Loads, is_masked: bool) {
        self.draft.open_loop("first", bounds);
        self.draft.both("at_n = first + lanes_n");
        for (name, access) in &loads.rows {
            let access = if is_masked { access.clone() } else { access.clone().masked(None).other("0.0") };
            let cast = if *name == "bias_n" { ".to(tl.float32)" } else { "" };
            self.draft.load(name, &access, cast);
            if *name != "bias_n" {
                self.draft.both(&format!("{name} = @sqrt_rn({name}.to(@float32))"));
            }
        }
        let values_first = self.draft.random.chance(0.4);
        if values_first {
            self.values(loads, is_masked);
        }
        self.keys(loads, is_masked);
        self.scores(loads, is_masked);
        match self.setting.kept {
            Kept::Softmax => self.softmax(),
            Kept::Sum => self.sum(),
            Kept::Max => self.max(),
        }
        if !values_first {
            self.values(loads, is_masked);
        }
        self.add();
        if self.setting.has_factor {
            self.draft.both("factor = 3.0 - factor");
        }
        for moving in [&loads.keys, &loads.values].into_iter().filter_map(|loaded| loaded.moving.as_ref()) {
            self.draft.move_on(moving);
        }
        if self.setting.has_history {
            let kept = if self.setting.kept == Kept::Sum { "total" } else { "most" };
            let access = Access::new("history_ptr", "(first // N) * m + at_m").masked(Some("at_m < m".to_string()));
            self.draft.store(&access, kept);
        }
        self.draft.close();
    }

    /// The block of keys, turned to what the product takes: keys in rows where scores are turned.
    fn keys(&mut self, loads: &Loads, is_masked: bool) {
        self.load("k", &loads.keys, is_masked);
        self.operand("k", &loads.keys.placed, self.setting.is_turned, Scaled::Keys, "key_row");
    }

    /// The block of values: keys in columns where scores are turned.
    fn values(&mut self, loads: &Loads, is_masked: bool) {
        self.load("v", &loads.values, is_masked);
        self.operand("v", &loads.values.placed, !self.setting.is_turned, Scaled::Values, "value_row");
    }

    fn load(&mut self, name: &str, loaded: &Loaded, is_masked: bool) {
        let Loaded { placed, moving } = loaded;
        let access = if is_masked { placed.access() } else { placed.access_of_whole("at_n") };
        let access = moving.as_ref().map_or(access.clone(), |moving| moving.access(access));
        self.draft.load(name, &access.other("0"), "");
    }

    /// Scales an operand, and turns it so that keys are in rows or columns.
    fn operand(&mut self, name: &str, placed: &Placed, keys_in_rows: bool, scaled: Scaled, row: &str) {
        let is_loaded_so = placed.begins_with("at_n") == keys_in_rows;
        let is_quantized = self.setting.is_quantized && name == "k";
        let element = self.setting.element;
        if self.setting.scaled.contains(&scaled) {
            let turns_first = !is_loaded_so && self.draft.random.chance(0.3);
            if turns_first {
                self.draft.both(&format!("{name} = @trans({name})"));
            }
            let in_rows = if turns_first { keys_in_rows } else { placed.begins_with("at_n") };
            let index = if in_rows { "[:, None]" } else { "[None, :]" };
            self.draft.both(&format!("{name} = ({name}.to(@float32) * {row}{index}).to(@{element})"));
            if !is_loaded_so && !turns_first {
                self.draft.both(&format!("{name} = @trans({name})"));
            }
            return;
        }
        if !is_loaded_so {
            self.draft.both(&format!("{name} = @trans({name})"));
        }
        if !is_quantized && self.draft.random.chance(0.1) {
            self.draft.both(&format!("{name} = {name}.to(@{element})"));
        }
    }

    /// Products of queries and keys, and what changes them.
    fn scores(&mut self, loads: &Loads, is_masked: bool) {
        let product = if self.setting.is_turned { "@dot(k, q)" } else { "@dot(q, k)" };
        let cast = if self.setting.is_quantized { ".to(@float32)" } else { "" };
        self.draft.both(&format!("s = {product}{cast}"));
        if self.setting.is_clamped {
            self.draft.both("s = @minimum(@maximum(s, -4.0), 4.0)");
        }
        if self.setting.scaled.contains(&Scaled::Scores) {
            let row = self.over_keys("score_row");
            self.draft.both(&format!("s = s * {row}"));
        }
        let [of_keys, of_queries, of_both] = self.setting.biases;
        for (is_there, row) in [(of_keys, self.over_keys("bias_n")), (of_queries, self.over_queries("bias_m"))] {
            if is_there {
                self.draft.both(&format!("s = s + {row}"));
            }
        }
        if let (true, Some(bias)) = (of_both, &loads.bias) {
            let access = if is_masked { bias.access() } else { bias.access_of_whole("at_n") };
            self.draft.load("bias", &access.other("0.0"), ".to(tl.float32)");
            self.draft.both("s = s + bias");
        }
        if self.setting.has_factor {
            let factor = self.over_queries("factor");
            self.draft.both(&format!("s = s * {factor}"));
        }
        let lowest = match self.setting.kept {
            Kept::Softmax => self.draft.random.pick(&["float('-inf')", "float('-inf')", "-1.0e4"]),
            Kept::Max => "-100.0",
            Kept::Sum => "0.0",
        };
        if is_masked {
            let inside = self.over_keys("(at_n < n)");
            self.draft.both(&format!("s = @where({inside}, s, {lowest})"));
        }
        if self.setting.is_causal {
            let (queries, keys) = (self.over_queries("at_m"), self.over_keys("at_n"));
            self.draft.both(&format!("s = @where({queries} >= {keys}, s, {lowest})"));
        }
    }

    /// Powers of scores, whose scale is that of the greatest score.
    fn softmax(&mut self) {
        let axis = self.axis();
        let most = self.over_queries("now");
        if self.setting.powers == Powers::Scaled {
            self.draft.both("s = s * 0.18033688");
        }
        self.draft.both(&format!("now = @maximum(most, @max(s, axis={axis}))"));
        match self.setting.powers {
            Powers::Whole | Powers::Scaled => {
                self.draft.both("scale = @exp2(most - now)");
                self.draft.both(&format!("p = @exp2(s - {most})"));
            }
            Powers::Natural => {
                self.draft.both("scale = @exp((most - now) * 0.125)");
                self.draft.both(&format!("p = @exp((s - {most}) * 0.125)"));
            }
        }
        let text = self.draft.random.pick(&[
            format!("total = total * scale + @sum(p, axis={axis})"),
            format!("total = @sum(p, axis={axis}) + scale * total"),
        ]);
        self.draft.both(&text);
        self.draft.both("most = now");
    }

    fn sum(&mut self) {
        let axis = self.axis();
        let total = self.over_queries("total");
        if self.draft.random.chance(0.5) {
            self.draft.both(&format!("total += @sum(s, axis={axis})"));
            self.draft.both(&format!("p = @where({total} > 2.0, -s, s)"));
        } else {
            self.draft.both(&format!("p = @where({total} > 2.0, -s, s)"));
            self.draft.both(&format!("total = total + @sum(s, axis={axis})"));
        }
    }

    fn max(&mut self) {
        let axis = self.axis();
        let most = self.over_queries("most");
        self.draft.both(&format!("most = @maximum(most, @max(s, axis={axis}))"));
        self.draft.both(&format!("p = @where(s == {most}, 1.0, 0.0)"));
    }

    /// Products with values are added to what was added before, which is scaled first.
    fn add(&mut self) {
        let mut scales = Vec::new();
        if self.setting.kept == Kept::Softmax {
            scales.push(self.over_queries("scale"));
        }
        if self.setting.has_decay {
            let mask = self.setting.end("m").map(|end| format!("at_m < {end}"));
            let access = Access::new("decay_ptr", "(first // N) * m + at_m").masked(mask).other("1.0");
            self.draft.load("decay", &access, "");
            scales.push(self.over_queries("decay"));
        }
        let element = self.setting.element;
        if element != "float32" {
            self.draft.both(&format!("p = p.to(@{element})"));
        }
        let operands = if self.setting.is_turned { "v, p" } else { "p, v" };
        let scaled: String = scales.iter().map(|scale| format!(" * {scale}")).collect();
        match self.draft.random.random_range(0..3) {
            0 => self.draft.both(&format!("acc = acc{scaled} + @dot({operands})")),
            1 => {
                self.draft.both(&format!("acc = acc{scaled}"));
                self.draft.both(&format!("acc = @dot({operands}, acc)"));
            }
            _ => {
                for scale in &scales {
                    self.draft.both(&format!("acc = acc * {scale}"));
                }
                self.draft.both(&format!("acc += @dot({operands})"));
            }
        }
    }

    /// Stores rows and sums.
    fn finish(&mut self) {
        let Setting { kept, powers, is_turned, .. } = self.setting;
        let is_whole = powers == Powers::Whole;
        let rows: &[&str] = match kept {
            Kept::Softmax => &["most", "total"],
            Kept::Sum => &["total"],
            Kept::Max => &["most"],
        };
        let mask = Some("at_m < m".to_string());
        for row in rows {
            let tensor = format!("{row}_ptr");
            self.draft.tensor(&tensor, "poisoned(m, torch.float32)");
            self.draft.store(&Access::new(&tensor, "at_m").masked(mask.clone()), row);
            if !is_whole {
                self.draft.tolerate(&tensor, 1e-3);
            }
        }
        let mut error = 0.0;
        if kept == Kept::Softmax && (!is_whole || self.draft.random.chance(0.5)) {
            if self.draft.random.chance(0.5) {
                self.draft.both("total = @where(total > 0.0, total, 1.0)");
            }
            let total = self.over_queries("total");
            self.draft.both(&format!("acc = acc / {total}"));
            error = if is_whole { ERROR_OF_QUOTIENT } else { ERROR_OF_POWERS };
        }
        if !is_whole && self.setting.has_history {
            self.draft.tolerate("history_ptr", 1e-4);
        }
        let axes = if is_turned { ["e", "m"] } else { ["m", "e"] };
        let axes = axes.map(|size| Axis::new(&format!("at_{size}"), size, Some(size))).to_vec();
        let placed = self.draft.place(Block { name: "out_ptr", axes, made: "poisoned(#, torch.float32)" });
        self.draft.store(&placed.access(), "acc");
        self.draft.tolerate("out_ptr", error);
    }

    fn launches(&mut self) {
        let Setting { queries, keys, depth, width, is_masked, .. } = self.setting;
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..3 {
            let programs = random.pick(&[1, 1, 2]);
            let steps = random.random_range(0..=5.min(MOST_KEYS / keys));
            let sizes = [(programs, queries), (steps, keys), (1, depth), (1, width)];
            let mut size = |(blocks, block): (usize, usize)| {
                let cut = if is_masked && blocks > 0 && random.chance(0.5) { random.random_range(0..block) } else { 0 };
                (blocks * block - cut) as i64
            };
            let sizes = sizes.map(&mut size).to_vec();
            let (warps, stages) = (random.pick(&[1, 2, 4, 4, 8]), random.pick(&[1, 2, 2, 3, 3, 4]));
            launches.push(Launch { sizes, programs: programs as i64, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
