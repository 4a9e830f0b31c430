//! The counters that `-C passes=sancov-module` puts into a program: a byte of each edge, which counts how often it was taken.
#![allow(
    unsafe_code,
    reason = "the counters of edges are a section of the program, whose place it learns from its instrumentation"
)]

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

static START: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Instrumented programs call this when they begin, with the section of their counters.
// SAFETY: the name is the one that the instrumentation calls, and no other function has it.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    START.store(start, Ordering::Relaxed);
    LENGTH.store(stop as usize - start as usize, Ordering::Relaxed);
}

/// Calls `f` with all counters; there are none in a program that was built without them.
pub(crate) fn with<T>(f: impl FnOnce(&mut [u8]) -> T) -> T {
    let (start, length) = (START.load(Ordering::Relaxed), LENGTH.load(Ordering::Relaxed));
    if start.is_null() {
        return f(&mut []);
    }
    // SAFETY: the section lives as long as the program, and this program has one thread, which is here.
    f(unsafe { std::slice::from_raw_parts_mut(start, length) })
}
