//! Streams that somebody else made, such as the framework whose tensors a kernel gets.
#![allow(unsafe_code, reason = "a handle says nothing of the stream behind it")]

/// A stream of the primary context of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream(usize);

impl Stream {
    /// The stream with this handle; 0 is the legacy default stream.
    ///
    /// # Safety
    /// The handle is a `CUstream` of the primary context of the GPU that it is used with, and the stream lives while it is used.
    pub unsafe fn from_handle(handle: usize) -> Self {
        Self(handle)
    }

    /// Its handle.
    pub(crate) fn handle(self) -> usize {
        self.0
    }
}
