//! Products of a batch in blocks of three axes, whose operands are loaded in a loop: as they are multiplied, turned, one for the whole batch, or spread from
//! rows. Numbers are small and whole, so that all sums are exact.

use super::blocks::{Axis, Block, Moving, Placed};
use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::element::Element;
use rand::Rng;
use rand::seq::SliceRandom;
use tk_cases::draw::Random;

/// Multiplications of the products of one iteration, and elements of what they add to, at most.
const LARGEST: usize = 1 << 17;
const LARGEST_SUM: usize = 4096;
/// Elements of the operands of one iteration.
const LARGEST_OPERANDS: usize = 12288;

/// The axis that a loop goes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looped {
    /// The one that products add over.
    Inner,
    /// The columns of the right operand: each iteration has results of its own.
    Columns,
    /// The same, whose results are operands of another product.
    Chain,
    Batch,
}

/// How an operand comes to its three axes: the batch, and two others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Direct,
    /// Loaded with the last two axes exchanged.
    Turned,
    /// In any order of the axes.
    Permuted,
    /// One block for all of the batch.
    Shared,
    /// The same with its axes exchanged, before or behind the axis of the batch is added.
    SharedTurned,
    SharedTurnedLate,
    /// One row for each of the batch, along the axis that products add over.
    Row,
    /// One row for each of the batch, along the other axis.
    Column,
}

/// An axis of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letter {
    Z,
    M,
    N,
    K,
}

impl Letter {
    const ALL: [Self; 4] = [Self::Z, Self::M, Self::N, Self::K];

    /// The constant with the size of blocks.
    fn block(self) -> &'static str {
        match self {
            Letter::Z => "Z",
            Letter::M => "M",
            Letter::N => "N",
            Letter::K => "K",
        }
    }

    /// The number of all elements along it.
    fn size(self) -> &'static str {
        match self {
            Letter::Z => "z",
            Letter::M => "m",
            Letter::N => "n",
            Letter::K => "k",
        }
    }

    /// The vector of numbers along it.
    fn index(self) -> String {
        format!("at_{}", self.size())
    }
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    batch: usize,
    rows: usize,
    columns: usize,
    inner: usize,
    looped: Looped,
    is_masked: bool,
    /// Iterations change by whether this divides them.
    has_branch: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let element = random.weighted(&Element::weighted());
        let least = element.least_terms();
        let looped =
            random.pick(&[Looped::Inner, Looped::Inner, Looped::Inner, Looped::Columns, Looped::Chain, Looped::Batch]);
        loop {
            let setting = Self {
                element,
                batch: random.pick(&[1, 2, 2, 4, 4, 8]),
                rows: random.pick(&[16, 16, 32, 64]),
                columns: random.pick(&[16, 16, 32, 32, 64]),
                inner: random.pick(&[8, 16, 32, 32, 64]),
                looped,
                is_masked: random.chance(0.6),
                has_branch: looped == Looped::Inner && random.chance(0.1),
            };
            if setting.is_possible(least) {
                return setting;
            }
        }
    }

    fn is_possible(&self, least: usize) -> bool {
        let Self { batch, rows, columns, inner, .. } = self;
        *inner >= least
            && (self.looped != Looped::Chain || *columns >= least)
            && batch * rows * columns <= LARGEST_SUM
            && batch * (rows + columns) * inner <= LARGEST_OPERANDS
            && batch * rows * columns * inner <= LARGEST
    }

    fn block(&self, letter: Letter) -> usize {
        match letter {
            Letter::Z => self.batch,
            Letter::M => self.rows,
            Letter::N => self.columns,
            Letter::K => self.inner,
        }
    }

    fn looped(&self) -> Letter {
        match self.looped {
            Looped::Inner => Letter::K,
            Looped::Columns | Looped::Chain => Letter::N,
            Looped::Batch => Letter::Z,
        }
    }

    fn axis(&self, letter: Letter) -> Axis {
        Axis::new(&letter.index(), letter.size(), self.is_masked.then_some(letter.size()))
    }
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
    /// Statements behind the loop: sums of operands that are stored.
    sums: Vec<Sum>,
}

