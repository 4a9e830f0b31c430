// passes: reorder-instructions
// grid: few
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Values that are loaded beside the scores' product are written before the product that reads them.
  tt.func public @values(%places: tensor<64x64x!tt.ptr<f32>, #blocked>, %q: !ttg.memdesc<64x64xf32, #shared1, #smem>, %k: !ttg.memdesc<64x64xf32, #shared, #smem>, %first: i32, %last: i32, %step: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %sum = scf.for %i = %first to %last step %step iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %v = tt.load %places : tensor<64x64x!tt.ptr<f32>, #blocked>
      %m = ttg.local_alloc %v : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
      %s = ttng.warp_group_dot %q, %k, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf32, #shared1, #smem> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %p = math.exp %w : tensor<64x64xf32, #mma>
      %a = ttg.convert_layout %p : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %d = ttng.warp_group_dot %a, %m, %acc {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return %sum : tensor<64x64xf32, #mma>
  }
  // What the first product reads stays before it, and so does what is there before the loop.
  tt.func public @keys(%places: tensor<64x64x!tt.ptr<f32>, #blocked>, %q: !ttg.memdesc<64x64xf32, #shared1, #smem>, %values: tensor<64x64xf32, #blocked>, %first: i32, %last: i32, %step: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %sum = scf.for %i = %first to %last step %step iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %k = tt.load %places : tensor<64x64x!tt.ptr<f32>, #blocked>
      %m = ttg.local_alloc %k : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
      %n = ttg.local_alloc %values : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
      %s = ttng.warp_group_dot %q, %m, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf32, #shared1, #smem> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %a = ttg.convert_layout %w : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %d = ttng.warp_group_dot %a, %n, %acc {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.return %sum : tensor<64x64xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @values(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: !ttg.memdesc<64x64xf32, #shared, #smem>, %arg2: !ttg.memdesc<64x64xf32, #shared1, #smem>, %arg3: i32, %arg4: i32, %arg5: i32) -> tensor<64x64xf32, #mma> {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = scf.for %arg6 = %arg3 to %arg4 step %arg5 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %1 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %2 = ttng.warp_group_dot %arg1, %arg2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %3 = ttng.warp_group_dot_wait %2 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %4 = math.exp %3 : tensor<64x64xf32, #mma>
      %5 = ttg.convert_layout %4 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %6 = ttg.local_alloc %1 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
      %7 = ttng.warp_group_dot %5, %6, %arg7 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %7 : tensor<64x64xf32, #mma>
    }
    tt.return %0 : tensor<64x64xf32, #mma>
  }
  tt.func public @keys(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: !ttg.memdesc<64x64xf32, #shared, #smem>, %arg2: tensor<64x64xf32, #blocked>, %arg3: i32, %arg4: i32, %arg5: i32) -> tensor<64x64xf32, #mma> {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = scf.for %arg6 = %arg3 to %arg4 step %arg5 iter_args(%arg7 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %1 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %2 = ttg.local_alloc %1 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
      %3 = ttg.local_alloc %arg2 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
      %4 = ttng.warp_group_dot %arg1, %2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %5 = ttng.warp_group_dot_wait %4 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %6 = ttg.convert_layout %5 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %7 = ttng.warp_group_dot %6, %3, %arg7 {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %7 : tensor<64x64xf32, #mma>
    }
    tt.return %0 : tensor<64x64xf32, #mma>
  }
}

