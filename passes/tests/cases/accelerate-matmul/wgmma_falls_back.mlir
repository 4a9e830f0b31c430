// passes: convert-to-ttg,accelerate-matmul,remove-layout-conversions,cse
module {
  // 32 rows are too few for wgmma.
  tt.func public @few_rows(%pa: tensor<32x64x!tt.ptr<f16>>, %pb: tensor<64x64x!tt.ptr<f16>>, %pc: tensor<32x64x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<32x64xf32>
    %a = tt.load %pa : tensor<32x64x!tt.ptr<f16>>
    %b = tt.load %pb : tensor<64x64x!tt.ptr<f16>>
    %c = tt.dot %a, %b, %zero : tensor<32x64xf16> * tensor<64x64xf16> -> tensor<32x64xf32>
    tt.store %pc, %c : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
  // Full f32 is computed with multiply-add.
  tt.func public @ieee(%pa: tensor<64x32x!tt.ptr<f32>>, %pb: tensor<32x64x!tt.ptr<f32>>, %pc: tensor<64x64x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %a = tt.load %pa : tensor<64x32x!tt.ptr<f32>>
    %b = tt.load %pb : tensor<32x64x!tt.ptr<f32>>
    %c = tt.dot %a, %b, %zero, inputPrecision = ieee : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
    tt.store %pc, %c : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @few_rows(%arg0: tensor<32x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<32x64x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<32x64x!tt.ptr<f16>, #blocked>
    %1 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %2 = ttg.convert_layout %0 : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %3 = ttg.convert_layout %1 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %4 = tt.dot %2, %3, %cst : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    %5 = ttg.convert_layout %4 : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #blocked>
    tt.store %arg2, %5 : tensor<32x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @ieee(%arg0: tensor<64x32x!tt.ptr<f32>, #blocked1>, %arg1: tensor<32x64x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked2>
    %0 = tt.load %arg0 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    %1 = tt.load %arg1 : tensor<32x64x!tt.ptr<f32>, #blocked>
    %2 = ttg.convert_layout %0 : tensor<64x32xf32, #blocked1> -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %3 = ttg.convert_layout %1 : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %4 = tt.dot %2, %3, %cst : tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %5 = ttg.convert_layout %4 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked>
    tt.store %arg2, %5 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

