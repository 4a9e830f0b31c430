// passes: convert-to-ttg,f32-dot-tc
// counts: tt.dot 5, arith.addf 0
module {
  tt.func public @dot(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>, %s: tensor<64x4xf32>, %t: tensor<4x64xf32>) -> tensor<64x64xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %e = tt.dot %a, %b, %d, inputPrecision = ieee : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %f = tt.dot %s, %t, %e, inputPrecision = tf32x3 : tensor<64x4xf32> * tensor<4x64xf32> -> tensor<64x64xf32>
    tt.return %f : tensor<64x64xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @dot(%arg0: tensor<64x64xf32, #blocked>, %arg1: tensor<64x64xf32, #blocked>, %arg2: tensor<64x64xf32, #blocked>, %arg3: tensor<64x4xf32, #blocked1>, %arg4: tensor<4x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked2>
    %3 = tt.dot %0, %1, %2, inputPrecision = tf32 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %4 = ttg.convert_layout %3 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked>
    %5 = ttg.convert_layout %arg0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %6 = ttg.convert_layout %arg1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %7 = ttg.convert_layout %4 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked2>
    %8 = tt.dot %5, %6, %7 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %9 = ttg.convert_layout %8 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked>
    %10 = ttg.convert_layout %arg3 : tensor<64x4xf32, #blocked1> -> tensor<64x4xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %11 = ttg.convert_layout %arg4 : tensor<4x64xf32, #blocked> -> tensor<4x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %12 = ttg.convert_layout %9 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked2>
    %13 = tt.dot %10, %11, %12, inputPrecision = tf32x3 : tensor<64x4xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<4x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %14 = ttg.convert_layout %13 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked>
    tt.return %14 : tensor<64x64xf32, #blocked>
  }
}

