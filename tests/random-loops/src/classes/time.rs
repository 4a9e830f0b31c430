//! Loops over steps of time: each iteration loads an element of each row or so, changes what the loop carries, and stores elements. The steps of a row lie
//! beside each other, or far apart. Tensors may be one, or parts of one that are some steps apart: then later steps read what earlier ones stored.
//!
//! What is carried stays small, so that every type holds it exactly.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::elements::{ELEMENTS, Element};
use rand::Rng;
use tk_cases::draw::Random;

/// Steps of a launch, at most; a stride that is written as a number.
const MOST_STEPS: i64 = 32;
/// Steps of which halves of halves are exact.
const MOST_HALVES: i64 = 12;
/// Elements of a tensor, at most.
const MOST_ELEMENTS: i64 = 8192;
/// Steps that a tensor has more than are stored and loaded, for parts of it that begin later.
const ROOM: i64 = 3;
/// Rows of the second axis of blocks.
const WIDTH: i64 = 4;

/// What a program has for each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Number,
    Vector,
    /// Two axes, of which the second is short.
    Block,
}

/// The order of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Forward,
    Backward,
    /// From the last to the first, by a loop that counts up.
    Counted,
    /// Every other one.
    Twos,
    /// Between two numbers.
    Between,
    /// By a loop that counts itself.
    While,
}

/// Which elements are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Masks {
    None,
    /// Those of a number of rows.
    Rows,
    /// Those of a number of lanes that is known to the compiler.
    Lanes,
}

/// How the steps of rows lie in memory.
#[derive(Clone, Debug)]
enum Lie {
    /// The steps of a row beside each other, with as many places behind them.
    Beside { stride: &'static str, gap: i64 },
    /// The rows of a step beside each other.
    Across { stride: &'static str },
    /// Both with strides of the launch.
    Strides { rows: &'static str, steps: &'static str, gap: i64 },
}

impl Lie {
    /// The offset of a step of the rows `i`.
    fn at(&self, rows: &str, step: &str) -> String {
        match self {
            Lie::Beside { stride, .. } => format!("{rows} * {stride} + {step}"),
            Lie::Across { stride } => format!("{step} * {stride} + {rows}"),
            Lie::Strides { rows: by_rows, steps, .. } => format!("{rows} * {by_rows} + {step} * {steps}"),
        }
    }

    /// How far steps are apart.
    fn step(&self) -> &'static str {
        match self {
            Lie::Beside { .. } => "1",
            Lie::Across { stride } => stride,
            Lie::Strides { steps, .. } => steps,
        }
    }

    /// How far rows are apart.
    fn row(&self) -> &'static str {
        match self {
            Lie::Beside { stride, .. } => stride,
            Lie::Across { .. } => "1",
            Lie::Strides { rows, .. } => rows,
        }
    }

    /// So many steps behind the last one are no other row's.
    fn gap(&self) -> i64 {
        match self {
            Lie::Beside { gap, .. } | Lie::Strides { gap, .. } => *gap,
            Lie::Across { .. } => 2,
        }
    }

    /// How many elements a tensor of so many rows has, with room for a few more steps.
    fn count(&self, rows: &str) -> String {
        format!("({rows} - 1) * {} + (T + {ROOM}) * {}", self.row(), self.step())
    }
}

