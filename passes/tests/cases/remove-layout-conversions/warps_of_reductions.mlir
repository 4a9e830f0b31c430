// passes: remove-layout-conversions
// target: sm_90a
// counts: ttg.convert_layout 1
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 8], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Either block may be converted for the product. In the layout of `%y` each row is of one warp, so the sum needs no barrier: `%x` is converted, though its layout comes first.
  tt.func public @sums(%px: tensor<32x64x!tt.ptr<f32>, #columns>, %py: tensor<32x64x!tt.ptr<f32>, #rows>, %out: tensor<32x64x!tt.ptr<f32>, #rows>) {
    %x = tt.load %px : tensor<32x64x!tt.ptr<f32>, #columns>
    %y = tt.load %py : tensor<32x64x!tt.ptr<f32>, #rows>
    %beside = ttg.convert_layout %y : tensor<32x64xf32, #rows> -> tensor<32x64xf32, #columns>
    %product = arith.mulf %x, %beside : tensor<32x64xf32, #columns>
    %sum = "tt.reduce"(%product) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<32x64xf32, #columns>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #columns}>>
    %row = tt.expand_dims %sum {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<32x1xf32, #columns>
    %rows = tt.broadcast %row : tensor<32x1xf32, #columns> -> tensor<32x64xf32, #columns>
    %scaled = arith.mulf %product, %rows : tensor<32x64xf32, #columns>
    %result = ttg.convert_layout %scaled : tensor<32x64xf32, #columns> -> tensor<32x64xf32, #rows>
    tt.store %out, %result : tensor<32x64x!tt.ptr<f32>, #rows>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 8], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%arg0: tensor<32x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<32x64x!tt.ptr<f32>, #blocked1>, %arg2: tensor<32x64x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg0 : tensor<32x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #blocked1>
    %2 = tt.load %arg1 : tensor<32x64x!tt.ptr<f32>, #blocked1>
    %3 = arith.mulf %1, %2 : tensor<32x64xf32, #blocked1>
    %4 = "tt.reduce"(%3) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %8 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<32x64xf32, #blocked1>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xf32, #blocked1>
    %6 = tt.broadcast %5 : tensor<32x1xf32, #blocked1> -> tensor<32x64xf32, #blocked1>
    %7 = arith.mulf %3, %6 : tensor<32x64xf32, #blocked1>
    tt.store %arg2, %7 : tensor<32x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

