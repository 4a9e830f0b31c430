// passes: drop-idle-warps,convert-to-ttg
// Blocks of 64 elements fill two of four warps.
module {
  tt.func public @rows(%p: tensor<64x!tt.ptr<f32>>, %q: tensor<16x4x!tt.ptr<f32>>) {
    %x = tt.load %p : tensor<64x!tt.ptr<f32>>
    tt.store %p, %x : tensor<64x!tt.ptr<f32>>
    %y = tt.load %q : tensor<16x4x!tt.ptr<f32>>
    tt.store %q, %y : tensor<16x4x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%arg0: tensor<64x!tt.ptr<f32>, #blocked>, %arg1: tensor<16x4x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %arg0, %0 : tensor<64x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg1 : tensor<16x4x!tt.ptr<f32>, #blocked1>
    tt.store %arg1, %1 : tensor<16x4x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

