// passes: sink-waits
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Queries are converted, and scaled in their new layout, behind the first copy of the loop.
  tt.func public @scaled(%p: tensor<64x32x!tt.ptr<f16>, #blocked>, %k: tensor<32x32x!tt.ptr<f16>, #blocked>, %n: i32, %out: tensor<64x32x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %scale = arith.constant dense<2.000000e+00> : tensor<64x32xf16, #left>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %q = tt.load %p : tensor<64x32x!tt.ptr<f16>, #blocked>
    %converted = ttg.convert_layout %q : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #left>
    %scaled = arith.mulf %converted, %scale : tensor<64x32xf16, #left>
    %keys = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %c = ttg.async_copy_global_to_local %k, %keys : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x32xf32, #mma>) : i32 {
      %w = ttg.async_wait %g {num = 0 : i32}
      %b = ttg.local_load %keys : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #right>
      %d = tt.dot %scaled, %b, %acc, inputPrecision = tf32 : tensor<64x32xf16, #left> * tensor<32x32xf16, #right> -> tensor<64x32xf32, #mma>
      scf.yield %d : tensor<64x32xf32, #mma>
    }
    tt.store %out, %r : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
  // What is stored in front of the loop stays there, and no copy stands in front of the second loop.
  tt.func public @stays(%p: tensor<64x32x!tt.ptr<f16>, #blocked>, %k: tensor<32x32x!tt.ptr<f16>, #blocked>, %n: i32, %out: tensor<64x32x!tt.ptr<f32>, #mma>, %first: tensor<64x32x!tt.ptr<f16>, #left>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %q = tt.load %p : tensor<64x32x!tt.ptr<f16>, #blocked>
    %converted = ttg.convert_layout %q : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #left>
    %keys = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %c = ttg.async_copy_global_to_local %k, %keys : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    tt.store %first, %converted : tensor<64x32x!tt.ptr<f16>, #left>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x32xf32, #mma>) : i32 {
      %w = ttg.async_wait %g {num = 0 : i32}
      %b = ttg.local_load %keys : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #right>
      %d = tt.dot %converted, %b, %acc, inputPrecision = tf32 : tensor<64x32xf16, #left> * tensor<32x32xf16, #right> -> tensor<64x32xf32, #mma>
      scf.yield %d : tensor<64x32xf32, #mma>
    }
    %later = tt.load %p : tensor<64x32x!tt.ptr<f16>, #blocked>
    %again = ttg.convert_layout %later : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #left>
    %s = scf.for %i = %zero to %n step %one iter_args(%acc = %r) -> (tensor<64x32xf32, #mma>) : i32 {
      %b = ttg.local_load %keys : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #right>
      %d = tt.dot %again, %b, %acc, inputPrecision = tf32 : tensor<64x32xf16, #left> * tensor<32x32xf16, #right> -> tensor<64x32xf32, #mma>
      scf.yield %d : tensor<64x32xf32, #mma>
    }
    tt.store %out, %s : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scaled(%arg0: tensor<64x32x!tt.ptr<f16>, #blocked>, %arg1: tensor<32x32x!tt.ptr<f16>, #blocked>, %arg2: i32, %arg3: tensor<64x32x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<2.000000e+00> : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x32x!tt.ptr<f16>, #blocked>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %arg1, %1 : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.convert_layout %0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %5 = arith.mulf %4, %cst : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    gpu.barrier
    %6 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst_0) -> (tensor<64x32xf32, #mma>)  : i32 {
      %7 = ttg.async_wait %3 {num = 0 : i32}
      %8 = ttg.local_load %1 : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %9 = tt.dot %5, %8, %arg5, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      scf.yield %9 : tensor<64x32xf32, #mma>
    }
    tt.store %arg3, %6 : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @stays(%arg0: tensor<64x32x!tt.ptr<f16>, #blocked>, %arg1: tensor<32x32x!tt.ptr<f16>, #blocked>, %arg2: i32, %arg3: tensor<64x32x!tt.ptr<f32>, #mma>, %arg4: tensor<64x32x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x32x!tt.ptr<f16>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %3 = ttg.async_copy_global_to_local %arg1, %2 : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %4 = ttg.async_commit_group tokens %3
    tt.store %arg4, %1 : tensor<64x32x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %5 = scf.for %arg5 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<64x32xf32, #mma>)  : i32 {
      %9 = ttg.async_wait %4 {num = 0 : i32}
      %10 = ttg.local_load %2 : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %11 = tt.dot %1, %10, %arg6, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      scf.yield %11 : tensor<64x32xf32, #mma>
    }
    %6 = tt.load %arg0 : tensor<64x32x!tt.ptr<f16>, #blocked>
    %7 = ttg.convert_layout %6 : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %8 = scf.for %arg5 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg6 = %5) -> (tensor<64x32xf32, #mma>)  : i32 {
      %9 = ttg.local_load %2 : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %10 = tt.dot %7, %9, %arg6, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      scf.yield %10 : tensor<64x32xf32, #mma>
    }
    tt.store %arg3, %8 : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}

