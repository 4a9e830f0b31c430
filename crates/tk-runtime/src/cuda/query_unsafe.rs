//! What GPUs there are.
#![allow(unsafe_code, reason = "the CUDA driver is a C library")]

use super::check;
use super::driver::sys::{self, CUdevice_attribute as Attribute};
use crate::{DeviceInfo, Error, Fault, Result};
use std::ffi::CStr;
use std::sync::OnceLock;
use tk_target::ComputeCapability;

/// Facts of every GPU the driver shows, or why there is none.
///
/// # Errors
/// No driver, or no GPU.
pub fn list_gpus() -> Result<Vec<DeviceInfo>> {
    let count = device_count()?;
    (0..count).map(|ordinal| query(ordinal).map(|(_, info)| info)).collect()
}

/// Opens the driver once per process and counts its GPUs.
pub(super) fn device_count() -> Result<usize> {
    static DRIVER: OnceLock<Result<()>> = OnceLock::new();
    let opened = DRIVER.get_or_init(|| {
        #[cfg(not(feature = "linked"))]
        // SAFETY: opening the driver's library runs its initialisers, which is what every CUDA program does.
        if !unsafe { sys::is_culib_present() } {
            let reason = "there is no CUDA driver on this machine (libcuda.so.1 was not found)";
            return Err(Error::NoDriver(reason.to_string()));
        }
        // SAFETY: the library is present; 0 is the only flag value the driver defines.
        let status = unsafe { sys::cuInit(0) };
        check("start the driver", status).map_err(|error| Error::NoDriver(error.to_string()))
    });
    opened.clone()?;
    let mut count = 0;
    // SAFETY: the driver is initialised and `count` outlives the call.
    check("count the GPUs", unsafe { sys::cuDeviceGetCount(&mut count) })?;
    match usize::try_from(count) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(Error::Driver { doing: "count the GPUs", fault: Fault::NoDevice }),
    }
}

/// Facts of one GPU. The driver is initialised and `ordinal` is below its count.
pub(super) fn query(ordinal: usize) -> Result<(sys::CUdevice, DeviceInfo)> {
    let (mut device, mut memory, mut version, mut name) = (0, 0usize, 0, [0 as std::ffi::c_char; 256]);
    // SAFETY: every pointer is to a live local of the type the call wants, and the name buffer's length is passed on.
    unsafe {
        check("find the GPU", sys::cuDeviceGet(&mut device, ordinal as i32))?;
        check("name the GPU", sys::cuDeviceGetName(name.as_mut_ptr(), name.len() as i32, device))?;
        check("measure the GPU", sys::cuDeviceTotalMem_v2(&mut memory, device))?;
        check("ask the driver", sys::cuDriverGetVersion(&mut version))?;
    }
    let ask = |attribute: Attribute| -> Result<u32> {
        let mut value = 0;
        // SAFETY: `device` is one of the driver's devices and `value` outlives the call.
        check("ask about the GPU", unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, device) })?;
        Ok(u32::try_from(value).unwrap_or(0))
    };
    // SAFETY: the driver ends the name with a zero byte inside the buffer.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
    let info = DeviceInfo {
        name,
        ordinal: Some(ordinal),
        compute_capability: Some(ComputeCapability {
            major: ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            minor: ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        }),
        multiprocessors: ask(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        memory_bytes: memory as u64,
        shared_bytes_per_cta: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        registers_per_multiprocessor: ask(Attribute::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR)?,
        l2_bytes: u64::from(ask(Attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?),
        driver_version: u32::try_from(version).ok().map(|version| (version / 1000, version % 1000 / 10)),
    };
    Ok((device, info))
}
