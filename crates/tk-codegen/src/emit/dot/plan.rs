//! Which registers of a thread a dot combines: pure data worked out from linear layouts.
//!
//! A dot is a sum over k of `left(m, k) * right(k, n)`. In every thread the plan for multiply-add finds, for each of its results, the
//! registers with the same m, n and k. The plan for `mma.sync` does so for a warp: PTX says which lane gives which part of a fragment
//! (PTX ISA, "Matrix fragments for mma.m16n8k16" and its neighbours), so the lanes must lie as it says, while registers may come in
//! any order. The instruction does not care which k it calls first as long as both operands agree, hence any `kWidth` works.

use rustc_hash::FxHashMap;
use tk_layout::{Dim, LinearLayout};

/// Coordinates of an element in a matrix, or in a batch of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Coordinates {
    batch: u32,
    row: u32,
    column: u32,
}

const ORIGIN: Coordinates = Coordinates { batch: 0, row: 0, column: 0 };

impl Coordinates {
    /// A step along the rows alone.
    fn row(row: u32) -> Self {
        Self { row, ..ORIGIN }
    }

    /// A step along the columns alone.
    fn column(column: u32) -> Self {
        Self { column, ..ORIGIN }
    }

    /// The sum over F2, axis by axis.
    fn plus(self, other: Self) -> Self {
        Self { batch: self.batch ^ other.batch, row: self.row ^ other.row, column: self.column ^ other.column }
    }
}

/// Where the registers of one thread lie in a matrix (or a batch of them).
pub(super) struct Held {
    /// Place of each register in thread 0.
    places: Vec<Coordinates>,
    /// The first register at each place.
    registers: FxHashMap<Coordinates, u32>,
    /// How the bits of the lane move all places.
    lanes: Vec<Coordinates>,
    /// How the bits of the warp move all places.
    warps: Vec<Coordinates>,
    /// Rows and columns of the matrix.
    size: [u32; 2],
}

impl Held {
    /// The places of a tensor of rank 2 or 3.
    pub(super) fn of(layout: &LinearLayout, shape: &[i64]) -> Result<Self, String> {
        let rank = shape.len();
        if !(2..=3).contains(&rank) {
            return Err(format!("a matrix has 2 axes, or 3 with a batch, not {rank}"));
        }
        let axis = |at: usize| Dim::Axis((rank - 2 + at) as u8);
        let images = |dim: Dim| -> Vec<Coordinates> {
            let place = |bit: u32| {
                let batch = if rank == 3 { layout.basis(dim, bit, Dim::Axis(0)) } else { 0 };
                let (row, column) = (layout.basis(dim, bit, axis(0)), layout.basis(dim, bit, axis(1)));
                Coordinates { batch, row, column }
            };
            (0..layout.in_bits(dim)).map(place).collect()
        };
        let bits = images(Dim::Register);
        let mut places = vec![ORIGIN; 1 << bits.len()];
        let mut registers = FxHashMap::default();
        for register in 0..places.len() {
            if register > 0 {
                let lowest = register.trailing_zeros() as usize;
                places[register] = places[register & (register - 1)].plus(bits[lowest]);
            }
            registers.entry(places[register]).or_insert(register as u32);
        }
        let size = [shape[rank - 2] as u32, shape[rank - 1] as u32];
        Ok(Self { places, registers, lanes: images(Dim::Lane), warps: images(Dim::Warp), size })
    }

    fn register(&self, place: Coordinates) -> Result<u32, String> {
        let Coordinates { batch, row, column } = place;
        let found = self.registers.get(&place).copied();
        found.ok_or_else(|| format!("no register holds row {row}, column {column} of batch {batch}"))
    }

    /// The different values that `part` takes over the places, in the order of registers.
    fn different(&self, part: impl Fn(&Coordinates) -> Option<u32>) -> Vec<u32> {
        let mut seen = rustc_hash::FxHashSet::default();
        self.places.iter().filter_map(part).filter(|value| seen.insert(*value)).collect()
    }
}

/// The operands and the result of a dot.
pub(super) struct Sides<'h> {
    pub(super) left: &'h Held,
    pub(super) right: &'h Held,
    pub(super) result: &'h Held,
}

