// passes: assign-latencies
// grid: few
// counts: tt.latency 1, {tt.latency 5
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 32}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Values of 64x16 that weights of the iteration are multiplied by: each element is copied, as far ahead as the keys.
  tt.func public @values(%q: !ttg.memdesc<64x16xf32, #shared, #smem>, %kp: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %vp: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: tensor<64x16x!tt.ptr<f32>, #mma1>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ksize = arith.constant 1024 : i32
    %vsize = arith.constant 1024 : i32
    %scores0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %zero = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma1>
    %kwidth = arith.constant dense<16> : tensor<1x64xi32, #blocked2>
    %krow = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %kcol = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %krow1 = tt.expand_dims %krow {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<16x1xi32, #blocked2>
    %krow2 = tt.broadcast %krow1 : tensor<16x1xi32, #blocked2> -> tensor<16x64xi32, #blocked2>
    %kcol1 = tt.expand_dims %kcol {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %kcol2 = arith.muli %kcol1, %kwidth : tensor<1x64xi32, #blocked2>
    %kcol3 = tt.broadcast %kcol2 : tensor<1x64xi32, #blocked2> -> tensor<16x64xi32, #blocked2>
    %koff = arith.addi %krow2, %kcol3 : tensor<16x64xi32, #blocked2>
    %vwidth = arith.constant dense<16> : tensor<64x1xi32, #blocked>
    %vrow = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %vcol = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %vrow1 = tt.expand_dims %vrow {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %vrow2 = arith.muli %vrow1, %vwidth : tensor<64x1xi32, #blocked>
    %vrow3 = tt.broadcast %vrow2 : tensor<64x1xi32, #blocked> -> tensor<64x16xi32, #blocked>
    %vcol1 = tt.expand_dims %vcol {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
    %vcol2 = tt.broadcast %vcol1 : tensor<1x16xi32, #blocked> -> tensor<64x16xi32, #blocked>
    %voff = arith.addi %vrow3, %vcol2 : tensor<64x16xi32, #blocked>
    %total = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x16xf32, #mma1>) : i32 {
      %kfirst = arith.muli %i, %ksize : i32
      %ki = tt.addptr %kp, %kfirst : !tt.ptr<f32>, i32
      %ks = tt.splat %ki : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked2>
      %kq = tt.addptr %ks, %koff : tensor<16x64x!tt.ptr<f32>, #blocked2>, tensor<16x64xi32, #blocked2>
      %k = tt.load %kq : tensor<16x64x!tt.ptr<f32>, #blocked2>
      %keys = ttg.local_alloc %k : (tensor<16x64xf32, #blocked2>) -> !ttg.memdesc<16x64xf32, #shared1, #smem>
      %vfirst = arith.muli %i, %vsize : i32
      %vi = tt.addptr %vp, %vfirst : !tt.ptr<f32>, i32
      %vs = tt.splat %vi : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>, #blocked>
      %vq = tt.addptr %vs, %voff : tensor<64x16x!tt.ptr<f32>, #blocked>, tensor<64x16xi32, #blocked>
      %v = tt.load %vq : tensor<64x16x!tt.ptr<f32>, #blocked>
      %values = ttg.local_alloc %v : (tensor<64x16xf32, #blocked>) -> !ttg.memdesc<64x16xf32, #shared2, #smem>
      %scores = ttng.warp_group_dot %q, %keys, %scores0 {inputPrecision = 0 : i32} : !ttg.memdesc<64x16xf32, #shared, #smem> * !ttg.memdesc<16x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %p = math.exp2 %scores : tensor<64x64xf32, #mma>
      %weights = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
      %next = ttng.warp_group_dot %weights, %values, %acc {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared2, #smem> -> tensor<64x16xf32, #mma1>
      scf.yield %next : tensor<64x16xf32, #mma1>
    }
    tt.store %out, %total : tensor<64x16x!tt.ptr<f32>, #mma1>
    tt.return
  }
  // A thread has 32 numbers of values of 64x64: they are loaded one iteration ahead.
  tt.func public @large(%q: !ttg.memdesc<64x16xf32, #shared, #smem>, %kp: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %vp: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ksize = arith.constant 1024 : i32
    %vsize = arith.constant 4096 : i32
    %scores0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %kwidth = arith.constant dense<16> : tensor<1x64xi32, #blocked2>
    %krow = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %kcol = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %krow1 = tt.expand_dims %krow {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<16x1xi32, #blocked2>
    %krow2 = tt.broadcast %krow1 : tensor<16x1xi32, #blocked2> -> tensor<16x64xi32, #blocked2>
    %kcol1 = tt.expand_dims %kcol {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %kcol2 = arith.muli %kcol1, %kwidth : tensor<1x64xi32, #blocked2>
    %kcol3 = tt.broadcast %kcol2 : tensor<1x64xi32, #blocked2> -> tensor<16x64xi32, #blocked2>
    %koff = arith.addi %krow2, %kcol3 : tensor<16x64xi32, #blocked2>
    %vwidth = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %vrow = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %vcol = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %vrow1 = tt.expand_dims %vrow {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %vrow2 = arith.muli %vrow1, %vwidth : tensor<64x1xi32, #blocked1>
    %vrow3 = tt.broadcast %vrow2 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %vcol1 = tt.expand_dims %vcol {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %vcol2 = tt.broadcast %vcol1 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %voff = arith.addi %vrow3, %vcol2 : tensor<64x64xi32, #blocked1>
    %total = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %kfirst = arith.muli %i, %ksize : i32
      %ki = tt.addptr %kp, %kfirst : !tt.ptr<f32>, i32
      %ks = tt.splat %ki : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked2>
      %kq = tt.addptr %ks, %koff : tensor<16x64x!tt.ptr<f32>, #blocked2>, tensor<16x64xi32, #blocked2>
      %k = tt.load %kq : tensor<16x64x!tt.ptr<f32>, #blocked2>
      %keys = ttg.local_alloc %k : (tensor<16x64xf32, #blocked2>) -> !ttg.memdesc<16x64xf32, #shared1, #smem>
      %vfirst = arith.muli %i, %vsize : i32
      %vi = tt.addptr %vp, %vfirst : !tt.ptr<f32>, i32
      %vs = tt.splat %vi : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
      %vq = tt.addptr %vs, %voff : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
      %v = tt.load %vq : tensor<64x64x!tt.ptr<f32>, #blocked1>
      %values = ttg.local_alloc %v : (tensor<64x64xf32, #blocked1>) -> !ttg.memdesc<64x64xf32, #shared2, #smem>
      %scores = ttng.warp_group_dot %q, %keys, %scores0 {inputPrecision = 0 : i32} : !ttg.memdesc<64x16xf32, #shared, #smem> * !ttg.memdesc<16x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %p = math.exp2 %scores : tensor<64x64xf32, #mma>
      %weights = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %next = ttng.warp_group_dot %weights, %values, %acc {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared2, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %total : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // The columns of the values are summed, too: they are loaded.
  tt.func public @summed(%q: !ttg.memdesc<64x16xf32, #shared, #smem>, %kp: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %vp: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: tensor<64x16x!tt.ptr<f32>, #mma1>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ksize = arith.constant 1024 : i32
    %vsize = arith.constant 1024 : i32
    %scores0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %zero = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma1>
    %none = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #blocked>
    %kwidth = arith.constant dense<16> : tensor<1x64xi32, #blocked2>
    %krow = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %kcol = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %krow1 = tt.expand_dims %krow {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<16x1xi32, #blocked2>
    %krow2 = tt.broadcast %krow1 : tensor<16x1xi32, #blocked2> -> tensor<16x64xi32, #blocked2>
    %kcol1 = tt.expand_dims %kcol {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %kcol2 = arith.muli %kcol1, %kwidth : tensor<1x64xi32, #blocked2>
    %kcol3 = tt.broadcast %kcol2 : tensor<1x64xi32, #blocked2> -> tensor<16x64xi32, #blocked2>
    %koff = arith.addi %krow2, %kcol3 : tensor<16x64xi32, #blocked2>
    %vwidth = arith.constant dense<16> : tensor<64x1xi32, #blocked>
    %vrow = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %vcol = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %vrow1 = tt.expand_dims %vrow {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %vrow2 = arith.muli %vrow1, %vwidth : tensor<64x1xi32, #blocked>
    %vrow3 = tt.broadcast %vrow2 : tensor<64x1xi32, #blocked> -> tensor<64x16xi32, #blocked>
    %vcol1 = tt.expand_dims %vcol {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
    %vcol2 = tt.broadcast %vcol1 : tensor<1x16xi32, #blocked> -> tensor<64x16xi32, #blocked>
    %voff = arith.addi %vrow3, %vcol2 : tensor<64x16xi32, #blocked>
    %total:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %more = %none) -> (tensor<64x16xf32, #mma1>, tensor<64x16xf32, #blocked>) : i32 {
      %kfirst = arith.muli %i, %ksize : i32
      %ki = tt.addptr %kp, %kfirst : !tt.ptr<f32>, i32
      %ks = tt.splat %ki : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked2>
      %kq = tt.addptr %ks, %koff : tensor<16x64x!tt.ptr<f32>, #blocked2>, tensor<16x64xi32, #blocked2>
      %k = tt.load %kq : tensor<16x64x!tt.ptr<f32>, #blocked2>
      %keys = ttg.local_alloc %k : (tensor<16x64xf32, #blocked2>) -> !ttg.memdesc<16x64xf32, #shared1, #smem>
      %vfirst = arith.muli %i, %vsize : i32
      %vi = tt.addptr %vp, %vfirst : !tt.ptr<f32>, i32
      %vs = tt.splat %vi : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>, #blocked>
      %vq = tt.addptr %vs, %voff : tensor<64x16x!tt.ptr<f32>, #blocked>, tensor<64x16xi32, #blocked>
      %v = tt.load %vq : tensor<64x16x!tt.ptr<f32>, #blocked>
      %values = ttg.local_alloc %v : (tensor<64x16xf32, #blocked>) -> !ttg.memdesc<64x16xf32, #shared2, #smem>
      %scores = ttng.warp_group_dot %q, %keys, %scores0 {inputPrecision = 0 : i32} : !ttg.memdesc<64x16xf32, #shared, #smem> * !ttg.memdesc<16x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %p = math.exp2 %scores : tensor<64x64xf32, #mma>
      %weights = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
      %next = ttng.warp_group_dot %weights, %values, %acc {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared2, #smem> -> tensor<64x16xf32, #mma1>
      %sum = arith.addf %more, %v : tensor<64x16xf32, #blocked>
      scf.yield %next, %sum : tensor<64x16xf32, #mma1>, tensor<64x16xf32, #blocked>
    }
    %columns = ttg.convert_layout %total#1 : tensor<64x16xf32, #blocked> -> tensor<64x16xf32, #mma1>
    %both = arith.addf %total#0, %columns : tensor<64x16xf32, #mma1>
    tt.store %out, %both : tensor<64x16x!tt.ptr<f32>, #mma1>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 32}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @values(%arg0: !ttg.memdesc<64x16xf32, #shared, #smem>, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: tensor<64x16x!tt.ptr<f32>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c1024_i32_0 = arith.constant 1024 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma>
    %cst_2 = arith.constant dense<16> : tensor<1x64xi32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %3 = tt.broadcast %2 : tensor<16x1xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %4 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %5 = arith.muli %4, %cst_2 : tensor<1x64xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %7 = arith.addi %3, %6 : tensor<16x64xi32, #blocked>
    %cst_3 = arith.constant dense<16> : tensor<64x1xi32, #blocked1>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %10 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %11 = arith.muli %10, %cst_3 : tensor<64x1xi32, #blocked1>
    %12 = tt.broadcast %11 : tensor<64x1xi32, #blocked1> -> tensor<64x16xi32, #blocked1>
    %13 = tt.expand_dims %9 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x16xi32, #blocked1>
    %14 = tt.broadcast %13 : tensor<1x16xi32, #blocked1> -> tensor<64x16xi32, #blocked1>
    %15 = arith.addi %12, %14 : tensor<64x16xi32, #blocked1>
    %16 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_1) -> (tensor<64x16xf32, #mma>)  : i32 {
      %17 = arith.muli %arg5, %c1024_i32 : i32
      %18 = tt.addptr %arg1, %17 : !tt.ptr<f32>, i32
      %19 = tt.splat %18 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
      %20 = tt.addptr %19, %7 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
      %21 = tt.load %20 {tt.latency = 4 : i32} : tensor<16x64x!tt.ptr<f32>, #blocked>
      %22 = ttg.local_alloc %21 : (tensor<16x64xf32, #blocked>) -> !ttg.memdesc<16x64xf32, #shared1, #smem>
      %23 = arith.muli %arg5, %c1024_i32_0 : i32
      %24 = tt.addptr %arg2, %23 : !tt.ptr<f32>, i32
      %25 = tt.splat %24 : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>, #blocked1>
      %26 = tt.addptr %25, %15 : tensor<64x16x!tt.ptr<f32>, #blocked1>, tensor<64x16xi32, #blocked1>
      %27 = tt.load %26 {tk.turned_copy, tt.latency = 4 : i32} : tensor<64x16x!tt.ptr<f32>, #blocked1>
      %28 = ttg.local_alloc %27 : (tensor<64x16xf32, #blocked1>) -> !ttg.memdesc<64x16xf32, #shared2, #smem>
      %29 = ttng.warp_group_dot %arg0, %22, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x16xf32, #shared, #smem> * !ttg.memdesc<16x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma1>
      %30 = math.exp2 %29 : tensor<64x64xf32, #mma1>
      %31 = ttg.convert_layout %30 : tensor<64x64xf32, #mma1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %32 = ttng.warp_group_dot %31, %28, %arg6 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared2, #smem> -> tensor<64x16xf32, #mma>
      scf.yield %32 : tensor<64x16xf32, #mma>
    }
    tt.store %arg3, %16 : tensor<64x16x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @large(%arg0: !ttg.memdesc<64x16xf32, #shared, #smem>, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: tensor<64x64x!tt.ptr<f32>, #mma1>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma1>
    %cst_1 = arith.constant dense<16> : tensor<1x64xi32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %3 = tt.broadcast %2 : tensor<16x1xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %4 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %5 = arith.muli %4, %cst_1 : tensor<1x64xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %7 = arith.addi %3, %6 : tensor<16x64xi32, #blocked>
    %cst_2 = arith.constant dense<64> : tensor<64x1xi32, #blocked2>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %9 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %10 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %11 = arith.muli %10, %cst_2 : tensor<64x1xi32, #blocked2>
    %12 = tt.broadcast %11 : tensor<64x1xi32, #blocked2> -> tensor<64x64xi32, #blocked2>
    %13 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %14 = tt.broadcast %13 : tensor<1x64xi32, #blocked2> -> tensor<64x64xi32, #blocked2>
    %15 = arith.addi %12, %14 : tensor<64x64xi32, #blocked2>
    %16 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x64xf32, #mma1>)  : i32 {
      %17 = arith.muli %arg5, %c1024_i32 : i32
      %18 = tt.addptr %arg1, %17 : !tt.ptr<f32>, i32
      %19 = tt.splat %18 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
      %20 = tt.addptr %19, %7 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
      %21 = tt.load %20 {tt.latency = 2 : i32} : tensor<16x64x!tt.ptr<f32>, #blocked>
      %22 = ttg.local_alloc %21 : (tensor<16x64xf32, #blocked>) -> !ttg.memdesc<16x64xf32, #shared1, #smem>
      %23 = arith.muli %arg5, %c4096_i32 : i32
      %24 = tt.addptr %arg2, %23 : !tt.ptr<f32>, i32
      %25 = tt.splat %24 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked2>
      %26 = tt.addptr %25, %15 : tensor<64x64x!tt.ptr<f32>, #blocked2>, tensor<64x64xi32, #blocked2>
      %27 = tt.load %26 {tt.latency = 1 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked2>
      %28 = ttg.local_alloc %27 : (tensor<64x64xf32, #blocked2>) -> !ttg.memdesc<64x64xf32, #shared2, #smem>
      %29 = ttng.warp_group_dot %arg0, %22, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x16xf32, #shared, #smem> * !ttg.memdesc<16x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma1>
      %30 = math.exp2 %29 : tensor<64x64xf32, #mma1>
      %31 = ttg.convert_layout %30 : tensor<64x64xf32, #mma1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
      %32 = ttng.warp_group_dot %31, %28, %arg6 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared2, #smem> -> tensor<64x64xf32, #mma1>
      scf.yield %32 : tensor<64x64xf32, #mma1>
    }
    tt.store %arg3, %16 : tensor<64x64x!tt.ptr<f32>, #mma1>
    tt.return
  }
  tt.func public @summed(%arg0: !ttg.memdesc<64x16xf32, #shared, #smem>, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: tensor<64x16x!tt.ptr<f32>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c1024_i32_0 = arith.constant 1024 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #blocked1>
    %cst_3 = arith.constant dense<16> : tensor<1x64xi32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %3 = tt.broadcast %2 : tensor<16x1xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %4 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %5 = arith.muli %4, %cst_3 : tensor<1x64xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %7 = arith.addi %3, %6 : tensor<16x64xi32, #blocked>
    %cst_4 = arith.constant dense<16> : tensor<64x1xi32, #blocked1>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %10 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %11 = arith.muli %10, %cst_4 : tensor<64x1xi32, #blocked1>
    %12 = tt.broadcast %11 : tensor<64x1xi32, #blocked1> -> tensor<64x16xi32, #blocked1>
    %13 = tt.expand_dims %9 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x16xi32, #blocked1>
    %14 = tt.broadcast %13 : tensor<1x16xi32, #blocked1> -> tensor<64x16xi32, #blocked1>
    %15 = arith.addi %12, %14 : tensor<64x16xi32, #blocked1>
    %16:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_1, %arg7 = %cst_2) -> (tensor<64x16xf32, #mma>, tensor<64x16xf32, #blocked1>)  : i32 {
      %19 = arith.muli %arg5, %c1024_i32 : i32
      %20 = tt.addptr %arg1, %19 : !tt.ptr<f32>, i32
      %21 = tt.splat %20 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
      %22 = tt.addptr %21, %7 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
      %23 = tt.load %22 {tt.latency = 2 : i32} : tensor<16x64x!tt.ptr<f32>, #blocked>
      %24 = ttg.local_alloc %23 : (tensor<16x64xf32, #blocked>) -> !ttg.memdesc<16x64xf32, #shared1, #smem>
      %25 = arith.muli %arg5, %c1024_i32_0 : i32
      %26 = tt.addptr %arg2, %25 : !tt.ptr<f32>, i32
      %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>, #blocked1>
      %28 = tt.addptr %27, %15 : tensor<64x16x!tt.ptr<f32>, #blocked1>, tensor<64x16xi32, #blocked1>
      %29 = tt.load %28 {tt.latency = 2 : i32} : tensor<64x16x!tt.ptr<f32>, #blocked1>
      %30 = ttg.local_alloc %29 : (tensor<64x16xf32, #blocked1>) -> !ttg.memdesc<64x16xf32, #shared2, #smem>
      %31 = ttng.warp_group_dot %arg0, %24, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x16xf32, #shared, #smem> * !ttg.memdesc<16x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma1>
      %32 = math.exp2 %31 : tensor<64x64xf32, #mma1>
      %33 = ttg.convert_layout %32 : tensor<64x64xf32, #mma1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %34 = ttng.warp_group_dot %33, %30, %arg6 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x16xf32, #shared2, #smem> -> tensor<64x16xf32, #mma>
      %35 = arith.addf %arg7, %29 : tensor<64x16xf32, #blocked1>
      scf.yield %34, %35 : tensor<64x16xf32, #mma>, tensor<64x16xf32, #blocked1>
    }
    %17 = ttg.convert_layout %16#1 : tensor<64x16xf32, #blocked1> -> tensor<64x16xf32, #mma>
    %18 = arith.addf %16#0, %17 : tensor<64x16xf32, #mma>
    tt.store %arg3, %18 : tensor<64x16x!tt.ptr<f32>, #mma>
    tt.return
  }
}

