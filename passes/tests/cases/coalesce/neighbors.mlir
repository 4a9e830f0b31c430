// passes: convert-to-ttg,coalesce,remove-layout-conversions
// counts: ttg.convert_layout 1
module {
  // Nothing is known of where the table is read; what it is added to lies along the rows, along which the sum goes. So does the table in threads, and only the result is converted.
  tt.func public @added(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %places: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %table: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<32xf32> {
    %width = arith.constant dense<64> : tensor<32x1xi32>
    %m = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %n = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %n0 = tt.expand_dims %n {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rows = arith.muli %m1, %width : tensor<32x1xi32>
    %rb = tt.broadcast %rows : tensor<32x1xi32> -> tensor<32x64xi32>
    %cb = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<32x64xi32>
    %at = arith.addi %rb, %cb : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %a = tt.load %px : tensor<32x64x!tt.ptr<f32>>
    %ss = tt.splat %places : !tt.ptr<i32> -> tensor<32x64x!tt.ptr<i32>>
    %ps = tt.addptr %ss, %at : tensor<32x64x!tt.ptr<i32>>, tensor<32x64xi32>
    %place = tt.load %ps : tensor<32x64x!tt.ptr<i32>>
    %ts = tt.splat %table : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %pt = tt.addptr %ts, %place : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %b = tt.load %pt : tensor<32x64x!tt.ptr<f32>>
    %sum = arith.addf %a, %b : tensor<32x64xf32>
    %total = "tt.reduce"(%sum) <{axis = 1 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x64xf32>) -> tensor<32xf32>
    tt.return %total : tensor<32xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @added(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<32xf32, #blocked> {
    %cst = arith.constant dense<64> : tensor<32x1xi32, #blocked1>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %4 = arith.muli %1, %cst : tensor<32x1xi32, #blocked1>
    %5 = tt.broadcast %4 : tensor<32x1xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %6 = tt.broadcast %3 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %7 = arith.addi %5, %6 : tensor<32x64xi32, #blocked1>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked1>
    %9 = tt.addptr %8, %7 : tensor<32x64x!tt.ptr<f32>, #blocked1>, tensor<32x64xi32, #blocked1>
    %10 = tt.load %9 : tensor<32x64x!tt.ptr<f32>, #blocked1>
    %11 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<32x64x!tt.ptr<i32>, #blocked1>
    %12 = tt.addptr %11, %7 : tensor<32x64x!tt.ptr<i32>, #blocked1>, tensor<32x64xi32, #blocked1>
    %13 = tt.load %12 : tensor<32x64x!tt.ptr<i32>, #blocked1>
    %14 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked1>
    %15 = tt.addptr %14, %13 : tensor<32x64x!tt.ptr<f32>, #blocked1>, tensor<32x64xi32, #blocked1>
    %16 = tt.load %15 : tensor<32x64x!tt.ptr<f32>, #blocked1>
    %17 = arith.addf %10, %16 : tensor<32x64xf32, #blocked1>
    %18 = "tt.reduce"(%17) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %20 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %20 : f32
    }) : (tensor<32x64xf32, #blocked1>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %19 = ttg.convert_layout %18 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32xf32, #blocked>
    tt.return %19 : tensor<32xf32, #blocked>
  }
}

