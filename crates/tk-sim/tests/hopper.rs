//! Kernels that Triton made for Hopper: pipelines of cp.async and wgmma, tensor maps of the host and of the kernel, warp
//! specialisation; run on random data and compared with loops in f64.

use crate::device::{Device, Random, halves};
use half::f16;
use tk_sim::{Arg, Buffer, Report, TensorElement, TensorMap, encode_tensor_map};

fn numbers(random: &mut Random, n: usize) -> Vec<f16> {
    random.floats(n).into_iter().map(f16::from_f32).collect()
}

/// `a` (m by k) times the transpose of `b` (n by k).
fn product(a: &[f32], b: &[f32], [m, n, k]: [usize; 3]) -> Vec<f64> {
    let mut out = vec![0f64; m * n];
    for i in 0..m {
        for j in 0..n {
            let (a, b) = (&a[i * k..(i + 1) * k], &b[j * k..(j + 1) * k]);
            out[i * n + j] = a.iter().zip(b).map(|(x, y)| f64::from(x * y)).sum();
        }
    }
    out
}

fn compare(got: &[f16], wanted: &[f64]) {
    for (i, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        assert!((got.to_f64() - wanted).abs() <= 1e-3 * wanted.abs() + 1e-3, "{i}: {got} {wanted}");
    }
}

fn wide(values: &[f16]) -> Vec<f32> {
    values.iter().map(|v| v.to_f32()).collect()
}

fn transposed(b: &[f16], k: usize, n: usize) -> Vec<f16> {
    (0..n * k).map(|i| b[i % k * n + i / k]).collect()
}

fn ok(result: tk_diag::Result<Report>) -> Report {
    result.unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)))
}

#[test]
fn fp8_by_columns() {
    let size @ [m, n, k] = [144, 96, 208];
    let mut device = Device::new();
    device.config.checks.copy_fences = false;
    let mut random = Random::new(1);
    // Codes of e5m2 of moderate size: an f16 cut to its upper byte.
    let mut codes = |n: usize| numbers(&mut random, n).iter().map(|v| (v.to_bits() >> 8) as u8).collect::<Vec<u8>>();
    let (a, b) = (codes(m * k), codes(n * k));
    let value = |codes: &[u8]| codes.iter().map(|c| f16::from_bits(u16::from(*c) << 8).to_f32()).collect::<Vec<f32>>();
    let c = device.poison(m * n * 2);
    let mut args: Vec<Arg> = vec![device.upload(a.clone()).into(), device.upload(b.clone()).into(), c.into()];
    args.extend([m, n, k, k, k, n].map(|x| Arg::from(x as i32)));
    let grid = m.div_ceil(128) * n.div_ceil(64);
    let ptx = include_str!("data/matmul_kernel.ptx");
    ok(device.run(ptx, "matmul_kernel", [grid as u32, 1, 1], 128, 49152, &args));
    compare(&device.halves(c), &product(&value(&a), &value(&b), size));
}

#[test]
fn too_much_shared_memory_still_decodes() {
    let source = tk_diag::SourceFile::new("kernel.ptx", include_str!("data/matmul_kernel_2.ptx"));
    let program = tk_sim::Program::compile(&tk_ptx::parse(&source).unwrap(), "matmul_kernel").unwrap();
    assert_eq!(program.threads(), tk_ptx::Requirement::Exactly(128));
}

#[test]
fn persistent_pointers() {
    for (size @ [m, n, k], grid) in [([272, 144, 208], 6), ([12 * 128, 12 * 128, 48], 132)] {
        let mut device = Device::new();
        let mut random = Random::new(2);
        let (a, b) = (numbers(&mut random, m * k), numbers(&mut random, k * n));
        let c = device.poison(m * n * 2);
        let mut args: Vec<Arg> = vec![device.upload(halves(&a)).into(), device.upload(halves(&b)).into(), c.into()];
        args.extend([m, n, k, k, n, n].map(|x| Arg::from(x as i32)));
        let ptx = include_str!("data/matmul_kernel_persistent.ptx");
        ok(device.run(ptx, "matmul_kernel_persistent", [grid, 1, 1], 128, 81920, &args));
        compare(&device.halves(c), &product(&wide(&a), &wide(&transposed(&b, k, n)), size));
    }
}

