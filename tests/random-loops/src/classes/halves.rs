//! Additions to single elements of 16 bits, which are additions to the words that they are in: elements at either end of a word, of tensors that begin or end
//! within one, below masks and branches and in loops. Whoever shares a word keeps its element.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use rand::Rng;
use tk_cases::draw::Random;

/// The greatest sum of numbers that an element is given: bf16 has all whole numbers up to it, in whatever order they are added.
const MOST_SUM: i64 = 240;

/// Which elements the lanes add to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// Those that a table names.
    Loaded,
    /// Every second or third one, from the second on.
    Strided(i64),
    /// One after the other, with ends that the mask cuts.
    Neighbours,
    /// One of a program or an iteration.
    Number,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static str,
    places: Places,
    /// Elements that there are places of.
    limit: i64,
    /// Elements of the buffer before the tensor.
    before: i64,
    /// Elements of the buffer behind the tensor.
    behind: i64,
    has_loop: bool,
    has_branch: bool,
    /// The old values are asked for.
    asks: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let places =
            random.pick(&[Places::Loaded, Places::Loaded, Places::Strided(2), Places::Strided(3), Places::Neighbours]);
        let places = if random.chance(0.2) { Places::Number } else { places };
        Self {
            element: random.pick(&["float16", "bfloat16"]),
            places,
            limit: random.pick(&[1, 2, 3, 40, 97, 1000]),
            before: random.pick(&[0, 0, 1, 1, 2, 3]),
            behind: random.pick(&[0, 1, 2]),
            has_loop: random.chance(0.4),
            has_branch: random.chance(0.3),
            // Several that add to one element may be told different old values.
            asks: matches!(places, Places::Strided(_) | Places::Neighbours) && random.chance(0.2),
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
    let mut draft = Draft::new(random, &["n", "B", "turns"]);
    for number in ["n", "turns"] {
        draft.number(number, number);
    }
    draft.constant("B", "B");
    draft.set("lanes", "programs * B * max(turns, 1)");
    // Numbers of which as many as there are lanes add up to what is exact.
    draft.set("most", &format!("max({MOST_SUM} // (lanes + 1), 1)"));
    let mut maker = Maker { setting, draft: &mut draft };
    maker.tensors();
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    fn tensors(&mut self) {
        let Setting { element, places, limit, before, behind, asks, .. } = self.setting;
        let size = match places {
            Places::Loaded => limit.to_string(),
            Places::Strided(step) => format!("(lanes * {step} - {step} + 2)"),
            Places::Neighbours | Places::Number => "lanes".to_string(),
        };
        if places == Places::Loaded {
            let ty = self.draft.random.pick(&["int32", "int32", "int64"]);
            let table = match self.draft.random.random_range(0..4) {
                0 => format!("places(lanes, {limit}, torch.{ty})"),
                1 => format!("runs(lanes, {limit}, torch.{ty})"),
                2 => format!("groups(lanes, {limit}, {}, torch.{ty})", self.draft.random.pick(&[1, 2, 5, 33])),
                _ => format!("holes(groups(lanes, {limit}, 1, torch.{ty}))"),
            };
            self.draft.tensor("place_ptr", &table);
        }
        self.draft.tensor("x_ptr", &format!("numbers(lanes, most, torch.{element})"));
        self.draft.buffer("y_ptr", &format!("numbers({size} + {}, most, torch.{element})", before + behind));
        self.draft.view("y_ptr", "y_ptr", &before.to_string());
        if asks {
            self.draft.tensor("old_ptr", &format!("poisoned(lanes, torch.{element})"));
        }
    }

    fn body(&mut self) {
        let Setting { has_loop, has_branch, .. } = self.setting;
        self.draft.both("lanes = @arange(0, B)");
        if has_loop {
            self.draft.open_loop("turn", "turns");
        } else {
            self.draft.both("turn = 0");
        }
        if has_branch {
            let condition = self.draft.random.pick(&["turn % 2 == 0", "n > 50", "program != 1"]);
            self.draft.open(&format!("if {condition}:"));
        }
        self.addition();
        if has_branch {
            self.draft.close();
        }
        if has_loop {
            self.draft.close();
        }
    }

    fn addition(&mut self) {
        let places = self.setting.places;
        if places == Places::Number {
            self.number();
            return;
        }
        self.draft.both("i = (turn * programs + program) * B + lanes");
        let inside =
            self.draft.random.pick(&["i < n", "i < n", "(i < n) & (i >= 3)", "(i < n) & (i % 3 != 1)", "i >= 0"]);
        self.draft.both(&format!("inside = {inside}"));
        let mask = Some("inside".to_string());
        self.draft.load("x", &Access::new("x_ptr", "i").masked(mask.clone()).other("0"), "");
        match places {
            Places::Loaded => {
                self.draft.load("place", &Access::new("place_ptr", "i").masked(mask).other("-1"), "");
                self.draft.both("inside = inside & (place >= 0)");
            }
            Places::Strided(step) => self.draft.both(&format!("place = i * {step} + 1")),
            Places::Neighbours | Places::Number => self.draft.both("place = i"),
        }
        self.update("place", "x");
    }

    /// One number of the program or the iteration.
    fn number(&mut self) {
        self.draft.both("i = turn * programs + program");
        self.draft.load_number("x", "x_ptr", "i");
        let order = self.order();
        let host = "y_ptr[i] = y_ptr[i].item() + x";
        if self.draft.random.chance(0.5) {
            self.draft.line(&format!("tl.atomic_add(y_ptr + i, x{order})"), host);
        } else {
            self.draft.line(&format!("tl.atomic_add(y_ptr + i, x, mask=i < n{order})"), "if i < n:");
            self.draft.indent();
            self.draft.line("", host);
            self.draft.close();
        }
    }

    fn order(&mut self) -> &'static str {
        self.draft.random.pick(&[", sem='relaxed'", ", sem='relaxed'", ", sem='release'", ""])
    }

    fn update(&mut self, place: &str, value: &str) {
        let mask = Some("inside".to_string());
        let access = Access { hint: self.order(), ..Access::new("y_ptr", place).masked(mask.clone()) };
        if !self.setting.asks {
            self.draft.update("add", &access, value);
            return;
        }
        self.draft.line(
            &format!("old = tl.atomic_add(y_ptr + {place}, {value}, mask=inside{})", access.hint),
            &format!("old = host.load(y_ptr, {place}, inside)"),
        );
        self.draft.line("", &format!("host.update('add', y_ptr, {place}, {value}, inside)"));
        self.draft.store(&Access::new("old_ptr", "i").masked(mask), "old");
    }

    fn launches(&mut self) {
        let has_loop = self.setting.has_loop;
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        while launches.len() < 3 {
            let (block, programs): (i64, i64) = (random.pick(&[1, 4, 16, 32, 64, 64, 128]), random.pick(&[1, 1, 2, 3]));
            let turns = if has_loop { random.pick(&[0, 1, 2, 3]) } else { 1 };
            let lanes = block * programs * turns;
            // All of them may add to one element.
            if lanes > MOST_SUM {
                continue;
            }
            let end = if random.chance(0.4) { lanes } else { random.random_range(0..=lanes) };
            let (warps, stages) = (random.pick(&[1, 1, 2, 4, 8]), random.pick(&[1, 2, 3]));
            launches.push(Launch { sizes: vec![end, block, turns], programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