/// A sum of an operand over its inner axis.
struct Sum {
    name: String,
    axes: Vec<Letter>,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["z", "m", "n", "k"]);
    for letter in Letter::ALL {
        draft.number(letter.size(), letter.size());
        draft.constant(letter.block(), &setting.block(letter).to_string());
    }
    let mut maker = Maker { setting, draft: &mut draft, sums: Vec::new() };
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    fn body(&mut self) {
        let (looped, is_chain) = (self.setting.looped(), self.setting.looped == Looped::Chain);
        for letter in Letter::ALL {
            let (index, block) = (letter.index(), letter.block());
            let name = if letter == looped { format!("lanes_{}", letter.size()) } else { index };
            self.draft.both(&format!("{name} = @arange(0, {block})"));
        }
        let left = self.operand("a", [Letter::Z, Letter::M, Letter::K], None);
        let right = self.operand("b", [Letter::Z, Letter::K, Letter::N], Some(left.form));
        let mut operands = vec![left, right];
        if is_chain {
            operands.push(self.operand("v", [Letter::Z, Letter::N, Letter::K], None));
        }
        for operand in operands.iter().filter(|operand| !operand.is_in_loop) {
            self.load(operand, &operand.placed.access().other("0"));
        }
        let carried = match self.setting.looped {
            Looped::Inner => Some(("acc", "(Z, M, N)")),
            Looped::Chain => Some(("out", "(Z, M, K)")),
            Looped::Columns | Looped::Batch => None,
        };
        if let Some((name, shape)) = carried {
            self.draft.both(&format!("{name} = @zeros({shape}, @{})", self.setting.element.sum()));
        }
        self.start_sums(&operands);
        self.iterations(&operands);
        match self.setting.looped {
            Looped::Inner => self.store("acc", &[Letter::Z, Letter::M, Letter::N]),
            Looped::Chain => self.store("out", &[Letter::Z, Letter::M, Letter::K]),
            Looped::Columns | Looped::Batch => {}
        }
        for Sum { name, axes } in std::mem::take(&mut self.sums) {
            self.store(&name, &axes);
        }
    }

    /// The loop.
    fn iterations(&mut self, operands: &[Operand]) {
        let looped = self.setting.looped();
        let loaded: Vec<&Operand> = operands.iter().filter(|operand| operand.is_in_loop).collect();
        let started: Vec<(Access, Option<Moving>)> = loaded.iter().map(|operand| self.start(operand)).collect();
        self.draft.open_loop("first", &format!("0, {}, {}", looped.size(), looped.block()));
        self.draft.both(&format!("{} = first + lanes_{}", looped.index(), looped.size()));
        for (operand, (access, _)) in loaded.iter().zip(&started) {
            self.load(operand, access);
        }
        self.products();
        if matches!(self.setting.looped, Looped::Columns | Looped::Batch) {
            self.store("acc", &[Letter::Z, Letter::M, Letter::N]);
        }
        for moving in started.iter().filter_map(|(_, moving)| moving.as_ref()) {
            self.draft.move_on(moving);
        }
        self.draft.close();
    }

    /// How iterations load an operand.
    fn start(&mut self, operand: &Operand) -> (Access, Option<Moving>) {
        let Operand { placed, is_moving, .. } = operand;
        if !is_moving {
            return (placed.access().other("0"), None);
        }
        let letter = self.setting.looped();
        let lanes = format!("lanes_{}", letter.size());
        let moving = self.draft.start_moving(placed, &letter.index(), &lanes, letter.block());
        (moving.access(placed.access().other("0")), Some(moving))
    }

    /// What an iteration multiplies.
    fn products(&mut self) {
        let precision = match self.setting.element.torch {
            "float32" => self.draft.random.pick(&["", "", ", input_precision='ieee'", ", input_precision='tf32x3'"]),
            _ => "",
        };
        if self.setting.looped == Looped::Inner {
            let has_branch = self.setting.has_branch;
            if has_branch {
                self.draft.open("if first % (2 * K) == 0:");
            }
            let text = if self.draft.random.chance(0.5) {
                format!("acc = @dot(a, b, acc{precision})")
            } else {
                format!("acc += @dot(a, b{precision})")
            };
            self.draft.both(&text);
            if has_branch {
                self.draft.close();
            }
            return;
        }
        self.draft.both(&format!("acc = @dot(a, b{precision})"));
        if self.setting.looped == Looped::Chain {
            let (low, high) = (self.setting.element.number(-3), self.setting.element.number(3));
            let element = self.setting.element.kernel;
            self.draft.both(&format!("scores = @minimum(@maximum(acc, {low}), {high}).to(@{element})"));
            let text = self.draft.random.pick(&[
                format!("out = @dot(scores, v, out{precision})"),
                format!("out += @dot(scores, v{precision})"),
            ]);
            self.draft.both(&text);
        }
    }

    /// Stores a block whose axes are these.
    fn store(&mut self, name: &str, letters: &[Letter]) {
        let tensor = format!("{name}_out");
        // Blocks without a mask are whole, but the end of what is stored is always asked for.
        let ends = if self.setting.is_masked { 1.0 } else { 0.3 };
        let has_mask = self.draft.random.chance(ends);
        let axes: Vec<Axis> = letters
            .iter()
            .map(|letter| Axis::new(&letter.index(), letter.size(), has_mask.then_some(letter.size())))
            .collect();
        let sum = if name == "acc" || name == "out" { self.setting.element.sum() } else { "float32" };
        let made = format!("poisoned(#, torch.{sum})");
        let placed = self.draft.place(Block { name: &tensor, axes, made: &made });
        self.draft.store(&placed.access(), name);
    }

    // Operands.

    /// An operand of these axes; the first is the batch.
    fn operand(&mut self, name: &str, axes: [Letter; 3], other: Option<Form>) -> Operand {
        let random = &mut *self.draft.random;
        let mut forms = vec![Form::Direct, Form::Turned, Form::Turned, Form::Turned, Form::Shared, Form::Shared];
        forms.extend([Form::SharedTurned, Form::SharedTurnedLate, Form::Permuted, Form::Row, Form::Column]);
        // One of the operands ends with what the other adds over.
        if name == "v" || other == Some(Form::Column) {
            forms.pop();
        }
        let form = random.pick(&forms);
        let [batch, second, third] = axes;
        let inner = if name == "a" { third } else { second };
        let outer = if name == "a" { second } else { third };
        let loaded = match form {
            Form::Direct => vec![batch, second, third],
            Form::Turned => vec![batch, third, second],
            Form::Permuted => {
                let mut order = axes.to_vec();
                order.shuffle(random);
                order
            }
            Form::Shared => vec![second, third],
            Form::SharedTurned | Form::SharedTurnedLate => vec![third, second],
            Form::Row => vec![batch, inner],
            Form::Column => vec![batch, outer],
        };
        let wide = self.setting.element.torch;
        let loads = match wide {
            "float32" if random.chance(0.3) => random.pick(&["float16", "bfloat16"]),
            "float16" | "bfloat16" if random.chance(0.15) => "int8",
            _ => wide,
        };
        let looped = self.setting.looped();
        let is_in_loop = loaded.contains(&looped) || random.chance(0.3);
        let axes_in_memory: Vec<Axis> = loaded.iter().map(|letter| self.setting.axis(*letter)).collect();
        let most = if self.setting.element.is_fp8() { 1 } else { 3 };
        let made = format!("numbers(#, {most}, torch.{loads})");
        let placed = self.draft.place(Block { name: &format!("{name}_ptr"), axes: axes_in_memory, made: &made });
        let has_sum = self.setting.looped == Looped::Inner
            && loaded.len() == 3
            && !self.setting.element.is_fp8()
            && self.draft.random.chance(0.15);
        let is_cast = loads != wide;
        let is_moving = loaded.contains(&looped) && self.draft.random.chance(0.2);
        Operand { name: name.to_string(), axes, form, loaded, placed, is_moving, is_cast, is_in_loop, has_sum, inner }
    }

    /// Sums of operands begin with zeros.
    fn start_sums(&mut self, operands: &[Operand]) {
        for operand in operands.iter().filter(|operand| operand.has_sum && operand.is_in_loop) {
            let axes: Vec<Letter> = operand.loaded.iter().copied().filter(|letter| *letter != operand.inner).collect();
            let shape: Vec<&str> = axes.iter().map(|letter| letter.block()).collect();
            let name = format!("{}_sum", operand.name);
            self.draft.both(&format!("{name} = @zeros(({}), @float32)", shape.join(", ")));
            self.sums.push(Sum { name, axes });
        }
    }

    /// Loads an operand and brings it to its axes.
    fn load(&mut self, operand: &Operand, access: &Access) {
        let Operand { name, form, loaded, .. } = operand;
        let cast = format!("{name}.to(@{})", self.setting.element.kernel);
        let is_cast_first = self.draft.random.chance(0.5);
        self.draft.load(name, access, "");
        if operand.is_cast && is_cast_first {
            self.draft.both(&format!("{name} = {cast}"));
        }
        if self.sums.iter().any(|sum| sum.name == format!("{name}_sum")) {
            let axis = loaded.iter().position(|letter| *letter == operand.inner).unwrap_or_default();
            self.draft.both(&format!("{name}_sum += @sum({name}.to(@float32), axis={axis})"));
        }
        if let Some(text) = self.brought(operand, *form) {
            self.draft.both(&format!("{name} = {text}"));
        }
        if self.draft.random.chance(0.08) {
            let [batch, second, third] = operand.axes.map(Letter::block);
            self.draft.both(&format!("{name} = @reshape({name}, ({batch} * {second}, {third}))"));
            self.draft.both(&format!("{name} = @reshape({name}, ({batch}, {second}, {third}))"));
        }
        if operand.is_cast && !is_cast_first {
            self.draft.both(&format!("{name} = {cast}"));
        }
    }

    /// What was loaded, with the axes of the operand; nothing where it has them.
    fn brought(&mut self, operand: &Operand, form: Form) -> Option<String> {
        let Operand { name, axes, loaded, .. } = operand;
        let shape = |letters: &[Letter]| {
            let sizes: Vec<&str> = letters.iter().map(|letter| letter.block()).collect();
            format!("({})", sizes.join(", "))
        };
        let whole = shape(axes);
        let [batch, second, third] = *axes;
        let random = &mut *self.draft.random;
        Some(match form {
            Form::Direct => return None,
            Form::Turned => format!("@permute({name}, (0, 2, 1))"),
            Form::Permuted => {
                let place = |axis: &Letter| loaded.iter().position(|letter| letter == axis).unwrap_or_default();
                let order: Vec<String> = axes.iter().map(|axis| place(axis).to_string()).collect();
                format!("@permute({name}, ({}))", order.join(", "))
            }
            Form::Shared => random.pick(&[
                format!("@broadcast_to({name}[None, :, :], {whole})"),
                format!("@broadcast_to(@expand_dims({name}, 0), {whole})"),
            ]),
            Form::SharedTurned => format!("@broadcast_to(@trans({name})[None, :, :], {whole})"),
            Form::SharedTurnedLate => random.pick(&[
                format!("@broadcast_to(@permute({name}[None, :, :], (0, 2, 1)), {whole})"),
                format!("@permute(@broadcast_to({name}[None, :, :], {}), (0, 2, 1))", shape(&[batch, third, second])),
            ]),
            Form::Row | Form::Column => {
                let kept = loaded[1];
                let index = if kept == second { "[:, :, None]" } else { "[:, None, :]" };
                format!("@broadcast_to({name}{index}, {whole})")
            }
        })
    }

    // Launches.

    fn launches(&mut self) {
        for _ in 0..3 {
            let setting = &self.setting;
            let random = &mut *self.draft.random;
            let steps = random.pick(&[0, 1, 2, 3, 4, 5, 3]);
            let mut size = |letter: Letter| {
                let blocks = if letter == setting.looped() { steps } else { 1 };
                let whole = setting.block(letter) * blocks;
                let cut = if setting.is_masked && whole > 0 && random.chance(0.5) {
                    random.random_range(0..setting.block(letter))
                } else {
                    0
                };
                (whole - cut) as i64
            };
            let sizes = Letter::ALL.map(&mut size).to_vec();
            let (warps, stages) = (random.pick(&[1, 2, 4, 4, 8]), random.pick(&[1, 2, 3, 3, 4]));
            self.draft.launch(Launch { sizes, programs: 1, warps, stages });
        }
    }
}

/// An operand of a product.
struct Operand {
    name: String,
    /// As the product has them.
    axes: [Letter; 3],
    form: Form,
    /// As they are loaded.
    loaded: Vec<Letter>,
    placed: Placed,
    /// The loop carries its pointers.
    is_moving: bool,
    /// It is loaded as another type.
    is_cast: bool,
    is_in_loop: bool,
    /// The loop sums it, too.
    has_sum: bool,
    /// The axis that the product adds over.
    inner: Letter,
}
