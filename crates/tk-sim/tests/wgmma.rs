//! Matrix products of another compiler on Hopper's tensor cores: wgmma in its element types, tile sizes and pipelines.

use crate::device::{self, Device, Random, f32s};
use half::{bf16, f16};
use tk_sim::{Arg, Report};

/// A kernel with its block and whether B is stored column by column.
struct Kernel<'a> {
    ptx: &'a str,
    block: [usize; 2],
    threads: u32,
    transposed: bool,
}

/// Runs `a` (m by k) times `b` (k by n, or n by k) and gives the result's bytes.
fn run(kernel: &Kernel<'_>, a: &[u8], b: &[u8], bytes: usize, size: [usize; 3]) -> (Vec<u8>, Report) {
    try_run(kernel, a, b, bytes, size).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)))
}

fn try_run(
    kernel: &Kernel<'_>,
    a: &[u8],
    b: &[u8],
    bytes: usize,
    [m, n, k]: [usize; 3],
) -> tk_diag::Result<(Vec<u8>, Report)> {
    let mut device = Device::new();
    let (a, b) = (device.upload(a.to_vec()), device.upload(b.to_vec()));
    let c = device.poison(m * n * bytes);
    let grid = m.div_ceil(kernel.block[0]) * n.div_ceil(kernel.block[1]);
    let mut args: Vec<Arg> = vec![a.into(), b.into(), c.into()];
    let row = if kernel.transposed { k } else { n };
    args.extend([m, n, k, k, row, n].map(|x| Arg::from(x as i32)));
    let report = device.run(kernel.ptx, "matmul", [grid as u32, 1, 1], kernel.threads, 220 << 10, &args);
    report.map(|report| (device.memory.read(c).unwrap(), report))
}

/// The product in f64, of numbers that `value` reads from bytes.
fn product(kernel: &Kernel<'_>, a: &[f32], b: &[f32], [m, n, k]: [usize; 3]) -> Vec<f64> {
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
            if size == [128, 256, 128] {
                let products = report.memory.work.of(tk_sim::InstructionClass::TensorF16);
                assert_eq!(products.map(|counts| counts.operations), Some(2 * 128 * 256 * 128));
            }
        }
    }
}

/// Triton unpacks f16 sums before it waits for them, which makes the assembler serialise: here the wait comes first.
fn f16_sums() -> String {
    let commit = "wgmma.commit_group.sync.aligned;";
    include_str!("data/wgmma_f16a16.ptx").replace(commit, &format!("{commit}\n\twgmma.wait_group.sync.aligned 0;"))
}

