//! What a program has around its body: element type, sizes, accumulators, the form of its loop.

use crate::bias::Bias;
use crate::draw::Choose;
use crate::element::Element;
use crate::source::Way;
use crate::value::Size;
use tk_cases::draw::Random;

/// Iterations of a launch, at most.
pub(crate) const MOST_STEPS: usize = 8;
/// Rounds of the outer loop, where there is one.
pub(crate) const TILES: usize = 2;
/// Elements of all accumulators for each warp: 128 registers of a thread.
pub(crate) const ELEMENTS_OF_A_WARP: usize = 4096;
/// Multiplications of one product, at most.
const LARGEST: usize = 64 * 64 * 128;

/// The sizes of blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

impl Sizes {
    pub(crate) fn of(self, size: Size) -> usize {
        match size {
            Size::M => self.m,
            Size::N => self.n,
            Size::K => self.k,
        }
    }
}

/// The loop around the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tiles {
    /// There is none.
    None,
    Plain,
    /// One that asks to be made one loop with the inner one.
    Flattened,
    /// One that asks for copies to go on while a tile is finished, which is the same.
    Specialized,
}

/// How the loop counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    Blocks,
    /// Elements along K, in steps of a block.
    Elements,
}

/// A vector over the rows or columns of accumulators that is carried from iteration to iteration.
#[derive(Clone, Debug)]
pub(crate) struct CarriedRow {
    pub(crate) name: String,
    pub(crate) size: Size,
}

/// All of it.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) element: &'static Element,
    pub(crate) sizes: Sizes,
    pub(crate) accumulators: Vec<String>,
    /// Those that mostly do nothing but to sum one product, which may run on while the next iteration starts.
    pub(crate) quiet: Vec<String>,
    pub(crate) tiles: Tiles,
    /// Whether every tile starts with zeros and stores its results.
    pub(crate) resets: bool,
    /// What the loop itself says.
    pub(crate) own_stages: Option<usize>,
    pub(crate) counting: Counting,
    pub(crate) rows: Vec<CarriedRow>,
    pub(crate) has_counter: bool,
    /// More sources only where no known block has the shape.
    pub(crate) most_sources: usize,
    pub(crate) stores_by_descriptor: bool,
    pub(crate) ways: Vec<Way>,
    /// Programs of a launch, each with tensors of its own, which follow each other. More than one only where all blocks have pointers.
    pub(crate) programs: usize,
}

impl Setting {
    pub(crate) fn draw(random: &mut Random, bias: Bias) -> Self {
        let element = random.weighted(&elements_of(bias));
        let (sizes, accumulators) = loop {
            let (sizes, accumulators) = (draw_sizes(random, bias), random.pick(bias.form().accumulators));
            if is_possible(sizes, accumulators, element, bias) {
                break (sizes, accumulators);
            }
        };
        let accumulators: Vec<String> = (0..accumulators).map(|i| format!("acc{i}")).collect();
        let quiet = accumulators.iter().filter(|_| random.chance(0.5)).cloned().collect();
        let no_tiles = [Tiles::None; 5];
        let tiles = random.pick(&[&no_tiles[..], &[Tiles::Plain, Tiles::Flattened, Tiles::Specialized]].concat());
        let mut rows = Vec::new();
        for (name, size, share) in [("row0", Size::M, 0.3), ("row1", Size::N, 0.15)] {
            if random.chance(share) {
                rows.push(CarriedRow { name: name.to_string(), size });
            }
        }
        let ways = draw_ways_for(bias, random);
        let stores_by_descriptor = random.chance(0.2);
        let has_pointers = !stores_by_descriptor && !ways.contains(&Way::Descriptor);
        let programs = if has_pointers { random.pick(&[1, 1, 1, 2, 3]) } else { 1 };
        Self {
            element,
            sizes,
            accumulators,
            quiet,
            tiles,
            resets: tiles != Tiles::None && random.chance(0.7),
            own_stages: if bias == Bias::Across {
                Some(1)
            } else {
                random.pick(&[None, None, None, None, Some(1), Some(2), Some(3), Some(4)])
            },
            counting: if random.chance(0.3) { Counting::Elements } else { Counting::Blocks },
            rows,
            has_counter: random.chance(0.25),
            most_sources: random.pick(&[1, 2, 2, 3, 3, 4, 5]),
            stores_by_descriptor,
            ways,
            programs,
        }
    }

    /// Elements of all accumulators.
    pub(crate) fn elements(&self) -> usize {
        self.sizes.m * self.sizes.n * self.accumulators.len()
    }

