// passes: share-operands
// target: sm_90a
// counts: ttg.local_alloc 1, ttg.local_load 2, ttg.memdesc_trans 1, ttg.convert_layout 0
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 2], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Scores multiply by the transposed keys, the gradient of queries by the keys.
  tt.func public @keys(%x: tensor<64x64xbf16, #blocked>, %pb: tensor<64x64x!tt.ptr<bf16>, #b>) {
    %k = arith.addf %x, %x : tensor<64x64xbf16, #blocked>
    %t = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #turned>
    %b = ttg.convert_layout %t : tensor<64x64xbf16, #turned> -> tensor<64x64xbf16, #b>
    tt.store %pb, %b : tensor<64x64x!tt.ptr<bf16>, #b>
    %c = ttg.convert_layout %k : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #b>
    tt.store %pb, %c : tensor<64x64x!tt.ptr<bf16>, #b>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 2], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @keys(%arg0: tensor<64x64xbf16, #blocked>, %arg1: tensor<64x64x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<64x64xbf16, #blocked>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #blocked1>
    %2 = ttg.local_alloc %0 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %3 = ttg.memdesc_trans %2 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xbf16, #shared, #smem> -> !ttg.memdesc<64x64xbf16, #shared1, #smem>
    %4 = ttg.local_load %3 : !ttg.memdesc<64x64xbf16, #shared1, #smem> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.store %arg1, %4 : tensor<64x64x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %5 = ttg.local_load %2 : !ttg.memdesc<64x64xbf16, #shared, #smem> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.store %arg1, %5 : tensor<64x64x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.return
  }
}

