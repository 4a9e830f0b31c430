//! Matrix products of another compiler: cp.async pipelines, ldmatrix, mma.sync in every element type, and FMA.

use crate::device::{Device, Random, f32s, halves};
use half::{bf16, f16};
use tk_sim::{Arg, InstructionClass, Report, WorkReport};

/// Rows, columns and depth; none a multiple of the 32 by 64 by 32 block except by 16.
const SIZE: [usize; 3] = [80, 144, 112];

/// Runs `a` (m by k) times `b` (k by n) and gives the result's bytes.
fn run(ptx: &str, a: Vec<u8>, b: Vec<u8>, result_bytes: usize, size: [usize; 3]) -> (Vec<u8>, Report) {
    let [m, n, k] = size;
    let mut device = Device::new();
    let (a, b) = (device.upload(a), device.upload(b));
    let c = device.poison(m * n * result_bytes);
    let grid = m.div_ceil(32) * n.div_ceil(64);
    let mut args: Vec<Arg> = vec![a.into(), b.into(), c.into()];
    args.extend([m, n, k, k, n, n].map(|x| Arg::from(x as i32)));
    let report = device.run(ptx, "matmul", [grid as u32, 1, 1], 128, 64 << 10, &args);
    let report = report.unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    (device.memory.read(c).unwrap(), report)
}

fn product(a: &[f32], b: &[f32], [m, n, k]: [usize; 3]) -> Vec<f64> {
    let mut out = vec![0f64; m * n];
    for i in 0..m {
        for l in 0..k {
            for j in 0..n {
                out[i * n + j] += f64::from(a[i * k + l]) * f64::from(b[l * n + j]);
            }
        }
    }
    out
}

fn compare(got: &[f32], wanted: &[f64], tolerance: f64) {
    for (i, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        assert!((f64::from(*got) - wanted).abs() <= tolerance * wanted.abs().max(1.0), "{i}: {got} {wanted}");
    }
}

fn singles(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn operands() -> (Vec<f32>, Vec<f32>) {
    let [m, n, k] = SIZE;
    let mut random = Random::new(11);
    (random.floats(m * k), random.floats(k * n))
}

#[test]
fn f16_through_mma() {
    for size in [SIZE, [256, 256, 256], [16, 16, 16], [32, 64, 512]] {
        let [m, n, k] = size;
        let mut random = Random::new(5);
        let a: Vec<f16> = random.floats(m * k).into_iter().map(f16::from_f32).collect();
        let b: Vec<f16> = random.floats(k * n).into_iter().map(f16::from_f32).collect();
        let (bytes, report) = run(include_str!("data/matmul_f16.ptx"), halves(&a), halves(&b), 2, size);
        let got: Vec<f32> = bytes.chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32()).collect();
        let wide = |v: &[f16]| v.iter().map(|x| x.to_f32()).collect::<Vec<f32>>();
        compare(&got, &product(&wide(&a), &wide(&b), size), 1e-3);
        assert_eq!(report.memory.totals().bank_conflicts(), 0, "{}", report.memory);
        if size == [256, 256, 256] {
            check_work(&report.memory.work);
        }
    }
}

