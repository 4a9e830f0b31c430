// passes: split-products
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Result and sum take 256 registers: two parts. Numbers of rows are taken apart, those of columns are the same for both; a branch behind sees all rows.
  tt.func public @scaled(%a: !tt.ptr<f16>, %rows: tensor<256x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %columns: tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma}>>, %left: tensor<256x64xf16, #blocked>, %right: tensor<64x128xf16, #blocked>, %out: tensor<256x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256x128xf32, #mma>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %cst) -> (tensor<256x128xf32, #mma>) : i32 {
      %l = ttg.local_alloc %left : (tensor<256x64xf16, #blocked>) -> !ttg.memdesc<256x64xf16, #shared, #smem>
      %b = ttg.local_alloc %right : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %s = tt.load %rows : tensor<256x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %d = ttng.warp_group_dot %l, %b, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<256x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<256x128xf32, #mma>
      %e = tt.expand_dims %s {axis = 1 : i32} : tensor<256xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<256x1xf32, #mma>
      %f = tt.broadcast %e : tensor<256x1xf32, #mma> -> tensor<256x128xf32, #mma>
      %g = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x128xf32, #mma>
      %h = tt.broadcast %g : tensor<1x128xf32, #mma> -> tensor<256x128xf32, #mma>
      %p = arith.mulf %d, %f : tensor<256x128xf32, #mma>
      %q = arith.mulf %p, %h : tensor<256x128xf32, #mma>
      %t = arith.addf %sum, %q : tensor<256x128xf32, #mma>
      %last = arith.cmpi eq, %i, %one : i32
      scf.if %last {
        tt.store %out, %t : tensor<256x128x!tt.ptr<f32>, #mma>
      }
      scf.yield %t : tensor<256x128xf32, #mma>
    }
    tt.store %out, %r : tensor<256x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  // The body looks at all rows of the sum: it stays whole.
  tt.func public @looked_at(%left: tensor<256x64xf16, #blocked>, %right: tensor<64x128xf16, #blocked>, %out: tensor<256x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256x128xf32, #mma>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %cst) -> (tensor<256x128xf32, #mma>) : i32 {
      %l = ttg.local_alloc %left : (tensor<256x64xf16, #blocked>) -> !ttg.memdesc<256x64xf16, #shared, #smem>
      %b = ttg.local_alloc %right : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %d = ttng.warp_group_dot %l, %b, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<256x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<256x128xf32, #mma>
      %t = arith.addf %sum, %d : tensor<256x128xf32, #mma>
      tt.store %out, %t : tensor<256x128x!tt.ptr<f32>, #mma>
      scf.yield %t : tensor<256x128xf32, #mma>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 8], [1, 0]], lane = [[0, 0], [0, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32], [0, 64]], block = []}>
#linear1 = #ttg.linear<{register = [[8, 0], [0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32], [64]], block = []}>
#linear3 = #ttg.linear<{register = [[0, 0, 1], [0, 1, 0], [8, 0, 0], [0, 8, 0], [0, 16, 0], [0, 32, 0], [0, 64, 0]], lane = [[0, 2, 0], [0, 4, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0], [64, 0, 0]], block = []}>
#linear4 = #ttg.linear<{register = [[1, 0, 0], [0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 0, 64]], lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[0, 16, 0], [0, 32, 0], [0, 64, 0]], block = []}>
#linear5 = #ttg.linear<{register = [[128, 0], [0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scaled(%arg0: !tt.ptr<f16>, %arg1: tensor<256x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %arg2: tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma}>>, %arg3: tensor<256x64xf16, #blocked>, %arg4: tensor<64x128xf16, #blocked>, %arg5: tensor<256x128x!tt.ptr<f32>, #mma>, %arg6: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0:2 = scf.for %arg7 = %c0_i32 to %arg6 step %c1_i32 iter_args(%arg8 = %cst, %arg9 = %cst) -> (tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>)  : i32 {
      %5 = ttg.local_alloc %arg3 : (tensor<256x64xf16, #blocked>) -> !ttg.memdesc<256x64xf16, #shared, #smem>
      %6 = ttg.local_alloc %arg4 : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %7 = tt.load %arg1 : tensor<256x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %8 = tt.reshape %7 : tensor<256xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<2x128xf32, #linear>
      %9 = tt.trans %8 {order = array<i32: 1, 0>} : tensor<2x128xf32, #linear> -> tensor<128x2xf32, #linear1>
      %outLHS, %outRHS = tt.split %9 : tensor<128x2xf32, #linear1> -> tensor<128xf32, #linear2>
      %10 = tt.reshape %outLHS : tensor<128xf32, #linear2> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %11 = tt.reshape %outRHS : tensor<128xf32, #linear2> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %12 = tt.expand_dims %arg2 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x128xf32, #mma>
      %13 = ttg.memdesc_subslice %5[0, 0] : !ttg.memdesc<256x64xf16, #shared, #smem> -> !ttg.memdesc<128x64xf16, #shared, #smem, 256x64>
      %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
      %14 = ttng.warp_group_dot %13, %6, %cst_0 {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem, 256x64> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      %15 = tt.expand_dims %10 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %16 = tt.broadcast %15 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %17 = arith.mulf %14, %16 : tensor<128x128xf32, #mma>
      %18 = tt.broadcast %12 : tensor<1x128xf32, #mma> -> tensor<128x128xf32, #mma>
      %19 = arith.mulf %17, %18 : tensor<128x128xf32, #mma>
      %20 = arith.addf %arg8, %19 : tensor<128x128xf32, #mma>
      %21 = ttg.memdesc_subslice %5[128, 0] : !ttg.memdesc<256x64xf16, #shared, #smem> -> !ttg.memdesc<128x64xf16, #shared, #smem, 256x64>
      %false = arith.constant false
      %22 = ttng.warp_group_dot %21, %6, %14, %false {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem, 256x64> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      %23 = tt.expand_dims %11 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %24 = tt.broadcast %23 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %25 = arith.mulf %22, %24 : tensor<128x128xf32, #mma>
      %26 = tt.broadcast %12 : tensor<1x128xf32, #mma> -> tensor<128x128xf32, #mma>
      %27 = arith.mulf %25, %26 : tensor<128x128xf32, #mma>
      %28 = arith.addf %arg9, %27 : tensor<128x128xf32, #mma>
      %29 = tt.join %20, %28 : tensor<128x128xf32, #mma> -> tensor<128x128x2xf32, #linear3>
      %30 = tt.trans %29 {order = array<i32: 2, 0, 1>} : tensor<128x128x2xf32, #linear3> -> tensor<2x128x128xf32, #linear4>
      %31 = tt.reshape %30 : tensor<2x128x128xf32, #linear4> -> tensor<256x128xf32, #linear5>
      %32 = ttg.convert_layout %31 : tensor<256x128xf32, #linear5> -> tensor<256x128xf32, #mma>
      %33 = arith.cmpi eq, %arg7, %c1_i32 : i32
      scf.if %33 {
        tt.store %arg5, %32 : tensor<256x128x!tt.ptr<f32>, #mma>
      }
      scf.yield %20, %28 : tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>
    }
    %1 = tt.join %0#0, %0#1 : tensor<128x128xf32, #mma> -> tensor<128x128x2xf32, #linear3>
    %2 = tt.trans %1 {order = array<i32: 2, 0, 1>} : tensor<128x128x2xf32, #linear3> -> tensor<2x128x128xf32, #linear4>
    %3 = tt.reshape %2 : tensor<2x128x128xf32, #linear4> -> tensor<256x128xf32, #linear5>
    %4 = ttg.convert_layout %3 : tensor<256x128xf32, #linear5> -> tensor<256x128xf32, #mma>
    tt.store %arg5, %4 : tensor<256x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @looked_at(%arg0: tensor<256x64xf16, #blocked>, %arg1: tensor<64x128xf16, #blocked>, %arg2: tensor<256x128x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256x128xf32, #mma>
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<256x128xf32, #mma>)  : i32 {
      %1 = ttg.local_alloc %arg0 : (tensor<256x64xf16, #blocked>) -> !ttg.memdesc<256x64xf16, #shared, #smem>
      %2 = ttg.local_alloc %arg1 : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %3 = ttng.warp_group_dot %1, %2, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<256x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<256x128xf32, #mma>
      %4 = arith.addf %arg5, %3 : tensor<256x128xf32, #mma>
      tt.store %arg2, %4 : tensor<256x128x!tt.ptr<f32>, #mma>
      scf.yield %4 : tensor<256x128xf32, #mma>
    }
    tt.return
  }
}

