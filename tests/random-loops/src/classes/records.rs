//! Records: fields that lie beside each other, which a program loads and stores one by one, in any order, some twice and some not at all. Together they are
//! one access of neighbors, and each field gets what a program that accesses one after the other would give it.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::elements::{ELEMENTS, Element};
use rand::Rng;
use rand::seq::SliceRandom;
use tk_cases::draw::Random;

/// The greatest number that is loaded.
const MOST: i64 = 20;
/// Records of the second axis.
const WIDTH: i64 = 4;
/// Records of a launch, at most.
const MOST_RECORDS: i64 = 1100;

/// The numbers of the records of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// One behind the other.
    Row,
    /// From the last to the first.
    Reversed,
    /// Two axes.
    Block,
    /// Those that a tensor says, all different.
    Indexed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Masks {
    None,
    /// The records are those before an end.
    Rows,
    /// Some of a few records.
    Groups,
    /// Those of lanes that the compiler knows.
    Lanes,
}

/// How the kernel knows how long a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Literal,
    Constant,
    Number,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    form: Form,
    masks: Masks,
    length: Length,
    /// Records follow each other with a gap.
    pitch: i64,
    /// So many elements are before the first record.
    base: i64,
    /// Iterations of a loop over records of the same lane.
    turns: Option<&'static str>,
    moves_pointers: bool,
    /// Stores have masks and hints alike, so that they can become one.
    is_joined: bool,
    /// Fields of results, in the order in which they are stored.
    stored: Vec<i64>,
    /// Fields of the source, likewise.
    loaded: Vec<i64>,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(|element| element.exact >= 100).collect();
        // Records that become one access: of a power of two, all of whose fields are stored.
        let is_joined = random.chance(0.6);
        let fields = if is_joined { random.pick(&[2, 4, 4, 8]) } else { random.pick(&[2, 3, 4, 5, 6, 7, 8, 16]) };
        let form =
            random.pick(&[Form::Row, Form::Row, Form::Row, Form::Row, Form::Reversed, Form::Block, Form::Indexed]);
        let masks = random.pick(&[Masks::Rows, Masks::Rows, Masks::None, Masks::None, Masks::Groups, Masks::Lanes]);
        let turns = if random.chance(0.25) { Some(random.pick(&["2", "turns", "3"])) } else { None };
        let loaded = some_of(random, fields);
        let stored = if is_joined {
            let mut all: Vec<i64> = (0..fields).collect();
            all.shuffle(random);
            all
        } else {
            some_of(random, fields)
        };
        Self {
            element: random.pick(&exact),
            form,
            masks: if form == Form::Block && masks == Masks::Groups { Masks::Rows } else { masks },
            length: random.pick(&[Length::Literal, Length::Literal, Length::Constant, Length::Number]),
            pitch: fields + if is_joined { 0 } else { random.pick(&[0, 0, 0, 1, 4]) },
            base: if is_joined { random.pick(&[0, 0, 0, fields]) } else { random.pick(&[0, 0, 1, 2, 4, fields]) },
            turns,
            moves_pointers: turns.is_some() && random.chance(0.4),
            stored,
            loaded,
            is_joined,
        }
    }

    /// How the kernel writes the distance of records.
    fn record(&self) -> String {
        match self.length {
            Length::Literal => self.pitch.to_string(),
            Length::Constant => "R".to_string(),
            Length::Number => "r".to_string(),
        }
    }

    fn mask(&self) -> Option<String> {
        (self.masks != Masks::None).then(|| "inside".to_string())
    }
}

/// Fields in any order: all, all but one, or some, of which one may come twice.
fn some_of(random: &mut Random, fields: i64) -> Vec<i64> {
    let mut all: Vec<i64> = (0..fields).collect();
    if random.chance(0.6) {
        all.shuffle(random);
    }
    let least = all.len().min(2);
    let count = if random.chance(0.6) { all.len() } else { random.random_range(least..=all.len()) };
    all.truncate(count.min(8));
    if random.chance(0.2) {
        let place = random.random_range(0..=all.len());
        all.insert(place, random.random_range(0..fields));
    }
    all
}

/// Draws one program.
struct Maker<'d, 'r> {
    setting: Setting,
    draft: &'d mut Draft<'r>,
    /// The tensors that results are stored to.
    targets: Vec<&'static str>,
}

