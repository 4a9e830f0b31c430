//! Prints how fast the simulator runs: seconds and lane operations per second of matrix products, on one core.
//!
//! `cargo run --release -p tk-sim --example throughput [size [mma | fma | wgmma]]`

use std::time::Instant;
use tk_diag::{Result, SourceFile};
use tk_sim::{Arg, DeviceMemory, LaunchConfig, Program, TensorElement, TensorMap, encode_tensor_map, launch};

fn main() -> Result<()> {
    let size: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(256);
    let only = std::env::args().nth(2);
    let wanted = |name: &str| only.as_ref().is_none_or(|only| only == name);
    if wanted("mma") {
        measure("f16 through mma.sync", include_str!("../tests/data/matmul_f16.ptx"), size, 2)?;
    }
    if wanted("fma") {
        measure("f32 through fma", include_str!("../tests/data/matmul_ieee.ptx"), size, 4)?;
    }
    if wanted("wgmma") && size.is_multiple_of(256) {
        tensor_maps("f16 through wgmma", include_str!("../tests/data/matmul_kernel_tma.ptx"), size)?;
    }
    Ok(())
}

/// Multiplies two square matrices of ones by tensor maps and wgmma.
fn tensor_maps(name: &str, ptx: &str, size: usize) -> Result<()> {
    let module = tk_ptx::parse(&SourceFile::new(name, ptx))?;
    let program = Program::compile(&module, "matmul_kernel_tma")?;
    let mut memory = DeviceMemory::new();
    let buffers = [0; 3].map(|_| memory.allocate((size * size * 2) as u64));
    for buffer in &buffers[..2] {
        memory.write(*buffer, &[0x00, 0x3C].repeat(size * size))?;
    }
    let mut args: Vec<Arg> = Vec::new();
    for (buffer, rows) in buffers.iter().zip([128, 256, 128]) {
        let map = TensorMap {
            address: buffer.address(),
            element: TensorElement::F16,
            sizes: vec![size as u32; 2],
            strides: vec![2 * size as u64],
            block: vec![64, rows],
            element_strides: vec![1; 2],
            swizzle_bytes: 128,
            fill_nan: false,
        };
        args.push(Arg(encode_tensor_map(&map)?.to_vec()));
        args.extend([Arg::from(size as i32), Arg::from(size as i32), Arg::from(size as i64), Arg::from(1i64)]);
    }
    args.extend([size; 3].map(|n| Arg::from(n as i32)));
    let grid = [(size / 128 * (size / 256)) as u32, 1, 1];
    let config =
        LaunchConfig { grid, threads_per_cta: 256, shared_bytes: 196_624, args, threads: 1, ..Default::default() };
    let started = Instant::now();
    launch(&program, &mut memory, &config)?;
    let seconds = started.elapsed().as_secs_f64();
    let rate = 2.0 * (size as f64).powi(3) / seconds / 1e9;
    println!("{name}, {size}³: {seconds:.3} s, {rate:.1} GFLOP/s");
    Ok(())
}

/// Multiplies two square matrices of ones.
fn measure(name: &str, ptx: &str, size: usize, bytes: usize) -> Result<()> {
    let started = Instant::now();
    let module = tk_ptx::parse(&SourceFile::new(name, ptx))?;
    let program = Program::compile(&module, "matmul")?;
    let decoded = started.elapsed();
    let one: &[u8] = if bytes == 2 { &[0x00, 0x3C] } else { &[0, 0, 0x80, 0x3F] };
    let mut memory = DeviceMemory::new();
    let buffers = [0; 3].map(|_| memory.allocate((size * size * bytes) as u64));
    for buffer in &buffers[..2] {
        memory.write(*buffer, &one.repeat(size * size))?;
    }
    let mut args: Vec<Arg> = buffers.map(Arg::from).to_vec();
    args.extend([size; 6].map(|n| Arg::from(n as i32)));
    let grid = [(size.div_ceil(32) * size.div_ceil(64)) as u32, 1, 1];
    let config =
        LaunchConfig { grid, threads_per_cta: 128, shared_bytes: 64 << 10, args, threads: 1, ..Default::default() };
    let started = Instant::now();
    let report = launch(&program, &mut memory, &config)?;
    let seconds = started.elapsed().as_secs_f64();
    let rate = report.lane_operations as f64 / seconds / 1e6;
    println!("{name}, {size}³: {seconds:.3} s, {rate:.0} M lane-ops/s, decoded in {decoded:.1?}");
    Ok(())
}
