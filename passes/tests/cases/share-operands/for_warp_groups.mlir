// passes: share-operands
// target: sm_90a
// counts: ttg.local_alloc 2, ttg.local_load 2, ttg.convert_layout 0
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What is computed and written for `wgmma` is read by `mma.sync` from the same buffer, which is written before both.
  tt.func public @computed(%x: tensor<64x64xf16, #mma>, %pa: tensor<64x64x!tt.ptr<f16>, #a>) {
    %y = arith.addf %x, %x : tensor<64x64xf16, #mma>
    %a = ttg.convert_layout %y : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    tt.store %pa, %a : tensor<64x64x!tt.ptr<f16>, #a>
    %m = ttg.local_alloc %y : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
  // So is a loaded block.
  tt.func public @loaded(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %pa: tensor<64x64x!tt.ptr<f16>, #a>) {
    %y = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
    %m = ttg.local_alloc %y : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %a = ttg.convert_layout %y : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    tt.store %pa, %a : tensor<64x64x!tt.ptr<f16>, #a>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @computed(%arg0: tensor<64x64xf16, #mma>, %arg1: tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<64x64xf16, #mma>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.store %arg1, %2 : tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.return
  }
  tt.func public @loaded(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) {
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.store %arg1, %2 : tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.return
  }
}

