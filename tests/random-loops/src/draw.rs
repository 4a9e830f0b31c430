//! Chance: choices with and without weights.

use rand::Rng;
use rand::seq::IndexedRandom;
use tk_cases::draw::Random;

/// Choices of a generator.
pub(crate) trait Choose {
    /// True in this share of all cases.
    fn chance(&mut self, share: f64) -> bool;
    /// One of several.
    fn pick<T: Clone>(&mut self, choices: &[T]) -> T;
    /// One of several, more often those with more weight.
    fn weighted<T: Clone>(&mut self, choices: &[(T, f64)]) -> T;
}

impl Choose for Random {
    fn chance(&mut self, share: f64) -> bool {
        self.random_bool(share)
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices.choose(self).expect("there is something to choose from").clone()
    }

    fn weighted<T: Clone>(&mut self, choices: &[(T, f64)]) -> T {
        let chosen = choices.choose_weighted(self, |(_, weight)| *weight);
        chosen.expect("there is something to choose from, and weights are positive").0.clone()
    }
}
