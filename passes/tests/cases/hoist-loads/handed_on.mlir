// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A number that the next iteration only hands on has that one to arrive, and stays; one that the next iteration uses goes before the barrier.
  tt.func public @scales(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32, %x: tensor<64xf32, #blocked>) -> tensor<64xf32, #wide> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1.0 : f32
    %zero = arith.constant dense<0.0> : tensor<64xf32, #wide>
    %sum, %now, %next, %other = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %s = %one, %t = %one, %u = %one) -> (tensor<64xf32, #wide>, f32, f32, f32) : i32 {
      %xc = ttg.convert_layout %x : tensor<64xf32, #blocked> -> tensor<64xf32, #wide>
      %both = arith.mulf %s, %u : f32
      %all = tt.splat %both : f32 -> tensor<64xf32, #wide>
      %scaled = arith.mulf %xc, %all : tensor<64xf32, #wide>
      %b = arith.addf %a, %scaled : tensor<64xf32, #wide>
      %pi = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %later = tt.load %pi : !tt.ptr<f32>
      %qi = tt.addptr %q, %i : !tt.ptr<f32>, i32
      %soon = tt.load %qi : !tt.ptr<f32>
      scf.yield %b, %t, %later, %soon : tensor<64xf32, #wide>, f32, f32, f32
    }
    tt.return %sum : tensor<64xf32, #wide>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scales(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf32, #blocked1>
    %0:4 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst_0, %arg6 = %cst, %arg7 = %cst, %arg8 = %cst) -> (tensor<64xf32, #blocked1>, f32, f32, f32)  : i32 {
      %1 = tt.addptr %arg1, %arg4 : !tt.ptr<f32>, i32
      %2 = tt.load %1 : !tt.ptr<f32>
      %3 = ttg.convert_layout %arg3 : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked1>
      %4 = arith.mulf %arg6, %arg8 : f32
      %5 = tt.splat %4 : f32 -> tensor<64xf32, #blocked1>
      %6 = arith.mulf %3, %5 : tensor<64xf32, #blocked1>
      %7 = arith.addf %arg5, %6 : tensor<64xf32, #blocked1>
      %8 = tt.addptr %arg0, %arg4 : !tt.ptr<f32>, i32
      %9 = tt.load %8 : !tt.ptr<f32>
      scf.yield %7, %arg7, %9, %2 : tensor<64xf32, #blocked1>, f32, f32, f32
    }
    tt.return %0#0 : tensor<64xf32, #blocked1>
  }
}

