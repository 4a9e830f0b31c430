// passes: convert-to-ttg,f32-dot-tc
module {
  tt.func public @dot(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
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
    %3 = tt.elementwise_inline_asm "cvt.rna.tf32.f32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %0 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %4 = arith.subf %0, %3 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %5 = tt.elementwise_inline_asm "cvt.rna.tf32.f32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %1 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %6 = arith.subf %1, %5 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked1>
    %7 = tt.dot %4, %5, %cst, inputPrecision = tf32 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %8 = tt.dot %3, %6, %7, inputPrecision = tf32 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %9 = math.absf %8 : tensor<64x64xf32, #blocked1>
    %cst_0 = arith.constant dense<0x7F800000> : tensor<64x64xf32, #blocked1>
    %10 = arith.cmpf olt, %9, %cst_0 : tensor<64x64xf32, #blocked1>
    %11 = arith.select %10, %8, %cst : tensor<64x64xi1, #blocked1>, tensor<64x64xf32, #blocked1>
    %12 = tt.dot %3, %5, %11, inputPrecision = tf32 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %13 = arith.addf %12, %2 : tensor<64x64xf32, #blocked1>
    %14 = ttg.convert_layout %13 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked>
    tt.return %14 : tensor<64x64xf32, #blocked>
  }
}

