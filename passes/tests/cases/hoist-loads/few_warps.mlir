// passes: hoist-loads
// grid: few
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The grid brings no other warps: 64 registers wait for memory beside the load in front of the conversion, and not behind it.
  tt.func public @alone(%pa: tensor<8192x!tt.ptr<f32>, #blocked>, %pb: tensor<512x!tt.ptr<f32>, #blocked>, %pc: tensor<512x!tt.ptr<f32>, #blocked1>) {
    %b = tt.load %pb : tensor<512x!tt.ptr<f32>, #blocked>
    %c = ttg.convert_layout %b : tensor<512xf32, #blocked> -> tensor<512xf32, #blocked1>
    %a = tt.load %pa : tensor<8192x!tt.ptr<f32>, #blocked>
    tt.store %pc, %c : tensor<512x!tt.ptr<f32>, #blocked1>
    tt.store %pa, %a : tensor<8192x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @alone(%arg0: tensor<8192x!tt.ptr<f32>, #blocked>, %arg1: tensor<512x!tt.ptr<f32>, #blocked>, %arg2: tensor<512x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg1 : tensor<512x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg0 : tensor<8192x!tt.ptr<f32>, #blocked>
    %2 = ttg.convert_layout %0 : tensor<512xf32, #blocked> -> tensor<512xf32, #blocked1>
    tt.store %arg2, %2 : tensor<512x!tt.ptr<f32>, #blocked1>
    tt.store %arg0, %1 : tensor<8192x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

