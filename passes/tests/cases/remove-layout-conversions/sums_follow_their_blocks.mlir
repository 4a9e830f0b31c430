// passes: remove-layout-conversions
// target: sm_90a
// counts: ttg.convert_layout 2
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#numbers = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 8], order = [0, 1]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 8], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The block takes the layout of `%y`, in which its rows are of one warp each. Its mean is of that layout then, and so are the differences and their mean:
  // with the layout that reached them first, both blocks would be converted, and everything be computed twice.
  tt.func public @norm(%px: tensor<32x64x!tt.ptr<f32>, #columns>, %py: tensor<32x64x!tt.ptr<f32>, #rows>, %out: tensor<32x64x!tt.ptr<f32>, #rows>, %means: tensor<32x1x!tt.ptr<f32>, #numbers>) {
    %zero = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #columns>
    %x = tt.load %px : tensor<32x64x!tt.ptr<f32>, #columns>
    %y = tt.load %py : tensor<32x64x!tt.ptr<f32>, #rows>
    %beside = ttg.convert_layout %y : tensor<32x64xf32, #rows> -> tensor<32x64xf32, #columns>
    %total = arith.addf %x, %beside : tensor<32x64xf32, #columns>
    %positive = arith.maximumf %total, %zero : tensor<32x64xf32, #columns>
    %sum = "tt.reduce"(%positive) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<32x64xf32, #columns>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #columns}>>
    %row = tt.expand_dims %sum {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<32x1xf32, #columns>
    %rows = tt.broadcast %row : tensor<32x1xf32, #columns> -> tensor<32x64xf32, #columns>
    %centered = arith.subf %total, %rows : tensor<32x64xf32, #columns>
    %squares = arith.mulf %centered, %centered : tensor<32x64xf32, #columns>
    %sum1 = "tt.reduce"(%squares) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<32x64xf32, #columns>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #columns}>>
    %row1 = tt.expand_dims %sum1 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<32x1xf32, #columns>
    %rows1 = tt.broadcast %row1 : tensor<32x1xf32, #columns> -> tensor<32x64xf32, #columns>
    %scaled = arith.mulf %centered, %rows1 : tensor<32x64xf32, #columns>
    %result = ttg.convert_layout %scaled : tensor<32x64xf32, #columns> -> tensor<32x64xf32, #rows>
    tt.store %out, %result : tensor<32x64x!tt.ptr<f32>, #rows>
    %mean = ttg.convert_layout %row : tensor<32x1xf32, #columns> -> tensor<32x1xf32, #numbers>
    tt.store %means, %mean : tensor<32x1x!tt.ptr<f32>, #numbers>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 8], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 8], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @norm(%arg0: tensor<32x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<32x64x!tt.ptr<f32>, #blocked1>, %arg2: tensor<32x64x!tt.ptr<f32>, #blocked1>, %arg3: tensor<32x1x!tt.ptr<f32>, #blocked2>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #blocked1>
    %0 = tt.load %arg0 : tensor<32x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #blocked1>
    %2 = tt.load %arg1 : tensor<32x64x!tt.ptr<f32>, #blocked1>
    %3 = arith.addf %1, %2 : tensor<32x64xf32, #blocked1>
    %4 = arith.maximumf %3, %cst : tensor<32x64xf32, #blocked1>
    %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %15 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %15 : f32
    }) : (tensor<32x64xf32, #blocked1>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xf32, #blocked1>
    %7 = tt.broadcast %6 : tensor<32x1xf32, #blocked1> -> tensor<32x64xf32, #blocked1>
    %8 = arith.subf %3, %7 : tensor<32x64xf32, #blocked1>
    %9 = arith.mulf %8, %8 : tensor<32x64xf32, #blocked1>
    %10 = "tt.reduce"(%9) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %15 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %15 : f32
    }) : (tensor<32x64xf32, #blocked1>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %11 = tt.expand_dims %10 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xf32, #blocked1>
    %12 = tt.broadcast %11 : tensor<32x1xf32, #blocked1> -> tensor<32x64xf32, #blocked1>
    %13 = arith.mulf %8, %12 : tensor<32x64xf32, #blocked1>
    tt.store %arg2, %13 : tensor<32x64x!tt.ptr<f32>, #blocked1>
    %14 = ttg.convert_layout %6 : tensor<32x1xf32, #blocked1> -> tensor<32x1xf32, #blocked2>
    tt.store %arg3, %14 : tensor<32x1x!tt.ptr<f32>, #blocked2>
    tt.return
  }
}

