// passes: trim-copies
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#halves = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 64, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Of 128 rows of B the product reads 100, of which wgmma takes 104: a box has so many, and so many fewer bytes are announced.
  tt.func public @rows_of_a_product(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %b: !tt.tensordesc<tensor<128x64xf16, #shared>>, %bar: !ttg.memdesc<1xi64, #plain, #smem, mutable>, %c: tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma> {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %bar, 24576, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    %place = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %b[%zero, %zero] %place, %bar, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %right = ttg.memdesc_trans %place {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #turned, #smem, mutable>
    %sum = ttng.warp_group_dot %a, %right, %c {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 100, 64>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #turned, #smem, mutable> -> tensor<64x128xf32, #mma>
    tt.return %sum : tensor<64x128xf32, #mma>
  }

  // Threads read all of it, too.
  tt.func public @read_by_threads(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %b: !tt.tensordesc<tensor<128x64xf16, #shared>>, %bar: !ttg.memdesc<1xi64, #plain, #smem, mutable>, %c: tensor<64x128xf32, #mma>) -> (tensor<64x128xf32, #mma>, tensor<128x64xf16, #blocked>) {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %place = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %bar, 16384, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.async_tma_copy_global_to_local %b[%zero, %zero] %place, %bar, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %right = ttg.memdesc_trans %place {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #turned, #smem, mutable>
    %sum = ttng.warp_group_dot %a, %right, %c {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 112, 64>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #turned, #smem, mutable> -> tensor<64x128xf32, #mma>
    %read = ttg.local_load %place : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> tensor<128x64xf16, #blocked>
    tt.return %sum, %read : tensor<64x128xf32, #mma>, tensor<128x64xf16, #blocked>
  }

  // The second group of warps multiplies the columns from 64 on, as many as the first.
  tt.func public @groups_that_share_columns(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %b: !tt.tensordesc<tensor<128x64xf16, #shared>>, %bar: !ttg.memdesc<1xi64, #plain, #smem, mutable>, %c: tensor<64x128xf32, #halves>) -> tensor<64x128xf32, #halves> {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %place = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %bar, 16384, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.async_tma_copy_global_to_local %b[%zero, %zero] %place, %bar, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %right = ttg.memdesc_trans %place {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #turned, #smem, mutable>
    %sum = ttng.warp_group_dot %a, %right, %c {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 112, 64>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #turned, #smem, mutable> -> tensor<64x128xf32, #halves>
    tt.return %sum : tensor<64x128xf32, #halves>
  }

  // The bytes are announced elsewhere.
  tt.func public @announced_elsewhere(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %b: !tt.tensordesc<tensor<128x64xf16, #shared>>, %bar: !ttg.memdesc<1xi64, #plain, #smem, mutable>, %c: tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma> {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %place = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %b[%zero, %zero] %place, %bar, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %right = ttg.memdesc_trans %place {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #turned, #smem, mutable>
    %sum = ttng.warp_group_dot %a, %right, %c {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 112, 64>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #turned, #smem, mutable> -> tensor<64x128xf32, #mma>
    tt.return %sum : tensor<64x128xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows_of_a_product(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg1: !tt.tensordesc<tensor<128x64xf16, #shared>> {tk.box_rows = 104 : i32}, %arg2: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg3: tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %arg2, 21504, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %1 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%c0_i32, %c0_i32] %1, %arg2, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %2 = ttg.memdesc_trans %1 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
    %3 = ttng.warp_group_dot %arg0, %2, %arg3 {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 100, 64>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared2, #smem, mutable> -> tensor<64x128xf32, #mma>
    tt.return %3 : tensor<64x128xf32, #mma>
  }
  tt.func public @read_by_threads(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg1: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg2: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg3: tensor<64x128xf32, #mma>) -> (tensor<64x128xf32, #mma>, tensor<128x64xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %arg2, 16384, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%c0_i32, %c0_i32] %0, %arg2, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
    %2 = ttng.warp_group_dot %arg0, %1, %arg3 {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 112, 64>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared2, #smem, mutable> -> tensor<64x128xf32, #mma>
    %3 = ttg.local_load %0 : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> tensor<128x64xf16, #blocked>
    tt.return %2, %3 : tensor<64x128xf32, #mma>, tensor<128x64xf16, #blocked>
  }
  tt.func public @groups_that_share_columns(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg1: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg2: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg3: tensor<64x128xf32, #mma1>) -> tensor<64x128xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %arg2, 16384, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%c0_i32, %c0_i32] %0, %arg2, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
    %2 = ttng.warp_group_dot %arg0, %1, %arg3 {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 112, 64>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared2, #smem, mutable> -> tensor<64x128xf32, #mma1>
    tt.return %2 : tensor<64x128xf32, #mma1>
  }
  tt.func public @announced_elsewhere(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg1: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg2: !ttg.memdesc<1xi64, #shared1, #smem, mutable>, %arg3: tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%c0_i32, %c0_i32] %0, %arg2, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
    %2 = ttng.warp_group_dot %arg0, %1, %arg3 {inputPrecision = 0 : i32, tk.inside = array<i32: 64, 112, 64>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared2, #smem, mutable> -> tensor<64x128xf32, #mma>
    tt.return %2 : tensor<64x128xf32, #mma>
  }
}

