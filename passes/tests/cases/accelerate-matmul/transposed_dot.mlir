// passes: convert-to-ttg,remove-layout-conversions,accelerate-matmul,remove-layout-conversions
// counts: tt.trans 1, ttg.memdesc_trans 2
module {
  tt.func public @loop(%pa: tensor<128x32x!tt.ptr<f32>>, %pb: tensor<32x64x!tt.ptr<f32>>, %pc: tensor<128x64x!tt.ptr<f32>>, %n: i32) {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %first to %n step %one iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i32 {
      %a = tt.load %pa : tensor<128x32x!tt.ptr<f32>>
      %b = tt.load %pb : tensor<32x64x!tt.ptr<f32>>
      %next = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<128x32xf32> * tensor<32x64xf32> -> tensor<128x64xf32>
      scf.yield %next : tensor<128x64xf32>
    }
    tt.store %pc, %sum : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#shared2 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#shared3 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loop(%arg0: tensor<128x32x!tt.ptr<f32>, #blocked>, %arg1: tensor<32x64x!tt.ptr<f32>, #blocked1>, %arg2: tensor<128x64x!tt.ptr<f32>, #blocked1>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x128xf32, #mma>)  : i32 {
      %3 = tt.load %arg0 : tensor<128x32x!tt.ptr<f32>, #blocked>
      %4 = ttg.local_alloc %3 : (tensor<128x32xf32, #blocked>) -> !ttg.memdesc<128x32xf32, #shared, #smem>
      %5 = ttg.memdesc_trans %4 {order = array<i32: 1, 0>} : !ttg.memdesc<128x32xf32, #shared, #smem> -> !ttg.memdesc<32x128xf32, #shared1, #smem>
      %6 = tt.load %arg1 : tensor<32x64x!tt.ptr<f32>, #blocked1>
      %7 = ttg.local_alloc %6 : (tensor<32x64xf32, #blocked1>) -> !ttg.memdesc<32x64xf32, #shared2, #smem>
      %8 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf32, #shared2, #smem> -> !ttg.memdesc<64x32xf32, #shared3, #smem>
      %9 = ttg.local_load %8 : !ttg.memdesc<64x32xf32, #shared3, #smem> -> tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %10 = ttng.warp_group_dot %9, %5, %arg5 {inputPrecision = 0 : i32} : tensor<64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<32x128xf32, #shared1, #smem> -> tensor<64x128xf32, #mma>
      scf.yield %10 : tensor<64x128xf32, #mma>
    }
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<64x128xf32, #mma> -> tensor<128x64xf32, #linear>
    %2 = ttg.convert_layout %1 : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked1>
    tt.store %arg2, %2 : tensor<128x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

