// passes: split-barriers
// counts: ttng.wait_barrier 4, ttng.arrive_barrier 1, ttng.async_copy_mbarrier_arrive 3, ttng.init_barrier 4, ttng.inval_barrier 4, ttg.async_wait 5
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The product is finished in its iteration: waits and arrivals of every thread take the place of meetings.
  tt.func public @finished(%p: tensor<128x128x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %b0 = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %c0 = ttg.async_copy_global_to_local %p, %b0 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %g0 = ttg.async_commit_group tokens %c0
    %b1 = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %c1 = ttg.async_copy_global_to_local %p, %b1 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %g1 = ttg.async_commit_group tokens %c1
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %k = %one, %acc = %cst) -> (!ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%k] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %bt = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %b, %bt, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> * !ttg.memdesc<128x128xf16, #shared1, #smem, mutable> -> tensor<128x128xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<128x128xf32, #mma>
      %a = ttg.memdesc_index %ring[%k] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %k, %e : !ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>
    }
    %end = ttg.async_wait {num = 0 : i32}
    tt.return
  }
  // The product stays in flight: nothing to compute on, nothing to drift for.
  tt.func public @in_flight(%p: tensor<128x128x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %b0 = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %c0 = ttg.async_copy_global_to_local %p, %b0 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %g0 = ttg.async_commit_group tokens %c0
    %b1 = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %c1 = ttg.async_copy_global_to_local %p, %b1 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %g1 = ttg.async_commit_group tokens %c1
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %k = %one, %acc = %cst) -> (!ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%k] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %bt = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %b, %bt, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> * !ttg.memdesc<128x128xf16, #shared1, #smem, mutable> -> tensor<128x128xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<128x128xf32, #mma>
      %a = ttg.memdesc_index %ring[%k] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %k, %e : !ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>
    }
    %end = ttg.async_wait {num = 0 : i32}
    tt.return
  }
  // The buffer that is filled is the one that this iteration reads: the products before do not say that it is free.
  tt.func public @short_ring(%p: tensor<128x128x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable>
    %b0 = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %c0 = ttg.async_copy_global_to_local %p, %b0 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %g0 = ttg.async_commit_group tokens %c0
    %b1 = ttg.memdesc_index %ring[%one] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %c1 = ttg.async_copy_global_to_local %p, %b1 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %g1 = ttg.async_commit_group tokens %c1
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %k = %one, %acc = %cst) -> (!ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%k] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %bt = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %b, %bt, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> * !ttg.memdesc<128x128xf16, #shared1, #smem, mutable> -> tensor<128x128xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<128x128xf32, #mma>
      %a = ttg.memdesc_index %ring[%k] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %k, %e : !ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>
    }
    %end = ttg.async_wait {num = 0 : i32}
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @finished(%arg0: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %3 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c0_i32_0 = arith.constant 0 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %4 = ttg.memdesc_index %2[%c0_i32_0] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %5 = ttg.memdesc_index %2[%c1_i32_1] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %6 = ttg.memdesc_index %2[%c2_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %4, 256 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %5, 256 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %6, 256 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %3, 8 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    %7 = ttg.async_copy_global_to_local %arg0, %1 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %8 = ttg.async_commit_group tokens %7
    %c0_i32_2 = arith.constant 0 : i32
    %9 = ttg.memdesc_index %2[%c0_i32_2] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %9 {noIncrement} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %10 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %11 = ttg.async_copy_global_to_local %arg0, %10 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %12 = ttg.async_commit_group tokens %11
    %c1_i32_3 = arith.constant 1 : i32
    %13 = ttg.memdesc_index %2[%c1_i32_3] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %13 {noIncrement} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c0_i32_4 = arith.constant 0 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32_5 = arith.constant 1 : i32
    %14:7 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %8, %arg4 = %12, %arg5 = %c1_i32, %arg6 = %cst, %arg7 = %c-1_i32, %arg8 = %c0_i32_4, %arg9 = %c1_i32_5) -> (!ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>, i32, i32, i32)  : i32 {
      %c0_i32_14 = arith.constant 0 : i32
      %c1_i32_15 = arith.constant 1 : i32
      %c3_i32_16 = arith.constant 3 : i32
      %31 = arith.addi %arg7, %c1_i32_15 : i32
      %32 = arith.cmpi sge, %31, %c3_i32_16 : i32
      %33 = arith.xori %arg8, %c1_i32_15 : i32
      %34 = arith.select %32, %c0_i32_14, %31 : i32
      %35 = arith.select %32, %33, %arg8 : i32
      %36 = ttg.memdesc_index %2[%34] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %36, %35 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %37 = ttg.memdesc_index %0[%arg5] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %38 = ttg.memdesc_trans %37 {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared2, #smem, mutable>
      %39 = ttng.warp_group_dot %37, %38, %arg6 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> * !ttg.memdesc<128x128xf16, #shared2, #smem, mutable> -> tensor<128x128xf32, #mma>
      %40 = ttg.memdesc_index %0[%arg5] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      ttng.wait_barrier %3, %arg9 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %41 = ttg.async_copy_global_to_local %arg0, %40 {tk.ordered} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
      %42 = ttg.async_commit_group tokens %41
      %c0_i32_17 = arith.constant 0 : i32
      %c1_i32_18 = arith.constant 1 : i32
      %c2_i32_19 = arith.constant 2 : i32
      %43 = arith.cmpi eq, %34, %c0_i32_17 : i32
      %44 = arith.subi %34, %c1_i32_18 : i32
      %45 = arith.select %43, %c2_i32_19, %44 : i32
      %46 = ttg.memdesc_index %2[%45] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.async_copy_mbarrier_arrive %46 {noIncrement} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %c1_i32_20 = arith.constant 1 : i32
      %47 = arith.xori %arg9, %c1_i32_20 : i32
      %48 = ttng.warp_group_dot_wait %39 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
      ttng.arrive_barrier %3, 1 {tk.each_warp} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      scf.yield %arg4, %42, %arg5, %48, %34, %35, %47 : !ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>, i32, i32, i32
    }
    %15 = ttg.async_wait {num = 0 : i32}
    %c0_i32_6 = arith.constant 0 : i32
    %c1_i32_7 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %16 = arith.addi %14#4, %c1_i32_7 : i32
    %17 = arith.cmpi sge, %16, %c3_i32 : i32
    %18 = arith.xori %14#5, %c1_i32_7 : i32
    %19 = arith.select %17, %c0_i32_6, %16 : i32
    %20 = arith.select %17, %18, %14#5 : i32
    %21 = ttg.memdesc_index %2[%19] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %21, %20 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c0_i32_8 = arith.constant 0 : i32
    %c1_i32_9 = arith.constant 1 : i32
    %c3_i32_10 = arith.constant 3 : i32
    %22 = arith.addi %19, %c1_i32_9 : i32
    %23 = arith.cmpi sge, %22, %c3_i32_10 : i32
    %24 = arith.xori %20, %c1_i32_9 : i32
    %25 = arith.select %23, %c0_i32_8, %22 : i32
    %26 = arith.select %23, %24, %20 : i32
    %27 = ttg.memdesc_index %2[%25] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %27, %26 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c0_i32_11 = arith.constant 0 : i32
    %c1_i32_12 = arith.constant 1 : i32
    %c2_i32_13 = arith.constant 2 : i32
    %28 = ttg.memdesc_index %2[%c0_i32_11] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %29 = ttg.memdesc_index %2[%c1_i32_12] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %30 = ttg.memdesc_index %2[%c2_i32_13] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %28 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %29 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %30 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %3 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
  tt.func public @in_flight(%arg0: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %arg0, %1 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %5 = ttg.async_copy_global_to_local %arg0, %4 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %6 = ttg.async_commit_group tokens %5
    %7:4 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %3, %arg4 = %6, %arg5 = %c1_i32, %arg6 = %cst) -> (!ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>)  : i32 {
      %9 = ttg.async_wait %arg3 {num = 1 : i32}
      %10 = ttg.memdesc_index %0[%arg5] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %11 = ttg.memdesc_trans %10 {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared2, #smem, mutable>
      %12 = ttng.warp_group_dot %10, %11, %arg6 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> * !ttg.memdesc<128x128xf16, #shared2, #smem, mutable> -> tensor<128x128xf32, #mma>
      %13 = ttng.warp_group_dot_wait %12 {pendings = 1 : i32} : tensor<128x128xf32, #mma>
      %14 = ttg.memdesc_index %0[%arg5] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %15 = ttg.async_copy_global_to_local %arg0, %14 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
      %16 = ttg.async_commit_group tokens %15
      scf.yield %arg4, %16, %arg5, %13 : !ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>
    }
    %8 = ttg.async_wait {num = 0 : i32}
    tt.return
  }
  tt.func public @short_ring(%arg0: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %arg0, %1 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %5 = ttg.async_copy_global_to_local %arg0, %4 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %6 = ttg.async_commit_group tokens %5
    %7:4 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %3, %arg4 = %6, %arg5 = %c1_i32, %arg6 = %cst) -> (!ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>)  : i32 {
      %9 = ttg.async_wait %arg3 {num = 1 : i32}
      %10 = ttg.memdesc_index %0[%arg5] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %11 = ttg.memdesc_trans %10 {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared2, #smem, mutable>
      %12 = ttng.warp_group_dot %10, %11, %arg6 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> * !ttg.memdesc<128x128xf16, #shared2, #smem, mutable> -> tensor<128x128xf32, #mma>
      %13 = ttng.warp_group_dot_wait %12 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
      %14 = ttg.memdesc_index %0[%arg5] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %15 = ttg.async_copy_global_to_local %arg0, %14 : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
      %16 = ttg.async_commit_group tokens %15
      scf.yield %arg4, %16, %arg5, %13 : !ttg.async.token, !ttg.async.token, i32, tensor<128x128xf32, #mma>
    }
    %8 = ttg.async_wait {num = 0 : i32}
    tt.return
  }
}

