//! Products that add over a number of elements that the launch, or memory, says.

use super::length;
use crate::classes::blocks::{Axis, Block, Moving, Placed};
use crate::classes::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::element::Element;
use rand::Rng;
use tk_cases::draw::Random;

/// Multiplications of an iteration, at most.
const LARGEST: usize = 1 << 16;
/// Rounds of a loop around the loop.
const MOST_TURNS: i64 = 3;

/// How the loop counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    /// Elements, in steps of a block.
    Elements,
    /// Blocks.
    Blocks,
    /// Elements, by itself.
    While,
    /// Elements, in steps of two blocks.
    Pairs,
}

/// Where the loop begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    All,
    /// From the block of the program on.
    FromProgram,
    /// Up to a number of the program, from memory.
    Loaded,
    /// In two loops.
    Split,
}

/// What scales the blocks that are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    None,
    /// A number for each product.
    Product,
    /// A number for each column of the left operand.
    Left,
    /// A number for each row of the right one.
    Right,
}

/// A number of the block says whether it is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branch {
    None,
    Product,
    /// The right operand is loaded there, too.
    Load,
}

/// What is around the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    None,
    /// The same sums go on.
    Turns,
    /// Rows of blocks, of which each program takes some.
    Tiles,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    rows: usize,
    columns: usize,
    inner: usize,
    counting: Counting,
    bounds: Bounds,
    scale: Scale,
    branch: Branch,
    around: Around,
    /// Rows of the right operand are those that a tensor of numbers says.
    gathers: bool,
    /// A mask of the left operand is loaded.
    has_flags: bool,
    /// The left operand has another product.
    has_second: bool,
    /// The left operand is summed, too.
    has_sum: bool,
    moves_pointers: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let element = random.weighted(&Element::weighted());
        let least = element.least_terms();
        let [rows, columns, inner] = loop {
            let sizes =
                [random.pick(&[16, 16, 32, 64, 64]), random.pick(&[16, 16, 32, 64]), random.pick(&[8, 16, 32, 32, 64])];
            if sizes[2] >= least && sizes.iter().product::<usize>() <= LARGEST {
                break sizes;
            }
        };
        let counting = random.pick(&[
            Counting::Elements,
            Counting::Elements,
            Counting::Elements,
            Counting::Blocks,
            Counting::While,
            Counting::Pairs,
        ]);
        let bounds = random.pick(&[Bounds::All, Bounds::All, Bounds::FromProgram, Bounds::Loaded, Bounds::Split]);
        let bounds = if counting == Counting::Blocks { Bounds::All } else { bounds };
        let scales = [Scale::None, Scale::None, Scale::None, Scale::Product, Scale::Left, Scale::Right];
        let branches = [Branch::None, Branch::None, Branch::None, Branch::None, Branch::Product, Branch::Load];
        let gathers = random.chance(0.12);
        Self {
            element,
            rows,
            columns,
            inner,
            counting,
            bounds,
            scale: random.pick(&scales),
            branch: random.pick(&branches),
            around: random.pick(&[Around::None, Around::None, Around::None, Around::Turns, Around::Tiles]),
            gathers,
            has_flags: random.chance(0.1),
            has_second: random.chance(0.15),
            has_sum: !element.is_fp8() && random.chance(0.15),
            moves_pointers: matches!(bounds, Bounds::All | Bounds::Loaded)
                && counting != Counting::Pairs
                && !gathers
                && random.chance(0.25),
        }
    }

    /// The type of the sums.
    fn sum(&self) -> &'static str {
        if self.scale == Scale::Product { "float32" } else { self.element.sum() }
    }

    fn end(&self) -> &'static str {
        if self.bounds == Bounds::Loaded { "end" } else { "k" }
    }
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
    left: Placed,
    right: Placed,
    second: Option<Placed>,
    precision: &'static str,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["m", "n", "k", "turns"]);
    for size in ["m", "n", "k"] {
        draft.number(size, size);
    }
    for (name, block) in [("M", setting.rows), ("N", setting.columns), ("K", setting.inner)] {
        draft.constant(name, &block.to_string());
        draft.set(name, &block.to_string());
    }
    match setting.around {
        Around::None => {}
        Around::Turns => draft.number("turns", "turns"),
        Around::Tiles => draft.number("tiles", "triton.cdiv(m, M)"),
    }
    let [left, right] = operands(&mut draft, &setting);
    let second = setting.has_second.then(|| {
        let made = made(&setting);
        draft.place(Block { name: "c_ptr", axes: right_axes(&setting, "at_k"), made: &made })
    });
    let precision = match setting.element.torch {
        "float32" => draft.random.pick(&["", "", ", input_precision='ieee'", ", input_precision='tf32x3'"]),
        _ => "",
    };
    let mut maker = Maker { setting, draft: &mut draft, left, right, second, precision };
    maker.tensors();
    maker.body();
    maker.launches();
    draft
}

