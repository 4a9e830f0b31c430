// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 2
// counts: ttg.convert_layout 2
module {
  // Eight rows of `%p` are 98 bytes apart, and those of `%q` side by side. A thread that has all eight has neighbors along the columns, so both
  // have one layout.
  tt.func public @rows(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %columns: tensor<1x64xi32>) -> tensor<8xf32> {
    %c49 = arith.constant dense<49> : tensor<8x1xi32>
    %c256 = arith.constant dense<256> : tensor<1x64xi32>
    %r = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %starts = arith.muli %rows, %c49 : tensor<8x1xi32>
    %sb = tt.broadcast %starts : tensor<8x1xi32> -> tensor<8x64xi32>
    %cb = tt.broadcast %columns : tensor<1x64xi32> -> tensor<8x64xi32>
    %at = arith.addi %sb, %cb : tensor<8x64xi32>
    %ps = tt.splat %p : !tt.ptr<bf16> -> tensor<8x64x!tt.ptr<bf16>>
    %pa = tt.addptr %ps, %at : tensor<8x64x!tt.ptr<bf16>>, tensor<8x64xi32>
    %x = tt.load %pa : tensor<8x64x!tt.ptr<bf16>>
    %far = arith.muli %columns, %c256 : tensor<1x64xi32>
    %rb = tt.broadcast %rows : tensor<8x1xi32> -> tensor<8x64xi32>
    %fb = tt.broadcast %far : tensor<1x64xi32> -> tensor<8x64xi32>
    %beside = arith.addi %rb, %fb : tensor<8x64xi32>
    %qs = tt.splat %q : !tt.ptr<bf16> -> tensor<8x64x!tt.ptr<bf16>>
    %qa = tt.addptr %qs, %beside : tensor<8x64x!tt.ptr<bf16>>, tensor<8x64xi32>
    %y = tt.load %qa : tensor<8x64x!tt.ptr<bf16>>
    %xf = arith.extf %x : tensor<8x64xbf16> to tensor<8x64xf32>
    %yf = arith.extf %y : tensor<8x64xbf16> to tensor<8x64xf32>
    %sum = arith.addf %xf, %yf : tensor<8x64xf32>
    %total = "tt.reduce"(%sum) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8x64xf32>) -> tensor<8xf32>
    tt.return %total : tensor<8xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg2: tensor<1x64xi32, #blocked>) -> tensor<8xf32, #blocked1> {
    %0 = ttg.convert_layout %arg2 : tensor<1x64xi32, #blocked> -> tensor<1x64xi32, #blocked2>
    %cst = arith.constant dense<49> : tensor<8x1xi32, #blocked2>
    %cst_0 = arith.constant dense<256> : tensor<1x64xi32, #blocked2>
    %1 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<8x1xi32, #blocked2>
    %3 = arith.muli %2, %cst : tensor<8x1xi32, #blocked2>
    %4 = tt.broadcast %3 : tensor<8x1xi32, #blocked2> -> tensor<8x64xi32, #blocked2>
    %5 = tt.broadcast %0 : tensor<1x64xi32, #blocked2> -> tensor<8x64xi32, #blocked2>
    %6 = arith.addi %4, %5 : tensor<8x64xi32, #blocked2>
    %7 = tt.splat %arg0 : !tt.ptr<bf16> -> tensor<8x64x!tt.ptr<bf16>, #blocked2>
    %8 = tt.addptr %7, %6 : tensor<8x64x!tt.ptr<bf16>, #blocked2>, tensor<8x64xi32, #blocked2>
    %9 = tt.load %8 : tensor<8x64x!tt.ptr<bf16>, #blocked2>
    %10 = arith.muli %0, %cst_0 : tensor<1x64xi32, #blocked2>
    %11 = tt.broadcast %2 : tensor<8x1xi32, #blocked2> -> tensor<8x64xi32, #blocked2>
    %12 = tt.broadcast %10 : tensor<1x64xi32, #blocked2> -> tensor<8x64xi32, #blocked2>
    %13 = arith.addi %11, %12 : tensor<8x64xi32, #blocked2>
    %14 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<8x64x!tt.ptr<bf16>, #blocked2>
    %15 = tt.addptr %14, %13 : tensor<8x64x!tt.ptr<bf16>, #blocked2>, tensor<8x64xi32, #blocked2>
    %16 = tt.load %15 : tensor<8x64x!tt.ptr<bf16>, #blocked2>
    %17 = arith.extf %9 : tensor<8x64xbf16, #blocked2> to tensor<8x64xf32, #blocked2>
    %18 = arith.extf %16 : tensor<8x64xbf16, #blocked2> to tensor<8x64xf32, #blocked2>
    %19 = arith.addf %17, %18 : tensor<8x64xf32, #blocked2>
    %20 = "tt.reduce"(%19) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %22 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %22 : f32
    }) : (tensor<8x64xf32, #blocked2>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %21 = ttg.convert_layout %20 : tensor<8xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<8xf32, #blocked1>
    tt.return %21 : tensor<8xf32, #blocked1>
  }
}

