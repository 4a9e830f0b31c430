// passes: optimize-dot-operands
// counts: ttg.convert_layout 3, arith.sitofp 3
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both products read one block of numbers from shared memory, and not bytes.
  tt.func public @both_ways(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %x: tensor<32x64xf16, #a>, %y: tensor<32x64xf16, #a>, %c: tensor<32x64xf32, #mma>) -> (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) {
    %bytes = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
    %h = arith.sitofp %bytes : tensor<64x64xi8, #blocked> to tensor<64x64xf16, #blocked>
    %t = tt.trans %h {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #turned>
    %k = ttg.convert_layout %t : tensor<64x64xf16, #turned> -> tensor<64x64xf16, #b>
    %scores = tt.dot %x, %k, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #mma>
    %v = ttg.convert_layout %h : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    %sum = tt.dot %y, %v, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #mma>
    tt.return %scores, %sum : tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>
  }
  // One product reads the bytes.
  tt.func public @turned(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %x: tensor<32x64xf16, #a>, %y: tensor<32x64xf16, #a>, %c: tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma> {
    %bytes = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
    %h = arith.sitofp %bytes : tensor<64x64xi8, #blocked> to tensor<64x64xf16, #blocked>
    %t = tt.trans %h {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #turned>
    %k = ttg.convert_layout %t : tensor<64x64xf16, #turned> -> tensor<64x64xf16, #b>
    %scores = tt.dot %x, %k, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #mma>
    tt.return %scores : tensor<32x64xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @both_ways(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: tensor<32x64xf32, #mma>) -> (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) {
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
    %1 = arith.sitofp %0 : tensor<64x64xi8, #blocked> to tensor<64x64xf16, #blocked>
    %2 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %4 = tt.dot %arg1, %3, %arg3 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    %5 = ttg.convert_layout %1 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %6 = tt.dot %arg2, %5, %arg3 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    tt.return %4, %6 : tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>
  }
  tt.func public @turned(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma> {
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
    %1 = arith.sitofp %0 : tensor<64x64xi8, #blocked> to tensor<64x64xf16, #blocked>
    %2 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %3 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<64x64xi8, #blocked1> -> tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %5 = arith.sitofp %4 : tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %6 = tt.dot %arg1, %5, %arg3 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    tt.return %6 : tensor<32x64xf32, #mma>
  }
}

