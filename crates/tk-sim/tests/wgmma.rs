//! Matrix products of another compiler on Hopper's tensor cores: wgmma in its element types, tile sizes and pipelines.

mod device;

use device::{Device, Random, f32s};
use half::{bf16, f16};
use tk_sim::{Arg, Report};

/// A kernel with its block and whether B is stored column by column.
struct Kernel {
    ptx: &'static str,
    block: [usize; 2],
    threads: u32,
    transposed: bool,
}

/// Runs `a` (m by k) times `b` (k by n, or n by k) and gives the result's bytes.
fn run(kernel: &Kernel, a: &[u8], b: &[u8], bytes: usize, [m, n, k]: [usize; 3]) -> (Vec<u8>, Report) {
    let mut device = Device::new();
    let (a, b) = (device.upload(a.to_vec()), device.upload(b.to_vec()));
    let c = device.poison(m * n * bytes);
    let grid = m.div_ceil(kernel.block[0]) * n.div_ceil(kernel.block[1]);
    let mut args: Vec<Arg> = vec![a.into(), b.into(), c.into()];
    let row = if kernel.transposed { k } else { n };
    args.extend([m, n, k, k, row, n].map(|x| Arg::from(x as i32)));
    let report = device.run(kernel.ptx, "matmul", [grid as u32, 1, 1], kernel.threads, 220 << 10, &args);
    let report = report.unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    (device.memory.read(c).unwrap(), report)
}

/// The product in f64, of numbers that `value` reads from bytes.
fn product(kernel: &Kernel, a: &[f32], b: &[f32], [m, n, k]: [usize; 3]) -> Vec<f64> {
    let mut out = vec![0f64; m * n];
    for i in 0..m {
        for l in 0..k {
            for j in 0..n {
                let b = if kernel.transposed { b[j * k + l] } else { b[l * n + j] };
                out[i * n + j] += f64::from(a[i * k + l]) * f64::from(b);
            }
        }
    }
    out
}

fn compare(got: &[f32], wanted: &[f64], relative: f64, absolute: f64) {
    for (i, (got, wanted)) in got.iter().zip(wanted).enumerate() {
        assert!((f64::from(*got) - wanted).abs() <= relative * wanted.abs() + absolute, "{i}: {got} {wanted}");
    }
}

fn singles(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn from_halves(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32()).collect()
}

/// Random f16 operands: bytes and values.
fn halves(random: &mut Random, n: usize) -> (Vec<u8>, Vec<f32>) {
    let values: Vec<f16> = random.floats(n).into_iter().map(f16::from_f32).collect();
    (device::halves(&values), values.iter().map(|v| v.to_f32()).collect())
}

macro_rules! kernel {
    ($name:literal, $block:expr, $threads:expr, $transposed:expr) => {
        Kernel {
            ptx: include_str!(concat!("data/wgmma_", $name, ".ptx")),
            block: $block,
            threads: $threads,
            transposed: $transposed,
        }
    };
}

#[test]
fn f16_with_f32_sums() {
    let kernels = [
        (kernel!("f16", [64, 128], 128, false), 2),
        (kernel!("f16t", [128, 128], 256, true), 4),
        (kernel!("f16s1", [128, 256], 256, false), 2),
        (kernel!("f16w32", [64, 16], 128, false), 4),
    ];
    for (kernel, bytes) in kernels {
        for size in [[128, 256, 128], [80, 144, 208], [64, 16, 16]] {
            let mut random = Random::new(5);
            let (a, x) = halves(&mut random, size[0] * size[2]);
            let (b, y) = halves(&mut random, size[2] * size[1]);
            let (got, report) = run(&kernel, &a, &b, bytes, size);
            let got = if bytes == 2 { from_halves(&got) } else { singles(&got) };
            let exact = if bytes == 2 { 1e-3 } else { 1e-6 };
            compare(&got, &product(&kernel, &x, &y, size), exact, 1e-4);
            assert!(report.memory.to_string().contains("wgmma"), "{}", report.memory);
        }
    }
}

#[test]
fn f16_with_f16_sums() {
    let (kernel, size) = (kernel!("f16a16", [64, 64], 128, true), [80, 144, 112]);
    let mut random = Random::new(6);
    let (a, x) = halves(&mut random, size[0] * size[2]);
    let (b, y) = halves(&mut random, size[2] * size[1]);
    let (got, _) = run(&kernel, &a, &b, 2, size);
    compare(&from_halves(&got), &product(&kernel, &x, &y, size), 5e-3, 0.1);
}

#[test]
fn bf16() {
    let (kernel, size) = (kernel!("bf16", [64, 32], 128, false), [80, 144, 112]);
    let mut random = Random::new(7);
    let mut numbers = |n: usize| random.floats(n).into_iter().map(bf16::from_f32).collect::<Vec<bf16>>();
    let (a, b) = (numbers(size[0] * size[2]), numbers(size[2] * size[1]));
    let bytes = |v: &[bf16]| v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let wide = |v: &[bf16]| v.iter().map(|x| x.to_f32()).collect::<Vec<f32>>();
    let (got, _) = run(&kernel, &bytes(&a), &bytes(&b), 4, size);
    compare(&singles(&got), &product(&kernel, &wide(&a), &wide(&b), size), 1e-6, 1e-4);
}

#[test]
fn tf32() {
    let (kernel, size) = (kernel!("tf32", [64, 64], 128, true), [80, 144, 112]);
    let mut random = Random::new(8);
    let cut = |v: f32| f32::from_bits(v.to_bits() & 0xFFFF_E000);
    let mut numbers = |n: usize| random.floats(n).into_iter().map(cut).collect::<Vec<f32>>();
    let (a, b) = (numbers(size[0] * size[2]), numbers(size[2] * size[1]));
    let (got, _) = run(&kernel, &f32s(&a), &f32s(&b), 4, size);
    compare(&singles(&got), &product(&kernel, &a, &b, size), 1e-6, 1e-4);
}

#[test]
fn i8_is_exact() {
    let (kernel, size) = (kernel!("i8", [64, 64], 128, true), [80, 144, 112]);
    let mut random = Random::new(9);
    let mut bytes = |n: usize| (0..n).map(|_| random.next() as u8).collect::<Vec<u8>>();
    let (a, b) = (bytes(size[0] * size[2]), bytes(size[2] * size[1]));
    let wide = |v: &[u8]| v.iter().map(|x| f32::from(*x as i8)).collect::<Vec<f32>>();
    let (got, _) = run(&kernel, &a, &b, 4, size);
    let got = got.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    for (got, wanted) in got.zip(product(&kernel, &wide(&a), &wide(&b), size)) {
        assert_eq!(f64::from(got), wanted);
    }
}
