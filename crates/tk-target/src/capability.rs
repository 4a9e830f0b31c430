//! Compute capabilities and names of targets, also of GPUs that tk does not compile for: PTX that others wrote runs on them too.

use std::fmt;

/// The version of a GPU's instruction set, as NVIDIA numbers it; a newer one has every portable feature of the older ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComputeCapability {
    /// The generation: 9 of Hopper.
    pub major: u32,
    /// The chip of the generation.
    pub minor: u32,
}

impl ComputeCapability {
    /// Gaming GPUs of Ampere, and Orin.
    pub(crate) const AMPERE_86: Self = Self::new(8, 6);
    pub(crate) const ADA: Self = Self::new(8, 9);
    pub(crate) const HOPPER: Self = Self::new(9, 0);

    /// `major.minor`.
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }

    /// Ten times major plus minor, as targets spell it: 90 of 9.0.
    pub fn number(self) -> u32 {
        self.major.saturating_mul(10).saturating_add(self.minor)
    }

    /// The capability with this number.
    pub fn of_number(number: u32) -> Self {
        Self::new(number / 10, number % 10)
    }
}

impl fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Which features of a GPU code may use, and so which GPUs it runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Features {
    /// Those that every later GPU has too (`sm_90`).
    Portable,
    /// All of exactly this one (`sm_90a`).
    ArchitectureSpecific,
}

/// What code is compiled for, by name: `sm_90`, `sm_90a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TargetName {
    /// The instruction set.
    pub capability: ComputeCapability,
    /// Which of its features.
    pub features: Features,
}

impl TargetName {
    /// Reads `sm_90` and `sm_90a`, of any GPU.
    pub fn parse(text: &str) -> Option<Self> {
        let number = text.strip_prefix("sm_")?;
        let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let features = if digits.len() < number.len() { Features::ArchitectureSpecific } else { Features::Portable };
        Some(Self { capability: ComputeCapability::of_number(digits.parse().ok()?), features })
    }

    /// Whether PTX for this target runs on a GPU: on exactly its own with architecture-specific features, else on newer ones too.
    pub fn ptx_runs_on(self, gpu: ComputeCapability) -> bool {
        match self.features {
            Features::Portable => gpu >= self.capability,
            Features::ArchitectureSpecific => gpu == self.capability,
        }
    }

    /// Whether machine code for this target runs on a GPU: as PTX, but only within its generation.
    pub fn machine_code_runs_on(self, gpu: ComputeCapability) -> bool {
        gpu.major == self.capability.major && self.ptx_runs_on(gpu)
    }
}

impl fmt::Display for TargetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.features {
            Features::Portable => "",
            Features::ArchitectureSpecific => "a",
        };
        write!(f, "sm_{}{suffix}", self.capability.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn gpu(major: u32, minor: u32) -> ComputeCapability {
        ComputeCapability::new(major, minor)
    }

    #[test]
    fn names_of_any_gpu_are_read() {
        for text in ["sm_52", "sm_80", "sm_90", "sm_90a", "sm_103a", "sm_120"] {
            assert_eq!(TargetName::parse(text).map(|name| name.to_string()).as_deref(), Some(text));
        }
        assert_eq!(TargetName::parse("sm_103a").map(|name| name.capability), Some(gpu(10, 3)));
        for text in ["", "sm_", "sm_a", "90", "cuda:90", "sm_99999999999"] {
            assert_eq!(TargetName::parse(text), None, "{text}");
        }
    }

    #[test]
    fn code_runs_where_its_target_allows() {
        let ptx = |name: &str, on| TargetName::parse(name).is_some_and(|name| name.ptx_runs_on(on));
        let machine_code = |name: &str, on| TargetName::parse(name).is_some_and(|name| name.machine_code_runs_on(on));
        assert!(ptx("sm_80", gpu(9, 0)) && ptx("sm_90a", gpu(9, 0)) && ptx("sm_70", gpu(12, 0)));
        assert!(!ptx("sm_90a", gpu(10, 0)) && !ptx("sm_90", gpu(8, 0)) && !ptx("sm_90a", gpu(8, 9)));
        assert!(machine_code("sm_80", gpu(8, 6)) && machine_code("sm_90a", gpu(9, 0)));
        assert!(!machine_code("sm_80", gpu(9, 0)) && !machine_code("sm_86", gpu(8, 0)));
        assert!(!machine_code("sm_100a", gpu(10, 3)));
    }

    #[test]
    fn capabilities_are_ordered_by_generation_first() {
        assert!(gpu(8, 9) < gpu(9, 0) && gpu(9, 0) < gpu(10, 0) && gpu(10, 3) < gpu(12, 0));
        assert_eq!((gpu(12, 1).number(), ComputeCapability::of_number(121)), (121, gpu(12, 1)));
    }
}
