// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 32
module {
  // Scanned down its columns, a block has one column and several rows in a thread. What is stored of it lies the same way.
  tt.func public @columns(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %width = arith.constant dense<128> : tensor<64x1xi32>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rows = arith.muli %r1, %width : tensor<64x1xi32>
    %c0 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x128xi32>
    %cb = tt.broadcast %c0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %at = arith.addi %rb, %cb : tensor<64x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    %v = tt.load %px : tensor<64x128x!tt.ptr<f32>>
    %w = arith.mulf %v, %v : tensor<64x128xf32>
    %sums = "tt.scan"(%w) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.scan.return %t : f32
    }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %po = tt.addptr %os, %at : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    tt.store %po, %sums : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
  // Along its rows, it stays as memory has it.
  tt.func public @rows(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %width = arith.constant dense<128> : tensor<64x1xi32>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rows = arith.muli %r1, %width : tensor<64x1xi32>
    %c0 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x128xi32>
    %cb = tt.broadcast %c0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %at = arith.addi %rb, %cb : tensor<64x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    %v = tt.load %px : tensor<64x128x!tt.ptr<f32>>
    %sums = "tt.scan"(%v) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.scan.return %t : f32
    }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %po = tt.addptr %os, %at : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    tt.store %po, %sums : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [32, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @columns(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %cst = arith.constant dense<128> : tensor<64x1xi32, #blocked>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %3 = arith.muli %2, %cst : tensor<64x1xi32, #blocked>
    %4 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %5 = tt.broadcast %3 : tensor<64x1xi32, #blocked> -> tensor<64x128xi32, #blocked>
    %6 = tt.broadcast %4 : tensor<1x128xi32, #blocked> -> tensor<64x128xi32, #blocked>
    %7 = arith.addi %5, %6 : tensor<64x128xi32, #blocked>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked>
    %9 = tt.addptr %8, %7 : tensor<64x128x!tt.ptr<f32>, #blocked>, tensor<64x128xi32, #blocked>
    %10 = tt.load %9 : tensor<64x128x!tt.ptr<f32>, #blocked>
    %11 = arith.mulf %10, %10 : tensor<64x128xf32, #blocked>
    %12 = "tt.scan"(%11) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %15 = arith.addf %arg2, %arg3 : f32
      tt.scan.return %15 : f32
    }) : (tensor<64x128xf32, #blocked>) -> tensor<64x128xf32, #blocked>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked>
    %14 = tt.addptr %13, %7 : tensor<64x128x!tt.ptr<f32>, #blocked>, tensor<64x128xi32, #blocked>
    tt.store %14, %12 : tensor<64x128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %cst = arith.constant dense<128> : tensor<64x1xi32, #blocked1>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %3 = arith.muli %2, %cst : tensor<64x1xi32, #blocked1>
    %4 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %5 = tt.broadcast %3 : tensor<64x1xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %6 = tt.broadcast %4 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %7 = arith.addi %5, %6 : tensor<64x128xi32, #blocked1>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked1>
    %9 = tt.addptr %8, %7 : tensor<64x128x!tt.ptr<f32>, #blocked1>, tensor<64x128xi32, #blocked1>
    %10 = tt.load %9 : tensor<64x128x!tt.ptr<f32>, #blocked1>
    %11 = "tt.scan"(%10) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %14 = arith.addf %arg2, %arg3 : f32
      tt.scan.return %14 : f32
    }) : (tensor<64x128xf32, #blocked1>) -> tensor<64x128xf32, #blocked1>
    %12 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #blocked1>
    %13 = tt.addptr %12, %7 : tensor<64x128x!tt.ptr<f32>, #blocked1>, tensor<64x128xi32, #blocked1>
    tt.store %13, %11 : tensor<64x128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

