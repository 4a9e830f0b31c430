// passes: convert-to-ttg,f32-dot-tc
module {
  tt.func public @dot(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    tt.return %d : tensor<64x64xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @dot(%arg0: tensor<64x64xf32, #blocked>, %arg1: tensor<64x64xf32, #blocked>, %arg2: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %0 = ttg.convert_layout %arg0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = ttg.convert_layout %arg1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.convert_layout %arg2 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
    %3 = arith.truncf %0 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> to tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %4 = arith.extf %3 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %5 = arith.subf %0, %4 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %6 = arith.truncf %5 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> to tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %7 = arith.extf %6 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %8 = arith.subf %5, %7 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %9 = arith.truncf %8 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> to tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %10 = arith.truncf %1 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> to tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %11 = arith.extf %10 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %12 = arith.subf %1, %11 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %13 = arith.truncf %12 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> to tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %14 = arith.extf %13 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %15 = arith.subf %12, %14 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %16 = arith.truncf %15 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> to tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked1>
    %17 = tt.dot %9, %10, %cst, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %18 = tt.dot %6, %13, %17, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %19 = tt.dot %3, %16, %18, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %20 = tt.dot %6, %10, %19, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %21 = tt.dot %3, %13, %20, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %22 = math.absf %21 : tensor<64x64xf32, #blocked1>
    %cst_0 = arith.constant dense<0x7F800000> : tensor<64x64xf32, #blocked1>
    %23 = arith.cmpf olt, %22, %cst_0 : tensor<64x64xf32, #blocked1>
    %24 = arith.select %23, %21, %cst : tensor<64x64xi1, #blocked1>, tensor<64x64xf32, #blocked1>
    %25 = tt.dot %3, %10, %24, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %26 = arith.addf %25, %2 : tensor<64x64xf32, #blocked1>
    %27 = ttg.convert_layout %26 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked>
    tt.return %27 : tensor<64x64xf32, #blocked>
  }
}