#[test]
fn f16_with_f16_sums() {
    let ptx = f16_sums();
    let (kernel, size) = (Kernel { ptx: &ptx, block: [64, 64], threads: 128, transposed: true }, [80, 144, 112]);
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

/// What a code of an 8-bit float means.
fn small_float(code: u8, mantissa_bits: u32) -> f32 {
    let bias = (1 << (6 - mantissa_bits)) - 1;
    let (exponent, mantissa) =
        (i32::from(code >> mantissa_bits & (0x7F >> mantissa_bits)), u32::from(code) & ((1 << mantissa_bits) - 1));
    let fraction = mantissa as f32 / (1 << mantissa_bits) as f32;
    let magnitude =
        if exponent == 0 { fraction * 2f32.powi(1 - bias) } else { (1.0 + fraction) * 2f32.powi(exponent - bias) };
    if code & 0x80 != 0 { -magnitude } else { magnitude }
}

#[test]
fn fp8() {
    let kernels = [(kernel!("e4m3", [64, 64], 128, true), 3), (kernel!("e5m2", [128, 64], 128, true), 2)];
    for (kernel, mantissa_bits) in kernels {
        let size = [80, 144, 112];
        let mut random = Random::new(10);
        // Exponents around the bias, so that sums keep their digits.
        let mut codes = |n: usize| {
            let middle = 0x38 - (8 << (3 - mantissa_bits));
            (0..n).map(|_| (random.next() as u8 & 0x80) | (middle + (random.next() % 24) as u8)).collect::<Vec<u8>>()
        };
        let (a, b) = (codes(size[0] * size[2]), codes(size[2] * size[1]));
        let wide = |v: &[u8]| v.iter().map(|x| small_float(*x, mantissa_bits)).collect::<Vec<f32>>();
        let (got, _) = run(&kernel, &a, &b, 4, size);
        compare(&singles(&got), &product(&kernel, &wide(&a), &wide(&b), size), 1e-5, 1e-3);
    }
}

/// Runs a changed kernel, which must stop with this code and words.
#[track_caller]
fn fails(ptx: &str, block: [usize; 2], threads: u32, transposed: bool, code: tk_diag::Code, words: &str) {
    let kernel = Kernel { ptx, block, threads, transposed };
    let mut random = Random::new(11);
    let size = [128, 256, 256];
    let (a, _) = halves(&mut random, size[0] * size[2]);
    let (b, _) = halves(&mut random, size[2] * size[1]);
    let error = try_run(&kernel, &a, &b, 2, size).expect_err("the run must stop");
    let text = tk_diag::render(&error, tk_diag::Style::Plain);
    assert!(error.code == code && text.contains(words), "{text}");
}

#[test]
fn a_result_read_too_early() {
    let ptx = include_str!("data/wgmma_f16a16.ptx");
    fails(ptx, [64, 64], 128, true, tk_diag::DATA_RACE, "read of a wgmma result before wait_group");
    let ptx = include_str!("data/wgmma_f16.ptx");
    let without = ptx.replace("wgmma.wait_group.sync.aligned", "// ");
    fails(&without, [64, 128], 128, false, tk_diag::DATA_RACE, "a wgmma result before wait_group");
    let uncommitted = ptx.replace("wgmma.commit_group.sync.aligned", "// ");
    fails(&uncommitted, [64, 128], 128, false, tk_diag::DATA_RACE, "a wgmma result before wait_group");
}

#[test]
fn a_missing_fence() {
    // Operands that cp.async brings, and operands that stores bring.
    let copied = include_str!("data/wgmma_f16.ptx").replace("fence.proxy.async", "// ");
    fails(&copied, [64, 128], 128, false, tk_diag::DATA_RACE, "fence.proxy.async");
    let stored = include_str!("data/wgmma_f16s1.ptx").replace("fence.proxy.async", "// ");
    fails(&stored, [128, 256], 256, false, tk_diag::DATA_RACE, "fence.proxy.async");
    let without = include_str!("data/wgmma_f16.ptx").replace("wgmma.fence.sync.aligned", "// ");
    fails(&without, [64, 128], 128, false, tk_diag::DATA_RACE, "wgmma.fence");
}

#[test]
fn operands_overwritten_too_early() {
    // One group may stay in flight; with four the copies of the next step meet tiles that are still being read.
    let ptx = include_str!("data/wgmma_f16.ptx");
    let ptx = ptx.replace("wgmma.wait_group.sync.aligned 1", "wgmma.wait_group.sync.aligned 4");
    fails(&ptx, [64, 128], 128, false, tk_diag::DATA_RACE, "a wgmma read races");
}

#[test]
fn a_by_columns() {
    let ptx = include_str!("data/wgmma_f16a.ptx");
    let [m, n, k] = [80, 144, 112];
    let mut random = Random::new(13);
    let (a, x) = halves(&mut random, k * m);
    let (b, y) = halves(&mut random, k * n);
    let mut device = Device::new();
    let c = device.poison(m * n * 4);
    let mut args: Vec<Arg> = vec![device.upload(a).into(), device.upload(b).into(), c.into()];
    args.extend([m, n, k, m, n, n].map(|x| Arg::from(x as i32)));
    let grid = m.div_ceil(64) * n.div_ceil(64);
    let report = device.run(ptx, "matmul", [grid as u32, 1, 1], 128, 64 << 10, &args);
    report.unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    let rows: Vec<f32> = (0..m * k).map(|i| x[i % k * m + i / k]).collect();
    let kernel = kernel!("f16a", [64, 64], 128, false);
    compare(&device.floats(c), &product(&kernel, &rows, &y, [m, n, k]), 1e-6, 1e-4);
}

/// A warpgroup multiplies; one of its warps waits and lets a fifth warp overwrite the operands.
const HANDED_OVER: &str = ".version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
.reqntid 160
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    .reg .f32 %f<5>;
    .shared .align 1024 .b8 tile[2048];
    .shared .align 8 .b64 bar;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    mov.u32 %r3, bar;
    setp.eq.u32 %p1, %r1, 0;
    setp.lt.u32 %p2, %r1, 128;
    setp.ge.u32 %p0, %r1, 0;
    @%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
    shl.b32 %r4, %r1, 4;
    add.u32 %r4, %r4, %r2;
    mov.b32 %r5, 0x3C003C00;
    @%p2 st.shared.v4.b32 [%r4], {%r5, %r5, %r5, %r5};
    fence.proxy.async.shared::cta;
    bar.sync 0;
    @!%p2 bra OTHER;
    shr.u32 %r6, %r2, 4;
    cvt.u64.u32 %rd2, %r6;
    or.b64 %rd2, %rd2, 0x0000001000010000;
    mov.f32 %f1, 0f00000000;
    mov.f32 %f2, %f1;
    mov.f32 %f3, %f1;
    mov.f32 %f4, %f1;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd2, %rd2, %p0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    @%p1 mbarrier.arrive.shared::cta.b64 _, [%r3];
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd3, %rd3, %rd1;
    st.global.f32 [%rd3], %f1;
    ret;
OTHER:
    mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 0;
    @!%p3 bra OTHER;
    sub.u32 %r7, %r1, 128;
    mad.lo.u32 %r7, %r7, 64, %r2;
    st.shared.b32 [%r7], %r1;
    ret;
}";

#[test]
fn one_warp_may_wait_for_its_warpgroup() {
    let run = |is_strict: bool, seed: u64| {
        let mut device = Device::new();
        (device.config.checks.warpgroup_waits, device.config.seed) = (is_strict, seed);
        let out = device.poison(512);
        device.run(HANDED_OVER, "k", [1, 1, 1], 160, 0, &[out.into()]).map(|_| device.floats(out))
    };
    for seed in 0..4 {
        // PTX says that each warp waits for itself.
        let error = run(true, seed).expect_err("the run must stop");
        assert!(error.code == tk_diag::DATA_RACE, "{}", tk_diag::render(&error, tk_diag::Style::Plain));
        // Hardware completes the product of all four.
        let sums = run(false, seed).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
        assert!(sums.iter().all(|sum| *sum == 16.0), "{sums:?}");
    }
}
