//! A product that is stored and then added to again: ptxas once took the second for the first and dropped its instructions, because
//! their registers had the same names. So no two instructions may be written with the same registers; and both results must be right.

use crate::harness::Kernel;
use crate::hopper::numbers::Kind;
use rustc_hash::FxHashSet;
use tk_sim::DeviceMemory;
use tk_types::CompileOptions;

/// Stores A·B, and A·B added to it, one below the other.
fn text(n: usize, k: usize, result: &str) -> String {
    format!(
        "tt.func public @twice(%a: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}, %b: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}, %c: !tt.ptr<{result}> {{tt.divisibility = 16 : i32}}) {{
  %zero = arith.constant dense<0.0> : tensor<64x{n}x{result}>
  %below = arith.constant {below} : i32
  %m = tt.make_range {{start = 0 : i32, end = 64 : i32}} : tensor<64xi32>
  %n = tt.make_range {{start = 0 : i32, end = {n} : i32}} : tensor<{n}xi32>
  %k = tt.make_range {{start = 0 : i32, end = {k} : i32}} : tensor<{k}xi32>
  %m1 = tt.expand_dims %m {{axis = 1 : i32}} : tensor<64xi32> -> tensor<64x1xi32>
  %k0 = tt.expand_dims %k {{axis = 0 : i32}} : tensor<{k}xi32> -> tensor<1x{k}xi32>
  %k1 = tt.expand_dims %k {{axis = 1 : i32}} : tensor<{k}xi32> -> tensor<{k}x1xi32>
  %n0 = tt.expand_dims %n {{axis = 0 : i32}} : tensor<{n}xi32> -> tensor<1x{n}xi32>
  %depth = arith.constant dense<{k}> : tensor<64x1xi32>
  %width = arith.constant dense<{n}> : tensor<{k}x1xi32>
  %width_c = arith.constant dense<{n}> : tensor<64x1xi32>
  %am = arith.muli %m1, %depth : tensor<64x1xi32>
  %am2 = tt.broadcast %am : tensor<64x1xi32> -> tensor<64x{k}xi32>
  %ak2 = tt.broadcast %k0 : tensor<1x{k}xi32> -> tensor<64x{k}xi32>
  %ao = arith.addi %am2, %ak2 : tensor<64x{k}xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<64x{k}x!tt.ptr<f16>>
  %ap = tt.addptr %as, %ao : tensor<64x{k}x!tt.ptr<f16>>, tensor<64x{k}xi32>
  %av = tt.load %ap : tensor<64x{k}x!tt.ptr<f16>>
  %bk = arith.muli %k1, %width : tensor<{k}x1xi32>
  %bk2 = tt.broadcast %bk : tensor<{k}x1xi32> -> tensor<{k}x{n}xi32>
  %bn2 = tt.broadcast %n0 : tensor<1x{n}xi32> -> tensor<{k}x{n}xi32>
  %bo = arith.addi %bk2, %bn2 : tensor<{k}x{n}xi32>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<{k}x{n}x!tt.ptr<f16>>
  %bp = tt.addptr %bs, %bo : tensor<{k}x{n}x!tt.ptr<f16>>, tensor<{k}x{n}xi32>
  %bv = tt.load %bp : tensor<{k}x{n}x!tt.ptr<f16>>
  %cm = arith.muli %m1, %width_c : tensor<64x1xi32>
  %cm2 = tt.broadcast %cm : tensor<64x1xi32> -> tensor<64x{n}xi32>
  %cn2 = tt.broadcast %n0 : tensor<1x{n}xi32> -> tensor<64x{n}xi32>
  %co = arith.addi %cm2, %cn2 : tensor<64x{n}xi32>
  %cs = tt.splat %c : !tt.ptr<{result}> -> tensor<64x{n}x!tt.ptr<{result}>>
  %cp = tt.addptr %cs, %co : tensor<64x{n}x!tt.ptr<{result}>>, tensor<64x{n}xi32>
  %once = tt.dot %av, %bv, %zero : tensor<64x{k}xf16> * tensor<{k}x{n}xf16> -> tensor<64x{n}x{result}>
  tt.store %cp, %once : tensor<64x{n}x!tt.ptr<{result}>>
  %twice = tt.dot %av, %bv, %once : tensor<64x{k}xf16> * tensor<{k}x{n}xf16> -> tensor<64x{n}x{result}>
  %offset = tt.splat %below : i32 -> tensor<64x{n}xi32>
  %dp = tt.addptr %cp, %offset : tensor<64x{n}x!tt.ptr<{result}>>, tensor<64x{n}xi32>
  tt.store %dp, %twice : tensor<64x{n}x!tt.ptr<{result}>>
  tt.return
}}
",
        below = 64 * n
    )
}

#[test]
fn no_instruction_looks_like_another() {
    for result in [Kind::F16, Kind::F32] {
        for n in [8, 16, 32, 64, 128, 256] {
            for k in [16, 64] {
                check(n, k, result);
            }
        }
    }
}

fn check(n: usize, k: usize, result: Kind) {
    let name = if result == Kind::F16 { "f16" } else { "f32" };
    let kernel = Kernel::from_tt(&text(n, k, name), "sm_90a", CompileOptions::default());
    let products: Vec<&str> =
        kernel.generated.image.ptx.lines().map(str::trim).filter(|line| line.starts_with("wgmma.mma_async")).collect();
    assert_eq!(products.len(), 2 * k / 16);
    let distinct: FxHashSet<&str> = products.iter().copied().collect();
    assert_eq!(distinct.len(), products.len(), "{products:#?}");
    let first_block: Vec<_> = products[..k / 16].iter().map(|line| line.split('}').next()).collect();
    let second_block: Vec<_> = products[k / 16..].iter().map(|line| line.split('}').next()).collect();
    assert!(first_block.iter().all(|accumulators| !second_block.contains(accumulators)), "{products:#?}");

    let (a, b) = (Kind::F16.numbers(1, 64 * k, true), Kind::F16.numbers(2, k * n, true));
    let mut memory = DeviceMemory::new();
    let (pa, pb) = (Kind::F16.upload(&mut memory, &a), Kind::F16.upload(&mut memory, &b));
    let pc = result.upload(&mut memory, &vec![7.0; 2 * 64 * n]);
    kernel.run(&mut memory, [1, 1, 1], vec![pa.into(), pb.into(), pc.into()]);
    for (index, got) in result.download(&memory, pc).into_iter().enumerate() {
        let (times, row, column) = (1 + index / (64 * n), index / n % 64, index % n);
        let exact: f64 = (0..k).map(|i| a[row * k + i] * b[i * n + column]).sum();
        assert_eq!(got, times as f64 * exact, "{result:?}, n = {n}, k = {k}: {row}, {column}");
    }
}
