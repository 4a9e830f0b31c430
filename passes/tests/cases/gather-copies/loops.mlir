// passes: gather-copies
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both copies stand together, behind what they are computed from; their groups follow in order.
  tt.func public @gathered(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %other = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %a = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %b = ttg.memdesc_index %other[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<64x64xf32, #mma>
      %is = arith.cmpi slt, %i, %n : i32
      %mask = tt.splat %is : i1 -> tensor<64x64xi1, #blocked>
      %to = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %to mask %mask {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      %place = arith.addi %one, %one : i32
      %into = ttg.memdesc_index %other[%place] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %f = ttg.async_copy_global_to_local %q, %into mask %mask {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %h = ttg.async_commit_group tokens %f
      scf.yield %e : tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // A meeting stands between the copies: each keeps its place and its branch.
  tt.func public @apart(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %a = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %a, %a, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<64x64xf32, #mma>
      %is = arith.cmpi slt, %i, %n : i32
      %mask = tt.splat %is : i1 -> tensor<64x64xi1, #blocked>
      %c = ttg.async_copy_global_to_local %p, %a mask %mask {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      gpu.barrier
      %f = ttg.async_copy_global_to_local %q, %a mask %mask {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %h = ttg.async_commit_group tokens %f
      scf.yield %e : tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // Nothing is multiplied: the copy keeps its mask.
  tt.func public @no_product(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    scf.for %i = %zero to %n step %one : i32 {
      %a = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %is = arith.cmpi slt, %i, %n : i32
      %mask = tt.splat %is : i1 -> tensor<64x64xi1, #blocked>
      %c = ttg.async_copy_global_to_local %p, %a mask %mask {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
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
  tt.func public @gathered(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %2 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %4 = ttg.memdesc_index %1[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %5 = ttng.warp_group_dot %3, %4, %arg4 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %6 = ttng.warp_group_dot_wait %5 {pendings = 1 : i32} : tensor<64x64xf32, #mma>
      %7 = arith.cmpi slt, %arg3, %arg2 : i32
      %8 = tt.splat %7 : i1 -> tensor<64x64xi1, #blocked>
      %9 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %10 = arith.addi %c1_i32, %c1_i32 : i32
      %11 = ttg.memdesc_index %1[%10] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %12 = ttg.async_copy_global_to_local %arg0, %9 mask %8 {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %13 = ttg.async_copy_global_to_local %arg1, %11 mask %8 {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %14 = ttg.async_commit_group tokens %12
      %15 = ttg.async_commit_group tokens %13
      scf.yield %6 : tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @apart(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %2 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %3 = ttng.warp_group_dot %2, %2, %arg4 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %4 = ttng.warp_group_dot_wait %3 {pendings = 1 : i32} : tensor<64x64xf32, #mma>
      %5 = arith.cmpi slt, %arg3, %arg2 : i32
      %6 = tt.splat %5 : i1 -> tensor<64x64xi1, #blocked>
      %7 = ttg.async_copy_global_to_local %arg0, %2 mask %6 {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_commit_group tokens %7
      gpu.barrier
      %9 = ttg.async_copy_global_to_local %arg1, %2 mask %6 {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %10 = ttg.async_commit_group tokens %9
      scf.yield %4 : tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @no_product(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %1 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %2 = arith.cmpi slt, %arg2, %arg1 : i32
      %3 = tt.splat %2 : i1 -> tensor<64x64xi1, #blocked>
      %4 = ttg.async_copy_global_to_local %arg0, %1 mask %3 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %5 = ttg.async_commit_group tokens %4
    }
    tt.return
  }
}

