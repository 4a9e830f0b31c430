//! CTAs that grids of many bring to a multiprocessor.

use crate::Residency;
use serde::{Deserialize, Serialize};
use std::num::NonZero;

/// How many CTAs a grid brings to each multiprocessor that brings more than [`Residency`] tells apart, and still so few that these come in two or three turns.
///
/// Nothing depends on it but how many CTAs code without loops shares a multiprocessor with, so this is no step of [`Residency`]: for all else such a grid
/// brings many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Brought {
    /// Residency says it, or nothing is known, or these come in many turns.
    #[default]
    Other,
    /// This number, or up to three fewer.
    UpTo(NonZero<u32>),
}

impl Brought {
    /// Grids are told apart by so many CTAs: those of the last turn may be fewer by that.
    pub const STEP: u32 = 4;
    /// CTAs of a multiprocessor up to which they are told apart.
    pub const MOST: u32 = 32;

    /// That of a launch with so many CTAs on a GPU with so many multiprocessors.
    pub fn of_grid(ctas: u64, multiprocessors: u32) -> Self {
        Self::of_grids(ctas, ctas, multiprocessors)
    }

    /// That of launches with at least and at most so many CTAs.
    pub fn of_grids(least: u64, most: u64, multiprocessors: u32) -> Self {
        let told_as = |ctas: u64| {
            let each = ctas.div_ceil(u64::from(multiprocessors.max(1)));
            let is_told = Residency::MOST_TOLD_APART < each && each <= u64::from(Self::MOST);
            // A number above the most is not told, and not rounded.
            is_told.then(|| NonZero::new((each as u32).next_multiple_of(Self::STEP))).flatten()
        };
        match (told_as(least), told_as(most)) {
            (Some(least), Some(most)) if least == most => Self::UpTo(most),
            _ => Self::Other,
        }
    }

    /// CTAs that the grid brings to a multiprocessor at most.
    pub fn at_most(self) -> Option<u32> {
        match self {
            Self::Other => None,
            Self::UpTo(ctas) => Some(ctas.get()),
        }
    }

    /// CTAs that each such grid brings to the multiprocessor that has most.
    pub fn at_least(self) -> Option<u32> {
        self.at_most().map(|most| most.saturating_sub(Self::STEP) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_of_two_turns_are_told_apart() {
        let of_grid = |each: u64| Brought::of_grid(each * 132, 132).at_most();
        assert_eq!([17, 20, 21, 27, 28, 29, 32].map(of_grid), [20, 20, 24, 28, 28, 32, 32].map(Some));
        assert_eq!([0, 1, 16, 33, 1 << 40].map(of_grid), [None; 5]);
        assert_eq!(Brought::of_grid(16 * 132 + 1, 132).at_most(), Some(20));
        assert_eq!(
            [17, 20, 21, 32].map(|each| Brought::of_grid(each * 132, 132).at_least()),
            [17, 17, 21, 29].map(Some)
        );
        assert_eq!(Brought::of_grid(u64::MAX, 0), Brought::Other);
        let of_grids = |least, most| Brought::of_grids(least, most, 132).at_most();
        assert_eq!(of_grids(25 * 132, 28 * 132), Some(28));
        assert_eq!([of_grids(24 * 132, 28 * 132), of_grids(1, 28 * 132), of_grids(28 * 132, u64::MAX)], [None; 3]);
    }
}
