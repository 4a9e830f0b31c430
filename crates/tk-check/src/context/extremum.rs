//! The smaller and the greater of two values, and what NaN does to them.

/// Which of two values is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extremum {
    Least,
    Greatest,
}

/// What is taken where one of two floats is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NanRule {
    /// The other one.
    Loses,
    Wins,
}
