// passes: convert-to-ttg,remove-layout-conversions,accelerate-matmul,remove-layout-conversions,optimize-dot-operands
// counts: transposed = true 0
module {
  // Bytes that are cast to 16 bits lie along N, where they were loaded: so do the words that the product reads.
  tt.func public @loop(%pa: tensor<64x64x!tt.ptr<f16>>, %pb: tensor<64x128x!tt.ptr<f8E4M3FN>>, %pc: tensor<64x128x!tt.ptr<f32>>, %n: i32) {
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %first to %n step %one iter_args(%acc = %zero) -> (tensor<64x128xf32>) : i32 {
      %a = tt.load %pa : tensor<64x64x!tt.ptr<f16>>
      %b = tt.load %pb : tensor<64x128x!tt.ptr<f8E4M3FN>>
      %words = tt.fp_to_fp %b : tensor<64x128xf8E4M3FN> -> tensor<64x128xf16>
      %next = tt.dot %a, %words, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %next : tensor<64x128xf32>
    }
    tt.store %pc, %sum : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loop(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x128x!tt.ptr<f8E4M3FN>, #blocked1>, %arg2: tensor<64x128x!tt.ptr<f32>, #blocked1>, %arg3: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x128xf32, #mma>)  : i32 {
      %2 = tt.load %arg0 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %3 = ttg.local_alloc %2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %4 = tt.load %arg1 : tensor<64x128x!tt.ptr<f8E4M3FN>, #blocked1>
      %5 = tt.fp_to_fp %4 : tensor<64x128xf8E4M3FN, #blocked1> -> tensor<64x128xf16, #blocked1>
      %6 = ttg.local_alloc %5 : (tensor<64x128xf16, #blocked1>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      %7 = ttng.warp_group_dot %3, %6, %arg5 : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<64x128xf32, #mma>
      scf.yield %7 : tensor<64x128xf32, #mma>
    }
    %1 = ttg.convert_layout %0 : tensor<64x128xf32, #mma> -> tensor<64x128xf32, #blocked1>
    tt.store %arg2, %1 : tensor<64x128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

