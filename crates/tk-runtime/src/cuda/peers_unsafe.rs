//! Memory of several GPUs: how much of it is free, and copies from one to another.
#![allow(unsafe_code, reason = "the CUDA driver is a C library")]

use super::driver::sys;
use super::{Gpu, check};
use crate::{DeviceAddress, Result};

impl Gpu {
    /// Bytes of the GPU's memory that nobody uses, other programs included.
    ///
    /// # Errors
    /// What the driver says.
    pub fn free_bytes(&self) -> Result<u64> {
        let _current = self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the context is current, and both numbers outlive the call.
        check("ask for free memory", unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) })?;
        Ok(free as u64)
    }

    /// Copies memory of another GPU to this one, after everything that is queued there, and waits for it. The driver copies through the
    /// host where no link connects the two. The caller keeps both ranges inside allocations.
    ///
    /// # Errors
    /// What the driver says; faults of earlier launches on the other GPU.
    pub fn copy_from(&self, other: &Self, from: DeviceAddress, to: DeviceAddress, bytes: usize) -> Result<()> {
        other.synchronise()?;
        let _current = self.enter()?;
        // SAFETY: both contexts live as long as their `Gpu`; the driver checks both ranges against its allocations.
        check("copy between GPUs", unsafe {
            sys::cuMemcpyPeer(to.raw(), self.context, from.raw(), other.context, bytes)
        })?;
        // SAFETY: the context is current.
        check("copy between GPUs", unsafe { sys::cuCtxSynchronize() })
    }
}
