//! Sums that a loop scales and adds to, kept in parts by `carry-partial-sums`, in random layouts and those of products.
//!
//! Values are small integers and factors powers of two, so that the order of additions does not matter and results are exact.

use super::layouts::{pointers, random_shape};
use crate::harness::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_passes::{Step, carry_partial_sums};
use tk_sim::DeviceMemory;

/// `%y = %start`, then `%y = %y * 2^%f + sum of %x along the axis` for each block of `%x` and row of `%f`.
fn kernel(layout: &str, warps: u32, shape: [usize; 2], axis: usize) -> Kernel {
    let ([rows, columns], kept) = (shape, shape[1 - axis]);
    let kept_layout = format!("#ttg.slice<{{dim = {axis}, parent = #a}}>");
    let of_kept = |element: &str| format!("tensor<{kept}x{element}, {kept_layout}>");
    let (sums, places, indices) = (of_kept("f32"), of_kept("!tt.ptr<f32>"), of_kept("i32"));
    let along = |name: &str, base: &str| {
        format!(
            "%{name}_b = tt.splat %{base} : !tt.ptr<f32> -> {places}
             %{name} = tt.addptr %{name}_b, %kept : {places}, {indices}\n"
        )
    };
    let blocks = format!("tensor<{rows}x{columns}x!tt.ptr<f32>, #a>");
    let body = format!(
        "tt.func public @sums(%x: !tt.ptr<f32>, %f: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {{
         {}
         %kept = tt.make_range {{end = {kept} : i32, start = 0 : i32}} : {indices}
         {} {}
         %c0 = arith.constant 0 : i32
         %c1 = arith.constant 1 : i32
         %block = arith.constant dense<{}> : tensor<{rows}x{columns}xi32, #a>
         %row = arith.constant dense<{kept}> : {indices}
         %start = tt.load %yp : {places}
         %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start, %xs = %xp, %fs = %fp) -> ({sums}, {blocks}, {places}) : i32 {{
           %v = tt.load %xs : {blocks}
           %power = tt.load %fs : {places}
           %factor = math.exp2 %power : {sums}
           %s = \"tt.reduce\"(%v) <{{axis = {axis} : i32}}> ({{
           ^bb0(%l: f32, %m: f32):
             %t = arith.addf %l, %m : f32
             tt.reduce.return %t : f32
           }}) : (tensor<{rows}x{columns}xf32, #a>) -> {sums}
           %scaled = arith.mulf %factor, %acc : {sums}
           %next = arith.addf %s, %scaled : {sums}
           %x2 = tt.addptr %xs, %block : {blocks}, tensor<{rows}x{columns}xi32, #a>
           %f2 = tt.addptr %fs, %row : {places}, {indices}
           scf.yield %next, %x2, %f2 : {sums}, {blocks}, {places}
         }}
         tt.store %yp, %r#0 : {places}
         tt.return
         }}",
        pointers("xp", "x", "a", shape, "f32"),
        along("fp", "f"),
        along("yp", "y"),
        rows * columns
    );
    Kernel::after_passes(&[Step::tk(carry_partial_sums::PASS)], &module(&format!("#a = {layout}"), warps, &body))
}

/// Whether the pass found something to do.
fn check(layout: &str, warps: u32, shape: [usize; 2], axis: usize, rng: &mut ChaCha8Rng) -> bool {
    let kernel = kernel(layout, warps, shape, axis);
    let (kept, size) = (shape[1 - axis], shape[0] * shape[1]);
    for iterations in [0, 1, 4] {
        let x: Vec<f32> = (0..iterations * size).map(|_| rng.random_range(-8..8) as f32).collect();
        let powers: Vec<f32> =
            (0..iterations * kept).map(|_| [f32::NEG_INFINITY, -1.0, 0.0, 1.0][rng.random_range(0..4)]).collect();
        let start: Vec<f32> = (0..kept).map(|_| rng.random_range(-8..8) as f32).collect();
        let mut expected = start.clone();
        for step in 0..iterations {
            for (index, sum) in expected.iter_mut().enumerate() {
                let at = |along: usize| {
                    x[step * size + if axis == 0 { along * shape[1] + index } else { index * shape[1] + along }]
                };
                *sum = *sum * powers[step * kept + index].exp2() + (0..shape[axis]).map(at).sum::<f32>();
            }
        }
        let mut memory = DeviceMemory::new();
        let mut args: Vec<tk_sim::Arg> = Vec::new();
        for values in [&x, &powers] {
            let padded = if values.is_empty() { vec![0.0; 1] } else { values.clone() };
            args.push(upload(&mut memory, &padded).into());
        }
        let y = upload(&mut memory, &start);
        args.extend([y.into(), (iterations as i32).into()]);
        kernel.run(&mut memory, [1, 1, 1], args);
        assert_eq!(download::<f32>(&memory, y), expected, "{iterations} of {shape:?} along {axis} of {layout}");
    }
    kernel.text.contains("tt.trans")
}

#[test]
fn random_layouts() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut split = 0;
    for _ in 0..25 {
        let warps = 1 << rng.random_range(0..3);
        let shape = random_shape(&mut rng, 10);
        let axis = rng.random_range(0..2);
        let layout = random_blocked(&mut rng, warps);
        split += u32::from(check(&layout, warps, shape, axis, &mut rng));
    }
    assert!(split > 8, "only {split} were kept in parts");
}

#[test]
fn layouts_of_products() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for (warps, shape, columns) in [(4, [64, 64], 64), (8, [128, 32], 32), (4, [128, 16], 16), (4, [64, 128], 64)] {
        let layout = format!(
            "#ttg.nvidia_mma<{{versionMajor = 3, versionMinor = 0, warpsPerCTA = [{warps}, 1], instrShape = [16, {columns}, 16]}}>"
        );
        assert!(check(&layout, warps, shape, 1, &mut rng), "{layout} is not kept in parts");
    }
    let version2 = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";
    for shape in [[32, 32], [64, 16]] {
        check(version2, 4, shape, 1, &mut rng);
        check(version2, 4, shape, 0, &mut rng);
    }
}