fn made(setting: &Setting) -> String {
    format!("numbers(#, {}, torch.{})", if setting.element.is_fp8() { 1 } else { 3 }, setting.element.torch)
}

/// The axes of the right operand, whose rows are those of an index.
fn right_axes(setting: &Setting, rows: &str) -> Vec<Axis> {
    // The mask is that of the numbers of the rows.
    let end = (rows == "at_k").then_some(setting.end());
    vec![Axis::new(rows, "k", end), Axis::new("at_n", "n", Some("n"))]
}

fn operands(draft: &mut Draft<'_>, setting: &Setting) -> [Placed; 2] {
    let made = made(setting);
    let axes = vec![Axis::new("at_m", "m", Some("m")), Axis::new("at_k", "k", Some(setting.end()))];
    let left = draft.place(Block { name: "a_ptr", axes, made: &made });
    let rows = if setting.gathers { "place" } else { "at_k" };
    let right = draft.place(Block { name: "b_ptr", axes: right_axes(setting, rows), made: &made });
    [left, right]
}

impl Maker<'_, '_> {
    /// Rows of numbers along the sum, and numbers of blocks.
    fn tensors(&mut self) {
        let Setting { scale, branch, bounds, gathers, has_flags, .. } = self.setting;
        let element = self.draft.random.pick(&["float32", "float16", "bfloat16"]);
        match scale {
            Scale::None => {}
            Scale::Product => {
                self.draft.tensor("scale_ptr", &format!("numbers(triton.cdiv(k, K), 2, torch.{element})"))
            }
            Scale::Left | Scale::Right => self.draft.tensor("scale_ptr", &format!("numbers(k, 2, torch.{element})")),
        }
        if branch != Branch::None {
            self.draft.tensor("flag_ptr", "places(triton.cdiv(k, K), 2, torch.int32)");
        }
        if bounds == Bounds::Loaded {
            self.draft.tensor("end_ptr", "places(triton.cdiv(m, M), k + 1, torch.int32)");
        }
        if gathers {
            let ty = self.draft.random.pick(&["int32", "int64"]);
            self.draft.tensor("place_ptr", &format!("places(k, k, torch.{ty})"));
        }
        if has_flags {
            self.draft.tensor("mask_ptr", "places(k, 2, torch.int8)");
        }
    }

    fn body(&mut self) {
        for (size, block) in [("m", "M"), ("n", "N"), ("k", "K")] {
            self.draft.both(&format!("lanes_{size} = @arange(0, {block})"));
        }
        self.draft.both("at_n = lanes_n");
        let is_tiled = self.setting.around == Around::Tiles;
        if is_tiled {
            self.draft.open_loop("tile", "program, tiles, programs");
        } else {
            self.draft.both("tile = program");
        }
        self.draft.both("at_m = tile * M + lanes_m");
        self.start();
        if self.setting.around == Around::Turns {
            self.draft.open_loop("turn", "0, turns");
        }
        self.loops();
        if self.setting.around == Around::Turns {
            self.draft.close();
        }
        self.store("acc", "out_ptr");
        if self.setting.has_second {
            self.store("acc2", "out2_ptr");
        }
        if self.setting.has_sum {
            self.draft.tensor("sums_ptr", "poisoned(m, torch.float32)");
            self.draft.store(&Access::new("sums_ptr", "at_m").masked(Some("at_m < m".to_string())), "sums");
        }
        if is_tiled {
            self.draft.close();
        }
    }

