// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The conversion's barrier orders the store and the load of `p`; the load of `q` passes it.
  tt.func public @stored(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: tensor<64xf32, #blocked>, %out: tensor<64x!tt.ptr<f32>, #wide>) {
    %pb = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %pw = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #wide>
    %qw = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #wide>
    tt.store %pb, %x : tensor<64x!tt.ptr<f32>, #blocked>
    %xc = ttg.convert_layout %x : tensor<64xf32, #blocked> -> tensor<64xf32, #wide>
    %a = tt.load %pw : tensor<64x!tt.ptr<f32>, #wide>
    %b = tt.load %qw : tensor<64x!tt.ptr<f32>, #wide>
    %s = arith.addf %xc, %a : tensor<64xf32, #wide>
    %t = arith.addf %s, %b : tensor<64xf32, #wide>
    tt.store %out, %t : tensor<64x!tt.ptr<f32>, #wide>
    tt.return
  }
  // A write behind the load, in a loop around both, comes before it in the next iteration.
  tt.func public @around(%p: !tt.ptr<f32>, %n: i32, %out: tensor<64x!tt.ptr<f32>, #wide>, %x: tensor<64xf32, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %pw = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #wide>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %xc = ttg.convert_layout %x : tensor<64xf32, #blocked> -> tensor<64xf32, #wide>
      %a = tt.load %pw : tensor<64x!tt.ptr<f32>, #wide>
      %s = arith.addf %xc, %a : tensor<64xf32, #wide>
      tt.store %pw, %s : tensor<64x!tt.ptr<f32>, #wide>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @stored(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: tensor<64xf32, #blocked>, %arg3: tensor<64x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked1>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked1>
    tt.store %0, %arg2 : tensor<64x!tt.ptr<f32>, #blocked>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f32>, #blocked1>
    %4 = ttg.convert_layout %arg2 : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked1>
    %5 = tt.load %1 : tensor<64x!tt.ptr<f32>, #blocked1>
    %6 = arith.addf %4, %5 : tensor<64xf32, #blocked1>
    %7 = arith.addf %6, %3 : tensor<64xf32, #blocked1>
    tt.store %arg3, %7 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @around(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: tensor<64x!tt.ptr<f32>, #blocked1>, %arg3: tensor<64xf32, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked1>
    scf.for %arg4 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %1 = ttg.convert_layout %arg3 : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked1>
      %2 = tt.load %0 : tensor<64x!tt.ptr<f32>, #blocked1>
      %3 = arith.addf %1, %2 : tensor<64xf32, #blocked1>
      tt.store %0, %3 : tensor<64x!tt.ptr<f32>, #blocked1>
    }
    tt.return
  }
}