/// A tensor of f16 with rows of `columns`, moved in boxes of `rows` by 64.
fn map(buffer: Buffer, sizes: [usize; 2], rows: u32) -> [u8; 128] {
    let [height, columns] = sizes;
    let map = TensorMap {
        address: buffer.address(),
        element: TensorElement::F16,
        sizes: vec![columns as u32, height as u32],
        strides: vec![2 * columns as u64],
        block: vec![64, rows],
        element_strides: vec![1, 1],
        swizzle_bytes: 128,
        fill_nan: false,
    };
    encode_tensor_map(&map).unwrap()
}

/// Runs a matmul of descriptors `a`, `b` (n by k) and `c`, with 128 rows of `a` and `c` per box.
fn descriptors(ptx: &str, entry: &str, size: [usize; 3], b_rows: u32, launch: [u32; 3], seed: u64) -> Report {
    ok(try_descriptors(ptx, entry, size, b_rows, launch, seed))
}

fn try_descriptors(
    ptx: &str,
    entry: &str,
    size: [usize; 3],
    b_rows: u32,
    launch: [u32; 3],
    seed: u64,
) -> tk_diag::Result<Report> {
    let [m, n, k] = size;
    let [grid, threads, shared] = launch;
    let mut device = Device::new();
    device.config.seed = seed;
    let mut random = Random::new(3);
    let (a, b) = (numbers(&mut random, m * k), numbers(&mut random, n * k));
    let (at, bt) = (device.upload(halves(&a)), device.upload(halves(&b)));
    let c = device.poison(m * n * 2);
    let mut args: Vec<Arg> = Vec::new();
    for (buffer, sizes, rows) in [(at, [m, k], 128), (bt, [n, k], b_rows), (c, [m, n], 128)] {
        args.push(Arg(map(buffer, sizes, rows).to_vec()));
        args.extend(sizes.map(|s| Arg::from(s as i32)));
        args.extend([Arg::from(sizes[1] as i64), Arg::from(1i64)]);
    }
    args.extend([m, n, k].map(|x| Arg::from(x as i32)));
    let report = device.run(ptx, entry, [grid, 1, 1], threads, shared, &args)?;
    compare(&device.halves(c), &product(&wide(&a), &wide(&b), size));
    Ok(report)
}

#[test]
fn damaged_pipelines_stop() {
    let ptx = include_str!("data/matmul_kernel_tma.ptx");
    let cases = [
        // Without a wait the data is still in flight, or lands after the wgmma was issued.
        ("@!complete bra.uni waitLoop;", "", tk_diag::DATA_RACE, "copy"),
        ("%r48], %r168;", "%r48], 1;", tk_diag::DATA_RACE, "copy"),
        ("[%r8], 98304;", "[%r8], 98320;", tk_diag::DEADLOCK, "still waits for 16 bytes"),
        ("wait_group.sync.aligned 1;", "wait_group.sync.aligned 2;", tk_diag::DATA_RACE, "wgmma read"),
        ("fence.proxy.async.shared::cta;", "", tk_diag::DATA_RACE, "fence.proxy.async"),
        ("cp.async.bulk.wait_group.read \t0;", "", tk_diag::DATA_RACE, "the CTA ends"),
    ];
    for (from, to, code, words) in cases {
        let damaged = ptx.replace(from, to);
        assert_ne!(damaged, ptx, "{from}");
        for seed in 0..4 {
            let launch = [1, 256, 196_624];
            let error = try_descriptors(&damaged, "matmul_kernel_tma", [128, 256, 640], 256, launch, seed);
            let error = error.expect_err(from);
            let text = tk_diag::render(&error, tk_diag::Style::Plain);
            let in_flight = words == "copy" && error.code == tk_diag::UNINITIALISED && text.contains("in flight");
            // A wait for the wrong phase may also be one for a phase that never completes.
            let stuck = from.starts_with("%r48") && error.code == tk_diag::DEADLOCK;
            assert!(in_flight || stuck || error.code == code && text.contains(words), "{from} {seed}: {text}");
        }
    }
}

