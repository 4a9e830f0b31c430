// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 8
module {
  // Two values along K share a byte: sixteen lanes go along K, and two columns to each access. Zeros that all rows share follow.
  tt.func public @product(%a: tensor<64x64xbf16>, %w: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %z: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) -> tensor<64x64xf32> {
    %sum = arith.constant dense<0.0> : tensor<64x64xf32>
    %two = arith.constant dense<2> : tensor<64xi32>
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %half = arith.divsi %i, %two : tensor<64xi32>
    %rows = tt.expand_dims %half {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %strides = tt.splat %stride : i32 -> tensor<1x64xi32>
    %starts = arith.muli %columns, %strides : tensor<1x64xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
    %cb = tt.broadcast %starts : tensor<1x64xi32> -> tensor<64x64xi32>
    %at = arith.addi %rb, %cb : tensor<64x64xi32>
    %ws = tt.splat %w : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
    %pw = tt.addptr %ws, %at : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
    %packed = tt.load %pw : tensor<64x64x!tt.ptr<i8>>
    %zs = tt.splat %z : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
    %pz = tt.addptr %zs, %cb : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
    %zeros = tt.load %pz : tensor<64x64x!tt.ptr<i8>>
    %centered = arith.subi %packed, %zeros : tensor<64x64xi8>
    %b = arith.sitofp %centered : tensor<64x64xi8> to tensor<64x64xbf16>
    %c = tt.dot %a, %b, %sum : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
    tt.return %c : tensor<64x64xf32>
  }
  // No product: all lanes go along the quotients, whose bytes lie side by side.
  tt.func public @stream(%w: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %o: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
    %two = arith.constant dense<2> : tensor<64xi32>
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %half = arith.divsi %i, %two : tensor<64xi32>
    %rows = tt.expand_dims %half {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %strides = tt.splat %stride : i32 -> tensor<1x64xi32>
    %starts = arith.muli %columns, %strides : tensor<1x64xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
    %cb = tt.broadcast %starts : tensor<1x64xi32> -> tensor<64x64xi32>
    %at = arith.addi %rb, %cb : tensor<64x64xi32>
    %ws = tt.splat %w : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
    %pw = tt.addptr %ws, %at : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
    %packed = tt.load %pw : tensor<64x64x!tt.ptr<i8>>
    %os = tt.splat %o : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
    %po = tt.addptr %os, %at : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
    tt.store %po, %packed : tensor<64x64x!tt.ptr<i8>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 8], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%arg0: tensor<64x64xbf16, #blocked>, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) -> tensor<64x64xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked1>
    %cst_0 = arith.constant dense<2> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = arith.divsi %0, %cst_0 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %4 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %5 = tt.splat %arg3 : i32 -> tensor<1x64xi32, #blocked2>
    %6 = arith.muli %4, %5 : tensor<1x64xi32, #blocked2>
    %7 = tt.broadcast %3 : tensor<64x1xi32, #blocked2> -> tensor<64x64xi32, #blocked2>
    %8 = tt.broadcast %6 : tensor<1x64xi32, #blocked2> -> tensor<64x64xi32, #blocked2>
    %9 = arith.addi %7, %8 : tensor<64x64xi32, #blocked2>
    %10 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #blocked2>
    %11 = tt.addptr %10, %9 : tensor<64x64x!tt.ptr<i8>, #blocked2>, tensor<64x64xi32, #blocked2>
    %12 = tt.load %11 : tensor<64x64x!tt.ptr<i8>, #blocked2>
    %13 = tt.splat %arg2 : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #blocked2>
    %14 = tt.addptr %13, %8 : tensor<64x64x!tt.ptr<i8>, #blocked2>, tensor<64x64xi32, #blocked2>
    %15 = tt.load %14 : tensor<64x64x!tt.ptr<i8>, #blocked2>
    %16 = arith.subi %12, %15 : tensor<64x64xi8, #blocked2>
    %17 = arith.sitofp %16 : tensor<64x64xi8, #blocked2> to tensor<64x64xbf16, #blocked2>
    %18 = ttg.convert_layout %arg0 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %19 = ttg.convert_layout %17 : tensor<64x64xbf16, #blocked2> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %20 = tt.dot %18, %19, %cst : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %21 = ttg.convert_layout %20 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked>
    tt.return %21 : tensor<64x64xf32, #blocked>
  }
  tt.func public @stream(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<2> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %2 = arith.divsi %0, %cst : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xi32, #blocked3>
    %4 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x64xi32, #blocked3>
    %5 = tt.splat %arg2 : i32 -> tensor<1x64xi32, #blocked3>
    %6 = arith.muli %4, %5 : tensor<1x64xi32, #blocked3>
    %7 = tt.broadcast %3 : tensor<64x1xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
    %8 = tt.broadcast %6 : tensor<1x64xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
    %9 = arith.addi %7, %8 : tensor<64x64xi32, #blocked3>
    %10 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #blocked3>
    %11 = tt.addptr %10, %9 : tensor<64x64x!tt.ptr<i8>, #blocked3>, tensor<64x64xi32, #blocked3>
    %12 = tt.load %11 : tensor<64x64x!tt.ptr<i8>, #blocked3>
    %13 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #blocked3>
    %14 = tt.addptr %13, %9 : tensor<64x64x!tt.ptr<i8>, #blocked3>, tensor<64x64xi32, #blocked3>
    tt.store %14, %12 : tensor<64x64x!tt.ptr<i8>, #blocked3>
    tt.return
  }
}

