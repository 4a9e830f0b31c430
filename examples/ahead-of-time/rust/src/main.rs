//! A matrix product and attention by kernels that were compiled ahead of time, once launched and once replayed from a graph, and checked
//! against the host. `--no-check` leaves the comparison out.

mod kernels {
    #![allow(dead_code, reason = "an example uses a part")]
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

use kernels::{Attention, AttentionArgs, Matmul, MatmulArgs};
use std::error::Error;
use std::sync::Arc;
use tk_runtime::half::f16;
use tk_runtime::slices::{self, driver::CudaContext};
use tk_runtime::{Gpu, Pointer, Stream};

/// Rows, columns and depth of the product.
const SIZES: [usize; 3] = [192, 128, 96];
const HEADS: usize = 2;
const CONTEXT: usize = 192;
const HEAD_DIM: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let is_checked = !std::env::args().any(|word| word == "--no-check");
    let bundle = kernels::bundle()?;
    let gpu = Gpu::open(0)?;
    let (product, attention) = (Matmul::load(&gpu, &bundle)?, Attention::load(&gpu, &bundle)?);
    println!("kernels for {} on {}", bundle.targets().join(", "), gpu.info());
    multiply(&gpu, &product, is_checked)?;
    attend(&attention, is_checked)?;
    Ok(())
}

/// Numbers between -1 and 1, the same in every run.
fn numbers(count: usize, seed: u32) -> Vec<f16> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f16::from_f32((state >> 8) as f32 / (1 << 23) as f32 - 1.0)
    };
    (0..count).map(|_| next()).collect()
}

fn bytes(values: &[f16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// With memory of the runtime, from a graph: kernels are loaded before it is captured.
fn multiply(gpu: &Arc<Gpu>, kernel: &Matmul, is_checked: bool) -> Result<(), Box<dyn Error>> {
    let [m, n, k] = SIZES;
    let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
    let (on_a, on_b, on_c) = (gpu.allocate(2 * m * k)?, gpu.allocate(2 * k * n)?, gpu.allocate(2 * m * n)?);
    on_a.write(&bytes(&a))?;
    on_b.write(&bytes(&b))?;
    let args = MatmulArgs {
        a_ptr: Pointer::new(on_a.address()),
        b_ptr: Pointer::new(on_b.address()),
        c_ptr: Pointer::new(on_c.address()),
        M: m as i32,
        N: n as i32,
        K: k as i32,
        stride_am: k as i32,
        stride_bk: n as i32,
        stride_cm: n as i32,
    };
    let grid = [(m.div_ceil(64) * n.div_ceil(64)) as u32, 1, 1];
    kernel.launch(Stream::DEFAULT, grid, &args)?;
    let mut captured = Ok(());
    let graph = gpu.capture_on_stream(&mut |stream| captured = kernel.launch(stream, grid, &args))?;
    captured?;
    graph.replay()?;
    gpu.synchronise()?;
    let mut out = vec![0; 2 * m * n];
    on_c.read(&mut out)?;
    let expected = |at: usize| (0..k).map(|i| a[at / n * k + i].to_f32() * b[i * n + at % n].to_f32()).sum::<f32>();
    check("matmul", is_checked, &out, &expected)
}

/// With slices and a stream of cudarc's.
fn attend(kernel: &Attention, is_checked: bool) -> Result<(), Box<dyn Error>> {
    let context = CudaContext::new(0)?;
    let stream = context.default_stream();
    let size = HEADS * CONTEXT * HEAD_DIM;
    let [q, k, v] = [3, 4, 5].map(|seed| numbers(size, seed));
    let (on_q, on_k, on_v) = (stream.clone_htod(&bits(&q))?, stream.clone_htod(&bits(&k))?, stream.clone_htod(&bits(&v))?);
    let mut out = stream.clone_htod(&vec![0u16; size])?;
    {
        let [q, k, v] = [&on_q, &on_k, &on_v].map(|slice| slices::read(slice, &stream));
        let written = slices::write(&mut out, &stream);
        let (head, row) = ((CONTEXT * HEAD_DIM) as i32, HEAD_DIM as i32);
        let args = AttentionArgs {
            q_ptr: Pointer::new(q.pointer().address()),
            k_ptr: Pointer::new(k.pointer().address()),
            v_ptr: Pointer::new(v.pointer().address()),
            out_ptr: Pointer::new(written.pointer().address()),
            scale: 0.125 * std::f32::consts::LOG2_E,
            stride_qh: head,
            stride_qm: row,
            stride_kh: head,
            stride_kn: row,
            stride_vh: head,
            stride_vn: row,
            stride_oh: head,
            stride_om: row,
            n_ctx: CONTEXT as i32,
        };
        kernel.launch(slices::stream(&stream), [CONTEXT.div_ceil(64) as u32, HEADS as u32, 1], &args)?;
    }
    let out: Vec<u8> = stream.clone_dtoh(&out)?.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    let expected = |at: usize| {
        let (head, row, column) = (at / (CONTEXT * HEAD_DIM) * CONTEXT, at / HEAD_DIM, at % HEAD_DIM);
        let part = |values: &[f16], row: usize, column: usize| values[row * HEAD_DIM + column].to_f32();
        let score = |key: usize| (0..HEAD_DIM).map(|i| part(&q, row, i) * part(&k, head + key, i)).sum::<f32>() * 0.125;
        let scores: Vec<f32> = (0..CONTEXT).map(score).collect();
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let weights: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
        let sum = (0..CONTEXT).map(|key| weights[key] * part(&v, head + key, column)).sum::<f32>();
        sum / weights.iter().sum::<f32>()
    };
    check("attention", is_checked, &out, &expected)
}

/// The bits of f16, which cudarc copies without a feature of its own.
fn bits(values: &[f16]) -> Vec<u16> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn check(name: &str, is_checked: bool, out: &[u8], expected: &dyn Fn(usize) -> f32) -> Result<(), Box<dyn Error>> {
    if !is_checked {
        println!("{name}: {} elements", out.len() / 2);
        return Ok(());
    }
    let of = |pair: &[u8]| f16::from_le_bytes([pair[0], pair[1]]).to_f32();
    let worst = out.chunks_exact(2).enumerate().map(|(at, pair)| (of(pair) - expected(at)).abs()).fold(0.0, f32::max);
    println!("{name}: {} elements, largest difference {worst:.5}", out.len() / 2);
    // NaN is no small difference either.
    let is_near = worst < 0.03 && out.chunks_exact(2).all(|pair| !of(pair).is_nan());
    if is_near { Ok(()) } else { Err(format!("{name} is wrong by {worst}").into()) }
}
