//! An allocator that counts, and handles out of numbers.
#![allow(unsafe_code, reason = "allocators are unsafe, and numbers say nothing of what is behind them")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tk_runtime::{DeviceAddress, DlManagedTensor, DlpackTensor, Gpu, Stream};

static COUNT: AtomicU64 = AtomicU64::new(0);

/// The allocator of the system, counted.
pub(crate) struct Counting;

// SAFETY: every call goes to the allocator of the system as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the rules of this function, which are those of the other.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

/// Allocations of this process so far.
pub(crate) fn allocations() -> u64 {
    COUNT.load(Ordering::Relaxed)
}

/// Nothing is behind the number: the stand-in runs no kernel.
pub(crate) fn address(number: u64) -> DeviceAddress {
    // SAFETY: the stand-in for the driver reads nothing through addresses.
    unsafe { DeviceAddress::from_raw(number) }
}

/// Nothing is behind the number.
pub(crate) fn stream(number: usize) -> Stream {
    // SAFETY: the stand-in for the driver has no streams.
    unsafe { Stream::from_handle(number) }
}

/// A GPU in a context of the program: the stand-in counts contexts from that of the first GPU on.
pub(crate) fn context_of_the_program(ordinal: usize, number: usize) -> Arc<Gpu> {
    let first = Gpu::open(0).expect("the GPU of the stand-in").context_handle();
    // SAFETY: the stand-in takes every handle.
    unsafe { Gpu::from_context(ordinal, first + number) }.expect("a context")
}

/// The tensor that went out, as another library takes it.
pub(crate) fn taken(tensor: NonNull<DlManagedTensor>) -> DlpackTensor {
    // SAFETY: it came from `into_dlpack` and nobody else has taken it.
    unsafe { DlpackTensor::from_raw(tensor) }.expect("a tensor")
}
