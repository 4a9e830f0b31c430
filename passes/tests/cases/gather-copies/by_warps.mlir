// passes: gather-copies
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Nothing is known of the pointers: 16 copies of 4 bytes beside 32 products keep their branch.
  tt.func public @narrow(%p: tensor<64x32x!tt.ptr<f32>, #blocked>, %a: tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma}>>, %b: tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma}>>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf32, #shared, #smem, mutable>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma}>> * tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma}>> -> tensor<64x64xf32, #mma>
      %is = arith.cmpi slt, %i, %n : i32
      %mask = tt.splat %is : i1 -> tensor<64x32xi1, #blocked>
      %to = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %to mask %mask {tk.skippable} : tensor<64x32x!tt.ptr<f32>, #blocked> -> <64x32xf32, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // Four copies of 16 bytes beside as many products keep their masks.
  tt.func public @wide(%base: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %a: tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma}>>, %b: tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma}>>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %columns = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %block = tt.broadcast %row : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %q = tt.splat %base : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %q, %block : tensor<64x32x!tt.ptr<f32>, #blocked>, tensor<64x32xi32, #blocked>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf32, #shared, #smem, mutable>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma}>> * tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma}>> -> tensor<64x64xf32, #mma>
      %is = arith.cmpi slt, %i, %n : i32
      %mask = tt.splat %is : i1 -> tensor<64x32xi1, #blocked>
      %to = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %to mask %mask {tk.skippable} : tensor<64x32x!tt.ptr<f32>, #blocked> -> <64x32xf32, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @narrow(%arg0: tensor<64x32x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma}>>, %arg2: tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma}>>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf32, #shared, #smem, mutable>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %2 = tt.dot %arg1, %arg2, %arg5, inputPrecision = tf32 : tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma}>> * tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma}>> -> tensor<64x64xf32, #mma>
      %3 = arith.cmpi slt, %arg4, %arg3 : i32
      %4 = tt.splat %3 : i1 -> tensor<64x32xi1, #blocked>
      %5 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
      %6 = ttg.async_copy_global_to_local %arg0, %5 mask %4 {tk.skippable} : tensor<64x32x!tt.ptr<f32>, #blocked> -> <64x32xf32, #shared, #smem, mutable>
      %7 = ttg.async_commit_group tokens %6
      scf.yield %2 : tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @wide(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma}>>, %arg2: tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma}>>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %2 = tt.broadcast %1 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<64x32x!tt.ptr<f32>, #blocked>, tensor<64x32xi32, #blocked>
    %5 = ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf32, #shared, #smem, mutable>
    %6 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %7 = tt.dot %arg1, %arg2, %arg5, inputPrecision = tf32 : tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma}>> * tensor<32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma}>> -> tensor<64x64xf32, #mma>
      %8 = arith.cmpi slt, %arg4, %arg3 : i32
      %9 = tt.splat %8 : i1 -> tensor<64x32xi1, #blocked>
      %10 = ttg.memdesc_index %5[%c1_i32] : !ttg.memdesc<3x64x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
      %11 = ttg.async_copy_global_to_local %4, %10 mask %9 : tensor<64x32x!tt.ptr<f32>, #blocked> -> <64x32xf32, #shared, #smem, mutable>
      %12 = ttg.async_commit_group tokens %11
      scf.yield %7 : tensor<64x64xf32, #mma>
    }
    tt.return
  }
}

