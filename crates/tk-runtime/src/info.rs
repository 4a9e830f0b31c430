//! What a device is: the facts `tk doctor` prints and a launch is checked against.

use tk_target::{ComputeCapability, Target, TargetName};

/// Facts of one device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The name its maker gave it.
    pub name: String,
    /// The driver's number for it; `None` for the simulator.
    pub ordinal: Option<usize>,
    /// `None` for the simulator, which runs code of any target.
    pub compute_capability: Option<ComputeCapability>,
    /// Multiprocessors; for the simulator, the cores it runs on.
    pub multiprocessors: u32,
    /// Memory in bytes; 0 when it is not known.
    pub memory_bytes: u64,
    /// Most shared memory of one CTA in bytes.
    pub shared_bytes_per_cta: u32,
    /// 32-bit registers of one multiprocessor.
    pub registers_per_multiprocessor: u32,
    /// L2 cache in bytes.
    pub l2_bytes: u64,
    /// The newest CUDA version that the driver serves, major and minor.
    pub driver_version: Option<(u32, u32)>,
}

impl DeviceInfo {
    /// The target to compile for, such as `sm_90a` for compute capability 9.0.
    /// `None` for the simulator, which runs any target, and for a GPU that tk does not know.
    pub fn target(&self) -> Option<Target> {
        self.compute_capability.and_then(Target::for_device)
    }

    /// Whether PTX text for `target` can run here, which need not be one that tk compiles for. The simulator runs all PTX.
    pub fn runs_ptx_of(&self, target: &str) -> bool {
        let Some(here) = self.compute_capability else { return true };
        TargetName::parse(target).is_some_and(|target| target.ptx_runs_on(here))
    }

    /// Whether machine code for `target` can run here.
    pub fn runs_machine_code_of(&self, target: &str) -> bool {
        let Some(here) = self.compute_capability else { return false };
        TargetName::parse(target).is_some_and(|target| target.machine_code_runs_on(here))
    }
}

impl std::fmt::Display for DeviceInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        if let Some(capability) = self.compute_capability {
            let gib = self.memory_bytes as f64 / f64::from(1 << 30);
            write!(f, ", compute capability {capability}, {} multiprocessors, {gib:.0} GiB", self.multiprocessors)?;
        }
        if let Some((major, minor)) = self.driver_version {
            write!(f, ", driver for CUDA {major}.{minor}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gpu(major: u32, minor: u32) -> DeviceInfo {
        DeviceInfo {
            name: "test".into(),
            ordinal: Some(0),
            compute_capability: Some(ComputeCapability::new(major, minor)),
            multiprocessors: 1,
            memory_bytes: 0,
            shared_bytes_per_cta: 0,
            registers_per_multiprocessor: 0,
            l2_bytes: 0,
            driver_version: None,
        }
    }

    #[test]
    fn targets_follow_the_compute_capability() {
        let name = |info: DeviceInfo| info.target().map(|target| target.to_string());
        assert_eq!(name(gpu(8, 6)).as_deref(), Some("sm_86"));
        assert_eq!(name(gpu(9, 0)).as_deref(), Some("sm_90a"));
        assert_eq!(name(gpu(5, 0)), None);
    }

    #[test]
    fn code_runs_where_its_target_allows() {
        assert!(gpu(9, 0).runs_ptx_of("sm_80") && gpu(9, 0).runs_ptx_of("sm_90a"));
        assert!(!gpu(10, 0).runs_ptx_of("sm_90a") && !gpu(8, 0).runs_ptx_of("sm_90"));
        assert!(gpu(8, 6).runs_machine_code_of("sm_80") && !gpu(9, 0).runs_machine_code_of("sm_80"));
        assert!(!gpu(8, 0).runs_machine_code_of("sm_86") && !gpu(9, 0).runs_machine_code_of("nonsense"));
        let simulator = DeviceInfo { compute_capability: None, ..gpu(0, 0) };
        assert!(simulator.runs_ptx_of("sm_90a") && simulator.target().is_none());
    }
}