impl Sides<'_> {
    /// The elements that are summed.
    fn depth(&self) -> u32 {
        self.left.size[1]
    }

    /// Whether bits of the thread move the operands as they move the result, and k not at all.
    fn check_together(&self, what: &str, bits: impl Fn(&Held) -> &[Coordinates]) -> Result<(), String> {
        let (left, right, result) = (bits(self.left), bits(self.right), bits(self.result));
        if left.len() != result.len() || right.len() != result.len() {
            return Err(format!("the operands and the result have different numbers of {what}s"));
        }
        for (bit, moved) in result.iter().enumerate() {
            if left[bit] != (Coordinates { column: 0, ..*moved }) || right[bit] != (Coordinates { row: 0, ..*moved }) {
                return Err(format!("bit {bit} of the {what} moves the operands and the result differently"));
            }
        }
        Ok(())
    }

    fn check_sizes(&self) -> Result<(), String> {
        let (left, right, result) = (self.left.size, self.right.size, self.result.size);
        let fit = left[1] == right[0] && [left[0], right[1]] == result;
        if fit { Ok(()) } else { Err(format!("{left:?} times {right:?} does not give {result:?}")) }
    }
}

/// The registers of both operands that one multiply-add takes.
pub(super) struct FmaOperands {
    pub(super) left: u32,
    pub(super) right: u32,
}

/// Multiply-adds of one thread.
pub(super) struct FmaPlan {
    /// A register of the result for each accumulator.
    pub(super) accumulators: Vec<u32>,
    /// For each k, what each accumulator takes.
    pub(super) steps: Vec<Vec<FmaOperands>>,
    /// The accumulator of each register of the result.
    pub(super) results: Vec<u32>,
}

impl FmaPlan {
    /// Every thread must hold all k of its rows and columns.
    pub(super) fn of(sides: &Sides<'_>) -> Result<Self, String> {
        sides.check_sizes()?;
        sides.check_together("lane", |held| &held.lanes)?;
        sides.check_together("warp", |held| &held.warps)?;
        let result = sides.result;
        let (mut accumulators, mut results) = (Vec::new(), Vec::with_capacity(result.places.len()));
        for (register, place) in result.places.iter().enumerate() {
            let first = result.register(*place)?;
            if first as usize == register {
                results.push(accumulators.len() as u32);
                accumulators.push(first);
            } else {
                results.push(results[first as usize]);
            }
        }
        let operands = |k: u32, register: u32| {
            let place = result.places[register as usize];
            let left = sides.left.register(Coordinates { column: k, ..place })?;
            Ok(FmaOperands { left, right: sides.right.register(Coordinates { row: k, ..place })? })
        };
        let step = |k: u32| accumulators.iter().map(|register| operands(k, *register)).collect::<Result<_, String>>();
        let steps = (0..sides.depth()).map(step).collect::<Result<_, String>>()?;
        Ok(Self { accumulators, steps, results })
    }
}

/// One `mma.sync`, by indices into the lists of its [`MmaPlan`].
pub(super) struct MmaStep {
    /// The tile of accumulators that it adds to.
    pub(super) tile: usize,
    /// Words of the left operand: first half of k for rows 0-7 and 8-15, then the second half.
    pub(super) left: [usize; 4],
    /// Words of the right operand: first and second half of k.
    pub(super) right: [usize; 2],
}

/// Matrix instructions of one warp, each 16 by 8.
pub(super) struct MmaPlan {
    /// Registers of the left operand that make each word, lowest first; missing ones are 0.
    pub(super) left: Vec<Vec<u32>>,
    /// The same for the right operand.
    pub(super) right: Vec<Vec<u32>>,
    /// Registers of the result that make each tile: columns 2t and 2t + 1 of row g, then of row g + 8 (in lane 4g + t).
    pub(super) tiles: Vec<[u32; 4]>,
    /// The instructions in the order in which they should come: all tiles for the first k, then for the next, so that
    /// neighbours do not wait for each other.
    pub(super) steps: Vec<MmaStep>,
    /// Tile and place in it of each register of the result.
    pub(super) results: Vec<TilePosition>,
}

/// Where a register of the result lies in the tiles.
#[derive(Clone, Copy)]
pub(super) struct TilePosition {
    pub(super) tile: usize,
    /// Among the four of the tile.
    pub(super) at: usize,
}

/// The tiles of the result, and where each of its registers lies in them.
struct Tiles {
    tiles: Vec<[u32; 4]>,
    positions: Vec<TilePosition>,
}

