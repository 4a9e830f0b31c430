// passes: reduce-data-duplication
// target: sm_90a
// counts: ttg.local_alloc 1, ttg.local_load 1, ttg.convert_layout 3
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The left operand is loaded in rows across K, and nothing else reads it; the right one is stored as well.
  tt.func public @across(%x: tensor<128x32x!tt.ptr<f16>, #blocked>, %y: tensor<128x32x!tt.ptr<f16>, #blocked>, %out: tensor<32x32x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %loaded = tt.load %x : tensor<128x32x!tt.ptr<f16>, #blocked>
    %left = tt.trans %loaded {order = array<i32: 1, 0>} : tensor<128x32xf16, #blocked> -> tensor<32x128xf16, #turned>
    %right = tt.load %y : tensor<128x32x!tt.ptr<f16>, #blocked>
    %a = ttg.convert_layout %left : tensor<32x128xf16, #turned> -> tensor<32x128xf16, #a>
    %b = ttg.convert_layout %right : tensor<128x32xf16, #blocked> -> tensor<128x32xf16, #b>
    tt.store %x, %right : tensor<128x32x!tt.ptr<f16>, #blocked>
    %d = tt.dot %a, %b, %zero : tensor<32x128xf16, #a> * tensor<128x32xf16, #b> -> tensor<32x32xf32, #mma>
    tt.store %out, %d : tensor<32x32x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Rows along K stay conversions.
  tt.func public @along(%x: tensor<32x128x!tt.ptr<f16>, #blocked>, %b: tensor<128x32xf16, #b>, %out: tensor<32x32x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %loaded = tt.load %x : tensor<32x128x!tt.ptr<f16>, #blocked>
    %a = ttg.convert_layout %loaded : tensor<32x128xf16, #blocked> -> tensor<32x128xf16, #a>
    %c = arith.constant dense<1.0> : tensor<128x32xf16, #blocked>
    %ones = ttg.convert_layout %c : tensor<128x32xf16, #blocked> -> tensor<128x32xf16, #b>
    %sum = arith.addf %b, %ones : tensor<128x32xf16, #b>
    %d = tt.dot %a, %sum, %zero : tensor<32x128xf16, #a> * tensor<128x32xf16, #b> -> tensor<32x32xf32, #mma>
    tt.store %out, %d : tensor<32x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @across(%arg0: tensor<128x32x!tt.ptr<f16>, #blocked>, %arg1: tensor<128x32x!tt.ptr<f16>, #blocked>, %arg2: tensor<32x32x!tt.ptr<f32>, #mma>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #mma>
    %0 = tt.load %arg0 : tensor<128x32x!tt.ptr<f16>, #blocked>
    %1 = tt.trans %0 {order = array<i32: 1, 0>} : tensor<128x32xf16, #blocked> -> tensor<32x128xf16, #blocked1>
    %2 = ttg.local_alloc %1 : (tensor<32x128xf16, #blocked1>) -> !ttg.memdesc<32x128xf16, #shared, #smem>
    %3 = tt.load %arg1 : tensor<128x32x!tt.ptr<f16>, #blocked>
    %4 = ttg.convert_layout %3 : tensor<128x32xf16, #blocked> -> tensor<128x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    tt.store %arg0, %3 : tensor<128x32x!tt.ptr<f16>, #blocked>
    %5 = ttg.local_load %2 : !ttg.memdesc<32x128xf16, #shared, #smem> -> tensor<32x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %6 = tt.dot %5, %4, %cst : tensor<32x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
    tt.store %arg2, %6 : tensor<32x32x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @along(%arg0: tensor<32x128x!tt.ptr<f16>, #blocked>, %arg1: tensor<128x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<32x32x!tt.ptr<f32>, #mma>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #mma>
    %0 = tt.load %arg0 : tensor<32x128x!tt.ptr<f16>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<32x128xf16, #blocked> -> tensor<32x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<128x32xf16, #blocked>
    %2 = ttg.convert_layout %cst_0 : tensor<128x32xf16, #blocked> -> tensor<128x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %3 = arith.addf %arg1, %2 : tensor<128x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %4 = tt.dot %1, %3, %cst : tensor<32x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
    tt.store %arg2, %4 : tensor<32x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}

