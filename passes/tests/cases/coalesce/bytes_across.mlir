// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 2
module {
  // Rows of B hold 32 bytes, and go across K: threads have eight of each row. Those of A are rows of K: sixteen.
  tt.func public @product(%a: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i8> {tt.divisibility = 16 : i32}) -> tensor<32x32xi32> {
    %zero = arith.constant dense<0> : tensor<32x32xi32>
    %width = arith.constant dense<64> : tensor<32x1xi32>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %j = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %starts = arith.muli %rows, %width : tensor<32x1xi32>
    %rb = tt.broadcast %starts : tensor<32x1xi32> -> tensor<32x64xi32>
    %cb = tt.broadcast %columns : tensor<1x64xi32> -> tensor<32x64xi32>
    %at = arith.addi %rb, %cb : tensor<32x64xi32>
    %as = tt.splat %a : !tt.ptr<i8> -> tensor<32x64x!tt.ptr<i8>>
    %pa = tt.addptr %as, %at : tensor<32x64x!tt.ptr<i8>>, tensor<32x64xi32>
    %left = tt.load %pa : tensor<32x64x!tt.ptr<i8>>
    %width1 = arith.constant dense<32> : tensor<64x1xi32>
    %rows1 = tt.expand_dims %j {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %columns1 = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %starts1 = arith.muli %rows1, %width1 : tensor<64x1xi32>
    %rb1 = tt.broadcast %starts1 : tensor<64x1xi32> -> tensor<64x32xi32>
    %cb1 = tt.broadcast %columns1 : tensor<1x32xi32> -> tensor<64x32xi32>
    %at1 = arith.addi %rb1, %cb1 : tensor<64x32xi32>
    %bs = tt.splat %b : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>>
    %pb = tt.addptr %bs, %at1 : tensor<64x32x!tt.ptr<i8>>, tensor<64x32xi32>
    %right = tt.load %pb : tensor<64x32x!tt.ptr<i8>>
    %c = tt.dot %left, %right, %zero : tensor<32x64xi8> * tensor<64x32xi8> -> tensor<32x32xi32>
    tt.return %c : tensor<32x32xi32>
  }
  // So do those that are cast and scaled on their way.
  tt.func public @cast(%left: tensor<32x64xf16>, %b: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %scale: f16) -> tensor<32x32xf32> {
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %width = arith.constant dense<32> : tensor<64x1xi32>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %j = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %rows = tt.expand_dims %j {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %starts = arith.muli %rows, %width : tensor<64x1xi32>
    %rb = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x32xi32>
    %cb = tt.broadcast %columns : tensor<1x32xi32> -> tensor<64x32xi32>
    %at = arith.addi %rb, %cb : tensor<64x32xi32>
    %bs = tt.splat %b : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>>
    %pb = tt.addptr %bs, %at : tensor<64x32x!tt.ptr<i8>>, tensor<64x32xi32>
    %bytes = tt.load %pb : tensor<64x32x!tt.ptr<i8>>
    %numbers = arith.sitofp %bytes : tensor<64x32xi8> to tensor<64x32xf16>
    %scales = tt.splat %scale : f16 -> tensor<64x32xf16>
    %right = arith.mulf %numbers, %scales : tensor<64x32xf16>
    %c = tt.dot %left, %right, %zero : tensor<32x64xf16> * tensor<64x32xf16> -> tensor<32x32xf32>
    tt.return %c : tensor<32x32xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [16, 2], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}) -> tensor<32x32xi32, #blocked> {
    %cst = arith.constant dense<0> : tensor<32x32xi32, #blocked1>
    %cst_0 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %4 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %5 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %6 = arith.muli %4, %cst_0 : tensor<32x1xi32, #blocked2>
    %7 = tt.broadcast %6 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %8 = tt.broadcast %5 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %9 = arith.addi %7, %8 : tensor<32x64xi32, #blocked2>
    %10 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<32x64x!tt.ptr<i8>, #blocked2>
    %11 = tt.addptr %10, %9 : tensor<32x64x!tt.ptr<i8>, #blocked2>, tensor<32x64xi32, #blocked2>
    %12 = tt.load %11 : tensor<32x64x!tt.ptr<i8>, #blocked2>
    %cst_1 = arith.constant dense<32> : tensor<64x1xi32, #blocked3>
    %13 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xi32, #blocked3>
    %14 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x32xi32, #blocked3>
    %15 = arith.muli %13, %cst_1 : tensor<64x1xi32, #blocked3>
    %16 = tt.broadcast %15 : tensor<64x1xi32, #blocked3> -> tensor<64x32xi32, #blocked3>
    %17 = tt.broadcast %14 : tensor<1x32xi32, #blocked3> -> tensor<64x32xi32, #blocked3>
    %18 = arith.addi %16, %17 : tensor<64x32xi32, #blocked3>
    %19 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>, #blocked3>
    %20 = tt.addptr %19, %18 : tensor<64x32x!tt.ptr<i8>, #blocked3>, tensor<64x32xi32, #blocked3>
    %21 = tt.load %20 : tensor<64x32x!tt.ptr<i8>, #blocked3>
    %22 = ttg.convert_layout %12 : tensor<32x64xi8, #blocked2> -> tensor<32x64xi8, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %23 = ttg.convert_layout %21 : tensor<64x32xi8, #blocked3> -> tensor<64x32xi8, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %24 = tt.dot %22, %23, %cst : tensor<32x64xi8, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x32xi8, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xi32, #blocked1>
    %25 = ttg.convert_layout %24 : tensor<32x32xi32, #blocked1> -> tensor<32x32xi32, #blocked>
    tt.return %25 : tensor<32x32xi32, #blocked>
  }
  tt.func public @cast(%arg0: tensor<32x64xf16, #blocked4>, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: f16) -> tensor<32x32xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #blocked1>
    %cst_0 = arith.constant dense<32> : tensor<64x1xi32, #blocked3>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xi32, #blocked3>
    %3 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x32xi32, #blocked3>
    %4 = arith.muli %2, %cst_0 : tensor<64x1xi32, #blocked3>
    %5 = tt.broadcast %4 : tensor<64x1xi32, #blocked3> -> tensor<64x32xi32, #blocked3>
    %6 = tt.broadcast %3 : tensor<1x32xi32, #blocked3> -> tensor<64x32xi32, #blocked3>
    %7 = arith.addi %5, %6 : tensor<64x32xi32, #blocked3>
    %8 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>, #blocked3>
    %9 = tt.addptr %8, %7 : tensor<64x32x!tt.ptr<i8>, #blocked3>, tensor<64x32xi32, #blocked3>
    %10 = tt.load %9 : tensor<64x32x!tt.ptr<i8>, #blocked3>
    %11 = arith.sitofp %10 : tensor<64x32xi8, #blocked3> to tensor<64x32xf16, #blocked3>
    %12 = tt.splat %arg2 : f16 -> tensor<64x32xf16, #blocked3>
    %13 = arith.mulf %11, %12 : tensor<64x32xf16, #blocked3>
    %14 = ttg.convert_layout %arg0 : tensor<32x64xf16, #blocked4> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %15 = ttg.convert_layout %13 : tensor<64x32xf16, #blocked3> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %16 = tt.dot %14, %15, %cst : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xf32, #blocked1>
    %17 = ttg.convert_layout %16 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.return %17 : tensor<32x32xf32, #blocked>
  }
}