#[test]
fn descriptors_of_the_host() {
    let ptx = include_str!("data/matmul_kernel_tma.ptx");
    for (seed, size) in [[128usize, 256, 128], [144, 304, 416], [256, 512, 520]].into_iter().enumerate() {
        let grid = size[0].div_ceil(128) * size[1].div_ceil(256);
        let report = descriptors(ptx, "matmul_kernel_tma", size, 256, [grid as u32, 256, 196_624], seed as u64);
        let text = report.memory.to_string();
        assert!(text.contains("bulk") && text.contains("wgmma"), "{text}");
        assert_eq!(report.memory.totals().bank_conflicts(), 0, "{text}");
    }
}

#[test]
fn descriptors_of_the_host_in_a_persistent_kernel() {
    let ptx = include_str!("data/matmul_kernel_tma_persistent.ptx");
    for (seed, size) in [[128usize, 128, 64], [272, 144, 328], [12 * 128, 12 * 128, 72]].into_iter().enumerate() {
        let grid = (size[0].div_ceil(128) * size[1].div_ceil(128)).min(132);
        descriptors(ptx, "matmul_kernel_tma_persistent", size, 128, [grid as u32, 128, 163_872], seed as u64);
    }
}

#[test]
fn attention_with_descriptors_of_the_kernel_and_specialised_warps() {
    let [batch, heads, context] = [2usize, 2, 128];
    let rows = batch * heads * context;
    for seed in 0..3 {
        let mut device = Device::new();
        device.config.seed = seed;
        let mut random = Random::new(4);
        let [q, k, v] = [(); 3].map(|()| numbers(&mut random, rows * 64));
        let [dq, dk, dv] = [&q, &k, &v].map(|x| device.upload(halves(x)));
        let (out, logs) = (device.poison(rows * 128), device.poison(rows * 4));
        let grid = [(context / 64) as u32, (batch * heads) as u32, 1];
        let scratch = device.poison(640 * (grid[0] * grid[1]) as usize);
        let mut args: Vec<Arg> =
            vec![Arg::from(0.125f32), logs.into(), Arg::from(batch as i32), Arg::from(heads as i32)];
        args.extend([dq, dk, dv, out].map(Arg::from));
        args.extend([Arg::from(context as i32), scratch.into()]);
        ok(device.run(include_str!("data/_attn_fwd.ptx"), "_attn_fwd", grid, 384, 41352, &args));
        let (got, got_logs) = (device.halves(out), device.floats(logs));
        for row in 0..rows {
            let first = row / context * context;
            let dot =
                |j: usize| (0..64).map(|d| q[row * 64 + d].to_f64() * k[j * 64 + d].to_f64()).sum::<f64>() * 0.125;
            let scores: Vec<f64> = (first..first + context).map(dot).collect();
            let most = scores.iter().fold(f64::MIN, |a, b| a.max(*b));
            let sum: f64 = scores.iter().map(|s| (s - most).exp()).sum();
            let log = (most + sum.ln()) / std::f64::consts::LN_2;
            assert!((f64::from(got_logs[row]) - log).abs() < 1e-3, "{row}: {} {log}", got_logs[row]);
            for d in 0..64 {
                let weighted = |(j, s): (usize, &f64)| (s - most).exp() / sum * v[(first + j) * 64 + d].to_f64();
                let wanted: f64 = scores.iter().enumerate().map(weighted).sum();
                let found = got[row * 64 + d].to_f64();
                assert!((found - wanted).abs() < 4e-3, "{row} {d}: {found} {wanted}");
            }
        }
    }
}
