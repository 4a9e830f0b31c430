//! Streams and memory that somebody else made, such as the framework whose tensors a kernel gets.
#![allow(unsafe_code, reason = "a number says nothing of what is behind it")]

/// A stream of the primary context of a GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stream(usize);

impl Stream {
    /// The legacy default stream.
    pub const DEFAULT: Self = Self(0);

    /// The stream with this handle; 0 is the legacy default stream.
    ///
    /// # Safety
    /// The handle is a `CUstream` of the primary context of the GPU that it is used with, and the stream lives while it is used.
    pub unsafe fn from_handle(handle: usize) -> Self {
        Self(handle)
    }

    /// Its handle.
    pub fn handle(self) -> usize {
        self.0
    }
}

/// An address in memory that a GPU can reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceAddress(u64);

impl DeviceAddress {
    /// The address of nothing.
    pub const NULL: Self = Self(0);

    /// The address with this number.
    ///
    /// # Safety
    /// What is done with the address stays inside memory that lives until it is done and that nothing else uses meanwhile: a copy that
    /// is given the address, and a kernel that is launched with it, with the sizes that it is launched with.
    pub unsafe fn from_raw(address: u64) -> Self {
        Self(address)
    }

    /// The number.
    pub fn raw(self) -> u64 {
        self.0
    }

    /// The address so many bytes further.
    ///
    /// # Safety
    /// As for [`Self::from_raw`].
    pub unsafe fn add(self, bytes: u64) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}
