// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 1
// counts: ttg.convert_layout 1
// The left and the right half of rows are packed to bytes. Bytes are converted once, to the pairs of what is stored: not to the layout that taking
// them apart has by itself and then to that of the store, and not the words that were loaded, which are wider.
module {
  tt.func public @packed(%x: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %row = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %column = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %stride = arith.constant dense<128> : tensor<8x1xi32>
    %start = arith.muli %rows, %stride : tensor<8x1xi32>
    %starts = tt.broadcast %start : tensor<8x1xi32> -> tensor<8x128xi32>
    %along = tt.broadcast %columns : tensor<1x128xi32> -> tensor<8x128xi32>
    %at = arith.addi %starts, %along : tensor<8x128xi32>
    %all = tt.splat %x : !tt.ptr<i16> -> tensor<8x128x!tt.ptr<i16>>
    %from = tt.addptr %all, %at : tensor<8x128x!tt.ptr<i16>>, tensor<8x128xi32>
    %loaded = tt.load %from : tensor<8x128x!tt.ptr<i16>>
    %bytes = arith.trunci %loaded : tensor<8x128xi16> to tensor<8x128xi8>
    %halves = tt.reshape %bytes : tensor<8x128xi8> -> tensor<8x2x64xi8>
    %pairs = tt.trans %halves {order = array<i32: 0, 2, 1>} : tensor<8x2x64xi8> -> tensor<8x64x2xi8>
    %low, %high = tt.split %pairs : tensor<8x64x2xi8> -> tensor<8x64xi8>
    %four = arith.constant dense<4> : tensor<8x64xi8>
    %shifted = arith.shli %high, %four : tensor<8x64xi8>
    %packed = arith.ori %low, %shifted : tensor<8x64xi8>
    %half = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %half_columns = tt.expand_dims %half {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %half_stride = arith.constant dense<64> : tensor<8x1xi32>
    %half_start = arith.muli %rows, %half_stride : tensor<8x1xi32>
    %half_starts = tt.broadcast %half_start : tensor<8x1xi32> -> tensor<8x64xi32>
    %half_along = tt.broadcast %half_columns : tensor<1x64xi32> -> tensor<8x64xi32>
    %to = arith.addi %half_starts, %half_along : tensor<8x64xi32>
    %out = tt.splat %y : !tt.ptr<i8> -> tensor<8x64x!tt.ptr<i8>>
    %place = tt.addptr %out, %to : tensor<8x64x!tt.ptr<i8>>, tensor<8x64xi32>
    tt.store %place, %packed : tensor<8x64x!tt.ptr<i8>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1, 8], threadsPerWarp = [2, 2, 8], warpsPerCTA = [1, 1, 1], order = [2, 1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 8, 1], threadsPerWarp = [2, 8, 2], warpsPerCTA = [1, 1, 1], order = [1, 2, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 16, 2], threadsPerWarp = [8, 4, 1], warpsPerCTA = [1, 1, 1], order = [2, 1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @packed(%arg0: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<8x1xi32, #blocked>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<8x1xi32, #blocked1>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %cst = arith.constant dense<128> : tensor<8x1xi32, #blocked1>
    %6 = arith.muli %3, %cst : tensor<8x1xi32, #blocked1>
    %7 = tt.broadcast %6 : tensor<8x1xi32, #blocked1> -> tensor<8x128xi32, #blocked1>
    %8 = tt.broadcast %5 : tensor<1x128xi32, #blocked1> -> tensor<8x128xi32, #blocked1>
    %9 = arith.addi %7, %8 : tensor<8x128xi32, #blocked1>
    %10 = tt.splat %arg0 : !tt.ptr<i16> -> tensor<8x128x!tt.ptr<i16>, #blocked1>
    %11 = tt.addptr %10, %9 : tensor<8x128x!tt.ptr<i16>, #blocked1>, tensor<8x128xi32, #blocked1>
    %12 = tt.load %11 : tensor<8x128x!tt.ptr<i16>, #blocked1>
    %13 = arith.trunci %12 : tensor<8x128xi16, #blocked1> to tensor<8x128xi8, #blocked1>
    %14 = tt.reshape %13 : tensor<8x128xi8, #blocked1> -> tensor<8x2x64xi8, #blocked2>
    %15 = tt.trans %14 {order = array<i32: 0, 2, 1>} : tensor<8x2x64xi8, #blocked2> -> tensor<8x64x2xi8, #blocked3>
    %16 = ttg.convert_layout %15 : tensor<8x64x2xi8, #blocked3> -> tensor<8x64x2xi8, #blocked4>
    %outLHS, %outRHS = tt.split %16 : tensor<8x64x2xi8, #blocked4> -> tensor<8x64xi8, #blocked>
    %cst_0 = arith.constant dense<4> : tensor<8x64xi8, #blocked>
    %17 = arith.shli %outRHS, %cst_0 : tensor<8x64xi8, #blocked>
    %18 = arith.ori %outLHS, %17 : tensor<8x64xi8, #blocked>
    %19 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %cst_1 = arith.constant dense<64> : tensor<8x1xi32, #blocked>
    %21 = arith.muli %2, %cst_1 : tensor<8x1xi32, #blocked>
    %22 = tt.broadcast %21 : tensor<8x1xi32, #blocked> -> tensor<8x64xi32, #blocked>
    %23 = tt.broadcast %20 : tensor<1x64xi32, #blocked> -> tensor<8x64xi32, #blocked>
    %24 = arith.addi %22, %23 : tensor<8x64xi32, #blocked>
    %25 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<8x64x!tt.ptr<i8>, #blocked>
    %26 = tt.addptr %25, %24 : tensor<8x64x!tt.ptr<i8>, #blocked>, tensor<8x64xi32, #blocked>
    tt.store %26, %18 : tensor<8x64x!tt.ptr<i8>, #blocked>
    tt.return
  }
}

