// passes: permute-terms
// counts: tt.trans 5
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two copies of single elements fill the ring that the product reads: pointers and masks of rows change places, of both. A wait hands the weights on.
  tt.func public @copied(%p: tensor<64x64xf32, #mma>, %v: tensor<64x16x!tt.ptr<f32>, #blocked>, %m: tensor<64x16xi1, #blocked>, %sum: tensor<64x16xf32, #mma1>) -> tensor<64x16xf32, #mma1> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable>
    %to = ttg.memdesc_index %ring[%c0] : !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %copy = ttg.async_copy_global_to_local %v, %to mask %m : tensor<64x16x!tt.ptr<f32>, #blocked> -> <64x16xf32, #shared, #smem, mutable>
    %group = ttg.async_commit_group tokens %copy
    %to1 = ttg.memdesc_index %ring[%c1] : !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %copy1 = ttg.async_copy_global_to_local %v, %to1 mask %m : tensor<64x16x!tt.ptr<f32>, #blocked> -> <64x16xf32, #shared, #smem, mutable>
    %group1 = ttg.async_commit_group tokens %copy1
    %wait = ttg.async_wait %group, %group1 {num = 0 : i32}
    %from = ttg.memdesc_index %ring[%c0] : !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %a = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %w:2 = ttng.warp_group_dot_wait %a, %sum {pendings = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>, tensor<64x16xf32, #mma1>
    %d = ttng.warp_group_dot %w#0, %from, %w#1 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared, #smem, mutable> -> tensor<64x16xf32, #mma1>
    ttg.local_dealloc %ring : !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable>
    tt.return %d : tensor<64x16xf32, #mma1>
  }
  // Four elements of a column are copied at a time, which other places would tear apart: nothing changes places.
  tt.func public @wide(%p: tensor<64x64xf32, #mma>, %v: tensor<64x16x!tt.ptr<f32>, #blocked1>, %sum: tensor<64x16xf32, #mma1>) -> tensor<64x16xf32, #mma1> {
    %c0 = arith.constant 0 : i32
    %ring = ttg.local_alloc : () -> !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable>
    %to = ttg.memdesc_index %ring[%c0] : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %copy = ttg.async_copy_global_to_local %v, %to {contiguity = 4 : i32} : tensor<64x16x!tt.ptr<f32>, #blocked1> -> <64x16xf32, #shared, #smem, mutable>
    %group = ttg.async_commit_group tokens %copy
    %wait = ttg.async_wait %group {num = 0 : i32}
    %a = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %d = ttng.warp_group_dot %a, %to, %sum {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared, #smem, mutable> -> tensor<64x16xf32, #mma1>
    ttg.local_dealloc %ring : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable>
    tt.return %d : tensor<64x16xf32, #mma1>
  }
  // Threads read the ring, too: nothing changes places.
  tt.func public @read(%p: tensor<64x64xf32, #mma>, %v: tensor<64x16x!tt.ptr<f32>, #blocked>, %sum: tensor<64x16xf32, #mma1>) -> (tensor<64x16xf32, #mma1>, tensor<64x16xf32, #blocked>) {
    %c0 = arith.constant 0 : i32
    %ring = ttg.local_alloc : () -> !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable>
    %to = ttg.memdesc_index %ring[%c0] : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %copy = ttg.async_copy_global_to_local %v, %to : tensor<64x16x!tt.ptr<f32>, #blocked> -> <64x16xf32, #shared, #smem, mutable>
    %group = ttg.async_commit_group tokens %copy
    %wait = ttg.async_wait %group {num = 0 : i32}
    %from = ttg.memdesc_index %ring[%c0] : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %block = ttg.local_load %from : !ttg.memdesc<64x16xf32, #shared, #smem, mutable> -> tensor<64x16xf32, #blocked>
    %a = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %d = ttng.warp_group_dot %a, %to, %sum {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared, #smem, mutable> -> tensor<64x16xf32, #mma1>
    ttg.local_dealloc %ring : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable>
    tt.return %d, %block : tensor<64x16xf32, #mma1>, tensor<64x16xf32, #blocked>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1, 1, 4], threadsPerWarp = [1, 4, 2, 4], warpsPerCTA = [4, 1, 1, 1], order = [3, 2, 1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1, 1, 4], threadsPerWarp = [1, 2, 4, 4], warpsPerCTA = [4, 1, 1, 1], order = [3, 1, 2, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [32, 0]], lane = [[0, 4], [0, 8], [4, 0], [1, 0], [2, 0]], warp = [[8, 0], [16, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 1, 0], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0]], lane = [[0, 0, 0, 1], [0, 0, 0, 2], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear3 = #ttg.linear<{register = [[0, 4], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copied(%arg0: tensor<64x64xf32, #mma>, %arg1: tensor<64x16x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x16xi1, #blocked>, %arg3: tensor<64x16xf32, #mma1>) -> tensor<64x16xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable>
    %1 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %2 = tt.reshape %arg1 : tensor<64x16x!tt.ptr<f32>, #blocked> -> tensor<8x4x2x16x!tt.ptr<f32>, #blocked1>
    %3 = tt.trans %2 {order = array<i32: 0, 2, 1, 3>} : tensor<8x4x2x16x!tt.ptr<f32>, #blocked1> -> tensor<8x2x4x16x!tt.ptr<f32>, #blocked2>
    %4 = tt.reshape %3 : tensor<8x2x4x16x!tt.ptr<f32>, #blocked2> -> tensor<64x16x!tt.ptr<f32>, #linear>
    %5 = tt.reshape %arg2 : tensor<64x16xi1, #blocked> -> tensor<8x4x2x16xi1, #blocked1>
    %6 = tt.trans %5 {order = array<i32: 0, 2, 1, 3>} : tensor<8x4x2x16xi1, #blocked1> -> tensor<8x2x4x16xi1, #blocked2>
    %7 = tt.reshape %6 : tensor<8x2x4x16xi1, #blocked2> -> tensor<64x16xi1, #linear>
    %8 = ttg.async_copy_global_to_local %4, %1 mask %7 : tensor<64x16x!tt.ptr<f32>, #linear> -> <64x16xf32, #shared, #smem, mutable>
    %9 = ttg.async_commit_group tokens %8
    %10 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %11 = tt.reshape %arg1 : tensor<64x16x!tt.ptr<f32>, #blocked> -> tensor<8x4x2x16x!tt.ptr<f32>, #blocked1>
    %12 = tt.trans %11 {order = array<i32: 0, 2, 1, 3>} : tensor<8x4x2x16x!tt.ptr<f32>, #blocked1> -> tensor<8x2x4x16x!tt.ptr<f32>, #blocked2>
    %13 = tt.reshape %12 : tensor<8x2x4x16x!tt.ptr<f32>, #blocked2> -> tensor<64x16x!tt.ptr<f32>, #linear>
    %14 = tt.reshape %arg2 : tensor<64x16xi1, #blocked> -> tensor<8x4x2x16xi1, #blocked1>
    %15 = tt.trans %14 {order = array<i32: 0, 2, 1, 3>} : tensor<8x4x2x16xi1, #blocked1> -> tensor<8x2x4x16xi1, #blocked2>
    %16 = tt.reshape %15 : tensor<8x2x4x16xi1, #blocked2> -> tensor<64x16xi1, #linear>
    %17 = ttg.async_copy_global_to_local %13, %10 mask %16 : tensor<64x16x!tt.ptr<f32>, #linear> -> <64x16xf32, #shared, #smem, mutable>
    %18 = ttg.async_commit_group tokens %17
    %19 = ttg.async_wait %9, %18 {num = 0 : i32}
    %20 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %21 = tt.reshape %arg0 : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear1>
    %22 = tt.trans %21 {order = array<i32: 0, 1, 3, 2>} : tensor<64x8x4x2xf32, #linear1> -> tensor<64x8x2x4xf32, #linear2>
    %23 = tt.reshape %22 : tensor<64x8x2x4xf32, #linear2> -> tensor<64x64xf32, #linear3>
    %24 = ttg.convert_layout %23 : tensor<64x64xf32, #linear3> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %25:2 = ttng.warp_group_dot_wait %24, %arg3 {pendings = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>, tensor<64x16xf32, #mma1>
    %26 = ttng.warp_group_dot %25#0, %20, %25#1 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared, #smem, mutable> -> tensor<64x16xf32, #mma1>
    ttg.local_dealloc %0 : !ttg.memdesc<2x64x16xf32, #shared, #smem, mutable>
    tt.return %26 : tensor<64x16xf32, #mma1>
  }
  tt.func public @wide(%arg0: tensor<64x64xf32, #mma>, %arg1: tensor<64x16x!tt.ptr<f32>, #blocked3>, %arg2: tensor<64x16xf32, #mma1>) -> tensor<64x16xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable>
    %1 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %arg1, %1 {contiguity = 4 : i32} : tensor<64x16x!tt.ptr<f32>, #blocked3> -> <64x16xf32, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.async_wait %3 {num = 0 : i32}
    %5 = ttg.convert_layout %arg0 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %6 = ttng.warp_group_dot %5, %1, %arg2 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared, #smem, mutable> -> tensor<64x16xf32, #mma1>
    ttg.local_dealloc %0 : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable>
    tt.return %6 : tensor<64x16xf32, #mma1>
  }
  tt.func public @read(%arg0: tensor<64x64xf32, #mma>, %arg1: tensor<64x16x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x16xf32, #mma1>) -> (tensor<64x16xf32, #mma1>, tensor<64x16xf32, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable>
    %1 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %arg1, %1 : tensor<64x16x!tt.ptr<f32>, #blocked> -> <64x16xf32, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.async_wait %3 {num = 0 : i32}
    %5 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
    %6 = ttg.local_load %5 : !ttg.memdesc<64x16xf32, #shared, #smem, mutable> -> tensor<64x16xf32, #blocked>
    %7 = ttg.convert_layout %arg0 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %8 = ttng.warp_group_dot %7, %1, %arg2 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared, #smem, mutable> -> tensor<64x16xf32, #mma1>
    ttg.local_dealloc %0 : !ttg.memdesc<1x64x16xf32, #shared, #smem, mutable>
    tt.return %8, %6 : tensor<64x16xf32, #mma1>, tensor<64x16xf32, #blocked>
  }
}

