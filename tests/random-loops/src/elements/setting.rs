//! What a program without products has around its statements: the sizes of its blocks, its loops, its launches.

use crate::draw::Choose;
use rand::Rng;
use tk_cases::draw::Random;

/// Elements of a block, at most.
const LARGEST_BLOCK: usize = 2048;
/// Blocks of columns that a loop goes over, at most.
pub(super) const MOST_STEPS: usize = 4;
/// Tiles of rows of a launch, at most.
pub(super) const MOST_TILES: usize = 6;

/// The loops of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// None: a program has a block with all columns.
    Straight,
    /// Over blocks of columns, and mostly over them again.
    Columns,
    /// Over blocks of rows with all columns.
    Tiles,
}

/// The sizes of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Launch {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) programs: usize,
    pub(super) warps: usize,
}

/// All of it.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) form: Form,
    /// Rows and columns of a block.
    pub(super) height: usize,
    pub(super) width: usize,
    /// A block has one dimension: that of its only row.
    pub(super) is_flat: bool,
    pub(super) launches: Vec<Launch>,
}

impl Setting {
    pub(super) fn draw(random: &mut Random) -> Self {
        let form = random.pick(&[Form::Straight, Form::Straight, Form::Columns, Form::Columns, Form::Tiles]);
        let is_flat = random.chance(0.4);
        let width = random.pick(&[16, 32, 64, 64, 128, 256, 512, if is_flat { 1024 } else { 8 }]);
        let heights: &[usize] = if is_flat { &[1] } else { &[1, 2, 4, 8, 16, 16, 32, 64] };
        let fits: Vec<usize> = heights.iter().copied().filter(|height| height * width <= LARGEST_BLOCK).collect();
        let height = random.pick(&fits);
        let mut setting = Self { form, height, width, is_flat, launches: Vec::new() };
        let count = random.random_range(2..=3);
        setting.launches = (0..count).map(|_| setting.launch(random)).collect();
        setting.launches.dedup();
        setting
    }

    fn launch(&self, random: &mut Random) -> Launch {
        let tiles = random.random_range(1..=if self.form == Form::Tiles { MOST_TILES } else { 3 });
        let steps = if self.form == Form::Columns { random.random_range(1..=MOST_STEPS) } else { 1 };
        // The last block has an element at least.
        let rows = tiles * self.height - if random.chance(0.4) { 0 } else { random.random_range(0..self.height) };
        let columns = steps * self.width - if random.chance(0.3) { 0 } else { random.random_range(0..self.width) };
        let programs = if self.form == Form::Tiles { random.random_range(1..=tiles.min(3)) } else { tiles };
        Launch { rows, columns, programs, warps: random.pick(&[1, 2, 4, 4, 8]) }
    }
}
