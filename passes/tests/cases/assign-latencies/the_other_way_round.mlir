// passes: assign-latencies
// counts: {tt.latency 1
// The right operand lies in shared memory the other way round, so copies would be of single elements: it is loaded 16 bytes at a time
// instead. The left one is copied.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%ap: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %bp: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4096 = arith.constant 4096 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %col = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %row2 = arith.muli %row1, %stride : tensor<64x1xi32, #blocked>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %col1 = tt.expand_dims %col {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %col2 = tt.broadcast %col1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offset = arith.addi %row3, %col2 : tensor<64x64xi32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %first = arith.muli %i, %c4096 : i32
      %ai = tt.addptr %ap, %first : !tt.ptr<f32>, i32
      %as = tt.splat %ai : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
      %aq = tt.addptr %as, %offset : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      %a = tt.load %aq : tensor<64x64x!tt.ptr<f32>, #blocked>
      %left = ttg.local_alloc %a : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
      %bi = tt.addptr %bp, %first : !tt.ptr<f32>, i32
      %bs = tt.splat %bi : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
      %bq = tt.addptr %bs, %offset : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      %b = tt.load %bq : tensor<64x64x!tt.ptr<f32>, #blocked>
      %right = ttg.local_alloc %b : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
      %next = ttng.warp_group_dot %left, %right, %acc : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %3 = arith.muli %2, %cst_0 : tensor<64x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %7 = arith.addi %4, %6 : tensor<64x64xi32, #blocked>
    %8 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %9 = arith.muli %arg4, %c4096_i32 : i32
      %10 = tt.addptr %arg0, %9 : !tt.ptr<f32>, i32
      %11 = tt.splat %10 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
      %12 = tt.addptr %11, %7 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      %13 = tt.load %12 {tt.latency = 2 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked>
      %14 = ttg.local_alloc %13 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
      %15 = tt.addptr %arg1, %9 : !tt.ptr<f32>, i32
      %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
      %17 = tt.addptr %16, %7 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      %18 = tt.load %17 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %19 = ttg.local_alloc %18 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
      %20 = ttng.warp_group_dot %14, %19, %arg5 : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %20 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %8 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

