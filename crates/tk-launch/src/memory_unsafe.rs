//! Addresses of buffers as those of the runtime, which GPU and simulator share.
#![allow(unsafe_code, reason = "a number says nothing of the memory behind it")]

use tk_runtime::DeviceAddress;

/// The address with this number: of a buffer that the launch or the copy borrows, or of memory that the caller keeps alive
/// ([`crate::Arg::Address`] and [`crate::Device::borrow`] ask for that). The simulator checks every access by itself.
pub(crate) fn address(number: u64) -> DeviceAddress {
    // SAFETY: the callers of this crate hold the buffer for as long as the work takes, as its documentation says above.
    unsafe { DeviceAddress::from_raw(number) }
}
