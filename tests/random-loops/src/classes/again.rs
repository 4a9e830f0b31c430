//! Rows that one loop reads and a second one reads again, as norms and losses have them: what the second loop stores may lie in the rows that it reads,
//! before what an iteration reads or behind it, so that the order of the iterations may show.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::elements::{ELEMENTS, Element};
use rand::Rng;
use tk_cases::draw::Random;

/// The greatest number that is loaded, and that is stored: other iterations may load it. Every type has it exactly.
const MOST: i64 = 4;
/// Blocks of elements by which what is stored lies before or behind what is read, at most.
const MOST_BLOCKS: i64 = 2;
/// Rows begin at multiples of so many elements where other iterations read what one stores. Nothing orders threads by what they access through two
/// parameters, so a thread has to load the elements that it stores. It does where all accesses are aligned and their elements have at most 32 bits.
const ROW: i64 = 16;
/// Elements of a launch, at most.
const MOST_ELEMENTS: i64 = 100_000;

/// Where the second loop stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// In a tensor of its own.
    Other,
    /// In the elements that it has read, by another parameter.
    Same,
    /// So many blocks behind the elements that it has read.
    Behind(i64),
    /// So many blocks before them.
    Before(i64),
}

impl Target {
    /// An iteration stores what another one reads.
    fn is_read_later(self) -> bool {
        match self {
            Target::Behind(_) | Target::Before(_) => true,
            Target::Other | Target::Same => false,
        }
    }
}

