// passes: hoist-loads
// grid: many
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two rows of one register each pass the loop with its buffers; the third would be a register more, and stays.
  tt.func public @behind(%a: tensor<64x32xf16, #left>, %k: tensor<32x32x!tt.ptr<f16>, #blocked>, %p: tensor<64x!tt.ptr<f32>, #row>, %q: tensor<64x!tt.ptr<f32>, #row>, %r: tensor<64x!tt.ptr<f32>, #row>, %n: i32, %out: tensor<64x32x!tt.ptr<f32>, #mma>, %sums: tensor<64x!tt.ptr<f32>, #row>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %keys = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %c = ttg.async_copy_global_to_local %k, %keys : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    %d = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x32xf32, #mma>) : i32 {
      %w = ttg.async_wait %g {num = 0 : i32}
      %b = ttg.local_load %keys : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #right>
      %e = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x32xf16, #left> * tensor<32x32xf16, #right> -> tensor<64x32xf32, #mma>
      scf.yield %e : tensor<64x32xf32, #mma>
    }
    %last = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %keys : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %x = tt.load %p : tensor<64x!tt.ptr<f32>, #row>
    %y = tt.load %q : tensor<64x!tt.ptr<f32>, #row>
    %z = tt.load %r : tensor<64x!tt.ptr<f32>, #row>
    %xy = arith.addf %x, %y : tensor<64xf32, #row>
    %xyz = arith.addf %xy, %z : tensor<64xf32, #row>
    tt.store %sums, %xyz : tensor<64x!tt.ptr<f32>, #row>
    tt.store %out, %d : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @behind(%arg0: tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<32x32x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x!tt.ptr<f32>, #blocked1>, %arg3: tensor<64x!tt.ptr<f32>, #blocked1>, %arg4: tensor<64x!tt.ptr<f32>, #blocked1>, %arg5: i32, %arg6: tensor<64x32x!tt.ptr<f32>, #mma>, %arg7: tensor<64x!tt.ptr<f32>, #blocked1>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %1 = ttg.async_copy_global_to_local %arg1, %0 : tensor<32x32x!tt.ptr<f16>, #blocked> -> <32x32xf16, #shared, #smem, mutable>
    %2 = ttg.async_commit_group tokens %1
    %3 = tt.load %arg2 : tensor<64x!tt.ptr<f32>, #blocked1>
    %4 = tt.load %arg3 : tensor<64x!tt.ptr<f32>, #blocked1>
    %5 = scf.for %arg8 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg9 = %cst) -> (tensor<64x32xf32, #mma>)  : i32 {
      %10 = ttg.async_wait %2 {num = 0 : i32}
      %11 = ttg.local_load %0 : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %12 = tt.dot %arg0, %11, %arg9, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x32xf32, #mma>
      scf.yield %12 : tensor<64x32xf32, #mma>
    }
    %6 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %0 : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
    %7 = tt.load %arg4 : tensor<64x!tt.ptr<f32>, #blocked1>
    %8 = arith.addf %3, %4 : tensor<64xf32, #blocked1>
    %9 = arith.addf %8, %7 : tensor<64xf32, #blocked1>
    tt.store %arg7, %9 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.store %arg6, %5 : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}