impl MmaPlan {
    /// `per_word` elements of an operand make one word of the instruction.
    pub(super) fn of(sides: &Sides<'_>, per_word: usize) -> Result<Self, String> {
        sides.check_sizes()?;
        sides.check_together("warp", |held| &held.warps)?;
        let fragment = Fragment::of(sides)?;
        let depths = fragment.depths(sides)?;
        let Tiles { tiles, positions: results } = fragment.tiles(sides.result)?;
        let (mut left, mut right) = (Words::default(), Words::default());
        let mut steps = Vec::with_capacity(tiles.len() * depths.len());
        for depth in depths.chunks(2 * per_word) {
            let (low, high) = depth.split_at(per_word.min(depth.len()));
            for (number, tile) in tiles.iter().enumerate() {
                let place = sides.result.places[tile[0] as usize];
                let mut words = [0; 4];
                for (at, word) in words.iter_mut().enumerate() {
                    let row = place.row ^ if at % 2 == 1 { fragment.lower_rows } else { 0 };
                    let half = [low, high][at / 2];
                    *word = left.word(sides.left, half.iter().map(|k| Coordinates { row, column: *k, ..place }))?;
                }
                let low = right.word(sides.right, low.iter().map(|k| Coordinates { row: *k, ..place }))?;
                let high = right.word(sides.right, high.iter().map(|k| Coordinates { row: *k, ..place }))?;
                steps.push(MmaStep { tile: number, left: words, right: [low, high] });
            }
        }
        Ok(Self { left: left.all, right: right.all, tiles, steps, results })
    }
}

/// Words of an operand, each listed once.
#[derive(Default)]
struct Words {
    all: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, usize>,
}

impl Words {
    fn word(&mut self, held: &Held, places: impl Iterator<Item = Coordinates>) -> Result<usize, String> {
        let registers: Vec<u32> = places.map(|place| held.register(place)).collect::<Result<_, _>>()?;
        let next = self.all.len();
        let number = *self.numbers.entry(registers.clone()).or_insert(next);
        if number == next {
            self.all.push(registers);
        }
        Ok(number)
    }
}

/// How the fragments of the instruction lie in the tensors.
struct Fragment {
    /// From a column of the tile to its right neighbour.
    right_column: u32,
    /// From the first eight rows of the tile to the others; 0 where they are the same rows.
    lower_rows: u32,
}

impl Fragment {
    /// Checks that the lanes lie as the instruction has them: lane 4g + t holds row g of the left operand, column g of the right
    /// one, part t of k, and columns 2t and 2t + 1 of row g of the result.
    fn of(sides: &Sides<'_>) -> Result<Self, String> {
        let (left, right, result) = (&sides.left.lanes, &sides.right.lanes, &sides.result.lanes);
        if [left.len(), right.len(), result.len()] != [5; 3] {
            return Err("a warp has 32 lanes".into());
        }
        let right_column = right[2].column;
        let columns = [right_column, result[0].column, result[1].column];
        let fits = (0..2).all(|bit| {
            let (k, column) = (left[bit].column, result[bit].column);
            left[bit] == Coordinates::column(k)
                && right[bit] == Coordinates::row(k)
                && result[bit] == Coordinates::column(column)
        }) && (2..5).all(|bit| {
            let row = Coordinates::row(result[bit].row);
            left[bit] == row && right[bit] == Coordinates::column(columns[bit - 2]) && result[bit] == row
        });
        if !fits {
            return Err("the lanes do not hold the fragments of `mma.sync`".into());
        }
        let is_below = |place: &&Coordinates| place.row != 0 && **place == Coordinates::row(place.row);
        let lower_rows = sides.result.places.iter().find(is_below).map(|place| place.row);
        // Of eight rows or fewer, both halves are the same.
        let is_repeated = sides.result.size[0] <= 8;
        let lower_rows = lower_rows.or(is_repeated.then_some(0)).ok_or("a thread holds no second row of the result")?;
        Ok(Self { right_column, lower_rows })
    }

    /// The k that a thread holds, in the order of the left operand's registers; with the other lanes, each k once.
    fn depths(&self, sides: &Sides<'_>) -> Result<Vec<u32>, String> {
        let depths =
            sides.left.different(|place| (*place == Coordinates::column(place.column)).then_some(place.column));
        let lanes: Vec<u32> = sides.left.lanes[..2].iter().map(|place| place.column).collect();
        let mut all: Vec<u32> = Vec::with_capacity(4 * depths.len());
        for lane in 0..4 {
            let moved = (0..2).filter(|bit| lane >> bit & 1 == 1).fold(0, |sum, bit| sum ^ lanes[bit]);
            all.extend(depths.iter().map(|k| k ^ moved));
        }
        all.sort_unstable();
        let complete = all.iter().copied().eq(0..sides.depth());
        if complete { Ok(depths) } else { Err("the lanes of a row do not hold each k once".into()) }
    }

