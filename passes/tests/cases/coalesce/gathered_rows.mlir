// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 4
module {
  // Rows lie where loaded numbers say: eight lanes read the 128 bytes of a line. The store follows.
  tt.func public @gathered(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %numbers: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %width = arith.constant dense<128> : tensor<64x1xi32>
    %ns = tt.splat %numbers : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %pn = tt.addptr %ns, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %number = tt.load %pn : tensor<64x!tt.ptr<i32>>
    %r1 = tt.expand_dims %number {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %own1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rows = arith.muli %r1, %width : tensor<64x1xi32>
    %own = arith.muli %own1, %width : tensor<64x1xi32>
    %c0 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x128xi32>
    %ob = tt.broadcast %own : tensor<64x1xi32> -> tensor<64x128xi32>
    %cb = tt.broadcast %c0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %at = arith.addi %rb, %cb : tensor<64x128xi32>
    %to = arith.addi %ob, %cb : tensor<64x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    %v = tt.load %px : tensor<64x128x!tt.ptr<f32>>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %po = tt.addptr %os, %to : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    tt.store %po, %v : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
  // Rows that follow each other have all lanes along a row.
  tt.func public @in_order(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %numbers: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %width = arith.constant dense<128> : tensor<64x1xi32>
    %ns = tt.splat %numbers : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %pn = tt.addptr %ns, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %number = tt.load %pn : tensor<64x!tt.ptr<i32>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %own1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rows = arith.muli %r1, %width : tensor<64x1xi32>
    %own = arith.muli %own1, %width : tensor<64x1xi32>
    %c0 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x128xi32>
    %ob = tt.broadcast %own : tensor<64x1xi32> -> tensor<64x128xi32>
    %cb = tt.broadcast %c0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %at = arith.addi %rb, %cb : tensor<64x128xi32>
    %to = arith.addi %ob, %cb : tensor<64x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    %v = tt.load %px : tensor<64x128x!tt.ptr<f32>>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %po = tt.addptr %os, %to : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    tt.store %po, %v : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
  // There are no more rows than warps.
  tt.func public @few(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %numbers: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
    %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %width = arith.constant dense<128> : tensor<4x1xi32>
    %ns = tt.splat %numbers : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %pn = tt.addptr %ns, %r : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %number = tt.load %pn : tensor<4x!tt.ptr<i32>>
    %r1 = tt.expand_dims %number {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %own1 = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %rows = arith.muli %r1, %width : tensor<4x1xi32>
    %own = arith.muli %own1, %width : tensor<4x1xi32>
    %c0 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %rb = tt.broadcast %rows : tensor<4x1xi32> -> tensor<4x128xi32>
    %ob = tt.broadcast %own : tensor<4x1xi32> -> tensor<4x128xi32>
    %cb = tt.broadcast %c0 : tensor<1x128xi32> -> tensor<4x128xi32>
    %at = arith.addi %rb, %cb : tensor<4x128xi32>
    %to = arith.addi %ob, %cb : tensor<4x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi32>
    %v = tt.load %px : tensor<4x128x!tt.ptr<f32>>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %po = tt.addptr %os, %to : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi32>
    tt.store %po, %v : tensor<4x128x!tt.ptr<f32>>
    tt.return
  }
  // Only columns lie where loaded numbers say: all lanes are along a row, and a thread needs the numbers of four columns.
  tt.func public @columns(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %numbers: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %width = arith.constant dense<128> : tensor<64x1xi32>
    %ns = tt.splat %numbers : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %pn = tt.addptr %ns, %c : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %number = tt.load %pn : tensor<128x!tt.ptr<i32>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rows = arith.muli %r1, %width : tensor<64x1xi32>
    %n0 = tt.expand_dims %number {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %c0 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x128xi32>
    %nb = tt.broadcast %n0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %cb = tt.broadcast %c0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %at = arith.addi %rb, %nb : tensor<64x128xi32>
    %to = arith.addi %rb, %cb : tensor<64x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    %v = tt.load %px : tensor<64x128x!tt.ptr<f32>>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %po = tt.addptr %os, %to : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    tt.store %po, %v : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gathered(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %cst = arith.constant dense<128> : tensor<64x1xi32, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.addptr %3, %0 : tensor<64x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.load %4 : tensor<64x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %7 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %8 = arith.muli %6, %cst : tensor<64x1xi32, #blocked>
    %9 = arith.muli %7, %cst : tensor<64x1xi32, #blocked>
    %10 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %11 = tt.broadcast %8 : tensor<64x1xi32, #blocked> -> tensor<64x128xi32, #blocked>
    %12 = tt.broadcast %9 : tensor<64x1xi32, #blocked> -> tensor<64x128xi32, #blocked>
    %13 = tt.broadcast %10 : tensor<1x128xi32, #blocked> -> tensor<64x128xi32, #blocked>
    %14 = arith.addi %11, %13 : tensor<64x128xi32, #blocked>
    %15 = arith.addi %12, %13 : tensor<64x128xi32, #blocked>
    %16 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked>
    %17 = tt.addptr %16, %14 : tensor<64x128x!tt.ptr<f32>, #blocked>, tensor<64x128xi32, #blocked>
    %18 = tt.load %17 : tensor<64x128x!tt.ptr<f32>, #blocked>
    %19 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked>
    %20 = tt.addptr %19, %15 : tensor<64x128x!tt.ptr<f32>, #blocked>, tensor<64x128xi32, #blocked>
    tt.store %20, %18 : tensor<64x128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @in_order(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %cst = arith.constant dense<128> : tensor<64x1xi32, #blocked1>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %4 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %5 = arith.muli %3, %cst : tensor<64x1xi32, #blocked1>
    %6 = arith.muli %4, %cst : tensor<64x1xi32, #blocked1>
    %7 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %8 = tt.broadcast %5 : tensor<64x1xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %9 = tt.broadcast %6 : tensor<64x1xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %10 = tt.broadcast %7 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %11 = arith.addi %8, %10 : tensor<64x128xi32, #blocked1>
    %12 = arith.addi %9, %10 : tensor<64x128xi32, #blocked1>
    %13 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked1>
    %14 = tt.addptr %13, %11 : tensor<64x128x!tt.ptr<f32>, #blocked1>, tensor<64x128xi32, #blocked1>
    %15 = tt.load %14 : tensor<64x128x!tt.ptr<f32>, #blocked1>
    %16 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked1>
    %17 = tt.addptr %16, %12 : tensor<64x128x!tt.ptr<f32>, #blocked1>, tensor<64x128xi32, #blocked1>
    tt.store %17, %15 : tensor<64x128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @few(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %cst = arith.constant dense<128> : tensor<4x1xi32, #blocked1>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.addptr %3, %0 : tensor<4x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked1}>>, tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.load %4 : tensor<4x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<4x1xi32, #blocked1>
    %7 = tt.expand_dims %1 {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<4x1xi32, #blocked1>
    %8 = arith.muli %6, %cst : tensor<4x1xi32, #blocked1>
    %9 = arith.muli %7, %cst : tensor<4x1xi32, #blocked1>
    %10 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %11 = tt.broadcast %8 : tensor<4x1xi32, #blocked1> -> tensor<4x128xi32, #blocked1>
    %12 = tt.broadcast %9 : tensor<4x1xi32, #blocked1> -> tensor<4x128xi32, #blocked1>
    %13 = tt.broadcast %10 : tensor<1x128xi32, #blocked1> -> tensor<4x128xi32, #blocked1>
    %14 = arith.addi %11, %13 : tensor<4x128xi32, #blocked1>
    %15 = arith.addi %12, %13 : tensor<4x128xi32, #blocked1>
    %16 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>, #blocked1>
    %17 = tt.addptr %16, %14 : tensor<4x128x!tt.ptr<f32>, #blocked1>, tensor<4x128xi32, #blocked1>
    %18 = tt.load %17 : tensor<4x128x!tt.ptr<f32>, #blocked1>
    %19 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>, #blocked1>
    %20 = tt.addptr %19, %15 : tensor<4x128x!tt.ptr<f32>, #blocked1>, tensor<4x128xi32, #blocked1>
    tt.store %20, %18 : tensor<4x128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @columns(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked2>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %cst = arith.constant dense<128> : tensor<64x1xi32, #blocked1>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked2>
    %4 = tt.addptr %3, %1 : tensor<128x!tt.ptr<i32>, #blocked2>, tensor<128xi32, #blocked2>
    %5 = tt.load %4 : tensor<128x!tt.ptr<i32>, #blocked2>
    %6 = ttg.convert_layout %5 : tensor<128xi32, #blocked2> -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %7 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %8 = arith.muli %7, %cst : tensor<64x1xi32, #blocked1>
    %9 = tt.expand_dims %6 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %10 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %11 = tt.broadcast %8 : tensor<64x1xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %12 = tt.broadcast %9 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %13 = tt.broadcast %10 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %14 = arith.addi %11, %12 : tensor<64x128xi32, #blocked1>
    %15 = arith.addi %11, %13 : tensor<64x128xi32, #blocked1>
    %16 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked1>
    %17 = tt.addptr %16, %14 : tensor<64x128x!tt.ptr<f32>, #blocked1>, tensor<64x128xi32, #blocked1>
    %18 = tt.load %17 : tensor<64x128x!tt.ptr<f32>, #blocked1>
    %19 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked1>
    %20 = tt.addptr %19, %15 : tensor<64x128x!tt.ptr<f32>, #blocked1>, tensor<64x128xi32, #blocked1>
    tt.store %20, %18 : tensor<64x128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

