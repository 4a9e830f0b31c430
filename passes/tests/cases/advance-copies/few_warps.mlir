// passes: advance-copies,allocate-shared-memory,insert-barriers
// counts: gpu.barrier 3
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Results of products take 96 registers of a thread: three CTAs share a multiprocessor. The second product is over at the end of its iteration, and one barrier is enough.
  tt.func public @few_warps(%p: tensor<64x128x!tt.ptr<f16>, #blocked>, %q: !ttg.memdesc<64x128xf16, #shared, #smem>, %g0: !ttg.async.token, %n: i32) {
    %before = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %start = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma1>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %read = %before, %fill = %zero, %sum = %start) -> (!ttg.async.token, i32, i32, tensor<64x128xf32, #mma1>) : i32 {
      %read_next = arith.addi %read, %one : i32
      %read_wraps = arith.cmpi sge, %read_next, %two : i32
      %read_place = arith.select %read_wraps, %zero, %read_next : i32
      %w = ttg.async_wait %t0 {num = 0 : i32}
      %b = ttg.memdesc_index %ring[%read_place] : !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %bt = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %q, %bt, %none {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x128xf16, #shared, #smem> * !ttg.memdesc<128x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x128xf32, #mma1>
      %h = arith.truncf %e#0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %a = ttg.convert_layout %h : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %d2 = ttng.warp_group_dot %a, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<64x128xf32, #mma1>
      %fill_next = arith.addi %fill, %one : i32
      %fill_wraps = arith.cmpi sge, %fill_next, %two : i32
      %fill_place = arith.select %fill_wraps, %zero, %fill_next : i32
      %f = ttg.memdesc_index %ring[%fill_place] : !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %f : tensor<64x128x!tt.ptr<f16>, #blocked> -> <64x128xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %g, %read_place, %fill_place, %d2 : !ttg.async.token, i32, i32, tensor<64x128xf32, #mma1>
    }
    tt.return
  }
  // They take 64, and there are more CTAs: the second product runs on, and the copy waits for it behind the first one.
  tt.func public @more_warps(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %g0: !ttg.async.token, %n: i32) {
    %before = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %start = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %read = %before, %fill = %zero, %sum = %start) -> (!ttg.async.token, i32, i32, tensor<64x64xf32, #mma>) : i32 {
      %read_next = arith.addi %read, %one : i32
      %read_wraps = arith.cmpi sge, %read_next, %two : i32
      %read_place = arith.select %read_wraps, %zero, %read_next : i32
      %w = ttg.async_wait %t0 {num = 0 : i32}
      %b = ttg.memdesc_index %ring[%read_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %bt = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %q, %bt, %none {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %h = arith.truncf %e#0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %a = ttg.convert_layout %h : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %d2 = ttng.warp_group_dot %a, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %fill_next = arith.addi %fill, %one : i32
      %fill_wraps = arith.cmpi sge, %fill_next, %two : i32
      %fill_place = arith.select %fill_wraps, %zero, %fill_next : i32
      %f = ttg.memdesc_index %ring[%fill_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %f : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %g, %read_place, %fill_place, %d2 : !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 32768 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @few_warps(%arg0: tensor<64x128x!tt.ptr<f16>, #blocked>, %arg1: !ttg.memdesc<64x128xf16, #shared, #smem>, %arg2: !ttg.async.token, %arg3: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma1>
    %0 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable>
    %1:4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2, %arg6 = %c-1_i32, %arg7 = %c0_i32, %arg8 = %cst_0) -> (!ttg.async.token, i32, i32, tensor<64x128xf32, #mma1>)  : i32 {
      %2 = arith.addi %arg6, %c1_i32 : i32
      %3 = arith.cmpi sge, %2, %c2_i32 : i32
      %4 = arith.select %3, %c0_i32, %2 : i32
      %5 = ttg.async_wait %arg5 {num = 0 : i32}
      %6 = ttg.memdesc_index %0[%4] : !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %7 = ttg.memdesc_trans %6 {order = array<i32: 1, 0>} : !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
      gpu.barrier
      %8 = ttng.warp_group_dot %arg1, %7, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x128xf16, #shared, #smem> * !ttg.memdesc<128x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf32, #mma>
      %9 = arith.addi %arg7, %c1_i32 : i32
      %10 = arith.cmpi sge, %9, %c2_i32 : i32
      %11 = arith.select %10, %c0_i32, %9 : i32
      %12 = ttg.memdesc_index %0[%11] : !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %13 = ttg.async_copy_global_to_local %arg0, %12 {tk.ordered} : tensor<64x128x!tt.ptr<f16>, #blocked> -> <64x128xf16, #shared, #smem, mutable>
      %14 = ttg.async_commit_group tokens %13
      %15:2 = ttng.warp_group_dot_wait %8, %arg8 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x128xf32, #mma1>
      %16 = arith.truncf %15#0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %17 = ttg.convert_layout %16 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %18 = ttng.warp_group_dot %17, %6, %15#1 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<64x128xf32, #mma1>
      %19:3 = ttng.warp_group_dot_wait %18, %17, %6 {pendings = 0 : i32} : tensor<64x128xf32, #mma1>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      scf.yield %14, %4, %11, %19#0 : !ttg.async.token, i32, i32, tensor<64x128xf32, #mma1>
    }
    tt.return
  }
  tt.func public @more_warps(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg2: !ttg.async.token, %arg3: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %1:4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2, %arg6 = %c-1_i32, %arg7 = %c0_i32, %arg8 = %cst_0) -> (!ttg.async.token, i32, i32, tensor<64x64xf32, #mma>)  : i32 {
      %2 = arith.addi %arg6, %c1_i32 : i32
      %3 = arith.cmpi sge, %2, %c2_i32 : i32
      %4 = arith.select %3, %c0_i32, %2 : i32
      %5 = ttg.async_wait %arg5 {num = 0 : i32}
      %6 = ttg.memdesc_index %0[%4] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %7 = ttg.memdesc_trans %6 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      gpu.barrier
      %8 = ttng.warp_group_dot %arg1, %7, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf32, #mma>
      %9:2 = ttng.warp_group_dot_wait %8, %arg8 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %10 = arith.addi %arg7, %c1_i32 : i32
      %11 = arith.cmpi sge, %10, %c2_i32 : i32
      %12 = arith.select %11, %c0_i32, %10 : i32
      %13 = ttg.memdesc_index %0[%12] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      gpu.barrier
      %14 = ttg.async_copy_global_to_local %arg0, %13 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %15 = ttg.async_commit_group tokens %14
      %16 = arith.truncf %9#0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %17 = ttg.convert_layout %16 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %18 = ttng.warp_group_dot %17, %6, %9#1 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      scf.yield %15, %4, %12, %18 : !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
}

