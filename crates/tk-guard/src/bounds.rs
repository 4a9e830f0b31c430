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
    /// Where the ranges come from, which completes “… is 0 to 7 …”: `in this launch`, `as assumed`.
    pub source: &'static str,
}

/// The largest size along each axis that a launch can have.
const MAX_GRID: [i128; 3] = [i32::MAX as i128, 65_535, 65_535];

/// What sizes, strides and indices are taken to reach when nothing is known: a long vocabulary, a long sequence.
const ASSUMED_MOST: i128 = 1 << 17;

impl Bounds {
    /// Nothing is known: every integer may be anything its type holds.
    pub fn any() -> Self {
        Self {
            args: Vec::new(),
            grid: MAX_GRID.map(|most| Interval::new(1, most)),
            others: None,
            source: "by its type",
        }
    }

    /// Sizes as real programs have them: arguments and program ids from 0 to 131072.
    pub fn assumed() -> Self {
        Self {
            args: Vec::new(),
            grid: MAX_GRID.map(|most| Interval::new(1, most.min(ASSUMED_MOST))),
            others: Some(Interval::new(0, ASSUMED_MOST)),
            source: "as assumed",
        }
    }

    /// The most CTAs of a launch.
    pub fn most_ctas(&self) -> u64 {
        let most = self.grid.iter().map(|size| size.high.max(1)).fold(1, i128::saturating_mul);
        u64::try_from(most).unwrap_or(u64::MAX)
    }

    /// The range of an argument of this type.
    pub(crate) fn argument(&self, name: &str, scalar: ScalarType) -> Interval {
        match self.args.iter().find(|(known, _)| known == name) {
            Some((_, range)) => of_type(scalar).meet(*range),
            None => self.unknown(scalar),
        }
    }

    /// The range of an integer of this type that nothing bounds.
    pub(crate) fn unknown(&self, scalar: ScalarType) -> Interval {
        let all = of_type(scalar);
        self.others.map_or(all, |others| all.meet(others))
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