/// A product of 256 x 256 x 256: operations, and bytes of three matrices of halves.
fn check_work(work: &WorkReport) {
    let products = work.of(InstructionClass::TensorF16).unwrap();
    assert_eq!((products.operations, products.lanes), (2 << 24, 32 * products.warps), "{work}");
    assert_eq!(work.memory_bytes, Some(3 * 2 * 256 * 256), "{work}");
    // 8 x 4 CTAs of 32 x 64.
    assert_eq!((work.occupancy.multiprocessors, work.occupancy.most_warps), (32, 64), "{work}");
    let memory = work.roofs.iter().find(|roof| roof.part == "memory").unwrap();
    assert!((memory.seconds * memory.per_second - 393_216.0).abs() < 1e-3, "{work}");
    assert!(work.roofs.iter().is_sorted_by(|a, b| a.seconds >= b.seconds), "{work}");
    let text = work.to_string();
    let parts =
        ["tensor f16", "limited by", "at least, on an H200: ", "intensity: ", "operations for each byte of 393 kB"];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    assert!(serde_json::to_string(work).unwrap().contains(r#""class":"tensor_f16""#));
}

#[test]
fn bf16_through_mma() {
    let (a, b) = operands();
    let round = |v: &[f32]| v.iter().map(|x| bf16::from_f32(*x)).collect::<Vec<bf16>>();
    let bytes = |v: &[bf16]| v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let (a, b) = (round(&a), round(&b));
    let (got, _) = run(include_str!("data/matmul_bf16.ptx"), bytes(&a), bytes(&b), 4, SIZE);
    let wide = |v: &[bf16]| v.iter().map(|x| x.to_f32()).collect::<Vec<f32>>();
    compare(&singles(&got), &product(&wide(&a), &wide(&b), SIZE), 1e-5);
}

#[test]
fn tf32_through_mma() {
    let (a, b) = operands();
    let cut = |v: &[f32]| v.iter().map(|x| f32::from_bits(x.to_bits() & 0xFFFF_E000)).collect::<Vec<f32>>();
    let (got, _) = run(include_str!("data/matmul_fp32.ptx"), f32s(&cut(&a)), f32s(&cut(&b)), 4, SIZE);
    compare(&singles(&got), &product(&cut(&a), &cut(&b), SIZE), 1e-5);
}

#[test]
fn ieee_through_fma() {
    let (a, b) = operands();
    let (got, _) = run(include_str!("data/matmul_ieee.ptx"), f32s(&a), f32s(&b), 4, SIZE);
    compare(&singles(&got), &product(&a, &b, SIZE), 1e-5);
}

#[test]
fn i8_through_mma_is_exact() {
    let [m, n, k] = SIZE;
    let mut random = Random::new(17);
    let mut bytes = |n: usize| (0..n).map(|_| random.next() as u8).collect::<Vec<u8>>();
    let (a, b) = (bytes(m * k), bytes(k * n));
    let (got, _) = run(include_str!("data/matmul_i8.ptx"), a.clone(), b.clone(), 4, SIZE);
    for i in 0..m {
        for j in 0..n {
            let wanted: i32 = (0..k).map(|l| i32::from(a[i * k + l] as i8) * i32::from(b[l * n + j] as i8)).sum();
            let at = 4 * (i * n + j);
            assert_eq!(i32::from_le_bytes(got[at..at + 4].try_into().unwrap()), wanted, "{i} {j}");
        }
    }
}

#[test]
fn fp8_through_mma() {
    let [m, n, k] = SIZE;
    let mut random = Random::new(23);
    // Codes of e4m3 without NaN.
    let mut bytes = |n: usize| (0..n).map(|_| (random.next() % 0x7F) as u8 | (random.next() as u8 & 0x80)).collect();
    let (a, b): (Vec<u8>, Vec<u8>) = (bytes(m * k), bytes(k * n));
    let value = |code: &u8| {
        let (exponent, mantissa) = (i32::from(code >> 3 & 15), f32::from(code & 7));
        let magnitude = if exponent == 0 { mantissa / 512.0 } else { (1.0 + mantissa / 8.0) * 2f32.powi(exponent - 7) };
        if code & 0x80 != 0 { -magnitude } else { magnitude }
    };
    let wide = |v: &[u8]| v.iter().map(value).collect::<Vec<f32>>();
    let wanted = product(&wide(&a), &wide(&b), SIZE);
    let (got, _) = run(include_str!("data/matmul_fp8.ptx"), a, b, 4, SIZE);
    for (i, (got, wanted)) in singles(&got).iter().zip(&wanted).enumerate() {
        // Sums of numbers up to 448² lose absolute, not relative, precision.
        assert!((f64::from(*got) - wanted).abs() < 0.5 + 1e-5 * wanted.abs(), "{i}: {got} {wanted}");
    }
}
