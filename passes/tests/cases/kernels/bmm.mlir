// passes: tt,ttg,llvm
module {
  tt.func public @bmm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<4x32x32xf32>
    %cst_0 = arith.constant dense<32> : tensor<1x32x1xi32>
    %cst_1 = arith.constant dense<32> : tensor<4x1x1xi32>
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %3 = tt.expand_dims %2 {axis = 2 : i32} : tensor<4x1xi32> -> tensor<4x1x1xi32>
    %4 = arith.muli %3, %cst_1 : tensor<4x1x1xi32>
    %5 = arith.muli %4, %cst_1 : tensor<4x1x1xi32>
    %6 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<4x1x1x!tt.ptr<f16>>
    %7 = tt.addptr %6, %5 : tensor<4x1x1x!tt.ptr<f16>>, tensor<4x1x1xi32>
    %8 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %9 = tt.expand_dims %8 {axis = 2 : i32} : tensor<1x32xi32> -> tensor<1x32x1xi32>
    %10 = arith.muli %9, %cst_0 : tensor<1x32x1xi32>
    %11 = tt.broadcast %7 : tensor<4x1x1x!tt.ptr<f16>> -> tensor<4x32x1x!tt.ptr<f16>>
    %12 = tt.broadcast %10 : tensor<1x32x1xi32> -> tensor<4x32x1xi32>
    %13 = tt.addptr %11, %12 : tensor<4x32x1x!tt.ptr<f16>>, tensor<4x32x1xi32>
    %14 = tt.expand_dims %8 {axis = 1 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
    %15 = tt.broadcast %13 : tensor<4x32x1x!tt.ptr<f16>> -> tensor<4x32x32x!tt.ptr<f16>>
    %16 = tt.broadcast %14 : tensor<1x1x32xi32> -> tensor<4x32x32xi32>
    %17 = tt.addptr %15, %16 : tensor<4x32x32x!tt.ptr<f16>>, tensor<4x32x32xi32>
    %18 = tt.load %17 : tensor<4x32x32x!tt.ptr<f16>>
    %19 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<4x1x1x!tt.ptr<f16>>
    %20 = tt.addptr %19, %5 : tensor<4x1x1x!tt.ptr<f16>>, tensor<4x1x1xi32>
    %21 = tt.broadcast %20 : tensor<4x1x1x!tt.ptr<f16>> -> tensor<4x32x1x!tt.ptr<f16>>
    %22 = tt.addptr %21, %12 : tensor<4x32x1x!tt.ptr<f16>>, tensor<4x32x1xi32>
    %23 = tt.broadcast %22 : tensor<4x32x1x!tt.ptr<f16>> -> tensor<4x32x32x!tt.ptr<f16>>
    %24 = tt.addptr %23, %16 : tensor<4x32x32x!tt.ptr<f16>>, tensor<4x32x32xi32>
    %25 = tt.load %24 : tensor<4x32x32x!tt.ptr<f16>>
    %26 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<4x1x1x!tt.ptr<f16>>
    %27 = tt.addptr %26, %5 : tensor<4x1x1x!tt.ptr<f16>>, tensor<4x1x1xi32>
    %28 = tt.broadcast %27 : tensor<4x1x1x!tt.ptr<f16>> -> tensor<4x32x1x!tt.ptr<f16>>
    %29 = tt.addptr %28, %12 : tensor<4x32x1x!tt.ptr<f16>>, tensor<4x32x1xi32>
    %30 = tt.broadcast %29 : tensor<4x32x1x!tt.ptr<f16>> -> tensor<4x32x32x!tt.ptr<f16>>
    %31 = tt.addptr %30, %16 : tensor<4x32x32x!tt.ptr<f16>>, tensor<4x32x32xi32>
    %32 = tt.dot %18, %25, %cst, inputPrecision = tf32 : tensor<4x32x32xf16> * tensor<4x32x32xf16> -> tensor<4x32x32xf32>
    %33 = arith.truncf %32 : tensor<4x32x32xf32> to tensor<4x32x32xf16>
    tt.store %31, %33 : tensor<4x32x32x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1, 8], threadsPerWarp = [1, 8, 4], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1, 1], instrShape = [1, 16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 8192 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @bmm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<32> : tensor<4x1x1xi32, #blocked>
    %cst_0 = arith.constant dense<32> : tensor<1x32x1xi32, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<4x32x32xf32, #mma>
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %3 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<4x1xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %4 = tt.expand_dims %3 {axis = 2 : i32} : tensor<4x1xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<4x1x1xi32, #blocked>
    %5 = arith.muli %4, %cst : tensor<4x1x1xi32, #blocked>
    %6 = arith.muli %5, %cst : tensor<4x1x1xi32, #blocked>
    %7 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<4x1x1x!tt.ptr<f16>, #blocked>
    %8 = tt.addptr %7, %6 : tensor<4x1x1x!tt.ptr<f16>, #blocked>, tensor<4x1x1xi32, #blocked>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>> -> tensor<1x32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %10 = tt.expand_dims %2 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<1x32xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %11 = tt.expand_dims %10 {axis = 2 : i32} : tensor<1x32xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<1x32x1xi32, #blocked>
    %12 = arith.muli %11, %cst_0 : tensor<1x32x1xi32, #blocked>
    %13 = tt.broadcast %8 : tensor<4x1x1x!tt.ptr<f16>, #blocked> -> tensor<4x32x1x!tt.ptr<f16>, #blocked>
    %14 = tt.broadcast %12 : tensor<1x32x1xi32, #blocked> -> tensor<4x32x1xi32, #blocked>
    %15 = tt.addptr %13, %14 : tensor<4x32x1x!tt.ptr<f16>, #blocked>, tensor<4x32x1xi32, #blocked>
    %16 = tt.expand_dims %9 {axis = 1 : i32} : tensor<1x32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1x1x32xi32, #blocked>
    %17 = tt.broadcast %15 : tensor<4x32x1x!tt.ptr<f16>, #blocked> -> tensor<4x32x32x!tt.ptr<f16>, #blocked>
    %18 = tt.broadcast %16 : tensor<1x1x32xi32, #blocked> -> tensor<4x32x32xi32, #blocked>
    %19 = tt.addptr %17, %18 : tensor<4x32x32x!tt.ptr<f16>, #blocked>, tensor<4x32x32xi32, #blocked>
    %20 = tt.load %19 {tk.vector = 8 : i32} : tensor<4x32x32x!tt.ptr<f16>, #blocked>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<4x1x1x!tt.ptr<f16>, #blocked>
    %22 = tt.addptr %21, %6 : tensor<4x1x1x!tt.ptr<f16>, #blocked>, tensor<4x1x1xi32, #blocked>
    %23 = tt.broadcast %22 : tensor<4x1x1x!tt.ptr<f16>, #blocked> -> tensor<4x32x1x!tt.ptr<f16>, #blocked>
    %24 = tt.addptr %23, %14 : tensor<4x32x1x!tt.ptr<f16>, #blocked>, tensor<4x32x1xi32, #blocked>
    %25 = tt.broadcast %24 : tensor<4x32x1x!tt.ptr<f16>, #blocked> -> tensor<4x32x32x!tt.ptr<f16>, #blocked>
    %26 = tt.addptr %25, %18 : tensor<4x32x32x!tt.ptr<f16>, #blocked>, tensor<4x32x32xi32, #blocked>
    %27 = tt.load %26 {tk.vector = 8 : i32} : tensor<4x32x32x!tt.ptr<f16>, #blocked>
    %28 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<4x1x1x!tt.ptr<f16>, #blocked>
    %29 = tt.addptr %28, %6 : tensor<4x1x1x!tt.ptr<f16>, #blocked>, tensor<4x1x1xi32, #blocked>
    %30 = tt.broadcast %29 : tensor<4x1x1x!tt.ptr<f16>, #blocked> -> tensor<4x32x1x!tt.ptr<f16>, #blocked>
    %31 = tt.addptr %30, %14 : tensor<4x32x1x!tt.ptr<f16>, #blocked>, tensor<4x32x1xi32, #blocked>
    %32 = tt.broadcast %31 : tensor<4x32x1x!tt.ptr<f16>, #blocked> -> tensor<4x32x32x!tt.ptr<f16>, #blocked>
    %33 = tt.addptr %32, %18 : tensor<4x32x32x!tt.ptr<f16>, #blocked>, tensor<4x32x32xi32, #blocked>
    %34 = ttg.convert_layout %20 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32, tk.behind_loads} : tensor<4x32x32xf16, #blocked> -> tensor<4x32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    gpu.barrier
    %35 = ttg.convert_layout %27 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<4x32x32xf16, #blocked> -> tensor<4x32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %36 = tt.dot %34, %35, %cst_1, inputPrecision = tf32 : tensor<4x32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<4x32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<4x32x32xf32, #mma>
    %37 = arith.truncf %36 : tensor<4x32x32xf32, #mma> to tensor<4x32x32xf16, #mma>
    gpu.barrier
    %38 = ttg.convert_layout %37 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<4x32x32xf16, #mma> -> tensor<4x32x32xf16, #blocked>
    tt.store %33, %38 {tk.vector = 8 : i32} : tensor<4x32x32x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

