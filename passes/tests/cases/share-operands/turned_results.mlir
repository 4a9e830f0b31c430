// passes: share-operands
// target: sm_90a
// counts: ttg.local_alloc 1, ttg.local_load 1, ttg.memdesc_trans 1, ttg.convert_layout 4
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#turned = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#old = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#turned_old = #ttg.linear<{register = [[1, 0], [0, 8], [16, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[8, 0], [0, 16]], block = []}>
#wide = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>
#a32 = #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 1}>
#a_old = #ttg.dot_op<{opIdx = 0, parent = #old, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Probabilities that `wgmma` computed are the left operand of the gradient of values, for which the block has too few rows.
  tt.func public @probabilities(%x: tensor<128x32xbf16, #mma>, %pa: tensor<32x128x!tt.ptr<bf16>, #a>) {
    %y = arith.addf %x, %x : tensor<128x32xbf16, #mma>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<128x32xbf16, #mma> -> tensor<32x128xbf16, #turned>
    %a = ttg.convert_layout %t : tensor<32x128xbf16, #turned> -> tensor<32x128xbf16, #a>
    tt.store %pa, %a : tensor<32x128x!tt.ptr<bf16>, #a>
    tt.return
  }
  // Words of four bytes are turned one by one, in a buffer or not.
  tt.func public @words(%x: tensor<128x32xf32, #mma>, %pa: tensor<32x128x!tt.ptr<f32>, #a32>) {
    %y = arith.addf %x, %x : tensor<128x32xf32, #mma>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<128x32xf32, #mma> -> tensor<32x128xf32, #turned>
    %a = ttg.convert_layout %t : tensor<32x128xf32, #turned> -> tensor<32x128xf32, #a32>
    tt.store %pa, %a : tensor<32x128x!tt.ptr<f32>, #a32>
    tt.return
  }
  // What is not turned is read once, as it was written.
  tt.func public @upright(%x: tensor<128x32xbf16, #mma>, %pa: tensor<128x32x!tt.ptr<bf16>, #a>) {
    %y = arith.addf %x, %x : tensor<128x32xbf16, #mma>
    %a = ttg.convert_layout %y : tensor<128x32xbf16, #mma> -> tensor<128x32xbf16, #a>
    tt.store %pa, %a : tensor<128x32x!tt.ptr<bf16>, #a>
    tt.return
  }
  // The result of `mma.sync` stays in registers up to its conversions.
  tt.func public @small(%x: tensor<32x32xbf16, #old>, %pa: tensor<32x32x!tt.ptr<bf16>, #a_old>) {
    %y = arith.addf %x, %x : tensor<32x32xbf16, #old>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<32x32xbf16, #old> -> tensor<32x32xbf16, #turned_old>
    %a = ttg.convert_layout %t : tensor<32x32xbf16, #turned_old> -> tensor<32x32xbf16, #a_old>
    tt.store %pa, %a : tensor<32x32x!tt.ptr<bf16>, #a_old>
    %b = ttg.convert_layout %y : tensor<32x32xbf16, #old> -> tensor<32x32xbf16, #a_old>
    tt.store %pa, %b : tensor<32x32x!tt.ptr<bf16>, #a_old>
    tt.return
  }
}
// ----- expect
#linear = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#linear1 = #ttg.linear<{register = [[1, 0], [0, 8], [16, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[8, 0], [0, 16]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @probabilities(%arg0: tensor<128x32xbf16, #mma>, %arg1: tensor<32x128x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<128x32xbf16, #mma>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<128x32xbf16, #mma> -> tensor<32x128xbf16, #linear>
    %2 = ttg.local_alloc %0 : (tensor<128x32xbf16, #mma>) -> !ttg.memdesc<128x32xbf16, #shared, #smem>
    %3 = ttg.memdesc_trans %2 {order = array<i32: 1, 0>} : !ttg.memdesc<128x32xbf16, #shared, #smem> -> !ttg.memdesc<32x128xbf16, #shared1, #smem>
    %4 = ttg.local_load %3 : !ttg.memdesc<32x128xbf16, #shared1, #smem> -> tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    tt.store %arg1, %4 : tensor<32x128x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    tt.return
  }
  tt.func public @words(%arg0: tensor<128x32xf32, #mma>, %arg1: tensor<32x128x!tt.ptr<f32>, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<128x32xf32, #mma>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<128x32xf32, #mma> -> tensor<32x128xf32, #linear>
    %2 = ttg.convert_layout %1 : tensor<32x128xf32, #linear> -> tensor<32x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    tt.store %arg1, %2 : tensor<32x128x!tt.ptr<f32>, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    tt.return
  }
  tt.func public @upright(%arg0: tensor<128x32xbf16, #mma>, %arg1: tensor<128x32x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<128x32xbf16, #mma>
    %1 = ttg.convert_layout %0 : tensor<128x32xbf16, #mma> -> tensor<128x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    tt.store %arg1, %1 : tensor<128x32x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    tt.return
  }
  tt.func public @small(%arg0: tensor<32x32xbf16, #mma2>, %arg1: tensor<32x32x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<32x32xbf16, #mma2>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<32x32xbf16, #mma2> -> tensor<32x32xbf16, #linear1>
    %2 = ttg.convert_layout %1 : tensor<32x32xbf16, #linear1> -> tensor<32x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
    tt.store %arg1, %2 : tensor<32x32x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
    %3 = ttg.convert_layout %0 : tensor<32x32xbf16, #mma2> -> tensor<32x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
    tt.store %arg1, %3 : tensor<32x32x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
    tt.return
  }
}

