// passes: advance-waits
// Two groups of warps multiply once in each iteration, and load scales into registers.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Behind the wait of the next iteration no copy would be under way: it stays where it is.
  tt.func public @last(%p: tensor<128x64x!tt.ptr<f16>, #blocked>, %s: !tt.ptr<f32>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %left = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %right = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<128x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %q = tt.addptr %s, %i : !tt.ptr<f32>, i32
      %scale = tt.load %q : !tt.ptr<f32>
      %a = ttg.memdesc_index %left[%zero] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %a, %right, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %scales = tt.splat %scale : f32 -> tensor<128x64xf32, #mma>
      %scaled = arith.mulf %e, %scales : tensor<128x64xf32, #mma>
      %next = arith.addf %sum, %scaled : tensor<128x64xf32, #mma>
      %b = ttg.memdesc_index %left[%one] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %b : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %next : !ttg.async.token, !ttg.async.token, tensor<128x64xf32, #mma>
    }
    tt.return
  }
  // Copies of another iteration are: the wait goes before the copy.
  tt.func public @others(%p: tensor<128x64x!tt.ptr<f16>, #blocked>, %s: !tt.ptr<f32>, %g0: !ttg.async.token, %g1: !ttg.async.token, %g2: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %left = ttg.local_alloc : () -> !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %right = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %t2 = %g2, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<128x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 2 : i32}
      %q = tt.addptr %s, %i : !tt.ptr<f32>, i32
      %scale = tt.load %q : !tt.ptr<f32>
      %a = ttg.memdesc_index %left[%zero] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %a, %right, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %scales = tt.splat %scale : f32 -> tensor<128x64xf32, #mma>
      %scaled = arith.mulf %e, %scales : tensor<128x64xf32, #mma>
      %next = arith.addf %sum, %scaled : tensor<128x64xf32, #mma>
      %b = ttg.memdesc_index %left[%one] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %b : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %t2, %g, %next : !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<128x64xf32, #mma>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @last(%arg0: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: !ttg.async.token, %arg3: !ttg.async.token, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2:3 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg2, %arg7 = %arg3, %arg8 = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<128x64xf32, #mma>)  : i32 {
      %3 = ttg.async_wait %arg6 {num = 1 : i32}
      %4 = tt.addptr %arg1, %arg5 : !tt.ptr<f32>, i32
      %5 = tt.load %4 : !tt.ptr<f32>
      %6 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %7 = ttng.warp_group_dot %6, %1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %8 = ttng.warp_group_dot_wait %7 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %9 = tt.splat %5 : f32 -> tensor<128x64xf32, #mma>
      %10 = arith.mulf %8, %9 : tensor<128x64xf32, #mma>
      %11 = arith.addf %arg8, %10 : tensor<128x64xf32, #mma>
      %12 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %13 = ttg.async_copy_global_to_local %arg0, %12 : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %14 = ttg.async_commit_group tokens %13
      scf.yield %arg7, %14, %11 : !ttg.async.token, !ttg.async.token, tensor<128x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @others(%arg0: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: !ttg.async.token, %arg3: !ttg.async.token, %arg4: !ttg.async.token, %arg5: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2 = ttg.async_wait %arg2 {num = 2 : i32}
    gpu.barrier
    %3:4 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %arg2, %arg8 = %arg3, %arg9 = %arg4, %arg10 = %cst) -> (!ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<128x64xf32, #mma>)  : i32 {
      %4 = tt.addptr %arg1, %arg6 : !tt.ptr<f32>, i32
      %5 = tt.load %4 : !tt.ptr<f32>
      %6 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %7 = ttng.warp_group_dot %6, %1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %8 = ttng.warp_group_dot_wait %7 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %9 = tt.splat %5 : f32 -> tensor<128x64xf32, #mma>
      %10 = arith.mulf %8, %9 : tensor<128x64xf32, #mma>
      %11 = arith.addf %arg10, %10 : tensor<128x64xf32, #mma>
      %12 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %13 = ttg.async_wait %arg8 {num = 1 : i32}
      %14 = ttg.async_copy_global_to_local %arg0, %12 : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %15 = ttg.async_commit_group tokens %14
      scf.yield %arg8, %arg9, %15, %11 : !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<128x64xf32, #mma>
    }
    tt.return
  }
}

