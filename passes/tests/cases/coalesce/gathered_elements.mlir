// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 4
// counts: ttg.convert_layout 7
module {
  // Entries of a codebook: their load has the layout in which sixteen numbers of a thread are loaded, and only the sums are converted.
  tt.func public @entries(%codes: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %book: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<64xf32> {
    %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %n = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %n0 = tt.expand_dims %n {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %width = arith.constant dense<128> : tensor<64x1xi32>
    %rows = arith.muli %m1, %width : tensor<64x1xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x128xi32>
    %cb = tt.broadcast %n0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %at = arith.addi %rb, %cb : tensor<64x128xi32>
    %cs = tt.splat %codes : !tt.ptr<i8> -> tensor<64x128x!tt.ptr<i8>>
    %cp = tt.addptr %cs, %at : tensor<64x128x!tt.ptr<i8>>, tensor<64x128xi32>
    %c = tt.load %cp : tensor<64x128x!tt.ptr<i8>>
    %code = arith.extui %c : tensor<64x128xi8> to tensor<64x128xi32>
    %xs = tt.splat %book : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %code : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    %x = tt.load %xp : tensor<64x128x!tt.ptr<f32>>
    %total = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x128xf32>) -> tensor<64xf32>
    tt.return %total : tensor<64xf32>
  }
  // The numbers say where the numbers of entries are: both loads have the layout.
  tt.func public @chained(%codes: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %first: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %book: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<32xf32> {
    %m = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %n = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %n0 = tt.expand_dims %n {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %width = arith.constant dense<64> : tensor<32x1xi32>
    %rows = arith.muli %m1, %width : tensor<32x1xi32>
    %rb = tt.broadcast %rows : tensor<32x1xi32> -> tensor<32x64xi32>
    %cb = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<32x64xi32>
    %at = arith.addi %rb, %cb : tensor<32x64xi32>
    %cs = tt.splat %codes : !tt.ptr<i8> -> tensor<32x64x!tt.ptr<i8>>
    %cp = tt.addptr %cs, %at : tensor<32x64x!tt.ptr<i8>>, tensor<32x64xi32>
    %code = tt.load %cp : tensor<32x64x!tt.ptr<i8>>
    %c = arith.extui %code : tensor<32x64xi8> to tensor<32x64xi32>
    %ps = tt.splat %first : !tt.ptr<i32> -> tensor<32x64x!tt.ptr<i32>>
    %pp = tt.addptr %ps, %c : tensor<32x64x!tt.ptr<i32>>, tensor<32x64xi32>
    %p = tt.load %pp : tensor<32x64x!tt.ptr<i32>>
    %three = arith.constant dense<3> : tensor<32x64xi32>
    %place = arith.muli %p, %three : tensor<32x64xi32>
    %xs = tt.splat %book : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %place : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %x = tt.load %xp : tensor<32x64x!tt.ptr<f32>>
    %total = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x64xf32>) -> tensor<32xf32>
    tt.return %total : tensor<32xf32>
  }
  // What is loaded is stored eight elements at a time: it keeps the layout in which lanes cover lines.
  tt.func public @stored(%codes: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %book: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %m = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %n = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %n0 = tt.expand_dims %n {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %width = arith.constant dense<128> : tensor<32x1xi32>
    %rows = arith.muli %m1, %width : tensor<32x1xi32>
    %rb = tt.broadcast %rows : tensor<32x1xi32> -> tensor<32x128xi32>
    %cb = tt.broadcast %n0 : tensor<1x128xi32> -> tensor<32x128xi32>
    %at = arith.addi %rb, %cb : tensor<32x128xi32>
    %cs = tt.splat %codes : !tt.ptr<i8> -> tensor<32x128x!tt.ptr<i8>>
    %cp = tt.addptr %cs, %at : tensor<32x128x!tt.ptr<i8>>, tensor<32x128xi32>
    %c = tt.load %cp : tensor<32x128x!tt.ptr<i8>>
    %code = arith.extui %c : tensor<32x128xi8> to tensor<32x128xi32>
    %xs = tt.splat %book : !tt.ptr<f16> -> tensor<32x128x!tt.ptr<f16>>
    %xp = tt.addptr %xs, %code : tensor<32x128x!tt.ptr<f16>>, tensor<32x128xi32>
    %x = tt.load %xp : tensor<32x128x!tt.ptr<f16>>
    %os = tt.splat %out : !tt.ptr<f16> -> tensor<32x128x!tt.ptr<f16>>
    %po = tt.addptr %os, %at : tensor<32x128x!tt.ptr<f16>>, tensor<32x128xi32>
    tt.store %po, %x : tensor<32x128x!tt.ptr<f16>>
    tt.return
  }
  // One number for each row, repeated along it: elements of a row lie side by side, whatever the layout of the numbers is.
  tt.func public @rows(%numbers: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<64xf32> {
    %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %n = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %n0 = tt.expand_dims %n {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %mb = tt.broadcast %m1 : tensor<64x1xi32> -> tensor<64x128xi32>
    %inside = arith.constant dense<100> : tensor<1x128xi32>
    %below = arith.cmpi slt, %n0, %inside : tensor<1x128xi32>
    %mask = tt.broadcast %below : tensor<1x128xi1> -> tensor<64x128xi1>
    %zero = arith.constant dense<0> : tensor<64x128xi64>
    %ns = tt.splat %numbers : !tt.ptr<i64> -> tensor<64x128x!tt.ptr<i64>>
    %np = tt.addptr %ns, %mb : tensor<64x128x!tt.ptr<i64>>, tensor<64x128xi32>
    %number = tt.load %np, %mask, %zero : tensor<64x128x!tt.ptr<i64>>
    %wide = arith.extsi %n0 : tensor<1x128xi32> to tensor<1x128xi64>
    %column = tt.broadcast %wide : tensor<1x128xi64> -> tensor<64x128xi64>
    %place = arith.addi %number, %column : tensor<64x128xi64>
    %vs = tt.splat %x : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %vp = tt.addptr %vs, %place : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi64>
    %v = tt.load %vp : tensor<64x128x!tt.ptr<f32>>
    %total = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x128xf32>) -> tensor<64xf32>
    tt.return %total : tensor<64xf32>
  }
  // Numbers that lie by columns, of elements whose neighbors along a row share sectors where rows have one number.
  tt.func public @near(%numbers: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<128xf32> {
    %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %n = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %n0 = tt.expand_dims %n {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %width = arith.constant dense<64> : tensor<1x128xi32>
    %columns = arith.muli %n0, %width : tensor<1x128xi32>
    %mb = tt.broadcast %m1 : tensor<64x1xi32> -> tensor<64x128xi32>
    %cb = tt.broadcast %columns : tensor<1x128xi32> -> tensor<64x128xi32>
    %at = arith.addi %cb, %mb : tensor<64x128xi32>
    %place0s = tt.splat %numbers : !tt.ptr<i32> -> tensor<64x128x!tt.ptr<i32>>
    %place0p = tt.addptr %place0s, %at : tensor<64x128x!tt.ptr<i32>>, tensor<64x128xi32>
    %place0 = tt.load %place0p : tensor<64x128x!tt.ptr<i32>>
    %column = tt.broadcast %n0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %place = arith.addi %place0, %column : tensor<64x128xi32>
    %vs = tt.splat %x : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %vp = tt.addptr %vs, %place : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    %v = tt.load %vp : tensor<64x128x!tt.ptr<f32>>
    %total = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x128xf32>) -> tensor<128xf32>
    tt.return %total : tensor<128xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked5 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @entries(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<64xf32, #blocked> {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %cst = arith.constant dense<128> : tensor<64x1xi32, #blocked1>
    %4 = arith.muli %1, %cst : tensor<64x1xi32, #blocked1>
    %5 = tt.broadcast %4 : tensor<64x1xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %6 = tt.broadcast %3 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %7 = arith.addi %5, %6 : tensor<64x128xi32, #blocked1>
    %8 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<64x128x!tt.ptr<i8>, #blocked1>
    %9 = tt.addptr %8, %7 : tensor<64x128x!tt.ptr<i8>, #blocked1>, tensor<64x128xi32, #blocked1>
    %10 = tt.load %9 : tensor<64x128x!tt.ptr<i8>, #blocked1>
    %11 = arith.extui %10 : tensor<64x128xi8, #blocked1> to tensor<64x128xi32, #blocked1>
    %12 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked1>
    %13 = tt.addptr %12, %11 : tensor<64x128x!tt.ptr<f32>, #blocked1>, tensor<64x128xi32, #blocked1>
    %14 = tt.load %13 : tensor<64x128x!tt.ptr<f32>, #blocked1>
    %15 = "tt.reduce"(%14) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %17 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %17 : f32
    }) : (tensor<64x128xf32, #blocked1>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %16 = ttg.convert_layout %15 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64xf32, #blocked>
    tt.return %16 : tensor<64xf32, #blocked>
  }
  tt.func public @chained(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<32xf32, #blocked> {
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %cst = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %4 = arith.muli %1, %cst : tensor<32x1xi32, #blocked2>
    %5 = tt.broadcast %4 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %6 = tt.broadcast %3 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %7 = arith.addi %5, %6 : tensor<32x64xi32, #blocked2>
    %8 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<32x64x!tt.ptr<i8>, #blocked2>
    %9 = tt.addptr %8, %7 : tensor<32x64x!tt.ptr<i8>, #blocked2>, tensor<32x64xi32, #blocked2>
    %10 = tt.load %9 : tensor<32x64x!tt.ptr<i8>, #blocked2>
    %11 = arith.extui %10 : tensor<32x64xi8, #blocked2> to tensor<32x64xi32, #blocked2>
    %12 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x64x!tt.ptr<i32>, #blocked2>
    %13 = tt.addptr %12, %11 : tensor<32x64x!tt.ptr<i32>, #blocked2>, tensor<32x64xi32, #blocked2>
    %14 = tt.load %13 : tensor<32x64x!tt.ptr<i32>, #blocked2>
    %cst_0 = arith.constant dense<3> : tensor<32x64xi32, #blocked2>
    %15 = arith.muli %14, %cst_0 : tensor<32x64xi32, #blocked2>
    %16 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked2>
    %17 = tt.addptr %16, %15 : tensor<32x64x!tt.ptr<f32>, #blocked2>, tensor<32x64xi32, #blocked2>
    %18 = tt.load %17 : tensor<32x64x!tt.ptr<f32>, #blocked2>
    %19 = "tt.reduce"(%18) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %21 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %21 : f32
    }) : (tensor<32x64xf32, #blocked2>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %20 = ttg.convert_layout %19 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32xf32, #blocked>
    tt.return %20 : tensor<32xf32, #blocked>
  }
  tt.func public @stored(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<32x1xi32, #blocked3>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %6 = tt.expand_dims %4 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x128xi32, #blocked3>
    %7 = tt.expand_dims %5 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %cst = arith.constant dense<128> : tensor<32x1xi32, #blocked3>
    %cst_0 = arith.constant dense<128> : tensor<32x1xi32, #blocked1>
    %8 = arith.muli %2, %cst : tensor<32x1xi32, #blocked3>
    %9 = arith.muli %3, %cst_0 : tensor<32x1xi32, #blocked1>
    %10 = tt.broadcast %8 : tensor<32x1xi32, #blocked3> -> tensor<32x128xi32, #blocked3>
    %11 = tt.broadcast %9 : tensor<32x1xi32, #blocked1> -> tensor<32x128xi32, #blocked1>
    %12 = tt.broadcast %6 : tensor<1x128xi32, #blocked3> -> tensor<32x128xi32, #blocked3>
    %13 = tt.broadcast %7 : tensor<1x128xi32, #blocked1> -> tensor<32x128xi32, #blocked1>
    %14 = arith.addi %10, %12 : tensor<32x128xi32, #blocked3>
    %15 = arith.addi %11, %13 : tensor<32x128xi32, #blocked1>
    %16 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<32x128x!tt.ptr<i8>, #blocked1>
    %17 = tt.addptr %16, %15 : tensor<32x128x!tt.ptr<i8>, #blocked1>, tensor<32x128xi32, #blocked1>
    %18 = tt.load %17 : tensor<32x128x!tt.ptr<i8>, #blocked1>
    %19 = ttg.convert_layout %18 : tensor<32x128xi8, #blocked1> -> tensor<32x128xi8, #blocked2>
    %20 = arith.extui %19 : tensor<32x128xi8, #blocked2> to tensor<32x128xi32, #blocked2>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x128x!tt.ptr<f16>, #blocked2>
    %22 = tt.addptr %21, %20 : tensor<32x128x!tt.ptr<f16>, #blocked2>, tensor<32x128xi32, #blocked2>
    %23 = tt.load %22 : tensor<32x128x!tt.ptr<f16>, #blocked2>
    %24 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<32x128x!tt.ptr<f16>, #blocked3>
    %25 = tt.addptr %24, %14 : tensor<32x128x!tt.ptr<f16>, #blocked3>, tensor<32x128xi32, #blocked3>
    %26 = ttg.convert_layout %23 : tensor<32x128xf16, #blocked2> -> tensor<32x128xf16, #blocked3>
    tt.store %25, %26 : tensor<32x128x!tt.ptr<f16>, #blocked3>
    tt.return
  }
  tt.func public @rows(%arg0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<64xf32, #blocked> {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked4}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked4}>> -> tensor<64x1xi32, #blocked4>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x128xi32, #blocked4>
    %5 = tt.expand_dims %3 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x128xi32, #blocked4>
    %6 = tt.broadcast %1 : tensor<64x1xi32, #blocked4> -> tensor<64x128xi32, #blocked4>
    %cst = arith.constant dense<100> : tensor<1x128xi32, #blocked4>
    %7 = arith.cmpi slt, %5, %cst : tensor<1x128xi32, #blocked4>
    %8 = tt.broadcast %7 : tensor<1x128xi1, #blocked4> -> tensor<64x128xi1, #blocked4>
    %cst_0 = arith.constant dense<0> : tensor<64x128xi64, #blocked4>
    %9 = tt.splat %arg0 : !tt.ptr<i64> -> tensor<64x128x!tt.ptr<i64>, #blocked4>
    %10 = tt.addptr %9, %6 : tensor<64x128x!tt.ptr<i64>, #blocked4>, tensor<64x128xi32, #blocked4>
    %11 = tt.load %10, %8, %cst_0 : tensor<64x128x!tt.ptr<i64>, #blocked4>
    %12 = arith.extsi %4 : tensor<1x128xi32, #blocked4> to tensor<1x128xi64, #blocked4>
    %13 = tt.broadcast %12 : tensor<1x128xi64, #blocked4> -> tensor<64x128xi64, #blocked4>
    %14 = arith.addi %11, %13 : tensor<64x128xi64, #blocked4>
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked4>
    %16 = tt.addptr %15, %14 : tensor<64x128x!tt.ptr<f32>, #blocked4>, tensor<64x128xi64, #blocked4>
    %17 = tt.load %16 : tensor<64x128x!tt.ptr<f32>, #blocked4>
    %18 = "tt.reduce"(%17) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %20 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %20 : f32
    }) : (tensor<64x128xf32, #blocked4>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked4}>>
    %19 = ttg.convert_layout %18 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked4}>> -> tensor<64xf32, #blocked>
    tt.return %19 : tensor<64xf32, #blocked>
  }
  tt.func public @near(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<128xf32, #blocked> {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked5}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked5}>> -> tensor<64x1xi32, #blocked5>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked5}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked5}>> -> tensor<1x128xi32, #blocked5>
    %5 = tt.expand_dims %3 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x128xi32, #blocked4>
    %cst = arith.constant dense<64> : tensor<1x128xi32, #blocked5>
    %6 = arith.muli %4, %cst : tensor<1x128xi32, #blocked5>
    %7 = tt.broadcast %1 : tensor<64x1xi32, #blocked5> -> tensor<64x128xi32, #blocked5>
    %8 = tt.broadcast %6 : tensor<1x128xi32, #blocked5> -> tensor<64x128xi32, #blocked5>
    %9 = arith.addi %8, %7 : tensor<64x128xi32, #blocked5>
    %10 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<64x128x!tt.ptr<i32>, #blocked5>
    %11 = tt.addptr %10, %9 : tensor<64x128x!tt.ptr<i32>, #blocked5>, tensor<64x128xi32, #blocked5>
    %12 = tt.load %11 : tensor<64x128x!tt.ptr<i32>, #blocked5>
    %13 = ttg.convert_layout %12 : tensor<64x128xi32, #blocked5> -> tensor<64x128xi32, #blocked4>
    %14 = tt.broadcast %5 : tensor<1x128xi32, #blocked4> -> tensor<64x128xi32, #blocked4>
    %15 = arith.addi %13, %14 : tensor<64x128xi32, #blocked4>
    %16 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked4>
    %17 = tt.addptr %16, %15 : tensor<64x128x!tt.ptr<f32>, #blocked4>, tensor<64x128xi32, #blocked4>
    %18 = tt.load %17 : tensor<64x128x!tt.ptr<f32>, #blocked4>
    %19 = "tt.reduce"(%18) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %21 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %21 : f32
    }) : (tensor<64x128xf32, #blocked4>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %20 = ttg.convert_layout %19 : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<128xf32, #blocked>
    tt.return %20 : tensor<128xf32, #blocked>
  }
}

