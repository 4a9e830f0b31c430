// passes: split-products
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Scores, weights and sums take more than 256 registers: two parts of the rows. Sums over the rows take one after the other, and a product of the rows is made of its parts.
  tt.func public @read(%rows: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %left: tensor<128x64xf16, #blocked>, %right: tensor<64x128xf16, #blocked>, %down: tensor<128x128xf16, #blocked>, %out: tensor<128x64x!tt.ptr<f32>, #mma1>, %out1: tensor<128x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %none = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma1>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %none, %other = %cst) -> (tensor<128x64xf32, #mma1>, tensor<128x128xf32, #mma>) : i32 {
      %l = ttg.local_alloc %left : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %b = ttg.local_alloc %right : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %k = ttg.local_alloc %down : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
      %s = tt.load %rows : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %d = ttng.warp_group_dot %l, %b, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      %e = tt.expand_dims %s {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %f = tt.broadcast %e : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %p = arith.mulf %d, %f : tensor<128x128xf32, #mma>
      %w = arith.truncf %p : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
      %a = ttg.local_alloc %w : (tensor<128x128xf16, #mma>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
      %t = ttg.memdesc_trans %a {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem> -> !ttg.memdesc<128x128xf16, #shared1, #smem>
      %x = ttng.warp_group_dot %t, %l, %sum {inputPrecision = 0 : i32} : !ttg.memdesc<128x128xf16, #shared1, #smem> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma1>
      %doubled = arith.addf %x, %x : tensor<128x64xf32, #mma1>
      %g = ttg.convert_layout %w : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %y = ttng.warp_group_dot %g, %k, %other {inputPrecision = 0 : i32} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %doubled, %y : tensor<128x64xf32, #mma1>, tensor<128x128xf32, #mma>
    }
    tt.store %out, %r#0 : tensor<128x64x!tt.ptr<f32>, #mma1>
    tt.store %out1, %r#1 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  // A reduction looks at all columns of the weights in between: whole.
  tt.func public @reduced(%left: tensor<128x64xf16, #blocked>, %right: tensor<64x128xf16, #blocked>, %down: tensor<128x128xf16, #blocked>, %n: i32, %out: tensor<128x128x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %cst) -> (tensor<128x128xf32, #mma>) : i32 {
      %l = ttg.local_alloc %left : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %b = ttg.local_alloc %right : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %d = ttng.warp_group_dot %l, %b, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      %m = "tt.reduce"(%d) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %z = arith.maxnumf %x, %y : f32
        tt.reduce.return %z : f32
      }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %e = tt.expand_dims %m {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %f = tt.broadcast %e : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %p = arith.subf %d, %f : tensor<128x128xf32, #mma>
      %w = arith.truncf %p : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
      %a = ttg.local_alloc %w : (tensor<128x128xf16, #mma>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
      %t = ttg.memdesc_trans %a {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem> -> !ttg.memdesc<128x128xf16, #shared1, #smem>
      %k = ttg.local_alloc %down : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
      %x = ttng.warp_group_dot %t, %k, %sum {inputPrecision = 0 : i32} : !ttg.memdesc<128x128xf16, #shared1, #smem> * !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %x : tensor<128x128xf32, #mma>
    }
    tt.store %out, %r : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 0, 64], [1, 0, 0]], lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[0, 16, 0], [0, 32, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 1, 0], [8, 0, 0], [0, 8, 0], [0, 16, 0], [0, 32, 0], [0, 64, 0], [0, 0, 1]], lane = [[0, 2, 0], [0, 4, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}>
#linear3 = #ttg.linear<{register = [[0, 8], [1, 0]], lane = [[0, 0], [0, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#linear4 = #ttg.linear<{register = [[8, 0], [0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}>
#linear5 = #ttg.linear<{register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], block = []}>
#linear6 = #ttg.linear<{register = [[0, 0, 1], [0, 1, 0], [8, 0, 0], [0, 8, 0], [0, 16, 0], [0, 32, 0], [0, 64, 0]], lane = [[0, 2, 0], [0, 4, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}>
#linear7 = #ttg.linear<{register = [[1, 0, 0], [0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 0, 64]], lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[0, 16, 0], [0, 32, 0]], block = []}>
#linear8 = #ttg.linear<{register = [[64, 0], [0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @read(%arg0: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %arg1: tensor<128x64xf16, #blocked>, %arg2: tensor<64x128xf16, #blocked>, %arg3: tensor<128x128xf16, #blocked>, %arg4: tensor<128x64x!tt.ptr<f32>, #mma1>, %arg5: tensor<128x128x!tt.ptr<f32>, #mma>, %arg6: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma1>
    %0:2 = scf.for %arg7 = %c0_i32 to %arg6 step %c1_i32 iter_args(%arg8 = %cst_0, %arg9 = %cst) -> (tensor<128x64xf32, #mma1>, tensor<128x128xf32, #mma>)  : i32 {
      %1 = tt.reshape %arg9 : tensor<128x128xf32, #mma> -> tensor<2x64x128xf32, #linear>
      %2 = tt.trans %1 {order = array<i32: 1, 2, 0>} : tensor<2x64x128xf32, #linear> -> tensor<64x128x2xf32, #linear1>
      %outLHS, %outRHS = tt.split %2 : tensor<64x128x2xf32, #linear1> -> tensor<64x128xf32, #linear2>
      %3 = tt.reshape %outLHS : tensor<64x128xf32, #linear2> -> tensor<64x128xf32, #mma>
      %4 = tt.reshape %outRHS : tensor<64x128xf32, #linear2> -> tensor<64x128xf32, #mma>
      %5 = ttg.local_alloc %arg1 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %6 = ttg.local_alloc %arg2 : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %7 = ttg.local_alloc %arg3 : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
      %8 = tt.load %arg0 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %9 = tt.reshape %8 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<2x64xf32, #linear3>
      %10 = tt.trans %9 {order = array<i32: 1, 0>} : tensor<2x64xf32, #linear3> -> tensor<64x2xf32, #linear4>
      %outLHS_1, %outRHS_2 = tt.split %10 : tensor<64x2xf32, #linear4> -> tensor<64xf32, #linear5>
      %11 = tt.reshape %outLHS_1 : tensor<64xf32, #linear5> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %12 = tt.reshape %outRHS_2 : tensor<64xf32, #linear5> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %13 = ttg.memdesc_subslice %5[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
      %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
      %14 = ttng.warp_group_dot %13, %6, %cst_3 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem, 128x64> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<64x128xf32, #mma>
      %15 = tt.expand_dims %11 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %16 = tt.broadcast %15 : tensor<64x1xf32, #mma> -> tensor<64x128xf32, #mma>
      %17 = arith.mulf %14, %16 : tensor<64x128xf32, #mma>
      %18 = arith.truncf %17 : tensor<64x128xf32, #mma> to tensor<64x128xf16, #mma>
      %19 = ttg.local_alloc %18 : (tensor<64x128xf16, #mma>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %20 = ttg.memdesc_trans %19 {order = array<i32: 1, 0>} : !ttg.memdesc<64x128xf16, #shared, #smem> -> !ttg.memdesc<128x64xf16, #shared1, #smem>
      %21 = ttg.memdesc_subslice %5[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
      %22 = ttng.warp_group_dot %20, %21, %arg8 {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared1, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, 128x64> -> tensor<128x64xf32, #mma1>
      %23 = ttg.convert_layout %18 : tensor<64x128xf16, #mma> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %24 = ttng.warp_group_dot %23, %7, %3 {inputPrecision = 0 : i32} : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<64x128xf32, #mma>
      %25 = ttg.memdesc_subslice %5[64, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
      %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
      %26 = ttng.warp_group_dot %25, %6, %cst_4 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem, 128x64> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<64x128xf32, #mma>
      %27 = tt.expand_dims %12 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %28 = tt.broadcast %27 : tensor<64x1xf32, #mma> -> tensor<64x128xf32, #mma>
      %29 = arith.mulf %26, %28 : tensor<64x128xf32, #mma>
      %30 = arith.truncf %29 : tensor<64x128xf32, #mma> to tensor<64x128xf16, #mma>
      %31 = ttg.local_alloc %30 : (tensor<64x128xf16, #mma>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %32 = ttg.memdesc_trans %31 {order = array<i32: 1, 0>} : !ttg.memdesc<64x128xf16, #shared, #smem> -> !ttg.memdesc<128x64xf16, #shared1, #smem>
      %33 = ttg.memdesc_subslice %5[64, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
      %34 = ttng.warp_group_dot %32, %33, %22 {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared1, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, 128x64> -> tensor<128x64xf32, #mma1>
      %35 = ttg.convert_layout %30 : tensor<64x128xf16, #mma> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %36 = ttng.warp_group_dot %35, %7, %4 {inputPrecision = 0 : i32} : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<64x128xf32, #mma>
      %37 = tt.join %24, %36 : tensor<64x128xf32, #mma> -> tensor<64x128x2xf32, #linear6>
      %38 = tt.trans %37 {order = array<i32: 2, 0, 1>} : tensor<64x128x2xf32, #linear6> -> tensor<2x64x128xf32, #linear7>
      %39 = tt.reshape %38 : tensor<2x64x128xf32, #linear7> -> tensor<128x128xf32, #linear8>
      %40 = ttg.convert_layout %39 : tensor<128x128xf32, #linear8> -> tensor<128x128xf32, #mma>
      %41 = arith.addf %34, %34 : tensor<128x64xf32, #mma1>
      scf.yield %41, %40 : tensor<128x64xf32, #mma1>, tensor<128x128xf32, #mma>
    }
    tt.store %arg4, %0#0 : tensor<128x64x!tt.ptr<f32>, #mma1>
    tt.store %arg5, %0#1 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @reduced(%arg0: tensor<128x64xf16, #blocked>, %arg1: tensor<64x128xf16, #blocked>, %arg2: tensor<128x128xf16, #blocked>, %arg3: i32, %arg4: tensor<128x128x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = scf.for %arg5 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %1 = ttg.local_alloc %arg0 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %2 = ttg.local_alloc %arg1 : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %3 = ttng.warp_group_dot %1, %2, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      %4 = "tt.reduce"(%3) <{axis = 1 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %13 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %13 : f32
      }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %6 = tt.broadcast %5 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %7 = arith.subf %3, %6 : tensor<128x128xf32, #mma>
      %8 = arith.truncf %7 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
      %9 = ttg.local_alloc %8 : (tensor<128x128xf16, #mma>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
      %10 = ttg.memdesc_trans %9 {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf16, #shared, #smem> -> !ttg.memdesc<128x128xf16, #shared1, #smem>
      %11 = ttg.local_alloc %arg2 : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
      %12 = ttng.warp_group_dot %10, %11, %arg6 {inputPrecision = 0 : i32} : !ttg.memdesc<128x128xf16, #shared1, #smem> * !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %12 : tensor<128x128xf32, #mma>
    }
    tt.store %arg4, %0 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
}

