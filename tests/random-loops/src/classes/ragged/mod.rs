//! Loops whose last iteration is ragged: over a number of elements that the launch gives, which is no multiple of a block, none, or less than a block.
//! The tensors end where the elements end, so that a load too much is an error, and results hold other numbers before, so that a store too much is seen.

mod elements;
mod products;

use super::draft::Draft;
use crate::draw::Choose;
use rand::Rng;
use tk_cases::draw::Random;

pub(super) fn program(random: &mut Random) -> Draft<'_> {
    if random.chance(0.6) { products::program(random) } else { elements::program(random) }
}

/// A number of elements near a multiple of a block, or any other of a few blocks; none, perhaps.
fn length(random: &mut Random, block: i64) -> i64 {
    let any = random.random_range(0..=5 * block);
    random.pick(&[-5, 0, 0, 1, block - 1, block, block + 1, 2 * block, 3 * block - 1, 4 * block + 7, any, any, any])
}