/// What an iteration makes of what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Add,
    /// A product with a factor that is loaded, and an addition.
    Multiply,
    Half,
    Max,
    /// Another value where what is loaded is large.
    Reset,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    shape: Shape,
    order: Order,
    masks: Masks,
    /// The compiler knows the number of steps.
    knows_steps: bool,
    change: Change,
    /// What is loaded becomes this type.
    cast: &'static str,
    /// The loop is in another one, over halves of the rows.
    has_outer: bool,
    /// The loop stands behind a condition.
    has_condition: bool,
    has_pointers: bool,
    loads: usize,
    stores: usize,
    /// The steps of a row are beside each other, and the compiler knows how many there are: stores of several steps can become one.
    is_joined: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(|element| element.exact >= 100).collect();
        let element = random.pick(&exact);
        let is_joined = random.chance(0.5);
        let shapes = [Shape::Vector, Shape::Vector, Shape::Vector, Shape::Vector, Shape::Number, Shape::Block];
        let shape = if is_joined { Shape::Vector } else { random.pick(&shapes) };
        let masks = random.pick(&[Masks::Rows, Masks::Rows, Masks::Rows, Masks::None, Masks::Lanes]);
        let forward = [Order::Forward; 4];
        let others: &[Order] = if is_joined {
            &[Order::Backward, Order::Counted]
        } else {
            &[Order::Backward, Order::Counted, Order::Twos, Order::Between, Order::While]
        };
        let order = random.pick(&[&forward[..], others].concat());
        let cast = random.pick(&["", "", ".to(tl.float32)", ".to(tl.float32)", ".to(tl.int32)"]);
        let is_single = cast == ".to(tl.float32)" || cast.is_empty() && element.kernel == "float32";
        let changes = [Change::Add, Change::Add, Change::Multiply, Change::Multiply, Change::Max, Change::Reset];
        let has_outer = shape != Shape::Number && !is_joined && random.chance(0.1);
        let change = if is_single && !has_outer && random.chance(0.2) { Change::Half } else { random.pick(&changes) };
        Self {
            element,
            shape,
            order,
            masks: if shape == Shape::Vector || masks == Masks::Rows && shape == Shape::Block {
                masks
            } else {
                Masks::None
            },
            knows_steps: is_joined || random.chance(0.6),
            change,
            cast,
            has_outer,
            has_condition: random.chance(0.08),
            has_pointers: matches!(order, Order::Forward | Order::Backward) && !has_outer && random.chance(0.2),
            loads: random.pick(&[1, 1, 1, 2, 3]),
            stores: random.pick(&[1, 1, 2, 2, 3, 4]),
            is_joined,
        }
    }

    /// The type that a kernel computes in.
    fn computed(&self) -> &'static str {
        match self.cast {
            ".to(tl.float32)" => "float32",
            ".to(tl.int32)" => "int32",
            _ => self.element.kernel,
        }
    }

    /// The vector of rows, in the loop.
    fn rows(&self) -> &'static str {
        if self.has_outer { "(i + o * rows)" } else { "i" }
    }

    /// The number of the step.
    fn step(&self) -> &'static str {
        if self.order == Order::Counted { "(T - 1 - t)" } else { "t" }
    }

    fn mask(&self) -> Option<String> {
        (self.masks != Masks::None).then(|| "inside".to_string())
    }
}