/// Where results are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Own,
    /// Two tensors, of two types perhaps.
    Two,
    /// One tensor, given by two parameters.
    Twice,
    /// The source, by its own parameter or by another one.
    Source,
    SourceAgain,
}

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    let setting = Setting::draw(random);
    let mut draft = Draft::new(random, &["n", "B", "turns"]);
    let (pitch, base) = (setting.pitch.to_string(), setting.base.to_string());
    for number in ["n", "turns", "base"] {
        draft.number(number, if number == "base" { &base } else { number });
    }
    draft.constant("B", "B");
    match setting.length {
        Length::Literal => {}
        Length::Constant => draft.constant("R", &pitch),
        Length::Number => draft.number("r", &pitch),
    }
    let width = if setting.form == Form::Block { WIDTH } else { 1 };
    draft.set("records", &format!("programs * B * {width}"));
    draft.set("turns_of_all", if setting.turns.is_some() { "max(turns, 3)" } else { "1" });
    let mut maker = Maker { setting, draft: &mut draft, targets: Vec::new() };
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    /// How a test makes a tensor of records.
    fn made(&self, function: &str, torch: &str) -> String {
        let count = format!("records * turns_of_all * {} + {}", self.setting.pitch, self.setting.base);
        match function {
            "numbers" => format!("numbers({count}, {MOST}, torch.{torch})"),
            _ => format!("{function}({count}, torch.{torch})"),
        }
    }

    fn body(&mut self) {
        self.tensors();
        self.records();
        let Some(turns) = self.setting.turns else {
            self.record();
            return;
        };
        let pointers = self.pointers();
        for tensor in &pointers {
            let (base, record) = (self.base(), self.setting.record());
            self.draft.pointers(&format!("{tensor}_records"), tensor, &format!("number * {record}{base}"));
        }
        // A loop with stages of its own takes the memory of each parameter to be another one's.
        if self.draft.has_aliases() {
            self.draft.open(&format!("for turn in range({turns}):"));
        } else {
            self.draft.open_loop("turn", turns);
        }
        self.record();
        for tensor in &pointers {
            let record = self.setting.record();
            self.draft.both(&format!("{tensor}_records += {record} * records"));
        }
        self.draft.close();
    }

    /// What loops move pointers to.
    fn pointers(&self) -> Vec<&'static str> {
        if !self.setting.moves_pointers {
            return Vec::new();
        }
        let mut found = vec!["x_ptr"];
        found.extend(self.targets.iter().filter(|target| **target != "x_ptr"));
        found
    }

    /// The source, and one or two results: tensors of their own, the source itself, or one for both.
    fn tensors(&mut self) {
        let torch = self.setting.element.torch;
        let other = self.draft.random.pick(&["float32", torch, torch]);
        self.draft.number("records", "records");
        self.draft.buffer("x_ptr", &self.made("numbers", torch));
        self.draft.view("x_ptr", "x_ptr", "0");
        let targets = [
            (Target::Own, if self.setting.is_joined { 8.0 } else { 4.0 }),
            (Target::Two, 2.0),
            (Target::Twice, 2.0),
            (Target::Source, 1.0),
            (Target::SourceAgain, 1.0),
        ];
        let target = self.draft.random.weighted(&targets);
        match target {
            Target::Own => self.draft.tensor("y_ptr", &self.made("poisoned", torch)),
            Target::Two => {
                self.draft.tensor("y_ptr", &self.made("poisoned", torch));
                self.draft.tensor("z_ptr", &self.made("poisoned", other));
            }
            Target::Twice => {
                self.draft.tensor("y_ptr", &self.made("poisoned", torch));
                self.draft.view("z_ptr", "y_ptr", "0");
            }
            Target::Source => {}
            Target::SourceAgain => self.draft.view("y_ptr", "x_ptr", "0"),
        }
        self.targets = match target {
            Target::Own | Target::SourceAgain => vec!["y_ptr"],
            Target::Two | Target::Twice => vec!["y_ptr", "z_ptr"],
            Target::Source => vec!["x_ptr"],
        };
        if self.setting.form == Form::Indexed {
            let ty = self.draft.random.pick(&["int32", "int64"]);
            self.draft.tensor("order_ptr", &format!("torch.randperm(records, device=DEVICE).to(torch.{ty})"));
        }
        self.draft.tensor("f_ptr", &format!("numbers(records, {MOST}, torch.{torch})"));
    }

    /// The numbers of the program's records, and the mask.
    fn records(&mut self) {
        let Setting { form, masks, .. } = self.setting;
        self.draft.both("lanes = @arange(0, B)");
        match form {
            Form::Row | Form::Indexed => self.draft.both("i = program * B + lanes"),
            Form::Reversed => self.draft.both("i = program * B + (B - 1 - lanes)"),
            Form::Block => {
                self.draft.both("i0 = program * B + lanes");
                self.draft.both(&format!("i = i0[:, None] * {WIDTH} + @arange(0, {WIDTH})[None, :]"));
            }
        }
        let inside = match (masks, form) {
            (Masks::None, _) => None,
            (Masks::Rows, Form::Block) => Some("(i0 < n)[:, None] & (i >= 0)"),
            (Masks::Lanes, Form::Block) => Some("(lanes < B - 1)[:, None] & (i >= 0)"),
            (Masks::Rows, _) => Some("i < n"),
            (Masks::Groups, _) => Some("i // 4 * 4 < n - 3"),
            (Masks::Lanes, _) => Some("lanes < B - 1"),
        };
        if let Some(inside) = inside {
            self.draft.both(&format!("inside = {inside}"));
        }
        if form == Form::Indexed {
            self.draft.load("number", &Access::new("order_ptr", "i").masked(self.setting.mask()).other("0"), "");
        } else {
            self.draft.both("number = i");
        }
        self.draft.load("f", &Access::new("f_ptr", "i").masked(self.setting.mask()).other("0"), "");
    }

    /// What is added to all places.
    fn base(&mut self) -> String {
        match self.setting.base {
            0 => String::new(),
            base => self.draft.random.pick(&[format!(" + {base}"), " + base".to_string()]),
        }
    }

    /// A field of the records.
    fn field(&mut self, tensor: &str, field: i64) -> Access {
        let (base, record) = (self.base(), self.setting.record());
        let access = if self.setting.moves_pointers {
            let pointers = format!("{tensor}_records");
            let pointers = if field == 0 { pointers } else { format!("{pointers} + {field}") };
            Access::new(tensor, "").at_pointers(&pointers)
        } else {
            let turn =
                if self.setting.turns.is_some() { format!(" + turn * records * {record}") } else { String::new() };
            let place = format!("number * {record}");
            Access::new(
                tensor,
                self.draft.random.pick(&[
                    format!("{place}{base} + {field}{turn}"),
                    format!("({place} + {field}{turn}){base}"),
                    format!("{field} + {place}{turn}{base}"),
                ]),
            )
        };
        let has_hint = !self.setting.is_joined && self.draft.random.chance(0.15);
        let hint = if has_hint { ", eviction_policy='evict_first'" } else { "" };
        Access { hint, ..access.masked(self.setting.mask()) }
    }

    /// Loads and stores the fields of one record of each lane.
    fn record(&mut self) {
        let loaded = self.setting.loaded.clone();
        let loads_between = self.draft.random.chance(0.15);
        let first = if loads_between { loaded.len() / 2 } else { loaded.len() };
        let mut values: Vec<String> = Vec::new();
        for (number, field) in loaded[..first].iter().enumerate() {
            values.push(self.load(number, *field));
        }
        for (index, field) in self.setting.stored.clone().into_iter().enumerate() {
            if loads_between && index == 1 {
                for (number, field) in loaded.iter().enumerate().skip(first) {
                    values.push(self.load(number, *field));
                }
            }
            self.store(field, &values);
        }
    }

    fn load(&mut self, number: usize, field: i64) -> String {
        let name = format!("a{number}");
        let other = self.draft.random.pick(&["0", "0", "0", "1", "-3"]);
        let access = self.field("x_ptr", field).other(other);
        self.draft.load(&name, &access, "");
        // What is stored to the source grows from turn to turn.
        self.draft.both(&format!("{name} = @where({name} > 40, 3, {name})"));
        self.draft.both(&format!("{name} = @where({name} < -40, -5, {name})"));
        name
    }

    fn store(&mut self, field: i64, values: &[String]) {
        let tensor = self.draft.random.pick(&self.targets);
        let mut access = self.field(tensor, field);
        if !self.setting.is_joined && self.draft.random.chance(0.1) {
            let positive = "(f > 0)".to_string();
            access.mask = Some(access.mask.map_or(positive.clone(), |mask| format!("{mask} & {positive}")));
        }
        let value = if !values.is_empty() && self.draft.random.chance(0.75) {
            let (one, two) = (self.draft.random.pick(values), self.draft.random.pick(values));
            self.draft.random.pick(&[
                one.clone(),
                one.clone(),
                format!("{one} + 2"),
                format!("{one} - {two}"),
                format!("-{one}"),
            ])
        } else {
            self.draft.random.pick(&["f", "f + 1", "f - 3", "-f"]).to_string()
        };
        self.draft.store(&access, &value);
    }

    fn launches(&mut self) {
        let Setting { form, masks, .. } = self.setting;
        // Memory of different parameters is taken to be different, so that one warp alone sees what it stored itself.
        let warps: &[usize] = if self.draft.has_aliases() { &[1] } else { &[1, 1, 2, 4, 8] };
        let random = &mut *self.draft.random;
        let width = if form == Form::Block { WIDTH } else { 1 };
        let mut launches = Vec::new();
        while launches.len() < 3 {
            let block: i64 = random.pick(&[32, 64, 128, 128, 256, 256, 512, 1024]) / width;
            let programs: i64 = random.pick(&[1, 1, 2, 3]);
            if programs * block * width > MOST_RECORDS {
                continue;
            }
            let whole = programs * block;
            let cut = if masks == Masks::Rows && random.chance(0.6) { random.random_range(0..whole) } else { 0 };
            let n = if random.chance(0.3) { (whole - cut) / 16 * 16 } else { whole - cut };
            let sizes = vec![n, block, random.pick(&[0, 1, 2, 3])];
            let (warps, stages) = (random.pick(warps), random.pick(&[1, 2, 3]));
            launches.push(Launch { sizes, programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
