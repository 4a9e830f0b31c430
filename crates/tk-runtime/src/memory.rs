//! Memory of a GPU that is freed when it is dropped, for programs that have no library of their own for it.

use crate::{DeviceAddress, Error, Gpu, Result};
use std::sync::Arc;

/// Bytes in the memory of a GPU.
pub struct Memory {
    gpu: Arc<Gpu>,
    address: DeviceAddress,
    bytes: usize,
}

impl Memory {
    pub(crate) fn new(gpu: Arc<Gpu>, address: DeviceAddress, bytes: usize) -> Self {
        Self { gpu, address, bytes }
    }

    /// Where it starts: a multiple of 256.
    pub fn address(&self) -> DeviceAddress {
        self.address
    }

    /// The number of its GPU.
    pub fn ordinal(&self) -> usize {
        self.gpu.info().ordinal.unwrap_or(0)
    }

    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Copies bytes to its beginning. Returns when they are there.
    ///
    /// # Errors
    /// More bytes than it has, and what the driver says.
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        self.check(bytes.len())?;
        if bytes.is_empty() { Ok(()) } else { self.gpu.write(self.address, bytes) }
    }

    /// Copies its first bytes out, after every launch before on the default stream.
    ///
    /// # Errors
    /// More bytes than it has, and what the driver says, faults of kernels included.
    pub fn read(&self, bytes: &mut [u8]) -> Result<()> {
        self.check(bytes.len())?;
        if bytes.is_empty() { Ok(()) } else { self.gpu.read(self.address, bytes) }
    }

    fn check(&self, bytes: usize) -> Result<()> {
        if bytes <= self.bytes { Ok(()) } else { Err(Error::OutsideMemory { bytes, size: self.bytes }) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.gpu.free(self.address);
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({:#x}, {} bytes)", self.address.raw(), self.bytes)
    }
}
