//! Windows: each element is the sum of those around it, in a row or in an image whose rows have any length. Elements of a thread that lie side by side have
//! most of their neighbours in common, and quotients by the length of a row.

use super::draft::{Access, Draft, Launch};
use crate::draw::Choose;
use crate::elements::{ELEMENTS, Element};
use rand::Rng;
use tk_cases::draw::Random;

/// The greatest number that is loaded. Sums of nine products of two of them are exact.
const MOST: i64 = 5;

/// How the elements of a window are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taps {
    /// Each has statements of its own.
    WrittenOut,
    /// A loop over as many as the program says.
    Known,
    /// A loop over as many as the launch says.
    Counted,
}

#[derive(Clone, Debug)]
struct Setting {
    element: &'static Element,
    taps: Taps,
    /// Elements of a program.
    block: i64,
    /// Elements of a row of the image.
    width: i64,
    is_image: bool,
    has_weights: bool,
    has_mask: bool,
}

impl Setting {
    fn draw(random: &mut Random) -> Self {
        let exact: Vec<&'static Element> = ELEMENTS.iter().filter(|element| element.exact >= MOST).collect();
        Self {
            element: random.pick(&exact),
            taps: random.pick(&[Taps::WrittenOut, Taps::WrittenOut, Taps::Known, Taps::Counted]),
            block: random.pick(&[32, 64, 128, 256, 512, 1024]),
            width: random.pick(&[4, 6, 7, 8, 12, 20, 24, 28, 32, 48, 56, 224]),
            is_image: random.chance(0.7),
            has_weights: random.chance(0.5),
            has_mask: random.chance(0.8),
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
    let mut draft = Draft::new(random, &["n", "taps"]);
    for number in ["n", "taps"] {
        draft.number(number, number);
    }
    draft.constant("B", &setting.block.to_string());
    draft.constant("W", &setting.width.to_string());
    let mut maker = Maker { setting, draft: &mut draft };
    maker.tensors();
    maker.body();
    maker.launches();
    draft
}

impl Maker<'_, '_> {
    /// What is loaded has room for whatever a window without a mask reaches.
    fn tensors(&mut self) {
        let Setting { element, width, has_weights, .. } = self.setting;
        self.draft.tensor("x_ptr", &format!("numbers(n + {}, {MOST}, torch.{})", 4 * width + 16, element.torch));
        if has_weights {
            self.draft.tensor("w_ptr", &format!("numbers(16, {MOST}, torch.float32)"));
        }
        self.draft.tensor("y_ptr", "poisoned(n, torch.float32)");
    }

    fn body(&mut self) {
        let Setting { taps, is_image, .. } = self.setting;
        self.draft.both("pixels = program * B + @arange(0, B)");
        self.draft.both("inside = pixels < n");
        if is_image {
            self.draft.both("row = pixels // W");
            self.draft.both("column = pixels % W");
        }
        self.draft.both("sums = @zeros((B,), @float32)");
        match taps {
            Taps::WrittenOut => {
                let number = self.draft.random.random_range(2..=6);
                (0..number).for_each(|tap| self.tap(&tap.to_string()));
            }
            Taps::Known | Taps::Counted => {
                let bounds = if taps == Taps::Known { "0, 3" } else { "0, taps" };
                self.draft.open_loop("tap", bounds);
                self.tap("tap");
                self.draft.close();
            }
        }
        self.draft.store(&Access::new("y_ptr", "pixels").masked(Some("inside".to_string())), "sums");
    }

    /// Adds the element at a place of the window.
    fn tap(&mut self, number: &str) {
        let Setting { is_image, has_weights, has_mask, .. } = self.setting;
        let across = self.draft.random.pick(&["1", "1", "1", "2", "-1"]);
        let mut mask = "inside".to_string();
        if is_image {
            let down = self.draft.random.pick(&["0", "0", "1", "2"]);
            self.draft.both(&format!("beside = column + ({number}) * ({across}) + 1"));
            self.draft.both(&format!("place = (row + {down}) * W + beside"));
            if has_mask {
                mask += " & (beside >= 0) & (beside < W)";
            }
        } else {
            self.draft.both(&format!("place = pixels + ({number}) * ({across}) + 1"));
        }
        // Nothing lies before the first element.
        mask += " & (place >= 0)";
        let access = Access::new("x_ptr", "place").masked(Some(mask)).other("0");
        self.draft.load("x", &access, ".to(tl.float32)");
        if has_weights {
            self.draft.load_number("w", "w_ptr", number);
            self.draft.both("x = x * w");
        }
        self.draft.both("sums += x");
    }

    fn launches(&mut self) {
        let block = self.setting.block;
        let random = &mut *self.draft.random;
        let mut launches = Vec::new();
        for _ in 0..3 {
            let programs: i64 = random.pick(&[1, 1, 2, 3]);
            let cut = if random.chance(0.5) { 0 } else { random.random_range(0..block) };
            let (taps, warps) = (random.random_range(0..=6), random.pick(&[1, 1, 2, 4, 8]));
            launches.push(Launch { sizes: vec![programs * block - cut, taps], programs, warps, stages: 2 });
        }
        launches.into_iter().for_each(|launch| self.draft.launch(launch));
    }
}
