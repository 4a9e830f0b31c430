// passes: permute-terms
// counts: tt.trans 2, ttg.convert_layout 4
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Weights that a product gave, and values that threads write: the rows of the values change places instead of the weights' columns.
  tt.func public @weights(%p: tensor<64x64xf32, #mma>, %v: tensor<64x64xf32, #blocked>, %acc: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %m = ttg.local_alloc %v : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %a = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %d = ttng.warp_group_dot %a, %m, %acc {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.return %d : tensor<64x64xf32, #mma>
  }
  // Two products read the values, and the weights of one come from memory: nothing changes places.
  tt.func public @shared(%p: tensor<64x64xf32, #mma>, %q: tensor<64x64xf32, #blocked>, %v: tensor<64x64xf32, #blocked>, %acc: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %m = ttg.local_alloc %v : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %a = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %b = ttg.convert_layout %q : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %d = ttng.warp_group_dot %a, %m, %acc {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    %e = ttng.warp_group_dot %b, %m, %d {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.return %e : tensor<64x64xf32, #mma>
  }
  // The wait hands the buffer on to another product: nothing changes places.
  tt.func public @handed_on(%p: tensor<64x64xf32, #mma>, %v: tensor<64x64xf32, #blocked>, %acc: tensor<64x64xf32, #mma>, %q: !ttg.memdesc<64x64xf32, #shared1, #smem>) -> tensor<64x64xf32, #mma> {
    %m = ttg.local_alloc %v : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %a = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %d = ttng.warp_group_dot %a, %m, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    %w:2 = ttng.warp_group_dot_wait %d, %m {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf32, #shared, #smem>
    %e = ttng.warp_group_dot %q, %w#1, %w#0 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf32, #shared1, #smem> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.return %e : tensor<64x64xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1, 1, 4], threadsPerWarp = [1, 1, 2, 16], warpsPerCTA = [1, 4, 1, 1], order = [3, 2, 1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1, 1, 4], threadsPerWarp = [1, 2, 1, 16], warpsPerCTA = [1, 1, 4, 1], order = [3, 1, 2, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [4, 0]], warp = [[1, 0], [2, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 1, 0], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0]], lane = [[0, 0, 0, 1], [0, 0, 0, 2], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear3 = #ttg.linear<{register = [[0, 4], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @weights(%arg0: tensor<64x64xf32, #mma>, %arg1: tensor<64x64xf32, #blocked>, %arg2: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %0 = tt.reshape %arg1 : tensor<64x64xf32, #blocked> -> tensor<8x4x2x64xf32, #blocked1>
    %1 = tt.trans %0 {order = array<i32: 0, 2, 1, 3>} : tensor<8x4x2x64xf32, #blocked1> -> tensor<8x2x4x64xf32, #blocked2>
    %2 = tt.reshape %1 : tensor<8x2x4x64xf32, #blocked2> -> tensor<64x64xf32, #linear>
    %3 = ttg.local_alloc %2 : (tensor<64x64xf32, #linear>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %4 = tt.reshape %arg0 : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear1>
    %5 = tt.trans %4 {order = array<i32: 0, 1, 3, 2>} : tensor<64x8x4x2xf32, #linear1> -> tensor<64x8x2x4xf32, #linear2>
    %6 = tt.reshape %5 : tensor<64x8x2x4xf32, #linear2> -> tensor<64x64xf32, #linear3>
    %7 = ttg.convert_layout %6 : tensor<64x64xf32, #linear3> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %8 = ttng.warp_group_dot %7, %3, %arg2 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.return %8 : tensor<64x64xf32, #mma>
  }
  tt.func public @shared(%arg0: tensor<64x64xf32, #mma>, %arg1: tensor<64x64xf32, #blocked>, %arg2: tensor<64x64xf32, #blocked>, %arg3: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %0 = ttg.local_alloc %arg2 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %1 = ttg.convert_layout %arg0 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %2 = ttg.convert_layout %arg1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %3 = ttng.warp_group_dot %1, %0, %arg3 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    %4 = ttng.warp_group_dot %2, %0, %3 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.return %4 : tensor<64x64xf32, #mma>
  }
  tt.func public @handed_on(%arg0: tensor<64x64xf32, #mma>, %arg1: tensor<64x64xf32, #blocked>, %arg2: tensor<64x64xf32, #mma>, %arg3: !ttg.memdesc<64x64xf32, #shared1, #smem>) -> tensor<64x64xf32, #mma> {
    %0 = ttg.local_alloc %arg1 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %1 = ttg.convert_layout %arg0 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %2 = ttng.warp_group_dot %1, %0, %arg2 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    %3:2 = ttng.warp_group_dot_wait %2, %0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf32, #shared, #smem>
    %4 = ttng.warp_group_dot %arg3, %3#1, %3#0 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf32, #shared1, #smem> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
    tt.return %4 : tensor<64x64xf32, #mma>
  }
}

