// passes: convert-to-ttg,accelerate-matmul,remove-layout-conversions
// target: sm_80
module {
  tt.func public @dot(%pa: tensor<64x64x!tt.ptr<bf16>>, %pb: tensor<64x64x!tt.ptr<bf16>>, %pc: tensor<64x64x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %a = tt.load %pa : tensor<64x64x!tt.ptr<bf16>>
    %b = tt.load %pb : tensor<64x64x!tt.ptr<bf16>>
    %c = tt.dot %a, %b, %zero : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
    tt.store %pc, %c : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @dot(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %1 = tt.load %arg1 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %2 = ttg.convert_layout %0 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %3 = ttg.convert_layout %1 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %4 = tt.dot %2, %3, %cst : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
    %5 = ttg.convert_layout %4 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %arg2, %5 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

