//! What a launch did by class of instruction, how many CTAs a multiprocessor holds of it, and how long the parts of an H200 need at least.
//!
//! These are bounds, not estimates: what a part needs when it is never idle and nothing else holds it up. The peaks were measured
//! (`scripts/nvidia/peaks.py`).

use crate::classes::InstructionClass;
use serde::Serialize;
use std::fmt::{Display, Formatter};

/// Name and operations or bytes per second of each part of an H200.
const PEAKS: &str = include_str!("h200_peaks.tsv");
/// Multiprocessors of an H200.
pub(crate) const MULTIPROCESSORS: u32 = 132;

/// What the instructions of a class did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClassCounts {
    /// The class.
    pub class: InstructionClass,
    /// Warp instructions.
    pub warps: u64,
    /// Lanes that took part, of all of them.
    pub lanes: u64,
    /// Operations of arithmetic: an `fma` is two of each lane.
    pub operations: u64,
}

/// How many CTAs of a launch an H200 runs at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OccupancyReport {
    /// CTAs of a multiprocessor.
    pub ctas: u32,
    /// Warps of these.
    pub warps: u32,
    /// Warps that a multiprocessor has room for.
    pub most_warps: u32,
    /// What keeps one more CTA away.
    pub limit: &'static str,
    /// Registers of a thread.
    pub registers: u32,
    /// The kernel says how many; otherwise the number is a guess from what it needs at the same time.
    pub is_register_count_known: bool,
    /// Multiprocessors that have a CTA.
    pub multiprocessors: u32,
}

/// A part of the GPU and how long it needs for its share of a launch at least.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Roof {
    /// The part.
    pub part: &'static str,
    /// Bytes, or operations.
    pub amount: u64,
    /// What the multiprocessors that have CTAs do in a second at most.
    pub per_second: f64,
    /// Amount over that.
    pub seconds: f64,
}

/// What a launch did, and what bounds its time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WorkReport {
    /// By class; those without instructions are left out.
    pub classes: Vec<ClassCounts>,
    /// How many CTAs run at once.
    pub occupancy: OccupancyReport,
    /// Bytes of global memory that the launch touched, each sector of 32 once; none where accesses to global memory are not followed.
    pub memory_bytes: Option<u64>,
    /// Operations of floats, and of integers on tensor cores, for each of these bytes.
    pub intensity: Option<f64>,
    /// The longest first.
    pub roofs: Vec<Roof>,
}

pub(crate) fn peak(name: &str) -> Option<f64> {
    let value = PEAKS.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('\t'))?;
    value.parse().ok()
}

/// The row of the table that bounds a class, and what one of its warp instructions takes of it where that is not its operations: each
/// instruction takes the place of an `fma` of all lanes.
pub(crate) fn bound(class: InstructionClass) -> Option<(&'static str, Option<u64>)> {
    match class {
        InstructionClass::TensorF16 => Some(("wgmma_f16", None)),
        InstructionClass::TensorTf32 => Some(("wgmma_tf32", None)),
        InstructionClass::TensorF8 => Some(("wgmma_e4m3", None)),
        InstructionClass::TensorInteger => Some(("wgmma_s8", None)),
        InstructionClass::F32 => Some(("fma_f32", Some(64))),
        InstructionClass::Half => Some(("fma_f16x2", Some(128))),
        InstructionClass::F64 => Some(("fma_f64", Some(64))),
        InstructionClass::Special => Some(("ex2_f32", Some(32))),
        // Of integers and logic, ptxas folds many into others and moves to a pipe of their own, so PTX does not bound them.
        InstructionClass::TensorF64
        | InstructionClass::Integer
        | InstructionClass::Logic
        | InstructionClass::Conversion
        | InstructionClass::Global
        | InstructionClass::Shared
        | InstructionClass::OtherMemory
        | InstructionClass::Atomic
        | InstructionClass::Copy
        | InstructionClass::Exchange
        | InstructionClass::Barrier
        | InstructionClass::Control => None,
    }
}

