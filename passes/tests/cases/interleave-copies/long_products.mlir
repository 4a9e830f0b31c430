// passes: interleave-copies
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 256, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The product is cut, and the place in the rings is counted at the end.
  tt.func public @cut(%p: tensor<128x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %minus = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %other = ttg.local_alloc : () -> !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %acc = %cst, %before = %minus) -> (!ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32) : i32 {
      %next = arith.addi %before, %one : i32
      %wraps = arith.cmpi sge, %next, %three : i32
      %at = arith.select %wraps, %zero, %next : i32
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %a = ttg.memdesc_index %ring[%at] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %b = ttg.memdesc_index %other[%at] : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x256xf16, #shared, #smem, mutable> -> tensor<128x256xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<128x256xf32, #mma>
      %to = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %to : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %e, %at : !ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32
    }
    tt.return
  }
  // The number before the wrap is used elsewhere: it stays where it is.
  tt.func public @counted(%p: tensor<128x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %minus = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %other = ttg.local_alloc : () -> !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %acc = %cst, %before = %minus) -> (!ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32) : i32 {
      %next = arith.addi %before, %one : i32
      %wraps = arith.cmpi sge, %next, %three : i32
      %at = arith.select %wraps, %zero, %next : i32
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %a = ttg.memdesc_index %ring[%at] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %b = ttg.memdesc_index %other[%at] : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x256xf16, #shared, #smem, mutable> -> tensor<128x256xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<128x256xf32, #mma>
      %to = ttg.memdesc_index %ring[%next] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %to : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %e, %at : !ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32
    }
    tt.return
  }
  // Halves would be single instructions.
  tt.func public @short(%p: tensor<128x32x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %minus = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>
    %other = ttg.local_alloc : () -> !ttg.memdesc<3x32x256xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %acc = %cst, %before = %minus) -> (!ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32) : i32 {
      %next = arith.addi %before, %one : i32
      %wraps = arith.cmpi sge, %next, %three : i32
      %at = arith.select %wraps, %zero, %next : i32
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %a = ttg.memdesc_index %ring[%at] : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
      %b = ttg.memdesc_index %other[%at] : !ttg.memdesc<3x32x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x256xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable> * !ttg.memdesc<32x256xf16, #shared, #smem, mutable> -> tensor<128x256xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<128x256xf32, #mma>
      %to = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %to : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %e, %at : !ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 256, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @cut(%arg0: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable>
    %2 = arith.addi %c-1_i32, %c1_i32 : i32
    %3 = arith.cmpi sge, %2, %c3_i32 : i32
    %4 = arith.select %3, %c0_i32, %2 : i32
    %5:4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %cst, %arg8 = %4) -> (!ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32)  : i32 {
      %6 = ttg.async_wait %arg5 {num = 1 : i32}
      %7 = ttg.memdesc_index %0[%arg8] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %8 = ttg.memdesc_index %1[%arg8] : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
      %9 = ttg.memdesc_subslice %7[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64>
      %10 = ttg.memdesc_subslice %8[0, 0] : !ttg.memdesc<64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x256xf16, #shared, #smem, mutable, 64x256>
      %11 = ttg.memdesc_subslice %7[0, 32] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64>
      %12 = ttg.memdesc_subslice %8[32, 0] : !ttg.memdesc<64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x256xf16, #shared, #smem, mutable, 64x256>
      %13 = ttng.warp_group_dot %9, %10, %arg7 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64> * !ttg.memdesc<32x256xf16, #shared, #smem, mutable, 64x256> -> tensor<128x256xf32, #mma>
      %14 = ttng.warp_group_dot_wait %13 {pendings = 1 : i32} : tensor<128x256xf32, #mma>
      %15 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %16 = ttg.async_copy_global_to_local %arg0, %15 : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %17 = ttg.async_commit_group tokens %16
      %18 = ttng.warp_group_dot %11, %12, %14 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64> * !ttg.memdesc<32x256xf16, #shared, #smem, mutable, 64x256> -> tensor<128x256xf32, #mma>
      %19 = arith.addi %arg8, %c1_i32 : i32
      %20 = arith.cmpi sge, %19, %c3_i32 : i32
      %21 = arith.select %20, %c0_i32, %19 : i32
      scf.yield %arg6, %17, %18, %21 : !ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32
    }
    tt.return
  }
  tt.func public @counted(%arg0: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable>
    %2:4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %cst, %arg8 = %c-1_i32) -> (!ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32)  : i32 {
      %3 = arith.addi %arg8, %c1_i32 : i32
      %4 = arith.cmpi sge, %3, %c3_i32 : i32
      %5 = arith.select %4, %c0_i32, %3 : i32
      %6 = ttg.async_wait %arg5 {num = 1 : i32}
      %7 = ttg.memdesc_index %0[%5] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %8 = ttg.memdesc_index %1[%5] : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
      %9 = ttg.memdesc_subslice %7[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64>
      %10 = ttg.memdesc_subslice %8[0, 0] : !ttg.memdesc<64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x256xf16, #shared, #smem, mutable, 64x256>
      %11 = ttg.memdesc_subslice %7[0, 32] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64>
      %12 = ttg.memdesc_subslice %8[32, 0] : !ttg.memdesc<64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x256xf16, #shared, #smem, mutable, 64x256>
      %13 = ttng.warp_group_dot %9, %10, %arg7 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64> * !ttg.memdesc<32x256xf16, #shared, #smem, mutable, 64x256> -> tensor<128x256xf32, #mma>
      %14 = ttng.warp_group_dot_wait %13 {pendings = 1 : i32} : tensor<128x256xf32, #mma>
      %15 = ttg.memdesc_index %0[%3] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %16 = ttg.async_copy_global_to_local %arg0, %15 : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %17 = ttg.async_commit_group tokens %16
      %18 = ttng.warp_group_dot %11, %12, %14 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64> * !ttg.memdesc<32x256xf16, #shared, #smem, mutable, 64x256> -> tensor<128x256xf32, #mma>
      scf.yield %arg6, %17, %18, %5 : !ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32
    }
    tt.return
  }
  tt.func public @short(%arg0: tensor<128x32x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<3x32x256xf16, #shared, #smem, mutable>
    %2:4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %cst, %arg8 = %c-1_i32) -> (!ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32)  : i32 {
      %3 = arith.addi %arg8, %c1_i32 : i32
      %4 = arith.cmpi sge, %3, %c3_i32 : i32
      %5 = arith.select %4, %c0_i32, %3 : i32
      %6 = ttg.async_wait %arg5 {num = 1 : i32}
      %7 = ttg.memdesc_index %0[%5] : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
      %8 = ttg.memdesc_index %1[%5] : !ttg.memdesc<3x32x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x256xf16, #shared, #smem, mutable>
      %9 = ttng.warp_group_dot %7, %8, %arg7 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable> * !ttg.memdesc<32x256xf16, #shared, #smem, mutable> -> tensor<128x256xf32, #mma>
      %10 = ttng.warp_group_dot_wait %9 {pendings = 1 : i32} : tensor<128x256xf32, #mma>
      %11 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
      %12 = ttg.async_copy_global_to_local %arg0, %11 : tensor<128x32x!tt.ptr<f16>, #blocked> -> <128x32xf16, #shared, #smem, mutable>
      %13 = ttg.async_commit_group tokens %12
      scf.yield %arg6, %13, %10, %5 : !ttg.async.token, !ttg.async.token, tensor<128x256xf32, #mma>, i32
    }
    tt.return
  }
}

