// passes: drop-idle-warps,convert-to-ttg
// Products have rules of their own for warps.
module {
  tt.func public @products(%p: tensor<16x16x!tt.ptr<f32>>, %a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>, %q: tensor<8x!tt.ptr<f32>>) {
    %x = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    tt.store %p, %x : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @products(%arg0: tensor<16x16x!tt.ptr<f32>, #blocked>, %arg1: tensor<16x16xf16, #blocked>, %arg2: tensor<16x16xf16, #blocked>, %arg3: tensor<16x16xf32, #blocked>, %arg4: tensor<8x!tt.ptr<f32>, #blocked1>) {
    %0 = ttg.convert_layout %arg1 : tensor<16x16xf16, #blocked> -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    %1 = ttg.convert_layout %arg2 : tensor<16x16xf16, #blocked> -> tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
    %2 = tt.dot %0, %1, %arg3 : tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<16x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x16xf32, #blocked>
    tt.store %arg0, %2 : tensor<16x16x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

