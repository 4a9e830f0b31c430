// passes: advance-waits
// grid: few
// A multiprocessor has one group of warps.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Behind the moved wait no copy would be under way: it stays where it is.
  tt.func public @last(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %d2 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // It stays where there is a buffer to spare, too.
  tt.func public @spare(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %d2 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // Copies of another iteration would be: the wait goes before the copy.
  tt.func public @others(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %g2: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %t2 = %g2, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 2 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %t2, %g, %d2 : !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @last(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1:3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>)  : i32 {
      %2 = ttg.async_wait %arg5 {num = 1 : i32}
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %4 = ttng.warp_group_dot %3, %3, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %5:2 = ttng.warp_group_dot_wait %4, %arg7 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %6 = ttng.warp_group_dot %3, %3, %5#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %7 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_copy_global_to_local %arg0, %7 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %9 = ttg.async_commit_group tokens %8
      scf.yield %arg6, %9, %6 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @spare(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    %1:3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>)  : i32 {
      %2 = ttg.async_wait %arg5 {num = 1 : i32}
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %4 = ttng.warp_group_dot %3, %3, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %5:2 = ttng.warp_group_dot_wait %4, %arg7 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %6 = ttng.warp_group_dot %3, %3, %5#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %7 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_copy_global_to_local %arg0, %7 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %9 = ttg.async_commit_group tokens %8
      scf.yield %arg6, %9, %6 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @others(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: !ttg.async.token, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    %1 = ttg.async_wait %arg1 {num = 2 : i32}
    gpu.barrier
    %2:4 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg1, %arg7 = %arg2, %arg8 = %arg3, %arg9 = %cst) -> (!ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>)  : i32 {
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %4 = ttng.warp_group_dot %3, %3, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %5:2 = ttng.warp_group_dot_wait %4, %arg9 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %6 = ttng.warp_group_dot %3, %3, %5#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %7 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_wait %arg7 {num = 1 : i32}
      %9 = ttg.async_copy_global_to_local %arg0, %7 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %10 = ttg.async_commit_group tokens %9
      scf.yield %arg7, %arg8, %10, %6 : !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
}

