// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The second load and its addresses move before the conversion of the first.
  tt.func public @two(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %at: tensor<64xi32, #blocked>, %out: tensor<64x!tt.ptr<f32>, #wide>) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %pa = tt.addptr %ps, %at : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %a = tt.load %pa : tensor<64x!tt.ptr<f32>, #blocked>
    %ac = ttg.convert_layout %a : tensor<64xf32, #blocked> -> tensor<64xf32, #wide>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %qa = tt.addptr %qs, %at : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %b = tt.load %qa : tensor<64x!tt.ptr<f32>, #blocked>
    %bc = ttg.convert_layout %b : tensor<64xf32, #blocked> -> tensor<64xf32, #wide>
    %sum = arith.addf %ac, %bc : tensor<64xf32, #wide>
    tt.store %out, %sum : tensor<64x!tt.ptr<f32>, #wide>
    tt.return
  }
  // Nothing passes a store, whatever it goes to.
  tt.func public @store(%pa: tensor<64x!tt.ptr<f32>, #blocked>, %qa: tensor<64x!tt.ptr<f32>, #blocked>, %out: tensor<64x!tt.ptr<f32>, #wide>) {
    %a = tt.load %pa : tensor<64x!tt.ptr<f32>, #blocked>
    %ac = ttg.convert_layout %a : tensor<64xf32, #blocked> -> tensor<64xf32, #wide>
    tt.store %out, %ac : tensor<64x!tt.ptr<f32>, #wide>
    %b = tt.load %qa : tensor<64x!tt.ptr<f32>, #blocked>
    %bc = ttg.convert_layout %b : tensor<64xf32, #blocked> -> tensor<64xf32, #wide>
    tt.store %out, %bc : tensor<64x!tt.ptr<f32>, #wide>
    tt.return
  }
  // What a load needs is not passed: the second load reads where the first says, through another layout.
  tt.func public @dependent(%pa: tensor<64x!tt.ptr<i32>, #blocked>, %q: !tt.ptr<f32>, %out: tensor<64x!tt.ptr<f32>, #wide>) {
    %a = tt.load %pa : tensor<64x!tt.ptr<i32>, #blocked>
    %ac = ttg.convert_layout %a : tensor<64xi32, #blocked> -> tensor<64xi32, #wide>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #wide>
    %qa = tt.addptr %qs, %ac : tensor<64x!tt.ptr<f32>, #wide>, tensor<64xi32, #wide>
    %b = tt.load %qa : tensor<64x!tt.ptr<f32>, #wide>
    tt.store %out, %b : tensor<64x!tt.ptr<f32>, #wide>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @two(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: tensor<64xi32, #blocked>, %arg3: tensor<64x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %1 = tt.addptr %0, %arg2 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %2 = tt.load %1 : tensor<64x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %arg2 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %5 = tt.load %4 : tensor<64x!tt.ptr<f32>, #blocked>
    %6 = ttg.convert_layout %2 : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked1>
    %7 = ttg.convert_layout %5 : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked1>
    %8 = arith.addf %6, %7 : tensor<64xf32, #blocked1>
    tt.store %arg3, %8 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @store(%arg0: tensor<64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked1>
    tt.store %arg2, %1 : tensor<64x!tt.ptr<f32>, #blocked1>
    %2 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #blocked>
    %3 = ttg.convert_layout %2 : tensor<64xf32, #blocked> -> tensor<64xf32, #blocked1>
    tt.store %arg2, %3 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @dependent(%arg0: tensor<64x!tt.ptr<i32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: tensor<64x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg0 : tensor<64x!tt.ptr<i32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64xi32, #blocked> -> tensor<64xi32, #blocked1>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked1>
    %3 = tt.addptr %2, %1 : tensor<64x!tt.ptr<f32>, #blocked1>, tensor<64xi32, #blocked1>
    %4 = tt.load %3 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.store %arg2, %4 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