/// What the first loop finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// A sum, of which little is kept.
    Sum,
    Greatest,
    /// A number of each lane.
    Lanes,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    target: Target,
    found: Found,
    /// Elements of an iteration.
    block: i64,
    /// The program says how long rows are.
    is_known: bool,
    /// A second tensor whose rows both loops read.
    has_second: bool,
    /// Weights of columns, which all programs read.
    has_weights: bool,
    /// The program says that its last reads are.
    says_last: bool,
    /// The second loop begins behind the first block.
    begins_later: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let blocks = random.random_range(1..=MOST_BLOCKS);
        let crossing = [Target::Behind(blocks), Target::Before(blocks)];
        let target = random.pick(&[&[Target::Other, Target::Same, Target::Same], &crossing[..]].concat());
        let fits = |element: &&Element| !(target.is_read_later() && element.torch.ends_with("64"));
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(fits).collect();
        Self {
            element: random.pick(&exact),
            target,
            found: random.pick(&[Found::Sum, Found::Greatest, Found::Lanes]),
            block: random.pick(&[256, 1024, 1024, 2048, 4096]),
            is_known: random.chance(0.2),
            has_second: random.chance(0.3),
            has_weights: random.chance(0.3),
            says_last: random.chance(0.4),
            begins_later: random.chance(0.15),
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
    let mut draft = Draft::new(random, &["n", "stride"]);
    if setting.is_known {
        draft.constant("n", "n");
    } else {
        draft.number("n", "n");
    }
    draft.number("stride", "stride");
    draft.constant("B", &setting.block.to_string());
    let mut maker = Maker { setting, draft: &mut draft };
    maker.tensors();
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    /// Rows have room for what is stored before and behind them.
    fn tensors(&mut self) {
        let Setting { element, target, block, has_second, has_weights, .. } = self.setting;
        let room = MOST_BLOCKS * block;
        self.draft.buffer("x_ptr", &format!("numbers(programs * stride + {room}, {MOST}, torch.{})", element.torch));
        let (from, to) = match target {
            Target::Other => (0, None),
            Target::Same => (0, Some(0)),
            Target::Behind(blocks) => (0, Some(blocks * block)),
            Target::Before(blocks) => (blocks * block, Some(0)),
        };
        self.draft.view("x_ptr", "x_ptr", &from.to_string());
        match to {
            Some(first) => self.draft.view("y_ptr", "x_ptr", &first.to_string()),
            None => self.draft.tensor("y_ptr", &format!("poisoned(programs * stride, torch.{})", element.torch)),
        }
        if has_second {
            self.draft.tensor("z_ptr", &format!("numbers(programs * stride, 1, torch.{})", element.torch));
        }
        if has_weights {
            self.draft.tensor("w_ptr", &format!("numbers(n, 1, torch.{})", element.torch));
        }
        self.draft.tensor("found_ptr", &format!("poisoned(programs * {block}, torch.float32)"));
    }

    fn body(&mut self) {
        let Setting { found, begins_later, .. } = self.setting;
        self.draft.both("lanes = @arange(0, B)");
        let start = if found == Found::Greatest { "@full((B,), -100.0, @float32)" } else { "@zeros((B,), @float32)" };
        self.draft.both(&format!("kept = {start}"));
        self.draft.open_loop("first", "0, n, B");
        self.rows("");
        let kept = match found {
            Found::Sum | Found::Lanes => "kept + x",
            Found::Greatest => "@maximum(kept, @where(inside, x, -100.0))",
        };
        self.draft.both(&format!("kept = {kept}"));
        self.draft.close();
        match found {
            Found::Sum => self.draft.both("found = @minimum(@maximum(@sum(kept, axis=0), -2.0), 2.0)"),
            Found::Greatest => self.draft.both("found = @minimum(@maximum(@max(kept, axis=0), -2.0), 2.0)"),
            Found::Lanes => self.draft.both("found = @minimum(@maximum(kept, -2.0), 2.0)"),
        }
        self.draft.store(&Access::new("found_ptr", "program * B + lanes"), "kept");
        let bounds = if begins_later { "B, n, B" } else { "0, n, B" };
        // A loop with stages of its own takes the memory of each parameter to be another one's.
        if self.draft.has_aliases() {
            self.draft.open(&format!("for first in range({bounds}):"));
        } else {
            self.draft.open_loop("first", bounds);
        }
        self.second();
        self.draft.close();
    }

    /// The elements of an iteration, with what is said of their reads.
    fn rows(&mut self, hint: &'static str) {
        let has_second = self.setting.has_second;
        self.draft.both("columns = first + lanes");
        self.draft.both("inside = columns < n");
        let row = |tensor: &str, hint: &'static str| {
            let access = Access::new(tensor, "(program * stride + columns)").masked(Some("inside".to_string()));
            Access { hint, ..access.other("0") }
        };
        self.draft.load("x", &row("x_ptr", hint), "");
        self.draft.both("x = x.to(@float32)");
        if has_second {
            self.draft.load("z", &row("z_ptr", hint), "");
            self.draft.both("x = x + z.to(@float32)");
        }
    }

    fn second(&mut self) {
        let Setting { element, has_weights, says_last, .. } = self.setting;
        let hint = if says_last { ", eviction_policy='evict_first'" } else { "" };
        self.rows(hint);
        let value = self.draft.random.pick(&["x + found", "x - found", "@maximum(x, found)"]);
        self.draft.both(&format!("y = {value}"));
        if has_weights {
            let weights = Access::new("w_ptr", "columns").masked(Some("inside".to_string())).other("0");
            self.draft.load("w", &weights, "");
            self.draft.both("y = y * w.to(@float32)");
        }
        self.draft.both(&format!("y = @minimum(@maximum(y, -{MOST}.0), {MOST}.0)"));
        let place = Access::new("y_ptr", "(program * stride + columns)").masked(Some("inside".to_string()));
        let kind = element.kernel;
        self.draft.store(&place, &format!("y.to(@{kind})"));
    }

    fn launches(&mut self) {
        let (block, crosses) = (self.setting.block, self.setting.target.is_read_later());
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        while launches.len() < 3 {
            let programs: i64 = random.pick(&[1, 1, 2, 3]);
            let blocks: i64 = random.pick(&[0, 1, 2, 3, 4, 6, 7, 12, 13, 16, 17, 24, 25, 48]);
            let cut = match random.random_range(0..4) {
                0 => random.random_range(0..block),
                1 => block - 1,
                _ => 0,
            };
            let n = (blocks * block - cut).max(0);
            if programs * n > MOST_ELEMENTS {
                continue;
            }
            let least = n + MOST_BLOCKS * block;
            let stride = if crosses { (least + ROW - 1) / ROW * ROW } else { least + random.pick(&[0, 0, 1, 16]) };
            let (warps, stages) = (random.pick(&[1, 2, 4, 4, 8, 16]), random.pick(&[1, 2, 3]));
            launches.push(Launch { sizes: vec![n, stride], programs, warps, stages });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
