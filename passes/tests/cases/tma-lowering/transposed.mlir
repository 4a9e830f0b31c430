// passes: tma-lowering
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#wide = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#a32 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b32 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
#w32 = #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 1}>
#a16 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#a8 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b8 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#shared32 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared16 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared8 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Along K: `ldmatrix` reads words and bytes. The common load of the block and the conversion of it as it is stay what they are.
  tt.func public @along(%desc: !tt.tensordesc<tensor<32x32xf32, #shared32>>, %bytes: !tt.tensordesc<tensor<32x32xi8, #shared8>>, %row: i32) -> (tensor<32x32xf32, #b32>, tensor<32x32xf32, #a32>, tensor<32x32xf32, #blocked>, tensor<32x32xi8, #b8>) {
    %c0 = arith.constant 0 : i32
    %block = tt.descriptor_load %desc[%row, %c0] : !tt.tensordesc<tensor<32x32xf32, #shared32>> -> tensor<32x32xf32, #blocked>
    %trans = tt.trans %block {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #turned>
    %b = ttg.convert_layout %trans : tensor<32x32xf32, #turned> -> tensor<32x32xf32, #b32>
    %a = ttg.convert_layout %block : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #a32>
    %twice = arith.addf %block, %block : tensor<32x32xf32, #blocked>
    %block8 = tt.descriptor_load %bytes[%row, %c0] : !tt.tensordesc<tensor<32x32xi8, #shared8>> -> tensor<32x32xi8, #blocked>
    %trans8 = tt.trans %block8 {order = array<i32: 1, 0>} : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #turned>
    %b8 = ttg.convert_layout %trans8 : tensor<32x32xi8, #turned> -> tensor<32x32xi8, #b8>
    tt.return %b, %a, %twice, %b8 : tensor<32x32xf32, #b32>, tensor<32x32xf32, #a32>, tensor<32x32xf32, #blocked>, tensor<32x32xi8, #b8>
  }
  // Across K: words one by one, halves of words by `ldmatrix.trans`.
  tt.func public @across(%desc: !tt.tensordesc<tensor<32x32xf32, #shared32>>, %halves: !tt.tensordesc<tensor<32x32xf16, #shared16>>, %row: i32) -> (tensor<32x32xf32, #a32>, tensor<32x32xf16, #a16>) {
    %c0 = arith.constant 0 : i32
    %block = tt.descriptor_load %desc[%row, %c0] : !tt.tensordesc<tensor<32x32xf32, #shared32>> -> tensor<32x32xf32, #blocked>
    %trans = tt.trans %block {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #turned>
    %a = ttg.convert_layout %trans : tensor<32x32xf32, #turned> -> tensor<32x32xf32, #a32>
    %block16 = tt.descriptor_load %halves[%row, %c0] : !tt.tensordesc<tensor<32x32xf16, #shared16>> -> tensor<32x32xf16, #blocked>
    %trans16 = tt.trans %block16 {order = array<i32: 1, 0>} : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #turned>
    %a16 = ttg.convert_layout %trans16 : tensor<32x32xf16, #turned> -> tensor<32x32xf16, #a16>
    tt.return %a, %a16 : tensor<32x32xf32, #a32>, tensor<32x32xf16, #a16>
  }
  // Conversions stay: words that four warps would read with bank conflicts, bytes across K.
  tt.func public @slower(%desc: !tt.tensordesc<tensor<32x32xf32, #shared32>>, %bytes: !tt.tensordesc<tensor<32x32xi8, #shared8>>, %row: i32) -> (tensor<32x32xf32, #w32>, tensor<32x32xi8, #a8>) {
    %c0 = arith.constant 0 : i32
    %block = tt.descriptor_load %desc[%row, %c0] : !tt.tensordesc<tensor<32x32xf32, #shared32>> -> tensor<32x32xf32, #blocked>
    %trans = tt.trans %block {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #turned>
    %a = ttg.convert_layout %trans : tensor<32x32xf32, #turned> -> tensor<32x32xf32, #w32>
    %block8 = tt.descriptor_load %bytes[%row, %c0] : !tt.tensordesc<tensor<32x32xi8, #shared8>> -> tensor<32x32xi8, #blocked>
    %trans8 = tt.trans %block8 {order = array<i32: 1, 0>} : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #turned>
    %a8 = ttg.convert_layout %trans8 : tensor<32x32xi8, #turned> -> tensor<32x32xi8, #a8>
    tt.return %a, %a8 : tensor<32x32xf32, #w32>, tensor<32x32xi8, #a8>
  }
  // Something else needs the transposed block, or a branch does: the block is loaded for it.
  tt.func public @others(%desc: !tt.tensordesc<tensor<32x32xf32, #shared32>>, %row: i32, %is_product: i1, %zero: tensor<32x32xf32, #b32>) -> (tensor<32x32xf32, #b32>, tensor<32x32xf32, #turned>, tensor<32x32xf32, #b32>) {
    %c0 = arith.constant 0 : i32
    %block = tt.descriptor_load %desc[%row, %c0] : !tt.tensordesc<tensor<32x32xf32, #shared32>> -> tensor<32x32xf32, #blocked>
    %trans = tt.trans %block {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #turned>
    %b = ttg.convert_layout %trans : tensor<32x32xf32, #turned> -> tensor<32x32xf32, #b32>
    %again = tt.descriptor_load %desc[%c0, %c0] : !tt.tensordesc<tensor<32x32xf32, #shared32>> -> tensor<32x32xf32, #blocked>
    %some = scf.if %is_product -> tensor<32x32xf32, #b32> {
      %inside = tt.trans %again {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #turned>
      %own = ttg.convert_layout %inside : tensor<32x32xf32, #turned> -> tensor<32x32xf32, #b32>
      scf.yield %own : tensor<32x32xf32, #b32>
    } else {
      scf.yield %zero : tensor<32x32xf32, #b32>
    }
    tt.return %b, %trans, %some : tensor<32x32xf32, #b32>, tensor<32x32xf32, #turned>, tensor<32x32xf32, #b32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#shared4 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 8}>
#shared5 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared6 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @along(%arg0: !tt.tensordesc<tensor<32x32xf32, #shared>>, %arg1: !tt.tensordesc<tensor<32x32xi8, #shared1>>, %arg2: i32) -> (tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #blocked>, tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %true = arith.constant true
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %1, 4096, %true : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%arg2, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<32x32xf32, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %c0_i32_0 = arith.constant 0 : i32
    ttng.wait_barrier %1, %c0_i32_0 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %2 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf32, #shared3, #smem, mutable>
    %3 = ttg.local_load %0 : !ttg.memdesc<32x32xf32, #shared, #smem, mutable> -> tensor<32x32xf32, #blocked>
    %4 = ttg.local_load %2 : !ttg.memdesc<32x32xf32, #shared3, #smem, mutable> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %5 = ttg.local_load %0 : !ttg.memdesc<32x32xf32, #shared, #smem, mutable> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %6 = arith.addf %3, %3 : tensor<32x32xf32, #blocked>
    %7 = ttg.local_alloc : () -> !ttg.memdesc<32x32xi8, #shared1, #smem, mutable>
    %8 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %true_1 = arith.constant true
    ttng.init_barrier %8, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %8, 1024, %true_1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%arg2, %c0_i32] %7, %8, %true_1 : !tt.tensordesc<tensor<32x32xi8, #shared1>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<32x32xi8, #shared1, #smem, mutable>
    %c0_i32_2 = arith.constant 0 : i32
    ttng.wait_barrier %8, %c0_i32_2 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %8 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %9 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xi8, #shared1, #smem, mutable> -> !ttg.memdesc<32x32xi8, #shared4, #smem, mutable>
    %10 = ttg.local_load %9 : !ttg.memdesc<32x32xi8, #shared4, #smem, mutable> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    tt.return %4, %5, %6, %10 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #blocked>, tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
  }
  tt.func public @across(%arg0: !tt.tensordesc<tensor<32x32xf32, #shared>>, %arg1: !tt.tensordesc<tensor<32x32xf16, #shared5>>, %arg2: i32) -> (tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %true = arith.constant true
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %1, 4096, %true : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%arg2, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<32x32xf32, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %c0_i32_0 = arith.constant 0 : i32
    ttng.wait_barrier %1, %c0_i32_0 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %2 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf32, #shared3, #smem, mutable>
    %3 = ttg.local_load %2 : !ttg.memdesc<32x32xf32, #shared3, #smem, mutable> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %4 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared5, #smem, mutable>
    %5 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %true_1 = arith.constant true
    ttng.init_barrier %5, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %5, 2048, %true_1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%arg2, %c0_i32] %4, %5, %true_1 : !tt.tensordesc<tensor<32x32xf16, #shared5>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared5, #smem, mutable>
    %c0_i32_2 = arith.constant 0 : i32
    ttng.wait_barrier %5, %c0_i32_2 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %5 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %6 = ttg.memdesc_trans %4 {order = array<i32: 1, 0>} : !ttg.memdesc<32x32xf16, #shared5, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared6, #smem, mutable>
    %7 = ttg.local_load %6 : !ttg.memdesc<32x32xf16, #shared6, #smem, mutable> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.return %3, %7 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  }
  tt.func public @slower(%arg0: !tt.tensordesc<tensor<32x32xf32, #shared>>, %arg1: !tt.tensordesc<tensor<32x32xi8, #shared1>>, %arg2: i32) -> (tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>, tensor<32x32xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %true = arith.constant true
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %1, 4096, %true : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%arg2, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<32x32xf32, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %c0_i32_0 = arith.constant 0 : i32
    ttng.wait_barrier %1, %c0_i32_0 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %2 = ttg.local_load %0 : !ttg.memdesc<32x32xf32, #shared, #smem, mutable> -> tensor<32x32xf32, #blocked>
    %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %5 = ttg.local_alloc : () -> !ttg.memdesc<32x32xi8, #shared1, #smem, mutable>
    %6 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %true_1 = arith.constant true
    ttng.init_barrier %6, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %6, 1024, %true_1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%arg2, %c0_i32] %5, %6, %true_1 : !tt.tensordesc<tensor<32x32xi8, #shared1>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<32x32xi8, #shared1, #smem, mutable>
    %c0_i32_2 = arith.constant 0 : i32
    ttng.wait_barrier %6, %c0_i32_2 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %6 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %7 = ttg.local_load %5 : !ttg.memdesc<32x32xi8, #shared1, #smem, mutable> -> tensor<32x32xi8, #blocked>
    %8 = tt.trans %7 {order = array<i32: 1, 0>} : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #blocked1>
    %9 = ttg.convert_layout %8 : tensor<32x32xi8, #blocked1> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
    tt.return %4, %9 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>, tensor<32x32xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
  }
  tt.func public @others(%arg0: !tt.tensordesc<tensor<32x32xf32, #shared>>, %arg1: i32, %arg2: i1, %arg3: tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>) -> (tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #blocked1>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %true = arith.constant true
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %1, 4096, %true : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%arg1, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<32x32xf32, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %c0_i32_0 = arith.constant 0 : i32
    ttng.wait_barrier %1, %c0_i32_0 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %2 = ttg.local_load %0 : !ttg.memdesc<32x32xf32, #shared, #smem, mutable> -> tensor<32x32xf32, #blocked>
    %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %5 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %6 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %true_1 = arith.constant true
    ttng.init_barrier %6, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.barrier_expect %6, 4096, %true_1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32] %5, %6, %true_1 : !tt.tensordesc<tensor<32x32xf32, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<32x32xf32, #shared, #smem, mutable>
    %c0_i32_2 = arith.constant 0 : i32
    ttng.wait_barrier %6, %c0_i32_2 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %6 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %7 = ttg.local_load %5 : !ttg.memdesc<32x32xf32, #shared, #smem, mutable> -> tensor<32x32xf32, #blocked>
    %8 = scf.if %arg2 -> (tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>) {
      %9 = tt.trans %7 {order = array<i32: 1, 0>} : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #blocked1>
      %10 = ttg.convert_layout %9 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
      scf.yield %10 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    } else {
      scf.yield %arg3 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    }
    tt.return %4, %3, %8 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<32x32xf32, #blocked1>, tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
  }
}

