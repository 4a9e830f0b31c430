// passes: advance-copies
// A loop stores its state before it waits for its copies.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The product is over at the end of its iteration: the wait begins the next one, and the copies and the load for the one behind it follow.
  tt.func public @stored_first(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: tensor<64x64x!tt.ptr<f16>, #blocked>, %s: !tt.ptr<f32>, %g0: !ttg.async.token, %n: i32) {
    %before = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %end = arith.constant 2 : i32
    %first = arith.constant 0.000000e+00 : f32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %r:5 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %read = %before, %fill = %zero, %sum = %cst, %decay = %first) -> (!ttg.async.token, i32, i32, tensor<64x64xf32, #mma>, f32) : i32 {
      %read_next = arith.addi %read, %one : i32
      %read_wraps = arith.cmpi sge, %read_next, %end : i32
      %read_place = arith.select %read_wraps, %zero, %read_next : i32
      %half = arith.truncf %sum : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %stored = ttg.convert_layout %half : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
      tt.store %q, %stored : tensor<64x64x!tt.ptr<f16>, #blocked>
      %w = ttg.async_wait %t0 {num = 0 : i32}
      %b = ttg.memdesc_index %ring[%read_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %scale = tt.splat %decay : f32 -> tensor<64x64xf32, #mma>
      %scaled = arith.mulf %sum, %scale : tensor<64x64xf32, #mma>
      %d = ttng.warp_group_dot %b, %b, %scaled {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %fill_next = arith.addi %fill, %one : i32
      %fill_wraps = arith.cmpi sge, %fill_next, %end : i32
      %fill_place = arith.select %fill_wraps, %zero, %fill_next : i32
      %a = ttg.memdesc_index %ring[%fill_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      %next = tt.addptr %s, %i : !tt.ptr<f32>, i32
      %number = tt.load %next : !tt.ptr<f32>
      scf.yield %g, %read_place, %fill_place, %e, %number : !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>, f32
    }
    tt.return
  }
  // A product stands before the wait, which stays.
  tt.func public @multiplied_first(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %n: i32) {
    %before = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %end = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %fixed = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %read = %before, %fill = %zero, %sum = %cst) -> (!ttg.async.token, i32, i32, tensor<64x64xf32, #mma>) : i32 {
      %read_next = arith.addi %read, %one : i32
      %read_wraps = arith.cmpi sge, %read_next, %end : i32
      %read_place = arith.select %read_wraps, %zero, %read_next : i32
      %d0 = ttng.warp_group_dot %fixed, %fixed, %sum {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e0 = ttng.warp_group_dot_wait %d0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %half = arith.truncf %e0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %stored = ttg.convert_layout %half : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
      tt.store %q, %stored : tensor<64x64x!tt.ptr<f16>, #blocked>
      %w = ttg.async_wait %t0 {num = 0 : i32}
      %b = ttg.memdesc_index %ring[%read_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %e0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %fill_next = arith.addi %fill, %one : i32
      %fill_wraps = arith.cmpi sge, %fill_next, %end : i32
      %fill_place = arith.select %fill_wraps, %zero, %fill_next : i32
      %a = ttg.memdesc_index %ring[%fill_place] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %g, %read_place, %fill_place, %e : !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
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
  tt.func public @stored_first(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: !tt.ptr<f32>, %arg3: !ttg.async.token, %arg4: i32) {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %1:5 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3, %arg7 = %c-1_i32, %arg8 = %c0_i32, %arg9 = %cst_0, %arg10 = %cst) -> (!ttg.async.token, i32, i32, tensor<64x64xf32, #mma>, f32)  : i32 {
      %2 = arith.addi %arg7, %c1_i32 : i32
      %3 = arith.cmpi sge, %2, %c2_i32 : i32
      %4 = arith.select %3, %c0_i32, %2 : i32
      %5 = arith.truncf %arg9 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %6 = ttg.async_wait %arg6 {num = 0 : i32}
      %7 = arith.addi %arg8, %c1_i32 : i32
      %8 = arith.cmpi sge, %7, %c2_i32 : i32
      %9 = arith.select %8, %c0_i32, %7 : i32
      %10 = ttg.memdesc_index %0[%9] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %11 = ttg.async_copy_global_to_local %arg0, %10 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %12 = ttg.async_commit_group tokens %11
      %13 = tt.addptr %arg2, %arg5 : !tt.ptr<f32>, i32
      %14 = tt.load %13 : !tt.ptr<f32>
      %15 = ttg.convert_layout %5 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
      tt.store %arg1, %15 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %16 = ttg.memdesc_index %0[%4] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %17 = tt.splat %arg10 : f32 -> tensor<64x64xf32, #mma>
      %18 = arith.mulf %arg9, %17 : tensor<64x64xf32, #mma>
      %19 = ttng.warp_group_dot %16, %16, %18 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %20 = ttng.warp_group_dot_wait %19 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      scf.yield %12, %4, %9, %20, %14 : !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>, f32
    }
    tt.return
  }
  tt.func public @multiplied_first(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: !ttg.async.token, %arg3: i32) attributes {tk.room_for = 9 : i32} {
    %c-1_i32 = arith.constant -1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<1x64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2:4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2, %arg6 = %c-1_i32, %arg7 = %c0_i32, %arg8 = %cst) -> (!ttg.async.token, i32, i32, tensor<64x64xf32, #mma>)  : i32 {
      %3 = arith.addi %arg6, %c1_i32 : i32
      %4 = arith.cmpi sge, %3, %c2_i32 : i32
      %5 = arith.select %4, %c0_i32, %3 : i32
      %6 = ttng.warp_group_dot %1, %1, %arg8 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %7 = ttng.warp_group_dot_wait %6 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %8 = arith.truncf %7 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %9 = ttg.convert_layout %8 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
      tt.store %arg1, %9 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %10 = ttg.async_wait %arg5 {num = 0 : i32}
      %c0_i32_0 = arith.constant 0 : i32
      %11 = ttg.memdesc_index %0[%c0_i32_0] : !ttg.memdesc<1x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %12 = ttng.warp_group_dot %11, %11, %7 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %13 = ttng.warp_group_dot_wait %12 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %14 = arith.addi %arg7, %c1_i32 : i32
      %15 = arith.cmpi sge, %14, %c2_i32 : i32
      %16 = arith.select %15, %c0_i32, %14 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %17 = ttg.memdesc_index %0[%c0_i32_1] : !ttg.memdesc<1x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %18 = ttg.async_copy_global_to_local %arg0, %17 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %19 = ttg.async_commit_group tokens %18
      scf.yield %19, %5, %16, %13 : !ttg.async.token, i32, i32, tensor<64x64xf32, #mma>
    }
    tt.return
  }
}

