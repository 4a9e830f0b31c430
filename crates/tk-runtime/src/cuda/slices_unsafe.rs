//! Memory and streams of cudarc's safe layer as arguments of launches.
//!
//! A slice is borrowed for a launch on a stream, as cudarc wants it: its events say which work came before and comes after.
#![allow(unsafe_code, reason = "addresses of slices become arguments")]

/// The library itself, in the version that these functions take.
pub use super::driver;
use super::driver::{CudaStream, DevicePtr, DevicePtrMut, SyncOnDrop, sys};
use crate::{DeviceAddress, Element, Pointer, Stream};

/// A slice as long as a launch is queued: drop it after the launch.
#[must_use = "the slice is borrowed until this is dropped, after the launch"]
pub struct Borrowed<'a, T> {
    pointer: Pointer<T>,
    _sync: SyncOnDrop<'a>,
}

impl<T> Borrowed<'_, T> {
    fn new(pointer: sys::CUdeviceptr, sync: SyncOnDrop<'_>) -> Borrowed<'_, T> {
        // SAFETY: the slice is borrowed, and cudarc keeps its memory until the work on its streams is done.
        let address = unsafe { DeviceAddress::from_raw(pointer) };
        Borrowed { pointer: Pointer::new(address), _sync: sync }
    }

    /// Where the elements are.
    pub fn pointer(&self) -> Pointer<T> {
        self.pointer
    }
}

/// A slice that a kernel reads.
pub fn read<'a, T: Element>(slice: &'a impl DevicePtr<T>, stream: &'a CudaStream) -> Borrowed<'a, T> {
    let (pointer, sync) = slice.device_ptr(stream);
    Borrowed::<T>::new(pointer, sync)
}

/// A slice that a kernel writes.
pub fn write<'a, T: Element>(slice: &'a mut impl DevicePtrMut<T>, stream: &'a CudaStream) -> Borrowed<'a, T> {
    let (pointer, sync) = slice.device_ptr_mut(stream);
    Borrowed::<T>::new(pointer, sync)
}

/// A stream of cudarc's, for as long as it lives.
pub fn stream(stream: &CudaStream) -> Stream {
    // SAFETY: cudarc's streams belong to the primary context of their GPU; a launch is queued while this one lives.
    unsafe { Stream::from_handle(stream.cu_stream() as usize) }
}
