// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions
module {
  // Of the two axes that are apart, the one along which is added up stays in a thread.
  tt.func public @combined(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
    %s = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %width = arith.constant dense<128> : tensor<4xi32>
    %rows = arith.muli %r, %width : tensor<4xi32>
    %st = tt.splat %stride : i32 -> tensor<16xi32>
    %splits = arith.muli %s, %st : tensor<16xi32>
    %r1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %r2 = tt.expand_dims %r1 {axis = 2 : i32} : tensor<4x1xi32> -> tensor<4x1x1xi32>
    %s0 = tt.expand_dims %splits {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %s2 = tt.expand_dims %s0 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %c0 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %c1 = tt.expand_dims %c0 {axis = 0 : i32} : tensor<1x128xi32> -> tensor<1x1x128xi32>
    %rb = tt.broadcast %r2 : tensor<4x1x1xi32> -> tensor<4x16x128xi32>
    %sb = tt.broadcast %s2 : tensor<1x16x1xi32> -> tensor<4x16x128xi32>
    %cb = tt.broadcast %c1 : tensor<1x1x128xi32> -> tensor<4x16x128xi32>
    %rs = arith.addi %rb, %sb : tensor<4x16x128xi32>
    %at = arith.addi %rs, %cb : tensor<4x16x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x16x128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<4x16x128x!tt.ptr<f32>>, tensor<4x16x128xi32>
    %v = tt.load %px : tensor<4x16x128x!tt.ptr<f32>>
    %w = arith.mulf %v, %v : tensor<4x16x128xf32>
    %sum = "tt.reduce"(%w) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      tt.reduce.return %t : f32
    }) : (tensor<4x16x128xf32>) -> tensor<4x128xf32>
    %o1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %ob = tt.broadcast %o1 : tensor<4x1xi32> -> tensor<4x128xi32>
    %oc = tt.broadcast %c0 : tensor<1x128xi32> -> tensor<4x128xi32>
    %oat = arith.addi %ob, %oc : tensor<4x128xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %po = tt.addptr %os, %oat : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi32>
    tt.store %po, %sum : tensor<4x128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 1, 32], warpsPerCTA = [4, 1, 1], order = [2, 0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @combined(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<128> : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %cst_0 = arith.constant dense<128> : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 0, parent = #blocked}>}>>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = arith.muli %0, %cst : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %6 = arith.muli %1, %cst_0 : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = tt.expand_dims %5 {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<4x1xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %8 = tt.expand_dims %6 {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<4x1xi32, #blocked1>
    %9 = tt.expand_dims %7 {axis = 2 : i32} : tensor<4x1xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<4x1x1xi32, #blocked>
    %10 = tt.expand_dims %2 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<1x16xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %11 = tt.expand_dims %10 {axis = 2 : i32} : tensor<1x16xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<1x16x1xi32, #blocked>
    %12 = tt.splat %arg2 : i32 -> tensor<1x16x1xi32, #blocked>
    %13 = arith.muli %11, %12 : tensor<1x16x1xi32, #blocked>
    %14 = tt.expand_dims %3 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 0, parent = #blocked}>}>> -> tensor<1x128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = tt.expand_dims %4 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %16 = tt.expand_dims %14 {axis = 0 : i32} : tensor<1x128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x1x128xi32, #blocked>
    %17 = tt.broadcast %9 : tensor<4x1x1xi32, #blocked> -> tensor<4x16x128xi32, #blocked>
    %18 = tt.broadcast %13 : tensor<1x16x1xi32, #blocked> -> tensor<4x16x128xi32, #blocked>
    %19 = tt.broadcast %16 : tensor<1x1x128xi32, #blocked> -> tensor<4x16x128xi32, #blocked>
    %20 = arith.addi %17, %18 : tensor<4x16x128xi32, #blocked>
    %21 = arith.addi %20, %19 : tensor<4x16x128xi32, #blocked>
    %22 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4x16x128x!tt.ptr<f32>, #blocked>
    %23 = tt.addptr %22, %21 : tensor<4x16x128x!tt.ptr<f32>, #blocked>, tensor<4x16x128xi32, #blocked>
    %24 = tt.load %23 : tensor<4x16x128x!tt.ptr<f32>, #blocked>
    %25 = arith.mulf %24, %24 : tensor<4x16x128xf32, #blocked>
    %26 = "tt.reduce"(%25) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %33 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %33 : f32
    }) : (tensor<4x16x128xf32, #blocked>) -> tensor<4x128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %27 = tt.broadcast %8 : tensor<4x1xi32, #blocked1> -> tensor<4x128xi32, #blocked1>
    %28 = tt.broadcast %15 : tensor<1x128xi32, #blocked1> -> tensor<4x128xi32, #blocked1>
    %29 = arith.addi %27, %28 : tensor<4x128xi32, #blocked1>
    %30 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>, #blocked1>
    %31 = tt.addptr %30, %29 : tensor<4x128x!tt.ptr<f32>, #blocked1>, tensor<4x128xi32, #blocked1>
    %32 = ttg.convert_layout %26 : tensor<4x128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x128xf32, #blocked1>
    tt.store %31, %32 : tensor<4x128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

