//! Updates of elements at places that are loaded: atomic operations of lanes of which several may have the same place, as neighbours or apart, in all lanes
//! or in some, below branches and in loops.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::elements::{ELEMENTS, Element};
use rand::Rng;
use tk_cases::draw::Random;

/// Lanes of a launch and its turns, at most.
const MOST_LANES: i64 = 1024;
/// The greatest number that is loaded, where sums stay exact.
const MOST: i64 = 20;

/// What is done to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Add,
    Max,
    Min,
    And,
    Or,
    Xor,
}

impl How {
    /// Its name behind `atomic_`.
    fn name(self) -> &'static str {
        match self {
            How::Add => "add",
            How::Max => "max",
            How::Min => "min",
            How::And => "and",
            How::Or => "or",
            How::Xor => "xor",
        }
    }

    /// Those that the GPU has for an element.
    fn of(element: &Element) -> &'static [Self] {
        match element.torch {
            "int32" | "int64" => &[How::Add, How::Add, How::Max, How::Min, How::And, How::Or, How::Xor],
            "float32" => &[How::Add, How::Add, How::Add, How::Max, How::Min],
            _ => &[How::Add],
        }
    }
}

/// What lanes update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The element that is loaded.
    Element,
    /// Two elements beside each other, the second one in some turns.
    Pair,
    /// A row of elements: each lane has a column of its own.
    Row,
    /// An element, by several columns of lanes.
    Copies,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    how: How,
    form: Form,
    /// Elements that there are places of.
    limit: i64,
    /// Columns of blocks; one where lanes have one axis.
    columns: i64,
    /// The greatest number that is loaded.
    most: i64,
    has_loop: bool,
    has_mask: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        // Sums of ones of all lanes are exact.
        let exact = |element: &&'static Element| element.exact >= MOST_LANES && element.torch != "int8";
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(exact).collect();
        let element = random.pick(&exact);
        let form = random.pick(&[Form::Element, Form::Element, Form::Element, Form::Pair, Form::Row, Form::Copies]);
        Self {
            element,
            how: random.pick(How::of(element)),
            form,
            limit: random.pick(&[1, 2, 5, 40, 97, 1000]),
            columns: if matches!(form, Form::Row | Form::Copies) { random.pick(&[2, 4, 16]) } else { 1 },
            most: if element.exact >= MOST * MOST_LANES { MOST } else { 1 },
            has_loop: random.chance(0.5),
            has_mask: random.chance(0.7),
        }
    }

    /// Elements of the result.
    fn size(&self) -> i64 {
        self.limit * 2 * self.columns
    }
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["n", "B", "turns"]);
    for number in ["n", "turns"] {
        draft.number(number, number);
    }
    draft.constant("B", "B");
    draft.constant("C", &setting.columns.to_string());
    draft.set("lanes", "programs * B * max(turns, 1)");
    let mut maker = Maker { setting, draft: &mut draft };
    maker.tensors();
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    fn tensors(&mut self) {
        let Setting { element, limit, most, columns, .. } = self.setting;
        let ty = self.draft.random.pick(&["int32", "int32", "int64"]);
        let places = match self.draft.random.random_range(0..4) {
            0 => format!("places(lanes, {limit}, torch.{ty})"),
            1 => format!("runs(lanes, {limit}, torch.{ty})"),
            kind => {
                let length = self.draft.random.pick(&[1, 2, 5, 16, 32, 33]);
                let groups = format!("groups(lanes, {limit}, {length}, torch.{ty})");
                if kind == 2 { groups } else { format!("holes({groups})") }
            }
        };
        self.draft.tensor("place_ptr", &places);
        self.draft.tensor("x_ptr", &format!("numbers(lanes * {columns}, {most}, torch.{})", element.torch));
        self.draft.tensor("y_ptr", &format!("numbers({}, {most}, torch.{})", self.setting.size(), element.torch));
    }

    fn body(&mut self) {
        self.draft.line("lanes = tl.arange(0, B)", "lanes = host.arange(0, B)");
        if self.setting.has_loop {
            self.draft.open_loop("turn", "turns");
        } else {
            self.draft.both("turn = 0");
        }
        self.lanes();
        match self.setting.form {
            Form::Element => self.update("place", "x", "kept"),
            Form::Pair => {
                self.update("place * 2", "x", "kept");
                let condition = self.draft.random.pick(&["turn % 2 == 1", "n > 100", "program == 0"]);
                self.draft.open(&format!("if {condition}:"));
                self.update("place * 2 + 1", "x", "kept");
                self.draft.close();
            }
            Form::Row => {
                self.update("place[:, None] * C + columns[None, :]", "x", "kept[:, None] & (columns >= 0)[None, :]")
            }
            Form::Copies => {
                self.update("place[:, None] + columns[None, :] * 0", "x", "kept[:, None] & (columns >= 0)[None, :]")
            }
        }
        if self.setting.has_loop {
            self.draft.close();
        }
    }

    /// The numbers of the lanes, their places and what they give.
    fn lanes(&mut self) {
        self.draft.both("i = (turn * programs + program) * B + lanes");
        let inside = self
            .setting
            .has_mask
            .then(|| self.draft.random.pick(&["i < n", "(i < n) & (i >= 3)", "(i < n) & (i % 3 != 1)"]));
        let mask = inside.map(|inside| {
            self.draft.both(&format!("inside = {inside}"));
            "inside".to_string()
        });
        self.draft.load("place", &Access::new("place_ptr", "i").masked(mask.clone()).other("-1"), "");
        self.draft.both(if mask.is_some() { "kept = inside & (place >= 0)" } else { "kept = place >= 0" });
        let change =
            self.draft.random.pick(&["", "", "", "place // 2", "@where(place > 3, place, 0)", "@minimum(place, 7)"]);
        if !change.is_empty() {
            self.draft.both(&format!("place = {change}"));
        }
        if self.setting.columns == 1 {
            self.draft.load("x", &Access::new("x_ptr", "i").masked(mask).other("0"), "");
        } else {
            self.draft.both("columns = @arange(0, C)");
            let mask = mask.map(|_| "inside[:, None]".to_string());
            self.draft.load(
                "x",
                &Access::new("x_ptr", "(i[:, None] * C + columns[None, :])").masked(mask).other("0"),
                "",
            );
        }
    }

    fn update(&mut self, place: &str, value: &str, mask: &str) {
        let order = self.draft.random.pick(&[", sem='relaxed'", ", sem='relaxed'", ", sem='relaxed'", ""]);
        let access = Access { hint: order, ..Access::new("y_ptr", place).masked(Some(mask.to_string())) };
        self.draft.update(self.setting.how.name(), &access, value);
    }

    fn launches(&mut self) {
        let Setting { columns, has_loop, .. } = self.setting;
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        while launches.len() < 3 {
            let (block, programs): (i64, i64) =
                (random.pick(&[4, 16, 32, 64, 128, 256, 512]), random.pick(&[1, 1, 2, 3]));
            let turns = if has_loop { random.pick(&[0, 1, 2, 3]) } else { 1 };
            let lanes = block * programs * turns;
            if lanes * columns > MOST_LANES {
                continue;
            }
            let end = if random.chance(0.4) { lanes } else { random.random_range(0..=lanes) };
            let (warps, stages) = (random.pick(&[1, 1, 2, 4, 8]), random.pick(&[1, 2, 3]));
            launches.push(Launch { sizes: vec![end, block, turns], programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
