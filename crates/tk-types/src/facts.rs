//! What is known of the value of a run-time argument besides its type.

use serde::{Deserialize, Serialize};

/// What a launch promises of an argument's value, and a kernel may be compiled for.
///
/// In a signature the facts are the number behind a type: `:16` is a multiple of 16; for numbers, `:32` to `:1024` is a positive multiple
/// of that power of two. [`Self::from_suffix`] is the only place that knows so; everywhere else the fields stand for themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Facts {
    /// A number that divides the value, or the address; 1 when nothing is known. Those of signatures are powers of two.
    pub multiple_of: u32,
    /// The value is a number above zero.
    pub is_positive: bool,
}

/// The multiple that launches look for in every integer and address, as Triton does.
pub const USUAL_MULTIPLE: u32 = 16;

/// The largest multiple that a signature can tell of.
pub const MOST_MULTIPLE: u32 = 1024;

impl Facts {
    /// Nothing is known.
    pub const NONE: Self = Self { multiple_of: 1, is_positive: false };

    /// A multiple of [`USUAL_MULTIPLE`], of any sign.
    pub const USUAL: Self = Self { multiple_of: USUAL_MULTIPLE, is_positive: false };

    /// A positive number that is a multiple of a power of two above [`USUAL_MULTIPLE`] and up to [`MOST_MULTIPLE`]; `None` for others,
    /// of which no signature tells.
    pub fn positive_multiple(of: u32) -> Option<Self> {
        let is_told = of.is_power_of_two() && of > USUAL_MULTIPLE && of <= MOST_MULTIPLE;
        is_told.then_some(Self { multiple_of: of, is_positive: true })
    }

    /// What the number behind a type says; for a number from 32 on also that it is positive. `None` for what may not stand there.
    pub fn from_suffix(suffix: u32, is_number: bool) -> Option<Self> {
        match suffix {
            USUAL_MULTIPLE => Some(Self::USUAL),
            _ => Self::positive_multiple(suffix).map(|facts| Self { is_positive: is_number, ..facts }),
        }
    }

    /// Whether a value is as the facts say.
    pub fn hold_of(self, value: i128) -> bool {
        value % i128::from(self.multiple_of) == 0 && (value > 0 || !self.is_positive)
    }
}

impl Default for Facts {
    fn default() -> Self {
        Self::NONE
    }
}

impl std::fmt::Display for Facts {
    /// `a positive multiple of 64`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a {}multiple of {}", if self.is_positive { "positive " } else { "" }, self.multiple_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_above_16_says_that_a_number_is_positive() {
        for (suffix, is_number, is_positive) in
            [(16, true, false), (32, true, true), (1024, true, true), (64, false, false)]
        {
            let facts = Facts { multiple_of: suffix, is_positive };
            assert_eq!(Facts::from_suffix(suffix, is_number), Some(facts), "{suffix}");
        }
        for suffix in [0, 1, 8, 24, 48, 2048] {
            assert_eq!(Facts::from_suffix(suffix, true), None, "{suffix}");
        }
        assert_eq!(Facts::positive_multiple(16), None);
    }

    #[test]
    fn facts_hold_of_the_values_that_they_promise() {
        let positive = Facts::positive_multiple(64).unwrap();
        assert!(positive.hold_of(128) && !positive.hold_of(0) && !positive.hold_of(-64) && !positive.hold_of(96));
        assert!(Facts::USUAL.hold_of(0) && Facts::USUAL.hold_of(-16) && !Facts::USUAL.hold_of(8));
        assert_eq!(format!("{positive}, {}", Facts::USUAL), "a positive multiple of 64, a multiple of 16");
    }
}
