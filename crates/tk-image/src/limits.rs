//! What a kernel was compiled for besides the facts of its parameters: ranges of numbers and of the grid.

use serde::{Deserialize, Serialize};

/// Ranges that hold of every launch of a kernel. Each includes its ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchLimits {
    /// Those of integers, in the order of the parameters.
    pub numbers: Vec<NumberLimit>,
    /// Those of the grid, by axis; nothing where the kernel runs with any.
    pub grid: [Option<GridLimit>; 3],
}

/// The range of one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberLimit {
    /// The number of the parameter.
    pub param: u32,
    /// The least value.
    pub low: i128,
    /// The greatest value.
    pub high: i128,
}

/// How many programs there are along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridLimit {
    /// The most programs.
    pub high: u32,
}

impl LaunchLimits {
    /// Whether a grid is one that the kernel was compiled for. An empty one always is.
    pub fn hold_of_grid(&self, grid: [u32; 3]) -> bool {
        grid.contains(&0)
            || grid.iter().zip(&self.grid).all(|(size, limit)| limit.is_none_or(|limit| *size <= limit.high))
    }

    /// The range of a parameter, where it has one.
    pub fn of(&self, param: usize) -> Option<NumberLimit> {
        self.numbers.iter().find(|limit| limit.param as usize == param).copied()
    }
}