    /// The variable with the number of the block, from 0, over all tiles.
    pub(crate) fn at(&self) -> &'static str {
        match self.tiles {
            Tiles::None => "k",
            Tiles::Plain | Tiles::Flattened | Tiles::Specialized => "at",
        }
    }

    /// Rounds of the outer loop.
    pub(crate) fn tile_count(&self) -> usize {
        match self.tiles {
            Tiles::None => 1,
            Tiles::Plain | Tiles::Flattened | Tiles::Specialized => TILES,
        }
    }
}

/// The element types, and how often each is drawn.
fn elements_of(bias: Bias) -> Vec<(&'static Element, f64)> {
    // Registers of an operand hold pairs of 16 bits along K.
    Element::weighted().into_iter().filter(|(element, _)| bias != Bias::Across || element.bytes == 2).collect()
}

fn draw_sizes(random: &mut Random, bias: Bias) -> Sizes {
    if bias == Bias::Held {
        // Narrow products of many terms, which fill and read much of shared memory; eight warps split their columns.
        return Sizes { m: 64, n: random.pick(&[32, 64, 64, 64, 128]), k: random.pick(&[128, 256, 256]) };
    }
    if bias == Bias::Turns {
        return Sizes { m: 128, n: random.pick(&[32, 64, 64]), k: random.pick(&[32, 64, 64]) };
    }
    if bias == Bias::Across {
        // Products of fewer than 64 rows are those of `mma.sync`.
        let [m, n, k] = [&[16, 16, 32], &[16, 32, 64], &[16, 32, 64]].map(|sizes| random.pick(sizes));
        return Sizes { m, n, k };
    }
    if random.chance(0.5) {
        let size = random.pick(&[32, 64, 64, 64, 64]);
        return Sizes { m: random.pick(&[size, 64, 64, 128]), n: size, k: size };
    }
    Sizes {
        m: random.pick(&[16, 32, 64, 64, 64, 64, 128, 128]),
        n: random.pick(&[16, 32, 64, 64, 128]),
        k: random.pick(&[16, 32, 64, 128]),
    }
}

/// Whether the type has products of these sizes, and a program of four to eight warps has the registers.
fn is_possible(sizes: Sizes, accumulators: usize, element: &Element, bias: Bias) -> bool {
    let least = if element.bytes == 1 { 32 } else { 16 };
    let Sizes { m, n, k } = sizes;
    (accumulators > 1 || bias != Bias::Mixing)
        && m.min(n).min(k) >= least
        && m * n * accumulators <= 4 * ELEMENTS_OF_A_WARP
        && m * n * k <= if bias == Bias::Held { 2 * LARGEST } else { LARGEST }
}

fn draw_ways_for(bias: Bias, random: &mut Random) -> Vec<Way> {
    match bias {
        Bias::Addresses => draw_ways_of_addresses(random),
        Bias::Rows => draw_ways_of_rows(random),
        Bias::Across => random.pick(&[vec![Way::Pointers], vec![Way::Masked], vec![Way::Pointers, Way::Moving]]),
        // Products are issued ahead where TMA copies their blocks; so are those beside a held operand.
        Bias::Ahead | Bias::Held | Bias::Turns if random.chance(0.8) => vec![Way::Descriptor],
        Bias::Ahead
        | Bias::Held
        | Bias::Turns
        | Bias::Even
        | Bias::Mixing
        | Bias::Branches
        | Bias::Chains
        | Bias::Operands
        | Bias::Reductions => draw_ways(random),
    }
}

fn draw_ways(random: &mut Random) -> Vec<Way> {
    let mixed = [Way::Descriptor, Way::Descriptor, Way::Pointers, Way::Masked, Way::Moving];
    let alone = |way: Way| vec![way];
    random.pick(&[
        alone(Way::Descriptor),
        alone(Way::Descriptor),
        alone(Way::Pointers),
        alone(Way::Masked),
        alone(Way::Moving),
        mixed.to_vec(),
    ])
}

fn draw_ways_of_addresses(random: &mut Random) -> Vec<Way> {
    let mixed = [Way::Hinted, Way::Hinted, Way::Gathered, Way::Gathered, Way::Masked, Way::Pointers];
    random.pick(&[vec![Way::Hinted], vec![Way::Gathered], vec![Way::Pointers, Way::Masked], mixed.to_vec()])
}

fn draw_ways_of_rows(random: &mut Random) -> Vec<Way> {
    let mixed = [Way::Block, Way::Wide, Way::Wide, Way::Uneven, Way::Pointers];
    random.pick(&[vec![Way::Block], vec![Way::Block], vec![Way::Wide], vec![Way::Uneven], mixed.to_vec()])
}