    /// Sums before the loop.
    fn start(&mut self) {
        let sum = self.setting.sum();
        self.draft.both(&format!("acc = @zeros((M, N), @{sum})"));
        if self.setting.has_second {
            self.draft.both(&format!("acc2 = @zeros((M, N), @{})", self.setting.element.sum()));
        }
        if self.setting.has_sum {
            self.draft.both("sums = @zeros((M,), @float32)");
        }
        if self.setting.bounds == Bounds::Loaded {
            self.draft.load_number("end", "end_ptr", "tile");
        }
    }

    /// The loop, or both.
    fn loops(&mut self) {
        let end = self.setting.end();
        match self.setting.bounds {
            Bounds::All | Bounds::Loaded => self.one_loop("0", end),
            Bounds::FromProgram => self.one_loop("tile * K", end),
            Bounds::Split => {
                let text = self.draft.random.pick(&["cut = k // K * K", "cut = k // (2 * K) * K"]);
                self.draft.line(text, &text.replace("k //", "max(k, 0) //"));
                self.one_loop("0", "cut");
                self.one_loop("cut", end);
            }
        }
    }

    fn one_loop(&mut self, first: &str, end: &str) {
        let moving: Vec<Moving> = if self.setting.moves_pointers {
            let placed = [self.left.clone(), self.right.clone()];
            placed.iter().map(|placed| self.draft.start_moving(placed, "at_k", "lanes_k", "K")).collect()
        } else {
            Vec::new()
        };
        match self.setting.counting {
            Counting::Elements => self.draft.open_loop("first", &format!("{first}, {end}, K")),
            Counting::Pairs => self.draft.open_loop("first", &format!("{first}, {end}, 2 * K")),
            Counting::Blocks => {
                self.draft.open_loop("i", &format!("0, @cdiv({end}, K)"));
                self.draft.both("first = i * K");
            }
            Counting::While => {
                self.draft.line(&format!("first = {first}"), "");
                self.draft.line(&format!("while first < {end}:"), &format!("for first in range({first}, {end}, K):"));
                self.draft.indent();
            }
        }
        self.iteration(&moving);
        if self.setting.counting == Counting::Pairs {
            self.draft.both("first = first + K");
            self.iteration(&moving);
        }
        for one in &moving {
            self.draft.move_on(one);
        }
        if self.setting.counting == Counting::While {
            self.draft.line("first += K", "");
        }
        self.draft.close();
    }

    // Iterations.

    fn iteration(&mut self, moving: &[Moving]) {
        self.draft.both("at_k = first + lanes_k");
        let left_first = self.draft.random.chance(0.5);
        let loads_in_branch = self.setting.branch == Branch::Load;
        if left_first {
            self.load_left(moving.first());
        }
        if !loads_in_branch {
            self.load_right(moving.get(1));
        }
        if !left_first {
            self.load_left(moving.first());
        }
        if self.setting.has_sum {
            self.draft.both("sums += @sum(a.to(@float32), axis=1)");
        }
        if let Some(second) = self.second.clone() {
            self.draft.load("c", &second.access().other("0"), "");
        }
        if self.setting.branch != Branch::None {
            // A second block behind the last one has no number.
            self.draft.load_number("flag", "flag_ptr", "@minimum(first, k - 1) // K");
            self.draft.open("if flag > 0:");
        }
        if loads_in_branch {
            self.load_right(moving.get(1));
        }
        self.product();
        if self.setting.branch != Branch::None {
            self.draft.close();
        }
        if self.setting.has_second {
            let precision = self.precision;
            self.draft.both(&format!("acc2 = @dot(a, c, acc2{precision})"));
        }
    }