    /// The tiles of the result, and tile and place in it of each of its registers.
    fn tiles(&self, result: &Held) -> Result<Tiles, String> {
        let mut tiles = Vec::with_capacity(result.places.len() / 4);
        let mut found: Vec<Option<TilePosition>> = vec![None; result.places.len()];
        for (register, place) in result.places.iter().enumerate() {
            let first = result.register(*place)? as usize;
            if found[first].is_none() {
                let (below, beside) = (Coordinates::row(self.lower_rows), Coordinates::column(self.right_column));
                let steps = [ORIGIN, beside, below, below.plus(beside)];
                let mut tile = [0; 4];
                for (at, step) in steps.into_iter().enumerate() {
                    tile[at] = result.register(place.plus(step))?;
                    found[tile[at] as usize] = Some(TilePosition { tile: tiles.len(), at });
                }
                tiles.push(tile);
            }
            found[register] = found[first];
        }
        let positions: Option<Vec<_>> = found.into_iter().collect();
        Ok(Tiles { tiles, positions: positions.ok_or("a register of the result is in no tile")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tk_layout::Encoding;

    fn held(layout: &str, shape: [i64; 2]) -> Held {
        let encoding = Encoding::parse(layout).unwrap();
        Held::of(&encoding.to_linear(&shape).unwrap(), &shape).unwrap()
    }

    const MMA: &str =
        "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";

    fn operand(index: u32, k_width: u32, shape: [i64; 2]) -> Held {
        held(&format!("#ttg.dot_op<{{opIdx = {index}, parent = {MMA}, kWidth = {k_width}}}>"), shape)
    }

    #[test]
    fn words_and_instructions_are_listed_once() {
        let (left, right, result) = (operand(0, 4, [64, 64]), operand(1, 4, [64, 32]), held(MMA, [64, 32]));
        let sides = Sides { left: &left, right: &right, result: &result };
        let plan = MmaPlan::of(&sides, 2).unwrap();
        // A warp has 2 by 2 tiles and 4 steps along k.
        assert_eq!((plan.tiles.len(), plan.steps.len()), (4, 16));
        assert_eq!((plan.left.len(), plan.right.len()), (2 * 2 * 8, 2 * 8));
        assert!(plan.left.iter().chain(&plan.right).all(|word| word[1] == word[0] + 1), "words are neighbours");
        let mut registers: Vec<u32> = plan.left.concat();
        registers.sort_unstable();
        assert!(registers.into_iter().eq(0..64), "every register is in one word");
    }

    #[test]
    fn fewer_rows_and_columns_than_a_tile_are_repeated() {
        for (m, n) in [(1, 1), (8, 4), (2, 8), (16, 1), (4, 64)] {
            let (left, right, result) = (operand(0, 2, [m, 16]), operand(1, 2, [16, n]), held(MMA, [m, n]));
            let plan = MmaPlan::of(&Sides { left: &left, right: &right, result: &result }, 2).unwrap();
            // Warps are two by two, and those without rows or columns of their own repeat others.
            let tiles = (m as usize).div_ceil(32) * (n as usize).div_ceil(16);
            assert_eq!((plan.tiles.len(), plan.steps.len()), (tiles, tiles), "{m} by {n}");
        }
    }

    #[test]
    fn layouts_that_do_not_fit_are_refused() {
        let (left, right, result) = (operand(0, 2, [64, 64]), operand(1, 2, [64, 32]), held(MMA, [64, 32]));
        let why =
            |left: &Held, right: &Held, result: &Held| MmaPlan::of(&Sides { left, right, result }, 2).err().unwrap();
        assert!(why(&left, &operand(1, 4, [64, 32]), &result).contains("lanes do not hold"));
        assert!(why(&left, &operand(1, 2, [32, 32]), &result).contains("does not give"));
        assert!(why(&right, &left, &result).contains("does not give"));
        let blocked =
            "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>";
        assert!(why(&left, &right, &held(blocked, [64, 32])).contains("lanes do not hold"));
        assert!(FmaPlan::of(&Sides { left: &left, right: &right, result: &result }).is_err());
        // With 16 bits per lane and 8 elements along k, two lanes would hold the same k.
        assert!(why(&operand(0, 4, [64, 8]), &operand(1, 4, [8, 32]), &result).contains("each k once"));
    }
}