/// A tensor of steps.
#[derive(Clone, Debug)]
struct Steps {
    name: String,
    lie: Lie,
    /// The step of the tensor that it begins with.
    first: i64,
    /// The first step that a part of the tensor may begin with.
    least: i64,
    /// So many steps are added to that of the iteration.
    shift: i64,
    /// The loop moves pointers to it on.
    has_pointers: bool,
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
    loaded: Vec<Steps>,
    /// Parameters are parts of one tensor that begin at different steps. Memory of different parameters is taken to be different, so that one warp alone
    /// sees what it stored itself.
    has_parts: bool,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["n", "T", "B", "low", "high", "flag"]);
    for number in ["n", "rows", "S", "W", "ONE", "low", "high", "flag"] {
        draft.number(number, number);
    }
    draft.constant("B", "B");
    draft.constant("LANES", "max(B - 3, 1)");
    if setting.knows_steps {
        draft.constant("T", "T");
    } else {
        draft.number("T", "T");
    }
    let rows = if setting.masks == Masks::Rows { "n" } else { "programs * B" };
    let width = if setting.shape == Shape::Block { WIDTH } else { 1 };
    draft.set("rows", &format!("{rows} * {width}"));
    draft.set("S", "T + 3");
    draft.set("W", &format!("rows * {} + 5", if setting.has_outer { 2 } else { 1 }));
    draft.set("ONE", "1");
    let mut maker = Maker { setting, draft: &mut draft, loaded: Vec::new(), has_parts: false };
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    fn body(&mut self) {
        self.start();
        if self.setting.has_condition {
            self.draft.open("if flag > 0:");
        }
        if self.setting.has_outer {
            self.draft.open("for o in range(2):");
        }
        let loaded = (0..self.setting.loads).map(|number| self.load_tensor(number)).collect();
        self.loaded = loaded;
        let stored: Vec<Steps> = (0..self.setting.stores).map(|number| self.store_tensor(number)).collect();
        let own: Vec<&Steps> = stored.iter().filter(|steps| steps.name.starts_with('y')).collect();
        let tensors: Vec<Steps> = self.loaded.iter().chain(own).cloned().collect();
        for steps in &tensors {
            self.start_pointers(steps);
        }
        self.open();
        self.step(&stored);
        for Steps { name, lie, .. } in tensors.iter().filter(|steps| steps.has_pointers) {
            let sign = if self.setting.order == Order::Backward { "-" } else { "+" };
            self.draft.both(&format!("{name}_pointers {sign}= {}", lie.step()));
        }
        if self.setting.order == Order::While {
            self.draft.line("t += 1", "");
        }
        self.draft.close();
        if self.setting.has_outer {
            self.draft.close();
        }
        if self.setting.has_condition {
            self.draft.close();
        }
        self.draft.tensor("last_ptr", &format!("poisoned(rows, torch.{})", self.setting.element.torch));
        let access = Access::new("last_ptr", "i").masked(self.setting.mask());
        self.draft.store(&access, "v");
    }

    /// Rows, their mask, and what is carried.
    fn start(&mut self) {
        let Setting { shape, masks, element, cast, .. } = self.setting;
        let computed = self.setting.computed();
        match shape {
            Shape::Number => self.draft.line("i = program", "i = host.full((1,), program, host.int64)"),
            Shape::Vector => self.draft.both("i = program * B + @arange(0, B)"),
            Shape::Block => {
                self.draft.both("i0 = program * B + @arange(0, B)");
                self.draft.both(&format!("i = i0[:, None] * {WIDTH} + @arange(0, {WIDTH})[None, :]"));
            }
        }
        match (masks, shape) {
            (Masks::None, _) => {}
            (Masks::Rows, Shape::Block) => {
                self.draft.both(&format!("inside = (i0 < n)[:, None] & (@arange(0, {WIDTH}) < {WIDTH})[None, :]"));
            }
            (Masks::Rows, Shape::Vector | Shape::Number) => self.draft.both("inside = i < n"),
            (Masks::Lanes, _) => self.draft.both("inside = @arange(0, B) < LANES"),
        }
        if self.draft.random.chance(0.6) {
            self.draft.tensor("first_ptr", &format!("numbers(rows, 3, torch.{})", element.torch));
            let access = Access::new("first_ptr", "i").masked(self.setting.mask()).other("0");
            self.draft.load("v", &access, cast);
            return;
        }
        let size = match shape {
            Shape::Number => "[]".to_string(),
            Shape::Vector => "(B,)".to_string(),
            Shape::Block => format!("(B, {WIDTH})"),
        };
        self.draft.line(&format!("v = tl.full({size}, 0, tl.{computed})"), "v = host.zeros(i.shape, host.float64)");
    }

    /// The loop over steps.
    fn open(&mut self) {
        let bounds = match self.setting.order {
            Order::Forward | Order::Counted => "T",
            Order::Backward => "T - 1, -1, -1",
            Order::Twos => "0, T, 2",
            Order::Between => "low, high",
            Order::While => {
                self.draft.line("t = 0", "");
                self.draft.line("while t < T:", "for t in range(T):");
                self.draft.indent();
                return;
            }
        };
        // A loop with stages of its own takes the memory of each parameter to be another one's.
        if self.draft.has_aliases() {
            self.draft.open(&format!("for t in range({bounds}):"));
        } else {
            self.draft.open_loop("t", bounds);
        }
    }

    // Tensors.

    fn lie(&mut self) -> Lie {
        if self.setting.is_joined && self.draft.random.chance(0.8) {
            let stride = self.draft.random.pick(&["T", "T", "T", "(2 * T)"]);
            return Lie::Beside { stride, gap: 0 };
        }
        let mut lies = vec![
            Lie::Beside { stride: "T", gap: 0 },
            Lie::Beside { stride: "T", gap: 0 },
            Lie::Beside { stride: "(2 * T)", gap: 0 },
            Lie::Beside { stride: "(T + 1)", gap: 1 },
            Lie::Beside { stride: "S", gap: 3 },
            Lie::Beside { stride: "34", gap: 2 },
            Lie::Across { stride: "W" },
            Lie::Across { stride: "W" },
            Lie::Strides { rows: "S", steps: "ONE", gap: 3 },
            Lie::Strides { rows: "ONE", steps: "W", gap: 2 },
        ];
        if !self.setting.has_outer {
            lies.push(Lie::Across { stride: "rows" });
        }
        self.draft.random.pick(&lies)
    }

    /// How the host makes a tensor.
    fn made(&self, function: &str, lie: &Lie, torch: &str) -> String {
        let count = lie.count(if self.setting.has_outer { "2 * rows" } else { "rows" });
        match function {
            "numbers" => format!("numbers({count}, 3, torch.{torch})"),
            _ => format!("{function}({count}, torch.{torch})"),
        }
    }

    fn load_tensor(&mut self, number: usize) -> Steps {
        let (name, lie) = (format!("x{number}_ptr"), self.lie());
        let made = self.made("numbers", &lie, self.setting.element.torch);
        self.draft.buffer(&name, &made);
        // So that parts of it may begin before it.
        let first = self.draft.random.pick(&[0, 0, 1, 2]);
        let least = self.draft.random.random_range((first - lie.gap()).max(0)..=first);
        self.draft.view(&name, &name, &format!("{first} * {}", lie.step()));
        Steps { name, lie, first, least, shift: 0, has_pointers: self.setting.has_pointers }
    }

    /// A tensor of its own, the tensor that is loaded, or a part of one that is loaded that begins some steps away.
    fn store_tensor(&mut self, number: usize) -> Steps {
        let name = format!("y{number}_ptr");
        let has_pointers = self.setting.has_pointers;
        let is_one = !self.setting.has_outer && self.draft.random.chance(0.3);
        if is_one {
            let loaded = self.draft.random.pick(&self.loaded);
            let Steps { name: other, lie, least, .. } = loaded.clone();
            if self.draft.random.chance(0.3) {
                return loaded;
            }
            let most = (least + lie.gap()).min(ROOM - 1);
            let first =
                if self.draft.random.chance(0.5) { loaded.first } else { self.draft.random.random_range(least..=most) };
            self.has_parts |= first != loaded.first;
            self.draft.view(&name, &other, &format!("{first} * {}", lie.step()));
            return Steps { name, lie, first, least, shift: 0, has_pointers };
        }
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(|element| element.exact >= 100).collect();
        let other = self.draft.random.pick(&exact);
        // Halves are no whole numbers.
        let changes_type = self.setting.change != Change::Half && self.draft.random.chance(0.2);
        let element = if changes_type { other } else { self.setting.element };
        let lie = self.lie();
        let made = self.made("poisoned", &lie, element.torch);
        self.draft.tensor(&name, &made);
        let shift = if lie.gap() > 0 && !has_pointers && self.draft.random.chance(0.15) { 1 } else { 0 };
        Steps { name, lie, first: 0, least: 0, shift, has_pointers }
    }

    fn start_pointers(&mut self, steps: &Steps) {
        let Steps { name, lie, has_pointers, .. } = steps;
        if !has_pointers {
            return;
        }
        let first = if self.setting.order == Order::Backward { "(T - 1)" } else { "0" };
        let at = lie.at("i", first);
        self.draft.pointers(&format!("{name}_pointers"), name, &at);
    }

    fn access(&self, steps: &Steps) -> Access {
        let Steps { name, lie, shift, has_pointers, .. } = steps;
        if *has_pointers {
            return Access::new(name, "").at_pointers(&format!("{name}_pointers"));
        }
        let (rows, step) = (self.setting.rows(), self.setting.step());
        let step = if *shift == 0 { step.to_string() } else { format!("({step} + {shift})") };
        Access::new(name, lie.at(rows, &step))
    }

    // Steps.

    /// The body of the loop.
    fn step(&mut self, stored: &[Steps]) {
        for (number, steps) in self.loaded.clone().iter().enumerate() {
            let access = self.access(steps).masked(self.setting.mask()).other("0");
            let name = format!("x{number}");
            self.draft.load(&name, &access, self.setting.cast);
            // What other steps stored is larger than what was there.
            self.draft.both(&format!("{name} = @where({name} > 9, 2, {name})"));
            self.draft.both(&format!("{name} = @where({name} < -9, -3, {name})"));
        }
        self.change();
        for steps in stored {
            let access = self.access(steps).masked(self.store_mask());
            let has_condition = self.draft.random.chance(0.08);
            if has_condition {
                self.draft.open("if flag > t:");
            }
            let value = self.value();
            self.draft.store(&access, value);
            if has_condition {
                self.draft.close();
            }
            if self.draft.random.chance(0.2) {
                self.draft.both("v = @where(v > 3, v - 5, v)");
            }
        }
    }

    /// What is carried changes, and stays small.
    fn change(&mut self) {
        let last = self.setting.loads - 1;
        let sum: Vec<String> = (0..self.setting.loads).map(|number| format!("x{number}")).collect();
        let sum = sum.join(" + ");
        match self.setting.change {
            Change::Add => self.draft.both(&format!("v = v + {sum}")),
            Change::Multiply => {
                let factor = if last > 0 { format!("x{last}") } else { "x0".to_string() };
                self.draft.both(&format!("a = @where({factor} > 1, -1, @where({factor} < -1, 0, 1)).to(v.dtype)"));
                self.draft.both("v = a * v + x0");
            }
            Change::Half => self.draft.both(&format!("v = 0.5 * v + {sum}")),
            Change::Max => self.draft.both(&format!("v = @maximum(v, {sum})")),
            Change::Reset => {
                self.draft.both(&format!("v = @where({sum} > 1, x0, v)"));
                self.draft.both("v = @where(v > 2, v - 5, v + x0)");
            }
        }
        self.draft.both("v = @where(v > 9, v - 17, v)");
        self.draft.both("v = @where(v < -9, v + 16, v)");
    }

    fn value(&mut self) -> &'static str {
        self.draft.random.pick(&["v", "v", "v", "x0", "-v", "v + 3", "@where(v > 2, v, 5)", "@where(v < 0, 1, 2)"])
    }

    fn store_mask(&mut self) -> Option<String> {
        let mask = self.setting.mask();
        if self.draft.random.chance(0.1) {
            return Some(mask.map_or("v > -3".to_string(), |mask| format!("{mask} & (v > -3)")));
        }
        mask
    }

    fn launches(&mut self) {
        let Setting { shape, masks, change, is_joined, .. } = self.setting;
        let warps: &[usize] = if self.has_parts { &[1] } else { &[1, 1, 2, 4, 4, 8] };
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        while launches.len() < 3 {
            let steps: i64 = if is_joined {
                random.pick(&[2, 4, 4, 4, 6, 8, 8, 12, 16, 3, 10, MOST_STEPS])
            } else {
                random.pick(&[0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16, 17, MOST_STEPS])
            };
            let block: i64 = match shape {
                Shape::Number => 1,
                Shape::Vector => random.pick(&[32, 64, 128, 128, 256, 512]),
                Shape::Block => random.pick(&[16, 32, 64]),
            };
            let programs: i64 = random.pick(&[1, 1, 2, 3]);
            let width = if shape == Shape::Block { WIDTH } else { 1 };
            let is_large = programs * block * width * steps > MOST_ELEMENTS;
            if is_large || change == Change::Half && steps > MOST_HALVES {
                continue;
            }
            let cut = if masks == Masks::Rows && random.chance(0.6) { random.random_range(0..block) } else { 0 };
            let low = random.random_range(0..=steps);
            let sizes = vec![
                programs * block - cut,
                steps,
                block,
                low,
                random.random_range(low..=steps),
                random.pick(&[0, 1, 2]),
            ];
            let (warps, stages) = (random.pick(warps), random.pick(&[1, 2, 3, 4]));
            launches.push(Launch { sizes, programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