    /// An access, at pointers that move perhaps, with the mask of the lanes then.
    fn access(&mut self, placed: &Placed, moving: Option<&Moving>) -> Access {
        let Some(moving) = moving else { return placed.access().other("0") };
        let access = if self.draft.random.chance(0.6) {
            placed.access_behind("at_k", "lanes_k", "first")
        } else {
            placed.access()
        };
        moving.access(access).other("0")
    }

    fn load_left(&mut self, moving: Option<&Moving>) {
        let placed = self.left.clone();
        let mut access = self.access(&placed, moving);
        if self.setting.has_flags {
            let inside = format!("at_k < {}", self.setting.end());
            self.draft.load("flags", &Access::new("mask_ptr", "at_k").masked(Some(inside)).other("0"), "");
            access.mask = access.mask.map(|mask| format!("{mask} & (flags > 0)[None, :]"));
        }
        self.draft.load("a", &access, "");
        if self.setting.scale == Scale::Left {
            self.load_scale();
            let element = self.setting.element.kernel;
            self.draft.both(&format!("a = (a.to(@float32) * scale[None, :]).to(@{element})"));
        }
    }

    fn load_right(&mut self, moving: Option<&Moving>) {
        let placed = self.right.clone();
        let mut access = self.access(&placed, moving);
        let end = self.setting.end();
        if self.setting.gathers {
            let inside = Some(format!("at_k < {end}"));
            self.draft.load("place", &Access::new("place_ptr", "at_k").masked(inside).other("0"), "");
            access.mask = access.mask.map(|mask| format!("{mask} & (at_k < {end})[:, None]"));
        }
        self.draft.load("b", &access, "");
        if self.setting.scale == Scale::Right {
            self.load_scale();
            let element = self.setting.element.kernel;
            self.draft.both(&format!("b = (b.to(@float32) * scale[:, None]).to(@{element})"));
        }
    }

    fn load_scale(&mut self) {
        let inside = format!("at_k < {}", self.setting.end());
        let access = Access::new("scale_ptr", "at_k").masked(Some(inside)).other("0.0");
        self.draft.load("scale", &access, ".to(tl.float32)");
    }

    fn product(&mut self) {
        let precision = self.precision;
        if self.setting.scale == Scale::Product {
            self.draft.load_number("scale", "scale_ptr", "@minimum(first, k - 1) // K");
            self.draft.both(&format!("acc += @dot(a, b{precision}).to(@float32) * scale"));
            return;
        }
        let text = self.draft.random.pick(&["acc = @dot(a, b, acc#)", "acc += @dot(a, b#)"]);
        self.draft.both(&text.replace('#', precision));
    }

    fn store(&mut self, name: &str, tensor: &str) {
        let sum = if name == "acc" { self.setting.sum() } else { self.setting.element.sum() };
        let axes = ["m", "n"].map(|size| Axis::new(&format!("at_{size}"), size, Some(size))).to_vec();
        let placed = self.draft.place(Block { name: tensor, axes, made: &format!("poisoned(#, torch.{sum})") });
        self.draft.store(&placed.access(), name);
    }

    fn launches(&mut self) {
        let Setting { rows, columns, inner, around, .. } = self.setting;
        let (rows, columns, inner) = (rows as i64, columns as i64, inner as i64);
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..4 {
            let tiles = random.pick(&[1, 1, 2, 3]);
            let programs = if around == Around::Tiles { random.random_range(1..=tiles) } else { tiles };
            let m = tiles * rows - if random.chance(0.5) { random.random_range(0..rows) } else { 0 };
            let n = if random.chance(0.5) { random.random_range(1..=columns) } else { columns };
            let sizes = vec![m, n, length(random, inner), random.random_range(0..=MOST_TURNS)];
            let (warps, stages) = (random.pick(&[1, 2, 4, 4, 8]), random.pick(&[1, 2, 3, 3, 4, 5]));
            launches.push(Launch { sizes, programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
