// passes: optimize-dot-operands,canonicalize
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // Keys that are cast, scaled and transposed: the block is transposed before, so that it is read so.
  tt.func public @keys(%p: tensor<32x64x!tt.ptr<f16>, #blocked>) -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> {
    %two = arith.constant dense<2.0> : tensor<32x64xf32, #blocked>
    %three = arith.constant dense<3.0> : tensor<64x32xf32, #turned>
    %h = tt.load %p : tensor<32x64x!tt.ptr<f16>, #blocked>
    %f = arith.extf %h : tensor<32x64xf16, #blocked> to tensor<32x64xf32, #blocked>
    %s = arith.mulf %f, %two : tensor<32x64xf32, #blocked>
    %t = tt.trans %s {order = array<i32: 1, 0>} : tensor<32x64xf32, #blocked> -> tensor<64x32xf32, #turned>
    %u = arith.mulf %t, %three : tensor<64x32xf32, #turned>
    %b = ttg.convert_layout %u : tensor<64x32xf32, #turned> -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    tt.return %b : tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
  }
  // Another product reads the block as it is: each has its own read.
  tt.func public @both(%p: tensor<32x32x!tt.ptr<f16>, #blocked>) -> (tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>) {
    %h = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
    %f = arith.extf %h : tensor<32x32xf16, #blocked> to tensor<32x32xf32, #blocked>
    %t = tt.trans %f {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #turned>
    %b = ttg.convert_layout %t : tensor<32x32xf32, #turned> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %c = ttg.convert_layout %f : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    tt.return %b, %c : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
  }
  // A block and its transpose are added: neither read is both.
  tt.func public @sum(%p: tensor<32x32x!tt.ptr<f16>, #blocked>) -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> {
    %h = tt.load %p : tensor<32x32x!tt.ptr<f16>, #blocked>
    %f = arith.extf %h : tensor<32x32xf16, #blocked> to tensor<32x32xf32, #blocked>
    %t = tt.trans %f {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #turned>
    %g = ttg.convert_layout %f : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #turned>
    %a = arith.addf %t, %g : tensor<32x32xf32, #turned>
    %b = ttg.convert_layout %a : tensor<32x32xf32, #turned> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    tt.return %b : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
  }
  // The cast narrows: fewer bytes are transposed behind it.
  tt.func public @narrows(%p: tensor<32x64x!tt.ptr<f32>, #blocked>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> {
    %f = tt.load %p : tensor<32x64x!tt.ptr<f32>, #blocked>
    %h = arith.truncf %f : tensor<32x64xf32, #blocked> to tensor<32x64xf16, #blocked>
    %t = tt.trans %h {order = array<i32: 1, 0>} : tensor<32x64xf16, #blocked> -> tensor<64x32xf16, #turned>
    %b = ttg.convert_layout %t : tensor<64x32xf16, #turned> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.return %b : tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @keys(%arg0: tensor<32x64x!tt.ptr<f16>, #blocked>) -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> {
    %cst = arith.constant dense<3.000000e+00> : tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %0 = tt.load %arg0 : tensor<32x64x!tt.ptr<f16>, #blocked>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<32x64xf16, #blocked> -> tensor<64x32xf16, #blocked1>
    %2 = ttg.convert_layout %1 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %3 = arith.extf %2 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> to tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %4 = arith.mulf %3, %cst_0 : tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %5 = arith.mulf %4, %cst : tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    tt.return %5 : tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
  }
  tt.func public @both(%arg0: tensor<32x32x!tt.ptr<f16>, #blocked>) -> (tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>) {
    %0 = tt.load %arg0 : tensor<32x32x!tt.ptr<f16>, #blocked>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #blocked1>
    %2 = ttg.convert_layout %1 : tensor<32x32xf16, #blocked1> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %3 = arith.extf %2 : tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> to tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %4 = ttg.convert_layout %0 : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %5 = arith.extf %4 : tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> to tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    tt.return %3, %5 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
  }
  tt.func public @sum(%arg0: tensor<32x32x!tt.ptr<f16>, #blocked>) -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> {
    %0 = tt.load %arg0 : tensor<32x32x!tt.ptr<f16>, #blocked>
    %1 = arith.extf %0 : tensor<32x32xf16, #blocked> to tensor<32x32xf32, #blocked>
    %2 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %3 = ttg.convert_layout %1 : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %4 = arith.addf %2, %3 : tensor<32x32xf32, #blocked1>
    %5 = ttg.convert_layout %4 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    tt.return %5 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
  }
  tt.func public @narrows(%arg0: tensor<32x64x!tt.ptr<f32>, #blocked>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> {
    %0 = tt.load %arg0 : tensor<32x64x!tt.ptr<f32>, #blocked>
    %1 = arith.truncf %0 : tensor<32x64xf32, #blocked> to tensor<32x64xf16, #blocked>
    %2 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<32x64xf16, #blocked> -> tensor<64x32xf16, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<64x32xf16, #blocked1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.return %3 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
  }
}

