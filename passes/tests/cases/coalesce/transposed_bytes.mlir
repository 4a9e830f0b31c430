// passes: convert-to-ttg,coalesce,remove-layout-conversions
// A block of rows is stored as bytes, as it lies and transposed: each thread has four rows, and the stores by columns have layouts of their own.
module {
  tt.func public @quantise(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %own: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %turned: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %size = arith.constant dense<128> : tensor<128x1xi32>
    %index = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %rows = tt.expand_dims %index {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %columns = tt.expand_dims %index {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %starts = arith.muli %rows, %size : tensor<128x1xi32>
    %a = tt.broadcast %starts : tensor<128x1xi32> -> tensor<128x128xi32>
    %b = tt.broadcast %columns : tensor<1x128xi32> -> tensor<128x128xi32>
    %at = arith.addi %a, %b : tensor<128x128xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<128x128x!tt.ptr<f16>>
    %from = tt.addptr %xs, %at : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    %block = tt.load %from : tensor<128x128x!tt.ptr<f16>>
    %bytes = arith.fptosi %block : tensor<128x128xf16> to tensor<128x128xi8>
    %owns = tt.splat %own : !tt.ptr<i8> -> tensor<128x128x!tt.ptr<i8>>
    %to = tt.addptr %owns, %at : tensor<128x128x!tt.ptr<i8>>, tensor<128x128xi32>
    tt.store %to, %bytes : tensor<128x128x!tt.ptr<i8>>
    %across = tt.trans %bytes {order = array<i32: 1, 0>} : tensor<128x128xi8> -> tensor<128x128xi8>
    %turneds = tt.splat %turned : !tt.ptr<i8> -> tensor<128x128x!tt.ptr<i8>>
    %place = tt.addptr %turneds, %at : tensor<128x128x!tt.ptr<i8>>, tensor<128x128xi32>
    tt.store %place, %across : tensor<128x128x!tt.ptr<i8>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [16, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @quantise(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<128> : tensor<128x1xi32, #blocked>
    %cst_0 = arith.constant dense<128> : tensor<128x1xi32, #blocked1>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.expand_dims %2 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %5 = tt.expand_dims %3 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %6 = tt.expand_dims %0 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %7 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %8 = arith.muli %4, %cst : tensor<128x1xi32, #blocked>
    %9 = arith.muli %5, %cst_0 : tensor<128x1xi32, #blocked1>
    %10 = tt.broadcast %8 : tensor<128x1xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %11 = tt.broadcast %9 : tensor<128x1xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %12 = tt.broadcast %6 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %13 = tt.broadcast %7 : tensor<1x128xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %14 = arith.addi %10, %12 : tensor<128x128xi32, #blocked>
    %15 = arith.addi %11, %13 : tensor<128x128xi32, #blocked1>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x128x!tt.ptr<f16>, #blocked1>
    %17 = tt.addptr %16, %15 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %18 = tt.load %17 : tensor<128x128x!tt.ptr<f16>, #blocked1>
    %19 = arith.fptosi %18 : tensor<128x128xf16, #blocked1> to tensor<128x128xi8, #blocked1>
    %20 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<128x128x!tt.ptr<i8>, #blocked1>
    %21 = tt.addptr %20, %15 : tensor<128x128x!tt.ptr<i8>, #blocked1>, tensor<128x128xi32, #blocked1>
    tt.store %21, %19 : tensor<128x128x!tt.ptr<i8>, #blocked1>
    %22 = tt.trans %19 {order = array<i32: 1, 0>} : tensor<128x128xi8, #blocked1> -> tensor<128x128xi8, #blocked2>
    %23 = tt.splat %arg2 : !tt.ptr<i8> -> tensor<128x128x!tt.ptr<i8>, #blocked>
    %24 = tt.addptr %23, %14 : tensor<128x128x!tt.ptr<i8>, #blocked>, tensor<128x128xi32, #blocked>
    %25 = ttg.convert_layout %22 : tensor<128x128xi8, #blocked2> -> tensor<128x128xi8, #blocked>
    tt.store %24, %25 : tensor<128x128x!tt.ptr<i8>, #blocked>
    tt.return
  }
}

