//! Attention: two products in a row, the left operand of the second in registers, with pointers and with tensor maps that the kernel
//! makes itself.

use crate::harness::{Kernel, download, random, upload};
use half::f16;
use tk_sim::{Arg, DeviceMemory};

const HEAD: usize = 64;
const SCALE: f32 = 0.18;

fn attend(kernel: &Kernel, heads: usize, context: usize, rest: impl Fn() -> Vec<Arg>) {
    let halves = |seed| random(seed, heads * context * HEAD).into_iter().map(f16::from_f32).collect::<Vec<_>>();
    let (q, k, v) = (halves(1), halves(2), halves(3));
    let mut memory = DeviceMemory::new();
    let mut args: Vec<Arg> = [&q, &k, &v].map(|values| upload(&mut memory, values).into()).into();
    let out = upload(&mut memory, &vec![f16::NAN; q.len()]);
    args.extend([out.into(), SCALE.into(), (context as i32).into()]);
    let grid = [(context / 128) as u32, heads as u32, 1];
    args.extend(rest());
    kernel.run(&mut memory, grid, args);
    for (index, got) in download::<f16>(&memory, out).into_iter().enumerate() {
        let (row, column) = (index / HEAD, index % HEAD);
        let first = row / context * context;
        let score = |j: usize| {
            let sum: f64 = (0..HEAD).map(|d| q[row * HEAD + d].to_f64() * k[j * HEAD + d].to_f64()).sum();
            (sum * f64::from(SCALE)).exp2()
        };
        let scores: Vec<f64> = (first..first + context).map(score).collect();
        let weighted = |(j, score): (usize, &f64)| score * v[(first + j) * HEAD + column].to_f64();
        let expected = scores.iter().enumerate().map(weighted).sum::<f64>() / scores.iter().sum::<f64>();
        assert!((got.to_f64() - expected).abs() < 1e-3, "{row}, {column}: {got} is not {expected}");
    }
}

#[test]
fn attention_with_pointers() {
    let kernel = Kernel::new(include_str!("kernels/attn64.ttgir"));
    // The second product has its left operand in registers.
    assert_eq!(kernel.count("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"), 16);
    for (heads, context) in [(1, 128), (2, 256)] {
        attend(&kernel, heads, context, || vec![(HEAD as i32).into(); 4]);
    }
}

#[test]
fn attention_with_tensor_maps_of_the_kernel() {
    let kernel = Kernel::new(include_str!("kernels/attnd64.ttgir"));
    let generated = &kernel.generated;
    assert_eq!(generated.image.global_scratch_bytes, 4 * 128);
    for (heads, context) in [(1, 128), (2, 256)] {
        attend(&kernel, heads, context, || vec![((heads * context) as i32).into()]);
    }
}
