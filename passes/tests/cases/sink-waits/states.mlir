// passes: sink-waits
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The first state, which the loop carries, stays in front of the copies: nobody knows that the grid brings one program to a multiprocessor.
  tt.func public @carried(%p: tensor<64x32x!tt.ptr<f32>, #blocked>, %k: tensor<32x32x!tt.ptr<f16>, #blocked>, %q: tensor<64x32xf16, #left>, %n: i32, %out: tensor<64x32x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %h = tt.load %p : tensor<64x32x!tt.ptr<f32>, #blocked>
    %first = ttg.convert_layout %h : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #mma>
    %keys = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %c = ttg.async_copy_global_to_local %k, %keys : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    %r = scf.for %i = %zero to %n step %one iter_args(%state = %first) -> (tensor<64x32xf32, #mma>) : i32 {
      %w = ttg.async_wait %g {num = 0 : i32}
      %b = ttg.local_load %keys : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #right>
      %d = tt.dot %q, %b, %state, inputPrecision = tf32 : tensor<64x32xf16, #left> * tensor<32x32xf16, #right> -> tensor<64x32xf32, #mma>
      scf.yield %d : tensor<64x32xf32, #mma>
    }
    tt.store %out, %r : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @carried(%arg0: tensor<64x32x!tt.ptr<f32>, #blocked>, %arg1: tensor<32x32x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: i32, %arg4: tensor<64x32x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg0 : tensor<64x32x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #mma>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %3 = ttg.async_copy_global_to_local %arg1, %2 : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %4 = ttg.async_commit_group tokens %3
    %5 = scf.for %arg5 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg6 = %1) -> (tensor<64x32xf32, #mma>)  : i32 {
      %6 = ttg.async_wait %4 {num = 0 : i32}
      %7 = ttg.local_load %2 : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %8 = tt.dot %arg2, %7, %arg6, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      scf.yield %8 : tensor<64x32xf32, #mma>
    }
    tt.store %arg4, %5 : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}

