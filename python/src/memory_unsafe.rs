//! Memory and streams that Python objects own: read, written and named by their addresses.
#![allow(unsafe_code, reason = "an address says nothing of the memory behind it")]

use tk_launch::Stream;

/// A range of host memory that a Python object told of.
///
/// The object says address and length by a protocol that exists to hand out memory (`__array_interface__`, `data_ptr`), and the caller
/// of a launch holds a reference to it while the launch runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct HostRange {
    /// Of the first byte.
    pub(crate) address: usize,
    /// How many bytes there are.
    pub(crate) bytes: usize,
}

impl HostRange {
    /// The bytes.
    pub(crate) fn read(self) -> Vec<u8> {
        if self.bytes == 0 || self.address == 0 {
            return Vec::new();
        }
        // SAFETY: the owner of the memory said that so many bytes are there, and it lives while the launch does; they are copied at once.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.bytes) }.to_vec()
    }

    /// Writes the bytes that differ; those that are equal may belong to read-only memory.
    pub(crate) fn write_changes(self, before: &[u8], after: &[u8]) {
        if self.address == 0 || before.len() != self.bytes || after.len() != self.bytes {
            return;
        }
        for (at, (old, new)) in before.iter().zip(after).enumerate() {
            if old != new {
                // SAFETY: `at` is below the length that the owner told, and the owner lives while the launch does. A kernel stores to
                // the tensors that it is given, so whoever passed one passed it to be written.
                unsafe { ((self.address + at) as *mut u8).write(*new) };
            }
        }
    }
}

/// The stream with the handle that the framework told.
pub(crate) fn stream(handle: usize) -> Stream {
    // SAFETY: the handle comes from torch, for the device that it was asked for, whose streams are those of the primary context and are
    // never destroyed; 0 is the default stream.
    unsafe { Stream::from_handle(handle) }
}
