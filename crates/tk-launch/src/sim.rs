//! The simulator as a device.

use crate::info::DeviceInfo;
use std::collections::BTreeMap;
use std::sync::Mutex;
use tk_diag::{Diagnostic, Result, UNSUPPORTED};
use tk_types::KernelImage;

/// What the simulator counted.
#[derive(Debug)]
pub struct SimReport;

#[derive(Default)]
pub(crate) struct SimDevice {
    memory: Mutex<(u64, BTreeMap<u64, Vec<u8>>)>,
}

pub(crate) struct SimKernel;

impl SimKernel {
    pub(crate) fn load(_image: &KernelImage) -> Result<Self> {
        Ok(Self)
    }
}

impl SimDevice {
    pub(crate) fn info(&self) -> DeviceInfo {
        DeviceInfo {
            name: "tk simulator".into(),
            ordinal: None,
            compute_capability: None,
            multiprocessors: std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
            memory_bytes: 0,
            shared_bytes_per_cta: 227 << 10,
            registers_per_multiprocessor: 64 << 10,
            l2_bytes: 0,
            driver_version: None,
        }
    }
    pub(crate) fn shared_bytes_per_cta(&self, _target: &str) -> u32 {
        227 << 10
    }
    pub(crate) fn allocate(&self, bytes: usize) -> Result<u64> {
        let mut memory = self.memory.lock().unwrap();
        memory.0 += 1 << 32;
        let address = memory.0;
        memory.1.insert(address, vec![0; bytes]);
        Ok(address)
    }
    pub(crate) fn free(&self, address: u64) {
        self.memory.lock().unwrap().1.remove(&address);
    }
    pub(crate) fn write(&self, _address: u64, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }
    pub(crate) fn read(&self, _address: u64, _bytes: &mut [u8]) -> Result<()> {
        Ok(())
    }
    pub(crate) fn launch(&self, _: &SimKernel, _: &KernelImage, _: [u32; 3], _: &[u64]) -> Result<SimReport> {
        Err(Diagnostic::error(UNSUPPORTED, "the simulator is not here yet").boxed())
    }
}
