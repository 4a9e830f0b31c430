// passes: convert-to-ttg,accelerate-matmul,remove-layout-conversions,cse
module {
  // Whole rows would leave two of the four warps to compute what the others do. Both products share rows and columns in the same way.
  tt.func public @few_rows(%pa: tensor<32x64x!tt.ptr<bf16>>, %pb: tensor<64x32x!tt.ptr<bf16>>, %pd: tensor<32x64x!tt.ptr<bf16>>, %pc: tensor<32x64x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %none = arith.constant dense<0.0> : tensor<32x64xf32>
    %a = tt.load %pa : tensor<32x64x!tt.ptr<bf16>>
    %b = tt.load %pb : tensor<64x32x!tt.ptr<bf16>>
    %d = tt.load %pd : tensor<32x64x!tt.ptr<bf16>>
    %s = tt.dot %a, %b, %zero : tensor<32x64xbf16> * tensor<64x32xbf16> -> tensor<32x32xf32>
    %p = math.exp2 %s : tensor<32x32xf32>
    %h = arith.truncf %p : tensor<32x32xf32> to tensor<32x32xbf16>
    %c = tt.dot %h, %d, %none : tensor<32x32xbf16> * tensor<32x64xbf16> -> tensor<32x64xf32>
    tt.store %pc, %c : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
  // Rows for all warps: whole rows in each, for both.
  tt.func public @rows_enough(%pa: tensor<64x64x!tt.ptr<f32>>, %pb: tensor<64x32x!tt.ptr<f32>>, %pd: tensor<32x64x!tt.ptr<f64>>, %pc: tensor<64x64x!tt.ptr<f64>>) {
    %zero = arith.constant dense<0.0> : tensor<64x32xf64>
    %none = arith.constant dense<0.0> : tensor<64x64xf64>
    %a = tt.load %pa : tensor<64x64x!tt.ptr<f32>>
    %b = tt.load %pb : tensor<64x32x!tt.ptr<f32>>
    %d = tt.load %pd : tensor<32x64x!tt.ptr<f64>>
    %wide_a = arith.extf %a : tensor<64x64xf32> to tensor<64x64xf64>
    %wide_b = arith.extf %b : tensor<64x32xf32> to tensor<64x32xf64>
    %s = tt.dot %wide_a, %wide_b, %zero : tensor<64x64xf64> * tensor<64x32xf64> -> tensor<64x32xf64>
    %c = tt.dot %s, %d, %none : tensor<64x32xf64> * tensor<32x64xf64> -> tensor<64x64xf64>
    tt.store %pc, %c : tensor<64x64x!tt.ptr<f64>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @few_rows(%arg0: tensor<32x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x32x!tt.ptr<bf16>, #blocked1>, %arg2: tensor<32x64x!tt.ptr<bf16>, #blocked>, %arg3: tensor<32x64x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    %1 = tt.load %arg1 : tensor<64x32x!tt.ptr<bf16>, #blocked1>
    %2 = tt.load %arg2 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    %3 = ttg.convert_layout %0 : tensor<32x64xbf16, #blocked> -> tensor<32x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %4 = ttg.convert_layout %1 : tensor<64x32xbf16, #blocked1> -> tensor<64x32xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %5 = tt.dot %3, %4, %cst : tensor<32x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x32xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
    %6 = math.exp2 %5 : tensor<32x32xf32, #mma>
    %7 = arith.truncf %6 : tensor<32x32xf32, #mma> to tensor<32x32xbf16, #mma>
    %8 = ttg.convert_layout %7 : tensor<32x32xbf16, #mma> -> tensor<32x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %9 = ttg.convert_layout %2 : tensor<32x64xbf16, #blocked> -> tensor<32x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %10 = tt.dot %8, %9, %cst_0 : tensor<32x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    %11 = ttg.convert_layout %10 : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #blocked>
    tt.store %arg3, %11 : tensor<32x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @rows_enough(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x32x!tt.ptr<f32>, #blocked1>, %arg2: tensor<32x64x!tt.ptr<f64>, #blocked>, %arg3: tensor<64x64x!tt.ptr<f64>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf64, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf64, #mma1>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %2 = tt.load %arg1 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<64x32xf32, #blocked1> -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>>
    %4 = tt.load %arg2 : tensor<32x64x!tt.ptr<f64>, #blocked>
    %5 = arith.extf %1 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> to tensor<64x64xf64, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %6 = arith.extf %3 : tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>> to tensor<64x32xf64, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>>
    %7 = tt.dot %5, %6, %cst : tensor<64x64xf64, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * tensor<64x32xf64, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>> -> tensor<64x32xf64, #mma1>
    %8 = ttg.convert_layout %7 : tensor<64x32xf64, #mma1> -> tensor<64x32xf64, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %9 = ttg.convert_layout %4 : tensor<32x64xf64, #blocked> -> tensor<32x64xf64, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>>
    %10 = tt.dot %8, %9, %cst_0 : tensor<64x32xf64, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * tensor<32x64xf64, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>> -> tensor<64x64xf64, #mma1>
    %11 = ttg.convert_layout %10 : tensor<64x64xf64, #mma1> -> tensor<64x64xf64, #blocked>
    tt.store %arg3, %11 : tensor<64x64x!tt.ptr<f64>, #blocked>
    tt.return
  }
}

