// passes: convert-to-ttg,f32-dot-tc
// counts: tt.dot 5, arith.addf 1
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
    %13 = tt.elementwise_inline_asm "cvt.rna.tf32.f32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %10 : tensor<64x4xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> -> tensor<64x4xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %14 = arith.subf %10, %13 : tensor<64x4xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>>
    %15 = tt.elementwise_inline_asm "cvt.rna.tf32.f32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %11 : tensor<4x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<4x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %16 = arith.subf %11, %15 : tensor<4x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked2>
    %17 = tt.dot %14, %15, %cst, inputPrecision = tf32 : tensor<64x4xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<4x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %18 = tt.dot %13, %16, %17, inputPrecision = tf32 : tensor<64x4xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<4x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %19 = math.absf %18 : tensor<64x64xf32, #blocked2>
    %cst_0 = arith.constant dense<0x7F800000> : tensor<64x64xf32, #blocked2>
    %20 = arith.cmpf olt, %19, %cst_0 : tensor<64x64xf32, #blocked2>
    %21 = arith.select %20, %18, %cst : tensor<64x64xi1, #blocked2>, tensor<64x64xf32, #blocked2>
    %22 = tt.dot %13, %15, %21, inputPrecision = tf32 : tensor<64x4xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked2}>> * tensor<4x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked2}>> -> tensor<64x64xf32, #blocked2>
    %23 = arith.addf %22, %12 : tensor<64x64xf32, #blocked2>
    %24 = ttg.convert_layout %23 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #blocked>
    tt.return %24 : tensor<64x64xf32, #blocked>
  }
}

