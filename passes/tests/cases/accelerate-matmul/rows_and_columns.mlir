// passes: convert-to-ttg,accelerate-matmul,remove-layout-conversions,cse
// warps: 2
module {
  // Alone, the second product would have whole columns in a warp, the first one whole rows.
  tt.func public @rows_and_columns(%pa: tensor<32x64x!tt.ptr<f32>>, %pb: tensor<64x32x!tt.ptr<f32>>, %pd: tensor<32x64x!tt.ptr<f32>>, %pc: tensor<32x64x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %none = arith.constant dense<0.0> : tensor<32x64xf32>
    %a = tt.load %pa : tensor<32x64x!tt.ptr<f32>>
    %b = tt.load %pb : tensor<64x32x!tt.ptr<f32>>
    %d = tt.load %pd : tensor<32x64x!tt.ptr<f32>>
    %s = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<32x64xf32> * tensor<64x32xf32> -> tensor<32x32xf32>
    %p = math.exp2 %s : tensor<32x32xf32>
    %c = tt.dot %p, %d, %none, inputPrecision = tf32 : tensor<32x32xf32> * tensor<32x64xf32> -> tensor<32x64xf32>
    tt.store %pc, %c : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows_and_columns(%arg0: tensor<32x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x32x!tt.ptr<f32>, #blocked1>, %arg2: tensor<32x64x!tt.ptr<f32>, #blocked>, %arg3: tensor<32x64x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<32x64x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg1 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    %2 = tt.load %arg2 : tensor<32x64x!tt.ptr<f32>, #blocked>
    %3 = ttg.convert_layout %0 : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %4 = ttg.convert_layout %1 : tensor<64x32xf32, #blocked1> -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %5 = tt.dot %3, %4, %cst, inputPrecision = tf32 : tensor<32x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> -> tensor<32x32xf32, #mma>
    %6 = math.exp2 %5 : tensor<32x32xf32, #mma>
    %7 = ttg.convert_layout %6 : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %8 = ttg.convert_layout %2 : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %9 = tt.dot %7, %8, %cst_0, inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> -> tensor<32x64xf32, #mma>
    %10 = ttg.convert_layout %9 : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #blocked>
    tt.store %arg3, %10 : tensor<32x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

