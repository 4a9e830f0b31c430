//! A kernel that writes outside every buffer. It has a test program of its own because the fault ends the GPU's context
//! for the whole process.

#[allow(dead_code, unreachable_pub, reason = "each test program uses some of them")]
mod kernels;

use tk_launch::{Arg, Device, DeviceChoice};

/// `add` with a null output.
fn overrun(device: &Device) -> tk_diag::Result<()> {
    let kernel = device.load(&kernels::add())?;
    let x = device.upload(&[0; 4000])?;
    let args = [Arg::Buffer(&x, 0), Arg::Buffer(&x, 0), Arg::Null, Arg::I32(1000)];
    kernel.launch([8, 1, 1], &args)?;
    device.synchronise()
}

#[test]
fn an_access_outside_every_buffer_is_reported() {
    let mut devices = Vec::new();
    if std::env::var_os("TK_SKIP_SIM").is_none() {
        devices.push(Device::open(DeviceChoice::Sim).unwrap());
    }
    match Device::open(DeviceChoice::Cuda) {
        Ok(gpu) => devices.push(gpu),
        Err(error) => {
            assert!(std::env::var_os("TK_REQUIRE_GPU").is_none(), "{error}");
            println!("no GPU: cuda tests not run");
        }
    }
    for device in devices {
        let error = overrun(&device).unwrap_err();
        assert_eq!(error.code.slug, "out-of-bounds", "{error}");
        if !device.is_simulator() {
            assert!(error.help.as_ref().is_some_and(|help| help.contains("--device sim")));
        }
    }
}
