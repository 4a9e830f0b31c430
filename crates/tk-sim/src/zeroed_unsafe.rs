//! Atomics that are all zero, in memory that the operating system gives as zero when it is first touched.
#![allow(unsafe_code, reason = "the standard library makes such memory of plain integers only")]

use std::sync::atomic::{AtomicU8, AtomicU32};

/// So many words.
pub(crate) fn words(count: usize) -> Box<[AtomicU32]> {
    const { assert!(align_of::<AtomicU32>() == align_of::<u32>()) };
    let plain = Box::into_raw(vec![0u32; count].into_boxed_slice());
    // SAFETY: the pointer is that of a box given up one line before, and an AtomicU32 has the size, the bits and (asserted) the alignment
    // of a u32.
    unsafe { Box::from_raw(plain as *mut [AtomicU32]) }
}

/// So many bytes.
pub(crate) fn bytes(count: usize) -> Box<[AtomicU8]> {
    let plain = Box::into_raw(vec![0u8; count].into_boxed_slice());
    // SAFETY: the pointer is that of a box given up one line before, and an AtomicU8 has the size, the bits and the alignment of a u8.
    unsafe { Box::from_raw(plain as *mut [AtomicU8]) }
}
