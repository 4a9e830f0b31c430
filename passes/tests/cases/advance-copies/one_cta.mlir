// passes: advance-copies
// grid: few
// A multiprocessor has one group of warps.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The second product runs on. Behind the first wait for products that of the iteration before is over, which has read what is filled.
  tt.func public @two_ahead(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %before = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %last = arith.constant 1 : i32
    %end = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r:5 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %read = %before, %fill = %last, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>) : i32 {
      %read_next = arith.addi %read, %one : i32
      %read_wraps = arith.cmpi sge, %read_next, %end : i32
      %read_place = arith.select %read_wraps, %zero, %read_next : i32
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%read_place] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %fill_next = arith.addi %fill, %one : i32
      %fill_wraps = arith.cmpi sge, %fill_next, %end : i32
      %fill_place = arith.select %fill_wraps, %zero, %fill_next : i32
      %a = ttg.memdesc_index %ring[%fill_place] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %read_place, %fill_place, %d2 : !ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // One iteration ahead: the second product is over at the end of its iteration, and the copy stands behind the first one.
  tt.func public @one_ahead(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %n: i32) {
    %before = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %last = arith.constant 0 : i32
    %end = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %read = %before, %fill = %last, %sum = %cst) -> (!ttg.async.token, i32, i32, tensor<64x64xf32, #mma>) : i32 {
      %read_next = arith.addi %read, %one : i32
      %read_wraps = arith.cmpi sge, %read_next, %end : i32
      %read_place = arith.select %read_wraps, %zero, %read_next : i32
      %w = ttg.async_wait %t0 {num = 0 : i32}
      %b = ttg.memdesc_index %ring[%read_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %fill_next = arith.addi %fill, %one : i32
      %fill_wraps = arith.cmpi sge, %fill_next, %end : i32
      %fill_place = arith.select %fill_wraps, %zero, %fill_next : i32
      %a = ttg.memdesc_index %ring[%fill_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %g, %read_place, %fill_place, %d2 : !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // The buffer that is filled is the one of this iteration: the copy stays behind its last product.
  tt.func public @own_buffer(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %before = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %last = arith.constant 1 : i32
    %end = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %r:5 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %read = %before, %fill = %last, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>) : i32 {
      %read_next = arith.addi %read, %one : i32
      %read_wraps = arith.cmpi sge, %read_next, %end : i32
      %read_place = arith.select %read_wraps, %zero, %read_next : i32
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%read_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %fill_next = arith.addi %fill, %one : i32
      %fill_wraps = arith.cmpi sge, %fill_next, %end : i32
      %fill_place = arith.select %fill_wraps, %zero, %fill_next : i32
      %a = ttg.memdesc_index %ring[%fill_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %read_place, %fill_place, %d2 : !ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // All threads meet before the second product, which reads what they write: the copy stays.
  tt.func public @written(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %before = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %last = arith.constant 1 : i32
    %end = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r:5 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %read = %before, %fill = %last, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>) : i32 {
      %read_next = arith.addi %read, %one : i32
      %read_wraps = arith.cmpi sge, %read_next, %end : i32
      %read_place = arith.select %read_wraps, %zero, %read_next : i32
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%read_place] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %h = arith.truncf %e#0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %m = ttg.local_alloc %h : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d2 = ttng.warp_group_dot %m, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %fill_next = arith.addi %fill, %one : i32
      %fill_wraps = arith.cmpi sge, %fill_next, %end : i32
      %fill_place = arith.select %fill_wraps, %zero, %fill_next : i32
      %a = ttg.memdesc_index %ring[%fill_place] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %read_place, %fill_place, %d2 : !ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
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
  tt.func public @two_ahead(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1:5 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %c-1_i32, %arg8 = %c1_i32_0, %arg9 = %cst) -> (!ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>)  : i32 {
      %2 = arith.addi %arg7, %c1_i32 : i32
      %3 = arith.cmpi sge, %2, %c3_i32 : i32
      %4 = arith.select %3, %c0_i32, %2 : i32
      %5 = ttg.async_wait %arg5 {num = 1 : i32}
      %6 = ttg.memdesc_index %0[%4] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %7 = ttng.warp_group_dot %6, %6, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %8:2 = ttng.warp_group_dot_wait %7, %arg9 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %9 = arith.addi %arg8, %c1_i32 : i32
      %10 = arith.cmpi sge, %9, %c3_i32 : i32
      %11 = arith.select %10, %c0_i32, %9 : i32
      %12 = ttg.memdesc_index %0[%11] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %13 = ttg.async_copy_global_to_local %arg0, %12 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %14 = ttg.async_commit_group tokens %13
      %15 = ttng.warp_group_dot %6, %6, %8#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      scf.yield %arg6, %14, %4, %11, %15 : !ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @one_ahead(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %1:4 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %arg1, %arg5 = %c-1_i32, %arg6 = %c0_i32_0, %arg7 = %cst) -> (!ttg.async.token, i32, i32, tensor<64x64xf32, #mma>)  : i32 {
      %2 = arith.addi %arg5, %c1_i32 : i32
      %3 = arith.cmpi sge, %2, %c2_i32 : i32
      %4 = arith.select %3, %c0_i32, %2 : i32
      %5 = ttg.async_wait %arg4 {num = 0 : i32}
      %6 = ttg.memdesc_index %0[%4] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %7 = ttng.warp_group_dot %6, %6, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %8 = arith.addi %arg6, %c1_i32 : i32
      %9 = arith.cmpi sge, %8, %c2_i32 : i32
      %10 = arith.select %9, %c0_i32, %8 : i32
      %11 = ttg.memdesc_index %0[%10] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %12 = ttg.async_copy_global_to_local %arg0, %11 {tk.ordered} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %13 = ttg.async_commit_group tokens %12
      %14:2 = ttng.warp_group_dot_wait %7, %arg7 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %15 = ttng.warp_group_dot %6, %6, %14#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %16:2 = ttng.warp_group_dot_wait %15, %6 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      scf.yield %13, %4, %10, %16#0 : !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @own_buffer(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %1:5 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %c-1_i32, %arg8 = %c1_i32_0, %arg9 = %cst) -> (!ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>)  : i32 {
      %2 = arith.addi %arg7, %c1_i32 : i32
      %3 = arith.cmpi sge, %2, %c2_i32 : i32
      %4 = arith.select %3, %c0_i32, %2 : i32
      %5 = ttg.async_wait %arg5 {num = 1 : i32}
      %6 = ttg.memdesc_index %0[%4] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %7 = ttng.warp_group_dot %6, %6, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %8:2 = ttng.warp_group_dot_wait %7, %arg9 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %9 = ttng.warp_group_dot %6, %6, %8#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %10 = arith.addi %arg8, %c1_i32 : i32
      %11 = arith.cmpi sge, %10, %c2_i32 : i32
      %12 = arith.select %11, %c0_i32, %10 : i32
      %13 = ttg.memdesc_index %0[%12] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %14 = ttg.async_copy_global_to_local %arg0, %13 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %15 = ttg.async_commit_group tokens %14
      scf.yield %arg6, %15, %4, %12, %9 : !ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @written(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1:5 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %c-1_i32, %arg8 = %c1_i32_0, %arg9 = %cst) -> (!ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>)  : i32 {
      %2 = arith.addi %arg7, %c1_i32 : i32
      %3 = arith.cmpi sge, %2, %c3_i32 : i32
      %4 = arith.select %3, %c0_i32, %2 : i32
      %5 = ttg.async_wait %arg5 {num = 1 : i32}
      %6 = ttg.memdesc_index %0[%4] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %7 = ttng.warp_group_dot %6, %6, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %8:2 = ttng.warp_group_dot_wait %7, %arg9 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %9 = arith.truncf %8#0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %10 = ttg.local_alloc %9 : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %11 = ttng.warp_group_dot %10, %6, %8#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %12 = arith.addi %arg8, %c1_i32 : i32
      %13 = arith.cmpi sge, %12, %c3_i32 : i32
      %14 = arith.select %13, %c0_i32, %12 : i32
      %15 = ttg.memdesc_index %0[%14] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %16 = ttg.async_copy_global_to_local %arg0, %15 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %17 = ttg.async_commit_group tokens %16
      scf.yield %arg6, %17, %4, %14, %11 : !ttg.async.token, !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
}

