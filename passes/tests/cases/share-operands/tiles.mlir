// passes: share-operands
// target: sm_90a
// counts: ttg.local_alloc 2, ttg.local_load 4, ttg.convert_layout 2
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The left operand of one product and the right operand of another: written once, read twice.
  tt.func public @twice(%x: tensor<128x128xf16, #blocked>, %pa: tensor<128x128x!tt.ptr<f16>, #a>, %pb: tensor<128x128x!tt.ptr<f16>, #b>) {
    %y = arith.addf %x, %x : tensor<128x128xf16, #blocked>
    %a = ttg.convert_layout %y : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #a>
    tt.store %pa, %a : tensor<128x128x!tt.ptr<f16>, #a>
    %b = ttg.convert_layout %y : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
    tt.store %pb, %b : tensor<128x128x!tt.ptr<f16>, #b>
    tt.return
  }
  // Two tiles, each of which is read in one layout.
  tt.func public @once(%x: tensor<128x128xf16, #blocked>, %pa: tensor<128x128x!tt.ptr<f16>, #a>, %pb: tensor<128x128x!tt.ptr<f16>, #b>) {
    %y = arith.addf %x, %x : tensor<128x128xf16, #blocked>
    %z = arith.mulf %x, %x : tensor<128x128xf16, #blocked>
    %a = ttg.convert_layout %z : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #a>
    tt.store %pa, %a : tensor<128x128x!tt.ptr<f16>, #a>
    %b = ttg.convert_layout %y : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
    tt.store %pb, %b : tensor<128x128x!tt.ptr<f16>, #b>
    tt.return
  }
  // Words of four bytes, which are read one by one where they are turned.
  tt.func public @words(%x: tensor<128x128xf32, #blocked>, %pa: tensor<128x128x!tt.ptr<f32>, #a>, %pb: tensor<128x128x!tt.ptr<f32>, #b>) {
    %y = arith.addf %x, %x : tensor<128x128xf32, #blocked>
    %a = ttg.convert_layout %y : tensor<128x128xf32, #blocked> -> tensor<128x128xf32, #a>
    tt.store %pa, %a : tensor<128x128x!tt.ptr<f32>, #a>
    %b = ttg.convert_layout %y : tensor<128x128xf32, #blocked> -> tensor<128x128xf32, #b>
    tt.store %pb, %b : tensor<128x128x!tt.ptr<f32>, #b>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @twice(%arg0: tensor<128x128xf16, #blocked>, %arg1: tensor<128x128x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<128x128x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<128x128xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.store %arg1, %2 : tensor<128x128x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %3 = ttg.local_load %1 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.store %arg2, %3 : tensor<128x128x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.return
  }
  tt.func public @once(%arg0: tensor<128x128xf16, #blocked>, %arg1: tensor<128x128x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<128x128x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<128x128xf16, #blocked>
    %1 = arith.mulf %arg0, %arg0 : tensor<128x128xf16, #blocked>
    %2 = ttg.convert_layout %1 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.store %arg1, %2 : tensor<128x128x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %3 = ttg.convert_layout %0 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.store %arg2, %3 : tensor<128x128x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.return
  }
  tt.func public @words(%arg0: tensor<128x128xf32, #blocked>, %arg1: tensor<128x128x!tt.ptr<f32>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<128x128x!tt.ptr<f32>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<128x128xf32, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<128x128xf32, #blocked>) -> !ttg.memdesc<128x128xf32, #shared1, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<128x128xf32, #shared1, #smem> -> tensor<128x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.store %arg1, %2 : tensor<128x128x!tt.ptr<f32>, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %3 = ttg.local_load %1 : !ttg.memdesc<128x128xf32, #shared1, #smem> -> tensor<128x128xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.store %arg2, %3 : tensor<128x128x!tt.ptr<f32>, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.return
  }
}

