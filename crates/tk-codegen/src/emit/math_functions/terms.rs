//! The order in which the terms of an exponential of f64 are summed.
//!
//! By pairs, few operations wait for each other; one term after the other, there are fewer of them, and each takes its coefficient from constant memory.
//! Which of both a launch waits for depends on how many numbers each scheduler has under way.
//!
//! A loop of exponentials with eight warps for each scheduler, two numbers in a thread, runs 1.06 times as fast one term after the other
//! (docs/measurements.md, "Many warps wait for the units of f64"). A recurrence of two to four CTAs is 1.04 times as fast by pairs (there,
//! "Recurrences of doubles wait for chains").

use crate::emit::Settings;
use tk_ir::{Op, Type};
use tk_types::Residency;

/// How the terms of a polynomial are summed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Pairs of terms, and pairs of these (Estrin).
    ByPairs,
    /// One after the other (Horner).
    InTurn,
}

/// Warps that the grid has to bring to a multiprocessor: the fewest of the grids that are told as the measured one is, five for each scheduler.
const MANY_WARPS: u32 = 20;

/// Elements of a thread in the largest block, at most. What has more takes more registers, which keep warps away that the grid would bring.
const FEW_ELEMENTS: i64 = 2;

impl Order {
    /// That of an operation in a kernel.
    pub(super) fn of(settings: &Settings, op: Op<'_>) -> Self {
        let is_for_many =
            least_warps(settings.options.residency, settings.num_warps) >= MANY_WARPS && has_small_blocks(settings, op);
        if is_for_many { Self::InTurn } else { Self::ByPairs }
    }
}

/// Warps that the grid brings to a multiprocessor at least. Grids of more than a few CTAs have not been measured, nor those of which nothing is known.
fn least_warps(residency: Residency, num_warps: u32) -> u32 {
    match residency {
        Residency::AtMost(most) => Residency::brought_by(most).start().saturating_mul(num_warps),
        Residency::Any | Residency::One | Residency::Many => 0,
    }
}

/// No block of the program that `op` is in has more than [`FEW_ELEMENTS`] in a thread.
fn has_small_blocks(settings: &Settings, op: Op<'_>) -> bool {
    let threads = 32 * i64::from(settings.num_warps);
    let is_small = |ty: Type<'_>| !ty.is_tensor() || ty.shape().iter().product::<i64>() <= FEW_ELEMENTS * threads;
    let program = op.ancestors().last().unwrap_or(op);
    program.descendants().iter().all(|op| op.results().iter().all(|result| is_small(result.ty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_bring_warps_at_least() {
        let at_most = |ctas, warps| least_warps(Residency::AtMost(ctas), warps);
        assert_eq!([(8, 4), (4, 4), (16, 1), (2, 16)].map(|(ctas, warps)| at_most(ctas, warps)), [20, 16, 9, 32]);
        let unknown = [Residency::Any, Residency::One, Residency::Many];
        assert_eq!(unknown.map(|residency| least_warps(residency, 32)), [0; 3]);
    }
}
