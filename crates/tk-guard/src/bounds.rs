//! What is assumed about a launch: how large the grid and the integer arguments can be.

use crate::Interval;
use tk_types::ScalarType;

/// Ranges of what a kernel is given at run time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// Integer arguments by parameter name. Others have `others`.
    pub args: Vec<(String, Interval)>,
    /// The sizes of the grid along each axis.
    pub grid: [Interval; 3],
    /// Integers that nothing else bounds, arguments and loaded values; their whole type when `None`.
    pub others: Option<Interval>,
    /// What is made of sizes that are not known.
    pub unknown_sizes: UnknownSizes,
    /// Where the ranges come from, which completes “… is 0 to 7 …”: `in this launch`, `as assumed`.
    pub source: &'static str,
}

/// What is made of sizes that are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnknownSizes {
    /// They can be anything that the bounds allow, and what is computed from them anything that follows.
    Possible,
    /// They are as real programs have them, and what is computed from them is a size or an index again ([`Grounds`]).
    Realistic,
}

/// What a range rests on, from the surest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grounds {
    /// The program, the launch or `--bound`.
    Known,
    /// It is a size or a stride, or computed from some: the rows and columns of matrices, heads, sequences.
    Size,
    /// It says which row, program or element: also what is loaded, and what is computed from one.
    Index,
    /// It is the size of a vocabulary, or computed from one.
    Vocabulary,
}

impl Grounds {
    /// The most that a value with these grounds is taken to reach. A row times a stride stays below 2^31: a matrix of that many
    /// elements is not what people mean with most kernels. A row of a vocabulary is longer.
    pub(crate) fn most(self) -> Option<i128> {
        match self {
            Self::Known => None,
            Self::Size => Some(1 << 15),
            Self::Index => Some((1 << 16) - 1),
            Self::Vocabulary => Some(1 << 17),
        }
    }

    /// The part of a range that is realistic.
    pub(crate) fn realistic(self, range: Interval) -> Interval {
        self.most().map_or(range, |most| range.meet(Interval::new(-most, most)))
    }
}

/// The largest size along each axis that a launch can have.
const MAX_GRID: [i128; 3] = [i32::MAX as i128, 65_535, 65_535];

/// Programs along an axis when nothing is known.
const ASSUMED_GRID: i128 = 1 << 16;

impl Bounds {
    /// Nothing is known: every integer may be anything its type holds.
    pub fn any() -> Self {
        Self {
            args: Vec::new(),
            grid: MAX_GRID.map(|most| Interval::new(1, most)),
            others: None,
            unknown_sizes: UnknownSizes::Possible,
            source: "by its type",
        }
    }

    /// Sizes as real programs have them: arguments from 0 to 32768, vocabularies to 131072, rows and programs to 65536.
    pub fn assumed() -> Self {
        Self {
            args: Vec::new(),
            grid: MAX_GRID.map(|most| Interval::new(1, most.min(ASSUMED_GRID))),
            others: None,
            unknown_sizes: UnknownSizes::Realistic,
            source: "as assumed",
        }
    }

    /// The most CTAs of a launch.
    pub fn most_ctas(&self) -> u64 {
        let most = self.grid.iter().map(|size| size.high.max(1)).fold(1, i128::saturating_mul);
        u64::try_from(most).unwrap_or(u64::MAX)
    }

    /// The fewest CTAs of a launch.
    pub fn least_ctas(&self) -> u64 {
        let least = self.grid.iter().map(|size| size.low.max(1)).fold(1, i128::saturating_mul);
        u64::try_from(least).unwrap_or(u64::MAX)
    }

    /// How many programs every launch has along the first axis, where that is one number.
    pub fn programs(&self) -> Option<u64> {
        let size = self.grid[0];
        u64::try_from(size.low).ok().filter(|_| size.low == size.high)
    }

    /// The range that is known of an argument.
    pub(crate) fn known(&self, name: &str) -> Option<Interval> {
        self.args.iter().find(|(known, _)| known == name).map(|(_, range)| *range)
    }

    /// Whether the size of the grid along an axis is known.
    pub(crate) fn is_known_grid(&self, axis: usize) -> bool {
        let is_realistic = self.unknown_sizes == UnknownSizes::Realistic;
        !is_realistic || self.grid[axis] != Interval::new(1, MAX_GRID[axis].min(ASSUMED_GRID))
    }

    /// The range of an integer of this type that nothing bounds, and what it rests on.
    pub(crate) fn unknown(&self, scalar: ScalarType, grounds: Grounds) -> Interval {
        let all = of_type(scalar);
        let most = grounds.most().filter(|_| self.unknown_sizes == UnknownSizes::Realistic);
        let realistic = most.map(|most| Interval::new(0, most));
        self.others.or(realistic).map_or(all, |others| all.meet(others))
    }

    /// Ranges that hold these too and change with fewer launches: each bound is rounded up to a power of two.
    pub fn rounded(&self) -> Self {
        let round = |range: Interval| {
            let up = |value: i128| value.unsigned_abs().next_power_of_two() as i128;
            let low = if range.low < 0 { -up(range.low) } else { 0 };
            Interval::new(low, if range.high > 0 { up(range.high) } else { 0 })
        };
        let args = self.args.iter().map(|(name, range)| (name.clone(), round(*range))).collect();
        Self { args, grid: self.grid.map(|size| Interval::new(1, round(size).high.max(1))), ..self.clone() }
    }
}

/// Every value of an integer type.
pub(crate) fn of_type(scalar: ScalarType) -> Interval {
    let bits = scalar.bits().min(64);
    if scalar == ScalarType::I1 {
        Interval::new(0, 1)
    } else if scalar.is_signed_int() {
        Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else if scalar.is_unsigned_int() {
        Interval::new(0, (1 << bits) - 1)
    } else {
        Interval::new(i64::MIN.into(), i64::MAX.into())
    }
}
