//! Loops over blocks of elements: sums, stores and what is carried, with masks of the end of the elements and others.

use super::length;
use crate::classes::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::elements::{ELEMENTS, Element};
use tk_cases::draw::Random;

/// The greatest number that is loaded.
const MOST: i64 = 20;

/// What a program loops over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Elements of one axis.
    Row,
    /// Elements of the row of the program.
    Rows,
    /// Blocks of rows whose numbers are elements.
    Blocks,
}

/// How the loop counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    Elements,
    Blocks,
    While,
    /// Steps that are no block.
    Apart,
    /// Between numbers in memory.
    Loaded,
}

/// What an iteration does with what it loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A sum for each lane.
    Lanes,
    /// A sum of all elements.
    Number,
    /// The greatest for each lane.
    Max,
    /// A store of what is loaded, and perhaps of the sum so far.
    Store,
    /// Where the last iteration began.
    Last,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    form: Form,
    counting: Counting,
    block: usize,
    /// Columns of blocks.
    columns: usize,
    stride: &'static str,
    loads: usize,
    /// A thread has many elements, which lie apart: there are more answers of masks than it has truth values.
    has_many_masks: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(|element| element.exact >= MOST).collect();
        let has_many_masks = random.chance(0.4);
        let form = if has_many_masks {
            random.pick(&[Form::Row, Form::Rows])
        } else {
            random.pick(&[Form::Row, Form::Row, Form::Rows, Form::Blocks])
        };
        let counting = random.pick(&[
            Counting::Elements,
            Counting::Elements,
            Counting::Elements,
            Counting::Blocks,
            Counting::While,
            Counting::Apart,
            Counting::Loaded,
        ]);
        let block = match form {
            Form::Blocks => random.pick(&[2, 4, 8, 16, 32]),
            Form::Row | Form::Rows if has_many_masks => random.pick(&[512, 1024]),
            Form::Row | Form::Rows => random.pick(&[32, 64, 128, 256, 512, 1024]),
        };
        let strides: &[&str] = if has_many_masks { &["2", "3", "s"] } else { &["1", "1", "2", "3", "s"] };
        Self {
            element: random.pick(&exact),
            form,
            counting,
            block,
            columns: random.pick(&[1, 8, 16, 32]),
            stride: if form == Form::Blocks { "C" } else { random.pick(strides) },
            loads: random.pick(&[1, 1, 2]),
            has_many_masks,
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
    let mut draft = Draft::new(random, &["n", "low", "limit"]);
    for number in ["n", "low", "limit"] {
        draft.number(number, number);
    }
    let (block, columns) = (setting.block.to_string(), setting.columns.to_string());
    for (name, value) in [("B", &block), ("C", &columns)] {
        draft.constant(name, value);
        draft.set(name, value);
    }
    if setting.stride == "s" {
        draft.set("s", "3");
        draft.number("s", "s");
    }
    let mut maker = Maker { setting, draft: &mut draft };
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    /// How many elements a tensor has, of so many numbers.
    fn count(&self, numbers: &str) -> String {
        match self.setting.form {
            Form::Row => format!("(max({numbers}, 1) - 1) * {} + 1", self.setting.stride),
            Form::Rows => format!("programs * max({numbers}, 0) * {}", self.setting.stride),
            Form::Blocks => format!("max({numbers}, 0) * C"),
        }
    }

    /// The places of the iteration's elements.
    fn at(&self) -> String {
        let stride = self.setting.stride;
        match self.setting.form {
            Form::Row if stride == "1" => "at".to_string(),
            Form::Row => format!("at * {stride}"),
            Form::Rows => format!("program * n * {stride} + at * {stride}"),
            Form::Blocks => "at[:, None] * C + lanes_c[None, :]".to_string(),
        }
    }

    /// A mask of the elements, from one of their numbers.
    fn mask(&self, of_numbers: &str) -> String {
        match self.setting.form {
            Form::Row | Form::Rows => of_numbers.to_string(),
            Form::Blocks => format!("({of_numbers})[:, None]"),
        }
    }

    fn shape(&self) -> &'static str {
        match self.setting.form {
            Form::Row | Form::Rows => "(B,)",
            Form::Blocks => "(B, C)",
        }
    }

    /// The end of the loop and of the masks.
    fn end(&self) -> &'static str {
        if self.setting.counting == Counting::Loaded { "end" } else { "n" }
    }

    /// One program stores what several would store alike.
    fn is_alone(&self) -> bool {
        self.setting.form != Form::Rows
    }

    fn body(&mut self) {
        self.draft.both("lanes = @arange(0, B)");
        if self.setting.form == Form::Blocks {
            self.draft.both("lanes_c = @arange(0, C)");
        }
        if self.setting.counting == Counting::Loaded {
            self.draft.tensor("ends_ptr", "places(2, max(n, 0) + 1, torch.int32)");
            self.draft.load_number("begin", "ends_ptr", "0");
            self.draft.load_number("end", "ends_ptr", "1");
        }
        let mut ways: Vec<Way> = Vec::new();
        for (way, share) in
            [(Way::Lanes, 0.6), (Way::Number, 0.3), (Way::Max, 0.3), (Way::Store, 0.5), (Way::Last, 0.2)]
        {
            if self.draft.random.chance(share) {
                ways.push(way);
            }
        }
        if ways.is_empty() {
            ways.push(Way::Lanes);
        }
        // What blocks that overlap store is not for a moment what the last one stores.
        if self.setting.counting == Counting::Apart {
            ways.retain(|way| *way != Way::Store);
            if ways.is_empty() {
                ways.push(Way::Number);
            }
        }
        self.start(&ways);
        self.open();
        self.iteration(&ways);
        if self.setting.counting == Counting::While {
            self.draft.line("first += B", "");
        }
        self.draft.close();
        self.finish(&ways);
    }

    fn start(&mut self, ways: &[Way]) {
        let shape = self.shape();
        for way in ways {
            match way {
                Way::Lanes => self.draft.both(&format!("lanes_sum = @zeros({shape}, @float32)")),
                Way::Number => self.draft.line("number = tl.full([], 0, tl.float32)", "number = 0.0"),
                Way::Max => self.draft.both(&format!("most = @full({shape}, -100.0, @float32)")),
                Way::Last => self.draft.both("last = low"),
                Way::Store => {}
            }
        }
    }

    fn open(&mut self) {
        let end = self.end();
        match self.setting.counting {
            Counting::Elements => {
                let first = self.draft.random.pick(&["0", "low"]);
                self.draft.open_loop("first", &format!("{first}, {end}, B"));
            }
            Counting::Blocks => {
                self.draft.open_loop("i", &format!("0, @cdiv({end}, B)"));
                self.draft.both("first = i * B");
            }
            Counting::While => {
                self.draft.line("first = 0", "");
                self.draft.line(&format!("while first < {end}:"), &format!("for first in range(0, {end}, B):"));
                self.draft.indent();
            }
            Counting::Apart => {
                let step = self.draft.random.pick(&["B // 2", "B + 4", "B"]);
                let more = self.draft.random.pick(&["", " + 2 * B"]);
                self.draft.open_loop("first", &format!("0, {end}{more}, {step}"));
            }
            Counting::Loaded => self.draft.open_loop("first", "begin, end, B"),
        }
        let at = self.draft.random.pick(&["first + lanes", "lanes + first"]);
        self.draft.both(&format!("at = {at}"));
    }

    fn iteration(&mut self, ways: &[Way]) {
        let end = self.end();
        let inside = self.draft.random.pick(&["at < #", "# > at"]).replace('#', end);
        let masks = [
            inside.clone(),
            inside.clone(),
            format!("({inside}) & (at % 2 == 0)"),
            format!("({inside}) & (at < limit)"),
            format!("(at >= 0) & ({inside})"),
        ];
        for number in 0..self.setting.loads {
            let (name, tensor) = (format!("x{number}"), format!("x{number}_ptr"));
            let count = self.count("n");
            let made = format!("numbers({count}, {MOST}, torch.{})", self.setting.element.torch);
            self.draft.tensor(&tensor, &made);
            let mask = self.draft.random.pick(&masks);
            let mut mask = self.mask(&mask);
            if number > 0 && self.draft.random.chance(0.3) {
                mask = format!("({mask}) & (x0 > 3)");
            }
            let access = Access::new(&tensor, self.at()).masked(Some(mask));
            let chooses = self.draft.random.chance(0.2);
            if chooses {
                let mask = access.mask.clone().unwrap_or_default();
                self.draft.load(&name, &access.other("0"), ".to(tl.float32)");
                self.draft.both(&format!("{name} = @where({mask}, {name}, 1.0)"));
            } else {
                let other = self.draft.random.pick(&["0", "0", "5", "-3"]);
                self.draft.load(&name, &access.other(other), ".to(tl.float32)");
            }
        }
        let value = if self.setting.loads == 2 { "(x0 + x1)" } else { "x0" };
        let kept = self.mask(&inside);
        for way in ways {
            match way {
                Way::Lanes => self.lanes_sum(value, &kept),
                Way::Number => self.number(value, &kept),
                Way::Max => self.draft.both(&format!("most = @maximum(most, {value})")),
                Way::Last => self.draft.both("last = first"),
                Way::Store => self.store(value, &inside),
            }
        }
    }

    fn lanes_sum(&mut self, value: &str, kept: &str) {
        let text = if self.draft.random.chance(0.5) {
            format!("lanes_sum += {value}")
        } else {
            format!("lanes_sum += @where({kept}, {value}, 0.0)")
        };
        self.draft.both(&text);
    }

    fn number(&mut self, value: &str, kept: &str) {
        let sum = if self.setting.form == Form::Blocks {
            format!("@sum(@sum(@where({kept}, {value}, 0.0), axis=1), axis=0)")
        } else {
            format!("@sum(@where({kept}, {value}, 0.0), axis=0)")
        };
        self.draft.both(&format!("number += {sum}"));
    }

    /// Stores the elements of the iteration, to a tensor of their own or, of one type, to where they were.
    fn store(&mut self, value: &str, inside: &str) {
        let element = self.setting.element;
        let in_place = self.setting.loads == 1 && element.exact >= 1000 && self.draft.random.chance(0.15);
        let tensor = if in_place { "x0_ptr" } else { "y_ptr" };
        if !in_place {
            let made = format!("poisoned({}, torch.float32)", self.count("n"));
            self.draft.tensor(tensor, &made);
        }
        let inside = self.mask(inside);
        let access = Access::new(tensor, self.at()).masked(Some(inside));
        let value = self.draft.random.pick(&[format!("{value} * 2"), format!("-{value}"), value.to_string()]);
        self.draft.store(&access, &value);
    }

    fn finish(&mut self, ways: &[Way]) {
        let shared = if self.is_alone() { "" } else { "program * " };
        for way in ways {
            let blocks = self.setting.form == Form::Blocks;
            let (count, at) = match (way, blocks) {
                (Way::Store, _) => continue,
                (Way::Lanes | Way::Max, true) => ("B * C", "lanes[:, None] * C + lanes_c[None, :]".to_string()),
                (Way::Lanes | Way::Max, false) if shared.is_empty() => ("B", "lanes".to_string()),
                (Way::Lanes | Way::Max, false) => ("programs * B", format!("{shared}B + lanes")),
                (Way::Number | Way::Last, _) => ("programs", "program".to_string()),
            };
            let (name, tensor) = match way {
                Way::Lanes => ("lanes_sum", "lanes_ptr"),
                Way::Max => ("most", "most_ptr"),
                Way::Number => ("number", "number_ptr"),
                Way::Last | Way::Store => ("last", "last_ptr"),
            };
            self.draft.tensor(tensor, &format!("poisoned({count}, torch.float32)"));
            let access = Access::new(tensor, at);
            if matches!(way, Way::Number | Way::Last) {
                self.draft.store_number(&access, name);
            } else {
                self.draft.store(&access, name);
            }
        }
    }

    fn launches(&mut self) {
        let block = self.setting.block as i64;
        let is_alone = self.is_alone();
        let warps: &[usize] = if self.setting.has_many_masks { &[1, 1, 2] } else { &[1, 1, 2, 4, 4, 8] };
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..4 {
            let programs = if is_alone { 1 } else { random.pick(&[1, 2, 3]) };
            let low = random.pick(&[0, 1, 7]);
            let sizes = vec![length(random, block), low, random.pick(&[0, block + 3, 10 * block])];
            let (warps, stages) = (random.pick(warps), random.pick(&[1, 2, 3, 4]));
            launches.push(Launch { sizes, programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