/// Whether its operations count for the intensity.
pub(crate) fn is_arithmetic(class: InstructionClass) -> bool {
    !matches!(class, InstructionClass::Integer)
}

impl WorkReport {
    /// Warp instructions of all classes.
    pub fn warp_instructions(&self) -> u64 {
        self.classes.iter().map(|counts| counts.warps).sum()
    }

    /// What one class did.
    pub fn of(&self, class: InstructionClass) -> Option<&ClassCounts> {
        self.classes.iter().find(|counts| counts.class == class)
    }
}

/// A number with three digits and the letter of its thousands.
fn short(value: f64, letters: &[&str]) -> String {
    let (mut value, mut at) = (value, 0);
    while value >= 999.5 && at + 1 < letters.len() {
        (value, at) = (value / 1000.0, at + 1);
    }
    let digits = if value >= 99.95 || value.fract() == 0.0 && at == 0 { 0 } else { 2 - usize::from(value >= 9.995) };
    format!("{value:.digits$}{}", letters[at])
}

fn amount(value: f64) -> String {
    short(value, &["", " k", " M", " G", " T", " P"])
}

fn time(seconds: f64) -> String {
    short(seconds * 1e9, &[" ns", " us", " ms", " s"])
}

impl Display for WorkReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let all = self.warp_instructions();
        if all == 0 {
            return Ok(());
        }
        let mut classes = self.classes.clone();
        classes.sort_by_key(|counts| std::cmp::Reverse(counts.warps));
        let share =
            |counts: &ClassCounts| format!("{} {:.1} %", counts.class.name(), 100.0 * counts.warps as f64 / all as f64);
        let shares: Vec<String> = classes.iter().map(share).collect();
        writeln!(f, "instructions: {all} of warps: {}", shares.join(", "))?;
        let OccupancyReport { ctas, warps, most_warps, limit, registers, multiprocessors, .. } = self.occupancy;
        let guessed = if self.occupancy.is_register_count_known { "" } else { " at least, as the PTX looks" };
        write!(f, "occupancy: {ctas} CTAs and {warps} of {most_warps} warps on a multiprocessor, limited by {limit}")?;
        writeln!(
            f,
            "; {registers} registers a thread{guessed}; {multiprocessors} of {MULTIPROCESSORS} multiprocessors have CTAs"
        )?;
        let roofs: Vec<String> = self.roofs.iter().map(Roof::to_string).collect();
        if !roofs.is_empty() {
            writeln!(f, "at least, on an H200: {}", roofs.join(", "))?;
        }
        let Some((intensity, memory)) = self.intensity.zip(peak("memory_read")) else { return Ok(()) };
        let bytes = amount(self.memory_bytes.unwrap_or(0) as f64);
        write!(f, "intensity: {} operations for each byte", short(intensity, &["", " k", " M"]))?;
        write!(f, " of {bytes}B of memory that the launch touched")?;
        let busiest = self.classes.iter().filter(|c| is_arithmetic(c.class)).max_by_key(|c| c.operations);
        let balance = busiest.and_then(|counts| Some((counts.class, peak(bound(counts.class)?.0)? / memory)));
        match balance {
            Some((class, balance)) => {
                writeln!(f, "; an H200 does {} of {} while it reads one", short(balance, &[""]), class.name())
            }
            None => writeln!(f),
        }
    }
}

impl Display for Roof {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.part, time(self.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_has_a_peak() {
        for class in InstructionClass::ALL {
            assert!(bound(class).is_none_or(|(name, _)| peak(name).is_some_and(|peak| peak > 1e12)), "{class:?}");
        }
        assert_eq!(peak("wgmma_f16"), Some(9.66e14));
        assert_eq!(peak("wgmma"), None);
        for (value, text) in [(3.0, "3"), (0.25, "0.25"), (12.34, "12.3"), (999.9, "1.00 k"), (123_456.0, "123 k")] {
            assert_eq!(amount(value), text);
        }
        assert_eq!(time(1.5e-6), "1.50 us");
    }
}
