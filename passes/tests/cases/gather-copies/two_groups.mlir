// passes: gather-copies
// warps: 8
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two groups of warps: the copies keep their masks and their places.
  tt.func public @gathered(%p: tensor<128x64x!tt.ptr<f16>, #blocked>, %q: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %other = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<128x64xf32, #mma>) : i32 {
      %a = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %b = ttg.memdesc_index %other[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<128x64xf32, #mma>
      %is = arith.cmpi slt, %i, %n : i32
      %mask = tt.splat %is : i1 -> tensor<128x64xi1, #blocked>
      %to = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %small = tt.splat %is : i1 -> tensor<64x64xi1, #blocked>
      %c = ttg.async_copy_global_to_local %p, %to mask %mask {tk.skippable} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      %place = arith.addi %one, %one : i32
      %into = ttg.memdesc_index %other[%place] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %f = ttg.async_copy_global_to_local %q, %into mask %small {tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %h = ttg.async_commit_group tokens %f
      scf.yield %e : tensor<128x64xf32, #mma>
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
  tt.func public @gathered(%arg0: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %2 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<128x64xf32, #mma>)  : i32 {
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %4 = ttg.memdesc_index %1[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %5 = ttng.warp_group_dot %3, %4, %arg4 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %6 = ttng.warp_group_dot_wait %5 {pendings = 1 : i32} : tensor<128x64xf32, #mma>
      %7 = arith.cmpi slt, %arg3, %arg2 : i32
      %8 = tt.splat %7 : i1 -> tensor<128x64xi1, #blocked>
      %9 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %10 = tt.splat %7 : i1 -> tensor<64x64xi1, #blocked>
      %11 = ttg.async_copy_global_to_local %arg0, %9 mask %8 : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %12 = ttg.async_commit_group tokens %11
      %13 = arith.addi %c1_i32, %c1_i32 : i32
      %14 = ttg.memdesc_index %1[%13] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %15 = ttg.async_copy_global_to_local %arg1, %14 mask %10 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %16 = ttg.async_commit_group tokens %15
      scf.yield %6 : tensor<128x64xf32, #mma>
    }
    tt.return
  }
}

