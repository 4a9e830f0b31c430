// passes: assign-latencies,schedule-loops
// stages: 3
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Scales that are combined with results of products are loaded one iteration ahead, before everything else, and a number that no product is
  // combined with is not.
  tt.func public @scales(%a_desc: !tt.tensordesc<tensor<128x64xf16, #shared>>, %b_desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %rows: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>> {tt.divisibility = 16 : i32}, %one_scale: !tt.ptr<f32>, %n: i32) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>, f32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant 0.000000e+00 : f32
    %step = arith.constant dense<128> : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %r:4 = scf.for %i = %zero to %n step %one iter_args(%s0 = %cst, %s1 = %cst, %p = %rows, %apart = %none) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>, tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, f32) : i32 {
      %x = tt.descriptor_load %a_desc[%zero, %i] : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %y = tt.descriptor_load %b_desc[%i, %zero] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %l = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %b = ttg.local_alloc %y : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %s = tt.load %p : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %q = tt.addptr %one_scale, %i : !tt.ptr<f32>, i32
      %t = tt.load %q : !tt.ptr<f32>
      %other = arith.addf %apart, %t : f32
      %d = ttng.warp_group_dot %l, %b, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %e = tt.expand_dims %s {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %f = tt.broadcast %e : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
      %g = arith.mulf %d, %f : tensor<128x64xf32, #mma>
      %u = arith.addf %s0, %g : tensor<128x64xf32, #mma>
      %h = ttng.warp_group_dot %l, %b, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %v = arith.mulf %h, %h : tensor<128x64xf32, #mma>
      %w = arith.addf %s1, %v : tensor<128x64xf32, #mma>
      %next = tt.addptr %p, %step : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      scf.yield %u, %w, %next, %other : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>, tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, f32
    }
    tt.return %r#0, %r#1, %r#3 : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>, f32
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scales(%arg0: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg1: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg2: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32>, %arg4: i32) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>, f32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<128> : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0:4 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_1, %arg7 = %cst_1, %arg8 = %arg2, %arg9 = %cst) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>, tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, f32)  : i32 {
      %1 = tt.descriptor_load %arg0[%c0_i32, %arg5] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<128x64xf16, #shared>> -> tensor<128x64xf16, #blocked>
      %2 = tt.descriptor_load %arg1[%arg5, %c0_i32] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
      %3 = ttg.local_alloc %1 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %4 = ttg.local_alloc %2 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %5 = tt.load %arg8 {loop.cluster = -1 : i32, loop.stage = 1 : i32, tk.issued_ahead} : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %6 = tt.addptr %arg3, %arg5 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !tt.ptr<f32>, i32
      %7 = tt.load %6 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : !tt.ptr<f32>
      %8 = arith.addf %arg9, %7 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : f32
      %9 = ttng.warp_group_dot %3, %4, %cst_1 {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %10 = tt.expand_dims %5 {axis = 1 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %11 = tt.broadcast %10 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
      %12 = arith.mulf %9, %11 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf32, #mma>
      %13 = arith.addf %arg6, %12 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf32, #mma>
      %14 = ttng.warp_group_dot %3, %4, %cst_1 {inputPrecision = 0 : i32, loop.cluster = 0 : i32, loop.stage = 2 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %15 = arith.mulf %14, %14 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf32, #mma>
      %16 = arith.addf %arg7, %15 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x64xf32, #mma>
      %17 = tt.addptr %arg8, %cst_0 {loop.cluster = 1 : i32, loop.stage = 1 : i32} : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      scf.yield %13, %16, %17, %8 : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>, tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, f32
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %0#0, %0#1, %0#3 : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>, f32
  }
}

