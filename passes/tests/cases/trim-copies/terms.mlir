// passes: trim-copies
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Of 128 keys the product has 72 as its terms, and its instructions take 80. A block of 128 columns is two copies, each of so many rows.
  tt.func public @terms_of_a_product(%weights: tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %v: !tt.tensordesc<tensor<128x128xf16, #shared>>, %bar: !ttg.memdesc<1xi64, #plain, #smem, mutable>, %c: tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma> {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %place = ttg.local_alloc : () -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    ttng.barrier_expect %bar, 32768, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.async_tma_copy_global_to_local %v[%zero, %zero] %place, %bar, %true : !tt.tensordesc<tensor<128x128xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %sum = ttng.warp_group_dot %weights, %place, %c {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 128, 72>} : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> tensor<64x128xf32, #mma>
    tt.return %sum : tensor<64x128xf32, #mma>
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @terms_of_a_product(%arg0: tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: !tt.tensordesc<tensor<128x128xf16, #shared>> {tk.box_rows = 80 : i32}, %arg2: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg3: tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    ttng.barrier_expect %arg2, 20480, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%c0_i32, %c0_i32] %0, %arg2, %true : !tt.tensordesc<tensor<128x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %1 = ttng.warp_group_dot %arg0, %0, %arg3 {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 128, 72>} : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> tensor<64x128xf32, #mma>
    tt.return %1 : tensor<64x128xf32, #mma>
  }
}

